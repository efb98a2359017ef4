use std::time::Instant;

use super::*;
use crate::base::control::Deadline;
use crate::base::rng::Rng;
use crate::board::text::parse_moves;
use crate::rule::win::winning_row;
use crate::search::{Caro, Plain, Renju};
use crate::testing::shared_lines;
use crate::types::rule::Rule;
use crate::types::size::BoardSize;

/// Both threat searches with their memories, and a control that never stops them.
struct Solver {
    vct: Vct,
    vcf: Vcf,
    control: Control,
}

impl Solver {
    fn new() -> Solver {
        let control = Control::new(Deadline::unlimited(Instant::now()), None);
        Solver { vct: Vct::new(), vcf: Vcf::new(), control }
    }

    fn find(&mut self, position: &mut Position, budget: u32) -> Found {
        let Solver { vct, vcf, control } = self;
        match position.rule() {
            Rule::Freestyle | Rule::Standard => vct.solve::<Plain>(position, vcf, budget, control),
            Rule::Renju => vct.solve::<Renju>(position, vcf, budget, control),
            Rule::Caro | Rule::CaroExact => vct.solve::<Caro>(position, vcf, budget, control),
        }
    }

    fn wins_by_fours(&mut self, position: &mut Position) -> bool {
        let Solver { vcf, control, .. } = self;
        let win = match position.rule() {
            Rule::Freestyle | Rule::Standard => vcf.solve::<Plain>(position, 50_000, control),
            Rule::Renju => vcf.solve::<Renju>(position, 50_000, control),
            Rule::Caro | Rule::CaroExact => vcf.solve::<Caro>(position, 50_000, control),
        };
        win.is_some()
    }

    fn line(&mut self, position: &Position, win: Win) -> Vec<Square> {
        match position.rule() {
            Rule::Freestyle | Rule::Standard => self.vct.line::<Plain>(position, &self.vcf, win),
            Rule::Renju => self.vct.line::<Renju>(position, &self.vcf, win),
            Rule::Caro | Rule::CaroExact => self.vct.line::<Caro>(position, &self.vcf, win),
        }
    }

    /// Whether the side to move wins within some plies against every legal reply, by the moves
    /// that the solver finds.
    fn win_holds(&mut self, position: &mut Position, plies: i32) -> bool {
        let Found::Win(win) = self.find(position, 200_000) else { return false };
        if win.plies > plies || !position.is_empty(win.mv) || position.is_forbidden(win.mv) {
            return false;
        }
        position.play(win.mv);
        let is_five = winning_row(position.rule(), position.board(), win.mv).is_some();
        let holds = is_five || self.replies_lose(position, plies - 1);
        position.undo();
        holds
    }

    fn replies_lose(&mut self, position: &mut Position, plies: i32) -> bool {
        let empty = position.empty_squares();
        !empty.is_empty()
            && empty.iter().all(|reply| {
                if position.is_forbidden(reply) {
                    return true;
                }
                position.play(reply);
                // Most replies leave a five standing.
                let five = position.patterns().count(position.side_to_move(), Combined::Five) > 0;
                let is_lost = winning_row(position.rule(), position.board(), reply).is_some();
                let holds = !is_lost && (five || self.win_holds(position, plies - 1));
                position.undo();
                holds
            })
    }
}

/// Plays moves that look good, so that fights come about; stops before a five.
fn play_plausibly(position: &mut Position, rng: &mut Rng, plies: usize) {
    for _ in 0..plies {
        let mut moves: Vec<Square> = position.board().candidates().iter().collect();
        moves.sort_by_key(|&mv| std::cmp::Reverse(position.move_score(mv)));
        let mv = moves[rng.below(moves.len().min(7))];
        if position.makes_five(mv) || position.is_forbidden(mv) {
            return;
        }
        position.play(mv);
    }
}

#[test]
fn wins_by_threats_hold_against_every_reply() {
    let mut rng = Rng::new(71);
    for rule in Rule::ALL {
        let mut replayed = 0;
        let mut longest = 0;
        for round in 0..600 {
            let side = [11, 15, 20][round % 3];
            let mut position = Position::new(BoardSize::square(side), rule);
            let plies = 6 + rng.below(24);
            play_plausibly(&mut position, &mut rng, plies);
            let mut solver = Solver::new();
            if solver.wins_by_fours(&mut position) {
                continue;
            }
            if let Found::Win(win) = solver.find(&mut position, 3000) {
                replayed += 1;
                longest = longest.max(win.plies);
                let board = position.board().clone();
                assert!(solver.win_holds(&mut position, win.plies), "{rule} {win:?}\n{board}");
                assert_eq!(position.key(), board.key());
            }
        }
        println!("{rule}: {replayed} wins replayed, up to {longest} plies");
        assert!(replayed > 5, "{rule}: too few wins: {replayed}");
    }
}

#[test]
fn what_does_not_stop_a_four_three_loses() {
    let mut rng = Rng::new(72);
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
        let mut cases = 0;
        for _ in 0..8000 {
            let mut position = Position::new(BoardSize::square(13), rule);
            let plies = 8 + rng.below(24);
            play_plausibly(&mut position, &mut rng, plies);
            let has_fouls = rule == Rule::Renju;
            if has_fouls && position.side_to_move() == Color::White
                || shortcut::look::<Renju>(&mut position) != Outlook::Open
                || defense::is_threatened(&position)
            {
                continue;
            }
            let Some(mut set) = defense::against_four_three(&position) else { continue };
            defense::each_four::<Renju>(&mut position, |square| set.insert(square));
            cases += 1;
            for mv in &position.empty_squares().minus(&set) {
                if position.is_forbidden(mv) {
                    continue;
                }
                position.play(mv);
                let next = match rule {
                    Rule::Renju => shortcut::look::<Renju>(&mut position),
                    _ => shortcut::look::<Plain>(&mut position),
                };
                position.undo();
                let is_lost = matches!(next, Outlook::Won(plies, _) if plies <= 5);
                assert!(is_lost, "{rule} {mv} {next:?}\n{}", position.board());
            }
        }
        println!("{rule}: {cases} cases");
        assert!(cases > 5, "{rule}: too few cases: {cases}");
    }
}

#[test]
fn tactical_wins_are_found_and_hold() {
    let (mut wins, mut found, mut replayed) = (0, 0, 0);
    for line in shared_lines("tactics/win.txt") {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let rule = match &fields[0][..1] {
            "0" => Rule::Freestyle,
            "1" => Rule::Standard,
            _ => Rule::Renju,
        };
        let size = BoardSize::square(fields[0][2..].parse().unwrap());
        let mut position = Position::new(size, rule);
        for mv in parse_moves(fields[1], size).unwrap() {
            position.play(mv);
        }
        wins += 1;
        let mut solver = Solver::new();
        let Found::Win(win) = solver.find(&mut position, 10_000) else { continue };
        found += 1;
        let line = solver.line(&position, win);
        assert_eq!(line.first(), Some(&win.mv));
        assert!(line.len() <= win.plies.unsigned_abs() as usize, "{line:?} {win:?}");
        // Long wins have too many replies to try them all.
        if win.plies <= 11 {
            replayed += 1;
            let board = position.board().clone();
            assert!(solver.win_holds(&mut position, win.plies), "{rule} {win:?}\n{board}");
        }
    }
    println!("{found} of {wins} found, {replayed} replayed");
    assert!(found * 10 >= wins * 7, "{found} of {wins}");
}
