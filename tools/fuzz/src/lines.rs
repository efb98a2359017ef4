//! Bytes on stdin, with no search behind them: lines, commands, blocks, games, replies.
//!
//! Holds: nothing panics or hangs; every reply is one line of printable ASCII without blanks at
//! its ends; a line gets one answer at most.

use tengen::protocol::{Bounds, Dialogue};

/// Most lines that are handed over; more of them show nothing more.
const MOST_LINES: usize = 120;

/// Runs the target.
pub fn run(bytes: &[u8]) {
    let mut dialogue = Dialogue::bounded(Bounds { nodes: 0, memory: 8 << 20 });
    let mut left = MOST_LINES;
    Dialogue::lines_of(bytes, |line| {
        let goes_on = dialogue.hand_over(line);
        let said = dialogue.take_lines();
        let answers = answers(&said);
        assert!(answers.len() <= 1, "{}: {answers:?}", line.escape_ascii());
        left -= 1;
        goes_on && left > 0
    });
    assert!(dialogue.end(), "the end of input is the end");
}

/// The lines that answer something, all of them being as a line must be.
pub fn answers(lines: &[String]) -> Vec<&str> {
    for line in lines {
        let is_printable = line.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        assert!(is_printable && !line.is_empty() && line.trim() == line, "{line:?}");
    }
    let is_remark = |line: &&str| ["MESSAGE ", "INFO "].iter().any(|word| line.starts_with(word));
    lines.iter().map(String::as_str).filter(|line| !is_remark(line)).collect()
}
