//! The record of a game: which stone was placed when, by whom, and the position it makes.
//!
//! Owns legality of what a manager asks for (on the board, empty) and everything that is not
//! simply "play the next move": taking back any stone, positions set up in any order, walls,
//! games that go on after a five. Must not know why a move is played, nor any text. Start
//! reading at [`Game::rebuild`].

use std::fmt;

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
    /// No square is left to play.
    Full,
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::NoGame => write!(f, "no game has been started"),
            PlayError::Occupied(square) => write!(f, "square {square} is occupied"),
            PlayError::Empty(square) => write!(f, "no stone on square {square}"),
            PlayError::Full => write!(f, "no empty square is left"),
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
    /// A square was named twice.
    Duplicate(Square),
    /// No square is left to play.
    Full,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
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
    /// Everything on the board in the order it came.
    record: Vec<Stone>,
    /// The side the engine plays, once it is known.
    own: Option<Color>,
    position: Position,
}

impl Game {
    /// An empty board.
    pub fn new(size: BoardSize, rule: Rule, is_continuous: bool) -> Game {
        let position = Position::new(size, rule);
        Game { size, rule, is_continuous, record: Vec::new(), own: None, position }
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

    /// Takes every stone off.
    pub fn clear(&mut self) {
        self.record.clear();
        self.own = None;
        self.position = Position::new(self.size, self.rule);
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
        self.position = Position::new(self.size, self.rule);
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
mod tests {
    use super::*;

    fn sq(x: u8, y: u8) -> Square {
        Square::new(x, y)
    }

    fn game() -> Game {
        Game::new(BoardSize::square(15), Rule::Freestyle, false)
    }

    fn colors(game: &Game, squares: &[(u8, u8)]) -> Vec<Option<Color>> {
        squares.iter().map(|&(x, y)| game.position().color_at(sq(x, y))).collect()
    }

    #[test]
    fn stones_alternate_from_black() {
        let mut game = game();
        game.play_opponent(sq(7, 7)).unwrap();
        game.play_own(sq(8, 8)).unwrap();
        game.play_opponent(sq(6, 6)).unwrap();
        let expected = [Some(Color::Black), Some(Color::White), Some(Color::Black)];
        assert_eq!(colors(&game, &[(7, 7), (8, 8), (6, 6)]), expected);
        assert_eq!(game.play_own(sq(7, 7)), Err(PlayError::Occupied(sq(7, 7))));
        assert_eq!(game.position().side_to_move(), Color::White);
    }

    #[test]
    fn any_stone_can_be_taken_back() {
        let mut game = game();
        for (index, x) in (0..6).enumerate() {
            if index % 2 == 0 { game.play_opponent(sq(x, 0)) } else { game.play_own(sq(x, 0)) }
                .unwrap();
        }
        for x in [2, 5, 4, 3] {
            game.take_back(sq(x, 0)).unwrap();
            assert!(game.position().is_empty(sq(x, 0)));
        }
        assert_eq!(game.take_back(sq(2, 0)), Err(PlayError::Empty(sq(2, 0))));
        assert_eq!(game.position().stone_count(), 2);
        assert_eq!(game.position().side_to_move(), Color::Black);
        game.play_opponent(sq(9, 9)).unwrap();
        assert_eq!(colors(&game, &[(9, 9)]), [Some(Color::Black)]);
    }

    #[test]
    fn an_emptied_board_begins_with_black_again() {
        let mut game = game();
        game.take_turn();
        game.play_own(sq(7, 7)).unwrap();
        game.take_back(sq(7, 7)).unwrap();
        game.play_opponent(sq(3, 3)).unwrap();
        assert_eq!(colors(&game, &[(3, 3)]), [Some(Color::Black)]);
    }

    /// Checks the side to move, which is the engine's, after setting up these stones.
    fn check_own(text: &str, expected: Color) {
        let stones: Vec<_> = text
            .bytes()
            .zip(0u8..)
            .map(|(owner, x)| {
                let owner = match owner {
                    b'o' => Owner::Own,
                    b'x' => Owner::Opponent,
                    _ => Owner::Nobody,
                };
                (sq(x, 2 * (x % 3)), owner)
            })
            .collect();
        let mut game = game();
        game.set_up(&stones).unwrap();
        assert_eq!(game.position().side_to_move(), expected, "{text}");
        for (square, owner) in stones {
            let color = match owner {
                Owner::Own => Some(expected),
                Owner::Opponent => Some(expected.opponent()),
                Owner::Nobody => None,
            };
            assert_eq!(game.position().color_at(square), color, "{text} {square}");
            assert!(!game.position().is_empty(square));
        }
    }

    #[test]
    fn colors_of_a_position_follow_the_counts() {
        check_own("", Color::Black);
        check_own("oxox", Color::Black);
        check_own("xxoo", Color::Black);
        check_own("xox", Color::White);
        check_own("oxx", Color::White);
        check_own("ooox", Color::Black);
        check_own("xxxo", Color::White);
        check_own("-x-oo", Color::White);
        check_own("--", Color::Black);
    }

    #[test]
    fn a_bad_position_changes_nothing() {
        let mut game = game();
        game.play_opponent(sq(7, 7)).unwrap();
        let stones = [(sq(1, 1), Owner::Own), (sq(1, 1), Owner::Opponent)];
        assert_eq!(game.set_up(&stones), Err(SetupError::Duplicate(sq(1, 1))));
        assert_eq!(game.position().stone_count(), 1);
    }

    #[test]
    fn after_a_set_up_the_next_stone_told_is_the_opponents() {
        let mut game = game();
        game.set_up(&[(sq(7, 7), Owner::Own), (sq(8, 8), Owner::Opponent)]).unwrap();
        game.play_opponent(sq(1, 1)).unwrap();
        assert_eq!(colors(&game, &[(1, 1)]), [Some(Color::White)]);
        assert_eq!(game.position().side_to_move(), Color::Black);
    }

    #[test]
    fn a_finished_five_of_a_continuous_game_becomes_walls() {
        let mut game = Game::new(BoardSize::square(15), Rule::Freestyle, true);
        for x in 0..5 {
            game.play_opponent(sq(x, 3)).unwrap();
            if x < 4 {
                game.play_own(sq(x, 9)).unwrap();
            }
        }
        let position = game.position();
        assert_eq!(position.stone_count(), 4);
        assert!((0..5).all(|x| !position.is_empty(sq(x, 3))));
        assert_eq!(position.color_at(sq(0, 3)), None);
        assert_eq!(position.side_to_move(), Color::White);
        game.take_back(sq(4, 3)).unwrap();
        assert_eq!(game.position().stone_count(), 8);
        assert_eq!(game.position().color_at(sq(0, 3)), Some(Color::Black));
    }

    #[test]
    fn the_rule_can_change_in_a_game() {
        let mut game = game();
        game.play_opponent(sq(7, 7)).unwrap();
        game.set_rule(Rule::Renju, false);
        assert_eq!(game.position().rule(), Rule::Renju);
        assert_eq!(game.position().side_to_move(), Color::White);
        assert_eq!(game.position().stone_count(), 1);
    }
}
