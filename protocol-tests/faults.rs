//! Faults on purpose: what breaks costs the search it breaks in, and no more.
//!
//! For programs built with the feature `faults`, which `TENGEN_FAULTS` says of the one under test:
//!
//! ```text
//! cargo build --profile checked --features faults
//! TENGEN_FAULTS=1 TENGEN_BRAIN=target/checked/pbrain-tengen cargo test --release --test protocol-tests -- faults::
//! ```

use std::env;
use std::fs;
use std::process::Command;

use crate::grid::Point;
use crate::harness::{Brain, Fault, Machine, Outcome, THINK, command};
use crate::startup::folder;

/// What can be armed by `INFO fault_<place> <visit>`, at which visit, and what the log says then.
const FAULTS: [(&str, u32, &str); 9] = [
    ("main", 1, "panicked"),
    ("main", 15, "panicked"),
    ("helper", 1, "panicked"),
    ("helper", 4, "panicked"),
    ("job", 1, "a search panicked"),
    ("thread", 1, "a job panicked"),
    ("no_thread", 1, "no thread to search"),
    ("no_helper", 1, "no thread 1"),
    ("no_helper", 2, "no thread 2"),
];

/// A brain with a game in which helpers make no search different each time.
fn brain(machine: &Machine, program: &mut Command) -> Result<Brain, Fault> {
    let mut brain = machine.run(program);
    let limits = "INFO timeout_turn -1\nINFO timeout_match 0\nINFO max_node 5000";
    brain.start(&format!("START 15\nINFO thread_num 1\nINFO rule 0\n{limits}"))?;
    Ok(brain)
}

/// Two moves of a game that begins anew.
fn moves(brain: &mut Brain) -> Result<[Point; 2], Fault> {
    brain.start("INFO thread_num 1\nYXHASHCLEAR\nRESTART")?;
    Ok([brain.ask(THINK)?, brain.ask("TURN 0,0")?])
}

/// An answer in order all the same, and then the moves of a brain in which nothing broke.
#[test]
fn each_fault_costs_its_search_only() -> Outcome {
    if env::var_os("TENGEN_FAULTS").is_none() {
        println!("skipped: TENGEN_FAULTS does not say that the program can break on purpose");
        return Ok(());
    }
    let log = folder("faults").join("tengen.log");
    let machine = Machine::shared();
    let mut program = command();
    program.env("TENGEN_LOG", &log).env("RUST_LOG", "warn");
    let mut sound = brain(&machine, &mut program)?;
    let expected = moves(&mut sound)?;
    sound.finish()?;
    let balance = format!("YX{THINK}\nYXBALANCEONE 0");
    let nbest = format!("YX{THINK}\nYXNBEST 3");
    for (place, visit, said) in FAULTS {
        for kind in [THINK, "SWAP2BOARD\n7,7\n8,7\n9,9\nDONE", &balance, &nbest] {
            if place.contains("helper") && kind == balance {
                // This is searched alone.
                continue;
            }
            let name = format!("{place} {visit}, {kind:?}");
            fs::remove_file(&log).expect("the log before");
            let mut brain = brain(&machine, &mut program)?;
            let threads = if place.contains("helper") { 4 } else { 1 };
            brain.send(&format!("INFO fault_{place} {visit}\nINFO thread_num {threads}\n{kind}"));
            brain.reply().map_err(|fault| fault.at(&name))?;
            assert_eq!(moves(&mut brain)?, expected, "{name}");
            brain.finish().map_err(|fault| fault.at(&name))?;
            let logged = fs::read_to_string(&log).expect("a log");
            assert!(logged.contains(said), "{name}: {logged}");
        }
    }
    Ok(())
}
