//! Positions as text: lists of columns, drawings.
//!
//! Owns what a user writes and reads. Must not know scores or search.
//!
//! A position is the columns played so far, each one character, from 1: `4453` is a stone in
//! the middle, one upon it, and so on. Columns beyond the ninth are a, b, c, ...

use std::fmt::{self, Write as _};

use crate::position::{MoveError, Position, Side, Size};

/// Why a list of columns is no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseError {
    /// This character, the so-manieth from 1, names no column of the board.
    NoColumn(char, usize),
    /// The move with this number, from 1, cannot be played.
    Move(usize, MoveError),
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseError::NoColumn(found, at) => {
                write!(f, "expected a column as character {at}, got '{}'", found.escape_debug())
            }
            ParseError::Move(number, error) => write!(f, "move {number}: {error}"),
        }
    }
}

impl std::error::Error for ParseError {}

/// The character of a column counted from 0.
pub fn column_name(column: usize) -> char {
    let digit = u32::try_from(column + 1).unwrap_or(u32::MAX);
    char::from_digit(digit, 36).unwrap_or('?')
}

/// The column of a character, if the board has it.
pub fn parse_column(size: &Size, name: char) -> Option<usize> {
    let column = name.to_digit(36)?.checked_sub(1)? as usize;
    (column < size.columns()).then_some(column)
}

/// The moves of a list of columns, all of them legal.
///
/// # Errors
/// When a character is no column or a move cannot be played.
pub fn parse_moves(size: &Size, text: &str) -> Result<Vec<usize>, ParseError> {
    let mut position = Position::empty();
    let mut moves = Vec::new();
    for (at, name) in text.chars().enumerate() {
        let column = parse_column(size, name).ok_or(ParseError::NoColumn(name, at + 1))?;
        position.play(size, column).map_err(|error| ParseError::Move(at + 1, error))?;
        moves.push(column);
    }
    Ok(moves)
}

/// The position of a list of columns; it may be one where the game has ended.
///
/// # Errors
/// As [`parse_moves`].
pub fn parse_position(size: &Size, text: &str) -> Result<Position, ParseError> {
    let mut position = Position::empty();
    for column in parse_moves(size, text)? {
        // They were all played just now.
        let _ = position.play(size, column);
    }
    Ok(position)
}

/// The letter of a side's stones.
pub const fn letter(side: Side) -> char {
    match side {
        Side::First => 'X',
        Side::Second => 'O',
    }
}

/// A board as text, the columns named above it; a row of four that won is in brackets.
pub fn draw(size: &Size, position: &Position) -> String {
    let mut text = String::new();
    for column in 0..size.columns() {
        let _ = write!(text, "  {}", column_name(column));
    }
    for row in (0..size.rows()).rev() {
        text.push('\n');
        for column in 0..size.columns() {
            match position.stone(size, column, row) {
                None => text.push_str("  ."),
                Some(side) if position.is_in_winning_row(size, column, row) => {
                    let _ = write!(text, " ({}", letter(side));
                }
                Some(side) => {
                    let _ = write!(text, "  {}", letter(side));
                }
            }
        }
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_read_as_they_are_written() {
        let size = Size::try_new(12, 4).unwrap();
        for column in 0..12 {
            assert_eq!(parse_column(&size, column_name(column)), Some(column));
        }
        assert_eq!([column_name(0), column_name(8), column_name(11)], ['1', '9', 'c']);
        for name in ['0', 'd', ' ', '-', 'é'] {
            assert_eq!(parse_column(&size, name), None, "{name}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_list_is_told() {
        let size = Size::standard();
        let error = |text: &str| parse_moves(&size, text).unwrap_err().to_string();
        assert_eq!(error("448"), "expected a column as character 3, got '8'");
        assert_eq!(error("4\u{7}"), "expected a column as character 2, got '\\u{7}'");
        assert_eq!(error("1111111"), "move 7: column 1 is full");
        assert_eq!(error("12121212"), "move 8: the game is over");
        assert_eq!(parse_moves(&size, "").unwrap(), []);
    }

    #[test]
    fn drawings_stand_on_their_feet() {
        let size = Size::try_new(4, 3).unwrap();
        let position = parse_position(&size, "121").unwrap();
        assert_eq!(
            draw(&size, &position),
            "  1  2  3  4\n  .  .  .  .\n  X  .  .  .\n  X  O  .  .\n"
        );
        let size = Size::standard();
        let won = draw(&size, &parse_position(&size, "1212121").unwrap());
        assert_eq!(won.matches("(X").count(), 4, "{won}");
    }
}
