//! What a stone makes, in the words of players.
//!
//! Line patterns say it but for one thing: an open three of Black's in renju is none if the
//! move that makes it an open four is a foul.

use crate::pattern::LinePattern;
use crate::position::Position;
use crate::types::color::Color;
use crate::types::direction::Direction;
use crate::types::rule::Rule;
use crate::types::square::Square;

/// A shape on one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// One more stone makes an open four.
    OpenThree,
    /// One more stone makes five.
    Four,
    /// One more stone makes five, whatever single reply there was.
    OpenFour,
    /// Five, or what else wins.
    Five,
}

/// A shape and where it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// The shape.
    pub shape: Shape,
    /// The direction of its line.
    pub direction: Direction,
}

/// What is more than a four: shapes that one reply cannot stop all of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Two open threes.
    DoubleThree,
    /// A four and an open three.
    FourThree,
    /// Two fours.
    DoubleFour,
    /// An open four.
    OpenFour,
    /// Five.
    Five,
}

impl Kind {
    /// What some shapes are together.
    pub(super) fn of(shapes: &[Made]) -> Option<Kind> {
        let count = |shape| shapes.iter().filter(|made| made.shape == shape).count();
        let (fours, threes) = (count(Shape::Four), count(Shape::OpenThree));
        if count(Shape::Five) > 0 {
            Some(Kind::Five)
        } else if count(Shape::OpenFour) > 0 {
            Some(Kind::OpenFour)
        } else if fours > 1 {
            Some(Kind::DoubleFour)
        } else if fours == 1 && threes > 0 {
            Some(Kind::FourThree)
        } else if threes > 1 {
            Some(Kind::DoubleThree)
        } else {
            None
        }
    }
}

/// The shapes that a stone of a color on an empty square makes, whoever is to move.
pub(super) fn made(position: &mut Position, color: Color, square: Square) -> Vec<Made> {
    let mut all = Vec::new();
    for direction in Direction::ALL {
        let shape = match position.patterns().line(color, square, direction) {
            LinePattern::Five => Some(Shape::Five),
            LinePattern::OpenFour => Some(Shape::OpenFour),
            LinePattern::Four => Some(Shape::Four),
            LinePattern::OpenThree | LinePattern::OpenThreeWide => {
                is_real_three(position, color, square, direction).then_some(Shape::OpenThree)
            }
            _ => None,
        };
        all.extend(shape.map(|shape| Made { shape, direction }));
    }
    all.sort_by_key(|made| std::cmp::Reverse(made.shape));
    all
}

/// Whether an open three can become an open four by a move that is allowed.
fn is_real_three(
    position: &mut Position,
    color: Color,
    square: Square,
    direction: Direction,
) -> bool {
    if position.rule() != Rule::Renju || color != Color::Black {
        return true;
    }
    let extensions: Vec<Square> = (-4..=4)
        .filter(|&steps| steps != 0)
        .filter(|&steps| {
            let patterns = position.patterns();
            let pair = patterns.line_with(position.board(), square, direction, steps, color);
            position.is_empty(square.offset(direction.delta(), steps))
                && usize::from(pair & 15) == LinePattern::OpenFour as usize
        })
        .map(|steps| square.offset(direction.delta(), steps))
        .collect();
    with_stone(position, color, square, |after| {
        extensions.into_iter().any(|extension| !after.is_forbidden_to_black(extension))
    })
}

/// Does something with a stone of a color more on the board, whoever is to move.
fn with_stone<T>(
    position: &mut Position,
    color: Color,
    square: Square,
    action: impl FnOnce(&mut Position) -> T,
) -> T {
    let turn = position.side_to_move();
    position.set_side_to_move(color);
    let result = position.with_move(square, action);
    position.set_side_to_move(turn);
    result
}

/// The directions in which a stone makes an open two. Nothing is said of Black's in renju, where
/// fouls may be in the way two moves on.
pub(super) fn open_twos(position: &Position, color: Color, square: Square) -> Vec<Direction> {
    if position.rule() == Rule::Renju && color == Color::Black {
        return Vec::new();
    }
    let is_two =
        |direction: &Direction| position.patterns().line(color, square, *direction).is_open_two();
    Direction::ALL.into_iter().filter(is_two).collect()
}
