//! The order in which moves are searched.
//!
//! Owns a short sorted list. Must not know scores: a move is worth the winning squares it makes.
//!
//! Not kept, with the nodes of 40 positions of few stones compared to what is here: weights for
//! the row a winning square lies in +1 %, the number of rows open through the square +9 %, a
//! history of moves that cut off +100 %.

use crate::position::{MOST_COLUMNS, Position, Size};

/// Moves of a node, best first.
#[derive(Debug)]
pub(crate) struct Moves {
    list: [(i32, u64); MOST_COLUMNS],
    count: usize,
}

impl Moves {
    /// The moves on these squares. `first` goes before all others; then those that make the most
    /// winning squares, whether they can be reached now or not; of equal ones the more central.
    ///
    /// Source: Pascal Pons, "Solving Connect 4", part 10.
    #[inline]
    pub(crate) fn new(position: &Position, size: &Size, squares: u64, first: u64) -> Moves {
        let mut moves = Moves { list: [(0, 0); MOST_COLUMNS], count: 0 };
        for column in size.central_first() {
            let square = squares & size.column(column);
            if square == 0 {
                continue;
            }
            let made = size.winning_squares(position.mover() | square, position.mask());
            let worth = if square == first { i32::MAX } else { made.count_ones().cast_signed() };
            let mut place = moves.count;
            while place > 0 && moves.list[place - 1].0 < worth {
                moves.list[place] = moves.list[place - 1];
                place -= 1;
            }
            moves.list[place] = (worth, square);
            moves.count += 1;
        }
        moves
    }

    /// The squares, best first.
    #[inline]
    pub(crate) fn squares(&self) -> impl Iterator<Item = u64> {
        self.list[..self.count].iter().map(|&(_, square)| square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_position;

    /// Columns from 1, in the order in which they are searched.
    fn order(moves: &str, first: Option<usize>) -> String {
        let size = Size::standard();
        let position = parse_position(&size, moves).unwrap();
        let playable = position.playable(&size);
        let first = first.map_or(0, |column| playable & size.column(column - 1));
        let moves = Moves::new(&position, &size, playable, first);
        moves.squares().map(|square| (size.column_of(square) + 1).to_string()).collect()
    }

    #[test]
    fn the_center_comes_first_where_nothing_is_threatened() {
        assert_eq!(order("", None), "4352617");
        assert_eq!(order("", Some(6)), "6435217");
    }

    #[test]
    fn a_move_with_more_winning_squares_comes_before_a_more_central_one() {
        // X has 4 and 5: 3 and 6 make three in a row, 3 the one with two open ends as well.
        assert_eq!(&order("4455", None)[..2], "36");
    }
}
