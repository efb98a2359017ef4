//! The transposition table: what was found out about positions that may come up again.
//!
//! Owns a packed, bucketed, aged table that several threads read and write without locks. Must
//! not know what a move means: it is a small number to it.
//!
//! ```text
//!   entry:  two 64-bit words, key ^ data and data; a torn pair does not match its key
//!   data:   63       53 52 51 50 49      42 41     26 25     10 9    0
//!           generation  pv bound   depth      eval      score    move
//!   bucket: four entries, one cache line; found by the high half of key * buckets
//! ```
//!
//! Sources: XOR check, Hyatt and Mann, "A lock-less transposition table implementation for
//! parallel search", ICGA Journal 2002; multiply-high index and aging as in Stockfish `tt.cpp`.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::base::rng::Rng;
use crate::base::score::{Bound, Score};

/// Entries in a bucket.
const BUCKET: usize = 4;
/// Bytes of an entry.
const ENTRY_BYTES: usize = size_of::<[AtomicU64; 2]>();
/// Smallest table.
const MIN_BYTES: usize = 64 * 1024;
/// Generations before the table must be cleared for real.
const GENERATIONS: u64 = 1 << 11;
/// How much depth a generation of age is worth, when an entry must go.
const AGE_WEIGHT: i32 = 8;
/// Largest depth an entry keeps; deeper ones are kept as this.
pub const MAX_DEPTH: i32 = 255;

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move, by the caller's number for it below 1024; 0 for none.
    pub mv: u16,
    /// What the search found, win and loss counted from this position.
    pub score: Score,
    /// How `score` bounds the truth.
    pub bound: Bound,
    /// The static evaluation.
    pub eval: Score,
    /// How deep was searched, in the caller's unit, 0 to [`MAX_DEPTH`].
    pub depth: i32,
    /// Whether the position was on a principal variation.
    pub is_pv: bool,
}

/// Sixteen bits of a score, and back.
fn pack_score(score: Score) -> u64 {
    u64::from(u16::from_ne_bytes(i16::to_ne_bytes(i16::try_from(score.value()).unwrap_or(0))))
}

fn unpack_score(bits: u64) -> Score {
    #[expect(clippy::cast_possible_truncation, reason = "the low 16 bits are the score")]
    Score::from_value(i32::from(i16::from_ne_bytes((bits as u16).to_ne_bytes())))
}

impl Entry {
    fn pack(self, generation: u64) -> u64 {
        u64::from(self.mv & 1023)
            | pack_score(self.score) << 10
            | pack_score(self.eval) << 26
            | u64::from(self.depth.clamp(0, MAX_DEPTH).unsigned_abs()) << 42
            | (self.bound as u64) << 50
            | u64::from(self.is_pv) << 52
            | generation << 53
    }

    fn unpack(data: u64) -> Entry {
        Entry {
            mv: u16::try_from(data & 1023).unwrap_or(0),
            score: unpack_score(data >> 10),
            eval: unpack_score(data >> 26),
            depth: depth_of(data),
            bound: Bound::from_code(data >> 50),
            is_pv: data >> 52 & 1 != 0,
        }
    }
}

fn depth_of(data: u64) -> i32 {
    i32::from(u8::try_from(data >> 42 & 255).unwrap_or(0))
}

/// The table.
#[derive(Debug)]
pub struct Table {
    words: Box<[AtomicU64]>,
    buckets: usize,
    /// Mixed into every check word, new for each game, so that entries of other games do not
    /// match; not into the index, so that a game finds the same buckets as any before it.
    salt: u64,
    salts: Rng,
    /// Counts searches since the table was last cleared, below [`GENERATIONS`].
    generation: u64,
    /// The generation with which this game began; older entries count as empty.
    game_start: u64,
}

/// Words that are enough for a piece of memory of its own.
///
/// glibc keeps freed pieces up to 32 MiB to itself once it has seen one of that size (`mallopt(3)`,
/// `M_MMAP_THRESHOLD`): a table that was replaced would stay in memory beside the new one. Above
/// that the system gets all back. What is not used of it is never touched, so it costs addresses
/// only, and is asked for only where there are plenty.
const OWN_PIECE: usize = if cfg!(all(target_os = "linux", target_env = "gnu")) {
    (33 << 20) / size_of::<u64>()
} else {
    0
};
/// Words of addresses that are plenty.
const PLENTY: usize = (512 << 20) / size_of::<u64>();

/// Words that are all zero, at least so many, from pages the system hands out when they are first
/// touched.
///
/// None when there is no memory.
#[expect(unsafe_code, reason = "the safe way writes all of the table: 90 ms for 300 MB")]
fn zeroed(words: usize) -> Option<Box<[AtomicU64]>> {
    // `vec!` aborts where memory is short, so ask first; the answer may age, but not by much.
    let is_there = |words| Vec::<u64>::new().try_reserve_exact(words).is_ok();
    let words = if words < OWN_PIECE && is_there(PLENTY) { OWN_PIECE } else { words };
    if !is_there(words) {
        return None;
    }
    let words = vec![0_u64; words].into_boxed_slice();
    const { assert!(align_of::<AtomicU64>() == align_of::<u64>()) };
    // SAFETY: AtomicU64 has the size, alignment and bit validity of u64; the box is owned here.
    Some(unsafe { Box::from_raw(Box::into_raw(words) as *mut [AtomicU64]) })
}

/// Brings the cache line of a word near, where the processor can be asked to.
#[cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "a node of bench takes 367 ns instead of 385")
)]
#[inline(always)]
fn prefetch(word: &AtomicU64) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint reads and writes nothing, whatever the address; this one is valid.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = word;
}

impl Table {
    /// A table of at most `bytes`, or of the smallest size if that is more. When memory is
    /// short it is halved until it fits.
    pub fn new(bytes: usize) -> Table {
        let mut table = Table {
            words: Box::default(),
            buckets: 0,
            salt: 0,
            salts: Rng::new(0x7461_626c_6573),
            generation: 1,
            game_start: 1,
        };
        table.resize(bytes);
        table.new_game();
        table
    }

    /// Bytes of all entries.
    pub fn bytes(&self) -> usize {
        self.buckets * BUCKET * ENTRY_BYTES
    }

    /// Makes the table another size; all entries are lost unless the size is what it was.
    pub fn resize(&mut self, bytes: usize) {
        let mut buckets = bytes.max(MIN_BYTES) / (BUCKET * ENTRY_BYTES);
        if buckets == self.buckets {
            return;
        }
        // The old one goes first: both together might be too much.
        self.words = Box::default();
        self.generation = 1;
        self.game_start = 1;
        loop {
            // One more bucket, so that whole buckets fit however the memory is aligned.
            if let Some(words) = zeroed((buckets + 1) * BUCKET * 2) {
                self.words = words;
                self.buckets = buckets;
                return;
            }
            buckets = (buckets / 2).max(1);
        }
    }

    /// Forgets all entries for good.
    ///
    /// The pages go back to the system: to write zeros would take seconds for a table of some
    /// gigabytes, and would make memory of pages that were never touched.
    pub fn clear(&mut self) {
        let bytes = self.bytes();
        self.buckets = 0;
        self.resize(bytes);
    }

    /// Begins a game: entries of before never match again. Costs nothing, but for one time in
    /// two thousand searches.
    pub fn new_game(&mut self) {
        self.salt = self.salts.next_u64();
        self.next_generation();
        self.game_start = self.generation;
    }

    /// Begins a search: entries of earlier searches go first when room is needed.
    pub fn new_search(&mut self) {
        self.next_generation();
    }

    fn next_generation(&mut self) {
        self.generation += 1;
        if self.generation == GENERATIONS {
            self.clear();
        }
    }

    /// Thousandths of the table that hold entries of this game, by a sample.
    pub fn per_mille_used(&self) -> u32 {
        let sample = self.buckets.min(250);
        let used = |at: &usize| !self.is_stale(self.words[2 * at + 1].load(Relaxed));
        let first = self.first_word() / 2;
        let count = (first..first + sample * BUCKET).filter(used).count();
        u32::try_from(count * 1000 / (sample * BUCKET).max(1)).unwrap_or(1000)
    }

    /// The first word of the first bucket: buckets begin at a cache line.
    #[inline]
    fn first_word(&self) -> usize {
        self.words.as_ptr().align_offset(64) % (2 * BUCKET)
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let wide = u128::from(key) * self.buckets as u128;
        let first = self.first_word() + usize::try_from(wide >> 64).unwrap_or(0) * 2 * BUCKET;
        &self.words[first..first + 2 * BUCKET]
    }

    /// Whether an entry is empty or of an earlier game.
    #[inline]
    fn is_stale(&self, data: u64) -> bool {
        data >> 53 < self.game_start || data == 0
    }

    /// Asks the memory for what [`Table::probe`] will read, and does not wait.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.bucket(key)[0]);
    }

    /// What is known about a position.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let check = key ^ self.salt;
        for pair in self.bucket(key).chunks_exact(2) {
            let data = pair[1].load(Relaxed);
            if pair[0].load(Relaxed) ^ data == check && data != 0 {
                return Some(Entry::unpack(data));
            }
        }
        None
    }

    /// Keeps what was found out; may put another entry out.
    ///
    /// A deeper entry of the same search stays, unless the new one is exact; an old move stays
    /// when the new entry has none.
    pub fn store(&self, key: u64, mut entry: Entry) {
        let check = key ^ self.salt;
        let bucket = self.bucket(key);
        let mut victim = &bucket[..2];
        let mut least = i32::MAX;
        for pair in bucket.chunks_exact(2) {
            let data = pair[1].load(Relaxed);
            if pair[0].load(Relaxed) ^ data == check && data != 0 {
                let is_current = data >> 53 == self.generation;
                let is_deeper = depth_of(data) > entry.depth + AGE_WEIGHT;
                if is_current && is_deeper && entry.bound != Bound::Exact {
                    return;
                }
                if entry.mv == 0 {
                    entry.mv = Entry::unpack(data).mv;
                }
                victim = pair;
                break;
            }
            let worth = if self.is_stale(data) {
                i32::MIN
            } else {
                let age = i32::try_from(self.generation - (data >> 53)).unwrap_or(i32::MAX / 16);
                depth_of(data) - AGE_WEIGHT * age
            };
            if worth < least {
                least = worth;
                victim = pair;
            }
        }
        let data = entry.pack(self.generation);
        victim[0].store(check ^ data, Relaxed);
        victim[1].store(data, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(mv: u16, depth: i32) -> Entry {
        let (score, eval) = (Score::eval(-123), Score::eval(77));
        Entry { mv, score, bound: Bound::Lower, eval, depth, is_pv: true }
    }

    #[test]
    fn entries_survive_packing() {
        let mut rng = Rng::new(3);
        for _ in 0..10_000 {
            let entry = Entry {
                mv: u16::try_from(rng.below(1024)).unwrap(),
                score: Score::win_in(i32::try_from(rng.below(256)).unwrap()),
                bound: Bound::from_code(rng.next_u64()),
                eval: Score::eval(i32::try_from(rng.below(40_000)).unwrap() - 20_000),
                depth: i32::try_from(rng.below(256)).unwrap(),
                is_pv: rng.below(2) == 0,
            };
            assert_eq!(Entry::unpack(entry.pack(GENERATIONS - 1)), entry);
            let lost = Entry { score: -entry.score, ..entry };
            assert_eq!(Entry::unpack(lost.pack(0)), lost);
        }
    }

    #[test]
    fn what_was_stored_is_found_and_nothing_else() {
        let table = Table::new(1 << 20);
        let mut rng = Rng::new(4);
        let keys: Vec<u64> = (0..1000).map(|_| rng.next_u64()).collect();
        for (&key, n) in keys.iter().zip(1..) {
            table.store(key, entry(n, 10));
        }
        for (&key, n) in keys.iter().zip(1..) {
            assert_eq!(table.probe(key), Some(entry(n, 10)));
            assert_eq!(table.probe(key ^ 1), None);
        }
        assert!(table.per_mille_used() > 0);
    }

    #[test]
    fn a_new_game_forgets_and_fills_the_table_as_if_it_were_new() {
        let fill = |table: &Table| {
            let mut rng = Rng::new(5);
            let keys: Vec<u64> = (0..20_000).map(|_| rng.next_u64()).collect();
            for (&key, n) in keys.iter().zip(0..) {
                table.store(key, entry(1, n % 40));
            }
            keys.iter().map(|&key| table.probe(key).is_some()).collect::<Vec<_>>()
        };
        let mut table = Table::new(64 * 1024);
        let first = fill(&table);
        assert!(first.contains(&false), "the table is too small for all");
        table.new_search();
        fill(&table);
        table.new_game();
        assert_eq!(table.per_mille_used(), 0);
        assert!(fill(&table) == first, "the same keys are found as in a new table");
    }

    #[test]
    fn a_cleared_table_keeps_its_size_and_nothing_else() {
        let mut table = Table::new(1 << 20);
        table.store(1, entry(1, 1));
        table.clear();
        assert_eq!((table.bytes(), table.per_mille_used()), (1 << 20, 0));
        assert_eq!(table.probe(1), None);
        table.store(1, entry(2, 1));
        assert_eq!(table.probe(1), Some(entry(2, 1)));
    }

    #[test]
    fn generations_end_in_a_clear_table_not_in_wrong_ages() {
        let mut table = Table::new(64 * 1024);
        table.store(1, entry(1, 1));
        for _ in 0..GENERATIONS + 5 {
            table.new_search();
            assert!(table.generation < GENERATIONS);
        }
        assert_eq!(table.probe(1), None);
    }

    #[test]
    fn deep_entries_outlive_shallow_ones() {
        let table = Table::new(64 * 1024);
        let deep = 42;
        table.store(deep, entry(7, 200));
        for n in 0..1000 {
            // The same bucket: keys that differ in low bits only.
            table.store(43 + n, entry(1, 5));
        }
        assert_eq!(table.probe(deep), Some(entry(7, 200)));
        table.store(deep, Entry { bound: Bound::Upper, ..entry(0, 3) });
        assert_eq!(table.probe(deep), Some(entry(7, 200)), "a deeper entry stays");
        table.store(deep, Entry { bound: Bound::Exact, ..entry(0, 3) });
        assert_eq!(table.probe(deep).map(|e| (e.mv, e.depth)), Some((7, 3)), "the move stays");
    }
}
