//! The search: from a position and limits to the best move and what it is worth.
//!
//! Owns the tree. Must not know stdin, stdout, words, or how long a move may take: it asks the
//! control whether it is past the deadline, and tells a handler what it finds. Read [`run`],
//! then `root`, `node`, `leaf`.

pub mod params;
pub mod stats;

mod correction;
mod defense;
mod even;
mod history;
mod known;
mod leaf;
mod node;
mod picker;
mod pool;
mod pv;
mod reductions;
mod root;
mod shortcut;
mod stack;
mod turns;
mod vcf;
mod vct;
mod worker;

#[cfg(test)]
mod tests;

use std::time::Duration;

use crate::base::control::Control;
use crate::base::limits::Limits;
use crate::base::score::Score;
use crate::base::tt::Table;
use crate::position::Position;
use crate::types::rule::Rule;
use crate::types::square::{Square, SquareSet};

/// What is to be searched, and how far.
#[derive(Clone, Debug)]
pub struct Task {
    /// The position; its side to move is to play.
    pub position: Position,
    /// Depth is kept to here; nodes and time are the control's business.
    pub limits: Limits,
    /// How many of the best moves are wanted, each with its line; at least 1.
    pub lines: usize,
    /// Moves that must not be played from this position.
    pub excluded: Vec<Square>,
    /// Threads, at least 1.
    pub threads: usize,
}

impl Task {
    /// The best move of a position, by one thread.
    pub const fn new(position: Position, limits: Limits) -> Task {
        Task { position, limits, lines: 1, excluded: Vec::new(), threads: 1 }
    }
}

/// A line of play and what it is worth to the side that begins it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The score of the first move.
    pub score: Score,
    /// The moves, the first one to be played now.
    pub moves: Vec<Square>,
}

/// What an iteration has found.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// Depth of the iteration.
    pub depth: i32,
    /// Deepest ply that was reached.
    pub selective_depth: i32,
    /// Which of the wanted lines this is, from 0.
    pub line_index: usize,
    /// How many lines there are.
    pub line_count: usize,
    /// The line.
    pub line: &'a Line,
    /// Nodes so far, all threads together.
    pub nodes: u64,
    /// Time so far.
    pub elapsed: Duration,
}

/// What happens to a move of the root, for those who draw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootEvent {
    /// An iteration begins.
    Refresh,
    /// The move is being searched.
    Begin(Square),
    /// The move has been searched.
    Done(Square),
    /// The move loses by force.
    Lost(Square),
    /// The move is the best so far.
    Best(Square),
}

/// Who hears of a search while it runs; called by the main search thread only.
pub trait SearchHandler {
    /// A line of an iteration is complete.
    fn report(&mut self, report: &Report<'_>);

    /// Something happened to a move of the root.
    fn root(&mut self, _event: RootEvent) {}
}

/// Nobody listens.
impl SearchHandler for () {
    fn report(&mut self, _: &Report<'_>) {}
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchResult {
    /// The best lines, best first; empty only if there is no square to play on.
    pub lines: Vec<Line>,
    /// The last iteration that was completed.
    pub depth: i32,
    /// Deepest ply that was reached.
    pub selective_depth: i32,
    /// Nodes, all threads together: squares that were played on, here and in threat searches.
    pub nodes: u64,
}

impl SearchResult {
    /// The move to play.
    pub fn best(&self) -> Option<Square> {
        self.lines.first().and_then(|line| line.moves.first()).copied()
    }

    /// What the move to play is worth.
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }
}

/// What a rule means to the search, as constants: one copy of the search for each kind.
trait RuleKind: Send + Sync + 'static {
    /// Black has forbidden squares.
    const FOULS: bool;
    /// A four can have two replies, and one reply can stop two fours.
    const CARO: bool;
}

/// Freestyle and standard.
struct Plain;
/// Renju.
struct Renju;
/// Both kinds of caro.
struct Caro;

impl RuleKind for Plain {
    const FOULS: bool = false;
    const CARO: bool = false;
}

impl RuleKind for Renju {
    const FOULS: bool = true;
    const CARO: bool = false;
}

impl RuleKind for Caro {
    const FOULS: bool = false;
    const CARO: bool = true;
}

/// Searches until a limit is reached, a win or loss is proven, or the control stops it.
///
/// The table must belong to games of this rule and board size only. The move found is legal and
/// not forbidden if any such move exists.
pub fn run(
    task: Task,
    table: &Table,
    control: &Control,
    handler: &mut dyn SearchHandler,
) -> SearchResult {
    match task.position.rule() {
        Rule::Freestyle | Rule::Standard => pool::run::<Plain>(task, table, control, handler),
        Rule::Renju => pool::run::<Renju>(task, table, control, handler),
        Rule::Caro | Rule::CaroExact => pool::run::<Caro>(task, table, control, handler),
    }
}

/// Searches for the move after which the position is worth `bias` to the side that makes it, as
/// nearly as can be; one line, one thread, else as [`run`].
///
/// Moves that make five are tried only if there are no others.
pub fn run_even(
    task: &Task,
    bias: i32,
    table: &Table,
    control: &Control,
    handler: &mut dyn SearchHandler,
) -> SearchResult {
    match task.position.rule() {
        Rule::Freestyle | Rule::Standard => even::run::<Plain>(task, bias, table, control, handler),
        Rule::Renju => even::run::<Renju>(task, bias, table, control, handler),
        Rule::Caro | Rule::CaroExact => even::run::<Caro>(task, bias, table, control, handler),
    }
}

/// The moves among which an ordinary node would choose, in no order; for tuners of that order.
///
/// None where there is no choice: the position is won or lost at sight, or the reply is forced.
/// Forbidden squares are not among them.
pub fn choices(position: &mut Position) -> Option<SquareSet> {
    match position.rule() {
        Rule::Freestyle | Rule::Standard => choices_of::<Plain>(position),
        Rule::Renju => choices_of::<Renju>(position),
        Rule::Caro | Rule::CaroExact => choices_of::<Caro>(position),
    }
}

fn choices_of<R: RuleKind>(position: &mut Position) -> Option<SquareSet> {
    if shortcut::look::<R>(position) != shortcut::Outlook::Open {
        return None;
    }
    let mut squares = if defense::is_threatened(position) {
        let mut squares = defense::against_open_four(position);
        defense::each_four::<R>(position, |square| squares.insert(square));
        squares
    } else {
        position.board().candidates()
    };
    if R::FOULS {
        for square in &squares.clone() {
            if position.is_forbidden(square) {
                squares.remove(square);
            }
        }
    }
    Some(squares)
}
