//! Late move reductions by depth and move count, as a table of integers.

use std::sync::LazyLock;

use crate::search::params::{PLY, reduction_base, reduction_factor};

/// Largest depth in plies and largest move count that have an entry of their own.
const LIMIT: usize = 64;

/// Natural logarithms of 1 to 63 in 1024ths; entry 0 is not used.
static LOGARITHMS: LazyLock<[i32; LIMIT]> = LazyLock::new(|| {
    let mut table = [0; LIMIT];
    for (n, entry) in (0u32..).zip(table.iter_mut()).skip(1) {
        *entry = log2_1024ths(n) * 710 / 1024;
    }
    table
});

/// Binary logarithm in 1024ths, by repeated squaring of the fraction: integers only, so that
/// every machine has the same.
fn log2_1024ths(n: u32) -> i32 {
    let whole = n.ilog2();
    let mut fraction = (u64::from(n) << 30) >> whole;
    let mut result = i32::try_from(whole).unwrap_or(0) << 10;
    for bit in (0..10).rev() {
        fraction = (fraction * fraction) >> 30;
        if fraction >= 2 << 30 {
            fraction >>= 1;
            result |= 1 << bit;
        }
    }
    result
}

/// How much less deep the `count`-th move of a node is searched, in parts of a ply.
///
/// Domain: depth in parts of a ply; both are taken as at most 63. Zero for the first move.
pub(super) fn reduction(depth: i32, count: usize) -> i32 {
    let depth = usize::try_from(depth / PLY).unwrap_or(0).clamp(1, LIMIT - 1);
    let product = LOGARITHMS[depth] * LOGARITHMS[count.clamp(1, LIMIT - 1)] / 1024;
    (reduction_base() + product * PLY * reduction_factor() / (100 * 1024)).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right_to_a_hundredth() {
        for (n, expected) in [(1, 0), (2, 710), (3, 1125), (10, 2358), (63, 4243)] {
            assert!((LOGARITHMS[n] - expected).abs() <= 10, "{n}: {}", LOGARITHMS[n]);
        }
    }

    #[test]
    fn later_and_deeper_is_reduced_more() {
        for depth in 2..40 {
            for count in 2..60 {
                let here = reduction(depth * PLY, count);
                assert!(here <= reduction((depth + 1) * PLY, count));
                assert!(here <= reduction(depth * PLY, count + 1));
            }
        }
    }
}
