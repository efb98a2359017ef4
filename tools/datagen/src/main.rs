//! Plays the engine against itself and records the games: the command line.
//!
//! Owns arguments. What is printed stands in `output`, what is played stands in `play` and `opening`, how games
//! are handed out and kept in `run`.

mod opening;
mod output;
mod play;
mod run;

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Parser;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;

use crate::opening::Openings;
use crate::output::Progress;
use crate::play::Settings;
use crate::run::{Goal, Tally};

const EXAMPLES: &str = "\
Examples:
  A quick look, 200 games of freestyle on 15x15:
    datagen --out data/look --games 200 --nodes 1000

  Half a million positions of renju on two threads, in the background:
    nice datagen --out data/renju15 --rule renju --positions 500000 --threads 2

  From listed openings, each turned and mirrored in all ways:
    datagen --out data/listed --size 20 --openings freestyle20.txt --games 2000

A run that was cut off is continued by the same command: whole games are kept. The games depend
on the seed and their number only, so any number of threads plays the same ones.";

/// Plays the engine against itself and records the games.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES)]
struct Arguments {
    /// Folder of the run: one file per thread in it
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Rule: freestyle, standard, renju, caro or caro9
    #[arg(long, default_value = "freestyle", value_parser = parse_rule)]
    rule: Rule,
    /// Board: a side, or width and height as in 15x20
    #[arg(long, default_value = "15", value_parser = parse_size)]
    size: BoardSize,
    /// Stop after so many games
    #[arg(long, value_name = "N", required_unless_present = "positions")]
    games: Option<u64>,
    /// Stop after so many positions that were searched
    #[arg(long, value_name = "N", conflicts_with = "games")]
    positions: Option<u64>,
    /// Nodes of each search
    #[arg(long, value_name = "N", default_value_t = 5000)]
    nodes: u64,
    /// Games played at once
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Seed of all that is random
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// File with one opening a line, such as h8i9g7; without it openings are random
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Random openings are kept when a search gives at most this either way
    #[arg(long, value_name = "SCORE", default_value_t = 100)]
    balance: i32,
    /// How often, in percent, the second best move is played if it is nearly as good
    #[arg(long, value_name = "PERCENT", default_value_t = 12)]
    explore: u64,
    /// Plies after the opening in which that may happen
    #[arg(long, value_name = "PLIES", default_value_t = 12)]
    explore_plies: usize,
    /// How often, in percent, a move is taken at random from the more promising ones: positions
    /// of searches are less even than those of games
    #[arg(long, value_name = "PERCENT", default_value_t = 3)]
    blunders: u64,
    /// A game ends when a proven win is fewer plies away than this
    #[arg(long, value_name = "PLIES", default_value_t = 7)]
    end_below: i32,
    /// Draw after so many moves; two thirds of the squares if not given
    #[arg(long, value_name = "MOVES")]
    most_moves: Option<usize>,
    /// Megabytes of each thread's table
    #[arg(long, value_name = "MB", default_value_t = 8)]
    table_mb: usize,
}

fn parse_rule(text: &str) -> Result<Rule, String> {
    let names = Rule::ALL.map(Rule::name).join(", ");
    Rule::from_name(text).ok_or_else(|| format!("expected one of {names}"))
}

fn parse_size(text: &str) -> Result<BoardSize, String> {
    let (width, height) = text.split_once('x').unwrap_or((text, text));
    let side = |text: &str| text.parse::<i64>().map_err(|_| format!("'{text}' is no number"));
    BoardSize::try_new(side(width)?, side(height)?).map_err(|error| error.to_string())
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    if arguments.threads == 0 || arguments.nodes == 0 {
        bail!("at least one thread and one node are needed");
    }
    let openings = match &arguments.openings {
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            Openings::parse(&text, arguments.size)
                .with_context(|| format!("cannot use {}", path.display()))?
        }
        None => Openings::Random { balance: arguments.balance },
    };
    let settings = Settings {
        rule: arguments.rule,
        size: arguments.size,
        nodes: arguments.nodes,
        seed: arguments.seed,
        openings,
        explore: arguments.explore,
        explore_plies: arguments.explore_plies,
        blunders: arguments.blunders,
        end_below: arguments.end_below,
        most_moves: arguments.most_moves.unwrap_or(arguments.size.area() * 2 / 3),
        table_bytes: arguments.table_mb << 20,
    };
    let goal = match (arguments.games, arguments.positions) {
        (Some(games), _) => Goal::Games(games),
        (None, Some(positions)) => Goal::Positions(positions),
        (None, None) => bail!("--games or --positions is needed"),
    };
    print(&format!("{}\n", settings.note()))?;

    let mut progress = Progress::new(goal);
    let mut last = Tally::default();
    let mut first = None;
    run::run(&settings, &arguments.out, arguments.threads, goal, |tally| {
        first.get_or_insert_with(|| tally.clone());
        progress.show(tally);
        last = tally.clone();
    })?;
    let text = progress.summary(&last, &first.unwrap_or_default(), arguments.threads);
    print(&text)
}

fn print(text: &str) -> Result<()> {
    io::stdout().write_all(text.as_bytes()).context("cannot write to stdout")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
        assert_eq!(parse_size("15"), Ok(BoardSize::square(15)));
        assert_eq!(parse_size("15x20"), BoardSize::try_new(15, 20).map_err(|_| String::new()));
        assert!(parse_size("4").is_err() && parse_size("15x").is_err());
        assert_eq!(parse_rule("caro9"), Ok(Rule::CaroExact));
        assert!(parse_rule("go").unwrap_err().contains("freestyle"));
    }
}
