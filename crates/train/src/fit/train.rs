//! Fits from one or several starts; the best on the validation is kept.

use std::ops::ControlFlow;

use learn::fitting::{Examples, Fitted, Limits, Loss, Method, Stop, Trace, descend};
use learn::models::Form;
use learn::random::Random;

use super::objective::Parallel;
use super::{FitError, Prepared};

/// How a model is fitted.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The form of the model.
    pub form: Form,
    /// The optimiser.
    pub method: Method,
    /// What is to be small.
    pub loss: Loss,
    /// The weight of the squares of the parameters.
    pub decay: f64,
    /// When to stop.
    pub limits: Limits,
    /// How many starts.
    pub starts: usize,
    /// Whether features are fitted as they are; else each is moved and stretched to mean 0 and spread 1, and the model
    /// turned back afterwards.
    pub raw: bool,
    /// The seed of the starts.
    pub seed: u64,
}

/// What a fit has come to.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The parameters of the best start, for features as they are.
    pub parameters: Vec<f64>,
    /// Every start that was begun.
    pub starts: Vec<Fitted>,
    /// The number of the best.
    pub best: usize,
}

impl Outcome {
    /// The best start.
    pub fn fitted(&self) -> &Fitted {
        &self.starts[self.best]
    }

    /// Whether it was broken off.
    pub fn broken_off(&self) -> bool {
        self.starts.iter().any(|start| start.stop == Stop::BrokenOff)
    }
}

/// Means and spreads of the features: 0 and 1 where they must stay as they are.
fn scales(form: &Form, raw: bool, examples: &Examples) -> (Vec<f64>, Vec<f64>) {
    let (inputs, count) = (examples.inputs, examples.len() as f64);
    let Some(centred) = form.takes_scaled().filter(|_| !raw) else {
        return (vec![0.0; inputs], vec![1.0; inputs]);
    };
    let column = |i: usize| examples.rows.iter().skip(i).step_by(inputs);
    let mean_of = |i: usize| column(i).sum::<f64>() / count;
    let means: Vec<f64> = (0..inputs).map(mean_of).collect();
    let spread = |i: usize| {
        let spread = (column(i).map(|x| (x - means[i]) * (x - means[i])).sum::<f64>() / count).sqrt();
        if spread > 1e-9 { spread } else { 1.0 }
    };
    let spreads = (0..inputs).map(spread).collect();
    (if centred { means } else { vec![0.0; inputs] }, spreads)
}

fn scaled(examples: &Examples, means: &[f64], spreads: &[f64]) -> Examples {
    let inputs = examples.inputs.max(1);
    let rows = examples.rows.iter().enumerate().map(|(i, x)| (x - means[i % inputs]) / spreads[i % inputs]);
    Examples { rows: rows.collect(), ..examples.clone() }
}

/// Fits a model. `watch` hears of every iteration, with the number of the start, and `stopped` is asked many times in each; both may
/// break off: what was reached until then is kept. A fit that was stopped before its first iteration has a loss that is not a number.
///
/// # Errors
/// The model is too large, for the optimiser or for any.
pub fn train(
    plan: &Plan,
    prepared: &Prepared,
    stopped: &(dyn Fn() -> bool + Sync),
    watch: &mut dyn FnMut(usize, &Trace) -> ControlFlow<()>,
) -> Result<Outcome, FitError> {
    plan.form.check(prepared.names.len())?;
    let parameters = plan.form.parameter_count(prepared.names.len());
    let listed = plan.method.listed();
    if parameters > listed.most_parameters {
        let (optimiser, most) = (listed.entry.name, listed.most_parameters);
        return Err(FitError::TooLarge { optimiser, most, parameters });
    }
    let (means, spreads) = scales(&plan.form, plan.raw, &prepared.training);
    let [training, validation] =
        [&prepared.training, &prepared.validation].map(|examples| scaled(examples, &means, &spreads));
    let Plan { form, loss, decay, .. } = plan;
    let objective = Parallel { form, loss: *loss, decay: *decay, examples: &training, parameters, stopped };
    let mut starts = Vec::new();
    for number in 0..plan.starts.max(1) {
        let mut random = Random::seeded(plan.seed.wrapping_add(number as u64));
        let begin = plan.form.initial(training.inputs, &mut random);
        let mut optimiser = plan.method.optimiser(random.bits()).expect("the options were checked when read");
        let mut fitted = descend(
            &objective,
            &mut *optimiser,
            begin,
            &plan.limits,
            &|parameters| objective.mean_loss(&validation, parameters),
            &mut |trace| watch(number, trace),
        );
        if stopped() {
            // An iteration that was not worked out to its end is none.
            fitted.stop = Stop::BrokenOff;
            fitted
                .trace
                .retain(|one| !one.training.is_nan() && one.validation.is_none_or(|loss| !loss.is_nan()));
        }
        let broken_off = fitted.stop == Stop::BrokenOff;
        starts.push(fitted);
        if broken_off {
            break;
        }
    }
    let judged = |start: &Fitted| start.best.validation.unwrap_or(start.best.training);
    let mut best = 0;
    for number in 1..starts.len() {
        if judged(&starts[number]) < judged(&starts[best]) {
            best = number;
        }
    }
    let found = &starts[best].parameters;
    let parameters = match plan.form.takes_scaled() {
        Some(_) => plan.form.unscaled(found, &means, &spreads),
        None => found.clone(),
    };
    Ok(Outcome { parameters, starts, best })
}
