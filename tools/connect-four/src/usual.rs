//! Scores as they are usually given for connect four.
//!
//! Owns the translation of the search's scores, which count stones, and back. Must not know how
//! a score is found.
//!
//! 1 is a win with the own last stone, 2 one with the stone before it, and so on; 0 is a draw,
//! losses are negative. On 7x6 a win with the 41st stone of the game is +1, and so is one with
//! the 42nd for the side that has it.
//!
//! Source: Pascal Pons, "Solving Connect 4", part 2.

use tengen::base::score::Score;

use crate::position::Size;
use crate::solver::end_at;

/// Translates the scores of positions with a given number of stones.
#[derive(Clone, Copy, Debug)]
pub struct Usual {
    squares: i32,
    stones: i32,
}

impl Usual {
    /// For positions with so many stones.
    pub const fn new(size: &Size, stones: u32) -> Usual {
        Usual { squares: end_at(size.squares()), stones: end_at(stones) }
    }

    /// The usual number of a score.
    pub fn of(self, score: Score) -> i32 {
        match score.distance() {
            Some(end) if end > 0 => (self.squares + 2 - end) / 2,
            Some(end) => -((self.squares + 2 + end) / 2),
            None => 0,
        }
    }

    /// The score of a usual number.
    pub fn score(self, usual: i32) -> Score {
        let latest = self.squares + 2 - 2 * usual.abs();
        // The side to move makes the next stone, the one after the next but one, ...
        let is_movers = (latest - self.stones).rem_euclid(2) == 1;
        match usual {
            0 => Score::ZERO,
            1.. => Score::win_in(latest - i32::from(!is_movers)),
            _ => Score::loss_in(latest - i32::from(is_movers)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_literature() {
        let size = Size::standard();
        assert_eq!(Usual::new(&size, 0).of(Score::win_in(41)), 1);
        assert_eq!(Usual::new(&size, 1).of(Score::win_in(42)), 1);
        assert_eq!(Usual::new(&size, 1).of(Score::loss_in(41)), -1);
        // Four stones against three: the quickest win there is.
        assert_eq!(Usual::new(&size, 6).of(Score::win_in(7)), 18);
        // On 5x5 the first player has the last stone, the second one the last but one.
        let odd = Size::try_new(5, 5).unwrap();
        assert_eq!(Usual::new(&odd, 0).of(Score::win_in(25)), 1);
        assert_eq!(Usual::new(&odd, 1).of(Score::win_in(24)), 1);
    }

    #[test]
    fn back_and_forth_is_where_one_was() {
        for (columns, rows) in [(7, 6), (5, 5), (4, 4), (9, 6), (1, 1), (3, 7)] {
            let size = Size::try_new(columns, rows).unwrap();
            let squares = end_at(size.squares());
            for stones in 0..size.squares() {
                let usual = Usual::new(&size, stones);
                for number in -(squares / 2)..=squares / 2 {
                    assert_eq!(usual.of(usual.score(number)), number, "{size} {stones}");
                }
                for end in (end_at(stones) + 1..=squares).step_by(2) {
                    assert_eq!(usual.score(usual.of(Score::win_in(end))), Score::win_in(end));
                }
                for end in (end_at(stones) + 2..=squares).step_by(2) {
                    assert_eq!(usual.score(usual.of(Score::loss_in(end))), Score::loss_in(end));
                }
            }
        }
    }
}
