//! Faults on purpose, so that tests see what one costs.
//!
//! Owns where a search can be made to break, and when. Only unit tests and builds with the
//! feature `faults` have any of it; elsewhere every question is answered at compile time. Must not
//! know what breaks, nor who picks up the pieces.

/// Where something can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The main thread of a search panics in the middle of the tree.
    Main,
    /// A thread that helps it does.
    Helper,
    /// The work on a question panics outside of any search.
    Job,
    /// The thread of that work panics outside of it.
    Thread,
    /// There is no thread for that work.
    NoThread,
    /// There is no thread that helps.
    NoHelper,
}

impl Place {
    /// All places.
    pub const ALL: [Place; 6] =
        [Place::Main, Place::Helper, Place::Job, Place::Thread, Place::NoThread, Place::NoHelper];

    /// The name of the place in `INFO fault_<name> <visits>`.
    pub const fn name(self) -> &'static str {
        match self {
            Place::Main => "main",
            Place::Helper => "helper",
            Place::Job => "job",
            Place::Thread => "thread",
            Place::NoThread => "no_thread",
            Place::NoHelper => "no_helper",
        }
    }
}

pub use switch::{Faults, enter};

#[cfg(any(test, feature = "faults"))]
mod switch {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::Place;

    /// Which faults are to come; none by default.
    #[derive(Debug, Default)]
    pub struct Faults([AtomicU64; Place::ALL.len()]);

    thread_local! {
        /// What the thread is, [`Place::Main`] or [`Place::Helper`].
        static ROLE: Cell<Option<Place>> = const { Cell::new(None) };
    }

    /// Says what this thread is from now on.
    pub fn enter(role: Place) {
        ROLE.set(Some(role));
    }

    impl Faults {
        /// Has the place break at the visit with this number, counted from one; zero is never.
        pub fn arm(&self, place: Place, visit: u64) {
            self.0[place as usize].store(visit, Relaxed);
        }

        /// Whether a place breaks at this visit.
        pub fn is_due(&self, place: Place) -> bool {
            let fewer = |visits: u64| visits.checked_sub(1);
            self.0[place as usize].fetch_update(Relaxed, Relaxed, fewer) == Ok(1)
        }

        /// Breaks the place if it is to break at this visit.
        ///
        /// # Panics
        /// Then.
        pub fn visit(&self, place: Place) {
            assert!(!self.is_due(place), "a fault on purpose: {}", place.name());
        }

        /// The same for a thread of a search in the middle of the tree, by what it is.
        ///
        /// # Panics
        /// When its place is to break at this visit.
        pub fn visit_tree(&self) {
            if let Some(role) = ROLE.get() {
                self.visit(role);
            }
        }
    }
}

#[cfg(not(any(test, feature = "faults")))]
mod switch {
    use super::Place;

    /// No faults at all.
    #[derive(Debug, Default)]
    pub struct Faults {}

    /// Of no interest here.
    #[inline(always)]
    pub fn enter(_: Place) {}

    impl Faults {
        /// Never.
        #[inline(always)]
        pub fn is_due(&self, _: Place) -> bool {
            false
        }

        /// Does nothing.
        #[inline(always)]
        pub fn visit(&self, _: Place) {}

        /// Does nothing.
        #[inline(always)]
        pub fn visit_tree(&self) {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_breaks_once_at_the_visit_named() {
        let faults = Faults::default();
        let breaks = |place| [(); 4].map(|()| faults.is_due(place));
        assert_eq!(breaks(Place::Job), [false; 4]);
        faults.arm(Place::Job, 3);
        assert_eq!(breaks(Place::Main), [false; 4]);
        assert_eq!(breaks(Place::Job), [false, false, true, false]);
    }
}
