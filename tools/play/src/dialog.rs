//! Questions put to the person: a new game's settings, a file's name, a confirmation, the help.
//!
//! Owns what is typed into them and what comes out. Must not know what is done with the answer.
//! Start reading at [`Dialog::on_key`].

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tengen::types::color::{ByColor, Color};
use tengen::types::rule::Rule;
use tengen::types::size::{BoardSize, MAX_SIDE, MIN_SIDE};

use crate::players::{FULL, Mode, Setup, level_name};

/// Letters of a file's name.
const MOST_LETTERS: usize = 400;
/// Milliseconds a move that the form offers.
const TURN_MS: [u64; 10] = [100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000];

/// What the keys do, a line each.
pub const HELP: &[[&str; 2]] = &[
    ["arrows, Enter", "move the cursor, place a stone (also Space)"],
    ["mouse", "click places, the wheel looks at earlier moves"],
    ["u  U", "undo the pair, undo one move"],
    ["r  R", "redo the pair, redo one move"],
    ["PgUp PgDn Home End", "look at earlier moves"],
    ["n", "new game: players, rule, size, level, time"],
    ["x", "swap sides with the engine"],
    ["+  -", "level of the engine"],
    ["h", "hint: the engine's choice and its line"],
    ["t", "show or hide the engine's line on the board"],
    [".", "the engine is to move now"],
    ["c", "pause; go on; start a broken engine again"],
    ["a", "analyze the game; again to stop"],
    ["g", "resign"],
    ["s  o  p", "save, open, picture of the position as SVG"],
    ["q, Ctrl-C", "leave; the game is kept for --resume"],
];

/// What a name is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Save the game.
    Save,
    /// Open a game.
    Open,
    /// Draw the position.
    Picture,
}

impl Purpose {
    /// The question.
    pub const fn title(self) -> &'static str {
        match self {
            Purpose::Save => "Save as (.sgf or .psq)",
            Purpose::Open => "Open (.sgf or .psq)",
            Purpose::Picture => "Picture as (.svg)",
        }
    }
}

/// A question.
#[derive(Clone, Debug)]
pub enum Dialog {
    /// What a new game is to be.
    NewGame(Box<Form>),
    /// The name of a file.
    Name {
        /// What for.
        purpose: Purpose,
        /// What is typed so far.
        text: String,
        /// A name that was asked about, since there is such a file.
        warned: Option<String>,
        /// What is wrong with it.
        note: String,
    },
    /// Whether to resign.
    Resign,
    /// The keys, from this line on.
    Help(usize),
}

/// The settings of a new game, one of which is chosen.
#[derive(Clone, Debug)]
pub struct Form {
    /// As they are now.
    pub setup: Setup,
    /// The chosen line.
    pub row: usize,
}

/// What came of a key.
#[derive(Debug)]
pub enum Answer {
    /// The question stays.
    Open,
    /// The question goes, nothing is done.
    Closed,
    /// Begin such a game.
    NewGame(Box<Setup>),
    /// The name was entered.
    Name(Purpose, String),
    /// Yes.
    Resign,
}

impl Dialog {
    /// A question for a name, with one proposed.
    pub fn name(purpose: Purpose, text: String) -> Dialog {
        Dialog::Name { purpose, text, warned: None, note: String::new() }
    }

    /// Takes a key.
    pub fn on_key(&mut self, key: KeyEvent) -> Answer {
        if key.code == KeyCode::Esc {
            return Answer::Closed;
        }
        match self {
            Dialog::NewGame(form) => form.on_key(key),
            Dialog::Name { purpose, text, .. } => {
                let is_plain = !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
                match key.code {
                    KeyCode::Enter => return Answer::Name(*purpose, text.trim().to_string()),
                    KeyCode::Backspace => {
                        text.pop();
                    }
                    KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                        text.clear();
                    }
                    KeyCode::Char(letter) if is_plain && text.chars().count() < MOST_LETTERS => {
                        text.push(letter);
                    }
                    _ => {}
                }
                Answer::Open
            }
            Dialog::Resign => match key.code {
                KeyCode::Char('y' | 'Y') => Answer::Resign,
                _ => Answer::Closed,
            },
            Dialog::Help(line) => {
                match key.code {
                    KeyCode::Down | KeyCode::PageDown => *line = (*line + 1).min(HELP.len() - 1),
                    KeyCode::Up | KeyCode::PageUp => *line = line.saturating_sub(1),
                    _ => return Answer::Closed,
                }
                Answer::Open
            }
        }
    }
}

/// A line of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    Mode,
    Rule,
    Size,
    Level(Color),
    Time,
}

impl Form {
    fn rows(&self) -> Vec<Row> {
        let mut rows = vec![Row::Mode, Row::Rule, Row::Size];
        let engines = Color::ALL.into_iter().filter(|&color| self.setup.mode.is_engine(color));
        rows.extend(engines.map(Row::Level));
        rows.push(Row::Time);
        rows
    }

    /// Each line as its name and its value.
    pub fn lines(&self) -> Vec<(String, String)> {
        let setup = &self.setup;
        let line = |row: &Row| match *row {
            Row::Mode => ("players".to_string(), setup.mode.name().to_string()),
            Row::Rule => ("rule".to_string(), setup.rule.name().to_string()),
            Row::Size => ("size".to_string(), setup.size.to_string()),
            Row::Level(color) => {
                let side = match (setup.mode, color) {
                    (Mode::Engines, Color::Black) => "level of Black",
                    (Mode::Engines, Color::White) => "level of White",
                    _ => "level",
                };
                let level = setup.levels[color];
                (side.to_string(), format!("{level} {}", level_name(level)))
            }
            Row::Time => ("engine's time".to_string(), format!("{} ms a move", setup.turn_ms)),
        };
        self.rows().iter().map(line).collect()
    }

    fn on_key(&mut self, key: KeyEvent) -> Answer {
        let rows = self.rows();
        match key.code {
            KeyCode::Enter => return Answer::NewGame(Box::new(self.setup.clone())),
            KeyCode::Up => self.row = self.row.checked_sub(1).unwrap_or(rows.len() - 1),
            KeyCode::Down | KeyCode::Tab => self.row = (self.row + 1) % rows.len(),
            KeyCode::Left | KeyCode::Char('-') => {
                self.change(rows[self.row.min(rows.len() - 1)], -1);
            }
            KeyCode::Right | KeyCode::Char('+' | ' ') => {
                self.change(rows[self.row.min(rows.len() - 1)], 1);
            }
            _ => {}
        }
        Answer::Open
    }

    fn change(&mut self, row: Row, step: i64) {
        let setup = &mut self.setup;
        match row {
            Row::Mode => setup.mode = turned(&Mode::ALL, setup.mode, step),
            Row::Rule => setup.rule = turned(&Rule::ALL, setup.rule, step),
            Row::Size => {
                let side = i64::from(setup.size.width()) + step;
                let side = side.clamp(MIN_SIDE.into(), MAX_SIDE.into());
                setup.size = BoardSize::try_new(side, side).unwrap_or(setup.size);
            }
            Row::Level(color) => {
                let level = changed_level(setup.levels[color], step);
                if setup.mode == Mode::Engines {
                    setup.levels[color] = level;
                } else {
                    // The engine keeps its level when the sides are swapped.
                    setup.levels = ByColor::new(level, level);
                }
            }
            Row::Time => {
                let ms = setup.turn_ms;
                let next = if step > 0 {
                    TURN_MS.into_iter().find(|&offered| offered > ms)
                } else {
                    TURN_MS.into_iter().rfind(|&offered| offered < ms)
                };
                setup.turn_ms = next.unwrap_or(ms);
            }
        }
    }
}

/// A level some steps up or down, within what there is.
pub fn changed_level(level: u8, step: i64) -> u8 {
    let level = (i64::from(level) + step).clamp(1, FULL.into());
    u8::try_from(level).unwrap_or(FULL)
}

/// The next or the previous of a list, round again.
fn turned<T: Copy + PartialEq>(all: &[T], now: T, step: i64) -> T {
    let at = all.iter().position(|&one| one == now).unwrap_or(0);
    let last = all.len() - 1;
    let next = match step {
        step if step > 0 => {
            if at == last {
                0
            } else {
                at + 1
            }
        }
        _ => {
            if at == 0 {
                last
            } else {
                at - 1
            }
        }
    };
    all[next]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::Engine;
    use manager::settings::{EngineSettings, Limits};
    use std::time::Duration;

    fn form() -> Form {
        let settings = EngineSettings {
            name: "x".to_string(),
            command: vec!["x".to_string()],
            folder: None,
            limits: Limits::default(),
            info: Vec::new(),
        };
        let engine = Engine { name: "x".to_string(), settings };
        let setup = Setup {
            mode: Mode::Black,
            rule: Rule::Freestyle,
            size: BoardSize::square(15),
            levels: ByColor::new(FULL, FULL),
            seed: 1,
            turn_ms: 1000,
            tolerance: Duration::from_secs(1),
            engines: ByColor::new(engine.clone(), engine),
        };
        Form { setup, row: 0 }
    }

    fn press(form: &mut Form, keys: &[KeyCode]) {
        for &code in keys {
            form.on_key(KeyEvent::new(code, KeyModifiers::NONE));
        }
    }

    #[test]
    fn values_turn_round_or_stop_at_their_ends() {
        let mut form = form();
        press(&mut form, &[KeyCode::Left]);
        assert_eq!(form.setup.mode, Mode::Engines);
        press(&mut form, &[KeyCode::Right, KeyCode::Down, KeyCode::Left]);
        assert_eq!((form.setup.mode, form.setup.rule), (Mode::Black, Rule::CaroExact));
        press(&mut form, &[KeyCode::Down]);
        press(&mut form, &[KeyCode::Right; 30]);
        assert_eq!(form.setup.size, BoardSize::square(MAX_SIDE));
        press(&mut form, &[KeyCode::Left; 30]);
        assert_eq!(form.setup.size, BoardSize::square(MIN_SIDE));
        press(&mut form, &[KeyCode::Down]);
        press(&mut form, &[KeyCode::Left; 30]);
        assert_eq!(form.setup.levels, ByColor::new(1, 1));
        press(&mut form, &[KeyCode::Down]);
        press(&mut form, &[KeyCode::Right; 30]);
        assert_eq!(form.setup.turn_ms, 60_000);
        press(&mut form, &[KeyCode::Left; 30]);
        assert_eq!(form.setup.turn_ms, 100);
    }

    #[test]
    fn a_line_that_goes_with_the_mode_leaves_the_choice_on_the_form() {
        let mut form = form();
        form.setup.mode = Mode::Engines;
        press(&mut form, &[KeyCode::Up]);
        assert_eq!((form.row, form.lines().len()), (5, 6));
        form.setup.mode = Mode::People;
        press(&mut form, &[KeyCode::Right]);
        assert_eq!(form.lines().len(), 4);
        press(&mut form, &[KeyCode::Down]);
        assert!(form.row < 4);
        press(&mut form, &[KeyCode::Tab; 9]);
        assert!(form.row < 4);
    }

    #[test]
    fn engines_have_levels_of_their_own() {
        let mut form = form();
        form.setup.mode = Mode::Engines;
        form.row = 3;
        press(&mut form, &[KeyCode::Left, KeyCode::Down, KeyCode::Left, KeyCode::Left]);
        assert_eq!(form.setup.levels, ByColor::new(FULL - 1, FULL - 2));
    }

    #[test]
    fn names_take_letters_only_and_have_an_end() {
        let mut dialog = Dialog::name(Purpose::Save, String::new());
        let mut press = |code, modifiers| dialog.on_key(KeyEvent::new(code, modifiers));
        for _ in 0..1000 {
            press(KeyCode::Char('a'), KeyModifiers::NONE);
        }
        press(KeyCode::Char('b'), KeyModifiers::CONTROL);
        press(KeyCode::Char('\u{1b}'), KeyModifiers::NONE);
        press(KeyCode::Backspace, KeyModifiers::NONE);
        match press(KeyCode::Enter, KeyModifiers::NONE) {
            Answer::Name(Purpose::Save, name) => assert_eq!(name, "a".repeat(MOST_LETTERS - 1)),
            other => panic!("{other:?}"),
        }
    }
}
