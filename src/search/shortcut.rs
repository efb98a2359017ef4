//! Wins and losses that the patterns show without a search.
//!
//! Every answer here is proven: what it says holds against all play. (The tests are those of
//! rapfi `game/wincheck.h` and of threat theory since Allis, "Go-Moku and threat-space search",
//! 1994.)

use crate::pattern::Combined;
use crate::position::Position;
use crate::search::{RuleKind, defense};
use crate::types::color::Color;
use crate::types::square::{Square, SquareSet};

/// What is plain to see for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outlook {
    /// It wins in so many plies, this move included, with this move, and no sooner; but White in
    /// renju may win in 3 where 5 are claimed, by a four whose only reply is forbidden.
    Won(i32, Square),
    /// It loses in so many plies whatever it does.
    Lost(i32),
    /// It must play here or lose at once.
    Forced(Square),
    /// It must play on one of these or lose at once; in caro only.
    ForcedSet(SquareSet),
    /// Nothing is decided.
    Open,
}

/// Looks at a position.
#[inline]
pub(super) fn look<R: RuleKind>(position: &mut Position) -> Outlook {
    let own = position.side_to_move();
    let other = own.opponent();
    if let Some(square) = first_of(position, own, Combined::Five) {
        return Outlook::Won(1, square);
    }

    let fives = position.patterns().count(other, Combined::Five);
    if fives > 0 {
        if R::CARO {
            let set = defense::against_five(position);
            return match set.len() {
                0 => Outlook::Lost(2),
                1 => set.first().map_or(Outlook::Lost(2), Outlook::Forced),
                _ => Outlook::ForcedSet(set),
            };
        }
        // Two squares complete a five each, and one stone takes only one of them.
        return match first_of(position, other, Combined::Five) {
            Some(square) if fives == 1 && !(R::FOULS && position.is_forbidden(square)) => {
                Outlook::Forced(square)
            }
            _ => Outlook::Lost(2),
        };
    }

    if let Some(square) = first_of(position, own, Combined::OpenFour)
        .or_else(|| first_of(position, own, Combined::DoubleFour))
    {
        return Outlook::Won(3, square);
    }

    // From here on the win rests on an open three, whose extension may be a foul for Black.
    if R::FOULS && own == Color::Black {
        return Outlook::Open;
    }
    if position.patterns().count(own, Combined::FourThree) > 0 {
        let squares = *position.patterns().squares(own, Combined::FourThree);
        let safe = !defense::has_four::<R>(position, other);
        for square in &squares {
            if safe || four_three_wins::<R>(position, square) {
                return Outlook::Won(5, square);
            }
        }
    }
    if position.patterns().count(own, Combined::DoubleThree) > 0
        && !defense::has_four::<R>(position, other)
        && let Some(square) = first_of(position, own, Combined::DoubleThree)
    {
        // One reply cannot stop both threes: they cross at the new stone only. Without a four
        // the other side has no time to do anything else.
        return Outlook::Won(5, square);
    }
    Outlook::Open
}

/// Whether a four-three wins although the other side can make fours: it does if no reply to the
/// four makes one. The three itself lies on another line than the replies and stays.
fn four_three_wins<R: RuleKind>(position: &mut Position, square: Square) -> bool {
    position.with_move(square, |after| {
        let replier = after.side_to_move();
        let makes_four = |reply: Square| {
            let combined = after.patterns().combined(replier, reply);
            combined >= Combined::Four
                || R::FOULS && replier == Color::Black && combined == Combined::Forbidden
        };
        if R::CARO {
            !defense::against_five(after).iter().any(makes_four)
        } else {
            !after.patterns().squares(replier.opponent(), Combined::Five).iter().any(makes_four)
        }
    })
}

/// The first square where a color makes this.
#[inline]
fn first_of(position: &Position, color: Color, combined: Combined) -> Option<Square> {
    if position.patterns().count(color, combined) == 0 {
        return None;
    }
    position.patterns().squares(color, combined).first()
}
