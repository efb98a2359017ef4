//! The forbidden points of renju, against the letter of the definition.
//!
//! Holds on every board of up to 15x15 with any stones and walls: the engine forbids what
//! `tengen::rule::reference` forbids, whoever is to move; board and patterns are the same
//! afterwards; a move of Black wins where, and only where, it makes an exact five.

use tengen::board::Board;
use tengen::pattern::Combined;
use tengen::pattern::state::PatternState;
use tengen::rule::forbidden::is_forbidden;
use tengen::rule::reference;
use tengen::rule::win::winning_row;
use tengen::types::color::Color;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

use crate::stones::Source;

/// Runs the target.
pub fn run(bytes: &[u8]) {
    let mut source = Source::new(bytes);
    let [width, height] = [source.byte(), source.byte()].map(|byte| i64::from(byte % 11) + 5);
    let size = BoardSize::try_new(width, height).expect("sides of 5 to 15");
    let mut board = Board::new(size);
    if source.flag() {
        for _ in 0..source.below(6) {
            board.wall(source.square(size));
        }
    }
    let mut patterns = PatternState::new(Rule::Renju, &board);
    // A byte a stone: three of four are Black's, so that shapes come about.
    while let Some(square) = source.next_square(size) {
        let color = if source.below(4) == 0 { Color::White } else { Color::Black };
        if board.is_empty(square) {
            board.set_side_to_move(color);
            board.place(square, &mut patterns);
        }
    }
    for mover in Color::ALL {
        board.set_side_to_move(mover);
        look_at(&mut board, &mut patterns);
    }
    assert_eq!(patterns.check(Rule::Renju, &board), Ok(()));
}

fn look_at(board: &mut Board, patterns: &mut PatternState) {
    let mut plain = board.clone();
    plain.set_side_to_move(Color::Black);
    let (drawn, before) = (board.to_string(), (board.key(), board.step_count()));
    for square in board.empty().iter().collect::<Vec<Square>>() {
        let found = is_forbidden(board, patterns, square);
        assert_eq!((board.key(), board.step_count()), before, "{square}\n{drawn}");
        assert_eq!(found, reference::is_forbidden(&mut plain, square), "{square}\n{drawn}");
        let five = patterns.combined(Color::Black, square) == Combined::Five;
        plain.set_side_to_move(Color::Black);
        plain.place(square, &mut ());
        assert_eq!(five, winning_row(Rule::Renju, &plain, square).is_some(), "{square}\n{drawn}");
        plain.remove(&mut ());
    }
}
