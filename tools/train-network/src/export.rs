//! Parameters as the whole numbers of a file, and back.

use tengen::eval::network::shape;
use tengen::eval::network::weights::Section;
use tengen::types::rule::Rule;

use crate::parts::Parts;
use learning::number::whole;

/// The section of a rule with these parameters.
pub(crate) fn section(rule: Rule, parameters: &[f32], origin: String) -> Section {
    let number = |(at, &parameter): (usize, &f32)| {
        let (unit, most) = shape::unit(rule, at);
        whole(parameter * f32::from(unit), most)
    };
    Section { rule, origin, numbers: parameters.iter().enumerate().map(number).collect() }
}

/// The sections of a file with one of them new.
pub(crate) fn put(mut sections: Vec<Section>, new: Section) -> Vec<Section> {
    sections.retain(|section| section.rule != new.rule);
    sections.push(new);
    sections.sort_by_key(|section| section.rule.index());
    sections
}

/// Parameters of a rule that say what a section says; it may be of another rule.
///
/// Where one rule has a table for each color and the other one for both, the first is taken for
/// both.
pub(crate) fn parameters(section: &Section, rule: Rule, parts: &Parts) -> Vec<f32> {
    let of = |at: usize| {
        let (unit, _) = shape::unit(section.rule, at);
        f32::from(section.numbers[at]) / f32::from(unit)
    };
    let mut parameters = vec![0.0; parts.count()];
    for table in 0..shape::tables(rule) {
        let from = table.min(shape::tables(section.rule) - 1);
        for at in 0..shape::TABLE {
            parameters[table * shape::TABLE + at] = of(from * shape::TABLE + at);
        }
        let (to, from) = (shape::head_start(rule, table), shape::head_start(section.rule, from));
        for at in 0..shape::head::SIZE {
            parameters[to + at] = of(from + at);
        }
    }
    parameters
}
