//! The board recomputed from nothing but its stones: what every incremental part must equal.

use crate::board::lines::{EMPTY, Lines, stone_bits};
use crate::board::{Board, candidates, zobrist};
use crate::types::color::Color;
use crate::types::square::{Square, SquareSet};

/// Compares every incremental part of a board with its recomputation.
///
/// # Errors
/// The name of the first part that differs.
pub fn check(board: &Board) -> Result<(), &'static str> {
    let mut lines = Lines::walls();
    let mut empty = SquareSet::EMPTY;
    let mut near = SquareSet::EMPTY;
    let mut key = if board.side_to_move() == Color::White { zobrist::WHITE_TO_MOVE } else { 0 };
    let mut count = 0;
    for y in 0..board.size().height() {
        for x in 0..board.size().width() {
            let square = Square::new(x, y);
            match board.lines.cell(square) {
                0b00 => key ^= zobrist::wall(square),
                EMPTY => {
                    lines.flip(square, EMPTY);
                    empty.insert(square);
                }
                pair => {
                    let color = if pair == 0b01 { Color::Black } else { Color::White };
                    lines.flip(square, EMPTY ^ stone_bits(color));
                    candidates::add_near(&mut near, square);
                    key ^= zobrist::stone(color, square);
                    count += 1;
                }
            }
        }
    }
    let parts = [
        (lines == board.lines, "lines"),
        (empty == board.empty, "empty squares"),
        (near == board.near, "near squares"),
        (key == board.key, "key"),
        (count == board.stone_count, "stone count"),
        (empty.is_empty() == board.is_full(), "whether the board is full"),
    ];
    parts.into_iter().find(|(same, _)| !same).map_or(Ok(()), |(_, name)| Err(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;
    use crate::types::size::BoardSize;

    #[test]
    fn incremental_parts_equal_a_recomputation_after_every_step_of_random_games() {
        let mut rng = Rng::new(11);
        for (width, height) in [(5, 5), (7, 7), (15, 15), (20, 20), (22, 22), (15, 20), (22, 5)] {
            let size = BoardSize::try_new(width, height).unwrap();
            let empty_board = Board::new(size);
            let mut board = empty_board.clone();
            while !board.empty().is_empty() {
                if rng.below(8) == 0 {
                    board.pass();
                } else {
                    let nth = rng.below(board.empty().len());
                    let square = board.empty().iter().nth(nth).unwrap();
                    board.place(square, &mut ());
                }
                assert_eq!(check(&board), Ok(()), "{size}\n{board}");
            }
            while board.step_count() > 0 {
                board.remove(&mut ());
                assert_eq!(check(&board), Ok(()), "{size}\n{board}");
            }
            assert_eq!(board.key(), empty_board.key());
            assert_eq!(board.candidates(), empty_board.candidates());
        }
    }

    #[test]
    fn walls_are_part_of_the_key_and_not_playable() {
        let mut board = Board::new(BoardSize::square(15));
        board.wall(Square::new(3, 3));
        assert_eq!(check(&board), Ok(()));
        assert!(!board.is_empty(Square::new(3, 3)));
        assert_eq!(board.color_at(Square::new(3, 3)), None);
        assert_ne!(board.key(), 0);
    }
}
