//! Carries out one script against one process.
//!
//! Owns what is unlisted, late or missing. Must not know the cases.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use manager::brain::Note;
use manager::process::{Line, NoLine, Process};

use super::pattern::{self, Pattern};
use super::script::{Expectation, Script, Step};
use super::special;
use super::stones::Stones;

/// When a move is due, unless a case says otherwise: the turn limit all scripts begin with.
const TURN_MS: u64 = 500;
/// When other answers are due.
const ANSWER_MS: u64 = 5000;
/// How long a late answer is waited for, to report how late it was.
const LATE: Duration = Duration::from_secs(1);
/// What END may take.
const END_MS: u64 = 200;
/// Stones far from each other: nothing is to be won soon, so a brain thinks as long as it may.
const QUIET: &str = "BOARD\n3,3,1\n11,11,2\n3,11,1\n11,3,2\n7,1,1\n7,13,2\nDONE\n";

/// The engine a script is carried out against, and how patiently.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Program and arguments.
    pub command: Vec<String>,
    /// Added to every time limit, for a loaded machine.
    pub slack: Duration,
}

/// What went wrong, in a sentence.
pub type Fault = String;

/// What is looked at in every line from some step on.
#[derive(Clone, Copy, Debug, Default)]
struct Watch {
    whole_writes: bool,
    detail: bool,
    no_realtime: bool,
}

/// A script being carried out.
#[derive(Debug)]
struct Player<'a> {
    candidate: &'a Candidate,
    process: Process,
    stones: Stones,
    /// When the last thing was done to the process; times count from here.
    acted: Instant,
    /// What that was, for the report.
    action: String,
    names: HashMap<String, (i64, i64)>,
    messages: Vec<String>,
    note: Note,
    watch: Watch,
    ended: bool,
}

/// Carries a script out; gives the process's last lines beside the fault.
///
/// # Errors
/// The first fault.
pub fn play(candidate: &Candidate, script: &Script) -> Result<(), (Fault, Vec<String>)> {
    let unread = script.steps.contains(&Step::Unread);
    let spawn = if unread { Process::spawn_unread } else { Process::spawn };
    let process = spawn(&candidate.command, None)
        .map_err(|error| (format!("cannot be started: {error}"), Vec::new()))?;
    let mut player = Player {
        candidate,
        process,
        stones: Stones::default(),
        acted: Instant::now(),
        action: "the start".to_string(),
        names: HashMap::new(),
        messages: Vec::new(),
        note: Note::default(),
        watch: Watch::default(),
        ended: false,
    };
    let result = player.steps(script);
    result.map_err(|fault| (fault, player.process.last_lines()))
}

impl Player<'_> {
    fn steps(&mut self, script: &Script) -> Result<(), Fault> {
        if !script.steps.contains(&Step::Bare) {
            self.send(format!("INFO timeout_turn {TURN_MS}\n").as_bytes())?;
        }
        for step in &script.steps {
            self.step(step)?;
        }
        if !self.ended {
            self.send(b"END\n")?;
            self.exit(END_MS)?;
        }
        match self.process.stderr_bytes() {
            0 => Ok(()),
            count => Err(format!("wrote {count} bytes to stderr")),
        }
    }

    fn step(&mut self, step: &Step) -> Result<(), Fault> {
        match step {
            Step::Send(bytes) => self.send(&self.filled(bytes)?),
            Step::Expect(expectation) => self.expect(expectation),
            Step::Silence(ms) => self.silence(*ms),
            Step::Bare | Step::Unread => Ok(()),
            Step::Whole => {
                self.watch.whole_writes = true;
                Ok(())
            }
            Step::Detail => {
                self.watch.detail = true;
                Ok(())
            }
            Step::NoRealtime => {
                self.watch.no_realtime = true;
                Ok(())
            }
            Step::Think => self.send(format!("START 15\n{QUIET}").as_bytes()),
            Step::CloseInput => {
                self.process.close_input();
                self.act("the end of its input");
                Ok(())
            }
            Step::CloseOutput => {
                self.process.close_output();
                self.act("the end of its output");
                Ok(())
            }
            Step::Exit(ms) => self.exit(*ms),
            Step::Suspend => {
                self.process.suspend();
                Ok(())
            }
            Step::Resume => {
                self.process.resume();
                self.acted = Instant::now();
                Ok(())
            }
            Step::Nodes(least, most) => match self.note.nodes {
                Some(nodes) if (*least..=*most).contains(&nodes) => Ok(()),
                Some(nodes) => Err(format!("searched {nodes} nodes, not {least} to {most}")),
                None => Err("told no node count".to_string()),
            },
            Step::DepthMessages => self.depth_messages(),
            Step::Budget => special::budget(self.candidate),
            Step::Memory => special::memory(self.candidate),
        }
    }

    fn act(&mut self, action: &str) {
        self.acted = Instant::now();
        self.action = action.to_string();
    }

    /// The bytes with squares put in for what stands in braces.
    fn filled(&self, bytes: &[u8]) -> Result<Vec<u8>, Fault> {
        let Ok(text) = std::str::from_utf8(bytes) else { return Ok(bytes.to_vec()) };
        let Some((before, rest)) = text.split_once('{') else { return Ok(bytes.to_vec()) };
        let (name, after) = rest.split_once('}').ok_or("an open brace in the case")?;
        let point = match name {
            "free" => self.stones.free(),
            _ => self.names.get(name).copied(),
        };
        let (x, y) = point.ok_or_else(|| format!("no square for {{{name}}} in the case"))?;
        Ok(format!("{before}{x},{y}{after}").into_bytes())
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let text = String::from_utf8_lossy(bytes);
        for line in text.split(['\r', '\n']).filter(|line| !line.trim().is_empty()) {
            self.stones.sent(line);
            let mut words = line.trim().splitn(2, char::is_whitespace);
            if words.next().is_some_and(|word| word.eq_ignore_ascii_case("turn"))
                && let Some(point) = words.next().and_then(manager::text::parse_pair)
            {
                self.names.insert("turn".to_string(), point);
            }
        }
        let shown: String = text.trim().chars().take(40).collect();
        self.act(&format!("'{}'", shown.replace('\n', " / ")));
        self.process.send(bytes).map_err(|_| format!("took no more input at {}", self.action))
    }

    /// The next line that counts, until `deadline`: messages are kept and passed over, except
    /// where they are asked for.
    fn line(&mut self, deadline: Instant, messages: bool) -> Result<Option<Line>, Fault> {
        loop {
            let line = match self.process.next_line(deadline) {
                Ok(line) => line,
                Err(NoLine::TimedOut) => return Ok(None),
                Err(NoLine::Closed) if self.ended => return Ok(None),
                Err(NoLine::Closed) => {
                    let status = self.process.exit_status(Instant::now() + LATE);
                    let status = status.map_or("closed its output".to_string(), |s| s.to_string());
                    return Err(format!("ended after {}: {status}", self.action));
                }
            };
            if self.watch.whole_writes && !line.whole {
                return Err(format!("did not write '{}' as one piece", line.text));
            }
            if self.watch.no_realtime && line.text.starts_with("MESSAGE REALTIME") {
                return Err(format!("wrote '{}' unasked", line.text));
            }
            let message = line
                .text
                .strip_prefix("MESSAGE ")
                .is_some_and(|text| text.starts_with(|c: char| !c.is_whitespace()));
            let detail = self.watch.detail && line.text.starts_with("INFO ");
            if self.watch.detail && (message || detail) && !pattern::is_detail(&line.text) {
                return Err(format!("detail of an unknown form: '{}'", line.text));
            }
            if message {
                self.note.read(&line.text);
                self.messages.push(line.text.clone());
            }
            if !(message && !messages || detail) {
                return Ok(Some(line));
            }
        }
    }

    fn expect(&mut self, expectation: &Expectation) -> Result<(), Fault> {
        for _ in 0..expectation.count {
            self.expect_one(expectation)?;
        }
        Ok(())
    }

    fn expect_one(&mut self, expectation: &Expectation) -> Result<(), Fault> {
        let is_move = expectation.any.iter().any(|p| matches!(p, Pattern::Move(_)));
        let usual = if is_move { TURN_MS } else { ANSWER_MS };
        let within = Duration::from_millis(expectation.within_ms.unwrap_or(usual));
        let deadline = self.acted + within + self.candidate.slack + LATE;
        let asks_message = expectation.any.iter().any(Pattern::is_message);
        let (line, matched) = loop {
            let Some(line) = self.line(deadline, asks_message)? else {
                let waited = (within + self.candidate.slack + LATE).as_millis();
                return Err(self.wanted(&format!("nothing in {waited} ms"), expectation));
            };
            let matched = expectation.any.iter().find(|p| p.matches(&line.text, &self.stones));
            // Other messages may come before the one that is asked for.
            if matched.is_some() || !line.text.starts_with("MESSAGE ") {
                break (line, matched);
            }
        };
        let Some(matched) = matched else {
            return Err(self.wanted(&format!("'{}'", line.text), expectation));
        };
        let took = line.at.saturating_duration_since(self.acted);
        if took > within + self.candidate.slack {
            let words =
                format!("after {} ms, due within {} ms", took.as_millis(), within.as_millis());
            return Err(self.wanted(&format!("'{}' {words},", line.text), expectation));
        }
        if took < Duration::from_millis(expectation.after_ms) {
            let words = format!("after {} ms already", took.as_millis());
            return Err(self.wanted(&format!("'{}' {words},", line.text), expectation));
        }
        match matched {
            Pattern::Move(_) => {
                if let Some(point) = pattern::canonical(&line.text) {
                    self.stones.moved(point);
                    if let Some(name) = &expectation.name {
                        self.names.insert(name.clone(), point);
                    }
                }
            }
            Pattern::Error(_) => self.stones.refused(),
            _ => {}
        }
        Ok(())
    }

    fn wanted(&self, words: &str, expectation: &Expectation) -> Fault {
        format!("{words} instead of <{}> after {}", expectation.text, self.action)
    }

    fn silence(&mut self, ms: u64) -> Result<(), Fault> {
        match self.line(Instant::now() + Duration::from_millis(ms), false)? {
            None => Ok(()),
            Some(line) => Err(format!("'{}' instead of silence after {}", line.text, self.action)),
        }
    }

    /// Waits for the process's end; nothing but messages may come meanwhile.
    fn exit(&mut self, ms: u64) -> Result<(), Fault> {
        self.ended = true;
        let allowed = Duration::from_millis(ms) + self.candidate.slack;
        let status = self.process.exit_status(self.acted + allowed + LATE);
        let took = self.acted.elapsed();
        match status {
            None => {
                return Err(format!("still runs {} ms after {}", took.as_millis(), self.action));
            }
            Some(status) if !status.success() => {
                return Err(format!("ended with {status} after {}", self.action));
            }
            Some(_) if took > allowed => {
                let took = took.as_millis();
                return Err(format!("ended {took} ms after {}, not within {ms}", self.action));
            }
            Some(_) => {}
        }
        match self.line(Instant::now() + LATE, false)? {
            None => Ok(()),
            Some(line) => Err(format!("'{}' after {}", line.text, self.action)),
        }
    }

    fn depth_messages(&self) -> Result<(), Fault> {
        let mut depths =
            self.messages.iter().filter(|line| line.starts_with("MESSAGE depth")).peekable();
        if depths.peek().is_none() {
            return Err("wrote no MESSAGE depth line".to_string());
        }
        match depths.find(|line| !pattern::is_depth_message(line)) {
            None => Ok(()),
            Some(line) => Err(format!("a message of another form: '{line}'")),
        }
    }
}
