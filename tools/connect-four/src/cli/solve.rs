//! The command `solve`.

use std::io::{BufRead, Write};
use std::time::Instant;

use anyhow::{Context, Result};
use tengen::base::control::{Control, Deadline};

use super::{Bar, SolveOptions};
use crate::position::Position;
use crate::report::{end_in_words, number, score_in_words, score_table, turn_in_words};
use crate::solver::Solver;
use crate::text::{column_name, draw, parse_position};
use crate::usual::Usual;

pub(super) fn run(options: &SolveOptions, out: &mut impl Write) -> Result<()> {
    let mut solver = options.common.solver();
    if options.moves == "-" {
        return run_lines(&mut solver, &mut std::io::stdin().lock(), out);
    }
    let size = *solver.size();
    let position = parse_position(&size, &options.moves)
        .with_context(|| format!("cannot solve '{}'", options.moves))?;
    writeln!(out, "{}", draw(&size, &position))?;
    if let Some(end) = position.end(&size) {
        writeln!(out, "{}", end_in_words(end))?;
        return Ok(());
    }
    writeln!(out, "{}", turn_in_words(&position))?;
    out.flush()?;
    let start = Instant::now();
    let control = Control::new(Deadline::unlimited(start), None);
    if !options.best {
        let mut bar = Bar::new(size.columns() as u64);
        let mut scores = vec![None; size.columns()];
        for (done, column) in (0..).zip(size.central_first()) {
            let message = format!("columns, at column {}", column_name(column));
            bar.show(done, size.columns() as u64, &message);
            scores[column] = solver.score_of_move(&position, column, &control);
        }
        drop(bar);
        write!(out, "{}", score_table(&size, &position, &scores))?;
    }
    let Some((column, score)) = solver.best_move(&position, &control) else { return Ok(()) };
    let usual = Usual::new(&size, position.stones()).of(score);
    let words = score_in_words(&position, score);
    writeln!(out, "Best: {}, score {}, {words}", column_name(column), number(usual))?;
    let took = start.elapsed().as_millis();
    writeln!(out, "{} nodes, {took} ms", solver.nodes())?;
    Ok(())
}

/// A line for each position: moves, score, best column; `won`, `drawn` or what is wrong.
fn run_lines(solver: &mut Solver, input: &mut impl BufRead, out: &mut impl Write) -> Result<()> {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes).context("cannot read stdin")? == 0 {
            return Ok(());
        }
        let line = String::from_utf8_lossy(&bytes);
        let moves = line.trim();
        let answer = match parse_position(solver.size(), moves) {
            Ok(position) => answer(solver, &position),
            Err(error) => format!("error: {error}"),
        };
        writeln!(out, "{moves} {answer}")?;
        out.flush()?;
    }
}

fn answer(solver: &mut Solver, position: &Position) -> String {
    if let Some(end) = position.end(solver.size()) {
        return end_in_words(end);
    }
    let control = Control::new(Deadline::unlimited(Instant::now()), None);
    let usual = Usual::new(solver.size(), position.stones());
    solver.best_move(position, &control).map_or_else(String::new, |(column, score)| {
        format!("{} {}", usual.of(score), column_name(column))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Size;

    #[test]
    fn every_line_gets_one_line_whatever_it_is() {
        let mut solver = Solver::new(Size::standard(), 1 << 20);
        let mut out = Vec::new();
        let input = b"4455\n\xff\xfe\n12121212\n1212121\n99999999999999999999999\r\n445";
        let mut input: &[u8] = &input[..input.len() - 4];
        run_lines(&mut solver, &mut input, &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines[0], "4455 18 3");
        assert!(lines[1].contains("error: expected a column as character 1"), "{out}");
        assert_eq!(lines[2], "12121212 error: move 8: the game is over");
        assert_eq!(lines[3], "1212121 X wins: four in a row.");
        assert!(lines[4].contains("error") && lines.len() == 5, "{out}");
    }
}
