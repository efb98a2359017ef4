//! Which program is tested, and what stands between it and us.
//!
//! Owns the environment variables that choose it. A Windows program under wine is the same brain;
//! what wine itself says or does is known here and nowhere else. Must not know dialogues.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

/// The words of the command line: the program cargo built, or `TENGEN_BRAIN`, split at blanks.
fn words() -> Vec<String> {
    let line = env::var("TENGEN_BRAIN").unwrap_or_default();
    let words: Vec<String> = line.split_whitespace().map(String::from).collect();
    if words.is_empty() { vec![env!("CARGO_BIN_EXE_pbrain-tengen").to_string()] } else { words }
}

/// The command line of the program under test.
pub(crate) fn command() -> Command {
    let words = words();
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    command
}

/// How lines sent to the brain end: LF, or CR LF where `TENGEN_LINE_END` is `CRLF`.
pub(crate) fn line_end() -> &'static str {
    if env::var("TENGEN_LINE_END").is_ok_and(|end| end == "CRLF") { "\r\n" } else { "\n" }
}

/// A program that is one file, and what has to stand before its name to run it.
pub(crate) struct Program {
    before: Vec<String>,
    pub(crate) file: PathBuf,
}

impl Program {
    /// The program under test, if its command line ends with its file.
    pub(crate) fn under_test() -> Option<Program> {
        let mut before = words();
        let file = PathBuf::from(before.pop()?).canonicalize().ok()?;
        let runs_one_file = before.is_empty() || is_wine(&before[0]);
        (file.is_file() && runs_one_file).then_some(Program { before, file })
    }

    /// Whether this system runs it by itself.
    pub(crate) fn is_native(&self) -> bool {
        self.before.is_empty()
    }

    /// The program under test as a file that this system runs by itself; says where it is not.
    #[cfg(target_os = "linux")]
    pub(crate) fn native() -> Option<PathBuf> {
        let native = Program::under_test().filter(Program::is_native);
        if native.is_none() {
            println!("skipped: {:?} is no single program of this system", command());
        }
        native.map(|program| program.file)
    }

    /// The command that runs a copy of it, or a link to it.
    pub(crate) fn at(&self, file: &Path) -> Command {
        let Some((first, more)) = self.before.split_first() else { return Command::new(file) };
        let mut command = Command::new(first);
        command.args(more).arg(file);
        command
    }
}

fn is_wine(word: &str) -> bool {
    Path::new(word).file_name().is_some_and(|name| name == "wine" || name == "wine64")
}

/// Whether a process that was to go has gone in order.
///
/// Status 0, or under wine a kill: its server ends a process that has said it exits and takes
/// longer than a sixty-fourth of a second to do so.
pub(super) fn has_left_in_order(status: ExitStatus) -> bool {
    status.code() == Some(0) || is_wine(&words()[0]) && is_kill(status)
}

#[cfg(unix)]
fn is_kill(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    const SIGKILL: i32 = 9;
    status.signal() == Some(SIGKILL)
}

#[cfg(not(unix))]
fn is_kill(_: ExitStatus) -> bool {
    false
}

/// What the brain wrote to stderr, without what wine wrote there itself: when a process exits
/// while one of its threads is just starting, that thread finds its connection closed.
pub(super) fn own_errors(text: &str) -> String {
    let by_wine = is_wine(&words()[0]);
    let is_own = |line: &&str| !(by_wine && line.starts_with("wine client error:"));
    text.split_inclusive('\n').filter(is_own).collect()
}

#[test]
fn only_the_word_wine_is_wine() {
    assert!(is_wine("wine") && is_wine("/usr/bin/wine64"));
    assert!(!is_wine("/opt/wine/pbrain-tengen") && !is_wine("pbrain-wine"));
}
