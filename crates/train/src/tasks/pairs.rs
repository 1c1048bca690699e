//! Evaluation functions of games for two: the score is what they take from their opponents in pairs of games, both from
//! one random opening with sides exchanged. Game number n of a series is met by opponent n modulo their number, so that
//! all are met alike.

use std::ops::ControlFlow;
use std::sync::Arc;

use games::{Dice, Rules, Side, Turn};
use learn::models::Form;
use measure::pool::{Halt, Stop};
use play::PlayedGame;
use play::evaluator::{Evaluator, ModelFile};
use play::players::{PlayerError, PlayerFailure, PlayerSpec, prepare};
use play::playout::{GameDice, play_observed};

use super::{Candidate, Task, TaskText};

/// No game of the list is longer; a game that is counts as drawn.
const MOST_MOVES: u64 = 1000;

struct Pairs<G: PlayedGame> {
    rules: G::Rules,
    text: TaskText,
    form: Form,
    parameters: Vec<String>,
    opponents: Vec<PlayerSpec<G>>,
}

struct Contender<'a, G: PlayedGame> {
    task: &'a Pairs<G>,
    player: PlayerSpec<G>,
    /// Everybody who is met, named or not.
    opponents: Arc<[PlayerSpec<G>]>,
}

pub fn build<G: PlayedGame>(text: &TaskText) -> Result<Box<dyn Task>, String> {
    let pairs = text.rules.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    let rules = G::Rules::from_pairs(pairs).map_err(|error| format!("task: {error}"))?;
    if text.splitting.is_some() {
        return Err("fitness: splitting is for games for one".into());
    }
    if text.features.is_empty() {
        return Err("model: features is missing; 'evalforge list features' names them".into());
    }
    let form = super::form(&text.form)?;
    let features = G::features(&rules, &text.features).map_err(|error| format!("model: {error}"))?;
    form.check(features.names().len()).map_err(|error| format!("model: {error}"))?;
    let parameters = form.parameter_names(&features.names());
    let opponent =
        |text: &String| PlayerSpec::parse(&rules, text).map_err(|error| format!("against: {error}"));
    let opponents = text.opponents.iter().map(opponent).collect::<Result<_, String>>()?;
    let task = Pairs::<G> { rules, text: text.clone(), form, parameters, opponents };
    // A search that cannot use the function is known now.
    task.player(&vec![0.0; task.parameters.len()])
        .map_err(|error| format!("model: search = {}: {error}", text.search))?;
    if opening(&task, 0, 0).is_none() {
        return Err(format!("fitness: openings = {}: games are over before", text.openings));
    }
    Ok(Box::new(task))
}

impl<G: PlayedGame> Pairs<G> {
    fn file(&self, point: &[f64], about: String) -> ModelFile {
        let parameters = self.parameters.iter().cloned().zip(point.iter().copied()).collect();
        ModelFile::new(G::NAME, &self.text.features, &self.form, parameters, about)
    }

    /// The player of these parameters: the function itself, or a search with it.
    fn player(&self, point: &[f64]) -> Result<PlayerSpec<G>, PlayerError> {
        let names = &self.text.features;
        let features = G::features(&self.rules, names).expect("the task was checked");
        let evaluator = Evaluator::new("learned", names, features, self.form.clone(), point.to_vec())?;
        PlayerSpec::with_evaluator(&self.text.search, Arc::new(evaluator))
    }
}

/// The position that a pair begins from, with the moves to it; none if games are too short for it.
fn opening<G: PlayedGame>(task: &Pairs<G>, seed: u64, number: u64) -> Option<(G, Vec<G::Move>)> {
    let mut dice = Dice::seeded(&[seed, number, 0x6f70_656e]);
    let mut moves = Vec::new();
    // Random games are not all equally long.
    (0..100).find_map(|_| {
        let (mut position, mut way) = (G::start(&task.rules), Vec::new());
        for _ in 0..task.text.openings {
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                return None;
            }
            way.push(dice.pick(&moves));
            position.play_unchecked(way[way.len() - 1]);
        }
        matches!(position.turn(), Turn::Player(_)).then_some((position, way))
    })
}

impl<G: PlayedGame> Task for Pairs<G> {
    fn parameters(&self) -> Vec<String> {
        self.parameters.clone()
    }

    fn for_two(&self) -> bool {
        true
    }

    fn unit(&self) -> &'static str {
        if self.text.margin { "margin" } else { "share of the points" }
    }

    fn programs(&self) -> Vec<String> {
        self.opponents.iter().filter_map(|player| player.program().map(str::to_string)).collect()
    }

    fn candidate(&self, point: &[f64]) -> Box<dyn Candidate + '_> {
        self.candidates(&[point.to_vec()], &[]).pop().expect("of the one vector")
    }

    fn candidates(&self, points: &[Vec<f64>], met: &[Vec<f64>]) -> Vec<Box<dyn Candidate + '_>> {
        let player =
            |point: &Vec<f64>| self.player(point).expect("the task was checked, the point is finite");
        let opponents: Arc<[PlayerSpec<G>]> =
            self.opponents.iter().cloned().chain(met.iter().map(player)).collect();
        let one = |point: &Vec<f64>| -> Box<dyn Candidate + '_> {
            let opponents = Arc::clone(&opponents);
            Box::new(Contender { task: self, player: player(point), opponents })
        };
        points.iter().map(one).collect()
    }

    fn prepare(&self, say: &(dyn Fn(&str) -> ControlFlow<()> + Sync)) {
        for opponent in &self.text.opponents {
            if say(opponent).is_break() || prepare::<G>(&self.rules, opponent, &|_| say(opponent)).is_break()
            {
                return;
            }
        }
    }

    fn model(&self, point: &[f64], about: String) -> ModelFile {
        self.file(point, about)
    }

    fn start(&self, model: &str) -> Result<Vec<f64>, String> {
        super::start_of::<G>(&self.rules, model, &self.form, &self.parameters)
    }
}

impl<G: PlayedGame> Candidate for Contender<'_, G> {
    /// The mean of the two games of a pair: 1 for a win, 0.5 for a draw, or what it is ahead by.
    fn score(&self, seed: u64, game: u64, stop: &Stop) -> Result<f64, Halt<PlayerFailure>> {
        let task = self.task;
        let opponents = self.opponents.len() as u64;
        let (opponent, number) = ((game % opponents) as usize, game / opponents);
        let (start, way) = opening(task, seed, number).expect("tried before the run");
        let mut sum = 0.0;
        for side in Side::BOTH {
            let mut players = Vec::new();
            for spec in [&self.player, &self.opponents[opponent]] {
                // A program that was there before the run may be gone.
                let failed = |error| PlayerFailure::at_start(spec.program().unwrap_or_default(), &error);
                let mut player = spec.player().map_err(failed)?;
                player.opening(&way);
                player.stop_by(stop.flag());
                players.push(player);
            }
            if side == Side::Second {
                players.swap(0, 1);
            }
            let mut dice = GameDice::new(seed, game);
            let mut observe =
                |_, _, _: &G| if stop.go_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
            let played = play_observed(&start, &mut players, &mut dice, MOST_MOVES, &mut observe);
            // A search that was told to stop has moved without thinking, and a program may have failed by it.
            if !stop.go_on() {
                return Err(Halt::Stopped);
            }
            let end = played?.end;
            sum += match (task.text.margin, end.turn()) {
                // A score between two sides is the lead over the other already.
                (true, _) => end.score(side),
                (false, Turn::Over) if end.final_value(side) > 0.0 => 1.0,
                (false, Turn::Over) if end.final_value(side) < 0.0 => 0.0,
                _ => 0.5,
            };
        }
        Ok(sum / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Game as _;
    use games::othello::Othello;
    use play::players::player;
    use play::playout::play;

    #[test]
    fn a_margin_is_the_lead_as_a_duel_counts_it() {
        let text = TaskText {
            name: "othello".into(),
            features: "criteria".into(),
            form: "linear".into(),
            search: "greedy".into(),
            opponents: vec!["random".into()],
            margin: true,
            ..TaskText::default()
        };
        let task = text.build::<games::Listed>().unwrap();
        let point: Vec<f64> = (0..task.parameters().len()).map(|i| if i == 0 { 1.0 } else { 0.1 }).collect();
        let rules = games::rules::Fixed;
        let own = task.model(&point, String::new()).line();
        let lead = |side: Side| {
            let mut players = [&own[..], "random"].map(|text| player::<Othello>(&rules, text).unwrap());
            if side == Side::Second {
                players.swap(0, 1);
            }
            let start = Othello::start(&rules);
            let end = play(&start, &mut players, &mut GameDice::new(3, 4), MOST_MOVES).unwrap().end;
            // The lead of one side is what the other is behind by.
            assert_eq!(end.score(side), -end.score(side.other()));
            end.score(side)
        };
        let leads = Side::BOTH.map(lead);
        assert!(leads.iter().all(|lead| *lead != 0.0 && lead.abs() <= 64.0), "{leads:?}");
        assert_eq!(
            task.candidate(&point).score(3, 4, &Stop::default()).unwrap(),
            (leads[0] + leads[1]) / 2.0
        );
    }
}
