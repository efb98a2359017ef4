//! Games of version 1: fixed columns. Read for the data that exists; no writer makes them.
//!
//! ```text
//!   body of  0       1      kind: 1
//!   a game   1       8      number of the game in its run
//!            9       1      rule: 0 freestyle, 1 standard, 2 renju, 3 caro, 4 caro9
//!            10      1      width
//!            11      1      height
//!            12      1      winner: 0 nobody, 1 Black, 2 White
//!            13      1      end: the codes of `End`
//!            14      1      columns: bit 0 depths, bit 1 second best moves
//!            15      2      moves of the opening
//!            17      2      n, all moves
//!            19      3n     moves, each 24 bits:  23          9 8      0
//!                                                   score code   square
//!                    n      if bit 0: depths, one byte each, 0 unknown
//!                    3n     if bit 1: second best moves, 24 bits each as above
//!
//!   square   y * width + x; 511 is none, in the column of second best moves only
//!   score    0 none; otherwise 16,384 + s, s from -16,383 to 16,383:
//!            up to 15,000 either way an evaluation (larger ones are cut),
//!            16,383 - n a proven win in n plies, its negative a proven loss
//! ```

use tengen::base::score::Score;
use tengen::types::color::Color;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

use super::{FormatError, MAX_BODY, frame};
use crate::game::{End, Game, Move};

/// The kind of its frames.
pub(super) const KIND: u8 = 1;
/// Bytes of a game's body before its moves.
const GAME_HEADER: usize = 19;
/// Columns beside the moves.
const DEPTHS: u8 = 1;
const SECONDS: u8 = 2;
/// The square code of no square.
const NO_SQUARE: u32 = 511;
/// The code of score 0, and the largest score either way.
const SCORE_ZERO: i32 = 16_384;
const SCORE_LIMIT: i32 = 16_383;
/// The largest evaluation either way; beyond are the proven scores.
const EVAL_LIMIT: i32 = 15_000;

const _: () = assert!(GAME_HEADER + 7 * 22 * 22 <= MAX_BODY, "the longest game fits");

/// A game as a frame of version 1, by which data sets are told apart and readers are tested.
///
/// # Panics
/// When a move is off the board, or there are more moves than squares.
pub fn encode_game(game: &Game) -> Vec<u8> {
    let count = game.moves.len();
    assert!(count <= game.size.area(), "as many moves as squares at most");
    let short = |number: usize| u16::try_from(number).unwrap_or(u16::MAX).to_le_bytes();
    let has_depths = game.moves.iter().any(|mv| mv.depth != 0);
    let has_seconds = game.moves.iter().any(|mv| mv.second.is_some());
    let mut body = vec![KIND];
    body.extend(game.number.to_le_bytes());
    body.extend([
        game.rule as u8,
        game.size.width(),
        game.size.height(),
        game.winner.map_or(0, |color| color as u8 + 1),
        game.end as u8,
        if has_depths { DEPTHS } else { 0 } | if has_seconds { SECONDS } else { 0 },
    ]);
    body.extend(short(game.opening.min(count)));
    body.extend(short(count));
    for mv in &game.moves {
        body.extend(pack(square_code(game.size, mv.square), mv.score));
    }
    if has_depths {
        body.extend(game.moves.iter().map(|mv| mv.depth));
    }
    if has_seconds {
        for mv in &game.moves {
            body.extend(mv.second.map_or_else(
                || pack(NO_SQUARE, None),
                |(square, score)| pack(square_code(game.size, square), Some(score)),
            ));
        }
    }
    frame(&body)
}

/// Reads the body of a frame of this kind.
///
/// # Errors
/// [`FormatError`] for the first field that cannot be.
pub(super) fn decode_game(body: &[u8]) -> Result<Game, FormatError> {
    let Some((head, columns)) = body.split_first_chunk::<GAME_HEADER>() else {
        return Err(FormatError::Length(GAME_HEADER, body.len()));
    };
    let field = |name, code: u8| FormatError::Field(name, u64::from(code));
    let [_, number @ .., rule, width, height, winner, end, flags, o0, o1, n0, n1] = *head;
    let rule = *Rule::ALL.get(usize::from(rule)).ok_or(field("rule", rule))?;
    let size = BoardSize::try_new(i64::from(width), i64::from(height))
        .map_err(|_| field("size", width.max(height)))?;
    let winner = match winner {
        0 => None,
        1 => Some(Color::Black),
        2 => Some(Color::White),
        _ => return Err(field("winner", winner)),
    };
    let end = *End::ALL.get(usize::from(end)).ok_or(field("end", end))?;
    if flags & !(DEPTHS | SECONDS) != 0 {
        return Err(field("columns", flags));
    }
    let opening = usize::from(u16::from_le_bytes([o0, o1]));
    let count = usize::from(u16::from_le_bytes([n0, n1]));
    if count > size.area() {
        return Err(FormatError::Field("number of moves", count as u64));
    }
    if opening > count {
        return Err(FormatError::Field("length of the opening", opening as u64));
    }
    let has = |flag: u8| usize::from(flags & flag != 0);
    let expected = count * (3 + has(DEPTHS) + 3 * has(SECONDS));
    if columns.len() != expected {
        return Err(FormatError::Length(GAME_HEADER + expected, body.len()));
    }

    let (packed, columns) = columns.split_at(3 * count);
    let (depths, seconds) = columns.split_at(count * has(DEPTHS));
    let mut moves = Vec::with_capacity(count);
    let mut taken = [false; NO_SQUARE as usize + 1];
    for (at, triple) in packed.as_chunks::<3>().0.iter().enumerate() {
        let (code, score) = unpack(*triple)?;
        let square = square_of(size, code)?;
        if std::mem::replace(&mut taken[code as usize], true) {
            return Err(FormatError::Field("a second stone's square", u64::from(code)));
        }
        let second = match seconds.as_chunks::<3>().0.get(at) {
            Some(&triple) => match unpack(triple)? {
                (NO_SQUARE, _) => None,
                (code, score) => Some((square_of(size, code)?, score.unwrap_or_default())),
            },
            None => None,
        };
        moves.push(Move { square, score, depth: depths.get(at).copied().unwrap_or(0), second });
    }
    Ok(Game { number: u64::from_le_bytes(number), rule, size, opening, moves, winner, end })
}

fn square_code(size: BoardSize, square: Square) -> u32 {
    assert!(size.contains(i64::from(square.x()), i64::from(square.y())), "{square} on {size}");
    u32::from(square.y()) * u32::from(size.width()) + u32::from(square.x())
}

fn square_of(size: BoardSize, code: u32) -> Result<Square, FormatError> {
    let width = i64::from(size.width());
    let square = Square::on_board(size, i64::from(code) % width, i64::from(code) / width);
    square.ok_or(FormatError::Field("square", u64::from(code)))
}

/// A square and a score as 24 bits.
fn pack(square: u32, score: Option<Score>) -> [u8; 3] {
    let code = score.map_or(0, |score| {
        let short = match score.distance() {
            Some(plies) if score.is_win() => SCORE_LIMIT - plies,
            Some(plies) => -SCORE_LIMIT - plies,
            None => score.value().clamp(-EVAL_LIMIT, EVAL_LIMIT),
        };
        (SCORE_ZERO + short).unsigned_abs()
    });
    let [a, b, c, _] = (square | code << 9).to_le_bytes();
    [a, b, c]
}

fn unpack([a, b, c]: [u8; 3]) -> Result<(u32, Option<Score>), FormatError> {
    let bits = u32::from_le_bytes([a, b, c, 0]);
    let code = bits >> 9;
    if code == 0 {
        return Ok((bits & 511, None));
    }
    let short = i32::try_from(code).unwrap_or(0) - SCORE_ZERO;
    let score = if short > EVAL_LIMIT {
        Score::win_in(SCORE_LIMIT - short)
    } else if short < -EVAL_LIMIT {
        Score::loss_in(SCORE_LIMIT + short)
    } else {
        Score::eval(short)
    };
    // A distance that no score has would not be read as a proven one.
    if score.is_decided() != (short.abs() > EVAL_LIMIT) {
        return Err(FormatError::Field("score", u64::from(code)));
    }
    Ok((bits & 511, Some(score)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_squares_survive_packing() {
        let check = |score: Option<Score>, expected: Option<Score>| {
            for square in [0, 224, 483, NO_SQUARE] {
                assert_eq!(unpack(pack(square, score)), Ok((square, expected)), "{score:?}");
            }
        };
        check(None, None);
        for value in [-15_000, -201, -1, 0, 1, 12_345, 15_000] {
            check(Some(Score::eval(value)), Some(Score::eval(value)));
        }
        check(Some(Score::eval(20_000)), Some(Score::eval(15_000)));
        check(Some(Score::eval(-20_000)), Some(Score::eval(-15_000)));
        for plies in [0, 1, 5, 256, 500] {
            check(Some(Score::win_in(plies)), Some(Score::win_in(plies)));
            check(Some(Score::loss_in(plies)), Some(Score::loss_in(plies)));
        }
    }

    #[test]
    fn a_distance_of_no_score_is_refused() {
        let code = u32::try_from(SCORE_ZERO + EVAL_LIMIT + 1).unwrap();
        let [a, b, c, _] = (code << 9).to_le_bytes();
        assert_eq!(unpack([a, b, c]), Err(FormatError::Field("score", u64::from(code))));
    }
}
