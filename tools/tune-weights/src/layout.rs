//! What is fitted: additive parts of patterns and threats, and what single sets or masks differ
//! from their sum.
//!
//! Owns how a flat vector of parameters becomes the tables of an evaluation, and how a gradient
//! goes the way back. Must not know where gradients come from.
//!
//! ```text
//!   block of sets      parameters   14 line patterns, 15 combined patterns, 2,380 differences
//!                      table        2,380 values: the set's four lines + its combined + its own
//!   block of threats   parameters   11 threats, 2,048 differences
//!                      table        2,048 values: the threats of the mask + its own
//! ```
//!
//! The parts make a set that is seldom seen take after those like it; a difference is pulled to
//! nothing as by a prior of a certain spread.

use tengen::eval::weights::{Section, SetWeights, THREAT_MASKS, Threat};
use tengen::pattern::{Combined, LinePattern, PATTERN_SETS, PatternSet};

const LINES: usize = LinePattern::ALL.len();
const PARTS: usize = LINES + Combined::ALL.len();
const BITS: usize = Threat::ALL.len();

/// One table and its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    /// Sets of line patterns; whether some of them are fouls.
    Sets {
        /// The patterns are Black's under renju.
        fouls: bool,
    },
    /// Masks of threats.
    Threats,
}

impl Block {
    /// Number of parameters.
    const fn parameters(self) -> usize {
        match self {
            Block::Sets { .. } => PARTS + PATTERN_SETS,
            Block::Threats => BITS + THREAT_MASKS,
        }
    }

    /// Length of the table.
    const fn entries(self) -> usize {
        match self {
            Block::Sets { .. } => PATTERN_SETS,
            Block::Threats => THREAT_MASKS,
        }
    }

    /// The parts of each entry, as numbers of parameters.
    fn parts(self) -> Vec<Vec<usize>> {
        match self {
            Block::Sets { fouls } => PatternSet::all()
                .into_iter()
                .map(|(_, lines)| {
                    let mut parts: Vec<usize> = lines.map(|line| line as usize).to_vec();
                    parts.push(LINES + Combined::of(lines, fouls) as usize);
                    parts
                })
                .collect(),
            Block::Threats => (0..THREAT_MASKS)
                .map(|mask| (0..BITS).filter(|bit| mask >> bit & 1 != 0).collect())
                .collect(),
        }
    }
}

/// Blocks in a row, with all that is needed to go from parameters to tables and back.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    blocks: Vec<Block>,
    /// Per entry of all tables its parts and, last, its own difference.
    parts: Vec<Vec<usize>>,
    parameters: usize,
}

impl Layout {
    pub(crate) fn new(blocks: Vec<Block>) -> Layout {
        let mut parts = Vec::new();
        let mut first = 0;
        for &block in &blocks {
            let own = first + block.parameters() - block.entries();
            for (entry, block_parts) in block.parts().into_iter().enumerate() {
                let shared = block_parts.into_iter().map(|part| first + part);
                parts.push(shared.chain([own + entry]).collect());
            }
            first += block.parameters();
        }
        Layout { blocks, parts, parameters: first }
    }

    /// Number of parameters.
    #[cfg(test)]
    pub(crate) fn parameters(&self) -> usize {
        self.parameters
    }

    /// Length of all tables together.
    #[cfg(test)]
    pub(crate) fn entries(&self) -> usize {
        self.parts.len()
    }

    /// First parameter and first entry of a block.
    fn start(&self, block: usize) -> (usize, usize) {
        let before = &self.blocks[..block];
        (
            before.iter().map(|block| block.parameters()).sum(),
            before.iter().map(|block| block.entries()).sum(),
        )
    }

    /// The table of a block among all entries.
    pub(crate) fn table<'a, T>(&self, block: usize, entries: &'a [T]) -> &'a [T] {
        let first = self.start(block).1;
        &entries[first..first + self.blocks[block].entries()]
    }

    /// The shared parts of a block and the differences of its entries.
    pub(crate) fn split<'a, T>(&self, block: usize, parameters: &'a [T]) -> (&'a [T], &'a [T]) {
        let first = self.start(block).0;
        let block = self.blocks[block];
        let shared = block.parameters() - block.entries();
        parameters[first..first + block.parameters()].split_at(shared)
    }

    /// The tables that parameters make.
    pub(crate) fn expand(&self, parameters: &[f32]) -> Vec<f32> {
        self.parts.iter().map(|parts| parts.iter().map(|&part| parameters[part]).sum()).collect()
    }

    /// The gradient of the parameters, from that of the tables.
    pub(crate) fn gather(&self, entries: &[f32]) -> Vec<f32> {
        let mut gradient = vec![0.0; self.parameters];
        for (parts, &entry) in self.parts.iter().zip(entries) {
            if entry != 0.0 {
                for &part in parts {
                    gradient[part] += entry;
                }
            }
        }
        gradient
    }

    /// The parameters that a section of the file has for a block; `column` picks the number of
    /// a pattern.
    pub(crate) fn read(
        block: Block,
        section: &Section,
        column: impl Fn(&SetWeights) -> i16,
    ) -> Vec<f32> {
        let mut parameters = vec![0.0; block.parameters()];
        match block {
            Block::Sets { fouls } => {
                let shared = section.lines.iter().chain(&section.combined);
                for (parameter, weights) in parameters.iter_mut().zip(shared) {
                    *parameter = f32::from(column(weights));
                }
                let sums = Layout::new(vec![block]).expand(&parameters);
                let tables = section.tables(fouls);
                for (set, _) in PatternSet::all() {
                    let value = f32::from(column(&tables.set(set)));
                    parameters[PARTS + set.index()] = value - sums[set.index()];
                }
            }
            Block::Threats => {
                for (parameter, &threat) in parameters.iter_mut().zip(&section.threats) {
                    *parameter = f32::from(threat);
                }
                for &(mask, value) in &section.masks {
                    let bits = (0..BITS).filter(|bit| mask >> bit & 1 != 0);
                    let sum: f32 = bits.map(|bit| f32::from(section.threats[bit])).sum();
                    parameters[BITS + mask] = f32::from(value) - sum;
                }
            }
        }
        parameters
    }

    /// How strongly each parameter is pulled to its start, and where that is: parts to what
    /// they were, a difference to nothing.
    ///
    /// Units: weights; a spread is how far from there a parameter may well be.
    pub(crate) fn prior(&self, start: &[f32], spread: Spread) -> Prior {
        let mut prior = Prior { center: start.to_vec(), pull: Vec::with_capacity(start.len()) };
        for &block in &self.blocks {
            let shared = block.parameters() - block.entries();
            let first = prior.pull.len();
            prior.pull.extend(vec![spread.part.powi(-2); shared]);
            let own = if block == Block::Threats { spread.mask } else { spread.set };
            prior.pull.extend(vec![own.powi(-2); block.entries()]);
            prior.center[first + shared..prior.pull.len()].fill(0.0);
        }
        prior
    }
}

/// How far parameters are expected to be from where they are pulled to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spread {
    /// Parts that are shared.
    pub(crate) part: f32,
    /// Differences of sets.
    pub(crate) set: f32,
    /// Differences of masks of threats.
    pub(crate) mask: f32,
}

/// A normal distribution that parameters are expected to come from.
#[derive(Clone, Debug)]
pub(crate) struct Prior {
    /// Where each is expected.
    pub(crate) center: Vec<f32>,
    /// One over its squared spread.
    pub(crate) pull: Vec<f32>,
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "whole and half numbers are exact")]
mod tests {
    use super::*;
    use tengen::eval::weights::parse_sections;

    const TEXT: &str = "tengen-classical 1\nsection x\nline two 3 4 5\nline four 7 8 9\n\
        combined four 10 11 12\nset four two two one 99 98 97\nthreat own-three 5\n\
        threat other-four 2\nthreats 0b101000000 -7";

    #[test]
    fn tables_of_read_parameters_equal_those_of_the_engine() {
        let section = parse_sections(TEXT).unwrap().remove(0);
        for fouls in [false, true] {
            let sets = Block::Sets { fouls };
            let layout = Layout::new(vec![sets, Block::Threats, sets]);
            let parameters = [
                Layout::read(sets, &section, |weights| weights.value),
                Layout::read(Block::Threats, &section, |_| 0),
                Layout::read(sets, &section, |weights| weights.defend),
            ]
            .concat();
            let entries = layout.expand(&parameters);
            let tables = section.tables(fouls);
            for (set, lines) in PatternSet::all() {
                let [value, _, defend] = [0, 1, 2].map(|block| layout.table(block, &entries));
                assert_eq!(value[set.index()], f32::from(tables.set(set).value), "{lines:?}");
                assert_eq!(defend[set.index()], f32::from(tables.set(set).defend), "{lines:?}");
            }
            for (mask, &found) in layout.table(1, &entries).iter().enumerate() {
                assert_eq!(found, f32::from(tables.threats(mask)), "{mask:b}");
            }
        }
    }

    #[test]
    fn a_gradient_goes_back_to_every_part() {
        let block = Block::Sets { fouls: false };
        let layout = Layout::new(vec![Block::Threats, block]);
        let set = PatternSet::of([
            LinePattern::Two,
            LinePattern::Two,
            LinePattern::OpenTwo,
            LinePattern::Dead,
        ]);
        let mut entries = vec![0.0; layout.entries()];
        entries[THREAT_MASKS + set.index()] = 1.5;
        let gradient = layout.gather(&entries);
        let (shared, own) = layout.split(1, &gradient);
        assert_eq!(shared[LinePattern::Two as usize], 3.0);
        assert_eq!(shared[LinePattern::OpenTwo as usize], 1.5);
        assert_eq!(shared[LINES + Combined::OpenTwo as usize], 1.5);
        assert_eq!(own[set.index()], 1.5);
        assert_eq!(gradient.iter().sum::<f32>(), 3.0 + 1.5 + 1.5 + 1.5 + 1.5);
    }
}
