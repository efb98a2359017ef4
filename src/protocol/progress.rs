//! Which search messages are shown, and when.
//!
//! Owns the rate limit: about ten depths a second, none shortly before the move is due, the
//! last one always. Must not know the engine or how messages look. Time is what the messages
//! say about themselves. Start reading at [`Gate::pass`].

use std::time::Duration;

use crate::protocol::reply::Progress;

/// Least time between two depths shown.
const PAUSE: Duration = Duration::from_millis(100);
/// Time before the move is due in which nothing is shown but with the move itself.
const QUIET: Duration = Duration::from_millis(50);

/// Lets messages of one search pass or holds them back.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    /// When the last depth was shown.
    shown: Option<Duration>,
    /// The depth whose lines pass now.
    passing: Option<i32>,
    /// The last line that passed.
    last: Option<Progress>,
}

impl Gate {
    /// Whether this message may be shown, with so much time left before the move is due.
    ///
    /// All lines of a depth pass or none; the first one decides.
    pub(crate) fn pass(&mut self, progress: &Progress, remaining: Option<Duration>) -> bool {
        if remaining.is_some_and(|remaining| remaining < QUIET) || progress.moves.is_empty() {
            return false;
        }
        let goes_on = progress.line_index > 0 && self.passing == Some(progress.depth);
        let is_due = self.shown.is_none_or(|shown| progress.elapsed >= shown + PAUSE);
        if !goes_on && (progress.line_index > 0 || !is_due) {
            self.passing = None;
            return false;
        }
        self.shown = Some(progress.elapsed);
        self.passing = Some(progress.depth);
        self.last = Some(progress.clone());
        true
    }

    /// Which of the final lines say something the last message shown did not.
    ///
    /// A move that no depth was finished for, on a machine that had no time for it, says nothing.
    pub(crate) fn finish(self, lines: Vec<Progress>) -> Vec<Progress> {
        let is_news = |line: &Progress| {
            self.last.as_ref().is_none_or(|last| {
                (line.depth, line.score, &line.moves, line.nodes)
                    != (last.depth, last.score, &last.moves, last.nodes)
            })
        };
        let said_all = lines.last().is_none_or(|line| !is_news(line));
        let lines = if said_all { Vec::new() } else { lines };
        lines.into_iter().filter(|line| !line.moves.is_empty() && line.depth > 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::score::Score;
    use crate::types::square::Square;

    fn at(millis: u64, depth: i32, line_index: usize) -> Progress {
        Progress {
            depth,
            selective_depth: depth,
            line_index,
            line_count: 2,
            score: Score::ZERO,
            moves: vec![Square::new(7, 7)],
            nodes: millis,
            elapsed: Duration::from_millis(millis),
        }
    }

    #[test]
    fn ten_depths_a_second_with_all_their_lines() {
        let mut gate = Gate::default();
        let mut pass = |millis, depth, index| gate.pass(&at(millis, depth, index), None);
        assert!(pass(0, 1, 0) && pass(1, 1, 1));
        assert!(!pass(50, 2, 0) && !pass(60, 2, 1));
        assert!(pass(101, 3, 0) && pass(180, 3, 1));
        assert!(!pass(200, 4, 0));
        assert!(!pass(290, 4, 1), "the first line of a depth decides");
        assert!(pass(300, 5, 0));
    }

    #[test]
    fn silence_before_the_move() {
        let mut gate = Gate::default();
        assert!(!gate.pass(&at(0, 1, 0), Some(Duration::from_millis(49))));
        assert!(gate.pass(&at(0, 1, 0), Some(Duration::from_millis(51))));
    }

    #[test]
    fn the_last_depth_is_shown_once() {
        let mut gate = Gate::default();
        assert!(gate.pass(&at(0, 1, 0), None));
        assert!(gate.finish(vec![at(0, 1, 0)]).is_empty());
        let mut gate = Gate::default();
        assert!(gate.pass(&at(0, 1, 0), None));
        assert_eq!(gate.finish(vec![at(70, 2, 0), at(70, 2, 1)]).len(), 2);
        assert!(Gate::default().finish(vec![at(70, 0, 0)]).is_empty(), "no depth, no message");
        let empty = Progress { moves: Vec::new(), ..at(70, 2, 0) };
        assert!(Gate::default().finish(vec![empty]).is_empty());
    }
}
