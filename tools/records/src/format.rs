//! The bytes of a record file. Numbers outside of packed games are little-endian.
//!
//! ```text
//!   file     offset  bytes  what
//!            0       6      "TGNREC"
//!            6       2      version: 2; of 1, which is read only, the frames are of kinds 0 and 1
//!            8              frames, one after another
//!
//!   frame    0       2      0xD7 0x4A, where a reader that lost its way looks for the next one
//!            2       2      length of the body, at most 8,192
//!            4       4      CRC-32 (IEEE) of the body
//!            8              body
//!
//!   body     0       1      kind: 0 a note, 1 a game of version 1, 2 a game of version 2;
//!                           others are skipped
//!   of a note        1      UTF-8 text: how the games that follow were made
//! ```
//!
//! A game of version 2 is drawn in [`v2`], one of version 1 in [`v1`]. What a kind means never
//! changes, so a reader need not remember the version of the file.

mod bits;
mod near;
mod score;
pub mod v1;
pub mod v2;

use std::fmt;

use crate::game::Game;

pub use v2::encode_game;

/// First bytes of a file of any version.
pub const MAGIC: [u8; 6] = *b"TGNREC";
/// The version that is written.
pub const VERSION: u16 = 2;
/// First bytes of a file that is written: the magic word and the version.
pub const FILE_HEADER: [u8; 8] = *b"TGNREC\x02\x00";
/// First bytes of a frame.
pub const SYNC: [u8; 2] = [0xd7, 0x4a];
/// Bytes of a frame before its body.
pub const FRAME_HEADER: usize = 8;
/// Longest body.
pub const MAX_BODY: usize = 8192;

/// The kind of a note.
const NOTE: u8 = 0;

/// Why bytes are no record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatError {
    /// The file does not begin with the magic word.
    NoRecords,
    /// The file has another version.
    Version(u16),
    /// A field holds what it may not.
    Field(&'static str, u64),
    /// The body is not as long as its fields say.
    Length(usize, usize),
    /// The body ends within a field.
    Short,
    /// So many bits, or bits that are not zero, follow the last field.
    Rest(usize),
    /// A note is no text.
    Text,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::NoRecords => f.write_str("expected a file that begins with TGNREC"),
            FormatError::Version(found) => write!(f, "expected version 1 or 2, got {found}"),
            FormatError::Field(name, found) => write!(f, "{name} cannot be {found}"),
            FormatError::Length(expected, found) => {
                write!(f, "expected a body of {expected} bytes, got {found}")
            }
            FormatError::Short => f.write_str("expected more bits in a body"),
            FormatError::Rest(bits) => write!(f, "expected the end of a body, got {bits} bits"),
            FormatError::Text => f.write_str("expected a note in UTF-8"),
        }
    }
}

impl std::error::Error for FormatError {}

/// What a frame holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// How the games that follow were made.
    Note(String),
    /// A game.
    Game(Game),
    /// A kind of a later version.
    Unknown,
}

/// The version of a file by its first bytes.
///
/// # Errors
/// [`FormatError::NoRecords`], or [`FormatError::Version`] when it cannot be read.
pub fn check_header(bytes: &[u8]) -> Result<u16, FormatError> {
    match bytes.first_chunk::<8>() {
        Some([magic @ .., low, high]) if *magic == MAGIC => {
            match u16::from_le_bytes([*low, *high]) {
                version @ 1..=VERSION => Ok(version),
                version => Err(FormatError::Version(version)),
            }
        }
        _ => Err(FormatError::NoRecords),
    }
}

/// Puts the frame's header before a body.
fn frame(body: &[u8]) -> Vec<u8> {
    let length = u16::try_from(body.len()).ok().filter(|_| body.len() <= MAX_BODY);
    let Some(length) = length else { unreachable!("bodies are cut to fit") };
    let mut bytes = Vec::with_capacity(FRAME_HEADER + body.len());
    bytes.extend(SYNC);
    bytes.extend(length.to_le_bytes());
    bytes.extend(crc32fast::hash(body).to_le_bytes());
    bytes.extend(body);
    bytes
}

/// A note as a frame; a text that is too long is cut.
pub fn encode_note(text: &str) -> Vec<u8> {
    let mut end = text.len().min(MAX_BODY - 1);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut body = vec![NOTE];
    body.extend(&text.as_bytes()[..end]);
    frame(&body)
}

/// Reads the body of a frame whose checksum was right.
///
/// The moves of a game are on the board and on different squares; that no row was complete
/// before the end is not checked.
///
/// # Errors
/// [`FormatError`] for the first field that cannot be.
pub fn decode_body(body: &[u8]) -> Result<Frame, FormatError> {
    match body.split_first() {
        Some((&NOTE, text)) => {
            let text = str::from_utf8(text).map_err(|_| FormatError::Text)?;
            Ok(Frame::Note(text.to_owned()))
        }
        Some((&v1::KIND, _)) => v1::decode_game(body).map(Frame::Game),
        Some((&v2::KIND, packed)) => v2::decode_game(packed).map(Frame::Game),
        Some(_) => Ok(Frame::Unknown),
        None => Err(FormatError::Length(1, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_names_the_version() {
        assert_eq!(check_header(&FILE_HEADER), Ok(VERSION));
        assert_eq!(check_header(b"TGNREC\x01\x00"), Ok(1));
        assert_eq!(check_header(b"TGNREC\x03\x00"), Err(FormatError::Version(3)));
        assert_eq!(check_header(b"TGNREC\x02\x01"), Err(FormatError::Version(0x0102)));
        assert_eq!(check_header(b"TGNREC\x00\x00"), Err(FormatError::Version(0)));
        assert_eq!(check_header(b"TGNRE"), Err(FormatError::NoRecords));
        assert_eq!(check_header(b"PK\x03\x04    "), Err(FormatError::NoRecords));
    }
}
