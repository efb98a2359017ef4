//! Trains the network of the evaluation on recorded games: the command line.
//!
//! Owns arguments, files and what is printed. The way of the data: `data` turns games into
//! samples, `model` says what the network makes of them and how that should change, `parts`
//! lets rare rows learn from frequent ones, `train` descends, `export` makes the file's numbers.

mod data;
mod export;
mod model;
mod parts;
mod report;
mod state_file;
mod train;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Parser;
use learning::bar;
use learning::number::real;
use records::{Game, Games, is_held_out};
use tengen::eval::network::weights::{encode, parse};
use tengen::types::rule::Rule;

use crate::data::{Extractor, Source, Targets, fit_scale};
use crate::model::Model;
use crate::parts::Parts;
use crate::train::{Settings, State};

const EXAMPLES: &str = "\
Examples:
  Train the network of freestyle on two runs of datagen and put it into the engine's file:
    train-network --rule freestyle data/freestyle15 data/freestyle20

  Begin with the network of another rule, and learn from older games as well:
    train-network --rule standard --from freestyle data/standard15 --also data/old

  See what a setting would give, without writing the file:
    train-network --rule renju --epochs 2 --decay 0.1 --dry-run data/renju15

Whole games are held out. The same games, settings, seed and number of threads give the same
numbers to the bit. A run that was cut off is continued by the same command. Report, curves and
the state of the run go to the folder --out; a summary goes into the file, with the numbers.";

/// Trains the network of a rule on recorded games.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES)]
struct Arguments {
    /// Record files, or folders of them
    #[arg(required = true)]
    records: Vec<PathBuf>,
    /// More of them, of which nothing is held out
    #[arg(long, value_name = "PATH", num_args = 1..)]
    also: Vec<PathBuf>,
    /// Rule whose network is trained: freestyle, standard, renju, caro or caro9
    #[arg(long, value_parser = parse_rule)]
    rule: Rule,
    /// Games of this rule are learned from, if it is another one; each is then seen by --rule
    #[arg(long, value_name = "RULE", value_parser = parse_rule)]
    games_of: Option<Rule>,
    /// Games of all rules are learned from, each seen by its own: a network for others to begin with
    #[arg(long, conflicts_with = "games_of")]
    pool: bool,
    /// Begin with the file's network of this rule, not from nothing
    #[arg(long, value_name = "RULE", value_parser = parse_rule)]
    from: Option<Rule>,
    /// The file of networks, read and written
    #[arg(long, value_name = "FILE", default_value = "src/eval/data/network.bin")]
    network: PathBuf,
    /// Folder of the report, the picture and the state of the run
    #[arg(long, value_name = "DIR", default_value = "data/train")]
    out: PathBuf,
    /// Leave the file of networks as it is
    #[arg(long)]
    dry_run: bool,
    /// How much of the value's target is the game's result, the rest is the search's score
    #[arg(long, value_name = "PART", default_value_t = 0.5)]
    result_part: f32,
    /// Positions with a proven score count if the win or loss is so many plies away or more
    #[arg(long, value_name = "PLIES", default_value_t = 5)]
    proven_from: i32,
    /// Rounds over the data
    #[arg(long, value_name = "N", default_value_t = 5)]
    epochs: usize,
    /// Samples of a step
    #[arg(long, value_name = "N", default_value_t = 1024)]
    batch: usize,
    /// Length of the first steps
    #[arg(long, value_name = "NUMBER", default_value_t = 0.002)]
    rate: f32,
    /// Part of a row's own difference that is lost each step, times the rate
    #[arg(long, value_name = "NUMBER", default_value_t = 0.1)]
    decay: f32,
    /// Weight of the policy's loss beside the value's
    #[arg(long, value_name = "NUMBER", default_value_t = 0.5)]
    policy_part: f32,
    /// Percent of the games that are held out
    #[arg(long, value_name = "PERCENT", default_value_t = 5)]
    held_out: u64,
    /// Seed of which games are held out, of the order of samples and of the first numbers
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
    /// What decides about the numbers, besides the games and what it begins with.
    fn settings(&self) -> String {
        format!(
            "{} pool={} result-part={} proven-from={} epochs={} batch={} rate={} decay={} \
             policy-part={} held-out={}% seed={} threads={}",
            self.rule,
            self.pool,
            self.result_part,
            self.proven_from,
            self.epochs,
            self.batch,
            self.rate,
            self.decay,
            self.policy_part,
            self.held_out,
            self.seed,
            self.threads,
        )
    }
}

/// Games of one folder or file, and what they have in common.
struct Run {
    games: Vec<Game>,
    scale: f32,
    is_also: bool,
}

/// Reads all games; tells of each path, and gives a text that names the data.
fn read(arguments: &Arguments) -> Result<(Vec<Run>, String)> {
    let rules = if arguments.pool {
        Rule::ALL.to_vec()
    } else {
        vec![arguments.games_of.unwrap_or(arguments.rule)]
    };
    let mut runs = Vec::new();
    let mut told = String::new();
    let also = arguments.also.iter().map(|path| (path, true));
    for (path, is_also) in arguments.records.iter().map(|path| (path, false)).chain(also) {
        for &rule in &rules {
            let games =
                Games::read(std::slice::from_ref(path), rule).map_err(|(path, error)| {
                    anyhow::anyhow!("cannot read {}: {error}", path.display())
                })?;
            if games.list.is_empty() && arguments.pool {
                continue;
            }
            let positions: usize = games.list.iter().map(Game::searched).sum();
            let scale = fit_scale(&games.list);
            let line = format!(
                "{}: {} games, {positions} positions, data {:016x}, scale {scale:.0}\n",
                path.display(),
                games.list.len(),
                games.hash(),
            );
            print(&line)?;
            if games.damaged > 0 {
                print(&format!("  {} bytes of it could not be read\n", games.damaged))?;
            }
            told += &line;
            runs.push(Run { games: games.list, scale, is_also });
        }
    }
    Ok((runs, told))
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let rule = arguments.rule;
    let bytes = fs::read(&arguments.network)
        .with_context(|| format!("cannot read {}", arguments.network.display()))?;
    let sections =
        parse(&bytes).with_context(|| format!("cannot read {}", arguments.network.display()))?;
    let (runs, data) = read(&arguments)?;
    let sources = |held: bool| -> Vec<Source> {
        let all = runs.iter().flat_map(|run| run.games.iter().map(move |game| (run, game)));
        let wanted = all.filter(|(run, game)| {
            let (seed, percent) = (arguments.seed, arguments.held_out);
            (!run.is_also && is_held_out(game, seed, percent)) == held
        });
        wanted.map(|(run, game)| Source { game, scale: run.scale }).collect()
    };
    let (learn, held) = (sources(false), sources(true));
    if learn.is_empty() || held.is_empty() {
        bail!("expected games to learn from and to hold out");
    }

    let (result_part, proven_from) = (arguments.result_part, arguments.proven_from);
    let seen_by = (!arguments.pool).then_some(rule);
    let extractor = Extractor::new(seen_by, Targets { result_part, proven_from });
    let model = Model::new(rule, arguments.policy_part);
    let parts = Parts::new(rule);
    let settings = Settings {
        epochs: arguments.epochs,
        batch: arguments.batch.max(1),
        rate: arguments.rate,
        decay: arguments.decay,
        threads: arguments.threads.max(1),
        seed: arguments.seed,
    };
    let key = format!("{} {:?} {data}", arguments.settings(), arguments.from);
    fs::create_dir_all(&arguments.out)
        .with_context(|| format!("cannot make {}", arguments.out.display()))?;
    let path = |extension: &str| arguments.out.join(format!("{rule}.{extension}"));

    let first = match arguments.from {
        None => model.start(&parts, settings.seed),
        Some(from) => {
            let section = sections.iter().find(|section| section.rule == from);
            let section = section.with_context(|| format!("the file has no network of {from}"))?;
            export::parameters(section, rule, &parts)
        }
    };
    let mut numbers = Vec::new();
    parts.expand(&first, &mut numbers);
    let before = train::measure(model, &extractor, &held, &numbers, settings.threads);
    print(&(report::HEADING.to_owned() + &report::line("start, held", &before)))?;
    let (mut state, mut losses) = match state_file::load(&path("state"), &key, parts.count()) {
        Some((state, losses)) => {
            print(&format!("going on after epoch {}\n", state.epoch))?;
            (state, losses)
        }
        None => (State::new(first), Vec::new()),
    };

    while (state.epoch as usize) < settings.epochs {
        let bar = bar(learn.len(), &format!("games, epoch {}", state.epoch + 1))?;
        let began = Instant::now();
        let task = (model, &parts, &extractor);
        let learned = train::epoch(task, &learn, &settings, &mut state, |games| {
            bar.inc(games as u64);
        });
        bar.finish_and_clear();
        let seconds = began.elapsed().as_secs_f64();
        parts.expand(&state.parameters, &mut numbers);
        let held = train::measure(model, &extractor, &held, &numbers, settings.threads);
        losses.push((learned, held));
        let speed = real(learned.samples) / seconds;
        print(&report::line(&format!("{}, held out", state.epoch), &held))?;
        print(&format!("   {speed:.0} positions a second\n"))?;
        state_file::save(&path("state"), &key, &state, &losses).context("cannot keep the state")?;
    }

    let command = std::env::args().collect::<Vec<_>>().join(" ");
    let table = report::table(&before, &losses);
    fs::write(path("txt"), format!("{command}\n\n{data}\n{table}")).context("cannot write")?;
    if let Err(error) = report::draw(&path("svg"), &format!("network of {rule}"), &losses) {
        bail!("cannot draw {}: {error}", path("svg").display());
    }
    if arguments.dry_run {
        return print("the file of networks is as it was\n");
    }
    let last = losses.last().map(|(_, held)| report::line("held out", held)).unwrap_or_default();
    let began = match arguments
        .from
        .and_then(|from| sections.iter().find(|section| section.rule == from))
    {
        None => "from nothing\n".to_owned(),
        Some(section) => format!("from the network of {}:\n{}", section.rule, section.origin),
    };
    let origin = format!("{}\n{data}{}{last}{began}", arguments.settings(), report::HEADING);
    let section = export::section(rule, &numbers, origin);
    let bytes = encode(&export::put(sections, section));
    fs::write(&arguments.network, &bytes)
        .with_context(|| format!("cannot write {}", arguments.network.display()))?;
    parse(&fs::read(&arguments.network)?).context("the file was not written as it should be")?;
    print(&format!("{} written, {} bytes\n", arguments.network.display(), bytes.len()))
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
        assert!(Arguments::try_parse_from(["train-network", "--rule", "go", "x"]).is_err());
        assert!(Arguments::try_parse_from(["train-network", "--rule", "renju"]).is_err());
        assert!(Arguments::try_parse_from(["train-network", "--rule", "renju", "x"]).is_ok());
    }
}
