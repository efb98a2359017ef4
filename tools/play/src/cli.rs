//! Command lines and what they mean.
//!
//! Owns the words users type. Must not do any work itself: each command is turned into values the
//! other modules take.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod analyze;
mod board;
mod engine;
mod picture;

const EXAMPLES: &str = "\
Examples:
  A game at once: 15x15, freestyle, you are Black, Tengen is White:
    play

  Renju with White against the level of a club player, two seconds a move:
    play --you white --rule renju --level 5 --turn-ms 2000

  Two people on a board of 19x19; two engines against each other:
    play --you people --size 19
    play --you engines --black ./pbrain-other --white-level 4

  Go on with a game of a file, or with the one that was left unsaved:
    play game.sgf
    play --resume

  What were the moves worth? A table, and the winning chance as a picture:
    play analyze game.sgf --svg curve.svg

  A position as a picture:
    play picture game.psq --stones 20 --svg position.svg

On the board ? shows the keys.";

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    version,
    about = "A board in the terminal to play, watch and analyze Gomoku and Renju with any engine",
    after_long_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    max_term_width = 100
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    board: board::Arguments,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Tell what the moves of a game were worth, with the better ones and a curve
    Analyze(Box<analyze::Arguments>),
    /// Draw a position of a game as an SVG picture
    Picture(picture::Arguments),
    /// Be Tengen on stdin and stdout: the engine where none is built beside this program
    #[command(hide = true)]
    Brain,
    /// Be a brain that plays badly on purpose, to try this program with
    #[command(hide = true)]
    Stub(manager::stub::Arguments),
}

/// Runs the program.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.command {
        None => board::run(cli.board),
        Some(Command::Analyze(arguments)) => analyze::run(*arguments),
        Some(Command::Picture(arguments)) => picture::run(&arguments),
        Some(Command::Brain) => return tengen::protocol::run(),
        Some(Command::Stub(arguments)) => match manager::stub::run(arguments) {
            Ok(()) => Ok(ExitCode::SUCCESS),
            Err(error) => Err(error.into()),
        },
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
