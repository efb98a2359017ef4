//! What has been proven of a move: by the stones alone, or by a search.

use crate::engine::reason::shape::{Kind, Made, Shape, made};
use crate::engine::reason::{Claim, Foul, Way, foul_at};
use crate::pattern::Combined;
use crate::position::Position;
use crate::search::Line;
use crate::types::color::Color;
use crate::types::rule::Rule;
use crate::types::square::{Square, SquareSet};

/// The win that a move begins, if there is one.
pub(super) fn of(
    position: &mut Position,
    mv: Square,
    shapes: &[Made],
    line: Option<&Line>,
) -> Option<Claim> {
    let other = position.side_to_move().opponent();
    let kind = Kind::of(shapes);
    let (left, foul) = position.with_move(mv, |after| {
        let fives = count_fives(after, other);
        (fives, unstoppable(after).filter(|_| fives == 0))
    });
    if let (0, Some(kind @ (Kind::OpenFour | Kind::DoubleFour))) = (left, kind) {
        return Some(Claim::Wins { way: Way::Makes(kind), moves: 2 });
    }
    if let Some((square, foul)) = foul {
        return Some(Claim::Wins { way: Way::Foul(square, foul), moves: 2 });
    }
    let line = line.filter(|line| line.score.is_win())?;
    let moves = (line.score.distance()? + 1) / 2;
    let way = match kind {
        Some(kind) if moves <= 3 => Way::Makes(kind),
        _ if is_by_fours(position, &line.moves, moves) => Way::Fours,
        _ if is_by_threats(position, &line.moves) => Way::Threats,
        _ => Way::Force,
    };
    Some(Claim::Wins { way, moves })
}

fn count_fives(position: &Position, color: Color) -> usize {
    position.patterns().count(color, Combined::Five)
}

/// Where the side to move would have to stop a five and may not.
fn unstoppable(position: &mut Position) -> Option<(Square, Foul)> {
    if position.side_to_move() != Color::Black {
        return None;
    }
    let fives: SquareSet = *position.patterns().squares(Color::White, Combined::Five);
    let square = fives.first().filter(|_| fives.len() == 1)?;
    Some((square, foul_at(position, square)?))
}

/// Whether a line is nothing but fours with one reply each, and ends in a five or what cannot be
/// stopped, after so many own moves at most.
fn is_by_fours(position: &Position, line: &[Square], moves: i32) -> bool {
    let mut position = position.clone();
    let own = position.side_to_move();
    for (count, pair) in (1..).zip(line.chunks(2)) {
        let mv = pair[0];
        if !position.is_empty(mv) || position.is_forbidden(mv) {
            return false;
        }
        let shapes = made(&mut position, own, mv);
        if shapes.iter().any(|found| found.shape == Shape::Five) {
            return count <= moves;
        }
        position.play(mv);
        let fives: SquareSet = *position.patterns().squares(own, Combined::Five);
        if fives.is_empty() || count_fives(&position, own.opponent()) > 0 {
            return false;
        }
        let is_over = fives.len() > 1 || unstoppable(&mut position).is_some();
        match pair.get(1) {
            Some(&reply) if fives.len() == 1 && fives.contains(reply) => position.play(reply),
            _ => return is_over && count < moves && !is_caro(&position),
        }
    }
    false
}

/// Whether one stone may stop two fives.
fn is_caro(position: &Position) -> bool {
    matches!(position.rule(), Rule::Caro | Rule::CaroExact)
}

/// Whether each own move of a line makes a four, or threatens an open or a double four.
fn is_by_threats(position: &Position, line: &[Square]) -> bool {
    let mut position = position.clone();
    let own = position.side_to_move();
    let kinds = [Combined::Five, Combined::OpenFour, Combined::DoubleFour];
    for (count, &mv) in line.iter().enumerate() {
        if !position.is_empty(mv) {
            return false;
        }
        let is_five = position.makes_five(mv);
        position.play(mv);
        let threatens = kinds.iter().any(|&kind| position.patterns().count(own, kind) > 0);
        if count % 2 == 0 && !threatens && !is_five {
            return false;
        }
    }
    line.len() > 1
}
