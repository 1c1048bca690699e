//! Which positions are learned from: conditions on the columns of the data, as `|e|>0.5` or `ply>=10 and first>0`.

use std::str::FromStr;

use games::error::shown;

/// The columns, with what each says.
pub const COLUMNS: &[(&str, &str)] = &[
    ("e", "label for the side that has just moved"),
    ("label", "label for the side to move"),
    ("first", "label for the side that begins"),
    ("ply", "moves made before"),
    ("game", "number of the game"),
];

/// The columns of one position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Columns {
    /// In the order of [`COLUMNS`].
    pub values: [f64; COLUMNS.len()],
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Condition {
    column: usize,
    absolute: bool,
    operator: usize,
    number: f64,
}

/// The signs of comparisons; those of two characters first, so that they are found first.
const OPERATORS: [&str; 6] = ["<=", ">=", "!=", "<", ">", "="];

/// Conditions that must all hold.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Selection(Vec<Condition>);

impl Selection {
    /// Whether a position is chosen.
    pub fn takes(&self, columns: &Columns) -> bool {
        self.0.iter().all(|condition| {
            let value = columns.values[condition.column];
            let (value, number) = (if condition.absolute { value.abs() } else { value }, condition.number);
            match OPERATORS[condition.operator] {
                "<=" => value <= number,
                ">=" => value >= number,
                "!=" => value != number,
                "<" => value < number,
                ">" => value > number,
                _ => value == number,
            }
        })
    }
}

impl FromStr for Selection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.split(" and ").map(condition).collect::<Result<_, _>>().map(Selection)
    }
}

fn condition(text: &str) -> Result<Condition, String> {
    let form = || {
        format!(
            "condition {}: allowed: COLUMN or |COLUMN|, one of {}, a number",
            shown(text),
            OPERATORS.join(" ")
        )
    };
    let split = |(place, operator): (usize, &&str)| {
        text.split_once(*operator).map(|(left, right)| (place, left, right))
    };
    let (operator, left, right) = OPERATORS.iter().enumerate().find_map(split).ok_or_else(form)?;
    let left = left.trim();
    let inner = left.strip_prefix('|').and_then(|rest| rest.strip_suffix('|'));
    let name = inner.unwrap_or(left).trim();
    let column = COLUMNS.iter().position(|(known, _)| *known == name).ok_or_else(|| {
        let known: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
        format!("unknown column {}; known: {}", shown(name), known.join(", "))
    })?;
    let number = right.trim().parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(form)?;
    Ok(Condition { column, absolute: inner.is_some(), operator, number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read_and_hold_or_not() {
        let columns = Columns { values: [-0.6, 0.6, 0.6, 7.0, 3.0] };
        for (text, holds) in [
            ("|e|>0.5", true),
            ("e > 0.5", false),
            ("e<-0.5 and ply>=7", true),
            ("ply=7 and game!=3", false),
            ("| label | <= 0.6 and first<1", true),
        ] {
            assert_eq!(text.parse::<Selection>().unwrap().takes(&columns), holds, "{text}");
        }
        for (text, said) in [
            ("|winner|>0", "unknown column 'winner'; known: e, label, first, ply, game"),
            ("e", "condition 'e': allowed: COLUMN"),
            ("e>", "condition 'e>': allowed"),
            ("e>nan", "allowed"),
            ("", "condition ''"),
            ("e>0 and", "condition"),
            ("|e>0", "unknown column '|e'"),
        ] {
            let error = text.parse::<Selection>().unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
