//! The network's channels of every empty square, brought up to date when they are asked for.
//!
//! Owns the sums. Stones that come and go without a question cost nothing: the state follows
//! the board only in [`NetworkState::follow`], by all stones placed since in one step, and keeps
//! what it changed there to put it back. A step that holds a stone that is taken off is undone
//! whole. (Lazy accumulators as in rapfi `eval/mix9svqnnue.cpp`.)

use crate::board::Board;
use crate::board::lines::{EMPTY, LinePlace, near_cells, window_key};
use crate::eval::network::features::{self, Cell, REACH};
use crate::eval::network::head::{self, ROW_SHIFT, SHIFT};
use crate::eval::network::shape::{POOLS, RANK_UNIT, ROW_ONE, to_value};
use crate::eval::network::simd::{Simd, dispatch};
use crate::eval::network::weights::{Row, RuleNetwork};
use crate::pattern::state::PatternState;
use crate::types::color::Color;
use crate::types::direction::Direction;
use crate::types::rule::Rule;
use crate::types::square::{Square, SquareMap};

/// What is kept of a square: what its channels are the sum of, in words that are read as they
/// were written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(16))]
struct Kept {
    /// The windows, 16 bits each, that of the first direction lowest.
    windows: u64,
    /// The sets, 16 bits each, Black's lowest.
    sets: u32,
    /// 1 where the square is empty and a stone stands on its lines.
    active: u32,
}

/// The index of one of the windows.
#[inline(always)]
const fn nth_window(windows: u64, nth: usize) -> usize {
    (windows >> (16 * nth) & 0xffff) as usize
}

/// The index of the set of a color.
#[inline(always)]
const fn nth_set(sets: u32, nth: usize) -> usize {
    (sets >> (16 * nth) & 0xffff) as usize
}

/// Both sets of a square in a word.
#[inline(always)]
fn packed_sets(patterns: &PatternState, square: Square) -> u32 {
    let [black, white] = Color::ALL.map(|color| u32::from(patterns.set(color, square).number()));
    black | white << 16
}

/// A square as it was.
#[derive(Clone, Copy, Debug)]
struct Change {
    row: Row,
    kept: Kept,
    square: Square,
}

/// A step that can be taken back.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// How many steps of the board were taken in before it.
    board_steps: usize,
    /// How many changes there were before it.
    changes: usize,
    pools: [i32; POOLS],
}

/// The channels and their pools.
#[derive(Clone, Debug)]
pub struct NetworkState {
    network: &'static RuleNetwork,
    /// Half of the window that patterns depend on.
    half: usize,
    rows: Box<SquareMap<Row>>,
    kept: SquareMap<Kept>,
    pools: [i32; POOLS],
    board_steps: usize,
    steps: Vec<Step>,
    changes: Vec<Change>,
    simd: Simd,
}

/// The clipped channels.
#[inline(always)]
fn clipped(row: &Row) -> [i16; POOLS] {
    row.0.map(|sum| sum.clamp(0, ROW_ONE))
}

/// Adds the clipped channels of a square times `SIGN`, if it is active.
#[inline(always)]
fn add_clipped<const SIGN: i16>(sums: &mut [i16; POOLS], row: &Row, active: u32) {
    // All bits or none, so that there is no guess.
    let mask = if active == 0 { 0 } else { -1 };
    for (sum, channel) in sums.iter_mut().zip(row.0) {
        *sum += SIGN * (channel.clamp(0, ROW_ONE) & mask);
    }
}

/// The channels with one row taken out and another put in.
///
/// By value: where rows might overlap no vectors are used.
#[inline(always)]
fn exchanged(row: Row, before: &Row, after: &Row) -> Row {
    let (before, after) = (before.0, after.0);
    let mut new = row;
    for channel in 0..POOLS {
        new.0[channel] = row.0[channel].wrapping_sub(before[channel]).wrapping_add(after[channel]);
    }
    new
}

impl NetworkState {
    /// The state of a board under a rule; none if the rule has no network.
    pub fn new(rule: Rule, board: &Board, patterns: &PatternState) -> Option<NetworkState> {
        let network = RuleNetwork::of(rule)?;
        Some(NetworkState::with(network, board, patterns))
    }

    /// The same with a network at hand.
    pub fn with(
        network: &'static RuleNetwork,
        board: &Board,
        patterns: &PatternState,
    ) -> NetworkState {
        let mut state = NetworkState {
            network,
            half: patterns.half(),
            rows: Box::new(SquareMap::filled(Row::ZERO)),
            kept: SquareMap::filled(Kept::default()),
            pools: [0; POOLS],
            board_steps: 0,
            steps: Vec::with_capacity(64),
            changes: Vec::with_capacity(2048),
            simd: Simd::best(),
        };
        state.refresh(board, patterns);
        state
    }

    /// The same state, which from now on uses what every processor has.
    #[cfg(test)]
    pub(super) fn without_simd(self) -> NetworkState {
        NetworkState { simd: Simd::Base, ..self }
    }

    /// Starts anew from what stands on the board.
    pub fn refresh(&mut self, board: &Board, patterns: &PatternState) {
        self.steps.clear();
        self.changes.clear();
        self.pools = [0; POOLS];
        self.kept.fill(Kept::default());
        self.board_steps = board.step_count();
        for square in board.empty() {
            let cell = features::cell(board, patterns, square);
            let is_active = cell.windows.iter().any(|&window| self.is_stoned(window));
            let row = self.sum(&cell);
            self.rows[square] = row;
            let windows = cell.windows.iter().rev();
            self.kept[square] = Kept {
                windows: windows.fold(0, |all, &window| all << 16 | u64::from(window)),
                sets: packed_sets(patterns, square),
                active: u32::from(is_active),
            };
            if is_active {
                for (pool, value) in self.pools.iter_mut().zip(clipped(&row)) {
                    *pool += i32::from(value);
                }
            }
        }
    }

    #[inline(always)]
    fn is_stoned(&self, window: features::Window) -> bool {
        self.network.stoned[usize::from(window)]
    }

    /// The channels of a square from scratch.
    fn sum(&self, cell: &Cell) -> Row {
        let mut row = Row::ZERO;
        let windows = cell.windows.iter().map(|&window| &self.network.windows[usize::from(window)]);
        let sets = Color::ALL
            .map(|color| &self.network.sets[color.index()][cell.sets[color.index()].index()]);
        for part in windows.chain(sets) {
            for (sum, number) in row.0.iter_mut().zip(part.0) {
                *sum = sum.wrapping_add(number);
            }
        }
        row
    }

    /// Hears that a stone was removed and so many steps of the board are left.
    #[inline(always)]
    pub fn on_remove(&mut self, board_steps: usize) {
        if self.board_steps > board_steps {
            self.take_back();
        }
    }

    fn take_back(&mut self) {
        let Some(step) = self.steps.pop() else { return };
        self.board_steps = step.board_steps;
        self.pools = step.pools;
        // A square may have changed twice: the oldest is what it was.
        while self.changes.len() > step.changes {
            let Some(change) = self.changes.pop() else { break };
            self.rows[change.square] = change.row;
            self.kept[change.square] = change.kept;
        }
    }

    /// Takes in all stones that were placed since the last time.
    #[inline]
    pub fn follow(&mut self, board: &Board, patterns: &PatternState) {
        let now = board.step_count();
        if now == self.board_steps {
            return;
        }
        let step =
            Step { board_steps: self.board_steps, changes: self.changes.len(), pools: self.pools };
        self.steps.push(step);
        for back in (0..now - self.board_steps).rev() {
            if let Some(stone) = board.move_before(back) {
                dispatch!(self.simd, take_in, take_in_avx2, (board, patterns, stone));
            }
        }
        self.board_steps = now;
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn take_in_avx2(&mut self, board: &Board, patterns: &PatternState, stone: Square) {
        self.take_in(board, patterns, stone);
    }

    #[inline(always)]
    fn take_in(&mut self, board: &Board, patterns: &PatternState, stone: Square) {
        if self.half == 4 {
            self.take_in_windows::<4>(board, patterns, stone);
        } else {
            self.take_in_windows::<5>(board, patterns, stone);
        }
    }

    /// Takes in a stone. All stones that are taken in with it are on the board already.
    #[inline(always)]
    fn take_in_windows<const HALF: usize>(
        &mut self,
        board: &Board,
        patterns: &PatternState,
        stone: Square,
    ) {
        // At most 40 squares change by at most 512 each: this fits.
        let mut difference = [0i16; POOLS];
        let network = self.network;
        let kept = self.kept[stone];
        self.changes.push(Change { row: self.rows[stone], kept, square: stone });
        add_clipped::<-1>(&mut difference, &self.rows[stone], kept.active);
        self.kept[stone].active = 0;
        for direction in Direction::ALL {
            let place = LinePlace::of(direction, stone);
            let word = board.lines().word(direction, place.line);
            let near = near_cells::<HALF>(word, place.cell);
            let shift = 16 * direction.index();
            for cell in HALF..=3 * HALF {
                if near >> (2 * cell) & EMPTY != EMPTY {
                    continue;
                }
                let steps = cell.cast_signed() - 2 * HALF.cast_signed();
                let square = stone.offset(direction.delta(), steps);
                let kept = self.kept[square];
                let mut seen = Kept { sets: packed_sets(patterns, square), ..kept };
                if steps.unsigned_abs() <= REACH {
                    // The narrow window, whatever the width of the patterns' one.
                    let window = features::window(window_key::<REACH>(near, cell));
                    seen.windows = kept.windows & !(0xffff << shift) | u64::from(window) << shift;
                    seen.active = 1;
                }
                if seen == kept {
                    continue;
                }
                let mut row = self.rows[square];
                self.changes.push(Change { row, kept, square });
                add_clipped::<-1>(&mut difference, &row, kept.active);
                let before = nth_window(kept.windows, direction.index());
                let after = nth_window(seen.windows, direction.index());
                row = exchanged(row, &network.windows[before], &network.windows[after]);
                for (nth, rows) in network.sets.iter().enumerate() {
                    let (before, after) = (nth_set(kept.sets, nth), nth_set(seen.sets, nth));
                    if before != after {
                        row = exchanged(row, &rows[before], &rows[after]);
                    }
                }
                add_clipped::<1>(&mut difference, &row, seen.active);
                self.rows[square] = row;
                self.kept[square] = seen;
            }
        }
        for (pool, value) in self.pools.iter_mut().zip(difference) {
            *pool += i32::from(value);
        }
    }

    /// The logit of the value for the side to move, in parts of a `HEAD_ONE` squared; without
    /// what the classical evaluation adds.
    #[inline]
    pub fn logit(&self, mover: Color, mask: usize) -> i32 {
        let head = &self.network.heads[mover.index()];
        head::logit(self.simd, head, &self.pools, mask)
    }

    /// The value for the side to move; `scale` is the classical value that is one unit of the
    /// logit.
    #[inline]
    pub fn value(&self, mover: Color, mask: usize, classical: i32, scale: i32) -> i32 {
        // A logit above a hundred means no more than a hundred: the product fits.
        let logit = self.logit(mover, mask) >> SHIFT;
        let most = 100 << SHIFT;
        to_value(((logit.clamp(-most, most) * scale) >> SHIFT) + self.skip(mover, classical))
    }

    /// What the classical value alone lets expect of the value.
    #[inline]
    pub fn estimate(&self, mover: Color, classical: i32) -> i32 {
        to_value(self.skip(mover, classical))
    }

    #[inline]
    fn skip(&self, mover: Color, classical: i32) -> i32 {
        (classical * i32::from(self.network.heads[mover.index()].skip)) >> SHIFT
    }

    /// How promising a move of a side looks, in units of the classical rank.
    #[inline(always)]
    pub fn rank(&self, mover: Color, square: Square, classical: i32) -> i32 {
        let head = &self.network.heads[mover.index()];
        let mut sum = 0i32;
        for (value, &weight) in clipped(&self.rows[square]).into_iter().zip(&head.policy) {
            sum += i32::from(value) * i32::from(weight);
        }
        (((sum >> ROW_SHIFT) * i32::from(RANK_UNIT)) >> SHIFT)
            + ((classical * i32::from(head.rank)) >> SHIFT)
    }
}
