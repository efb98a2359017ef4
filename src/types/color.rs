//! The two sides, and pairs of values indexed by them.

use std::ops::{Index, IndexMut};

/// A side. Black moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Color {
    /// The first mover.
    Black = 0,
    /// The second mover.
    White = 1,
}

impl Color {
    /// Both colors, Black first.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// The other side.
    #[inline]
    #[must_use]
    pub const fn opponent(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }

    /// 0 for Black, 1 for White.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// One value per color, indexable only by [`Color`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByColor<T> {
    /// Values in the order of [`Color::ALL`].
    values: [T; 2],
}

impl<T> ByColor<T> {
    /// Joins Black's and White's value.
    pub const fn new(black: T, white: T) -> Self {
        ByColor { values: [black, white] }
    }

    /// Makes both values by the same function.
    pub fn from_fn(mut make: impl FnMut(Color) -> T) -> Self {
        ByColor { values: [make(Color::Black), make(Color::White)] }
    }
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    #[inline]
    fn index(&self, color: Color) -> &T {
        &self.values[color.index()]
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    #[inline]
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.values[color.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opponent_is_an_involution() {
        for color in Color::ALL {
            assert_ne!(color, color.opponent());
            assert_eq!(color, color.opponent().opponent());
        }
    }
}
