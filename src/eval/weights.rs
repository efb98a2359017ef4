//! The weights of the classical evaluation, read from one text file.
//!
//! Owns the file format; the embedded file is `data/classical.txt`, whose origin is told in
//! `data/README.md`. A line is a word and what it needs, `#` begins a comment:
//!
//! ```text
//!   tengen-classical 1                      first line: the format's version
//!   section renju-black                     the tables that follow: a rule, for renju by color
//!   like freestyle                          begins as a copy of an earlier section
//!   line open-two 3 4 4                     added for each line with this pattern
//!   combined four-three 60 900 500          added for the combined pattern
//!   set four open-two dead dead 31 400 250  what this set is worth, instead of any sum
//!   threat own-three 12                     added while there is such a threat
//!   threats 0b10000000100 -35               what exactly these threats are worth instead
//!   chance 120                              the scale of a score as a chance, see below
//! ```
//!
//! The three numbers are the value in the evaluation and the scores of a move there: as the one
//! who attacks, and as the one who takes it from the other side. A score of so many times the
//! scale wins with a chance of 1 / (1 + e^-times), a draw counted as half a win; in renju the
//! section of Black says it.

use std::fmt;
use std::sync::LazyLock;

use crate::pattern::table::{SET_SLOTS, boxed};
use crate::pattern::{Combined, LinePattern, PATTERN_SETS, PatternSet};
use crate::types::color::{ByColor, Color};
use crate::types::rule::Rule;

/// The weights the program is built with.
const EMBEDDED: &str = include_str!("data/classical.txt");

/// Largest weight either way; sums over a whole board stay far from any overflow.
pub const MAX_WEIGHT: i16 = 10_000;

/// The scale of a section that names none.
const DEFAULT_CHANCE: i16 = 200;

/// What a set of line patterns is worth on an empty square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetWeights {
    /// In the evaluation of a position.
    pub value: i16,
    /// In the ordering of moves: to make it.
    pub attack: i16,
    /// In the ordering of moves: to take it from the other side.
    pub defend: i16,
}

/// A kind of threat, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threat {
    /// The other side makes five next.
    OtherFive = 0,
    /// An open or double four can be made.
    OwnOpenFour = 1,
    /// The other side can make one.
    OtherOpenFour = 2,
    /// A four with potential can be made.
    OwnFourPlus = 3,
    /// A plain four can be made.
    OwnFour = 4,
    /// A double three or an open three with potential can be made.
    OwnThreePlus = 5,
    /// An open three can be made.
    OwnThree = 6,
    /// The other side can make a four with potential.
    OtherFourPlus = 7,
    /// The other side can make a plain four.
    OtherFour = 8,
    /// The other side can make a double three or an open three with potential.
    OtherThreePlus = 9,
    /// The other side can make an open three.
    OtherThree = 10,
}

/// Number of masks of threats.
pub const THREAT_MASKS: usize = 1 << Threat::ALL.len();

impl Threat {
    /// All of them, in the order of their bits.
    pub const ALL: [Threat; 11] = [
        Threat::OtherFive,
        Threat::OwnOpenFour,
        Threat::OtherOpenFour,
        Threat::OwnFourPlus,
        Threat::OwnFour,
        Threat::OwnThreePlus,
        Threat::OwnThree,
        Threat::OtherFourPlus,
        Threat::OtherFour,
        Threat::OtherThreePlus,
        Threat::OtherThree,
    ];

    /// Whether it is the side to move's own, and the combined patterns of which there must be
    /// one.
    #[inline(always)]
    pub const fn meaning(self) -> (bool, &'static [Combined]) {
        const FIVE: &[Combined] = &[Combined::Five];
        const OPEN_FOUR: &[Combined] = &[Combined::OpenFour, Combined::DoubleFour];
        const FOUR_PLUS: &[Combined] = &[Combined::FourThree, Combined::FourPlus];
        const FOUR: &[Combined] = &[Combined::Four];
        const THREE_PLUS: &[Combined] = &[Combined::DoubleThree, Combined::OpenThreePlus];
        const THREE: &[Combined] = &[Combined::OpenThree];
        match self {
            Threat::OtherFive => (false, FIVE),
            Threat::OwnOpenFour => (true, OPEN_FOUR),
            Threat::OtherOpenFour => (false, OPEN_FOUR),
            Threat::OwnFourPlus => (true, FOUR_PLUS),
            Threat::OwnFour => (true, FOUR),
            Threat::OwnThreePlus => (true, THREE_PLUS),
            Threat::OwnThree => (true, THREE),
            Threat::OtherFourPlus => (false, FOUR_PLUS),
            Threat::OtherFour => (false, FOUR),
            Threat::OtherThreePlus => (false, THREE_PLUS),
            Threat::OtherThree => (false, THREE),
        }
    }

    /// Name as in the weights file.
    pub const fn name(self) -> &'static str {
        match self {
            Threat::OtherFive => "other-five",
            Threat::OwnOpenFour => "own-open-four",
            Threat::OtherOpenFour => "other-open-four",
            Threat::OwnFourPlus => "own-four-plus",
            Threat::OwnFour => "own-four",
            Threat::OwnThreePlus => "own-three-plus",
            Threat::OwnThree => "own-three",
            Threat::OtherFourPlus => "other-four-plus",
            Threat::OtherFour => "other-four",
            Threat::OtherThreePlus => "other-three-plus",
            Threat::OtherThree => "other-three",
        }
    }
}

/// The weights of one color under one rule, in slots by set or mask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColorWeights {
    /// In the evaluation. Apart from the move scores, since only these are needed per stone.
    values: [i16; SET_SLOTS],
    /// In the ordering: attack and defense.
    moves: Box<[[i16; 2]; SET_SLOTS]>,
    threats: Box<[i16; THREAT_MASKS]>,
}

/// The weights of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleWeights {
    colors: ByColor<ColorWeights>,
    /// The score that is one unit of the logistic curve of the chance of a win.
    chance: i16,
}

/// Why a text is no weights file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsError {
    /// Line number, from 1.
    pub line: usize,
    /// What was expected and what came.
    pub what: String,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for WeightsError {}

static WEIGHTS: LazyLock<Vec<RuleWeights>> = LazyLock::new(|| match parse(EMBEDDED) {
    Ok(weights) => weights,
    Err(error) => unreachable!("the embedded weights are tested: {error}"),
});

impl ColorWeights {
    /// What a set is worth.
    pub fn set(&self, set: PatternSet) -> SetWeights {
        let slot = set.index() & (SET_SLOTS - 1);
        let [attack, defend] = self.moves[slot];
        SetWeights { value: self.values[slot], attack, defend }
    }

    /// What a mask of threats is worth; see [`Threat`] for its bits.
    pub fn threats(&self, mask: usize) -> i16 {
        self.threats[mask]
    }
}

impl RuleWeights {
    /// The embedded weights of a rule.
    pub fn of(rule: Rule) -> &'static RuleWeights {
        &WEIGHTS[rule.index()]
    }

    /// The weights of a color's patterns.
    pub fn of_color(&self, color: Color) -> &ColorWeights {
        &self.colors[color]
    }

    /// What a set is worth in the evaluation of a color.
    #[inline(always)]
    pub fn value(&self, color: Color, set: PatternSet) -> i32 {
        i32::from(self.colors[color].values[set.index() & (SET_SLOTS - 1)])
    }

    /// Score of a move, for ordering: what its side makes there and what the other side would.
    #[inline(always)]
    pub fn move_score(&self, mover: Color, own: PatternSet, other: PatternSet) -> i32 {
        let [attack, _] = self.colors[mover].moves[own.index() & (SET_SLOTS - 1)];
        let [_, defend] = self.colors[mover.opponent()].moves[other.index() & (SET_SLOTS - 1)];
        i32::from(attack) + i32::from(defend)
    }

    /// The score that is one unit of the logistic curve of the chance of a win; above zero.
    pub fn chance_scale(&self) -> i16 {
        self.chance
    }

    /// What a mask of threats is worth to a side to move; see [`Threat`] for its bits.
    #[inline(always)]
    pub fn threats(&self, own: Color, mask: usize) -> i32 {
        i32::from(self.colors[own].threats[mask & (THREAT_MASKS - 1)])
    }
}

/// A section of the file with all that `like` has brought in; for tuners, which write it back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// What the tables are for: a rule, for renju with the color.
    pub name: String,
    /// What each line adds, in the order of [`LinePattern::ALL`].
    pub lines: [SetWeights; LinePattern::ALL.len()],
    /// What the combined pattern adds, in the order of [`Combined::ALL`].
    pub combined: [SetWeights; Combined::ALL.len()],
    /// What some sets are worth instead; the last entry of a set counts.
    pub sets: Vec<(PatternSet, SetWeights)>,
    /// What each threat adds, in the order of [`Threat::ALL`].
    pub threats: [i16; Threat::ALL.len()],
    /// What some masks of threats are worth instead; the last entry of a mask counts.
    pub masks: Vec<(usize, i16)>,
    /// The score that is one unit of the logistic curve of the chance of a win; above zero.
    pub chance: i16,
}

/// A section as the file has it, without any `like`.
impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |f: &mut fmt::Formatter<'_>, head: &str, weights: &SetWeights| {
            writeln!(f, "{head} {} {} {}", weights.value, weights.attack, weights.defend)
        };
        writeln!(f, "section {}", self.name)?;
        writeln!(f, "chance {}", self.chance)?;
        for (pattern, weights) in LinePattern::ALL.into_iter().zip(&self.lines) {
            line(f, &format!("line {}", pattern.name()), weights)?;
        }
        for (combined, weights) in Combined::ALL.into_iter().zip(&self.combined) {
            line(f, &format!("combined {}", combined.name()), weights)?;
        }
        for (threat, value) in Threat::ALL.into_iter().zip(self.threats) {
            writeln!(f, "threat {} {value}", threat.name())?;
        }
        for (mask, value) in &self.masks {
            writeln!(f, "threats 0b{mask:011b} {value}")?;
        }
        let all = PatternSet::all();
        for (set, weights) in &self.sets {
            let names = all[set.index()].1.map(LinePattern::name).join(" ");
            line(f, &format!("set {names}"), weights)?;
        }
        Ok(())
    }
}

impl Section {
    fn new(name: &str) -> Section {
        Section {
            name: name.to_owned(),
            lines: Default::default(),
            combined: Default::default(),
            sets: Vec::new(),
            threats: [0; 11],
            masks: Vec::new(),
            chance: DEFAULT_CHANCE,
        }
    }

    /// The name of the section that holds a color's weights under a rule.
    pub const fn name_of(rule: Rule, color: Color) -> &'static str {
        match (rule, color) {
            (Rule::Renju, Color::Black) => "renju-black",
            (Rule::Renju, Color::White) => "renju-white",
            _ => rule.name(),
        }
    }

    /// The tables, for a color whose patterns may be fouls or not.
    pub fn tables(&self, fouls: bool) -> ColorWeights {
        let mut sets = vec![SetWeights::default(); PATTERN_SETS].into_boxed_slice();
        for (set, lines) in PatternSet::all() {
            let combined = self.combined[Combined::of(lines, fouls) as usize];
            let parts = lines.map(|pattern| self.lines[pattern as usize]);
            let sum = |part: fn(&SetWeights) -> i16| {
                let sum = parts.iter().fold(part(&combined), |sum, w| sum.saturating_add(part(w)));
                sum.clamp(-MAX_WEIGHT, MAX_WEIGHT)
            };
            sets[set.index()] = SetWeights {
                value: sum(|w| w.value),
                attack: sum(|w| w.attack),
                defend: sum(|w| w.defend),
            };
        }
        for &(set, weights) in &self.sets {
            sets[set.index()] = weights;
        }
        let mut threats: Box<[i16; THREAT_MASKS]> = boxed(0);
        for (mask, total) in threats.iter_mut().enumerate() {
            for threat in Threat::ALL {
                if mask >> threat as usize & 1 != 0 {
                    *total = i16::saturating_add(*total, self.threats[threat as usize]);
                }
            }
        }
        for &(mask, value) in &self.masks {
            threats[mask] = value;
        }
        let mut values = [0; SET_SLOTS];
        let mut moves = boxed([0; 2]);
        for (slot, weights) in sets.into_iter().enumerate() {
            values[slot] = weights.value;
            moves[slot] = [weights.attack, weights.defend];
        }
        ColorWeights { values, moves, threats }
    }
}

/// Reads a weights file; one entry per rule, in the order of [`Rule::ALL`].
///
/// # Errors
/// [`WeightsError`] at the first line that is not as described above, or when a section that a
/// rule needs is missing.
pub fn parse(text: &str) -> Result<Vec<RuleWeights>, WeightsError> {
    let sections = parse_sections(text)?;
    let find = |rule, color| {
        let name = Section::name_of(rule, color);
        let found = sections.iter().find(|section| section.name == name);
        found.ok_or_else(|| WeightsError {
            line: text.lines().count(),
            what: format!("no section '{name}'"),
        })
    };
    Rule::ALL
        .into_iter()
        .map(|rule| {
            let section = find(rule, Color::Black)?;
            let black = section.tables(rule == Rule::Renju);
            let white = find(rule, Color::White)?.tables(false);
            Ok(RuleWeights { colors: ByColor::new(black, white), chance: section.chance })
        })
        .collect()
}

/// Reads the sections of a weights file, in its order.
///
/// # Errors
/// [`WeightsError`] at the first line that is not as described above.
pub fn parse_sections(text: &str) -> Result<Vec<Section>, WeightsError> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(at, line)| (at + 1, line.split('#').next().unwrap_or("").trim()))
        .filter(|(_, line)| !line.is_empty());
    let at = |line: usize| move |what: String| WeightsError { line, what };

    match lines.next() {
        Some((_, "tengen-classical 1")) => {}
        other => {
            let (line, found) = other.unwrap_or((1, ""));
            return Err(at(line)(format!("expected 'tengen-classical 1', got '{found}'")));
        }
    }
    let mut sections: Vec<Section> = Vec::new();
    for (number, line) in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let ["section", name] = words[..] {
            sections.push(Section::new(name));
            continue;
        }
        let Some((section, earlier)) = sections.split_last_mut() else {
            return Err(at(number)(format!("expected a section, got '{line}'")));
        };
        parse_line(section, earlier, &words).map_err(at(number))?;
    }
    Ok(sections)
}

/// Reads one line into a section.
fn parse_line(section: &mut Section, earlier: &[Section], words: &[&str]) -> Result<(), String> {
    match *words {
        ["like", name] => {
            let known = earlier.iter().find(|known| known.name == name);
            let known = known.ok_or_else(|| format!("no earlier section '{name}'"))?;
            *section = Section { name: section.name.clone(), ..known.clone() };
        }
        ["chance", scale] => {
            section.chance = number(scale)?;
            if section.chance <= 0 {
                return Err(format!("expected a scale above zero, got '{scale}'"));
            }
        }
        ["line", name, value, attack, defend] => {
            section.lines[line_pattern(name)? as usize] = weights(value, attack, defend)?;
        }
        ["combined", name, value, attack, defend] => {
            let combined = Combined::ALL.into_iter().find(|known| known.name() == name);
            let combined = combined.ok_or_else(|| format!("no combined pattern '{name}'"))?;
            section.combined[combined as usize] = weights(value, attack, defend)?;
        }
        ["set", a, b, c, d, value, attack, defend] => {
            let lines = [line_pattern(a)?, line_pattern(b)?, line_pattern(c)?, line_pattern(d)?];
            section.sets.push((PatternSet::of(lines), weights(value, attack, defend)?));
        }
        ["threat", name, value] => {
            let threat = Threat::ALL.into_iter().find(|known| known.name() == name);
            let threat = threat.ok_or_else(|| format!("no threat '{name}'"))?;
            section.threats[threat as usize] = number(value)?;
        }
        ["threats", mask, value] => {
            let bits = mask.strip_prefix("0b").and_then(|bits| usize::from_str_radix(bits, 2).ok());
            let mask = bits.filter(|&mask| mask < THREAT_MASKS);
            let mask = mask.ok_or("expected a mask such as 0b101, of eleven bits at most")?;
            section.masks.push((mask, number(value)?));
        }
        _ => return Err(format!("not understood: '{}'", words.join(" "))),
    }
    Ok(())
}

fn line_pattern(name: &str) -> Result<LinePattern, String> {
    let pattern = LinePattern::ALL.into_iter().find(|known| known.name() == name);
    pattern.ok_or_else(|| format!("no line pattern '{name}'"))
}

fn number(text: &str) -> Result<i16, String> {
    let number = text.parse().ok().filter(|n| (-MAX_WEIGHT..=MAX_WEIGHT).contains(n));
    number.ok_or_else(|| format!("expected a number up to {MAX_WEIGHT} either way, got '{text}'"))
}

fn weights(value: &str, attack: &str, defend: &str) -> Result<SetWeights, String> {
    Ok(SetWeights { value: number(value)?, attack: number(attack)?, defend: number(defend)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_file_is_sound() {
        let weights = parse(EMBEDDED).unwrap();
        assert_eq!(weights.len(), Rule::ALL.len());
        let five = PatternSet::of([LinePattern::Five; 4]);
        let nothing = PatternSet::default();
        for rules in &weights {
            for color in Color::ALL {
                let best = rules.move_score(color, five, nothing);
                assert!(best > rules.move_score(color, nothing, five), "a five comes first");
            }
        }
    }

    #[test]
    fn a_section_survives_being_written_and_read() {
        let text = "tengen-classical 1\nsection a\nline two -3 4 5\ncombined four 6 7 8\n\
                    threat own-three 9\nthreats 0b101 -10\nset four two dead one 1 2 3\n\
                    section b\nlike a\nset five five five five 4 5 6";
        let sections = parse_sections(text).unwrap();
        let written: String = sections.iter().map(ToString::to_string).collect();
        assert_eq!(parse_sections(&format!("tengen-classical 1\n{written}")).unwrap(), sections);
        assert_eq!((sections[1].sets.len(), sections[1].threats[6]), (2, 9));
        let set = PatternSet::of([
            LinePattern::One,
            LinePattern::Two,
            LinePattern::Dead,
            LinePattern::Four,
        ]);
        let expected = SetWeights { value: 1, attack: 2, defend: 3 };
        assert_eq!(sections[1].tables(false).set(set), expected);
        assert_eq!(sections[1].tables(false).threats(0b101), -10);
    }

    #[test]
    fn a_broken_file_is_refused_with_the_line() {
        let check = |text: &str, line, part: &str| {
            let error = parse(text).unwrap_err();
            assert_eq!(error.line, line, "{error}");
            assert!(error.what.contains(part), "{error}");
        };
        check("", 1, "expected 'tengen-classical 1'");
        check("tengen-classical 2", 1, "got 'tengen-classical 2'");
        check("tengen-classical 1\nline five 1 1 1", 2, "expected a section");
        check("tengen-classical 1\nsection freestyle\nline six 1 1 1", 3, "no line pattern 'six'");
        check("tengen-classical 1\nsection freestyle\nline five 1 1", 3, "not understood");
        check("tengen-classical 1\nsection x\nthreat own-three 99999", 3, "up to 10000");
        check("tengen-classical 1\nsection x\nthreats 0b111111111111 1", 3, "eleven bits");
        check("tengen-classical 1\nsection freestyle", 2, "no section 'standard'");
    }
}
