//! `match-runner run`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;

use super::engine::{self, EngineWords};
use crate::opening::{self, Opening, Order, Sequence, Shard};
use crate::output::table;
use crate::record::{Identity, fnv};
use crate::run::Run;
use crate::schedule::{Format, Plan};
use crate::settings::{GameSettings, Limits, Manner};
use crate::sprt::{Model, Sprt};
use crate::text;

/// The cap on a move that is limited by nodes or depth.
const NODES_TURN_MS: u64 = 60_000;

const EXAMPLES: &str = "\
Examples:
  Is the new build stronger? 100 ms a move, stop when it is clear:
    match-runner run --engine 'cmd=./new name=new' --engine 'cmd=./old name=old' --turn-ms 100 \\
      --openings freestyle15.txt --games 2000 --concurrency 2 --sprt 0,10 --record new.jsonl

  The same with a fixed number of nodes, which does not depend on the machine:
    match-runner run --engine 'cmd=./new name=new' --engine 'cmd=./old name=old' --nodes 20000 \\
      --openings freestyle15.txt --games 400

  The second of eight parts of a run, for a cluster; join them by `match-runner merge`:
    match-runner run --engine ./new --engine ./old --turn-ms 100 --openings freestyle15.txt \\
      --games 8000 --shard 2/8 --record part2.jsonl";

#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// An engine: a command line, or words of cmd= name= dir= turn-ms= match-ms= nodes= depth=
    /// threads= memory-mb= info.KEY=
    #[arg(long = "engine", short, value_name = "ENGINE", required = true)]
    engines: Vec<EngineWords>,
    /// File of openings, one a line: h8i9g7, or offsets from the center as 0,0 1,1 -1,-1
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// 0 freestyle, 1 standard, 4 renju, 8 caro, 9 caro9
    #[arg(long, default_value = "0", value_parser = text::parse_rule)]
    rule: Rule,
    /// Side of the board, 5 to 22
    #[arg(long, default_value = "15", value_parser = parse_size)]
    size: BoardSize,
    /// Games of each pair of engines, rounded up to an even number
    #[arg(long, default_value_t = 100, value_name = "N")]
    games: usize,
    #[command(flatten)]
    limits: LimitArguments,
    /// Games at the same time; more than there are processors makes the clocks unfair
    #[arg(long, short, default_value_t = 1, value_name = "N")]
    concurrency: usize,
    /// Stop when it is clear whether the first engine is stronger by E1 Elo rather than E0
    #[arg(long, value_name = "E0,E1", value_parser = parse_bounds, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,
    /// What --sprt means by Elo
    #[arg(long, value_enum, default_value_t = Model::Logistic)]
    sprt_model: Model,
    /// How often --sprt may accept E1 wrongly
    #[arg(long, default_value_t = 0.05, value_parser = parse_rate)]
    alpha: f64,
    /// How often --sprt may accept E0 wrongly
    #[arg(long, default_value_t = 0.05, value_parser = parse_rate)]
    beta: f64,
    /// Who meets whom when there are more than two engines
    #[arg(long, value_enum, default_value_t = Format::RoundRobin)]
    format: Format,
    /// Write all games to FILE; if it exists, resume the run in it
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Play only this part of the run, for instance 2/8
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Seed of the order of openings
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Order of openings
    #[arg(long, value_enum, default_value_t = Order::Random)]
    order: Order,
    /// Play openings turned and mirrored, too
    #[arg(long)]
    symmetries: bool,
    /// A draw once so many stones are on the board
    #[arg(long, value_name = "N")]
    max_moves: Option<usize>,
    /// End a game when the side to move has a five, without asking it
    #[arg(long)]
    adjudicate: bool,
    /// Whose habits to follow towards the engines
    #[arg(long, value_enum, default_value_t = Manner::Plain)]
    manner: Manner,
    /// What a move may take beyond its limit; the table shows what was used of it
    #[arg(long, default_value_t = 1000, value_name = "MS")]
    tolerance_ms: u64,
    /// What an engine may take to answer START
    #[arg(long, default_value_t = 10_000, value_name = "MS")]
    startup_ms: u64,
    /// Games between two lines of progress when there is no terminal
    #[arg(long, default_value_t = 10, value_name = "N")]
    report_every: u64,
}

/// What limits all engines that do not say otherwise.
#[derive(Debug, Args)]
pub(super) struct LimitArguments {
    /// Milliseconds a move [default: 1000, or 60000 with --nodes or --depth]
    #[arg(long, value_name = "MS")]
    turn_ms: Option<u64>,
    /// Milliseconds a game [default: unlimited]
    #[arg(long, value_name = "MS")]
    match_ms: Option<u64>,
    /// Nodes a move
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Depth of a search
    #[arg(long, value_name = "N")]
    depth: Option<u64>,
    /// Threads of an engine
    #[arg(long, value_name = "N")]
    threads: Option<u64>,
    /// Memory of an engine [default: 350]
    #[arg(long, value_name = "MB")]
    memory_mb: Option<u64>,
}

impl LimitArguments {
    /// The limits meant: something always bounds a move.
    pub(super) fn limits(&self) -> Limits {
        Limits {
            turn_ms: self.turn_ms,
            match_ms: self.match_ms,
            nodes: self.nodes,
            depth: self.depth,
            threads: self.threads,
            memory: self.memory_mb.map(|mb| mb << 20),
        }
    }
}

/// Gives a turn limit to who has none: a generous one beside nodes or depth, else a second.
pub(super) fn bounded(mut limits: Limits) -> Limits {
    if limits.turn_ms.is_none() && limits.match_ms.is_none() {
        let counted = limits.nodes.is_some() || limits.depth.is_some();
        limits.turn_ms = Some(if counted { NODES_TURN_MS } else { 1000 });
    }
    limits
}

pub(super) fn parse_size(text: &str) -> Result<BoardSize, String> {
    let side = text.parse().map_err(|_| format!("'{text}' is no number"))?;
    BoardSize::try_new(side, side).map_err(|error| error.to_string())
}

fn parse_bounds(text: &str) -> Result<(f64, f64), String> {
    let bounds = text.split_once(',').and_then(|(zero, one)| {
        let number = |text: &str| text.trim().parse().ok().filter(|elo: &f64| elo.is_finite());
        Some((number(zero)?, number(one)?))
    });
    bounds
        .filter(|(zero, one)| zero < one)
        .ok_or_else(|| format!("'{text}' is not like 0,10, the smaller first"))
}

fn parse_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| *rate > 0.0 && *rate < 0.5);
    rate.ok_or_else(|| format!("'{text}' is not between 0 and 0.5"))
}

/// Reads the openings of a run, or gives the empty board; says also what identifies them.
fn read_openings(arguments: &Arguments) -> Result<(Vec<Opening>, String)> {
    let Some(path) = &arguments.openings else {
        return Ok((vec![Vec::new()], "none".to_string()));
    };
    let shown = path.display();
    let content = std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
    let openings = opening::parse_file(&content, arguments.size, arguments.rule);
    let openings = openings.map_err(|error| anyhow::anyhow!("{shown}: {error}"))?;
    let written: Vec<String> = openings.iter().map(|opening| text::moves(opening)).collect();
    let hash = fnv(written.join("\n").as_bytes());
    Ok((openings, format!("{} with hash {hash:016x}", written.len())))
}

fn prepare(arguments: Arguments) -> Result<Run> {
    let (openings, openings_name) = read_openings(&arguments)?;
    let limits = arguments.limits.limits();
    let mut engines = engine::settings(arguments.engines, &limits)?;
    if engines.len() < 2 {
        bail!("a run needs two engines: give --engine twice");
    }
    for engine in &mut engines {
        engine.limits = bounded(engine.limits.clone());
    }
    if arguments.sprt.is_some() && engines.len() > 2 {
        bail!("--sprt compares two engines, not {}", engines.len());
    }
    let identity = Identity {
        rule: text::rule_number(arguments.rule),
        size: arguments.size.width(),
        manner: arguments.manner,
        seed: arguments.seed,
        order: arguments.order,
        symmetries: arguments.symmetries,
        format: arguments.format.name().to_string(),
        openings: openings_name,
        max_moves: arguments.max_moves,
        adjudicate: arguments.adjudicate,
        engines: engines.clone(),
    };
    let (size, seed) = (arguments.size, arguments.seed);
    let openings = Sequence::new(openings, size, arguments.symmetries, arguments.order, seed);
    let rounds = arguments.games.div_ceil(2);
    if rounds > openings.period() {
        eprintln!(
            "note: {rounds} pairs from {} openings, so some are played again",
            openings.period()
        );
    }
    let plan = Plan {
        fingerprint: &identity.fingerprint(),
        format: arguments.format,
        engines: engines.len(),
        rounds,
        openings: &openings,
        shard: arguments.shard,
    };
    let sprt = arguments.sprt.map(|(elo0, elo1)| Sprt {
        elo0,
        elo1,
        alpha: arguments.alpha,
        beta: arguments.beta,
        model: arguments.sprt_model,
    });
    Ok(Run {
        tasks: plan.tasks(),
        identity,
        engines,
        game: GameSettings {
            rule: arguments.rule,
            size,
            manner: arguments.manner,
            max_moves: arguments.max_moves,
            adjudicate: arguments.adjudicate,
            tolerance: Duration::from_millis(arguments.tolerance_ms),
            startup: Duration::from_millis(arguments.startup_ms),
        },
        concurrency: arguments.concurrency,
        record: arguments.record,
        sprt,
        report_every: arguments.report_every,
    })
}

/// Plays the run and prints its table.
pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let run = prepare(arguments)?;
    let stop = super::stop_on_interrupt()?;
    let tally = run.play(&stop)?;
    print!("{}", table::table(&tally, run.sprt.as_ref()));
    Ok(ExitCode::SUCCESS)
}
