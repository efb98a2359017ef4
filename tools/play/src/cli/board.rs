//! `play` without a command: the board.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};
use clap::Args;
use manager::command::EngineWords;
use manager::text;
use tengen::types::color::ByColor;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;

use super::engine;
use crate::app::{self, App};
use crate::game::Game;
use crate::players::{FULL, Mode, Setup};
use crate::terminal::{self, Exit};
use crate::view::Look;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A game to go on with, .sgf or .psq
    file: Option<PathBuf>,
    /// Go on with the game that was left unsaved
    #[arg(long, conflicts_with = "file")]
    resume: bool,
    /// What you play
    #[arg(long, value_enum, default_value_t = Mode::Black, value_name = "SIDE")]
    you: Mode,
    /// freestyle, standard, renju, caro or caro9 (exact caro), or the numbers of INFO rule
    #[arg(long, default_value = "freestyle", value_parser = text::parse_rule)]
    rule: Rule,
    /// Side of the board, 5 to 22
    #[arg(long, default_value = "15", value_parser = text::parse_size)]
    size: BoardSize,
    /// Level of the engine, 1 (beginner) to 8 (full strength)
    #[arg(long, default_value_t = FULL, value_parser = clap::value_parser!(u8).range(1..=8))]
    level: u8,
    /// Level of an engine with Black [default: that of --level]
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(1..=8))]
    black_level: Option<u8>,
    /// Level of an engine with White [default: that of --level]
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(1..=8))]
    white_level: Option<u8>,
    /// Another game of a level below 8 for each seed [default: from the clock]
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
    /// Milliseconds the engine has for a move
    #[arg(long, default_value_t = 1000, value_name = "MS")]
    turn_ms: u64,
    /// Milliseconds an engine may take beyond that before it counts as hung
    #[arg(long, default_value_t = 10_000, value_name = "MS")]
    tolerance_ms: u64,
    /// The engine: a command, or words as `cmd=./a name=b nodes=1000 info.KEY=VALUE`
    /// [default: pbrain-tengen beside this program]
    #[arg(long, short, value_name = "ENGINE")]
    engine: Option<EngineWords>,
    /// The engine with Black [default: that of --engine]
    #[arg(long, value_name = "ENGINE")]
    black: Option<EngineWords>,
    /// The engine with White [default: that of --engine]
    #[arg(long, value_name = "ENGINE")]
    white: Option<EngineWords>,
    /// Draw with letters only [default: where the locale is not UTF-8]
    #[arg(long)]
    ascii: bool,
}

/// Plays.
pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let kept_file = app::kept_file();
    let path = match (&arguments.file, arguments.resume) {
        (Some(path), _) => Some(path.clone()),
        (None, true) => Some(kept_file.clone().context("there is no place games are kept in")?),
        (None, false) => None,
    };
    let loaded = path.as_deref().map(|path| app::load(path, arguments.rule)).transpose()?;
    let shared = arguments.engine;
    let engine = |words: Option<EngineWords>| engine::find(words.or_else(|| shared.clone()));
    let setup = Setup {
        mode: arguments.you,
        rule: arguments.rule,
        size: arguments.size,
        levels: ByColor::new(
            arguments.black_level.unwrap_or(arguments.level),
            arguments.white_level.unwrap_or(arguments.level),
        ),
        seed: arguments.seed.unwrap_or_else(seconds),
        turn_ms: arguments.turn_ms,
        tolerance: Duration::from_millis(arguments.tolerance_ms),
        engines: ByColor::new(engine(arguments.black)?, engine(arguments.white)?),
    };
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        bail!("the board needs a terminal; `play analyze` and `play picture` do without");
    }
    let look = Look {
        is_ascii: arguments.ascii || !has_unicode(),
        is_plain: std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()),
    };
    let game = loaded.as_ref().map(|loaded| Game::from_file(&loaded.game));
    let mut app = App::new(setup, game, kept_file);
    if let (Some(path), Some(loaded)) = (path, loaded) {
        app.tell_loaded(&path, &loaded.notes, arguments.resume);
    }
    let played = terminal::run(&mut app, look);
    let kept = app.keep();
    // The engines end before the last words are said.
    drop(app);
    if !kept.is_empty() {
        eprintln!("{kept}; `play --resume` goes on with it");
    }
    Ok(match played? {
        Exit::Asked => ExitCode::SUCCESS,
        Exit::Stopped => ExitCode::from(130),
    })
}

/// A number that is another one with each start.
fn seconds() -> u32 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u32::try_from(now.as_secs() % (1 << 31)).unwrap_or(1)
}

/// Whether the locale says that other signs than letters can be shown.
fn has_unicode() -> bool {
    if cfg!(windows) {
        return true;
    }
    let variables = ["LC_ALL", "LC_CTYPE", "LANG"];
    let set = variables.iter().filter_map(|name| std::env::var(name).ok());
    let first = set.into_iter().find(|value| !value.is_empty()).unwrap_or_default();
    let first = first.to_ascii_lowercase();
    first.contains("utf-8") || first.contains("utf8")
}
