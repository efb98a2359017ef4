//! Records of invented games.

use super::*;

fn sq(x: u8, y: u8) -> Square {
    Square::new(x, y)
}

fn game() -> Game {
    Game::new(BoardSize::square(15), Rule::Freestyle, false, Evaluation::default())
}

fn colors(game: &Game, squares: &[(u8, u8)]) -> Vec<Option<Color>> {
    squares.iter().map(|&(x, y)| game.position().color_at(sq(x, y))).collect()
}

#[test]
fn stones_alternate_from_black() {
    let mut game = game();
    game.play_opponent(sq(7, 7)).unwrap();
    game.play_own(sq(8, 8)).unwrap();
    game.play_opponent(sq(6, 6)).unwrap();
    let expected = [Some(Color::Black), Some(Color::White), Some(Color::Black)];
    assert_eq!(colors(&game, &[(7, 7), (8, 8), (6, 6)]), expected);
    assert_eq!(game.play_own(sq(7, 7)), Err(PlayError::Occupied(sq(7, 7))));
    assert_eq!(game.position().side_to_move(), Color::White);
}

#[test]
fn any_stone_can_be_taken_back() {
    let mut game = game();
    for (index, x) in (0..6).enumerate() {
        if index % 2 == 0 { game.play_opponent(sq(x, 0)) } else { game.play_own(sq(x, 0)) }
            .unwrap();
    }
    for x in [2, 5, 4, 3] {
        game.take_back(sq(x, 0)).unwrap();
        assert!(game.position().is_empty(sq(x, 0)));
    }
    assert_eq!(game.take_back(sq(2, 0)), Err(PlayError::Empty(sq(2, 0))));
    assert_eq!(game.position().stone_count(), 2);
    assert_eq!(game.position().side_to_move(), Color::Black);
    game.play_opponent(sq(9, 9)).unwrap();
    assert_eq!(colors(&game, &[(9, 9)]), [Some(Color::Black)]);
}

#[test]
fn an_emptied_board_begins_with_black_again() {
    let mut game = game();
    game.take_turn();
    game.play_own(sq(7, 7)).unwrap();
    game.take_back(sq(7, 7)).unwrap();
    game.play_opponent(sq(3, 3)).unwrap();
    assert_eq!(colors(&game, &[(3, 3)]), [Some(Color::Black)]);
}

/// Checks the side to move, which is the engine's, after setting up these stones.
fn check_own(text: &str, expected: Color) {
    let stones: Vec<_> = text
        .bytes()
        .zip(0u8..)
        .map(|(owner, x)| {
            let owner = match owner {
                b'o' => Owner::Own,
                b'x' => Owner::Opponent,
                _ => Owner::Nobody,
            };
            (sq(x, 2 * (x % 3)), owner)
        })
        .collect();
    let mut game = game();
    game.set_up(&stones).unwrap();
    assert_eq!(game.position().side_to_move(), expected, "{text}");
    for (square, owner) in stones {
        let color = match owner {
            Owner::Own => Some(expected),
            Owner::Opponent => Some(expected.opponent()),
            Owner::Nobody => None,
        };
        assert_eq!(game.position().color_at(square), color, "{text} {square}");
        assert!(!game.position().is_empty(square));
    }
}

#[test]
fn colors_of_a_position_follow_the_counts() {
    check_own("", Color::Black);
    check_own("oxox", Color::Black);
    check_own("xxoo", Color::Black);
    check_own("xox", Color::White);
    check_own("oxx", Color::White);
    check_own("ooox", Color::Black);
    check_own("xxxo", Color::White);
    check_own("-x-oo", Color::White);
    check_own("--", Color::Black);
}

#[test]
fn a_bad_position_changes_nothing() {
    let mut game = game();
    game.play_opponent(sq(7, 7)).unwrap();
    let stones = [(sq(1, 1), Owner::Own), (sq(1, 1), Owner::Opponent)];
    assert_eq!(game.set_up(&stones), Err(SetupError::Duplicate(sq(1, 1))));
    assert_eq!(game.position().stone_count(), 1);
}

#[test]
fn after_a_set_up_the_next_stone_told_is_the_opponents() {
    let mut game = game();
    game.set_up(&[(sq(7, 7), Owner::Own), (sq(8, 8), Owner::Opponent)]).unwrap();
    game.play_opponent(sq(1, 1)).unwrap();
    assert_eq!(colors(&game, &[(1, 1)]), [Some(Color::White)]);
    assert_eq!(game.position().side_to_move(), Color::Black);
}

#[test]
fn a_finished_five_of_a_continuous_game_becomes_walls() {
    let mut game = Game::new(BoardSize::square(15), Rule::Freestyle, true, Evaluation::default());
    for x in 0..5 {
        game.play_opponent(sq(x, 3)).unwrap();
        if x < 4 {
            game.play_own(sq(x, 9)).unwrap();
        }
    }
    let position = game.position();
    assert_eq!(position.stone_count(), 4);
    assert!((0..5).all(|x| !position.is_empty(sq(x, 3))));
    assert_eq!(position.color_at(sq(0, 3)), None);
    assert_eq!(position.side_to_move(), Color::White);
    game.take_back(sq(4, 3)).unwrap();
    assert_eq!(game.position().stone_count(), 8);
    assert_eq!(game.position().color_at(sq(0, 3)), Some(Color::Black));
}

#[test]
fn the_rule_can_change_in_a_game() {
    let mut game = game();
    game.play_opponent(sq(7, 7)).unwrap();
    game.set_rule(Rule::Renju, false);
    assert_eq!(game.position().rule(), Rule::Renju);
    assert_eq!(game.position().side_to_move(), Color::White);
    assert_eq!(game.position().stone_count(), 1);
}
