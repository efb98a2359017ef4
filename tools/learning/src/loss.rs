//! The loss of a predicted chance, and the scale that makes scores predictions.

use crate::number::{real, short};

/// The logistic function.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Cross entropy of a logistic prediction `sigmoid(x)` against a target from 0 to 1.
pub fn cross_entropy(x: f32, target: f32) -> f32 {
    // ln(1 + e^x) - target * x, without an overflow.
    x.max(0.0) + (-x.abs()).exp().ln_1p() - target * x
}

/// The scale at which scores predict results best; `pairs` are of a score and a result, 0 to 1.
///
/// Between 10 and 2,000 units of the evaluation for one of the logistic function.
pub fn fit_scale(pairs: &[(f32, f32)]) -> f32 {
    let loss = |scale: f64| {
        let inverse = short(1.0 / scale);
        let of = |&(score, result): &(f32, f32)| cross_entropy(score * inverse, result);
        pairs.iter().map(|pair| f64::from(of(pair))).sum::<f64>() / real(pairs.len().max(1))
    };
    short(minimum(10.0, 2000.0, loss))
}

/// Where a function of one minimum is least between two positive numbers: golden section on
/// their logarithms.
pub fn minimum(low: f64, high: f64, f: impl Fn(f64) -> f64) -> f64 {
    const SECTION: f64 = 0.618_033_988_749_895;
    let (mut low, mut high) = (low.ln(), high.ln());
    let at = |low: f64, high: f64, part: f64| low + part * (high - low);
    let (mut a, mut b) = (at(low, high, 1.0 - SECTION), at(low, high, SECTION));
    let (mut fa, mut fb) = (f(a.exp()), f(b.exp()));
    while high - low > 0.002 {
        if fa < fb {
            (high, b, fb) = (b, a, fa);
            a = at(low, high, 1.0 - SECTION);
            fa = f(a.exp());
        } else {
            (low, a, fa) = (a, b, fb);
            b = at(low, high, SECTION);
            fb = f(b.exp());
        }
    }
    f64::midpoint(low, high).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cross_entropy_is_least_at_the_target() {
        for target in [0.1, 0.5, 0.8_f32] {
            let x = (target / (1.0 - target)).ln();
            assert!((sigmoid(x) - target).abs() < 1e-6);
            assert!(cross_entropy(x, target) < cross_entropy(x + 0.1, target));
            assert!(cross_entropy(x, target) < cross_entropy(x - 0.1, target));
        }
        assert!(cross_entropy(500.0, 1.0) < 1e-6 && cross_entropy(-500.0, 1.0) > 499.0);
    }

    #[test]
    fn the_minimum_is_found() {
        let found = minimum(1.0, 1000.0, |x| (x.ln() - 42_f64.ln()).powi(2));
        assert!((found - 42.0).abs() < 0.2, "{found}");
    }

    #[test]
    fn the_scale_of_scores_is_found() {
        // Scores of 100 that win three times of four: ln 3 is one unit of 91.
        let pairs = [(100.0, 1.0), (100.0, 1.0), (100.0, 1.0), (100.0, 0.0)];
        let scale = fit_scale(&pairs);
        assert!((scale - 91.0).abs() < 0.5, "{scale}");
    }
}
