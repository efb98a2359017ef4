//! Numbers that the threads of a search share without order: each reads and writes as it goes.
//!
//! Owns that this is no data race. What two threads change at the same time is changed by one of
//! them; so it is for what is learned from many cases, where one more or less is nothing.

use std::sync::atomic::{AtomicI16, Ordering::Relaxed};

/// A small number that many threads read and write.
#[derive(Debug, Default)]
pub struct Cell16(AtomicI16);

impl Cell16 {
    /// What it is.
    #[inline(always)]
    pub fn get(&self) -> i16 {
        self.0.load(Relaxed)
    }

    /// Makes it something else.
    #[inline(always)]
    pub fn set(&self, value: i16) {
        self.0.store(value, Relaxed);
    }
}

impl Clone for Cell16 {
    fn clone(&self) -> Cell16 {
        Cell16(AtomicI16::new(self.get()))
    }
}
