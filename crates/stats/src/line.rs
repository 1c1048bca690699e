//! A straight line through points by least squares, and how far points lie from it.

use schemars::JsonSchema;
use serde::Serialize;

use super::Z95;

/// The line y = slope x + intercept.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize)]
pub struct Line {
    /// Points.
    pub n: usize,
    /// The slope.
    pub slope: f64,
    /// The height at x = 0.
    pub intercept: f64,
    /// The standard deviation of points around the line, with n - 2 degrees of freedom.
    pub spread: f64,
    /// The 95 % interval of the spread, if deviations are normal.
    pub spread_ci95: [f64; 2],
}

impl Line {
    /// Through these points (x, y); None for fewer than three, for what is no number, and if all x are the same.
    #[must_use]
    pub fn fit(points: &[(f64, f64)]) -> Option<Self> {
        let n = points.len();
        if n < 3 || !points.iter().all(|(x, y)| x.is_finite() && y.is_finite()) {
            return None;
        }
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n as f64;
        let (x_mean, y_mean) = (mean(|point| point.0), mean(|point| point.1));
        let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
            points.iter().map(|&(x, y)| of(x - x_mean, y - y_mean)).sum()
        };
        let squares = sum(&|x, _| x * x);
        if squares <= 0.0 {
            return None;
        }
        let slope = sum(&|x, y| x * y) / squares;
        let degrees = (n - 2) as f64;
        let spread = (sum(&|x, y| math::powi(y - slope * x, 2)) / degrees).sqrt();
        let bound = |z: f64| spread * (degrees / chi_square(degrees, z)).sqrt();
        let spread_ci95 = [bound(Z95), bound(-Z95)];
        Some(Self { n, slope, intercept: y_mean - slope * x_mean, spread, spread_ci95 })
    }
}

/// The value of the chi-square distribution below which lies what lies below `z` in the normal one (Wilson and Hilferty 1931).
pub(super) fn chi_square(degrees: f64, z: f64) -> f64 {
    let ninth = 2.0 / (9.0 * degrees);
    degrees * math::powi((1.0 - ninth + z * ninth.sqrt()).max(1e-3), 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_with_the_spread_around_it() {
        // Four points around y = 2 x + 1, one off by 1 to either side at each x.
        let points = [(0.0, 0.0), (0.0, 2.0), (3.0, 6.0), (3.0, 8.0)];
        let line = Line::fit(&points).unwrap();
        assert!((line.slope - 2.0).abs() < 1e-12 && (line.intercept - 1.0).abs() < 1e-12);
        assert!((line.spread - 2f64.sqrt()).abs() < 1e-12, "4 over 2 degrees of freedom");
        assert!(line.spread_ci95[0] < line.spread && line.spread < line.spread_ci95[1]);
        assert_eq!(Line::fit(&points[..2]), None);
        assert_eq!(Line::fit(&[(1.0, 1.0), (1.0, 2.0), (1.0, 3.0)]), None);
        assert_eq!(Line::fit(&[(1.0, 1.0), (2.0, f64::NAN), (1.0, 3.0)]), None);
    }

    #[test]
    fn quantiles_as_tabulated() {
        for (degrees, low, high) in [(10.0, 3.247, 20.483), (30.0, 16.791, 46.979), (100.0, 74.222, 129.561)]
        {
            assert!((chi_square(degrees, -Z95) - low).abs() < 0.06, "{}", chi_square(degrees, -Z95));
            assert!((chi_square(degrees, Z95) - high).abs() < 0.06, "{}", chi_square(degrees, Z95));
        }
    }
}
