//! The features of the papers by name, the sets they come in, and any mixture of them.

use super::measure::Seen;
use super::tables::{TABLE_NAMES, Table};
use super::{Placement, Tetris, TetrisRules};
use crate::error::InputError;
use crate::features::{Behaviour, FeatureInfo, FeatureNames, FeatureSet, NamedFeature, split};

/// One number read off a placement and the board it leads to. Columns are numbered from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the table below says what each one is
pub enum Feature {
    LandingHeight,
    ErodedCells,
    RowTransitions,
    ColumnTransitions,
    Holes,
    Wells,
    FastWells,
    HoleDepth,
    RowsWithHoles,
    Diversity,
    Height(u8),
    Difference(u8),
    MaxHeight,
    SumOfDifferences,
    MeanHeight,
    MaxHeightChange,
    HolesChange,
    SumOfDifferencesChange,
    MeanHeightChange,
    Lines,
    Constant,
    Cells,
    WeightedCells,
    WellCells,
    HeightRange,
    ConnectedHoles,
    DeepestWell,
    DropDepth,
    Frontier,
    LongPieceWells,
    HighestHoleRow,
    CellsOverHighestHoles,
    HoleRowsSquared,
    ThinCovers,
    AlmostFullRows,
    HeightsSquared,
    LandingHeightSquared,
}

use Feature::*;

/// Name, feature and definition. Walls and floor count as full; all but the first two and those that say otherwise are
/// read off the board after full rows are removed. Heights and differences stand for one feature per column.
const SINGLE: &[(&str, Feature, &str)] = &[
    (
        "landing-height",
        LandingHeight,
        "lowest row of the piece before rows are removed, floor 0, plus half its height less one",
    ),
    ("eroded-cells", ErodedCells, "rows removed times cells of the piece in them"),
    (
        "row-transitions",
        RowTransitions,
        "changes full/empty along the rows, wall to wall; an empty row counts 2",
    ),
    (
        "column-transitions",
        ColumnTransitions,
        "changes full/empty up the columns, from the floor to the empty sky; an empty column counts 1",
    ),
    ("holes", Holes, "empty cells with a full cell somewhere above them in their column"),
    (
        "wells",
        Wells,
        "over all empty cells between two full ones, covered ones too: empty cells from there down, added up",
    ),
    (
        "fast-wells",
        FastWells,
        "1+2+...+n for every well, n empty cells from its highest cell down to the next full one",
    ),
    ("hole-depth", HoleDepth, "full cells with an empty cell somewhere below them in their column"),
    ("rows-with-holes", RowsWithHoles, "rows that hold a hole"),
    ("diversity", Diversity, "distinct differences of neighbouring heights within -2 to 2"),
    ("heights", Height(0), "height of each column, one feature a column"),
    (
        "differences",
        Difference(0),
        "absolute difference of each two neighbouring heights, one feature a pair",
    ),
    ("max-height", MaxHeight, "height of the highest column"),
    ("sum-of-differences", SumOfDifferences, "absolute differences of neighbouring heights, added up"),
    ("mean-height", MeanHeight, "mean height of the columns"),
    ("max-height-change", MaxHeightChange, "max-height after less before the move"),
    ("holes-change", HolesChange, "holes after less before the move"),
    ("sum-of-differences-change", SumOfDifferencesChange, "sum-of-differences after less before the move"),
    ("mean-height-change", MeanHeightChange, "mean-height after less before the move"),
    ("lines", Lines, "rows removed by the move"),
    ("constant", Constant, "always 1"),
    ("cells", Cells, "full cells"),
    ("weighted-cells", WeightedCells, "full cells, each counted as its row, the lowest row being 1"),
    (
        "well-cells",
        WellCells,
        "empty cells between two full ones, and all empty cells below them down to the next full one",
    ),
    ("height-range", HeightRange, "highest column less lowest column"),
    ("connected-holes", ConnectedHoles, "holes, those on top of each other counted once"),
    ("deepest-well", DeepestWell, "most empty cells between two full ones above the top of a column"),
    ("drop-depth", DropDepth, "rows between the top of the board and the top of the piece where it lands"),
    (
        "frontier",
        Frontier,
        "length of the border between full and empty: row-transitions plus column-transitions",
    ),
    (
        "long-piece-wells",
        LongPieceWells,
        "depth below the lower neighbour of every column that is at least 3 below it, added up",
    ),
    (
        "highest-hole-row",
        HighestHoleRow,
        "the highest row with a hole, the lowest row being 1; 0 without holes",
    ),
    (
        "cells-over-highest-holes",
        CellsOverHighestHoles,
        "full cells above the holes of the highest row with holes, in their columns",
    ),
    ("hole-rows-squared", HoleRowsSquared, "rows-with-holes, squared"),
    ("thin-covers", ThinCovers, "columns with a hole right below their highest cell"),
    ("almost-full-rows", AlmostFullRows, "rows with exactly one empty cell"),
    ("heights-squared", HeightsSquared, "the squares of the heights of the columns, added up"),
    ("landing-height-squared", LandingHeightSquared, "landing-height, squared"),
];

/// Those that tell of the move itself, changes by it among them.
const OF_MOVE: &[Feature] = &[
    LandingHeight,
    LandingHeightSquared,
    ErodedCells,
    Lines,
    DropDepth,
    MaxHeightChange,
    HolesChange,
    SumOfDifferencesChange,
    MeanHeightChange,
];

/// Name, members and origin.
const SETS: &[(&str, &[Feature], &str)] = &[
    ("bertsekas", &[Height(0), Difference(0), MaxHeight, Holes], "Bertsekas & Tsitsiklis 1996"),
    ("dellacherie", DELLACHERIE, "Dellacherie, in Fahey 2003"),
    ("thiery", &[HoleDepth, RowsWithHoles], "Thiery & Scherrer 2009, their own two"),
    (
        "dn",
        &[
            LandingHeight,
            ErodedCells,
            RowTransitions,
            ColumnTransitions,
            Holes,
            Wells,
            HoleDepth,
            RowsWithHoles,
        ],
        "dellacherie and thiery",
    ),
    (
        "bd",
        &[
            Height(0),
            Difference(0),
            MaxHeight,
            Holes,
            LandingHeight,
            ErodedCells,
            RowTransitions,
            ColumnTransitions,
            Wells,
        ],
        "bertsekas and dellacherie, holes once",
    ),
    (
        "bdn",
        &[
            Height(0),
            Difference(0),
            MaxHeight,
            Holes,
            LandingHeight,
            ErodedCells,
            RowTransitions,
            ColumnTransitions,
            Wells,
            HoleDepth,
            RowsWithHoles,
        ],
        "bertsekas, dellacherie and thiery, holes once",
    ),
    (
        "dt",
        &[
            LandingHeight,
            ErodedCells,
            RowTransitions,
            ColumnTransitions,
            Holes,
            FastWells,
            HoleDepth,
            RowsWithHoles,
            Diversity,
        ],
        "Scherrer et al. 2015: dn with fast wells, and diversity",
    ),
    (
        "lagoudakis",
        &[
            MaxHeight,
            Holes,
            SumOfDifferences,
            MeanHeight,
            MaxHeightChange,
            HolesChange,
            SumOfDifferencesChange,
            MeanHeightChange,
            Lines,
            Constant,
        ],
        "Lagoudakis et al. 2002",
    ),
    ("fahey", &[Cells, WeightedCells, WellCells, Lines], "Fahey 2003"),
    ("xtris", &[MaxHeight, Holes, DropDepth, Frontier, Wells, LongPieceWells], "Llima 2005"),
    (
        "boehm",
        &[
            MaxHeight,
            Holes,
            ConnectedHoles,
            Lines,
            HeightRange,
            DeepestWell,
            WellCells,
            LandingHeight,
            Cells,
            WeightedCells,
            RowTransitions,
            ColumnTransitions,
        ],
        "Böhm et al. 2005",
    ),
    (
        "pile",
        &[
            HighestHoleRow,
            CellsOverHighestHoles,
            HoleRowsSquared,
            ThinCovers,
            AlmostFullRows,
            MaxHeight,
            HeightsSquared,
            LandingHeightSquared,
        ],
        "ours, beside dt and the tables of the surface",
    ),
];

const DELLACHERIE: &[Feature] =
    &[LandingHeight, ErodedCells, RowTransitions, ColumnTransitions, Holes, Wells];

impl NamedFeature for Feature {
    fn name(&self) -> String {
        feature_name(*self)
    }

    /// Only a column's own features tell a board from its mirror image; there is but one side.
    fn behaviour(&self) -> Behaviour {
        match self {
            Height(_) | Difference(_) => Behaviour::NEITHER.oriented(),
            _ => Behaviour::NEITHER,
        }
    }
}

/// What is listed for boards of this width: sets, tables, then single ones.
fn listed(width: u8) -> FeatureNames<Feature> {
    let mut names = FeatureNames::default();
    let each = |feature: Feature| -> Vec<Feature> {
        match feature {
            Height(_) => (0..width).map(Height).collect(),
            Difference(_) => (0..width - 1).map(Difference).collect(),
            other => vec![other],
        }
    };
    for &(name, features, origin) in SETS {
        let members: Vec<&str> = features.iter().map(|feature| base_name(*feature)).collect();
        let summary = format!("{}: {}", origin, members.join(", "));
        names.set(name, summary, features.iter().flat_map(|&feature| each(feature)));
    }
    TABLE_NAMES.iter().for_each(|&(name, summary, example)| names.form(name, summary, example));
    SINGLE.iter().for_each(|&(name, feature, definition)| names.single(name, definition, each(feature)));
    names
}

/// The names of sets and single features.
pub fn feature_list() -> Vec<FeatureInfo> {
    listed(TetrisRules::default().width).list()
}

/// The name in the table, without a column.
fn base_name(feature: Feature) -> &'static str {
    let kind = match feature {
        Height(_) => Height(0),
        Difference(_) => Difference(0),
        other => other,
    };
    SINGLE.iter().find(|(_, one, _)| *one == kind).expect("every feature is in the table").0
}

/// The features that a list of names stands for on a board of this width; each at most once.
///
/// # Errors
/// A name is unknown.
pub fn parse_features(width: u8, names: &str) -> Result<Vec<Feature>, InputError> {
    listed(width).choose(split(names))
}

/// The name of a feature; heights and differences carry the number of their column, from 1.
pub fn feature_name(feature: Feature) -> String {
    match feature {
        Height(column) => format!("height-{}", column + 1),
        Difference(column) => format!("difference-{}", column + 1),
        other => base_name(other).to_string(),
    }
}

/// A list of features, and the tables after them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TetrisFeatures {
    features: Vec<Feature>,
    tables: Vec<Table>,
}

impl TetrisFeatures {
    /// The features that a list of names stands for.
    ///
    /// # Errors
    /// A name is unknown.
    pub fn new(rules: &TetrisRules, names: &str) -> Result<Self, InputError> {
        let (mut single, mut tables) = (Vec::new(), Vec::new());
        for name in split(names) {
            match Table::parse(name, rules.width.into(), rules.height.into()) {
                Some(table) if !tables.contains(&table) => tables.push(table),
                Some(_) => {}
                None => single.push(name),
            }
        }
        let none = single.is_empty() && !tables.is_empty();
        let features = if none { Vec::new() } else { parse_features(rules.width, &single.join(","))? };
        Ok(Self { features, tables })
    }

    /// The features in order, those of tables left out.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// How many there are, entries of tables too.
    pub fn count(&self) -> usize {
        self.features.len() + self.tables.iter().map(Table::count).sum::<usize>()
    }

    /// The tables in order, whose entries come after the features.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }
}

impl FeatureSet<Tetris> for TetrisFeatures {
    fn names(&self) -> Vec<String> {
        let single = self.features.iter().map(|&feature| feature_name(feature));
        single.chain(self.tables.iter().flat_map(Table::names)).collect()
    }

    fn extract(&self, before: &Tetris, placement: Placement, after: &Tetris, features: &mut [f64]) {
        if !self.is_sparse() {
            let seen = Seen::new(before, placement, after);
            for (&feature, value) in self.features.iter().zip(features) {
                *value = seen.value(feature);
            }
            return;
        }
        let mut sparse = Vec::new();
        self.extract_sparse(before, placement, after, &mut sparse);
        features.fill(0.0);
        sparse.iter().for_each(|&(number, value)| features[number as usize] += value);
    }

    fn tells_of_move(&self) -> Vec<bool> {
        let of_move = self.features.iter().map(|feature| OF_MOVE.contains(feature));
        of_move.chain((self.features.len()..self.count()).map(|_| false)).collect()
    }

    fn is_sparse(&self) -> bool {
        !self.tables.is_empty()
    }

    fn dense_count(&self) -> usize {
        self.features.len()
    }

    /// Each table is added up by itself, from left to right, and so is the rest: the fast path keeps sums of the columns that a
    /// placement leaves alone, and comes to the same number.
    fn weigh_sparse(&self, weights: &[f64], sparse: &[(u32, f64)]) -> f64 {
        let add = |sparse: &[(u32, f64)]| {
            sparse.iter().fold(0.0, |sum, &(number, value)| sum + weights[number as usize] * value)
        };
        let (single, mut entries) = sparse.split_at(self.features.len());
        let (mut sum, mut end) = (add(single), self.features.len());
        for table in &self.tables {
            end += table.count();
            let count = entries.partition_point(|&(number, _)| (number as usize) < end);
            let (here, others) = entries.split_at(count);
            sum += add(here);
            entries = others;
        }
        sum
    }

    fn extract_sparse(
        &self,
        before: &Tetris,
        placement: Placement,
        after: &Tetris,
        sparse: &mut Vec<(u32, f64)>,
    ) {
        sparse.clear();
        if !self.features.is_empty() {
            let seen = Seen::new(before, placement, after);
            sparse.extend((0..).zip(&self.features).map(|(number, &feature)| (number, seen.value(feature))));
        }
        let mut first = self.features.len() as u32;
        for table in &self.tables {
            table.entries(after.columns(), first, sparse);
            first += table.count() as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Turn};
    use crate::rules::Rules;
    use math::Dice;

    #[test]
    fn sparse_values_are_those_that_are_extracted() {
        let rules = TetrisRules::from_pairs([("width", "5"), ("height", "6")]).unwrap();
        let set = TetrisFeatures::new(&rules, "lines,cells-2x2,holes,cells-1x3").unwrap();
        let names = set.names();
        assert_eq!(&names[..3], ["lines", "holes", "cells-2x2-1-1:0"]);
        let (mut dice, mut moves, mut sparse) = (Dice::seeded(&[5]), Vec::new(), Vec::new());
        let mut row = vec![0.0; names.len()];
        let mut position = Tetris::start(&rules);
        for _ in 0..60 {
            match position.turn() {
                Turn::Over => position = Tetris::start(&rules),
                Turn::Chance => position.deal(&mut dice),
                Turn::Player(_) => {
                    position.legal_moves(&mut moves);
                    let mv = moves[dice.below(moves.len())];
                    let before = position.clone();
                    position.play_unchecked(mv);
                    set.extract(&before, mv, &position, &mut row);
                    set.extract_sparse(&before, mv, &position, &mut sparse);
                    let plain = TetrisFeatures::new(&rules, "lines,holes").unwrap();
                    let mut few = [0.0; 2];
                    plain.extract(&before, mv, &position, &mut few);
                    assert_eq!(row[..2], few);
                    let mut added = vec![0.0; row.len()];
                    sparse.iter().for_each(|&(number, value)| added[number as usize] += value);
                    assert_eq!(added, row);
                    // Two entries for each window: 2x2 in 5 rows and 2 places, 1x3 in 6 rows and 2 places.
                    assert_eq!(row[2..].iter().sum::<f64>(), f64::from(2 * (5 * 2 + 6 * 2)));
                }
            }
        }
        assert!(TetrisFeatures::new(&rules, "cells-7x1").is_err());
        assert!(TetrisFeatures::new(&rules, "cells-2x2,nothing").is_err());
    }
}
