//! Results for people and for other programs.
//!
//! Owns how things look. Must not know how games are played.

use std::io::{self, Write};

pub mod board;
pub mod export;
pub mod json;
pub mod plot;
pub mod progress;
pub mod table;

/// Writes to stdout at once; a reader that has gone, as `head` does, is no error.
///
/// # Errors
/// When stdout cannot be written for another reason.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
