use super::*;
use crate::level::Level;
use crate::position::Size;

pub(in crate::play::screen) fn app(first: Seat, second: Seat) -> App {
    App::new(Setup {
        size: Size::standard(),
        moves: Vec::new(),
        seats: [first, second],
        seed: 1,
        table_bytes: 1 << 20,
        with_book: true,
    })
}

fn press(app: &mut App, keys: &str) {
    for key in keys.chars() {
        let code = match key {
            '<' => KeyCode::Left,
            '>' => KeyCode::Right,
            '\n' => KeyCode::Enter,
            key => KeyCode::Char(key),
        };
        app.key(KeyEvent::new(code, KeyModifiers::NONE));
    }
}

#[test]
fn keys_put_stones_where_the_cursor_is_or_the_column_says() {
    let mut app = app(Seat::Human, Seat::Human);
    press(&mut app, "\n<<\n>>>>>>>>>>\n1");
    assert_eq!(app.game().record(), "4271");
    press(&mut app, "u");
    assert_eq!(app.game().record(), "427");
    press(&mut app, "n");
    assert_eq!(app.game().record(), "");
}

#[test]
fn bad_keys_are_told_and_change_nothing() {
    let mut app = app(Seat::Human, Seat::Human);
    press(&mut app, "1111111");
    assert_eq!((app.game().record().as_str(), app.note()), ("111111", "No: column 1 is full."));
    press(&mut app, "x");
    assert!(app.note().contains("'x'"));
    press(&mut app, "é0\u{7}");
    assert_eq!(app.game().record(), "111111");
    assert!(!app.is_over());
}

#[test]
fn nobody_plays_for_the_program_or_after_the_end() {
    let mut against = app(Seat::Level(Level::Easy), Seat::Human);
    assert_eq!(against.want(), Some(Want::Move(Side::First)));
    press(&mut against, "4");
    assert_eq!(against.game().record(), "");
    assert_eq!(against.note(), "It is not your turn.");
    let mut over = app(Seat::Human, Seat::Human);
    press(&mut over, "12121213");
    assert_eq!((over.game().record().as_str(), over.want()), ("1212121", None));
    press(&mut over, "u");
    assert_eq!(over.game().record(), "121212");
}

#[test]
fn the_mouse_plays_the_column_under_it() {
    let mut app = app(Seat::Human, Seat::Human);
    let at = |column: u16, kind| MouseEvent { kind, column, row: 3, modifiers: KeyModifiers::NONE };
    app.mouse(at(5, MouseEventKind::Down(MouseButton::Left)));
    assert_eq!(app.game().record(), "", "nothing is drawn yet");
    app.set_columns((0..7).map(|column| Rect::new(column * 4, 0, 4, 9)).collect());
    app.mouse(at(5, MouseEventKind::Down(MouseButton::Left)));
    app.mouse(at(27, MouseEventKind::Down(MouseButton::Left)));
    app.mouse(at(28, MouseEventKind::Down(MouseButton::Left)));
    app.mouse(at(9, MouseEventKind::Moved));
    assert_eq!((app.game().record().as_str(), app.cursor()), ("27", 2));
}

#[test]
fn scores_are_those_of_the_position_on_the_board() {
    let mut app = app(Seat::Human, Seat::Human);
    press(&mut app, "4455h");
    let position = *app.game().position();
    assert_eq!(app.want(), Some(Want::Score(3)));
    app.learn(&position, 2, Score::win_in(7));
    assert_eq!(app.scores().unwrap()[2], Some(Score::win_in(7)));
    press(&mut app, "1");
    assert!(app.scores().unwrap().iter().all(Option::is_none));
    app.learn(&position, 2, Score::win_in(7));
    assert_eq!(app.scores().unwrap()[2], None, "an answer that comes late is for nothing");
    press(&mut app, "h");
    assert_eq!((app.scores(), app.want()), (None, None));
}

#[test]
fn control_c_leaves() {
    let mut app = app(Seat::Human, Seat::Human);
    app.key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));
    assert!(app.is_over());
}
