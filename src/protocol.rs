//! The Gomocup protocol, also called the Piskvork protocol, and its Yixin-Board extensions.
//!
//! Owns the process while a manager talks to it: threads, stdin, stdout. The modules below stand
//! in the order a line takes through them. Start reading at [`run`].
//!
//! ```text
//!   stdin -> io -> command, block, info, text -> (channel) -> session -> engine
//!                                                    ^           |  |
//!                             reports, outcome ------+           |  +-> reply -> io -> stdout
//!                                                    +-- search <+
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
//! - A bad line in a block is reported once, after DONE; the old position stands. A block whose
//!   DONE never came is void, without a word, when START, RESTART or another position begins.
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

#[cfg(any(test, feature = "fuzzing"))]
pub use session::dialogue::{Bounds, Dialogue};

use std::io::{stdin, stdout};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{ExitCode, exit};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SendError, Sender, channel};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use crate::base::fault::Place;
use crate::engine::decision::{Job, Outcome};
use crate::protocol::command::{Command, ParseError, Parser};
use crate::protocol::io::Line;
use crate::protocol::reply::{Progress, Reply};
use crate::protocol::session::{Flow, Outlet, Request, Session};
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

/// Stack of a search thread; only what is used of it becomes memory, but all of it counts where
/// addresses are limited. Threads that help have 2 MiB; searches of seconds need less than 128 KiB.
const STACK_BYTES: usize = 4 << 20;
/// A search shows moves at its root only after this long; earlier they would flicker.
const ROOTS_AFTER: Duration = Duration::from_millis(200);
/// After END the session has this long to leave; managers wait 500 to 700 ms at most.
const PATIENCE: Duration = Duration::from_millis(150);
/// So long after a START nobody is about to say by which rule, nor to ask for a move.
const IDLE: Duration = Duration::from_millis(50);

/// What the session hears of, one after the other.
enum Event {
    /// What a line completed, and when it came.
    Command(Result<Command, ParseError>, Instant),
    EndOfInput,
    Progress(Progress),
    Root(RootEvent),
    Finished(Outcome),
    /// Nothing came for a while.
    Idle,
}

/// Serves a manager on stdin and stdout until END, the end of input, or a closed stdout.
///
/// Leaves by a direct exit: freeing a large table would take longer than managers wait.
pub fn run() -> ExitCode {
    let (sender, events) = channel();
    let has_ended = Arc::new(AtomicBool::new(false));
    let mut out = Wires { sender: sender.clone(), has_ended: Arc::clone(&has_ended), orders: None };
    let reader = Builder::new().name("reader".to_owned()).spawn(move || {
        let mut parser = Parser::default();
        let hand_out = |line: Line| {
            log::debug!("> {}", String::from_utf8_lossy(&line.bytes).escape_debug());
            let Some(command) = parser.feed(&line.bytes) else { return true };
            let is_end = matches!(command, Ok(Command::End));
            // However much waits before it.
            has_ended.fetch_or(is_end, Relaxed);
            let is_heard = sender.send(Event::Command(command, line.arrival)).is_ok();
            if is_end {
                see_off();
            }
            is_heard
        };
        io::read_lines(stdin().lock(), hand_out);
        // Whoever could hear this is gone if it fails.
        let _ = sender.send(Event::EndOfInput);
        // The process ends now, and no thread may end at the same time: see `search_thread`.
        loop {
            thread::park();
        }
    });
    if let Err(error) = reader {
        log::error!("no thread to read stdin: {error}");
        return ExitCode::FAILURE;
    }
    let mut session = Session::default();
    while let Some(event) = next(&events, &session) {
        let flow = match event {
            Event::Idle => {
                session.idle();
                Flow::GoOn
            }
            Event::Command(command, arrival) => {
                session.request(Request::Line(command), arrival, &mut out)
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

/// Waits for an event; where the session has something to do meanwhile, not for ever.
fn next(events: &Receiver<Event>, session: &Session) -> Option<Event> {
    if !session.has_idle_work() {
        return events.recv().ok();
    }
    match events.recv_timeout(IDLE) {
        Ok(event) => Some(event),
        Err(RecvTimeoutError::Timeout) => Some(Event::Idle),
        Err(RecvTimeoutError::Disconnected) => None,
    }
}

/// Ends the process after END when the session does not: it may be writing to a manager that reads
/// no more, or be busy.
fn see_off() {
    thread::sleep(PATIENCE);
    log::warn!("left without the session");
    exit(0);
}

/// Stdout, and the way to the search thread and back.
struct Wires {
    sender: Sender<Event>,
    has_ended: Arc<AtomicBool>,
    /// The way to the search thread, once there is one.
    orders: Option<Sender<Order>>,
}

impl Outlet for Wires {
    fn reply(&mut self, reply: &Reply) {
        let line = reply.line();
        log::debug!("< {line}");
        if let Err(error) = io::write_line(stdout().lock(), &line) {
            log::info!("stdout is gone: {error}");
            exit(0);
        }
    }

    fn launch(&mut self, job: Job, shows_roots: bool) {
        let teller = Teller {
            sender: self.sender.clone(),
            roots_from: shows_roots.then(|| Instant::now() + ROOTS_AFTER),
        };
        let order = Order { job: Box::new(job), teller };
        if let Err(Order { job, teller }) = self.hand_over(order) {
            Order { job, teller: Teller { roots_from: None, ..teller } }.carry_out();
        }
    }

    fn has_ended(&self) -> bool {
        self.has_ended.load(Relaxed)
    }
}

impl Wires {
    /// Gives an order to the search thread, or back if there is none and none can be made.
    fn hand_over(&mut self, order: Order) -> Result<(), Order> {
        if order.job.faults().is_due(Place::NoThread) {
            log::error!("no thread to search, on purpose");
            return Err(order);
        }
        let orders = match self.orders.take() {
            Some(orders) => orders,
            None => match search_thread() {
                Ok(orders) => orders,
                Err(error) => {
                    log::error!("no thread to search, so the session does it: {error}");
                    return Err(order);
                }
            },
        };
        orders.send(order).map_err(|SendError(order)| order)?;
        self.orders = Some(orders);
        Ok(())
    }
}

/// Starts the thread that searches, one order after the other, until the process ends.
///
/// One thread for all searches, not one for each: wine does not bear it when a process ends just
/// while one of its threads does. Of 500 programs that ended right after a move 69 were killed,
/// now and then one by a fault in memory.
fn search_thread() -> std::io::Result<Sender<Order>> {
    let (sender, orders) = channel::<Order>();
    let thread = Builder::new().name("search".to_owned()).stack_size(STACK_BYTES);
    thread.spawn(move || orders.into_iter().for_each(Order::carry_out))?;
    Ok(sender)
}

/// A job, and who hears of it.
struct Order {
    job: Box<Job>,
    teller: Teller,
}

impl Order {
    /// Runs the job and tells its outcome whatever happens: the session waits for it.
    fn carry_out(self) {
        let Self { job, mut teller } = self;
        let run = || {
            job.faults().visit(Place::Thread);
            job.run(&mut teller)
        };
        let outcome = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
            log::error!("a job panicked");
            Outcome::NONE
        });
        teller.tell(Event::Finished(outcome));
    }
}

/// The search thread's way to the session.
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
        self.tell(Event::Progress(Progress::from(report)));
    }

    fn root(&mut self, event: RootEvent) {
        if self.roots_from.is_some_and(|from| Instant::now() >= from) {
            self.tell(Event::Root(event));
        }
    }
}
