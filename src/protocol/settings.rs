//! What INFO has set, on the protocol's side of it.
//!
//! Owns the rule as bits, whose meaning depends on who talks to us, what may be printed while
//! thinking, and the remarks that an INFO, which is never answered, leaves for the next move.
//! Must not know games or searches; values of the engine go into its [`Options`]. Start reading
//! at [`Settings::apply`].

use crate::engine::level::Level;
use crate::engine::options::Options;
use crate::eval::Evaluation;
use crate::protocol::info::{Info, rule_of};

/// Most remarks kept for the next move.
const MAX_NOTES: usize = 8;

/// Settings of a session.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    /// None until a rule is named: freestyle then.
    rule_bits: Option<i64>,
    /// YXSHOWINFO was seen: search messages use Yixin-Board's labels.
    is_yixin_board: bool,
    /// YXSHOWINFO or `show_detail` was seen: rule 2 is renju.
    is_yixin_rule: bool,
    show_detail: i64,
    explain: i64,
    notes: Vec<String>,
    has_noted_memory: bool,
}

impl Settings {
    /// Puts a setting in force.
    pub(crate) fn apply(&mut self, info: &Info, options: &mut Options) {
        match *info {
            Info::TimeoutTurn(value) => options.turn_ms = Some(value),
            Info::TimeoutMatch(value) => options.match_ms = Some(value),
            Info::TimeLeft(value) => options.left_ms = Some(value),
            Info::TimeIncrement(value) => options.increment_ms = value,
            Info::MaxMemory(value) => {
                options.memory_bytes = Some(value);
                self.has_noted_memory = false;
            }
            Info::HashSize(value) => options.hash_kib = Some(value),
            Info::ThreadNum(value) => options.threads = value,
            Info::MaxDepth(value) => options.depth = value,
            Info::MaxNode(value) => options.nodes = value,
            Info::Rule(bits) => {
                if rule_of(bits, self.is_yixin_rule).is_some() {
                    self.rule_bits = Some(bits);
                    self.apply_rule(options);
                } else {
                    self.note(format!("rule {bits} is not supported and was ignored"));
                }
            }
            Info::Network(true) => options.evaluation = Evaluation::Network,
            Info::Network(false) => options.evaluation = Evaluation::Classical,
            Info::ShowDetail(value) => {
                self.show_detail = value;
                self.is_yixin_rule = true;
                self.apply_rule(options);
            }
            Info::Explain(value) => self.explain = value,
            Info::Level(number) => options.level = Level::new(number).unwrap_or(options.level),
            Info::Seed(value) => options.seed = value,
            // Tunables are the search's.
            #[cfg(feature = "tune")]
            Info::Tune(..) => {}
            #[cfg(any(test, feature = "faults"))]
            Info::Fault(..) => {}
        }
    }

    /// Goes on as Yixin-Board wants it.
    pub(crate) fn meet_yixin_board(&mut self, options: &mut Options) {
        self.is_yixin_board = true;
        self.is_yixin_rule = true;
        self.apply_rule(options);
    }

    /// Whether the manager has said by which rule it plays.
    pub(crate) fn names_rule(&self) -> bool {
        self.rule_bits.is_some()
    }

    /// Whether search messages use Yixin-Board's labels.
    pub(crate) fn is_yixin_board(&self) -> bool {
        self.is_yixin_board
    }

    /// Whether the manager wants to see the moves at the root as they are searched.
    pub(crate) fn shows_roots(&self) -> bool {
        self.show_detail & 1 != 0
    }

    /// Whether the manager wants INFO lines.
    pub(crate) fn shows_details(&self) -> bool {
        self.show_detail & 2 != 0
    }

    /// Whether the manager wants to know why.
    pub(crate) fn explains(&self) -> bool {
        self.explain > 0
    }

    /// Keeps a remark for the next move.
    pub(crate) fn note(&mut self, text: String) {
        if self.notes.len() < MAX_NOTES && !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }

    /// Remarks, once for each limit, that the process cannot stay within it.
    pub(crate) fn note_memory(&mut self, options: &Options) {
        if !std::mem::replace(&mut self.has_noted_memory, true) {
            self.note(format!("max_memory {} is too small", options.memory()));
        }
    }

    /// The remarks kept; they are gone then.
    pub(crate) fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    fn apply_rule(&self, options: &mut Options) {
        if let Some((rule, is_continuous)) =
            rule_of(self.rule_bits.unwrap_or(0), self.is_yixin_rule)
        {
            options.rule = rule;
            options.is_continuous = is_continuous;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::rule::Rule;

    #[test]
    fn rule_two_depends_on_who_speaks_in_any_order() {
        let mut options = Options::default();
        let mut settings = Settings::default();
        settings.apply(&Info::Rule(2), &mut options);
        assert_eq!((options.rule, options.is_continuous), (Rule::Freestyle, true));
        settings.apply(&Info::ShowDetail(1), &mut options);
        assert_eq!((options.rule, options.is_continuous), (Rule::Renju, false));
        assert!(!settings.is_yixin_board());
        settings.meet_yixin_board(&mut options);
        settings.apply(&Info::Rule(4), &mut options);
        settings.apply(&Info::Rule(2), &mut options);
        assert_eq!(options.rule, Rule::Renju);
    }

    #[test]
    fn what_cannot_be_met_is_remarked_once() {
        let mut options = Options::default();
        let mut settings = Settings::default();
        settings.apply(&Info::Rule(1), &mut options);
        for _ in 0..3 {
            settings.apply(&Info::Rule(4_294_967_296), &mut options);
        }
        assert_eq!(options.rule, Rule::Standard);
        settings.note_memory(&options);
        settings.note_memory(&options);
        assert_eq!(settings.take_notes().len(), 2);
        assert!(settings.take_notes().is_empty());
    }

    #[test]
    fn details_are_bits() {
        let mut settings = Settings::default();
        for (value, roots, details) in
            [(0, false, false), (1, true, false), (2, false, true), (3, true, true)]
        {
            settings.apply(&Info::ShowDetail(value), &mut Options::default());
            assert_eq!((settings.shows_roots(), settings.shows_details()), (roots, details));
        }
    }
}
