//! The shape of the network: sizes, where each number stands in a section, and its unit.
//!
//! For each active empty square, that is one with a stone on its four lines, and each side s
//! (the other one is t), in units of one:
//!
//! ```text
//!   x_s = L[window as s sees it], summed over the four directions, + A[set of s] + B[set of t]
//!   y_s = x_s clipped to 0..1                                       16 channels a side
//!   pool_s = sum over the squares of y_s / 16
//!   h = W1 [pool_own, pool_other] + T[mask of threats] + b1         32, clipped to 0..4
//!   g = W2 h + b2                                                   16, clipped to 0..4
//!   logit of the value     = w3 g + b3 + a * classical value
//!   logit of a move there  = u [y_own, y_other] + c * classical rank
//! ```
//!
//! Under renju each color has tables and a head of its own, else both have the same. The cell
//! codes summed over directions are the idea of mixnet, the networks of rapfi; embedded sets of
//! patterns are that of `PatNet`. The sum over the squares has no mean in it, so a shape counts
//! the same on every size of board.

use crate::eval::network::features::WINDOWS;
use crate::eval::weights::THREAT_MASKS;
use crate::pattern::PATTERN_SETS;
use crate::types::color::Color;
use crate::types::rule::Rule;

/// Channels of a square for one side.
pub const CHANNELS: usize = 16;
/// Inputs of the head: the side to move first.
pub const POOLS: usize = 2 * CHANNELS;
/// Width of the first hidden layer.
pub const HIDDEN: usize = 32;
/// Width of the second hidden layer.
pub const LAST: usize = 16;

/// Pools are sums divided by two to this power.
pub const POOL_SHIFT: u32 = 4;
/// Upper bound of both hidden layers.
pub const TOP: i16 = 4;

/// One, in a row of a table and in a clipped channel.
pub const ROW_ONE: i16 = 512;
/// One, in a weight of the head and in a hidden layer.
pub const HEAD_ONE: i16 = 1024;
/// Largest weight of the head: sums of products stay within 32 bits.
pub const MOST_WEIGHT: i16 = 4 * HEAD_ONE;
/// Largest number in a row: sums of six stay within 16 bits.
pub const MOST_ROW: i16 = 10 * ROW_ONE;

/// The classical rank of a move that is one unit of the logit.
pub const RANK_UNIT: i16 = 75;

/// A value of the network from one in the classical unit.
///
/// The network sees more, so its values would spread wider than classical ones; three quarters
/// of the unit give them the spread that the margins of the search are made for.
#[inline(always)]
pub const fn to_value(in_classical_unit: i32) -> i32 {
    in_classical_unit * 3 / 4
}

/// Rows of a table.
pub const ROWS: usize = WINDOWS + 2 * PATTERN_SETS;
/// Numbers of a table.
pub const TABLE: usize = ROWS * CHANNELS;

/// Where the parts of a head begin.
pub mod head {
    use super::{HIDDEN, LAST, POOLS, THREAT_MASKS};

    /// First layer: for each input the weights of all outputs.
    pub const W1: usize = 0;
    /// Its biases.
    pub const B1: usize = W1 + POOLS * HIDDEN;
    /// For each mask of threats what it adds to them.
    pub const MASKS: usize = B1 + HIDDEN;
    /// Second layer, as the first.
    pub const W2: usize = MASKS + THREAT_MASKS * HIDDEN;
    /// Its biases.
    pub const B2: usize = W2 + HIDDEN * LAST;
    /// The weights of the value.
    pub const W3: usize = B2 + LAST;
    /// Its bias.
    pub const B3: usize = W3 + LAST;
    /// Part of the classical value in it.
    pub const SKIP: usize = B3 + 1;
    /// The weights of a move: own channels, then the other side's.
    pub const POLICY: usize = SKIP + 1;
    /// Part of the classical rank in it.
    pub const RANK: usize = POLICY + POOLS;
    /// Numbers of a head.
    pub const SIZE: usize = RANK + 1;
}

/// Number of tables, and of heads, of a rule.
pub const fn tables(rule: Rule) -> usize {
    match rule {
        Rule::Renju => 2,
        _ => 1,
    }
}

/// Which table and head a color has.
pub const fn table_of(rule: Rule, color: Color) -> usize {
    match rule {
        Rule::Renju => color.index(),
        _ => 0,
    }
}

/// Numbers of a rule's section: its tables, then its heads.
pub const fn size(rule: Rule) -> usize {
    tables(rule) * (TABLE + head::SIZE)
}

/// Where the row of a window begins in a table.
pub const fn window_row(window: usize) -> usize {
    window * CHANNELS
}

/// Where the row of an own set begins in a table.
pub const fn own_row(set: usize) -> usize {
    (WINDOWS + set) * CHANNELS
}

/// Where the row of the other side's set begins in a table.
pub const fn other_row(set: usize) -> usize {
    (WINDOWS + PATTERN_SETS + set) * CHANNELS
}

/// Where a head begins.
pub const fn head_start(rule: Rule, table: usize) -> usize {
    tables(rule) * TABLE + table * head::SIZE
}

/// The unit of a number of a section, and the largest it may be either way.
pub const fn unit(rule: Rule, at: usize) -> (i16, i16) {
    if at < tables(rule) * TABLE {
        return (ROW_ONE, MOST_ROW);
    }
    (HEAD_ONE, MOST_WEIGHT)
}
