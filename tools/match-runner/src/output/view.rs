//! A game or a position to be looked at, wherever it was read from.
//!
//! Owns what of the two kinds of record files is shown: the runner's JSON lines, and the binary
//! files of games for the tuners. Must not know command lines. Start at [`read`].

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Result, bail};
use manager::picture::Picture;
use manager::referee::Referee;
use manager::text;
use tengen::types::color::Color;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

use super::files::{self, Contents};
use super::{board, export};
use crate::record::{GameRecord, Outcome};

/// A move with what is told about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Told {
    /// Milliseconds, depth, evaluation and so on, as words; empty for a move that was given.
    words: String,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Ended {
    outcome: Outcome,
    words: String,
    is_abnormal: bool,
}

/// A game or a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Names of Black and White, or that of the game where players have none.
    names: Vec<String>,
    rule: Rule,
    size: BoardSize,
    moves: Vec<Square>,
    told: Vec<Told>,
    end: Option<Ended>,
    last_lines: Vec<String>,
}

/// Reads a record file of either kind.
///
/// # Errors
/// When it cannot be read, or is neither.
pub fn read(path: &Path) -> Result<Contents<View>> {
    files::read(path, View::of_record, View::of_data)
}

impl View {
    /// Stones on a board, Black's first.
    pub fn of_moves(moves: Vec<Square>, size: BoardSize, rule: Rule) -> View {
        let told = vec![Told::default(); moves.len()];
        View { names: Vec::new(), rule, size, moves, told, end: None, last_lines: Vec::new() }
    }

    /// A game between engines.
    fn of_record(game: &GameRecord) -> Result<View> {
        let (size, moves) = export::moves(game)?;
        let moves: Vec<Square> = moves.into_iter().map(|(square, _)| square).collect();
        let rule = text::parse_rule(&game.rule.to_string()).map_err(anyhow::Error::msg)?;
        let mut view = View::of_moves(moves, size, rule);
        view.names = vec![game.black.clone(), game.white.clone()];
        let given = view.moves.len() - game.moves.len();
        for (told, mv) in view.told[given..].iter_mut().zip(&game.moves) {
            told.words = format!("{:>7} ms", mv.ms);
            told.add("depth", mv.note.depth);
            told.add("eval", mv.note.eval.as_ref());
            told.add("nodes", mv.note.nodes);
        }
        view.end = Some(Ended {
            outcome: game.outcome,
            words: game.end.words(),
            is_abnormal: game.end.is_abnormal(),
        });
        view.last_lines.clone_from(&game.last_lines);
        Ok(view)
    }

    /// A game for the tuners.
    fn of_data(game: &records::Game) -> View {
        let moves = game.moves.iter().map(|mv| mv.square).collect();
        let mut view = View::of_moves(moves, game.size, game.rule);
        view.names = vec![format!("game {}", game.number)];
        for (told, mv) in view.told.iter_mut().zip(&game.moves) {
            told.add("depth", (mv.depth > 0).then_some(mv.depth));
            told.add("eval", mv.score);
            let second =
                mv.second.map(|(square, score)| format!("{} {score}", text::point(square)));
            told.add("second", second);
        }
        let outcome = match game.winner {
            Some(Color::Black) => Outcome::Black,
            Some(Color::White) => Outcome::White,
            None => Outcome::Draw,
        };
        let is_abnormal = matches!(
            game.end,
            records::End::Crashed | records::End::Illegal | records::End::OutOfTime
        );
        view.end = Some(Ended { outcome, words: game.end.to_string(), is_abnormal });
        view
    }

    /// Whether a player broke down rather than lost.
    pub fn is_abnormal(&self) -> bool {
        self.end.as_ref().is_some_and(|end| end.is_abnormal)
    }

    /// The board.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// One line of a list: who, the result, how it came about.
    pub fn line(&self) -> String {
        let mut line = self.names.join(" - ");
        if let Some(end) = &self.end {
            let (result, stones) = (result(end.outcome), self.moves.len());
            // Writing to a string cannot fail, here and below.
            let _ = write!(line, "  {result}  {stones} stones, {}", end.words);
        }
        line
    }

    /// All there is as text, the board after so many stones.
    pub fn text(&self, stones: usize) -> String {
        let who = match &self.names[..] {
            [black, white] => format!("{black} (X, Black) - {white} (O, White)"),
            names => [names, &["X Black, O White".to_string()]].concat().join(": "),
        };
        let shown = &self.moves[..stones.min(self.moves.len())];
        let board = board::draw(self.size, shown);
        let mut words = format!("{who}, {} {}\n{board}\n", self.rule, self.size);
        let given = self.told.iter().take_while(|told| told.words.is_empty()).count();
        if given > 0 {
            let given = text::moves(&self.moves[..given]);
            let name = if self.end.is_some() { "opening" } else { "moves" };
            let _ = writeln!(words, "{name} {given}");
        }
        for (index, (square, told)) in self.moves.iter().zip(&self.told).enumerate().skip(given) {
            let color = if index % 2 == 0 { 'X' } else { 'O' };
            let line =
                format!("{:>3} {color} {:<4}{}", index + 1, text::point(*square), told.words);
            let _ = writeln!(words, "{}", line.trim_end());
        }
        if let Some(end) = &self.end {
            let _ = writeln!(words, "{}, {}", result(end.outcome), end.words);
        }
        for line in &self.last_lines {
            let _ = writeln!(words, "  | {line}");
        }
        words
    }

    /// The board after so many stones, with words on the game below it.
    ///
    /// # Errors
    /// When a stone is placed on another.
    pub fn picture(&self, stones: usize) -> Result<Picture> {
        let shown = &self.moves[..stones.min(self.moves.len())];
        let mut referee = Referee::new(self.size, self.rule);
        for (index, &square) in shown.iter().enumerate() {
            if referee.empty_square(square.x().into(), square.y().into()).is_none() {
                bail!("move {}, {}, is on another stone", index + 1, text::point(square));
            }
            referee.play(square);
        }
        let row = referee.winning_row().unwrap_or_default();
        let is_whole = shown.len() == self.moves.len();
        let goes_on = row.is_empty() && !(is_whole && self.end.is_some());
        let forbidden = if goes_on { referee.forbidden_squares() } else { Vec::new() };

        let names = match &self.names[..] {
            [black, white] => format!("{black} (Black) - {white} (White)"),
            names => names.concat(),
        };
        let result = self.end.as_ref().map(|end| result(end.outcome)).unwrap_or_default();
        let mut facts = vec![format!("{} {}", self.rule, self.size)];
        facts.push(match (shown.len(), self.moves.len()) {
            (1, 1) => "1 stone".to_string(),
            (all, count) if all == count => format!("{count} stones"),
            (part, all) => format!("{part} of {all} stones"),
        });
        facts.extend(self.end.as_ref().map(|end| end.words.clone()));
        if self.end.is_none() {
            facts.push(match referee.side_to_move() {
                _ if !row.is_empty() => "five in a row".to_string(),
                Color::Black => "Black to move".to_string(),
                Color::White => "White to move".to_string(),
            });
        }
        let title = format!("{names}  {result}");
        let words = [title.trim().to_string(), facts.join(", ")];
        let words = words.into_iter().filter(|words| !words.is_empty()).collect();
        Ok(Picture { moves: shown.to_vec(), row, forbidden, words })
    }
}

impl Told {
    fn add(&mut self, name: &str, value: Option<impl std::fmt::Display>) {
        if let Some(value) = value {
            let _ = write!(self.words, "  {name} {value}");
        }
    }
}

/// `1-0` when Black won.
const fn result(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Black => "1-0",
        Outcome::White => "0-1",
        Outcome::Draw => "1/2",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::End;
    use crate::tally::tests::game;

    const SIZE: BoardSize = BoardSize::square(15);

    fn position(moves: &str, rule: Rule) -> View {
        View::of_moves(text::parse_moves(moves, SIZE).unwrap(), SIZE, rule)
    }

    #[test]
    fn a_finished_row_is_shown_only_once_it_stands() {
        let view = position("h8a1i8a2j8a3k8a4l8", Rule::Standard);
        let picture = view.picture(usize::MAX).unwrap();
        assert_eq!(text::moves(&picture.row), "h8i8j8k8l8");
        assert_eq!(picture.words, ["standard 15x15, 9 stones, five in a row"]);
        let before = view.picture(8).unwrap();
        assert!(before.row.is_empty() && before.moves.len() == 8);
        assert_eq!(before.words, ["standard 15x15, 8 of 9 stones, Black to move"]);
    }

    #[test]
    fn forbidden_squares_are_shown_while_black_may_move_there() {
        let moves = "g8a1i8o1h7a15h9o15";
        let forbidden = |moves: &str, rule| position(moves, rule).picture(99).unwrap().forbidden;
        assert_eq!(text::moves(&forbidden(moves, Rule::Renju)), "h8");
        assert!(forbidden(moves, Rule::Standard).is_empty());
        assert!(forbidden(&moves[..moves.len() - 3], Rule::Renju).is_empty());
    }

    #[test]
    fn a_stone_on_another_is_an_error() {
        let error = position("h8h8", Rule::Freestyle).picture(2).unwrap_err();
        assert_eq!(error.to_string(), "move 2, h8, is on another stone");
    }

    #[test]
    fn a_game_of_engines_is_told_with_names_and_result() {
        let mut record = game(0, 0, Outcome::White);
        record.end = End::OutOfTime { limit_ms: 1, over_ms: 2, answered: true };
        let view = View::of_record(&record).unwrap();
        assert!(view.is_abnormal());
        assert_eq!(view.line(), "a - b  0-1  4 stones, out of time: 2 ms beyond 1 ms");
        let picture = view.picture(4).unwrap();
        assert_eq!(picture.words[0], "a (Black) - b (White)  0-1");
        assert_eq!(picture.words[1], "freestyle 15x15, 4 stones, out of time: 2 ms beyond 1 ms");
        let text = view.text(4);
        assert!(
            text.contains("opening h8i9g7\n  4 O a1       12 ms  depth 4  nodes 1000\n0-1,"),
            "{text}"
        );
    }

    #[test]
    fn a_game_for_the_tuners_is_told_with_its_scores() {
        use tengen::base::score::Score;
        let data = records::Game {
            number: 17,
            rule: Rule::Renju,
            size: BoardSize::try_new(9, 12).unwrap(),
            opening: 1,
            moves: vec![
                records::Move::plain(Square::new(4, 4)),
                records::Move {
                    square: Square::new(5, 11),
                    score: Some(Score::eval(-12)),
                    depth: 9,
                    second: Some((Square::new(0, 0), Score::eval(-20))),
                },
            ],
            winner: None,
            end: records::End::Full,
        };
        let view = View::of_data(&data);
        assert_eq!(view.line(), "game 17  1/2  2 stones, no squares left");
        let text = view.text(2);
        assert!(text.starts_with("game 17: X Black, O White, renju 9x12\n"), "{text}");
        assert!(
            text.contains("opening e5\n  2 O f12   depth 9  eval -12  second a1 -20\n"),
            "{text}"
        );
        assert_eq!(view.picture(2).unwrap().words[0], "game 17  1/2");
    }
}
