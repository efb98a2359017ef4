//! The program: a brain for Gomocup managers on stdin and stdout, or the bench.
//!
//! Owns the command line, the logger and the exit code. Nothing else reads arguments or the
//! environment. Without `RUST_LOG` nothing is ever written to stderr while the protocol runs:
//! managers read it as if it were stdout.

use std::env;
use std::fs::File;
use std::io::Write;
use std::panic;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use env_logger::{Builder, Env, Target};

const HELP: &str = "\
Usage: pbrain-tengen [COMMAND]

Without a command: speak the Gomocup protocol on stdin and stdout.

Commands:
  bench          search fixed positions and print the node count
  bench THREADS [DEPTH]
                 the time they take to a depth (14) with one thread and with so many, as
                 bench 2, on a quiet machine
  -h, --help     print this
  -V, --version  print the version

A log is written only if it is asked for, by the environment:
  TENGEN_LOG=FILE  to the end of FILE; warnings and errors, or what RUST_LOG says
  RUST_LOG=LEVEL   error, warn, info or debug, the whole dialogue; without TENGEN_LOG it goes to
                   stderr, which Piskvork and others read as if it were a move
";

fn main() -> Result<ExitCode> {
    start_log();
    let arguments: Vec<String> =
        env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {
            panic::set_hook(Box::new(|info| log::error!("{info}")));
            return Ok(tengen::protocol::run());
        }
        ["bench"] => tengen::bench::run(&mut std::io::stdout().lock())?,
        ["bench", threads] => compare_threads(threads, "14")?,
        ["bench", threads, depth] => compare_threads(threads, depth)?,
        ["-h" | "--help"] => print(HELP)?,
        ["-V" | "--version"] => print(&format!("pbrain-tengen {}\n", tengen::protocol::VERSION))?,
        _ => bail!("unknown arguments '{}'; try --help", arguments.join(" ")),
    }
    Ok(ExitCode::SUCCESS)
}

/// Times the bench with one and with several threads.
fn compare_threads(threads: &str, depth: &str) -> Result<()> {
    let number = |text: &str, most: u8| {
        let number = text.parse::<u8>().ok().filter(|number| (1..=most).contains(number));
        number.with_context(|| format!("bench takes numbers from 1 to {most}, not '{text}'"))
    };
    let (threads, depth) = (number(threads, 64)?, number(depth, 30)?);
    tengen::bench::compare_threads(&mut std::io::stdout().lock(), threads.into(), depth.into())
}

/// A file that cannot be opened is passed over: there is nobody to tell it to.
fn start_log() {
    match env::var_os("TENGEN_LOG").filter(|path| !path.is_empty()) {
        Some(path) => {
            if let Ok(file) = File::options().create(true).append(true).open(path) {
                Builder::from_env(Env::default().default_filter_or("warn"))
                    .target(Target::Pipe(Box::new(file)))
                    .init();
            }
        }
        None if env::var_os("RUST_LOG").is_some() => env_logger::init(),
        None => {}
    }
}

fn print(text: &str) -> Result<()> {
    std::io::stdout().write_all(text.as_bytes()).context("cannot write to stdout")
}
