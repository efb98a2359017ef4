//! A board as an SVG picture, to be looked at or printed.
//!
//! Owns how it looks: a grid with coordinates, stones with their move numbers, the last one and
//! the winning row marked, words below. Must not know rules or records. Start at [`draw`].
//!
//! The picture needs no font of its own and no file beside it: circles, lines and text.

use std::fmt::Write as _;

use tengen::types::size::BoardSize;
use tengen::types::square::Square;

/// Pixels from line to line.
const CELL: u32 = 36;
/// Pixels from the edge of the picture to the first line: room for coordinates.
const MARGIN: u32 = 44;
/// Pixels from one line of words to the next.
const LINE: u32 = 22;
/// Pixels that a letter of the words takes, as far as can be told without the font.
const LETTER: usize = 8;
/// Lines of words that are shown of each paragraph.
const MOST_LINES: usize = 3;

/// What is to be seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// The stones in the order they were placed, Black's first.
    pub moves: Vec<Square>,
    /// The row that has won, from end to end; empty if there is none.
    pub row: Vec<Square>,
    /// Empty squares where Black may not play.
    pub forbidden: Vec<Square>,
    /// Paragraphs below the board, the first in bold; long ones are broken.
    pub words: Vec<String>,
}

/// Draws a board as SVG.
pub fn draw(size: BoardSize, picture: &Picture) -> String {
    let (columns, rows) = (u32::from(size.width()), u32::from(size.height()));
    let width = 2 * MARGIN + CELL * (columns - 1);
    let board_height = 2 * MARGIN + CELL * (rows - 1);
    let letters = (width - MARGIN) as usize / LETTER;
    let words: Vec<(usize, String)> = (0..)
        .zip(&picture.words)
        .flat_map(|(paragraph, text)| {
            broken(text, letters).into_iter().map(move |line| (paragraph, line))
        })
        .collect();
    let lines = u32::try_from(words.len()).unwrap_or(0);
    let height = board_height + if lines == 0 { 0 } else { lines * LINE + LINE / 2 };

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"Helvetica, Arial, sans-serif\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fffdf8\"/>\n\
         <rect width=\"{width}\" height=\"{board_height}\" fill=\"#ecc98a\"/>\n"
    );
    add_grid(&mut svg, size);
    add_stones(&mut svg, picture);
    for (index, (paragraph, line)) in (1..).zip(&words) {
        let y = board_height + index * LINE;
        let weight = if *paragraph == 0 { " font-weight=\"bold\"" } else { "" };
        let text = escaped(line);
        add(
            &mut svg,
            format_args!(
                "<text class=\"words\" x=\"{}\" y=\"{y}\" font-size=\"15\"{weight}>{text}</text>",
                MARGIN / 2
            ),
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// Adds a line; writing to a string cannot fail.
fn add(svg: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = svg.write_fmt(line);
    svg.push('\n');
}

/// Where a line of the grid lies, counted from 0.
fn place(line: u8) -> u32 {
    MARGIN + CELL * u32::from(line)
}

fn add_grid(svg: &mut String, size: BoardSize) {
    let (right, bottom) = (place(size.width() - 1), place(size.height() - 1));
    let mut path = String::new();
    for x in (0..size.width()).map(place) {
        let _ = write!(path, "M{x} {MARGIN}V{bottom}");
    }
    for y in (0..size.height()).map(place) {
        let _ = write!(path, "M{MARGIN} {y}H{right}");
    }
    add(
        svg,
        format_args!(
            "<path d=\"{path}\" stroke=\"#5b4521\" stroke-linecap=\"square\" fill=\"none\"/>"
        ),
    );
    for square in star_points(size) {
        let (x, y) = (place(square.x()), place(square.y()));
        add(
            svg,
            format_args!("<circle class=\"star\" cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"#5b4521\"/>"),
        );
    }
    // A letter is centered on its line by its height, which is about seven tenths of its size.
    svg.push_str("<g font-size=\"13\" fill=\"#5b4521\" text-anchor=\"middle\">\n");
    for x in 0..size.width() {
        let letter = char::from(b'a' + x);
        for y in [MARGIN - 24, bottom + 33] {
            add(svg, format_args!("<text x=\"{}\" y=\"{y}\">{letter}</text>", place(x)));
        }
    }
    for y in 0..size.height() {
        for x in [MARGIN - 28, right + 28] {
            add(svg, format_args!("<text x=\"{x}\" y=\"{}\">{}</text>", place(y) + 5, y + 1));
        }
    }
    svg.push_str("</g>\n");
}

/// The dots that help the eye: four near the corners, and the center where there is one.
pub fn star_points(size: BoardSize) -> Vec<Square> {
    let inset = |side: u8| match side {
        0..9 => None,
        9..13 => Some(2),
        _ => Some(3),
    };
    let mut points = Vec::new();
    if let (Some(x), Some(y)) = (inset(size.width()), inset(size.height())) {
        let (right, bottom) = (size.width() - 1 - x, size.height() - 1 - y);
        points.extend([(x, y), (right, y), (x, bottom), (right, bottom)]);
    }
    if size.width() % 2 == 1 && size.height() % 2 == 1 {
        points.push((size.width() / 2, size.height() / 2));
    }
    points.into_iter().map(|(x, y)| Square::new(x, y)).collect()
}

fn add_stones(svg: &mut String, picture: &Picture) {
    let fill = |index: usize| if index.is_multiple_of(2) { "#1c1c1c" } else { "#fbfbfb" };
    if let [first, .., last] = picture.row[..] {
        let [x1, y1, x2, y2] = [first.x(), first.y(), last.x(), last.y()].map(place);
        add(
            svg,
            format_args!(
                "<path class=\"row\" d=\"M{x1} {y1}L{x2} {y2}\" stroke=\"#2e9e4f\" stroke-width=\"14\"/>"
            ),
        );
    }
    for (index, square) in picture.moves.iter().enumerate() {
        let (x, y, fill) = (place(square.x()), place(square.y()), fill(index));
        add(
            svg,
            format_args!(
                "<circle class=\"stone\" cx=\"{x}\" cy=\"{y}\" r=\"16\" fill=\"{fill}\" stroke=\"#1c1c1c\"/>"
            ),
        );
    }
    for square in &picture.row {
        let (x, y) = (place(square.x()), place(square.y()));
        add(
            svg,
            format_args!(
                "<circle class=\"won\" cx=\"{x}\" cy=\"{y}\" r=\"16\" fill=\"none\" \
                 stroke=\"#2e9e4f\" stroke-width=\"4\"/>"
            ),
        );
    }
    for square in &picture.forbidden {
        let (x, y) = (place(square.x()), place(square.y()));
        add(
            svg,
            format_args!(
                "<path class=\"forbidden\" d=\"M{} {}l14 14m0 -14l-14 14\" stroke=\"#c4211c\" \
             stroke-width=\"3\"/>",
                x - 7,
                y - 7
            ),
        );
    }
    if let Some(last) = picture.moves.last() {
        let (x, y) = (place(last.x()), place(last.y()));
        add(
            svg,
            format_args!(
                "<circle class=\"last\" cx=\"{x}\" cy=\"{y}\" r=\"16\" fill=\"none\" \
             stroke=\"#e0261f\" stroke-width=\"3\"/>"
            ),
        );
    }
    svg.push_str("<g font-size=\"14\" text-anchor=\"middle\">\n");
    for (index, square) in picture.moves.iter().enumerate() {
        let (x, y, fill) = (place(square.x()), place(square.y()) + 5, fill(index + 1));
        add(
            svg,
            format_args!(
                "<text class=\"number\" x=\"{x}\" y=\"{y}\" fill=\"{fill}\">{}</text>",
                index + 1
            ),
        );
    }
    svg.push_str("</g>\n");
}

/// A paragraph as lines of at most so many letters, broken between words where that can be done;
/// what does not fit into [`MOST_LINES`] is left out.
fn broken(text: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let mut rest: Vec<char> = word.chars().collect();
        while !rest.is_empty() {
            let used = lines.last().map_or(letters, |line| line.chars().count() + 1);
            let start = used + rest.len().min(letters) > letters;
            let taken: String = rest.drain(..rest.len().min(letters)).collect();
            match lines.last_mut() {
                Some(line) if !start => line.extend([" ", &taken]),
                _ => lines.push(taken),
            }
        }
    }
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES);
        lines[MOST_LINES - 1].push_str(" ...");
    }
    lines
}

/// Text inside an element; what XML cannot hold is left out.
fn escaped(text: &str) -> String {
    let kept = text.chars().filter(|c| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}'));
    kept.collect::<String>().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    const SIZE: BoardSize = BoardSize::square(15);

    fn count(svg: &str, class: &str) -> usize {
        svg.matches(&format!("class=\"{class}\"")).count()
    }

    fn picture(moves: &str) -> Picture {
        Picture { moves: text::parse_moves(moves, SIZE).unwrap(), ..Picture::default() }
    }

    #[test]
    fn an_empty_board_has_a_grid_coordinates_and_star_points() {
        let svg = draw(SIZE, &Picture::default());
        assert_eq!([count(&svg, "stone"), count(&svg, "last"), count(&svg, "row")], [0; 3]);
        assert_eq!(count(&svg, "star"), 5);
        assert_eq!(svg.matches("V548").count(), 15);
        assert_eq!(svg.matches("H548").count(), 15);
        assert_eq!(svg.matches(">o</text>").count(), 2);
        assert_eq!(svg.matches(">15</text>").count(), 2);
        assert!(svg.ends_with("</svg>\n"));
    }

    #[test]
    fn stones_bear_their_numbers_and_the_last_is_marked() {
        let svg = draw(SIZE, &picture("h8i9"));
        assert_eq!([count(&svg, "stone"), count(&svg, "number"), count(&svg, "last")], [2, 2, 1]);
        // The line h is the eighth: 44 + 7 * 36 pixels; the first line of numbers is the uppermost.
        assert!(svg.contains("cx=\"296\" cy=\"296\" r=\"16\" fill=\"#1c1c1c\""), "{svg}");
        assert!(svg.contains("class=\"last\" cx=\"332\" cy=\"332\""), "{svg}");
        assert!(svg.contains("y=\"301\" fill=\"#fbfbfb\">1</text>"), "{svg}");
        assert!(svg.contains("y=\"337\" fill=\"#1c1c1c\">2</text>"), "{svg}");
    }

    #[test]
    fn the_winning_row_and_forbidden_squares_are_drawn() {
        let mut picture = picture("h8");
        picture.row = text::parse_moves("a1b2c3d4e5", SIZE).unwrap();
        picture.forbidden = text::parse_moves("c1d1", SIZE).unwrap();
        let svg = draw(SIZE, &picture);
        assert!(svg.contains("d=\"M44 44L188 188\""), "{svg}");
        assert_eq!([count(&svg, "won"), count(&svg, "forbidden")], [5, 2]);
    }

    #[test]
    fn words_are_escaped_and_broken_to_the_width() {
        let words = vec!["a<b> & \u{7}c".to_string(), "long ".repeat(100), "x".repeat(1000)];
        let svg = draw(BoardSize::square(5), &Picture { words, ..Picture::default() });
        assert!(svg.contains("font-weight=\"bold\">a&lt;b&gt; &amp; c</text>"), "{svg}");
        assert_eq!(count(&svg, "words"), 1 + 2 * MOST_LINES);
        assert!(svg.lines().all(|line| line.len() < 300), "{svg}");
        assert_eq!(broken("ab cd efghijk", 5), ["ab cd", "efghi", "jk"]);
    }

    #[test]
    fn all_boards_have_their_points_inside_and_words_below() {
        for (width, height) in [(5, 5), (6, 6), (9, 9), (12, 22), (19, 19), (20, 20), (22, 22)] {
            let size = BoardSize::try_new(width, height).unwrap();
            let stars = star_points(size);
            assert!(
                stars.iter().all(|s| Square::on_board(size, s.x().into(), s.y().into()).is_some())
            );
            let words = vec!["one".to_string()];
            let svg = draw(size, &Picture { words, ..Picture::default() });
            let height = 2 * 44 + 36 * (height - 1);
            assert!(svg.contains(&format!("y=\"{}\"", height + 22)), "{svg}");
        }
        assert_eq!(star_points(BoardSize::square(20)).len(), 4);
        assert_eq!(star_points(BoardSize::square(5)), [Square::new(2, 2)]);
    }
}
