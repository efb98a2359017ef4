//! Piskvork's saved game.
//!
//! Owns that format. Must not know the rules. A header `Piskvorky 15x15, 11:11, 0`, whose other
//! numbers are levels and who began, then `x,y,ms` from 1 a move, two names that may be missing,
//! and the number of the way it ended (plastovicka/Piskvork `source/game.cpp`).

use std::fmt::Write as _;

use tengen::types::color::Color;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

use super::{Ending, Finish, GameFile, Move, ReadError, shown};

pub(super) fn write(game: &GameFile) -> String {
    let mut file = format!("Piskvorky {}, 11:11, 0\n", game.size);
    for mv in &game.moves {
        let (x, y) = (mv.square.x() + 1, mv.square.y() + 1);
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(file, "{x},{y},{}", mv.ms);
    }
    let code = match game.finish.map_or(Ending::Played, |finish| finish.ending) {
        Ending::Resigned => Ending::Played,
        ending => ending,
    };
    let (black, white) = (line(&game.black), line(&game.white));
    let _ = write!(file, "{black}\n{white}\n{}\n", code as u8);
    file
}

/// A name that cannot be mistaken for another line.
fn line(name: &str) -> String {
    let name = name.replace(['\n', '\r'], " ");
    if name.trim().is_empty() { "-".to_string() } else { name }
}

pub(super) fn read(text: &str, rule: Rule, notes: &mut Vec<String>) -> Result<GameFile, ReadError> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    let header = lines.next().unwrap_or_default();
    let size = read_size(header)?;
    let mut moves = Vec::new();
    let mut is_whole = true;
    while let Some(numbers) = lines.peek().copied().and_then(numbers) {
        lines.next();
        let number = moves.len() + 1;
        let Some(square) = Square::on_board(size, numbers[0] - 1, numbers[1] - 1) else {
            notes.push(format!(
                "move {number}, {},{}, is off the {size} board: cut off there",
                numbers[0], numbers[1]
            ));
            is_whole = false;
            break;
        };
        let ms = numbers.get(2).and_then(|&ms| u64::try_from(ms).ok()).unwrap_or(0);
        moves.push(Move { square, ms, words: String::new() });
    }
    let mut rest: Vec<&str> = lines.skip_while(|line| numbers(line).is_some()).collect();
    let code = rest.last().and_then(|line| line.parse::<i64>().ok());
    if code.is_some() {
        rest.pop();
    }
    if rest.len() > 2 {
        notes.push(format!("'{}' is no move, no name and no end: left out", shown(rest[2])));
    }
    let mover = if moves.len().is_multiple_of(2) { Color::Black } else { Color::White };
    let lost = |loser: Color, ending| Some(Finish { winner: Some(loser.opponent()), ending });
    let finish = match code {
        Some(1) => lost(mover.opponent(), Ending::Forbidden),
        Some(2) => lost(mover, Ending::OutOfTime),
        Some(3) => lost(mover, Ending::Illegal),
        Some(4) => lost(mover, Ending::Crashed),
        _ => None,
    };
    let name = |index: usize| rest.get(index).copied().unwrap_or_default().to_string();
    Ok(GameFile {
        program: "Piskvork".to_string(),
        title: None,
        black: name(0),
        white: name(1),
        rule,
        size,
        moves,
        finish: finish.filter(|_| is_whole),
        words: String::new(),
    })
}

fn read_size(header: &str) -> Result<BoardSize, ReadError> {
    let sides = header.strip_prefix("Piskvorky").map(str::trim_start);
    let sides = sides.and_then(|rest| rest.split(',').next()?.trim().split_once(['x', 'X']));
    let sides = sides.and_then(|(width, height)| {
        Some((width.trim().parse::<i64>().ok()?, height.trim().parse::<i64>().ok()?))
    });
    let (width, height) = sides.ok_or_else(|| {
        ReadError(format!(
            "the first line '{}' is not like 'Piskvorky 15x15, 11:11, 0'",
            shown(header)
        ))
    })?;
    BoardSize::try_new(width, height)
        .map_err(|error| ReadError(format!("a {width}x{height} board: {error}")))
}

/// Two numbers or more with commas between them and nothing else.
fn numbers(line: &str) -> Option<Vec<i64>> {
    let numbers: Option<Vec<i64>> = line.split(',').map(|word| word.trim().parse().ok()).collect();
    numbers.filter(|numbers| numbers.len() >= 2)
}
