//! `match-runner show`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;

use crate::output::{self, board, export};
use crate::record::{self, Entry, GameRecord, Outcome};
use crate::text;

const EXAMPLES: &str = "\
Examples:
  List the games of a run, then show the third, then its board after ten stones:
    match-runner show run.jsonl
    match-runner show run.jsonl --game 3
    match-runner show run.jsonl --game 3 --stones 10

  Only games in which an engine broke down:
    match-runner show run.jsonl --faults";

#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A record file
    file: PathBuf,
    /// Show the game with this number in the list
    #[arg(long, short, value_name = "N")]
    game: Option<usize>,
    /// Show the board after so many stones instead of the last one
    #[arg(long, value_name = "N", requires = "game")]
    stones: Option<usize>,
    /// List only games that ended by a fault
    #[arg(long)]
    faults: bool,
}

/// The games of a file, numbered from 1 by their place in it.
pub(super) fn games(path: &Path) -> Result<Vec<(usize, GameRecord)>> {
    let games = record::read(path)?.into_iter().filter_map(|entry| match entry {
        Entry::Game(game) => Some(game),
        Entry::Run(_) => None,
    });
    Ok((1..).zip(games).collect())
}

/// Prints a list or a game.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let games = games(&arguments.file)?;
    if let Some(number) = arguments.game {
        let found = games.iter().find(|(index, _)| *index == number);
        let (_, game) =
            found.with_context(|| format!("there are {} games, numbered from 1", games.len()))?;
        output::print(&describe(game, arguments.stones)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut list = String::new();
    for (number, game) in &games {
        if !arguments.faults || game.end.is_abnormal() {
            let (stones, result) = (export::moves(game)?.1.len(), result(game.outcome));
            let (black, white, end) = (&game.black, &game.white, game.end.words());
            // Writing to a string cannot fail.
            let _ =
                writeln!(list, "{number:>5}  {black} - {white}  {result}  {stones} stones, {end}");
        }
    }
    output::print(&list)?;
    Ok(ExitCode::SUCCESS)
}

/// `1-0` when Black won.
pub(super) const fn result(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Black => "1-0",
        Outcome::White => "0-1",
        Outcome::Draw => "1/2",
    }
}

/// A game as text: who, the board, the moves with what was said about them, the end.
fn describe(game: &GameRecord, stones: Option<usize>) -> Result<String> {
    let (size, moves) = export::moves(game)?;
    let squares: Vec<_> = moves.iter().map(|(square, _)| *square).collect();
    let shown = stones.unwrap_or(squares.len()).min(squares.len());
    let rule = text::parse_rule(&game.rule.to_string()).map_err(anyhow::Error::msg)?;
    let mut words = format!(
        "{} (X, Black) - {} (O, White), {rule} {size}\n{}\n",
        game.black,
        game.white,
        board::draw(size, &squares[..shown])
    );
    let given = squares.len() - game.moves.len();
    if given > 0 {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(words, "opening {}", game.opening);
    }
    for (index, mv) in game.moves.iter().enumerate() {
        let number = given + index + 1;
        let color = if number % 2 == 1 { 'X' } else { 'O' };
        let mut line = format!("{number:>3} {color} {:<4}{:>7} ms", mv.point, mv.ms);
        if let Some(depth) = mv.note.depth {
            let _ = write!(line, "  depth {depth}");
        }
        if let Some(eval) = &mv.note.eval {
            let _ = write!(line, "  eval {eval}");
        }
        if let Some(nodes) = mv.note.nodes {
            let _ = write!(line, "  nodes {nodes}");
        }
        words.push_str(&line);
        words.push('\n');
    }
    let _ = writeln!(words, "{}, {}", result(game.outcome), game.end.words());
    for line in &game.last_lines {
        let _ = writeln!(words, "  | {line}");
    }
    Ok(words)
}
