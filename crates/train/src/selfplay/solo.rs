//! A game for one, learned from itself: TD(lambda) over the positions after moves (Sutton 1988) for a linear function, of tables
//! above all. The value of a move has two parts. The given one is what the move earns, as the lines that it removes;
//! the learned one is what is still to come, and is drawn towards the value of the next move that is played:
//!
//! error(t) = given(t+1) + learned(t+1) - learned(t),  or  0 - learned(t) when the game is over;
//! weights += rate · lambda^k · error(t) · features(t-k) / |features(t-k)|²,  for the moves k = 0, 1, ... back.

use std::collections::{BTreeMap, VecDeque};

use games::{Dice, FeatureSet, Side, Turn};
use learn::learners::SettingError;
use play::PlayedGame;
use play::playout::GameDice;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::settings::{read, within};
use super::{Moment, RoundResult, Say, SelfPlay};

/// A move further back than this share of the error is not corrected.
const FORGOTTEN: f64 = 0.01;

/// Settings of `td-solo`.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SoloSettings {
    /// Games of a round.
    games: u32,
    /// The share of an error that is corrected in the first round; it falls evenly to nothing after the last.
    rate: f64,
    /// How much of an error goes back to earlier moves.
    lambda: f64,
    /// Weights that are given and not learned: what a move earns.
    given: BTreeMap<String, f64>,
}

impl Default for SoloSettings {
    fn default() -> Self {
        Self { games: 1000, rate: 0.3, lambda: 0.0, given: BTreeMap::new() }
    }
}

impl SoloSettings {
    /// Reads the settings; `parameters` are the names of the weights.
    ///
    /// # Errors
    /// A key is unknown, or a value is out of range.
    pub fn new(settings: &Value, parameters: &[String]) -> Result<Self, SettingError> {
        let settings: Self = read(settings)?;
        within("games", settings.games.into(), 1.0, 1e8)?;
        within("lambda", settings.lambda, 0.0, 1.0)?;
        if !(settings.rate > 0.0 && settings.rate <= 1.0) {
            return Err(SettingError::value("rate", settings.rate, "above 0 and at most 1"));
        }
        match settings.given.iter().find(|(name, weight)| !parameters.contains(name) || !weight.is_finite()) {
            Some((name, weight)) => {
                let value = format!("{{ {name} = {weight} }}");
                Err(SettingError::value(
                    "given",
                    value,
                    "numbers for features of the model, as { lines = 1 }",
                ))
            }
            None => Ok(settings),
        }
    }

    /// The share of an error that is corrected in a round.
    fn rate(&self, moment: Moment) -> f64 {
        self.rate * (moment.rounds - moment.round + 1) as f64 / moment.rounds as f64
    }

    /// The weights to begin with.
    fn start(&self, parameters: &[String]) -> Vec<f64> {
        parameters.iter().map(|name| self.given.get(name).copied().unwrap_or(0.0)).collect()
    }
}

/// A linear function that plays its own games.
pub struct Solo<G: PlayedGame> {
    rules: G::Rules,
    features: Box<dyn FeatureSet<G>>,
    settings: SoloSettings,
    names: Vec<String>,
    weights: Vec<f64>,
}

impl<G: PlayedGame> Solo<G> {
    /// With the weights that are given, and nothing learned.
    pub fn new(rules: G::Rules, features: Box<dyn FeatureSet<G>>, settings: SoloSettings) -> Self {
        let names = features.names();
        let weights = settings.start(&names);
        Self { rules, features, settings, names, weights }
    }

    /// Begins from these weights; those that are given stay what they are.
    pub fn begin_from(&mut self, weights: &[f64]) {
        self.weights.copy_from_slice(weights);
        for (name, weight) in self.names.iter().zip(&mut self.weights) {
            *weight = self.settings.given.get(name).copied().unwrap_or(*weight);
        }
    }

    /// Takes over what was saved.
    pub fn load(&mut self, saved: &Value) -> Result<(), String> {
        self.weights = super::game::numbers(saved.get("parameters"), self.names.len())?;
        Ok(())
    }
}

impl<G: PlayedGame> SelfPlay for Solo<G> {
    fn round(&mut self, moment: Moment, _say: Say) -> Option<RoundResult> {
        let rate = self.settings.rate(moment);
        let mut table = Practice::<G>::new(&self.rules, &*self.features, &self.settings, &self.names);
        let seed = Dice::seeded(&[moment.seed, moment.round]).bits();
        let games = u64::from(self.settings.games);
        let play = |n| table.play(&mut self.weights, rate, &mut GameDice::new(seed, n));
        let scores = (0..games).map(play).collect();
        Some(RoundResult { games: self.settings.games, loss: 0.0, rate: Some(rate), scores, imitation: None })
    }

    fn parameters(&self) -> &[f64] {
        &self.weights
    }

    fn save(&self) -> Value {
        json!({ "parameters": self.weights })
    }
}

/// A game as a function that learns sees it.
struct Practice<'a, G: PlayedGame> {
    rules: &'a G::Rules,
    features: &'a dyn FeatureSet<G>,
    /// Which weights are learned.
    learned: Vec<bool>,
    lambda: f64,
    moves: Vec<G::Move>,
    sparse: Vec<(u32, f64)>,
    best: Vec<(u32, f64)>,
    /// The features of the last moves that are corrected, the newest first.
    trace: VecDeque<Vec<(u32, f64)>>,
}

impl<'a, G: PlayedGame> Practice<'a, G> {
    fn new(
        rules: &'a G::Rules,
        features: &'a dyn FeatureSet<G>,
        settings: &SoloSettings,
        names: &[String],
    ) -> Self {
        assert_eq!(G::SIDES.len(), 1, "what the next move is worth is worth the same to this one");
        Self {
            rules,
            features,
            learned: names.iter().map(|name| !settings.given.contains_key(name)).collect(),
            lambda: settings.lambda,
            moves: Vec::new(),
            sparse: Vec::new(),
            best: Vec::new(),
            trace: VecDeque::new(),
        }
    }

    /// Plays a game, corrects the weights on the way, and returns its score.
    fn play(&mut self, weights: &mut [f64], rate: f64, dice: &mut GameDice) -> f64 {
        let mut position = G::start(self.rules);
        self.trace.clear();
        loop {
            match position.turn() {
                Turn::Over => break,
                Turn::Chance => position.deal(&mut dice.deals),
                Turn::Player(_) => {
                    let (mv, value) = self.choose(&position, weights);
                    position.play_unchecked(mv);
                    let worth = if position.turn() == Turn::Over { 0.0 } else { value };
                    self.correct(weights, rate, worth);
                    self.remember();
                }
            }
        }
        position.score(Side::First)
    }

    /// The first of the moves that are worth most; its features are left in `best`.
    fn choose(&mut self, position: &G, weights: &[f64]) -> (G::Move, f64) {
        position.legal_moves(&mut self.moves);
        let mut best = (self.moves[0], f64::NEG_INFINITY);
        for &mv in &self.moves {
            let mut after = position.clone();
            after.play_unchecked(mv);
            self.features.extract_sparse(position, mv, &after, &mut self.sparse);
            let value = self.features.weigh_sparse(weights, &self.sparse);
            if value > best.1 {
                best = (mv, value);
                std::mem::swap(&mut self.best, &mut self.sparse);
            }
        }
        best
    }

    /// The last move turns out to be worth this.
    fn correct(&mut self, weights: &mut [f64], rate: f64, worth: f64) {
        let Some(last) = self.trace.front() else { return };
        let expected: f64 = last.iter().map(|&(number, value)| weights[number as usize] * value).sum();
        let mut error = rate * (worth - expected);
        for sparse in &self.trace {
            let square: f64 = sparse.iter().map(|(_, value)| value * value).sum();
            sparse.iter().for_each(|&(number, value)| weights[number as usize] += error * value / square);
            error *= self.lambda;
        }
    }

    /// The move just chosen is corrected from now on.
    fn remember(&mut self) {
        let kept = if self.lambda > 0.0 {
            1 + (math::ln(FORGOTTEN) / math::ln(self.lambda)).min(1e6) as usize
        } else {
            1
        };
        let mut room =
            if self.trace.len() >= kept { self.trace.pop_back() } else { None }.unwrap_or_default();
        room.clear();
        room.extend(self.best.iter().filter(|(number, _)| self.learned[*number as usize]));
        self.trace.push_front(room);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Game as _;
    use games::Rules;
    use games::tetris::{Tetris, TetrisRules};

    fn small(names: &str) -> (TetrisRules, Box<dyn FeatureSet<Tetris>>) {
        let rules = TetrisRules::from_pairs([("width", "4"), ("height", "4")]).unwrap();
        let features = Tetris::features(&rules, names).unwrap();
        (rules, features)
    }

    #[test]
    fn an_error_goes_back_along_the_moves() {
        let (rules, features) = small("holes,max-height,lines");
        let settings = SoloSettings { lambda: 0.5, ..SoloSettings::default() };
        let mut game = Practice::<Tetris>::new(&rules, &*features, &settings, &features.names());
        game.trace = [vec![(1, 1.0)], vec![(0, 2.0)]].into();
        let mut weights = vec![3.0, 1.0, 7.0];
        // The last move was thought to be worth 1 and is worth 5; half of that goes to the move before, which had feature 0 twice.
        game.correct(&mut weights, 0.5, 5.0);
        assert_eq!(weights, [3.0 + 0.5 * 0.5 * 4.0 * 2.0 / 4.0, 1.0 + 0.5 * 4.0, 7.0]);
    }

    #[test]
    fn what_is_given_stays_and_what_is_learned_comes_near_the_optimum() {
        let (rules, features) = small("lines,cells-3x4,cells-4x3");
        let names = features.names();
        let settings = json!({ "games": 4000, "given": { "lines": 1 } });
        let settings = SoloSettings::new(&settings, &names).unwrap();
        let mut solo = Solo::<Tetris>::new(rules.clone(), features, settings);
        let rounds = 20;
        (1..=rounds).for_each(|round| {
            drop(solo.round(Moment { seed: 1, round, rounds }, &|_| std::ops::ControlFlow::Continue(())));
        });
        assert_eq!(solo.weights[0], 1.0);
        let watch = &|_: f64| std::ops::ControlFlow::Continue(());
        let exact = play::solve::solve(&rules, 1e-6, watch).unwrap().value;
        // The empty board shows the first entry of every table twice.
        let empty = names.iter().zip(&solo.weights).filter(|(name, _)| name.ends_with(":0"));
        let learned: f64 = empty.map(|(_, weight)| 2.0 * weight).sum();
        assert!((learned / exact - 1.0).abs() < 0.1, "{learned} {exact}");
        let mut fixed = solo.settings.clone();
        (fixed.rate, fixed.games) = (1e-9, 20_000);
        solo.settings = fixed;
        let scores = solo
            .round(Moment { seed: 2, round: 1, rounds: 1 }, &|_| std::ops::ControlFlow::Continue(()))
            .unwrap()
            .scores;
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        assert!(mean > 0.93 * exact && mean < 1.02 * exact, "{mean} {exact}");
    }

    #[test]
    fn wrong_settings_are_named() {
        let names = ["lines".to_string(), "holes".to_string()];
        for (settings, said) in [
            (json!({ "rate": 0 }), "rate = 0"),
            (json!({ "rate": 1.5 }), "rate = 1.5: must be above 0"),
            (json!({ "lambda": -0.1 }), "lambda = -0.1"),
            (json!({ "games": 0 }), "games = 0"),
            (json!({ "given": { "cells": 1 } }), "given = { cells = 1 }"),
            (json!({ "gamma": 1 }), "gamma"),
        ] {
            let error = SoloSettings::new(&settings, &names).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        let settings = SoloSettings::new(&json!({ "rate": 0.4, "given": { "lines": 2 } }), &names).unwrap();
        assert_eq!(settings.start(&names), [2.0, 0.0]);
        let rate = |round| settings.rate(Moment { seed: 1, round, rounds: 4 });
        assert_eq!((rate(1), rate(4)), (0.4, 0.1));
        let (rules, features) = small("lines,holes");
        let mut solo = Solo::<Tetris>::new(rules, features, settings);
        solo.begin_from(&[5.0, 7.0]);
        assert_eq!(solo.weights, [2.0, 7.0]);
        assert!(solo.load(&json!({ "parameters": [1.0] })).is_err());
    }
}
