//! Counts and estimates as one line of JSON, for scripts.
//!
//! Owns the names of the fields. A number that does not exist, such as the Elo of a swept match,
//! is null.

use serde::Serialize;

use crate::elo::estimate;
use crate::ratings;
use crate::sprt::{Decision, Sprt};
use crate::tally::{Pairing, Tally};

/// Where a run stands.
#[derive(Debug, Serialize)]
struct Report<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    games: u64,
    total: usize,
    pairings: Vec<PairingReport<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtReport>,
    engines: Vec<EngineReport<'a>>,
}

#[derive(Debug, Serialize)]
struct PairingReport<'a> {
    first: &'a str,
    second: &'a str,
    wins: u64,
    draws: u64,
    losses: u64,
    /// LL, LD, LW or DD, WD, WW.
    pairs: [u64; 5],
    score: Option<f64>,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    normalized_elo: Option<f64>,
    normalized_error: Option<f64>,
    superiority: Option<f64>,
}

#[derive(Debug, Serialize)]
struct SprtReport {
    elo0: f64,
    elo1: f64,
    llr: f64,
    lower: f64,
    upper: f64,
    decision: Decision,
}

#[derive(Debug, Serialize)]
struct EngineReport<'a> {
    name: &'a str,
    rating: Option<f64>,
    rating_error: Option<f64>,
    wins: u64,
    draws: u64,
    losses: u64,
    faults: u64,
    ms_per_move: Option<f64>,
    latest_ms: u64,
}

/// One line, without its end; `kind` is `progress` or `result`, `total` the games of the run.
pub fn line(
    kind: &str,
    tally: &Tally,
    total: usize,
    sprt: Option<&Sprt>,
    anchors: &[(usize, f64)],
) -> String {
    let names = &tally.engines;
    let pairings = tally
        .pairings
        .iter()
        .map(|(&(a, b), pairing)| pairing_report(&names[a], &names[b], pairing))
        .collect();
    let sprt = sprt.zip(tally.only_pairing()).map(|(sprt, pairing)| {
        let llr = sprt.ratio(pairing.counts());
        let (lower, upper) = sprt.bounds();
        let decision = sprt.decide(llr);
        SprtReport { elo0: sprt.elo0, elo1: sprt.elo1, llr, lower, upper, decision }
    });
    let rated = ratings::rate(names.len(), &ratings::meetings(tally), anchors);
    let engines = (0..names.len())
        .map(|index| {
            let conduct = &tally.conduct[index];
            let rating = rated.as_ref().map(|rated| rated.ratings[index]);
            let [losses, draws, wins] = conduct.games;
            let moves = crate::elo::real(conduct.moves);
            EngineReport {
                name: &names[index],
                rating: rating.map(|rating| rating.elo),
                rating_error: rating.map(|rating| rating.error),
                wins,
                draws,
                losses,
                faults: conduct.faults.values().sum(),
                ms_per_move: (conduct.moves > 0).then(|| crate::elo::real(conduct.ms) / moves),
                latest_ms: conduct.latest_ms,
            }
        })
        .collect();
    let report = Report { kind, games: tally.total(), total, pairings, sprt, engines };
    serde_json::to_string(&report).unwrap_or_default()
}

fn pairing_report<'a>(first: &'a str, second: &'a str, pairing: &Pairing) -> PairingReport<'a> {
    let found = estimate(pairing.counts());
    let [losses, draws, wins] = pairing.games;
    let interval = found.and_then(|found| found.interval);
    PairingReport {
        first,
        second,
        wins,
        draws,
        losses,
        pairs: pairing.pairs,
        score: found.map(|found| found.score),
        elo: found.map(|found| found.elo),
        elo_low: interval.map(|(low, _)| low),
        elo_high: interval.map(|(_, high)| high),
        normalized_elo: found.and_then(|found| found.normalized),
        normalized_error: found.map(|found| found.normalized_error),
        superiority: found.and_then(|found| found.superiority),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Outcome;
    use crate::sprt::Model;
    use crate::tally::tests::game;

    #[test]
    fn a_line_can_be_read_back_and_has_null_for_what_is_unknown() {
        let mut tally = Tally::new(["a".to_string(), "b".to_string()]);
        tally.add(&game(0, 0, Outcome::Black));
        tally.add(&game(0, 1, Outcome::White));
        let sprt = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
        let text = line("result", &tally, 4, Some(&sprt), &[]);
        assert!(!text.contains('\n'));
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["pairings"][0]["wins"], 2);
        assert_eq!(value["pairings"][0]["elo"], serde_json::Value::Null);
        assert_eq!(value["sprt"]["decision"], "continue");
        assert_eq!(value["engines"][1]["losses"], 2);
    }
}
