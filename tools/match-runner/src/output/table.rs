//! The table of a run, as it stands.
//!
//! Owns lines of plain text. Must not know where they are printed.

use std::fmt::Write as _;

use crate::elo::{Estimate, estimate, real};
use crate::ratings;
use crate::sprt::{Decision, Sprt};
use crate::tally::{Conduct, Pairing, Tally};

/// Everything known about a run so far, as lines of text; `anchors` are known ratings by the
/// number of the engine.
pub fn table(tally: &Tally, sprt: Option<&Sprt>, anchors: &[(usize, f64)]) -> String {
    let mut text = String::new();
    if tally.engines.len() > 2 || !anchors.is_empty() {
        text.push_str(&rating_lines(tally, anchors));
    }
    for (&(a, b), pairing) in &tally.pairings {
        // Writing to a string cannot fail, here and below.
        let _ = write!(text, "{}", pairing_lines(&tally.engines[a], &tally.engines[b], pairing));
    }
    if let Some(sprt) = sprt
        && let Some(pairing) = tally.only_pairing()
    {
        let _ = writeln!(text, "{}", sprt_line(sprt, pairing));
    }
    let ends: Vec<String> = tally.ends.iter().map(|(end, n)| format!("{end} {n}")).collect();
    let [black, draws, white] = tally.colors;
    let _ = writeln!(
        text,
        "Ends   {}; Black won {black}, drawn {draws}, White won {white}",
        ends.join(", ")
    );
    for (name, conduct) in tally.engines.iter().zip(&tally.conduct) {
        let _ = writeln!(text, "{}", conduct_line(name, conduct));
    }
    text
}

/// The engines by rating.
fn rating_lines(tally: &Tally, anchors: &[(usize, f64)]) -> String {
    let count = tally.engines.len();
    let Some(found) = ratings::rate(count, &ratings::meetings(tally), anchors) else {
        return "No ratings yet: not all engines have met\n".to_string();
    };
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| found.ratings[b].elo.total_cmp(&found.ratings[a].elo));
    let width = tally.engines.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let mut text = format!(
        "{:>3}  {:width$}  {:>8} {:>7} {:>7} {:>7}\n",
        "#", "engine", "Elo", "+-95%", "games", "score"
    );
    for (place, &number) in order.iter().enumerate() {
        let rating = found.ratings[number];
        let [lost, drawn, won] = tally.conduct[number].games;
        let games = lost + drawn + won;
        let score = 100.0 * (real(won) + real(drawn) / 2.0) / real(games.max(1));
        let anchored = anchors.iter().any(|&(anchor, _)| anchor == number);
        let error = if anchored { "anchor".to_string() } else { format!("{:.1}", rating.error) };
        let name = &tally.engines[number];
        let _ = writeln!(
            text,
            "{:>3}  {name:width$}  {:>8.1} {error:>7} {games:>7} {score:>5.1} %",
            place + 1,
            rating.elo
        );
    }
    if found.assisted {
        text.push_str(
            "     (half a draw was added to each pairing: some engine won or lost all)\n",
        );
    }
    text
}

/// Score, Elo and pairs of two engines.
pub fn pairing_lines(first: &str, second: &str, pairing: &Pairing) -> String {
    let [lost, drawn, won] = pairing.games;
    let Some(found) = estimate(pairing.counts()) else {
        return format!("{first} - {second}: no game yet\n");
    };
    let [ll, ld, even, wd, ww] = pairing.pairs;
    let split = pairing.split;
    format!(
        "{first} - {second}: +{won} ={drawn} -{lost} of {}, {:.1} %\n\
         Elo    {}; normalized {}; superior {}\n\
         Pairs  {} of {}: LL {ll}, LD {ld}, LW {split}, DD {}, WD {wd}, WW {ww}\n",
        pairing.total(),
        100.0 * found.score,
        elo_words(&found),
        normalized_words(&found),
        found.superiority.map_or("?".to_string(), |los| format!("{:.1} %", 100.0 * los)),
        pairing.total_pairs(),
        pairing.total().div_ceil(2),
        even - split,
    )
}

/// Elo with its 95 % interval.
pub fn elo_words(found: &Estimate) -> String {
    match found.interval {
        Some((low, high)) => {
            format!("{} ({} to {}, 95 %)", signed(found.elo), signed(low), signed(high))
        }
        None => format!("{} (no interval yet)", signed(found.elo)),
    }
}

/// One decimal and always a sign, but none on zero that comes from rounding.
fn signed(elo: f64) -> String {
    let text = format!("{elo:+.1}");
    if text == "-0.0" { "+0.0".to_string() } else { text }
}

fn normalized_words(found: &Estimate) -> String {
    match found.normalized {
        Some(elo) => format!("{} +- {:.1}", signed(elo), found.normalized_error),
        None => "?".to_string(),
    }
}

/// Where the test stands.
pub fn sprt_line(sprt: &Sprt, pairing: &Pairing) -> String {
    let ratio = sprt.ratio(pairing.counts());
    let (lower, upper) = sprt.bounds();
    let model = match sprt.model {
        crate::sprt::Model::Logistic => "logistic",
        crate::sprt::Model::Normalized => "normalized",
    };
    let state = match sprt.decide(ratio) {
        Decision::Continue => "undecided".to_string(),
        Decision::H0 => format!("H0 accepted: not stronger by {} Elo", sprt.elo1),
        Decision::H1 => format!("H1 accepted: stronger by more than {} Elo", sprt.elo0),
    };
    format!(
        "SPRT   {model} [{}, {}]: LLR {ratio:.2} ({lower:.2}, {upper:.2}), {state}",
        sprt.elo0, sprt.elo1
    )
}

fn conduct_line(name: &str, conduct: &Conduct) -> String {
    let mut text = format!("{name}: ");
    let mean = |sum: u64, count: u64| real(sum) / real(count.max(1));
    let _ = write!(text, "{:.0} ms a move", mean(conduct.ms, conduct.moves));
    let [counted, nodes, ms] = conduct.counted;
    if counted > 0 {
        let _ = write!(text, ", {:.0} nodes a move", mean(nodes, counted));
        if ms > 0 {
            let _ = write!(text, ", {:.0} nodes/ms", mean(nodes, ms));
        }
    }
    if conduct.depths[1] > 0 {
        let _ = write!(text, ", depth {:.1}", mean(conduct.depths[0], conduct.depths[1]));
    }
    if conduct.latest_ms > 0 {
        let _ = write!(text, ", at most {} ms over the limit", conduct.latest_ms);
    }
    if conduct.peak_kib > 0 {
        let peak = real(conduct.peak_kib) / 1024.0;
        let _ = write!(text, ", at most {} ms and {peak:.1} MiB", conduct.slowest_ms);
    }
    for (fault, count) in &conduct.faults {
        let _ = write!(text, ", {fault} {count}");
    }
    text
}
