//! A board in the terminal: play Gomoku and Renju with any engine, watch, analyze.
//!
//! Modules stand in reading order, each uses those above it:
//!
//! | module | owns |
//! | --- | --- |
//! | [`chance`] | scores as the chance of a win |
//! | [`thought`] | what an engine says while it thinks |
//! | [`game`] | the moves, undo and redo, the end |
//! | [`players`] | who plays whom, by what rules, how strong |
//! | [`worker`] | an engine's process and the thread that talks to it |
//! | [`analysis`] | what the moves were worth |
//! | [`report`], [`curve`] | that in words and as a picture |
//! | [`dialog`] | questions to the person |
//! | [`app`] | the state, and what happens |
//! | [`view`] | the screen |
//! | [`terminal`] | the loop between input, state and screen |
//! | [`cli`] | command lines and what they mean |

#![allow(clippy::print_stderr, reason = "a tool's progress and complaints go to stderr")]

pub mod analysis;
pub mod app;
pub mod chance;
pub mod cli;
pub mod curve;
pub mod dialog;
pub mod game;
pub mod players;
pub mod report;
pub mod terminal;
pub mod thought;
pub mod view;
pub mod worker;
