//! What is seen of an experiment: a live line on a terminal, plain lines elsewhere, and the result.

use std::io::{IsTerminal, Write, stderr, stdout};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use games::error::one_line;
use play::numbers::{self, number, rough_duration as duration};
use train::run::config::ScoreConfig;
use train::run::expectation::judged;
use train::run::live::{RunLive, RunProgress};
use train::run::plan::Plan;
use train::run::record::{Contest, Generation};
use train::run::stage::{Finish, Stage};

use crate::outputs::{self, Expected, Learned};
use crate::terminal::{Status, interrupted, screen_width, short};

/// Shows how a stage of an experiment stands until it is told to end.
pub struct View<'a> {
    stage: &'a Stage,
    over: AtomicBool,
    begun: Instant,
    /// Whether it was said before the beginning how long it will take.
    is_foretold: bool,
}

impl<'a> View<'a> {
    pub fn new(stage: &'a Stage, threads: usize, is_foretold: bool) -> Self {
        let plan = &stage.plan;
        let runs = match (plan.config.run, plan.config.runs) {
            (Some(run), runs) => format!(", run {run} of {runs}"),
            (None, 1) => String::new(),
            (None, runs) => format!(", {runs} runs"),
        };
        let (learner, seed) = (plan.learner.name(), plan.config.seed);
        let variant = match plan.config.variant.as_str() {
            "" => String::new(),
            variant => format!(" ({variant} variant)"),
        };
        let line = one_line(&format!(
            "{}{variant}: {learner} over {} parameters{runs}, seed {seed}, {threads} threads, into {}",
            plan.name,
            plan.parameters.len(),
            stage.place.path.display()
        ));
        // Nothing is left to be done if standard error is closed.
        let _ = writeln!(stderr(), "{line}");
        Self { stage, over: AtomicBool::new(false), begun: Instant::now(), is_foretold }
    }

    pub fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Looks ten times a second, and hands Ctrl-C on at once.
    pub fn watch(&self, live: &RunProgress) {
        let status = Status::new();
        let screen = stderr().is_terminal();
        let (mut said, mut last_line, mut foretold) = (0, Instant::now(), self.is_foretold);
        let resumed = live.runs().iter().map(|run| run.curve.len()).sum::<usize>();
        let games_before = live.games.load(Ordering::Relaxed);
        while !self.over.load(Ordering::Relaxed) {
            self.say_notes(live, &status);
            let runs = live.runs();
            let done: usize = runs.iter().map(|run| run.curve.len()).sum();
            let games = live.games.load(Ordering::Relaxed) - games_before;
            let line = self.line(&runs, done.saturating_sub(resumed), games, &live.doing());
            if done > resumed && !foretold {
                let left = self.left(&runs, done - resumed);
                let line =
                    foretold_text(&self.stage.plan, left, games as f64 / self.begun.elapsed().as_secs_f64());
                status.aside(|| writeln!(stderr(), "{line}").unwrap_or_default());
                foretold = true;
            }
            if screen {
                status.show(&line);
            } else if done > said && (runs.len() == 1 || last_line.elapsed().as_secs() >= 2) {
                let _ = writeln!(stderr(), "{line}");
                (said, last_line) = (done, Instant::now());
            }
            let next = Instant::now()
                + Duration::from_millis(if self.begun.elapsed().as_secs() < 2 { 10 } else { 100 });
            // Nobody waits for the next look when there is nothing more to see.
            while Instant::now() < next && !self.over.load(Ordering::Relaxed) {
                if interrupted() {
                    live.stop.stop();
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        self.say_notes(live, &status);
        status.clear();
    }

    fn say_notes(&self, live: &RunProgress, status: &Status) {
        for note in live.take_notes() {
            status.aside(|| writeln!(stderr(), "{note}").unwrap_or_default());
        }
    }

    /// How long learning will still take, by what was done so far.
    fn left(&self, runs: &[RunLive], new: usize) -> f64 {
        let all = self.stage.plan.config.generations * runs.len() as u64;
        let done: usize = runs.iter().map(|run| run.curve.len()).sum();
        self.begun.elapsed().as_secs_f64() / new as f64 * all.saturating_sub(done as u64) as f64
    }

    fn line(&self, runs: &[RunLive], new: usize, games: u64, doing: &str) -> String {
        if !doing.is_empty() {
            return doing.to_string();
        }
        let config = &self.stage.plan.config;
        let all = config.generations * runs.len() as u64;
        let done: usize = runs.iter().map(|run| run.curve.len()).sum();
        let seconds = self.begun.elapsed().as_secs_f64();
        let each = self.stage.place.manifest.games_each() as f64;
        let speed = short(each * games as f64 / seconds);
        let left = match new {
            0 => "-".to_string(),
            new => duration(self.left(runs, new)),
        };
        match runs {
            [run] => {
                let Some(last) = &run.last else { return "the first generation".into() };
                let sparks =
                    report::terminal::sparks(&run.curve, screen_width().saturating_sub(110).clamp(8, 30));
                format!(
                    "generation {}/{}  {}  {} games  {speed} games/s  {left} left  {sparks}",
                    last.generation,
                    config.generations,
                    described(last),
                    short(each * last.games as f64)
                )
            }
            _ => {
                let over = runs.iter().filter(|run| run.ended.is_some()).count();
                let mut worth: Vec<f64> = runs.iter().filter_map(|run| run.curve.last().copied()).collect();
                worth.sort_by(f64::total_cmp);
                let median = worth.get(worth.len() / 2).map_or("-".into(), |&worth| short(worth));
                format!(
                    "{over}/{} runs over, {done}/{all} generations, median {median}, {speed} games/s, {left} left",
                    config.runs
                )
            }
        }
    }
}

/// How long it will all take here, scores included, as far as the first generation tells. Pairs of games are about as long in the end as in
/// the beginning; how long a game for one is, the result decides.
fn foretold_text(plan: &Plan, left: f64, pairs_a_second: f64) -> String {
    let for_two = plan.base().for_two();
    let count = |score: &ScoreConfig| match for_two {
        true => score.count(true) * score.against.len(),
        false => score.count(false) * (1 + score.against.len()),
    };
    let all: usize = plan.config.score.iter().map(count).sum();
    let scores = match (all, plan.counts_pairs() && pairs_a_second > 0.0) {
        (0, _) => String::new(),
        (all, true) => {
            format!(", then {all} pairs of games for the scores, {}", duration(all as f64 / pairs_a_second))
        }
        (all, false) => {
            let unit = if for_two { "pairs of games" } else { "games" };
            format!(", then {all} {unit} for the scores, which take as long as the result plays")
        }
    };
    let learning = match for_two {
        true => format!("{} to learn", duration(left)),
        // Who learns to last longer plays longer games.
        false => format!("more than {} to learn, for games get longer", duration(left)),
    };
    format!("estimate from the first generation: {learning}{scores}")
}

/// How good a generation was.
fn described(line: &Generation) -> String {
    let interval = |interval: Option<[f64; 2]>| {
        interval.map_or(String::new(), |ends| format!(" {}", numbers::interval(ends)))
    };
    let (best, mean) = (number(line.best), number(line.mean));
    let mut text = match (line.games_each.len(), line.mean_ci95) {
        (1, None) => format!("fitness {mean}"),
        _ => format!("best {best}  mean {mean}{}", interval(line.mean_ci95)),
    };
    for rival in &line.rivals {
        let (score, against) = (&rival.score, &rival.against);
        text.push_str(&format!("  {}{} against {against}", number(score.mean), interval(score.ci95)));
    }
    if let Some(curve) = line.curve.as_ref().filter(|_| line.rivals.is_empty()) {
        text.push_str(&format!("  centre {}{}", number(curve.mean), interval(curve.ci95)));
    }
    if let Some(imitation) = &line.imitation {
        let [before, after] = &imitation.agreement;
        let [regret_before, regret] = &imitation.regret;
        text.push_str(&format!(
            "  agrees with its expert {}{}, {} before; regret {}{}, {} before; n {}",
            number(after.mean),
            interval(after.ci95),
            number(before.mean),
            number(regret.mean),
            interval(regret.ci95),
            number(regret_before.mean),
            after.n
        ));
    }
    if let Some(step) = line.standing.step {
        text.push_str(&format!("  step {step:.3}"));
    }
    text
}

/// Prints the result.
pub fn finished(
    stage: &Stage,
    folder: &Path,
    finish: &Finish,
    page: &Path,
    json: bool,
) -> anyhow::Result<()> {
    let model = folder.join("model.json");
    let expected = judged(&stage.plan.config, &finish.scores);
    if json {
        let expected = expected.into_iter().map(|one| Expected {
            score: one.what,
            expected: one.expected,
            found: one.found,
            outcome: one.outcome,
        });
        let manifest = &stage.place.manifest;
        return Ok(outputs::print(&Learned {
            experiment: manifest.experiment.clone(),
            variant: manifest.variant.clone(),
            folder: folder.to_path_buf(),
            model,
            report: page.to_path_buf(),
            seed: manifest.seed,
            ended: finish.ended.clone(),
            scores: finish.scores.clone(),
            expected: expected.collect(),
        })?);
    }
    let mut out = stdout().lock();
    for (number, reason) in finish.ended.iter().enumerate() {
        let reason = reason.as_deref().unwrap_or_default();
        match finish.ended.len() {
            1 => writeln!(out, "ended: {reason}")?,
            _ => writeln!(out, "run {}: {reason}", number + 1)?,
        }
    }
    for contest in &finish.scores {
        write!(out, "\n{}", table(contest, &stage.plan.score_unit))?;
    }
    for one in &expected {
        let (what, found) = (one_line(&one.what), &one.found);
        let (expected, verdict) = (&one.expected, one.outcome.text());
        let found = format!("{} n {} {}", found.text(), found.n, one.counted);
        writeln!(out, "\nexpected {what}: {expected}, found {found}: {verdict}")?;
    }
    let [model, page] = [&*model, page].map(|path| one_line(&path.display().to_string()));
    writeln!(out, "\nmodel {model}\nreport {page}")?;
    Ok(())
}

/// A contest as a small table.
fn table(contest: &Contest, unit: &str) -> String {
    let rules: Vec<String> = contest.rules.iter().map(|(key, value)| format!("{key} {value}")).collect();
    let heading = format!("{} ({})", contest.title, rules.join(", ")).replace(" ()", "");
    let mut text = one_line(&heading) + "\n";
    let names = contest.players.iter().map(|player| one_line(&player.player));
    let width = names.clone().map(|name| name.chars().count()).max().unwrap_or(0);
    for (player, name) in contest.players.iter().zip(names) {
        let score = &player.score;
        text.push_str(&format!(
            "  {name:width$}  {:>24} {unit}  n {} {}",
            score.text(),
            score.n,
            contest.counted()
        ));
        if let Some((ratio, [low, high])) = player.ratio {
            let verdict = match (low > 1.0, high < 1.0) {
                (true, _) => "learned is better",
                (_, true) => "learned is worse",
                _ => "open",
            };
            text.push_str(&format!("; learned / it = {ratio:.2} [{low:.2}, {high:.2}]: {verdict}"));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use train::run::experiment::Experiment;

    use super::*;

    #[test]
    fn scores_are_part_of_the_estimate() {
        let text = |task: &str, more: &str| {
            let text = format!("generations = 9\n{task}\nlearner = {{ name = \"cma-es\" }}\n{more}\n");
            let experiment = Experiment::parse::<games::Listed>("it", "it", &text, false, &[]).unwrap();
            foretold_text(experiment.plan(0), 300.0, 2.0)
        };
        let pairs = "fitness = { against = [\"greedy\"] }\nscore = [{ pairs = 60, against = [\"greedy\", \"random\"] }]";
        let avalam = "task = { name = \"avalam\" }\nmodel = { features = \"antisymmetric\" }";
        let first = "estimate from the first generation:";
        let begin = format!("{first} 5 min to learn");
        assert_eq!(text(avalam, pairs), format!("{begin}, then 120 pairs of games for the scores, 60 s"));
        let tetris = "task = { name = \"tetris\" }\nmodel = { features = \"dn\" }";
        let begin = format!("{first} more than 5 min to learn, for games get longer");
        let alone = format!("{begin}, then 20 games for the scores, which take as long as the result plays");
        assert_eq!(text(tetris, "score = [{ games = 10, against = [\"dn\"] }]"), alone);
        assert_eq!(text(tetris, ""), begin);
    }
}
