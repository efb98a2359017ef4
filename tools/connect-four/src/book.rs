//! The opening book: positions of few stones with their scores.
//!
//! Owns the list, its file format and the book that is built in. Must not know why a position is
//! in it; `make` decides that.
//!
//! ```text
//!   file:   "C4B1"  columns  rows  most stones of an entry  number of entries (4 bytes, little-endian)
//!           then for each entry, by rising key:
//!           key - key before   7 bits a byte, low ones first, the high bit set but in the last
//!           score              one byte, signed, the usual number
//! ```
//!
//! A position and its mirror image are one entry, with the smaller of their keys.

pub mod make;

use std::fmt;
use std::sync::{Arc, LazyLock};

use tengen::base::score::Score;

use crate::position::{Position, Size};
use crate::usual::Usual;

/// First bytes of a file.
const MAGIC: [u8; 4] = *b"C4B1";

/// The book of 7x6 that is built in.
static STANDARD: LazyLock<Arc<Book>> = LazyLock::new(|| {
    let book = Book::from_bytes(include_bytes!("book/7x6.book"));
    // That the file is sound is tested; without it everything works, but slower.
    Arc::new(book.unwrap_or_else(|_| Book::new(Size::standard())))
});

/// Positions with known scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    size: Size,
    /// Keys and usual scores, by key.
    entries: Vec<(u64, i8)>,
    most_stones: u32,
}

/// Why bytes are no book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookError {
    /// It does not begin as a book does.
    NoBook,
    /// It is for a board that does not exist.
    BadSize(u8, u8),
    /// The entry with this number, from 0, is not there or makes no sense.
    BadEntry(u32),
    /// There is more after the last entry.
    Leftover,
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::NoBook => write!(f, "expected a book of connect four, got another file"),
            BookError::BadSize(columns, rows) => {
                write!(f, "expected a board size, got {columns} columns and {rows} rows")
            }
            BookError::BadEntry(number) => write!(f, "entry {number} is cut off or broken"),
            BookError::Leftover => write!(f, "there is more after the last entry"),
        }
    }
}

impl std::error::Error for BookError {}

impl Book {
    /// A book without entries.
    pub const fn new(size: Size) -> Book {
        Book { size, entries: Vec::new(), most_stones: 0 }
    }

    /// The book that is built in, for 7x6.
    pub fn standard() -> Arc<Book> {
        Arc::clone(&STANDARD)
    }

    /// The board size.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Number of entries; a position and its mirror image are one.
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries.
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The score of a position, if it is in the book.
    #[inline]
    pub fn score(&self, position: &Position) -> Option<Score> {
        let stones = position.stones();
        if stones > self.most_stones || self.entries.is_empty() {
            return None;
        }
        let key = position.key_of_both(&self.size);
        let at = self.entries.binary_search_by_key(&key, |&(key, _)| key).ok()?;
        Some(Usual::new(&self.size, stones).score(i32::from(self.entries[at].1)))
    }

    /// Adds positions, or replaces what was known of them.
    pub fn extend(&mut self, scores: impl IntoIterator<Item = (Position, Score)>) {
        for (position, score) in scores {
            let stones = position.stones();
            let usual = Usual::new(&self.size, stones).of(score);
            let entry = (position.key_of_both(&self.size), i8::try_from(usual).unwrap_or(0));
            self.entries.push(entry);
            self.most_stones = self.most_stones.max(stones);
        }
        // Stable: of several entries of a position the one added last is kept.
        self.entries.reverse();
        self.entries.sort_by_key(|&(key, _)| key);
        self.entries.dedup_by_key(|&mut (key, _)| key);
    }

    /// The book as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let byte = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
        let mut bytes = MAGIC.to_vec();
        bytes.extend([byte(self.size.columns()), byte(self.size.rows())]);
        bytes.push(byte(self.most_stones as usize));
        bytes.extend(u32::try_from(self.entries.len()).unwrap_or(u32::MAX).to_le_bytes());
        let mut before = 0;
        for &(key, score) in &self.entries {
            let mut step = key - before;
            before = key;
            while step > 127 {
                bytes.push((step & 127) as u8 | 128);
                step >>= 7;
            }
            bytes.push((step & 127) as u8);
            bytes.push(score.cast_unsigned());
        }
        bytes
    }

    /// A book from a file.
    ///
    /// # Errors
    /// When the bytes are not a whole book and nothing else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Book, BookError> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(BookError::NoBook)?;
        let Some((&[columns, rows, most_stones, c0, c1, c2, c3], mut rest)) =
            rest.split_first_chunk()
        else {
            return Err(BookError::NoBook);
        };
        let size = Size::try_new(columns.into(), rows.into())
            .map_err(|_| BookError::BadSize(columns, rows))?;
        let count = u32::from_le_bytes([c0, c1, c2, c3]);
        let most_usual = i8::try_from(size.squares() / 2).unwrap_or(i8::MAX);
        let mut entries: Vec<(u64, i8)> = Vec::new();
        for number in 0..count {
            let step = read_step(&mut rest).ok_or(BookError::BadEntry(number))?;
            let (&score, after) = rest.split_first().ok_or(BookError::BadEntry(number))?;
            rest = after;
            let before = entries.last().map(|&(key, _)| key);
            let key = before.unwrap_or(0).checked_add(step);
            let key = key.filter(|_| step > 0 || before.is_none());
            let score = score.cast_signed();
            match key {
                Some(key) if score.unsigned_abs() <= most_usual.unsigned_abs() => {
                    entries.push((key, score));
                }
                _ => return Err(BookError::BadEntry(number)),
            }
        }
        if rest.is_empty() {
            Ok(Book { size, entries, most_stones: most_stones.into() })
        } else {
            Err(BookError::Leftover)
        }
    }
}

/// Reads a number of 7 bits a byte.
fn read_step(rest: &mut &[u8]) -> Option<u64> {
    let mut step = 0;
    for shift in (0..63).step_by(7) {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        step |= u64::from(byte & 127) << shift;
        if byte & 128 == 0 {
            return Some(step);
        }
    }
    None
}

#[cfg(test)]
mod tests;
