//! Victory by continuous fours: a win in which every move of the attacker is a four.
//!
//! Each four has one reply (in caro at most a few, all of which must lose), so the search is
//! deep and thin. It answers yes with proof, no with proof, or "not within the budget". It has
//! a memory of its own, keyed by position: what the budget left open is not taken for a no.

use crate::base::control::{Control, NODE_BATCH};
use crate::pattern::Combined;
use crate::position::Position;
use crate::search::shortcut::{self, Outlook};
use crate::search::{RuleKind, defense};
use crate::types::square::Square;

/// Entries of the memory; 16 bytes each.
const ENTRIES: usize = 1 << 15;
/// Longest win that is looked for, in plies.
const MAX_PLIES: i32 = 120;

/// A win by fours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Win {
    /// Plies to the five; a shorter way may exist.
    pub(super) plies: i32,
    /// The first move.
    pub(super) mv: Square,
}

/// What the memory holds about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Nothing,
    /// The attacker wins.
    Win(Win),
    /// No win by fours exists.
    No,
    /// None was found within this many nodes.
    OpenAfter(u32),
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    key: u64,
    known: Known,
}

/// The threat search with its memory.
#[derive(Clone, Debug)]
pub(super) struct Vcf {
    slots: Vec<Slot>,
    /// Squares played on, over all searches.
    pub(super) nodes: u64,
    /// Nodes at which the present search gives up.
    give_up_at: u64,
    gave_up: bool,
    /// Nodes at which the clock is looked at again.
    look_at: u64,
    /// Fours found at the plies of the present search, one after the other.
    fours: Vec<Square>,
    /// The present search follows one attack: each four lies near the one before.
    is_local: bool,
}

/// Whether a four belongs to the attack that a stone has begun: within two squares, or within
/// four along a line.
fn is_near(mv: Square, stone: Square) -> bool {
    let (dx, dy) = (mv.x().abs_diff(stone.x()), mv.y().abs_diff(stone.y()));
    dx.max(dy) <= 2 || dx.max(dy) <= 4 && (dx == 0 || dy == 0 || dx == dy)
}

impl Vcf {
    pub(super) fn new() -> Vcf {
        Vcf {
            slots: vec![Slot { key: 0, known: Known::Nothing }; ENTRIES],
            nodes: 0,
            give_up_at: 0,
            gave_up: false,
            look_at: 0,
            fours: Vec::with_capacity(256),
            is_local: false,
        }
    }

    /// Looks for a win by fours of the side to move near its last stone, the same way.
    pub(super) fn solve_near<R: RuleKind>(
        &mut self,
        position: &mut Position,
        budget: u32,
        control: &Control,
    ) -> Option<Win> {
        self.is_local = true;
        let win = self.solve::<R>(position, budget, control);
        self.is_local = false;
        win
    }

    /// Looks for a win by fours of the side to move within a number of nodes, or until the
    /// control stops it.
    pub(super) fn solve<R: RuleKind>(
        &mut self,
        position: &mut Position,
        budget: u32,
        control: &Control,
    ) -> Option<Win> {
        match self.recall_for(position) {
            Known::Win(win) => return Some(win),
            Known::No => return None,
            Known::OpenAfter(nodes) if nodes >= budget => return None,
            _ => {}
        }
        self.give_up_at = self.nodes + u64::from(budget);
        self.gave_up = false;
        self.fours.clear();
        let win = self.attack::<R>(position, MAX_PLIES, control);
        if win.is_none() && self.gave_up {
            self.remember(self.key_of_failure(position), Known::OpenAfter(budget));
        }
        win
    }

    /// The line of a win from a position, as far as the memory has it.
    pub(super) fn line<R: RuleKind>(&self, position: &Position, first: Win) -> Vec<Square> {
        let mut position = position.clone();
        let mut line = Vec::new();
        let mut next = Some(first.mv);
        while let Some(mv) = next {
            line.push(mv);
            position.play(mv);
            let reply = match shortcut::look::<R>(&mut position) {
                Outlook::Forced(reply) => reply,
                Outlook::ForcedSet(replies) => match replies.first() {
                    Some(reply) => reply,
                    None => break,
                },
                _ => break,
            };
            line.push(reply);
            position.play(reply);
            next = match shortcut::look::<R>(&mut position) {
                Outlook::Won(_, mv) => Some(mv),
                _ => match self.recall(position.key()) {
                    Known::Win(win) => Some(win.mv),
                    _ => None,
                },
            };
        }
        line
    }

    /// The win of the side to move that an earlier search found.
    pub(super) fn known_win(&self, position: &Position) -> Option<Win> {
        match self.recall(position.key()) {
            Known::Win(win) => Some(win),
            _ => None,
        }
    }

    #[inline]
    fn slot(key: u64) -> usize {
        usize::try_from(key >> 20).unwrap_or(0) % ENTRIES
    }

    fn recall(&self, key: u64) -> Known {
        let slot = &self.slots[Self::slot(key)];
        if slot.key == key { slot.known } else { Known::Nothing }
    }

    /// What is known for the present search: what a local one did not find may still be there.
    fn recall_for(&self, position: &Position) -> Known {
        match self.recall(position.key()) {
            Known::Nothing | Known::OpenAfter(_) if self.is_local => {
                self.recall(self.key_of_failure(position))
            }
            known => known,
        }
    }

    /// The key under which it is noted that nothing was found.
    fn key_of_failure(&self, position: &Position) -> u64 {
        let stone = position.board().move_before(1).map_or(0, |stone| stone.index() as u64 + 1);
        let salt = if self.is_local { stone.wrapping_mul(0x9e37_79b9_7f4a_7c15) } else { 0 };
        position.key() ^ salt
    }

    fn remember(&mut self, key: u64, known: Known) {
        self.slots[Self::slot(key)] = Slot { key, known };
    }

    /// The attacker to move.
    fn attack<R: RuleKind>(
        &mut self,
        position: &mut Position,
        plies: i32,
        control: &Control,
    ) -> Option<Win> {
        let forced = match shortcut::look::<R>(position) {
            Outlook::Won(plies, mv) => return Some(Win { plies, mv }),
            Outlook::Lost(_) => return None,
            Outlook::Forced(square) => Some(square),
            Outlook::ForcedSet(_) | Outlook::Open => None,
        };
        match self.recall_for(position) {
            Known::Win(win) => return Some(win),
            Known::No => return None,
            Known::Nothing | Known::OpenAfter(_) => {}
        }
        if plies <= 0 {
            self.gave_up = true;
            return None;
        }

        let first = self.fours.len();
        let fours = &mut self.fours;
        defense::each_four::<R>(position, |square| fours.push(square));
        if let Some(reply) = forced {
            // Only a reply that is a four itself keeps the initiative.
            let is_four = self.fours[first..].contains(&reply);
            self.fours.truncate(first);
            if is_four {
                self.fours.push(reply);
            }
        } else if position.patterns().count(position.side_to_move().opponent(), Combined::Five) > 0
        {
            // In caro a five can be stopped from beside it as well.
            let replies = defense::against_five(position);
            let mut kept = first;
            for at in first..self.fours.len() {
                if replies.contains(self.fours[at]) {
                    self.fours[kept] = self.fours[at];
                    kept += 1;
                }
            }
            self.fours.truncate(kept);
        }

        if self.is_local
            && forced.is_none()
            && let Some(last) = position.board().move_before(1)
        {
            let mut kept = first;
            for at in first..self.fours.len() {
                if is_near(self.fours[at], last) {
                    self.fours[kept] = self.fours[at];
                    kept += 1;
                }
            }
            self.fours.truncate(kept);
        }

        let mut at = first;
        let mut found = None;
        while at < self.fours.len() {
            let mv = self.fours[at];
            at += 1;
            // The nodes are counted by whoever asked; here only the clock is looked at.
            let is_over = self.nodes >= self.look_at && {
                self.look_at = self.nodes + NODE_BATCH / 2;
                control.count(0)
            };
            if self.nodes >= self.give_up_at || is_over {
                self.gave_up = true;
                break;
            }
            self.nodes += 1;
            position.play(mv);
            let lost_in = self.defend::<R>(position, plies - 2, control);
            position.undo();
            if let Some(lost_in) = lost_in {
                found = Some(Win { plies: lost_in + 1, mv });
                break;
            }
        }
        self.fours.truncate(first);
        match found {
            Some(win) => self.remember(position.key(), Known::Win(win)),
            None if !self.gave_up => self.remember(self.key_of_failure(position), Known::No),
            None => {}
        }
        found
    }

    /// The defender to move, after a four; in how many plies it loses, if it does.
    fn defend<R: RuleKind>(
        &mut self,
        position: &mut Position,
        plies: i32,
        control: &Control,
    ) -> Option<i32> {
        match shortcut::look::<R>(position) {
            Outlook::Lost(plies) => Some(plies),
            Outlook::Forced(reply) => self.reply::<R>(position, reply, plies, control),
            Outlook::ForcedSet(replies) => {
                let mut longest = 0;
                for reply in &replies {
                    longest = longest.max(self.reply::<R>(position, reply, plies, control)?);
                }
                Some(longest)
            }
            // A four whose five is stopped already, in caro.
            Outlook::Won(..) | Outlook::Open => None,
        }
    }

    fn reply<R: RuleKind>(
        &mut self,
        position: &mut Position,
        mv: Square,
        plies: i32,
        control: &Control,
    ) -> Option<i32> {
        self.nodes += 1;
        position.play(mv);
        let win = self.attack::<R>(position, plies, control);
        position.undo();
        win.map(|win| win.plies + 1)
    }
}
