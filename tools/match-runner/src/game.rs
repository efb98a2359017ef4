//! One game between two brains.
//!
//! Owns the order of things in a game: opening, requests, verdicts, end. Must not know the
//! protocol's words, files or statistics. Start reading at [`play`].

use std::time::{Instant, SystemTime};

use manager::brain::{Answer, Brain, Failure};
use manager::referee::{Referee, Verdict};
use manager::settings::GameSettings;
use manager::text;
use tengen::types::color::Color;
use tengen::types::square::Square;

use crate::record::{End, MoveRecord, Outcome};

/// A finished game, before it has a place in a run.
#[derive(Clone, Debug)]
pub struct Game {
    /// The moves played after the opening.
    pub moves: Vec<MoveRecord>,
    /// Who won.
    pub outcome: Outcome,
    /// How.
    pub end: End,
    /// The last lines of the brain at fault, after an abnormal end.
    pub last_lines: Vec<String>,
    /// Seconds since 1970 at its start.
    pub started: u64,
    /// Milliseconds it took.
    pub took_ms: u64,
}

/// Plays a game on from an opening, the first brain being Black; `watcher` sees the board after every move.
///
/// Gives none when the run was stopped meanwhile.
pub fn play(
    brains: &mut [Brain<'_>; 2],
    opening: &[Square],
    settings: &GameSettings,
    watcher: &mut dyn FnMut(&Referee, &Answer),
) -> Option<Game> {
    let clock = Instant::now();
    let started = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let mut referee = Referee::new(settings.size, settings.rule);
    for &square in opening {
        referee.play(square);
    }
    let mut moves = Vec::new();
    let (outcome, end) = conduct(brains, &mut referee, settings, &mut moves, watcher)?;
    let last_lines = match (outcome, end.is_abnormal()) {
        (Outcome::White, true) => brains[Color::Black.index()].last_lines(),
        (Outcome::Black, true) => brains[Color::White.index()].last_lines(),
        _ => Vec::new(),
    };
    Some(Game {
        moves,
        outcome,
        end,
        last_lines,
        started: started.map_or(0, |since| since.as_secs()),
        took_ms: u64::try_from(clock.elapsed().as_millis()).unwrap_or(u64::MAX),
    })
}

fn conduct(
    brains: &mut [Brain<'_>; 2],
    referee: &mut Referee,
    settings: &GameSettings,
    moves: &mut Vec<MoveRecord>,
    watcher: &mut dyn FnMut(&Referee, &Answer),
) -> Option<(Outcome, End)> {
    for color in Color::ALL {
        if let Err(failure) = brains[color.index()].new_game() {
            return lost(color, failure);
        }
    }
    loop {
        let mover = referee.side_to_move();
        if settings.max_moves.is_some_and(|most| referee.moves().len() >= most) {
            return Some((Outcome::Draw, End::MoveLimit));
        }
        if settings.adjudicate && referee.winning_square().is_some() {
            return Some((won_by(mover), End::Adjudicated));
        }
        let answer = match brains[mover.index()].think(referee.moves()) {
            Ok(answer) => answer,
            Err(failure) => return lost(mover, failure),
        };
        let Some(square) = referee.empty_square(answer.x, answer.y) else {
            let line = format!("{},{}", answer.x, answer.y);
            return Some((won_by(mover.opponent()), End::Illegal { line }));
        };
        let verdict = referee.play(square);
        moves.push(MoveRecord {
            point: text::point(square),
            ms: u64::try_from(answer.used.as_millis()).unwrap_or(u64::MAX),
            // A part of a millisecond too late is too late.
            over: u64::try_from(answer.over.as_micros().div_ceil(1000)).unwrap_or(u64::MAX),
            kib: answer.memory.map_or(0, |bytes| bytes.div_ceil(1024)),
            note: answer.note.clone(),
        });
        watcher(referee, &answer);
        match verdict {
            Verdict::GoesOn => {}
            Verdict::Five => return Some((won_by(mover), End::Five)),
            Verdict::FullBoard => return Some((Outcome::Draw, End::FullBoard)),
            Verdict::Forbidden => return Some((won_by(mover.opponent()), End::Forbidden)),
        }
    }
}

fn won_by(color: Color) -> Outcome {
    match color {
        Color::Black => Outcome::Black,
        Color::White => Outcome::White,
    }
}

fn lost(color: Color, failure: Failure) -> Option<(Outcome, End)> {
    End::from_failure(failure).map(|end| (won_by(color.opponent()), end))
}
