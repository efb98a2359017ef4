//! Files of weights of the classical evaluation.
//!
//! Holds: nothing panics; an error names a line of the file; sections survive being written and
//! read; their tables can be built and are within the limit of a weight.

use tengen::eval::weights::{MAX_WEIGHT, Section, parse, parse_sections};
use tengen::pattern::PatternSet;
use tengen::types::rule::Rule;

/// The first line of a file, so that the fuzzer need not find it.
const HEAD: &str = "tengen-classical 1\n";

/// Runs the target.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    look_at(&text);
    look_at(&format!("{HEAD}{text}"));
}

fn look_at(text: &str) {
    let sections = match parse_sections(text) {
        Ok(sections) => sections,
        Err(error) => {
            let lines = text.lines().count().max(1);
            assert!((1..=lines).contains(&error.line), "{error} of {lines}");
            return;
        }
    };
    let written: String = sections.iter().map(ToString::to_string).collect();
    assert_eq!(parse_sections(&format!("{HEAD}{written}")), Ok(sections.clone()));
    if let Ok(weights) = parse(text) {
        assert_eq!(weights.len(), Rule::ALL.len());
    }
    // Tables are large: those of the first section tell enough.
    let Some(section) = sections.first() else { return };
    assert!(section.chance > 0);
    for fouls in [false, true] {
        check_tables(section, fouls);
    }
}

fn check_tables(section: &Section, fouls: bool) {
    let is_fine = |weight: i16| (-MAX_WEIGHT..=MAX_WEIGHT).contains(&weight);
    let tables = section.tables(fouls);
    for (set, _) in PatternSet::all() {
        let weights = tables.set(set);
        let all = [weights.value, weights.attack, weights.defend];
        assert!(all.into_iter().all(is_fine), "{} {all:?}", section.name);
    }
}
