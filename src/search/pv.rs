//! The principal variations of all plies of a search, as a triangle.

use crate::base::score::MAX_PLY;
use crate::types::square::Square;

/// Longest line that is kept.
const PLIES: usize = MAX_PLY as usize + 1;

/// Per ply the best line from there on.
#[derive(Clone, Debug)]
pub(super) struct PvTable {
    lines: Vec<Vec<Square>>,
}

impl PvTable {
    pub(super) fn new() -> PvTable {
        PvTable { lines: vec![Vec::new(); PLIES + 1] }
    }

    /// Nothing is known from this ply on.
    pub(super) fn clear(&mut self, ply: usize) {
        self.lines[ply.min(PLIES)].clear();
    }

    /// The line from this ply on is a move and what is best after it.
    pub(super) fn set(&mut self, ply: usize, mv: Square) {
        let ply = ply.min(PLIES - 1);
        let (here, after) = self.lines.split_at_mut(ply + 1);
        let line = &mut here[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&after[0]);
    }

    /// The line from this ply on is a move of which no reply is known.
    pub(super) fn set_single(&mut self, ply: usize, mv: Square) {
        let line = &mut self.lines[ply.min(PLIES)];
        line.clear();
        line.push(mv);
    }

    /// The line from this ply on is known otherwise.
    pub(super) fn set_line(&mut self, ply: usize, moves: &[Square]) {
        let line = &mut self.lines[ply.min(PLIES)];
        line.clear();
        line.extend_from_slice(moves);
    }

    /// The line from a ply on.
    pub(super) fn line(&self, ply: usize) -> &[Square] {
        &self.lines[ply.min(PLIES)]
    }
}
