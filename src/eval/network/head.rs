//! The head: from the pools to the logit of the value.

use crate::eval::network::shape::{HEAD_ONE, HIDDEN, LAST, POOL_SHIFT, POOLS, ROW_ONE, TOP};
use crate::eval::network::simd::{Simd, add};
use crate::eval::network::weights::Head;

/// The shift of a weight of the head.
pub(super) const SHIFT: u32 = HEAD_ONE.trailing_zeros();
/// The shift of a channel.
pub(super) const ROW_SHIFT: u32 = ROW_ONE.trailing_zeros();

/// The largest a hidden value may be.
const LIMIT: i32 = (TOP as i32) << SHIFT;

/// The logit for these pools and this mask of threats, in parts of a [`HEAD_ONE`] squared.
#[expect(clippy::cast_possible_truncation, reason = "cut to the range before")]
pub(super) fn logit(simd: Simd, head: &Head, pools: &[i32; POOLS], mask: usize) -> i32 {
    let inputs = pools.map(|pool| (pool >> POOL_SHIFT).min(i32::from(i16::MAX)) as i16);
    let mut sums = [0; HIDDEN];
    for ((sum, &bias), &threat) in sums.iter_mut().zip(&head.b1).zip(&head.masks[mask]) {
        *sum = (i32::from(bias) + i32::from(threat)) << ROW_SHIFT;
    }
    add(simd, &mut sums, &inputs, &head.w1);

    let inputs = sums.map(|sum| (sum >> ROW_SHIFT).clamp(0, LIMIT) as i16);
    let mut sums: [i32; LAST] = head.b2.map(|bias| i32::from(bias) << SHIFT);
    add(simd, &mut sums, &inputs, &head.w2);

    let mut logit = i32::from(head.b3) << SHIFT;
    for (&sum, &weight) in sums.iter().zip(&head.w3) {
        logit += (sum >> SHIFT).clamp(0, LIMIT) * i32::from(weight);
    }
    logit
}
