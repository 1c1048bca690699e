//! Fitted self-play: games of the function against itself, a label for every position, and the function fitted to the positions of the
//! last few rounds, from where it stands.

use std::ops::ControlFlow;

use games::Dice;
use learn::fitting::{Examples, Limits, Loss, Method, descend};
use play::PlayedGame;
use play::threads::par_map_with;
use serde_json::{Value, json};

use super::game::{Episodes, Policy, Reached};
use super::returns::labels;
use super::settings::FittedSettings;
use super::{Moment, RoundResult, Say, SelfPlay};
use crate::fit::{Parallel, never};

/// Keeps the games of this file apart from all other streams of the same seed.
const STREAM: u64 = 0x726f_756e;

pub struct FittedSelfPlay<G: PlayedGame> {
    episodes: Episodes<G>,
    settings: FittedSettings,
    parameters: Vec<f64>,
    /// The functions that played the earlier rounds of the window, oldest first: enough to play these again.
    earlier: Vec<Vec<f64>>,
    /// The positions of those rounds, where they are still in memory.
    window: Vec<Examples>,
}

impl<G: PlayedGame> FittedSelfPlay<G> {
    pub fn new(episodes: Episodes<G>, settings: FittedSettings, parameters: Vec<f64>) -> Self {
        Self { episodes, settings, parameters, earlier: Vec::new(), window: Vec::new() }
    }

    /// Takes over what was saved; `count`: how many parameters there must be.
    pub fn load(&mut self, saved: &Value, count: usize) -> Result<(), String> {
        self.parameters = super::game::numbers(saved.get("parameters"), count)?;
        let earlier = saved.get("earlier").and_then(Value::as_array).ok_or("earlier is no list")?;
        self.earlier =
            earlier.iter().map(|one| super::game::numbers(Some(one), count)).collect::<Result<_, _>>()?;
        Ok(())
    }

    /// The labelled positions of a round that these parameters play.
    fn positions(&self, parameters: &[f64], moment: Moment) -> Examples {
        let settings = &self.settings;
        let epsilon = moment.between(settings.epsilon, settings.epsilon_end);
        let play = |policy: &mut Policy<G>, game: usize| {
            let mut dice = Dice::seeded(&[moment.seed, STREAM, moment.round, game as u64]);
            let played = self.episodes.game(policy, &mut dice, epsilon, settings.symmetries);
            let labels = labels(&played, settings);
            (played, labels)
        };
        let games = par_map_with(settings.games as usize, || self.episodes.policy(parameters), play);
        let mut examples = Examples { inputs: self.episodes.inputs, ..Examples::default() };
        for (played, labels) in games {
            for (ply, label) in played.plies.iter().zip(labels) {
                if let (Reached::Row(row), Some(label)) = (&ply.chosen, label) {
                    examples.rows.extend(row);
                    examples.labels.push(label);
                }
            }
        }
        examples
    }

    /// The positions of the window; those of before an interruption are played again.
    fn gather(&mut self, moment: Moment) -> Examples {
        if self.window.len() < self.earlier.len() {
            let first = moment.round - self.earlier.len() as u64;
            let again = |(number, parameters): (usize, &Vec<f64>)| {
                self.positions(parameters, Moment { round: first + number as u64, ..moment })
            };
            self.window = self.earlier.iter().enumerate().map(again).collect();
        }
        self.window.push(self.positions(&self.parameters, moment));
        self.earlier.push(self.parameters.clone());
        let mut all = Examples { inputs: self.episodes.inputs, ..Examples::default() };
        for part in &self.window {
            all.rows.extend(&part.rows);
            all.labels.extend(&part.labels);
        }
        let most = self.settings.window - 1;
        let old = self.window.len().saturating_sub(most);
        self.window.drain(..old);
        self.earlier.drain(..old);
        all
    }
}

impl<G: PlayedGame> SelfPlay for FittedSelfPlay<G> {
    fn round(&mut self, moment: Moment, _say: Say) -> Option<RoundResult> {
        let examples = self.gather(moment);
        let settings = &self.settings;
        let objective = Parallel {
            form: &self.episodes.form,
            // The value is the logarithm of the odds, whatever the form.
            loss: Loss::CrossEntropy,
            decay: settings.decay,
            examples: &examples,
            stopped: &never,
            parameters: self.parameters.len(),
        };
        let seed = Dice::seeded(&[moment.seed, STREAM, moment.round]).bits();
        let method = Method::parse(&settings.with).expect("checked");
        let mut optimiser = method.optimiser(seed).expect("checked");
        let limits = Limits { iterations: settings.iterations, patience: usize::MAX, gradient: 1e-9 };
        let go_on = &mut |_: &_| ControlFlow::Continue(());
        let fitted = descend(&objective, &mut *optimiser, self.parameters.clone(), &limits, &|_| None, go_on);
        self.parameters = fitted.parameters;
        let loss = objective.mean_loss(&examples, &self.parameters).unwrap_or(0.0);
        Some(RoundResult { games: settings.games, loss, rate: None, scores: Vec::new(), imitation: None })
    }

    fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    fn save(&self) -> Value {
        json!({ "parameters": self.parameters, "earlier": self.earlier })
    }
}
