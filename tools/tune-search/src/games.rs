//! The games of a trial: one call of match-runner.
//!
//! Owns its command line and what of its answer counts. Must not know what is tuned or why.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tengen::base::params::Tunable;

/// How games are played.
#[derive(Clone, Debug)]
pub(crate) struct Games {
    /// The program match-runner.
    pub(crate) runner: PathBuf,
    /// A `tune` build of the engine.
    pub(crate) brain: PathBuf,
    /// Games of a trial, even: each opening with both colors.
    pub(crate) count: u32,
    /// Games at once.
    pub(crate) concurrency: u32,
    /// What else match-runner is told: rule, size, openings, limits.
    pub(crate) options: Vec<String>,
}

/// Why there is no result.
#[derive(Debug)]
pub(crate) enum GamesError {
    /// The program could not be run.
    Start(PathBuf, io::Error),
    /// It failed; its last words.
    Failed(String),
    /// It said something else than expected.
    Answer(String),
    /// Games ended by a fault of an engine, which says nothing of the numbers.
    Faults(u64),
}

impl fmt::Display for GamesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GamesError::Start(path, error) => write!(f, "cannot run {}: {error}", path.display()),
            GamesError::Failed(words) => write!(f, "match-runner failed: {words}"),
            GamesError::Answer(line) => write!(f, "expected a result, got '{line}'"),
            GamesError::Faults(count) => write!(f, "{count} games ended by a fault"),
        }
    }
}

impl std::error::Error for GamesError {}

impl Games {
    /// An engine with these numbers, in match-runner's words.
    fn engine(&self, name: &str, tunables: &[Tunable], numbers: &[i32]) -> String {
        let infos = tunables.iter().zip(numbers);
        let infos = infos.map(|(tunable, number)| format!(" info.tune_{}={number}", tunable.name));
        // Split as a shell does twice: the words of an engine, then its command.
        let command = quoted(&quoted(&self.brain.to_string_lossy()));
        format!("cmd={command} name={name}{}", infos.collect::<String>())
    }

    /// Plays the games of a trial; the lead of `up`, from -1 to 1.
    pub(crate) fn play(
        &self,
        seed: u64,
        tunables: &[Tunable],
        up: &[i32],
        down: &[i32],
    ) -> Result<f64, GamesError> {
        let mut command = Command::new(&self.runner);
        command
            .args(["run", "--json", "--engine", &self.engine("up", tunables, up)])
            .args(["--engine", &self.engine("down", tunables, down)])
            .args(["--games", &self.count.to_string(), "--seed", &seed.to_string()])
            .args(["--concurrency", &self.concurrency.to_string()])
            .args(["--order", "random", "--symmetries"])
            .args(&self.options)
            .stdin(Stdio::null());
        let output =
            command.output().map_err(|error| GamesError::Start(self.runner.clone(), error))?;
        if !output.status.success() {
            return Err(GamesError::Failed(complaint(&String::from_utf8_lossy(&output.stderr))));
        }
        lead(&String::from_utf8_lossy(&output.stdout))
    }
}

/// What a program that failed complained of: what it calls an error, else its last words.
fn complaint(words: &str) -> String {
    let mut lines = words.trim().lines();
    let error = lines.clone().find_map(|line| line.strip_prefix("error: "));
    error.or_else(|| lines.next_back()).unwrap_or("no word").to_owned()
}

/// A text as one word of a shell.
fn quoted(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte);
    if !text.is_empty() && text.bytes().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The lead of the first engine in the last result of an output.
fn lead(output: &str) -> Result<f64, GamesError> {
    let line = output.lines().rev().find(|line| line.contains("\"result\""));
    let line = line.unwrap_or(output.lines().last().unwrap_or(""));
    let wrong = || GamesError::Answer(line.chars().take(200).collect());
    let result: serde_json::Value = serde_json::from_str(line).map_err(|_| wrong())?;
    let pairing = &result["pairings"][0];
    if pairing["first"] != "up" {
        return Err(wrong());
    }
    let count = |name: &str| pairing[name].as_u64().ok_or_else(wrong);
    let (wins, draws, losses) = (count("wins")?, count("draws")?, count("losses")?);
    let engines = result["engines"].as_array().ok_or_else(wrong)?;
    let faults: u64 = engines.iter().filter_map(|engine| engine["faults"].as_u64()).sum();
    if faults > 0 {
        return Err(GamesError::Faults(faults));
    }
    let short = |count: u64| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    Ok((short(wins) - short(losses)) / short((wins + draws + losses).max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lead_is_read_from_the_last_result() {
        let line = |first: &str, faults: u32| {
            format!(
                "{{\"type\":\"result\",\"games\":8,\"pairings\":[{{\"first\":\"{first}\",\
                 \"second\":\"x\",\"wins\":5,\"draws\":1,\"losses\":2}}],\
                 \"engines\":[{{\"name\":\"up\",\"faults\":{faults}}},{{\"faults\":0}}]}}"
            )
        };
        let good = line("up", 0);
        let found = lead(&format!("{{\"type\":\"game\"}}\n{good}\n")).unwrap();
        assert!((found - 0.375).abs() < 1e-9);
        assert!(matches!(lead(&line("down", 0)), Err(GamesError::Answer(_))));
        assert!(matches!(lead(&line("up", 3)), Err(GamesError::Faults(3))));
        assert!(matches!(lead(""), Err(GamesError::Answer(_))));
        assert!(matches!(lead("{\"result\""), Err(GamesError::Answer(_))));
    }

    // The last line of a mistake on the command line only points to --help.
    #[test]
    fn a_failure_is_told_by_its_error() {
        let usage =
            "note: x\nerror: unexpected argument 'a'\n\nUsage: y\n\nFor more, try '--help'.\n";
        assert_eq!(complaint(usage), "unexpected argument 'a'");
        assert_eq!(complaint("one\ntwo\n"), "two");
        assert_eq!(complaint(""), "no word");
    }

    #[test]
    fn an_engine_is_told_its_numbers() {
        let games = Games {
            runner: "r".into(),
            brain: "b".into(),
            count: 2,
            concurrency: 1,
            options: vec![],
        };
        let tunables = [Tunable { name: "a", default: 1, min: 0, max: 9, step: 1 }];
        assert_eq!(games.engine("up", &tunables, &[7]), "cmd=b name=up info.tune_a=7");
        // A path with a blank was taken for a program and its argument.
        let games = Games { brain: "/my tools/b".into(), ..games };
        let words = r"cmd=''\''/my tools/b'\''' name=up info.tune_a=7";
        assert_eq!(games.engine("up", &tunables, &[7]), words);
    }
}
