//! Levels of play: how a weaker engine finds its move.
//!
//! Owns what each level sees and how it chooses among moves that look alike to it. Must not know
//! how a level is asked for. Start reading at `play`.
//!
//! A level is a number of nodes and depth, never of milliseconds, so it is as strong on every
//! machine; the clock can only make it weaker. The lowest levels do not search at all: they take
//! one of the moves that the patterns recommend at a glance. The others search several lines
//! and take one of them, the more likely the less worse it is than the best. All of them complete
//! a five, stop one, and play no foul; all but the lowest stop what would become an open four.
//!
//! What is drawn depends on the position, the level and a seed, on nothing else: the same game
//! comes again with the same seed.

use crate::base::limits::Limits;
use crate::base::rng::Rng;
use crate::engine::decision::{ALL, Asking, Decision, Outcome, one_search};
use crate::eval;
use crate::eval::weights::RuleWeights;
use crate::pattern::{Combined, PatternSet};
use crate::position::Position;
use crate::search::{Line, SearchResult, Task, choices};
use crate::types::color::Color;
use crate::types::square::{Square, SquareSet};

/// How strong the engine plays, 1 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

impl Level {
    /// The weakest.
    pub const WEAKEST: Level = Level(1);
    /// All that the engine can do.
    pub const FULL: Level = Level(8);

    /// The level of a number, if there is one.
    pub fn new(number: i64) -> Option<Level> {
        let level = Level(u8::try_from(number).ok()?);
        (Level::WEAKEST..=Level::FULL).contains(&level).then_some(level)
    }

    /// All levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (Level::WEAKEST.0..=Level::FULL.0).map(Level)
    }

    /// The number, 1 to 8.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// What the level does; none at full strength.
    fn strength(self) -> Option<Strength> {
        STRENGTHS.get(usize::from(self.0 - Level::WEAKEST.0)).copied()
    }

    /// Most nodes of a move, none at full strength.
    pub fn nodes(self) -> Option<u64> {
        self.strength().map(|strength| match strength.view {
            View::Glance { .. } => FORCED_NODES,
            View::Search { nodes, .. } => nodes,
        })
    }
}

impl Default for Level {
    fn default() -> Level {
        Level::FULL
    }
}

/// How a level looks at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    /// By the patterns of each square, as the order of moves in the search does.
    Glance {
        /// How often, of a thousand times, only what its own side makes is looked at.
        overlooks: usize,
    },
    /// By a search.
    Search {
        /// Deepest iteration; the largest there is where only the nodes count.
        depth: i32,
        /// Most nodes.
        nodes: u64,
    },
}

/// What makes a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Strength {
    view: View,
    /// How many of the best moves it chooses among.
    lines: usize,
    /// How much worse a move must be to be chosen half as often: for a glance in scores of moves,
    /// for a search in thousandths of what is one unit of the logistic curve.
    doubt: i32,
}

/// The levels below full strength, the weakest first.
const STRENGTHS: [Strength; 7] = [
    // Each scores 75 to 95 % against the one before it: the table is in `tools/README.md`.
    Strength { view: View::Glance { overlooks: 250 }, lines: 10, doubt: 80 },
    Strength { view: View::Glance { overlooks: 0 }, lines: 8, doubt: 40 },
    Strength { view: View::Search { depth: 1, nodes: 4_000 }, lines: 5, doubt: 250 },
    Strength { view: View::Search { depth: 2, nodes: 6_000 }, lines: 4, doubt: 120 },
    Strength { view: View::Search { depth: 4, nodes: 8_000 }, lines: 3, doubt: 60 },
    Strength { view: View::Search { depth: i32::MAX, nodes: 8_000 }, lines: 2, doubt: 40 },
    Strength { view: View::Search { depth: i32::MAX, nodes: 30_000 }, lines: 1, doubt: 1 },
];

/// Nodes for finding the answer to a five.
const FORCED_NODES: u64 = 500;

/// A level and what its draws depend on besides the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handicap {
    strength: Strength,
    salt: u64,
}

impl Handicap {
    /// What the level means for a game with this seed; none at full strength.
    pub(crate) fn new(level: Level, seed: i64) -> Option<Handicap> {
        let mut mixed = Rng::new(seed.cast_unsigned() ^ u64::from(level.0) << 56);
        level.strength().map(|strength| Handicap { strength, salt: mixed.next_u64() })
    }
}

/// A move of the side to move, of the strength asked for.
pub(crate) fn play(task: Task, handicap: Handicap, ask: &mut Asking<'_>) -> Outcome {
    let Strength { view, lines, doubt } = handicap.strength;
    let mut rng = Rng::new(task.position.key() ^ handicap.salt);
    let (own, other) = (task.position.side_to_move(), task.position.side_to_move().opponent());
    let count = |color, kind| task.position.patterns().count(color, kind);
    if count(own, Combined::Five) + count(other, Combined::Five) > 0 {
        return one_search(ask.search(Task { lines: 1, ..task }, ALL), Decision::Move);
    }
    match view {
        View::Glance { overlooks } => {
            let overlooks = rng.below(1000) < overlooks;
            let mv = glance(&task, overlooks, lines, doubt, &mut rng);
            Outcome { decision: mv.map(Decision::Move), result: None }
        }
        View::Search { depth, .. } => {
            let depth = task.limits.depth.map_or(depth, |limit| limit.min(depth));
            let limits = Limits { depth: Some(depth), ..task.limits };
            let scale = eval::chance_scale(task.position.evaluation(), task.position.rule());
            let (result, mut found) = ask.search_lines(Task { limits, lines, ..task }, ALL);
            let chosen = choose(&found, scale * doubt / 1000, &mut rng);
            let lines = if found.is_empty() { Vec::new() } else { vec![found.swap_remove(chosen)] };
            one_search(SearchResult { lines, ..result }, Decision::Move)
        }
    }
}

/// Which of some lines, best first, is played.
///
/// A win is played and a loss is not, if anything else is there.
fn choose(lines: &[Line], doubt: i32, rng: &mut Rng) -> usize {
    let Some(best) = lines.first().map(|line| line.score) else {
        return 0;
    };
    if best.is_decided() {
        return 0;
    }
    let open = lines.iter().take_while(|line| !line.score.is_loss());
    let weights: Vec<u64> =
        open.map(|line| weight(best.value() - line.score.value(), doubt)).collect();
    draw(&weights, rng)
}

/// One of the moves that look best by the patterns.
fn glance(task: &Task, overlooks: bool, lines: usize, doubt: i32, rng: &mut Rng) -> Option<Square> {
    let mut position = task.position.clone();
    let squares = sensible(&mut position, overlooks, &task.excluded);
    let weights = RuleWeights::of(position.rule());
    let own = position.side_to_move();
    let score = |square: Square| {
        let set = |color| position.patterns().set(color, square);
        let other = if overlooks { PatternSet::default() } else { set(own.opponent()) };
        weights.move_score(own, set(own), other)
    };
    let mut moves: Vec<(i32, Square)> =
        squares.iter().map(|square| (score(square), square)).collect();
    moves.sort_by_key(|&(score, square)| (std::cmp::Reverse(score), square));
    moves.truncate(lines.max(1));
    let best = moves.first()?.0;
    let weights: Vec<u64> = moves.iter().map(|&(score, _)| weight(best - score, doubt)).collect();
    moves.get(draw(&weights, rng)).map(|&(_, square)| square)
}

/// The squares that come to mind: what makes an open four or its like, if there is any; what
/// stops one, unless it is overlooked; else all near the stones. Never a foul.
fn sensible(position: &mut Position, overlooks: bool, excluded: &[Square]) -> SquareSet {
    let (own, other) = (position.side_to_move(), position.side_to_move().opponent());
    let mut kinds = vec![position.patterns().squares(own, Combined::OpenFour)];
    kinds.push(position.patterns().squares(own, Combined::DoubleFour));
    let winning = kinds.into_iter().fold(SquareSet::EMPTY, |all, set| all.or(set));
    let count = |kind| position.patterns().count(other, kind);
    let is_threatened = count(Combined::OpenFour) + count(Combined::DoubleFour) > 0;
    let answers = if is_threatened && !overlooks {
        // Where there is no choice the threat is too late, as a four-three is there first.
        let first = *position.patterns().squares(own, Combined::FourThree);
        choices(position).unwrap_or(first)
    } else {
        SquareSet::EMPTY
    };
    let near = position.board().candidates();
    let far = position.empty_squares();
    let lists = [winning, answers, near, far];
    let fouls = position.side_to_move() == Color::Black;
    for list in lists {
        let fit: SquareSet = list
            .iter()
            .filter(|square| !excluded.contains(square))
            .filter(|&square| !fouls || !position.is_forbidden(square))
            .collect();
        if !fit.is_empty() {
            return fit;
        }
    }
    SquareSet::EMPTY
}

/// How often a move that is so much worse than the best is chosen, in 65,536ths of how often
/// the best is; halved with every `doubt`.
fn weight(worse: i32, doubt: i32) -> u64 {
    /// 65,536 * 2^(-i/16)
    const PARTS: [u64; 16] = [
        65536, 62757, 60097, 57549, 55109, 52773, 50535, 48393, 46341, 44376, 42495, 40693, 38968,
        37316, 35734, 34219,
    ];
    let steps = i64::from(worse.max(0)) * 16 / i64::from(doubt.max(1));
    let (halvings, part) = (steps / 16, usize::try_from(steps % 16).unwrap_or(0));
    if halvings > 16 { 0 } else { PARTS[part] >> halvings }
}

/// An index, drawn by weights.
fn draw(weights: &[u64], rng: &mut Rng) -> usize {
    let all = usize::try_from(weights.iter().sum::<u64>()).unwrap_or(0);
    if all == 0 {
        return 0;
    }
    let mut left = rng.below(all) as u64;
    for (index, &weight) in weights.iter().enumerate() {
        if left < weight {
            return index;
        }
        left -= weight;
    }
    0
}

#[cfg(test)]
mod tests;
