//! What a node leaves for the nodes below and beside it.

use crate::base::score::{MAX_PLY, Score};
use crate::types::square::Square;

/// One ply of the search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    /// Static evaluation, for the side to move there; none while a threat has to be answered.
    pub(super) eval: Option<Score>,
    /// The move that is left out while the others are searched.
    pub(super) excluded: Option<Square>,
    /// Moves that cut here lately.
    pub(super) killers: [Option<Square>; 2],
}

/// The frames of all plies, with some to spare at the end.
pub(super) fn new_stack() -> Vec<Frame> {
    vec![Frame::default(); MAX_PLY as usize + 8]
}
