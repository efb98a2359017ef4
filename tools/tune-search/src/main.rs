//! Tunes the numbers of the search by games: the command line.
//!
//! Owns arguments and what is printed. The list of numbers is the engine's own,
//! `tengen::search::params::LIST`; the arithmetic stands in `spsa`, the games in `games`, what
//! is kept in `trajectory`.

mod games;
mod spsa;
mod trajectory;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use tengen::base::params::Tunable;
use tengen::search::params::LIST;

use crate::games::Games;
use crate::spsa::Plan;
use crate::trajectory::Trajectory;

const EXAMPLES: &str = "\
Examples:
  Build an engine whose numbers can be set, and what plays the games:
    cargo build --release --features tune --target-dir target/tune
    cargo build --release -p match-runner -p tune-search

  Tune three numbers by 300 matches of 16 games at 5,000 nodes a move:
    tune-search --brain target/tune/release/pbrain-tengen --params \\
      futility_margin,razor_margin,aspiration --iterations 300 --out data/spsa -- \\
      --openings freestyle15.txt --nodes 5000

Everything after -- goes to match-runner. A run that was stopped is continued by the same
command. At the end, or at any time, the numbers are in the last line of the trajectory.";

/// Tunes the numbers of the search by games between changed copies (SPSA).
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES)]
struct Arguments {
    /// A `tune` build of the engine
    #[arg(long, value_name = "FILE", required_unless_present = "list")]
    brain: Option<PathBuf>,
    /// The program match-runner; looked for beside this one if not given
    #[arg(long, value_name = "FILE")]
    runner: Option<PathBuf>,
    /// Numbers to tune, with commas between; all if not given
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    params: Vec<String>,
    /// Print all numbers that can be tuned, with range and step
    #[arg(long)]
    list: bool,
    /// Folder of the trajectory and its picture
    #[arg(long, value_name = "DIR", default_value = "data/spsa")]
    out: PathBuf,
    /// Matches in all
    #[arg(long, value_name = "N", default_value_t = 500)]
    iterations: u32,
    /// Games of a match, rounded up to an even number
    #[arg(long, value_name = "N", default_value_t = 16)]
    games: u32,
    /// Steps that a number moves by an all-won match at the start
    #[arg(long, value_name = "STEPS", default_value_t = 1.0)]
    rate: f64,
    /// Seed of what is tried and of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: u32,
    /// Options of match-runner: rule, size, openings, nodes or time
    #[arg(last = true, value_name = "OPTIONS")]
    options: Vec<String>,
}

/// The tunables of these names, in the order of the engine's list.
fn chosen(names: &[String]) -> Result<Vec<Tunable>> {
    if let Some(name) = names.iter().find(|name| LIST.iter().all(|known| known.name != **name)) {
        bail!("no number '{name}'; try --list");
    }
    let is_chosen = |known: &&Tunable| names.is_empty() || names.iter().any(|n| n == known.name);
    Ok(LIST.iter().filter(is_chosen).copied().collect())
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let tunables = chosen(&arguments.params)?;
    if arguments.list {
        return print(&table(&tunables, None));
    }
    let brain = arguments.brain.clone().context("--brain is needed")?;
    let runner = match &arguments.runner {
        Some(path) => path.clone(),
        None => std::env::current_exe()?.with_file_name("match-runner"),
    };
    let plan =
        Plan { iterations: arguments.iterations, rate: arguments.rate, seed: arguments.seed };
    let games = Games {
        runner,
        brain,
        count: arguments.games.max(2).next_multiple_of(2),
        concurrency: arguments.concurrency,
        options: arguments.options.clone(),
    };
    let note = format!(
        "seed={} iterations={} games={} rate={} {}",
        plan.seed,
        plan.iterations,
        games.count,
        plan.rate,
        arguments.options.join(" ")
    );
    std::fs::create_dir_all(&arguments.out)
        .with_context(|| format!("cannot make {}", arguments.out.display()))?;
    let mut way = Trajectory::open(&arguments.out.join("trajectory.txt"), &note, &tunables)?;
    let picture = arguments.out.join("trajectory.svg");

    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} matches, {msg}, {eta} to go")?;
    let bar = ProgressBar::new(u64::from(plan.iterations)).with_style(style);
    bar.set_position(u64::from(way.done()));
    bar.reset_eta();
    while way.done() < plan.iterations {
        let k = way.done();
        let mut numbers = way.numbers();
        let trial = plan.trial(k, &tunables, &numbers);
        let seed = plan.seed.wrapping_mul(1_000_003).wrapping_add(u64::from(k));
        let lead = games.play(seed, &tunables, &trial.up, &trial.down)?;
        plan.learn(k, &tunables, &mut numbers, &trial, lead);
        way.push(lead, &numbers)?;
        bar.set_message(format!("the last one led by {:+.0}%", 100.0 * lead));
        bar.inc(1);
        if k % 10 == 9 || k + 1 == plan.iterations {
            trajectory::draw(&picture, &tunables, &way.points)
                .map_err(|error| anyhow!("cannot draw {}: {error}", picture.display()))?;
        }
    }
    bar.finish_and_clear();
    print(&format!("{note}\n{}", table(&tunables, Some(&way.numbers()))))
}

/// The numbers with their ranges, and where they have come to.
fn table(tunables: &[Tunable], numbers: Option<&[f64]>) -> String {
    let rows = tunables.iter().enumerate().map(|(at, tunable)| {
        let now = numbers.map_or_else(String::new, |numbers| format!(" -> {:.1}", numbers[at]));
        format!(
            "{:<20} {:>8} of {}..={}, step {}{now}\n",
            tunable.name, tunable.default, tunable.min, tunable.max, tunable.step
        )
    });
    rows.collect()
}

fn print(text: &str) -> Result<()> {
    std::io::stdout().write_all(text.as_bytes()).context("cannot write to stdout")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
        let parsed = Arguments::try_parse_from(
            "tune-search --brain b --params aspiration -- --nodes 5 --rule 1".split(' '),
        );
        let parsed = parsed.unwrap();
        assert_eq!(parsed.options, ["--nodes", "5", "--rule", "1"]);
        assert_eq!(chosen(&parsed.params).unwrap().len(), 1);
        assert!(chosen(&["no".to_owned()]).is_err());
        assert_eq!(chosen(&[]).unwrap().len(), LIST.len());
        assert!(Arguments::try_parse_from(["tune-search"]).is_err());
    }
}
