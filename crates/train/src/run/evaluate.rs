//! How good the vectors of a generation are. All play the same series of games, which is new in every generation (Boumaza
//! 2013, section 4.2.2); how many of them is fixed, or a race decides.

use games::Dice;
use learn::learners::Trial;
use learn::racing::Racing;
use measure::pool::{Halt, Stop};
use play::players::PlayerFailure;

use super::runner::{Batch, Job, JobRunner};

/// Games that are handed on at once.
const MOST_JOBS: usize = 1 << 16;

/// What came out of a generation.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The fitness of every trial.
    pub values: Vec<f64>,
    /// The games of every trial.
    pub games: Vec<u32>,
    /// The most that one could have played.
    pub most: f64,
}

/// The seed of a series, by what it is for.
#[derive(Debug, Clone, Copy)]
pub enum Series {
    /// The games of a generation; the second word tells repeated measurements from the first.
    Trials(u64, u32),
    /// Those of its curve.
    Curve(u64),
    /// Those of the finalists.
    Finalists,
    /// Those of the final score, one series for each contest.
    Score(usize),
}

impl Series {
    /// The seed. Every run of an experiment has series of its own; finalists and scores are those of the experiment.
    pub fn seed(self, seed: u64, run: usize) -> u64 {
        let words = match self {
            Series::Trials(generation, series) => [1 + run as u64, generation, u64::from(series)],
            Series::Curve(generation) => [1 + run as u64, generation, u64::MAX],
            Series::Finalists => [0, 0, 0],
            Series::Score(contest) => [0, 1, contest as u64],
        };
        Dice::seeded(&[&[seed], &words[..]].concat()).bits()
    }
}

/// Where vectors are tried, and whom they meet there beside the named opponents.
pub struct Field<'a> {
    /// Who plays the games.
    pub runner: &'a dyn JobRunner,
    /// The number of the task in the plan.
    pub task: usize,
    /// The parameters of those who are met.
    pub met: &'a [Vec<f64>],
    /// Whether games are to stop.
    pub stop: &'a Stop,
}

impl Field<'_> {
    fn play(
        &self,
        points: Vec<Vec<f64>>,
        jobs: impl Iterator<Item = Job>,
    ) -> Result<Vec<f64>, Halt<PlayerFailure>> {
        let mut jobs = jobs.peekable();
        let mut batch = Batch { task: self.task, points, met: self.met.to_vec(), jobs: Vec::new() };
        let mut scores = Vec::new();
        // Millions of games may be asked for, and a list of them is long.
        while jobs.peek().is_some() {
            batch.jobs = jobs.by_ref().take(MOST_JOBS).collect();
            scores.extend(self.runner.play(&batch, self.stop)?);
        }
        Ok(scores)
    }
}

/// Everybody plays `games` games.
pub fn fixed(
    field: &Field,
    trials: &[Trial],
    seed: &dyn Fn(u32) -> u64,
    games: u64,
) -> Result<Judged, Halt<PlayerFailure>> {
    let jobs = (0..trials.len()).flat_map(|player| (0..games).map(move |game| (player, game)));
    let jobs = jobs.map(|(player, game)| Job { player, seed: seed(trials[player].series), game });
    let scores = field.play(points(trials), jobs)?;
    let mean = |scores: &[f64]| scores.iter().sum::<f64>() / games as f64;
    Ok(Judged {
        values: scores.chunks(games as usize).map(mean).collect(),
        games: vec![games as u32; trials.len()],
        most: games as f64,
    })
}

/// Those play on who are not yet told from the `parents` best.
pub fn race(
    field: &Field,
    trials: &[Trial],
    seed: &dyn Fn(u32) -> u64,
    racing: &mut Racing,
    parents: usize,
) -> Result<Judged, Halt<PlayerFailure>> {
    let most = racing.limit() as f64;
    let mut race = racing.race(trials.len(), parents);
    // Scores of games that were played ahead, by candidate, from the race's round on.
    let mut ahead: Vec<Vec<f64>> = vec![Vec::new(); trials.len()];
    loop {
        let wanted = race.wanted();
        if wanted.is_empty() {
            break;
        }
        if wanted.iter().any(|&player| ahead[player].is_empty()) {
            // A few rounds at once keep all threads busy; what a race then does not ask for is thrown away, so that
            // the result is that of single rounds.
            let round = race.round() as u64;
            let rounds =
                (round / 4).clamp(1, 8).max(3u64.saturating_sub(round)).min(racing.limit() as u64 - round);
            let games = round..round + rounds;
            let job = |player: usize, game| Job { player, seed: seed(trials[player].series), game };
            let jobs = wanted.iter().flat_map(|&player| games.clone().map(move |game| job(player, game)));
            let scores = field.play(points(trials), jobs)?;
            for (&player, scores) in wanted.iter().zip(scores.chunks(rounds as usize)) {
                ahead[player] = scores.iter().rev().copied().collect();
            }
        }
        let scores: Vec<f64> =
            wanted.iter().map(|&player| ahead[player].pop().expect("played above")).collect();
        race.tell(&scores);
    }
    racing.settle(&race);
    let games = race.counts().iter().map(|&count| count as u32).collect();
    Ok(Judged { values: race.values(), games, most })
}

/// Scores of vectors in a series of its own.
pub fn scores(
    field: &Field,
    points: &[Vec<f64>],
    seed: u64,
    games: u64,
) -> Result<Vec<Vec<f64>>, Halt<PlayerFailure>> {
    let jobs = (0..points.len()).flat_map(|player| (0..games).map(move |game| Job { player, seed, game }));
    let scores = field.play(points.to_vec(), jobs)?;
    Ok(scores.chunks(games.max(1) as usize).map(<[f64]>::to_vec).collect())
}

fn points(trials: &[Trial]) -> Vec<Vec<f64>> {
    trials.iter().map(|trial| trial.point.clone()).collect()
}
