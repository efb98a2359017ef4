//! Replies to lines.
//!
//! Owns every form the engine writes: moves as `x,y` without blanks, search messages in the form
//! pygomo reads, the INFO lines of GUIs. Must not know the engine or when to write what. A reply
//! is one line of printable ASCII, whatever went into it. Start reading at [`Reply::line`].

use std::fmt::Write;
use std::time::Duration;

use crate::base::score::Score;
use crate::protocol::VERSION;
use crate::protocol::text::one_line;
use crate::types::size::BoardSize;
use crate::types::square::Square;

/// One line to the manager.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reply {
    /// Done.
    Ok,
    /// A known command that cannot be carried out.
    Error(String),
    /// A word that is not known.
    Unknown(String),
    /// Free text.
    Message(String),
    /// Who this is.
    About,
    /// A stone.
    Move(Square),
    /// Two stones.
    Two(Square, Square),
    /// Three stones.
    Three([Square; 3]),
    /// Change colors.
    Swap,
    /// Forbidden squares.
    Forbid(Vec<Square>),
    /// A search message.
    Progress(Progress, PvStyle),
    /// A line of details for GUIs, the word INFO left out.
    Info(String),
}

/// How far a search has come with one of its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    /// Finished depth.
    pub(crate) depth: i32,
    /// Deepest ply looked at.
    pub(crate) selective_depth: i32,
    /// Which line, from 0.
    pub(crate) line_index: usize,
    /// Of how many.
    pub(crate) line_count: usize,
    /// What it is worth.
    pub(crate) score: Score,
    /// Its moves.
    pub(crate) moves: Vec<Square>,
    /// Nodes of the whole search.
    pub(crate) nodes: u64,
    /// Time of the whole search.
    pub(crate) elapsed: Duration,
}

/// How squares are written in search messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PvStyle {
    /// Column as letter, row from 1: 7,7 is H8.
    Letters,
    /// As Yixin-Board labels its board: it calls the row x, and counts from the other end.
    Yixin(BoardSize),
}

impl PvStyle {
    fn write(self, out: &mut String, square: Square) {
        let (letter, number) = match self {
            PvStyle::Letters => (square.x(), square.y() + 1),
            PvStyle::Yixin(size) => (square.y(), size.width().saturating_sub(square.x())),
        };
        let _ = write!(out, "{}{number}", char::from(b'A' + letter));
    }
}

impl Reply {
    /// The line, without its end.
    pub(crate) fn line(&self) -> String {
        match self {
            Reply::Ok => "OK".to_owned(),
            Reply::Error(text) => format!("ERROR {}", one_line(text)),
            Reply::Unknown(text) => format!("UNKNOWN {}", one_line(text)),
            Reply::Message(text) => format!("MESSAGE {}", one_line(text)),
            Reply::About => about(),
            Reply::Move(square) => square.to_string(),
            Reply::Two(a, b) => format!("{a} {b}"),
            Reply::Three([a, b, c]) => format!("{a} {b} {c}"),
            Reply::Swap => "SWAP".to_owned(),
            Reply::Forbid(squares) => {
                let digits = |sq: &Square| format!("{:02}{:02}", sq.x(), sq.y());
                format!("FORBID {}.", squares.iter().map(digits).collect::<String>())
            }
            Reply::Progress(progress, style) => progress_line(progress, *style),
            Reply::Info(text) => format!("INFO {}", one_line(text)),
        }
    }
}

/// No commas inside values, and the word "name" in no other field: qpiskvork splits naively.
fn about() -> String {
    format!(
        "name=\"Tengen\", version=\"{VERSION}\", author=\"The Tengen authors\", country=\"World\""
    )
}

/// `MESSAGE depth D-S [multipv K] ev E n N n/ms V tm T pv ...`
fn progress_line(progress: &Progress, style: PvStyle) -> String {
    let Progress { depth, selective_depth, score, nodes, elapsed, .. } = progress;
    let mut line = format!("MESSAGE depth {depth}-{}", selective_depth.max(depth));
    if progress.line_count > 1 {
        let _ = write!(line, " multipv {}", progress.line_index + 1);
    }
    let millis = elapsed.as_millis();
    let speed = u128::from(*nodes) / millis.max(1);
    let _ = write!(line, " ev {score} n {} n/ms {speed} tm {millis} pv", rounded(*nodes));
    for &square in &progress.moves {
        line.push(' ');
        style.write(&mut line, square);
    }
    line
}

/// The INFO lines of one line of a search, whose first move wins with this chance, in the order of rapfi `search/searchoutput.cpp`.
pub(crate) fn details(progress: &Progress, chance: f64) -> Vec<Reply> {
    let Progress { nodes, elapsed, score, .. } = progress;
    let millis = elapsed.as_millis();
    let speed = u128::from(*nodes) * 1000 / millis.max(1);
    let best: Vec<String> = progress.moves.iter().map(Square::to_string).collect();
    let lines = [
        format!("PV {}", progress.line_index),
        format!("NUMPV {}", progress.line_count),
        format!("DEPTH {}", progress.depth),
        format!("SELDEPTH {}", progress.selective_depth.max(progress.depth)),
        format!("NODES {nodes}"),
        format!("TOTALNODES {nodes}"),
        format!("TOTALTIME {millis}"),
        format!("SPEED {speed}"),
        format!("EVAL {score}"),
        format!("WINRATE {chance:.4}"),
        format!("BESTLINE {}", best.join(" ")),
        "PV DONE".to_owned(),
    ];
    lines.into_iter().map(Reply::Info).collect()
}

/// A count as at most five digits and a power of a thousand.
fn rounded(count: u64) -> String {
    const LIMIT: u64 = 10_000;
    let mut count = count;
    for unit in ["", "K", "M"] {
        if count < LIMIT {
            return format!("{count}{unit}");
        }
        count /= 1000;
    }
    format!("{count}G")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sq(x: u8, y: u8) -> Square {
        Square::new(x, y)
    }

    fn progress() -> Progress {
        Progress {
            depth: 14,
            selective_depth: 23,
            line_index: 0,
            line_count: 1,
            score: Score::eval(145),
            moves: vec![sq(7, 7), sq(8, 8), sq(6, 6)],
            nodes: 1_532_000,
            elapsed: Duration::from_millis(1500),
        }
    }

    #[test]
    fn every_reply_is_one_line() {
        let cases = [
            (Reply::Ok, "OK"),
            (Reply::Error("no\nway".to_owned()), "ERROR no?way"),
            (Reply::Unknown("command 'X'".to_owned()), "UNKNOWN command 'X'"),
            (Reply::Message("hi".to_owned()), "MESSAGE hi"),
            (Reply::Move(sq(0, 14)), "0,14"),
            (Reply::Two(sq(1, 2), sq(3, 4)), "1,2 3,4"),
            (Reply::Three([sq(1, 2), sq(3, 4), sq(5, 6)]), "1,2 3,4 5,6"),
            (Reply::Swap, "SWAP"),
            (Reply::Forbid(vec![]), "FORBID ."),
            (Reply::Forbid(vec![sq(6, 8), sq(11, 0)]), "FORBID 06081100."),
        ];
        for (reply, line) in cases {
            assert_eq!(reply.line(), line);
        }
    }

    #[test]
    fn about_has_its_fields_and_no_stray_commas() {
        let line = Reply::About.line();
        assert_eq!(line.matches(", ").count(), 3);
        assert_eq!(line.matches(',').count(), 3);
        assert!(line.starts_with("name=\"Tengen\", version=\""));
    }

    #[test]
    fn search_messages_have_the_form_others_parse() {
        let line = |progress: &Progress| Reply::Progress(progress.clone(), PvStyle::Letters).line();
        let expected = "MESSAGE depth 14-23 ev 145 n 1532K n/ms 1021 tm 1500 pv H8 I9 G7";
        assert_eq!(line(&progress()), expected);
        let second = Progress { line_index: 1, line_count: 3, ..progress() };
        assert!(line(&second).starts_with("MESSAGE depth 14-23 multipv 2 ev 145 n "));
        let instant = Progress {
            depth: 1,
            selective_depth: 0,
            score: Score::win_in(5),
            nodes: 0,
            elapsed: Duration::ZERO,
            ..progress()
        };
        assert_eq!(line(&instant), "MESSAGE depth 1-1 ev +M5 n 0 n/ms 0 tm 0 pv H8 I9 G7");
    }

    #[test]
    fn yixin_labels_count_from_the_other_side() {
        let style = PvStyle::Yixin(BoardSize::square(15));
        let moves = Progress { moves: vec![sq(0, 2), sq(14, 14)], ..progress() };
        assert!(Reply::Progress(moves, style).line().ends_with(" pv C15 O1"));
    }

    #[test]
    fn details_have_a_value_each() {
        let lines: Vec<String> = details(&progress(), 0.6737).iter().map(Reply::line).collect();
        assert_eq!(lines[0], "INFO PV 0");
        assert_eq!(lines[9], "INFO WINRATE 0.6737");
        assert_eq!(lines[10], "INFO BESTLINE 7,7 8,8 6,6");
        assert_eq!(lines.last().map(String::as_str), Some("INFO PV DONE"));
        assert!(lines.iter().all(|line| line.split(' ').count() >= 3));
    }

    #[test]
    fn counts_keep_few_digits() {
        for (count, text) in [
            (0, "0"),
            (9_999, "9999"),
            (10_000, "10K"),
            (9_999_999, "9999K"),
            (10_000_000, "10M"),
            (10_000_000_000, "10G"),
        ] {
            assert_eq!(rounded(count), text);
        }
    }
}
