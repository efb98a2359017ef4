//! The game as the manager sees it: followed from what was sent and answered.
//!
//! Owns the board against which every move of the brain is checked. Reads the commands a second
//! time, as tolerant as the protocol asks; what is out of order there changes nothing, as in the
//! brain. Must not know time or processes.

use std::collections::VecDeque;
use std::time::Duration;

use crate::grid::{Grid, Point, Stone, text};

/// Whose stone it is, as in field 3 of a BOARD line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Brain,
    Opponent,
    Nobody,
}

/// A block of lines up to DONE.
struct Block {
    command: String,
    /// None once a line was out of order.
    lines: Option<Vec<Vec<i64>>>,
}

/// Follows one dialogue.
#[derive(Default)]
pub(super) struct Tracker {
    partial: Vec<u8>,
    size: Option<(usize, usize)>,
    rule: i64,
    turn_ms: Option<u64>,
    stones: Vec<(Point, Owner)>,
    swap_stones: Vec<Point>,
    block: Option<Block>,
    /// A move is due; what was sent after the request waits for it.
    waiting: bool,
    later: VecDeque<String>,
    /// The coordinates an answer to PLAY repeats.
    echo: Option<Point>,
    /// Points are due that are not played, as in answer to SWAP2BOARD.
    points_due: bool,
    /// Commands sent before the request that must be refused.
    errors_due: usize,
}

impl Tracker {
    /// Takes in bytes that were written to the brain.
    pub(super) fn sent(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte == b'\n' || byte == b'\r' {
                let line = String::from_utf8_lossy(&self.partial).trim().to_string();
                self.partial.clear();
                self.line(line);
            } else {
                self.partial.push(byte);
            }
        }
    }

    /// Takes in a move of the brain, or says what is wrong with it.
    pub(super) fn moved(&mut self, point: Point) -> Result<(), String> {
        if let Some(echo) = self.echo.take() {
            return if echo == point { Ok(()) } else { Err(format!("PLAY {}", text(echo))) };
        }
        if self.points_due {
            self.points_due = false;
            return Ok(());
        }
        if !self.waiting {
            return Err(format!("{}: a move nobody asked for", text(point)));
        }
        let grid = self.grid().ok_or("a move without a board")?;
        if !grid.is_free(point) {
            return Err(format!("{} is no empty point of the board", text(point)));
        }
        self.stones.push((point, Owner::Brain));
        self.go_on();
        Ok(())
    }

    /// Takes in an ERROR.
    pub(super) fn refused(&mut self) {
        if self.errors_due > 0 {
            self.errors_due -= 1;
        } else if self.waiting {
            self.go_on();
        }
    }

    /// Takes in a line that is neither a move nor an ERROR.
    pub(super) fn spoke(&mut self, line: &str) {
        if line == "SWAP" || line.contains(',') {
            self.points_due = false;
        }
    }

    /// Whether a move is due.
    pub(super) fn is_waiting(&self) -> bool {
        self.waiting || self.points_due
    }

    /// INFO `timeout_turn`, when it sets a limit.
    pub(super) fn turn_limit(&self) -> Option<Duration> {
        self.turn_ms.map(Duration::from_millis)
    }

    /// The board, when there is a game.
    pub(super) fn grid(&self) -> Option<Grid> {
        let mut grid = Grid::new(self.size?);
        let own = self.own_color().unwrap_or(Stone::Black);
        for &(point, owner) in &self.stones {
            let stone = match owner {
                Owner::Brain => own,
                Owner::Opponent => own.other(),
                Owner::Nobody => Stone::Wall,
            };
            grid.set(point, Some(stone));
        }
        Some(grid)
    }

    /// The board, when it is played by renju.
    pub(super) fn renju_grid(&self) -> Option<Grid> {
        if (4..8).contains(&self.rule) { self.grid() } else { None }
    }

    /// The brain's color when it is to move, as far as the numbers of stones tell it.
    pub(super) fn own_color(&self) -> Option<Stone> {
        let count = |owner| self.stones.iter().filter(|(_, o)| *o == owner).count();
        let (own, opponent) = (count(Owner::Brain), count(Owner::Opponent));
        match opponent.checked_sub(own) {
            Some(0) => Some(Stone::Black),
            Some(1) => Some(Stone::White),
            _ => None,
        }
    }

    /// The stones listed in the last SWAP2BOARD block.
    pub(super) fn swap_stones(&self) -> &[Point] {
        &self.swap_stones
    }

    fn go_on(&mut self) {
        self.waiting = false;
        while !self.waiting
            && let Some(line) = self.later.pop_front()
        {
            self.apply(&line);
        }
    }

    fn line(&mut self, line: String) {
        let is_info = line.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("info"));
        if self.waiting && !is_info {
            self.later.push_back(line);
        } else {
            self.apply(&line);
        }
    }

    fn apply(&mut self, line: &str) {
        let line = line.to_ascii_uppercase();
        let begins_anew = ["START", "RECTSTART", "RESTART", "BOARD", "YXBOARD", "SWAP2BOARD"]
            .contains(&line.split([' ', '\t']).next().unwrap_or_default());
        if begins_anew {
            self.block = None;
        } else if self.block.is_some() {
            return self.block_line(&line);
        }
        let (word, rest) = line.split_once([' ', '\t']).unwrap_or((&line, ""));
        let values = numbers(rest);
        let accepted = match word {
            "START" | "RECTSTART" => self.start(values),
            "RESTART" => self.size.is_some().then(|| self.stones.clear()),
            "BEGIN" | "YXNBEST" | "YXSEARCHDEFEND" => self.size.and_then(|_| self.think()),
            "YXBALANCEONE" | "YXBALANCETWO" => self.size.map(|_| self.points_due = true),
            "TURN" => self.place(values, Owner::Opponent).and_then(|_| self.think()),
            "PLAY" => self.place(values, Owner::Brain).map(|point| self.echo = Some(point)),
            "TAKEBACK" => self.take_back(values),
            "BOARD" | "YXBOARD" | "SWAP2BOARD" => {
                self.block = Some(Block { command: word.to_string(), lines: Some(Vec::new()) });
                self.block_words(rest);
                return;
            }
            "INFO" => {
                self.info(rest);
                return;
            }
            _ => return,
        };
        if accepted.is_none() {
            self.errors_due += 1;
        }
    }

    fn start(&mut self, values: Option<Vec<i64>>) -> Option<()> {
        self.size = None;
        self.stones.clear();
        let values = values?;
        let side = |value: &i64| usize::try_from(*value).ok().filter(|s| (5..=22).contains(s));
        self.size = match values.as_slice() {
            [both] => side(both).map(|side| (side, side)),
            [width, height] => side(width).zip(side(height)),
            _ => None,
        };
        self.size.map(|_| ())
    }

    /// None when there is no move left to make.
    fn think(&mut self) -> Option<()> {
        self.waiting = self.grid()?.free().next().is_some();
        self.waiting.then_some(())
    }

    fn place(&mut self, values: Option<Vec<i64>>, owner: Owner) -> Option<Point> {
        let point = on_board(&self.grid()?, &values?)?;
        self.stones.push((point, owner));
        Some(point)
    }

    fn take_back(&mut self, values: Option<Vec<i64>>) -> Option<()> {
        let values = values?;
        let [x, y] = values[..] else { return None };
        let point = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        let index = self.stones.iter().position(|&(stone, _)| stone == point)?;
        self.stones.remove(index);
        Some(())
    }

    fn info(&mut self, rest: &str) {
        let Some((key, value)) = rest.trim().split_once([' ', '\t']) else { return };
        let Ok(value) = value.trim().parse::<i64>() else { return };
        match key {
            "RULE" => self.rule = value,
            "TIMEOUT_TURN" => self.turn_ms = u64::try_from(value).ok(),
            _ => {}
        }
    }

    /// `BOARD 7,7,1 8,8,2 DONE` may stand on one line.
    fn block_words(&mut self, rest: &str) {
        for word in rest.split_whitespace() {
            self.block_line(word);
        }
    }

    fn block_line(&mut self, line: &str) {
        if line.is_empty() {
            return;
        }
        if line == "DONE" {
            if let Some(block) = self.block.take() {
                self.done(block);
            }
        } else if let Some(block) = &mut self.block {
            match (&mut block.lines, numbers(line)) {
                (Some(lines), Some(values)) => lines.push(values),
                _ => block.lines = None,
            }
        }
    }

    fn done(&mut self, block: Block) {
        let accepted = match block.command.as_str() {
            "SWAP2BOARD" => self.swap(block.lines),
            "YXBOARD" => self.board(block.lines),
            _ => self.board(block.lines).and_then(|()| self.think()),
        };
        if accepted.is_none() {
            self.errors_due += 1;
        }
    }

    fn board(&mut self, lines: Option<Vec<Vec<i64>>>) -> Option<()> {
        let mut grid = Grid::new(self.size?);
        let mut stones = Vec::new();
        for line in lines? {
            let [coordinates @ .., owner] = line.as_slice() else { return None };
            let point = on_board(&grid, coordinates)?;
            let owner = match owner {
                1 => Owner::Brain,
                2 => Owner::Opponent,
                3 => Owner::Nobody,
                _ => return None,
            };
            grid.set(point, Some(Stone::Wall));
            stones.push((point, owner));
        }
        self.stones = stones;
        Some(())
    }

    fn swap(&mut self, lines: Option<Vec<Vec<i64>>>) -> Option<()> {
        let mut grid = Grid::new(self.size?);
        let mut stones = Vec::new();
        for line in lines? {
            let point = on_board(&grid, &line)?;
            grid.set(point, Some(Stone::Wall));
            stones.push(point);
        }
        if ![0, 3, 5].contains(&stones.len()) {
            return None;
        }
        self.swap_stones = stones;
        self.points_due = true;
        Some(())
    }
}

/// A free point of the board.
fn on_board(grid: &Grid, coordinates: &[i64]) -> Option<Point> {
    let [x, y] = *coordinates else { return None };
    let point = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
    grid.is_free(point).then_some(point)
}

/// Numbers with commas or blanks between them; None when anything else is there or a comma dangles.
fn numbers(text: &str) -> Option<Vec<i64>> {
    let parts = text.split(',').map(|part| {
        let words: Vec<&str> = part.split_whitespace().collect();
        if words.is_empty() { None } else { words.iter().map(|w| w.parse().ok()).collect() }
    });
    let parts: Option<Vec<Vec<i64>>> = parts.collect();
    Some(parts?.concat())
}

#[test]
fn what_follows_a_request_waits_for_its_move() {
    let mut tracker = Tracker::default();
    tracker.sent(b"START 15\nBOARD\n7,7,2\nDONE\nSTART 15\nTURN 7,7\n");
    assert_eq!(tracker.moved((7, 7)), Err("7,7 is no empty point of the board".to_string()));
    assert_eq!(tracker.moved((8, 8)), Ok(()));
    assert!(tracker.is_waiting());
    assert_eq!(tracker.moved((8, 8)), Ok(()));
    assert!(tracker.moved((9, 9)).is_err());
}

#[test]
fn what_is_out_of_order_changes_nothing() {
    let mut tracker = Tracker::default();
    tracker.sent(b"START 15\nTURN 15,0\nTURN 7,\nboard\r\n 7 , 7 , 2\n8,8,9\ndone\n");
    assert!(!tracker.is_waiting());
    tracker.sent(b"BOARD 7,7,1 8,8,2 DONE\n");
    assert!(tracker.is_waiting());
    assert_eq!(tracker.own_color(), Some(Stone::Black));
}
