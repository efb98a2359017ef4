//! The root: what is answered without a search, iterative deepening, aspiration windows.

use crate::base::score::{MAX_PLY, Score, Window};
use crate::pattern::Combined;
use crate::position::Position;
use crate::search::node::Root;
use crate::search::params::{PLY, aspiration, root_vcf_nodes, root_vct_nodes, root_vct_share};
use crate::search::shortcut::{self, Outlook};
use crate::search::vct::Found;
use crate::search::worker::Worker;
use crate::search::{Line, Report, RootEvent, RuleKind, SearchResult, Task};
use crate::types::square::Square;

/// Deepest iteration of any search, in plies; what the table's depth can tell apart.
pub(super) const MAX_ITERATION: i32 = 60;

/// A move of the root and what is known about it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Square,
    /// Score in this iteration; the lowest there is before the move was searched, or when it
    /// was only found not to be better.
    score: Score,
    /// Score in the iteration before.
    previous: Score,
    /// The line that begins with it.
    line: Vec<Square>,
    /// Deepest ply below it.
    selective_depth: i32,
    /// It is known to lose.
    is_lost: bool,
}

impl RootMove {
    fn new(mv: Square) -> RootMove {
        RootMove {
            mv,
            score: -Score::INFINITE,
            previous: -Score::INFINITE,
            line: vec![mv],
            selective_depth: 0,
            is_lost: false,
        }
    }

    /// As a line of the result.
    fn to_line(&self) -> Line {
        let score = if self.score == -Score::INFINITE { self.previous } else { self.score };
        let score = if score == -Score::INFINITE { Score::ZERO } else { score };
        Line { score, moves: self.line.clone() }
    }
}

/// The moves to search at the root, most promising first.
///
/// Squares near the stones unless they are excluded or forbidden; if nothing is left, squares
/// further away. A move must be made: exclusions give way when they leave none, and if all
/// squares are forbidden, it is one of them all the same.
pub(super) fn root_moves(position: &mut Position, excluded: &[Square]) -> Vec<RootMove> {
    let near = position.board().candidates();
    let far = position.empty_squares().minus(&near);
    let own = position.side_to_move();
    let mut moves: Vec<((u8, i32), Square)> = Vec::new();
    position.prepare_ranks();
    for (squares, excluded) in [(near, excluded), (far, excluded), (near, &[]), (far, &[])] {
        for square in &squares {
            if !excluded.contains(&square) && !position.is_forbidden(square) {
                // Where all is lost a five is stopped at least.
                let is_five = |color| position.patterns().combined(color, square) == Combined::Five;
                let urgency = if is_five(own) { 2 } else { u8::from(is_five(own.opponent())) };
                moves.push(((urgency, position.rank(square)), square));
            }
        }
        if !moves.is_empty() {
            break;
        }
    }
    if moves.is_empty() {
        moves.extend(position.empty_squares().first().map(|square| ((0, 0), square)));
    }
    moves.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
    moves.into_iter().map(|(_, square)| RootMove::new(square)).collect()
}

/// Nodes of the threat search that gives the only move a score.
const FORCED_VCF_NODES: i32 = 4000;
/// Nodes of the search by threats between two looks at the soft deadline.
const ROOT_VCT_SLICE: u32 = 4000;

impl Worker<'_> {
    /// Deepens until a limit or the truth is reached; `helper` is the thread's number, the main
    /// thread is 0.
    pub(super) fn iterate<R: RuleKind>(
        &mut self,
        task: &Task,
        lines: usize,
        helper: usize,
    ) -> SearchResult {
        let limits = &task.limits;
        self.excluded.clone_from(&task.excluded);
        self.begin_with_table_move();
        let last_iteration = limits.depth.unwrap_or(MAX_ITERATION).clamp(1, MAX_ITERATION);
        let lines = lines.clamp(1, self.root_moves.len().max(1));
        let mut completed = 0;
        let mut stable_for = 0;

        if helper == 0
            && lines == 1
            && let Some(line) = self.at_once::<R>()
        {
            let result = self.result(vec![line], 1);
            self.report_line(1, 0, 1, &result.lines[0]);
            return result;
        }

        // Helpers begin at different depths, so that they are not all at the same place.
        let first_iteration = 1 + i32::try_from(helper % 2).unwrap_or(0);
        for depth in first_iteration..=last_iteration.max(first_iteration) {
            if self.root_moves.is_empty() {
                break;
            }
            let best_before = self.root_moves[0].mv;
            self.tell(RootEvent::Refresh);
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
                root_move.score = -Score::INFINITE;
            }
            let mut lines_done = 0;
            for line in 0..lines {
                self.first_root_move = line;
                self.aspirate::<R>(depth);
                self.settle_order(line);
                // Before a loss is believed, the squares far from all stones are tried as well.
                if !self.stopped && self.root_moves[line].score.is_loss() && self.add_far_moves() {
                    self.aspirate::<R>(depth);
                    self.settle_order(line);
                }
                if self.stopped {
                    break;
                }
                lines_done += 1;
                if helper == 0 {
                    self.report(depth, line, lines);
                }
            }
            self.first_root_move = 0;
            if lines_done == lines {
                completed = depth;
                self.root_moves[..lines].sort_by_key(|found| std::cmp::Reverse(found.score));
            }
            if self.stopped {
                break;
            }
            stable_for = if self.root_moves[0].mv == best_before { stable_for + 1 } else { 0 };
            if helper == 0 && self.is_settled(lines, stable_for) {
                break;
            }
            if helper == 0
                && lines == 1
                && let Some(line) = self.threats_at_root::<R>(1000)
            {
                let result = self.result(vec![line], depth);
                self.report_line(depth, 0, 1, &result.lines[0]);
                return result;
            }
        }
        if self.stopped {
            self.pass_over_lost();
        }
        self.flush();
        let found = self.root_moves.iter().take(lines).map(RootMove::to_line);
        let mut found: Vec<Line> = found.collect();
        // An iteration that was stopped leaves lines of two depths.
        found.sort_by_key(|line| std::cmp::Reverse(line.score));
        if let Some(best) = found.first_mut()
            && best.score.is_loss()
            && !self.is_loss_proven()
        {
            best.score = Score::eval(-Score::EVAL_LIMIT);
        }
        self.result(found, completed)
    }

    /// Adds the legal squares that are not among the root moves; says whether there are any.
    fn add_far_moves(&mut self) -> bool {
        if self.has_far_moves {
            return false;
        }
        self.has_far_moves = true;
        let near = self.position.board().candidates();
        let far = self.position.empty_squares().minus(&near);
        let before = self.root_moves.len();
        for mv in &far {
            let is_known = self.root_moves.iter().any(|root_move| root_move.mv == mv);
            if !is_known && !self.excluded.contains(&mv) && !self.position.is_forbidden(mv) {
                self.root_moves.push(RootMove::new(mv));
            }
        }
        self.root_moves.len() > before
    }

    /// Puts the move that the table knows for this position first.
    fn begin_with_table_move(&mut self) {
        let entry = self.table.probe(self.position.key());
        let known = entry.and_then(|entry| Square::from_index(usize::from(entry.mv)));
        let at = self.root_moves.iter().position(|root_move| Some(root_move.mv) == known);
        if let Some(at) = at {
            self.root_moves[..=at].rotate_right(1);
        }
    }

    /// Whether what the root found holds for the position: no move was left out.
    pub(super) fn is_root_whole(&self, score: Score) -> bool {
        let is_complete = self.has_far_moves || !score.is_loss();
        self.first_root_move == 0 && self.excluded.is_empty() && is_complete
    }

    /// What is answered without deepening: a win in sight, a win by fours, or the only move
    /// that does not lose at once.
    fn at_once<R: RuleKind>(&mut self) -> Option<Line> {
        let playable = |moves: &[RootMove], mv| moves.iter().any(|known| known.mv == mv);
        let only = match shortcut::look::<R>(&mut self.position) {
            Outlook::Won(plies, mv) if playable(&self.root_moves, mv) => {
                return Some(Line { score: Score::win_in(plies), moves: vec![mv] });
            }
            Outlook::Forced(mv) if playable(&self.root_moves, mv) => Some(mv),
            _ if self.root_moves.len() == 1 => self.root_moves.first().map(|known| known.mv),
            _ => None,
        };
        let budget = if only.is_some() { FORCED_VCF_NODES } else { root_vcf_nodes() };
        if let Some(win) = self.fours_at_root::<R>(budget) {
            return Some(win);
        }
        match only {
            // A foul is among the moves only when nothing else is left, and loses.
            Some(mv) if R::FOULS && self.position.is_forbidden(mv) => {
                Some(Line { score: Score::loss_in(1), moves: vec![mv] })
            }
            Some(mv) => {
                let seen = self.position.with_move(mv, shortcut::look::<R>);
                let score = match seen {
                    Outlook::Won(plies, _) => Score::loss_in(plies + 1),
                    Outlook::Lost(plies) => Score::win_in(plies + 1),
                    _ => self.position.evaluate(),
                };
                Some(Line { score, moves: vec![mv] })
            }
            None => self.threats_at_root::<R>(100),
        }
    }

    /// Looks for a win by threats, until `soft_share` thousandths of the soft deadline.
    ///
    /// Some nodes are for the time before the first iteration, and after each iteration a share
    /// of what the iterations have cost, never more than an eighth of the node limit. Where no
    /// attack is in sight the search comes to its end at once.
    fn threats_at_root<R: RuleKind>(&mut self, soft_share: u64) -> Option<Line> {
        let most = u64::from(root_vct_nodes().unsigned_abs()).min(self.control.node_limit() / 8);
        if most == 0 || self.has_no_threats {
            return None;
        }
        self.flush();
        let spent = self.control.nodes();
        let due = spent * u64::from(root_vct_share().unsigned_abs()) / 100;
        let left = self.control.node_limit().saturating_sub(spent);
        let until = due.min(most).min(self.vct.nodes + left);
        while self.vct.nodes < until && !self.stopped && !self.control.is_past_soft(soft_share) {
            let before = self.vct.nodes;
            let budget = u32::try_from(until - before).unwrap_or(u32::MAX).min(ROOT_VCT_SLICE);
            let found =
                self.vct.solve::<R>(&mut self.position, &mut self.vcf, budget, self.control);
            self.count(self.vct.nodes - before);
            match found {
                Found::Open => {}
                Found::Nothing => {
                    self.has_no_threats = true;
                    return None;
                }
                Found::Win(win) => {
                    let is_playable = self.root_moves.iter().any(|known| known.mv == win.mv);
                    let moves = self.vct.line::<R>(&self.position, &self.vcf, win);
                    return is_playable.then(|| Line { score: Score::win_in(win.plies), moves });
                }
            }
        }
        None
    }

    /// Looks for a long win by fours before anything else.
    fn fours_at_root<R: RuleKind>(&mut self, most: i32) -> Option<Line> {
        let room = self.control.node_limit() / 4;
        let budget = i32::try_from(room).unwrap_or(i32::MAX).min(most);
        // The budget grows from slice to slice, so that a quarter of the time is kept to; what
        // an earlier slice has settled is remembered.
        let mut slice = 2000.min(budget);
        loop {
            let win = self.win_by_fours::<R>(slice, false);
            if let Some(win) = win
                && self.root_moves.iter().any(|root_move| root_move.mv == win.mv)
            {
                let moves = self.vcf.line::<R>(&self.position, win);
                return Some(Line { score: Score::win_in(win.plies), moves });
            }
            if slice >= budget || self.stopped || self.control.is_past_soft(250) {
                return None;
            }
            slice = (slice * 3).min(budget);
        }
    }

    /// Searches the root to a depth, with a window round the last score that widens on demand.
    fn aspirate<R: RuleKind>(&mut self, depth: i32) {
        let guess = self.root_moves[self.first_root_move].previous;
        let mut low = aspiration();
        let mut high = aspiration();
        self.selective_depth = 0;
        loop {
            let window = if depth < 4 || guess.is_decided() || low > 2000 || high > 2000 {
                Window::FULL
            } else {
                Window::new(guess - low, guess + high)
            };
            let score = self.node::<R, Root>(depth * PLY, window, 0, false);
            if self.stopped {
                return;
            }
            if score <= window.alpha {
                low *= 4;
            } else if score >= window.beta {
                high *= 4;
                self.settle_order(self.first_root_move);
            } else {
                return;
            }
            // Scores of a failed window are bounds: the next try begins anew.
            for root_move in &mut self.root_moves[self.first_root_move..] {
                root_move.score = -Score::INFINITE;
            }
        }
    }

    /// Notes what came out for a root move; `is_best` if it was better than all before.
    pub(super) fn root_result(&mut self, mv: Square, score: Score, is_best: bool) {
        let selective_depth = self.selective_depth;
        let from = self.first_root_move;
        let found = self.root_moves[from..].iter_mut().find(|root_move| root_move.mv == mv);
        if let Some(root_move) = found {
            root_move.is_lost |= score.is_loss();
            if is_best {
                root_move.score = score;
                root_move.selective_depth = selective_depth;
                root_move.line.clear();
                root_move.line.push(mv);
                root_move.line.extend_from_slice(self.pv.line(1));
            }
        }
        self.tell(if score.is_loss() { RootEvent::Lost(mv) } else { RootEvent::Done(mv) });
    }

    /// Brings the best root move from `from` on to the front, the others keep their order. When
    /// none was searched, because the search was stopped, the old order stands.
    fn settle_order(&mut self, from: usize) {
        let moves = &mut self.root_moves[from..];
        let mut best = 0;
        for (index, root_move) in moves.iter().enumerate() {
            if root_move.score > moves[best].score {
                best = index;
            }
        }
        moves[..=best].rotate_right(1);
    }

    /// When the search broke off after the best move was seen to lose, and before all others
    /// near the stones were: brings the first of those to the front.
    fn pass_over_lost(&mut self) {
        let near = self.position.board().candidates();
        let is_open = |root_move: &RootMove| !root_move.is_lost && near.contains(root_move.mv);
        if let Some(open) = self.root_moves.iter().position(is_open)
            && self.root_moves[..open].iter().all(|root_move| root_move.is_lost)
        {
            // Before, it did not look better than the one that loses.
            let most = self.root_moves[0].previous;
            let root_move = &mut self.root_moves[open];
            if root_move.score == -Score::INFINITE && root_move.previous == -Score::INFINITE {
                root_move.previous = most;
            }
            self.root_moves[..=open].rotate_right(1);
        }
    }

    /// Whether every move is known to lose, those far from all stones as well.
    fn is_loss_proven(&self) -> bool {
        let near = self.position.board().candidates();
        let has_far = !self.position.empty_squares().minus(&near).is_empty();
        (self.has_far_moves || !has_far) && self.root_moves.iter().all(|known| known.is_lost)
    }

    /// Whether nothing more is to be found out, or no time is left to do so.
    fn is_settled(&self, lines: usize, stable_for: i32) -> bool {
        let best = &self.root_moves[0];
        if lines == 1 && best.score.is_decided() {
            return true;
        }
        if !self.control.saves_time() {
            return self.control.is_past_soft(1000);
        }
        // A best move that has stood for long needs less time, a new or falling one more.
        let drop = if best.previous == -Score::INFINITE {
            0
        } else {
            (best.previous.value() - best.score.value()).clamp(0, 100)
        };
        let per_mille = 1000 - 60 * stable_for.min(6) + 4 * drop;
        self.control.is_past_soft(u64::from(per_mille.unsigned_abs()))
    }

    /// Tells the handler about a line.
    fn report(&mut self, depth: i32, line_index: usize, line_count: usize) {
        self.flush();
        if let Some(root_move) = self.root_moves.get(line_index) {
            let line = root_move.to_line();
            self.report_line(depth, line_index, line_count, &line);
        }
    }

    fn report_line(&mut self, depth: i32, line_index: usize, line_count: usize, line: &Line) {
        let reached = self.root_moves.get(line_index).map_or(0, |known| known.selective_depth);
        let report = Report {
            depth,
            selective_depth: reached.max(depth),
            line_index,
            line_count,
            line,
            nodes: self.control.nodes(),
            elapsed: self.control.elapsed(),
        };
        if let Some(handler) = &mut self.handler {
            handler.report(&report);
        }
    }

    /// The result, with these lines.
    fn result(&mut self, lines: Vec<Line>, depth: i32) -> SearchResult {
        self.flush();
        let reached = self.root_moves.iter().map(|root_move| root_move.selective_depth).max();
        SearchResult {
            lines,
            depth,
            selective_depth: reached.unwrap_or(0).clamp(depth, MAX_PLY),
            nodes: self.control.nodes(),
        }
    }
}
