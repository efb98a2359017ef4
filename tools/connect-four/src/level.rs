//! Players of different strength.
//!
//! Owns the levels, the search of limited depth and its evaluation. Must not know who plays
//! whom, or text but for the levels' names.
//!
//! | level | what it sees |
//! | --- | --- |
//! | easy | wins and rows to close, the next move only, and that with a blurred eye |
//! | medium | three moves ahead |
//! | hard | ten moves ahead |
//! | perfect | everything |
//!
//! All of them win at once where they can, and close a row where they must.

use std::fmt;

use tengen::base::control::Control;
use tengen::base::rng::Rng;
use tengen::base::score::{Score, Window};

use crate::order::Moves;
use crate::position::{Position, Size};
use crate::solver::{Solver, end_at};

/// A strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// For those who have just learned the rules.
    Easy,
    /// For those who see a double threat.
    Medium,
    /// For those who plan.
    Hard,
    /// Never loses what can be held, wins as soon and loses as late as possible.
    Perfect,
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Level; 4] = [Level::Easy, Level::Medium, Level::Hard, Level::Perfect];

    /// The name, as it is written and read.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
            Level::Perfect => "perfect",
        }
    }

    /// The level of a name.
    pub fn from_name(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name() == name)
    }

    /// Plies searched, and how far the evaluation of a move is off at most; none for perfect.
    const fn limits(self) -> Option<(u32, usize)> {
        match self {
            Level::Easy => Some((1, 25)),
            Level::Medium => Some((3, 0)),
            Level::Hard => Some((10, 0)),
            Level::Perfect => None,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One who plays.
#[derive(Debug)]
pub struct Player {
    level: Level,
    solver: Solver,
    rng: Rng,
}

impl Player {
    /// A player of a level; `seed` decides what easy overlooks.
    pub fn new(level: Level, solver: Solver, seed: u64) -> Player {
        Player { level, solver, rng: Rng::new(seed) }
    }

    /// The level.
    pub const fn level(&self) -> Level {
        self.level
    }

    /// The column to play; none when the game has ended or `control` stops the thinking.
    pub fn choose(&mut self, position: &Position, control: &Control) -> Option<usize> {
        let size = *self.solver.size();
        let Some((depth, blur)) = self.level.limits() else {
            // Where there is only one move to consider, its score does not matter.
            let moves = position.moves_to_hold(&size);
            let is_only = position.wins(&size) == 0 && moves.is_power_of_two();
            if is_only && position.end(&size).is_none() {
                return Some(size.column_of(moves));
            }
            return self.solver.best_move(position, control).map(|(column, _)| column);
        };
        let blur = (blur > 0).then_some((&mut self.rng, blur));
        choose_within(&size, position, depth, blur)
    }
}

/// The best column as far as `depth` plies show; of equally good ones the most central.
///
/// With `blur`, each evaluation that is not a proven win or loss is off by so much at most.
pub fn choose_within(
    size: &Size,
    position: &Position,
    depth: u32,
    mut blur: Option<(&mut Rng, usize)>,
) -> Option<usize> {
    if position.end(size).is_some() {
        return None;
    }
    let wins = position.wins(size);
    let moves = if wins == 0 { position.moves_to_hold(size) } else { wins };
    let columns = size.central_first().filter(|&column| moves & size.column(column) != 0);
    if wins != 0 || position.safe_moves(size) == 0 {
        return columns.into_iter().next();
    }
    let mut best = None;
    for column in columns {
        let child = position.after(moves & size.column(column));
        let mut score = -search(size, &child, depth.saturating_sub(1), Window::FULL);
        if let Some((rng, most)) = &mut blur
            && !score.is_decided()
        {
            let off = i32::try_from(rng.below(2 * *most + 1)).unwrap_or(0);
            score = score + off - i32::try_from(*most).unwrap_or(0);
        }
        if best.is_none_or(|(least, _)| score > least) {
            best = Some((score, column));
        }
    }
    best.map(|(_, column)| column)
}

/// Alpha-beta to a depth below a position whose mover cannot win at once.
///
/// A forced reply costs no depth: a threat at the last ply is answered before the position is
/// judged, so that an odd depth sees as much as an even one.
fn search(size: &Size, position: &Position, depth: u32, window: Window) -> Score {
    let end = end_at(position.stones());
    let left = size.squares() - position.stones();
    let moves = position.safe_moves(size);
    if moves == 0 && left > 0 {
        return Score::loss_in(end + 2);
    }
    if left <= 2 {
        return Score::ZERO;
    }
    let is_forced = position.threatened(size) != 0;
    if depth == 0 && !is_forced {
        return evaluate(size, position);
    }
    let depth = if is_forced { depth } else { depth - 1 };
    let mut alpha = window.alpha;
    let mut best = -Score::INFINITE;
    for square in Moves::new(position, size, moves, 0).squares() {
        let child = Window::new(alpha, window.beta).flip();
        best = best.max(-search(size, &position.after(square), depth, child));
        alpha = alpha.max(best);
        if best >= window.beta {
            break;
        }
    }
    best
}

/// Worth of a row with one, two or three own stones and no other.
const ROWS: [i32; 3] = [1, 3, 6];
/// Worth of an empty square that completes a row.
const THREAT: i32 = 20;
/// The same in the rows where the opponent is forced to give it in the end: the odd ones for the
/// first player, the even ones for the second.
///
/// Source: Victor Allis, "A knowledge-based approach of connect-four", 1988.
const GOOD_THREAT: i32 = 50;
/// Worth of having the move: about what the next stone will add.
const TEMPO: i32 = 7;

/// What a position without threats at hand is worth to the side to move.
pub(crate) fn evaluate(size: &Size, position: &Position) -> Score {
    let is_first = position.stones().is_multiple_of(2);
    let (mover, opponent) = (position.mover(), position.opponent());
    let odd = size.odd_rows();
    let (movers, opponents) = if is_first { (odd, !odd) } else { (!odd, odd) };
    let own = side_worth(size, mover, opponent, movers);
    let other = side_worth(size, opponent, mover, opponents);
    Score::eval(own - other + TEMPO)
}

fn side_worth(size: &Size, own: u64, other: u64, good: u64) -> i32 {
    let count = |bits: u64| bits.count_ones().cast_signed();
    let threats = size.winning_squares(own, own | other);
    let mut worth = THREAT * count(threats & !good) + GOOD_THREAT * count(threats & good);
    for rows in size.open_rows(own, other) {
        worth += rows.into_iter().zip(ROWS).map(|(rows, each)| each * count(rows)).sum::<i32>();
    }
    worth
}

#[cfg(test)]
mod tests;
