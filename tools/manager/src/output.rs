//! What a tool writes for people and other programs.
//!
//! Owns the one way to stdout. Must not know what is written.

use std::io::{self, Write};

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
