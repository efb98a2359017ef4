//! What a game's moves were worth.
//!
//! Owns the comparison of each move with the engine's choice: chances before and after, what was
//! lost, marks for mistakes. Must not know how positions are searched or shown. Start reading at
//! [`Analysis::judge`].
//!
//! Every position is searched by itself. A move is worth what the position after it is worth to
//! its side; what it lost is the difference to the search before it, and nothing if it is the
//! engine's own choice or the later search sees it as better.

use tengen::base::score::Score;
use tengen::types::color::Color;
use tengen::types::rule::Rule;
use tengen::types::square::Square;

use crate::chance;
use crate::game::Game;
use crate::thought::Thought;

/// What a move lost, as people mark it; by the loss of winning chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// Less than 7 %.
    None,
    /// 7 % and more.
    Inaccuracy,
    /// 15 % and more.
    Mistake,
    /// 30 % and more.
    Blunder,
}

impl Mark {
    fn of_loss(loss: f64) -> Mark {
        match loss {
            loss if loss >= 0.30 => Mark::Blunder,
            loss if loss >= 0.15 => Mark::Mistake,
            loss if loss >= 0.07 => Mark::Inaccuracy,
            _ => Mark::None,
        }
    }

    /// As written behind a move.
    pub const fn symbol(self) -> &'static str {
        match self {
            Mark::None => "",
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }
}

/// What the engine says of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The engine's move.
    pub best: Square,
    /// Its search.
    pub thought: Thought,
}

/// A move, judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// From 1.
    pub number: usize,
    /// Who moved.
    pub color: Color,
    /// Where.
    pub square: Square,
    /// The chance of its side had the engine moved; none where the engine told no score.
    pub before: Option<f64>,
    /// The chance of its side after the move.
    pub after: Option<f64>,
    /// The score after the move, as its side sees it; none where the game is over.
    pub score: Option<Score>,
    /// What was lost, 0 to 1.
    pub loss: f64,
    /// How bad that is.
    pub mark: Mark,
    /// The engine's move, where it is another.
    pub better: Option<Square>,
    /// The line the engine expected instead.
    pub line: Vec<Square>,
    /// Why the engine would have played there, in its words; empty where it does not say.
    pub why: String,
}

/// A game being analyzed, position by position.
#[derive(Clone, Debug)]
pub struct Analysis {
    rule: Rule,
    moves: Vec<Square>,
    /// Of the positions after 0, 1, 2, ... stones.
    verdicts: Vec<Verdict>,
    /// The chance of Black in the last position, if it is over.
    end: Option<f64>,
}

impl Analysis {
    /// Nothing is searched yet, but for the positions that an earlier analysis knows.
    pub fn with_known(game: &Game, known: Option<&Analysis>) -> Analysis {
        let mut analysis = Analysis::new(game);
        if let Some(known) = known.filter(|known| known.rule == analysis.rule) {
            let pairs = known.moves.iter().zip(&analysis.moves);
            let shared = pairs.take_while(|(before, now)| before == now).count();
            let positions = (shared + 1).min(analysis.count());
            analysis.verdicts = known.verdicts.iter().take(positions).cloned().collect();
        }
        analysis
    }

    /// Nothing is searched yet.
    pub fn new(game: &Game) -> Analysis {
        // Only what the board shows counts: a resignation may have been a mistake.
        let end = game.board_finish().map(|finish| match finish.winner {
            Some(Color::Black) => 1.0,
            Some(Color::White) => 0.0,
            None => 0.5,
        });
        Analysis { rule: game.rule(), moves: game.squares(), verdicts: Vec::new(), end }
    }

    /// Whether this is the analysis of a game as it is.
    pub fn is_of(&self, game: &Game) -> bool {
        self.rule == game.rule() && self.moves == game.squares()
    }

    /// The stones of the next position to search; none when all is done.
    pub fn next(&self) -> Option<&[Square]> {
        let at = self.verdicts.len();
        (at < self.count()).then(|| &self.moves[..at])
    }

    /// Positions to search: all, but for the last one of a game that is over.
    pub fn count(&self) -> usize {
        self.moves.len() + usize::from(self.end.is_none())
    }

    /// Positions searched.
    pub fn done(&self) -> usize {
        self.verdicts.len()
    }

    /// What the engine says of the position after so many stones.
    pub fn verdict(&self, stones: usize) -> Option<&Verdict> {
        self.verdicts.get(stones)
    }

    /// Takes what the engine says of the next position.
    pub fn add(&mut self, verdict: Verdict) {
        self.verdicts.push(verdict);
    }

    /// The chance of Black after each number of stones, as far as it is known.
    pub fn chances(&self) -> Vec<Option<f64>> {
        (0..=self.moves.len()).map(|stones| self.black_chance(stones)).collect()
    }

    fn black_chance(&self, stones: usize) -> Option<f64> {
        if stones == self.moves.len() && self.end.is_some() {
            return self.end;
        }
        let score = self.verdicts.get(stones)?.thought.score?;
        let own = chance::of_score(self.rule, score);
        Some(if stones.is_multiple_of(2) { own } else { 1.0 - own })
    }

    /// The move with this number, from 1, if both positions round it are known.
    pub fn judge(&self, number: usize) -> Option<Judged> {
        let index = number.checked_sub(1)?;
        let square = *self.moves.get(index)?;
        let verdict = self.verdicts.get(index)?;
        let is_last = number == self.moves.len();
        if self.verdicts.len() <= number && !(is_last && self.end.is_some()) {
            return None;
        }
        let color = if index.is_multiple_of(2) { Color::Black } else { Color::White };
        let own = |black: f64| if color == Color::Black { black } else { 1.0 - black };
        let before = self.black_chance(index).map(own);
        let after = self.black_chance(number).map(own);
        let is_best = verdict.best == square;
        let loss = match (before, after) {
            (Some(before), Some(after)) if !is_best => (before - after).max(0.0),
            _ => 0.0,
        };
        let score = self.verdicts.get(number).and_then(|next| next.thought.score).map(|s| -s);
        Some(Judged {
            number,
            color,
            square,
            before,
            after,
            score,
            loss,
            mark: Mark::of_loss(loss),
            better: (!is_best).then_some(verdict.best),
            line: if is_best { Vec::new() } else { verdict.thought.line.clone() },
            why: if is_best { String::new() } else { verdict.thought.reasons.join("; ") },
        })
    }

    /// All moves that can be judged.
    pub fn judged(&self) -> impl Iterator<Item = Judged> {
        (1..=self.moves.len()).filter_map(|number| self.judge(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use manager::text;
    use tengen::types::size::BoardSize;

    const SIZE: BoardSize = BoardSize::square(15);

    fn squares(moves: &str) -> Vec<Square> {
        text::parse_moves(moves, SIZE).unwrap()
    }

    fn game(moves: &str) -> Game {
        let mut game = Game::new(SIZE, Rule::Freestyle);
        for square in squares(moves) {
            game.play(square, 0, Thought::default()).unwrap();
        }
        game
    }

    fn verdict(best: &str, score: Score) -> Verdict {
        let line = squares(best);
        Verdict {
            best: line[0],
            thought: Thought { score: Some(score), line, ..Thought::default() },
        }
    }

    #[test]
    fn a_move_that_loses_the_game_is_a_blunder_and_the_better_one_is_named() {
        let game = game("h8a1");
        let mut analysis = Analysis::new(&game);
        assert_eq!((analysis.count(), analysis.next()), (3, Some(&[][..])));
        analysis.add(verdict("h8", Score::eval(20)));
        analysis.add(verdict("i9j10", Score::eval(-20)));
        assert!(analysis.judge(2).is_none(), "the position after it is not searched yet");
        analysis.add(verdict("h9", Score::win_in(9)));
        assert_eq!(analysis.next(), None);

        let first = analysis.judge(1).unwrap();
        assert_eq!((first.mark, first.better), (Mark::None, None));
        let second = analysis.judge(2).unwrap();
        assert_eq!((second.mark, second.mark.symbol()), (Mark::Blunder, "??"));
        assert_eq!(second.better, Some(squares("i9")[0]));
        assert_eq!(text::moves(&second.line), "i9j10");
        assert_eq!(second.score, Some(Score::loss_in(9)));
        assert!(second.before.unwrap() > 0.4 && second.after.unwrap() < 0.01);
    }

    #[test]
    fn the_engine_s_own_move_is_no_mistake_whatever_comes_of_it() {
        let game = game("h8");
        let mut analysis = Analysis::new(&game);
        analysis.add(verdict("h8", Score::eval(200)));
        analysis.add(verdict("i9", Score::win_in(5)));
        assert_eq!(analysis.judge(1).map(|judged| judged.loss), Some(0.0));
    }

    #[test]
    fn chances_are_black_s_and_the_board_ends_them() {
        let game = game("h8a1i8a2j8a3k8a4l8");
        let mut analysis = Analysis::new(&game);
        assert_eq!(analysis.count(), 9);
        for index in 0..9 {
            let score = if index % 2 == 0 { Score::eval(50) } else { Score::eval(-50) };
            analysis.add(verdict("o1", score));
        }
        let chances: Vec<f64> = analysis.chances().into_iter().map(Option::unwrap).collect();
        assert_eq!(chances.len(), 10);
        assert!(chances[..9].iter().all(|&chance| (chance - chances[0]).abs() < 1e-9));
        assert!(chances[0] > 0.5 && chances[9] > 0.999);
        assert_eq!(analysis.judge(9).unwrap().mark, Mark::None);
    }

    #[test]
    fn what_is_known_of_the_same_positions_is_kept() {
        let mut known = Analysis::new(&game("h8a1i8"));
        for best in ["h8", "i9", "j10", "k11"] {
            known.add(verdict(best, Score::ZERO));
        }
        for (moves, done) in [("h8a1i8j8", 4), ("h8a1", 3), ("h8b1i8", 2), ("a1", 1), ("", 1)] {
            let analysis = Analysis::with_known(&game(moves), Some(&known));
            assert_eq!(analysis.done(), done, "{moves}");
        }
        let mut other = Game::new(SIZE, Rule::Renju);
        other.play(squares("h8")[0], 0, Thought::default()).unwrap();
        assert_eq!(Analysis::with_known(&other, Some(&known)).done(), 0);
        let won = "h8a1i8a2j8a3k8a4l8";
        let mut long = Analysis::new(&game(&won[..won.len() - 2]));
        for _ in 0..9 {
            long.add(verdict("l8", Score::ZERO));
        }
        // The position after the last move is over and not searched.
        assert_eq!(Analysis::with_known(&game(won), Some(&long)).next(), None);
    }

    #[test]
    fn a_resigned_game_is_searched_to_its_last_position() {
        let mut game = game("h8i9");
        game.resign(Color::Black);
        assert_eq!(Analysis::new(&game).count(), 3);
    }

    #[test]
    fn an_engine_without_scores_gives_its_moves_all_the_same() {
        let game = game("h8");
        let mut analysis = Analysis::new(&game);
        for best in ["i9", "a1"] {
            let best = squares(best)[0];
            analysis.add(Verdict { best, thought: Thought::default() });
        }
        let judged = analysis.judge(1).unwrap();
        assert_eq!(
            (judged.mark, judged.before, judged.better),
            (Mark::None, None, Some(squares("i9")[0]))
        );
    }
}
