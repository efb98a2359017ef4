//! Command lines and what they mean.
//!
//! Owns the words users type. Must not do any work itself: each subcommand is turned into values
//! the other modules take.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

mod check;
mod even;
mod export;
mod lateness;
mod merge;
mod report;
mod run;
mod show;
mod watch;

/// The whole command line.
#[derive(Debug, Parser)]
#[command(version, about, long_about = None, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play engines against each other
    Run(Box<run::Arguments>),
    /// Watch one game between two engines, move by move
    Watch(Box<watch::Arguments>),
    /// List the games of a record file, or show one
    Show(show::Arguments),
    /// Join record files and print their statistics
    #[command(visible_alias = "stats")]
    Merge(merge::Arguments),
    /// Say how late the answers of recorded games came
    Lateness(lateness::Arguments),
    /// Print the openings of a file that an engine's search finds even
    Even(Box<even::Arguments>),
    /// Write recorded games as SGF or Piskvork files
    Export(export::Arguments),
    /// Report how well an engine keeps to the protocol
    Check(check::Arguments),
    /// Be a brain that plays badly on purpose, to try a manager with
    Stub(manager::stub::Arguments),
}

/// Runs the program.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.command {
        Command::Run(arguments) => run::run(*arguments),
        Command::Watch(arguments) => watch::run(*arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Merge(arguments) => merge::run(&arguments),
        Command::Lateness(arguments) => lateness::run(&arguments),
        Command::Even(arguments) => even::run(*arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Stub(arguments) => match manager::stub::run(arguments) {
            Ok(()) => Ok(ExitCode::SUCCESS),
            Err(error) => Err(error.into()),
        },
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// A flag that Ctrl-C sets; a second Ctrl-C ends the program at once.
fn stop_on_interrupt() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handler).context("cannot watch for Ctrl-C")?;
    Ok(stop)
}
