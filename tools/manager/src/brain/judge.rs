//! What the Gomocup judge watches beside the clock: memory and a folder.
//!
//! Owns the measuring. Must not know the protocol. Figures: Gomocup/GomocupJudge
//! `client/new_protocol.py`: the memory private to the process and its children is summed after
//! each move and may not exceed the limit; the folder given by `INFO folder` may hold 70 MiB.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use crate::brain::Failure;
use crate::process::Process;

/// What the judge's polling takes off the time it counts against the match clock.
pub(super) const POLL_MS: i64 = 10;
/// Bytes a brain's folder may hold.
const FOLDER_BYTES: u64 = 70 << 20;

/// A private folder, removed when dropped.
#[derive(Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    /// A new folder under the system's temporary one.
    pub(super) fn create(process: u32) -> io::Result<Folder> {
        let name = format!("match-runner-{}-{process}", std::process::id());
        let path = env::temp_dir().join(name);
        fs::create_dir_all(&path)?;
        Ok(Folder(path))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A brain may have removed it.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Fails when the process uses more than the judge allows; says how much memory it uses.
pub(super) fn over_limit(process: &Process, folder: &Folder, memory: u64) -> Result<u64, Failure> {
    let used = process.private_bytes();
    if used > memory {
        return Err(Failure::OverLimit { reason: format!("memory: {used} of {memory} bytes") });
    }
    let files = folder_bytes(folder.path());
    if files > FOLDER_BYTES {
        return Err(Failure::OverLimit {
            reason: format!("folder: {files} of {FOLDER_BYTES} bytes"),
        });
    }
    Ok(used)
}

fn folder_bytes(path: &Path) -> u64 {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(data) if data.is_dir() => folder_bytes(&entry.path()),
            Ok(data) => data.len(),
            Err(_) => 0,
        })
        .sum()
}
