//! What a position is worth to the side to move, while nothing is forced, and how promising its
//! moves look.
//!
//! Owns the evaluations and their weights. Must not know depth, windows, tables or threads;
//! integers only. The classical one follows the pattern state: it hears of every change and
//! keeps what it needs to answer at once. The network, where it is in force, adds to it, and
//! follows only when it is asked.

pub mod classical;
pub mod network;
pub mod weights;

use crate::base::score::Score;
use crate::board::Board;
use crate::eval::classical::Classical;
use crate::eval::network::shape;
use crate::eval::network::state::NetworkState;
use crate::eval::network::weights::RuleNetwork;
use crate::eval::weights::RuleWeights;
use crate::pattern::state::PatternState;
use crate::pattern::{PatternObserver, PatternSet};
use crate::types::color::Color;
use crate::types::rule::Rule;
use crate::types::square::Square;

/// The kinds of evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// Weights of line patterns alone.
    Classical,
    /// The network on top of them, for rules that have one.
    #[default]
    Network,
}

/// The score that is one unit of the logistic curve of the chance of a win.
///
pub fn chance_scale(kind: Evaluation, rule: Rule) -> i32 {
    let scale = i32::from(RuleWeights::of(rule).chance_scale());
    match kind {
        Evaluation::Network if RuleNetwork::of(rule).is_some() => shape::to_value(scale),
        _ => scale,
    }
}

/// The evaluation in force, following a position stone by stone: the one place where a kind is
/// chosen.
///
/// A stone is announced by `on_place`, then come the changes of patterns it makes; `on_remove`
/// takes the last stone and all its changes back.
#[derive(Clone, Debug)]
pub struct Evaluator {
    rule: Rule,
    kind: Evaluation,
    classical: Classical,
    network: Option<NetworkState>,
    weights: &'static RuleWeights,
}

impl Evaluator {
    /// The evaluation of a position under a rule.
    pub fn new(kind: Evaluation, rule: Rule, board: &Board, patterns: &PatternState) -> Evaluator {
        let mut classical = Classical::new(rule);
        classical.refresh(board, patterns);
        let network = match kind {
            Evaluation::Classical => None,
            Evaluation::Network => NetworkState::new(rule, board, patterns),
        };
        Evaluator { rule, kind, classical, network, weights: RuleWeights::of(rule) }
    }

    /// Which kind was asked for.
    pub fn kind(&self) -> Evaluation {
        self.kind
    }

    /// Starts anew from what stands on the board.
    pub fn refresh(&mut self, board: &Board, patterns: &PatternState) {
        *self = Evaluator::new(self.kind, self.rule, board, patterns);
    }

    /// A stone is about to be placed.
    #[inline(always)]
    pub fn on_place(&mut self) {
        self.classical.on_place();
    }

    /// The last stone was removed; so many steps of the board are left.
    #[inline(always)]
    pub fn on_remove(&mut self, board_steps: usize) {
        self.classical.on_remove();
        if let Some(network) = &mut self.network {
            network.on_remove(board_steps);
        }
    }

    /// The value for the side to move.
    #[inline]
    pub fn evaluate(&mut self, board: &Board, patterns: &PatternState) -> Score {
        self.evaluate_unless(board, patterns, |_| false)
    }

    /// The value for the side to move, or an estimate of it that costs little and is mostly
    /// near, where that is enough.
    #[inline]
    pub fn evaluate_unless(
        &mut self,
        board: &Board,
        patterns: &PatternState,
        is_enough: impl Fn(Score) -> bool,
    ) -> Score {
        let own = board.side_to_move();
        let mask = classical::threats(patterns, own);
        let value = self.classical.value(own, mask);
        let Some(network) = &mut self.network else {
            return Score::eval(value);
        };
        let estimate = Score::eval(network.estimate(own, value));
        if is_enough(estimate) {
            return estimate;
        }
        network.follow(board, patterns);
        let scale = i32::from(self.weights.chance_scale());
        Score::eval(network.value(own, mask, value, scale))
    }

    /// Makes ready for [`Evaluator::rank`].
    #[inline]
    pub fn follow(&mut self, board: &Board, patterns: &PatternState) {
        if let Some(network) = &mut self.network {
            network.follow(board, patterns);
        }
    }

    /// How promising a move of a side looks. No stone may have been placed or removed since
    /// [`Evaluator::follow`].
    #[inline(always)]
    pub fn rank(&self, mover: Color, square: Square, patterns: &PatternState) -> i32 {
        let own = patterns.set(mover, square);
        let other = patterns.set(mover.opponent(), square);
        let rank = self.weights.move_score(mover, own, other);
        match &self.network {
            None => rank,
            Some(network) => network.rank(mover, square, rank),
        }
    }
}

impl PatternObserver for Evaluator {
    #[inline(always)]
    fn on_change(&mut self, before: [PatternSet; 2], after: [PatternSet; 2]) {
        self.classical.on_change(before, after);
    }

    #[inline(always)]
    fn on_occupied(&mut self, black: PatternSet, white: PatternSet) {
        self.classical.on_occupied(black, white);
    }
}
