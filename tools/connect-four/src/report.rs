//! What was found out, in words.
//!
//! Owns sentences about scores and ends of games. Must not know commands or terminals.

use std::fmt::Write as _;

use tengen::base::score::Score;

use crate::position::{End, Position, Side, Size};
use crate::text::{column_name, letter};
use crate::usual::Usual;

/// How a game ended.
pub fn end_in_words(end: End) -> String {
    match end {
        End::Won(side) => format!("{} wins: four in a row.", letter(side)),
        End::Full => "Drawn: the board is full.".to_owned(),
    }
}

/// What a score of a position means.
pub fn score_in_words(position: &Position, score: Score) -> String {
    let side = position.side_to_move();
    let (winner, end) = match score.distance() {
        None => return "drawn with best play".to_owned(),
        Some(end) if end > 0 => (side, end),
        Some(end) => (side.other(), -end),
    };
    let plies = end - position.stones().cast_signed();
    let many = if plies == 1 { "move" } else { "moves" };
    format!("{} wins with stone {end}, {plies} {many} from here", letter(winner))
}

/// A usual number as it is printed: `+1`, `0`, `-3`.
pub fn number(usual: i32) -> String {
    if usual == 0 { "0".to_owned() } else { format!("{usual:+}") }
}

/// A table of columns and the scores of their moves; full columns have a dash.
pub fn score_table(size: &Size, position: &Position, scores: &[Option<Score>]) -> String {
    let usual = Usual::new(size, position.stones());
    let mut names = "column".to_owned();
    let mut numbers = "score ".to_owned();
    let mut ends = "end   ".to_owned();
    for (column, score) in scores.iter().enumerate() {
        let number = score.map_or_else(|| "-".to_owned(), |score| number(usual.of(score)));
        let end = match score.map(Score::distance) {
            None => "-".to_owned(),
            Some(None) => "=".to_owned(),
            Some(Some(end)) => end.abs().to_string(),
        };
        // Writing to a string cannot fail.
        let _ = write!(names, "{:>4}", column_name(column));
        let _ = write!(numbers, "{number:>4}");
        let _ = write!(ends, "{end:>4}");
    }
    format!("{names}\n{numbers}\n{ends}\n")
}

/// Who moves and how many stones lie.
pub fn turn_in_words(position: &Position) -> String {
    let stones = position.stones();
    let many = if stones == 1 { "stone" } else { "stones" };
    format!("{} to move, {stones} {many}", letter(position.side_to_move()))
}

/// A side by name and letter.
pub const fn side_in_words(side: Side) -> &'static str {
    match side {
        Side::First => "first (X)",
        Side::Second => "second (O)",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_position;

    #[test]
    fn scores_are_told_from_the_side_that_wins() {
        let size = Size::standard();
        let position = parse_position(&size, "4455").unwrap();
        let words = |score| score_in_words(&position, score);
        assert_eq!(words(Score::win_in(7)), "X wins with stone 7, 3 moves from here");
        assert_eq!(words(Score::win_in(5)), "X wins with stone 5, 1 move from here");
        assert_eq!(words(Score::loss_in(8)), "O wins with stone 8, 4 moves from here");
        assert_eq!(words(Score::ZERO), "drawn with best play");
    }

    #[test]
    fn the_table_has_a_place_for_every_column() {
        let size = Size::try_new(4, 4).unwrap();
        let position = parse_position(&size, "1111").unwrap();
        let scores = [None, Some(Score::ZERO), Some(Score::win_in(15)), Some(Score::loss_in(16))];
        let expected = "column   1   2   3   4\n\
                        score    -   0  +1  -1\n\
                        end      -   =  15  16\n";
        assert_eq!(score_table(&size, &position, &scores), expected);
    }
}
