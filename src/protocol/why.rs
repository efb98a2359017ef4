//! Reasons as words.
//!
//! Owns the wording. Must not know how a reason is found, and adds nothing to it. Squares are
//! `x,y` from zero, as in commands. Start reading at [`text`].

use crate::engine::reason::{Claim, Foul, Kind, Made, Reason, Shape, Way};
use crate::types::color::Color;
use crate::types::direction::Direction;

/// Characters of a reason at most.
const MOST: usize = 200;

/// The reason, as much of it as one line of 200 characters holds, the most important first;
/// `chance` is the chance of a win that its score means.
pub(crate) fn text(reason: &Reason, chance: Option<f64>) -> String {
    let mut parts: Vec<String> = reason.claims.iter().map(|it| claim(it, reason.mover)).collect();
    if parts.is_empty() {
        parts.push("a quiet move".to_owned());
    }
    parts.extend(chance.map(|chance| format!("winning chance {:.0} %", 100.0 * chance)));
    let mut line = String::new();
    for part in parts {
        let more = if line.is_empty() { part } else { format!(", {part}") };
        if line.len() + more.len() <= MOST {
            line += &more;
        }
    }
    line
}

fn claim(claim: &Claim, mover: Color) -> String {
    let other = color(mover.opponent());
    match claim {
        Claim::Wins { way, moves } => match way {
            Way::Makes(made) => format!("wins: {}", kind(*made)),
            Way::Foul(square, reason) => {
                format!("wins: Black may not stop the five at {square} ({})", foul(*reason))
            }
            Way::Fours => format!("wins by fours (VCF) within {moves} moves"),
            Way::Threats => format!("wins by threats within {moves} moves"),
            Way::Force => format!("wins by force within {moves} moves"),
        },
        Claim::Loses { moves: ..=1 } => format!("{other} wins with the next move"),
        Claim::Loses { moves } => format!("{other} wins within {moves} moves whatever is played"),
        Claim::StopsFive { direction: Some(on) } => format!("blocks the five on the {}", line(*on)),
        Claim::StopsFive { direction: None } => "blocks the five".to_owned(),
        Claim::LeavesFive(square) => format!("leaves the five at {square}"),
        Claim::Only => "all other moves lose at once".to_owned(),
        Claim::StopsThrees(on) => match on.len() {
            1 => format!("blocks the open three {}", lines(on)),
            _ => format!("blocks the open threes {}", lines(on)),
        },
        Claim::Makes(shapes) => makes(shapes),
        Claim::Takes(made) => format!("takes the point where {other} would make {}", a(*made)),
        Claim::Stops(made, square) => format!("stops the {} at {square}", kind(*made)),
        Claim::Traps(square, reason, made) => format!(
            "threatens {} at {square}, where Black may not play ({})",
            a(*made),
            foul(*reason)
        ),
        Claim::Foul(reason) => format!("a foul ({})", foul(*reason)),
        Claim::Center => "takes the center".to_owned(),
        Claim::OpenTwos(on) => match on.len() {
            1 => format!("makes an open two {}", lines(on)),
            _ => format!("makes open twos {}", lines(on)),
        },
        Claim::Extends(on, 1) => format!("stands with a stone on the {}", line(*on)),
        Claim::Extends(on, stones) => {
            format!("extends the {} on the {}", number(*stones), line(*on))
        }
        Claim::Limits(on, 1) => format!("meets {other}'s stone on the {}", line(*on)),
        Claim::Limits(on, stones) => {
            format!("hems in {other}'s {} on the {}", number(*stones), line(*on))
        }
        Claim::ListedPlacing => "opening: a placing from the list of balanced ones".to_owned(),
        Claim::Evens => "opening: two stones for a game as even as can be".to_owned(),
        Claim::Swaps => "opening: takes the other color, which the search prefers".to_owned(),
    }
}

/// Fives, fours and open threes of one stone.
fn makes(shapes: &[Made]) -> String {
    let on = |shape| -> Vec<Direction> {
        shapes.iter().filter(|made| made.shape == shape).map(|made| made.direction).collect()
    };
    let (fives, open_fours) = (on(Shape::Five), on(Shape::OpenFour));
    let (fours, threes) = (on(Shape::Four), on(Shape::OpenThree));
    match (fours.len(), threes.len()) {
        _ if !fives.is_empty() => format!("makes five {}", lines(&fives)),
        _ if !open_fours.is_empty() => format!("makes an open four {}", lines(&open_fours)),
        (2.., _) => format!("makes a double four {}", lines(&fours)),
        (1, 0) => format!("makes a four {}", lines(&fours)),
        (1, _) => format!("makes a four-three: four {}, three {}", lines(&fours), lines(&threes)),
        (_, 2..) => format!("makes a double three {}", lines(&threes)),
        _ => format!("makes an open three {}", lines(&threes)),
    }
}

const fn color(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

const fn line(direction: Direction) -> &'static str {
    match direction {
        Direction::Horizontal => "row",
        Direction::Vertical => "column",
        Direction::Diagonal => "diagonal",
        Direction::AntiDiagonal => "anti-diagonal",
    }
}

/// `on the row`, `on the row and the column`.
fn lines(directions: &[Direction]) -> String {
    let names: Vec<String> = directions.iter().map(|&on| format!("the {}", line(on))).collect();
    format!("on {}", names.join(" and "))
}

const fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::DoubleThree => "double three",
        Kind::FourThree => "four-three",
        Kind::DoubleFour => "double four",
        Kind::OpenFour => "open four",
        Kind::Five => "five",
    }
}

/// The same with its article.
fn a(made: Kind) -> String {
    match made {
        Kind::Five => "five".to_owned(),
        Kind::OpenFour => "an open four".to_owned(),
        _ => format!("a {}", kind(made)),
    }
}

const fn foul(foul: Foul) -> &'static str {
    match foul {
        Foul::Overline => "overline",
        Foul::DoubleFour => "double four",
        Foul::DoubleThree => "double three",
    }
}

/// Stones of a row in words.
const fn number(stones: u8) -> &'static str {
    match stones {
        0 | 1 => "stone",
        2 => "two",
        3 => "three",
        _ => "four",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::square::Square;

    fn check(claims: &[Claim], chance: Option<f64>, expected: &str) {
        let reason = Reason { mover: Color::Black, claims: claims.to_vec(), score: None };
        assert_eq!(text(&reason, chance), expected);
    }

    #[test]
    fn claims_are_said_in_the_words_of_players() {
        use Direction::{AntiDiagonal, Diagonal, Horizontal, Vertical};
        let made = |shape, direction| Made { shape, direction };
        let at = Square::new(3, 14);
        let wins = |way, moves| Claim::Wins { way, moves };
        let four_three = vec![made(Shape::Four, Vertical), made(Shape::OpenThree, AntiDiagonal)];
        let threes = vec![made(Shape::OpenThree, Horizontal), made(Shape::OpenThree, Diagonal)];
        let fours = vec![made(Shape::Four, Horizontal), made(Shape::Four, Diagonal)];
        let cases = [
            (wins(Way::Makes(Kind::FourThree), 3), "wins: four-three"),
            (
                wins(Way::Foul(at, Foul::DoubleThree), 2),
                "wins: Black may not stop the five at 3,14 (double three)",
            ),
            (wins(Way::Fours, 7), "wins by fours (VCF) within 7 moves"),
            (wins(Way::Threats, 6), "wins by threats within 6 moves"),
            (wins(Way::Force, 9), "wins by force within 9 moves"),
            (Claim::Loses { moves: 1 }, "White wins with the next move"),
            (Claim::Loses { moves: 4 }, "White wins within 4 moves whatever is played"),
            (Claim::StopsFive { direction: Some(Diagonal) }, "blocks the five on the diagonal"),
            (Claim::StopsFive { direction: None }, "blocks the five"),
            (Claim::LeavesFive(at), "leaves the five at 3,14"),
            (Claim::Only, "all other moves lose at once"),
            (Claim::StopsThrees(vec![Vertical]), "blocks the open three on the column"),
            (
                Claim::StopsThrees(vec![Vertical, Diagonal]),
                "blocks the open threes on the column and the diagonal",
            ),
            (Claim::Makes(vec![made(Shape::Five, Horizontal)]), "makes five on the row"),
            (
                Claim::Makes(vec![made(Shape::OpenFour, Vertical)]),
                "makes an open four on the column",
            ),
            (Claim::Makes(vec![made(Shape::Four, Horizontal)]), "makes a four on the row"),
            (
                Claim::Makes(four_three),
                "makes a four-three: four on the column, three on the anti-diagonal",
            ),
            (Claim::Makes(fours), "makes a double four on the row and the diagonal"),
            (Claim::Makes(threes), "makes a double three on the row and the diagonal"),
            (
                Claim::Makes(vec![made(Shape::OpenThree, AntiDiagonal)]),
                "makes an open three on the anti-diagonal",
            ),
            (Claim::Takes(Kind::FourThree), "takes the point where White would make a four-three"),
            (Claim::Stops(Kind::DoubleThree, at), "stops the double three at 3,14"),
            (
                Claim::Traps(at, Foul::Overline, Kind::OpenFour),
                "threatens an open four at 3,14, where Black may not play (overline)",
            ),
            (Claim::Foul(Foul::DoubleFour), "a foul (double four)"),
            (Claim::Center, "takes the center"),
            (Claim::OpenTwos(vec![Horizontal]), "makes an open two on the row"),
            (Claim::Extends(Horizontal, 1), "stands with a stone on the row"),
            (Claim::Extends(Horizontal, 2), "extends the two on the row"),
            (Claim::Limits(Vertical, 1), "meets White's stone on the column"),
            (Claim::Limits(Vertical, 3), "hems in White's three on the column"),
            (Claim::Swaps, "opening: takes the other color, which the search prefers"),
        ];
        for (claim, expected) in cases {
            check(&[claim], None, expected);
        }
    }

    #[test]
    fn parts_are_joined_and_the_last_ones_left_out_where_room_ends() {
        check(&[], None, "a quiet move");
        check(&[], Some(0.574), "a quiet move, winning chance 57 %");
        check(
            &[Claim::Center, Claim::Only],
            None,
            "takes the center, all other moves lose at once",
        );
        for count in 1..40 {
            let claims = vec![Claim::Takes(Kind::FourThree); count];
            let reason = Reason { mover: Color::White, claims, score: None };
            let text = text(&reason, Some(0.5));
            assert!(text.len() <= MOST && text.starts_with("takes the point where Black"));
        }
    }
}
