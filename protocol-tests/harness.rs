//! One brain under test: its process, its pipes, its clock.
//!
//! Owns starting the program, writing to it, reading with a deadline, suspending it, waiting for
//! its exit and killing it on drop. Checks what holds in every dialogue: only whole lines of plain
//! text, nothing on stderr, no move that was not asked for, every move on an empty point of the
//! board and no foul. Must not know what a single case is about. Start at [`Machine`], then
//! [`Brain`].

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread;
use std::time::{Duration, Instant};

use crate::grid::{Grid, Point, Stone, point, text};
use crate::referee::{foul, has_legal_point};

mod output;
mod program;
mod tracker;

use output::{Event, Gate};
pub(crate) use program::{Program, command, line_end};
use tracker::Tracker;

/// What a late answer is forgiven when the test has the machine to itself.
pub(crate) const TOLERANCE: Duration = Duration::from_millis(200);
/// The same when other tests think at the same time: only a hang is a failure then.
const CROWDED: Duration = Duration::from_secs(3);
/// How long an answer that needs no thought may take, before the tolerance.
const PROMPT: Duration = Duration::from_millis(500);
/// How long a thought without a turn limit may take, before the tolerance.
const THOUGHT: Duration = Duration::from_secs(10);
/// How long END may take, before the tolerance.
pub(crate) const FAREWELL: Duration = Duration::from_millis(200);

/// A quiet position of eight stones on which a search uses its whole time.
pub(crate) const THINK: &str =
    "BOARD\n4,2,1\n2,6,2\n2,2,1\n4,7,2\n6,2,1\n4,3,2\n2,5,1\n3,2,2\nDONE";

/// A BOARD block of stones in order of play, the brain to move.
pub(crate) fn block(command: &str, moves: &[Point]) -> String {
    let mut lines = command.to_string();
    for (index, &mv) in moves.iter().enumerate() {
        let owner = if (moves.len() - index) % 2 == 1 { 2 } else { 1 };
        let _ = write!(lines, "\n{},{owner}", text(mv));
    }
    lines + "\nDONE"
}

/// Milliseconds, the unit of the protocol.
pub(crate) const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// What went wrong, with the dialogue that led to it.
pub(crate) struct Fault {
    /// Whether it is only about time, which a busy machine can cause as well.
    pub(crate) late: bool,
    text: String,
}

impl std::fmt::Debug for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl Fault {
    /// Lets every one of several outcomes happen and makes one fault of those that failed.
    pub(crate) fn all(outcomes: impl Iterator<Item = Outcome>) -> Outcome {
        let texts: Vec<String> =
            outcomes.filter_map(|outcome| outcome.err().map(|fault| fault.text)).collect();
        if texts.is_empty() {
            return Ok(());
        }
        Err(Fault { late: false, text: format!("{} faults\n{}", texts.len(), texts.join("\n")) })
    }

    /// The same fault with a headline that says where it happened.
    pub(crate) fn at(self, place: &str) -> Fault {
        Fault { late: self.late, text: format!("{place}: {}", self.text) }
    }
}

/// How a test ends.
pub(crate) type Outcome = Result<(), Fault>;

/// The machine the tests share: a brain can only be started by who holds a part of it.
///
/// Tests that measure time hold it alone, so that at most one of them runs and nothing beside it.
pub(crate) struct Machine {
    _part: Option<RwLockReadGuard<'static, ()>>,
    _whole: Option<RwLockWriteGuard<'static, ()>>,
    slack: Duration,
}

static MACHINE: RwLock<()> = RwLock::new(());

impl Machine {
    /// For tests in which only a hang is late.
    pub(crate) fn shared() -> Machine {
        let part = MACHINE.read().unwrap_or_else(PoisonError::into_inner);
        Machine { _part: Some(part), _whole: None, slack: CROWDED }
    }

    /// For tests that measure.
    pub(crate) fn alone() -> Machine {
        let whole = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
        Machine { _part: None, _whole: Some(whole), slack: TOLERANCE }
    }

    /// Starts the program under test.
    pub(crate) fn brain(&self) -> Brain {
        self.run(&mut command())
    }

    /// Starts a command line of the caller's.
    pub(crate) fn run(&self, command: &mut Command) -> Brain {
        // Whatever else the environment asks for: stderr stays empty.
        Brain::spawn(command.env("RUST_BACKTRACE", "1"), self.slack)
    }

    /// Repeats a measurement that was only late, up to three times: a machine may stall once, a
    /// brain that is late is late every time.
    pub(crate) fn patiently(&self, mut measure: impl FnMut(&Machine) -> Outcome) -> Outcome {
        for _ in 0..2 {
            match measure(self) {
                Err(fault) if fault.late => println!("late, once more: {fault:?}"),
                outcome => return outcome,
            }
        }
        measure(self)
    }
}

/// A line the brain wrote that was no MESSAGE, with those that came before it.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) line: String,
    pub(crate) messages: Vec<String>,
    /// Time from the last thing done to the brain to the line.
    pub(crate) took: Duration,
}

/// A running brain. Killed when dropped.
pub(crate) struct Brain {
    child: Child,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Event>,
    gate: Gate,
    errors: Arc<Mutex<Vec<u8>>>,
    tracker: Option<Tracker>,
    since: Instant,
    began: Instant,
    slack: Duration,
    log: Vec<String>,
}

impl Drop for Brain {
    fn drop(&mut self) {
        // Fails only when the process is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Brain {
    fn spawn(command: &mut Command, slack: Duration) -> Brain {
        let began = Instant::now();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
        let stdin = child.stdin.take().expect("stdin is a pipe");
        let stdout = child.stdout.take().expect("stdout is a pipe");
        let stderr = child.stderr.take().expect("stderr is a pipe");
        let (output, gate) = output::read_lines(stdout);
        Brain {
            child,
            input: Some(write_all(stdin)),
            output,
            gate,
            errors: output::collect(stderr),
            tracker: Some(Tracker::default()),
            since: began,
            began,
            slack,
            log: Vec::new(),
        }
    }

    /// Gives up following the dialogue; for input nobody can follow.
    pub(crate) fn without_tracking(mut self) -> Brain {
        self.tracker = None;
        self
    }

    /// Stops or goes on reading what the brain writes.
    pub(crate) fn hold_output(&self, hold: bool) {
        self.gate.hold(hold);
    }

    /// Closes the reading end of stdout as soon as the next line has arrived.
    pub(crate) fn close_output_at_next_line(&self) {
        self.gate.close_at_next_line();
    }

    /// What a late answer is forgiven.
    pub(crate) fn slack(&self) -> Duration {
        self.slack
    }

    /// Sends the process a signal by its name.
    #[cfg(unix)]
    pub(crate) fn signal(&mut self, signal: &str) {
        self.note('!', signal.as_bytes());
        self.since = Instant::now();
        let sent = Command::new("kill").args(["-s", signal, &self.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "kill -s {signal}");
    }

    /// The process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// When the process was started.
    pub(crate) fn began(&self) -> Instant {
        self.began
    }

    /// Sends lines, each with its end, in one write.
    pub(crate) fn send(&mut self, lines: &str) {
        self.write(format!("{lines}\n").replace('\n', line_end()).as_bytes());
    }

    /// Sends bytes as they stand.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        self.note('>', bytes);
        if let Some(tracker) = &mut self.tracker {
            tracker.sent(bytes);
        }
        self.since = Instant::now();
        if let Some(input) = &self.input {
            // Fails when the brain is gone, which the next read reports.
            let _ = input.send(bytes.to_vec());
        }
    }

    /// Closes the brain's stdin.
    pub(crate) fn close_input(&mut self) {
        self.note('!', b"end of input");
        self.since = Instant::now();
        self.input = None;
    }

    /// Suspends the process or lets it run on, as managers do during the opponent's turn.
    #[cfg(unix)]
    pub(crate) fn suspend(&mut self, suspend: bool) {
        self.signal(if suspend { "STOP" } else { "CONT" });
    }

    /// The next line that is no MESSAGE, within the time the situation asks for.
    pub(crate) fn reply(&mut self) -> Result<Reply, Fault> {
        let usual = self.usual_time();
        self.reply_within(usual + self.slack)
    }

    /// The next line that is no MESSAGE, at most `within` after the last thing done.
    pub(crate) fn reply_within(&mut self, within: Duration) -> Result<Reply, Fault> {
        self.reply_where(within, |_| false)
    }

    /// The next line that is no MESSAGE and not expected beside it.
    pub(crate) fn reply_where(
        &mut self,
        within: Duration,
        is_beside: fn(&str) -> bool,
    ) -> Result<Reply, Fault> {
        let mut messages = Vec::new();
        loop {
            let (line, took) = self.line(within)?;
            if line.starts_with("MESSAGE ") || is_beside(&line) {
                messages.push(line);
            } else {
                self.follow(&line)?;
                return Ok(Reply { line, messages, took });
            }
        }
    }

    /// The next line of any kind, at most `within` after the last thing done.
    pub(crate) fn line(&mut self, within: Duration) -> Result<(String, Duration), Fault> {
        let deadline = self.since + within;
        match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Event::Line(line, at)) => {
                let took = at.saturating_duration_since(self.since);
                self.note('<', format!("{line}   [{} ms]", took.as_millis()).as_bytes());
                if took > within {
                    return Err(self.late(&format!("{line:?} after {took:?}, limit {within:?}")));
                }
                Ok((line, took))
            }
            Ok(Event::Bad(what)) => Err(self.wrong(&what)),
            Err(RecvTimeoutError::Timeout) => Err(self.late(&format!("no line in {within:?}"))),
            Err(RecvTimeoutError::Disconnected) => {
                let status = self.child.wait();
                Err(self.wrong(&format!("the process closed its output: {status:?}")))
            }
        }
    }

    /// The next reply must be this line.
    pub(crate) fn expect(&mut self, line: &str) -> Outcome {
        let reply = self.reply()?;
        self.check(reply.line == line, &format!("{:?}, expected {line:?}", reply.line))
    }

    /// The next reply must start with this word.
    pub(crate) fn expect_word(&mut self, word: &str) -> Outcome {
        let reply = self.reply()?;
        let found = reply.line.split(' ').next() == Some(word);
        self.check(found, &format!("{:?}, expected {word}", reply.line))
    }

    /// Sends lines that ask for a move and reads it.
    pub(crate) fn ask(&mut self, lines: &str) -> Result<Point, Fault> {
        self.send(lines);
        Ok(self.answer()?.0)
    }

    /// Reads a move, which the tracker has found in order, and the reply it came with.
    pub(crate) fn answer(&mut self) -> Result<(Point, Reply), Fault> {
        let reply = self.reply()?;
        match point(&reply.line) {
            Some(point) => Ok((point, reply)),
            None => Err(self.wrong(&format!("{:?}, expected a move", reply.line))),
        }
    }

    /// Starts a game and waits for the OK.
    pub(crate) fn start(&mut self, lines: &str) -> Outcome {
        self.send(lines);
        self.expect("OK")
    }

    /// Not a single line may come for a while.
    pub(crate) fn silent(&mut self, time: Duration) -> Outcome {
        match self.output.recv_timeout(time) {
            Err(RecvTimeoutError::Timeout) => Ok(()),
            Ok(event) => Err(self.wrong(&format!("{event:?}, expected silence"))),
            Err(_) => Err(self.wrong("the process closed its output")),
        }
    }

    /// The brain must still be in order: nothing left to read, START works, END ends.
    pub(crate) fn finish(mut self) -> Outcome {
        self.start("START 15")?;
        self.end()
    }

    /// Sends END; the process must go at once, without a word.
    pub(crate) fn end(mut self) -> Outcome {
        self.send("END");
        let slack = self.slack;
        self.exit(FAREWELL + slack)
    }

    /// The process must end by itself with status 0, having written nothing more.
    pub(crate) fn exit(mut self, within: Duration) -> Outcome {
        let status = self.wait(within)?;
        self.check_left(status)?;
        self.check_rest()
    }

    /// A process that ended may have written nothing more that needed an answer.
    pub(crate) fn check_rest(&mut self) -> Outcome {
        while let Ok(event) = self.output.recv() {
            // A report of a thought may have crossed the END on its way.
            let crossed = matches!(&event, Event::Line(line, _) if line.starts_with("MESSAGE "));
            self.check(crossed, &format!("{event:?} before the exit"))?;
        }
        self.check_errors()
    }

    /// Waits for the end of the process.
    pub(crate) fn wait(&mut self, within: Duration) -> Result<ExitStatus, Fault> {
        loop {
            if let Some(status) = self.child.try_wait().expect("a child of ours") {
                return Ok(status);
            }
            if self.since.elapsed() > within {
                return Err(self.late(&format!("still running {within:?} later")));
            }
            thread::sleep(ms(1));
        }
    }

    /// A process that ended must have done so in order.
    pub(crate) fn check_left(&self, status: ExitStatus) -> Outcome {
        self.check(program::has_left_in_order(status), &format!("exit status {status}"))
    }

    /// Nothing may have been written to stderr; complete once the process has ended.
    pub(crate) fn check_errors(&mut self) -> Outcome {
        let errors = self.stderr();
        self.check(errors.is_empty(), "it wrote to stderr")
    }

    fn stderr(&self) -> String {
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        program::own_errors(&String::from_utf8_lossy(&errors))
    }

    /// The board as the dialogue has made it.
    pub(crate) fn grid(&self) -> Grid {
        self.tracker.as_ref().and_then(Tracker::grid).unwrap_or(Grid::new((0, 0)))
    }

    /// The stones listed in the last SWAP2BOARD block.
    pub(crate) fn swap_stones(&self) -> &[Point] {
        self.tracker.as_ref().map_or(&[], Tracker::swap_stones)
    }

    /// How long the next line may take by what was asked.
    fn usual_time(&self) -> Duration {
        match &self.tracker {
            Some(tracker) if tracker.is_waiting() => tracker.turn_limit().unwrap_or(THOUGHT),
            _ => PROMPT,
        }
    }

    /// Checks a line against the board and takes it in.
    fn follow(&mut self, line: &str) -> Outcome {
        let Some(tracker) = &mut self.tracker else { return Ok(()) };
        if let Some(mv) = point(line) {
            let own = tracker.own_color();
            if let (Some(Stone::Black), Some(grid)) = (own, tracker.renju_grid())
                && grid.is_free(mv)
                && foul(&grid, mv).is_some()
                && has_legal_point(&grid)
            {
                return Err(self.wrong(&format!("{} is forbidden to black", text(mv))));
            }
            if let Err(what) = tracker.moved(mv) {
                return Err(self.wrong(&what));
            }
        } else if line.starts_with("ERROR") {
            tracker.refused();
        } else {
            tracker.spoke(line);
        }
        Ok(())
    }

    /// A fault unless the condition holds.
    pub(crate) fn check(&self, holds: bool, what: &str) -> Outcome {
        if holds { Ok(()) } else { Err(self.wrong(what)) }
    }

    /// A fault that is about time unless the condition holds.
    pub(crate) fn check_time(&self, holds: bool, what: &str) -> Outcome {
        if holds { Ok(()) } else { Err(self.late(what)) }
    }

    /// A fault of the brain.
    pub(crate) fn wrong(&self, what: &str) -> Fault {
        self.fault(false, what)
    }

    fn late(&self, what: &str) -> Fault {
        self.fault(true, what)
    }

    fn fault(&self, late: bool, what: &str) -> Fault {
        let mut text = what.to_string();
        let errors = self.stderr();
        if !errors.is_empty() {
            let _ = write!(text, "\n  stderr: {errors}");
        }
        for line in &self.log[self.log.len().saturating_sub(40)..] {
            let _ = write!(text, "\n  {line}");
        }
        Fault { late, text }
    }

    fn note(&mut self, mark: char, bytes: &[u8]) {
        let at = self.began.elapsed().as_millis();
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(400)]).into_owned();
        for line in text.trim_end_matches('\n').split('\n') {
            self.log.push(format!("{at:>6} {mark} {}", line.escape_debug()));
        }
    }
}

/// Writes to the process from a thread of its own: a brain that stops reading must not stop us.
fn write_all(mut stdin: ChildStdin) -> Sender<Vec<u8>> {
    let (sender, receiver) = mpsc::channel::<Vec<u8>>();
    thread::spawn(move || {
        for bytes in receiver {
            if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                return;
            }
        }
    });
    sender
}
