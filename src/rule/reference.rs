//! Forbidden points by the letter of the definition, without patterns: slow and plain.
//!
//! Owns what [`super::forbidden`] is held against, by tests and by `tools/fuzz`; in no program.

use crate::board::Board;
use crate::types::color::Color;
use crate::types::direction::Direction;
use crate::types::square::Square;

fn row(board: &Board, square: Square, direction: Direction) -> Vec<Square> {
    let delta = direction.delta();
    let own = |at: Square| board.color_at(at) == Some(Color::Black);
    let mut first = square;
    while own(first.offset(delta, -1)) {
        first = first.offset(delta, -1);
    }
    let mut row = vec![first];
    while own(row[row.len() - 1].offset(delta, 1)) {
        row.push(row[row.len() - 1].offset(delta, 1));
    }
    row
}

fn put(board: &mut Board, square: Square) {
    board.set_side_to_move(Color::Black);
    board.place(square, &mut ());
}

fn take(board: &mut Board) {
    board.set_side_to_move(Color::White);
    board.remove(&mut ());
}

/// The fours through `stone` in a direction, as sets of four stones, with their completions.
fn fours(board: &mut Board, stone: Square, direction: Direction) -> Vec<(Vec<Square>, Square)> {
    let mut found = Vec::new();
    for steps in -4..=4 {
        let square = stone.offset(direction.delta(), steps);
        if !board.is_empty(square) {
            continue;
        }
        put(board, square);
        let mut five = row(board, square, direction);
        take(board);
        if five.len() == 5 && five.contains(&stone) {
            five.retain(|&at| at != square);
            found.push((five, square));
        }
    }
    found
}

/// A straight four through both stones: unbroken, with a completion at each end.
fn straight_four(board: &mut Board, stone: Square, other: Square, direction: Direction) -> bool {
    let fours = fours(board, stone, direction);
    fours.iter().any(|(four, _)| {
        four.contains(&other)
            && row(board, stone, direction) == *four
            && fours.iter().filter(|(same, _)| same == four).count() == 2
    })
}

/// Whether Black may not play on an empty square. Black is to move in the record of the board,
/// whose stones are the same afterwards.
pub fn is_forbidden(board: &mut Board, square: Square) -> bool {
    put(board, square);
    let rows = Direction::ALL.map(|direction| row(board, square, direction).len());
    let verdict = if rows.contains(&5) {
        false
    } else if rows.iter().any(|&length| length > 5) {
        true
    } else {
        let mut all = Vec::new();
        for direction in Direction::ALL {
            for (four, _) in fours(board, square, direction) {
                if !all.contains(&four) {
                    all.push(four);
                }
            }
        }
        let threes = Direction::ALL.map(|direction| is_three(board, square, direction));
        all.len() >= 2 || threes.iter().filter(|&&three| three).count() >= 2
    };
    take(board);
    verdict
}

fn is_three(board: &mut Board, square: Square, direction: Direction) -> bool {
    (-4..=4).filter(|&steps| steps != 0).any(|steps| {
        let extension = square.offset(direction.delta(), steps);
        if !board.is_empty(extension) {
            return false;
        }
        put(board, extension);
        let straight = straight_four(board, square, extension, direction);
        let five = Direction::ALL.iter().any(|&d| row(board, extension, d).len() == 5);
        take(board);
        straight && !five && !is_forbidden(board, extension)
    })
}
