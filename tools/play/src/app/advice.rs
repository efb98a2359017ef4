//! Hints and the analysis of the game, by an engine of their own at full strength.
//!
//! Owns what that engine is asked and what came of it. Must not know how it is shown.

use manager::text;
use tengen::types::square::Square;

use super::App;
use crate::analysis::{Analysis, Verdict};
use crate::thought::Thought;
use crate::worker::{Reply, Request, Worker};

/// Milliseconds for a position of an analysis; the engine's own limit if that is less.
const ANALYSIS_MS: u64 = 500;

/// What the adviser is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Errand {
    /// A move for the position after so many stones.
    Hint(usize),
    /// The next position of the analysis.
    Analysis,
}

/// The adviser, and what it has said.
#[derive(Debug, Default)]
pub struct Advice {
    worker: Worker,
    errand: Option<Errand>,
    /// Stones on the board, and what to play then.
    hint: Option<(usize, Thought)>,
    analysis: Option<Analysis>,
}

impl Advice {
    /// Whether it thinks.
    pub fn is_busy(&self) -> bool {
        self.errand.is_some()
    }

    /// Whether it analyzes the game.
    pub fn is_analyzing(&self) -> bool {
        self.errand == Some(Errand::Analysis)
    }

    /// The last analysis, of whatever game.
    pub fn analysis(&self) -> Option<&Analysis> {
        self.analysis.as_ref()
    }

    /// The hint for the position after so many stones, or what is thought of it.
    pub(super) fn hint(&self, stones: usize) -> Option<(String, Thought)> {
        if self.errand == Some(Errand::Hint(stones)) {
            return Some(("a hint is sought".to_string(), self.worker.thought()?));
        }
        let (known, thought) = self.hint.as_ref()?;
        (*known == stones).then(|| ("hint".to_string(), thought.clone()))
    }

    /// The position is another.
    pub(super) fn forget_hint(&mut self) {
        self.hint = None;
        if matches!(self.errand, Some(Errand::Hint(_))) {
            self.stop();
        }
    }

    /// Ends what it does.
    pub(super) fn stop(&mut self) {
        self.worker.cancel();
        self.errand = None;
        self.hint = None;
    }
}

impl App {
    /// Hints and analysis, for the screen.
    pub fn advice(&self) -> &Advice {
        &self.advice
    }

    pub(super) fn ask_hint(&mut self) {
        if self.game.finish().is_some() {
            return self.warn("the game is over");
        }
        if self.thinker().is_some() {
            return self.warn("it is the engine's turn");
        }
        self.browsing = None;
        let moves = self.game.squares();
        self.advice.errand = Some(Errand::Hint(moves.len()));
        self.advice.hint = None;
        let color = self.game.side_to_move();
        let request = Request { engine: self.setup.adviser(color), game: self.setup.game(), moves };
        self.advice.worker.ask(request);
        self.say("");
    }

    pub(super) fn toggle_analysis(&mut self) {
        if self.advice.is_analyzing() {
            self.advice.stop();
            return self.say("the analysis is stopped: a goes on with it");
        }
        if self.game.moves().is_empty() {
            return self.warn("there is no move to analyze");
        }
        if self.analysis().is_none() {
            let known = self.advice.analysis.take();
            self.advice.analysis = Some(Analysis::with_known(&self.game, known.as_ref()));
        }
        self.analyze_next();
    }

    /// Asks for the next position, or says that all are done.
    fn analyze_next(&mut self) {
        let next = self.analysis().and_then(|analysis| analysis.next().map(<[Square]>::to_vec));
        let Some(moves) = next else {
            self.advice.errand = None;
            return self.say("analyzed: PgUp and PgDn look at the moves, s saves them");
        };
        let color = self.game.side_to_move();
        let mut engine = self.setup.adviser(color);
        engine.limits.turn_ms = engine.limits.turn_ms.map(|ms| ms.min(ANALYSIS_MS));
        self.advice.errand = Some(Errand::Analysis);
        self.advice.worker.ask(Request { engine, game: self.setup.game(), moves });
        let analysis = self.analysis();
        let (done, count) = analysis.map_or((0, 0), |a| (a.done(), a.count()));
        self.say(&format!("position {} of {count} is analyzed; a stops", done + 1));
    }

    /// Takes the adviser's answer; says whether there was one.
    pub(super) fn tick_advice(&mut self) -> bool {
        if self.advice.is_analyzing() && self.analysis().is_none() {
            self.advice.stop();
            self.say("the analysis ends: the game is another");
            return true;
        }
        let Some(reply) = self.advice.worker.poll() else { return false };
        let errand = self.advice.errand.take();
        let (x, y, thought) = match reply {
            Reply::Failed { reason, .. } => {
                self.warn(&reason);
                return true;
            }
            Reply::Move { x, y, thought, .. } => (x, y, thought),
        };
        let Some(square) = Square::on_board(self.game.size(), x, y) else {
            self.warn(&format!("the engine answers {x},{y}, which is off the board"));
            return true;
        };
        match errand {
            Some(Errand::Hint(stones)) if stones == self.game.moves().len() => {
                if !self.game.is_empty(square) {
                    self.warn("the engine answers a square that is taken");
                    return true;
                }
                let mut thought = thought;
                if thought.line.first() != Some(&square) {
                    thought.line = vec![square];
                }
                self.cursor = square;
                self.say(&format!("hint: {}", text::point(square)));
                self.advice.hint = Some((stones, thought));
            }
            Some(Errand::Analysis) => {
                if let Some(analysis) = &mut self.advice.analysis {
                    analysis.add(Verdict { best: square, thought });
                }
                self.analyze_next();
            }
            _ => {}
        }
        true
    }
}
