use std::time::Instant;

use tengen::base::control::{Control, Deadline};

use super::make::{Plan, all_positions, make};
use super::*;
use crate::solver::Solver;
use crate::text::parse_position;

fn control() -> Control {
    Control::new(Deadline::unlimited(Instant::now()), None)
}

fn small() -> Book {
    let mut book = Book::new(Size::try_new(5, 4).unwrap());
    let plan = Plan { full: Some(4), path: Some(7), threads: 2, table_bytes: 1 << 20 };
    make(&mut book, &plan, &mut |_, _| true);
    book
}

#[test]
fn a_made_book_holds_every_position_it_was_asked_for_with_its_score() {
    let book = small();
    let size = book.size();
    let mut solver = Solver::new(size, 1 << 20);
    for stones in 0..=4 {
        for position in all_positions(&size, stones) {
            let score = solver.solve(&position, &control());
            let found = book.score(&position);
            assert!(found == score || found.is_none() && position.wins(&size) != 0);
        }
    }
    assert_eq!(book.score(&parse_position(&size, "11112222").unwrap()), None);
}

/// Plays so many perfect moves, first or second, against all replies: none may need a search.
fn check_moves(book: &Arc<Book>, moves: u32) {
    let size = book.size();
    for first in [0, 1] {
        let mut solver = Solver::new(size, 1 << 20).with_book(Arc::clone(book));
        let mut list = all_positions(&size, first);
        for _ in 0..moves {
            let mut next = Vec::new();
            for position in list {
                let (column, _) = solver.best_move(&position, &control()).unwrap();
                assert_eq!(solver.nodes(), 0, "searched with {} stones", position.stones());
                for reply in 0..size.columns() {
                    let mut child = position;
                    child.play(&size, column).unwrap();
                    if child.play(&size, reply).is_ok() && child.end(&size).is_none() {
                        next.push(child);
                    }
                }
            }
            list = next;
        }
    }
}

#[test]
fn whatever_the_other_side_plays_a_perfect_player_finds_its_move_in_the_book() {
    check_moves(&Arc::new(small()), 3);
    check_moves(&Book::standard(), 4);
}

#[test]
fn a_book_that_was_stopped_goes_on_to_the_same_end() {
    let mut book = Book::new(Size::try_new(5, 4).unwrap());
    let plan = Plan { full: Some(4), path: Some(7), threads: 1, table_bytes: 1 << 20 };
    let mut calls = 0;
    make(&mut book, &plan, &mut |_, _| {
        calls += 1;
        calls < 20
    });
    assert!(book.len() < small().len());
    let mut book = Book::from_bytes(&book.to_bytes()).unwrap();
    make(&mut book, &plan, &mut |_, _| true);
    assert_eq!(book, small());
}

#[test]
fn files_are_read_as_they_were_written_and_nothing_else_is() {
    let book = small();
    let bytes = book.to_bytes();
    assert_eq!(Book::from_bytes(&bytes), Ok(book));
    for length in 0..bytes.len() {
        assert!(Book::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
    }
    let with = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        Book::from_bytes(&bytes)
    };
    assert_eq!(with(0, b'X'), Err(BookError::NoBook));
    assert_eq!(with(4, 99), Err(BookError::BadSize(99, 4)));
    assert_eq!(with(bytes.len() - 1, 100), Err(BookError::BadEntry(book_len(&bytes) - 1)));
    let longer = [&bytes[..], &[0]].concat();
    assert_eq!(Book::from_bytes(&longer), Err(BookError::Leftover));
    // A count that promises more than there is takes no memory for it.
    let mut many = bytes.clone();
    many[7..11].fill(255);
    assert!(matches!(Book::from_bytes(&many), Err(BookError::BadEntry(_))));
}

fn book_len(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes[7..11].try_into().unwrap())
}

#[test]
fn the_built_in_book_is_sound_and_says_what_is_published() {
    let book = Book::from_bytes(include_bytes!("7x6.book")).unwrap();
    let size = book.size();
    assert_eq!(size, Size::standard());
    assert_eq!(Book::standard().len(), book.len());
    // Victor Allis and James D. Allen, 1988: the first player wins, in the middle column only.
    // The distances are those of Pascal Pons' solver.
    let mut solver = Solver::new(size, 1 << 20).with_book(Book::standard());
    let usual = Usual::new(&size, 0);
    let scores: Vec<i32> = (0..7)
        .map(|column| solver.score_of_move(&Position::empty(), column, &control()).unwrap())
        .map(|score| usual.of(score))
        .collect();
    assert_eq!(scores, [-2, -1, 0, 1, 0, -1, -2]);
    let best = solver.best_move(&Position::empty(), &control());
    assert_eq!(best, Some((3, Score::win_in(41))));
    assert_eq!(solver.nodes(), 0, "at once");
}
