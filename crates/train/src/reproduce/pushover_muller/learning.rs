//! From the database to networks.

use std::ops::ControlFlow;

use games::pushover::{Pushover, PushoverRules};
use games::{Dice, Game, Side};
use learn::fitting::{Examples, Limits, Loss, Method, descend};
use learn::models::Form;
use learn::random::Random;
use play::evaluator::ModelFile;
use play::recorded::muller::Line;

use super::engine::Network;
use super::{Sample, Scale};
use crate::fit::{Parallel, never};

const STREAM: u64 = 0x6d75_6c34;
/// Positions nearer to the end than to the beginning.
const LEAST: f64 = 0.5;

/// A network with what it came from.
pub struct Trained {
    /// The network.
    pub network: Network,
    /// Its form.
    pub form: Form,
    /// The features by name.
    pub input: &'static str,
    /// The loss at the end.
    pub loss: f64,
    /// The share of the sample that it tells right.
    pub right: f64,
    /// Positions it learned from.
    pub positions: usize,
}

/// Who won the game that a line is of.
fn winner(line: &Line) -> Side {
    let mover = line.position.side().other();
    if line.e > 0.0 { mover } else { mover.other() }
}

/// So many of these by lot, fewer if there are not so many.
fn drawn<'a>(mut from: Vec<&'a Line>, count: usize, dice: &mut Dice) -> Vec<&'a Line> {
    let count = count.min(from.len());
    for place in 0..count {
        let other = place + dice.below(from.len() - place);
        from.swap(place, other);
    }
    from.truncate(count);
    from
}

/// The positions of a training.
fn sample<'a>(lines: &'a [Line], sample: Sample, count: usize, dice: &mut Dice) -> Vec<&'a Line> {
    let selected = || lines.iter().filter(|line| line.e.abs() > LEAST);
    let won_by = |side: Side| selected().filter(move |line| winner(line) == side).collect();
    match sample {
        Sample::Natural | Sample::Features => drawn(selected().collect(), count, dice),
        Sample::WonByO => drawn(won_by(Side::First), count, dice),
        Sample::WonByPlus => drawn(won_by(Side::Second), count, dice),
        Sample::Balanced => {
            Side::BOTH.into_iter().flat_map(|side| drawn(won_by(side), count / 2, dice)).collect()
        }
    }
}

/// Trains network number `number` of a sample: every one on other positions and from another start.
pub fn train(lines: &[Line], which: Sample, number: usize, scale: &Scale) -> Trained {
    let (input, form) = match which {
        Sample::Features => ("muller", "mlp(30)"),
        _ => ("board", "mlp(16)"),
    };
    let form = Form::parse(form).expect("it is written here");
    let features = Pushover::features(&PushoverRules::default(), input).expect("it is written here");
    let names = features.names();
    let inputs = names.len();
    let mut dice = Dice::seeded(&[scale.seed, STREAM, which as u64, number as u64]);
    let chosen = sample(lines, which, scale.positions, &mut dice);
    let mut rows = vec![0.0; inputs * chosen.len()];
    for (line, row) in chosen.iter().zip(rows.chunks_exact_mut(inputs)) {
        features.extract_position(&line.position, line.position.side().other(), row);
    }
    let labels: Vec<f64> = chosen.iter().map(|line| line.e.signum()).collect();
    let examples = Examples { inputs, rows, labels };
    let parameters = form.parameter_names(&names).len();
    // The paper's error: squares of the difference to 1 (won) or 0 (lost).
    let loss = Loss::SigmoidSquared;
    let objective =
        Parallel { form: &form, loss, decay: 0.0, examples: &examples, parameters, stopped: &never };
    let start = form.initial(inputs, &mut Random::seeded(dice.bits()));
    let mut bfgs = Method::parse("bfgs").and_then(|method| method.optimiser(0)).expect("it is listed");
    let limits = Limits { iterations: scale.iterations, patience: usize::MAX, gradient: 1e-7 };
    let fitted =
        descend(&objective, &mut *bfgs, start, &limits, &|_| None, &mut |_| ControlFlow::Continue(()));
    let model = form.build(inputs, fitted.parameters);
    let right = (0..examples.len()).filter(|&i| model.value(examples.row(i)) * examples.labels[i] > 0.0);
    let right = right.count() as f64 / examples.len() as f64;
    let network = Network { features, inputs, model };
    Trained { network, form, input, loss: fitted.best.training, right, positions: examples.len() }
}

/// A network as a file, which every player notation takes.
pub fn model_file(trained: &Trained) -> ModelFile {
    let names = trained.form.parameter_names(&trained.network.features.names());
    let parameters = names.into_iter().zip(trained.network.model.parameters().iter().copied()).collect();
    let about = format!(
        "After Müller 1992: fitted by BFGS to {} positions of games of the expert; {:.1} % of them told right.",
        trained.positions,
        100.0 * trained.right
    );
    ModelFile::new(Pushover::NAME, trained.input, &trained.form, parameters, about)
}

#[cfg(test)]
mod tests {
    use super::*;
    use play::recorded::muller::lines;

    #[test]
    fn samples_are_what_they_say() {
        // Two games: o wins the first, + the second; of each two positions lie in the second half.
        let text = "o...............Ao  0.100\noo.+............Ao  0.600\noo.++...........B+ -0.700\n\
                    o...............Ao -0.100\noo.+............Ao -0.800\noo.++...........B+  0.900\n";
        let lines = lines(text).unwrap();
        let es = |which, count| -> Vec<f64> {
            let mut es: Vec<f64> =
                sample(&lines, which, count, &mut Dice::seeded(&[1])).iter().map(|line| line.e).collect();
            es.sort_by(f64::total_cmp);
            es
        };
        assert_eq!(es(Sample::Natural, 10), [-0.8, -0.7, 0.6, 0.9]);
        assert_eq!(es(Sample::WonByO, 10), [-0.7, 0.6]);
        assert_eq!(es(Sample::WonByPlus, 10), [-0.8, 0.9]);
        assert_eq!(es(Sample::Balanced, 2).len(), 2);
        assert_eq!(es(Sample::Natural, 3).len(), 3);
    }
}
