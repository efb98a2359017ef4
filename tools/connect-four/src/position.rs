//! Stones on a board with gravity, as bits, and what can be read off them at once.
//!
//! Owns the board sizes, the bit layout, moves and their legality, squares that win. Must not
//! know scores, search or text of commands. Start reading at [`Size`].
//!
//! ```text
//!   7 columns, 6 rows: a column is 7 bits, the topmost of them stays empty
//!
//!      6 13 20 27 34 41 48    never filled: lines cannot run from one column into the next
//!     --------------------
//!      5 12 19 26 33 40 47
//!      4 11 18 25 32 39 46    mask   a bit for every stone
//!      3 10 17 24 31 38 45    mover  a bit for every stone of the side to move
//!      2  9 16 23 30 37 44
//!      1  8 15 22 29 36 43    key    mover + mask: in each column a one above the stones,
//!      0  7 14 21 28 35 42           so that it says who owns what and where a column ends
//! ```
//!
//! Source: the layout of John Tromp's Fhourstones and of Pascal Pons, "Solving Connect 4".

use std::fmt;

/// Most columns: a column needs two bits at least.
pub const MOST_COLUMNS: usize = 32;
/// Most rows: three steps along a diagonal must be a shift that 64 bits can do.
pub const MOST_ROWS: usize = 19;

/// A board size, with the masks that go with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    columns: usize,
    rows: usize,
    /// Bits of a column.
    stride: u32,
    /// The lowest square of every column.
    bottom: u64,
    /// Every square.
    board: u64,
    /// Every second row, beginning with the lowest, rows 1, 3, 5 to a player.
    odd_rows: u64,
    /// Columns, the most central first; of two alike the left one.
    order: [u8; MOST_COLUMNS],
}

/// Why a board size is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeError {
    columns: usize,
    rows: usize,
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "expected 1 to {MOST_COLUMNS} columns and 1 to {MOST_ROWS} rows with \
             (rows + 1) * columns at most 64, got {} columns and {} rows",
            self.columns, self.rows
        )
    }
}

impl std::error::Error for SizeError {}

impl Size {
    /// The board the game is sold with: 7 columns, 6 rows.
    pub fn standard() -> Size {
        Size::build(7, 6)
    }

    /// A board of so many columns and rows.
    ///
    /// # Errors
    /// When it does not fit 64 bits, or has no squares.
    pub fn try_new(columns: usize, rows: usize) -> Result<Size, SizeError> {
        let sides = (1..=MOST_COLUMNS).contains(&columns) && (1..=MOST_ROWS).contains(&rows);
        if sides && (rows + 1) * columns <= 64 {
            Ok(Size::build(columns, rows))
        } else {
            Err(SizeError { columns, rows })
        }
    }

    fn build(columns: usize, rows: usize) -> Size {
        let stride = rows + 1;
        let (mut bottom, mut board, mut odd_rows) = (0, 0, 0);
        for column in 0..columns {
            bottom |= 1 << (column * stride);
            for row in 0..rows {
                let square = 1 << (column * stride + row);
                board |= square;
                if row % 2 == 0 {
                    odd_rows |= square;
                }
            }
        }
        let mut central: Vec<usize> = (0..columns).collect();
        central.sort_by_key(|&column| (2 * column + 1).abs_diff(columns));
        let mut order = [0; MOST_COLUMNS];
        for (place, column) in order.iter_mut().zip(central) {
            *place = u8::try_from(column).unwrap_or(0);
        }
        let stride = u32::try_from(stride).unwrap_or(0);
        Size { columns, rows, stride, bottom, board, odd_rows, order }
    }

    /// Number of columns.
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// Number of rows.
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Number of squares.
    pub const fn squares(&self) -> u32 {
        self.board.count_ones()
    }

    /// The columns, the most central first; of two alike the left one.
    pub fn central_first(&self) -> impl Iterator<Item = usize> {
        self.order.into_iter().take(self.columns).map(usize::from)
    }

    /// The squares of a column.
    #[inline]
    pub(crate) const fn column(&self, column: usize) -> u64 {
        ((1 << self.rows) - 1) << self.shift(column)
    }

    /// The column of a square given by its bit.
    pub(crate) const fn column_of(&self, square: u64) -> usize {
        (square.trailing_zeros() / self.stride) as usize
    }

    /// The bit of a square, rows counted from below.
    pub(crate) const fn square(&self, column: usize, row: usize) -> u64 {
        1 << (self.shift(column) as usize + row)
    }

    const fn shift(&self, column: usize) -> u32 {
        #[expect(clippy::cast_possible_truncation, reason = "a column is below 32")]
        let column = column as u32;
        column * self.stride
    }

    /// The rows that the first player wants a threat in: 1, 3, 5 counted from 1.
    pub(crate) const fn odd_rows(&self) -> u64 {
        self.odd_rows
    }

    /// Whether these stones have four in a row.
    #[inline]
    pub(crate) const fn has_row(&self, stones: u64) -> bool {
        self.rows_of(stones) != 0
    }

    /// The first square of every four in a row.
    #[inline]
    const fn rows_of(&self, stones: u64) -> u64 {
        let s = self.stride;
        let pair = stones & (stones >> 1);
        let mut found = pair & (pair >> 2);
        let pair = stones & (stones >> s);
        found |= pair & (pair >> (2 * s));
        let pair = stones & (stones >> (s - 1));
        found |= pair & (pair >> (2 * (s - 1)));
        let pair = stones & (stones >> (s + 1));
        found | (pair & (pair >> (2 * (s + 1))))
    }

    /// The stones that stand in a four in a row.
    pub(crate) const fn stones_in_rows(&self, stones: u64) -> u64 {
        let steps = [1, self.stride, self.stride - 1, self.stride + 1];
        let mut found = 0;
        let mut direction = 0;
        while direction < steps.len() {
            let step = steps[direction];
            let pair = stones & (stones >> step);
            let first = pair & (pair >> (2 * step));
            found |= first | first << step | first << (2 * step) | first << (3 * step);
            direction += 1;
        }
        found
    }

    /// The empty squares, reachable now or not, that would complete a row for these stones.
    #[inline]
    pub(crate) const fn winning_squares(&self, stones: u64, mask: u64) -> u64 {
        let mut found = (stones << 1) & (stones << 2) & (stones << 3);
        found |= along(stones, self.stride);
        found |= along(stones, self.stride - 1);
        found |= along(stones, self.stride + 1);
        found & (self.board ^ mask)
    }

    /// The rows of four squares without a stone of `other`, by their first square: for each
    /// direction those with one, two and three stones of `own`.
    pub(crate) fn open_rows(&self, own: u64, other: u64) -> [[u64; 3]; 4] {
        let open = self.board & !other;
        [1, self.stride, self.stride - 1, self.stride + 1].map(|step| {
            let pair = open & (open >> step);
            let rows = pair & (pair >> (2 * step));
            // Two half adders count the four stones of a row.
            let [a, b, c, d] = [own, own >> step, own >> (2 * step), own >> (3 * step)];
            let (one_of_ab, both_ab) = (a ^ b, a & b);
            let (one_of_cd, both_cd) = (c ^ d, c & d);
            let one = (one_of_ab ^ one_of_cd) & !both_ab & !both_cd;
            let two = (one_of_ab & one_of_cd) | (both_ab & !(c | d)) | (both_cd & !(a | b));
            let three = (both_ab & one_of_cd) | (both_cd & one_of_ab);
            [rows & one, rows & two, rows & three]
        })
    }

    /// The same bits with left and right exchanged.
    #[inline]
    pub(crate) const fn mirror(&self, bits: u64) -> u64 {
        let column = (1 << self.stride) - 1;
        let (mut left, mut mirrored, mut count) = (bits, 0, self.columns);
        while count > 0 {
            mirrored = mirrored << self.stride | left & column;
            left >>= self.stride;
            count -= 1;
        }
        mirrored
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

/// The squares that make a row of four with three of `stones` in one direction.
#[inline]
const fn along(stones: u64, step: u32) -> u64 {
    let below = (stones << step) & (stones << (2 * step));
    let above = (stones >> step) & (stones >> (2 * step));
    (below & (stones << (3 * step)))
        | (below & (stones >> step))
        | (above & (stones << step))
        | (above & (stones >> (3 * step)))
}

/// The two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Who moves on the empty board.
    First,
    /// The other one.
    Second,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// This side has four in a row.
    Won(Side),
    /// The board is full.
    Full,
}

/// Why a move cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// There is no such column.
    NoColumn(usize),
    /// The column, counted from 1, is full.
    Full(usize),
    /// The game has ended.
    Over,
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveError::NoColumn(column) => write!(f, "there is no column {column}"),
            MoveError::Full(column) => write!(f, "column {column} is full"),
            MoveError::Over => write!(f, "the game is over"),
        }
    }
}

impl std::error::Error for MoveError {}

/// What following up secures the side that does not move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FollowUp {
    /// It cannot be done, or the other side can make a row all the same.
    Nothing,
    /// The side to move cannot win.
    Draw,
    /// The side to move loses, when the board is full at the latest.
    Win,
}

/// A position: who has stones where, and who moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    mover: u64,
    mask: u64,
}

impl Position {
    /// The empty board.
    pub const fn empty() -> Position {
        Position { mover: 0, mask: 0 }
    }

    /// Stones on the board.
    #[inline]
    pub const fn stones(&self) -> u32 {
        self.mask.count_ones()
    }

    /// Who moves.
    pub const fn side_to_move(&self) -> Side {
        if self.stones().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    /// The stones of the side to move.
    #[inline]
    pub(crate) const fn mover(&self) -> u64 {
        self.mover
    }

    /// The stones of the other side.
    #[inline]
    pub(crate) const fn opponent(&self) -> u64 {
        self.mover ^ self.mask
    }

    /// All stones.
    #[inline]
    pub(crate) const fn mask(&self) -> u64 {
        self.mask
    }

    /// Whose stone lies on a square, rows counted from below.
    pub const fn stone(&self, size: &Size, column: usize, row: usize) -> Option<Side> {
        let square = size.square(column, row);
        if self.mask & square == 0 {
            None
        } else if self.mover & square != 0 {
            Some(self.side_to_move())
        } else {
            Some(self.side_to_move().other())
        }
    }

    /// Stones in a column.
    pub const fn height(&self, size: &Size, column: usize) -> usize {
        (self.mask & size.column(column)).count_ones() as usize
    }

    /// The squares where a stone can come to lie, one in each column that is not full.
    #[inline]
    pub(crate) const fn playable(&self, size: &Size) -> u64 {
        // Column by column: a carry cannot leave a column, whose topmost bit stays empty.
        (self.mask + size.bottom) & size.board
    }

    /// Whether a stone can be put into a column; says nothing of a game that has ended.
    pub const fn is_open(&self, size: &Size, column: usize) -> bool {
        column < size.columns && self.playable(size) & size.column(column) != 0
    }

    /// The squares that win at once.
    #[inline]
    pub(crate) const fn wins(&self, size: &Size) -> u64 {
        size.winning_squares(self.mover, self.mask) & self.playable(size)
    }

    /// The playable squares where the opponent would win.
    #[inline]
    pub(crate) const fn threatened(&self, size: &Size) -> u64 {
        size.winning_squares(self.opponent(), self.mask) & self.playable(size)
    }

    /// The moves after which the opponent has no win at once; none when every move loses.
    ///
    /// Only where the side to move cannot win at once itself.
    #[inline]
    pub(crate) const fn safe_moves(&self, size: &Size) -> u64 {
        let threats = size.winning_squares(self.opponent(), self.mask);
        let mut moves = self.playable(size);
        let forced = moves & threats;
        if forced != 0 {
            if forced & (forced - 1) != 0 {
                return 0;
            }
            moves = forced;
        }
        // Not below a square where the opponent wins.
        moves & !(threats >> 1)
    }

    /// The moves worth considering where the side to move cannot win at once: those that do not
    /// lose at once; else those that close one of the opponent's rows; else all.
    pub(crate) const fn moves_to_hold(&self, size: &Size) -> u64 {
        let safe = self.safe_moves(size);
        if safe != 0 {
            return safe;
        }
        let playable = self.playable(size);
        let closing = self.threatened(size);
        if closing != 0 { closing } else { playable }
    }

    /// Whether the side to move has no row left to make, however the game goes on.
    #[inline]
    pub(crate) const fn cannot_win(&self, size: &Size) -> bool {
        !size.has_row(size.board & !self.opponent())
    }

    /// What answering every move in its own column secures the opponent, where that can be done.
    ///
    /// With an even number of stones and of squares in every column, the side to move gets no
    /// empty square but those of the odd rows, and the opponent in the end all of the even ones.
    /// A column with an odd number of stones does no harm where the opponent wins on its second
    /// empty square: the side to move must leave it alone, and loses when all others are full.
    ///
    /// Source: the rule "claimeven" and the odd threats of Victor Allis, "A knowledge-based
    /// approach of connect-four", 1988.
    #[inline]
    pub(crate) const fn follow_up(&self, size: &Size) -> FollowUp {
        if !size.rows.is_multiple_of(2) {
            return FollowUp::Nothing;
        }
        let playable = self.playable(size);
        let odd_columns = playable & !size.odd_rows;
        let empty = size.board & !self.mask;
        let mut reached = empty & size.odd_rows;
        if odd_columns != 0 {
            let wins = size.winning_squares(self.opponent(), self.mask);
            if odd_columns & !(wins >> 1) != 0 {
                return FollowUp::Nothing;
            }
            // The empty squares of a column are ones up to its top: a one added to the lowest
            // carries above the top, and taken away again leaves them.
            let tops = (empty + odd_columns) & !size.board & !self.mask;
            reached = reached & !(tops - odd_columns) | odd_columns;
        }
        if size.has_row(self.mover | reached) {
            FollowUp::Nothing
        } else if odd_columns != 0 || size.has_row(self.opponent() | empty & !size.odd_rows) {
            FollowUp::Win
        } else {
            FollowUp::Draw
        }
    }

    /// Puts a stone of the side to move on a playable square and changes sides.
    #[inline]
    #[must_use]
    pub(crate) const fn after(&self, square: u64) -> Position {
        Position { mover: self.opponent(), mask: self.mask | square }
    }

    /// Puts a stone into a column.
    ///
    /// # Errors
    /// When there is no such column, it is full, or the game has ended; the position stays.
    pub fn play(&mut self, size: &Size, column: usize) -> Result<(), MoveError> {
        if column >= size.columns {
            return Err(MoveError::NoColumn(column + 1));
        }
        if self.end(size).is_some() {
            return Err(MoveError::Over);
        }
        if !self.is_open(size, column) {
            return Err(MoveError::Full(column + 1));
        }
        *self = self.after(self.playable(size) & size.column(column));
        Ok(())
    }

    /// How the game ended, if it has.
    pub const fn end(&self, size: &Size) -> Option<End> {
        if size.has_row(self.opponent()) {
            Some(End::Won(self.side_to_move().other()))
        } else if self.mask == size.board {
            Some(End::Full)
        } else {
            None
        }
    }

    /// The squares of the row, or rows, that won the game.
    pub const fn is_in_winning_row(&self, size: &Size, column: usize, row: usize) -> bool {
        size.stones_in_rows(self.opponent()) & size.square(column, row) != 0
    }

    /// A number that no other position of the size has.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.mover + self.mask
    }

    /// The smaller of the keys of this position and its mirror image, which has the same score.
    #[inline]
    pub(crate) const fn key_of_both(&self, size: &Size) -> u64 {
        let key = self.key();
        let mirrored = size.mirror(key);
        if mirrored < key { mirrored } else { key }
    }
}

#[cfg(test)]
mod tests;
