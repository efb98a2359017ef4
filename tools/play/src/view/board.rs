//! The board.
//!
//! Owns its geometry and signs. A point takes two columns, its sign and what is left of it:
//!
//! ```text
//!     a b c d e
//!  1  . . . . .  1
//!  2  . X(O)1 .  2      the last move in brackets, the engine's line numbered
//! ```
//!
//! Where it does not fit, the part round the cursor is shown.

use std::collections::HashMap;

use manager::picture::star_points;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color as Ink, Modifier, Style};
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

use super::Look;
use crate::app::App;

/// The inks of stones: palette colors turn gray where bold means bright.
pub(super) const BLACK: Ink = Ink::Rgb(0, 0, 0);
pub(super) const WHITE: Ink = Ink::Rgb(255, 255, 255);
/// The ink of lines, and the wood.
const LINES: Ink = Ink::Rgb(110, 80, 40);
pub(super) const WOOD: Ink = Ink::Rgb(222, 184, 120);

/// Columns of the numbers left of the board.
const LEFT: u16 = 3;
/// Columns right of it: a bracket, a gap and the numbers.
const RIGHT: u16 = 5;

/// Where the board lies on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// The column of the first sign and the row of the first line of signs.
    left: u16,
    top: u16,
    /// The first column and row of the board that are shown, and how many.
    first: (u8, u8),
    count: (u8, u8),
}

impl Geometry {
    /// Where a square's sign is, if it is shown.
    pub fn place(&self, square: Square) -> Option<(u16, u16)> {
        let x = square.x().checked_sub(self.first.0).filter(|&x| x < self.count.0)?;
        let y = square.y().checked_sub(self.first.1).filter(|&y| y < self.count.1)?;
        Some((self.left + 2 * u16::from(x), self.top + u16::from(y)))
    }

    /// The square at a place of the screen; the column left of a sign belongs to it, so that a
    /// slip of the mouse costs nothing, but nothing outside does.
    pub fn square(&self, column: u16, row: u16) -> Option<Square> {
        let x = (column + 1).checked_sub(self.left)? / 2;
        let y = row.checked_sub(self.top)?;
        let (x, y) = (u8::try_from(x).ok()?, u8::try_from(y).ok()?);
        let is_shown = x < self.count.0 && y < self.count.1;
        is_shown.then(|| Square::new(self.first.0 + x, self.first.1 + y))
    }
}

/// Columns and rows of a whole board.
pub(super) fn whole(size: BoardSize) -> (u16, u16) {
    let (width, height) = (u16::from(size.width()), u16::from(size.height()));
    (LEFT + 2 * width + RIGHT - 1, height + 1)
}

/// The part of a side that is shown: the first line, and how many.
fn part(side: u8, room: u16, cursor: u8) -> (u8, u8) {
    let count = u8::try_from(room).unwrap_or(u8::MAX).clamp(1, side);
    let first = cursor.saturating_sub(count / 2).min(side - count);
    (first, count)
}

/// What is drawn on the points.
struct Signs {
    look: Look,
    size: BoardSize,
    stones: HashMap<Square, usize>,
    last: Option<Square>,
    row: Vec<Square>,
    forbidden: Vec<Square>,
    /// The engine's line: its number from 1 and whether the side to move plays it.
    line: HashMap<Square, (usize, bool)>,
    stars: Vec<Square>,
}

impl Signs {
    fn of(app: &App, look: Look) -> Signs {
        let game = app.game();
        let shown = app.shown();
        let squares = &game.squares()[..shown];
        let is_whole = shown == game.moves().len();
        let stones: HashMap<Square, usize> = squares.iter().copied().zip(0..).collect();
        let talk = app.talk().filter(|_| app.shows_line());
        let line = talk.map(|talk| talk.line).unwrap_or_default();
        let line = line
            .into_iter()
            .zip(1..)
            .take(9)
            .filter(|(square, _)| !stones.contains_key(square))
            .map(|(square, number)| (square, (number, (shown + number) % 2 == 1)))
            .collect();
        Signs {
            look,
            size: game.size(),
            last: squares.last().copied(),
            row: if is_whole { game.winning_row() } else { Vec::new() },
            forbidden: if is_whole { game.forbidden().to_vec() } else { Vec::new() },
            line,
            stars: star_points(game.size()),
            stones,
        }
    }

    /// The sign of a square and its style.
    fn sign(&self, square: Square) -> (char, Style) {
        let look = self.look;
        if let Some(index) = self.stones.get(&square) {
            let is_black = index % 2 == 0;
            let has_won = self.row.contains(&square);
            let sign = match (look.is_ascii, is_black, has_won) {
                (true, true, false) => 'X',
                (true, false, false) => 'O',
                (true, true, true) => '#',
                (true, false, true) => '@',
                (false, true, false) => '●',
                (false, false, false) => '○',
                (false, true, true) => '◆',
                (false, false, true) => '◇',
            };
            let ink = if is_black { BLACK } else { WHITE };
            let mut style = look.ink(Style::new().fg(ink)).add_modifier(Modifier::BOLD);
            if has_won {
                style = look.ink(style.bg(Ink::Green));
            }
            return (sign, style);
        }
        if let Some((number, is_black)) = self.line.get(&square) {
            let sign = char::from_digit(u32::try_from(*number).unwrap_or(0), 10).unwrap_or('*');
            let ink = if *is_black { BLACK } else { WHITE };
            return (sign, look.ink(Style::new().fg(ink)).add_modifier(Modifier::UNDERLINED));
        }
        if self.forbidden.contains(&square) {
            let sign = if look.is_ascii { '!' } else { '×' };
            return (sign, look.ink(Style::new().fg(Ink::Red)).add_modifier(Modifier::BOLD));
        }
        let style = look.ink(Style::new().fg(LINES));
        (self.grid(square), style)
    }

    fn grid(&self, square: Square) -> char {
        let is_star = self.stars.contains(&square);
        if self.look.is_ascii {
            return if is_star { '+' } else { '.' };
        }
        let (right, bottom) = (self.size.width() - 1, self.size.height() - 1);
        match (square.x(), square.y()) {
            (0, 0) => '┌',
            (x, 0) if x == right => '┐',
            (0, y) if y == bottom => '└',
            (x, y) if x == right && y == bottom => '┘',
            (_, 0) => '┬',
            (_, y) if y == bottom => '┴',
            (0, _) => '├',
            (x, _) if x == right => '┤',
            _ if is_star => '╋',
            _ => '┼',
        }
    }

    /// What stands left of a square, given as its column's distance to it: a bracket of the last
    /// move, a line of the grid, or nothing.
    fn between(&self, left: Option<Square>, right: Option<Square>) -> char {
        if right.is_some() && right == self.last {
            return '(';
        }
        if left.is_some() && left == self.last {
            return ')';
        }
        match (left, right) {
            (Some(_), Some(_)) if !self.look.is_ascii => '─',
            _ => ' ',
        }
    }
}

/// Draws the board, or the part of it that fits.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App, look: Look) -> Geometry {
    let size = app.game().size();
    let rows = area.height.saturating_sub(1).max(1);
    let columns = area.width.saturating_sub(LEFT + 2) / 2;
    let (first_x, count_x) = part(size.width(), columns, app.cursor().x());
    let (first_y, count_y) = part(size.height(), rows, app.cursor().y());
    let geometry = Geometry {
        left: area.x + LEFT + 1,
        top: area.y + 1,
        first: (first_x, first_y),
        count: (count_x, count_y),
    };
    let signs = Signs::of(app, look);
    let buffer = frame.buffer_mut();
    draw_labels(buffer, area, app, geometry);
    let wood = look.ink(Style::new().fg(LINES).bg(WOOD));
    for y in first_y..first_y + count_y {
        let row = geometry.top + u16::from(y - first_y);
        for x in first_x..=first_x + count_x {
            let column = geometry.left + 2 * u16::from(x - first_x) - 1;
            let on_board = |x: u8| (x < size.width()).then(|| Square::new(x, y));
            let left = x.checked_sub(1).and_then(on_board);
            let right = on_board(x);
            put(buffer, area, column, row, signs.between(left, right), wood);
            if let Some(square) = right.filter(|_| x < first_x + count_x) {
                let (sign, style) = signs.sign(square);
                let mut style = wood.patch(style);
                if square == app.cursor() {
                    style = style.add_modifier(Modifier::REVERSED);
                }
                put(buffer, area, column + 1, row, sign, style);
            }
        }
    }
    geometry
}

/// Letters above, numbers left and, where there is room, right of the board; those of the cursor
/// are bright.
fn draw_labels(buffer: &mut Buffer, area: Rect, app: &App, geometry: Geometry) {
    let style = |is_here: bool| {
        Style::new().add_modifier(if is_here { Modifier::BOLD } else { Modifier::DIM })
    };
    let cursor = app.cursor();
    for x in geometry.first.0..geometry.first.0 + geometry.count.0 {
        let column = geometry.left + 2 * u16::from(x - geometry.first.0);
        put(buffer, area, column, area.y, char::from(b'a' + x), style(x == cursor.x()));
    }
    for y in geometry.first.1..geometry.first.1 + geometry.count.1 {
        let row = geometry.top + u16::from(y - geometry.first.1);
        let right = geometry.left + 2 * u16::from(geometry.count.0) + 1;
        let left_label = format!("{:>2}", y + 1);
        for (column, label) in [(area.x, left_label), (right, format!("{:<2}", y + 1))] {
            for (step, letter) in (0..).zip(label.chars()) {
                put(buffer, area, column + step, row, letter, style(y == cursor.y()));
            }
        }
    }
}

/// Writes one sign, if its place is within the area.
fn put(buffer: &mut Buffer, area: Rect, column: u16, row: u16, sign: char, style: Style) {
    let is_inside = column < area.right() && row < area.bottom();
    if let Some(cell) = buffer.cell_mut((column, row)).filter(|_| is_inside) {
        cell.set_char(sign).set_style(style);
    }
}
