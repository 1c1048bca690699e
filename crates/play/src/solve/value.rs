//! What a position is worth to the side to move: won, lost or drawn, and how soon.

use std::fmt;

/// The value of a position for the side to move under perfect play. Distances are single moves of both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// It wins in so many moves.
    Win(u8),
    /// Neither side can win by force.
    Draw,
    /// It loses in so many moves.
    Loss(u8),
}

/// No distance is as large: a byte holds it and the sign.
pub const MOST_DISTANCE: u8 = 60;

impl Value {
    /// The value, for the side that moves, of a move that leads here.
    #[must_use]
    pub fn before(self) -> Self {
        match self {
            Value::Win(distance) => Value::Loss(distance + 1),
            Value::Draw => Value::Draw,
            Value::Loss(distance) => Value::Win(distance + 1),
        }
    }

    /// Higher is better: a win sooner, a loss later.
    pub fn rank(self) -> i32 {
        match self {
            Value::Win(distance) => 1000 - i32::from(distance),
            Value::Draw => 0,
            Value::Loss(distance) => i32::from(distance) - 1000,
        }
    }

    /// 1 for a win, 0 for a loss, a half for a draw.
    pub fn points(self) -> f64 {
        match self {
            Value::Win(_) => 1.0,
            Value::Draw => 0.5,
            Value::Loss(_) => 0.0,
        }
    }

    /// Moves until the end; `None` in a draw.
    pub fn distance(self) -> Option<u8> {
        match self {
            Value::Win(distance) | Value::Loss(distance) => Some(distance),
            Value::Draw => None,
        }
    }

    /// `win`, `draw` or `loss`.
    pub fn word(self) -> &'static str {
        match self {
            Value::Win(_) => "win",
            Value::Draw => "draw",
            Value::Loss(_) => "loss",
        }
    }

    /// The value where the game is a draw after so many more moves: what takes longer is never reached.
    #[must_use]
    pub fn within(self, moves: u32) -> Self {
        if self.distance().is_some_and(|distance| u32::from(distance) > moves) { Value::Draw } else { self }
    }

    /// One byte below 128; 0 is a draw, or not known yet.
    pub fn byte(self) -> u8 {
        match self {
            Value::Draw => 0,
            Value::Loss(distance) => 1 + 2 * distance,
            Value::Win(distance) => 2 + 2 * distance,
        }
    }

    /// The value of a byte; `None` if there is none.
    pub fn from_byte(byte: u8) -> Option<Self> {
        let distance = byte.saturating_sub(1) / 2;
        match byte {
            0 => Some(Value::Draw),
            _ if distance > MOST_DISTANCE => None,
            _ if byte % 2 == 1 => Some(Value::Loss(distance)),
            _ => Some(Value::Win(distance)),
        }
    }
}

/// As said of a player: `wins in 5`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Win(distance) => write!(f, "wins in {distance}"),
            Value::Draw => f.write_str("draw"),
            Value::Loss(distance) => write!(f, "loses in {distance}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_give_the_values_back_and_better_ones_rank_higher() {
        let all: Vec<Value> = (0..=u8::MAX).filter_map(Value::from_byte).collect();
        assert_eq!(all.len(), 2 * usize::from(MOST_DISTANCE) + 3);
        assert!(all.iter().all(|value| value.byte() < 128 && Value::from_byte(value.byte()) == Some(*value)));
        let best_first = [Value::Win(1), Value::Win(3), Value::Draw, Value::Loss(4), Value::Loss(2)];
        assert!(best_first.is_sorted_by(|a, b| a.rank() > b.rank()));
        assert_eq!((Value::Loss(2).before(), Value::Win(3).before()), (Value::Win(3), Value::Loss(4)));
        assert_eq!((Value::Win(5).within(5), Value::Win(5).within(4)), (Value::Win(5), Value::Draw));
    }
}
