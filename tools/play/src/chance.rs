//! Scores as the chance of a win.
//!
//! Owns what an engine's `ev` means to people. The curve is the one the engine's weights were
//! fitted to; another engine's numbers are read on the same scale, for want of a better one.

use tengen::base::score::{MAX_PLY, Score};
use tengen::engine::Engine;
use tengen::types::rule::Rule;

/// The chance of the side a score speaks for, 0 to 1, a draw counted as half a win.
pub fn of_score(rule: Rule, score: Score) -> f64 {
    let mut engine = Engine::new();
    engine.options.rule = rule;
    engine.winning_chance(score)
}

/// Reads `145`, `+M9` or `-M8`.
pub fn parse(text: &str) -> Option<Score> {
    let plies = |text: &str| text.parse::<i32>().ok().map(|plies| plies.clamp(0, MAX_PLY));
    if let Some(rest) = text.strip_prefix("+M") {
        return plies(rest).map(Score::win_in);
    }
    if let Some(rest) = text.strip_prefix("-M") {
        return plies(rest).map(Score::loss_in);
    }
    text.parse().ok().map(Score::eval)
}

/// A chance as people read it: `63 %`.
pub fn percent(chance: f64) -> String {
    format!("{:.0} %", 100.0 * chance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_engines_write_is_read() {
        for score in [Score::eval(0), Score::eval(-31), Score::win_in(9), Score::loss_in(8)] {
            assert_eq!(parse(&score.to_string()), Some(score));
        }
        assert_eq!(parse("+M999999999"), Some(Score::win_in(MAX_PLY)));
        assert_eq!(parse("99999"), Some(Score::eval(Score::EVAL_LIMIT)));
        for bad in ["", "M9", "+M", "1.5", "nan", "99999999999"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn chances_rise_with_scores_and_mirror() {
        for rule in Rule::ALL {
            let chances = [
                Score::loss_in(2),
                Score::eval(-200),
                Score::ZERO,
                Score::eval(200),
                Score::win_in(3),
            ]
            .map(|score| of_score(rule, score));
            assert!(chances.is_sorted(), "{rule}: {chances:?}");
            assert!((chances[1] + chances[3] - 1.0).abs() < 1e-9, "{rule}");
            assert_eq!(chances.map(percent)[0], "0 %");
            assert_eq!(chances.map(percent)[2], "50 %");
            assert_eq!(chances.map(percent)[4], "100 %");
        }
    }
}
