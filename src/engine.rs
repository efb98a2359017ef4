//! The engine as a whole: a game, settings, a table, and one question at a time.
//!
//! Owns everything that outlives a search. Must not know line formats, words of a protocol or
//! threads: it takes squares and durations, hands out a [`Job`] for whoever runs it, and turns
//! the [`Outcome`] into a [`Decision`]. Start reading at [`Engine::ask`].

pub mod decision;
pub mod game;
pub mod level;
pub mod machine;
pub mod opening;
pub mod options;
pub mod reason;

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::base::clock;
use crate::base::control::{Control, Deadline};
#[cfg(any(test, feature = "faults"))]
use crate::base::fault::Place;
use crate::base::limits::Limits;
use crate::base::score::Score;
use crate::base::tt::Table;
use crate::engine::decision::{Decision, Job, Outcome, Question, first_legal};
use crate::engine::game::{Game, Owner, PlayError, SetupError};
use crate::engine::level::{Handicap, Level};
use crate::engine::machine::Demand;
use crate::engine::options::Options;
use crate::engine::reason::Reason;
use crate::eval::{self, Evaluation};
use crate::position::Position;
use crate::search::Task;
use crate::types::color::Color;
use crate::types::rule::Rule;
use crate::types::size::BoardSize;
use crate::types::square::Square;

/// The engine.
#[derive(Debug, Default)]
pub struct Engine {
    /// Settings in force; a change counts from the next question on, but see
    /// [`Engine::apply_time`].
    pub options: Options,
    /// The size of the board, if there is a game.
    size: Option<BoardSize>,
    /// The game once something needs it: a manager names the rule after the start, and the tables
    /// of a rule that nobody plays by would take memory and time for nothing.
    game: Option<Game>,
    /// Squares not to be played at the root.
    excluded: Vec<Square>,
    /// Lines of play whose last move must not be played at the root.
    excluded_paths: Vec<Vec<Square>>,
    memory: Option<Memory>,
    /// What the table's entries belong to.
    table_kind: Option<(Rule, Evaluation)>,
    has_been_asked: bool,
    pending: Option<Pending>,
    /// The position of the last question that was answered.
    answered: Option<Position>,
    /// What is to break on purpose at the next question.
    #[cfg(any(test, feature = "faults"))]
    faults: Vec<(Place, u64)>,
}

/// The table, and the settings by which it was made.
#[derive(Debug)]
struct Memory {
    table: Arc<Table>,
    threads: usize,
    fits: bool,
    settings: (Option<i64>, Option<i64>, usize, Rule),
    /// Bytes of table that were wanted.
    hash: u64,
}

/// A question that is being thought about.
#[derive(Debug)]
struct Pending {
    question: Question,
    position: Position,
    control: Arc<Control>,
    start: Instant,
    spent: Duration,
    moves_left: u32,
}

impl Engine {
    /// An engine without a game.
    pub fn new() -> Engine {
        Engine::default()
    }

    /// Begins a new game on an empty board.
    pub fn start(&mut self, size: BoardSize) {
        self.size = Some(size);
        self.game = None;
        self.table_kind = None;
    }

    /// Builds what a game by the rule in force needs, if there is a game.
    ///
    /// It is built at the first move at the latest, but then on the clock of that move.
    pub fn prepare(&mut self) {
        // No game is no error here: there is nothing to prepare.
        let _ = self.current();
    }

    /// Whether there is a game for which nothing is built.
    pub fn is_unprepared(&self) -> bool {
        self.size.is_some() && self.game.is_none()
    }

    /// Ends the game; there is none until the next start.
    pub fn close(&mut self) {
        self.size = None;
        self.game = None;
    }

    /// Begins a new game on a board of the same size.
    ///
    /// # Errors
    /// [`PlayError::NoGame`].
    pub fn restart(&mut self) -> Result<(), PlayError> {
        self.current()?.clear();
        self.table_kind = None;
        Ok(())
    }

    /// The size of the board, if there is a game.
    pub fn size(&self) -> Option<BoardSize> {
        self.size
    }

    /// Places the opponent's stone.
    ///
    /// # Errors
    /// [`PlayError`]; nothing has changed then. To fill the last square is an error, since no
    /// answer exists.
    pub fn play_opponent(&mut self, square: Square) -> Result<(), PlayError> {
        let game = self.current()?;
        game.play_opponent(square)?;
        if game.position().is_full() {
            game.take_back(square)?;
            return Err(PlayError::Full);
        }
        Ok(())
    }

    /// Places the engine's stone where it is told to.
    ///
    /// # Errors
    /// [`PlayError`]; nothing has changed then.
    pub fn play_own(&mut self, square: Square) -> Result<(), PlayError> {
        self.current()?.play_own(square)
    }

    /// Takes a stone off.
    ///
    /// # Errors
    /// [`PlayError`]; nothing has changed then.
    pub fn take_back(&mut self, square: Square) -> Result<(), PlayError> {
        self.current()?.take_back(square)
    }

    /// Replaces the position, see [`Game::set_up`].
    ///
    /// # Errors
    /// [`SetupError`]; nothing has changed then.
    pub fn set_up(&mut self, stones: &[(Square, Owner)]) -> Result<(), SetupError> {
        self.current().map_err(|_| SetupError::NoGame)?.set_up(stones)
    }

    /// Squares where the side to move would commit a foul; none without a game.
    pub fn forbidden(&mut self) -> Vec<Square> {
        self.current().map_or_else(|_| Vec::new(), |game| game.forbidden())
    }

    /// The squares filled so far, in order.
    ///
    /// # Errors
    /// [`PlayError::NoGame`].
    pub fn squares(&self) -> Result<Vec<Square>, PlayError> {
        self.size.ok_or(PlayError::NoGame)?;
        Ok(self.game.as_ref().map_or_else(Vec::new, Game::squares))
    }

    /// Squares that must not be played at the root, unless nothing else is left.
    pub fn excluded_mut(&mut self) -> &mut Vec<Square> {
        &mut self.excluded
    }

    /// Lines of play, from the first stone on; where all stones but the last of one stand on the
    /// board and no others, that last one counts as excluded. Inside the tree they mean nothing.
    pub fn excluded_paths_mut(&mut self) -> &mut Vec<Vec<Square>> {
        &mut self.excluded_paths
    }

    /// The squares that must not be played at the root of a position.
    fn excluded_from(&self, position: &Position) -> Vec<Square> {
        let ends = self.excluded_paths.iter().filter_map(|path| {
            let (&last, before) = path.split_last()?;
            let mut turns = before.iter().zip([Color::Black, Color::White].into_iter().cycle());
            let is_here = position.stone_count() == before.len()
                && turns.all(|(&square, color)| position.color_at(square) == Some(color));
            is_here.then_some(last)
        });
        self.excluded.iter().copied().chain(ends).collect()
    }

    /// Forgets what searches have left in the table.
    pub fn clear_table(&mut self) {
        if let Some(table) = self.memory.as_mut().and_then(|memory| Arc::get_mut(&mut memory.table))
        {
            table.clear();
        }
    }

    /// Thousandths of the table in use.
    pub fn table_use(&self) -> u32 {
        self.memory.as_ref().map_or(0, |memory| memory.table.per_mille_used())
    }

    /// Sets a tunable of the search; says whether there is one and the value is in its range.
    #[cfg(feature = "tune")]
    pub fn tune(&mut self, name: &str, value: i32) -> bool {
        crate::search::params::set(name, value)
    }

    /// Has something break at the next question, see [`crate::base::fault`].
    #[cfg(any(test, feature = "faults"))]
    pub fn arm(&mut self, place: Place, visit: u64) {
        self.faults.push((place, visit));
    }

    /// Whether searches have to use more memory than they may.
    pub fn is_short_of_memory(&self) -> bool {
        self.memory.as_ref().is_some_and(|memory| !memory.fits)
    }

    /// Takes a question that arrived at `arrival`, from which its time counts.
    ///
    /// The job is to be run elsewhere, its outcome brought to [`Engine::answer`]. Until then
    /// only questions of state, [`Engine::stop`] and [`Engine::apply_time`] make sense.
    ///
    /// # Errors
    /// [`PlayError::NoGame`], [`PlayError::Full`], or [`PlayError::Occupied`] for an opening
    /// with a stone named twice.
    pub fn ask(&mut self, question: Question, arrival: Instant) -> Result<Job, PlayError> {
        let game = self.current()?;
        let position = match &question {
            Question::Opening(stones) => opening_position(game, stones)?,
            _ => game.position().clone(),
        };
        let least = if matches!(question, Question::BalanceTwo(_)) { 2 } else { 1 };
        if position.empty_squares().len() < least {
            return Err(PlayError::Full);
        }
        if matches!(question, Question::Move { .. }) {
            game.take_turn();
        }
        let moves_left = game.moves_left();
        // What starting up has cost is on the clock of the first move only.
        let is_first = !std::mem::replace(&mut self.has_been_asked, true);
        let spent = if is_first { machine::processor_time() } else { Duration::ZERO };
        // An analysis is always as good as can be.
        let level = match question {
            Question::Move { lines: 1 } => self.options.level,
            _ => Level::FULL,
        };
        let handicap = Handicap::new(level, self.options.seed);
        if handicap.is_some() {
            // What stands in the table from before would change what a level sees.
            self.table_kind = None;
        }
        let (table, threads) = self.table();
        let threads = if handicap.is_some() { 1 } else { threads };
        let mut limits = Limits { spent, moves_left: Some(moves_left), ..self.options.limits() };
        limits.nodes = limits.nodes.into_iter().chain(level.nodes()).min();
        let deadline = deadline_for(&question, &limits, arrival);
        let control = Arc::new(Control::new(deadline, limits.nodes));
        #[cfg(any(test, feature = "faults"))]
        for (place, visit) in self.faults.drain(..) {
            control.faults.arm(place, visit);
        }
        let lines = match question {
            Question::Move { lines } => lines.clamp(1, position.size().area()),
            _ => 1,
        };
        let excluded = match question {
            Question::Opening(_) => Vec::new(),
            _ => self.excluded_from(&position),
        };
        let task = Task { position: position.clone(), limits, lines, excluded, threads };
        let start = arrival;
        let asked = question.clone();
        let job = Job { question: asked, task, handicap, table, control: Arc::clone(&control) };
        self.pending = Some(Pending { question, position, control, start, spent, moves_left });
        Ok(job)
    }

    /// Takes what the job has found and decides; records the engine's own move.
    ///
    /// None if there was no question, or nothing can be decided at all.
    pub fn answer(&mut self, outcome: &Outcome) -> Option<Decision> {
        let pending = self.pending.take()?;
        let position = &pending.position;
        let is_sound = |decision: &Decision| match *decision {
            Decision::Move(square) => position.is_empty(square),
            Decision::Two(a, b) => a != b && position.is_empty(a) && position.is_empty(b),
            Decision::Three(_) | Decision::Swap => true,
        };
        let decision = outcome.decision.filter(is_sound).or_else(|| match &pending.question {
            Question::Opening(stones) if stones.is_empty() => {
                opening::first_placing(position.size())
            }
            _ => first_legal(position, &self.excluded_from(position)).map(Decision::Move),
        })?;
        if let (Question::Move { .. }, Decision::Move(square)) = (&pending.question, decision)
            && let Some(game) = &mut self.game
            && let Err(error) = game.play_own(square)
        {
            log::error!("own move {square} was not recorded: {error}");
        }
        self.answered = Some(pending.position);
        Some(decision)
    }

    /// Why the engine decided as it did in its last answer.
    pub fn explain(&self, decision: Decision, outcome: &Outcome) -> Option<Reason> {
        self.answered.as_ref().map(|position| Reason::new(position, decision, outcome))
    }

    /// Ends the thinking as soon as possible.
    pub fn stop(&self) {
        if let Some(pending) = &self.pending {
            pending.control.stop();
        }
    }

    /// Puts changed time settings in force for the question being thought about.
    pub fn apply_time(&self) {
        if let Some(Pending { question, control, start, spent, moves_left, .. }) = &self.pending {
            let limits =
                Limits { spent: *spent, moves_left: Some(*moves_left), ..self.options.limits() };
            let deadline = deadline_for(question, &limits, *start);
            control.set_deadline(&deadline);
        }
    }

    /// The chance of a win, 0 to 1 with a draw as half, that a score means in the present game.
    pub fn winning_chance(&self, score: Score) -> f64 {
        let rule = self.game.as_ref().map_or(self.options.rule, |game| game.position().rule());
        if score.is_decided() {
            return f64::from(u8::from(score.is_win()));
        }
        let scale = eval::chance_scale(self.options.evaluation, rule);
        1.0 / (1.0 + (-f64::from(score.value()) / f64::from(scale)).exp())
    }

    /// Time from the arrival of the question being thought about.
    pub fn elapsed(&self) -> Duration {
        self.pending.as_ref().map_or(Duration::ZERO, |pending| pending.start.elapsed())
    }

    /// Time until the answer must be on its way, none if there is no limit.
    pub fn remaining(&self) -> Option<Duration> {
        self.pending.as_ref().and_then(|pending| pending.control.remaining())
    }

    /// The game, by the rule in force.
    fn current(&mut self) -> Result<&mut Game, PlayError> {
        let size = self.size.ok_or(PlayError::NoGame)?;
        let Options { rule, is_continuous, evaluation, .. } = self.options;
        let game =
            self.game.get_or_insert_with(|| Game::new(size, rule, is_continuous, evaluation));
        game.set_rule(rule, is_continuous);
        game.set_evaluation(evaluation);
        Ok(game)
    }

    /// The table and the number of threads, made anew only when a setting has changed.
    ///
    /// The rule is one: what another one needs stays in memory for good, some 3 MiB each.
    fn table(&mut self) -> (Arc<Table>, usize) {
        let options = &self.options;
        let settings = (options.memory_bytes, options.hash_kib, options.threads(), options.rule);
        // A table is never made smaller for a shorter game, only larger for a longer one.
        let hash = options.hash_bytes().or(options.useful_table()).unwrap_or(u64::MAX);
        if self.memory.as_ref().is_none_or(|memory| {
            memory.settings != settings || options.hash_bytes().is_none() && hash > memory.hash
        }) {
            // The old table goes first, so that the two never stand side by side.
            self.memory = None;
            self.table_kind = None;
        }
        let options = &self.options;
        let memory = self.memory.get_or_insert_with(|| {
            let limit = match (options.memory_limit(), options.hash_bytes()) {
                // Who names only a table may have one larger than the default limit.
                (None, Some(hash)) => options.memory().saturating_add(hash.saturating_mul(2)),
                _ => options.memory(),
            };
            let plan = machine::plan(&Demand {
                limit,
                resident: machine::resident_bytes(),
                available: machine::available_bytes(),
                is_confined: machine::is_confined(),
                hash: Some(hash),
                threads: options.threads(),
            });
            log::info!("memory: {plan:?}");
            let table = Arc::new(Table::new(plan.table_bytes));
            Memory { table, threads: plan.threads, fits: plan.fits, settings, hash }
        });
        let kind = (options.rule, options.evaluation);
        let is_new_game = self.table_kind.replace(kind) != Some(kind);
        if let Some(table) = Arc::get_mut(&mut memory.table) {
            if is_new_game {
                table.new_game();
            } else {
                table.new_search();
            }
        }
        (Arc::clone(&memory.table), memory.threads)
    }
}

/// Deadlines by kind of question: before the game half the time is enough.
fn deadline_for(question: &Question, limits: &Limits, start: Instant) -> Deadline {
    let deadline = clock::deadline(limits, start);
    match question {
        Question::Opening(_) => Deadline { soft: deadline.soft.map(|soft| soft / 2), ..deadline },
        _ => deadline,
    }
}

/// The position a swap2 opening has reached; it is not the game's.
fn opening_position(game: &Game, stones: &[Square]) -> Result<Position, PlayError> {
    let mut position =
        Position::with(game.size(), game.position().rule(), game.position().evaluation());
    for &square in stones {
        if !position.is_empty(square) {
            return Err(PlayError::Occupied(square));
        }
        position.play(square);
    }
    debug_assert!(stones.is_empty() || position.side_to_move() == Color::White);
    Ok(position)
}

#[cfg(test)]
mod tests;
