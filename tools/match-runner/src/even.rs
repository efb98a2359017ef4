//! Which openings a search finds even.
//!
//! Owns asking brains about each. Must not know files or how results are shown.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use manager::brain::Brain;
use manager::settings::{EngineSettings, GameSettings};

use crate::opening::Opening;
use crate::record::End;

/// How far the side to move is ahead, as a brain writes it: `145`, or `+M9`.
pub type Judgement = String;

/// Asks an engine about each opening, with so many processes; `heard` is told of each. None when
/// the run was stopped.
///
/// # Errors
/// When the engine cannot be started, fails, or says no evaluation.
pub fn judge(
    engine: &EngineSettings,
    game: &GameSettings,
    openings: &[Opening],
    concurrency: usize,
    stop: &AtomicBool,
    mut heard: impl FnMut(&Judgement),
) -> Result<Option<Vec<Judgement>>> {
    let next = AtomicUsize::new(0);
    let work = |sender: Sender<(usize, Judgement)>| -> Result<()> {
        let mut brain = Brain::spawn(engine, game, stop, None)
            .with_context(|| format!("cannot start {}", engine.command.join(" ")))?;
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(opening) = openings.get(index) else { break };
            let Some(judgement) = ask(&mut brain, engine, opening)? else { break };
            // It fails only when nobody waits for it any more.
            let _ = sender.send((index, judgement));
        }
        brain.finish();
        Ok(())
    };
    let mut judgements = vec![None; openings.len()];
    thread::scope(|scope| -> Result<()> {
        let (sender, receiver) = mpsc::channel();
        let start = |sender: Sender<_>| {
            // What one cannot do the others need not go on with.
            let done =
                |result: Result<()>| result.inspect_err(|_| stop.store(true, Ordering::Relaxed));
            scope.spawn(move || done(work(sender)))
        };
        let threads: Vec<_> = (0..concurrency.max(1)).map(|_| start(sender.clone())).collect();
        drop(sender);
        for (index, judgement) in receiver {
            heard(&judgement);
            judgements[index] = Some(judgement);
        }
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().map_err(|_| anyhow!("a worker panicked"))?)
    })?;
    Ok(judgements.into_iter().collect())
}

/// Asks about one opening, of which a brain knows nothing from others; none when it was stopped.
fn ask(
    brain: &mut Brain<'_>,
    engine: &EngineSettings,
    opening: &Opening,
) -> Result<Option<Judgement>> {
    let name = &engine.name;
    match brain.new_game().and_then(|()| brain.think(opening)) {
        Ok(answer) => {
            answer.note.eval.map(Some).with_context(|| format!("{name} says no evaluation"))
        }
        Err(failure) => match End::from_failure(failure) {
            Some(end) => bail!("{name}: {}", end.words()),
            None => Ok(None),
        },
    }
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
