//! What the threads of a search are at: keys of positions that one of them searches right now.
//!
//! Owns a small table of keys without locks. It may forget a key and may miss one that was just
//! written: whoever asks only wants to avoid doing what is being done.
//!
//! Source: simplified ABDADA, Tom Kerrigan, <http://www.tckerrigan.com/Chess/Parallel_Search>.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Keys in a bucket, a quarter of a cache line.
const BUCKET: usize = 2;
/// Buckets; each thread is at some ten positions.
const BUCKETS: usize = 1 << 11;

/// The keys of positions being searched.
#[derive(Debug)]
pub struct Busy {
    slots: Box<[AtomicU64]>,
}

impl Default for Busy {
    fn default() -> Busy {
        Busy::new()
    }
}

impl Busy {
    /// Nobody is at anything.
    pub fn new() -> Busy {
        Busy { slots: (0..BUCKET * BUCKETS).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Where a key may be.
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let at = (key >> 32) as usize % BUCKETS * BUCKET;
        &self.slots[at..at + BUCKET]
    }

    /// Whether some thread has begun with this key and not ended.
    pub fn contains(&self, key: u64) -> bool {
        self.bucket(key).iter().any(|slot| slot.load(Relaxed) == key)
    }

    /// Begins with a key. What is there already stays while there is room.
    pub fn begin(&self, key: u64) {
        let bucket = self.bucket(key);
        let free = bucket.iter().find(|slot| slot.load(Relaxed) == 0);
        free.unwrap_or(&bucket[0]).store(key, Relaxed);
    }

    /// Ends with a key.
    pub fn end(&self, key: u64) {
        for slot in self.bucket(key) {
            if slot.load(Relaxed) == key {
                slot.store(0, Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_there_from_begin_to_end() {
        let busy = Busy::new();
        let keys: Vec<u64> = (1..40_u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        for &key in &keys {
            assert!(!busy.contains(key));
            busy.begin(key);
        }
        assert!(keys.iter().all(|&key| busy.contains(key)));
        for (at, &key) in keys.iter().enumerate() {
            busy.end(key);
            assert!(!busy.contains(key));
            assert!(keys[at + 1..].iter().all(|&key| busy.contains(key)));
        }
    }

    #[test]
    fn a_full_bucket_takes_a_new_key_for_an_old_one() {
        let busy = Busy::new();
        let keys: Vec<u64> = (1..=BUCKET as u64 + 1).collect();
        for &key in &keys {
            busy.begin(key);
        }
        assert!(busy.contains(keys[BUCKET]) && !busy.contains(keys[0]));
        for &key in &keys {
            busy.end(key);
        }
        assert!(!keys.iter().any(|&key| busy.contains(key)));
    }
}
