//! Legality and end of a game, the same for both sides.
//!
//! Owns the course of a running game; what wins and what is forbidden is asked of the engine's
//! own rules, so that games end here as they do at Gomocup. Must not know brains, clocks or text.

use tengen::eval::Evaluation;
use tengen::position::Position;
use tengen::rule::win::winning_row;
use tengen::types::color::Color;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

/// What a move on an empty square leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The game goes on.
    GoesOn,
    /// The mover has won.
    Five,
    /// No empty square is left.
    FullBoard,
    /// The mover has lost: a foul under renju.
    Forbidden,
}

/// A game's board, judged by its rule.
#[derive(Clone, Debug)]
pub struct Referee {
    position: Position,
    moves: Vec<Square>,
}

impl Referee {
    /// An empty board.
    pub fn new(size: BoardSize, rule: Rule) -> Referee {
        Referee { position: Position::with(size, rule, Evaluation::Classical), moves: Vec::new() }
    }

    /// The moves so far, the opening's among them.
    pub fn moves(&self) -> &[Square] {
        &self.moves
    }

    /// The side that moves next.
    pub fn side_to_move(&self) -> Color {
        self.position.side_to_move()
    }

    /// The empty square at a point a brain named, if it is one.
    pub fn empty_square(&self, x: i64, y: i64) -> Option<Square> {
        let square = Square::on_board(self.position.size(), x, y)?;
        self.position.is_empty(square).then_some(square)
    }

    /// Puts the next stone on an empty square, as [`Referee::empty_square`] gives them.
    pub fn play(&mut self, square: Square) -> Verdict {
        let five = self.position.makes_five(square);
        let forbidden = !five && self.position.is_forbidden(square);
        self.position.play(square);
        self.moves.push(square);
        if five {
            Verdict::Five
        } else if forbidden {
            Verdict::Forbidden
        } else if self.position.is_full() {
            Verdict::FullBoard
        } else {
            Verdict::GoesOn
        }
    }

    /// A square where the side to move wins at once, if there is one.
    pub fn winning_square(&self) -> Option<Square> {
        self.position.empty_squares().iter().find(|&square| self.position.makes_five(square))
    }

    /// The empty squares on which the side to move loses at once.
    pub fn forbidden_squares(&mut self) -> Vec<Square> {
        let empty = self.position.empty_squares();
        empty.iter().filter(|&square| self.position.is_forbidden(square)).collect()
    }

    /// The row that the last move won by; none if it did not win.
    pub fn winning_row(&self) -> Option<Vec<Square>> {
        let last = *self.moves.last()?;
        winning_row(self.position.rule(), self.position.board(), last)
    }
}

#[cfg(test)]
mod tests;
