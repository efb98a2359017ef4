//! Which games a run consists of.
//!
//! Owns who meets whom, with which opening and color, and the numbering of it all. Must not know
//! how games are played. The numbers do not depend on how many games are asked for or on the
//! shard, so a run can be prolonged, resumed and merged.

use crate::opening::{Opening, Sequence, Shard};

/// Which engines meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Each meets each.
    RoundRobin,
    /// The first meets each of the others.
    Gauntlet,
}

impl Format {
    /// As on the command line and in records.
    pub const fn name(self) -> &'static str {
        match self {
            Format::RoundRobin => "round-robin",
            Format::Gauntlet => "gauntlet",
        }
    }

    /// The pairings of `engines` engines, by their numbers.
    pub fn pairings(self, engines: usize) -> Vec<(usize, usize)> {
        let firsts = match self {
            Format::RoundRobin => engines,
            Format::Gauntlet => 1,
        };
        (0..firsts).flat_map(|a| (a + 1..engines).map(move |b| (a, b))).collect()
    }
}

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Key of the game, see [`crate::record::GameRecord::key`].
    pub key: String,
    /// Number of its pair.
    pub pair: u64,
    /// 0 or 1.
    pub half: u8,
    /// Number of the engine with Black.
    pub black: usize,
    /// Number of the engine with White.
    pub white: usize,
    /// The moves that are given.
    pub opening: Opening,
}

/// What a schedule is made of.
#[derive(Debug)]
pub struct Plan<'a> {
    /// See [`crate::record::Identity::fingerprint`].
    pub fingerprint: &'a str,
    /// Who meets.
    pub format: Format,
    /// How many engines there are.
    pub engines: usize,
    /// How many pairs of games each pairing plays.
    pub rounds: usize,
    /// Where openings come from.
    pub openings: &'a Sequence,
    /// The part that is played here.
    pub shard: Option<Shard>,
}

impl Plan<'_> {
    /// All games in order: in each round all pairings play one opening with both colors.
    pub fn tasks(&self) -> Vec<Task> {
        let pairings = self.format.pairings(self.engines);
        let mut tasks = Vec::new();
        for (round, opening) in (0..).zip(self.openings.take(self.rounds)) {
            if self.shard.is_some_and(|shard| !shard.holds(round)) {
                continue;
            }
            for (index, &(a, b)) in (0..).zip(&pairings) {
                let pair = round * pairings.len() as u64 + index;
                for (half, black, white) in [(0, a, b), (1, b, a)] {
                    let key = format!("{}-{pair}-{half}", self.fingerprint);
                    let opening = opening.clone();
                    tasks.push(Task { key, pair, half, black, white, opening });
                }
            }
        }
        tasks
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use tengen::types::size::BoardSize;
    use tengen::types::square::Square;

    use super::*;
    use crate::opening::Order;

    fn tasks(format: Format, engines: usize, rounds: usize, shard: Option<&str>) -> Vec<Task> {
        let openings = (0..7).map(|x| vec![Square::new(x, 3)]).collect();
        let size = BoardSize::square(15);
        let openings = Sequence::new(openings, size, false, Order::Random, 3);
        let shard = shard.map(|shard| shard.parse().unwrap());
        Plan { fingerprint: "f", format, engines, rounds, openings: &openings, shard }.tasks()
    }

    #[test]
    fn each_opening_is_played_with_both_colors() {
        let tasks = tasks(Format::RoundRobin, 2, 10, None);
        assert_eq!(tasks.len(), 20);
        for pair in tasks.chunks(2) {
            assert_eq!((pair[0].black, pair[0].white), (pair[1].white, pair[1].black));
            assert_eq!(pair[0].opening, pair[1].opening);
            assert_eq!((pair[0].half, pair[1].half), (0, 1));
        }
    }

    #[test]
    fn formats_give_their_pairings() {
        assert_eq!(Format::RoundRobin.pairings(3), [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(Format::Gauntlet.pairings(3), [(0, 1), (0, 2)]);
    }

    #[test]
    fn a_longer_run_begins_like_a_shorter_one() {
        let long = tasks(Format::RoundRobin, 3, 9, None);
        let short = tasks(Format::RoundRobin, 3, 4, None);
        assert_eq!(short, long[..short.len()]);
    }

    #[test]
    fn shards_together_are_the_run_and_share_nothing() {
        let all: HashSet<String> =
            tasks(Format::Gauntlet, 4, 20, None).into_iter().map(|task| task.key).collect();
        let shards: Vec<String> = (1..=3)
            .flat_map(|i| tasks(Format::Gauntlet, 4, 20, Some(&format!("{i}/3"))))
            .map(|task| task.key)
            .collect();
        assert_eq!(shards.len(), all.len());
        assert_eq!(shards.into_iter().collect::<HashSet<_>>(), all);
    }
}
