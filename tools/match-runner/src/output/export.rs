//! Games in the formats of other programs.
//!
//! Owns SGF and Piskvork's `.psq`. Must not know where records come from.
//!
//! Sources: SGF FF\[4\], game 4 (Gomoku and Renju), points as two letters from the upper left
//! corner; plastovicka/Piskvork `source/game.cpp`, `savePsq`: a header, `x,y,ms` from 1 a move,
//! the two names, the way it ended.

use std::fmt::Write as _;

use anyhow::{Context, Result};
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

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

/// One game as an SGF tree.
///
/// # Errors
/// See [`moves`].
pub fn sgf(game: &GameRecord) -> Result<String> {
    let (size, moves) = moves(game)?;
    let result = match (game.outcome, &game.end) {
        (Outcome::Draw, _) => "0",
        (Outcome::Black, End::OutOfTime { .. }) => "B+T",
        (Outcome::White, End::OutOfTime { .. }) => "W+T",
        (Outcome::Black, end) if end.is_abnormal() || *end == End::Forbidden => "B+F",
        (Outcome::White, end) if end.is_abnormal() || *end == End::Forbidden => "W+F",
        (Outcome::Black, _) => "B+",
        (Outcome::White, _) => "W+",
    };
    let rule = text::parse_rule(&game.rule.to_string()).map_err(anyhow::Error::msg)?;
    let mut tree = format!(
        "(;FF[4]GM[4]CA[UTF-8]AP[match-runner]SZ[{}]PB[{}]PW[{}]RU[{rule}]RE[{result}]GC[{}]",
        size.width(),
        escaped(&game.black),
        escaped(&game.white),
        escaped(&game.end.words()),
    );
    let given = moves.len() - game.moves.len();
    for (index, (square, _)) in moves.iter().enumerate() {
        let color = if index % 2 == 0 { 'B' } else { 'W' };
        let letter = |value: u8| char::from(b'a' + value);
        // Writing to a string cannot fail.
        let _ = write!(tree, "\n;{color}[{}{}]", letter(square.x()), letter(square.y()));
        if let Some(mv) = index.checked_sub(given).map(|index| &game.moves[index]) {
            let mut words = format!("{} ms", mv.ms);
            if let Some(depth) = mv.note.depth {
                let _ = write!(words, ", depth {depth}");
            }
            if let Some(eval) = &mv.note.eval {
                let _ = write!(words, ", eval {eval}");
            }
            let _ = write!(tree, "C[{}]", escaped(&words));
        }
    }
    tree.push_str(")\n");
    Ok(tree)
}

/// Text inside an SGF property.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// One game as a Piskvork file.
///
/// # Errors
/// See [`moves`].
pub fn psq(game: &GameRecord) -> Result<String> {
    let (size, moves) = moves(game)?;
    let mut file = format!("Piskvorky {size}, 11:11, 0\n");
    for (square, ms) in moves {
        let _ = writeln!(file, "{},{},{ms}", square.x() + 1, square.y() + 1);
    }
    // How it ended: the numbers of the Gomocup judge.
    let code = match game.end {
        End::Five | End::FullBoard | End::MoveLimit | End::Adjudicated => 0,
        End::Forbidden => 1,
        End::OutOfTime { .. } => 2,
        End::Illegal { .. } => 3,
        End::Crashed { .. } | End::OverLimit { .. } => 4,
    };
    let _ = write!(file, "{}\n{}\n{code}\n", game.black, game.white);
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::tests::game;

    #[test]
    fn a_game_becomes_sgf() {
        let mut record = game(0, 0, Outcome::White);
        record.black = "a]\\b".to_string();
        let tree = sgf(&record).unwrap();
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
        assert_eq!(psq(&record).unwrap(), expected);
    }

    #[test]
    fn a_bad_point_is_an_error() {
        let mut record = game(0, 0, Outcome::Black);
        record.opening = "z1".to_string();
        assert!(sgf(&record).is_err() && psq(&record).is_err());
    }
}
