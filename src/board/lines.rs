//! The stones of both colors as bit lines in all four directions.
//!
//! Owns the packing; must not know what a row of stones is worth. Every row, column, diagonal
//! and anti-diagonal of the grid is one 64-bit word with two bits a cell, one per color, that
//! say whether this color may still use the cell (the idea of rapfi `game/board.h`):
//!
//! ```text
//!   11 empty     01 black stone     10 white stone     00 wall or off the board
//!      ^^ bit 0 of the pair: Black may use it, bit 1: White may
//! ```
//!
//! So a stone is one XOR a line, a wall needs no special case, and the window round a square is
//! a shift and a mask:
//!
//! ```text
//!   ... c-2 c-1 [ c ] c+1 c+2 ...     a window of half-width 2 round c;
//!   key = c+2 c+1 c-1 c-2             low bits first, the center left out
//! ```

use crate::types::color::Color;
use crate::types::direction::Direction;
use crate::types::square::{STRIDE, Square};

/// Widest half of a window: a five reaches four cells, and a fifth decides about overlines.
pub const MAX_HALF: usize = 5;

/// The pair of bits of an empty cell.
pub(crate) const EMPTY: u64 = 0b11;

/// A line of the grid in one direction and a cell's place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinePlace {
    /// Which of the lines of this direction, 0 to 62.
    pub line: usize,
    /// Which cell of the line, 0 to 31; grows in the direction's sense.
    pub cell: usize,
}

impl LinePlace {
    /// Where a square lies.
    #[inline(always)]
    pub const fn of(direction: Direction, square: Square) -> LinePlace {
        let (row, column) = (square.index() / STRIDE, square.index() % STRIDE);
        match direction {
            Direction::Horizontal => LinePlace { line: row, cell: column },
            Direction::Vertical => LinePlace { line: column, cell: row },
            Direction::Diagonal => LinePlace { line: column + STRIDE - 1 - row, cell: row },
            Direction::AntiDiagonal => LinePlace { line: column + row, cell: row },
        }
    }
}

/// The pair of bits that a stone of this color clears from an empty cell.
#[inline(always)]
pub(crate) const fn stone_bits(color: Color) -> u64 {
    match color {
        Color::Black => 0b10,
        Color::White => 0b01,
    }
}

/// The window of `HALF` cells to either side of a cell of a line, the cell itself left out.
///
/// Two bits a cell, the cell furthest back lowest: `4 * HALF` bits.
#[inline(always)]
pub const fn window_key<const HALF: usize>(word: u64, cell: usize) -> usize {
    let side = (1u64 << (2 * HALF)) - 1;
    let window = word >> (2 * (cell - HALF));
    let key = window & side | (window >> 2 & side << (2 * HALF));
    #[expect(clippy::cast_possible_truncation, reason = "at most 20 bits are left")]
    return key as usize;
}

/// All that a cell can change and all that this depends on: `2 * HALF` cells to either side of
/// it, moved so that the cell is cell `2 * HALF` and every shift that follows is a constant.
#[inline(always)]
pub(crate) const fn near_cells<const HALF: usize>(word: u64, cell: usize) -> u64 {
    // A board's last cell is number 26: the five that leave at the top are walls.
    word << (2 * MAX_HALF) >> (2 * (cell + MAX_HALF - 2 * HALF))
}

/// The bit lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    words: [[u64; 2 * STRIDE]; 4],
}

impl Lines {
    /// No cell is on the board.
    pub const fn walls() -> Lines {
        Lines { words: [[0; 2 * STRIDE]; 4] }
    }

    /// The word of a line.
    #[inline(always)]
    pub const fn word(&self, direction: Direction, line: usize) -> u64 {
        self.words[direction.index()][line & (2 * STRIDE - 1)]
    }

    /// The pair of bits of a cell.
    #[inline]
    pub const fn cell(&self, square: Square) -> u64 {
        let place = LinePlace::of(Direction::Horizontal, square);
        self.word(Direction::Horizontal, place.line) >> (2 * place.cell) & 0b11
    }

    /// Flips bits of a cell in all four lines through it.
    #[inline]
    pub(crate) fn flip(&mut self, square: Square, bits: u64) {
        for direction in Direction::ALL {
            let place = LinePlace::of(direction, square);
            self.words[direction.index()][place.line & (2 * STRIDE - 1)] ^=
                bits << (2 * place.cell);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_along_a_direction_is_the_next_cell_of_the_same_line() {
        for direction in Direction::ALL {
            let square = Square::new(9, 12);
            let here = LinePlace::of(direction, square);
            for steps in -5..=5_isize {
                let there = LinePlace::of(direction, square.offset(direction.delta(), steps));
                assert_eq!(there.line, here.line, "{direction:?}");
                assert_eq!(there.cell, here.cell.wrapping_add_signed(steps), "{direction:?}");
            }
        }
    }

    #[test]
    fn window_keys_leave_the_center_out() {
        // Cells 3 to 9: own, own, empty, CENTER, empty, other, wall.
        let cells = [0b01, 0b01, 0b11, 0b10, 0b11, 0b10, 0b00];
        let word = cells.iter().rev().fold(0u64, |word, cell| word << 2 | cell) << 6;
        assert_eq!(window_key::<2>(word, 6), 0b10_11_11_01);
        assert_eq!(window_key::<3>(word, 6), 0b00_10_11_11_01_01);
        assert_eq!(near_cells::<2>(word, 6), word >> 4);
        assert_eq!(near_cells::<5>(word, 6), word << 8);
    }
}
