//! Mobility and flips on bit boards, without branches on the discs.

use wide::{u64x2, u64x4};

/// The leftmost column.
pub const FILE_A: u64 = 0x0101_0101_0101_0101;
/// The rightmost column.
pub const FILE_H: u64 = FILE_A << 7;
/// The four corners.
pub const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The inner six columns: horizontal and diagonal runs of the opponent's discs never cross the edge.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;
const SHIFT: [u32; 4] = [1, 8, 7, 9];
const MASK: [u64; 4] = [INNER, u64::MAX, INNER, INNER];

/// The squares that the player may play on, one bit each.
///
/// A parallel prefix fill in the eight directions, four lanes up and four down. The lanes are vectors by name: left to itself the compiler
/// mixes the two halves, and the solver takes some 15 % longer with 18 empty squares.
#[inline]
pub fn mobility(own: u64, opponent: u64) -> u64 {
    let (step, two_steps) =
        (u64x4::new(SHIFT.map(u64::from)), u64x4::new(SHIFT.map(|shift| 2 * u64::from(shift))));
    let (start, over) = (u64x4::splat(own), u64x4::splat(opponent) & u64x4::new(MASK));
    let mut up = over & start.unbounded_shl(step);
    let mut down = over & start.unbounded_shr(step);
    up |= over & up.unbounded_shl(step);
    down |= over & down.unbounded_shr(step);
    let pair_up = over & over.unbounded_shl(step);
    let pair_down = over & over.unbounded_shr(step);
    up |= pair_up & up.unbounded_shl(two_steps);
    down |= pair_down & down.unbounded_shr(two_steps);
    up |= pair_up & up.unbounded_shl(two_steps);
    down |= pair_down & down.unbounded_shr(two_steps);
    any_lane(up.unbounded_shl(step) | down.unbounded_shr(step)) & !(own | opponent)
}

/// The discs that a disc of the player on an empty square turns over.
///
/// On each ray the nearest square that the opponent does not hold decides: if it is the player's, all before it flip. Towards
/// higher bits it is the lowest one, towards lower bits the highest one. The four lanes become vector instructions, half as long
/// again as fast as counting zeros on each ray.
#[inline]
pub fn flips(square: u8, own: u64, opponent: u64) -> u64 {
    let (up, down) = (&UP.0[usize::from(square & 63)], &DOWN.0[usize::from(square & 63)]);
    let (mut higher, mut lower) = ([0; 4], [0; 4]);
    for lane in 0..4 {
        let (up, down) = (up[lane], down[lane]);
        let stop = up & !opponent;
        let end = stop & stop.wrapping_neg() & own;
        // All bits below; none if there is no end.
        higher[lane] = up & end.min(end.wrapping_sub(1));
        let end = nearest_below(down, opponent, SHIFT[lane]) & down & own;
        lower[lane] = down & end.wrapping_add(end).wrapping_neg();
    }
    any_lane(u64x4::new(higher) | u64x4::new(lower))
}

/// The squares of all lanes.
#[inline(always)]
fn any_lane(lanes: u64x4) -> u64 {
    let [low, high]: [u64x2; 2] = bytemuck::cast(lanes);
    let [even, odd] = (low | high).to_array();
    even | odd
}

/// The highest square of a ray that the opponent does not hold, or one that is not on the ray.
#[inline(always)]
fn nearest_below(ray: u64, opponent: u64, shift: u32) -> u64 {
    if cfg!(all(target_feature = "avx512cd", target_feature = "avx512vl")) {
        // Four lanes count their zeros at once.
        1 << 63 >> (ray & !opponent | 1).leading_zeros()
    } else {
        // All behind it are filled, so that only it has nothing before it.
        let mut behind = ray & !opponent;
        behind |= behind >> shift;
        behind |= behind >> (2 * shift);
        behind |= behind >> (4 * shift);
        !(behind >> shift)
    }
}

/// Four rays of each square, the square itself left out.
#[repr(align(32))]
struct Rays([[u64; 4]; 64]);

/// Towards higher bits,
static UP: Rays = rays(1);
/// and towards lower ones. Side by side with the others they would be taken for eight lanes, which takes longer.
static DOWN: Rays = rays(-1);

const fn rays(sign: i32) -> Rays {
    let mut table = [[0; 4]; 64];
    let steps: [(i32, i32); 4] = [(0, 1), (1, 0), (1, -1), (1, 1)];
    let mut square = 0;
    while square < 64 {
        let mut lane = 0;
        while lane < 4 {
            let (rows, columns) = steps[lane];
            table[square][lane] = ray(square as i32, sign * rows, sign * columns);
            lane += 1;
        }
        square += 1;
    }
    Rays(table)
}

const fn ray(square: i32, rows: i32, columns: i32) -> u64 {
    let (mut row, mut column) = (square / 8 + rows, square % 8 + columns);
    let mut bits = 0;
    while 0 <= row && row < 8 && 0 <= column && column < 8 {
        bits |= 1 << (8 * row + column);
        row += rows;
        column += columns;
    }
    bits
}

/// Some squares and all that are next to them.
#[inline]
pub const fn spread(squares: u64) -> u64 {
    let row = squares | (squares & !FILE_A) >> 1 | (squares & !FILE_H) << 1;
    row | row << 8 | row >> 8
}

/// The image of the squares under one of the eight symmetries: bit 0 of the number mirrors top and bottom, bit 1
/// left and right, bit 2 the diagonal a1-h8.
pub fn mirrored(squares: u64, symmetry: usize) -> u64 {
    let mut image = squares;
    if symmetry & 1 != 0 {
        image = image.swap_bytes();
    }
    if symmetry & 2 != 0 {
        image = image.reverse_bits().swap_bytes();
    }
    if symmetry & 4 != 0 {
        image = (0..64).filter(|i| image >> i & 1 != 0).map(|i| 1 << (i % 8 * 8 + i / 8)).sum();
    }
    image
}
