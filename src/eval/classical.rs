//! The classical evaluation: a weight per empty square and color, and one for the threats.
//!
//! The value is the sum over the empty squares of what the set of line patterns there is worth
//! to the side to move, less what it is worth to the other side, averaged over this ply and the
//! one before; and a term for the threats of both sides, which knows whose turn it is. (The form
//! of rapfi `eval/eval.cpp`. The average takes out the swing of the tempo: right after a move
//! its side always looks better.)

use crate::board::Board;
use crate::eval::weights::{RuleWeights, Threat};
use crate::pattern::state::PatternState;
use crate::pattern::{Combined, PatternObserver, PatternSet};
use crate::types::color::Color;
use crate::types::rule::Rule;

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
    fn value_of(&self, [black, white]: [PatternSet; 2]) -> i32 {
        self.weights.value(Color::Black, black) - self.weights.value(Color::White, white)
    }
}

impl PatternObserver for Classical {
    #[inline(always)]
    fn on_change(&mut self, before: [PatternSet; 2], after: [PatternSet; 2]) {
        self.lead += self.value_of(after) - self.value_of(before);
    }

    #[inline(always)]
    fn on_occupied(&mut self, black: PatternSet, white: PatternSet) {
        self.lead -= self.value_of([black, white]);
    }
}

impl Classical {
    /// Starts anew from what stands on the board.
    pub fn refresh(&mut self, board: &Board, patterns: &PatternState) {
        self.before.clear();
        let sets = |square| Color::ALL.map(|color| patterns.set(color, square));
        self.lead = board.empty().iter().map(|square| self.value_of(sets(square))).sum();
    }

    /// A stone is about to be placed.
    #[inline(always)]
    pub fn on_place(&mut self) {
        self.before.push(self.lead);
    }

    /// The last stone was removed.
    #[inline(always)]
    pub fn on_remove(&mut self) {
        if let Some(lead) = self.before.pop() {
            self.lead = lead;
        }
    }

    /// The value for the side to move, where there are these [`threats`].
    #[inline(always)]
    pub fn value(&self, own: Color, mask: usize) -> i32 {
        let before = self.before.last().copied().unwrap_or(self.lead);
        let lead = i32::midpoint(self.lead, before);
        let threats = self.weights.threats(own, mask);
        if own == Color::Black { lead + threats } else { threats - lead }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;
    use crate::pattern::state::Follow;
    use crate::types::size::BoardSize;

    #[test]
    fn the_lead_equals_a_recomputation_after_every_stone_and_removal() {
        let mut rng = Rng::new(42);
        for rule in Rule::ALL {
            let mut board = Board::new(BoardSize::square(15));
            let mut patterns = PatternState::new(rule, &board);
            let mut kept = Classical::new(rule);
            kept.refresh(&board, &patterns);
            let check = |kept: &Classical, board: &Board, patterns: &PatternState| {
                let mut fresh = Classical::new(rule);
                fresh.refresh(board, patterns);
                assert_eq!(kept.lead(), fresh.lead(), "{rule}");
            };
            for _ in 0..80 {
                let candidates = board.candidates();
                let square = candidates.iter().nth(rng.below(candidates.len())).unwrap();
                kept.on_place();
                board.place(square, &mut Follow { patterns: &mut patterns, observer: &mut kept });
                check(&kept, &board, &patterns);
            }
            while board.step_count() > 0 {
                board.remove(&mut Follow { patterns: &mut patterns, observer: &mut kept });
                kept.on_remove();
                check(&kept, &board, &patterns);
            }
        }
    }
}
