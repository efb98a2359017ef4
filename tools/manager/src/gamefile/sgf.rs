//! Smart Game Format, FF\[4\], game 4 (Gomoku and Renju).
//!
//! Owns that format, of which the main line is read: all nodes before the first `)`. Must not
//! know the rules. Points are two letters from the upper left corner; `h8` is read as well.
//!
//! The scanner keeps no tree and never recurses, so that a hostile file cannot exhaust the
//! stack; parsers that build one, as sgf-parse does, nest a node a move and fail on long files
//! when the tree is dropped.

use std::fmt::Write as _;

use tengen::types::color::Color;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

use super::{Ending, Finish, GameFile, Move, ReadError, shown};
use crate::text;

/// The size of a board that a file without SZ has, where its points fit.
const DEFAULT_SIDE: u8 = 15;

pub(super) fn write(game: &GameFile) -> String {
    let side = match (game.size.width(), game.size.height()) {
        (width, height) if width == height => width.to_string(),
        (width, height) => format!("{width}:{height}"),
    };
    let program = escaped(&game.program);
    let mut tree = format!("(;FF[4]GM[4]CA[UTF-8]AP[{program}]SZ[{side}]");
    // Writing to a string cannot fail, here and below.
    if let Some(title) = &game.title {
        let _ = write!(tree, "GN[{}]", escaped(title));
    }
    let (black, white) = (escaped(&game.black), escaped(&game.white));
    let _ = write!(tree, "PB[{black}]PW[{white}]RU[{}]", game.rule);
    if let Some(finish) = game.finish {
        let _ = write!(tree, "RE[{}]", result(finish));
    }
    if !game.words.is_empty() {
        let _ = write!(tree, "GC[{}]", escaped(&game.words));
    }
    for (index, mv) in game.moves.iter().enumerate() {
        let color = if index % 2 == 0 { 'B' } else { 'W' };
        let letter = |value: u8| char::from(b'a' + value);
        let (x, y) = (letter(mv.square.x()), letter(mv.square.y()));
        let _ = write!(tree, "\n;{color}[{x}{y}]");
        if !mv.words.is_empty() {
            let _ = write!(tree, "C[{}]", escaped(&mv.words));
        }
    }
    tree.push_str(")\n");
    tree
}

fn result(finish: Finish) -> String {
    let winner = match finish.winner {
        None => return "0".to_string(),
        Some(Color::Black) => 'B',
        Some(Color::White) => 'W',
    };
    let manner = match finish.ending {
        Ending::Played => "",
        Ending::OutOfTime => "T",
        Ending::Resigned => "R",
        Ending::Forbidden | Ending::Illegal | Ending::Crashed => "F",
    };
    format!("{winner}+{manner}")
}

/// Text inside a property.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// A property of a node.
struct Property {
    name: String,
    values: Vec<String>,
}

/// The nodes of the main line, and what else there is.
struct MainLine {
    nodes: Vec<Vec<Property>>,
    /// Branches that were passed over, other games among them.
    branches: usize,
    /// Whether the file ends before its tree does.
    is_cut_off: bool,
    /// The first thing that is no SGF.
    stray: Option<char>,
}

/// Reads up to the first `)` and counts the branches after it.
fn scan(text: &str) -> MainLine {
    let mut line = MainLine { nodes: Vec::new(), branches: 0, is_cut_off: true, stray: None };
    let start = text.find("(;").or_else(|| text.find('(')).unwrap_or(0);
    let mut letters = text[start..].chars().peekable();
    let mut name = String::new();
    while let Some(letter) = letters.next() {
        match letter {
            '(' if !line.is_cut_off => line.branches += 1,
            ')' => line.is_cut_off = false,
            ';' if line.is_cut_off => line.nodes.push(Vec::new()),
            '[' => {
                let Some(value) = value(&mut letters) else {
                    line.is_cut_off = true;
                    return line;
                };
                if let Some(node) = line.nodes.last_mut().filter(|_| line.is_cut_off) {
                    match node.last_mut() {
                        Some(property) if name.is_empty() => property.values.push(value),
                        _ => {
                            let name = std::mem::take(&mut name);
                            node.push(Property { name, values: vec![value] });
                        }
                    }
                }
                name.clear();
            }
            // Older formats have small letters in names, which mean nothing.
            'A'..='Z' => name.push(letter),
            'a'..='z' | '(' | ';' => {}
            _ if letter.is_whitespace() => {}
            _ => line.stray = line.stray.or(Some(letter)),
        }
    }
    line
}

/// What stands between brackets, the first of which is read; none where the second is missing.
fn value(letters: &mut impl Iterator<Item = char>) -> Option<String> {
    let mut value = String::new();
    loop {
        match letters.next()? {
            ']' => return Some(value),
            // A line break after it is only for the eye.
            '\\' => match letters.next()? {
                '\n' | '\r' => {}
                letter => value.push(letter),
            },
            letter => value.push(letter),
        }
    }
}

pub(super) fn read(text: &str, rule: Rule, notes: &mut Vec<String>) -> Result<GameFile, ReadError> {
    let line = scan(text);
    let Some(root) = line.nodes.first() else {
        return Err(ReadError("no node ';' in it: no SGF game".to_string()));
    };
    if line.is_cut_off {
        notes.push("the file ends before its game does: what came before is kept".to_string());
    }
    if let Some(stray) = line.stray {
        notes.push(format!("'{}' is no SGF: passed over", stray.escape_default()));
    }
    if line.branches > 0 {
        notes.push(format!("{} branches or further games are left out", line.branches));
    }
    let of_root = |wanted: &str| {
        let property = root.iter().find(|property| property.name == wanted)?;
        property.values.first().map(|value| value.trim().to_string())
    };
    if let Some(kind) = of_root("GM").filter(|kind| kind != "4") {
        notes.push(format!("GM[{}] is not five in a row, which is 4; read as such", shown(&kind)));
    }
    let size = size(of_root("SZ"), &line)?;
    let rule = match of_root("RU") {
        Some(name) if !name.is_empty() => rule_of(&name).unwrap_or_else(|| {
            notes.push(format!("RU[{}] is no rule known here: taken as {rule}", shown(&name)));
            rule
        }),
        _ => rule,
    };
    let (moves, is_whole) = moves(&line, size, notes);
    Ok(GameFile {
        program: of_root("AP").unwrap_or_default(),
        title: of_root("GN"),
        black: of_root("PB").unwrap_or_default(),
        white: of_root("PW").unwrap_or_default(),
        rule,
        size,
        moves,
        finish: of_root("RE").and_then(|text| finish_of(&text)).filter(|_| is_whole),
        words: of_root("GC").unwrap_or_default(),
    })
}

fn size(said: Option<String>, line: &MainLine) -> Result<BoardSize, ReadError> {
    let Some(said) = said else {
        let default = BoardSize::square(DEFAULT_SIDE);
        let points = line.nodes.iter().flatten().filter(|p| p.name == "B" || p.name == "W");
        let fits = points.flat_map(|p| &p.values).all(|text| point(text, default).is_some());
        return Ok(if fits { default } else { BoardSize::square(19) });
    };
    let (width, height) = said.split_once(':').unwrap_or((&said, &said));
    let side = |text: &str| text.trim().parse::<i64>().unwrap_or(-1);
    BoardSize::try_new(side(width), side(height))
        .map_err(|error| ReadError(format!("SZ[{}]: {error}", shown(&said))))
}

fn rule_of(name: &str) -> Option<Rule> {
    let name = name.to_ascii_lowercase();
    let holds = |part: &str| name.contains(part);
    text::parse_rule(&name).ok().or(match () {
        () if holds("renju") => Some(Rule::Renju),
        () if holds("caro") => Some(Rule::Caro),
        () if holds("standard") => Some(Rule::Standard),
        () if holds("free") || holds("gomoku") => Some(Rule::Freestyle),
        () => None,
    })
}

fn finish_of(text: &str) -> Option<Finish> {
    let text = text.to_ascii_uppercase();
    let winner = match text.chars().next()? {
        'B' => Some(Color::Black),
        'W' => Some(Color::White),
        '0' | 'D' | 'J' => None,
        _ => return None,
    };
    let ending = match text.split_once('+').map(|(_, manner)| manner.chars().next()) {
        Some(Some('R')) => Ending::Resigned,
        Some(Some('T')) => Ending::OutOfTime,
        Some(Some('F')) => Ending::Illegal,
        _ => Ending::Played,
    };
    Some(Finish { winner, ending })
}

/// The moves in the order of the file, cut off where they stop to make sense, and whether none
/// was.
fn moves(line: &MainLine, size: BoardSize, notes: &mut Vec<String>) -> (Vec<Move>, bool) {
    let mut moves = setup(line, size, notes);
    for node in &line.nodes {
        let is_move = |property: &&Property| property.name == "B" || property.name == "W";
        let Some(property) = node.iter().find(is_move) else { continue };
        let number = moves.len() + 1;
        let said = property.values.first().map_or("", String::as_str);
        let expected = if moves.len().is_multiple_of(2) { "B" } else { "W" };
        let problem = if property.name == expected {
            format!("'{}', is no point of a {size} board", shown(said))
        } else {
            format!("{}[{}], is not by the side whose turn it is", property.name, shown(said))
        };
        let Some(square) = point(said, size).filter(|_| property.name == expected) else {
            notes.push(format!("move {number}, {problem}: cut off there"));
            return (moves, false);
        };
        let words = node.iter().find(|property| property.name == "C");
        let words = words.map(|property| property.values.join(" ")).unwrap_or_default();
        moves.push(Move { square, ms: 0, words });
    }
    (moves, true)
}

/// Stones that are set up, as moves where their numbers allow it.
fn setup(line: &MainLine, size: BoardSize, notes: &mut Vec<String>) -> Vec<Move> {
    let stones = |wanted: &str| -> Vec<Square> {
        let properties = line.nodes.iter().flatten().filter(|property| property.name == wanted);
        properties.flat_map(|p| &p.values).filter_map(|text| point(text, size)).collect()
    };
    let (black, white) = (stones("AB"), stones("AW"));
    if black.len() != white.len() && black.len() != white.len() + 1 {
        notes.push(format!(
            "{} black and {} white stones are set up, which no game can reach: left out",
            black.len(),
            white.len()
        ));
        return Vec::new();
    }
    let stone = |square| Move { square, ms: 0, words: String::new() };
    let mut moves = Vec::new();
    for (index, square) in black.into_iter().enumerate() {
        moves.push(stone(square));
        moves.extend(white.get(index).copied().map(stone));
    }
    moves
}

/// Two letters from the upper left corner, or a letter and a number.
fn point(text: &str, size: BoardSize) -> Option<Square> {
    let text = text.trim();
    let letter = |byte: u8| {
        let byte = byte.to_ascii_lowercase();
        byte.is_ascii_lowercase().then(|| i64::from(byte) - i64::from(b'a'))
    };
    if let [x, y] = text.as_bytes()
        && let (Some(x), Some(y)) = (letter(*x), letter(*y))
    {
        return Square::on_board(size, x, y);
    }
    match text::parse_moves(text, size).ok()?[..] {
        [square] => Some(square),
        _ => None,
    }
}
