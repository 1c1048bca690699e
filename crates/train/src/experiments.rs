//! The experiments that come with the program: the files of `experiments/`, which it carries inside it.

use crate::run::config::ConfigError;

/// An experiment that comes with the program.
#[derive(Debug, Clone, Copy)]
pub struct ShippedExperiment {
    /// Its name.
    pub name: &'static str,
    /// The text of its file.
    pub text: &'static str,
}

impl ShippedExperiment {
    /// What it is, in one line.
    pub fn summary(&self) -> String {
        let about = |table: &toml::Table| table.get("about")?.as_str().map(str::to_string);
        self.text.parse().ok().as_ref().and_then(about).unwrap_or_default()
    }
}

macro_rules! experiments {
    ($($name:literal),* $(,)?) => {
        &[$(ShippedExperiment {
            name: $name,
            text: include_str!(concat!("../../../experiments/", $name, ".toml")),
        }),*]
    };
}

/// The one list of experiments.
pub const EXPERIMENTS: &[ShippedExperiment] = experiments![
    "tetris-quick",
    "tetris-ten-minutes",
    "tetris-record",
    "tetris-lessons",
    "tetris-record-ablation",
    "tetris-sz",
    "tetris-cma-record",
    "tetris-szita-no-noise",
    "tetris-szita-constant-noise",
    "tetris-szita-decreasing-noise",
    "tetris-thiery-d",
    "tetris-thiery-bd",
    "tetris-thiery-dn",
    "tetris-thiery-bdn",
    "tetris-boumaza-6",
    "tetris-boumaza-8",
    "tetris-boumaza-smaller",
    "tetris-boumaza-harder",
    "tetris-racing-none",
    "tetris-racing-hoeffding",
    "tetris-racing-bernstein",
    "tetris-racing-tetris",
    "tetris-5x5",
    "tetris-5x5-features",
    "tetris-xtris-genetic",
    "tetris-swarm-network",
    "tetris-boehm-exponential",
    "pickpocket",
    "avalam-genetic",
    "avalam-genetic-search",
    "avalam-cma-es",
    "pushover-5x5",
    "pushover-rounds",
    "pushover-td",
    "othello-genetic",
    "othello-cma-es",
];

/// The text of an experiment: one that is shipped, or a file.
///
/// # Errors
/// There is neither.
pub fn find(name: &str) -> Result<String, ConfigError> {
    if let Some(shipped) = EXPERIMENTS.iter().find(|experiment| experiment.name == name) {
        return Ok(shipped.text.to_string());
    }
    let wrong = |reason: String| ConfigError { file: name.to_string(), reason };
    if !name.ends_with(".toml") && !std::path::Path::new(name).exists() {
        let known = EXPERIMENTS.iter().map(|experiment| experiment.name);
        let unknown = play::names::UnknownName::new("experiment", name, known);
        return Err(wrong(format!("no such file, and {unknown}")));
    }
    play::files::read_text(std::path::Path::new(name), play::files::MOST_TEXT)
        .map_err(|error| wrong(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::experiment::Experiment;

    #[test]
    fn every_experiment_can_be_run_and_says_what_it_is() {
        for experiment in EXPERIMENTS {
            for quick in [false, true] {
                let (name, text) = (experiment.name, experiment.text);
                let planned = Experiment::parse::<games::Listed>(name, name, text, quick, &[]).unwrap();
                let config = planned.configs().next().unwrap();
                assert!(!config.about.is_empty() && !config.expect.is_empty(), "{name}");
                assert_eq!(experiment.summary(), config.about);
            }
        }
    }

    #[test]
    fn every_file_is_listed() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
        let files = std::fs::read_dir(folder).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        // Beside them there is a folder of published tables and costs.
        let mut names: Vec<String> =
            names.filter_map(|name| Some(name.strip_suffix(".toml")?.to_string())).collect();
        names.sort();
        let mut listed: Vec<&str> = EXPERIMENTS.iter().map(|experiment| experiment.name).collect();
        listed.sort_unstable();
        assert_eq!(names, listed);
    }
}
