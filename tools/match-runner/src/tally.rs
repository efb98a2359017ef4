//! Games counted: wins, draws and losses, pairs, time and faults.
//!
//! Owns the counting, game by game, each game once. Must not know what the counts prove.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::record::{End, GameRecord, Outcome};

/// The results of two engines against each other, seen by the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairing {
    /// Games lost, drawn and won.
    pub games: [u64; 3],
    /// Complete pairs by score, from both lost to both won.
    pub pairs: [u64; 5],
    /// How many of the middle pairs are a win and a loss, rather than two draws.
    pub split: u64,
    /// Score in halves and win or loss of the game of each pair that waits for its other half.
    waiting: HashMap<String, u8>,
}

impl Pairing {
    /// What to calculate with: pairs as soon as there is one, games before.
    pub fn counts(&self) -> &[u64] {
        if self.pairs.iter().any(|&count| count > 0) { &self.pairs } else { &self.games }
    }

    /// Number of games.
    pub fn total(&self) -> u64 {
        self.games.iter().sum()
    }

    /// Number of complete pairs.
    pub fn total_pairs(&self) -> u64 {
        self.pairs.iter().sum()
    }

    fn add(&mut self, pair: &str, score: u8) {
        self.games[usize::from(score)] += 1;
        match self.waiting.remove(pair) {
            Some(other) => {
                self.pairs[usize::from(score + other)] += 1;
                self.split += u64::from(score != 1 && score + other == 2);
            }
            None => {
                self.waiting.insert(pair.to_string(), score);
            }
        }
    }
}

/// What one engine did, over all its games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conduct {
    /// Games lost, drawn and won.
    pub games: [u64; 3],
    /// Games won with Black.
    pub black_wins: u64,
    /// Moves made.
    pub moves: u64,
    /// Milliseconds they took.
    pub ms: u64,
    /// Moves that came with a node count, their nodes and milliseconds.
    pub counted: [u64; 3],
    /// The sum of depths and the number of moves that came with one.
    pub depths: [u64; 2],
    /// The most milliseconds a move took beyond its limit, within the tolerance or not.
    pub latest_ms: u64,
    /// The slowest move, in milliseconds.
    pub slowest_ms: u64,
    /// The most memory after a move, in KiB; 0 where nobody measured it.
    pub peak_kib: u64,
    /// Games lost by each kind of fault.
    pub faults: BTreeMap<&'static str, u64>,
}

/// All counts of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Names of the engines, in the order of the run.
    pub engines: Vec<String>,
    /// By the numbers of both engines, the smaller first.
    pub pairings: BTreeMap<(usize, usize), Pairing>,
    /// By the number of the engine.
    pub conduct: Vec<Conduct>,
    /// Games by how they ended.
    pub ends: BTreeMap<&'static str, u64>,
    /// Games that Black won, that were drawn, that White won.
    pub colors: [u64; 3],
    seen: HashSet<String>,
}

impl Tally {
    /// No games yet; engines that are not named here are added as they appear.
    pub fn new(engines: impl IntoIterator<Item = String>) -> Tally {
        let engines: Vec<String> = engines.into_iter().collect();
        let conduct = vec![Conduct::default(); engines.len()];
        Tally { engines, conduct, ..Tally::default() }
    }

    /// Counts a game, unless one with its key has been counted. Says whether it was.
    pub fn add(&mut self, game: &GameRecord) -> bool {
        if !self.seen.insert(game.key.clone()) {
            return false;
        }
        let (black, white) = (self.number(&game.black), self.number(&game.white));
        let score = match game.outcome {
            Outcome::Black => 2,
            Outcome::Draw => 1,
            Outcome::White => 0,
        };
        self.colors[usize::from(2 - score)] += 1;
        let (pairing, first) =
            if black < white { ((black, white), score) } else { ((white, black), 2 - score) };
        self.pairings.entry(pairing).or_default().add(game.pair_key(), first);
        self.conduct[black].games[usize::from(score)] += 1;
        self.conduct[white].games[usize::from(2 - score)] += 1;
        self.conduct[black].black_wins += u64::from(score == 2);
        let end = end_name(&game.end);
        *self.ends.entry(end).or_default() += 1;
        let loser = if score == 0 { black } else { white };
        if score != 1 && (game.end.is_abnormal() || game.end == End::Forbidden) {
            *self.conduct[loser].faults.entry(end).or_default() += 1;
        }
        if let End::OutOfTime { over_ms, .. } = game.end {
            let latest = &mut self.conduct[loser].latest_ms;
            *latest = over_ms.max(*latest);
        }
        self.add_moves(game, black, white);
        true
    }

    /// Number of games counted.
    pub fn total(&self) -> u64 {
        self.colors.iter().sum()
    }

    /// The only pairing of a run of two engines.
    pub fn only_pairing(&self) -> Option<&Pairing> {
        if self.engines.len() == 2 { self.pairings.get(&(0, 1)) } else { None }
    }

    fn add_moves(&mut self, game: &GameRecord, black: usize, white: usize) {
        let opening = game.opening.bytes().filter(u8::is_ascii_alphabetic).count();
        for (index, mv) in game.moves.iter().enumerate() {
            let mover = if (opening + index).is_multiple_of(2) { black } else { white };
            let conduct = &mut self.conduct[mover];
            conduct.moves += 1;
            conduct.ms += mv.ms;
            conduct.latest_ms = conduct.latest_ms.max(mv.over);
            conduct.slowest_ms = conduct.slowest_ms.max(mv.ms);
            conduct.peak_kib = conduct.peak_kib.max(mv.kib);
            if let Some(nodes) = mv.note.nodes {
                conduct.counted[0] += 1;
                conduct.counted[1] += nodes;
                conduct.counted[2] += mv.ms;
            }
            if let Some(depth) = mv.note.depth {
                conduct.depths[0] += u64::from(depth);
                conduct.depths[1] += 1;
            }
        }
    }

    fn number(&mut self, name: &str) -> usize {
        if let Some(number) = self.engines.iter().position(|engine| engine == name) {
            return number;
        }
        self.engines.push(name.to_string());
        self.conduct.push(Conduct::default());
        self.engines.len() - 1
    }
}

/// One or two words for a kind of end.
pub const fn end_name(end: &End) -> &'static str {
    match end {
        End::Five => "five",
        End::FullBoard => "full board",
        End::MoveLimit => "move limit",
        End::Adjudicated => "adjudicated",
        End::Forbidden => "forbidden",
        End::Illegal { .. } => "illegal",
        End::OutOfTime { .. } => "out of time",
        End::Crashed { .. } => "crashed",
        End::OverLimit { .. } => "over limit",
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::record::MoveRecord;
    use manager::brain::Note;

    /// A game of pair `pair`: half 0 has `a` as Black.
    pub(crate) fn game(pair: u64, half: u8, outcome: Outcome) -> GameRecord {
        let (black, white) = if half == 0 { ("a", "b") } else { ("b", "a") };
        GameRecord {
            key: format!("run-{pair}-{half}"),
            pair,
            half,
            rule: 0,
            size: 15,
            black: black.to_string(),
            white: white.to_string(),
            opening: "h8i9g7".to_string(),
            moves: vec![MoveRecord {
                point: "a1".to_string(),
                ms: 12,
                over: 3,
                kib: 2048,
                note: Note { depth: Some(4), eval: None, nodes: Some(1000) },
            }],
            outcome,
            end: End::Five,
            started: 0,
            took_ms: 0,
            last_lines: Vec::new(),
        }
    }

    #[test]
    fn pairs_are_counted_by_the_first_engines_score() {
        let mut tally = Tally::new(["a".to_string(), "b".to_string()]);
        for (pair, (first, second), slot) in [
            (0, (Outcome::Black, Outcome::White), 4),
            (1, (Outcome::White, Outcome::White), 2),
            (2, (Outcome::Draw, Outcome::Draw), 2),
            (3, (Outcome::Draw, Outcome::Black), 1),
            (4, (Outcome::White, Outcome::Black), 0),
        ] {
            let before = tally.only_pairing().map_or([0; 5], |pairing| pairing.pairs);
            assert!(tally.add(&game(pair, 1, second)));
            assert!(tally.add(&game(pair, 0, first)));
            let mut expected = before;
            expected[slot] += 1;
            assert_eq!(tally.only_pairing().unwrap().pairs, expected, "pair {pair}");
        }
        let pairing = tally.only_pairing().unwrap();
        assert_eq!((pairing.games, pairing.split), ([4, 3, 3], 1));
        assert_eq!(tally.colors, [3, 3, 4]);
    }

    #[test]
    fn a_game_counts_once_and_half_a_pair_waits() {
        let mut tally = Tally::new(["a".to_string(), "b".to_string()]);
        assert!(tally.add(&game(0, 0, Outcome::Black)));
        assert!(!tally.add(&game(0, 0, Outcome::Black)));
        let pairing = tally.only_pairing().unwrap();
        assert_eq!((pairing.total(), pairing.total_pairs()), (1, 0));
        assert_eq!(pairing.counts(), [0, 0, 1]);
    }

    #[test]
    fn moves_and_faults_go_to_who_made_them() {
        let mut tally = Tally::new(["a".to_string(), "b".to_string()]);
        let mut lost = game(0, 0, Outcome::Black);
        lost.end = End::OutOfTime { limit_ms: 100, over_ms: 40, answered: true };
        tally.add(&lost);
        // Three stones were given, so the one move is White's.
        assert_eq!(tally.conduct[0].moves, 0);
        assert_eq!(tally.conduct[1].counted, [1, 1000, 12]);
        assert_eq!(tally.conduct[1].latest_ms, 40);
        assert_eq!(tally.conduct[1].faults.get("out of time"), Some(&1));
        assert!(tally.conduct[0].faults.is_empty());
    }
}
