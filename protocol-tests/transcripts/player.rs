//! Plays the steps of a transcript against a brain.
//!
//! Owns what a step means. What holds in every dialogue is checked by the harness.

use std::collections::HashMap;
use std::thread;
use std::time::Duration;

use super::language::{Case, Kind, Step, is_about, is_like};
use crate::grid::{Point, point, text};
use crate::harness::{Brain, Fault, Machine, Outcome, line_end};

/// Plays one case in a process of its own; `first` is sent before all else.
pub(super) fn play(machine: &Machine, place: &str, case: &Case, first: &[&str]) -> Outcome {
    let mut player = Player {
        brain: machine.brain(),
        names: HashMap::new(),
        end: line_end(),
        drip: Duration::ZERO,
        within: None,
    };
    for line in first {
        player.brain.send(line);
    }
    for (number, step) in &case.steps {
        let at = || format!("{place}, line {number} ({})", case.reason);
        if let Step::Exit(within) = step {
            let slack = player.brain.slack();
            return player.brain.exit(*within + slack).map_err(|fault| fault.at(&at()));
        }
        player.step(step).map_err(|fault| fault.at(&at()))?;
    }
    player.brain.finish().map_err(|fault| fault.at(&format!("{place}, after {}", case.reason)))
}

struct Player {
    brain: Brain,
    names: HashMap<String, Point>,
    end: &'static str,
    drip: Duration,
    within: Option<(Duration, bool)>,
}

impl Player {
    fn step(&mut self, step: &Step) -> Outcome {
        match step {
            Step::Send(lines) => {
                let mut bytes = Vec::new();
                for line in lines {
                    bytes.extend(self.with_names(line)?.into_bytes());
                    bytes.extend(self.end.as_bytes());
                }
                self.write(&bytes);
            }
            Step::Raw(bytes) => self.write(bytes),
            Step::Wait(time) => thread::sleep(*time),
            Step::Silent(time) => self.brain.silent(*time)?,
            Step::Within(time, sharp) => self.within = Some((*time, *sharp)),
            Step::Eof => self.brain.close_input(),
            Step::Ends(end) => self.end = end,
            Step::Drip(pause) => self.drip = *pause,
            Step::Near(name, point) => {
                let free = self.brain.grid().nearest_free(*point);
                self.names.insert(name.clone(), free.expect("a free point"));
            }
            Step::Expect(kinds, name) => self.expect(kinds, name.as_deref())?,
            Step::Exit(_) => unreachable!("ends the case"),
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.drip.is_zero() {
            return self.brain.write(bytes);
        }
        for byte in bytes {
            self.brain.write(&[*byte]);
            thread::sleep(self.drip);
        }
    }

    fn expect(&mut self, kinds: &[Kind], name: Option<&str>) -> Outcome {
        let line = if kinds.iter().any(is_message) { self.message(kinds)? } else { self.reply()? };
        let mut fits = false;
        for kind in kinds {
            fits |= self.fits(&line, kind)?;
        }
        self.brain.check(fits, &format!("{line:?}, expected {kinds:?}"))?;
        if let Some(name) = name {
            let mv = point(&line).ok_or_else(|| self.brain.wrong("only a move has a name"))?;
            self.names.insert(name.to_string(), mv);
        }
        Ok(())
    }

    /// The next line that is no MESSAGE.
    fn reply(&mut self) -> Result<String, Fault> {
        let reply = match self.within.take() {
            None => self.brain.reply(),
            Some((time, true)) => self.brain.reply_within(time),
            Some((time, false)) => self.brain.reply_within(time + self.brain.slack()),
        };
        Ok(reply?.line)
    }

    /// The next MESSAGE that was asked for; others before it are dropped, another line is not.
    fn message(&mut self, kinds: &[Kind]) -> Result<String, Fault> {
        loop {
            let (line, _) = self.brain.line(Duration::from_secs(1) + self.brain.slack())?;
            let wanted = kinds.iter().any(|k| matches!(k, Kind::Like(p) if is_like(&line, p)));
            if wanted || !line.starts_with("MESSAGE ") {
                return Ok(line);
            }
        }
    }

    fn fits(&self, line: &str, kind: &Kind) -> Result<bool, Fault> {
        let listed = |points: &[String]| -> Result<bool, Fault> {
            for point in points {
                if self.with_names(point)? == line {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        Ok(match kind {
            Kind::Like(pattern) => is_like(line, &self.with_names(pattern)?),
            Kind::Square(not) => point(line).is_some() && !listed(not)?,
            Kind::OneOf(points) => point(line).is_some() && listed(points)?,
            Kind::Swap2(stones) => self.is_swap_answer(line, *stones),
            Kind::Points(number) => self.are_free_points(line, &[*number]),
            Kind::About => is_about(line),
        })
    }

    /// Whether a line answers SWAP2BOARD with so many stones: different points, all free.
    fn is_swap_answer(&self, line: &str, stones: usize) -> bool {
        let counts: &[usize] = match stones {
            0 => &[3],
            3 => &[1, 2],
            _ => &[1],
        };
        if line == "SWAP" {
            return stones > 0;
        }
        self.are_free_points(line, counts)
    }

    /// Whether a line is a list of different points, all free, as many as one of the counts.
    fn are_free_points(&self, line: &str, counts: &[usize]) -> bool {
        let points: Option<Vec<Point>> = line.split(' ').map(point).collect();
        points.is_some_and(|points| {
            let mut taken = self.brain.swap_stones().to_vec();
            counts.contains(&points.len())
                && points.iter().all(|&point| {
                    let free = self.brain.grid().is_free(point) && !taken.contains(&point);
                    taken.push(point);
                    free
                })
        })
    }

    /// Puts points in for `$name`.
    fn with_names(&self, line: &str) -> Result<String, Fault> {
        let mut parts = line.split('$');
        let mut whole = parts.next().unwrap_or_default().to_string();
        for part in parts {
            let length = part.find(|sign: char| !sign.is_alphanumeric()).unwrap_or(part.len());
            let (name, after) = part.split_at(length);
            let point = self.names.get(name);
            let point =
                point.ok_or_else(|| self.brain.wrong(&format!("no point named {name:?}")))?;
            whole += &text(*point);
            whole += after;
        }
        Ok(whole)
    }
}

fn is_message(kind: &Kind) -> bool {
    matches!(kind, Kind::Like(pattern) if pattern.starts_with("MESSAGE"))
}
