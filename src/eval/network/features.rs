//! What the network sees of an empty square: its four line windows and its two sets of patterns.
//!
//! Owns the numbering of windows. A window is the four cells to either side of the square; what
//! lies behind a wall does not count, and a window and its mirror image have one number, so that
//! the eight symmetries of the board hold by construction. Inference and training both take
//! their input from here.

use crate::board::Board;
use crate::board::lines::{LinePlace, window_key};
use crate::pattern::PatternSet;
use crate::pattern::state::PatternState;
use crate::types::color::Color;
use crate::types::direction::Direction;
use crate::types::square::Square;

/// Cells of a window to either side.
pub const REACH: usize = 4;

/// What one side of a window can hold: up to four cells of three kinds before the wall.
pub const SIDES: usize = 1 + 3 + 9 + 27 + 81;

/// Number of windows, mirror images counted once.
pub const WINDOWS: usize = SIDES * (SIDES + 1) / 2;

/// The first side with so many cells before the wall; it is the one without stones.
const FIRST: [usize; REACH + 1] = [0, 1, 4, 13, 40];

/// A window, 0 to [`WINDOWS`]; colors as they are.
pub type Window = u16;

/// The number of a side: its cells two bits each, the nearest lowest, by `board::lines`.
#[expect(clippy::cast_possible_truncation, reason = "there are 121 sides")]
const fn side(cells: usize) -> u8 {
    let mut count = 0;
    let mut value = 0;
    let mut unit = 1;
    while count < REACH {
        let digit = match cells >> (2 * count) & 3 {
            0b11 => 0,
            0b01 => 1,
            0b10 => 2,
            _ => break,
        };
        value += digit * unit;
        unit *= 3;
        count += 1;
    }
    (FIRST[count] + value) as u8
}

/// The order of the four cells of a byte turned round.
const fn turned(cells: usize) -> usize {
    cells >> 6 & 3 | cells >> 2 & 0xc | cells << 2 & 0x30 | cells << 6 & 0xc0
}

/// Sides by the byte of their cells: those behind the square, whose nearest cell is highest,
/// and those ahead of it.
static BEHIND: [u8; 256] = sides(true);
static AHEAD: [u8; 256] = sides(false);

const fn sides(is_behind: bool) -> [u8; 256] {
    let mut all = [0; 256];
    let mut cells = 0;
    while cells < 256 {
        all[cells] = side(if is_behind { turned(cells) } else { cells });
        cells += 1;
    }
    all
}

/// The number of a window with these sides.
#[inline(always)]
fn window_of_sides(one: u8, other: u8) -> Window {
    let (high, low) = (u16::from(one.max(other)), u16::from(one.min(other)));
    high * (high + 1) / 2 + low
}

/// The window with this key; see [`window_key`].
#[inline(always)]
pub fn window(key: usize) -> Window {
    window_of_sides(BEHIND[key & 0xff], AHEAD[key >> 8 & 0xff])
}

/// The sides of a window.
fn sides_of(window: Window) -> [u8; 2] {
    let window = usize::from(window);
    let high = (0..SIDES).rfind(|high| high * (high + 1) / 2 <= window).unwrap_or(0);
    let low = window - high * (high + 1) / 2;
    [high, low].map(|side| u8::try_from(side).unwrap_or(0))
}

/// A side with the colors exchanged.
fn exchanged_side(side: u8) -> u8 {
    let mut rest = usize::from(side);
    let count = (0..=REACH).rfind(|&count| FIRST[count] <= rest).unwrap_or(0);
    rest -= FIRST[count];
    let mut value = 0;
    let mut unit = 1;
    for _ in 0..count {
        value += [0, 2, 1][rest % 3] * unit;
        unit *= 3;
        rest /= 3;
    }
    u8::try_from(FIRST[count] + value).unwrap_or(0)
}

/// Every window with the colors exchanged.
pub fn exchanged() -> Vec<Window> {
    let all = 0..u16::try_from(WINDOWS).unwrap_or(u16::MAX);
    all.map(|window| {
        let [one, other] = sides_of(window).map(exchanged_side);
        window_of_sides(one, other)
    })
    .collect()
}

/// Whether each window holds a stone.
pub fn stoned() -> Vec<bool> {
    let all = 0..u16::try_from(WINDOWS).unwrap_or(u16::MAX);
    let is_free = |side: u8| FIRST.contains(&usize::from(side));
    all.map(|window| !sides_of(window).into_iter().all(is_free)).collect()
}

/// Every window cut down to the cells within a smaller reach, numbered likewise.
///
/// # Panics
/// When the reach is larger than [`REACH`].
pub fn cores(reach: usize) -> Vec<Window> {
    assert!(reach <= REACH, "a core is no larger than its window");
    let cut = |side: u8| {
        let side = usize::from(side);
        let count = (0..=REACH).rfind(|&count| FIRST[count] <= side).unwrap_or(0).min(reach);
        let value = (side - (0..=REACH).rfind(|&c| FIRST[c] <= side).map_or(0, |c| FIRST[c]))
            % (FIRST[count] * 2 + 1);
        u8::try_from(FIRST[count] + value).unwrap_or(0)
    };
    let all = 0..u16::try_from(WINDOWS).unwrap_or(u16::MAX);
    all.map(|window| {
        let [one, other] = sides_of(window).map(cut);
        window_of_sides(one, other)
    })
    .collect()
}

/// What the network sees of an empty square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The windows in the four directions.
    pub windows: [Window; 4],
    /// The sets of patterns, Black's first.
    pub sets: [PatternSet; 2],
}

/// What there is to see of an empty square.
pub fn cell(board: &Board, patterns: &PatternState, square: Square) -> Cell {
    let windows = Direction::ALL.map(|direction| {
        let place = LinePlace::of(direction, square);
        window(window_key::<REACH>(board.lines().word(direction, place.line), place.cell))
    });
    Cell { windows, sets: Color::ALL.map(|color| patterns.set(color, square)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_a_window_and_mirror_images_share_one() {
        let mut seen = vec![false; WINDOWS];
        for key in 0..1 << 16 {
            let number = usize::from(window(key));
            let mirrored = turned(key >> 8) | turned(key & 0xff) << 8;
            assert_eq!(usize::from(window(mirrored)), number);
            seen[number] = true;
        }
        assert!(seen.iter().all(|&seen| seen));
    }

    #[test]
    fn cells_behind_a_wall_do_not_count() {
        // Nearest first: black, wall, anything.
        let with = |rest: usize| window(0xff | (0b0001 | rest << 4) << 8);
        assert_eq!(with(0b1101), with(0b0010));
        assert_ne!(window(0xff | 0b1101 << 8), window(0xff | 0b1110 << 8));
    }

    #[test]
    fn exchanging_the_colors_twice_changes_nothing() {
        let exchanged = exchanged();
        let stoned = stoned();
        for key in 0..1usize << 16 {
            // Swapping the two bits of every cell exchanges the colors.
            let swapped = (key & 0x5555) << 1 | key >> 1 & 0x5555;
            assert_eq!(exchanged[usize::from(window(key))], window(swapped));
        }
        for (window, &other) in exchanged.iter().enumerate() {
            assert_eq!(usize::from(exchanged[usize::from(other)]), window);
            assert_eq!(stoned[window], stoned[usize::from(other)]);
        }
        assert_eq!(stoned.iter().filter(|stoned| !**stoned).count(), 15);
    }

    #[test]
    fn a_core_is_what_stands_within_its_reach() {
        let whole: Vec<usize> = cores(REACH).into_iter().map(usize::from).collect();
        assert!(whole.into_iter().eq(0..WINDOWS));
        for reach in [2, 3] {
            let cores = cores(reach);
            let mut seen = vec![None; WINDOWS];
            for key in 0..1usize << 16 {
                // The cells beyond the reach made empty: the core is the same.
                let far = 0xff >> (2 * reach);
                let inner = key | far | (0xff & !(0xff >> (2 * (REACH - reach)))) << 8;
                let core = cores[usize::from(window(key))];
                assert_eq!(core, cores[usize::from(window(inner))], "{key:b}");
                seen[usize::from(core)] = Some(());
            }
            let sides = FIRST[reach] + (2 * FIRST[reach] + 1);
            assert_eq!(seen.iter().flatten().count(), sides * (sides + 1) / 2);
        }
    }
}
