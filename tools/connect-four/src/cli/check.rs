//! The command `check`.

use std::fs;
use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use tengen::base::control::{Control, Deadline};

use super::{Bar, CheckOptions};
use crate::position::{Position, Size};
use crate::text::parse_position;
use crate::usual::Usual;

pub(super) fn run(options: &CheckOptions, out: &mut impl Write) -> Result<()> {
    let mut solver = options.common.solver();
    let size = *solver.size();
    let mut wrong = 0;
    for path in &options.files {
        let name = path.display();
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
        let cases = parse(&size, &text).with_context(|| format!("cannot use {name}"))?;
        ensure!(!cases.is_empty(), "there are no positions in {name}");
        let (mut time, mut worst) = (Duration::ZERO, Duration::ZERO);
        let before = solver.nodes();
        let mut bar = Bar::new(cases.len() as u64);
        for (done, &(line, position, expected)) in (0..).zip(&cases) {
            bar.show(done, cases.len() as u64, &format!("positions of {name}"));
            solver.clear();
            let start = Instant::now();
            let control = Control::new(Deadline::unlimited(start), None);
            let score = solver.solve(&position, &control);
            let took = start.elapsed();
            time += took;
            worst = worst.max(took);
            let found = score.map(|score| Usual::new(&size, position.stones()).of(score));
            if found != Some(expected) {
                wrong += 1;
                let found = found.map_or_else(|| "nothing".to_owned(), |found| found.to_string());
                writeln!(out, "{name}, line {line}: {found} instead of {expected}")?;
            }
        }
        drop(bar);
        let count = cases.len() as u64;
        let nodes = solver.nodes() - before;
        let mean = time.as_micros() / u128::from(count);
        let per_second = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
        writeln!(
            out,
            "{name}: {count} positions; mean {}.{:03} ms, {} nodes; worst {} ms; {per_second} nps",
            mean / 1000,
            mean % 1000,
            nodes / count,
            worst.as_millis()
        )?;
        out.flush()?;
    }
    if wrong > 0 {
        bail!("{wrong} scores differ");
    }
    Ok(())
}

/// Line numbers, positions and scores of a file; lines that begin with # are comments.
fn parse(size: &Size, text: &str) -> Result<Vec<(usize, Position, i32)>> {
    let mut cases = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let (moves, score) = line
            .trim()
            .split_once(' ')
            .with_context(|| format!("line {number}: expected moves and a score, got '{line}'"))?;
        let position =
            parse_position(size, moves).with_context(|| format!("line {number}, '{moves}'"))?;
        let score = score
            .trim()
            .parse()
            .with_context(|| format!("line {number}: expected a score, got '{score}'"))?;
        cases.push((number, position, score));
    }
    Ok(cases)
}
