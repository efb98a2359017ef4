//! The moves of a node, best first.
//!
//! All nodes share one list: a node pushes its moves at the end and cuts them off again when it
//! leaves. The best of what is left is looked up each time: most nodes need only a few. Equal
//! scores go by square, so the order is the same on every machine.

use crate::search::params::{continuation_order, counter_bonus, history_weight, killer_bonus};
use crate::search::worker::Worker;
use crate::types::square::{Square, SquareSet};

/// A move with its place in the order.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove {
    pub(super) mv: Square,
    pub(super) score: i32,
}

/// Score of the table's move: before everything else.
const TABLE_SCORE: i32 = 1 << 20;

impl Worker<'_> {
    /// Pushes moves with their scores; returns the highest, the table's move left out.
    pub(super) fn push_scored(
        &mut self,
        squares: &SquareSet,
        table_move: Option<Square>,
        ply: usize,
    ) -> i32 {
        let color = self.position.side_to_move();
        let killers = self.stack[ply].killers;
        let last = self.position.board().last_move();
        let before_last = self.position.board().move_before(1);
        let counter = self.history.counter(color, last);
        self.position.prepare_ranks();
        let mut top = i32::MIN / 2;
        for mv in squares {
            let mut score = self.position.rank(mv) * 16;
            score += self.history.get(color, mv) * history_weight() / 16;
            let continued = self.history.continued(color, mv, last, before_last);
            score += continued * continuation_order() / 16;
            if killers.contains(&Some(mv)) {
                score += killer_bonus() * 16;
            }
            if counter == Some(mv) {
                score += counter_bonus() * 16;
            }
            top = top.max(score);
            if table_move == Some(mv) {
                score = TABLE_SCORE;
            }
            self.moves.push(ScoredMove { mv, score });
        }
        top
    }

    /// Brings the best of the moves from `at` on to `at`, and returns it.
    pub(super) fn pick(&mut self, at: usize) -> Option<ScoredMove> {
        let mut best = at;
        let mut best_score = self.moves.get(at)?.score;
        for (index, candidate) in self.moves.iter().enumerate().skip(at + 1) {
            if candidate.score > best_score {
                best = index;
                best_score = candidate.score;
            }
        }
        self.moves.swap(at, best);
        self.moves.get(at).copied()
    }
}
