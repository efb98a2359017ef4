//! The board a brain should have, from what was said to it and what it answered.
//!
//! Owns the squares that are taken. Must not know rules or colors.

use manager::text;

/// Squares that hold a stone or a wall.
#[derive(Clone, Debug, Default)]
pub struct Stones {
    size: i64,
    taken: Vec<(i64, i64)>,
    /// The opponent's stone of a TURN that is not answered yet.
    pending: Option<(i64, i64)>,
    /// The squares of a block that is being sent.
    block: Option<Vec<(i64, i64)>>,
}

impl Stones {
    /// Whether a point is on the board and free.
    pub fn is_empty(&self, point: (i64, i64)) -> bool {
        let on_board = |value: i64| (0..self.size).contains(&value);
        on_board(point.0)
            && on_board(point.1)
            && !self.taken.contains(&point)
            && self.pending != Some(point)
    }

    /// A free square away from most others, always the same in the same position.
    pub fn free(&self) -> Option<(i64, i64)> {
        let area = self.size * self.size;
        // A step that shares no divisor with any board's area visits every square.
        (0..area)
            .map(|index| (index * 89 + 31) % area.max(1))
            .map(|index| (index % self.size, index / self.size))
            .find(|&point| self.is_empty(point))
    }

    /// Follows a line that is sent to the brain.
    pub fn sent(&mut self, line: &str) {
        let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        match word.to_ascii_uppercase().as_str() {
            "START" | "RECTSTART" => {
                let side = rest.split([',', ' ']).find(|side| !side.is_empty());
                self.size = side.and_then(|side| side.parse().ok()).unwrap_or(0);
                self.clear();
            }
            "RESTART" => self.clear(),
            "TURN" => {
                let point = text::parse_pair(rest).or_else(|| {
                    let (x, y) = rest.trim().split_once(char::is_whitespace)?;
                    text::parse_pair(&format!("{x},{y}"))
                });
                self.pending = point.filter(|&point| self.is_empty(point));
            }
            "TAKEBACK" => self.taken.retain(|&point| text::parse_pair(rest) != Some(point)),
            "PLAY" => self.taken.extend(text::parse_pair(rest)),
            "BOARD" | "YXBOARD" | "SWAP2BOARD" => {
                self.block = Some(Vec::new());
                rest.split_whitespace().for_each(|word| self.sent(word));
            }
            "DONE" => {
                if let Some(block) = self.block.take() {
                    self.clear();
                    self.taken = block;
                }
            }
            _ => {
                if let Some(block) = &mut self.block {
                    let numbers: Vec<i64> =
                        line.split(',').filter_map(|number| number.trim().parse().ok()).collect();
                    if let [x, y, ..] = numbers[..] {
                        block.push((x, y));
                    }
                }
            }
        }
    }

    /// Follows the brain's move.
    pub fn moved(&mut self, point: (i64, i64)) {
        self.taken.extend(self.pending.take());
        self.taken.push(point);
    }

    /// The brain refused what was sent.
    pub fn refused(&mut self) {
        self.pending = None;
    }

    fn clear(&mut self) {
        self.taken.clear();
        self.pending = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_follows_the_talk() {
        let mut stones = Stones::default();
        stones.sent("start 15");
        stones.sent("turn 7,7");
        stones.moved((8, 8));
        stones.sent("TURN 7,7");
        stones.refused();
        assert!(!stones.is_empty((7, 7)) && !stones.is_empty((8, 8)));
        stones.sent("TAKEBACK 8,8");
        assert!(stones.is_empty((8, 8)));
        stones.sent("BOARD");
        stones.sent(" 3 , 3 , 1 ");
        assert!(stones.is_empty((3, 3)));
        stones.sent("done");
        assert!(!stones.is_empty((3, 3)) && stones.is_empty((7, 7)));
        stones.sent("START 15 15");
        assert!(stones.is_empty((3, 3)) && !stones.is_empty((15, 0)));
    }

    #[test]
    fn free_squares_are_found_to_the_last() {
        for size in 5..=22 {
            let mut stones = Stones::default();
            stones.sent(&format!("START {size}"));
            for _ in 0..size * size {
                let free = stones.free().unwrap();
                stones.moved(free);
            }
            assert_eq!(stones.free(), None);
        }
    }
}
