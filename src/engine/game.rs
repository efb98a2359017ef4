//! The record of a game: which stone was placed when, by whom, and the position it makes.
//!
//! Owns legality of what a manager asks for (on the board, empty) and everything that is not
//! simply "play the next move": taking back any stone, positions set up in any order, walls,
//! games that go on after a five. Must not know why a move is played, nor any text. Start
//! reading at [`Game`].

use std::fmt;

use crate::eval::Evaluation;
use crate::position::Position;
use crate::types::color::{ByColor, Color};
use crate::types::direction::Direction;
use crate::types::rule::Rule;
use crate::types::size::BoardSize;
use crate::types::square::{Square, SquareSet};

/// Why a stone could not be placed or removed, or no move be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// There is no game.
    NoGame,
    /// The square is taken.
    Occupied(Square),
    /// There is no stone on the square.
    Empty(Square),
    /// No square is left to play, or one where two are asked for.
    Full,
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::NoGame => write!(f, "no game has been started"),
            PlayError::Occupied(square) => write!(f, "square {square} is occupied"),
            PlayError::Empty(square) => write!(f, "no stone on square {square}"),
            PlayError::Full => write!(f, "not enough empty squares are left"),
        }
    }
}

impl std::error::Error for PlayError {}

/// Whose a stone of a position to be set up is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The engine's.
    Own,
    /// The other side's.
    Opponent,
    /// Nobody's: the square cannot be played and counts for neither side.
    Nobody,
}

/// Why a position could not be set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// There is no game.
    NoGame,
    /// A square was named twice.
    Duplicate(Square),
    /// No square is left to play.
    Full,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::NoGame => PlayError::NoGame.fmt(f),
            SetupError::Duplicate(square) => write!(f, "square {square} is given twice"),
            SetupError::Full => PlayError::Full.fmt(f),
        }
    }
}

impl std::error::Error for SetupError {}

/// A square as it was filled; walls have no color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stone {
    square: Square,
    color: Option<Color>,
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Game {
    size: BoardSize,
    rule: Rule,
    is_continuous: bool,
    evaluation: Evaluation,
    /// Everything on the board in the order it came.
    record: Vec<Stone>,
    /// The side the engine plays, once it is known.
    own: Option<Color>,
    position: Position,
}

impl Game {
    /// An empty board.
    pub fn new(size: BoardSize, rule: Rule, is_continuous: bool, evaluation: Evaluation) -> Game {
        let position = Position::with(size, rule, evaluation);
        Game { size, rule, is_continuous, evaluation, record: Vec::new(), own: None, position }
    }

    /// The size of the board.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The position as the search should see it.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Goes on by another rule.
    pub fn set_rule(&mut self, rule: Rule, is_continuous: bool) {
        if (rule, is_continuous) != (self.rule, self.is_continuous) {
            self.rule = rule;
            self.is_continuous = is_continuous;
            self.rebuild(self.position.side_to_move());
        }
    }

    /// Goes on with another kind of evaluation.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        if evaluation != self.evaluation {
            self.evaluation = evaluation;
            self.rebuild(self.position.side_to_move());
        }
    }

    /// Takes every stone off.
    pub fn clear(&mut self) {
        self.record.clear();
        self.own = None;
        self.position = Position::with(self.size, self.rule, self.evaluation);
    }

    /// Makes the side to move the engine's: it is asked for a move.
    pub fn take_turn(&mut self) {
        self.own = Some(self.position.side_to_move());
    }

    /// Places the engine's stone.
    ///
    /// # Errors
    /// [`PlayError::Occupied`].
    pub fn play_own(&mut self, square: Square) -> Result<(), PlayError> {
        let color = self.own.unwrap_or_else(|| self.position.side_to_move());
        self.place(square, color)?;
        self.own = Some(color);
        Ok(())
    }

    /// Places the opponent's stone, also a forbidden one: to judge is the manager's business.
    ///
    /// # Errors
    /// [`PlayError::Occupied`].
    pub fn play_opponent(&mut self, square: Square) -> Result<(), PlayError> {
        let color = self.own.map_or_else(|| self.position.side_to_move(), Color::opponent);
        self.place(square, color)?;
        self.own = Some(color.opponent());
        Ok(())
    }

    /// Takes a stone off, wherever it stands in the record.
    ///
    /// Every stone is a ply, so the turn goes to the other side.
    ///
    /// # Errors
    /// [`PlayError::Empty`].
    pub fn take_back(&mut self, square: Square) -> Result<(), PlayError> {
        let index = self.record.iter().rposition(|stone| stone.square == square);
        self.record.remove(index.ok_or(PlayError::Empty(square))?);
        if self.record.is_empty() {
            self.clear();
        } else {
            self.rebuild(self.position.side_to_move().opponent());
        }
        Ok(())
    }

    /// Replaces the position; the engine is to move.
    ///
    /// The engine has Black when both sides have as many stones, White when the opponent has
    /// one more, and otherwise the side that makes the stone listed first a black one.
    ///
    /// # Errors
    /// [`SetupError`]; the position stays as it was.
    pub fn set_up(&mut self, stones: &[(Square, Owner)]) -> Result<(), SetupError> {
        let mut seen = SquareSet::EMPTY;
        for &(square, _) in stones {
            if seen.contains(square) {
                return Err(SetupError::Duplicate(square));
            }
            seen.insert(square);
        }
        if seen.len() == self.size.area() {
            return Err(SetupError::Full);
        }
        let count = |owner| stones.iter().filter(|stone| stone.1 == owner).count();
        let (own_count, opponent_count) = (count(Owner::Own), count(Owner::Opponent));
        let own = if own_count == opponent_count {
            Color::Black
        } else if opponent_count == own_count + 1 {
            Color::White
        } else {
            match stones.iter().find(|stone| stone.1 != Owner::Nobody) {
                Some((_, Owner::Opponent)) => Color::White,
                _ => Color::Black,
            }
        };
        let color = |owner| match owner {
            Owner::Own => Some(own),
            Owner::Opponent => Some(own.opponent()),
            Owner::Nobody => None,
        };
        self.record =
            stones.iter().map(|&(square, owner)| Stone { square, color: color(owner) }).collect();
        self.own = Some(own);
        self.rebuild(own);
        Ok(())
    }

    /// The squares where the side to move would commit a foul.
    pub fn forbidden(&self) -> Vec<Square> {
        let mut position = self.position.clone();
        let empty = position.empty_squares();
        empty.iter().filter(|&square| position.is_forbidden(square)).collect()
    }

    /// Every square of the record, in order.
    pub fn squares(&self) -> Vec<Square> {
        self.record.iter().map(|stone| stone.square).collect()
    }

    /// Moves the side to move may still have to make.
    pub fn moves_left(&self) -> u32 {
        let empty = self.position.empty_squares().len();
        u32::try_from(empty.div_ceil(2)).unwrap_or(u32::MAX)
    }

    fn place(&mut self, square: Square, color: Color) -> Result<(), PlayError> {
        if !self.position.is_empty(square) {
            return Err(PlayError::Occupied(square));
        }
        self.record.push(Stone { square, color: Some(color) });
        if color == self.position.side_to_move() && !self.is_continuous {
            self.position.play(square);
        } else {
            self.rebuild(color.opponent());
        }
        Ok(())
    }

    /// Makes the position anew from the record, with `side` to move.
    ///
    /// Walls must stand before the first stone. In a continuous game a stone can turn others
    /// into walls, so the replay begins again with these walls each time it meets one.
    fn rebuild(&mut self, side: Color) {
        let mut walls: SquareSet =
            self.record.iter().filter(|stone| stone.color.is_none()).map(|s| s.square).collect();
        let mut checked = 0;
        while let Some((index, spent)) = self.replay(&walls, checked) {
            walls = walls.or(&spent);
            checked = index + 1;
        }
        if self.position.side_to_move() != side {
            self.position.set_side_to_move(side);
        }
    }

    /// Replays the record on a board with these walls; stops at the first stone from index
    /// `from` on that spends squares, with its index and those squares.
    fn replay(&mut self, walls: &SquareSet, from: usize) -> Option<(usize, SquareSet)> {
        self.position = Position::with(self.size, self.rule, self.evaluation);
        for square in walls {
            self.position.wall(square);
        }
        let mut stones = ByColor::new(SquareSet::EMPTY, SquareSet::EMPTY);
        for (index, stone) in self.record.iter().enumerate() {
            let Some(color) = stone.color.filter(|_| !walls.contains(stone.square)) else {
                continue;
            };
            if self.position.side_to_move() != color {
                self.position.set_side_to_move(color);
            }
            let spends = self.is_continuous && index >= from;
            let is_five = spends && self.position.makes_five(stone.square);
            let is_foul = spends && !is_five && self.position.is_forbidden(stone.square);
            self.position.play(stone.square);
            stones[color].insert(stone.square);
            if is_five {
                return Some((index, lines_of_five(&stones[color], stone.square)));
            }
            if is_foul {
                return Some((index, std::iter::once(stone.square).collect()));
            }
        }
        None
    }
}

/// The stones in every row of five or more through a square, that square included.
fn lines_of_five(stones: &SquareSet, square: Square) -> SquareSet {
    let mut all: SquareSet = std::iter::once(square).collect();
    for direction in Direction::ALL {
        let mut row: SquareSet = std::iter::once(square).collect();
        for sign in [-1, 1] {
            let mut at = square.offset(direction.delta(), sign);
            while stones.contains(at) {
                row.insert(at);
                at = at.offset(direction.delta(), sign);
            }
        }
        if row.len() >= 5 {
            all = all.or(&row);
        }
    }
    all
}

#[cfg(test)]
mod tests;
