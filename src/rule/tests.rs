use super::forbidden::is_forbidden;
use super::win::winning_row;
use crate::base::rng::Rng;
use crate::board::Board;
use crate::board::text::marked;
use crate::pattern::Combined;
use crate::pattern::state::PatternState;
use crate::testing::shared_lines;
use crate::types::color::Color;
use crate::types::direction::Direction;
use crate::types::rule::Rule;
use crate::types::size::BoardSize;
use crate::types::square::Square;

/// Zero-based points `x,y`, blank between; what follows a colon is passed over.
fn points(text: &str) -> Vec<Square> {
    text.split_whitespace()
        .map(|point| {
            let point = point.split(':').next().unwrap();
            let (x, y) = point.split_once(',').unwrap();
            Square::new(x.parse().unwrap(), y.parse().unwrap())
        })
        .collect()
}

/// A board with these stones, whoever's turn it would have been.
fn setup(rule: Rule, size: BoardSize, black: &[Square], white: &[Square]) -> (Board, PatternState) {
    let mut board = Board::new(size);
    let mut patterns = PatternState::new(rule, &board);
    for (color, squares) in [(Color::Black, black), (Color::White, white)] {
        for &square in squares {
            board.set_side_to_move(color);
            board.place(square, &mut patterns);
        }
    }
    board.set_side_to_move(Color::Black);
    (board, patterns)
}

#[test]
fn forbidden_points_of_every_shared_position() {
    for file in ["rules/renju_forbidden.txt", "rules/renju_disputed.txt"] {
        for line in shared_lines(file) {
            let fields: Vec<&str> = line.split(';').collect();
            let size = BoardSize::square(fields[1].parse().unwrap());
            let (mut board, mut patterns) =
                setup(Rule::Renju, size, &points(fields[2]), &points(fields[3]));
            let mut expected = points(fields[4]);
            expected.sort_unstable();
            let empty = *board.empty();
            let found: Vec<Square> = empty
                .iter()
                .filter(|&square| is_forbidden(&mut board, &mut patterns, square))
                .collect();
            assert_eq!(found, expected, "{}\n{board}", fields[0]);
            assert_eq!(patterns.check(Rule::Renju, &board), Ok(()), "{}", fields[0]);
        }
    }
}

#[test]
fn winners_of_every_shared_position() {
    for file in ["rules/wins.txt", "rules/wins_disputed.txt"] {
        for line in shared_lines(file) {
            let fields: Vec<&str> = line.split(';').collect();
            let rule = Rule::from_name(fields[1]).unwrap();
            let size = BoardSize::square(fields[2].parse().unwrap());
            let last = points(fields[5])[0];
            let (black, white) = (points(fields[3]), points(fields[4]));
            let color = if black.contains(&last) { Color::Black } else { Color::White };
            let without = |stones: &[Square]| -> Vec<Square> {
                stones.iter().copied().filter(|&square| square != last).collect()
            };
            let (mut board, mut patterns) = setup(rule, size, &without(&black), &without(&white));
            board.set_side_to_move(color);
            let foul = rule == Rule::Renju
                && color == Color::Black
                && is_forbidden(&mut board, &mut patterns, last);
            let five = patterns.combined(color, last) == Combined::Five;
            board.place(last, &mut patterns);
            assert_eq!(winning_row(rule, &board, last).is_some(), five, "{}\n{board}", fields[0]);
            let winner = match (five, foul, color) {
                (true, _, Color::Black) => "B",
                (true, _, Color::White) | (_, true, _) => "W",
                _ => "-",
            };
            assert_eq!(winner, fields[6], "{}\n{board}", fields[0]);
        }
    }
}

/// Forbidden points by the letter of the definition, without patterns: slow and plain.
mod reference {
    use super::*;

    fn row(board: &Board, square: Square, direction: Direction) -> Vec<Square> {
        let delta = direction.delta();
        let own = |at: Square| board.color_at(at) == Some(Color::Black);
        let mut first = square;
        while own(first.offset(delta, -1)) {
            first = first.offset(delta, -1);
        }
        let mut row = vec![first];
        while own(row[row.len() - 1].offset(delta, 1)) {
            row.push(row[row.len() - 1].offset(delta, 1));
        }
        row
    }

    fn put(board: &mut Board, square: Square) {
        board.set_side_to_move(Color::Black);
        board.place(square, &mut ());
    }

    fn take(board: &mut Board) {
        board.set_side_to_move(Color::White);
        board.remove(&mut ());
    }

    /// The fours through `stone` in a direction, as sets of four stones, with their completions.
    fn fours(board: &mut Board, stone: Square, direction: Direction) -> Vec<(Vec<Square>, Square)> {
        let mut found = Vec::new();
        for steps in -4..=4 {
            let square = stone.offset(direction.delta(), steps);
            if !board.is_empty(square) {
                continue;
            }
            put(board, square);
            let mut five = row(board, square, direction);
            take(board);
            if five.len() == 5 && five.contains(&stone) {
                five.retain(|&at| at != square);
                found.push((five, square));
            }
        }
        found
    }

    /// A straight four through both stones: unbroken, with a completion at each end.
    fn straight_four(
        board: &mut Board,
        stone: Square,
        other: Square,
        direction: Direction,
    ) -> bool {
        let fours = fours(board, stone, direction);
        fours.iter().any(|(four, _)| {
            four.contains(&other)
                && row(board, stone, direction) == *four
                && fours.iter().filter(|(same, _)| same == four).count() == 2
        })
    }

    pub(super) fn is_forbidden(board: &mut Board, square: Square) -> bool {
        put(board, square);
        let rows = Direction::ALL.map(|direction| row(board, square, direction).len());
        let verdict = if rows.contains(&5) {
            false
        } else if rows.iter().any(|&length| length > 5) {
            true
        } else {
            let mut all = Vec::new();
            for direction in Direction::ALL {
                for (four, _) in fours(board, square, direction) {
                    if !all.contains(&four) {
                        all.push(four);
                    }
                }
            }
            let threes = Direction::ALL.map(|direction| is_three(board, square, direction));
            all.len() >= 2 || threes.iter().filter(|&&three| three).count() >= 2
        };
        take(board);
        verdict
    }

    fn is_three(board: &mut Board, square: Square, direction: Direction) -> bool {
        (-4..=4).filter(|&steps| steps != 0).any(|steps| {
            let extension = square.offset(direction.delta(), steps);
            if !board.is_empty(extension) {
                return false;
            }
            put(board, extension);
            let straight = straight_four(board, square, extension, direction);
            let five = Direction::ALL.iter().any(|&d| row(board, extension, d).len() == 5);
            take(board);
            straight && !five && !is_forbidden(board, extension)
        })
    }
}

#[test]
fn forbidden_points_equal_the_letter_of_the_definition_on_random_positions() {
    let mut rng = Rng::new(31);
    for round in 0..60 {
        let mut board = Board::new(BoardSize::square(9));
        let mut patterns = PatternState::new(Rule::Renju, &board);
        for _ in 0..14 + rng.below(16) {
            let nth = rng.below(board.empty().len());
            let square = board.empty().iter().nth(nth).unwrap();
            // Black stones in numbers, so that many shapes come about.
            let color = if rng.below(3) == 0 { Color::White } else { Color::Black };
            board.set_side_to_move(color);
            board.place(square, &mut patterns);
        }
        board.set_side_to_move(Color::Black);
        let mut plain = board.clone();
        for square in &board.empty().clone() {
            let found = is_forbidden(&mut board, &mut patterns, square);
            let expected = reference::is_forbidden(&mut plain, square);
            assert_eq!(found, expected, "round {round}, {square}\n{board}");
        }
    }
}

/// Draws what is forbidden: `X` black, `O` white, `f` must be forbidden, all else must not be.
fn check_forbidden(drawing: &str) {
    let (mut board, mut patterns) =
        setup(Rule::Renju, BoardSize::square(9), &marked(drawing, 'X'), &marked(drawing, 'O'));
    let empty = *board.empty();
    let found: Vec<Square> =
        empty.iter().filter(|&square| is_forbidden(&mut board, &mut patterns, square)).collect();
    assert_eq!(found, marked(drawing, 'f'), "{drawing}");
}

#[test]
fn double_threes_double_fours_and_overlines_are_forbidden() {
    check_forbidden(
        ". . . . . . . . .
         . . . . . . . . .
         . . . . X . . . .
         . . . . X . . . .
         . . X X f . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .",
    );
    check_forbidden(
        ". . . . O . . . .
         . . . . X . . . .
         . . . . X . . . .
         . . . . X . . . .
         O X X X f . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .",
    );
    check_forbidden(
        ". . . . . . . . .
         . . . . . . . . .
         X X X f X X . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .",
    );
}
