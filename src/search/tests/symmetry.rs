//! What must not depend on how a board lies before the players, nor on which of them is Black.
//!
//! A position, walls and all, is turned and mirrored, its stones put down in the same order.
//! Rules, patterns, both evaluations, what is seen at once, the sets against threats and the
//! wins by fours must turn with it. The same holds for an exchange of the colors, where both
//! have the same rule. Only searches that take the first of equal moves may differ.

use super::*;
use crate::base::rng::Rng;
use crate::eval::Evaluation;
use crate::pattern::{Combined, PatternSet};
use crate::rule::win::winning_row;
use crate::search::vcf::Vcf;
use crate::testing::{cases, seed};
use crate::types::direction::Direction;
use crate::types::size::{MAX_SIDE, MIN_SIDE};

/// Nodes of a search for a win by fours; one that takes as many has no answer.
const VCF_NODES: u32 = 3000;

/// One of the eight ways a board can lie, with or without the colors exchanged.
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
#[derive(Clone, Copy, Debug)]
struct Symmetry {
    mirrors_x: bool,
    mirrors_y: bool,
    transposes: bool,
    exchanges: bool,
}

impl Symmetry {
    /// All of them, those with exchanged colors last.
    fn all() -> impl Iterator<Item = Symmetry> {
        (0..16).map(|bits| Symmetry {
            mirrors_x: bits & 1 != 0,
            mirrors_y: bits & 2 != 0,
            transposes: bits & 4 != 0,
            exchanges: bits & 8 != 0,
        })
    }

    fn size(self, size: BoardSize) -> BoardSize {
        let (width, height) = (i64::from(size.width()), i64::from(size.height()));
        let sides = if self.transposes { (height, width) } else { (width, height) };
        BoardSize::try_new(sides.0, sides.1).unwrap()
    }

    fn square(self, size: BoardSize, square: Square) -> Square {
        let x = if self.mirrors_x { size.width() - 1 - square.x() } else { square.x() };
        let y = if self.mirrors_y { size.height() - 1 - square.y() } else { square.y() };
        if self.transposes { Square::new(y, x) } else { Square::new(x, y) }
    }

    fn color(self, color: Color) -> Color {
        if self.exchanges { color.opponent() } else { color }
    }

    fn direction(self, direction: Direction) -> Direction {
        let mirrors_once = self.mirrors_x != self.mirrors_y;
        match direction {
            Direction::Horizontal if self.transposes => Direction::Vertical,
            Direction::Vertical if self.transposes => Direction::Horizontal,
            Direction::Diagonal if mirrors_once => Direction::AntiDiagonal,
            Direction::AntiDiagonal if mirrors_once => Direction::Diagonal,
            same => same,
        }
    }
}

/// How a position came about.
#[derive(Clone, Debug)]
struct Record {
    size: BoardSize,
    rule: Rule,
    walls: Vec<Square>,
    /// Stones and their colors, which need not take turns.
    stones: Vec<(Square, Color)>,
    to_move: Color,
}

impl Record {
    /// A random game without a five or a foul.
    fn random(rng: &mut Rng, rule: Rule) -> Record {
        let range = usize::from(MAX_SIDE - MIN_SIDE) + 1;
        let mut side = || i64::from(MIN_SIDE) + i64::try_from(rng.below(range)).unwrap();
        let (width, height) = (side(), side());
        let size = BoardSize::try_new(width, if rng.below(2) == 0 { width } else { height });
        let size = size.unwrap();
        let mut position = Position::with(size, rule, Evaluation::Classical);
        let mut walls = Vec::new();
        if rng.below(3) == 0 {
            let squares: Vec<Square> = position.empty_squares().iter().collect();
            walls.extend((0..=rng.below(6)).map(|_| squares[rng.below(squares.len())]));
            for &square in &walls {
                position.wall(square);
            }
        }
        let (is_wild, choice) = (rng.below(5) == 0, [4, 8, 400][rng.below(3)]);
        let length = rng.below((size.area() - 4).min(90));
        let mut stones = Vec::new();
        while stones.len() < length {
            let mut moves: Vec<Square> = position.board().candidates().iter().collect();
            moves.retain(|&mv| !position.makes_five(mv) && !position.is_forbidden(mv));
            moves.sort_by_key(|&mv| std::cmp::Reverse(position.move_score(mv)));
            moves.truncate(choice);
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.below(moves.len())];
            stones.push((mv, position.side_to_move()));
            position.play(mv);
            if is_wild && rng.below(5) == 0 {
                position.set_side_to_move(position.side_to_move().opponent());
            }
        }
        Record { size, rule, walls, stones, to_move: position.side_to_move() }
    }

    /// The position as it lies after a symmetry.
    fn position(&self, symmetry: Symmetry, evaluation: Evaluation) -> Position {
        let turned = |square| symmetry.square(self.size, square);
        let mut position = Position::with(symmetry.size(self.size), self.rule, evaluation);
        for &square in &self.walls {
            position.wall(turned(square));
        }
        for &(square, color) in &self.stones {
            position.set_side_to_move(symmetry.color(color));
            position.play(turned(square));
        }
        position.set_side_to_move(symmetry.color(self.to_move));
        position
    }
}

/// What is said of an empty square.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SquareView {
    is_candidate: bool,
    is_forbidden: bool,
    /// Per color, the one to move first; per direction.
    lines: [[crate::pattern::LinePattern; 4]; 2],
    sets: [PatternSet; 2],
    combined: [Combined; 2],
    /// How long the row of a five is.
    rows: Option<usize>,
    move_score: i32,
    ranks: [i32; 2],
}

/// All that is said of a position, as it lay at first.
#[derive(Debug, PartialEq, Eq)]
struct View {
    squares: Vec<(Square, SquareView)>,
    counts: Vec<[usize; 2]>,
    evaluations: [Score; 2],
    estimates: [Score; 2],
    outlook: String,
    sets: Vec<Vec<Square>>,
    /// Whether there is a win by fours, where that came out.
    wins_by_fours: Option<bool>,
}

fn win_by_fours(position: &mut Position) -> Option<bool> {
    let control = Control::new(Deadline::unlimited(Instant::now()), None);
    let mut vcf = Vcf::new();
    let win = match position.rule() {
        Rule::Freestyle | Rule::Standard => vcf.solve::<Plain>(position, VCF_NODES, &control),
        Rule::Renju => vcf.solve::<Renju>(position, VCF_NODES, &control),
        Rule::Caro | Rule::CaroExact => vcf.solve::<Caro>(position, VCF_NODES, &control),
    };
    let is_settled = win.is_some() || vcf.nodes < u64::from(VCF_NODES);
    is_settled.then_some(win.is_some())
}

fn fours(position: &mut Position) -> Vec<Square> {
    let mut squares = Vec::new();
    let add = |square| squares.push(square);
    match position.rule() {
        Rule::Freestyle | Rule::Standard => defense::each_four::<Plain>(position, add),
        Rule::Renju => defense::each_four::<Renju>(position, add),
        Rule::Caro | Rule::CaroExact => defense::each_four::<Caro>(position, add),
    }
    squares
}

impl View {
    fn of(record: &Record, symmetry: Symmetry) -> View {
        let mut position = record.position(symmetry, Evaluation::Network);
        let mut classical = record.position(symmetry, Evaluation::Classical);
        let own = position.side_to_move();
        let sides = [own, own.opponent()];
        let place = |square| symmetry.square(record.size, square);
        let empty: Vec<Square> = SquareSet::board(record.size)
            .iter()
            .filter(|&square| position.is_empty(place(square)))
            .collect();
        let back = |set: &SquareSet| -> Vec<Square> {
            empty.iter().copied().filter(|&square| set.contains(place(square))).collect()
        };
        position.prepare_ranks();
        let candidates = position.board().candidates();
        let mut squares = Vec::new();
        for &square in &empty {
            let at = place(square);
            let patterns = position.patterns();
            let lines = sides.map(|color| {
                Direction::ALL.map(|line| patterns.line(color, at, symmetry.direction(line)))
            });
            let sets = sides.map(|color| patterns.set(color, at));
            let combined = sides.map(|color| patterns.combined(color, at));
            let rows = (combined[0] == Combined::Five).then(|| {
                position.with_move(at, |after| {
                    winning_row(record.rule, after.board(), at).map_or(0, |row| row.len())
                })
            });
            position.prepare_ranks();
            squares.push((
                square,
                SquareView {
                    // With no stone near any square one stands for all that are as good.
                    is_candidate: candidates.len() > 1 && candidates.contains(at),
                    is_forbidden: position.is_forbidden_to_black(at),
                    lines,
                    sets,
                    combined,
                    rows,
                    move_score: position.move_score(at),
                    ranks: [position.rank(at), classical.rank(at)],
                },
            ));
        }
        let counts = Combined::ALL
            .into_iter()
            .map(|kind| sides.map(|color| position.patterns().count(color, kind)));
        let counts = counts.collect();
        let outlook = look_at(&mut position);
        // Which of several squares of a kind is named is free.
        let outlook_text = match outlook {
            Outlook::Won(plies, _) => format!("won in {plies}"),
            Outlook::Lost(plies) => format!("lost in {plies}"),
            Outlook::Forced(_) | Outlook::ForcedSet(_) | Outlook::Open => "open".to_owned(),
        };
        let forced = match outlook {
            Outlook::Forced(square) => [square].into_iter().collect(),
            Outlook::ForcedSet(set) => set,
            _ => SquareSet::EMPTY,
        };
        let mut sets = vec![back(&forced), back(&fours(&mut position).into_iter().collect())];
        if position.patterns().count(own.opponent(), Combined::Five) > 0 {
            sets.push(back(&defense::against_five(&position)));
        } else {
            sets.push(back(&defense::against_open_four(&position)));
            let is_proof = !matches!(record.rule, Rule::Caro | Rule::CaroExact);
            if is_proof && !defense::is_threatened(&position) {
                sets.extend(defense::against_four_three(&position).map(|set| back(&set)));
            }
        }
        View {
            squares,
            counts,
            evaluations: [position.evaluate(), classical.evaluate()],
            estimates: [position.evaluate_unless(|_| true), classical.evaluate_unless(|_| true)],
            outlook: outlook_text,
            sets,
            wins_by_fours: win_by_fours(&mut position),
        }
    }
}

#[test]
fn nothing_depends_on_how_the_board_lies_nor_on_who_is_black() {
    for rule in Rule::ALL {
        let mut rng = Rng::new(seed(91));
        let (mut compared, mut wins, mut open) = (0, 0, 0);
        for _ in 0..cases(60) {
            let record = Record::random(&mut rng, rule);
            let mut first: Option<View> = None;
            for symmetry in Symmetry::all() {
                if symmetry.exchanges && rule == Rule::Renju {
                    break;
                }
                let mut view = View::of(&record, symmetry);
                let Some(first) = &mut first else {
                    wins += usize::from(view.wins_by_fours == Some(true));
                    first = Some(view);
                    continue;
                };
                let board =
                    || record.position(Symmetry::all().next().unwrap(), Evaluation::Classical);
                if first.wins_by_fours.is_none() || view.wins_by_fours.is_none() {
                    view.wins_by_fours = first.wins_by_fours;
                    open += 1;
                }
                for (found, expected) in view.squares.iter().zip(&first.squares) {
                    assert_eq!(found, expected, "{rule} {symmetry:?}\n{}", board().board());
                }
                view.squares.clone_from(&first.squares);
                assert_eq!(&view, &*first, "{rule} {symmetry:?}\n{}", board().board());
                compared += 1;
            }
        }
        println!("{rule}: {compared} compared, {wins} wins by fours, {open} left open");
        assert!(compared >= cases(60) * 7 && wins > 0, "{rule}");
    }
}
