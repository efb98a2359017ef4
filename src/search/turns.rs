//! The turns of a node: which move is next, and which waits because another thread is at it.
//!
//! Threads that share a table gain by it when they are not at the same positions at the same
//! time. So a move that another thread searches right now is put off until the others are done;
//! by then the table mostly knows it. With one thread nothing is ever put off.
//!
//! Source: simplified ABDADA, Tom Kerrigan, <http://www.tckerrigan.com/Chess/Parallel_Search>.

use crate::search::params::PLY;
use crate::search::picker::ScoredMove;
use crate::search::worker::Worker;
use crate::types::square::Square;

/// Depth from which it is worth asking what others do, in parts of a ply.
const MIN_DEPTH: i32 = 3 * PLY;

/// A move of a node, and its place among those that are tried, from 1.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    pub(super) candidate: ScoredMove,
    pub(super) number: usize,
    /// It was put off, and its turn has come.
    pub(super) is_late: bool,
}

/// How far a node is with its moves.
pub(super) struct Turns {
    /// Where the moves of the node begin in the worker's list.
    pub(super) start: usize,
    /// The first of them that had no turn yet.
    pub(super) next: usize,
    /// How many were tried or put off.
    pub(super) count: usize,
    /// All that follow in the list are left out.
    pub(super) is_over: bool,
    /// Where those that were put off begin in the worker's list of them.
    first_put_off: usize,
    /// The first of them that still waits.
    next_put_off: usize,
}

impl Turns {
    /// Nothing was tried; the lists of the worker end, and begin for this node, there.
    pub(super) fn new(start: usize, put_off: usize) -> Turns {
        let (first_put_off, next_put_off) = (put_off, put_off);
        Turns { start, next: start, count: 0, is_over: false, first_put_off, next_put_off }
    }
}

impl Worker<'_> {
    /// The next move in the order; after the last one those that were put off.
    #[inline]
    pub(super) fn next_turn(&mut self, turns: &mut Turns) -> Option<Turn> {
        if !turns.is_over
            && let Some(candidate) = self.pick(turns.next)
        {
            turns.next += 1;
            return Some(Turn { candidate, number: turns.count + 1, is_late: false });
        }
        let &(candidate, number) = self.put_off.get(turns.next_put_off)?;
        turns.next_put_off += 1;
        Some(Turn { candidate, number, is_late: true })
    }

    /// Puts a move off if another thread is at it.
    ///
    /// Never the first: there is nothing to do in the meantime, and the others need its value.
    pub(super) fn puts_off(&mut self, turn: Turn, depth: i32) -> bool {
        let Some(busy) = self.busy else { return false };
        let mv = turn.candidate.mv;
        let waits = turn.number > 1
            && depth >= MIN_DEPTH
            && busy.contains(self.position.board().key_after(mv));
        if waits {
            self.put_off.push((turn.candidate, turn.number));
        }
        waits
    }

    /// Tells the other threads that this one begins with a move; returns what it must tell them
    /// at its end.
    pub(super) fn begin_turn(&self, mv: Square, depth: i32) -> Option<u64> {
        let busy = self.busy.filter(|_| depth >= MIN_DEPTH)?;
        let key = self.position.board().key_after(mv);
        busy.begin(key);
        Some(key)
    }

    /// Tells the other threads that this one has ended with what it began.
    pub(super) fn end_turn(&self, begun: Option<u64>) {
        if let (Some(busy), Some(key)) = (self.busy, begun) {
            busy.end(key);
        }
    }

    /// Drops the moves of a node.
    pub(super) fn leave(&mut self, turns: &Turns) {
        self.moves.truncate(turns.start);
        self.put_off.truncate(turns.first_put_off);
    }
}
