//! Keys and the mouse.
//!
//! Owns which key means which action. Must not know what an action does.

use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use tengen::types::square::Square;

use super::App;
use super::actions::Action;
use crate::dialog::{Answer, Purpose};

impl App {
    /// Takes a key.
    pub fn on_key(&mut self, key: KeyEvent) {
        if key.kind == KeyEventKind::Release {
            return;
        }
        if key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL) {
            return self.act(Action::Quit);
        }
        let Some(dialog) = &mut self.dialog else {
            if let Some(action) = action(key) {
                self.act(action);
            }
            return;
        };
        match dialog.on_key(key) {
            Answer::Open => {}
            Answer::Closed => self.dialog = None,
            Answer::NewGame(setup) => {
                self.dialog = None;
                self.begin(*setup);
            }
            Answer::Name(purpose, name) => self.take_name(purpose, &name),
            Answer::Resign => {
                self.dialog = None;
                self.resign();
            }
        }
    }

    /// Takes a move of the mouse; `square` is what is under it.
    pub fn on_mouse(&mut self, mouse: MouseEvent, square: Option<Square>) {
        if self.dialog.is_some() {
            return;
        }
        match (mouse.kind, square) {
            (MouseEventKind::Down(MouseButton::Left), Some(square)) => {
                self.act(Action::Place(square));
            }
            (MouseEventKind::ScrollUp, _) => self.act(Action::Browse(-1)),
            (MouseEventKind::ScrollDown, _) => self.act(Action::Browse(1)),
            _ => {}
        }
    }

    /// Takes text that was pasted: for the name of a file, nothing else.
    pub fn on_paste(&mut self, text: &str) {
        for letter in text.chars().filter(|letter| !letter.is_control()) {
            if let Some(dialog @ crate::dialog::Dialog::Name { .. }) = &mut self.dialog {
                dialog.on_key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE));
            }
        }
    }
}

fn action(key: KeyEvent) -> Option<Action> {
    if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
        return None;
    }
    Some(match key.code {
        KeyCode::Left => Action::Cursor(-1, 0),
        KeyCode::Right => Action::Cursor(1, 0),
        KeyCode::Up => Action::Cursor(0, -1),
        KeyCode::Down => Action::Cursor(0, 1),
        KeyCode::Enter | KeyCode::Char(' ') => Action::PlaceHere,
        KeyCode::PageUp => Action::Browse(-1),
        KeyCode::PageDown => Action::Browse(1),
        KeyCode::Home => Action::First,
        KeyCode::End => Action::Last,
        KeyCode::F(1) => Action::Help,
        KeyCode::Char(letter) => match letter {
            'u' => Action::Undo { pair: true },
            'U' => Action::Undo { pair: false },
            'r' => Action::Redo { pair: true },
            'R' => Action::Redo { pair: false },
            'n' => Action::NewGame,
            'x' => Action::SwapSides,
            '+' | '=' => Action::Level(1),
            '-' => Action::Level(-1),
            'h' => Action::Hint,
            't' => Action::Line,
            '.' => Action::MoveNow,
            'c' => Action::Continue,
            'a' => Action::Analyze,
            'g' => Action::Resign,
            's' => Action::Name(Purpose::Save),
            'o' => Action::Name(Purpose::Open),
            'p' => Action::Name(Purpose::Picture),
            '?' => Action::Help,
            'q' => Action::Quit,
            _ => return None,
        },
        _ => return None,
    })
}
