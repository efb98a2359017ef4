//! The sequential probability ratio test: play until it is clear which of two claims holds.
//!
//! Pure functions over the counts of [`crate::elo`]. The ratio is the generalized one: for each
//! claim the most likely distribution of results that fulfills it is compared.
//!
//! Source: Michel Van den Bergh, `support_MLE_multinomial.pdf` (Proposition 1.1) for logistic and
//! `normalized_elo_practical.pdf` (Section 4.1) for normalized Elo, as used by
//! official-stockfish/fishtest.

use serde::{Deserialize, Serialize};

use crate::elo::{NORMALIZED_UNIT, moments, real, scores, to_score};

/// What the two claims are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Elo as in rating lists: a matter of the score alone.
    Logistic,
    /// Elo in standard deviations of a game: the number of games a test takes does not depend on
    /// how many games are drawn.
    Normalized,
}

/// A test of "stronger by `elo1`" against "stronger by `elo0`".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The claim that is accepted at the lower bound.
    pub elo0: f64,
    /// The claim that is accepted at the upper bound.
    pub elo1: f64,
    /// How often `elo1` may be accepted when `elo0` holds.
    pub alpha: f64,
    /// How often `elo0` may be accepted when `elo1` holds.
    pub beta: f64,
    /// What is meant by Elo.
    pub model: Model,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// Undecided.
    Continue,
    /// `elo0` is accepted.
    H0,
    /// `elo1` is accepted.
    H1,
}

impl Sprt {
    /// The bounds of the log likelihood ratio, lower first.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log likelihood ratio of `elo1` against `elo0` for three counts of games or five of
    /// pairs; 0 without any.
    ///
    /// # Panics
    /// When there are neither three nor five counts.
    pub fn ratio(&self, counts: &[u64]) -> f64 {
        assert!(matches!(counts.len(), 3 | 5), "three counts of games or five of pairs");
        if counts.iter().sum::<u64>() == 0 {
            return 0.0;
        }
        // Results that have not come yet are possible all the same.
        let counts: Vec<f64> =
            counts.iter().map(|&n| if n == 0 { 1e-3 } else { real(n) }).collect();
        let total: f64 = counts.iter().sum();
        let seen: Vec<f64> = counts.iter().map(|n| n / total).collect();
        let likely = |elo: f64| match self.model {
            Model::Logistic => with_mean(&seen, to_score(elo)),
            Model::Normalized => {
                let games_each = real(counts.len() as u64 / 2);
                with_t_value(&seen, elo / NORMALIZED_UNIT * games_each.sqrt())
            }
        };
        let (zero, one) = (likely(self.elo0), likely(self.elo1));
        total * (0..seen.len()).map(|i| seen[i] * (one[i] / zero[i]).ln()).sum::<f64>()
    }

    /// Where a test with this ratio stands.
    pub fn decide(&self, ratio: f64) -> Decision {
        let (lower, upper) = self.bounds();
        if ratio <= lower {
            Decision::H0
        } else if ratio >= upper {
            Decision::H1
        } else {
            Decision::Continue
        }
    }
}

/// The most likely distribution with a given mean score, from the one seen.
fn with_mean(seen: &[f64], mean: f64) -> Vec<f64> {
    let offsets: Vec<f64> = scores(seen.len()).iter().map(|score| score - mean).collect();
    tilted(seen, &offsets)
}

/// The most likely distribution whose mean lies `t` of its deviations above one half.
fn with_t_value(seen: &[f64], t: f64) -> Vec<f64> {
    let scores = scores(seen.len());
    let mut likely = vec![1.0 / real(seen.len() as u64); seen.len()];
    for _ in 0..100 {
        let (mean, variance) = moments(&likely);
        let deviation = variance.sqrt();
        let offset = |score: &f64| {
            let distance = (mean - score) / deviation;
            score - 0.5 - t * deviation * (1.0 + distance * distance) / 2.0
        };
        let offsets: Vec<f64> = scores.iter().map(offset).collect();
        let next = tilted(seen, &offsets);
        let change = likely.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        likely = next;
        if change < 1e-12 {
            break;
        }
    }
    likely
}

/// `p / (1 + x a)` for the `x` that makes the mean of the offsets `a` vanish.
fn tilted(seen: &[f64], offsets: &[f64]) -> Vec<f64> {
    let least = offsets.iter().copied().fold(f64::INFINITY, f64::min);
    let most = offsets.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // The sum falls from infinity to minus infinity between the two poles.
    let sum = |x: f64| seen.iter().zip(offsets).map(|(p, a)| p * a / (1.0 + x * a)).sum::<f64>();
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if sum(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = f64::midpoint(low, high);
    seen.iter().zip(offsets).map(|(p, a)| p / (1.0 + x * a)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(model: Model, (elo0, elo1): (f64, f64), counts: &[u64], expected: f64) {
        let sprt = Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model };
        let ratio = sprt.ratio(counts);
        assert!((ratio - expected).abs() < 0.006, "{ratio} instead of {expected}, {counts:?}");
    }

    // Published: Disservin/fastchess app/tests/sprt_test.cpp, where the middle is given as LW and
    // DD, and three counts as wins, losses, draws.
    #[test]
    fn pairs_agree_with_fastchess() {
        use Model::{Logistic, Normalized};
        check(Normalized, (0.0, 2.0), &[365, 16618, 36029 + 200, 16974, 390], 2.25);
        check(Normalized, (-1.75, 0.25), &[127, 4883, 10311 + 401, 5150, 104], 3.01);
        check(Logistic, (0.5, 2.5), &[223, 9863, 20279 + 1000, 10037, 246], -3.07);
        check(Logistic, (0.0, 2.0), &[871, 26175, 55003 + 980, 26678, 821], -4.98);
    }

    #[test]
    fn games_agree_with_fastchess() {
        use Model::{Logistic, Normalized};
        check(Normalized, (0.0, 2.0), &[36027, 68692, 36433], 0.92);
        check(Normalized, (-1.75, 0.25), &[10650, 20431, 10871], 2.30);
        check(Logistic, (0.5, 2.5), &[21184, 40708, 21404], -1.57);
        check(Logistic, (0.0, 2.0), &[57030, 106_593, 57433], -2.59);
    }

    // Derived by hand, since the published numbers for one-sided results differ between versions
    // of their program. With all `n` pairs won the likeliest distribution whose mean lies `t`
    // deviations above one half has the results 0 and 1 only, 1 with (1 + t / sqrt(1 + t t)) / 2.
    // With `n` drawn games it is a win with t t / (1 + t t), and else a draw.
    #[test]
    fn one_sided_results_have_their_closed_form() {
        let t = 5.0 / NORMALIZED_UNIT * 2.0_f64.sqrt();
        let won = 104.0 * (1.0 + t / t.hypot(1.0)).ln();
        check(Model::Normalized, (0.0, 5.0), &[0, 0, 0, 0, 104], won);
        let t = 5.0 / NORMALIZED_UNIT;
        let drawn = 16700.0 * (1.0 - t * t / (1.0 + t * t)).ln();
        // The thousandth of a win that stands for none adds a little.
        check(Model::Normalized, (0.0, 5.0), &[0, 16700, 0], drawn + 0.008);
    }

    #[test]
    fn the_test_decides_at_its_bounds() {
        let sprt = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.1, model: Model::Logistic };
        let (lower, upper) = sprt.bounds();
        assert!((lower - (0.1_f64 / 0.95).ln()).abs() < 1e-12);
        assert!((upper - 18.0_f64.ln()).abs() < 1e-12);
        assert_eq!(sprt.decide(0.0), Decision::Continue);
        assert_eq!(sprt.decide(lower), Decision::H0);
        assert_eq!(sprt.decide(upper), Decision::H1);
        assert!(sprt.ratio(&[0; 5]).abs() < f64::EPSILON);
    }

    // Independent of any formula: matches with a known difference are drawn by lot and tested.
    #[test]
    fn the_test_errs_as_seldom_as_it_was_asked_to() {
        let mut rng = tengen::base::rng::Rng::new(2);
        let sprt = Sprt { elo0: 0.0, elo1: 80.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
        for (elo, wrong) in [(sprt.elo0, Decision::H1), (sprt.elo1, Decision::H0)] {
            // One game in ten is drawn.
            let win = to_score(elo) - 0.05;
            let mut score = || match real(rng.below(1 << 20) as u64) / real(1 << 20) {
                lot if lot < win => 2,
                lot if lot < win + 0.1 => 1,
                _ => 0,
            };
            let mut errors = 0;
            for _ in 0..200 {
                let mut pairs = [0; 5];
                let decision = loop {
                    pairs[score() + score()] += 1;
                    let decision = sprt.decide(sprt.ratio(&pairs));
                    if decision != Decision::Continue {
                        break decision;
                    }
                };
                errors += u32::from(decision == wrong);
            }
            // Ten are expected; twenty would be three deviations more.
            assert!(errors < 20, "{errors} of 200 wrong at {elo}");
        }
    }

    #[test]
    fn winning_raises_the_ratio_and_losing_lowers_it() {
        for model in [Model::Logistic, Model::Normalized] {
            let sprt = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model };
            assert!(sprt.ratio(&[10, 20, 40, 20, 30]) > 0.0);
            assert!(sprt.ratio(&[30, 20, 40, 20, 10]) < 0.0);
        }
    }
}
