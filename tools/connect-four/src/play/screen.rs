//! A game on a board with keys and mouse.
//!
//! Owns the terminal and the loop; `app` has the state and what a key means, `view` what is
//! drawn. Thinking happens in a thread of its own, so that a key is always heard.

mod app;
mod view;

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture, Event};
use ratatui::crossterm::execute;
use tengen::base::control::{Control, Deadline};
use tengen::base::score::Score;

use self::app::{App, Want};
use super::Setup;
use crate::level::Player;
use crate::position::{Position, Side};
use crate::solver::Solver;

/// How long a key is waited for before the thinking thread is looked at.
const TICK: Duration = Duration::from_millis(40);

/// Shows the board and plays until the user leaves.
///
/// # Errors
/// When the terminal cannot be used; it is left as it was found.
pub fn run(setup: &Setup) -> io::Result<()> {
    let mut terminal = ratatui::try_init()?;
    let result = execute!(io::stdout(), EnableMouseCapture).and_then(|()| {
        let played = play(setup, &mut terminal);
        execute!(io::stdout(), DisableMouseCapture).and(played)
    });
    ratatui::restore();
    result
}

fn play(setup: &Setup, terminal: &mut DefaultTerminal) -> io::Result<()> {
    let mut app = App::new(setup.clone());
    let mut desk = Desk::new(setup);
    loop {
        terminal.draw(|frame| view::draw(&mut app, frame))?;
        if event::poll(TICK)? {
            // All that has come in is taken before anything is drawn: a mouse moves a lot.
            loop {
                match event::read()? {
                    Event::Key(key) => app.key(key),
                    Event::Mouse(mouse) => app.mouse(mouse),
                    // Other events, such as another size, need a new drawing only.
                    _ => {}
                }
                if app.is_over() || !event::poll(Duration::ZERO)? {
                    break;
                }
            }
        }
        if app.is_over() {
            desk.stop();
            return Ok(());
        }
        desk.serve(&mut app);
    }
}

/// What a thread thinks about.
enum Job {
    /// A player chooses its move.
    Move { side: Side, thread: JoinHandle<(Player, Option<usize>)> },
    /// The adviser solves one column.
    Score { column: usize, thread: JoinHandle<(Solver, Option<Score>)> },
}

/// Players, the adviser, and the one thread that works for them.
struct Desk {
    setup: Setup,
    players: [Option<Player>; 2],
    adviser: Option<Solver>,
    job: Option<(Position, Job)>,
    control: Arc<Control>,
}

fn unlimited() -> Arc<Control> {
    Arc::new(Control::new(Deadline::unlimited(Instant::now()), None))
}

const fn index(side: Side) -> usize {
    match side {
        Side::First => 0,
        Side::Second => 1,
    }
}

impl Desk {
    fn new(setup: &Setup) -> Desk {
        Desk {
            setup: setup.clone(),
            players: [setup.player(Side::First), setup.player(Side::Second)],
            adviser: None,
            job: None,
            control: unlimited(),
        }
    }

    /// Ends what is thought about and waits for it.
    fn stop(&mut self) {
        self.control.stop();
        self.collect();
    }

    /// Takes what a thread found out, waiting for it, and gives players back their place.
    fn collect(&mut self) -> Option<Found> {
        let (position, job) = self.job.take()?;
        match job {
            Job::Move { side, thread } => {
                // A player who fell over is replaced by a new one.
                let joined = thread.join().ok();
                let (player, column) =
                    joined.map_or((None, None), |(player, column)| (Some(player), column));
                self.players[index(side)] = player.or_else(|| self.setup.player(side));
                column.map(|column| Found::Move(position, column))
            }
            Job::Score { column, thread } => {
                let (solver, score) = thread.join().ok()?;
                self.adviser = Some(solver);
                score.map(|score| Found::Score(position, column, score))
            }
        }
    }

    /// Gives the app what was found out, and begins what it wants.
    fn serve(&mut self, app: &mut App) {
        let position = *app.game().position();
        if let Some((of, job)) = &self.job {
            let is_done = match job {
                Job::Move { thread, .. } => thread.is_finished(),
                Job::Score { thread, .. } => thread.is_finished(),
            };
            if *of != position || app.want().is_none() {
                self.control.stop();
            }
            if !is_done {
                return;
            }
            match self.collect() {
                Some(Found::Move(of, column)) if of == position => app.play(column),
                Some(Found::Score(of, column, score)) => app.learn(&of, column, score),
                _ => {}
            }
            return;
        }
        let Some(want) = app.want() else { return };
        self.control = unlimited();
        let control = Arc::clone(&self.control);
        let job = match want {
            Want::Move(side) => {
                let player = self.players[index(side)].take().or_else(|| self.setup.player(side));
                let Some(mut player) = player else { return };
                let thread = thread::spawn(move || {
                    let column = player.choose(&position, &control);
                    (player, column)
                });
                Job::Move { side, thread }
            }
            Want::Score(column) => {
                let mut solver = self.adviser.take().unwrap_or_else(|| self.setup.solver());
                let thread = thread::spawn(move || {
                    let score = solver.score_of_move(&position, column, &control);
                    (solver, score)
                });
                Job::Score { column, thread }
            }
        };
        self.job = Some((position, job));
    }
}

/// What a thread found out about a position.
enum Found {
    Move(Position, usize),
    Score(Position, usize, Score),
}
