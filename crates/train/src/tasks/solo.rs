//! Evaluation functions of a game for one: the score is that of a game from the start, or the logarithm of the mean score by
//! one repeat of splitting where games are too long to play.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, OnceLock};

use games::{Rules as _, Turn};
use learn::models::Form;
use measure::pool::{Halt, Stop};
use measure::splitting::{Course, Effort, course_of, highest_level, single};
use play::PlayedGame;
use play::evaluator::{Evaluator, ModelFile};
use play::players::{PlayerFailure, PlayerSpec};
use play::playout::GameDice;
use play::solo::{SoloPlayer, play_out};

use super::{Candidate, Task, TaskText};

struct SoloTask<G: PlayedGame> {
    rules: G::Rules,
    features: String,
    form: Form,
    search: String,
    /// Parameters that a file must name; those after them are entries of tables.
    needed: usize,
    parameters: Vec<String>,
    unit: String,
    /// How much is played where splitting is the judge.
    splitting: Option<Effort>,
}

/// A function under judgement.
struct Judged<'a, G: PlayedGame> {
    rules: &'a G::Rules,
    player: PlayerSpec<G>,
    /// Players that no thread needs at the moment: one is made once for each, not once for each game.
    idle: Mutex<Vec<Box<dyn SoloPlayer<G>>>>,
    splitting: Option<Effort>,
    /// The levels of splitting, chosen for this function once.
    course: OnceLock<Course>,
}

/// What a repeat may cost: less says nothing, more never ends.
const MOVES: RangeInclusive<u64> = 1_000..=1_000_000_000;
const TRIALS: RangeInclusive<usize> = 10..=10_000_000;
/// The seed of the run that chooses the levels: always the same, for a score depends on seed and number alone.
const PILOT: u64 = 0x0070_696c_6f74;

pub fn build<G: PlayedGame>(text: &TaskText) -> Result<Box<dyn Task>, String> {
    if !text.opponents.is_empty() || text.openings > 0 || text.margin {
        return Err("fitness: against, population, environment, openings and by are for games of two".into());
    }
    let pairs = text.rules.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    let rules = G::Rules::from_pairs(pairs).map_err(|error| format!("task: {error}"))?;
    if text.features.is_empty() {
        return Err("model: features is missing; 'evalforge list features' names them".into());
    }
    let form = super::form(&text.form)?;
    let search = text.search.clone();
    match search.as_str() {
        "greedy" => {}
        "lookahead" if G::CHANCE => {}
        other if G::CHANCE => return Err(format!("model: search = {other}: must be greedy or lookahead")),
        other => return Err(format!("model: search = {other}: must be greedy where nothing is dealt")),
    }
    let features = G::features(&rules, &text.features).map_err(|error| format!("model: {error}"))?;
    form.check(features.names().len()).map_err(|error| format!("model: {error}"))?;
    let parameters = form.parameter_names(&features.names());
    if features.is_sparse() && form != Form::Linear {
        return Err(format!("model: form = {}: tables are added up, must be linear", text.form));
    }
    let needed = if features.is_sparse() { features.dense_count() } else { parameters.len() };
    let splitting = text.splitting;
    if let Some(Effort { moves, trials, level }) = splitting {
        within("moves", &moves, &MOVES)?;
        within("trials", &trials, &TRIALS)?;
        highest_level::<G>(&rules, level).map_err(|error| format!("fitness: splitting: {error}"))?;
    }
    let logarithm = if splitting.is_some() { "ln " } else { "" };
    let unit = format!("{logarithm}{}", G::SCORE_UNIT);
    let features = text.features.clone();
    Ok(Box::new(SoloTask::<G> { rules, features, form, search, needed, parameters, unit, splitting }))
}

fn within<N: PartialOrd + Display>(key: &str, value: &N, allowed: &RangeInclusive<N>) -> Result<(), String> {
    let (low, high) = (allowed.start(), allowed.end());
    match allowed.contains(value) {
        true => Ok(()),
        false => Err(format!("fitness: splitting.{key} = {value}: must be from {low} to {high}")),
    }
}

impl<G: PlayedGame> SoloTask<G> {
    fn evaluator(&self, point: &[f64]) -> Evaluator<G> {
        let file = self.file(point, String::new());
        Evaluator::from_file("learned", &file, &self.rules)
            .expect("the task was checked, the point is finite")
    }

    fn file(&self, point: &[f64], about: String) -> ModelFile {
        // Most entries of large tables are never met.
        let all = self.parameters.iter().cloned().zip(point.iter().copied()).enumerate();
        let worth_naming = all.filter(|(i, (_, weight))| *i < self.needed || *weight != 0.0);
        let parameters = worth_naming.map(|(_, parameter)| parameter).collect();
        ModelFile::new(G::NAME, &self.features, &self.form, parameters, about)
    }
}

impl<G: PlayedGame> Task for SoloTask<G> {
    fn parameters(&self) -> Vec<String> {
        self.parameters.clone()
    }

    fn unit(&self) -> &str {
        &self.unit
    }

    fn candidate(&self, point: &[f64]) -> Box<dyn Candidate + '_> {
        let evaluator = Arc::new(self.evaluator(point));
        let player = PlayerSpec::with_evaluator(&self.search, evaluator).expect("checked");
        let (rules, idle, course) = (&self.rules, Mutex::default(), OnceLock::new());
        Box::new(Judged { rules, player, idle, splitting: self.splitting, course })
    }

    fn model(&self, point: &[f64], about: String) -> ModelFile {
        self.file(point, about)
    }

    fn start(&self, model: &str) -> Result<Vec<f64>, String> {
        super::start_of::<G>(&self.rules, model, &self.form, &self.parameters)
    }

    fn units(&self, point: &[f64]) -> Option<Vec<f64>> {
        (self.form == Form::Linear).then(|| units(&self.rules, &self.evaluator(point), point))
    }
}

/// Moves after which features are looked at.
const LOOKED_AT: u64 = 1_000;
/// What is met less often than a count of 0 or 1 in one move of 25 is no further shifted for it.
const LEAST_SPREAD: f64 = 0.2;

/// How far apart a function sets the moves of a position over how far each of its features does (root mean squares over the
/// positions of a game that the function plays, begun anew whenever it is lost).
fn units<G: PlayedGame>(rules: &G::Rules, evaluator: &Evaluator<G>, weights: &[f64]) -> Vec<f64> {
    let features = evaluator.features();
    let mut dice = GameDice::new(PILOT, 0).deals;
    let (mut moves, mut sparse) = (Vec::new(), Vec::new());
    let (mut squares, mut whole) = (vec![0.0; weights.len()], 0.0);
    let mut position = G::start(rules);
    for _ in 0..LOOKED_AT {
        while position.turn() == Turn::Chance {
            position.deal(&mut dice);
        }
        if position.turn() == Turn::Over {
            position = G::start(rules);
            continue;
        }
        position.legal_moves(&mut moves);
        let mut sums: BTreeMap<u32, [f64; 2]> = BTreeMap::new();
        let mut values = Vec::with_capacity(moves.len());
        let mut best: Option<(f64, G)> = None;
        for &mv in &moves {
            let mut after = position.clone();
            after.play_unchecked(mv);
            features.extract_sparse(&position, mv, &after, &mut sparse);
            let mut counted: BTreeMap<u32, f64> = BTreeMap::new();
            sparse.iter().for_each(|&(number, value)| *counted.entry(number).or_default() += value);
            let value: f64 = counted.iter().map(|(&number, value)| weights[number as usize] * value).sum();
            for (number, value) in counted {
                let [sum, square] = sums.entry(number).or_default();
                (*sum, *square) = (*sum + value, *square + value * value);
            }
            values.push(value);
            if after.turn() != Turn::Over && best.as_ref().is_none_or(|(known, _)| value > *known) {
                best = Some((value, after));
            }
        }
        let count = moves.len() as f64;
        let variance = |sum: f64, square: f64| (square / count - math::powi(sum / count, 2)).max(0.0);
        whole += variance(values.iter().sum(), values.iter().map(|value| value * value).sum());
        for (number, [sum, square]) in sums {
            squares[number as usize] += variance(sum, square);
        }
        position = best.map_or_else(|| G::start(rules), |(_, after)| after);
    }
    let spread = |square: f64| (square / LOOKED_AT as f64).sqrt();
    let unit = |square: f64| {
        if square > 0.0 { spread(whole) / spread(square).max(LEAST_SPREAD) } else { 0.0 }
    };
    squares.into_iter().map(unit).collect()
}

impl<G: PlayedGame> Candidate for Judged<'_, G> {
    fn score(&self, seed: u64, game: u64, stop: &Stop) -> Result<f64, Halt<PlayerFailure>> {
        let idle = || self.idle.lock().expect("no thread panics while it holds the lock");
        let known = idle().pop();
        let mut player =
            known.unwrap_or_else(|| G::solo(self.rules, &self.player).expect("a function needs nothing"));
        let score = match &self.splitting {
            None => {
                let (start, dice) = (G::start(self.rules), GameDice::new(seed, game));
                play_out(&mut *player, &start, dice, || stop.go_on())?.ok_or(Halt::Stopped)?
            }
            Some(effort) => {
                let course = match self.course.get() {
                    Some(course) => course,
                    None => {
                        let course = course_of(self.rules, &mut *player, effort, PILOT, stop)?;
                        self.course.get_or_init(|| course)
                    }
                };
                single(self.rules, &mut *player, course, effort.level, seed, game, stop)?
            }
        };
        idle().push(player);
        Ok(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(splitting: Option<Effort>) -> TaskText {
        TaskText {
            name: "tetris".into(),
            rules: [("height".to_string(), "14".to_string())].into(),
            features: "dn".into(),
            form: "linear".into(),
            search: "greedy".into(),
            opponents: Vec::new(),
            openings: 0,
            margin: false,
            splitting,
            ..TaskText::default()
        }
    }

    #[test]
    fn splitting_judges_by_the_logarithm_of_lines() {
        let task = text(Some(Effort { moves: 10_000, trials: 200, ..Effort::default() }))
            .build::<games::Listed>()
            .unwrap();
        assert_eq!((task.unit(), task.parameters().len()), ("ln lines", 8));
        let dn = task.start("dn").unwrap();
        // Without a look at rows with holes it still plays, but worse.
        let weaker: Vec<f64> = dn.iter().enumerate().map(|(i, w)| if i == 7 { 0.0 } else { *w }).collect();
        let (nonsense, stop) = (vec![1.0; 8], Stop::default());
        let scores = [&dn, &weaker, &nonsense].map(|point| {
            let candidate = task.candidate(point);
            let score: f64 = (0..3).map(|game| candidate.score(5, game, &stop).unwrap()).sum::<f64>() / 3.0;
            assert_eq!(
                candidate.score(5, 1, &stop),
                task.candidate(point).score(5, 1, &stop),
                "by seed and number alone"
            );
            score
        });
        // Plain games have about 160,000 lines.
        assert!((scores[0] - math::ln(160_000f64)).abs() < 1.0, "{scores:?}");
        assert!(scores[0] > scores[1] + 0.3 && scores[1] > scores[2] + 1.0, "{scores:?}");
        assert_ne!(task.candidate(&dn).score(5, 0, &stop), task.candidate(&dn).score(5, 1, &stop));
        assert_ne!(task.candidate(&dn).score(5, 0, &stop), task.candidate(&dn).score(6, 0, &stop));
    }

    #[test]
    fn an_effort_out_of_bounds_is_refused() {
        let error = |moves, trials| {
            text(Some(Effort { moves, trials, ..Effort::default() })).build::<games::Listed>().err().unwrap()
        };
        assert_eq!(error(9, 500), "fitness: splitting.moves = 9: must be from 1000 to 1000000000");
        assert_eq!(error(9_000, 9), "fitness: splitting.trials = 9: must be from 10 to 10000000");
        let of = |name: &str, features: &str| {
            let base = text(Some(Effort::default()));
            let rules = Default::default();
            TaskText { name: name.into(), features: features.into(), rules, ..base }
                .build::<games::Listed>()
                .err()
                .unwrap()
        };
        assert_eq!(of("othello", "dn"), "fitness: splitting is for games for one");
        assert_eq!(of("sphere", ""), "fitness: splitting: the task sphere has no games");
    }
}
