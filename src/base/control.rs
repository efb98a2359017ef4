//! The one thing that the threads of a search and the world outside share: when to stop.
//!
//! Owns the stop flag, the node counter and the deadlines in force. All of it may be changed by
//! another thread while the search runs. Reads are relaxed: a few nodes more do no harm.
//!
//! Several searches, one after the other, can share one control: each may be given a part of
//! the limits, and the end of one is not the end of all.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::base::fault::Faults;

/// Nodes a thread counts for itself before it reports them and looks at the clock.
///
/// At half a million nodes a second that is half a millisecond.
pub const NODE_BATCH: u64 = 256;

/// When a search should and when it must end, counted from `start`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// When the time began to run.
    pub start: Instant,
    /// After this no further iteration is begun; none when time is no object.
    pub soft: Option<Duration>,
    /// At this the answer must be on its way; none when time is no object.
    pub hard: Option<Duration>,
    /// `soft` is a share of a time that later moves need as well: what is saved is not lost.
    pub is_share: bool,
}

impl Deadline {
    /// No limit of time; it began to run at `start`.
    pub const fn unlimited(start: Instant) -> Deadline {
        Deadline { start, soft: None, hard: None, is_share: false }
    }
}

/// All of the limits, in thousandths.
const WHOLE: u64 = 1000;

/// Shared state of a running search.
#[derive(Debug)]
pub struct Control {
    start: Instant,
    stop: AtomicBool,
    /// The search that runs has ended, which its threads may not know yet.
    is_over: AtomicBool,
    /// Where that search must end, in thousandths of the limits.
    share: AtomicU64,
    nodes: AtomicU64,
    node_limit: u64,
    /// Microseconds from `start`; `u64::MAX` for none.
    soft: AtomicU64,
    hard: AtomicU64,
    is_share: AtomicBool,
    /// What is to break on purpose.
    pub faults: Faults,
}

/// Microseconds of an optional duration; none is forever.
fn micros(limit: Option<Duration>) -> u64 {
    limit.map_or(u64::MAX, |limit| u64::try_from(limit.as_micros()).unwrap_or(u64::MAX))
}

/// A part of a limit, in thousandths; no limit stays none.
fn part(limit: u64, share: u64) -> u64 {
    if limit == u64::MAX { limit } else { limit / WHOLE * share + limit % WHOLE * share / WHOLE }
}

impl Control {
    /// A search that ends by these limits.
    pub fn new(deadline: Deadline, node_limit: Option<u64>) -> Control {
        Control {
            start: deadline.start,
            stop: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
            share: AtomicU64::new(WHOLE),
            nodes: AtomicU64::new(0),
            node_limit: node_limit.unwrap_or(u64::MAX),
            soft: AtomicU64::new(micros(deadline.soft)),
            hard: AtomicU64::new(micros(deadline.hard)),
            is_share: AtomicBool::new(deadline.is_share),
            faults: Faults::default(),
        }
    }

    /// Asks the search to end at once, and no other to begin.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Begins a search that must end at so many thousandths of the node limit and the soft
    /// deadline, both counted from the start of all; the whole is more than the soft deadline.
    pub fn begin(&self, share: u64) {
        self.share.store(share.min(WHOLE), Relaxed);
        self.is_over.store(false, Relaxed);
    }

    /// Ends the search that runs, in all its threads; after it another may begin.
    pub fn end_search(&self) {
        self.is_over.store(true, Relaxed);
    }

    /// Whether the search was asked to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Puts another deadline in force; it counts from the same start as the first one.
    pub fn set_deadline(&self, deadline: &Deadline) {
        self.soft.store(micros(deadline.soft), Relaxed);
        self.hard.store(micros(deadline.hard), Relaxed);
        self.is_share.store(deadline.is_share, Relaxed);
    }

    /// Adds a batch of nodes and stops the search when a limit is reached.
    ///
    /// Returns whether the search must end.
    pub fn count(&self, batch: u64) -> bool {
        self.faults.visit_tree();
        let nodes = self.nodes.fetch_add(batch, Relaxed) + batch;
        if nodes >= self.node_limit || self.elapsed_micros() >= self.hard.load(Relaxed) {
            self.stop();
        }
        let share = self.share.load(Relaxed);
        if share < WHOLE && (nodes >= part(self.node_limit, share) || self.is_past_soft(WHOLE)) {
            self.end_search();
        }
        self.is_stopped() || self.is_over.load(Relaxed)
    }

    /// Nodes counted so far, all threads together.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// The most nodes this search may visit; `u64::MAX` for no limit.
    pub fn node_limit(&self) -> u64 {
        self.node_limit
    }

    /// Whether `per_mille` thousandths of the soft deadline have passed, or of the part of it
    /// that the search may use.
    pub fn is_past_soft(&self, per_mille: u64) -> bool {
        let soft = part(self.soft.load(Relaxed), self.share.load(Relaxed));
        soft != u64::MAX && self.elapsed_micros() >= soft.saturating_mul(per_mille) / 1000
    }

    /// Whether time that this search does not use is left for later ones.
    pub fn saves_time(&self) -> bool {
        self.is_share.load(Relaxed)
    }

    /// Time left until the hard deadline; none when there is none.
    pub fn remaining(&self) -> Option<Duration> {
        let hard = self.hard.load(Relaxed);
        (hard != u64::MAX)
            .then(|| Duration::from_micros(hard.saturating_sub(self.elapsed_micros())))
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn elapsed_micros(&self) -> u64 {
        u64::try_from(self.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unlimited() -> Deadline {
        Deadline::unlimited(Instant::now())
    }

    #[test]
    fn node_limit_stops() {
        let control = Control::new(unlimited(), Some(1000));
        assert!(!control.count(999));
        assert!(control.count(1));
        assert!(control.is_stopped());
        assert_eq!(control.nodes(), 1000);
    }

    #[test]
    fn a_search_with_a_part_of_the_limits_ends_alone() {
        let control = Control::new(unlimited(), Some(1_000));
        control.begin(300);
        assert!(!control.count(299));
        assert!(control.count(1) && !control.is_stopped());
        control.begin(1_000);
        assert!(!control.count(699));
        control.end_search();
        assert!(control.count(0) && !control.is_stopped());
        assert!(control.count(1) && control.is_stopped());
        assert_eq!([part(u64::MAX, 3), part(7, 500), part(123_456, 10)], [u64::MAX, 3, 1234]);
    }

    #[test]
    fn a_deadline_moved_into_the_past_stops_at_the_next_count() {
        let control = Control::new(unlimited(), None);
        assert!(!control.count(1));
        assert!(!control.is_past_soft(1000));
        let zero = Some(Duration::ZERO);
        control.set_deadline(&Deadline { soft: zero, hard: zero, ..unlimited() });
        assert!(control.is_past_soft(1000));
        assert_eq!(control.remaining(), Some(Duration::ZERO));
        assert!(control.count(1));
    }
}
