//! INFO: key and value to a setting, rule bits to a rule.
//!
//! Owns the keys and the bits of `rule`, which exist only here. Must not know the engine. INFO
//! is never answered: what is unknown, incomplete or unreadable is no setting and no error.
//! Start reading at [`parse`].

#[cfg(any(test, feature = "faults"))]
use crate::base::fault::Place;
use crate::protocol::text::{fold, integer, split_word};
use crate::types::rule::Rule;

/// A setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Info {
    /// Milliseconds per move.
    TimeoutTurn(i64),
    /// Milliseconds per match.
    TimeoutMatch(i64),
    /// Milliseconds left of the match.
    TimeLeft(i64),
    /// Milliseconds added per move.
    TimeIncrement(i64),
    /// Bytes for the process.
    MaxMemory(i64),
    /// KiB for the table.
    HashSize(i64),
    /// Rule bits, see [`rule_of`].
    Rule(i64),
    /// Search threads.
    ThreadNum(i64),
    /// Deepest iteration.
    MaxDepth(i64),
    /// Most nodes.
    MaxNode(i64),
    /// Whether the network evaluates, or weights of patterns alone.
    Network(bool),
    /// What to print while thinking: bit 0 realtime messages, bit 1 INFO lines.
    ShowDetail(i64),
    /// Whether moves come with their reasons.
    Explain(i64),
    /// How strong the engine plays, 1 to 8.
    Level(i64),
    /// What a level's draws depend on.
    Seed(i64),
    /// A tunable of the search by name.
    #[cfg(feature = "tune")]
    Tune(String, i32),
    /// Something that is to break on purpose, at which visit.
    #[cfg(any(test, feature = "faults"))]
    Fault(Place, u64),
}

/// Reads what follows the word INFO; none if it sets nothing here.
///
/// Known and without effect: `game_type`, `folder` (nothing is written to disk), `evaluate`,
/// `pondering`, `caution_factor` and the other keys of GUIs.
pub(crate) fn parse(text: &[u8]) -> Option<Info> {
    let (key, value) = split_word(text);
    let (value, _) = split_word(value);
    let key_folded = fold(key);
    #[cfg(feature = "tune")]
    if key_folded.starts_with("TUNE_") {
        let name = String::from_utf8_lossy(&key["TUNE_".len()..]).into_owned();
        return Some(Info::Tune(name, i32::try_from(integer(value)?).ok()?));
    }
    #[cfg(any(test, feature = "faults"))]
    if let Some(name) = key_folded.strip_prefix("FAULT_") {
        let place = Place::ALL.into_iter().find(|place| place.name().eq_ignore_ascii_case(name))?;
        return Some(Info::Fault(place, u64::try_from(integer(value)?).ok()?));
    }
    if key_folded == "EVALUATOR" {
        return match fold(value).as_str() {
            "CLASSICAL" => Some(Info::Network(false)),
            "NETWORK" => Some(Info::Network(true)),
            _ => None,
        };
    }
    let make = match key_folded.as_str() {
        "TIMEOUT_TURN" => Info::TimeoutTurn,
        "TIMEOUT_MATCH" => Info::TimeoutMatch,
        "TIME_LEFT" => Info::TimeLeft,
        "TIME_INCREMENT" => Info::TimeIncrement,
        "MAX_MEMORY" => Info::MaxMemory,
        "HASH_SIZE" => Info::HashSize,
        "RULE" => Info::Rule,
        "THREAD_NUM" => Info::ThreadNum,
        "MAX_DEPTH" => Info::MaxDepth,
        "MAX_NODE" => Info::MaxNode,
        "SHOW_DETAIL" => Info::ShowDetail,
        "EXPLAIN" => Info::Explain,
        "LEVEL" => Info::Level,
        "SEED" => Info::Seed,
        _ => return None,
    };
    integer(value).map(make)
}

/// What rule bits mean: the rule, and whether games go on after a five.
///
/// | bits | rule |
/// |---|---|
/// | 0, 1 | freestyle, standard |
/// | +2 | the same as a continuous game |
/// | 4 to 7 | renju; 6 and 7 continuous |
/// | 8, 9 | caro, caro with exactly five; 10 and 11 continuous |
/// | 12 to 15 | renju with the wins of caro, which qpiskvork has: renju, since a foul loses at once |
///
/// Yixin-Board and its kin (`is_yixin`) mean renju by 2. None for what no rule belongs to.
pub(crate) fn rule_of(bits: i64, is_yixin: bool) -> Option<(Rule, bool)> {
    let is_continuous = bits & 2 != 0;
    match bits {
        2 if is_yixin => Some((Rule::Renju, false)),
        0 | 2 => Some((Rule::Freestyle, is_continuous)),
        1 | 3 => Some((Rule::Standard, is_continuous)),
        4..=7 | 12..=15 => Some((Rule::Renju, is_continuous)),
        8 | 10 => Some((Rule::Caro, is_continuous)),
        9 | 11 => Some((Rule::CaroExact, is_continuous)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: impl Into<Option<Info>>) {
        assert_eq!(parse(text.as_bytes()), expected.into(), "{text:?}");
    }

    #[test]
    fn keys_are_folded_and_values_are_numbers() {
        check("timeout_turn 500", Some(Info::TimeoutTurn(500)));
        check("TIMEOUT_TURN\t 0 ", Some(Info::TimeoutTurn(0)));
        check("time_left -700", Some(Info::TimeLeft(-700)));
        check("max_memory 99999999999999999999", Some(Info::MaxMemory(i64::MAX)));
        check("rule 4", Some(Info::Rule(4)));
        check("show_detail 3", Some(Info::ShowDetail(3)));
        check("evaluator Classical", Some(Info::Network(false)));
        check("EVALUATOR network", Some(Info::Network(true)));
        check("explain 1", Some(Info::Explain(1)));
        check("Level 3", Some(Info::Level(3)));
        check("seed -7", Some(Info::Seed(-7)));
    }

    #[test]
    fn what_says_nothing_sets_nothing() {
        for text in
            ["", "xyz", "rule", "rule abc", "timeout_turn -", "timeout_turn 1.5", "evaluator x"]
        {
            check(text, None);
        }
        for text in ["folder C:\\Program Files\\x", "evaluate 7,7", "game_type 3", "pondering 1"] {
            check(text, None);
        }
    }

    #[cfg(feature = "tune")]
    #[test]
    fn tunables_keep_their_case() {
        check("TUNE_lmr_Base 12", Some(Info::Tune("lmr_Base".to_owned(), 12)));
        check("tune_x y", None);
    }

    #[test]
    fn rule_bits_name_rules() {
        let cases = [
            (0, Some((Rule::Freestyle, false))),
            (1, Some((Rule::Standard, false))),
            (2, Some((Rule::Freestyle, true))),
            (3, Some((Rule::Standard, true))),
            (4, Some((Rule::Renju, false))),
            (5, Some((Rule::Renju, false))),
            (6, Some((Rule::Renju, true))),
            (8, Some((Rule::Caro, false))),
            (9, Some((Rule::CaroExact, false))),
            (13, Some((Rule::Renju, false))),
            (16, None),
            (-1, None),
            (4_294_967_296, None),
        ];
        for (bits, expected) in cases {
            assert_eq!(rule_of(bits, false), expected, "{bits}");
        }
        assert_eq!(rule_of(2, true), Some((Rule::Renju, false)));
        assert_eq!(rule_of(0, true), Some((Rule::Freestyle, false)));
    }
}
