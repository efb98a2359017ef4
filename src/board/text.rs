//! Boards as text: drawings for tests and people, and lists of moves.
//!
//! A drawing has one line a row, top row first: `X` black, `O` white, `#` wall, `.` empty; blanks
//! are passed over. A list of moves is `h8i9`: a letter for the column, then the row from 1.

use std::fmt;

use crate::board::Board;
use crate::types::color::Color;
use crate::types::size::BoardSize;
use crate::types::square::Square;

/// Why a text is no list of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextError {
    /// Something else stands where a column letter was expected.
    NoColumn(String),
    /// No number follows the letter.
    NoRow(String),
    /// The point is not on the board.
    OffBoard(String),
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextError::NoColumn(rest) => write!(f, "expected a column letter, got '{rest}'"),
            TextError::NoRow(rest) => write!(f, "expected a row number, got '{rest}'"),
            TextError::OffBoard(point) => write!(f, "{point} is not on the board"),
        }
    }
}

impl std::error::Error for TextError {}

/// Reads a list of moves such as `h8i9g10`; blanks and commas between moves are passed over.
///
/// # Errors
/// [`TextError`] at the first thing that is no move on a board of this size.
pub fn parse_moves(text: &str, size: BoardSize) -> Result<Vec<Square>, TextError> {
    let mut moves = Vec::new();
    let mut rest = text.trim_start_matches([' ', ',', '\t']);
    while let Some(letter) = rest.chars().next() {
        if !letter.is_ascii_alphabetic() {
            return Err(TextError::NoColumn(rest.chars().take(10).collect()));
        }
        let digits = rest[1..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |at| at + 1);
        let Ok(row) = rest[1..digits].parse::<i64>() else {
            return Err(TextError::NoRow(rest[1..].chars().take(10).collect()));
        };
        let column = i64::from(letter.to_ascii_lowercase() as u32) - i64::from(b'a');
        let square = Square::on_board(size, column, row - 1)
            .ok_or_else(|| TextError::OffBoard(rest[..digits].to_owned()))?;
        moves.push(square);
        rest = rest[digits..].trim_start_matches([' ', ',', '\t']);
    }
    Ok(moves)
}

/// One move as in [`parse_moves`].
pub fn move_name(square: Square) -> String {
    format!("{}{}", char::from(b'a' + square.x()), square.y() + 1)
}

impl fmt::Display for Board {
    /// A drawing, with the empty squares as dots.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in 0..self.size().height() {
            for x in 0..self.size().width() {
                let square = Square::new(x, y);
                let mark = match self.color_at(square) {
                    Some(Color::Black) => 'X',
                    Some(Color::White) => 'O',
                    None if self.is_empty(square) => '.',
                    None => '#',
                };
                write!(f, "{}{mark}", if x == 0 { "" } else { " " })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// The squares that hold `mark` in a drawing.
#[cfg(test)]
pub(crate) fn marked(drawing: &str, mark: char) -> Vec<Square> {
    let rows = drawing.lines().map(str::trim).filter(|row| !row.is_empty());
    let mut squares = Vec::new();
    for (y, row) in (0..).zip(rows) {
        for (x, found) in (0..).zip(row.chars().filter(|c| !c.is_whitespace())) {
            if found == mark {
                squares.push(Square::new(x, y));
            }
        }
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_with_and_without_blanks() {
        let size = BoardSize::square(15);
        let expected = vec![Square::new(7, 7), Square::new(0, 14), Square::new(14, 0)];
        assert_eq!(parse_moves("h8a15o1", size), Ok(expected.clone()));
        assert_eq!(parse_moves(" h8, A15 o1 ", size), Ok(expected.clone()));
        let names: String = expected.into_iter().map(move_name).collect();
        assert_eq!(names, "h8a15o1");
    }

    #[test]
    fn what_is_no_move_is_named() {
        let size = BoardSize::square(15);
        assert_eq!(parse_moves("h8p1", size), Err(TextError::OffBoard("p1".into())));
        assert_eq!(parse_moves("h8 7", size), Err(TextError::NoColumn("7".into())));
        assert_eq!(parse_moves("h", size), Err(TextError::NoRow(String::new())));
        assert!(parse_moves("h99999999999999999999", size).is_err());
        assert_eq!(parse_moves("h0", size), Err(TextError::OffBoard("h0".into())));
    }
}
