//! From a question to a decision: the work a search thread is given and what comes back.
//!
//! Owns the job that runs on a thread of its own, and the last resort when it fails: a weak
//! move loses less than a dead process. Must not know how decisions are written, nor what time
//! it is. Start reading at [`Job::run`].

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::base::control::Control;
use crate::base::fault::{self, Faults, Place};
use crate::base::tt::Table;
use crate::engine::level::{self, Handicap};
use crate::engine::opening;
use crate::position::Position;
use crate::search::{self, Line, Report, RootEvent, SearchHandler, SearchResult, Task};
use crate::types::square::Square;

/// What the engine can be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// A move for the side to move of the game, from a search with this many lines.
    Move {
        /// How many best moves to search and report.
        lines: usize,
    },
    /// The next step of a swap2 opening with these stones, Black's first, on the board.
    Opening(Vec<Square>),
    /// One move of the side to move after which the position has this worth to that side.
    BalanceOne(i32),
    /// Two moves, one of each side, after which the position has this worth to the side to
    /// move.
    BalanceTwo(i32),
}

/// What the engine decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// A stone here.
    Move(Square),
    /// Two stones, one of each side.
    Two(Square, Square),
    /// Three stones: black, white, black.
    Three([Square; 3]),
    /// The other side's color.
    Swap,
}

/// What a job found out.
#[derive(Debug)]
pub struct Outcome {
    /// The decision, none if nothing was found.
    pub decision: Option<Decision>,
    /// The search that led to it, none if the decision is not one search's.
    pub result: Option<SearchResult>,
}

impl Outcome {
    /// Nothing was found.
    pub const NONE: Outcome = Outcome { decision: None, result: None };
}

/// Work for a search thread; it owns all it needs.
#[derive(Debug)]
pub struct Job {
    /// What to decide.
    pub(crate) question: Question,
    /// The search of the position in question, as far as the game and settings say.
    pub(crate) task: Task,
    /// What keeps a move from being as good as can be.
    pub(crate) handicap: Option<Handicap>,
    /// Shared with the searches before and after.
    pub(crate) table: Arc<Table>,
    /// Shared with whoever may stop this one.
    pub(crate) control: Arc<Control>,
}

impl Job {
    /// What is to break on purpose.
    pub(crate) fn faults(&self) -> &Faults {
        &self.control.faults
    }

    /// Decides; returns soon after the control says stop.
    ///
    /// A panic inside is logged and gives the best move reported before, if any.
    pub fn run(self, handler: &mut dyn SearchHandler) -> Outcome {
        let Job { question, task, handicap, table, control } = self;
        let mut memory = Memory { handler, best: None };
        let searched = catch_unwind(AssertUnwindSafe(|| {
            let mut ask = Asking { table: &table, control: &control, handler: &mut memory };
            fault::enter(Place::Main);
            control.faults.visit(Place::Job);
            match question {
                Question::Move { .. } if let Some(handicap) = handicap => {
                    level::play(task, handicap, &mut ask)
                }
                Question::Move { .. } => one_search(ask.search(task, ALL), Decision::Move),
                Question::Opening(stones) => opening::swap2(&stones, &task, &mut ask),
                Question::BalanceOne(bias) => opening::balance_one(&task, bias, &mut ask),
                Question::BalanceTwo(bias) => opening::balance_two(&task, bias, 0, &mut ask),
            }
        }));
        searched.unwrap_or_else(|_| {
            log::error!("a search panicked; best move reported before: {:?}", memory.best);
            Outcome { decision: memory.best.map(Decision::Move), result: None }
        })
    }
}

/// An outcome that is the best move of one search.
pub(crate) fn one_search(result: SearchResult, decide: impl Fn(Square) -> Decision) -> Outcome {
    Outcome { decision: result.best().map(decide), result: Some(result) }
}

/// How the parts of a job search.
pub(crate) struct Asking<'a> {
    table: &'a Table,
    /// Says when to stop.
    pub(crate) control: &'a Control,
    handler: &'a mut dyn SearchHandler,
}

/// All of the limits, for a search that nothing follows.
pub(crate) const ALL: u64 = 1000;

impl Asking<'_> {
    /// A search that reports to the caller and ends at so many thousandths of the limits.
    pub(crate) fn search(&mut self, task: Task, share: u64) -> SearchResult {
        self.control.begin(share);
        search::run(task, self.table, self.control, self.handler)
    }

    /// A search of several lines of which the caller hears only the best; gives the lines of the
    /// last iteration that was finished, the best first; fewer if none was.
    pub(crate) fn search_lines(&mut self, task: Task, share: u64) -> (SearchResult, Vec<Line>) {
        self.control.begin(share);
        let mut whole = Whole { handler: self.handler, open: Vec::new(), last: Vec::new() };
        let result = search::run(task, self.table, self.control, &mut whole);
        // Where even the first iteration was cut short, what there is of it must do.
        let best = || result.lines.iter().take(1).cloned().collect();
        let lines = [whole.last, whole.open].into_iter().find(|lines| !lines.is_empty());
        let lines = lines.unwrap_or_else(best);
        (result, lines)
    }

    /// A search nobody hears of.
    pub(crate) fn search_silently(&mut self, task: Task, share: u64) -> SearchResult {
        self.control.begin(share);
        search::run(task, self.table, self.control, &mut Silence)
    }

    /// The move after which the position is worth `bias` to the side that makes it.
    pub(crate) fn even(&mut self, task: &Task, bias: i32, share: u64) -> SearchResult {
        self.control.begin(share);
        search::run_even(task, bias, self.table, self.control, self.handler)
    }

    /// The same, and nobody hears of it.
    pub(crate) fn even_silently(&mut self, task: &Task, bias: i32, share: u64) -> SearchResult {
        self.control.begin(share);
        search::run_even(task, bias, self.table, self.control, &mut Silence)
    }
}

/// Remembers the best move on its way to the caller.
struct Memory<'a> {
    handler: &'a mut dyn SearchHandler,
    best: Option<Square>,
}

impl SearchHandler for Memory<'_> {
    fn report(&mut self, report: &Report<'_>) {
        if report.line_index == 0 {
            self.best = report.line.moves.first().copied().or(self.best);
        }
        self.handler.report(report);
    }

    fn root(&mut self, event: RootEvent) {
        self.handler.root(event);
    }
}

/// Keeps the lines of finished iterations, and passes the best of each on.
struct Whole<'a> {
    handler: &'a mut dyn SearchHandler,
    /// Lines of the iteration that runs.
    open: Vec<Line>,
    /// Lines of the last one that was finished.
    last: Vec<Line>,
}

impl SearchHandler for Whole<'_> {
    fn report(&mut self, report: &Report<'_>) {
        if report.line_index == 0 {
            self.open.clear();
            self.handler.report(&Report { line_count: 1, ..*report });
        }
        self.open.push(report.line.clone());
        if self.open.len() == report.line_count {
            self.last = std::mem::take(&mut self.open);
            self.last.sort_by_key(|line| std::cmp::Reverse(line.score));
        }
    }

    fn root(&mut self, event: RootEvent) {
        self.handler.root(event);
    }
}

/// Hears nothing.
struct Silence;

impl SearchHandler for Silence {
    fn report(&mut self, _: &Report<'_>) {}
}

/// The empty square nearest to the middle that is no foul; any empty one if all are.
pub(crate) fn first_legal(position: &Position, excluded: &[Square]) -> Option<Square> {
    let mut position = position.clone();
    let size = position.size();
    let distance = |square: &Square| {
        let from = |at: u8, side: u8| (2 * i32::from(at) + 1 - i32::from(side)).abs();
        from(square.x(), size.width()).max(from(square.y(), size.height()))
    };
    let mut squares: Vec<Square> = position.empty_squares().iter().collect();
    squares.sort_by_key(distance);
    let is_free = |square: &&Square| !excluded.contains(square);
    let legal = squares.iter().filter(is_free).copied().find(|&sq| !position.is_forbidden(sq));
    legal.or_else(|| squares.iter().find(is_free).copied()).or_else(|| squares.first().copied())
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::base::control::Deadline;
    use crate::base::limits::Limits;
    use crate::types::rule::Rule;
    use crate::types::size::BoardSize;

    /// Breaks at the first word.
    struct Fragile;

    impl SearchHandler for Fragile {
        fn report(&mut self, report: &Report<'_>) {
            panic!("a handler that breaks at depth {}", report.depth);
        }
    }

    #[test]
    fn a_search_that_breaks_gives_what_it_had() {
        let mut position = Position::new(BoardSize::square(15), Rule::Freestyle);
        position.play(Square::new(7, 7));
        position.play(Square::new(2, 3));
        let limits = Limits { depth: Some(2), ..Limits::default() };
        let task = Task::new(position.clone(), limits);
        let control = Arc::new(Control::new(Deadline::unlimited(Instant::now()), None));
        let table = Arc::new(Table::new(1 << 16));
        let question = Question::Move { lines: 1 };
        let table_of_job = Arc::clone(&table);
        let job = Job { question, task, handicap: None, table: table_of_job, control };
        let decision = job.run(&mut Fragile).decision;
        assert!(matches!(decision, Some(Decision::Move(square)) if position.is_empty(square)));
        assert_eq!(Arc::strong_count(&table), 1, "the table is free for the next search");
    }

    #[test]
    fn the_last_resort_is_near_the_middle_and_legal() {
        let mut position = Position::new(BoardSize::square(15), Rule::Freestyle);
        let middle = Square::new(7, 7);
        assert_eq!(first_legal(&position, &[]), Some(middle));
        let next = first_legal(&position, &[middle]);
        assert!(next.is_some_and(|square| square != middle && position.is_empty(square)));
        position.play(middle);
        assert_eq!(first_legal(&position, &[]), next);
    }

    #[test]
    fn exclusions_give_way_when_nothing_else_is_left() {
        let mut position = Position::new(BoardSize::square(5), Rule::Freestyle);
        for square in &position.empty_squares() {
            if square != Square::new(4, 4) {
                position.play(square);
            }
        }
        let last = Square::new(4, 4);
        assert_eq!(first_legal(&position, &[last]), Some(last));
        position.play(last);
        assert_eq!(first_legal(&position, &[]), None);
    }
}
