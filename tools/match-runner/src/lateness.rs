//! How long answers took and how late they came: counted, not judged.
//!
//! Owns the counts of one engine over many games, and what can be read off them. Must not know
//! files or how anything is shown. Milliseconds throughout; a late answer counts in whole ones,
//! rounded up. Start reading at `Answers::add`.

use std::collections::BTreeMap;

use crate::record::{End, GameRecord, Outcome};

/// Where the classes of lateness begin; the first is "not late".
pub const CLASSES: [u64; 12] = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];

/// The answers of one engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// Games it took part in.
    pub games: u64,
    /// What each answer used, the slowest last.
    pub used: Vec<u64>,
    /// The same of the first answer of each game, which has the start of the process in it.
    pub first: Vec<u64>,
    /// What each answer used beyond its limit, the latest last.
    pub over: Vec<u64>,
    /// Answers that never came; [`Answers::over`] has how long they were waited for.
    pub missing: u64,
}

/// The answers of all engines, by their names.
pub fn count<'a>(games: impl IntoIterator<Item = &'a GameRecord>) -> BTreeMap<String, Answers> {
    let mut engines: BTreeMap<String, Answers> = BTreeMap::new();
    for game in games {
        for (name, is_black) in [(&game.black, true), (&game.white, false)] {
            engines.entry(name.clone()).or_default().add(game, is_black);
        }
    }
    for answers in engines.values_mut() {
        for times in [&mut answers.used, &mut answers.first, &mut answers.over] {
            times.sort_unstable();
        }
    }
    engines
}

impl Answers {
    /// Takes the answers of one side of a game.
    fn add(&mut self, game: &GameRecord, is_black: bool) {
        self.games += 1;
        let opening = game.opening.bytes().filter(u8::is_ascii_alphabetic).count();
        let mut is_first = true;
        for (index, mv) in game.moves.iter().enumerate() {
            if (opening + index).is_multiple_of(2) == is_black {
                self.used.push(mv.ms);
                self.over.push(mv.over);
                if std::mem::take(&mut is_first) {
                    self.first.push(mv.ms);
                }
            }
        }
        let loser_is_black = game.outcome == Outcome::White;
        if let End::OutOfTime { limit_ms, over_ms, answered } = game.end
            && loser_is_black == is_black
        {
            self.over.push(over_ms);
            if answered {
                self.used.push(limit_ms + over_ms);
                if is_first {
                    self.first.push(limit_ms + over_ms);
                }
            } else {
                self.missing += 1;
            }
        }
    }

    /// How many answers are in each of [`CLASSES`].
    pub fn classes(&self) -> [u64; CLASSES.len()] {
        let mut counts = [0; CLASSES.len()];
        for &over in &self.over {
            counts[CLASSES.partition_point(|&from| from <= over) - 1] += 1;
        }
        counts
    }

    /// The latest answer, 0 where none was late.
    pub fn worst(&self) -> u64 {
        self.over.last().copied().unwrap_or(0)
    }
}

/// The smallest of the sorted times that so many thousandths of them do not exceed; none of none.
pub fn at_per_mille(sorted: &[u64], per_mille: usize) -> Option<u64> {
    let rank = (sorted.len() * per_mille).div_ceil(1000).max(1);
    sorted.get(rank - 1).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::MoveRecord;
    use crate::tally::tests::game;

    fn mv(ms: u64, over: u64) -> MoveRecord {
        let note = manager::brain::Note::default();
        MoveRecord { point: "a1".to_string(), ms, over, kib: 0, note }
    }

    #[test]
    fn answers_go_to_who_gave_them() {
        // Three stones are given, so White answers first.
        let mut won = game(0, 0, Outcome::Black);
        won.moves = vec![mv(30, 10), mv(7, 0), mv(9, 0), mv(25, 5)];
        let mut lost = game(0, 1, Outcome::White);
        lost.moves = vec![mv(8, 0)];
        lost.end = End::OutOfTime { limit_ms: 20, over_ms: 1500, answered: true };
        let counts = count([&won, &lost]);
        let (a_answers, b_answers) = (&counts["a"], &counts["b"]);
        assert_eq!((&a_answers.used[..], &a_answers.over[..]), (&[7, 8, 25][..], &[0, 0, 5][..]));
        assert_eq!(a_answers.first, [7, 8]);
        assert_eq!(b_answers.used, [9, 30, 1520], "a move that came too late is an answer");
        assert_eq!((&b_answers.first[..], b_answers.worst()), (&[30, 1520][..], 1500));
        assert_eq!(b_answers.classes(), [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0]);
    }

    #[test]
    fn an_answer_that_never_came_is_late_and_took_no_time() {
        let mut lost = game(0, 0, Outcome::White);
        lost.moves = Vec::new();
        lost.end = End::OutOfTime { limit_ms: 20, over_ms: 2000, answered: false };
        let counts = count([&lost]);
        let answers = &counts["a"];
        assert_eq!((answers.missing, answers.worst()), (1, 2000));
        assert!(answers.used.is_empty() && answers.first.is_empty());
        assert_eq!(counts["b"], Answers { games: 1, ..Answers::default() });
    }

    #[test]
    fn so_many_thousandths_are_not_above() {
        let times: Vec<u64> = (1..=200).collect();
        let found = [0, 500, 990, 999, 1000].map(|part| at_per_mille(&times, part));
        assert_eq!(found, [Some(1), Some(100), Some(198), Some(200), Some(200)]);
        assert_eq!(at_per_mille(&[], 500), None);
    }
}
