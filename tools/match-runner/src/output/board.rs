//! A board as plain text.
//!
//! ```text
//!     a b c d e
//!   1 . . . . .  1
//!   2 . X(O). .  2
//! ```
//!
//! X is Black, O is White, brackets mark the last move. Must not know rules or games.

use std::fmt::Write as _;

use tengen::types::size::BoardSize;
use tengen::types::square::Square;

/// Draws the board after some moves, Black's first.
pub fn draw(size: BoardSize, moves: &[Square]) -> String {
    let letters: String = (0..size.width()).flat_map(|x| [' ', char::from(b'a' + x)]).collect();
    let mut text = format!("   {letters}\n");
    for y in 0..size.height() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{:>3}", y + 1);
        let mut mark = ' ';
        for x in 0..size.width() {
            let square = Square::new(x, y);
            let stone = match moves.iter().position(|&played| played == square) {
                Some(index) if index % 2 == 0 => 'X',
                Some(_) => 'O',
                None => '.',
            };
            let last = moves.last() == Some(&square);
            if last {
                mark = '(';
            }
            text.push(mark);
            text.push(stone);
            mark = if last { ')' } else { ' ' };
        }
        let _ = writeln!(text, "{mark}{:>2}", y + 1);
    }
    let _ = writeln!(text, "   {letters}");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_and_the_last_move_are_shown() {
        let size = BoardSize::square(5);
        let moves = [Square::new(1, 1), Square::new(2, 1)];
        let expected = "    a b c d e
  1 . . . . .  1
  2 . X(O). .  2
  3 . . . . .  3
  4 . . . . .  4
  5 . . . . .  5
    a b c d e
";
        assert_eq!(draw(size, &moves), expected);
        assert!(draw(size, &[Square::new(4, 0)]).contains("  1 . . . .(X) 1\n"));
        assert!(draw(size, &[Square::new(0, 0)]).contains("  1(X). . . .  1\n"));
    }
}
