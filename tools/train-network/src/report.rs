//! What a run has learned: as a table, and as a picture of the curves.

use std::fmt::Write;
use std::path::Path;

use plotters::prelude::*;

use crate::model::Loss;
use learning::number::real;

fn mean(sum: f64, count: usize) -> f64 {
    sum / real(count.max(1))
}

/// The heading of a table of losses.
pub(crate) const HEADING: &str = "\
                  value   result (search)   open: result (search)   policy   first   first five\n";

/// A line of a table of losses.
///
/// Cross entropies in nats: of the value against its target, against results, and against the
/// results of positions without a proven score; in brackets that of the search's own scores.
pub(crate) fn line(name: &str, loss: &Loss) -> String {
    let percent = |part: usize| 100.0 * mean(real(part), loss.choices);
    format!(
        "{name:<14} {:8.5} {:8.5} ({:.5})      {:8.5} ({:.5}) {:8.4} {:6.1}% {:8.1}%\n",
        mean(loss.value, loss.values),
        mean(loss.result, loss.results),
        mean(loss.search, loss.results),
        mean(loss.open_result, loss.opens),
        mean(loss.open_search, loss.opens),
        mean(loss.policy, loss.choices),
        percent(loss.first),
        percent(loss.five),
    )
}

/// The table of a run: before it, and after each epoch.
pub(crate) fn table(before: &Loss, epochs: &[(Loss, Loss)]) -> String {
    let mut text = HEADING.to_owned() + &line("start, held", before);
    for (nth, (learned, held)) in epochs.iter().enumerate() {
        let _ = write!(text, "{}", line(&format!("{}, learned", nth + 1), learned));
        let _ = write!(text, "{}", line(&format!("{}, held out", nth + 1), held));
    }
    text
}

/// Draws the curves of value and policy into an SVG file.
///
/// # Errors
/// When the file cannot be written.
pub(crate) fn draw(path: &Path, title: &str, epochs: &[(Loss, Loss)]) -> Result<(), String> {
    let root = SVGBackend::new(path, (920, 340)).into_drawing_area();
    draw_on(&root, title, epochs).map_err(|error| error.to_string())
}

/// What is drawn of a loss.
type Curve = fn(&Loss) -> f64;
type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type AreaError<'a> = DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>;

fn draw_on<'a>(root: &Area<'a>, title: &str, epochs: &[(Loss, Loss)]) -> Result<(), AreaError<'a>> {
    root.fill(&WHITE)?;
    let areas = root.titled(title, ("sans-serif", 18))?.split_evenly((1, 2));
    let panels: [(&str, Curve); 2] = [
        ("value", |loss| mean(loss.value, loss.values)),
        ("policy", |loss| mean(loss.policy, loss.choices)),
    ];
    for (area, (name, of)) in areas.iter().zip(panels) {
        let all = || epochs.iter().flat_map(|(one, other)| [of(one), of(other)]);
        let low = all().fold(f64::MAX, f64::min);
        let high = all().fold(f64::MIN, f64::max);
        let room = ((high - low) * 0.05).max(1e-4);
        let mut chart = ChartBuilder::on(area)
            .caption(name, ("sans-serif", 15))
            .margin(10)
            .x_label_area_size(34)
            .y_label_area_size(56)
            .build_cartesian_2d(1.0..real(epochs.len().max(2)), low - room..high + room)?;
        let mut mesh = chart.configure_mesh();
        mesh.x_desc("epoch").y_desc("cross entropy").x_labels(6).y_labels(6);
        mesh.light_line_style(WHITE).draw()?;
        let lines: [(&str, usize, RGBColor); 2] = [("learned from", 0, BLUE), ("held out", 1, RED)];
        for (label, which, color) in lines {
            let points = epochs
                .iter()
                .enumerate()
                .map(|(nth, (learned, held))| (real(nth + 1), of([learned, held][which])));
            chart
                .draw_series(LineSeries::new(points, color.stroke_width(2)))?
                .label(label)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], color));
        }
        chart.configure_series_labels().background_style(WHITE).border_style(BLACK).draw()?;
    }
    root.present()
}
