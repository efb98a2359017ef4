//! Claimed wins and losses, played out against every reply by a referee.
//!
//! The referee knows the stones and what `judge` says of them. The attacker's moves are those
//! that whoever claims the win finds when it is asked again; the defender's are all that the
//! rules allow. So what a claim leaves out comes to light, however it was found.

use std::collections::HashSet;

use super::judge::{allowed, fives, is_foul, stay, wins_at};
use super::*;
use crate::base::rng::Rng;
use crate::eval::Evaluation;
use crate::search::vcf::{Vcf, Win};
use crate::search::vct::{Found, Vct};
use crate::testing::{cases, seed};

/// Questions that a claim may need; a claim that needs more is counted as not replayed.
const MOST_QUESTIONS: u32 = 3000;

/// How the play of a claim ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Holds,
    /// Too many questions.
    Unfinished,
}

/// Somebody who claims wins for the side to move: a move and the plies to the five.
trait Claims {
    fn ask(&mut self, position: &mut Position) -> Option<Win>;
}

/// The searches by fours and by threats, with their memories.
struct Threats {
    vct: Vct,
    vcf: Vcf,
    control: Control,
    /// By fours alone.
    is_vcf: bool,
    nodes: u32,
}

impl Threats {
    fn new(is_vcf: bool, nodes: u32) -> Threats {
        let control = Control::new(Deadline::unlimited(Instant::now()), None);
        Threats { vct: Vct::new(), vcf: Vcf::new(), control, is_vcf, nodes }
    }

    fn ask_of<R: RuleKind>(&mut self, position: &mut Position) -> Option<Win> {
        let Threats { vct, vcf, control, nodes, .. } = self;
        if self.is_vcf {
            return vcf.solve::<R>(position, *nodes, control);
        }
        match vct.solve::<R>(position, vcf, *nodes, control) {
            Found::Win(win) => Some(win),
            Found::Nothing | Found::Open => None,
        }
    }
}

impl Claims for Threats {
    fn ask(&mut self, position: &mut Position) -> Option<Win> {
        match position.rule() {
            Rule::Freestyle | Rule::Standard => self.ask_of::<Plain>(position),
            Rule::Renju => self.ask_of::<Renju>(position),
            Rule::Caro | Rule::CaroExact => self.ask_of::<Caro>(position),
        }
    }
}

/// The whole search, with its table; asked again it is given more and more nodes.
struct Whole {
    table: Table,
    nodes: Vec<u64>,
    threads: usize,
}

impl Whole {
    fn search(&self, position: &Position, nodes: u64) -> SearchResult {
        let control = Control::new(Deadline::unlimited(Instant::now()), Some(nodes));
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let task = Task { threads: self.threads, ..Task::new(position.clone(), limits) };
        run(task, &self.table, &control, &mut ())
    }
}

impl Claims for Whole {
    fn ask(&mut self, position: &mut Position) -> Option<Win> {
        self.nodes.iter().find_map(|&nodes| {
            let result = self.search(position, nodes);
            let plies = result.score().filter(|score| score.is_win())?.distance()?;
            Some(Win { plies, mv: result.best()? })
        })
    }
}

/// The play of one claim.
struct Referee<'a> {
    claims: &'a mut dyn Claims,
    /// A win must be no longer than it was said to be.
    is_strict: bool,
    questions: u32,
    /// Positions that were won when they came up before, and in how many plies at most.
    known: HashSet<(u64, i32)>,
    /// Wins that were found to be longer on the way.
    longer: usize,
}

impl Referee<'_> {
    fn new(claims: &mut dyn Claims, is_strict: bool) -> Referee<'_> {
        Referee { claims, is_strict, questions: MOST_QUESTIONS, known: HashSet::new(), longer: 0 }
    }

    /// The side to move wins within some plies.
    fn win(&mut self, position: &mut Position, plies: i32) -> Result<Verdict, String> {
        let own = position.side_to_move();
        let say = |why: &str, position: &Position| {
            Err(format!("{why}, {plies} plies left, {own:?} to move\n{}", position.board()))
        };
        if !fives(position, own).is_empty() && (plies >= 1 || !self.is_strict) {
            return Ok(Verdict::Holds);
        }
        if plies < 3 && self.is_strict || plies < -60 {
            return say("no five", position);
        }
        if self.known.contains(&(position.key(), plies)) {
            return Ok(Verdict::Holds);
        }
        if self.questions == 0 {
            return Ok(Verdict::Unfinished);
        }
        self.questions -= 1;
        // A four of the other side leaves no choice, so a search may not look further.
        let Some(win) = self.claims.ask(position) else { return self.forced(position, plies) };
        if win.plies > plies {
            self.longer += 1;
            if self.is_strict {
                return say(&format!("a win in {}", win.plies), position);
            }
        }
        if !position.is_empty(win.mv)
            || own == Color::Black && is_foul(position.board(), position.rule(), win.mv)
        {
            return say(&format!("{} is no move", win.mv), position);
        }
        position.play(win.mv);
        let verdict = self.loss(position, plies - 1);
        position.undo();
        if verdict == Ok(Verdict::Holds) {
            self.known.insert((position.key(), plies));
        }
        verdict.map_err(|why| format!("{why}by {}, a win in {} of {plies}, ", win.mv, win.plies))
    }

    /// No win was found: that is all right only if there is no choice.
    fn forced(&mut self, position: &mut Position, plies: i32) -> Result<Verdict, String> {
        let own = position.side_to_move();
        let mut replies = allowed(position.board(), position.rule());
        let threats = fives(position, own.opponent());
        replies.retain(|&reply| !stay(position, own.opponent(), &threats, reply));
        if threats.is_empty() || replies.len() != 1 || self.is_strict {
            let why = format!("no win found, {plies} plies left, {own:?} to move");
            return Err(format!("{why}\n{}", position.board()));
        }
        position.play(replies[0]);
        let verdict = self.loss(position, plies - 1);
        position.undo();
        verdict
    }

    /// The side to move loses within some plies.
    fn loss(&mut self, position: &mut Position, plies: i32) -> Result<Verdict, String> {
        let own = position.side_to_move();
        let rule = position.rule();
        if position.empty_squares().is_empty() {
            return Err(format!("a draw\n{}", position.board()));
        }
        let threats = fives(position, own.opponent());
        let mut all = Verdict::Holds;
        for reply in allowed(position.board(), rule) {
            if wins_at(position.board(), rule, own, reply, None) {
                return Err(format!("{reply} is a five\n{}", position.board()));
            }
            // Most replies leave a five standing.
            if (plies >= 2 || !self.is_strict) && stay(position, own.opponent(), &threats, reply) {
                continue;
            }
            position.play(reply);
            let verdict = self.win(position, plies - 1);
            position.undo();
            match verdict {
                Ok(Verdict::Holds) => {}
                Ok(Verdict::Unfinished) => all = Verdict::Unfinished,
                Err(why) => return Err(format!("{why}after {reply}, ")),
            }
        }
        Ok(all)
    }
}

/// A random position in which nobody has five in a row, of any size, with walls now and then.
fn any_position(rng: &mut Rng, rule: Rule) -> Position {
    loop {
        let mut side = || [6, 8, 9, 10, 11, 13, 15, 15, 20, 22][rng.below(10)];
        let size = BoardSize::try_new(side(), side()).unwrap();
        let evaluation = [Evaluation::Classical, Evaluation::Network][rng.below(2)];
        let mut position = Position::with(size, rule, evaluation);
        if rng.below(4) == 0 {
            let squares: Vec<Square> = position.empty_squares().iter().collect();
            for _ in 0..=rng.below(5) {
                position.wall(squares[rng.below(squares.len())]);
            }
        }
        let length = 5 + rng.below((size.area() / 2).min(40));
        let choice = 3 + rng.below(6);
        let is_wild = rng.below(6) == 0;
        for _ in 0..length {
            let mut moves: Vec<Square> = position.board().candidates().iter().collect();
            moves.retain(|&mv| !position.makes_five(mv) && !position.is_forbidden(mv));
            moves.sort_by_key(|&mv| std::cmp::Reverse(position.move_score(mv)));
            moves.truncate(choice);
            if moves.is_empty() {
                break;
            }
            position.play(moves[rng.below(moves.len())]);
            if is_wild && rng.below(6) == 0 {
                position.set_side_to_move(position.side_to_move().opponent());
            }
        }
        let own = position.side_to_move();
        // What wins or loses at once is checked elsewhere.
        if fives(&position, own).is_empty() && fives(&position, own.opponent()).len() < 2 {
            return position;
        }
    }
}

/// Claims that were played out.
#[derive(Debug, Default)]
struct Figures {
    replayed: usize,
    unfinished: usize,
    longest: i32,
    longer: usize,
}

impl Figures {
    fn add(&mut self, verdict: Verdict, plies: i32, longer: usize) {
        match verdict {
            Verdict::Holds => self.replayed += 1,
            Verdict::Unfinished => self.unfinished += 1,
        }
        self.longest = self.longest.max(plies);
        self.longer += usize::from(longer > 0);
    }
}

#[test]
fn wins_by_fours_and_by_threats_hold_as_long_as_claimed() {
    for rule in Rule::ALL {
        let mut rng = Rng::new(seed(101));
        let mut figures = [Figures::default(), Figures::default()];
        for _ in 0..cases(400) {
            let mut position = any_position(&mut rng, rule);
            for (is_vcf, nodes) in [(true, 2000), (false, 500)] {
                let mut threats = Threats::new(is_vcf, nodes);
                let Some(win) = threats.ask(&mut position) else { continue };
                threats.nodes = 200_000;
                let board = position.board().to_string();
                let mut referee = Referee::new(&mut threats, true);
                let verdict = referee.win(&mut position, win.plies);
                let longer = referee.longer;
                let verdict = verdict
                    .unwrap_or_else(|why| panic!("{rule} vcf {is_vcf} {win:?}\n{board}\n{why}"));
                figures[usize::from(!is_vcf)].add(verdict, win.plies, longer);
                if is_vcf {
                    break;
                }
            }
        }
        println!("{rule}: by fours {:?}, by threats {:?}", figures[0], figures[1]);
        let [fours, threats] = &figures;
        assert!(fours.replayed > cases(20) && threats.replayed > cases(2), "{rule}: {figures:?}");
    }
}

#[test]
fn wins_and_losses_that_a_search_claims_hold_against_every_reply() {
    for rule in Rule::ALL {
        let mut rng = Rng::new(seed(102));
        let mut figures = [Figures::default(), Figures::default()];
        for _ in 0..cases(400) {
            let mut position = any_position(&mut rng, rule);
            // The second time it is the other side's turn, after the move that wins.
            for _ in 0..2 {
                let nodes = [1, 300, 600, 1200, 2500][rng.below(5)];
                let threads = if rng.below(8) == 0 { 2 } else { 1 };
                let nodes_again = vec![2000, 50_000, 1_000_000];
                let mut whole = Whole { table: Table::new(1 << 20), nodes: nodes_again, threads };
                let result = whole.search(&position, nodes);
                whole.threads = 1;
                let score = result.score().unwrap();
                let Some(plies) = score.distance() else { break };
                let mut referee = Referee::new(&mut whole, false);
                let verdict = if score.is_win() {
                    referee.win(&mut position, plies)
                } else {
                    referee.loss(&mut position, -plies)
                };
                let longer = referee.longer;
                let verdict = verdict.unwrap_or_else(|why| {
                    let board = position.board();
                    panic!("{rule} {nodes} nodes, {threads} threads, {result:?}\n{board}\n{why}")
                });
                figures[usize::from(score.is_loss())].add(verdict, plies.abs(), longer);
                if score.is_loss() {
                    break;
                }
                position.play(result.best().unwrap());
            }
        }
        println!("{rule}: wins {:?}, losses {:?}", figures[0], figures[1]);
        let [wins, losses] = &figures;
        assert!(wins.replayed > cases(20) && losses.replayed > cases(10), "{rule}: {figures:?}");
    }
}

/// Breaks a search off as soon as the first move of an iteration is seen to lose.
struct Breaker<'a> {
    control: &'a Control,
    /// The moves of this iteration that were seen to lose.
    lost: SquareSet,
    /// Moves of this iteration that were begun.
    begun: usize,
}

impl SearchHandler for Breaker<'_> {
    fn report(&mut self, _: &Report<'_>) {}

    fn root(&mut self, event: RootEvent) {
        match event {
            RootEvent::Refresh => (self.lost, self.begun) = (SquareSet::EMPTY, 0),
            RootEvent::Begin(_) => self.begun += 1,
            RootEvent::Lost(mv) => {
                self.lost.insert(mv);
                if self.begun == 1 {
                    self.control.stop();
                }
            }
            RootEvent::Done(_) | RootEvent::Best(_) => {}
        }
    }
}

#[test]
fn a_search_that_is_broken_off_takes_no_lost_move_while_others_are_untried() {
    let mut broken = 0;
    for rule in Rule::ALL {
        let mut rng = Rng::new(seed(103));
        for _ in 0..cases(150) {
            let mut position = any_position(&mut rng, rule);
            let control = Control::new(Deadline::unlimited(Instant::now()), Some(30_000));
            let mut breaker = Breaker { control: &control, lost: SquareSet::EMPTY, begun: 0 };
            let limits = Limits { depth: Some(8), ..Limits::default() };
            let task = Task::new(position.clone(), limits);
            let result = run(task, &Table::new(1 << 18), &control, &mut breaker);
            let near = position.board().candidates();
            let untried = legal(&mut position).into_iter().filter(|mv| near.contains(*mv));
            let has_untried = untried.filter(|&mv| !breaker.lost.contains(mv)).count() > 0;
            if !control.is_stopped() || control.nodes() >= 30_000 || !has_untried {
                continue;
            }
            broken += 1;
            let best = result.best().unwrap();
            let text = || format!("{rule} {result:?}\n{}", position.board());
            assert!(!breaker.lost.contains(best), "{best} loses: {}", text());
            assert!(!result.score().unwrap().is_loss(), "{}", text());
        }
    }
    println!("{broken} broken off");
    assert!(broken > cases(20), "too few: {broken}");
}

/// Keeps which moves were ever seen to lose.
struct Losses {
    /// All moves of the position.
    legal: SquareSet,
    lost: SquareSet,
    /// Losses told while the search went on.
    told: usize,
    /// Of these, the ones told while some move was not yet known to lose.
    early: usize,
}

impl Losses {
    fn is_proven(&self) -> bool {
        self.legal.minus(&self.lost).is_empty()
    }
}

impl SearchHandler for Losses {
    fn report(&mut self, report: &Report<'_>) {
        // What is seen without an iteration is proven by sight.
        if report.line.score.is_loss() && report.depth > 1 {
            self.told += 1;
            self.early += usize::from(!self.is_proven());
        }
    }

    fn root(&mut self, event: RootEvent) {
        if let RootEvent::Lost(mv) = event {
            self.lost.insert(mv);
        }
    }
}

#[test]
fn a_search_that_is_broken_off_claims_a_loss_only_where_every_move_is_known_to_lose() {
    let (mut claims, mut withheld, mut told) = (0, 0, 0);
    for rule in Rule::ALL {
        let mut rng = Rng::new(seed(104));
        let table = Table::new(1 << 20);
        for _ in 0..cases(80) {
            let mut position = any_position(&mut rng, rule);
            // Lost ones are met by playing on from a search that wins.
            for nodes in [3000, 0, 3000] {
                let nodes = if nodes == 0 { 1 << rng.below(12) } else { nodes };
                let control = Control::new(Deadline::unlimited(Instant::now()), Some(nodes));
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let legal = legal(&mut position).into_iter().collect();
                let mut losses = Losses { legal, lost: SquareSet::EMPTY, told: 0, early: 0 };
                let task = Task::new(position.clone(), limits);
                let result = run(task, &table, &control, &mut losses);
                let (Some(best), Some(score)) = (result.best(), result.score()) else { break };
                let board = position.board();
                assert_eq!(losses.early, 0, "{rule} {nodes} {result:?}\n{board}");
                told += losses.told;
                if control.is_stopped() && result.depth > 1 {
                    let is_honest = !score.is_loss() || losses.is_proven();
                    assert!(is_honest, "{rule} {nodes} {result:?}\n{board}");
                    claims += usize::from(score.is_loss());
                    withheld += usize::from(!score.is_loss() && losses.lost.contains(best));
                }
                if !position.is_empty(best) || position.makes_five(best) {
                    break;
                }
                position.play(best);
            }
        }
    }
    println!("{claims} claimed, {withheld} withheld, {told} told before the end");
    assert!(claims + withheld > cases(5), "{claims} {withheld}");
    assert!(told > cases(5), "{told}");
}
