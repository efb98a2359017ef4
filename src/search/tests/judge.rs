//! The judge of the tests below: what wins and what is forbidden, read from the stones alone.

use super::*;
use crate::board::Board;
use crate::rule::reference;
use crate::types::direction::Direction;

/// Whether a color wins by playing on an empty square, after a stone of the other side on
/// `reply`; read from the stones.
pub(super) fn wins_at(
    board: &Board,
    rule: Rule,
    color: Color,
    square: Square,
    reply: Option<Square>,
) -> bool {
    let at = |cell: Square| {
        if Some(cell) == reply { Some(color.opponent()) } else { board.color_at(cell) }
    };
    Direction::ALL.into_iter().any(|direction| {
        let delta = direction.delta();
        let (mut length, mut stopped_ends) = (1, 0);
        for sign in [-1, 1] {
            let mut cell = square.offset(delta, sign);
            while at(cell) == Some(color) {
                length += 1;
                cell = cell.offset(delta, sign);
            }
            stopped_ends += usize::from(at(cell) == Some(color.opponent()));
        }
        match (rule, color) {
            (Rule::Freestyle, _) | (Rule::Renju, Color::White) => length >= 5,
            (Rule::Standard, _) | (Rule::Renju, Color::Black) => length == 5,
            (Rule::Caro, _) => length > 5 || length == 5 && stopped_ends < 2,
            (Rule::CaroExact, _) => length == 5 && stopped_ends < 2,
        }
    })
}

/// The squares where a color wins at once.
pub(super) fn fives(position: &Position, color: Color) -> Vec<Square> {
    let (board, rule) = (position.board(), position.rule());
    board.empty().iter().filter(|&square| wins_at(board, rule, color, square, None)).collect()
}

/// Whether one of the fives of a color is still there after a stone of the other side, which
/// can stop fives and make none.
pub(super) fn stay(position: &Position, color: Color, fives: &[Square], reply: Square) -> bool {
    let (board, rule) = (position.board(), position.rule());
    fives.iter().any(|&five| five != reply && wins_at(board, rule, color, five, Some(reply)))
}

/// Whether Black may not play on an empty square, whoever is to move, by the letter of the
/// definition.
pub(super) fn is_foul(board: &Board, rule: Rule, square: Square) -> bool {
    rule == Rule::Renju && reference::is_forbidden(&mut board.clone(), square)
}

/// Every square that the side to move may play on.
pub(super) fn allowed(board: &Board, rule: Rule) -> Vec<Square> {
    let has_fouls = board.side_to_move() == Color::Black;
    let is_allowed = |square: &Square| !has_fouls || !is_foul(board, rule, *square);
    board.empty().iter().filter(is_allowed).collect()
}
