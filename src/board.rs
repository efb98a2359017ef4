//! The board: stones, whose turn it is, the record of moves, the key of the position.
//!
//! Owns where stones stand. Must not know patterns, evaluation or search: it tells an observer
//! about each stone and learns nothing back. Start with [`Board::place`].

pub mod candidates;
pub mod check;
pub mod lines;
pub mod text;
pub mod zobrist;

use crate::board::lines::{EMPTY, Lines, stone_bits};
use crate::types::color::Color;
use crate::types::size::BoardSize;
use crate::types::square::{Square, SquareSet};

/// Hears of every stone that is placed or removed, after the board has changed.
pub trait BoardObserver {
    /// A stone was placed.
    fn on_place(&mut self, board: &Board, square: Square, color: Color);
    /// A stone was removed; stones are removed in the reverse order of placing only.
    fn on_remove(&mut self, board: &Board, square: Square, color: Color);
}

/// Nobody listens.
impl BoardObserver for () {
    #[inline]
    fn on_place(&mut self, _: &Board, _: Square, _: Color) {}
    #[inline]
    fn on_remove(&mut self, _: &Board, _: Square, _: Color) {}
}

/// One entry of the record: a stone, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    square: Option<Square>,
    /// What was near before.
    near: SquareSet,
}

/// Stones on a board, in the order they were placed.
#[derive(Clone, Debug)]
pub struct Board {
    size: BoardSize,
    lines: Lines,
    empty: SquareSet,
    /// Squares near a stone, on the board or not, empty or not.
    near: SquareSet,
    side_to_move: Color,
    key: u64,
    steps: Vec<Step>,
    stone_count: usize,
    wall_count: usize,
}

impl Board {
    /// An empty board, Black to move.
    pub fn new(size: BoardSize) -> Board {
        let mut lines = Lines::walls();
        let empty = SquareSet::board(size);
        for square in &empty {
            lines.flip(square, EMPTY);
        }
        Board {
            size,
            lines,
            empty,
            near: SquareSet::EMPTY,
            side_to_move: Color::Black,
            key: 0,
            steps: Vec::with_capacity(size.area() + 1),
            stone_count: 0,
            wall_count: 0,
        }
    }

    /// Width and height.
    #[inline]
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The bit lines.
    #[inline]
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// Who is to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The key of stones, walls and side to move.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The key of the position after the side to move has played on an empty square.
    #[inline]
    pub fn key_after(&self, square: Square) -> u64 {
        self.key ^ zobrist::stone(self.side_to_move, square) ^ zobrist::WHITE_TO_MOVE
    }

    /// The empty squares.
    #[inline]
    pub fn empty(&self) -> &SquareSet {
        &self.empty
    }

    /// Whether a square is on the board and holds neither stone nor wall.
    #[inline]
    pub fn is_empty(&self, square: Square) -> bool {
        self.empty.contains(square)
    }

    /// Number of stones, both colors.
    #[inline]
    pub fn stone_count(&self) -> usize {
        self.stone_count
    }

    /// Whether no square is empty.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.stone_count + self.wall_count == self.size.area()
    }

    /// Whose stone stands on a square.
    #[inline]
    pub fn color_at(&self, square: Square) -> Option<Color> {
        match self.lines.cell(square) {
            0b01 => Some(Color::Black),
            0b10 => Some(Color::White),
            _ => None,
        }
    }

    /// The square of the last step, if it was no pass.
    #[inline]
    pub fn last_move(&self) -> Option<Square> {
        self.move_before(0)
    }

    /// The square placed `back` steps before the last one.
    #[inline]
    pub fn move_before(&self, back: usize) -> Option<Square> {
        let at = self.steps.len().checked_sub(back + 1)?;
        self.steps[at].square
    }

    /// Number of steps in the record, passes included.
    #[inline]
    pub fn step_count(&self) -> usize {
        self.steps.len()
    }

    /// The squares worth trying: the empty ones near a stone; on a board without stones, or
    /// with no empty square near any, the center or what is nearest to it.
    pub fn candidates(&self) -> SquareSet {
        let near = self.near.and(&self.empty);
        if !near.is_empty() {
            return near;
        }
        let (cx, cy) = (self.size.width() / 2, self.size.height() / 2);
        let distance = |square: &Square| square.x().abs_diff(cx).max(square.y().abs_diff(cy));
        self.empty.iter().min_by_key(distance).into_iter().collect()
    }

    /// Says who is to move; for setting a position up.
    pub fn set_side_to_move(&mut self, color: Color) {
        if color != self.side_to_move {
            self.side_to_move = color;
            self.key ^= zobrist::WHITE_TO_MOVE;
        }
    }

    /// Makes an empty square a wall for good: not playable, counts for nobody.
    ///
    /// # Panics
    /// In debug builds when stones have been placed already: an observer would not hear of it.
    pub fn wall(&mut self, square: Square) {
        debug_assert!(self.steps.is_empty(), "walls before stones");
        if self.is_empty(square) {
            self.lines.flip(square, EMPTY);
            self.empty.remove(square);
            self.key ^= zobrist::wall(square);
            self.wall_count += 1;
        }
    }

    /// Places a stone of the side to move, whose turn ends.
    ///
    /// # Panics
    /// In debug builds when the square is not empty.
    #[inline]
    pub fn place(&mut self, square: Square, observer: &mut impl BoardObserver) {
        debug_assert!(self.is_empty(square), "{square} is empty");
        let color = self.side_to_move;
        self.lines.flip(square, stone_bits(color));
        self.empty.remove(square);
        self.steps.push(Step { square: Some(square), near: self.near });
        candidates::add_near(&mut self.near, square);
        self.key ^= zobrist::stone(color, square) ^ zobrist::WHITE_TO_MOVE;
        self.side_to_move = color.opponent();
        self.stone_count += 1;
        observer.on_place(self, square, color);
    }

    /// Lets the side to move pass; for search only, no rule of the game allows it.
    pub fn pass(&mut self) {
        self.steps.push(Step { square: None, near: self.near });
        self.key ^= zobrist::WHITE_TO_MOVE;
        self.side_to_move = self.side_to_move.opponent();
    }

    /// Takes the last step back, stone or pass; does nothing when there is none.
    #[inline]
    pub fn remove(&mut self, observer: &mut impl BoardObserver) {
        let Some(step) = self.steps.pop() else { return };
        let color = self.side_to_move.opponent();
        self.side_to_move = color;
        self.key ^= zobrist::WHITE_TO_MOVE;
        let Some(square) = step.square else { return };
        self.lines.flip(square, stone_bits(color));
        self.empty.insert(square);
        self.near = step.near;
        self.key ^= zobrist::stone(color, square);
        self.stone_count -= 1;
        observer.on_remove(self, square, color);
    }
}
