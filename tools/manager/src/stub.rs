//! A brain that plays badly on purpose.
//!
//! Owns a few ways of misbehaving, so that this tool, or any other manager, can be tried without
//! an engine. Understands just enough of the protocol.

use std::collections::HashSet;
use std::io::{self, BufRead, Write};
use std::thread;
use std::time::Duration;

use tengen::base::rng::Rng;

use crate::text;

/// What a stub does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Habit {
    /// The first empty square, row by row
    First,
    /// Any empty square, by --seed
    Random,
    /// Never answers a request for a move
    Hang,
    /// Never answers START
    Mute,
    /// Ends with status 3 instead of moving
    Crash,
    /// Plays on an occupied square
    Illegal,
    /// Answers ERROR instead of moving
    Error,
    /// Answers after --ms
    Slow,
    /// Answers each request twice
    Twice,
    /// Writes bytes that are no text, and orders for the terminal, instead of moving
    Garble,
    /// Never stops writing instead of moving
    Flood,
    /// Says what it thinks and what it was told for --ms, then moves
    Talk,
    /// Allocates 32 MiB a move and keeps it
    Grow,
    /// Cannot be ended by END or by closing its input
    Stay,
}

/// Settings of a stub.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Arguments {
    /// What it does
    #[arg(value_enum)]
    habit: Habit,
    /// The move from which on it does so; it plays the first empty square before
    #[arg(long, default_value_t = 1)]
    from: u32,
    /// Milliseconds that `slow` waits
    #[arg(long, default_value_t = 1000)]
    ms: u64,
    /// Seed of `random`
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Speaks the protocol on stdin and stdout until END.
///
/// # Errors
/// When stdin or stdout fails.
pub fn run(arguments: Arguments) -> io::Result<()> {
    let mut stub = Stub {
        arguments,
        size: 15,
        stones: HashSet::new(),
        moves: 0,
        rng: Rng::new(arguments.seed),
        hoard: Vec::new(),
        told: Vec::new(),
    };
    let mut block = false;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match word.to_ascii_uppercase().as_str() {
            "INFO" => stub.told.push(rest.to_string()),
            "START" if arguments.habit == Habit::Mute => {}
            "START" => {
                stub.size = rest.parse().unwrap_or(15);
                stub.stones.clear();
                stub.told.clear();
                say("OK")?;
            }
            "BOARD" => {
                stub.stones.clear();
                block = true;
            }
            "DONE" => {
                block = false;
                stub.answer()?;
            }
            "BEGIN" => stub.answer()?,
            "TURN" => {
                stub.stones.extend(text::parse_pair(rest));
                stub.answer()?;
            }
            "END" if arguments.habit != Habit::Stay => return Ok(()),
            _ if block => {
                let point = line.rsplit_once(',').and_then(|(point, _)| text::parse_pair(point));
                stub.stones.extend(point);
            }
            _ => {}
        }
    }
    if arguments.habit == Habit::Stay {
        // Long enough for any manager to lose patience.
        thread::sleep(Duration::from_hours(1));
    }
    Ok(())
}

struct Stub {
    arguments: Arguments,
    size: i64,
    stones: HashSet<(i64, i64)>,
    moves: u32,
    rng: Rng,
    hoard: Vec<Vec<u8>>,
    /// The INFO lines since START.
    told: Vec<String>,
}

impl Stub {
    fn answer(&mut self) -> io::Result<()> {
        self.moves += 1;
        let habit =
            if self.moves >= self.arguments.from { self.arguments.habit } else { Habit::First };
        let empty: Vec<(i64, i64)> = (0..self.size)
            .flat_map(|y| (0..self.size).map(move |x| (x, y)))
            .filter(|point| !self.stones.contains(point))
            .collect();
        let Some(&first) = empty.first() else { return say("ERROR the board is full") };
        let point = match habit {
            Habit::Random => empty[self.rng.below(empty.len())],
            Habit::Illegal => self.stones.iter().next().copied().unwrap_or((-1, -1)),
            _ => first,
        };
        match habit {
            Habit::Hang => return Ok(()),
            Habit::Crash => std::process::exit(3),
            Habit::Error => return say("ERROR no move today"),
            Habit::Slow => thread::sleep(Duration::from_millis(self.arguments.ms)),
            Habit::Garble => {
                // Not UTF-8, a bell, an order to clear the screen, a zero.
                let mut out = io::stdout().lock();
                out.write_all(b"\xff\xfe\x07\x1b[2J\x1b[31m\0 garble\n")?;
                return out.flush();
            }
            Habit::Flood => loop {
                say("MESSAGE depth 1-1 ev 0 n 1 n/ms 1 tm 1 pv")?;
            },
            Habit::Talk => self.talk(point)?,
            Habit::Grow => self.hoard.push(vec![1; 32 << 20]),
            _ => {}
        }
        self.stones.insert(point);
        let answer = format!("{},{}", point.0, point.1);
        if habit == Habit::Twice {
            say(&answer)?;
        }
        say(&answer)
    }
}

impl Stub {
    /// What an engine says while it thinks, and, as reasons, what it was told.
    fn talk(&self, (x, y): (i64, i64)) -> io::Result<()> {
        let letter = |x: i64| char::from(b'A' + u8::try_from(x.clamp(0, 25)).unwrap_or(0));
        let (column, row) = (letter(x), y + 1);
        say(&format!("MESSAGE depth 7-9 ev 120 n 1500 n/ms 100 tm 15 pv {column}{row}"))?;
        thread::sleep(Duration::from_millis(self.arguments.ms));
        say(&format!("MESSAGE depth 12-17 ev -60 n 64K n/ms 100 tm 640 pv {column}{row}"))?;
        for key in ["level", "explain"] {
            let told = self.told.iter().rev().find(|told| told.starts_with(key));
            say(&format!("MESSAGE why told {}", told.map_or("nothing", String::as_str)))?;
        }
        Ok(())
    }
}

/// One line as one write.
fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(format!("{line}\n").as_bytes())?;
    out.flush()
}
