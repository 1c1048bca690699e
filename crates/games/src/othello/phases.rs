//! Phases: a game divided by the number of discs on the board, so that each part can have weights of its own.

use crate::error::InputError;

/// The discs after the first move and at the end: every position that a move leads to lies between.
const FEWEST: u32 = 5;
const MOST: u32 = 64;
const ALLOWED: &str = "phases(N) for N equal parts, 1 to 60, or phases(A,B,...) for the numbers of discs at which the second, \
                       third ... phase begins, rising, 5 to 64";

/// A division of the game by the number of discs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phases {
    /// The text in brackets.
    text: String,
    /// The phase of every number of discs.
    phases: [u8; 65],
}

impl Phases {
    /// One phase for the whole game.
    pub fn one() -> Self {
        Self { text: "1".into(), phases: [0; 65] }
    }

    /// Reads `phases(3)`, three equal parts of the sixty moves, or `phases(20,40)`: one up to 19 discs, one up to 39, one from
    /// 40 on. A single number is a number of parts.
    ///
    /// # Errors
    /// It is neither.
    pub fn parse(text: &str) -> Result<Self, InputError> {
        let refused = || InputError::option("phases", text, ALLOWED);
        let inner = text
            .trim()
            .strip_prefix("phases(")
            .and_then(|rest| rest.strip_suffix(')'))
            .ok_or_else(refused)?;
        let numbers: Option<Vec<u32>> = inner.split(',').map(|number| number.trim().parse().ok()).collect();
        let numbers = numbers.ok_or_else(refused)?;
        let mut phases = [0; 65];
        match numbers[..] {
            [count] if (1..=60).contains(&count) => {
                for discs in FEWEST..=MOST {
                    phases[discs as usize] = ((discs - FEWEST) * count / (MOST - FEWEST + 1)) as u8;
                }
            }
            [_] => return Err(refused()),
            _ => {
                let within = numbers.iter().all(|number| (FEWEST..=MOST).contains(number));
                if !within || !numbers.is_sorted_by(|a, b| a < b) {
                    return Err(refused());
                }
                for discs in 0..=MOST {
                    phases[discs as usize] = numbers.iter().filter(|&&begin| begin <= discs).count() as u8;
                }
            }
        }
        let text = numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        Ok(Self { text, phases })
    }

    /// The text that [`Phases::parse`] reads.
    pub fn text(&self) -> String {
        format!("phases({})", self.text)
    }

    /// The number of phases.
    pub fn count(&self) -> usize {
        usize::from(self.phases[64]) + 1
    }

    /// The phase of a board with so many discs, from 0.
    #[inline]
    pub fn of(&self, discs: u32) -> usize {
        usize::from(self.phases[discs as usize])
    }

    /// The fewest and the most discs of a phase, the first beginning with the four discs of the start.
    pub fn discs(&self, phase: usize) -> (u32, u32) {
        let of_it = |discs: &u32| self.of(*discs) == phase;
        let first = (FEWEST - 1..=MOST).find(of_it).expect("there is such a phase");
        (first, (FEWEST..=MOST).rfind(of_it).expect("there is such a phase"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_divided_as_asked() {
        let phases = |text: &str| Phases::parse(text).unwrap();
        let course = phases("phases( 20, 40)");
        assert_eq!((course.count(), course.text()), (3, "phases(20,40)".into()));
        assert_eq!(
            (0..3).map(|phase| course.discs(phase)).collect::<Vec<_>>(),
            [(4, 19), (20, 39), (40, 64)]
        );
        let twenty = phases("phases(20)");
        assert_eq!((twenty.count(), twenty.discs(0), twenty.discs(19)), (20, (4, 7), (62, 64)));
        let plies = phases("phases(60)");
        assert!((5..=64).all(|discs| plies.of(discs) == discs as usize - 5));
        assert_eq!(phases("phases(1)"), Phases::one());
        // A start position or an odd one has a phase as well.
        assert_eq!((twenty.of(4), course.of(0)), (0, 0));
        for wrong in [
            "phases",
            "phases()",
            "phases(0)",
            "phases(61)",
            "phases(20,20)",
            "phases(40,20)",
            "phases(3,20)",
            "phases(x)",
            "phases(5,65)",
        ] {
            assert!(Phases::parse(wrong).unwrap_err().to_string().contains("N equal parts"), "{wrong}");
        }
    }
}
