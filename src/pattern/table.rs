//! The definition of `classify` as tables, one look-up for both colors.
//!
//! Owns the tables of each rule; they are built at the first use of a rule, in some
//! milliseconds, and never change. Must not know boards beyond the form of a window's key.

use std::sync::LazyLock;

use crate::board::lines::MAX_HALF;
use crate::pattern::classify::{Cell, Classifier, LineRule, WINDOW, Window};
use crate::pattern::{COMBINED_PATTERNS, Combined, LinePattern, PATTERN_SETS, PatternSet};
use crate::types::color::{ByColor, Color};
use crate::types::rule::Rule;

/// The patterns of one line for both colors: Black's number low, White's in the high four bits.
pub type LinePair = u8;

/// The four line patterns of a color, four bits each.
pub type PatternCode = u16;

/// Keys of the widest window. Where windows are narrower the rest of the table is never
/// touched; one size for all spares each look-up a comparison.
pub const WIDEST_KEYS: usize = 1 << (4 * MAX_HALF);

/// Slots for pattern sets: a power of two, so that a mask is enough for the compiler to see that
/// an index is in range.
pub const SET_SLOTS: usize = PATTERN_SETS.next_power_of_two();

/// The tables of one rule.
#[derive(Debug)]
pub struct Tables {
    /// Half-width of the windows: 4 where six in a row win, else 5.
    half: usize,
    /// Per window key the pair of line patterns.
    lines: Box<[LinePair; WIDEST_KEYS]>,
    /// Per set of line patterns the combined one.
    combined: ByColor<[Combined; SET_SLOTS]>,
    /// Per code of four line patterns its set; the same for all rules.
    sets: &'static [PatternSet; 1 << 16],
}

/// Per code of four line patterns its unordered set.
static SETS: LazyLock<Box<[PatternSet; 1 << 16]>> = LazyLock::new(|| {
    let mut sets = boxed(PatternSet::default());
    for (code, set) in sets.iter_mut().enumerate() {
        *set = PatternSet::of(std::array::from_fn(|line| pattern_at(code >> (4 * line))));
    }
    sets
});

/// The tables of each rule, built when first asked for.
static TABLES: [LazyLock<Tables>; Rule::ALL.len()] = [
    LazyLock::new(|| Tables::build(Rule::Freestyle)),
    LazyLock::new(|| Tables::build(Rule::Standard)),
    LazyLock::new(|| Tables::build(Rule::Renju)),
    LazyLock::new(|| Tables::build(Rule::Caro)),
    LazyLock::new(|| Tables::build(Rule::CaroExact)),
];

/// The pattern with this number in the four low bits; numbers that none has are dead.
fn pattern_at(code: usize) -> LinePattern {
    LinePattern::ALL.get(code & 15).copied().unwrap_or(LinePattern::Dead)
}

/// A boxed array without a detour over the stack.
pub(crate) fn boxed<T: Clone, const N: usize>(value: T) -> Box<[T; N]> {
    match vec![value; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the vector has the length of the array"),
    }
}

/// The cell that a pair of bits means to a color, see `board::lines`.
fn cell_of(pair: usize, color: Color) -> Cell {
    match (pair & 3, color) {
        (0b00, _) => Cell::Wall,
        (0b01, Color::Black) | (0b10, Color::White) => Cell::Own,
        (0b11, _) => Cell::Empty,
        _ => Cell::Other,
    }
}

/// The cells of one half of a window, nearest to X first, and walls behind a wall; a half is
/// given by its pairs of bits, the pair `first` nearest, then `step` by `step`.
fn half_cells(half: usize, bits: usize, color: Color, nearest_low: bool) -> [Cell; MAX_HALF] {
    let mut cells = [Cell::Wall; MAX_HALF];
    for (distance, cell) in cells.iter_mut().enumerate().take(half) {
        let at = if nearest_low { distance } else { half - 1 - distance };
        *cell = cell_of(bits >> (2 * at), color);
        if *cell == Cell::Wall {
            break;
        }
    }
    cells
}

impl Tables {
    /// The tables of a rule.
    pub fn of(rule: Rule) -> &'static Tables {
        &TABLES[rule.index()]
    }

    fn build(rule: Rule) -> Tables {
        let half = if rule == Rule::Freestyle { MAX_HALF - 1 } else { MAX_HALF };
        let halves = 1 << (2 * half);
        let mut lines: Box<[LinePair; WIDEST_KEYS]> = boxed(0);
        for color in Color::ALL {
            // Many halves mean the same: what is behind a wall does not matter, and only caro
            // tells a wall from a stone of the other color. Each meaning is classified once.
            let line_rule = LineRule::of(rule, color);
            let folds = !matches!(line_rule, LineRule::Caro | LineRule::CaroExact);
            let mut meanings: [Vec<[Cell; MAX_HALF]>; 2] = [Vec::new(), Vec::new()];
            let meaning_of: [Vec<usize>; 2] = std::array::from_fn(|side| {
                (0..halves)
                    .map(|bits| {
                        let mut cells = half_cells(half, bits, color, side == 1);
                        if folds {
                            fold_walls(&mut cells);
                        }
                        let known = &mut meanings[side];
                        known.iter().position(|found| *found == cells).unwrap_or_else(|| {
                            known.push(cells);
                            known.len() - 1
                        })
                    })
                    .collect()
            });
            let mut classifier = Classifier::new(line_rule);
            let patterns: Vec<Vec<u8>> = meanings[1]
                .iter()
                .map(|&after| {
                    let mut join = |&before| classifier.classify(window(before, after)) as u8;
                    meanings[0].iter().map(&mut join).collect()
                })
                .collect();
            let shift = 4 * color.index();
            let rows = lines[..halves * halves].chunks_exact_mut(halves);
            for (after, row) in rows.enumerate() {
                let patterns = &patterns[meaning_of[1][after]];
                for (pair, &before) in row.iter_mut().zip(&meaning_of[0]) {
                    *pair |= patterns[before] << shift;
                }
            }
        }

        let combined = ByColor::from_fn(|color| {
            let fouls = LineRule::of(rule, color) == LineRule::RenjuBlack;
            let mut table = [Combined::None; SET_SLOTS];
            for (set, lines) in PatternSet::all() {
                table[set.index()] = Combined::of(lines, fouls);
            }
            table
        });
        Tables { half, lines, combined, sets: &SETS }
    }

    /// Half-width of the windows.
    #[inline(always)]
    pub fn half(&self) -> usize {
        self.half
    }

    /// The line patterns in a window, see [`crate::board::lines::window_key`].
    #[inline(always)]
    pub fn line(&self, key: usize) -> LinePair {
        self.lines[key]
    }

    /// The line patterns in all windows.
    #[inline(always)]
    pub fn lines(&self) -> &[LinePair; WIDEST_KEYS] {
        &self.lines
    }

    /// The set of the patterns in a code.
    #[inline(always)]
    pub fn set(&self, code: PatternCode) -> PatternSet {
        self.sets[usize::from(code)]
    }

    /// The combined pattern of a set for a color.
    #[inline(always)]
    pub fn combined(&self, color: Color, set: PatternSet) -> Combined {
        self.combined[color][set.index() & (SET_SLOTS - 1)]
    }
}

/// Writes walls as stones of the other color, and what is behind the first such stone too, where
/// the rule cannot tell them apart.
fn fold_walls(cells: &mut [Cell; MAX_HALF]) {
    let closed = cells.iter().position(|cell| matches!(cell, Cell::Wall | Cell::Other));
    if let Some(first) = closed {
        cells[first..].fill(Cell::Other);
    }
}

/// Joins two halves, each nearest cell first, to a window round X.
fn window(before: [Cell; MAX_HALF], after: [Cell; MAX_HALF]) -> Window {
    let mut cells = [Cell::Own; WINDOW];
    for distance in 0..MAX_HALF {
        cells[MAX_HALF - 1 - distance] = before[distance];
        cells[MAX_HALF + 1 + distance] = after[distance];
    }
    cells
}

const _: () = assert!(COMBINED_PATTERNS <= 16 && LinePattern::ALL.len() <= 16, "four bits each");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;

    #[test]
    fn tables_equal_the_definition_for_every_rule_and_color() {
        for rule in Rule::ALL {
            let tables = Tables::of(rule);
            let mut rng = Rng::new(9);
            for color in Color::ALL {
                let mut classifier = Classifier::new(LineRule::of(rule, color));
                for _ in 0..20_000 {
                    let key = rng.below(1 << (4 * tables.half));
                    let mut cells = [Cell::Wall; WINDOW];
                    for distance in 1..=tables.half {
                        let before = key >> (2 * (tables.half - distance));
                        let after = key >> (2 * (tables.half + distance - 1));
                        cells[MAX_HALF - distance] = cell_of(before, color);
                        cells[MAX_HALF + distance] = cell_of(after, color);
                    }
                    let found = pattern_at(usize::from(tables.line(key)) >> (4 * color.index()));
                    let expected = classifier.classify(cells);
                    assert_eq!(found, expected, "{rule} {color:?} {cells:?}");
                }
            }
        }
    }

    #[test]
    fn a_narrow_window_is_enough_where_six_win() {
        // Freestyle's windows leave the fifth cell out; no content of it may matter.
        let mut classifier = Classifier::new(LineRule::FiveOrMore);
        let mut rng = Rng::new(10);
        let kinds = [Cell::Empty, Cell::Own, Cell::Other, Cell::Wall];
        for _ in 0..20_000 {
            let mut cells: Window = std::array::from_fn(|_| kinds[rng.below(4)]);
            let expected = classifier.classify(cells);
            cells[0] = kinds[rng.below(4)];
            cells[WINDOW - 1] = kinds[rng.below(4)];
            assert_eq!(classifier.classify(cells), expected, "{cells:?}");
        }
    }
}
