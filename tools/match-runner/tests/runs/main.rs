//! Runs of the built program with brains that misbehave on purpose.
//!
//! Owns what a user sees: exit codes, record files, what is printed. The brains are the program's
//! own `stub`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

#[cfg(test)]
mod harness;

use harness::{RUNNER, folder, folder_of, games, run, runner, stub};

/// Every game of a good brain against a bad one must be lost by the bad one, in this way.
fn check_end(habit: &str, kind: &str, more: &[&str]) -> Vec<Value> {
    let name = format!("end-{}", habit.replace(' ', "-"));
    // Patient enough for the good brain on a busy machine.
    let limits = ["--turn-ms", "200", "--tolerance-ms", "1500", "--games", "2"];
    let more: Vec<&str> = limits.iter().chain(more).copied().collect();
    let (result, games) = run(&name, "first", habit, &more);
    assert_eq!(result["pairings"][0]["wins"], 2, "{habit}: {games:?}");
    for game in &games {
        assert_eq!(game["end"]["kind"], kind, "{habit}: {game}");
    }
    games
}

#[test]
fn a_crash_is_a_loss_and_its_last_lines_are_kept() {
    let games = check_end("crash --from 2", "crashed", &["--nodes", "1000", "--depth", "7"]);
    assert_eq!(games[0]["end"]["reason"], "exit status: 3");
    let lines = games[0]["last_lines"].to_string();
    for line in ["INFO max_node 1000", "INFO max_depth 7", "INFO timeout_turn 200", "TURN"] {
        assert!(lines.contains(line), "{line} in {lines}");
    }
}

#[test]
fn a_hung_brain_is_killed_and_the_run_goes_on() {
    let games = check_end("hang --from 2", "out-of-time", &[]);
    assert_eq!(games[0]["end"]["answered"], false);
    let games = check_end("mute", "out-of-time", &["--startup-ms", "1500"]);
    assert_eq!(games[0]["moves"].as_array().unwrap().len(), 0);
}

#[test]
fn a_brain_that_never_stops_writing_is_as_late_as_a_silent_one() {
    let games = check_end("flood --from 2", "out-of-time", &[]);
    assert_eq!(games[0]["end"]["answered"], false);
}

#[test]
fn what_is_no_text_is_passed_over() {
    let games = check_end("garble --from 2", "illegal", &[]);
    assert!(games[0]["last_lines"].to_string().contains("garble"));
}

#[test]
fn a_late_move_loses_and_it_is_told_by_how_much() {
    let games = check_end("slow --ms 2200", "out-of-time", &[]);
    assert_eq!(games[0]["end"]["answered"], true);
    let over = games[0]["end"]["over_ms"].as_u64().unwrap();
    assert!((2000..2500).contains(&over), "{over}");
}

#[test]
fn how_late_answers_came_is_told() {
    let limits = ["--turn-ms", "50", "--tolerance-ms", "3000", "--games", "2", "--max-moves", "6"];
    run("lateness", "first", "slow --ms 130", &limits);
    let record = folder_of("lateness").join("run.jsonl");
    let output = runner(&["lateness", record.to_str().unwrap(), "--at-most", "20"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let (_, slow) = text.split_once("second: 6 answers in 2 games").unwrap();
    let late: u64 =
        slow.lines().nth(4).unwrap().split_whitespace().nth(3).unwrap().parse().unwrap();
    assert!((80..3000).contains(&late), "the median is {late}\n{text}");
    assert!(slow.contains('#') && text.starts_with("first: 6 answers in 2 games"), "{text}");
    let output = runner(&["lateness", record.to_str().unwrap(), "--at-most", "3000"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(runner(&["lateness", "no such file"]).status.code(), Some(2));
}

#[test]
fn wrong_lines_lose() {
    let games = check_end("illegal", "illegal", &[]);
    assert!(games[0]["end"]["line"].as_str().unwrap().contains(','));
    let games = check_end("error", "illegal", &[]);
    assert_eq!(games[0]["end"]["line"], "ERROR no move today");
    // Its second line is refused as unasked for, or taken for the next move, which it cannot be.
    check_end("twice", "illegal", &[]);
}

#[test]
fn a_brain_that_does_not_leave_is_killed() {
    let began = Instant::now();
    let (result, _) = run("stay", "first", "stay", &["--turn-ms", "200", "--games", "2"]);
    assert_eq!(result["games"], 2);
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[cfg(target_os = "linux")]
#[test]
fn the_judge_watches_memory_and_counts_the_start_up() {
    let limits = ["--manner", "judge", "--match-ms", "20000", "--memory-mb", "48"];
    check_end("grow", "over-limit", &limits);
    // START is not answered, and the judge does not care.
    let (result, games) = run(
        "judge",
        "mute",
        "mute",
        &["--manner", "judge", "--turn-ms", "300", "--match-ms", "20000", "--games", "2"],
    );
    assert_eq!(result["games"], 2);
    assert!(games.iter().all(|game| game["end"]["kind"] == "five"), "{games:?}");
    // What was measured after each move is kept.
    let moves = games.iter().flat_map(|game| game["moves"].as_array().unwrap());
    let kib: Vec<u64> = moves.map(|mv| mv["kib"].as_u64().unwrap_or(0)).collect();
    assert!(!kib.is_empty() && kib.iter().all(|kib| (64..48 << 10).contains(kib)), "{kib:?}");
}

#[test]
fn a_kept_brain_plays_all_games_and_is_replaced_when_it_breaks() {
    let more = ["--games", "10", "--keep", "--concurrency", "2"];
    let (result, _) = run("keep", "first", "random", &more);
    assert_eq!((&result["games"], &result["engines"][0]["faults"]), (&10.into(), &0.into()));
    // In its own process it breaks in some game; the run goes on with a new process.
    let (result, games) = run("keep-crash", "first", "crash --from 9", &more);
    assert_eq!(result["games"], 10);
    assert!(games.iter().any(|game| game["end"]["kind"] == "crashed"), "{games:?}");
}

#[test]
fn a_move_limit_is_a_draw_and_a_five_at_hand_may_end_the_game() {
    let (result, games) =
        run("limit", "first", "random", &["--games", "2", "--max-moves", "6", "--turn-ms", "500"]);
    assert_eq!(result["pairings"][0]["draws"], 2);
    assert_eq!(games[0]["end"]["kind"], "move-limit");
    let (_, games) = run("adjudicate", "first", "random", &["--games", "2", "--adjudicate"]);
    assert_eq!(games[0]["end"]["kind"], "adjudicated");
}

#[test]
fn all_rules_and_sizes_are_played() {
    for (rule, size) in [("0", "5"), ("1", "22"), ("4", "15"), ("8", "20"), ("caro9", "10")] {
        let name = format!("rule-{rule}-{size}");
        let (result, games) =
            run(&name, "first", "random", &["--rule", rule, "--size", size, "--games", "2"]);
        assert_eq!(result["games"], 2);
        for game in games {
            let kind = game["end"]["kind"].as_str().unwrap();
            assert!(["five", "full-board", "forbidden"].contains(&kind), "{game}");
        }
    }
}

#[test]
fn a_torn_record_is_resumed_and_no_game_counts_twice() {
    let folder = folder("resume");
    let record = folder.join("run.jsonl");
    let openings = folder.join("openings.txt");
    fs::write(&openings, "# both forms\nh8i9g7\n0,0 1,1 -1,0\n0,0 2,1\n").unwrap();
    let (a, b) = (stub("a", "first"), stub("b", "random"));
    let go = |games: &str, seed: &str| {
        runner(&[
            "run",
            "-e",
            &a,
            "-e",
            &b,
            "--record",
            record.to_str().unwrap(),
            "--openings",
            openings.to_str().unwrap(),
            "--games",
            games,
            "--seed",
            seed,
            "--concurrency",
            "2",
        ])
    };
    assert!(go("4", "1").status.success());
    // A lost machine leaves half a line, here of the last game.
    let content = fs::read(&record).unwrap();
    fs::write(&record, &content[..content.len() - 40]).unwrap();
    let output = go("8", "1");
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("3 games are in the record already"));
    let games = games(&record);
    let mut keys: Vec<&str> = games.iter().map(|game| game["key"].as_str().unwrap()).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!((games.len(), keys.len()), (8, 8));
    // Other settings are another run.
    let other = go("8", "2");
    assert!(!other.status.success());
    assert!(String::from_utf8_lossy(&other.stderr).contains("seed 1"), "{other:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_stops_at_once_and_resumes() {
    let record = folder("interrupt").join("run.jsonl");
    let (a, b) = (stub("a", "slow --ms 60"), stub("b", "slow --ms 60"));
    let record_text = record.to_str().unwrap();
    let arguments = ["run", "-e", &a, "-e", &b, "--record", record_text, "--games", "4"];
    let mut child = Command::new(RUNNER).args(arguments).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while fs::read_to_string(&record).unwrap_or_default().lines().count() < 2 {
        assert!(Instant::now() < deadline, "no game was recorded");
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!((1..4).contains(&games(&record).len()));
    assert!(runner(&arguments).status.success());
    assert_eq!(games(&record).len(), 4);
}

#[test]
fn shards_merge_into_the_whole_run() {
    let folder = folder("shards");
    let (a, b, c) = (stub("a", "first"), stub("b", "random"), stub("c", "random --seed 2"));
    let go = |file: &str, shard: &[&str]| {
        let record = folder.join(file).to_str().unwrap().to_string();
        let mut arguments = vec![
            "run", "-e", &a, "-e", &b, "-e", &c, "--games", "8", "--record", &record, "--json",
        ];
        arguments.extend(shard);
        assert!(runner(&arguments).status.success());
        record
    };
    let whole = go("whole.jsonl", &[]);
    let parts: Vec<String> =
        (1..=3).map(|i| go(&format!("{i}.jsonl"), &["--shard", &format!("{i}/3")])).collect();
    let merged = folder.join("merged.jsonl").to_str().unwrap().to_string();
    let numbers = |arguments: &[&str]| {
        let output = runner(arguments);
        assert!(output.status.success(), "{output:?}");
        let mut line: Value = serde_json::from_slice(&output.stdout).unwrap();
        for engine in line["engines"].as_array_mut().unwrap() {
            engine["ms_per_move"].take();
        }
        line
    };
    // Fresh processes that count no time play the same games, wherever they are played.
    let played = |record: &str| -> Vec<(String, Value, Value)> {
        let mut games: Vec<_> = games(Path::new(record))
            .into_iter()
            .map(|mut game| {
                for mv in game["moves"].as_array_mut().unwrap() {
                    mv["ms"].take();
                    mv["over"].take();
                }
                (game["key"].to_string(), game["moves"].take(), game["outcome"].take())
            })
            .collect();
        games.sort_by(|a, b| a.0.cmp(&b.0));
        games
    };
    let joined = numbers(&[
        "merge", &parts[0], &parts[1], &parts[2], &parts[1], "--output", &merged, "--json",
    ]);
    assert_eq!(joined, numbers(&["merge", &whole, "--json"]));
    assert_eq!(joined, numbers(&["stats", &merged, &whole, "--json"]));
    assert_eq!(joined["games"], 24);
    assert_eq!(played(&merged), played(&whole));
}

#[test]
fn the_test_stops_the_run_and_the_plot_is_drawn() {
    let plot = folder("plot").join("elo.svg");
    let plot_text = plot.to_str().unwrap();
    let (result, _) = run(
        "sprt",
        "random --seed 3",
        "random --seed 4",
        &["--games", "40", "--plot", plot_text, "--concurrency", "2"],
    );
    assert_eq!(result["games"], 40);
    let (result, games) = run(
        "sprt-stop",
        "first",
        "random",
        &["--games", "400", "--sprt", "0,200", "--concurrency", "2"],
    );
    assert_eq!(result["sprt"]["decision"], "h1");
    assert!(games.len() < 100, "{} games", games.len());
    if let Ok(svg) = fs::read_to_string(&plot) {
        assert!(svg.contains("<svg") && svg.contains("first - second"));
    }
}

#[test]
fn records_are_shown_and_exported() {
    let (_, _) = run("show", "first", "crash --from 3", &["--games", "2"]);
    let record = Path::new(env!("CARGO_TARGET_TMPDIR")).join("show/run.jsonl");
    let record = record.to_str().unwrap();
    let text = |arguments: &[&str]| {
        let output = runner(arguments);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(text(&["show", record]).contains("    1  first - second  1-0  5 stones, crashed"));
    let game = text(&["show", record, "--game", "1"]);
    assert!(game.contains(" 15 . .") && game.contains("1-0, crashed") && game.contains("| > TURN"));
    assert!(text(&["show", record, "--faults"]).lines().count() == 2);
    assert!(text(&["export", record]).starts_with("(;FF[4]GM[4]"));
    let psq = text(&["export", record, "--format", "psq", "--game", "2"]);
    assert!(
        psq.starts_with("Piskvorky 15x15, 11:11, 0\n1,1,") && psq.ends_with("second\nfirst\n4\n")
    );
    assert!(!runner(&["show", record, "--game", "9"]).status.success());
}

#[test]
fn boards_are_drawn_as_pictures() {
    use records::{End, Game, Move};
    use tengen::types::{color::Color, rule::Rule, size::BoardSize, square::Square};

    let folder = folder("pictures");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let draw = |arguments: &[&str]| {
        let picture = path("picture.svg");
        let output = runner(&[&["show"], arguments, &["--svg", &picture]].concat());
        assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
        fs::read_to_string(picture).unwrap()
    };
    let count = |svg: &str, class: &str| svg.matches(&format!("class=\"{class}\"")).count();

    // Five in a row from h8, the last in the middle of it.
    let won = draw(&["--moves", "0,0 -7,-7 1,0 -6,-7 3,0 -5,-7 4,0 -4,-7 2,0", "--rule", "1"]);
    assert_eq!([count(&won, "stone"), count(&won, "number"), count(&won, "won")], [9, 9, 5]);
    assert!(won.contains(">standard 15x15, 9 stones, five in a row<"), "{won}");

    let (_, _) = run("pictured", "first", "crash --from 3", &["--games", "2"]);
    let record = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictured/run.jsonl");
    let record = record.to_str().unwrap();
    let svg = draw(&[record, "--game", "1", "--stones", "3"]);
    assert_eq!([count(&svg, "stone"), count(&svg, "last")], [3, 1]);
    assert!(svg.contains(">first (Black) - second (White) 1-0<"), "{svg}");
    assert!(svg.contains(">freestyle 15x15, 3 of 5 stones, crashed: "), "{svg}");

    // What datagen writes is opened by the same command.
    let game = Game {
        number: 41,
        rule: Rule::Caro,
        size: BoardSize::try_new(15, 20).unwrap(),
        opening: 2,
        moves: [(7, 7), (0, 19), (8, 8)].map(|(x, y)| Move::plain(Square::new(x, y))).to_vec(),
        winner: Some(Color::White),
        end: End::Adjudicated,
    };
    let data = path("00.rec");
    fs::write(&data, records::encode_file("made by a test", [&game])).unwrap();
    let list = String::from_utf8(runner(&["show", &data]).stdout).unwrap();
    assert_eq!(list, "made by a test\n    1  game 41  0-1  3 stones, adjudicated\n");
    let svg = draw(&[&data]);
    assert!(count(&svg, "stone") == 3 && svg.contains(">caro 15x20, 3 stones, adjudicated<"));
    let sgf = String::from_utf8(runner(&["export", &data]).stdout).unwrap();
    assert!(sgf.contains("SZ[15:20]GN[game 41]") && sgf.ends_with(";B[ii])\n"), "{sgf}");
    let games = path("games");
    let output = runner(&["export", &data, "--format", "psq", "--output", &games]);
    assert!(output.status.success(), "{output:?}");
    let psq = fs::read_to_string(folder.join("games/00001.psq")).unwrap();
    assert_eq!(psq, "Piskvorky 15x20, 11:11, 0\n8,8,0\n1,20,0\n9,9,0\nBlack\nWhite\n0\n");

    let fails = |arguments: &[&str], words: &str| {
        let output = runner(&[&["show"], arguments].concat());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(words), "{words} in {text}");
    };
    fails(&[record, "--svg", &path("x.svg")], "which of the 2 games? give --game");
    fails(&[&data, "--game", "2"], "there are 1 games");
    fails(&["--moves", "h8h8", "--svg", &path("x.svg")], "is on another stone");
    fs::write(path("newer.rec"), b"TGNREC\x03\x00").unwrap();
    fails(&[&path("newer.rec")], "expected version 1 or 2, got 3");
}

#[test]
fn a_game_can_be_watched() {
    let habit = |habit: &str| format!("{RUNNER} stub {habit}");
    let (black, white) = (habit("first"), habit("random"));
    let output = runner(&["watch", "--black", &black, "--white", &white, "--size", "7"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("    a b c d e f g\n  1(X). . . . . .  1\n"), "{text}");
    assert!(text.ends_with(": five in a row\n") || text.ends_with("the board is full\n"), "{text}");
}

#[test]
fn conformance_is_reported_case_by_case() {
    let engine = format!("{RUNNER} stub first");
    let output = runner(&["check", "-e", &engine, "--only", "F01,T01,S02", "--slack-ms", "500"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("T01  pass  TURN as the first command"), "{text}");
    assert!(text.contains("S02  FAIL  bad sizes, one ERROR each"), "{text}");
    assert!(text.contains("'OK' instead of <ERROR> after 'START 0'"), "{text}");
    assert!(text.contains("passed: 1 of 3 mandatory"), "{text}");
}

#[test]
fn openings_are_kept_where_the_engine_finds_them_even() {
    let file = folder("even").join("openings.txt");
    fs::write(&file, "# two\nh8i9g7\nh8h9h10\n").unwrap();
    let even = |engine: &str, most: &str| {
        let openings = file.to_str().unwrap();
        runner(&["even", "-e", engine, "--openings", openings, "--most", most, "--turn-ms", "300"])
    };
    let talks = format!("{RUNNER} stub talk --ms 20");
    let kept = even(&talks, "60");
    assert!(kept.status.success(), "{kept:?}");
    let text = String::from_utf8(kept.stdout).unwrap();
    let openings: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(openings, ["h8i9g7", "h8h9h10"]);
    let none = even(&talks, "59");
    assert_eq!(String::from_utf8(none.stdout).unwrap(), "");
    assert!(String::from_utf8(none.stderr).unwrap().contains("0 of 2 openings are even within 59"));
    for (habit, words) in [("first", "says no evaluation"), ("crash", "exit status: 3")] {
        let failed = even(&format!("{RUNNER} stub {habit}"), "60");
        let text = String::from_utf8(failed.stderr).unwrap();
        assert!(!failed.status.success() && text.contains(words), "{words} in {text}");
    }
}

#[test]
fn a_search_for_even_openings_tells_how_far_it_is_and_can_be_interrupted() {
    let file = folder("even-interrupt").join("openings.txt");
    let openings: Vec<String> =
        (1..=12).flat_map(|y| ["a", "b", "c"].map(|x| format!("{x}{y}"))).collect();
    fs::write(&file, openings.join("\n")).unwrap();
    let talks = format!("{RUNNER} stub talk --ms 50");
    let mut child = Command::new(RUNNER)
        .args(["even", "-e", &talks, "--openings", file.to_str().unwrap()])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(child.stderr.take().unwrap()).lines();
    assert_eq!(told.next().unwrap().unwrap(), "Opening 25 of 36: 25 even");
    assert!(
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success()
    );
    assert_eq!(told.next().unwrap().unwrap(), "stopped");
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn mistakes_on_the_command_line_are_named() {
    let fails = |arguments: &[&str], words: &str| {
        let output = runner(arguments);
        assert!(!output.status.success());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text.contains(words), "{words} in {text}");
    };
    fails(&["run", "-e", "./a"], "give --engine twice");
    fails(&["run", "-e", "./a", "-e", "./b/a"], "two engines are named 'a'");
    fails(&["run", "-e", "/no/such", "-e", "/none", "--games", "2"], "cannot start");
    fails(&["run", "-e", "a", "-e", "b", "--rule", "2"], "rule '2' is not 0");
    fails(&["run", "-e", "a", "-e", "b", "--manner", "judge"], "--match-ms");
    fails(&["run", "-e", "a", "-e", "b", "--openings", "/no/file"], "cannot read /no/file");
    fails(&["watch", "--opening", "h8h8", "--black", "a", "--white", "b"], "h8 twice");
    fails(&["merge", "/no/file"], "cannot read /no/file");
}
