//! Values of a search: scores with the distance of a win in them, bounds, windows.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// Most plies a search can be deep, counted from its root.
pub const MAX_PLY: i32 = 256;

/// Score of a win on the spot; a win in `n` plies is `WIN - n`.
const WIN: i32 = 30_000;

/// Scores beyond this are proven wins, below its negative proven losses.
const DECIDED: i32 = WIN - 1_000;

/// A value from the side to move's point of view.
///
/// Units: the evaluation's own; beyond ±29,000 a proven win or loss and its distance in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

impl Score {
    /// A draw, or nobody ahead.
    pub const ZERO: Score = Score(0);
    /// Above every score that can occur.
    pub const INFINITE: Score = Score(WIN + 1);
    /// Largest score an evaluation may give; all beyond is proven.
    pub const EVAL_LIMIT: i32 = 20_000;

    /// An evaluation, clamped to what an evaluation may give.
    #[inline]
    pub const fn eval(value: i32) -> Score {
        if value > Self::EVAL_LIMIT {
            Score(Self::EVAL_LIMIT)
        } else if value < -Self::EVAL_LIMIT {
            Score(-Self::EVAL_LIMIT)
        } else {
            Score(value)
        }
    }

    /// A win that stands on the board `plies` from here.
    #[inline]
    pub const fn win_in(plies: i32) -> Score {
        Score(WIN - plies)
    }

    /// A loss that stands on the board `plies` from here.
    #[inline]
    pub const fn loss_in(plies: i32) -> Score {
        Score(plies - WIN)
    }

    /// The number itself.
    #[inline]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// A score from its number; for tables and windows.
    #[inline]
    pub const fn from_value(value: i32) -> Score {
        Score(value)
    }

    /// Whether this is a proven win.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 > DECIDED
    }

    /// Whether this is a proven loss.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 < -DECIDED
    }

    /// Whether this is a proven win or loss.
    #[inline]
    pub const fn is_decided(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Plies to the end: positive for a win, negative for a loss, none while undecided.
    pub const fn distance(self) -> Option<i32> {
        if self.is_win() {
            Some(WIN - self.0)
        } else if self.is_loss() {
            Some(-(WIN + self.0))
        } else {
            None
        }
    }

    /// Turns a distance counted from the root into one counted from a node `ply` plies down,
    /// the form in which a table must keep it: positions recur at other plies.
    #[inline]
    #[must_use]
    pub const fn to_node(self, ply: i32) -> Score {
        if self.is_win() {
            Score(self.0 + ply)
        } else if self.is_loss() {
            Score(self.0 - ply)
        } else {
            self
        }
    }

    /// The reverse of [`Score::to_node`].
    #[inline]
    #[must_use]
    pub const fn from_node(self, ply: i32) -> Score {
        if self.is_win() {
            Score(self.0 - ply)
        } else if self.is_loss() {
            Score(self.0 + ply)
        } else {
            self
        }
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;

    #[inline]
    fn add(self, margin: i32) -> Score {
        Score(self.0 + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Score;

    #[inline]
    fn sub(self, margin: i32) -> Score {
        Score(self.0 - margin)
    }
}

impl fmt::Display for Score {
    /// The number, or `+M9` for a win in nine plies and `-M4` for a loss in four.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.distance() {
            Some(plies) if self.is_win() => write!(f, "+M{plies}"),
            Some(plies) => write!(f, "-M{}", -plies),
            None => write!(f, "{}", self.0),
        }
    }
}

/// What a score found by a search says about the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Nothing.
    None = 0,
    /// The true value is at most the score.
    Upper = 1,
    /// The true value is at least the score.
    Lower = 2,
    /// The score is the true value.
    Exact = 3,
}

impl Bound {
    /// The bound with this code, of which the two low bits count.
    #[inline]
    pub const fn from_code(code: u64) -> Bound {
        match code & 3 {
            0 => Bound::None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        }
    }

    /// Whether the true value is known to be at least the score.
    #[inline]
    pub const fn is_lower(self) -> bool {
        matches!(self, Bound::Lower | Bound::Exact)
    }

    /// Whether the true value is known to be at most the score.
    #[inline]
    pub const fn is_upper(self) -> bool {
        matches!(self, Bound::Upper | Bound::Exact)
    }

    /// Whether a score with this bound settles a comparison with `beta`: it is at least `beta`
    /// for sure, or below it for sure.
    #[inline]
    pub fn settles(self, score: Score, beta: Score) -> bool {
        if score >= beta { self.is_lower() } else { self.is_upper() }
    }
}

/// An alpha-beta window: the scores that still matter, ends excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// At least this much is already had.
    pub alpha: Score,
    /// At this much or more the other side goes elsewhere.
    pub beta: Score,
}

impl Window {
    /// Every score matters.
    pub const FULL: Window =
        Window { alpha: Score::from_value(-WIN - 1), beta: Score::from_value(WIN + 1) };

    /// The window between two scores.
    #[inline]
    pub const fn new(alpha: Score, beta: Score) -> Window {
        Window { alpha, beta }
    }

    /// The empty window just above `alpha`, for asking "is it more than that?".
    #[inline]
    pub const fn null(alpha: Score) -> Window {
        Window { alpha, beta: Score(alpha.0 + 1) }
    }

    /// The same window as the other side sees it.
    #[inline]
    #[must_use]
    pub fn flip(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_plies() {
        assert_eq!(Score::win_in(5).distance(), Some(5));
        assert_eq!(Score::loss_in(4).distance(), Some(-4));
        assert_eq!((-Score::win_in(5)).distance(), Some(-5));
        assert_eq!(Score::eval(123_456).distance(), None);
        assert!(Score::win_in(3) > Score::win_in(5));
        assert!(Score::loss_in(2) < Score::loss_in(6));
    }

    #[test]
    fn table_form_does_not_depend_on_the_ply() {
        for ply in [0, 1, 17, 255] {
            let at_root = Score::win_in(ply + 7);
            assert_eq!(at_root.to_node(ply), Score::win_in(7));
            assert_eq!(at_root.to_node(ply).from_node(ply), at_root);
            assert_eq!((-at_root).to_node(ply), Score::loss_in(7));
            assert_eq!(Score::eval(99).to_node(ply), Score::eval(99));
        }
    }

    #[test]
    fn text_is_what_managers_read() {
        let text = |score: Score| score.to_string();
        assert_eq!(text(Score::win_in(9)), "+M9");
        assert_eq!(text(Score::loss_in(4)), "-M4");
        assert_eq!(text(Score::eval(-31)), "-31");
    }
}
