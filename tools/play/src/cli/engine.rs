//! Which engine is meant.
//!
//! Owns the search for it: the command line, else the engine built beside this program, else
//! this program itself, which holds the same engine.

use anyhow::{Context, Result};
use manager::command::{self, EngineWords};

use crate::players::Engine;

/// The engine of the command line, or our own.
pub(super) fn find(words: Option<EngineWords>) -> Result<Engine> {
    let words = match words {
        Some(words) => words,
        None => own()?,
    };
    let name = words.name.unwrap_or_else(|| command::file_name(&words.command));
    Ok(Engine {
        name: name.clone(),
        settings: manager::settings::EngineSettings {
            name,
            command: words.command,
            folder: words.folder,
            limits: words.limits,
            info: words.info,
        },
    })
}

fn own() -> Result<EngineWords> {
    let beside = command::path_beside()?;
    let command = if beside.is_file() {
        vec![beside.to_string_lossy().into_owned()]
    } else {
        let own = std::env::current_exe().context("cannot tell where this program is")?;
        vec![own.to_string_lossy().into_owned(), "brain".to_string()]
    };
    let name = Some("tengen".to_string());
    Ok(EngineWords { command, name, ..EngineWords::default() })
}
