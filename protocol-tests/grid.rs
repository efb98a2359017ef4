//! A board for the tests: stones on points, steps along lines, a drawing.
//!
//! Must not know rules (`referee`) nor the dialogue (`harness`).

use std::fmt;

/// A zero-based point: x to the right, y down.
pub(crate) type Point = (usize, usize);

/// What stands on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stone {
    /// A stone of the first player.
    Black,
    /// A stone of the second player.
    White,
    /// Field 3 of a BOARD line: not playable, counts for nobody.
    Wall,
}

impl Stone {
    /// The other player; a wall stays a wall.
    pub(crate) fn other(self) -> Stone {
        match self {
            Stone::Black => Stone::White,
            Stone::White => Stone::Black,
            Stone::Wall => Stone::Wall,
        }
    }
}

/// The four directions of a line.
pub(crate) const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Stones on a board of any width and height.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    width: usize,
    height: usize,
    cells: Vec<Option<Stone>>,
}

impl Grid {
    /// An empty board.
    pub(crate) fn new((width, height): (usize, usize)) -> Grid {
        Grid { width, height, cells: vec![None; width * height] }
    }

    /// Width and height.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Whether the point lies on the board.
    pub(crate) fn contains(&self, (x, y): Point) -> bool {
        x < self.width && y < self.height
    }

    /// What stands on the point; the point must lie on the board.
    pub(crate) fn get(&self, (x, y): Point) -> Option<Stone> {
        self.cells[y * self.width + x]
    }

    /// Puts a stone on the point or takes it away.
    pub(crate) fn set(&mut self, (x, y): Point, stone: Option<Stone>) {
        self.cells[y * self.width + x] = stone;
    }

    /// Whether the point lies on the board and is empty.
    pub(crate) fn is_free(&self, point: Point) -> bool {
        self.contains(point) && self.get(point).is_none()
    }

    /// The point `steps` away along a direction, if it is on the board.
    pub(crate) fn step(
        &self,
        (x, y): Point,
        (dx, dy): (isize, isize),
        steps: isize,
    ) -> Option<Point> {
        let x = x.checked_add_signed(dx * steps)?;
        let y = y.checked_add_signed(dy * steps)?;
        self.contains((x, y)).then_some((x, y))
    }

    /// Every point, row by row.
    pub(crate) fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    /// Every empty point, row by row.
    pub(crate) fn free(&self) -> impl Iterator<Item = Point> {
        self.points().filter(|&point| self.get(point).is_none())
    }

    /// The empty point nearest to the one given, the first in reading order among equals.
    pub(crate) fn nearest_free(&self, (x, y): Point) -> Option<Point> {
        self.free().min_by_key(|&(fx, fy)| fx.abs_diff(x).max(fy.abs_diff(y)))
    }
}

impl fmt::Display for Grid {
    /// Letters for columns and numbers for rows, row 1 on top, as the managers draw it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in 0..self.height {
            write!(f, "{:>3} ", y + 1)?;
            for x in 0..self.width {
                let sign = match self.get((x, y)) {
                    None => '.',
                    Some(Stone::Black) => 'X',
                    Some(Stone::White) => 'O',
                    Some(Stone::Wall) => '#',
                };
                write!(f, " {sign}")?;
            }
            writeln!(f)?;
        }
        write!(f, "    ")?;
        ('a'..).take(self.width).try_for_each(|letter| write!(f, " {letter}"))
    }
}

/// Reads `x,y` in the one form every manager accepts: no blanks, signs or leading zeros.
pub(crate) fn point(text: &str) -> Option<Point> {
    let (x, y) = text.split_once(',')?;
    let number = |digits: &str| {
        let plain = digits == "0" || !digits.starts_with('0');
        let short = (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
        if plain && short { digits.parse().ok() } else { None }
    };
    Some((number(x)?, number(y)?))
}

/// Writes a point as the protocol does.
pub(crate) fn text((x, y): Point) -> String {
    format!("{x},{y}")
}

/// Reads a record such as `h8i9`: a letter for x and a one-based number for y.
pub(crate) fn record(moves: &str) -> Vec<Point> {
    let mut points = Vec::new();
    for sign in moves.chars() {
        match (sign.to_digit(10), points.last_mut()) {
            (Some(digit), Some((_, y))) => *y = *y * 10 + digit as usize,
            _ => points.push((sign as usize - 'a' as usize, 0)),
        }
    }
    points.into_iter().map(|(x, y)| (x, y - 1)).collect()
}

#[test]
fn only_the_plain_form_is_a_point() {
    assert_eq!(point("0,14"), Some((0, 14)));
    for bad in ["", "7", "7,", ",7", "07,7", "7, 7", "+7,7", "-7,7", "7,7 ", "100,1", "7,7,1"] {
        assert_eq!(point(bad), None, "{bad:?}");
    }
    assert_eq!(record("a1h10"), [(0, 0), (7, 9)]);
}
