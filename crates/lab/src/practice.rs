//! Practice: a function of tables learns from its own games, move by move, by temporal differences: TD(lambda) over the positions
//! after moves (Sutton 1988). The value of a move has two parts. The given one is what the move earns, as the lines that it
//! removes; the learned one is what is still to come, and is drawn towards the value of the next move that is played:
//!
//! error(t) = given(t+1) + learned(t+1) - learned(t),  or  0 - learned(t) when the game is over;
//! weights += rate · lambda^k · error(t) · features(t-k) / |features(t-k)|²,  for the moves k = 0, 1, ... back.

use std::collections::{BTreeMap, VecDeque};

use games::{FeatureSet, Game, Side, Turn};
use learn::Entry;
use learn::learners::SettingError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::playout::GameDice;

/// The learner in the list.
pub const ENTRY: Entry = Entry {
    name: "td",
    summary: "temporal differences: corrects a linear function of tables after every move of its own games, TD(lambda)",
};

/// A move further back than this share of the error is not corrected.
const FORGOTTEN: f64 = 0.01;

/// `[learner] name = "td"`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Practice {
    /// The share of an error that is corrected in the first generation; it falls evenly to nothing after the last.
    rate: f64,
    /// How much of an error goes back to earlier moves.
    lambda: f64,
    /// Weights that are given and not learned: what a move earns.
    given: BTreeMap<String, f64>,
}

impl Default for Practice {
    fn default() -> Self {
        Self { rate: 0.3, lambda: 0.0, given: BTreeMap::new() }
    }
}

impl Practice {
    /// Reads the settings; `parameters` are the names of the weights.
    ///
    /// # Errors
    /// A key is unknown, or a value is out of range.
    pub fn new(settings: &Value, parameters: &[String]) -> Result<Self, SettingError> {
        let practice: Self = learn::learners::settings(settings)?;
        if !(practice.rate > 0.0 && practice.rate <= 1.0) {
            return Err(SettingError::value("rate", practice.rate, "above 0 and at most 1"));
        }
        if !(0.0..=1.0).contains(&practice.lambda) {
            return Err(SettingError::value("lambda", practice.lambda, "from 0 to 1"));
        }
        match practice.given.iter().find(|(name, weight)| !parameters.contains(name) || !weight.is_finite()) {
            Some((name, weight)) => {
                let value = format!("{{ {name} = {weight} }}");
                Err(SettingError::value(
                    "given",
                    value,
                    "numbers for features of the model, as { lines = 1 }",
                ))
            }
            None => Ok(practice),
        }
    }

    /// The share of an error that is corrected in a generation, counted from 1.
    pub fn rate(&self, generation: u64, generations: u64) -> f64 {
        self.rate * (generations - generation + 1) as f64 / generations as f64
    }

    /// The weights to begin with.
    pub fn start(&self, parameters: &[String]) -> Vec<f64> {
        parameters.iter().map(|name| self.given.get(name).copied().unwrap_or(0.0)).collect()
    }
}

/// A game as a function that learns sees it.
pub struct Practising<'a, G: Game> {
    rules: &'a G::Rules,
    features: &'a dyn FeatureSet<G>,
    /// Which weights are learned.
    learned: Vec<bool>,
    lambda: f64,
    moves: Vec<G::Move>,
    shown: Vec<(u32, f64)>,
    best: Vec<(u32, f64)>,
    /// The features of the last moves that are corrected, the newest first.
    trace: VecDeque<Vec<(u32, f64)>>,
}

impl<'a, G: Game> Practising<'a, G> {
    /// Of a game for one, with these features in the order of `parameters`.
    pub fn new(
        practice: &Practice,
        rules: &'a G::Rules,
        features: &'a dyn FeatureSet<G>,
        parameters: &[String],
    ) -> Self {
        assert_eq!(G::SIDES.len(), 1, "what the next move is worth is worth the same to this one");
        Self {
            rules,
            features,
            learned: parameters.iter().map(|name| !practice.given.contains_key(name)).collect(),
            lambda: practice.lambda,
            moves: Vec::new(),
            shown: Vec::new(),
            best: Vec::new(),
            trace: VecDeque::new(),
        }
    }

    /// Plays a game, corrects the weights on the way, and returns its score.
    pub fn play(&mut self, weights: &mut [f64], rate: f64, dice: &mut GameDice) -> f64 {
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
            self.features.extract_shown(position, mv, &after, &mut self.shown);
            let value: f64 = self.shown.iter().map(|&(number, value)| weights[number as usize] * value).sum();
            if value > best.1 {
                best = (mv, value);
                std::mem::swap(&mut self.best, &mut self.shown);
            }
        }
        best
    }

    /// The last move turns out to be worth this.
    fn correct(&mut self, weights: &mut [f64], rate: f64, worth: f64) {
        let Some(last) = self.trace.front() else { return };
        let expected: f64 = last.iter().map(|&(number, value)| weights[number as usize] * value).sum();
        let mut error = rate * (worth - expected);
        for shown in &self.trace {
            let square: f64 = shown.iter().map(|(_, value)| value * value).sum();
            shown.iter().for_each(|&(number, value)| weights[number as usize] += error * value / square);
            error *= self.lambda;
        }
    }

    /// The move just chosen is corrected from now on.
    fn remember(&mut self) {
        let kept =
            if self.lambda > 0.0 { 1 + (FORGOTTEN.ln() / self.lambda.ln()).min(1e6) as usize } else { 1 };
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
    use games::Rules;
    use games::tetris::{Tetris, TetrisRules};
    use serde_json::json;

    fn small(names: &str) -> (TetrisRules, Box<dyn FeatureSet<Tetris>>) {
        let rules = TetrisRules::from_pairs([("width", "4"), ("height", "4")]).unwrap();
        let features = Tetris::features(&rules, names).unwrap();
        (rules, features)
    }

    #[test]
    fn an_error_goes_back_along_the_moves() {
        let (rules, features) = small("holes,max-height,lines");
        let parameters = features.names();
        let practice = Practice { lambda: 0.5, ..Practice::default() };
        let mut game = Practising::<Tetris>::new(&practice, &rules, &*features, &parameters);
        game.trace = [vec![(1, 1.0)], vec![(0, 2.0)]].into();
        let mut weights = vec![3.0, 1.0, 7.0];
        // The last move was thought to be worth 1 and is worth 5; half of that goes to the move before, which had feature 0 twice.
        game.correct(&mut weights, 0.5, 5.0);
        assert_eq!(weights, [3.0 + 0.5 * 0.5 * 4.0 * 2.0 / 4.0, 1.0 + 0.5 * 4.0, 7.0]);
    }

    #[test]
    fn what_is_given_stays_and_what_is_learned_comes_near_the_optimum() {
        let (rules, features) = small("lines,cells-3x4,cells-4x3");
        let parameters = features.names();
        let practice = Practice::new(&json!({ "given": { "lines": 1 } }), &parameters).unwrap();
        let mut weights = practice.start(&parameters);
        let mut game = Practising::<Tetris>::new(&practice, &rules, &*features, &parameters);
        let generations = 20;
        for generation in 1..=generations {
            let rate = practice.rate(generation, generations);
            (0..4000).for_each(|n| drop(game.play(&mut weights, rate, &mut GameDice::new(generation, n))));
        }
        assert_eq!(weights[0], 1.0);
        let watch = &|_: f64| std::ops::ControlFlow::Continue(());
        let exact = crate::solve::solve(&rules, 1e-6, watch).unwrap().value;
        // The empty board shows the first entry of every table twice.
        let empty = parameters.iter().zip(&weights).filter(|(name, _)| name.ends_with(":0"));
        let learned: f64 = empty.map(|(_, weight)| 2.0 * weight).sum();
        assert!((learned / exact - 1.0).abs() < 0.1, "{learned} {exact}");
        let scores: Vec<f64> =
            (0..20_000).map(|n| game.play(&mut weights, 1e-9, &mut GameDice::new(0, n))).collect();
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
            (json!({ "given": { "cells": 1 } }), "given = { cells = 1 }"),
            (json!({ "gamma": 1 }), "gamma"),
        ] {
            let error = Practice::new(&settings, &names).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        assert_eq!(Practice::default().start(&names), [0.0, 0.0]);
        let practice = Practice::new(&json!({ "rate": 0.4 }), &names).unwrap();
        assert_eq!((practice.rate(1, 4), practice.rate(4, 4)), (0.4, 0.1));
    }
}
