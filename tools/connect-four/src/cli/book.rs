//! The command `book`.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::{Bar, BookOptions};
use crate::book::Book;
use crate::book::make::{self, Plan};

/// Time between two writes of a book that grows.
const WRITE_EVERY: Duration = Duration::from_secs(10);

pub(super) fn run(options: &BookOptions, out: &mut impl Write) -> Result<()> {
    let name = options.file.display();
    let mut book = match fs::read(&options.file) {
        Ok(bytes) => Book::from_bytes(&bytes).with_context(|| format!("cannot use {name}"))?,
        Err(error) if error.kind() == ErrorKind::NotFound => Book::new(options.size),
        Err(error) => return Err(error).with_context(|| format!("cannot read {name}")),
    };
    if book.size() != options.size {
        bail!("{name} is for {}, not for {}", book.size(), options.size);
    }
    let had = book.len();
    let plan = Plan {
        full: options.full,
        path: options.path,
        threads: options.threads.into(),
        table_bytes: options.memory_mb as usize * (1 << 20),
    };
    let mut bar = Bar::new(0);
    let mut written = Instant::now();
    let mut failed = None;
    make::make(&mut book, &plan, &mut |book, progress| {
        let kind = if progress.is_full { "all" } else { "those met" };
        let message = format!("of {kind} with {} stones", progress.stones);
        bar.show(progress.done as u64, progress.all as u64, &message);
        if written.elapsed() >= WRITE_EVERY {
            written = Instant::now();
            failed = write(book, &options.file).err();
        }
        failed.is_none()
    });
    drop(bar);
    if let Some(error) = failed {
        return Err(error);
    }
    write(&book, &options.file)?;
    let bytes = book.to_bytes().len();
    writeln!(
        out,
        "{name}: {} positions, {} of them new, {bytes} bytes",
        book.len(),
        book.len() - had
    )?;
    Ok(())
}

/// Writes a book beside its place and moves it there, so that there is always a whole one.
fn write(book: &Book, path: &Path) -> Result<()> {
    let new = path.with_extension("new");
    fs::write(&new, book.to_bytes())
        .and_then(|()| fs::rename(&new, path))
        .with_context(|| format!("cannot write {}", path.display()))
}
