//! Claims against slow definitions: the stones of the whole board, one stone more, what wins.

use std::collections::BTreeSet;

use super::*;
use crate::base::control::{Control, Deadline};
use crate::base::limits::Limits;
use crate::base::rng::Rng;
use crate::base::tt::Table;
use crate::board::text::parse_moves;
use crate::search::{self, Task};
use crate::types::size::BoardSize;

/// A board as plain cells, and the rule: no patterns, no tables.
#[derive(Clone)]
struct Slow<'a> {
    rule: Rule,
    position: &'a Position,
    /// Stones put down besides those of the position.
    more: Vec<(Square, Color)>,
}

impl<'a> Slow<'a> {
    fn new(position: &'a Position) -> Slow<'a> {
        Slow { rule: position.rule(), position, more: Vec::new() }
    }

    fn with(&self, square: Square, color: Color) -> Slow<'a> {
        let mut slow = self.clone();
        slow.more.push((square, color));
        slow
    }

    fn color(&self, square: Square) -> Option<Color> {
        let more = self.more.iter().find(|&&(at, _)| at == square).map(|&(_, color)| color);
        more.or_else(|| self.position.color_at(square))
    }

    fn is_empty(&self, square: Square) -> bool {
        self.position.is_empty(square) && self.color(square).is_none()
    }

    /// Whether a stone wins by its row in a direction.
    fn wins(&self, stone: Square, direction: Direction) -> bool {
        let Some(color) = self.color(stone) else { return false };
        let run = |sign: isize| {
            let mut count = 0;
            let mut at = stone.offset(direction.delta(), sign);
            while self.color(at) == Some(color) {
                count += 1;
                at = at.offset(direction.delta(), sign);
            }
            (count, self.color(at) == Some(color.opponent()))
        };
        let ((before, closed), (after, closed_too)) = (run(-1), run(1));
        let (row, is_closed) = (before + 1 + after, closed && closed_too);
        match (self.rule, color) {
            (Rule::Freestyle, _) | (Rule::Renju, Color::White) => row >= 5,
            (Rule::Standard, _) | (Rule::Renju, Color::Black) => row == 5,
            (Rule::Caro, _) => row > 5 || row == 5 && !is_closed,
            (Rule::CaroExact, _) => row == 5 && !is_closed,
        }
    }

    /// Whether a stone of a color there would win.
    fn is_five(&self, square: Square, color: Color) -> bool {
        self.is_empty(square)
            && Direction::ALL.iter().any(|&on| self.with(square, color).wins(square, on))
    }

    fn fives(&self, color: Color) -> Vec<Square> {
        let empty = self.position.empty_squares();
        empty.iter().filter(|&square| self.is_five(square, color)).collect()
    }

    /// The squares within four steps of a stone along a direction.
    fn near(stone: Square, direction: Direction) -> impl Iterator<Item = Square> {
        (-4..=4).filter(|&steps| steps != 0).map(move |at| stone.offset(direction.delta(), at))
    }

    /// Where one more stone makes a five with a stone that stands, in a direction.
    fn completions(&self, stone: Square, direction: Direction) -> Vec<Square> {
        let color = self.color(stone).unwrap();
        let completes = |&square: &Square| {
            if !self.is_empty(square) {
                return false;
            }
            let five = self.with(square, color);
            five.wins(square, direction) && five.wins(stone, direction)
        };
        Slow::near(stone, direction).filter(completes).collect()
    }

    /// Whether a five remains, whatever one stone the other side puts down.
    fn is_open_four(&self, stone: Square, direction: Direction) -> bool {
        let other = self.color(stone).unwrap().opponent();
        let replies = (-9..=9).map(|steps| {
            // Nine steps from a square stay in the grid's rows, but not always on the board.
            let index = stone.index().cast_signed() + direction.delta() * steps;
            Square::from_index(usize::try_from(index).unwrap_or(0))
        });
        !self.completions(stone, direction).is_empty()
            && replies
                .flatten()
                .filter(|&reply| self.is_empty(reply))
                .all(|reply| !self.with(reply, other).completions(stone, direction).is_empty())
    }

    /// Whether Black may not play there.
    fn is_foul(&self, square: Square) -> bool {
        let mut position = self.position.clone();
        for &(square, color) in &self.more {
            position.set_side_to_move(color);
            position.play(square);
        }
        position.is_empty(square) && position.is_forbidden_to_black(square)
    }

    fn is_open_three(&self, stone: Square, direction: Direction) -> bool {
        let color = self.color(stone).unwrap();
        self.completions(stone, direction).is_empty()
            && Slow::near(stone, direction).any(|square| {
                self.is_empty(square)
                    && self.with(square, color).is_open_four(stone, direction)
                    && !(color == Color::Black && self.is_foul(square))
            })
    }

    fn is_open_two(&self, stone: Square, direction: Direction) -> bool {
        let color = self.color(stone).unwrap();
        Slow::near(stone, direction).any(|square| {
            self.is_empty(square) && self.with(square, color).is_open_three(stone, direction)
        })
    }

    /// The shape a stone that stands has in a direction.
    fn shape(&self, stone: Square, direction: Direction) -> Option<Shape> {
        if self.wins(stone, direction) {
            Some(Shape::Five)
        } else if self.is_open_four(stone, direction) {
            Some(Shape::OpenFour)
        } else if !self.completions(stone, direction).is_empty() {
            Some(Shape::Four)
        } else {
            self.is_open_three(stone, direction).then_some(Shape::OpenThree)
        }
    }

    /// What a stone of a color on an empty square would make.
    fn kind(&self, square: Square, color: Color) -> Option<Kind> {
        let after = self.with(square, color);
        let shapes = Direction::ALL.into_iter().filter_map(|direction| {
            after.shape(square, direction).map(|shape| Made { shape, direction })
        });
        Kind::of(&shapes.collect::<Vec<_>>())
    }

    /// Whether a color can make an open four on the line through a square.
    fn leads_to_open_four(&self, color: Color, square: Square, direction: Direction) -> bool {
        let line = (-21..=21).filter_map(|steps| {
            let index = square.index().cast_signed() + direction.delta() * steps;
            Square::from_index(usize::try_from(index).ok()?)
        });
        let same = line.filter(|at| {
            let (dx, dy) = (at.x().abs_diff(square.x()), at.y().abs_diff(square.y()));
            self.is_empty(*at) && (dx == dy || dx == 0 || dy == 0)
        });
        let fouls = color == Color::Black;
        same.into_iter().any(|at| {
            self.with(at, color).is_open_four(at, direction) && !(fouls && self.is_foul(at))
        })
    }

    /// Whether the side that has just moved makes five next, whatever single stone is put down.
    fn cannot_be_stopped(&self, winner: Color) -> bool {
        let other = winner.opponent();
        self.fives(other).is_empty()
            && self.position.empty_squares().iter().all(|reply| {
                !self.is_empty(reply)
                    || other == Color::Black && self.is_foul(reply)
                    || !self.with(reply, other).fives(winner).is_empty()
            })
    }

    /// Most stones of a color in five cells of a direction with a square, which is empty.
    fn crowd(&self, color: Color, square: Square, direction: Direction) -> usize {
        let cells =
            |first: isize| (first..first + 5).map(|at| square.offset(direction.delta(), at));
        (-4..=0)
            .filter(|&first| {
                cells(first).all(|at| self.is_empty(at) || self.color(at) == Some(color))
            })
            .map(|first| cells(first).filter(|&at| self.color(at) == Some(color)).count())
            .max()
            .unwrap_or(0)
    }
}

/// Checks one claim; panics where it is not true.
fn check(position: &Position, mv: Square, claim: &Claim) {
    let slow = Slow::new(position);
    let (own, other) = (position.side_to_move(), position.side_to_move().opponent());
    let after = slow.with(mv, own);
    let is_true = match claim {
        Claim::Makes(shapes) => {
            let found: Vec<Option<Shape>> =
                Direction::ALL.into_iter().map(|on| after.shape(mv, on)).collect();
            let named = |on| shapes.iter().find(|made| made.direction == on).map(|it| it.shape);
            // A five is all that counts where there is one.
            Direction::ALL.into_iter().zip(&found).all(|(on, &shape)| {
                named(on) == shape
                    || found.contains(&Some(Shape::Five)) && shape != Some(Shape::Five)
            })
        }
        Claim::Wins { way: Way::Makes(kind @ (Kind::OpenFour | Kind::DoubleFour)), moves: 2 } => {
            slow.kind(mv, own) == Some(*kind) && after.cannot_be_stopped(own)
        }
        Claim::Wins { way: Way::Makes(kind), moves } => {
            slow.kind(mv, own) == Some(*kind) && *moves <= 3
        }
        Claim::Wins { way: Way::Foul(square, foul), .. } => {
            after.fives(own) == [*square]
                && after.is_foul(*square)
                && is_foul_kind(&after, *square, *foul)
                && after.cannot_be_stopped(own)
        }
        // Proven by the search; its own tests play every reply. Lines are looked at below.
        Claim::Wins { moves, .. } | Claim::Loses { moves } => *moves >= 1,
        Claim::StopsFive { direction } => {
            let before = slow.fives(other);
            let is_on = |on: Direction| {
                before.iter().all(|&square| slow.with(square, other).wins(square, on))
            };
            !before.is_empty() && after.fives(other).is_empty() && direction.is_none_or(is_on)
        }
        Claim::LeavesFive(square) => after.is_five(*square, other),
        Claim::Only => position.empty_squares().iter().all(|reply| {
            let after = slow.with(reply, own);
            reply == mv
                || own == Color::Black && slow.is_foul(reply)
                || !after.fives(other).is_empty() && !slow.is_five(reply, own)
                || loses_to_a_four(&after, own)
        }),
        Claim::StopsThrees(directions) => directions.iter().all(|&on| {
            slow.leads_to_open_four(other, mv, on) && !after.leads_to_open_four(other, mv, on)
        }),
        Claim::Takes(kind) => {
            slow.kind(mv, other) == Some(*kind) && { other == Color::White || !slow.is_foul(mv) }
        }
        Claim::Stops(kind, square) => {
            let left = after.kind(*square, other);
            let forbidden = other == Color::Black && after.is_foul(*square);
            slow.kind(*square, other) == Some(*kind)
                && (left.is_none_or(|left| left < *kind) || forbidden)
        }
        Claim::Traps(square, foul, kind) => {
            let was = slow.kind(*square, Color::White).filter(|_| slow.is_foul(*square));
            is_foul_kind(&after, *square, *foul)
                && after.kind(*square, Color::White) == Some(*kind)
                && was.is_none_or(|was| was < *kind)
        }
        Claim::Foul(foul) => own == Color::Black && is_foul_kind(&slow, mv, *foul),
        Claim::Center => {
            let (w, h) = (position.size().width(), position.size().height());
            let far = |at: u8, side: u8| (2 * i32::from(at) + 1 - i32::from(side)).abs();
            far(mv.x(), w) <= 1 && far(mv.y(), h) <= 1
        }
        Claim::OpenTwos(directions) => directions.iter().all(|&on| after.is_open_two(mv, on)),
        Claim::Extends(on, stones) => slow.crowd(own, mv, *on) == usize::from(*stones),
        Claim::Limits(on, stones) => slow.crowd(other, mv, *on) == usize::from(*stones),
        Claim::ListedPlacing | Claim::Evens | Claim::Swaps => true,
    };
    let rule = position.rule();
    assert!(is_true, "{rule}, {own:?} plays {mv}: {claim:?}\n{}", position.board());
}

/// Whether a square is a foul for this reason.
fn is_foul_kind(slow: &Slow, square: Square, foul: Foul) -> bool {
    let after = slow.with(square, Color::Black);
    let longest = Direction::ALL.into_iter().map(|on| {
        let after = &after;
        let run = |sign: isize| {
            (1..).take_while(move |&at| {
                after.color(square.offset(on.delta(), sign * at)) == Some(Color::Black)
            })
        };
        run(-1).count() + 1 + run(1).count()
    });
    let is_overline = longest.max() > Some(5);
    // Two ends of one open four are five apart; any other two completions are two fours.
    let fours: usize = Direction::ALL
        .into_iter()
        .map(|on| match after.completions(square, on)[..] {
            [a, b] => {
                let apart = a.x().abs_diff(b.x()).max(a.y().abs_diff(b.y()));
                if apart == 5 { 1 } else { 2 }
            }
            ref few => few.len().min(1),
        })
        .sum();
    let threes = Direction::ALL.into_iter().filter(|&on| after.is_open_three(square, on)).count();
    slow.is_foul(square)
        && match foul {
            Foul::Overline => is_overline,
            Foul::DoubleFour => !is_overline && fours >= 2,
            Foul::DoubleThree => !is_overline && fours < 2 && threes >= 2,
        }
}

/// Whether the other side has a stone after which it cannot be stopped.
fn loses_to_a_four(after: &Slow, own: Color) -> bool {
    let other = own.opponent();
    after.fives(own).is_empty()
        && after.position.empty_squares().iter().any(|square| {
            after.is_empty(square)
                && !(other == Color::Black && after.is_foul(square))
                && matches!(after.kind(square, other), Some(Kind::OpenFour | Kind::DoubleFour))
                && after.with(square, other).cannot_be_stopped(other)
        })
}

/// A position of random stones close together, more of one color than of the other at times.
fn random_position(rule: Rule, size: BoardSize, rng: &mut Rng) -> Position {
    let mut position = Position::new(size, rule);
    if rng.below(4) == 0 {
        let nth = rng.below(size.area());
        position.wall(position.empty_squares().iter().nth(nth).unwrap());
    }
    for _ in 0..8 + rng.below(22) {
        let color = if rng.below(2) == 0 { Color::Black } else { Color::White };
        position.set_side_to_move(color);
        let near = position.board().candidates();
        let square = near.iter().nth(rng.below(near.len())).unwrap();
        if !position.makes_five(square) && !position.is_forbidden(square) {
            position.play(square);
        }
    }
    position
}

/// The name of a claim, to know that all of them have been seen.
fn name(claim: &Claim) -> String {
    let text = format!("{claim:?}");
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    match claim {
        Claim::Wins { way, .. } => format!("Wins {way:?}").split('(').next().unwrap().to_owned(),
        _ => text[..end].to_owned(),
    }
}

#[test]
fn what_is_said_of_any_move_is_true() {
    let mut rng = Rng::new(404);
    let mut seen = BTreeSet::new();
    for round in 0..150 {
        for rule in Rule::ALL {
            let size = if round % 5 == 0 {
                BoardSize::try_new(9, 12).unwrap()
            } else {
                BoardSize::square(13)
            };
            let mut position = random_position(rule, size, &mut rng);
            // The moves that have most to be said of them, and some others.
            let mut moves: Vec<Square> = position.empty_squares().iter().collect();
            moves.sort_by_key(|&mv| std::cmp::Reverse(position.move_score(mv)));
            let others: Vec<Square> = (0..3).map(|_| moves[rng.below(moves.len())]).collect();
            let forbidden: Vec<Square> =
                moves.iter().copied().filter(|&mv| position.is_forbidden(mv)).take(1).collect();
            for mv in moves.into_iter().take(5).chain(others).chain(forbidden) {
                for claim in of_move(&position, mv, None) {
                    check(&position, mv, &claim);
                    seen.insert(name(&claim));
                }
            }
        }
    }
    for expected in [
        "Center",
        "Extends",
        "Traps",
        "Foul",
        "LeavesFive",
        "Limits",
        "Makes",
        "Only",
        "OpenTwos",
        "Stops",
        "StopsFive",
        "StopsThrees",
        "Takes",
        "Wins Makes",
    ] {
        assert!(seen.contains(expected), "{expected} was never said: {seen:?}");
    }
}

#[test]
fn the_score_is_that_of_the_color_the_engine_takes() {
    let position = Position::new(BoardSize::square(15), Rule::Freestyle);
    let score = |decision, value, depth| {
        let line = Line { score: value, moves: vec![Square::new(7, 7)] };
        let result = SearchResult { lines: vec![line], depth, ..SearchResult::default() };
        let outcome = Outcome { decision: Some(decision), result: Some(result) };
        Reason::new(&position, decision, &outcome).score
    };
    let mv = Decision::Move(Square::new(7, 7));
    assert_eq!(score(mv, Score::eval(-90), 5), Some(Score::eval(-90)));
    assert_eq!(score(Decision::Swap, Score::eval(-90), 5), Some(Score::eval(90)));
    assert_eq!(score(mv, Score::win_in(9), 5), None);
    assert_eq!(score(mv, Score::eval(-90), 0), None);
    assert_eq!(Reason::new(&position, mv, &Outcome::NONE).score, None);
}

/// What a search of so many nodes finds.
fn searched(position: &Position, nodes: u64) -> Option<Line> {
    let control = Control::new(Deadline::unlimited(std::time::Instant::now()), Some(nodes));
    let table = Table::new(1 << 18);
    let limits = Limits::default();
    let task = Task::new(position.clone(), limits);
    search::run(task, &table, &control, &mut ()).lines.into_iter().next()
}

/// A line of fours really is one: each own move of it has one answer, and it ends in a win.
fn check_fours(position: &Position, line: &[Square], moves: i32) {
    let own = position.side_to_move();
    let mut slow = Slow::new(position);
    let mut own_moves = 0;
    for pair in line.chunks(2) {
        own_moves += 1;
        assert!(slow.is_empty(pair[0]));
        let wins = slow.is_five(pair[0], own);
        slow = slow.with(pair[0], own);
        let fives = slow.fives(own);
        match pair.get(1) {
            _ if wins => return assert!(own_moves <= moves),
            Some(&reply) if fives == [reply] => slow = slow.with(reply, own.opponent()),
            _ => {
                assert!(slow.cannot_be_stopped(own), "{line:?}\n{}", position.board());
                return assert!(own_moves < moves);
            }
        }
        assert!(slow.fives(own).is_empty() || !fives.is_empty());
    }
    panic!("the line has no end: {line:?}\n{}", position.board());
}

/// Each own move of a line makes five, or threatens to, or to make what cannot be stopped.
fn check_threats(position: &Position, line: &[Square]) {
    let own = position.side_to_move();
    let mut slow = Slow::new(position);
    for pair in line.chunks(2) {
        let wins = slow.is_five(pair[0], own);
        slow = slow.with(pair[0], own);
        let threatens = |square: Square| {
            slow.is_empty(square)
                && matches!(
                    slow.kind(square, own),
                    Some(Kind::Five | Kind::OpenFour | Kind::DoubleFour)
                )
        };
        let mut empty = position.empty_squares().iter().collect::<Vec<_>>().into_iter();
        assert!(wins || empty.any(threatens), "{line:?}\n{}", position.board());
        if let Some(&reply) = pair.get(1) {
            slow = slow.with(reply, own.opponent());
        }
    }
}

#[test]
fn what_is_said_of_the_moves_of_games_is_true() {
    let mut rng = Rng::new(11);
    let mut seen = BTreeSet::new();
    for rule in Rule::ALL {
        for _ in 0..6 {
            let mut position = random_position(rule, BoardSize::square(15), &mut rng);
            for _ in 0..24 {
                let Some(line) = searched(&position, 1_500) else { break };
                let mv = line.moves[0];
                for claim in of_move(&position, mv, Some(&line)) {
                    check(&position, mv, &claim);
                    match claim {
                        Claim::Wins { way: Way::Fours, moves } => {
                            check_fours(&position, &line.moves, moves);
                        }
                        Claim::Wins { way: Way::Threats, .. } => {
                            check_threats(&position, &line.moves);
                        }
                        _ => {}
                    }
                    seen.insert(name(&claim));
                }
                if position.makes_five(mv) {
                    break;
                }
                position.play(mv);
            }
        }
    }
    for expected in ["Loses", "Makes", "Wins Fours", "Wins Makes", "Wins Threats"] {
        assert!(seen.contains(expected), "{expected} was never said: {seen:?}");
    }
}

/// The claims about the last of some moves.
fn claims(rule: Rule, moves: &str) -> Vec<Claim> {
    let size = BoardSize::square(15);
    let mut position = Position::new(size, rule);
    let mut moves = parse_moves(moves, size).unwrap();
    let last = moves.pop().unwrap();
    for mv in moves {
        position.play(mv);
    }
    of_move(&position, last, None)
}

#[test]
fn claims_of_well_known_moves() {
    let one = |shape, direction| Claim::Makes(vec![Made { shape, direction }]);
    let (row, column) = (Direction::Horizontal, Direction::Vertical);
    assert_eq!(claims(Rule::Freestyle, "h8"), [Claim::Center]);
    assert_eq!(claims(Rule::Freestyle, "h8a1i8o1j8"), [one(Shape::OpenThree, row)]);
    assert_eq!(claims(Rule::Freestyle, "h8a1i8o1j8k8"), [Claim::StopsThrees(vec![row])]);
    assert_eq!(
        claims(Rule::Freestyle, "h8a1i8o1j8a15k8"),
        [Claim::Wins { way: Way::Makes(Kind::OpenFour), moves: 2 }]
    );
    assert_eq!(
        claims(Rule::Freestyle, "h8g8i8o1j8a15k8l8"),
        [Claim::StopsFive { direction: Some(row) }, Claim::Only]
    );
    assert_eq!(claims(Rule::Freestyle, "h8g8i8o1j8a15k8a1l8"), [one(Shape::Five, row)]);
    // Two threes cross at h8.
    let cross = "h6a1h7o1i8a15j8o15h8";
    let both = [row, column].map(|direction| Made { shape: Shape::OpenThree, direction });
    assert_eq!(claims(Rule::Freestyle, cross), [Claim::Makes(both.to_vec())]);
    assert_eq!(claims(Rule::Renju, cross), [Claim::Foul(Foul::DoubleThree)]);
    let white = "h6a1h7o1i8a15j8h8";
    assert_eq!(claims(Rule::Freestyle, white)[0], Claim::Takes(Kind::DoubleThree));
    assert!(!claims(Rule::Renju, white).contains(&Claim::Takes(Kind::DoubleThree)));
}

/// The claims about White's move to `!` in a drawing, and where `f` is in it.
fn white_claims(drawing: &str) -> (Vec<Claim>, Square) {
    let at = |mark| crate::board::text::marked(drawing, mark);
    let mut position = Position::new(BoardSize::square(9), Rule::Renju);
    for (mark, color) in [('X', Color::Black), ('O', Color::White)] {
        for square in at(mark) {
            position.set_side_to_move(color);
            position.play(square);
        }
    }
    position.set_side_to_move(Color::White);
    let mv = at('!')[0];
    let claims = of_move(&position, mv, None);
    for claim in &claims {
        check(&position, mv, claim);
    }
    (claims, at('f')[0])
}

#[test]
fn what_black_may_not_play_is_told() {
    let (claims, f) = white_claims(
        "X . . . . . . . .
         . ! . . . . . . .
         . . O . . . . . .
         . . . O . . . . .
         . . . . O . . . .
         . . . . . f X X .
         . . . . . X . . .
         . . . . . X . . .
         . . . . . . . . .",
    );
    let way = Way::Foul(f, Foul::DoubleThree);
    assert_eq!(claims[0], Claim::Wins { way, moves: 2 });
    let (claims, f) = white_claims(
        "X . . . . . . . .
         . . . . . . . . .
         . . ! . . . . . .
         . . . O . . . . .
         O X X X f X X . .
         . . . . . O . . .
         . . . . O . . . .
         . . . . O . . . .
         . . . . O . . . .",
    );
    let three = Made { shape: Shape::OpenThree, direction: Direction::Diagonal };
    let trap = Claim::Traps(f, Foul::Overline, Kind::OpenFour);
    assert_eq!(claims, [Claim::Makes(vec![three]), trap]);
}
