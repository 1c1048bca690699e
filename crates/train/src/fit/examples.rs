//! From a file of labelled positions to rows of numbers with what they should come to: parsed, chosen, split by games,
//! evened out.

use std::collections::HashSet;
use std::str::FromStr;

use games::error::shown;
use games::{Dice, FeatureSet, InputError, Side, Turn};
use learn::fitting::Examples;
use play::PlayedGame;
use play::threads::par_map;

use super::FitError;
use super::select::{Columns, Selection};
use crate::data::{Dataset, Labelled};

/// Keeps the lots of this file apart from all other streams of the same seed.
const STREAM: u64 = 0x6669_7474;

/// What the value of a model should come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The label as it is.
    Label,
    /// Its sign: won, drawn or lost.
    Sign,
}

/// What there should be equally many of among the positions that are learned from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Balance {
    /// As they come.
    None,
    /// Won and lost for the side that has just moved.
    Sign,
    /// Good for the first side and good for the second.
    Side,
}

fn word<T: Copy>(what: &str, text: &str, words: &[(&str, T)]) -> Result<T, String> {
    let known = || words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
    let found = words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning);
    found.ok_or_else(|| format!("unknown {what} {}; known: {}", shown(text), known()))
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        word("target", text, &[("label", Target::Label), ("sign", Target::Sign)])
    }
}

impl FromStr for Balance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        word("balance", text, &[("none", Balance::None), ("sign", Balance::Sign), ("side", Balance::Side)])
    }
}

/// Which positions, and what they should come to.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// Conditions.
    pub select: Selection,
    /// What there should be equally many of.
    pub balance: Balance,
    /// At most so many to learn from, drawn by lot.
    pub positions: Option<usize>,
    /// The share of the games that is not learned from.
    pub validation: f64,
    /// What the value should come to.
    pub target: Target,
    /// The seed of the lots.
    pub seed: u64,
}

/// Positions as numbers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Prepared {
    /// The names of the features.
    pub names: Vec<String>,
    /// What is learned from.
    pub training: Examples,
    /// What is not.
    pub validation: Examples,
    /// The game of each position that is learned from.
    pub training_games: Vec<u64>,
    /// The game of each position of the validation.
    pub validation_games: Vec<u64>,
    /// Positions that the selection left out.
    pub not_selected: usize,
    /// Positions left out because the move that led to them is not in the data, and the features describe it.
    pub without_move: usize,
    /// Positions left out to balance the rest, or because only so many were asked for.
    pub dropped: usize,
}

impl Prepared {
    /// How many games the positions that are learned from are of.
    pub fn games(&self) -> usize {
        self.training_games.iter().collect::<HashSet<_>>().len()
    }
}

/// Positions that a thread takes at once.
const BATCH: usize = 256;

/// One position, ready.
struct Ready {
    row: Vec<f64>,
    columns: Columns,
    game: u64,
}

/// Makes the examples of a file's positions.
///
/// # Errors
/// The positions are of another game, one of them is wrong, the features are unknown, or nothing is left.
pub fn prepare<G: PlayedGame>(data: &Dataset, features: &str, choice: &Choice) -> Result<Prepared, FitError> {
    let rules = data.rules::<G>()?;
    let set = G::features(&rules, features)?;
    let names = set.names();
    let many = data.positions.len();
    let of_batch = |batch: usize| -> Vec<_> {
        let which = batch * BATCH..((batch + 1) * BATCH).min(many);
        which.map(|i| ready(data, i, &rules, &*set, names.len())).collect()
    };
    let all = par_map(many.div_ceil(BATCH), of_batch).into_iter().flatten();
    let mut prepared = Prepared { names, ..Prepared::default() };
    let mut chosen = Vec::new();
    // One after the other, so that the first fault is the one that is told.
    for one in all {
        match one? {
            Some(one) if choice.select.takes(&one.columns) => chosen.push(one),
            Some(_) => prepared.not_selected += 1,
            None => prepared.without_move += 1,
        }
    }
    if chosen.is_empty() {
        let Prepared { not_selected, without_move, .. } = prepared;
        let reason = if without_move > 0 && not_selected == 0 {
            format!(
                "the features {} describe the last move, and the data do not hold the positions before; label with \
                 --every 1 and without --distinct",
                shown(features)
            )
        } else {
            format!("of {} the selection takes none", data.positions.len())
        };
        return Err(FitError::Empty(reason));
    }
    let held_out: HashSet<u64> = {
        let (_, test) = data.split(choice.validation, choice.seed);
        test.positions.iter().map(|position| position.game).collect()
    };
    let (validation, training): (Vec<Ready>, Vec<Ready>) =
        chosen.into_iter().partition(|one| held_out.contains(&one.game));
    let count = training.len();
    let training = thinned(training, choice);
    prepared.dropped = count - training.len();
    if training.is_empty() {
        let reason =
            if count == 0 { "all games are held out" } else { "one of the parts to balance is empty" };
        return Err(FitError::Empty(reason.into()));
    }
    prepared.training_games = training.iter().map(|one| one.game).collect();
    prepared.validation_games = validation.iter().map(|one| one.game).collect();
    let inputs = prepared.names.len();
    prepared.training = examples(&training, inputs, choice.target);
    prepared.validation = examples(&validation, inputs, choice.target);
    Ok(prepared)
}

fn examples(all: &[Ready], inputs: usize, target: Target) -> Examples {
    let label = |one: &Ready| match (target, one.columns.values[0]) {
        (Target::Sign, label) if label != 0.0 => label.signum(),
        (_, label) => label,
    };
    let rows = all.iter().flat_map(|one| one.row.iter().copied()).collect();
    Examples { inputs, rows, labels: all.iter().map(label).collect() }
}

/// The row of a position; `None` if the features describe the move that led to it, and that is not known.
fn ready<G: PlayedGame>(
    data: &Dataset,
    index: usize,
    rules: &G::Rules,
    set: &dyn FeatureSet<G>,
    count: usize,
) -> Result<Option<Ready>, FitError> {
    let parsed = |index: usize| {
        let text = &data.positions[index].text;
        let wrong = |error| FitError::Position { number: index + 1, error };
        let position = G::parse(rules, text).map_err(wrong)?;
        match position.turn() {
            Turn::Player(side) => Ok((position, side)),
            _ => Err(wrong(InputError::position(text, "nobody is to move"))),
        }
    };
    let (position, to_move) = parsed(index)?;
    let Labelled { label, ply, game, .. } = data.positions[index];
    let (mover, mut row) = (to_move.other(), vec![0.0; count]);
    if !set.extract_position(&position, mover, &mut row) {
        let Some(before) = index.checked_sub(1).filter(|&before| {
            let before = &data.positions[before];
            before.game == game && before.ply + 1 == ply
        }) else {
            return Ok(None);
        };
        let (before, _) = parsed(before)?;
        let mut moves = Vec::new();
        before.legal_moves(&mut moves);
        let leads_here = |&mv: &G::Move| {
            let mut after = before.clone();
            after.play_unchecked(mv);
            after == position
        };
        let Some(mv) = moves.into_iter().find(leads_here) else { return Ok(None) };
        set.extract(&before, mv, &position, &mut row);
    }
    let label = f64::from(label);
    let first = if to_move == Side::First { label } else { -label };
    // Adding 0 turns -0 into 0.
    let values = [-label + 0.0, label, first + 0.0, f64::from(ply), game as f64];
    Ok(Some(Ready { row, columns: Columns { values }, game }))
}

/// Evened out and at most so many, by lot; those that stay keep their order.
fn thinned(all: Vec<Ready>, choice: &Choice) -> Vec<Ready> {
    let mut lots = Dice::seeded(&[choice.seed, STREAM]);
    let parts: Vec<Vec<usize>> = match choice.balance {
        Balance::None => vec![(0..all.len()).collect()],
        Balance::Sign | Balance::Side => {
            let column = if choice.balance == Balance::Sign { 0 } else { 2 };
            let of = |sign: f64| -> Vec<usize> {
                (0..all.len()).filter(|&i| all[i].columns.values[column] * sign > 0.0).collect()
            };
            vec![of(1.0), of(-1.0)]
        }
    };
    let least = parts.iter().map(Vec::len).min().expect("there is a part");
    let most = choice.positions.map_or(least, |wanted| least.min(wanted.div_ceil(parts.len())));
    let mut kept = vec![false; all.len()];
    for mut part in parts {
        // The first ones of an order by lot.
        for place in 0..most {
            let other = place + lots.below(part.len() - place);
            part.swap(place, other);
            kept[part[place]] = true;
        }
    }
    all.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(one, _)| one).collect()
}
