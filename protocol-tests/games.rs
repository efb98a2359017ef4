//! Whole games of two processes against each other, judged by the referee of the tests.
//!
//! Every rule and every kind of size. A move off the board, on a stone or on a forbidden point is
//! found by the harness; here the games must come to their end. `games::shown` prints one:
//!
//! ```text
//! cargo test --release --test protocol-tests -- --nocapture games::shown
//! ```

use tengen::base::rng::Rng;

use crate::grid::{Grid, Point, Stone, text};
use crate::harness::{Brain, Fault, Machine, Outcome, block};
use crate::referee::{Rule, foul, has_legal_point, wins};
use crate::shared;

/// What is played.
struct Game {
    rule: Rule,
    size: (usize, usize),
    turn_ms: u64,
    opening: Vec<Point>,
}

/// How it went.
struct Record {
    grid: Grid,
    moves: Vec<Point>,
    winner: Option<Stone>,
}

impl Game {
    fn start(&self, brain: &mut Brain) -> Outcome {
        let (width, height) = self.size;
        let start = if width == height {
            format!("START {width}")
        } else {
            format!("RECTSTART {width},{height}")
        };
        let rule = self.rule.info();
        brain.start(&format!("INFO rule {rule}\n{start}\nINFO timeout_turn {}", self.turn_ms))
    }

    /// Plays until somebody has won or the side to move has no legal move.
    fn play(&self, machine: &Machine) -> Result<Record, Fault> {
        let mut brains = [machine.brain(), machine.brain()];
        for brain in &mut brains {
            self.start(brain)?;
        }
        let mut record = Record { grid: Grid::new(self.size), moves: Vec::new(), winner: None };
        for &mv in &self.opening {
            record.place(self.rule, mv).map_err(|what| brains[0].wrong(&what))?;
        }
        let mut asked = [false; 2];
        while record.winner.is_none() && record.has_move(self.rule) {
            let side = record.moves.len() % 2;
            let request = match record.moves.as_slice() {
                [] => "BEGIN".to_string(),
                [.., last] if asked[side] => format!("TURN {}", text(*last)),
                moves => block("BOARD", moves),
            };
            asked[side] = true;
            let brain = &mut brains[side];
            let mv = brain.ask(&request)?;
            record.place(self.rule, mv).map_err(|what| brain.wrong(&what))?;
        }
        brains.into_iter().try_for_each(Brain::finish)?;
        Ok(record)
    }
}

impl Record {
    /// Whose turn it is.
    fn to_move(&self) -> Stone {
        if self.moves.len().is_multiple_of(2) { Stone::Black } else { Stone::White }
    }

    /// Whether there is a legal move; to black the last points of the board may all be forbidden.
    fn has_move(&self, rule: Rule) -> bool {
        if rule == Rule::Renju && self.to_move() == Stone::Black {
            has_legal_point(&self.grid)
        } else {
            self.grid.free().next().is_some()
        }
    }

    fn place(&mut self, rule: Rule, mv: Point) -> Result<(), String> {
        let stone = self.to_move();
        if !self.grid.is_free(mv) {
            return Err(format!("{} is not free\n{}", text(mv), self.grid));
        }
        if rule == Rule::Renju
            && stone == Stone::Black
            && let Some(foul) = foul(&self.grid, mv)
        {
            return Err(format!("{} is a foul: {foul:?}\n{}", text(mv), self.grid));
        }
        self.grid.set(mv, Some(stone));
        self.moves.push(mv);
        if wins(&self.grid, rule, mv) {
            self.winner = Some(stone);
        }
        Ok(())
    }
}

/// A few stones near the middle that decide nothing.
fn random_opening(rng: &mut Rng, rule: Rule, size: (usize, usize), stones: usize) -> Vec<Point> {
    let mut record = Record { grid: Grid::new(size), moves: Vec::new(), winner: None };
    while record.moves.len() < stones {
        let near = |side: usize, rng: &mut Rng| side / 2 - 2 + rng.below(5);
        let mv = (near(size.0, rng), near(size.1, rng));
        // A point that is taken or a foul is simply drawn again.
        let _ = record.place(rule, mv);
    }
    record.moves
}

/// One game from BEGIN and one from each of some random openings.
fn games_on(rule: Rule, size: (usize, usize), openings: usize) -> Outcome {
    let machine = Machine::shared();
    let seed = rule.info().unsigned_abs() * 10_000 + (size.0 * 100 + size.1) as u64;
    println!("seed {seed}");
    let mut rng = Rng::new(seed);
    for round in 0..=openings {
        let stones = if round == 0 { 0 } else { 2 + rng.below(5) };
        let opening = random_opening(&mut rng, rule, size, stones);
        let game = Game { rule, size, turn_ms: 10, opening };
        let record = game.play(&machine).map_err(|f| f.at(&format!("{rule:?} {size:?}")))?;
        println!("{rule:?} {size:?}: {} moves, {:?}", record.moves.len(), record.winner);
    }
    Ok(())
}

#[test]
fn freestyle_on_15() -> Outcome {
    games_on(Rule::Freestyle, (15, 15), 3)
}

#[test]
fn standard_on_15() -> Outcome {
    games_on(Rule::Standard, (15, 15), 3)
}

#[test]
fn renju_on_15() -> Outcome {
    games_on(Rule::Renju, (15, 15), 6)
}

#[test]
fn caro_on_15() -> Outcome {
    games_on(Rule::Caro, (15, 15), 3)
}

#[test]
fn caro_exact_on_15() -> Outcome {
    games_on(Rule::CaroExact, (15, 15), 3)
}

#[test]
fn freestyle_on_20() -> Outcome {
    games_on(Rule::Freestyle, (20, 20), 2)
}

#[test]
fn every_rule_on_the_smallest_board() -> Outcome {
    Rule::ALL.into_iter().try_for_each(|rule| games_on(rule, (5, 5), 2))
}

#[test]
fn every_rule_on_9() -> Outcome {
    Rule::ALL.into_iter().try_for_each(|rule| games_on(rule, (9, 9), 1))
}

#[test]
fn renju_on_19() -> Outcome {
    games_on(Rule::Renju, (19, 19), 1)
}

#[test]
fn caro_on_the_largest_board() -> Outcome {
    games_on(Rule::Caro, (22, 22), 1)
}

#[test]
fn standard_on_a_board_that_is_no_square() -> Outcome {
    games_on(Rule::Standard, (15, 20), 1)
}

/// Openings of the project, where they are at hand.
#[test]
fn balanced_openings() -> Outcome {
    let machine = Machine::shared();
    let lists = [
        ("freestyle20", Rule::Freestyle, 20),
        ("standard15", Rule::Standard, 15),
        ("renju15", Rule::Renju, 15),
    ];
    for (name, rule, side) in lists {
        for opening in shared::openings("games: openings", name).into_iter().step_by(120) {
            let game = Game { rule, size: (side, side), turn_ms: 10, opening };
            game.play(&machine).map_err(|fault| fault.at(name))?;
        }
    }
    Ok(())
}

/// A game to look at: the board at its end, the last move and who won.
#[test]
fn shown() -> Outcome {
    let machine = Machine::shared();
    let game = Game { rule: Rule::Freestyle, size: (15, 15), turn_ms: 100, opening: Vec::new() };
    let record = game.play(&machine)?;
    let labels: Vec<String> = record
        .moves
        .iter()
        .map(|&(x, y)| format!("{}{}", ('a'..).nth(x).unwrap_or('?'), y + 1))
        .collect();
    println!("\n{}\n\n{}", record.grid, labels.join(" "));
    match record.winner {
        Some(stone) => println!("{stone:?} wins in {} moves", record.moves.len()),
        None => println!("the board is full"),
    }
    Ok(())
}
