//! Whole screens, and sizes down to very small ones.

use super::harness::*;

/// A screen without the blanks at the ends of its lines.
fn trimmed(screen: &str) -> String {
    let lines: Vec<&str> = screen.lines().map(str::trim_end).collect();
    lines.join("\n").trim_end().to_string()
}

#[test]
fn the_whole_screen_of_a_small_game() {
    let mut terminal = Terminal::start(60, 16, &["--you", "people", "--size", "7", "--ascii"]);
    terminal.wait_for("freestyle 7x7");
    terminal.keys(&[ENTER, UP, LEFT, ENTER]);
    let expected = "\
freestyle 7x7   X Black - O White
    a b c d e f g     >X Black                         0:00
 1  . . . . . . .  1   O White                         0:00
 2  . . . . . . .  2
 3  . .(O). . . .  3    1 d4          c3
 4  . . . X . . .  4
 5  . . . . . . .  5
 6  . . . . . . .  6
 7  . . . . . . .  7





Black to move
arrows Enter  u undo  h hint  n new  a analyze  s save  ? ke";
    // The clock is the machine's affair.
    let is_digit = |c: char| c.is_ascii_digit();
    let without_clock = |text: &str| -> String {
        let cut = |line: &str| match line.rfind(':') {
            Some(at) if line[at + 1..].chars().all(is_digit) => {
                line[..at - 1].trim_end().to_string()
            }
            _ => line.to_string(),
        };
        text.lines().map(cut).collect::<Vec<_>>().join("\n")
    };
    let expected = without_clock(expected);
    terminal.wait(&expected, |screen| without_clock(&trimmed(screen)) == expected);
    terminal.quit();
}

#[test]
fn the_screen_follows_the_terminal_down_to_nothing_and_back() {
    let mut terminal = Terminal::start(120, 40, &["--you", "people", "--ascii"]);
    terminal.wait_for("15  . . .");
    terminal.keys(&[ENTER]);
    for (columns, rows) in [(80, 24), (60, 20), (40, 12), (30, 10), (20, 5), (12, 4)] {
        terminal.resize(columns, rows);
        terminal.wait(&format!("the stone at {columns}x{rows}"), |screen| {
            screen.contains("(X)") && screen.lines().count() <= usize::from(rows)
        });
        // The board can be used at every size.
        terminal.keys(&[UP]);
        terminal.keys(&[DOWN]);
    }
    terminal.keys(&[LEFT, ENTER]);
    terminal.wait_for("(O)");
    terminal.resize(5, 2);
    terminal.wait_for("too s");
    terminal.resize(1, 1);
    terminal.resize(80, 24);
    terminal.wait_for("15  . . .");
    terminal.wait_for("(O)X");
    terminal.quit();
}

#[test]
fn a_board_that_does_not_fit_is_shown_round_the_cursor() {
    let mut terminal = Terminal::start(20, 5, &["--you", "people", "--ascii", "--size", "22"]);
    // Seven columns and three rows, the cursor at l12.
    terminal.wait("the middle", |screen| {
        screen.contains("    i j k l m n o") && screen.contains("12  . . .")
    });
    let keys = vec![UP; 22];
    terminal.keys(&keys);
    terminal.wait_for(" 1  .");
    let keys = vec![LEFT; 22];
    terminal.keys(&keys);
    terminal.wait_for("    a b c d e f g");
    terminal.keys(&[ENTER]);
    terminal.wait_for(" 1 (X).");
    let keys = vec![RIGHT; 22];
    terminal.keys(&keys);
    terminal.wait_for("u v");
    terminal.quit();
}

#[test]
fn questions_fit_small_screens() {
    let mut terminal = Terminal::start(20, 6, &["--ascii", "--engine", &stub("first")]);
    terminal.wait_for("a b c d".trim_start_matches("a b c d"));
    terminal.keys(&["n"]);
    terminal.wait_for("you are Bl");
    terminal.keys(&[DOWN, DOWN]);
    terminal.wait_for("< 15x15 >");
    // Esc and a letter at once would be Alt and that letter.
    terminal.keys(&[ESC]);
    terminal.wait_without("New game");
    terminal.keys(&["?"]);
    terminal.wait_for("Keys");
    terminal.keys(&[DOWN, ENTER]);
    terminal.wait_without("Keys");
    terminal.keys(&["s"]);
    terminal.wait_for("game.sgf");
    terminal.keys(&[ESC]);
    terminal.wait_without("game.sgf");
    terminal.quit();
}

#[test]
fn every_size_of_board_is_drawn_on_a_usual_screen() {
    for side in [5_u16, 9, 15, 19, 20] {
        let size = side.to_string();
        let terminal = Terminal::start(80, 24, &["--you", "people", "--ascii", "--size", &size]);
        let last = char::from(b'a' + u8::try_from(side - 1).unwrap());
        terminal.wait(&format!("all of {side}x{side}"), |screen| {
            let rows = screen.lines().filter(|line| line.contains("  . ")).count();
            rows >= usize::from(side) && screen.contains(&format!(" {last}"))
        });
        terminal.quit();
    }
}

#[test]
fn signs_of_the_locale_are_used_and_letters_where_asked() {
    let terminal = Terminal::start(80, 24, &["--you", "people"]);
    terminal
        .wait("a grid", |screen| ["┌─┬─┬", "╋", "└─┴"].iter().all(|sign| screen.contains(sign)));
    terminal.quit();
    let terminal = Terminal::start(80, 24, &["--you", "people", "--ascii"]);
    terminal.wait_for(" 4  . . . + .");
    let screen = terminal.wait_for("q quit");
    assert!(screen.is_ascii(), "{screen}");
    terminal.quit();
}
