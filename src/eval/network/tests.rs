//! The network's input, state and file: what must hold whatever the numbers are.

use super::features;
use super::shape::{self, HEAD_ONE, ROW_ONE};
use super::state::NetworkState;
use super::weights::{EMBEDDED, NetworkError, RuleNetwork, Section, encode, find, parse};
use crate::base::rng::Rng;
use crate::board::Board;
use crate::eval::classical::threats;
use crate::pattern::state::PatternState;
use crate::types::color::Color;
use crate::types::rule::Rule;
use crate::types::size::BoardSize;
use crate::types::square::Square;

/// A section of small random numbers.
fn random_section(rule: Rule, seed: u64) -> Section {
    let mut rng = Rng::new(seed);
    let mut any = |range: i16| {
        let width = 2 * usize::from(range.unsigned_abs()) + 1;
        i16::try_from(rng.below(width)).unwrap() - range
    };
    let rows = shape::tables(rule) * shape::TABLE;
    let number = |at| any(if at < rows { ROW_ONE / 4 } else { HEAD_ONE / 4 });
    Section {
        rule,
        origin: "random".to_owned(),
        numbers: (0..shape::size(rule)).map(number).collect(),
    }
}

fn random_network(rule: Rule) -> &'static RuleNetwork {
    Box::leak(Box::new(RuleNetwork::new(&random_section(rule, 5))))
}

/// A board with its patterns, moved together.
#[derive(Clone)]
struct Pair {
    board: Board,
    patterns: PatternState,
}

impl Pair {
    fn new(size: BoardSize, rule: Rule) -> Pair {
        let board = Board::new(size);
        let patterns = PatternState::new(rule, &board);
        Pair { board, patterns }
    }

    fn place(&mut self, square: Square) {
        self.board.place(square, &mut self.patterns);
    }

    /// Places a stone somewhere near the others.
    fn place_any(&mut self, rng: &mut Rng) -> Square {
        let from = self.board.candidates();
        let square = from.iter().nth(rng.below(from.len())).unwrap();
        self.place(square);
        square
    }
}

/// Everything the state says about a position.
fn all_answers(state: &NetworkState, pair: &Pair) -> Vec<i32> {
    let mut answers = Vec::new();
    for color in Color::ALL {
        answers.push(state.logit(color, threats(&pair.patterns, color)));
        let ranks = pair.board.empty().iter().map(|square| state.rank(color, square, 0));
        answers.extend(ranks);
    }
    answers
}

#[test]
fn the_state_equals_a_recomputation_after_any_sequence_of_stones_and_questions() {
    let mut rng = Rng::new(61);
    for rule in Rule::ALL {
        let network = random_network(rule);
        for (width, height) in [(5, 5), (9, 9), (15, 15), (15, 20), (22, 22)] {
            let mut pair = Pair::new(BoardSize::try_new(width, height).unwrap(), rule);
            let mut state = NetworkState::with(network, &pair.board, &pair.patterns);
            for _ in 0..150 {
                // Runs of stones and of removals, with questions only now and then.
                if rng.below(5) < 3 && pair.board.empty().len() > 1 {
                    pair.place_any(&mut rng);
                } else if pair.board.step_count() > 0 {
                    pair.board.remove(&mut pair.patterns);
                    state.on_remove(pair.board.step_count());
                }
                if rng.below(3) == 0 {
                    state.follow(&pair.board, &pair.patterns);
                    let fresh = NetworkState::with(network, &pair.board, &pair.patterns);
                    assert_eq!(
                        all_answers(&state, &pair),
                        all_answers(&fresh, &pair),
                        "{rule}\n{}",
                        pair.board
                    );
                }
            }
        }
    }
}

#[test]
fn every_kind_of_instructions_gives_the_same_numbers() {
    let mut rng = Rng::new(62);
    for rule in Rule::ALL {
        let network = random_network(rule);
        let mut pair = Pair::new(BoardSize::square(15), rule);
        let mut fast = NetworkState::with(network, &pair.board, &pair.patterns);
        let mut plain = fast.clone().without_simd();
        for _ in 0..60 {
            pair.place_any(&mut rng);
            fast.follow(&pair.board, &pair.patterns);
            plain.follow(&pair.board, &pair.patterns);
            assert_eq!(all_answers(&fast, &pair), all_answers(&plain, &pair), "{rule}");
        }
    }
}

#[test]
fn the_eight_symmetries_and_an_exchange_of_colors_change_nothing() {
    let mut rng = Rng::new(63);
    let size = BoardSize::square(13);
    for rule in Rule::ALL {
        let network = random_network(rule);
        for _ in 0..6 {
            let mut pair = Pair::new(size, rule);
            let moves: Vec<Square> = (0..24).map(|_| pair.place_any(&mut rng)).collect();
            let value = |pair: &Pair, color: Color| {
                let state = NetworkState::with(network, &pair.board, &pair.patterns);
                state.logit(color, threats(&pair.patterns, color))
            };
            let expected = Color::ALL.map(|color| value(&pair, color));
            for symmetry in 0..8 {
                let turned = |square: Square| {
                    let (mut x, mut y) = (square.x(), square.y());
                    if symmetry & 1 != 0 {
                        x = 12 - x;
                    }
                    if symmetry & 2 != 0 {
                        y = 12 - y;
                    }
                    if symmetry & 4 != 0 {
                        std::mem::swap(&mut x, &mut y);
                    }
                    Square::new(x, y)
                };
                let mut other = Pair::new(size, rule);
                for &square in &moves {
                    other.place(turned(square));
                }
                assert_eq!(Color::ALL.map(|color| value(&other, color)), expected, "{rule}");
            }
            if rule != Rule::Renju {
                let mut other = Pair::new(size, rule);
                other.board.set_side_to_move(Color::White);
                for &square in &moves {
                    other.place(square);
                }
                let found = Color::ALL.map(|color| value(&other, color.opponent()));
                assert_eq!(found, expected, "{rule}");
            }
        }
    }
}

#[test]
fn a_shape_far_from_the_edge_counts_the_same_on_every_board() {
    for rule in Rule::ALL {
        let network = random_network(rule);
        let values = [15, 18, 22].map(|side| {
            let mut pair = Pair::new(BoardSize::square(side), rule);
            for (x, y) in [(7, 7), (7, 8), (6, 7), (8, 7)] {
                pair.place(Square::new(x, y));
            }
            let state = NetworkState::with(network, &pair.board, &pair.patterns);
            state.logit(Color::Black, 0)
        });
        // On the smallest board the far ends of the windows do meet the edge.
        assert_eq!(values[1], values[2], "{rule}");
    }
}

#[test]
fn files_are_read_as_they_were_written() {
    let sections = [random_section(Rule::Freestyle, 1), random_section(Rule::Renju, 2)];
    let bytes = encode(&sections);
    assert_eq!(parse(&bytes).as_deref(), Ok(&sections[..]));
    for section in &sections {
        assert_eq!(find(&bytes, section.rule).as_ref(), Ok(&Some(section.clone())));
    }
    assert_eq!(find(&bytes, Rule::Caro), Ok(None));
}

#[test]
fn what_is_no_file_of_networks_is_refused_with_the_reason() {
    let section = random_section(Rule::Standard, 3);
    let bytes = encode(std::slice::from_ref(&section));
    assert_eq!(parse(b"tengnet2"), Err(NetworkError::Magic));
    assert_eq!(parse(b""), Err(NetworkError::Magic));
    let twice = encode(&[section.clone(), section.clone()]);
    assert_eq!(parse(&twice), Err(NetworkError::Rule("standard".to_owned())));
    for length in (9..bytes.len()).step_by(997).chain([bytes.len() - 1]) {
        assert_eq!(parse(&bytes[..length]), Err(NetworkError::Cut), "{length}");
    }
    let mut changed = bytes.clone();
    changed[40_000] ^= 1;
    assert_eq!(parse(&changed), Err(NetworkError::Hash(Rule::Standard)));
    let wild = Section { numbers: vec![i16::MAX; section.numbers.len()], ..section.clone() };
    assert_eq!(parse(&encode(&[wild])), Err(NetworkError::Range(Rule::Standard)));
    let short = Section { numbers: section.numbers[1..].to_vec(), ..section };
    assert_eq!(parse(&encode(&[short])), Err(NetworkError::Count(Rule::Standard)));
}

#[test]
fn the_embedded_file_can_be_read() {
    let sections = parse(EMBEDDED).unwrap();
    assert!(!sections.is_empty());
    for rule in Rule::ALL {
        if let Some(network) = RuleNetwork::of(rule) {
            assert_eq!(network.windows.len(), features::WINDOWS, "{rule}");
        }
    }
}

#[test]
fn the_largest_numbers_overflow_nowhere() {
    let rule = Rule::Freestyle;
    let numbers = (0..shape::size(rule)).map(|at| shape::unit(rule, at).1).collect();
    let section = Section { rule, origin: String::new(), numbers };
    let network = Box::leak(Box::new(RuleNetwork::new(&section)));
    let mut pair = Pair::new(BoardSize::square(22), rule);
    let mut rng = Rng::new(64);
    let mut state = NetworkState::with(network, &pair.board, &pair.patterns);
    for _ in 0..120 {
        pair.place_any(&mut rng);
        state.follow(&pair.board, &pair.patterns);
        for color in Color::ALL {
            let value = state.value(color, 0, 20_000, i32::from(crate::eval::weights::MAX_WEIGHT));
            assert!(value > 0);
        }
    }
}
