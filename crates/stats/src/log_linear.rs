//! A straight line through the logarithms of means: weighted least squares (Bevington and Robinson 2003, chapter 6). It
//! says by what factor a mean grows with x, as lines with the height of the board, and what to expect where the games
//! would be too long to play.

use schemars::JsonSchema;
use serde::Serialize;

use super::Z95;

/// A mean that was measured at x.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize)]
pub struct Point {
    /// Where.
    pub x: f64,
    /// The mean, above 0.
    pub mean: f64,
    /// The standard error of the mean over the mean, above 0; to first order it is the error of the logarithm.
    pub relative_error: f64,
}

/// The line ln(mean) = intercept + slope x. Its errors are those that the errors of the points explain; where the points
/// lie further from the line than that, multiply by [`LogLinear::widening`].
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize)]
pub struct LogLinear {
    /// Points.
    pub n: usize,
    /// Growth of ln(mean) with x.
    pub slope: f64,
    /// Its standard error.
    pub slope_error: f64,
    /// ln(mean) at x = 0.
    pub intercept: f64,
    /// Its standard error.
    pub intercept_error: f64,
    /// Chi-square per degree of freedom, n - 2 of them: about 1 if line and errors are right.
    pub chi2_per_dof: f64,
    /// The weighted mean of the x. Slope and height of the line are independent there.
    pub center: f64,
    /// The standard error of the height there.
    pub center_error: f64,
}

/// What a line expects.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize)]
pub struct Prediction {
    /// The mean to be expected.
    pub value: f64,
    /// Its 95 % interval: that of the line, without the error of a new measurement.
    pub ci95: [f64; 2],
}

impl LogLinear {
    /// Through these points; None for fewer than three, for a mean or an error that is not a number above 0, and if all x
    /// are the same.
    #[must_use]
    pub fn fit(points: &[Point]) -> Option<Self> {
        let positive = |value: f64| value > 0.0 && value.is_finite();
        let usable = |p: &Point| p.x.is_finite() && positive(p.mean) && positive(p.relative_error);
        if points.len() < 3 || !points.iter().all(usable) {
            return None;
        }
        let weighted = |value: &dyn Fn(&Point) -> f64| -> f64 {
            points.iter().map(|point| value(point) / math::powi(point.relative_error, 2)).sum()
        };
        let weight = weighted(&|_| 1.0);
        let center = weighted(&|p| p.x) / weight;
        let height = weighted(&|p| math::ln(p.mean)) / weight;
        let spread = weighted(&|p| math::powi(p.x - center, 2));
        if !positive(spread) {
            return None;
        }
        let slope = weighted(&|p| (p.x - center) * (math::ln(p.mean) - height)) / spread;
        let chi2 = weighted(&|p| math::powi(math::ln(p.mean) - height - slope * (p.x - center), 2));
        Some(Self {
            n: points.len(),
            slope,
            slope_error: spread.sqrt().recip(),
            intercept: height - slope * center,
            intercept_error: (1.0 / weight + center * center / spread).sqrt(),
            chi2_per_dof: chi2 / (points.len() - 2) as f64,
            center,
            center_error: weight.sqrt().recip(),
        })
    }

    /// What errors are to be multiplied by: sqrt(chi-square per degree of freedom) if the fit is worse than the errors of
    /// its points, 1 if it is not, for a fit that is too good by luck makes no point better.
    #[must_use]
    pub fn widening(&self) -> f64 {
        self.chi2_per_dof.max(1.0).sqrt()
    }

    /// The mean at `x`, with an interval on the scale of logarithms, widened where the fit is bad.
    #[must_use]
    pub fn predict(&self, x: f64) -> Prediction {
        let log = self.intercept + self.slope * x;
        let error = math::hypot(self.center_error, (x - self.center) * self.slope_error);
        let half = Z95 * error * self.widening();
        Prediction { value: math::exp(log), ci95: [math::exp(log - half), math::exp(log + half)] }
    }
}

#[cfg(test)]
mod tests {
    use math::Dice;

    use super::super::draws::exponentials;
    use super::*;

    fn point(x: f64, log: f64, relative_error: f64) -> Point {
        Point { x, mean: math::exp(log), relative_error }
    }

    #[track_caller]
    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9 * b.abs().max(1.0), "{a} is not {b}");
    }

    #[test]
    fn a_line_by_hand() {
        // Logarithms 0, 1, 3 at 0, 1, 2: slope 3/2, intercept -1/6, residuals 1/6, -1/3, 1/6.
        let line =
            LogLinear::fit(&[point(0.0, 0.0, 0.1), point(1.0, 1.0, 0.1), point(2.0, 3.0, 0.1)]).unwrap();
        close(line.slope, 1.5);
        close(line.intercept, -1.0 / 6.0);
        close(line.slope_error, 0.1 / 2f64.sqrt());
        close(line.intercept_error, 0.1 * (1.0 / 3.0 + 1.0 / 2.0f64).sqrt());
        close(line.chi2_per_dof, (1.0 / 6.0) / 0.01);
        // At 3: 13/3, with variance 0.01 (1/3 + 2^2 / 2) times chi-square 50/3.
        let prediction = line.predict(3.0);
        close(math::ln(prediction.value), 13.0 / 3.0);
        let half = 1.959_963_984_540_054 * (0.01 * (7.0 / 3.0) * (50.0 / 3.0f64)).sqrt();
        close(math::ln(prediction.ci95[0]), 13.0 / 3.0 - half);
        close(math::ln(prediction.ci95[1]), 13.0 / 3.0 + half);
    }

    #[test]
    fn weights_by_hand() {
        // Weights 4, 1, 1: center 1/2, height 2/3, spread 1 + 1/4 + 9/4, cross 4/3 + 1/6 + 7/2; slope 10/7.
        let line =
            LogLinear::fit(&[point(0.0, 0.0, 0.5), point(1.0, 1.0, 1.0), point(2.0, 3.0, 1.0)]).unwrap();
        let (center, height): (f64, f64) = (3.0 / 6.0, 4.0 / 6.0);
        let spread = 4.0 * 0.25 + 0.25 + 2.25;
        let cross = 4.0 * (-0.5) * (-height) + 0.5 * (1.0 - height) + 1.5 * (3.0 - height);
        close(line.slope, 10.0 / 7.0);
        close(line.intercept, height - center * cross / spread);
        close(line.slope_error, math::powf(spread, -0.5));
        close(line.center_error, math::powf(6.0, -0.5));
        // The fit is better than its errors: nothing is made narrower.
        assert!(line.chi2_per_dof < 1.0 && line.widening() == 1.0);
        let half = 1.959_963_984_540_054 * (1.0 / 6.0 + math::powi(1.5, 2) / spread).sqrt();
        close(math::ln(line.predict(2.0).ci95[1]), math::ln(line.predict(2.0).value) + half);
    }

    #[test]
    fn norris_as_certified() {
        // NIST Statistical Reference Datasets, "Norris", y over 100 so that its exponential is a number; certified:
        // slope, intercept and residual standard deviation of y on x.
        #[rustfmt::skip]
        let x = [0.2, 337.4, 118.2, 884.6, 10.1, 226.5, 666.3, 996.3, 448.6, 777.0, 558.2, 0.4, 0.6, 775.5, 666.9,
            338.0, 447.5, 11.6, 556.0, 228.1, 995.8, 887.6, 120.2, 0.3, 0.3, 556.8, 339.1, 887.2, 999.0, 779.0, 11.1,
            118.3, 229.2, 669.1, 448.9, 0.5];
        #[rustfmt::skip]
        let y = [0.1, 338.8, 118.1, 888.0, 9.2, 228.1, 668.5, 998.5, 449.1, 778.9, 559.2, 0.3, 0.1, 778.1, 668.8,
            339.3, 448.9, 10.8, 557.7, 228.3, 998.0, 888.8, 119.6, 0.3, 0.6, 557.6, 339.3, 888.0, 998.5, 778.9, 10.2,
            117.6, 228.9, 668.4, 449.2, 0.2];
        let points: Vec<Point> = x.into_iter().zip(y).map(|(x, y)| point(x, y / 100.0, 0.01)).collect();
        let line = LogLinear::fit(&points).unwrap();
        let residual = 0.884_796_396_144_373f64;
        close(line.slope * 100.0, 1.002_116_818_020_45);
        close(line.intercept * 100.0, -0.262_323_073_774_029);
        close(line.chi2_per_dof, math::powi(residual, 2));
        close(line.slope_error * 100.0 * residual, 0.429_796_848_199_937e-3);
        close(line.intercept_error * 100.0 * residual, 0.232_818_234_301_152);
    }

    #[test]
    fn predictions_cover_what_is_true() {
        // Exponential values with means 10 * 3^x at x = 0 to 4, 400 each; what is expected at x = 6?
        let (truth, trials) = (10.0 * math::powi(3.0, 6), 1_000);
        let mut dice = Dice::seeded(&[12]);
        let mut covers = || {
            let points: Vec<Point> = (0..5)
                .map(|x| {
                    let values = exponentials(&mut dice, 10.0 * math::powi(3.0, x), 400);
                    let mean = values.iter().sum::<f64>() / 400.0;
                    Point { x: f64::from(x), mean, relative_error: 0.05 }
                })
                .collect();
            let [low, high] = LogLinear::fit(&points).unwrap().predict(6.0).ci95;
            low <= truth && truth <= high
        };
        let covered = (0..trials).filter(|_| covers()).count();
        // At least 95 %, for the widening only widens; three standard errors are 2 %.
        assert!((930..=995).contains(&covered), "{covered} of {trials}");
    }

    #[test]
    fn no_line_through_too_little() {
        let good = [point(0.0, 0.0, 0.1), point(1.0, 1.0, 0.1), point(2.0, 3.0, 0.1)];
        assert!(LogLinear::fit(&good).is_some());
        assert!(LogLinear::fit(&good[..2]).is_none());
        assert!(LogLinear::fit(&good.map(|p| Point { x: 7.0, ..p })).is_none());
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(LogLinear::fit(&[good[0], good[1], Point { mean: bad, ..good[2] }]).is_none());
            assert!(LogLinear::fit(&[good[0], good[1], Point { relative_error: bad, ..good[2] }]).is_none());
        }
        assert!(LogLinear::fit(&[good[0], good[1], Point { x: f64::NAN, ..good[2] }]).is_none());
    }
}
