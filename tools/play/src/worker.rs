//! An engine in its own process, talked to by a thread of its own, so that nobody waits for it.
//!
//! Owns the life of that process: started when first asked, started anew when the settings are
//! others or after it broke down, ended when the worker is dropped. Must not know games or
//! screens: it takes a position and gives a point, and whether the point is a legal move is for
//! others to say. Start reading at [`Worker::ask`].

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use manager::brain::{Answer, Brain, Failure, Watch, Wish};
use manager::process::Line;
use manager::settings::{EngineSettings, GameSettings};
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

use crate::thought::{self, Thought};

/// How long a worker's end is waited for: a brain is given half a second to leave.
const END: Duration = Duration::from_millis(1500);

/// What is asked of an engine.
#[derive(Clone, Debug)]
pub struct Request {
    /// The engine and its limits.
    pub engine: EngineSettings,
    /// Rule, board, patience.
    pub game: GameSettings,
    /// The moves so far.
    pub moves: Vec<Square>,
}

/// What came of a request.
#[derive(Clone, Debug)]
pub enum Reply {
    /// A point, perhaps off the board or taken.
    Move {
        /// Column as written.
        x: i64,
        /// Row as written.
        y: i64,
        /// Time from the request to the answer.
        used: Duration,
        /// What was thought.
        thought: Thought,
    },
    /// No move, and why, in words; the process is gone.
    Failed {
        /// What went wrong.
        reason: String,
        /// The last lines of the talk.
        last_lines: Vec<String>,
    },
}

/// What both threads see.
#[derive(Debug, Default)]
struct Shared {
    /// The request being thought about and what is thought.
    thought: Mutex<(u64, Thought)>,
    /// Requests up to this number are not wanted any more.
    cancelled: AtomicU64,
    /// The request that should be answered now.
    hurried: AtomicU64,
    /// The worker is to end.
    quit: AtomicBool,
}

impl Shared {
    fn thought(&self) -> MutexGuard<'_, (u64, Thought)> {
        self.thought.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_cancelled(&self, number: u64) -> bool {
        self.cancelled.load(Ordering::Relaxed) >= number
    }
}

/// A thread that serves one engine.
#[derive(Debug)]
pub struct Worker {
    requests: Option<Sender<(u64, Request)>>,
    replies: Receiver<(u64, Reply)>,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    /// The number of the last request.
    number: u64,
    is_busy: bool,
}

impl Default for Worker {
    fn default() -> Self {
        Worker::new()
    }
}

impl Worker {
    /// A worker that has been asked nothing; no process runs yet.
    pub fn new() -> Worker {
        let (sender, requests) = mpsc::channel();
        let (replies_sender, replies) = mpsc::channel();
        let shared = Arc::new(Shared::default());
        let thread = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || serve(&requests, &replies_sender, &shared))
        };
        Worker {
            requests: Some(sender),
            replies,
            shared,
            thread: Some(thread),
            number: 0,
            is_busy: false,
        }
    }

    /// Asks for a move; an answer to an earlier question is not wanted any more.
    pub fn ask(&mut self, request: Request) {
        self.cancel();
        self.number += 1;
        self.is_busy = true;
        *self.shared.thought() = (self.number, Thought::default());
        if let Some(requests) = &self.requests {
            // The thread ends only when the sender is gone.
            let _ = requests.send((self.number, request));
        }
    }

    /// Whether an answer is due.
    pub fn is_busy(&self) -> bool {
        self.is_busy
    }

    /// Takes the question back.
    pub fn cancel(&mut self) {
        self.shared.cancelled.store(self.number, Ordering::Relaxed);
        self.is_busy = false;
    }

    /// Wants the answer now, of an engine that knows how to be hurried.
    pub fn hurry(&self) {
        self.shared.hurried.store(self.number, Ordering::Relaxed);
    }

    /// What is being thought, while an answer is due.
    pub fn thought(&self) -> Option<Thought> {
        let thought = self.shared.thought();
        (self.is_busy && thought.0 == self.number).then(|| thought.1.clone())
    }

    /// The answer, once it has come.
    pub fn poll(&mut self) -> Option<Reply> {
        self.wait(Duration::ZERO)
    }

    /// The answer, waiting so long for it.
    pub fn wait(&mut self, patience: Duration) -> Option<Reply> {
        loop {
            match self.replies.recv_timeout(patience) {
                Ok((number, reply)) if number == self.number && self.is_busy => {
                    self.is_busy = false;
                    return Some(reply);
                }
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) if self.is_busy => {
                    self.is_busy = false;
                    let reason = "the engine's thread ended".to_string();
                    return Some(Reply::Failed { reason, last_lines: Vec::new() });
                }
                Err(_) => return None,
            }
        }
    }
}

impl Drop for Worker {
    /// Ends the process; a stubborn one is killed.
    fn drop(&mut self) {
        self.shared.quit.store(true, Ordering::Relaxed);
        self.requests = None;
        let Some(thread) = self.thread.take() else { return };
        let began = std::time::Instant::now();
        while !thread.is_finished() && began.elapsed() < END {
            thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Answers requests until the worker is dropped.
fn serve(requests: &Receiver<(u64, Request)>, replies: &Sender<(u64, Reply)>, shared: &Shared) {
    let mut next = requests.recv().ok();
    while let Some(first) = next.take() {
        next = serve_engine(first, requests, replies, shared);
    }
}

/// Answers requests by one process, up to one that needs another.
fn serve_engine(
    first: (u64, Request),
    requests: &Receiver<(u64, Request)>,
    replies: &Sender<(u64, Reply)>,
    shared: &Shared,
) -> Option<(u64, Request)> {
    let (engine, game) = (first.1.engine.clone(), first.1.game.clone());
    let mut request = latest(first, requests);
    if !fits(&request.1, &engine, &game) {
        return Some(request);
    }
    let fail = |number, reason, last_lines| {
        // Nobody listens once the worker is dropped.
        let _ = replies.send((number, Reply::Failed { reason, last_lines }));
    };
    let mut brain = match Brain::spawn(&engine, &game, &shared.quit, None) {
        Ok(brain) => brain,
        Err(error) => {
            let command = engine.command.join(" ");
            fail(request.0, format!("cannot start {command}: {error}"), Vec::new());
            return requests.recv().ok();
        }
    };
    if let Err(failure) = brain.new_game() {
        let reason = words(&engine.name, &failure, "START");
        fail(request.0, reason, last_lines(&brain));
        brain.kill();
        return requests.recv().ok();
    }
    loop {
        let (number, Request { moves, .. }) = &request;
        let mut watch = Onlooker { number: *number, size: game.size, shared };
        match brain.think_watched(moves, &mut watch) {
            Ok(Answer { x, y, used, .. }) => {
                let thought = shared.thought().1.clone();
                let _ = replies.send((*number, Reply::Move { x, y, used, thought }));
            }
            Err(Failure::Stopped) => {
                // It still thinks, and what it will answer nobody wants.
                brain.kill();
                return requests.recv().ok();
            }
            Err(failure) => {
                fail(*number, words(&engine.name, &failure, "a move"), last_lines(&brain));
                brain.kill();
                return requests.recv().ok();
            }
        }
        let Ok(next) = requests.recv() else {
            brain.finish();
            return None;
        };
        request = latest(next, requests);
        if !fits(&request.1, &engine, &game) {
            brain.finish();
            return Some(request);
        }
    }
}

/// Whether a running process will do for a request.
fn fits(request: &Request, engine: &EngineSettings, game: &GameSettings) -> bool {
    request.engine == *engine
        && request.game.rule == game.rule
        && request.game.size == game.size
        && request.game.tolerance == game.tolerance
}

/// Of the requests that wait the last one.
fn latest(first: (u64, Request), requests: &Receiver<(u64, Request)>) -> (u64, Request) {
    requests.try_iter().last().unwrap_or(first)
}

fn last_lines(brain: &Brain<'_>) -> Vec<String> {
    let lines = brain.last_lines();
    let skipped = lines.len().saturating_sub(6);
    lines.iter().skip(skipped).map(|line| thought::plain(line, 100)).collect()
}

/// Why there is no move, for people.
fn words(name: &str, failure: &Failure, wanted: &str) -> String {
    let seconds = |ms: u64| {
        let tenths = ms.div_ceil(100);
        format!("{}.{} s", tenths / 10, tenths % 10)
    };
    match failure {
        Failure::OutOfTime { limit_ms, over_ms, answered: false } => {
            format!("{name} is silent: no answer to {wanted} in {}", seconds(limit_ms + over_ms))
        }
        Failure::OutOfTime { limit_ms, over_ms, answered: true } => {
            format!(
                "{name} took {}, allowed were {}",
                seconds(limit_ms + over_ms),
                seconds(*limit_ms)
            )
        }
        Failure::Crashed { reason } => format!("{name} has ended: {reason}"),
        Failure::Illegal { line } => {
            let mut words = format!("{name} wrote '{}'", thought::plain(line, 40));
            // Writing to a string cannot fail.
            let _ = write!(words, " instead of {}", if wanted == "START" { "OK" } else { wanted });
            words
        }
        Failure::OverLimit { reason } => format!("{name} used too much: {reason}"),
        Failure::Stopped => format!("{name} was stopped"),
    }
}

/// Reads what is thought, and stops what nobody wants.
struct Onlooker<'a> {
    number: u64,
    size: BoardSize,
    shared: &'a Shared,
}

impl Watch for Onlooker<'_> {
    fn line(&mut self, line: &Line) {
        let mut thought = self.shared.thought();
        if thought.0 == self.number {
            thought.1.read(&line.text, self.size);
        }
    }

    fn wish(&mut self) -> Wish {
        if self.shared.is_cancelled(self.number) || self.shared.quit.load(Ordering::Relaxed) {
            Wish::Stop
        } else if self.shared.hurried.load(Ordering::Relaxed) == self.number {
            Wish::Move
        } else {
            Wish::Think
        }
    }
}
