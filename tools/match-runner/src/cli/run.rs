//! `match-runner run`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use manager::command::{self, EngineWords};
use manager::settings::{GameSettings, Limits, Manner};
use manager::text;
use tengen::base::hash::fnv1a;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;

use super::report::ReportArguments;
use crate::opening::{self, Opening, Order, Sequence, Shard};
use crate::output::progress::Progress;
use crate::record::Identity;
use crate::run::Run;
use crate::schedule::{Format, Plan};

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
    #[arg(long, default_value = "15", value_parser = text::parse_size)]
    size: BoardSize,
    /// Games of each pair of engines, rounded up to an even number
    #[arg(long, default_value_t = 100, value_name = "N")]
    games: usize,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    processes: ProcessArguments,
    #[command(flatten)]
    report: ReportArguments,
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

/// How engines are run as processes.
#[derive(Debug, Args)]
struct ProcessArguments {
    /// Games at the same time; more than there are processors makes the clocks unfair
    #[arg(long, short, default_value_t = 1, value_name = "N")]
    concurrency: usize,
    /// Keep the engines of each game on a processor of their own (Linux)
    #[arg(long)]
    pin: bool,
    /// Let an engine play many games in one process, each begun by START; what it remembers of
    /// earlier games is its own affair
    #[arg(long)]
    keep: bool,
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

/// Reads a file of openings.
pub(super) fn read_openings(path: &Path, size: BoardSize, rule: Rule) -> Result<Vec<Opening>> {
    let shown = path.display();
    let content = std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
    opening::parse_file(&content, size, rule).map_err(|error| anyhow!("{shown}: {error}"))
}

/// The openings of a run, or the empty board; says also what identifies them.
fn openings_of(arguments: &Arguments) -> Result<(Vec<Opening>, String)> {
    let Some(path) = &arguments.openings else {
        return Ok((vec![Vec::new()], "none".to_string()));
    };
    let openings = read_openings(path, arguments.size, arguments.rule)?;
    let written: Vec<String> = openings.iter().map(|opening| text::moves(opening)).collect();
    let hash = fnv1a(written.join("\n").into_bytes());
    Ok((openings, format!("{} with hash {hash:016x}", written.len())))
}

fn prepare(mut arguments: Arguments) -> Result<Run> {
    if arguments.manner == Manner::Judge && arguments.rule == Rule::Renju {
        // The judge calls a game of renju a draw when 25 squares are left.
        let most = arguments.size.area() - 25.min(arguments.size.area());
        arguments.max_moves = Some(arguments.max_moves.map_or(most, |moves| moves.min(most)));
    }
    let (openings, openings_name) = openings_of(&arguments)?;
    let limits = arguments.limits.limits();
    let mut engines = command::settings(arguments.engines, &limits)?;
    if engines.len() < 2 {
        bail!("a run needs two engines: give --engine twice");
    }
    for engine in &mut engines {
        engine.limits = bounded(engine.limits.clone());
    }
    if arguments.manner == Manner::Judge && cfg!(not(unix)) {
        bail!("the judge suspends processes, which this tool does on Unix systems only");
    }
    if arguments.manner == Manner::Judge && engines.iter().any(|e| e.limits.match_ms.is_none()) {
        bail!("the judge always sets a match time: give --match-ms, at Gomocup 180000 or 1000000");
    }
    if arguments.manner == Manner::Judge && arguments.processes.keep {
        bail!("the judge starts a process for each game: leave out --keep");
    }
    if arguments.report.sprt().is_some() && engines.len() > 2 {
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
        concurrency: arguments.processes.concurrency,
        record: arguments.record,
        sprt: arguments.report.sprt(),
        pin: arguments.processes.pin,
        keep: arguments.processes.keep,
    })
}

/// Says when so many games at once cannot have fair clocks.
fn warn_of_crowding(run: &Run) {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = run.engines.iter().filter_map(|engine| engine.limits.threads).max();
    let threads = usize::try_from(threads.unwrap_or(1)).unwrap_or(usize::MAX).max(1);
    let wanted = run.concurrency.saturating_mul(threads);
    let timed = run.engines.iter().any(|engine| engine.limits.nodes.is_none());
    if wanted > processors && timed {
        eprintln!(
            "warning: {wanted} threads will think on {processors} processors, so the clocks are \
             unfair; lower --concurrency"
        );
    }
}

/// Plays the run and prints its table.
pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let every = arguments.report_every;
    let report = arguments.report.clone();
    let run = prepare(arguments)?;
    let names: Vec<String> = run.engines.iter().map(|engine| engine.name.clone()).collect();
    let reporting = report.reporting(&names, every)?;
    warn_of_crowding(&run);
    let stop = super::stop_on_interrupt()?;
    let mut progress = Progress::new(reporting.clone(), run.tasks.len());
    let tally = run.play(&stop, &mut progress)?;
    let games = progress.finish();
    report.print(&tally, &games, &reporting, run.tasks.len())?;
    if run.is_open(&tally) {
        eprintln!("stopped; with --record the same command goes on from here");
        return Ok(ExitCode::from(130));
    }
    Ok(ExitCode::SUCCESS)
}
