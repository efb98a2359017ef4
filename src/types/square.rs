//! A square of the board, and maps and sets of squares.
//!
//! Squares live on one fixed 32x32 grid, whatever the board's size. The board starts five cells
//! in, so that a window of five cells to either side of a square never leaves the grid, and a
//! step along a line is an addition without an edge test (the idea of rapfi `core/pos.h`):
//!
//! ```text
//!   index = row * 32 + column      row = y + 5, column = x + 5
//!
//!        0 .. 4   5 .. 26   27 .. 31        columns (the same for rows)
//!        wall     board     wall
//! ```
//!
//! A square carries one bit above its index, so it is never zero and `Option<Square>` takes two
//! bytes; the grid's very first cell, five steps off the corner, is a cell like any other.

use std::fmt;
use std::num::NonZeroU16;
use std::ops::{Index, IndexMut};

use crate::types::size::BoardSize;

/// Cells in a row of the grid.
pub const STRIDE: usize = 32;
/// Wall cells before the first row and column.
pub const BORDER: usize = 5;
/// Cells of the grid.
pub const GRID: usize = STRIDE * STRIDE;

/// The bit that every square carries.
const MARK: u16 = 1024;

/// A cell of the grid, on the board or in the wall round it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(NonZeroU16);

const _: () = assert!(size_of::<Option<Square>>() == 2);

impl Square {
    /// The square at column `x` and row `y`, both zero-based.
    ///
    /// # Panics
    /// When a coordinate is 22 or more.
    #[inline]
    pub const fn new(x: u8, y: u8) -> Self {
        assert!(x < 22 && y < 22, "coordinates below 22");
        Self::at_index((y as usize + BORDER) * STRIDE + x as usize + BORDER)
    }

    /// The square of a zero-based point, if it lies on a board of this size.
    pub fn on_board(size: BoardSize, x: i64, y: i64) -> Option<Self> {
        if !size.contains(x, y) {
            return None;
        }
        Some(Square::new(u8::try_from(x).ok()?, u8::try_from(y).ok()?))
    }

    /// The square at a grid index; wall cells are accepted, for walking along lines.
    ///
    /// # Panics
    /// When `index` is not below [`GRID`].
    #[inline]
    pub const fn at_index(index: usize) -> Self {
        assert!(index < GRID, "an index of the grid");
        #[expect(clippy::cast_possible_truncation, reason = "an index is below 1024")]
        match NonZeroU16::new(index as u16 | MARK) {
            Some(marked) => Square(marked),
            None => unreachable!(),
        }
    }

    /// The square at a grid index, or none for index 0, which is on no board and so can stand
    /// for "no move", and for what is off the grid.
    #[inline]
    pub fn from_index(index: usize) -> Option<Self> {
        (1..GRID).contains(&index).then(|| Square::at_index(index))
    }

    /// Grid index, 0 to 1023.
    #[inline]
    pub const fn index(self) -> usize {
        self.0.get() as usize & (GRID - 1)
    }

    /// Column from the left, zero-based.
    #[inline]
    pub const fn x(self) -> u8 {
        #[expect(clippy::cast_possible_truncation, reason = "a column is below 32")]
        ((self.index() % STRIDE) as u8).wrapping_sub(BORDER as u8)
    }

    /// Row from the top, zero-based.
    #[inline]
    pub const fn y(self) -> u8 {
        #[expect(clippy::cast_possible_truncation, reason = "a row is below 32")]
        ((self.index() / STRIDE) as u8).wrapping_sub(BORDER as u8)
    }

    /// The cell `steps` steps of `delta` away.
    ///
    /// # Panics
    /// When that leaves the grid, which five steps from a square of a board never do.
    #[inline]
    #[must_use]
    pub const fn offset(self, delta: isize, steps: isize) -> Self {
        Self::at_index(self.index().wrapping_add_signed(delta * steps) & (GRID - 1))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x(), self.y())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// One value per cell of the grid, indexable only by [`Square`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareMap<T> {
    values: Box<[T; GRID]>,
}

impl<T: Clone> SquareMap<T> {
    /// Every cell holds `value`.
    ///
    /// # Panics
    /// Never: the vector has the length of the array.
    pub fn filled(value: T) -> Self {
        let values = vec![value; GRID].into_boxed_slice();
        match values.try_into() {
            Ok(values) => SquareMap { values },
            Err(_) => unreachable!("the vector has the length of the array"),
        }
    }

    /// Sets every cell to `value`.
    pub fn fill(&mut self, value: T) {
        self.values.fill(value);
    }
}

impl<T> Index<Square> for SquareMap<T> {
    type Output = T;

    #[inline]
    fn index(&self, square: Square) -> &T {
        &self.values[square.index()]
    }
}

impl<T> IndexMut<Square> for SquareMap<T> {
    #[inline]
    fn index_mut(&mut self, square: Square) -> &mut T {
        &mut self.values[square.index()]
    }
}

/// A set of squares as one bit per cell, a 32-bit word per row of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SquareSet {
    rows: [u32; STRIDE],
}

impl SquareSet {
    /// The empty set.
    pub const EMPTY: SquareSet = SquareSet { rows: [0; STRIDE] };

    /// Every square of a board.
    pub fn board(size: BoardSize) -> Self {
        let mut set = SquareSet::EMPTY;
        let columns = ((1u32 << size.width()) - 1) << BORDER;
        for y in 0..usize::from(size.height()) {
            set.rows[y + BORDER] = columns;
        }
        set
    }

    /// Adds a square.
    #[inline]
    pub fn insert(&mut self, square: Square) {
        self.rows[square.index() / STRIDE] |= 1 << (square.index() % STRIDE);
    }

    /// Takes a square out.
    #[inline]
    pub fn remove(&mut self, square: Square) {
        self.rows[square.index() / STRIDE] &= !(1 << (square.index() % STRIDE));
    }

    /// Whether the square is in the set.
    #[inline]
    pub fn contains(&self, square: Square) -> bool {
        self.rows[square.index() / STRIDE] >> (square.index() % STRIDE) & 1 != 0
    }

    /// Whether the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&row| row == 0)
    }

    /// Number of squares.
    #[inline]
    pub fn len(&self) -> usize {
        self.rows.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// The squares in both sets.
    #[inline]
    #[must_use]
    pub fn and(&self, other: &SquareSet) -> SquareSet {
        SquareSet { rows: std::array::from_fn(|row| self.rows[row] & other.rows[row]) }
    }

    /// The squares in either set.
    #[inline]
    #[must_use]
    pub fn or(&self, other: &SquareSet) -> SquareSet {
        SquareSet { rows: std::array::from_fn(|row| self.rows[row] | other.rows[row]) }
    }

    /// The squares of this set that are not in the other.
    #[inline]
    #[must_use]
    pub fn minus(&self, other: &SquareSet) -> SquareSet {
        SquareSet { rows: std::array::from_fn(|row| self.rows[row] & !other.rows[row]) }
    }

    /// Ors a pattern of columns, given from five cells left of `square` on, into one row.
    #[inline]
    pub(crate) fn insert_columns(&mut self, square: Square, row_step: isize, columns: u32) {
        let row = (square.index() / STRIDE).wrapping_add_signed(row_step) & (STRIDE - 1);
        self.rows[row] |= columns << (square.index() % STRIDE - BORDER);
    }

    /// The first square in the order of the grid.
    #[inline]
    pub fn first(&self) -> Option<Square> {
        self.iter().next()
    }

    /// The squares row by row, left to right.
    #[inline]
    pub fn iter(&self) -> SquareIter<'_> {
        SquareIter { rows: &self.rows, row: 0, bits: self.rows[0] }
    }
}

impl<'a> IntoIterator for &'a SquareSet {
    type Item = Square;
    type IntoIter = SquareIter<'a>;

    fn into_iter(self) -> SquareIter<'a> {
        self.iter()
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        let mut set = SquareSet::EMPTY;
        for square in squares {
            set.insert(square);
        }
        set
    }
}

/// Iterator over a [`SquareSet`].
#[derive(Clone, Debug)]
pub struct SquareIter<'a> {
    rows: &'a [u32; STRIDE],
    row: usize,
    bits: u32,
}

impl Iterator for SquareIter<'_> {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        while self.bits == 0 {
            self.row += 1;
            self.bits = *self.rows.get(self.row)?;
        }
        let column = self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        Square::from_index(self.row * STRIDE + column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_survive_the_grid() {
        for (x, y) in [(0, 0), (21, 0), (0, 21), (21, 21), (7, 12)] {
            let square = Square::new(x, y);
            assert_eq!((square.x(), square.y()), (x, y));
        }
    }

    #[test]
    fn five_steps_off_any_square_stay_on_the_grid() {
        for (x, y) in [(0, 0), (21, 0), (0, 21), (21, 21)] {
            for delta in [1, 31, 32, 33] {
                for steps in [-5_isize, 5] {
                    let there = Square::new(x, y).offset(delta, steps);
                    assert_eq!(there.offset(delta, -steps), Square::new(x, y));
                }
            }
        }
    }

    #[test]
    fn sets_hold_what_was_put_in() {
        let size = BoardSize::square(15);
        let all = SquareSet::board(size);
        assert_eq!(all.len(), 225);
        let mut set = SquareSet::EMPTY;
        set.insert(Square::new(3, 4));
        set.insert(Square::new(14, 0));
        assert_eq!(set.iter().collect::<Vec<_>>(), [Square::new(14, 0), Square::new(3, 4)]);
        assert_eq!(all.minus(&set).len(), 223);
        set.remove(Square::new(14, 0));
        assert_eq!(set.first(), Some(Square::new(3, 4)));
        assert!(all.iter().all(|square| all.contains(square)));
    }
}
