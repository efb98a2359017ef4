//! Bits of single games.

use super::*;
use crate::format::FRAME_HEADER;
use tengen::base::rng::Rng;
use tengen::types::square::Square;

fn game(side: u8, opening: usize, moves: Vec<Move>) -> Game {
    let size = BoardSize::square(side);
    let (winner, end) = (Some(Color::White), End::Adjudicated);
    Game { number: 300, rule: Rule::Renju, size, opening, moves, winner, end }
}

fn searched(x: u8, y: u8, value: i32, depth: u8) -> Move {
    let score = Some(Score::eval(value));
    Move { score, depth, ..Move::plain(Square::new(x, y)) }
}

/// What is read of a game that was written.
fn kept(game: &Game) -> Game {
    decode_game(&encode_game(game)[FRAME_HEADER + 1..]).unwrap()
}

#[test]
fn the_bits_are_those_of_the_drawing() {
    let mut moves = vec![Move::plain(Square::new(7, 7)), searched(7, 6, -1, 1)];
    moves[1].second = Some((Square::new(8, 7), Score::eval(-3)));
    moves.push(searched(7, 5, 33, 9));
    moves.push(Move::plain(Square::new(7, 4)));
    moves.push(Move { score: Some(Score::win_in(3)), ..searched(7, 3, 0, 9) });
    let game = game(15, 1, moves);
    let drawing = "
        00000010 10101100 00000010
        010 10 010 01010 01010 00000101 001 1
        0000000
        111110 011 0000000 011111110 0000010 011111101
        101001 0000000 100100000
        111111 0000000
        00 0000000 111111011";
    let bits: Vec<char> = drawing.chars().filter(char::is_ascii_digit).collect();
    let bytes = bits.chunks(8).map(|byte| {
        let text: String = byte.iter().collect();
        u8::from_str_radix(&format!("{text:0<8}"), 2).unwrap()
    });
    assert_eq!(encode_game(&game)[FRAME_HEADER..], bytes.collect::<Vec<u8>>());
    // 33 lies between two levels.
    let mut expected = game.clone();
    expected.moves[2].score = Some(Score::eval(34));
    assert_eq!(kept(&game), expected);
}

#[test]
fn a_searched_move_takes_three_bytes_at_most() {
    let mut rng = Rng::new(11);
    let size = BoardSize::square(22);
    for _ in 0..20 {
        let mut squares: Vec<Square> = (0..484u16)
            .map(|at| Square::new(u8::try_from(at % 22).unwrap(), u8::try_from(at / 22).unwrap()))
            .collect();
        for at in (1..squares.len()).rev() {
            squares.swap(at, rng.below(at + 1));
        }
        let mut moves: Vec<Move> = squares.into_iter().map(Move::plain).collect();
        let cost = |moves: &[Move]| {
            let all = Game { size, ..game(22, 0, moves.to_vec()) };
            encode_game(&all).len()
        };
        let nothing = cost(&[]) + 2;
        assert!(cost(&moves) <= nothing + 484 * 15 / 8);
        for mv in &mut moves {
            mv.depth = u8::try_from(rng.below(256)).unwrap();
            mv.score = Some(Score::eval(i32::try_from(rng.below(30_000)).unwrap() - 15_000));
        }
        assert!(cost(&moves) <= nothing + 484 * 3);
    }
}

#[test]
fn what_does_not_fit_is_cut() {
    let mut moves = vec![searched(0, 0, 20_000, 255), searched(1, 0, -100, 28)];
    moves[0].second = Some((Square::new(4, 4), Score::eval(-20_000)));
    // On a stone, and off the board.
    moves[1].second = Some((Square::new(0, 0), Score::ZERO));
    moves.push(Move { second: Some((Square::new(5, 0), Score::ZERO)), ..searched(2, 0, 0, 30) });
    // Without a score.
    let second = Some((Square::new(4, 3), Score::ZERO));
    moves.push(Move { depth: 9, second, ..Move::plain(Square::new(3, 0)) });
    let found = kept(&game(5, 0, moves)).moves;
    assert_eq!(found[0].score, Some(Score::eval(16_384)));
    assert_eq!(found[0].second, Some((Square::new(4, 4), Score::ZERO)));
    assert_eq!(found.iter().map(|mv| mv.depth).collect::<Vec<_>>(), [29, 28, 29, 0]);
    assert!(found[1..].iter().all(|mv| mv.second.is_none()));
}

#[test]
fn the_better_of_two_stays_the_better() {
    for value in [0, 31, 77, -512, 4000] {
        for gap in [-300, -25, -1, 0, 1, 7, 32, 150, 900] {
            let mut mv = searched(2, 2, value, 4);
            mv.second = Some((Square::new(1, 2), Score::eval(value - gap)));
            let found = kept(&game(9, 0, vec![mv])).moves[0];
            let (score, (_, second)) = (found.score.unwrap(), found.second.unwrap());
            let kept = score.value() - second.value();
            assert!(kept.signum() == gap.signum() && (kept - gap).abs() * 32 <= gap.abs());
        }
    }
    for (first, second) in [
        (Score::win_in(5), Score::eval(40)),
        (Score::eval(-40), Score::loss_in(6)),
        (Score::loss_in(8), Score::loss_in(6)),
        (Score::eval(-48), Score::win_in(3)),
    ] {
        let mut mv = Move { score: Some(first), ..searched(2, 2, 0, 4) };
        mv.second = Some((Square::new(1, 2), second));
        assert_eq!(kept(&game(9, 0, vec![mv])).moves[0], mv);
    }
}

#[test]
fn an_opening_with_scores_keeps_them() {
    let moves = vec![Move::plain(Square::new(4, 4)), searched(4, 5, 12, 3), searched(0, 8, 7, 2)];
    for opening in 0..=3 {
        let game = game(9, opening, moves.clone());
        assert_eq!(kept(&game), game);
    }
}

#[test]
fn numbers_of_any_size_survive() {
    for number in [0, 127, 128, 16_383, 16_384, 1 << 40, u64::MAX] {
        let game = Game { number, ..game(5, 0, Vec::new()) };
        assert_eq!(kept(&game), game);
    }
    let too_large = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02];
    assert!(matches!(decode_game(&too_large), Err(FormatError::Field("number of the game", _))));
    assert_eq!(decode_game(&too_large[..9]), Err(FormatError::Short));
}

#[test]
fn fields_that_cannot_be_are_named() {
    // Each field of the header in turn, then the code of the first move.
    let refused = |fields: &[(u32, u32)]| {
        let mut bits = BitWriter::after(vec![0]);
        for &(number, count) in fields {
            bits.put(number, count);
        }
        bits.put(0, 32);
        match decode_game(&bits.into_bytes()) {
            Err(FormatError::Field(name, _)) => name,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(refused(&[(5, 3)]), "rule");
    assert_eq!(refused(&[(0, 3), (3, 2)]), "winner");
    assert_eq!(refused(&[(0, 8), (18, 5), (0, 5)]), "size");
    assert_eq!(refused(&[(0, 18), (26, 5)]), "number of moves");
    assert_eq!(refused(&[(0, 18), (2, 5), (3, 2)]), "length of the opening");
    let first = |bits: &[(u32, u32)]| refused(&[&[(0, 18), (2, 5), (0, 2), (0, 1)], bits].concat());
    assert_eq!(first(&[(0b010, 3)]), "depth");
    assert_eq!(first(&[(SECOND, 6), (SECOND, 6)]), "depth");
    assert_eq!(first(&[(SECOND, 6), (NOT_SEARCHED, 6)]), "depth");
    assert_eq!(first(&[(DEPTH + 29, 6), (0, 4), (255, 9), (0b011, 3)]), "depth");
    assert_eq!(first(&[(0, 2), (0, 4), (511, 9)]), "score");
}
