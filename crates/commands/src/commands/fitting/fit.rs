//! `evalforge fit`: a model fitted to the labelled positions of a file.

use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use games::error::shown;
use play::evaluator::ModelFile;
use play::files::new_file;
use play::numbers::rough_duration as duration;
use play::threads::on_threads;
use train::data::{Dataset, read_for};
use train::fit::fitting::{LOSSES, Limits, Loss, Method, OPTIMISERS, Trace};
use train::fit::models::{Form, MODELS};
use train::fit::{
    Balance, COLUMNS, Choice, FitError, Outcome, Plan, Prepared, Selection, Target, judge, prepare, train,
};

use super::fit_report::Report;
use crate::arguments::{Common, For, Force, Given, OnGame, number, whole_number};
use crate::failure::{Interrupted, Usage, unwritten};
use crate::rooms::CliGame;
use crate::terminal::{Status, at_once, interrupted};

/// Fit a model to the labelled positions of a file
#[derive(Debug, Args)]
#[command(long_about = long_about())]
pub struct Fit {
    /// The labelled positions
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// What the model looks at: 'board', or sets and features that 'evalforge list features' names
    #[arg(long = "features", alias = "input", value_name = "NAMES", default_value = "board")]
    input: String,
    /// The form of the model
    #[arg(long = "form", alias = "model", value_name = "FORM", default_value = "logistic", value_parser = model)]
    model: Form,
    /// The optimiser, as bfgs or adam(rate=0.01, batch=128)
    #[arg(long, value_name = "OPTIMISER", default_value = "lbfgs", value_parser = method)]
    with: Method,
    /// What is to be small [default: cross-entropy for logistic and mlp, squared for the others]
    #[arg(long, value_parser = loss)]
    loss: Option<Loss>,
    /// What the value should come to: the label, or only its sign: won or lost
    #[arg(long, default_value = "label", value_parser = str::parse::<Target>)]
    target: Target,
    /// Take only positions for which this holds, as "|e|>0.5"
    #[arg(long, value_name = "CONDITION", value_parser = str::parse::<Selection>, allow_hyphen_values = true)]
    select: Option<Selection>,
    /// Learn from equally many: sign: won and lost; side: good for the first and for the second side
    #[arg(long, value_name = "WHAT", default_value = "none", value_parser = str::parse::<Balance>)]
    balance: Balance,
    /// Learn from at most this many positions, drawn by lot
    #[arg(long = "most", alias = "positions", value_name = "N", value_parser = whole_number(1..=1_000_000_000usize))]
    positions: Option<usize>,
    /// The share of the games that is not learned from
    #[arg(long, value_name = "SHARE", default_value = "20%", value_parser = share)]
    validation: f64,
    /// At most this many [default: what suits the optimiser]
    #[arg(long, value_name = "N", value_parser = whole_number(1..=1_000_000usize))]
    iterations: Option<usize>,
    /// Stop after this many iterations without a smaller validation loss
    #[arg(long, value_name = "N", default_value = "20", value_parser = whole_number(1..=1_000_000usize))]
    patience: usize,
    /// Add half of this times the sum of the squared parameters to the loss
    #[arg(long, value_name = "X", default_value = "0", value_parser = number(0.0..=1e3))]
    decay: f64,
    /// Fit from this many random starts and keep the best
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number(1..=10_000usize))]
    starts: usize,
    /// Fit features as they are, not moved and stretched to mean 0 and spread 1
    #[arg(long)]
    raw: bool,
    /// Write the model to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Write a page with loss curves, calibration and confusion to this file
    #[arg(long = "html", alias = "report", value_name = "FILE")]
    page: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

fn long_about() -> String {
    let list = |all: Vec<String>| all.join("; ");
    let columns = list(COLUMNS.iter().map(|(name, what)| format!("{name}: {what}")).collect());
    let models = list(MODELS.iter().map(|model| format!("{}: {}", model.name, model.summary)).collect());
    let optimisers =
        list(OPTIMISERS.iter().map(|one| format!("{}: {}", one.entry.name, one.entry.summary)).collect());
    let losses = list(LOSSES.iter().map(|(entry, _)| format!("{}: {}", entry.name, entry.summary)).collect());
    format!(
        "Fit a model to the labelled positions of a file\n\n\
         Reads what 'evalforge label' has written (for Push-over also a database as Müller 1992 prints it), fits a model to it \
         and says how good it is on games that it has not learned from. The model values the move that led to a position, for the \
         side that made it; every player notation takes its file.\n\n\
         Columns of --select: {columns}. Conditions as \"|e|>0.5\" or \"ply>=10 and first>0\".\n\n\
         Forms: {models}.\n\nOptimisers: {optimisers}.\n\nLosses: {losses}."
    )
}

fn method(text: &str) -> Result<Method, String> {
    Method::parse(text).map_err(|error| error.to_string())
}

fn model(text: &str) -> Result<Form, String> {
    Form::parse(text).ok_or_else(|| {
        let known: Vec<&str> = MODELS.iter().map(|model| model.name).collect();
        format!("unknown form {}; known: {}", shown(text), known.join(", "))
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

impl OnGame for Fit {
    const FOR: For = For::Two;
    const USAGE: Option<&'static str> = Some(
        "evalforge fit <GAME> --data <FILE> [OPTIONS]\n       evalforge fit tables <GAME> --data <PATH>... [OPTIONS]\n       \
         evalforge fit export <MODEL> --to <PROGRAM> --out <FILE> [OPTIONS]",
    );
    const AFTER: &'static str = "'evalforge fit GAME --help' shows all options.";

    fn run<G: CliGame>(self, given: &Given) -> anyhow::Result<()> {
        // The options of the rules are known to every command; here they come from the data.
        if let Some(name) = given.any_rule::<G>() {
            return Err(Usage(format!("--{name}: the rules are those of the data; leave it out")).into());
        }
        let (choice, plan) = (self.choice(), self.plan());
        if let Some(file) = &self.out {
            self.force.check(file)?;
        }
        if let Some(file) = &self.page {
            new_file::check(file).map_err(|error| unwritten("--html", file, &error))?;
        }
        const NOTHING: &str = "; nothing is fitted yet";
        let read = || read_for::<G>(&self.data).map_err(|error| Usage(format!("--data: {error}")));
        let data = at_once(NOTHING, read)?;
        let threads = self.common.threads();
        let begun = Instant::now();
        let prepare = || on_threads(threads, || prepare::<G>(&data, &self.input, &choice));
        let prepared = at_once(NOTHING, prepare)?.map_err(|error| named(&error))?;
        let outcome = on_threads(threads, || fitted(&plan, &prepared))?.map_err(|error| named(&error))?;
        if outcome.broken_off() && outcome.fitted().best.training.is_nan() {
            return Err(Interrupted(NOTHING.into()).into());
        }
        let file = model_file(G::NAME, &data, &self.input, &plan, &prepared, &outcome);
        if let Some(out) = &self.out {
            new_file::write(out, file.text().as_bytes()).map_err(|error| unwritten("--out", out, &error))?;
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
            data: &self.data,
            input: &self.input,
            plan: &plan,
            prepared: &prepared,
            outcome: &outcome,
            judged: &judged,
            held_out,
            seconds: begun.elapsed().as_secs_f64(),
            threads,
            out: self.out.as_deref(),
        };
        if let Some(page) = &self.page {
            new_file::write(page, report.page().as_bytes())
                .map_err(|error| unwritten("--html", page, &error))?;
        }
        match self.common.json {
            true => report.json()?,
            false => writeln!(stdout(), "{}", report.text())?,
        }
        if outcome.broken_off() {
            return Err(Interrupted("; the best so far is kept".into()).into());
        }
        Ok(())
    }
}

impl Fit {
    fn choice(&self) -> Choice {
        Choice {
            select: self.select.clone().unwrap_or_default(),
            balance: self.balance,
            positions: self.positions,
            validation: self.validation,
            target: self.target,
            seed: self.common.seed(),
        }
    }

    fn plan(&self) -> Plan {
        let (form, method) = (self.model.clone(), self.with.clone());
        let usual =
            if matches!(form, Form::Logistic | Form::Mlp(_)) { Loss::CrossEntropy } else { Loss::Squared };
        let iterations = self.iterations.unwrap_or(method.listed().iterations);
        Plan {
            loss: self.loss.unwrap_or(usual),
            decay: self.decay,
            limits: Limits { iterations, patience: self.patience, gradient: 1e-7 },
            starts: self.starts,
            raw: self.raw,
            seed: self.common.seed(),
            form,
            method,
        }
    }
}

/// Errors that name the option they come from.
fn named(error: &FitError) -> Usage {
    Usage(match error {
        FitError::Data(_) | FitError::Position { .. } => format!("--data: {error}"),
        FitError::Features(_) => format!("--features: {error}"),
        FitError::TooLarge { .. } => format!("--with: {error}"),
        FitError::TooManyParameters(_) => format!("--form: {error}"),
        FitError::Empty(_) => error.to_string(),
    })
}

/// Fits with a status line.
fn fitted(plan: &Plan, prepared: &Prepared) -> Result<Outcome, FitError> {
    let (status, begun) = (Status::new(), Instant::now());
    let mut watch = |start: usize, trace: &Trace| {
        status.show(&progress(plan, start, trace, begun.elapsed().as_secs_f64()));
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let outcome = train(plan, prepared, &interrupted, &mut watch);
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

fn model_file(
    game: &str,
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
    ModelFile::new(game, input, &plan.form, parameters, about)
}
