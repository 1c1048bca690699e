//! `evalforge regress`: tables of patterns, or sums of criteria, fitted to the final differences of recorded games.

use std::io::{self, Write, stdout};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Arg, ArgAction, ArgMatches, Command};
use games::Game;
use games::error::shown;
use games::othello::patterns::{PatternSet, SHIPPED};
use games::othello::{Othello, Phases};
use games::rules::Fixed;
use play::evaluator::ModelFile;
use play::files::new_file;
use play::names::UnknownName;
use play::patterns::{ENDING, Form, TableModel};
use play::solve::Progress;
use play::threads::on_threads;
use train::regress::criteria::{Sums, SumsError};
use train::regress::metrics::{Judged, judge};
use train::regress::patterns::{Fitted, RegressError, Settings, regress};
use train::regress::positions::Example;
use train::regress::read::{HeldOut, PositionsError, Split, Wanted, read};

use super::regress_report::Report;
use crate::arguments::{for_games, json_arg, number, seed_arg, threads, threads_arg, whole_number};
use crate::commands::solve::watched;
use crate::failure::{Interrupted, Usage};

pub fn arguments(command: Command) -> Command {
    let about = "Fit tables of patterns, or sums of criteria, to the results of recorded games of Othello";
    let long = "Reads games (WTHOR or GGF files, folders of them, or what 'evalforge label --label difference/64' has written) and fits, for each phase of the game by itself, what a position is worth for \
        the side to move: the final difference of discs by least squares ('linear'), or the logarithm of the odds of winning \
        ('logistic'). Then it says how far off that is on games that it has not learned from, with 95 % intervals in which a game counts \
        once.\n\n\
        --patterns takes 'logistello', 'edax', or a text file: a line a pattern, 'name: a1 b1 c1', images on the board are \
        understood; lines 'mobility', 'potential-mobility', 'parity', 'constant' add tables over counts. --features fits a weighted sum of \
        features that 'evalforge list features' names instead.\n\n\
        A player takes the file that is written: alphabeta(depth=4, eval=FILE.tables), or FILE.json of criteria.";
    let value = |name: &'static str, value_name: &'static str| {
        Arg::new(name).long(name).value_name(value_name).allow_hyphen_values(true)
    };
    let command = command
        .about(about)
        .long_about(format!("{about}\n\n{long}"))
        .override_usage("evalforge regress othello --data <PATH>... [OPTIONS]")
        .after_help("'evalforge regress othello --help' shows all options.");
    for_games(
        command,
        |game| game.name == Othello::NAME,
        |command, _| {
            command
                .arg(
                    value("data", "PATH")
                        .required(true)
                        .action(ArgAction::Append)
                        .value_parser(clap::value_parser!(PathBuf))
                        .help("A file of games (.wtb, .ggf), a folder of them, or positions that 'evalforge label --label difference/64' has written; may be given again"),
                )
                .arg(value("patterns", "SET").help("The patterns: logistello, edax or a text file [default: logistello]"))
                .arg(value("features", "FEATURES").conflicts_with("patterns").help("A weighted sum of these features instead, as criteria,constant"))
                .arg(value("degree", "D").requires("features").value_parser(whole_number(1..=3usize)).help("With --features: products of up to so many of them too, the form polynomial(D) [default: 1]"))
                .arg(value("phases", "N").default_value("15").value_parser(phases).help("Phases with weights of their own: N equal parts, or the numbers of discs at which they begin, as 20,40; with ',interpolated' at the end weights change gradually between their middles"))
                .arg(value("discs", "A-B").default_value("4-64").value_parser(discs).help("Learn from and test on positions with so many discs only"))
                .arg(value("form", "FORM").default_value("linear").value_parser(form).help("What a value means: linear or logistic"))
                .arg(value("l2", "X").default_value("1").value_parser(number(0.0..=1e9)).help("Each weight counts as if so many positions said that it is 0"))
                .arg(value("min-count", "N").value_parser(number(0.0..=1e9)).help("Entries seen less often stay 0 [default: 3]"))
                .arg(value("smooth", "X").value_parser(number(0.0..=1.0)).help("Positions of the neighbouring phases count so much [default: 0]"))
                .arg(value("iterations", "N").value_parser(whole_number(1..=10_000usize)).help("At most so many steps of conjugate gradients a phase, for logistic in each of six steps of Newton [default: 30]"))
                .arg(value("test-from", "YEAR").value_parser(whole_number(1..=9999u16)).conflicts_with("validation").help("Test on games of this year and later, learn from the others"))
                .arg(value("validation", "SHARE").default_value("0.1").value_parser(number(0.001..=0.9)).help("Without --test-from: test on this share of the games, by lot"))
                .arg(value("memory", "MB").default_value("2048").value_parser(whole_number(0..=1_000_000usize)).help("Positions that would take more megabytes of memory are kept in files in the system's temporary folder and read again in every pass; what is left is for what positions show of the tables, which is looked up in every pass where it does not suffice; the result is the same"))
                .arg(value("out", "FILE").value_parser(clap::value_parser!(PathBuf)).help(format!("Write the function to this file: NAME{ENDING} for patterns, NAME.json for features")))
                .arg(seed_arg())
                .arg(threads_arg())
                .arg(json_arg())
        },
    )
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

pub fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    let (name, matches) = matches.subcommand().expect("a game is required");
    if name != Othello::NAME {
        return Err(UnknownName::new("game for regress", name, [Othello::NAME]).into());
    }
    let phases: &Phases = matches.get_one("phases").expect("has a default");
    let settings = settings(matches, phases)?;
    let what = what(matches)?;
    let out = matches.get_one::<PathBuf>("out").map(PathBuf::as_path);
    if let Some(path) = out {
        check_out(path, &what)?;
    }
    let paths: Vec<PathBuf> = matches.get_many("data").expect("is required").cloned().collect();
    let held_out = match matches.get_one::<u16>("test-from") {
        Some(&year) => HeldOut::From(year),
        None => HeldOut::Share(
            *matches.get_one("validation").expect("has a default"),
            *matches.get_one("seed").expect("has a default"),
        ),
    };
    let discs = *matches.get_one("discs").expect("has a default");
    let threads = threads(matches);
    let begun = Instant::now();
    let megabytes: usize = *matches.get_one("memory").expect("has a default");
    let wanted = Wanted { discs, held_out, room: (megabytes << 20) / size_of::<Example>() };
    let split = watched("reading games", |watch| on_threads(threads, || read(&paths, wanted, watch)))?;
    let split = split.map_err(|error| match error {
        PositionsError::BrokenOff => anyhow::Error::from(Interrupted("; nothing is fitted".into())),
        PositionsError::Empty(_) if matches.contains_id("test-from") => {
            Usage(format!("--test-from: {error}")).into()
        }
        PositionsError::Kept(_) => error.into(),
        error => Usage(format!("--data: {error}")).into(),
    })?;
    let reading = begun.elapsed().as_secs_f64();
    // What the positions do not take.
    let memory = (megabytes << 20).saturating_sub(split.training.bytes() + split.held_out.bytes());
    let settings = Settings { memory, ..settings };
    let begun = Instant::now();
    let found =
        watched("fitting", |watch| on_threads(threads, || fit(&what, phases, &split, &settings, watch)))??;
    let seconds = begun.elapsed().as_secs_f64();
    let judged = on_threads(threads, || judged(&found, &split, phases, settings.form))??;
    if let Some(path) = out {
        save(path, &found, about(&split, &what, &settings))
            .map_err(|error| Usage(format!("--out: {error}")))?;
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
    let text = if matches.get_flag("json") { format!("{:#}\n", report.json()) } else { report.text() };
    write!(stdout(), "{text}")?;
    Ok(())
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

/// Options that only tables have are refused beside features, not ignored.
fn settings(matches: &ArgMatches, phases: &Phases) -> anyhow::Result<Settings> {
    let usual = Settings::default();
    let form: Form = *matches.get_one("form").expect("has a default");
    if matches.contains_id("features") {
        for name in ["min-count", "smooth", "iterations"] {
            if matches.contains_id(name) {
                return Err(Usage(format!(
                    "--{name}: it is for --patterns; sums of features are solved at once"
                ))
                .into());
            }
        }
        if form != Form::Linear {
            return Err(Usage(
                "--form logistic: it is for --patterns; 'evalforge fit' fits logistic sums of features"
                    .into(),
            )
            .into());
        }
    }
    if matches.contains_id("smooth") && phases.is_interpolated() {
        let reason = "interpolated phases share their positions already; allowed: one of the two";
        return Err(Usage(format!("--smooth: {reason}")).into());
    }
    let number = |name: &str, usual: f64| matches.get_one(name).copied().unwrap_or(usual);
    Ok(Settings {
        form,
        l2: number("l2", usual.l2),
        min_count: number("min-count", usual.min_count),
        smooth: number("smooth", usual.smooth),
        iterations: matches.get_one("iterations").copied().unwrap_or(usual.iterations),
        ..usual
    })
}

fn what(matches: &ArgMatches) -> anyhow::Result<What> {
    if let Some(names) = matches.get_one::<String>("features") {
        // Before any game is read.
        Othello::features(&Fixed, names).map_err(|error| Usage(format!("--features: {error}")))?;
        return Ok(What::Features(names.clone(), matches.get_one("degree").copied().unwrap_or(1)));
    }
    let name = matches.get_one::<String>("patterns").map_or("logistello", String::as_str);
    if let Some(set) = PatternSet::shipped(name) {
        return Ok(What::Patterns(name.to_string(), Box::new(set)));
    }
    let known: Vec<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
    let text = std::fs::read_to_string(name).map_err(|error| {
        Usage(format!("--patterns {}: {error}; allowed: {} or a text file", shown(name), known.join(", ")))
    })?;
    let set =
        PatternSet::parse(&text).map_err(|error| Usage(format!("--patterns {}: {error}", shown(name))))?;
    Ok(What::Patterns(name.to_string(), Box::new(set)))
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
    new_file::check(path).map_err(|error| Usage(format!("--out {shown}: {error}")).into())
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
        Found::Tables(model, _) => model.save(path)?,
        Found::Sums(sums) => {
            let file = ModelFile::new(Othello::NAME, &sums.names, &sums.form(), sums.parameters(), about);
            new_file::write(path, file.text().as_bytes())?;
        }
    }
    Ok(())
}
