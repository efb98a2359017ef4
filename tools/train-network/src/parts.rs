//! Rows as sums of parts they share with others, so that rare ones learn from frequent ones.
//!
//! Owns the parts: of a window its cores of smaller reach, of a set its four line patterns and
//! what they make together. While training, a row is its own difference plus its parts; the
//! file holds the sums. (Virtual features, as nodchip's trainer for shogi has them.)

use tengen::eval::network::features::{WINDOWS, cores};
use tengen::eval::network::shape::{self, CHANNELS, ROWS, TABLE};
use tengen::pattern::{COMBINED_PATTERNS, Combined, LINE_PATTERNS, PatternSet};
use tengen::types::color::Color;
use tengen::types::rule::Rule;

/// Windows within a smaller reach.
const REACHES: [usize; 2] = [2, 3];

/// Which parts each row of each table has.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    tables: usize,
    /// Numbers without the parts.
    numbers: usize,
    /// Rows of parts of a table.
    rows: usize,
    /// Per table, the parts of its rows: row by row, these stand from `starts` on.
    lists: Vec<Vec<u16>>,
    starts: Vec<u32>,
}

impl Parts {
    pub(crate) fn new(rule: Rule) -> Parts {
        let cores = REACHES.map(cores);
        let core_counts = cores
            .each_ref()
            .map(|cores| cores.iter().max().map_or(0, |&most| usize::from(most) + 1));
        let of_sets = core_counts.iter().sum::<usize>();
        let per_set = LINE_PATTERNS + COMBINED_PATTERNS;
        let mut starts = Vec::new();
        let mut lists = Vec::new();
        for table in 0..shape::tables(rule) {
            let mut list = Vec::new();
            starts.clear();
            let push = |list: &mut Vec<u16>, part: usize| {
                list.push(u16::try_from(part).unwrap_or(0));
            };
            for window in 0..WINDOWS {
                starts.push(u32::try_from(list.len()).unwrap_or(0));
                let mut first = 0;
                for (cores, count) in cores.iter().zip(core_counts) {
                    push(&mut list, first + usize::from(cores[window]));
                    first += count;
                }
            }
            // In the table of Black under renju the own sets are Black's, in White's the others.
            let is_black = table == Color::Black.index();
            for (first, is_own) in [(of_sets, true), (of_sets + per_set, false)] {
                let fouls = rule == Rule::Renju && is_own == is_black;
                for (_, lines) in PatternSet::all() {
                    starts.push(u32::try_from(list.len()).unwrap_or(0));
                    for line in lines {
                        push(&mut list, first + line as usize);
                    }
                    push(&mut list, first + LINE_PATTERNS + Combined::of(lines, fouls) as usize);
                }
            }
            starts.push(u32::try_from(list.len()).unwrap_or(0));
            lists.push(list);
        }
        let numbers = shape::size(rule);
        Parts { tables: shape::tables(rule), numbers, rows: of_sets + 2 * per_set, lists, starts }
    }

    /// How many parameters there are: the numbers, then the parts.
    pub(crate) fn count(&self) -> usize {
        self.numbers + self.tables * self.rows * CHANNELS
    }

    fn each(&self, mut visit: impl FnMut(usize, usize)) {
        for (table, parts) in self.lists.iter().enumerate() {
            let first = self.numbers + table * self.rows * CHANNELS;
            for row in 0..ROWS {
                let span = self.starts[row] as usize..self.starts[row + 1] as usize;
                for &part in &parts[span] {
                    let at = first + usize::from(part) * CHANNELS;
                    visit(table * TABLE + row * CHANNELS, at);
                }
            }
        }
    }

    /// The numbers of the network with these parameters.
    pub(crate) fn expand(&self, parameters: &[f32], numbers: &mut Vec<f32>) {
        numbers.clear();
        let (own, shared) = parameters.split_at(self.numbers);
        numbers.extend_from_slice(own);
        self.each(|row, part| {
            let part = &shared[part - self.numbers..][..CHANNELS];
            for (number, &more) in numbers[row..row + CHANNELS].iter_mut().zip(part) {
                *number += more;
            }
        });
    }

    /// The slope of the parameters from that of the numbers, which is at their beginning.
    pub(crate) fn gather(&self, slopes: &mut [f32]) {
        let (own, shared) = slopes.split_at_mut(self.numbers);
        shared.fill(0.0);
        self.each(|row, part| {
            let part = &mut shared[part - self.numbers..][..CHANNELS];
            for (sum, &slope) in part.iter_mut().zip(&own[row..row + CHANNELS]) {
                *sum += slope;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen::base::rng::Rng;

    #[test]
    fn the_slope_of_the_parts_is_that_of_their_sums() {
        // Both are linear, so <expand(p), n> = <p, gather(n)>.
        for rule in [Rule::Standard, Rule::Renju] {
            let parts = Parts::new(rule);
            let mut rng = Rng::new(9);
            let mut any = || f32::from(u8::try_from(rng.below(9)).unwrap()) - 4.0;
            let parameters: Vec<f32> = (0..parts.count()).map(|_| any()).collect();
            let mut slopes: Vec<f32> = (0..parts.count()).map(|_| any()).collect();
            let mut numbers = Vec::new();
            parts.expand(&parameters, &mut numbers);
            let dot = |one: &[f32], other: &[f32]| -> f64 {
                one.iter().zip(other).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
            };
            let expected = dot(&numbers, &slopes[..numbers.len()]);
            parts.gather(&mut slopes);
            let found = dot(&parameters, &slopes);
            assert!((found - expected).abs() < 1e-6 * expected.abs().max(1.0), "{rule}");
        }
    }

    #[test]
    fn rows_with_the_same_core_share_it() {
        let parts = Parts::new(Rule::Freestyle);
        let mut parameters = vec![0.0; parts.count()];
        // The first part is the core of a window closed on both sides.
        parameters[parts.numbers] = 1.0;
        let mut numbers = Vec::new();
        parts.expand(&parameters, &mut numbers);
        let rows = numbers.iter().filter(|&&number| number > 0.0).count();
        assert_eq!(rows, 1, "only the window without cells has it");
    }
}
