//! Squares by how near they are to the last stone.
//!
//! Owns the place of each empty square in that order: near squares, where most moves are, come
//! first and have the shorter codes, and no stone can be read onto another. Must not know scores.

use std::sync::LazyLock;

use tengen::types::size::BoardSize;
use tengen::types::square::Square;

use super::FormatError;
use super::bits::{BitReader, BitWriter};

/// Steps from a square to all others of any board: by distance, then y, then x.
static STEPS: LazyLock<Vec<(i64, i64)>> = LazyLock::new(|| {
    let mut steps: Vec<(i64, i64)> =
        (-21..=21).flat_map(|y| (-21..=21).map(move |x| (x, y))).collect();
    steps.sort_by_key(|&(x, y)| (x * x + y * y, y, x));
    steps
});

/// A board as its squares are coded.
#[derive(Clone, Debug)]
pub(super) struct Near {
    size: BoardSize,
    taken: [bool; 22 * 22],
    empty: u32,
    /// The last stone, before the first one the middle.
    last: (i64, i64),
}

impl Near {
    /// The empty board.
    pub(super) fn new(size: BoardSize) -> Near {
        let empty = u32::try_from(size.area()).unwrap_or(0);
        let last = (i64::from(size.width()) / 2, i64::from(size.height()) / 2);
        Near { size, taken: [false; 22 * 22], empty, last }
    }

    fn index(square: Square) -> usize {
        usize::from(square.y()) * 22 + usize::from(square.x())
    }

    /// Whether a stone can be placed there.
    pub(super) fn is_empty(&self, square: Square) -> bool {
        self.size.contains(square.x().into(), square.y().into()) && !self.taken[Near::index(square)]
    }

    /// The empty squares, the nearest to the last stone first.
    fn squares(&self) -> impl Iterator<Item = Square> + '_ {
        let (x, y) = self.last;
        let on_board = STEPS.iter().filter_map(move |&(dx, dy)| {
            // What lies off every board is no square.
            Square::on_board(self.size, x + dx, y + dy)
        });
        on_board.filter(|&square| !self.taken[Near::index(square)])
    }

    /// Appends an empty square.
    ///
    /// # Panics
    /// When it is not one.
    pub(super) fn put(&self, square: Square, bits: &mut BitWriter) {
        assert!(self.is_empty(square), "{square} is an empty square of {}", self.size);
        let nearer = self.squares().take_while(|&other| other != square).count();
        bits.put_below(u32::try_from(nearer).unwrap_or(0), self.empty);
    }

    /// Takes an empty square.
    ///
    /// # Errors
    /// [`FormatError`] when the bits end, or there is no empty square.
    pub(super) fn take(&self, bits: &mut BitReader<'_>) -> Result<Square, FormatError> {
        let full = FormatError::Field("a stone on a full board", u64::from(self.empty));
        if self.empty == 0 {
            return Err(full);
        }
        let nearer = bits.take_below(self.empty)?;
        self.squares().nth(nearer as usize).ok_or(full)
    }

    /// Places a stone on an empty square.
    pub(super) fn place(&mut self, square: Square) {
        self.taken[Near::index(square)] = true;
        self.empty -= 1;
        self.last = (square.x().into(), square.y().into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_begins_around_the_last_stone() {
        let mut near = Near::new(BoardSize::square(5));
        let first: Vec<_> = near.squares().take(5).map(|at| (at.x(), at.y())).collect();
        assert_eq!(first, [(2, 2), (2, 1), (1, 2), (3, 2), (2, 3)]);
        near.place(Square::new(0, 4));
        let first: Vec<_> = near.squares().take(4).map(|at| (at.x(), at.y())).collect();
        assert_eq!(first, [(0, 3), (1, 4), (1, 3), (0, 2)]);
    }

    #[test]
    fn every_board_is_filled_with_each_square_once() {
        for (width, height) in [(5, 5), (22, 22), (5, 22), (22, 7), (15, 15)] {
            let size = BoardSize::try_new(width, height).unwrap();
            let (mut near, mut writer) = (Near::new(size), BitWriter::after(Vec::new()));
            let mut played = Vec::new();
            while near.empty > 0 {
                // From either end, so that all distances occur.
                let step = if near.empty % 2 == 0 { near.empty as usize - 1 } else { 0 };
                let square = near.squares().nth(step).unwrap();
                near.put(square, &mut writer);
                near.place(square);
                played.push(square);
            }
            let bytes = writer.into_bytes();
            let (mut near, mut reader) = (Near::new(size), BitReader::new(&bytes));
            for &square in &played {
                assert_eq!(near.take(&mut reader), Ok(square), "{size}");
                near.place(square);
            }
            assert_eq!(played.len(), size.area());
            assert!(near.take(&mut reader).is_err());
        }
    }
}
