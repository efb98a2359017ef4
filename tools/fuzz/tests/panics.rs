//! That no panic is lost; in a process of its own, since panics are counted by the process.

use fuzz::replay::{count_panics, holds};

#[test]
fn a_panic_is_seen_also_when_somebody_catches_it() {
    count_panics();
    let loud = |_: &[u8]| panic!("a target that does not hold");
    let hushed = |_: &[u8]| {
        let _ = std::panic::catch_unwind(|| panic!("a search that broke"));
    };
    assert!(!holds(loud, b""));
    assert!(!holds(hushed, b""));
    assert!(holds(|_| (), b""));
}
