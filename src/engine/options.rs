//! What the settings in force mean: limits of a move, memory, rule, threads.
//!
//! Owns the values the manager has set, as numbers with units, and their combination into
//! [`Limits`]. Must not know keys, text or rule bits. Start reading at [`Options::limits`].

use std::time::Duration;

use crate::base::limits::Limits;
use crate::engine::level::Level;
use crate::eval::Evaluation;
use crate::types::rule::Rule;

/// Turn time when neither a turn limit nor a match clock is known.
const DEFAULT_TURN_MS: i64 = 5_000;
/// The value of `time_left` that means "no match clock".
const UNLIMITED: i64 = 2_147_483_647;
/// Memory of the whole process when no limit was given.
const DEFAULT_MEMORY: u64 = 350 << 20;
/// Own moves whose searches' entries are worth keeping: those of older ones are about positions
/// that will not come any more.
const KEPT_MOVES: u32 = 8;
/// Bytes of table that a thread fills in a millisecond, generously.
const FILLED_PER_MS: u128 = 4 << 10;
/// Bytes of table that a node fills, generously.
const FILLED_PER_NODE: u64 = 16;
/// Table that is worth having whatever the limits.
const LEAST_USEFUL: u64 = 8 << 20;
/// Most threads that can be asked for.
const MAX_THREADS: usize = 256;

/// Settings that outlive games; none is "never set".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Milliseconds per move; zero is "as fast as possible", negative "no limit".
    pub turn_ms: Option<i64>,
    /// Milliseconds per match; zero and negative are "no limit".
    pub match_ms: Option<i64>,
    /// Milliseconds left of the match; zero and negative are "out of time".
    pub left_ms: Option<i64>,
    /// Milliseconds added per move.
    pub increment_ms: i64,
    /// Bytes for the whole process; zero and negative are "no limit".
    pub memory_bytes: Option<i64>,
    /// KiB for the transposition table; zero is "as good as none", negative "never set".
    pub hash_kib: Option<i64>,
    /// The rule of the game.
    pub rule: Rule,
    /// How positions are evaluated.
    pub evaluation: Evaluation,
    /// Whether the game goes on after a five, whose stones then count for nobody.
    pub is_continuous: bool,
    /// Search threads asked for.
    pub threads: i64,
    /// Deepest iteration; zero and negative are "no limit".
    pub depth: i64,
    /// Most nodes; zero and negative are "no limit".
    pub nodes: i64,
    /// How strong the engine plays.
    pub level: Level,
    /// What the draws of a level below full strength depend on.
    pub seed: i64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            turn_ms: None,
            match_ms: None,
            left_ms: None,
            increment_ms: 0,
            memory_bytes: None,
            hash_kib: None,
            rule: Rule::Freestyle,
            evaluation: Evaluation::default(),
            is_continuous: false,
            threads: 1,
            depth: 0,
            nodes: 0,
            level: Level::FULL,
            seed: 0,
        }
    }
}

/// Milliseconds as a duration; what is below zero is zero.
fn millis(value: i64) -> Duration {
    Duration::from_millis(u64::try_from(value).unwrap_or(0))
}

impl Options {
    /// The limits of the next move, time spent before it and moves left not yet filled in.
    ///
    /// The match clock counts when it is known, is not the word for "unlimited", and no
    /// non-positive match time has switched it off. Without turn limit and match clock the
    /// turn is five seconds; zero for a turn is a limit, below zero is none.
    pub fn limits(&self) -> Limits {
        let left = self.match_clock();
        let turn = match self.turn_ms {
            Some(turn) => (turn >= 0).then_some(turn),
            None => left.is_none().then_some(DEFAULT_TURN_MS),
        };
        Limits {
            depth: (self.depth > 0).then(|| i32::try_from(self.depth).unwrap_or(i32::MAX)),
            nodes: u64::try_from(self.nodes).ok().filter(|&nodes| nodes > 0),
            turn: turn.map(millis),
            left: left.map(millis),
            increment: millis(self.increment_ms),
            ..Limits::default()
        }
    }

    /// Milliseconds left of the match, if its clock counts.
    fn match_clock(&self) -> Option<i64> {
        if self.match_ms.is_some_and(|whole| whole <= 0) {
            return None;
        }
        self.left_ms.or(self.match_ms).filter(|&left| left != UNLIMITED)
    }

    /// Bytes for the whole process, none if nobody set a limit that limits.
    ///
    /// A manager that can only say 31 bits means "no limit" by the largest of them.
    pub fn memory_limit(&self) -> Option<u64> {
        let bytes = self.memory_bytes.filter(|&bytes| bytes != UNLIMITED)?;
        u64::try_from(bytes).ok().filter(|&bytes| bytes > 0)
    }

    /// Bytes for the whole process, the default if nobody set a limit.
    pub fn memory(&self) -> u64 {
        self.memory_limit().unwrap_or(DEFAULT_MEMORY)
    }

    /// Bytes of the table asked for.
    pub fn hash_bytes(&self) -> Option<u64> {
        let kib = u64::try_from(self.hash_kib?).ok()?;
        Some(kib.saturating_mul(1024))
    }

    /// Bytes of table that a few moves under these limits can fill, as a power of two; none
    /// where no limit tells.
    ///
    /// More than that only costs time: entries lie scattered, so nearly every one touches a
    /// fresh page, and a fresh page takes longer than many nodes. A table of 300 MB made single
    /// moves of 50 ms up to 200 ms late on a busy virtual machine; with one of 128 MB a first move
    /// of 230 ms searched 269,000 nodes, with 8 MB 390,000.
    pub fn useful_table(&self) -> Option<u64> {
        let limits = self.limits();
        let whole = self.match_clock().and(self.match_ms).map(millis);
        let turns = limits.turn.map(|turn| turn.saturating_mul(KEPT_MOVES));
        let time = turns.into_iter().chain(whole).chain(limits.left.filter(|_| whole.is_none()));
        let threads = self.threads() as u128;
        let by_time = time.min().map(|time| {
            let bytes = time.as_millis().saturating_mul(FILLED_PER_MS * threads);
            u64::try_from(bytes).unwrap_or(u64::MAX)
        });
        let by_nodes = limits.nodes.map(|nodes| {
            nodes.saturating_mul(u64::from(KEPT_MOVES)).saturating_mul(FILLED_PER_NODE)
        });
        let bytes = by_time.into_iter().chain(by_nodes).min()?;
        bytes.max(LEAST_USEFUL).checked_next_power_of_two()
    }

    /// Search threads, at least one.
    pub fn threads(&self) -> usize {
        usize::try_from(self.threads).unwrap_or(1).clamp(1, MAX_THREADS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(value: u64) -> Duration {
        Duration::from_millis(value)
    }

    #[test]
    fn the_useful_table_grows_with_what_a_few_moves_can_fill() {
        let useful = |options: Options| options.useful_table().map(|bytes| bytes >> 20);
        let turn = |turn_ms| Options { turn_ms: Some(turn_ms), ..Options::default() };
        assert_eq!(useful(turn(0)), Some(8));
        assert_eq!(useful(turn(250)), Some(8));
        assert_eq!(useful(turn(500)), Some(16));
        assert_eq!(useful(turn(5_000)), Some(256));
        assert_eq!(useful(Options { threads: 2, ..turn(5_000) }), Some(512));
        assert_eq!(useful(Options { nodes: 10_000, ..turn(5_000) }), Some(8));
        assert_eq!(useful(Options { match_ms: Some(8_000), ..turn(5_000) }), Some(32));
        assert_eq!(useful(Options { match_ms: Some(0), ..turn(-1) }), None);
        assert_eq!(useful(turn(i64::MAX)), None);
    }

    /// Checks turn and left of limits set in milliseconds.
    fn check(
        (turn, whole, left): (Option<i64>, Option<i64>, Option<i64>),
        expected: (Option<u64>, Option<u64>),
    ) {
        let options =
            Options { turn_ms: turn, match_ms: whole, left_ms: left, ..Options::default() };
        let limits = options.limits();
        assert_eq!(
            (limits.turn, limits.left),
            (expected.0.map(ms), expected.1.map(ms)),
            "{options:?}"
        );
    }

    #[test]
    fn five_seconds_when_nothing_is_known() {
        check((None, None, None), (Some(5_000), None));
        check((None, Some(0), None), (Some(5_000), None));
        check((None, None, Some(UNLIMITED)), (Some(5_000), None));
    }

    #[test]
    fn a_match_clock_alone_is_enough() {
        check((None, Some(60_000), None), (None, Some(60_000)));
        check((None, Some(60_000), Some(20_000)), (None, Some(20_000)));
        check((None, None, Some(-5)), (None, Some(0)));
    }

    #[test]
    fn zero_is_at_once_for_a_turn_and_unlimited_for_a_match() {
        check((Some(0), Some(0), None), (Some(0), None));
        check((Some(300), Some(0), Some(UNLIMITED)), (Some(300), None));
        check((Some(5_000), None, Some(-700)), (Some(5_000), Some(0)));
        check((Some(5_000), Some(100_000), Some(0)), (Some(5_000), Some(0)));
    }

    #[test]
    fn below_zero_is_unlimited_and_switches_the_match_clock_off() {
        check((Some(-1), Some(-1), Some(1)), (None, None));
    }

    #[test]
    fn stop_rules_at_zero_or_below_are_none() {
        let options = Options { depth: 0, nodes: -1, ..Options::default() };
        assert_eq!((options.limits().depth, options.limits().nodes), (None, None));
        let options = Options { depth: 100_000_000_000, nodes: 7, ..Options::default() };
        assert_eq!((options.limits().depth, options.limits().nodes), (Some(i32::MAX), Some(7)));
    }

    #[test]
    fn memory_has_a_default_and_a_word_for_unlimited() {
        let memory = |bytes| Options { memory_bytes: bytes, ..Options::default() };
        assert_eq!(memory(Some(1_000)).memory(), 1_000);
        for bytes in [None, Some(0), Some(-1), Some(UNLIMITED)] {
            assert_eq!(memory(bytes).memory_limit(), None, "{bytes:?}");
            assert_eq!(memory(bytes).memory(), DEFAULT_MEMORY, "{bytes:?}");
        }
    }

    #[test]
    fn threads_stay_in_range() {
        for (asked, given) in [(-3, 1), (0, 1), (1, 1), (4, 4), (1 << 40, MAX_THREADS)] {
            assert_eq!(Options { threads: asked, ..Options::default() }.threads(), given);
        }
    }
}
