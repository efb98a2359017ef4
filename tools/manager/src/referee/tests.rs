use std::fs;
use std::path::{Path, PathBuf};

use tengen::base::rng::Rng;

use super::*;
use crate::text;

const SIZE: BoardSize = BoardSize::square(15);

/// The verdict on the last move of a list.
fn check(rule: Rule, moves: &str, expected: Verdict) {
    let mut referee = Referee::new(SIZE, rule);
    let moves = text::parse_moves(moves, SIZE).unwrap();
    let (last, before) = moves.split_last().unwrap();
    for &square in before {
        assert_eq!(referee.play(square), Verdict::GoesOn, "{rule} {}", text::point(square));
    }
    assert_eq!(referee.play(*last), expected, "{rule}");
}

/// The same from the stones alone, without any pattern.
fn wins(stones: &[Square], rule: Rule) -> bool {
    let index = |s: &Square| (i64::from(s.x()), i64::from(s.y()));
    let color = |at: (i64, i64)| stones.iter().position(|s| index(s) == at).map(|i| i % 2);
    let Some(last) = stones.last().map(index) else { return false };
    let own = (stones.len() - 1) % 2;
    [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dx, dy)| {
        let run = |sign: i64| {
            let at = |steps: i64| (last.0 + sign * steps * dx, last.1 + sign * steps * dy);
            let other = (1..16).find(|&steps| color(at(steps)) != Some(own));
            let length = other.map_or(15, |steps| steps - 1);
            (length, color(at(length + 1)) == Some(1 - own))
        };
        let ((ahead, held_ahead), (behind, held_behind)) = (run(1), run(-1));
        let (length, held) = (ahead + behind + 1, held_ahead && held_behind);
        match rule {
            Rule::Freestyle => length >= 5,
            Rule::Standard => length == 5,
            Rule::Renju => length == 5 || length > 5 && own == 1,
            Rule::Caro => length > 5 || length == 5 && !held,
            Rule::CaroExact => length == 5 && !held,
        }
    })
}

#[test]
fn six_in_a_row_is_judged_by_the_rule() {
    let six = "a1a15b1b15c1c15e1d15f1f15d1";
    check(Rule::Freestyle, six, Verdict::Five);
    check(Rule::Standard, six, Verdict::GoesOn);
    check(Rule::Renju, six, Verdict::Forbidden);
    check(Rule::Caro, six, Verdict::Five);
    check(Rule::CaroExact, six, Verdict::GoesOn);
}

#[test]
fn a_five_between_two_stones_is_none_under_caro_but_the_edge_does_not_hold() {
    let held = "c1b1d1h1e1a9f1c9g1";
    check(Rule::Freestyle, held, Verdict::Five);
    check(Rule::Caro, held, Verdict::GoesOn);
    check(Rule::CaroExact, held, Verdict::GoesOn);
    check(Rule::Caro, "a1f1b1a9c1c9d1e9e1", Verdict::Five);
}

#[test]
fn a_double_three_loses_under_renju_only() {
    let cross = "h7a1h9a3g8a5i8a7h8";
    check(Rule::Renju, cross, Verdict::Forbidden);
    check(Rule::Standard, cross, Verdict::GoesOn);
}

#[test]
fn a_full_board_ends_the_game() {
    let size = BoardSize::square(5);
    let mut referee = Referee::new(size, Rule::Freestyle);
    let order = "a1b1c1d1e1b2a2d2c2a3e2c3b3e3d3b4a4d4c4a5e4c5b5e5d5";
    let moves = text::parse_moves(order, size).unwrap();
    let verdicts: Vec<Verdict> = moves.into_iter().map(|square| referee.play(square)).collect();
    assert_eq!(verdicts.last(), Some(&Verdict::FullBoard));
    assert!(verdicts[..24].iter().all(|verdict| *verdict == Verdict::GoesOn));
}

#[test]
fn random_games_end_where_a_judge_without_patterns_ends_them() {
    let mut rng = Rng::new(11);
    let mut fives = 0;
    for game in 0..150 {
        let rule = Rule::ALL[game % 5];
        let size = BoardSize::square([6, 9, 15][game % 3]);
        let mut referee = Referee::new(size, rule);
        loop {
            let side = size.width().into();
            let near = i64::try_from(rng.below(side)).unwrap();
            let Some(square) = referee.empty_square(near, i64::try_from(rng.below(side)).unwrap())
            else {
                continue;
            };
            let winner = referee.winning_square();
            let square = winner.unwrap_or(square);
            let verdict = referee.play(square);
            let five = wins(referee.moves(), rule);
            assert_eq!(verdict == Verdict::Five, five, "{rule} {}", text::moves(referee.moves()));
            fives += usize::from(five);
            if verdict != Verdict::GoesOn {
                break;
            }
        }
    }
    assert!(fives > 30, "{fives} games ended by a five");
}

/// The lines of a file of shared positions: below `$TENGEN_SHARED`, else `../shared` beside the
/// repository. Where they are not there, there are none, which is said aloud.
fn shared_lines(file: &str) -> Vec<String> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("TENGEN_SHARED").map_or_else(beside, PathBuf::from);
    let path = folder.join("rules").join(file);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            println!("skipped: {} cannot be read: {error}", path.display());
            return Vec::new();
        }
    };
    let lines: Vec<String> =
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_string).collect();
    assert!(!lines.is_empty(), "{} holds no positions", path.display());
    lines
}

/// Points `x,y` from zero, blanks between; what follows a colon is passed over.
fn points(text: &str) -> Vec<Square> {
    let pair = |word: &str| text::parse_pair(word.split(':').next().unwrap()).unwrap();
    let words = text.split_whitespace().map(pair);
    words.map(|(x, y)| Square::new(x.try_into().unwrap(), y.try_into().unwrap())).collect()
}

/// A referee in the middle of a game: these stones, then `next` to move.
fn referee_of(rule: Rule, size: &str, black: &[Square], white: &[Square], next: Color) -> Referee {
    let mut referee = Referee::new(BoardSize::square(size.parse().unwrap()), rule);
    for (color, stones) in [(Color::Black, black), (Color::White, white)] {
        for &stone in stones {
            referee.position.set_side_to_move(color);
            referee.play(stone);
        }
    }
    referee.position.set_side_to_move(next);
    referee
}

/// The squares on which Black loses at once, found by playing on every empty one.
fn forbidden_by_play(size: &str, black: &str, white: &str) -> Vec<Square> {
    let mut referee = referee_of(Rule::Renju, size, &points(black), &points(white), Color::Black);
    let mut found = Vec::new();
    for square in &referee.position.empty_squares() {
        if referee.play(square) == Verdict::Forbidden {
            found.push(square);
        }
        referee.position.undo();
        referee.moves.pop();
    }
    found
}

/// What is wrong with the verdicts on a line of forbidden points, if anything is.
fn forbidden_disagreement(line: &str) -> Option<String> {
    let fields: Vec<&str> = line.split(';').collect();
    let mut expected = points(fields[4]);
    expected.sort_unstable();
    let found = forbidden_by_play(fields[1], fields[2], fields[3]);
    let words = |squares: &[Square]| text::moves(squares);
    (found != expected)
        .then(|| format!("{}: forbidden {}, not {}", fields[0], words(&found), words(&expected)))
}

/// What is wrong with the verdict on a line of winners, if anything is.
fn winner_disagreement(line: &str) -> Option<String> {
    let fields: Vec<&str> = line.split(';').collect();
    let rule = Rule::from_name(fields[1]).unwrap();
    let last = points(fields[5])[0];
    let (mut black, mut white) = (points(fields[3]), points(fields[4]));
    let mover = if black.contains(&last) { Color::Black } else { Color::White };
    black.retain(|&stone| stone != last);
    white.retain(|&stone| stone != last);
    let mut referee = referee_of(rule, fields[2], &black, &white, mover);
    // What adjudication relies on: a square is named if and only if it wins.
    let named = referee.winning_square();
    let wins_at_named = named.map(|square| referee.clone().play(square) == Verdict::Five);
    let verdict = referee.play(last);
    let winner = match (verdict, mover) {
        (Verdict::Five, Color::Black) => "B",
        (Verdict::Five, Color::White) | (Verdict::Forbidden, _) => "W",
        (Verdict::GoesOn | Verdict::FullBoard, _) => "-",
    };
    let is_sound = wins_at_named != Some(false) && (verdict != Verdict::Five || named.is_some());
    (winner != fields[6] || !is_sound).then(|| {
        format!("{}: {verdict:?}, winner {winner}, not {}; {named:?}", fields[0], fields[6])
    })
}

/// Judges every line of some files.
fn judge_shared(files: [&str; 2], disagreement: fn(&str) -> Option<String>) {
    let lines: Vec<String> = files.into_iter().flat_map(shared_lines).collect();
    let wrong: Vec<String> = lines.iter().filter_map(|line| disagreement(line)).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), lines.len(), wrong.join("\n"));
    println!("{}: {} positions agree", files.join(", "), lines.len());
}

#[test]
fn every_shared_forbidden_point_is_a_foul_and_no_other_square_is() {
    judge_shared(["renju_forbidden.txt", "renju_disputed.txt"], forbidden_disagreement);
}

#[test]
fn every_shared_last_move_wins_for_whom_it_should() {
    judge_shared(["wins.txt", "wins_disputed.txt"], winner_disagreement);
}

#[test]
fn a_wrong_label_is_noticed() {
    let threes = "T1;15;6,7 8,7 7,6 7,8;0,0 0,14 14,0 14,14;7,7:33;0;;made up";
    assert_eq!(forbidden_disagreement(threes), None);
    assert!(forbidden_disagreement(&threes.replace("7,7:33", "")).is_some());
    assert!(forbidden_disagreement(&threes.replace("7,7:33", "7,7:33 3,3:33")).is_some());
    let five = "T2;standard;15;3,3 4,3 5,3 6,3 7,3;0,0 2,0 4,0 6,0;5,3;B;made up";
    assert_eq!(winner_disagreement(five), None);
    for wrong in [five.replace(";B;", ";-;"), five.replace(";B;", ";W;")] {
        assert!(winner_disagreement(&wrong).is_some(), "{wrong}");
    }
    let six = five.replace("3,3 ", "2,3 3,3 ");
    assert!(winner_disagreement(&six).is_some());
    assert_eq!(winner_disagreement(&six.replace("standard", "freestyle")), None);
}
