//! Tengen, a Gomoku and Renju engine, as a library.
//!
//! The program `pbrain-tengen` is a thin shell over this crate; tools use it directly. Modules
//! stand in reading order, each may use only those above it (`src/ARCHITECTURE.md` draws the
//! layers, `tidy.rs` holds them to it).

pub mod base;

pub mod types;

pub mod board;

pub mod pattern;

pub mod rule;

pub mod eval;

pub mod position;

pub mod search;

pub mod engine;

pub mod protocol;

pub mod bench;

#[cfg(test)]
mod testing;

#[cfg(test)]
mod tidy;
