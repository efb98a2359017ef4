//! The words of the game: colors, squares, sizes, directions, rules.
//!
//! Owns plain values and their arithmetic. Must not know any state of a game, what a rule
//! means, or any text beyond `x,y`.

pub mod color;
pub mod direction;
pub mod rule;
pub mod size;
pub mod square;
