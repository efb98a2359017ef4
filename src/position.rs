//! A position: board, patterns and evaluation moved as one.
//!
//! Owns that the three never get out of step. Must not know why a move is played.

use crate::base::score::Score;
use crate::board::Board;
use crate::eval::weights::RuleWeights;
use crate::eval::{Evaluation, Evaluator};
use crate::pattern::Combined;
use crate::pattern::state::{Follow, PatternState};
use crate::rule::forbidden;
use crate::types::color::Color;
use crate::types::rule::Rule;
use crate::types::size::BoardSize;
use crate::types::square::{Square, SquareSet};

/// A position under a rule.
#[derive(Clone, Debug)]
pub struct Position {
    rule: Rule,
    board: Board,
    patterns: PatternState,
    evaluator: Evaluator,
    weights: &'static RuleWeights,
}

impl Position {
    /// An empty board, Black to move.
    pub fn new(size: BoardSize, rule: Rule) -> Position {
        Position::with(size, rule, Evaluation::default())
    }

    /// The same with a kind of evaluation.
    pub fn with(size: BoardSize, rule: Rule, evaluation: Evaluation) -> Position {
        let board = Board::new(size);
        let patterns = PatternState::new(rule, &board);
        let evaluator = Evaluator::new(evaluation, rule, &board, &patterns);
        Position { rule, board, patterns, evaluator, weights: RuleWeights::of(rule) }
    }

    /// The rule in force.
    #[inline]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Width and height.
    #[inline]
    pub fn size(&self) -> BoardSize {
        self.board.size()
    }

    /// The stones.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The patterns of the empty squares.
    #[inline]
    pub fn patterns(&self) -> &PatternState {
        &self.patterns
    }

    /// Who is to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.board.side_to_move()
    }

    /// Says who is to move; for setting a position up.
    pub fn set_side_to_move(&mut self, color: Color) {
        self.board.set_side_to_move(color);
    }

    /// Whose stone stands on a square.
    pub fn color_at(&self, square: Square) -> Option<Color> {
        self.board.color_at(square)
    }

    /// Whether a square is on the board and holds neither stone nor wall.
    #[inline]
    pub fn is_empty(&self, square: Square) -> bool {
        self.board.is_empty(square)
    }

    /// The empty squares.
    pub fn empty_squares(&self) -> SquareSet {
        *self.board.empty()
    }

    /// Number of stones, both colors.
    #[inline]
    pub fn stone_count(&self) -> usize {
        self.board.stone_count()
    }

    /// Whether no square is empty.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.board.is_full()
    }

    /// The key of the position: stones, walls, side to move.
    #[inline]
    pub fn key(&self) -> u64 {
        self.board.key()
    }

    /// Makes a square a wall that counts for nobody; only before any stone is placed.
    pub fn wall(&mut self, square: Square) {
        self.board.wall(square);
        self.patterns = PatternState::new(self.rule, &self.board);
        self.evaluator.refresh(&self.board, &self.patterns);
    }

    /// Places a stone of the side to move, whose turn ends.
    #[inline]
    pub fn play(&mut self, square: Square) {
        self.evaluator.on_place();
        let mut follow = Follow { patterns: &mut self.patterns, observer: &mut self.evaluator };
        self.board.place(square, &mut follow);
    }

    /// Takes the last stone back.
    #[inline]
    pub fn undo(&mut self) {
        let mut follow = Follow { patterns: &mut self.patterns, observer: &mut self.evaluator };
        self.board.remove(&mut follow);
        self.evaluator.on_remove(self.board.step_count());
    }

    /// Plays a move, does something, and takes the move back: an undo that cannot be forgotten.
    #[inline]
    pub fn with_move<T>(&mut self, square: Square, action: impl FnOnce(&mut Position) -> T) -> T {
        self.play(square);
        let result = action(self);
        self.undo();
        result
    }

    /// Whether the side to move wins by playing on an empty square.
    #[inline]
    pub fn makes_five(&self, square: Square) -> bool {
        self.patterns.combined(self.side_to_move(), square) == Combined::Five
    }

    /// Whether an empty square is forbidden to the side to move.
    #[inline]
    pub fn is_forbidden(&mut self, square: Square) -> bool {
        self.side_to_move() == Color::Black && self.is_forbidden_to_black(square)
    }

    /// Whether Black may not play on an empty square, whoever is to move.
    #[inline]
    pub fn is_forbidden_to_black(&mut self, square: Square) -> bool {
        self.rule == Rule::Renju
            && self.patterns.combined(Color::Black, square) == Combined::Forbidden
            && forbidden::is_forbidden(&mut self.board, &mut self.patterns, square)
    }

    /// The evaluation for the side to move.
    #[inline]
    pub fn evaluate(&mut self) -> Score {
        self.evaluator.evaluate(&self.board, &self.patterns)
    }

    /// The evaluation for the side to move, or an estimate of it where that is enough.
    #[inline]
    pub fn evaluate_unless(&mut self, is_enough: impl Fn(Score) -> bool) -> Score {
        self.evaluator.evaluate_unless(&self.board, &self.patterns, is_enough)
    }

    /// Which kind of evaluation was asked for.
    pub fn evaluation(&self) -> Evaluation {
        self.evaluator.kind()
    }

    /// Makes ready for [`Position::rank`].
    #[inline]
    pub fn prepare_ranks(&mut self) {
        self.evaluator.follow(&self.board, &self.patterns);
    }

    /// How promising a move of the side to move looks to the evaluation in force; for ordering.
    /// Stands until the next stone; [`Position::prepare_ranks`] comes first.
    #[inline(always)]
    pub fn rank(&self, square: Square) -> i32 {
        self.evaluator.rank(self.side_to_move(), square, &self.patterns)
    }

    /// How promising a move of the side to move looks by its patterns alone.
    #[inline]
    pub fn move_score(&self, square: Square) -> i32 {
        let mover = self.side_to_move();
        let own = self.patterns.set(mover, square);
        let other = self.patterns.set(mover.opponent(), square);
        self.weights.move_score(mover, own, other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;

    /// The same stones put on a new board, in the same order.
    fn replayed(position: &Position, record: &[Square], first: Color) -> Position {
        let mut fresh = Position::new(position.size(), position.rule());
        fresh.set_side_to_move(first);
        for &square in record {
            fresh.play(square);
        }
        fresh
    }

    #[test]
    fn evaluation_and_moves_equal_a_replay_after_every_step_of_random_games() {
        let mut rng = Rng::new(41);
        for rule in Rule::ALL {
            for side in [5, 9, 15, 20] {
                let mut position = Position::new(BoardSize::square(side), rule);
                let start = position.evaluate();
                let mut record = Vec::new();
                for _ in 0..60 {
                    if position.is_full() {
                        break;
                    }
                    let candidates = position.board().candidates();
                    let square = candidates.iter().nth(rng.below(candidates.len())).unwrap();
                    position.play(square);
                    record.push(square);
                    let mut fresh = replayed(&position, &record, Color::Black);
                    assert_eq!(position.evaluate(), fresh.evaluate(), "{rule}");
                    assert_eq!(position.key(), fresh.key(), "{rule}");
                    let checked = position.patterns().check(rule, position.board());
                    assert_eq!(checked, Ok(()), "{rule}");
                }
                while position.stone_count() > 0 {
                    record.pop();
                    position.undo();
                    let mut fresh = replayed(&position, &record, Color::Black);
                    assert_eq!(position.evaluate(), fresh.evaluate(), "{rule}");
                }
                assert_eq!(position.evaluate(), start);
            }
        }
    }
}
