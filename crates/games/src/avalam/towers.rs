//! Every tower by its surroundings: whose it is, how high, and whom it may be merged with. Our own addition to the counts of the
//! report, which know how many links there are but not which towers they hang on.
//!
//! A neighbour is *exact* if both together have height 5: who merges them has a tower that nobody can take any more. It is
//! *lower* if they come to less. The kind of a tower is its height and the numbers of exact and lower neighbours of
//! its own side and of the other one, up to two. The sums of a function of these counts are whole numbers, so that bringing them up to
//! date around a move gives what counting afresh gives, to the last digit.

use super::board::NEIGHBOURS;
use super::{Avalam, Move};
use crate::game::Side;

/// What is told apart of a number of neighbours: 0, 1, or more.
const FEW: usize = 3;
const PER_HEIGHT: usize = FEW * FEW * FEW * FEW;
/// A tower of height 4 has no lower neighbours, one of height 5 no links at all.
const OF_FOUR: usize = 3 * PER_HEIGHT;
const OF_FIVE: usize = OF_FOUR + FEW * FEW;
/// The number of kinds.
pub const KINDS: usize = OF_FIVE + 1;

/// Weights are rounded to this part of 1.
const PART: f64 = 65536.0;

/// In the tables of a function all heights have as many places, so that no branch depends on a height: some stay unused.
const PLACES: usize = 5 * PER_HEIGHT;

/// The kind of a place.
fn kind_of(place: usize) -> usize {
    match place / PER_HEIGHT {
        4 => OF_FIVE,
        3 => OF_FOUR + place % PER_HEIGHT / (FEW * FEW),
        _ => place,
    }
}

/// The name of a kind, for own towers or those of the enemy: `own-3-exact-10-lower-02`.
pub fn name(is_own: bool, kind: usize) -> String {
    let digits = |number: usize| format!("{}{}", number / FEW % FEW, number % FEW);
    let owner = if is_own { "own" } else { "enemy" };
    match kind {
        OF_FIVE.. => format!("{owner}-5-exact-00-lower-00"),
        OF_FOUR.. => format!("{owner}-4-exact-{}-lower-00", digits(kind - OF_FOUR)),
        _ => {
            let (height, exact) = (kind / PER_HEIGHT + 1, kind % PER_HEIGHT / (FEW * FEW));
            format!("{owner}-{height}-exact-{}-lower-{}", digits(exact), digits(kind))
        }
    }
}

/// How often a tower of a kind counts in an observation function, by its number: in the score, in the towers of a height and in
/// the isolated ones. `None` for links, which are not told by kinds.
pub fn counted(observation: usize, is_own: bool, kind: usize) -> Option<f64> {
    let (height, is_isolated) = match kind {
        OF_FIVE.. => (5, true),
        OF_FOUR.. => (4, kind == OF_FOUR),
        _ => (kind / PER_HEIGHT + 1, kind.is_multiple_of(PER_HEIGHT)),
    };
    match observation {
        0 => Some(if is_own { 1.0 } else { -1.0 }),
        // Own towers of each height, those of the enemy, and likewise the isolated ones.
        1..=20 => {
            let (group, of_height) = ((observation - 1) / 5, (observation - 1) % 5 + 1);
            let counts =
                group.is_multiple_of(2) == is_own && height == of_height && (group < 2 || is_isolated);
            Some(f64::from(u8::from(counts)))
        }
        _ => None,
    }
}

/// The towers by what they are to a tower of each height.
struct Sets {
    exact: [u64; 6],
    lower: [u64; 6],
    first: u64,
}

impl Sets {
    #[inline]
    fn of(position: &Avalam) -> Self {
        let (sets, at_most) = (position.by_height(), position.at_most());
        let [_, one, two, three, four, _] = sets;
        let [_, _, to_two, to_three, ..] = at_most;
        let (exact, lower) = ([0, four, three, two, one, 0], [0, to_three, to_two, one, 0, 0]);
        Self { exact, lower, first: position.first }
    }

    /// 0 if the first side owns the tower of a cell.
    #[inline]
    fn owner(&self, cell: u8) -> usize {
        (!self.first >> cell & 1) as usize
    }

    /// The place of a tower: its height, exact neighbours of its own side and of the other one, then the lower ones.
    #[inline]
    fn place(&self, cell: u8, height: usize) -> usize {
        let near = NEIGHBOURS[usize::from(cell)];
        let (exact, lower) = (near & self.exact[height], near & self.lower[height]);
        let same = if self.owner(cell) == 0 { self.first } else { !self.first };
        let few = |cells: u64| (cells.count_ones() as usize).min(FEW - 1);
        let exact = few(exact & same) * FEW + few(exact & !same);
        let lower = few(lower & same) * FEW + few(lower & !same);
        ((height - 1) * FEW * FEW + exact) * FEW * FEW + lower
    }
}

/// How many towers of each kind there are, those of a side and then those of its enemy.
pub fn counts(position: &Avalam, side: Side) -> [[i16; KINDS]; 2] {
    let sets = Sets::of(position);
    let mut counts = [[0; KINDS]; 2];
    for_towers(position, |cell, height| {
        counts[sets.owner(cell) ^ side.index()][kind_of(sets.place(cell, height))] += 1;
    });
    counts
}

fn for_towers(position: &Avalam, mut see: impl FnMut(u8, usize)) {
    for (height, mut towers) in position.by_height().into_iter().enumerate() {
        while towers != 0 {
            see(towers.trailing_zeros() as u8, height);
            towers &= towers - 1;
        }
    }
}

/// A weighted sum of the counts: what a tower of each owner and kind adds to the sums, that of the first side and that of the
/// second, each as the side that moved last.
#[derive(Debug, Clone, PartialEq)]
pub struct TowerWeights {
    added: Vec<[i32; 2]>,
    constant: f64,
}

impl TowerWeights {
    /// `weight(is_own, kind)` for all of them, and the weight of 1.
    pub fn new(weight: impl Fn(bool, usize) -> f64, constant: f64) -> Self {
        // Within these bounds 48 towers stay inside the range of the sums.
        let rounded = |weight: f64| (weight * PART).round().clamp(-4e7, 4e7) as i32;
        let added =
            |owner: usize, place: usize| [0, 1].map(|mover| rounded(weight(owner == mover, kind_of(place))));
        let added = (0..2 * PLACES).map(|number| added(number / PLACES, number % PLACES));
        Self { added: added.collect(), constant }
    }

    #[inline]
    fn of(&self, sets: &Sets, cell: u8, height: usize) -> &[i32; 2] {
        &self.added[sets.owner(cell) * PLACES + sets.place(cell, height)]
    }
}

/// The sums of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TowerSums([i32; 2]);

impl TowerSums {
    /// Counted afresh.
    pub fn of(position: &Avalam, weights: &TowerWeights) -> Self {
        let (sets, mut sums) = (Sets::of(position), Self([0; 2]));
        for_towers(position, |cell, height| sums.add(weights.of(&sets, cell, height)));
        sums
    }

    /// Brought up to date after a legal move in `before`, whose sums these are. Only what was linked with the two towers
    /// has changed: a tower that was too high for either is too high for both together.
    #[inline]
    #[must_use]
    pub fn after(&self, before: &Avalam, mv: Move, after: &Avalam, weights: &TowerWeights) -> Self {
        let (old, new, at_most) = (Sets::of(before), Sets::of(after), before.at_most());
        let (low, high) = (usize::from(before.height(mv.from)), usize::from(before.height(mv.to)));
        // Legal moves never need the bound; it spares the checks of the array accesses.
        let (low, high) = (low.clamp(1, 4), high.clamp(1, 4));
        let mut sums = *self;
        sums.take(weights.of(&old, mv.from, low));
        sums.take(weights.of(&old, mv.to, high));
        sums.add(weights.of(&new, mv.to, (low + high).min(5)));
        let near = |cell: u8, height: usize| NEIGHBOURS[usize::from(cell)] & at_most[5 - height];
        let mut changed = (near(mv.from, low) | near(mv.to, high)) & !(1 << mv.from) & !(1 << mv.to);
        while changed != 0 {
            let cell = changed.trailing_zeros() as u8;
            let height = usize::from(before.height(cell)).clamp(1, 4);
            sums.take(weights.of(&old, cell, height));
            sums.add(weights.of(&new, cell, height));
            changed &= changed - 1;
        }
        sums
    }

    /// The value of a position, whose sums these are, for the side that moved last.
    #[inline]
    pub fn value(&self, position: &Avalam, weights: &TowerWeights) -> f64 {
        let mover = position.side().other();
        f64::from(self.0[mover.index()]) / PART + weights.constant
    }

    #[inline]
    fn add(&mut self, other: &[i32; 2]) {
        self.0.iter_mut().zip(other).for_each(|(sum, other)| *sum += other);
    }

    #[inline]
    fn take(&mut self, other: &[i32; 2]) {
        self.0.iter_mut().zip(other).for_each(|(sum, other)| *sum -= other);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{AvalamFeatures, CELLS, place};
    use super::*;
    use crate::rules::Fixed;
    use crate::{Dice, FeatureSet, Game};

    /// The name of a tower's kind by its definition, from the matrix alone.
    fn plain_name(position: &Avalam, cell: u8, side: Side) -> String {
        let (height, owner) = (position.height(cell), position.owner(cell).unwrap());
        let near = (0..CELLS).filter(|&other| {
            let ((a, b), (c, d)) = (place(cell), place(other));
            other != cell && a.abs_diff(c) <= 1 && b.abs_diff(d) <= 1 && position.height(other) > 0
        });
        let near: Vec<u8> = near.collect();
        let few = |is_same: bool, is_exact: bool| {
            let counts = |&&other: &&u8| {
                let sum = height + position.height(other);
                (position.owner(other) == Some(owner)) == is_same && if is_exact { sum == 5 } else { sum < 5 }
            };
            near.iter().filter(counts).count().min(2)
        };
        let whose = if owner == side { "own" } else { "enemy" };
        let (a, b, c, d) = (few(true, true), few(false, true), few(true, false), few(false, false));
        format!("{whose}-{height}-exact-{a}{b}-lower-{c}{d}")
    }

    #[test]
    fn every_kind_has_a_name_of_its_own() {
        let names: std::collections::HashSet<String> =
            (0..KINDS).flat_map(|kind| [name(true, kind), name(false, kind)]).collect();
        assert_eq!(names.len(), 2 * KINDS);
        assert_eq!(name(true, kind_of((2 * 9 + 3) * 9 + 2)), "own-3-exact-10-lower-02");
    }

    /// What is a sum of kinds can be folded into their weights: whole random games.
    #[test]
    fn score_towers_and_isolated_ones_are_sums_of_kinds() {
        let sums = &super::super::observations::NAMES[..21];
        let features = AvalamFeatures::new(&format!("{},surroundings", sums.join(","))).unwrap();
        let mut dice = Dice::seeded(&[93]);
        let weights: Vec<f64> =
            features.names().iter().map(|_| dice.below(2001) as f64 / 8.0 - 125.0).collect();
        let folded = features.tower_weights(&weights).unwrap();
        let (mut moves, mut row) = (Vec::new(), vec![f64::NAN; weights.len()]);
        for _ in 0..20 {
            let mut position = Avalam::start(&Fixed);
            while let Some(mv) = position.random_move(&mut dice, &mut moves) {
                position.play_unchecked(mv);
                assert!(features.extract_position(&position, position.side().other(), &mut row));
                let value: f64 = row.iter().zip(&weights).map(|(count, weight)| count * weight).sum();
                assert_eq!(TowerSums::of(&position, &folded).value(&position, &folded), value);
            }
        }
        let links = AvalamFeatures::new("links-1-1-own,surroundings").unwrap();
        assert!(links.tower_weights(&vec![1.0; links.names().len()]).is_none());
    }

    /// Whole random games: the counts are those of the definition, sums brought up to date are those counted afresh, and
    /// their value is the weighted sum of the features.
    #[test]
    fn counts_and_sums_are_those_of_the_definition() {
        let features = AvalamFeatures::new("surroundings,constant").unwrap();
        let names = features.names();
        let mut dice = Dice::seeded(&[92]);
        let weights: Vec<f64> = names.iter().map(|_| dice.below(2001) as f64 / 8.0 - 125.0).collect();
        let folded = features.tower_weights(&weights).unwrap();
        let (mut moves, mut row) = (Vec::new(), vec![f64::NAN; names.len()]);
        for _ in 0..20 {
            let mut position = Avalam::start(&Fixed);
            let mut sums = TowerSums::of(&position, &folded);
            loop {
                let mover = position.side().other();
                let mut expected = vec![0.0; names.len()];
                expected[names.len() - 1] = 1.0;
                for cell in (0..CELLS).filter(|&cell| position.height(cell) > 0) {
                    let kind = plain_name(&position, cell, mover);
                    expected[names.iter().position(|name| *name == kind).unwrap()] += 1.0;
                }
                assert!(features.extract_position(&position, mover, &mut row));
                assert_eq!(row, expected, "{}", position.text());
                let value: f64 = row.iter().zip(&weights).map(|(count, weight)| count * weight).sum();
                assert_eq!(sums.value(&position, &folded), value, "{}", position.text());
                position.legal_moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                for &mv in &moves {
                    let mut after = position;
                    after.play_unchecked(mv);
                    let updated = sums.after(&position, mv, &after, &folded);
                    assert_eq!(updated, TowerSums::of(&after, &folded), "{mv:?} in {}", position.text());
                }
                let (before, mv) = (position, dice.pick(&moves));
                position.play_unchecked(mv);
                sums = sums.after(&before, mv, &position, &folded);
            }
        }
    }
}
