//! A run: workers that play, one thread that writes, counts and shows.
//!
//! Owns threads, the record file, stopping and progress. Must not know the protocol or the
//! statistics' insides. Workers only play: files, tables and counting are left to the calling
//! thread, so that they never happen while a clock runs on the same thread.

use std::collections::{HashSet, VecDeque};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::brain::Brain;
use crate::game;
use crate::output::table;
use crate::record::{Entry, GameRecord, Identity, RecordFile};
use crate::schedule::Task;
use crate::settings::{EngineSettings, GameSettings};
use crate::sprt::{Decision, Sprt};
use crate::tally::Tally;
use crate::text;

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
    /// Games between two reports where there is no terminal to draw on.
    pub report_every: u64,
}

impl Run {
    /// Plays what is not played yet; gives the counts of all games.
    ///
    /// # Errors
    /// When a file or a program cannot be used. That an engine fails in play is a result.
    pub fn play(&self, stop: &Arc<AtomicBool>) -> Result<Tally> {
        let mut tally = Tally::new(self.engines.iter().map(|engine| engine.name.clone()));
        let mut file = None;
        if let Some(path) = &self.record {
            let (record, games) = RecordFile::open(path, &self.identity)?;
            file = Some(record);
            for game in &games {
                tally.add(game);
            }
            if !games.is_empty() {
                eprintln!("{}: {} games are played already", path.display(), tally.total());
            }
            let played: HashSet<String> = games.into_iter().map(|game| game.key).collect();
            let open = self.tasks.iter().filter(|task| !played.contains(&task.key));
            self.play_tasks(open.cloned().collect(), file, tally, stop)
        } else {
            self.play_tasks(self.tasks.iter().cloned().collect(), file, tally, stop)
        }
    }

    fn play_tasks(
        &self,
        open: VecDeque<Task>,
        mut file: Option<RecordFile>,
        mut tally: Tally,
        stop: &Arc<AtomicBool>,
    ) -> Result<Tally> {
        let mut progress = Progress::new(self.tasks.len(), open.len(), self.report_every);
        if self.is_decided(&tally) {
            progress.finish();
            return Ok(tally);
        }
        let queue = Mutex::new(open);
        let (sender, finished) = mpsc::channel();
        let quit = AtomicBool::new(false);
        let mut result = Ok(());
        thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let sender = sender.clone();
                let (queue, quit) = (&queue, &quit);
                scope.spawn(move || self.work(queue, &sender, stop, quit));
            }
            drop(sender);
            for message in finished {
                if quit.load(Ordering::Relaxed) {
                    continue;
                }
                result = message.and_then(|game| {
                    if let Some(file) = &mut file {
                        file.append(&Entry::Game(game.clone()))?;
                    }
                    tally.add(&game);
                    progress.show(&game, &tally, self.sprt.as_ref());
                    Ok(())
                });
                if result.is_err() || self.is_decided(&tally) {
                    quit.store(true, Ordering::Relaxed);
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
        progress.finish();
        result.map(|()| tally)
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
        queue: &Mutex<VecDeque<Task>>,
        sender: &Sender<Result<GameRecord>>,
        stop: &AtomicBool,
        quit: &AtomicBool,
    ) {
        while !stop.load(Ordering::Relaxed) && !quit.load(Ordering::Relaxed) {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(task) = next else { return };
            let played = self.play_one(&task, stop).transpose();
            // Without a game the run was stopped, and without a receiver it has ended.
            let Some(played) = played else { return };
            if sender.send(played).is_err() {
                return;
            }
        }
    }

    fn play_one(&self, task: &Task, stop: &AtomicBool) -> Result<Option<GameRecord>> {
        let spawn = |number: usize| {
            let engine = &self.engines[number];
            Brain::spawn(engine, &self.game, stop).with_context(|| {
                format!("cannot start {}: {}", engine.name, engine.command.join(" "))
            })
        };
        let mut brains = [spawn(task.black)?, spawn(task.white)?];
        let game = game::play(&mut brains, &task.opening, &self.game, &mut |_, _| {});
        for brain in brains {
            if game.is_some() {
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

/// What is shown while a run goes on: a table drawn over itself on a terminal, else a line now
/// and then.
#[derive(Debug)]
struct Progress {
    total: usize,
    before: usize,
    done: usize,
    every: u64,
    began: Instant,
    terminal: bool,
    drawn: usize,
    last: Option<Instant>,
}

impl Progress {
    fn new(total: usize, open: usize, every: u64) -> Progress {
        let terminal = io::stderr().is_terminal();
        let before = total - open;
        let began = Instant::now();
        Progress { total, before, done: 0, every, began, terminal, drawn: 0, last: None }
    }

    fn show(&mut self, game: &GameRecord, tally: &Tally, sprt: Option<&Sprt>) {
        self.done += 1;
        if game.end.is_abnormal() {
            self.clear();
            eprintln!("{} - {}: {}", game.black, game.white, game.end.words());
        }
        let played = self.before + self.done;
        let status = format!("Game {played} of {}, {}", self.total, self.remaining());
        if self.terminal {
            let recent = self.last.is_some_and(|last| last.elapsed() < Duration::from_millis(200));
            if recent && played < self.total {
                return;
            }
            self.clear();
            let text = format!("{}{status}\n", table::table(tally, sprt));
            eprint!("{text}");
            self.drawn = text.lines().count();
            self.last = Some(Instant::now());
        } else if (self.done as u64).is_multiple_of(self.every.max(1)) {
            let line = tally.only_pairing().and_then(|pairing| {
                let found = crate::elo::estimate(pairing.counts())?;
                let [lost, drawn, won] = pairing.games;
                let elo = table::elo_words(&found);
                let test = sprt.map(|sprt| format!(", LLR {:.2}", sprt.ratio(pairing.counts())));
                Some(format!(": +{won} ={drawn} -{lost}, Elo {elo}{}", test.unwrap_or_default()))
            });
            eprintln!("{status}{}", line.unwrap_or_default());
        }
    }

    /// Takes the drawn table off the terminal.
    fn clear(&mut self) {
        if self.drawn > 0 {
            // Up by the lines drawn, then erase to the end of the screen.
            eprint!("\x1b[{}A\x1b[J", self.drawn);
            let _ = io::stderr().flush();
            self.drawn = 0;
        }
    }

    fn finish(&mut self) {
        self.clear();
    }

    fn remaining(&self) -> String {
        let left = self.total.saturating_sub(self.before + self.done);
        let each = self.began.elapsed().as_secs_f64() / crate::elo::real(self.done as u64);
        let seconds = Duration::from_secs_f64(each * crate::elo::real(left as u64)).as_secs();
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        format!("{hours}:{minutes:02}:{seconds:02} to go")
    }
}
