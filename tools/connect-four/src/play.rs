//! A game in the terminal.
//!
//! Owns what the two ways to show it share: who sits where, taking back. `lines` is text that a
//! pipe can carry, `screen` a board with keys and mouse.

pub mod lines;
pub mod screen;

use crate::book::Book;
use crate::game::Game;
use crate::level::{Level, Player};
use crate::position::{Side, Size};
use crate::solver::Solver;

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// Whoever sits at the terminal.
    Human,
    /// The program.
    Level(Level),
}

impl Seat {
    /// The name, as it is written on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Seat::Human => "human",
            Seat::Level(level) => level.name(),
        }
    }
}

/// What is to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The board.
    pub size: Size,
    /// Columns, from 0, played already.
    pub moves: Vec<usize>,
    /// First and second.
    pub seats: [Seat; 2],
    /// Seed of what easy overlooks.
    pub seed: u64,
    /// Bytes of the table of positions.
    pub table_bytes: usize,
    /// Whether the built-in book is used.
    pub with_book: bool,
}

impl Setup {
    /// The game at its beginning.
    pub(crate) fn game(&self) -> Game {
        let mut game = Game::new(self.size);
        for &column in &self.moves {
            // The command line has checked them.
            let _ = game.play(column);
        }
        game
    }

    /// Who plays a side.
    pub(crate) const fn seat(&self, side: Side) -> Seat {
        match side {
            Side::First => self.seats[0],
            Side::Second => self.seats[1],
        }
    }

    /// A solver for a player, or for whoever asks for scores.
    pub(crate) fn solver(&self) -> Solver {
        let solver = Solver::new(self.size, self.table_bytes);
        if self.with_book { solver.with_book(Book::standard()) } else { solver }
    }

    /// The player of a level, with its own seed.
    pub(crate) fn player(&self, side: Side) -> Option<Player> {
        let seed = self.seed ^ u64::from(side == Side::Second);
        match self.seat(side) {
            Seat::Human => None,
            Seat::Level(level) => Some(Player::new(level, self.solver(), seed)),
        }
    }

    /// Moves to take back so that a human is to move again: 0 where there is no way.
    pub(crate) fn moves_to_take_back(&self, game: &Game) -> usize {
        let played = game.moves().len();
        let side_before = |count: usize| {
            if (played - count).is_multiple_of(2) { Side::First } else { Side::Second }
        };
        let is_human = |&count: &usize| self.seat(side_before(count)) == Seat::Human;
        (1..=played.min(2)).find(is_human).unwrap_or(0)
    }
}
