use super::*;
use crate::level::Level;
use crate::position::Size;

fn setup(first: Seat, second: Seat) -> Setup {
    Setup {
        size: Size::standard(),
        moves: Vec::new(),
        seats: [first, second],
        seed: 1,
        table_bytes: 1 << 20,
        with_book: true,
    }
}

/// What is printed for an input.
fn play(setup: &Setup, input: &[u8]) -> String {
    let (mut input, mut out) = (input, Vec::new());
    run(setup, &mut input, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn people() -> Setup {
    setup(Seat::Human, Seat::Human)
}

#[test]
fn two_people_play_until_one_has_won() {
    let out = play(&people(), b"1\n2\n1\n2\n1\n2\n1\n7\n");
    assert!(out.contains("X wins: four in a row.\nMoves: 1212121\n"), "{out}");
}

#[test]
fn a_full_board_is_a_draw() {
    let small = Setup { size: Size::try_new(2, 2).unwrap(), ..people() };
    assert!(play(&small, b"1\n1\n2\n2\n").contains("Drawn: the board is full.\nMoves: 1122"));
}

#[test]
fn bad_input_is_asked_again_and_loses_nothing() {
    let bad: [&[u8]; 12] = [
        b"",
        b"0",
        b"8",
        b"-1",
        b"4 4",
        b"99999999999999999999999999",
        b"\xff\xfe\x80",
        b"\x1b[31m",
        b"four",
        b"\0",
        "\u{202e}".as_bytes(),
        b"4.5",
    ];
    let mut input = b"4\r\n".to_vec();
    for line in bad {
        input.extend(line);
        input.push(b'\n');
    }
    input.extend(b"3\nq\n");
    let out = play(&people(), &input);
    assert_eq!(out.matches("No: '").count(), bad.len(), "{out}");
    assert!(out.ends_with("The game stops here.\nMoves: 43\n"), "{out}");
    assert!(!out.contains('\x1b'), "nothing typed reaches the terminal as it is");
}

#[test]
fn a_line_without_end_is_one_bad_line() {
    let mut input = vec![b'4'; 1 << 20];
    input.extend(b"\n4\n");
    let out = play(&people(), &input);
    assert_eq!(out.matches("No: '").count(), 1);
    assert!(out.len() < 5_000 && out.ends_with("Moves: 4\n"), "{out}");
}

#[test]
fn the_end_of_the_input_ends_the_game_in_peace() {
    for input in [&b""[..], b"4", b"4\n", b"\xff"] {
        let out = play(&people(), input);
        assert!(out.contains("The game stops here."), "{out}");
    }
}

#[test]
fn a_full_column_is_refused() {
    let out = play(&people(), b"1\n1\n1\n1\n1\n1\n1\nq\n");
    assert!(out.contains("No: column 1 is full.") && out.ends_with("Moves: 111111\n"), "{out}");
}

#[test]
fn taking_back_against_the_program_takes_both_moves() {
    let with_program = setup(Seat::Human, Seat::Level(Level::Medium));
    let out = play(&with_program, b"1\nu\nu\nq\n");
    assert!(out.contains("There is nothing to take back."), "{out}");
    assert!(out.ends_with("Moves: \n"), "{out}");
    let out = play(&setup(Seat::Level(Level::Medium), Seat::Human), b"u\nq\n");
    assert!(out.contains("There is nothing to take back.") && out.ends_with("Moves: 4\n"));
}

#[test]
fn scores_and_help_are_shown_and_change_nothing() {
    let near = Setup { moves: [3, 3, 4, 4].to_vec(), ..people() };
    let out = play(&near, b"h\n?\nq\n");
    assert!(out.contains("score ") && out.contains("+18") && out.contains("take back"), "{out}");
    assert!(out.ends_with("Moves: 4455\n"));
}

#[test]
fn programs_play_each_other_without_being_asked() {
    let out = play(&setup(Seat::Level(Level::Easy), Seat::Level(Level::Medium)), b"");
    assert!(out.contains("wins") || out.contains("Drawn"), "{out}");
    assert!(out.contains("seed 1"), "what easy does can be repeated");
}

#[test]
fn a_board_with_columns_named_like_keys_takes_the_column() {
    let wide = Setup { size: Size::try_new(32, 1).unwrap(), ..people() };
    let out = play(&wide, b"u\nq\nquit\n");
    assert!(out.ends_with("Moves: uq\n"), "{out}");
}
