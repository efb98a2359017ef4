//! A dialogue with a session in one thread, for tests and for `tools/fuzz`; in no program.
//!
//! Owns the outside of a session as they need it: lines go in one by one, a search waits until it
//! is run, and no time passes unless the caller says so. Must not know what an answer should be.
//! Start reading at [`Dialogue`].

use std::io::Read;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::base::control::{Control, Deadline};
use crate::engine::decision::{Job, Outcome, Question};
use crate::position::Position;
use crate::protocol::command::Parser;
use crate::protocol::io::{Line, read_lines};
use crate::protocol::reply::{Progress, Reply};
use crate::protocol::session::{Flow, Outlet, Request, Session};
use crate::search::{Report, RootEvent, SearchHandler};
use crate::types::size::BoardSize;

/// What a search may cost, whatever the lines ask for.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Nodes; 0 for searches that break without a result.
    pub nodes: u64,
    /// Bytes of the process.
    pub memory: i64,
}

/// Keeps what goes out and the job that waits to be run.
#[derive(Debug, Default)]
pub(super) struct Desk {
    pub(super) lines: Vec<String>,
    pub(super) job: Option<Job>,
    pub(super) has_ended: bool,
    /// Jobs break without a result.
    pub(super) breaks_jobs: bool,
    has_broken: bool,
}

impl Desk {
    /// Whether a search waits, or one that broke waits to be answered.
    fn is_waiting(&self) -> bool {
        self.job.is_some() || self.has_broken
    }
}

impl Outlet for Desk {
    fn reply(&mut self, reply: &Reply) {
        self.lines.push(reply.line());
    }

    fn launch(&mut self, job: Job, _: bool) {
        if self.breaks_jobs {
            self.has_broken = true;
        } else {
            self.job = Some(job);
        }
    }

    fn has_ended(&self) -> bool {
        self.has_ended
    }
}

/// Hears all, for later.
#[derive(Debug, Default)]
struct Memory(Vec<Heard>);

/// What a search tells.
#[derive(Debug)]
enum Heard {
    Progress(Progress),
    Root(RootEvent),
}

impl SearchHandler for Memory {
    fn report(&mut self, report: &Report<'_>) {
        self.0.push(Heard::Progress(Progress::from(report)));
    }

    fn root(&mut self, event: RootEvent) {
        self.0.push(Heard::Root(event));
    }
}

/// A session, and what stands between it and a manager.
#[derive(Debug)]
pub struct Dialogue {
    pub(super) session: Session,
    pub(super) parser: Parser,
    pub(super) desk: Desk,
    bounds: Option<Bounds>,
    /// When the last line came.
    now: Instant,
}

impl Dialogue {
    /// A dialogue without a game in which no search goes beyond these bounds, and in which time
    /// stands still while a search runs: its clock begins an hour from now.
    pub fn bounded(bounds: Bounds) -> Dialogue {
        let desk = Desk { breaks_jobs: bounds.nodes == 0, ..Desk::default() };
        let mut session = Session::default();
        // What the process has cost so far is on the clock of the first move, not of this one.
        session.engine.start(BoardSize::square(5));
        let now = Instant::now();
        let is_asked = session.engine.ask(Question::Move { lines: 1 }, now).is_ok();
        debug_assert!(is_asked, "an empty board has a move");
        session.engine.answer(&Outcome::NONE);
        session.engine.close();
        let now = now + Duration::from_hours(1);
        let mut dialogue =
            Dialogue { session, parser: Parser::default(), desk, bounds: Some(bounds), now };
        dialogue.keep_bounds();
        dialogue
    }

    /// Cuts bytes into lines as they are cut on stdin, and hands each to `take`, which says
    /// whether it wants more.
    pub fn lines_of(bytes: impl Read, mut take: impl FnMut(&[u8]) -> bool) {
        read_lines(bytes, |Line { bytes, .. }| take(&bytes));
    }

    /// Hands over a line a millisecond after the one before; says whether the process would go
    /// on.
    pub fn hand_over(&mut self, line: &[u8]) -> bool {
        self.now += Duration::from_millis(1);
        let Some(command) = self.parser.feed(line) else { return true };
        let request = Request::Line(command);
        let mut flow = self.session.request(request, self.now, &mut self.desk);
        while self.desk.has_broken {
            flow = self.run_job();
        }
        self.keep_bounds();
        flow == Flow::GoOn
    }

    /// Says that there are no more lines, and runs what still waits.
    ///
    /// Gives whether the process would end now, as it must.
    pub fn end(&mut self) -> bool {
        let mut flow = self.session.request(Request::EndOfInput, self.now, &mut self.desk);
        while flow == Flow::GoOn && self.desk.is_waiting() {
            flow = self.run_job();
        }
        flow == Flow::Exit
    }

    /// The position the waiting search is about, if one waits.
    pub fn question(&self) -> Option<&Position> {
        self.desk.job.as_ref().map(|job| &job.task.position)
    }

    /// Runs the search that waits; what had to wait for it goes on.
    pub fn finish(&mut self) -> bool {
        self.run_job() == Flow::GoOn
    }

    /// What has gone out since the last time.
    pub fn take_lines(&mut self) -> Vec<String> {
        std::mem::take(&mut self.desk.lines)
    }

    fn run_job(&mut self) -> Flow {
        if std::mem::take(&mut self.desk.has_broken) {
            return self.session.finish(&Outcome::NONE, &mut self.desk);
        }
        let Some(mut job) = self.desk.job.take() else { return Flow::GoOn };
        if let Some(bounds) = self.bounds {
            let nodes = job.control.node_limit().min(bounds.nodes);
            let hard = job.control.remaining();
            let deadline = Deadline { hard, ..Deadline::unlimited(self.now) };
            let control = Control::new(deadline, Some(nodes));
            if job.control.is_stopped() {
                control.stop();
            }
            job.control = Arc::new(control);
            job.task.threads = 1;
        }
        let mut memory = Memory::default();
        let outcome = job.run(&mut memory);
        for heard in memory.0 {
            match heard {
                Heard::Progress(progress) => self.session.progress(&progress, &mut self.desk),
                Heard::Root(event) => self.session.root(event, &mut self.desk),
            }
        }
        let flow = self.session.finish(&outcome, &mut self.desk);
        self.keep_bounds();
        flow
    }

    /// Tables are made when a question is asked, so their size is bounded before that.
    fn keep_bounds(&mut self) {
        let Some(bounds) = self.bounds else { return };
        let options = &mut self.session.engine.options;
        let memory = options.memory_bytes.filter(|bytes| (1..bounds.memory).contains(bytes));
        options.memory_bytes = Some(memory.unwrap_or(bounds.memory));
        options.hash_kib = options.hash_kib.map(|kib| kib.min(bounds.memory >> 10));
    }
}

#[cfg(test)]
impl Dialogue {
    /// A dialogue in which every move is due at once.
    pub(super) fn new() -> Dialogue {
        let (session, parser) = (Session::default(), Parser::default());
        let (desk, now) = (Desk::default(), Instant::now());
        let mut dialogue = Dialogue { session, parser, desk, bounds: None, now };
        dialogue.say("INFO timeout_turn 0");
        dialogue
    }

    /// Hands over lines without running any search; gives what was answered.
    pub(super) fn say(&mut self, text: &str) -> Vec<String> {
        for line in text.lines() {
            if let Some(command) = self.parser.feed(line.as_bytes()) {
                self.session.request(Request::Line(command), Instant::now(), &mut self.desk);
            }
        }
        self.take_lines()
    }

    /// Runs the searches that wait; gives what was answered, search messages left out.
    pub(super) fn think(&mut self) -> Vec<String> {
        while self.desk.is_waiting() {
            self.run_job();
        }
        let mut lines = self.take_lines();
        lines.retain(|line| !line.starts_with("MESSAGE depth"));
        lines
    }

    /// Says and thinks.
    pub(super) fn ask(&mut self, text: &str) -> Vec<String> {
        let mut lines = self.say(text);
        lines.extend(self.think());
        lines
    }
}
