//! Simultaneous perturbation: all numbers are changed at once, one way for one side and the
//! other way for the other, and the games' result moves all of them.
//!
//! Owns the arithmetic and nothing else: a result comes in, numbers go out. What iteration `k`
//! tries depends on the seed, `k` and the numbers only, so a run can be continued.
//!
//! ```text
//!   c_k = step / (k + 1)^0.101              how far a number is changed; never below 1/2
//!   a_k = rate * ((A + 1) / (A + k + 1))^0.602   how far a won match moves it, A a tenth of all
//!   up = number + c_k * sign, down = number - c_k * sign, both rounded at random
//!   number += a_k * c_k * sign * (score of up - score of down) / games
//! ```
//!
//! Source: Spall, "Implementation of the simultaneous perturbation algorithm for stochastic
//! optimization", IEEE 1998, with its exponents; the use for engines is that of fishtest.

use tengen::base::params::Tunable;
use tengen::base::rng::Rng;

/// What a run is like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Iterations in all.
    pub(crate) iterations: u32,
    /// Steps that a number moves by an all-won match at the start.
    pub(crate) rate: f64,
    pub(crate) seed: u64,
}

/// What is tried in an iteration.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Trial {
    /// Per number which way it is changed: 1 or -1.
    signs: Vec<f64>,
    /// Per number how far.
    widths: Vec<f64>,
    /// The numbers of the one side.
    pub(crate) up: Vec<i32>,
    /// The numbers of the other side.
    pub(crate) down: Vec<i32>,
}

/// Rounds down or up so that the mean is the number itself.
fn rounded(number: f64, tunable: &Tunable, chance: f64) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "ranges of tunables are small")]
    let whole = (number + chance).floor() as i32;
    whole.clamp(tunable.min, tunable.max)
}

/// A number from 0 to below 1.
fn chance(rng: &mut Rng) -> f64 {
    f64::from(u32::try_from(rng.next_u64() >> 32).unwrap_or(0)) / f64::from(u32::MAX)
}

impl Plan {
    /// What iteration `k`, from 0, tries.
    pub(crate) fn trial(&self, k: u32, tunables: &[Tunable], numbers: &[f64]) -> Trial {
        let mut rng = Rng::new(Rng::new(self.seed).next_u64() ^ u64::from(k));
        let decay = f64::from(k + 1).powf(-0.101);
        let mut trial = Trial { signs: vec![], widths: vec![], up: vec![], down: vec![] };
        for (tunable, &number) in tunables.iter().zip(numbers) {
            let sign = if rng.next_u64() & 1 == 0 { 1.0 } else { -1.0 };
            let width = (f64::from(tunable.step) * decay).max(0.5);
            // One chance for both sides: their difference is what was meant.
            let chance = chance(&mut rng);
            trial.up.push(rounded(number + sign * width, tunable, chance));
            trial.down.push(rounded(number - sign * width, tunable, chance));
            trial.signs.push(sign);
            trial.widths.push(width);
        }
        trial
    }

    /// Moves the numbers by the result of iteration `k`: `lead` is from -1, `up` lost all, to 1.
    pub(crate) fn learn(
        &self,
        k: u32,
        tunables: &[Tunable],
        numbers: &mut [f64],
        trial: &Trial,
        lead: f64,
    ) {
        let before = f64::from(self.iterations) / 10.0;
        let decay = ((before + 1.0) / (before + f64::from(k) + 1.0)).powf(0.602);
        let changes = trial.signs.iter().zip(&trial.widths);
        for ((number, tunable), (sign, width)) in numbers.iter_mut().zip(tunables).zip(changes) {
            let moved = *number + self.rate * decay * width * sign * lead;
            *number = moved.clamp(f64::from(tunable.min), f64::from(tunable.max));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TUNABLES: [Tunable; 3] = [
        Tunable { name: "a", default: 50, min: 0, max: 100, step: 4 },
        Tunable { name: "b", default: 10, min: 0, max: 20, step: 1 },
        Tunable { name: "c", default: 500, min: 0, max: 1000, step: 20 },
    ];

    /// Strength of three numbers: best at 80, 5 and 300.
    fn strength(numbers: &[i32]) -> f64 {
        let off =
            |at: usize, best: f64, scale: f64| ((f64::from(numbers[at]) - best) / scale).powi(2);
        -off(0, 80.0, 30.0) - off(1, 5.0, 5.0) - off(2, 300.0, 200.0)
    }

    #[test]
    fn noisy_games_lead_to_the_best_numbers() {
        let plan = Plan { iterations: 3000, rate: 2.0, seed: 7 };
        let mut numbers: Vec<f64> = TUNABLES.iter().map(|known| f64::from(known.default)).collect();
        let mut rng = Rng::new(1);
        for k in 0..plan.iterations {
            let trial = plan.trial(k, &TUNABLES, &numbers);
            // Ten games, each won with a chance by the difference.
            let difference = strength(&trial.up) - strength(&trial.down);
            let won = (0..10).filter(|_| chance(&mut rng) < 0.5 + 0.25 * difference).count();
            let lead = f64::from(u32::try_from(won).unwrap()) / 5.0 - 1.0;
            plan.learn(k, &TUNABLES, &mut numbers, &trial, lead);
        }
        let off =
            [(numbers[0] - 80.0) / 30.0, (numbers[1] - 5.0) / 5.0, (numbers[2] - 300.0) / 200.0];
        assert!(off.iter().all(|off| off.abs() < 0.4), "{numbers:?}");
    }

    #[test]
    fn trials_are_the_same_each_time_and_stay_in_range() {
        let plan = Plan { iterations: 10, rate: 1.0, seed: 3 };
        let edges = [0.0, 20.0, 999.5];
        for k in 0..50 {
            let trial = plan.trial(k, &TUNABLES, &edges);
            assert_eq!(trial, plan.trial(k, &TUNABLES, &edges));
            for (numbers, tunable) in [&trial.up, &trial.down]
                .into_iter()
                .flat_map(|numbers| numbers.iter().zip(&TUNABLES))
            {
                assert!((tunable.min..=tunable.max).contains(numbers));
            }
            assert_ne!(trial.up, trial.down);
        }
        assert_ne!(plan.trial(0, &TUNABLES, &edges).signs, plan.trial(1, &TUNABLES, &edges).signs);
    }
}
