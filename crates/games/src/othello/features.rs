//! The features of Othello by name: the board itself and the criteria, after the move and for the side that moved; and the same
//! once for each phase of the game.

use super::criteria::{self, CRITERIA, Criterion};
use super::phases::Phases;
use super::{Move, Othello, text};
use crate::error::InputError;
use crate::features::{Behaviour, FeatureInfo, FeatureNames, FeatureSet, NamedFeature, split};
use crate::game::Side;

/// What is listed: the sets and criteria. Each square has a name of its own too.
fn listed() -> FeatureNames<Feature> {
    let mut names = FeatureNames::default();
    names.set(
        "board",
        "every square, a1 to h8: 1 a disc of the side that moved, -1 one of the other, 0 empty",
        (0..64).map(Feature::Square),
    );
    let members: Vec<&str> = criteria::all().iter().map(|one| one.name).collect();
    names.set("criteria", members.join(", "), criteria::all().iter().map(Feature::Criterion));
    names.form(
        "phases(N)",
        "beside other features: each of them once for every of N equal parts of the game, with weights of its own; \
         phases(20,40): three parts, the second from 20 discs on, the third from 40; phases(20,40,interpolated): weights change gradually",
        "criteria,phases(3)",
    );
    CRITERIA.iter().for_each(|one| names.single(one.name, one.meaning, [Feature::Criterion(one)]));
    names
}

/// The names of the sets and criteria.
pub fn feature_list() -> Vec<FeatureInfo> {
    listed().list()
}

/// One number read off a board.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Feature {
    Square(u8),
    Criterion(&'static Criterion),
}

impl Feature {
    fn value(self, own: u64, other: u64) -> f64 {
        match self {
            Feature::Square(square) => (own >> square & 1) as f64 - (other >> square & 1) as f64,
            Feature::Criterion(criterion) => (criterion.value)(own, other).into(),
        }
    }
}

impl NamedFeature for Feature {
    fn name(&self) -> String {
        match *self {
            Feature::Square(square) => text::square_name(square),
            Feature::Criterion(criterion) => criterion.name.into(),
        }
    }

    fn behaviour(&self) -> Behaviour {
        match self {
            Feature::Square(_) => Behaviour::ANTISYMMETRIC.oriented(),
            Feature::Criterion(criterion) => criterion.behaviour,
        }
    }
}

/// Squares and criteria, once or once for each phase.
#[derive(Debug, Clone)]
pub struct OthelloFeatures {
    features: Vec<Feature>,
    phases: Phases,
}

impl OthelloFeatures {
    /// The features that a list of names stands for, each at most once.
    ///
    /// # Errors
    /// A name is unknown, or phases are wrong or given twice or without anything else.
    pub fn new(names: &str) -> Result<Self, InputError> {
        let (divisions, single): (Vec<&str>, Vec<&str>) =
            split(names).partition(|name| name.starts_with("phases"));
        let phases = match divisions[..] {
            [] => Phases::one(),
            [division] => Phases::parse(division)?,
            [_, second, ..] => return Err(InputError::option("phases", second, "one division of the game")),
        };
        if single.is_empty() {
            let allowed = "features beside the phases, as criteria,phases(3)";
            return Err(InputError::option("features", names, allowed));
        }
        Ok(Self { features: listed().choose(single)?, phases })
    }

    /// Calls `see` with every number that a board shows and its place: of its phase, or of two phases where their weights are mixed.
    fn each(&self, own: u64, other: u64, mut see: impl FnMut(usize, f64)) {
        for (phase, share) in self.phases.shares((own | other).count_ones()) {
            for (number, one) in self.features.iter().enumerate() {
                see(phase * self.features.len() + number, share * one.value(own, other));
            }
        }
    }
}

impl FeatureSet<Othello> for OthelloFeatures {
    /// With several phases a name says of which it is, from 1: `mobility@2`.
    fn names(&self) -> Vec<String> {
        let name = |feature: &Feature, phase: usize| match self.phases.count() {
            1 => feature.name(),
            _ => format!("{}@{}", feature.name(), phase + 1),
        };
        (0..self.phases.count())
            .flat_map(|phase| self.features.iter().map(move |feature| name(feature, phase)))
            .collect()
    }

    fn extract(&self, before: &Othello, _mv: Move, after: &Othello, features: &mut [f64]) {
        self.extract_position(after, before.side(), features);
    }

    fn extract_position(&self, after: &Othello, mover: Side, features: &mut [f64]) -> bool {
        let (own, other) = (after.discs(mover), after.discs(mover.other()));
        if self.phases.count() > 1 {
            features.fill(0.0);
        }
        self.each(own, other, |number, value| features[number] = value);
        true
    }

    fn is_sparse(&self) -> bool {
        self.phases.count() > 1
    }

    fn extract_sparse(&self, before: &Othello, _mv: Move, after: &Othello, sparse: &mut Vec<(u32, f64)>) {
        let (own, other) = (after.discs(before.side()), after.discs(before.side().other()));
        sparse.clear();
        self.each(own, other, |number, value| sparse.push((number as u32, value)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    #[test]
    fn the_board_after_the_first_move() {
        let features = OthelloFeatures::new("board").unwrap();
        let names = features.names();
        assert_eq!((names.len(), names[0].as_str(), names[63].as_str()), (64, "a1", "h8"));
        let before = Othello::start(&crate::rules::Fixed);
        let mut after = before;
        let mv = before.parse_move("d3").unwrap();
        after.play(mv).unwrap();
        let mut row = vec![f64::NAN; 64];
        features.extract(&before, mv, &after, &mut row);
        let of = |value: f64| -> Vec<&str> {
            names.iter().zip(&row).filter(|(_, x)| **x == value).map(|(name, _)| name.as_str()).collect()
        };
        // Black has flipped d4.
        assert_eq!((of(1.0), of(-1.0)), (vec!["d3", "d4", "e4", "d5"], vec!["e5"]));
        assert_eq!(of(0.0).len(), 59);
        assert_eq!(OthelloFeatures::new("h8, a1, h8").unwrap().names(), ["h8", "a1"]);
        assert!(OthelloFeatures::new("i9").unwrap_err().to_string().contains("known: board, criteria"));
    }

    #[test]
    fn interpolated_phases_share_the_features_between_two_of_them() {
        let plain = OthelloFeatures::new("criteria").unwrap();
        let mixed = OthelloFeatures::new("criteria,phases(20,40,interpolated)").unwrap();
        let phases = Phases::parse("phases(20,40,interpolated)").unwrap();
        let (mut dice, mut moves, mut sparse) = (crate::Dice::seeded(&[33]), Vec::new(), Vec::new());
        let mut before = Othello::start(&crate::rules::Fixed);
        while let Some(mv) = before.random_move(&mut dice, &mut moves) {
            let mut after = before;
            after.play_unchecked(mv);
            let (mut one, mut all) = (vec![f64::NAN; 9], vec![f64::NAN; 27]);
            plain.extract(&before, mv, &after, &mut one);
            mixed.extract(&before, mv, &after, &mut all);
            let (lower, share) = phases.mixed((after.own() | after.opponent()).count_ones());
            for (number, part) in all.chunks(9).enumerate() {
                let factor =
                    if number == lower { 1.0 - share } else { share * f64::from(number == lower + 1) };
                let expected: Vec<f64> = one.iter().map(|value| factor * value).collect();
                assert_eq!(part, expected);
            }
            mixed.extract_sparse(&before, mv, &after, &mut sparse);
            let mut again = vec![0.0; 27];
            sparse.iter().for_each(|&(number, value)| again[number as usize] += value);
            assert_eq!(again, all);
            before = after;
        }
    }

    #[test]
    fn each_phase_has_features_of_its_own() {
        let plain = OthelloFeatures::new("criteria,d4").unwrap();
        let phased = OthelloFeatures::new("criteria + phases(20,40) + d4").unwrap();
        let (count, names) = (plain.names().len(), phased.names());
        assert_eq!((count, names.len(), plain.is_sparse(), phased.is_sparse()), (10, 30, false, true));
        assert_eq!((names[0].as_str(), names[29].as_str()), ("mobility@1", "d4@3"));
        let (mut dice, mut moves, mut sparse) = (crate::Dice::seeded(&[32]), Vec::new(), Vec::new());
        let mut before = Othello::start(&crate::rules::Fixed);
        while let Some(mv) = before.random_move(&mut dice, &mut moves) {
            let mut after = before;
            after.play_unchecked(mv);
            let (mut one, mut all) = (vec![f64::NAN; 10], vec![f64::NAN; 30]);
            plain.extract(&before, mv, &after, &mut one);
            phased.extract(&before, mv, &after, &mut all);
            let discs = (after.own() | after.opponent()).count_ones();
            let phase = usize::from(discs >= 20) + usize::from(discs >= 40);
            for (number, part) in all.chunks(10).enumerate() {
                assert_eq!(part, if number == phase { &one[..] } else { &[0.0; 10] });
            }
            phased.extract_sparse(&before, mv, &after, &mut sparse);
            let mut again = vec![0.0; 30];
            sparse.iter().for_each(|&(number, value)| again[number as usize] += value);
            assert_eq!(again, all);
            before = after;
        }
        for (wrong, said) in [
            ("phases(3)", "beside the phases"),
            ("corners,phases(0)", "N equal parts"),
            ("d4,phases(2),phases(3)", "one division"),
            ("corner", "known: board, criteria"),
        ] {
            let error = OthelloFeatures::new(wrong).unwrap_err().to_string();
            assert!(error.contains(said), "{wrong}: {error}");
        }
    }
}
