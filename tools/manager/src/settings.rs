//! What an engine and a game are given.
//!
//! Owns the values a run is described by, free of any command line. Must not know how they are
//! obtained or carried out.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;

/// Memory a brain may use when nothing else is said: the figure of Gomocup.
pub const GOMOCUP_MEMORY: u64 = 367_001_600;

/// What limits an engine's thinking; absent means no such limit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Milliseconds a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_ms: Option<u64>,
    /// Milliseconds a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_ms: Option<u64>,
    /// Nodes a move, told by `INFO max_node`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth of a search, told by `INFO max_depth`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// Threads, told by `INFO thread_num`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u64>,
    /// Bytes of memory, told by `INFO max_memory`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
}

impl Limits {
    /// These limits, and `other`'s where these say nothing.
    #[must_use]
    pub fn or(self, other: &Limits) -> Limits {
        Limits {
            turn_ms: self.turn_ms.or(other.turn_ms),
            match_ms: self.match_ms.or(other.match_ms),
            nodes: self.nodes.or(other.nodes),
            depth: self.depth.or(other.depth),
            threads: self.threads.or(other.threads),
            memory: self.memory.or(other.memory),
        }
    }
}

/// One engine of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSettings {
    /// Name in tables and records, unique in a run.
    pub name: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// Folder to start it in; absent means the runner's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// What limits its thinking.
    pub limits: Limits,
    /// Further INFO keys and values, sent as they stand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub info: Vec<(String, String)>,
}

/// Whose habits the runner follows towards a brain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Manner {
    /// OK is awaited; BEGIN, BOARD and TURN as the position asks.
    Plain,
    /// The Gomocup judge: nothing is awaited, the first request is BOARD, a brain is suspended
    /// while the other one thinks, its memory and folder are watched.
    Judge,
}

/// Settings all games of a run share.
#[derive(Clone, Debug)]
pub struct GameSettings {
    /// Who wins with what.
    pub rule: Rule,
    /// Board.
    pub size: BoardSize,
    /// How brains are driven.
    pub manner: Manner,
    /// A draw once so many stones are on the board.
    pub max_moves: Option<usize>,
    /// Whether a game ends when the side to move has a five.
    pub adjudicate: bool,
    /// What a move may take beyond its limit.
    pub tolerance: Duration,
    /// What START may take before a brain counts as hung.
    pub startup: Duration,
}
