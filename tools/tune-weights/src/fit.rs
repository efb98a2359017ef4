//! A fit from beginning to end: from samples and a weights file to the file's new text.
//!
//! Owns the order of steps and what is compared. Must not know files, arguments or terminals.

use std::fmt;

use tengen::eval::weights::{RuleWeights, Section, THREAT_MASKS, parse, parse_sections};
use tengen::pattern::PatternSet;
use tengen::types::color::Color;
use tengen::types::rule::Rule;

use crate::data::Samples;
use crate::file::{self, Column, Fitted};
use crate::layout::{Block, Layout, Spread};
use crate::problems::{
    self, OrderProblem, ValueProblem, fit_scale, fit_temperature, fixed_order, loss_of_search,
    set_blocks,
};
use crate::rounding;
use crate::train::{History, Settings, mean_loss, train};
use learning::number::short;

/// What can be chosen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) rule: Rule,
    /// None: fitted first.
    pub(crate) scale: Option<f32>,
    /// None: fitted first.
    pub(crate) temperature: Option<f32>,
    pub(crate) result_part: f32,
    pub(crate) spread: Spread,
    pub(crate) order_spread: Spread,
    pub(crate) descent: Settings,
    /// What the fitted value is multiplied by before it is written; none: what keeps its spread.
    pub(crate) gain: Option<f32>,
    /// The same of the order.
    pub(crate) order_gain: Option<f32>,
    /// Length of the first steps of the order's descent.
    pub(crate) order_rate: f32,
    /// How often a set must be seen to get a line of its own.
    pub(crate) least: u32,
}

/// Losses on what was held out: before, fitted, and as the written file has it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Losses {
    pub(crate) before: f64,
    pub(crate) fitted: f64,
    pub(crate) written: f64,
    /// Of the search's own scores, where that makes sense.
    pub(crate) search: Option<f64>,
}

impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.4} before, {:.4} after", self.before, self.written)?;
        self.search.map_or(Ok(()), |search| write!(f, "; of the search {search:.4}"))
    }
}

/// What came out.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    pub(crate) scale: f32,
    pub(crate) temperature: f32,
    /// What value and order were multiplied by.
    pub(crate) gains: (f32, f32),
    pub(crate) value: Losses,
    /// The same against the results alone.
    pub(crate) result: Losses,
    pub(crate) order: Losses,
    /// How often the chosen move comes first in the order and its mean place: before, after.
    pub(crate) ranks: [(f64, f64); 2],
    pub(crate) value_history: History,
    pub(crate) order_history: History,
    pub(crate) sections: Vec<Section>,
}

/// Which fit an epoch belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Value,
    Order,
}

/// Why there is no fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FitError {
    /// The weights file cannot be read.
    File(String),
    /// There is nothing to learn from, or nothing to hold out.
    Nothing,
    /// The fitted order would try a slower win first.
    Order(String),
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FitError::File(what) => write!(f, "the weights file: {what}"),
            FitError::Nothing => f.write_str("expected games to learn from and to hold out"),
            FitError::Order(what) => write!(f, "the order came out wrong: {what}"),
        }
    }
}

impl std::error::Error for FitError {}

/// The colors that have sections of their own under a rule.
fn colors(rule: Rule) -> &'static [Color] {
    if rule == Rule::Renju { &Color::ALL } else { &Color::ALL[..1] }
}

/// The tables of a weights file, in the order of both problems' entries.
fn tables_of(weights: &RuleWeights, rule: Rule) -> (Vec<f32>, Vec<f32>) {
    let sets = PatternSet::all();
    let colors = || colors(rule).iter().map(|&color| weights.of_color(color));
    let column = |pick: fn(tengen::eval::weights::SetWeights) -> i16| -> Vec<f32> {
        let of = |color: &tengen::eval::weights::ColorWeights| {
            sets.iter().map(|&(set, _)| f32::from(pick(color.set(set)))).collect::<Vec<_>>()
        };
        colors().flat_map(of).collect()
    };
    let masks = colors().flat_map(|color| (0..THREAT_MASKS).map(|mask| color.threats(mask)));
    let masks: Vec<f32> = masks.map(f32::from).collect();
    let value = [column(|weights| weights.value), masks].concat();
    let order = [column(|weights| weights.attack), column(|weights| weights.defend)].concat();
    (value, order)
}

/// The sections of a rule in a file's text.
fn read_sections(text: &str, rule: Rule) -> Result<Vec<Section>, FitError> {
    let all = parse_sections(text).map_err(|error| FitError::File(error.to_string()))?;
    colors(rule)
        .iter()
        .map(|&color| {
            let name = Section::name_of(rule, color);
            let found = all.iter().find(|section| section.name == name).cloned();
            found.ok_or_else(|| FitError::File(format!("no section '{name}'")))
        })
        .collect()
}

/// Fits the weights of a rule; `watch` hears of each epoch.
///
/// Gives the file's new text as well, but for the comments, which `comment` makes.
pub(crate) fn fit(
    text: &str,
    learn: &Samples,
    held_out: &Samples,
    options: &Options,
    mut watch: impl FnMut(Stage, usize, &History),
) -> Result<Fit, FitError> {
    let rule = options.rule;
    let threads = options.descent.threads;
    if [learn, held_out].iter().any(|part| part.positions.is_empty() || part.decisions.is_empty()) {
        return Err(FitError::Nothing);
    }
    let sections = read_sections(text, rule)?;
    let blocks = set_blocks(rule);
    let of = |column: fn(&tengen::eval::weights::SetWeights) -> i16| -> Vec<f32> {
        let pairs = blocks.iter().zip(&sections);
        pairs.flat_map(|(&block, section)| Layout::read(block, section, column)).collect()
    };

    // The value.
    let scale = options.scale.unwrap_or_else(|| fit_scale(learn));
    let result_part = options.result_part;
    let value = |samples| ValueProblem { rule, samples, scale, result_part };
    let layout = Layout::new(ValueProblem::blocks(rule));
    let threats = sections.iter().flat_map(|known| Layout::read(Block::Threats, known, |_| 0));
    let start = [of(|weights| weights.value), threats.collect()].concat();
    let prior = layout.prior(&start, options.spread);
    let free = vec![false; start.len()];
    let problems = (&value(learn), &value(held_out));
    let (mut found, value_history) =
        train(problems, &layout, &start, (&prior, &free), &options.descent, |epoch, history| {
            watch(Stage::Value, epoch, history);
        });
    let gain = options.gain.unwrap_or_else(|| {
        let spread = |parameters: &[f32]| {
            problems::value_spread(&value(held_out), &layout.expand(parameters))
        };
        spread(&start) / spread(&found)
    });
    for parameter in &mut found {
        *parameter *= gain;
    }
    let value_tables = layout.expand(&found);

    // The order.
    let order_layout = Layout::new(OrderProblem::blocks(rule));
    let start = [of(|weights| weights.attack), of(|weights| weights.defend)].concat();
    let any = OrderProblem { rule, samples: learn, temperature: 1.0 };
    let temperature = options
        .temperature
        .unwrap_or_else(|| fit_temperature(&any, &order_layout.expand(&start), threads));
    let order = |samples| OrderProblem { rule, samples, temperature };
    let prior = order_layout.prior(&start, options.order_spread);
    let fixed = fixed_order(rule);
    let problems = (&order(learn), &order(held_out));
    let (mut order_found, order_history) = train(
        problems,
        &order_layout,
        &start,
        (&prior, &fixed),
        &Settings { rate: options.order_rate, ..options.descent },
        |epoch, history| watch(Stage::Order, epoch, history),
    );
    let order_gain = options.order_gain.unwrap_or_else(|| {
        let spread = |parameters: &[f32]| order(held_out).spread(&order_layout.expand(parameters));
        spread(&start) / spread(&order_found)
    });
    for (parameter, _) in order_found.iter_mut().zip(&fixed).filter(|(_, fixed)| !**fixed) {
        *parameter *= order_gain;
    }
    let order_tables = order_layout.expand(&order_found);

    // The scale of the values as they are written.
    let chance = file::whole(scale * gain).max(1);

    // As sections: where a set gets a line of its own its value is rounded with care.
    let (value_seen, order_seen) = (value(learn).occurrences(), order(learn).occurrences());
    let is_free: Vec<bool> = value_seen.iter().map(|&seen| seen >= options.least).collect();
    let whole_tables = rounding::round(&value(learn), &value_tables, &is_free);
    let count = blocks.len();
    let mut new = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        let column =
            |layout: &Layout, block: usize, found: &'_ [f32]| layout.split(block, found).0.to_vec();
        let parts = [
            column(&layout, at, &found),
            column(&order_layout, at, &order_found),
            column(&order_layout, count + at, &order_found),
        ];
        let [value_parts, attack_parts, defend_parts] = &parts;
        let fitted = Fitted {
            value: Column {
                parts: value_parts,
                values: layout.table(at, &whole_tables),
                seen: layout.table(at, &value_seen),
            },
            attack: Column {
                parts: attack_parts,
                values: order_layout.table(at, &order_tables),
                seen: order_layout.table(at, &order_seen),
            },
            defend: Column {
                parts: defend_parts,
                values: order_layout.table(count + at, &order_tables),
                seen: order_layout.table(count + at, &order_seen),
            },
            threats: layout.split(count + at, &found).0,
            masks: layout.table(count + at, &whole_tables),
            masks_seen: layout.table(count + at, &value_seen),
        };
        let fouls = *block == Block::Sets { fouls: true };
        let section = file::section(&sections[at].name, fouls, &fitted, options.least, chance);
        file::check_order(&section, fouls).map_err(FitError::Order)?;
        new.push(section);
    }

    // As the engine will read it.
    let weights = |text: &str| -> Result<(Vec<f32>, Vec<f32>), FitError> {
        let all = parse(text).map_err(|error| FitError::File(error.to_string()))?;
        Ok(tables_of(&all[rule.index()], rule))
    };
    let before = weights(text)?;
    let written = weights(&put(text, &new, "")?)?;
    let compare = |result_part: f32| {
        let problem = ValueProblem { result_part, ..value(held_out) };
        // With a gain the same value is worth less or more, which the search's scores are not.
        let loss = |tables: &[f32], gain: f32| {
            let tables: Vec<f32> = tables.iter().map(|value| value / gain).collect();
            mean_loss(&problem, &tables, threads)
        };
        Losses {
            before: loss(&before.0, 1.0),
            fitted: loss(&value_tables, gain),
            written: loss(&written.0, gain),
            search: Some(loss_of_search(&problem)),
        }
    };
    let held_order = order(held_out);
    let loss = |tables: &[f32], gain: f32| {
        let problem = OrderProblem { temperature: temperature * gain, ..held_order };
        mean_loss(&problem, tables, threads)
    };
    Ok(Fit {
        scale,
        temperature,
        gains: (gain, order_gain),
        value: compare(result_part),
        result: compare(1.0),
        order: Losses {
            before: loss(&before.1, 1.0),
            fitted: loss(&order_tables, order_gain),
            written: loss(&written.1, order_gain),
            search: None,
        },
        ranks: [held_order.ranks(&before.1), held_order.ranks(&written.1)],
        value_history,
        order_history,
        sections: new,
    })
}

/// The file's text with new sections.
pub(crate) fn put(text: &str, sections: &[Section], comment: &str) -> Result<String, FitError> {
    sections.iter().try_fold(text.to_owned(), |text, section| {
        let missing = || FitError::File(format!("no section '{}'", section.name));
        file::replace(&text, section, comment).ok_or_else(missing)
    })
}

/// A number in the precision of the descent; for options.
pub(crate) fn option(number: f64) -> f32 {
    short(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::tests::random_game;
    use tengen::base::rng::Rng;
    use tengen::pattern::LinePattern;

    const FILE: &str = include_str!("../../../src/eval/data/classical.txt");

    fn options(rule: Rule) -> Options {
        let spread = Spread { part: 50.0, set: 20.0, mask: 20.0 };
        Options {
            rule,
            scale: Some(100.0),
            temperature: None,
            result_part: 0.0,
            spread,
            order_spread: spread,
            gain: None,
            order_gain: None,
            order_rate: 5.0,
            descent: Settings { epochs: 12, batch: 200, rate: 1.0, threads: 2, seed: 1 },
            least: 1,
        }
    }

    /// Games whose scores follow a rule of their own: twos of the mover are worth a lot.
    fn games(rule: Rule, seed: u64, count: usize) -> Samples {
        let mut rng = Rng::new(seed);
        let mut samples = Samples::default();
        for _ in 0..count {
            let game = random_game(rule, &mut rng, |position| {
                let position = &*position;
                let count = |color: Color| -> i32 {
                    let squares = position.empty_squares();
                    let twos = squares.iter().flat_map(|square| {
                        let line = move |d| position.patterns().line(color, square, d);
                        tengen::types::direction::Direction::ALL.map(line)
                    });
                    twos.map(|line| i32::from(line == LinePattern::OpenTwo)).sum()
                };
                let own = position.side_to_move();
                10 * (count(own) - count(own.opponent()))
            });
            samples.add(&game, 7);
        }
        samples
    }

    #[test]
    fn a_made_up_evaluation_is_learned() {
        for rule in [Rule::Freestyle, Rule::Renju] {
            let (learn, held_out) = (games(rule, 1, 60), games(rule, 2, 20));
            let mut epochs = 0;
            let fit = fit(FILE, &learn, &held_out, &options(rule), |_, _, _| epochs += 1).unwrap();
            assert_eq!(epochs, 2 * 13);
            assert!(fit.value.fitted < fit.value.before, "{rule}: {:?}", fit.value);
            for losses in [fit.value, fit.order] {
                assert!((losses.written - losses.fitted).abs() < 0.01, "{rule}: {losses:?}");
            }
            // The moves were random, so their order is learned by heart only.
            for history in [&fit.value_history, &fit.order_history] {
                assert!(history.train[12] < history.train[0], "{rule}: {history:?}");
            }
            let two = fit.sections[0].lines[LinePattern::OpenTwo as usize].value;
            let one = fit.sections[0].lines[LinePattern::OpenOne as usize].value;
            assert!(two > one, "{rule}: {two} {one}");
            assert!(put(FILE, &fit.sections, "a comment").unwrap().contains("# a comment"));
        }
    }

    #[test]
    fn nothing_to_learn_from_is_an_error() {
        let (none, some) = (Samples::default(), games(Rule::Freestyle, 3, 2));
        let fit = |learn, held_out| {
            fit(FILE, learn, held_out, &options(Rule::Freestyle), |_, _, _| ()).unwrap_err()
        };
        assert_eq!(fit(&none, &some), FitError::Nothing);
        assert_eq!(fit(&some, &none), FitError::Nothing);
    }
}
