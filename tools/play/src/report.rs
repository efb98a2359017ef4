//! An analysis in words.
//!
//! Owns the lines of text. Must not know how positions are searched.

use std::fmt::Write as _;

use manager::text;
use tengen::types::color::Color;

use crate::analysis::{Analysis, Judged, Mark};
use crate::chance;

/// Moves of a line that are written out.
const LINE_MOVES: usize = 6;

/// What is said of a move in a file: `20 %, ?? lost 41 %, better i9 h10, makes a four`.
pub fn words(judged: &Judged) -> String {
    let mut words = Vec::new();
    words.extend(judged.after.map(chance::percent));
    if judged.mark != Mark::None {
        words.push(format!("{} lost {}", judged.mark.symbol(), chance::percent(judged.loss)));
        words.extend(judged.better.map(|better| format!("better {}", line(better, judged))));
        words.extend((!judged.why.is_empty()).then(|| judged.why.clone()));
    }
    words.join(", ")
}

/// The better move with the line that was expected of it.
fn line(better: tengen::types::square::Square, judged: &Judged) -> String {
    if judged.line.first() != Some(&better) {
        return text::point(better);
    }
    let points: Vec<String> =
        judged.line.iter().take(LINE_MOVES).copied().map(text::point).collect();
    points.join(" ")
}

/// A move as one line of a table; after a mistake a second one says why the other move is better.
pub fn row(judged: &Judged) -> String {
    let stone = if judged.color == Color::Black { 'X' } else { 'O' };
    let point = text::point(judged.square);
    let cell = |value: Option<String>| value.unwrap_or_else(|| "-".to_string());
    let loss = (judged.mark != Mark::None).then(|| format!("-{}", chance::percent(judged.loss)));
    let better = judged.better.map(|better| line(better, judged));
    let row = format!(
        "{:>4} {stone} {point:<4}{:<3} {:>6} {:>6} {:>7}  {}",
        judged.number,
        judged.mark.symbol(),
        cell(judged.after.map(chance::percent)),
        cell(judged.score.map(|score| score.to_string())),
        loss.unwrap_or_default(),
        better.unwrap_or_default(),
    );
    let mut row = row.trim_end().to_string();
    if let Some(better) = judged.better.filter(|_| judged.mark != Mark::None)
        && !judged.why.is_empty()
    {
        // Writing to a string cannot fail.
        let _ = write!(row, "\n{:>38}{} {}", "", text::point(better), judged.why);
    }
    row
}

/// The head of the table.
pub const HEAD: &str =
    "   #   move    chance  score    lost  the engine's line, where it is another";

/// How many mistakes each side made.
pub fn summary(analysis: &Analysis) -> String {
    let mut text = String::new();
    for (color, name) in [(Color::Black, "Black"), (Color::White, "White")] {
        let own: Vec<Judged> = analysis.judged().filter(|judged| judged.color == color).collect();
        let count = |mark| own.iter().filter(|judged| judged.mark == mark).count();
        let sum: f64 = own.iter().map(|judged| judged.loss).sum();
        let moves = u32::try_from(own.len()).unwrap_or(u32::MAX).max(1);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{name}: {} moves, ?? {}, ? {}, ?! {}, lost {:.1} % a move",
            own.len(),
            count(Mark::Blunder),
            count(Mark::Mistake),
            count(Mark::Inaccuracy),
            100.0 * sum / f64::from(moves),
        );
    }
    text
}

/// The chance of Black over the game as a curve of characters, `height` rows high.
///
/// ```text
/// 100 |        ##
///     |  ## #####
///   0 +##########
/// ```
pub fn curve(chances: &[Option<f64>], width: usize, height: usize) -> String {
    let columns = columns(chances, width);
    let mut text = String::new();
    for row in (0..height).rev() {
        let label = match row {
            0 => "  0 |",
            row if row + 1 == height => "100 |",
            row if row == height / 2 => " 50 |",
            _ => "    |",
        };
        let bars: String = columns
            .iter()
            .map(|chance| match chance {
                Some(chance) if eighths(*chance, height) > row * 8 + 3 => '#',
                Some(_) if row == 0 => '_',
                _ => ' ',
            })
            .collect();
        let _ = writeln!(text, "{}", format!("{label}{bars}").trim_end());
    }
    text
}

/// One chance a column: each position for as many columns as there is room for, up to three, or
/// every so many positions.
pub fn columns(chances: &[Option<f64>], width: usize) -> Vec<Option<f64>> {
    let count = chances.len();
    if count == 0 || width == 0 {
        return Vec::new();
    }
    let wide = (width / count).clamp(1, 3);
    if count <= width {
        return chances.iter().flat_map(|&chance| vec![chance; wide]).collect();
    }
    (0..width).map(|column| chances[column * (count - 1) / (width - 1).max(1)]).collect()
}

/// A chance as eighths of a row, of so many rows.
pub fn eighths(chance: f64, height: usize) -> usize {
    let steps = u32::try_from(8 * height).unwrap_or(8);
    let level = (chance.clamp(0.0, 1.0) * f64::from(steps)).round();
    (0..=steps).rev().find(|&step| f64::from(step) <= level).unwrap_or(0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen::base::score::Score;
    use tengen::types::square::Square;

    fn judged() -> Judged {
        Judged {
            number: 12,
            color: Color::White,
            square: Square::new(2, 2),
            before: Some(0.61),
            after: Some(0.2),
            score: Some(Score::eval(-170)),
            loss: 0.41,
            mark: Mark::Blunder,
            better: Some(Square::new(3, 3)),
            line: vec![Square::new(3, 3), Square::new(4, 4)],
            why: String::new(),
        }
    }

    #[test]
    fn a_mistake_is_told_with_the_better_line() {
        assert_eq!(words(&judged()), "20 %, ?? lost 41 %, better d4 e5");
        let row = row(&judged());
        assert_eq!(row, "  12 O c3  ??    20 %   -170   -41 %  d4 e5");
        let told = Judged { why: "blocks a four".to_string(), ..judged() };
        assert!(words(&told).ends_with(", better d4 e5, blocks a four"));
        assert!(
            super::row(&told).ends_with("\n                                      d4 blocks a four")
        );
        let no_line = Judged { line: vec![Square::new(0, 0)], ..judged() };
        assert!(words(&no_line).ends_with("better d4"));
    }

    #[test]
    fn a_good_move_is_told_by_its_chance_alone() {
        let good = Judged { mark: Mark::None, loss: 0.0, better: None, ..judged() };
        assert_eq!(words(&good), "20 %");
        let unknown = Judged { after: None, score: None, ..good };
        assert_eq!(words(&unknown), "");
        assert_eq!(super::row(&unknown), "  12 O c3           -      -");
    }

    #[test]
    fn a_curve_has_its_ends_and_gaps() {
        let drawn = curve(&[Some(0.0), None, Some(0.5), Some(1.0)], 4, 3);
        assert_eq!(drawn, "100 |   #\n 50 |   #\n  0 |_ ##\n".replace("50 |   #", "50 |  ##"));
        assert_eq!(curve(&[], 10, 2), "100 |\n  0 |\n");
    }

    #[test]
    fn long_games_are_thinned_and_short_ones_widened() {
        let chances: Vec<Option<f64>> =
            (0..200).map(|step| Some(f64::from(step) / 199.0)).collect();
        let thin = columns(&chances, 40);
        assert_eq!((thin.len(), thin[0], thin[39]), (40, Some(0.0), Some(1.0)));
        assert_eq!(columns(&chances[..5], 40).len(), 15);
        assert_eq!((eighths(0.0, 4), eighths(0.5, 4), eighths(7.0, 4)), (0, 16, 32));
    }
}
