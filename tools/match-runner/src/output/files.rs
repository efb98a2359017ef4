//! Record files of either kind, the runner's own and those of datagen.
//!
//! Owns which kind a file is. Must not know what is made of its games.

use std::path::Path;

use anyhow::{Context, Result};
use records::format::MAGIC;

use crate::record::{self, Entry, GameRecord};

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents<T> {
    /// How the games were made, where the file says so.
    pub notes: Vec<String>,
    /// The games in the order of the file.
    pub games: Vec<T>,
    /// Bytes that could not be read.
    pub damaged: usize,
}

/// Reads a record file, making something of each game.
///
/// # Errors
/// When it cannot be read, is of neither kind, or a game is not what it should be.
pub fn read<T>(
    path: &Path,
    of_record: impl Fn(&GameRecord) -> Result<T>,
    of_data: impl Fn(&records::Game) -> T,
) -> Result<Contents<T>> {
    let shown = path.display();
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {shown}"))?;
    // The magic word without the version, of which the reader will complain if it is another.
    if !bytes.starts_with(&MAGIC) {
        let entries = record::parse(&bytes).with_context(|| shown.to_string())?;
        let games = entries.iter().filter_map(|entry| match entry {
            Entry::Game(game) => Some(of_record(game)),
            Entry::Run(_) => None,
        });
        return Ok(Contents {
            notes: Vec::new(),
            games: games.collect::<Result<_>>()?,
            damaged: 0,
        });
    }
    let mut reader = records::Reader::new(bytes).with_context(|| shown.to_string())?;
    let games = reader.games().map(|game| of_data(&game)).collect();
    Ok(Contents { notes: reader.notes().to_vec(), games, damaged: reader.damage().bytes() })
}
