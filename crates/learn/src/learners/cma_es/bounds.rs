//! Bounds by a change of coordinates: the search runs without bounds, and every coordinate it names is mapped into its
//! interval before it is tried.
//!
//! Projecting onto the bounds would make all points beyond them equal and the distribution would drift away there; drawing
//! again until a point is inside takes ever longer near a corner and bends the distribution. The map is smooth, as pycma's:
//! the identity except near the ends, where it is a parabola with its vertex on the bound. An optimum on the bound is an
//! ordinary optimum of the unbounded search.

use serde::{Deserialize, Serialize};

/// The part of the interval, at either end, where the map is not the identity.
const MARGIN: f64 = 0.05;

/// The bounds of one coordinate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lowest value.
    pub low: f64,
    /// The highest value.
    pub high: f64,
}

impl Interval {
    /// Its length.
    pub fn width(self) -> f64 {
        self.high - self.low
    }

    /// The middle.
    pub fn middle(self) -> f64 {
        self.low + self.width() / 2.0
    }

    /// The image of a free number.
    pub fn image(self, free: f64) -> f64 {
        // From the vertex of one parabola to that of the other; then back, and so on.
        let margin = MARGIN * self.width();
        let length = self.width() + 2.0 * margin;
        let along = (free - (self.low - margin)).rem_euclid(2.0 * length);
        let along = along.min(2.0 * length - along);
        let (near, far) = (along, length - along);
        let value = if near < 2.0 * margin {
            self.low + near * near / (4.0 * margin)
        } else if far < 2.0 * margin {
            self.high - far * far / (4.0 * margin)
        } else {
            self.low - margin + along
        };
        value.clamp(self.low, self.high)
    }

    /// The free number whose image this is.
    pub fn free(self, value: f64) -> f64 {
        let margin = MARGIN * self.width();
        let (near, far) = (value - self.low, self.high - value);
        if near < margin {
            self.low - margin + 2.0 * (margin * near).sqrt()
        } else if far < margin {
            self.high + margin - 2.0 * (margin * far).sqrt()
        } else {
            value
        }
    }
}
