//! What the threads of a search share besides the table: what was learned, and what they are at.

use crate::base::busy::Busy;
use crate::search::correction::Corrections;
use crate::search::history::History;

/// Shared by the workers of a search.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) history: History,
    pub(super) corrections: Corrections,
    /// What each thread is at; none where there is only one.
    pub(super) busy: Option<Busy>,
}

impl Shared {
    /// For a search by so many threads.
    pub(super) fn new(threads: usize) -> Shared {
        Shared {
            history: History::new(),
            corrections: Corrections::new(),
            busy: (threads > 1).then(Busy::new),
        }
    }
}
