//! Games in the formats of other programs.
//!
//! Owns SGF and Piskvork's `.psq`, and what of the two kinds of record files goes into them. Must
//! not know command lines. Start at [`read`].
//!
//! Sources: SGF FF\[4\], game 4 (Gomoku and Renju), points as two letters from the upper left
//! corner; plastovicka/Piskvork `source/game.cpp`, `savePsq`: a header, `x,y,ms` from 1 a move,
//! the two names, the way it ended.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};
use tengen::types::color::Color;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

use super::files::{self, Contents};
use crate::record::{End, GameRecord, Outcome};
use crate::text;

/// A format games can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ExportFormat {
    /// Smart Game Format: all games in one file.
    Sgf,
    /// Piskvork's saved game: one game a file.
    Psq,
}

/// How a game ended: the numbers of the Gomocup judge, but for the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Played = 0,
    Forbidden = 1,
    OutOfTime = 2,
    Illegal = 3,
    Crashed = 4,
    /// The judge knows no such end.
    Resigned = 5,
}

/// A move as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Move {
    square: Square,
    ms: u64,
    /// What was said about it; empty if nothing.
    words: String,
}

/// A game as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Its own name, where the players have none.
    title: Option<String>,
    black: String,
    white: String,
    rule: Rule,
    size: BoardSize,
    moves: Vec<Move>,
    outcome: Outcome,
    ending: Ending,
    /// How it ended, in words.
    words: String,
}

/// Reads a record file of either kind.
///
/// # Errors
/// When it cannot be read, or is neither.
pub fn read(path: &Path) -> Result<Contents<Exported>> {
    files::read(path, Exported::of_record, Exported::of_data)
}

/// All moves of a game, the opening's first, with the milliseconds each took.
///
/// # Errors
/// When the record holds a point that is off its board.
pub fn moves(game: &GameRecord) -> Result<(BoardSize, Vec<(Square, u64)>)> {
    let size = BoardSize::try_new(game.size.into(), game.size.into())?;
    let read = |text: &str| {
        text::parse_moves(text, size)
            .map_err(anyhow::Error::msg)
            .with_context(|| format!("game {}", game.key))
    };
    let mut moves: Vec<(Square, u64)> = read(&game.opening)?.into_iter().map(|s| (s, 0)).collect();
    for mv in &game.moves {
        moves.extend(read(&mv.point)?.into_iter().map(|square| (square, mv.ms)));
    }
    Ok((size, moves))
}

impl Exported {
    /// A game between engines.
    ///
    /// # Errors
    /// See [`moves`].
    fn of_record(game: &GameRecord) -> Result<Exported> {
        let (size, squares) = moves(game)?;
        let given = squares.len() - game.moves.len();
        let told = |(index, (square, ms)): (usize, (Square, u64))| {
            let mut words = Vec::new();
            if let Some(mv) = index.checked_sub(given).map(|index| &game.moves[index]) {
                words.push(format!("{} ms", mv.ms));
                words.extend(mv.note.depth.map(|depth| format!("depth {depth}")));
                words.extend(mv.note.eval.as_ref().map(|eval| format!("eval {eval}")));
            }
            Move { square, ms, words: words.join(", ") }
        };
        Ok(Exported {
            title: None,
            black: game.black.clone(),
            white: game.white.clone(),
            rule: text::parse_rule(&game.rule.to_string()).map_err(anyhow::Error::msg)?,
            size,
            moves: squares.into_iter().enumerate().map(told).collect(),
            outcome: game.outcome,
            ending: match game.end {
                End::Five | End::FullBoard | End::MoveLimit | End::Adjudicated => Ending::Played,
                End::Forbidden => Ending::Forbidden,
                End::OutOfTime { .. } => Ending::OutOfTime,
                End::Illegal { .. } => Ending::Illegal,
                End::Crashed { .. } | End::OverLimit { .. } => Ending::Crashed,
            },
            words: game.end.words(),
        })
    }

    /// A game for the tuners.
    fn of_data(game: &records::Game) -> Exported {
        let told = |mv: &records::Move| {
            let mut words = Vec::new();
            words.extend((mv.depth > 0).then(|| format!("depth {}", mv.depth)));
            words.extend(mv.score.map(|score| format!("eval {score}")));
            words.extend(
                mv.second.map(|(square, score)| format!("second {} {score}", text::point(square))),
            );
            Move { square: mv.square, ms: 0, words: words.join(", ") }
        };
        Exported {
            title: Some(format!("game {}", game.number)),
            black: "Black".to_string(),
            white: "White".to_string(),
            rule: game.rule,
            size: game.size,
            moves: game.moves.iter().map(told).collect(),
            outcome: match game.winner {
                Some(Color::Black) => Outcome::Black,
                Some(Color::White) => Outcome::White,
                None => Outcome::Draw,
            },
            ending: match game.end {
                records::End::Five | records::End::Full | records::End::Adjudicated => {
                    Ending::Played
                }
                records::End::Forbidden => Ending::Forbidden,
                records::End::OutOfTime => Ending::OutOfTime,
                records::End::Illegal => Ending::Illegal,
                records::End::Crashed => Ending::Crashed,
                records::End::Resigned => Ending::Resigned,
            },
            words: game.end.to_string(),
        }
    }

    /// The game in a format.
    pub fn write(&self, format: ExportFormat) -> String {
        match format {
            ExportFormat::Sgf => self.sgf(),
            ExportFormat::Psq => self.psq(),
        }
    }

    /// The game as an SGF tree.
    fn sgf(&self) -> String {
        let winner = match self.outcome {
            Outcome::Draw => "0",
            Outcome::Black => "B+",
            Outcome::White => "W+",
        };
        let manner = match self.ending {
            _ if self.outcome == Outcome::Draw => "",
            Ending::Played => "",
            Ending::OutOfTime => "T",
            Ending::Resigned => "R",
            Ending::Forbidden | Ending::Illegal | Ending::Crashed => "F",
        };
        let side = match (self.size.width(), self.size.height()) {
            (width, height) if width == height => width.to_string(),
            (width, height) => format!("{width}:{height}"),
        };
        let mut tree = format!("(;FF[4]GM[4]CA[UTF-8]AP[match-runner]SZ[{side}]");
        // Writing to a string cannot fail, here and below.
        if let Some(title) = &self.title {
            let _ = write!(tree, "GN[{}]", escaped(title));
        }
        let (black, white) = (escaped(&self.black), escaped(&self.white));
        let (rule, words) = (self.rule, escaped(&self.words));
        let _ = write!(tree, "PB[{black}]PW[{white}]RU[{rule}]RE[{winner}{manner}]GC[{words}]");
        for (index, mv) in self.moves.iter().enumerate() {
            let color = if index % 2 == 0 { 'B' } else { 'W' };
            let letter = |value: u8| char::from(b'a' + value);
            let (x, y) = (letter(mv.square.x()), letter(mv.square.y()));
            let _ = write!(tree, "\n;{color}[{x}{y}]");
            if !mv.words.is_empty() {
                let _ = write!(tree, "C[{}]", escaped(&mv.words));
            }
        }
        tree.push_str(")\n");
        tree
    }

    /// The game as a Piskvork file.
    fn psq(&self) -> String {
        let mut file = format!("Piskvorky {}, 11:11, 0\n", self.size);
        for mv in &self.moves {
            let (x, y) = (mv.square.x() + 1, mv.square.y() + 1);
            let _ = writeln!(file, "{x},{y},{}", mv.ms);
        }
        let code = match self.ending {
            Ending::Resigned => Ending::Played,
            ending => ending,
        };
        let _ = write!(file, "{}\n{}\n{}\n", self.black, self.white, code as u8);
        file
    }
}

/// Text inside an SGF property.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::tests::game;

    #[test]
    fn a_game_becomes_sgf() {
        let mut record = game(0, 0, Outcome::White);
        record.black = "a]\\b".to_string();
        let tree = Exported::of_record(&record).unwrap().sgf();
        assert_eq!(
            tree,
            "(;FF[4]GM[4]CA[UTF-8]AP[match-runner]SZ[15]PB[a\\]\\\\b]PW[b]RU[freestyle]RE[W+]\
             GC[five in a row]\n;B[hh]\n;W[ii]\n;B[gg]\n;W[aa]C[12 ms, depth 4])\n"
        );
    }

    #[test]
    fn a_game_becomes_a_piskvork_file() {
        let mut record = game(0, 0, Outcome::Black);
        record.end = End::OutOfTime { limit_ms: 1, over_ms: 2, answered: true };
        let expected = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n7,7,0\n1,1,12\na\nb\n2\n";
        assert_eq!(Exported::of_record(&record).unwrap().psq(), expected);
    }

    #[test]
    fn a_bad_point_is_an_error() {
        let mut record = game(0, 0, Outcome::Black);
        record.opening = "z1".to_string();
        assert!(Exported::of_record(&record).is_err());
    }

    #[test]
    fn a_game_for_the_tuners_is_written_with_its_scores() {
        use tengen::base::score::Score;
        let mut data = records::Game {
            number: 17,
            rule: Rule::Renju,
            size: BoardSize::try_new(9, 12).unwrap(),
            opening: 1,
            moves: vec![
                records::Move::plain(Square::new(4, 4)),
                records::Move {
                    score: Some(Score::eval(-12)),
                    depth: 9,
                    second: Some((Square::new(0, 0), Score::eval(-20))),
                    ..records::Move::plain(Square::new(5, 11))
                },
            ],
            winner: Some(Color::White),
            end: records::End::Adjudicated,
        };
        assert_eq!(
            Exported::of_data(&data).sgf(),
            "(;FF[4]GM[4]CA[UTF-8]AP[match-runner]SZ[9:12]GN[game 17]PB[Black]PW[White]RU[renju]\
             RE[W+]GC[adjudicated]\n;B[ee]\n;W[fl]C[depth 9, eval -12, second a1 -20])\n"
        );
        assert_eq!(
            Exported::of_data(&data).psq(),
            "Piskvorky 9x12, 11:11, 0\n5,5,0\n6,12,0\nBlack\nWhite\n0\n"
        );
        for (end, result, code) in [
            (records::End::Resigned, "RE[W+R]", "\n0\n"),
            (records::End::Forbidden, "RE[W+F]", "\n1\n"),
            (records::End::OutOfTime, "RE[W+T]", "\n2\n"),
        ] {
            data.end = end;
            let game = Exported::of_data(&data);
            assert!(game.sgf().contains(result) && game.psq().ends_with(code), "{end}");
        }
    }
}
