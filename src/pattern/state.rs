//! The patterns of every empty square, kept up to date as stones come and go.
//!
//! Owns per square the line patterns, sets and combined patterns of both colors, how many
//! squares have each combined pattern, and where the strong ones are. A stone changes only
//! squares on its four lines within the window, at most 40; what they were is kept on a stack,
//! so removing a stone puts it back without looking anything up (rapfi `game/board.cpp`).

use crate::board::lines::{LinePlace, MAX_HALF, empty_cells, stone_bits, window_key};
use crate::board::{Board, BoardObserver};
use crate::pattern::table::{LinePair, PatternCode, Tables};
use crate::pattern::{COMBINED_PATTERNS, Combined, LinePattern, PatternObserver, PatternSet};
use crate::types::color::{ByColor, Color};
use crate::types::direction::Direction;
use crate::types::rule::Rule;
use crate::types::square::{GRID, Square, SquareMap, SquareSet};

/// The weakest combined pattern whose squares are kept as a set.
const FIRST_TRACKED: usize = Combined::DoubleThree as usize;
/// Number of combined patterns whose squares are kept as sets.
const TRACKED: usize = COMBINED_PATTERNS - FIRST_TRACKED;

/// What a square is worth to both colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CellPatterns {
    /// Per direction the line patterns of both colors.
    lines: [LinePair; 4],
    /// Per color the set of its line patterns.
    sets: [PatternSet; 2],
    /// Per color the combined pattern.
    combined: [Combined; 2],
}

const _: () = assert!(size_of::<CellPatterns>() == 10);

/// Most squares a stone can change: those within a window on its four lines.
const CHANGES_PER_STONE: usize = 2 * MAX_HALF * Direction::ALL.len();

/// A square as it was before a stone changed it.
#[derive(Clone, Copy, Debug)]
struct Change {
    square: Square,
    was: CellPatterns,
}

/// Gathers the patterns of one color from the pairs of four lines.
#[inline(always)]
const fn code_of(lines: [LinePair; 4], color: Color) -> PatternCode {
    let pairs = u32::from_le_bytes(lines) >> (4 * color.index()) & 0x0f0f_0f0f;
    let bytes = (pairs | pairs >> 4) & 0x00ff_00ff;
    #[expect(clippy::cast_possible_truncation, reason = "the low half holds all four")]
    return (bytes | bytes >> 8) as u16;
}

/// The patterns of all squares of one board.
#[derive(Clone, Debug)]
pub struct PatternState {
    tables: &'static Tables,
    cells: SquareMap<CellPatterns>,
    counts: ByColor<[u16; COMBINED_PATTERNS]>,
    tracked: ByColor<[SquareSet; TRACKED]>,
    /// What stones have changed, in order; as long as a full board can need.
    changes: Box<[Change]>,
    change_count: usize,
    /// How many changes there were before each stone.
    marks: Vec<usize>,
}

impl PatternState {
    /// The patterns of a board, computed from scratch; later stones are added to these.
    pub fn new(rule: Rule, board: &Board) -> PatternState {
        let nothing = CellPatterns {
            lines: [0; 4],
            sets: [PatternSet::default(); 2],
            combined: [Combined::None; 2],
        };
        let room = CHANGES_PER_STONE * board.size().area();
        let mut state = PatternState {
            tables: Tables::of(rule),
            cells: SquareMap::filled(nothing),
            counts: ByColor::new([0; COMBINED_PATTERNS], [0; COMBINED_PATTERNS]),
            tracked: ByColor::new([SquareSet::EMPTY; TRACKED], [SquareSet::EMPTY; TRACKED]),
            changes: vec![Change { square: Square::new(0, 0), was: nothing }; room].into(),
            change_count: 0,
            marks: Vec::with_capacity(board.size().area()),
        };
        for square in board.empty() {
            let lines = Direction::ALL.map(|direction| {
                let place = LinePlace::of(direction, square);
                state.line_pair(board.lines().word(direction, place.line), place.cell)
            });
            let cell = state.combine(lines);
            state.cells[square] = cell;
            state.enter(square, Color::Black, cell.combined[0]);
            state.enter(square, Color::White, cell.combined[1]);
        }
        state
    }

    /// The pair of line patterns of a cell of a line.
    #[inline(always)]
    fn line_pair(&self, word: u64, cell: usize) -> LinePair {
        self.tables.line(if self.tables.half() == 4 {
            window_key::<4>(word, cell)
        } else {
            window_key::<5>(word, cell)
        })
    }

    /// What four lines make together.
    #[inline(always)]
    fn combine(&self, lines: [LinePair; 4]) -> CellPatterns {
        let sets = Color::ALL.map(|color| self.tables.set(code_of(lines, color)));
        let combined = Color::ALL.map(|color| self.tables.combined(color, sets[color.index()]));
        CellPatterns { lines, sets, combined }
    }

    #[inline(always)]
    fn enter(&mut self, square: Square, color: Color, combined: Combined) {
        self.counts[color][combined as usize] += 1;
        if let Some(tracked) = (combined as usize).checked_sub(FIRST_TRACKED) {
            self.tracked[color][tracked].insert(square);
        }
    }

    #[inline(always)]
    fn leave(&mut self, square: Square, color: Color, combined: Combined) {
        self.counts[color][combined as usize] -= 1;
        if let Some(tracked) = (combined as usize).checked_sub(FIRST_TRACKED) {
            self.tracked[color][tracked].remove(square);
        }
    }

    /// Moves a square's entry for a color from one combined pattern to another.
    #[inline(always)]
    fn move_entry(&mut self, square: Square, color: Color, before: Combined, after: Combined) {
        if before != after {
            self.leave(square, color, before);
            self.enter(square, color, after);
        }
    }

    /// Takes in a stone that was placed on the board.
    #[inline]
    pub fn on_place(&mut self, board: &Board, stone: Square, observer: &mut impl PatternObserver) {
        if self.tables.half() == 4 {
            self.update::<4>(board, stone, observer);
        } else {
            self.update::<5>(board, stone, observer);
        }
    }

    #[inline(always)]
    fn update<const HALF: usize>(
        &mut self,
        board: &Board,
        stone: Square,
        observer: &mut impl PatternObserver,
    ) {
        self.marks.push(self.change_count);
        let own = self.cells[stone];
        self.leave(stone, Color::Black, own.combined[0]);
        self.leave(stone, Color::White, own.combined[1]);
        observer.on_occupied(own.sets[0], own.sets[1]);

        for direction in Direction::ALL {
            let place = LinePlace::of(direction, stone);
            let word = board.lines().word(direction, place.line);
            let delta = direction.delta().unsigned_abs();
            let line_start = stone.index().wrapping_sub(place.cell * delta);
            // Only empty squares have patterns; the stone's own is none any more.
            let mut cells = empty_cells::<HALF>(word, place.cell);
            while cells != 0 {
                let cell = cells.trailing_zeros() as usize / 2;
                cells &= cells - 1;
                let pair = self.tables.line(window_key::<HALF>(word, cell));
                let index = line_start.wrapping_add(cell * delta) & (GRID - 1);
                let square = Square::at_index(index);
                if self.cells[square].lines[direction.index()] != pair {
                    self.change(square, direction, pair, observer);
                }
            }
        }
    }

    #[inline(always)]
    fn change(
        &mut self,
        square: Square,
        direction: Direction,
        pair: LinePair,
        observer: &mut impl PatternObserver,
    ) {
        let was = self.cells[square];
        if let Some(slot) = self.changes.get_mut(self.change_count) {
            *slot = Change { square, was };
            self.change_count += 1;
        }
        let mut now = was;
        now.lines[direction.index()] = pair;
        let flipped = was.lines[direction.index()] ^ pair;
        for color in Color::ALL {
            let flipped_here = flipped >> (4 * color.index()) & 15;
            if flipped_here == 0 {
                continue;
            }
            let set = self.tables.set(code_of(now.lines, color));
            if set == was.sets[color.index()] {
                continue;
            }
            let combined = self.tables.combined(color, set);
            observer.on_change(color, was.sets[color.index()], set);
            self.move_entry(square, color, was.combined[color.index()], combined);
            now.sets[color.index()] = set;
            now.combined[color.index()] = combined;
        }
        self.cells[square] = now;
    }

    /// Puts back what the last stone changed; it must have been removed from the board.
    #[inline]
    pub fn on_remove(&mut self, stone: Square) {
        let mark = self.marks.pop().unwrap_or(0);
        while self.change_count > mark {
            self.change_count -= 1;
            let Change { square, was } = self.changes[self.change_count];
            let now = self.cells[square];
            self.cells[square] = was;
            self.move_entry(square, Color::Black, now.combined[0], was.combined[0]);
            self.move_entry(square, Color::White, now.combined[1], was.combined[1]);
        }
        let own = self.cells[stone];
        self.enter(stone, Color::Black, own.combined[0]);
        self.enter(stone, Color::White, own.combined[1]);
    }

    /// The combined pattern of an empty square for a color. For an occupied one it is what the
    /// square had when it was taken.
    #[inline(always)]
    pub fn combined(&self, color: Color, square: Square) -> Combined {
        self.cells[square].combined[color.index()]
    }

    /// The set of line patterns of an empty square for a color.
    #[inline(always)]
    pub fn set(&self, color: Color, square: Square) -> PatternSet {
        self.cells[square].sets[color.index()]
    }

    /// The line pattern of an empty square for a color.
    #[inline]
    pub fn line(&self, color: Color, square: Square, direction: Direction) -> LinePattern {
        let pair = self.cells[square].lines[direction.index()];
        LinePattern::ALL[usize::from(pair >> (4 * color.index()) & 15)]
    }

    /// How many lines of an empty square are a four or an open four for a color.
    #[inline]
    pub fn four_lines(&self, color: Color, square: Square) -> usize {
        Direction::ALL
            .into_iter()
            .filter(|&direction| self.line(color, square, direction).is_four())
            .count()
    }

    /// How many empty squares have a combined pattern for a color.
    #[inline(always)]
    pub fn count(&self, color: Color, combined: Combined) -> usize {
        usize::from(self.counts[color][combined as usize])
    }

    /// The empty squares with a combined pattern for a color.
    ///
    /// # Panics
    /// When the pattern is weaker than a double three: those are only counted.
    #[inline(always)]
    pub fn squares(&self, color: Color, combined: Combined) -> &SquareSet {
        &self.tracked[color][combined as usize - FIRST_TRACKED]
    }

    /// The line pattern a color would have at `square` in a direction if the other color, or
    /// itself, also had a stone on the empty square `steps` steps along that direction.
    #[inline]
    pub fn line_with(
        &self,
        board: &Board,
        square: Square,
        direction: Direction,
        steps: isize,
        stone: Color,
    ) -> LinePair {
        let place = LinePlace::of(direction, square);
        let cell = place.cell.wrapping_add_signed(steps);
        let word = board.lines().word(direction, place.line) ^ stone_bits(stone) << (2 * cell);
        self.line_pair(word, place.cell)
    }

    /// The combined pattern of `square` for a color with one of its lines replaced.
    #[inline]
    pub fn combined_with(
        &self,
        color: Color,
        square: Square,
        direction: Direction,
        pair: LinePair,
    ) -> Combined {
        let mut lines = self.cells[square].lines;
        lines[direction.index()] = pair;
        self.tables.combined(color, self.tables.set(code_of(lines, color)))
    }

    /// Half-width of the windows in force.
    #[inline]
    pub fn half(&self) -> usize {
        self.tables.half()
    }

    /// Compares with a recomputation from the board.
    ///
    /// # Errors
    /// What differs first.
    pub fn check(&self, rule: Rule, board: &Board) -> Result<(), String> {
        let fresh = PatternState::new(rule, board);
        for square in board.empty() {
            if self.cells[square] != fresh.cells[square] {
                return Err(format!(
                    "patterns of {square}: {:?}, recomputed {:?}",
                    self.cells[square], fresh.cells[square]
                ));
            }
        }
        if self.counts != fresh.counts {
            return Err(format!("counts: {:?}, recomputed {:?}", self.counts, fresh.counts));
        }
        if self.tracked != fresh.tracked {
            return Err("squares of the strong patterns".to_owned());
        }
        Ok(())
    }
}

/// A board observer that keeps patterns, and tells a pattern observer.
#[derive(Debug)]
pub struct Follow<'a, O> {
    /// The patterns to keep.
    pub patterns: &'a mut PatternState,
    /// Who hears of their changes.
    pub observer: &'a mut O,
}

impl<O: PatternObserver> BoardObserver for Follow<'_, O> {
    #[inline(always)]
    fn on_place(&mut self, board: &Board, square: Square, _: Color) {
        self.patterns.on_place(board, square, self.observer);
    }

    #[inline(always)]
    fn on_remove(&mut self, _: &Board, square: Square, _: Color) {
        self.patterns.on_remove(square);
    }
}

/// Patterns alone can follow a board.
impl BoardObserver for PatternState {
    #[inline]
    fn on_place(&mut self, board: &Board, square: Square, _: Color) {
        PatternState::on_place(self, board, square, &mut ());
    }

    #[inline]
    fn on_remove(&mut self, _: &Board, square: Square, _: Color) {
        PatternState::on_remove(self, square);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;
    use crate::types::size::BoardSize;

    #[test]
    fn patterns_equal_a_recomputation_after_every_step_of_random_games() {
        let mut rng = Rng::new(21);
        for rule in Rule::ALL {
            for (width, height) in [(5, 5), (7, 7), (15, 15), (20, 20), (22, 22), (15, 20)] {
                let mut board = Board::new(BoardSize::try_new(width, height).unwrap());
                if rng.below(2) == 0 {
                    board.wall(Square::new(3, 2));
                }
                let mut patterns = PatternState::new(rule, &board);
                let length = 20 + rng.below(100);
                while board.step_count() < length && !board.empty().is_empty() {
                    if rng.below(12) == 0 {
                        board.pass();
                    } else {
                        // Near the last stones, where shapes come about.
                        let from = board.candidates();
                        let nth = rng.below(from.len());
                        board.place(from.iter().nth(nth).unwrap(), &mut patterns);
                    }
                    assert_eq!(patterns.check(rule, &board), Ok(()), "{rule}\n{board}");
                }
                while board.step_count() > 0 {
                    board.remove(&mut patterns);
                    assert_eq!(patterns.check(rule, &board), Ok(()), "{rule}\n{board}");
                }
            }
        }
    }
}
