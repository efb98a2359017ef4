//! What a system does to a process: signals, odd ends of its pipes, memory and threads it refuses.
//!
//! Never a panic, never a hang, never a line that could be taken for an answer. Signals and limits
//! are Linux's; against a program that needs wine those tests say that they are skipped.

use std::fs::{self, File};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;

use crate::grid::point;
use crate::harness::{Machine, Outcome, command, ms};
use crate::startup::folder;

#[cfg(target_os = "linux")]
use crate::harness::{FAREWELL, Program, THINK};

/// All that a process writes until it ends by itself, which it must do soon.
fn run_to_end(command: &mut Command, what: &str) -> Output {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a process");
    let id = child.id();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(child.wait_with_output()));
    let Ok(output) = receiver.recv_timeout(ms(10_000)) else {
        // Nothing is left to do for it but this.
        let _ = Command::new("kill").args(["-9", &id.to_string()]).status();
        panic!("{what}: it does not end");
    };
    output.expect("its output")
}

/// The lines of stdout, of a process that has ended in order.
fn lines_to_end(command: &mut Command, what: &str) -> Vec<String> {
    // A log that was asked for is none of these tests' business.
    let output = run_to_end(command.env("RUST_BACKTRACE", "1").env_remove("RUST_LOG"), what);
    assert!(output.status.success(), "{what}: {output:?}");
    assert!(output.stderr.is_empty() || cfg!(windows), "{what}: {output:?}");
    let text = String::from_utf8(output.stdout).expect("plain text");
    text.lines().map(|line| line.trim_end().to_string()).collect()
}

/// Input from a file, which ends without END, with it, or in the middle of a word.
#[test]
fn stdin_is_a_file() {
    let file = folder("stdin").join("input.txt");
    for (text, expected) in [
        ("", &[][..]),
        ("START 15\n", &["OK"]),
        ("START 15\nABOUT\nEND\n", &["OK", "name="]),
        ("FOO\nSTART 15\nINFO timeout_turn 50\nTURN 7,7\n", &["UNKNOWN", "OK", "move"]),
        ("START 15\nINFO timeout_turn 50\nTURN 7,7\nTURN 7,7\nABOUT", &["OK", "move", "ERROR"]),
        ("START 15\nBOARD\n7,7,2\n", &["OK"]),
        ("START 15\nSTA", &["OK", "UNKNOWN"]),
    ] {
        fs::write(&file, text).expect("a file of ours");
        let input = File::open(&file).expect("a file of ours");
        let mut lines = lines_to_end(command().stdin(input), text);
        lines.retain(|line| !line.starts_with("MESSAGE "));
        let is = |(line, word): (&String, &&str)| match *word {
            "move" => point(line).is_some(),
            word => line.starts_with(word),
        };
        // A last ABOUT without its line end may be answered or not.
        assert!(lines.len() >= expected.len(), "{text:?}: {lines:?}");
        assert!(lines.iter().zip(expected).all(is), "{text:?}: {lines:?}");
    }
    let burst = "ABOUT\nTURN 7,7\n".repeat(5000);
    fs::write(&file, burst).expect("a file of ours");
    let lines = lines_to_end(command().stdin(File::open(&file).expect("a file")), "a burst");
    assert_eq!(lines.len(), 10_000);
}

#[test]
fn stdin_is_nothing() {
    assert_eq!(lines_to_end(command().stdin(Stdio::null()), "null"), [""; 0]);
}

/// What can be read of a folder is an error, what can be written to a full disk another one;
/// streams that are not there at all are a third.
#[cfg(target_os = "linux")]
#[test]
fn streams_that_do_not_work() {
    let Some(file) = Program::native() else { return };
    let here = File::open(".").expect("a folder");
    assert_eq!(lines_to_end(Command::new(&file).stdin(here), "a folder"), [""; 0]);
    let input = folder("streams").join("input.txt");
    fs::write(&input, "START 15\nINFO timeout_turn 20\nTURN 7,7\nABOUT\nEND\n").expect("a file");
    for redirection in ["<&-", ">/dev/full", ">&-", "2>&-", "<&- >&- 2>&-", "2>/dev/full >&2"] {
        let mut shell = Command::new("sh");
        let script = format!("exec \"$1\" {redirection}");
        shell.args(["-c", &script, "sh"]).arg(&file);
        shell.stdin(File::open(&input).expect("a file"));
        lines_to_end(&mut shell, redirection);
    }
}

/// A person at a terminal: input comes back as an echo, and Ctrl-D ends it.
#[cfg(target_os = "linux")]
#[test]
fn stdin_is_a_terminal() {
    let Some(file) = Program::native() else { return };
    if Command::new("script").arg("--version").output().is_err() {
        println!("skipped: no script, which makes a terminal");
        return;
    }
    let input = folder("terminal").join("input.txt");
    fs::write(&input, "START 15\nINFO timeout_turn 50\nTURN 7,7\n").expect("a file of ours");
    let mut terminal = Command::new("script");
    terminal.args(["-qec", &format!("'{}'", file.display()), "/dev/null"]);
    let lines = lines_to_end(terminal.stdin(File::open(&input).expect("a file")), "a terminal");
    assert!(lines.iter().any(|line| line == "OK"), "{lines:?}");
    assert!(lines.iter().any(|line| point(line).is_some()), "{lines:?}");
}

/// Signals that ask a process to go are obeyed at once, idle and in thought, and in silence.
#[cfg(target_os = "linux")]
#[test]
fn signals_that_end_a_process() -> Outcome {
    use std::os::unix::process::ExitStatusExt;
    let Some(file) = Program::native() else { return Ok(()) };
    let machine = Machine::alone();
    for (signal, number) in [("TERM", 15), ("INT", 2), ("HUP", 1)] {
        for is_thinking in [false, true] {
            machine.patiently(|machine| {
                // Who started the tests may have them ignored.
                let mut brain = machine.run(Command::new("env").arg("--default-signal").arg(&file));
                brain.start("START 15\nINFO timeout_turn 20000")?;
                if is_thinking {
                    brain.send(THINK);
                    thread::sleep(ms(100));
                }
                brain.signal(signal);
                let status = brain.wait(FAREWELL + brain.slack())?;
                let is_right = status.signal() == Some(number) || status.success();
                brain.check(is_right, &format!("{signal}: {status}"))?;
                brain.check_rest()
            })?;
        }
    }
    // This one is sent by the system to who writes to a closed pipe.
    let mut brain = machine.run(Command::new("env").arg("--default-signal").arg(&file));
    brain.start("START 15\nINFO timeout_turn 100")?;
    brain.signal("PIPE");
    brain.ask("TURN 7,7")?;
    brain.finish()
}

/// Where addresses are short the table is smaller and one thread searches, whatever INFO asked for;
/// the search is a search all the same.
#[cfg(target_os = "linux")]
#[test]
fn little_memory_to_be_had() -> Outcome {
    let Some(file) = Program::native() else { return Ok(()) };
    let machine = Machine::shared();
    for mib in [64, 100, 200, 500] {
        for limit in [350_u64 << 20, 8 << 30] {
            let script = format!("ulimit -v {}; exec \"$1\"", mib << 10);
            let mut brain = machine.run(Command::new("sh").args(["-c", &script, "sh"]).arg(&file));
            let limits = "INFO timeout_turn -1\nINFO timeout_match 0\nINFO max_depth 5";
            let memory = format!("INFO max_memory {limit}\nINFO thread_num 4");
            brain.start(&format!("START 20\nINFO rule 4\n{memory}\n{limits}"))?;
            for request in [THINK, "TURN 0,0", "TURN 14,14"] {
                brain.send(request);
                let (_, reply) = brain.answer()?;
                let is_search = reply.messages.iter().any(|line| line.contains(" depth "));
                brain.check(is_search, &format!("{mib} MiB: no search"))?;
            }
            brain.finish()?;
        }
    }
    Ok(())
}

/// Where there is no thread to search the session searches itself, where there is none to help
/// it searches alone; without one to read there is nothing to be done, and nothing said.
#[cfg(target_os = "linux")]
#[test]
fn few_threads_to_be_had() -> Outcome {
    let Some(file) = Program::native() else { return Ok(()) };
    let limited = |threads: usize| {
        // The limit is the user's, and root has none: a user nobody else is.
        let mut command = Command::new("setpriv");
        command.args(["--reuid=61234", "--regid=61234", "--clear-groups", "--inh-caps=-all"]);
        command.args(["--bounding-set=-all", "prlimit", &format!("--nproc={threads}:{threads}")]);
        command.arg(&file);
        command
    };
    let can_run = limited(50).arg("--version").output().is_ok_and(|output| output.status.success());
    if !can_run {
        println!("skipped: only root can be another user, who can run what lies here");
        return Ok(());
    }
    let machine = Machine::alone();
    for threads in [2, 3, 4] {
        let mut brain = machine.run(&mut limited(threads));
        let limits = "INFO timeout_turn -1\nINFO timeout_match 0\nINFO max_depth 5";
        brain.start(&format!("START 15\nINFO rule 0\nINFO thread_num 4\n{limits}"))?;
        for request in [THINK, "TURN 0,0"] {
            brain.send(request);
            let (_, reply) = brain.answer()?;
            let is_search = reply.messages.iter().any(|line| line.contains(" depth "));
            brain.check(is_search, &format!("{threads} threads: no search"))?;
        }
        brain.finish()?;
        machine.patiently(|machine| {
            let mut brain = machine.run(&mut limited(threads));
            brain.start("START 15\nINFO timeout_turn 300")?;
            brain.send(THINK);
            brain.reply_within(ms(300) + brain.slack())?;
            brain.send("RESTART\nINFO timeout_turn 20000");
            brain.expect("OK")?;
            brain.send(THINK);
            thread::sleep(ms(200));
            brain.end()
        })?;
    }
    let output = run_to_end(limited(1).stdin(Stdio::null()), "no thread to read");
    assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
    Ok(())
}
