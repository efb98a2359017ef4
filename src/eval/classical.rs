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
use crate::types::color::Color;
use crate::types::rule::Rule;
use crate::types::square::Square;

/// A sum of weights, kept per stone.
#[derive(Clone, Debug)]
pub struct Classical {
    weights: &'static RuleWeights,
    /// The sum of Black's weights over the empty squares less that of White's.
    lead: i32,
    /// What `lead` was before each stone.
    before: Vec<i32>,
}

impl Classical {
    /// The evaluation under a rule, not yet refreshed.
    pub fn new(rule: Rule) -> Classical {
        Classical { weights: RuleWeights::of(rule), lead: 0, before: Vec::with_capacity(512) }
    }

    /// The sum of Black's weights over the empty squares less that of White's.
    pub fn lead(&self) -> i32 {
        self.lead
    }

    /// What a square with these sets adds to the lead.
    #[inline(always)]
    fn value(&self, [black, white]: [PatternSet; 2]) -> i32 {
        self.weights.value(Color::Black, black) - self.weights.value(Color::White, white)
    }
}

impl PatternObserver for Classical {
    #[inline(always)]
    fn on_change(&mut self, before: [PatternSet; 2], after: [PatternSet; 2]) {
        self.lead += self.value(after) - self.value(before);
    }

    #[inline(always)]
    fn on_occupied(&mut self, black: PatternSet, white: PatternSet) {
        self.lead -= self.value([black, white]);
    }
}

impl Evaluator for Classical {
    fn refresh(&mut self, board: &Board, patterns: &PatternState) {
        self.before.clear();
        let sets = |square| Color::ALL.map(|color| patterns.set(color, square));
        self.lead = board.empty().iter().map(|square| self.value(sets(square))).sum();
    }

    #[inline(always)]
    fn on_place(&mut self, _: Square, _: Color) {
        self.before.push(self.lead);
    }

    #[inline(always)]
    fn on_remove(&mut self) {
        if let Some(lead) = self.before.pop() {
            self.lead = lead;
        }
    }

    fn evaluate(&self, board: &Board, patterns: &PatternState) -> Score {
        let own = board.side_to_move();
        let before = self.before.last().copied().unwrap_or(self.lead);
        let lead = i32::midpoint(self.lead, before);
        let threats = self.weights.threats(own, threats(patterns, own));
        Score::eval(if own == Color::Black { lead } else { -lead } + threats)
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
