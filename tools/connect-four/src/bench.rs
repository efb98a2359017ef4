//! The signature of the solver: the nodes of fixed searches, the same on every machine and run.
//!
//! Owns the positions. No book, a fixed table, cleared before each position.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use tengen::base::control::{Control, Deadline};

use crate::position::Size;
use crate::solver::Solver;
use crate::text::parse_position;
use crate::usual::Usual;

/// Board and columns played; the last stones first, then earlier and earlier ones.
const POSITIONS: [(usize, usize, &str); 17] = [
    (7, 6, "2252576253462244111563365343671351441"),
    (7, 6, "274552224131661"),
    (7, 6, "5455174361263362"),
    (7, 6, "2531276566711153"),
    (7, 6, "37313333717124171162542"),
    (7, 6, "32751571231557"),
    (7, 6, "335662333565"),
    (7, 6, "157564142155"),
    (7, 6, "1616621455211"),
    (7, 6, "444333555226"),
    (7, 6, "1234567765"),
    (7, 6, "32164625"),
    (7, 6, "45461667"),
    (4, 4, ""),
    (5, 5, ""),
    (6, 4, ""),
    (4, 7, ""),
];
/// Bytes of the table.
const TABLE_BYTES: usize = 64 << 20;

/// Solves every position and prints what it took; the last line is the signature.
///
/// # Errors
/// When the output cannot be written.
pub fn run(out: &mut impl Write) -> io::Result<()> {
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (columns, rows, moves) in POSITIONS {
        let Ok(size) = Size::try_new(columns, rows) else { continue };
        let Ok(position) = parse_position(&size, moves) else { continue };
        let mut solver = Solver::new(size, TABLE_BYTES);
        let start = Instant::now();
        let control = Control::new(Deadline::unlimited(start), None);
        let Some(score) = solver.solve(&position, &control) else { continue };
        let spent = start.elapsed();
        let usual = Usual::new(&size, position.stones()).of(score);
        let name = if moves.is_empty() { "empty" } else { moves };
        let took = spent.as_millis();
        writeln!(out, "{size}  {name:<38} {usual:>3}  {:>10} nodes  {took:>6} ms", solver.nodes())?;
        nodes += solver.nodes();
        time += spent;
    }
    let per_second = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
    writeln!(out, "Bench: {nodes} nodes {per_second} nps")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_of_the_bench_is_one() {
        for (columns, rows, moves) in POSITIONS {
            let size = Size::try_new(columns, rows).unwrap();
            let position = parse_position(&size, moves).unwrap();
            assert_eq!(position.end(&size), None, "{moves}");
        }
    }
}
