//! What stands beside the board: players and clocks, what is thought and why, the moves, the curve.
//!
//! Owns its layout. Must not know the board.

use manager::text;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color as Ink, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use tengen::types::color::Color;

use super::Look;
use super::board::{BLACK, WHITE, WOOD};
use crate::analysis::Mark;
use crate::app::App;
use crate::thought::plain;
use crate::{chance, players, report};

/// Rows of the curve, and the least height of a panel that has one.
const CURVE: (u16, u16) = (5, 18);
/// Rows of reasons.
const MOST_REASON_ROWS: u16 = 4;

/// A side's stone, on the wood where there are colors: on a dark screen a black one would look
/// white.
pub(super) fn stone(color: Color, look: Look) -> Span<'static> {
    let sign = match (color, look.is_ascii) {
        (Color::Black, true) => "X",
        (Color::White, true) => "O",
        (Color::Black, false) => "●",
        (Color::White, false) => "○",
    };
    let ink = if color == Color::Black { BLACK } else { WHITE };
    Span::styled(sign, look.ink(Style::new().fg(ink).bg(WOOD)))
}

/// Draws the panel from top to bottom, as far as it fits.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App, look: Look) {
    let mut rest = area;
    draw_players(frame, &mut rest, app, look);
    draw_thought(frame, &mut rest, app, look);
    draw_breakdown(frame, &mut rest, app);
    if area.height >= CURVE.1 && rest.height > CURVE.0 + 3 {
        let curve = Rect { y: rest.bottom() - CURVE.0 - 1, height: CURVE.0 + 1, ..rest };
        if draw_curve(frame, curve, app, look) {
            rest.height -= CURVE.0 + 1;
        }
    }
    draw_moves(frame, rest, app, look);
}

/// Cuts rows off the top of an area.
fn take(rest: &mut Rect, rows: u16) -> Rect {
    let rows = rows.min(rest.height);
    let taken = Rect { height: rows, ..*rest };
    rest.y += rows;
    rest.height -= rows;
    taken
}

fn clock(ms: u64) -> String {
    let seconds = ms / 1000;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

fn draw_players(frame: &mut Frame<'_>, rest: &mut Rect, app: &App, look: Look) {
    let setup = app.setup();
    let names = app.names();
    for color in Color::ALL {
        let row = take(rest, 1);
        let is_turn = app.game().finish().is_none() && app.game().side_to_move() == color;
        let mark = if is_turn { '>' } else { ' ' };
        let time = clock(app.clock_ms(color));
        let room = usize::from(row.width).saturating_sub(5 + time.len());
        let mut name = plain(&names[color.index()], 60);
        let level = setup.levels[color];
        if setup.mode.is_engine(color) && level < players::FULL {
            name = format!("{}, {}", setup.engines[color].name, players::level_name(level));
        }
        let name: String = name.chars().take(room).collect();
        let style = if is_turn { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
        let spans = vec![
            Span::raw(mark.to_string()),
            stone(color, look),
            Span::styled(format!(" {name:<room$} {time}"), style),
        ];
        frame.render_widget(Line::from(spans), row);
    }
    take(rest, 1);
}

fn draw_thought(frame: &mut Frame<'_>, rest: &mut Rect, app: &App, look: Look) {
    let Some(talk) = app.talk() else { return };
    let accent = look.ink(Style::new().fg(Ink::Cyan));
    let title = Line::styled(plain(&talk.title, 60), accent.add_modifier(Modifier::BOLD));
    frame.render_widget(title, take(rest, 1));
    let thought = &talk.thought;
    let mut facts = Vec::new();
    facts.extend(thought.depth.map(|depth| format!("depth {depth}")));
    if let Some(score) = thought.score {
        let chance = chance::percent(chance::of_score(app.game().rule(), score));
        let side = if talk.color == Color::Black { "Black" } else { "White" };
        facts.push(format!("{side} {chance} ({score})"));
    }
    if let Some(nodes) = thought.nodes {
        facts.push(format!("{} nodes", rounded(nodes)));
    }
    if facts.is_empty() && thought.reasons.is_empty() && talk.line.is_empty() {
        facts.push("...".to_string());
    }
    paragraph(frame, rest, &facts.join("  "), 2, Style::new());
    if !talk.line.is_empty() {
        let points: Vec<String> = talk.line.iter().take(12).copied().map(text::point).collect();
        paragraph(frame, rest, &format!("line {}", points.join(" ")), 2, Style::new());
    }
    if !thought.reasons.is_empty() {
        let why = format!("why: {}", thought.reasons.join("; "));
        paragraph(frame, rest, &why, MOST_REASON_ROWS, accent);
    }
    take(rest, 1);
}

/// Some text over as many rows as it needs, up to a limit.
fn paragraph(frame: &mut Frame<'_>, rest: &mut Rect, text: &str, most: u16, style: Style) {
    if text.is_empty() || rest.width == 0 {
        return;
    }
    let rows = rows(text, usize::from(rest.width)).min(usize::from(most));
    let area = take(rest, u16::try_from(rows).unwrap_or(most));
    frame.render_widget(Paragraph::new(text).style(style).wrap(Wrap { trim: true }), area);
}

/// Rows that a text takes when it is broken between words.
fn rows(text: &str, width: usize) -> usize {
    let (mut rows, mut used) = (1, 0);
    for word in text.split_whitespace() {
        let letters = word.chars().count();
        if used > 0 && used + 1 + letters > width {
            rows += 1;
            used = letters;
        } else {
            used += letters + usize::from(used > 0);
        }
        while used > width {
            rows += 1;
            used -= width;
        }
    }
    rows
}

fn draw_breakdown(frame: &mut Frame<'_>, rest: &mut Rect, app: &App) {
    let Some(breakdown) = app.breakdown() else { return };
    for line in &breakdown.last_lines {
        if rest.height <= 2 {
            return;
        }
        let style = Style::new().add_modifier(Modifier::DIM);
        frame.render_widget(Line::styled(plain(line, 100), style), take(rest, 1));
    }
}

fn rounded(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..10_000_000 => format!("{}K", count / 1000),
        _ => format!("{}M", count / 1_000_000),
    }
}

/// The moves in pairs, as many as fit, the one that is looked at among them.
fn draw_moves(frame: &mut Frame<'_>, area: Rect, app: &App, look: Look) {
    if area.height == 0 {
        return;
    }
    let moves = app.game().moves();
    let shown = app.shown();
    let analysis = app.analysis();
    let cell = |index: usize| -> Vec<Span<'static>> {
        let Some(played) = moves.get(index) else { return Vec::new() };
        let judged = analysis.and_then(|analysis| analysis.judge(index + 1));
        let mark = judged.as_ref().map_or(Mark::None, |judged| judged.mark);
        let style = match mark {
            Mark::None => Style::new(),
            Mark::Inaccuracy => look.ink(Style::new().fg(Ink::Yellow)),
            Mark::Mistake => look.ink(Style::new().fg(Ink::LightRed)),
            Mark::Blunder => look.ink(Style::new().fg(Ink::Red)).add_modifier(Modifier::BOLD),
        };
        let style = if index + 1 == shown { style.add_modifier(Modifier::REVERSED) } else { style };
        let name = format!("{}{}", text::point(played.square), mark.symbol());
        let after = judged.and_then(|judged| judged.after).map(chance::percent);
        let gap = " ".repeat(6_usize.saturating_sub(name.len()));
        let after = format!("{gap}{:>5} ", after.unwrap_or_default());
        vec![Span::styled(name, style), Span::raw(after)]
    };
    let rows = usize::from(area.height);
    let pairs = moves.len().div_ceil(2);
    let focus = shown.saturating_sub(1) / 2;
    let first = (focus + 1).saturating_sub(rows).min(pairs.saturating_sub(rows));
    let mut lines = Vec::new();
    for pair in first..pairs.min(first + rows) {
        let mut spans = vec![Span::raw(format!("{:>3} ", pair + 1))];
        spans.extend(cell(2 * pair));
        spans.extend(cell(2 * pair + 1));
        lines.push(Line::from(spans));
    }
    if let Some(line) = better(app) {
        lines.truncate(rows.saturating_sub(1));
        lines.push(line);
    }
    frame.render_widget(Paragraph::new(lines), area);
}

/// The better move in place of the one that is looked at.
fn better(app: &App) -> Option<Line<'static>> {
    let judged = app.analysis()?.judge(app.shown())?;
    let better = judged.better.filter(|_| judged.mark != Mark::None)?;
    let words = format!(
        "{} {} lost {}: better {}",
        text::point(judged.square),
        judged.mark.symbol(),
        chance::percent(judged.loss),
        text::point(better)
    );
    Some(Line::styled(words, Style::new().add_modifier(Modifier::BOLD)))
}

/// The chance of Black over the game; says whether there was anything to draw.
fn draw_curve(frame: &mut Frame<'_>, area: Rect, app: &App, look: Look) -> bool {
    let chances = app.chances();
    if chances.iter().flatten().count() < 2 {
        return false;
    }
    let title = Line::styled("Black wins, %", Style::new().add_modifier(Modifier::DIM));
    frame.render_widget(title, Rect { height: 1, ..area });
    let area = Rect { y: area.y + 1, height: area.height - 1, ..area };
    let height = usize::from(area.height);
    let width = usize::from(area.width).saturating_sub(5);
    if look.is_ascii {
        let curve = report::curve(&chances, width, height);
        frame.render_widget(Paragraph::new(curve), area);
        return true;
    }
    let columns = report::columns(&chances, width);
    let lines: Vec<Line<'_>> = (0..height)
        .rev()
        .map(|row| {
            let label = match row {
                0 => "  0 ",
                row if row + 1 == height => "100 ",
                row if row == height / 2 => " 50 ",
                _ => "    ",
            };
            let bars = columns.iter().map(|chance| match chance {
                Some(chance) => bar(report::eighths(*chance, height), row),
                None => ' ',
            });
            Line::from(format!("{label}{}", bars.collect::<String>()))
        })
        .collect();
    frame.render_widget(Paragraph::new(lines), area);
    true
}

/// The part of a bar so many eighths high that lies in a row, the lowest being 0.
fn bar(eighths: usize, row: usize) -> char {
    const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let here = eighths.saturating_sub(8 * row).min(8);
    // Nothing at all could be taken for a gap.
    if row == 0 { BARS[here.max(1)] } else { BARS[here] }
}
