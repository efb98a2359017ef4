//! Engines, good ones and hostile ones.

use tengen::base::rng::Rng;

use super::harness::*;

#[test]
fn a_plain_start_plays_against_the_engine_at_once() {
    let mut terminal = Terminal::start(80, 24, &["--turn-ms", "100"]);
    terminal.wait_for("freestyle 15x15   ● you - ○ tengen");
    terminal.keys(&[ENTER]);
    terminal.wait("an answer with its search", |screen| {
        let has_search = screen.contains("depth") && screen.contains("nodes");
        // In the title, at the clock, and on the board.
        let stones = ['●', '○'].map(|sign| screen.matches(sign).count());
        screen.contains("tengen played") && has_search && stones == [3, 3]
    });
    terminal.keys(&["u"]);
    terminal.wait("no stones", |screen| screen.matches('●').count() == 2);
    terminal.quit();
}

#[test]
fn a_thinking_engine_can_be_told_to_move_now() {
    let mut terminal = Terminal::start(80, 24, &["--turn-ms", "600000"]);
    terminal.wait_for("freestyle 15x15");
    terminal.keys(&[ENTER]);
    terminal.wait_for("tengen thinks");
    terminal.wait_for("nodes");
    terminal.keys(&["."]);
    terminal.wait_for("tengen played");
    terminal.quit();
}

#[test]
fn boards_that_are_no_squares_are_played_too() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("long.sgf");
    std::fs::write(&file, "(;GM[4]SZ[9:6];B[ec];W[dc])").unwrap();
    let arguments = ["--turn-ms", "50", "--ascii", file.to_str().unwrap()];
    let mut terminal = Terminal::start(80, 24, &arguments);
    terminal.wait_for("freestyle 9x6");
    terminal.keys(&[ENTER]);
    terminal.wait_for("tengen played");
    terminal.quit();
}

#[test]
fn the_engine_plays_black_when_you_are_white_and_sides_can_be_swapped() {
    let mut terminal = Terminal::start(80, 24, &["--you", "white", "--engine", &stub("first")]);
    terminal.wait_for(" 1 (●)┬");
    terminal.keys(&["x"]);
    terminal.wait_for("(○)┬");
    terminal.keys(&[ENTER]);
    terminal.wait("four stones", |screen| screen.matches('○').count() == 4);
    terminal.quit();
}

#[test]
fn one_undo_leaves_the_engine_waiting_for_a_word() {
    let mut terminal = Terminal::start(80, 24, &["--ascii", "--engine", &stub("first")]);
    terminal.wait_for("freestyle 15x15");
    terminal.keys(&[ENTER]);
    terminal.wait_for(" 1 (O)");
    terminal.keys(&["U"]);
    terminal.wait_for("paused before the engine's move");
    terminal.wait_for(" 1  . .");
    terminal.keys(&["c"]);
    terminal.wait_for(" 1 (O)");
    terminal.quit();
}

#[test]
fn what_is_thought_is_shown_live_with_the_reasons_and_the_screen_never_freezes() {
    let engine = stub("talk --ms 600000");
    let mut terminal =
        Terminal::start(80, 24, &["--ascii", "--turn-ms", "700000", "--engine", &engine]);
    terminal.wait_for("freestyle 15x15");
    terminal.keys(&[ENTER]);
    terminal.wait_for("stub thinks");
    terminal.wait_for("depth 7");
    terminal.wait_for("line a1");
    // The line is on the board too, and the cursor moves while the engine thinks.
    terminal.wait_for(" 1  1 .");
    terminal.keys(&["t"]);
    terminal.wait_for(" 1  . .");
    terminal.keys(&[ENTER]);
    terminal.wait_for("it is the engine's turn");
    terminal.keys(&["?"]);
    terminal.wait_for("place a stone");
    terminal.keys(&[ESC]);
    terminal.wait_without("place a stone");
    // The undone question is not waited for.
    terminal.keys(&["u"]);
    terminal.wait_for("Black to move");
    terminal.wait_without("stub thinks");
    terminal.quit();
}

#[test]
fn the_engine_is_told_its_level_and_to_explain() {
    let engine = stub("talk --ms 0");
    let mut terminal = Terminal::start(80, 24, &["--ascii", "--level", "3", "--engine", &engine]);
    terminal.wait_for("stub, casual player");
    terminal.keys(&[ENTER]);
    terminal.wait_for("why: told level 3; told explain 1");
    terminal.wait_for("(-60)");
    terminal.keys(&["+", ENTER, UP, ENTER]);
    terminal.wait_for("why: told level 4; told explain 1");
    terminal.keys(&["-", "-", "-", "-"]);
    terminal.wait_for("level 1, beginner");
    terminal.quit();
}

#[test]
fn a_hint_is_the_engine_s_choice_with_its_line_at_full_strength() {
    let engine = stub("talk --ms 0");
    let mut terminal = Terminal::start(
        80,
        24,
        &["--you", "people", "--level", "2", "--ascii", "--engine", &engine],
    );
    terminal.wait_for("freestyle 15x15");
    terminal.keys(&["h"]);
    terminal.wait_for("hint: a1");
    terminal.wait_for("told level 8");
    terminal.wait_for(" 1  1 .");
    terminal.keys(&[ENTER]);
    terminal.wait_for(" 1 (X).");
    // The next hint knows the stone, which the engine itself did not place.
    terminal.keys(&["h"]);
    terminal.wait_for("hint: b1");
    terminal.quit();
}

#[test]
fn engines_play_each_other_to_the_end() {
    let random = stub("random --seed 3");
    let arguments = ["--you", "engines", "--size", "5", "--ascii", "--black", &random];
    let first = stub("first");
    let arguments = [&arguments[..], &["--white", &first]].concat();
    let mut terminal = Terminal::start(80, 24, &arguments);
    terminal
        .wait("an end", |s| s.contains("wins: five") || s.contains("a draw: the board is full"));
    terminal.keys(&["u"]);
    terminal.wait_for("paused before the engine's move");
    terminal.quit();
}

/// What the screen says of a bad engine, after which the game can be saved and gone on with.
fn breaks_down(habit: &str, expected: &str) {
    let engine = stub(habit);
    let arguments = ["--ascii", "--tolerance-ms", "1000", "--turn-ms", "200", "--engine", &engine];
    let mut terminal = Terminal::start(100, 24, &arguments);
    terminal.wait_for("freestyle 15x15");
    terminal.keys(&[ENTER]);
    terminal.wait_for(expected);
    terminal.wait_for("c starts it again, s saves the game");
    // The stone is there, and the position can be saved.
    terminal.wait_for("(X)");
    terminal.keys(&["s"]);
    terminal.wait_for("Save as");
    terminal.keys(&[ENTER]);
    terminal.wait_without("Save as");
    assert!(std::fs::read_to_string(terminal.path("game.sgf")).unwrap().contains(";B[hh]"));
    // It is started again and does the same again, and whenever that is, the person can take the
    // move back and leave.
    terminal.keys(&["c", "u"]);
    terminal.wait_without("(X)");
    terminal.quit();
}

#[test]
fn an_engine_that_ends_is_told_and_the_game_goes_on() {
    breaks_down("crash", "stub has ended: exit status: 3");
}

#[test]
fn an_engine_that_is_silent_is_told() {
    breaks_down("hang", "stub is silent: no answer to a move in");
    breaks_down("mute", "stub is silent: no answer to START in");
}

#[test]
fn an_engine_that_never_stops_writing_is_told_as_silent() {
    breaks_down("flood", "stub is silent: no answer to a move in");
}

#[test]
fn an_engine_that_plays_on_a_stone_is_told() {
    breaks_down("illegal", "stub played h8, where a stone stands");
}

#[test]
fn an_engine_that_writes_garbage_cannot_disturb_the_screen() {
    breaks_down("garble", "instead of a move");
    breaks_down("error", "stub wrote 'ERROR no move today' instead of a move");
}

#[test]
fn an_engine_that_is_not_there_is_told() {
    let mut terminal = Terminal::start(80, 24, &["--ascii", "--engine", "./no-such-engine"]);
    terminal.wait_for("freestyle 15x15");
    terminal.keys(&[ENTER]);
    terminal.wait_for("cannot start ./no-such-engine");
    terminal.quit();
}

#[test]
fn a_broken_engine_starts_again_with_the_whole_position() {
    // It plays its first move and ends at the second.
    let engine = stub("crash --from 2");
    let mut terminal = Terminal::start(100, 24, &["--ascii", "--engine", &engine]);
    terminal.wait_for("freestyle 15x15");
    terminal.keys(&[ENTER]);
    terminal.wait_for(" 1 (O).");
    terminal.keys(&[UP, ENTER]);
    terminal.wait_for("stub has ended");
    terminal.keys(&["c"]);
    // Told all three stones, the new process takes the next empty square.
    terminal.wait_for(" 1  O(O)");
    terminal.quit();
}

#[test]
fn an_engine_that_is_killed_while_nobody_asks_it_is_told_at_the_next_move() {
    let mut terminal = Terminal::start(100, 24, &["--ascii", "--engine", &stub("first")]);
    terminal.wait_for("freestyle 15x15");
    terminal.keys(&[ENTER]);
    terminal.wait_for(" 1 (O).");
    let engine = children(terminal.id());
    assert_eq!(engine.len(), 1, "{engine:?}");
    let killed = std::process::Command::new("kill").args(["-9", &engine[0]]).status().unwrap();
    assert!(killed.success());
    wait_for_end(&engine);
    terminal.keys(&[UP, ENTER]);
    terminal.wait_for("stub has ended: signal: 9");
    terminal.keys(&["c"]);
    terminal.wait_for(" 1  O(O)");
    terminal.quit();
}

#[test]
fn a_stubborn_engine_does_not_outlive_the_program() {
    let engine = stub("stay");
    let mut terminal = Terminal::start(80, 24, &["--ascii", "--engine", &engine]);
    terminal.wait_for("freestyle 15x15");
    terminal.keys(&[ENTER]);
    terminal.wait_for(" 1 (O)");
    let children = children(terminal.id());
    assert!(!children.is_empty(), "the engine runs");
    terminal.quit();
    wait_for_end(&children);
}

#[test]
fn closing_the_terminal_keeps_the_game_and_ends_the_engine() {
    let engine = stub("talk --ms 600000");
    let mut terminal =
        Terminal::start(80, 24, &["--ascii", "--turn-ms", "700000", "--engine", &engine]);
    terminal.wait_for("freestyle 15x15");
    terminal.keys(&[ENTER]);
    terminal.wait_for("depth 7");
    let children = children(terminal.id());
    terminal.hang_up();
    let (_, folder) = terminal.end();
    wait_for_end(&children);
    let kept = std::fs::read_to_string(kept(folder.path())).unwrap();
    assert!(kept.contains(";B[hh]"), "{kept}");

    let terminal =
        Terminal::start_in(folder, 80, 24, &["--ascii", "--resume", "--engine", &engine]);
    terminal.wait_for("c lets the engine move");
    terminal.wait_for("(X)");
    terminal.quit();
}

#[test]
fn no_order_of_keys_clicks_and_sizes_breaks_the_program() {
    // No letter of them leaves, and no name that can be typed lies outside the folder.
    let keys = [
        UP, DOWN, LEFT, RIGHT, ENTER, " ", ESC, PAGE_UP, END, "\x1b[6~", "\x1b[H", "\x7f", "\t",
        "u", "U", "r", "R", "n", "x", "+", "-", "h", "t", ".", "c", "a", "g", "y", "s", "o", "p",
        "?",
    ];
    for seed in 1..=3 {
        let mut rng = Rng::new(seed);
        let (first, second) = (stub("random --seed 7"), stub("talk --ms 30"));
        let arguments = ["--ascii", "--size", "9", "--turn-ms", "50", "--black", &first];
        let arguments = [&arguments[..], &["--white", &second]].concat();
        let mut terminal = Terminal::start(80, 24, &arguments);
        terminal.wait_for("freestyle 9x9");
        for step in 0..400_u16 {
            if step % 40 == 39 {
                let mut side = |least: u16, more| least + u16::try_from(rng.below(more)).unwrap();
                let (columns, rows) = (side(1, 120), side(1, 50));
                terminal.resize(columns, rows);
            }
            if step % 7 == 6 {
                let mut place = || u16::try_from(rng.below(40)).unwrap();
                let (column, row) = (place(), place());
                terminal.click(column, row);
            }
            terminal.keys(&[keys[rng.below(keys.len())]]);
        }
        // A key that comes with a new size is a key all the same. Whatever is asked, Ctrl-C leaves;
        // a crash would have another exit code.
        terminal.resize(100, 40);
        terminal.keys(&["\x03"]);
        let (code, _) = terminal.end();
        assert_eq!(code, 0, "seed {seed}");
    }
}

/// The processes a process has started.
fn children(id: u32) -> Vec<String> {
    let tasks = std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().map(str::to_string).collect::<Vec<_>>()).collect()
}

/// Waits until processes have gone.
fn wait_for_end(processes: &[String]) {
    let began = std::time::Instant::now();
    let is_there = |id: &String| {
        let state = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        // A process that nobody has waited for yet has ended all the same.
        !state.is_empty() && !state.contains(") Z")
    };
    while processes.iter().any(is_there) {
        assert!(began.elapsed().as_secs() < 60, "{processes:?} are still there");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}
