//! What a game leaves behind, and the file of them.
//!
//! A record file holds JSON lines: first what the run is, then one line a game. It only grows,
//! and only by whole lines, each forced to disk; what a lost machine left of a last line is cut
//! off when the file is opened again. Must not know how games are played or counted.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use manager::brain::{Failure, Note};
use manager::settings::{EngineSettings, Manner};
use serde::{Deserialize, Serialize};
use tengen::base::hash::fnv1a;

use crate::opening::Order;

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The first mover.
    Black,
    /// The second mover.
    White,
    /// Nobody.
    Draw,
}

/// How a game ended; [`GameRecord::outcome`] says for whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum End {
    /// The last move won.
    Five,
    /// No empty square was left.
    FullBoard,
    /// So many moves were agreed to be a draw.
    MoveLimit,
    /// The side to move had a five on the board, and the run ends games there.
    Adjudicated,
    /// The last move was a foul under renju.
    Forbidden,
    /// The side to move wrote a line that is no legal move.
    Illegal {
        /// That line.
        line: String,
    },
    /// The side to move was too slow.
    OutOfTime {
        /// What was allowed, without the tolerance.
        limit_ms: u64,
        /// What was taken, or waited in vain, beyond it.
        over_ms: u64,
        /// Whether an answer came at all.
        answered: bool,
    },
    /// The side to move ended or closed its output.
    Crashed {
        /// Its exit status, or what went wrong.
        reason: String,
    },
    /// The judge's manner only: the mover used too much memory or disk.
    OverLimit {
        /// What, and how much.
        reason: String,
    },
}

impl End {
    /// Whether an engine broke down rather than lost.
    pub fn is_abnormal(&self) -> bool {
        !matches!(
            self,
            End::Five | End::FullBoard | End::MoveLimit | End::Adjudicated | End::Forbidden
        )
    }

    /// The end a failure means, or none when the run was stopped.
    pub fn from_failure(failure: Failure) -> Option<End> {
        Some(match failure {
            Failure::OutOfTime { limit_ms, over_ms, answered } => {
                End::OutOfTime { limit_ms, over_ms, answered }
            }
            Failure::Crashed { reason } => End::Crashed { reason },
            Failure::Illegal { line } => End::Illegal { line },
            Failure::OverLimit { reason } => End::OverLimit { reason },
            Failure::Stopped => return None,
        })
    }

    /// A few words for people.
    pub fn words(&self) -> String {
        match self {
            End::Five => "five in a row".to_string(),
            End::FullBoard => "the board is full".to_string(),
            End::MoveLimit => "move limit".to_string(),
            End::Adjudicated => "five available".to_string(),
            End::Forbidden => "forbidden move".to_string(),
            End::Illegal { line } => format!("illegal: '{line}'"),
            End::OutOfTime { limit_ms, over_ms, answered: true } => {
                format!("out of time: {over_ms} ms beyond {limit_ms} ms")
            }
            End::OutOfTime { limit_ms, over_ms, answered: false } => {
                format!("out of time: no answer {over_ms} ms after {limit_ms} ms")
            }
            End::Crashed { reason } => format!("crashed: {reason}"),
            End::OverLimit { reason } => format!("over the limit: {reason}"),
        }
    }
}

/// One move that a brain made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// Letter and number, `h8`.
    #[serde(rename = "m")]
    pub point: String,
    /// Milliseconds used.
    pub ms: u64,
    /// Milliseconds beyond the limit, within the tolerance.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub over: u64,
    /// The judge's manner only: KiB private to the brain's process after the move.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub kib: u64,
    /// What the brain said about its search.
    #[serde(flatten)]
    pub note: Note,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(value: &u64) -> bool {
    *value == 0
}

/// One game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The same for the same game of the same run, wherever and however often it is played.
    pub key: String,
    /// Number of its pair in the run.
    pub pair: u64,
    /// 0 or 1: which of the pair's two games.
    pub half: u8,
    /// Rule number as in `INFO rule`.
    pub rule: u8,
    /// Side of the board.
    pub size: u8,
    /// Name of the engine that had Black.
    pub black: String,
    /// Name of the engine that had White.
    pub white: String,
    /// The moves that were given, `h8i9`.
    pub opening: String,
    /// The moves that were played after them.
    pub moves: Vec<MoveRecord>,
    /// Who won.
    pub outcome: Outcome,
    /// How.
    pub end: End,
    /// Seconds since 1970 at its start.
    pub started: u64,
    /// Milliseconds it took.
    pub took_ms: u64,
    /// What the brain at fault and the runner said last, after an abnormal end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub last_lines: Vec<String>,
}

impl GameRecord {
    /// The pair's name, the same for both its games.
    pub fn pair_key(&self) -> &str {
        self.key.rsplit_once('-').map_or(&self.key, |(pair, _)| pair)
    }
}

/// What a run is: two runs with equal identities play the same games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Rule number as in `INFO rule`.
    pub rule: u8,
    /// Side of the board.
    pub size: u8,
    /// Whose habits the runner follows.
    pub manner: Manner,
    /// Seed of the order of openings.
    pub seed: u64,
    /// Order of openings.
    pub order: Order,
    /// Whether openings are turned and mirrored.
    pub symmetries: bool,
    /// Which engines meet: `round-robin` or `gauntlet`.
    pub format: String,
    /// A hash of the openings.
    pub openings: String,
    /// A draw after so many moves.
    pub max_moves: Option<usize>,
    /// Whether a game ends when the side to move has a five.
    pub adjudicate: bool,
    /// Names and limits of the engines.
    pub engines: Vec<EngineSettings>,
}

impl Identity {
    /// Sixteen hexadecimal digits that differ between runs. An engine's command and folder do not
    /// count, since the same engine may lie elsewhere on another machine.
    pub fn fingerprint(&self) -> String {
        let mut same = self.clone();
        for engine in &mut same.engines {
            engine.command.clear();
            engine.folder = None;
        }
        format!("{:016x}", fnv1a(serde_json::to_string(&same).unwrap_or_default().into_bytes()))
    }
}

/// One line of a record file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Entry {
    /// What the games after it belong to.
    Run(Identity),
    /// A game.
    Game(GameRecord),
}

/// Reads entries, leaving out what is left of an unfinished last line.
///
/// # Errors
/// The number of a line that is no entry.
pub fn parse(content: &[u8]) -> Result<Vec<Entry>> {
    let whole = content.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut entries = Vec::new();
    for (index, line) in content[..whole].split(|&byte| byte == b'\n').enumerate() {
        if !line.trim_ascii().is_empty() {
            let entry = serde_json::from_slice(line);
            entries.push(entry.with_context(|| format!("line {} is no record", index + 1))?);
        }
    }
    Ok(entries)
}

/// Reads a record file.
///
/// # Errors
/// When it cannot be read, or holds something else.
pub fn read(path: &Path) -> Result<Vec<Entry>> {
    let content = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(&content).with_context(|| path.display().to_string())
}

/// A record file open for writing, locked against other runs.
#[derive(Debug)]
pub struct RecordFile {
    file: File,
}

impl RecordFile {
    /// Opens or creates the file of a run; gives also the games that are in it already.
    ///
    /// # Errors
    /// When it cannot be opened, is in use, or belongs to a different run.
    pub fn open(path: &Path, identity: &Identity) -> Result<(RecordFile, Vec<GameRecord>)> {
        let shown = path.display();
        let file = OpenOptions::new().read(true).append(true).create(true).open(path);
        let mut file = file.with_context(|| format!("cannot open {shown}"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("{shown} is in use by another run"),
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock {shown}"));
            }
        }
        let mut content = Vec::new();
        file.read_to_end(&mut content).with_context(|| format!("cannot read {shown}"))?;
        let entries = parse(&content).with_context(|| shown.to_string())?;
        let whole = content.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        if whole < content.len() {
            file.set_len(whole as u64).with_context(|| format!("cannot shorten {shown}"))?;
            file.seek(SeekFrom::End(0))?;
        }
        let mut games = Vec::new();
        let mut known = false;
        for entry in entries {
            match entry {
                Entry::Run(found) if found.fingerprint() == identity.fingerprint() => known = true,
                Entry::Run(found) => bail!(
                    "{shown} belongs to a run with {}; name another file, or the same settings",
                    difference(&found, identity)
                ),
                Entry::Game(game) => games.push(game),
            }
        }
        let mut record = RecordFile { file };
        if !known {
            record.append(&Entry::Run(identity.clone()))?;
        }
        Ok((record, games))
    }

    /// Adds a line and forces it to disk.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append(&mut self, entry: &Entry) -> Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        self.file.write_all(&line).context("cannot write the record file")?;
        self.file.sync_data().context("cannot write the record file")
    }
}

/// The first setting two runs differ in, with the value of the first.
fn difference(found: &Identity, wanted: &Identity) -> String {
    let value = |identity: &Identity| serde_json::to_value(identity).unwrap_or_default();
    let (found, wanted) = (value(found), value(wanted));
    let fields = found.as_object().into_iter().flatten();
    let mut other = fields.filter(|(field, value)| wanted.get(field) != Some(value));
    match other.next() {
        Some((field, value)) => format!("{field} {value}"),
        None => "other settings".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::tests::game;
    use manager::settings::Limits;

    fn identity() -> Identity {
        let engine = EngineSettings {
            name: "a".to_string(),
            command: vec!["./a".to_string()],
            folder: None,
            limits: Limits { nodes: Some(5), ..Limits::default() },
            info: Vec::new(),
        };
        Identity {
            rule: 0,
            size: 15,
            manner: Manner::Plain,
            seed: 1,
            order: Order::Random,
            symmetries: false,
            format: "round-robin".to_string(),
            openings: "none".to_string(),
            max_moves: None,
            adjudicate: false,
            engines: vec![engine],
        }
    }

    #[test]
    fn entries_round_trip_and_half_a_line_is_left_out() {
        let mut lost = game(3, 1, Outcome::Draw);
        for end in [
            End::OutOfTime { limit_ms: 1, over_ms: 2, answered: false },
            End::Crashed { reason: "x".to_string() },
            End::FullBoard,
        ] {
            lost.end = end;
            let entries = [Entry::Run(identity()), Entry::Game(lost.clone())];
            let lines = entries.iter().map(|entry| serde_json::to_string(entry).unwrap() + "\n");
            let content: String = lines.collect();
            assert_eq!(parse(content.as_bytes()).unwrap(), entries);
            let torn = &content.as_bytes()[..content.len() - 1];
            assert_eq!(parse(torn).unwrap(), entries[..1]);
        }
    }

    #[test]
    fn a_line_that_is_no_record_is_named() {
        let error = parse(b"\n{\"type\":\"run\"}\n").unwrap_err();
        assert!(error.to_string().starts_with("line 2"), "{error}");
    }

    #[test]
    fn runs_are_the_same_wherever_their_engines_lie() {
        let here = identity();
        let mut there = here.clone();
        there.engines[0].command = vec!["/elsewhere/a".to_string()];
        assert_eq!(here.fingerprint(), there.fingerprint());
        there.engines[0].limits.nodes = Some(6);
        assert_ne!(here.fingerprint(), there.fingerprint());
        assert!(difference(&here, &there).starts_with("engines"));
    }

    // Published with the reference implementation of the hash.
    #[test]
    fn games_of_a_pair_share_its_name() {
        assert_eq!(game(12, 1, Outcome::Draw).pair_key(), "run-12");
    }
}
