//! Lines to commands.
//!
//! Owns the words of the protocol and what may follow each. Must not know boards, games or the
//! engine: a command that parses may still be impossible. Pure, except that a [`Parser`]
//! remembers a block until its DONE. Start reading at [`Parser::feed`].

use std::fmt;

use crate::protocol::block::{Block, BlockError, BlockKind, Entry, split_done};
use crate::protocol::info::{self, Info};
use crate::protocol::text::{Coord, coord, echo, fold, integer, numbers, split_word};
use crate::types::size::{BoardSize, MAX_SIDE, MIN_SIDE, SizeError};

/// Characters of an unknown word that come back.
const ECHO: usize = 24;

/// A command, ready to be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// START or RECTSTART: a new game.
    Start(BoardSize),
    /// RESTART: a new game of the same size.
    Restart,
    /// BEGIN: a move, please.
    Begin,
    /// TURN: the opponent's stone; a move, please.
    Turn(Coord),
    /// PLAY: the engine's own stone.
    Play(Coord),
    /// TAKEBACK: a stone goes.
    TakeBack(Coord),
    /// BOARD: a position; a move, please.
    Board(Vec<Entry>),
    /// SWAP2BOARD: the next step of the opening, please.
    Swap2(Vec<Entry>),
    /// INFO: a setting.
    Info(Info),
    /// ABOUT.
    About,
    /// END.
    End,
    /// STOP or YXSTOP: the move now, please.
    Stop,
    /// YXBOARD: a position.
    YxBoard(Vec<Entry>),
    /// YXNBEST: a move from a search with this many lines, please.
    YxNbest(i64),
    /// YXSHOWINFO.
    YxShowInfo,
    /// YXSHOWFORBID.
    YxShowForbid,
    /// YXHASHCLEAR.
    YxHashClear,
    /// YXSHOWHASHUSAGE.
    YxShowHashUsage,
    /// YXBLOCK: squares not to play.
    YxBlock(Vec<Entry>),
    /// YXBLOCKUNDO: squares to play again.
    YxBlockUndo(Vec<Entry>),
    /// YXBLOCKRESET.
    YxBlockReset,
    /// YXBLOCKPATH: moves after which a move is not to be played, that move last.
    YxBlockPath(Vec<Entry>),
    /// YXBLOCKPATHUNDO: a path that does not count any more.
    YxBlockPathUndo(Vec<Entry>),
    /// YXBLOCKPATHRESET.
    YxBlockPathReset,
    /// YXSEARCHDEFEND: a move from a search with a line for every move, please.
    YxSearchDefend,
    /// A word of Yixin-Board's whose work is not done here.
    Unsupported(String),
    /// YXSWAP2STEP1 to 3: as SWAP2BOARD for the position set up before.
    YxSwap2Step(u8),
    /// YXBALANCEONE: a move to an even position, please.
    YxBalanceOne(i64),
    /// YXBALANCETWO: two moves to an even position, please.
    YxBalanceTwo(i64),
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ParseError {
    /// The word is not known.
    Unknown(String),
    /// START without a usable size.
    Size,
    /// START with two sizes that differ.
    NotSquare,
    /// RECTSTART without usable sizes.
    RectSize,
    /// No point where one belongs.
    Coord(String),
    /// No number where one belongs.
    Number(String),
    /// Something where nothing belongs.
    Leftover(String),
    /// A bad line in a block that has ended now.
    Block(BlockError),
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseError::Unknown(word) => write!(f, "command '{word}'"),
            ParseError::Size => SizeError.fmt(f),
            ParseError::NotSquare => write!(f, "RECTSTART starts boards that are not square"),
            // Without the number 20, which would make Piskvork fall back to that size.
            ParseError::RectSize => {
                write!(f, "expected width,height, each from {MIN_SIDE} to {MAX_SIDE}")
            }
            ParseError::Coord(found) => write!(f, "expected x,y, got '{found}'"),
            ParseError::Number(found) => write!(f, "expected a number, got '{found}'"),
            ParseError::Leftover(found) => write!(f, "expected nothing more, got '{found}'"),
            ParseError::Block(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ParseError {}

/// What a command word asks the parser to do.
enum Word {
    /// Complete, or complete with the rest of its line.
    Line(Result<Command, ParseError>),
    /// A block follows.
    Block(BlockKind),
    /// A block follows that is not understood.
    SwallowBlock { is_known: bool },
    /// Not done here; said aloud.
    Refuse(Payload),
    /// Known and without effect.
    Silent,
}

/// What follows a word that is refused, and is not read either.
#[derive(Clone, Copy, Debug)]
enum Payload {
    Nothing,
    /// A line, unless it stands behind the word.
    Line,
    /// Lines up to DONE.
    Block,
    /// A text between quotes that may have any lines, then lines up to DONE.
    Text,
}

/// What the next line belongs to.
#[derive(Debug, Default)]
enum State {
    #[default]
    Command,
    Block(Block),
    SwallowBlock,
    SwallowLine,
    /// A text that has had so many lines.
    SwallowText(usize),
}

/// Lines a text may have; one that never ends must not swallow the game.
const TEXT_LINES: usize = 2000;

/// Reads lines one by one.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    state: State,
}

impl Parser {
    /// Reads a line; none if it completes no command.
    ///
    /// END is END wherever it stands, but in the text of a comment. A block whose DONE never came
    /// is void when a game or another position begins. A swallowed block ends at DONE
    /// and also at the next known command, since a payload that was guessed wrongly must not
    /// swallow the game.
    pub(crate) fn feed(&mut self, line: &[u8]) -> Option<Result<Command, ParseError>> {
        let (word, rest) = split_word(line);
        if word.is_empty() {
            return None;
        }
        if let State::SwallowText(lines) = self.state {
            self.state = after_text(line, lines + 1);
            return None;
        }
        if word.eq_ignore_ascii_case(b"END") {
            return Some(Ok(Command::End));
        }
        match std::mem::take(&mut self.state) {
            State::Command => self.begin(word, rest),
            // A manager that says this has given the block up, and waits for an answer.
            State::Block(_) if replaces_all(word) => self.begin(word, rest),
            State::Block(block) => self.go_on(block, line),
            State::SwallowLine | State::SwallowText(_) => None,
            State::SwallowBlock => {
                if split_done(line).1.is_some() {
                    return None;
                }
                let is_command = !matches!(
                    word_of(&fold(word), word, rest),
                    Word::Line(Err(ParseError::Unknown(_)))
                );
                if is_command {
                    return self.begin(word, rest);
                }
                self.state = State::SwallowBlock;
                None
            }
        }
    }

    fn begin(&mut self, word: &[u8], rest: &[u8]) -> Option<Result<Command, ParseError>> {
        match word_of(&fold(word), word, rest) {
            // An INFO that sets nothing is none.
            Word::Line(result) => return Some(result),
            Word::Block(kind) => return self.go_on(Block::new(kind), rest),
            Word::SwallowBlock { is_known } => {
                if split_done(rest).1.is_none() {
                    self.state = State::SwallowBlock;
                }
                if !is_known {
                    return Some(Err(ParseError::Unknown(echo(word, ECHO))));
                }
            }
            Word::Refuse(payload) => {
                self.state = match (payload, rest) {
                    (Payload::Line, b"") => State::SwallowLine,
                    (Payload::Text, [b'"', text @ ..]) => after_text(text, 0),
                    (Payload::Block | Payload::Text, _) if split_done(rest).1.is_none() => {
                        State::SwallowBlock
                    }
                    _ => State::Command,
                };
                return Some(Ok(Command::Unsupported(echo(word, ECHO))));
            }
            Word::Silent => {}
        }
        None
    }

    fn go_on(&mut self, mut block: Block, line: &[u8]) -> Option<Result<Command, ParseError>> {
        if !block.read(line) {
            self.state = State::Block(block);
            return None;
        }
        let make = match block.kind {
            BlockKind::Board => Command::Board,
            BlockKind::YxBoard => Command::YxBoard,
            BlockKind::Swap2 => Command::Swap2,
            BlockKind::YxBlock => Command::YxBlock,
            BlockKind::YxBlockUndo => Command::YxBlockUndo,
            BlockKind::YxBlockPath => Command::YxBlockPath,
            BlockKind::YxBlockPathUndo => Command::YxBlockPathUndo,
        };
        Some(block.finish().map(make).map_err(ParseError::Block))
    }
}

/// What comes after a line of a text between quotes, in which a backslash saves the next byte.
///
/// Yixin-Board ends no line behind the quote: the first point of the block, or its DONE, follows
/// at once.
fn after_text(line: &[u8], lines: usize) -> State {
    let mut is_saved = false;
    for (index, &byte) in line.iter().enumerate() {
        if byte == b'"' && !is_saved {
            let is_done = split_done(&line[index + 1..]).1.is_some();
            return if is_done { State::Command } else { State::SwallowBlock };
        }
        is_saved = byte == b'\\' && !is_saved;
    }
    if lines < TEXT_LINES { State::SwallowText(lines) } else { State::Command }
}

/// Whether a command makes what a block before it was to say void.
fn replaces_all(word: &[u8]) -> bool {
    ["START", "RECTSTART", "RESTART", "BOARD", "YXBOARD", "SWAP2BOARD"].contains(&&*fold(word))
}

/// Finds out what a word means.
fn word_of(folded: &str, word: &[u8], rest: &[u8]) -> Word {
    let alone = |command| Word::Line(alone(command, rest));
    let point = |make: fn(Coord) -> Command| Word::Line(point(make, rest));
    let number = |make: fn(i64) -> Command| Word::Line(number(make, rest));
    match folded {
        "START" => Word::Line(start(rest)),
        "RECTSTART" => Word::Line(rect_start(rest)),
        "RESTART" => alone(Command::Restart),
        "BEGIN" => alone(Command::Begin),
        "TURN" => point(Command::Turn),
        "PLAY" => point(Command::Play),
        "TAKEBACK" => point(Command::TakeBack),
        "BOARD" => Word::Block(BlockKind::Board),
        "SWAP2BOARD" => Word::Block(BlockKind::Swap2),
        "INFO" => {
            info::parse(rest).map_or(Word::Silent, |info| Word::Line(Ok(Command::Info(info))))
        }
        "ABOUT" => alone(Command::About),
        "STOP" | "YXSTOP" => Word::Line(Ok(Command::Stop)),
        "YXBOARD" => Word::Block(BlockKind::YxBoard),
        "YXNBEST" => number(Command::YxNbest),
        "YXSHOWINFO" => alone(Command::YxShowInfo),
        "YXSHOWFORBID" => alone(Command::YxShowForbid),
        "YXHASHCLEAR" => alone(Command::YxHashClear),
        "YXSHOWHASHUSAGE" => alone(Command::YxShowHashUsage),
        "YXBLOCK" => Word::Block(BlockKind::YxBlock),
        "YXBLOCKUNDO" => Word::Block(BlockKind::YxBlockUndo),
        "YXBLOCKRESET" => alone(Command::YxBlockReset),
        "YXBLOCKPATH" => Word::Block(BlockKind::YxBlockPath),
        "YXBLOCKPATHUNDO" => Word::Block(BlockKind::YxBlockPathUndo),
        "YXBLOCKPATHRESET" => alone(Command::YxBlockPathReset),
        "YXSEARCHDEFEND" => alone(Command::YxSearchDefend),
        "YXSWAP2STEP1" => alone(Command::YxSwap2Step(1)),
        "YXSWAP2STEP2" => alone(Command::YxSwap2Step(2)),
        "YXSWAP2STEP3" => alone(Command::YxSwap2Step(3)),
        "YXBALANCEONE" => number(Command::YxBalanceOne),
        "YXBALANCETWO" => number(Command::YxBalanceTwo),
        _ => unsupported(folded, word),
    }
}

/// Words whose work is not done here, by what follows them.
///
/// What Yixin-Board writes by itself after every move passes in silence, what a user must have
/// asked for is refused aloud.
fn unsupported(folded: &str, word: &[u8]) -> Word {
    match folded {
        "YXQUERYDATABASEALL" | "YXQUERYDATABASEALLT" => Word::SwallowBlock { is_known: true },
        "SHOWFORBID" | "BALANCE" | "SWAP1STBOARD" | "SWAPBOARD" | "PROBOARD" | "LONGPROBOARD" => {
            Word::SwallowBlock { is_known: false }
        }
        "YXQUERYDATABASEONE"
        | "YXQUERYDATABASETEXT"
        | "YXSETBESTMOVEDATABASE"
        | "YXCLEARBESTMOVEDATABASE"
        | "YXEDITTVDDATABASE"
        | "YXEDITLABELDATABASE"
        | "YXDELETEDATABASEONE"
        | "YXDELETEDATABASEALL"
        | "YXSOOSORVSTEP2"
        | "YXSOOSORVSTEP3"
        | "YXSOOSORVSTEP4"
        | "YXSOOSORVSTEP5"
        | "YXSOOSORVSTEP6" => Word::Refuse(Payload::Block),
        "YXEDITTEXTDATABASE" => Word::Refuse(Payload::Text),
        "YXHASHDUMP" | "YXHASHLOAD" | "YXSETDATABASE" | "YXDBTOPOS" | "YXDBTOTXT"
        | "YXDBTOTXTALL" | "YXTXTTODB" | "YXLIBTODB" | "YXDBTOLIB" | "YXDBSPLIT" | "YXDBMERGE" => {
            Word::Refuse(Payload::Line)
        }
        "YXFORBID" | "YXSOOSORVSTEP1" | "YXSAVEDATABASE" | "YXDBCHECK" | "YXDBFIX"
        | "YXPRINTFEATURE" => Word::Refuse(Payload::Nothing),
        "YXDRAW" | "YXRESIGN" | "RELOADCONFIG" => Word::Silent,
        _ => Word::Line(Err(ParseError::Unknown(echo(word, ECHO)))),
    }
}

fn alone(command: Command, rest: &[u8]) -> Result<Command, ParseError> {
    if rest.is_empty() { Ok(command) } else { Err(ParseError::Leftover(echo(rest, ECHO))) }
}

fn point(make: fn(Coord) -> Command, rest: &[u8]) -> Result<Command, ParseError> {
    coord(rest).map(make).ok_or_else(|| ParseError::Coord(echo(rest, ECHO)))
}

fn number(make: fn(i64) -> Command, rest: &[u8]) -> Result<Command, ParseError> {
    integer(rest).map(make).ok_or_else(|| ParseError::Number(echo(rest, ECHO)))
}

/// START n, START n n or START n,n.
fn start(rest: &[u8]) -> Result<Command, ParseError> {
    let (width, height) = match numbers(rest).as_deref() {
        Some(&[side]) => (side, side),
        Some(&[width, height]) => (width, height),
        _ => return Err(ParseError::Size),
    };
    let size = BoardSize::try_new(width, height).map_err(|_| ParseError::Size)?;
    if width == height { Ok(Command::Start(size)) } else { Err(ParseError::NotSquare) }
}

/// RECTSTART w,h.
fn rect_start(rest: &[u8]) -> Result<Command, ParseError> {
    match numbers(rest).as_deref() {
        Some(&[width, height]) => BoardSize::try_new(width, height).map(Command::Start),
        _ => Err(SizeError),
    }
    .map_err(|_| ParseError::RectSize)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds lines to a fresh parser and collects what comes out.
    fn feed(lines: &[&str]) -> Vec<Result<Command, ParseError>> {
        let mut parser = Parser::default();
        lines.iter().filter_map(|line| parser.feed(line.as_bytes())).collect()
    }

    fn check(line: &str, expected: Result<Command, ParseError>) {
        assert_eq!(feed(&[line]), [expected], "{line:?}");
    }

    fn size(width: i64, height: i64) -> BoardSize {
        BoardSize::try_new(width, height).unwrap()
    }

    #[test]
    fn sizes_come_in_three_forms() {
        for line in ["START 15", "start 15 15", "START 15,15", "  START\t15  ", "RECTSTART 15,15"] {
            check(line, Ok(Command::Start(size(15, 15))));
        }
        check("RECTSTART 7,6", Ok(Command::Start(size(7, 6))));
        for line in ["START", "START 0", "START -5", "START abc", "START 1000", "START 4294967311"]
        {
            check(line, Err(ParseError::Size));
        }
        check("START 15 14", Err(ParseError::NotSquare));
        check("RECTSTART 7", Err(ParseError::RectSize));
        assert!(ParseError::Size.to_string().contains("20"));
        assert!(!ParseError::RectSize.to_string().contains("20"));
    }

    #[test]
    fn points_follow_their_commands() {
        let point = Coord { x: 7, y: 8 };
        check("TURN 7,8", Ok(Command::Turn(point)));
        check("turn\t7 , 8", Ok(Command::Turn(point)));
        check("PLAY 7 8", Ok(Command::Play(point)));
        check("TAKEBACK 7,8", Ok(Command::TakeBack(point)));
        check("TURN -1,99999999999", Ok(Command::Turn(Coord { x: -1, y: 99_999_999_999 })));
        for rest in ["", "a,b", "7", "7,", "7;7", "7,7 x"] {
            let line = format!("TURN {rest}");
            check(&line, Err(ParseError::Coord(rest.to_owned())));
        }
    }

    #[test]
    fn nothing_may_follow_where_nothing_belongs() {
        check("BEGIN 7,7", Err(ParseError::Leftover("7,7".to_owned())));
        check("BEGIN ", Ok(Command::Begin));
        check("END now", Ok(Command::End));
    }

    #[test]
    fn unknown_words_come_back_short_and_printable() {
        for (line, echo) in [("FOO bar", "FOO"), ("7,7", "7,7"), ("DONE", "DONE")] {
            check(line, Err(ParseError::Unknown(echo.to_owned())));
        }
        let long = "A".repeat(1000);
        check(&long, Err(ParseError::Unknown("A".repeat(ECHO))));
        let raw = Parser::default().feed(b"\xff\xfe\0A");
        assert_eq!(raw, Some(Err(ParseError::Unknown("???A".to_owned()))));
    }

    #[test]
    fn blank_lines_and_settings_without_effect_are_nothing() {
        assert_eq!(feed(&["", "   ", "INFO", "INFO xyz 1 2", "INFO rule abc"]), []);
    }

    #[test]
    fn blocks_end_at_done_and_report_once() {
        let stones = vec![(Coord { x: 7, y: 7 }, 1), (Coord { x: 8, y: 8 }, 2)];
        let board = Ok(Command::Board(stones));
        assert_eq!(feed(&["BOARD", "7,7,1", "8,8,2", "DONE"]), std::slice::from_ref(&board));
        assert_eq!(feed(&["BOARD 7,7,1 8,8,2 DONE"]), [board]);
        let bad = feed(&["BOARD", "7,7,1", "foo", "8,8,9", "DONE", "BEGIN"]);
        assert!(matches!(bad[..], [Err(ParseError::Block(_)), Ok(Command::Begin)]), "{bad:?}");
        assert_eq!(feed(&["BOARD", "7,7,1", "end"]), [Ok(Command::End)]);
    }

    #[test]
    fn half_a_block_is_void_when_all_begins_anew() {
        let start = Ok(Command::Start(size(15, 15)));
        let board = Ok(Command::Board(vec![(Coord { x: 8, y: 8 }, 2)]));
        for half in [&["BOARD", "7,7,1"][..], &["YXBOARD", "foo"], &["SWAP2BOARD 7,7"]] {
            for (more, expected) in [
                (&["START 15", "BEGIN"][..], vec![start.clone(), Ok(Command::Begin)]),
                (&["restart"], vec![Ok(Command::Restart)]),
                (&["Board", "8,8,2", "DONE"], vec![board.clone()]),
                (&["BOARD 8,8,2 DONE"], vec![board.clone()]),
            ] {
                let lines = [half, more].concat();
                assert_eq!(feed(&lines), expected, "{lines:?}");
            }
        }
    }

    #[test]
    fn foreign_payloads_are_swallowed() {
        let start = Ok(Command::Start(size(15, 15)));
        let refused = |word: &str| Ok(Command::Unsupported(word.to_owned()));
        let lines =
            ["yxquerydatabaseall", "7,7", "8,8", "done", "yxhashdump", "a b.txt", "start 15"];
        assert_eq!(feed(&lines), [refused("yxhashdump"), start.clone()]);
        assert_eq!(feed(&["yxquerydatabaseall", "7,7", "START 15"]), std::slice::from_ref(&start));
        let loads = feed(&["yxdraw", "YXHASHLOAD x", "start 15"]);
        assert_eq!(loads, [refused("YXHASHLOAD"), start.clone()]);
        let lines = ["yxsoosorvstep1", "yxforbid add 7 7 0"];
        assert_eq!(feed(&lines), [refused("yxsoosorvstep1"), refused("yxforbid")]);
        let all = ["yxdbtotxtall", "a.txt", "yxsoosorvstep4 5", "7,7", "8,8", "done", "start 15"];
        assert_eq!(feed(&all), [refused("yxdbtotxtall"), refused("yxsoosorvstep4"), start.clone()]);
        let unknown = Err(ParseError::Unknown("PROBOARD".to_owned()));
        assert_eq!(feed(&["PROBOARD", "7,7", "DONE", "START 15"]), [unknown, start]);
    }

    #[test]
    fn nothing_in_a_comment_is_a_command() {
        let refused = Ok(Command::Unsupported("yxedittextdatabase".to_owned()));
        let stop = Ok(Command::Stop);
        let head = "yxedittextdatabase \"";
        for (first, more) in [
            ("why not?\"7,7", &["8,8", "done", "stop"][..]),
            ("\"done", &["stop"]),
            ("a \\\"joke\\\" \\\\\" 7,7 done", &["stop"]),
            ("Begin here", &["end", "START", "done", "\\\" done", "so it is\"done", "stop"]),
        ] {
            let first = format!("{head}{first}");
            let lines: Vec<&str> = std::iter::once(&*first).chain(more.iter().copied()).collect();
            assert_eq!(feed(&lines), [refused.clone(), stop.clone()], "{lines:?}");
        }
        let mut lines = vec![head];
        lines.resize(TEXT_LINES + 2, "it never ends");
        lines.push("stop");
        assert_eq!(feed(&lines).last(), Some(&stop));
    }
}
