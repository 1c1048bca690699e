//! Folders of one experiment that differ in nothing but the seed, or in which of its runs they hold, are one experiment of many runs.

use stats::{Mean, t95};
use train::run::config::Config;
use train::run::record::{Contest, Measured, Scored};

use super::Experiment;

/// Joins what is the same experiment, in the order in which each comes first. The same run twice is not two runs.
pub fn pool(experiments: Vec<Experiment>) -> Vec<Experiment> {
    let mut groups: Vec<Vec<Experiment>> = Vec::new();
    for experiment in experiments {
        let joins = |group: &&mut Vec<Experiment>| {
            is_same(&group[0], &experiment) && group.iter().all(|other| !have_one_run(other, &experiment))
        };
        match groups.iter_mut().find(joins) {
            Some(group) => group.push(experiment),
            None => groups.push(vec![experiment]),
        }
    }
    groups.into_iter().map(joined).collect()
}

fn is_same(a: &Experiment, b: &Experiment) -> bool {
    let kind = |experiment: &Experiment| {
        let mut config = Config { seed: 0, run: None, ..experiment.config.clone() };
        // A stage begins from what its own experiment has learned, which the seed decides.
        if experiment.manifest.experiment.contains(", stage ") {
            config.model.start = None;
        }
        config
    };
    let name = |experiment: &Experiment| experiment.manifest.experiment.clone();
    name(a) == name(b) && a.manifest.parameters == b.manifest.parameters && kind(a) == kind(b)
}

fn have_one_run(a: &Experiment, b: &Experiment) -> bool {
    let seed = a.manifest.seed == b.manifest.seed;
    let run = a.runs.iter().any(|run| b.runs.iter().any(|other| run.name == other.name));
    seed && (run || a.folders == b.folders)
}

fn joined(mut group: Vec<Experiment>) -> Experiment {
    if group.len() == 1 {
        return group.remove(0);
    }
    let scores = contests(&group);
    let mut it = group[0].clone();
    it.folders = group.iter().flat_map(|part| part.folders.clone()).collect();
    it.finished = group.iter().all(|part| part.finished);
    it.runs = group.iter().flat_map(|part| part.runs.clone()).collect();
    let seeds = it.seeds().len();
    if seeds > 1 {
        for (run, alone) in
            it.runs.iter_mut().zip(group.iter().flat_map(|part| vec![part.runs.len() == 1; part.runs.len()]))
        {
            run.name =
                if alone { format!("seed {}", run.seed) } else { format!("seed {}, {}", run.seed, run.name) };
        }
    }
    it.config.runs *= seeds;
    (it.config.run, it.model, it.scores) = (None, None, scores);
    it
}

/// The scores of all that was scored, each game by itself: the mean of the results, those they are compared with, and every result.
fn contests(group: &[Experiment]) -> Vec<Contest> {
    let of = |contest: &Contest| {
        let same = |other: &&Contest| {
            (&other.title, &other.rules, &other.against) == (&contest.title, &contest.rules, &contest.against)
        };
        let found = group.iter().filter_map(|part| Some((part, part.scores.iter().find(same)?)));
        let found: Vec<(&Experiment, &Contest)> = found.collect();
        match found.len() {
            1 => found[0].1.clone(),
            _ => together(contest, &found),
        }
    };
    let first = group.iter().find(|part| !part.scores.is_empty());
    first.map_or(Vec::new(), |part| part.scores.iter().map(of).collect())
}

fn together(contest: &Contest, found: &[(&Experiment, &Contest)]) -> Contest {
    let one_seed = found.iter().all(|(part, _)| part.manifest.seed == found[0].0.manifest.seed);
    let players = |place: usize| found.iter().filter_map(move |(_, contest)| contest.players.get(place));
    let mut all = Vec::new();
    for (place, scored) in contest.players.iter().enumerate() {
        let scores: Vec<&Measured> = players(place).map(|scored| &scored.score).collect();
        let mut score = mean_of(&scores, one_seed);
        if let (Some([low, high]), true) = (&mut score.ci95, contest.against.is_some()) {
            (*low, *high) = (low.max(0.0), high.min(1.0));
        }
        // The ratio of means of games, in logarithms, over the results.
        let ratios: Option<Vec<(f64, [f64; 2])>> = players(place).map(|scored| scored.ratio).collect();
        let ratio =
            ratios.filter(|all| all.iter().all(|(ratio, [low, _])| *ratio > 0.0 && *low > 0.0)).map(|all| {
                let logs = all.iter().map(|(ratio, ends)| Measured {
                    mean: math::ln(*ratio),
                    n: 1,
                    ci95: Some(ends.map(math::ln)),
                });
                let logs: Vec<Measured> = logs.collect();
                let log = mean_of(&logs.iter().collect::<Vec<_>>(), one_seed);
                (math::exp(log.mean), log.ci95.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]).map(math::exp))
            });
        let name = match place {
            0 => format!("learned, mean of {} results", found.len()),
            _ => scored.player.clone(),
        };
        if place == 0 && score.mean >= 0.0 {
            score.ci95 = score.ci95.map(|[low, high]| [low.max(0.0), high]);
        }
        all.push(Scored { player: name, score, ratio });
    }
    for (part, contest) in found {
        let which = match (one_seed, part.config.run) {
            (true, Some(run)) => format!("run {run}"),
            _ => format!("seed {}", part.manifest.seed),
        };
        let learned = contest.players.first().map(|scored| scored.score.clone());
        all.extend(learned.map(|score| Scored { player: format!("learned, {which}"), score, ratio: None }));
    }
    Contest { players: all, ..contest.clone() }
}

/// The mean of results, each of which is a mean of games. Its interval is Student's over the results, which has the luck of the games in it too, but
/// not where all have played the same games: that luck is added there.
fn mean_of(scores: &[&Measured], same_games: bool) -> Measured {
    let mean = Mean::of(&scores.iter().map(|score| score.mean).collect::<Vec<_>>());
    let n = scores.iter().map(|score| score.n).sum();
    let own = scores.iter().filter_map(|score| score.ci95).map(|[low, high]| (high - low) / 2.0);
    let games = if same_games { Mean::of(&own.collect::<Vec<_>>()).mean } else { 0.0 };
    let runs = t95(mean.n.max(2) - 1) * mean.sd / (mean.n as f64).sqrt();
    let half = (runs * runs + games * games).sqrt();
    Measured { mean: mean.mean, n, ci95: half.is_finite().then_some([mean.mean - half, mean.mean + half]) }
}
