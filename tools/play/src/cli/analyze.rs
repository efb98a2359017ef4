//! `play analyze`.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use manager::command::EngineWords;
use manager::gamefile::Format;
use manager::output;
use manager::settings::{GameSettings, Limits, Manner};
use manager::text;
use tengen::types::rule::Rule;
use tengen::types::square::Square;

use super::engine;
use crate::analysis::{Analysis, Verdict};
use crate::app;
use crate::game::Game;
use crate::worker::{Reply, Request, Worker};
use crate::{chance, curve, report};

const EXAMPLES: &str = "\
Examples:
  Half a second for each position, a table of all moves:
    play analyze game.sgf

  The same numbers on every machine, and the curve as a picture:
    play analyze game.sgf --nodes 100000 --svg curve.svg

  A Piskvork file, which does not tell its rule; a file that has the comments:
    play analyze game.psq --rule standard --output judged.sgf";

#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The game, .sgf or .psq
    file: PathBuf,
    /// Draw the winning chance into FILE
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the game with what was found as comments, as SGF
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Milliseconds for a position
    #[arg(long, default_value_t = 500, value_name = "MS")]
    turn_ms: u64,
    /// Nodes for a position, instead of milliseconds
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// The rule, where the file does not tell it
    #[arg(long, default_value = "freestyle", value_parser = text::parse_rule)]
    rule: Rule,
    /// The engine, as for the board [default: pbrain-tengen beside this program]
    #[arg(long, short, value_name = "ENGINE")]
    engine: Option<EngineWords>,
    /// Milliseconds an engine may take beyond its limit before it counts as hung
    #[arg(long, default_value_t = 10_000, value_name = "MS")]
    tolerance_ms: u64,
}

/// Milliseconds a move may take that is limited by nodes.
const NODES_TURN_MS: u64 = 60_000;

/// Searches every position and tells what was found.
pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let loaded = app::load(&arguments.file, arguments.rule)?;
    for note in &loaded.notes {
        eprintln!("{}: {note}", arguments.file.display());
    }
    let game = Game::from_file(&loaded.game);
    if game.moves().is_empty() {
        bail!("{}: there is no move in it", arguments.file.display());
    }
    let mut engine = engine::find(arguments.engine)?.settings;
    let turn_ms = arguments.nodes.map_or(arguments.turn_ms, |_| NODES_TURN_MS);
    let limits = Limits { turn_ms: Some(turn_ms), nodes: arguments.nodes, ..Limits::default() };
    engine.limits = engine.limits.or(&limits);
    engine.info.push(("explain".to_string(), "1".to_string()));
    let tolerance = Duration::from_millis(arguments.tolerance_ms);
    let settings = GameSettings {
        rule: game.rule(),
        size: game.size(),
        manner: Manner::Plain,
        max_moves: None,
        adjudicate: false,
        tolerance,
        startup: tolerance.max(Duration::from_secs(1)),
    };
    let mut analysis = Analysis::new(&game);
    let mut worker = Worker::new();
    let shows_progress = io::stderr().is_terminal();
    while let Some(moves) = analysis.next() {
        if shows_progress {
            eprint!("\rposition {} of {} ", analysis.done() + 1, analysis.count());
        }
        let request =
            Request { engine: engine.clone(), game: settings.clone(), moves: moves.to_vec() };
        worker.ask(request);
        let reply = worker.wait(Duration::from_hours(24)).context("the engine does not answer")?;
        analysis.add(verdict(reply, &game)?);
    }
    if shows_progress {
        eprint!("\r\x1b[K");
    }
    drop(worker);
    output::print(&text_of(&game, &analysis, &loaded.game.black, &loaded.game.white))?;
    let title = format!("{} - {}", loaded.game.black, loaded.game.white);
    let title = if title == " - " { arguments.file.display().to_string() } else { title };
    if let Some(path) = &arguments.svg {
        let svg = curve::draw(&analysis, &title)?;
        app::write(path, &svg).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if let Some(path) = &arguments.output {
        let mut file = game.to_file([loaded.game.black.clone(), loaded.game.white.clone()]);
        for judged in analysis.judged() {
            file.moves[judged.number - 1].words = report::words(&judged);
        }
        app::write(path, &file.write(Format::Sgf))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn verdict(reply: Reply, game: &Game) -> Result<Verdict> {
    match reply {
        Reply::Move { x, y, thought, .. } => {
            let best = Square::on_board(game.size(), x, y)
                .with_context(|| format!("the engine answers {x},{y}, which is off the board"))?;
            Ok(Verdict { best, thought })
        }
        Reply::Failed { reason, last_lines } => {
            for line in last_lines {
                eprintln!("  | {line}");
            }
            bail!(reason)
        }
    }
}

/// The table, the curve and the counts.
fn text_of(game: &Game, analysis: &Analysis, black: &str, white: &str) -> String {
    let mut text = String::new();
    let mut add = |line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    let plain = |name: &str| crate::thought::plain(name, 60);
    add(&format!(
        "{} (X, Black) - {} (O, White), {} {}",
        plain(black),
        plain(white),
        game.rule(),
        game.size()
    ));
    add(report::HEAD);
    for judged in analysis.judged() {
        add(&report::row(&judged));
    }
    add(&game.end_words().unwrap_or_else(|| "the game goes on".to_string()));
    let chances = analysis.chances();
    let last = chances.iter().rev().flatten().next();
    let last = last.map(|&chance| format!(", at the end {}", chance::percent(chance)));
    add(&format!("\nBlack wins, %, move by move{}:", last.unwrap_or_default()));
    text.push_str(&report::curve(&chances, 72, 8));
    text.push('\n');
    text.push_str(&report::summary(analysis));
    text
}
