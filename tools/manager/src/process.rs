//! A child process that speaks in lines.
//!
//! Owns spawning, lines with the moment of their arrival, reads with a deadline, suspending,
//! memory and killing. Must not know what a line means. Start reading at [`Process::spawn`].
//!
//! A thread of its own reads what the child writes and stamps it, so a clock that is read from
//! the stamps does not depend on when the runner gets round to looking.

use std::collections::VecDeque;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(test)]
#[cfg(unix)]
mod tests;

/// Lines of talk that are kept for the report of an abnormal end.
const KEPT_LINES: usize = 40;
/// Bytes of a line that are kept; the rest of a longer one is dropped.
const LINE_BYTES: usize = 64 * 1024;
/// Lines that may wait unread; a child that writes more is slowed down by its full pipe.
const WAITING_LINES: usize = 4096;
/// How long a child may take to read a long text.
const LONG_WRITE: Duration = Duration::from_secs(3);
/// Bytes a pipe takes for certain without its reader.
const PIPE_BYTES: usize = 4096;

/// A line the child wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Without its line end; what is not UTF-8 is replaced.
    pub text: String,
    /// When it was read.
    pub at: Instant,
    /// Whether the read that brought its end held whole lines only.
    pub whole: bool,
}

/// Why no line came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoLine {
    /// The deadline passed.
    TimedOut,
    /// The child closed its output.
    Closed,
}

/// The latest lines sent (`>`), received (`<`) and written to stderr (`!`).
#[derive(Debug, Default)]
struct Talk {
    lines: VecDeque<String>,
    stderr_bytes: usize,
}

impl Talk {
    fn push(&mut self, mark: char, text: &str) {
        if self.lines.len() == KEPT_LINES {
            self.lines.pop_front();
        }
        let end = text.char_indices().nth(200).map_or(text.len(), |(index, _)| index);
        self.lines.push_back(format!("{mark} {}", &text[..end]));
    }
}

fn lock(talk: &Mutex<Talk>) -> MutexGuard<'_, Talk> {
    talk.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running child, killed with its whole group when dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    /// Only where nobody reads it, see [`Process::spawn_unread`]; then no line ever comes.
    unread: Option<(ChildStdout, SyncSender<Line>)>,
    lines: Receiver<Line>,
    talk: Arc<Mutex<Talk>>,
    status: Option<ExitStatus>,
    suspended: bool,
}

impl Process {
    /// Starts a program in a folder, or in the runner's own.
    ///
    /// # Errors
    /// When the program cannot be started, or `command` is empty.
    pub fn spawn(command: &[String], folder: Option<&Path>) -> io::Result<Process> {
        Process::start(command, folder, true)
    }

    /// Starts a program whose output nobody reads, so that [`Process::close_output`] can close it.
    ///
    /// # Errors
    /// See [`Process::spawn`].
    pub fn spawn_unread(command: &[String], folder: Option<&Path>) -> io::Result<Process> {
        Process::start(command, folder, false)
    }

    fn start(command: &[String], folder: Option<&Path>, read: bool) -> io::Result<Process> {
        let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut builder = Command::new(located(program, folder)?);
        builder.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = folder {
            builder.current_dir(folder);
        }
        #[cfg(unix)]
        {
            // A group of its own: Ctrl-C reaches the runner alone, and a kill reaches helpers too.
            std::os::unix::process::CommandExt::process_group(&mut builder, 0);
        }
        let mut child = builder.spawn()?;
        let talk = Arc::new(Mutex::new(Talk::default()));
        let (sender, lines) = mpsc::sync_channel(WAITING_LINES);
        let mut unread = None;
        if let Some(stdout) = child.stdout.take() {
            if read {
                let talk = Arc::clone(&talk);
                thread::spawn(move || read_lines(stdout, &sender, &talk));
            } else {
                unread = Some((stdout, sender));
            }
        }
        if let Some(stderr) = child.stderr.take() {
            let talk = Arc::clone(&talk);
            thread::spawn(move || read_stderr(stderr, &talk));
        }
        let stdin = child.stdin.take();
        Ok(Process { child, stdin, unread, lines, talk, status: None, suspended: false })
    }

    /// Writes bytes as one piece.
    ///
    /// A text longer than a pipe surely takes is written by a helper thread, so that a child that
    /// does not read cannot block the runner.
    ///
    /// # Errors
    /// When the child's input is closed, or a long text was not taken within three seconds.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        {
            let mut talk = lock(&self.talk);
            for line in String::from_utf8_lossy(bytes).lines() {
                talk.push('>', line);
            }
        }
        let mut stdin = self.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        if bytes.len() <= PIPE_BYTES {
            let result = stdin.write_all(bytes).and_then(|()| stdin.flush());
            self.stdin = Some(stdin);
            return result;
        }
        let (sender, done) = mpsc::channel();
        let bytes = bytes.to_vec();
        thread::spawn(move || {
            let result = stdin.write_all(&bytes).and_then(|()| stdin.flush());
            // The runner may have given up waiting; then nobody is interested.
            let _ = sender.send((stdin, result));
        });
        match done.recv_timeout(LONG_WRITE) {
            Ok((stdin, result)) => {
                self.stdin = Some(stdin);
                result
            }
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }

    /// Closes the child's input.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Closes the child's output where nobody reads it.
    pub fn close_output(&mut self) {
        self.unread = None;
    }

    /// The next line, waiting until `deadline` at most; one that waits already is always given.
    ///
    /// # Errors
    /// [`NoLine`] says why there is none.
    pub fn next_line(&mut self, deadline: Instant) -> Result<Line, NoLine> {
        let wait = deadline.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(wait).map_err(|error| match error {
            RecvTimeoutError::Timeout => NoLine::TimedOut,
            RecvTimeoutError::Disconnected => NoLine::Closed,
        })
    }

    /// The exit status, waiting until `deadline` at most.
    pub fn exit_status(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            if self.status.is_none()
                && let Ok(Some(status)) = self.child.try_wait()
            {
                self.status = Some(status);
                self.signal_group(Signal::Kill);
            }
            if self.status.is_some() || Instant::now() >= deadline {
                return self.status;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Keeps the child on one of the processors this process may use, counted from 0 and round
    /// again; only Linux does.
    ///
    /// # Errors
    /// When the system refuses.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "done on Linux only")
    )]
    pub fn pin(&self, number: usize) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        {
            use rustix::process::Pid;
            use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
            let allowed = sched_getaffinity(None)?;
            let allowed: Vec<usize> =
                (0..CpuSet::MAX_CPU).filter(|&cpu| allowed.is_set(cpu)).collect();
            let mut one = CpuSet::new();
            one.set(allowed[number % allowed.len()]);
            let child = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
            sched_setaffinity(child, &one)?;
        }
        #[cfg(not(target_os = "linux"))]
        let _ = number;
        Ok(())
    }

    /// The child's process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Memory private to the child and its descendants; 0 where `/proc` does not tell.
    pub fn private_bytes(&self) -> u64 {
        private_bytes(self.id())
    }

    /// Stops the child and its helpers where they are.
    pub fn suspend(&mut self) {
        if !self.suspended {
            self.signal_group(Signal::Stop);
            self.suspended = true;
        }
    }

    /// Lets a suspended child go on.
    pub fn resume(&mut self) {
        if self.suspended {
            self.signal_group(Signal::Continue);
            self.suspended = false;
        }
    }

    /// Kills the child with its helpers and waits for its end.
    pub fn kill(&mut self) {
        if self.status.is_none() {
            self.signal_group(Signal::Kill);
            // The child may have ended by itself; either way it is waited for.
            let _ = self.child.kill();
            self.status = self.child.wait().ok();
        }
    }

    /// The latest lines sent and received, oldest first.
    pub fn last_lines(&self) -> Vec<String> {
        lock(&self.talk).lines.iter().cloned().collect()
    }

    /// Bytes written to stderr so far.
    pub fn stderr_bytes(&self) -> usize {
        lock(&self.talk).stderr_bytes
    }

    #[cfg(unix)]
    fn signal_group(&self, signal: Signal) {
        use rustix::process::{Pid, kill_process_group};
        let signal = match signal {
            Signal::Stop => rustix::process::Signal::STOP,
            Signal::Continue => rustix::process::Signal::CONT,
            Signal::Kill => rustix::process::Signal::KILL,
        };
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            // A group that has ended already cannot be signaled and need not be.
            let _ = kill_process_group(group, signal);
        }
    }

    #[cfg(not(unix))]
    fn signal_group(&self, _signal: Signal) {}
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

#[derive(Clone, Copy, Debug)]
enum Signal {
    Stop,
    Continue,
    Kill,
}

/// A program named with a folder is meant from the runner's folder, wherever it is started.
fn located(program: &str, folder: Option<&Path>) -> io::Result<PathBuf> {
    let path = Path::new(program);
    if folder.is_some() && path.components().count() > 1 {
        std::path::absolute(path)
    } else {
        Ok(path.to_path_buf())
    }
}

/// Memory private to a process and its descendants.
fn private_bytes(process: u32) -> u64 {
    let own = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).unwrap_or_default();
    let kib: u64 = own
        .lines()
        .filter(|line| line.starts_with("Private_"))
        .filter_map(|line| line.split_ascii_whitespace().nth(1)?.parse::<u64>().ok())
        .sum();
    let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let children: u64 = tasks
        .filter_map(|task| fs::read_to_string(task.path().join("children")).ok())
        .flat_map(|list| list.split_ascii_whitespace().map(str::to_string).collect::<Vec<_>>())
        .filter_map(|child| child.parse().ok())
        .map(private_bytes)
        .sum();
    kib * 1024 + children
}

fn read_lines(mut stdout: impl Read, sender: &SyncSender<Line>, talk: &Mutex<Talk>) {
    let mut buffer = [0; 8192];
    let mut line = Vec::new();
    loop {
        let count = match stdout.read(&mut buffer) {
            Ok(0) => {
                if !line.is_empty() {
                    let rest = String::from_utf8_lossy(&line);
                    lock(talk).push('<', &format!("{rest} (no line end)"));
                }
                return;
            }
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        let at = Instant::now();
        let chunk = &buffer[..count];
        let whole = line.is_empty() && chunk.ends_with(b"\n");
        for piece in chunk.split_inclusive(|&byte| byte == b'\n') {
            let room = LINE_BYTES.saturating_sub(line.len());
            line.extend_from_slice(&piece[..piece.len().min(room)]);
            if piece.ends_with(b"\n") {
                let text = String::from_utf8_lossy(&line);
                let text = text.trim_end_matches(['\n', '\r']).to_string();
                lock(talk).push('<', &text);
                if sender.send(Line { text, at, whole }).is_err() {
                    return;
                }
                line.clear();
            }
        }
    }
}

fn read_stderr(mut stderr: impl Read, talk: &Mutex<Talk>) {
    let mut buffer = [0; 4096];
    while let Ok(count) = stderr.read(&mut buffer) {
        if count == 0 {
            return;
        }
        let mut talk = lock(talk);
        talk.stderr_bytes += count;
        for line in String::from_utf8_lossy(&buffer[..count]).lines() {
            talk.push('!', line);
        }
    }
}
