//! Games in the formats of other programs.
//!
//! Owns what of the two kinds of record files goes into them; the formats are those of
//! [`manager::gamefile`]. Must not know command lines. Start at [`read`].

use std::path::Path;

use anyhow::{Context, Result};
use manager::gamefile::{Ending, Finish, GameFile, Move};
use manager::text;
use tengen::types::color::Color;
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

use super::files::{self, Contents};
use crate::record::{End, GameRecord, Outcome};

/// What is named as the program that wrote a game.
const PROGRAM: &str = "match-runner";

/// Reads a record file of either kind.
///
/// # Errors
/// When it cannot be read, or is neither.
pub fn read(path: &Path) -> Result<Contents<GameFile>> {
    files::read(path, of_record, of_data)
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

/// A game between engines.
///
/// # Errors
/// See [`moves`].
fn of_record(game: &GameRecord) -> Result<GameFile> {
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
    let winner = match game.outcome {
        Outcome::Black => Some(Color::Black),
        Outcome::White => Some(Color::White),
        Outcome::Draw => None,
    };
    let ending = match game.end {
        End::Five | End::FullBoard | End::MoveLimit | End::Adjudicated => Ending::Played,
        End::Forbidden => Ending::Forbidden,
        End::OutOfTime { .. } => Ending::OutOfTime,
        End::Illegal { .. } => Ending::Illegal,
        End::Crashed { .. } | End::OverLimit { .. } => Ending::Crashed,
    };
    Ok(GameFile {
        program: PROGRAM.to_string(),
        title: None,
        black: game.black.clone(),
        white: game.white.clone(),
        rule: text::parse_rule(&game.rule.to_string()).map_err(anyhow::Error::msg)?,
        size,
        moves: squares.into_iter().enumerate().map(told).collect(),
        finish: Some(Finish { winner, ending }),
        words: game.end.words(),
    })
}

/// A game for the tuners.
fn of_data(game: &records::Game) -> GameFile {
    let told = |mv: &records::Move| {
        let mut words = Vec::new();
        words.extend((mv.depth > 0).then(|| format!("depth {}", mv.depth)));
        words.extend(mv.score.map(|score| format!("eval {score}")));
        words.extend(
            mv.second.map(|(square, score)| format!("second {} {score}", text::point(square))),
        );
        Move { square: mv.square, ms: 0, words: words.join(", ") }
    };
    let ending = match game.end {
        records::End::Five | records::End::Full | records::End::Adjudicated => Ending::Played,
        records::End::Forbidden => Ending::Forbidden,
        records::End::OutOfTime => Ending::OutOfTime,
        records::End::Illegal => Ending::Illegal,
        records::End::Crashed => Ending::Crashed,
        records::End::Resigned => Ending::Resigned,
    };
    GameFile {
        program: PROGRAM.to_string(),
        title: Some(format!("game {}", game.number)),
        black: "Black".to_string(),
        white: "White".to_string(),
        rule: game.rule,
        size: game.size,
        moves: game.moves.iter().map(told).collect(),
        finish: Some(Finish { winner: game.winner, ending }),
        words: game.end.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use manager::gamefile::Format;
    use tengen::types::rule::Rule;

    use super::*;
    use crate::tally::tests::game;

    #[test]
    fn a_game_becomes_sgf() {
        let mut record = game(0, 0, Outcome::White);
        record.black = "a]\\b".to_string();
        let tree = of_record(&record).unwrap().write(Format::Sgf);
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
        assert_eq!(of_record(&record).unwrap().write(Format::Psq), expected);
    }

    #[test]
    fn a_bad_point_is_an_error() {
        let mut record = game(0, 0, Outcome::Black);
        record.opening = "z1".to_string();
        assert!(of_record(&record).is_err());
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
            of_data(&data).write(Format::Sgf),
            "(;FF[4]GM[4]CA[UTF-8]AP[match-runner]SZ[9:12]GN[game 17]PB[Black]PW[White]RU[renju]\
             RE[W+]GC[adjudicated]\n;B[ee]\n;W[fl]C[depth 9, eval -12, second a1 -20])\n"
        );
        assert_eq!(
            of_data(&data).write(Format::Psq),
            "Piskvorky 9x12, 11:11, 0\n5,5,0\n6,12,0\nBlack\nWhite\n0\n"
        );
        for (end, result, code) in [
            (records::End::Resigned, "RE[W+R]", "\n0\n"),
            (records::End::Forbidden, "RE[W+F]", "\n1\n"),
            (records::End::OutOfTime, "RE[W+T]", "\n2\n"),
        ] {
            data.end = end;
            let game = of_data(&data);
            assert!(
                game.write(Format::Sgf).contains(result) && game.write(Format::Psq).ends_with(code),
                "{end}"
            );
        }
    }
}
