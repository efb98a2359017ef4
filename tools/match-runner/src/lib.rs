//! Plays Gomoku and Renju engines against each other and says what the games prove.
//!
//! Modules stand in reading order, each uses those above it:
//!
//! | module | owns |
//! | --- | --- |
//! | [`text`] | points, rules and move lists as text |
//! | [`settings`] | what an engine and a game are given: command, limits, rule, manner |
//! | [`process`] | a child process: lines with their time of arrival, suspending, killing |
//! | [`brain`] | one partner of the protocol: send a position, get a move or a [`brain::Failure`] |
//! | [`referee`] | legality and end of a game, the same for both sides |
//! | [`opening`] | opening files and the eight symmetries |
//! | [`record`] | what a game leaves behind, and the file of them |
//! | [`game`] | one game between two brains |
//! | [`schedule`] | which games a run consists of |
//! | [`tally`] | games counted as wins, draws, losses and pairs |
//! | [`elo`], [`sprt`], [`ratings`] | pure statistics over those counts |
//! | [`output`] | tables, boards, exports, plots |
//! | [`run`] | workers, the record file, progress, stopping |
//! | [`check`] | conformance cases and who carries them out |
//! | [`stub`] | a brain that misbehaves on purpose |
//! | [`cli`] | command lines and what they mean |

#![allow(clippy::print_stderr, reason = "a tool's progress and complaints go to stderr")]

pub mod check;
pub mod cli;
pub mod elo;
pub mod game;
pub mod opening;
pub mod output;
pub mod ratings;
pub mod record;
pub mod run;
pub mod schedule;
pub mod sprt;
pub mod tally;
