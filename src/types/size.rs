//! The size of a board.

use std::fmt;

/// Smallest side of a board.
pub const MIN_SIDE: u8 = 5;
/// Largest side of a board: what fits the 32-cell grid with walls five deep round it.
pub const MAX_SIDE: u8 = 22;

/// Width and height of a board, each from [`MIN_SIDE`] to [`MAX_SIDE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoardSize {
    width: u8,
    height: u8,
}

/// A side was outside [`MIN_SIDE`]`..=`[`MAX_SIDE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeError;

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "board size must be {MIN_SIDE} to {MAX_SIDE}, for instance 20")
    }
}

impl std::error::Error for SizeError {}

impl BoardSize {
    /// Checks both sides.
    ///
    /// # Errors
    /// [`SizeError`] when a side is out of range.
    pub fn try_new(width: i64, height: i64) -> Result<Self, SizeError> {
        let side = |value: i64| {
            u8::try_from(value).ok().filter(|side| (MIN_SIDE..=MAX_SIDE).contains(side))
        };
        match (side(width), side(height)) {
            (Some(width), Some(height)) => Ok(BoardSize { width, height }),
            _ => Err(SizeError),
        }
    }

    /// A square board.
    ///
    /// # Panics
    /// When `side` is out of range; outside data goes through [`BoardSize::try_new`].
    pub const fn square(side: u8) -> Self {
        assert!(side >= MIN_SIDE && side <= MAX_SIDE, "side from 5 to 22");
        BoardSize { width: side, height: side }
    }

    /// Columns.
    #[inline]
    pub const fn width(self) -> u8 {
        self.width
    }

    /// Rows.
    #[inline]
    pub const fn height(self) -> u8 {
        self.height
    }

    /// Number of squares.
    #[inline]
    pub const fn area(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Whether a zero-based point lies on the board.
    #[inline]
    pub const fn contains(self, x: i64, y: i64) -> bool {
        x >= 0 && y >= 0 && x < self.width as i64 && y < self.height as i64
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_out_of_range_are_refused() {
        for (w, h) in [(4, 15), (15, 4), (23, 15), (15, 23), (-1, 15), (i64::MAX, 15), (271, 15)] {
            assert_eq!(BoardSize::try_new(w, h), Err(SizeError), "{w} {h}");
        }
        assert_eq!(BoardSize::try_new(5, 22).map(BoardSize::area), Ok(110));
    }
}
