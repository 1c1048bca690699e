//! TD(lambda) (Sutton 1988) over the positions that moves lead to.
//!
//! The function values a position for the side that has just moved. All of a game is counted for the side that began, so
//! that sides may take turns in whatever way: y = ±tanh(v / 2) is the outcome that the function expects. Position t is drawn
//! towards y of position t + 1, and those before it by lambda to the power of their distance. The last is drawn towards the
//! outcome itself. The gradient is that of the value v and not of y: with lambda = 1 that is the regression of the outcome
//! by cross-entropy, which does not forget about surprises where tanh is flat.
//!
//! After a move by lot the position before it is drawn towards what the best move would have led to, and nothing that
//! happens later reaches back beyond it.

use games::Dice;
use learn::models::Model;
use play::PlayedGame;
use play::threads::par_map_with;
use serde_json::{Value, json};

use super::game::{Episodes, Ply, Reached, sign, worth};
use super::settings::TdSettings;
use super::{Moment, RoundResult, Say, SelfPlay};

/// Keeps the games of this file apart from all other streams of the same seed.
const STREAM: u64 = 0x7464_6c61;

pub struct Td<G: PlayedGame> {
    episodes: Episodes<G>,
    settings: TdSettings,
    parameters: Vec<f64>,
}

impl<G: PlayedGame> Td<G> {
    pub fn new(episodes: Episodes<G>, settings: TdSettings, parameters: Vec<f64>) -> Self {
        Self { episodes, settings, parameters }
    }

    /// Takes over what was saved; `count`: how many parameters there must be.
    pub fn load(&mut self, saved: &Value, count: usize) -> Result<(), String> {
        self.parameters = super::game::numbers(saved.get("parameters"), count)?;
        Ok(())
    }
}

impl<G: PlayedGame> SelfPlay for Td<G> {
    fn round(&mut self, moment: Moment, _say: Say) -> Option<RoundResult> {
        let settings = &self.settings;
        let rate = moment.between(settings.rate, settings.rate_end);
        let epsilon = moment.between(settings.epsilon, settings.epsilon_end);
        let (mut squares, mut count) = (0.0, 0);
        let mut done = 0;
        while done < settings.games {
            let batch = done..(done + settings.batch).min(settings.games);
            done = batch.end;
            let (episodes, parameters) = (&self.episodes, &self.parameters);
            let learned = |policy: &mut super::game::Policy<G>, number: usize| {
                let game = batch.start + number as u32;
                let mut dice = Dice::seeded(&[moment.seed, STREAM, moment.round, game.into()]);
                let played = episodes.game(policy, &mut dice, epsilon, settings.symmetries);
                let mut sum = vec![0.0; parameters.len()];
                let model = episodes.form.build(episodes.inputs, parameters.clone());
                let off = updates(&*model, &played.plies, played.outcome, settings.lambda, &mut sum);
                (sum, off)
            };
            let all = par_map_with(batch.len(), || episodes.policy(parameters), learned);
            // In the order of the games, so that the number of threads changes not one bit.
            for (sum, (square, number)) in &all {
                for (parameter, change) in self.parameters.iter_mut().zip(sum) {
                    *parameter += rate * change;
                }
                squares += square;
                count += number;
            }
        }
        Some(RoundResult {
            games: settings.games,
            loss: squares / f64::from(count.max(1)),
            rate: Some(rate),
            scores: Vec::new(),
            imitation: None,
        })
    }

    fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    fn save(&self) -> Value {
        json!({ "parameters": self.parameters })
    }
}

/// Adds the changes that a game asks for, at rate 1, to `sum`. The sum of the squared errors and their number come back.
pub fn updates(model: &dyn Model, plies: &[Ply], outcome: f64, lambda: f64, sum: &mut [f64]) -> (f64, u32) {
    let (mut trace, mut gradient) = (vec![0.0; sum.len()], vec![0.0; sum.len()]);
    let mut before: Option<f64> = None;
    let (mut squares, mut count) = (0.0, 0);
    let mut learn = |before: Option<f64>, expected: f64, trace: &[f64]| {
        let Some(before) = before else { return };
        let error = expected - before;
        squares += error * error;
        count += 1;
        sum.iter_mut().zip(trace).for_each(|(sum, trace)| *sum += error * trace);
    };
    for ply in plies {
        let sign = sign(ply.mover);
        let here = match &ply.chosen {
            Reached::Row(row) => Some(sign * worth(model.value_and_gradient(row, &mut gradient))),
            Reached::End(_) => None,
        };
        let expected = match ply.instead.as_ref().unwrap_or(&ply.chosen) {
            Reached::End(outcome) => *outcome,
            Reached::Row(row) if ply.instead.is_some() => sign * worth(model.value(row)),
            Reached::Row(_) => here.expect("it is the same"),
        };
        learn(before, expected, &trace);
        let kept = if ply.instead.is_some() { 0.0 } else { lambda };
        trace.iter_mut().zip(&gradient).for_each(|(trace, slope)| *trace = kept * *trace + sign * slope);
        before = here;
    }
    // A game that was broken off.
    learn(before, outcome, &trace);
    (squares, count)
}
