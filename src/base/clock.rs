//! Limits to deadlines.
//!
//! Owns the arithmetic of time: how much of a turn or of the rest of a match one move may use.
//! Must not know what is searched or who measures. Pure: the start of the move is an argument,
//! so tests use invented times. Start reading at [`deadline`].

use std::time::{Duration, Instant};

use crate::base::control::Deadline;
use crate::base::limits::Limits;

/// Least time kept back for what happens outside the process.
const MARGIN_MIN: Duration = Duration::from_millis(30);
/// Most time kept back.
const MARGIN_MAX: Duration = Duration::from_millis(200);
/// The part of the limit kept back between the two: one in this many.
const MARGIN_PART: u32 = 50;

/// Moves the rest of a match is spread over when more than that may come.
///
/// Source: rapfi `search/timecontrol.h`, which uses 21 or 22. A Gomoku game has 20 to 25 moves
/// a side, and a share of what is left never uses it up.
const SPREAD: u32 = 22;
/// What a move costs on the clock besides its search: pipes, scheduling, whoever measures.
/// It is kept back for every move that may come, or a long game would run out by it.
const UNSEEN: Duration = Duration::from_millis(3);
/// A single move may take at most the rest divided by this.
const SPREAD_MIN: u32 = 7;
/// Moves a match can have at most, for the question whether its clock matters at all.
const LONG_MATCH: u32 = 64;

/// When the search should and must end, counted from `start`, the arrival of the command.
///
/// ```text
///   limit = min(turn, left)
///   rest  = left - 3 ms * moves
///   hard  = min(limit - margin - spent, rest / min(7, moves) + increment)
///   soft  = min(9/10 hard, rest / min(22, moves) + 3/4 increment)
/// ```
///
/// Where the turn limit is so short that the match clock can never run out, only the first
/// term of each counts. Margin and spent time are each at most half the limit, so that tiny
/// limits leave a little; what is below zero becomes zero, which means "answer at once".
pub fn deadline(limits: &Limits, start: Instant) -> Deadline {
    let Some(limit) = smaller(limits.turn, limits.left) else {
        return Deadline::unlimited(start);
    };
    let spent = limits.spent.min(limit / 2);
    let most = limit.saturating_sub(margin(limit)).saturating_sub(spent);
    let mut hard = most;
    let mut share = None;
    if let Some(left) = limits.left {
        let moves = limits.moves_left.unwrap_or(LONG_MATCH).max(1);
        let left = left.saturating_sub(UNSEEN * moves);
        let whole = limits.turn.map(|turn| turn.saturating_mul(moves.min(LONG_MATCH)));
        if whole.is_none_or(|whole| whole >= left) {
            let extra = limits.increment;
            hard = hard.min((left / moves.min(SPREAD_MIN)).saturating_add(extra));
            share = Some((left / moves.min(SPREAD)).saturating_add(extra / 4 * 3));
        }
    }
    let soft = hard / 10 * 9;
    let soft = share.map_or(soft, |share| soft.min(share));
    Deadline { start, soft: Some(soft), hard: Some(hard), is_share: share.is_some() }
}

/// What is kept back of a limit: 2 % from 30 to 200 ms, but never more than half.
fn margin(limit: Duration) -> Duration {
    (limit / MARGIN_PART).clamp(MARGIN_MIN, MARGIN_MAX).min(limit / 2)
}

/// The smaller of two limits; none is no limit.
fn smaller(a: Option<Duration>, b: Option<Duration>) -> Option<Duration> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(value: u64) -> Duration {
        Duration::from_millis(value)
    }

    /// Checks soft and hard deadline in microseconds.
    fn check(limits: &Limits, expected: Option<(u128, u128)>) {
        let start = Instant::now();
        let deadline = deadline(limits, start);
        assert_eq!(deadline.start, start);
        let got = deadline.soft.zip(deadline.hard);
        let got = got.map(|(soft, hard)| (soft.as_micros(), hard.as_micros()));
        assert_eq!(got, expected, "{limits:?}");
    }

    fn turn(turn: u64) -> Limits {
        Limits { turn: Some(ms(turn)), ..Limits::default() }
    }

    fn turn_and_left(turn: u64, left: u64) -> Limits {
        Limits { turn: Some(ms(turn)), left: Some(ms(left)), ..Limits::default() }
    }

    #[test]
    fn without_limits_time_is_no_object() {
        check(&Limits::default(), None);
    }

    #[test]
    fn a_turn_is_used_but_for_the_margin() {
        check(&turn(500), Some((423_000, 470_000)));
        check(&turn(5_000), Some((4_410_000, 4_900_000)));
        check(&turn(30_000), Some((26_820_000, 29_800_000)));
    }

    #[test]
    fn tiny_turns_keep_half() {
        check(&turn(0), Some((0, 0)));
        check(&turn(1), Some((450, 500)));
        check(&turn(20), Some((9_000, 10_000)));
        check(&turn(50), Some((22_500, 25_000)));
    }

    #[test]
    fn time_spent_before_is_charged_up_to_half() {
        check(&Limits { spent: ms(100), ..turn(500) }, Some((333_000, 370_000)));
        check(&Limits { spent: ms(9_000), ..turn(500) }, Some((198_000, 220_000)));
        check(&Limits { spent: ms(9_000), ..turn(1) }, Some((0, 0)));
    }

    #[test]
    fn a_match_is_spread_over_its_moves() {
        // 64 moves may come: 192 ms are kept back for what is not seen of them.
        check(&turn_and_left(30_000, 176_192), Some((8_000_000, 176_000_000 / 7)));
        check(&turn_and_left(30_000, 0), Some((0, 0)));
        let last = Limits { moves_left: Some(1), ..turn_and_left(30_000, 10_000) };
        check(&last, Some((8_820_000, 9_800_000)));
        let increment = Limits { increment: ms(1_000), ..turn_and_left(30_000, 22_192) };
        check(&increment, Some((1_750_000, 22_000_000 / 7 + 1_000_000)));
    }

    #[test]
    fn a_match_clock_that_cannot_run_out_is_ignored() {
        check(&turn_and_left(500, 100_000), Some((423_000, 470_000)));
    }

    #[test]
    fn two_seconds_last_until_the_board_is_full() {
        let mut left = ms(2_000);
        for moves in (1..=113).rev() {
            let limits = Limits { left: Some(left), moves_left: Some(moves), ..turn(2_000) };
            let used = deadline(&limits, Instant::now()).soft.unwrap() + ms(3);
            assert!(used <= left, "{used:?} of {left:?}, {moves} moves left");
            left -= used;
        }
    }

    #[test]
    fn sixty_moves_never_use_a_match_up() {
        let mut left = ms(20_000);
        for _ in 0..60 {
            let limits = Limits { left: Some(left), ..turn(5_000) };
            let soft = deadline(&limits, Instant::now()).soft.unwrap();
            // Every move goes a quarter over the soft deadline and is 10 ms late on top.
            let used = soft + soft / 4 + ms(10);
            assert!(used <= left, "{used:?} of {left:?}");
            left = left.saturating_sub(used);
        }
        assert!(left > ms(300), "{left:?}");
    }
}
