//! Answers inside the time given, seen from outside.
//!
//! Each test has the machine to itself. A single answer may be late by [`TOLERANCE`], the median
//! of several may not be late at all; what must happen at once has its own bound. More cases are
//! in `transcripts/clock.txt` and `transcripts/stop.txt`.

use std::thread;
use std::time::{Duration, Instant};

use crate::grid::text;
use crate::harness::{Brain, FAREWELL, Fault, Machine, Outcome, THINK, TOLERANCE, ms};
use crate::reports::report;

/// The middle one of several times.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// One thought after another on the same quiet position.
fn thoughts(brain: &mut Brain, number: usize, limit: Duration) -> Result<Vec<Duration>, Fault> {
    (0..number)
        .map(|_| {
            brain.start("RESTART")?;
            brain.send(THINK);
            Ok(brain.reply_within(limit + TOLERANCE)?.took)
        })
        .collect()
}

fn keeps_turn_limit(limit: Duration, number: usize) -> Outcome {
    Machine::alone().patiently(|machine| {
        let mut brain = machine.brain();
        brain.start(&format!("INFO timeout_turn {}\nSTART 15", limit.as_millis()))?;
        let middle = median(thoughts(&mut brain, number, limit)?);
        brain.check_time(middle <= limit, &format!("median {middle:?} of {limit:?}"))?;
        brain.finish()
    })
}

/// No time at all: the move at hand, and the next one as quick.
#[test]
fn turn_limits_of_next_to_nothing() -> Outcome {
    Machine::alone().patiently(|machine| {
        for limit in [0, 1, 5] {
            let mut brain = machine.brain();
            brain.start(&format!("INFO timeout_turn {limit}\nINFO rule 0\nSTART 20"))?;
            let middle = median(thoughts(&mut brain, 15, ms(limit))?);
            let most = ms(limit.max(5));
            brain.check_time(middle <= most, &format!("median {middle:?}, limit {limit} ms"))?;
            brain.finish()?;
        }
        Ok(())
    })
}

/// The first move of a process is as quick, whether or not the rule was named: where it was not,
/// what the game needs is built while nobody waits.
#[test]
fn first_moves_in_next_to_no_time() -> Outcome {
    Machine::alone().patiently(|machine| {
        for rule in ["", "INFO rule 0\n", "INFO rule 1\n", "INFO rule 4\n", "INFO rule 9\n"] {
            let mut times = Vec::new();
            for limit in [0, 1, 5, 0, 1, 5, 20] {
                let mut brain = machine.brain();
                brain.start(&format!("START 20\n{rule}INFO timeout_turn {limit}"))?;
                thread::sleep(ms(150));
                brain.send(if limit == 1 { "BOARD\nDONE" } else { "TURN 9,9" });
                times.push(brain.reply_within(ms(limit) + TOLERANCE)?.took);
                brain.end()?;
            }
            let middle = median(times);
            assert!(middle <= ms(20), "{rule:?}: median {middle:?}");
        }
        Ok(())
    })
}

#[test]
fn turn_limit_of_20_ms() -> Outcome {
    keeps_turn_limit(ms(20), 15)
}

#[test]
fn turn_limit_of_50_ms() -> Outcome {
    keeps_turn_limit(ms(50), 15)
}

#[test]
fn turn_limit_of_100_ms() -> Outcome {
    keeps_turn_limit(ms(100), 11)
}

#[test]
fn turn_limit_of_500_ms() -> Outcome {
    keeps_turn_limit(ms(500), 5)
}

/// I05 and PC-19a: a match without a clock; the turn's time is used.
#[test]
fn unlimited_match_leaves_the_turn_limit() -> Outcome {
    Machine::alone().patiently(|machine| {
        let mut brain = machine.brain();
        let limits = "INFO timeout_turn 300\nINFO timeout_match 0\nINFO time_left 2147483647";
        brain.start(&format!("{limits}\nSTART 15"))?;
        brain.send(THINK);
        let took = brain.reply_within(ms(300) + TOLERANCE)?.took;
        brain.check(took >= ms(100), &format!("a thought of only {took:?}"))?;
        brain.finish()
    })
}

/// I10 and PC-21a: no INFO at all.
#[test]
fn a_default_limit_of_its_own() -> Outcome {
    Machine::alone().patiently(|machine| {
        let mut brain = machine.brain();
        brain.start("START 15")?;
        brain.send("TURN 7,7");
        brain.reply_within(ms(5000) + TOLERANCE)?;
        brain.finish()
    })
}

/// I07 and PC-20b, shortened: a whole game on a match clock that would not last for its turns.
#[test]
fn match_clock_of_a_whole_game() -> Outcome {
    Machine::alone().patiently(|machine| {
        let mut sides = [machine.brain(), machine.brain()];
        let mut left = [ms(4000); 2];
        for side in &mut sides {
            let limits = "INFO timeout_turn 1000\nINFO timeout_match 4000";
            side.start(&format!("{limits}\nSTART 20"))?;
        }
        let mut last = None;
        for index in 0..60 {
            let (side, left) = (&mut sides[index % 2], &mut left[index % 2]);
            let request = last.map_or("BEGIN".to_string(), |mv| format!("TURN {}", text(mv)));
            side.send(&format!("INFO time_left {}\n{request}", left.as_millis()));
            let (mv, reply) = side.answer()?;
            side.check_time(reply.took <= *left, &format!("{:?} of {left:?}", reply.took))?;
            let limit = ms(1000).min(*left);
            side.check_time(reply.took <= limit + TOLERANCE, &format!("{:?}", reply.took))?;
            *left -= reply.took;
            last = Some(mv);
        }
        sides.into_iter().try_for_each(Brain::finish)
    })
}

/// S09: START costs next to nothing when nothing changes.
#[test]
fn start_again_is_cheap() -> Outcome {
    Machine::alone().patiently(|machine| {
        let mut brain = machine.brain();
        brain.start("INFO timeout_turn 500\nSTART 15")?;
        let began = Instant::now();
        for _ in 0..50 {
            brain.start("START 15")?;
        }
        let took = began.elapsed();
        brain.check_time(took <= ms(500), &format!("50 times START in {took:?}"))?;
        brain.ask("BEGIN")?;
        brain.finish()
    })
}

/// PC-17: RESTART does not wait for a large table to be cleared.
#[test]
fn restart_with_a_large_table_is_quick() -> Outcome {
    Machine::alone().patiently(|machine| {
        let mut brain = machine.brain();
        brain.start("START 15\nINFO max_memory 1073741824\nINFO timeout_turn 500")?;
        brain.ask("TURN 7,7")?;
        brain.send("RESTART");
        let reply = brain.reply_within(ms(1000))?;
        brain.check(reply.line == "OK", &reply.line)?;
        brain.finish()
    })
}

/// PC-21b: from the creation of the process to OK, and then to a move in no time at all.
#[test]
fn process_start_to_ok_and_move() -> Outcome {
    Machine::alone().patiently(|machine| {
        let mut brain = machine.brain();
        brain.start("INFO timeout_turn 0\nSTART 20")?;
        let took = brain.began().elapsed();
        brain.check_time(took <= ms(300), &format!("OK after {took:?}"))?;
        brain.ask("BEGIN")?;
        let took = brain.began().elapsed();
        brain.check_time(took <= ms(500), &format!("a move after {took:?}"))?;
        brain.finish()
    })
}

/// A07 and A08: the tournament judge suspends the process right after START and INFO, and again
/// during each turn of the opponent; only the time the brain runs is its own.
#[cfg(unix)]
#[test]
fn suspended_by_the_judge() -> Outcome {
    Machine::alone().patiently(|machine| {
        let mut brain = machine.brain();
        brain.send("START 15\nINFO timeout_turn 500\nINFO timeout_match 180000");
        brain.send("INFO max_memory 367001600\nINFO game_type 3\nINFO rule 0\nINFO folder /tmp/x");
        brain.suspend(true);
        thread::sleep(ms(2000));
        brain.send(&format!("INFO time_left 180000\n{THINK}"));
        brain.suspend(false);
        let ok = brain.reply_within(ms(500) + TOLERANCE)?;
        brain.check(ok.line == "OK", &ok.line)?;
        let reply = brain.reply_within(ms(500) + TOLERANCE)?;
        brain.suspend(true);
        thread::sleep(ms(3000));
        // The reply the brain foresees keeps the game in balance, so that there is much to think.
        let second = |line: &String| report(line)?.pv.get(1).copied();
        let foreseen = reply.messages.iter().rev().find_map(second);
        let free = brain.grid().nearest_free(foreseen.unwrap_or((9, 9))).expect("a free point");
        brain.send(&format!("INFO time_left 179500\nTURN {}", text(free)));
        brain.suspend(false);
        let took = brain.reply_within(ms(500) + TOLERANCE)?.took;
        brain.check(took >= ms(150), &format!("a thought of only {took:?}"))?;
        brain.finish()
    })
}

/// A process that stood still for ten seconds in the opponent's turn plays the move it would have
/// played at once, by as many nodes; and where the clock counts, it has as much time. Here it
/// stands still for a second and a half, with `TENGEN_LONG` set for ten.
#[cfg(unix)]
#[test]
fn standing_still_in_the_opponents_turn_changes_nothing() -> Outcome {
    let still = if std::env::var_os("TENGEN_LONG").is_some() { ms(10_000) } else { ms(1_500) };
    let machine = Machine::alone();
    let mut dialogues = [Vec::new(), Vec::new()];
    for (dialogue, pause) in dialogues.iter_mut().zip([None, Some(still)]) {
        let mut brain = machine.brain();
        brain.start("START 15\nINFO timeout_turn -1\nINFO timeout_match 0\nINFO max_node 3000")?;
        for request in [THINK, "TURN 0,0", "TURN 14,14"] {
            brain.send(request);
            let (mv, reply) = brain.answer()?;
            let nodes =
                reply.messages.iter().filter_map(|line| report(line)).map(|it| it.nodes).max();
            dialogue.push((mv, nodes));
            if let Some(pause) = pause {
                brain.suspend(true);
                thread::sleep(pause);
                brain.suspend(false);
            }
        }
        brain.finish()?;
    }
    assert_eq!(dialogues[0], dialogues[1]);
    machine.patiently(|machine| {
        let mut brain = machine.brain();
        brain.start("START 15\nINFO timeout_turn 300\nINFO timeout_match 60000")?;
        brain.ask(&format!("INFO time_left 60000\n{THINK}"))?;
        brain.suspend(true);
        thread::sleep(still);
        brain.send(&format!("RESTART\nINFO time_left 59700\n{THINK}"));
        brain.suspend(false);
        brain.expect("OK")?;
        let took = brain.reply_within(ms(300) + TOLERANCE)?.took;
        brain.check(took >= ms(100), &format!("a thought of only {took:?}"))?;
        brain.finish()
    })
}

/// A03: Piskvork's keys for more and for less time, pressed in thought: the new limit counts from
/// where the thought began, and one that has passed already means now.
#[test]
fn a_turn_is_made_longer_and_shorter_in_thought() -> Outcome {
    // The limit, how much of it has passed, the new limit, the least that is left of it.
    let cases: [(u64, u64, u64, u64); 3] =
        [(5000, 300, 800, 0), (5000, 500, 300, 0), (400, 200, 1500, 500)];
    for (first, passed, then, least) in cases {
        Machine::alone().patiently(|machine| {
            let mut brain = machine.brain();
            brain.start(&format!("START 15\nINFO timeout_turn {first}"))?;
            brain.send(THINK);
            thread::sleep(ms(passed));
            brain.send(&format!("INFO timeout_turn {then}"));
            let took = brain.reply_within(ms(then.saturating_sub(passed)) + TOLERANCE)?.took;
            brain.check(
                took >= ms(least),
                &format!("{took:?} more for {then} ms instead of {first}"),
            )?;
            brain.finish()
        })?;
    }
    Ok(())
}

/// PC-14d: END while a thought of one or four threads begins or goes on.
#[test]
fn end_in_thought_many_times() -> Outcome {
    let machine = Machine::alone();
    for round in 0..200 {
        machine.patiently(|machine| {
            let mut brain = machine.brain();
            let threads = if round % 2 == 0 { 1 } else { 4 };
            brain.start(&format!("START 15\nINFO thread_num {threads}\nINFO timeout_turn 1000"))?;
            brain.send("TURN 7,7");
            thread::sleep(ms(round % 10 * 3));
            brain.send("END");
            brain.exit(FAREWELL + TOLERANCE)
        })?;
    }
    Ok(())
}

/// The process ends while a thread of it has just done so, or is about to: right after a move that
/// took no thought, after one of several threads, at the end of input. A program of Windows was
/// killed at that under wine, of 500 times up to 69, and now and then by a fault in memory.
#[test]
fn ends_well_right_after_a_move_many_times() -> Outcome {
    let machine = Machine::alone();
    let win = "BOARD\n6,7,1\n5,7,2\n7,7,1\n11,7,2\n8,7,1\n3,10,2\n9,7,1\n4,10,2\nDONE";
    let think = "INFO thread_num 4\nINFO timeout_turn 20\nTURN 7,7";
    for round in 0..240 {
        machine.patiently(|machine| {
            let mut brain = machine.brain();
            brain.start("START 15")?;
            brain.ask(if round % 4 == 0 { think } else { win })?;
            if round % 3 == 0 {
                brain.close_input();
            } else {
                brain.send("END");
            }
            brain.exit(FAREWELL + TOLERANCE)
        })?;
    }
    Ok(())
}

/// PC-14c: end of input in thought; one last move may come.
#[test]
fn end_of_input_in_thought() -> Outcome {
    Machine::alone().patiently(|machine| {
        let mut brain = machine.brain();
        brain.start("START 15\nINFO timeout_turn 20000")?;
        brain.send("TURN 7,7");
        thread::sleep(ms(300));
        brain.close_input();
        brain.reply_within(ms(500) + TOLERANCE)?;
        brain.exit(ms(500) + TOLERANCE)
    })
}

/// PC-42: no thought without a request, neither by default nor after RESTART.
#[cfg(target_os = "linux")]
#[test]
fn no_thought_on_the_opponents_time() -> Outcome {
    let machine = Machine::alone();
    for extra in ["", "INFO pondering 1\n"] {
        let mut brain = machine.brain();
        brain.start(&format!("{extra}START 15\nINFO timeout_turn 300"))?;
        brain.ask("TURN 7,7")?;
        if !extra.is_empty() {
            thread::sleep(ms(300));
            brain.start("RESTART")?;
        }
        thread::sleep(ms(500));
        let before = cpu_ticks(brain.id());
        thread::sleep(ms(1500));
        let used = cpu_ticks(brain.id()) - before;
        brain.check(used <= 2, &format!("{used} ticks of 10 ms used while idle"))?;
        brain.finish()?;
    }
    Ok(())
}

/// Processor time used so far, user and system, in ticks of 10 ms.
#[cfg(target_os = "linux")]
pub(crate) fn cpu_ticks(id: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).expect("a running process");
    // The name in parentheses may hold blanks; what follows it does not.
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    [11, 12].iter().map(|&index| fields[index].parse::<u64>().expect("a number")).sum()
}
