//! Opening files and the eight symmetries of a square board.
//!
//! Owns the two written forms users have and the order openings are played in. Must not know
//! engines or pairs.

use std::str::FromStr;

use manager::referee::{Referee, Verdict};
use manager::text;
use tengen::base::rng::Rng;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

/// An opening's moves, Black's first.
pub type Opening = Vec<Square>;

/// Turns and mirrors of a board; 0 leaves it as it is.
pub const SYMMETRIES: u8 = 8;

/// Reads one opening: letters and numbers (`h8i9`, `y` from 1), or offsets from the center as
/// Gomocup writes them (`-1,-1 0,1`, the center being half the size, rounded down).
///
/// # Errors
/// What is wrong with it: unreadable, off the board, a square twice, or a five.
pub fn parse(line: &str, size: BoardSize, rule: Rule) -> Result<Opening, String> {
    let moves = parse_points(line, size)?;
    let mut referee = Referee::new(size, rule);
    for &square in &moves {
        if referee.empty_square(square.x().into(), square.y().into()).is_none() {
            return Err(format!("{} twice", text::point(square)));
        }
        match referee.play(square) {
            Verdict::GoesOn => {}
            Verdict::Five => return Err("holds a five".to_string()),
            Verdict::Forbidden => return Err(format!("{} is forbidden", text::point(square))),
            Verdict::FullBoard => return Err("fills the board".to_string()),
        }
    }
    Ok(moves)
}

/// Reads a list of points in either form, whatever they mean.
///
/// # Errors
/// What cannot be read, or is off the board.
pub fn parse_points(line: &str, size: BoardSize) -> Result<Vec<Square>, String> {
    if line.contains(',') { parse_offsets(line, size) } else { text::parse_moves(line, size) }
}

fn parse_offsets(line: &str, size: BoardSize) -> Result<Opening, String> {
    let numbers: Vec<i64> = line
        .split([',', ' ', '\t', ';'])
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().map_err(|_| format!("'{word}' is no number")))
        .collect::<Result<_, _>>()?;
    let (pairs, rest) = numbers.as_chunks::<2>();
    if !rest.is_empty() {
        return Err("an odd count of numbers".to_string());
    }
    let (center_x, center_y) = (i64::from(size.width() / 2), i64::from(size.height() / 2));
    let square = |&[x, y]: &[i64; 2]| {
        Square::on_board(size, center_x.saturating_add(x), center_y.saturating_add(y))
            .ok_or_else(|| format!("{x},{y} from the center is off a {size} board"))
    };
    pairs.iter().map(square).collect()
}

/// Reads a file of openings, one a line; empty lines and lines that begin with `#` are skipped.
///
/// # Errors
/// The first bad line by its number, or that there is no opening at all.
pub fn parse_file(content: &str, size: BoardSize, rule: Rule) -> Result<Vec<Opening>, String> {
    let mut openings = Vec::new();
    for (index, line) in content.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let opening = parse(line, size, rule);
        openings.push(opening.map_err(|error| format!("line {}: {error}", index + 1))?);
    }
    if openings.is_empty() { Err("no opening in it".to_string()) } else { Ok(openings) }
}

/// A square after one of the [`SYMMETRIES`] of a square board: bit 0 mirrors left to right,
/// bit 1 top to bottom, bit 2 along the main diagonal.
pub fn turned(square: Square, size: BoardSize, symmetry: u8) -> Square {
    let last = size.width() - 1;
    let (mut x, mut y) = (square.x(), square.y());
    if symmetry & 1 != 0 {
        x = last - x;
    }
    if symmetry & 2 != 0 {
        y = last - y;
    }
    if symmetry & 4 != 0 { Square::new(y, x) } else { Square::new(x, y) }
}

/// In which order openings are played.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// As in the file.
    File,
    /// Shuffled by the seed; every opening once before any comes again.
    Random,
}

/// Endless openings from a list: the same list, seed and order give the same sequence, however
/// much of it is used.
#[derive(Clone, Debug)]
pub struct Sequence {
    openings: Vec<Opening>,
    order: Order,
    seed: u64,
}

impl Sequence {
    /// A sequence over `openings`; with `symmetries` over all their distinct turns and mirrors.
    pub fn new(
        openings: Vec<Opening>,
        size: BoardSize,
        symmetries: bool,
        order: Order,
        seed: u64,
    ) -> Sequence {
        let openings = if symmetries { with_symmetries(&openings, size) } else { openings };
        Sequence { openings, order, seed }
    }

    /// How many openings there are before one comes again.
    pub fn period(&self) -> usize {
        self.openings.len()
    }

    /// The first `count` openings.
    pub fn take(&self, count: usize) -> Vec<&Opening> {
        let mut taken = Vec::with_capacity(count);
        let mut round = 0;
        while taken.len() < count && !self.openings.is_empty() {
            let mut order: Vec<&Opening> = self.openings.iter().collect();
            if self.order == Order::Random {
                let mut rng = Rng::new(Rng::new(self.seed).next_u64().wrapping_add(round));
                for index in (1..order.len()).rev() {
                    order.swap(index, rng.below(index + 1));
                }
            }
            order.truncate(count - taken.len());
            taken.append(&mut order);
            round += 1;
        }
        taken
    }
}

fn with_symmetries(openings: &[Opening], size: BoardSize) -> Vec<Opening> {
    let mut all = Vec::new();
    for symmetry in 0..SYMMETRIES {
        for opening in openings {
            let image = |symmetry| -> Opening {
                opening.iter().map(|&square| turned(square, size, symmetry)).collect()
            };
            // The image of an opening that is symmetric itself has come before.
            let new = image(symmetry);
            if (0..symmetry).all(|earlier| image(earlier) != new) {
                all.push(new);
            }
        }
    }
    all
}

/// Which part of a run is played here: `2/8` is the second of eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    pub index: u64,
    /// How many there are.
    pub count: u64,
}

impl Shard {
    /// Whether the round with this number, from 0, belongs to the shard.
    pub fn holds(self, round: u64) -> bool {
        round % self.count == self.index - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(index, count)| {
            Some(Shard { index: index.parse().ok()?, count: count.parse().ok()? })
        });
        parts
            .filter(|shard| (1..=shard.count).contains(&shard.index))
            .ok_or_else(|| format!("'{text}' is not like 2/8, with 1/8 the first and 8/8 the last"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: BoardSize = BoardSize::square(15);

    fn check(line: &str, expected: Result<&str, &str>) {
        let read = parse(line, SIZE, Rule::Freestyle).map(|opening| text::moves(&opening));
        let expected = expected.map(str::to_string).map_err(str::to_string);
        assert_eq!(read, expected, "{line}");
    }

    #[test]
    fn both_forms_are_read() {
        check("h8i9", Ok("h8i9"));
        check("0,0 1,1", Ok("h8i9"));
        check("0,0, 1,1", Ok("h8i9"));
        check("-7,-7 7,7", Ok("a1o15"));
    }

    #[test]
    fn offsets_count_from_half_the_size() {
        let size = BoardSize::square(20);
        let opening = parse("0,0 -1,2", size, Rule::Freestyle).unwrap();
        assert_eq!(opening, [Square::new(10, 10), Square::new(9, 12)]);
    }

    #[test]
    fn bad_openings_are_refused_with_the_reason() {
        check("h8h8", Err("h8 twice"));
        check("8,0", Err("8,0 from the center is off a 15x15 board"));
        check("0,0 1", Err("an odd count of numbers"));
        check("0,a", Err("'a' is no number"));
        check("a1o1b1o2c1o3d1o4e1", Err("holds a five"));
        let file = parse_file("# c\n\nh8\nz9\n", SIZE, Rule::Freestyle);
        assert_eq!(file, Err("line 4: 'z9' is no point of a 15x15 board".to_string()));
    }

    #[test]
    fn eight_symmetries_are_eight_and_stay_on_the_board() {
        let square = Square::new(1, 5);
        let mut images: Vec<Square> = (0..8).map(|s| turned(square, SIZE, s)).collect();
        images.sort();
        images.dedup();
        assert_eq!(images.len(), 8);
        let center = Square::new(7, 7);
        assert!((0..8).all(|symmetry| turned(center, SIZE, symmetry) == center));
    }

    #[test]
    fn a_symmetric_opening_has_fewer_images() {
        let openings = vec![vec![Square::new(7, 7)], vec![Square::new(7, 7), Square::new(8, 8)]];
        let sequence = Sequence::new(openings, SIZE, true, Order::File, 1);
        assert_eq!(sequence.period(), 1 + 4);
    }

    #[test]
    fn a_sequence_is_stable_and_plays_all_before_any_again() {
        let openings: Vec<Opening> = (0..10).map(|x| vec![Square::new(x, 0)]).collect();
        let sequence = Sequence::new(openings, SIZE, false, Order::Random, 5);
        let long = sequence.take(25);
        assert_eq!(sequence.take(7), long[..7]);
        for cycle in long.chunks(10).filter(|cycle| cycle.len() == 10) {
            let mut cycle = cycle.to_vec();
            cycle.sort();
            cycle.dedup();
            assert_eq!(cycle.len(), 10);
        }
        assert_ne!(long[..10], long[10..20]);
    }

    #[test]
    fn shards_part_the_rounds() {
        let shards: Vec<Shard> = (1..=3).map(|i| format!("{i}/3").parse().unwrap()).collect();
        for round in 0..20 {
            assert_eq!(shards.iter().filter(|shard| shard.holds(round)).count(), 1);
        }
        for bad in ["0/3", "4/3", "1", "a/b", "1/0"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
