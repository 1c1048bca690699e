//! Every generation of every run as one row, for tools that draw themselves.

use train::run::record::Generation;

use super::markup::cell;
use super::{Experiment, labels};

const HEAD: &str = "experiment,variant,seed,run,generation,evaluations,games,seconds,best,mean,vectors,games_used,most_games,\
                    curve,curve_n,curve_low,curve_high,step,restarts";

/// The table of all generations. Weights are as they were, not normalised; deviations are those of the parameters, axes the lengths of the
/// distribution's; columns that an experiment does not have are empty.
pub fn csv(experiments: &[Experiment]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in experiments.iter().flat_map(|experiment| &experiment.manifest.parameters) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let mut rivals: Vec<&str> = Vec::new();
    let lines = experiments.iter().flat_map(|experiment| &experiment.runs).flat_map(|run| &run.generations);
    for rival in lines.flat_map(|line| &line.rivals) {
        if !rivals.contains(&rival.against.as_str()) {
            rivals.push(&rival.against);
        }
    }
    let mut out = String::from(HEAD);
    for rival in &rivals {
        for what in ["", "n of ", "low of ", "high of "] {
            out.push(',');
            out.push_str(&cell(&format!("{what}against {rival}")));
        }
    }
    for name in &names {
        out.push(',');
        out.push_str(&cell(&format!("weight {name}")));
    }
    for name in &names {
        out.push(',');
        out.push_str(&cell(&format!("deviation {name}")));
    }
    let lines = experiments.iter().flat_map(|experiment| &experiment.runs).flat_map(|run| &run.generations);
    let axes = lines.map(|line| line.standing.axes.len()).max().unwrap_or(0);
    (1..=axes).for_each(|axis| out.push_str(&format!(",axis {axis}")));
    out.push('\n');
    for (experiment, label) in experiments.iter().zip(labels(experiments)) {
        let own = &experiment.manifest.parameters;
        let places: Vec<Option<usize>> =
            names.iter().map(|name| own.iter().position(|other| other == name)).collect();
        for run in &experiment.runs {
            for generation in &run.generations {
                let mut cells = vec![
                    cell(&label),
                    cell(&experiment.config.variant),
                    run.seed.to_string(),
                    cell(&run.name),
                ];
                cells.extend(scalars(generation));
                cells.extend(rivals.iter().flat_map(|rival| against(generation, rival)));
                let weight = |place: &Option<usize>| place.map(|i| generation.centre[i]);
                cells.extend(places.iter().map(|place| optional(weight(place))));
                let standing = &generation.standing;
                let deviation = |place: &Option<usize>| standing.deviations.get((*place)?).copied();
                cells.extend(places.iter().map(|place| optional(deviation(place))));
                cells.extend((0..axes).map(|axis| optional(standing.axes.get(axis).copied())));
                out.push_str(&cells.join(","));
                out.push('\n');
            }
        }
    }
    out
}

fn optional(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// Mean, count and interval against one opponent; empty where it was not met.
fn against(generation: &Generation, name: &str) -> [String; 4] {
    let rival = generation.rivals.iter().find(|rival| rival.against == name);
    let score = rival.map(|rival| &rival.score);
    let ends = score.and_then(|score| score.ci95);
    [
        optional(score.map(|score| score.mean)),
        score.map(|score| score.n.to_string()).unwrap_or_default(),
        optional(ends.map(|ends| ends[0])),
        optional(ends.map(|ends| ends[1])),
    ]
}

fn scalars(generation: &Generation) -> Vec<String> {
    let curve = generation.curve.as_ref();
    let ends = curve.and_then(|curve| curve.ci95);
    let used: u64 = generation.games_each.iter().copied().map(u64::from).sum();
    vec![
        generation.generation.to_string(),
        generation.evaluations.to_string(),
        generation.games.to_string(),
        generation.seconds.to_string(),
        generation.best.to_string(),
        generation.mean.to_string(),
        generation.games_each.len().to_string(),
        used.to_string(),
        generation.most_games.to_string(),
        optional(curve.map(|curve| curve.mean)),
        curve.map(|curve| curve.n.to_string()).unwrap_or_default(),
        optional(ends.map(|ends| ends[0])),
        optional(ends.map(|ends| ends[1])),
        optional(generation.standing.step),
        generation.standing.restarts.to_string(),
    ]
}
