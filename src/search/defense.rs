//! The squares that stop a threat: complete sets, so that all others are known to lose.
//!
//! A threat is a square T where the other side makes something. What it makes there depends on
//! the windows of the four lines through T and on nothing else, so the only stones that can
//! stop it stand on T or in those windows. Each of them is tried in the tables: the set is what
//! the tables say, not a list of shapes. Several threats are stopped by what stops each.

use crate::pattern::Combined;
use crate::position::Position;
use crate::search::RuleKind;
use crate::types::color::Color;
use crate::types::direction::Direction;
use crate::types::square::{Square, SquareSet};

/// The squares where a stone of the side to move leaves the other side less than `least` at
/// `threat`.
fn stopping(position: &Position, threat: Square, least: Combined) -> SquareSet {
    let defender = position.side_to_move();
    let attacker = defender.opponent();
    let patterns = position.patterns();
    let half = patterns.half().cast_signed();
    let mut set = SquareSet::EMPTY;
    set.insert(threat);
    for direction in Direction::ALL {
        for steps in (-half..=half).filter(|&steps| steps != 0) {
            let square = threat.offset(direction.delta(), steps);
            if !position.is_empty(square) {
                continue;
            }
            let pair = patterns.line_with(position.board(), threat, direction, steps, defender);
            if patterns.combined_with(attacker, threat, direction, pair) < least {
                set.insert(square);
            }
        }
    }
    set
}

/// What stops all squares where the other side makes one of `kinds`; `least` is the weakest.
fn stopping_all(position: &Position, kinds: &[Combined], least: Combined) -> SquareSet {
    let attacker = position.side_to_move().opponent();
    let mut all: Option<SquareSet> = None;
    for &kind in kinds {
        if position.patterns().count(attacker, kind) == 0 {
            continue;
        }
        for threat in position.patterns().squares(attacker, kind) {
            let set = stopping(position, threat, least);
            let joined = all.map_or(set, |all| all.and(&set));
            if joined.is_empty() {
                return joined;
            }
            all = Some(joined);
        }
    }
    all.unwrap_or(SquareSet::EMPTY)
}

/// What stops every five of the other side, which has at least one.
///
/// In caro that may be a square beside the five; elsewhere it is the five's own square.
pub(super) fn against_five(position: &Position) -> SquareSet {
    stopping_all(position, &[Combined::Five], Combined::Five)
}

/// What stops every open four and double four that the other side can make; the side to move
/// has no five to stop.
///
/// Whatever is not in the set and makes no four of its own loses in four plies: the other side
/// makes its four, one reply does not stop both fives. The set may hold a square too many where
/// a stone only makes the threat look like a foul.
pub(super) fn against_open_four(position: &Position) -> SquareSet {
    stopping_all(position, &[Combined::OpenFour, Combined::DoubleFour], Combined::DoubleFour)
}

/// What stops every four-three that the other side threatens; none when it threatens none. The
/// side to move has no five to stop, no open four or double four either.
///
/// Whatever is not in the set and makes no four of its own loses in six plies: the other side
/// plays the four, the reply makes no four, and the three becomes an open four. Not for caro,
/// where a four can have several replies, nor against Black under renju, whose open four may be
/// a foul.
pub(super) fn against_four_three(position: &Position) -> Option<SquareSet> {
    let attacker = position.side_to_move().opponent();
    if position.patterns().count(attacker, Combined::FourThree) == 0 {
        return None;
    }
    let mut all: Option<SquareSet> = None;
    for threat in position.patterns().squares(attacker, Combined::FourThree) {
        if let Some(made) = making_reply_four(position, threat) {
            let set = stopping(position, threat, Combined::FourThree).or(&made);
            all = Some(all.map_or(set, |all| all.and(&set)));
        }
    }
    all
}

/// The squares where a stone of the side to move would let its reply to the four at `threat` be
/// a four or a foul; none if it is one already.
fn making_reply_four(position: &Position, threat: Square) -> Option<SquareSet> {
    let defender = position.side_to_move();
    let attacker = defender.opponent();
    let patterns = position.patterns();
    let half = patterns.half().cast_signed();
    let aligned = |from: Square, direction: Direction| {
        let squares = (-half..=half).filter(|&steps| steps != 0);
        squares
            .map(move |steps| (from.offset(direction.delta(), steps), steps))
            .filter(|&(square, _)| position.is_empty(square))
    };
    let mut set = SquareSet::EMPTY;
    for direction in Direction::ALL {
        if !patterns.line(attacker, threat, direction).is_four() {
            continue;
        }
        for (five, steps) in aligned(threat, direction) {
            let pair = patterns.line_with(position.board(), five, direction, -steps, attacker);
            if patterns.combined_with(attacker, five, direction, pair) != Combined::Five {
                continue;
            }
            if patterns.combined(defender, five) >= Combined::Forbidden {
                return None;
            }
            for direction in Direction::ALL {
                for (square, steps) in aligned(five, direction) {
                    let pair =
                        patterns.line_with(position.board(), five, direction, steps, defender);
                    let made = patterns.combined_with(defender, five, direction, pair);
                    if made >= Combined::Forbidden {
                        set.insert(square);
                    }
                }
            }
        }
    }
    Some(set)
}

/// Whether the other side can make an open or double four.
#[inline]
pub(super) fn is_threatened(position: &Position) -> bool {
    let attacker = position.side_to_move().opponent();
    let count = |kind| position.patterns().count(attacker, kind);
    count(Combined::OpenFour) + count(Combined::DoubleFour) > 0
}

/// Calls `visit` with every square where the side to move makes a four, strongest kind first.
///
/// Under renju a square of Black's that looks like a foul counts if it makes a four and is none.
pub(super) fn each_four<R: RuleKind>(position: &mut Position, mut visit: impl FnMut(Square)) {
    let own = position.side_to_move();
    for kind in Combined::FOURS {
        if position.patterns().count(own, kind) > 0 {
            position.patterns().squares(own, kind).iter().for_each(&mut visit);
        }
    }
    if R::FOULS && own == Color::Black && position.patterns().count(own, Combined::Forbidden) > 0 {
        let flagged = *position.patterns().squares(own, Combined::Forbidden);
        for square in &flagged {
            if position.patterns().four_lines(own, square) > 0 && !position.is_forbidden(square) {
                visit(square);
            }
        }
    }
}

/// Whether a color can make a four anywhere; where a foul is only suspected it counts.
#[inline]
pub(super) fn has_four<R: RuleKind>(position: &Position, color: Color) -> bool {
    let patterns = position.patterns();
    Combined::FOURS.iter().any(|&kind| patterns.count(color, kind) > 0)
        || R::FOULS && color == Color::Black && patterns.count(color, Combined::Forbidden) > 0
}
