//! The signature: the nodes of fixed searches, the same on every machine, run and build.
//!
//! A change of the engine's behavior changes the number, a change of its speed does not. The
//! searches go through the engine's own entry, one thread, a fixed table, fixed depths.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};

use crate::base::control::{Control, Deadline};
use crate::base::limits::Limits;
use crate::base::tt::Table;
use crate::board::text::parse_moves;
use crate::position::Position;
use crate::search::{self, Task};
use crate::types::rule::Rule;
use crate::types::size::BoardSize;
use crate::types::square::Square;

/// One position a line: `rule side depth | moves`.
const POSITIONS: &str = include_str!("bench/positions.txt");
/// Bytes of the table.
const TABLE_BYTES: usize = 16 << 20;
/// Rounds over all candidate squares of a position when placements are timed.
const PLACEMENT_ROUNDS: u32 = 400;

/// A search of the bench.
struct Case {
    name: String,
    position: Position,
    depth: i32,
}

/// Reads the positions.
fn cases() -> Result<Vec<Case>> {
    let lines = POSITIONS.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let (head, moves) = line.split_once('|').context("expected rule side depth | moves")?;
            let words: Vec<&str> = head.split_whitespace().collect();
            let [rule, side, depth] = words[..] else {
                return Err(anyhow!("expected rule side depth, got '{head}'"));
            };
            let rule = Rule::from_name(rule).with_context(|| format!("no rule '{rule}'"))?;
            let size = BoardSize::try_new(side.parse()?, side.parse()?)?;
            let mut position = Position::new(size, rule);
            for mv in parse_moves(moves, size)? {
                position.play(mv);
            }
            Ok(Case { name: format!("{rule} {size}"), position, depth: depth.parse()? })
        })
        .collect()
}

/// Searches every position and prints what it took; the last line is the signature.
///
/// # Errors
/// When the output cannot be written.
pub fn run(out: &mut impl Write) -> Result<()> {
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    let mut table = Table::new(TABLE_BYTES);
    let cases = cases()?;
    for case in &cases {
        table.new_game();
        let start = Instant::now();
        let control = Control::new(Deadline::unlimited(start), None);
        let task = Task::new(
            case.position.clone(),
            Limits { depth: Some(case.depth), ..Limits::default() },
        );
        let result = search::run(task, &table, &control, &mut ());
        let spent = start.elapsed();
        time += spent;
        nodes += result.nodes;
        let score = result.score().map_or_else(String::new, |score| score.to_string());
        writeln!(
            out,
            "{:<18} depth {:>2}  ev {score:>6}  {:>9} nodes  {:>5} ms",
            case.name,
            case.depth,
            result.nodes,
            spent.as_millis()
        )?;
    }
    for (stat, count) in search::stats::all() {
        writeln!(out, "{stat:?} {count}")?;
    }
    for case in cases.iter().step_by(2) {
        print_placements(out, case)?;
    }
    writeln!(out, "Bench: {nodes} nodes {} nps", per_second(nodes, time))?;
    Ok(())
}

/// Searches every position to a depth with one thread and with several, and prints how long each
/// takes; the last line is how many times faster all of them are together.
///
/// What several threads do depends on chance: each search is made three times, in turns.
///
/// # Errors
/// When the output cannot be written.
pub fn compare_threads(out: &mut impl Write, threads: usize, depth: i32) -> Result<()> {
    const ROUNDS: usize = 3;
    let mut table = Table::new(TABLE_BYTES);
    let mut all = [Duration::ZERO; 2];
    for case in cases()? {
        let mut spent = [Duration::ZERO; 2];
        // Once for nothing: what is made at first use is not timed, nor are fresh pages.
        for round in 0..=ROUNDS {
            for (spent, threads) in spent.iter_mut().zip([1, threads]) {
                table.new_game();
                let limits = Limits { depth: Some(depth), ..Limits::default() };
                let task = Task { threads, ..Task::new(case.position.clone(), limits) };
                let start = Instant::now();
                let control = Control::new(Deadline::unlimited(start), None);
                search::run(task, &table, &control, &mut ());
                *spent += if round == 0 { Duration::ZERO } else { start.elapsed() };
            }
        }
        writeln!(
            out,
            "{:<18} depth {depth:>2}  {:>6} ms with one thread  {:>6} ms with {threads}",
            case.name,
            spent[0].as_millis(),
            spent[1].as_millis(),
        )?;
        all[0] += spent[0];
        all[1] += spent[1];
    }
    let ratio = all[0].as_micros() * 100 / all[1].as_micros().max(1);
    writeln!(out, "{threads} threads are {}.{:02} times as fast as one", ratio / 100, ratio % 100)?;
    Ok(())
}

/// Times placing and removing stones with all that follows the board.
fn print_placements(out: &mut impl Write, case: &Case) -> io::Result<()> {
    let mut position = case.position.clone();
    let squares: Vec<Square> = position.board().candidates().iter().collect();
    let mut pairs = 0;
    let start = Instant::now();
    for round in 0..PLACEMENT_ROUNDS as usize {
        // Two stones deep, the second one somewhere else each time.
        for (at, &first) in squares.iter().enumerate() {
            let second = squares[(at + 1 + round % (squares.len() - 1)) % squares.len()];
            position.play(first);
            position.play(second);
            position.undo();
            position.undo();
            pairs += 2;
        }
    }
    let rate = per_second(pairs, start.elapsed());
    writeln!(out, "{:<18} {rate} placements and removals a second", case.name)
}

/// Events per second, rounded down.
fn per_second(events: u64, time: Duration) -> u128 {
    u128::from(events) * 1_000_000 / time.as_micros().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_compared_on_every_position() {
        let mut text = Vec::new();
        compare_threads(&mut text, 2, 3).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text.lines().count(), cases().unwrap().len() + 1, "{text}");
        let last = text.lines().last().unwrap();
        let ratio = last.strip_prefix("2 threads are ").unwrap().split(' ').next().unwrap();
        assert!(ratio.parse::<f64>().unwrap() > 0.01, "{last}");
    }

    #[test]
    fn positions_are_legal_and_cover_all_rules_and_two_sizes() {
        let cases = cases().unwrap();
        for rule in Rule::ALL {
            assert!(cases.iter().any(|case| case.position.rule() == rule), "{rule}");
        }
        for side in [15, 20] {
            assert!(cases.iter().any(|case| case.position.size().width() == side), "{side}");
        }
    }
}
