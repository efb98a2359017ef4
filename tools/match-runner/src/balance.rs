//! Which openings a search finds even.
//!
//! Owns asking a brain about each. Must not know files or how results are shown.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, anyhow};
use manager::brain::Brain;
use manager::settings::{EngineSettings, GameSettings};

use crate::opening::Opening;

/// What a brain last said about a position with the side to move ahead by so much, as it was
/// written: `145`, or `+M9`.
pub type Judgement = String;

/// Asks an engine about each opening, with so many processes; none where the run was stopped.
///
/// # Errors
/// When the engine cannot be started, fails, or says no evaluation.
pub fn judge(
    engine: &EngineSettings,
    game: &GameSettings,
    openings: &[Opening],
    concurrency: usize,
    stop: &AtomicBool,
) -> Result<Option<Vec<Judgement>>> {
    let queue: Mutex<VecDeque<usize>> = Mutex::new((0..openings.len()).collect());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let work = || -> Result<Vec<(usize, Judgement)>> {
        let mut brain = Brain::spawn(engine, game, stop, None)
            .with_context(|| format!("cannot start {}", engine.command.join(" ")))?;
        let mut found = Vec::new();
        while !stop.load(Ordering::Relaxed)
            && let Some(index) = next()
        {
            // What it found out about one opening must not help with another.
            brain.new_game().map_err(|failure| anyhow!("{}: {failure:?}", engine.name))?;
            let answer = brain.think(&openings[index]);
            let answer = answer.map_err(|failure| anyhow!("{}: {failure:?}", engine.name))?;
            let eval = answer.note.eval;
            let eval = eval.with_context(|| format!("{} says no evaluation", engine.name))?;
            found.push((index, eval));
        }
        brain.finish();
        Ok(found)
    };
    let parts: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..concurrency.max(1)).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(thread::ScopedJoinHandle::join).collect()
    });
    let mut judgements = vec![None; openings.len()];
    for part in parts {
        for (index, eval) in part.map_err(|_| anyhow!("a worker panicked"))?? {
            judgements[index] = Some(eval);
        }
    }
    Ok(judgements.into_iter().collect())
}

/// Whether neither side is ahead by more than so much; whoever has a proven win is.
pub fn is_even(judgement: &str, most: u32) -> bool {
    judgement
        .trim_start_matches('+')
        .parse::<i64>()
        .is_ok_and(|eval| eval.unsigned_abs() <= u64::from(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proven_wins_and_what_is_no_number_are_not_even() {
        for (judgement, expected) in
            [("0", true), ("+60", true), ("-60", true), ("61", false), ("-61", false)]
        {
            assert_eq!(is_even(judgement, 60), expected, "{judgement}");
        }
        for judgement in ["+M9", "-M12", "", "even", "99999999999999999999"] {
            assert!(!is_even(judgement, u32::MAX), "{judgement}");
        }
    }
}
