use super::*;
use crate::level::Level;
use crate::solver::Solver;
use crate::usual::Usual;

fn player(level: Level, size: Size) -> Player {
    Player::new(level, Solver::new(size, 16 << 20), 1)
}

fn score_of(one: Level, other: Level, games: u32) -> Tally {
    let size = Size::standard();
    let settings = Settings { size, games, opening: 8, seed: 5 };
    play(&settings, &mut [player(one, size), player(other, size)], &mut |_| ())
}

#[test]
fn each_level_beats_the_one_below_it() {
    let medium = score_of(Level::Medium, Level::Easy, 60);
    assert!(medium.per_mille() > 650, "{medium:?}");
    let hard = score_of(Level::Hard, Level::Medium, 14);
    assert!(hard.per_mille() > 600, "{hard:?}");
}

#[test]
fn perfect_holds_what_can_be_held_against_every_level() {
    let size = Size::standard();
    let control = Control::new(Deadline::unlimited(Instant::now()), None);
    let mut rng = Rng::new(7);
    let settings = Settings { size, games: 0, opening: 16, seed: 0 };
    for level in [Level::Easy, Level::Medium, Level::Hard] {
        let mut perfect = player(Level::Perfect, size);
        let mut other = player(level, size);
        let mut judge = Solver::new(size, 16 << 20);
        for _ in 0..4 {
            let mut game = opening(&settings, &mut rng);
            let side = game.side_to_move();
            let position = *game.position();
            let usual = Usual::new(&size, position.stones());
            let promised = usual.of(judge.solve(&position, &control).unwrap());
            while game.end().is_none() {
                let is_perfect = game.side_to_move() == side;
                let mover = if is_perfect { &mut perfect } else { &mut other };
                let column = mover.choose(game.position(), &control).unwrap();
                game.play(column).unwrap();
            }
            let stones = game.position().stones().cast_signed();
            let reached = match game.end() {
                Some(End::Won(winner)) if winner == side => (44 - stones) / 2,
                Some(End::Won(_)) => -((44 - stones) / 2),
                _ => 0,
            };
            assert!(reached >= promised, "{}: {reached} of {promised}", game.record());
        }
    }
}

#[test]
fn perfect_wins_from_the_first_move_on_what_is_won() {
    // 6x4 is lost for the first player, 4x4 drawn: the second one gets it, whatever is played.
    for ((columns, rows), least) in [((6, 4), 1000), ((4, 4), 500)] {
        let size = Size::try_new(columns, rows).unwrap();
        let control = Control::new(Deadline::unlimited(Instant::now()), None);
        let mut perfect = player(Level::Perfect, size);
        let mut rng = Rng::new(9);
        for _ in 0..10 {
            let mut game = Game::new(size);
            while game.end().is_none() {
                let column = if game.side_to_move() == Side::Second {
                    perfect.choose(game.position(), &control).unwrap()
                } else {
                    rng.below(size.columns())
                };
                let _ = game.play(column);
            }
            let end = game.end().unwrap();
            assert_ne!(end, End::Won(Side::First), "{}", game.record());
            assert!(least == 500 || end == End::Won(Side::Second), "{}", game.record());
        }
    }
}

#[test]
fn openings_decide_nothing_and_small_boards_have_some_too() {
    for (columns, rows) in [(7, 6), (4, 4), (1, 1), (2, 1)] {
        let size = Size::try_new(columns, rows).unwrap();
        let settings = Settings { size, games: 0, opening: 6, seed: 0 };
        let mut rng = Rng::new(11);
        for _ in 0..50 {
            let game = opening(&settings, &mut rng);
            assert_eq!(game.end(), None);
            assert!(game.position().stones() <= 6);
        }
    }
}
