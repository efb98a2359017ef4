//! Games of version 2: bits packed without gaps, at most three bytes a searched move.
//!
//! ```text
//!   body of  kind           8 bits: 2
//!   a game   number         7 bits and whether more follow, lowest first, 1 to 10 bytes
//!            rule           3 bits: 0 freestyle, 1 standard, 2 renju, 3 caro, 4 caro9
//!            winner         2 bits: 0 nobody, 1 Black, 2 White
//!            end            3 bits: the codes of `End`
//!            width, height  5 bits each, less 5
//!            n, all moves   as many bits as the number of squares needs
//!            opening        its moves: as many bits as n needs
//!            bare           1 bit: moves of the opening are squares only
//!            moves          see below
//!                           zeros to the end of the byte
//!
//!   a move   code           00      searched to the depth of the searched move before it
//!                           010     to one less
//!                           011     to one more
//!                           1ddddd  to depth d: 0 unknown .. 29, which is that or more
//!                           111110  a second best move is known: the true code follows
//!                           111111  not searched
//!            square         its place among the empty ones, the nearest to the last stone
//!                           first: up to 9 bits, of n squares 2^k - n one less than others
//!            score          9 bits, if searched
//!            second best    its square likewise, 9 bits of score: where it and that of the
//!                           move are evaluations the difference, which so is exact to 32
//! ```
//!
//! The first bit of a byte is its highest, the first of a number likewise. Scores are those of
//! `score.rs`. On the largest board a searched move has 6 + 9 + 9 bits, and 24 more with a
//! second best one; a move of a bare opening has 9, any other that was not searched 15.

use tengen::base::score::Score;
use tengen::types::color::Color;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;

use super::bits::{BitReader, BitWriter, bits_up_to};
use super::near::Near;
use super::{FormatError, MAX_BODY, frame, score};
use crate::game::{End, Game, Move};

/// The kind of its frames.
pub(super) const KIND: u8 = 2;
/// The largest depth; larger ones become it.
const MOST_DEPTH: u8 = 29;
/// Codes of six bits that are no depths.
const SECOND: u32 = 0b11_1110;
const NOT_SEARCHED: u32 = 0b11_1111;
/// A code of six bits with depth 0.
const DEPTH: u32 = 0b10_0000;
/// The smallest side, from which sides are counted.
const LEAST_SIDE: u8 = 5;

const _: () = assert!(24 + 22 * 22 * (24 + 24) / 8 <= MAX_BODY, "the longest game fits");

/// A game as a frame.
///
/// Depths, distances and evaluations are cut or rounded as the format says. A move without a
/// score keeps its square only; a second best move that is no empty square is left out.
///
/// # Panics
/// When a move is not on an empty square of the board.
pub fn encode_game(game: &Game) -> Vec<u8> {
    let count = u32::try_from(game.moves.len()).unwrap_or(u32::MAX);
    let opening = u32::try_from(game.opening).unwrap_or(u32::MAX).min(count);
    let is_bare = game.moves.iter().take(game.opening).all(|mv| mv.score.is_none());
    let mut body = vec![KIND];
    let mut number = game.number;
    loop {
        let [low, ..] = number.to_le_bytes();
        number >>= 7;
        body.push(low & 0x7f | if number > 0 { 0x80 } else { 0 });
        if number == 0 {
            break;
        }
    }
    let mut bits = BitWriter::after(body);
    bits.put(game.rule as u32, 3);
    bits.put(game.winner.map_or(0, |color| color as u32 + 1), 2);
    bits.put(game.end as u32, 3);
    bits.put(u32::from(game.size.width() - LEAST_SIDE), 5);
    bits.put(u32::from(game.size.height() - LEAST_SIDE), 5);
    bits.put(count, count_bits(game.size));
    bits.put(opening, bits_up_to(count));
    bits.put(u32::from(is_bare), 1);

    let mut near = Near::new(game.size);
    let mut depth = 0;
    for (index, mv) in game.moves.iter().enumerate() {
        if is_bare && index < game.opening {
            near.put(mv.square, &mut bits);
        } else {
            encode_move(mv, &near, &mut depth, &mut bits);
        }
        near.place(mv.square);
    }
    frame(&bits.into_bytes())
}

/// Bits of the number of moves.
fn count_bits(size: BoardSize) -> u32 {
    bits_up_to(u32::try_from(size.area()).unwrap_or(0))
}

/// A move; `last` is the depth of the searched one before it.
fn encode_move(mv: &Move, near: &Near, last: &mut u8, bits: &mut BitWriter) {
    let Some(score) = mv.score else {
        bits.put(NOT_SEARCHED, 6);
        near.put(mv.square, bits);
        return;
    };
    let second = mv.second.filter(|&(square, _)| near.is_empty(square));
    if second.is_some() {
        bits.put(SECOND, 6);
    }
    let depth = mv.depth.min(MOST_DEPTH);
    match i16::from(depth) - i16::from(*last) {
        0 => bits.put(0b00, 2),
        -1 => bits.put(0b010, 3),
        1 => bits.put(0b011, 3),
        _ => bits.put(DEPTH + u32::from(depth), 6),
    }
    *last = depth;
    near.put(mv.square, bits);
    bits.put(score::encode(score), score::BITS);
    if let Some((square, other)) = second {
        near.put(square, bits);
        let code = if score.is_decided() || other.is_decided() {
            score::encode(other)
        } else {
            score::encode_number(other.value() - score.value())
        };
        bits.put(code, score::BITS);
    }
}

/// Reads what follows the kind.
///
/// # Errors
/// [`FormatError`] for the first field that cannot be.
pub(super) fn decode_game(packed: &[u8]) -> Result<Game, FormatError> {
    let field = |name, code: u32| FormatError::Field(name, u64::from(code));
    let mut bits = BitReader::new(packed);
    let number = decode_number(&mut bits)?;
    let code = bits.take(3)?;
    let rule = *Rule::ALL.get(code as usize).ok_or(field("rule", code))?;
    let winner = match bits.take(2)? {
        0 => None,
        1 => Some(Color::Black),
        2 => Some(Color::White),
        code => return Err(field("winner", code)),
    };
    let code = bits.take(3)?;
    let end = *End::ALL.get(code as usize).ok_or(field("end", code))?;
    let least = u32::from(LEAST_SIDE);
    let [width, height] = [bits.take(5)? + least, bits.take(5)? + least];
    let size = BoardSize::try_new(width.into(), height.into())
        .map_err(|_| field("size", width.max(height)))?;
    let count = bits.take(count_bits(size))?;
    if count as usize > size.area() {
        return Err(field("number of moves", count));
    }
    let opening = bits.take(bits_up_to(count))?;
    if opening > count {
        return Err(field("length of the opening", opening));
    }
    let is_bare = bits.take(1)? == 1;

    let mut near = Near::new(size);
    let mut depth = 0;
    let mut moves = Vec::with_capacity(count as usize);
    for index in 0..count {
        let mv = if is_bare && index < opening {
            Move::plain(near.take(&mut bits)?)
        } else {
            decode_move(&near, &mut depth, &mut bits)?
        };
        near.place(mv.square);
        moves.push(mv);
    }
    bits.finish()?;
    Ok(Game { number, rule, size, opening: opening as usize, moves, winner, end })
}

fn decode_number(bits: &mut BitReader<'_>) -> Result<u64, FormatError> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = bits.take(8)?;
        let part = u64::from(byte & 0x7f);
        if part << shift >> shift != part {
            break;
        }
        number |= part << shift;
        if byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err(FormatError::Field("number of the game", u64::MAX))
}

fn decode_move(near: &Near, last: &mut u8, bits: &mut BitReader<'_>) -> Result<Move, FormatError> {
    let mut code = decode_code(bits)?;
    let has_second = code == SECOND;
    if has_second {
        code = decode_code(bits)?;
    }
    let wrong = FormatError::Field("depth", u64::from(code));
    let depth = match code {
        0b00 => Some(*last),
        0b010 => last.checked_sub(1),
        0b011 => Some(*last + 1),
        NOT_SEARCHED if !has_second => return Ok(Move::plain(near.take(bits)?)),
        _ => u8::try_from(code - DEPTH).ok(),
    };
    let depth = depth.filter(|&depth| depth <= MOST_DEPTH).ok_or(wrong)?;
    *last = depth;
    let square = near.take(bits)?;
    let score = score::decode(bits.take(score::BITS)?)?;
    let mut second = None;
    if has_second {
        let square = near.take(bits)?;
        let code = bits.take(score::BITS)?;
        let other = if score.is_decided() || !score::is_eval(code) {
            score::decode(code)?
        } else {
            Score::eval(score.value() + score::decode_number(code))
        };
        second = Some((square, other));
    }
    Ok(Move { square, score: Some(score), depth, second })
}

/// The code before a move: two, three or six bits.
fn decode_code(bits: &mut BitReader<'_>) -> Result<u32, FormatError> {
    let first = bits.take(2)?;
    match first {
        0b00 => Ok(first),
        0b01 => Ok(first << 1 | bits.take(1)?),
        _ => Ok(first << 4 | bits.take(4)?),
    }
}

#[cfg(test)]
mod tests;
