//! Writes record files that can be cut off at any byte and continued.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use crate::format::{self, FILE_HEADER, VERSION};
use crate::game::Game;
use crate::reader::Reader;

/// Appends whole games to a file.
///
/// Each game is one write, so a process that dies loses at most the game it was writing.
#[derive(Debug)]
pub struct Writer {
    file: File,
}

impl Writer {
    /// Begins a file with a note on how its games are made.
    ///
    /// # Errors
    /// When there is such a file already, or it cannot be written.
    pub fn create(path: &Path, note: &str) -> io::Result<Writer> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        let mut bytes = FILE_HEADER.to_vec();
        bytes.extend(format::encode_note(note));
        file.write_all(&bytes)?;
        Ok(Writer { file })
    }

    /// Continues a file after its last whole frame; what stands behind it is cut off.
    ///
    /// The reader must have read the file to its end.
    ///
    /// # Errors
    /// When the file cannot be written, or is of an older version.
    pub fn resume(path: &Path, read: &Reader) -> io::Result<Writer> {
        if read.version() != VERSION {
            let found = read.version();
            let words = format!("expected a file of version {VERSION} to continue, got {found}");
            return Err(io::Error::new(io::ErrorKind::Unsupported, words));
        }
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.set_len(read.whole() as u64)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Writer { file })
    }

    /// Appends a game.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&mut self, game: &Game) -> io::Result<()> {
        self.file.write_all(&format::encode_game(game))
    }
}

/// A whole file in memory: a note and games.
pub fn encode_file<'a>(note: &str, games: impl IntoIterator<Item = &'a Game>) -> Vec<u8> {
    let mut bytes = FILE_HEADER.to_vec();
    bytes.extend(format::encode_note(note));
    for game in games {
        bytes.extend(format::encode_game(game));
    }
    bytes
}
