use std::time::Instant;

use super::shortcut::{Outlook, look};
use super::*;
use crate::base::control::Deadline;
use crate::board::text::{marked, move_name, parse_moves};
use crate::rule::win::winning_row;
use crate::testing::shared_lines;
use crate::types::color::Color;
use crate::types::size::BoardSize;

mod exact;
mod exhaustive;
mod judge;
mod replay;
mod sharing;
mod solver;
mod symmetry;

/// Runs a search with a number of nodes.
fn search(position: &Position, table: &Table, nodes: u64) -> SearchResult {
    let control = Control::new(Deadline::unlimited(Instant::now()), Some(nodes));
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let position = position.clone();
    let task = Task::new(position, limits);
    run(task, table, &control, &mut ())
}

/// The position after a list of moves.
fn position(rule: Rule, side: u8, moves: &str) -> Position {
    let size = BoardSize::square(side);
    let mut position = Position::new(size, rule);
    for mv in parse_moves(moves, size).unwrap() {
        position.play(mv);
    }
    position
}

/// What the kind of search of this position's rule sees at once.
fn look_at(position: &mut Position) -> Outlook {
    match position.rule() {
        Rule::Freestyle | Rule::Standard => look::<Plain>(position),
        Rule::Renju => look::<Renju>(position),
        Rule::Caro | Rule::CaroExact => look::<Caro>(position),
    }
}

/// Every square that may be played.
fn legal(position: &mut Position) -> Vec<Square> {
    let empty = position.empty_squares();
    empty.iter().filter(|&square| !position.is_forbidden(square)).collect()
}

/// Whether the side to move wins within some plies against every defense: its moves are the
/// engine's, the other side's are all legal ones.
fn win_is_real(position: &mut Position, table: &Table, plies: i32, budget: &mut u32) -> bool {
    *budget = budget.saturating_sub(1);
    if plies < 1 || *budget == 0 {
        return *budget == 0;
    }
    // The way found from here may be a longer one, but a win it must be. A forced move is
    // answered without looking further.
    let is_forced = matches!(look_at(position), Outlook::Forced(_));
    let is_win = |result: &SearchResult| is_forced || result.score().is_some_and(Score::is_win);
    let mut result = search(position, table, 200_000);
    if !is_win(&result) {
        result = search(position, table, 3_000_000);
    }
    let Some(mv) = result.best().filter(|_| is_win(&result)) else { return false };
    if position.is_forbidden(mv) {
        return false;
    }
    position.play(mv);
    let mut holds = winning_row(position.rule(), position.board(), mv).is_some();
    if !holds {
        let replies = legal(position);
        holds = replies.into_iter().all(|reply| {
            position.play(reply);
            let lost = winning_row(position.rule(), position.board(), reply).is_some();
            // Most replies leave a five standing, which needs no search.
            let empty = position.empty_squares();
            let five = !lost && empty.iter().any(|square| position.makes_five(square));
            let holds = !lost && (five || win_is_real(position, table, plies - 2, budget));
            position.undo();
            holds
        });
    }
    position.undo();
    holds
}

#[test]
fn claimed_wins_hold_against_every_defense() {
    let mut checked = 0;
    let mut table = Table::new(32 << 20);
    for (index, line) in shared_lines("tactics/win.txt").into_iter().enumerate() {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let rule = match &fields[0][..1] {
            "0" => Rule::Freestyle,
            "1" => Rule::Standard,
            _ => Rule::Renju,
        };
        if index % 3 != 0 {
            continue;
        }
        let mut position = position(rule, fields[0][2..].parse().unwrap(), fields[1]);
        table.new_game();
        let result = search(&position, &table, 200_000);
        let Some(plies) =
            result.score().and_then(Score::distance).filter(|&d| (1..=19).contains(&d))
        else {
            continue;
        };
        checked += 1;
        let mut budget = 400;
        assert!(
            win_is_real(&mut position, &table, plies + 20, &mut budget),
            "win in {plies}: {line}"
        );
    }
    println!("{checked} claims replayed");
    assert!(checked == 0 || checked > 8, "too few claims: {checked}");
}

#[test]
fn tactical_positions_are_solved_within_a_number_of_nodes() {
    for (file, least) in [("tactics/win.txt", 95), ("tactics/def.txt", 85)] {
        let lines = shared_lines(file);
        let mut table = Table::new(32 << 20);
        let mut solved = 0;
        for line in &lines {
            let fields: Vec<&str> = line.split('|').map(str::trim).collect();
            let rule = match &fields[0][..1] {
                "0" => Rule::Freestyle,
                "1" => Rule::Standard,
                _ => Rule::Renju,
            };
            let position = position(rule, fields[0][2..].parse().unwrap(), fields[1]);
            table.new_game();
            let result = search(&position, &table, 100_000);
            let best = result.best().map(move_name).unwrap();
            let good = parse_moves(fields[2], position.size()).unwrap();
            let hit = good.into_iter().map(move_name).any(|name| name == best);
            // Another move may win as well; a claim is proof.
            let claimed = result.score().is_some_and(Score::is_win);
            if hit || claimed {
                solved += 1;
            } else {
                println!("{file}: {best}, not {}: {}", fields[2], fields[1]);
            }
        }
        assert!(solved * 100 >= lines.len() * least, "{file}: {solved} of {}", lines.len());
    }
}

#[test]
fn the_same_search_twice_is_the_same_in_a_new_game() {
    for (rule, moves) in [
        (Rule::Freestyle, "g4b4h8g7b10h11e9e10h5f11i6j7h7"),
        (Rule::Renju, "g10f8k14d10e9e10d8f10f11g9"),
        (Rule::CaroExact, "f3d5e6g4e2e3f4f5c5g7g6d6d8e9i5f9"),
    ] {
        let position = position(rule, 15, moves);
        let mut table = Table::new(1 << 20);
        let first = search(&position, &table, 60_000);
        // Something else in between, which leaves the table full.
        search(&self::position(rule, 15, "h8h9i9"), &table, 60_000);
        table.new_game();
        assert_eq!(search(&position, &table, 60_000), first, "{rule}");
        assert_eq!(search(&position, &Table::new(1 << 20), 60_000), first, "{rule}");
    }
}

#[test]
fn a_legal_move_is_found_whatever_the_limits() {
    let size = BoardSize::square(15);
    let table = Table::new(1 << 20);
    for rule in Rule::ALL {
        for moves in ["", "h8", "a1o15", "h8i9g7j10"] {
            let mut position = Position::new(size, rule);
            for mv in parse_moves(moves, size).unwrap() {
                position.play(mv);
            }
            for (nodes, hard) in [(1, None), (u64::MAX, Some(std::time::Duration::ZERO))] {
                let start = Instant::now();
                let control =
                    Control::new(Deadline { start, soft: hard, hard, is_share: true }, Some(nodes));
                let limits = Limits::default();
                let task = Task {
                    lines: 3,
                    excluded: vec![Square::new(7, 7)],
                    threads: 2,
                    ..Task::new(position.clone(), limits)
                };
                let best = run(task, &table, &control, &mut ()).best();
                let legal = best.is_some_and(|mv| position.is_empty(mv) && mv != Square::new(7, 7));
                assert!(legal || moves.is_empty(), "{rule} {moves} {best:?}");
                assert!(start.elapsed().as_millis() < 500);
            }
        }
    }
}

#[test]
fn exclusions_that_leave_nothing_give_way_but_fouls_do_not() {
    // The first square of all, a1, would be six in a row.
    let moves = "b1o15c1n15d1o13e1m15f1o11c3k15";
    let mut position = position(Rule::Renju, 15, moves);
    assert!(position.is_forbidden(Square::new(0, 0)));
    let excluded = position.empty_squares().iter().collect();
    let limits = Limits { nodes: Some(1000), ..Limits::default() };
    let control = Control::new(Deadline::unlimited(Instant::now()), limits.nodes);
    let task = Task { excluded, ..Task::new(position.clone(), limits) };
    let best = run(task, &Table::new(1 << 20), &control, &mut ()).best().unwrap();
    assert!(position.board().candidates().contains(best), "{best} is far from all stones");
    assert!(!position.is_forbidden(best), "{best} is a foul");
}

#[test]
fn a_search_that_leaves_moves_out_proves_nothing_about_the_position() {
    let mut position = position(Rule::Freestyle, 15, "h10h8i10i8l12j8");
    let size = position.size();
    let excluded = parse_moves("f8g8k8l8", size).unwrap();
    let table = Table::new(1 << 20);
    for (lines, excluded) in [(1, excluded), (3, Vec::new())] {
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let control = Control::new(Deadline::unlimited(Instant::now()), limits.nodes);
        let task = Task { lines, excluded, ..Task::new(position.clone(), limits) };
        run(task, &table, &control, &mut ());
        if let Some(entry) = table.probe(position.key()) {
            assert!(!entry.score.is_loss(), "{entry:?}");
        }
    }
    // The same position with all its moves is not lost within the claimed plies.
    assert!(!matches!(look_at(&mut position), Outlook::Lost(_)));
}

#[test]
fn a_five_is_a_win_in_one_in_a_search_of_several_lines() {
    for rule in Rule::ALL {
        // Both sides have a four, so whoever plays on after the five is lost.
        let position = position(rule, 15, "h8a1i8b1j8c1k8d1");
        let limits = Limits { nodes: Some(5000), ..Limits::default() };
        let control = Control::new(Deadline::unlimited(Instant::now()), limits.nodes);
        let task = Task { lines: 3, ..Task::new(position.clone(), limits) };
        let lines = run(task, &Table::new(1 << 20), &control, &mut ()).lines;
        for mv in ["g8", "l8"] {
            let mv = parse_moves(mv, position.size()).unwrap();
            let five = Line { score: Score::win_in(1), moves: mv };
            assert!(lines[..2].contains(&five), "{rule} {lines:?}");
        }
        assert!(lines[2].score < Score::win_in(1), "{rule} {lines:?}");
    }
}

#[test]
fn what_is_in_sight_after_the_only_move_that_stops_a_five_is_seen() {
    let drawing = "X O X X . O
                   # # # # # O
                   . O . O . O
                   . . X O X .
                   X . O . . O
                   . . # . . #";
    for rule in Rule::ALL {
        let mut position = Position::new(BoardSize::square(6), rule);
        for square in marked(drawing, '#') {
            position.wall(square);
        }
        for (mark, color) in [('X', Color::Black), ('O', Color::White)] {
            for square in marked(drawing, mark) {
                position.set_side_to_move(color);
                position.play(square);
            }
        }
        position.set_side_to_move(Color::Black);
        // Black must play at the right edge; then White makes two fours in the row above.
        let result = search(&position, &Table::new(1 << 20), 10_000);
        let expected = (Some(Square::new(5, 3)), Some(Score::loss_in(4)));
        assert_eq!((result.best(), result.score()), expected, "{rule}");
    }
}

#[test]
fn black_is_lost_when_only_forbidden_squares_are_left() {
    // `X X X . X X # .`, all else is wall: White waits on the right, and Black has only an
    // overline left.
    let mut position = Position::new(BoardSize::try_new(8, 5).unwrap(), Rule::Renju);
    let (gap, waiting) = (Square::new(3, 0), Square::new(7, 0));
    for square in &position.empty_squares() {
        if square.y() > 0 || square.x() == 6 {
            position.wall(square);
        }
    }
    for x in [0, 1, 2, 4, 5] {
        position.set_side_to_move(Color::Black);
        position.play(Square::new(x, 0));
    }
    let result = search(&position, &Table::new(1 << 20), 10_000);
    assert_eq!((result.best(), result.score()), (Some(waiting), Some(Score::win_in(2))));
    position.play(waiting);
    let result = search(&position, &Table::new(1 << 20), 10_000);
    assert_eq!((result.best(), result.score()), (Some(gap), Some(Score::loss_in(1))));
}

#[test]
fn black_is_lost_when_its_only_defense_is_forbidden() {
    // White makes five at the corner of two black threes: Black may not play there.
    let mut position = Position::new(BoardSize::square(15), Rule::Renju);
    let black = ["h8", "f6", "f7", "h7", "g2", "o1"];
    let white = ["g6", "g5", "g4", "g3", "a1"];
    for (index, &mv) in black.iter().enumerate() {
        position.play(parse_moves(mv, position.size()).unwrap()[0]);
        if let Some(mv) = white.get(index) {
            position.play(parse_moves(mv, position.size()).unwrap()[0]);
        }
    }
    position.set_side_to_move(Color::Black);
    assert!(position.is_forbidden(parse_moves("g7", position.size()).unwrap()[0]));
    assert_eq!(look_at(&mut position), Outlook::Lost(2));
    let result = search(&position, &Table::new(1 << 20), 10_000);
    assert_eq!(result.score(), Some(Score::loss_in(2)));
    assert!(result.best().is_some_and(|mv| !position.is_forbidden(mv)));
}
