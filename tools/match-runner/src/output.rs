//! Results for people and for other programs.
//!
//! Owns how things look. Must not know how games are played.

pub mod table;
