//! `match-runner even`.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use manager::command::{self, EngineWords};
use manager::output;
use manager::settings::{GameSettings, Manner};
use manager::text;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;

use super::run::{LimitArguments, bounded, read_openings};
use crate::even::{self, Judgement};

/// Openings between two lines of progress.
const EVERY: usize = 25;

const EXAMPLES: &str = "\
Examples:
  Those that two seconds of search find even:
    match-runner even --engine target/release/pbrain-tengen --turn-ms 2000 --concurrency 2 \\
      --openings freestyle15.txt > even15.txt

  The same for renju, whatever the machine:
    match-runner even --engine target/release/pbrain-tengen --nodes 500000 --rule renju \\
      --most 40 --openings renju15.txt > even.txt";

#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The engine that is asked: a command line, or words as for `run`
    #[arg(long, short, value_name = "ENGINE")]
    engine: EngineWords,
    /// File of openings, one a line
    #[arg(long, value_name = "FILE")]
    openings: PathBuf,
    /// How far one side may be ahead, in the units of the engine
    #[arg(long, default_value_t = 60, value_name = "N")]
    most: u32,
    /// 0 freestyle, 1 standard, 4 renju, 8 caro, 9 caro9
    #[arg(long, default_value = "0", value_parser = text::parse_rule)]
    rule: Rule,
    /// Side of the board, 5 to 22
    #[arg(long, default_value = "15", value_parser = text::parse_size)]
    size: BoardSize,
    #[command(flatten)]
    limits: LimitArguments,
    /// Openings at the same time
    #[arg(long, short, default_value_t = 1, value_name = "N")]
    concurrency: usize,
}

/// Prints the openings that are even, with what was found; tells on stderr how many.
pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let openings = read_openings(&arguments.openings, arguments.size, arguments.rule)?;
    let engines = command::settings(vec![arguments.engine], &arguments.limits.limits())?;
    let Some(mut engine) = engines.into_iter().next() else { bail!("no engine") };
    engine.limits = bounded(engine.limits);
    let game = GameSettings {
        rule: arguments.rule,
        size: arguments.size,
        manner: Manner::Plain,
        max_moves: None,
        adjudicate: false,
        tolerance: Duration::from_secs(5),
        startup: Duration::from_secs(10),
    };
    let stop = super::stop_on_interrupt()?;
    let (most, total) = (arguments.most, openings.len());
    let (mut asked, mut kept) = (0, 0);
    let heard = |judgement: &Judgement| {
        asked += 1;
        kept += usize::from(even::is_even(judgement, most));
        if asked % EVERY == 0 && asked < total {
            eprintln!("Opening {asked} of {total}: {kept} even");
        }
    };
    let judged = even::judge(&engine, &game, &openings, arguments.concurrency, &stop, heard)?;
    let Some(judgements) = judged else {
        eprintln!("stopped");
        return Ok(ExitCode::from(130));
    };
    let mut out = String::new();
    for (opening, judgement) in openings.iter().zip(&judgements) {
        if even::is_even(judgement, most) {
            // Writing to a string cannot fail. The comment keeps its own line.
            let _ = writeln!(out, "# {judgement}\n{}", text::moves(opening));
        }
    }
    output::print(&out)?;
    eprintln!("{kept} of {total} openings are even within {most}");
    Ok(ExitCode::SUCCESS)
}
