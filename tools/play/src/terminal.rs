//! The terminal: set up, fed, and left as it was.
//!
//! Owns the loop between input, state and screen. Must not know what keys mean or how things
//! look. Start reading at [`run`].
//!
//! Input is read by a thread of its own: when the terminal is gone, reading it may never come
//! back, and the program has to end all the same.

use std::io::{self, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
    Event,
};
use ratatui::crossterm::execute;

use crate::app::App;
use crate::view::{self, Geometry, Look};

/// How often is looked whether an engine has answered.
const LOOK: Duration = Duration::from_millis(40);
/// How often the screen is drawn while something goes on.
const REDRAW: Duration = Duration::from_millis(150);

/// How the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The person left.
    Asked,
    /// A signal: the terminal was closed, or somebody ended the program.
    Stopped,
}

/// Plays until the person leaves; the terminal is as before then.
///
/// # Errors
/// When the terminal cannot be used, or is lost.
pub fn run(app: &mut App, look: Look) -> Result<Exit> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))
        .context("cannot watch for signals")?;
    give_the_mouse_back_on_panic();
    let mut terminal = ratatui::try_init().context("cannot use the terminal")?;
    let result = execute!(stdout(), EnableMouseCapture, EnableBracketedPaste)
        .and_then(|()| play(&mut terminal, app, look, &stop));
    // A terminal that is gone cannot be put right; one that is not must be, come what may.
    let _ = execute!(stdout(), DisableMouseCapture, DisableBracketedPaste);
    let _ = ratatui::try_restore();
    match result {
        Err(error) if stop.load(Ordering::Relaxed) => {
            drop(error);
            Ok(Exit::Stopped)
        }
        result => result.context("the terminal is lost"),
    }
}

/// The library puts the terminal right when the program panics, but for the mouse.
fn give_the_mouse_back_on_panic() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        // Nothing more can be done if that fails.
        let _ = execute!(stdout(), DisableMouseCapture, DisableBracketedPaste);
        hook(info);
    }));
}

fn play(
    terminal: &mut DefaultTerminal,
    app: &mut App,
    look: Look,
    stop: &AtomicBool,
) -> io::Result<Exit> {
    let input = read_input();
    let mut geometry: Option<Geometry> = None;
    let mut drawn: Option<Instant> = None;
    loop {
        let has_changed = app.tick();
        let is_due = app.is_lively() && drawn.is_none_or(|drawn| drawn.elapsed() >= REDRAW);
        if has_changed || is_due || drawn.is_none() {
            terminal.draw(|frame| geometry = view::draw(frame, app, look))?;
            drawn = Some(Instant::now());
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(Exit::Stopped);
        }
        match input.recv_timeout(LOOK) {
            Ok(first) => {
                let mut next = Some(first?);
                while let Some(event) = next {
                    take(app, &event, geometry.as_ref());
                    if app.wants_to_quit() {
                        return Ok(Exit::Asked);
                    }
                    next = match input.try_recv() {
                        Ok(event) => Some(event?),
                        Err(TryRecvError::Empty | TryRecvError::Disconnected) => None,
                    };
                }
                drawn = None;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

/// A thread that reads events until there are none.
fn read_input() -> Receiver<io::Result<Event>> {
    let (sender, input) = mpsc::sync_channel(256);
    thread::spawn(move || {
        loop {
            let event = event::read();
            let is_lost = event.is_err();
            if sender.send(event).is_err() || is_lost {
                return;
            }
        }
    });
    input
}

fn take(app: &mut App, event: &Event, geometry: Option<&Geometry>) {
    match event {
        Event::Key(key) => app.on_key(*key),
        Event::Mouse(mouse) => {
            let square = geometry.and_then(|geometry| geometry.square(mouse.column, mouse.row));
            app.on_mouse(*mouse, square);
        }
        Event::Paste(text) => app.on_paste(text),
        // The next drawing takes the new size.
        Event::Resize(..) | Event::FocusGained | Event::FocusLost => {}
    }
}
