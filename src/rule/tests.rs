use super::forbidden::is_forbidden;
use super::reference;
use super::win::winning_row;
use crate::base::rng::Rng;
use crate::board::Board;
use crate::board::text::marked;
use crate::pattern::Combined;
use crate::pattern::state::PatternState;
use crate::testing::shared_lines;
use crate::types::color::Color;
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
