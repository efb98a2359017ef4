use super::*;

fn load(text: &str) -> Loaded {
    read(text.as_bytes(), Rule::Freestyle).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

fn points(game: &GameFile) -> String {
    text::moves(&game.moves.iter().map(|mv| mv.square).collect::<Vec<_>>())
}

/// The moves of a file, and how many notes it gives.
fn check(text: &str, expected: &str, notes: usize) {
    let loaded = load(text);
    assert_eq!(points(&loaded.game), expected, "{text:?}");
    assert_eq!(loaded.notes.len(), notes, "{text:?}: {:?}", loaded.notes);
}

fn refused(bytes: &[u8]) -> String {
    read(bytes, Rule::Freestyle).unwrap_err().to_string()
}

fn game() -> GameFile {
    let squares = text::parse_moves("h8i9g7a1", BoardSize::square(15)).unwrap();
    GameFile {
        program: "play".to_string(),
        title: Some("a [title] \\ with marks".to_string()),
        black: "Ann]".to_string(),
        white: "Böb".to_string(),
        rule: Rule::Renju,
        size: BoardSize::square(15),
        moves: (1..)
            .zip(squares)
            .map(|(ms, square)| Move { square, ms, words: format!("move {ms}: [good]") })
            .collect(),
        finish: Some(Finish { winner: Some(Color::White), ending: Ending::Resigned }),
        words: "tired".to_string(),
    }
}

#[test]
fn what_is_written_as_sgf_is_read_again() {
    let mut game = game();
    let loaded = load(&game.write(Format::Sgf));
    assert_eq!(loaded.notes, Vec::<String>::new());
    for mv in &mut game.moves {
        // SGF has no place for it.
        mv.ms = 0;
    }
    assert_eq!(loaded.game, game);
}

#[test]
fn what_is_written_for_piskvork_is_read_again() {
    for size in [(15, 15), (5, 22), (20, 20)] {
        let mut game = game();
        game.size = BoardSize::try_new(size.0, size.1).unwrap();
        game.moves.truncate(1);
        game.moves[0].square = Square::new(4, 4);
        game.finish = None;
        let loaded = load(&game.write(Format::Psq));
        assert_eq!((points(&loaded.game).as_str(), loaded.game.moves[0].ms), ("e5", 1));
        assert_eq!((loaded.game.black.as_str(), loaded.game.white.as_str()), ("Ann]", "Böb"));
        assert_eq!((loaded.game.size, loaded.notes.len()), (game.size, 0));
    }
}

#[test]
fn unfinished_games_have_no_result() {
    let mut game = game();
    game.finish = None;
    assert!(!game.write(Format::Sgf).contains("RE["));
    assert_eq!(load(&game.write(Format::Sgf)).game.finish, None);
    assert_eq!(load(&game.write(Format::Psq)).game.finish, None);
}

#[test]
fn sgf_of_other_programs_is_read() {
    check("(;GM[4]SZ[15];B[hh];W[ii])", "h8i9", 0);
    check("(;GaMe[4]SiZe[15];Black[hh];White[ii])", "h8i9", 0);
    check("some mail\n(;GM[4];B[h8];W[i9])", "h8i9", 0);
    check("(;GM[4];B[hh]C[a \\] b\\\nc];W[ii])", "h8i9", 0);
    check("(;GM[4];B[hh](;W[ii];B[jj])(;W[aa]))", "h8i9j10", 1);
    check("(;GM[4];B[hh])(;GM[4];B[aa])", "h8", 1);
    check("(;GM[1];B[hh])", "h8", 1);
    check("(;GM[4]AB[hh][ii]AW[jj];W[aa])", "h8j10i9a1", 0);
    check("(;GM[4]AB[hh][ii][jj];W[aa])", "", 2);
    assert_eq!(load("(;GM[4];B[ss])").game.size, BoardSize::square(19));
    assert_eq!(load("(;GM[4]RU[Free Style])").game.rule, Rule::Freestyle);
    assert_eq!(load("(;GM[4]RU[RIF renju])").game.rule, Rule::Renju);
}

#[test]
fn damaged_sgf_keeps_what_makes_sense() {
    check("(;GM[4];B[hh];W[ii]", "h8i9", 1);
    check("(;GM[4];B[hh];W[i", "h8", 1);
    check("(;GM[4];B[hh];W[zz];B[aa])", "h8", 1);
    check("(;GM[4];B[hh];B[ii])", "h8", 1);
    check("(;GM[4];B[hh];W[];B[aa])", "h8", 1);
    check("(;GM[4];B[hh];W[hh];B[aa])", "h8", 1);
    check("(;GM[4];B[hh]\u{fffd};W[ii])", "h8i9", 1);
    assert_eq!(load("(;GM[4]RE[W+R];B[hh];W[hh])").game.finish, None);
}

#[test]
fn files_of_piskvork_are_read() {
    check("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n", "h8i9", 0);
    check(
        "Piskvorky 15x15, 0:3, 1\r\n8,8,0\r\n9,9,12\r\nhomo-1\r\npbrain-x.exe\r\n0\r\n",
        "h8i9",
        0,
    );
    check("Piskvorky 15x15, 11:11, 0\n8,8,0\n16,9,0\n1,1,0\na\nb\n0\n", "h8", 1);
    check("Piskvorky 15x15, 11:11, 0\n8,8,0\n0,1,0\n", "h8", 1);
    check("Piskvorky 15x15, 11:11, 0\n8,8,0\na\nb\nc\n0\n", "h8", 1);
    let lost = load("Piskvorky 15x15, 11:11, 0\n8,8,0\na\nb\n2\n").game.finish;
    assert_eq!(lost, Some(Finish { winner: Some(Color::Black), ending: Ending::OutOfTime }));
}

#[test]
fn moves_after_the_end_are_left_out_and_the_board_says_who_won() {
    let file = "(;GM[4]RE[W+];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea];W[eb])";
    check(file, "a1a2b1b2c1c2d1d2e1", 1);
    let finish = load(file).game.finish;
    assert_eq!(finish, Some(Finish { winner: Some(Color::Black), ending: Ending::Played }));
}

#[test]
fn what_is_no_game_is_refused_with_the_reason() {
    assert_eq!(refused(b""), "the file is empty");
    assert_eq!(refused(b" \n\t"), "the file is empty");
    assert!(refused(b"\x89PNG\r\n\x1a\n").starts_with("neither an SGF file"));
    assert!(refused(b"(").starts_with("no node"));
    assert!(refused(b"(;GM[4]SZ[30])").starts_with("SZ[30]: board size must be 5 to 22"));
    assert!(refused(b"(;GM[4]SZ[x])").starts_with("SZ[x]: "));
    assert!(refused(b"Piskvorky 15y15, 1:1, 0\n").contains("is not like 'Piskvorky 15x15"));
    assert!(refused(b"Piskvorky 99x15, 1:1, 0\n").starts_with("a 99x15 board: "));
    assert!(refused(b"Piskvorky").contains("is not like"));
}

#[test]
fn text_that_is_not_utf8_costs_only_its_letters() {
    let loaded = read(b"(;GM[4]PB[\xc4nne];B[hh]C[\xff\xfe];W[ii])", Rule::Freestyle).unwrap();
    assert_eq!(points(&loaded.game), "h8i9");
    assert_eq!(loaded.game.black, "\u{fffd}nne");
    let loaded = read(b"Piskvorky 15x15, 1:1, 0\n8,8,0\n\xe8\nb\n0\n", Rule::Freestyle).unwrap();
    assert_eq!((points(&loaded.game).as_str(), loaded.notes.len()), ("h8", 0));
}

#[test]
fn what_is_said_of_a_file_cannot_disturb_a_terminal() {
    let hostile = format!("\u{1b}[2J\u{7}{}", "x".repeat(10_000));
    for file in [
        format!("(;GM[{hostile}];B[hh])"),
        format!("(;GM[4]RU[{hostile}];B[hh])"),
        format!("(;GM[4]SZ[{hostile}];B[hh])"),
        format!("(;GM[4];B[{hostile}])"),
        format!("(;GM[4];W[{hostile}])"),
        "(;GM[4]\u{1b};B[hh])".to_string(),
        format!("Piskvorky {hostile}\n8,8,0\n"),
        format!("Piskvorky 15x15, 1:1, 0\n8,8,0\na\nb\n{hostile}\n0\n"),
    ] {
        let said = match read(file.as_bytes(), Rule::Freestyle) {
            Ok(loaded) => loaded.notes.join("; "),
            Err(error) => error.to_string(),
        };
        assert!(!said.is_empty() && said.len() < 400, "{said:?}");
        assert!(!said.contains(char::is_control), "{said:?}");
    }
}

#[test]
fn hostile_files_cost_neither_the_stack_nor_the_program() {
    for piece in ["(", "(;", ";", ")", "[", "]", "(;B[aa]", "\\", "A[", "(;C[\\"] {
        let text = piece.repeat(200_000);
        let _ = read(text.as_bytes(), Rule::Renju);
        let _ = read(format!("(;GM[4]{text}").as_bytes(), Rule::Renju);
    }
    // Every beginning, and every byte changed, of sound files.
    for format in [Format::Sgf, Format::Psq] {
        let sound = game().write(format).into_bytes();
        for at in 0..sound.len() {
            let _ = read(&sound[..at], Rule::Caro);
            for byte in [0, b'(', b')', b'[', b']', b';', b',', b'\\', b'9', b'-', 0xff] {
                let mut broken = sound.clone();
                broken[at] = byte;
                let _ = read(&broken, Rule::Renju);
            }
        }
    }
}
