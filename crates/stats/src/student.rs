//! The t distribution of Student (1908), for intervals of few values.

use super::Z95;

/// The two-sided 95 % quantile of the t distribution, infinite without a degree of freedom. Tabulated where the expansion
/// around the normal quantile (Abramowitz and Stegun 1964, 26.7.5) is off by more than 0.001.
#[must_use]
pub fn t95(degrees: usize) -> f64 {
    const FEW: [f64; 4] = [f64::INFINITY, 12.706_205, 4.302_653, 3.182_446];
    if let Some(&t) = FEW.get(degrees) {
        return t;
    }
    let (z, v) = (Z95, degrees as f64);
    let terms = [
        (math::powi(z, 3) + z) / 4.0,
        (5.0 * math::powi(z, 5) + 16.0 * math::powi(z, 3) + 3.0 * z) / 96.0,
        (3.0 * math::powi(z, 7) + 19.0 * math::powi(z, 5) + 17.0 * math::powi(z, 3) - 15.0 * z) / 384.0,
        (79.0 * math::powi(z, 9) + 776.0 * math::powi(z, 7) + 1482.0 * math::powi(z, 5)
            - 1920.0 * math::powi(z, 3)
            - 945.0 * z)
            / 92_160.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| (sum + term) / v) + z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_tabulated() {
        let table = [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (6, 2.447), (8, 2.306)];
        let more = [(10, 2.228), (15, 2.131), (20, 2.086), (30, 2.042), (60, 2.000), (120, 1.980)];
        for (degrees, t) in table.into_iter().chain(more) {
            assert!((t95(degrees) - t).abs() < 0.0011, "{degrees}: {}", t95(degrees));
        }
        assert_eq!(t95(0), f64::INFINITY);
        assert!((t95(1_000_000_000) - Z95).abs() < 1e-8);
    }
}
