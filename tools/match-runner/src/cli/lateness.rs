//! `match-runner lateness`.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use manager::output;

use crate::lateness::{self, Answers, CLASSES, at_per_mille};
use crate::record::{self, Entry, GameRecord};

/// Width of the longest bar.
const BAR: u64 = 40;

const EXAMPLES: &str = "\
Examples:
  How late were the answers of these runs?
    match-runner lateness fast.jsonl slow.jsonl

  The same, and exit code 1 if one came more than 20 ms beyond its limit:
    match-runner lateness fast.jsonl --at-most 20";

#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Record files of `run`; a game that is in several counts once
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Fail, with exit code 1, when an answer came more than so many milliseconds too late
    #[arg(long, value_name = "MS")]
    at_most: Option<u64>,
}

/// Prints the distribution of each engine.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut games: Vec<GameRecord> = Vec::new();
    let mut keys = HashSet::new();
    for path in &arguments.files {
        for entry in record::read(path)? {
            if let Entry::Game(game) = entry
                && keys.insert(game.key.clone())
            {
                games.push(game);
            }
        }
    }
    let engines = lateness::count(&games);
    if engines.values().all(|answers| answers.over.is_empty()) {
        bail!("no answer in any of the files");
    }
    let text: Vec<String> = engines.iter().map(|(name, answers)| text(name, answers)).collect();
    output::print(&text.join("\n"))?;
    let worst = engines.values().map(Answers::worst).max().unwrap_or(0);
    match arguments.at_most {
        Some(most) if worst > most => {
            eprintln!("an answer came {worst} ms too late, {most} ms are allowed");
            Ok(ExitCode::from(1))
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// One engine's lines.
fn text(name: &str, answers: &Answers) -> String {
    let total = answers.over.len();
    let mut text = format!("{name}: {total} answers in {} games", answers.games);
    if answers.missing > 0 {
        // Writing to a string cannot fail, here and below.
        let _ = write!(text, ", {} of them never came", answers.missing);
    }
    text.push_str("\n  ms             median     90 %     99 %   99.9 %    worst\n");
    let rows = [
        ("used", &answers.used),
        ("first answers", &answers.first),
        ("too late by", &answers.over),
    ];
    for (what, times) in rows {
        let _ = write!(text, "  {what:13}");
        for per_mille in [500, 900, 990, 999, 1000] {
            let time = at_per_mille(times, per_mille).map_or("-".to_string(), |ms| ms.to_string());
            let _ = write!(text, " {time:>8}");
        }
        text.push('\n');
    }
    let counts = answers.classes();
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let last = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
    for (index, &count) in counts.iter().enumerate().take(last + 1) {
        let class = class_name(index);
        // Even a single answer is to be seen.
        let bar = (count * BAR / most).max(u64::from(count > 0));
        let bar = "#".repeat(usize::try_from(bar).unwrap_or(0));
        let _ = writeln!(text, "{}", format!("  {class:>13} {count:>8}  {bar}").trim_end());
    }
    text
}

/// What a class of lateness holds.
fn class_name(index: usize) -> String {
    match (CLASSES[index], CLASSES.get(index + 1)) {
        (0, _) => "in time".to_string(),
        (from, Some(next)) if from + 1 == *next => format!("{from} ms"),
        (from, Some(next)) => format!("{from}-{} ms", next - 1),
        (from, None) => format!("{from} ms or more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_late_answer_among_thousands_is_seen() {
        let over: Vec<u64> = std::iter::repeat_n(0, 4999).chain([37]).collect();
        let answers = Answers { games: 50, used: vec![12; 5000], over, ..Answers::default() };
        let expected = "\
a: 5000 answers in 50 games
  ms             median     90 %     99 %   99.9 %    worst
  used                12       12       12       12       12
  first answers        -        -        -        -        -
  too late by          0        0        0        0       37
        in time     4999  ########################################
           1 ms        0
         2-4 ms        0
         5-9 ms        0
       10-19 ms        0
       20-49 ms        1  #
";
        assert_eq!(text("a", &answers), expected);
    }
}
