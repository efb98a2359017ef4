//! Games of other programs: SGF and Piskvork's format.
//!
//! Holds: nothing panics; what is kept of a file is a game by its rule; notes and errors are short
//! and hold nothing that a terminal would act on; a game written in either format is read as the
//! same moves.

use manager::gamefile::{Format, Loaded, read};
use tengen::position::Position;

use crate::stones::Source;

/// Runs the target.
pub fn run(bytes: &[u8]) {
    let mut source = Source::new(bytes);
    let rule = source.rule();
    let loaded = match read(source.rest(), rule) {
        Ok(loaded) => loaded,
        Err(error) => return can_be_shown(&error.to_string()),
    };
    loaded.notes.iter().for_each(|note| can_be_shown(note));
    is_a_game(&loaded);
    let squares =
        |loaded: &Loaded| -> Vec<_> { loaded.game.moves.iter().map(|mv| mv.square).collect() };
    for format in [Format::Sgf, Format::Psq] {
        let written = loaded.game.write(format);
        let again = read(written.as_bytes(), loaded.game.rule)
            .unwrap_or_else(|error| panic!("{error} in a file of our own:\n{written}"));
        assert_eq!(squares(&again), squares(&loaded), "{written}");
        assert_eq!(again.game.size, loaded.game.size, "{written}");
        if format == Format::Sgf {
            assert_eq!(again.game.rule, loaded.game.rule, "{written}");
            assert_eq!(again.notes, Vec::<String>::new(), "{written}");
            assert_eq!(again.game.write(format), written);
        }
    }
}

fn can_be_shown(words: &str) {
    assert!(!words.is_empty() && words.len() < 600, "{words:?}");
    assert!(!words.contains(char::is_control), "{words:?}");
}

fn is_a_game(loaded: &Loaded) {
    let mut position = Position::new(loaded.game.size, loaded.game.rule);
    for (at, mv) in loaded.game.moves.iter().enumerate() {
        assert!(position.is_empty(mv.square), "move {}", at + 1);
        let is_over = position.makes_five(mv.square) || position.is_forbidden(mv.square);
        assert!(!is_over || at + 1 == loaded.game.moves.len(), "move {}", at + 1);
        position.play(mv.square);
    }
}
