//! The game on the board: moves, undo and redo, the end, time used.
//!
//! Owns the record. Must not know screens, keys, engines or files' formats beyond
//! [`manager::gamefile`]. Start reading at [`Game::play`].

use manager::gamefile::{self, Ending, Finish, GameFile};
use manager::picture::Picture;
use manager::referee::{Referee, Verdict};
use tengen::types::color::Color;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

use crate::chance;
use crate::thought::Thought;

/// What files name as the program that wrote them.
const PROGRAM: &str = "Tengen play";

/// A move that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Where.
    pub square: Square,
    /// Milliseconds it took.
    pub ms: u64,
    /// What an engine thought; empty for a person's move.
    pub thought: Thought,
    /// What a file said about it.
    pub words: String,
}

/// Why a stone cannot be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// A stone is there.
    Occupied,
    /// The game is over.
    Over,
}

/// A game.
#[derive(Clone, Debug)]
pub struct Game {
    rule: Rule,
    size: BoardSize,
    moves: Vec<Played>,
    /// What was undone, the next to redo last.
    undone: Vec<Played>,
    referee: Referee,
    /// How the stones ended it.
    board_finish: Option<Finish>,
    /// How it ended otherwise: by a resignation, or as a file says.
    told_finish: Option<Finish>,
    /// Empty squares on which the side to move loses at once.
    forbidden: Vec<Square>,
    /// Names that a file gave, Black's first.
    names: [String; 2],
}

impl Game {
    /// An empty board.
    pub fn new(size: BoardSize, rule: Rule) -> Game {
        Game {
            rule,
            size,
            moves: Vec::new(),
            undone: Vec::new(),
            referee: Referee::new(size, rule),
            board_finish: None,
            told_finish: None,
            forbidden: Vec::new(),
            names: [String::new(), String::new()],
        }
    }

    /// The rule.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The board.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The moves, Black's first.
    pub fn moves(&self) -> &[Played] {
        &self.moves
    }

    /// Where the stones are, in the order they were placed.
    pub fn squares(&self) -> Vec<Square> {
        self.referee.moves().to_vec()
    }

    /// Whose turn it is.
    pub fn side_to_move(&self) -> Color {
        self.referee.side_to_move()
    }

    /// How the game ended, if it has.
    pub fn finish(&self) -> Option<Finish> {
        self.board_finish.or(self.told_finish)
    }

    /// How the stones on the board ended it, if they have.
    pub fn board_finish(&self) -> Option<Finish> {
        self.board_finish
    }

    /// Whether a square is on the board and empty.
    pub fn is_empty(&self, square: Square) -> bool {
        self.referee.empty_square(square.x().into(), square.y().into()).is_some()
    }

    /// Empty squares on which the side to move loses at once; none once the game is over.
    pub fn forbidden(&self) -> &[Square] {
        &self.forbidden
    }

    /// The row that has won, from end to end; empty if there is none.
    pub fn winning_row(&self) -> Vec<Square> {
        let is_won = self.board_finish.is_some_and(|finish| finish.ending == Ending::Played);
        if is_won { self.referee.winning_row().unwrap_or_default() } else { Vec::new() }
    }

    /// Places the stone of the side to move.
    ///
    /// # Errors
    /// [`PlayError`]; nothing has changed then.
    pub fn play(&mut self, square: Square, ms: u64, thought: Thought) -> Result<(), PlayError> {
        if self.finish().is_some() {
            return Err(PlayError::Over);
        }
        if !self.is_empty(square) {
            return Err(PlayError::Occupied);
        }
        if self.undone.last().is_some_and(|next| next.square == square) {
            self.undone.pop();
        } else {
            self.undone.clear();
        }
        self.push(Played { square, ms, thought, words: String::new() });
        Ok(())
    }

    fn push(&mut self, played: Played) {
        let mover = self.side_to_move();
        let verdict = self.referee.play(played.square);
        self.moves.push(played);
        let finish = |winner, ending| Some(Finish { winner, ending });
        self.board_finish = match verdict {
            Verdict::GoesOn => None,
            Verdict::Five => finish(Some(mover), Ending::Played),
            Verdict::FullBoard => finish(None, Ending::Played),
            Verdict::Forbidden => finish(Some(mover.opponent()), Ending::Forbidden),
        };
        self.find_forbidden();
    }

    fn find_forbidden(&mut self) {
        self.forbidden =
            if self.finish().is_none() { self.referee.forbidden_squares() } else { Vec::new() };
    }

    /// Takes the last move back, or a resignation; says whether there was one.
    pub fn undo(&mut self) -> bool {
        if self.board_finish.is_none() && self.told_finish.take().is_some() {
            self.find_forbidden();
            return true;
        }
        let Some(last) = self.moves.pop() else { return false };
        self.undone.push(last);
        self.set_up();
        true
    }

    /// Plays the last undone move again; says whether there was one.
    pub fn redo(&mut self) -> bool {
        if self.finish().is_some() {
            return false;
        }
        let Some(next) = self.undone.pop() else { return false };
        self.push(next);
        true
    }

    /// Whether there is something to redo.
    pub fn can_redo(&self) -> bool {
        self.finish().is_none() && !self.undone.is_empty()
    }

    /// Sets the board up from the moves.
    fn set_up(&mut self) {
        self.referee = Referee::new(self.size, self.rule);
        (self.board_finish, self.told_finish) = (None, None);
        for played in &self.moves {
            self.referee.play(played.square);
        }
        self.find_forbidden();
    }

    /// A side gives up.
    pub fn resign(&mut self, loser: Color) {
        if self.finish().is_none() {
            let winner = Some(loser.opponent());
            self.told_finish = Some(Finish { winner, ending: Ending::Resigned });
            self.forbidden.clear();
        }
    }

    /// Milliseconds a side has used for its moves.
    pub fn used_ms(&self, color: Color) -> u64 {
        self.moves.iter().skip(color.index()).step_by(2).map(|played| played.ms).sum()
    }

    /// The chance of Black after each number of stones, as engines saw it when they moved.
    pub fn chances(&self) -> Vec<Option<f64>> {
        let mut chances = vec![None];
        for (index, played) in self.moves.iter().enumerate() {
            let own = played.thought.score.map(|score| chance::of_score(self.rule, score));
            chances.push(own.map(|own| if index.is_multiple_of(2) { own } else { 1.0 - own }));
        }
        if let (Some(finish), Some(last)) = (self.finish(), chances.last_mut()) {
            *last = Some(match finish.winner {
                Some(Color::Black) => 1.0,
                Some(Color::White) => 0.0,
                None => 0.5,
            });
        }
        chances
    }

    /// How the game ended, in words; none while it goes on.
    pub fn end_words(&self) -> Option<String> {
        let finish = self.finish()?;
        let side = |color: Color| if color == Color::Black { "Black" } else { "White" };
        let Some(winner) = finish.winner else {
            let full = self.moves.len() == self.size.area();
            return Some(if full { "a draw: the board is full" } else { "a draw" }.to_string());
        };
        let loser = side(winner.opponent());
        let how = match finish.ending {
            Ending::Played if self.referee.winning_row().is_some() => "five in a row".to_string(),
            Ending::Played => "as the file says".to_string(),
            Ending::Forbidden => format!("{loser} made a forbidden move"),
            Ending::OutOfTime => format!("{loser} ran out of time"),
            Ending::Illegal => format!("{loser} made no legal move"),
            Ending::Crashed => format!("{loser} broke down"),
            Ending::Resigned => format!("{loser} resigned"),
        };
        Some(format!("{} wins: {how}", side(winner)))
    }

    /// The game for a file, with the names of the players, Black's first.
    pub fn to_file(&self, names: [String; 2]) -> GameFile {
        let [black, white] = names;
        let moves = self.moves.iter().map(|played| gamefile::Move {
            square: played.square,
            ms: played.ms,
            words: match played.thought.words() {
                words if words.is_empty() => played.words.clone(),
                words => words,
            },
        });
        GameFile {
            program: PROGRAM.to_string(),
            title: None,
            black,
            white,
            rule: self.rule,
            size: self.size,
            moves: moves.collect(),
            finish: self.finish(),
            words: self.end_words().unwrap_or_default(),
        }
    }

    /// A game from a file.
    pub fn from_file(file: &GameFile) -> Game {
        let mut game = Game::new(file.size, file.rule);
        for mv in &file.moves {
            if game.finish().is_some() || !game.is_empty(mv.square) {
                break;
            }
            game.push(Played {
                square: mv.square,
                ms: mv.ms,
                thought: Thought::default(),
                words: mv.words.clone(),
            });
        }
        game.told_finish = file.finish;
        game.find_forbidden();
        game.names = [file.black.clone(), file.white.clone()];
        game
    }

    /// The names a file gave, Black's first; empty for a game begun here.
    pub fn names(&self) -> &[String; 2] {
        &self.names
    }

    /// The board after so many stones, with words below it.
    pub fn picture(&self, stones: usize, names: [String; 2]) -> Picture {
        let shown = &self.squares()[..stones.min(self.moves.len())];
        let is_whole = shown.len() == self.moves.len();
        let (row, forbidden) = if is_whole {
            (self.winning_row(), self.forbidden.clone())
        } else {
            (Vec::new(), self.before(shown.len()).forbidden)
        };
        let count = match (shown.len(), self.moves.len()) {
            (1, 1) => "1 stone".to_string(),
            (all, count) if all == count => format!("{count} stones"),
            (part, all) => format!("{part} of {all} stones"),
        };
        let mut facts = vec![format!("{} {}", self.rule, self.size), count];
        let turn = if shown.len().is_multiple_of(2) { "Black to move" } else { "White to move" };
        let end = self.end_words().filter(|_| is_whole);
        facts.push(end.unwrap_or_else(|| turn.to_string()));
        let [black, white] = names;
        let mut words = Vec::new();
        if !black.is_empty() || !white.is_empty() {
            words.push(format!("{black} (Black) - {white} (White)"));
        }
        words.push(facts.join(", "));
        Picture { moves: shown.to_vec(), row, forbidden, words }
    }

    /// The game as it was after so many stones.
    #[must_use]
    pub fn before(&self, stones: usize) -> Game {
        let mut game = Game::new(self.size, self.rule);
        for played in &self.moves[..stones.min(self.moves.len())] {
            game.push(played.clone());
        }
        game
    }
}

#[cfg(test)]
mod tests {
    use manager::text;

    use super::*;

    const SIZE: BoardSize = BoardSize::square(15);

    fn game(moves: &str, rule: Rule) -> Game {
        let mut game = Game::new(SIZE, rule);
        for square in text::parse_moves(moves, SIZE).unwrap() {
            game.play(square, 10, Thought::default()).unwrap();
        }
        game
    }

    fn move_list(game: &Game) -> String {
        text::moves(&game.squares())
    }

    #[test]
    fn undo_and_redo_lead_back_to_the_same_game() {
        let mut game = game("h8a1i8a2j8a3k8a4l8", Rule::Freestyle);
        assert_eq!(game.end_words().unwrap(), "Black wins: five in a row");
        assert_eq!(game.winning_row().len(), 5);
        assert!(game.undo() && game.finish().is_none() && game.undo());
        assert_eq!(
            (move_list(&game).as_str(), game.side_to_move()),
            ("h8a1i8a2j8a3k8", Color::White)
        );
        assert!(game.redo() && game.redo() && !game.redo());
        assert_eq!(game.end_words().unwrap(), "Black wins: five in a row");
        while game.undo() {}
        assert_eq!((game.moves().len(), game.used_ms(Color::Black)), (0, 0));
        assert!(game.can_redo());
    }

    #[test]
    fn another_move_ends_the_redo_and_the_same_one_keeps_it() {
        let mut game = game("h8i9g7", Rule::Freestyle);
        assert!(game.undo() && game.undo());
        game.play(Square::new(8, 8), 1, Thought::default()).unwrap();
        assert!(game.can_redo() && game.redo());
        assert!(game.undo());
        game.play(Square::new(0, 0), 1, Thought::default()).unwrap();
        assert!(!game.can_redo());
    }

    #[test]
    fn what_cannot_be_played_changes_nothing() {
        let mut game = game("h8a1i8a2j8a3k8a4", Rule::Freestyle);
        assert_eq!(game.play(Square::new(7, 7), 0, Thought::default()), Err(PlayError::Occupied));
        game.play(Square::new(11, 7), 0, Thought::default()).unwrap();
        assert_eq!(game.play(Square::new(0, 9), 0, Thought::default()), Err(PlayError::Over));
        assert_eq!(game.moves().len(), 9);
    }

    #[test]
    fn black_sees_what_renju_forbids_and_loses_by_it() {
        let mut game = game("g8a1i8o1h7a15h9o15", Rule::Renju);
        assert_eq!(text::moves(game.forbidden()), "h8");
        game.play(Square::new(7, 7), 0, Thought::default()).unwrap();
        assert_eq!(game.end_words().unwrap(), "White wins: Black made a forbidden move");
        assert!(game.winning_row().is_empty() && game.forbidden().is_empty());
        assert!(game.undo() && game.finish().is_none());
        assert_eq!(text::moves(game.forbidden()), "h8");
    }

    #[test]
    fn a_resignation_can_be_taken_back_without_a_stone() {
        let mut game = game("h8i9", Rule::Freestyle);
        game.resign(Color::Black);
        assert_eq!(game.end_words().unwrap(), "White wins: Black resigned");
        assert!(!game.redo());
        assert!(game.undo());
        assert_eq!((game.moves().len(), game.finish()), (2, None));
    }

    #[test]
    fn files_keep_the_game() {
        let mut resigned = game("h8i9g7", Rule::Caro);
        resigned.resign(Color::White);
        for game in [resigned, game("h8a1i8a2j8a3k8a4l8", Rule::Standard), game("", Rule::Renju)] {
            let names = ["a".to_string(), "b".to_string()];
            let text = game.to_file(names.clone()).write(gamefile::Format::Sgf);
            let loaded = gamefile::read(text.as_bytes(), Rule::Freestyle).unwrap();
            let again = Game::from_file(&loaded.game);
            assert_eq!(move_list(&again), move_list(&game));
            assert_eq!((again.finish(), again.rule()), (game.finish(), game.rule()));
            assert_eq!(again.names(), &names);
        }
    }

    #[test]
    fn time_is_counted_by_side() {
        let game = game("h8i9g7", Rule::Freestyle);
        assert_eq!((game.used_ms(Color::Black), game.used_ms(Color::White)), (20, 10));
    }

    #[test]
    fn pictures_show_any_position_of_the_game() {
        let game = game("g8a1i8o1h7a15h9o15", Rule::Renju);
        let names = [String::new(), String::new()];
        let whole = game.picture(99, names.clone());
        assert_eq!(text::moves(&whole.forbidden), "h8");
        assert_eq!(whole.words, ["renju 15x15, 8 stones, Black to move"]);
        let part = game.picture(3, names);
        assert_eq!((part.moves.len(), part.forbidden.len()), (3, 0));
        assert_eq!(part.words, ["renju 15x15, 3 of 8 stones, White to move"]);
    }
}
