//! The running Elo with its interval as an SVG picture.
//!
//! Owns the picture. Must not know how games are played; it counts them in the order given.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::prelude::*;

use crate::elo::estimate;
use crate::record::GameRecord;
use crate::tally::Tally;

/// Elo beyond which a curve is cut: a few games prove nothing out there.
const MOST: f64 = 800.0;
/// Points of a curve; more would only make the file large.
const POINTS: usize = 500;

/// Elo after so many games, with the ends of its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Games counted.
    pub games: f64,
    /// Elo of the first engine.
    pub elo: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The course of a pairing: one point after each complete pair, once there is an interval.
pub fn course(games: &[GameRecord], pairing: (usize, usize), names: &[String]) -> Vec<Point> {
    let mut tally = Tally::new(names.iter().cloned());
    let mut course = Vec::new();
    let mut pairs = 0;
    for game in games {
        tally.add(game);
        let Some(counted) = tally.pairings.get(&pairing) else { continue };
        if counted.total_pairs() == pairs {
            continue;
        }
        pairs = counted.total_pairs();
        if let Some(found) = estimate(&counted.pairs)
            && let Some((low, high)) = found.interval
        {
            let within = |elo: f64| elo.clamp(-MOST, MOST);
            let games = crate::elo::real(2 * pairs);
            let (elo, low, high) = (within(found.elo), within(low), within(high));
            course.push(Point { games, elo, low, high });
        }
    }
    thinned(course)
}

/// At most [`POINTS`] points, the last among them.
fn thinned(course: Vec<Point>) -> Vec<Point> {
    let step = course.len().div_ceil(POINTS).max(1);
    let last = course.len().saturating_sub(1);
    let kept = course.into_iter().enumerate().filter(|(i, _)| (last - i).is_multiple_of(step));
    kept.map(|(_, point)| point).collect()
}

/// Draws one curve for each pairing of a tally, its games in the order they were played.
///
/// # Errors
/// When the file cannot be written. Where there is nothing to draw yet, none is written.
pub fn write(path: &Path, tally: &Tally, games: &[GameRecord]) -> Result<()> {
    let curves: Vec<(String, Vec<Point>)> = tally
        .pairings
        .keys()
        .map(|&(a, b)| {
            let name = format!("{} - {}", tally.engines[a], tally.engines[b]);
            (name, course(games, (a, b), &tally.engines))
        })
        .filter(|(_, course)| !course.is_empty())
        .collect();
    if curves.is_empty() {
        eprintln!("no plot is drawn: too few games for an interval");
        return Ok(());
    }
    // The backend's own error keeps a borrow of the picture, so only its words are kept.
    draw(path, &curves).map_err(|error| anyhow!("{error}"))
}

fn draw(path: &Path, curves: &[(String, Vec<Point>)]) -> Result<(), Box<dyn std::error::Error>> {
    let points = || curves.iter().flat_map(|(_, course)| course);
    let games = points().map(|point| point.games).fold(1.0, f64::max);
    // The first wide intervals would flatten the rest: show what the later half needs.
    let late = || points().filter(|point| point.games * 2.0 >= games);
    let low = late().map(|point| point.low).fold(0.0, f64::min);
    let high = late().map(|point| point.high).fold(0.0, f64::max);
    let room = ((high - low) * 0.25).max(5.0);

    let root = SVGBackend::new(path, (960, 540)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(16)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .caption("Elo with its 95 % interval", ("sans-serif", 20))
        .build_cartesian_2d(0.0..games, low - room..high + room)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("games")
        .y_desc("Elo of the first")
        .x_label_formatter(&|games| format!("{games:.0}"))
        .y_label_formatter(&|elo| format!("{elo:+.0}"))
        .draw()?;
    let (bottom, top) = (low - room, high + room);
    for (index, (name, course)) in curves.iter().enumerate() {
        let color = Palette99::pick(index).to_rgba();
        if curves.len() == 1 {
            let upper = course.iter().map(|point| (point.games, point.high.min(top)));
            let lower = course.iter().rev().map(|point| (point.games, point.low.max(bottom)));
            let band: Vec<(f64, f64)> = upper.chain(lower).collect();
            chart.draw_series([Polygon::new(band, color.mix(0.2))])?;
        }
        let line = course.iter().map(|point| (point.games, point.elo.clamp(bottom, top)));
        chart
            .draw_series(LineSeries::new(line, color.stroke_width(2)))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color.stroke_width(2)));
    }
    chart.draw_series(LineSeries::new([(0.0, 0.0), (games, 0.0)], BLACK.mix(0.5)))?;
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    root.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Outcome;
    use crate::tally::tests::game;

    #[test]
    fn a_course_has_a_point_for_each_pair_that_varies() {
        let names = ["a".to_string(), "b".to_string()];
        let games = [
            game(0, 0, Outcome::Black),
            game(0, 1, Outcome::White),
            game(1, 0, Outcome::White),
            game(2, 0, Outcome::Black),
            game(1, 1, Outcome::White),
        ];
        let course = course(&games, (0, 1), &names);
        // Half of the third pair does not count.
        assert_eq!(course.len(), 2);
        assert!((course[1].games - 4.0).abs() < 1e-9 && course[1].elo > 0.0);
    }

    #[test]
    fn long_courses_are_thinned_and_keep_their_end() {
        let point = |games| Point { games, elo: 0.0, low: 0.0, high: 0.0 };
        let course: Vec<Point> = (0..1703).map(|games| point(f64::from(games))).collect();
        let thin = thinned(course.clone());
        assert!(thin.len() <= POINTS && thin.last() == course.last());
        assert_eq!(thinned(Vec::new()), []);
    }
}
