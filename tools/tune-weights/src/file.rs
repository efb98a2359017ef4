//! The weights file: sections out of fitted parameters, put in place of those of before.
//!
//! Owns what is written and what is not. The format itself is the engine's, see
//! `tengen::eval::weights`. Must not know how parameters are found.

use tengen::eval::weights::{MAX_WEIGHT, Section, SetWeights, THREAT_MASKS};
use tengen::pattern::{LinePattern, PatternSet};

use learning::number;

/// One column of a color's sets: shared parts, all values, and how often each was seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column<'a> {
    /// Of line patterns, then of combined ones.
    pub(crate) parts: &'a [f32],
    /// Per set.
    pub(crate) values: &'a [f32],
    /// Per set.
    pub(crate) seen: &'a [u32],
}

/// All that is fitted for a section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fitted<'a> {
    pub(crate) value: Column<'a>,
    pub(crate) attack: Column<'a>,
    pub(crate) defend: Column<'a>,
    /// Of single threats.
    pub(crate) threats: &'a [f32],
    /// Per mask.
    pub(crate) masks: &'a [f32],
    /// Per mask.
    pub(crate) masks_seen: &'a [u32],
}

pub(crate) fn whole(number: f32) -> i16 {
    number::whole(number, MAX_WEIGHT)
}

/// The section of this name that says what was fitted.
///
/// Sets and masks that were seen fewer than `least` times get no line of their own: they are
/// worth the sum of their parts.
pub(crate) fn section(
    name: &str,
    fouls: bool,
    fitted: &Fitted<'_>,
    least: u32,
    chance: i16,
) -> Section {
    let columns = [fitted.value, fitted.attack, fitted.defend];
    let three = |pick: &dyn Fn(&Column<'_>) -> f32| {
        let [value, attack, defend] = columns.map(|column| whole(pick(&column)));
        SetWeights { value, attack, defend }
    };
    let mut section = Section {
        name: name.to_owned(),
        lines: std::array::from_fn(|line| three(&|column| column.parts[line])),
        combined: std::array::from_fn(|combined| {
            three(&|column| column.parts[LinePattern::ALL.len() + combined])
        }),
        sets: Vec::new(),
        threats: std::array::from_fn(|threat| whole(fitted.threats[threat])),
        masks: Vec::new(),
        chance,
    };
    let sums = section.tables(fouls);
    for (set, _) in PatternSet::all() {
        let at = set.index();
        let sum = sums.set(set);
        let own = |column: &Column<'_>, sum: i16| {
            if column.seen[at] >= least { whole(column.values[at]) } else { sum }
        };
        let weights = SetWeights {
            value: own(&fitted.value, sum.value),
            attack: own(&fitted.attack, sum.attack),
            defend: own(&fitted.defend, sum.defend),
        };
        if weights != sum {
            section.sets.push((set, weights));
        }
    }
    for mask in 0..THREAT_MASKS {
        let value = whole(fitted.masks[mask]);
        if fitted.masks_seen[mask] >= least && value != sums.threats(mask) {
            section.masks.push((mask, value));
        }
    }
    section
}

/// A section as text: with a comment on where it came from, weights in columns.
fn text_of(section: &Section, comment: &str) -> String {
    let mut text = String::new();
    let mut kind = "";
    for line in section.to_string().lines() {
        let words: Vec<&str> = line.split(' ').collect();
        if words[0] != kind && !kind.is_empty() && kind != "section" {
            text.push('\n');
        }
        kind = words.first().copied().unwrap_or("");
        let line = match words[..] {
            ["section", _] => {
                let comment = comment.lines().map(|line| format!("# {line}\n"));
                format!("{line}\n{}\n", comment.collect::<String>())
            }
            [kind @ ("line" | "combined"), name, value, attack, defend] => {
                let head = format!("{kind} {name}");
                format!("{head:<26} {value:>5} {attack:>5} {defend:>5}\n")
            }
            _ => format!("{line}\n"),
        };
        text += &line;
    }
    text.push('\n');
    text
}

/// The file with a section replaced, all else left as it is; the old section's comments go too.
///
/// None when there is no such section.
pub(crate) fn replace(file: &str, section: &Section, comment: &str) -> Option<String> {
    let mut text = String::new();
    let mut is_inside = false;
    let mut is_found = false;
    for line in file.lines() {
        if let Some(name) = line.trim().strip_prefix("section ") {
            is_inside = name.trim() == section.name;
            if is_inside {
                is_found = true;
                text += &text_of(section, comment);
            }
        }
        if !is_inside {
            text += line;
            text.push('\n');
        }
    }
    let text = text.trim_end().to_owned() + "\n";
    is_found.then_some(text)
}

/// The order that moves must have whatever is fitted: what wins sooner comes first.
///
/// # Errors
/// What stands before what.
pub(crate) fn check_order(section: &Section, fouls: bool) -> Result<(), String> {
    const STEPS: [&[LinePattern]; 4] = [
        &[LinePattern::Five],
        &[LinePattern::OpenFour],
        &[LinePattern::Four, LinePattern::OpenThree],
        &[LinePattern::OpenThree],
    ];
    let tables = section.tables(fouls);
    let attack = |lines: &[LinePattern]| {
        let mut four = [LinePattern::Dead; 4];
        four[..lines.len()].copy_from_slice(lines);
        tables.set(PatternSet::of(four)).attack
    };
    for pair in STEPS.windows(2) {
        if attack(pair[0]) <= attack(pair[1]) {
            return Err(format!(
                "{}: {:?} is tried at {}, {:?} at {}",
                section.name,
                pair[0],
                attack(pair[0]),
                pair[1],
                attack(pair[1])
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen::eval::weights::{parse, parse_sections};
    use tengen::pattern::Combined;

    const FILE: &str = include_str!("../../../src/eval/data/classical.txt");

    /// Tables with a number for each set, and their parts.
    fn fitted<'a>(parts: &'a [f32], values: &'a [f32], seen: &'a [u32]) -> Fitted<'a> {
        let column = Column { parts, values, seen };
        Fitted {
            value: column,
            attack: column,
            defend: column,
            threats: &parts[..11],
            masks: &values[..2048],
            masks_seen: &seen[..2048],
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let parts: Vec<f32> = (0..29_u8).map(|part| f32::from(part) * 1.3).collect();
        let values: Vec<f32> = (0..2380_u16).map(|set| f32::from(set) / 7.0 - 100.0).collect();
        let seen: Vec<u32> = (0..2380).map(|set| set % 90).collect();
        let section = section("renju-black", true, &fitted(&parts, &values, &seen), 60, 150);
        assert_eq!(section.chance, 150);
        assert!((600..1000).contains(&section.sets.len()), "{}", section.sets.len());
        let text = replace(FILE, &section, "made up\nfor a test").unwrap();
        assert_eq!(parse(&text).map(|rules| rules.len()), Ok(5));
        let read = parse_sections(&text).unwrap();
        assert!(read.contains(&section));
        let before = parse_sections(FILE).unwrap();
        for (old, new) in before.iter().zip(&read) {
            assert_eq!(old.name, new.name);
            assert!(old == new || old.name == section.name, "{}", old.name);
        }
        let (set, _) = PatternSet::all()[80];
        assert_eq!(section.tables(true).set(set).value, whole(values[80]));
        assert_eq!(replace(&text, &section, "made up\nfor a test"), Some(text));
        assert_eq!(replace(FILE, &Section { name: "no".into(), ..section }, ""), None);
    }

    #[test]
    fn an_order_that_tries_threes_before_fives_is_found() {
        let mut section = parse_sections(FILE).unwrap().remove(0);
        assert_eq!(check_order(&section, false), Ok(()));
        section.sets.clear();
        section.combined[Combined::OpenThree as usize].attack = 5000;
        assert!(check_order(&section, false).unwrap_err().contains("OpenThree"));
    }
}
