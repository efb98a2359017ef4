//! Recorded games as samples: what the network sees of each position, and what it should say.
//!
//! Owns which positions count and what their targets are. What is seen comes from the engine's
//! own code. Must not know parameters.

use learning::loss::{self, sigmoid};
use learning::number::short_of;
use learning::positions::{is_decided_at_sight, is_lesson};
use records::{Game, Verdict};
use tengen::base::score::Score;
use tengen::eval::Evaluation;
use tengen::eval::classical::threats;
use tengen::eval::network::features;
use tengen::eval::weights::RuleWeights;
use tengen::position::Position;
use tengen::search;
use tengen::types::color::Color;
use tengen::types::rule::Rule;
use tengen::types::square::SquareSet;

/// An empty square as both sides see it: the side to move first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) windows: [[u16; 4]; 2],
    pub(crate) sets: [u16; 2],
    /// A stone stands on one of its four lines: it counts for the value.
    pub(crate) is_active: bool,
    /// It is one of the moves that a search chooses from, and how the classical evaluation
    /// ranks it there.
    pub(crate) choice: Option<i16>,
}

/// What the value should be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueTarget {
    /// The chance of the side to move, by search and result.
    pub(crate) chance: f32,
    /// The result alone, where there is one.
    pub(crate) result: Option<f32>,
    /// What the search's score alone says of the chance, as a logit.
    pub(crate) search: f32,
    /// The search's score is no proven one.
    pub(crate) is_open: bool,
}

/// A position.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// Where its squares begin and end.
    pub(crate) cells: (u32, u32),
    pub(crate) mover: Color,
    /// The mask of threats.
    pub(crate) mask: u16,
    /// The classical value, in units of the logit.
    pub(crate) classical: f32,
    pub(crate) value: Option<ValueTarget>,
    /// Which of the squares the search chose.
    pub(crate) best: Option<u32>,
}

/// Samples of some games.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples {
    pub(crate) cells: Vec<Seen>,
    pub(crate) list: Vec<Sample>,
}

/// A game with the scale of its scores: the value that is one unit of the logistic function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    pub(crate) game: &'a Game,
    pub(crate) scale: f32,
}

/// What the targets are made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Targets {
    /// How much of a value's target is the game's result, the rest is the search's score.
    pub(crate) result_part: f32,
    /// A proven score counts only if the end is at least so many plies away.
    pub(crate) proven_from: i32,
}

/// What does not change from position to position.
#[derive(Debug)]
pub(crate) struct Extractor {
    /// The rule the positions are seen by; none: the rule of each game.
    rule: Option<Rule>,
    exchanged: Vec<u16>,
    stoned: Vec<bool>,
    targets: Targets,
}

impl Extractor {
    pub(crate) fn new(rule: Option<Rule>, targets: Targets) -> Extractor {
        Extractor { rule, exchanged: features::exchanged(), stoned: features::stoned(), targets }
    }

    /// Takes in a game.
    pub(crate) fn add(&self, source: Source, samples: &mut Samples) {
        let game = source.game;
        let rule = self.rule.unwrap_or(game.rule);
        let mut position = Position::with(game.size, rule, Evaluation::Classical);
        for (ply, mv) in game.moves.iter().enumerate() {
            if let Some(verdict) = game.verdict(ply)
                && is_lesson(&position, &verdict, self.targets.proven_from)
            {
                self.add_position(&mut position, &verdict, source.scale, samples);
            }
            if !position.is_empty(mv.square) {
                break;
            }
            position.play(mv.square);
        }
    }

    fn add_position(
        &self,
        position: &mut Position,
        verdict: &Verdict,
        scale: f32,
        samples: &mut Samples,
    ) {
        let has_choice = search::choices(position)
            .is_some_and(|choices| choices.len() >= 2 && choices.contains(verdict.best));
        if has_choice || !is_decided_at_sight(position) {
            self.sample(position, verdict, scale, samples);
        }
    }

    /// Takes in a position, whatever it is.
    fn sample(
        &self,
        position: &mut Position,
        verdict: &Verdict,
        scale: f32,
        samples: &mut Samples,
    ) {
        let choices = search::choices(position)
            .filter(|choices| choices.len() >= 2 && choices.contains(verdict.best));
        let is_decided = is_decided_at_sight(position);
        let value = (!is_decided).then(|| {
            let search = score_value(verdict.score) / scale;
            let by_score = sigmoid(search);
            let part = self.targets.result_part;
            let mixed = |result| part * result + (1.0 - part) * by_score;
            ValueTarget {
                chance: verdict.result.map_or(by_score, mixed),
                result: verdict.result,
                search,
                is_open: !verdict.score.is_decided(),
            }
        });
        let mover = position.side_to_move();
        let start = samples.cells.len();
        let mut best = None;
        let is_choice =
            |square| choices.as_ref().is_some_and(|set: &SquareSet| set.contains(square));
        for square in &position.empty_squares() {
            let cell = features::cell(position.board(), position.patterns(), square);
            let is_active = cell.windows.iter().any(|&window| self.stoned[usize::from(window)]);
            let choice = is_choice(square);
            if !is_active && !choice {
                continue;
            }
            if choice && square == verdict.best {
                best = u32::try_from(samples.cells.len() - start).ok();
            }
            let other = cell.windows.map(|window| self.exchanged[usize::from(window)]);
            let sets = cell.sets.map(|set| u16::try_from(set.index()).unwrap_or(0));
            let rank = choice.then(|| i16::try_from(position.move_score(square)).unwrap_or(0));
            samples.cells.push(if mover == Color::Black {
                Seen { windows: [cell.windows, other], sets, is_active, choice: rank }
            } else {
                let sets = [sets[1], sets[0]];
                Seen { windows: [other, cell.windows], sets, is_active, choice: rank }
            });
        }
        samples.list.push(Sample {
            cells: (end(start), end(samples.cells.len())),
            mover,
            mask: u16::try_from(threats(position.patterns(), mover)).unwrap_or(0),
            classical: short_of(position.evaluate().value()) / classical_scale(position.rule()),
            value,
            best,
        });
    }

    /// Takes in many games on some threads; the samples stand in the order of the games.
    pub(crate) fn of_games(&self, games: &[Source], threads: usize) -> Samples {
        let part = games.len().div_ceil(threads).max(1);
        let parts: Vec<Samples> = std::thread::scope(|scope| {
            let work: Vec<_> = games
                .chunks(part)
                .map(|games| {
                    scope.spawn(move || {
                        let mut samples = Samples::default();
                        for &game in games {
                            self.add(game, &mut samples);
                        }
                        samples
                    })
                })
                .collect();
            work.into_iter().filter_map(|thread| thread.join().ok()).collect()
        });
        let mut all = Samples::default();
        for part in parts {
            let by = end(all.cells.len());
            all.cells.extend(part.cells);
            all.list.extend(part.list.into_iter().map(|sample| Sample {
                cells: (sample.cells.0 + by, sample.cells.1 + by),
                ..sample
            }));
        }
        all
    }
}

impl Samples {
    /// The squares of a sample.
    pub(crate) fn cells_of(&self, sample: &Sample) -> &[Seen] {
        &self.cells[sample.cells.0 as usize..sample.cells.1 as usize]
    }
}

fn end(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// A score as a value; a proven one is as good as certain.
fn score_value(score: Score) -> f32 {
    short_of(score.value())
}

/// The scale at which the scores of games predict their results best.
pub(crate) fn fit_scale(games: &[Game]) -> f32 {
    let verdicts =
        games.iter().flat_map(|game| (0..game.moves.len()).filter_map(|ply| game.verdict(ply)));
    let pairs: Vec<(f32, f32)> = verdicts
        .filter(|verdict| !verdict.score.is_decided())
        .filter_map(|verdict| Some((score_value(verdict.score), verdict.result?)))
        .take(300_000)
        .collect();
    loss::fit_scale(&pairs)
}

/// The scale of the engine's classical values.
fn classical_scale(rule: Rule) -> f32 {
    short_of(RuleWeights::of(rule).chance_scale().into())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use records::{End, Move};
    use tengen::base::rng::Rng;
    use tengen::types::size::BoardSize;
    use tengen::types::square::Square;

    const TARGETS: Targets = Targets { result_part: 0.5, proven_from: 5 };

    /// A game of random moves near the stones, with random scores.
    pub(crate) fn random_game(rule: Rule, rng: &mut Rng) -> Game {
        let size = BoardSize::square(15);
        let mut position = Position::with(size, rule, Evaluation::Classical);
        let mut moves = Vec::new();
        while moves.len() < 40 {
            let near = position.board().candidates();
            let square = near.iter().nth(rng.below(near.len())).unwrap();
            let score = Score::eval(i32::try_from(rng.below(400)).unwrap() - 200);
            moves.push(Move { score: Some(score), ..Move::plain(square) });
            position.play(square);
        }
        let winner = [None, Some(Color::Black), Some(Color::White)][rng.below(3)];
        Game { number: 0, rule, size, opening: 0, moves, winner, end: End::Adjudicated }
    }

    pub(crate) fn random_samples(rule: Rule, seed: u64, games: usize) -> Samples {
        let mut rng = Rng::new(seed);
        let games: Vec<Game> = (0..games).map(|_| random_game(rule, &mut rng)).collect();
        let sources: Vec<Source> = games.iter().map(|game| Source { game, scale: 200.0 }).collect();
        Extractor::new(Some(rule), TARGETS).of_games(&sources, 2)
    }

    /// A position as a sample, with any verdict.
    pub(crate) fn sample_of(position: &mut Position) -> (Samples, Sample) {
        let rule = position.rule();
        let best = position.board().candidates().first().unwrap_or(Square::new(0, 0));
        let verdict = Verdict { best, score: Score::eval(3), result: Some(1.0) };
        let mut samples = Samples::default();
        Extractor::new(Some(rule), TARGETS).sample(position, &verdict, 200.0, &mut samples);
        let sample = samples.list.pop().unwrap();
        (samples, sample)
    }

    #[test]
    fn what_is_seen_is_of_the_side_to_move_first() {
        let rule = Rule::Freestyle;
        let mut position = Position::with(BoardSize::square(15), rule, Evaluation::Classical);
        for square in [Square::new(7, 7), Square::new(0, 0), Square::new(8, 7)] {
            position.play(square);
        }
        // White to move: Black's pair is the other side's.
        let (samples, sample) = sample_of(&mut position);
        assert_eq!(sample.mover, Color::White);
        let strongest = |side: usize| {
            let cells = samples.cells_of(&sample).iter();
            cells.map(|seen| seen.sets[side]).max().unwrap()
        };
        assert!(strongest(1) > strongest(0));
    }

    #[test]
    fn samples_are_the_same_on_any_number_of_threads() {
        let mut rng = Rng::new(7);
        let games: Vec<Game> = (0..7).map(|_| random_game(Rule::Standard, &mut rng)).collect();
        let sources: Vec<Source> = games.iter().map(|game| Source { game, scale: 99.0 }).collect();
        let extractor = Extractor::new(Some(Rule::Standard), TARGETS);
        let all = [1, 3].map(|threads| {
            let samples = extractor.of_games(&sources, threads);
            assert!(samples.list.len() > 50);
            format!("{samples:?}")
        });
        assert_eq!(all[0], all[1]);
    }

    #[test]
    fn the_scale_of_scores_is_found() {
        // Games whose scores of 100 win three times of four: ln 3 is one unit of 91.
        let mut rng = Rng::new(8);
        let games: Vec<Game> = (0..400)
            .map(|nth| {
                let mut game = random_game(Rule::Freestyle, &mut rng);
                game.winner = Some(if nth % 4 == 0 { Color::White } else { Color::Black });
                for (ply, mv) in game.moves.iter_mut().enumerate() {
                    mv.score = Some(Score::eval(if ply % 2 == 0 { 100 } else { -100 }));
                }
                game
            })
            .collect();
        assert!((fit_scale(&games) - 91.0).abs() < 1.0, "{}", fit_scale(&games));
    }
}
