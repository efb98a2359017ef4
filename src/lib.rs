//! Tengen, a Gomoku and Renju engine, as a library.
//!
//! The program `pbrain-tengen` is a thin shell over this crate; tools use it directly. Modules
//! stand in reading order, each may use only those above it (`src/ARCHITECTURE.md` draws the
//! layers, `tidy.rs` holds them to it).

pub mod base;
pub mod bench;
pub mod board;
pub mod eval;
pub mod pattern;
pub mod position;
pub mod rule;
pub mod search;
pub mod types;

#[cfg(test)]
mod testing;
