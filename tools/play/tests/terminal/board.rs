//! Placing stones, undo, sides, the end of a game.

use super::harness::*;

/// Two people on a board of five by five, with letters only.
fn people(more: &[&str]) -> Terminal {
    let arguments = [&["--you", "people", "--size", "5", "--ascii"][..], more].concat();
    let terminal = Terminal::start(80, 24, &arguments);
    terminal.wait_for("freestyle 5x5");
    terminal
}

#[test]
fn keys_place_stones_and_the_last_is_marked() {
    let mut terminal = people(&[]);
    // The middle of the board.
    terminal.wait_for_cursor(4, 8);
    terminal.keys(&[ENTER]);
    terminal.wait_for(" 3  . .(X). .  3");
    terminal.keys(&[UP, LEFT, " "]);
    terminal.wait_for(" 2  .(O). . .  2");
    terminal.keys(&[ENTER]);
    terminal.wait_for("b2 is taken");
    terminal.wait("both moves in the list", |screen| {
        screen.contains(">X Black") && screen.contains("  1 c3          b2")
    });
    terminal.quit();
}

#[test]
fn the_mouse_places_stones_and_a_slip_to_the_left_costs_nothing() {
    let mut terminal = people(&[]);
    // a1 is at column 4 of the second row; e5 at 12, four rows below.
    terminal.click(4, 2);
    terminal.wait_for(" 1 (X). . . .  1");
    terminal.click(11, 6);
    terminal.wait_for(" 5  . . . .(O) 5");
    terminal.click(60, 6);
    terminal.click(8, 20);
    terminal.click(4, 2);
    terminal.wait_for("a1 is taken");
    terminal.quit();
}

#[test]
fn undo_and_redo_step_through_the_game() {
    let mut terminal = people(&[]);
    terminal.keys(&[ENTER, UP, ENTER, UP, ENTER]);
    terminal.wait_for(" 1  . .(X). .  1");
    terminal.keys(&["u", "u"]);
    terminal
        .wait(" one stone", |s| s.contains(" 3  . .(X). .  3") && s.contains(" 2  . . . . .  2"));
    terminal.keys(&["r"]);
    terminal.wait_for(" 2  . .(O). .  2");
    terminal.keys(&["U", "U", "u"]);
    terminal.wait_for("there is nothing to undo");
    terminal.keys(&["r", "R", "r", "r"]);
    terminal.wait_for("there is nothing to redo");
    terminal.wait_for(" 1  . .(X). .  1");
    terminal.quit();
}

#[test]
fn earlier_positions_are_looked_at_without_changing_the_game() {
    let mut terminal = people(&[]);
    terminal.keys(&[ENTER, UP, ENTER, UP, ENTER]);
    terminal.wait_for(" 1  . .(X). .  1");
    terminal.keys(&[PAGE_UP]);
    terminal.wait_for("after 2 of 3 moves");
    terminal.wait_for(" 2  . .(O). .  2");
    terminal.keys(&[LEFT, ENTER]);
    terminal.wait_for("an earlier position is shown");
    terminal.keys(&[END]);
    terminal.wait_for(" 1  . .(X). .  1");
    terminal.quit();
}

#[test]
fn five_in_a_row_is_marked_and_ends_the_game() {
    let mut terminal = people(&[]);
    // Black along the third row from the left, White along the first.
    terminal.keys(&[LEFT, LEFT]);
    for _ in 0..4 {
        terminal.keys(&[ENTER, UP, UP, ENTER, DOWN, DOWN, RIGHT]);
    }
    terminal.keys(&[ENTER]);
    terminal.wait_for("Black wins: five in a row");
    terminal.wait_for(" 3  # # # #(#) 3");
    terminal.keys(&[DOWN, ENTER]);
    terminal.wait_for("the game is over");
    terminal.keys(&["u"]);
    terminal.wait_for(" 3  X X X X .  3");
    terminal.keys(&["r"]);
    terminal.wait_for("Black wins: five in a row");
    terminal.quit();
}

#[test]
fn renju_shows_what_is_forbidden_and_does_not_let_black_go_there() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("fouls.sgf");
    let moves = ";B[gh];W[aa];B[ih];W[oa];B[hg];W[ao];B[hi];W[oo]";
    std::fs::write(&file, format!("(;GM[4]SZ[15]RU[renju]{moves})")).unwrap();
    let arguments = ["--you", "people", "--ascii", file.to_str().unwrap()];
    let mut terminal = Terminal::start(80, 24, &arguments);
    terminal.wait_for(" 8  . . . . . . X ! X . . . . . .  8");
    terminal.keys(&[ENTER]);
    terminal.wait_for("h8 is forbidden to Black");
    terminal.quit();
}

#[test]
fn resigning_is_asked_and_can_be_taken_back() {
    let mut terminal = people(&[]);
    terminal.keys(&[ENTER, "g"]);
    terminal.wait_for("Do you resign?");
    terminal.keys(&["n"]);
    terminal.wait_without("Do you resign?");
    terminal.keys(&["g"]);
    terminal.wait_for("Do you resign?");
    terminal.keys(&["y"]);
    terminal.wait_for("Black wins: White resigned");
    terminal.keys(&["u"]);
    terminal.wait_for("White to move");
    terminal.wait_for(" 3  . .(X). .  3");
    terminal.quit();
}

#[test]
fn the_form_of_a_new_game_sets_players_rule_and_size() {
    let mut terminal = people(&[]);
    terminal.keys(&[ENTER, "n"]);
    terminal.wait_for("New game");
    terminal.wait_for("< two people >");
    terminal.keys(&[DOWN, RIGHT, RIGHT]);
    terminal.wait_for("< renju >");
    terminal.keys(&[DOWN, RIGHT]);
    terminal.wait_for("< 6x6 >");
    terminal.keys(&[LEFT, LEFT, LEFT]);
    terminal.wait_for("< 5x5 >");
    terminal.keys(&[ESC]);
    terminal.wait_without("New game");
    terminal.wait_for("freestyle 5x5");
    terminal.keys(&["n", DOWN, LEFT, DOWN, RIGHT, RIGHT, ENTER]);
    terminal.wait_for("caro9 7x7");
    // The stone of the game before is kept.
    terminal.wait_for("the game before is kept in");
    terminal.quit();
}
