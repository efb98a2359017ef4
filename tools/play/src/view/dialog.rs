//! Questions, in a box over the board.
//!
//! Owns how they look. Must not know what is done with the answer.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Paragraph};

use super::Look;
use crate::dialog::{Dialog, HELP};
use crate::thought::plain;

/// Columns of a screen below which the form leaves out the names of its lines.
const NARROW: u16 = 44;

/// Draws a question in the middle of the screen, or over all of a small one.
pub(super) fn draw(frame: &mut Frame<'_>, dialog: &Dialog, look: Look) {
    match dialog {
        Dialog::NewGame(form) => {
            let rows = form.lines();
            let lines: Vec<Line<'_>> = rows
                .iter()
                .enumerate()
                .map(|(index, (name, value))| {
                    let is_here = index == form.row.min(rows.len() - 1);
                    let (left, right) = if is_here { ('<', '>') } else { (' ', ' ') };
                    let line = if frame.area().width < NARROW {
                        format!("{left} {value} {right}")
                    } else {
                        format!("{name:<15}{left} {value} {right}")
                    };
                    let style = Style::new();
                    let bold = style.add_modifier(Modifier::BOLD);
                    Line::styled(line, if is_here { bold } else { style })
                })
                .collect();
            let focus = form.row.min(rows.len() - 1);
            let foot = "up down choose, left right change, Enter begins, Esc";
            show(frame, "New game", lines, foot, focus, look);
        }
        Dialog::Name { purpose, text, note, .. } => {
            let inner = inner_width(frame.area(), 60);
            let letters: Vec<char> = plain_name(text).chars().collect();
            let hidden = letters.len().saturating_sub(usize::from(inner).saturating_sub(1));
            let visible: String = letters[hidden..].iter().collect();
            let column = u16::try_from(letters.len() - hidden).unwrap_or(0);
            let foot = if note.is_empty() { "Enter, or Esc" } else { note };
            let foot = plain(foot, 300);
            let field = format!("{visible:<width$}", width = usize::from(inner));
            let lines = vec![Line::from(field)];
            let area = show(frame, purpose.title(), lines, &foot, 0, look);
            if area.width > 0 && area.height > 0 {
                let x = (area.x + column).min(area.right() - 1);
                frame.set_cursor_position(Position { x, y: area.y });
            }
        }
        Dialog::Resign => {
            let lines = vec![Line::from("Do you resign?")];
            show(frame, "Resign", lines, "y resigns, any other key does not", 0, look);
        }
        Dialog::Help(first) => {
            let lines: Vec<Line<'_>> =
                HELP.iter().map(|[keys, words]| Line::from(format!("{keys:<20}{words}"))).collect();
            show(frame, "Keys", lines, "up and down, any other key closes", *first, look);
        }
    }
}

/// A name as it is typed; what a terminal would act on is shown as a blank.
fn plain_name(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

fn inner_width(area: Rect, wanted: u16) -> u16 {
    wanted.min(area.width.saturating_sub(2))
}

/// A box with lines, of which the one in focus can be seen, and a foot; gives the inner area.
fn show(
    frame: &mut Frame<'_>,
    title: &str,
    lines: Vec<Line<'_>>,
    foot: &str,
    focus: usize,
    look: Look,
) -> Rect {
    let screen = frame.area();
    let widest = lines.iter().map(Line::width).max().unwrap_or(0).max(foot.chars().count());
    let wanted = u16::try_from(widest).unwrap_or(u16::MAX).max(30);
    let inner = inner_width(screen, wanted);
    let foot_rows = foot.chars().count().div_ceil(usize::from(inner.max(1))).max(1);
    let rows = u16::try_from(lines.len() + foot_rows).unwrap_or(u16::MAX);
    let height = rows.saturating_add(2).min(screen.height);
    let area = Rect {
        x: (screen.width - inner - 2.min(screen.width - inner)) / 2,
        y: (screen.height - height) / 2,
        width: (inner + 2).min(screen.width),
        height,
    };
    frame.render_widget(Clear, area);
    let set = if look.is_ascii { ASCII } else { ratatui::symbols::border::PLAIN };
    let block = Block::bordered().border_set(set).title(title.to_string());
    let inside = block.inner(area);
    frame.render_widget(block, area);
    let foot_rows = u16::try_from(foot_rows).unwrap_or(1).min((inside.height / 3).max(1));
    let foot_rows = foot_rows.min(inside.height.saturating_sub(1));
    let room = usize::from(inside.height - foot_rows);
    let first = focus.saturating_sub(room.saturating_sub(1)).max(if lines.len() > room {
        focus.min(lines.len() - room)
    } else {
        0
    });
    let shown: Vec<Line<'_>> = lines.into_iter().skip(first).take(room).collect();
    let top = Rect { height: inside.height - foot_rows, ..inside };
    frame.render_widget(Paragraph::new(shown), top);
    let bottom = Rect { y: inside.bottom() - foot_rows, height: foot_rows, ..inside };
    let dim = Style::new().add_modifier(Modifier::DIM);
    let foot = Paragraph::new(foot.to_string()).style(dim);
    frame.render_widget(foot.wrap(ratatui::widgets::Wrap { trim: true }), bottom);
    top
}

/// A border of letters.
const ASCII: ratatui::symbols::border::Set<'static> = ratatui::symbols::border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};
