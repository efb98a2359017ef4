//! What the brain says about its search, as the readers of it parse it.
//!
//! Owns the grammar of the MESSAGE, INFO and REALTIME lines. A claimed win is put to the test.

use crate::grid::{Point, record, text};
use crate::harness::{Brain, Fault, Machine, Outcome, Reply, THINK, ms};
use crate::referee::{Rule, wins};

/// One `MESSAGE depth ...` line in the strict form of pygomo.
#[derive(Debug)]
pub(crate) struct Report {
    /// Plies to a forced win, negative for a loss; none for an ordinary score.
    win_in: Option<i64>,
    pub(crate) nodes: u64,
    pub(crate) pv: Vec<Point>,
}

/// Reads `MESSAGE depth D-S [multipv K] ev E n N n/ms V tm T pv M...`.
pub(crate) fn report(line: &str) -> Option<Report> {
    let mut words = line.strip_prefix("MESSAGE depth ")?.split(' ');
    let (depth, selective) = words.next()?.split_once('-')?;
    depth.parse::<u32>().ok()?;
    selective.parse::<u32>().ok()?;
    let mut key = words.next()?;
    if key == "multipv" {
        words.next()?.parse::<u32>().ok()?;
        key = words.next()?;
    }
    let score = (key == "ev").then(|| words.next())??;
    let sign = if score.starts_with('-') { -1 } else { 1 };
    let size = score.trim_start_matches(['+', '-']);
    let digits = size.strip_prefix('M').unwrap_or(size);
    let value = digits.parse::<u32>().ok()?;
    let nodes = (words.next()? == "n").then(|| words.next())??;
    (words.next()? == "n/ms").then(|| words.next())??.parse::<u64>().ok()?;
    (words.next()? == "tm").then(|| words.next())??.parse::<u64>().ok()?;
    (words.next()? == "pv").then_some(())?;
    let pv: Option<Vec<Point>> = words.map(label).collect();
    Some(Report {
        win_in: size.starts_with('M').then_some(sign * i64::from(value)),
        nodes: count(nodes)?,
        pv: pv.filter(|pv| !pv.is_empty())?,
    })
}

/// A number with K, M or G for powers of 1000.
fn count(text: &str) -> Option<u64> {
    let (digits, factor) = match text.as_bytes().last()? {
        b'K' => (&text[..text.len() - 1], 1000),
        b'M' => (&text[..text.len() - 1], 1_000_000),
        b'G' => (&text[..text.len() - 1], 1_000_000_000),
        _ => (text, 1),
    };
    digits.parse::<u64>().ok().map(|number| number * factor)
}

/// `H8`: a letter for x and a one-based number for y.
fn label(text: &str) -> Option<Point> {
    let digits = text.strip_prefix(|letter: char| letter.is_ascii_uppercase())?;
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| record(&text.to_ascii_lowercase())[0])
}

/// All reports before a reply; each `MESSAGE depth` line must be one.
fn reports(brain: &Brain, reply: &Reply) -> Result<Vec<Report>, Fault> {
    let lines = reply.messages.iter().filter(|line| line.starts_with("MESSAGE depth"));
    lines
        .map(|line| report(line).ok_or_else(|| brain.wrong(&format!("form of {line:?}"))))
        .collect()
}

/// Y09: the form pygomo reads, and lines of play that can be played.
#[test]
fn each_report_is_in_the_form_of_pygomo() -> Outcome {
    let mut brain = Machine::shared().brain();
    brain.start("INFO timeout_turn 1500\nSTART 15")?;
    brain.send(THINK);
    let grid = brain.grid();
    let (_, reply) = brain.answer()?;
    let reports = reports(&brain, &reply)?;
    brain.check(!reports.is_empty(), "no MESSAGE depth line")?;
    for report in &reports {
        let mut played = grid.clone();
        for &mv in &report.pv {
            brain.check(played.is_free(mv), &format!("{} in {report:?}", text(mv)))?;
            played.set(mv, Some(crate::grid::Stone::Wall));
        }
    }
    brain.check(reports.is_sorted_by_key(|report| report.nodes), "nodes that shrink")?;
    brain.check(reply.messages.len() <= 40, "more than a few reports a second")?;
    brain.finish()
}

/// Y08: the further lines `show_detail` unlocks, and only those.
#[test]
fn detail_comes_in_known_forms() -> Outcome {
    let mut brain = Machine::shared().brain();
    brain.start("INFO show_detail 3\nINFO timeout_turn 1500\nSTART 15")?;
    brain.send(THINK);
    let reply = brain.reply_where(ms(4500), |line| line.starts_with("INFO "))?;
    for line in reply.messages.iter().filter(|line| !line.starts_with("MESSAGE depth")) {
        let known = line.starts_with("MESSAGE ") && !line.starts_with("MESSAGE REALTIME");
        brain.check(known || is_detail(line), &format!("form of {line:?}"))?;
    }
    let has = |head: &str| reply.messages.iter().any(|line| line.starts_with(head));
    brain.check(has("INFO BESTLINE ") && has("INFO EVAL "), "no INFO lines")?;
    brain.finish()
}

/// A line Yixin-Board, its fork and gomocalc know.
fn is_detail(line: &str) -> bool {
    let words: Vec<&str> = line.split(' ').collect();
    let is_point = |word: &str| crate::grid::point(word).is_some();
    let keys = [
        "PV",
        "NUMPV",
        "DEPTH",
        "SELDEPTH",
        "NODES",
        "TOTALNODES",
        "TOTALTIME",
        "SPEED",
        "EVAL",
        "WINRATE",
        "BESTLINE",
    ];
    match words.as_slice() {
        ["INFO", "BESTLINE", points @ ..] => {
            !points.is_empty() && points.iter().all(|word| is_point(word))
        }
        ["INFO", key, value, ..] => keys.contains(key) && !value.is_empty(),
        ["MESSAGE", "REALTIME", "REFRESH"] => true,
        ["MESSAGE", "REALTIME", "BEST" | "LOST" | "POS" | "DONE", point] => is_point(point),
        _ => false,
    }
}

/// The groups of INFO lines, each from `PV k` to `PV DONE`, as the fork of Yixin-Board reads them.
fn groups(reply: &Reply) -> Vec<Vec<(&str, &str)>> {
    let mut groups = Vec::new();
    for line in &reply.messages {
        let Some((key, value)) = line.strip_prefix("INFO ").and_then(|rest| rest.split_once(' '))
        else {
            continue;
        };
        match (key, value) {
            ("PV", "DONE") => {}
            ("PV", _) => groups.push(vec![(key, value)]),
            _ => groups.last_mut().expect("PV k comes first").push((key, value)),
        }
    }
    groups
}

/// What a group says of a key.
fn value<'a>(group: &[(&str, &'a str)], key: &str) -> &'a str {
    group.iter().find(|(found, _)| *found == key).map_or("", |(_, value)| value)
}

/// Y02 and Y08: the best moves, as many as asked for, in order, each with its own line.
#[test]
fn best_moves_come_in_order_with_their_lines() -> Outcome {
    let mut brain = Machine::shared().brain();
    brain.start("INFO show_detail 2\nINFO timeout_turn 1500\nSTART 15")?;
    brain.send(&THINK.replace("BOARD", "YXBOARD"));
    brain.send("YXNBEST 4");
    let reply = brain.reply_where(ms(4500), |line| line.starts_with("INFO "))?;
    let realtime = reply.messages.iter().any(|line| line.starts_with("MESSAGE REALTIME"));
    brain.check(!realtime, "REALTIME lines without bit 0 of show_detail")?;
    let groups = groups(&reply);
    brain.check(groups.len() >= 8, &format!("{} groups", groups.len()))?;
    let last = &groups[groups.len() - 4..];
    let depth = value(&last[0], "DEPTH");
    let mut firsts = Vec::new();
    for (index, group) in last.iter().enumerate() {
        let place = format!("{index} {group:?}");
        brain.check(value(group, "PV") == index.to_string(), &place)?;
        brain.check(value(group, "NUMPV") == "4" && value(group, "DEPTH") == depth, &place)?;
        let chance: f64 = value(group, "WINRATE").parse().unwrap_or(-1.0);
        brain.check((0.0..=1.0).contains(&chance), &place)?;
        firsts.push(value(group, "BESTLINE").split(' ').next().unwrap_or_default());
    }
    brain.check(firsts[0] == reply.line, &format!("{firsts:?} and {}", reply.line))?;
    firsts.sort_unstable();
    firsts.dedup();
    brain.check(firsts.len() == 4, &format!("only {firsts:?} differ"))?;
    brain.finish()
}

/// Y08: what the board shows while the brain thinks: the moves looked at, and the best so far.
#[test]
fn realtime_tells_what_is_looked_at() -> Outcome {
    let mut brain = Machine::shared().brain();
    brain.start("INFO show_detail 1\nINFO timeout_turn 1500\nSTART 15")?;
    brain.send(THINK);
    let grid = brain.grid();
    let reply = brain.reply_where(ms(4500), |line| line.starts_with("INFO "))?;
    let info = reply.messages.iter().any(|line| line.starts_with("INFO "));
    brain.check(!info, "INFO lines without bit 1 of show_detail")?;
    let mut open = Vec::new();
    let mut best = None;
    let mut count = 0;
    for line in &reply.messages {
        let Some(rest) = line.strip_prefix("MESSAGE REALTIME ") else { continue };
        let (word, square) = rest.split_once(' ').unwrap_or((rest, ""));
        let mv = crate::grid::point(square);
        brain.check(word == "REFRESH" || mv.is_some_and(|mv| grid.is_free(mv)), line)?;
        match word {
            "REFRESH" => open.clear(),
            "POS" => open.push(mv),
            "DONE" => {
                count += 1;
                // The first lines fall to the time in which nothing is shown.
                brain.check(open.contains(&mv) || count == 1, line)?;
            }
            "BEST" => best = mv,
            _ => {}
        }
    }
    brain.check(count > 3, &format!("only {count} moves done"))?;
    brain.check(best.is_none_or(|best| text(best) == reply.line), &format!("best was {best:?}"))?;
    brain.finish()
}

/// I06: no clock at all, as gomocalc sends it; the node limit alone ends the search.
#[test]
fn node_limit_without_any_clock() -> Outcome {
    let mut brain = Machine::shared().brain();
    let limits = "INFO timeout_turn -1\nINFO timeout_match -1\nINFO time_left 1";
    brain.start(&format!("{limits}\nINFO max_node 100000\nSTART 15"))?;
    brain.send(THINK);
    let reply = brain.reply_within(ms(30_000))?;
    let reports = reports(&brain, &reply)?;
    let nodes = reports.last().map_or(0, |report| report.nodes);
    brain.check((20_000..=110_000).contains(&nodes), &format!("{nodes} nodes of 100000"))?;
    brain.finish()
}

/// PC-35: fours with tempo are found, and the score says that they win.
#[test]
fn wins_by_fours_are_claimed() -> Outcome {
    let mut brain = Machine::shared().brain();
    brain.start("START 15\nINFO rule 4\nINFO timeout_turn 1000")?;
    let first = "BOARD\n7,7,1\n7,8,2\n8,5,1\n8,4,2\n8,6,1\n9,6,2\n9,7,1\n10,5,2\n10,7,1\n11,4,2\n\
                 11,6,1\n11,7,2\nDONE";
    let second = "BOARD\n7,7,1\n6,7,2\n8,7,1\n10,4,2\n8,9,1\n10,5,2\n9,7,1\n10,6,2\n9,8,1\n\
                  10,8,2\n10,3,1\n10,9,2\n10,12,1\n10,10,2\n1,1,1\n10,11,2\nDONE";
    for (position, expected) in [(first, (8, 7)), (second, (10, 7))] {
        brain.send(position);
        let (mv, reply) = brain.answer()?;
        brain.check(mv == expected, &format!("{mv:?}, expected {expected:?}"))?;
        let reports = reports(&brain, &reply)?;
        let last = reports.last().ok_or_else(|| brain.wrong("no report"))?;
        brain.check(last.win_in.is_some_and(|n| n > 0), &format!("no win claimed: {last:?}"))?;
    }
    brain.finish()
}

/// PC-36a and PC-36c: what is claimed as a win can be won, and no distance is out of the board.
#[test]
fn claimed_wins_are_won() -> Outcome {
    let machine = Machine::shared();
    let doubtful = "BOARD\n7,12,1\n7,10,2\n9,12,1\n8,12,2\n8,11,1\n9,10,2\n8,9,1\n8,10,2\n6,10,1\n\
                    10,10,2\n11,10,1\n9,11,2\n11,9,1\n7,9,2\n6,8,1\n9,9,2\nDONE";
    let at_once = "BOARD\n9,3,1\n8,3,2\n10,3,1\n4,10,2\n11,3,1\n5,10,2\n12,3,1\n6,10,2\n3,10,1\n\
                   7,10,2\nDONE";
    let three = "BOARD\n6,7,1\n3,3,2\n7,7,1\n3,11,2\n8,7,1\n11,3,2\nDONE";
    for (position, at_most) in [(doubtful, None), (at_once, Some(1)), (three, Some(5))] {
        let mut brain = machine.brain();
        brain.start("START 15\nINFO rule 0\nINFO timeout_turn 1000")?;
        brain.send(position);
        let (mv, reply) = brain.answer()?;
        let reports = reports(&brain, &reply)?;
        let empty = brain.grid().free().count() + 1;
        for report in &reports {
            let distance = report.win_in.map_or(0, i64::unsigned_abs);
            brain.check(distance <= empty as u64, &format!("{report:?} of {empty} points"))?;
        }
        let claim = reports.last().and_then(|report| report.win_in).filter(|&n| n > 0);
        if let (Some(claim), Some(at_most)) = (claim, at_most) {
            brain
                .check(claim <= at_most, &format!("a win in {claim}, there is one in {at_most}"))?;
        }
        if let Some(claim) = claim {
            is_won_in(&machine, &mut brain, mv, claim)?;
        }
        brain.finish()?;
    }
    Ok(())
}

/// Plays the claimed win against another process that defends: a five must come in time.
fn is_won_in(machine: &Machine, brain: &mut Brain, first: Point, claim: i64) -> Outcome {
    let mut grid = brain.grid();
    let mut stone = grid.get(first).expect("the move just made");
    if wins(&grid, Rule::Freestyle, first) {
        return Ok(());
    }
    let mut other = machine.brain();
    other.start("START 15\nINFO rule 0\nINFO timeout_turn 500")?;
    let stones = grid.points().filter_map(|point| grid.get(point).map(|s| (point, s)));
    let lines: Vec<String> = stones
        .map(|(point, s)| format!("{},{}", text(point), if s == stone { 2 } else { 1 }))
        .collect();
    let mut mv = other.ask(&format!("BOARD\n{}\nDONE", lines.join("\n")))?;
    for ply in 2..=claim {
        stone = stone.other();
        grid.set(mv, Some(stone));
        if wins(&grid, Rule::Freestyle, mv) {
            let what =
                format!("win in {claim} claimed, won by the winner's side: {}", ply % 2 == 1);
            brain.check(ply % 2 == 1, &what)?;
            return other.finish();
        }
        let side = if ply % 2 == 0 { &mut *brain } else { &mut other };
        mv = side.ask(&format!("TURN {}", text(mv)))?;
    }
    Err(brain.wrong(&format!("no five within {claim} plies\n{grid}")))
}

#[test]
fn the_strict_form_is_read_strictly() {
    let good = "MESSAGE depth 15-27 ev +M9 n 1690K n/ms 1030 tm 1641 pv H8 I9 G7";
    let read = report(good).unwrap();
    assert_eq!((read.win_in, read.nodes, read.pv.len()), (Some(9), 1_690_000, 3));
    assert!(report("MESSAGE depth 2-3 multipv 1 ev -12 n 10 n/ms 1 tm 0 pv A1").is_some());
    for bad in [
        "MESSAGE depth 15 ev 9 n 1 n/ms 1 tm 1 pv H8",
        "MESSAGE depth 1-2 ev 0.5 n 1 n/ms 1 tm 1 pv H8",
        "MESSAGE depth 1-2 ev NaN n 1 n/ms 1 tm 1 pv H8",
        "MESSAGE depth 1-2 ev 9 n 1 n/ms 1 tm 1 pv",
        "MESSAGE depth 1-2 ev 9 n 1 n/ms 1 tm 1 pv 8H",
    ] {
        assert!(report(bad).is_none(), "{bad}");
    }
}
