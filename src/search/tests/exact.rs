//! What a search claims on small boards, against a solver that tries every move.
//!
//! Boards have 5 to 8 squares a side, walls among them, and so few empty squares that the exact
//! value can be had. A claim is a win or a loss with its distance: it must be true, and the true
//! distance no longer than the one claimed.

use std::collections::BTreeMap;

use super::solver::{MOST_SIDE, Solver, Value};
use super::*;
use crate::base::rng::Rng;
use crate::eval::Evaluation;
use crate::pattern::Combined;
use crate::testing::{cases, seed};

/// Moves the solver may try; positions that need more are passed over.
const SOLVER_MOVES: u64 = 60_000;

/// A random position of a rule that some way of play has led to, nobody having made five, with
/// its value.
fn any_solved(rng: &mut Rng, rule: Rule) -> (Position, Solver, Value) {
    loop {
        let Some(position) = any_position(rng, rule) else { continue };
        let mut solver = Solver::new(&position);
        if let Some(value) = solver.solve(&position, SOLVER_MOVES) {
            // Of what is seen at once a few are enough, of draws as well.
            let one_of = match value {
                Value::Win(plies) | Value::Loss(plies) if plies > 4 => 1,
                Value::Win(_) | Value::Loss(_) => 8,
                Value::Draw if solver.is_open(&position) => 10,
                Value::Draw => 40,
            };
            if rng.below(one_of) > 0 {
                continue;
            }
            return (position, solver, value);
        }
    }
}

fn any_position(rng: &mut Rng, rule: Rule) -> Option<Position> {
    let usual = [(5, 5), (6, 6), (6, 6), (5, 7), (7, 6), (7, 7), (8, 8)];
    let (width, height) = usual[rng.below(usual.len())];
    assert!(width.max(height) <= i64::from(MOST_SIDE));
    let size = BoardSize::try_new(width, height).unwrap();
    let evaluation = [Evaluation::Classical, Evaluation::Network][rng.below(2)];
    let mut position = Position::with(size, rule, evaluation);
    if rng.below(3) == 0 || size.area() > 40 {
        // A few walls anywhere, or what a finished five of a continuous game leaves.
        let squares: Vec<Square> = position.empty_squares().iter().collect();
        for _ in 0..rng.below(4) + size.area().saturating_sub(40) / 2 {
            position.wall(squares[rng.below(squares.len())]);
        }
        let row = u8::try_from(rng.below(usize::from(size.height()))).unwrap();
        for x in (0..5).filter(|_| rng.below(2) == 0) {
            position.wall(Square::new(x, row));
        }
    }
    // The eager side takes what looks best, the idle one anything; four in a row are left for
    // later, so that wins of some length come about.
    let eager = [Some(Color::Black), Some(Color::White), None][rng.below(3)];
    let (is_wild, is_quiet) = (rng.below(3) > 0, rng.below(5) > 0);
    let left = 6 + rng.below(13);
    while position.empty_squares().len() > left {
        let mut moves: Vec<Square> = position.empty_squares().iter().collect();
        let own = position.side_to_move();
        let most = if is_quiet { Combined::Four } else { Combined::Five };
        moves.retain(|&mv| {
            position.patterns().combined(own, mv) < most && !position.is_forbidden(mv)
        });
        if eager.is_none_or(|side| side == own) {
            moves.sort_by_key(|&mv| std::cmp::Reverse(position.move_score(mv)));
            moves.truncate(2 + rng.below(4));
        } else if is_wild {
            moves.sort_by_key(|&mv| position.move_score(mv));
            moves.truncate(moves.len().div_ceil(2));
        }
        if moves.is_empty() {
            return None;
        }
        position.play(moves[rng.below(moves.len())]);
        if is_wild && eager == Some(own) && rng.below(3) == 0 {
            position.set_side_to_move(own);
        }
    }
    Some(position)
}

/// Runs a search of some lines with limits, on some threads.
fn run_lines(
    position: &Position,
    table: &Table,
    limits: Limits,
    lines: usize,
    threads: usize,
) -> SearchResult {
    let control = Control::new(Deadline::unlimited(Instant::now()), limits.nodes);
    let task = Task { lines, threads, ..Task::new(position.clone(), limits) };
    run(task, table, &control, &mut ())
}

/// A position with the side to move said, for messages.
fn drawn(position: &Position) -> String {
    format!("{} {:?} to move\n{}", position.rule(), position.side_to_move(), position.board())
}

/// Holds a claim against the truth; by how many plies it is too long, if it claims anything.
fn check_claim(score: Score, truth: Value, say: &dyn Fn() -> String) -> Option<i32> {
    let claimed = score.distance()?;
    let real = match truth {
        Value::Win(plies) => plies,
        Value::Loss(plies) => -plies,
        Value::Draw => panic!("{score} claimed of a draw: {}", say()),
    };
    assert_eq!(claimed > 0, real > 0, "{score} claimed of {truth:?}: {}", say());
    assert!(claimed.abs() >= real.abs(), "{score} claimed of {truth:?}: {}", say());
    Some(claimed.abs() - real.abs())
}

/// The same for the score of a first move.
fn check_move(
    position: &Position,
    mv: Square,
    score: Score,
    solver: &mut Solver,
    say: &dyn Fn() -> String,
) {
    assert!(!position.clone().is_forbidden(mv), "{mv} {score} is a foul: {}", say());
    if position.makes_five(mv) {
        assert_eq!(score, Score::win_in(1), "{mv}: {}", say());
        return;
    }
    let mut after = position.clone();
    after.play(mv);
    if let Some(truth) = solver.solve(&after, 4 * SOLVER_MOVES) {
        let after = if score.is_win() { -score - 1 } else { -score + 1 };
        check_claim(after, truth, &|| format!("{score} for {mv}: {}", say()));
    }
}

/// Whether it ends by a five, which is the winner's move, and not by Black's having only fouls
/// left, which is the loser's.
fn is_by_five(truth: Value) -> bool {
    match truth {
        Value::Win(plies) => plies % 2 == 1,
        Value::Loss(plies) => plies % 2 == 0,
        Value::Draw => false,
    }
}

/// What the searches of many positions came to; first wins, then losses.
#[derive(Debug, Default)]
struct Figures {
    draws: usize,
    decided: [usize; 2],
    /// True lengths.
    lengths: [BTreeMap<i32, usize>; 2],
    /// Claims of what ends by a five.
    claims: [usize; 2],
    /// Those of the true length.
    exact: [usize; 2],
    /// Wins and losses by fives that a search just as deep as they are long finds; or two plies
    /// deeper; or at the greatest depth.
    by_fives: [usize; 2],
    found: [[usize; 3]; 2],
    /// The same for wins and losses because Black has only fouls left.
    by_fouls: [usize; 2],
    found_fouls: [[usize; 3]; 2],
}

impl Figures {
    /// Searches a position with a few limits and looks at what is claimed.
    fn check(&mut self, rng: &mut Rng, table: &mut Table, solved: (Position, Solver, Value)) {
        let (position, mut solver, truth) = solved;
        if rng.below(2) == 0 {
            table.new_game();
        }
        let two_threads = (rng.below(8) == 0).then_some((2000, 1, 2));
        let searches = [(1, 1, 1), (400, 1, 1), (400, 3, 1), (6000, 1, 1)];
        for (nodes, lines, threads) in searches.into_iter().chain(two_threads) {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let result = run_lines(&position, table, limits, lines, threads);
            let say = || format!("{nodes} nodes, {threads} threads, {}", drawn(&position));
            let more = result.score().and_then(|score| check_claim(score, truth, &say));
            if let Some(more) = more.filter(|_| is_by_five(truth)) {
                let kind = usize::from(matches!(truth, Value::Loss(_)));
                self.claims[kind] += 1;
                self.exact[kind] += usize::from(more == 0);
            }
            for line in result.lines.iter().filter(|line| line.score.is_decided()) {
                // Where Black has only fouls left the score is no claim about a square.
                let is_foul = line.score == Score::loss_in(1);
                if let Some(&mv) = line.moves.first().filter(|_| !is_foul) {
                    check_move(&position, mv, line.score, &mut solver, &say);
                }
            }
        }
        self.look_for(&position, table, truth);
    }

    /// Looks how deep a search must be to find out the truth.
    fn look_for(&mut self, position: &Position, table: &mut Table, truth: Value) {
        let (kind, plies) = match truth {
            Value::Win(plies) => (0, plies),
            Value::Loss(plies) => (1, plies),
            Value::Draw => {
                self.draws += 1;
                return;
            }
        };
        self.decided[kind] += 1;
        *self.lengths[kind].entry(plies).or_default() += 1;
        // The only move that stops a five is made without a search.
        if matches!(look_at(&mut position.clone()), Outlook::Forced(_)) {
            return;
        }
        let (count, found) = if is_by_five(truth) {
            (&mut self.by_fives[kind], &mut self.found[kind])
        } else {
            (&mut self.by_fouls[kind], &mut self.found_fouls[kind])
        };
        *count += 1;
        for (found, depth) in found.iter_mut().zip([plies, plies + 2, 60]) {
            table.new_game();
            let limits = Limits { depth: Some(depth), nodes: Some(500_000), ..Limits::default() };
            let result = run_lines(position, table, limits, 1, 1);
            let is_found = result.score().is_some_and(Score::is_decided);
            *found += usize::from(is_found);
            if !is_found && is_by_five(truth) {
                println!("{truth:?} not seen at depth {depth}: {}", drawn(position));
            }
        }
    }
}

#[test]
fn claims_on_small_boards_are_true_and_what_is_decided_is_found() {
    for rule in Rule::ALL {
        let mut rng = Rng::new(seed(81));
        let mut figures = Figures::default();
        let mut table = Table::new(1 << 20);
        for _ in 0..cases(100) {
            let solved = any_solved(&mut rng, rule);
            figures.check(&mut rng, &mut table, solved);
        }
        println!("{rule}: {figures:?}");
        for kind in 0..2 {
            // A win that is found ends the search, the shortest or not: where White has to reckon
            // with fouls, one loss in six is claimed later than it comes.
            let (claims, exact) = (figures.claims[kind], figures.exact[kind]);
            let least = [90, 75][kind];
            assert!(claims > cases(40) && exact * 100 >= claims * least, "{rule}: {figures:?}");
            let (decided, found) = (figures.by_fives[kind], figures.found[kind]);
            assert!(found[0] * 100 >= decided * 97, "{rule}: {figures:?}");
            assert_eq!(found[2], decided, "{rule}: {figures:?}");
        }
    }
}

#[test]
fn the_even_move_is_no_decided_one_where_others_are_not() {
    for rule in Rule::ALL {
        let mut rng = Rng::new(seed(82));
        let (mut claims, mut choices) = (0, 0);
        for _ in 0..cases(60) {
            let (position, mut solver, _) = any_solved(&mut rng, rule);
            let bias = [0, 0, 100, -300][rng.below(4)];
            // To a depth, or broken off somewhere.
            let (depth, nodes) = match rng.below(12) {
                depth @ 1..=6 => (i32::try_from(depth).ok(), None),
                slices => (None, Some(256 * (1 + slices as u64))),
            };
            let limits = Limits { depth, nodes, ..Limits::default() };
            let control = Control::new(Deadline::unlimited(Instant::now()), nodes);
            let excluded = Vec::new();
            let task = Task { excluded, ..Task::new(position.clone(), limits) };
            let result = run_even(&task, bias, &Table::new(1 << 18), &control, &mut ());
            let say = || format!("{bias} {limits:?} {result:?} {}", drawn(&position));
            let best = result.best().unwrap();
            // Fives and fouls are no choice where there is another move.
            let mut fit = legal(&mut position.clone());
            fit.retain(|&mv| !position.makes_five(mv));
            assert!(fit.contains(&best) || fit.is_empty(), "{}", say());
            let Some(score) = result.score().filter(|score| score.is_decided()) else { continue };
            if fit.is_empty() {
                continue;
            }
            claims += 1;
            check_move(&position, best, score, &mut solver, &say);
            let values = fit.into_iter().map(|mv| {
                let after = position.clone().with_move(mv, |after| after.clone());
                solver.solve(&after, 4 * SOLVER_MOVES)
            });
            let values: Vec<Option<Value>> = values.collect();
            choices += usize::from(!values.contains(&None));
            assert!(!values.contains(&Some(Value::Draw)), "{}", say());
        }
        println!("{rule}: {claims} decided, {choices} with all moves solved");
        assert!(claims > 0, "{rule}");
    }
}
