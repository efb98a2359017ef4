//! Exact scores.
//!
//! Owns the alpha-beta search to the end of the game and its table. Must not know levels, text
//! or who asks. Start reading at [`Solver::solve`].
//!
//! Scores count from the empty board: `Score::win_in(41)` is a win that stands when 41 stones
//! lie, however many lie now. So the score of a position does not depend on how far down the
//! tree it is found, and the table keeps it as it is. [`crate::usual`] has them as they are
//! usually given.
//!
//! What the search returns, as any alpha-beta search:
//!
//! ```text
//!   true score <= alpha          at most alpha, and the true score is at most the result
//!   true score >= beta           at least beta, and the true score is at least the result
//!   alpha < true score < beta    the true score
//! ```
//!
//! What was measured on 40 positions of few stones, in nodes: cuts by the table's entries of
//! all moves before any is searched -11 %, rows that cannot be made any more and follow-up -2 %
//! (-7 % with half the board full), columns that must be left alone -3 %. No entries for the last twelve squares: +52 %, but in half
//! the time, for nearly all nodes lie there, and each would wait for memory.
//!
//! Sources: null windows, threats and order as in Pascal Pons, "Solving Connect 4"; cuts by the
//! table, Plaat and others, "Exploiting graph properties of game trees", AAAI 1996.

use std::sync::Arc;

use tengen::base::control::Control;
use tengen::base::score::{Bound, Score, Window};
use tengen::base::tt::{Entry, Table};

use crate::book::Book;
use crate::order::Moves;
use crate::position::{FollowUp, Position, Size};
use crate::usual::Usual;

/// Nodes between two looks at the clock and the stop flag: less than a millisecond.
const BATCH: u64 = 4096;
/// With fewer stones than this a position and its mirror image share an entry.
const MIRROR_BELOW: u32 = 14;
/// With fewer empty squares than this nothing is kept.
const LEAST_KEPT: u32 = 12;
/// With fewer empty squares than this the entries of all moves are not looked at first.
const LEAST_LOOKED: u32 = 20;

/// Solves positions of one board size.
#[derive(Debug)]
pub struct Solver {
    size: Size,
    table: Arc<Table>,
    book: Option<Arc<Book>>,
    nodes: u64,
    is_stopped: bool,
}

/// A number of stones as an end of the game.
pub(crate) const fn end_at(stones: u32) -> i32 {
    stones.cast_signed()
}

/// Spreads a key over 64 bits so that no two keys meet: what the table finds is what was asked
/// for, and a score is never another position's.
///
/// Source: the last steps of splitmix64, each of which can be undone.
#[inline]
const fn mix(key: u64) -> u64 {
    let mut z = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Solver {
    /// A solver with a table of so many bytes and no book.
    pub fn new(size: Size, table_bytes: usize) -> Solver {
        Solver::with_table(size, Arc::new(Table::new(table_bytes)))
    }

    /// A solver that shares its table with others of the same board size.
    pub fn with_table(size: Size, table: Arc<Table>) -> Solver {
        Solver { size, table, book: None, nodes: 0, is_stopped: false }
    }

    /// Lets the solver look positions up; a book of another size is left out.
    #[must_use]
    pub fn with_book(mut self, book: Arc<Book>) -> Solver {
        self.book = (book.size() == self.size).then_some(book);
        self
    }

    /// The board size.
    pub const fn size(&self) -> &Size {
        &self.size
    }

    /// Nodes searched so far.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Forgets all that was found out, unless other solvers share it.
    pub fn clear(&mut self) {
        if let Some(table) = Arc::get_mut(&mut self.table) {
            table.new_game();
        }
    }

    /// The score of a position for the side to move; none when `control` ended the search.
    pub fn solve(&mut self, position: &Position, control: &Control) -> Option<Score> {
        let size = self.size;
        let end = end_at(position.stones());
        if size.has_row(position.opponent()) {
            return Some(Score::loss_in(end));
        }
        if position.wins(&size) != 0 {
            return Some(Score::win_in(end + 1));
        }
        if let Some(score) = self.book.as_ref().and_then(|book| book.score(position)) {
            return Some(score);
        }
        self.is_stopped = false;
        let usual = Usual::new(&size, position.stones());
        let mut low = usual.of(Score::loss_in(end + 2)).min(0);
        let mut high = usual.of(Score::win_in(end + 3)).max(0);
        while low < high {
            // Whether it is a win, a draw or a loss is asked before how soon.
            let middle = low + (high - low).div_euclid(2);
            let middle = match middle {
                ..=0 if low / 2 < middle => low / 2,
                1.. if high / 2 > middle => high / 2,
                _ => middle,
            };
            let window = Window::new(usual.score(middle), usual.score(middle + 1));
            let found = self.search(position, window, control);
            if self.is_stopped {
                return None;
            }
            if found <= window.alpha {
                high = usual.of(found);
            } else {
                low = usual.of(found);
            }
        }
        Some(usual.score(low))
    }

    /// The best column and its score; of equally good ones the most central. None when the game
    /// has ended or `control` ended the search.
    ///
    /// Where every move loses at once, one that closes a row of the opponent goes first.
    pub fn best_move(&mut self, position: &Position, control: &Control) -> Option<(usize, Score)> {
        let size = self.size;
        if position.end(&size).is_some() {
            return None;
        }
        let wins = position.wins(&size);
        let score = self.solve(position, control)?;
        let moves = if wins == 0 { position.moves_to_hold(&size) } else { wins };
        // A position and its mirror image get mirrored moves: a book that knows the way on for
        // one of them knows it for the other.
        let is_mirrored = wins == 0 && size.mirror(position.key()) < position.key();
        let turn = |column| if is_mirrored { size.columns() - 1 - column } else { column };
        let central = size.central_first().map(turn);
        let columns: Vec<usize> =
            central.filter(|&column| moves & size.column(column) != 0).collect();
        if wins != 0 || position.safe_moves(&size) == 0 {
            return columns.first().map(|&column| (column, score));
        }
        let child = |column: usize| position.after(moves & size.column(column));
        if let Some(book) = &self.book {
            let is_known = |&&column: &&usize| book.score(&child(column)) == Some(-score);
            if let Some(&column) = columns.iter().find(is_known) {
                return Some((column, score));
            }
        }
        let (&last, others) = columns.split_last()?;
        for &column in others {
            let window = Window::null(-score);
            let found = self.search(&child(column), window, control);
            if self.is_stopped {
                return None;
            }
            if found <= window.alpha {
                return Some((column, score));
            }
        }
        Some((last, score))
    }

    /// The score of a move for the side that makes it; none when it cannot be played or
    /// `control` ended the search.
    pub fn score_of_move(
        &mut self,
        position: &Position,
        column: usize,
        control: &Control,
    ) -> Option<Score> {
        let mut child = *position;
        child.play(&self.size, column).ok()?;
        self.solve(&child, control).map(|score| -score)
    }

    #[inline]
    fn key(&self, position: &Position, stones: u32) -> u64 {
        mix(if stones < MIRROR_BELOW { position.key_of_both(&self.size) } else { position.key() })
    }

    /// Alpha-beta below a position whose mover cannot win at once.
    fn search(&mut self, position: &Position, window: Window, control: &Control) -> Score {
        let size = self.size;
        let Window { mut alpha, mut beta } = window;
        self.nodes += 1;
        if self.nodes.is_multiple_of(BATCH) && control.count(BATCH) {
            self.is_stopped = true;
        }
        if self.is_stopped {
            return alpha;
        }
        let stones = position.stones();
        let end = end_at(stones);
        let left = size.squares() - stones;
        let key = self.key(position, stones);
        let is_kept = left >= LEAST_KEPT;
        if is_kept {
            self.table.prefetch(key);
        }

        let moves = position.safe_moves(&size);
        if moves == 0 && left > 0 {
            return Score::loss_in(end + 2);
        }
        if left <= 2 {
            return Score::ZERO;
        }
        // The opponent cannot win with its next stone, nor the mover with this one.
        let least = Score::loss_in(end + 4);
        if least >= beta {
            return least;
        }
        alpha = alpha.max(least);
        let most = match position.follow_up(&size) {
            FollowUp::Win => Score::loss_in(end_at(size.squares())),
            FollowUp::Draw => Score::ZERO,
            FollowUp::Nothing if position.cannot_win(&size) => Score::ZERO,
            FollowUp::Nothing => Score::win_in(end + 3),
        };
        if most <= alpha {
            return most;
        }
        beta = beta.min(most);
        if let Some(book) = &self.book
            && let Some(score) = book.score(position)
        {
            return score;
        }

        let mut first = 0;
        if is_kept && let Some(entry) = self.table.probe(key) {
            if entry.bound.is_lower() {
                if entry.score >= beta {
                    return entry.score;
                }
                alpha = alpha.max(entry.score);
            }
            if entry.bound.is_upper() {
                if entry.score <= alpha {
                    return entry.score;
                }
                beta = beta.min(entry.score);
            }
            if entry.mv != 0 {
                first = moves & size.column(usize::from(entry.mv - 1));
            }
        }
        if left >= LEAST_LOOKED {
            let mut rest = moves;
            while rest != 0 {
                let square = rest & rest.wrapping_neg();
                rest ^= square;
                let child = self.key(&position.after(square), stones + 1);
                if let Some(entry) = self.table.probe(child)
                    && entry.bound.is_upper()
                    && -entry.score >= beta
                {
                    return -entry.score;
                }
            }
        }

        let mut best = Score::loss_in(end + 2);
        let mut best_move = 0;
        let asked = alpha;
        for square in Moves::new(position, &size, moves, first).squares() {
            let child = Window::new(alpha, beta).flip();
            let score = -self.search(&position.after(square), child, control);
            if self.is_stopped {
                return alpha;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = size.column_of(square) + 1;
                }
                if score >= beta {
                    break;
                }
            }
        }
        if is_kept {
            let bound = match best {
                _ if best >= beta => Bound::Lower,
                _ if best > asked => Bound::Exact,
                _ => Bound::Upper,
            };
            let entry = Entry {
                mv: u16::try_from(best_move).unwrap_or(0),
                score: best,
                bound,
                eval: Score::ZERO,
                depth: end_at(left),
                is_pv: false,
            };
            self.table.store(key, entry);
        }
        best
    }
}

#[cfg(test)]
mod tests;
