//! The bytes of an input as rules, sizes, squares and choices.
//!
//! Owns what a byte means to several targets, so that corpora can be read by eye: a square is two
//! bytes, taken modulo the sides of the board.

use arbitrary::Unstructured;
use tengen::types::rule::Rule;
use tengen::types::size::{BoardSize, MAX_SIDE, MIN_SIDE};
use tengen::types::square::Square;

/// Bytes that are taken one after the other; zeros when there are no more.
#[derive(Debug)]
pub struct Source<'a>(Unstructured<'a>);

impl<'a> Source<'a> {
    /// The bytes of an input.
    pub fn new(bytes: &'a [u8]) -> Source<'a> {
        Source(Unstructured::new(bytes))
    }

    /// Whether there are no more.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        self.0.arbitrary().unwrap_or(0)
    }

    /// A bit of the next byte.
    pub fn flag(&mut self) -> bool {
        self.byte() & 1 != 0
    }

    /// A number below a bound that is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.int_in_range(0..=bound - 1).unwrap_or(0)
    }

    /// A rule.
    pub fn rule(&mut self) -> Rule {
        Rule::ALL[self.below(Rule::ALL.len())]
    }

    /// A size of a board.
    pub fn size(&mut self) -> BoardSize {
        let (least, most) = (i64::from(MIN_SIDE), i64::from(MAX_SIDE));
        let mut side = || least + i64::from(self.byte()) % (most - least + 1);
        BoardSize::try_new(side(), side()).expect("both sides are in range")
    }

    /// A square of a board.
    pub fn square(&mut self, size: BoardSize) -> Square {
        let (x, y) = (self.byte() % size.width(), self.byte() % size.height());
        Square::new(x, y)
    }

    /// The same while there are bytes.
    pub fn next_square(&mut self, size: BoardSize) -> Option<Square> {
        (!self.is_empty()).then(|| self.square(size))
    }

    /// All bytes that are left.
    pub fn rest(&mut self) -> &'a [u8] {
        let length = self.0.len();
        self.0.bytes(length).unwrap_or(&[])
    }
}
