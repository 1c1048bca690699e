//! What a player likes and dislikes of the surface of the pile and of rows with holes: the weights of its tables, entry by
//! entry.

use games::tetris::{Profile, Table, Tetris, TetrisRules};

use super::explain::Critic;

/// A table of the surface. Only differences between its weights mean anything: a board has as many columns whatever it looks
/// like, so that the same number added to every weight changes no choice. Of rows with holes a board has more or fewer: there
/// weights are counted from 0.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceTable {
    /// Its name.
    pub name: String,
    /// The mean weight of the entries, each counted once; 0 where weights are counted from there.
    pub mean: f64,
    /// The entries, the most liked first.
    pub entries: Vec<Entry>,
    /// Entries with a weight of 0, as have those that learning never met: they say nothing and are left out.
    pub left_out: usize,
}

/// An entry of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its name, without that of the table.
    pub name: String,
    /// What it looks like: a pattern of columns, or everything that is present.
    pub profiles: Vec<Profile>,
    /// Its weight.
    pub weight: f64,
    /// Its weight less the mean.
    pub above_mean: f64,
}

/// Why there is nothing to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoSurfaces {
    /// Weights of other forms are no likes.
    #[error("its function is not linear, so that no entry has a weight of its own")]
    NotLinear,
    /// There is no such table.
    #[error(
        "its features have no table of the surface or of holes, as are surface-pairs, surface-set, surface-4x3 and hole-rows-3"
    )]
    NoTable,
}

impl Critic<Tetris> {
    /// The tables of the surface; of a player that looks ahead, those of the function by which it does.
    ///
    /// # Errors
    /// There are none, or they have no weights.
    pub fn surfaces(&self, rules: &TetrisRules) -> Result<Vec<SurfaceTable>, NoSurfaces> {
        let mut tables = Vec::new();
        for (name, places) in self.lines() {
            let table = Table::parse(&name, rules.width.into(), rules.height.into());
            let Some(table) = table else { continue };
            if let Some(profiles) = table.profiles() {
                let weights = self.evaluator().linear_weights().ok_or(NoSurfaces::NotLinear)?;
                let names = &self.names()[places.clone()];
                let from_mean = table.shows_as_many();
                tables.push(SurfaceTable::new(name, names, &weights[places], profiles, from_mean));
            }
        }
        if tables.is_empty() { Err(NoSurfaces::NoTable) } else { Ok(tables) }
    }
}

impl SurfaceTable {
    fn new(
        name: String,
        names: &[String],
        weights: &[f64],
        profiles: Vec<Vec<Profile>>,
        from_mean: bool,
    ) -> Self {
        let set: Vec<f64> = weights.iter().copied().filter(|&weight| weight != 0.0).collect();
        let mean = if from_mean { set.iter().sum::<f64>() / set.len().max(1) as f64 } else { 0.0 };
        let all = names.iter().zip(weights).zip(profiles);
        let mut entries: Vec<Entry> = all
            .filter(|((_, weight), _)| **weight != 0.0)
            .map(|((full, &weight), profiles)| {
                let short = full.split_once(':').map_or(full.as_str(), |(_, entry)| entry);
                Entry { name: short.to_string(), profiles, weight, above_mean: weight - mean }
            })
            .collect();
        entries.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        Self { name, mean, left_out: weights.len() - entries.len(), entries }
    }

    /// The most liked entries, at most so many, the best first.
    pub fn liked(&self, most: usize) -> Vec<&Entry> {
        self.entries.iter().filter(|entry| entry.above_mean > 0.0).take(most).collect()
    }

    /// The most disliked entries, at most so many, the worst first.
    pub fn disliked(&self, most: usize) -> Vec<&Entry> {
        self.entries.iter().rev().filter(|entry| entry.above_mean < 0.0).take(most).collect()
    }

    /// How far the farthest weight is from the mean.
    pub fn spread(&self) -> f64 {
        self.entries.iter().map(|entry| entry.above_mean.abs()).fold(0.0, f64::max)
    }

    /// Of a table of three columns, what both neighbours of the middle one may be above it, a wall last, and the entry of each
    /// pair, row by row.
    pub fn pairs(&self) -> Option<Pairs<'_>> {
        let mut of_pair = Vec::new();
        for entry in &self.entries {
            let [profile] = &entry.profiles[..] else { return None };
            let [left, Some(middle), right] = profile[..] else { return None };
            let cells = |column: u32| i64::from(column.count_ones());
            let above = |column: Option<u32>| column.map(|column| cells(column) - cells(middle));
            of_pair.push(((above(left), above(right)), entry));
        }
        let mut steps: Vec<Option<i64>> =
            of_pair.iter().flat_map(|&((left, right), _)| [left, right]).collect();
        // Walls come after all differences.
        steps.sort_unstable_by_key(|step| (step.is_none(), *step));
        steps.dedup();
        let at = |left, right| {
            let found = of_pair.iter().find(|&&(pair, _)| pair == (left, right) || pair == (right, left));
            found.map(|&(_, entry)| entry)
        };
        let entries =
            steps.iter().map(|&left| steps.iter().map(|&right| at(left, right)).collect()).collect();
        Some(Pairs { steps, entries })
    }
}

/// A table of three columns as a square.
#[derive(Debug, Clone, PartialEq)]
pub struct Pairs<'a> {
    /// How much higher a neighbour is, a wall having no height.
    pub steps: Vec<Option<i64>>,
    /// The entry of each pair, by its left and its right neighbour; none where it is left out.
    pub entries: Vec<Vec<Option<&'a Entry>>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn critic(player: &str) -> Critic<Tetris> {
        Critic::<Tetris>::new(&TetrisRules::default(), player).unwrap().unwrap()
    }

    /// A player with these weights of a table, 0 elsewhere.
    fn with_table(table: &str, weights: &[(&str, f64)]) -> String {
        let names = Table::parse(table, 10, 20).unwrap().names();
        let of = |name: &String| {
            let entry = name.split_once(':').unwrap().1;
            weights.iter().find(|(one, _)| *one == entry).map_or(0.0, |&(_, weight)| weight).to_string()
        };
        let texts: Vec<String> = names.iter().map(of).collect();
        format!("linear(holes,{table}; -1,{})", texts.join(","))
    }

    #[test]
    fn entries_are_counted_from_the_mean_and_what_was_never_met_is_left_out() {
        let player = with_table("surface-pairs", &[("0/0", 5.0), ("-1/3", 2.0), ("4/wall", -1.0)]);
        for player in [format!("lookahead({player})"), player] {
            let tables = critic(&player).surfaces(&TetrisRules::default()).unwrap();
            let [table] = &tables[..] else { panic!("one table") };
            assert_eq!((table.name.as_str(), table.mean, table.left_out), ("surface-pairs", 2.0, 42));
            let of = |entries: Vec<&Entry>| -> Vec<(String, f64, f64)> {
                entries.iter().map(|one| (one.name.clone(), one.weight, one.above_mean)).collect()
            };
            assert_eq!(of(table.liked(8)), [("0/0".to_string(), 5.0, 3.0)]);
            assert_eq!(of(table.disliked(8)), [("4/wall".to_string(), -1.0, -3.0)]);
            assert_eq!((table.liked(0).len(), table.spread()), (0, 3.0));
            assert_eq!(table.entries[2].profiles, [vec![Some(0b11111), Some(0b1), None]]);
        }
    }

    #[test]
    fn rows_with_holes_are_counted_from_nothing() {
        let player = with_table("hole-rows-2", &[("1/1/0/2/1", -5.0), ("2/1/0/1/1", -1.0)]);
        let tables = critic(&player).surfaces(&TetrisRules::default()).unwrap();
        assert_eq!((tables[0].mean, tables[0].liked(8).len(), tables[0].spread()), (0.0, 0, 5.0));
        let worst = tables[0].disliked(1)[0];
        assert_eq!((worst.name.as_str(), worst.above_mean), ("1/1/0/2/1", -5.0));
        // A hole with two cells over it, and a column that is empty in the row above, between full ones.
        assert_eq!(worst.profiles, [vec![Some(0b11), Some(0b110), Some(0b1), Some(0b11)]]);
    }

    #[test]
    fn tables_of_three_columns_are_squares() {
        let rules = TetrisRules::default();
        let weights = [("0/0", 5.0), ("-1/3", 2.0), ("4/wall", -1.0)];
        let tables = critic(&with_table("surface-pairs", &weights)).surfaces(&rules).unwrap();
        let pairs = tables[0].pairs().unwrap();
        assert_eq!(pairs.steps, [Some(-1), Some(0), Some(3), Some(4), None]);
        let name = |left: usize, right: usize| pairs.entries[left][right].map(|entry| entry.name.as_str());
        assert_eq!((name(1, 1), name(0, 2), name(2, 0)), (Some("0/0"), Some("-1/3"), Some("-1/3")));
        assert_eq!((name(3, 4), name(0, 0)), (Some("4/wall"), None));
        // The middle column of -2/-1 is two below its left neighbour and one above its right one.
        let tables = critic(&with_table("surface-3x2", &[("-2/-1", 1.0)])).surfaces(&rules).unwrap();
        assert_eq!(tables[0].pairs().unwrap().steps, [Some(-1), Some(2)]);
        for table in ["surface-4x1", "surface-set"] {
            let tables = critic(&with_table(table, &[("0/0/0", 1.0), ("0", 1.0)])).surfaces(&rules).unwrap();
            assert_eq!((tables[0].entries.len(), tables[0].pairs()), (1, None), "{table}");
        }
    }

    #[test]
    fn players_without_such_a_table_say_why() {
        let rules = TetrisRules::default();
        assert_eq!(critic("dn").surfaces(&rules), Err(NoSurfaces::NoTable));
        assert!(critic("record").surfaces(&rules).unwrap().len() > 1);
    }
}
