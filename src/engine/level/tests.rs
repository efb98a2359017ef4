//! Levels against the rules, against brute force, and against themselves.

use std::time::Instant;

use super::*;
use crate::board::Board;
use crate::engine::Engine;
use crate::engine::decision::Question;
use crate::engine::game::Owner;
use crate::rule::win::winning_row;
use crate::types::rule::Rule;
use crate::types::size::BoardSize;

/// An engine of a level, with no limit but the level's own.
fn engine(rule: Rule, number: i64) -> Engine {
    let mut engine = Engine::new();
    engine.options.rule = rule;
    engine.options.turn_ms = Some(-1);
    engine.options.hash_kib = Some(1024);
    engine.options.level = Level::new(number).unwrap();
    engine.start(BoardSize::square(15));
    engine
}

/// Sets up stones that came in turn, Black's first.
fn set_up(engine: &mut Engine, moves: &[Square]) {
    let own = |index: usize| index % 2 == moves.len() % 2;
    let owner = |index| if own(index) { Owner::Own } else { Owner::Opponent };
    let list: Vec<_> = moves.iter().enumerate().map(|(at, &square)| (square, owner(at))).collect();
    engine.set_up(&list).unwrap();
}

fn ask(engine: &mut Engine, question: Question) -> (Decision, Outcome) {
    let job = engine.ask(question, Instant::now()).unwrap();
    let outcome = job.run(&mut ());
    (engine.answer(&outcome).unwrap(), outcome)
}

/// The move a fresh engine of a level makes after these.
fn reply(engine: &mut Engine, moves: &[Square]) -> Square {
    set_up(engine, moves);
    match ask(engine, Question::Move { lines: 1 }).0 {
        Decision::Move(mv) => mv,
        other => panic!("{other:?}"),
    }
}

/// Random stones close together, none of which wins or is a foul.
fn opening(rule: Rule, count: usize, rng: &mut Rng) -> Vec<Square> {
    let mut position = Position::new(BoardSize::square(15), rule);
    let mut moves = Vec::new();
    while moves.len() < count {
        let near = position.board().candidates();
        let square = near.iter().nth(rng.below(near.len())).unwrap();
        if !position.makes_five(square) && !position.is_forbidden(square) {
            position.play(square);
            moves.push(square);
        }
    }
    moves
}

/// Where a stone of a color wins at once, by the rules alone.
fn fives(rule: Rule, board: &Board, color: Color) -> Vec<Square> {
    let mut board = board.clone();
    let empty = *board.empty();
    let wins = |square: &Square| {
        board.set_side_to_move(color);
        board.place(*square, &mut ());
        let row = winning_row(rule, &board, *square);
        board.remove(&mut ());
        row.is_some()
    };
    empty.iter().filter(wins).collect()
}

#[test]
fn levels_are_numbered_one_to_eight() {
    let numbers: Vec<u8> = Level::all().map(Level::number).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7, 8]);
    for number in [i64::MIN, -1, 0, 9, 257, 264, i64::MAX] {
        assert_eq!(Level::new(number), None, "{number}");
    }
    assert_eq!(Level::default(), Level::new(8).unwrap());
    let strengths: Vec<bool> = Level::all().map(|level| level.strength().is_some()).collect();
    assert_eq!(strengths, [true, true, true, true, true, true, true, false]);
}

#[test]
fn a_move_that_is_worse_by_the_doubt_comes_half_as_often() {
    for doubt in [1, 7, 40, 250] {
        assert_eq!(weight(0, doubt), 65_536);
        assert_eq!(weight(doubt, doubt), 32_768);
        assert_eq!(weight(3 * doubt, doubt), 8_192);
        assert_eq!(weight(i32::MAX, doubt), 0);
    }
    for worse in 0..160 {
        let exact = 65_536.0 * 2f64.powf(-f64::from(worse) / 16.0);
        let found = f64::from(u32::try_from(weight(worse, 16)).unwrap());
        assert!((found - exact).abs() <= 1.0, "{worse}: {found} for {exact}");
    }
    let mut rng = Rng::new(5);
    let mut drawn = [0; 4];
    for _ in 0..16_000 {
        drawn[draw(&[4, 0, 3, 1], &mut rng)] += 1;
    }
    assert_eq!(drawn[1], 0);
    for (found, expected) in drawn.into_iter().zip([8_000_i32, 0, 6_000, 2_000]) {
        assert!((found - expected).abs() < 250, "{drawn:?}");
    }
    assert_eq!(draw(&[0, 0], &mut rng), 0);
}

#[test]
fn proven_scores_are_not_left_to_chance() {
    use crate::base::score::Score;
    let line = |score| Line { score, moves: vec![Square::new(7, 7)] };
    let mut rng = Rng::new(9);
    let winning = [line(Score::win_in(5)), line(Score::win_in(7)), line(Score::eval(900))];
    let losing = [line(Score::eval(-900)), line(Score::loss_in(4)), line(Score::loss_in(2))];
    let lost = [line(Score::loss_in(8)), line(Score::loss_in(6))];
    for lines in [&winning[..], &losing, &lost] {
        assert!((0..200).all(|_| choose(lines, 100_000, &mut rng) == 0));
    }
    let alike = [line(Score::eval(10)), line(Score::eval(5))];
    let second = (0..200).filter(|_| choose(&alike, 100, &mut rng) == 1).count();
    assert!((50..150).contains(&second), "{second}");
}

/// Games of each level against itself under each rule: every move is legal and near the stones,
/// makes a five where there is one, stops one that can be stopped; from level 2 on, what would
/// become an open four is answered.
#[test]
fn no_level_plays_nonsense() {
    let mut rng = Rng::new(2026);
    for rule in Rule::ALL {
        for number in 1..=6 {
            let mut engine = engine(rule, number);
            engine.options.seed = number;
            let mut moves = opening(rule, 5, &mut rng);
            for _ in 0..30 {
                let mut position = Position::new(BoardSize::square(15), rule);
                for &mv in &moves {
                    position.play(mv);
                }
                let before = position.board().clone();
                let color = before.side_to_move();
                let mv = reply(&mut engine, &moves);
                let said = format!("{rule}, level {number}: {mv}\n{before}");
                assert!(position.is_empty(mv) && !position.is_forbidden(mv), "{said}");
                assert!(before.candidates().contains(mv), "far away: {said}");
                let (own, other) =
                    (fives(rule, &before, color), fives(rule, &before, color.opponent()));
                let sensible = choices(&mut position);
                let is_foul = other.iter().any(|&square| position.is_forbidden(square));
                position.play(mv);
                moves.push(mv);
                if !own.is_empty() {
                    assert!(own.contains(&mv), "a five was there: {said}");
                    break;
                }
                if !other.is_empty() {
                    let left = fives(rule, position.board(), color.opponent());
                    assert!(is_foul || left.len() < other.len(), "a five: {said}");
                } else if number > 1
                    && let Some(sensible) = sensible.filter(|squares| !squares.is_empty())
                {
                    assert!(sensible.contains(mv), "an open four: {said}");
                }
            }
        }
    }
}

#[test]
fn a_position_level_and_seed_make_a_move_whatever_was_played_before() {
    let mut rng = Rng::new(77);
    for rule in [Rule::Freestyle, Rule::Renju] {
        for number in 1..=7 {
            let moves = opening(rule, 7, &mut rng);
            let mut fresh = engine(rule, number);
            let first = reply(&mut fresh, &moves);
            let mut used = engine(rule, number);
            used.options.threads = 4;
            for _ in 0..3 {
                let other = opening(rule, 9, &mut rng);
                reply(&mut used, &other);
            }
            assert_eq!(reply(&mut used, &moves), first, "{rule}, level {number}");
        }
    }
    // Other seeds choose other moves, where there is something to choose.
    let quiet = opening(Rule::Freestyle, 6, &mut rng);
    let mut found = SquareSet::EMPTY;
    for seed in 0..30 {
        let mut engine = engine(Rule::Freestyle, 1);
        engine.options.seed = seed;
        found.insert(reply(&mut engine, &quiet));
    }
    assert!(found.len() > 2, "{} moves", found.len());
}

#[test]
fn full_strength_and_analysis_are_what_they_were() {
    let moves = opening(Rule::Standard, 6, &mut Rng::new(3));
    let result = |level: Option<i64>, question| {
        let mut engine = engine(Rule::Standard, level.unwrap_or(8));
        if level.is_none() {
            engine.options.level = crate::engine::options::Options::default().level;
        }
        engine.options.nodes = 30_000;
        set_up(&mut engine, &moves);
        let (decision, outcome) = ask(&mut engine, question);
        (decision, outcome.result)
    };
    let one = || Question::Move { lines: 1 };
    assert_eq!(result(Some(8), one()), result(None, one()));
    for question in [Question::Move { lines: 3 }, Question::BalanceOne(0)] {
        assert_eq!(result(Some(1), question.clone()), result(None, question));
    }
}

#[test]
fn levels_keep_to_their_nodes_and_to_fewer_if_told_so() {
    let mut rng = Rng::new(8);
    for number in 1..=7 {
        let moves = opening(Rule::Freestyle, 6, &mut rng);
        let most = Level::new(number).unwrap().nodes().unwrap();
        for (limit, most) in [(0, most), (1_000, most.min(1_000))] {
            let mut engine = engine(Rule::Freestyle, number);
            engine.options.nodes = limit;
            set_up(&mut engine, &moves);
            let (_, outcome) = ask(&mut engine, Question::Move { lines: 1 });
            let nodes = outcome.result.map_or(0, |result| result.nodes);
            assert!(nodes < most + 700, "level {number}: {nodes} nodes");
        }
    }
}

#[test]
fn squares_that_are_excluded_are_played_at_no_level() {
    let moves = opening(Rule::Freestyle, 6, &mut Rng::new(4));
    for number in 1..=7 {
        let mut engine = engine(Rule::Freestyle, number);
        for _ in 0..6 {
            let mv = reply(&mut engine, &moves);
            assert!(!engine.excluded_mut().contains(&mv), "level {number}: {mv}");
            engine.excluded_mut().push(mv);
        }
    }
}

/// The beginner lets some open threes pass, but by far not all.
#[test]
fn the_beginner_overlooks_an_open_three_now_and_then() {
    let threes = crate::board::text::parse_moves("h8a1i8o1", BoardSize::square(15)).unwrap();
    let last = Square::new(9, 7);
    let mut missed = 0;
    for seed in 0..100 {
        let mut engine = engine(Rule::Freestyle, 1);
        engine.options.seed = seed;
        let mv = reply(&mut engine, &[&threes[..], &[last]].concat());
        // h8, i8 and j8 stand: stopped on the row, from e8 to m8.
        missed += usize::from(mv.y() != 7);
    }
    assert!((5..45).contains(&missed), "{missed} of 100");
}
