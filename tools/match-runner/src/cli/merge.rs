//! `match-runner merge`.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::report::ReportArguments;
use crate::record::{self, Entry, GameRecord};
use crate::tally::Tally;

const EXAMPLES: &str = "\
Examples:
  The statistics of one run:
    match-runner merge run.jsonl --sprt 0,10 --plot run.svg

  Join the parts of a run that was split by --shard:
    match-runner merge part*.jsonl --output run.jsonl

  Ratings over several runs, measured against a known engine:
    match-runner merge *.jsonl --anchor old=1500";

#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Record files; a game that is in several counts once
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write all games to one new file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    report: ReportArguments,
}

/// Reads the files, drops what was read before, prints the counts.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut kept = Vec::new();
    let mut engines: Vec<String> = Vec::new();
    let (mut runs, mut keys) = (HashSet::new(), HashSet::new());
    let mut repeated = 0;
    for path in &arguments.files {
        for entry in record::read(path)? {
            let new = match &entry {
                Entry::Run(run) => {
                    for engine in &run.engines {
                        if !engines.contains(&engine.name) {
                            engines.push(engine.name.clone());
                        }
                    }
                    runs.insert(run.fingerprint())
                }
                Entry::Game(game) => {
                    let new = keys.insert(game.key.clone());
                    repeated += usize::from(!new);
                    new
                }
            };
            if new {
                kept.push(entry);
            }
        }
    }
    if repeated > 0 {
        eprintln!("{repeated} games were in several files and count once");
    }
    if let Some(path) = &arguments.output {
        write(path, &kept)?;
    }
    let mut tally = Tally::new(engines);
    let mut games: Vec<GameRecord> = kept
        .into_iter()
        .filter_map(|entry| match entry {
            Entry::Game(game) => Some(game),
            Entry::Run(_) => None,
        })
        .filter(|game| tally.add(game))
        .collect();
    // Shards were played side by side, and the plot is drawn in the order given.
    games.sort_by_key(|game| game.started);
    let reporting = arguments.report.reporting(&tally.engines, 1)?;
    if reporting.sprt.is_some() && tally.engines.len() > 2 {
        bail!("--sprt compares two engines, not {}", tally.engines.len());
    }
    arguments.report.print(&tally, &games, &reporting, games.len())?;
    Ok(ExitCode::SUCCESS)
}

fn write(path: &PathBuf, entries: &[Entry]) -> Result<()> {
    let shown = path.display();
    let file = File::create_new(path).with_context(|| format!("cannot create {shown}"))?;
    let mut file = BufWriter::new(file);
    for entry in entries {
        serde_json::to_writer(&mut file, entry).with_context(|| format!("cannot write {shown}"))?;
        file.write_all(b"\n").with_context(|| format!("cannot write {shown}"))?;
    }
    file.flush().with_context(|| format!("cannot write {shown}"))
}
