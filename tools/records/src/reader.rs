//! Reads record files of all versions and trusts nothing in them.
//!
//! A frame counts when its length fits, its checksum is right and its fields can be. Anything
//! else is passed over up to the next frame that counts, and told in [`Damage`].

use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;

use crate::format::{self, FILE_HEADER, FRAME_HEADER, FormatError, Frame, MAX_BODY, SYNC};
use crate::game::Game;

/// What could not be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    /// Bytes between frames that belong to none: something was overwritten or is of no use.
    pub lost: usize,
    /// Bytes after the last whole frame: a writer was cut off.
    pub torn: usize,
}

impl Damage {
    /// All bytes that could not be read.
    pub fn bytes(self) -> usize {
        self.lost + self.torn
    }
}

/// A record file in memory.
#[derive(Clone, Debug)]
pub struct Reader {
    bytes: Vec<u8>,
    version: u16,
    at: usize,
    /// End of the last frame that counted.
    whole: usize,
    lost: usize,
    notes: Vec<String>,
}

impl Reader {
    /// Reads from bytes.
    ///
    /// # Errors
    /// [`FormatError`] when they are no record file of a version that can be read.
    pub fn new(bytes: Vec<u8>) -> Result<Reader, FormatError> {
        let version = format::check_header(&bytes)?;
        let at = FILE_HEADER.len();
        Ok(Reader { bytes, version, at, whole: at, lost: 0, notes: Vec::new() })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or is no record file of a version that can be read.
    pub fn open(path: &Path) -> io::Result<Reader> {
        let invalid = |error| io::Error::new(io::ErrorKind::InvalidData, error);
        Reader::new(fs::read(path)?).map_err(invalid)
    }

    /// The version of the file.
    pub fn version(&self) -> u16 {
        self.version
    }

    /// The games from here on.
    pub fn games(&mut self) -> impl Iterator<Item = Game> + '_ {
        std::iter::from_fn(|| self.next_game())
    }

    /// The next game.
    pub fn next_game(&mut self) -> Option<Game> {
        loop {
            match self.next_frame()? {
                Frame::Game(game) => return Some(game),
                Frame::Note(text) => self.notes.push(text),
                Frame::Unknown => {}
            }
        }
    }

    /// The notes met so far.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What could not be read so far; the torn tail is known at the end only.
    pub fn damage(&self) -> Damage {
        let torn = if self.at >= self.bytes.len() { self.bytes.len() - self.whole } else { 0 };
        Damage { lost: self.lost, torn }
    }

    /// Bytes up to the end of the last frame that counted.
    pub fn whole(&self) -> usize {
        self.whole
    }

    /// The next frame that counts; searches for it where something else stands.
    fn next_frame(&mut self) -> Option<Frame> {
        while self.at < self.bytes.len() {
            let body = self.body_at(self.at);
            if let Some(body) = body
                && let Ok(frame) = format::decode_body(&self.bytes[body.clone()])
            {
                self.lost += self.at - self.whole;
                self.at = body.end;
                self.whole = body.end;
                return Some(frame);
            }
            let rest = &self.bytes[self.at + 1..];
            let next = rest.windows(SYNC.len()).position(|pair| pair == SYNC);
            self.at = next.map_or(self.bytes.len(), |next| self.at + 1 + next);
        }
        None
    }

    /// Where the body of a frame lies that begins here, if its checksum is right.
    fn body_at(&self, at: usize) -> Option<Range<usize>> {
        let header: &[u8; FRAME_HEADER] = self.bytes[at..].first_chunk()?;
        let [s0, s1, n0, n1, crc @ ..] = *header;
        let length = usize::from(u16::from_le_bytes([n0, n1]));
        let body = at + FRAME_HEADER..at + FRAME_HEADER + length;
        let is_frame = [s0, s1] == SYNC && length <= MAX_BODY;
        let bytes = self.bytes.get(body.clone()).filter(|_| is_frame)?;
        (crc32fast::hash(bytes) == u32::from_le_bytes(crc)).then_some(body)
    }
}
