//! Points, rules, sizes and move lists as text.
//!
//! Owns the spellings the tools read and write. Must not know what a rule means or whether a
//! move is legal.

use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

/// The number of a rule in `INFO rule`.
pub const fn rule_number(rule: Rule) -> u8 {
    match rule {
        Rule::Freestyle => 0,
        Rule::Standard => 1,
        Rule::Renju => 4,
        Rule::Caro => 8,
        Rule::CaroExact => 9,
    }
}

/// The rule with this number or name, see [`rule_number`].
///
/// # Errors
/// What was expected, when it is neither.
pub fn parse_rule(text: &str) -> Result<Rule, String> {
    let number = text.parse().ok();
    Rule::ALL
        .into_iter()
        .find(|&rule| Some(rule_number(rule)) == number || rule.name() == text)
        .ok_or_else(|| {
            format!(
                "rule '{text}' is not 0 (freestyle), 1 (standard), 4 (renju), 8 (caro) or 9 (caro9)"
            )
        })
}

/// The square board whose side is this number.
///
/// # Errors
/// What was expected.
pub fn parse_size(text: &str) -> Result<BoardSize, String> {
    let side = text.parse().map_err(|_| format!("'{text}' is no number"))?;
    BoardSize::try_new(side, side).map_err(|error| error.to_string())
}

/// A square as a letter and a number, `h8` for `7,7`.
pub fn point(square: Square) -> String {
    format!("{}{}", char::from(b'a' + square.x()), square.y() + 1)
}

/// Moves written one after the other, `h8i9g7`.
pub fn moves(squares: &[Square]) -> String {
    squares.iter().copied().map(point).collect()
}

/// Reads what [`moves`] writes; blanks between the points are allowed.
///
/// # Errors
/// The place that is no point of a board of this size.
pub fn parse_moves(text: &str, size: BoardSize) -> Result<Vec<Square>, String> {
    let mut squares = Vec::new();
    let mut rest = text.trim_start();
    while let Some(letter) = rest.chars().next() {
        let tail = &rest[letter.len_utf8()..];
        let digits = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
        let found = letter.is_ascii_alphabetic().then(|| letter.to_ascii_lowercase());
        let x = found.map(|letter| i64::from(u32::from(letter) - u32::from('a')));
        let y = tail[..digits].parse::<i64>().ok().map(|number| number - 1);
        let square = x.zip(y).and_then(|(x, y)| Square::on_board(size, x, y));
        let here = &rest[..letter.len_utf8() + digits];
        squares.push(square.ok_or_else(|| format!("'{here}' is no point of a {size} board"))?);
        rest = tail[digits..].trim_start();
    }
    Ok(squares)
}

/// Reads `x,y` as a brain writes it: blanks round the numbers are allowed, nothing else.
pub fn parse_pair(text: &str) -> Option<(i64, i64)> {
    let (x, y) = text.split_once(',')?;
    let number = |text: &str| {
        let text = text.trim();
        let digits = text.strip_prefix('-').unwrap_or(text);
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| text.parse().ok()).flatten()
    };
    Some((number(x)?, number(y)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_known_by_number_and_name() {
        for rule in Rule::ALL {
            assert_eq!(parse_rule(&rule_number(rule).to_string()), Ok(rule));
            assert_eq!(parse_rule(rule.name()), Ok(rule));
        }
        assert!(parse_rule("2").is_err());
    }

    #[test]
    fn move_lists_round_trip() {
        let size = BoardSize::square(15);
        let squares = parse_moves("h8 I9a15o1", size).unwrap();
        assert_eq!(moves(&squares), "h8i9a15o1");
        assert_eq!((squares[2].x(), squares[2].y()), (0, 14));
        for bad in ["p1", "a16", "a0", "a", "8h", "h8,i9", "é3"] {
            assert!(parse_moves(bad, size).is_err(), "{bad}");
        }
    }

    #[test]
    fn pairs_are_read_strictly() {
        assert_eq!(parse_pair("7,8"), Some((7, 8)));
        assert_eq!(parse_pair(" 7 , 8 "), Some((7, 8)));
        assert_eq!(parse_pair("-1,8"), Some((-1, 8)));
        for bad in ["7", "7,8 x", "7,,8", "OK", "", "+7,8", "7,8,9"] {
            assert_eq!(parse_pair(bad), None, "{bad}");
        }
    }
}
