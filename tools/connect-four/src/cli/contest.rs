//! The command `match`.

use std::io::Write;
use std::time::Instant;

use anyhow::Result;

use super::{Bar, MatchOptions};
use crate::contest::{self, Settings, Tally};
use crate::level::{Level, Player};

pub(super) fn run(options: &MatchOptions, out: &mut impl Write) -> Result<()> {
    let settings = Settings {
        size: options.common.size,
        games: options.games,
        opening: options.opening,
        seed: options.seed,
    };
    let player = |level: Level| Player::new(level, options.common.solver(), options.seed);
    let mut players = [player(options.one), player(options.other)];
    let start = Instant::now();
    let length = u64::from(options.games.next_multiple_of(2));
    let mut bar = Bar::new(length);
    let words = |tally: &Tally| {
        let Tally { wins, draws, losses } = tally;
        let share = tally.per_mille();
        format!("+{wins} ={draws} -{losses}, {}.{} %", share / 10, share % 10)
    };
    let tally = contest::play(&settings, &mut players, &mut |tally| {
        bar.show(tally.games().into(), length, &format!("games, {}", words(tally)));
    });
    drop(bar);
    let (one, other) = (options.one, options.other);
    let seconds = start.elapsed().as_secs();
    writeln!(out, "{one} - {other}: {} of {} games, {seconds} s", words(&tally), tally.games())?;
    Ok(())
}
