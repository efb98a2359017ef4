//! A small network over line windows and sets of patterns.
//!
//! Owns what it sees, its shape, its file and its state; integers only, the same on every
//! processor. Must not know depth, windows of a search or threads. It adds to the classical
//! evaluation and its order of moves. Start with [`shape`].

pub mod features;
mod head;
pub mod shape;
mod simd;
pub mod state;
pub mod weights;

#[cfg(test)]
mod tests;
