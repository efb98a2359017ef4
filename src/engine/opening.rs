//! Decisions before the game: swap2 and even positions.
//!
//! Owns the choice between colors and the placing of stones that leave both sides an even game.
//! Must not know how a manager asks. Everything is decided by searches that share one deadline.
//!
//! Swap2 (three stones by the first player, then the second takes a color or places two more,
//! then the first takes a color): whoever may choose takes the side the search prefers. The
//! option to place two more stones is never worth more than that to a player who trusts the
//! search, since the other one would then choose; so it is not used (nor is it by rapfi
//! `search/opening.cpp`).

use crate::base::score::Score;
use crate::engine::decision::{Asking, Decision, Outcome, one_search};
use crate::position::Position;
use crate::search::{SearchResult, Task};
use crate::types::size::BoardSize;
use crate::types::square::{Square, SquareSet};

/// White's score with White to move below which Black's stones are the better ones.
const SWAP_BELOW: Score = Score::ZERO;

/// Depth to which first placings are compared.
const TRIPLE_DEPTH: i32 = 10;

/// First placings on a 15x15 board: black, white, black, each as x,y.
///
/// Source: the balanced openings of three stones for exactly five and free rule that come with
/// the project, those near an edge, where the first move is worth least; the last one also fits
/// the smallest board.
const TRIPLES: [[(i16, i16); 3]; 8] = [
    [(2, 1), (2, 7), (3, 4)],
    [(7, 0), (11, 1), (11, 3)],
    [(0, 6), (0, 2), (2, 2)],
    [(6, 5), (12, 5), (11, 4)],
    [(2, 10), (3, 8), (4, 7)],
    [(5, 5), (3, 5), (1, 7)],
    [(10, 10), (11, 9), (13, 11)],
    [(7, 7), (5, 7), (8, 7)],
];

/// Depths at which candidates for an even position are compared, and how many of them.
const BALANCE_PASSES: [(i32, usize); 3] = [(2, usize::MAX), (6, 12), (10, 4)];

/// The next step of a swap2 opening.
///
/// With no stones: the placing that looks most even. With three or five: swap when the search
/// prefers Black, else White's move. `task` is a search of a board that holds these stones.
pub(crate) fn swap2(stones: &[Square], task: Task, ask: &mut Asking<'_>) -> Outcome {
    if stones.is_empty() {
        return place_three(&task, ask);
    }
    let result = ask.search(task);
    if result.lines.first().is_some_and(|line| line.score < SWAP_BELOW) {
        return Outcome { decision: Some(Decision::Swap), result: Some(result) };
    }
    one_search(result, Decision::Move)
}

/// The first placing that comes nearest to an even position.
fn place_three(task: &Task, ask: &mut Asking<'_>) -> Outcome {
    let size = task.position.size();
    let triples = TRIPLES.iter().filter_map(|triple| fit(triple, size));
    let mut best: Option<(i32, [Square; 3])> = None;
    for triple in triples {
        if best.is_some() && is_over(ask) {
            break;
        }
        let mut position = task.position.clone();
        for square in triple {
            position.play(square);
        }
        let result = ask.search_silently(follow(task, position, TRIPLE_DEPTH));
        let gap = result.lines.first().map_or(i32::MAX, |line| line.score.value().abs());
        // A search that was cut short does not tell more than one that was not.
        if best.is_none_or(|(least, _)| gap < least && !is_over(ask)) {
            best = Some((gap, triple));
        }
    }
    Outcome { decision: best.map(|(_, triple)| Decision::Three(triple)), result: None }
}

/// A placing without any search.
pub(crate) fn first_placing(size: BoardSize) -> Option<Decision> {
    TRIPLES.iter().find_map(|triple| fit(triple, size)).map(Decision::Three)
}

/// Moves a placing to where it lies on a board of this size: its first stone keeps its place in
/// proportion, all stones keep their distances. None if it is too wide.
fn fit(triple: &[(i16, i16); 3], size: BoardSize) -> Option<[Square; 3]> {
    let shift = |values: [i16; 3], side: u8| {
        let last = i16::from(side) - 1;
        let least = values.into_iter().min()?;
        let most = values.into_iter().max()?;
        let scaled = values[0] * last / 14 - values[0];
        (most - least <= last).then(|| scaled.clamp(-least, last - most))
    };
    let dx = shift(triple.map(|(x, _)| x), size.width())?;
    let dy = shift(triple.map(|(_, y)| y), size.height())?;
    let place = |(x, y): (i16, i16)| Square::on_board(size, (x + dx).into(), (y + dy).into());
    Some([place(triple[0])?, place(triple[1])?, place(triple[2])?])
}

/// One move of the side to move that makes the position worth `bias` to it.
pub(crate) fn balance_one(task: &Task, bias: i32, ask: &mut Asking<'_>) -> Outcome {
    let best = even_move(task, &task.position, bias, ask);
    Outcome { decision: best.map(Decision::Move), result: None }
}

/// Two moves that make the position worth `bias` to the side to move.
pub(crate) fn balance_two(task: &Task, bias: i32, ask: &mut Asking<'_>) -> Outcome {
    let Some(first) = even_move(task, &task.position, bias, ask) else {
        return Outcome::NONE;
    };
    let mut position = task.position.clone();
    position.play(first);
    let second = even_move(task, &position, -bias, ask);
    Outcome { decision: second.map(|second| Decision::Two(first, second)), result: None }
}

/// The move after which a search comes nearest to `bias`, seen by the side that makes it.
///
/// Candidates are the squares near stones; each pass looks deeper at those that were nearest
/// in the pass before. What is found when time runs out counts.
fn even_move(task: &Task, from: &Position, bias: i32, ask: &mut Asking<'_>) -> Option<Square> {
    let mut from = from.clone();
    let mut moves = candidates(&mut from, &task.excluded);
    for (depth, count) in BALANCE_PASSES {
        moves.truncate(count);
        let mut judged: Vec<(i32, Square)> = Vec::new();
        for &mv in &moves {
            if is_over(ask) {
                break;
            }
            let mut position = from.clone();
            position.play(mv);
            let result: SearchResult = ask.search_silently(follow(task, position, depth));
            let gap = match result.lines.first() {
                Some(line) => (-line.score.value() - bias).abs(),
                None => i32::MAX,
            };
            judged.push((gap, mv));
        }
        if judged.len() < moves.len() {
            break;
        }
        judged.sort_by_key(|&(gap, _)| gap);
        moves = judged.into_iter().map(|(_, mv)| mv).collect();
    }
    moves.first().copied()
}

/// Legal moves at most two squares from a stone, all legal ones on an empty board.
///
/// Moves that win and excluded ones are left out; where nothing is left, any empty square.
fn candidates(position: &mut Position, excluded: &[Square]) -> Vec<Square> {
    let size = position.size();
    let mut near = SquareSet::EMPTY;
    for square in &SquareSet::board(size) {
        if position.color_at(square).is_some() {
            for (dx, dy) in (-2..=2).flat_map(|dx| (-2..=2).map(move |dy| (dx, dy))) {
                let (x, y) = (i64::from(square.x()) + dx, i64::from(square.y()) + dy);
                near = Square::on_board(size, x, y).into_iter().chain(&near).collect();
            }
        }
    }
    let empty = position.empty_squares();
    let squares = if near.is_empty() { empty } else { near.and(&empty) };
    let mut is_even =
        |&square: &Square| !position.is_forbidden(square) && !position.makes_five(square);
    let even: Vec<Square> = squares.iter().filter(&mut is_even).collect();
    let allowed: Vec<Square> =
        even.iter().copied().filter(|square| !excluded.contains(square)).collect();
    let lists = [allowed, even, empty.iter().collect()];
    lists.into_iter().find(|list| !list.is_empty()).unwrap_or_default()
}

/// A search of another position with the same settings, to a fixed depth at most.
fn follow(task: &Task, position: Position, depth: i32) -> Task {
    let mut limits = task.limits;
    limits.depth = Some(limits.depth.map_or(depth, |limit| limit.min(depth)));
    Task { position, limits, lines: 1, excluded: Vec::new(), threads: task.threads }
}

/// Whether no further search should be begun.
fn is_over(ask: &Asking<'_>) -> bool {
    ask.control.is_stopped() || ask.control.is_past_soft(1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_placing_fits_every_board() {
        for width in 5..=22 {
            for height in 5..=22 {
                let size = BoardSize::try_new(width, height).unwrap();
                let fitting = TRIPLES.iter().filter_map(|triple| fit(triple, size));
                for [a, b, c] in fitting.clone() {
                    let all: SquareSet = [a, b, c].into_iter().collect();
                    assert_eq!(all.and(&SquareSet::board(size)).len(), 3, "{size} {a} {b} {c}");
                }
                assert!(fitting.count() >= 1, "{size}");
            }
        }
    }

    #[test]
    fn placings_stand_where_they_are_listed_on_fifteen() {
        for triple in &TRIPLES {
            let squares = triple
                .map(|(x, y)| Square::new(u8::try_from(x).unwrap(), u8::try_from(y).unwrap()));
            assert_eq!(fit(triple, BoardSize::square(15)), Some(squares));
        }
    }
}
