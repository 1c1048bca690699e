//! The names of a game's features: which there are, what a list of them stands for, and the error about one that there is not.

use std::cell::OnceCell;
use std::collections::HashMap;

use super::{Behaviour, FeatureInfo};
use crate::error::InputError;

/// What a game calls one of its features: a case of an enum, a row of a table.
pub trait NamedFeature: Clone + PartialEq {
    /// Its name, which no other feature of the game has.
    fn name(&self) -> String;

    /// How its values behave.
    fn behaviour(&self) -> Behaviour;
}

/// The names of a game's features in the order of its list, and what each stands for.
pub struct FeatureNames<F> {
    entries: Vec<(FeatureInfo, Vec<F>)>,
}

/// No names yet.
impl<F> Default for FeatureNames<F> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<F: NamedFeature> FeatureNames<F> {
    /// Adds a named set.
    pub fn set(
        &mut self,
        name: &'static str,
        summary: impl Into<String>,
        members: impl IntoIterator<Item = F>,
    ) {
        self.add(name, summary.into(), true, members.into_iter().collect());
    }

    /// Adds what is listed as one feature, though it may stand for several, as one a column.
    pub fn single(
        &mut self,
        name: &'static str,
        summary: impl Into<String>,
        members: impl IntoIterator<Item = F>,
    ) {
        self.add(name, summary.into(), false, members.into_iter().collect());
    }

    /// Adds the form of many names, as `cells-RxC`, which the game reads itself; `example` is one of them.
    pub fn form(&mut self, name: &'static str, summary: impl Into<String>, example: &'static str) {
        self.add(name, summary.into(), true, Vec::new());
        self.entries.last_mut().expect("it was added").0.example = example;
    }

    fn add(&mut self, name: &'static str, summary: String, is_set: bool, members: Vec<F>) {
        let behaviour = Behaviour::of_all(members.iter().map(F::behaviour));
        self.entries.push((FeatureInfo { name, summary, is_set, behaviour, example: name }, members));
    }

    /// The list for people.
    pub fn list(self) -> Vec<FeatureInfo> {
        self.entries.into_iter().map(|(info, _)| info).collect()
    }

    /// The features that a list of names stands for, each at most once. Members of sets have names of their own too, though
    /// they may be too many to be listed.
    ///
    /// # Errors
    /// A name is unknown.
    pub fn choose<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Result<Vec<F>, InputError> {
        let members = OnceCell::new();
        let member = |name| members.get_or_init(|| self.members()).get(name).copied();
        let mut chosen = Vec::new();
        for name in names {
            let listed = self.entries.iter().find(|(info, members)| info.name == name && !members.is_empty());
            let found =
                listed.map(|(_, members)| &members[..]).or_else(|| member(name).map(std::slice::from_ref));
            for one in found.ok_or_else(|| self.unknown(name))? {
                if !chosen.contains(one) {
                    chosen.push(one.clone());
                }
            }
        }
        Ok(chosen)
    }

    /// Every feature by its own name.
    fn members(&self) -> HashMap<String, &F> {
        self.entries.iter().flat_map(|(_, members)| members).map(|one| (one.name(), one)).collect()
    }

    fn unknown(&self, name: &str) -> InputError {
        let known: Vec<&str> = self.entries.iter().map(|(info, _)| info.name).collect();
        let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
        InputError::UnknownFeature { name: name.to_string(), known }
    }
}

/// The names of a list as `dn, holes + height-3`; what stands in brackets is not divided.
pub fn split(names: &str) -> impl Iterator<Item = &str> {
    let mut open = 0usize;
    let divides = move |sign| {
        match sign {
            '(' => open += 1,
            ')' => open = open.saturating_sub(1),
            _ => {}
        }
        open == 0 && matches!(sign, ',' | '+')
    };
    names.split(divides).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_divided_outside_of_brackets() {
        let parts = |text| split(text).collect::<Vec<_>>();
        assert_eq!(parts("a, b+c"), ["a", "b", "c"]);
        assert_eq!(parts("a,phases(20,40) + b"), ["a", "phases(20,40)", "b"]);
        assert_eq!(parts("a),b,"), ["a)", "b", ""]);
        assert_eq!(parts(""), [""]);
    }

    impl NamedFeature for u8 {
        fn name(&self) -> String {
            format!("number-{self}")
        }

        fn behaviour(&self) -> Behaviour {
            match self {
                0 => Behaviour::ANTISYMMETRIC,
                1 => Behaviour::ANTISYMMETRIC.oriented(),
                _ => Behaviour::SYMMETRIC,
            }
        }
    }

    #[test]
    fn names_stand_for_their_members_once_and_forms_for_nothing() {
        let mut names = FeatureNames::default();
        names.set("few", "two of them", [1, 0]);
        names.form("N-th", "any of them", "9-th");
        names.single("two", "the last", [2]);
        names.set("all", "all of them", 0..4);
        let choose = |text: &str| names.choose(split(text));
        assert_eq!(choose("number-2,few,all").unwrap(), [2, 1, 0, 3]);
        assert_eq!(choose("number-3,two").unwrap(), [3, 2]);
        for (wrong, name) in [("few,N-th", "N-th"), ("", ""), ("two,,few", ""), ("number-4", "number-4")] {
            let error = choose(wrong).unwrap_err().to_string();
            assert_eq!(error, format!("unknown feature '{name}'; known: few, N-th, two, all"));
        }
        let list = names.list();
        let found: Vec<_> = list.iter().map(|info| (info.is_set, info.example, info.behaviour)).collect();
        assert_eq!(
            found,
            [
                (true, "few", Behaviour::ANTISYMMETRIC.oriented()),
                (true, "9-th", Behaviour::NEITHER),
                (false, "two", Behaviour::SYMMETRIC),
                (true, "all", Behaviour::NEITHER.oriented()),
            ]
        );
    }
}
