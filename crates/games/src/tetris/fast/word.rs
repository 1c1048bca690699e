//! One placement or eight: the arithmetic that both need, so that it is written once.

use std::ops::{Add, BitAnd, BitOr, Not, Sub};

use wide::{f64x8, i8x32, i32x8, u32x8};

/// One number, or eight side by side.
pub trait Word:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
{
    /// The weighted sum of such numbers.
    type Real: Copy;
    /// How many side by side.
    const LANES: usize;

    /// The same number everywhere.
    fn splat(number: u32) -> Self;
    /// Neighbours in an array, from an index on.
    fn load(array: &[u32], from: usize) -> Self;
    fn max(self, other: Self) -> Self;
    fn saturating_sub(self, other: Self) -> Self;
    /// Shifts by the same distance; nothing is left from 32 on.
    fn up(self, by: u32) -> Self;
    /// Shifts, each lane by its own distance; nothing is left from 32 on.
    fn up_each(self, by: Self) -> Self;
    fn down_each(self, by: Self) -> Self;
    /// All bits set where it is not zero.
    fn not_zero(self) -> Self;
    /// Whether all are zero.
    fn is_zero(self) -> bool;
    /// One bit a lane, set where it is greater.
    fn greater(self, other: Self) -> u32;
    /// The number of bits set.
    fn count(self) -> Self;
    /// The places of the bits set, from 1, added up; none may be above the eighth.
    fn sum_of_places(self) -> Self;
    /// 1 + 2 + ... up to the place of the highest bit set, from 1; it may not be above the eighth.
    fn sum_up_to_highest(self) -> Self;
    /// `sum + weight * self`, rounded twice as on the plain path.
    fn add_weighted(self, weight: f64, sum: Self::Real) -> Self::Real;
    /// `sum + weight * (self + offset)`.
    fn add_weighted_offset(self, offset: f64, weight: f64, sum: Self::Real) -> Self::Real;
    fn zero_sum() -> Self::Real;
    fn store(sum: Self::Real, values: &mut [f64]);
}

/// One number; it wraps where eight would.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct One(pub u32);

impl Add for One {
    type Output = One;
    #[inline(always)]
    fn add(self, other: One) -> One {
        One(self.0.wrapping_add(other.0))
    }
}

impl Sub for One {
    type Output = One;
    #[inline(always)]
    fn sub(self, other: One) -> One {
        One(self.0.wrapping_sub(other.0))
    }
}

impl BitAnd for One {
    type Output = One;
    #[inline(always)]
    fn bitand(self, other: One) -> One {
        One(self.0 & other.0)
    }
}

impl BitOr for One {
    type Output = One;
    #[inline(always)]
    fn bitor(self, other: One) -> One {
        One(self.0 | other.0)
    }
}

impl Not for One {
    type Output = One;
    #[inline(always)]
    fn not(self) -> One {
        One(!self.0)
    }
}

impl Word for One {
    type Real = f64;
    const LANES: usize = 1;

    #[inline(always)]
    fn splat(number: u32) -> Self {
        One(number)
    }

    #[inline(always)]
    fn load(array: &[u32], from: usize) -> Self {
        One(array[from])
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        One(self.0.max(other.0))
    }

    #[inline(always)]
    fn saturating_sub(self, other: Self) -> Self {
        One(self.0.saturating_sub(other.0))
    }

    #[inline(always)]
    fn up(self, by: u32) -> Self {
        One(self.0 << by)
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
    fn not_zero(self) -> Self {
        One(if self.0 == 0 { 0 } else { u32::MAX })
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    fn greater(self, other: Self) -> u32 {
        u32::from(self.0 > other.0)
    }

    #[inline(always)]
    fn count(self) -> Self {
        One(self.0.count_ones())
    }

    #[inline(always)]
    fn sum_of_places(self) -> Self {
        One(SUM_OF_PLACES[self.0 as usize & 15] + SUM_OF_PLACES_4[self.0 as usize >> 4 & 15])
    }

    #[inline(always)]
    fn sum_up_to_highest(self) -> Self {
        let place = u32::BITS - self.0.leading_zeros();
        One(place * (place + 1) / 2)
    }

    #[inline(always)]
    fn add_weighted(self, weight: f64, sum: f64) -> f64 {
        sum + weight * f64::from(self.0)
    }

    #[inline(always)]
    fn add_weighted_offset(self, offset: f64, weight: f64, sum: f64) -> f64 {
        sum + weight * (f64::from(self.0) + offset)
    }

    #[inline(always)]
    fn zero_sum() -> f64 {
        0.0
    }

    #[inline(always)]
    fn store(sum: f64, values: &mut [f64]) {
        values[0] = sum;
    }
}

/// For each nibble: bits set; places of the bits set, from 1 or from 5, added up; the triangle of the highest place.
const COUNT: [u32; 16] = table(0, 1);
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
fn look_up(table: &[u32; 16], bytes: u32x8) -> u32x8 {
    let table: [i8; 32] = std::array::from_fn(|i| table[i % 16] as i8);
    let found = i8x32::new(table).swizzle_half(bytemuck::cast(bytes));
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
pub fn count_in_bytes(lanes: u32x8) -> u32x8 {
    let [low, high] = nibbles(lanes);
    look_up(&COUNT, low) + look_up(&COUNT, high)
}

/// The four bytes of each lane added up; the sum must fit a byte.
#[inline(always)]
pub fn add_bytes(lanes: u32x8) -> u32x8 {
    let halves = lanes + lanes.unbounded_shr_scalar(16);
    (halves + halves.unbounded_shr_scalar(8)) & u32x8::splat(0xff)
}

#[inline(always)]
fn real(whole: u32x8) -> f64x8 {
    f64x8::from_i32x8(bytemuck::cast::<u32x8, i32x8>(whole))
}

impl Word for u32x8 {
    type Real = f64x8;
    const LANES: usize = 8;

    #[inline(always)]
    fn splat(number: u32) -> Self {
        u32x8::splat(number)
    }

    #[inline(always)]
    fn load(array: &[u32], from: usize) -> Self {
        let eight: [u32; 8] = array[from..from + 8].try_into().expect("eight of them");
        u32x8::new(eight)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        u32x8::max(self, other)
    }

    #[inline(always)]
    fn saturating_sub(self, other: Self) -> Self {
        // Not the crate's own, which takes more steps.
        u32x8::max(self, other) - other
    }

    #[inline(always)]
    fn up(self, by: u32) -> Self {
        self.unbounded_shl_scalar(by)
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
    fn not_zero(self) -> Self {
        !self.simd_eq(u32x8::ZERO)
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.simd_eq(u32x8::ZERO).all()
    }

    #[inline(always)]
    fn greater(self, other: Self) -> u32 {
        // Signed comparison is one instruction; heights are far from the sign.
        let [a, b] = [self, other].map(bytemuck::cast::<u32x8, i32x8>);
        bytemuck::cast::<i32x8, u32x8>(a.simd_gt(b)).to_bitmask()
    }

    #[inline(always)]
    fn count(self) -> Self {
        add_bytes(count_in_bytes(self))
    }

    #[inline(always)]
    fn sum_of_places(self) -> Self {
        let [low, high] = nibbles(self);
        look_up(&SUM_OF_PLACES, low) + look_up(&SUM_OF_PLACES_4, high)
    }

    #[inline(always)]
    fn sum_up_to_highest(self) -> Self {
        let [low, high] = nibbles(self);
        u32x8::max(look_up(&TRIANGLE, low), look_up(&TRIANGLE_4, high))
    }

    #[inline(always)]
    fn add_weighted(self, weight: f64, sum: f64x8) -> f64x8 {
        sum + f64x8::splat(weight) * real(self)
    }

    #[inline(always)]
    fn add_weighted_offset(self, offset: f64, weight: f64, sum: f64x8) -> f64x8 {
        sum + f64x8::splat(weight) * (real(self) + f64x8::splat(offset))
    }

    #[inline(always)]
    fn zero_sum() -> f64x8 {
        f64x8::ZERO
    }

    #[inline(always)]
    fn store(sum: f64x8, values: &mut [f64]) {
        values[..8].copy_from_slice(&sum.to_array());
    }
}
