//! The state of the board on the screen, and what keys and mouse do to it.
//!
//! Owns no terminal and no thread: events go in, and what it wants thought about comes out.

use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Rect;
use tengen::base::score::Score;

use crate::game::Game;
use crate::play::{Seat, Setup};
use crate::position::{Position, Side};
use crate::text::parse_column;

/// What is to be thought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    /// A move of the program.
    Move(Side),
    /// The score of a column.
    Score(usize),
}

/// The state.
#[derive(Debug)]
pub(super) struct App {
    setup: Setup,
    game: Game,
    cursor: usize,
    note: String,
    shows_scores: bool,
    /// Scores of the columns of the position for which they were found.
    scores: (Position, Vec<Option<Score>>),
    /// Where each column was drawn last.
    columns: Vec<Rect>,
    is_over: bool,
}

impl App {
    pub(super) fn new(setup: Setup) -> App {
        let game = setup.game();
        let columns = setup.size.columns();
        App {
            scores: (*game.position(), vec![None; columns]),
            game,
            cursor: (columns - 1) / 2,
            note: String::new(),
            shows_scores: false,
            columns: Vec::new(),
            is_over: false,
            setup,
        }
    }

    pub(super) const fn setup(&self) -> &Setup {
        &self.setup
    }

    pub(super) const fn game(&self) -> &Game {
        &self.game
    }

    pub(super) const fn cursor(&self) -> usize {
        self.cursor
    }

    pub(super) fn note(&self) -> &str {
        &self.note
    }

    /// The scores of the columns as far as they are known, if they are to be shown.
    pub(super) fn scores(&self) -> Option<&[Option<Score>]> {
        let is_current = self.scores.0 == *self.game.position();
        (self.shows_scores && is_current).then_some(&self.scores.1[..])
    }

    /// Whether the user has left.
    pub(super) const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether it is for the program to move.
    pub(super) fn is_thinking(&self) -> bool {
        matches!(self.want(), Some(Want::Move(_)))
    }

    pub(super) fn set_columns(&mut self, columns: Vec<Rect>) {
        self.columns = columns;
    }

    /// What is to be thought about now.
    pub(super) fn want(&self) -> Option<Want> {
        if self.game.end().is_some() {
            return None;
        }
        let side = self.game.side_to_move();
        if self.setup.seat(side) != Seat::Human {
            return Some(Want::Move(side));
        }
        let scores = self.scores()?;
        let position = self.game.position();
        let is_open = |column: &usize| {
            scores[*column].is_none() && position.is_open(&self.setup.size, *column)
        };
        self.setup.size.central_first().find(is_open).map(Want::Score)
    }

    /// A key was pressed.
    pub(super) fn key(&mut self, key: KeyEvent) {
        if key.kind == KeyEventKind::Release {
            return;
        }
        let last = self.setup.size.columns() - 1;
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if is_control => self.is_over = true,
            KeyCode::Esc => self.is_over = true,
            KeyCode::Left => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Right => self.cursor = (self.cursor + 1).min(last),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = last,
            KeyCode::Enter | KeyCode::Down | KeyCode::Char(' ') => self.drop_stone(self.cursor),
            KeyCode::Char(name) if !is_control => self.character(name),
            _ => {}
        }
    }

    fn character(&mut self, name: char) {
        // A wide board has columns called h, n, q and u: there a column goes first.
        if let Some(column) = parse_column(&self.setup.size, name) {
            self.cursor = column;
            self.drop_stone(column);
            return;
        }
        match name {
            'q' => self.is_over = true,
            'u' => {
                let count = self.setup.moves_to_take_back(&self.game);
                if count == 0 {
                    self.say("There is nothing to take back.");
                } else {
                    self.game.take_back(count);
                    self.changed();
                }
            }
            'n' => {
                self.game = self.setup.game();
                self.changed();
            }
            'h' => {
                self.shows_scores = !self.shows_scores;
                self.changed();
            }
            _ => self.note = format!("'{}' is no column and no key.", name.escape_debug()),
        }
    }

    /// The mouse did something.
    pub(super) fn mouse(&mut self, mouse: MouseEvent) {
        let place = (mouse.column, mouse.row).into();
        let Some(column) = self.columns.iter().position(|area| area.contains(place)) else {
            return;
        };
        match mouse.kind {
            MouseEventKind::Moved => self.cursor = column,
            MouseEventKind::Down(MouseButton::Left) => {
                self.cursor = column;
                self.drop_stone(column);
            }
            _ => {}
        }
    }

    /// The user puts a stone.
    fn drop_stone(&mut self, column: usize) {
        if self.game.end().is_some() {
            self.say("The game is over; n begins again.");
        } else if self.is_thinking() {
            self.say("It is not your turn.");
        } else {
            self.play(column);
        }
    }

    /// A stone is put, by whoever moves.
    pub(super) fn play(&mut self, column: usize) {
        match self.game.play(column) {
            Ok(()) => self.changed(),
            Err(error) => self.note = format!("No: {error}."),
        }
    }

    /// The score of a column was found out.
    pub(super) fn learn(&mut self, position: &Position, column: usize, score: Score) {
        if self.scores.0 == *position {
            self.scores.1[column] = Some(score);
        }
    }

    fn say(&mut self, note: &str) {
        note.clone_into(&mut self.note);
    }

    fn changed(&mut self) {
        self.note.clear();
        if self.scores.0 != *self.game.position() {
            self.scores = (*self.game.position(), vec![None; self.setup.size.columns()]);
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
