//! One partner of the protocol: send it a position, get a move or a [`Failure`].
//!
//! Owns the words of the protocol, the clocks and both manners of play. Must not know the rules:
//! whether a move is legal is the referee's business. Start reading at [`Brain::think`].

use std::fmt::Write as _;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tengen::types::square::Square;

use crate::process::{Line, NoLine, Process};
use crate::settings::{EngineSettings, GOMOCUP_MEMORY, GameSettings, Manner};
use crate::text;

mod judge;
mod note;

pub use note::Note;

/// The value of `time_left` that means no limit.
const UNLIMITED_MS: i64 = 2_147_483_647;
/// How long a late answer is waited for, to report by how much it was late.
const LATE: Duration = Duration::from_secs(1);
/// How long a move may still come after an ERROR or UNKNOWN line.
const AFTER_ERROR: Duration = Duration::from_millis(500);
/// How long a brain may take to leave after END: the judge's figure.
const LEAVE: Duration = Duration::from_millis(500);
/// How often a wait looks whether the run is to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Why a brain gave no move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Failure {
    /// Too slow.
    OutOfTime {
        /// What was allowed, without the tolerance.
        limit_ms: u64,
        /// What was taken beyond it, or waited beyond it when no answer came.
        over_ms: u64,
        /// Whether an answer came at all.
        answered: bool,
    },
    /// The process ended or closed its output.
    Crashed {
        /// Its exit status, or what went wrong.
        reason: String,
    },
    /// A line that is no move.
    Illegal {
        /// That line.
        line: String,
    },
    /// The judge only: more memory or disk than allowed.
    OverLimit {
        /// What was used too much, and how much of it.
        reason: String,
    },
    /// The run was asked to stop; says nothing about the brain.
    Stopped,
}

/// A brain's move.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Column as written, perhaps off the board.
    pub x: i64,
    /// Row as written.
    pub y: i64,
    /// From the request to the arrival of the move.
    pub used: Duration,
    /// What was used beyond the limit, within the tolerance.
    pub over: Duration,
    /// Bytes private to the process and its children after it; the judge measures them, none
    /// otherwise.
    pub memory: Option<u64>,
    /// What the last MESSAGE said about the search.
    pub note: Note,
}

/// What whoever looks on wants of a brain that thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// It should go on.
    Think,
    /// It should move now; one that does not know YXSTOP goes on to its limit.
    Move,
    /// Nobody wants the move any more; the brain is of no use afterwards.
    Stop,
}

/// Looks on while a brain thinks.
pub trait Watch {
    /// It wrote a line.
    fn line(&mut self, line: &Line);
    /// Asked again and again, some twenty times a second.
    fn wish(&mut self) -> Wish {
        Wish::Think
    }
}

/// Nobody looks on.
impl Watch for () {
    fn line(&mut self, _: &Line) {}
}

/// A running brain.
#[derive(Debug)]
pub struct Brain<'a> {
    settings: &'a EngineSettings,
    game: &'a GameSettings,
    stop: &'a AtomicBool,
    process: Process,
    /// Match time left, or none when unlimited.
    left_ms: Option<i64>,
    /// The stones as the brain knows them: told to it, or put by itself.
    told: Vec<Square>,
    /// The judge's folder for it.
    folder: Option<judge::Folder>,
}

impl<'a> Brain<'a> {
    /// Starts the process, on one processor alone if `cpu` says which.
    ///
    /// # Errors
    /// When the program cannot be started; a brain that starts and then fails is no error here.
    pub fn spawn(
        settings: &'a EngineSettings,
        game: &'a GameSettings,
        stop: &'a AtomicBool,
        cpu: Option<usize>,
    ) -> io::Result<Brain<'a>> {
        let process = Process::spawn(&settings.command, settings.folder.as_deref())?;
        if let Some(cpu) = cpu {
            process.pin(cpu)?;
        }
        let folder = match game.manner {
            Manner::Plain => None,
            Manner::Judge => Some(judge::Folder::create(process.id())?),
        };
        Ok(Brain { settings, game, stop, process, left_ms: None, told: Vec::new(), folder })
    }

    /// Sets up an empty board.
    ///
    /// # Errors
    /// [`Failure`] when the brain does not take it.
    pub fn new_game(&mut self) -> Result<(), Failure> {
        let limits = &self.settings.limits;
        self.left_ms = limits.match_ms.map(|ms| i64::try_from(ms).unwrap_or(i64::MAX));
        self.told.clear();
        let (width, height) = (self.game.size.width(), self.game.size.height());
        let start = if width == height {
            format!("START {width}")
        } else {
            format!("RECTSTART {width},{height}")
        };
        match self.game.manner {
            Manner::Plain => {
                self.send(&[&start])?;
                self.await_ok()?;
                let info = self.info_lines();
                self.send(&info.iter().map(String::as_str).collect::<Vec<_>>())
            }
            Manner::Judge => {
                let mut lines = vec![start];
                lines.extend(self.info_lines());
                self.send(&lines.iter().map(String::as_str).collect::<Vec<_>>())?;
                self.process.suspend();
                Ok(())
            }
        }
    }

    /// Asks for the move in the position after `moves`.
    ///
    /// # Errors
    /// [`Failure`] when no move comes, or comes too late.
    pub fn think(&mut self, moves: &[Square]) -> Result<Answer, Failure> {
        self.think_watched(moves, &mut ())
    }

    /// Asks for the move in the position after `moves`, whatever was asked before, while a
    /// [`Watch`] looks on.
    ///
    /// # Errors
    /// [`Failure`] when no move comes, or comes too late, or the watch wants no more.
    pub fn think_watched(
        &mut self,
        moves: &[Square],
        watch: &mut impl Watch,
    ) -> Result<Answer, Failure> {
        if moves.is_empty() && !self.told.is_empty() {
            // BEGIN is for an empty board, and only START makes one for every brain.
            let left_ms = self.left_ms;
            self.new_game()?;
            self.left_ms = left_ms;
        }
        if self.game.manner == Manner::Plain {
            self.refuse_unasked()?;
        }
        let request = self.request(moves);
        let lines: Vec<&str> = request.lines().collect();
        let limit = self.limit();
        let mut began = Instant::now();
        self.send(&lines)?;
        if self.game.manner == Manner::Judge {
            began = Instant::now();
            self.process.resume();
        }
        let result = self.await_move(began, limit, watch);
        if self.game.manner == Manner::Judge {
            self.process.suspend();
        }
        let mut answer = result?;
        self.told = moves.to_vec();
        self.told.extend(Square::on_board(self.game.size, answer.x, answer.y));
        if let Some(left) = &mut self.left_ms {
            *left -= i64::try_from(answer.used.as_millis()).unwrap_or(i64::MAX);
            if self.game.manner == Manner::Judge {
                *left += judge::POLL_MS.min(i64::try_from(answer.used.as_millis()).unwrap_or(0));
            }
        }
        if let Some(folder) = &self.folder {
            let allowed = self.settings.limits.memory.unwrap_or(GOMOCUP_MEMORY);
            answer.memory = Some(judge::over_limit(&self.process, folder, allowed)?);
        }
        Ok(answer)
    }

    /// Ends the process: END, half a second, then a kill.
    pub fn finish(mut self) {
        self.process.resume();
        if self.send(&["END"]).is_ok() {
            self.process.close_input();
            let _ = self.process.exit_status(Instant::now() + LEAVE);
        }
    }

    /// Kills the process.
    pub fn kill(mut self) {
        self.process.kill();
    }

    /// The latest lines sent and received.
    pub fn last_lines(&self) -> Vec<String> {
        self.process.last_lines()
    }

    fn send(&mut self, lines: &[&str]) -> Result<(), Failure> {
        let end = match self.game.manner {
            Manner::Plain => "\n",
            Manner::Judge => "\r\n",
        };
        let mut bytes = String::new();
        for line in lines {
            bytes.push_str(line);
            bytes.push_str(end);
        }
        match self.process.send(bytes.as_bytes()) {
            Ok(()) => Ok(()),
            Err(_) => Err(self.crashed()),
        }
    }

    fn info_lines(&self) -> Vec<String> {
        let limits = &self.settings.limits;
        let mut lines = Vec::new();
        let mut add = |key: &str, value: &dyn std::fmt::Display| {
            lines.push(format!("INFO {key} {value}"));
        };
        if let Some(ms) = limits.turn_ms {
            add("timeout_turn", &ms);
        }
        add("timeout_match", &limits.match_ms.unwrap_or(0));
        add("max_memory", &limits.memory.unwrap_or(GOMOCUP_MEMORY));
        match self.game.manner {
            Manner::Plain => add("game_type", &1),
            Manner::Judge => add("game_type", &3),
        }
        add("rule", &text::rule_number(self.game.rule));
        if let Some(folder) = &self.folder {
            add("folder", &folder.path().display());
        }
        if let Some(nodes) = limits.nodes {
            add("max_node", &nodes);
        }
        if let Some(depth) = limits.depth {
            add("max_depth", &depth);
        }
        if let Some(threads) = limits.threads {
            add("thread_num", &threads);
        }
        for (key, value) in &self.settings.info {
            add(key, value);
        }
        lines
    }

    /// What to write to get a move: the time left, then BEGIN, TURN or BOARD.
    fn request(&self, moves: &[Square]) -> String {
        let mut request = format!("INFO time_left {}\n", self.left_ms.unwrap_or(UNLIMITED_MS));
        let judge = self.game.manner == Manner::Judge;
        match moves {
            [] if !judge => request.push_str("BEGIN\n"),
            [known @ .., last] if self.told == known && (!known.is_empty() || !judge) => {
                // Writing to a string cannot fail.
                let _ = writeln!(request, "TURN {last}");
            }
            _ => {
                request.push_str("BOARD\n");
                for (index, square) in moves.iter().enumerate() {
                    let field = if (moves.len() - index).is_multiple_of(2) { 1 } else { 2 };
                    let _ = writeln!(request, "{square},{field}");
                }
                request.push_str("DONE\n");
            }
        }
        request
    }

    /// What the next move may take, without the tolerance.
    fn limit(&self) -> Duration {
        let turn = self.settings.limits.turn_ms.map(Duration::from_millis);
        let left = self.left_ms.map(|ms| Duration::from_millis(u64::try_from(ms).unwrap_or(0)));
        let limit = [turn, left].into_iter().flatten().min();
        limit.unwrap_or(Duration::from_hours(24))
    }

    fn await_ok(&mut self) -> Result<(), Failure> {
        let began = Instant::now();
        let deadline = began + self.game.startup;
        loop {
            let Some(line) = self.wait(deadline)? else {
                return Err(out_of_time(self.game.startup, began.elapsed(), false));
            };
            let word = line.text.trim().to_ascii_uppercase();
            if word == "OK" {
                return Ok(());
            }
            if line.at > deadline {
                return Err(out_of_time(self.game.startup, began.elapsed(), false));
            }
            if word.starts_with("ERROR") || word.starts_with("UNKNOWN") {
                return Err(Failure::Illegal { line: line.text });
            }
        }
    }

    fn await_move(
        &mut self,
        began: Instant,
        limit: Duration,
        watch: &mut impl Watch,
    ) -> Result<Answer, Failure> {
        let allowed = limit + self.game.tolerance;
        let mut deadline = began + allowed + LATE;
        let mut note = Note::default();
        let mut complaint = None;
        let mut is_hurried = false;
        loop {
            match watch.wish() {
                Wish::Think => {}
                Wish::Move if is_hurried => {}
                Wish::Move => {
                    is_hurried = true;
                    self.send(&["YXSTOP"])?;
                }
                Wish::Stop => return Err(Failure::Stopped),
            }
            let Some(line) = self.wait(deadline.min(Instant::now() + LOOK))? else {
                if Instant::now() < deadline {
                    continue;
                }
                break;
            };
            // One that never stops writing is as late as one that writes nothing.
            if line.at > deadline {
                break;
            }
            watch.line(&line);
            note.read(&line.text);
            let used = line.at.saturating_duration_since(began);
            if let Some((x, y)) = text::parse_pair(&line.text) {
                if used > allowed {
                    return Err(out_of_time(limit, used, true));
                }
                let over = used.saturating_sub(limit);
                return Ok(Answer { x, y, used, over, memory: None, note });
            }
            let word = line.text.trim_start().to_ascii_uppercase();
            let quiet = word.is_empty()
                || ["MESSAGE", "DEBUG", "INFO", "OK"].iter().any(|w| word.starts_with(w))
                // Not every brain knows how to be hurried.
                || is_hurried && word.starts_with("UNKNOWN");
            if self.game.manner == Manner::Plain && !quiet {
                complaint = Some(line.text);
                deadline = deadline.min(line.at + AFTER_ERROR);
            }
        }
        match complaint {
            Some(line) => Err(Failure::Illegal { line }),
            None => Err(out_of_time(limit, began.elapsed(), false)),
        }
    }

    /// A move nobody asked for puts all later answers out of step.
    fn refuse_unasked(&mut self) -> Result<(), Failure> {
        while let Ok(line) = self.process.next_line(Instant::now()) {
            if text::parse_pair(&line.text).is_some() {
                return Err(Failure::Illegal { line: format!("{} (not asked for)", line.text) });
            }
        }
        Ok(())
    }

    /// The next line, or none when the deadline passes.
    fn wait(&mut self, deadline: Instant) -> Result<Option<Line>, Failure> {
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Failure::Stopped);
            }
            match self.process.next_line(deadline.min(Instant::now() + LOOK)) {
                Ok(line) => return Ok(Some(line)),
                Err(NoLine::Closed) => return Err(self.crashed()),
                Err(NoLine::TimedOut) if Instant::now() >= deadline => return Ok(None),
                Err(NoLine::TimedOut) => {}
            }
        }
    }

    fn crashed(&mut self) -> Failure {
        let status = self.process.exit_status(Instant::now() + LEAVE);
        let reason = match status {
            Some(status) => status.to_string(),
            None => "closed its input or output".to_string(),
        };
        Failure::Crashed { reason }
    }
}

fn out_of_time(limit: Duration, used: Duration, answered: bool) -> Failure {
    Failure::OutOfTime {
        limit_ms: millis(limit),
        over_ms: millis(used.saturating_sub(limit)),
        answered,
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
