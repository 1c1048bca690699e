//! The "classical program" of the paper (section 2.2): what lines are worth to a side, as features of the side that has
//! just moved.
//!
//! Along each of the rows, columns and diagonals a run of k own pieces adds 5 + 25 + ... + 5^k, an empty cell adds 1, and
//! a piece of the other side adds nothing and breaks the run. The paper does not say how the two sides are weighed
//! against each other, nor how much a run of own pieces that fills a row or column but for an enemy at its end is
//! docked: both are weights of a linear function of these features.

use super::Board;
use crate::game::Side;

const MOST_CELLS: usize = 5;

/// Name and definition of each feature.
pub(super) const FEATURES: [(&str, &str); 4] = [
    ("own-lines", "worth of all lines to the side that moved: runs of own pieces and empty cells"),
    ("enemy-lines", "worth of all lines to the other side"),
    ("own-blocked", "rows and columns of own pieces but for an enemy at one end"),
    ("enemy-blocked", "rows and columns of the other side's pieces but for one of the mover's at one end"),
];

/// The lines of a board of one size, rows and columns first.
struct Lines {
    size: usize,
    cells: [[u8; MOST_CELLS]; 2 * MOST_CELLS + 2],
}

static LINES: [Lines; 3] = [Lines::new(3), Lines::new(4), Lines::new(5)];

impl Lines {
    const fn new(size: usize) -> Self {
        let mut cells = [[0; MOST_CELLS]; 2 * MOST_CELLS + 2];
        let mut i = 0;
        while i < size {
            let mut k = 0;
            while k < size {
                cells[i][k] = (i * size + k) as u8;
                cells[size + i][k] = (k * size + i) as u8;
                k += 1;
            }
            cells[2 * size][i] = (i * size + i) as u8;
            cells[2 * size + 1][i] = (i * size + size - 1 - i) as u8;
            i += 1;
        }
        Self { size, cells }
    }

    fn of(size: u8) -> &'static Self {
        &LINES[usize::from(size - 3)]
    }

    /// What all lines are worth to a side with these pieces, and how many rows and columns of it are blocked.
    fn worth(&self, own: u32, enemy: u32) -> (u32, u32) {
        let (mut worth, mut blocked) = (0, 0);
        for (number, line) in self.cells[..2 * self.size + 2].iter().enumerate() {
            // The paper's procedure `setval`.
            let (mut weight, mut pieces) = (1, 0);
            for cell in &line[..self.size] {
                if own >> cell & 1 != 0 {
                    weight = 5 * weight.max(1);
                    pieces += 1;
                } else {
                    weight = u32::from(enemy >> cell & 1 == 0);
                }
                worth += weight;
            }
            if pieces + 1 == self.size && number < 2 * self.size {
                let ends = [line[0], line[self.size - 1]];
                blocked += u32::from(ends.iter().any(|end| enemy >> end & 1 != 0));
            }
        }
        (worth, blocked)
    }
}

/// What the lines of a board are worth to a side, and how many rows and columns it has filled but for an enemy at one
/// end. `size`: cells along an edge.
pub fn worth(size: u8, board: Board, side: Side) -> (u32, u32) {
    Lines::of(size).worth(board[side.index()], board[side.other().index()])
}

/// The values of the features for the side that has moved, in their order.
pub(super) fn values(size: u8, board: Board, mover: Side) -> [u32; FEATURES.len()] {
    let [own, enemy] = [mover, mover.other()].map(|side| worth(size, board, side));
    [own.0, enemy.0, own.1, enemy.1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Turn};
    use crate::pushover::{Pushover, PushoverRules};
    use crate::rules::Rules;
    use math::Dice;

    fn worths(size: u8, text: &str) -> [(u32, u32); 2] {
        let rules = PushoverRules::from_pairs([("size", size.to_string().as_str())]).unwrap();
        let board = Pushover::parse(&rules, text).unwrap().board();
        Side::BOTH.map(|side| worth(size, board, side))
    }

    #[test]
    fn lines_counted_by_hand() {
        // Ten lines of four empty cells; twelve of five, eight of three.
        assert_eq!(worths(4, "................-+"), [(40, 0); 2]);
        assert_eq!(worths(5, ".........................-+"), [(60, 0); 2]);
        assert_eq!(worths(3, ".........-+"), [(24, 0); 2]);
        // Row 1: 5 + 25 + 125 and nothing for the enemy. Columns 1 to 3: 5 + 1 + 1 + 1 each; column 4: 0 + 3. The diagonal
        // from the left: 5 + 3, the other: 0 + 3. Three empty rows: 4 each.
        // For the enemy: row 1: 5; columns 1 to 3: 3 each; column 4: 8; diagonals 3 and 8; rows 12.
        assert_eq!(
            worths(4, "ooo+............Eo"),
            [(155 + 3 * 8 + 3 + 8 + 3 + 12, 1), (5 + 9 + 8 + 3 + 8 + 12, 0)]
        );
        // An enemy inside the line is no block at its end, nor is an empty cell.
        assert_eq!(worths(4, "o+oo............Eo").map(|(_, blocked)| blocked), [0, 0]);
        assert_eq!(worths(4, "ooo.............Eo").map(|(_, blocked)| blocked), [0, 0]);
        // Nor does a diagonal count.
        assert_eq!(worths(4, "o....o....o....+Eo").map(|(_, blocked)| blocked), [0, 0]);
        assert_eq!(worths(4, "o...+...+...+...Eo").map(|(_, blocked)| blocked), [0, 1]);
    }

    /// The paper rewrote the function because it changed when the board was turned.
    #[test]
    fn a_turned_board_is_worth_the_same() {
        for size in ["4", "5"] {
            let rules = PushoverRules::from_pairs([("size", size)]).unwrap();
            let (mut dice, mut moves) = (Dice::seeded(&[1]), Vec::new());
            let mut position = Pushover::start(&rules);
            while position.turn() != Turn::Over {
                for symmetry in 0..Pushover::SYMMETRIES {
                    let image = position.mirrored(symmetry);
                    for side in Side::BOTH {
                        let values = [&position, &image].map(|one| worth(one.size(), one.board(), side));
                        assert_eq!(values[0], values[1], "{}", position.text());
                    }
                }
                let entry = position.random_move(&mut dice, &mut moves).unwrap();
                position.play_unchecked(entry);
            }
        }
    }
}
