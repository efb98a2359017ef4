//! Cases that are more than a list of lines.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use manager::brain::Brain;
use manager::process::Process;
use manager::settings::{EngineSettings, GOMOCUP_MEMORY, GameSettings, Limits, Manner};
use manager::text;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;

use super::player::{Candidate, Fault};
use crate::game;

/// Stones of the game that is played for its time.
const BUDGET_MOVES: usize = 60;

/// A game against itself: 20 s a game, 5 s a move, the true time left before each request.
pub(super) fn budget(candidate: &Candidate) -> Result<(), Fault> {
    let limits = Limits { turn_ms: Some(5000), match_ms: Some(20_000), ..Limits::default() };
    let engine = EngineSettings {
        name: "engine".to_string(),
        command: candidate.command.clone(),
        folder: None,
        limits,
        info: Vec::new(),
    };
    let settings = GameSettings {
        rule: Rule::Freestyle,
        size: BoardSize::square(15),
        manner: Manner::Plain,
        max_moves: Some(BUDGET_MOVES),
        adjudicate: false,
        tolerance: candidate.slack,
        startup: Duration::from_secs(10),
    };
    let stop = AtomicBool::new(false);
    let spawn = || {
        Brain::spawn(&engine, &settings, &stop, None)
            .map_err(|error| format!("cannot be started: {error}"))
    };
    let mut brains = [spawn()?, spawn()?];
    let game = game::play(&mut brains, &[], &settings, &mut |_, _| {});
    for brain in brains {
        brain.finish();
    }
    match game {
        Some(game) if game.end.is_abnormal() => {
            Err(format!("after {} moves: {}", game.moves.len(), game.end.words()))
        }
        _ => Ok(()),
    }
}

/// Ten moves on the largest board of Gomocup inside its memory.
pub(super) fn memory(candidate: &Candidate) -> Result<(), Fault> {
    let mut process = Process::spawn(&candidate.command, None)
        .map_err(|error| format!("cannot be started: {error}"))?;
    let send = |process: &mut Process, text: String| {
        process.send(text.as_bytes()).map_err(|_| "took no more input".to_string())
    };
    let head =
        format!("INFO timeout_turn 500\nINFO max_memory {GOMOCUP_MEMORY}\nSTART 20\nBEGIN\n");
    send(&mut process, head)?;
    let mut stones = super::stones::Stones::default();
    stones.sent("START 20");
    for number in 1..=10 {
        let deadline = Instant::now() + Duration::from_secs(2) + candidate.slack;
        let point = loop {
            let line =
                process.next_line(deadline).map_err(|_| format!("gave no move {number} in 2 s"))?;
            if let Some(point) = text::parse_pair(&line.text) {
                break point;
            }
        };
        stones.moved(point);
        let used = process.private_bytes();
        if used > GOMOCUP_MEMORY {
            return Err(format!("used {used} of {GOMOCUP_MEMORY} bytes after {number} moves"));
        }
        let (x, y) = stones.free().ok_or("no free square in the case")?;
        stones.sent(&format!("TURN {x},{y}"));
        send(&mut process, format!("TURN {x},{y}\n"))?;
    }
    Ok(())
}
