//! Files: saving, opening, pictures, damaged ones; and the commands that need no terminal.

use std::fs;
use std::process::{Command, Output};

use super::harness::*;

/// Runs the program without a terminal.
fn play(arguments: &[&str]) -> Output {
    Command::new(PLAY).args(arguments).output().unwrap()
}

fn people(file: &str) -> Terminal {
    Terminal::start(80, 24, &["--you", "people", "--ascii", file])
}

#[test]
fn a_game_is_saved_in_both_formats_and_opened_again() {
    let mut terminal = Terminal::start(80, 24, &["--you", "people", "--ascii", "--rule", "caro"]);
    terminal.wait_for("caro 15x15");
    terminal.keys(&[ENTER, UP, ENTER, UP, ENTER]);
    terminal.wait_for("(X)");
    for name in ["a.sgf", "b.psq"] {
        terminal.keys(&["s", "\x15", name, ENTER]);
        terminal.wait_for(&format!("saved as {name}"));
    }
    terminal.wait_for("does not tell the rule");
    let psq = fs::read_to_string(terminal.path("b.psq")).unwrap();
    assert!(psq.starts_with("Piskvorky 15x15, 11:11, 0\n8,8,"), "{psq}");
    terminal.keys(&["u", "u"]);
    terminal.wait_for(" 8  . . . . . . .(X)");
    terminal.keys(&["o", "\x15", "a.sgf", ENTER]);
    terminal.wait_for("a.sgf: 3 moves");
    terminal.wait_for(" 6  . . . . . . .(X)");
    terminal.keys(&["o", "\x15", "b.psq", ENTER]);
    terminal.wait_for("b.psq: 3 moves");
    terminal.quit();
}

#[test]
fn a_file_that_is_there_is_replaced_only_when_told_twice() {
    let mut terminal = Terminal::start(80, 24, &["--you", "people", "--ascii"]);
    terminal.wait_for("freestyle");
    fs::write(terminal.path("old.sgf"), "precious").unwrap();
    terminal.keys(&[ENTER, "s", "\x15", "old.sgf", ENTER]);
    terminal.wait_for("Enter again replaces it");
    assert_eq!(fs::read(terminal.path("old.sgf")).unwrap(), b"precious");
    terminal.keys(&["x", "\x7f", ENTER]);
    terminal.wait_for("saved as old.sgf");
    assert!(fs::read_to_string(terminal.path("old.sgf")).unwrap().contains(";B[hh]"));
    terminal.quit();
}

#[test]
fn what_cannot_be_saved_or_opened_is_told_and_nothing_is_lost() {
    let mut terminal = Terminal::start(80, 24, &["--you", "people", "--ascii"]);
    terminal.wait_for("freestyle");
    fs::write(terminal.path("junk.sgf"), b"\xff\xfe\x00\x01").unwrap();
    terminal.keys(&[ENTER, "s", "\x15", "no/such/folder.sgf", ENTER]);
    terminal.wait_for("cannot write no/such/folder.sgf");
    terminal.keys(&["\x15", "game.txt", ENTER]);
    terminal.wait_for("should end in .sgf or .psq");
    terminal.keys(&["\x15", ENTER]);
    terminal.wait_for("a name, please");
    terminal.keys(&[ESC]);
    terminal.wait_without("Save as");
    for (name, expected) in [
        ("none.sgf", "cannot open none.sgf"),
        ("junk.sgf", "neither an SGF file"),
        (".", ". is no file"),
    ] {
        terminal.keys(&["o", "\x15", name, ENTER]);
        terminal.wait_for(expected);
        terminal.keys(&[ESC]);
        terminal.wait_without("Open (");
    }
    terminal.wait_for("(X)");
    terminal.quit();
}

#[test]
fn a_damaged_game_is_opened_as_far_as_it_makes_sense() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.sgf");
    fs::write(&file, b"(;GM[4]PB[\xc4nne]SZ[15];B[hh]C[\xff];W[ii];B[zz];W[aa]").unwrap();
    let terminal = people(file.to_str().unwrap());
    terminal.wait_for("cut off there");
    terminal.wait_for(" 9  . . . . . . . .(O)");
    terminal.quit();
}

#[test]
fn a_position_is_drawn() {
    let mut terminal = Terminal::start(80, 24, &["--you", "people", "--ascii"]);
    terminal.wait_for("freestyle");
    terminal.keys(&[ENTER, UP, ENTER, PAGE_UP, "p"]);
    terminal.wait_for("position1.svg");
    terminal.keys(&[ENTER]);
    terminal.wait_for("drawn into position1.svg");
    let svg = fs::read_to_string(terminal.path("position1.svg")).unwrap();
    assert_eq!(svg.matches("class=\"stone\"").count(), 1);
    assert!(svg.contains("1 of 2 stones, White to move"), "{svg}");
    terminal.quit();
}

/// Black lets an open three of White be at the seventh move.
const BLUNDER: &str = "(;GM[4]SZ[15]PB[Ann]PW[Bob];B[hh];W[ii];B[ih];W[jh];B[hi];W[kg]\
                       ;B[oo];W[lf];B[ao];W[me])";

#[test]
fn a_game_is_analyzed_on_the_board_with_mistakes_and_a_curve() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.sgf");
    fs::write(&file, BLUNDER).unwrap();
    let mut terminal = Terminal::start(
        100,
        32,
        &["--you", "people", "--ascii", "--turn-ms", "60", file.to_str().unwrap()],
    );
    terminal.wait_for("x.sgf: 10 moves");
    terminal.keys(&["a"]);
    terminal.wait_for("analyzed: PgUp");
    terminal.wait("the mark and the curve", |screen| {
        screen.contains("o15??") && screen.contains("Black wins, %")
    });
    // The better move is named.
    terminal.keys(&[PAGE_UP, PAGE_UP, PAGE_UP]);
    terminal.wait_for("o15 ?? lost");
    terminal.keys(&["s", "\x15", "judged.sgf", ENTER]);
    terminal.wait_for("saved as judged.sgf");
    let judged = fs::read_to_string(terminal.path("judged.sgf")).unwrap();
    assert!(judged.contains(";B[oo]C[") && judged.contains("?? lost"), "{judged}");
    terminal.quit();
}

#[test]
fn analyze_prints_a_table_and_draws_the_curve_without_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::write(path("x.sgf"), BLUNDER).unwrap();
    let arguments = [
        "analyze",
        &path("x.sgf"),
        "--nodes",
        "3000",
        "--svg",
        &path("x.svg"),
        "-o",
        &path("y.sgf"),
    ];
    let output = play(&arguments);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text} {:?}", String::from_utf8_lossy(&output.stderr));
    assert!(text.starts_with("Ann (X, Black) - Bob (O, White), freestyle 15x15\n"), "{text}");
    let row = text.lines().find(|line| line.contains("X o15")).unwrap();
    assert!(row.contains("??") && row.contains('%'), "{row}");
    assert!(
        text.contains("White wins: five in a row") && text.contains("White: 5 moves"),
        "{text}"
    );
    assert!(fs::read_to_string(path("x.svg")).unwrap().contains("Ann - Bob"));
    assert!(fs::read_to_string(path("y.sgf")).unwrap().contains("?? lost"));
    // The same nodes give the same numbers.
    let again = play(&arguments);
    assert_eq!(String::from_utf8(again.stdout).unwrap(), text);
}

#[test]
fn analyze_says_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::write(path("empty.sgf"), "").unwrap();
    fs::write(path("none.sgf"), "(;GM[4])").unwrap();
    fs::write(path("x.sgf"), BLUNDER).unwrap();
    assert!(Command::new("mkfifo").arg(path("pipe.sgf")).status().unwrap().success());
    let crash = stub("crash");
    let cases: [(&[&str], &str); 7] = [
        (&["analyze", &path("empty.sgf")], "the file is empty"),
        (&["analyze", &path("none.sgf")], "there is no move in it"),
        (&["analyze", "/no/such.sgf"], "cannot open /no/such.sgf"),
        (&["analyze", &path("pipe.sgf")], "pipe.sgf is no file"),
        (&["analyze", "/dev/zero"], "/dev/zero is no file"),
        (&["analyze", &path("x.sgf"), "-e", &crash], "stub has ended: exit status: 3"),
        (
            &["analyze", &path("x.sgf"), "--nodes", "100", "--svg", "/no/x.svg"],
            "cannot write /no/x.svg",
        ),
    ];
    for (arguments, expected) in cases {
        let output = play(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
}

#[test]
fn pictures_are_drawn_without_a_terminal_and_the_board_refuses_to_do_without() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::write(path("x.psq"), "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\na\nb\n0\n").unwrap();
    let output = play(&["picture", &path("x.psq"), "--svg", &path("x.svg")]);
    assert!(output.status.success(), "{output:?}");
    let svg = fs::read_to_string(path("x.svg")).unwrap();
    assert!(svg.contains("a (Black) - b (White)") && svg.contains("2 stones"), "{svg}");
    let output = play(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the board needs a terminal"));
}
