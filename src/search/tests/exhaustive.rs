//! What the shortcuts and defense sets claim, against play of every move.
//!
//! The judge here knows stones, the rows that win, and which squares are forbidden; it asks no
//! pattern and leaves no move out. Boards are small, so that edges and lack of room take part,
//! and sometimes have a wall or a side with too many stones.

use super::judge::{fives, stay, wins_at};
use super::*;
use crate::base::rng::Rng;
use crate::pattern::Combined;
use crate::testing;

/// Positions of each rule for each of the checks below.
const CASES: usize = 800;

/// Whether the side to move wins within 1, 3 or 5 plies, by trying every move of both sides.
///
/// `hints` are moves that won before; they are tried first, which only saves time.
fn wins_within(position: &mut Position, plies: i32, hints: &mut Vec<Square>) -> bool {
    if !fives(position, position.side_to_move()).is_empty() {
        return true;
    }
    let mut moves = if plies < 3 { Vec::new() } else { legal(position) };
    moves.sort_by_key(|square| !hints.contains(square));
    let found = moves.into_iter().find(|&mv| wins_by(position, mv, plies, hints));
    hints.extend(found.filter(|mv| !hints.contains(mv)));
    found.is_some()
}

/// Whether this move, which makes no five, wins within some plies.
fn wins_by(position: &mut Position, mv: Square, plies: i32, hints: &mut Vec<Square>) -> bool {
    let own = position.side_to_move();
    position.play(mv);
    let threats = fives(position, own);
    let wins = fives(position, own.opponent()).is_empty()
        && legal(position).into_iter().all(|reply| {
            stay(position, own, &threats, reply)
                || plies > 3
                    && position.with_move(reply, |next| wins_within(next, plies - 2, hints))
        });
    position.undo();
    wins
}

/// Calls `check` with random positions of a rule in which nobody has five in a row, until it
/// has said so often enough that the position was one to check.
fn visit(rule: Rule, seed: u64, cases: usize, mut check: impl FnMut(&mut Position) -> bool) {
    let mut rng = Rng::new(testing::seed(seed));
    let cases = testing::cases(cases);
    let mut found = 0;
    for _ in 0..testing::cases(200_000) {
        let mut side = || [6, 7, 8, 9, 11][rng.below(5)];
        let size = BoardSize::try_new(side(), side()).unwrap();
        let mut position = Position::new(size, rule);
        if rng.below(4) == 0 {
            let squares = position.empty_squares();
            position.wall(squares.iter().nth(rng.below(squares.len())).unwrap());
        }
        let (length, is_wild) = (6 + rng.below(size.area() - 8), rng.below(4) == 0);
        for _ in 0..length {
            let mut candidates: Vec<Square> = position.board().candidates().iter().collect();
            if rng.below(3) > 0 {
                candidates.sort_by_key(|&square| -position.move_score(square));
                candidates.truncate(6);
            }
            if candidates.is_empty() {
                break;
            }
            let mv = candidates[rng.below(candidates.len())];
            if position.is_forbidden(mv) {
                continue;
            }
            if wins_at(position.board(), rule, position.side_to_move(), mv, None) {
                continue;
            }
            position.play(mv);
            // Positions set up by a manager need not have as many stones of both sides.
            if is_wild && rng.below(4) == 0 {
                position.set_side_to_move(position.side_to_move().opponent());
            }
            if rng.below(3) == 0 {
                found += usize::from(check(&mut position));
            }
            if found == cases {
                return;
            }
        }
    }
    panic!("{rule}: only {found} cases");
}

/// Fours of the side to move, as the search lists them.
fn fours(position: &mut Position) -> SquareSet {
    let mut set = SquareSet::EMPTY;
    let add = |square| set.insert(square);
    match position.rule() {
        Rule::Renju => defense::each_four::<Renju>(position, add),
        Rule::Caro | Rule::CaroExact => defense::each_four::<Caro>(position, add),
        Rule::Freestyle | Rule::Standard => defense::each_four::<Plain>(position, add),
    }
    set
}

#[test]
fn moves_outside_the_set_against_an_open_four_lose_in_four_plies() {
    for rule in Rule::ALL {
        let mut outside = 0;
        visit(rule, 61, CASES, |position| {
            let own = position.side_to_move();
            let is_case = defense::is_threatened(position)
                && fives(position, own).is_empty()
                && fives(position, own.opponent()).is_empty();
            if !is_case {
                return false;
            }
            let set = defense::against_open_four(position).or(&fours(position));
            let mut hints = Vec::new();
            for mv in legal(position).into_iter().filter(|&mv| !set.contains(mv)) {
                outside += 1;
                let loses = position.with_move(mv, |next| wins_within(next, 3, &mut hints));
                assert!(loses, "{rule} {mv} {own:?}\n{}", position.board());
            }
            true
        });
        assert!(outside > 10 * CASES, "{rule}: {outside} moves");
        println!("{rule}: {CASES} positions, {outside} moves that lose in four plies");
    }
}

#[test]
fn moves_outside_the_set_against_a_four_three_lose_in_six_plies() {
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
        let mut outside = 0;
        visit(rule, 65, CASES / 16, |position| {
            let own = position.side_to_move();
            // Black's open four may be a foul.
            let is_proof = rule != Rule::Renju || own == Color::Black;
            let is_case = is_proof
                && !defense::is_threatened(position)
                && fives(position, own).is_empty()
                && fives(position, own.opponent()).is_empty();
            let set = if is_case { defense::against_four_three(position) } else { None };
            let Some(set) = set else { return false };
            let set = set.or(&fours(position));
            let threats = position.patterns().squares(own.opponent(), Combined::FourThree);
            let mut hints: Vec<Square> = threats.iter().collect();
            for mv in legal(position).into_iter().filter(|&mv| !set.contains(mv)).step_by(3) {
                outside += 1;
                let loses = position.with_move(mv, |next| wins_within(next, 5, &mut hints));
                assert!(loses, "{rule} {mv} {own:?}\n{}", position.board());
            }
            true
        });
        assert!(outside > CASES / 8, "{rule}: {outside} moves");
        println!("{rule}: {outside} moves that lose in six plies");
    }
}

#[test]
fn moves_outside_the_set_against_a_five_lose_at_once_and_those_inside_do_not() {
    for rule in Rule::ALL {
        visit(rule, 62, CASES, |position| {
            let own = position.side_to_move();
            let threats = fives(position, own.opponent());
            if threats.is_empty() || !fives(position, own).is_empty() {
                return false;
            }
            let set = defense::against_five(position);
            for mv in &position.empty_squares() {
                let loses = stay(position, own.opponent(), &threats, mv);
                assert_eq!(loses, !set.contains(mv), "{rule} {mv}\n{}", position.board());
            }
            true
        });
    }
}

#[test]
fn fours_and_their_replies_are_all_there_are() {
    for rule in Rule::ALL {
        let mut checked = 0;
        visit(rule, 63, CASES, |position| {
            let own = position.side_to_move();
            if Color::ALL.iter().any(|&color| !fives(position, color).is_empty()) {
                return false;
            }
            let listed = fours(position);
            let mut any = false;
            for mv in legal(position) {
                position.play(mv);
                let threats = fives(position, own);
                let is_four = !threats.is_empty();
                let outlook = look_at(position);
                let replies = match outlook {
                    Outlook::Forced(reply) => [reply].into_iter().collect(),
                    Outlook::ForcedSet(set) => set,
                    _ => SquareSet::EMPTY,
                };
                let board = position.board().to_string();
                let say = || format!("{rule} {mv} {outlook:?}\n{board}");
                for reply in legal(position).into_iter().filter(|_| is_four) {
                    let stops = !stay(position, own, &threats, reply);
                    assert_eq!(stops, replies.contains(reply), "{reply} {}", say());
                }
                let is_answered = replies.is_empty() == (outlook == Outlook::Lost(2));
                assert!(!is_four || is_answered, "{}", say());
                position.undo();
                assert!(!is_four || listed.contains(mv), "not listed: {}", say());
                // In caro a four may be stopped before it is made.
                let is_caro = matches!(rule, Rule::Caro | Rule::CaroExact);
                assert!(is_four || is_caro || !listed.contains(mv), "no four: {}", say());
                any |= is_four;
                checked += usize::from(is_four);
            }
            any
        });
        assert!(checked > 2 * CASES, "{rule}: {checked} fours");
    }
}

#[test]
fn wins_and_losses_seen_at_once_are_as_long_as_claimed() {
    for rule in Rule::ALL {
        let (mut seen, mut shorter) = ([0; 4], 0);
        visit(rule, 64, CASES / 8, |position| {
            let outlook = look_at(position);
            let text = format!("{rule} {outlook:?}\n{}", position.board());
            let own = position.side_to_move();
            let mut hints = Vec::new();
            match outlook {
                Outlook::Won(1, mv) => {
                    seen[0] += 1;
                    assert!(wins_at(position.board(), rule, own, mv, None), "{text}");
                    false
                }
                Outlook::Won(plies, mv) => {
                    seen[if plies == 3 { 1 } else { 2 }] += 1;
                    assert!(!position.is_forbidden(mv), "{text}");
                    assert!(wins_by(position, mv, plies, &mut hints), "{text}");
                    // A four whose only reply is forbidden wins sooner and is not looked for.
                    let is_bound = rule == Rule::Renju && own == Color::White;
                    let is_shorter = wins_within(position, plies - 2, &mut hints);
                    assert!(is_bound || !is_shorter, "shorter: {text}");
                    shorter += usize::from(is_shorter);
                    plies > 3
                }
                Outlook::Lost(plies) => {
                    seen[3] += 1;
                    assert_eq!((plies, fives(position, own)), (2, Vec::new()), "{text}");
                    let threats = fives(position, own.opponent());
                    for mv in legal(position) {
                        let loses = stay(position, own.opponent(), &threats, mv);
                        assert!(loses, "{mv} {text}");
                    }
                    false
                }
                Outlook::Forced(_) | Outlook::ForcedSet(_) | Outlook::Open => false,
            }
        });
        println!("{rule}: wins in 1, 3, 5 plies, losses: {seen:?}; {shorter} could be shorter");
        assert!(seen.iter().all(|&count| count >= CASES / 8), "{rule}: {seen:?}");
    }
}
