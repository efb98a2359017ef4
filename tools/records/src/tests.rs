//! Record files as a whole: round trips, damage, continued files.

use std::fs;

use tengen::base::rng::Rng;
use tengen::base::score::Score;
use tengen::types::color::Color;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

use crate::format::{encode_game, encode_note, v1};
use crate::{End, Game, Move, Reader, Writer, encode_file};

/// A number that files keep as it is, up to 20 * 2^4.
fn round(rng: &mut Rng) -> i32 {
    let number = i32::try_from(16 + rng.below(16)).unwrap() << rng.below(5);
    [number, -number, number % 16][rng.below(3)]
}

/// A score that files keep as it is.
fn round_score(rng: &mut Rng) -> Score {
    let plies = i32::try_from(rng.below(79)).unwrap();
    match rng.below(4) {
        0 => Score::win_in(plies),
        1 => Score::loss_in(plies),
        _ => Score::eval(round(rng)),
    }
}

/// A game of random squares and of scores and depths that files keep as they are.
pub(crate) fn random_game(rng: &mut Rng, number: u64) -> Game {
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
    let moves = (0..count)
        .map(|at| {
            // Some moves are not searched.
            if at < opening || rng.below(8) == 0 {
                return Move::plain(squares[at]);
            }
            let score = round_score(rng);
            let second = (with_second && rng.below(3) == 0).then(|| {
                let other = match round_score(rng) {
                    gap if gap.is_decided() || score.is_decided() => gap,
                    gap => Score::eval(score.value() + gap.value()),
                };
                (squares[at + rng.below(squares.len() - at)], other)
            });
            let depth = if with_depth { u8::try_from(rng.below(30)).unwrap() } else { 0 };
            Move { square: squares[at], score: Some(score), depth, second }
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

type Encode = fn(&Game) -> Vec<u8>;

/// How a game becomes a frame, by version.
const ENCODERS: [(u8, Encode); 2] = [(1, v1::encode_game), (2, encode_game)];

/// A file of either version.
fn file_of(version: u8, note: &str, games: &[Game]) -> Vec<u8> {
    let mut bytes = encode_file(note, []);
    bytes[6] = version;
    let encode = ENCODERS[usize::from(version) - 1].1;
    bytes.extend(games.iter().flat_map(encode));
    bytes
}

#[test]
fn games_survive_a_round_trip_in_both_versions() {
    let games = random_games(1, 300);
    for version in [1, 2] {
        let bytes = file_of(version, "three hundred", &games);
        assert!(version == 1 || bytes == encode_file("three hundred", &games));
        let mut reader = Reader::new(bytes).unwrap();
        assert_eq!(reader.games().collect::<Vec<_>>(), games);
        assert_eq!(reader.version(), u16::from(version));
        assert_eq!(reader.notes(), ["three hundred"]);
        assert_eq!(reader.damage().bytes(), 0);
    }
}

#[test]
fn a_file_that_version_1_wrote_is_read() {
    // Bytes of a file made when there was no other version.
    let bytes = include_bytes!("tests/version1.rec").to_vec();
    let mut reader = Reader::new(bytes).unwrap();
    let game = reader.next_game().unwrap();
    assert_eq!(reader.version(), 1);
    assert_eq!(reader.notes().len(), 1);
    assert!(reader.notes()[0].starts_with("datagen tengen=0.1.0 rule=freestyle size=15x15"));
    let told = |mv: &Move| {
        let searched = mv.score.map(|score| format!(" {score} {}", mv.depth));
        let second = mv.second.map(|(square, score)| format!(" or {square} {score}"));
        format!("{}{}{}", mv.square, searched.unwrap_or_default(), second.unwrap_or_default())
    };
    let expected = "12,1; 8,4; 11,8; 5,2; 10,9 23 5 or 10,8 36; 13,6; 11,10 229 5; \
                    9,8 -257 4; 10,11 210 4; 11,9 -M8 4; 10,10 +M7 5 or 9,10 +M7; 10,8 -M6 2";
    assert_eq!(game.moves.iter().map(told).collect::<Vec<_>>().join("; "), expected);
    assert_eq!((game.number, game.rule, game.opening), (24, Rule::Freestyle, 4));
    assert_eq!((game.winner, game.end), (Some(Color::Black), End::Adjudicated));
    assert_eq!(reader.next_game(), None);
    assert_eq!(reader.damage().bytes(), 0);
}

#[test]
fn a_file_cut_off_anywhere_keeps_what_was_whole() {
    let games = random_games(3, 4);
    for (version, encode) in ENCODERS {
        let bytes = file_of(version, "cut", &games);
        let mut ends = vec![bytes.len()];
        for game in games.iter().rev() {
            ends.push(ends.last().unwrap() - encode(game).len());
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
}

#[test]
fn a_changed_byte_costs_one_game_at_most() {
    let games = random_games(4, 6);
    for (version, _) in ENCODERS {
        let bytes = file_of(version, "changed", &games);
        let mut rng = Rng::new(5);
        for _ in 0..2000 {
            let mut changed = bytes.clone();
            let at = 8 + rng.below(bytes.len() - 8);
            changed[at] ^= u8::try_from(1 + rng.below(255)).unwrap();
            let mut reader = Reader::new(changed).unwrap();
            let found: Vec<Game> = reader.games().collect();
            assert!(found.len() >= games.len() - 1, "byte {at}");
            assert!(found.iter().all(|game| games.contains(game)), "byte {at}");
            assert!(reader.damage().bytes() > 0, "byte {at}");
        }
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
            let byte = [0xd7, 0x4a, 2, 1, 0, rng.below(256)][rng.below(6)];
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
    for (version, encode) in ENCODERS {
        let good = encode(&games[0]);
        let mut rng = Rng::new(8);
        let mut refused = 0;
        for _ in 0..2000 {
            let mut body = good[8..].to_vec();
            let at = rng.below(body.len().min(40));
            body[at] ^= u8::try_from(1 + rng.below(255)).unwrap();
            let mut frame = good[..4].to_vec();
            frame.extend(crc32fast::hash(&body).to_le_bytes());
            frame.extend(&body);
            let mut bytes = file_of(version, "fields", &[]);
            bytes.extend(&frame);
            bytes.extend(encode(&games[1]));
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
                // What is read can be written.
                encode_game(game);
            }
            refused += usize::from(reader.damage().lost > 0);
        }
        assert!(refused > 100, "{refused}");
    }
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
fn a_file_of_version_1_is_not_continued() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.rec");
    let bytes = file_of(1, "old", &random_games(12, 2));
    fs::write(&path, &bytes).unwrap();
    let mut reader = Reader::open(&path).unwrap();
    assert_eq!(reader.games().count(), 2);
    let error = Writer::resume(&path, &reader).unwrap_err();
    assert_eq!(error.to_string(), "expected a file of version 2 to continue, got 1");
    assert_eq!(fs::read(&path).unwrap(), bytes);
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
