//! Saving, opening, pictures, and the game that is left unsaved.
//!
//! Owns what is written where. Must not know the formats, which are [`manager::gamefile`]'s.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use manager::gamefile::{self, Format, Loaded, MOST_BYTES};
use manager::picture;
use tengen::types::rule::Rule;

use super::{App, center};
use crate::analysis::Analysis;
use crate::dialog::{Dialog, Purpose};
use crate::game::Game;

/// Where the game lies.
#[derive(Debug)]
pub(super) struct Place {
    /// Whether the game as it is lies in a file.
    pub(super) is_saved: bool,
    /// The file it came from or went to.
    pub(super) file: Option<PathBuf>,
    /// Where games go that are left unsaved; none where the system has no place for it.
    pub(super) kept: Option<PathBuf>,
}

/// Reads a game from a file.
///
/// # Errors
/// When it cannot be read or holds no game.
pub fn load(path: &Path, rule: Rule) -> Result<Loaded> {
    let shown = path.display();
    // To open a pipe may take for ever, so it is looked at first.
    let data = fs::metadata(path).with_context(|| format!("cannot open {shown}"))?;
    if !data.is_file() {
        bail!("{shown} is no file");
    }
    let file = fs::File::open(path).with_context(|| format!("cannot open {shown}"))?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read {shown}"))?;
    if bytes.len() as u64 > MOST_BYTES {
        bail!("{shown} is too large for a game");
    }
    gamefile::read(&bytes, rule).with_context(|| shown.to_string())
}

/// Writes a file so that a failure leaves the old one as it was.
///
/// # Errors
/// When it cannot be written.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut name = path.as_os_str().to_os_string();
    name.push(".new");
    let new = PathBuf::from(name);
    fs::write(&new, text)?;
    fs::rename(&new, path).inspect_err(|_| {
        // What is half done is of no use to anybody.
        let _ = fs::remove_file(&new);
    })
}

/// The format a name asks for.
fn format_of(path: &Path) -> Option<Format> {
    let extension = path.extension()?.to_string_lossy().to_ascii_lowercase();
    match extension.as_str() {
        "sgf" => Some(Format::Sgf),
        "psq" => Some(Format::Psq),
        _ => None,
    }
}

impl App {
    /// A name to begin with.
    pub(super) fn proposed_name(&self, purpose: Purpose) -> String {
        let known = self.place.file.as_ref().map(|path| path.display().to_string());
        match purpose {
            Purpose::Save => known.unwrap_or_else(|| "game.sgf".to_string()),
            Purpose::Open => known.unwrap_or_default(),
            Purpose::Picture => format!("position{}.svg", self.shown()),
        }
    }

    /// A name was entered: does it, or puts the question again with what is wrong.
    pub(super) fn take_name(&mut self, purpose: Purpose, name: &str) {
        let path = PathBuf::from(name);
        let warned = match &self.dialog {
            Some(Dialog::Name { warned, .. }) => warned.clone(),
            _ => None,
        };
        let ask_again = |app: &mut App, note: String, warned: Option<String>| {
            app.dialog = Some(Dialog::Name { purpose, text: name.to_string(), warned, note });
        };
        if name.is_empty() {
            return ask_again(self, "a name, please, or Esc".to_string(), None);
        }
        if purpose == Purpose::Save && format_of(&path).is_none() {
            return ask_again(self, "the name should end in .sgf or .psq".to_string(), None);
        }
        let is_own = self.place.file.as_ref() == Some(&path) && purpose == Purpose::Save;
        let replaces = purpose != Purpose::Open && path.exists() && !is_own;
        if replaces && warned.as_deref() != Some(name) {
            let note = "there is such a file: Enter again replaces it".to_string();
            return ask_again(self, note, Some(name.to_string()));
        }
        let done = match purpose {
            Purpose::Save => self.save(&path),
            Purpose::Open => self.open(&path),
            Purpose::Picture => self.draw(&path),
        };
        match done {
            Ok(said) => {
                self.dialog = None;
                self.say(&said);
            }
            Err(error) => ask_again(self, format!("{error:#}"), None),
        }
    }

    fn save(&mut self, path: &Path) -> Result<String> {
        let format = format_of(path).unwrap_or(Format::Sgf);
        let text = self.file_text(format);
        write(path, &text).with_context(|| format!("cannot write {}", path.display()))?;
        self.place.file = Some(path.to_path_buf());
        self.place.is_saved = true;
        let forgets_rule = format == Format::Psq && self.game.rule() != Rule::Freestyle;
        let more = if forgets_rule { "; a Piskvork file does not tell the rule" } else { "" };
        Ok(format!("saved as {}{more}", path.display()))
    }

    /// The game as a file, with what the analysis says of its moves.
    fn file_text(&self, format: Format) -> String {
        let mut file = self.game.to_file(self.names());
        let judged = self.analysis().into_iter().flat_map(Analysis::judged);
        for judged in judged {
            let words = &mut file.moves[judged.number - 1].words;
            let told = crate::report::words(&judged);
            if !words.is_empty() && !told.is_empty() {
                words.push_str("; ");
            }
            words.push_str(&told);
        }
        file.write(format)
    }

    fn open(&mut self, path: &Path) -> Result<String> {
        let loaded = load(path, self.setup.rule)?;
        let kept = self.keep();
        self.show_loaded(&loaded);
        self.place.file = Some(path.to_path_buf());
        let mut said = vec![format!("{}: {} moves", path.display(), self.game.moves().len())];
        said.extend(loaded.notes);
        if !kept.is_empty() {
            said.push(kept);
        }
        Ok(said.join("; "))
    }

    /// Says what came of the file that the program was started with; a kept one has no name of
    /// its own.
    pub fn tell_loaded(&mut self, path: &Path, notes: &[String], is_kept: bool) {
        let moves = self.game.moves().len();
        let mut said = vec![format!("{}: {moves} moves", path.display())];
        said.extend_from_slice(notes);
        if self.is_paused {
            said.push("c lets the engine move".to_string());
        }
        self.say(&said.join("; "));
        if is_kept {
            self.place.is_saved = false;
        } else {
            self.place.file = Some(path.to_path_buf());
        }
    }

    /// Puts a game from a file on the board.
    fn show_loaded(&mut self, loaded: &Loaded) {
        self.stop_thinking();
        self.game = Game::from_file(&loaded.game);
        (self.setup.rule, self.setup.size) = (self.game.rule(), self.game.size());
        self.cursor = center(&self.game);
        self.place.is_saved = true;
        self.pause_before_engine();
    }

    fn draw(&mut self, path: &Path) -> Result<String> {
        let picture = self.game.picture(self.shown(), self.names());
        let svg = picture::draw(self.game.size(), &picture);
        write(path, &svg).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(format!("drawn into {}", path.display()))
    }

    /// Keeps a game that lies in no file; says where, nothing where there is nothing to keep.
    pub fn keep(&mut self) -> String {
        if self.place.is_saved || self.game.moves().is_empty() {
            return String::new();
        }
        let Some(path) = &self.place.kept else { return String::new() };
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        match folder.and_then(|()| write(path, &self.file_text(Format::Sgf))) {
            Ok(()) => {
                self.place.is_saved = true;
                format!("the game before is kept in {}", path.display())
            }
            Err(error) => format!("the game before cannot be kept in {}: {error}", path.display()),
        }
    }
}

/// Where a game is kept that is left unsaved: the user's folder for the state of programs.
pub fn kept_file() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let folder = variable("XDG_STATE_HOME")
        .or_else(|| variable("LOCALAPPDATA"))
        .map(PathBuf::from)
        .or_else(|| variable("HOME").map(|home| PathBuf::from(home).join(".local/state")));
    folder.map(|folder| folder.join("tengen").join("last.sgf"))
}
