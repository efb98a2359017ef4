//! What a brain writes, split into lines as strictly as the strictest manager does.
//!
//! Owns the threads that read. Must not know what a line means.

use std::io::Read;
use std::process::{ChildStderr, ChildStdout};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

/// Something that came out of stdout.
#[derive(Debug)]
pub(super) enum Event {
    /// A line without its end, and when it came.
    Line(String, Instant),
    /// Bytes no manager should have to read.
    Bad(String),
}

/// Lets a test stop the reading.
#[derive(Clone, Default)]
pub(super) struct Gate(Arc<(Mutex<GateState>, Condvar)>);

#[derive(Default)]
struct GateState {
    held: bool,
    close_at_next_line: bool,
}

impl Gate {
    /// Stops the reading or lets it go on.
    pub(super) fn hold(&self, held: bool) {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).held = held;
        self.0.1.notify_all();
    }

    /// The pipe is closed after the next line.
    pub(super) fn close_at_next_line(&self) {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).close_at_next_line = true;
    }

    /// Waits while held, then says whether the pipe is to be closed.
    fn pass(&self) -> bool {
        let state = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        let state = self.0.1.wait_while(state, |s| s.held).unwrap_or_else(PoisonError::into_inner);
        state.close_at_next_line
    }
}

/// Reads stdout until its end.
pub(super) fn read_lines(mut stdout: ChildStdout) -> (Receiver<Event>, Gate) {
    let (sender, receiver) = mpsc::channel();
    let gate = Gate::default();
    let ours = gate.clone();
    thread::spawn(move || {
        // Larger than a pipe, so that a read never cuts what a write left whole.
        let mut chunk = vec![0; 256 << 10];
        while let Ok(size @ 1..) = stdout.read(&mut chunk) {
            let close = ours.pass();
            let at = Instant::now();
            for event in events(&chunk[..size], at) {
                if sender.send(event).is_err() {
                    return;
                }
            }
            if close {
                return;
            }
        }
    });
    (receiver, gate)
}

/// The lines of one read; qpiskvork parses each read on its own, so it must hold whole lines.
fn events(chunk: &[u8], at: Instant) -> Vec<Event> {
    let Some(whole) = chunk.strip_suffix(b"\n") else {
        return vec![Event::Bad(format!(
            "a read that does not end with a line: {:?}",
            String::from_utf8_lossy(chunk)
        ))];
    };
    whole
        .split(|&byte| byte == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .map(|line| match plain(line) {
            Some(text) => Event::Line(text, at),
            None => Event::Bad(format!("not a plain line: {:?}", String::from_utf8_lossy(line))),
        })
        .collect()
}

/// A line of printable ASCII, not empty and without blanks at its ends.
fn plain(line: &[u8]) -> Option<String> {
    let printable = line.iter().all(|byte| (b' '..=b'~').contains(byte));
    let text = String::from_utf8(line.to_vec()).ok()?;
    (printable && !text.is_empty() && text.trim() == text).then_some(text)
}

/// Gathers all of stderr.
pub(super) fn collect(mut stderr: ChildStderr) -> Arc<Mutex<Vec<u8>>> {
    let errors = Arc::new(Mutex::new(Vec::new()));
    let ours = Arc::clone(&errors);
    thread::spawn(move || {
        let mut chunk = [0; 4096];
        while let Ok(size @ 1..) = stderr.read(&mut chunk) {
            let mut errors = ours.lock().unwrap_or_else(PoisonError::into_inner);
            errors.extend_from_slice(&chunk[..size]);
        }
    });
    errors
}

#[test]
fn only_whole_plain_lines_pass() {
    let lines = |chunk: &[u8]| {
        let events = events(chunk, Instant::now());
        events.into_iter().map(|e| matches!(e, Event::Line(..))).collect::<Vec<_>>()
    };
    assert_eq!(lines(b"OK\n7,7\r\n"), [true, true]);
    assert_eq!(lines(b"OK\n\n7,7 \n"), [true, false, false]);
    assert_eq!(lines(b"7,\r7\nOK\xe9\n"), [false, false]);
    assert_eq!(lines(b"OK\n7,"), [false]);
}
