#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "squares of small boards"
)]

use tengen::base::rng::Rng;

use super::*;
use crate::text::parse_position;

/// Board sizes of every kind: the usual one, odd, small, narrow, flat, high, the largest.
const SIZES: [(usize, usize); 10] =
    [(7, 6), (5, 5), (4, 4), (1, 1), (2, 19), (32, 1), (8, 7), (3, 4), (12, 4), (9, 6)];

fn sizes() -> impl Iterator<Item = Size> {
    SIZES.into_iter().map(|(columns, rows)| Size::try_new(columns, rows).unwrap())
}

/// Whether a side has four in a row, square by square.
fn has_row_slowly(size: &Size, position: &Position, side: Side) -> bool {
    let at = |column: i32, row: i32| {
        let (Ok(column), Ok(row)) = (usize::try_from(column), usize::try_from(row)) else {
            return false;
        };
        column < size.columns()
            && row < size.rows()
            && position.stone(size, column, row) == Some(side)
    };
    let (columns, rows) = (size.columns() as i32, size.rows() as i32);
    (0..columns).any(|c| {
        (0..rows).any(|r| {
            [(1, 0), (0, 1), (1, 1), (1, -1)]
                .into_iter()
                .any(|(dc, dr)| (0..4).all(|n| at(c + n * dc, r + n * dr)))
        })
    })
}

/// Calls `check` for every position of random games.
fn walk(size: &Size, games: usize, mut check: impl FnMut(&Position)) {
    let mut rng = Rng::new(1);
    for _ in 0..games {
        let mut position = Position::empty();
        check(&position);
        while position.end(size).is_none() {
            if position.play(size, rng.below(size.columns())).is_ok() {
                check(&position);
            }
        }
    }
}

#[test]
fn rows_are_those_that_a_look_at_every_square_finds() {
    for size in sizes() {
        walk(&size, 100, |position| {
            let moved = position.side_to_move().other();
            assert_eq!(size.has_row(position.opponent()), has_row_slowly(&size, position, moved));
            assert!(!has_row_slowly(&size, position, position.side_to_move()));
        });
    }
}

#[test]
fn winning_and_safe_squares_are_what_playing_them_shows() {
    for size in sizes() {
        walk(&size, 60, |position| {
            if position.end(&size).is_some() {
                return;
            }
            let (mut wins, mut safe) = (0, 0);
            for column in 0..size.columns() {
                let mut child = *position;
                if child.play(&size, column).is_err() {
                    continue;
                }
                let square = child.mask() ^ position.mask();
                if child.end(&size) == Some(End::Won(position.side_to_move())) {
                    wins |= square;
                }
                let loses = (0..size.columns()).any(|reply| {
                    let mut after = child;
                    after.play(&size, reply).is_ok()
                        && after.end(&size) == Some(End::Won(child.side_to_move()))
                });
                if !loses {
                    safe |= square;
                }
            }
            assert_eq!(position.wins(&size), wins);
            if wins == 0 {
                assert_eq!(position.safe_moves(&size), safe);
            }
        });
    }
}

#[test]
fn a_mirrored_position_is_the_one_of_mirrored_moves() {
    for size in sizes() {
        let mut rng = Rng::new(2);
        for _ in 0..50 {
            let (mut one, mut other) = (Position::empty(), Position::empty());
            while one.end(&size).is_none() {
                let column = rng.below(size.columns());
                let mirrored = other.play(&size, size.columns() - 1 - column);
                assert_eq!(one.play(&size, column).is_ok(), mirrored.is_ok());
                assert_eq!(size.mirror(one.key()), other.key());
                assert_eq!(one.key_of_both(&size), other.key_of_both(&size));
            }
        }
    }
}

#[test]
fn no_two_positions_have_the_same_key() {
    let size = Size::standard();
    let mut seen = std::collections::HashMap::new();
    walk(&size, 2000, |position| {
        let before = seen.insert(position.key(), *position);
        assert!(before.is_none_or(|before| before == *position));
    });
}

#[test]
fn following_up_secures_what_it_says() {
    // Against any moves, the opponent who answers in the same column does not lose, and wins
    // where that was claimed.
    for (columns, rows) in [(7, 6), (4, 4), (5, 4)] {
        let size = Size::try_new(columns, rows).unwrap();
        let (mut draws, mut wins, mut odd) = (0, 0, 0);
        walk(&size, 3000, |position| {
            let claim = position.follow_up(&size);
            if claim == FollowUp::Nothing || position.end(&size).is_some() {
                return;
            }
            match claim {
                FollowUp::Win => wins += 1,
                _ => draws += 1,
            }
            odd += u32::from(position.playable(&size) & !size.odd_rows() != 0);
            let follower = position.side_to_move().other();
            let mut rng = Rng::new(position.key());
            for _ in 0..5 {
                let mut line = *position;
                while line.end(&size).is_none() {
                    let column = rng.below(size.columns());
                    if line.play(&size, column).is_ok() && line.end(&size).is_none() {
                        line.play(&size, column).unwrap();
                    }
                }
                let end = line.end(&size).unwrap();
                assert_ne!(end, End::Won(follower.other()));
                if claim == FollowUp::Win {
                    assert_eq!(end, End::Won(follower));
                }
            }
        });
        assert!(draws > 0 && wins > 0, "{size}: {draws} draws, {wins} wins");
        assert!(odd > 0, "{size}: no column with an odd number of stones");
    }
}

#[test]
fn a_column_that_must_be_left_alone_decides_when_all_others_are_even() {
    let size = Size::standard();
    let check = |moves: &str, expected| {
        let position = parse_position(&size, moves).unwrap();
        assert_eq!(position.follow_up(&size), expected, "{moves}");
    };
    // O must not put a stone into column 4, where X wins above it, and all others are even.
    check("711335426623573", FollowUp::Win);
    // Two such columns.
    check("3224246264531346412167467362", FollowUp::Win);
    // O can make a row with the squares that are left to it.
    check("7357643264244", FollowUp::Nothing);
    // Two stones less: columns 3 and 7 are odd as well, and nobody wins there.
    check("7113354266235", FollowUp::Nothing);
}

#[test]
fn boards_that_do_not_fit_are_refused_by_name() {
    for (columns, rows) in [(0, 6), (7, 0), (8, 8), (64, 1), (1, 20), (usize::MAX, usize::MAX)] {
        let error = Size::try_new(columns, rows).unwrap_err().to_string();
        assert!(error.contains(&format!("got {columns} columns and {rows} rows")), "{error}");
    }
}

#[test]
fn counts_of_positions_are_the_known_ones() {
    // Positions after 0, 1, 2, ... stones, games that are over among them: John Tromp's table,
    // OEIS A212693.
    let size = Size::standard();
    let mut list = vec![Position::empty()];
    for expected in [1, 7, 49, 238, 1120, 4263, 16422] {
        assert_eq!(list.len(), expected);
        let mut next: Vec<Position> = list
            .iter()
            .flat_map(|position| {
                (0..7).filter_map(|column| {
                    let mut child = *position;
                    child.play(&size, column).ok().map(|()| child)
                })
            })
            .collect();
        next.sort_by_key(Position::key);
        next.dedup();
        list = next;
    }
}

#[test]
fn the_same_stones_by_other_moves_are_the_same_position() {
    let size = Size::standard();
    let position = |moves| parse_position(&size, moves).unwrap();
    assert_eq!(position("1234"), position("3214"));
    assert_ne!(position("1234"), position("1243"));
}
