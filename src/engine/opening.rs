//! Decisions before the game: swap2 and even positions.
//!
//! Owns the choice between colors and the placing of stones that leave both sides an even game.
//! Must not know how a manager asks. Everything is decided by searches that share one deadline.
//!
//! Swap2 (three stones by the first player, then the second takes a color or places two more,
//! then the first takes a color): whoever may choose takes the side the search prefers. To a
//! player who trusts the search two more stones are never worth more than that, since the other
//! one would then choose. But within `DOUBT` the search does not know who is ahead, while the
//! first player may have prepared just these stones; so there we place two and make the
//! position even by our own lights.

use crate::base::score::Score;
use crate::engine::decision::{ALL, Asking, Decision, Outcome, one_search};
use crate::position::Position;
use crate::search::{Line, SearchResult, Task};
use crate::types::size::BoardSize;
use crate::types::square::Square;

/// White's score with White to move below which Black's stones are the better ones.
const SWAP_BELOW: Score = Score::ZERO;

/// Scores nearer to zero than this say little about who is ahead.
///
/// A search of ten times 50,000 nodes disagreed about the color in 18 of 71 placings of three
/// stones (41 balanced, 30 random), in 16 of them within this, in two at 50 and 78.
pub(crate) const DOUBT: i32 = 40;

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

/// The next step of a swap2 opening.
///
/// With no stones: the placing that looks most even. With three or five: swap when the search
/// prefers Black, else White's move; with three and a search in doubt two stones that leave it
/// in less doubt. `task` is a search of a board that holds these stones.
pub(crate) fn swap2(stones: &[Square], task: &Task, ask: &mut Asking<'_>) -> Outcome {
    if stones.is_empty() {
        return place_three(task, ask);
    }
    // A third stone must be left for whoever moves next.
    let may_place = stones.len() == 3 && task.position.empty_squares().len() > 2;
    let share = if may_place { ALL / 2 } else { ALL };
    let result = ask.search(task.clone(), share);
    let gap = |result: &SearchResult| result.score().map_or(i32::MAX, |it| it.value().abs());
    if may_place && gap(&result) < DOUBT && !ask.control.is_stopped() {
        let two = balance_two(task, 0, share, ask);
        if two.result.as_ref().is_some_and(|found| gap(found) < DOUBT) {
            return two;
        }
    }
    if result.score().is_some_and(|score| score < SWAP_BELOW) {
        return Outcome { decision: Some(Decision::Swap), result: Some(result) };
    }
    one_search(result, Decision::Move)
}

/// The first placing that comes nearest to an even position.
fn place_three(task: &Task, ask: &mut Asking<'_>) -> Outcome {
    let size = task.position.size();
    let triples: Vec<[Square; 3]> = TRIPLES.iter().filter_map(|triple| fit(triple, size)).collect();
    let mut best: Option<(i32, [Square; 3])> = None;
    for (&triple, number) in triples.iter().zip(1..) {
        let mut position = task.position.clone();
        for square in triple {
            position.play(square);
        }
        let share = ALL * number / triples.len() as u64;
        let result = ask.search_silently(follow(task, position, TRIPLE_DEPTH), share);
        let gap = result.score().map_or(i32::MAX, |score| score.value().abs());
        // A search that was cut short does not tell more than one that was not.
        let is_cut = ask.control.is_stopped();
        if best.is_none_or(|(least, _)| gap < least && !is_cut) {
            best = Some((gap, triple));
        }
        if is_cut {
            break;
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
    one_search(ask.even(task, bias, ALL), Decision::Move)
}

/// Two moves that make the position worth `bias` to the side to move, found between thousandth
/// `from` of the limits and their end.
///
/// The first is the one after which the other side, playing its best, has just that; the second
/// makes good what the first could not, as when all moves leave the same side ahead.
pub(crate) fn balance_two(task: &Task, bias: i32, from: u64, ask: &mut Asking<'_>) -> Outcome {
    let first = ask.even(task, bias, ALL.midpoint(from));
    let Some(mv) = first.best() else {
        return Outcome::NONE;
    };
    let mut position = task.position.clone();
    position.play(mv);
    let next = Task { position, ..task.clone() };
    let second = ask.even_silently(&next, -bias, ALL);
    let Some(reply) = second.best() else {
        return Outcome::NONE;
    };
    let lines = second
        .lines
        .into_iter()
        .map(|line| Line { score: -line.score, moves: [vec![mv], line.moves].concat() });
    let result = SearchResult { lines: lines.collect(), ..second };
    Outcome { decision: Some(Decision::Two(mv, reply)), result: Some(result) }
}

/// A search of another position with the same settings, to a fixed depth at most.
fn follow(task: &Task, position: Position, depth: i32) -> Task {
    let mut limits = task.limits;
    limits.depth = Some(limits.depth.map_or(depth, |limit| limit.min(depth)));
    Task { threads: task.threads, ..Task::new(position, limits) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::square::SquareSet;

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
