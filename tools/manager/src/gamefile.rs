//! One game in the formats of other programs: SGF and Piskvork's `.psq`.
//!
//! Owns both formats, written and read. Must not know record files, command lines or how a game
//! was played. Start at [`GameFile::write`] and [`read`].
//!
//! What is read comes from anywhere. A file that is no game at all is an error; of a damaged or
//! strange one all is kept that makes sense, and [`Loaded::notes`] says what was left out.

use std::fmt;

use tengen::types::color::Color;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

use crate::referee::{Referee, Verdict};
use crate::text;

mod psq;
mod sgf;
#[cfg(test)]
mod tests;

/// Bytes of a file beyond which it cannot be one game.
pub const MOST_BYTES: u64 = 16 << 20;

/// A format games can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Smart Game Format: all games in one file.
    Sgf,
    /// Piskvork's saved game: one game a file.
    Psq,
}

/// How a game ended: the numbers of the Gomocup judge, but for the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the stones on the board, or by agreement.
    Played = 0,
    /// A foul under renju.
    Forbidden = 1,
    /// Too slow.
    OutOfTime = 2,
    /// No legal move.
    Illegal = 3,
    /// A process that ended.
    Crashed = 4,
    /// The judge knows no such end.
    Resigned = 5,
}

/// The result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finish {
    /// Who won; none when it was drawn.
    pub winner: Option<Color>,
    /// How.
    pub ending: Ending,
}

/// A move as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where the stone was put.
    pub square: Square,
    /// Milliseconds it took; 0 where that is not known.
    pub ms: u64,
    /// What was said about it; empty if nothing.
    pub words: String,
}

/// A game as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameFile {
    /// The program that writes it.
    pub program: String,
    /// Its own name, where the players have none.
    pub title: Option<String>,
    /// Name of the first mover.
    pub black: String,
    /// Name of the second mover.
    pub white: String,
    /// The rule; a Piskvork file does not hold it.
    pub rule: Rule,
    /// The board.
    pub size: BoardSize,
    /// The moves, Black's first.
    pub moves: Vec<Move>,
    /// The result; none while the game goes on.
    pub finish: Option<Finish>,
    /// How it ended, in words; empty if there is nothing to say.
    pub words: String,
}

impl GameFile {
    /// The game in a format.
    pub fn write(&self, format: Format) -> String {
        match format {
            Format::Sgf => sgf::write(self),
            Format::Psq => psq::write(self),
        }
    }
}

/// A game that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// The game.
    pub game: GameFile,
    /// What was not as it should be, a sentence each; empty for a sound file.
    pub notes: Vec<String>,
}

/// Why a file holds no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError(String);

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReadError {}

/// Reads a game of either format, which its first letters tell; what is not UTF-8 in names and
/// comments is replaced.
///
/// `rule` is taken where the file names none. The moves are played: what is no legal move, and
/// what comes after it or after the end of the game, is left out with a note.
///
/// # Errors
/// When it is of neither format, or its board is none of ours.
pub fn read(bytes: &[u8], rule: Rule) -> Result<Loaded, ReadError> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}');
    let mut notes = Vec::new();
    let mut game = if text.trim_start().starts_with("Piskvorky") {
        psq::read(text, rule, &mut notes)?
    } else if text.contains("(;") || text.trim_start().starts_with('(') {
        sgf::read(text, rule, &mut notes)?
    } else if text.trim().is_empty() {
        return Err(ReadError("the file is empty".to_string()));
    } else {
        return Err(ReadError(
            "neither an SGF file, which begins with '(;', nor a Piskvork file, which begins with \
             'Piskvorky'"
                .to_string(),
        ));
    };
    play_through(&mut game, &mut notes);
    Ok(Loaded { game, notes })
}

/// A piece of a file as it can be shown: short, and nothing in it that a terminal would act on.
fn shown(text: &str) -> String {
    let shown: String = text.chars().take(40).collect();
    shown.escape_debug().to_string()
}

/// Cuts the moves at the first one that cannot be played, and lets the board say how it ended.
fn play_through(game: &mut GameFile, notes: &mut Vec<String>) {
    let mut referee = Referee::new(game.size, game.rule);
    for (index, mv) in game.moves.iter().enumerate() {
        let number = index + 1;
        let point = text::point(mv.square);
        if referee.empty_square(mv.square.x().into(), mv.square.y().into()).is_none() {
            notes.push(format!("move {number}, {point}, is on another stone: cut off there"));
            game.moves.truncate(index);
            game.finish = None;
            return;
        }
        let mover = referee.side_to_move();
        let winner = match referee.play(mv.square) {
            Verdict::GoesOn => continue,
            Verdict::Five => Some(mover),
            Verdict::FullBoard => None,
            Verdict::Forbidden => Some(mover.opponent()),
        };
        let ending = match winner {
            Some(color) if color != mover => Ending::Forbidden,
            _ => Ending::Played,
        };
        game.finish = Some(Finish { winner, ending });
        let rest = game.moves.len() - number;
        if rest > 0 {
            notes.push(format!(
                "by the rule {} move {number}, {point}, ends the game: {rest} more cut off",
                game.rule
            ));
        }
        game.moves.truncate(number);
        return;
    }
}
