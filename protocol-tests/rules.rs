//! What the brain does under each rule, over whole collections of positions.
//!
//! Single positions with a story are in `transcripts/`; here the files of `../shared` are played
//! through one process, and the referee judges.

use std::fmt::Write as _;

use crate::grid::{Grid, Point, Stone, text};
use crate::harness::{Brain, Fault, Machine, Outcome, block};
use crate::referee::{Rule, foul, wins};
use crate::shared;

/// Stones in order of play, black first.
fn in_order(black: &[Point], white: &[Point]) -> Vec<Point> {
    let mut moves = Vec::new();
    for (index, &stone) in black.iter().enumerate() {
        moves.push(stone);
        moves.extend(white.get(index));
    }
    moves
}

/// The points in the answer to YXSHOWFORBID, row by row.
fn forbidden(brain: &mut Brain) -> Result<Vec<Point>, Fault> {
    brain.send("YXSHOWFORBID");
    let line = brain.reply()?.line;
    let digits = line.strip_prefix("FORBID ").and_then(|rest| rest.strip_suffix('.'));
    let digits = digits.ok_or_else(|| brain.wrong(&format!("{line:?}, expected FORBID")))?;
    brain.check(digits.len() % 4 == 0, &format!("{line:?}: four digits a point"))?;
    let number = |part: &[u8]| usize::from(part[0] - b'0') * 10 + usize::from(part[1] - b'0');
    let mut points: Vec<Point> =
        digits.as_bytes().chunks(4).map(|four| (number(&four[..2]), number(&four[2..]))).collect();
    points.sort_unstable_by_key(|&(x, y)| (y, x));
    Ok(points)
}

/// Every agreed and every disputed position, black to move, in one process.
#[test]
fn forbidden_points_of_renju() -> Outcome {
    let mut brain = Machine::shared().brain();
    brain.start("START 15\nINFO rule 4")?;
    for position in shared::renju_positions("rules: forbidden points") {
        brain.send(&block("YXBOARD", &in_order(&position.black, &position.white)));
        let found = forbidden(&mut brain)?;
        let what = format!("{}: {found:?}, expected {:?}", position.id, position.forbidden);
        brain.check(found == position.forbidden, &format!("{what}\n{}", position.grid))?;
    }
    brain.finish()
}

/// The same positions while white is to move, or under another rule: nothing is forbidden.
#[test]
fn nothing_is_forbidden_to_white_or_without_renju() -> Outcome {
    let mut brain = Machine::shared().brain();
    brain.start("START 15\nINFO rule 4")?;
    for position in shared::renju_positions("rules: white to move").iter().step_by(20) {
        let moves = in_order(&position.black, &position.white);
        brain.send(&block("YXBOARD", &moves[..moves.len() - 1]));
        let found = forbidden(&mut brain)?;
        brain.check(found.is_empty(), &format!("{}: {found:?} for white", position.id))?;
        brain.send("INFO rule 1");
        brain.send(&block("YXBOARD", &moves));
        let found = forbidden(&mut brain)?;
        brain.check(found.is_empty(), &format!("{}: {found:?} under rule 1", position.id))?;
        brain.send("INFO rule 4");
    }
    brain.finish()
}

/// Where a move wins at once the brain makes one that wins, by the rule in force.
///
/// Taken from the finished games: the last stone is taken away and the brain asked for it.
#[test]
fn takes_the_five_that_wins() -> Outcome {
    let mut brain = Machine::shared().brain();
    brain.start("START 15\nINFO timeout_turn 40")?;
    for game in shared::finished_games("rules: takes the five") {
        let mover = game.grid.get(game.last).expect("the last stone");
        if game.winner != Some(mover) {
            continue;
        }
        let mut before = game.grid.clone();
        before.set(game.last, None);
        ask_under(&mut brain, game.rule, &before, &without(&game, game.last))?;
        let mv = brain.answer()?.0;
        let mut after = before.clone();
        after.set(mv, Some(mover));
        let won = wins(&after, game.rule, mv);
        brain.check(won, &format!("{}: {} wins nothing\n{before}", game.id, text(mv)))?;
    }
    brain.finish()
}

/// Where only the opponent can win at once, and on a single point, the brain takes that away.
///
/// It need not play on the point: under caro a stone beside it, which holds the five, does as well.
///
/// The positions are the same with the colors exchanged: the opponent is the one who won.
#[test]
fn stops_the_five_that_would_win() -> Outcome {
    let mut brain = Machine::shared().brain();
    brain.start("START 15\nINFO timeout_turn 40")?;
    let mut asked = 0;
    for game in shared::finished_games("rules: stops the five") {
        let mover = game.grid.get(game.last).expect("the last stone");
        // Black's last move is undone and white, whose stones are one fewer, gets it to stop.
        if game.winner != Some(mover) || game.rule == Rule::Renju {
            continue;
        }
        let mut grid = game.grid.clone();
        grid.set(game.last, None);
        let own = winning_points(&grid, game.rule, mover.other());
        let theirs = winning_points(&grid, game.rule, mover);
        if !own.is_empty() || theirs.len() != 1 {
            continue;
        }
        asked += 1;
        start_size(&mut brain, &grid)?;
        let list = grid.points().filter_map(|point| grid.get(point).map(|stone| (point, stone)));
        let mut lines = format!("INFO rule {}\nBOARD\n", game.rule.info());
        for (point, stone) in list {
            let owner = if stone == mover { 2 } else { 1 };
            let _ = writeln!(lines, "{},{owner}", text(point));
        }
        let mv = brain.ask(&(lines + "DONE"))?;
        grid.set(mv, Some(mover.other()));
        let stopped = winning_points(&grid, game.rule, mover).is_empty();
        let what = format!("{}: {} leaves {}", game.id, text(mv), text(theirs[0]));
        brain.check(stopped, &format!("{what}\n{grid}"))?;
    }
    println!("{asked} positions");
    brain.finish()
}

/// The empty points on which a stone wins at once.
fn winning_points(grid: &Grid, rule: Rule, stone: Stone) -> Vec<Point> {
    let wins_at = |&point: &Point| {
        let mut after = grid.clone();
        after.set(point, Some(stone));
        wins(&after, rule, point)
    };
    grid.free().filter(wins_at).collect()
}

fn without(game: &shared::FinishedGame, last: Point) -> Vec<Point> {
    let keep = |stones: &[Point]| stones.iter().copied().filter(|&s| s != last).collect::<Vec<_>>();
    in_order(&keep(&game.black), &keep(&game.white))
}

fn start_size(brain: &mut Brain, grid: &Grid) -> Outcome {
    if brain.grid().size() == grid.size() {
        return Ok(());
    }
    brain.start(&format!("START {}", grid.size().0))
}

fn ask_under(brain: &mut Brain, rule: Rule, grid: &Grid, moves: &[Point]) -> Outcome {
    start_size(brain, grid)?;
    brain.send(&format!("INFO rule {}", rule.info()));
    brain.send(&block("BOARD", moves));
    Ok(())
}

/// Black never plays on a forbidden point, however short the time; the harness looks at each move.
#[test]
fn black_never_fouls() -> Outcome {
    let mut brain = Machine::shared().brain();
    brain.start("START 15\nINFO timeout_turn 5\nINFO rule 4")?;
    let positions = shared::renju_positions("rules: black never fouls");
    for position in positions.iter().filter(|p| !p.forbidden.is_empty()).step_by(5) {
        let mv = brain.ask(&block("BOARD", &in_order(&position.black, &position.white)))?;
        let fouled = foul(&position.grid, mv);
        brain.check(fouled.is_none(), &format!("{}: {} {fouled:?}", position.id, text(mv)))?;
    }
    brain.finish()
}

/// PC-34: every rule on every usual size; what wins shows which rule is in force.
#[test]
fn every_rule_on_every_size() -> Outcome {
    let machine = Machine::shared();
    for size in [15, 19, 20] {
        for rule in Rule::ALL {
            let mut brain = machine.brain();
            brain.start(&format!(
                "START {size}\nINFO rule {}\nINFO timeout_turn 100",
                rule.info()
            ))?;
            brain.ask("BOARD\n7,7,2\nDONE")?;
            tells_the_rule(&mut brain, rule).map_err(|f| f.at(&format!("{rule:?} {size}")))?;
            brain.finish()?;
        }
    }
    Ok(())
}

/// Three questions whose answers differ from rule to rule.
fn tells_the_rule(brain: &mut Brain, rule: Rule) -> Outcome {
    // Black, to move, can make a six in column 5 and nothing else.
    let six =
        "BOARD\n5,6,1\n8,8,2\n5,7,1\n9,6,2\n5,9,1\n11,11,2\n5,10,1\n12,7,2\n5,11,1\n14,9,2\nDONE";
    let mv = brain.ask(six)?;
    let six_wins = matches!(rule, Rule::Freestyle | Rule::Caro);
    let expected = if six_wins { "5,8" } else { "anything but 5,8" };
    let fills = mv == (5, 8);
    // Under exactly five the six is merely useless; under renju it is a foul as well.
    let ok = if six_wins { fills } else { !fills || rule != Rule::Renju };
    brain.check(ok, &format!("{mv:?}, expected {expected}"))?;
    // White, to move, can make a six in row 5: no good under exactly five.
    let white = "BOARD\n7,7,2\n3,5,1\n7,9,2\n4,5,1\n9,8,2\n6,5,1\n10,10,2\n7,5,1\n5,8,2\n8,5,1\n\
                 11,6,2\nDONE";
    let mv = brain.ask(white)?;
    let white_wins = matches!(rule, Rule::Freestyle | Rule::Renju | Rule::Caro);
    brain.check(!white_wins || mv == (5, 5), &format!("{mv:?}, expected 5,5"))?;
    // The own five would be held at both ends; the opponent's four is open to one point, which
    // under caro may also be held from behind.
    let held = "BOARD\n6,7,1\n5,7,2\n7,7,1\n11,7,2\n8,7,1\n3,10,2\n9,7,1\n4,10,2\n2,10,1\n\
                5,10,2\n12,2,1\n6,10,2\nDONE";
    let mv = brain.ask(held)?;
    let held_wins = !matches!(rule, Rule::Caro | Rule::CaroExact);
    let expected: &[Point] = if held_wins { &[(10, 7)] } else { &[(7, 10), (8, 10)] };
    brain.check(expected.contains(&mv), &format!("{mv:?}, expected one of {expected:?}"))
}
