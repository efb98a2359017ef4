//! The way of the numbers: a text file that is written line by line and read back, and a
//! picture.
//!
//! ```text
//!   # tune-search 1: what the run is, one line
//!   k lead futility_margin aspiration ...
//!   0 0.125 60.41 23.87 ...
//! ```

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use plotters::prelude::*;
use tengen::base::params::Tunable;

/// Why a file is no trajectory of this run.
#[derive(Debug)]
pub(crate) enum TrajectoryError {
    /// It could not be read or written.
    File(PathBuf, io::Error),
    /// It belongs to another run; its head.
    Other(PathBuf, String),
    /// A line is not as it should be.
    Line(PathBuf, usize),
}

impl fmt::Display for TrajectoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrajectoryError::File(path, error) => write!(f, "{}: {error}", path.display()),
            TrajectoryError::Other(path, head) => {
                write!(f, "{} is of another run: {head}", path.display())
            }
            TrajectoryError::Line(path, line) => {
                write!(f, "{}: line {line} is no iteration", path.display())
            }
        }
    }
}

impl std::error::Error for TrajectoryError {}

/// The numbers before the first and after each iteration.
#[derive(Debug)]
pub(crate) struct Trajectory {
    pub(crate) points: Vec<Vec<f64>>,
    file: File,
    path: PathBuf,
}

impl Trajectory {
    /// Begins a file, or reads one of the same run to continue it; a torn last line is cut off.
    pub(crate) fn open(
        path: &Path,
        note: &str,
        tunables: &[Tunable],
    ) -> Result<Trajectory, TrajectoryError> {
        let failed = |error| TrajectoryError::File(path.to_owned(), error);
        let names: Vec<&str> = tunables.iter().map(|tunable| tunable.name).collect();
        let head = format!("# tune-search 1: {note}\nk lead {}\n", names.join(" "));
        let start = tunables.iter().map(|tunable| f64::from(tunable.default)).collect();
        let mut points: Vec<Vec<f64>> = vec![start];
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(failed(error)),
        };
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let rest = if whole.is_empty() { Some("") } else { whole.strip_prefix(&head) };
        let Some(rest) = rest else {
            let found = text.lines().next().unwrap_or("").to_owned();
            return Err(TrajectoryError::Other(path.to_owned(), found));
        };
        for (at, line) in rest.lines().enumerate() {
            let wrong = || TrajectoryError::Line(path.to_owned(), at + 3);
            let words: Vec<&str> = line.split(' ').collect();
            if words.len() != tunables.len() + 2 || words[0].parse() != Ok(at) {
                return Err(wrong());
            }
            let numbers: Result<Vec<f64>, _> = words[2..].iter().map(|word| word.parse()).collect();
            points.push(numbers.map_err(|_| wrong())?);
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        file.set_len(whole.len() as u64).map_err(failed)?;
        if whole.is_empty() {
            file.write_all(head.as_bytes()).map_err(failed)?;
        }
        Ok(Trajectory { points, file, path: path.to_owned() })
    }

    /// Iterations that are done.
    pub(crate) fn done(&self) -> u32 {
        u32::try_from(self.points.len() - 1).unwrap_or(u32::MAX)
    }

    /// The numbers now.
    pub(crate) fn numbers(&self) -> Vec<f64> {
        self.points[self.points.len() - 1].clone()
    }

    /// Appends an iteration.
    pub(crate) fn push(&mut self, lead: f64, numbers: &[f64]) -> Result<(), TrajectoryError> {
        let words: Vec<String> = numbers.iter().map(|number| format!("{number:.4}")).collect();
        let line = format!("{} {lead:.4} {}\n", self.done(), words.join(" "));
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|error| TrajectoryError::File(self.path.clone(), error))?;
        // As it will be read, so that a continued run is the same run.
        self.points.push(words.iter().filter_map(|word| word.parse().ok()).collect());
        Ok(())
    }
}

/// Draws the way of each number, in steps away from where it began.
///
/// # Errors
/// When the file cannot be written.
pub(crate) fn draw(path: &Path, tunables: &[Tunable], points: &[Vec<f64>]) -> Result<(), String> {
    let root = SVGBackend::new(path, (900, 520)).into_drawing_area();
    draw_on(&root, tunables, points).map_err(|error| error.to_string())
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type AreaError<'a> = DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>;

fn draw_on<'a>(
    root: &Area<'a>,
    tunables: &[Tunable],
    points: &[Vec<f64>],
) -> Result<(), AreaError<'a>> {
    root.fill(&WHITE)?;
    let steps = |number: f64, tunable: &Tunable| {
        (number - f64::from(tunable.default)) / f64::from(tunable.step)
    };
    let all = points.iter().flat_map(|point| point.iter().zip(tunables));
    let most = all.map(|(&number, tunable)| steps(number, tunable).abs()).fold(1.0, f64::max);
    let last = f64::from(u32::try_from(points.len().saturating_sub(1).max(1)).unwrap_or(1));
    let mut chart = ChartBuilder::on(root)
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(50)
        .build_cartesian_2d(0.0..last * 1.3, -most * 1.1..most * 1.1)?;
    chart
        .configure_mesh()
        .x_desc("iteration")
        .y_desc("steps from the start")
        .light_line_style(WHITE)
        .draw()?;
    for (index, tunable) in tunables.iter().enumerate() {
        let color = Palette99::pick(index).to_rgba();
        let way = (0_u32..).zip(points);
        let way = way.map(|(k, point)| (f64::from(k), steps(point[index], tunable)));
        chart
            .draw_series(LineSeries::new(way, color.stroke_width(2)))?
            .label(tunable.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 14, y)], color));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE)
        .draw()?;
    root.present()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TUNABLES: [Tunable; 2] = [
        Tunable { name: "a", default: 50, min: 0, max: 100, step: 4 },
        Tunable { name: "b", default: 10, min: 0, max: 20, step: 1 },
    ];

    #[test]
    fn a_torn_file_is_continued_and_one_of_another_run_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("way.txt");
        let mut way = Trajectory::open(&path, "a run", &TUNABLES).unwrap();
        assert_eq!((way.done(), way.numbers()), (0, vec![50.0, 10.0]));
        way.push(0.25, &[51.23456, 9.5]).unwrap();
        way.push(-0.5, &[50.0, 9.25]).unwrap();
        drop(way);
        let length = fs::metadata(&path).unwrap().len();
        OpenOptions::new().write(true).open(&path).unwrap().set_len(length - 2).unwrap();
        let mut way = Trajectory::open(&path, "a run", &TUNABLES).unwrap();
        assert_eq!((way.done(), way.numbers()), (1, vec![51.2346, 9.5]));
        way.push(0.125, &[52.0, 9.0]).unwrap();
        drop(way);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 4);
        assert!(text.ends_with("1 0.1250 52.0000 9.0000\n"));
        let open = |note, tunables| Trajectory::open(&path, note, tunables).unwrap_err();
        assert!(matches!(open("another run", &TUNABLES), TrajectoryError::Other(..)));
        assert!(matches!(open("a run", &TUNABLES[..1]), TrajectoryError::Other(..)));
        fs::write(&path, text.replace("\n1 ", "\n7 ")).unwrap();
        assert!(matches!(open("a run", &TUNABLES), TrajectoryError::Line(_, 4)));
    }

    #[test]
    fn a_picture_names_its_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("way.svg");
        let points = [vec![50.0, 10.0], vec![54.0, 9.0], vec![58.0, 9.5]];
        draw(&path, &TUNABLES, &points).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        for word in ["iteration", "steps from the start", "polyline"] {
            assert!(text.contains(word), "{word}");
        }
    }
}
