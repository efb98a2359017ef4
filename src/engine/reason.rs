//! Why a move: what can be said of it and is true.
//!
//! Owns the claims and what each of them means. Must not know words or languages: the protocol
//! writes them down. Nothing is said that the stones, the patterns or a proven score do not
//! show; what a move was "meant" for nobody knows. Start reading at [`Claim`] and `of_move`;
//! `shape` says what a stone makes, `stop` what it takes from the other side, `win` what has
//! been proven.

mod shape;
mod stop;
mod win;

#[cfg(test)]
mod tests;

pub use crate::engine::reason::shape::{Kind, Made, Shape};

use crate::base::score::Score;
use crate::engine::decision::{Decision, Outcome};
use crate::engine::reason::shape::{made, open_twos};
use crate::pattern::LinePattern;
use crate::position::Position;
use crate::search::{Line, SearchResult};
use crate::types::color::Color;
use crate::types::direction::Direction;
use crate::types::rule::Rule;
use crate::types::square::Square;

/// Why Black may not play on a square in renju.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foul {
    /// Six or more in a row.
    Overline,
    /// Two fours.
    DoubleFour,
    /// Two open threes.
    DoubleThree,
}

/// How a win comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The move makes this, which is enough.
    Makes(Kind),
    /// The four cannot be stopped: the only square for that is a foul.
    Foul(Square, Foul),
    /// Every move of the line is a four, each of which has one reply.
    Fours,
    /// Every move of the line is a four or leads to an open four.
    Threats,
    /// A search has proven it.
    Force,
}

/// Something true about a move, seen from the position before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The move wins within so many own moves, itself included; in a game that goes on after a
    /// five, the five is what is won.
    Wins {
        /// How.
        way: Way,
        /// Own moves at most.
        moves: i32,
    },
    /// The other side wins within so many of its moves, whatever is played.
    Loses {
        /// Its moves at most.
        moves: i32,
    },
    /// The other side had a five to make next, and has none any more.
    StopsFive {
        /// The direction of that five, if there was just one.
        direction: Option<Direction>,
    },
    /// Of the fives that the other side can make next, this one is left.
    LeavesFive(Square),
    /// Whatever else is played, the other side makes a five or an unstoppable four next.
    Only,
    /// In each of these directions the other side could make an open four on the line through
    /// the move, and cannot any more.
    StopsThrees(Vec<Direction>),
    /// What the move makes: fives, fours, open threes.
    Makes(Vec<Made>),
    /// The other side would make this here.
    Takes(Kind),
    /// The other side would make this on that square, and would not any more.
    Stops(Kind, Square),
    /// Black may not play there, and White threatens to make this there, which it did not before.
    Traps(Square, Foul, Kind),
    /// A foul; the engine makes one only where no other square is left.
    Foul(Foul),
    /// The middle of the board.
    Center,
    /// One more stone in each of these directions makes an open three.
    OpenTwos(Vec<Direction>),
    /// In that direction five cells with the move hold so many own stones besides it and nothing
    /// else.
    Extends(Direction, u8),
    /// In that direction five cells with the move held so many stones of the other side and
    /// nothing else.
    Limits(Direction, u8),
    /// Three stones from the list of balanced ones.
    ListedPlacing,
    /// Two stones, for a position as even as a search can find.
    Evens,
    /// The other color, which the search prefers.
    Swaps,
}

/// Why the engine decided as it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The side that was to move.
    pub mover: Color,
    /// What is true of the decision, most important first.
    pub claims: Vec<Claim>,
    /// What a search thinks of it for the color the engine has then, where nothing is proven and
    /// the move was not forced.
    pub score: Option<Score>,
}

impl Reason {
    /// The reason for a decision in a position, from what was found about it.
    pub(crate) fn new(position: &Position, decision: Decision, outcome: &Outcome) -> Reason {
        let result = outcome.result.as_ref();
        let claims = match decision {
            Decision::Move(mv) => {
                of_move(position, mv, result.and_then(|result| result.lines.first()))
            }
            Decision::Two(..) => vec![Claim::Evens],
            Decision::Three(_) => vec![Claim::ListedPlacing],
            Decision::Swap => vec![Claim::Swaps],
        };
        // A forced reply is not searched, and its evaluation knows nothing of the threat.
        let is_forced = claims.iter().any(|claim| matches!(claim, Claim::StopsFive { .. }));
        let searched = result.filter(|result| result.depth > 0 && !is_forced);
        let found = searched.and_then(SearchResult::score).filter(|score| !score.is_decided());
        let score = match decision {
            Decision::Move(_) => found,
            // The search was made for the color that is given away.
            Decision::Swap => found.map(|score| -score),
            Decision::Two(..) | Decision::Three(_) => None,
        };
        Reason { mover: position.side_to_move(), claims, score }
    }
}

/// All that is said of a move of the side to move, most important first; `line` is what a search
/// found about it.
fn of_move(position: &Position, mv: Square, line: Option<&Line>) -> Vec<Claim> {
    let mut position = position.clone();
    let own = position.side_to_move();
    let line = line.filter(|line| line.moves.first() == Some(&mv));
    let foul = foul_at(&mut position, mv).filter(|_| own == Color::Black);
    if let Some(foul) = foul {
        return vec![Claim::Foul(foul)];
    }
    let shapes = made(&mut position, own, mv);
    let mut claims = Vec::new();
    if shapes.iter().any(|made| made.shape == Shape::Five) {
        return vec![Claim::Makes(shapes.into_iter().filter(|m| m.shape == Shape::Five).collect())];
    }
    let wins = win::of(&mut position, mv, &shapes, line);
    let is_won = wins.is_some();
    let is_kind = matches!(wins, Some(Claim::Wins { way: Way::Makes(_), .. }));
    claims.extend(wins);
    claims.extend(stop::fives(&mut position, mv));
    claims.extend(stop::only(&mut position, mv));
    if !is_won {
        claims.extend(stop::threes(&mut position, mv));
    }
    if !shapes.is_empty() && !is_kind {
        claims.push(Claim::Makes(shapes));
    }
    // What else a move that wins may stop is nobody's reason.
    if !is_won {
        claims.extend(stop::points(&mut position, mv));
        claims.extend(stop::traps(&mut position, mv));
    }
    if claims.is_empty() {
        claims = quiet(&position, mv);
    }
    if let Some(distance) = line.and_then(|line| line.score.distance()).filter(|&plies| plies < 0) {
        claims.push(Claim::Loses { moves: -distance / 2 });
    }
    claims
}

/// What can be said of a move that threatens nothing and stops no threat.
fn quiet(position: &Position, mv: Square) -> Vec<Claim> {
    let own = position.side_to_move();
    let mut claims = Vec::new();
    if is_center(position, mv) {
        claims.push(Claim::Center);
    }
    let twos = open_twos(position, own, mv);
    let best = |color: Color| {
        let all = Direction::ALL.into_iter().map(|direction| {
            (crowd(position, color, mv, direction), std::cmp::Reverse(direction.index()), direction)
        });
        all.max_by_key(|&(stones, order, _)| (stones, order))
    };
    let (extends, limits) = (best(own), best(own.opponent()));
    if !twos.is_empty() {
        claims.push(Claim::OpenTwos(twos));
    } else if let Some((stones @ 1.., _, direction)) = extends {
        claims.push(Claim::Extends(direction, stones));
    }
    let least = if claims.is_empty() { 1 } else { 2 };
    if let Some((stones, _, direction)) = limits.filter(|&(stones, ..)| stones >= least) {
        claims.push(Claim::Limits(direction, stones));
    }
    claims
}

/// The most stones of a color in five cells of a direction that hold an empty square and nothing
/// of the other side.
fn crowd(position: &Position, color: Color, square: Square, direction: Direction) -> u8 {
    let cell = |steps| square.offset(direction.delta(), steps);
    let fives = (-4..=0).map(|first| (first..first + 5).map(cell));
    let free = fives.filter(|five| {
        five.clone().all(|at| position.is_empty(at) || position.color_at(at) == Some(color))
    });
    let stones = free.map(|five| five.filter(|&at| position.color_at(at) == Some(color)).count());
    u8::try_from(stones.max().unwrap_or(0)).unwrap_or(0)
}

/// Whether a square is in the middle of the board; where a side is even, two are.
fn is_center(position: &Position, square: Square) -> bool {
    let is_middle =
        |at: u8, side: u8| at == side / 2 || side.is_multiple_of(2) && at + 1 == side / 2;
    let size = position.size();
    is_middle(square.x(), size.width()) && is_middle(square.y(), size.height())
}

/// Why Black may not play on an empty square, if that is so.
fn foul_at(position: &mut Position, square: Square) -> Option<Foul> {
    if position.rule() != Rule::Renju || !position.is_forbidden_to_black(square) {
        return None;
    }
    let is_black = |at: Square| position.color_at(at) == Some(Color::Black);
    let longest = Direction::ALL.into_iter().map(|direction| {
        let run = |sign: isize| {
            let at = move |steps| square.offset(direction.delta(), sign * steps);
            (1..=5).take_while(move |&steps| is_black(at(steps)))
        };
        1 + run(1).count() + run(-1).count()
    });
    if longest.max() > Some(5) {
        return Some(Foul::Overline);
    }
    let patterns = position.patterns();
    let is_in_line =
        |direction| patterns.line(Color::Black, square, direction) == LinePattern::Overline;
    if patterns.four_lines(Color::Black, square) >= 2 || Direction::ALL.into_iter().any(is_in_line)
    {
        return Some(Foul::DoubleFour);
    }
    Some(Foul::DoubleThree)
}
