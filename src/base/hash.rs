//! A small hash for telling whether two inputs are the same.

/// The 64-bit FNV-1a hash of some numbers, bytes as a rule; no guard against forgery.
///
/// Source: Fowler, Noll, Vo, draft-eastlake-fnv.
pub fn fnv1a<T: Into<u64>>(numbers: impl IntoIterator<Item = T>) -> u64 {
    numbers.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, number| {
        (hash ^ number.into()).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        assert_eq!(fnv1a(*b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(*b"foobar"), 0x8594_4171_f739_67e8);
    }
}
