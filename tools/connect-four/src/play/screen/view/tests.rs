use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::super::app::tests::app;
use super::*;

/// What a terminal of a size shows.
fn shown(app: &mut App, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(app, frame)).unwrap();
    terminal.backend().to_string()
}

fn press(app: &mut App, keys: &str) {
    for key in keys.chars() {
        app.key(KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE));
    }
}

#[test]
fn stones_turn_and_end_are_shown() {
    let mut app = app(Seat::Human, Seat::Human);
    press(&mut app, "44");
    let screen = shown(&mut app, 80, 30);
    assert!(screen.contains("X human - O human") && screen.contains("X to move"), "{screen}");
    press(&mut app, "3352");
    press(&mut app, "6");
    let screen = shown(&mut app, 80, 30);
    assert!(screen.contains("X wins: four in a row. Moves: 4433526"), "{screen}");
}

#[test]
fn every_size_of_the_terminal_is_served() {
    let mut app = app(Seat::Human, Seat::Human);
    press(&mut app, "4h");
    for width in 1..60 {
        for height in 1..32 {
            let screen = shown(&mut app, width, height);
            if width >= 40 && height >= 20 {
                assert!(screen.contains('X') && screen.contains("q leave"), "{screen}");
            }
        }
    }
    assert!(shown(&mut app, 50, 5).contains("the board needs 16x16"));
}
