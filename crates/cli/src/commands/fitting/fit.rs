//! `evalforge fit`: a model fitted to the labelled positions of a file.

use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Arg, ArgAction, ArgMatches, Command};
use games::error::shown;
use play::evaluator::ModelFile;
use play::files::new_file;
use play::numbers::rough_duration as duration;
use play::threads::on_threads;
use play::{Job, PlayedGame};
use train::data::{Dataset, read_for};
use train::fit::fitting::{LOSSES, Limits, Loss, Method, OPTIMISERS, Trace};
use train::fit::models::{Form, MODELS};
use train::fit::{
    Balance, COLUMNS, Choice, FitError, Outcome, Plan, Prepared, Selection, Target, judge, prepare, train,
};

use super::fit_report::Report;
use crate::arguments::{for_games, json_arg, number, seed_arg, threads, threads_arg, whole_number};
use crate::commands::measuring::arena::run_for_two;
use crate::failure::{Interrupted, Usage};
use crate::terminal::{Status, interrupted};

pub fn arguments(command: Command) -> Command {
    let about = "Fit a model to the labelled positions of a file";
    let list = |all: Vec<String>| all.join("; ");
    let columns = list(COLUMNS.iter().map(|(name, what)| format!("{name}: {what}")).collect());
    let models = list(MODELS.iter().map(|model| format!("{}: {}", model.name, model.summary)).collect());
    let optimisers =
        list(OPTIMISERS.iter().map(|one| format!("{}: {}", one.entry.name, one.entry.summary)).collect());
    let losses = list(LOSSES.iter().map(|(entry, _)| format!("{}: {}", entry.name, entry.summary)).collect());
    let long = format!(
        "Reads what 'evalforge label' has written (for Push-over also a database as Müller 1992 prints it), fits a model to it \
         and says how good it is on games that it has not learned from. The model values the move that led to a position, for the \
         side that made it; every player notation takes its file.\n\n\
         Columns of --select: {columns}. Conditions as \"|e|>0.5\" or \"ply>=10 and first>0\".\n\n\
         Models: {models}.\n\nOptimisers: {optimisers}.\n\nLosses: {losses}."
    );
    let value = |name: &'static str, value_name: &'static str| {
        Arg::new(name).long(name).value_name(value_name).allow_hyphen_values(true)
    };
    let file = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("FILE").value_parser(clap::value_parser!(PathBuf)).help(help)
    };
    let command = command
        .about(about)
        .long_about(format!("{about}\n\n{long}"))
        .override_usage("evalforge fit <GAME> --data <FILE> [OPTIONS]")
        .after_help("'evalforge fit GAME --help' shows all options.");
    for_games(
        command,
        |game| game.sides.len() == 2,
        |command, _| {
            command
                .arg(file("data", "The labelled positions").required(true))
                .arg(value("input", "FEATURES").default_value("board").help(
                    "What the model looks at: 'board', or sets and features that 'evalforge list features' names",
                ))
                .arg(value("model", "MODEL").default_value("logistic").value_parser(model).help("The form of the model"))
                .arg(
                    value("with", "OPTIMISER")
                        .default_value("lbfgs")
                        .value_parser(|text: &str| Method::parse(text).map_err(|error| error.to_string()))
                        .help("The optimiser, as bfgs or adam(rate=0.01, batch=128)"),
                )
                .arg(value("loss", "LOSS").value_parser(loss).help(
                    "What is to be small [default: cross-entropy for logistic and mlp, squared for the others]",
                ))
                .arg(
                    value("target", "TARGET")
                        .default_value("label")
                        .value_parser(str::parse::<Target>)
                        .help("What the value should come to: the label, or only its sign: won or lost"),
                )
                .arg(value("select", "CONDITION").value_parser(str::parse::<Selection>).help(
                    "Take only positions for which this holds, as \"|e|>0.5\"",
                ))
                .arg(
                    value("balance", "WHAT")
                        .default_value("none")
                        .value_parser(str::parse::<Balance>)
                        .help("Learn from equally many: sign: won and lost; side: good for the first and for the second side"),
                )
                .arg(
                    value("positions", "N")
                        .value_parser(whole_number(1..=1_000_000_000usize))
                        .help("Learn from at most this many positions, drawn by lot"),
                )
                .arg(
                    value("validation", "SHARE")
                        .default_value("20%")
                        .value_parser(share)
                        .help("The share of the games that is not learned from"),
                )
                .arg(
                    value("iterations", "N")
                        .value_parser(whole_number(1..=1_000_000usize))
                        .help("At most this many [default: what suits the optimiser]"),
                )
                .arg(
                    value("patience", "N")
                        .default_value("20")
                        .value_parser(whole_number(1..=1_000_000usize))
                        .help("Stop after this many iterations without a smaller validation loss"),
                )
                .arg(
                    value("decay", "X")
                        .default_value("0")
                        .value_parser(number(0.0..=1e3))
                        .help("Add half of this times the sum of the squared parameters to the loss"),
                )
                .arg(
                    value("starts", "N")
                        .default_value("1")
                        .value_parser(whole_number(1..=10_000usize))
                        .help("Fit from this many random starts and keep the best"),
                )
                .arg(
                    Arg::new("raw")
                        .long("raw")
                        .action(ArgAction::SetTrue)
                        .help("Fit features as they are, not moved and stretched to mean 0 and spread 1"),
                )
                .arg(file("out", "Write the model to this file"))
                .arg(file("report", "Write a page with loss curves, calibration and confusion to this file"))
                .arg(seed_arg())
                .arg(threads_arg())
                .arg(json_arg())
        },
    )
}

fn model(text: &str) -> Result<Form, String> {
    Form::parse(text).ok_or_else(|| {
        let known: Vec<&str> = MODELS.iter().map(|model| model.name).collect();
        format!("unknown model {}; known: {}", shown(text), known.join(", "))
    })
}

fn loss(text: &str) -> Result<Loss, String> {
    Loss::parse(text).ok_or_else(|| {
        let known: Vec<&str> = LOSSES.iter().map(|(entry, _)| entry.name).collect();
        format!("unknown loss {}; known: {}", shown(text), known.join(", "))
    })
}

/// A share as `20%` or `0.2`.
fn share(text: &str) -> Result<f64, String> {
    let (digits, unit) = text.strip_suffix('%').map_or((text, 1.0), |digits| (digits, 100.0));
    let share = digits.trim().parse::<f64>().ok().map(|number| number / unit);
    share.filter(|share| (0.0..=0.9).contains(share)).ok_or_else(|| "allowed: from 0 to 90%".to_string())
}

pub fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    run_for_two(matches, Fit)
}

struct Fit(ArgMatches);

impl Job for Fit {
    type Output = anyhow::Result<()>;

    fn run<G: PlayedGame>(self) -> anyhow::Result<()> {
        let matches = &self.0;
        if let Some(name) = given_rules::<G>(matches) {
            return Err(Usage(format!("--{name}: the rules are those of the data; leave it out")).into());
        }
        let input: &String = matches.get_one("input").expect("has a default");
        let (choice, plan) = (choice(matches), plan(matches));
        let path: &PathBuf = matches.get_one("data").expect("is required");
        for name in ["out", "report"] {
            if let Some(file) = matches.get_one::<PathBuf>(name) {
                new_file::check(file).map_err(|error| refused(name, file, &error))?;
            }
        }
        let data = read_for(G::NAME, path).map_err(|error| Usage(format!("--data: {error}")))?;
        let threads = threads(matches);
        let begun = Instant::now();
        let prepared =
            on_threads(threads, || prepare::<G>(&data, input, &choice))?.map_err(|error| named(&error))?;
        let outcome = on_threads(threads, || fitted(&plan, &prepared))?.map_err(|error| named(&error))?;
        let file = model_file::<G>(&data, input, &plan, &prepared, &outcome);
        if let Some(out) = matches.get_one::<PathBuf>("out") {
            new_file::write(out, file.text().as_bytes()).map_err(|error| refused("out", out, &error))?;
        }
        let model = plan.form.build(prepared.names.len(), outcome.parameters.clone());
        let held_out = !prepared.validation.is_empty();
        let (examples, games) = if held_out {
            (&prepared.validation, &prepared.validation_games)
        } else {
            (&prepared.training, &prepared.training_games)
        };
        let judged = judge(&*model, plan.loss, examples, games).expect("there are examples");
        let report = Report {
            game: G::NAME,
            data: path,
            input,
            plan: &plan,
            prepared: &prepared,
            outcome: &outcome,
            judged: &judged,
            held_out,
            seconds: begun.elapsed().as_secs_f64(),
            threads,
            out: matches.get_one::<PathBuf>("out").map(PathBuf::as_path),
        };
        if let Some(page) = matches.get_one::<PathBuf>("report") {
            new_file::write(page, report.page().as_bytes())
                .map_err(|error| refused("report", page, &error))?;
        }
        let text = if matches.get_flag("json") { report.json() } else { report.text() };
        writeln!(stdout(), "{text}")?;
        if outcome.broken_off() {
            return Err(Interrupted("; the best so far is kept".into()).into());
        }
        Ok(())
    }
}

/// The options of the rules are known to every command; here they come from the data.
fn given_rules<G: PlayedGame>(matches: &ArgMatches) -> Option<&'static str> {
    let names = <G::Rules as games::Rules>::OPTIONS.iter().map(|option| option.name);
    names.into_iter().find(|name| matches.get_one::<String>(name).is_some())
}

fn refused(name: &str, path: &Path, error: &dyn std::fmt::Display) -> Usage {
    Usage(format!("--{name} {}: {error}", shown(&path.display().to_string())))
}

/// Errors that name the option they come from.
fn named(error: &FitError) -> Usage {
    Usage(match error {
        FitError::Data(_) | FitError::Position { .. } => format!("--data: {error}"),
        FitError::Features(_) => format!("--input: {error}"),
        FitError::TooLarge { .. } => format!("--with: {error}"),
        FitError::TooManyParameters(_) => format!("--model: {error}"),
        FitError::Empty(_) => error.to_string(),
    })
}

fn choice(matches: &ArgMatches) -> Choice {
    Choice {
        select: matches.get_one::<Selection>("select").cloned().unwrap_or_default(),
        balance: *matches.get_one("balance").expect("has a default"),
        positions: matches.get_one("positions").copied(),
        validation: *matches.get_one("validation").expect("has a default"),
        target: *matches.get_one("target").expect("has a default"),
        seed: *matches.get_one("seed").expect("has a default"),
    }
}

fn plan(matches: &ArgMatches) -> Plan {
    let form: Form = matches.get_one::<Form>("model").expect("has a default").clone();
    let method: Method = matches.get_one::<Method>("with").expect("has a default").clone();
    let usual =
        if matches!(form, Form::Logistic | Form::Mlp(_)) { Loss::CrossEntropy } else { Loss::Squared };
    let iterations = matches.get_one("iterations").copied().unwrap_or(method.listed().iterations);
    Plan {
        loss: matches.get_one("loss").copied().unwrap_or(usual),
        decay: *matches.get_one("decay").expect("has a default"),
        limits: Limits {
            iterations,
            patience: *matches.get_one("patience").expect("has a default"),
            gradient: 1e-7,
        },
        starts: *matches.get_one("starts").expect("has a default"),
        raw: matches.get_flag("raw"),
        seed: *matches.get_one("seed").expect("has a default"),
        form,
        method,
    }
}

/// Fits with a status line.
fn fitted(plan: &Plan, prepared: &Prepared) -> Result<Outcome, FitError> {
    let (status, begun) = (Status::new(), Instant::now());
    let mut watch = |start: usize, trace: &Trace| {
        status.show(&progress(plan, start, trace, begun.elapsed().as_secs_f64()));
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let outcome = train(plan, prepared, &mut watch);
    status.clear();
    outcome
}

/// One line: where the fit is, and how long it may still take.
fn progress(plan: &Plan, start: usize, trace: &Trace, elapsed: f64) -> String {
    let Trace { iteration, training, validation } = *trace;
    let all = plan.limits.iterations;
    let mut text = format!("iteration {iteration}/{all}, training {training:.5}");
    if let Some(validation) = validation {
        text.push_str(&format!(", validation {validation:.5}"));
    }
    if plan.starts > 1 {
        text = format!("start {}/{}, {text}", start + 1, plan.starts);
    }
    let done = (start * all + iteration) as f64;
    let left = elapsed / done * ((plan.starts * all) as f64 - done);
    text + &format!(", at most {} to go", duration(left))
}

fn model_file<G: PlayedGame>(
    data: &Dataset,
    input: &str,
    plan: &Plan,
    prepared: &Prepared,
    outcome: &Outcome,
) -> ModelFile {
    let best = outcome.fitted().best;
    let judged = match best.validation {
        Some(loss) => format!("validation loss {loss:.5} on {} positions", prepared.validation.len()),
        None => format!("training loss {:.5}, no validation", best.training),
    };
    let players = data.header.players.join(" and ");
    let about = format!(
        "Fitted to {} positions of {} games{} labelled by {}, {} with {}; {judged}.",
        prepared.training.len(),
        prepared.games(),
        if players.is_empty() { String::new() } else { format!(" of {players}") },
        data.header.label,
        plan.loss.name(),
        plan.method.text(),
    );
    let names = plan.form.parameter_names(&prepared.names);
    let parameters = names.into_iter().zip(outcome.parameters.iter().copied()).collect();
    ModelFile::new(G::NAME, input, &plan.form, parameters, about)
}
