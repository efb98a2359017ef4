//! What a brain's MESSAGE lines say about its search.
//!
//! Owns the reading of `depth D-S ev E n N`, the form most engines print. Must not know anything
//! else; a line in another form is skipped.

use serde::{Deserialize, Serialize};

/// Depth, evaluation and nodes as last reported before a move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Depth of the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Evaluation as written, `145` or `+M9`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<String>,
    /// Nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

impl Note {
    /// Takes over what a line says; a line that says nothing changes nothing.
    pub fn read(&mut self, line: &str) {
        let mut words = line.split_ascii_whitespace();
        if !words.next().is_some_and(|word| word.eq_ignore_ascii_case("message")) {
            return;
        }
        while let Some(word) = words.next() {
            match word.to_ascii_lowercase().as_str() {
                "depth" => {
                    let digits = words.next().and_then(|value| value.split('-').next());
                    self.depth = digits.and_then(|digits| digits.parse().ok()).or(self.depth);
                }
                "ev" | "eval" => self.eval = words.next().map(str::to_string),
                "n" => self.nodes = words.next().and_then(parse_count).or(self.nodes),
                "pv" => return,
                _ => {}
            }
        }
    }
}

/// Reads `1532`, `1532K`, `12M`.
fn parse_count(text: &str) -> Option<u64> {
    let (digits, unit) = match text.as_bytes().last()? {
        b'K' | b'k' => (&text[..text.len() - 1], 1_000),
        b'M' | b'm' => (&text[..text.len() - 1], 1_000_000),
        b'G' | b'g' => (&text[..text.len() - 1], 1_000_000_000),
        _ => (text, 1),
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_form_is_read() {
        let mut note = Note::default();
        note.read("MESSAGE depth 14-23 ev 145 n 1532K n/ms 1021 tm 1500 pv H8 I9 G7");
        let eval = Some("145".to_string());
        assert_eq!(note, Note { depth: Some(14), eval, nodes: Some(1_532_000) });
        note.read("MESSAGE hello");
        note.read("depth 99-99");
        assert_eq!(note.depth, Some(14));
        note.read("MESSAGE depth x ev -M3 n y");
        assert_eq!((note.depth, note.eval.as_deref()), (Some(14), Some("-M3")));
    }
}
