//! The squares near stones, the only ones worth trying.
//!
//! ```text
//!   *       *       *     every square within three of a stone, and the fourth
//!     * * * * * * *       along its lines: 56 squares (the default of rapfi
//!     * * * * * * *       `game/candarea.h`); further away a stone makes no
//!     * * * * * * *       line with this one that a nearer one would not make
//!   * * * * O * * * *     sooner
//!     * * * * * * *
//!     * * * * * * *
//!     * * * * * * *
//!   *       *       *
//! ```

use crate::types::square::{Square, SquareSet};

/// Columns near a stone for each row distance 0 to 4; bit 5 is the stone's own column.
const COLUMNS: [u32; 5] =
    [0b01_1111_1110 | 1 << 9, 0b1_1111_1100, 0b1_1111_1100, 0b1_1111_1100, 0b10_0010_0010];

/// Adds what is near a stone; squares off the board are left to the caller to mask.
#[inline]
pub(crate) fn add_near(near: &mut SquareSet, stone: Square) {
    near.insert_columns(stone, 0, COLUMNS[0]);
    for step in 1..5_isize {
        let columns = COLUMNS[step.unsigned_abs()];
        near.insert_columns(stone, step, columns);
        near.insert_columns(stone, -step, columns);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_is_three_round_and_four_along_the_lines() {
        let stone = Square::new(10, 10);
        let mut near = SquareSet::EMPTY;
        add_near(&mut near, stone);
        for y in 0..21u8 {
            for x in 0..21u8 {
                let (dx, dy) = (x.abs_diff(10), y.abs_diff(10));
                let along = dx == 0 || dy == 0 || dx == dy;
                let expected = dx.max(dy) <= 3 || dx.max(dy) == 4 && along;
                assert_eq!(near.contains(Square::new(x, y)), expected, "{x},{y}");
            }
        }
    }
}
