//! What every optimiser of the list must do, and what BFGS is known for.

use std::ops::ControlFlow;

use proptest::prelude::*;

use super::*;
use crate::models::Form;
use crate::random::Random;

/// Examples under a model and a loss, on one thread.
struct Plain {
    form: Form,
    loss: Loss,
    examples: Examples,
}

impl Objective for Plain {
    fn parameters(&self) -> usize {
        let names: Vec<String> = (0..self.examples.inputs).map(|i| i.to_string()).collect();
        self.form.parameter_names(&names).len()
    }

    fn examples(&self) -> usize {
        self.examples.len()
    }

    fn evaluate(&self, parameters: &[f64], batch: Option<&[usize]>, gradient: &mut [f64]) -> f64 {
        let model = self.form.build(self.examples.inputs, parameters.to_vec());
        let all: Vec<usize> = (0..self.examples.len()).collect();
        let which = batch.unwrap_or(&all);
        gradient.fill(0.0);
        let sum = self.examples.add_up(&*model, self.loss, which.iter().copied(), gradient);
        gradient.iter_mut().for_each(|slope| *slope /= which.len() as f64);
        sum / which.len() as f64
    }
}

/// The function of Rosenbrock, in pairs of parameters.
struct Rosenbrock(usize);

impl Objective for Rosenbrock {
    fn parameters(&self) -> usize {
        self.0
    }

    fn examples(&self) -> usize {
        1
    }

    fn evaluate(&self, x: &[f64], _batch: Option<&[usize]>, gradient: &mut [f64]) -> f64 {
        let mut sum = 0.0;
        for i in (0..self.0).step_by(2) {
            let (off, rest) = (x[i + 1] - x[i] * x[i], 1.0 - x[i]);
            sum += 100.0 * off * off + rest * rest;
            gradient[i] = -400.0 * x[i] * off - 2.0 * rest;
            gradient[i + 1] = 200.0 * off;
        }
        sum
    }
}

/// Exclusive or: what no model without a hidden layer can tell.
fn exclusive_or(form: &str, loss: Loss) -> Plain {
    let rows = vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0];
    let examples = Examples { inputs: 2, rows, labels: vec![-1.0, 1.0, 1.0, -1.0] };
    Plain { form: Form::parse(form).unwrap(), loss, examples }
}

fn fit(objective: &dyn Objective, method: &str, start: Vec<f64>, iterations: usize) -> Fitted {
    let mut optimiser = Method::parse(method).unwrap().optimiser(3).unwrap();
    let limits = Limits { iterations, patience: 10, gradient: 1e-8 };
    descend(objective, &mut *optimiser, start, &limits, &|_| None, &mut |_| ControlFlow::Continue(()))
}

#[test]
fn gradients_of_losses_agree_with_finite_differences() {
    for (entry, loss) in LOSSES {
        for form in ["linear", "logistic", "mlp(3)", "mlp(3, 2, tanh)", "network(2)"] {
            let objective = exclusive_or(form, *loss);
            let start = objective.form.initial(2, &mut Random::seeded(8));
            let point = Point::of(&objective, start.clone());
            for i in 0..start.len() {
                let moved = |by: f64| {
                    let mut parameters = start.clone();
                    parameters[i] += by;
                    Point::of(&objective, parameters).loss
                };
                let slope = (moved(1e-6) - moved(-1e-6)) / 2e-6;
                assert!((slope - point.gradient[i]).abs() < 1e-7, "{} of {form}, {i}", entry.name);
            }
        }
    }
}

#[test]
fn every_optimiser_learns_exclusive_or() {
    for listed in OPTIMISERS {
        let name = listed.entry.name;
        let method = if listed.options.iter().any(|(key, _)| *key == "rate") {
            format!("{name}(rate={}, batch=2)", if name == "sgd" { 0.3 } else { 0.03 })
        } else {
            name.to_string()
        };
        for (form, loss) in [("mlp(4)", Loss::CrossEntropy), ("mlp(4, tanh)", Loss::SigmoidSquared)] {
            let objective = exclusive_or(form, loss);
            let best = (0..5).map(|seed| {
                let start = objective.form.initial(2, &mut Random::seeded(seed));
                fit(&objective, &method, start, 3000).best.training
            });
            let best = best.fold(f64::INFINITY, f64::min);
            assert!(best < 1e-3, "{method} on {form}: {best}");
        }
    }
}

#[test]
fn quasi_newton_finds_the_bottom_of_the_valley() {
    for (method, most) in [("bfgs", 200), ("lbfgs", 200), ("lbfgs(memory=3)", 400)] {
        let start = [-1.2, 1.0].repeat(5);
        let fitted = fit(&Rosenbrock(10), method, start, most);
        assert!(fitted.parameters.iter().all(|x| (x - 1.0).abs() < 1e-6), "{method}: {fitted:?}");
        assert!(matches!(fitted.stop, Stop::Converged | Stop::NoProgress), "{method}: {:?}", fitted.stop);
        assert!(fitted.trace.windows(2).all(|pair| pair[1].training <= pair[0].training), "{method} went up");
    }
    // Nocedal & Wright 2006, section 6.1: 34 iterations from (-1.2, 1) until the gradient is below 1e-5.
    let mut optimiser = Method::parse("bfgs").unwrap().optimiser(1).unwrap();
    let limits = Limits { iterations: 100, patience: 10, gradient: 1e-5 };
    let fitted = descend(&Rosenbrock(2), &mut *optimiser, vec![-1.2, 1.0], &limits, &|_| None, &mut |_| {
        ControlFlow::Continue(())
    });
    assert_eq!(fitted.stop, Stop::Converged);
    assert!((20..=50).contains(&fitted.best.iteration), "{}", fitted.best.iteration);
}

#[test]
fn a_line_is_found_exactly() {
    // y = 2 a - b / 2 in [-1, 1], by squares: the answer is known.
    let rows: Vec<f64> = (0..40).flat_map(|i| [f64::from(i % 7) / 14.0, f64::from(i % 5) / 5.0]).collect();
    let labels = rows.chunks(2).map(|row| 2.0 * row[0] - 0.5 * row[1]).collect();
    let examples = Examples { inputs: 2, rows, labels };
    let objective = Plain { form: Form::Linear, loss: Loss::Squared, examples };
    for method in ["bfgs", "lbfgs"] {
        let fitted = fit(&objective, method, vec![0.0; 2], 50);
        assert!((fitted.parameters[0] - 2.0).abs() < 1e-5, "{method}: {fitted:?}");
        assert!((fitted.parameters[1] + 0.5).abs() < 1e-5, "{method}: {fitted:?}");
    }
}

#[test]
fn a_fit_ends_for_a_reason() {
    let objective = exclusive_or("mlp(3)", Loss::CrossEntropy);
    let start = objective.form.initial(2, &mut Random::seeded(1));
    assert_eq!(fit(&objective, "bfgs", start.clone(), 3).stop, Stop::Iterations);
    assert_eq!(fit(&Rosenbrock(2), "bfgs", vec![1.0, 1.0], 3).stop, Stop::Converged);
    assert_eq!(fit(&Rosenbrock(2), "sgd(rate=10)", vec![-3.0, 9.0], 60).stop, Stop::Diverged);
    let with = |validate: &dyn Fn(&[f64]) -> Option<f64>, flow: ControlFlow<()>| {
        let mut optimiser = Method::parse("bfgs").unwrap().optimiser(3).unwrap();
        let limits = Limits { iterations: 100, patience: 4, gradient: 0.0 };
        descend(&objective, &mut *optimiser, start.clone(), &limits, validate, &mut |_| flow)
    };
    // A validation loss that is the larger the further from the start: the start is best.
    let away = |parameters: &[f64]| Some(parameters.iter().zip(&start).map(|(a, b)| (a - b).abs()).sum());
    let fitted = with(&away, ControlFlow::Continue(()));
    assert_eq!((fitted.stop, fitted.best.iteration, fitted.trace.len()), (Stop::Validation, 0, 5));
    assert_eq!(fitted.parameters, start);
    assert_eq!(with(&|_| None, ControlFlow::Break(())).stop, Stop::BrokenOff);
}

#[test]
fn equal_seeds_give_equal_fits() {
    for listed in OPTIMISERS {
        let objective = exclusive_or("mlp(3)", Loss::CrossEntropy);
        let again = || {
            let start = objective.form.initial(2, &mut Random::seeded(2));
            fit(&objective, listed.entry.name, start, 20)
        };
        assert_eq!(again(), again(), "{}", listed.entry.name);
    }
}

#[test]
fn texts_of_optimisers_are_read_and_refused() {
    for (text, printed) in [
        ("bfgs", "bfgs"),
        ("lbfgs( memory=5 )", "lbfgs(memory=5)"),
        ("adam(batch=64)", "adam"),
        ("sgd(rate=0.5,batch=8)", "sgd(rate=0.5, batch=8)"),
    ] {
        assert_eq!(Method::parse(text).unwrap().text(), printed);
    }
    for (text, said) in [
        ("newton", "unknown optimiser 'newton'; known: bfgs, lbfgs, adam, sgd"),
        ("bfgs(rate=1)", "bfgs: option 'rate' is unknown or given twice; known: none"),
        ("adam(rate=0)", "adam: rate cannot be '0'; allowed: above 0"),
        ("adam(rate=x)", "adam: rate cannot be 'x'; allowed: a number"),
        ("adam(rate=1, rate=2)", "given twice"),
        ("lbfgs(memory=2.5)", "allowed: a whole number"),
        ("sgd(momentum=1)", "allowed: from 0 to less than 1"),
        ("adam(rate=1", "NAME(KEY=VALUE, ...) is expected"),
        ("adam(rate)", "adam: rate cannot be ''; allowed: a number"),
        ("\u{1b}[31m", "unknown optimiser '\\u{1b}[31m'"),
        ("adam(\n=1)", "option '=1' is unknown"),
        ("adam(rate=a\nb)", "rate cannot be 'a\\nb'"),
    ] {
        let error = Method::parse(text).expect_err(text).to_string();
        assert!(error.contains(said), "{text}: {error}");
    }
}

proptest! {
    #[test]
    fn any_text_is_an_optimiser_or_none(
        text in r#"(bfgs|lbfgs|adam|sgd)?\(?((rate|batch|memory|momentum|.)=?([0-9.e-]{1,3}|.|\n)?,?){0,3}\)?"#
    ) {
        match Method::parse(&text) {
            Ok(method) => prop_assert_eq!(Method::parse(&method.text()).unwrap().text(), method.text()),
            Err(error) => prop_assert!(!error.to_string().contains(char::is_control)),
        }
    }
}
