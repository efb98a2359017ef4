//! The language of the transcripts, read into steps.
//!
//! Owns the grammar; `README.md` explains it with examples. Must not know processes.

use std::time::Duration;

use crate::grid::Point;

/// One file.
pub(super) struct Script {
    /// Its cases measure time and need the machine to themselves.
    pub(super) alone: bool,
    pub(super) cases: Vec<Case>,
}

/// One dialogue with a process of its own.
#[derive(Default)]
pub(super) struct Case {
    /// The first remark.
    pub(super) reason: String,
    /// Steps with the lines they stand on.
    pub(super) steps: Vec<(usize, Step)>,
}

impl Case {
    /// Adds lines to send; those that follow one another go out in one write.
    fn send(&mut self, number: usize, more: impl IntoIterator<Item = String>) {
        match self.steps.last_mut() {
            Some((_, Step::Send(lines))) => lines.extend(more),
            _ => self.steps.push((number, Step::Send(more.into_iter().collect()))),
        }
    }
}

/// One thing to do or to expect.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    /// Lines sent in one write.
    Send(Vec<String>),
    /// Bytes sent as they stand.
    Raw(Vec<u8>),
    /// The next line must be one of these kinds; a move may get a name.
    Expect(Vec<Kind>, Option<String>),
    /// Nothing is done for a while.
    Wait(Duration),
    /// Nothing may come for a while.
    Silent(Duration),
    /// How long the next line may take, and whether nothing is added for a busy machine.
    Within(Duration, bool),
    /// Stdin is closed.
    Eof,
    /// The process must end by itself.
    Exit(Duration),
    /// How lines end from here on.
    Ends(&'static str),
    /// Bytes are sent one at a time from here on, with this pause.
    Drip(Duration),
    /// A name for the free point nearest to one.
    Near(String, Point),
}

/// What a line may be.
#[derive(Debug, PartialEq)]
pub(super) enum Kind {
    /// A line with `*` for any text.
    Like(String),
    /// A move, but none of these.
    Square(Vec<String>),
    /// One of these moves.
    OneOf(Vec<String>),
    /// An answer to SWAP2BOARD with 0, 3 or 5 stones.
    Swap2(usize),
    /// So many different free points.
    Points(usize),
    /// The answer to ABOUT.
    About,
}

/// Reads a whole file.
pub(super) fn parse(text: &str) -> Result<Script, String> {
    let mut script = Script { alone: false, cases: vec![Case::default()] };
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let bad = || format!("line {number}: {line:?} is no step");
        let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
        let last = script.cases.len() - 1;
        let case = &mut script.cases[last];
        match mark {
            "---" => script.cases.push(Case::default()),
            "#" if case.reason.is_empty() => case.reason = rest.to_string(),
            "" | "#" => {}
            ">" => case.send(number, [rest.to_string()]),
            ">>" => case.send(number, rest.split(' ').chain(["DONE"]).map(String::from)),
            "!" if rest == "alone" => script.alone = true,
            "!" => case.steps.push((number, order(rest).ok_or_else(bad)?)),
            "<" => {
                let exact = Step::Expect(vec![Kind::Like(rest.to_string())], None);
                case.steps.push((number, exact));
            }
            "<?" => case.steps.push((number, expectation(rest))),
            _ => return Err(bad()),
        }
    }
    for case in &script.cases {
        if case.reason.is_empty() || case.steps.is_empty() {
            return Err(format!("a case without reason or steps: {:?}", case.reason));
        }
        let measures = case.steps.iter().any(|(_, step)| matches!(step, Step::Within(..)));
        if measures && !script.alone {
            return Err(format!("a measurement in a file that is not alone: {:?}", case.reason));
        }
    }
    Ok(script)
}

/// What stands after `!`.
fn order(text: &str) -> Option<Step> {
    let words: Vec<&str> = text.split(' ').collect();
    let time = |number: &str| number.parse().ok().map(Duration::from_millis);
    Some(match words.as_slice() {
        ["raw", ..] => Step::Raw(bytes(text.strip_prefix("raw ")?)?),
        ["wait", number, "ms"] => Step::Wait(time(number)?),
        ["silent", number, "ms"] => Step::Silent(time(number)?),
        ["within", number, "ms"] => Step::Within(time(number)?, false),
        ["within", number, "ms", "sharp"] => Step::Within(time(number)?, true),
        ["eof"] => Step::Eof,
        ["exit", number, "ms"] => Step::Exit(time(number)?),
        ["ends", "LF"] => Step::Ends("\n"),
        ["ends", "CRLF"] => Step::Ends("\r\n"),
        ["ends", "CR"] => Step::Ends("\r"),
        ["drip", number, "ms"] => Step::Drip(time(number)?),
        ["let", name, "=", "near", point] => {
            Step::Near((*name).to_string(), crate::grid::point(point)?)
        }
        _ => return None,
    })
}

/// What stands after `<?`.
fn expectation(text: &str) -> Step {
    let (kinds, name) = match text.split_once(" as ") {
        Some((kinds, name)) => (kinds, Some(name.to_string())),
        None => (text, None),
    };
    Step::Expect(kinds.split(" or ").map(kind).collect(), name)
}

fn kind(text: &str) -> Kind {
    let list = |points: &str| points.split(' ').map(String::from).collect();
    match text {
        "square" => Kind::Square(Vec::new()),
        "swap2 opening" => Kind::Swap2(0),
        "swap2 second" => Kind::Swap2(3),
        "swap2 third" => Kind::Swap2(5),
        "about" => Kind::About,
        _ => {
            if let Some(points) = text.strip_prefix("square != ") {
                Kind::Square(list(points))
            } else if let Some(points) = text.strip_prefix("one of ") {
                Kind::OneOf(list(points))
            } else if let Some(Ok(number)) = text.strip_prefix("points ").map(str::parse) {
                Kind::Points(number)
            } else {
                Kind::Like(text.to_string())
            }
        }
    }
}

/// Text with `\r`, `\n`, `\t`, `\\` and `\xNN`.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let mut signs = text.bytes();
    let mut bytes = Vec::new();
    while let Some(sign) = signs.next() {
        bytes.push(match sign {
            b'\\' => match signs.next()? {
                b'r' => b'\r',
                b'n' => b'\n',
                b't' => b'\t',
                b'\\' => b'\\',
                b'x' => {
                    let digits = [signs.next()?, signs.next()?];
                    u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
                }
                _ => return None,
            },
            plain => plain,
        });
    }
    Some(bytes)
}

/// Whether a line fits a pattern with `*` for any text.
pub(super) fn is_like(line: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|head| line.strip_prefix(head)) else {
        return false;
    };
    let Some(tail) = pattern.contains('*').then(|| parts.next_back().unwrap_or_default()) else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(tail)
}

/// Whether a line is `key="value", key="value"` as c-gomoku-cli and qpiskvork both read it.
pub(super) fn is_about(line: &str) -> bool {
    let mut keys = Vec::new();
    for field in line.split(", ") {
        let Some((key, value)) = field.split_once('=') else { return false };
        let inner = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        if inner.is_none_or(|inner| inner.contains(['"', ','])) {
            return false;
        }
        keys.push(key);
    }
    let known = ["name", "version", "author", "country", "www", "email"];
    keys.first() == Some(&"name")
        && keys.iter().all(|key| known.contains(key))
        && ["version", "author", "country"].iter().all(|key| keys.contains(key))
        && line.matches("name").count() == 1
}

#[test]
fn lines_become_steps() {
    let script =
        parse("! alone\n# F00: why\n> a\n> b\n< OK\n---\n# F01: y\n>> B 1,1\n! raw \\xe9\\n\n")
            .unwrap();
    assert!(script.alone);
    let [first, second] = script.cases.as_slice() else { panic!("two cases") };
    assert_eq!(first.reason, "F00: why");
    assert_eq!(first.steps[0], (3, Step::Send(vec!["a".into(), "b".into()])));
    let block = Step::Send(vec!["B".into(), "1,1".into(), "DONE".into()]);
    assert_eq!(second.steps, [(8, block), (9, Step::Raw(vec![0xe9, b'\n']))]);
    for bad in [
        "# a\nx y",
        "# a\n! exit soon",
        "# only a reason",
        "> only a step",
        "# a\n! within 9 ms\n< OK",
    ] {
        assert!(parse(bad).is_err(), "{bad:?}");
    }
    assert_eq!(
        expectation("one of 1,2 3,4 or ERROR * as m"),
        Step::Expect(
            vec![Kind::OneOf(vec!["1,2".into(), "3,4".into()]), Kind::Like("ERROR *".into())],
            Some("m".into())
        )
    );
}

#[test]
fn a_star_stands_for_any_text() {
    assert!(is_like("ERROR size 20 at most", "ERROR *20*"));
    assert!(is_like("UNKNOWN", "UNKNOWN*"));
    assert!(is_like("OK", "OK") && is_like("a b c", "a*c"));
    assert!(!is_like("OK ", "OK") && !is_like("UNKNOWN", "UNKNOWN *"));
    assert!(!is_like("ab", "ab*b"));
    assert!(is_about("name=\"T\", version=\"1\", author=\"a\", country=\"x\""));
    assert!(!is_about("name=\"T\", version=\"1, 2\", author=\"a\", country=\"x\""));
    assert!(!is_about("Name=\"T\", version=\"1\", author=\"a\", country=\"x\""));
}
