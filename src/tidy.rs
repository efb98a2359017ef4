//! Rules of the repository that a compiler does not check, as tests.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the library, lowest first. A module may use those before it and itself;
/// `bench` stands beside `protocol`: neither may use the other.
const LAYERS: [&str; 10] = [
    "base", "types", "board", "pattern", "rule", "eval", "position", "search", "engine", "protocol",
];

/// Longest file, in lines; `search/node.rs` is one argument and may be longer.
const MOST_LINES: usize = 600;
const MOST_LINES_OF_NODE: usize = 1000;

/// Parts of the protocol that only turn text into values and back.
const PURE_PROTOCOL: [&str; 5] = ["command", "info", "reply", "block", "text"];

/// All Rust files below a folder of the repository, with their text.
fn files(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.map(|entry| entry.unwrap().path()) {
            if entry.is_dir() && entry.file_name().is_some_and(|name| name != "target") {
                open.push(entry);
            } else if entry.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&entry).unwrap();
                found.push((entry, text));
            }
        }
    }
    assert!(!found.is_empty() || folder == "tools", "no files in {folder}");
    found
}

/// The module of the library a file belongs to.
fn module_of(path: &Path) -> String {
    let inside = path.strip_prefix(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap();
    let first = inside.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_owned()
}

/// The modules that a text names by `crate::`.
fn used_modules(text: &str) -> Vec<String> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let uses = code.flat_map(|line| line.split("crate::").skip(1).map(str::to_owned));
    uses.map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect())
        .collect()
}

#[test]
fn imports_point_down_only() {
    for (path, text) in files("src") {
        let module = module_of(&path);
        if module == "tidy" {
            continue;
        }
        let rank = |name: &str| LAYERS.iter().position(|layer| *layer == name);
        for used in used_modules(&text) {
            let allowed = match (rank(&module), rank(&used)) {
                (Some(here), Some(there)) => there <= here,
                // The bench may use what the protocol may, the program everything.
                (None, Some(_)) => module != "bench" || used != "protocol",
                (_, None) => ["tunables", "testing"].contains(&used.as_str()),
            };
            assert!(allowed, "{}: {module} may not use {used}", path.display());
        }
    }
}

#[test]
fn text_of_the_protocol_does_not_know_the_engine() {
    for (path, text) in files("src/protocol") {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if PURE_PROTOCOL.contains(&name.as_str()) {
            for used in used_modules(&text) {
                let is_pure = ["base", "types", "protocol"].contains(&used.as_str());
                assert!(is_pure, "{}: {name} may not use {used}", path.display());
            }
        }
    }
}

#[test]
fn files_are_short_and_hold_no_leftovers() {
    for folder in ["src", "protocol-tests", "tools"] {
        for (path, text) in files(folder) {
            let is_node = path.ends_with("search/node.rs");
            let most = if is_node { MOST_LINES_OF_NODE } else { MOST_LINES };
            let count = text.lines().count();
            assert!(count <= most, "{}: {count} lines", path.display());
            let starts = text.starts_with("//!") || path.ends_with("tests.rs");
            assert!(starts, "{}: what does the file own?", path.display());
            for mark in [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("<<<<", "<<<")] {
                assert!(!text.contains(mark), "{}: {mark}", path.display());
            }
        }
    }
}

#[test]
fn floats_stay_out_of_search_evaluation_and_patterns() {
    for folder in ["src/search", "src/eval", "src/pattern", "src/board", "src/rule"] {
        for (path, text) in files(folder) {
            for word in ["f32", "f64"] {
                let found =
                    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == word);
                assert!(!found, "{}: {word}", path.display());
            }
        }
    }
}
