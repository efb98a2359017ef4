use std::time::Instant;

use tengen::base::control::Deadline;

use super::*;
use crate::text::parse_position;

/// Checks the column, from 1, that every level and every depth plays.
fn check(moves: &str, expected: &[usize]) {
    check_levels(&Level::ALL, moves, expected);
}

fn check_levels(levels: &[Level], moves: &str, expected: &[usize]) {
    let size = Size::standard();
    let position = parse_position(&size, moves).unwrap();
    let control = Control::new(Deadline::unlimited(Instant::now()), None);
    for &level in levels {
        for seed in 0..5 {
            let mut player = Player::new(level, Solver::new(size, 8 << 20), seed);
            let column = player.choose(&position, &control).unwrap() + 1;
            assert!(expected.contains(&column), "{level} plays {column} after {moves}");
        }
    }
    for depth in 1..=9 {
        let column = choose_within(&size, &position, depth, None).unwrap() + 1;
        assert!(expected.contains(&column), "{column} after {moves} at depth {depth}");
    }
}

#[test]
fn a_win_at_once_goes_before_closing_a_row() {
    // Both have three in a column: X in 4, O in 1.
    check("414141", &[4]);
    // The same for O.
    check("7414141", &[4]);
}

#[test]
fn a_row_is_closed_before_an_own_one_is_built() {
    // X has three in column 4; O has two in column 1 and could make them three.
    check("41414", &[4]);
    // X has three on the ground with one open end.
    check("11223", &[4]);
}

#[test]
fn of_two_wins_the_more_central_one_is_played() {
    // X has 3, 4, 5 on the ground, O upon them: 2 and 6 win alike, 2 is left of the two.
    check("334455", &[2]);
}

#[test]
fn a_stone_is_not_put_below_a_square_where_the_opponent_wins() {
    // O has the second squares of 1, 2 and 3; the first one of 4 is empty.
    // What perfect does is tested with the solver.
    check_levels(&Level::ALL[..3], "11227373", &[1, 2, 3, 5, 6, 7]);
}

#[test]
fn a_double_threat_is_made_at_every_depth() {
    // X has 4 and 5 on the ground: with 3 or 6 it has three with two open ends.
    check("4455", &[3, 6]);
}

#[test]
fn a_double_threat_is_prevented_at_odd_and_even_depths_alike() {
    // X has 4 and 5 on the ground; unless O takes 3 or 6, three with two open ends come next.
    let size = Size::standard();
    let position = parse_position(&size, "415").unwrap();
    for depth in 2..=10 {
        let column = choose_within(&size, &position, depth, None).unwrap() + 1;
        assert!([3, 6].contains(&column), "depth {depth} plays {column}");
    }
}

#[test]
fn the_evaluation_does_not_swing_with_the_side_to_move() {
    // Whoever has the move, the side with more is ahead: what the move is worth is counted.
    let size = Size::standard();
    let score = |moves| evaluate(&size, &parse_position(&size, moves).unwrap()).value();
    for moves in ["", "4", "44", "443", "4433"] {
        assert!(score(moves).abs() <= 30, "{moves}: {}", score(moves));
    }
}

#[test]
fn the_middle_is_played_first_by_those_who_look_a_few_moves_ahead() {
    check_depths("", 4);
    check_depths("4", 4);
}

fn check_depths(moves: &str, expected: usize) {
    let size = Size::standard();
    let position = parse_position(&size, moves).unwrap();
    for depth in [3, 4] {
        assert_eq!(choose_within(&size, &position, depth, None), Some(expected - 1), "{depth}");
    }
}

#[test]
fn nobody_moves_where_the_game_has_ended() {
    let size = Size::standard();
    let control = Control::new(Deadline::unlimited(Instant::now()), None);
    let won = parse_position(&size, "1212121").unwrap();
    for level in Level::ALL {
        let mut player = Player::new(level, Solver::new(size, 1 << 20), 1);
        assert_eq!(player.choose(&won, &control), None);
    }
}

#[test]
fn the_evaluation_is_the_same_for_a_position_and_its_mirror_image() {
    let size = Size::standard();
    for (one, other) in [("4", "4"), ("1", "7"), ("23", "65"), ("445263", "443625")] {
        let score = |moves| evaluate(&size, &parse_position(&size, moves).unwrap());
        assert_eq!(score(one), score(other), "{one}");
    }
}

#[test]
fn every_level_plays_on_boards_of_any_size_to_the_end() {
    let control = Control::new(Deadline::unlimited(Instant::now()), None);
    for (columns, rows) in [(1, 1), (1, 19), (9, 1), (2, 2), (4, 4), (3, 5)] {
        let size = Size::try_new(columns, rows).unwrap();
        for level in Level::ALL {
            let mut player = Player::new(level, Solver::new(size, 1 << 20), 1);
            let mut position = Position::empty();
            while position.end(&size).is_none() {
                let column = player.choose(&position, &control).unwrap();
                position.play(&size, column).unwrap();
            }
        }
    }
}
