//! Which positions of a game teach an evaluation or an order of moves.

use records::Verdict;
use tengen::pattern::Combined;
use tengen::position::Position;

/// Positions with fewer empty squares are left out: what counts there is the end of the board.
const LEAST_EMPTY: usize = 30;

/// Whether what a search said of a position counts.
///
/// A proven score does only if the end is at least `proven_from` plies away: nearer ones are seen
/// by the search's leaves, while without the farther ones an attack that is about to win would
/// never be met.
pub fn is_lesson(position: &Position, verdict: &Verdict, proven_from: i32) -> bool {
    verdict.score.distance().is_none_or(|plies| plies.abs() >= proven_from)
        && position.empty_squares().len() >= LEAST_EMPTY
        && position.is_empty(verdict.best)
}

/// Whether the side to move wins or must answer a four at once: the evaluation is never asked.
pub fn is_decided_at_sight(position: &Position) -> bool {
    let own = position.side_to_move();
    let count = |color, combined| position.patterns().count(color, combined);
    let own_wins = [Combined::Five, Combined::OpenFour, Combined::DoubleFour];
    own_wins.iter().any(|&kind| count(own, kind) > 0) || count(own.opponent(), Combined::Five) > 0
}

#[cfg(test)]
mod tests {
    use tengen::base::score::Score;
    use tengen::types::rule::Rule;
    use tengen::types::size::BoardSize;
    use tengen::types::square::Square;

    use super::*;

    fn played(squares: &[(u8, u8)]) -> Position {
        let mut position = Position::new(BoardSize::square(15), Rule::Freestyle);
        for &(x, y) in squares {
            position.play(Square::new(x, y));
        }
        position
    }

    #[test]
    fn near_ends_and_taken_squares_teach_nothing() {
        let position = played(&[(7, 7)]);
        let verdict = |best, score| Verdict { best, score, result: None };
        let free = Square::new(8, 8);
        assert!(is_lesson(&position, &verdict(free, Score::eval(40)), 5));
        assert!(is_lesson(&position, &verdict(free, Score::win_in(5)), 5));
        assert!(!is_lesson(&position, &verdict(free, Score::win_in(3)), 5));
        assert!(!is_lesson(&position, &verdict(Square::new(7, 7), Score::ZERO), 5));
    }

    #[test]
    fn a_four_of_either_side_decides_at_sight() {
        assert!(!is_decided_at_sight(&played(&[(7, 7), (8, 8), (9, 9)])));
        let three = [(4, 4), (0, 0), (5, 4), (14, 0), (6, 4), (0, 14)];
        assert!(is_decided_at_sight(&played(&three)), "the own open four");
        let four = [(4, 4), (0, 0), (5, 4), (14, 0), (6, 4), (3, 4), (7, 4)];
        assert!(is_decided_at_sight(&played(&four)), "the other side's five");
    }
}
