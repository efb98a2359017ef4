//! What is shown while a run goes on.
//!
//! Owns the screen: a table drawn over itself on a terminal, else a line now and then, or JSON
//! lines on stdout for a script. Must not know how games are played.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::elo::{estimate, real};
use crate::output::{self, json, table};
use crate::record::GameRecord;
use crate::run::Observer;
use crate::sprt::Sprt;
use crate::tally::Tally;

/// How often a table on a terminal is drawn anew at most.
const REDRAW: Duration = Duration::from_millis(200);

/// How a run is reported.
#[derive(Clone, Debug, Default)]
pub struct Reporting {
    /// JSON lines on stdout instead of a table.
    pub json: bool,
    /// Games between two lines where no table can be drawn.
    pub every: u64,
    /// The test the run may stop by.
    pub sprt: Option<Sprt>,
    /// Known ratings by the engine's number.
    pub anchors: Vec<(usize, f64)>,
}

/// The observer of a run that shows it.
#[derive(Debug)]
pub struct Progress {
    reporting: Reporting,
    total: usize,
    before: usize,
    done: usize,
    began: Instant,
    terminal: bool,
    drawn: usize,
    last: Option<Instant>,
    /// All games in order, without their moves, for the plot.
    games: Vec<GameRecord>,
}

impl Progress {
    /// Progress of a run of `total` games.
    pub fn new(reporting: Reporting, total: usize) -> Progress {
        Progress {
            terminal: io::stderr().is_terminal() && !reporting.json,
            reporting,
            total,
            before: 0,
            done: 0,
            began: Instant::now(),
            drawn: 0,
            last: None,
            games: Vec::new(),
        }
    }

    /// Takes the drawn table off the terminal and gives the games, which have lost their moves.
    pub fn finish(mut self) -> Vec<GameRecord> {
        self.clear();
        self.games
    }

    fn draw(&mut self, tally: &Tally) {
        let status = self.status();
        self.clear();
        let table = table::table(tally, self.reporting.sprt.as_ref(), &self.reporting.anchors);
        let text = output::fitted(&format!("{table}{status}\n"));
        eprint!("{text}");
        self.drawn = text.lines().count();
        self.last = Some(Instant::now());
    }

    fn line(&self, tally: &Tally) {
        let sprt = self.reporting.sprt.as_ref();
        if self.reporting.json {
            let anchors = &self.reporting.anchors;
            let line = json::line("progress", tally, self.total, sprt, anchors);
            // A reader that has gone misses nothing; the record has it all.
            let _ = manager::output::print(&format!("{line}\n"));
            return;
        }
        let words = tally.only_pairing().and_then(|pairing| {
            let found = estimate(pairing.counts())?;
            let [lost, drawn, won] = pairing.games;
            let test = sprt.map(|sprt| format!(", LLR {:.2}", sprt.ratio(pairing.counts())));
            let (elo, test) = (table::elo_words(&found), test.unwrap_or_default());
            Some(format!(": +{won} ={drawn} -{lost}, Elo {elo}{test}"))
        });
        eprintln!("{}{}", self.status(), words.unwrap_or_default());
    }

    fn status(&self) -> String {
        let played = self.before + self.done;
        let left = self.total.saturating_sub(played);
        let each = self.began.elapsed().as_secs_f64() / real(self.done.max(1) as u64);
        let seconds = Duration::from_secs_f64(each * real(left as u64)).as_secs();
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        format!("Game {played} of {}, {hours}:{minutes:02}:{seconds:02} to go", self.total)
    }

    fn clear(&mut self) {
        if self.drawn > 0 {
            // Up by the lines drawn, then erase to the end of the screen.
            eprint!("\x1b[{}A\x1b[J", self.drawn);
            // A terminal that is gone need not be cleared.
            let _ = io::stderr().flush();
            self.drawn = 0;
        }
    }

    fn keep(&mut self, game: &GameRecord) {
        self.games.push(GameRecord { moves: Vec::new(), ..game.clone() });
    }
}

impl Observer for Progress {
    fn resumed(&mut self, games: &[GameRecord], tally: &Tally) {
        self.before = games.len();
        for game in games {
            self.keep(game);
        }
        eprintln!("{} games are in the record already", tally.total());
    }

    fn finished(&mut self, game: &GameRecord, tally: &Tally) {
        self.done += 1;
        self.keep(game);
        if game.end.is_abnormal() {
            self.clear();
            eprintln!("{} - {}: {}", game.black, game.white, game.end.words());
        }
        if self.terminal {
            let recent = self.last.is_some_and(|last| last.elapsed() < REDRAW);
            if !recent || self.drawn == 0 {
                self.draw(tally);
            }
        } else if (self.done as u64).is_multiple_of(self.reporting.every.max(1)) {
            self.line(tally);
        }
    }
}
