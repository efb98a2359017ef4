use super::*;
use LinePattern as L;
use LineRule::{Caro, CaroExact, ExactlyFive, FiveOrMore, RenjuBlack};

/// Reads eleven cells: `X` the new stone, `o` own, `#` other, `|` wall, `.` empty; what is not
/// drawn on a side is empty.
fn window(drawing: &str) -> Window {
    let at = drawing.find('X').expect("an X");
    let mut cells = [Cell::Empty; WINDOW];
    let mut walled = [false; 2];
    for (index, mark) in drawing.chars().enumerate() {
        let Some(cell) = (X + index).checked_sub(at).filter(|&cell| cell < WINDOW) else {
            continue;
        };
        cells[cell] = match mark {
            'X' | 'o' => Cell::Own,
            '#' => Cell::Other,
            '|' => Cell::Wall,
            _ => Cell::Empty,
        };
        if mark == '|' {
            walled[usize::from(cell > X)] = true;
        }
    }
    // Beyond a wall there is only wall.
    if walled[0] {
        let inner = (0..X).rev().find(|&cell| cells[cell] == Cell::Wall).unwrap_or(0);
        cells[..inner].fill(Cell::Wall);
    }
    if walled[1] {
        let inner = (X..WINDOW).find(|&cell| cells[cell] == Cell::Wall).unwrap_or(WINDOW);
        cells[inner..].fill(Cell::Wall);
    }
    cells
}

fn check(rule: LineRule, cases: &[(&str, LinePattern)]) {
    let mut classifier = Classifier::new(rule);
    for &(drawing, expected) in cases {
        assert_eq!(classifier.classify(window(drawing)), expected, "{rule:?} {drawing}");
        let mirrored: String = drawing.chars().rev().collect();
        assert_eq!(classifier.classify(window(&mirrored)), expected, "{rule:?} {mirrored}");
    }
}

#[test]
fn freestyle_shapes() {
    check(
        FiveOrMore,
        &[
            ("ooXoo", L::Five),
            ("oooXoo", L::Five),
            (".ooXo.", L::OpenFour),
            ("#ooXo.", L::Four),
            ("|ooXo.", L::Four),
            ("#ooXo#", L::Dead),
            ("o.oXo", L::Four),
            ("oo.Xo", L::Four),
            ("o.oXo.o", L::OpenFour),
            ("#.oXo..#", L::OpenThree),
            ("..oXo..", L::OpenThreeWide),
            (".o.Xo.", L::OpenThree),
            ("#ooX..", L::Three),
            ("o.X.o", L::Three),
            ("oo..X", L::Three),
            ("#.oXo.#", L::Three),
            ("|.oXo.|", L::Three),
            ("|X...|", L::Dead),
            ("|X....|", L::One),
            ("|oX...|", L::Two),
            ("...oX...", L::OpenTwoFull),
            (".....X.....", L::OpenOne),
        ],
    );
}

#[test]
fn overlines_are_nothing_in_standard() {
    check(
        ExactlyFive,
        &[
            ("oooXoo", L::Overline),
            ("ooXoo", L::Five),
            (".ooXo.o", L::Four),
            ("o.ooXo.o", L::Dead),
            ("#.oXo..o", L::Three),
            (".oXo..o", L::OpenThree),
        ],
    );
}

#[test]
fn two_fours_in_one_line_are_a_foul_for_black_in_renju() {
    check(
        RenjuBlack,
        &[
            ("o.oXo.o", L::Overline),
            ("oo.oX.oo", L::Overline),
            ("ooo.X.ooo", L::Overline),
            (".ooXo.", L::OpenFour),
            ("o.oXo", L::Four),
            // The far half would fill to six and so is no four.
            ("o.oXo.oo", L::Four),
            ("#ooXo.o", L::Dead),
            (".ooXo.o", L::Four),
        ],
    );
}

#[test]
fn caro_fives_fail_between_two_stones_of_the_other_color_only() {
    check(
        Caro,
        &[
            ("#ooXoo#", L::Dead),
            ("|ooXoo#", L::Five),
            ("|ooXoo|", L::Five),
            (".ooXoo#", L::Five),
            ("#oooXoo#", L::Five),
            // One end closed, the reply at the other end closes both fives.
            ("#.oXoo.", L::Four),
            ("..oXoo..", L::OpenFour),
            ("|.oXoo.|", L::OpenFour),
            ("#ooXo.#", L::Dead),
            ("#ooXo.", L::Four),
        ],
    );
    check(CaroExact, &[("#oooXoo#", L::Overline), ("oooXoo", L::Overline), (".ooXoo#", L::Five)]);
}

/// Fewest own moves after X until a row that contains X wins, by trying every order.
fn moves_to_five(rule: LineRule, window: &Window, most: usize) -> Option<usize> {
    if wins(rule, window) {
        return Some(0);
    }
    if most == 0 {
        return None;
    }
    empty_cells(window)
        .filter_map(|cell| {
            let mut extended = *window;
            extended[cell] = Cell::Own;
            moves_to_five(rule, &extended, most - 1)
        })
        .min()
        .map(|moves| moves + 1)
}

#[test]
fn patterns_say_how_many_moves_lead_to_five() {
    let expected = |pattern| match pattern {
        L::Five => Some(0),
        L::Four | L::OpenFour => Some(1),
        L::Three | L::OpenThree | L::OpenThreeWide => Some(2),
        L::Two | L::OpenTwo | L::OpenTwoWide | L::OpenTwoFull => Some(3),
        L::One | L::OpenOne => Some(4),
        L::Dead | L::Overline => None,
    };
    let mut rng = crate::base::rng::Rng::new(5);
    for rule in [FiveOrMore, ExactlyFive, Caro, CaroExact] {
        let mut classifier = Classifier::new(rule);
        for _ in 0..3000 {
            let mut cells: Window = std::array::from_fn(|_| match rng.below(5) {
                0 => Cell::Other,
                1 | 2 => Cell::Own,
                _ => Cell::Empty,
            });
            cells[X] = Cell::Own;
            let pattern = classifier.classify(cells);
            if pattern == L::Overline {
                continue;
            }
            assert_eq!(moves_to_five(rule, &cells, 4), expected(pattern), "{rule:?} {cells:?}");
        }
    }
}

#[test]
fn a_stone_of_the_other_color_never_helps() {
    let mut rng = crate::base::rng::Rng::new(6);
    for rule in [FiveOrMore, ExactlyFive, Caro, CaroExact] {
        let mut classifier = Classifier::new(rule);
        for _ in 0..3000 {
            let mut cells: Window = std::array::from_fn(|_| match rng.below(4) {
                0 => Cell::Other,
                1 => Cell::Own,
                _ => Cell::Empty,
            });
            cells[X] = Cell::Own;
            let before = classifier.classify(cells);
            for cell in empty_cells(&cells) {
                let mut blocked = cells;
                blocked[cell] = Cell::Other;
                assert!(classifier.classify(blocked) <= before, "{rule:?} {cells:?} {cell}");
            }
        }
    }
}
