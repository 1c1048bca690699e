//! The weighted features: what they are called inside, and which lists have code of their own.

use super::board::{Board, Drop, OFFSET, PADDED};
use super::counts::{Totals, Wanted};
use super::lane_tables::LaneTables;
use super::margin::Margins;
use super::shapes::FastShape;
use super::surface::FastTable;
use super::word::Weight;
use games::tetris::{Feature, TetrisFeatures};
use games::tetris::{TetrisRules, height};

/// Room for the weights of a known list.
pub const MOST: usize = 17;

/// Weighted features.
#[derive(Debug, Clone)]
pub struct Terms {
    /// What the features are, in their order, and their weights.
    all: Vec<(usize, f64)>,
    /// The same features by name where some of them are counted by the plain measures, else none of them.
    named: Vec<Feature>,
    /// The same for lanes: those that are not always 0 where no row is removed, but for heights and differences.
    pub lanes: Vec<(usize, Weight)>,
    /// The weight of each column's height, and of its difference to its left neighbour, in the unit of lanes.
    pub heights: [f32; PADDED],
    pub differences: [f32; PADDED],
    /// Which known list it is, or `ANY`; and the first weights once more, for lanes.
    pub list: usize,
    /// Whether the first features are those of `dn`.
    pub begins_as_dn: bool,
    pub first: [Weight; MOST],
    pub wanted: Wanted,
    /// Tables, whose sums are added after all features; and what lanes look up in place of them.
    pub tables: Vec<FastTable>,
    pub lane_tables: LaneTables,
    /// How far values of lanes may be off.
    pub margins: Margins,
}

/// Feature lists that have code of their own: no feature is asked which one it is, and nothing is computed that none asks
/// for. It takes 840 of 2,730 instructions off a decision with `dn`.
pub const KNOWN: [&[usize]; 4] = [&DN, &DT, &DELLACHERIE, &DT_PILE];
const DN: [usize; 8] = [LANDING_HEIGHT, ERODED_CELLS, 1, 2, 3, WELLS, 6, 7];
/// How many of them are not always 0 where no row is removed.
pub const DN_LANES: usize = DN.len() - 1;
const DT: [usize; 9] = [LANDING_HEIGHT, ERODED_CELLS, 1, 2, 3, FAST_WELLS, 6, 7, DIVERSITY];
const DT_PILE: [usize; 17] = [
    LANDING_HEIGHT,
    ERODED_CELLS,
    1,
    2,
    3,
    FAST_WELLS,
    6,
    7,
    DIVERSITY,
    HIGHEST_HOLE_ROW,
    CELLS_OVER_HIGHEST_HOLES,
    HOLE_ROWS_SQUARED,
    THIN_COVERS,
    ALMOST_FULL_ROWS,
    9,
    HEIGHTS_SQUARED,
    LANDING_HEIGHT_SQUARED,
];
/// From this list on there may be tables; a list before it with tables is any other.
pub const TABLED: usize = 3;
const DELLACHERIE: [usize; 6] = [LANDING_HEIGHT, ERODED_CELLS, 1, 2, 3, WELLS];
/// Any other list.
pub const ANY: usize = KNOWN.len();

pub const LANDING_HEIGHT: usize = 0;
pub const WELLS: usize = 4;
pub const FAST_WELLS: usize = 5;
pub const DIVERSITY: usize = 8;
pub const HIGHEST_HOLE_ROW: usize = 11;
pub const CELLS_OVER_HIGHEST_HOLES: usize = 12;
pub const HOLE_ROWS_SQUARED: usize = 13;
pub const THIN_COVERS: usize = 14;
pub const ALMOST_FULL_ROWS: usize = 15;
pub const HEIGHTS_SQUARED: usize = 16;
pub const LANDING_HEIGHT_SQUARED: usize = 17;
/// Those that few lists have (`lanes/rare.rs`); the plain measures count them where they must be exact.
pub const FIRST_RARE: usize = 18;
pub const FRONTIER: usize = 18;
pub const DROP_DEPTH: usize = 19;
pub const CELLS: usize = 20;
pub const WEIGHTED_CELLS: usize = 21;
pub const MEAN_HEIGHT: usize = 22;
pub const SUM_OF_DIFFERENCES: usize = 23;
pub const MAX_HEIGHT_CHANGE: usize = 24;
pub const HOLES_CHANGE: usize = 25;
pub const SUM_OF_DIFFERENCES_CHANGE: usize = 26;
pub const MEAN_HEIGHT_CHANGE: usize = 27;
pub const CONNECTED_HOLES: usize = 28;
pub const HEIGHT_RANGE: usize = 29;
pub const LONG_PIECE_WELLS: usize = 30;
pub const WELL_CELLS: usize = 31;
pub const DEEPEST_WELL: usize = 32;
pub const LAST_RARE: usize = DEEPEST_WELL;
/// Those that are 0 where no row is removed.
pub const ERODED_CELLS: usize = 33;
pub const LINES: usize = 34;
/// From here on the heights of single columns, and the differences of neighbours.
pub const FIRST_HEIGHT: usize = 64;
pub const FIRST_DIFFERENCE: usize = 96;

/// What the known lists ask for.
const KNOWN_WANTED: [Wanted; KNOWN.len()] =
    [wanted_by(&DN), wanted_by(&DT), wanted_by(&DELLACHERIE), wanted_by(&DT_PILE)];

const fn wanted_by(slots: &[usize]) -> Wanted {
    let mut wanted = Wanted::NOTHING;
    let mut i = 0;
    while i < slots.len() {
        match slots[i] {
            1 => wanted.row_transitions = true,
            2 => wanted.column_transitions = true,
            3 => wanted.holes = true,
            WELLS => wanted.wells = true,
            FAST_WELLS => wanted.fast_wells = true,
            6 => wanted.hole_depth = true,
            7 => wanted.hole_rows = true,
            DIVERSITY => wanted.diversity = true,
            9 => wanted.max_height = true,
            HIGHEST_HOLE_ROW | HOLE_ROWS_SQUARED => wanted.hole_rows = true,
            CELLS_OVER_HIGHEST_HOLES => (wanted.hole_rows, wanted.over_highest_holes) = (true, true),
            THIN_COVERS => wanted.thin_covers = true,
            ALMOST_FULL_ROWS => wanted.almost_full_rows = true,
            HEIGHTS_SQUARED => wanted.squares = true,
            FIRST_HEIGHT.. => (wanted.heights, wanted.rare) = (true, true),
            FRONTIER => (wanted.row_transitions, wanted.column_transitions) = (true, true),
            CONNECTED_HOLES => wanted.column_transitions = true,
            HOLES_CHANGE => wanted.holes = true,
            MAX_HEIGHT_CHANGE => wanted.max_height = true,
            HEIGHT_RANGE => (wanted.max_height, wanted.rare) = (true, true),
            WELL_CELLS | DEEPEST_WELL => wanted.rare_wells = true,
            slot if FIRST_RARE <= slot && slot <= LAST_RARE => wanted.rare = true,
            _ => {}
        }
        i += 1;
    }
    wanted
}

impl Terms {
    /// The features with their weights, unless these are too large or too small for lanes.
    pub fn new(rules: &TetrisRules, features: &TetrisFeatures, weights: &[f64]) -> Option<Self> {
        if !weights.iter().all(|weight| weight.is_finite()) {
            return None;
        }
        let (single, mut entries) = weights.split_at(features.features().len());
        let mut all = Vec::new();
        for (&feature, &weight) in features.features().iter().zip(single) {
            let slot = slot(feature);
            // Twice the landing height is whole; halving is exact.
            let weight = match slot {
                LANDING_HEIGHT => weight / 2.0,
                LANDING_HEIGHT_SQUARED => weight / 4.0,
                _ => weight,
            };
            all.push((slot, weight));
        }
        let width = usize::from(rules.width);
        let (mut tables, mut most, mut largest) = (Vec::new(), 0.0, 0.0f64);
        for table in features.tables() {
            let (here, others) = entries.split_at(table.count());
            let fast = FastTable::new(table, here);
            let largest_here = here.iter().fold(0.0f64, |largest, weight| largest.max(weight.abs()));
            most += largest_here * fast.most_shown(width) as f64;
            largest = largest.max(largest_here);
            tables.push(fast);
            entries = others;
        }
        let margins = Margins::new(width, &all, most, largest)?;
        let lane_tables = LaneTables::new(&tables, |weight| margins.scaled(weight));
        let lanes = all.iter().map(|&(slot, weight)| {
            // Lanes add heights up.
            let mean = [MEAN_HEIGHT, MEAN_HEIGHT_CHANGE].contains(&slot);
            (slot, [margins.scaled(if mean { weight / width as f64 } else { weight }); 8])
        });
        let mut first = [[0.0; 8]; MOST];
        for (first, (_, weight)) in first.iter_mut().zip(lanes.clone()) {
            *first = weight;
        }
        let slots: Vec<usize> = all.iter().map(|&(slot, _)| slot).collect();
        let mut wanted = wanted_by(&slots);
        wanted.tables = !tables.is_empty();
        wanted.surface = tables.iter().any(FastTable::has_patterns);
        wanted.surface_set = tables.iter().any(|table| matches!(table, FastTable::Set(_)));
        wanted.rare_tables = tables.iter().any(FastTable::is_rare);
        wanted.rows = tables.iter().any(|table| matches!(table, FastTable::Holes(..)));
        wanted.hole_rows |= wanted.rows;
        let known = KNOWN.iter().position(|list| *list == slots);
        let known = known.filter(|&list| (list >= TABLED && !wanted.rare_tables) || tables.is_empty());
        let weights_of = |slots: std::ops::Range<usize>, from: usize| {
            let mut weights = [0.0; PADDED];
            for &(slot, weight) in all.iter().filter(|(slot, _)| slots.contains(slot)) {
                weights[OFFSET + from + slot - slots.start] = margins.scaled(weight);
            }
            weights
        };
        let measured = slots.iter().any(|&slot| is_measured(slot));
        Some(Self {
            named: if measured { features.features().to_vec() } else { Vec::new() },
            lanes: lanes.filter(|&(slot, _)| slot < ERODED_CELLS).collect(),
            heights: weights_of(FIRST_HEIGHT..FIRST_DIFFERENCE, 0),
            differences: weights_of(FIRST_DIFFERENCE..usize::MAX, 1),
            list: known.unwrap_or(ANY),
            begins_as_dn: slots.starts_with(&DN),
            first,
            wanted,
            all,
            tables,
            lane_tables,
            margins,
        })
    }

    /// What list `K` asks for, known to the compiler if the list is.
    #[inline(always)]
    pub fn wanted<const K: usize>(&self) -> Wanted {
        match K {
            ANY => self.wanted,
            TABLED => {
                let Wanted { tables, surface, surface_set, rows, .. } = self.wanted;
                Wanted { tables, surface, surface_set, rows, ..KNOWN_WANTED[K] }
            }
            _ => KNOWN_WANTED[K],
        }
    }

    /// The value of a drop but for the tables.
    #[inline(always)]
    pub fn value_of<const K: usize>(
        &self,
        board: &Board,
        shape: &FastShape,
        drop: &Drop,
        totals: &Totals,
    ) -> f64 {
        let mut sum = 0.0;
        if K == ANY && !self.named.is_empty() {
            return board.seen(drop, shape, |seen| {
                let all = self.all.iter().zip(&self.named);
                all.fold(0.0, |sum, (&(slot, weight), &feature)| {
                    let measured = is_measured(slot);
                    let number = || f64::from(number(slot, shape, drop, totals));
                    sum + weight * if measured { seen.value(feature) } else { number() }
                })
            });
        }
        if K == ANY {
            for &(slot, weight) in &self.all {
                sum += weight * f64::from(number(slot, shape, drop, totals));
            }
        } else {
            let all: &[(usize, f64)] = &self.all[..KNOWN[K].len()];
            for i in 0..KNOWN[K].len() {
                sum += all[i].1 * f64::from(number(KNOWN[K][i], shape, drop, totals));
            }
        }
        sum
    }
}

/// Whether the plain measures count a feature where it must be exact.
fn is_measured(slot: usize) -> bool {
    (FIRST_RARE..=LAST_RARE).contains(&slot)
}

/// The number of a feature.
fn slot(feature: Feature) -> usize {
    match feature {
        Feature::LandingHeight => LANDING_HEIGHT,
        Feature::RowTransitions => 1,
        Feature::ColumnTransitions => 2,
        Feature::Holes => 3,
        Feature::Wells => WELLS,
        Feature::FastWells => FAST_WELLS,
        Feature::HoleDepth => 6,
        Feature::RowsWithHoles => 7,
        Feature::Diversity => DIVERSITY,
        Feature::MaxHeight => 9,
        Feature::Constant => 10,
        Feature::ErodedCells => ERODED_CELLS,
        Feature::Lines => LINES,
        Feature::HighestHoleRow => HIGHEST_HOLE_ROW,
        Feature::CellsOverHighestHoles => CELLS_OVER_HIGHEST_HOLES,
        Feature::HoleRowsSquared => HOLE_ROWS_SQUARED,
        Feature::ThinCovers => THIN_COVERS,
        Feature::AlmostFullRows => ALMOST_FULL_ROWS,
        Feature::HeightsSquared => HEIGHTS_SQUARED,
        Feature::LandingHeightSquared => LANDING_HEIGHT_SQUARED,
        Feature::Frontier => FRONTIER,
        Feature::DropDepth => DROP_DEPTH,
        Feature::Cells => CELLS,
        Feature::WeightedCells => WEIGHTED_CELLS,
        Feature::MeanHeight => MEAN_HEIGHT,
        Feature::SumOfDifferences => SUM_OF_DIFFERENCES,
        Feature::MaxHeightChange => MAX_HEIGHT_CHANGE,
        Feature::HolesChange => HOLES_CHANGE,
        Feature::SumOfDifferencesChange => SUM_OF_DIFFERENCES_CHANGE,
        Feature::MeanHeightChange => MEAN_HEIGHT_CHANGE,
        Feature::ConnectedHoles => CONNECTED_HOLES,
        Feature::HeightRange => HEIGHT_RANGE,
        Feature::LongPieceWells => LONG_PIECE_WELLS,
        Feature::WellCells => WELL_CELLS,
        Feature::DeepestWell => DEEPEST_WELL,
        Feature::Height(column) => FIRST_HEIGHT + usize::from(column),
        Feature::Difference(column) => FIRST_DIFFERENCE + usize::from(column),
    }
}

/// A feature of the board after a drop.
#[inline(always)]
fn number(slot: usize, shape: &FastShape, drop: &Drop, totals: &Totals) -> u32 {
    match slot {
        LANDING_HEIGHT => 2 * drop.row + shape.height - 1,
        1 => totals.row_transitions,
        2 => totals.column_transitions,
        3 => totals.holes,
        WELLS => totals.wells,
        FAST_WELLS => totals.fast_wells,
        6 => totals.hole_depth,
        7 => totals.hole_rows.count_ones(),
        DIVERSITY => totals.differences.count_ones(),
        HIGHEST_HOLE_ROW => height(totals.hole_rows),
        CELLS_OVER_HIGHEST_HOLES => totals.over_highest_holes,
        HOLE_ROWS_SQUARED => totals.hole_rows.count_ones().pow(2),
        THIN_COVERS => totals.thin_covers,
        ALMOST_FULL_ROWS => totals.almost_full_rows,
        HEIGHTS_SQUARED => totals.squares,
        LANDING_HEIGHT_SQUARED => (2 * drop.row + shape.height - 1).pow(2),
        9 => totals.max_height,
        10 => 1,
        ERODED_CELLS => drop.lines * drop.eroded,
        LINES => drop.lines,
        column if column < FIRST_DIFFERENCE => drop.height(column - FIRST_HEIGHT),
        difference => {
            let column = difference - FIRST_DIFFERENCE;
            drop.height(column).abs_diff(drop.height(column + 1))
        }
    }
}
