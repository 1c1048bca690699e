//! Functions of real numbers that have the same bits on every machine, and the one source of chance, [`Dice`].
//!
//! The methods of `f64` of the same names call what the system brings along, and that chooses by processor: `exp` of one
//! C library has other last bits with fused multiplication than without. One bit more in a weight, and a run of learning goes another
//! way. These are computed by plain additions, multiplications, divisions and roots, each of which IEEE 754
//! prescribes to the last bit; so are `sqrt`, `abs`, `floor`, `round` and their kind, which may stay methods. A test refuses the others in all
//! other crates.
//!
//! ```
//! // The same everywhere, bit for bit.
//! assert_eq!(math::exp(1.0).to_bits(), 0x4005_bf0a_8b14_576a);
//! assert_eq!(math::powi(1.5, 3), 3.375);
//! ```

mod dice;

pub use dice::{Dice, mix};

/// e to the power of `x`.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// e to the power of `x`, less 1, exact where `x` is small.
pub fn exp_m1(x: f64) -> f64 {
    libm::expm1(x)
}

/// The natural logarithm.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// The natural logarithm of 1 + `x`, exact where `x` is small.
pub fn ln_1p(x: f64) -> f64 {
    libm::log1p(x)
}

/// The logarithm to base 2.
pub fn log2(x: f64) -> f64 {
    libm::log2(x)
}

/// The logarithm to base 10.
pub fn log10(x: f64) -> f64 {
    libm::log10(x)
}

/// The hyperbolic tangent.
pub fn tanh(x: f64) -> f64 {
    libm::tanh(x)
}

/// The sine of an angle in radians.
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// The cosine of an angle in radians.
pub fn cos(x: f64) -> f64 {
    libm::cos(x)
}

/// The length of the vector (`x`, `y`).
pub fn hypot(x: f64, y: f64) -> f64 {
    libm::hypot(x, y)
}

/// `x` to the power of `y`.
pub fn powf(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// `x` to a whole power, by squaring from the lowest bit of the power up: the library leaves the order of the products, and
/// so their last bits, to the compiler. In line, where a square is one product.
#[inline]
pub fn powi(x: f64, power: i32) -> f64 {
    let (mut product, mut square, mut left) = (1.0, x, power.unsigned_abs());
    while left != 0 {
        if left & 1 != 0 {
            product *= square;
        }
        left >>= 1;
        if left != 0 {
            square *= square;
        }
    }
    if power < 0 { 1.0 / product } else { product }
}

#[cfg(test)]
mod tests;
