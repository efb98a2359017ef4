//! Engines on the command line: `cmd=./a name=new nodes=1000`.
//!
//! Owns those words, and where the engine is that is built beside a tool. Must not start anything.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, bail};

use crate::settings::{EngineSettings, Limits};

/// What one `--engine` says.
///
/// Units: as the words say; `memory-mb` counts in 2^20 bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineWords {
    /// Program and arguments.
    pub command: Vec<String>,
    /// Name in tables and records.
    pub name: Option<String>,
    /// Folder to start it in.
    pub folder: Option<PathBuf>,
    /// What limits its thinking.
    pub limits: Limits,
    /// Further INFO keys and values.
    pub info: Vec<(String, String)>,
}

impl FromStr for EngineWords {
    type Err = String;

    /// Reads `key=value` words, or a bare command line.
    fn from_str(text: &str) -> Result<EngineWords, String> {
        let split =
            |text: &str| shlex::split(text).ok_or_else(|| format!("open quote in '{text}'"));
        let mut engine = EngineWords::default();
        if !text.split_whitespace().any(|word| word.starts_with("cmd=")) {
            engine.command = split(text)?;
            return if engine.command.is_empty() {
                Err("no command".to_string())
            } else {
                Ok(engine)
            };
        }
        for word in split(text)? {
            let (key, value) =
                word.split_once('=').ok_or_else(|| format!("'{word}' is not like key=value"))?;
            let number = || {
                value.parse::<u64>().map(Some).map_err(|_| format!("{key}: '{value}' is no number"))
            };
            match key {
                "cmd" => engine.command = split(value)?,
                "name" => engine.name = Some(value.to_string()),
                "dir" => engine.folder = Some(PathBuf::from(value)),
                "turn-ms" => engine.limits.turn_ms = number()?,
                "match-ms" => engine.limits.match_ms = number()?,
                "nodes" => engine.limits.nodes = number()?,
                "depth" => engine.limits.depth = number()?,
                "threads" => engine.limits.threads = number()?,
                "memory-mb" => engine.limits.memory = number()?.map(|mb| mb << 20),
                _ => match key.strip_prefix("info.") {
                    Some(key) => engine.info.push((key.to_string(), value.to_string())),
                    None => {
                        return Err(format!(
                            "'{key}' is not cmd, name, dir, turn-ms, match-ms, nodes, depth, threads, \
                         memory-mb or info.KEY"
                        ));
                    }
                },
            }
        }
        if engine.command.is_empty() {
            Err("cmd= names no program".to_string())
        } else {
            Ok(engine)
        }
    }
}

/// Where the engine is that is built beside this tool; nothing need be there.
///
/// # Errors
/// When the system does not tell where this program is.
pub fn path_beside() -> Result<PathBuf> {
    let own = std::env::current_exe().context("cannot tell where this program is")?;
    Ok(own.with_file_name(format!("pbrain-tengen{}", std::env::consts::EXE_SUFFIX)))
}

/// Names all engines and fills in what all share.
///
/// # Errors
/// When two have the same name.
pub fn settings(words: Vec<EngineWords>, shared: &Limits) -> Result<Vec<EngineSettings>> {
    let mut engines: Vec<EngineSettings> = Vec::new();
    for engine in words {
        let name = engine.name.unwrap_or_else(|| file_name(&engine.command));
        if engines.iter().any(|other| other.name == name) {
            bail!("two engines are named '{name}': give one another name, as in name=new");
        }
        let limits = engine.limits.or(shared);
        let (command, folder, info) = (engine.command, engine.folder, engine.info);
        engines.push(EngineSettings { name, command, folder, limits, info });
    }
    Ok(engines)
}

/// The program's file name without `pbrain-` and an extension.
pub fn file_name(command: &[String]) -> String {
    let stem = command.first().and_then(|program| Path::new(program).file_stem());
    let stem = stem.map_or("engine".into(), |stem| stem.to_string_lossy());
    stem.strip_prefix("pbrain-").unwrap_or(&stem).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_bare_commands_are_read() {
        let engine: EngineWords =
            "cmd='./a --x \"y z\"' name=new nodes=10 info.hash_size=64".parse().unwrap();
        assert_eq!(engine.command, ["./a", "--x", "y z"]);
        assert_eq!(engine.limits.nodes, Some(10));
        assert_eq!(engine.info, [("hash_size".to_string(), "64".to_string())]);
        let bare: EngineWords = "./pbrain-b --x=1".parse().unwrap();
        assert_eq!(bare.command, ["./pbrain-b", "--x=1"]);
        for bad in ["", "cmd=", "cmd=a nodes=x", "cmd=a foo=1", "cmd='a", "cmd=a b"] {
            assert!(bad.parse::<EngineWords>().is_err(), "{bad}");
        }
    }

    #[test]
    fn names_come_from_files_and_must_differ() {
        let words = |text: &str| text.parse::<EngineWords>().unwrap();
        let shared = Limits { turn_ms: Some(100), ..Limits::default() };
        let both = vec![words("./pbrain-a.exe"), words("cmd=./b turn-ms=7")];
        let engines = settings(both, &shared).unwrap();
        assert_eq!((engines[0].name.as_str(), engines[1].name.as_str()), ("a", "b"));
        assert_eq!((engines[0].limits.turn_ms, engines[1].limits.turn_ms), (Some(100), Some(7)));
        assert!(settings(vec![words("./a"), words("./x/a")], &shared).is_err());
    }
}
