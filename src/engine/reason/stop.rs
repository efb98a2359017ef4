//! What a move takes from the other side.

use crate::board::lines::LinePlace;
use crate::engine::reason::shape::{Kind, Shape, made};
use crate::engine::reason::{Claim, foul_at};
use crate::pattern::{Combined, LinePattern};
use crate::position::Position;
use crate::search::choices;
use crate::types::color::Color;
use crate::types::direction::Direction;
use crate::types::rule::Rule;
use crate::types::square::{Square, SquareSet};

/// The squares where a color makes five.
fn five_squares(position: &Position, color: Color) -> SquareSet {
    *position.patterns().squares(color, Combined::Five)
}

/// What becomes of the fives that the other side could make next.
pub(super) fn fives(position: &mut Position, mv: Square) -> Option<Claim> {
    let other = position.side_to_move().opponent();
    let before = five_squares(position, other);
    if before.is_empty() {
        return None;
    }
    if let Some(left) = position.with_move(mv, |after| five_squares(after, other).first()) {
        return Some(Claim::LeavesFive(left));
    }
    let mut directions: Vec<Direction> = Vec::new();
    for square in &before {
        for found in made(position, other, square) {
            if found.shape == Shape::Five && !directions.contains(&found.direction) {
                directions.push(found.direction);
            }
        }
    }
    let direction = directions.first().copied().filter(|_| directions.len() == 1);
    Some(Claim::StopsFive { direction })
}

/// Whether all other moves lose at once.
pub(super) fn only(position: &mut Position, mv: Square) -> Option<Claim> {
    let (own, other) = (position.side_to_move(), position.side_to_move().opponent());
    if !five_squares(position, own).is_empty() {
        return None;
    }
    let holding: SquareSet = if five_squares(position, other).is_empty() {
        let count = |kind| position.patterns().count(other, kind);
        if count(Combined::OpenFour) + count(Combined::DoubleFour) == 0 {
            return None;
        }
        choices(position)?
    } else {
        let empty = position.empty_squares();
        let stops = |square: &Square| {
            !position.is_forbidden(*square)
                && position.with_move(*square, |after| five_squares(after, other).is_empty())
        };
        empty.iter().filter(stops).collect()
    };
    (holding.len() == 1 && holding.contains(mv)).then_some(Claim::Only)
}

/// The directions in which the other side's open three on the line through the move is stopped.
pub(super) fn threes(position: &mut Position, mv: Square) -> Option<Claim> {
    let other = position.side_to_move().opponent();
    let mut stopped = Vec::new();
    for direction in Direction::ALL {
        if leads_to_open_four(position, other, mv, direction)
            && !position.with_move(mv, |after| leads_to_open_four(after, other, mv, direction))
        {
            stopped.push(direction);
        }
    }
    (!stopped.is_empty()).then_some(Claim::StopsThrees(stopped))
}

/// Whether a color can make an open four on the line through a square.
fn leads_to_open_four(
    position: &mut Position,
    color: Color,
    square: Square,
    direction: Direction,
) -> bool {
    let line_of = |square| LinePlace::of(direction, square).line;
    let here = line_of(square);
    position.empty_squares().iter().filter(|&at| line_of(at) == here).any(|at| {
        position.patterns().line(color, at, direction) == LinePattern::OpenFour
            && !(color == Color::Black && position.is_forbidden_to_black(at))
    })
}

/// What the other side would make on a square, if it may play there.
fn kind_for(position: &mut Position, other: Color, square: Square) -> Option<Kind> {
    if other == Color::Black && position.is_forbidden_to_black(square) {
        return None;
    }
    let shapes = made(position, other, square);
    Kind::of(&shapes).filter(|&kind| kind < Kind::OpenFour)
}

/// The strongest double threat of the other side that the move takes away: a square where it
/// would make two fours, a four-three or a double three. Fives and open fours have claims of
/// their own.
pub(super) fn points(position: &mut Position, mv: Square) -> Option<Claim> {
    let other = position.side_to_move().opponent();
    if let Some(kind) = kind_for(position, other, mv) {
        return Some(Claim::Takes(kind));
    }
    let kinds = [Combined::DoubleFour, Combined::FourThree, Combined::DoubleThree];
    for combined in kinds {
        let squares = *position.patterns().squares(other, combined);
        for square in squares.iter().filter(|&square| square != mv) {
            let Some(kind) = kind_for(position, other, square) else { continue };
            let after = position.with_move(mv, |after| {
                let left = made(after, other, square);
                (Kind::of(&left), other == Color::Black && after.is_forbidden_to_black(square))
            });
            if after.0.is_none_or(|left| left < kind) || after.1 {
                return Some(Claim::Stops(kind, square));
            }
        }
    }
    None
}

/// The most that White comes to threaten on a square where Black may not play.
pub(super) fn traps(position: &mut Position, mv: Square) -> Option<Claim> {
    if position.rule() != Rule::Renju || position.side_to_move() != Color::White {
        return None;
    }
    let threats = |position: &mut Position| -> Vec<(Kind, Square)> {
        let fouls = fouls(position);
        let mut kind = |square| Kind::of(&made(position, Color::White, square));
        fouls.iter().filter_map(|square| kind(square).map(|kind| (kind, square))).collect()
    };
    let before = threats(position);
    position.with_move(mv, |after| {
        let is_new = |&(kind, square): &(Kind, Square)| {
            !before.iter().any(|&(known, at)| at == square && known >= kind)
        };
        let (kind, square) = threats(after).into_iter().filter(is_new).max()?;
        Some(Claim::Traps(square, foul_at(after, square)?, kind))
    })
}

/// The squares where Black may not play.
fn fouls(position: &mut Position) -> SquareSet {
    let suspected = *position.patterns().squares(Color::Black, Combined::Forbidden);
    suspected.iter().filter(|&square| position.is_forbidden_to_black(square)).collect()
}
