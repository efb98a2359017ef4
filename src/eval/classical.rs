//! The classical evaluation: a weight per empty square and color, and one for the threats.
//!
//! The value is the sum over the empty squares of what the set of line patterns there is worth
//! to the side to move, less what it is worth to the other side, averaged over this ply and the
//! one before; and a term for the threats of both sides, which knows whose turn it is. (The form
//! of rapfi `eval/eval.cpp`. The average takes out the swing of the tempo: right after a move
//! its side always looks better.)

use crate::base::score::Score;
use crate::board::Board;
use crate::eval::Evaluator;
use crate::eval::weights::{RuleWeights, Threat};
use crate::pattern::state::PatternState;
use crate::pattern::{Combined, PatternObserver, PatternSet};
use crate::types::color::{ByColor, Color};
use crate::types::rule::Rule;
use crate::types::square::Square;

/// Sums of weights, kept per stone.
#[derive(Clone, Debug)]
pub struct Classical {
    weights: &'static RuleWeights,
    /// Per color the sum of its weights over the empty squares.
    sums: ByColor<i32>,
    /// What `sums` was before each stone.
    before: Vec<ByColor<i32>>,
}

impl Classical {
    /// The evaluation under a rule, not yet refreshed.
    pub fn new(rule: Rule) -> Classical {
        Classical {
            weights: RuleWeights::of(rule),
            sums: ByColor::default(),
            before: Vec::with_capacity(512),
        }
    }

    /// Per color the sum of its weights over the empty squares.
    pub fn sums(&self) -> ByColor<i32> {
        self.sums
    }
}

impl PatternObserver for Classical {
    #[inline(always)]
    fn on_change(&mut self, before: [PatternSet; 2], after: [PatternSet; 2]) {
        for color in Color::ALL {
            let value = |sets: [PatternSet; 2]| self.weights.value(color, sets[color.index()]);
            self.sums[color] += value(after) - value(before);
        }
    }

    #[inline(always)]
    fn on_occupied(&mut self, black: PatternSet, white: PatternSet) {
        self.sums[Color::Black] -= self.weights.value(Color::Black, black);
        self.sums[Color::White] -= self.weights.value(Color::White, white);
    }
}

impl Evaluator for Classical {
    fn refresh(&mut self, board: &Board, patterns: &PatternState) {
        self.before.clear();
        self.sums = ByColor::from_fn(|color| {
            let squares = board.empty().iter();
            squares.map(|square| self.weights.value(color, patterns.set(color, square))).sum()
        });
    }

    #[inline(always)]
    fn on_place(&mut self, _: Square, _: Color) {
        self.before.push(self.sums);
    }

    #[inline(always)]
    fn on_remove(&mut self) {
        if let Some(sums) = self.before.pop() {
            self.sums = sums;
        }
    }

    fn evaluate(&self, board: &Board, patterns: &PatternState) -> Score {
        let (own, other) = (board.side_to_move(), board.side_to_move().opponent());
        let lead = |sums: &ByColor<i32>| sums[own] - sums[other];
        let now = lead(&self.sums);
        let before = self.before.last().map_or(now, lead);
        let threats = self.weights.threats(own, threats(patterns, own));
        Score::eval(i32::midpoint(now, before) + threats)
    }
}

/// Which threats there are, one bit each, as the side to move sees them.
#[inline]
pub fn threats(patterns: &PatternState, own: Color) -> usize {
    let any = |color: Color, kinds: &[Combined]| {
        kinds.iter().any(|&combined| patterns.count(color, combined) > 0)
    };
    let mut mask = 0;
    for threat in Threat::ALL {
        let (is_own, kinds) = threat.meaning();
        let color = if is_own { own } else { own.opponent() };
        mask |= usize::from(any(color, kinds)) << threat as usize;
    }
    mask
}
