//! The four directions of a line.

/// A direction in which stones can line up.
///
/// ```text
///   Horizontal  -      Vertical  |      Diagonal  \      AntiDiagonal  /
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Along a row, x grows.
    Horizontal = 0,
    /// Along a column, y grows.
    Vertical = 1,
    /// x and y grow.
    Diagonal = 2,
    /// y grows, x falls.
    AntiDiagonal = 3,
}

impl Direction {
    /// All four, in index order.
    pub const ALL: [Direction; 4] =
        [Direction::Horizontal, Direction::Vertical, Direction::Diagonal, Direction::AntiDiagonal];

    /// Position in [`Direction::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// What one step adds to the index of a square.
    #[inline]
    pub const fn delta(self) -> isize {
        match self {
            Direction::Horizontal => 1,
            Direction::Vertical => 32,
            Direction::Diagonal => 33,
            Direction::AntiDiagonal => 31,
        }
    }
}
