//! The alpha-beta node: one argument, from what is known without search to the last move.

use crate::base::score::{Bound, MAX_PLY, Score, Window};
use crate::base::tt::Entry;
use crate::pattern::Combined;
use crate::search::known::{TABLE_DEPTH, settle};
use crate::search::params::{
    PLY, alpha_reduction, continuation_weight, correction_weight, count_base, count_linear,
    count_square, count_worse, fail_high_margin, fail_high_ply, futility_free, futility_margin,
    futility_plies, history_bonus, iir_plies, leaf_threat, razor_base, razor_margin, razor_plies,
    reduction_cut, reduction_defense, reduction_far, reduction_history, reduction_killer,
    reduction_pv, reduction_score, reduction_score_mid, reduction_three, reduction_worse,
    reply_extension, singular_less, singular_margin, singular_plies,
};
use crate::search::picker::ScoredMove;
use crate::search::reductions::reduction;
use crate::search::shortcut::{self, Outlook};
use crate::search::stats::{Stat, count};
use crate::search::turns::{Turn, Turns};
use crate::search::worker::Worker;
use crate::search::{RootEvent, RuleKind, defense};
use crate::types::square::{Square, SquareSet};

/// What kind of node it is, as constants.
pub(super) trait NodeKind {
    /// The root: its moves are in the root's list, in that order.
    const ROOT: bool;
    /// On the principal variation: the window is open.
    const PV: bool;
}

/// The root.
pub(super) struct Root;
/// A node of the principal variation.
pub(super) struct Pv;
/// Any other: it only has to say on which side of the window it is.
pub(super) struct Off;

impl NodeKind for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl NodeKind for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}

impl NodeKind for Off {
    const ROOT: bool = false;
    const PV: bool = false;
}

/// Whether a move has nothing to do with another: it is more than four squares away.
fn is_far(mv: Square, other: Option<Square>) -> bool {
    other.is_some_and(|other| mv.x().abs_diff(other.x()).max(mv.y().abs_diff(other.y())) > 4)
}

/// What the key of a position differs by when it is searched without one of its moves.
fn excluded_key(mv: Square) -> u64 {
    (mv.index() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// What a search without the table's move says about that move.
enum Singular {
    /// So much is added to its depth, in parts of a [`PLY`].
    Extend(i32),
    /// Even the others are good enough for a cut.
    Cut(Score),
}

/// What the reduction of a move depends on, besides the move itself.
#[expect(clippy::struct_excessive_bools, reason = "they are what a node is, not states")]
struct Site {
    depth: i32,
    is_pv: bool,
    is_cut: bool,
    is_improving: bool,
    /// The moves are the answers to a threat.
    is_defense: bool,
    /// Highest place in the order.
    top_score: i32,
    /// The last move, and the one before it, which the side to move played.
    last: Option<Square>,
    before_last: Option<Square>,
    /// Distance from the root.
    at: usize,
}

/// The moves that a node has to look at.
struct Moves {
    /// Where they begin in the worker's list.
    start: usize,
    /// They are the answers to a threat; everything else is known to lose.
    is_defense: bool,
    /// They are all there are, or all others are known to lose.
    is_complete: bool,
    /// Highest place in the order, the table's move left out.
    top_score: i32,
}

impl Worker<'_> {
    /// The value of the position, searched to a depth in parts of a [`PLY`].
    ///
    /// At or below `window.alpha` it is an upper bound, at or above `window.beta` a lower bound.
    /// Wins and losses are proven at any depth. When the worker is stopped the value means
    /// nothing. `is_cut` says that a value above the window is expected.
    pub(super) fn node<R: RuleKind, N: NodeKind>(
        &mut self,
        mut depth: i32,
        mut window: Window,
        ply: i32,
        is_cut: bool,
    ) -> Score {
        if !N::ROOT && depth < PLY {
            // A threat of an open four is answered before the position is judged.
            if depth <= -leaf_threat() * PLY || !defense::is_threatened(&self.position) {
                return self.leaf::<R>(window, ply);
            }
            depth = depth.max(0);
        }
        if self.count(1) {
            return Score::ZERO;
        }
        let at = ply.unsigned_abs() as usize;
        let excluded = self.stack[at].excluded;
        self.pv.clear(at);
        if N::PV {
            self.selective_depth = self.selective_depth.max(ply);
        }

        // What needs no search.
        let mut forced_set = None;
        if !N::ROOT && excluded.is_none() {
            if self.position.board().is_full() {
                return Score::ZERO;
            }
            if ply >= MAX_PLY {
                return self.position.evaluate();
            }
            // No win here can be quicker than the next move, no loss quicker than the last one.
            window.alpha = window.alpha.max(Score::loss_in(ply));
            window.beta = window.beta.min(Score::win_in(ply + 1));
            if window.alpha >= window.beta {
                return window.alpha;
            }
            match shortcut::look::<R>(&mut self.position) {
                Outlook::Won(plies, mv) => {
                    self.pv.set_single(at, mv);
                    return Score::win_in(ply + plies);
                }
                Outlook::Lost(plies) => return Score::loss_in(ply + plies),
                Outlook::Forced(mv) => {
                    let depth = depth - PLY + reply_extension();
                    self.stack[at].eval = None;
                    self.position.play(mv);
                    let score = -self.node::<R, N>(depth, window.flip(), ply + 1, !is_cut);
                    self.position.undo();
                    if N::PV {
                        self.pv.set(at, mv);
                    }
                    return score;
                }
                Outlook::ForcedSet(set) => forced_set = Some(set),
                Outlook::Open => {}
            }
        }

        // What the table knows.
        let key = self.position.key() ^ excluded.map_or(0, excluded_key);
        let entry = self.table.probe(key);
        // What another thread has searched need not be searched again.
        if N::PV
            && !N::ROOT
            && self.busy.is_some()
            && let Some(score) = self.exactly_known::<R>(entry, depth, ply)
        {
            return score;
        }
        if !N::PV
            && let Some(score) = settle(entry, depth, window.beta, ply)
        {
            count(Stat::TableCut);
            return score;
        }
        let table_move = entry.and_then(|entry| Square::from_index(usize::from(entry.mv)));
        let is_pv = N::PV || entry.is_some_and(|entry| entry.is_pv);

        // What it looks like. While a threat must be answered a static value says little.
        let is_forced = forced_set.is_some();
        let is_threatened = is_forced || defense::is_threatened(&self.position);
        let static_eval = match entry {
            Some(entry) => entry.eval,
            None => self.position.evaluate(),
        };
        self.stack[at].eval = (!is_threatened).then_some(static_eval);
        let is_improving = match (self.stack[at].eval, at.checked_sub(2)) {
            (Some(now), Some(before)) => self.stack[before].eval.is_none_or(|then| now > then),
            _ => false,
        };
        let mut eval = static_eval;
        if let Some(entry) = entry {
            let score = entry.score.from_node(ply);
            if entry.bound.settles(score, eval) {
                eval = score;
            }
        }

        if !N::PV && !is_threatened && excluded.is_none() {
            // Unless a search stands behind it, it is mended by how far off others like it were.
            if eval == static_eval {
                let correction = self.corrections.get(&self.position);
                eval = Score::eval(eval.value() + correction * correction_weight() / 4096);
            }
            // Far below: only a win by fours can help.
            if depth < razor_plies() * PLY
                && eval + razor_base() + razor_margin() * depth / PLY <= window.alpha
            {
                let score = self.leaf::<R>(window, ply);
                if score <= window.alpha || self.stopped {
                    count(Stat::Razoring);
                    return score;
                }
            }
            // Far above: the other side will not make up for it.
            let plies = (depth - futility_free() - if is_improving { PLY } else { 0 }).max(0);
            if depth < futility_plies() * PLY
                && !window.beta.is_decided()
                && !eval.is_decided()
                && eval - futility_margin() * plies / PLY >= window.beta
            {
                count(Stat::Futility);
                return eval;
            }
        }

        let whole_depth = depth;
        // A cut is expected and likely: less depth is enough to see whether it comes.
        if !N::PV
            && is_cut
            && !is_threatened
            && excluded.is_none()
            && depth >= 2 * PLY
            && eval >= window.beta + fail_high_margin() + fail_high_ply() * depth / PLY
        {
            depth -= PLY;
        }

        // Without a move to begin with the search is worth less.
        if table_move.is_none() && depth >= iir_plies() * PLY && !N::ROOT {
            depth -= PLY;
        }
        // The table may be good enough for what is left of it.
        if !N::PV
            && depth < whole_depth
            && let Some(score) = settle(entry, depth, window.beta, ply)
        {
            count(Stat::TableCut);
            return score;
        }

        let mut moves = if N::ROOT {
            self.root_list()
        } else {
            self.generate::<R>(forced_set, is_threatened, table_move, at)
        };
        if !N::ROOT && moves.is_defense && self.moves.len() == moves.start {
            // Nothing stops the open four, and there is no four to gain time with.
            return Score::loss_in(ply + 4);
        }

        let own = self.position.side_to_move();
        let site = Site {
            depth,
            is_pv,
            is_cut,
            is_improving,
            is_defense: moves.is_defense,
            top_score: moves.top_score,
            last: self.position.board().last_move(),
            before_last: self.position.board().move_before(1),
            at,
        };
        let plies = depth / PLY;
        let parts = count_base() + count_linear() * plies + count_square() * plies * plies;
        let keep_count = if is_improving { parts } else { parts * count_worse() / 64 } / 16;
        let keep_count = usize::try_from(keep_count).unwrap_or(1).max(2);

        count(Stat::Expanded);
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut turns = Turns::new(moves.start, self.put_off.len());
        let alpha_before = window.alpha;
        loop {
            let Some(turn) = self.next_turn(&mut turns) else {
                // Every move near the stones loses: before that is claimed, try all others.
                let is_lost = turns.count == 0 || best.is_loss();
                if !moves.is_complete && excluded.is_none() && is_lost {
                    moves.is_complete = true;
                    self.generate_far(at);
                    continue;
                }
                break;
            };
            let Turn { candidate, number: tried, is_late } = turn;
            let mv = candidate.mv;
            if !is_late {
                if excluded == Some(mv) || (R::FOULS && self.position.is_forbidden(mv)) {
                    continue;
                }
                turns.count = tried;

                // Late moves are left out, never before a move is found that does not lose.
                let is_held = !best.is_loss() || excluded.is_some();
                if !N::ROOT && is_held && !moves.is_defense && tried > keep_count {
                    count(Stat::LateMoves);
                    turns.is_over = true;
                    continue;
                }
                if self.puts_off(turn, depth) {
                    continue;
                }
            } else if !N::PV
                && let Some(score) = self.settled(key, depth, window.beta, ply)
            {
                // What was put off was done by another thread, and this node as well.
                self.leave(&turns);
                return score;
            }
            let combined = self.position.patterns().combined(own, mv);
            let is_quiet = combined < Combined::Four;

            if N::ROOT {
                self.tell(RootEvent::Begin(mv));
            }
            let mut new_depth = depth - PLY;
            // After a better move the others matter less.
            if N::PV && !N::ROOT && best_move.is_some() && depth > 2 * PLY && depth < 12 * PLY {
                new_depth -= alpha_reduction();
            }
            if !N::ROOT
                && Some(mv) == table_move
                && depth >= singular_plies() * PLY
                && excluded.is_none()
                && !is_forced
                && let Some(entry) = entry
                && entry.bound.is_lower()
                && entry.depth * TABLE_DEPTH >= depth - 2 * PLY
                && !entry.score.is_decided()
            {
                let judged = self.judge_table_move::<R, N>(mv, entry.score, &site, window, ply);
                match judged {
                    Singular::Extend(more) => new_depth += more,
                    Singular::Cut(score) => {
                        self.leave(&turns);
                        return score;
                    }
                }
                if self.stopped {
                    self.leave(&turns);
                    return Score::ZERO;
                }
            }
            let less = if tried > 1 + usize::from(N::ROOT) && depth >= 2 * PLY && is_quiet {
                self.late_reduction(candidate, tried, &site)
            } else {
                0
            };
            if new_depth >= PLY {
                self.table.prefetch(self.position.board().key_after(mv));
            }
            let begun = self.begin_turn(mv, depth);
            self.position.play(mv);
            let mut score = -Score::INFINITE;
            let mut full_search = true;
            if N::ROOT && combined == Combined::Five {
                // Only the root tries moves that end the game: elsewhere they are seen before.
                self.pv.clear(1);
                score = Score::win_in(1);
                full_search = false;
            } else if tried > 1 {
                let reduced = (new_depth - less).max(PLY.min(new_depth));
                let alpha = window.alpha.max(best);
                let probe = Window::null(alpha).flip();
                score = -self.node::<R, Off>(reduced, probe, ply + 1, true);
                if reduced < new_depth {
                    count(Stat::Reduced);
                }
                if score > alpha && reduced < new_depth && !self.stopped {
                    count(Stat::Repeated);
                    score = -self.node::<R, Off>(new_depth, probe, ply + 1, !is_cut);
                }
                full_search = N::PV && score > alpha && (score < window.beta || N::ROOT);
            }
            if full_search && !self.stopped {
                let inner = Window::new(window.alpha.max(best), window.beta).flip();
                score = if N::PV {
                    -self.node::<R, Pv>(new_depth, inner, ply + 1, false)
                } else {
                    -self.node::<R, Off>(new_depth, inner, ply + 1, !is_cut)
                };
            }
            self.position.undo();
            self.end_turn(begun);
            if self.stopped {
                self.leave(&turns);
                return Score::ZERO;
            }

            if N::ROOT {
                self.root_result(mv, score, tried == 1 || score > window.alpha.max(best));
            }
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.pv.set(at, mv);
                    }
                    if N::ROOT {
                        self.tell(RootEvent::Best(mv));
                    }
                }
            }

            if best >= window.beta {
                count(Stat::Cut);
                if tried == 1 {
                    count(Stat::CutByFirst);
                }
                self.note_cut(mv, is_quiet, &site, &turns);
                break;
            }
        }
        self.leave(&turns);

        if turns.count == 0 {
            if excluded.is_some() {
                return window.alpha;
            }
            // Only forbidden squares are left: of all, or of those that stop an open four.
            return Score::loss_in(ply + if moves.is_defense { 4 } else { 1 });
        }
        // A bound on the static evaluation's own side of the truth teaches nothing.
        let is_lesson = if best >= window.beta {
            best > static_eval
        } else {
            best > alpha_before || best < static_eval
        };
        if excluded.is_none() && !is_threatened && !best.is_decided() && is_lesson {
            self.corrections.update(&self.position, best.value() - static_eval.value(), depth);
        }
        if !N::ROOT || self.is_root_whole(best) {
            let bound = if best >= window.beta {
                Bound::Lower
            } else if best > alpha_before {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let mv = best_move.map_or(0, |mv| u16::try_from(mv.index()).unwrap_or(0));
            let (score, depth) = (best.to_node(ply), depth / TABLE_DEPTH);
            self.table.store(key, Entry { mv, score, bound, eval: static_eval, depth, is_pv });
        }
        best
    }

    /// Searches the other moves with less depth against a bar somewhat below the table's score:
    /// where they all stay below it the table's move stands alone and is looked at more closely.
    ///
    /// Source: singular extension and multi-cut as in rapfi `search/ab/search.cpp`.
    fn judge_table_move<R: RuleKind, N: NodeKind>(
        &mut self,
        mv: Square,
        score: Score,
        site: &Site,
        window: Window,
        ply: i32,
    ) -> Singular {
        let low = score - singular_margin() * site.depth / (PLY * 16);
        let depth = ((site.depth - PLY) / 2).max(PLY);
        self.stack[site.at].excluded = Some(mv);
        let rest = self.node::<R, Off>(depth, Window::null(low - 1), ply, site.is_cut);
        self.stack[site.at].excluded = None;
        if rest < low {
            Singular::Extend(PLY)
        } else if rest >= window.beta && !N::PV {
            Singular::Cut(rest)
        } else if score >= window.beta {
            Singular::Extend(-singular_less())
        } else {
            Singular::Extend(0)
        }
    }

    /// How much less deep a quiet move that comes late in the order is searched, in parts of a
    /// [`PLY`], before it is played.
    fn late_reduction(&self, candidate: ScoredMove, tried: usize, site: &Site) -> i32 {
        let ScoredMove { mv, score } = candidate;
        let own = self.position.side_to_move();
        let patterns = self.position.patterns();
        let mut less = reduction(site.depth, tried);
        less -= if site.is_pv { reduction_pv() } else { 0 };
        less += if site.is_cut { reduction_cut() } else { 0 };
        less += if site.is_improving { 0 } else { reduction_worse() };
        if is_far(mv, site.last) && is_far(mv, site.before_last) {
            less += reduction_far();
        }
        let behind = (site.top_score - score).min(4096);
        less += (behind - reduction_score_mid()) * reduction_score() / 4096;
        let continued = self.history.continued(own, mv, site.last, site.before_last);
        let history = self.history.get(own, mv) + continued * continuation_weight() / 64;
        less -= history * PLY / reduction_history();
        if patterns.combined(own, mv) >= Combined::OpenThree
            || patterns.combined(own.opponent(), mv) >= Combined::OpenThreePlus
        {
            less -= reduction_three();
        }
        if self.stack[site.at].killers.contains(&Some(mv)) {
            less -= reduction_killer();
        }
        if site.is_defense {
            less = less * reduction_defense() / 64;
        }
        less.max(0)
    }

    /// Lists the moves of an ordinary node.
    fn generate<R: RuleKind>(
        &mut self,
        forced_set: Option<SquareSet>,
        is_threatened: bool,
        table_move: Option<Square>,
        at: usize,
    ) -> Moves {
        let start = self.moves.len();
        let (squares, is_defense) = if let Some(set) = forced_set {
            (set, true)
        } else if is_threatened {
            let mut set = defense::against_open_four(&self.position);
            defense::each_four::<R>(&mut self.position, |square| set.insert(square));
            (set, true)
        } else {
            (self.position.board().candidates(), false)
        };
        let top_score = self.push_scored(&squares, table_move, at);
        Moves { start, is_defense, is_complete: is_defense, top_score }
    }

    /// Lists the moves far from all stones.
    ///
    /// The root never asks: it adds them to its own list.
    fn generate_far(&mut self, at: usize) {
        let board = self.position.board();
        let far = board.empty().minus(&board.candidates());
        self.push_scored(&far, None, at);
    }

    /// Lists the root's moves in the order of the last iteration.
    fn root_list(&mut self) -> Moves {
        let start = self.moves.len();
        let ranked = self.root_moves[self.first_root_move..].iter().zip(0..);
        for (root_move, rank) in ranked {
            self.moves.push(ScoredMove { mv: root_move.mv, score: -rank });
        }
        Moves { start, is_defense: false, is_complete: true, top_score: 0 }
    }

    /// Learns from a move that was good enough: the others were tried for nothing.
    fn note_cut(&mut self, mv: Square, is_quiet: bool, site: &Site, turns: &Turns) {
        let Site { depth, at, last, before_last, .. } = *site;
        let own = self.position.side_to_move();
        let plies = depth / PLY;
        let bonus = (32 * plies * plies + 64 * plies).min(history_bonus());
        for index in turns.start..turns.next {
            let tried = self.moves[index].mv;
            if tried != mv && self.position.patterns().combined(own, tried) < Combined::Four {
                self.history.update(own, tried, -bonus);
                self.history.update_continued(own, tried, last, before_last, -bonus);
            }
        }
        if is_quiet {
            self.history.update(own, mv, bonus);
            self.history.update_continued(own, mv, last, before_last, bonus);
            self.history.set_counter(own, last, mv);
            let killers = &mut self.stack[at].killers;
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
        }
    }
}
