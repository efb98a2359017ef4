//! Victory by continuous threats: a win in which every move of the attacker is a four, or makes
//! an open four, a double four or a four-three its next threat.
//!
//! The search is depth-first proof-number search with a memory of its own: it goes where the
//! least is still to be shown, so a line of twenty plies with two replies each costs little
//! more than its length. It answers yes with proof, or "not found". All replies are tried: the
//! one to a four, or those that `defense` lists against the next threat together with all fours
//! of the defender. After a four of the defender the attacker answers, and goes on if the threat
//! it had still stands.
//!
//! Source: Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002; the
//! threats are those of Allis, "Go-Moku and threat-space search", 1994; the widened threshold
//! is that of Pawlewicz and Lew, "Improving depth-first PN-search: 1+epsilon trick", 2006.

use crate::base::control::{Control, NODE_BATCH};
use crate::pattern::Combined;
use crate::position::Position;
use crate::search::shortcut::{self, Outlook};
use crate::search::vcf::{Vcf, Win};
use crate::search::{RuleKind, defense};
use crate::types::color::Color;
use crate::types::direction::Direction;
use crate::types::square::{Square, SquareSet};

#[cfg(test)]
mod tests;

/// Entries of the memory; 24 bytes each, allocated at the first search.
const ENTRIES: usize = 1 << 16;
/// Longest way that is looked at, in plies, before a win by fours ends it.
const MAX_PLIES: usize = 60;
/// Nodes of the search for a win by fours at each of the attacker's nodes.
const VCF_NODES: u32 = 16;
/// More leaves than any tree has: what is settled the other way.
const NEVER: u32 = 1 << 28;

/// How far a position is from being settled, seen by the side to move.
///
/// Each number counts leaves: so many at least must still come out right for the aim to be
/// reached. The attacker's aim is a win, the defender's that there is none by threats. One of
/// them 0 means settled, the other is then [`NEVER`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Effort {
    own: u32,
    other: u32,
}

/// What the memory holds about a position.
#[derive(Clone, Copy, Debug)]
struct Slot {
    key: u64,
    effort: Effort,
    /// For a win, the plies to the five at most.
    plies: i16,
    /// The move that wins, if the attacker is to move.
    mv: Option<Square>,
}

const _: () = assert!(size_of::<Slot>() == 24);

/// A move of a node, with the key of the position after it.
#[derive(Clone, Copy, Debug)]
struct Step {
    mv: Square,
    key: u64,
    /// How many replies there are, if it has not been looked at: a guess.
    guess: u32,
}

/// What the moves of a node come to.
#[derive(Clone, Copy, Debug)]
struct Sums {
    /// For the memory; the key is left out.
    slot: Slot,
    /// What is known after the most promising move.
    best: Effort,
    best_move: Square,
    /// `other` after the next best move.
    second: u32,
}

/// What is plain without trying a move.
#[derive(Clone, Copy, Debug)]
enum Verdict {
    /// The attacker wins in so many plies at most, with this move if it is its turn.
    Won(i32, Option<Square>),
    /// It does not win by threats.
    NotWon,
}

impl Verdict {
    fn slot(self, key: u64, is_attack: bool) -> Slot {
        let (is_won, plies, mv) = match self {
            Verdict::Won(plies, mv) => (true, i16::try_from(plies).unwrap_or(i16::MAX), mv),
            Verdict::NotWon => (false, 0, None),
        };
        let effort = if is_won == is_attack {
            Effort { own: 0, other: NEVER }
        } else {
            Effort { own: NEVER, other: 0 }
        };
        Slot { key, effort, plies, mv }
    }
}

/// The threat search with its memory.
#[derive(Clone, Debug)]
pub(super) struct Vct {
    slots: Vec<Slot>,
    /// Whose wins the memory speaks of.
    attacker: Color,
    /// Squares played on, over all searches, those of the searches by fours included.
    pub(super) nodes: u64,
    /// Nodes at which the present search gives up.
    give_up_at: u64,
    gave_up: bool,
    /// Nodes at which the clock is looked at again.
    look_at: u64,
    /// The moves of the nodes on the way down, one after the other.
    steps: Vec<Step>,
}

/// What a search by threats came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The attacker wins.
    Win(Win),
    /// There is no such win, among the threats and lengths that are looked at.
    Nothing,
    /// Not found yet; a further search goes on from here.
    Open,
}

impl Vct {
    pub(super) fn new() -> Vct {
        Vct {
            slots: Vec::new(),
            attacker: Color::Black,
            nodes: 0,
            give_up_at: 0,
            gave_up: false,
            look_at: 0,
            steps: Vec::new(),
        }
    }

    /// Looks for a win by threats of the side to move within a number of nodes, or until the
    /// control stops it. What earlier searches found out is remembered.
    pub(super) fn solve<R: RuleKind>(
        &mut self,
        position: &mut Position,
        vcf: &mut Vcf,
        budget: u32,
        control: &Control,
    ) -> Found {
        if self.slots.is_empty() || self.attacker != position.side_to_move() {
            let effort = Effort { own: 1, other: 1 };
            self.slots = vec![Slot { key: 0, effort, plies: 0, mv: None }; ENTRIES];
            self.attacker = position.side_to_move();
        }
        self.give_up_at = self.nodes + u64::from(budget);
        self.gave_up = false;
        self.steps.clear();
        let limits = Effort { own: NEVER, other: NEVER };
        let slot = self.visit::<R>(position, vcf, control, limits, 0);
        match (slot.effort.own, slot.effort.other, slot.mv) {
            (0, _, Some(mv)) => Found::Win(Win { plies: i32::from(slot.plies), mv }),
            (_, 0, _) => Found::Nothing,
            _ => Found::Open,
        }
    }

    /// The line of a win from a position, as far as the memories have it: each time the reply
    /// that holds out longest.
    pub(super) fn line<R: RuleKind>(
        &mut self,
        position: &Position,
        vcf: &Vcf,
        first: Win,
    ) -> Vec<Square> {
        let mut position = position.clone();
        let mut line = Vec::new();
        let mut next = Some(first.mv);
        while let Some(mv) = next {
            if let Some(win) = vcf.known_win(&position) {
                line.extend(vcf.line::<R>(&position, win));
                break;
            }
            line.push(mv);
            position.play(mv);
            self.steps.clear();
            if self.list_replies::<R>(&mut position).is_some() {
                break;
            }
            let known = |step: &Step| Some((self.recall(step.key)?.plies, step.mv));
            let replies = self.steps.iter().filter_map(known);
            let Some((_, reply)) = replies.max_by_key(|&(plies, _)| plies) else { break };
            line.push(reply);
            position.play(reply);
            next = self.recall(position.key()).and_then(|slot| slot.mv);
        }
        line
    }

    fn slot_of(key: u64) -> usize {
        usize::try_from(key >> 20).unwrap_or(0) % ENTRIES
    }

    fn recall(&self, key: u64) -> Option<Slot> {
        let slot = self.slots[Self::slot_of(key)];
        (slot.key == key).then_some(slot)
    }

    fn remember(&mut self, slot: Slot) -> Slot {
        self.slots[Self::slot_of(slot.key)] = slot;
        slot
    }

    /// Whether the search must come back with what it has.
    fn is_over(&mut self, control: &Control) -> bool {
        // The nodes are counted by whoever asked; here only the clock is looked at.
        let is_stopped = self.nodes >= self.look_at && {
            self.look_at = self.nodes + NODE_BATCH / 2;
            control.count(0)
        };
        self.gave_up |= is_stopped || self.nodes >= self.give_up_at;
        self.gave_up
    }

    /// Works on a position until it is settled or one of its numbers reaches its limit.
    fn visit<R: RuleKind>(
        &mut self,
        position: &mut Position,
        vcf: &mut Vcf,
        control: &Control,
        limits: Effort,
        ply: usize,
    ) -> Slot {
        let key = position.key();
        let is_attack = position.side_to_move() == self.attacker;
        let first = self.steps.len();
        let verdict = if ply >= MAX_PLIES {
            // Beyond this length nothing is looked for, so nothing is found.
            Some(Verdict::NotWon)
        } else if is_attack {
            self.list_threats::<R>(position, vcf, control)
        } else {
            self.list_replies::<R>(position)
        };
        if let Some(verdict) = verdict {
            return self.remember(verdict.slot(key, is_attack));
        }
        loop {
            let sums = self.sum_up(first, is_attack);
            let Effort { own, other } = sums.slot.effort;
            if own >= limits.own || other >= limits.other || self.is_over(control) {
                self.steps.truncate(first);
                return self.remember(Slot { key, ..sums.slot });
            }
            let child = Effort {
                own: limits.other - (other - sums.best.own),
                other: limits.own.min(sums.second + sums.second / 4 + 1),
            };
            self.nodes += 1;
            position.play(sums.best_move);
            self.visit::<R>(position, vcf, control, child, ply + 1);
            position.undo();
        }
    }

    /// What the moves of a node, those from `first` on, come to together.
    fn sum_up(&self, first: usize, is_attack: bool) -> Sums {
        let mut best = Effort { own: NEVER, other: NEVER };
        let mut second = NEVER;
        let mut best_move = self.steps[first].mv;
        let mut other = 0;
        let mut winning: Option<(i16, Square)> = None;
        let mut longest = 0;
        for step in &self.steps[first..] {
            let known = self.recall(step.key);
            let after = known.map_or(Effort { own: 1, other: step.guess }, |slot| slot.effort);
            let plies = known.map_or(0, |slot| slot.plies) + 1;
            if after.other == 0 && winning.is_none_or(|(shortest, _)| plies < shortest) {
                winning = Some((plies, step.mv));
            }
            longest = longest.max(plies);
            // The numbers of replies that lead to the same place are added all the same.
            other = (other + after.own).min(NEVER - 1);
            if after.other < best.other {
                second = best.other;
                best = after;
                best_move = step.mv;
            } else {
                second = second.min(after.other);
            }
        }
        if best.other == 0 {
            other = NEVER;
        }
        let effort = Effort { own: if other == 0 { NEVER } else { best.other }, other };
        let (plies, mv) = match (is_attack, winning) {
            (true, Some((plies, mv))) => (plies, Some(mv)),
            (false, _) if other == 0 => (longest, None),
            _ => (0, None),
        };
        Sums { slot: Slot { key: 0, effort, plies, mv }, best, best_move, second }
    }

    /// Lists the moves of the attacker, unless the position is settled.
    fn list_threats<R: RuleKind>(
        &mut self,
        position: &mut Position,
        vcf: &mut Vcf,
        control: &Control,
    ) -> Option<Verdict> {
        let own = position.side_to_move();
        let mut threats = SquareSet::EMPTY;
        match shortcut::look::<R>(position) {
            Outlook::Won(plies, mv) => return Some(Verdict::Won(plies, Some(mv))),
            Outlook::Lost(_) => return Some(Verdict::NotWon),
            // Whether a threat is left after the reply is seen at the next node.
            Outlook::Forced(mv) => threats.insert(mv),
            Outlook::ForcedSet(set) => threats = set,
            Outlook::Open => {
                if defense::has_four::<R>(position, own) {
                    let before = vcf.nodes;
                    let win = vcf.solve::<R>(position, VCF_NODES, control);
                    self.nodes += vcf.nodes - before;
                    if let Some(win) = win {
                        return Some(Verdict::Won(win.plies, Some(win.mv)));
                    }
                }
                defense::each_four::<R>(position, |square| threats.insert(square));
                add_threes::<R>(position, &mut threats);
            }
        }
        let first = self.steps.len();
        let board = position.board();
        for mv in &threats {
            let is_four = position.patterns().combined(own, mv) >= Combined::Four;
            let guess = if is_four { 1 } else { 2 };
            self.steps.push(Step { mv, key: board.key_after(mv), guess });
        }
        self.steps[first..].sort_by_key(|step| std::cmp::Reverse(position.move_score(step.mv)));
        if threats.is_empty() { Some(Verdict::NotWon) } else { None }
    }

    /// Lists all replies of the defender that do not lose at sight, unless the position is
    /// settled.
    fn list_replies<R: RuleKind>(&mut self, position: &mut Position) -> Option<Verdict> {
        let mut replies = SquareSet::EMPTY;
        let mut in_plies = 4;
        match shortcut::look::<R>(position) {
            Outlook::Won(..) => return Some(Verdict::NotWon),
            Outlook::Lost(plies) => return Some(Verdict::Won(plies, None)),
            Outlook::Forced(mv) => replies.insert(mv),
            Outlook::ForcedSet(set) => replies = set,
            Outlook::Open if defense::is_threatened(position) => {
                replies = defense::against_open_four(position);
                defense::each_four::<R>(position, |square| replies.insert(square));
            }
            Outlook::Open => {
                let is_proof = four_threes_win::<R>(self.attacker);
                let set = is_proof.then(|| defense::against_four_three(position)).flatten();
                let Some(set) = set else { return Some(Verdict::NotWon) };
                replies = set;
                defense::each_four::<R>(position, |square| replies.insert(square));
                in_plies = 6;
            }
        }
        let first = self.steps.len();
        for mv in &replies {
            if !(R::FOULS && position.is_forbidden(mv)) {
                let key = position.board().key_after(mv);
                self.steps.push(Step { mv, key, guess: 1 });
            }
        }
        if self.steps.len() == first { Some(Verdict::Won(in_plies, None)) } else { None }
    }
}

/// Whether a four-three whose four cannot be answered by a four is a threat to be met.
fn four_threes_win<R: RuleKind>(attacker: Color) -> bool {
    !(R::CARO || R::FOULS && attacker == Color::Black)
}

/// Adds the squares of an attacker without a five to stop, who by playing there would have an
/// open four, a double four or a four-three next: open threes, and squares in line with another
/// that is a four or an open three already and becomes more.
fn add_threes<R: RuleKind>(position: &mut Position, threats: &mut SquareSet) {
    let own = position.side_to_move();
    let has_fouls = R::FOULS && own == Color::Black;
    let with_four_threes = four_threes_win::<R>(own);
    let least = if with_four_threes { Combined::FourThree } else { Combined::DoubleFour };
    for square in &position.board().candidates() {
        let combined = position.patterns().combined(own, square);
        let is_three = combined >= Combined::OpenThree && combined <= Combined::DoubleThree
            // What looks like a foul and is none may be a three; if not, that is seen next.
            || has_fouls && combined == Combined::Forbidden && !position.is_forbidden(square);
        if is_three {
            threats.insert(square);
        }
        let can_become_more = combined >= Combined::Four
            || with_four_threes
                && matches!(combined, Combined::OpenThree | Combined::OpenThreePlus);
        if can_become_more {
            add_aligned(position, square, least, threats);
        }
    }
}

/// Adds the squares where a stone would make at least this of another square in line.
fn add_aligned(position: &Position, base: Square, least: Combined, threats: &mut SquareSet) {
    let own = position.side_to_move();
    let patterns = position.patterns();
    let half = patterns.half().cast_signed();
    for direction in Direction::ALL {
        for steps in (-half..=half).filter(|&steps| steps != 0) {
            let square = base.offset(direction.delta(), steps);
            if !position.is_empty(square) || patterns.combined(own, square) == Combined::Forbidden {
                continue;
            }
            let pair = patterns.line_with(position.board(), base, direction, steps, own);
            let made = patterns.combined_with(own, base, direction, pair);
            if made >= least && made <= Combined::OpenFour {
                threats.insert(square);
            }
        }
    }
}
