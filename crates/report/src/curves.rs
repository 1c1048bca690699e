//! The charts of a report that go from generation to generation.

use play::numbers::{interval, number};
use stats::median;
use train::run::record::{Generation, ImitationLine, Measured};

use super::Experiment;
use super::axis::{Axis, suits_log};
use super::figure::{Figure, Key};
use super::plot::{Band, Chart, Line, Stroke};
use super::trace::{Against, Trace, direction, middle, middle_entry, share_of_games, trace, traces};

/// More lines than this cannot be told apart.
pub const MOST_LINES: usize = 32;

pub const SIZE: (f64, f64) = (600.0, 340.0);
/// Charts over the whole width of the page.
const WIDE: (f64, f64) = (1200.0, 400.0);

/// How charts are drawn: by default as on the page.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Look {
    /// What they go along.
    pub against: Against,
    /// Whether that is drawn by its logarithm.
    pub log_across: bool,
    /// Whether values are drawn by their logarithms; none where that is decided by the values.
    pub log: Option<bool>,
    /// Width and height.
    pub size: Option<(f64, f64)>,
}

impl Look {
    /// The page's, along this.
    pub fn along(against: Against) -> Self {
        Self { against, ..Self::default() }
    }

    fn size(&self, usual: (f64, f64)) -> (f64, f64) {
        self.size.unwrap_or(usual)
    }

    /// The axis to the right of these places.
    fn x(&self, xs: &[f64]) -> Axis {
        match self.against {
            _ if self.log_across => Axis::log(xs),
            Against::Generations => Axis::tight(xs),
            Against::Games | Against::Time => Axis::tight(&[xs, &[0.0]].concat()),
        }
    }

    /// The axis upwards, by logarithms if that is asked for or, without a wish, usual.
    fn y(&self, ys: &[f64], usual: bool) -> Axis {
        if self.log.unwrap_or(usual) && ys.iter().any(|&y| y > 0.0) { Axis::log(ys) } else { Axis::round(ys) }
    }
}

/// Whether the centre of this experiment was measured.
pub fn has_curve(experiment: &Experiment) -> bool {
    experiment.begun().flat_map(|run| &run.generations).any(|generation| generation.curve.is_some())
}

fn points(trace: &Trace) -> Vec<(f64, f64)> {
    trace.iter().map(|point| (point.x, point.y)).collect()
}

/// A line of one run among many, or the only one.
fn thin(name: &str, trace: &Trace, colour: usize) -> Line {
    let last = trace.last().map(|point| format!(": {} in the end", number(point.y))).unwrap_or_default();
    let title = format!("{name}{last}");
    Line { points: points(trace), colour, stroke: Stroke::Thin, title, tips: Vec::new(), label: None }
}

fn thick(title: &str, trace: &Trace, colour: usize, stroke: Stroke, tip: impl Fn(usize) -> String) -> Line {
    let tips = (0..trace.len()).map(tip).collect();
    Line { points: points(trace), colour, stroke, title: title.to_string(), tips, label: None }
}

/// All runs thin and their median thick; of one run only the thick line.
fn of_runs(
    lines: &mut Vec<Line>,
    (experiment, label, colour): (&Experiment, &str, usize),
    what: &str,
    all: &[Trace],
    stroke: Stroke,
) {
    let central = middle(all);
    if all.len() > 1 {
        let names = experiment.begun().map(|run| run.name.as_str());
        lines.extend(names.zip(all).map(|(name, trace)| thin(&format!("{label}, {name}"), trace, colour)));
    }
    let of = if all.len() > 1 { format!(", median of {} runs", all.len()) } else { String::new() };
    let tip = |i: usize| {
        let point = central[i];
        format!("{label}\ngeneration {}: {what} {}{of}", point.generation, number(point.y))
    };
    lines.push(thick(&format!("{label}: {what}{of}"), &central, colour, stroke, tip));
}

/// What the centre scores, or the fitness where it was not measured: all experiments that count in the same unit.
pub fn fitness(experiments: &[(usize, &str, &Experiment)], look: &Look) -> Figure {
    let against = look.against;
    let (mut bands, mut back, mut front) = (Vec::new(), Vec::new(), Vec::new());
    let mut keys = Vec::new();
    for &(colour, label, experiment) in experiments {
        let mut lines = Vec::new();
        let who = (experiment, label, colour);
        if has_curve(experiment) {
            let all = curve(experiment, against, |measured, _| Some(measured));
            of_runs(&mut lines, who, "score", &all, Stroke::Thick);
            let low = middle(&curve(experiment, against, |_, ci95| Some(ci95?[0])));
            let high = middle(&curve(experiment, against, |_, ci95| Some(ci95?[1])));
            let ends = low.iter().zip(&high).map(|(low, high)| (low.x, low.y, high.y)).collect();
            say_intervals(lines.last_mut(), &low, &high);
            bands.push(Band { points: ends, colour });
            keys.extend(score_keys(experiments.len() == 1, colour, label, all.len()));
        } else {
            let mean = traces(experiment, against, |generation| Some(generation.mean));
            let best = traces(experiment, against, |generation| Some(generation.best));
            of_runs(&mut lines, who, "mean fitness", &mean, Stroke::Thick);
            let mut others = Vec::new();
            of_runs(&mut others, who, "best fitness", &best, Stroke::Dashed);
            lines.extend(others.pop());
            let name = if experiments.len() == 1 { String::new() } else { format!("{label}: ") };
            keys.push(Key::line(colour, &format!("{name}mean fitness")));
            keys.push(Key::dashed(colour, &format!("{name}best fitness")));
        }
        let (thin, thick): (Vec<Line>, Vec<Line>) =
            lines.into_iter().partition(|line| line.stroke == Stroke::Thin);
        back.extend(thin);
        front.extend(thick);
    }
    back.extend(front);
    let unit = experiments.first().map_or("", |(_, _, experiment)| experiment.manifest.unit.as_str());
    let xs: Vec<f64> = back.iter().flat_map(|line| &line.points).map(|point| point.0).collect();
    let ys: Vec<f64> = back.iter().flat_map(|line| &line.points).map(|point| point.1).collect();
    let x = look.x(&xs);
    let chart = |y: Axis| Chart {
        title: format!("{unit} against {}", against.name()),
        x_label: against.name().to_string(),
        y_label: unit.to_string(),
        x,
        y,
        bands: bands.clone(),
        lines: back.clone(),
        size: look.size(SIZE),
    };
    // Bands may reach beyond the lines, but not so far that these become flat.
    let most = ys.iter().copied().fold(0.0, f64::max);
    let highs = bands.iter().flat_map(|band| &band.points).map(|point| point.2.min(1.3 * most));
    let linear = chart(Axis::round(&highs.chain(ys.iter().copied()).collect::<Vec<_>>()));
    let heading = format!("By {}", against.name());
    if let Some(log) = look.log {
        Figure::one(&heading, &if log { chart(look.y(&ys, true)) } else { linear }).keys(keys)
    } else if suits_log(&ys) {
        Figure::two(&heading, &chart(Axis::log(&ys)), &linear).keys(keys)
    } else {
        Figure::one(&heading, &linear).keys(keys)
    }
}

/// With several experiments their names say more than what a line is.
fn score_keys(alone: bool, colour: usize, label: &str, runs: usize) -> Vec<Key> {
    match (alone, runs) {
        (false, _) => vec![Key::line(colour, label)],
        (true, 1) => vec![Key::line(colour, "mean score"), Key::band(colour, "95 % interval")],
        (true, _) => vec![
            Key::line(colour, &format!("median of {runs} runs")),
            Key::thin(colour, "the runs"),
            Key::band(colour, "95 % interval"),
        ],
    }
}

fn curve(
    experiment: &Experiment,
    against: Against,
    value: impl Fn(f64, Option<[f64; 2]>) -> Option<f64>,
) -> Vec<Trace> {
    traces(experiment, against, |generation| {
        let measured = generation.curve.as_ref()?;
        value(measured.mean, measured.ci95)
    })
}

/// What the centre takes from each opponent by itself, in experiments that measure it so.
pub fn rivals(experiment: &Experiment, heading: &str, look: &Look) -> Option<Figure> {
    let mut names: Vec<&str> = Vec::new();
    for rival in experiment.begun().flat_map(|run| &run.generations).flat_map(|line| &line.rivals) {
        if !names.contains(&rival.against.as_str()) {
            names.push(&rival.against);
        }
    }
    let (mut bands, mut lines, mut keys) = (Vec::new(), Vec::new(), Vec::new());
    for (colour, &name) in names.iter().enumerate() {
        let of = |value: &dyn Fn(&Measured) -> Option<f64>| {
            let found =
                |line: &Generation| value(&line.rivals.iter().find(|rival| rival.against == name)?.score);
            middle(&traces(experiment, look.against, found))
        };
        let mean = of(&|score| Some(score.mean));
        let [low, high] = [0, 1].map(|end| of(&|score| Some(score.ci95?[end])));
        let tip = |i: usize| format!("{name}\ngeneration {}: {}", mean[i].generation, number(mean[i].y));
        let mut line = thick(name, &mean, colour, Stroke::Thick, tip);
        say_intervals(Some(&mut line), &low, &high);
        bands.push(Band {
            points: low.iter().zip(&high).map(|(low, high)| (low.x, low.y, high.y)).collect(),
            colour,
        });
        lines.push(line);
        keys.push(Key::line(colour, &format!("against {name}")));
    }
    let xs: Vec<f64> = lines.iter().flat_map(|line| &line.points).map(|point| point.0).collect();
    if xs.is_empty() {
        return None;
    }
    // Where fitness is by margin, so is the curve.
    let margin = experiment.manifest.unit == "margin";
    let ys: Vec<f64> = lines.iter().flat_map(|line| &line.points).map(|point| point.1).collect();
    let chart = Chart {
        title: heading.to_string(),
        x_label: look.against.name().to_string(),
        y_label: if margin { "margin" } else { "share of the points" }.into(),
        x: look.x(&xs),
        y: if margin || look.log.is_some() { look.y(&ys, false) } else { Axis::round(&[0.0, 1.0]) },
        bands,
        lines,
        size: look.size(WIDE),
    };
    Some(Figure::one(heading, &chart).keys(keys).wide(true))
}

/// Adds the interval to what is said of each point, where every point has one.
fn say_intervals(line: Option<&mut Line>, low: &Trace, high: &Trace) {
    let Some(line) = line.filter(|line| line.tips.len() == low.len() && low.len() == high.len()) else {
        return;
    };
    for ((tip, low), high) in line.tips.iter_mut().zip(low).zip(high) {
        tip.push_str(&format!("\n95 % {}", interval([low.y, high.y])));
    }
}

/// The names of the parameters with their places, the largest in the end first if there are too many.
pub fn shown_parameters(experiment: &Experiment) -> Vec<(usize, &str)> {
    let finals: Vec<Vec<f64>> =
        experiment.begun().filter_map(|run| run.generations.last()).map(direction).collect();
    let size = |i: usize| median(&finals.iter().map(|weights| weights[i].abs()).collect::<Vec<_>>());
    let names = &experiment.manifest.parameters;
    let mut places: Vec<usize> = (0..names.len()).collect();
    if places.len() > MOST_LINES {
        places.sort_by(|&a, &b| size(b).total_cmp(&size(a)));
        places.truncate(MOST_LINES);
        places.sort_unstable();
    }
    places.into_iter().map(|i| (i, names[i].as_str())).collect()
}

/// One labelled line for each entry of a list in every generation.
fn labelled(
    experiment: &Experiment,
    heading: &str,
    entries: &[(usize, String)],
    list: impl Fn(&Generation) -> Vec<f64>,
    (log, wide): (bool, bool),
    look: &Look,
) -> Option<Figure> {
    let mut lines = Vec::new();
    for (colour, (entry, name)) in entries.iter().enumerate() {
        let trace = middle_entry(experiment, look.against, *entry, &list);
        let tip = |i: usize| format!("{name}\ngeneration {}: {}", trace[i].generation, number(trace[i].y));
        let mut line = thick(name, &trace, colour, Stroke::Thick, tip);
        line.label = Some(name.clone());
        lines.push(line);
    }
    let (width, height) = look.size(if wide { WIDE } else { SIZE });
    let height = height.max(70.0 + 14.0 * lines.len() as f64);
    chart(heading, lines, log, (width, height), look).map(|figure| figure.wide(wide))
}

fn chart(heading: &str, lines: Vec<Line>, log: bool, size: (f64, f64), look: &Look) -> Option<Figure> {
    let values = |value: fn(&(f64, f64)) -> f64| -> Vec<f64> {
        lines.iter().flat_map(|line| &line.points).map(value).collect()
    };
    let (xs, ys) = (values(|point| point.0), values(|point| point.1));
    if ys.is_empty() {
        return None;
    }
    let chart = Chart {
        title: heading.to_string(),
        x_label: look.against.name().to_string(),
        y_label: String::new(),
        x: look.x(&xs),
        y: look.y(&ys, log),
        bands: Vec::new(),
        lines,
        size,
    };
    Some(Figure::one(heading, &chart))
}

/// The weights of unit length, one line each.
pub fn weights(experiment: &Experiment, heading: &str, wide: bool, look: &Look) -> Option<Figure> {
    let entries: Vec<_> =
        shown_parameters(experiment).into_iter().map(|(i, name)| (i, name.to_string())).collect();
    // Weights are of both signs.
    let look = Look { log: None, ..*look };
    labelled(experiment, heading, &entries, direction, (false, wide), &look)
}

/// Step size, axes and deviations: what there is of them.
pub fn spread(experiment: &Experiment, label: &str, colour: usize, look: &Look) -> Vec<Figure> {
    let mut figures = Vec::new();
    let steps = traces(experiment, look.against, |generation| generation.standing.step);
    if steps.iter().any(|trace| !trace.is_empty()) {
        let mut lines = Vec::new();
        of_runs(&mut lines, (experiment, label, colour), "step size", &steps, Stroke::Thick);
        figures.extend(chart("Step size", lines, true, look.size(SIZE), look));
    }
    let all = || experiment.begun().flat_map(|run| &run.generations);
    let axes = all().map(|generation| generation.standing.axes.len()).max().unwrap_or(0);
    if axes > 0 {
        // The shortest, the longest and some between.
        let few = super::plot::thinned(&(0..axes).collect::<Vec<_>>(), MOST_LINES);
        let entries: Vec<_> = few.into_iter().map(|i| (i, format!("{}", i + 1))).collect();
        let list = |generation: &Generation| generation.standing.axes.clone();
        let heading = "Lengths of the axes (roots of the eigenvalues)";
        figures.extend(labelled(experiment, heading, &entries, list, (true, false), look));
    }
    let deviations = all().any(|generation| !generation.standing.deviations.is_empty());
    if deviations {
        let entries: Vec<_> =
            shown_parameters(experiment).into_iter().map(|(i, name)| (i, name.to_string())).collect();
        let list = |generation: &Generation| generation.standing.deviations.clone();
        // Beside a step size and axes the third would stand alone in its row.
        let wide = figures.len() != 1;
        let heading = "Standard deviation of each parameter";
        figures.extend(labelled(experiment, heading, &entries, list, (true, wide), look));
    }
    figures
}

/// How near a function comes to the expert that it imitates, before the fit of every round and after it.
pub fn imitation(experiment: &Experiment, label: &str, colour: usize, look: &Look) -> Vec<Figure> {
    type Pair = fn(&ImitationLine) -> [f64; 2];
    let measures: [(&str, Pair); 3] = [
        ("Share of boards on which both choose the same", |line| {
            [line.agreement[0].mean, line.agreement[1].mean]
        }),
        ("What the expert thinks is lost by a choice", |line| [line.regret[0].mean, line.regret[1].mean]),
        ("Loss", |line| line.loss),
    ];
    let figure = |(heading, pair): (&str, Pair)| {
        let mut lines = Vec::new();
        for (i, what, stroke) in [(0, "before", Stroke::Dashed), (1, "after", Stroke::Thick)] {
            let all = traces(experiment, look.against, |line| Some(pair(line.imitation.as_ref()?)[i]));
            of_runs(&mut lines, (experiment, label, colour), what, &all, stroke);
        }
        let keys = [Key::dashed(colour, "before the fit"), Key::line(colour, "after it")];
        Some(chart(heading, lines, false, look.size(SIZE), look)?.keys(keys.to_vec()))
    };
    measures.into_iter().filter_map(figure).collect()
}

/// The share of the games that racing used; `alone` if no other experiment is on the page.
pub fn effort(experiments: &[(usize, &str, &Experiment)], alone: bool, look: &Look) -> Option<Figure> {
    let (mut lines, mut keys) = (Vec::new(), Vec::new());
    for &(colour, label, experiment) in experiments {
        let percent = |generation: &Generation| share_of_games(generation).map(|share| 100.0 * share);
        let all: Vec<Trace> = experiment.begun().map(|run| trace(run, look.against, percent)).collect();
        of_runs(&mut lines, (experiment, label, colour), "% of the games:", &all, Stroke::Thick);
        if !alone {
            keys.push(Key::line(colour, label));
        } else if all.len() > 1 {
            keys.extend([Key::line(colour, "median"), Key::thin(colour, "the runs")]);
        }
    }
    lines.sort_by_key(|line| line.stroke != Stroke::Thin);
    let xs: Vec<f64> = lines.iter().flat_map(|line| &line.points).map(|point| point.0).collect();
    let ys: Vec<f64> = lines.iter().flat_map(|line| &line.points).map(|point| point.1).collect();
    if xs.is_empty() {
        return None;
    }
    let chart = Chart {
        title: "games used by racing".into(),
        x_label: look.against.name().into(),
        y_label: "% of the games without racing".into(),
        x: look.x(&xs),
        y: Axis::round(&[&ys[..], &[0.0, 100.0]].concat()),
        bands: Vec::new(),
        lines,
        size: look.size((WIDE.0, 300.0)),
    };
    Some(Figure::one("Games used in each generation", &chart).keys(keys).wide(true))
}
