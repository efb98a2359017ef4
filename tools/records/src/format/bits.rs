//! Numbers of any number of bits, one after another, and nothing between them.
//!
//! Owns how bits lie in bytes: the first bit is the highest of the first byte, a number's
//! highest bit comes first. Must not know what the numbers mean.

use super::FormatError;

/// Appends numbers to bytes.
#[derive(Clone, Debug)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// Bits of the last byte that are still free.
    free: u32,
}

impl BitWriter {
    /// Goes on after whole bytes.
    pub(super) fn after(bytes: Vec<u8>) -> BitWriter {
        BitWriter { bytes, free: 0 }
    }

    /// Appends the low bits of a number.
    pub(super) fn put(&mut self, number: u32, bits: u32) {
        debug_assert!(bits == 32 || number >> bits == 0, "{number} in {bits} bits");
        for at in (0..bits).rev() {
            if self.free == 0 {
                self.bytes.push(0);
                self.free = 8;
            }
            self.free -= 1;
            if let Some(last) = self.bytes.last_mut() {
                *last |= u8::from(number >> at & 1 != 0) << self.free;
            }
        }
    }

    /// Appends one of `count` numbers from 0. All but the highest bit are enough for the first
    /// of them, as many as leave the code complete.
    ///
    /// Source: truncated binary encoding, as in S. Golomb, Run-length encodings, 1966.
    pub(super) fn put_below(&mut self, number: u32, count: u32) {
        debug_assert!(number < count, "{number} below {count}");
        let (bits, short) = truncated(count);
        if number < short {
            self.put(number, bits);
        } else {
            self.put(number + short, bits + 1);
        }
    }

    /// All of it; the rest of the last byte is zero.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Takes numbers from bytes.
#[derive(Clone, Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    /// Bits that were taken.
    at: usize,
}

impl<'a> BitReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> BitReader<'a> {
        BitReader { bytes, at: 0 }
    }

    /// Takes a number of so many bits.
    ///
    /// # Errors
    /// [`FormatError::Short`] when there are not so many.
    pub(super) fn take(&mut self, bits: u32) -> Result<u32, FormatError> {
        let mut number = 0;
        for _ in 0..bits {
            let byte = self.bytes.get(self.at / 8).ok_or(FormatError::Short)?;
            number = number << 1 | u32::from(byte >> (7 - self.at % 8) & 1);
            self.at += 1;
        }
        Ok(number)
    }

    /// Takes one of `count` numbers from 0.
    ///
    /// # Errors
    /// [`FormatError::Short`] when there are not enough bits.
    pub(super) fn take_below(&mut self, count: u32) -> Result<u32, FormatError> {
        let (bits, short) = truncated(count);
        let number = self.take(bits)?;
        if number < short { Ok(number) } else { Ok((number << 1 | self.take(1)?) - short) }
    }

    /// Checks that nothing is left but what fills the last byte.
    ///
    /// # Errors
    /// [`FormatError::Rest`] when there is more.
    pub(super) fn finish(mut self) -> Result<(), FormatError> {
        let rest = self.bytes.len() * 8 - self.at;
        let fill = self.take(u32::try_from(rest % 8).unwrap_or(0))?;
        if rest >= 8 || fill != 0 { Err(FormatError::Rest(rest)) } else { Ok(()) }
    }
}

/// Of one of `count` numbers: the bits of a short code, and how many numbers have one.
const fn truncated(count: u32) -> (u32, u32) {
    assert!(0 < count && count < 1 << 16, "a number of choices");
    let bits = count.ilog2();
    (bits, (2 << bits) - count)
}

/// Bits that hold any number up to this one.
pub(super) const fn bits_up_to(most: u32) -> u32 {
    u32::BITS - most.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bit_is_the_highest() {
        let mut bits = BitWriter::after(vec![7]);
        bits.put(1, 1);
        bits.put(0, 0);
        bits.put(0b011, 3);
        bits.put(0b1_0000_0001, 9);
        assert_eq!(bits.into_bytes(), [7, 0b1011_1000, 0b0000_1000]);
    }

    #[test]
    fn numbers_below_any_count_survive_in_as_few_bits() {
        for count in 1..=500 {
            let mut writer = BitWriter::after(Vec::new());
            (0..count).for_each(|number| writer.put_below(number, count));
            let bytes = writer.into_bytes();
            let mut reader = BitReader::new(&bytes);
            for number in 0..count {
                let before = reader.at;
                assert_eq!(reader.take_below(count), Ok(number));
                assert!(reader.at - before <= bits_up_to(count - 1) as usize);
            }
            assert_eq!(reader.finish(), Ok(()));
        }
    }

    #[test]
    fn too_few_and_too_many_bits_are_errors() {
        let mut reader = BitReader::new(&[0xff, 0x00]);
        assert_eq!(reader.take(9), Ok(0x1fe));
        assert_eq!(reader.clone().take(8), Err(FormatError::Short));
        assert_eq!(reader.finish(), Ok(()));
        let mut reader = BitReader::new(&[0xff, 0x01, 0x00]);
        assert_eq!(reader.clone().finish(), Err(FormatError::Rest(24)));
        reader.take(8).unwrap();
        assert_eq!(reader.clone().finish(), Err(FormatError::Rest(16)));
        reader.take(5).unwrap();
        assert_eq!(reader.finish(), Err(FormatError::Rest(11)));
        let mut last = BitReader::new(&[0x01]);
        last.take(5).unwrap();
        assert_eq!(last.finish(), Err(FormatError::Rest(3)));
    }
}
