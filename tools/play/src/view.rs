//! The screen, drawn from the state of the program.
//!
//! Owns where things are and how they look. Must not change anything. Start at [`draw`].

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::{Color as Ink, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph, Wrap};
use tengen::types::color::Color;

use crate::app::App;

mod board;
mod dialog;
mod panel;

pub use board::Geometry;

/// How things look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Letters only, for terminals and fonts without the other signs.
    pub is_ascii: bool,
    /// Without colors.
    pub is_plain: bool,
}

impl Look {
    /// A style, or none where there are no colors.
    fn ink(self, style: Style) -> Style {
        if self.is_plain { Style { fg: None, bg: None, ..style } } else { style }
    }
}

/// Columns the panel needs beside the board.
const PANEL_WIDTH: u16 = 26;
/// Rows the panel needs below it.
const PANEL_HEIGHT: u16 = 6;
/// Below this nothing useful fits.
const LEAST: (u16, u16) = (12, 4);

/// Draws everything; says where the board is, so that the mouse can be understood.
pub fn draw(frame: &mut Frame<'_>, app: &App, look: Look) -> Option<Geometry> {
    let area = frame.area();
    if area.width < LEAST.0 || area.height < LEAST.1 {
        frame.render_widget(Paragraph::new("too small"), area);
        return None;
    }
    let heights = [
        Constraint::Length(u16::from(area.height >= 14)),
        Constraint::Min(3),
        Constraint::Length(message_height(app, area)),
        Constraint::Length(u16::from(area.height >= 10)),
    ];
    let [title, body, message, keys] = Layout::vertical(heights).areas(area);
    draw_title(frame, title, app, look);
    let (board_area, panel_area) = split(body, app);
    let geometry = board::draw(frame, board_area, app, look);
    if let Some(area) = panel_area {
        panel::draw(frame, area, app, look);
    }
    draw_message(frame, message, app, look);
    let hint = "arrows Enter  u undo  h hint  n new  a analyze  s save  ? keys  q quit";
    frame.render_widget(Line::styled(hint, Style::new().add_modifier(Modifier::DIM)), keys);
    if let Some(dialog) = app.dialog() {
        dialog::draw(frame, dialog, look);
    } else if let Some((x, y)) = geometry.place(app.cursor()) {
        frame.set_cursor_position(Position { x, y });
    }
    Some(geometry)
}

/// The board's place and, where there is room, the panel's.
fn split(body: Rect, app: &App) -> (Rect, Option<Rect>) {
    let size = app.game().size();
    let (width, height) = board::whole(size);
    if body.width >= width + PANEL_WIDTH {
        let [board, panel] =
            Layout::horizontal([Constraint::Length(width + 1), Constraint::Min(1)]).areas(body);
        return (board, Some(panel));
    }
    if body.height >= height + PANEL_HEIGHT {
        let [board, panel] =
            Layout::vertical([Constraint::Length(height), Constraint::Min(1)]).areas(body);
        return (board, Some(panel));
    }
    // A board that does not fit is shown in part; the panel is worth more than its last columns.
    if body.width >= 2 * PANEL_WIDTH && body.width < width {
        let [board, panel] =
            Layout::horizontal([Constraint::Min(1), Constraint::Length(PANEL_WIDTH)]).areas(body);
        return (board, Some(panel));
    }
    (body, None)
}

fn draw_title(frame: &mut Frame<'_>, area: Rect, app: &App, look: Look) {
    let game = app.game();
    let [black, white] = app.names().map(|name| crate::thought::plain(&name, 24));
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let spans = vec![
        Span::styled(format!("{} {}   ", game.rule(), game.size()), bold),
        panel::stone(Color::Black, look),
        Span::styled(format!(" {black} - "), bold),
        panel::stone(Color::White, look),
        Span::styled(format!(" {white}"), bold),
    ];
    frame.render_widget(Line::from(spans), area);
}

/// Rows the message takes: two where it is long and there is room.
fn message_height(app: &App, area: Rect) -> u16 {
    let letters = message_text(app).chars().count();
    let rows = letters.div_ceil(usize::from(area.width.max(1))).max(1);
    let most = (area.height / 8).clamp(1, 3);
    u16::try_from(rows).unwrap_or(1).min(most)
}

/// What is said, or whose turn it is.
fn message_text(app: &App) -> String {
    if let Some(breakdown) = app.breakdown() {
        return format!("{} - c starts it again, s saves the game", breakdown.reason);
    }
    if !app.message().text.is_empty() {
        return app.message().text.clone();
    }
    if app.is_browsing() {
        let (shown, all) = (app.shown(), app.game().moves().len());
        return format!("after {shown} of {all} moves: End goes back");
    }
    if let Some(words) = app.game().end_words() {
        return words;
    }
    let color = app.game().side_to_move();
    let name = match color {
        Color::Black => "Black",
        Color::White => "White",
    };
    if app.is_paused() {
        return format!("{name} to move; paused: c goes on");
    }
    match app.thinker() {
        Some(color) => format!("{name} to move: {} thinks", app.setup().engines[color].name),
        None => format!("{name} to move"),
    }
}

fn draw_message(frame: &mut Frame<'_>, area: Rect, app: &App, look: Look) {
    let is_error = app.message().is_error || app.breakdown().is_some();
    let style = if is_error {
        look.ink(Style::new().fg(Ink::Red)).add_modifier(Modifier::BOLD)
    } else {
        Style::new()
    };
    let text = crate::thought::plain(&message_text(app), 1000);
    frame.render_widget(Clear, area);
    let line = Line::from(Span::styled(text, style));
    frame.render_widget(Paragraph::new(line).wrap(Wrap { trim: true }), area);
}
