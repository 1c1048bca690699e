//! One game of a function against itself: the best move it knows, and now and then any other.

use games::{Dice, FeatureSet, Side, Turn};
use learn::models::{Form, Model};
use play::PlayedGame;
use play::evaluator::ModelFile;
use play::players::searching::searcher;
use play::players::spec::{Kind, Spec};
use play::search::evaluation::{bounded, end_value, is_decided};
use play::search::{Limits, Searcher};

use crate::tasks::{TaskText, searching};

/// No game of the list is longer; one that is counts as drawn.
const MOST_MOVES: usize = 1000;

/// 1 for the side that begins, -1 for the other.
pub fn sign(side: Side) -> f64 {
    if side == Side::First { 1.0 } else { -1.0 }
}

/// What a value means: twice the share of wins less one, the value being the logarithm of the odds.
pub fn worth(value: f64) -> f64 {
    math::tanh(value / 2.0)
}

/// Where a move leads to.
#[derive(Debug, Clone, PartialEq)]
pub enum Reached {
    /// A position that the function values, as it sees it.
    Row(Vec<f64>),
    /// The end: 1, 0 or -1 for the side that began.
    End(f64),
}

/// One move of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Ply {
    /// Who made it.
    pub mover: Side,
    /// Where it led to.
    pub chosen: Reached,
    /// Where the best move would have led to, if this one was drawn by lot and is another.
    pub instead: Option<Reached>,
    /// What the position before it was found to be worth to the side that began, from -1 to 1.
    pub found: f64,
    /// Whether that is certain: a win or a loss that the search has seen.
    pub certain: bool,
}

/// A game, from the first move after its opening on.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// The moves.
    pub plies: Vec<Ply>,
    /// Random moves before them.
    pub opening: usize,
    /// How it ended: 1, 0 or -1 for the side that began.
    pub outcome: f64,
}

/// How a game is played and seen.
pub struct Episodes<G: PlayedGame> {
    rules: G::Rules,
    features: Box<dyn FeatureSet<G>>,
    names: String,
    /// The number of features.
    pub inputs: usize,
    /// The form of the function.
    pub form: Form,
    search: String,
    openings: u32,
}

/// The function as one thread uses it.
pub struct Policy<G: PlayedGame> {
    model: Box<dyn Model>,
    search: Option<(Box<dyn Searcher<G>>, Limits)>,
}

impl<G: PlayedGame> Episodes<G> {
    /// Of a task that has been checked.
    pub fn new(rules: G::Rules, task: &TaskText, form: Form) -> Result<Self, String> {
        let features = G::features(&rules, &task.features).map_err(|error| format!("model: {error}"))?;
        let inputs = features.names().len();
        form.check(inputs).map_err(|error| format!("model: {error}"))?;
        if task.search != "greedy" {
            let spec = Spec::parse(&task.search).map_err(|error| format!("model: search: {error}"))?;
            let by_value = matches!(spec.kind, Kind::AlphaBeta { .. } | Kind::Minimax | Kind::BestMove);
            if !by_value || spec.limits.time.is_some() || spec.limits.game_time.is_some() {
                return Err(format!(
                    "model: search = {}: a function that plays itself learns by greedy, best-move, minimax or alphabeta, to a \
                     depth or a number of nodes and not by the clock",
                    task.search
                ));
            }
        }
        let (names, search) = (task.features.clone(), task.search.clone());
        Ok(Self { rules, features, names, inputs, form, search, openings: task.openings })
    }

    /// How many parameters the function has.
    pub fn parameters(&self) -> usize {
        self.form.parameter_count(self.inputs)
    }

    /// The function of these parameters.
    pub fn policy(&self, parameters: &[f64]) -> Policy<G> {
        let model = self.form.build(self.inputs, parameters.to_vec());
        let search = (self.search != "greedy").then(|| {
            let names = self.form.parameter_names(&self.features.names());
            let named = names.into_iter().zip(parameters.iter().copied()).collect();
            let file = ModelFile::new(G::NAME, &self.names, &self.form, named, String::new());
            let spec = Spec::parse(&searching(&self.search, &file.line())).expect("checked");
            (searcher(&self.rules, &spec).expect("checked"), spec.limits)
        });
        Policy { model, search }
    }

    /// Plays a game in which a share `epsilon` of the moves is drawn by lot. Everything left to chance comes from `dice`; with
    /// `symmetries` the game is seen as one of its images.
    pub fn game(&self, policy: &mut Policy<G>, dice: &mut Dice, epsilon: f64, symmetries: bool) -> Played {
        let symmetry = if symmetries { dice.below(G::SYMMETRIES) } else { 0 };
        let (mut moves, mut row) = (Vec::new(), vec![0.0; self.inputs]);
        let mut position = self.opening(dice, &mut moves);
        if let Some((search, _)) = &mut policy.search {
            search.new_game();
        }
        let mut plies = Vec::new();
        while let (Turn::Player(mover), true) = (position.turn(), plies.len() < MOST_MOVES) {
            position.legal_moves(&mut moves);
            let (best, value) = match &mut policy.search {
                Some((search, limits)) => {
                    let found = search.search(&position, limits, dice);
                    (found.best, found.value)
                }
                None => self.greedy(&*policy.model, &position, mover, &moves, &mut row, dice),
            };
            let certain = is_decided(value);
            let found = sign(mover) * if certain { value.signum() } else { worth(value) };
            let chosen = if dice.unit() < epsilon { dice.pick(&moves) } else { best };
            let seen = |mv: G::Move| self.reached(&position, mv, symmetry);
            let (reached, after) = seen(chosen);
            let instead = (chosen != best).then(|| seen(best).0);
            plies.push(Ply { mover, chosen: reached, instead, found, certain });
            position = after;
        }
        Played { plies, opening: self.openings as usize, outcome: outcome(&position) }
    }

    /// A position after random moves; again if the game is over by then.
    fn opening(&self, dice: &mut Dice, moves: &mut Vec<G::Move>) -> G {
        loop {
            let mut position = G::start(&self.rules);
            for _ in 0..self.openings {
                match position.random_move(dice, moves) {
                    Some(mv) => position.play_unchecked(mv),
                    None => break,
                }
            }
            if position.turn() != Turn::Over {
                return position;
            }
        }
    }

    /// The move into the position that the function values most, and its value; ties by lot.
    fn greedy(
        &self,
        model: &dyn Model,
        position: &G,
        mover: Side,
        moves: &[G::Move],
        row: &mut [f64],
        dice: &mut Dice,
    ) -> (G::Move, f64) {
        let (mut best, mut highest, mut equal) = (moves[0], f64::NEG_INFINITY, 0);
        for &mv in moves {
            let mut after = position.clone();
            after.play_unchecked(mv);
            let value = match after.turn() {
                Turn::Over => end_value(&after, mover, 1),
                _ => {
                    self.features.extract(position, mv, &after, row);
                    bounded(model.value(row))
                }
            };
            equal = if value > highest { 1 } else { equal + usize::from(value == highest) };
            if value > highest || (value == highest && dice.below(equal) == 0) {
                (best, highest) = (mv, value);
            }
        }
        (best, highest)
    }

    /// Where a move leads to, as it is seen and as it is.
    fn reached(&self, position: &G, mv: G::Move, symmetry: usize) -> (Reached, G) {
        let mut after = position.clone();
        after.play_unchecked(mv);
        if after.turn() == Turn::Over {
            return (Reached::End(outcome(&after)), after);
        }
        let mut row = vec![0.0; self.inputs];
        match symmetry {
            0 => self.features.extract(position, mv, &after, &mut row),
            _ => {
                let [before, then] = [position, &after].map(|one| one.mirrored(symmetry));
                self.features.extract(&before, position.mirrored_move(mv, symmetry), &then, &mut row);
            }
        }
        (Reached::Row(row), after)
    }
}

/// 1, 0 or -1 as the game is won, drawn or lost for the side that began; 0 if it was broken off.
fn outcome<G: PlayedGame>(end: &G) -> f64 {
    let value = if end.turn() == Turn::Over { end.final_value(Side::First) } else { 0.0 };
    if value == 0.0 { 0.0 } else { value.signum() }
}

/// So many numbers of a saved state.
pub fn numbers(saved: Option<&serde_json::Value>, count: usize) -> Result<Vec<f64>, String> {
    let list = saved.and_then(serde_json::Value::as_array).ok_or("the parameters are no list")?;
    let numbers: Option<Vec<f64>> = list.iter().map(serde_json::Value::as_f64).collect();
    match numbers.filter(|numbers| numbers.len() == count) {
        Some(numbers) => Ok(numbers),
        None => Err(format!("{} values where {count} numbers are needed", list.len())),
    }
}
