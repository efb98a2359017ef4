//! The definition of line patterns: slow, readable, and the only place where it stands.
//!
//! A window is eleven cells of one line with X in the middle, which nothing beyond can change:
//! a five through X reaches four cells, and the fifth decides whether it is a six or, in caro,
//! whether it is closed. X has just been played; the question is how many more own moves lead
//! to a five that contains X, while the other side passes, and in how many ways.
//!
//! The definition is a recursion on that number: a pattern is named by the strongest pattern
//! that one more own stone in the window can make of it. (Rapfi `game/pattern.cpp` has the idea
//! of the recursion; there the window moves to the new stone, here it stays at X, so that only
//! fives through X count, as the rules of renju have it for fours and threes.)

use crate::board::lines::MAX_HALF;
use crate::pattern::LinePattern;
use crate::types::color::Color;
use crate::types::rule::Rule;

/// Cells of a window.
pub const WINDOW: usize = 2 * MAX_HALF + 1;
/// Where X is.
const X: usize = MAX_HALF;

/// A cell of a line as one color sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// Off the board, or a square that counts for nobody.
    Wall = 0,
    /// A stone of the other color.
    Other = 1,
    /// A stone of this color.
    Own = 2,
    /// Nothing.
    Empty = 3,
}

/// Which rows of stones win, and what else a line can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineRule {
    /// Five or more: freestyle, and White in renju.
    FiveOrMore,
    /// Exactly five: standard.
    ExactlyFive,
    /// Exactly five; two fours in one line are a foul: Black in renju.
    RenjuBlack,
    /// Exactly five not closed by the other color at both ends, or six and more: caro.
    Caro,
    /// Exactly five not closed by the other color at both ends: exact caro.
    CaroExact,
}

impl LineRule {
    /// What holds for a color under a rule.
    pub fn of(rule: Rule, color: Color) -> LineRule {
        match (rule, color) {
            (Rule::Freestyle, _) | (Rule::Renju, Color::White) => LineRule::FiveOrMore,
            (Rule::Standard, _) => LineRule::ExactlyFive,
            (Rule::Renju, Color::Black) => LineRule::RenjuBlack,
            (Rule::Caro, _) => LineRule::Caro,
            (Rule::CaroExact, _) => LineRule::CaroExact,
        }
    }
}

/// A window of a line round X.
pub type Window = [Cell; WINDOW];

/// Names windows by the recursion, and remembers them.
#[derive(Debug)]
pub struct Classifier {
    rule: LineRule,
    /// Per window (two bits a cell, X left out) the pattern's number plus one; 0 is unknown.
    known: Vec<u8>,
}

impl Classifier {
    /// A classifier that knows no window yet.
    pub fn new(rule: LineRule) -> Classifier {
        Classifier { rule, known: vec![0; 1 << (2 * (WINDOW - 1))] }
    }

    /// What X makes in a window; whatever stands in the middle counts as X.
    pub fn classify(&mut self, mut window: Window) -> LinePattern {
        window[X] = Cell::Own;
        let key = key_of(&window);
        match self.known[key] {
            0 => {
                let pattern = self.define(window);
                self.known[key] = pattern as u8 + 1;
                pattern
            }
            known => LinePattern::ALL[usize::from(known - 1)],
        }
    }

    /// The definition itself.
    fn define(&mut self, window: Window) -> LinePattern {
        if wins(self.rule, &window) {
            return LinePattern::Five;
        }
        if row_through(&window, X).len() > 5 {
            return LinePattern::Overline;
        }

        let completions = self.completions(&window);
        if !completions.is_empty() {
            if self.rule == LineRule::RenjuBlack && is_double_four(&completions) {
                return LinePattern::Overline;
            }
            return if self.stands_every_reply(window) {
                LinePattern::OpenFour
            } else {
                LinePattern::Four
            };
        }

        // What one more own stone makes of it, per empty cell of the window.
        let next: Vec<LinePattern> = empty_cells(&window)
            .map(|cell| {
                let mut extended = window;
                extended[cell] = Cell::Own;
                self.classify(extended)
            })
            .collect();
        let ways = |test: fn(LinePattern) -> bool| next.iter().filter(|&&p| test(p)).count();

        let open_fours = ways(|p| p == LinePattern::OpenFour);
        let open_threes = ways(LinePattern::is_open_three);
        match open_fours {
            0 => {}
            1 => return LinePattern::OpenThree,
            _ => return LinePattern::OpenThreeWide,
        }
        if ways(|p| p == LinePattern::Four) > 0 {
            return LinePattern::Three;
        }
        match open_threes {
            0 => {}
            1 | 2 => return LinePattern::OpenTwo,
            3 => return LinePattern::OpenTwoWide,
            _ => return LinePattern::OpenTwoFull,
        }
        if ways(|p| p == LinePattern::Three) > 0 {
            LinePattern::Two
        } else if ways(LinePattern::is_open_two) > 0 {
            LinePattern::OpenOne
        } else if ways(|p| p == LinePattern::Two) > 0 {
            LinePattern::One
        } else {
            LinePattern::Dead
        }
    }

    /// The empty cells where one more own stone makes five.
    fn completions(&self, window: &Window) -> Vec<usize> {
        empty_cells(window)
            .filter(|&cell| {
                let mut extended = *window;
                extended[cell] = Cell::Own;
                wins(self.rule, &extended)
            })
            .collect()
    }

    /// Whether a completion remains after each single reply in the window.
    ///
    /// In most rules that means two completions. In caro one reply can close two fives at once
    /// (`|` the other color: in `|.XXXX.` the right end closes the five at the left end too),
    /// or close a five from beyond.
    fn stands_every_reply(&self, window: Window) -> bool {
        empty_cells(&window).all(|reply| {
            let mut answered = window;
            answered[reply] = Cell::Other;
            !self.completions(&answered).is_empty()
        })
    }
}

/// Two bits a cell, X left out, the first cell lowest.
fn key_of(window: &Window) -> usize {
    let cells = window[..X].iter().chain(&window[X + 1..]);
    cells.rev().fold(0, |key, &cell| key << 2 | cell as usize)
}

/// The empty cells of a window.
fn empty_cells(window: &Window) -> impl Iterator<Item = usize> + use<> {
    let window = *window;
    (0..WINDOW).filter(move |&cell| window[cell] == Cell::Empty)
}

/// The unbroken row of own stones through an own stone.
fn row_through(window: &Window, cell: usize) -> std::ops::Range<usize> {
    let own = |&&found: &&Cell| found == Cell::Own;
    let before = window[..cell].iter().rev().take_while(own).count();
    let after = window[cell..].iter().take_while(own).count();
    cell - before..cell + after
}

/// Whether the row through X wins.
fn wins(rule: LineRule, window: &Window) -> bool {
    let row = row_through(window, X);
    let closed = || {
        let before = row.start.checked_sub(1).and_then(|cell| window.get(cell));
        let after = window.get(row.end);
        before == Some(&Cell::Other) && after == Some(&Cell::Other)
    };
    match rule {
        LineRule::FiveOrMore => row.len() >= 5,
        LineRule::ExactlyFive | LineRule::RenjuBlack => row.len() == 5,
        LineRule::Caro => row.len() > 5 || row.len() == 5 && !closed(),
        LineRule::CaroExact => row.len() == 5 && !closed(),
    }
}

/// Whether two completions belong to two fours: the ends of a straight four are five apart,
/// those of `o.oXo.o`, `oo.XX.oo` and `ooo.X.ooo` are nearer.
fn is_double_four(completions: &[usize]) -> bool {
    matches!(completions, [first, second] if second - first < 5)
}

#[cfg(test)]
mod tests;
