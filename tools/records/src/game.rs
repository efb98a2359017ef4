//! A game as it is recorded: what was played, what the engine thought, how it ended.

use std::fmt;

use tengen::base::score::Score;
use tengen::types::color::Color;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// A row that wins stands on the board.
    Five = 0,
    /// No squares are left.
    Full = 1,
    /// A proven result, or a rule of the tournament, ended it.
    Adjudicated = 2,
    /// The loser overstepped its time.
    OutOfTime = 3,
    /// The loser's process ended.
    Crashed = 4,
    /// The loser played on no empty square of the board.
    Illegal = 5,
    /// Black played on a forbidden square.
    Forbidden = 6,
    /// The loser gave up.
    Resigned = 7,
}

impl End {
    /// All of them, in the order of their codes.
    pub const ALL: [End; 8] = [
        End::Five,
        End::Full,
        End::Adjudicated,
        End::OutOfTime,
        End::Crashed,
        End::Illegal,
        End::Forbidden,
        End::Resigned,
    ];

    /// Words for it.
    pub const fn name(self) -> &'static str {
        match self {
            End::Five => "five",
            End::Full => "no squares left",
            End::Adjudicated => "adjudicated",
            End::OutOfTime => "out of time",
            End::Crashed => "crashed",
            End::Illegal => "illegal move",
            End::Forbidden => "forbidden move",
            End::Resigned => "resigned",
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A move and what is known about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where the stone was placed.
    pub square: Square,
    /// What the search gave the move, from its own side's view; none for moves that no search
    /// chose.
    pub score: Option<Score>,
    /// The last iteration the search completed, 0 if unknown.
    pub depth: u8,
    /// The second best move and its score, where both were searched.
    pub second: Option<(Square, Score)>,
}

impl Move {
    /// A move of which nothing is known.
    pub const fn plain(square: Square) -> Move {
        Move { square, score: None, depth: 0, second: None }
    }
}

/// A whole game. Black moves first, colors alternate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its number in the run that made it.
    pub number: u64,
    /// The rule it was played by.
    pub rule: Rule,
    /// The board.
    pub size: BoardSize,
    /// How many of the moves were given, not chosen.
    pub opening: usize,
    /// All moves, the opening's included.
    pub moves: Vec<Move>,
    /// Who won; none for a draw.
    pub winner: Option<Color>,
    /// How it ended.
    pub end: End,
}

impl Game {
    /// How many moves were chosen by a search.
    pub fn searched(&self) -> usize {
        self.moves.iter().filter(|mv| mv.score.is_some()).count()
    }

    /// What the search said before a move; none where no search chose.
    pub fn verdict(&self, ply: usize) -> Option<Verdict> {
        let mv = self.moves.get(ply)?;
        // The better one, if the search chose between two and the other was played.
        let (best, score) = match (mv.score?, mv.second) {
            (score, Some((second, other))) if other > score => (second, other),
            (score, _) => (mv.square, score),
        };
        let mover = if ply.is_multiple_of(2) { Color::Black } else { Color::White };
        let is_chosen = self.moves[ply..].iter().all(|mv| mv.score.is_some());
        let result = is_chosen.then(|| match self.winner {
            None => 0.5,
            Some(winner) => f32::from(u8::from(winner == mover)),
        });
        Some(Verdict { best, score, result })
    }
}

/// What a search said about a position, and what became of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// The best move.
    pub best: Square,
    /// Its score for the side to move.
    pub score: Score,
    /// What the game gave the side to move: 0, a half or 1; none if a move that nobody chose
    /// came between.
    pub result: Option<f32>,
}
