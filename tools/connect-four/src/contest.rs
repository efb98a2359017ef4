//! Matches between levels.
//!
//! Owns openings and counting. Must not know terminals.
//!
//! Each opening is played twice, each level moving first once. Openings are random moves, none
//! of which decides the game at once.

use std::time::Instant;

use tengen::base::control::{Control, Deadline};
use tengen::base::rng::Rng;

use crate::game::Game;
use crate::level::Player;
use crate::position::{End, Side, Size};

/// What a match is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The board.
    pub size: Size,
    /// Games; an odd one more is rounded up.
    pub games: u32,
    /// Random moves before the first one that counts.
    pub opening: u32,
    /// Seed of the openings.
    pub seed: u64,
}

/// Results of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Tally {
    /// Games played.
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Share of the points in tenths of a percent.
    pub const fn per_mille(&self) -> u32 {
        let games = if self.games() == 0 { 1 } else { self.games() };
        (2 * self.wins + self.draws) * 500 / games
    }
}

/// Plays a match; the tally is the first player's. `report` is told after each game.
pub fn play(
    settings: &Settings,
    players: &mut [Player; 2],
    report: &mut impl FnMut(&Tally),
) -> Tally {
    let mut rng = Rng::new(settings.seed);
    let mut tally = Tally::default();
    let control = Control::new(Deadline::unlimited(Instant::now()), None);
    for _ in 0..settings.games.div_ceil(2) {
        let opening = opening(settings, &mut rng);
        for first in 0..2 {
            let mut game = opening.clone();
            while game.end().is_none() {
                let is_first = game.side_to_move() == Side::First;
                let player = &mut players[if is_first { first } else { 1 - first }];
                let column = player.choose(game.position(), &control);
                if column.is_none_or(|column| game.play(column).is_err()) {
                    break;
                }
            }
            let winner = match game.end() {
                Some(End::Won(Side::First)) => Some(first),
                Some(End::Won(Side::Second)) => Some(1 - first),
                _ => None,
            };
            match winner {
                Some(0) => tally.wins += 1,
                Some(_) => tally.losses += 1,
                None => tally.draws += 1,
            }
            report(&tally);
        }
    }
    tally
}

/// Random moves after which neither side has won or wins with its next stone.
fn opening(settings: &Settings, rng: &mut Rng) -> Game {
    let size = settings.size;
    // A board may be so small that there is no such opening: then a shorter one.
    for tries in 0.. {
        let length = settings.opening.saturating_sub(tries / 100);
        let mut game = Game::new(size);
        while game.position().stones() < length && game.end().is_none() {
            // A full column is drawn again.
            let _ = game.play(rng.below(size.columns()));
        }
        let position = game.position();
        let is_open =
            game.end().is_none() && position.wins(&size) == 0 && position.threatened(&size) == 0;
        if is_open || length == 0 {
            return game;
        }
    }
    Game::new(size)
}

#[cfg(test)]
mod tests;
