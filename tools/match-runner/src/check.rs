//! A conformance report on any engine: each case with pass or fail and what came instead.
//!
//! Owns the cases and their notation. Must not assume anything of the engine: it is a command
//! line that is spoken to, nothing more. Start reading at [`script`], the notation; the cases are
//! the text files in `check/cases/`.

use anyhow::{Result, anyhow};

pub mod pattern;
pub mod player;
pub mod script;
pub mod special;
pub mod stones;

use script::Case;

/// The cases, a file a topic.
const FILES: [(&str, &str); 6] = [
    ("framing.txt", include_str!("check/cases/framing.txt")),
    ("game.txt", include_str!("check/cases/game.txt")),
    ("board.txt", include_str!("check/cases/board.txt")),
    ("info.txt", include_str!("check/cases/info.txt")),
    ("thought.txt", include_str!("check/cases/thought.txt")),
    ("extended.txt", include_str!("check/cases/extended.txt")),
];

/// All cases that come with the tool.
///
/// # Errors
/// When a file is not in the notation.
pub fn cases() -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for (name, content) in FILES {
        cases.extend(script::parse(content).map_err(|error| anyhow!("{name}: {error}"))?);
    }
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_can_be_read_and_has_its_own_name() {
        let cases = cases().unwrap();
        let mut names: Vec<&str> = cases.iter().map(|case| case.id.as_str()).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
        // Section 8 of the protocol's reference has so many.
        assert_eq!(count, 86);
    }
}
