//! The loss curves of a fit as a picture.

use std::path::Path;

use plotters::prelude::*;

use crate::train::History;
use learning::number::real;

/// Draws one panel for each history, learned and held out, into an SVG file.
///
/// # Errors
/// When the file cannot be written.
pub(crate) fn draw(path: &Path, title: &str, panels: &[(&str, &History)]) -> Result<(), String> {
    let size = (460 * u32::try_from(panels.len().max(1)).unwrap_or(1), 340);
    let root = SVGBackend::new(path, size).into_drawing_area();
    draw_on(&root, title, panels).map_err(|error| error.to_string())
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type AreaError<'a> = DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>;

fn draw_on<'a>(
    root: &Area<'a>,
    title: &str,
    panels: &[(&str, &History)],
) -> Result<(), AreaError<'a>> {
    root.fill(&WHITE)?;
    let inner = root.titled(title, ("sans-serif", 18))?;
    let areas = inner.split_evenly((1, panels.len().max(1)));
    for (area, (name, history)) in areas.iter().zip(panels) {
        let all = history.train.iter().chain(&history.held_out);
        let low = all.clone().copied().fold(f64::MAX, f64::min);
        let high = all.copied().fold(f64::MIN, f64::max);
        let room = ((high - low) * 0.05).max(1e-4);
        let epochs = real(history.train.len().saturating_sub(1).max(1));
        let mut chart = ChartBuilder::on(area)
            .caption(name, ("sans-serif", 15))
            .margin(10)
            .x_label_area_size(34)
            .y_label_area_size(56)
            .build_cartesian_2d(0.0..epochs, low - room..high + room)?;
        chart
            .configure_mesh()
            .x_desc("epoch")
            .y_desc("cross entropy")
            .x_labels(6)
            .y_labels(6)
            .light_line_style(WHITE)
            .draw()?;
        let lines = [("learned from", &history.train, BLUE), ("held out", &history.held_out, RED)];
        for (label, losses, color) in lines {
            let points = losses.iter().enumerate().map(|(epoch, &loss)| (real(epoch), loss));
            chart
                .draw_series(LineSeries::new(points, color.stroke_width(2)))?
                .label(label)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], color));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .background_style(WHITE)
            .border_style(BLACK)
            .draw()?;
    }
    root.present()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_names_its_curves() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("loss.svg");
        let history = History { train: vec![0.7, 0.6, 0.55], held_out: vec![0.7, 0.62, 0.58] };
        draw(&path, "a title", &[("value", &history), ("order", &history)]).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        for word in ["a title", "value", "order", "held out", "epoch", "polyline"] {
            assert!(text.contains(word), "{word}");
        }
    }
}
