//! Boards as numbers, seen by the side to move: in base 3 a digit a cell, 2 for an own piece, 1 for none, 0 for an enemy.
//! Exchanging the sides then is counting from the other end.
//!
//! A push changes one row or column. The digits of a row are neighbours in the number; columns and diagonals are summed
//! up from the rows in lanes of a word. What a push adds to the number stands in a table by the content of
//! the line. The eight images of a board are sums over its rows too.

use crate::solve::value::Value;

/// Rows of the largest board whose numbers are listed: 3^16 of them.
pub const MOST_ROWS: usize = 4;
const SYMMETRIES: usize = 8;

/// How boards of one size are numbered.
#[derive(Debug, Clone)]
pub struct Code {
    size: usize,
    /// Contents of a line: 3^size.
    contents: usize,
    /// Boards: numbers are below.
    count: u32,
    /// By row and its content: what it adds to the columns and diagonals, a byte each.
    lanes: Vec<u64>,
    /// By row and its content: what it adds to the number of each image.
    images: Vec<[u32; SYMMETRIES]>,
    /// By entry and content of its line: what an own push adds to the number.
    pushes: Vec<i32>,
    /// By content: whether no cell is empty.
    full: Vec<bool>,
    /// By eight cells and the byte that says which of them are taken: the sum of their powers of 3.
    powers: Vec<[u32; 256]>,
}

/// The lines of a board.
#[derive(Debug, Clone, Copy)]
pub struct Lines {
    rows: [u8; MOST_ROWS],
    /// The columns, then the diagonals.
    lanes: u64,
}

impl Code {
    /// The numbers of boards with so many cells along an edge, at most [`MOST_ROWS`].
    pub fn new(size: usize) -> Self {
        assert!((2..=MOST_ROWS).contains(&size), "boards of size {size} are too many");
        let contents = 3usize.pow(size as u32);
        let power = |cell: usize| 3u32.pow(cell as u32);
        let mut lanes = Vec::new();
        let mut images = Vec::new();
        for row in 0..size {
            for content in 0..contents {
                let digits = digits(content, size);
                let lane = |digit: usize, lane: usize| (digit as u64 * u64::from(power(row))) << (8 * lane);
                let columns: u64 = (0..size).map(|column| lane(digits[column], column)).sum();
                lanes.push(columns + lane(digits[row], size) + lane(digits[size - 1 - row], size + 1));
                images.push(std::array::from_fn(|symmetry| {
                    let cells = digits.iter().enumerate();
                    cells
                        .map(|(column, &digit)| digit as u32 * power(image(size, row, column, symmetry)))
                        .sum()
                }));
            }
        }
        let mut pushes = Vec::new();
        for entry in 0..4 * size {
            for content in 0..contents {
                let is_reversed = entry / size % 2 == 1;
                let mut line = digits(content, size);
                if is_reversed {
                    line.reverse();
                }
                let gap = line.iter().position(|&digit| digit == 1).unwrap_or(size - 1);
                line.remove(gap);
                line.insert(0, 2);
                if is_reversed {
                    line.reverse();
                }
                let pushed: usize =
                    line.iter().enumerate().map(|(k, digit)| digit * 3usize.pow(k as u32)).sum();
                // Cells of a row are neighbours, those of a column a row apart.
                let cell = |k: usize| {
                    if entry < 2 * size { entry % size * size + k } else { k * size + entry % size }
                };
                let worth = |content: usize| -> i32 {
                    digits(content, size)
                        .iter()
                        .enumerate()
                        .map(|(k, &d)| (d as u32 * power(cell(k))) as i32)
                        .sum()
                };
                pushes.push(worth(pushed) - worth(content));
            }
        }
        let full = (0..contents).map(|content| !digits(content, size).contains(&1)).collect();
        let sum = |from: usize, byte: usize| {
            let taken = (0..8).filter(|bit| byte >> bit & 1 != 0).map(|bit| from + bit);
            taken.filter(|&cell| cell < size * size).map(power).sum()
        };
        let powers =
            (0..size * size).step_by(8).map(|from| std::array::from_fn(|byte| sum(from, byte))).collect();
        Self { size, contents, count: power(size * size), lanes, images, pushes, full, powers }
    }

    /// Cells along an edge.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Places where a piece is pushed in.
    pub fn entries(&self) -> usize {
        4 * self.size
    }

    /// How many numbers there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The number of a board, given as the pieces of the side to move and those of the other.
    #[inline]
    pub fn number(&self, own: u32, enemy: u32) -> u32 {
        let sum = |cells: u32| -> u32 {
            let parts = self.powers.iter().zip(cells.to_le_bytes());
            parts.map(|(powers, byte)| powers[usize::from(byte)]).sum()
        };
        // All digits 1, then one more or less where a piece is.
        (self.count - 1) / 2 + sum(own) - sum(enemy)
    }

    /// The pieces of the side to move and of the other.
    pub fn pieces(&self, number: u32) -> [u32; 2] {
        let (mut rest, mut pieces) = (number, [0; 2]);
        for cell in 0..self.size * self.size {
            match rest % 3 {
                2 => pieces[0] |= 1 << cell,
                0 => pieces[1] |= 1 << cell,
                _ => {}
            }
            rest /= 3;
        }
        pieces
    }

    /// The board as the other side sees it.
    #[inline]
    pub fn turned(&self, number: u32) -> u32 {
        self.count - 1 - number
    }

    /// Takes the content of a row off a number. Dividing by what the compiler knows is faster.
    #[inline]
    fn next_row(&self, rest: &mut u32) -> usize {
        let (left, content) = match self.contents {
            81 => (*rest / 81, *rest % 81),
            contents => (*rest / contents as u32, *rest % contents as u32),
        };
        *rest = left;
        content as usize
    }

    /// The lines of a board.
    #[inline]
    pub fn lines(&self, number: u32) -> Lines {
        let (mut rest, mut lines) = (number, Lines { rows: [0; MOST_ROWS], lanes: 0 });
        for row in 0..self.size {
            let content = self.next_row(&mut rest);
            lines.rows[row] = content as u8;
            lines.lanes += self.lanes[row * self.contents + content];
        }
        lines
    }

    /// The content of an entry's line.
    #[inline]
    fn content(&self, lines: &Lines, entry: usize) -> usize {
        let place = entry % self.size;
        usize::from(if entry < 2 * self.size {
            lines.rows[place]
        } else {
            (lines.lanes >> (8 * place)) as u8
        })
    }

    /// The board after an own push, still as the side that moved sees it.
    #[inline]
    pub fn pushed(&self, number: u32, lines: &Lines, entry: usize) -> u32 {
        number.wrapping_add_signed(self.pushes[entry * self.contents + self.content(lines, entry)])
    }

    /// Whether the enemy could have made this board from the one that an own push at `entry` would make: then the rule
    /// against repetition may forbid that push. Both pushes must throw a piece off the board.
    pub fn may_repeat(&self, number: u32, lines: &Lines, entry: usize) -> bool {
        if !self.full[self.content(lines, entry)] {
            return false;
        }
        let pushed = self.turned(self.pushed(number, lines, entry));
        let (lines, back) = (self.lines(pushed), self.turned(number));
        (0..self.entries()).any(|entry| self.pushed(pushed, &lines, entry) == back)
    }

    /// The value of a board on which somebody has a line: the enemy has moved last and wins if both have.
    pub fn end(&self, number: u32) -> Option<Value> {
        let lines = self.lines(number);
        let is_there = |content: usize| {
            let mut lanes = (0..self.size + 2).map(|lane| lines.lanes >> (8 * lane) & 0xff);
            lines.rows[..self.size].iter().any(|&row| usize::from(row) == content)
                || lanes.any(|lane| lane == content as u64)
        };
        if is_there(0) {
            return Some(Value::Loss(0));
        }
        is_there(self.contents - 1).then_some(Value::Win(0))
    }

    /// The numbers of the eight images of a board.
    #[inline]
    pub fn images(&self, number: u32) -> [u32; SYMMETRIES] {
        let (mut rest, mut images) = (number, [0; SYMMETRIES]);
        for row in 0..self.size {
            let content = self.next_row(&mut rest);
            let part = &self.images[row * self.contents + content];
            images.iter_mut().zip(part).for_each(|(image, part)| *image += part);
        }
        images
    }
}

fn digits(content: usize, size: usize) -> Vec<usize> {
    (0..size).map(|k| content / 3usize.pow(k as u32) % 3).collect()
}

/// The cell to which a symmetry of the square takes a cell: bit 0 mirrors the rows, bit 1 the columns, bit 2 the diagonal.
fn image(size: usize, row: usize, column: usize, symmetry: usize) -> usize {
    let mirrored = |place: usize, bit: usize| if symmetry & bit != 0 { size - 1 - place } else { place };
    let (row, column) = (mirrored(row, 1), mirrored(column, 2));
    if symmetry & 4 != 0 { column * size + row } else { row * size + column }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::pushover::{Pushover, PushoverRules};
    use games::{Dice, Game, Rules, Side};

    /// Random boards, with every push, end and image compared.
    #[test]
    fn numbers_move_like_boards() {
        for size in [3, 4] {
            let code = Code::new(size);
            let rules =
                PushoverRules::from_pairs([("size", size.to_string().as_str()), ("repetition", "off")]);
            let rules = rules.unwrap();
            let (mut dice, mut repeats) = (Dice::seeded(&[size as u64]), 0);
            for _ in 0..300 {
                let mut board = [0u32; 2];
                for cell in 0..size * size {
                    let kind = dice.below(3);
                    if kind < 2 {
                        board[kind] |= 1 << cell;
                    }
                }
                let number = code.number(board[0], board[1]);
                assert_eq!(code.pieces(number), board);
                assert_eq!(code.turned(number), code.number(board[1], board[0]));
                let position = Pushover::with_board(&rules, board, None, Side::First);
                let end = position
                    .winner()
                    .map(|side| if side == Side::First { Value::Win(0) } else { Value::Loss(0) });
                assert_eq!(code.end(number), end, "{}", position.text());
                let mut images: Vec<u32> = (0..Pushover::SYMMETRIES)
                    .map(|symmetry| position.mirrored(symmetry).board())
                    .map(|[own, enemy]| code.number(own, enemy))
                    .collect();
                images.sort_unstable();
                let mut ours = code.images(number);
                ours.sort_unstable();
                assert_eq!(images, ours);
                if end.is_some() {
                    continue;
                }
                let lines = code.lines(number);
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                for entry in moves {
                    let mut after = position.clone();
                    after.play(entry).unwrap();
                    let pushed = code.pushed(number, &lines, entry.index().into());
                    assert_eq!(code.pieces(pushed), after.board(), "{}", after.text());
                    let reply = Pushover::with_board(&rules, after.board(), None, Side::Second);
                    let mut replies = Vec::new();
                    reply.legal_moves(&mut replies);
                    let returns = replies.iter().any(|&entry| {
                        let mut end = reply.clone();
                        end.play_unchecked(entry);
                        end.board() == board
                    });
                    repeats += usize::from(returns);
                    // A line ends the game, so that nothing can come again.
                    if after.winner().is_none() {
                        assert_eq!(
                            code.may_repeat(number, &lines, entry.index().into()),
                            returns,
                            "{}",
                            after.text()
                        );
                    }
                }
            }
            assert!(repeats > 50, "{repeats}");
        }
    }
}
