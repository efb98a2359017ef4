//! `match-runner export`.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use manager::gamefile::Format;
use manager::output;

use crate::output::export;

const EXAMPLES: &str = "\
Examples:
  All games in one SGF file:
    match-runner export run.jsonl --format sgf --output run.sgf

  Each game as a Piskvork file in a folder:
    match-runner export run.jsonl --format psq --output games/

  One game on the terminal:
    match-runner export run.jsonl --format psq --game 3

  The same for a file that datagen wrote:
    match-runner export data/look/00.rec --output look.sgf";

#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A record file of `run`, or of datagen
    file: PathBuf,
    /// What to write
    #[arg(long, value_enum, default_value_t = Format::Sgf)]
    format: Format,
    /// Only the game with this number, as `show` lists them
    #[arg(long, short, value_name = "N")]
    game: Option<usize>,
    /// A file for SGF, a folder for Piskvork files [default: the terminal]
    #[arg(long, short, value_name = "PATH")]
    output: Option<PathBuf>,
}

/// Writes the games.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let read = export::read(&arguments.file)?;
    if read.damaged > 0 {
        eprintln!("{}: {} bytes cannot be read", arguments.file.display(), read.damaged);
    }
    let mut games: Vec<_> = (1..).zip(read.games).collect();
    if let Some(number) = arguments.game {
        games.retain(|(index, _)| *index == number);
        games.first().with_context(|| format!("there is no game {number}"))?;
    }
    let mut all = String::new();
    for (number, game) in &games {
        let text = game.write(arguments.format);
        match (&arguments.output, arguments.format) {
            (Some(folder), Format::Psq) => {
                fs::create_dir_all(folder)
                    .with_context(|| format!("cannot create {}", folder.display()))?;
                let path = folder.join(format!("{number:05}.psq"));
                fs::write(&path, text)
                    .with_context(|| format!("cannot write {}", path.display()))?;
            }
            _ => all.push_str(&text),
        }
    }
    match &arguments.output {
        Some(path) if arguments.format == Format::Sgf => {
            fs::write(path, all).with_context(|| format!("cannot write {}", path.display()))?;
        }
        _ => output::print(&all)?,
    }
    Ok(ExitCode::SUCCESS)
}
