//! Whole dialogues, and whole games, with searches of 150 nodes.
//!
//! A search runs when its line has been handed over; where that line ends with a blank, it waits
//! until the next line has come, as if a manager had not waited for the move. Holds, besides what
//! [`crate::lines`] looks at: every question gets one answer; what it names are empty squares of
//! the board that was asked about, none of them twice; the same lines give the same answers.

use tengen::position::Position;
use tengen::protocol::{Bounds, Dialogue};
use tengen::types::square::Square;

use crate::lines::answers;

/// Most questions of a dialogue, and most lines.
const MOST_QUESTIONS: usize = 80;
const MOST_LINES: usize = 160;
const BOUNDS: Bounds = Bounds { nodes: 150, memory: 8 << 20 };

/// Runs the target.
pub fn run(bytes: &[u8]) {
    let said = play(bytes);
    // Half of the inputs, so that the other half is twice as fast.
    if bytes.len().is_multiple_of(2) {
        assert_eq!(said, play(bytes), "the same lines, the same answers");
    }
}

/// Plays a dialogue; gives what was said but for messages, in which speeds stand.
fn play(bytes: &[u8]) -> Vec<String> {
    let mut dialogue = Dialogue::bounded(BOUNDS);
    let mut said = Vec::new();
    let (mut lines, mut questions) = (0, 0);
    Dialogue::lines_of(bytes, |line| {
        let mut goes_on = dialogue.hand_over(line);
        said.extend(answers(&dialogue.take_lines()).into_iter().map(str::to_owned));
        let waits = line.ends_with(b" ");
        while !waits && goes_on && dialogue.question().is_some() {
            goes_on = finish(&mut dialogue, &mut said);
            questions += 1;
        }
        lines += 1;
        goes_on && lines < MOST_LINES && questions < MOST_QUESTIONS
    });
    while dialogue.question().is_some() && finish(&mut dialogue, &mut said) {}
    said
}

/// Runs the search that waits, and looks at its answer.
fn finish(dialogue: &mut Dialogue, said: &mut Vec<String>) -> bool {
    let position = dialogue.question().expect("a search waits").clone();
    let goes_on = dialogue.finish();
    let lines = dialogue.take_lines();
    let answers = answers(&lines);
    let yixin: Vec<&str> = lines.iter().filter_map(|l| l.strip_prefix("MESSAGE SWAP2 ")).collect();
    if yixin.is_empty() {
        let answer = answers.first().expect("a question has an answer");
        look_at(&position, answer);
    }
    said.extend(answers.into_iter().map(str::to_owned));
    goes_on
}

/// Looks at the answer to a question about a position.
fn look_at(position: &Position, answer: &str) {
    if answer == "SWAP" {
        return;
    }
    let mut seen = Vec::new();
    for point in answer.split(' ') {
        let (x, y) = point.split_once(',').unwrap_or_else(|| panic!("no square: {answer:?}"));
        let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("no number: {answer:?}"));
        let square = Square::on_board(position.size(), number(x), number(y));
        let square = square.unwrap_or_else(|| panic!("off the board: {answer:?}"));
        assert!(position.is_empty(square), "{answer:?} is taken\n{}", position.board());
        assert!(!seen.contains(&square), "{answer:?} names a square twice");
        seen.push(square);
    }
}
