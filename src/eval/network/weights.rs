//! The numbers of the network, read from one file.
//!
//! Owns the file format and the form the numbers have at run time; the embedded file is
//! `data/network.bin`, whose origin is told in `data/README.md`. All numbers are little-endian:
//!
//! ```text
//!   8 bytes   "tengnet1"
//!   a section for each rule that has a network, until the end:
//!   u8, text  length and name of the rule
//!   u16, text length and text that says how the numbers were made
//!   u32       how many numbers follow
//!   i16 ...   the numbers, in the order and units of `shape`
//!   u64       FNV-1a of all bytes of the section before this
//! ```

use std::fmt;
use std::sync::OnceLock;

use crate::base::hash::fnv1a;
use crate::eval::network::features;
use crate::eval::network::shape::{
    self, CHANNELS, HIDDEN, LAST, POOLS, head, other_row, own_row, window_row,
};
use crate::eval::weights::THREAT_MASKS;
use crate::pattern::PATTERN_SETS;
use crate::types::color::Color;
use crate::types::rule::Rule;

/// The file the program is built with.
pub(super) const EMBEDDED: &[u8] = include_bytes!("../data/network.bin");

/// The first bytes of a file.
const MAGIC: &[u8] = b"tengnet1";

/// The numbers of a rule as a file has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The rule.
    pub rule: Rule,
    /// How they were made.
    pub origin: String,
    /// The numbers; [`shape`] says which is which.
    pub numbers: Vec<i16>,
}

/// Why bytes are no file of networks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkError {
    /// They do not begin as one.
    Magic,
    /// They end in the middle of a section.
    Cut,
    /// A section names no rule, or one that was there before.
    Rule(String),
    /// The text is no UTF-8.
    Text,
    /// A section has the wrong number of numbers.
    Count(Rule),
    /// The sum over a section is not what it says.
    Hash(Rule),
    /// A number is larger than its kind may be.
    Range(Rule),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Magic => f.write_str("expected a file of networks, version 1"),
            NetworkError::Cut => f.write_str("the file ends in the middle of a section"),
            NetworkError::Rule(name) => write!(f, "expected a rule not yet seen, found '{name}'"),
            NetworkError::Text => f.write_str("expected text in UTF-8"),
            NetworkError::Count(rule) => write!(f, "{rule}: wrong number of numbers"),
            NetworkError::Hash(rule) => write!(f, "{rule}: the checksum does not match"),
            NetworkError::Range(rule) => write!(f, "{rule}: a number is out of range"),
        }
    }
}

impl std::error::Error for NetworkError {}

/// Takes so many bytes off the front.
fn take<'a>(rest: &mut &'a [u8], count: usize) -> Result<&'a [u8], NetworkError> {
    let (taken, left) = rest.split_at_checked(count).ok_or(NetworkError::Cut)?;
    *rest = left;
    Ok(taken)
}

/// Takes a number of so many bytes off the front.
fn take_number(rest: &mut &[u8], bytes: usize) -> Result<u64, NetworkError> {
    let taken = take(rest, bytes)?;
    Ok(taken.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

/// Takes a text with its length before it off the front.
fn take_text<'a>(rest: &mut &'a [u8], length_bytes: usize) -> Result<&'a str, NetworkError> {
    let length =
        usize::try_from(take_number(rest, length_bytes)?).map_err(|_| NetworkError::Cut)?;
    std::str::from_utf8(take(rest, length)?).map_err(|_| NetworkError::Text)
}

/// A section as it lies in the file, its numbers not looked at.
struct Raw<'a> {
    rule: Rule,
    origin: &'a str,
    numbers: &'a [u8],
    summed: &'a [u8],
    sum: u64,
}

impl<'a> Raw<'a> {
    /// Takes a section off the front.
    fn take(rest: &mut &'a [u8]) -> Result<Raw<'a>, NetworkError> {
        let start = *rest;
        let name = take_text(rest, 1)?;
        let rule = Rule::from_name(name).ok_or_else(|| NetworkError::Rule(name.to_owned()))?;
        let origin = take_text(rest, 2)?;
        if take_number(rest, 4)? != shape::size(rule) as u64 {
            return Err(NetworkError::Count(rule));
        }
        let numbers = take(rest, 2 * shape::size(rule))?;
        let summed = &start[..start.len() - rest.len()];
        Ok(Raw { rule, origin, numbers, summed, sum: take_number(rest, 8)? })
    }

    /// Reads the numbers.
    fn read(&self) -> Result<Section, NetworkError> {
        let rule = self.rule;
        if fnv1a(self.summed.iter().copied()) != self.sum {
            return Err(NetworkError::Hash(rule));
        }
        let pairs = self.numbers.chunks_exact(2);
        let numbers: Vec<i16> = pairs.map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
        let is_fine = |(at, number): (usize, &i16)| {
            let (_, most) = shape::unit(rule, at);
            (-most..=most).contains(number)
        };
        if !numbers.iter().enumerate().all(is_fine) {
            return Err(NetworkError::Range(rule));
        }
        Ok(Section { rule, origin: self.origin.to_owned(), numbers })
    }
}

/// Reads the sections of a file.
///
/// # Errors
/// What is wrong first.
pub fn parse(bytes: &[u8]) -> Result<Vec<Section>, NetworkError> {
    let mut rest = bytes.strip_prefix(MAGIC).ok_or(NetworkError::Magic)?;
    let mut sections: Vec<Section> = Vec::new();
    while !rest.is_empty() {
        let raw = Raw::take(&mut rest)?;
        if sections.iter().any(|section| section.rule == raw.rule) {
            return Err(NetworkError::Rule(raw.rule.name().to_owned()));
        }
        sections.push(raw.read()?);
    }
    Ok(sections)
}

/// Reads the section of one rule, if there is one; the others are passed over unread, so that
/// they take no memory.
///
/// # Errors
/// What is wrong first on the way there.
pub fn find(bytes: &[u8], rule: Rule) -> Result<Option<Section>, NetworkError> {
    let mut rest = bytes.strip_prefix(MAGIC).ok_or(NetworkError::Magic)?;
    while !rest.is_empty() {
        let raw = Raw::take(&mut rest)?;
        if raw.rule == rule {
            return raw.read().map(Some);
        }
    }
    Ok(None)
}

/// The bytes of a file with these sections.
///
/// Names and texts that are too long for their field are cut.
pub fn encode(sections: &[Section]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for section in sections {
        let start = bytes.len();
        let name = section.rule.name().as_bytes();
        bytes.push(u8::try_from(name.len()).unwrap_or(0));
        bytes.extend(name);
        let mut length = section.origin.len().min(usize::from(u16::MAX));
        while !section.origin.is_char_boundary(length) {
            length -= 1;
        }
        bytes.extend(u16::try_from(length).unwrap_or(0).to_le_bytes());
        bytes.extend(&section.origin.as_bytes()[..length]);
        bytes.extend(u32::try_from(section.numbers.len()).unwrap_or(0).to_le_bytes());
        bytes.extend(section.numbers.iter().flat_map(|number| number.to_le_bytes()));
        let sum = fnv1a(bytes[start..].iter().copied());
        bytes.extend(sum.to_le_bytes());
    }
    bytes
}

/// The channels of a square for both sides, Black's first: one line of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Row(pub(super) [i16; POOLS]);

impl Row {
    pub(super) const ZERO: Row = Row([0; POOLS]);
}

/// The weights of a layer from two inputs to all outputs: those of the first output, then those
/// of the second and so on, as one instruction multiplies and adds them.
pub(super) type Pair<const OUTPUTS: usize> = [[i16; 2]; OUTPUTS];

/// The head for one side to move; its inputs in the order of a [`Row`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Head {
    pub(super) w1: [Pair<HIDDEN>; POOLS / 2],
    pub(super) w2: [Pair<LAST>; HIDDEN / 2],
    pub(super) b1: [i16; HIDDEN],
    pub(super) b2: [i16; LAST],
    pub(super) w3: [i16; LAST],
    pub(super) b3: i16,
    pub(super) skip: i16,
    pub(super) policy: [i16; POOLS],
    pub(super) rank: i16,
    pub(super) masks: Box<[[i16; HIDDEN]]>,
}

/// The network of a rule, as it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleNetwork {
    /// For each window what it adds.
    pub(super) windows: Box<[Row]>,
    /// For each set of Black's, and of White's, what it adds.
    pub(super) sets: [Box<[Row]>; 2],
    /// Whether a window holds a stone.
    pub(super) stoned: Box<[bool]>,
    /// By the side to move.
    pub(super) heads: [Head; 2],
}

/// Two halves side by side.
fn joined(black: &[i16], white: &[i16]) -> Row {
    let mut row = Row::ZERO;
    row.0[..CHANNELS].copy_from_slice(&black[..CHANNELS]);
    row.0[CHANNELS..].copy_from_slice(&white[..CHANNELS]);
    row
}

fn array<const N: usize>(numbers: &[i16], start: usize) -> [i16; N] {
    let mut array = [0; N];
    array.copy_from_slice(&numbers[start..start + N]);
    array
}

impl RuleNetwork {
    /// The embedded network of a rule; none if it has none.
    pub fn of(rule: Rule) -> Option<&'static RuleNetwork> {
        static NETWORKS: [OnceLock<Option<RuleNetwork>>; Rule::ALL.len()] =
            [const { OnceLock::new() }; Rule::ALL.len()];
        NETWORKS[rule.index()]
            .get_or_init(|| match find(EMBEDDED, rule) {
                Ok(section) => section.as_ref().map(RuleNetwork::new),
                Err(error) => unreachable!("the embedded networks are tested: {error}"),
            })
            .as_ref()
    }

    /// The network of a section.
    pub fn new(section: &Section) -> RuleNetwork {
        let rule = section.rule;
        let table = |color| {
            let start = shape::table_of(rule, color) * shape::TABLE;
            &section.numbers[start..start + shape::TABLE]
        };
        let [black, white] = Color::ALL.map(table);
        let windows = features::exchanged().into_iter().enumerate().map(|(window, exchanged)| {
            joined(&black[window_row(window)..], &white[window_row(usize::from(exchanged))..])
        });
        let of_black =
            (0..PATTERN_SETS).map(|set| joined(&black[own_row(set)..], &white[other_row(set)..]));
        let of_white =
            (0..PATTERN_SETS).map(|set| joined(&black[other_row(set)..], &white[own_row(set)..]));
        RuleNetwork {
            windows: windows.collect(),
            sets: [of_black.collect(), of_white.collect()],
            stoned: features::stoned().into(),
            heads: Color::ALL.map(|color| RuleNetwork::head(section, color)),
        }
    }

    fn head(section: &Section, color: Color) -> Head {
        let rule = section.rule;
        let start = shape::head_start(rule, shape::table_of(rule, color));
        let numbers = &section.numbers[start..start + head::SIZE];
        // The side to move comes first in a section, Black in a row.
        let input = |at: usize| match color {
            Color::Black => at,
            Color::White => (at + CHANNELS) % POOLS,
        };
        let mut w1 = [[[0; 2]; HIDDEN]; POOLS / 2];
        let mut policy = [0; POOLS];
        for at in 0..POOLS {
            for (out, weights) in w1[at / 2].iter_mut().enumerate() {
                weights[at % 2] = numbers[head::W1 + input(at) * HIDDEN + out];
            }
            policy[at] = numbers[head::POLICY + input(at)];
        }
        let mut w2 = [[[0; 2]; LAST]; HIDDEN / 2];
        for at in 0..HIDDEN {
            for (out, weights) in w2[at / 2].iter_mut().enumerate() {
                weights[at % 2] = numbers[head::W2 + at * LAST + out];
            }
        }
        let masks = (0..THREAT_MASKS).map(|mask| array(numbers, head::MASKS + mask * HIDDEN));
        Head {
            w1,
            w2,
            b1: array(numbers, head::B1),
            b2: array(numbers, head::B2),
            w3: array(numbers, head::W3),
            b3: numbers[head::B3],
            skip: numbers[head::SKIP],
            policy,
            rank: numbers[head::RANK],
            masks: masks.collect(),
        }
    }
}
