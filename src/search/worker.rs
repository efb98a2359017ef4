//! One thread's search: its copy of the position and all that it need not share.

use crate::base::busy::Busy;
use crate::base::control::{Control, NODE_BATCH};
use crate::base::tt::Table;
use crate::position::Position;
use crate::search::correction::Corrections;
use crate::search::history::History;
use crate::search::picker::ScoredMove;
use crate::search::pv::PvTable;
use crate::search::root::RootMove;
use crate::search::stack::{Frame, new_stack};
use crate::search::stats::{Stat, count};
use crate::search::vcf::{Vcf, Win};
use crate::search::vct::Vct;
use crate::search::{RootEvent, RuleKind, SearchHandler};
use crate::types::square::Square;

/// The state of a search thread.
pub(super) struct Worker<'a> {
    pub(super) position: Position,
    pub(super) table: &'a Table,
    pub(super) control: &'a Control,
    /// What each thread is at; none where there is only one.
    pub(super) busy: Option<&'a Busy>,
    /// Who hears of the search; the main thread's only.
    pub(super) handler: Option<&'a mut dyn SearchHandler>,
    pub(super) history: History,
    pub(super) corrections: Corrections,
    pub(super) stack: Vec<Frame>,
    pub(super) pv: PvTable,
    pub(super) vcf: Vcf,
    pub(super) vct: Vct,
    /// The search by threats has come to an end at the root.
    pub(super) has_no_threats: bool,
    /// The moves of all nodes on the way down, see `picker`.
    pub(super) moves: Vec<ScoredMove>,
    /// The moves that nodes on the way down have put off, with their numbers, see `turns`.
    pub(super) put_off: Vec<(ScoredMove, usize)>,
    pub(super) root_moves: Vec<RootMove>,
    /// The first root move that counts: those before it are lines already found.
    pub(super) first_root_move: usize,
    /// Squares the task leaves out at the root.
    pub(super) excluded: Vec<Square>,
    /// The squares far from all stones are among the root moves.
    pub(super) has_far_moves: bool,
    /// Deepest ply since the root was last begun.
    pub(super) selective_depth: i32,
    /// Nodes not yet reported to the control.
    uncounted: u64,
    /// The search must end: what is returned from now on means nothing.
    pub(super) stopped: bool,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        position: Position,
        table: &'a Table,
        control: &'a Control,
        busy: Option<&'a Busy>,
        handler: Option<&'a mut dyn SearchHandler>,
        root_moves: Vec<RootMove>,
    ) -> Worker<'a> {
        Worker {
            position,
            table,
            control,
            busy,
            handler,
            history: History::new(),
            corrections: Corrections::new(),
            stack: new_stack(),
            pv: PvTable::new(),
            vcf: Vcf::new(),
            vct: Vct::new(),
            has_no_threats: false,
            moves: Vec::with_capacity(4096),
            put_off: Vec::new(),
            root_moves,
            first_root_move: 0,
            excluded: Vec::new(),
            has_far_moves: false,
            selective_depth: 0,
            uncounted: 0,
            stopped: false,
        }
    }

    /// Counts nodes; true when the search must end.
    #[inline]
    pub(super) fn count(&mut self, nodes: u64) -> bool {
        self.uncounted += nodes;
        if self.uncounted >= NODE_BATCH {
            self.flush();
        }
        self.stopped
    }

    /// Reports the nodes counted so far.
    pub(super) fn flush(&mut self) {
        let nodes = std::mem::take(&mut self.uncounted);
        if self.control.count(nodes) {
            self.stopped = true;
        }
    }

    /// Looks for a win by fours of the side to move.
    pub(super) fn win_by_fours<R: RuleKind>(&mut self, budget: i32, is_local: bool) -> Option<Win> {
        let before = self.vcf.nodes;
        count(Stat::ThreatSearch);
        let budget = budget.unsigned_abs();
        let win = if is_local {
            self.vcf.solve_near::<R>(&mut self.position, budget, self.control)
        } else {
            self.vcf.solve::<R>(&mut self.position, budget, self.control)
        };
        self.count(self.vcf.nodes - before);
        if win.is_some() {
            count(Stat::ThreatWin);
        }
        win
    }

    /// Tells the handler about a root move.
    pub(super) fn tell(&mut self, event: RootEvent) {
        if let Some(handler) = &mut self.handler {
            handler.root(event);
        }
    }
}
