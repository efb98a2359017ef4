//! Words, numbers and points as managers write them.
//!
//! Owns what is tolerated: any blanks, folded case, `10,10` and `10 , 10` and `10 10`, signs and
//! leading zeros, bytes that are no text. Must not know any command. Start reading at
//! [`numbers`].

use std::borrow::Cow;
use std::fmt;

/// A point as the protocol counts: zero-based, x to the right, y down; perhaps off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Coord {
    /// Column.
    pub(crate) x: i64,
    /// Row.
    pub(crate) y: i64,
}

impl fmt::Display for Coord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// Splits a line after its first word; both parts come without blanks around them.
pub(crate) fn split_word(line: &[u8]) -> (&[u8], &[u8]) {
    let line = line.trim_ascii();
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    (word, rest.trim_ascii_start())
}

/// A word in upper case; what is not ASCII cannot be part of a known word.
pub(crate) fn fold(word: &[u8]) -> String {
    String::from_utf8_lossy(&word.to_ascii_uppercase()).into_owned()
}

/// A decimal integer with optional sign; what is too large becomes the largest there is.
pub(crate) fn integer(word: &[u8]) -> Option<i64> {
    let (negative, digits) = match word {
        [sign @ (b'-' | b'+'), digits @ ..] => (*sign == b'-', digits),
        digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let add =
        |value: i64, digit: &u8| value.saturating_mul(10).saturating_add((digit - b'0').into());
    let value = digits.iter().fold(0, add);
    Some(if negative { -value } else { value })
}

/// Integers separated by blanks, by a comma, or by a comma with blanks around it.
///
/// None if anything else is in the text, also a comma too many.
pub(crate) fn numbers(text: &[u8]) -> Option<Vec<i64>> {
    let mut numbers = Vec::new();
    let mut rest = text.trim_ascii();
    while !rest.is_empty() {
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
        let end = rest.iter().position(is_end).unwrap_or(rest.len());
        numbers.push(integer(&rest[..end])?);
        rest = rest[end..].trim_ascii_start();
        if let [b',', after @ ..] = rest {
            rest = after.trim_ascii_start();
            if rest.is_empty() {
                return None;
            }
        }
    }
    Some(numbers)
}

/// Exactly one point.
pub(crate) fn coord(text: &[u8]) -> Option<Coord> {
    match numbers(text)?[..] {
        [x, y] => Some(Coord { x, y }),
        _ => None,
    }
}

/// At most `length` printable characters of a text, for an echo.
pub(crate) fn echo(text: &[u8], length: usize) -> String {
    let printable = |byte: &u8| if (b' '..=b'~').contains(byte) { char::from(*byte) } else { '?' };
    text.iter().take(length).map(printable).collect()
}

/// A text as one printable ASCII line.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(echo(text.as_bytes(), usize::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lose_their_blanks() {
        assert_eq!(split_word(b"  START\t15  "), (&b"START"[..], &b"15"[..]));
        assert_eq!(split_word(b"end"), (&b"end"[..], &b""[..]));
        assert_eq!(split_word(b"   "), (&b""[..], &b""[..]));
        assert_eq!(fold(b"yxBoard"), "YXBOARD");
    }

    #[test]
    fn integers_have_signs_zeros_and_no_end() {
        let cases: [(&[u8], Option<i64>); 11] = [
            (b"15", Some(15)),
            (b"+7", Some(7)),
            (b"-3", Some(-3)),
            (b"007", Some(7)),
            (b"99999999999999999999", Some(i64::MAX)),
            (b"-99999999999999999999", Some(-i64::MAX)),
            (b"", None),
            (b"-", None),
            (b"7x", None),
            (b"1.5", None),
            (b"--1", None),
        ];
        for (text, expected) in cases {
            assert_eq!(integer(text), expected, "{}", echo(text, 99));
        }
    }

    #[test]
    fn points_are_tolerated_in_many_forms() {
        let point = Some(Coord { x: 10, y: 9 });
        for text in ["10,9", "10, 9", " 10 , 9 ", "10 9", "10\t,\t9", "+10,09", "10 ,9"] {
            assert_eq!(coord(text.as_bytes()), point, "{text:?}");
        }
        for text in ["", "10", "10,", ",9", "10,,9", "10;9", "x,y", "10,9,", "10,9,1", "10,9 a"] {
            assert_eq!(coord(text.as_bytes()), None, "{text:?}");
        }
    }

    #[test]
    fn echoes_are_short_and_printable() {
        assert_eq!(echo(b"ab\xff\0c\r", 5), "ab??c");
        assert_eq!(one_line("fine"), "fine");
        assert_eq!(one_line("a\nb"), "a?b");
    }
}
