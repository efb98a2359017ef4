//! The transposition table, against a map of all that was stored.
//!
//! Holds after any sequence of stores, searches and games: what is found was stored under this
//! very key in this game, field by field but for a move kept from an earlier entry of that key;
//! what has just been stored is found, unless a deeper one of the same search was there; a cleared
//! table and a new game find nothing.

use std::collections::HashMap;

use tengen::base::score::{Bound, Score};
use tengen::base::tt::{Entry, Table};

use crate::stones::Source;

/// What a game has stored, by key.
type Known = HashMap<u64, Vec<Entry>>;

/// Runs the target.
pub fn run(bytes: &[u8]) {
    let mut source = Source::new(bytes);
    let mut table = Table::new(source.below(4) * 40_000);
    let mut known = Known::new();
    while !source.is_empty() {
        match source.byte() {
            0..=7 => table.new_search(),
            8 => {
                table.new_game();
                forget(&table, &mut known);
            }
            9 => {
                let bytes = table.bytes();
                table.clear();
                assert_eq!(table.bytes(), bytes);
                forget(&table, &mut known);
            }
            10 => {
                let (before, wanted) = (table.bytes(), source.below(4) * 40_000);
                table.resize(wanted);
                if table.bytes() != before {
                    forget(&table, &mut known);
                }
            }
            11..=90 => {
                let key = key(&mut source);
                table.prefetch(key);
                look_up(&table, &known, key);
            }
            _ => {
                let key = key(&mut source);
                let entry = entry(&mut source);
                store(&table, &mut known, key, entry);
            }
        }
    }
    assert!(table.per_mille_used() <= 1000);
    for &key in known.keys() {
        look_up(&table, &known, key);
    }
}

/// Few buckets and few keys in each, so that they meet; some keys differ in one bit.
fn key(source: &mut Source<'_>) -> u64 {
    let (high, low) = (source.byte(), source.byte());
    match high >> 6 {
        0 => u64::from(low),
        1 => u64::from(high & 3) << 62 | u64::from(low & 31),
        2 => 1 << (low & 63),
        _ => u64::from(high & 7).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(low & 7),
    }
}

fn entry(source: &mut Source<'_>) -> Entry {
    let number = i32::from(i16::from_le_bytes([source.byte(), source.byte()]));
    let score = match source.below(4) {
        0 => Score::win_in(number.rem_euclid(257)),
        1 => Score::loss_in(number.rem_euclid(257)),
        _ => Score::eval(number),
    };
    let number = i32::from(i16::from_le_bytes([source.byte(), source.byte()]));
    Entry {
        mv: u16::from_le_bytes([source.byte(), source.byte()]) & 1023,
        score,
        bound: Bound::from_code(source.byte().into()),
        eval: Score::eval(number),
        depth: source.byte().into(),
        is_pv: source.flag(),
    }
}

/// The table finds nothing of what was stored.
fn forget(table: &Table, known: &mut Known) {
    for (&key, _) in known.iter() {
        assert_eq!(table.probe(key), None, "{key:x}");
    }
    assert_eq!(table.per_mille_used(), 0);
    known.clear();
}

fn look_up(table: &Table, known: &Known, key: u64) {
    let Some(found) = table.probe(key) else { return };
    let stored = known.get(&key).map_or(&[][..], Vec::as_slice);
    let moves = |mv: u16| stored.iter().any(|entry| entry.mv == mv);
    let is_stored = |entry: &Entry| Entry { mv: found.mv, ..*entry } == found;
    assert!(stored.iter().any(is_stored) && moves(found.mv), "{key:x}: {found:?} of {stored:?}");
}

fn store(table: &Table, known: &mut Known, key: u64, entry: Entry) {
    let before = table.probe(key);
    table.store(key, entry);
    known.entry(key).or_default().push(entry);
    let found = table.probe(key);
    let mv = if entry.mv == 0 { before.map_or(0, |before| before.mv) } else { entry.mv };
    let is_new = found == Some(Entry { mv, ..entry });
    let is_kept = before.is_some_and(|before| {
        found == Some(before) && before.depth > entry.depth && entry.bound != Bound::Exact
    });
    assert!(is_new || is_kept, "{key:x}: {found:?} after {entry:?}, before {before:?}");
}
