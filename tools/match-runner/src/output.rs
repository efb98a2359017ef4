//! Results for people and for other programs.
//!
//! Owns how things look. Must not know how games are played.

#[cfg(unix)]
use std::io;

pub mod board;
pub mod export;
pub mod files;
pub mod json;
pub mod plot;
pub mod progress;
pub mod table;
pub mod view;

/// Columns and rows of the terminal, where there is one that says so.
pub fn terminal_size() -> Option<(usize, usize)> {
    #[cfg(unix)]
    {
        let size = rustix::termios::tcgetwinsize(io::stderr()).ok()?;
        let known = size.ws_col > 0 && size.ws_row > 0;
        known.then(|| (size.ws_col.into(), size.ws_row.into()))
    }
    #[cfg(not(unix))]
    None
}

/// Text whose lines fit a terminal, so that each takes one row and can be drawn over.
pub fn fitted(text: &str) -> String {
    let width = terminal_size().map_or(80, |(columns, _)| columns).saturating_sub(1);
    let lines = text.lines().map(|line| line.chars().take(width).chain(['\n']));
    lines.flatten().collect()
}
