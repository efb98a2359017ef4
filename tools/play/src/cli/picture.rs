//! `play picture`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use manager::{picture, text};
use tengen::types::rule::Rule;

use crate::app;
use crate::game::Game;

const EXAMPLES: &str = "\
Examples:
  The last position, and the one after 20 stones:
    play picture game.sgf --svg game.svg
    play picture game.sgf --stones 20 --svg after20.svg

  A Piskvork file with what renju forbids to Black:
    play picture game.psq --rule renju --svg game.svg";

#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The game, .sgf or .psq
    file: PathBuf,
    /// Draw into FILE
    #[arg(long, value_name = "FILE")]
    svg: PathBuf,
    /// The position after so many stones instead of the last one
    #[arg(long, value_name = "N")]
    stones: Option<usize>,
    /// The rule, where the file does not tell it
    #[arg(long, default_value = "freestyle", value_parser = text::parse_rule)]
    rule: Rule,
}

/// Draws a position.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let loaded = app::load(&arguments.file, arguments.rule)?;
    for note in &loaded.notes {
        eprintln!("{}: {note}", arguments.file.display());
    }
    let game = Game::from_file(&loaded.game);
    let stones = arguments.stones.unwrap_or(usize::MAX);
    let svg = picture::draw(game.size(), &game.picture(stones, game.names().clone()));
    let path = &arguments.svg;
    app::write(path, &svg).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(ExitCode::SUCCESS)
}
