//! Who plays whom, by what rules, and how strong.
//!
//! Owns the settings of a game and the names people see. Must not know the game itself.

use std::time::Duration;

use manager::settings::{EngineSettings, GameSettings, Limits, Manner};
use tengen::types::color::{ByColor, Color};
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;

/// The levels an engine may be given by `INFO level`, the first being 1.
pub const LEVELS: [&str; 8] = [
    "beginner",
    "novice",
    "casual player",
    "hobby player",
    "club player",
    "strong player",
    "expert",
    "full strength",
];

/// The strongest level.
pub const FULL: u8 = 8;

/// The name of a level.
pub fn level_name(level: u8) -> &'static str {
    LEVELS[usize::from(level.clamp(1, FULL)) - 1]
}

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Mode {
    /// You with Black against an engine
    Black,
    /// You with White against an engine
    White,
    /// Two people
    People,
    /// An engine against an engine
    Engines,
}

impl Mode {
    /// All of them, in the order of the form.
    pub const ALL: [Mode; 4] = [Mode::Black, Mode::White, Mode::People, Mode::Engines];

    /// For people.
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Black => "you are Black",
            Mode::White => "you are White",
            Mode::People => "two people",
            Mode::Engines => "engine against engine",
        }
    }

    /// Whether an engine plays a color.
    pub const fn is_engine(self, color: Color) -> bool {
        match self {
            Mode::Black => matches!(color, Color::White),
            Mode::White => matches!(color, Color::Black),
            Mode::People => false,
            Mode::Engines => true,
        }
    }
}

/// An engine as the command line names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine {
    /// Name on the screen and in files.
    pub name: String,
    /// Program and arguments, folder, and limits that are its own.
    pub settings: EngineSettings,
}

/// The settings of a game.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Who plays.
    pub mode: Mode,
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: BoardSize,
    /// 1 to [`FULL`], by color.
    pub levels: ByColor<u8>,
    /// What an engine's draws of a level below the full one depend on; another with each game.
    pub seed: u32,
    /// Milliseconds a move.
    pub turn_ms: u64,
    /// What an engine may take beyond that before it counts as hung.
    pub tolerance: Duration,
    /// The engines, by color.
    pub engines: ByColor<Engine>,
}

impl Setup {
    /// The engine of a color with its level and limits.
    pub fn engine(&self, color: Color) -> EngineSettings {
        self.engine_at(color, self.levels[color])
    }

    /// The engine that advises: the one of a color, at full strength.
    pub fn adviser(&self, color: Color) -> EngineSettings {
        self.engine_at(color, FULL)
    }

    fn engine_at(&self, color: Color, level: u8) -> EngineSettings {
        let mut settings = self.engines[color].settings.clone();
        let turn = Limits { turn_ms: Some(self.turn_ms), ..Limits::default() };
        settings.limits = settings.limits.or(&turn);
        let mut told = vec![("level", level.to_string()), ("explain", "1".to_string())];
        if level < FULL {
            told.push(("seed", self.seed.to_string()));
        }
        for (key, value) in told {
            // What the command line says for an engine goes before.
            if !settings.info.iter().any(|(known, _)| known == key) {
                settings.info.push((key.to_string(), value));
            }
        }
        settings
    }

    /// Rule, board and patience.
    pub fn game(&self) -> GameSettings {
        GameSettings {
            rule: self.rule,
            size: self.size,
            manner: Manner::Plain,
            max_moves: None,
            adjudicate: false,
            tolerance: self.tolerance,
            startup: self.tolerance.max(Duration::from_secs(1)),
        }
    }

    /// What a side is called; with the level where that matters.
    pub fn name(&self, color: Color) -> String {
        match self.mode {
            mode if mode.is_engine(color) => {
                let level = self.levels[color];
                let name = &self.engines[color].name;
                if level == FULL { name.clone() } else { format!("{name} (level {level})") }
            }
            Mode::People => if color == Color::Black { "Black" } else { "White" }.to_string(),
            _ => "you".to_string(),
        }
    }

    /// The names of both sides, Black's first.
    pub fn names(&self) -> [String; 2] {
        Color::ALL.map(|color| self.name(color))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(info: &[(&str, &str)]) -> Setup {
        let settings = EngineSettings {
            name: "x".to_string(),
            command: vec!["x".to_string()],
            folder: None,
            limits: Limits::default(),
            info: info.iter().map(|(k, v)| ((*k).to_string(), (*v).to_string())).collect(),
        };
        let engine = Engine { name: "x".to_string(), settings };
        Setup {
            mode: Mode::Engines,
            rule: Rule::Renju,
            size: BoardSize::square(15),
            levels: ByColor::new(3, FULL),
            seed: 9,
            turn_ms: 700,
            tolerance: Duration::from_secs(1),
            engines: ByColor::new(engine.clone(), engine),
        }
    }

    #[test]
    fn an_engine_is_told_its_level_and_to_explain() {
        let engine = setup(&[]).engine(Color::Black);
        let pair = |k: &str, v: &str| (k.to_string(), v.to_string());
        assert_eq!(engine.info, [pair("level", "3"), pair("explain", "1"), pair("seed", "9")]);
        assert_eq!(engine.limits.turn_ms, Some(700));
        let adviser = setup(&[]).adviser(Color::Black);
        assert_eq!(adviser.info, [pair("level", "8"), pair("explain", "1")]);
        let own = setup(&[("level", "5")]).engine(Color::Black);
        assert_eq!(own.info, [pair("level", "5"), pair("explain", "1"), pair("seed", "9")]);
    }

    #[test]
    fn names_tell_levels_below_the_full_one() {
        assert_eq!(setup(&[]).names(), ["x (level 3)".to_string(), "x".to_string()]);
        assert_eq!(level_name(1), "beginner");
        assert_eq!(level_name(200), "full strength");
        assert_eq!(level_name(0), "beginner");
    }

    #[test]
    fn each_mode_has_its_engines() {
        let engines = Mode::ALL.map(|mode| Color::ALL.map(|color| mode.is_engine(color)));
        assert_eq!(engines, [[false, true], [true, false], [false, false], [true, true]]);
    }
}
