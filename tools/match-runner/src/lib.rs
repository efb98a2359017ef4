//! Plays Gomoku and Renju engines against each other and says what the games prove.
//!
//! What drives a brain is in the library `manager`: processes, the protocol, the referee, stubs.
//! Modules stand in reading order, each uses those above it:
//!
//! | module | owns |
//! | --- | --- |
//! | [`opening`] | opening files and the eight symmetries |
//! | [`record`] | what a game leaves behind, and the file of them |
//! | [`game`] | one game between two brains |
//! | [`even`] | which openings a search finds even |
//! | [`schedule`] | which games a run consists of |
//! | [`tally`] | games counted as wins, draws, losses and pairs |
//! | [`lateness`] | how late the answers of games came |
//! | [`elo`], [`sprt`], [`ratings`] | pure statistics over those counts |
//! | [`output`] | tables, boards, exports, plots |
//! | [`run`] | workers, the record file, progress, stopping |
//! | [`check`] | conformance cases and who carries them out |
//! | [`cli`] | command lines and what they mean |

#![allow(clippy::print_stderr, reason = "a tool's progress and complaints go to stderr")]

pub mod check;
pub mod cli;
pub mod elo;
pub mod even;
pub mod game;
pub mod lateness;
pub mod opening;
pub mod output;
pub mod ratings;
pub mod record;
pub mod run;
pub mod schedule;
pub mod sprt;
pub mod tally;
