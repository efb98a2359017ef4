//! The Gomocup protocol, also called the Piskvork protocol, and its Yixin-Board extensions.
//!
//! Owns the process while a manager talks to it: threads, stdin, stdout. The modules below stand
//! in the order a line takes through them. Start reading at [`run`].
//!
//! ```text
//!   stdin -> io -> (channel) -> command, block, info, text -> session -> engine
//!                     ^                                          |  |
//!                     +---- reports, outcome ---- search thread <+  +-> reply -> io -> stdout
//! ```
//!
//! # What is answered how
//!
//! All standard commands are carried out: START, RECTSTART (5 to 22 squares a side, also not
//! square), RESTART, BEGIN, TURN, BOARD, INFO, END, ABOUT, TAKEBACK, PLAY and SWAP2BOARD; of the
//! extended ones STOP, YXSTOP, YXBOARD, YXNBEST, YXSHOWINFO, YXSHOWFORBID, YXHASHCLEAR,
//! YXSHOWHASHUSAGE, YXBLOCK and YXBLOCKPATH with UNDO and RESET, YXSEARCHDEFEND (a line for every
//! move near the stones), YXSWAP2STEP1 to 3 and YXBALANCEONE and TWO.
//! Files, databases, other opening rules and YXFORBID of Yixin-Board are refused by a MESSAGE, what
//! it asks a database by itself is swallowed in silence; other words are UNKNOWN. ERROR means that
//! a known command cannot be carried out, and that nothing has changed, but that a START that
//! fails ends the game.
//!
//! Where the protocol leaves a choice, or we differ:
//!
//! - BEGIN on a board with stones plays for the side to move.
//! - TURN with the last empty square and BOARD with none are errors, as no move exists.
//! - A bad line in a block is reported once, after DONE; the old position stands.
//! - What follows `DONE` on its line makes the block a bad one.
//! - `START w h` with different sides is an error: Yixin-Board means by it a board turned by 90
//!   degrees. RECTSTART is not.
//! - The time of BOARD and SWAP2BOARD counts from the arrival of DONE, that of a command which
//!   had to wait for a search to stop from its own arrival.
//! - INFO values beyond 64 bits are the largest there is; more words after a value are ignored.
//!   An impossible `rule` or `max_memory` is told in a MESSAGE before the next move.
//! - Rule bit 2 makes a game continuous for every rule; the reference has 2 as plain freestyle.
//! - INFO `level` and `seed` choose a weaker player, INFO `explain` asks for a line `MESSAGE why`
//!   just before each move. A level that does not exist changes nothing.
//! - SUGGEST is never written, nor DEBUG. Pondering is accepted and not done. Nothing is ever
//!   written to the folder of INFO.
//! - YXBLOCKPATH counts at the root of a search only: its last square is not played where all
//!   squares before it, taken in turn from Black on, are the stones on the board.
//! - In SWAP2BOARD with three stones we place two more only where the search does not know who
//!   is ahead: see [`crate::engine::opening`].

mod block;
mod command;
mod info;
mod io;
mod progress;
mod reply;
mod session;
mod settings;
mod text;
mod why;

#[cfg(feature = "fuzzing")]
pub use session::dialogue::{Bounds, Dialogue};

use std::io::{stdin, stdout};
use std::process::{ExitCode, exit};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

use crate::engine::decision::{Job, Outcome};
use crate::protocol::command::Parser;
use crate::protocol::io::Line;
use crate::protocol::reply::{Progress, Reply};
use crate::protocol::session::{Flow, Outlet, Request, Session};
use crate::protocol::text::split_word;
use crate::search::{Report, RootEvent, SearchHandler};

/// The version ABOUT and the command line tell.
///
/// A release is built with `TENGEN_VERSION` set to the package's version, a plus sign and the
/// commit (`tools/release/run`); any other build shows the package's version alone.
pub const VERSION: &str = match option_env!("TENGEN_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};
const _: () = assert!(is_plain(VERSION), "TENGEN_VERSION may hold letters, digits and . + - only");

/// Whether a text can stand in ABOUT, which others split at commas, quotes and blanks.
const fn is_plain(text: &str) -> bool {
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        if !first.is_ascii_alphanumeric() && !matches!(first, b'.' | b'+' | b'-') {
            return false;
        }
        rest = after;
    }
    !text.is_empty()
}

/// Stack of a search thread; only what is used of it becomes memory.
const STACK_BYTES: usize = 16 << 20;
/// A search shows moves at its root only after this long; earlier they would flicker.
const ROOTS_AFTER: Duration = Duration::from_millis(200);

/// What the session hears of, one after the other.
enum Event {
    Line(Line),
    EndOfInput,
    Progress(Progress),
    Root(RootEvent),
    Finished(Outcome),
}

/// Serves a manager on stdin and stdout until END, the end of input, or a closed stdout.
///
/// Leaves by a direct exit: freeing a large table would take longer than managers wait.
pub fn run() -> ExitCode {
    let (sender, events) = channel();
    let has_ended = Arc::new(AtomicBool::new(false));
    let mut out = Wires { sender: sender.clone(), has_ended: Arc::clone(&has_ended) };
    let reader = Builder::new().name("reader".to_owned()).spawn(move || {
        let hand_out = |line| sender.send(Event::Line(line)).is_ok();
        io::read_lines(stdin().lock(), &has_ended, hand_out);
        // Whoever could hear this is gone if it fails.
        let _ = sender.send(Event::EndOfInput);
    });
    if let Err(error) = reader {
        log::error!("no thread to read stdin: {error}");
        return ExitCode::FAILURE;
    }
    let mut parser = Parser::default();
    let mut session = Session::default();
    for event in events {
        let flow = match event {
            Event::Line(line) => {
                if let Some(command) = parser.feed(&line.bytes) {
                    session.request(Request::Line(command), line.arrival, &mut out)
                } else {
                    // What the reader took for END may have been a word of a comment.
                    if split_word(&line.bytes).0.eq_ignore_ascii_case(b"END") {
                        out.has_ended.store(false, Relaxed);
                    }
                    Flow::GoOn
                }
            }
            Event::EndOfInput => session.request(Request::EndOfInput, Instant::now(), &mut out),
            Event::Progress(progress) => {
                session.progress(&progress, &mut out);
                Flow::GoOn
            }
            Event::Root(event) => {
                session.root(event, &mut out);
                Flow::GoOn
            }
            Event::Finished(outcome) => session.finish(&outcome, &mut out),
        };
        if flow == Flow::Exit {
            exit(0);
        }
    }
    ExitCode::SUCCESS
}

/// Stdout, and the way to a search thread and back.
struct Wires {
    sender: Sender<Event>,
    has_ended: Arc<AtomicBool>,
}

impl Outlet for Wires {
    fn reply(&mut self, reply: &Reply) {
        if let Err(error) = io::write_line(stdout().lock(), &reply.line()) {
            log::info!("stdout is gone: {error}");
            exit(0);
        }
    }

    fn launch(&mut self, job: Job, shows_roots: bool) -> bool {
        let mut teller = Teller {
            sender: self.sender.clone(),
            roots_from: shows_roots.then(|| Instant::now() + ROOTS_AFTER),
        };
        let thread = Builder::new().name("search".to_owned()).stack_size(STACK_BYTES);
        let spawned = thread.spawn(move || {
            let outcome = job.run(&mut teller);
            teller.tell(Event::Finished(outcome));
        });
        if let Err(error) = &spawned {
            log::error!("no thread to search: {error}");
        }
        spawned.is_ok()
    }

    fn has_ended(&self) -> bool {
        self.has_ended.load(Relaxed)
    }
}

/// A search thread's way to the session.
struct Teller {
    sender: Sender<Event>,
    /// When moves at the root begin to be shown, if ever.
    roots_from: Option<Instant>,
}

impl Teller {
    fn tell(&self, event: Event) {
        // It fails only while the process ends.
        let _ = self.sender.send(event);
    }
}

impl SearchHandler for Teller {
    fn report(&mut self, report: &Report<'_>) {
        self.tell(Event::Progress(Progress {
            depth: report.depth,
            selective_depth: report.selective_depth,
            line_index: report.line_index,
            line_count: report.line_count,
            score: report.line.score,
            moves: report.line.moves.clone(),
            nodes: report.nodes,
            elapsed: report.elapsed,
        }));
    }

    fn root(&mut self, event: RootEvent) {
        if self.roots_from.is_some_and(|from| Instant::now() >= from) {
            self.tell(Event::Root(event));
        }
    }
}
