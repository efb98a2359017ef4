//! The rules once more, from their definitions alone: who has won, which points are forbidden.
//!
//! Slow and plain on purpose, and without a line in common with the engine. Must not know
//! processes or the dialogue. The definitions are those of `../shared/rules/README.md`; every
//! position of that folder is a test here.

use crate::grid::{DIRECTIONS, Grid, Point, Stone};

/// The rules of INFO rule that stand for a game of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Five or more wins.
    Freestyle,
    /// Exactly five wins.
    Standard,
    /// Black has forbidden points, exactly five wins for it; white wins with five or more.
    Renju,
    /// Five wins unless an opponent stone stands at both ends; six or more always wins.
    Caro,
    /// Exactly five wins unless an opponent stone stands at both ends.
    CaroExact,
}

impl Rule {
    /// All of them.
    pub(crate) const ALL: [Rule; 5] =
        [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro, Rule::CaroExact];

    /// The value of INFO rule.
    pub(crate) fn info(self) -> i64 {
        match self {
            Rule::Freestyle => 0,
            Rule::Standard => 1,
            Rule::Renju => 4,
            Rule::Caro => 8,
            Rule::CaroExact => 9,
        }
    }

    /// The rule of a name in `../shared/rules`.
    pub(crate) fn named(name: &str) -> Option<Rule> {
        Some(match name {
            "freestyle" => Rule::Freestyle,
            "standard" => Rule::Standard,
            "renju" => Rule::Renju,
            "caro" => Rule::Caro,
            "caro9" => Rule::CaroExact,
            _ => return None,
        })
    }
}

/// An unbroken chain through a point: its stones and what stands beyond its two ends.
struct Run {
    points: Vec<Point>,
    ends: [Option<Point>; 2],
}

/// The chain of the stone's own color through a point, along a direction.
fn run(grid: &Grid, point: Point, direction: (isize, isize)) -> Run {
    let stone = grid.get(point);
    let mut points = vec![point];
    let mut ends = [None, None];
    for (end, sign) in ends.iter_mut().zip([-1, 1]) {
        for steps in 1.. {
            let next = grid.step(point, direction, sign * steps);
            match next {
                Some(next) if grid.get(next) == stone => points.push(next),
                _ => {
                    *end = next;
                    break;
                }
            }
        }
    }
    points.sort_unstable();
    Run { points, ends }
}

/// Whether the stone on the point has won the game for its side.
pub(crate) fn wins(grid: &Grid, rule: Rule, point: Point) -> bool {
    let Some(stone) = grid.get(point) else { return false };
    DIRECTIONS.iter().any(|&direction| {
        let run = run(grid, point, direction);
        let length = run.points.len();
        let held = run.ends.iter().flatten().filter(|&&end| grid.get(end) == Some(stone.other()));
        let blocked = held.count() == 2;
        match rule {
            Rule::Freestyle => length >= 5,
            Rule::Standard => length == 5,
            Rule::Renju => length == 5 || (length > 5 && stone == Stone::White),
            Rule::Caro => length > 5 || (length == 5 && !blocked),
            Rule::CaroExact => length == 5 && !blocked,
        }
    })
}

/// Why black may not play on a point under renju.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Foul {
    /// Six or more in a row.
    Overline,
    /// Two fours at once.
    DoubleFour,
    /// Two threes at once.
    DoubleThree,
}

/// The foul a black stone on this empty point would be, if any.
pub(crate) fn foul(grid: &Grid, point: Point) -> Option<Foul> {
    let mut grid = grid.clone();
    grid.set(point, Some(Stone::Black));
    let lengths = DIRECTIONS.map(|direction| run(&grid, point, direction).points.len());
    if lengths.contains(&5) {
        None
    } else if lengths.iter().any(|&length| length > 5) {
        Some(Foul::Overline)
    } else if fours(&mut grid, point) >= 2 {
        Some(Foul::DoubleFour)
    } else if threes(&mut grid, point) >= 2 {
        Some(Foul::DoubleThree)
    } else {
        None
    }
}

/// Every point black may not play on, row by row.
pub(crate) fn forbidden(grid: &Grid) -> Vec<Point> {
    grid.free().filter(|&point| foul(grid, point).is_some()).collect()
}

/// Whether black has a point left to play on under renju; on a nearly full board it may have none.
pub(crate) fn has_legal_point(grid: &Grid) -> bool {
    grid.free().any(|point| foul(grid, point).is_none())
}

/// The empty points of a line that a five or a four through `point` can reach.
fn around(grid: &Grid, point: Point, direction: (isize, isize)) -> Vec<Point> {
    let reached = (-4..=4).filter_map(|steps| grid.step(point, direction, steps));
    reached.filter(|&other| grid.get(other).is_none()).collect()
}

/// How many fours the stone on `point` belongs to, told apart by their stones.
fn fours(grid: &mut Grid, point: Point) -> usize {
    let mut found: Vec<Vec<Point>> = Vec::new();
    for direction in DIRECTIONS {
        for extra in around(grid, point, direction) {
            let mut five = with_stone(grid, extra, |grid| run(grid, extra, direction).points);
            if five.len() == 5 && five.contains(&point) {
                five.retain(|&stone| stone != extra);
                if !found.contains(&five) {
                    found.push(five);
                }
            }
        }
    }
    found.len()
}

/// How many lines through `point` hold a three that a legal move makes a straight four.
fn threes(grid: &mut Grid, point: Point) -> usize {
    let mut is_three = |&direction: &(isize, isize)| {
        around(grid, point, direction).into_iter().any(|extra| {
            let straight =
                with_stone(grid, extra, |grid| is_straight_four(grid, point, extra, direction));
            straight && foul(grid, extra).is_none()
        })
    };
    DIRECTIONS.iter().filter(|direction| is_three(direction)).count()
}

/// Whether `point` and `extra` stand in one straight four, and `extra` makes no five anywhere.
fn is_straight_four(
    grid: &mut Grid,
    point: Point,
    extra: Point,
    direction: (isize, isize),
) -> bool {
    let four = run(grid, point, direction);
    if four.points.len() != 4 || !four.points.contains(&extra) {
        return false;
    }
    let completes = |grid: &mut Grid, end: Option<Point>| {
        let free = end.filter(|&end| grid.get(end).is_none());
        free.is_some_and(|end| {
            with_stone(grid, end, |grid| run(grid, end, direction).points.len() == 5)
        })
    };
    four.ends.into_iter().all(|end| completes(grid, end))
        && DIRECTIONS.iter().all(|&line| run(grid, extra, line).points.len() != 5)
}

/// Looks at the board with one black stone more.
fn with_stone<T>(grid: &mut Grid, point: Point, look: impl FnOnce(&mut Grid) -> T) -> T {
    grid.set(point, Some(Stone::Black));
    let seen = look(grid);
    grid.set(point, None);
    seen
}

mod tests {
    use super::*;
    use crate::shared;

    #[test]
    fn forbidden_points_are_those_all_programs_agree_on() {
        for position in shared::renju_positions("referee: forbidden points") {
            assert_eq!(forbidden(&position.grid), position.forbidden, "{}", position.id);
        }
    }

    #[test]
    fn winners_are_those_all_programs_agree_on() {
        for game in shared::finished_games("referee: winners") {
            let stone = game.grid.get(game.last).unwrap();
            let mut before = game.grid.clone();
            before.set(game.last, None);
            let fouls = game.rule == Rule::Renju && stone == Stone::Black;
            let winner = if fouls && foul(&before, game.last).is_some() {
                Some(Stone::White)
            } else {
                wins(&game.grid, game.rule, game.last).then_some(stone)
            };
            assert_eq!(winner, game.winner, "{}", game.id);
        }
    }
}
