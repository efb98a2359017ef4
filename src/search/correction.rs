//! How far the static evaluation was off, where searches have found out.
//!
//! Owns what was learned, by two marks of a position: which threats there are, and the last two
//! moves. The search adds it to the evaluation where it judges a node without looking further;
//! it never enters a score that is handed on. (Correction histories are a habit of chess
//! engines, there by pawn structure; the marks are ours.)

use crate::eval::classical::threats;
use crate::eval::weights::THREAT_MASKS;
use crate::pattern::table::boxed;
use crate::position::Position;
use crate::search::params::PLY;
use crate::types::color::ByColor;
use crate::types::square::Square;

/// Slots for pairs of moves.
const PAIRS: usize = 1 << 14;
/// Largest error that is learned, in 16ths of the evaluation's units.
const LIMIT: i32 = 4096;

/// Mean errors of the static evaluation, in 16ths of its units.
#[derive(Clone, Debug)]
pub(super) struct Corrections {
    threats: ByColor<Box<[i16; THREAT_MASKS]>>,
    pairs: ByColor<Box<[i16; PAIRS]>>,
}

/// Where a position's errors are kept: by its threats, and by its last two moves.
fn slots(position: &Position) -> (usize, usize) {
    let mask = threats(position.patterns(), position.side_to_move());
    let index = |mv: Option<Square>| mv.map_or(0, Square::index);
    let board = position.board();
    let pair = index(board.last_move()) << 10 | index(board.move_before(1));
    (mask % THREAT_MASKS, (pair.wrapping_mul(0x9e37_79b1) >> 12) % PAIRS)
}

impl Corrections {
    pub(super) fn new() -> Corrections {
        Corrections {
            threats: ByColor::from_fn(|_| boxed(0)),
            pairs: ByColor::from_fn(|_| boxed(0)),
        }
    }

    /// What is to be added to the evaluation for the side to move, in 16ths of its units.
    #[inline]
    pub(super) fn get(&self, position: &Position) -> i32 {
        let own = position.side_to_move();
        let (mask, pair) = slots(position);
        i32::from(self.threats[own][mask]) + i32::from(self.pairs[own][pair])
    }

    /// Learns that a search differed from the static evaluation by so much.
    #[inline]
    pub(super) fn update(&mut self, position: &Position, error: i32, depth: i32) {
        let own = position.side_to_move();
        let (mask, pair) = slots(position);
        let weight = (depth / PLY + 1).min(16);
        let error = (error * 16).clamp(-LIMIT, LIMIT);
        for entry in [&mut self.threats[own][mask], &mut self.pairs[own][pair]] {
            let mean = (i32::from(*entry) * (256 - weight) + error * weight) / 256;
            *entry = i16::try_from(mean).unwrap_or(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::rule::Rule;
    use crate::types::size::BoardSize;

    #[test]
    fn corrections_go_towards_the_error_and_stay_within_its_limit() {
        let mut position = Position::new(BoardSize::square(15), Rule::Freestyle);
        position.play(Square::new(7, 7));
        let mut corrections = Corrections::new();
        let mut before = corrections.get(&position);
        assert_eq!(before, 0);
        for _ in 0..50 {
            corrections.update(&position, -40, 8 * PLY);
            let now = corrections.get(&position);
            assert!(now <= before && now >= -2 * 40 * 16, "{now} after {before}");
            before = now;
        }
        assert!(before < -40 * 16, "{before}");
        for _ in 0..5000 {
            corrections.update(&position, 100_000, 64 * PLY);
        }
        assert!(corrections.get(&position) <= 2 * LIMIT);
        position.play(Square::new(8, 8));
        assert_eq!(corrections.get(&position), 0, "White's moves are another matter");
    }
}
