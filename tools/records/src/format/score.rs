//! Scores as numbers of nine bits, in their order.
//!
//! ```text
//!   code     0 .. 78     a proven loss in so many plies; 78 is that or more
//!            79 .. 431   an evaluation: level -176 .. 176
//!            432 .. 510  a proven win in 510 - code plies; 78 is that or more
//!
//!   level    0 .. 32     the evaluation itself
//!            from 32 on  16 levels to each doubling: 34, 36 .. 64, 68 .. 128, 136 .. 16,384;
//!                        the nearest one is taken, and the last one for all beyond
//! ```
//!
//! A level is off by at most 1/32 of the evaluation. Where the winning chance is the logistic
//! function of the evaluation by some scale, that is at most 1/32 of max x s'(x) = 0.224, so the
//! chance is off by at most 0.7 %, whatever the scale: it need not be known, and may change.

use tengen::base::score::Score;

use super::FormatError;

/// Bits of a code.
pub(super) const BITS: u32 = 9;
/// The longest distance of a proven score; longer ones become it.
pub(super) const MOST_PLIES: i32 = 78;
/// Levels to a doubling.
const STEPS: i32 = 16;
/// The highest level.
const MOST_LEVEL: i32 = 176;
/// The largest evaluation, that of the highest level.
const MOST: i32 = 16_384;
/// The code of evaluation 0.
const ZERO: i32 = MOST_PLIES + 1 + MOST_LEVEL;

const _: () = assert!(2 * ZERO < 1 << BITS, "the codes fit");

/// The level that is nearest to a number.
fn level(number: i32) -> i32 {
    let size = number.abs().min(MOST);
    let level = if size < 2 * STEPS {
        size
    } else {
        let shift = (size / STEPS).ilog2();
        let half = 1 << (shift - 1);
        STEPS * shift.cast_signed() + ((size + half) >> shift)
    };
    level * number.signum()
}

/// The number of a level.
fn number(level: i32) -> i32 {
    let size = level.abs();
    let octave = (size / STEPS - 1).max(0);
    ((size - octave * STEPS) << octave) * level.signum()
}

/// Whether a code is that of an evaluation.
pub(super) const fn is_eval(code: u32) -> bool {
    code.abs_diff(ZERO.unsigned_abs()) <= MOST_LEVEL.unsigned_abs()
}

/// The code of any number, such as the difference of two evaluations.
pub(super) fn encode_number(number: i32) -> u32 {
    (ZERO + level(number)).unsigned_abs()
}

/// The number of a code that [`is_eval`].
pub(super) fn decode_number(code: u32) -> i32 {
    number(code.cast_signed() - ZERO)
}

/// The code of a score.
pub(super) fn encode(score: Score) -> u32 {
    match score.distance() {
        Some(plies) if score.is_win() => (2 * ZERO - plies.clamp(0, MOST_PLIES)).unsigned_abs(),
        Some(plies) => (-plies).clamp(0, MOST_PLIES).unsigned_abs(),
        None => encode_number(score.value()),
    }
}

/// The score of a code.
///
/// # Errors
/// [`FormatError::Field`] for the one number of nine bits that is none.
pub(super) fn decode(code: u32) -> Result<Score, FormatError> {
    let plies = code.cast_signed();
    match 2 * ZERO - plies {
        _ if is_eval(code) => Ok(Score::eval(decode_number(code))),
        left @ 0..=MOST_PLIES => Ok(Score::win_in(left)),
        _ if plies <= MOST_PLIES => Ok(Score::loss_in(plies)),
        _ => Err(FormatError::Field("score", u64::from(code))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(score: Score) -> Score {
        decode(encode(score)).unwrap()
    }

    #[test]
    fn codes_are_in_the_order_of_the_scores() {
        for code in 0..511 {
            let score = decode(code).unwrap();
            assert_eq!(encode(score), code, "{score}");
            assert!(code == 0 || decode(code - 1).unwrap() < score);
            assert_eq!(decode(510 - code).unwrap(), -score);
            assert_eq!(is_eval(code), !score.is_decided());
        }
        assert_eq!(decode(511), Err(FormatError::Field("score", 511)));
        let all = (-20_000..=20_000).map(|value| encode(Score::eval(value)));
        assert!(all.is_sorted());
    }

    #[test]
    fn small_evaluations_are_exact_and_others_off_by_a_part_of_them() {
        for value in -16_384..=16_384_i32 {
            let off = (kept(Score::eval(value)).value() - value).abs();
            assert!(off * 32 <= value.abs() && (value.abs() > 32 || off == 0), "{value}: {off}");
        }
        assert_eq!(kept(Score::eval(20_000)), Score::eval(16_384));
        assert_eq!(kept(Score::eval(-20_000)), Score::eval(-16_384));
    }

    #[test]
    fn the_winning_chance_is_off_by_at_most_seven_in_a_thousand() {
        let mut worst: f64 = 0.0;
        // From where an evaluation of 16 decides the game to where 2,000 is next to nothing.
        for scale in [4.0, 30.0, 73.9, 120.0, 250.0, 600.0, 2000.0] {
            let chance = |score: Score| 1.0 / (1.0 + (-f64::from(score.value()) / scale).exp());
            for value in 0..=16_384 {
                let score = Score::eval(value);
                worst = worst.max((chance(score) - chance(kept(score))).abs());
            }
        }
        assert!((0.005..0.007).contains(&worst), "{worst}");
    }

    #[test]
    fn proven_scores_keep_their_distance() {
        for plies in 0..=78 {
            assert_eq!(kept(Score::win_in(plies)), Score::win_in(plies));
            assert_eq!(kept(Score::loss_in(plies)), Score::loss_in(plies));
        }
        assert_eq!(kept(Score::win_in(500)), Score::win_in(78));
        assert_eq!(kept(Score::loss_in(79)), Score::loss_in(78));
    }
}
