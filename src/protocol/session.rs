//! The conductor: commands in, replies out, one question to the engine at a time.
//!
//! Owns the order of things: what is answered while the engine thinks, what waits, what a
//! manager hears when something cannot be done. Must not know bytes or threads; whoever owns
//! those is an [`Outlet`]. Start reading at [`Session::request`].

use std::collections::VecDeque;
use std::fmt;
use std::time::Instant;

use crate::engine::Engine;
use crate::engine::decision::{Decision, Job, Outcome, Question};
use crate::engine::game::{Owner, PlayError, SetupError};
use crate::engine::machine;
use crate::protocol::block::Entry;
use crate::protocol::command::{Command, ParseError};
use crate::protocol::info::Info;
use crate::protocol::progress::Gate;
use crate::protocol::reply::{Progress, PvStyle, Reply, details};
use crate::protocol::settings::Settings;
use crate::protocol::text::Coord;
use crate::protocol::why;
use crate::search::{Report, RootEvent};
use crate::types::square::Square;

/// The world outside, as a session needs it.
pub(crate) trait Outlet {
    /// Sends a line.
    fn reply(&mut self, reply: &Reply);
    /// Has a job run elsewhere; its outcome must come back through [`Session::finish`].
    fn launch(&mut self, job: Job, shows_roots: bool);
    /// Whether END has been read, even if it has not been handed over yet.
    fn has_ended(&self) -> bool;
}

/// What is asked of a session.
#[derive(Debug)]
pub(crate) enum Request {
    /// A line that completes a command, or is none.
    Line(Result<Command, ParseError>),
    /// There will be no more lines.
    EndOfInput,
}

/// Whether the process should go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// It should.
    GoOn,
    /// It should exit at once.
    Exit,
}

/// Why a request is refused.
#[derive(Debug)]
enum Refusal {
    Parse(ParseError),
    Play(PlayError),
    SetUp(SetupError),
    OffBoard(Coord),
    OpeningCount(usize),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Parse(error) => error.fmt(f),
            Refusal::Play(error) => error.fmt(f),
            Refusal::SetUp(error) => error.fmt(f),
            Refusal::OffBoard(coord) => write!(f, "square {coord} is not on the board"),
            Refusal::OpeningCount(count) => write!(f, "{count} stones are no step of swap2"),
        }
    }
}

impl From<PlayError> for Refusal {
    fn from(error: PlayError) -> Refusal {
        Refusal::Play(error)
    }
}

impl From<SetupError> for Refusal {
    fn from(error: SetupError) -> Refusal {
        Refusal::SetUp(error)
    }
}

/// UNKNOWN for words that are not known, ERROR for all else.
fn refuse(refusal: &Refusal) -> Reply {
    match refusal {
        Refusal::Parse(error @ ParseError::Unknown(_)) => Reply::Unknown(error.to_string()),
        _ => Reply::Error(refusal.to_string()),
    }
}

/// How the manager wants a decision told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Squares, or SWAP.
    Plain,
    /// As messages of Yixin-Board's swap2 dialogue, step 1 to 3.
    YixinSwap2(u8),
}

/// A question the engine thinks about.
#[derive(Debug)]
struct Thinking {
    form: Form,
    gate: Gate,
    is_stopping: bool,
}

/// One manager's dialogue with the engine.
#[derive(Debug, Default)]
pub(crate) struct Session {
    engine: Engine,
    thinking: Option<Thinking>,
    /// What came while the engine thought and has to wait for its move.
    waiting: VecDeque<(Request, Instant)>,
    settings: Settings,
}

impl Session {
    /// Takes a request that arrived at `arrival`.
    ///
    /// While the engine thinks, what needs no position is done at once; all else stops the
    /// search and waits until its move is out, so that there is one move per question, in order.
    pub(crate) fn request(
        &mut self,
        request: Request,
        arrival: Instant,
        out: &mut dyn Outlet,
    ) -> Flow {
        if matches!(request, Request::Line(Ok(Command::End))) {
            return Flow::Exit;
        }
        if let Some(thinking) = &mut self.thinking
            && !(self.waiting.is_empty() && is_concurrent(&request))
        {
            thinking.is_stopping = true;
            self.engine.stop();
            self.waiting.push_back((request, arrival));
            return Flow::GoOn;
        }
        self.carry_out(request, arrival, out)
    }

    /// Takes a search report.
    pub(crate) fn progress(&mut self, progress: &Progress, out: &mut dyn Outlet) {
        let remaining = self.engine.remaining();
        if let Some(thinking) = &mut self.thinking
            && !thinking.is_stopping
            && thinking.gate.pass(progress, remaining)
        {
            self.show(progress, out);
        }
    }

    /// Takes an event at the root of the search.
    pub(crate) fn root(&mut self, event: RootEvent, out: &mut dyn Outlet) {
        if !self.settings.shows_roots() || self.thinking.as_ref().is_none_or(|it| it.is_stopping) {
            return;
        }
        let text = match event {
            RootEvent::Begin(square) => format!("REALTIME POS {square}"),
            RootEvent::Done(square) => format!("REALTIME DONE {square}"),
            RootEvent::Lost(square) => format!("REALTIME LOST {square}"),
            RootEvent::Best(square) => format!("REALTIME BEST {square}"),
            RootEvent::Refresh => "REALTIME REFRESH".to_owned(),
        };
        out.reply(&Reply::Message(text));
    }

    /// Takes the outcome of the job launched last: the answer goes out, then what waited.
    pub(crate) fn finish(&mut self, outcome: &Outcome, out: &mut dyn Outlet) -> Flow {
        if let Some(thinking) = self.thinking.take() {
            self.tell(thinking, outcome, out);
        }
        while let Some((request, arrival)) = self.waiting.pop_front() {
            if self.thinking.is_some() && !is_concurrent(&request) {
                // The new search has its answer to give before this one's turn comes.
                self.stop();
                self.waiting.push_front((request, arrival));
                break;
            }
            if self.carry_out(request, arrival, out) == Flow::Exit {
                return Flow::Exit;
            }
        }
        Flow::GoOn
    }

    /// Whether there is something to do while nobody wants anything.
    pub(crate) fn has_idle_work(&self) -> bool {
        self.thinking.is_none() && self.engine.is_unprepared()
    }

    /// Does it: builds what a game needs whose rule nobody names, before its clock runs.
    pub(crate) fn idle(&mut self) {
        self.engine.prepare();
    }

    fn tell(&mut self, thinking: Thinking, outcome: &Outcome, out: &mut dyn Outlet) {
        let elapsed = self.engine.elapsed();
        let decision = self.engine.answer(outcome);
        if out.has_ended() {
            return;
        }
        if self.engine.is_short_of_memory() {
            self.settings.note_memory(&self.engine.options);
        }
        for note in self.settings.take_notes() {
            out.reply(&Reply::Message(note));
        }
        if let Some(result) = &outcome.result {
            let lines = result.lines.iter().enumerate().map(|(line_index, line)| Progress {
                depth: result.depth,
                selective_depth: result.selective_depth,
                line_index,
                line_count: result.lines.len(),
                score: line.score,
                moves: line.moves.clone(),
                nodes: result.nodes,
                elapsed,
            });
            for progress in thinking.gate.finish(lines.collect()) {
                self.show(&progress, out);
            }
        }
        match decision {
            Some(decision) => {
                if self.settings.explains()
                    && let Some(reason) = self.engine.explain(decision, outcome)
                {
                    let chance = reason.score.map(|score| self.engine.winning_chance(score));
                    out.reply(&Reply::Message(format!("why {}", why::text(&reason, chance))));
                }
                for line in answers(thinking.form, decision) {
                    out.reply(&line);
                }
            }
            None => out.reply(&refuse(&PlayError::Full.into())),
        }
    }

    fn show(&self, progress: &Progress, out: &mut dyn Outlet) {
        let style = match self.engine.size() {
            Some(size) if self.settings.is_yixin_board() => PvStyle::Yixin(size),
            _ => PvStyle::Letters,
        };
        out.reply(&Reply::Progress(progress.clone(), style));
        if self.settings.shows_details() {
            let chance = self.engine.winning_chance(progress.score);
            for line in details(progress, chance) {
                out.reply(&line);
            }
        }
    }

    fn carry_out(&mut self, request: Request, arrival: Instant, out: &mut dyn Outlet) -> Flow {
        let done = match request {
            Request::Line(Ok(command)) => self.obey(command, arrival, out),
            Request::Line(Err(error)) => {
                if matches!(error, ParseError::Size | ParseError::NotSquare | ParseError::RectSize)
                {
                    self.engine.close();
                }
                Err(Refusal::Parse(error))
            }
            Request::EndOfInput => return Flow::Exit,
        };
        if let Err(refusal) = done {
            out.reply(&refuse(&refusal));
        }
        Flow::GoOn
    }

    fn obey(
        &mut self,
        command: Command,
        arrival: Instant,
        out: &mut dyn Outlet,
    ) -> Result<(), Refusal> {
        let one_move = Question::Move { lines: 1 };
        match command {
            Command::Start(size) => {
                self.engine.start(size);
                if self.settings.names_rule() {
                    self.engine.prepare();
                }
                out.reply(&Reply::Ok);
            }
            Command::Restart => {
                self.engine.restart()?;
                out.reply(&Reply::Ok);
            }
            Command::Begin => self.ask(one_move, Form::Plain, arrival, out)?,
            Command::Turn(coord) => {
                let square = self.square(coord)?;
                self.engine.play_opponent(square)?;
                self.ask(one_move, Form::Plain, arrival, out)?;
            }
            Command::Play(coord) => {
                let square = self.square(coord)?;
                self.engine.play_own(square)?;
                out.reply(&Reply::Move(square));
            }
            Command::TakeBack(coord) => {
                let square = self.square(coord)?;
                self.engine.take_back(square)?;
                out.reply(&Reply::Ok);
            }
            Command::Board(entries) => {
                self.set_up(&entries)?;
                self.ask(one_move, Form::Plain, arrival, out)?;
            }
            Command::Swap2(entries) => {
                let squares = self.squares(&entries)?;
                self.ask_opening(squares, Form::Plain, arrival, out)?;
            }
            Command::Info(info) => self.apply(&info),
            Command::About => out.reply(&Reply::About),
            Command::Stop => self.stop(),
            // The end is handled before anything else.
            Command::End => {}
            Command::YxBoard(entries) => self.set_up(&entries)?,
            Command::YxNbest(lines) => {
                let lines = usize::try_from(lines).unwrap_or(1);
                self.ask(Question::Move { lines }, Form::Plain, arrival, out)?;
            }
            Command::YxShowInfo => self.show_limits(out),
            Command::YxShowForbid => out.reply(&Reply::Forbid(self.engine.forbidden())),
            Command::YxHashClear => self.engine.clear_table(),
            Command::YxShowHashUsage => {
                let used = self.engine.table_use();
                out.reply(&Reply::Message(format!("hash usage {}.{}%", used / 10, used % 10)));
            }
            Command::YxBlock(entries) => {
                let squares = self.squares(&entries)?;
                self.engine.excluded_mut().extend(squares);
            }
            Command::YxBlockUndo(entries) => {
                let squares = self.squares(&entries)?;
                self.engine.excluded_mut().retain(|square| !squares.contains(square));
            }
            Command::YxBlockReset => self.engine.excluded_mut().clear(),
            Command::YxBlockPath(entries) => {
                let path = self.squares(&entries)?;
                self.engine.excluded_paths_mut().push(path);
            }
            Command::YxBlockPathUndo(entries) => {
                let path = self.squares(&entries)?;
                self.engine.excluded_paths_mut().retain(|known| *known != path);
            }
            Command::YxBlockPathReset => self.engine.excluded_paths_mut().clear(),
            Command::YxSearchDefend => {
                self.ask(Question::Move { lines: usize::MAX }, Form::Plain, arrival, out)?;
            }
            Command::Unsupported(word) => {
                out.reply(&Reply::Message(format!("{word} is not supported and was ignored")));
            }
            Command::YxSwap2Step(step) => {
                let squares = self.engine.squares()?;
                if squares.len() != [0, 3, 5][usize::from(step.clamp(1, 3)) - 1] {
                    return Err(Refusal::OpeningCount(squares.len()));
                }
                self.ask_opening(squares, Form::YixinSwap2(step), arrival, out)?;
            }
            Command::YxBalanceOne(bias) => {
                let question = Question::BalanceOne(clamp_bias(bias));
                self.ask(question, Form::Plain, arrival, out)?;
            }
            Command::YxBalanceTwo(bias) => {
                let question = Question::BalanceTwo(clamp_bias(bias));
                self.ask(question, Form::Plain, arrival, out)?;
            }
        }
        Ok(())
    }

    fn ask(
        &mut self,
        question: Question,
        form: Form,
        arrival: Instant,
        out: &mut dyn Outlet,
    ) -> Result<(), Refusal> {
        let job = self.engine.ask(question, arrival)?;
        self.thinking = Some(Thinking { form, gate: Gate::default(), is_stopping: false });
        if out.has_ended() {
            self.stop();
        }
        out.launch(job, self.settings.shows_roots());
        Ok(())
    }

    fn ask_opening(
        &mut self,
        squares: Vec<Square>,
        form: Form,
        arrival: Instant,
        out: &mut dyn Outlet,
    ) -> Result<(), Refusal> {
        if !matches!(squares.len(), 0 | 3 | 5) {
            return Err(Refusal::OpeningCount(squares.len()));
        }
        self.ask(Question::Opening(squares), form, arrival, out)
    }

    fn stop(&mut self) {
        if let Some(thinking) = &mut self.thinking {
            thinking.is_stopping = true;
            self.engine.stop();
        }
    }

    fn apply(&mut self, info: &Info) {
        #[cfg(feature = "tune")]
        if let Info::Tune(name, value) = info
            && !self.engine.tune(name, *value)
        {
            self.settings.note(format!("no tunable {name} with a value of {value}"));
        }
        #[cfg(any(test, feature = "faults"))]
        if let Info::Fault(place, visit) = *info {
            self.engine.arm(place, visit);
        }
        self.settings.apply(info, &mut self.engine.options);
        self.engine.apply_time();
        // Not beside a search: it has taken its position, and there is time after it.
        if matches!(info, Info::Rule(_)) && self.thinking.is_none() {
            self.engine.prepare();
        }
    }

    fn show_limits(&mut self, out: &mut dyn Outlet) {
        self.settings.meet_yixin_board(&mut self.engine.options);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let hash = (machine::TABLE_MAX >> 10).ilog2();
        out.reply(&Reply::Message(format!("INFO MAX_THREAD_NUM {threads}")));
        out.reply(&Reply::Message(format!("INFO MAX_HASH_SIZE {hash}")));
    }

    fn set_up(&mut self, entries: &[Entry]) -> Result<(), Refusal> {
        let owner = |field| match field {
            1 => Owner::Own,
            2 => Owner::Opponent,
            _ => Owner::Nobody,
        };
        let squares = self.squares(entries)?;
        let owners = entries.iter().map(|&(_, field)| owner(field));
        let stones: Vec<_> = squares.into_iter().zip(owners).collect();
        Ok(self.engine.set_up(&stones)?)
    }

    fn squares(&self, entries: &[Entry]) -> Result<Vec<Square>, Refusal> {
        // Without a game an empty list must be refused, too.
        self.engine.size().ok_or(PlayError::NoGame)?;
        entries.iter().map(|&(coord, _)| self.square(coord)).collect()
    }

    fn square(&self, coord: Coord) -> Result<Square, Refusal> {
        let size = self.engine.size().ok_or(PlayError::NoGame)?;
        Square::on_board(size, coord.x, coord.y).ok_or(Refusal::OffBoard(coord))
    }
}

/// Whether a request is answered while the engine thinks.
fn is_concurrent(request: &Request) -> bool {
    matches!(
        request,
        Request::Line(
            Err(ParseError::Unknown(_))
                | Ok(Command::Info(_)
                    | Command::About
                    | Command::Stop
                    | Command::Unsupported(_)
                    | Command::YxShowInfo
                    | Command::YxShowForbid
                    | Command::YxShowHashUsage)
        )
    )
}

/// A wish for an even position, within what scores can be.
fn clamp_bias(bias: i64) -> i32 {
    i32::try_from(bias.clamp(-20_000, 20_000)).unwrap_or(0)
}

/// The lines that tell a decision.
fn answers(form: Form, decision: Decision) -> Vec<Reply> {
    match (form, decision) {
        (Form::Plain, Decision::Move(square)) => vec![Reply::Move(square)],
        (Form::Plain, Decision::Two(a, b)) => vec![Reply::Two(a, b)],
        (Form::Plain, Decision::Three(squares)) => vec![Reply::Three(squares)],
        (Form::Plain, Decision::Swap) => vec![Reply::Swap],
        (Form::YixinSwap2(_), Decision::Three(squares)) => yixin_moves(&squares, 1),
        (Form::YixinSwap2(_), Decision::Two(a, b)) => yixin_moves(&[a, b], 4),
        (Form::YixinSwap2(step), decision) => {
            let word = if decision == Decision::Swap { "YES" } else { "NO" };
            vec![Reply::Message(format!("SWAP2 SWAP{} {word}", step.saturating_sub(1).max(1)))]
        }
    }
}

/// Stones of a swap2 opening as Yixin-Board reads them, numbered from `first` on.
fn yixin_moves(squares: &[Square], first: u8) -> Vec<Reply> {
    let line = |(square, number): (&Square, u8)| {
        let (x, y) = (square.x(), square.y());
        Reply::Message(format!("SWAP2 MOVE{number} {x} {y}"))
    };
    squares.iter().zip(first..).map(line).collect()
}

impl From<&Report<'_>> for Progress {
    fn from(report: &Report<'_>) -> Progress {
        Progress {
            depth: report.depth,
            selective_depth: report.selective_depth,
            line_index: report.line_index,
            line_count: report.line_count,
            score: report.line.score,
            moves: report.line.moves.clone(),
            nodes: report.nodes,
            elapsed: report.elapsed,
        }
    }
}

#[cfg(any(test, feature = "fuzzing"))]
pub(super) mod dialogue;

#[cfg(test)]
mod tests;
