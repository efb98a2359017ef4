//! What a stone on an empty square would make, per line and in all.
//!
//! Owns the words for shapes, the tables that know them and the state that follows a board.
//! Must not know weights, whose turn it is in a search, or time. Start with [`LinePattern`] and
//! [`Combined`]; `classify` is the definition, `table` makes it fast, `state` keeps it.
//!
//! Everything is said of an *empty* square X and one color: what there would be if that color
//! played at X. (The idea of rapfi `game/pattern.h`; the words are ours.)

pub mod classify;
pub mod state;
pub mod table;

/// What a stone at X makes on one line, weakest first.
///
/// Only fives that contain X count. `X` below is the new stone, `o` an own stone that stands,
/// `.` an empty cell, `*` an empty cell that leads one step up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinePattern {
    /// No five can ever be made through X here.
    Dead = 0,
    /// Six or more where that does not win: worth nothing, for Black in renju a foul. In renju
    /// also two fours in this one line, `o.oXo.o`, which is a foul as well.
    Overline = 1,
    /// Four more moves to a five, in one way.
    One = 2,
    /// Four more moves, and an open two on the way.
    OpenOne = 3,
    /// Three more moves, each of which can be answered in time: `|oX*`.
    Two = 4,
    /// One move, of one or two possible ones, makes an open three: `..oX..`.
    OpenTwo = 5,
    /// The same with three such moves.
    OpenTwoWide = 6,
    /// The same with four or more.
    OpenTwoFull = 7,
    /// One move makes a four: `|ooX*.`.
    Three = 8,
    /// One move, and only that one, makes an open four: `.oX*o.`.
    OpenThree = 9,
    /// Two or more moves do: `.*oXo*.`.
    OpenThreeWide = 10,
    /// One move makes five and one reply stops it: `|oooX*`.
    Four = 11,
    /// No single reply stops a five: `*oooX*`.
    OpenFour = 12,
    /// Five, or what else wins.
    Five = 13,
}

/// Number of line patterns.
pub const LINE_PATTERNS: usize = 14;

impl LinePattern {
    /// All patterns, weakest first.
    pub const ALL: [LinePattern; LINE_PATTERNS] = [
        LinePattern::Dead,
        LinePattern::Overline,
        LinePattern::One,
        LinePattern::OpenOne,
        LinePattern::Two,
        LinePattern::OpenTwo,
        LinePattern::OpenTwoWide,
        LinePattern::OpenTwoFull,
        LinePattern::Three,
        LinePattern::OpenThree,
        LinePattern::OpenThreeWide,
        LinePattern::Four,
        LinePattern::OpenFour,
        LinePattern::Five,
    ];

    /// Name as in the weights file.
    pub const fn name(self) -> &'static str {
        match self {
            LinePattern::Dead => "dead",
            LinePattern::Overline => "overline",
            LinePattern::One => "one",
            LinePattern::OpenOne => "open-one",
            LinePattern::Two => "two",
            LinePattern::OpenTwo => "open-two",
            LinePattern::OpenTwoWide => "open-two-wide",
            LinePattern::OpenTwoFull => "open-two-full",
            LinePattern::Three => "three",
            LinePattern::OpenThree => "open-three",
            LinePattern::OpenThreeWide => "open-three-wide",
            LinePattern::Four => "four",
            LinePattern::OpenFour => "open-four",
            LinePattern::Five => "five",
        }
    }

    /// Any kind of open two.
    pub const fn is_open_two(self) -> bool {
        matches!(self, LinePattern::OpenTwo | LinePattern::OpenTwoWide | LinePattern::OpenTwoFull)
    }

    /// Any kind of open three.
    pub const fn is_open_three(self) -> bool {
        matches!(self, LinePattern::OpenThree | LinePattern::OpenThreeWide)
    }

    /// A four or an open four.
    pub const fn is_four(self) -> bool {
        matches!(self, LinePattern::Four | LinePattern::OpenFour)
    }
}

/// What a stone at X makes on all four lines together, weakest first.
///
/// "Three" below is an open three and "potential" a three or an open two on another line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Combined {
    /// Nothing of what follows.
    None = 0,
    /// One open two.
    OpenTwo = 1,
    /// One three that is not open.
    Three = 2,
    /// Two open twos.
    DoubleTwo = 3,
    /// A three that is not open, with potential.
    ThreePlus = 4,
    /// One open three.
    OpenThree = 5,
    /// An open three with potential.
    OpenThreePlus = 6,
    /// Two open threes: wins in five plies unless the other side makes a four.
    DoubleThree = 7,
    /// For Black in renju: looks like a foul by its lines; whether it is one the rule knows.
    Forbidden = 8,
    /// A four: one reply stops it.
    Four = 9,
    /// A four with potential.
    FourPlus = 10,
    /// A four and an open three: wins in five plies unless the reply makes a four.
    FourThree = 11,
    /// Two fours: wins in three plies.
    DoubleFour = 12,
    /// An open four: wins in three plies.
    OpenFour = 13,
    /// Five: wins at once.
    Five = 14,
}

/// Number of combined patterns.
pub const COMBINED_PATTERNS: usize = 15;

impl Combined {
    /// All of them, weakest first.
    pub const ALL: [Combined; COMBINED_PATTERNS] = [
        Combined::None,
        Combined::OpenTwo,
        Combined::Three,
        Combined::DoubleTwo,
        Combined::ThreePlus,
        Combined::OpenThree,
        Combined::OpenThreePlus,
        Combined::DoubleThree,
        Combined::Forbidden,
        Combined::Four,
        Combined::FourPlus,
        Combined::FourThree,
        Combined::DoubleFour,
        Combined::OpenFour,
        Combined::Five,
    ];

    /// Those that make a five the next threat, strongest first; a five itself is not among them.
    pub const FOURS: [Combined; 5] = [
        Combined::OpenFour,
        Combined::DoubleFour,
        Combined::FourThree,
        Combined::FourPlus,
        Combined::Four,
    ];

    /// Name as in the weights file.
    pub const fn name(self) -> &'static str {
        match self {
            Combined::None => "none",
            Combined::OpenTwo => "open-two",
            Combined::Three => "three",
            Combined::DoubleTwo => "double-two",
            Combined::ThreePlus => "three-plus",
            Combined::OpenThree => "open-three",
            Combined::OpenThreePlus => "open-three-plus",
            Combined::DoubleThree => "double-three",
            Combined::Forbidden => "forbidden",
            Combined::Four => "four",
            Combined::FourPlus => "four-plus",
            Combined::FourThree => "four-three",
            Combined::DoubleFour => "double-four",
            Combined::OpenFour => "open-four",
            Combined::Five => "five",
        }
    }

    /// Joins the patterns of the four lines; `fouls` says that they are Black's under renju.
    pub fn of(lines: [LinePattern; 4], fouls: bool) -> Combined {
        let count = |test: fn(LinePattern) -> bool| lines.iter().filter(|&&p| test(p)).count();
        let fives = count(|p| p == LinePattern::Five);
        let open_fours = count(|p| p == LinePattern::OpenFour);
        let fours = count(LinePattern::is_four);
        let open_threes = count(LinePattern::is_open_three);
        let threes = count(|p| p == LinePattern::Three);
        let open_twos = count(LinePattern::is_open_two);
        let overlines = count(|p| p == LinePattern::Overline);

        if fives > 0 {
            Combined::Five
        } else if fouls && (overlines > 0 || fours >= 2 || open_threes >= 2) {
            Combined::Forbidden
        } else if open_fours > 0 {
            Combined::OpenFour
        } else if fours >= 2 {
            Combined::DoubleFour
        } else if fours == 1 {
            match (open_threes, threes + open_twos) {
                (0, 0) => Combined::Four,
                (0, _) => Combined::FourPlus,
                _ => Combined::FourThree,
            }
        } else if open_threes >= 2 {
            Combined::DoubleThree
        } else if open_threes == 1 {
            if threes + open_twos > 0 { Combined::OpenThreePlus } else { Combined::OpenThree }
        } else if threes > 0 && threes + open_twos >= 2 {
            Combined::ThreePlus
        } else if open_twos >= 2 {
            Combined::DoubleTwo
        } else if threes == 1 {
            Combined::Three
        } else if open_twos == 1 {
            Combined::OpenTwo
        } else {
            Combined::None
        }
    }
}

/// Number of unordered sets of four line patterns: 17 over 4.
pub const PATTERN_SETS: usize = 2380;

/// Which unordered set of four line patterns an empty square has for a color.
///
/// Range: 0 to 2,379. The number of the sorted patterns `a >= b >= c >= d` in the combinatorial
/// number system: `C(a+3,4) + C(b+2,3) + C(c+1,2) + d`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PatternSet(u16);

impl PatternSet {
    /// The set of four patterns.
    pub fn of(mut lines: [LinePattern; 4]) -> PatternSet {
        lines.sort_unstable_by(|a, b| b.cmp(a));
        let [a, b, c, d] = lines.map(|pattern| pattern as u16);
        PatternSet(
            (a + 3) * (a + 2) * (a + 1) * a / 24 + (b + 2) * (b + 1) * b / 6 + (c + 1) * c / 2 + d,
        )
    }

    /// The number, 0 to 2,379.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The same in the 16 bits it is kept in.
    #[inline(always)]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// Every set with its patterns, strongest first, in the order of [`PatternSet::index`].
    pub fn all() -> Vec<(PatternSet, [LinePattern; 4])> {
        let mut sets = Vec::with_capacity(PATTERN_SETS);
        for (a, &first) in LinePattern::ALL.iter().enumerate() {
            for (b, &second) in LinePattern::ALL[..=a].iter().enumerate() {
                for (c, &third) in LinePattern::ALL[..=b].iter().enumerate() {
                    for &fourth in &LinePattern::ALL[..=c] {
                        let lines = [first, second, third, fourth];
                        sets.push((PatternSet::of(lines), lines));
                    }
                }
            }
        }
        sets
    }
}

/// Hears of what changes when a stone is placed.
pub trait PatternObserver {
    /// An empty square may have other sets of patterns, Black's first; one may be as before.
    fn on_change(&mut self, before: [PatternSet; 2], after: [PatternSet; 2]);
    /// A square is empty no more; these were its sets.
    fn on_occupied(&mut self, black: PatternSet, white: PatternSet);
}

/// Nobody listens.
impl PatternObserver for () {
    #[inline]
    fn on_change(&mut self, _: [PatternSet; 2], _: [PatternSet; 2]) {}
    #[inline]
    fn on_occupied(&mut self, _: PatternSet, _: PatternSet) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pattern_sets_are_numbered_without_gaps() {
        let sets = PatternSet::all();
        assert_eq!(sets.len(), PATTERN_SETS);
        for (number, (set, mut lines)) in sets.into_iter().enumerate() {
            assert_eq!(set.index(), number, "{lines:?}");
            lines.rotate_left(1);
            assert_eq!(PatternSet::of(lines), set, "the order does not matter");
        }
    }

    #[test]
    fn combined_patterns_of_some_lines() {
        use LinePattern as L;
        let check = |lines, free, fouls| {
            assert_eq!(Combined::of(lines, false), free, "{lines:?}");
            assert_eq!(Combined::of(lines, true), fouls, "{lines:?} with fouls");
        };
        let d = L::Dead;
        check([d, d, d, d], Combined::None, Combined::None);
        check([L::Five, L::Overline, d, d], Combined::Five, Combined::Five);
        check([L::Four, d, L::Four, d], Combined::DoubleFour, Combined::Forbidden);
        check([L::OpenFour, d, d, d], Combined::OpenFour, Combined::OpenFour);
        check([L::OpenFour, L::Four, d, d], Combined::OpenFour, Combined::Forbidden);
        check([d, L::OpenThree, d, L::Four], Combined::FourThree, Combined::FourThree);
        check([L::OpenThree, L::OpenThreeWide, d, d], Combined::DoubleThree, Combined::Forbidden);
        check([L::Four, L::OpenTwo, d, d], Combined::FourPlus, Combined::FourPlus);
        check([L::Four, L::OpenOne, L::Two, d], Combined::Four, Combined::Four);
        check([L::OpenThree, L::Three, d, d], Combined::OpenThreePlus, Combined::OpenThreePlus);
        check([L::Three, L::OpenTwo, d, d], Combined::ThreePlus, Combined::ThreePlus);
        check([L::OpenTwo, L::OpenTwoFull, d, d], Combined::DoubleTwo, Combined::DoubleTwo);
        check([d, L::Overline, d, d], Combined::None, Combined::Forbidden);
    }
}
