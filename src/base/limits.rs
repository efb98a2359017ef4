//! What a search was asked to keep to.

use std::time::Duration;

/// The limits of one search; none of a kind means no limit of that kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Deepest iteration.
    pub depth: Option<i32>,
    /// Most nodes, all threads together.
    pub nodes: Option<u64>,
    /// Time for this move; zero means as fast as possible.
    pub turn: Option<Duration>,
    /// Time left for the rest of the game, this move included; zero when it is used up.
    pub left: Option<Duration>,
    /// Time that is added for every move, already contained in `left`.
    pub increment: Duration,
    /// Time of this move that was gone before it could be asked for.
    pub spent: Duration,
    /// Moves this side may still have to make, when known.
    pub moves_left: Option<u32>,
}
