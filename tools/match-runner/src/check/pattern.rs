//! What an answer is compared with.
//!
//! Owns the kinds of lines the cases know. Must not know when a line is due.

use manager::text;

use super::stones::Stones;

/// A kind of line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// This line; `#` stands for one or more digits.
    Exact(String),
    /// `ERROR` and a text, which may have to hold a given piece.
    Error(Option<String>),
    /// `UNKNOWN`, perhaps with a text.
    Unknown,
    /// A move on an empty square of the board, in the only form every manager accepts.
    Move(Squares),
    /// So many distinct empty squares.
    Points(usize),
    /// The answer to ABOUT that every manager can read.
    About,
}

/// Which moves are right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Squares {
    /// Any.
    Any,
    /// One of these.
    In(Vec<(i64, i64)>),
    /// None of these.
    NotIn(Vec<(i64, i64)>),
}

impl Pattern {
    /// Reads a pattern as written in a case.
    ///
    /// # Errors
    /// What is not understood.
    pub fn parse(text: &str) -> Result<Pattern, String> {
        if let Some(exact) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            return Ok(Pattern::Exact(exact.to_string()));
        }
        if let Some(piece) = text.strip_prefix("ERROR*") {
            return Ok(Pattern::Error(Some(piece.to_string())));
        }
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let points = |list: &str| -> Result<Vec<(i64, i64)>, String> {
            list.split_whitespace()
                .map(|point| {
                    text::parse_pair(point).ok_or_else(|| format!("'{point}' is no point"))
                })
                .collect()
        };
        match (word, rest.split_once(' ').unwrap_or((rest, ""))) {
            ("OK" | "SWAP", ("", _)) => Ok(Pattern::Exact(text.to_string())),
            ("ERROR", ("", _)) => Ok(Pattern::Error(None)),
            ("UNKNOWN", ("", _)) => Ok(Pattern::Unknown),
            ("about", ("", _)) => Ok(Pattern::About),
            ("move", ("", _)) => Ok(Pattern::Move(Squares::Any)),
            ("move", ("in", list)) => Ok(Pattern::Move(Squares::In(points(list)?))),
            ("move", ("not", list)) => Ok(Pattern::Move(Squares::NotIn(points(list)?))),
            ("one", ("square", "")) => Ok(Pattern::Points(1)),
            ("two", ("squares", "")) => Ok(Pattern::Points(2)),
            ("three", ("squares", "")) => Ok(Pattern::Points(3)),
            _ => Err(format!("'{text}' is no pattern")),
        }
    }

    /// Whether lines that begin with MESSAGE can match.
    pub fn is_message(&self) -> bool {
        matches!(self, Pattern::Exact(text) if text.starts_with("MESSAGE"))
    }

    /// Whether the line is an answer of this kind, on a board with these stones.
    pub fn matches(&self, line: &str, stones: &Stones) -> bool {
        match self {
            Pattern::Exact(text) => matches_digits(text, line),
            Pattern::Error(piece) => {
                let text = line.strip_prefix("ERROR ").unwrap_or("");
                text.starts_with(|c: char| !c.is_whitespace())
                    && piece.as_ref().is_none_or(|piece| text.contains(piece.as_str()))
            }
            Pattern::Unknown => line == "UNKNOWN" || line.starts_with("UNKNOWN "),
            Pattern::Move(squares) => {
                let point = canonical(line).filter(|&point| stones.is_empty(point));
                point.is_some_and(|point| match squares {
                    Squares::Any => true,
                    Squares::In(list) => list.contains(&point),
                    Squares::NotIn(list) => !list.contains(&point),
                })
            }
            Pattern::Points(count) => {
                let points: Option<Vec<_>> = line.split(' ').map(canonical).collect();
                points.is_some_and(|points| {
                    let distinct = (1..points.len()).all(|i| !points[..i].contains(&points[i]));
                    points.len() == *count
                        && distinct
                        && points.iter().all(|&point| stones.is_empty(point))
                })
            }
            Pattern::About => is_about(line),
        }
    }
}

/// Reads `x,y` without blanks, signs or leading zeros.
pub fn canonical(line: &str) -> Option<(i64, i64)> {
    let point = text::parse_pair(line)?;
    (format!("{},{}", point.0, point.1) == line).then_some(point)
}

/// Compares text in which `#` stands for one or more digits.
fn matches_digits(pattern: &str, line: &str) -> bool {
    let Some((before, after)) = pattern.split_once('#') else { return pattern == line };
    let Some(rest) = line.strip_prefix(before) else { return false };
    let tail = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    tail.len() < rest.len() && matches_digits(after, tail)
}

/// `name="...", version="..."` and so on: the name first, no comma inside a value.
fn is_about(line: &str) -> bool {
    const KEYS: [&str; 5] = ["version", "author", "country", "www", "email"];
    let mut fields = line.split(", ").map(|field| {
        let (key, value) = field.split_once('=')?;
        let value = value.strip_prefix('"')?.strip_suffix('"')?;
        (!value.contains(['"', ','])).then_some((key, value))
    });
    let named =
        fields.next().flatten().is_some_and(|(key, value)| key == "name" && !value.is_empty());
    named && fields.all(|field| field.is_some_and(|(key, _)| KEYS.contains(&key)))
}

/// Whether a line has the form of search messages that managers read:
/// `MESSAGE depth D-S [multipv K] ev E n N n/ms V tm T pv H8 ...`.
pub fn is_depth_message(line: &str) -> bool {
    let digits = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let mut words = line.split(' ');
    let mut next = || words.next().unwrap_or("");
    if (next(), next()) != ("MESSAGE", "depth") {
        return false;
    }
    let depths = next().split_once('-').is_some_and(|(d, s)| digits(d) && digits(s));
    let mut key = next();
    let mut right = depths;
    if key == "multipv" {
        right &= digits(next());
        key = next();
    }
    let eval = next();
    let eval = eval.strip_prefix(['+', '-']).unwrap_or(eval);
    right &= key == "ev" && digits(eval.strip_prefix('M').unwrap_or(eval));
    let (key, nodes) = (next(), next());
    right &= key == "n" && digits(nodes.strip_suffix(['K', 'M', 'G']).unwrap_or(nodes));
    right &= next() == "n/ms" && digits(next()) && next() == "tm" && digits(next());
    right &= next() == "pv";
    let point = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_uppercase()) && word.get(1..).is_some_and(digits)
    };
    let moves: Vec<&str> = words.collect();
    right && !moves.is_empty() && moves.into_iter().all(point)
}

/// Whether a line of detail, sent because `INFO show_detail` asked for it, has a known form.
pub fn is_detail(line: &str) -> bool {
    const KEYS: [&str; 11] = [
        "PV",
        "NUMPV",
        "DEPTH",
        "SELDEPTH",
        "NODES",
        "TOTALNODES",
        "TOTALTIME",
        "SPEED",
        "EVAL",
        "WINRATE",
        "BESTLINE",
    ];
    if let Some(rest) = line.strip_prefix("INFO ") {
        return rest
            .split_once(' ')
            .is_some_and(|(key, value)| KEYS.contains(&key) && !value.trim_start().is_empty());
    }
    if let Some(rest) = line.strip_prefix("MESSAGE REALTIME ") {
        return match rest.split_once(' ') {
            None => rest == "REFRESH",
            Some((key, point)) => {
                ["BEST", "LOST", "POS", "DONE"].contains(&key) && canonical(point).is_some()
            }
        };
    }
    line.starts_with("MESSAGE ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, line: &str, expected: bool) {
        let mut stones = Stones::default();
        stones.sent("START 15");
        stones.sent("BOARD 7,7,1 8,8,2 DONE");
        let pattern = Pattern::parse(pattern).unwrap();
        assert_eq!(pattern.matches(line, &stones), expected, "{pattern:?} {line}");
    }

    #[test]
    fn moves_must_be_canonical_and_empty() {
        for (line, expected) in [
            ("3,4", true),
            ("14,14", true),
            ("7,7", false),
            ("15,3", false),
            ("03,4", false),
            ("3, 4", false),
            (" 3,4", false),
            ("3,4 ", false),
            ("SUGGEST 3,4", false),
        ] {
            check("move", line, expected);
        }
        check("move in 3,4 5,6", "5,6", true);
        check("move in 3,4 5,6", "5,7", false);
        check("move not 3,4", "3,4", false);
    }

    #[test]
    fn other_lines_are_told_apart() {
        check("OK", "OK", true);
        check("OK", "OK - fine", false);
        check("ERROR", "ERROR text", true);
        check("ERROR", "ERROR", false);
        check("ERROR", "ERROR  text", false);
        check("ERROR*20", "ERROR 5 to 22, say 20", true);
        check("ERROR*20", "ERROR no", false);
        check("UNKNOWN", "UNKNOWN", true);
        check("UNKNOWN", "UNKNOWNS", false);
        check("\"MAX #\"", "MAX 12", true);
        check("\"MAX #\"", "MAX ", false);
        check("two squares", "1,1 2,2", true);
        check("two squares", "1,1 1,1", false);
        check("three squares", "1,1 2,2", false);
        check("about", "name=\"a\", version=\"1\", country=\"CZ\"", true);
        check("about", "name=\"a, b\"", false);
        check("about", "version=\"1\", name=\"a\"", false);
        assert!(Pattern::parse("moves").is_err());
    }

    #[test]
    fn messages_and_details_have_their_forms() {
        let good = "MESSAGE depth 14-23 ev 145 n 1532K n/ms 1021 tm 1500 pv H8 I9 G7";
        assert!(is_depth_message(good));
        assert!(is_depth_message(&good.replace("ev 145", "multipv 2 ev +M9")));
        for (part, bad) in
            [("14-23", "14"), ("145", "1.5"), ("1532K", "1.5M"), (" pv H8 I9 G7", "")]
        {
            assert!(!is_depth_message(&good.replace(part, bad)), "{bad}");
        }
        for good in
            ["INFO EVAL +M3", "MESSAGE REALTIME REFRESH", "MESSAGE REALTIME POS 3,4", "MESSAGE x"]
        {
            assert!(is_detail(good), "{good}");
        }
        for bad in ["INFO FOO 1", "INFO EVAL", "MESSAGE REALTIME POS", "MESSAGE REALTIME VAL 1,1"] {
            assert!(!is_detail(bad), "{bad}");
        }
    }
}
