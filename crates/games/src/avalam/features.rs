//! The features of Avalam by name, the sets they come in, and any mixture of them. They are those of the position after
//! the move, for the side that moved; only the neighbourhoods show the position before it.

use super::observations::{ISOLATED, KINDS, LINKS, NAMES, OBSERVATIONS, TOWERS, Weights};
use super::threats::{self, THREATS, threats};
use super::towers::{self, KINDS as TOWER_KINDS, TowerWeights};
use super::{Avalam, CELLS, Move, Observations, cell_at, place};
use crate::error::InputError;
use crate::features::{Behaviour, FeatureInfo, FeatureNames, FeatureSet, NamedFeature, split};
use crate::game::{Game, Side};

/// One number read off a move and the position it leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Feature {
    /// An observation function, by its number in [`super::observations::NAMES`].
    Observation(u8),
    /// An own count less that of the enemy, by its number in the table of differences.
    Difference(u8),
    /// One of the counts of `threats.rs`.
    Threat(u8),
    /// Towers of one kind of `towers.rs`: own ones or those of the enemy, and the number of the kind.
    Kind(bool, u16),
    /// A cell of the 5x5 cells around the tower that moves, by rows from 0.
    Source(u8),
    /// A cell of the 5x5 cells around its goal.
    Target(u8),
    /// A cell of the board after the move, by rows from 0.
    Cell(u8),
    /// Always 1.
    Constant,
}

use Feature::{Cell, Constant, Difference, Kind, Observation, Source, Target, Threat};

const DIFFERENCES: [&str; 16] = [
    "towers-1",
    "towers-2",
    "towers-3",
    "towers-4",
    "towers-5",
    "isolated-1",
    "isolated-2",
    "isolated-3",
    "isolated-4",
    "isolated-5",
    "links-1-1",
    "links-1-2",
    "links-1-3",
    "links-1-4",
    "links-2-2",
    "links-2-3",
];

/// The numbers of the two observation functions of a difference.
fn own_and_enemy(difference: u8) -> (usize, usize) {
    let number = usize::from(difference);
    match number {
        0..5 => (TOWERS + number, TOWERS + number + 5),
        5..10 => (ISOLATED + number - 5, ISOLATED + number),
        _ => (LINKS + 3 * (number - 10), LINKS + 3 * (number - 10) + 1),
    }
}

const SIDE: u8 = 5;

/// The middle 3x3 of the 5x5 cells.
fn is_inner(cell: u8) -> bool {
    (1..4).contains(&(cell / SIDE)) && (1..4).contains(&(cell % SIDE))
}

impl NamedFeature for Feature {
    fn name(&self) -> String {
        feature_name(*self)
    }

    /// Links between towers of different owners belong to both sides, and so do parities.
    fn behaviour(&self) -> Behaviour {
        let is_mixed = |index: u8| usize::from(index) >= LINKS && (usize::from(index) - LINKS) % 3 == 2;
        match *self {
            Observation(0) | Difference(_) => Behaviour::ANTISYMMETRIC,
            Observation(index) if is_mixed(index) => Behaviour::SYMMETRIC,
            Threat(number) if usize::from(number) >= threats::PARITIES => Behaviour::SYMMETRIC,
            Constant => Behaviour::SYMMETRIC,
            Observation(_) | Threat(_) | Kind(..) => Behaviour::NEITHER,
            Source(_) | Target(_) => Behaviour::NEITHER.oriented(),
            Cell(_) => Behaviour::ANTISYMMETRIC.oriented(),
        }
    }
}

/// What is listed: sets, then single ones.
fn listed() -> FeatureNames<Feature> {
    let mut names = FeatureNames::default();
    let around = |inner: bool| {
        let cells = move || (0..SIDE * SIDE).filter(move |&cell| !inner || is_inner(cell));
        cells().map(Source).chain(cells().map(Target))
    };
    names.set(
        "observations",
        "Branly & Guichard 2022: score, towers, isolated towers and links, 39 counts",
        (0..OBSERVATIONS as u8).map(Observation),
    );
    // A function that changes its sign when the sides are exchanged can give a count of mixed links no weight:
    // that count stays. The score is the sum of the towers of each height, as in the set above.
    names.set(
        "antisymmetric",
        "score, and own towers, isolated towers and links less those of the enemy; mixed links belong to neither",
        [Observation(0)].into_iter().chain((0..DIFFERENCES.len() as u8).map(Difference)),
    );
    names.set(
        "threats",
        "towers that may be covered, hang on one link or are one short of 5, and parities",
        (0..THREATS as u8).map(Threat),
    );
    let kinds = |own| (0..TOWER_KINDS as u16).map(move |kind| Kind(own, kind));
    names.set(
        "surroundings",
        "towers by height and numbers of exact and lower neighbours of either side",
        kinds(true).chain(kinds(false)),
    );
    names.set(
        "board",
        "every cell, cell-1 to cell-48 by rows: own heights over 5, minus the enemy's, 0 if empty",
        (0..CELLS).map(Cell),
    );
    names.set("around-3", "3x3 cells around source and target before the move, 18 numbers", around(true));
    names.set("around-5", "5x5 cells around source and target before the move, 50 numbers", around(false));
    for (index, name) in NAMES.into_iter().enumerate() {
        names.single(name, definition(index), [Observation(index as u8)]);
    }
    for (number, name) in (0..).zip(DIFFERENCES) {
        let (own, enemy) = own_and_enemy(number);
        names.single(name, format!("{} less {}", NAMES[own], NAMES[enemy]), [Difference(number)]);
    }
    for (number, (name, definition)) in (0..).zip(threats::NAMES) {
        names.single(name, definition, [Threat(number)]);
    }
    let cells = |of: &str| {
        format!(
            "5x5 cells around the {of} before the move, by rows: own heights, minus the enemy's, 0 if empty"
        )
    };
    // An empty cell can never be filled: to every move it is as good as none, and both are 0.
    names.single("source", cells("tower that moves"), (0..SIDE * SIDE).map(Source));
    names.single("target", cells("goal"), (0..SIDE * SIDE).map(Target));
    names.single("constant", "always 1", [Constant]);
    names
}

fn definition(index: usize) -> String {
    let owner = |own: bool| if own { "own" } else { "enemy" };
    match index {
        0 => "own towers less those of the enemy".into(),
        TOWERS..ISOLATED => {
            format!("{} towers of height {}", owner(index < TOWERS + 5), (index - TOWERS) % 5 + 1)
        }
        ISOLATED..LINKS => {
            let height = (index - ISOLATED) % 5 + 1;
            let note = if height == 5 { ", as all of them are" } else { "" };
            format!("{} towers of height {height} without a move{note}", owner(index < ISOLATED + 5))
        }
        _ => {
            let (low, high) = KINDS[(index - LINKS) / 3];
            let owners =
                ["own towers", "towers of the enemy", "towers of different owners"][(index - LINKS) % 3];
            format!("neighbouring {owners} of heights {low} and {high}")
        }
    }
}

/// The names of sets and single features.
pub fn feature_list() -> Vec<FeatureInfo> {
    listed().list()
}

/// The features that a list of names stands for, each at most once.
///
/// # Errors
/// A name is unknown.
pub fn parse_features(names: &str) -> Result<Vec<Feature>, InputError> {
    listed().choose(split(names))
}

/// The name of a feature; cells are numbered from 1, the middle one of a neighbourhood being 13.
pub fn feature_name(feature: Feature) -> String {
    match feature {
        Observation(index) => NAMES[usize::from(index)].into(),
        Difference(number) => DIFFERENCES[usize::from(number)].into(),
        Threat(number) => threats::NAMES[usize::from(number)].0.into(),
        Kind(own, kind) => towers::name(own, kind.into()),
        Source(cell) => format!("source-{}", cell + 1),
        Target(cell) => format!("target-{}", cell + 1),
        Cell(cell) => format!("cell-{}", cell + 1),
        Constant => "constant".into(),
    }
}

/// A list of features.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AvalamFeatures {
    features: Vec<Feature>,
    observes: bool,
    threatens: bool,
    surrounds: bool,
    boards: bool,
}

impl AvalamFeatures {
    /// The features that a list of names stands for.
    ///
    /// # Errors
    /// A name is unknown.
    pub fn new(names: &str) -> Result<Self, InputError> {
        let features = parse_features(names)?;
        let observes = features.iter().any(|feature| matches!(feature, Observation(_) | Difference(_)));
        let threatens = features.iter().any(|feature| matches!(feature, Threat(_)));
        let surrounds = features.iter().any(|feature| matches!(feature, Kind(..)));
        let boards = features.iter().any(|feature| matches!(feature, Cell(_)));
        Ok(Self { features, observes, threatens, surrounds, boards })
    }

    /// The features in order.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// A linear function of these features as weights of the observation functions, for searches that keep the counts up
    /// to date; `None` if it looks at anything else.
    pub fn weights(&self, weights: &[f64]) -> Option<Weights> {
        assert_eq!(self.features.len(), weights.len(), "one weight for each feature");
        let (mut observed, mut constant) = ([0.0; OBSERVATIONS], 0.0);
        for (&feature, weight) in self.features.iter().zip(weights) {
            match feature {
                Observation(index) => observed[usize::from(index)] += weight,
                Difference(number) => {
                    let (own, enemy) = own_and_enemy(number);
                    observed[own] += weight;
                    observed[enemy] -= weight;
                }
                Constant => constant += weight,
                Threat(_) | Kind(..) | Source(_) | Target(_) | Cell(_) => return None,
            }
        }
        Some(Weights::new(&observed, constant))
    }

    /// The same for a linear function of kinds of towers, and of observation functions that are sums of them.
    pub fn tower_weights(&self, weights: &[f64]) -> Option<TowerWeights> {
        assert_eq!(self.features.len(), weights.len(), "one weight for each feature");
        let (mut all, mut constant) = ([[0.0; TOWER_KINDS]; 2], 0.0);
        for (&feature, &weight) in self.features.iter().zip(weights) {
            match feature {
                Kind(own, kind) => all[usize::from(own)][usize::from(kind)] += weight,
                Observation(index) => {
                    for (own, of_side) in all.iter_mut().enumerate() {
                        for (kind, sum) in of_side.iter_mut().enumerate() {
                            *sum += weight * towers::counted(usize::from(index), own == 1, kind)?;
                        }
                    }
                }
                Constant => constant += weight,
                _ => return None,
            }
        }
        Some(TowerWeights::new(|own, kind| all[usize::from(own)][kind], constant))
    }

    /// What is counted of a position, as far as any feature needs it.
    fn seen(&self, after: &Avalam, side: Side, counts: Option<[i16; OBSERVATIONS]>) -> Seen {
        let observed = || {
            if self.observes { Observations::of(after).counts(side) } else { [0; OBSERVATIONS] }
        };
        Seen {
            counts: counts.unwrap_or_else(observed),
            threats: if self.threatens { threats(after, side) } else { [0; THREATS] },
            towers: self.surrounds.then(|| towers::counts(after, side)),
        }
    }

    /// The row of a move, whose observations and threats come from the caller, which knows the fastest way to them.
    fn fill(
        &self,
        moved: Option<(&Avalam, Move)>,
        (after, mover): (&Avalam, Side),
        seen: &Seen,
        row: &mut [f64],
    ) {
        for (&feature, value) in self.features.iter().zip(row) {
            *value = match feature {
                Observation(index) => seen.counts[usize::from(index)].into(),
                Difference(number) => {
                    let (own, enemy) = own_and_enemy(number);
                    (seen.counts[own] - seen.counts[enemy]).into()
                }
                Threat(number) => seen.threats[usize::from(number)].into(),
                Kind(own, kind) => {
                    seen.towers.map_or(0.0, |towers| towers[usize::from(!own)][usize::from(kind)].into())
                }
                Source(cell) => moved.map_or(0.0, |(before, mv)| around(before, mv.from, cell)),
                Target(cell) => moved.map_or(0.0, |(before, mv)| around(before, mv.to, cell)),
                Cell(cell) => match after.owner(cell) {
                    Some(owner) if owner == mover => f64::from(after.height(cell)) / 5.0,
                    Some(_) => -f64::from(after.height(cell)) / 5.0,
                    None => 0.0,
                },
                Constant => 1.0,
            };
        }
    }
}

/// What is counted of the position after a move, for the side that moved.
struct Seen {
    counts: [i16; OBSERVATIONS],
    threats: [i16; THREATS],
    towers: Option<[[i16; TOWER_KINDS]; 2]>,
}

/// The tower in one of the 5x5 cells around a cell, for the side to move.
fn around(before: &Avalam, centre: u8, cell: u8) -> f64 {
    let (row, column) = place(centre);
    let (row, column) = ((row + cell / SIDE).checked_sub(2), (column + cell % SIDE).checked_sub(2));
    let Some(cell) = row.zip(column).and_then(|(row, column)| cell_at(row, column)) else { return 0.0 };
    let height = f64::from(before.height(cell));
    match before.owner(cell) {
        Some(owner) if owner == before.side() => height,
        Some(_) => -height,
        None => 0.0,
    }
}

impl FeatureSet<Avalam> for AvalamFeatures {
    fn names(&self) -> Vec<String> {
        self.features.iter().map(|&feature| feature_name(feature)).collect()
    }

    fn extract(&self, before: &Avalam, mv: Move, after: &Avalam, features: &mut [f64]) {
        let side: Side = before.side();
        self.fill(Some((before, mv)), (after, side), &self.seen(after, side, None), features);
    }

    fn extract_position(&self, after: &Avalam, mover: Side, features: &mut [f64]) -> bool {
        if self.features.iter().any(|feature| matches!(feature, Source(_) | Target(_))) {
            return false;
        }
        self.fill(None, (after, mover), &self.seen(after, mover, None), features);
        true
    }

    /// The counts of the position once, and for every move what it changes.
    fn extract_all(&self, position: &Avalam, moves: &[Move], rows: &mut Vec<f64>) {
        let (side, count) = (position.side(), self.features.len());
        rows.clear();
        rows.resize(count * moves.len(), 0.0);
        let observed = self.observes.then(|| Observations::of(position));
        for (&mv, row) in moves.iter().zip(rows.chunks_mut(count.max(1))) {
            let counts = observed.as_ref().map(|observed| observed.after(position, mv).counts(side));
            let mut after = *position;
            if self.threatens || self.surrounds || self.boards {
                after.play_unchecked(mv);
            }
            let seen = self.seen(&after, side, counts);
            self.fill(Some((position, mv)), (&after, side), &seen, row);
        }
    }
}

#[cfg(test)]
#[path = "feature_tests.rs"]
mod tests;
