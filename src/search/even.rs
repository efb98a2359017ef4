//! Even positions: the move after which the score is nearest to a wish.
//!
//! Deepening over the root's moves, the nearest one of the depth before first. A move only
//! matters if its score is nearer than the nearest so far, so the window closes from both sides
//! round the wish: most moves are told apart by nearly empty windows, and once the wish is met
//! exactly a depth is done. (Source: the balance moves of rapfi `search/ab/search.cpp`, which
//! map scores to their distance instead.)

use crate::base::control::Control;
use crate::base::score::{Score, Window};
use crate::base::tt::Table;
use crate::position::Position;
use crate::search::node::Pv;
use crate::search::params::PLY;
use crate::search::root::MAX_ITERATION;
use crate::search::worker::Worker;
use crate::search::{Line, Report, RootEvent, RuleKind, SearchHandler, SearchResult, Task};
use crate::types::square::Square;

/// A move that may be the one.
struct Try {
    mv: Square,
    /// How far its score is from the wish: exact for the nearest move, at least that for others.
    gap: i32,
}

/// Looks for the move until a limit is reached or every move is known to win or to lose.
pub(super) fn run<R: RuleKind>(
    task: &Task,
    bias: i32,
    table: &Table,
    control: &Control,
    handler: &mut dyn SearchHandler,
) -> SearchResult {
    let mut position = task.position.clone();
    let mut tries = list(&mut position, &task.excluded, bias);
    let Some(first) = tries.first() else {
        return SearchResult::default();
    };
    let mut best = Line { score: Score::ZERO, moves: vec![first.mv] };
    let mut worker = Worker::new(position, table, control, None, Some(handler), Vec::new());
    let last_iteration = task.limits.depth.unwrap_or(MAX_ITERATION).clamp(1, MAX_ITERATION);
    let (mut completed, mut deepest) = (0, 0);
    for depth in 1..=last_iteration {
        worker.tell(RootEvent::Refresh);
        worker.selective_depth = 0;
        let is_whole = worker.nearest::<R>(&mut tries, bias, depth, &mut best);
        deepest = deepest.max(worker.selective_depth);
        if is_whole {
            completed = depth;
            worker.report_even(depth, deepest.max(depth), &best);
        }
        if !is_whole || best.score.is_decided() || control.is_past_soft(600) {
            break;
        }
    }
    worker.flush();
    let selective_depth = deepest.max(completed);
    SearchResult { lines: vec![best], depth: completed, selective_depth, nodes: control.nodes() }
}

/// The moves to try, those first after which the evaluation is nearest to the wish.
///
/// Legal squares near the stones, on an empty board all; five in a row is no even position, so
/// such moves stand back. A move must be made: exclusions, then fives and fouls, give way when
/// they leave none.
fn list(position: &mut Position, excluded: &[Square], bias: i32) -> Vec<Try> {
    let empty = position.empty_squares();
    let near = if position.stone_count() == 0 { empty } else { position.board().candidates() };
    let mut is_fit =
        |square: &Square| !position.is_forbidden(*square) && !position.makes_five(*square);
    let near: Vec<Square> = near.iter().filter(&mut is_fit).collect();
    let far: Vec<Square> = empty.iter().filter(&mut is_fit).collect();
    let free = |from: &[Square]| -> Vec<Square> {
        from.iter().copied().filter(|square| !excluded.contains(square)).collect()
    };
    let lists = [free(&near), free(&far), near, far, empty.iter().collect()];
    let moves = lists.into_iter().find(|list| !list.is_empty()).unwrap_or_default();
    let mut tries: Vec<Try> = moves
        .into_iter()
        .map(|mv| {
            let score = position.with_move(mv, |after| -after.evaluate());
            Try { mv, gap: (score.value() - bias).abs() }
        })
        .collect();
    tries.sort_by_key(|known| known.gap);
    tries
}

impl Worker<'_> {
    /// Searches all moves to a depth and brings the nearest one to the front; says whether none
    /// was left out. What is found before the search is stopped counts, as the nearest move of
    /// the depth before is looked at first.
    fn nearest<R: RuleKind>(
        &mut self,
        tries: &mut [Try],
        bias: i32,
        depth: i32,
        best: &mut Line,
    ) -> bool {
        let mut nearest: Option<(usize, i32)> = None;
        for (index, known) in tries.iter_mut().enumerate() {
            let window = match nearest {
                None => Window::FULL,
                // Nothing is nearer than there.
                Some((_, 0)) => break,
                Some((_, gap)) => {
                    let most = Score::INFINITE.value();
                    let end = |value: i32| Score::from_value(value.clamp(-most, most));
                    Window::new(end(bias - gap), end(bias + gap))
                }
            };
            self.tell(RootEvent::Begin(known.mv));
            let score = self.score_after::<R>(known.mv, depth, window);
            if self.stopped {
                break;
            }
            self.tell(RootEvent::Done(known.mv));
            known.gap = (score.value() - bias).abs();
            if nearest.is_none_or(|(_, gap)| known.gap < gap) {
                nearest = Some((index, known.gap));
                let line = self.pv.line(1);
                *best = Line { score, moves: [&[known.mv], line].concat() };
                self.tell(RootEvent::Best(known.mv));
            }
        }
        if self.stopped {
            // What is decided is no choice while another move may not be.
            let most = Score::EVAL_LIMIT + bias.abs();
            if best.score.is_decided()
                && let Some(open) = tries.iter().find(|known| known.gap <= most)
            {
                *best = Line { score: Score::ZERO, moves: vec![open.mv] };
            }
            return false;
        }
        tries.sort_by_key(|known| known.gap);
        true
    }

    /// What a move is worth to the side that makes it, as far as it lies in a window.
    fn score_after<R: RuleKind>(&mut self, mv: Square, depth: i32, window: Window) -> Score {
        self.count(1);
        if self.position.makes_five(mv) {
            self.pv.clear(1);
            return Score::win_in(1);
        }
        self.position.play(mv);
        let score = -self.node::<R, Pv>((depth - 1) * PLY, window.flip(), 1, false);
        self.position.undo();
        score
    }

    /// Tells the handler about the nearest move.
    fn report_even(&mut self, depth: i32, selective_depth: i32, line: &Line) {
        self.flush();
        let (nodes, elapsed) = (self.control.nodes(), self.control.elapsed());
        if let Some(handler) = &mut self.handler {
            handler.report(&Report {
                depth,
                selective_depth,
                line_index: 0,
                line_count: 1,
                line,
                nodes,
                elapsed,
            });
        }
    }
}
