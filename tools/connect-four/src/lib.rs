//! Solves and plays connect four.
//!
//! Modules stand in reading order, each uses those above it. Of the engine only `tengen::base`
//! is used, the parts of a search that know no game; a test holds the crate to it.
//!
//! | module | owns |
//! | --- | --- |
//! | [`position`] | board sizes, stones as bits, legal moves, squares that win |
//! | [`text`] | lists of columns, drawings |
//! | [`usual`] | scores as they are usually given |
//! | [`book`] | positions of few stones with their scores, and making them |
//! | [`solver`] | exact scores, by search; `order` has the order of moves |
//! | [`level`] | players of limited strength |
//! | [`game`] | moves, taking back, the end |
//! | [`contest`] | matches between levels |
//! | [`mod@bench`] | the node signature |
//! | [`report`] | results in words |
//! | [`play`] | a game in the terminal, as lines or as a board |
//! | [`cli`] | command lines and what they mean |

pub mod bench;
pub mod book;
pub mod cli;
pub mod contest;
pub mod game;
pub mod level;
mod order;
pub mod play;
pub mod position;
pub mod report;
pub mod solver;
pub mod text;
pub mod usual;

#[cfg(test)]
mod tidy;
