//! Many games at once: files and folders of them, their hash, and which are held out.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tengen::base::hash::fnv1a;
use tengen::base::rng::Rng;
use tengen::types::rule::Rule;

use crate::format::v1::encode_game;
use crate::{Game, Reader};

/// What was read.
#[derive(Clone, Debug, Default)]
pub struct Games {
    /// Of the rule that was asked for, file by file, by number.
    pub list: Vec<Game>,
    /// Games of other rules.
    pub others: usize,
    /// Bytes that could not be read.
    pub damaged: usize,
    /// How the games were made, each way once.
    pub notes: Vec<String>,
}

/// The files of a path: itself, or all record files of a folder.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let file = entry?.path();
        if file.extension().is_some_and(|extension| extension == "rec") {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

impl Games {
    /// Reads the games of a rule from files and folders.
    ///
    /// # Errors
    /// The path and why it could not be read.
    pub fn read(paths: &[PathBuf], rule: Rule) -> Result<Games, (PathBuf, io::Error)> {
        let mut all = Games::default();
        for path in paths {
            let mut found = Vec::new();
            for file in files(path).map_err(|error| (path.clone(), error))? {
                let mut reader = Reader::open(&file).map_err(|error| (file.clone(), error))?;
                found.extend(reader.games());
                all.damaged += reader.damage().bytes();
                for note in reader.notes() {
                    if !all.notes.contains(note) {
                        all.notes.push(note.clone());
                    }
                }
            }
            // Which thread played a game is chance.
            found.sort_by_key(|game| game.number);
            found.dedup();
            let before = found.len();
            found.retain(|game| game.rule == rule);
            all.others += before - found.len();
            all.list.append(&mut found);
        }
        Ok(all)
    }

    /// FNV-1a of all games, for telling whether the data was the same. The bytes are those of
    /// version 1, so that the hashes beside older fits stay true.
    pub fn hash(&self) -> u64 {
        fnv1a(self.list.iter().flat_map(encode_game))
    }
}

/// Whether a game is held out; whole games are, since the positions of one are alike.
pub fn is_held_out(game: &Game, seed: u64, percent: u64) -> bool {
    let squares = game.moves.iter().map(|mv| mv.square.index() as u64);
    let mixed = squares.fold(seed, |mixed, square| Rng::new(mixed ^ square).next_u64());
    mixed % 100 < percent
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode_file;
    use crate::tests::random_game;

    #[test]
    fn a_folder_is_the_same_games_however_they_are_spread() {
        let mut rng = Rng::new(8);
        let mut game = |number| Game { rule: Rule::Renju, ..random_game(&mut rng, number) };
        let games: Vec<Game> = (0..6).map(&mut game).collect();
        let other = Game { rule: Rule::Caro, ..game(9) };
        let read = |parts: [Vec<&Game>; 2]| {
            let folder = tempfile::tempdir().unwrap();
            for (name, part) in ["00.rec", "01.rec"].iter().zip(parts) {
                fs::write(folder.path().join(name), encode_file("a note", part)).unwrap();
            }
            fs::write(folder.path().join("notes.txt"), "no records").unwrap();
            Games::read(&[folder.path().to_owned()], Rule::Renju).unwrap()
        };
        let one = read([games.iter().collect(), vec![&other]]);
        let two =
            read([vec![&games[4], &games[1]], vec![&games[0], &games[5], &games[3], &games[2]]]);
        assert_eq!(one.list, games);
        assert_eq!((one.others, two.others), (1, 0));
        assert_eq!(one.hash(), two.hash());
        assert_eq!(one.notes, ["a note"]);
        let fewer = read([games[1..].iter().collect(), vec![]]);
        assert_ne!(fewer.hash(), one.hash());
    }

    #[test]
    fn some_games_are_held_out_and_always_the_same_ones() {
        let mut rng = Rng::new(3);
        let games: Vec<Game> = (0..300).map(|number| random_game(&mut rng, number)).collect();
        let held_out =
            |seed| -> Vec<bool> { games.iter().map(|game| is_held_out(game, seed, 10)).collect() };
        let count = held_out(1).iter().filter(|&&held| held).count();
        assert!((10..60).contains(&count), "{count}");
        assert_eq!(held_out(1), held_out(1));
        assert_ne!(held_out(1), held_out(2));
    }
}
