//! What a person can do.
//!
//! Owns the meaning of each action. Must not know which key it is. Start at [`Action`].

use manager::text;
use tengen::types::color::{ByColor, Color};
use tengen::types::square::Square;

use super::{App, center};
use crate::dialog::{Dialog, Form, Purpose, changed_level};
use crate::game::{Game, PlayError};
use crate::players::{Mode, Setup, level_name};
use crate::thought::Thought;

/// Something a person does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Move the cursor by columns and rows.
    Cursor(i64, i64),
    /// Place a stone where the cursor is.
    PlaceHere,
    /// Place a stone on a square.
    Place(Square),
    /// Undo one move, or up to the person's last one.
    Undo {
        /// The pair.
        pair: bool,
    },
    /// Redo likewise.
    Redo {
        /// The pair.
        pair: bool,
    },
    /// Look at an earlier or a later position.
    Browse(i64),
    /// Look at the empty board.
    First,
    /// Look at the game as it stands.
    Last,
    /// The form of a new game.
    NewGame,
    /// The person takes the other side.
    SwapSides,
    /// The engine's level, up or down.
    Level(i64),
    /// What would the engine play?
    Hint,
    /// Show or hide the engine's line.
    Line,
    /// The engine is to move now.
    MoveNow,
    /// Pause, go on, start a broken engine again.
    Continue,
    /// Analyze the game, or stop that.
    Analyze,
    /// Ask whether to resign.
    Resign,
    /// Ask for a file's name.
    Name(Purpose),
    /// The keys.
    Help,
    /// Leave.
    Quit,
}

impl App {
    /// Carries an action out.
    pub fn act(&mut self, action: Action) {
        match action {
            Action::Cursor(dx, dy) => self.move_cursor(dx, dy),
            Action::PlaceHere => self.place(self.cursor),
            Action::Place(square) => {
                self.cursor = square;
                self.place(square);
            }
            Action::Undo { pair } => self.undo(pair),
            Action::Redo { pair } => self.redo(pair),
            Action::Browse(step) => self.browse(step),
            Action::First => self.look_at(0),
            Action::Last => self.browsing = None,
            Action::NewGame => {
                let form = Form { setup: self.setup.clone(), row: 0 };
                self.dialog = Some(Dialog::NewGame(Box::new(form)));
            }
            Action::SwapSides => self.swap_sides(),
            Action::Level(step) => self.change_level(step),
            Action::Hint => self.ask_hint(),
            Action::Line => self.shows_line = !self.shows_line,
            Action::MoveNow => match self.thinker() {
                Some(color) => self.workers[color].hurry(),
                None => self.say("no engine is thinking"),
            },
            Action::Continue => self.go_on(),
            Action::Analyze => self.toggle_analysis(),
            Action::Resign if self.game.finish().is_some() => self.warn("the game is over"),
            Action::Resign => self.dialog = Some(Dialog::Resign),
            Action::Name(purpose) => {
                self.dialog = Some(Dialog::name(purpose, self.proposed_name(purpose)));
            }
            Action::Help => self.dialog = Some(Dialog::Help(0)),
            Action::Quit => self.wants_to_quit = true,
        }
    }

    fn move_cursor(&mut self, dx: i64, dy: i64) {
        let size = self.game.size();
        let x = (i64::from(self.cursor.x()) + dx).clamp(0, i64::from(size.width()) - 1);
        let y = (i64::from(self.cursor.y()) + dy).clamp(0, i64::from(size.height()) - 1);
        self.cursor = Square::on_board(size, x, y).unwrap_or(self.cursor);
    }

    fn place(&mut self, square: Square) {
        let color = self.game.side_to_move();
        let point = text::point(square);
        if self.is_browsing() {
            return self.warn("an earlier position is shown: End goes back, u takes moves back");
        }
        if self.game.finish().is_some() {
            return self.warn("the game is over: n begins another, u takes moves back");
        }
        if self.setup.mode.is_engine(color) {
            return self.warn(if self.is_paused || self.breakdown.is_some() {
                "it is the engine's turn: c lets it move, x swaps sides"
            } else {
                "it is the engine's turn"
            });
        }
        if self.game.forbidden().contains(&square) {
            return self.warn(&format!("{point} is forbidden to Black"));
        }
        let ms = self.turn_ms();
        match self.game.play(square, ms, Thought::default()) {
            Ok(()) => {
                self.is_paused = false;
                self.moved();
            }
            Err(PlayError::Occupied) => self.warn(&format!("{point} is taken")),
            Err(PlayError::Over) => self.warn("the game is over"),
        }
    }

    /// How many moves an undo or redo of the pair means, from the side to move now.
    fn pair(&self, pair: bool) -> usize {
        let plays = matches!(self.setup.mode, Mode::Black | Mode::White);
        let is_own_turn = !self.setup.mode.is_engine(self.game.side_to_move());
        if pair && plays && is_own_turn { 2 } else { 1 }
    }

    fn undo(&mut self, pair: bool) {
        // A finished game may have ended by either side's move; the person's last one comes back.
        let count = self.pair(pair);
        let stones = self.game.moves().len();
        self.stop_thinking();
        if !self.game.undo() {
            return self.warn("there is nothing to undo");
        }
        let was_resigned = self.game.moves().len() == stones;
        if count == 2 && !was_resigned {
            self.game.undo();
        }
        self.place.is_saved = false;
        self.say("");
        self.pause_before_engine();
    }

    fn redo(&mut self, pair: bool) {
        if !self.game.can_redo() {
            return self.warn("there is nothing to redo");
        }
        let count = self.pair(pair);
        self.stop_thinking();
        for _ in 0..count {
            self.game.redo();
        }
        self.place.is_saved = false;
        self.say(&self.game.end_words().unwrap_or_default());
        self.pause_before_engine();
    }

    fn browse(&mut self, step: i64) {
        let stones = i64::try_from(self.shown()).unwrap_or(0) + step;
        self.look_at(usize::try_from(stones).unwrap_or(0));
    }

    fn look_at(&mut self, stones: usize) {
        self.browsing = (stones < self.game.moves().len()).then_some(stones);
        self.say("");
    }

    fn swap_sides(&mut self) {
        let setup = &mut self.setup;
        match setup.mode {
            Mode::Black => setup.mode = Mode::White,
            Mode::White => setup.mode = Mode::Black,
            Mode::Engines => {
                let (levels, engines) = (setup.levels, setup.engines.clone());
                setup.levels = ByColor::from_fn(|color| levels[color.opponent()]);
                setup.engines = ByColor::from_fn(|color| engines[color.opponent()].clone());
            }
            Mode::People => return self.warn("two people swap seats, not sides"),
        }
        self.stop_thinking();
        self.is_paused = false;
        self.say(&format!("sides swapped: {}", self.setup.mode.name()));
    }

    fn change_level(&mut self, step: i64) {
        let to_move = self.game.side_to_move();
        let color = match self.setup.mode {
            Mode::People => return self.warn("no engine plays"),
            Mode::Black => Color::White,
            Mode::White => Color::Black,
            Mode::Engines => to_move,
        };
        let level = changed_level(self.setup.levels[color], step);
        if self.setup.mode == Mode::Engines {
            self.setup.levels[color] = level;
        } else {
            self.setup.levels = ByColor::new(level, level);
        }
        if self.workers[color].is_busy() {
            // It is asked again with the next tick.
            self.workers[color].cancel();
        }
        self.say(&format!("level {level}, {}", level_name(level)));
    }

    fn go_on(&mut self) {
        if self.game.finish().is_some() {
            return self.warn("the game is over: n begins another");
        }
        if self.breakdown.take().is_some() {
            self.is_paused = false;
            self.turn_began = std::time::Instant::now();
            return self.say("the engine is started again");
        }
        self.is_paused = !self.is_paused;
        self.turn_began = std::time::Instant::now();
        if self.is_paused {
            for color in Color::ALL {
                self.workers[color].cancel();
            }
            self.say("paused: c goes on");
        } else {
            self.browsing = None;
            self.say("");
        }
    }

    /// Begins another game; the present one is kept.
    pub(super) fn begin(&mut self, setup: Setup) {
        self.stop_thinking();
        let kept = self.keep();
        self.game = Game::new(setup.size, setup.rule);
        self.setup = Setup { seed: setup.seed.wrapping_add(1), ..setup };
        self.cursor = center(&self.game);
        self.is_paused = false;
        self.place.is_saved = true;
        self.place.file = None;
        self.say(&kept);
    }

    /// The person gives up.
    pub(super) fn resign(&mut self) {
        let to_move = self.game.side_to_move();
        let loser = match self.setup.mode {
            Mode::Black => Color::Black,
            Mode::White => Color::White,
            Mode::People | Mode::Engines => to_move,
        };
        self.stop_thinking();
        self.game.resign(loser);
        self.place.is_saved = false;
        self.say(&self.game.end_words().unwrap_or_default());
    }
}
