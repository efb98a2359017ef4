//! The reference positions that lie beside the repository, read for the tests.
//!
//! Owns the formats of `../shared/rules` and `../shared/openings`. The folder is no part of the
//! repository: where it is missing the tests that need it say so and pass. `TENGEN_SHARED` names
//! another place.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::grid::{Grid, Point, Stone, record};
use crate::referee::Rule;

/// A renju position with all points forbidden to black, row by row.
pub(crate) struct RenjuPosition {
    pub(crate) id: String,
    pub(crate) grid: Grid,
    pub(crate) black: Vec<Point>,
    pub(crate) white: Vec<Point>,
    pub(crate) forbidden: Vec<Point>,
}

/// A position after the move `last`, which may have decided it.
pub(crate) struct FinishedGame {
    pub(crate) id: String,
    pub(crate) rule: Rule,
    pub(crate) grid: Grid,
    pub(crate) black: Vec<Point>,
    pub(crate) white: Vec<Point>,
    pub(crate) last: Point,
    pub(crate) winner: Option<Stone>,
}

/// The positions of both renju files; none when the folder is not there.
pub(crate) fn renju_positions(user: &str) -> Vec<RenjuPosition> {
    let names = ["rules/renju_forbidden.txt", "rules/renju_disputed.txt"];
    lines(user, &names).iter().map(|line| renju_position(line)).collect()
}

fn renju_position(line: &str) -> RenjuPosition {
    let fields: Vec<&str> = line.split(';').collect();
    let (black, white) = (points(fields[2]), points(fields[3]));
    let side = fields[1].parse().expect("a size");
    let mut forbidden = points(fields[4]);
    forbidden.sort_unstable_by_key(|&(x, y)| (y, x));
    RenjuPosition {
        id: fields[0].to_string(),
        grid: grid(side, &black, &white),
        black,
        white,
        forbidden,
    }
}

/// The positions of both files of wins; none when the folder is not there.
pub(crate) fn finished_games(user: &str) -> Vec<FinishedGame> {
    let names = ["rules/wins.txt", "rules/wins_disputed.txt"];
    lines(user, &names).iter().map(|line| finished_game(line)).collect()
}

fn finished_game(line: &str) -> FinishedGame {
    let fields: Vec<&str> = line.split(';').collect();
    let (black, white) = (points(fields[3]), points(fields[4]));
    let side = fields[2].parse().expect("a size");
    FinishedGame {
        id: fields[0].to_string(),
        rule: Rule::named(fields[1]).expect("a rule"),
        grid: grid(side, &black, &white),
        black,
        white,
        last: points(fields[5])[0],
        winner: match fields[6] {
            "B" => Some(Stone::Black),
            "W" => Some(Stone::White),
            _ => None,
        },
    }
}

/// The openings of one file, such as `freestyle15`; none when the folder is not there.
pub(crate) fn openings(user: &str, name: &str) -> Vec<Vec<Point>> {
    lines(user, &[&format!("openings/{name}.txt")]).iter().map(|line| record(line)).collect()
}

/// The lines of some files that are no remarks. Prints why there are none.
fn lines(user: &str, names: &[&str]) -> Vec<String> {
    let folder = env::var_os("TENGEN_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    let mut lines = Vec::new();
    for name in names {
        let path = folder.join(name);
        match fs::read_to_string(&path) {
            Ok(text) => lines.extend(
                text.lines().filter(|l| !l.starts_with('#') && !l.is_empty()).map(String::from),
            ),
            Err(error) => println!("skipped ({user}): {}: {error}", path.display()),
        }
    }
    lines
}

/// A list of points; what follows a colon is the kind of a forbidden point.
fn points(list: &str) -> Vec<Point> {
    let parse = |item: &str| {
        let (x, y) = item.split(':').next()?.split_once(',')?;
        Some((x.parse().ok()?, y.parse().ok()?))
    };
    list.split(' ').filter(|item| !item.is_empty()).map(|item| parse(item).expect(item)).collect()
}

fn grid(side: usize, black: &[Point], white: &[Point]) -> Grid {
    let mut grid = Grid::new((side, side));
    for (stones, color) in [(black, Stone::Black), (white, Stone::White)] {
        for &point in stones {
            grid.set(point, Some(color));
        }
    }
    grid
}
