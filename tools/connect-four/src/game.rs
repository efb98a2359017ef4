//! A game as it is played: moves, taking back, the end.
//!
//! Owns the record. Must not know players or terminals.

use crate::position::{End, MoveError, Position, Side, Size};
use crate::text::column_name;

/// A game on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    size: Size,
    moves: Vec<usize>,
    position: Position,
}

impl Game {
    /// A game on the empty board.
    pub const fn new(size: Size) -> Game {
        Game { size, moves: Vec::new(), position: Position::empty() }
    }

    /// The board size.
    pub const fn size(&self) -> &Size {
        &self.size
    }

    /// The position now.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The columns played, from 0.
    pub fn moves(&self) -> &[usize] {
        &self.moves
    }

    /// The columns played, as text.
    pub fn record(&self) -> String {
        self.moves.iter().map(|&column| column_name(column)).collect()
    }

    /// Who moves.
    pub const fn side_to_move(&self) -> Side {
        self.position.side_to_move()
    }

    /// How it ended, if it has.
    pub const fn end(&self) -> Option<End> {
        self.position.end(&self.size)
    }

    /// Column and row, from 0, of the stone played last.
    pub fn last_stone(&self) -> Option<(usize, usize)> {
        let &column = self.moves.last()?;
        Some((column, self.position.height(&self.size, column).checked_sub(1)?))
    }

    /// Plays a column.
    ///
    /// # Errors
    /// When it cannot be played; the game stays as it is.
    pub fn play(&mut self, column: usize) -> Result<(), MoveError> {
        self.position.play(&self.size, column)?;
        self.moves.push(column);
        Ok(())
    }

    /// Takes back so many moves, or all there are.
    pub fn take_back(&mut self, count: usize) {
        let kept = self.moves.len().saturating_sub(count);
        let moves = std::mem::take(&mut self.moves);
        *self = Game::new(self.size);
        for column in moves.into_iter().take(kept) {
            // They were legal before.
            let _ = self.play(column);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_taken_back_leave_the_game_as_it_was() {
        let mut game = Game::new(Size::standard());
        for column in [3, 3, 2] {
            game.play(column).unwrap();
        }
        let before = game.clone();
        game.play(3).unwrap();
        assert_eq!((game.record().as_str(), game.last_stone()), ("4434", Some((3, 2))));
        game.take_back(1);
        assert_eq!(game, before);
        game.take_back(9);
        assert_eq!(game, Game::new(Size::standard()));
    }

    #[test]
    fn a_refused_move_changes_nothing_and_a_full_board_is_a_draw() {
        let mut game = Game::new(Size::try_new(1, 2).unwrap());
        assert_eq!(game.play(1), Err(MoveError::NoColumn(2)));
        game.play(0).unwrap();
        game.play(0).unwrap();
        assert_eq!(game.end(), Some(End::Full));
        assert_eq!(game.play(0), Err(MoveError::Over));
        assert_eq!(game.record(), "11");
    }
}
