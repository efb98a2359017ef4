//! What an engine says while it thinks.
//!
//! Owns the reading of its MESSAGE lines: depth, score, nodes, the expected line, and reasons
//! (`MESSAGE why ...`). Must not know who thinks, or what is done with it. An engine is a stranger:
//! a line in another form says nothing, and no text is taken that could disturb a terminal.

use manager::brain::Note;
use manager::text;
use tengen::base::score::Score;
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

use crate::chance;

/// Reasons that are kept of a move.
const MOST_REASONS: usize = 8;
/// Letters of a reason that are kept.
const MOST_LETTERS: usize = 400;

/// What is known of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thought {
    /// Plies searched.
    pub depth: Option<u32>,
    /// The score, as the side that thinks sees it.
    pub score: Option<Score>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Milliseconds searched, as the engine counts them.
    pub ms: Option<u64>,
    /// The expected line, the move first.
    pub line: Vec<Square>,
    /// Why, in words.
    pub reasons: Vec<String>,
}

impl Thought {
    /// Takes over what a line says; a line that says nothing changes nothing.
    pub fn read(&mut self, text: &str, size: BoardSize) {
        let mut words = text.split_ascii_whitespace();
        if !words.next().is_some_and(|word| word.eq_ignore_ascii_case("message")) {
            return;
        }
        let words: Vec<&str> = words.collect();
        match words[..] {
            [first, ref rest @ ..] if first.eq_ignore_ascii_case("why") => {
                let has_room = self.reasons.len() < MOST_REASONS && !rest.is_empty();
                self.reasons.extend(has_room.then(|| plain(&rest.join(" "), MOST_LETTERS)));
            }
            [first, ..] if first.eq_ignore_ascii_case("depth") => {
                self.read_search(text, &words, size);
            }
            _ => {}
        }
    }

    fn read_search(&mut self, text: &str, words: &[&str], size: BoardSize) {
        let after = |name: &str| {
            let at = words.iter().position(|word| word.eq_ignore_ascii_case(name))?;
            words.get(at + 1).copied()
        };
        // Of several lines the first is the best one.
        if after("multipv").is_some_and(|number| number != "1") {
            return;
        }
        let mut note = Note::default();
        note.read(text);
        self.depth = note.depth.or(self.depth);
        self.nodes = note.nodes.or(self.nodes);
        self.score = note.eval.as_deref().and_then(chance::parse).or(self.score);
        self.ms = after("tm").and_then(|ms| ms.parse().ok()).or(self.ms);
        if let Some(at) = words.iter().position(|word| word.eq_ignore_ascii_case("pv")) {
            let points = words[at + 1..].iter().map_while(|word| point(word, size));
            let line: Vec<Square> = points.collect();
            if !line.is_empty() {
                self.line = line;
            }
        }
    }

    /// A few words for a file: what led to the move.
    pub fn words(&self) -> String {
        let mut words = Vec::new();
        words.extend(self.depth.map(|depth| format!("depth {depth}")));
        words.extend(self.score.map(|score| format!("eval {score}")));
        words.extend(self.reasons.iter().cloned());
        words.join(", ")
    }
}

/// `H8`, or `7,7` as the protocol writes it.
fn point(word: &str, size: BoardSize) -> Option<Square> {
    if let Some((x, y)) = text::parse_pair(word) {
        return Square::on_board(size, x, y);
    }
    match text::parse_moves(word, size).ok()?[..] {
        [square] => Some(square),
        _ => None,
    }
}

/// Text without anything a terminal would act on, cut to so many letters.
pub fn plain(text: &str, letters: usize) -> String {
    let kept = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
    let kept = kept.filter(|letter| !is_invisible(*letter));
    kept.take(letters).collect::<String>().trim().to_string()
}

/// Marks that turn the direction of writing or have no width.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: BoardSize = BoardSize::square(15);

    fn read(lines: &[&str]) -> Thought {
        let mut thought = Thought::default();
        for line in lines {
            thought.read(line, SIZE);
        }
        thought
    }

    #[test]
    fn the_engine_s_own_line_is_read() {
        let thought = read(&["MESSAGE depth 14-23 ev 145 n 1532K n/ms 1021 tm 1500 pv H8 I9 G7"]);
        assert_eq!(thought.depth, Some(14));
        assert_eq!(thought.score, Some(Score::eval(145)));
        assert_eq!((thought.nodes, thought.ms), (Some(1_532_000), Some(1500)));
        assert_eq!(text::moves(&thought.line), "h8i9g7");
        assert_eq!(thought.words(), "depth 14, eval 145");
    }

    #[test]
    fn only_the_best_of_several_lines_counts() {
        let best = "MESSAGE depth 9-9 multipv 1 ev +M5 n 1 n/ms 1 tm 1 pv H8";
        let second = "MESSAGE depth 9-9 multipv 2 ev -3 n 1 n/ms 1 tm 1 pv A1";
        let thought = read(&[best, second]);
        assert_eq!(thought.score, Some(Score::win_in(5)));
        assert_eq!(text::moves(&thought.line), "h8");
    }

    #[test]
    fn reasons_are_kept_in_order_and_are_plain() {
        let thought = read(&["MESSAGE why it blocks", "message WHY a \u{1b}[31mfour\u{7}"]);
        assert_eq!(thought.reasons, ["it blocks", "a  [31mfour"]);
    }

    #[test]
    fn strange_lines_change_nothing() {
        for line in [
            "",
            "7,7",
            "MESSAGE",
            "MESSAGE why",
            "MESSAGE depth",
            "MESSAGE depth x ev y n z pv q99 H8",
            "DEBUG depth 3 ev 5",
            "\u{fffd}\u{fffd}",
        ] {
            assert_eq!(read(&[line]), Thought::default(), "{line}");
        }
    }

    #[test]
    fn a_flood_of_reasons_is_cut() {
        let long = format!("MESSAGE why {}", "x".repeat(100_000));
        let thought = read(&vec![long.as_str(); 1000]);
        assert_eq!(thought.reasons.len(), MOST_REASONS);
        assert!(thought.reasons.iter().all(|reason| reason.chars().count() == MOST_LETTERS));
    }

    #[test]
    fn a_line_stops_at_the_first_strange_point() {
        assert_eq!(text::moves(&read(&["MESSAGE depth 1 pv 7,7 I9 ?? A1"]).line), "h8i9");
    }
}
