//! `evalforge fit tables othello`: tables of patterns, or sums of criteria, fitted to the final differences of recorded games.

use std::io::{self, Write, stdout};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use games::Game;
use games::error::shown;
use games::othello::patterns::{PatternSet, SHIPPED};
use games::othello::{Othello, Phases};
use games::rules::Fixed;
use play::evaluator::ModelFile;
use play::files::{TableError, new_file};
use play::patterns::{ENDING, Form, TableModel};
use play::solve::Progress;
use play::threads::on_threads;
use train::regress::criteria::{Sums, SumsError};
use train::regress::metrics::{Judged, judge};
use train::regress::patterns::{Fitted, RegressError, Settings, regress};
use train::regress::positions::Example;
use train::regress::read::{HeldOut, PositionsError, Split, Wanted, read};

use super::regress_report::Report;
use crate::arguments::{Force, Given, number, whole_number};
use crate::commands::regress::Regress;
use crate::failure::{Interrupted, Usage, unwritten};
use crate::outputs;
use crate::rooms::OwnCommand;
use crate::terminal::watched;

const LONG: &str = "reads games (WTHOR or GGF files, folders of them, or what 'evalforge label --label difference/64' has written) and fits, \
    for each phase of the game by itself, what a position is worth for the side to move: the final difference of discs by least \
    squares ('linear'), or the logarithm of the odds of winning ('logistic'). Then it says how far off that is on games that it has not \
    learned from, with 95 % intervals in which a game counts once.\n\n\
    --patterns takes 'logistello', 'edax', or a text file: a line a pattern, 'name: a1 b1 c1', images on the board are understood; \
    lines 'mobility', 'potential-mobility', 'parity', 'constant' add tables over counts. --features fits a weighted sum of features \
    that 'evalforge list features' names instead.\n\n\
    A player takes the file that is written: alphabeta(depth=4, eval=FILE.tables), or FILE.json of criteria.";

/// What only Othello has.
#[derive(Debug, Args)]
pub struct Tables {
    /// A file of games (.wtb, .ggf), a folder of them, or positions that 'evalforge label --label difference/64' has written; may be
    /// given again
    #[arg(long, value_name = "PATH", required = true)]
    data: Vec<PathBuf>,
    /// The patterns: logistello, edax or a text file [default: logistello]
    #[arg(long, value_name = "SET")]
    patterns: Option<String>,
    /// A weighted sum of these features instead, as criteria,constant
    #[arg(long, conflicts_with = "patterns")]
    features: Option<String>,
    /// With --features: products of up to so many of them too, the form polynomial(D) [default: 1]
    #[arg(long, value_name = "D", requires = "features", value_parser = whole_number(1..=3usize))]
    degree: Option<usize>,
    /// Phases with weights of their own: N equal parts, or the numbers of discs at which they begin, as 20,40; with ',interpolated' at
    /// the end weights change gradually between their middles
    #[arg(long, value_name = "N", default_value = "15", value_parser = phases)]
    phases: Phases,
    /// Learn from and test on positions with so many discs only
    #[arg(long, value_name = "A-B", default_value = "4-64", value_parser = discs)]
    discs: (u32, u32),
    /// What a value means: linear or logistic
    #[arg(long, default_value = "linear", value_parser = form)]
    form: Form,
    /// Each weight counts as if so many positions said that it is 0
    #[arg(long, value_name = "X", default_value = "1", value_parser = number(0.0..=1e9))]
    l2: f64,
    /// Entries seen less often stay 0 [default: 3]
    #[arg(long, value_name = "N", value_parser = number(0.0..=1e9))]
    min_count: Option<f64>,
    /// Positions of the neighbouring phases count so much [default: 0]
    #[arg(long, value_name = "X", value_parser = number(0.0..=1.0))]
    smooth: Option<f64>,
    /// At most so many steps of conjugate gradients a phase, for logistic in each of six steps of Newton [default: 30]
    #[arg(long, value_name = "N", value_parser = whole_number(1..=10_000usize))]
    iterations: Option<usize>,
    /// Test on games of this year and later, learn from the others
    #[arg(long, value_name = "YEAR", value_parser = whole_number(1..=9999u16), conflicts_with = "validation")]
    test_from: Option<u16>,
    /// Without --test-from: test on this share of the games, by lot
    #[arg(long, value_name = "SHARE", default_value = "0.1", value_parser = number(0.001..=0.9))]
    validation: f64,
    /// Positions that would take more megabytes of memory are kept in files in the system's temporary folder and read again in every
    /// pass; what is left is for what positions show of the tables, which is looked up in every pass where it does not suffice; the
    /// result is the same
    #[arg(long, value_name = "MB", default_value = "2048", value_parser = whole_number(0..=1_000_000usize))]
    memory: usize,
    #[arg(
        long,
        value_name = "FILE",
        help = format!("Write the function to this file: NAME{ENDING} for patterns, NAME.json for features")
    )]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

fn phases(text: &str) -> Result<Phases, String> {
    Phases::parse(&format!("phases({text})")).map_err(|error| error.to_string())
}

fn form(text: &str) -> Result<Form, String> {
    let known = Form::ALL.map(Form::name);
    let found = Form::ALL.into_iter().find(|form| form.name() == text);
    found.ok_or_else(|| format!("unknown form {}; known: {}", shown(text), known.join(", ")))
}

/// The fewest and the most discs.
fn discs(text: &str) -> Result<(u32, u32), String> {
    let both = text
        .split_once('-')
        .and_then(|(fewest, most)| Some((fewest.trim().parse().ok()?, most.trim().parse().ok()?)));
    let both = both.filter(|(fewest, most)| 4 <= *fewest && fewest <= most && *most <= 64);
    both.ok_or_else(|| "allowed: two numbers from 4 to 64, as 22-64".to_string())
}

/// What is fitted.
enum What {
    Patterns(String, Box<PatternSet>),
    Features(String, usize),
}

/// What came of it.
enum Found {
    Tables(TableModel, Vec<Fitted>),
    Sums(Sums),
}

impl OwnCommand for Tables {
    const LONG: &'static str = LONG;

    fn run(self, given: &Given) -> anyhow::Result<()> {
        let Regress { common } = given.also()?;
        let phases = &self.phases;
        let settings = self.settings()?;
        let what = self.what()?;
        let out = self.out.as_deref();
        if let Some(path) = out {
            check_out(path, &what)?;
            self.force.check(path)?;
        }
        let threads = common.threads();
        let begun = Instant::now();
        let split = self.read(threads, common.seed())?;
        let reading = begun.elapsed().as_secs_f64();
        // What the positions do not take.
        let memory = (self.memory << 20).saturating_sub(split.training.bytes() + split.held_out.bytes());
        let settings = Settings { memory, ..settings };
        let begun = Instant::now();
        let found = watched("fitting", |watch| {
            on_threads(threads, || fit(&what, phases, &split, &settings, watch))
        })??;
        let seconds = begun.elapsed().as_secs_f64();
        let judged = on_threads(threads, || judged(&found, &split, phases, settings.form))??;
        if let Some(path) = out {
            save(path, &found, about(&split, &what, &settings))?;
        }
        let fitted = if let Found::Tables(_, fitted) = &found { &fitted[..] } else { &[] };
        let named = match &what {
            What::Patterns(name, _) => format!("patterns {name}"),
            What::Features(names, 1) => format!("features {names}"),
            What::Features(names, degree) => format!("features {names}, degree {degree}"),
        };
        let report = Report {
            named,
            phases,
            settings: &settings,
            split: &split,
            judged: &judged,
            fitted,
            seconds,
            reading,
            threads,
            out,
        };
        match common.json {
            true => outputs::print(&report.output())?,
            false => write!(stdout(), "{}", report.text())?,
        }
        Ok(())
    }
}

impl Tables {
    fn read(&self, threads: usize, seed: u64) -> anyhow::Result<Split> {
        let held_out = match self.test_from {
            Some(year) => HeldOut::From(year),
            None => HeldOut::Share(self.validation, seed),
        };
        let room = (self.memory << 20) / size_of::<Example>();
        let wanted = Wanted { discs: self.discs, held_out, room };
        let split =
            watched("reading games", |watch| on_threads(threads, || read(&self.data, wanted, watch)))?;
        split.map_err(|error| match error {
            PositionsError::BrokenOff => anyhow::Error::from(Interrupted("; nothing is fitted".into())),
            PositionsError::Empty(_) if self.test_from.is_some() => {
                Usage(format!("--test-from: {error}")).into()
            }
            PositionsError::Kept(_) => error.into(),
            error => Usage(format!("--data: {error}")).into(),
        })
    }

    /// Options that only tables have are refused beside features, not ignored.
    fn settings(&self) -> anyhow::Result<Settings> {
        let usual = Settings::default();
        let Self { form, l2, min_count, smooth, iterations, .. } = *self;
        if self.features.is_some() {
            let given = [
                ("min-count", min_count.is_some()),
                ("smooth", smooth.is_some()),
                ("iterations", iterations.is_some()),
            ];
            if let Some((name, _)) = given.into_iter().find(|(_, given)| *given) {
                let reason = "it is for --patterns; sums of features are solved at once";
                return Err(Usage(format!("--{name}: {reason}")).into());
            }
            if form != Form::Linear {
                let reason = "it is for --patterns; 'evalforge fit' fits logistic sums of features";
                return Err(Usage(format!("--form logistic: {reason}")).into());
            }
        }
        if smooth.is_some() && self.phases.is_interpolated() {
            let reason = "interpolated phases share their positions already; allowed: one of the two";
            return Err(Usage(format!("--smooth: {reason}")).into());
        }
        Ok(Settings {
            form,
            l2,
            min_count: min_count.unwrap_or(usual.min_count),
            smooth: smooth.unwrap_or(usual.smooth),
            iterations: iterations.unwrap_or(usual.iterations),
            ..usual
        })
    }

    fn what(&self) -> anyhow::Result<What> {
        if let Some(names) = &self.features {
            // Before any game is read.
            Othello::features(&Fixed, names).map_err(|error| Usage(format!("--features: {error}")))?;
            return Ok(What::Features(names.clone(), self.degree.unwrap_or(1)));
        }
        let name = self.patterns.as_deref().unwrap_or("logistello");
        if let Some(set) = PatternSet::shipped(name) {
            return Ok(What::Patterns(name.to_string(), Box::new(set)));
        }
        let known: Vec<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
        let refused = |reason: String| Usage(format!("--patterns {}: {reason}", shown(name)));
        let text = play::files::read_text(Path::new(name), play::files::MOST_TEXT)
            .map_err(|error| refused(format!("{error}; allowed: {} or a text file", known.join(", "))))?;
        let set = PatternSet::parse(&text).map_err(|error| refused(error.to_string()))?;
        Ok(What::Patterns(name.to_string(), Box::new(set)))
    }
}

fn fit(
    what: &What,
    phases: &Phases,
    split: &Split,
    settings: &Settings,
    watch: Progress<'_>,
) -> anyhow::Result<Found> {
    match what {
        What::Patterns(_, set) => {
            let fitted =
                regress(set, phases, &split.training, settings, watch).map_err(|error| match error {
                    RegressError::BrokenOff => Interrupted("; nothing is fitted".into()).into(),
                    error => anyhow::Error::from(error),
                })?;
            let weights: Vec<Vec<f64>> = fitted.iter().map(|one| one.weights.clone()).collect();
            let (set, about) = ((**set).clone(), about(split, what, settings));
            let model = TableModel::new(set, phases.clone(), settings.form, &weights, &about);
            Ok(Found::Tables(model, fitted))
        }
        What::Features(names, degree) => {
            let sums = Sums::fit(names, *degree, phases.clone(), &split.training, settings.l2);
            Ok(Found::Sums(sums.map_err(|error| match error {
                SumsError::File(_) => anyhow::Error::from(error),
                error => Usage(format!("--features: {error}")).into(),
            })?))
        }
    }
}

fn check_out(path: &Path, what: &What) -> anyhow::Result<()> {
    let ending = if matches!(what, What::Patterns(..)) { ENDING } else { ".json" };
    let shown = shown(&path.display().to_string());
    if !path.to_string_lossy().ends_with(ending) {
        return Err(Usage(format!(
            "--out {shown}: the name has to end with {ending}, by which players know it"
        ))
        .into());
    }
    Ok(())
}

fn judged(found: &Found, split: &Split, phases: &Phases, form: Form) -> io::Result<Judged> {
    let judged = match found {
        Found::Tables(model, _) => {
            judge(&split.held_out, phases, form, &|one| model.fresh_value(one.own, one.other))
        }
        Found::Sums(sums) => judge(&split.held_out, phases, form, &|one| sums.value(one)),
    };
    judged.map(|judged| judged.expect("there are positions to test on"))
}

fn about(split: &Split, what: &What, settings: &Settings) -> String {
    let kind = match what {
        What::Patterns(..) => format!("tables, {}", settings.form.name()),
        What::Features(..) => "least squares".to_string(),
    };
    format!(
        "Fitted to {} positions of {} games: {kind}, l2 {}.",
        split.training.count(),
        split.games[0],
        settings.l2
    )
}

fn save(path: &Path, found: &Found, about: String) -> anyhow::Result<()> {
    match found {
        Found::Tables(model, _) => model.save(path).map_err(|error| match error {
            TableError::File { cause, .. } => unwritten("--out", path, &cause),
            error => error.into(),
        })?,
        Found::Sums(sums) => {
            let file = ModelFile::new(Othello::NAME, &sums.names, &sums.form(), sums.parameters(), about);
            new_file::write(path, file.text().as_bytes())
                .map_err(|error| unwritten("--out", path, &error))?;
        }
    }
    Ok(())
}
