//! The corpora of all targets, replayed.

use std::fs;
use std::path::Path;

use fuzz::TARGETS;
use fuzz::replay::{count_panics, files, holds};

#[test]
fn every_target_holds_for_its_corpus() {
    count_panics();
    let mut failed = Vec::new();
    for (name, target) in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
        let files = files(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        assert!(!files.is_empty(), "{name}: no corpus");
        for file in files {
            if !holds(target, &fs::read(&file).expect("a file of the corpus")) {
                failed.push(file);
            }
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}
