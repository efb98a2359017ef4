//! `match-runner show`.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use manager::output;
use manager::picture;
use manager::text;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;

use crate::opening;
use crate::output::view::{self, View};

const EXAMPLES: &str = "\
Examples:
  List the games of a run, then show the third, then its board after ten stones:
    match-runner show run.jsonl
    match-runner show run.jsonl --game 3
    match-runner show run.jsonl --game 3 --stones 10

  Draw that board as a picture with numbered stones; so, too, for a file that datagen wrote:
    match-runner show run.jsonl --game 3 --stones 10 --svg game3.svg
    match-runner show data/look/00.rec --game 1 --svg game1.svg

  Draw a position, here with what renju forbids to Black:
    match-runner show --moves g8a1i8o1h7a15h9o15 --rule 4 --svg position.svg

  Only games in which an engine broke down:
    match-runner show run.jsonl --faults";

#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A record file of `run`, or of datagen
    #[arg(required_unless_present = "moves")]
    file: Option<PathBuf>,
    /// Show the game with this number in the list
    #[arg(long, short, value_name = "N")]
    game: Option<usize>,
    /// Show the board after so many stones instead of the last one
    #[arg(long, value_name = "N")]
    stones: Option<usize>,
    /// Draw the board into FILE as an SVG picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Show a position instead of a file: all its moves, as h8i9g7 or offsets from the center
    #[arg(long, value_name = "MOVES", conflicts_with_all = ["file", "game", "faults"])]
    moves: Option<String>,
    /// The rule of --moves: 0 freestyle, 1 standard, 4 renju, 8 caro, 9 caro9
    #[arg(long, default_value = "0", value_parser = text::parse_rule, conflicts_with = "file")]
    rule: Rule,
    /// The side of the board of --moves, 5 to 22
    #[arg(long, default_value = "15", value_parser = text::parse_size, conflicts_with = "file")]
    size: BoardSize,
    /// List only games that ended by a fault
    #[arg(long)]
    faults: bool,
}

/// Prints a list or a game, or draws it.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    if let Some(moves) = &arguments.moves {
        let squares = opening::parse_points(moves, arguments.size);
        let squares = squares.map_err(anyhow::Error::msg).context("--moves")?;
        show(&View::of_moves(squares, arguments.size, arguments.rule), arguments)?;
        return Ok(ExitCode::SUCCESS);
    }
    let path = arguments.file.as_deref().context("which file?")?;
    let views = view::read(path)?;
    if views.damaged > 0 {
        eprintln!("{}: {} bytes cannot be read", path.display(), views.damaged);
    }
    let alone = (views.games.len() == 1).then_some(1);
    let wants_board = arguments.svg.is_some() || arguments.stones.is_some();
    if let Some(number) = arguments.game.or_else(|| alone.filter(|_| wants_board)) {
        let count = views.games.len();
        let found = number.checked_sub(1).and_then(|index| views.games.get(index));
        let game = found.with_context(|| format!("there are {count} games, numbered from 1"))?;
        show(game, arguments).with_context(|| format!("game {number}"))?;
        return Ok(ExitCode::SUCCESS);
    }
    if wants_board {
        bail!("which of the {} games? give --game", views.games.len());
    }
    let mut list = String::new();
    for note in &views.notes {
        // Writing to a string cannot fail.
        let _ = writeln!(list, "{note}");
    }
    for (number, game) in (1..).zip(&views.games) {
        if !arguments.faults || game.is_abnormal() {
            let _ = writeln!(list, "{number:>5}  {}", game.line());
        }
    }
    output::print(&list)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints or draws a game or a position.
fn show(view: &View, arguments: &Arguments) -> Result<()> {
    let stones = arguments.stones.unwrap_or(usize::MAX);
    let Some(path) = &arguments.svg else {
        return Ok(output::print(&view.text(stones))?);
    };
    let svg = picture::draw(view.size(), &view.picture(stones)?);
    fs::write(path, svg).with_context(|| format!("cannot write {}", path.display()))
}
