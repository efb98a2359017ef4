//! Legality and end of a game, the same for both sides.
//!
//! Owns the board of a running game. Must not know brains, clocks or text.

use tengen::types::color::Color;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

/// What a legal move leads to.
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
    size: BoardSize,
    rule: Rule,
    stones: Vec<Option<Color>>,
    moves: Vec<Square>,
}

impl Referee {
    /// An empty board.
    pub fn new(size: BoardSize, rule: Rule) -> Referee {
        Referee { size, rule, stones: vec![None; size.area()], moves: Vec::new() }
    }

    /// The moves so far, the opening's among them.
    pub fn moves(&self) -> &[Square] {
        &self.moves
    }

    /// The side that moves next.
    pub fn side_to_move(&self) -> Color {
        if self.moves.len().is_multiple_of(2) { Color::Black } else { Color::White }
    }

    /// The empty square at a point a brain named, if it is one.
    pub fn empty_square(&self, x: i64, y: i64) -> Option<Square> {
        Square::on_board(self.size, x, y).filter(|&square| self.stone(square, (0, 0), 0).is_none())
    }

    /// Puts the next stone on an empty square.
    ///
    /// # Panics
    /// When the square is not empty or off the board.
    pub fn play(&mut self, square: Square) -> Verdict {
        let color = self.side_to_move();
        let index = self.index(i64::from(square.x()), i64::from(square.y()));
        let cell = index.and_then(|index| self.stones.get_mut(index));
        match cell {
            Some(cell) if cell.is_none() => *cell = Some(color),
            _ => unreachable!("the caller asked for an empty square"),
        }
        self.moves.push(square);
        if self.is_five(square, color) {
            Verdict::Five
        } else if self.moves.len() == self.size.area() {
            Verdict::FullBoard
        } else {
            Verdict::GoesOn
        }
    }

    /// A square where the side to move wins at once, if there is one.
    pub fn winning_square(&self) -> Option<Square> {
        let color = self.side_to_move();
        let (width, height) = (i64::from(self.size.width()), i64::from(self.size.height()));
        (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .filter_map(|(x, y)| self.empty_square(x, y))
            .find(|&square| self.is_five(square, color))
    }

    /// Whether a stone of `color` on `square` wins.
    fn is_five(&self, square: Square, color: Color) -> bool {
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dx, dy)| {
            let ahead = self.run(square, color, (dx, dy));
            let behind = self.run(square, color, (-dx, -dy));
            let length = ahead + behind + 1;
            let held = |run: i64, step| self.stone(square, step, run + 1) == Some(color.opponent());
            let blocked = || held(ahead, (dx, dy)) && held(behind, (-dx, -dy));
            match self.rule {
                Rule::Freestyle => length >= 5,
                Rule::Standard => length == 5,
                Rule::Renju => length == 5 || length > 5 && color == Color::White,
                Rule::Caro => length > 5 || length == 5 && !blocked(),
                Rule::CaroExact => length == 5 && !blocked(),
            }
        })
    }

    /// Stones of `color` in an unbroken run beside `square`.
    fn run(&self, square: Square, color: Color, step: (i64, i64)) -> i64 {
        let mut length = 0;
        while self.stone(square, step, length + 1) == Some(color) {
            length += 1;
        }
        length
    }

    fn stone(&self, square: Square, (dx, dy): (i64, i64), steps: i64) -> Option<Color> {
        let x = i64::from(square.x()) + dx * steps;
        let y = i64::from(square.y()) + dy * steps;
        self.index(x, y).and_then(|index| self.stones[index])
    }

    fn index(&self, x: i64, y: i64) -> Option<usize> {
        let inside = self.size.contains(x, y);
        inside.then(|| usize::try_from(y * i64::from(self.size.width()) + x).ok()).flatten()
    }
}
