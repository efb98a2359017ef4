//! The winning chance over a game as an SVG picture.
//!
//! Owns the picture. Must not know how chances were found.

use anyhow::{Result, anyhow};
use plotters::prelude::*;
use tengen::types::color::Color as Side;

use crate::analysis::{Analysis, Mark};

/// Width and height in pixels.
const SIZE: (u32, u32) = (960, 420);

/// Draws the chance of Black after each move, with marks where one was a mistake.
///
/// # Errors
/// When the picture cannot be made.
pub fn draw(analysis: &Analysis, title: &str) -> Result<String> {
    let mut svg = String::new();
    // The backend's own error keeps a borrow of the picture, so only its words are kept.
    draw_into(&mut svg, analysis, title).map_err(|error| anyhow!("{error}"))?;
    Ok(svg)
}

fn real(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

fn draw_into(
    svg: &mut String,
    analysis: &Analysis,
    title: &str,
) -> Result<(), Box<dyn std::error::Error>> {
    let chances = analysis.chances();
    let points: Vec<(f64, f64)> = chances
        .iter()
        .enumerate()
        .filter_map(|(stones, chance)| chance.map(|chance| (real(stones), 100.0 * chance)))
        .collect();
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let right = real(chances.len().saturating_sub(1)).max(1.0);
    let mut chart = ChartBuilder::on(&root)
        .margin(16)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .caption(title, ("sans-serif", 18))
        .build_cartesian_2d(0.0..right, 0.0..100.0)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("moves")
        .y_desc("Black wins, %")
        .x_label_formatter(&|moves| format!("{moves:.0}"))
        .y_label_formatter(&|chance| format!("{chance:.0}"))
        .draw()?;
    let fill = RGBColor(40, 40, 40);
    chart.draw_series(AreaSeries::new(points.iter().copied(), 0.0, fill.mix(0.15)))?;
    chart.draw_series(LineSeries::new([(0.0, 50.0), (right, 50.0)], BLACK.mix(0.4)))?;
    chart.draw_series(LineSeries::new(points.iter().copied(), fill.stroke_width(2)))?;
    for (mark, color) in [
        (Mark::Inaccuracy, RGBColor(214, 158, 32)),
        (Mark::Mistake, RGBColor(224, 110, 20)),
        (Mark::Blunder, RGBColor(200, 30, 30)),
    ] {
        let marked: Vec<_> = analysis.judged().filter(|judged| judged.mark == mark).collect();
        if marked.is_empty() {
            continue;
        }
        let points = marked.iter().filter_map(|judged| {
            let black = match judged.color {
                Side::Black => judged.after?,
                Side::White => 1.0 - judged.after?,
            };
            Some((real(judged.number), 100.0 * black))
        });
        let name = match mark {
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            _ => "blunder",
        };
        chart
            .draw_series(points.map(|point| Circle::new(point, 5, color.filled())))?
            .label(format!("{name} {}", mark.symbol()))
            .legend(move |(x, y)| Circle::new((x + 10, y), 5, color.filled()));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .draw()?;
    root.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Verdict;
    use crate::game::Game;
    use crate::thought::Thought;
    use tengen::base::score::Score;
    use tengen::types::rule::Rule;
    use tengen::types::size::BoardSize;
    use tengen::types::square::Square;

    #[test]
    fn a_curve_has_axes_a_line_and_a_dot_for_each_mistake() {
        let mut game = Game::new(BoardSize::square(15), Rule::Freestyle);
        for x in 0..3 {
            game.play(Square::new(x, x), 0, Thought::default()).unwrap();
        }
        let mut analysis = Analysis::new(&game);
        for score in [Score::ZERO, Score::win_in(5), Score::ZERO, Score::ZERO] {
            let thought = Thought { score: Some(score), ..Thought::default() };
            analysis.add(Verdict { best: Square::new(14, 14), thought });
        }
        let svg = draw(&analysis, "a < b").unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(svg.contains("Black wins, %") && svg.contains("a &lt; b"), "{svg}");
        // The first move gives a win away, the second gives it back; a dot each and one for the
        // legend.
        assert_eq!(svg.matches("#C81E1E").count(), 3, "{svg}");
    }

    #[test]
    fn nothing_known_is_an_empty_picture() {
        let game = Game::new(BoardSize::square(5), Rule::Caro);
        let svg = draw(&Analysis::new(&game), "").unwrap();
        assert!(svg.contains("moves"));
    }
}
