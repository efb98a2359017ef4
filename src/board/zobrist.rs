//! Random keys of stones, walls and the side to move.
//!
//! Source: Zobrist, "A new hashing method with application for game playing", 1970.

use crate::base::rng::Rng;
use crate::types::color::Color;
use crate::types::square::{GRID, Square};

/// Seed of all keys; any would do, this one gives the published bench signature.
const SEED: u64 = 0x7465_6e67_656e;

/// One key per cell and kind: black stone, white stone, wall.
static KEYS: [[u64; GRID]; 3] = {
    let mut rng = Rng::new(SEED);
    let mut keys = [[0; GRID]; 3];
    let mut kind = 0;
    while kind < 3 {
        let mut cell = 0;
        while cell < GRID {
            keys[kind][cell] = rng.next_u64();
            cell += 1;
        }
        kind += 1;
    }
    keys
};

/// Added when White is to move.
pub(crate) const WHITE_TO_MOVE: u64 = Rng::new(SEED ^ 1).next_u64();

/// The key of a stone.
#[inline]
pub(crate) fn stone(color: Color, square: Square) -> u64 {
    KEYS[color.index()][square.index()]
}

/// The key of a wall on the board.
#[inline]
pub(crate) fn wall(square: Square) -> u64 {
    KEYS[2][square.index()]
}
