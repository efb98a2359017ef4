//! Blocks: commands whose lines follow them, up to DONE.
//!
//! Owns collecting them line by line, also when all stands on one line, and the rule that a bad
//! line is reported once, at the end. Must not know boards: points may lie anywhere. Start
//! reading at [`Block::read`].

use std::fmt;

use crate::protocol::text::{Coord, echo, numbers};

/// Most entries a block may have; twice the largest board.
const MAX_ENTRIES: usize = 1024;

/// Which block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// A position to answer.
    Board,
    /// A position to keep.
    YxBoard,
    /// A swap2 opening.
    Swap2,
    /// Squares not to play.
    YxBlock,
    /// Squares to play again.
    YxBlockUndo,
    /// A line of play whose last move is not to be played.
    YxBlockPath,
    /// Such a line that does not count any more.
    YxBlockPathUndo,
}

impl BlockKind {
    /// Numbers in an entry.
    fn arity(self) -> usize {
        match self {
            BlockKind::Board | BlockKind::YxBoard => 3,
            BlockKind::Swap2
            | BlockKind::YxBlock
            | BlockKind::YxBlockUndo
            | BlockKind::YxBlockPath
            | BlockKind::YxBlockPathUndo => 2,
        }
    }
}

/// What was wrong with a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BlockError {
    /// A line that is no entry.
    Line {
        /// Numbers expected.
        arity: usize,
        /// The start of the line.
        found: String,
    },
    /// A third number that is no owner.
    Owner(i64),
    /// More entries than squares.
    TooLong,
}

impl fmt::Display for BlockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BlockError::Line { arity: 3, found } => write!(f, "expected x,y,field, got '{found}'"),
            BlockError::Line { found, .. } => write!(f, "expected x,y, got '{found}'"),
            BlockError::Owner(field) => write!(f, "field must be 1, 2 or 3, got {field}"),
            BlockError::TooLong => write!(f, "too many lines in a block"),
        }
    }
}

/// An entry: a point, and whose it is in blocks that say so (else 0).
pub(crate) type Entry = (Coord, i64);

/// A block that is being read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// Which one.
    pub(crate) kind: BlockKind,
    entries: Vec<Entry>,
    error: Option<BlockError>,
}

impl Block {
    /// A block without lines.
    pub(crate) fn new(kind: BlockKind) -> Block {
        Block { kind, entries: Vec::new(), error: None }
    }

    /// Reads a line, which may hold any number of entries; says whether it ended the block.
    ///
    /// What follows DONE on its line is an error, as it may have been meant to come before.
    pub(crate) fn read(&mut self, line: &[u8]) -> bool {
        let (entries, after) = split_done(line);
        self.read_entries(entries);
        match after {
            Some([]) => true,
            Some(rest) => {
                self.fail(BlockError::Line { arity: self.kind.arity(), found: echo(rest, 24) });
                true
            }
            None => false,
        }
    }

    /// The entries, or the first error.
    pub(crate) fn finish(self) -> Result<Vec<Entry>, BlockError> {
        self.error.map_or(Ok(self.entries), Err)
    }

    fn read_entries(&mut self, text: &[u8]) {
        let arity = self.kind.arity();
        let numbers = numbers(text).filter(|numbers| numbers.len() % arity == 0);
        let Some(numbers) = numbers else {
            self.fail(BlockError::Line { arity, found: echo(text.trim_ascii(), 24) });
            return;
        };
        for entry in numbers.chunks_exact(arity) {
            let field = entry.get(2).copied().unwrap_or(0);
            if arity == 3 && !(1..=3).contains(&field) {
                self.fail(BlockError::Owner(field));
            } else if self.entries.len() == MAX_ENTRIES {
                self.fail(BlockError::TooLong);
            } else {
                self.entries.push((Coord { x: entry[0], y: entry[1] }, field));
            }
        }
    }

    fn fail(&mut self, error: BlockError) {
        self.error.get_or_insert(error);
    }
}

/// Splits a line at the word DONE; what comes after it is none if there is no such word.
pub(crate) fn split_done(line: &[u8]) -> (&[u8], Option<&[u8]>) {
    let mut start = 0;
    for word in line.split(u8::is_ascii_whitespace) {
        let end = start + word.len();
        if word.eq_ignore_ascii_case(b"DONE") {
            return (&line[..start], Some(line[end..].trim_ascii()));
        }
        start = end + 1;
    }
    (line, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the lines of a block; the last one must be the one that ends it.
    fn check(kind: BlockKind, lines: &[&str], expected: Result<&[(i64, i64, i64)], BlockError>) {
        let mut block = Block::new(kind);
        let ended: Vec<bool> = lines.iter().map(|line| block.read(line.as_bytes())).collect();
        assert_eq!(ended.iter().position(|&end| end), Some(lines.len() - 1), "{lines:?}");
        let entry = |&(x, y, field): &(i64, i64, i64)| (Coord { x, y }, field);
        assert_eq!(block.finish(), expected.map(|list| list.iter().map(entry).collect()));
    }

    fn line(arity: usize, found: &str) -> BlockError {
        BlockError::Line { arity, found: found.to_owned() }
    }

    #[test]
    fn lines_and_one_line_read_alike() {
        let stones: &[_] = &[(7, 7, 1), (8, 8, 2)];
        check(BlockKind::Board, &["7,7,1", "8,8,2", "DONE"], Ok(stones));
        check(BlockKind::Board, &["7,7,1 8,8,2 DONE"], Ok(stones));
        check(BlockKind::Board, &["7,7,1", "8,8,2 done"], Ok(stones));
        check(BlockKind::Board, &[" 7 , 7 , 1 ", "", "\t8 8 2", " Done "], Ok(stones));
        check(BlockKind::Board, &["DONE"], Ok(&[]));
        check(
            BlockKind::Swap2,
            &["7,7", "8,7 9,9", "DONE"],
            Ok(&[(7, 7, 0), (8, 7, 0), (9, 9, 0)]),
        );
    }

    #[test]
    fn the_first_bad_line_counts_and_reading_goes_on() {
        check(BlockKind::Board, &["7,7,1", "foo", "8,8,9", "DONE"], Err(line(3, "foo")));
        check(BlockKind::Board, &["8,8,9", "foo", "DONE"], Err(BlockError::Owner(9)));
        check(BlockKind::Board, &["7,7", "DONE"], Err(line(3, "7,7")));
        check(BlockKind::Board, &["7,7,", "DONE"], Err(line(3, "7,7,")));
        check(BlockKind::Swap2, &["7,7,1", "DONE"], Err(line(2, "7,7,1")));
        check(BlockKind::Board, &["DONE 7,7,1"], Err(line(3, "7,7,1")));
    }

    #[test]
    fn a_block_has_an_end_even_if_it_never_comes() {
        let mut block = Block::new(BlockKind::Board);
        for _ in 0..=MAX_ENTRIES {
            assert!(!block.read(b"7,7,1"));
        }
        assert!(block.read(b"DONE"));
        assert_eq!(block.finish(), Err(BlockError::TooLong));
    }
}
