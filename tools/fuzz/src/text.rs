//! Text that names squares, rules and sizes: lists of moves, words of the command lines, answers.
//!
//! Holds: nothing panics; what is read, and written again, is read as the same; the engine and
//! the tools agree where both read a list.

use manager::text as tools;
use tengen::board::text as engine;

use crate::stones::Source;

/// Runs the target.
pub fn run(bytes: &[u8]) {
    let mut source = Source::new(bytes);
    let size = source.size();
    let text = String::from_utf8_lossy(source.rest());
    let by_engine = engine::parse_moves(&text, size);
    if let Ok(moves) = &by_engine {
        let written: String = moves.iter().copied().map(engine::move_name).collect();
        assert_eq!(engine::parse_moves(&written, size).as_ref(), Ok(moves));
    }
    let by_tools = tools::parse_moves(&text, size);
    if let Ok(moves) = &by_tools {
        assert_eq!(tools::parse_moves(&tools::moves(moves), size).as_ref(), Ok(moves));
        if let Ok(same) = &by_engine {
            assert_eq!(moves, same, "{text:?}");
        }
    }
    if let Ok(rule) = tools::parse_rule(&text) {
        assert_eq!(tools::parse_rule(&tools::rule_number(rule).to_string()), Ok(rule));
    }
    if let Ok(size) = tools::parse_size(&text) {
        assert_eq!(tools::parse_size(&size.width().to_string()), Ok(size));
    }
    if let Some((x, y)) = tools::parse_pair(&text) {
        assert_eq!(tools::parse_pair(&format!("{x},{y}")), Some((x, y)));
    }
}
