//! The normal distribution.

/// The share of the standard normal distribution below `z`: half the complementary error function of -z / sqrt(2), which
/// is summed as a series near 0 and as a continued fraction further out (Abramowitz and Stegun 1964, 26.2.11, 26.2.14).
#[must_use]
pub fn normal_below(z: f64) -> f64 {
    if z.is_nan() {
        return z;
    }
    let x = z.abs();
    let density = math::exp(-0.5 * x * x) / (2.0 * std::f64::consts::PI).sqrt();
    let beyond = if x < 3.0 {
        let (mut term, mut sum, mut odd) = (x, x, 1.0);
        while term > 1e-17 * sum {
            odd += 2.0;
            term *= x * x / odd;
            sum += term;
        }
        0.5 - density * sum
    } else {
        density / (1..=60).rev().fold(x, |rest, k| x + f64::from(k) / rest)
    };
    if z > 0.0 { 1.0 - beyond } else { beyond }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_tabulated() {
        let table = [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (-1.0, 0.158_655_253_931_457),
            (super::super::Z95, 0.975),
            (2.999_999, 0.998_650_097_6),
            (3.000_001, 0.998_650_106_4),
            (-5.0, 2.866_515_719e-7),
        ];
        for (z, share) in table {
            assert!((normal_below(z) - share).abs() < 1e-9 * share.max(1e-6), "{z}: {}", normal_below(z));
        }
        assert_eq!((normal_below(f64::INFINITY), normal_below(f64::NEG_INFINITY)), (1.0, 0.0));
    }
}
