//! The whole process below INFO `max_memory`, and no growth from game to game (Linux).

use crate::grid::Point;
use crate::harness::{Brain, Fault, Machine, Outcome, THINK, block};

/// A field of `/proc/PID/status`, in bytes.
fn status(brain: &Brain, field: &str) -> u64 {
    let path = format!("/proc/{}/status", brain.id());
    let text = std::fs::read_to_string(path).expect("a running process");
    let line = text.lines().find(|line| line.starts_with(field)).expect(field);
    let digits: String = line.chars().filter(char::is_ascii_digit).collect();
    digits.parse::<u64>().expect("a number") * 1024
}

fn peak_stays_below(limit: u64) -> Outcome {
    let machine = Machine::shared();
    for (rule, size, threads) in [(0, 20, 1), (4, 15, 4)] {
        let mut brain = machine.brain();
        brain.start(&format!(
            "START {size}\nINFO max_memory {limit}\nINFO rule {rule}\nINFO thread_num {threads}\n\
             INFO timeout_turn 1500"
        ))?;
        brain.ask(THINK)?;
        let peak = status(&brain, "VmHWM");
        brain.check(peak < limit, &format!("{peak} bytes at their highest of {limit}"))?;
        brain.finish()?;
    }
    Ok(())
}

/// PC-22a: the memory of the tournament.
#[test]
fn peak_below_350_mb() -> Outcome {
    peak_stays_below(350 << 20)
}

#[test]
fn peak_below_100_mb() -> Outcome {
    peak_stays_below(100 << 20)
}

#[test]
fn peak_below_20_mb() -> Outcome {
    peak_stays_below(20 << 20)
}

/// Limits that can be met are met without a word, those that cannot are told of before the first
/// move and only there; in both cases a move comes. No limit is the default one.
#[test]
fn limits_of_all_sizes() -> Outcome {
    let machine = Machine::shared();
    for (limit, is_enough, most) in [
        (1, false, 20 << 20),
        (1 << 20, false, 20 << 20),
        (20 << 20, true, 20 << 20),
        (350 << 20, true, 350 << 20),
        (8 << 30, true, 8 << 30),
        (0, true, 350 << 20),
        (-1, true, 350 << 20),
    ] {
        let mut brain = machine.brain();
        // Nothing but the limit of memory says how large the table is.
        let limits = "INFO timeout_turn -1\nINFO timeout_match 0\nINFO max_depth 6";
        brain.start(&format!("START 15\nINFO max_memory {limit}\nINFO rule 0\n{limits}"))?;
        for request in [THINK, "TURN 0,0"] {
            brain.send(request);
            let (_, reply) = brain.answer()?;
            let told = reply.messages.iter().filter(|line| line.contains("max_memory")).count();
            let expected = usize::from(!is_enough && request == THINK);
            brain.check(told == expected, &format!("{limit}: told {told} times"))?;
        }
        let peak = status(&brain, "VmHWM");
        brain.check(peak < most, &format!("{limit}: {peak} bytes at their highest"))?;
        brain.finish()?;
    }
    Ok(())
}

/// What each rule needs stays in memory for good: the table makes room for it, and where there is
/// none left that is told.
#[test]
fn all_rules_one_after_the_other() -> Outcome {
    let machine = Machine::shared();
    for (limit, must_fit) in [(20 << 20, false), (36 << 20, true), (100 << 20, true)] {
        let mut brain = machine.brain();
        brain.start(&format!("INFO max_memory {limit}\nINFO timeout_turn 300\nSTART 20"))?;
        let mut was_told = false;
        for rule in [0, 1, 4, 8, 9, 0] {
            brain.start(&format!("INFO rule {rule}\nSTART 20"))?;
            brain.send(THINK);
            let (_, reply) = brain.answer()?;
            was_told |= reply.messages.iter().any(|line| line.contains("max_memory"));
            let peak = status(&brain, "VmHWM");
            let what = format!("{peak} bytes at their highest of {limit}, told: {was_told}");
            brain.check(was_told || peak < limit, &what)?;
        }
        brain.check(!(must_fit && was_told), &format!("{limit} are enough"))?;
        brain.finish()?;
    }
    Ok(())
}

/// Boards of all sizes, a thousand times: what a game leaves behind is taken away.
#[test]
fn no_growth_over_a_thousand_games_of_changing_size() -> Outcome {
    let mut brain = Machine::shared().brain();
    brain.start("START 22\nINFO max_memory 33554432\nINFO max_node 20\nINFO rule 0")?;
    brain.ask("BEGIN")?;
    let mut early = 0;
    for round in 0..1000_usize {
        let (width, height) = (5 + round % 18, 5 + round / 3 % 18);
        match round % 3 {
            0 => brain.start(&format!("START {width}"))?,
            1 => brain.start("RESTART")?,
            _ => brain.start(&format!("RECTSTART {width},{height}"))?,
        }
        if round % 5 == 0 {
            brain.ask("BEGIN")?;
        }
        if round == 100 {
            early = status(&brain, "VmRSS");
        }
    }
    let late = status(&brain, "VmRSS");
    brain.check(late <= early + (5 << 20), &format!("{early} bytes, then {late}"))?;
    brain.finish()
}

/// I08: ten moves on the large board, the memory read after each as the judge does.
#[test]
fn ten_moves_in_the_memory_of_the_tournament() -> Outcome {
    let limit = 367_001_600;
    let mut brain = Machine::shared().brain();
    brain.start(&format!("INFO max_memory {limit}\nINFO timeout_turn 150\nSTART 20"))?;
    for index in 0..10 {
        let free = brain.grid().nearest_free((3 + index, 12 - index)).expect("a free point");
        brain.ask(&format!("TURN {},{}", free.0, free.1))?;
        let used = status(&brain, "VmRSS");
        brain.check(used < limit, &format!("{used} bytes after move {index}"))?;
    }
    brain.finish()
}

/// PC-22b: many games in one process.
#[test]
fn no_growth_over_300_games() -> Outcome {
    let mut brain = Machine::shared().brain();
    brain.start("START 15\nINFO max_memory 67108864\nINFO timeout_turn 15")?;
    let stones: [Point; 3] = [(7, 7), (8, 8), (9, 7)];
    let mut early = 0;
    for round in 0..300 {
        brain.start("RESTART")?;
        brain.ask(&block("BOARD", &stones))?;
        if round == 20 {
            early = status(&brain, "VmRSS");
        }
    }
    let late = status(&brain, "VmRSS");
    // The table fills while it is used; what is touched of it is no growth beyond its size.
    brain.check(late <= early.max(48 << 20) + (5 << 20), &format!("{early} bytes, then {late}"))?;
    brain.finish()
}

/// To clear a table is no reason to touch all of it: that takes seconds and all its memory.
#[test]
fn clearing_an_unused_table_takes_no_memory() -> Outcome {
    let limit = 1 << 30;
    let mut brain = Machine::shared().brain();
    brain.start(&format!("INFO max_memory {limit}\nINFO timeout_turn 100\nSTART 15"))?;
    brain.ask("TURN 7,7")?;
    brain.start("YXHASHCLEAR\nRESTART")?;
    let used = status(&brain, "VmRSS");
    brain.check(used < limit / 4, &format!("{used} bytes of {limit}"))?;
    brain.finish()
}

/// A rule that is replaced before the first stone leaves nothing in memory.
#[test]
fn the_rule_before_the_one_named_takes_no_memory() -> Outcome {
    let used_after = |start: &str| -> Result<u64, Fault> {
        let mut brain = Machine::shared().brain();
        brain.start(&format!("INFO max_memory 20971520\nINFO timeout_turn 100\n{start}"))?;
        brain.ask("BEGIN")?;
        let used = status(&brain, "VmRSS");
        brain.finish()?;
        Ok(used)
    };
    let rule_first = used_after("INFO rule 4\nSTART 15")?;
    let start_first = used_after("START 15\nINFO rule 4")?;
    assert!(start_first < rule_first + (1 << 19), "{start_first} bytes, {rule_first} rule first");
    Ok(())
}
