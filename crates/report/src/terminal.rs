//! Texts for terminals and shells: small curves, drawings side by side, foreign names.

use games::error::{one_line, shown};

/// Blocks of growing height.
const SPARKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A small curve of the last values, on a scale of its own; logarithmic where they span decades.
pub fn sparks(values: &[f64], width: usize) -> String {
    let seen = &values[values.len().saturating_sub(width)..];
    let spans = seen.iter().all(|&value| value > 0.0)
        && seen.iter().fold(0.0f64, |a, &b| a.max(b))
            > 30.0 * seen.iter().fold(f64::INFINITY, |a, &b| a.min(b));
    let scaled: Vec<f64> = seen.iter().map(|&value| if spans { math::ln(value) } else { value }).collect();
    let low = scaled.iter().copied().fold(f64::INFINITY, f64::min);
    let high = scaled.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let place = |value: f64| if high > low { (value - low) / (high - low) } else { 0.5 };
    let top = (SPARKS.len() - 1) as f64;
    scaled.iter().map(|&value| SPARKS[(place(value) * top).round() as usize]).collect()
}

/// Two drawings side by side; colours take no room.
pub fn beside(left: &str, right: &str) -> String {
    let width = left.lines().map(visible).max().unwrap_or(0);
    let (mut left, mut right) = (left.lines(), right.lines());
    let mut both = String::new();
    loop {
        match (left.next(), right.next()) {
            (None, None) => return both,
            (Some(left), None) => both.push_str(left.trim_end()),
            (left, Some(right)) => {
                let left = left.unwrap_or_default();
                let line = format!("{left}{:1$}   {right}", "", width - visible(left));
                both.push_str(line.trim_end());
            }
        }
        both.push('\n');
    }
}

/// The columns that a line takes.
fn visible(line: &str) -> usize {
    let mut parts = line.split('\x1b');
    let before = parts.next().map_or(0, |text| text.chars().count());
    // A colour ends with its first letter.
    before + parts.map(|part| part.split_once('m').map_or(0, |(_, text)| text.chars().count())).sum::<usize>()
}

/// A text as a shell takes it: a player with options has brackets, which mean something there, and what does something to a terminal is
/// written out.
pub fn quoted(text: &str) -> String {
    let plain = |sign: char| sign.is_ascii_alphanumeric() || "-_./,".contains(sign);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_string();
    }
    if one_line(text) == text {
        return format!("'{}'", text.replace('\'', "'\\''"));
    }
    let byte = |byte: u8| match byte {
        b'\'' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        byte => format!("\\x{byte:02x}"),
    };
    format!("$'{}'", text.bytes().map(byte).collect::<String>())
}

/// A name for a table.
pub fn label(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= most {
        one_line(&line)
    } else {
        shown(&line).trim_matches('\'').chars().take(most - 3).chain("...".chars()).collect()
    }
}

/// Seconds since 1970 as a date and a time of day, in UTC.
pub fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March, so that the leap day is the last (after Howard Hinnant's civil_from_days).
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year_of_era = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + 400 * era + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_drawn_on_their_own_scale() {
        assert_eq!(sparks(&[0.0, 1.0, 2.0, 7.0], 8), "▁▂▃█");
        assert_eq!(sparks(&[9.0, 1.0, 10.0, 100.0], 3), "▁▅█");
        assert_eq!(sparks(&[3.0, 3.0], 8), "▅▅");
        assert_eq!(sparks(&[], 8), "");
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(utc(0), "1970-01-01 00:00:00");
        assert_eq!(utc(951_782_399), "2000-02-28 23:59:59");
        assert_eq!(utc(951_782_400), "2000-02-29 00:00:00");
        assert_eq!(utc(1_709_251_200), "2024-03-01 00:00:00");
        assert_eq!(utc(4_102_444_799), "2099-12-31 23:59:59");
    }

    #[test]
    fn foreign_text_does_nothing_to_a_terminal() {
        assert_eq!(
            (quoted("a/b-1.json"), quoted("a(b='c')")),
            ("a/b-1.json".into(), "'a(b='\\''c'\\'')'".into())
        );
        assert_eq!((quoted(""), quoted("é ☃")), ("''".into(), "'é ☃'".into()));
        assert_eq!(quoted("a\n\x1b[2J'\\\u{9b}"), "$'a\\x0a\\x1b[2J\\'\\\\\\xc2\\x9b'");
        assert_eq!(label("a \x1b[2J\nb", 40), "a \\u{1b}[2J b");
        assert!(!label(&"\x1b".repeat(99), 40).contains('\x1b'));
    }

    #[test]
    fn drawings_stand_side_by_side() {
        assert_eq!(beside("ab\nc\n", "1\n2\n3\n"), "ab   1\nc    2\n     3\n");
        assert_eq!(beside("\x1b[2mab\x1b[0m\nabc\nd", "1"), "\x1b[2mab\x1b[0m    1\nabc\nd\n");
    }
}
