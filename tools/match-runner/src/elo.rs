//! Score, Elo and likelihood of superiority from counted results.
//!
//! Pure functions over counts. Results are counted by score, worst first: three counts for games
//! (loss, draw, win), five for pairs of games (LL, LD, DD or LW, DW, WW). Pairs are the better
//! measure, because the two games of an opening depend on each other.
//!
//! Source: normalized Elo and the pentanomial model, Michel Van den Bergh,
//! `normalized_elo_practical.pdf`, as used by official-stockfish/fishtest and Disservin/fastchess.

use std::f64::consts::LN_10;

/// The score of one Elo of normalized Elo in standard deviations of a game is one over this.
pub const NORMALIZED_UNIT: f64 = 800.0 / LN_10;
/// Half-width in standard deviations of an interval that holds 95 %.
pub const Z95: f64 = 1.959_963_984_540_054;

/// What counted results say about the difference of two engines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Mean score of a game, 0 to 1.
    pub score: f64,
    /// Logistic Elo; infinite when all was won or lost.
    pub elo: f64,
    /// The ends of its 95 % interval; none when all results are the same and neither all won nor
    /// all lost.
    pub interval: Option<(f64, f64)>,
    /// Normalized Elo; none when the results do not vary.
    pub normalized: Option<f64>,
    /// Half-width of its 95 % interval.
    pub normalized_error: f64,
    /// Likelihood of superiority, 0 to 1; none in the case of no interval.
    pub superiority: Option<f64>,
}

/// A count as a number to calculate with.
#[expect(clippy::cast_precision_loss, reason = "counts of games are far below 2^52")]
pub fn real(count: u64) -> f64 {
    count as f64
}

/// Mean and variance of the score, worst result 0 and best 1.
pub fn moments(counts: &[f64]) -> (f64, f64) {
    let total: f64 = counts.iter().sum();
    let scores = scores(counts.len());
    let mean = counts.iter().zip(&scores).map(|(n, s)| n * s).sum::<f64>() / total;
    let squares = counts.iter().zip(&scores).map(|(n, s)| n * (s - mean) * (s - mean));
    (mean, squares.sum::<f64>() / total)
}

/// The scores of so many results, from 0 to 1 in equal steps.
pub fn scores(results: usize) -> Vec<f64> {
    let steps = real(results as u64 - 1);
    (0..results as u64).map(|index| real(index) / steps).collect()
}

/// Estimates from three counts of games or five of pairs; none without any.
///
/// # Panics
/// When there are neither three nor five counts.
pub fn estimate(counts: &[u64]) -> Option<Estimate> {
    assert!(matches!(counts.len(), 3 | 5), "three counts of games or five of pairs");
    let total: u64 = counts.iter().sum();
    if total == 0 {
        return None;
    }
    let games_each = real(counts.len() as u64 / 2);
    let counts: Vec<f64> = counts.iter().map(|&count| real(count)).collect();
    let (score, variance) = moments(&counts);
    let games = real(total) * games_each;
    // The deviation of a single game: a pair's mean has half a game's variance.
    let deviation = (variance * games_each).sqrt();
    let error = deviation / games.sqrt();
    let swept = score <= 0.0 || score >= 1.0;
    let (interval, superiority) = if deviation > 0.0 {
        (Some((score - Z95 * error, score + Z95 * error)), Some((score - 0.5) / error))
    } else if swept {
        // Wilson's interval, "Probable inference", Journal of the American Statistical
        // Association 22 (1927), which does not need a variance.
        let least = real(total) / (real(total) + Z95 * Z95);
        let interval = if score > 0.5 { (least, 1.0) } else { (0.0, 1.0 - least) };
        (Some(interval), Some((2.0 * score - 1.0) * games.sqrt()))
    } else {
        (None, None)
    };
    Some(Estimate {
        score,
        elo: from_score(score),
        interval: interval.map(|(low, high)| (from_score(low), from_score(high))),
        normalized: (deviation > 0.0).then(|| (score - 0.5) / deviation * NORMALIZED_UNIT),
        normalized_error: Z95 * NORMALIZED_UNIT / games.sqrt(),
        superiority: superiority.map(normal),
    })
}

/// Logistic Elo of a score; infinite from 0 down and from 1 up.
pub fn from_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

/// Score of a logistic Elo.
pub fn to_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

/// Probability that a standard normal variable is below `x`.
///
/// Source: Marsaglia, "Evaluating the normal distribution", Journal of Statistical Software 11(4).
pub fn normal(x: f64) -> f64 {
    if x.abs() > 8.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut sum, mut term, mut odd) = (x, x, 1.0);
    loop {
        odd += 2.0;
        term *= x * x / odd;
        let next = sum + term;
        if next.total_cmp(&sum).is_eq() {
            break;
        }
        sum = next;
    }
    0.5 + sum * (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} instead of {expected}");
    }

    // Published: Disservin/fastchess app/tests/elo_test.cpp, which counts draws twice over (LW and
    // DD) and compares within one percent.
    #[test]
    fn pairs_agree_with_fastchess() {
        for (counts, normalized, normalized_error, elo, error, superiority) in [
            ([34, 54, 31 + 32, 64, 75], 57.94, 28.28, 55.58, 27.65, Some(1.0)),
            ([332, 433, 457 + 41, 333, 334], -9.17, 10.96, -8.64, 10.33, Some(0.0505)),
            ([7895, 8757, 5485 + 200, 568, 9999], -19.01, 2.65, -21.04, 2.95, None),
        ] {
            let estimate = estimate(&counts).unwrap();
            near(estimate.normalized.unwrap(), normalized, 0.006);
            near(estimate.normalized_error, normalized_error, 0.006);
            near(estimate.elo, elo, 0.006);
            let (low, high) = estimate.interval.unwrap();
            near((high - low) / 2.0, error, 0.006);
            if let Some(superiority) = superiority {
                near(estimate.superiority.unwrap(), superiority, 0.000_06);
            }
        }
    }

    // Published: the same file, whose order is wins, losses, draws.
    #[test]
    fn games_agree_with_fastchess() {
        let first = estimate(&[89, 123, 76]).unwrap();
        near(first.normalized.unwrap(), -20.76, 0.006);
        near(first.normalized_error, 40.13, 0.006);
        near(first.superiority.unwrap(), 0.1553, 0.000_06);
        let second = estimate(&[96, 111, 136]).unwrap();
        near(second.normalized.unwrap(), 49.77, 0.006);
        near(second.elo, 40.70, 0.006);
        let (low, high) = second.interval.unwrap();
        near((high - low) / 2.0, 30.43, 0.006);
        near(second.superiority.unwrap(), 0.9960, 0.000_06);
        near(estimate(&[356, 0, 34]).unwrap().normalized.unwrap(), -508.44, 0.006);
    }

    #[test]
    fn a_sweep_proves_a_least_difference() {
        let won = estimate(&[0, 0, 0, 0, 10]).unwrap();
        assert!(won.elo.is_infinite() && won.normalized.is_none());
        // Wilson: 10 of 10 is at least 72.2 %.
        let (low, high) = won.interval.unwrap();
        near(to_score(low), 0.7225, 0.0001);
        assert!(high.is_infinite() && won.superiority.unwrap() > 0.999);
        let lost = estimate(&[10, 0, 0, 0, 0]).unwrap();
        near(lost.interval.unwrap().1, -low, 1e-9);
        assert!(lost.superiority.unwrap() < 0.001);
    }

    #[test]
    fn results_that_do_not_vary_prove_no_interval() {
        let all_even = estimate(&[0, 0, 7, 0, 0]).unwrap();
        assert_eq!((all_even.elo.abs() < 1e-9, all_even.interval), (true, None));
        assert_eq!(estimate(&[0; 5]), None);
    }

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-700.0, -3.0, 0.0, 12.5, 400.0] {
            near(from_score(to_score(elo)), elo, 1e-9);
        }
        near(to_score(400.0), 10.0 / 11.0, 1e-12);
    }

    // Table values of the normal distribution.
    #[test]
    fn the_normal_distribution_has_its_table_values() {
        near(normal(0.0), 0.5, 1e-15);
        near(normal(1.0), 0.841_344_746_068_543, 1e-14);
        near(normal(-Z95), 0.025, 1e-14);
        near(normal(-5.0), 2.866_515_718_791_94e-7, 1e-15);
    }
}
