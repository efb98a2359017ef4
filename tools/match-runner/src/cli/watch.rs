//! `match-runner watch`.

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use manager::brain::Brain;
use manager::command::{self, EngineWords};
use manager::settings::{GameSettings, Limits, Manner};
use manager::text;
use tengen::types::color::Color;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;

use super::run::bounded;
use crate::game;
use crate::opening;
use crate::output::{self, board};
use crate::record::Outcome;

const EXAMPLES: &str = "\
Examples:
  Tengen against itself, 200 ms a move:
    match-runner watch

  Against another engine, by the rules of renju, from an opening:
    match-runner watch --white 'cmd=./pbrain-other turn-ms=1000' --rule 4 --opening h8h9j10";

#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The engine with Black, as in `run` [default: pbrain-tengen beside this program]
    #[arg(long, value_name = "ENGINE")]
    black: Option<EngineWords>,
    /// The engine with White [default: the same]
    #[arg(long, value_name = "ENGINE")]
    white: Option<EngineWords>,
    /// 0 freestyle, 1 standard, 4 renju, 8 caro, 9 caro9
    #[arg(long, default_value = "0", value_parser = text::parse_rule)]
    rule: Rule,
    /// Side of the board, 5 to 22
    #[arg(long, default_value = "15", value_parser = text::parse_size)]
    size: BoardSize,
    /// Milliseconds a move
    #[arg(long, default_value_t = 200, value_name = "MS")]
    turn_ms: u64,
    /// Moves to begin with, as h8i9g7 or offsets from the center
    #[arg(long, default_value = "", value_name = "MOVES")]
    opening: String,
    /// Print each board below the last, as is done where a terminal is too low or there is none
    #[arg(long)]
    scroll: bool,
}

/// The engine that is built beside this tool.
fn own_engine() -> Result<EngineWords> {
    let path = command::path_beside()?;
    if !path.exists() {
        bail!(
            "there is no {}: build it by `cargo build --release`, or name engines by --black and \
             --white",
            path.display()
        );
    }
    Ok(EngineWords { command: vec![path.to_string_lossy().into_owned()], ..EngineWords::default() })
}

/// Plays and draws the game.
pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let mut words =
        [arguments.black, arguments.white].map(|words| words.map_or_else(own_engine, Ok));
    for (side, words) in ["black", "white"].into_iter().zip(&mut words) {
        if let Ok(engine) = words {
            engine.name.get_or_insert_with(|| side.to_string());
        }
    }
    let [black, white] = words;
    let shared = Limits { turn_ms: Some(arguments.turn_ms), ..Limits::default() };
    let mut engines = command::settings(vec![black?, white?], &shared)?;
    for engine in &mut engines {
        engine.limits = bounded(engine.limits.clone());
    }
    let opening = opening::parse(&arguments.opening, arguments.size, arguments.rule);
    let opening = opening.map_err(anyhow::Error::msg).context("--opening")?;
    let settings = GameSettings {
        rule: arguments.rule,
        size: arguments.size,
        manner: Manner::Plain,
        max_moves: None,
        adjudicate: false,
        tolerance: Duration::from_secs(1),
        startup: Duration::from_secs(10),
    };
    let stop = super::stop_on_interrupt()?;
    let spawn = |number: usize| {
        let engine = &engines[number];
        Brain::spawn(engine, &settings, &stop, None)
            .with_context(|| format!("cannot start {}", engine.command.join(" ")))
    };
    let mut brains = [spawn(0)?, spawn(1)?];
    // The board with its letters, a blank line above it and two lines below it.
    let rows = usize::from(settings.size.height()) + 6;
    let fits = output::terminal_size().is_none_or(|(_, height)| rows < height);
    let redraw = io::stdout().is_terminal() && !arguments.scroll && fits;
    let mut drawn = 0;
    let mut show = |text: &str| {
        if redraw && drawn > 0 {
            // Up by the lines drawn, then erase to the end of the screen.
            let _ = manager::output::print(&format!("\x1b[{drawn}A\x1b[J"));
        }
        // Without a reader there is nothing to draw, yet the game has to be ended in order.
        let _ = manager::output::print(text);
        drawn = text.lines().count();
    };
    show(&board::draw(settings.size, &opening));
    let game = game::play(&mut brains, &opening, &settings, &mut |referee, answer| {
        let moves = referee.moves();
        let mover = referee.side_to_move().opponent();
        let name = &engines[mover.index()].name;
        let stone = if mover == Color::Black { 'X' } else { 'O' };
        let point = moves.last().copied().map(text::point).unwrap_or_default();
        let eval = answer.note.eval.as_ref().map(|eval| format!(", eval {eval}"));
        show(&format!(
            "\n{}{}. {name} ({stone}) {point}, {} ms{}\n",
            board::draw(settings.size, moves),
            moves.len(),
            answer.used.as_millis(),
            eval.unwrap_or_default()
        ));
    });
    for brain in brains {
        brain.finish();
    }
    let Some(game) = game else {
        // Only Ctrl-C stops a single game.
        eprintln!("stopped");
        return Ok(ExitCode::from(130));
    };
    let winner = match game.outcome {
        Outcome::Black => format!("{} (X, Black) wins", engines[0].name),
        Outcome::White => format!("{} (O, White) wins", engines[1].name),
        Outcome::Draw => "A draw".to_string(),
    };
    let mut last = String::new();
    for line in &game.last_lines {
        last.extend(["  | ", line, "\n"]);
    }
    manager::output::print(&format!("{winner}: {}\n{last}", game.end.words()))?;
    Ok(ExitCode::SUCCESS)
}
