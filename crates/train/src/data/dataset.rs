//! Labelled positions in memory: parsed as their game, and split into those to learn from and those to test with.

use std::collections::{BTreeSet, HashSet};

use games::{Dice, InputError, Rules, Turn};
use play::PlayedGame;

use super::{DataError, Header, Labelled};

/// Keeps splits apart from all other streams of the same seed.
const STREAM: u64 = 0x7370_6c69;

/// The positions of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    /// Where they come from.
    pub header: Header,
    /// The positions, game by game.
    pub positions: Vec<Labelled>,
}

impl Dataset {
    /// The rules under which the games were played.
    ///
    /// # Errors
    /// The positions are of another game, or its options are wrong.
    pub fn rules<G: PlayedGame>(&self) -> Result<G::Rules, DataError> {
        if self.header.game != G::NAME {
            return Err(DataError::Game { found: self.header.game.clone(), wanted: G::NAME });
        }
        let pairs = self.header.rules.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        G::Rules::from_pairs(pairs).map_err(DataError::Rules)
    }

    /// The positions as those of a game, each with its label for the side to move. One in which nobody is to move is
    /// refused.
    ///
    /// # Errors
    /// The positions are of another game, or its options are wrong; each position may be wrong by itself.
    pub fn parsed<G: PlayedGame>(
        &self,
    ) -> Result<impl Iterator<Item = Result<(G, f64), DataError>> + '_, DataError> {
        let rules = self.rules::<G>()?;
        Ok(self.positions.iter().enumerate().map(move |(index, Labelled { text, label, .. })| {
            let wrong = |error| DataError::Position { number: index + 1, error };
            let position = G::parse(&rules, text).map_err(wrong)?;
            match position.turn() {
                Turn::Player(_) => Ok((position, f64::from(*label))),
                _ => Err(wrong(InputError::position(text, "nobody is to move"))),
            }
        }))
    }

    /// How many games the positions are of.
    pub fn games(&self) -> usize {
        self.positions.iter().map(|position| position.game).collect::<HashSet<_>>().len()
    }

    /// Splits into training and test: of the games, the share `test`, rounded, goes to the second. A game is never torn, for
    /// its positions are near each other and have one outcome: a test on the neighbours of what was learned measures
    /// nothing. (Only a set that was made distinct has no position in both.)
    ///
    /// # Panics
    /// If the share is not from 0 to 1.
    pub fn split(&self, test: f64, seed: u64) -> (Dataset, Dataset) {
        assert!((0.0..=1.0).contains(&test), "a share lies from 0 to 1, not {test}");
        // In the order of lots that each game draws for itself: where games are added, few others change their part.
        let lots: BTreeSet<(u64, u64)> = self
            .positions
            .iter()
            .map(|position| (Dice::seeded(&[seed, STREAM, position.game]).bits(), position.game))
            .collect();
        let count = (lots.len() as f64 * test).round() as usize;
        let tested: HashSet<u64> = lots.into_iter().take(count).map(|(_, game)| game).collect();
        let (test, training) =
            self.positions.iter().cloned().partition(|position| tested.contains(&position.game));
        let part = |positions| Dataset { header: self.header.clone(), positions };
        (part(training), part(test))
    }
}
