//! Who has won, read from the stones.

use crate::board::Board;
use crate::types::color::Color;
use crate::types::direction::Direction;
use crate::types::rule::Rule;
use crate::types::square::Square;

/// The row that wins, if a stone that stands on the board belongs to one.
///
/// Fouls are not looked at: Black in renju has won here if the row is exactly five.
pub fn winning_row(rule: Rule, board: &Board, stone: Square) -> Option<Vec<Square>> {
    let color = board.color_at(stone)?;
    let mut longest: Option<Vec<Square>> = None;
    for direction in Direction::ALL {
        let (row, ends) = row_through(board, stone, color, direction);
        let closed = ends.iter().all(|&end| board.color_at(end) == Some(color.opponent()));
        let wins = match (rule, color) {
            (Rule::Freestyle, _) | (Rule::Renju, Color::White) => row.len() >= 5,
            (Rule::Standard, _) | (Rule::Renju, Color::Black) => row.len() == 5,
            (Rule::Caro, _) => row.len() > 5 || row.len() == 5 && !closed,
            (Rule::CaroExact, _) => row.len() == 5 && !closed,
        };
        if wins && longest.as_ref().is_none_or(|known| row.len() > known.len()) {
            longest = Some(row);
        }
    }
    longest
}

/// The unbroken row of a color through one of its stones, and the cells beyond its ends.
fn row_through(
    board: &Board,
    stone: Square,
    color: Color,
    direction: Direction,
) -> (Vec<Square>, [Square; 2]) {
    let delta = direction.delta();
    let mut first = stone;
    while board.color_at(first.offset(delta, -1)) == Some(color) {
        first = first.offset(delta, -1);
    }
    let mut row = vec![first];
    let mut next = first.offset(delta, 1);
    while board.color_at(next) == Some(color) {
        row.push(next);
        next = next.offset(delta, 1);
    }
    (row, [first.offset(delta, -1), next])
}
