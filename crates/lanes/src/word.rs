//! One placement or eight: the arithmetic that both need, so that it is written once.

use std::ops::{Add, BitAnd, BitOr, Not, Sub};

use wide::{f32x8, i8x32, i32x8, u8x32, u16x16, u32x8};

use super::board::PADDED;

/// A weight, side by side as lanes multiply by it: loaded at once, not spread every time.
pub type Weight = [f32; 8];

/// One number, or eight side by side.
pub trait Word:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
{
    /// The weighted sum of such numbers, to about seven digits.
    type Real: Copy;
    /// How many side by side.
    const LANES: usize;

    /// The same number everywhere.
    fn splat(number: u32) -> Self;
    /// Neighbours in an array, from an index on.
    fn load<const N: usize>(array: &[u32; N], from: usize) -> Self;
    /// The greater one, as signed numbers.
    fn max(self, other: Self) -> Self;
    /// The less one, as signed numbers.
    fn min(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// The place of the highest bit set, from 1, which is not the highest of all.
    fn height(self) -> Self;
    /// An entry of a table, which has bytes and begins with 0; no number is larger than 15.
    fn look_up(self, table: &[u32; 16]) -> Self;
    /// An entry of a table; no number is larger than 31.
    fn entry(self, table: &[u32; 32]) -> Self;
    /// An entry of a table of weights; its length is a power of two, and no number is larger.
    fn weight<const N: usize>(self, table: &[f32; N]) -> Self::Real;
    /// The same of a table of any length.
    fn weight_in(self, table: &[f32]) -> Self::Real;
    /// Neighbours in an array of sums.
    fn load_sum(array: &[f32; PADDED], from: usize) -> Self::Real;
    fn add_sums(a: Self::Real, b: Self::Real) -> Self::Real;
    fn subtract_sums(a: Self::Real, b: Self::Real) -> Self::Real;
    /// Shifts by the same distance.
    fn up(self, by: u32) -> Self;
    fn down(self, by: u32) -> Self;
    /// Shifts, each lane by its own distance; nothing is left from 32 on.
    fn up_each(self, by: Self) -> Self;
    fn down_each(self, by: Self) -> Self;
    /// The same where nothing is set when it would be shifted by 32 or more: one number needs no check then.
    fn down_within(self, by: Self) -> Self;
    /// All bits set where it is zero.
    fn zero(self) -> Self;
    /// All bits set where both are the same.
    fn same(self, other: Self) -> Self;
    /// Byte by byte, none less than in the first and none more than in the second.
    fn bytes_within(self, least: u32, most: u32) -> Self;
    /// Whether all are zero.
    fn is_zero(self) -> bool;
    /// All bits set where it is greater, as signed numbers.
    fn greater(self, other: Self) -> Self;
    /// One bit a lane, its highest.
    fn bits(self) -> u32;
    /// The number of bits set.
    fn count(self) -> Self;
    /// Twice the number of bits set, of which only the lowest four may be.
    fn twice_count_of_four(self) -> Self;
    /// In each byte the places of the bits set, from 1; all of them added up.
    fn sum_of_places(self) -> Self;
    /// In each byte 1 + 2 + ... up to the place of the highest bit set, from 1; the four added up.
    fn sum_up_to_highest(self) -> Self;
    /// `weight * self`.
    fn weighted(self, weight: &Weight) -> Self::Real;
    /// `sum + weight * self`.
    fn add_weighted(self, weight: &Weight, sum: Self::Real) -> Self::Real;
    fn zero_sum() -> Self::Real;
    /// The sum, or less than any where all bits of `self` are set.
    fn spoil(self, sum: Self::Real) -> Self::Real;
}

/// One number; it wraps where eight would.
pub use std::num::Wrapping as One;

impl Word for One<u32> {
    type Real = f32;
    const LANES: usize = 1;

    #[inline(always)]
    fn splat(number: u32) -> Self {
        One(number)
    }

    #[inline(always)]
    fn load<const N: usize>(array: &[u32; N], from: usize) -> Self {
        // The remainder changes nothing, and needs no check.
        One(array[from % N])
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        One((self.0 as i32).max(other.0 as i32) as u32)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        One((self.0 as i32).min(other.0 as i32) as u32)
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        One(self.0.wrapping_mul(other.0))
    }

    #[inline(always)]
    fn height(self) -> Self {
        One(u32::BITS - self.0.leading_zeros())
    }

    #[inline(always)]
    fn look_up(self, table: &[u32; 16]) -> Self {
        One(table[self.0 as usize % 16])
    }

    #[inline(always)]
    fn entry(self, table: &[u32; 32]) -> Self {
        One(table[self.0 as usize % 32])
    }

    #[inline(always)]
    fn weight<const N: usize>(self, table: &[f32; N]) -> f32 {
        table[self.0 as usize % N]
    }

    #[inline(always)]
    fn weight_in(self, table: &[f32]) -> f32 {
        table[self.0 as usize]
    }

    #[inline(always)]
    fn load_sum(array: &[f32; PADDED], from: usize) -> f32 {
        array[from % PADDED]
    }

    #[inline(always)]
    fn add_sums(a: f32, b: f32) -> f32 {
        a + b
    }

    #[inline(always)]
    fn subtract_sums(a: f32, b: f32) -> f32 {
        a - b
    }

    #[inline(always)]
    fn up(self, by: u32) -> Self {
        One(self.0 << by)
    }

    #[inline(always)]
    fn down(self, by: u32) -> Self {
        One(self.0 >> by)
    }

    #[inline(always)]
    fn up_each(self, by: Self) -> Self {
        One(self.0.unbounded_shl(by.0))
    }

    #[inline(always)]
    fn down_each(self, by: Self) -> Self {
        One(self.0.unbounded_shr(by.0))
    }

    #[inline(always)]
    fn down_within(self, by: Self) -> Self {
        One(self.0.wrapping_shr(by.0))
    }

    #[inline(always)]
    fn zero(self) -> Self {
        One(if self.0 == 0 { u32::MAX } else { 0 })
    }

    #[inline(always)]
    fn same(self, other: Self) -> Self {
        One(if self.0 == other.0 { u32::MAX } else { 0 })
    }

    #[inline(always)]
    fn bytes_within(self, least: u32, most: u32) -> Self {
        let [own, least, most] = [self.0, least, most].map(u32::to_le_bytes);
        One(u32::from_le_bytes(std::array::from_fn(|i| own[i].max(least[i]).min(most[i]))))
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        One(if self.0 as i32 > other.0 as i32 { u32::MAX } else { 0 })
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        self.0 >> 31
    }

    #[inline(always)]
    fn count(self) -> Self {
        One(self.0.count_ones())
    }

    #[inline(always)]
    fn twice_count_of_four(self) -> Self {
        One(2 * self.0.count_ones())
    }

    #[inline(always)]
    fn sum_of_places(self) -> Self {
        // The place less one is a number of three bits, and each of them is counted. With `down_within` it takes 40 of 317
        // instructions off what `dn` does one by one.
        let count = |mask: u32| (self.0 & mask).count_ones();
        One(self.0.count_ones() + count(0xaaaa_aaaa) + 2 * count(0xcccc_cccc) + 4 * count(0xf0f0_f0f0))
    }

    #[inline(always)]
    fn sum_up_to_highest(self) -> Self {
        let mut below = self.0;
        below |= below >> 1 & 0x7f7f_7f7f;
        below |= below >> 2 & 0x3f3f_3f3f;
        below |= below >> 4 & 0x0f0f_0f0f;
        One(below).sum_of_places()
    }

    #[inline(always)]
    fn weighted(self, weight: &Weight) -> f32 {
        // Signed, which is one instruction; no number is that large.
        weight[0] * (self.0 as i32 as f32)
    }

    #[inline(always)]
    fn add_weighted(self, weight: &Weight, sum: f32) -> f32 {
        sum + self.weighted(weight)
    }

    #[inline(always)]
    fn zero_sum() -> f32 {
        0.0
    }

    #[inline(always)]
    fn spoil(self, sum: f32) -> f32 {
        if self.0 == 0 { sum } else { f32::NEG_INFINITY }
    }
}

/// For each nibble: bits set; places of the bits set, from 1 or from 5, added up; the triangle of the highest place.
const COUNT: [u32; 16] = table(0, 1);
const TWICE_COUNT: [u32; 16] = table(0, 2);
const SUM_OF_PLACES: [u32; 16] = table(1, 0);
const SUM_OF_PLACES_4: [u32; 16] = table(5, 0);
const TRIANGLE: [u32; 16] = triangle(0);
const TRIANGLE_4: [u32; 16] = triangle(4);

/// Each bit of the nibble counts `each`, or its place with the lowest place being `from`.
const fn table(from: u32, each: u32) -> [u32; 16] {
    let mut table = [0; 16];
    let mut i = 0;
    while i < 64 {
        let (nibble, bit) = (i / 4, i % 4);
        if nibble >> bit & 1 != 0 {
            table[nibble] += if each > 0 { each } else { from + bit as u32 };
        }
        i += 1;
    }
    table
}

const fn triangle(from: u32) -> [u32; 16] {
    let mut table = [0; 16];
    let mut nibble = 1u32;
    while nibble < 16 {
        let place = from + u32::BITS - nibble.leading_zeros();
        table[nibble as usize] = place * (place + 1) / 2;
        nibble += 1;
    }
    table
}

/// Looks every byte, which must be below 16, up in a table of bytes.
#[inline(always)]
fn look_up_bytes(table: &[u32; 16], bytes: u32x8) -> u32x8 {
    let table: [i8; 32] = std::array::from_fn(|i| table[i % 16] as i8);
    // The relaxed one is a single instruction; the other first guards against bytes from 16 on.
    let found = i8x32::new(table).swizzle_half_relaxed(bytemuck::cast(bytes));
    bytemuck::cast(found)
}

/// The low and the high four bits of every byte.
#[inline(always)]
fn nibbles(lanes: u32x8) -> [u32x8; 2] {
    let mask = u32x8::splat(0x0f0f_0f0f);
    [lanes & mask, lanes.unbounded_shr_scalar(4) & mask]
}

/// The bits set in each byte, counted there.
#[inline(always)]
fn count_in_bytes(lanes: u32x8) -> u32x8 {
    let [low, high] = nibbles(lanes);
    look_up_bytes(&COUNT, low) + look_up_bytes(&COUNT, high)
}

/// The bits set in the first lanes, of which there are `N`, an even number.
#[inline(always)]
pub fn count_lanes<const N: usize>(lanes: u32x8) -> u32 {
    let pairs: [u64; 4] = bytemuck::cast(lanes);
    let mut count = 0;
    for i in 0..N / 2 {
        count += pairs[i].count_ones();
    }
    count
}

/// The height of a wall for [`heights`]: no difference to it lies within -2 to 2.
pub const WALL_HEIGHT: u32 = 256 + 32;

/// The place of the highest bit set, from 1; of a wall, where all are set, [`WALL_HEIGHT`]. It is found in the exponent of
/// the number as a float: 5 instructions, where filling all bits below and counting them takes 18. If the highest of all
/// 32 bits is set elsewhere, it is 256 and something.
#[inline(always)]
pub fn heights(lanes: u32x8) -> u32x8 {
    // Without the bit below the highest one no rounding makes another power of two of it.
    let highest = lanes & !lanes.unbounded_shr_scalar(1);
    let exponents = bytemuck::cast::<f32x8, u32x8>(f32x8::from_i32x8(bytemuck::cast(highest)));
    let exponents: u16x16 = bytemuck::cast(exponents.unbounded_shr_scalar(23));
    // Nothing has the exponent 0.
    bytemuck::cast(exponents.saturating_sub(bytemuck::cast(u32x8::splat(126))))
}

/// The four bytes of each lane added up; the sum must fit a byte.
#[inline(always)]
fn add_bytes(lanes: u32x8) -> u32x8 {
    (lanes * u32x8::splat(0x0101_0101)).unbounded_shr_scalar(24)
}

/// All lanes added up.
#[inline(always)]
pub fn add_lanes(lanes: u32x8) -> u32 {
    let [a, b]: [wide::u32x4; 2] = bytemuck::cast(lanes);
    (a + b).to_array().into_iter().fold(0, u32::wrapping_add)
}

/// What all lanes share.
#[inline(always)]
pub fn and_lanes(lanes: u32x8) -> u32 {
    let [a, b]: [wide::u32x4; 2] = bytemuck::cast(lanes);
    (a & b).to_array().into_iter().fold(u32::MAX, |all, one| all & one)
}

/// All lanes together.
#[inline(always)]
pub fn or_lanes(lanes: u32x8) -> u32 {
    let [a, b]: [wide::u32x4; 2] = bytemuck::cast(lanes);
    (a | b).to_array().into_iter().fold(0, |all, one| all | one)
}

impl Word for u32x8 {
    type Real = f32x8;
    const LANES: usize = 8;

    #[inline(always)]
    fn splat(number: u32) -> Self {
        u32x8::splat(number)
    }

    #[inline(always)]
    fn load<const N: usize>(array: &[u32; N], from: usize) -> Self {
        let eight: [u32; 8] = array[from..from + 8].try_into().expect("eight of them");
        u32x8::new(eight)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        let [a, b] = [self, other].map(bytemuck::cast::<u32x8, i32x8>);
        bytemuck::cast(a.max(b))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        let [a, b] = [self, other].map(bytemuck::cast::<u32x8, i32x8>);
        bytemuck::cast(a.min(b))
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self * other
    }

    #[inline(always)]
    fn height(self) -> Self {
        heights(self)
    }

    #[inline(always)]
    fn look_up(self, table: &[u32; 16]) -> Self {
        look_up_bytes(table, self)
    }

    #[inline(always)]
    fn entry(self, table: &[u32; 32]) -> Self {
        let half =
            |from: usize| -> u32x8 { u32x8::new(table[from..from + 8].try_into().expect("eight of them")) };
        if (self & u32x8::splat(16)).is_zero() {
            // Two shuffles in place of eight loads; only the lowest three bits of a number are looked at there.
            let upper = (self & u32x8::splat(8)).simd_eq(u32x8::splat(8));
            return (half(0).shuffle_wrapping(self) & !upper) | (half(8).shuffle_wrapping(self) & upper);
        }
        let [a, b, c, d, e, f, g, h] = self.to_array().map(|number| number as usize % 32);
        u32x8::new([table[a], table[b], table[c], table[d], table[e], table[f], table[g], table[h]])
    }

    #[inline(always)]
    fn weight<const N: usize>(self, table: &[f32; N]) -> Self::Real {
        // Not a map: its closure is called where there are many of them.
        let [a, b, c, d, e, f, g, h] = self.to_array();
        f32x8::new([
            table[a as usize % N],
            table[b as usize % N],
            table[c as usize % N],
            table[d as usize % N],
            table[e as usize % N],
            table[f as usize % N],
            table[g as usize % N],
            table[h as usize % N],
        ])
    }

    #[inline(always)]
    fn weight_in(self, table: &[f32]) -> Self::Real {
        let [a, b, c, d, e, f, g, h] = self.to_array().map(|number| number as usize);
        f32x8::new([table[a], table[b], table[c], table[d], table[e], table[f], table[g], table[h]])
    }

    #[inline(always)]
    fn load_sum(array: &[f32; PADDED], from: usize) -> Self::Real {
        let eight: [f32; 8] = array[from..from + 8].try_into().expect("eight of them");
        f32x8::new(eight)
    }

    #[inline(always)]
    fn add_sums(a: Self::Real, b: Self::Real) -> Self::Real {
        a + b
    }

    #[inline(always)]
    fn subtract_sums(a: Self::Real, b: Self::Real) -> Self::Real {
        a - b
    }

    #[inline(always)]
    fn up(self, by: u32) -> Self {
        self.unbounded_shl_scalar(by)
    }

    #[inline(always)]
    fn down(self, by: u32) -> Self {
        self.unbounded_shr_scalar(by)
    }

    #[inline(always)]
    fn up_each(self, by: Self) -> Self {
        self.unbounded_shl(by)
    }

    #[inline(always)]
    fn down_each(self, by: Self) -> Self {
        self.unbounded_shr(by)
    }

    #[inline(always)]
    fn down_within(self, by: Self) -> Self {
        self.unbounded_shr(by)
    }

    #[inline(always)]
    fn zero(self) -> Self {
        self.simd_eq(u32x8::ZERO)
    }

    #[inline(always)]
    fn same(self, other: Self) -> Self {
        self.simd_eq(other)
    }

    #[inline(always)]
    fn bytes_within(self, least: u32, most: u32) -> Self {
        let bytes = |numbers: u32x8| bytemuck::cast::<u32x8, u8x32>(numbers);
        let within = bytes(self).max(bytes(u32x8::splat(least))).min(bytes(u32x8::splat(most)));
        bytemuck::cast(within)
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.simd_eq(u32x8::ZERO).all()
    }

    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        let [a, b] = [self, other].map(bytemuck::cast::<u32x8, i32x8>);
        bytemuck::cast(a.simd_gt(b))
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        self.to_bitmask()
    }

    #[inline(always)]
    fn count(self) -> Self {
        add_bytes(count_in_bytes(self))
    }

    #[inline(always)]
    fn twice_count_of_four(self) -> Self {
        look_up_bytes(&TWICE_COUNT, self)
    }

    #[inline(always)]
    fn sum_of_places(self) -> Self {
        let [low, high] = nibbles(self);
        add_bytes(look_up_bytes(&SUM_OF_PLACES, low) + look_up_bytes(&SUM_OF_PLACES_4, high))
    }

    #[inline(always)]
    fn sum_up_to_highest(self) -> Self {
        let [low, high] = nibbles(self);
        let [low, high] = [look_up_bytes(&TRIANGLE, low), look_up_bytes(&TRIANGLE_4, high)];
        let [low, high] = [low, high].map(bytemuck::cast::<u32x8, i8x32>);
        add_bytes(bytemuck::cast(low.max(high)))
    }

    #[inline(always)]
    fn weighted(self, weight: &Weight) -> Self::Real {
        f32x8::new(*weight) * f32x8::from_i32x8(bytemuck::cast(self))
    }

    #[inline(always)]
    fn add_weighted(self, weight: &Weight, sum: Self::Real) -> Self::Real {
        f32x8::from_i32x8(bytemuck::cast(self)).mul_add(f32x8::new(*weight), sum)
    }

    #[inline(always)]
    fn zero_sum() -> Self::Real {
        f32x8::ZERO
    }

    #[inline(always)]
    fn spoil(self, sum: Self::Real) -> Self::Real {
        bytemuck::cast::<u32x8, f32x8>(self).select(f32x8::splat(f32::NEG_INFINITY), sum)
    }
}
