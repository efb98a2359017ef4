//! Runs the built program in a terminal of its own, types into it and reads its screen.
//!
//! Nothing here sleeps for a fixed time: what is expected of the screen is waited for, with a
//! limit that only a hang reaches, and the screen is printed when it does.

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use tempfile::TempDir;

/// The built program.
pub(super) const PLAY: &str = env!("CARGO_BIN_EXE_play");
/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// Keys that are no letters.
pub(super) const UP: &str = "\x1b[A";
pub(super) const DOWN: &str = "\x1b[B";
pub(super) const RIGHT: &str = "\x1b[C";
pub(super) const LEFT: &str = "\x1b[D";
pub(super) const ESC: &str = "\x1b";
pub(super) const ENTER: &str = "\r";
pub(super) const PAGE_UP: &str = "\x1b[5~";
pub(super) const END: &str = "\x1b[F";

/// The screen, and a bell for whoever waits for it to change.
type Shared = Arc<(Mutex<vt100::Parser>, Condvar)>;

fn lock(screen: &Shared) -> MutexGuard<'_, vt100::Parser> {
    screen.0.lock().unwrap_or_else(PoisonError::into_inner)
}

fn side(count: u16) -> NonZero<u16> {
    NonZero::new(count).unwrap()
}

/// A running program in its terminal.
pub(super) struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    master: Option<Box<dyn MasterPty + Send>>,
    input: Option<Box<dyn Write + Send>>,
    screen: Shared,
    /// Reads the output; it, too, has the terminal open.
    reader: Option<JoinHandle<()>>,
    is_closing: Arc<AtomicBool>,
    folder: TempDir,
}

/// A stub of the program as an engine for its command line.
pub(super) fn stub(habit: &str) -> String {
    format!("cmd='{PLAY} stub {habit}' name=stub")
}

impl Terminal {
    /// Starts the program on a screen of so many columns and rows.
    pub(super) fn start(columns: u16, rows: u16, arguments: &[&str]) -> Terminal {
        Terminal::start_in(tempfile::tempdir().unwrap(), columns, rows, arguments)
    }

    /// Starts it in a folder, where also its unsaved games are kept.
    pub(super) fn start_in(
        folder: TempDir,
        columns: u16,
        rows: u16,
        arguments: &[&str],
    ) -> Terminal {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(PLAY);
        command.args(arguments);
        command.cwd(folder.path());
        for (name, value) in [("TERM", "xterm-256color"), ("LC_ALL", "C.UTF-8")] {
            command.env(name, value);
        }
        command.env("XDG_STATE_HOME", folder.path());
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let screen: Shared = Arc::new((
            Mutex::new(vt100::Parser::new(side(rows), side(columns), 0)),
            Condvar::new(),
        ));
        let mut output = pair.master.try_clone_reader().unwrap();
        let is_closing = Arc::new(AtomicBool::new(false));
        let reader = {
            let (screen, is_closing) = (Arc::clone(&screen), Arc::clone(&is_closing));
            Some(thread::spawn(move || {
                let mut buffer = [0; 4096];
                while let Ok(count @ 1..) = output.read(&mut buffer) {
                    lock(&screen).process(&buffer[..count]);
                    screen.1.notify_all();
                    if is_closing.load(Ordering::Relaxed) {
                        return;
                    }
                }
            }))
        };
        let input = Some(pair.master.take_writer().unwrap());
        Terminal { child, master: Some(pair.master), input, screen, reader, is_closing, folder }
    }

    /// Types keys.
    pub(super) fn keys(&mut self, keys: &[&str]) {
        let input = self.input.as_mut().unwrap();
        for key in keys {
            input.write_all(key.as_bytes()).unwrap();
        }
        input.flush().unwrap();
    }

    /// Waits until the text of the screen is as it should be, and gives it.
    pub(super) fn wait(&self, what: &str, is_right: impl Fn(&str) -> bool) -> String {
        self.wait_screen(what, |screen| is_right(&screen.contents()))
    }

    /// Waits until the terminal's cursor is in a row and column, counted from 0.
    pub(super) fn wait_for_cursor(&self, row: u16, column: u16) {
        let what = format!("the cursor in row {row}, column {column}");
        self.wait_screen(&what, |screen| screen.cursor_position() == (row, column));
    }

    fn wait_screen(&self, what: &str, is_right: impl Fn(&vt100::Screen) -> bool) -> String {
        let deadline = Instant::now() + PATIENCE;
        let mut parser = self.parser();
        loop {
            let contents = parser.screen().contents();
            if is_right(parser.screen()) {
                return contents;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "waited for {what}; the screen is:\n{contents}");
            (parser, _) = self.screen.1.wait_timeout(parser, left).unwrap();
        }
    }

    /// Waits until a text is on the screen.
    pub(super) fn wait_for(&self, text: &str) -> String {
        self.wait(text, |screen| screen.contains(text))
    }

    /// Waits until a text is not on the screen.
    pub(super) fn wait_without(&self, text: &str) -> String {
        self.wait(&format!("no {text}"), |screen| !screen.contains(text))
    }

    /// Presses the left button of the mouse on a place, counted from 0.
    pub(super) fn click(&mut self, column: u16, row: u16) {
        let (x, y) = (column + 1, row + 1);
        self.keys(&[&format!("\x1b[<0;{x};{y}M"), &format!("\x1b[<0;{x};{y}m")]);
    }

    /// Gives the screen another size.
    pub(super) fn resize(&self, columns: u16, rows: u16) {
        self.parser().screen_mut().set_size(side(rows), side(columns));
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        self.master.as_ref().unwrap().resize(size).unwrap();
    }

    fn parser(&self) -> MutexGuard<'_, vt100::Parser> {
        lock(&self.screen)
    }

    /// A file in the program's folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The process.
    pub(super) fn id(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Closes the terminal, as closing its window does; the program has to write something yet,
    /// as it does while a clock runs.
    pub(super) fn hang_up(&mut self) {
        self.is_closing.store(true, Ordering::Relaxed);
        self.reader.take().unwrap().join().unwrap();
        self.input = None;
        self.master = None;
    }

    /// Waits for the end of the program; gives its exit code and its folder.
    pub(super) fn end(mut self) -> (u32, TempDir) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (
                    status.exit_code(),
                    std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap()),
                );
            }
            let screen = self.parser().screen().contents();
            assert!(Instant::now() < deadline, "the program does not end; its screen:\n{screen}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Leaves by `q`.
    pub(super) fn quit(mut self) -> TempDir {
        self.keys(&["q"]);
        let (code, folder) = self.end();
        assert_eq!(code, 0);
        folder
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A test that failed leaves nothing running.
        let _ = self.child.kill();
    }
}

/// Where a folder keeps the unsaved game.
pub(super) fn kept(folder: &Path) -> PathBuf {
    folder.join("tengen").join("last.sgf")
}
