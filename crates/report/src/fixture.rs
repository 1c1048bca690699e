//! Folders of experiments that never ran, for the tests of the report.

use std::fs;
use std::path::{Path, PathBuf};

use learn::learners::Diagnostics;
use train::run::record::{Contest, FORMAT, Generation, Manifest, Measured, Scored};

/// A folder that goes when it is dropped.
pub struct Folder(pub PathBuf);

impl Folder {
    /// A new one.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("evalforge-report-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A file in it.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The path of it.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The parameters of the shipped model `dn`.
pub const NAMES: [&str; 8] = [
    "landing-height",
    "eroded-cells",
    "row-transitions",
    "column-transitions",
    "holes",
    "wells",
    "hole-depth",
    "rows-with-holes",
];

/// A name that would be a script if it were not escaped.
pub const EVIL: &str = "a<script>alert('1')</script>&|\u{1b}[31m";

pub const CONFIG: &str = r#"
about = "An experiment <b>that</b> never ran"
expect = "Nothing"
runs = 3
generations = 20
[task]
name = "tetris"
[learner]
name = "cma-es"
[fitness.racing]
bound = "bernstein"
[[score]]
games = 100
against = ["dn", "dellacherie"]
"#;

/// A generation whose curve is `run` times 10 to the power of a tenth of it, so that medians can be known.
pub fn generation(run: usize, number: u64) -> Generation {
    let mean = run as f64 * math::powf(10.0, number as f64 / 10.0);
    Generation {
        generation: number,
        variant: String::new(),
        evaluations: 10 * number,
        games: 100 * number * run as u64,
        seconds: number as f64,
        best: 2.0 * mean,
        mean,
        mean_ci95: None,
        games_each: vec![5; 10],
        most_games: 10.0,
        centre: (1..=NAMES.len()).map(|i| run as f64 * i as f64).collect(),
        standing: Diagnostics {
            generation: number,
            step: Some(math::powf(0.5, number as f64)),
            deviations: vec![0.1; NAMES.len()],
            axes: vec![1.0; NAMES.len()],
            restarts: 0,
        },
        curve: Some(Measured { mean, n: 100, ci95: Some([0.8 * mean, 1.2 * mean]) }),
        rivals: Vec::new(),
        imitation: None,
    }
}

/// A log as it is written.
pub fn log(generations: impl IntoIterator<Item = Generation>) -> String {
    generations.into_iter().map(|it| serde_json::to_string(&it).unwrap() + "\n").collect()
}

/// An experiment of three runs of twenty generations, finished and scored.
pub fn experiment(folder: &str, name: &str) -> Folder {
    let folder = Folder::new(folder);
    folder.write("config.toml", CONFIG);
    let manifest = Manifest {
        format: FORMAT.into(),
        experiment: name.into(),
        variant: String::new(),
        version: "0.1.0".into(),
        commit: "0000000".into(),
        source: String::new(),
        cpu: "none".into(),
        threads: 1,
        seed: 1,
        started: "2009-01-01T00:00:00Z".into(),
        parameters: NAMES.map(String::from).to_vec(),
        unit: "lines".into(),
        counted: String::new(),
        config: String::new(),
        plan: String::new(),
        files: Default::default(),
        changes: Vec::new(),
    };
    folder.write("manifest.json", &serde_json::to_string(&manifest).unwrap());
    let dn = include_str!("../../../models/tetris/dn.json");
    for run in 1..=3 {
        let text = log((1..=20).map(|number| generation(run, number)));
        folder.write(&format!("run-{run:02}/log.jsonl"), &text);
    }
    folder.write("model.json", dn);
    let score = |mean: f64| Measured { mean, n: 100, ci95: Some([0.8 * mean, 1.2 * mean]) };
    let player = |player: &str, mean, ratio| Scored { player: player.into(), score: score(mean), ratio };
    let players = vec![
        player("learned", 200.0, None),
        player("dn", 100.0, Some((2.0, [1.5, f64::INFINITY]))),
        player("dellacherie", 190.0, Some((1.1, [0.9, 1.3]))),
        player(EVIL, 400.0, Some((0.5, [0.4, 0.6]))),
    ];
    let contest =
        Contest { title: "tetris 10x10".into(), rules: Default::default(), seed: 3, against: None, players };
    folder.write("scores.json", &serde_json::to_string(&[contest]).unwrap());
    folder
}
