//! Files of networks: any bytes, and sound files with some bytes changed.
//!
//! Holds: nothing panics; [`parse`] and [`find`] agree; what is read is written as the same bytes;
//! a network can be made of every section that is read.

use std::sync::LazyLock;

use tengen::eval::network::shape;
use tengen::eval::network::weights::{RuleNetwork, Section, encode, find, parse};
use tengen::types::rule::Rule;

use crate::stones::Source;

/// Most places of a sound file that are changed.
const MOST_CHANGES: usize = 16;

/// A sound file per rule, and where the numbers of its section begin.
static SOUND: LazyLock<Vec<(Vec<u8>, usize)>> = LazyLock::new(|| {
    let file = |rule: Rule| {
        let numbers = vec![1; shape::size(rule)];
        let section = Section { rule, origin: "made up".to_owned(), numbers };
        let start = 8 + 1 + rule.name().len() + 2 + section.origin.len() + 4;
        (encode(&[section]), start)
    };
    Rule::ALL.into_iter().map(file).collect()
});

/// Runs the target.
pub fn run(bytes: &[u8]) {
    look_at(bytes);
    let mut headed = b"tengnet1".to_vec();
    headed.extend(bytes);
    look_at(&headed);

    let mut source = Source::new(bytes);
    let (sound, start) = &SOUND[source.rule().index()];
    let mut changed = sound.clone();
    let is_summed = source.flag();
    for _ in 0..source.below(MOST_CHANGES) {
        // Mostly where something stands that is no number.
        let room = if source.flag() { *start } else { changed.len() };
        let at = source.below(room);
        changed[at] = source.byte();
    }
    if is_summed {
        let end = changed.len() - 8;
        let sum = fnv(&changed[8..end]);
        changed[end..].copy_from_slice(&sum.to_le_bytes());
    }
    if source.flag() {
        changed.truncate(source.below(sound.len()));
    }
    if source.flag() {
        changed.extend(source.rest());
    }
    look_at(&changed);
}

/// FNV-1a, written once more: the file format is a promise.
fn fnv(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

fn look_at(bytes: &[u8]) {
    let sections = match parse(bytes) {
        Ok(sections) => sections,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            for rule in Rule::ALL {
                // It may stop before what is wrong.
                let _ = find(bytes, rule);
            }
            return;
        }
    };
    assert_eq!(encode(&sections), bytes);
    for rule in Rule::ALL {
        let section = sections.iter().find(|section| section.rule == rule);
        assert_eq!(find(bytes, rule).as_ref().map(Option::as_ref), Ok(section));
    }
    for section in &sections {
        let network = RuleNetwork::new(section);
        assert_eq!(network, network.clone());
    }
}
