//! Questions to the facade, answered on the spot.

use super::*;
use crate::board::text::parse_moves;
use crate::engine::opening::DOUBT;

/// An engine with this many nodes for an answer, and no limit of time.
fn engine(rule: Rule, nodes: i64) -> Engine {
    let mut engine = Engine::new();
    engine.options.rule = rule;
    engine.options.turn_ms = Some(-1);
    engine.options.nodes = nodes;
    engine.options.hash_kib = Some(4096);
    engine.start(BoardSize::square(15));
    engine
}

/// Stones on a board of 15, as a list of moves.
fn stones(moves: &str) -> Vec<Square> {
    parse_moves(moves, BoardSize::square(15)).unwrap()
}

/// Sets up a position whose stones came in turn.
fn set_up(engine: &mut Engine, moves: &[Square]) {
    let own = |index: usize| index % 2 == moves.len() % 2;
    let owner = |index| if own(index) { Owner::Own } else { Owner::Opponent };
    let list: Vec<_> = moves.iter().enumerate().map(|(at, &square)| (square, owner(at))).collect();
    engine.set_up(&list).unwrap();
}

/// Asks, and answers on the same thread.
fn ask(engine: &mut Engine, question: Question) -> (Decision, Outcome) {
    let job = engine.ask(question, Instant::now()).unwrap();
    let outcome = job.run(&mut ());
    (engine.answer(&outcome).unwrap(), outcome)
}

/// What a search thinks of the game's position after some more stones, for the side to move.
fn judge(engine: &Engine, moves: &[Square], nodes: i64) -> i32 {
    let mut judge = self::engine(engine.options.rule, nodes);
    set_up(&mut judge, &[engine.squares().unwrap(), moves.to_vec()].concat());
    let (_, outcome) = ask(&mut judge, Question::Move { lines: 1 });
    outcome.result.unwrap().score().unwrap().value()
}

#[test]
fn balance_moves_leave_what_was_wished() {
    // How far each choice is from the wish when it is judged by a longer search.
    let mut errors = Vec::new();
    for rule in Rule::ALL {
        for (moves, bias) in [
            ("h8h9", 0),
            ("c2c8d5", 0),
            ("c2c8d5h8", 0),
            ("c2c8d5h8", -100),
            ("h8i9g7n14", 100),
            ("c2c8d5h8", -50),
        ] {
            // A depth that is finished: an unfinished one knows few of the moves.
            let mut engine = engine(rule, 2_000_000);
            engine.options.depth = 8;
            set_up(&mut engine, &stones(moves));
            let (one, outcome) = ask(&mut engine, Question::BalanceOne(bias));
            let Decision::Move(mv) = one else { panic!("{one:?}") };
            let found = outcome.result.unwrap().score().unwrap().value();
            assert!((found - bias).abs() < 60, "{rule} {moves}: {mv} is worth {found}");
            errors.push((-judge(&engine, &[mv], 60_000) - bias).abs());

            let (two, outcome) = ask(&mut engine, Question::BalanceTwo(bias));
            let Decision::Two(first, second) = two else { panic!("{two:?}") };
            let found = outcome.result.unwrap().score().unwrap().value();
            assert!((found - bias).abs() < 60, "{rule} {moves}: {first} {second} is worth {found}");
            errors.push((judge(&engine, &[first, second], 60_000) - bias).abs());
            assert_eq!(engine.squares().unwrap(), stones(moves), "nothing was played");
        }
    }
    // Eight plies do not see everything: one in six may turn out otherwise.
    errors.sort_unstable();
    println!("{errors:?}");
    let mean = errors.iter().sum::<i32>() / 60;
    assert!(errors[59] < 300, "{errors:?}");
    assert!(mean < 75 && errors[50] < 160 && errors.len() == 60, "{mean} {errors:?}");
}

#[test]
fn a_pair_can_be_even_where_no_single_move_is() {
    let mut engine = engine(Rule::Freestyle, 60_000);
    // White to move against a stone in the middle is behind whatever it does.
    set_up(&mut engine, &stones("h8"));
    let (_, outcome) = ask(&mut engine, Question::BalanceOne(0));
    let one = outcome.result.unwrap().score().unwrap().value();
    let (_, outcome) = ask(&mut engine, Question::BalanceTwo(0));
    let two = outcome.result.unwrap().score().unwrap().value();
    assert!(one < -60 && two.abs() < 30, "{one} {two}");
}

/// What swap2 answers to these stones, and the score told with it.
fn swap2(moves: &str) -> (Decision, i32) {
    let mut engine = engine(Rule::Standard, 50_000);
    let (decision, outcome) = ask(&mut engine, Question::Opening(stones(moves)));
    (decision, outcome.result.unwrap().score().unwrap().value())
}

#[test]
fn swap2_takes_the_better_color_and_two_stones_in_doubt() {
    // Black has two stones side by side in the middle against one at the edge.
    let (decision, score) = swap2("h8a1h9");
    assert!(decision == Decision::Swap && score < -DOUBT, "{decision:?} {score}");
    // Black's stones stand in corners.
    let (decision, score) = swap2("a1h8o15");
    assert!(matches!(decision, Decision::Move(_)) && score > DOUBT, "{decision:?} {score}");
    // Five stones leave no other choice than a color.
    let (decision, _) = swap2("h8a1h9a15i9");
    assert_eq!(decision, Decision::Swap);
    let (decision, _) = swap2("a1h8o15h9a15");
    assert!(matches!(decision, Decision::Move(_)), "{decision:?}");
    // On a board where nobody can win nobody is ahead.
    let mut engine = engine(Rule::CaroExact, 50_000);
    engine.start(BoardSize::square(5));
    let (decision, outcome) = ask(&mut engine, Question::Opening(stones("a1b1e5")));
    let score = outcome.result.unwrap().score().unwrap().value();
    assert!(matches!(decision, Decision::Two(..)) && score.abs() < DOUBT, "{decision:?} {score}");
}

#[test]
fn several_lines_are_different_moves_best_first() {
    for rule in Rule::ALL {
        let mut engine = engine(rule, 30_000);
        set_up(&mut engine, &stones("h8i9g7n14"));
        let excluded = stones("h9g9");
        engine.excluded_mut().extend(&excluded);
        let (decision, outcome) = ask(&mut engine, Question::Move { lines: 5 });
        let result = outcome.result.unwrap();
        let firsts: Vec<Square> = result.lines.iter().map(|line| line.moves[0]).collect();
        assert_eq!(firsts.len(), 5, "{rule}");
        assert_eq!(decision, Decision::Move(firsts[0]));
        assert!(result.lines.is_sorted_by(|a, b| a.score >= b.score), "{rule} {result:?}");
        for (at, first) in firsts.iter().enumerate() {
            assert!(
                !excluded.contains(first) && !firsts[..at].contains(first),
                "{rule} {firsts:?}"
            );
        }
        assert!(result.nodes < 30_000 + 1_000, "{rule}: {} nodes", result.nodes);
    }
}

#[test]
fn the_second_line_is_the_best_move_when_the_first_is_excluded() {
    let mut engine = engine(Rule::Freestyle, 0);
    engine.options.depth = 4;
    let line = stones("h8i9g7n14");
    set_up(&mut engine, &line);
    let (_, outcome) = ask(&mut engine, Question::Move { lines: 2 });
    let lines = outcome.result.unwrap().lines;
    engine.restart().unwrap();
    set_up(&mut engine, &line);
    engine.excluded_mut().push(lines[0].moves[0]);
    let (decision, outcome) = ask(&mut engine, Question::Move { lines: 1 });
    assert_eq!(outcome.result.unwrap().depth, 4);
    assert_eq!(decision, Decision::Move(lines[1].moves[0]));
    // Everything is excluded: a move must be made all the same.
    set_up(&mut engine, &line);
    let size = engine.size().unwrap();
    engine.excluded_mut().extend(&crate::types::square::SquareSet::board(size));
    for question in [Question::Move { lines: 3 }, Question::BalanceOne(0), Question::BalanceTwo(0)]
    {
        let (decision, _) = ask(&mut engine, question.clone());
        assert!(!matches!(decision, Decision::Swap), "{question:?}");
        set_up(&mut engine, &line);
    }
}

#[test]
fn limits_of_nodes_and_depth_hold_for_every_question() {
    let mut engine = engine(Rule::Standard, 20_000);
    let questions = [
        Question::Move { lines: 1 },
        Question::Move { lines: 4 },
        Question::BalanceOne(0),
        Question::BalanceTwo(0),
        Question::Opening(stones("c2c8d5")),
        Question::Opening(stones("c2c8d5h8h9")),
    ];
    for question in questions {
        for (nodes, depth) in [(20_000, 0), (0, 3)] {
            (engine.options.nodes, engine.options.depth) = (nodes, depth);
            engine.restart().unwrap();
            set_up(&mut engine, &stones("c2c8d5j9"));
            let (_, outcome) = ask(&mut engine, question.clone());
            let result = outcome.result.unwrap();
            assert!(nodes == 0 || result.nodes < 21_000, "{question:?}: {} nodes", result.nodes);
            assert!(depth == 0 || result.depth == 3, "{question:?}: depth {}", result.depth);
        }
    }
}

#[test]
fn every_question_can_be_stopped_at_once() {
    let questions = [
        Question::Move { lines: 1 },
        Question::Move { lines: 20 },
        Question::BalanceOne(0),
        Question::BalanceTwo(0),
        Question::Opening(Vec::new()),
        Question::Opening(stones("c2c8d5")),
        Question::Opening(stones("c2c8d5h8h9")),
    ];
    for question in questions {
        for millis in [0, 30] {
            let mut engine = engine(Rule::Freestyle, 0);
            set_up(&mut engine, &stones("h8i9g7n14"));
            let job = engine.ask(question.clone(), Instant::now()).unwrap();
            let thread = std::thread::spawn(move || job.run(&mut ()));
            if millis > 0 {
                std::thread::sleep(Duration::from_millis(millis));
            }
            engine.stop();
            let stopped = Instant::now();
            let outcome = thread.join().unwrap();
            let late = stopped.elapsed();
            assert!(late < Duration::from_millis(500), "{question:?}: {late:?} after the stop");
            assert!(engine.answer(&outcome).is_some(), "{question:?}");
        }
    }
}
