//! The final scores of a stage: what its model is worth, in games that nothing was learned from.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use games::Rules as _;
use measure::score::{Games, ScoreProgress, ScoreSetup, open_journal, run as play_games};
use play::players::PlayerSpec;
use play::{Games as GameList, Job, PlayedGame, title, with_game};
use stats::paired_ratio;

use super::evaluate::{Field, Series, scores};
use super::experiment::ExperimentError;
use super::folder::is_own;
use super::learn::LearnError;
use super::live::RunProgress;
use super::plan::ScorePlan;
use super::record::{Contest, Measured, Scored};
use super::runner::JobRunner;
use super::stage::Stage;
use crate::tasks::{TaskText, searching};

impl Stage {
    /// Plays the final scores of a model and its parameters; whether all games are over comes with them.
    pub(super) fn score(
        &self,
        learned: &str,
        point: &[f64],
        runner: &dyn JobRunner,
        threads: usize,
        live: &RunProgress,
    ) -> Result<(Vec<Contest>, bool), ExperimentError> {
        let mut contests = Vec::new();
        for (number, score) in self.plan.scores.iter().enumerate() {
            match score {
                ScorePlan::Pairs(tasks) => {
                    for &task in tasks {
                        match self.pairs(number, task, point, runner, live) {
                            Err(LearnError::Stopped) => return Ok((contests, false)),
                            contest => contests.push(contest?),
                        }
                    }
                }
                ScorePlan::Alone(scores) => {
                    let config = &self.plan.config;
                    let search = config.score[number].search.as_ref().unwrap_or(&config.model.search);
                    let path = self.place.path.join(format!("score-{}.jsonl", number + 1));
                    is_own(&path)?;
                    match scores.play(searching(search, learned), &path, threads, live)? {
                        Some(contest) => contests.push(contest),
                        None => return Ok((contests, false)),
                    }
                }
            }
        }
        Ok((contests, true))
    }

    /// The share of the points that the learned player takes from an opponent, in fresh pairs of games.
    fn pairs(
        &self,
        number: usize,
        task: usize,
        point: &[f64],
        runner: &dyn JobRunner,
        live: &RunProgress,
    ) -> Result<Contest, LearnError> {
        let text = &self.plan.tasks[task].text;
        let (pairs, against) = (self.plan.config.score[number].count(true), &text.opponents[0]);
        live.set_doing(format!("{pairs} pairs of games against {against}"));
        let seed = Series::Score(number).seed(self.plan.config.seed, 0);
        let points = scores(
            &Field { runner, task, met: &[], stop: &live.stop },
            &[point.to_vec()],
            seed,
            pairs as u64,
        )?;
        let by = if text.search == "greedy" { String::new() } else { format!(" by {}", text.search) };
        let title = format!("{}{by} against {against}, share of the points in pairs of games", text.name);
        let score = Measured::share(&points[0]);
        let players = vec![Scored { player: "learned".into(), score, ratio: None }];
        Ok(Contest { title, rules: text.rules.clone(), seed, against: Some(against.clone()), players })
    }
}

/// The final scores of a game for one, whichever it is.
pub trait SoloScores: Send + Sync {
    /// Plays the games of the learned player beside those that it is compared with; none if they are broken off.
    ///
    /// # Errors
    /// A player cannot play, or the journal at `path` cannot be used.
    fn play(
        &self,
        learned: String,
        path: &Path,
        threads: usize,
        live: &RunProgress,
    ) -> Result<Option<Contest>, ExperimentError>;

    /// The other programs that those whom it is compared with start or call.
    fn programs(&self) -> Vec<String>;
}

/// The scores of the game of a task, with those that the learned player is compared with.
///
/// # Errors
/// The task is no game, or its rules or one of the players are wrong.
pub(super) fn solo_scores<L: GameList>(
    text: &TaskText,
    against: &[String],
    games: usize,
    seed: u64,
) -> Result<Box<dyn SoloScores>, String> {
    struct Make<'a>(&'a TaskText, Vec<String>, usize, u64);
    impl Job for Make<'_> {
        type Output = Result<Box<dyn SoloScores>, String>;
        fn run<G: PlayedGame>(self) -> Self::Output {
            let Make(text, players, games, seed) = self;
            let pairs = text.rules.iter().map(|(key, value)| (key.as_str(), value.as_str()));
            let rules = G::Rules::from_pairs(pairs).map_err(|error| error.to_string())?;
            let setup = ScoreSetup::<G> { rules, players, games, seed };
            setup.check().map_err(|error| format!("against: {error}"))?;
            Ok(Box::new(setup))
        }
    }
    let none = || format!("the task {} has no players to be scored", text.name);
    with_game::<L, _>(&text.name, Make(text, against.to_vec(), games, seed)).ok_or_else(none)?
}

impl<G: PlayedGame> SoloScores for ScoreSetup<G> {
    fn programs(&self) -> Vec<String> {
        let specs = self.players.iter().filter_map(|text| PlayerSpec::<G>::parse(&self.rules, text).ok());
        specs.filter_map(|player| player.program().map(str::to_string)).collect()
    }

    fn play(
        &self,
        learned: String,
        path: &Path,
        threads: usize,
        live: &RunProgress,
    ) -> Result<Option<Contest>, ExperimentError> {
        let players = [vec![learned], self.players.clone()].concat();
        let setup = Self { players, ..self.clone() };
        let (title, _) = title::<G>(&setup.rules);
        let (mut journal, mut games) = open_journal(path, &setup)?;
        let mut watch = |now: &ScoreProgress| {
            let over: usize = now.players.iter().map(|player| player.0).sum();
            live.set_doing(format!("{title}: {over}/{} games", setup.games * setup.players.len()));
            if live.stopping() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        play_games(&setup, threads, &mut games, Some(&mut journal), &mut watch)?;
        Ok(games.complete().then(|| contest(title, &setup, &games)))
    }
}

fn contest<G: PlayedGame>(title: String, setup: &ScoreSetup<G>, games: &Games) -> Contest {
    let rules = setup.rules.to_pairs().into_iter().map(|(key, value)| (key.to_string(), value));
    let scored = |player: usize| {
        let (learned, other) = games.paired(0, player);
        let ratio = paired_ratio(&learned, &other);
        let name = if player == 0 { "learned" } else { &setup.players[player] };
        Scored {
            player: name.to_string(),
            score: Measured::exponential(&games.scores(player)),
            // Where the other scores nothing there is no ratio to tell.
            ratio: (player > 0 && ratio.ci95[1].is_finite()).then_some((ratio.ratio, ratio.ci95)),
        }
    };
    let players = (0..setup.players.len()).map(scored).collect();
    Contest { title, rules: BTreeMap::from_iter(rules), seed: setup.seed, against: None, players }
}

/// A score in words, for the model's file.
pub(super) fn told(contest: &Contest, unit: &str) -> String {
    let score = &contest.players[0].score;
    let rules: Vec<String> = contest.rules.iter().map(|(key, value)| format!("{key} {value}")).collect();
    let rules = if rules.is_empty() { String::new() } else { format!(" ({})", rules.join(", ")) };
    match contest.against {
        // The title says that it is a share.
        Some(_) => format!("{}{rules}: {}, n = {} pairs.", contest.title, score.text(), score.n),
        None => format!("{}{rules}: {} {unit}, n = {}.", contest.title, score.text(), score.n),
    }
}
