//! Starts the built program in a fresh folder and reads what it leaves.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The built program.
pub(super) const RUNNER: &str = env!("CARGO_BIN_EXE_match-runner");

/// The folder of one test.
pub(super) fn folder_of(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A fresh folder for one test.
pub(super) fn folder(name: &str) -> PathBuf {
    let path = folder_of(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// What the program prints and ends with.
pub(super) fn runner(arguments: &[&str]) -> Output {
    Command::new(RUNNER).args(arguments).output().unwrap()
}

/// An engine for the command line.
pub(super) fn stub(name: &str, habit: &str) -> String {
    format!("cmd='{RUNNER} stub {habit}' name={name}")
}

/// A run of two stubs; gives its result line and its games.
pub(super) fn run(name: &str, first: &str, second: &str, more: &[&str]) -> (Value, Vec<Value>) {
    let record = folder(name).join("run.jsonl");
    let (first, second) = (stub("first", first), stub("second", second));
    let record_text = record.to_str().unwrap();
    let mut arguments = vec!["run", "-e", &first, "-e", &second, "--record", record_text, "--json"];
    arguments.extend(more);
    let output = runner(&arguments);
    assert!(output.status.success(), "{output:?}");
    let stdout = String::from_utf8(output.stdout).unwrap();
    (serde_json::from_str(stdout.lines().last().unwrap()).unwrap(), games(&record))
}

/// The games of a record file, which must end in a whole line.
pub(super) fn games(record: &Path) -> Vec<Value> {
    let content = fs::read_to_string(record).unwrap();
    assert!(content.ends_with('\n'));
    let lines = content.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["type"] == "game").collect()
}
