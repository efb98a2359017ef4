//! What any game's search is built on: scores, tables, clocks, stop flags, hashes, random
//! numbers.
//!
//! Owns nothing of a particular game. Must not know squares, colors or boards: connect four is
//! built on this module alone.

pub mod busy;
pub mod clock;
pub mod control;
pub mod fault;
pub mod hash;
pub mod limits;
pub mod params;
pub mod rng;
pub mod score;
pub mod tt;
