//! The manager's side of the protocol, for every tool that drives brains or shows their games.
//!
//! Modules stand in reading order, each uses those above it:
//!
//! | module | owns |
//! | --- | --- |
//! | [`output`] | the way to stdout |
//! | [`text`] | points, rules, sizes and move lists as text |
//! | [`settings`] | what an engine and a game are given: command, limits, rule, manner |
//! | [`command`] | engines on a command line, and where the engine is that is built beside a tool |
//! | [`process`] | a child process: lines with their time of arrival, suspending, killing |
//! | [`brain`] | one partner of the protocol: send a position, get a move or a [`brain::Failure`] |
//! | [`referee`] | legality and end of a game, the same for both sides |
//! | [`gamefile`] | one game as an SGF or a Piskvork file, written and read |
//! | [`picture`] | a board as an SVG picture |
//! | [`stub`] | a brain that misbehaves on purpose |

pub mod brain;
pub mod command;
pub mod gamefile;
pub mod output;
pub mod picture;
pub mod process;
pub mod referee;
pub mod settings;
pub mod stub;
pub mod text;
