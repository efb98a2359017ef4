//! Where tests find the data that several programs share, for tests only.

use std::path::PathBuf;

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
