//! Counters of what the search does, for those who change it; only in `stats` builds.
//!
//! Owns the counters of the whole process. Nothing may depend on them. In other builds
//! `count` does nothing.

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stat {
    /// Nodes that listed moves.
    Expanded,
    /// Nodes that a move cut off.
    Cut,
    /// Nodes that the first move cut off.
    CutByFirst,
    /// Nodes answered by the table.
    TableCut,
    /// Nodes answered by reverse futility.
    Futility,
    /// Nodes answered by razoring.
    Razoring,
    /// Nodes whose late moves were left out.
    LateMoves,
    /// Reduced searches.
    Reduced,
    /// Reduced searches that had to be repeated.
    Repeated,
    /// Leaves.
    Leaf,
    /// Threat searches.
    ThreatSearch,
    /// Threat searches that found a win.
    ThreatWin,
}

impl Stat {
    /// All of them, in the order they are printed.
    pub const ALL: [Stat; 12] = [
        Stat::Expanded,
        Stat::Cut,
        Stat::CutByFirst,
        Stat::TableCut,
        Stat::Futility,
        Stat::Razoring,
        Stat::LateMoves,
        Stat::Reduced,
        Stat::Repeated,
        Stat::Leaf,
        Stat::ThreatSearch,
        Stat::ThreatWin,
    ];
}

#[cfg(feature = "stats")]
mod counters {
    use std::sync::atomic::AtomicU64;

    pub(super) static COUNTERS: [AtomicU64; super::Stat::ALL.len()] =
        [const { AtomicU64::new(0) }; super::Stat::ALL.len()];
}

/// Counts one event.
#[inline(always)]
pub(super) fn count(stat: Stat) {
    #[cfg(feature = "stats")]
    counters::COUNTERS[stat as usize].fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    #[cfg(not(feature = "stats"))]
    let _ = stat;
}

/// Every counter with its value; empty in builds that do not count.
pub fn all() -> Vec<(Stat, u64)> {
    #[cfg(feature = "stats")]
    {
        let value = |stat: Stat| {
            counters::COUNTERS[stat as usize].load(std::sync::atomic::Ordering::Relaxed)
        };
        Stat::ALL.into_iter().map(|stat| (stat, value(stat))).collect()
    }
    #[cfg(not(feature = "stats"))]
    Vec::new()
}
