//! The notation of conformance cases.
//!
//! ```text
//! # a remark
//! == B12 mandatory the input ends inside a block     a case: name, level, title
//! -- first                                          another process within the case
//! > BOARD                                           send a line, ended by LF
//! >~ START 15\r\n                                   send bytes: \r \n \t \s (blank) \\ \xE9
//! >*50 START 15                                     send a line fifty times
//! >x100000 A                                        send a line of so many letters
//! < OK                                              wait for an answer, see `pattern`
//! < ERROR | OK                                      either
//! < move after 100 within 300 as n                  when it is due, and a name for it
//! <*50 OK within 500                                fifty answers in that time together
//! ~ 300                                             silence for so many milliseconds
//! !eof !exit 200 !suspend !resume !close-output     see `Step`
//! ```
//!
//! In a line to be sent `{free}` is a free square, `{turn}` the square of the last TURN, and
//! `{n}` the move that was named `n`. Must not know how a case is carried out.

use super::pattern::Pattern;

/// Who needs a case to pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Commands every brain has to know.
    Mandatory,
    /// Commands the protocol leaves to the brain: RECTSTART, RESTART, TAKEBACK, PLAY, SWAP2BOARD.
    Optional,
    /// What analysis programs add, and what Tengen decided where the protocol is silent.
    Extended,
}

impl Level {
    /// All levels, the most important first.
    pub const ALL: [Level; 3] = [Level::Mandatory, Level::Optional, Level::Extended];

    /// As in the cases.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Mandatory => "mandatory",
            Level::Optional => "optional",
            Level::Extended => "extended",
        }
    }
}

/// A case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Short name, `B12`.
    pub id: String,
    /// Who needs it.
    pub level: Level,
    /// A few words on what is expected.
    pub title: String,
    /// What happens, a process each.
    pub scripts: Vec<Script>,
}

/// What happens to one process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// What sets it apart from the case's others; empty when there is one only.
    pub title: String,
    /// The steps in order.
    pub steps: Vec<Step>,
}

/// One line of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Write these bytes.
    Send(Vec<u8>),
    /// Wait for an answer.
    Expect(Expectation),
    /// No answer for so many milliseconds.
    Silence(u64),
    /// `!bare`: do not begin by a turn limit of 500 ms, as all scripts else do.
    Bare,
    /// `!unread`: do not read what the process writes.
    Unread,
    /// `!whole`: from here on each write must be whole lines.
    Whole,
    /// `!detail`: lines of detail are allowed and must have their form.
    Detail,
    /// `!no-realtime`: REALTIME messages are not allowed.
    NoRealtime,
    /// `!think`: a new game and a quiet position to think about.
    Think,
    /// `!eof`: close the input.
    CloseInput,
    /// `!close-output`: close the output, which nobody reads.
    CloseOutput,
    /// `!exit MS`: the process ends by itself in that time, with status 0.
    Exit(u64),
    /// `!suspend`: stop the process where it is.
    Suspend,
    /// `!resume`: let it go on.
    Resume,
    /// `!nodes LEAST MOST`: the last message told a node count in this range.
    Nodes(u64, u64),
    /// `!depth-messages`: there were messages on depths, and all had their form.
    DepthMessages,
    /// `!budget`: a game against itself inside its match time.
    Budget,
    /// `!memory`: ten moves inside the memory of Gomocup.
    Memory,
}

/// An answer that is waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// As written, for the report.
    pub text: String,
    /// Any of these will do.
    pub any: Vec<Pattern>,
    /// It must not come before so many milliseconds.
    pub after_ms: u64,
    /// It must come within so many; absent means the usual time.
    pub within_ms: Option<u64>,
    /// Name under which a move is kept.
    pub name: Option<String>,
    /// So many times.
    pub count: usize,
}

/// Reads the cases of a file.
///
/// # Errors
/// The number of the first line that is not understood, and why.
pub fn parse(content: &str) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = Vec::new();
    for (index, line) in content.lines().enumerate() {
        let line = line.trim_end();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        add_line(&mut cases, line).map_err(|error| format!("line {}: {error}", index + 1))?;
    }
    Ok(cases)
}

fn add_line(cases: &mut Vec<Case>, line: &str) -> Result<(), String> {
    if let Some(head) = line.strip_prefix("== ") {
        cases.push(parse_head(head)?);
        return Ok(());
    }
    let case = cases.last_mut().ok_or("a line before the first case")?;
    if let Some(title) = line.strip_prefix("-- ") {
        case.scripts.push(Script { title: title.to_string(), steps: Vec::new() });
        return Ok(());
    }
    if case.scripts.is_empty() {
        case.scripts.push(Script::default());
    }
    let steps = parse_step(line)?;
    if let Some(script) = case.scripts.last_mut() {
        script.steps.extend(steps);
    }
    Ok(())
}

fn parse_head(head: &str) -> Result<Case, String> {
    let mut words = head.splitn(3, ' ');
    let (id, level, title) = (words.next(), words.next(), words.next());
    let level = Level::ALL.into_iter().find(|known| Some(known.name()) == level);
    let level = level.ok_or("the second word is not mandatory, optional or extended")?;
    let (id, title) = id.zip(title).ok_or("a case has a name, a level and a title")?;
    Ok(Case { id: id.to_string(), level, title: title.to_string(), scripts: Vec::new() })
}

fn parse_step(line: &str) -> Result<Vec<Step>, String> {
    let number =
        |text: &str| text.trim().parse::<u64>().map_err(|_| format!("'{text}' is no number"));
    let line_of = |text: &str| Step::Send(format!("{text}\n").into_bytes());
    if let Some(bytes) = line.strip_prefix(">~ ") {
        return Ok(vec![Step::Send(unescape(bytes)?)]);
    }
    if let Some(rest) = line.strip_prefix(">*") {
        let (count, text) = rest.split_once(' ').ok_or("no line to repeat")?;
        let count = usize::try_from(number(count)?).unwrap_or(0);
        return Ok(vec![line_of(text); count]);
    }
    if let Some(rest) = line.strip_prefix(">x") {
        let (count, letter) = rest.split_once(' ').ok_or("no letter to repeat")?;
        return Ok(vec![line_of(&letter.repeat(usize::try_from(number(count)?).unwrap_or(0)))]);
    }
    if let Some(text) = line.strip_prefix('>') {
        return Ok(vec![line_of(text.strip_prefix(' ').unwrap_or(text))]);
    }
    if let Some(rest) = line.strip_prefix("<*") {
        let (count, text) = rest.split_once(' ').ok_or("nothing to expect")?;
        let count = usize::try_from(number(count)?).unwrap_or(0);
        return Ok(vec![Step::Expect(parse_expectation(text, count)?)]);
    }
    if let Some(text) = line.strip_prefix("< ") {
        return Ok(vec![Step::Expect(parse_expectation(text, 1)?)]);
    }
    if let Some(ms) = line.strip_prefix("~ ") {
        return Ok(vec![Step::Silence(number(ms)?)]);
    }
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    Ok(vec![match word {
        "!bare" => Step::Bare,
        "!unread" => Step::Unread,
        "!whole" => Step::Whole,
        "!detail" => Step::Detail,
        "!no-realtime" => Step::NoRealtime,
        "!think" => Step::Think,
        "!eof" => Step::CloseInput,
        "!close-output" => Step::CloseOutput,
        "!exit" => Step::Exit(number(rest)?),
        "!suspend" => Step::Suspend,
        "!resume" => Step::Resume,
        "!depth-messages" => Step::DepthMessages,
        "!budget" => Step::Budget,
        "!memory" => Step::Memory,
        "!nodes" => {
            let (least, most) = rest.split_once(' ').ok_or("!nodes takes two numbers")?;
            Step::Nodes(number(least)?, number(most)?)
        }
        "!stones" => return Ok(rest.split_whitespace().map(line_of).collect()),
        "!block" => {
            let lines = std::iter::once("BOARD").chain(rest.split_whitespace());
            return Ok(lines.chain(std::iter::once("DONE")).map(line_of).collect());
        }
        _ => return Err(format!("'{line}' is no step")),
    }])
}

fn parse_expectation(text: &str, count: usize) -> Result<Expectation, String> {
    let mut found = Expectation {
        text: text.to_string(),
        any: Vec::new(),
        after_ms: 0,
        within_ms: None,
        name: None,
        count,
    };
    let mut rest = text;
    // Conditions stand behind the pattern, a word and a value each.
    while let Some((before, value)) = rest.rsplit_once(' ') {
        let (pattern, word) = before.rsplit_once(' ').unwrap_or(("", before));
        let number = || value.parse::<u64>().map_err(|_| format!("'{value}' is no number"));
        match word {
            "within" => found.within_ms = Some(number()?),
            "after" => found.after_ms = number()?,
            "as" => found.name = Some(value.to_string()),
            _ => break,
        }
        rest = pattern;
    }
    found.any = rest.split(" | ").map(Pattern::parse).collect::<Result<_, _>>()?;
    Ok(found)
}

fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        let (code, tail) = rest.split_first().ok_or("a lone backslash at the end")?;
        rest = tail;
        bytes.push(match code {
            b'r' => b'\r',
            b'n' => b'\n',
            b't' => b'\t',
            b's' => b' ',
            b'\\' => b'\\',
            b'x' => {
                let digits = rest.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
                rest = rest.get(2..).unwrap_or_default();
                let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
                byte.ok_or("\\x takes two hexadecimal digits")?
            }
            _ => return Err(format!("'\\{}' is no escape", char::from(*code))),
        });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_read_line_by_line() {
        let cases = parse(
            "# remark\n\n== A1 extended what it is\n> START 15\n< ERROR | OK within 5 after 2 as n\n\
             -- second\n!exit 7\n",
        )
        .unwrap();
        let [case] = &cases[..] else { panic!("one case") };
        assert_eq!(
            (case.id.as_str(), case.level, case.title.as_str()),
            ("A1", Level::Extended, "what it is")
        );
        assert_eq!(case.scripts[0].steps[0], Step::Send(b"START 15\n".to_vec()));
        let Step::Expect(found) = &case.scripts[0].steps[1] else { panic!("an expectation") };
        assert_eq!((found.any.len(), found.within_ms, found.after_ms), (2, Some(5), 2));
        assert_eq!(found.name.as_deref(), Some("n"));
        assert_eq!(case.scripts[1].steps, [Step::Exit(7)]);
    }

    #[test]
    fn bytes_and_repetitions_are_spelled_out() {
        assert_eq!(unescape("a\\r\\n\\t\\s\\\\\\xE9").unwrap(), b"a\r\n\t \\\xE9");
        assert!(unescape("\\q").is_err() && unescape("\\xE").is_err() && unescape("\\").is_err());
        assert_eq!(parse_step(">x3 A").unwrap(), [Step::Send(b"AAA\n".to_vec())]);
        assert_eq!(parse_step(">*2 X").unwrap().len(), 2);
        assert_eq!(parse_step(">").unwrap(), [Step::Send(b"\n".to_vec())]);
        assert_eq!(parse_step("!block 1,1,1").unwrap().len(), 3);
    }

    #[test]
    fn mistakes_are_named_by_their_line() {
        for (text, expected) in [
            ("> A", "line 1: a line before the first case"),
            ("== A1 what", "line 1: the second word is not mandatory, optional or extended"),
            ("== A1 mandatory t\n?", "line 2: '?' is no step"),
            ("== A1 mandatory t\n\n< nothing", "line 3: 'nothing' is no pattern"),
        ] {
            assert_eq!(parse(text), Err(expected.to_string()));
        }
    }
}
