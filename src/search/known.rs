//! What the table knows of a node, and when that is enough.
//!
//! Must not know how a node goes on when it is not.

use crate::base::score::{Bound, Score};
use crate::base::tt::Entry;
use crate::search::RuleKind;
use crate::search::params::table_slack;
use crate::search::shortcut::{self, Outlook};
use crate::search::worker::Worker;
use crate::types::square::Square;

/// Parts of a ply in the table's unit of depth.
pub(super) const TABLE_DEPTH: i32 = 4;

/// Most moves that a line goes on by the table.
const LONGEST_TAIL: usize = 24;

/// Whether a node that has to be searched so deep was, or nearly so.
fn is_deep(entry: Entry, depth: i32) -> bool {
    entry.depth * TABLE_DEPTH + table_slack() >= depth
}

/// What the table's entry says of a node, if that is deep enough to settle it.
pub(super) fn settle(entry: Option<Entry>, depth: i32, beta: Score, ply: i32) -> Option<Score> {
    let entry = entry?;
    let score = entry.score.from_node(ply);
    let is_deep = is_deep(entry, depth) || score.is_decided();
    (is_deep && entry.bound.settles(score, beta)).then_some(score)
}

impl Worker<'_> {
    /// What the table says by now of a node that is being searched.
    pub(super) fn settled(&self, key: u64, depth: i32, beta: Score, ply: i32) -> Option<Score> {
        settle(self.table.probe(key), depth, beta, ply)
    }

    /// What the table says of a node of the principal variation, if it knows the very value; the
    /// line goes on from there by what is forced and what the table knows.
    pub(super) fn exactly_known<R: RuleKind>(
        &mut self,
        entry: Option<Entry>,
        depth: i32,
        ply: i32,
    ) -> Option<Score> {
        let is_exact = |entry: &Entry| entry.bound == Bound::Exact;
        let entry = entry.filter(|entry| is_exact(entry) && is_deep(*entry, depth))?;
        let at = ply.unsigned_abs() as usize;
        let mut line = Vec::new();
        let mut next = Square::from_index(usize::from(entry.mv));
        while let Some(mv) = next
            && self.position.is_empty(mv)
            && !self.position.is_forbidden(mv)
            && line.len() < LONGEST_TAIL
        {
            line.push(mv);
            if self.position.makes_five(mv) {
                break;
            }
            self.position.play(mv);
            next = match shortcut::look::<R>(&mut self.position) {
                Outlook::Won(_, mv) | Outlook::Forced(mv) => Some(mv),
                Outlook::Lost(_) => None,
                Outlook::ForcedSet(_) | Outlook::Open => {
                    let known = self.table.probe(self.position.key()).filter(is_exact);
                    known.and_then(|entry| Square::from_index(usize::from(entry.mv)))
                }
            };
        }
        let is_over = line.last().is_some_and(|&mv| self.position.is_empty(mv));
        for _ in usize::from(is_over)..line.len() {
            self.position.undo();
        }
        self.pv.set_line(at, &line);
        Some(entry.score.from_node(ply))
    }
}
