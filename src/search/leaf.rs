//! The end of the tree: no quiet move is tried any more, only what is forced.

use crate::base::score::{MAX_PLY, Score, Window};
use crate::pattern::Combined;
use crate::search::RuleKind;
use crate::search::defense;
use crate::search::params::{lazy_margin, leaf_plain_nodes, leaf_vcf_nodes};
use crate::search::shortcut::{self, Outlook};
use crate::search::stats::{Stat, count};
use crate::search::worker::Worker;
use crate::types::square::Square;

impl Worker<'_> {
    /// The value of a position at the horizon.
    ///
    /// A win by fours within a small budget counts as such, a four of the other side is
    /// answered, and what is left is the static evaluation.
    pub(super) fn leaf<R: RuleKind>(&mut self, window: Window, ply: i32) -> Score {
        if self.count(1) {
            return Score::ZERO;
        }
        count(Stat::Leaf);
        self.pv.clear(ply.unsigned_abs() as usize);
        self.selective_depth = self.selective_depth.max(ply);
        if self.position.board().is_full() {
            return Score::ZERO;
        }
        match shortcut::look::<R>(&mut self.position) {
            Outlook::Won(plies, mv) => {
                self.pv.set_single(ply.unsigned_abs() as usize, mv);
                return Score::win_in(ply + plies);
            }
            Outlook::Lost(plies) => return Score::loss_in(ply + plies),
            Outlook::Forced(mv) if ply < MAX_PLY => return self.leaf_reply::<R>(mv, window, ply),
            Outlook::ForcedSet(replies) if ply < MAX_PLY => {
                let mut best = -Score::INFINITE;
                for mv in &replies {
                    let inner = Window::new(window.alpha.max(best), window.beta);
                    best = best.max(self.leaf_reply::<R>(mv, inner, ply));
                    if best >= window.beta || self.stopped {
                        break;
                    }
                }
                return best;
            }
            _ => {}
        }

        // Far outside of the window the estimate says as much as the evaluation.
        let margin = lazy_margin();
        let eval = self.position.evaluate_unless(|estimate| {
            estimate >= window.beta + margin || estimate + margin <= window.alpha
        });
        if eval >= window.beta {
            return eval;
        }
        let own = self.position.side_to_move();
        let has_four = defense::has_four::<R>(&self.position, own);
        let patterns = self.position.patterns();
        let has_potential = patterns.count(own, Combined::FourPlus) > 0
            || patterns.count(own, Combined::FourThree) > 0;
        let budget = if has_potential { leaf_vcf_nodes() } else { leaf_plain_nodes() };
        if has_four
            && budget > 0
            && let Some(win) = self.win_by_fours::<R>(budget, true)
        {
            self.pv.set_single(ply.unsigned_abs() as usize, win.mv);
            return Score::win_in(ply + win.plies);
        }
        if !has_four
            && defense::is_threatened(&self.position)
            && defense::against_open_four(&self.position).is_empty()
        {
            return Score::loss_in(ply + 4);
        }
        eval
    }

    /// Plays the reply to a four and looks on from there.
    fn leaf_reply<R: RuleKind>(&mut self, mv: Square, window: Window, ply: i32) -> Score {
        self.position.play(mv);
        let score = -self.leaf::<R>(window.flip(), ply + 1);
        self.position.undo();
        self.pv.set(ply.unsigned_abs() as usize, mv);
        score
    }
}
