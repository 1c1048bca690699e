//! A policy that learns from itself looking one deal further: approximate policy iteration by classification, after Gabillon,
//! Ghavamzadeh & Scherrer 2013 (CBMPI). In every round positions are sampled from games of the policy as it is; the expert,
//! which is the same function one deal deeper, values every move of them; and the policy is fitted to choose as the expert
//! does. `boards` samples, `prospects` is what the expert thinks of what it sees, `choices` what is learned from.

mod boards;
mod choices;
mod prospects;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::CbmpiSettings;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use games::{Dice, FeatureSet};
use learn::fitting::{Limits, Method, Trace, descend};
use learn::models::Form;
use play::PlayedGame;
use play::evaluator::Evaluator;
use play::numbers::rough_duration;
use play::outlook::Expert;
use play::players::PlayerSpec;
use play::threads::par_map_with;
use serde_json::{Value, json};
use stats::Share;

use self::choices::{Choice, ImitationObjective, Judged};
use crate::run::record::{ImitationLine, Measured};
use crate::selfplay::{Moment, RoundResult, Say, SelfPlay};

/// Keeps the lots of this folder apart from all other streams of the same seed.
const STREAM: u64 = 0x7465_6163;

/// One position in so many is not learned from.
const HELD_OUT: usize = 10;

/// Choices that are enough to know how far features spread.
const ENOUGH: usize = 2000;

/// A function that is taught by itself.
pub struct Cbmpi<G: PlayedGame> {
    rules: G::Rules,
    features: String,
    inputs: usize,
    form: Form,
    settings: CbmpiSettings,
    frozen: Vec<bool>,
    /// Which features tell of a move itself.
    of_move: Vec<bool>,
    parameters: Vec<f64>,
}

impl<G: PlayedGame> Cbmpi<G> {
    /// Of features, a form and settings that have been checked.
    pub fn new(
        rules: G::Rules,
        features: &str,
        form: Form,
        settings: CbmpiSettings,
        parameters: Vec<f64>,
    ) -> Self {
        let set = Self::set(&rules, features);
        let (names, of_move) = (set.names(), set.tells_of_move());
        let frozen = settings.frozen(&form.parameter_names(&names));
        Self {
            rules,
            features: features.into(),
            inputs: names.len(),
            form,
            settings,
            frozen,
            of_move,
            parameters,
        }
    }

    fn set(rules: &G::Rules, features: &str) -> Box<dyn FeatureSet<G>> {
        G::features(rules, features).expect("checked")
    }

    fn evaluator(&self) -> Evaluator<G> {
        let features = Self::set(&self.rules, &self.features);
        Evaluator::new("the policy", &self.features, features, self.form.clone(), self.parameters.clone())
            .expect("a round ends with finite numbers")
    }

    /// What the expert thinks of these positions; those in which every move leads to the end are left out.
    /// None if `say` breaks off.
    fn choices(&self, evaluator: &Evaluator<G>, boards: &[G], say: Say) -> Option<Vec<Choice>> {
        let (begun, done, stop) = (Instant::now(), AtomicUsize::new(0), AtomicBool::new(false));
        let one = |expert: &mut Box<dyn Expert<G> + '_>, number: usize| {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let choice = self.choice(evaluator, &boards[number], &mut **expert);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if done.is_multiple_of(512) {
                let left = left(begun, done, boards.len());
                if say(format!("the expert looks at {done}/{} boards, {left}", boards.len())).is_break() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            choice
        };
        let all = par_map_with(boards.len(), || G::expert(&self.rules, evaluator), one);
        (!stop.into_inner()).then(|| all.into_iter().flatten().collect())
    }

    fn choice(&self, evaluator: &Evaluator<G>, board: &G, expert: &mut dyn Expert<G>) -> Option<Choice> {
        let mut moves = Vec::new();
        board.legal_moves(&mut moves);
        let mut seen = expert.look(board, &moves);
        let (mut sparse, mut all, mut ends, mut fixed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        // Of a weighted sum, what stays is added up once and for all.
        let linear = self.form == Form::Linear;
        for (&mv, seen) in moves.iter().zip(&mut seen) {
            let mut after = board.clone();
            after.play_unchecked(mv);
            evaluator.features().extract_sparse(board, mv, &after, &mut sparse);
            seen.own = self.own_share(seen.own, &sparse);
            sparse.sort_unstable_by_key(|&(number, _)| number);
            let begin = all.len();
            let mut stays = 0.0;
            for &(number, value) in &sparse {
                match all[begin..].last_mut() {
                    _ if linear && self.frozen[number as usize] => {
                        stays += self.parameters[number as usize] * value;
                    }
                    Some((last, sum)) if *last == number => *sum += value as f32,
                    _ => all.push((number, value as f32)),
                }
            }
            ends.push(all.len() as u32);
            fixed.push(stays);
        }
        let regrets = prospects::regrets(&seen, self.settings.softness, self.settings.lost)?;
        Some(Choice { sparse: all.into(), ends: ends.into(), fixed: fixed.into(), regrets: regrets.into() })
    }

    /// What of a first move's own value counts beside the answers to it. The position between them is gone when those are
    /// judged: in full it says the same things twice, left out it leaves too much to a single look. One round from dt-20 with
    /// 60,000 boards, millions of lines on 10x20 by splitting, n = 12: 117 with none of it, 203 with 0.15, 249 with 0.3, 95 with 0.6,
    /// 60 with all. Only a weighted sum can be taken apart.
    fn own_share(&self, own: f64, sparse: &[(u32, f64)]) -> f64 {
        let between = self.settings.between;
        if self.form != Form::Linear {
            return between * own;
        }
        let of_move = sparse.iter().filter(|(number, _)| self.of_move[*number as usize]);
        let of_move: f64 = of_move.map(|&(number, value)| self.parameters[number as usize] * value).sum();
        of_move + between * (own - of_move)
    }

    /// What parameters are multiplied with while they are fitted: a feature that spreads far among the moves of a position has
    /// a small weight, and is fitted as if it spread by 1.
    fn scales(&self, choices: &[Choice]) -> Vec<f64> {
        if self.form != Form::Linear {
            return vec![1.0; self.parameters.len()];
        }
        let (mut squares, mut moves) = (vec![0.0; self.inputs], 0);
        let mut means = vec![0.0; self.inputs];
        for choice in choices.iter().take(ENOUGH) {
            let count = choice.ends.len();
            means.fill(0.0);
            for &(number, value) in &choice.sparse {
                means[number as usize] += f64::from(value) / count as f64;
                squares[number as usize] += f64::from(value) * f64::from(value);
            }
            // The sum of squares around the mean.
            squares.iter_mut().zip(&means).for_each(|(sum, mean)| *sum -= count as f64 * mean * mean);
            moves += count;
        }
        squares.iter().map(|sum| (sum / moves.max(1) as f64).max(1.0).sqrt()).collect()
    }
}

/// How long it will take.
fn left(begun: Instant, done: usize, all: usize) -> String {
    let seconds = begun.elapsed().as_secs_f64() / done as f64 * (all - done) as f64;
    format!("about {} to go", rough_duration(seconds))
}

impl<G: PlayedGame> SelfPlay for Cbmpi<G> {
    fn round(&mut self, moment: Moment, say: Say) -> Option<RoundResult> {
        let settings = &self.settings;
        let evaluator = self.evaluator();
        let seed = Dice::seeded(&[moment.seed, STREAM, moment.round]).bits();
        let policy = PlayerSpec::Model(Arc::new(self.evaluator()));
        let boards = boards::sample(&self.rules, &policy, &settings.levels(), settings.boards, seed, say)?;
        // Every tenth, from wherever the boards come.
        let all = self.choices(&evaluator, &boards, say)?.into_iter().enumerate();
        let (held, choices): (Vec<_>, Vec<_>) = all.partition(|(number, _)| number.is_multiple_of(HELD_OUT));
        let [held, choices] =
            [held, choices].map(|some| some.into_iter().map(|(_, one)| one).collect::<Vec<Choice>>());
        let scales = self.scales(&choices);
        let objective = ImitationObjective {
            form: &self.form,
            inputs: self.inputs,
            loss: settings.loss,
            temperature: settings.temperature,
            frozen: &self.frozen,
            scales: &scales,
            choices: &choices,
        };
        let method = Method::parse(&settings.with).expect("checked");
        let mut optimiser = method.optimiser(seed).expect("checked");
        let limits = Limits { iterations: settings.epochs, patience: usize::MAX, gradient: 1e-12 };
        let begun = Instant::now();
        let mut is_broken_off = false;
        let mut watch = |trace: &Trace| {
            let (done, all) = (trace.iteration, settings.epochs);
            let left = left(begun, done, all);
            let said =
                say(format!("the policy has learned {done}/{all} times, loss {:.4}, {left}", trace.training));
            is_broken_off |= said.is_break();
            said
        };
        let start = self.parameters.iter().zip(&scales).map(|(value, scale)| value * scale).collect();
        let fitted = descend(&objective, &mut *optimiser, start, &limits, &|_| None, &mut watch);
        if is_broken_off {
            return None;
        }
        let mut learned = self.parameters.clone();
        for (i, place) in learned.iter_mut().enumerate() {
            if !self.frozen[i] {
                *place = fitted.parameters[i] / scales[i];
            }
        }
        let judged = [&self.parameters, &learned].map(|parameters| objective.judge(parameters, &held));
        let of = |judged: &Judged| {
            let share = Share::of(judged.agreed, held.len());
            let agreement = Measured { mean: share.share, n: share.n, ci95: Some(share.ci95) };
            (agreement, Measured::of(&judged.regrets))
        };
        let [(before, lost_before), (after, lost_after)] = [of(&judged[0]), of(&judged[1])];
        let imitation = ImitationLine {
            boards: choices.len(),
            loss: [judged[0].loss, judged[1].loss],
            agreement: [before, after],
            regret: [lost_before, lost_after],
        };
        self.parameters = learned;
        let games = boards.len() as u32;
        Some(RoundResult {
            games,
            loss: judged[1].loss,
            rate: None,
            scores: Vec::new(),
            imitation: Some(imitation),
        })
    }

    fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    fn save(&self) -> Value {
        json!({ "parameters": self.parameters })
    }
}
