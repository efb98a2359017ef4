//! A run: threads that play, each with its file, and what was there before.
//!
//! Owns which games are still to be played. Game numbers count from 0; all files of the folder
//! together say which of them are done, so a run is continued with any number of threads. Must
//! not know what is in a game beyond counting it.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;

use records::format::VERSION;
use records::{Damage, End, Game, Reader, Writer};
use tengen::types::color::{ByColor, Color};

use crate::play::{Player, Settings};

/// When a run is done.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    /// These are the games 0 to n - 1.
    Games(u64),
    /// So many positions were searched; all games that are begun by then are finished.
    Positions(u64),
}

/// What there is so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) games: u64,
    /// Moves of all games, openings included.
    pub(crate) moves: u64,
    /// Positions that were searched.
    pub(crate) positions: u64,
    /// Those of them without a proven score.
    pub(crate) open_positions: u64,
    pub(crate) wins: ByColor<u64>,
    pub(crate) ends: [u64; End::ALL.len()],
}

impl Tally {
    fn add(&mut self, game: &Game) {
        self.games += 1;
        self.moves += game.moves.len() as u64;
        self.positions += game.searched() as u64;
        let is_open = |mv: &&records::Move| mv.score.is_some_and(|score| !score.is_decided());
        self.open_positions += game.moves.iter().filter(is_open).count() as u64;
        for color in Color::ALL {
            self.wins[color] += u64::from(game.winner == Some(color));
        }
        self.ends[game.end as usize] += 1;
    }
}

/// Why a run failed.
#[derive(Debug)]
pub(crate) enum RunError {
    /// A file could not be read or written.
    File(PathBuf, io::Error),
    /// A file is of an older version of the format.
    OldFormat(PathBuf, u16),
    /// A file was made with other settings: both notes.
    OtherSettings(PathBuf, String, String),
    /// A file has damage that no interruption explains.
    Damaged(PathBuf, Damage),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::File(path, error) => write!(f, "{}: {error}", path.display()),
            RunError::OldFormat(path, version) => write!(
                f,
                "{} is of version {version} of the format, which is read but no longer written; \
                 choose another folder",
                path.display()
            ),
            RunError::OtherSettings(path, found, expected) => write!(
                f,
                "{} was made with other settings; choose another folder\n  found: {found}\n  \
                 asked: {expected}",
                path.display()
            ),
            RunError::Damaged(path, damage) => {
                write!(f, "{}: {} bytes are damaged", path.display(), damage.lost)
            }
        }
    }
}

impl std::error::Error for RunError {}

/// The file of a thread.
fn shard(folder: &Path, thread: usize) -> PathBuf {
    folder.join(format!("{thread:02}.rec"))
}

/// Reads a file of an earlier run and opens it to be continued.
fn resume(path: &Path, note: &str, mut each: impl FnMut(&Game)) -> Result<Writer, RunError> {
    let file_error = |error| RunError::File(path.to_owned(), error);
    let mut reader = Reader::open(path).map_err(file_error)?;
    if reader.version() != VERSION {
        return Err(RunError::OldFormat(path.to_owned(), reader.version()));
    }
    reader.games().for_each(|game| each(&game));
    match reader.notes().first() {
        Some(found) if found == note => {}
        found => {
            let found = found.cloned().unwrap_or_default();
            return Err(RunError::OtherSettings(path.to_owned(), found, note.to_owned()));
        }
    }
    if reader.damage().lost > 0 {
        return Err(RunError::Damaged(path.to_owned(), reader.damage()));
    }
    Writer::resume(path, &reader).map_err(file_error)
}

/// Plays until the goal is reached, continuing what is in the folder; `watch` hears of the
/// state at the start and after each game.
pub(crate) fn run(
    settings: &Settings,
    folder: &Path,
    threads: usize,
    goal: Goal,
    mut watch: impl FnMut(&Tally),
) -> Result<Tally, RunError> {
    fs::create_dir_all(folder).map_err(|error| RunError::File(folder.to_owned(), error))?;
    let note = settings.note();
    let mut tally = Tally::default();
    let mut done = HashSet::new();
    let mut writers = Vec::new();
    for thread in 0.. {
        let path = shard(folder, thread);
        if path.exists() {
            writers.push(resume(&path, &note, |game| {
                if done.insert(game.number) {
                    tally.add(game);
                }
            })?);
        } else if thread < threads {
            let writer = Writer::create(&path, &note);
            writers.push(writer.map_err(|error| RunError::File(path, error))?);
        } else {
            break;
        }
    }
    writers.truncate(threads);
    watch(&tally);

    let next = AtomicU64::new(0);
    let is_done = AtomicBool::new(match goal {
        Goal::Games(_) => false,
        Goal::Positions(most) => tally.positions >= most,
    });
    let last = match goal {
        Goal::Games(games) => games,
        Goal::Positions(_) => u64::MAX,
    };
    let take = || {
        while !is_done.load(Relaxed) {
            let number = next.fetch_add(1, Relaxed);
            if number >= last {
                break;
            }
            if !done.contains(&number) {
                return Some(number);
            }
        }
        None
    };
    let (sender, games) = mpsc::channel();
    std::thread::scope(|scope| {
        for (thread, mut writer) in writers.into_iter().enumerate() {
            let (sender, take) = (sender.clone(), &take);
            scope.spawn(move || {
                let mut player = Player::new(settings);
                while let Some(number) = take() {
                    let game = player.play(number);
                    let written = writer.write(&game);
                    let failed = written.is_err();
                    let message = written
                        .map(|()| game)
                        .map_err(|error| RunError::File(shard(folder, thread), error));
                    if sender.send(message).is_err() || failed {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut failure = None;
        for message in games {
            match message {
                Ok(game) => tally.add(&game),
                Err(error) => {
                    failure = Some(error);
                    is_done.store(true, Relaxed);
                }
            }
            if let Goal::Positions(most) = goal
                && tally.positions >= most
            {
                is_done.store(true, Relaxed);
            }
            watch(&tally);
        }
        failure.map_or(Ok(()), Err)
    })?;
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::Openings;
    use tengen::types::rule::Rule;
    use tengen::types::size::BoardSize;

    fn settings() -> Settings {
        Settings {
            rule: Rule::Freestyle,
            size: BoardSize::square(11),
            nodes: 100,
            seed: 9,
            openings: Openings::Random { balance: 300 },
            explore: 20,
            explore_plies: 10,
            blunders: 5,
            end_below: 7,
            most_moves: 60,
            table_bytes: 1 << 20,
        }
    }

    /// All games of a folder by number.
    fn games(folder: &Path) -> Vec<Game> {
        let mut all = Vec::new();
        for thread in 0..9 {
            if let Ok(mut reader) = Reader::open(&shard(folder, thread)) {
                all.extend(reader.games());
            }
        }
        all.sort_by_key(|game| game.number);
        all
    }

    #[test]
    fn a_torn_run_is_continued_with_other_threads_to_the_same_games() {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let [whole, torn] = [folders[0].path(), folders[1].path()];
        let settings = settings();
        let tally = run(&settings, whole, 1, Goal::Games(12), |_| ()).unwrap();
        assert_eq!(tally.games, 12);

        run(&settings, torn, 3, Goal::Games(7), |_| ()).unwrap();
        let first = shard(torn, 0);
        let length = fs::metadata(&first).unwrap().len();
        fs::OpenOptions::new().write(true).open(&first).unwrap().set_len(length - 3).unwrap();
        let tally = run(&settings, torn, 2, Goal::Games(12), |_| ()).unwrap();
        assert_eq!(tally.games, 12);
        assert_eq!(games(torn), games(whole));
    }

    #[test]
    fn a_run_of_other_settings_is_not_continued() {
        let folder = tempfile::tempdir().unwrap();
        run(&settings(), folder.path(), 1, Goal::Games(1), |_| ()).unwrap();
        let other = Settings { nodes: 101, ..settings() };
        let error = run(&other, folder.path(), 1, Goal::Games(2), |_| ()).unwrap_err();
        assert!(matches!(error, RunError::OtherSettings(..)), "{error}");
    }

    #[test]
    fn a_run_of_an_older_format_is_not_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = shard(folder.path(), 0);
        run(&settings(), folder.path(), 1, Goal::Games(1), |_| ()).unwrap();
        let mut bytes = fs::read(&path).unwrap();
        bytes[6] = 1;
        fs::write(&path, &bytes).unwrap();
        let error = run(&settings(), folder.path(), 1, Goal::Games(2), |_| ()).unwrap_err();
        assert!(error.to_string().contains("is of version 1 of the format"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }

    #[test]
    fn a_goal_of_positions_is_reached() {
        let folder = tempfile::tempdir().unwrap();
        let tally = run(&settings(), folder.path(), 2, Goal::Positions(100), |_| ()).unwrap();
        assert!((100..300).contains(&tally.positions), "{}", tally.positions);
        let again = run(&settings(), folder.path(), 2, Goal::Positions(100), |_| ()).unwrap();
        assert_eq!(again.games, tally.games);
    }
}
