//! Numbers for people: the one place that decides how they are written. Apart from it stand only marks of axes, which are as short as their
//! step allows, and columns in which points stand below points.

/// A score, a weight or a length: four digits, a plain number between 0.001 and a million.
pub fn number(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if value.is_nan() => "-".to_string(),
        _ if !value.is_finite() || size > 1e300 => if value < 0.0 { "-∞" } else { "∞" }.to_string(),
        0.0 => "0".to_string(),
        _ if size >= 1e9 => format!("{value:.2e}"),
        _ if size >= 999.5 => grouped(value),
        _ if size >= 99.95 => format!("{value:.1}"),
        _ if size >= 9.995 => format!("{value:.2}"),
        _ if size >= 0.0995 => format!("{value:.3}"),
        _ if size >= 0.000_95 => format!("{value:.4}"),
        _ => format!("{value:.2e}"),
    }
}

/// The same with its sign, for what is added to something.
pub fn signed(value: f64) -> String {
    format!("{}{}", if value > 0.0 { "+" } else { "" }, number(value))
}

/// A whole number in groups of three.
pub fn grouped(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut out = String::from(if value < 0.0 { "-" } else { "" });
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A rate or count in a line of text: three or four digits and a letter.
pub fn short(value: f64) -> String {
    match value {
        n if !n.is_finite() => "-".to_string(),
        n if n >= 1e9 => format!("{:.2} G", n / 1e9),
        n if n >= 1e6 => format!("{:.2} M", n / 1e6),
        n if n >= 1e4 => format!("{:.1} k", n / 1e3),
        n => format!("{n:.0}"),
    }
}

/// An interval.
pub fn interval([low, high]: [f64; 2]) -> String {
    format!("[{}, {}]", number(low), number(high))
}

/// A share in percent, with its interval.
pub fn percent(share: f64, ci95: [f64; 2]) -> String {
    let [share, low, high] = [share, ci95[0], ci95[1]].map(|share| 100.0 * share);
    format!("{share:.1} % [{low:.1}, {high:.1}]")
}

/// The time of a move or a search.
pub fn moment(seconds: f64) -> String {
    match seconds {
        s if !s.is_finite() => "-".to_string(),
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.1} ms", s * 1e3),
        s => format!("{:.0} µs", s * 1e6),
    }
}

/// A time in one unit, for what is but an estimate.
pub fn rough_duration(seconds: f64) -> String {
    match seconds {
        s if s >= 5400.0 => format!("{:.1} h", s / 3600.0),
        s if s >= 90.0 => format!("{:.0} min", s / 60.0),
        s => format!("{s:.0} s"),
    }
}

/// A working time.
pub fn duration(seconds: f64) -> String {
    if !(0.0..1e12).contains(&seconds) {
        return "-".to_string();
    }
    let whole = seconds.round() as u64;
    let (hours, minutes) = (whole / 3600, whole / 60 % 60);
    match whole {
        0..60 => format!("{seconds:.1} s"),
        60..3600 => format!("{minutes} min {} s", whole % 60),
        _ => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        for (value, said) in [
            (0.0, "0"),
            (1.0, "1.000"),
            (-0.25, "-0.250"),
            (0.0123, "0.0123"),
            (0.000_012, "1.20e-5"),
            (12.345, "12.35"),
            (999.96, "1,000"),
            (-1_234_567.8, "-1,234,568"),
            (f64::MAX, "∞"),
            (f64::NEG_INFINITY, "-∞"),
            (f64::NAN, "-"),
        ] {
            assert_eq!(number(value), said);
        }
        for (seconds, said) in [(1.25, "1.2 s"), (61.0, "1 min 1 s"), (7300.0, "2 h 1 min"), (f64::NAN, "-")]
        {
            assert_eq!(duration(seconds), said);
        }
    }

    #[test]
    fn counts_shares_and_moments() {
        assert_eq!(
            [999.6, 12_345.0, 2.5e6, 7e9, f64::NAN].map(short),
            ["1000", "12.3 k", "2.50 M", "7.00 G", "-"]
        );
        assert_eq!(percent(0.5, [0.25, 1.0]), "50.0 % [25.0, 100.0]");
        assert_eq!([1.5, 0.0123, 4.2e-5, f64::NAN].map(moment), ["1.50 s", "12.3 ms", "42 µs", "-"]);
        assert_eq!(interval([0.5, 2000.0]), "[0.500, 2,000]");
    }

    #[test]
    fn rough_times_and_signs() {
        assert_eq!([89.0, 90.0, 5399.0, 5400.0].map(rough_duration), ["89 s", "2 min", "90 min", "1.5 h"]);
        assert_eq!([0.5, 0.0, -0.5].map(signed), ["+0.500", "0", "-0.500"]);
    }
}
