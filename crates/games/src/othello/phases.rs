//! Phases: a game divided by the number of discs on the board, so that each part can have weights of its own.

use notation::Call;

use crate::error::InputError;

/// The discs after the first move and at the end: every position that a move leads to lies between.
const FEWEST: u32 = 5;
const MOST: u32 = 64;
const ALLOWED: &str = "phases(N) for N equal parts, 1 to 60, or phases(A,B,...) for the numbers of discs at which the second, \
                       third ... phase begins, rising, 5 to 64; with ',interpolated' at the end weights change gradually";
const INTERPOLATED: &str = "interpolated";

/// A division of the game by the number of discs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phases {
    /// The text in brackets.
    text: String,
    /// The phase of every number of discs.
    phases: [u8; 65],
    /// For every number of discs the lower of the two phases whose weights are mixed, and the share of the next one as a fraction.
    mixes: [(u8, u8, u8); 65],
}

impl Phases {
    /// One phase for the whole game.
    pub fn one() -> Self {
        Self::new("1".into(), [0; 65])
    }

    fn new(text: String, phases: [u8; 65]) -> Self {
        Self { text, phases, mixes: phases.map(|phase| (phase, 0, 1)) }
    }

    /// The same, with weights that change gradually: right in the middle of a phase they are its own, between two middles a mixture.
    fn interpolated(mut self) -> Self {
        // Twice the middle, to stay with whole numbers.
        let middle = |phase: usize| {
            let (first, last) = self.discs(phase);
            first.max(FEWEST) + last
        };
        let middles: Vec<u32> = (0..self.count()).map(middle).collect();
        for discs in FEWEST..=MOST {
            let lower = middles.partition_point(|&middle| middle <= 2 * discs).saturating_sub(1);
            let mix = match middles.get(lower + 1) {
                Some(next) if middles[lower] <= 2 * discs => {
                    ((2 * discs - middles[lower]) as u8, (next - middles[lower]) as u8)
                }
                _ => (0, 1),
            };
            self.mixes[discs as usize] = (lower as u8, mix.0, mix.1);
        }
        self.text = format!("{},{INTERPOLATED}", self.text);
        self
    }

    /// Reads `phases(3)`, three equal parts of the sixty moves, or `phases(20,40)`: one up to 19 discs, one up to 39, one from
    /// 40 on. A single number is a number of parts. `phases(20,40,interpolated)` mixes the weights of neighbours.
    ///
    /// # Errors
    /// It is neither.
    pub fn parse(text: &str) -> Result<Self, InputError> {
        let refused = || InputError::option("phases", text, ALLOWED);
        let mut call: Call = text.parse().map_err(|_| refused())?;
        if call.name != "phases" {
            return Err(refused());
        }
        let is_interpolated = call.arguments.pop_if(|last| last.bare() == Some(INTERPOLATED)).is_some();
        let numbers = call.arguments.iter().map(|argument| argument.bare()?.parse().ok());
        let numbers: Vec<u32> = numbers.collect::<Option<_>>().ok_or_else(refused)?;
        let mut phases = [0; 65];
        match numbers[..] {
            [] => return Err(refused()),
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
        let phases = Self::new(text, phases);
        Ok(if is_interpolated { phases.interpolated() } else { phases })
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

    /// Whether weights of neighbouring phases are mixed.
    pub fn is_interpolated(&self) -> bool {
        self.text.ends_with(INTERPOLATED)
    }

    /// The phase whose weights count for a board with so many discs, from 0, and the share that those of the next phase have in them.
    #[inline]
    pub fn mixed(&self, discs: u32) -> (usize, f64) {
        let (lower, part, whole) = self.mixes[discs as usize];
        (usize::from(lower), f64::from(part) / f64::from(whole))
    }

    /// The same as phases with their shares; what counts for nothing is left out.
    pub fn shares(&self, discs: u32) -> impl Iterator<Item = (usize, f64)> + use<> {
        let (lower, share) = self.mixed(discs);
        [(lower, 1.0 - share), (lower + 1, share)].into_iter().filter(|(_, share)| *share > 0.0)
    }

    /// The fewest and the most discs of a phase, the first beginning with the four discs of the start.
    pub fn discs(&self, phase: usize) -> (u32, u32) {
        let of_it = |discs: &u32| self.of(*discs) == phase;
        // The first may hold nothing but the start.
        let first = (FEWEST - 1..=MOST).find(of_it).expect("there is such a phase");
        (first, (FEWEST - 1..=MOST).rfind(of_it).expect("there is such a phase"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_is_a_division_or_none(text in r#"phases\(?((5|[1-6][0-9]?|.),?){0,4}(,interpolated)?\)?"#) {
            match Phases::parse(&text) {
                Ok(phases) => prop_assert_eq!(Phases::parse(&phases.text()), Ok(phases)),
                Err(error) => prop_assert!(!error.to_string().contains(char::is_control)),
            }
        }
    }

    #[test]
    fn games_are_divided_as_asked() {
        let phases = |text: &str| Phases::parse(text).unwrap();
        let course = phases("phases( 20, 40)");
        assert_eq!((course.count(), course.text()), (3, "phases(20,40)".into()));
        assert_eq!(
            (0..3).map(|phase| course.discs(phase)).collect::<Vec<_>>(),
            [(4, 19), (20, 39), (40, 64)]
        );
        // The first phase may hold nothing but the start.
        for text in ["phases(5,40)", "phases(5,40,interpolated)"] {
            assert_eq!((phases(text).discs(0), phases(text).discs(1)), ((4, 4), (5, 39)), "{text}");
        }
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
            "phases(interpolated)",
            "phases(3 interpolated)",
            "phases(3,interpolated,4)",
            "phases(a=3)",
            "parts(3)",
        ] {
            assert!(Phases::parse(wrong).unwrap_err().to_string().contains("N equal parts"), "{wrong}");
        }
    }
    #[test]
    fn weights_are_mixed_between_the_middles_of_phases() {
        let phases = Phases::parse("phases( 20,40 , interpolated)").unwrap();
        assert_eq!((phases.count(), phases.text()), (3, "phases(20,40,interpolated)".into()));
        assert_eq!(Phases::parse(&phases.text()), Ok(phases.clone()));
        assert!(phases.is_interpolated());
        // The middles are 12, 29.5 and 52.
        for (discs, mixed) in [
            (4, (0, 0.0)),
            (5, (0, 0.0)),
            (12, (0, 0.0)),
            (13, (0, 1.0 / 17.5)),
            (29, (0, 17.0 / 17.5)),
            (30, (1, 0.5 / 22.5)),
            (51, (1, 21.5 / 22.5)),
            (52, (2, 0.0)),
            (64, (2, 0.0)),
        ] {
            assert_eq!(phases.mixed(discs), mixed, "{discs} discs");
            assert_eq!(phases.shares(discs).map(|(_, share)| share).sum::<f64>(), 1.0);
        }
        // With one phase a ply there is nothing between two middles, and without the word nothing is mixed.
        let plies = Phases::parse("phases(60,interpolated)").unwrap();
        let plain = Phases::parse("phases(20,40)").unwrap();
        assert!((5..=64).all(|discs| plies.mixed(discs) == (discs as usize - 5, 0.0)));
        assert!((0..=64).all(|discs| plain.mixed(discs) == (plain.of(discs), 0.0)));
    }
}
