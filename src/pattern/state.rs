//! The patterns of every empty square, kept up to date as stones come and go.
//!
//! Owns per square the line patterns, sets and combined patterns of both colors, how many
//! squares have each combined pattern, and where the strong ones are. A stone changes only
//! squares on its four lines within the window, at most 40; what they were is kept on a stack,
//! so removing a stone puts it back without looking anything up (rapfi `game/board.cpp`). The
//! squares change by the same steps whatever they hold: most do change, and how cannot be guessed.

use crate::board::lines::{LinePlace, MAX_HALF, near_cells, stone_bits, window_key};
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

/// The line patterns of a square: Black's code in the low half, White's in the high one.
type CodePair = u32;

/// The place of a pair of line patterns in the codes of a square.
#[inline(always)]
const fn codes_of(pair: LinePair, direction: Direction) -> CodePair {
    let pair = pair as u32;
    ((pair | pair << 12) & 0x000f_000f) << (4 * direction.index())
}

/// The code of one color.
#[inline(always)]
const fn code_of(codes: CodePair, color: Color) -> PatternCode {
    #[expect(clippy::cast_possible_truncation, reason = "half of the codes is meant")]
    return (codes >> (16 * color.index())) as u16;
}

/// What a square is worth to both colors.
///
/// It names its square, so that it can be put back by itself, and is moved as one: 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(16))]
struct CellPatterns {
    /// The line patterns of both colors.
    codes: CodePair,
    /// Per color the set of its line patterns.
    sets: [PatternSet; 2],
    /// Per color the combined pattern.
    combined: [Combined; 2],
    /// Whose patterns these are.
    square: Square,
}

const _: () = assert!(size_of::<CellPatterns>() == 16);

/// Most squares a stone can change: those within a window on its four lines.
const CHANGES_PER_STONE: usize = 2 * MAX_HALF * Direction::ALL.len();

/// Room for a count of each combined pattern: whole vectors.
const COUNT_SLOTS: usize = COMBINED_PATTERNS.next_power_of_two();

/// How many squares have each combined pattern; two vectors, so that a square moves from one
/// pattern to another in four additions, whatever they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(16))]
struct Counts([u16; COUNT_SLOTS]);

impl Counts {
    /// One square with each combined pattern.
    const ONE: [Counts; COUNT_SLOTS] = {
        let mut ones = [Counts([0; COUNT_SLOTS]); COUNT_SLOTS];
        let mut kind = 0;
        while kind < COUNT_SLOTS {
            ones[kind].0[kind] = 1;
            kind += 1;
        }
        ones
    };

    /// Moves a square from one combined pattern to another, which may be the same.
    #[inline(always)]
    fn step(&mut self, before: Combined, after: Combined) {
        static ONE: [Counts; COUNT_SLOTS] = Counts::ONE;
        let (minus, plus) = (&ONE[before as usize].0, &ONE[after as usize].0);
        for (kind, count) in self.0.iter_mut().enumerate() {
            *count = count.wrapping_add(plus[kind]).wrapping_sub(minus[kind]);
        }
    }
}

/// The squares of the strong patterns, per color and pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Tracked {
    sets: ByColor<[SquareSet; TRACKED]>,
}

impl Tracked {
    /// Takes in a square with the combined patterns of both colors.
    #[inline(always)]
    fn enter(&mut self, square: Square, combined: [Combined; 2]) {
        for color in Color::ALL {
            let kind = combined[color.index()] as usize;
            if let Some(tracked) = kind.checked_sub(FIRST_TRACKED) {
                self.sets[color][tracked].insert(square);
            }
        }
    }

    /// Forgets a square that had these.
    #[inline(always)]
    fn leave(&mut self, square: Square, combined: [Combined; 2]) {
        for color in Color::ALL {
            let kind = combined[color.index()] as usize;
            if let Some(tracked) = kind.checked_sub(FIRST_TRACKED) {
                self.sets[color][tracked].remove(square);
            }
        }
    }
}

/// Whether any of these is tracked.
#[inline(always)]
fn is_any_tracked(combined: [Combined; 4]) -> bool {
    // All four at once: those that are tracked reach the top bit of their byte.
    const UP: u32 = u32::from_ne_bytes([0x80 - Combined::DoubleThree as u8; 4]);
    let bytes = u32::from_ne_bytes(combined.map(|kind| kind as u8));
    (bytes + UP) & 0x8080_8080 != 0
}

/// What must be known to take a stone back.
#[derive(Clone, Copy, Debug)]
struct Mark {
    /// How many changes there were before it.
    change_count: usize,
    /// Which of its changes concern tracked squares, one bit each.
    tracked: u64,
    /// The counts before it.
    counts: ByColor<Counts>,
}

/// The patterns of all squares of one board.
#[derive(Clone, Debug)]
pub struct PatternState {
    tables: &'static Tables,
    cells: SquareMap<CellPatterns>,
    counts: ByColor<Counts>,
    tracked: Tracked,
    /// What squares were before a stone changed them, in order; room for a full board.
    changes: Box<[CellPatterns]>,
    change_count: usize,
    /// One for each stone.
    marks: Vec<Mark>,
}

impl PatternState {
    /// The patterns of a board, computed from scratch; later stones are added to these.
    pub fn new(rule: Rule, board: &Board) -> PatternState {
        let nothing = CellPatterns {
            codes: 0,
            sets: [PatternSet::default(); 2],
            combined: [Combined::None; 2],
            square: Square::new(0, 0),
        };
        let room = CHANGES_PER_STONE * (board.size().area() + 1);
        let no_sets = [SquareSet::EMPTY; TRACKED];
        let mut state = PatternState {
            tables: Tables::of(rule),
            cells: SquareMap::filled(nothing),
            counts: ByColor::default(),
            tracked: Tracked { sets: ByColor::new(no_sets, no_sets) },
            changes: vec![nothing; room].into(),
            change_count: 0,
            marks: Vec::with_capacity(board.size().area()),
        };
        for square in board.empty() {
            let codes = Direction::ALL.into_iter().fold(0, |codes, direction| {
                let place = LinePlace::of(direction, square);
                let word = board.lines().word(direction, place.line);
                codes | codes_of(state.line_pair(word, place.cell), direction)
            });
            let cell = state.combine(square, codes);
            state.cells[square] = cell;
            for color in Color::ALL {
                state.counts[color].0[cell.combined[color.index()] as usize] += 1;
            }
            state.tracked.enter(square, cell.combined);
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
    fn combine(&self, square: Square, codes: CodePair) -> CellPatterns {
        let sets = Color::ALL.map(|color| self.tables.set(code_of(codes, color)));
        let combined = Color::ALL.map(|color| self.tables.combined(color, sets[color.index()]));
        CellPatterns { codes, sets, combined, square }
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

    /// Of the empty squares looked at 92 % change in freestyle, 75 % in renju, and half of those
    /// change their combined pattern. Guesses at that cost more than to do for each square what
    /// a change needs, so the only branch here is about the strong patterns, which are rare.
    #[inline(always)]
    fn update<const HALF: usize>(
        &mut self,
        board: &Board,
        stone: Square,
        observer: &mut impl PatternObserver,
    ) {
        let (found, count) = self.find_changes::<HALF>(board, stone);
        let own = self.cells[stone];
        self.tracked.leave(stone, own.combined);
        observer.on_occupied(own.sets[0], own.sets[1]);

        let mut tracked = 0;
        let before = self.counts;
        let mut counts = before;
        for color in Color::ALL {
            counts[color].0[own.combined[color.index()] as usize] -= 1;
        }
        let tables = self.tables;
        let log = &mut self.changes[self.change_count..][..CHANGES_PER_STONE];
        for (nth, (&change, slot)) in found[..count].iter().zip(log).enumerate() {
            #[expect(clippy::cast_possible_truncation, reason = "the halves are meant")]
            let (index, flipped) = (change as u32 as usize, (change >> 32) as u32);
            let cell = &mut self.cells[Square::at_index(index & (GRID - 1))];
            let was = *cell;
            *slot = was;
            let codes = was.codes ^ flipped;
            let sets = Color::ALL.map(|color| tables.set(code_of(codes, color)));
            let combined = Color::ALL.map(|color| tables.combined(color, sets[color.index()]));
            cell.codes = codes;
            cell.sets = sets;
            cell.combined = combined;
            observer.on_change(was.sets, sets);
            for color in Color::ALL {
                let at = color.index();
                counts[color].step(was.combined[at], combined[at]);
            }
            if is_any_tracked([was.combined[0], was.combined[1], combined[0], combined[1]]) {
                tracked |= 1 << nth;
                self.tracked.leave(was.square, was.combined);
                self.tracked.enter(was.square, combined);
            }
        }
        self.marks.push(Mark { change_count: self.change_count, tracked, counts: before });
        self.change_count += count;
        self.counts = counts;
    }

    /// Which squares a new stone changes, and how many: the index of each, and from bit 32 on
    /// the bits that flip in its codes.
    ///
    /// No step depends on what is found: that a square is not empty, or does not change, is only
    /// seen by its slot being written again.
    #[inline(always)]
    fn find_changes<const HALF: usize>(
        &self,
        board: &Board,
        stone: Square,
    ) -> ([u64; CHANGES_PER_STONE + 1], usize) {
        let mut changes = [0; CHANGES_PER_STONE + 1];
        let mut count = 0;
        let lines = self.tables.lines();
        for direction in Direction::ALL {
            let place = LinePlace::of(direction, stone);
            let word = board.lines().word(direction, place.line);
            let near = near_cells::<HALF>(word, place.cell);
            let empty = near & near >> 1;
            for cell in HALF..=3 * HALF {
                if cell == 2 * HALF {
                    continue;
                }
                let steps = cell.cast_signed() - 2 * HALF.cast_signed();
                let square = stone.offset(direction.delta(), steps);
                let codes = codes_of(lines[window_key::<HALF>(near, cell)], direction);
                let flipped = (self.cells[square].codes ^ codes) & codes_of(0xff, direction);
                if let Some(slot) = changes.get_mut(count) {
                    *slot = square.index() as u64 | u64::from(flipped) << 32;
                }
                count += usize::from(flipped != 0 && empty >> (2 * cell) & 1 != 0);
            }
        }
        (changes, count)
    }

    /// Puts back what the last stone changed; it must have been removed from the board.
    #[inline]
    pub fn on_remove(&mut self, stone: Square) {
        let Some(mark) = self.marks.pop() else { return };
        let log = &self.changes[mark.change_count..self.change_count];
        self.change_count = mark.change_count;
        self.counts = mark.counts;
        let mut tracked = mark.tracked;
        while tracked != 0 {
            let was = log[tracked.trailing_zeros() as usize];
            tracked &= tracked - 1;
            self.tracked.leave(was.square, self.cells[was.square].combined);
            self.tracked.enter(was.square, was.combined);
        }
        for was in log {
            self.cells[was.square] = *was;
        }
        self.tracked.enter(stone, self.cells[stone].combined);
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
        let code = code_of(self.cells[square].codes, color);
        LinePattern::ALL[usize::from(code >> (4 * direction.index()) & 15)]
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
        usize::from(self.counts[color].0[combined as usize])
    }

    /// The empty squares with a combined pattern for a color.
    ///
    /// # Panics
    /// When the pattern is weaker than a double three: those are only counted.
    #[inline(always)]
    pub fn squares(&self, color: Color, combined: Combined) -> &SquareSet {
        &self.tracked.sets[color][combined as usize - FIRST_TRACKED]
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
        let others = self.cells[square].codes & !codes_of(0xff, direction);
        let codes = others | codes_of(pair, direction);
        self.tables.combined(color, self.tables.set(code_of(codes, color)))
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
