//! Inputs run without a fuzzer.
//!
//! Owns the way from files to targets, and that no panic is lost: the engine catches those of its
//! searches, and would play on.

#![allow(clippy::print_stderr, reason = "a program's complaints go to stderr")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::{fs, io, panic};

use crate::Target;

/// Panics so far, those that somebody caught among them.
static PANICS: AtomicUsize = AtomicUsize::new(0);

/// Counts every panic from now on.
pub fn count_panics() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        PANICS.fetch_add(1, Relaxed);
        usual(info);
    }));
}

/// Whether a target holds for an input, without any panic on the way; needs [`count_panics`].
pub fn holds(target: Target, input: &[u8]) -> bool {
    let before = PANICS.load(Relaxed);
    // A panic is in the count, caught or not.
    let _ = catch_unwind(AssertUnwindSafe(|| target(input)));
    PANICS.load(Relaxed) == before
}

/// The files of a folder, by name.
///
/// # Errors
/// When it cannot be read.
pub fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    files.retain(|path| path.is_file());
    files.sort();
    Ok(files)
}

/// Runs a target on the files that the command line names; says which it does not hold for.
pub fn main(target: Target) -> ExitCode {
    count_panics();
    let mut code = ExitCode::SUCCESS;
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if paths.is_empty() {
        eprintln!("expected files to run, or to be built by cargo-fuzz");
        return ExitCode::FAILURE;
    }
    for path in paths {
        let is_fine = match fs::read(&path) {
            Ok(input) => holds(target, &input),
            Err(error) => {
                eprintln!("{}: {error}", path.display());
                false
            }
        };
        if !is_fine {
            eprintln!("{}: does not hold", path.display());
            code = ExitCode::FAILURE;
        }
    }
    code
}
