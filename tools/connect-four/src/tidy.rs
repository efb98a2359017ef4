//! Rules of the package that a compiler does not check, as tests.

use std::fs;
use std::path::{Path, PathBuf};

/// Rust files of the package, with their text.
fn files() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                open.push(entry);
            } else if entry.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&entry).unwrap();
                found.push((entry, text));
            }
        }
    }
    found
}

/// What a text uses of the engine: what follows each `tengen` that is a path.
fn used_of_the_engine(text: &str) -> Vec<String> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let after =
        code.flat_map(|line| line.split("tengen").skip(1).map(str::to_owned).collect::<Vec<_>>());
    after.filter(|rest| rest.trim_start().starts_with("::") || rest.starts_with(" as")).collect()
}

#[test]
fn only_the_game_neutral_base_of_the_engine_is_used() {
    let mut count = 0;
    for (path, text) in files() {
        if path.ends_with("tidy.rs") {
            continue;
        }
        for used in used_of_the_engine(&text) {
            count += 1;
            assert!(used.starts_with("::base::"), "{}: tengen{used}", path.display());
        }
    }
    assert!(count > 10, "the solver stands on the base: {count} uses");
}

#[test]
fn a_use_of_another_part_of_the_engine_is_seen() {
    for line in
        ["use tengen::board::Board;", "use tengen::{base::score, eval};", "use tengen as t;"]
    {
        let used = used_of_the_engine(line);
        assert!(used.len() == 1 && !used[0].starts_with("::base::"), "{line}: {used:?}");
    }
    assert_eq!(used_of_the_engine("use tengen::base::tt::Table;"), ["::base::tt::Table;"]);
    assert!(used_of_the_engine("// tengen::board").is_empty());
}
