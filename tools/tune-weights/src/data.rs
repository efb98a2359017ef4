//! Recorded games as samples: what the evaluation saw and how it went, and which of the moves
//! the search chose.
//!
//! Owns which positions count and which games are held out. Features come from the engine's own
//! pattern code. Must not know weights beyond telling whose table a pattern belongs to.

use tengen::eval::Evaluation;
use tengen::eval::classical::threats;
use tengen::pattern::PATTERN_SETS;
use tengen::position::Position;
use tengen::search;
use tengen::types::color::Color;
use tengen::types::rule::Rule;

use learning::positions::{is_decided_at_sight, is_lesson};
use records::{Game, Verdict};

/// How a table of sets occurs in a position: an entry of all tables, and how many times more
/// for the side to move than against it, this ply and the one before together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) entry: u16,
    pub(crate) count: i16,
}

/// A position for the evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// Where its counts begin and end.
    pub(crate) counts: (u32, u32),
    /// The mask of threats.
    pub(crate) mask: u16,
    /// Whose move it is; says which table of threats.
    pub(crate) mover: Color,
    /// What the search gave it.
    pub(crate) score: i16,
    /// What the game gave the side to move: 0, a half or 1; none if a move that nobody chose
    /// came between.
    pub(crate) result: Option<f32>,
}

/// A move as ordering sees it: entries of the mover's and the other side's table of sets.
pub(crate) type Choice = (u16, u16);

/// A position for the ordering.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decision {
    /// Where its choices begin and end; the first one is what the search chose.
    pub(crate) choices: (u32, u32),
}

/// Samples of some games.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples {
    pub(crate) games: usize,
    pub(crate) counts: Vec<Count>,
    pub(crate) positions: Vec<Sample>,
    pub(crate) choices: Vec<Choice>,
    pub(crate) decisions: Vec<Decision>,
}

/// Which table of sets a color has: both have the same one but in renju.
pub(crate) fn table_of(rule: Rule, color: Color) -> usize {
    if rule == Rule::Renju { color.index() } else { 0 }
}

/// Number of tables of sets of a rule.
pub(crate) fn table_count(rule: Rule) -> usize {
    table_of(rule, Color::White) + 1
}

/// Per entry of all tables of sets, how many more empty squares Black has it on than White.
fn lead(position: &Position) -> Vec<i16> {
    let rule = position.rule();
    let mut lead = vec![0; table_count(rule) * PATTERN_SETS];
    for square in &position.empty_squares() {
        for (color, sign) in [(Color::Black, 1), (Color::White, -1)] {
            let set = position.patterns().set(color, square).index();
            lead[table_of(rule, color) * PATTERN_SETS + set] += sign;
        }
    }
    lead
}

impl Samples {
    /// Takes in a game; for `proven_from` see [`is_lesson`].
    pub(crate) fn add(&mut self, game: &Game, proven_from: i32) {
        self.games += 1;
        let mut position = Position::with(game.size, game.rule, Evaluation::Classical);
        let mut now = lead(&position);
        for (ply, mv) in game.moves.iter().enumerate() {
            let before = if ply == 0 { now.clone() } else { std::mem::take(&mut now) };
            now = lead(&position);
            if let Some(verdict) = game.verdict(ply)
                && is_lesson(&position, &verdict, proven_from)
            {
                if !is_decided_at_sight(&position) {
                    self.add_position(&position, (&now, &before), &verdict);
                }
                self.add_decision(&mut position, verdict.best);
            }
            if !position.is_empty(mv.square) {
                break;
            }
            position.play(mv.square);
        }
    }

    fn add_position(
        &mut self,
        position: &Position,
        (now, before): (&[i16], &[i16]),
        verdict: &Verdict,
    ) {
        let mover = position.side_to_move();
        let sign = if mover == Color::Black { 1 } else { -1 };
        let start = end_of(&self.counts);
        for (entry, (now, before)) in (0..).zip(now.iter().zip(before)) {
            let count = sign * (now + before);
            if count != 0 {
                self.counts.push(Count { entry, count });
            }
        }
        self.positions.push(Sample {
            counts: (start, end_of(&self.counts)),
            mask: u16::try_from(threats(position.patterns(), mover)).unwrap_or(0),
            mover,
            score: i16::try_from(verdict.score.value()).unwrap_or(0),
            result: verdict.result,
        });
    }

    fn add_decision(&mut self, position: &mut Position, chosen: tengen::types::square::Square) {
        let Some(squares) = search::choices(position) else { return };
        if squares.len() < 2 || !squares.contains(chosen) {
            return;
        }
        let mover = position.side_to_move();
        let entry = |color, square| {
            let table = table_of(position.rule(), color) * PATTERN_SETS;
            u16::try_from(table + position.patterns().set(color, square).index()).unwrap_or(0)
        };
        let choice = |square| (entry(mover, square), entry(mover.opponent(), square));
        let start = end_of(&self.choices);
        self.choices.push(choice(chosen));
        self.choices.extend(squares.iter().filter(|&square| square != chosen).map(choice));
        self.decisions.push(Decision { choices: (start, end_of(&self.choices)) });
    }

    /// Takes in many games on some threads; the samples stand in the order of the games.
    pub(crate) fn of_games(
        games: &[&Game],
        proven_from: i32,
        threads: usize,
        done: impl Fn() + Sync,
    ) -> Samples {
        let part = games.len().div_ceil(threads).max(1);
        let parts: Vec<Samples> = std::thread::scope(|scope| {
            let work = games.chunks(part).map(|games| {
                let done = &done;
                scope.spawn(move || {
                    let mut samples = Samples::default();
                    for game in games {
                        samples.add(game, proven_from);
                        done();
                    }
                    samples
                })
            });
            let work: Vec<_> = work.collect();
            work.into_iter().filter_map(|thread| thread.join().ok()).collect()
        });
        let mut all = Samples::default();
        for part in parts {
            all.append(part);
        }
        all
    }

    fn append(&mut self, other: Samples) {
        let (counts, choices) = (end_of(&self.counts), end_of(&self.choices));
        let moved = |by: u32, (start, end): (u32, u32)| (start + by, end + by);
        self.games += other.games;
        self.counts.extend(other.counts);
        self.choices.extend(other.choices);
        self.positions.extend(
            other.positions.into_iter().map(|at| Sample { counts: moved(counts, at.counts), ..at }),
        );
        let decisions = other.decisions.into_iter();
        self.decisions.extend(decisions.map(|at| Decision { choices: moved(choices, at.choices) }));
    }

    /// The counts of a position.
    pub(crate) fn counts_of(&self, sample: &Sample) -> &[Count] {
        &self.counts[sample.counts.0 as usize..sample.counts.1 as usize]
    }

    /// The choices of a decision, the chosen one first.
    pub(crate) fn choices_of(&self, decision: Decision) -> &[Choice] {
        &self.choices[decision.choices.0 as usize..decision.choices.1 as usize]
    }
}

/// Where the next element of a list will be.
fn end_of<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use records::{End, Move};
    use tengen::base::rng::Rng;
    use tengen::base::score::Score;
    use tengen::eval::weights::RuleWeights;
    use tengen::types::size::BoardSize;

    /// A game of random moves near the stones, with a score for each.
    pub(crate) fn random_game(
        rule: Rule,
        rng: &mut Rng,
        score: impl Fn(&mut Position) -> i32,
    ) -> Game {
        let size = BoardSize::square(15);
        let mut position = Position::with(size, rule, Evaluation::Classical);
        let mut moves = Vec::new();
        while moves.len() < 40 {
            let near = position.board().candidates();
            let square = near.iter().nth(rng.below(near.len())).unwrap();
            let mv = Move { score: Some(Score::eval(score(&mut position))), ..Move::plain(square) };
            moves.push(mv);
            position.play(square);
        }
        let winner = [None, Some(Color::Black), Some(Color::White)][rng.below(3)];
        Game { number: 0, rule, size, opening: 0, moves, winner, end: End::Adjudicated }
    }

    #[test]
    fn features_and_weights_give_the_engines_own_evaluation() {
        let mut rng = Rng::new(1);
        for rule in Rule::ALL {
            let weights = RuleWeights::of(rule);
            let mut samples = Samples::default();
            for _ in 0..10 {
                samples.add(&random_game(rule, &mut rng, |at| at.evaluate().value()), 7);
            }
            assert!(samples.positions.len() > 50, "{rule}");
            for sample in &samples.positions {
                let value = |count: &Count| {
                    let (table, set) = (count.entry / 2380, usize::from(count.entry % 2380));
                    let color = if table == 0 { Color::Black } else { Color::White };
                    let (set, _) = tengen::pattern::PatternSet::all()[set];
                    i32::from(count.count) * weights.value(color, set)
                };
                let sum: i32 = samples.counts_of(sample).iter().map(value).sum();
                let found = sum / 2 + weights.threats(sample.mover, usize::from(sample.mask));
                assert_eq!(found, i32::from(sample.score), "{rule}");
            }
        }
    }

    #[test]
    fn decisions_list_every_choice_once_and_the_chosen_first() {
        let mut rng = Rng::new(2);
        let mut samples = Samples::default();
        let game = random_game(Rule::Renju, &mut rng, |_| 0);
        samples.add(&game, 7);
        assert!(!samples.decisions.is_empty());
        let mut position = Position::with(game.size, game.rule, Evaluation::Classical);
        let mut decisions = samples.decisions.iter();
        for mv in &game.moves {
            if let Some(squares) = search::choices(&mut position)
                && squares.len() >= 2
                && squares.contains(mv.square)
            {
                let choices = samples.choices_of(*decisions.next().unwrap());
                assert_eq!(choices.len(), squares.len());
                let own = position.patterns().set(position.side_to_move(), mv.square).index();
                assert_eq!(usize::from(choices[0].0) % PATTERN_SETS, own);
            }
            position.play(mv.square);
        }
        assert!(decisions.next().is_none());
    }
}
