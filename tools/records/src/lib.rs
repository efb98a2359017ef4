//! Records of games: one compact binary format, its reader and its writer.
//!
//! Owns what a byte of a record file means. Must not know how games are played, by whom, or
//! what is learned from them. Start with [`Game`], then [`mod@format`], which draws the bytes;
//! [`Reader`] trusts nothing in a file, [`Writer`] can be cut off at any byte. Version 2 is
//! written, version 1 is read as well.
//!
//! ```
//! use records::{End, Game, Move, Reader, encode_file};
//! use tengen::base::score::Score;
//! use tengen::types::{color::Color, rule::Rule, size::BoardSize, square::Square};
//!
//! let game = Game {
//!     number: 7,
//!     rule: Rule::Freestyle,
//!     size: BoardSize::square(15),
//!     opening: 1,
//!     moves: vec![
//!         Move::plain(Square::new(7, 7)),
//!         Move { score: Some(Score::eval(-12)), ..Move::plain(Square::new(8, 8)) },
//!     ],
//!     winner: Some(Color::Black),
//!     end: End::Adjudicated,
//! };
//! let bytes = encode_file("an example", [&game]);
//! let mut reader = Reader::new(bytes).unwrap();
//! assert_eq!(reader.games().collect::<Vec<_>>(), [game]);
//! assert_eq!(reader.damage().bytes(), 0);
//! ```

pub mod format;
pub mod game;
pub mod games;
pub mod reader;
pub mod writer;

#[cfg(test)]
mod tests;

pub use format::FormatError;
pub use game::{End, Game, Move, Verdict};
pub use games::{Games, is_held_out};
pub use reader::{Damage, Reader};
pub use writer::{Writer, encode_file};
