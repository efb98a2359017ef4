//! What is told of a run: how far it is, and what came out.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use records::End;
use tengen::types::color::Color;

use crate::run::{Goal, Tally};

/// Time between lines where there is no terminal to draw on.
const LINE_EVERY: Duration = Duration::from_mins(1);

/// What tells how far it is: a bar on a terminal, lines elsewhere.
pub(crate) struct Progress {
    bar: ProgressBar,
    goal: Goal,
    start: Instant,
    last_line: Instant,
    /// Positions that were there before this run began.
    found: Option<u64>,
}

impl Progress {
    pub(crate) fn new(goal: Goal) -> Progress {
        let (Goal::Games(length) | Goal::Positions(length)) = goal;
        let template = "{bar:30} {pos}/{len} {msg}, {elapsed} gone, {eta} to go";
        let style = ProgressStyle::with_template(template);
        let bar = ProgressBar::new(length)
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let start = Instant::now();
        Progress { bar, goal, start, last_line: start, found: None }
    }

    pub(crate) fn show(&mut self, tally: &Tally) {
        let found = *self.found.get_or_insert(tally.positions);
        let (done, unit) = match self.goal {
            Goal::Games(_) => (tally.games, "games"),
            Goal::Positions(_) => (tally.positions, "positions"),
        };
        let rate = per_second(tally.positions - found, self.start.elapsed());
        self.bar.set_position(done);
        self.bar.set_message(format!("{unit}, {rate} positions/s"));
        if !io::stderr().is_terminal() && self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            let (games, positions) = (tally.games, tally.positions);
            // What cannot be told is no reason to stop.
            let line = format!("{games} games, {positions} positions, {rate} positions/s\n");
            let _ = io::stderr().write_all(line.as_bytes());
        }
    }

    /// What came out, in words; ends the bar.
    pub(crate) fn summary(&self, all: &Tally, before: &Tally, threads: usize) -> String {
        self.bar.finish_and_clear();
        let time = self.start.elapsed();
        let tenths = |number: u64| format!("{}.{}", number / 10, number % 10);
        let percent = |part: u64| tenths(part * 1000 / all.games.max(1));
        let drawn = all.games - all.wins[Color::Black] - all.wins[Color::White];
        let new = all.positions - before.positions;
        let mut lines = vec![
            format!(
                "{} games, {} positions searched, {} of them without a proven score",
                all.games, all.positions, all.open_positions
            ),
            format!(
                "Black won {}%, White {}%, drawn {}%; {} moves a game",
                percent(all.wins[Color::Black]),
                percent(all.wins[Color::White]),
                percent(drawn),
                tenths(all.moves * 10 / all.games.max(1)),
            ),
        ];
        let ends = End::ALL.map(|end| (end, all.ends[end as usize]));
        let ends = ends.into_iter().filter(|&(_, count)| count > 0);
        lines.extend(ends.map(|(end, count)| format!("  {end}: {count}")));
        lines.push(format!(
            "{new} positions now, {} a second, {} an hour and thread",
            per_second(new, time),
            per_second(new * 3600, time) / threads as u128
        ));
        lines.join("\n") + "\n"
    }
}

fn per_second(count: u64, time: Duration) -> u128 {
    u128::from(count) * 1_000_000 / time.as_micros().max(1)
}
