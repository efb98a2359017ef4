//! The stones a game begins with: from a list, or at random and checked by a search.
//!
//! Must not know how the game goes on.

use std::fmt;

use tengen::base::hash::fnv1a;
use tengen::base::rng::Rng;
use tengen::board::text::{TextError, parse_moves};
use tengen::position::Position;
use tengen::rule::win::winning_row;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Openings {
    /// Some stones close together, kept when a search finds at most `balance` either way.
    Random {
        /// In the units of the evaluation.
        balance: i32,
    },
    /// These in turn, then all of them turned or mirrored, and so on.
    Listed(Vec<Vec<Square>>),
}

/// Why a list of openings is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OpeningError {
    /// A line is no list of moves.
    Text(usize, TextError),
    /// A line has the same square twice.
    Twice(usize),
    /// There is no line.
    Nothing,
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningError::Text(line, error) => write!(f, "line {line}: {error}"),
            OpeningError::Twice(line) => write!(f, "line {line}: a square is taken twice"),
            OpeningError::Nothing => f.write_str("expected one opening a line, got none"),
        }
    }
}

impl std::error::Error for OpeningError {}

impl Openings {
    /// Reads a list: one opening a line, `#` begins a comment.
    pub(crate) fn parse(text: &str, size: BoardSize) -> Result<Openings, OpeningError> {
        let mut openings = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            let moves =
                parse_moves(line, size).map_err(|error| OpeningError::Text(number, error))?;
            if (1..moves.len()).any(|at| moves[..at].contains(&moves[at])) {
                return Err(OpeningError::Twice(number));
            }
            openings.push(moves);
        }
        if openings.is_empty() {
            Err(OpeningError::Nothing)
        } else {
            Ok(Openings::Listed(openings))
        }
    }

    /// Words for the note of a run.
    pub(crate) fn note(&self) -> String {
        match self {
            Openings::Random { balance } => format!("random balance={balance}"),
            Openings::Listed(list) => {
                // Which list it was, so that a run is not continued with another.
                let squares = list.iter().flatten().map(|square| square.index() as u64);
                format!("listed count={} hash={:016x}", list.len(), fnv1a(squares))
            }
        }
    }

    /// The opening of a game; `score` searches a position and says whether it is even enough.
    pub(crate) fn choose(
        &self,
        rule: Rule,
        size: BoardSize,
        number: u64,
        rng: &mut Rng,
        mut is_even: impl FnMut(&Position, i32) -> bool,
    ) -> Vec<Square> {
        match self {
            Openings::Random { balance } => loop {
                if let Some(position) = random_stones(rule, size, rng)
                    && is_even(&position.1, *balance)
                {
                    return position.0;
                }
            },
            Openings::Listed(list) => {
                let count = list.len() as u64;
                let at = usize::try_from(number % count).unwrap_or(0);
                let symmetry = number / count;
                list[at].iter().map(|&square| turned(size, square, symmetry)).collect()
            }
        }
    }
}

/// A square under a symmetry of the board: bit 0 mirrors columns, bit 1 rows, bit 2 swaps them;
/// on boards that are not square bit 2 does nothing.
fn turned(size: BoardSize, square: Square, symmetry: u64) -> Square {
    let (mut x, mut y) = (square.x(), square.y());
    if symmetry & 1 != 0 {
        x = size.width() - 1 - x;
    }
    if symmetry & 2 != 0 {
        y = size.height() - 1 - y;
    }
    if symmetry & 4 != 0 && size.width() == size.height() {
        (x, y) = (y, x);
    }
    Square::new(x, y)
}

/// Three to eight stones in a small area somewhere, if that makes a position that can be
/// played on.
fn random_stones(rule: Rule, size: BoardSize, rng: &mut Rng) -> Option<(Vec<Square>, Position)> {
    let count = 3 + rng.below(6);
    let side = |rng: &mut Rng, board: u8| {
        let side = (5 + rng.below(4)).min(usize::from(board));
        (rng.below(usize::from(board) - side + 1), side)
    };
    let (left, width) = side(rng, size.width());
    let (top, height) = side(rng, size.height());
    let mut position = Position::new(size, rule);
    let mut moves = Vec::with_capacity(count);
    while moves.len() < count {
        let part = |first: usize, offset: usize| u8::try_from(first + offset).unwrap_or(0);
        let square = Square::new(part(left, rng.below(width)), part(top, rng.below(height)));
        if !position.is_empty(square) {
            continue;
        }
        if position.is_forbidden(square) {
            return None;
        }
        position.play(square);
        moves.push(square);
        if winning_row(rule, position.board(), square).is_some() {
            return None;
        }
    }
    Some((moves, position))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_turned_and_mirrored_in_all_ways() {
        let size = BoardSize::square(15);
        let openings = Openings::parse("h8i9j8 # a comment\n\na1c2b5\n", size).unwrap();
        let mut rng = Rng::new(1);
        let mut choose =
            |number| openings.choose(Rule::Freestyle, size, number, &mut rng, |_, _| true);
        assert_eq!(choose(0), parse_moves("h8i9j8", size).unwrap());
        assert_eq!(choose(1), parse_moves("a1c2b5", size).unwrap());
        assert_eq!(choose(3), parse_moves("o1m2n5", size).unwrap());
        assert_eq!(choose(5), parse_moves("a15c14b11", size).unwrap());
        let mut all: Vec<_> = (0..8).map(|symmetry| choose(1 + 2 * symmetry)).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 8);
    }

    #[test]
    fn a_bad_list_is_refused_with_the_line() {
        let size = BoardSize::square(15);
        let parse = |text| Openings::parse(text, size).unwrap_err().to_string();
        assert_eq!(parse("h8\nh16"), "line 2: h16 is not on the board");
        assert_eq!(parse("h8g7h8"), "line 1: a square is taken twice");
        assert_eq!(parse("# nothing"), "expected one opening a line, got none");
    }

    #[test]
    fn random_openings_are_positions_in_which_nobody_has_won() {
        let mut rng = Rng::new(2);
        for rule in Rule::ALL {
            for size in [BoardSize::square(5), BoardSize::square(15), BoardSize::square(22)] {
                let openings = Openings::Random { balance: 0 };
                for _ in 0..50 {
                    let moves = openings.choose(rule, size, 0, &mut rng, |_, _| true);
                    assert!((3..=8).contains(&moves.len()));
                    let mut position = Position::new(size, rule);
                    for mv in moves {
                        assert!(!position.is_forbidden(mv));
                        position.play(mv);
                        assert_eq!(winning_row(rule, position.board(), mv), None);
                    }
                }
            }
        }
    }
}
