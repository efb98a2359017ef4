//! A run: workers that play, one thread that writes, counts and reports.
//!
//! Owns threads, the record file and stopping. Must not know the protocol, the statistics'
//! insides or how results are shown. Workers only play: files, tables and counting are left to
//! the calling thread, so that they never happen while a clock runs on the same thread.

use std::collections::{HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result};
use manager::brain::Brain;
use manager::settings::{EngineSettings, GameSettings};
use manager::text;

use crate::game;
use crate::record::{Entry, GameRecord, Identity, RecordFile};
use crate::schedule::Task;
use crate::sprt::{Decision, Sprt};
use crate::tally::Tally;

/// All a run needs.
#[derive(Debug)]
pub struct Run {
    /// What the record file says the run is.
    pub identity: Identity,
    /// The engines, numbered as in the tasks.
    pub engines: Vec<EngineSettings>,
    /// What all games share.
    pub game: GameSettings,
    /// The games.
    pub tasks: Vec<Task>,
    /// Games at the same time.
    pub concurrency: usize,
    /// The file games are written to, and resumed from.
    pub record: Option<PathBuf>,
    /// When to stop early.
    pub sprt: Option<Sprt>,
    /// Whether each worker keeps its brains on a processor of its own.
    pub pin: bool,
    /// Whether a brain that has ended a game in order plays the next one, too.
    pub keep: bool,
}

/// Who wants to hear of games.
pub trait Observer {
    /// These games were found in the record file.
    fn resumed(&mut self, games: &[GameRecord], tally: &Tally);
    /// A game was played and written.
    fn finished(&mut self, game: &GameRecord, tally: &Tally);
}

impl Run {
    /// Plays what is not played yet; gives the counts of all games.
    ///
    /// # Errors
    /// When a file or a program cannot be used. That an engine fails in play is a result.
    pub fn play(&self, stop: &Arc<AtomicBool>, observer: &mut dyn Observer) -> Result<Tally> {
        let mut tally = Tally::new(self.engines.iter().map(|engine| engine.name.clone()));
        let mut open: VecDeque<Task> = self.tasks.iter().cloned().collect();
        let mut file = None;
        if let Some(path) = &self.record {
            let (record, games) = RecordFile::open(path, &self.identity)?;
            file = Some(record);
            let games: Vec<GameRecord> = games.into_iter().filter(|game| tally.add(game)).collect();
            let played: HashSet<&str> = games.iter().map(|game| game.key.as_str()).collect();
            open.retain(|task| !played.contains(task.key.as_str()));
            if !games.is_empty() {
                observer.resumed(&games, &tally);
            }
        }
        if !self.is_decided(&tally) {
            self.play_tasks(open, file, &mut tally, stop, observer)?;
        }
        Ok(tally)
    }

    fn play_tasks(
        &self,
        open: VecDeque<Task>,
        mut file: Option<RecordFile>,
        tally: &mut Tally,
        stop: &Arc<AtomicBool>,
        observer: &mut dyn Observer,
    ) -> Result<()> {
        let queue = Mutex::new(open);
        let (sender, finished) = mpsc::channel();
        // What is still being played when the run is decided or broken is given up.
        let mut over = false;
        let mut result = Ok(());
        thread::scope(|scope| {
            for number in 0..self.concurrency.max(1) {
                let sender = sender.clone();
                let queue = &queue;
                scope.spawn(move || self.work(number, queue, &sender, stop));
            }
            drop(sender);
            for message in finished {
                if over {
                    continue;
                }
                result = message.and_then(|game| {
                    if let Some(file) = &mut file {
                        file.append(&Entry::Game(game.clone()))?;
                    }
                    tally.add(&game);
                    observer.finished(&game, tally);
                    Ok(())
                });
                if result.is_err() || self.is_decided(tally) {
                    over = true;
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
        result
    }

    /// Whether games are left to play.
    pub fn is_open(&self, tally: &Tally) -> bool {
        !self.is_decided(tally) && tally.total() < self.tasks.len() as u64
    }

    fn is_decided(&self, tally: &Tally) -> bool {
        let ratio = self.sprt.zip(tally.only_pairing()).map(|(sprt, pairing)| {
            // Half a pair proves little and would make pairs and games trade places.
            let ready = pairing.total_pairs() > 0;
            ready && sprt.decide(sprt.ratio(&pairing.pairs)) != Decision::Continue
        });
        ratio.unwrap_or(false)
    }

    fn work(
        &self,
        number: usize,
        queue: &Mutex<VecDeque<Task>>,
        sender: &Sender<Result<GameRecord>>,
        stop: &AtomicBool,
    ) {
        // Brains that wait for their next game, by the number of the engine.
        let mut kept: Vec<Option<Brain<'_>>> = self.engines.iter().map(|_| None).collect();
        while !stop.load(Ordering::Relaxed) {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(task) = next else { return };
            let played = self.play_one(&task, number, stop, &mut kept).transpose();
            // Without a game the run was stopped, and without a receiver it has ended.
            let Some(played) = played else { return };
            if sender.send(played).is_err() {
                return;
            }
        }
    }

    fn play_one<'a>(
        &'a self,
        task: &Task,
        number: usize,
        stop: &'a AtomicBool,
        kept: &mut [Option<Brain<'a>>],
    ) -> Result<Option<GameRecord>> {
        let mut brain = |engine: usize| {
            if let Some(brain) = kept[engine].take() {
                return Ok(brain);
            }
            let engine = &self.engines[engine];
            let (name, command) = (&engine.name, engine.command.join(" "));
            Brain::spawn(engine, &self.game, stop, self.pin.then_some(number))
                .with_context(|| format!("cannot start {name}: {command}"))
        };
        let mut brains = [brain(task.black)?, brain(task.white)?];
        let game = game::play(&mut brains, &task.opening, &self.game, &mut |_, _| {});
        let in_order = game.as_ref().is_some_and(|game| !game.end.is_abnormal());
        for (brain, engine) in brains.into_iter().zip([task.black, task.white]) {
            if in_order && self.keep {
                kept[engine] = Some(brain);
            } else if game.is_some() {
                brain.finish();
            } else {
                brain.kill();
            }
        }
        Ok(game.map(|game| GameRecord {
            key: task.key.clone(),
            pair: task.pair,
            half: task.half,
            rule: text::rule_number(self.game.rule),
            size: self.game.size.width(),
            black: self.engines[task.black].name.clone(),
            white: self.engines[task.white].name.clone(),
            opening: text::moves(&task.opening),
            moves: game.moves,
            outcome: game.outcome,
            end: game.end,
            started: game.started,
            took_ms: game.took_ms,
            last_lines: game.last_lines,
        }))
    }
}
