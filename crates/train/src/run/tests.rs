//! The loop of learning on functions that cost nothing: learn, write down, break off anywhere, go on bit for bit.

use std::fs;
use std::path::{Path, PathBuf};

use games::pushover::Pushover;
use measure::pool::{Halt, Stop};
use play::threads::on_threads;

use super::experiment::{Experiment, ExperimentError, ExperimentRun};
use super::folder::{Origin, generations, newest, stage_folders};
use super::live::RunProgress;
use super::record::Generation;
use super::runner::{Batch, JobRunner, LocalRunner};
use super::stage::Finish;

/// Three runs of CMA-ES that race on a noisy function, with a curve.
pub(super) const RACING: &str = r#"
generations = 5
runs = 3
task = { name = "noisy-sphere", dimension = 4 }
learner = { name = "cma-es", start = "unit" }
fitness = { racing = { bound = "hoeffding", low = -1, high = 0, maximum = 60 } }
curve = { games = 6, every = 2 }
"#;

/// The best of a genetic algorithm, chosen on fresh games; another function from the fourth generation on.
pub(super) const FINALISTS: &str = r#"
generations = 6
task = { name = "noisy-sphere", dimension = 3 }
learner = { name = "genetic", population = 10 }
fitness = { games = 3 }
deploy = { choose = "finalists", finalists = 3, games = 5 }
"#;

/// Two stages, the second of which begins where the first has ended.
pub(super) const STAGES: &str = r#"
generations = 4
task = { name = "sphere", dimension = 3 }
stage = [
    { learner = { name = "cma-es", start = "unit" } },
    { generations = 3, runs = 2, learner = { name = "cma-es", sigma = 0.01 } },
]
"#;

/// An empty place of a test's own.
pub(super) fn place(name: &str) -> PathBuf {
    let place = std::env::temp_dir().join(format!("evalforge-run-{}-{name}", std::process::id()));
    // What an earlier process of the same number has left.
    let _ = fs::remove_dir_all(&place);
    place
}

pub(super) fn origin() -> Origin {
    let [commit, source, cpu, now] = [const { String::new() }; 4];
    Origin { version: "1".into(), commit, source, cpu, threads: 1, now }
}

pub(super) fn parse(text: &str) -> Experiment {
    Experiment::parse::<games::Listed>("it", "it.toml", text, false, &[]).unwrap()
}

/// Says stop in the first game that it plays, but plays on, so that every run ends after one generation.
struct OneGeneration<'a>(LocalRunner, &'a RunProgress);

impl JobRunner for OneGeneration<'_> {
    fn play(&self, batch: &Batch, _: &Stop) -> Result<Vec<f64>, Halt<play::players::PlayerFailure>> {
        self.1.stop.stop();
        self.0.play(batch, &Stop::default())
    }
}

/// Runs an experiment; at most one generation of each run with `one`.
pub(super) fn go_on(run: &ExperimentRun, one: bool) -> Result<Finish, ExperimentError> {
    let finish = run.run(|stage| {
        let live = RunProgress::new(stage.plan.config.runs);
        let local = LocalRunner::new(&stage.plan);
        match one {
            true => stage.run(&OneGeneration(local, &live), 1, &live),
            false => stage.run(&local, 1, &live),
        }
    });
    finish.map(|(_, finish)| finish)
}

/// The folders with a log, in their order.
fn logs(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let stages = stage_folders(folder);
    for stage in if stages.is_empty() { vec![folder.to_path_buf()] } else { stages } {
        let runs = (0..).map(|number| stage.join(format!("run-{:02}", number + 1)));
        let runs: Vec<PathBuf> = runs.take_while(|path| path.is_dir()).collect();
        found.extend(if runs.is_empty() { vec![stage] } else { runs });
    }
    found
}

/// All that was written down, but for how long it took.
pub(super) fn written(folder: &Path) -> (Vec<Vec<Generation>>, Vec<serde_json::Value>, String) {
    let all = logs(folder);
    let lines = |path: &PathBuf| {
        let timeless = |line: Generation| Generation { seconds: 0.0, ..line };
        generations(path).unwrap().into_iter().map(timeless).collect()
    };
    let learners = all.iter().map(|path| newest(path).unwrap().learner).collect();
    let model = fs::read_to_string(folder.join("model.json")).unwrap();
    (all.iter().map(lines).collect(), learners, model)
}

#[test]
fn it_learns() {
    let folder = place("learns");
    let text =
        "generations = 60\n[task]\nname = \"sphere\"\n[learner]\nname = \"cma-es\"\nstart = \"unit\"\n";
    let finish = go_on(&parse(text).begin(&folder, origin()).unwrap(), false).unwrap();
    assert_eq!(finish.ended, [Some("all generations are done".to_string())]);
    let lines = generations(&folder).unwrap();
    let [first, last] = [&lines[0], &lines[59]];
    assert!(first.mean < -0.1 && last.mean > -1e-3 && last.best <= 0.0, "{} {}", first.mean, last.mean);
    assert_eq!(last.games, last.evaluations);
    fs::remove_dir_all(folder).unwrap();
}

/// Broken off after each generation, and each other time as if the last checkpoint had not been written.
#[test]
fn broken_off_anywhere_it_ends_where_it_would_have_ended() {
    for (name, text) in [("racing", RACING), ("finalists", FINALISTS), ("stages", STAGES)] {
        let (whole, broken) = (place(&format!("{name}-whole")), place(&format!("{name}-broken")));
        assert!(go_on(&parse(text).begin(&whole, origin()).unwrap(), false).unwrap().whole);
        let mut finish = go_on(&parse(text).begin(&broken, origin()).unwrap(), true).unwrap();
        let mut times = 1;
        while !finish.whole {
            assert!(times < 30, "{name} never ends");
            if times % 2 == 0 {
                // Of the run that stands last; the first checkpoint has none before it.
                let folder = logs(&broken).pop().unwrap();
                if folder.join("checkpoint.previous.json").is_file() {
                    fs::remove_file(folder.join("checkpoint.json")).unwrap();
                }
            }
            let run = Experiment::resume::<games::Listed>(&broken, origin(), false).unwrap();
            finish = on_threads(1 + times % 3, || go_on(&run, true)).unwrap().unwrap();
            times += 1;
        }
        assert!(times > 4, "{name} was broken off {times} times");
        assert_eq!(written(&broken), written(&whole), "{name}");
        for folder in [whole, broken] {
            fs::remove_dir_all(folder).unwrap();
        }
    }
}

/// Says stop when this many batches have been played.
struct StopsInBatch<'a>(LocalRunner, &'a RunProgress, std::sync::atomic::AtomicUsize);

impl JobRunner for StopsInBatch<'_> {
    fn play(&self, batch: &Batch, stop: &Stop) -> Result<Vec<f64>, Halt<play::players::PlayerFailure>> {
        if self.2.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) == 0 {
            self.1.stop.stop();
        }
        self.0.play(batch, stop)
    }
}

/// Ctrl-C does not wait: what is under way is left, be it a generation, a race, a curve or a choice of finalists, and played anew.
#[test]
fn broken_off_within_a_generation_it_ends_where_it_would_have_ended() {
    for (name, text) in [("racing", RACING), ("finalists", FINALISTS), ("stages", STAGES)] {
        let whole = place(&format!("{name}-undisturbed"));
        assert!(go_on(&parse(text).begin(&whole, origin()).unwrap(), false).unwrap().whole);
        let (expected, mut least) = (written(&whole), usize::MAX);
        for batches in [0, 1, 2, 3, 5, 6, 7] {
            let broken = place(&format!("{name}-within-{batches}"));
            let run = parse(text).begin(&broken, origin()).unwrap();
            let (_, finish) = run
                .run(|stage| {
                    let live = RunProgress::new(stage.plan.config.runs);
                    stage.run(&StopsInBatch(LocalRunner::new(&stage.plan), &live, batches.into()), 1, &live)
                })
                .unwrap();
            if !finish.whole {
                least = least
                    .min(logs(&broken).iter().map(|path| generations(path).map_or(0, |all| all.len())).sum());
                assert!(!broken.join("model.json").exists() || name == "finalists", "{name} {batches}");
            }
            assert!(go_on(&run, false).unwrap().whole);
            assert_eq!(written(&broken), expected, "{name} {batches}");
            drop(run);
            fs::remove_dir_all(broken).unwrap();
        }
        assert_eq!(least, 0, "{name}: a generation was played to its end");
        fs::remove_dir_all(whole).unwrap();
    }
}

#[test]
fn races_and_curves_are_as_asked_for() {
    let folder = place("asked");
    assert!(go_on(&parse(RACING).begin(&folder, origin()).unwrap(), false).unwrap().whole);
    let logs: Vec<Vec<Generation>> = logs(&folder).iter().map(|path| generations(path).unwrap()).collect();
    assert_eq!(logs.len(), 3);
    assert_ne!(logs[0][0].centre, logs[1][0].centre, "each run has a seed of its own");
    let mut raced = false;
    for line in logs.iter().flatten() {
        // Every second one, and the last.
        assert_eq!(
            line.curve.as_ref().map(|curve| curve.n),
            [None, Some(6)][usize::from(line.generation % 2 == 0 || line.generation == 5)]
        );
        assert!(line.games_each.iter().all(|&games| f64::from(games) <= line.most_games));
        raced |= line.games_each.iter().any(|games| *games != line.games_each[0]);
    }
    assert!(raced, "some played on, others did not");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn with_fewer_generations_than_are_done_nothing_more_is_played() {
    let folder = place("fewer");
    let run = parse(FINALISTS).begin(&folder, origin()).unwrap();
    for _ in 0..3 {
        assert!(!go_on(&run, true).unwrap().whole);
    }
    drop(run);
    let config = fs::read_to_string(folder.join("config.toml")).unwrap();
    assert!(config.contains("generations = 6"));
    fs::write(folder.join("config.toml"), config.replace("generations = 6", "generations = 2")).unwrap();
    let refused = Experiment::resume::<games::Listed>(&folder, origin(), false).err().unwrap();
    assert!(refused.to_string().contains("generations = 6, now 2"), "{refused}");
    let run = Experiment::resume::<games::Listed>(&folder, origin(), true).unwrap();
    assert!(go_on(&run, false).unwrap().whole);
    assert_eq!(generations(&folder).unwrap().len(), 3);
    let checkpoint = newest(&folder).unwrap();
    assert_eq!((checkpoint.generation, checkpoint.ended.is_some()), (3, true));
    drop(run);
    fs::remove_dir_all(folder).unwrap();
}

/// A task is built once, however often a plan needs it.
#[test]
fn equal_tasks_are_one() {
    let text = r#"
generations = 9
schedule = [{ from = 3, rules = { height = 9 } }, { from = 5, rules = { height = 8 } }]
curve = { games = 2, rules = { height = 9 } }
task = { name = "tetris", height = 8 }
model = { features = "dellacherie" }
learner = { name = "cma-es" }
"#;
    let experiment = parse(text);
    let plan = experiment.plan(0);
    assert_eq!([1, 2, 3, 4, 5, 9].map(|generation| plan.task(generation)), [0, 0, 1, 1, 0, 0]);
    assert_eq!((plan.tasks.len(), &plan.curve[..], plan.finals), (2, &[1][..], 0));
}

#[test]
fn final_scores_are_points_whatever_fitness_counts() {
    let text = r#"
generations = 1
task = { name = "othello" }
model = { features = "criteria" }
learner = { name = "cma-es" }
fitness = { against = ["greedy"], by = "margin" }
score = [{ games = 2, against = ["random"] }]
"#;
    let experiment = parse(text);
    let plan = experiment.plan(0);
    assert_eq!((plan.unit.as_str(), plan.score_unit.as_str()), ("margin", "share of the points"));
}

#[test]
fn games_are_those_of_the_list() {
    let text = |name: &str| {
        format!(
            "generations = 1\n[task]\nname = \"{name}\"\n[model]\nfeatures = \"threats\"\n[learner]\nname = \"td\"\n"
        )
    };
    let parse = |name: &str| {
        Experiment::parse::<(Pushover, ())>("it", "it", &text(name), false, &[]).map_err(|error| error.reason)
    };
    assert_eq!(parse("pushover").map(|one| one.plan(0).learner.name()), Ok("td"));
    assert!(parse("othello").err().unwrap().contains("unknown task 'othello'"));
}

#[test]
fn names_of_earlier_versions_are_read() {
    let file = |game: &str, features: &str, learner: &str| {
        let text = format!(
            "generations = 1\ntask = {{ name = \"{game}\" }}\nmodel = {{ features = \"{features}\" }}\nlearner = {{ name = \"{learner}\" }}\n"
        );
        parse(&text).plan(0).learner.name()
    };
    assert_eq!(file("tetris", "dt", "teacher"), "cbmpi");
    assert_eq!(file("pushover", "threats", "rounds"), "fitted-self-play");
}
