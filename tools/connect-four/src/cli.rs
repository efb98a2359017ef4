//! The command line.
//!
//! Owns arguments and what goes to stdout and stderr. A command's work stands in a module of its
//! own, or in the library.

mod book;
mod check;
mod contest;
mod solve;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use clap::{Args, Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};

use crate::bench;
use crate::book::Book;
use crate::level::Level;
use crate::play::{self, Seat, Setup};
use crate::position::Size;
use crate::solver::Solver;
use crate::text::parse_moves;

const EXAMPLES: &str = "\
Examples:
  connect-four play                            you first, against medium
  connect-four play --first perfect --second human
  connect-four solve 4453                      all columns of the position after 4, 4, 5, 3
  connect-four match hard medium --games 100

A position is the columns played, from 1: 4453. A score is 1 for a win with the own last stone,
2 for one with the stone before it, and so on; 0 for a draw; negative for a loss.";

/// Solves and plays connect four.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Solve(SolveOptions),
    Play(PlayOptions),
    Match(MatchOptions),
    Check(CheckOptions),
    Book(BookOptions),
    Bench(BenchOptions),
}

/// What several commands are told.
#[derive(Clone, Copy, Debug, Args)]
struct Common {
    /// Board: columns x rows
    #[arg(long, value_name = "CxR", default_value = "7x6", value_parser = parse_size)]
    size: Size,
    /// Megabytes of the table of positions
    #[arg(long, value_name = "MB", default_value_t = 512,
          value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    memory_mb: u32,
    /// Do not look into the built-in book
    #[arg(long)]
    no_book: bool,
}

impl Common {
    fn solver(&self) -> Solver {
        let solver = Solver::new(self.size, self.memory_mb as usize * (1 << 20));
        if self.no_book { solver } else { solver.with_book(Book::standard()) }
    }
}

/// Tell the score of every move of a position
///
/// The score of each column, the stone with which the game ends ('=' for a draw), and the best
/// move. Positions of few stones that are not in the book can take minutes on 7x6, and more
/// than anybody can wait on larger boards; Ctrl-C ends it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  connect-four solve                           the empty board
  connect-four solve 4453 --best               the best move alone, which is quicker
  connect-four solve 112233 --size 5x4
  cut -d' ' -f1 positions.txt | connect-four solve -   a line for each: moves, score, best")]
struct SolveOptions {
    /// The columns played; '-' reads positions from stdin, one a line
    #[arg(value_name = "MOVES", default_value = "")]
    moves: String,
    /// Only the best move and its score
    #[arg(long)]
    best: bool,
    #[command(flatten)]
    common: Common,
}

/// Play in the terminal
///
/// A board with keys and mouse, or lines of text where stdin or stdout is no terminal. Keys: left,
/// right and Enter, or the column's character; u takes back, h shows the score of every move,
/// n begins again, q leaves.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  connect-four play                            you first, against medium
  connect-four play --first hard --second human
  connect-four play --second human             two people
  connect-four play --first easy --second perfect   watch
  connect-four play --size 5x4 --moves 33
  printf '4\\n4\\nq\\n' | connect-four play --plain")]
struct PlayOptions {
    /// Who plays first: human, easy, medium, hard or perfect
    #[arg(long, value_name = "WHO", default_value = "human", value_parser = parse_seat)]
    first: Seat,
    /// Who plays second
    #[arg(long, value_name = "WHO", default_value = "medium", value_parser = parse_seat)]
    second: Seat,
    /// The columns that were played already
    #[arg(long, value_name = "MOVES", default_value = "")]
    moves: String,
    /// Lines of text instead of a board with keys and mouse
    #[arg(long)]
    plain: bool,
    /// Seed of what easy overlooks; by the clock if not given
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    common: Common,
}

/// Let two levels play each other
///
/// Each opening of random moves is played twice, each level moving first once.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  connect-four match medium easy
  connect-four match perfect hard --games 50 --opening 8")]
struct MatchOptions {
    /// One level: easy, medium, hard or perfect
    #[arg(value_parser = parse_level)]
    one: Level,
    /// The other level
    #[arg(value_parser = parse_level)]
    other: Level,
    /// Games; an odd number is made even
    #[arg(long, value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Random moves before the first that counts
    #[arg(long, value_name = "N", default_value_t = 6)]
    opening: u32,
    /// Seed of the openings and of what easy overlooks
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    common: Common,
}

/// Compare scores with known ones
///
/// A file has a position a line: columns played, a space, its score. The table is cleared before
/// each position. Prints time and nodes a position, and fails when a score differs.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  connect-four check Test_L3_R1 Test_L2_R1 --no-book
  connect-four check tools/connect-four/positions/*.txt --no-book")]
struct CheckOptions {
    /// Files of positions
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    common: Common,
}

/// Make or extend an opening book
///
/// The file is written every few seconds; the same command goes on where it was stopped.
/// tools/connect-four/src/book/7x6.book is the one that is built in.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  connect-four book tools/connect-four/src/book/7x6.book --path 7
  nice connect-four book 7x6.book --full 8 --threads 2     hours
  connect-four book 5x4.book --size 5x4 --full 4 --path 8")]
struct BookOptions {
    /// The book; it is made where there is none
    file: PathBuf,
    /// All positions with at most so many stones
    #[arg(long, value_name = "STONES")]
    full: Option<u32>,
    /// What a perfect player meets with at most so many stones, as first or second
    #[arg(long, value_name = "STONES")]
    path: Option<u32>,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Board: columns x rows
    #[arg(long, value_name = "CxR", default_value = "7x6", value_parser = parse_size)]
    size: Size,
    /// Megabytes of the table of positions
    #[arg(long, value_name = "MB", default_value_t = 2048,
          value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    memory_mb: u32,
}

/// Solve fixed positions and print the node count
///
/// The number of nodes in the last line is the same on every machine.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  connect-four bench")]
struct BenchOptions {}

fn parse_size(text: &str) -> Result<Size, String> {
    let form = || format!("expected columns x rows, such as 7x6, got '{text}'");
    let (columns, rows) = text.split_once('x').ok_or_else(form)?;
    let side = |text: &str| text.parse::<usize>().map_err(|_| form());
    Size::try_new(side(columns)?, side(rows)?).map_err(|error| error.to_string())
}

fn parse_level(text: &str) -> Result<Level, String> {
    let names = Level::ALL.map(Level::name).join(", ");
    Level::from_name(text).ok_or_else(|| format!("expected one of {names}"))
}

fn parse_seat(text: &str) -> Result<Seat, String> {
    if text == "human" {
        return Ok(Seat::Human);
    }
    parse_level(text).map(Seat::Level).map_err(|error| error.replace("one of", "human or one of"))
}

/// Runs the command line of the process.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut out = io::stdout().lock();
    let result = match arguments.command {
        Command::Solve(options) => solve::run(&options, &mut out),
        Command::Play(options) => play(&options, &mut out),
        Command::Match(options) => contest::run(&options, &mut out),
        Command::Check(options) => check::run(&options, &mut out),
        Command::Book(options) => book::run(&options, &mut out),
        Command::Bench(BenchOptions {}) => bench::run(&mut out).context("cannot write to stdout"),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read the output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("error: {error:#}\n"));
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Writes to stderr; what cannot be told is no reason to stop.
fn complain(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

fn play(options: &PlayOptions, out: &mut impl Write) -> Result<()> {
    let common = &options.common;
    let moves = parse_moves(&common.size, &options.moves)
        .with_context(|| format!("cannot play from '{}'", options.moves))?;
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let setup = Setup {
        size: common.size,
        moves,
        seats: [options.first, options.second],
        seed: options.seed.unwrap_or_else(clock),
        table_bytes: common.memory_mb as usize * (1 << 20),
        with_book: !common.no_book,
    };
    if options.plain || !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        play::lines::run(&setup, &mut io::stdin().lock(), out).context("cannot write to stdout")
    } else {
        play::screen::run(&setup).context("cannot use the terminal; try --plain")
    }
}

/// What tells how far it is: a bar on a terminal, lines elsewhere.
struct Bar {
    bar: ProgressBar,
    last_line: std::time::Instant,
}

/// Time between lines where there is no terminal to draw on.
const LINE_EVERY: Duration = Duration::from_mins(1);

impl Bar {
    fn new(length: u64) -> Bar {
        let template = "{bar:30} {pos}/{len} {msg}, {elapsed} gone";
        let style = ProgressStyle::with_template(template);
        let bar = ProgressBar::new(length)
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(Duration::from_millis(500));
        Bar { bar, last_line: std::time::Instant::now() }
    }

    fn show(&mut self, done: u64, length: u64, message: &str) {
        self.bar.set_length(length);
        self.bar.set_position(done);
        self.bar.set_message(message.to_owned());
        if !io::stderr().is_terminal() && self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = std::time::Instant::now();
            complain(&format!("{done} of {length} {message}\n"));
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
        assert_eq!(parse_size("7x6"), Ok(Size::standard()));
        for text in ["", "7", "7x", "x6", "0x6", "7x0", "8x8", "-1x4", "7x6x1", "99999999999x1"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
        assert_eq!(parse_seat("human"), Ok(Seat::Human));
        assert_eq!(parse_seat("hard"), Ok(Seat::Level(Level::Hard)));
        assert!(parse_seat("grandmaster").unwrap_err().contains("human"));
    }

    #[test]
    fn every_command_has_help_with_an_example() {
        use clap::CommandFactory;
        for command in Arguments::command().get_subcommands_mut() {
            let help = command.render_long_help().to_string();
            let example = format!("connect-four {}", command.get_name());
            assert!(help.contains("Examples:") && help.contains(&example), "{help}");
        }
    }
}
