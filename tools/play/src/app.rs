//! The state of the program: the game, who thinks, what is shown.
//!
//! Owns what happens when a person acts or an engine answers. Must not know how anything is drawn,
//! nor the terminal: keys come in as events, the screen reads what is here. Start reading at
//! [`App::tick`]; `app/actions.rs` has what a person can do, `app/advice.rs` hints and analysis,
//! `app/files.rs` files.

use std::path::PathBuf;
use std::time::Instant;

use manager::text;
use tengen::types::color::{ByColor, Color};
use tengen::types::square::Square;

use crate::analysis::Analysis;
use crate::dialog::Dialog;
use crate::game::{Game, PlayError};
use crate::players::{Mode, Setup};
use crate::thought::Thought;
use crate::worker::{Reply, Request, Worker};

mod actions;
mod advice;
mod files;
mod input;
pub use advice::Advice;
pub use files::{kept_file, load, write};

/// A line for the person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// What there is to say.
    pub text: String,
    /// Whether something is wrong.
    pub is_error: bool,
}

/// An engine that gave no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakdown {
    /// Whose engine.
    pub color: Color,
    /// What went wrong.
    pub reason: String,
    /// The last lines of the talk.
    pub last_lines: Vec<String>,
}

/// What an engine thinks, for the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Talk {
    /// Whose thought it is, in words.
    pub title: String,
    /// The thought.
    pub thought: Thought,
    /// Whose score it is.
    pub color: Color,
    /// Where the rest of the line begins: moves of it that stand on the board already are not
    /// among these.
    pub line: Vec<Square>,
}

/// The state of the program.
#[derive(Debug)]
pub struct App {
    setup: Setup,
    game: Game,
    /// One worker for each side's engine.
    workers: ByColor<Worker>,
    advice: Advice,
    cursor: Square,
    /// How many stones are looked at, where it is not all.
    browsing: Option<usize>,
    is_paused: bool,
    breakdown: Option<Breakdown>,
    turn_began: Instant,
    message: Message,
    dialog: Option<Dialog>,
    shows_line: bool,
    place: files::Place,
    wants_to_quit: bool,
}

impl App {
    /// A new game, or a given one.
    pub fn new(setup: Setup, game: Option<Game>, kept_file: Option<PathBuf>) -> App {
        let is_given = game.is_some();
        let game = game.unwrap_or_else(|| Game::new(setup.size, setup.rule));
        let mut app = App {
            cursor: center(&game),
            setup,
            game,
            workers: ByColor::from_fn(|_| Worker::new()),
            advice: Advice::default(),
            browsing: None,
            is_paused: false,
            breakdown: None,
            turn_began: Instant::now(),
            message: Message::default(),
            dialog: None,
            shows_line: true,
            place: files::Place { is_saved: true, file: None, kept: kept_file },
            wants_to_quit: false,
        };
        (app.setup.rule, app.setup.size) = (app.game.rule(), app.game.size());
        if is_given {
            app.pause_before_engine();
        } else {
            app.say("? shows the keys");
        }
        app
    }

    /// The settings.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The cursor.
    pub fn cursor(&self) -> Square {
        self.cursor
    }

    /// How many stones are looked at.
    pub fn shown(&self) -> usize {
        let all = self.game.moves().len();
        self.browsing.map_or(all, |stones| stones.min(all))
    }

    /// Whether an earlier position is looked at.
    pub fn is_browsing(&self) -> bool {
        self.browsing.is_some()
    }

    /// Whether the engine waits for a word to go on.
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// The engine that gave no move, if the game waits for one.
    pub fn breakdown(&self) -> Option<&Breakdown> {
        self.breakdown.as_ref()
    }

    /// The line for the person.
    pub fn message(&self) -> &Message {
        &self.message
    }

    /// The question put to the person.
    pub fn dialog(&self) -> Option<&Dialog> {
        self.dialog.as_ref()
    }

    /// Whether the program is to end.
    pub fn wants_to_quit(&self) -> bool {
        self.wants_to_quit
    }

    /// Whether the engine's line is shown on the board.
    pub fn shows_line(&self) -> bool {
        self.shows_line
    }

    /// The analysis of the game as it is.
    pub fn analysis(&self) -> Option<&Analysis> {
        self.advice.analysis().filter(|analysis| analysis.is_of(&self.game))
    }

    /// Whose engine is thinking about its move.
    pub fn thinker(&self) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.workers[color].is_busy())
    }

    /// Whether anything goes on that changes the screen by itself.
    pub fn is_lively(&self) -> bool {
        self.thinker().is_some() || self.advice.is_busy() || self.clock_runs()
    }

    /// The chance of Black after each number of stones, by the analysis or by what was thought.
    pub fn chances(&self) -> Vec<Option<f64>> {
        match self.analysis() {
            Some(analysis) if analysis.done() > 1 => analysis.chances(),
            _ => self.game.chances(),
        }
    }

    /// Milliseconds a side has used, those of the present turn among them.
    pub fn clock_ms(&self, color: Color) -> u64 {
        let used = self.game.used_ms(color);
        let runs = self.clock_runs() && self.game.side_to_move() == color;
        if runs { used.saturating_add(self.turn_ms()) } else { used }
    }

    fn clock_runs(&self) -> bool {
        self.game.finish().is_none() && !self.is_paused && self.breakdown.is_none()
    }

    fn turn_ms(&self) -> u64 {
        u64::try_from(self.turn_began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Takes what engines have answered and asks the one whose turn it is; says whether anything
    /// has changed.
    pub fn tick(&mut self) -> bool {
        let mut has_changed = false;
        for color in Color::ALL {
            if let Some(reply) = self.workers[color].poll() {
                self.take_reply(color, reply);
                has_changed = true;
            }
        }
        has_changed |= self.tick_advice();
        let color = self.game.side_to_move();
        let is_due = self.setup.mode.is_engine(color) && self.clock_runs();
        if is_due && !self.workers[color].is_busy() {
            self.workers[color].ask(Request {
                engine: self.setup.engine(color),
                game: self.setup.game(),
                moves: self.game.squares(),
            });
            has_changed = true;
        }
        has_changed
    }

    fn take_reply(&mut self, color: Color, reply: Reply) {
        match reply {
            Reply::Failed { reason, last_lines } => self.break_down(color, reason, last_lines),
            Reply::Move { x, y, used, thought } => {
                if color != self.game.side_to_move() || self.game.finish().is_some() {
                    return;
                }
                let name = &self.setup.engines[color].name;
                let Some(square) = Square::on_board(self.game.size(), x, y) else {
                    let reason = format!("{name} played {x},{y}, which is off the board");
                    return self.break_down(color, reason, Vec::new());
                };
                let ms = u64::try_from(used.as_millis()).unwrap_or(u64::MAX);
                match self.game.play(square, ms, thought) {
                    Ok(()) => self.moved(),
                    Err(PlayError::Occupied) => {
                        let point = text::point(square);
                        let reason = format!("{name} played {point}, where a stone stands");
                        self.break_down(color, reason, Vec::new());
                    }
                    Err(PlayError::Over) => {}
                }
            }
        }
    }

    fn break_down(&mut self, color: Color, reason: String, last_lines: Vec<String>) {
        self.warn(&reason);
        // Whatever it still believes, a fresh process is told the whole position.
        self.workers[color] = Worker::new();
        self.breakdown = Some(Breakdown { color, reason, last_lines });
    }

    /// A stone was placed.
    fn moved(&mut self) {
        self.place.is_saved = false;
        self.message = Message::default();
        self.turn_began = Instant::now();
        self.advice.forget_hint();
        if let Some(words) = self.game.end_words() {
            self.say(&words);
        }
    }

    /// The game is another, or stands elsewhere: nobody's answer is wanted any more.
    fn stop_thinking(&mut self) {
        for color in Color::ALL {
            self.workers[color].cancel();
        }
        self.advice.stop();
        self.breakdown = None;
        self.browsing = None;
        self.turn_began = Instant::now();
    }

    /// Waits for a word where it is an engine's turn.
    fn pause_before_engine(&mut self) {
        let color = self.game.side_to_move();
        self.is_paused = self.game.finish().is_none() && self.setup.mode.is_engine(color);
        if self.is_paused {
            self.say("paused before the engine's move: c goes on");
        }
    }

    fn say(&mut self, text: &str) {
        self.message = Message { text: text.to_string(), is_error: false };
    }

    fn warn(&mut self, text: &str) {
        self.message = Message { text: text.to_string(), is_error: true };
    }

    /// What is thought of the position that is looked at.
    pub fn talk(&self) -> Option<Talk> {
        let stones = self.shown();
        let to_move = if stones.is_multiple_of(2) { Color::Black } else { Color::White };
        if !self.is_browsing() {
            if let Some(color) = self.thinker() {
                let thought = self.workers[color].thought()?;
                let line = thought.line.clone();
                let title = format!("{} thinks", self.setup.engines[color].name);
                return Some(Talk { title, thought, color, line });
            }
            if let Some((title, thought)) = self.advice.hint(stones) {
                let line = thought.line.clone();
                return Some(Talk { title, thought, color: to_move, line });
            }
        }
        if let Some(verdict) = self.analysis().and_then(|analysis| analysis.verdict(stones)) {
            let (thought, title) = (verdict.thought.clone(), "analysis".to_string());
            let line = thought.line.clone();
            return Some(Talk { title, thought, color: to_move, line });
        }
        let last = self.game.moves().get(stones.checked_sub(1)?)?;
        if last.thought == Thought::default() {
            return None;
        }
        let color = to_move.opponent();
        let title = format!("{} played {}", self.setup.name(color), text::point(last.square));
        let line = match last.thought.line[..] {
            [first, ref rest @ ..] if first == last.square => rest.to_vec(),
            _ => Vec::new(),
        };
        Some(Talk { title, thought: last.thought.clone(), color, line })
    }

    /// The names of both sides, Black's first: those of a file that was opened, else the players'.
    pub fn names(&self) -> [String; 2] {
        let told = self.game.names().clone();
        if told.iter().any(|name| !name.is_empty()) && self.setup.mode == Mode::People {
            return told;
        }
        self.setup.names()
    }
}

/// The middle of the board.
fn center(game: &Game) -> Square {
    Square::new(game.size().width() / 2, game.size().height() / 2)
}
