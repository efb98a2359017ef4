#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "squares of small boards"
)]

use std::collections::HashMap;
use std::time::Instant;

use tengen::base::control::Deadline;
use tengen::base::rng::Rng;

use super::*;
use crate::position::{End, Side};
use crate::text::parse_position;

fn control() -> Control {
    Control::new(Deadline::unlimited(Instant::now()), None)
}

/// A board of squares and a plain minimax over it: slow, and nothing of it is the solver's.
struct Plain {
    columns: usize,
    rows: usize,
    /// Column by column from below; 0 empty, 1 and 2 stones.
    squares: Vec<u8>,
    known: HashMap<Vec<u8>, i32>,
}

impl Plain {
    fn new(size: &Size, position: &Position) -> Plain {
        let mut squares = Vec::new();
        for column in 0..size.columns() {
            for row in 0..size.rows() {
                squares.push(match position.stone(size, column, row) {
                    None => 0,
                    Some(Side::First) => 1,
                    Some(Side::Second) => 2,
                });
            }
        }
        Plain { columns: size.columns(), rows: size.rows(), squares, known: HashMap::new() }
    }

    fn at(&self, column: i32, row: i32) -> u8 {
        let inside =
            (0..self.columns as i32).contains(&column) && (0..self.rows as i32).contains(&row);
        if inside { self.squares[column as usize * self.rows + row as usize] } else { 0 }
    }

    /// Whether the stone on a square stands in a row of four.
    fn wins(&self, column: usize, row: usize) -> bool {
        let (column, row) = (column as i32, row as i32);
        let color = self.at(column, row);
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dc, dr)| {
            let run = |sign: i32| {
                (1..4)
                    .take_while(|n| self.at(column + sign * n * dc, row + sign * n * dr) == color)
                    .count()
            };
            run(1) + run(-1) >= 3
        })
    }

    /// The usual number for the side to move, by trying everything.
    fn score(&mut self) -> i32 {
        if let Some(&score) = self.known.get(&self.squares) {
            return score;
        }
        let stones = self.squares.iter().filter(|&&square| square != 0).count();
        let color = 1 + (stones % 2) as u8;
        let mut best = None;
        for column in 0..self.columns {
            let from = column * self.rows;
            let Some(row) = (0..self.rows).find(|row| self.squares[from + row] == 0) else {
                continue;
            };
            self.squares[from + row] = color;
            let score = if self.wins(column, row) {
                (self.squares.len() as i32 + 1 - stones as i32) / 2
            } else {
                -self.score()
            };
            self.squares[from + row] = 0;
            best = best.max(Some(score));
        }
        let score = best.unwrap_or(0);
        self.known.insert(self.squares.clone(), score);
        score
    }
}

/// Compares the solver, all moves and the best one, with minimax.
fn check(solver: &mut Solver, position: &Position) {
    let size = *solver.size();
    let usual = Usual::new(&size, position.stones());
    let expected = Plain::new(&size, position).score();
    let score = solver.solve(position, &control()).unwrap();
    assert_eq!(usual.of(score), expected, "{position:?} of {size}");
    let (column, best) = solver.best_move(position, &control()).unwrap();
    assert_eq!(best, score);
    let scores: Vec<_> = (0..size.columns())
        .map(|column| solver.score_of_move(position, column, &control()))
        .collect();
    assert_eq!(scores.iter().copied().flatten().max(), Some(score), "{position:?}");
    assert_eq!(scores[column], Some(score), "{position:?}");
    let off_center = |column: usize| (2 * column + 1).abs_diff(size.columns());
    let first = size.central_first().find(|&column| scores[column] == Some(score)).unwrap();
    // Where all moves lose at once, one that closes a row goes before a more central one.
    let is_lost = usual.of(score) < 0 && score == Score::loss_in(end_at(position.stones()) + 2);
    let is_central = off_center(first) == off_center(column);
    assert!(is_lost || is_central, "{position:?}: {column} instead of {first}");
}

/// A random position with so many stones, nobody having won.
fn random(size: &Size, stones: u32, rng: &mut Rng) -> Position {
    loop {
        let mut position = Position::empty();
        while position.stones() < stones && position.end(size).is_none() {
            let _ = position.play(size, rng.below(size.columns()));
        }
        if position.stones() == stones && position.end(size).is_none() {
            return position;
        }
    }
}

#[test]
fn scores_near_the_end_are_those_of_plain_minimax() {
    let size = Size::standard();
    let mut solver = Solver::new(size, 1 << 20);
    let mut rng = Rng::new(3);
    for stones in 30..42 {
        for _ in 0..40 {
            check(&mut solver, &random(&size, stones, &mut rng));
        }
    }
}

#[test]
fn scores_of_small_boards_are_those_of_plain_minimax() {
    for (columns, rows) in [(1, 1), (1, 5), (3, 3), (4, 1), (4, 3), (3, 5), (4, 4), (5, 3), (7, 2)]
    {
        let size = Size::try_new(columns, rows).unwrap();
        let mut solver = Solver::new(size, 1 << 20);
        let mut rng = Rng::new(4);
        check(&mut solver, &Position::empty());
        for stones in 1..size.squares() {
            for _ in 0..5 {
                check(&mut solver, &random(&size, stones, &mut rng));
            }
        }
    }
}

#[test]
fn scores_with_many_columns_or_rows_are_those_of_plain_minimax() {
    for (columns, rows) in [(8, 7), (9, 6), (12, 4), (5, 11), (21, 2), (6, 9)] {
        let size = Size::try_new(columns, rows).unwrap();
        let mut solver = Solver::new(size, 1 << 20);
        let mut rng = Rng::new(5);
        for left in 0..9 {
            for _ in 0..5 {
                // Columns are filled until the board is nearly full: not every size gets there.
                let stones = size.squares() - left;
                let mut tries = (0..200).filter_map(|_| nearly(&size, stones, &mut rng));
                if let Some(position) = tries.next() {
                    check_or_end(&mut solver, &position);
                }
            }
        }
    }
}

/// A position with so many stones, if random moves that do not win lead there.
fn nearly(size: &Size, stones: u32, rng: &mut Rng) -> Option<Position> {
    let mut position = Position::empty();
    while position.stones() < stones {
        let open: Vec<usize> = (0..size.columns())
            .filter(|&column| {
                let mut child = position;
                child.play(size, column).is_ok() && !matches!(child.end(size), Some(End::Won(_)))
            })
            .collect();
        if open.is_empty() {
            return None;
        }
        position.play(size, open[rng.below(open.len())]).ok()?;
    }
    Some(position)
}

fn check_or_end(solver: &mut Solver, position: &Position) {
    if position.end(solver.size()).is_none() {
        check(solver, position);
    } else {
        assert_eq!(solver.solve(position, &control()), Some(Score::ZERO));
        assert_eq!(solver.best_move(position, &control()), None);
    }
}

#[test]
fn published_scores_are_found() {
    let size = Size::standard();
    let mut solver = Solver::new(size, 16 << 20);
    let mut count = 0;
    for line in include_str!("../../positions/published.txt").lines() {
        if line.starts_with('#') {
            continue;
        }
        let (moves, expected) = line.split_once(' ').unwrap();
        let position = parse_position(&size, moves).unwrap();
        let score = solver.solve(&position, &control()).unwrap();
        let found = Usual::new(&size, position.stones()).of(score);
        assert_eq!(found.to_string(), expected, "{moves}");
        count += 1;
    }
    assert!(count > 100);
}

#[test]
fn small_boards_end_as_published() {
    // First player's result on columns x rows: John Tromp, "John's connect four playground".
    let drawn = [(4, 4), (5, 4), (4, 5), (5, 5), (4, 6), (7, 4)];
    for ((columns, rows), expected) in drawn.into_iter().map(|size| (size, 0)).chain([((6, 4), -1)])
    {
        let size = Size::try_new(columns, rows).unwrap();
        let mut solver = Solver::new(size, 64 << 20);
        let score = solver.solve(&Position::empty(), &control()).unwrap();
        assert_eq!(Usual::new(&size, 0).of(score).signum(), expected, "{size}");
    }
}

#[test]
fn the_same_position_takes_the_same_nodes_on_a_cleared_table() {
    let size = Size::standard();
    let position = parse_position(&size, "444333555226").unwrap();
    let mut solver = Solver::new(size, 4 << 20);
    solver.solve(&position, &control()).unwrap();
    let nodes = solver.nodes();
    solver.clear();
    solver.solve(&position, &control()).unwrap();
    assert_eq!(solver.nodes(), 2 * nodes);
}

#[test]
fn a_search_that_is_stopped_says_nothing() {
    let mut solver = Solver::new(Size::standard(), 1 << 20);
    let few = Control::new(Deadline::unlimited(Instant::now()), Some(20_000));
    assert_eq!(solver.solve(&Position::empty(), &few), None);
    assert!(solver.nodes() < 30_000);
    // What it left in the table is right, and the next search begins anew.
    let position = parse_position(solver.size(), "2252576253462244111563365343671351441").unwrap();
    assert_eq!(solver.solve(&position, &control()), Some(Score::loss_in(41)));
}
