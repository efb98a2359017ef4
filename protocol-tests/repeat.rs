//! The same question gives the same answer: after RESTART, after another game, in a fresh process.
//!
//! With one thread and a fixed effort a search is a pure function of the position and the limits.

use crate::grid::Point;
use crate::harness::{Brain, Fault, Machine, Outcome, THINK};

/// What a search said: its move and its last report without the words that measure time.
///
/// How many reports come before the last one is a matter of time.
#[derive(Debug, PartialEq)]
struct Thought {
    mv: Point,
    report: String,
}

fn thought(brain: &mut Brain, request: &str) -> Result<Thought, Fault> {
    brain.send(request);
    let (mv, reply) = brain.answer()?;
    let last = reply.messages.iter().rev().find(|line| line.starts_with("MESSAGE depth"));
    let last = last.ok_or_else(|| brain.wrong("no MESSAGE with depth and nodes"))?;
    Ok(Thought { mv, report: without_time(last) })
}

/// Drops the values after `n/ms` and `tm`.
fn without_time(line: &str) -> String {
    let mut words = line.split(' ');
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        kept.push(word);
        if word == "n/ms" || word == "tm" {
            words.next();
        }
    }
    kept.join(" ")
}

const UNTIMED: &str = "INFO timeout_turn -1\nINFO timeout_match -1\nINFO thread_num 1";

fn repeats(effort: &str, rule: i64) -> Outcome {
    let machine = Machine::shared();
    let setup = format!("START 15\n{UNTIMED}\nINFO {effort}\nINFO rule {rule}");
    let mut brain = machine.brain();
    brain.start(&setup)?;
    let first = thought(&mut brain, THINK)?;
    brain.start("RESTART")?;
    let again = thought(&mut brain, THINK)?;
    brain.check(again == first, &format!("after RESTART {again:?}, at first {first:?}"))?;
    brain.start("START 20")?;
    brain.ask("TURN 3,3")?;
    brain.start("START 15")?;
    let later = thought(&mut brain, THINK)?;
    brain.check(later == first, &format!("after another game {later:?}, at first {first:?}"))?;
    let mut fresh = machine.brain();
    fresh.start(&setup)?;
    let other = thought(&mut fresh, THINK)?;
    fresh.check(other == first, &format!("fresh {other:?}, at first {first:?}"))?;
    brain.finish()?;
    fresh.finish()
}

#[test]
fn node_limit_under_freestyle() -> Outcome {
    repeats("max_node 20000", 0)
}

/// Below 10000 the nodes are printed to the last digit.
#[test]
fn node_limit_printed_exactly() -> Outcome {
    repeats("max_node 9000", 1)
}

#[test]
fn node_limit_under_renju() -> Outcome {
    repeats("max_node 20000", 4)
}

#[test]
fn node_limit_under_caro() -> Outcome {
    repeats("max_node 20000", 8)
}

#[test]
fn depth_limit() -> Outcome {
    repeats("max_depth 6", 0)
}

/// PC-17: positions that differ in the side to move must not share what the table remembers.
#[test]
fn tables_do_not_carry_answers_over() -> Outcome {
    let mut brain = Machine::shared().brain();
    brain.start(&format!("START 15\n{UNTIMED}\nINFO max_node 20000\nINFO rule 0"))?;
    let block = "BOARD\n3,10,1\n4,10,2\n9,6,1\n5,10,2\n2,2,1\n6,10,2\n12,12,1\n7,10,2\nDONE";
    let win = "BOARD\n9,3,1\n8,3,2\n10,3,1\n4,10,2\n11,3,1\n5,10,2\n12,3,1\n6,10,2\n3,10,1\n\
               7,10,2\nDONE";
    for (position, expected) in [(block, (8, 10)), (win, (13, 3)), (block, (8, 10))] {
        let mv = brain.ask(position)?;
        brain.check(mv == expected, &format!("{mv:?}, expected {expected:?}"))?;
        brain.start("RESTART")?;
    }
    brain.finish()
}

/// The rule is part of the question: the same stones under another rule are another position.
#[test]
fn tables_do_not_carry_rules_over() -> Outcome {
    let mut brain = Machine::shared().brain();
    brain.start(&format!("START 15\n{UNTIMED}\nINFO max_node 20000"))?;
    // Row 7 can be filled to six only; column 3 of the opponent has a four, to be filled or, under
    // caro, held from behind.
    let board = "BOARD\n2,7,1\n3,1,2\n3,7,1\n3,2,2\n5,7,1\n3,3,2\n6,7,1\n3,4,2\n7,7,1\n3,0,1\n\
                 12,12,2\n13,3,2\nDONE";
    let (win, block, hold) = ((4, 7), (3, 5), (3, 6));
    let answers: [(i64, &[Point]); 5] =
        [(0, &[win]), (1, &[block]), (0, &[win]), (9, &[block, hold]), (8, &[win])];
    for (rule, expected) in answers {
        brain.send(&format!("INFO rule {rule}"));
        let mv = brain.ask(board)?;
        let found = expected.contains(&mv);
        brain.check(found, &format!("rule {rule}: {mv:?}, expected one of {expected:?}"))?;
    }
    brain.finish()
}
