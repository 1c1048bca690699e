//! Features as a table of (name, meaning, function), for games whose features can be read off one by one.

use super::{Behaviour, FeatureInfo, FeatureNames, FeatureSet, NamedFeature, split};
use crate::error::InputError;
use crate::game::{Game, Side, Turn};

/// A feature: its name, what it is, how it behaves, and the function that reads it off.
pub struct Feature<G: Game> {
    name: &'static str,
    meaning: &'static str,
    behaviour: Behaviour,
    value: Value<G>,
}

enum Value<G: Game> {
    Position(fn(&G, Side) -> f64),
    Move(fn(&G, G::Move, &G) -> f64),
}

impl<G: Game> Feature<G> {
    /// A feature of the position after a move, for the side that moved. It is the same for images of the position, until it says
    /// that it is [`Feature::oriented`].
    pub const fn of_position(name: &'static str, meaning: &'static str, value: fn(&G, Side) -> f64) -> Self {
        Self { name, meaning, behaviour: Behaviour::NEITHER, value: Value::Position(value) }
    }

    /// A feature of the move itself, read off the position before it, the move and the position after it.
    pub const fn of_move(
        name: &'static str,
        meaning: &'static str,
        value: fn(&G, G::Move, &G) -> f64,
    ) -> Self {
        Self { name, meaning, behaviour: Behaviour::NEITHER, value: Value::Move(value) }
    }

    /// The value for one side is minus that for the other.
    #[must_use]
    pub const fn antisymmetric(mut self) -> Self {
        self.behaviour.sides = Behaviour::ANTISYMMETRIC.sides;
        self
    }

    /// The value is the same for both sides.
    #[must_use]
    pub const fn symmetric(mut self) -> Self {
        self.behaviour.sides = Behaviour::SYMMETRIC.sides;
        self
    }

    /// The value tells a position from its images.
    #[must_use]
    pub const fn oriented(mut self) -> Self {
        self.behaviour.oriented = true;
        self
    }
}

/// Features are known by their names.
impl<G: Game> PartialEq for Feature<G> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl<G: Game> NamedFeature for &Feature<G> {
    fn name(&self) -> String {
        self.name.into()
    }

    fn behaviour(&self) -> Behaviour {
        self.behaviour
    }
}

/// A named set of features.
pub struct FeatureGroup {
    /// The name.
    pub name: &'static str,
    /// What it holds, or where it comes from.
    pub meaning: &'static str,
    /// The names of its features, in order.
    pub members: &'static [&'static str],
}

/// The features of a game and its named sets.
pub struct FeatureTable<G: Game> {
    /// The single ones.
    pub features: &'static [Feature<G>],
    /// The sets.
    pub groups: &'static [FeatureGroup],
}

impl<G: Game> FeatureTable<G> {
    /// That of a game without features.
    pub const NONE: Self = Self { features: &[], groups: &[] };

    fn names(&self) -> FeatureNames<&'static Feature<G>> {
        let mut names = FeatureNames::default();
        for group in self.groups {
            let member = |name| self.features.iter().find(|one| one.name == name).ok_or(name);
            let members = group.members.iter().map(|&name| member(name));
            let members: Result<Vec<_>, &str> = members.collect();
            let members = members.unwrap_or_else(|name| panic!("set {} has no {name}", group.name));
            names.set(group.name, format!("{}: {}", group.meaning, group.members.join(", ")), members);
        }
        self.features.iter().for_each(|one| names.single(one.name, one.meaning, [one]));
        names
    }

    /// The names for people: sets, then single ones.
    pub fn list(&self) -> Vec<FeatureInfo> {
        self.names().list()
    }

    /// The features that a list of names stands for, each at most once.
    ///
    /// # Errors
    /// A name is unknown.
    pub fn choose(&self, names: &str) -> Result<Box<dyn FeatureSet<G>>, InputError> {
        Ok(Box::new(Chosen(self.names().choose(split(names))?)))
    }
}

/// Some features of a table.
struct Chosen<G: Game>(Vec<&'static Feature<G>>);

impl<G: Game> FeatureSet<G> for Chosen<G> {
    fn names(&self) -> Vec<String> {
        self.0.iter().map(NamedFeature::name).collect()
    }

    fn extract(&self, before: &G, mv: G::Move, after: &G, features: &mut [f64]) {
        let Turn::Player(mover) = before.turn() else { unreachable!("a player has moved") };
        for (one, value) in self.0.iter().zip(features) {
            *value = match one.value {
                Value::Position(read) => read(after, mover),
                Value::Move(read) => read(before, mv, after),
            };
        }
    }

    fn extract_position(&self, after: &G, mover: Side, features: &mut [f64]) -> bool {
        self.0.iter().zip(features).all(|(one, value)| match one.value {
            Value::Position(read) => {
                *value = read(after, mover);
                true
            }
            Value::Move(_) => false,
        })
    }

    fn tells_of_move(&self) -> Vec<bool> {
        self.0.iter().map(|one| matches!(one.value, Value::Move(_))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::{Move, Othello};
    use crate::rules::Fixed;

    fn discs(position: &Othello, side: Side) -> f64 {
        position.discs(side).count_ones().into()
    }

    const TABLE: FeatureTable<Othello> = FeatureTable {
        features: &[
            Feature::of_position("discs", "own discs", discs),
            Feature::of_position("material", "own discs less others", |position, side| {
                discs(position, side) - discs(position, side.other())
            })
            .antisymmetric(),
            Feature::of_position("upper", "discs in row 1", |position: &Othello, _| {
                (position.own() & 0xff).count_ones().into()
            })
            .symmetric()
            .oriented(),
            Feature::of_move("passed", "1 for a pass", |_, mv, _| f64::from(mv == Move::PASS)),
            Feature::of_move("turned", "discs turned over", |before, _, after| {
                let side = before.side().other();
                discs(before, side) - discs(after, side)
            }),
        ],
        groups: &[FeatureGroup { name: "both", meaning: "ours", members: &["turned", "material"] }],
    };

    #[test]
    fn functions_become_a_set() {
        let set = TABLE.choose("discs,both,discs").unwrap();
        assert_eq!(set.names(), ["discs", "turned", "material"]);
        assert_eq!(set.tells_of_move(), [false, true, false]);
        let (start, mut rows) = (Othello::start(&Fixed), Vec::new());
        let mv = start.parse_move("d3").unwrap();
        set.extract_all(&start, &[mv], &mut rows);
        assert_eq!(rows, [4.0, 1.0, 3.0]);
        assert!(!set.extract_position(&start, Side::First, &mut rows));
        let set = TABLE.choose("discs+material").unwrap();
        let mut after = start;
        after.play(mv).unwrap();
        assert!(set.extract_position(&after, Side::Second, &mut rows[..2]));
        assert_eq!(rows[..2], [1.0, -3.0]);
    }

    #[test]
    fn the_list_says_how_features_behave() {
        let list = TABLE.list();
        let found: Vec<_> = list.iter().map(|info| (info.name, info.behaviour)).collect();
        assert_eq!(
            found,
            [
                ("both", Behaviour::NEITHER),
                ("discs", Behaviour::NEITHER),
                ("material", Behaviour::ANTISYMMETRIC),
                ("upper", Behaviour::SYMMETRIC.oriented()),
                ("passed", Behaviour::NEITHER),
                ("turned", Behaviour::NEITHER),
            ]
        );
        assert_eq!((list[0].summary.as_str(), list[0].is_set), ("ours: turned, material", true));
        let refused = |table: &FeatureTable<Othello>| table.choose("turned,x").err().unwrap().to_string();
        assert_eq!(
            refused(&TABLE),
            "unknown feature 'x'; known: both, discs, material, upper, passed, turned"
        );
        assert_eq!(refused(&FeatureTable::NONE), "unknown feature 'turned'; known: none");
    }
}
