//! Input nobody should send, and pipes that break: no panic, no hang, no word on stderr.
//!
//! Afterwards the brain is alive and answers `START 15` with OK.

use tengen::base::rng::Rng;

use crate::harness::{Brain, FAREWELL, Machine, Outcome, THINK, TOLERANCE, ms};

/// Reads whatever is still coming until a sign that everything before it was read, then goes on
/// as with any other brain.
fn alive_after_anything(mut brain: Brain) -> Outcome {
    // Two DONE and an empty payload line close whatever block is open.
    brain.send("INFO timeout_turn 0\n\nDONE\nx\nDONE\nYXSTOP\nSYNC");
    // No other word will do: what came before may have been answered by anything.
    while !brain.line(ms(20_000))?.0.starts_with("UNKNOWN command 'SYNC'") {}
    brain.send("START 15");
    while brain.reply_within(ms(5000))?.line != "OK" {}
    brain.ask("TURN 7,7")?;
    brain.end()
}

/// Words of the protocol and worse, to be thrown together at random.
const FRAGMENTS: &[&str] = &[
    "START",
    "RECTSTART",
    "RESTART",
    "BEGIN",
    "TURN",
    "BOARD",
    "YXBOARD",
    "SWAP2BOARD",
    "DONE",
    "TAKEBACK",
    "PLAY",
    "ABOUT",
    "INFO",
    "STOP",
    "YXSTOP",
    "YXNBEST",
    "YXSHOWFORBID",
    "YXSHOWINFO",
    "YXHASHCLEAR",
    "YXBLOCK",
    "YXBLOCKRESET",
    "YXQUERYDATABASEALL",
    "YXHASHDUMP",
    "YXSHOWHASHUSAGE",
    "YXBALANCEONE",
    "YXBALANCETWO",
    "YXSWAP2STEP1",
    "YXSOOSORVSTEP3",
    "timeout_turn",
    "timeout_match",
    "time_left",
    "max_memory",
    "rule",
    "game_type",
    "folder",
    "evaluate",
    "max_depth",
    "hash_size",
    "thread_num",
    "show_detail",
    "time_increment",
    "15",
    "5",
    "20",
    "22",
    "0",
    "-1",
    "1",
    "2",
    "3",
    "4",
    "8",
    "9",
    "7,7",
    "7,7,1",
    "8,8,2",
    "9,9,3",
    "0,0",
    "14,14",
    "2147483647",
    "-9223372036854775808",
    "18446744073709551616",
    ",",
    ",,",
    "\"",
    "=",
    "%s%n",
    "\u{feff}",
    "\t",
    "\0",
    "\u{1f480}",
];

fn random_line(rng: &mut Rng) -> Vec<u8> {
    let mut line = Vec::new();
    if rng.below(10) == 0 {
        line.extend((0..rng.below(200)).map(|_| u8::try_from(rng.below(256)).unwrap_or(0)));
    } else {
        for _ in 0..=rng.below(5) {
            line.extend(FRAGMENTS[rng.below(FRAGMENTS.len())].as_bytes());
            line.push(b' ');
        }
    }
    // END is the one word that is not to be survived.
    let upper = line.to_ascii_uppercase();
    if upper.windows(3).any(|word| word == b"END") {
        line.clear();
    }
    line.extend_from_slice([&b"\n"[..], b"\r\n", b"\r", b"\n"][rng.below(4)]);
    line
}

/// Random lines; the seed is printed, so that a failure can be repeated.
fn survives_garbage(seed: u64) -> Outcome {
    println!("seed {seed}");
    let mut rng = Rng::new(seed);
    let mut brain = Machine::shared().brain().without_tracking();
    brain.send("INFO max_node 500\nINFO max_memory 33554432");
    for _ in 0..1500 {
        brain.write(&random_line(&mut rng));
        if rng.below(20) == 0 {
            // Keeps the thoughts short and the threads few, whatever came before.
            brain.send("INFO timeout_turn 2\nINFO thread_num 1\nINFO max_memory 33554432");
        }
    }
    brain.send("INFO max_node 500\nINFO thread_num 1\nINFO show_detail 0\nINFO rule 0");
    alive_after_anything(brain)
}

#[test]
fn garbage_one() -> Outcome {
    survives_garbage(1)
}

#[test]
fn garbage_two() -> Outcome {
    survives_garbage(20_240_607)
}

#[test]
fn garbage_three() -> Outcome {
    survives_garbage(0xdead_beef)
}

/// F06 and PC-05: lines of any length are one unknown word, and the echo of it is short.
#[test]
fn very_long_lines() -> Outcome {
    let mut brain = Machine::shared().brain();
    for length in [20_000, 100_000, 3 << 20] {
        brain.send(&"A".repeat(length));
        let line = brain.reply()?.line;
        brain.check(line.starts_with("UNKNOWN") && line.len() < 200, &line)?;
    }
    brain.send(&format!("INFO folder {}", "x/".repeat(40_000)));
    brain.send(&format!("INFO {} 1", "y".repeat(70_000)));
    brain.start("START 15\nINFO timeout_turn 100")?;
    brain.send(&format!("TURN 7,{}7", "0".repeat(100_000)));
    let line = brain.reply()?.line;
    brain.check(line.starts_with("ERROR") || crate::grid::point(&line).is_some(), &line)?;
    brain.finish()
}

/// A line of a block may be as long.
#[test]
fn very_long_lines_in_a_block() -> Outcome {
    let mut brain = Machine::shared().brain();
    brain.start("START 15\nINFO timeout_turn 100")?;
    brain.send(&format!("BOARD\n7,7,1\n{}\nDONE", "8,".repeat(60_000)));
    brain.expect_word("ERROR")?;
    brain.ask("BOARD\n7,7,2\nDONE")?;
    brain.finish()
}

/// Zero bytes, broken UTF-8 and control characters, at the ends and inside of words.
#[test]
fn bytes_that_are_no_text() -> Outcome {
    let mut brain = Machine::shared().brain().without_tracking();
    let pieces: [&[u8]; 6] = [
        b"\0",
        b"\xff\xfe\x00\x41",
        b"\xc3\x28",
        b"FOO\x07\x1b[31m",
        b"\x80START 15",
        b"TU\0RN 7,7",
    ];
    for piece in pieces {
        brain.write(&[piece, b"\n"].concat());
        brain.expect_word("UNKNOWN")?;
    }
    brain.start("START 15")?;
    for piece in [&b"TURN 7,\xff"[..], b"TURN \0,7", b"TURN 7\xc2\xa0,7"] {
        brain.write(&[piece, b"\n"].concat());
        brain.expect_word("ERROR")?;
    }
    brain.write(b"BOARD\n7,7,\xe9\nDONE\n");
    brain.expect_word("ERROR")?;
    brain.end()
}

/// PC-10e: half a block, then the end of input.
#[test]
fn end_of_input_inside_blocks() -> Outcome {
    let machine = Machine::shared();
    for half in ["BOARD\n7,7,1", "SWAP2BOARD\n7,7", "YXBOARD", "BOARD\n7,7", "YXHASHDUMP"] {
        let mut brain = machine.brain();
        brain.start("START 15")?;
        brain.send(half);
        brain.close_input();
        brain.exit(FAREWELL + ms(3000))?;
    }
    let mut brain = machine.brain();
    brain.start("START 15")?;
    brain.write(b"TURN 7,7");
    brain.close_input();
    // A last line without its end may count or not; the process must go either way.
    brain.wait(ms(3000))?;
    brain.check_errors()
}

/// Thousands of commands at once: as many answers, in order.
#[test]
fn burst_of_ten_thousand_commands() -> Outcome {
    let mut brain = Machine::shared().brain();
    brain.send(&vec!["ABOUT\nTURN 7,7\nFOO\nINFO rule 1"; 2500].join("\n"));
    for _ in 0..2500 {
        for word in ["name=", "ERROR ", "UNKNOWN"] {
            let line = brain.reply_within(ms(10_000))?.line;
            brain.check(line.starts_with(word), &format!("{line:?}, expected {word}"))?;
        }
    }
    brain.finish()
}

/// The manager writes and writes and reads nothing: no deadlock once it reads.
#[test]
fn manager_that_does_not_read_for_a_while() -> Outcome {
    let mut brain = Machine::shared().brain();
    brain.hold_output(true);
    brain.send(&vec!["ABOUT"; 10_000].join("\n"));
    brain.send("START 15\nINFO timeout_turn 100");
    std::thread::sleep(ms(500));
    brain.hold_output(false);
    for _ in 0..10_000 {
        let line = brain.reply_within(ms(20_000))?.line;
        brain.check(line.starts_with("name="), &line)?;
    }
    brain.expect("OK")?;
    brain.ask("TURN 7,7")?;
    brain.finish()
}

/// Nobody reads: the pipe is full, the brain can write no more, and END must still end it.
#[test]
fn end_while_nobody_reads() -> Outcome {
    Machine::alone().patiently(|machine| {
        for thought in ["", "START 15\nINFO timeout_turn 20000\nTURN 7,7\n"] {
            let mut brain = machine.brain().without_tracking();
            brain.hold_output(true);
            brain.send(&format!("{thought}{}", vec!["ABOUT"; 20_000].join("\n")));
            std::thread::sleep(ms(500));
            brain.send("END");
            let status = brain.wait(FAREWELL + TOLERANCE)?;
            brain.check_left(status)?;
            brain.check_errors()?;
        }
        Ok(())
    })
}

/// Nobody reads while the brain thinks: it thinks no longer for that, and the move comes once
/// somebody reads again, in its place.
#[test]
#[cfg(target_os = "linux")]
fn the_clock_runs_while_nobody_reads() -> Outcome {
    let machine = Machine::alone();
    let mut brain = machine.brain();
    brain.start("START 15\nINFO timeout_turn 600")?;
    brain.hold_output(true);
    brain.send(THINK);
    brain.send(&vec!["ABOUT"; 20_000].join("\n"));
    std::thread::sleep(ms(600) + TOLERANCE);
    let before = crate::timing::cpu_ticks(brain.id());
    std::thread::sleep(ms(500));
    let used = crate::timing::cpu_ticks(brain.id()) - before;
    brain.check(used <= 2, &format!("{used} ticks of 10 ms used after the turn"))?;
    brain.hold_output(false);
    let (mut abouts, mut moves) = (0, 0);
    while abouts < 20_000 || moves < 1 {
        let line = brain.reply_within(ms(20_000))?.line;
        if crate::grid::point(&line).is_some() {
            moves += 1;
        } else {
            brain.check(line.starts_with("name="), &line)?;
            abouts += 1;
        }
    }
    brain.ask("TURN 0,0")?;
    brain.finish()
}

/// A manager that breaks off a block and begins anew gets the answer it waits for, and no other.
#[test]
fn half_a_block_and_then_something_else() -> Outcome {
    let machine = Machine::shared();
    for half in ["BOARD\n7,7,1", "BOARD 7,7,1", "SWAP2BOARD\n7,7", "YXBOARD", "BOARD\nfoo"] {
        let mut brain = machine.brain();
        brain.start("START 15\nINFO timeout_turn 50")?;
        brain.send(half);
        brain.silent(ms(20))?;
        brain.start("START 15").map_err(|fault| fault.at(half))?;
        brain.ask("TURN 7,7")?;
        brain.send(half);
        brain.start("RESTART").map_err(|fault| fault.at(half))?;
        brain.ask("BEGIN")?;
        brain.send(half);
        brain.ask("BOARD\n6,6,2\nDONE").map_err(|fault| fault.at(half))?;
        // A block is not broken off by what would need it.
        brain.send(&format!("{half}\nBEGIN\nTURN 8,8\nABOUT\nDONE"));
        brain.expect_word("ERROR").map_err(|fault| fault.at(half))?;
        brain.finish()?;
    }
    Ok(())
}

/// F11: nobody reads stdout any more; the process goes without a word of panic.
#[test]
fn stdout_closed_in_thought() -> Outcome {
    Machine::alone().patiently(|machine| {
        let mut brain = machine.brain();
        brain.send("INFO timeout_turn 300");
        brain.close_output_at_next_line();
        brain.send("START 15");
        brain.reply()?;
        brain.send(THINK);
        // It can notice at its first line, at the latest at its move.
        let status = brain.wait(ms(300) + ms(500) + TOLERANCE)?;
        brain.check_left(status)?;
        brain.check_errors()
    })
}

/// The same when idle: the next answer cannot be written.
#[test]
fn stdout_closed_when_idle() -> Outcome {
    let mut brain = Machine::shared().brain();
    brain.close_output_at_next_line();
    brain.send("START 15");
    brain.reply()?;
    std::thread::sleep(ms(50));
    brain.send("ABOUT");
    let status = brain.wait(FAREWELL + ms(3000))?;
    brain.check_left(status)?;
    brain.check_errors()
}

/// INFO lines of the judge in any order, before and after START: the rule and limits hold.
#[test]
fn info_in_any_order() -> Outcome {
    let machine = Machine::shared();
    let seed = 99;
    println!("seed {seed}");
    let mut rng = Rng::new(seed);
    for _ in 0..12 {
        let mut lines = vec![
            "START 15",
            "INFO timeout_turn 100",
            "INFO timeout_match 180000",
            "INFO max_memory 367001600",
            "INFO game_type 3",
            "INFO rule 4",
            "INFO folder /tmp/x",
            "INFO time_left 180000",
            "INFO thread_num 1",
        ];
        for index in (1..lines.len()).rev() {
            lines.swap(index, rng.below(index + 1));
        }
        let mut brain = machine.brain();
        brain.start(&lines.join("\n"))?;
        brain.ask("BOARD\n7,7,1\n7,8,2\n8,6,1\n8,8,2\n7,9,1\n8,5,2\n8,10,1\n8,11,2\nDONE")?;
        brain.send("YXBOARD\n7,7,1\n7,8,2\n8,6,1\n8,8,2\n7,9,1\n8,5,2\n8,10,1\n8,11,2\nDONE");
        brain.send("YXSHOWFORBID");
        brain.expect("FORBID 0608.")?;
        brain.finish()?;
    }
    Ok(())
}

/// Numbers at and beyond every bound of a machine word, for every key and command.
#[test]
fn huge_numbers_everywhere() -> Outcome {
    let numbers = [
        "127",
        "128",
        "255",
        "256",
        "32767",
        "32768",
        "65535",
        "65536",
        "2147483647",
        "2147483648",
        "4294967295",
        "4294967296",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "-128",
        "-2147483648",
        "-2147483649",
        "-9223372036854775808",
        "-9223372036854775809",
        "1e9",
        "0x10",
        "1.5",
    ];
    let keys = [
        "timeout_turn",
        "timeout_match",
        "time_left",
        "max_memory",
        "game_type",
        "rule",
        "evaluate",
        "max_depth",
        "max_node",
        "hash_size",
        "thread_num",
        "show_detail",
        "time_increment",
        "caution_factor",
        "strength",
    ];
    let mut brain = Machine::shared().brain().without_tracking();
    for number in numbers {
        for key in keys {
            brain.send(&format!("INFO {key} {number}"));
        }
    }
    brain.silent(ms(50))?;
    let usable = "INFO timeout_turn 50\nINFO max_node 1000\nINFO thread_num 1\nINFO rule 0\n\
                  INFO max_memory 67108864\nINFO hash_size 1024\nINFO time_left 2147483647\n\
                  INFO max_depth 0\nINFO show_detail 0";
    brain.send(usable);
    for number in numbers {
        let commands = ["START", "TURN 7,", "TAKEBACK 7,", "PLAY 7,", "BOARD 7,7,", "RECTSTART 7,"];
        for command in commands {
            let done = if command.starts_with("BOARD") { "\nDONE" } else { "" };
            brain.start("START 15")?;
            brain.send(&format!("{command} {number}{done}"));
            brain.expect_word("ERROR")?;
        }
    }
    brain.start("START 15")?;
    brain.send(usable);
    brain.ask("BEGIN")?;
    brain.end()
}

/// Every single number of threads and memory a manager may name is followed by a move.
#[test]
fn odd_threads_and_memory() -> Outcome {
    let machine = Machine::shared();
    for info in [
        "thread_num 0",
        "thread_num 3",
        "thread_num 64",
        "thread_num 100000",
        "max_memory 0",
        "max_memory 1",
        "max_memory 1048576",
        "max_memory 2147483647",
        "hash_size 0",
        "hash_size 1",
        "hash_size 7777",
    ] {
        let mut brain = machine.brain();
        brain.start(&format!("INFO {info}\nSTART 15\nINFO timeout_turn 100"))?;
        brain.ask("TURN 7,7").map_err(|fault| fault.at(info))?;
        brain.finish().map_err(|fault| fault.at(info))?;
    }
    Ok(())
}

/// The process does not hang when it is told to go while it starts.
#[test]
fn end_before_all_else() -> Outcome {
    let machine = Machine::alone();
    machine.patiently(|machine| machine.brain().end())?;
    machine.patiently(|machine| {
        let mut brain = machine.brain();
        brain.send("END\nSTART 15\nBEGIN");
        brain.exit(FAREWELL + TOLERANCE)
    })
}
