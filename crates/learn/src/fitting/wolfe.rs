//! The line search of quasi-Newton methods: a step that fulfils the strong Wolfe conditions (Nocedal & Wright 2006,
//! algorithms 3.5 and 3.6). They make sure that the curvature along the step is positive, without which the matrix of BFGS
//! would not stay positive definite.

use super::{Objective, Point};

/// The loss must fall by this share of what the slope promises (c1).
const ENOUGH: f64 = 1e-4;
/// The slope must become this much flatter (c2); loose, as is usual for quasi-Newton directions.
const FLATTER: f64 = 0.9;
const MOST_TRIES: usize = 40;

/// A place on the line.
struct Place {
    step: f64,
    slope: f64,
    point: Point,
}

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The point of a good step from `from` along `direction`, beginning with the step `first`; `None` if there is none.
pub fn search(objective: &dyn Objective, from: &Point, direction: &[f64], first: f64) -> Option<Point> {
    let slope_at_0 = dot(&from.gradient, direction);
    if slope_at_0.is_nan() || slope_at_0 >= 0.0 {
        return None;
    }
    let place = |step: f64| {
        let parameters: Vec<f64> = from.parameters.iter().zip(direction).map(|(x, d)| x + step * d).collect();
        let point = Point::of(objective, parameters);
        Place { step, slope: dot(&point.gradient, direction), point }
    };
    let too_high = |place: &Place| {
        !place.point.loss.is_finite() || place.point.loss > from.loss + ENOUGH * place.step * slope_at_0
    };
    let flat = |place: &Place| place.slope.abs() <= -FLATTER * slope_at_0;

    let mut before = Place { step: 0.0, slope: slope_at_0, point: from.clone() };
    let mut step = first;
    for attempt in 0..MOST_TRIES {
        let now = place(step);
        if too_high(&now) || (attempt > 0 && now.point.loss >= before.point.loss) {
            return zoom(before, now, &place, &too_high, &flat);
        }
        if flat(&now) {
            return Some(now.point);
        }
        if now.slope >= 0.0 {
            return zoom(now, before, &place, &too_high, &flat);
        }
        step = 2.0 * now.step;
        before = now;
    }
    // Downhill as far as one can see: take it.
    Some(before.point)
}

/// Between a step that is low enough and one that is not good.
fn zoom(
    mut low: Place,
    mut high: Place,
    place: &dyn Fn(f64) -> Place,
    too_high: &dyn Fn(&Place) -> bool,
    flat: &dyn Fn(&Place) -> bool,
) -> Option<Point> {
    for _ in 0..MOST_TRIES {
        let width = high.step - low.step;
        if width.abs() <= 1e-14 * low.step.abs().max(1e-3) {
            break;
        }
        let now = place(low.step + width * between(&low, &high));
        if too_high(&now) || now.point.loss >= low.point.loss {
            high = now;
        } else {
            if flat(&now) {
                return Some(now.point);
            }
            if now.slope * width >= 0.0 {
                high = std::mem::replace(&mut low, now);
            } else {
                low = now;
            }
        }
    }
    // Not flat enough, but lower than before.
    (low.step > 0.0).then_some(low.point)
}

/// Where the parabola through the lower end, its slope and the other end is lowest, as a share of the width, kept away
/// from both ends.
fn between(low: &Place, high: &Place) -> f64 {
    let width = high.step - low.step;
    let curvature = high.point.loss - low.point.loss - low.slope * width;
    let lowest = -low.slope * width / (2.0 * curvature);
    if lowest.is_finite() && curvature > 0.0 { lowest.clamp(0.1, 0.9) } else { 0.5 }
}
