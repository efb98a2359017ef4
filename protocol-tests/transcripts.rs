//! The dialogues written down in `transcripts/*.txt`, one test a file.
//!
//! Owns the list of files. The conformance cases of the project have ids (`F01`, `PC-07`); each
//! stands in the first remark of a case or in the comment of a test, and a test looks for all of
//! them.

use std::fs;
use std::path::Path;

use crate::harness::{Fault, Machine, Outcome};

mod language;
mod player;

/// Plays all cases of a file, each with `first` sent before it, and reports all that fail.
fn play(name: &str, text: &str, first: &[&str]) -> Outcome {
    let script = language::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let machine = if script.alone { Machine::alone() } else { Machine::shared() };
    let outcomes = script.cases.iter().map(|case| {
        if script.alone {
            machine.patiently(|machine| player::play(machine, name, case, first))
        } else {
            player::play(&machine, name, case, first)
        }
    });
    Fault::all(outcomes)
}

macro_rules! transcripts {
    ($($name:ident),* $(,)?) => {
        const FILES: &[&str] = &[$(concat!(stringify!($name), ".txt")),*];
        $(
            #[test]
            fn $name() -> Outcome {
                let text = include_str!(concat!("transcripts/", stringify!($name), ".txt"));
                play(concat!(stringify!($name), ".txt"), text, &[])
            }
        )*
    };
}

transcripts! {
    board,
    caro,
    clock,
    edges,
    explain,
    framing,
    free,
    info,
    level,
    renju,
    standard,
    start,
    stop,
    swap2,
    takeback,
    turn,
    unknown,
    yixin,
    yixin_words,
}

/// PC-39: helper threads know the rule and the position as the first does.
#[test]
fn tactics_with_four_threads() -> Outcome {
    let files = [
        ("caro.txt", include_str!("transcripts/caro.txt")),
        ("edges.txt", include_str!("transcripts/edges.txt")),
        ("free.txt", include_str!("transcripts/free.txt")),
        ("renju.txt", include_str!("transcripts/renju.txt")),
        ("standard.txt", include_str!("transcripts/standard.txt")),
    ];
    Fault::all(files.iter().map(|(name, text)| play(name, text, &["INFO thread_num 4"])))
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol-tests")
}

#[test]
fn every_file_is_listed() {
    let mut found: Vec<String> = fs::read_dir(folder().join("transcripts"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.rsplit('.').next() == Some("txt"))
        .collect();
    found.sort();
    assert_eq!(found, FILES);
}

/// The ids of the conformance cases, by series and last number; gaps are numbers never given.
const SERIES: &[(&str, &[u8], u8)] = &[
    ("F", &[], 11),
    ("S", &[], 9),
    ("T", &[], 9),
    ("B", &[16, 17, 18, 19], 23),
    ("K", &[], 3),
    ("I", &[], 10),
    ("A", &[], 8),
    ("U", &[], 3),
    ("W", &[], 5),
    ("Y", &[], 9),
    // 40 needs processors other than this one.
    ("PC-", &[40], 43),
];

#[test]
fn every_conformance_case_is_somewhere() {
    let mut text = String::new();
    for folder in [folder(), folder().join("transcripts")] {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() && !path.ends_with("README.md") {
                text += &fs::read_to_string(path).unwrap();
            }
        }
    }
    let missing: Vec<String> = SERIES
        .iter()
        .flat_map(|(series, gaps, last)| {
            let numbers = (1..=*last).filter(|number| !gaps.contains(number));
            numbers.map(move |number| format!("{series}{number:02}"))
        })
        .filter(|id| !text.contains(id.as_str()))
        .collect();
    assert!(missing.is_empty(), "no test for {missing:?}");
}
