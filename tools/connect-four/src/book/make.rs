//! Makes a book.
//!
//! Owns which positions are in it and the threads that solve them. Must not know files or
//! terminals: what is found is handed on as it comes.
//!
//! Two kinds of positions are in a book:
//!
//! - all that have at most so many stones;
//! - those in which a perfect player may find itself to move, as first or as second, whatever
//!   the other side plays, with its best move each. They are few: 7 replies a move, not 49.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Instant;

use tengen::base::control::{Control, Deadline};
use tengen::base::score::Score;
use tengen::base::tt::Table;

use crate::book::Book;
use crate::position::{Position, Size};
use crate::solver::Solver;

/// What a book is to hold, and what may be used to make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// All positions with at most so many stones; none of them when there is no number.
    pub full: Option<u32>,
    /// What a perfect player meets, with at most so many stones on the board.
    pub path: Option<u32>,
    /// Threads that solve.
    pub threads: usize,
    /// Bytes of the table that they share.
    pub table_bytes: usize,
}

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Stones of the positions at hand.
    pub stones: u32,
    /// Whether these are all positions of so many stones.
    pub is_full: bool,
    /// Positions of this kind that are done.
    pub done: usize,
    /// Positions of this kind.
    pub all: usize,
}

/// What one thread found out: an index, and scores for the book.
type Found = (usize, Vec<(Position, Score)>);

/// Adds what the plan asks for to a book, and leaves out what it has.
///
/// After each position `report` is given the book as it is; what it holds need not be solved
/// again. When `report` says so, it ends early.
pub fn make(book: &mut Book, plan: &Plan, report: &mut impl FnMut(&Book, Progress) -> bool) {
    let size = book.size();
    let table = Arc::new(Table::new(plan.table_bytes));
    if let Some(full) = plan.full {
        // The deepest first: after them the others follow at once.
        for stones in (0..=full.min(size.squares())).rev() {
            let list = all_positions(&size, stones);
            if !solve_all(book, &list, false, plan, &table, report) {
                return;
            }
        }
    }
    let Some(path) = plan.path else { return };
    let mut met = vec![vec![Position::empty()], replies(&size, &[Position::empty()])];
    for stones in 0..=path.min(size.squares()) {
        let list = std::mem::take(&mut met[0]);
        if !solve_all(book, &list, true, plan, &table, report) {
            return;
        }
        let mut solver =
            Solver::with_table(size, Arc::clone(&table)).with_book(Arc::new(book.clone()));
        let control = unlimited();
        let played = list.iter().filter_map(|position| {
            let (column, _) = solver.best_move(position, &control)?;
            let mut child = *position;
            child.play(&size, column).is_ok().then_some(child)
        });
        let played: Vec<Position> = played.collect();
        met.remove(0);
        // Nobody has won in `met[0]`, so two plies on from `list` is where it grows.
        let next = replies(&size, &played);
        met.push(next);
        debug_assert!(met[1].iter().all(|position| position.stones() == stones + 2));
    }
}

fn unlimited() -> Control {
    Control::new(Deadline::unlimited(Instant::now()), None)
}

/// All positions with so many stones in which the game goes on, of mirror images only one.
pub fn all_positions(size: &Size, stones: u32) -> Vec<Position> {
    let mut list = vec![Position::empty()];
    for _ in 0..stones {
        list = replies(size, &list);
    }
    list
}

/// What can be on the board a move later and is not the end; of mirror images only one.
fn replies(size: &Size, list: &[Position]) -> Vec<Position> {
    let mut found: Vec<Position> = Vec::new();
    for position in list {
        for column in 0..size.columns() {
            let mut child = *position;
            if child.play(size, column).is_ok() && child.end(size).is_none() {
                found.push(child);
            }
        }
    }
    found.sort_by_key(|position| (position.key_of_both(size), position.key()));
    found.dedup_by_key(|position| position.key_of_both(size));
    found
}

/// Solves what is not in the book yet; says whether it got to the end.
fn solve_all(
    book: &mut Book,
    list: &[Position],
    with_move: bool,
    plan: &Plan,
    table: &Arc<Table>,
    report: &mut impl FnMut(&Book, Progress) -> bool,
) -> bool {
    let size = book.size();
    // A position that is won at once needs no entry.
    let is_open = |position: &&Position| position.wins(&size) == 0;
    let open: Vec<Position> = list.iter().filter(is_open).copied().collect();
    let Some(stones) = open.first().map(Position::stones) else { return true };
    let known = Arc::new(book.clone());
    let next = AtomicUsize::new(0);
    let control = unlimited();
    let (sender, receiver) = mpsc::channel::<Found>();
    thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            let sender = sender.clone();
            let (known, next, open, control) = (Arc::clone(&known), &next, &open, &control);
            scope.spawn(move || {
                let mut solver =
                    Solver::with_table(size, Arc::clone(table)).with_book(Arc::clone(&known));
                loop {
                    let index = next.fetch_add(1, Relaxed);
                    let Some(position) = open.get(index) else { return };
                    let Some(found) = entries(&mut solver, position, with_move, control) else {
                        return;
                    };
                    if sender.send((index, found)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut goes_on = true;
        for (done, (_, found)) in (1..).zip(receiver) {
            book.extend(found);
            let progress = Progress { stones, is_full: !with_move, done, all: open.len() };
            if goes_on && !report(book, progress) {
                goes_on = false;
                control.stop();
            }
        }
        goes_on
    })
}

/// The entries for a position: its score and, if asked for, that of the best move.
fn entries(
    solver: &mut Solver,
    position: &Position,
    with_move: bool,
    control: &Control,
) -> Option<Vec<(Position, Score)>> {
    if !with_move {
        return Some(vec![(*position, solver.solve(position, control)?)]);
    }
    let (column, score) = solver.best_move(position, control)?;
    let mut child = *position;
    child.play(solver.size(), column).ok()?;
    let mut found = vec![(*position, score)];
    if child.end(solver.size()).is_none() && child.wins(solver.size()) == 0 {
        found.push((child, -score));
    }
    Some(found)
}
