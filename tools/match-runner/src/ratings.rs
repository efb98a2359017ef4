//! Ratings of several engines that make the results of all their games most likely.
//!
//! Pure functions. The model is that of Bradley and Terry on the Elo scale; a draw is half a win
//! and half a loss, so that two engines get exactly the Elo of [`crate::elo`]. Intervals use the
//! variance seen in the results where there are enough of them, since the two games of an opening
//! depend on each other.
//!
//! Source: Bradley and Terry, "Rank analysis of incomplete block designs", Biometrika 39 (1952);
//! the variance is the sandwich estimator, White, "Maximum likelihood estimation of misspecified
//! models", Econometrica 50 (1982).

use std::f64::consts::LN_10;

use crate::elo::{Z95, moments, real};
use crate::tally::Tally;

/// Elo in one unit of log odds.
const UNIT: f64 = 400.0 / LN_10;
/// Pairs from which on their own variance is trusted.
const ENOUGH_PAIRS: u64 = 10;
/// Draws added to each pairing when the results alone have no maximum.
const PRIOR_DRAWS: f64 = 0.5;

/// The games of two engines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// Number of the one engine.
    pub first: usize,
    /// Number of the other.
    pub second: usize,
    /// Games played.
    pub games: f64,
    /// The first engine's score, half a point for a draw.
    pub score: f64,
    /// Variance of that score; absent means that of independent games without draws.
    pub variance: Option<f64>,
}

/// One engine's rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo: relative to the anchors, or to the mean of all.
    pub elo: f64,
    /// Half-width of the 95 % interval; 0 for an anchor.
    pub error: f64,
}

/// What [`rate`] found.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// In the order of the engines.
    pub ratings: Vec<Rating>,
    /// Whether draws had to be added, because some engine won or lost everything.
    pub assisted: bool,
}

/// The meetings of a tally.
pub fn meetings(tally: &Tally) -> Vec<Meeting> {
    let one = |(&(first, second), pairing): (&(usize, usize), &crate::tally::Pairing)| {
        let [lost, drawn, won] = pairing.games.map(real);
        let pairs = pairing.pairs.map(real);
        let games = lost + drawn + won;
        // A pair's score is twice its mean.
        let seen = 4.0 * moments(&pairs).1 * games / 2.0;
        let trusted = pairing.total_pairs() >= ENOUGH_PAIRS && seen > 0.0;
        let variance = trusted.then_some(seen);
        Meeting { first, second, games, score: won + drawn / 2.0, variance }
    };
    tally.pairings.iter().map(one).collect()
}

/// Rates engines; `anchors` gives known ratings by the engine's number.
///
/// None when some engines never met, not even by way of others, so that nothing compares them.
pub fn rate(engines: usize, meetings: &[Meeting], anchors: &[(usize, f64)]) -> Option<Ratings> {
    // Anchors are compared with each other without a game.
    let from: Vec<usize> = if anchors.is_empty() {
        vec![0]
    } else {
        anchors.iter().map(|(number, _)| *number).collect()
    };
    let reaches =
        |ways: &dyn Fn(&Meeting) -> (bool, bool)| reaches_all(engines, meetings, &from, ways);
    if engines == 0 || !reaches(&|_| (true, true)) {
        return None;
    }
    // With a win on every way through the engines and back the maximum exists. Ford, "Solution of
    // a ranking problem from binary comparisons", American Mathematical Monthly 64 (1957).
    let assisted = !reaches(&|m| (m.score > 0.0, m.score < m.games))
        || !reaches(&|m| (m.score < m.games, m.score > 0.0));
    let meetings: Vec<Meeting> = if assisted {
        let added = |m: &Meeting| Meeting {
            games: m.games + PRIOR_DRAWS,
            score: m.score + PRIOR_DRAWS / 2.0,
            ..*m
        };
        meetings.iter().map(added).collect()
    } else {
        meetings.to_vec()
    };
    let ratings = maximize(engines, &meetings, anchors);
    Some(Ratings { ratings, assisted })
}

/// Whether every engine is reached from those of `from` over meetings; `ways` says in which
/// directions a meeting may be passed.
fn reaches_all(
    engines: usize,
    meetings: &[Meeting],
    from: &[usize],
    ways: &dyn Fn(&Meeting) -> (bool, bool),
) -> bool {
    let mut reached = vec![false; engines];
    for &number in from {
        reached[number] = true;
    }
    for _ in 0..engines {
        for meeting in meetings.iter().filter(|meeting| meeting.games > 0.0) {
            let (forth, back) = ways(meeting);
            reached[meeting.second] |= forth && reached[meeting.first];
            reached[meeting.first] |= back && reached[meeting.second];
        }
    }
    reached.into_iter().all(|reached| reached)
}

fn maximize(engines: usize, meetings: &[Meeting], anchors: &[(usize, f64)]) -> Vec<Rating> {
    let mut strength = vec![0.0; engines];
    let mut free = vec![true; engines];
    for &(number, elo) in anchors {
        strength[number] = elo / UNIT;
        free[number] = false;
    }
    // Start the others among the anchors.
    if !anchors.is_empty() {
        let mean =
            anchors.iter().map(|(_, elo)| elo / UNIT).sum::<f64>() / real(anchors.len() as u64);
        for (value, _) in strength.iter_mut().zip(&free).filter(|(_, free)| **free) {
            *value = mean;
        }
    }
    for _ in 0..200 {
        let (gradient, hessian) = derivatives(&strength, meetings, &free, anchors.is_empty());
        let Some(inverse) = invert(&hessian) else { break };
        let step: Vec<f64> =
            inverse.iter().map(|row| row.iter().zip(&gradient).map(|(a, b)| a * b).sum()).collect();
        let longest = step.iter().copied().map(f64::abs).fold(0.0, f64::max);
        // A long Newton step may overshoot where the curve is flat.
        let scale = if longest > 1.0 { 1.0 / longest } else { 1.0 };
        for (value, step) in strength.iter_mut().zip(&step) {
            *value += scale * step;
        }
        if longest < 1e-10 {
            break;
        }
    }
    let (_, hessian) = derivatives(&strength, meetings, &free, anchors.is_empty());
    let errors = errors(&strength, meetings, &free, &hessian);
    let one = |(strength, error): (&f64, f64)| Rating { elo: strength * UNIT, error: error * UNIT };
    strength.iter().zip(errors).map(one).collect()
}

fn expected(strength: &[f64], meeting: &Meeting) -> f64 {
    1.0 / (1.0 + (strength[meeting.second] - strength[meeting.first]).exp())
}

/// Gradient of the log likelihood and its negated second derivatives. What is not free has a
/// gradient of 0; where all are free a term is added that keeps their sum at 0.
fn derivatives(
    strength: &[f64],
    meetings: &[Meeting],
    free: &[bool],
    centered: bool,
) -> (Vec<f64>, Vec<Vec<f64>>) {
    let count = strength.len();
    let mut gradient = vec![0.0; count];
    let ground = if centered { 1.0 } else { 0.0 };
    let mut hessian = vec![vec![ground; count]; count];
    for meeting in meetings {
        let (i, j) = (meeting.first, meeting.second);
        let chance = expected(strength, meeting);
        let surplus = meeting.score - meeting.games * chance;
        let weight = meeting.games * chance * (1.0 - chance);
        gradient[i] += surplus;
        gradient[j] -= surplus;
        hessian[i][i] += weight;
        hessian[j][j] += weight;
        hessian[i][j] -= weight;
        hessian[j][i] -= weight;
    }
    for (fixed, _) in free.iter().enumerate().filter(|(_, free)| !**free) {
        gradient[fixed] = 0.0;
        for row in &mut hessian {
            row[fixed] = 0.0;
        }
        hessian[fixed] = vec![0.0; count];
        hessian[fixed][fixed] = 1.0;
    }
    (gradient, hessian)
}

/// Half-widths of the 95 % intervals in log odds.
fn errors(strength: &[f64], meetings: &[Meeting], free: &[bool], hessian: &[Vec<f64>]) -> Vec<f64> {
    let Some(inverse) = invert(hessian) else { return vec![f64::INFINITY; strength.len()] };
    let variance = |row: &Vec<f64>| -> f64 {
        meetings
            .iter()
            .map(|meeting| {
                let chance = expected(strength, meeting);
                let independent = meeting.games * chance * (1.0 - chance);
                let lever = |number: usize| if free[number] { row[number] } else { 0.0 };
                let lever = lever(meeting.first) - lever(meeting.second);
                lever * lever * meeting.variance.unwrap_or(independent)
            })
            .sum()
    };
    let half =
        |(row, free): (&Vec<f64>, &bool)| if *free { Z95 * variance(row).sqrt() } else { 0.0 };
    inverse.iter().zip(free).map(half).collect()
}

/// The inverse of a square matrix by elimination with pivots; none when it has no inverse.
fn invert(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let count = matrix.len();
    let mut left = matrix.to_vec();
    let unit =
        |row: usize| (0..count).map(|column| if row == column { 1.0 } else { 0.0 }).collect();
    let mut right: Vec<Vec<f64>> = (0..count).map(unit).collect();
    for column in 0..count {
        let pivot = (column..count)
            .max_by(|&a, &b| left[a][column].abs().total_cmp(&left[b][column].abs()))?;
        if left[pivot][column].abs() < 1e-300 {
            return None;
        }
        left.swap(column, pivot);
        right.swap(column, pivot);
        let scale = left[column][column];
        for index in 0..count {
            left[column][index] /= scale;
            right[column][index] /= scale;
        }
        for row in (0..count).filter(|&row| row != column) {
            let factor = left[row][column];
            for index in 0..count {
                left[row][index] -= factor * left[column][index];
                right[row][index] -= factor * right[column][index];
            }
        }
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meeting(first: usize, second: usize, won: f64, lost: f64) -> Meeting {
        Meeting { first, second, games: won + lost, score: won, variance: None }
    }

    // Published: Agresti, "Categorical Data Analysis", 2nd edition, page 438 with Table 10.11,
    // column 3, reproduced by the tests of the R package BradleyTerry2; thirteen games each.
    // Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore.
    #[test]
    fn the_baseball_season_of_1987_comes_out() {
        let won: [&[f64]; 6] = [
            &[7.0, 9.0, 7.0, 7.0, 9.0, 11.0],
            &[7.0, 5.0, 11.0, 9.0, 9.0],
            &[7.0, 7.0, 8.0, 12.0],
            &[6.0, 7.0, 10.0],
            &[7.0, 12.0],
            &[6.0],
        ];
        let mut meetings = Vec::new();
        for (first, row) in won.iter().enumerate() {
            for (index, &won) in row.iter().enumerate() {
                meetings.push(meeting(first, first + 1 + index, won, 13.0 - won));
            }
        }
        let found = rate(7, &meetings, &[(6, 0.0)]).unwrap();
        for (rating, expected) in
            found.ratings.iter().zip([1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0])
        {
            assert!((rating.elo / UNIT - expected).abs() < 0.0051, "{rating:?} {expected}");
        }
        // "The standard errors are about 0.3."
        for rating in &found.ratings[..6] {
            let error = rating.error / UNIT / Z95;
            assert!((0.25..0.35).contains(&error), "{error}");
        }
        assert!(!found.assisted);
    }

    #[test]
    fn two_engines_get_the_elo_of_their_score() {
        let found = rate(2, &[meeting(0, 1, 60.0, 40.0)], &[]).unwrap();
        let difference = found.ratings[0].elo - found.ratings[1].elo;
        assert!((difference - crate::elo::from_score(0.6)).abs() < 1e-9);
        assert!((found.ratings[0].elo + found.ratings[1].elo).abs() < 1e-9);
    }

    #[test]
    fn the_interval_of_two_engines_is_that_of_their_pairs() {
        let pairs = [34, 54, 63, 64, 75];
        let seen = crate::elo::estimate(&pairs).unwrap();
        let counts = pairs.map(real);
        let total: f64 = counts.iter().sum();
        let variance = 4.0 * moments(&counts).1 * total;
        let games = 2.0 * total;
        let score = seen.score * games;
        let one = Meeting { first: 0, second: 1, games, score, variance: Some(variance) };
        let found = rate(2, &[one], &[(1, 0.0)]).unwrap();
        let (low, high) = seen.interval.unwrap();
        // The interval of the score is mapped to Elo by its ends there, by its slope here.
        assert!((found.ratings[0].error - (high - low) / 2.0).abs() < 0.1);
    }

    #[test]
    fn an_anchor_keeps_its_rating_and_moves_the_others() {
        let meetings = [meeting(0, 1, 30.0, 10.0), meeting(1, 2, 25.0, 15.0)];
        let free = rate(3, &meetings, &[]).unwrap();
        let anchored = rate(3, &meetings, &[(1, 2000.0)]).unwrap();
        assert_eq!(anchored.ratings[1], Rating { elo: 2000.0, error: 0.0 });
        for (a, b) in [(0, 1), (1, 2)] {
            let difference = |found: &Ratings| found.ratings[a].elo - found.ratings[b].elo;
            assert!((difference(&free) - difference(&anchored)).abs() < 1e-6);
        }
        // Two anchors hold, whatever the games between them say.
        let both = rate(3, &meetings, &[(0, 100.0), (2, 0.0)]).unwrap();
        assert!((both.ratings[0].elo - 100.0).abs() < 1e-9 && both.ratings[2].elo.abs() < 1e-9);
    }

    // Checked against a search over all ratings on a fine grid, which knows no derivatives.
    #[test]
    fn no_other_ratings_are_more_likely() {
        let meetings =
            [meeting(0, 1, 12.0, 8.0), meeting(1, 2, 3.0, 17.0), meeting(0, 2, 9.5, 10.5)];
        let found = rate(3, &meetings, &[(2, 0.0)]).unwrap();
        let likelihood = |a: f64, b: f64| -> f64 {
            let strength = [a / UNIT, b / UNIT, 0.0];
            let one = |m: &Meeting| {
                let chance = expected(&strength, m);
                m.score * chance.ln() + (m.games - m.score) * (1.0 - chance).ln()
            };
            meetings.iter().map(one).sum()
        };
        let (a, b) = (found.ratings[0].elo, found.ratings[1].elo);
        let best = likelihood(a, b);
        for i in -50..=50 {
            for j in -50..=50 {
                assert!(likelihood(a + f64::from(i), b + f64::from(j)) <= best);
            }
        }
    }

    #[test]
    fn results_without_a_maximum_are_assisted_or_refused() {
        let swept = rate(2, &[meeting(0, 1, 20.0, 0.0)], &[]).unwrap();
        assert!(swept.assisted && swept.ratings[0].elo.is_finite());
        assert!(swept.ratings[0].elo > 200.0);
        // 2 never met the others.
        assert_eq!(rate(3, &[meeting(0, 1, 2.0, 1.0)], &[]), None);
        // A circle of sweeps has a maximum.
        let circle = [meeting(0, 1, 5.0, 0.0), meeting(1, 2, 5.0, 0.0), meeting(0, 2, 0.0, 5.0)];
        let found = rate(3, &circle, &[]).unwrap();
        assert!(!found.assisted && found.ratings.iter().all(|rating| rating.elo.abs() < 1e-6));
    }
}
