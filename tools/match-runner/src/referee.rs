//! Legality and end of a game, the same for both sides.
//!
//! Owns the course of a running game; what wins and what is forbidden is asked of the engine's
//! own rules, so that games end here as they do at Gomocup. Must not know brains, clocks or text.

use tengen::position::Position;
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
        Referee { position: Position::new(size, rule), moves: Vec::new() }
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
}

#[cfg(test)]
mod tests {
    use tengen::base::rng::Rng;

    use super::*;
    use crate::text;

    const SIZE: BoardSize = BoardSize::square(15);

    /// The verdict on the last move of a list.
    fn check(rule: Rule, moves: &str, expected: Verdict) {
        let mut referee = Referee::new(SIZE, rule);
        let moves = text::parse_moves(moves, SIZE).unwrap();
        let (last, before) = moves.split_last().unwrap();
        for &square in before {
            assert_eq!(referee.play(square), Verdict::GoesOn, "{rule} {}", text::point(square));
        }
        assert_eq!(referee.play(*last), expected, "{rule}");
    }

    /// The same from the stones alone, without any pattern.
    fn wins(stones: &[Square], rule: Rule) -> bool {
        let index = |s: &Square| (i64::from(s.x()), i64::from(s.y()));
        let color = |at: (i64, i64)| stones.iter().position(|s| index(s) == at).map(|i| i % 2);
        let Some(last) = stones.last().map(index) else { return false };
        let own = (stones.len() - 1) % 2;
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dx, dy)| {
            let run = |sign: i64| {
                let at = |steps: i64| (last.0 + sign * steps * dx, last.1 + sign * steps * dy);
                let other = (1..16).find(|&steps| color(at(steps)) != Some(own));
                let length = other.map_or(15, |steps| steps - 1);
                (length, color(at(length + 1)) == Some(1 - own))
            };
            let ((ahead, held_ahead), (behind, held_behind)) = (run(1), run(-1));
            let (length, held) = (ahead + behind + 1, held_ahead && held_behind);
            match rule {
                Rule::Freestyle => length >= 5,
                Rule::Standard => length == 5,
                Rule::Renju => length == 5 || length > 5 && own == 1,
                Rule::Caro => length > 5 || length == 5 && !held,
                Rule::CaroExact => length == 5 && !held,
            }
        })
    }

    #[test]
    fn six_in_a_row_is_judged_by_the_rule() {
        let six = "a1a15b1b15c1c15e1d15f1f15d1";
        check(Rule::Freestyle, six, Verdict::Five);
        check(Rule::Standard, six, Verdict::GoesOn);
        check(Rule::Renju, six, Verdict::Forbidden);
        check(Rule::Caro, six, Verdict::Five);
        check(Rule::CaroExact, six, Verdict::GoesOn);
    }

    #[test]
    fn a_five_between_two_stones_is_none_under_caro_but_the_edge_does_not_hold() {
        let held = "c1b1d1h1e1a9f1c9g1";
        check(Rule::Freestyle, held, Verdict::Five);
        check(Rule::Caro, held, Verdict::GoesOn);
        check(Rule::CaroExact, held, Verdict::GoesOn);
        check(Rule::Caro, "a1f1b1a9c1c9d1e9e1", Verdict::Five);
    }

    #[test]
    fn a_double_three_loses_under_renju_only() {
        let cross = "h7a1h9a3g8a5i8a7h8";
        check(Rule::Renju, cross, Verdict::Forbidden);
        check(Rule::Standard, cross, Verdict::GoesOn);
    }

    #[test]
    fn a_full_board_ends_the_game() {
        let size = BoardSize::square(5);
        let mut referee = Referee::new(size, Rule::Freestyle);
        let order = "a1b1c1d1e1b2a2d2c2a3e2c3b3e3d3b4a4d4c4a5e4c5b5e5d5";
        let moves = text::parse_moves(order, size).unwrap();
        let verdicts: Vec<Verdict> = moves.into_iter().map(|square| referee.play(square)).collect();
        assert_eq!(verdicts.last(), Some(&Verdict::FullBoard));
        assert!(verdicts[..24].iter().all(|verdict| *verdict == Verdict::GoesOn));
    }

    #[test]
    fn random_games_end_where_a_judge_without_patterns_ends_them() {
        let mut rng = Rng::new(11);
        let mut fives = 0;
        for game in 0..150 {
            let rule = Rule::ALL[game % 5];
            let size = BoardSize::square([6, 9, 15][game % 3]);
            let mut referee = Referee::new(size, rule);
            loop {
                let side = size.width().into();
                let near = i64::try_from(rng.below(side)).unwrap();
                let Some(square) =
                    referee.empty_square(near, i64::try_from(rng.below(side)).unwrap())
                else {
                    continue;
                };
                let winner = referee.winning_square();
                let square = winner.unwrap_or(square);
                let verdict = referee.play(square);
                let five = wins(referee.moves(), rule);
                assert_eq!(
                    verdict == Verdict::Five,
                    five,
                    "{rule} {}",
                    text::moves(referee.moves())
                );
                fives += usize::from(five);
                if verdict != Verdict::GoesOn {
                    break;
                }
            }
        }
        assert!(fives > 30, "{fives} games ended by a five");
    }
}
