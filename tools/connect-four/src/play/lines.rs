//! A game as lines of text.
//!
//! Owns prompts and what is typed. Whatever comes in, bad or endless, is answered by asking
//! again; where nothing more comes the game ends there.

use std::io::{self, BufRead, Read, Write};
use std::time::Instant;

use tengen::base::control::{Control, Deadline};

use super::{Seat, Setup};
use crate::game::Game;
use crate::position::Side;
use crate::report::{end_in_words, score_table};
use crate::text::{column_name, draw, letter, parse_column};

/// Longest line that is looked at; the rest of it is thrown away.
const LONGEST_LINE: u64 = 200;

const HELP: &str = "\
Type the column of your stone, or one of:
  u  take back your last move
  h  the score of every move
  n  begin again
  q  leave
";

/// What a line asks for.
enum Wish {
    Column(usize),
    TakeBack,
    Scores,
    Help,
    Again,
    Leave,
    Unclear(String),
}

/// Plays until the game ends, or there is no more input.
///
/// # Errors
/// When the output cannot be written.
pub fn run(setup: &Setup, input: &mut impl BufRead, out: &mut impl Write) -> io::Result<()> {
    let mut game = setup.game();
    let mut players = [setup.player(Side::First), setup.player(Side::Second)];
    let mut adviser = None;
    for (side, seat) in [Side::First, Side::Second].into_iter().zip(setup.seats) {
        writeln!(out, "{}: {}", letter(side), seat.name())?;
    }
    if setup.seats.contains(&Seat::Level(crate::level::Level::Easy)) {
        writeln!(out, "seed {}", setup.seed)?;
    }
    write!(out, "\n{}", draw(&setup.size, game.position()))?;
    while game.end().is_none() {
        let side = game.side_to_move();
        let player = match side {
            Side::First => &mut players[0],
            Side::Second => &mut players[1],
        };
        if let Some(player) = player {
            let control = Control::new(Deadline::unlimited(Instant::now()), None);
            let Some(column) = player.choose(game.position(), &control) else { break };
            if game.play(column).is_err() {
                break;
            }
            writeln!(out, "\n{} plays {}", letter(side), column_name(column))?;
        } else {
            match ask(setup, side, input, out)? {
                Wish::Column(column) => {
                    if let Err(error) = game.play(column) {
                        writeln!(out, "No: {error}.")?;
                        continue;
                    }
                }
                Wish::TakeBack => {
                    let count = setup.moves_to_take_back(&game);
                    if count == 0 {
                        writeln!(out, "There is nothing to take back.")?;
                        continue;
                    }
                    game.take_back(count);
                }
                Wish::Scores => {
                    let solver = adviser.get_or_insert_with(|| setup.solver());
                    scores(solver, &game, out)?;
                    continue;
                }
                Wish::Help => {
                    write!(out, "{HELP}")?;
                    continue;
                }
                Wish::Again => game = setup.game(),
                Wish::Leave => break,
                Wish::Unclear(text) => {
                    writeln!(out, "No: '{text}' is no column; ? for help.")?;
                    continue;
                }
            }
        }
        write!(out, "\n{}", draw(&setup.size, game.position()))?;
    }
    match game.end() {
        Some(end) => writeln!(out, "{}", end_in_words(end))?,
        None => writeln!(out, "The game stops here.")?,
    }
    writeln!(out, "Moves: {}", game.record())?;
    out.flush()
}

/// Asks for a line until there is one; the end of the input is a wish to leave.
fn ask(
    setup: &Setup,
    side: Side,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> io::Result<Wish> {
    let last = column_name(setup.size.columns() - 1);
    write!(out, "{}, column 1 to {last} (? for help): ", letter(side))?;
    out.flush()?;
    let Some(line) = read_line(input)? else {
        writeln!(out)?;
        return Ok(Wish::Leave);
    };
    let line = line.trim();
    let mut names = line.chars();
    let name = names.next();
    Ok(match (name, names.next()) {
        // Commands are letters that small boards have no column for; a column goes first.
        (Some(name), None) => match parse_column(&setup.size, name) {
            Some(column) => Wish::Column(column),
            None => match name {
                'u' => Wish::TakeBack,
                'h' => Wish::Scores,
                '?' => Wish::Help,
                'n' => Wish::Again,
                'q' => Wish::Leave,
                _ => Wish::Unclear(shown(line)),
            },
        },
        _ => match line {
            "undo" => Wish::TakeBack,
            "hint" => Wish::Scores,
            "help" => Wish::Help,
            "new" => Wish::Again,
            "quit" | "exit" => Wish::Leave,
            _ => Wish::Unclear(shown(line)),
        },
    })
}

/// What was typed, short and without control characters.
fn shown(line: &str) -> String {
    let short: String = line.chars().take(20).collect();
    let dots = if short.len() < line.len() { "..." } else { "" };
    format!("{}{dots}", short.escape_debug())
}

/// The next line, the end of a long one left out; none at the end of the input.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let mut rest_ended = bytes.ends_with(b"\n");
    while !rest_ended {
        let piece = input.fill_buf()?;
        let found = piece.iter().position(|&byte| byte == b'\n');
        rest_ended = found.is_some() || piece.is_empty();
        let used = found.map_or(piece.len(), |at| at + 1);
        input.consume(used);
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

fn scores(solver: &mut crate::solver::Solver, game: &Game, out: &mut impl Write) -> io::Result<()> {
    let size = *game.size();
    let control = Control::new(Deadline::unlimited(Instant::now()), None);
    let scores: Vec<_> = (0..size.columns())
        .map(|column| solver.score_of_move(game.position(), column, &control))
        .collect();
    write!(out, "{}", score_table(&size, game.position(), &scores))
}

#[cfg(test)]
mod tests;
