//! A slow solver of small boards: the exact value of a position, by trying every move.
//!
//! It knows stones, rows, and the definition of a foul, and shares nothing with the engine: no
//! patterns, no board, no key. What it leaves out is plain: a side whose every five cells in a
//! line are spoiled by the other side will make no five, and one that needs three more stones
//! will not make it with two.

use std::collections::HashMap;

use crate::position::Position;
use crate::types::color::Color;
use crate::types::rule::Rule;
use crate::types::square::Square;

/// Longest side of a board that is solved.
pub(super) const MOST_SIDE: u8 = 8;

/// Steps along the four directions.
const STEPS: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Cells as bits: `8 * y + x`.
type Cells = u64;

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// It wins in so many plies at best.
    Win(i32),
    /// Neither side can win.
    Draw,
    /// It loses in so many plies at most.
    Loss(i32),
}

/// More plies than any game here has.
const END: i32 = 100;

/// The stones of both colors.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Stones {
    own: [Cells; 2],
    to_move: Color,
}

/// The solver of one board with its memory: for each position between which scores it lies.
pub(super) struct Solver {
    rule: Rule,
    width: i8,
    height: i8,
    /// All cells but walls.
    cells: Cells,
    /// Every five cells in a line.
    fives: Vec<Cells>,
    /// Cells with more lines through them first.
    order: Vec<u8>,
    memory: HashMap<Stones, (i8, i8)>,
    /// Moves that may still be tried.
    budget: u64,
}

fn bit(x: i8, y: i8) -> Cells {
    1 << (8 * y + x)
}

fn each(mut cells: Cells) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let cell = cells.trailing_zeros();
        cells &= cells.wrapping_sub(1);
        (cell < 64).then(|| u8::try_from(cell).unwrap())
    })
}

impl Solver {
    /// A solver of the board of a position, up to 8 by 8.
    pub(super) fn new(position: &Position) -> Solver {
        let side = |side: u8| i8::try_from(side).unwrap();
        let (width, height) = (side(position.size().width()), side(position.size().height()));
        let mut cells = 0;
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let square = Square::new(x.unsigned_abs(), y.unsigned_abs());
            if position.is_empty(square) || position.color_at(square).is_some() {
                cells |= bit(x, y);
            }
        }
        let mut solver = Solver {
            rule: position.rule(),
            width,
            height,
            cells,
            fives: Vec::new(),
            order: Vec::new(),
            memory: HashMap::new(),
            budget: 0,
        };
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            for step in STEPS {
                let five: Option<Cells> = (0..5)
                    .map(|nth| solver.cell(x + nth * step.0, y + nth * step.1))
                    .try_fold(0, |all, cell| Some(all | cell?));
                solver.fives.extend(five.filter(|five| five & !cells == 0));
            }
        }
        solver.order = each(cells).collect();
        let lines = |cell: &u8| solver.fives.iter().filter(|&five| five >> cell & 1 != 0).count();
        solver.order.sort_by_key(|cell| std::cmp::Reverse(lines(cell)));
        solver
    }

    /// The value of a position of this board; none if that takes more than so many moves.
    pub(super) fn solve(&mut self, position: &Position, budget: u64) -> Option<Value> {
        let mut stones = Stones { own: [0; 2], to_move: position.side_to_move() };
        for cell in each(self.cells) {
            if let Some(color) = position.color_at(Square::new(cell % 8, cell / 8)) {
                stones.own[color.index()] |= 1 << cell;
            }
        }
        self.budget = budget;
        let score = self.search(stones, -END, END)?;
        Some(match score {
            0 => Value::Draw,
            win if win > 0 => Value::Win(END - win),
            loss => Value::Loss(END + loss),
        })
    }

    /// Whether somebody can still make five.
    pub(super) fn is_open(&self, position: &Position) -> bool {
        let mut own = [0; 2];
        for cell in each(self.cells) {
            if let Some(color) = position.color_at(Square::new(cell % 8, cell / 8)) {
                own[color.index()] |= 1 << cell;
            }
        }
        self.missing(own[0], own[1]).or(self.missing(own[1], own[0])).is_some()
    }

    fn cell(&self, x: i8, y: i8) -> Option<Cells> {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        inside.then(|| bit(x, y))
    }

    /// The unbroken row through a cell that counts as a stone, and what lies beyond its ends.
    fn row(&self, stones: Cells, at: u8, step: (i8, i8)) -> (Cells, [Cells; 2]) {
        let (x, y) = (at.cast_signed() % 8, at.cast_signed() / 8);
        let mut row = bit(x, y);
        let mut ends = [0; 2];
        for (end, sign) in ends.iter_mut().zip([-1, 1]) {
            for nth in 1.. {
                let next = self.cell(x + sign * nth * step.0, y + sign * nth * step.1);
                match next {
                    Some(cell) if stones & cell != 0 => row |= cell,
                    _ => {
                        *end = next.unwrap_or(0);
                        break;
                    }
                }
            }
        }
        (row, ends)
    }

    /// Whether a stone of a color on a cell wins.
    fn wins(&self, own: Cells, other: Cells, color: Color, at: u8) -> bool {
        STEPS.into_iter().any(|step| {
            let (row, ends) = self.row(own, at, step);
            let is_closed = ends.iter().all(|end| end & other != 0);
            let length = row.count_ones();
            match (self.rule, color) {
                (Rule::Freestyle, _) | (Rule::Renju, Color::White) => length >= 5,
                (Rule::Standard, _) | (Rule::Renju, Color::Black) => length == 5,
                (Rule::Caro, _) => length > 5 || length == 5 && !is_closed,
                (Rule::CaroExact, _) => length == 5 && !is_closed,
            }
        })
    }

    /// The fours through a black stone in a direction: four stones, and the cell that makes an
    /// exact five of them.
    fn fours(&self, black: Cells, empty: Cells, at: u8, step: (i8, i8)) -> Vec<(Cells, Cells)> {
        let (x, y) = (at.cast_signed() % 8, at.cast_signed() / 8);
        let mut found = Vec::new();
        for nth in -4..=4 {
            let Some(cell) = self.cell(x + nth * step.0, y + nth * step.1) else { continue };
            if empty & cell != 0 {
                let last = u8::try_from(cell.trailing_zeros()).unwrap();
                let (five, _) = self.row(black | cell, last, step);
                if five.count_ones() == 5 && five >> at & 1 != 0 {
                    found.push((five & !cell, cell));
                }
            }
        }
        found
    }

    /// Whether Black may not play on an empty cell.
    fn is_foul(&self, black: Cells, empty: Cells, at: u8) -> bool {
        // Two lines with two more stones each, or one with four, or there is no foul.
        let (x, y) = (at.cast_signed() % 8, at.cast_signed() / 8);
        let near = STEPS.map(|step| {
            let cells = (-5..=5).filter_map(|nth| self.cell(x + nth * step.0, y + nth * step.1));
            cells.filter(|cell| black & cell != 0).count()
        });
        if near.iter().filter(|&&count| count >= 2).count() < 2 && near.iter().all(|&n| n < 4) {
            return false;
        }
        let (black, empty) = (black | 1 << at, empty & !(1 << at));
        let lengths = STEPS.map(|step| self.row(black, at, step).0.count_ones());
        if lengths.contains(&5) {
            return false;
        }
        if lengths.iter().any(|&length| length > 5) {
            return true;
        }
        let mut fours: Vec<Cells> = Vec::new();
        for step in STEPS {
            for (four, _) in self.fours(black, empty, at, step) {
                if !fours.contains(&four) {
                    fours.push(four);
                }
            }
        }
        let threes = STEPS.iter().filter(|&&step| self.is_three(black, empty, at, step)).count();
        fours.len() >= 2 || threes >= 2
    }

    /// Whether a black stone is part of a three in a direction: one more stone, which is no foul
    /// and makes no five, makes a straight four.
    fn is_three(&self, black: Cells, empty: Cells, at: u8, step: (i8, i8)) -> bool {
        let (x, y) = (at.cast_signed() % 8, at.cast_signed() / 8);
        (-4..=4).any(|nth| {
            let Some(cell) = self.cell(x + nth * step.0, y + nth * step.1) else { return false };
            if empty & cell == 0 {
                return false;
            }
            let more = u8::try_from(cell.trailing_zeros()).unwrap();
            let (black_then, empty_then) = (black | cell, empty & !cell);
            let (row, _) = self.row(black_then, at, step);
            let fours = self.fours(black_then, empty_then, at, step);
            let ends = fours.iter().filter(|&&(four, _)| four == row).count();
            let makes_five =
                STEPS.iter().any(|&step| self.row(black_then, more, step).0.count_ones() == 5);
            row & cell != 0 && ends == 2 && !makes_five && !self.is_foul(black, empty, more)
        })
    }

    /// The fewest stones with which a color can still make five, if it can.
    fn missing(&self, own: Cells, other: Cells) -> Option<i32> {
        let open = self.fives.iter().filter(|&five| five & other == 0);
        open.map(|five| (five & !own).count_ones().cast_signed()).min()
    }

    /// What the other side leaves a side at best, in so many empty cells: the earliest five.
    fn best_hope(&self, stones: Stones, color: Color, empty: Cells) -> i32 {
        let [own, other] = [color, color.opponent()].map(|color| stones.own[color.index()]);
        // Black may run out of moves that are no fouls, which need five cells in a line as well.
        if self.rule == Rule::Renju && color == Color::White && self.missing(other, own).is_some() {
            return END;
        }
        let is_first = color == stones.to_move;
        let left = empty.count_ones() + u32::from(is_first);
        let turns = (left / 2).cast_signed();
        match self.missing(own, other) {
            Some(moves) if moves <= turns => END - (2 * moves - i32::from(is_first)),
            _ => 0,
        }
    }

    /// Alpha-beta over all moves; scores count plies from this node.
    fn search(&mut self, stones: Stones, mut alpha: i32, mut beta: i32) -> Option<i32> {
        let color = stones.to_move;
        let [own, other] = [color, color.opponent()].map(|color| stones.own[color.index()]);
        let empty = self.cells & !own & !other;
        if empty == 0 {
            return Some(0);
        }
        let is_free = |at: u8| empty >> at & 1 != 0;
        if self.order.iter().any(|&at| is_free(at) && self.wins(own, other, color, at)) {
            return Some(END - 1);
        }
        let mut low = -self.best_hope(stones, color.opponent(), empty);
        let mut high = self.best_hope(stones, color, empty);
        if let Some(&(least, most)) = self.memory.get(&stones) {
            low = low.max(i32::from(least));
            high = high.min(i32::from(most));
        }
        if low >= high || low >= beta {
            return Some(low);
        }
        if high <= alpha {
            return Some(high);
        }
        alpha = alpha.max(low);
        beta = beta.min(high);

        let threats: Vec<u8> =
            each(empty).filter(|&at| self.wins(other, own, color.opponent(), at)).collect();
        let has_fouls = self.rule == Rule::Renju && color == Color::Black;
        // Without a move that is no foul a foul must be made, which loses at once.
        let mut best = 1 - END;
        let mut tried = 0;
        for nth in 0..self.order.len() {
            let at = self.order[nth];
            if !is_free(at) || has_fouls && self.is_foul(own, empty, at) {
                continue;
            }
            tried += 1;
            let then = own | 1 << at;
            let stays = |&five: &u8| five != at && self.wins(other, then, color.opponent(), five);
            let score = if threats.iter().any(stays) {
                2 - END
            } else {
                self.budget = self.budget.checked_sub(1)?;
                let mut next = Stones { to_move: color.opponent(), ..stones };
                next.own[color.index()] = then;
                // The ends of the window one ply on, wins and losses one ply nearer.
                let wider = |score: i32| score + score.signum();
                let floor = alpha.max(best);
                let found = self.search(next, -wider(beta), -wider(floor))?;
                -(found - found.signum())
            };
            if tried == 1 || score > best {
                best = score;
            }
            if best >= beta {
                break;
            }
        }
        let least = if best > alpha || best >= beta { best } else { low };
        let most = if best < beta { best } else { high };
        self.memory.insert(stones, (i8::try_from(least).unwrap(), i8::try_from(most).unwrap()));
        Some(best)
    }
}
