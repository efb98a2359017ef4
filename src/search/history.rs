//! Which moves have been good elsewhere in the tree.

use crate::types::color::{ByColor, Color};
use crate::types::square::{Square, SquareMap};

/// Entries stay within this either way.
const LIMIT: i32 = 8192;

/// Success of moves by side and square, and by where they lie from the moves before; and the
/// replies that refuted moves.
#[derive(Clone, Debug)]
pub(super) struct History {
    main: ByColor<SquareMap<i16>>,
    counter: ByColor<SquareMap<Option<Square>>>,
    /// By where a move lies from the last one, and from the own one before.
    continuation: [ByColor<Box<[i16; OFFSETS]>>; 2],
}

/// Offsets between two squares, with gaps.
const OFFSETS: usize = 1 << 12;

/// The slot of an offset.
#[inline]
fn offset(mv: Square, from: Square) -> usize {
    let dx = usize::from(mv.x() + 32 - from.x());
    let dy = usize::from(mv.y() + 32 - from.y());
    (dy * 64 + dx) & (OFFSETS - 1)
}

impl History {
    pub(super) fn new() -> History {
        History {
            main: ByColor::from_fn(|_| SquareMap::filled(0)),
            counter: ByColor::from_fn(|_| SquareMap::filled(None)),
            continuation: std::array::from_fn(|_| ByColor::from_fn(|_| Box::new([0; OFFSETS]))),
        }
    }

    /// How good a move at this place from the last ones has been, from -8192 to 8192 each.
    #[inline]
    pub(super) fn continued(
        &self,
        color: Color,
        mv: Square,
        last: Option<Square>,
        own: Option<Square>,
    ) -> i32 {
        let part = |table: &ByColor<Box<[i16; OFFSETS]>>, from: Option<Square>| {
            from.map_or(0, |from| i32::from(table[color][offset(mv, from)]))
        };
        part(&self.continuation[0], last) + part(&self.continuation[1], own)
    }

    /// Counts a success or a failure by its place from the last moves.
    #[inline]
    pub(super) fn update_continued(
        &mut self,
        color: Color,
        mv: Square,
        last: Option<Square>,
        own: Option<Square>,
        bonus: i32,
    ) {
        for (table, from) in self.continuation.iter_mut().zip([last, own]) {
            if let Some(from) = from {
                shift(&mut table[color][offset(mv, from)], bonus);
            }
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
        shift(&mut self.main[color][mv], bonus);
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

/// Moves an entry by a bonus, the less the nearer it is to its limit.
#[inline]
fn shift(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    let new = old + bonus - old * bonus.abs() / LIMIT;
    *entry = i16::try_from(new.clamp(-LIMIT, LIMIT)).unwrap_or(0);
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
