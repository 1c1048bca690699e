//! Features: the numbers that an evaluation function looks at. They describe a move and the position it leads to, for
//! the side that moves.
//!
//! A game's features are its functions, and a table that names them. The trait's constant is all that it writes:
//!
//! ```
//! use games::features::{Feature, FeatureGroup, FeatureTable};
//! # use games::{Game, InputError, Side, Turn, draw::Pen, rules::Fixed};
//! # #[derive(Debug, Clone, PartialEq)]
//! # struct Race { steps: [u8; 2], side: Side }
//! # impl Race {
//! #     fn steps(&self, side: Side) -> f64 { self.steps[side.index()].into() }
//! #     fn lead(&self, side: Side) -> f64 { self.steps(side) - self.steps(side.other()) }
//! # }
//!
//! # impl Game for Race {
//! #     type Rules = Fixed;
//! #     type Move = u8;
//! #     const NAME: &'static str = "race";
//! #     const SUMMARY: &'static str = "who has gone 9 steps first";
//! #     const SIDES: &'static [&'static str] = &["left", "right"];
//! #     const MOVE_HELP: &'static str = "1 or 2";
//! #     fn start(_: &Fixed) -> Self { Race { steps: [0; 2], side: Side::First } }
//! #     fn turn(&self) -> Turn { Turn::Player(self.side) }
//! #     fn legal_moves(&self, moves: &mut Vec<u8>) { *moves = vec![1, 2] }
//! #     fn check(&self, _: u8) -> Result<(), InputError> { Ok(()) }
//! #     fn play_unchecked(&mut self, steps: u8) {
//! #         self.steps[self.side.index()] += steps;
//! #         self.side = self.side.other();
//! #     }
//! #     fn score(&self, side: Side) -> f64 { self.lead(side) }
//! #     fn final_value(&self, side: Side) -> f64 { self.score(side) }
//! #     fn text(&self) -> String { format!("{:?}", self.steps) }
//! #     fn parse(_: &Fixed, text: &str) -> Result<Self, InputError> { Err(InputError::position(text, "none")) }
//! #     fn move_text(&self, steps: u8) -> String { steps.to_string() }
//! #     fn parse_move(&self, text: &str) -> Result<u8, InputError> { Err(InputError::move_text(text, "none")) }
//! #     fn draw(&self, pen: &mut Pen, _: Option<(&Self, u8)>) { pen.line() }
//! // in `impl Game for Race`, a game of two runners, where a move is a number of steps:
//! const FEATURES: FeatureTable<Self> = FeatureTable {
//!     features: &[
//!         Feature::of_position("lead", "own steps less those of the other", Self::lead).antisymmetric(),
//!         Feature::of_position("own-steps", "own steps", Self::steps),
//!         Feature::of_move("leap", "1 for two steps at once", |_, mv, _| f64::from(mv == 2)),
//!     ],
//!     groups: &[FeatureGroup { name: "all", meaning: "where and how", members: &["lead", "leap"] }],
//! };
//! # }
//!
//! let set = Race::features(&Fixed, "all, own-steps, lead").unwrap();
//! assert_eq!(set.names(), ["lead", "leap", "own-steps"]);
//! let mut rows = Vec::new();
//! set.extract_all(&Race::start(&Fixed), &[1, 2], &mut rows);
//! assert_eq!(rows, [1.0, 0.0, 1.0, 2.0, 1.0, 2.0]);
//! assert_eq!(
//!     Race::features(&Fixed, "speed").err().unwrap().to_string(),
//!     "unknown feature 'speed'; known: all, lead, own-steps, leap"
//! );
//! ```
//!
//! A game whose features share their work, or are too many for a table, implements [`FeatureSet`] itself and leaves list, lists of
//! names and errors to [`FeatureNames`].

mod names;
mod table;

use crate::game::{Game, Side};

pub use names::{FeatureNames, NamedFeature, split};
pub use table::{Feature, FeatureGroup, FeatureTable};

/// A list of named features of one game.
pub trait FeatureSet<G: Game>: Send + Sync {
    /// The name of each feature, in order.
    fn names(&self) -> Vec<String>;

    /// Overwrites `features` with the features of playing `mv` in `before`, which leads to `after`.
    fn extract(&self, before: &G, mv: G::Move, after: &G, features: &mut [f64]);

    /// The same for a position whose last move is not known, only that this side made it. `false`, and nothing is said about
    /// `features`, if some of them describe the move itself.
    fn extract_position(&self, after: &G, mover: Side, features: &mut [f64]) -> bool {
        let _ = (after, mover, features);
        false
    }

    /// For each feature, whether it describes the move itself and not what the move leads to. Nothing later tells it again: a
    /// look ahead adds it up from move to move.
    fn tells_of_move(&self) -> Vec<bool> {
        vec![false; self.names().len()]
    }

    /// Whether a move shows only a few of very many features, as those of tables: they are then read off by
    /// [`FeatureSet::extract_sparse`].
    fn is_sparse(&self) -> bool {
        false
    }

    /// How many features, the first ones, every move shows even where others are entries of tables.
    fn dense_count(&self) -> usize {
        if self.is_sparse() { 0 } else { self.names().len() }
    }

    /// The weighted sum of what a move shows. A game may add it up in another order, one in which its fast path does.
    fn weigh_sparse(&self, weights: &[f64], sparse: &[(u32, f64)]) -> f64 {
        sparse.iter().map(|&(number, value)| weights[number as usize] * value).sum()
    }

    /// Overwrites `sparse` with the numbers of the features of a move that are not 0, and their values. A number may come
    /// more than once: its values add up. By default the features are read off one by one.
    fn extract_sparse(&self, before: &G, mv: G::Move, after: &G, sparse: &mut Vec<(u32, f64)>) {
        let mut row = vec![0.0; self.names().len()];
        self.extract(before, mv, after, &mut row);
        sparse.clear();
        sparse.extend((0..).zip(row).filter(|&(_, value)| value != 0.0));
    }

    /// Overwrites `rows` with the features of every move of a position, one row after the other. A game may override
    /// this with something faster that gives the same numbers.
    fn extract_all(&self, position: &G, moves: &[G::Move], rows: &mut Vec<f64>) {
        let count = self.names().len();
        rows.clear();
        rows.resize(count * moves.len(), 0.0);
        for (&mv, row) in moves.iter().zip(rows.chunks_mut(count.max(1))) {
            let mut after = position.clone();
            after.play_unchecked(mv);
            self.extract(position, mv, &after, row);
        }
    }
}

/// How the values of one position for its two sides belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SideSymmetry {
    /// What one side has the other lacks: the value changes its sign.
    Antisymmetric,
    /// The value is the same for both.
    Symmetric,
    /// Neither; or nobody can ask, as in a game for one and of a move, which has one side.
    Neither,
}

/// What is known of a feature's values without looking at a position, and is tested of every listed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Behaviour {
    /// When the sides are exchanged.
    pub sides: SideSymmetry,
    /// Whether it tells a position from its images under [`Game::mirrored`], as a single cell does.
    pub oriented: bool,
}

impl Behaviour {
    /// Changes its sign with the side.
    pub const ANTISYMMETRIC: Self = Self { sides: SideSymmetry::Antisymmetric, oriented: false };
    /// The same for both sides.
    pub const SYMMETRIC: Self = Self { sides: SideSymmetry::Symmetric, oriented: false };
    /// Nothing is known of the sides.
    pub const NEITHER: Self = Self { sides: SideSymmetry::Neither, oriented: false };

    /// The same of a feature that tells a position from its images.
    #[must_use]
    pub const fn oriented(self) -> Self {
        Self { oriented: true, ..self }
    }

    /// That of several features together: what is true of all of them.
    fn of_all(all: impl IntoIterator<Item = Self>) -> Self {
        let join = |a: Self, b: Self| Self {
            sides: if a.sides == b.sides { a.sides } else { SideSymmetry::Neither },
            oriented: a.oriented || b.oriented,
        };
        all.into_iter().reduce(join).unwrap_or(Self::NEITHER)
    }
}

/// A feature or a named set of them, for lists and help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureInfo {
    /// The name.
    pub name: &'static str,
    /// The definition, or what the set holds, in one line.
    pub summary: String,
    /// Whether it is a set of several.
    pub is_set: bool,
    /// How its values behave.
    pub behaviour: Behaviour,
    /// What [`Game::features`] takes for it: the name, unless that is a form, as `cells-RxC` is for `cells-2x2`.
    pub example: &'static str,
}
