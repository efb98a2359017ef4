//! Whole numbers out of fitted ones, so that their errors cancel.
//!
//! A common set stands on a hundred squares at once: a third of a unit that rounding leaves
//! there is thirty in the value. So each weight is moved up or down as long as that makes the
//! sum's error over many positions smaller. (The idea of adaptive rounding, Nagel and others,
//! arXiv 2004.10568, by coordinate descent on the squared error.)

use crate::problems::ValueProblem;

/// Positions that are looked at.
const POSITIONS: usize = 30_000;
/// Rounds over all weights.
const SWEEPS: usize = 6;

/// Rounds the tables of the value where `is_free`; the rest stays as it is.
pub(crate) fn round(problem: &ValueProblem<'_>, tables: &[f32], is_free: &[bool]) -> Vec<f32> {
    let count = problem.samples.positions.len();
    let step = count.div_ceil(POSITIONS).max(1);
    let mut occurrences: Vec<Vec<(u32, f32)>> = vec![Vec::new(); tables.len()];
    for (row, sample) in (0..).zip((0..count).step_by(step)) {
        problem.each_part(sample, |entry, part| occurrences[entry].push((row, part)));
    }
    let mut rounded = tables.to_vec();
    let mut off = vec![0.0_f32; count.div_ceil(step)];
    let shift = |off: &mut [f32], entry: usize, by: f32| {
        for &(row, part) in &occurrences[entry] {
            off[row as usize] += part * by;
        }
    };
    let mut order: Vec<usize> = (0..tables.len()).filter(|&entry| is_free[entry]).collect();
    for &entry in &order {
        rounded[entry] = tables[entry].round();
        shift(&mut off, entry, rounded[entry] - tables[entry]);
    }
    // The common ones do most, the rare ones the rest.
    order.sort_by_key(|&entry| std::cmp::Reverse(occurrences[entry].len()));
    for _ in 0..SWEEPS {
        for &entry in &order {
            let rows = &occurrences[entry];
            let slope: f32 = rows.iter().map(|&(row, part)| part * off[row as usize]).sum();
            let curve: f32 = rows.iter().map(|&(_, part)| part * part).sum();
            let by = if slope > 0.0 { -1.0 } else { 1.0 };
            let is_near = (rounded[entry] + by - tables[entry]).abs() <= 1.5;
            if curve + 2.0 * by * slope < 0.0 && is_near {
                rounded[entry] += by;
                shift(&mut off, entry, by);
            }
        }
    }
    rounded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Samples;
    use crate::data::tests::random_game;
    use learning::number::{real, short};
    use tengen::base::rng::Rng;
    use tengen::types::rule::Rule;

    /// The root of the mean squared difference between two tables' values.
    fn difference(problem: &ValueProblem<'_>, a: &[f32], b: &[f32]) -> f64 {
        let count = problem.samples.positions.len();
        let square = |sample| {
            let mut off = 0.0;
            problem.each_part(sample, |entry, part| off += part * (a[entry] - b[entry]));
            f64::from(off * off)
        };
        ((0..count).map(square).sum::<f64>() / real(count.max(1))).sqrt()
    }

    #[test]
    fn errors_cancel_better_than_by_plain_rounding() {
        let mut rng = Rng::new(4);
        let mut samples = Samples::default();
        for _ in 0..30 {
            samples.add(&random_game(Rule::Renju, &mut rng, |_| 0), 7);
        }
        let problem =
            ValueProblem { rule: Rule::Renju, samples: &samples, scale: 100.0, result_part: 0.0 };
        let count = problem.occurrences().len();
        let tables: Vec<f32> = (0..count).map(|_| short(real(rng.below(1000)) / 50.0)).collect();
        let plain: Vec<f32> = tables.iter().map(|value| value.round()).collect();
        let found = round(&problem, &tables, &vec![true; count]);
        let off = |rounded: &[f32]| difference(&problem, rounded, &tables);
        assert!(off(&found) < 0.4 * off(&plain), "{} {}", off(&found), off(&plain));
        assert!(found.iter().all(|value| value.fract().abs() < 1e-6));
        assert!(found.iter().zip(&tables).all(|(found, fitted)| (found - fitted).abs() <= 1.5));
        assert_eq!(round(&problem, &tables, &vec![false; count]), tables);
    }
}
