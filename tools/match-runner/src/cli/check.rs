//! `match-runner check`.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use manager::command::EngineWords;
use manager::output;
use serde::Serialize;

use crate::check;
use crate::check::player::{self, Candidate};
use crate::check::script::{self, Case, Level};

const EXAMPLES: &str = "\
Examples:
  Everything, about two minutes:
    match-runner check --engine ./pbrain-tengen

  The cases on BOARD and one on START, with the talk of those that fail:
    match-runner check --engine ./pbrain-tengen --only B,S02 --talk

  On a loaded machine, leaving out the long game:
    match-runner check --engine ./pbrain-tengen --slack-ms 200 --skip I07

Exit code 0 when all mandatory cases pass, 1 otherwise.";

#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The engine: a command line, or words of cmd= and name=
    #[arg(long, short, value_name = "ENGINE")]
    engine: EngineWords,
    /// Only the cases whose names begin so, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,
    /// Not the cases whose names begin so
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    skip: Vec<String>,
    /// A file of further cases in the notation of `tools/match-runner/src/check/script.rs`
    #[arg(long, value_name = "FILE")]
    cases: Option<PathBuf>,
    /// Added to every time limit
    #[arg(long, default_value_t = 0, value_name = "MS")]
    slack_ms: u64,
    /// Try a case that fails so many times in all: a busy machine makes answers late
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    attempts: u32,
    /// Show the last lines of the talk in cases that fail
    #[arg(long)]
    talk: bool,
    /// List the cases instead of trying them
    #[arg(long)]
    list: bool,
    /// Print a JSON line for each case
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Report<'a> {
    id: &'a str,
    level: Level,
    title: &'a str,
    pass: bool,
    faults: Vec<String>,
}

fn chosen(arguments: &Arguments) -> Result<Vec<Case>> {
    let mut cases = check::cases()?;
    if let Some(path) = &arguments.cases {
        let shown = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
        let more = script::parse(&text).map_err(|error| anyhow::anyhow!("{shown}: {error}"))?;
        cases.extend(more);
    }
    let named = |case: &Case, names: &[String]| names.iter().any(|name| case.id.starts_with(name));
    cases.retain(|case| {
        (arguments.only.is_empty() || named(case, &arguments.only)) && !named(case, &arguments.skip)
    });
    if cases.is_empty() {
        bail!("no case is named so; --list shows them all");
    }
    Ok(cases)
}

/// Tries the cases and prints the report.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let cases = chosen(arguments)?;
    if arguments.list {
        let mut list = String::new();
        for case in &cases {
            // Writing to a string cannot fail, here and below.
            let _ = writeln!(list, "{}  {}", case.id, case.title);
        }
        output::print(&list)?;
        return Ok(ExitCode::SUCCESS);
    }
    let candidate = Candidate {
        command: arguments.engine.command.clone(),
        slack: Duration::from_millis(arguments.slack_ms),
    };
    let stop = super::stop_on_interrupt()?;
    // Passed and tried, in the order of `Level::ALL`.
    let mut counts = [(0, 0); 3];
    for case in &cases {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let (mut faults, mut talk) = attempt(&candidate, case);
        for _ in 1..arguments.attempts {
            if faults.is_empty() {
                break;
            }
            (faults, talk) = attempt(&candidate, case);
        }
        let pass = faults.is_empty();
        let count = &mut counts[case.level as usize];
        count.0 += u32::from(pass);
        count.1 += 1;
        let mut text = String::new();
        if arguments.json {
            let (id, level, title) = (&case.id, case.level, &case.title);
            let report = Report { id, level, title, pass, faults };
            let _ = writeln!(text, "{}", serde_json::to_string(&report)?);
        } else {
            let verdict = if pass { "pass" } else { "FAIL" };
            let _ = writeln!(text, "{}  {verdict}  {}", case.id, case.title);
            for fault in faults {
                let _ = writeln!(text, "           {fault}");
            }
            for line in talk.iter().filter(|_| arguments.talk) {
                let _ = writeln!(text, "           | {line}");
            }
        }
        output::print(&text)?;
    }
    if !arguments.json {
        let words: Vec<String> = Level::ALL
            .into_iter()
            .zip(counts)
            .map(|(level, (passed, tried))| format!("{passed} of {tried} {}", level.name()))
            .collect();
        output::print(&format!("\npassed: {}\n", words.join(", ")))?;
    }
    let (passed, tried) = counts[Level::Mandatory as usize];
    Ok(ExitCode::from(u8::from(passed < tried)))
}

/// Carries out all scripts of a case: what went wrong, and the talk of the first that did.
fn attempt(candidate: &Candidate, case: &Case) -> (Vec<String>, Vec<String>) {
    let mut faults = Vec::new();
    let mut talk = Vec::new();
    for script in &case.scripts {
        if let Err((fault, lines)) = player::play(candidate, script) {
            let place = if script.title.is_empty() { "" } else { ": " };
            faults.push(format!("{}{place}{fault}", script.title));
            if talk.is_empty() {
                talk = lines;
            }
        }
    }
    (faults, talk)
}
