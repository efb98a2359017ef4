//! The threads of a search: each searches all of it, and finds in the table what others have done.
//!
//! Lazy SMP, and a little less lazy: threads believe an exact entry anywhere, and keep out of each
//! other's way (`turns`). What one learns of moves and of the evaluation it keeps to itself.
//!
//! Owns that a worker's panic costs its search at most: what is known so far is returned.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::base::busy::Busy;
use crate::base::control::Control;
use crate::base::fault::{self, Place};
use crate::base::score::Score;
use crate::base::tt::Table;
use crate::search::root::{self, RootMove};
use crate::search::worker::Worker;
use crate::search::{Line, RuleKind, SearchHandler, SearchResult, Task};

/// Runs a search with all its threads.
pub(super) fn run<R: RuleKind>(
    mut task: Task,
    table: &Table,
    control: &Control,
    handler: &mut dyn SearchHandler,
) -> SearchResult {
    let root_moves = root::root_moves(&mut task.position, &task.excluded);
    let Some(fallback) = root_moves.first().map(|root_move| root_move.mv) else {
        return SearchResult::default();
    };
    let helpers = task.threads.max(1) - 1;
    let busy = (helpers > 0).then(Busy::new);
    let busy = busy.as_ref();
    std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for helper in 1..=helpers {
            let (task, root_moves) = (task.clone(), root_moves.clone());
            if control.faults.is_due(Place::NoHelper) {
                log::warn!("no thread {helper}, on purpose");
                break;
            }
            let spawned = std::thread::Builder::new().spawn_scoped(scope, move || {
                fault::enter(Place::Helper);
                let search = || help::<R>(&task, table, control, busy, root_moves, helper);
                if catch_unwind(AssertUnwindSafe(search)).is_err() {
                    log::error!("search thread {helper} panicked");
                }
            });
            match spawned {
                Ok(thread) => threads.push(thread),
                Err(error) => {
                    log::warn!("no thread {helper}: {error}");
                    break;
                }
            }
        }
        let mut worker =
            Worker::new(task.position.clone(), table, control, busy, Some(handler), root_moves);
        let search = || worker.iterate::<R>(&task, task.lines, 0);
        let result = catch_unwind(AssertUnwindSafe(search));
        control.end_search();
        // The scope waits for what they do, this for the threads of the system to be gone: the
        // process may be about to end, and wine does not bear both at once.
        for thread in threads {
            let _ = thread.join();
        }
        result.unwrap_or_else(|_| {
            log::error!("the main search thread panicked");
            SearchResult {
                lines: vec![worker.best_known(fallback)],
                nodes: control.nodes(),
                ..SearchResult::default()
            }
        })
    })
}

/// What a thread beside the main one does: fill the table.
fn help<R: RuleKind>(
    task: &Task,
    table: &Table,
    control: &Control,
    busy: Option<&Busy>,
    root_moves: Vec<RootMove>,
    helper: usize,
) {
    let mut worker = Worker::new(task.position.clone(), table, control, busy, None, root_moves);
    worker.iterate::<R>(task, 1, helper);
}

impl Worker<'_> {
    /// The first root move that stands, after the search broke off.
    fn best_known(&self, fallback: crate::types::square::Square) -> Line {
        let mv = self.root_moves.first().map_or(fallback, |root_move| root_move.mv);
        Line { score: Score::ZERO, moves: vec![mv] }
    }
}
