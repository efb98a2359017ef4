//! Fits the weights of the classical evaluation to recorded games: the command line.
//!
//! Owns arguments, files and what is printed. The way of the data: `games`, `data`, `problems`,
//! `train` over the parameters of `layout`, `file`; `fit` leads it along.

mod data;
mod file;
mod fit;
mod layout;
mod picture;
mod problems;
mod rounding;
mod train;

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Parser;
use learning::bar;
use records::{Games, is_held_out};
use tengen::eval::weights::parse;
use tengen::types::rule::Rule;

use crate::data::Samples;
use crate::fit::{Fit, Options, Stage, option};
use crate::layout::Spread;
use crate::train::Settings;

const EXAMPLES: &str = "\
Examples:
  Fit the weights of freestyle to two runs of datagen, in place:
    tune-weights --rule freestyle data/freestyle15 data/freestyle20

  See what would come out, without writing the weights:
    tune-weights --rule renju --dry-run data/renju15

Whole games are held out. The report and the picture of the losses go to the folder --out, a
summary with seed and data hash goes into the weights file, above the section.";

/// Fits the weights of the classical evaluation to recorded games.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES)]
struct Arguments {
    /// Record files, or folders of them
    #[arg(required = true)]
    records: Vec<PathBuf>,
    /// Rule whose weights are fitted: freestyle, standard, renju, caro or caro9
    #[arg(long, value_parser = parse_rule)]
    rule: Rule,
    /// The weights file, read and written
    #[arg(long, value_name = "FILE", default_value = "src/eval/data/classical.txt")]
    weights: PathBuf,
    /// Folder of the report and the picture
    #[arg(long, value_name = "DIR", default_value = "data/tune")]
    out: PathBuf,
    /// Leave the weights file as it is
    #[arg(long)]
    dry_run: bool,
    /// Value that is one unit of the logistic function; fitted if not given
    #[arg(long, value_name = "VALUE")]
    scale: Option<f64>,
    /// Score that is one unit of the softmax of the order; fitted if not given
    #[arg(long, value_name = "SCORE")]
    temperature: Option<f64>,
    /// What the fitted values are multiplied by; what keeps their spread if not given
    #[arg(long, value_name = "FACTOR")]
    gain: Option<f64>,
    /// The same of the order
    #[arg(long, value_name = "FACTOR")]
    order_gain: Option<f64>,
    /// How much of the target is the game's result, the rest is the search's score
    #[arg(long, value_name = "PART", default_value_t = 0.5)]
    result_part: f64,
    /// How far a set's value may well be from the sum of its parts
    #[arg(long, value_name = "WEIGHT", default_value_t = 4.0)]
    set_spread: f64,
    /// The same of masks of threats
    #[arg(long, value_name = "WEIGHT", default_value_t = 15.0)]
    mask_spread: f64,
    /// The same of a set's place in the order
    #[arg(long, value_name = "WEIGHT", default_value_t = 40.0)]
    order_spread: f64,
    /// How far the parts may well be from where they are
    #[arg(long, value_name = "WEIGHT", default_value_t = 200.0)]
    part_spread: f64,
    /// Positions with a proven score count if the win or loss is so many plies away or more
    #[arg(long, value_name = "PLIES", default_value_t = 5)]
    proven_from: i32,
    /// Rounds over the data
    #[arg(long, value_name = "N", default_value_t = 40)]
    epochs: usize,
    /// Samples of a step
    #[arg(long, value_name = "N", default_value_t = 4096)]
    batch: usize,
    /// Length of the first steps, in weights
    #[arg(long, value_name = "WEIGHT", default_value_t = 0.5)]
    rate: f64,
    /// The same of the order
    #[arg(long, value_name = "WEIGHT", default_value_t = 8.0)]
    order_rate: f64,
    /// How often a set must be seen to get a line of its own
    #[arg(long, value_name = "N", default_value_t = 200)]
    least: u32,
    /// Percent of the games that are held out
    #[arg(long, value_name = "PERCENT", default_value_t = 10)]
    held_out: u64,
    /// Seed of which games are held out and of the order of samples
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
}

fn parse_rule(text: &str) -> Result<Rule, String> {
    let names = Rule::ALL.map(Rule::name).join(", ");
    Rule::from_name(text).ok_or_else(|| format!("expected one of {names}"))
}

impl Arguments {
    fn options(&self) -> Options {
        let part = option(self.part_spread);
        let mask = option(self.mask_spread);
        Options {
            rule: self.rule,
            scale: self.scale.map(option),
            temperature: self.temperature.map(option),
            result_part: option(self.result_part),
            spread: Spread { part, set: option(self.set_spread), mask },
            order_spread: Spread { part, set: option(self.order_spread), mask },
            descent: Settings {
                epochs: self.epochs,
                batch: self.batch.max(1),
                rate: option(self.rate),
                threads: self.threads.max(1),
                seed: self.seed,
            },
            gain: self.gain.map(option),
            order_gain: self.order_gain.map(option),
            order_rate: option(self.order_rate),
            least: self.least,
        }
    }
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let options = arguments.options();
    let threads = options.descent.threads;
    let weights_path = &arguments.weights;
    let text = fs::read_to_string(weights_path)
        .with_context(|| format!("cannot read {}", weights_path.display()))?;

    let games = Games::read(&arguments.records, arguments.rule)
        .map_err(|(path, error)| anyhow::anyhow!("cannot read {}: {error}", path.display()))?;
    if games.damaged > 0 {
        print(&format!("{} bytes of the records could not be read\n", games.damaged))?;
    }
    if games.others > 0 {
        print(&format!("{} games of other rules are left out\n", games.others))?;
    }
    let (held_out, learn): (Vec<_>, Vec<_>) =
        games.list.iter().partition(|game| is_held_out(game, arguments.seed, arguments.held_out));
    let reading = bar(games.list.len(), "games")?;
    let samples = |games: &[&records::Game]| {
        Samples::of_games(games, arguments.proven_from, threads, || reading.inc(1))
    };
    let (learn, held_out) = (samples(&learn), samples(&held_out));
    reading.finish_and_clear();

    let data = format!(
        "{}: {} games, {} positions, {} decisions; held out {} games, {} positions\n\
         data {:016x}, seed {}, {} epochs of batches of {}, rates {} and {}, result part {}\n",
        arguments.rule,
        learn.games + held_out.games,
        learn.positions.len() + held_out.positions.len(),
        learn.decisions.len() + held_out.decisions.len(),
        held_out.games,
        held_out.positions.len(),
        games.hash(),
        arguments.seed,
        arguments.epochs,
        arguments.batch,
        arguments.rate,
        arguments.order_rate,
        arguments.result_part,
    );
    print(&data)?;

    let descent = bar(2 * (arguments.epochs + 1), "epochs")?;
    let found = fit::fit(&text, &learn, &held_out, &options, |stage, _, history| {
        let what = if stage == Stage::Value { "value" } else { "order" };
        let loss = history.held_out.last().copied().unwrap_or_default();
        descent.set_message(format!("epochs, {what}: {loss:.4} held out"));
        descent.inc(1);
    })?;
    descent.finish_and_clear();
    let told = data + &summary(&found);
    print(&summary(&found))?;

    fs::create_dir_all(&arguments.out)
        .with_context(|| format!("cannot make {}", arguments.out.display()))?;
    let path = |extension: &str| arguments.out.join(format!("{}.{extension}", arguments.rule));
    let command = std::env::args().collect::<Vec<_>>().join(" ");
    let report = format!("{command}\n\n{told}\n{}\n", games.notes.join("\n"));
    fs::write(path("txt"), report).context("cannot write the report")?;
    let panels = [("value", &found.value_history), ("order", &found.order_history)];
    if let Err(error) = picture::draw(&path("svg"), &format!("{} weights", arguments.rule), &panels)
    {
        bail!("cannot draw {}: {error}", path("svg").display());
    }
    if arguments.dry_run {
        return print("the weights file is as it was\n");
    }

    let new = fit::put(&text, &found.sections, told.trim_end())?;
    fs::write(weights_path, &new)
        .with_context(|| format!("cannot write {}", weights_path.display()))?;
    // What counts is what stands on the disk now.
    let read = fs::read_to_string(weights_path).context("cannot read the weights back")?;
    if parse(&read).ok() != parse(&new).ok() || parse(&read).is_err() {
        bail!("{} was not written as it should be", weights_path.display());
    }
    print(&format!("{} written, {} bytes\n", weights_path.display(), read.len()))
}

/// What came out, in words.
fn summary(fit: &Fit) -> String {
    let sets: usize = fit.sections.iter().map(|section| section.sets.len()).sum();
    let masks: usize = fit.sections.iter().map(|section| section.masks.len()).sum();
    let [before, after] = fit.ranks;
    format!(
        "scale {:.1}, temperature {:.1}, gains {:.2} and {:.2}; {sets} lines of sets, {masks} of threats\n\
         held-out loss of the value {}\n\
         the same against results alone {}\n\
         held-out loss of the order {}\n\
         the chosen move comes first {:.1}% before, {:.1}% after; mean place {:.2}, {:.2}\n",
        fit.scale,
        fit.temperature,
        fit.gains.0,
        fit.gains.1,
        fit.value,
        fit.result,
        fit.order,
        100.0 * before.0,
        100.0 * after.0,
        before.1,
        after.1,
    )
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
        assert!(Arguments::try_parse_from(["tune-weights", "--rule", "go", "x"]).is_err());
        assert!(Arguments::try_parse_from(["tune-weights", "--rule", "renju"]).is_err());
        assert!(Arguments::try_parse_from(["tune-weights", "--rule", "renju", "x"]).is_ok());
    }
}
