//! The squares that Black may not take in renju.
//!
//! A move of Black that makes an exact five is never a foul. Otherwise it is one if it makes six
//! or more in a row, two fours, or two threes that are real: a three is real if one more stone
//! makes a straight four of it, makes no five anywhere at the same time, and is itself no foul
//! by this same test with the first stone on the board (Rules of Renju of the Renju
//! International Federation, sections 3 and 9, as Gomocup's judge reads them).
//!
//! The patterns flag every square that can be a foul by the shapes of its lines; what is not
//! flagged is none. Fives, overlines and fours are settled by the flag alone, threes are looked
//! into here. The recursion ends because each level adds a stone.

use crate::board::Board;
use crate::board::lines::MAX_HALF;
use crate::pattern::state::PatternState;
use crate::pattern::{Combined, LinePattern};
use crate::types::color::Color;
use crate::types::direction::Direction;
use crate::types::square::Square;

/// Whether Black may not play on an empty square; only for patterns under the renju rule.
///
/// Whose turn it is does not matter. Board and patterns are the same afterwards.
pub fn is_forbidden(board: &mut Board, patterns: &mut PatternState, square: Square) -> bool {
    if patterns.combined(Color::Black, square) != Combined::Forbidden {
        return false;
    }
    let line = |direction| patterns.line(Color::Black, square, direction);
    if patterns.four_lines(Color::Black, square) >= 2
        || Direction::ALL.into_iter().any(|direction| line(direction) == LinePattern::Overline)
    {
        return true;
    }

    // Both sides pass where the turn demands it: two black stones in a row are put down.
    let turn_passed = board.side_to_move() == Color::White;
    if turn_passed {
        board.pass();
    }
    board.place(square, patterns);
    board.pass();
    let mut real_threes = 0;
    for direction in Direction::ALL {
        if patterns.line(Color::Black, square, direction).is_open_three()
            && is_real_three(board, patterns, square, direction)
        {
            real_threes += 1;
        }
    }
    board.remove(patterns);
    board.remove(patterns);
    if turn_passed {
        board.remove(patterns);
    }
    real_threes >= 2
}

/// Whether the three that a black stone just made in a direction can become a straight four by a
/// move that is allowed.
fn is_real_three(
    board: &mut Board,
    patterns: &mut PatternState,
    stone: Square,
    direction: Direction,
) -> bool {
    // A straight four has four cells, so its last stone is at most three away.
    let reach = MAX_HALF.cast_signed() - 2;
    for steps in (-reach..=reach).filter(|&steps| steps != 0) {
        let extension = stone.offset(direction.delta(), steps);
        if !board.is_empty(extension) {
            continue;
        }
        let pair = patterns.line_with(board, stone, direction, steps, Color::Black);
        if usize::from(pair & 15) == LinePattern::OpenFour as usize
            && patterns.combined(Color::Black, extension) != Combined::Five
            && !is_forbidden(board, patterns, extension)
        {
            return true;
        }
    }
    false
}
