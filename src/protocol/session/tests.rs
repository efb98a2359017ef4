//! Dialogues with a session whose searches run where the test says.

use std::time::Duration;

use super::dialogue::Dialogue;
use super::*;

/// Whether a line is a move.
fn is_move(line: &str) -> bool {
    line.split_once(',').is_some_and(|(x, y)| x.parse::<u8>().is_ok() && y.parse::<u8>().is_ok())
}

/// Checks the kinds of the answers to lines said one after the other, with searches run between.
///
/// Kinds: `move`, `ok`, `error`, `unknown`, or the exact line.
fn check(text: &str, expected: &[&str]) {
    let mut dialogue = Dialogue::new();
    let mut lines = Vec::new();
    for line in text.lines() {
        lines.extend(dialogue.ask(line.trim_start()));
    }
    let fits = |line: &String, kind: &str| match kind {
        "move" => is_move(line),
        "ok" => line == "OK",
        "error" => line.starts_with("ERROR ") && line.len() > 6,
        "unknown" => line.starts_with("UNKNOWN "),
        exact => line == exact,
    };
    let all_fit = lines.iter().zip(expected).all(|(line, kind)| fits(line, kind));
    assert!(lines.len() == expected.len() && all_fit, "{text}: {lines:?} is not {expected:?}");
}

#[test]
fn a_game_goes_its_way() {
    check("START 15\nBEGIN", &["ok", "move"]);
    check("START 15\nTURN 7,7\nTURN 0,0", &["ok", "move", "move"]);
    check("START 15\nTURN 7,7\nBEGIN", &["ok", "move", "move"]);
    check("START 20\nBOARD\nDONE", &["ok", "move"]);
    check("START 15\nTURN 7,7\nRESTART\nTURN 7,7", &["ok", "move", "ok", "move"]);
    check("START 15\nPLAY 3,4\nPLAY 3,4", &["ok", "3,4", "error"]);
    check("RECTSTART 7,6\nTURN 6,5\nTURN 5,6", &["ok", "move", "error"]);
}

#[test]
fn before_start_there_is_no_game() {
    check("TURN 7,7\nBEGIN\nTAKEBACK 1,1\nPLAY 1,1\nRESTART", &["error"; 5]);
    check("BOARD\n7,7,1\n8,8,2\nDONE\nSWAP2BOARD\nDONE\nYXNBEST 1", &["error"; 3]);
    check("YXSHOWFORBID\nABOUT", &["FORBID .", &Reply::About.line()]);
    check("START 15\nSTART 0\nTURN 7,7", &["ok", "error", "error"]);
}

#[test]
fn an_error_changes_nothing() {
    check(
        "START 15\nPLAY 7,7\nTURN 7,7\nTURN 15,0\nTURN -1,3\nTURN 99999999999,0\nTURN x",
        &["ok", "7,7", "error", "error", "error", "error", "error"],
    );
    check("START 15\nTAKEBACK 3,3\nTAKEBACK 99,3", &["ok", "error", "error"]);
    check(
        "START 15\nPLAY 7,7\nBOARD\n1,1,1\n1,1,2\nDONE\nTAKEBACK 7,7",
        &["ok", "7,7", "error", "ok"],
    );
}

#[test]
fn the_last_square_is_played_and_no_other() {
    let stone = |index: usize| {
        let (x, y) = (index % 5, index / 5);
        format!("{x},{y},{}\n", if (x / 2 + y) % 2 == 0 { 1 } else { 2 })
    };
    let stones = (0..24).map(stone).collect::<Vec<_>>().concat();
    check(&format!("START 5\nBOARD\n{stones}DONE"), &["ok", "4,4"]);
    check(&format!("START 5\nBOARD\n{stones}4,4,1\nDONE"), &["ok", "error"]);
    check(&format!("START 5\nYXBOARD\n{stones}DONE\nTURN 4,4"), &["ok", "error"]);
}

#[test]
fn a_won_position_still_gets_a_move() {
    let five = (0..5).map(|x| format!("{x},3,2\n{x},9,1\n")).collect::<Vec<_>>().concat();
    check(&format!("START 15\nBOARD\n{five}DONE"), &["ok", "move"]);
}

#[test]
fn words_nobody_knows_are_unknown() {
    check("FOO\n7,7\nDONE\nSTART 15", &["unknown", "unknown", "unknown", "ok"]);
}

#[test]
fn swap2_has_three_steps() {
    let three = "SWAP2BOARD\n7,7\n8,7\n9,9\n";
    for (text, count) in [("SWAP2BOARD\n", 3), (three, 1), (&format!("{three}8,8\n8,6\n"), 1)] {
        let mut dialogue = Dialogue::new();
        let lines = dialogue.ask(&format!("START 15\n{text}DONE"));
        let answer = lines.last().unwrap();
        let squares: Vec<&str> = answer.split(' ').collect();
        let is_fine = squares.len() == count && squares.iter().all(|square| is_move(square));
        assert!(is_fine || count == 1 && answer == "SWAP", "{text}: {lines:?}");
        assert_eq!(dialogue.ask("TURN 7,7").len(), 1, "the game has not begun");
    }
    for bad in ["1,1", "1,1\n2,2", "1,1\n1,1\n2,2", "1,1\n2,2\n15,15"] {
        check(&format!("START 15\nSWAP2BOARD\n{bad}\nDONE"), &["ok", "error"]);
    }
}

#[test]
fn yixin_hears_swap2_in_its_own_words() {
    let mut dialogue = Dialogue::new();
    let lines = dialogue.ask("START 15\nYXSWAP2STEP1");
    assert_eq!(lines.len(), 4);
    assert!(lines[1].starts_with("MESSAGE SWAP2 MOVE1 "), "{lines:?}");
    let lines = dialogue.ask("YXBOARD\n7,7,2\n8,7,1\n9,9,2\nDONE\nYXSWAP2STEP2");
    assert!(lines[0].starts_with("MESSAGE SWAP2 SWAP1 "), "{lines:?}");
    let two = answers(Form::YixinSwap2(2), Decision::Two(Square::new(1, 2), Square::new(3, 4)));
    let two: Vec<String> = two.iter().map(Reply::line).collect();
    assert_eq!(two, ["MESSAGE SWAP2 MOVE4 1 2", "MESSAGE SWAP2 MOVE5 3 4"]);
    assert!(dialogue.ask("YXSWAP2STEP3")[0].starts_with("ERROR "));
}

#[test]
fn balance_gives_one_or_two_squares() {
    check("START 15\nYXBOARD\n7,7,2\nDONE\nYXBALANCEONE 0", &["ok", "move"]);
    let mut dialogue = Dialogue::new();
    let lines = dialogue.ask("START 15\nYXBOARD\n7,7,1\n8,8,2\nDONE\nYXBALANCETWO 0");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[1].split(' ').all(is_move), "{lines:?}");
}

#[test]
fn two_squares_are_two_whatever_is_blocked() {
    let all = |suffix: &str| {
        (0..25).fold(String::new(), |all, at| format!("{all}{},{}{suffix}\n", at % 5, at / 5))
    };
    let mut dialogue = Dialogue::new();
    dialogue.ask(&format!("START 5\nYXBOARD\n2,2,2\nDONE\nYXBLOCK\n{}DONE", all("")));
    let lines = dialogue.ask("YXBALANCETWO 0");
    assert!(lines[0].split(' ').count() == 2 && lines[0].split(' ').all(is_move), "{lines:?}");
    let walls = all(",3").replacen("0,0,3\n", "", 1);
    dialogue.ask(&format!("YXBOARD\n{walls}DONE"));
    assert!(dialogue.ask("YXBALANCETWO 0")[0].starts_with("ERROR "), "one square is left");
    assert!(is_move(&dialogue.ask("YXBALANCEONE 0")[0]));
}

#[test]
fn a_command_in_thought_waits_for_the_move() {
    let mut dialogue = Dialogue::new();
    assert_eq!(dialogue.say("START 15\nTURN 7,7"), ["OK"]);
    assert_eq!(dialogue.say("START 15 15\nYXBOARD\n7,7,2\nDONE\nYXSHOWFORBID\nYXSTOP"), [""; 0]);
    let lines = dialogue.think();
    assert!(is_move(&lines[0]), "{lines:?}");
    assert_eq!(lines[1..], ["OK", "FORBID ."]);
}

#[test]
fn questions_that_wait_get_a_move_each() {
    let mut dialogue = Dialogue::new();
    dialogue.say("START 15\nBEGIN\nRESTART\nBEGIN\nRESTART\nBEGIN");
    let lines = dialogue.think();
    let kinds: Vec<bool> = lines.iter().map(|line| is_move(line)).collect();
    assert_eq!(kinds, [true, false, true, false, true], "{lines:?}");
}

#[test]
fn some_things_are_answered_in_thought() {
    let mut dialogue = Dialogue::new();
    dialogue.say("START 15\nTURN 7,7");
    let lines = dialogue.say("ABOUT\nFOO\nINFO rule 1\nYXSHOWFORBID\nYXSHOWHASHUSAGE");
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert_eq!(dialogue.think().len(), 1);
}

#[test]
fn the_end_is_the_end() {
    let mut dialogue = Dialogue::new();
    dialogue.say("START 15\nTURN 7,7");
    let end = Request::Line(Ok(Command::End));
    assert_eq!(dialogue.session.request(end, Instant::now(), &mut dialogue.desk), Flow::Exit);
    dialogue.desk.has_ended = true;
    assert_eq!(dialogue.think(), [""; 0]);
}

#[test]
fn the_end_of_input_waits_for_the_move() {
    let mut dialogue = Dialogue::new();
    dialogue.say("START 15\nTURN 7,7");
    let (session, desk) = (&mut dialogue.session, &mut dialogue.desk);
    assert_eq!(session.request(Request::EndOfInput, Instant::now(), desk), Flow::GoOn);
    let outcome = desk.job.take().unwrap().run(&mut ());
    assert_eq!(session.finish(&outcome, desk), Flow::Exit);
    assert!(desk.lines.iter().any(|line| is_move(line)));
}

#[test]
fn after_a_failed_search_there_is_still_a_move_and_the_next_is_as_ever() {
    let mut dialogue = Dialogue::new();
    dialogue.say("START 15");
    dialogue.desk.breaks_jobs = true;
    let lines = dialogue.ask("TURN 7,7");
    assert!(is_move(&lines[0]), "{lines:?}");
    dialogue.desk.breaks_jobs = false;
    let lines = dialogue.ask("TURN 0,0");
    assert!(is_move(&lines[0]), "{lines:?}");
}

#[test]
fn a_panic_costs_the_search_it_happens_in_only() {
    let fresh = || {
        let mut dialogue = Dialogue::new();
        dialogue.say("INFO timeout_turn -1\nINFO max_node 2000\nSTART 15");
        dialogue
    };
    let moves = |dialogue: &mut Dialogue| {
        dialogue.say("INFO thread_num 1\nYXHASHCLEAR\nRESTART");
        ["TURN 7,7", "TURN 0,0"].map(|text| dialogue.ask(text))
    };
    let expected = moves(&mut fresh());
    for (place, visit, threads) in [
        ("main", 1, 1),
        ("main", 5, 1),
        ("main", 3, 3),
        ("helper", 1, 3),
        ("helper", 2, 2),
        ("no_helper", 1, 3),
        ("no_helper", 2, 3),
        ("job", 1, 1),
    ] {
        for question in ["TURN 7,7", "YXNBEST 3", "SWAP2BOARD 7,7 8,7 9,9 DONE"] {
            let mut dialogue = fresh();
            dialogue.say(&format!("INFO fault_{place} {visit}\nINFO thread_num {threads}"));
            let lines = dialogue.ask(question);
            let is_answer = |line: &String| is_move(line) || line.contains(' ') || line == "SWAP";
            assert!(lines.len() == 1 && is_answer(&lines[0]), "{place}, {question}: {lines:?}");
            assert_eq!(moves(&mut dialogue), expected, "{place} {visit}, {question}");
        }
    }
}

#[test]
fn a_game_whose_rule_nobody_names_is_built_when_nothing_else_is_to_be_done() {
    let mut dialogue = Dialogue::new();
    assert!(!dialogue.session.has_idle_work(), "without a game");
    dialogue.say("START 15");
    assert!(dialogue.session.has_idle_work());
    dialogue.session.idle();
    assert!(!dialogue.session.has_idle_work());
    dialogue.say("START 15\nINFO rule 4");
    assert!(!dialogue.session.has_idle_work(), "a rule was named");
    dialogue.say("START 20");
    assert!(!dialogue.session.has_idle_work(), "the rule is known");
}

#[test]
fn search_messages_pass_their_gates() {
    let progress = Progress {
        depth: 3,
        selective_depth: 5,
        line_index: 0,
        line_count: 1,
        score: crate::base::score::Score::ZERO,
        moves: vec![Square::new(0, 2)],
        nodes: 100,
        elapsed: Duration::ZERO,
    };
    let mut dialogue = Dialogue::new();
    let mut shown = |setting: &str| {
        dialogue.say(setting);
        dialogue.say("INFO timeout_turn 5000\nSTART 15\nTURN 7,7");
        dialogue.session.progress(&progress, &mut dialogue.desk);
        let event = RootEvent::Best(Square::new(1, 2));
        dialogue.session.root(event, &mut dialogue.desk);
        let lines = std::mem::take(&mut dialogue.desk.lines);
        dialogue.desk.job = None;
        dialogue.session.finish(&Outcome::NONE, &mut dialogue.desk);
        lines
    };
    let message = "MESSAGE depth 3-5 ev 0 n 100 n/ms 100 tm 0 pv ";
    assert_eq!(shown(""), [format!("{message}A3")]);
    assert_eq!(shown("INFO show_detail 1").last().unwrap(), "MESSAGE REALTIME BEST 1,2");
    assert_eq!(shown("INFO show_detail 2").len(), 13);
    assert_eq!(shown("YXSHOWINFO\nINFO show_detail 0"), [format!("{message}C15")]);
    dialogue.session.progress(&progress, &mut dialogue.desk);
    dialogue.desk.lines.retain(|line| !is_move(line));
    assert_eq!(dialogue.desk.lines, [""; 0], "nothing after the move");
}

#[test]
fn remarks_come_with_the_next_move() {
    let mut dialogue = Dialogue::new();
    let lines = dialogue.ask("START 15\nINFO rule 77\nINFO max_memory 1000\nTURN 7,7");
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert!(lines[1].starts_with("MESSAGE rule 77 ") && lines[2].starts_with("MESSAGE max_memory"));
    assert_eq!(dialogue.ask("TURN 0,0").len(), 1);
}

#[test]
fn squares_can_be_excluded() {
    let mut dialogue = Dialogue::new();
    dialogue.say("START 5");
    let others = (0..25).filter(|&index| index != 3);
    let all = others.map(|i| format!("{},{} ", i % 5, i / 5)).collect::<Vec<_>>().concat();
    dialogue.say(&format!("YXBLOCK {all} DONE"));
    assert_eq!(dialogue.ask("BEGIN"), ["3,0"]);
    dialogue.say("YXBLOCKRESET");
    assert_eq!(dialogue.ask("TURN 2,2").len(), 1);
}

#[test]
fn paths_exclude_their_last_square_in_their_position_only() {
    let mut dialogue = Dialogue::new();
    dialogue.say("INFO timeout_turn -1\nINFO max_node 2000\nSTART 15");
    let ask = "YXBOARD\n7,7,2\nDONE\nYXNBEST 1";
    let best = dialogue.ask(ask).pop().unwrap();
    let path = format!("7,7\n{best}\nDONE");
    dialogue.ask(&format!("RESTART\nYXBLOCKPATH\n{path}"));
    assert_ne!(dialogue.ask(ask).pop().unwrap(), best);
    let other = "YXBOARD\n7,7,2\n0,0,1\n1,0,2\nDONE\nYXNBEST 1";
    let elsewhere = dialogue.ask(other).pop().unwrap();
    dialogue.ask(&format!("RESTART\nYXBLOCKPATHUNDO\n{path}"));
    assert_eq!(dialogue.ask(ask).pop().unwrap(), best);
    dialogue.ask("RESTART");
    assert_eq!(dialogue.ask(other).pop().unwrap(), elsewhere, "another position");
    dialogue.ask(&format!("YXBLOCKPATH\n{path}\nYXBLOCKPATHRESET\nRESTART"));
    assert_eq!(dialogue.ask(ask).pop().unwrap(), best);
    check("YXBLOCKPATH\n7,7\nDONE\nSTART 15\nYXBLOCKPATH\n15,7\nDONE", &["error", "ok", "error"]);
}

#[test]
fn defenses_are_searched_with_a_line_each() {
    let mut dialogue = Dialogue::new();
    dialogue.say("INFO timeout_turn -1\nINFO max_depth 1\nSTART 15");
    dialogue.say("YXBOARD\n7,7,2\n0,0,1\n8,7,2\nDONE\nYXSEARCHDEFEND");
    let outcome = dialogue.desk.job.take().unwrap().run(&mut ());
    let lines = outcome.result.as_ref().unwrap().lines.len();
    assert!(lines > 60, "{lines} lines");
    dialogue.session.finish(&outcome, &mut dialogue.desk);
    assert!(is_move(dialogue.desk.lines.last().unwrap()));
    check("YXSEARCHDEFEND", &["error"]);
}

#[test]
fn what_is_not_done_is_refused_aloud_and_at_once() {
    let mut dialogue = Dialogue::new();
    dialogue.say("START 15\nTURN 7,7");
    let refusal = |word: &str| format!("MESSAGE {word} is not supported and was ignored");
    assert_eq!(dialogue.say("YXSOOSORVSTEP1"), [refusal("YXSOOSORVSTEP1")]);
    assert_eq!(dialogue.say("yxhashdump\nC:\\a b"), [refusal("yxhashdump")]);
    assert_eq!(dialogue.say("yxquerydatabaseallt\n7,7\ndone\nyxdraw"), [""; 0]);
    assert_eq!(dialogue.say("yxsavedatabase"), [refusal("yxsavedatabase")]);
    assert!(is_move(&dialogue.think()[0]));
}

#[test]
fn settings_behind_a_waiting_question_do_not_cut_it_short() {
    let mut dialogue = Dialogue::new();
    dialogue.say("START 15\nTURN 7,7\nRESTART\nBEGIN\nINFO timeout_turn 100\nABOUT");
    let outcome = dialogue.desk.job.take().unwrap().run(&mut ());
    dialogue.session.finish(&outcome, &mut dialogue.desk);
    let thinking = dialogue.session.thinking.as_ref();
    assert!(thinking.is_some_and(|thinking| !thinking.is_stopping));
    assert!(dialogue.desk.lines.contains(&Reply::About.line()));
    assert_eq!(dialogue.think().iter().filter(|line| is_move(line)).count(), 2);
}

#[test]
fn reasons_come_just_before_the_move_and_only_when_asked_for() {
    let stones = "5,6,1\n8,8,2\n5,7,1\n9,6,2\n5,9,1\n11,11,2\n5,10,1\n12,7,2";
    let board = format!("BOARD\n{stones}\nDONE");
    let why = "MESSAGE why makes five on the column";
    check(&format!("START 15\n{board}\nINFO explain 1\n{board}"), &["ok", "5,8", why, "5,8"]);
    check(&format!("INFO explain 1\nSTART 15\nINFO explain 0\n{board}"), &["ok", "5,8"]);
    // Every question has its reason, also one that no search has answered.
    let mut dialogue = Dialogue::new();
    dialogue.say("INFO explain 1");
    for rule in [0, 1, 4, 8, 9] {
        dialogue.say(&format!("INFO rule {rule}"));
        dialogue.desk.breaks_jobs = rule == 1;
        for text in [
            "START 15",
            "BEGIN",
            "TURN 0,3",
            "TURN 3,1",
            "INFO level 1",
            "TURN 9,9",
            "INFO level 8",
            "SWAP2BOARD",
            "DONE",
            "SWAP2BOARD 7,7 8,7 9,9 DONE",
            "YXBALANCETWO 0",
            "BOARD 3,3,1 3,4,1 3,5,1 3,6,1 3,7,1 DONE",
        ] {
            let lines = dialogue.ask(text);
            let is_question =
                !matches!(text, "START 15" | "SWAP2BOARD") && !text.starts_with("INFO");
            let whys = lines.iter().filter(|line| line.starts_with("MESSAGE why ")).count();
            assert_eq!(whys, usize::from(is_question), "{text}: {lines:?}");
            assert!(
                !is_question || lines[lines.len() - 2].starts_with("MESSAGE why "),
                "{lines:?}"
            );
        }
    }
}
