//! One game of the engine against itself.
//!
//! Owns what is played, and that it depends on the settings and the game's number only. Must
//! not know files or threads.

use std::time::Instant;

use records::{End, Game, Move};
use tengen::base::control::{Control, Deadline};
use tengen::base::limits::Limits;
use tengen::base::rng::Rng;
use tengen::base::score::Score;
use tengen::base::tt::Table;
use tengen::position::Position;
use tengen::rule::win::winning_row;
use tengen::search::{self, SearchResult, Task};
use tengen::types::color::Color;
use tengen::types::rule::Rule;
use tengen::types::size::BoardSize;
use tengen::types::square::Square;

use crate::opening::Openings;

/// How far the second best move may be behind to be played now and then.
const EXPLORE_MARGIN: i32 = 25;

/// A random move is one of so many that the order of moves puts first.
const BLUNDER_CHOICES: usize = 12;

/// What games are like.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) rule: Rule,
    pub(crate) size: BoardSize,
    /// Nodes of each search.
    pub(crate) nodes: u64,
    pub(crate) seed: u64,
    pub(crate) openings: Openings,
    /// How often, in percent, the second best move is played if it is nearly as good.
    pub(crate) explore: u64,
    /// Plies after the opening in which that may happen.
    pub(crate) explore_plies: usize,
    /// How often, in percent, a promising move is played without a search.
    pub(crate) blunders: u64,
    /// The game is over when a proven win is fewer plies away than this.
    pub(crate) end_below: i32,
    /// The game is a draw after so many moves.
    pub(crate) most_moves: usize,
    /// Size of the table; it changes what the searches find.
    pub(crate) table_bytes: usize,
}

impl Settings {
    /// All of it on one line, as it is kept in the files.
    pub(crate) fn note(&self) -> String {
        format!(
            "datagen tengen={} rule={} size={} nodes={} seed={} openings={} explore={}% \
             explore-plies={} blunders={}% end-below={} most-moves={} table={}",
            env!("CARGO_PKG_VERSION"),
            self.rule,
            self.size,
            self.nodes,
            self.seed,
            self.openings.note(),
            self.explore,
            self.explore_plies,
            self.blunders,
            self.end_below,
            self.most_moves,
            self.table_bytes,
        )
    }
}

/// A player of games, with what it needs for that.
#[derive(Debug)]
pub(crate) struct Player<'a> {
    settings: &'a Settings,
    table: Table,
}

impl<'a> Player<'a> {
    pub(crate) fn new(settings: &'a Settings) -> Player<'a> {
        Player { settings, table: Table::new(settings.table_bytes) }
    }

    fn search(&mut self, position: &Position, nodes: u64, lines: usize) -> SearchResult {
        self.table.new_search();
        let control = Control::new(Deadline::unlimited(Instant::now()), Some(nodes));
        let task = Task {
            position: position.clone(),
            limits: Limits { nodes: Some(nodes), ..Limits::default() },
            lines,
            excluded: Vec::new(),
            threads: 1,
        };
        search::run(task, &self.table, &control, &mut ())
    }

    /// Plays the game with this number.
    pub(crate) fn play(&mut self, number: u64) -> Game {
        let Settings { rule, size, nodes, .. } = *self.settings;
        // For real, so that nothing depends on how many games there were before.
        self.table.clear();
        let mut rng = Rng::new(Rng::new(self.settings.seed).next_u64() ^ number);
        let settings = self.settings;
        let opening = settings.openings.choose(rule, size, number, &mut rng, |start, balance| {
            let score = self.search(start, nodes, 1).score();
            score.is_some_and(|score| (-balance..=balance).contains(&score.value()))
        });
        let mut position = Position::new(size, rule);
        for &mv in &opening {
            position.play(mv);
        }
        let mut game = Game {
            number,
            rule,
            size,
            opening: opening.len(),
            moves: opening.into_iter().map(Move::plain).collect(),
            winner: None,
            end: End::Full,
        };
        loop {
            if position.is_full() {
                return game;
            }
            if game.moves.len() >= settings.most_moves {
                game.end = End::Adjudicated;
                return game;
            }
            if let Some((winner, end)) = self.step(&mut game, &mut position, &mut rng) {
                game.winner = winner;
                game.end = end;
                return game;
            }
        }
    }

    /// Plays one move; says who has won and how when that is clear.
    fn step(
        &mut self,
        game: &mut Game,
        position: &mut Position,
        rng: &mut Rng,
    ) -> Option<(Option<Color>, End)> {
        let plies = game.moves.len() - game.opening;
        let last = game.moves.last().and_then(|mv| mv.score);
        let is_open = last.is_none_or(|score| !score.is_decided());
        if plies > 0 && is_open && rng.next_u64() % 100 < self.settings.blunders {
            return blunder(game, position, rng);
        }
        let explores =
            plies < self.settings.explore_plies && rng.next_u64() % 100 < self.settings.explore;
        let lines = if explores { 2 } else { 1 };
        let result = self.search(position, self.settings.nodes, lines);
        let mover = position.side_to_move();
        let found = |line: &search::Line| line.moves.first().map(|&mv| (mv, line.score));
        let mut best = result.lines.first().and_then(found);
        let mut second = result.lines.get(1).and_then(found);
        if let (Some((_, first)), Some((_, next))) = (best, second)
            && !first.is_decided()
            && next.value() >= first.value() - EXPLORE_MARGIN
        {
            std::mem::swap(&mut best, &mut second);
        }
        let Some((square, score)) = best else { return Some((None, End::Full)) };
        let depth = u8::try_from(result.depth).unwrap_or(u8::MAX);
        game.moves.push(Move { square, score: Some(score), depth, second });
        if position.is_forbidden(square) {
            // Only when every square is.
            return Some((Some(mover.opponent()), End::Forbidden));
        }
        position.play(square);
        if winning_row(position.rule(), position.board(), square).is_some() {
            return Some((Some(mover), End::Five));
        }
        let winner = decided(score, mover)?;
        let is_near = score.distance().is_some_and(|plies| plies.abs() < self.settings.end_below);
        is_near.then_some((Some(winner), End::Adjudicated))
    }
}

/// Plays one of the more promising moves at random; it may win, but it is never forbidden.
fn blunder(
    game: &mut Game,
    position: &mut Position,
    rng: &mut Rng,
) -> Option<(Option<Color>, End)> {
    let mut moves: Vec<(i32, Square)> = Vec::new();
    for square in &position.board().candidates() {
        if !position.is_forbidden(square) {
            moves.push((position.move_score(square), square));
        }
    }
    moves.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
    moves.truncate(BLUNDER_CHOICES);
    if moves.is_empty() {
        return Some((Some(position.side_to_move().opponent()), End::Forbidden));
    }
    let mover = position.side_to_move();
    let (_, square) = moves[rng.below(moves.len())];
    game.moves.push(Move::plain(square));
    position.play(square);
    let row = winning_row(position.rule(), position.board(), square);
    row.map(|_| (Some(mover), End::Five))
}

/// Who wins by a proven score.
fn decided(score: Score, mover: Color) -> Option<Color> {
    if score.is_win() {
        Some(mover)
    } else if score.is_loss() {
        Some(mover.opponent())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(rule: Rule, side: u8) -> Settings {
        Settings {
            rule,
            size: BoardSize::square(side),
            nodes: 300,
            seed: 5,
            openings: Openings::Random { balance: 200 },
            explore: 50,
            explore_plies: 20,
            blunders: 10,
            end_below: 7,
            most_moves: 100,
            table_bytes: 1 << 20,
        }
    }

    #[test]
    fn a_game_depends_on_seed_and_number_only() {
        let settings = settings(Rule::Freestyle, 15);
        let mut player = Player::new(&settings);
        let first = player.play(3);
        for number in 0..3 {
            assert_ne!(player.play(number).moves, first.moves);
        }
        assert_eq!(player.play(3), first);
        assert_eq!(Player::new(&settings).play(3), first);
        let other = Settings { seed: 6, ..settings.clone() };
        assert_ne!(Player::new(&other).play(3), first);
    }

    #[test]
    fn games_of_all_rules_end_as_they_say() {
        for rule in Rule::ALL {
            let settings = settings(rule, 13);
            let mut player = Player::new(&settings);
            for number in 0..6 {
                let game = player.play(number);
                let mut position = Position::new(game.size, rule);
                let mut row = None;
                for mv in &game.moves {
                    assert!(row.is_none(), "{rule}: played on after the end");
                    assert!(position.is_empty(mv.square) && !position.is_forbidden(mv.square));
                    position.play(mv.square);
                    row = winning_row(rule, position.board(), mv.square);
                }
                assert_eq!(row.is_some(), game.end == End::Five);
                let last = game.moves[game.moves.len() - 1].score;
                let mover = position.side_to_move().opponent();
                match (game.end, last) {
                    (End::Five, _) => assert_eq!(game.winner, Some(mover)),
                    (End::Adjudicated, Some(score)) if score.is_decided() => {
                        assert_eq!(game.winner, decided(score, mover));
                    }
                    _ => assert_eq!(game.winner, None),
                }
                let given = game.moves[..game.opening].iter();
                assert!(given.clone().all(|mv| mv.score.is_none()));
                assert!(game.searched() <= game.moves.len() - game.opening);
            }
        }
    }
}
