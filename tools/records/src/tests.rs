//! Record files as a whole: round trips, damage, continued files.

use std::fs;

use tengen::base::rng::Rng;
use tengen::base::score::Score;
use tengen::types::color::Color;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

use crate::format::{encode_game, encode_note};
use crate::{End, Game, Move, Reader, Writer, encode_file};

/// A game of random squares, scores and columns.
fn random_game(rng: &mut Rng, number: u64) -> Game {
    let side = |rng: &mut Rng| 5 + i64::try_from(rng.below(18)).unwrap();
    let size = BoardSize::try_new(side(rng), side(rng)).unwrap();
    let mut squares: Vec<Square> = (0..size.height())
        .flat_map(|y| (0..size.width()).map(move |x| Square::new(x, y)))
        .collect();
    for at in (1..squares.len()).rev() {
        squares.swap(at, rng.below(at + 1));
    }
    let count = rng.below(squares.len() + 1);
    let opening = rng.below(count + 1);
    let (with_depth, with_second) = (rng.below(2) == 0, rng.below(2) == 0);
    let score = |rng: &mut Rng| {
        let number = i32::try_from(rng.below(60)).unwrap();
        match rng.below(4) {
            0 => Score::win_in(number),
            1 => Score::loss_in(number),
            _ => Score::eval(number * 400 - 12_000),
        }
    };
    let moves = (0..count)
        .map(|at| Move {
            square: squares[at],
            score: (at >= opening).then(|| score(rng)),
            depth: if with_depth { u8::try_from(rng.below(256)).unwrap() } else { 0 },
            second: (with_second && rng.below(3) == 0).then(|| (squares[0], score(rng))),
        })
        .collect();
    let winner = [None, Some(Color::Black), Some(Color::White)][rng.below(3)];
    let end = End::ALL[rng.below(End::ALL.len())];
    Game { number, rule: Rule::ALL[rng.below(5)], size, opening, moves, winner, end }
}

fn random_games(seed: u64, count: u64) -> Vec<Game> {
    let mut rng = Rng::new(seed);
    (0..count).map(|number| random_game(&mut rng, number)).collect()
}

#[test]
fn games_survive_a_round_trip() {
    let games = random_games(1, 300);
    let mut reader = Reader::new(encode_file("three hundred", &games)).unwrap();
    assert_eq!(reader.games().collect::<Vec<_>>(), games);
    assert_eq!(reader.notes(), ["three hundred"]);
    assert_eq!(reader.damage().bytes(), 0);
}

#[test]
fn a_move_takes_three_bytes() {
    let mut game = random_games(2, 1).remove(0);
    game.moves.iter_mut().for_each(|mv| *mv = Move { depth: 0, second: None, ..*mv });
    let whole = encode_game(&game).len();
    let count = game.moves.len();
    game.moves.clear();
    game.opening = 0;
    assert_eq!(whole, encode_game(&game).len() + 3 * count);
}

#[test]
fn a_file_cut_off_anywhere_keeps_what_was_whole() {
    let games = random_games(3, 4);
    let bytes = encode_file("cut", &games);
    let mut ends = vec![bytes.len()];
    for game in games.iter().rev() {
        ends.push(ends.last().unwrap() - encode_game(game).len());
    }
    ends.reverse();
    for length in 8..bytes.len() {
        let mut reader = Reader::new(bytes[..length].to_vec()).unwrap();
        let found: Vec<Game> = reader.games().collect();
        let whole = ends.iter().filter(|&&end| end <= length).count().saturating_sub(1);
        assert_eq!(found, games[..whole], "cut at {length}");
        assert_eq!(reader.damage().lost, 0);
        let last = if length < ends[0] { 8 } else { ends[whole] };
        assert_eq!(reader.damage().torn, length - last, "cut at {length}");
    }
    assert!(Reader::new(bytes[..7].to_vec()).is_err());
}

#[test]
fn a_changed_byte_costs_one_game_at_most() {
    let games = random_games(4, 6);
    let bytes = encode_file("changed", &games);
    let mut rng = Rng::new(5);
    for _ in 0..2000 {
        let mut changed = bytes.clone();
        let at = 8 + rng.below(bytes.len() - 8);
        changed[at] ^= u8::try_from(1 + rng.below(255)).unwrap();
        let mut reader = Reader::new(changed).unwrap();
        let found: Vec<Game> = reader.games().collect();
        assert!(found.len() >= games.len() - 1, "byte {at}");
        assert!(found.iter().all(|game| games.contains(game)), "byte {at}");
        let damage = reader.damage();
        assert!(damage.bytes() > 0, "byte {at}");
    }
}

#[test]
fn garbage_is_read_without_a_panic() {
    let mut rng = Rng::new(6);
    for round in 0..300 {
        let mut bytes = encode_file("garbage", []);
        let start = bytes.len();
        for _ in 0..rng.below(3000) {
            // Frame marks and small lengths more often than by chance.
            let byte = [0xd7, 0x4a, 1, 0, rng.below(256)][rng.below(5)];
            bytes.push(u8::try_from(byte).unwrap());
        }
        let length = bytes.len();
        let mut reader = Reader::new(bytes).unwrap();
        assert_eq!(reader.games().count(), 0, "round {round}");
        assert_eq!(reader.damage().torn, length - start);
    }
}

#[test]
fn a_body_with_a_right_checksum_and_wrong_fields_is_passed_over() {
    let games = random_games(7, 2);
    let good = encode_game(&games[0]);
    let mut rng = Rng::new(8);
    let mut refused = 0;
    for _ in 0..2000 {
        let mut body = good[8..].to_vec();
        let at = rng.below(body.len().min(40));
        body[at] ^= u8::try_from(1 + rng.below(255)).unwrap();
        let mut frame = good[..4].to_vec();
        frame.extend(crc32fast::hash(&body).to_le_bytes());
        frame.extend(&body);
        let mut bytes = encode_file("fields", []);
        bytes.extend(&frame);
        bytes.extend(encode_game(&games[1]));
        let mut reader = Reader::new(bytes).unwrap();
        let found: Vec<Game> = reader.games().collect();
        assert_eq!(found.last(), Some(&games[1]));
        for game in &found {
            let mut seen = std::collections::HashSet::new();
            assert!(game.opening <= game.moves.len());
            for mv in &game.moves {
                let (x, y) = (i64::from(mv.square.x()), i64::from(mv.square.y()));
                assert!(game.size.contains(x, y) && seen.insert(mv.square));
            }
        }
        refused += usize::from(reader.damage().lost > 0);
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn a_torn_file_is_continued_after_its_last_whole_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.rec");
    let games = random_games(9, 3);
    let mut writer = Writer::create(&path, "first run").unwrap();
    writer.write(&games[0]).unwrap();
    writer.write(&games[1]).unwrap();
    drop(writer);
    assert!(Writer::create(&path, "again").is_err(), "no file is overwritten");
    let length = fs::metadata(&path).unwrap().len();
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(length - 5).unwrap();

    let mut reader = Reader::open(&path).unwrap();
    assert_eq!(reader.games().collect::<Vec<_>>(), games[..1]);
    assert!(reader.damage().torn > 0);
    Writer::resume(&path, &reader).unwrap().write(&games[2]).unwrap();

    let mut reader = Reader::open(&path).unwrap();
    assert_eq!(reader.games().collect::<Vec<_>>(), [games[0].clone(), games[2].clone()]);
    assert_eq!(reader.damage().bytes(), 0);
}

#[test]
fn frames_of_later_kinds_are_skipped() {
    let games = random_games(10, 1);
    let mut bytes = encode_file("kinds", []);
    let mut later = encode_note("not known yet");
    later[8] = 9;
    let checksum = crc32fast::hash(&later[8..]);
    later[4..8].copy_from_slice(&checksum.to_le_bytes());
    bytes.extend(later);
    bytes.extend(encode_game(&games[0]));
    let mut reader = Reader::new(bytes).unwrap();
    assert_eq!(reader.games().collect::<Vec<_>>(), games);
    assert_eq!(reader.damage().bytes(), 0);
}
