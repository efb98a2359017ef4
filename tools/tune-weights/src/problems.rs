//! The two things that are fitted: the value of a position and the order of moves.
//!
//! Value: `sigmoid(value / scale)` is to predict a blend of the game's result and the search's
//! score. Order: `softmax(score / temperature)` over the moves of a node is to predict the one
//! that the search chose. (Both after rapfi `tuning/tuner.cpp`.)

use learning::loss::{self, cross_entropy, minimum, sigmoid};
use learning::number::{real, short};
use tengen::base::score::Score;
use tengen::eval::weights::THREAT_MASKS;
use tengen::pattern::{Combined, LinePattern, PATTERN_SETS, PatternSet};
use tengen::types::color::Color;
use tengen::types::rule::Rule;

use crate::data::{Choice, Sample, Samples, table_count, table_of};
use crate::layout::Block;
use crate::train::Problem;

/// The blocks of sets of a rule: one table, or one for each color.
pub(crate) fn set_blocks(rule: Rule) -> Vec<Block> {
    match rule {
        Rule::Renju => vec![Block::Sets { fouls: true }, Block::Sets { fouls: false }],
        _ => vec![Block::Sets { fouls: false }],
    }
}

/// How the value of positions is fitted. Tables: sets per color, then threats per color.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueProblem<'a> {
    pub(crate) rule: Rule,
    pub(crate) samples: &'a Samples,
    /// How much of a value is one unit of the logistic function.
    pub(crate) scale: f32,
    /// How much of the target is the game's result; the rest is the search's score.
    pub(crate) result_part: f32,
}

impl ValueProblem<'_> {
    /// The blocks of the tables.
    pub(crate) fn blocks(rule: Rule) -> Vec<Block> {
        let mut blocks = set_blocks(rule);
        blocks.extend(vec![Block::Threats; blocks.len()]);
        blocks
    }

    /// Calls `visit` with each entry that the value of a position is made of, and how much of it.
    pub(crate) fn each_part(&self, sample: usize, mut visit: impl FnMut(usize, f32)) {
        let sample = &self.samples.positions[sample];
        for count in self.samples.counts_of(sample) {
            visit(usize::from(count.entry), 0.5 * f32::from(count.count));
        }
        visit(self.threat_entry(sample.mover, sample.mask), 1.0);
    }

    /// The value of a position by these tables.
    fn value(&self, sample: usize, tables: &[f32]) -> f32 {
        let mut value = 0.0;
        self.each_part(sample, |entry, part| value += part * tables[entry]);
        value
    }

    fn threat_entry(&self, mover: Color, mask: u16) -> usize {
        let sets = table_count(self.rule) * PATTERN_SETS;
        sets + table_of(self.rule, mover) * THREAT_MASKS + usize::from(mask)
    }

    fn target(&self, sample: usize) -> f32 {
        let sample = &self.samples.positions[sample];
        let by_score = sigmoid(f32::from(sample.score) / self.scale);
        sample.result.map_or(by_score, |result| {
            self.result_part * result + (1.0 - self.result_part) * by_score
        })
    }

    /// How often each entry occurs.
    pub(crate) fn occurrences(&self) -> Vec<u32> {
        let tables = table_count(self.rule);
        let mut seen = vec![0; tables * (PATTERN_SETS + THREAT_MASKS)];
        for sample in 0..self.samples.positions.len() {
            self.each_part(sample, |entry, _| seen[entry] += 1);
        }
        seen
    }
}

impl Problem for ValueProblem<'_> {
    fn count(&self) -> usize {
        self.samples.positions.len()
    }

    fn sample(&self, sample: usize, tables: &[f32], gradient: Option<&mut [f32]>) -> f32 {
        let x = self.value(sample, tables) / self.scale;
        let target = self.target(sample);
        if let Some(gradient) = gradient {
            let slope = (sigmoid(x) - target) / self.scale;
            self.each_part(sample, |entry, part| gradient[entry] += part * slope);
        }
        cross_entropy(x, target)
    }
}

/// The root of the mean squared value of these tables: the unit that margins are made for.
pub(crate) fn value_spread(problem: &ValueProblem<'_>, tables: &[f32]) -> f32 {
    let count = problem.samples.positions.len();
    let square = |sample| f64::from(problem.value(sample, tables).powi(2));
    short(((0..count).map(square).sum::<f64>() / real(count.max(1))).sqrt())
}

/// The mean loss of the search's own scores: what an evaluation that sees as much would have.
pub(crate) fn loss_of_search(problem: &ValueProblem<'_>) -> f64 {
    let losses = problem.samples.positions.iter().enumerate().map(|(at, sample)| {
        f64::from(cross_entropy(f32::from(sample.score) / problem.scale, problem.target(at)))
    });
    losses.sum::<f64>() / real(problem.samples.positions.len().max(1))
}

/// The scale with which the search's scores predict the results best.
pub(crate) fn fit_scale(samples: &Samples) -> f32 {
    let is_open = |at: &&Sample| !Score::from_value(i32::from(at.score)).is_decided();
    let positions = samples.positions.iter().filter(is_open);
    let pairs: Vec<(f32, f32)> =
        positions.filter_map(|at| Some((f32::from(at.score), at.result?))).collect();
    loss::fit_scale(&pairs)
}

/// Decisions with at least so many choices are ordinary ones.
const MANY_CHOICES: usize = 30;

/// How the order of moves is fitted. Tables: attack per color, then defend per color.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrderProblem<'a> {
    pub(crate) rule: Rule,
    pub(crate) samples: &'a Samples,
    /// How much of a score is one unit of the softmax.
    pub(crate) temperature: f32,
}

impl OrderProblem<'_> {
    /// The blocks of the tables.
    pub(crate) fn blocks(rule: Rule) -> Vec<Block> {
        let sets = set_blocks(rule);
        [sets.clone(), sets].concat()
    }

    /// Where the tables of defense begin.
    fn defense(&self) -> usize {
        table_count(self.rule) * PATTERN_SETS
    }

    fn score(&self, (own, other): Choice, tables: &[f32]) -> f32 {
        tables[usize::from(own)] + tables[self.defense() + usize::from(other)]
    }

    /// How often the chosen move comes first, and its mean place, from 1.
    pub(crate) fn ranks(&self, tables: &[f32]) -> (f64, f64) {
        let mut first = 0;
        let mut places = 0;
        for decision in &self.samples.decisions {
            let choices = self.samples.choices_of(*decision);
            let chosen = self.score(choices[0], tables);
            let before = choices[1..].iter().filter(|&&choice| self.score(choice, tables) > chosen);
            let before = before.count();
            first += usize::from(before == 0);
            places += 1 + before;
        }
        let count = real(self.samples.decisions.len().max(1));
        (real(first) / count, real(places) / count)
    }

    /// How far the scores of a decision's choices are from their mean, over all decisions with
    /// many choices: where there are few, some stop a four and stand far out.
    pub(crate) fn spread(&self, tables: &[f32]) -> f32 {
        let mut squares = 0.0;
        let mut count = 0;
        for decision in &self.samples.decisions {
            let choices = self.samples.choices_of(*decision);
            if choices.len() >= MANY_CHOICES {
                let scores = || choices.iter().map(|&choice| f64::from(self.score(choice, tables)));
                let mean = scores().sum::<f64>() / real(choices.len());
                squares += scores().map(|score| (score - mean).powi(2)).sum::<f64>();
                count += choices.len();
            }
        }
        short((squares / real(count.max(1))).sqrt())
    }

    /// How often each entry occurs among the choices.
    pub(crate) fn occurrences(&self) -> Vec<u32> {
        let mut seen = vec![0; 2 * self.defense()];
        for &(own, other) in &self.samples.choices {
            seen[usize::from(own)] += 1;
            seen[self.defense() + usize::from(other)] += 1;
        }
        seen
    }
}

impl Problem for OrderProblem<'_> {
    fn count(&self) -> usize {
        self.samples.decisions.len()
    }

    fn sample(&self, sample: usize, tables: &[f32], gradient: Option<&mut [f32]>) -> f32 {
        let choices = self.samples.choices_of(self.samples.decisions[sample]);
        let logit = |choice: Choice| self.score(choice, tables) / self.temperature;
        let most = choices.iter().copied().map(logit).fold(f32::MIN, f32::max);
        let total: f32 = choices.iter().map(|&choice| (logit(choice) - most).exp()).sum();
        if let Some(gradient) = gradient {
            let defense = self.defense();
            for (at, &choice) in choices.iter().enumerate() {
                let chance = (logit(choice) - most).exp() / total;
                let slope = (chance - if at == 0 { 1.0 } else { 0.0 }) / self.temperature;
                gradient[usize::from(choice.0)] += slope;
                gradient[defense + usize::from(choice.1)] += slope;
            }
        }
        total.ln() - (logit(choices[0]) - most)
    }
}

/// The temperature with which these tables predict the chosen moves best.
pub(crate) fn fit_temperature(problem: &OrderProblem<'_>, tables: &[f32], threads: usize) -> f32 {
    let loss = |temperature: f64| {
        let problem = OrderProblem { temperature: short(temperature), ..*problem };
        crate::train::mean_loss(&problem, tables, threads)
    };
    short(minimum(2.0, 1000.0, loss))
}

/// Classes of moves whose order is not fitted: the search decides them before it orders, so the
/// data says nothing, and they must stay in front.
const KEPT_ATTACK: &[Combined] = &[Combined::DoubleFour, Combined::OpenFour, Combined::Five];
const KEPT_DEFEND: &[Combined] = &[Combined::Five];

/// Which parameters of the order stay as they are.
pub(crate) fn fixed_order(rule: Rule) -> Vec<bool> {
    let blocks = set_blocks(rule);
    let mut fixed = Vec::new();
    for (kept, weakest_line) in
        [(KEPT_ATTACK, LinePattern::OpenFour), (KEPT_DEFEND, LinePattern::Five)]
    {
        for block in &blocks {
            let fouls = *block == Block::Sets { fouls: true };
            fixed.extend(LinePattern::ALL.map(|line| line >= weakest_line));
            fixed.extend(Combined::ALL.map(|combined| kept.contains(&combined)));
            let sets = PatternSet::all().into_iter();
            fixed.extend(sets.map(|(_, lines)| kept.contains(&Combined::of(lines, fouls))));
        }
    }
    fixed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::tests::random_game;
    use tengen::base::rng::Rng;

    /// Compares a gradient with differences of the loss.
    fn check_gradient(problem: &impl Problem, entries: usize) {
        let mut rng = Rng::new(5);
        let mut small = || short(real(rng.below(2000)) / 100.0 - 10.0);
        let tables: Vec<f32> = (0..entries).map(|_| small()).collect();
        for sample in [0, problem.count() / 2, problem.count() - 1] {
            let mut gradient = vec![0.0; entries];
            problem.sample(sample, &tables, Some(&mut gradient));
            let strong = |&at: &usize| gradient[at].abs() > 1e-3;
            let some: Vec<usize> = (0..entries).filter(strong).take(20).collect();
            assert!(!some.is_empty());
            for at in some {
                let mut moved = tables.clone();
                moved[at] += 0.25;
                let above = problem.sample(sample, &moved, None);
                moved[at] -= 0.5;
                let below = problem.sample(sample, &moved, None);
                let slope = (above - below) / 0.5;
                assert!((slope - gradient[at]).abs() < 2e-3, "{slope} {}", gradient[at]);
            }
        }
    }

    #[test]
    fn gradients_are_slopes_of_the_losses() {
        let mut rng = Rng::new(6);
        for rule in [Rule::Freestyle, Rule::Renju] {
            let mut samples = Samples::default();
            for _ in 0..3 {
                samples.add(&random_game(rule, &mut rng, |at| at.evaluate().value()), 7);
            }
            let tables = table_count(rule);
            let value = ValueProblem { rule, samples: &samples, scale: 20.0, result_part: 0.4 };
            check_gradient(&value, tables * (PATTERN_SETS + THREAT_MASKS));
            let order = OrderProblem { rule, samples: &samples, temperature: 5.0 };
            check_gradient(&order, tables * 2 * PATTERN_SETS);
        }
    }

    #[test]
    fn only_what_wins_at_once_is_kept_out_of_the_order() {
        let fixed = fixed_order(Rule::Renju);
        assert_eq!(fixed.len(), 4 * (14 + 15 + 2380));
        // White's attack and Black's defense: five, open four and double four; five.
        let part = |number: usize| &fixed[number * (14 + 15 + 2380)..][..14 + 15 + 2380];
        let kept = |flags: &[bool]| flags.iter().filter(|&&kept| kept).count();
        assert_eq!((kept(&part(1)[..14]), kept(&part(1)[14..29])), (2, 3));
        assert_eq!((kept(&part(2)[..14]), kept(&part(2)[14..29])), (1, 1));
    }
}
