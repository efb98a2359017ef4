//! A position under any sequence of stones, removals and questions.
//!
//! Holds after the sequence, under every rule and both evaluations: stones, lines, key and
//! candidates equal a recomputation; so do the patterns of all squares; values and ranks equal
//! those of the same stones put on a new board, also where nothing was asked in between; a square
//! makes a five where, and only where, a stone there wins.

use tengen::board::check::check;
use tengen::eval::Evaluation;
use tengen::pattern::Combined;
use tengen::position::Position;
use tengen::rule::win::winning_row;
use tengen::types::color::Color;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

use crate::stones::Source;

/// How a position came about.
struct Story {
    size: BoardSize,
    rule: Rule,
    evaluation: Evaluation,
    walls: Vec<Square>,
    first: Color,
    stones: Vec<Square>,
}

impl Story {
    fn begin(&self) -> Position {
        let mut position = Position::with(self.size, self.rule, self.evaluation);
        for &wall in &self.walls {
            position.wall(wall);
        }
        position.set_side_to_move(self.first);
        position
    }

    fn tell(&self) -> Position {
        let mut position = self.begin();
        for &square in &self.stones {
            position.play(square);
        }
        position
    }
}

/// Runs the target.
pub fn run(bytes: &[u8]) {
    let mut source = Source::new(bytes);
    let (size, rule) = (source.size(), source.rule());
    let evaluation = if source.flag() { Evaluation::Network } else { Evaluation::Classical };
    let first = if source.flag() { Color::Black } else { Color::White };
    let walls = source.below(5);
    let walls = (0..walls).map(|_| source.square(size)).collect();
    let mut story = Story { size, rule, evaluation, walls, first, stones: Vec::new() };
    let mut position = story.begin();
    while let Some(square) = source.next_square(size) {
        if position.is_empty(square) {
            position.play(square);
            story.stones.push(square);
        } else {
            // A square that is taken asks something, or takes stones off.
            match source.below(8) {
                0 => look_at(&mut position, &story),
                1 => _ = position.evaluate(),
                2 => _ = position.evaluate_unless(|score| score.value() > 0),
                3 => position.prepare_ranks(),
                removals => {
                    for _ in 3..removals {
                        position.undo();
                        story.stones.pop();
                    }
                }
            }
        }
    }
    look_at(&mut position, &story);
    let key = story.begin().key();
    while position.stone_count() > 0 {
        position.undo();
    }
    story.stones.clear();
    look_at(&mut position, &story);
    assert_eq!(position.key(), key);
}

fn look_at(position: &mut Position, story: &Story) {
    let (rule, drawn) = (story.rule, position.board().to_string());
    assert_eq!(check(position.board()), Ok(()), "{drawn}");
    assert_eq!(position.patterns().check(rule, position.board()), Ok(()), "{rule}\n{drawn}");
    let mut told = story.tell();
    assert_eq!(position.key(), told.key(), "{drawn}");
    assert_eq!(position.side_to_move(), told.side_to_move(), "{drawn}");
    assert_eq!(position.board().candidates(), told.board().candidates(), "{drawn}");
    assert_eq!(position.is_full(), position.empty_squares().is_empty(), "{drawn}");
    assert_eq!(position.evaluate(), told.evaluate(), "{rule}\n{drawn}");
    position.prepare_ranks();
    told.prepare_ranks();
    let mut plain = position.board().clone();
    for square in &position.empty_squares() {
        assert_eq!(position.rank(square), told.rank(square), "{square} {rule}\n{drawn}");
        for color in Color::ALL {
            let five = position.patterns().combined(color, square) == Combined::Five;
            plain.set_side_to_move(color);
            plain.place(square, &mut ());
            assert_eq!(five, winning_row(rule, &plain, square).is_some(), "{square}\n{drawn}");
            plain.remove(&mut ());
        }
        let forbidden = position.is_forbidden_to_black(square);
        assert_eq!(forbidden, told.is_forbidden_to_black(square), "{square}\n{drawn}");
    }
}
