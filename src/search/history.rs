//! Which moves have been good elsewhere in the tree.

use crate::types::color::{ByColor, Color};
use crate::types::square::{Square, SquareMap};

/// Entries stay within this either way.
const LIMIT: i32 = 8192;

/// Success of moves by side and square, and the replies that refuted moves.
#[derive(Clone, Debug)]
pub(super) struct History {
    main: ByColor<SquareMap<i16>>,
    counter: ByColor<SquareMap<Option<Square>>>,
}

impl History {
    pub(super) fn new() -> History {
        History {
            main: ByColor::from_fn(|_| SquareMap::filled(0)),
            counter: ByColor::from_fn(|_| SquareMap::filled(None)),
        }
    }

    /// How good a move has been, from -8192 to 8192.
    #[inline]
    pub(super) fn get(&self, color: Color, mv: Square) -> i32 {
        i32::from(self.main[color][mv])
    }

    /// Counts a success, or with a negative bonus a failure. The nearer the limit, the less it
    /// moves (the usual "gravity").
    #[inline]
    pub(super) fn update(&mut self, color: Color, mv: Square, bonus: i32) {
        let entry = &mut self.main[color][mv];
        let old = i32::from(*entry);
        let new = old + bonus - old * bonus.abs() / LIMIT;
        *entry = i16::try_from(new.clamp(-LIMIT, LIMIT)).unwrap_or(0);
    }

    /// The reply of a color that last refuted a move.
    #[inline]
    pub(super) fn counter(&self, color: Color, to: Option<Square>) -> Option<Square> {
        to.and_then(|to| self.counter[color][to])
    }

    /// Notes a reply that refuted a move.
    #[inline]
    pub(super) fn set_counter(&mut self, color: Color, to: Option<Square>, reply: Square) {
        if let Some(to) = to {
            self.counter[color][to] = Some(reply);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_within_their_limit() {
        let mut history = History::new();
        let mv = Square::new(3, 3);
        for _ in 0..1000 {
            history.update(Color::Black, mv, 3000);
        }
        assert!((8000..=LIMIT).contains(&history.get(Color::Black, mv)));
        assert_eq!(history.get(Color::White, mv), 0);
        for _ in 0..1000 {
            history.update(Color::Black, mv, -3000);
        }
        assert!((-LIMIT..=-8000).contains(&history.get(Color::Black, mv)));
    }
}
