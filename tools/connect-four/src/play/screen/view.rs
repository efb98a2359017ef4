//! What is drawn.
//!
//! Owns places and colors. Changes nothing but where the columns are, for the mouse.

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph};

use super::app::App;
use crate::play::Seat;
use crate::position::Side;
use crate::report::{end_in_words, number};
use crate::text::{column_name, letter};
use crate::usual::Usual;

const KEYS: &str = "left right Enter, column, mouse: play";
const MORE_KEYS: &str = "u take back  h scores  n new  q leave";
/// Lines besides the board and its frame: title, cursor, names, scores, turn, note, keys.
const OTHER_LINES: u16 = 8;

const fn color(side: Side) -> Color {
    match side {
        Side::First => Color::Red,
        Side::Second => Color::Yellow,
    }
}

fn stone(side: Side) -> &'static str {
    match side {
        Side::First => "X",
        Side::Second => "O",
    }
}

/// A side as a number of cells.
fn cells(side: usize) -> u16 {
    u16::try_from(side).unwrap_or(u16::MAX)
}

/// Draws everything, as large as the terminal allows.
pub(super) fn draw(app: &mut App, frame: &mut Frame<'_>) {
    let area = frame.area();
    let size = app.setup().size;
    let (columns, rows) = (cells(size.columns()), cells(size.rows()));
    let fits = |wide: u16, high: u16| {
        columns * wide + 2 <= area.width && rows * high + 2 + OTHER_LINES <= area.height
    };
    let Some((wide, high)) = [(6, 3), (4, 2), (4, 1), (2, 1)].into_iter().find(|c| fits(c.0, c.1))
    else {
        app.set_columns(Vec::new());
        let (width, height) = (columns * 2 + 2, rows + 2 + OTHER_LINES);
        let text = format!(
            "The terminal is {}x{}; the board needs {width}x{height}. Enlarge it, or press q.",
            area.width, area.height
        );
        let lines = Paragraph::new(text).wrap(ratatui::widgets::Wrap { trim: true });
        frame.render_widget(lines, area);
        return;
    };
    let width = columns * wide + 2;
    let x = area.x + (area.width - width) / 2;
    let mut y = area.y;
    let line = |frame: &mut Frame<'_>, text: Line<'_>, y: u16| {
        let row = Rect::new(area.x, y, area.width, 1);
        frame.render_widget(Paragraph::new(text).alignment(Alignment::Center), row);
    };

    line(frame, title(app), y);
    y += 1;
    let cell =
        |column: usize, y: u16, lines: u16| Rect::new(x + 1 + cells(column) * wide, y, wide, lines);
    let centered = |text: Span<'static>| Paragraph::new(text).alignment(Alignment::Center);
    let position = *app.game().position();
    let usual = Usual::new(&size, position.stones());
    let best = app.scores().and_then(|scores| scores.iter().copied().flatten().max());
    let mut places = Vec::new();
    for column in 0..size.columns() {
        let is_chosen = column == app.cursor() && app.game().end().is_none();
        if is_chosen {
            let side = app.game().side_to_move();
            let style = Style::new().fg(color(side)).add_modifier(Modifier::BOLD);
            frame.render_widget(centered(Span::styled(stone(side), style)), cell(column, y, 1));
        }
        let mut style = Style::new();
        if is_chosen {
            style = style.add_modifier(Modifier::REVERSED);
        }
        let name = Span::styled(column_name(column).to_string(), style);
        frame.render_widget(centered(name), cell(column, y + 1, 1));
        let text = match app.scores().map(|scores| scores[column]) {
            None => String::new(),
            Some(None) if position.is_open(&size, column) => "?".to_owned(),
            Some(None) => "-".to_owned(),
            Some(Some(score)) => number(usual.of(score)),
        };
        let is_best = app.scores().is_some_and(|scores| best.is_some() && scores[column] == best);
        let style = if is_best { Style::new().fg(Color::Green) } else { Style::new() };
        frame.render_widget(centered(Span::styled(text, style)), cell(column, y + 2, 1));
        places.push(cell(column, y, 3 + rows * high + 2));
    }
    app.set_columns(places);
    y += 3;

    let board = Rect::new(x, y, width, rows * high + 2);
    let border = Block::bordered().border_type(BorderType::Rounded);
    frame.render_widget(border.border_style(Style::new().fg(Color::Blue)), board);
    for column in 0..size.columns() {
        for row in 0..size.rows() {
            let top = y + 1 + (rows - 1 - cells(row)) * high;
            let mut place = cell(column, top, high);
            // The stone is in the middle line of its cell.
            place.y += (high - 1) / 2;
            place.height = 1;
            let text = match position.stone(&size, column, row) {
                None => Span::styled(".", Style::new().fg(Color::DarkGray)),
                Some(side) => {
                    let mut style = Style::new().fg(color(side)).add_modifier(Modifier::BOLD);
                    if position.is_in_winning_row(&size, column, row) {
                        style = style.add_modifier(Modifier::REVERSED);
                    } else if app.game().last_stone() == Some((column, row)) {
                        style = style.add_modifier(Modifier::UNDERLINED);
                    }
                    Span::styled(stone(side), style)
                }
            };
            frame.render_widget(centered(text), place);
        }
    }
    y += rows * high + 2;
    line(frame, Line::from(turn(app)), y);
    let note = Span::styled(app.note().to_owned(), Style::new().fg(Color::Magenta));
    line(frame, Line::from(note), y + 1);
    line(frame, Line::from(KEYS), y + 2);
    line(frame, Line::from(MORE_KEYS), y + 3);
}

fn title(app: &App) -> Line<'static> {
    let seats = app.setup().seats;
    let part = |side: Side, seat: Seat| {
        let text = format!("{} {}", letter(side), seat.name());
        Span::styled(text, Style::new().fg(color(side)).add_modifier(Modifier::BOLD))
    };
    let mut spans =
        vec![part(Side::First, seats[0]), Span::raw(" - "), part(Side::Second, seats[1])];
    if seats.contains(&Seat::Level(crate::level::Level::Easy)) {
        spans.push(Span::raw(format!("  seed {}", app.setup().seed)));
    }
    Line::from(spans)
}

fn turn(app: &App) -> String {
    match app.game().end() {
        Some(end) => format!("{} Moves: {}", end_in_words(end), app.game().record()),
        None if app.is_thinking() => {
            format!("{} is thinking ...", letter(app.game().side_to_move()))
        }
        None => format!("{} to move", letter(app.game().side_to_move())),
    }
}

#[cfg(test)]
mod tests;
