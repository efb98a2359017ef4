//! Where tests find the data that several programs share, and how long they are to run; for
//! tests only.
//!
//! `TENGEN_TEST_SCALE=20 cargo test --release search::tests` looks at twenty times as many random
//! cases as usual, `TENGEN_TEST_SEED=7` at others; both together are the long run.

use std::path::PathBuf;

/// A number in the environment.
fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} must be a whole number, got '{text}'")))
}

/// How many random cases a test looks at: so many, times `$TENGEN_TEST_SCALE`.
pub(crate) fn cases(usual: usize) -> usize {
    usual * usize::try_from(number("TENGEN_TEST_SCALE").unwrap_or(1).max(1)).unwrap()
}

/// The seed of a test's random cases: its own, moved by `$TENGEN_TEST_SEED`.
pub(crate) fn seed(own: u64) -> u64 {
    own.wrapping_add(number("TENGEN_TEST_SEED").unwrap_or(0).wrapping_mul(1_000_003))
}
/// The text of a file under the shared folder: `$TENGEN_SHARED`, else `../shared` beside the
/// repository. Where it is not there the test that asked is skipped, which is said aloud.
pub(crate) fn shared(file: &str) -> Option<String> {
    let folder = std::env::var_os("TENGEN_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    match std::fs::read_to_string(folder.join(file)) {
        Ok(text) => Some(text),
        Err(error) => {
            println!("skipped: {} cannot be read: {error}", folder.join(file).display());
            None
        }
    }
}

/// The lines of a shared file that are neither empty nor comments.
pub(crate) fn shared_lines(file: &str) -> Vec<String> {
    let text = shared(file).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}
