//! The last four empty squares, where most of the positions are: nothing is looked up, remembered or put in order but for
//! parity, and the last disc is only counted.
//!
//! All of it searches one null window, whether the side to move gets more than `alpha`: of a fail high any bound above it will do, and of a
//! fail low any at or below it.

use super::board::{Board, NEIGHBOURS};

/// By place on a line of eight and the player's discs on it, all others being the opponent's: twice the discs that turn over.
static TURNED: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own = 0;
        while own < 256 {
            table[place][own] = 2 * (run(own, place as i32, 1) + run(own, place as i32, -1));
            own += 1;
        }
        place += 1;
    }
    table
};

const fn run(own: usize, place: i32, step: i32) -> u8 {
    let mut at = place + step;
    let mut count = 0;
    while 0 <= at && at < 8 {
        if own >> at & 1 != 0 {
            return count;
        }
        count += 1;
        at += step;
    }
    0
}

/// The two diagonals through each square.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut table = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let (rows, columns) = (other / 8 - square / 8, other % 8 - square % 8);
            if rows == columns {
                table[square as usize][0] |= 1 << other;
            }
            if rows == -columns {
                table[square as usize][1] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    table
};

const COLUMN: u64 = 0x0101_0101_0101_0101;
const COLUMN_TO_ROW: u64 = 0x0102_0408_1020_4080;

/// Twice the discs that the player's disc on the only empty square turns over.
#[inline]
fn turned(square: u32, own: u64) -> i32 {
    let (row, column) = ((square >> 3) as usize, (square & 7) as usize);
    let [falling, rising] = DIAGONALS[square as usize & 63];
    let along = |diagonal: u64| ((own & diagonal).wrapping_mul(COLUMN) >> 56) as usize;
    let of_row = (own >> (square & 56)) as usize & 255;
    let of_column = ((own >> (square & 7) & COLUMN).wrapping_mul(COLUMN_TO_ROW) >> 56) as usize;
    i32::from(TURNED[column][of_row])
        + i32::from(TURNED[row & 7][of_column])
        + i32::from(TURNED[column][along(falling)])
        + i32::from(TURNED[column][along(rising)])
}

/// One empty square: the exact score.
#[inline]
pub fn last_one(board: Board, square: u32) -> i32 {
    // Filled by the player without turning anything over.
    let score = 64 - 2 * board.opponent.count_ones() as i32;
    let gained = turned(square, board.own);
    if gained > 0 {
        return score + gained;
    }
    let lost = turned(square, board.opponent);
    if lost > 0 || score <= 0 { score - 2 - lost } else { score }
}

#[inline]
fn is_near(square: u32, discs: u64) -> bool {
    NEIGHBOURS[square as usize & 63] & discs != 0
}

/// Below every score: nothing has been played.
const NOTHING: i32 = -65;

/// Two empty squares.
pub fn last_two(board: Board, alpha: i32, [a, b]: [u32; 2], nodes: &mut u64) -> i32 {
    *nodes += 1;
    let best = play_two(board, alpha, a, b, nodes);
    if best != NOTHING {
        return best;
    }
    // A pass turns the window round: the opponent is not to get more than the negative, less one.
    match play_two(board.passed(), -alpha - 1, a, b, nodes) {
        NOTHING => board.final_score(),
        best => -best,
    }
}

#[inline]
fn play_two(board: Board, alpha: i32, a: u32, b: u32, nodes: &mut u64) -> i32 {
    let mut best = NOTHING;
    if is_near(a, board.opponent) {
        let flipped = board.flips(a);
        if flipped != 0 {
            *nodes += 1;
            best = -last_one(board.after(a, flipped), b);
            if best > alpha {
                return best;
            }
        }
    }
    if is_near(b, board.opponent) {
        let flipped = board.flips(b);
        if flipped != 0 {
            *nodes += 1;
            best = best.max(-last_one(board.after(b, flipped), a));
        }
    }
    best
}

/// Three empty squares, in the order in which they are to be tried.
pub fn last_three(board: Board, alpha: i32, squares: [u32; 3], nodes: &mut u64) -> i32 {
    *nodes += 1;
    let best = play_three(board, alpha, squares, nodes);
    if best != NOTHING {
        return best;
    }
    match play_three(board.passed(), -alpha - 1, squares, nodes) {
        NOTHING => board.final_score(),
        best => -best,
    }
}

#[inline(always)]
fn play_three(board: Board, alpha: i32, [a, b, c]: [u32; 3], nodes: &mut u64) -> i32 {
    let mut best = begin_three(board, alpha, a, [b, c], nodes);
    if best > alpha {
        return best;
    }
    best = best.max(begin_three(board, alpha, b, [a, c], nodes));
    if best > alpha {
        return best;
    }
    best.max(begin_three(board, alpha, c, [a, b], nodes))
}

/// One of three squares is tried, two are left.
#[inline(always)]
fn begin_three(board: Board, alpha: i32, square: u32, left: [u32; 2], nodes: &mut u64) -> i32 {
    if !is_near(square, board.opponent) {
        return NOTHING;
    }
    match board.flips(square) {
        0 => NOTHING,
        flipped => -last_two(board.after(square, flipped), -alpha - 1, left, nodes),
    }
}

/// Four empty squares.
pub fn last_four(board: Board, alpha: i32, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let squares = in_order(board.empties());
    let best = play_four(board, alpha, squares, nodes);
    if best != NOTHING {
        return best;
    }
    match play_four(board.passed(), -alpha - 1, squares, nodes) {
        NOTHING => board.final_score(),
        best => -best,
    }
}

#[inline(always)]
fn play_four(board: Board, alpha: i32, [a, b, c, d]: [u32; 4], nodes: &mut u64) -> i32 {
    let mut best = begin_four(board, alpha, a, [b, c, d], nodes);
    if best > alpha {
        return best;
    }
    best = best.max(begin_four(board, alpha, b, [a, c, d], nodes));
    if best > alpha {
        return best;
    }
    // With one square of a pair of quarters gone, its partner is the odd one: it goes to the front.
    best = best.max(begin_four(board, alpha, c, [d, a, b], nodes));
    if best > alpha {
        return best;
    }
    best.max(begin_four(board, alpha, d, [c, a, b], nodes))
}

/// One of four squares is tried, three are left.
#[inline(always)]
fn begin_four(board: Board, alpha: i32, square: u32, left: [u32; 3], nodes: &mut u64) -> i32 {
    if !is_near(square, board.opponent) {
        return NOTHING;
    }
    match board.flips(square) {
        0 => NOTHING,
        flipped => -last_three(board.after(square, flipped), -alpha - 1, left, nodes),
    }
}

/// By the quarters of four squares, two bits each: the order in which they are tried, as shifts to their bytes. Those that are
/// alone in their quarter, or three, come first; of one and three it is the one. Of two and two partners stand side by side.
static ORDERS: [[u8; 4]; 256] = {
    let mut table = [[0; 4]; 256];
    let mut quarters = 0;
    while quarters < 256 {
        table[quarters] = order_of(quarters);
        quarters += 1;
    }
    table
};

const fn order_of(quarters: usize) -> [u8; 4] {
    let (mut order, mut placed) = ([0; 4], 0);
    // Alone, one of three, one of two, one of four.
    let mut turn = 0;
    while turn < 4 {
        let wanted = [1, 3, 2, 4][turn];
        let mut square = 0;
        while square < 4 {
            let (mut together, mut earlier, mut other) = (0, false, 0);
            while other < 4 {
                if quarters >> (2 * other) & 3 == quarters >> (2 * square) & 3 {
                    together += 1;
                    earlier |= other < square;
                }
                other += 1;
            }
            // Of a quarter all come at once, when its first one does.
            if together == wanted && !earlier {
                let mut other = square;
                while other < 4 {
                    if quarters >> (2 * other) & 3 == quarters >> (2 * square) & 3 {
                        order[placed] = 8 * other as u8;
                        placed += 1;
                    }
                    other += 1;
                }
            }
            square += 1;
        }
        turn += 1;
    }
    order
}

#[inline]
fn in_order(mut empties: u64) -> [u32; 4] {
    let (mut squares, mut quarters) = (0, 0);
    for number in 0..4 {
        let square = empties.trailing_zeros();
        empties &= empties.wrapping_sub(1);
        squares |= square << (8 * number);
        quarters |= (square >> 4 & 2 | square >> 2 & 1) << (2 * number);
    }
    ORDERS[quarters as usize & 255].map(|shift| squares >> shift & 63)
}
