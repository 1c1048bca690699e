//! One axis of a chart: from values to places, and the round values that are marked on it.

use play::numbers::grouped;

/// Where the values of a chart lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    low: f64,
    high: f64,
    log: bool,
}

/// Scores that span more decades than this are drawn by their logarithms.
const DECADES: f64 = 1.5;

/// Whether logarithms suit these values: none is negative, and those above 0 span more than 1.5 decades.
pub fn suits_log(values: &[f64]) -> bool {
    let (least, _) = ends(values, drawable);
    let (low, high) = ends(values, above_zero);
    least >= 0.0 && low < high && math::log10(high) - math::log10(low) > DECADES
}

/// Whether a value has a place on any axis.
pub fn drawable(value: f64) -> bool {
    value.abs() < 1e300
}

/// Whether it has a place on a logarithmic one.
fn above_zero(value: f64) -> bool {
    value > 1e-300 && drawable(value)
}

/// The least and the greatest of those that are wanted.
fn ends(values: &[f64], wanted: fn(f64) -> bool) -> (f64, f64) {
    let wanted = values.iter().copied().filter(|&value| wanted(value));
    wanted.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

impl Axis {
    /// From the least to the greatest of these values, which must be there; a lone value gets some room.
    pub fn tight(values: &[f64]) -> Self {
        let (low, high) = ends(values, drawable);
        match (low, high) {
            _ if low < high => Self { low, high, log: false },
            _ if low == high => {
                let room = 0.5f64.max(low.abs() / 2.0);
                Self { low: low - room, high: high + room, log: false }
            }
            _ => Self { low: 0.0, high: 1.0, log: false },
        }
    }

    /// Around these values, with a little room on both sides.
    pub fn with_room(values: &[f64]) -> Self {
        let Self { low, high, log } = Self::tight(values);
        let room = 0.04 * (high - low);
        Self { low: low - room, high: high + room, log }
    }

    /// Around these values, from one mark to another.
    pub fn round(values: &[f64]) -> Self {
        let Self { low, high, .. } = Self::tight(values);
        // Scores that begin near 0 are drawn from 0.
        let low = if low > 0.0 && low < 0.4 * high { 0.0 } else { low };
        let step = step(high - low, 5);
        Self { low: (low / step).floor() * step, high: (high / step).ceil() * step, log: false }
    }

    /// Around those of these values that are above 0, by their logarithms.
    pub fn log(values: &[f64]) -> Self {
        let (low, high) = ends(values, above_zero);
        if low > high {
            return Self { low: 0.1, high: 1.0, log: true };
        }
        // To the next 1, 2 or 5, with a little room for a line that would run along the edge.
        let (low, high) = (rounded(low * 0.98, f64::floor), rounded(high * 1.02, f64::ceil));
        Self { low, high: if high > low { high } else { low * 10.0 }, log: true }
    }

    /// Whether it goes by logarithms.
    pub fn is_log(&self) -> bool {
        self.log
    }

    /// Exactly so.
    #[cfg(test)]
    pub fn fixed(low: f64, high: f64) -> Self {
        Self { low, high, log: false }
    }

    /// The place of a value between 0 and 1; what has none on a logarithmic axis lies at its lower end.
    pub fn place(&self, value: f64) -> f64 {
        let place = if self.log {
            (math::ln(value.max(self.low)) - math::ln(self.low)) / (math::ln(self.high) - math::ln(self.low))
        } else {
            (value - self.low) / (self.high - self.low)
        };
        place.clamp(0.0, 1.0)
    }

    /// Round values within, about so many, as they are written.
    pub fn ticks(&self, about: usize) -> Vec<(f64, String)> {
        if self.log { self.log_ticks(about) } else { self.linear_ticks(about) }
    }

    fn linear_ticks(&self, about: usize) -> Vec<(f64, String)> {
        let step = step(self.high - self.low, about);
        let first = (self.low / step - 1e-9).ceil();
        let last = (self.high / step + 1e-9).floor();
        let count = (last - first).clamp(0.0, 50.0) as usize;
        // All with the same letter, as the largest needs it.
        let size = self.low.abs().max(self.high.abs());
        let values = (0..=count).map(|i| (first + i as f64) * step);
        values.map(|value| (value, written(value, step, size))).collect()
    }

    fn log_ticks(&self, about: usize) -> Vec<(f64, String)> {
        let (first, last) = (math::log10(self.low).floor() as i32, math::log10(self.high).ceil() as i32);
        let decades = math::log10(self.high) - math::log10(self.low);
        // All decades, or every other and so on; between few of them 2 and 5 too.
        let every = ((decades / about as f64).ceil() as i32).max(1);
        let digits: &[f64] = if decades < 3.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let within = |value: &f64| (self.low * 0.999..=self.high * 1.001).contains(value);
        let powers = (first..=last).filter(|power| power % every == 0);
        let values = powers.flat_map(|power| digits.iter().map(move |digit| digit * math::powi(10.0, power)));
        values.filter(within).map(|value| (value, written(value, value, value))).collect()
    }
}

/// The 1, 2 or 5 times a power of ten before or after.
fn rounded(value: f64, towards: fn(f64) -> f64) -> f64 {
    let power = math::powf(10.0, math::log10(value).floor());
    let up = towards(0.5) > 0.0;
    let steps = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
    let found = match up {
        true => steps.into_iter().find(|&step| step >= value),
        false => steps.into_iter().rev().find(|&step| step <= value),
    };
    found.filter(|&step| step > 0.0).unwrap_or(value)
}

/// A round step that divides a span into about so many parts.
fn step(span: f64, parts: usize) -> f64 {
    let rough = (span / parts.max(1) as f64).max(1e-300);
    let power = math::powf(10.0, math::log10(rough).floor());
    // What is counted has no halves.
    let suits = |digit: &f64| digit * power >= rough * 0.999 && digit * power != 2.5;
    let digit = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().find(suits);
    digit.unwrap_or(10.0) * power
}

/// A mark as short as its step allows.
fn written(value: f64, step: f64, size: f64) -> String {
    let scaled = |by: f64, letter: &str| {
        let text = format!("{:.2}", value / by);
        format!("{}{letter}", text.trim_end_matches('0').trim_end_matches('.'))
    };
    match size {
        _ if value.abs() < step.abs() * 1e-6 => "0".to_string(),
        1e15.. => format!("{value:.0e}"),
        1e12.. => scaled(1e12, "T"),
        1e9.. => scaled(1e9, "G"),
        1e6.. => scaled(1e6, "M"),
        9.9e3.. => scaled(1e3, "k"),
        _ if step.abs() >= 1.0 && step.fract() == 0.0 => grouped(value),
        1e-4.. => {
            let digits = (1.0 - math::log10(step.abs()).floor()).clamp(0.0, 8.0) as usize;
            let text = format!("{value:.digits$}");
            if text.contains('.') {
                text.trim_end_matches('0').trim_end_matches('.').to_string()
            } else {
                text
            }
        }
        _ => format!("{value:.0e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(axis: Axis, about: usize) -> Vec<String> {
        axis.ticks(about).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn marks_are_round() {
        assert_eq!(texts(Axis::round(&[3.0, 1_900.0]), 5), ["0", "500", "1,000", "1,500", "2,000"]);
        assert_eq!(texts(Axis::tight(&[1.0, 40.0]), 5), ["10", "20", "30", "40"]);
        assert_eq!(texts(Axis::round(&[-0.51, 0.32]), 5), ["-0.6", "-0.4", "-0.2", "0", "0.2", "0.4"]);
        assert_eq!(
            texts(Axis::log(&[12.0, 1_800.0]), 6),
            ["10", "20", "50", "100", "200", "500", "1,000", "2,000"]
        );
        assert_eq!(texts(Axis::log(&[1.0, 9e6]), 6).len(), 4);
        assert_eq!(texts(Axis::tight(&[0.0, 4e6]), 4), ["0", "1M", "2M", "3M", "4M"]);
        assert_eq!(texts(Axis::tight(&[5.0]), 4), ["4", "6"]);
    }

    #[test]
    fn logarithms_where_scores_span_decades() {
        assert!(suits_log(&[0.0, 1.0, 40.0]) && suits_log(&[10.0, 2_000.0]));
        assert!(
            !suits_log(&[1.0, 30.0])
                && !suits_log(&[-1.0, 1.0, 1_000.0])
                && !suits_log(&[])
                && !suits_log(&[0.0])
        );
        let axis = Axis::log(&[10.0, 1_000.0]);
        assert_eq!((axis.place(0.0), axis.place(1e9)), (0.0, 1.0));
    }

    #[test]
    fn nothing_is_too_strange() {
        for values in
            [&[][..], &[0.0], &[f64::NAN], &[1e-310, 1e299], &[-1e299, 1e299], &[f64::MAX], &[1e-320]]
        {
            for axis in [Axis::tight, Axis::with_room, Axis::round, Axis::log].map(|axis| axis(values)) {
                assert!(axis.ticks(5).len() < 100, "{axis:?}");
                for &value in values.iter().filter(|value| drawable(**value)) {
                    assert!((0.0..=1.0).contains(&axis.place(value)), "{axis:?} {value}");
                }
            }
        }
    }
}
