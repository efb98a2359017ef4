//! What a position is worth to the side to move, while nothing is forced.
//!
//! Owns the evaluators and their weights. Must not know depth, windows, tables or threads;
//! integers only. An evaluator follows the pattern state: it hears of every change and keeps
//! what it needs to answer at once.

pub mod classical;
pub mod weights;

use crate::base::score::Score;
use crate::board::Board;
use crate::eval::classical::Classical;
use crate::pattern::state::PatternState;
use crate::pattern::{PatternObserver, PatternSet};
use crate::types::color::Color;
use crate::types::rule::Rule;
use crate::types::square::Square;

/// An evaluation that follows a position stone by stone.
///
/// A stone is announced by `on_place`, then come the changes of patterns it makes; `on_remove`
/// takes the last stone and all its changes back.
pub trait Evaluator: PatternObserver {
    /// Starts anew from what stands on the board.
    fn refresh(&mut self, board: &Board, patterns: &PatternState);
    /// A stone is about to be placed.
    fn on_place(&mut self, square: Square, color: Color);
    /// The last stone was removed.
    fn on_remove(&mut self);
    /// The value for the side to move.
    fn evaluate(&self, board: &Board, patterns: &PatternState) -> Score;
}

/// The evaluator in force: the one place where a kind of evaluation is chosen.
#[derive(Clone, Debug)]
pub enum ActiveEvaluator {
    /// Weights of line patterns.
    Classical(Classical),
}

impl ActiveEvaluator {
    /// The evaluator of a rule, not yet refreshed.
    pub fn new(rule: Rule) -> ActiveEvaluator {
        ActiveEvaluator::Classical(Classical::new(rule))
    }
}

impl PatternObserver for ActiveEvaluator {
    #[inline(always)]
    fn on_change(&mut self, before: [PatternSet; 2], after: [PatternSet; 2]) {
        let ActiveEvaluator::Classical(classical) = self;
        classical.on_change(before, after);
    }

    #[inline(always)]
    fn on_occupied(&mut self, black: PatternSet, white: PatternSet) {
        let ActiveEvaluator::Classical(classical) = self;
        classical.on_occupied(black, white);
    }
}

impl Evaluator for ActiveEvaluator {
    fn refresh(&mut self, board: &Board, patterns: &PatternState) {
        let ActiveEvaluator::Classical(classical) = self;
        classical.refresh(board, patterns);
    }

    #[inline(always)]
    fn on_place(&mut self, square: Square, color: Color) {
        let ActiveEvaluator::Classical(classical) = self;
        classical.on_place(square, color);
    }

    #[inline(always)]
    fn on_remove(&mut self) {
        let ActiveEvaluator::Classical(classical) = self;
        classical.on_remove();
    }

    #[inline]
    fn evaluate(&self, board: &Board, patterns: &PatternState) -> Score {
        let ActiveEvaluator::Classical(classical) = self;
        classical.evaluate(board, patterns)
    }
}
