//! What `evalforge fit` prints and writes about a fit.

use std::fmt::Write;
use std::path::Path;

use crate::outputs::{self, Fit, FitStart, FitStep};
use games::error::one_line;
use play::numbers::rough_duration as duration;
use report::{FitPage, fit_html};
use train::fit::fitting::{Fitted, Trace};
use train::fit::{Judged, Outcome, Plan, Prepared};

/// A fit with all that is said of it.
pub struct Report<'a> {
    pub game: &'static str,
    pub data: &'a Path,
    pub input: &'a str,
    pub plan: &'a Plan,
    pub prepared: &'a Prepared,
    pub outcome: &'a Outcome,
    pub judged: &'a Judged,
    /// Whether it is judged by positions that it has not learned from.
    pub held_out: bool,
    pub seconds: f64,
    pub threads: usize,
    pub out: Option<&'a Path>,
}

impl Report<'_> {
    fn positions(&self) -> String {
        let Prepared { training, not_selected, without_move, dropped, .. } = self.prepared;
        let mut text = format!("{} of {} games", training.len(), self.prepared.games());
        for (count, why) in [
            (*not_selected, "not selected"),
            (*dropped, "dropped by lot"),
            (*without_move, "without the move before"),
        ] {
            if count > 0 {
                let _ = write!(text, ", {count} {why}");
            }
        }
        text
    }

    fn size(&self) -> String {
        format!("{} over {} features of '{}'", self.plan.form.name(), self.prepared.names.len(), self.input)
    }

    fn method(&self) -> String {
        let Plan { method, loss, decay, starts, seed, .. } = self.plan;
        let mut text = format!("{} on {}", method.text(), loss.name());
        if *decay > 0.0 {
            let _ = write!(text, ", decay {decay}");
        }
        let _ = write!(text, ", {starts} start{}, seed {seed}", if *starts == 1 { "" } else { "s" });
        text
    }

    fn end(&self) -> String {
        let Fitted { best, trace, stop, .. } = self.outcome.fitted();
        let last = trace.last().map_or(0, |trace| trace.iteration);
        let start = match self.outcome.starts.len() {
            1 => String::new(),
            _ => format!(" of start {}", self.outcome.best + 1),
        };
        format!("iteration {} of {last}{start}; {}", best.iteration, stop.words())
    }

    /// A few lines for people.
    pub fn text(&self) -> String {
        let mut out = format!("{}, {}, {}\n", self.game, self.size(), self.method());
        let _ = writeln!(
            out,
            "learned from {} in {}",
            self.positions(),
            one_line(&self.data.display().to_string())
        );
        let best = self.outcome.fitted().best;
        let _ = writeln!(out, "kept: {} ({}, {} threads)", self.end(), duration(self.seconds), self.threads);
        let _ = writeln!(
            out,
            "training loss {:.5}; validation loss {}; a constant would have {:.5}",
            best.training,
            best.validation.map_or("-".into(), |loss| format!("{loss:.5}")),
            self.judged.constant_loss
        );
        let which = if self.held_out { "validation" } else { "the positions learned from" };
        if let Some(right) = self.judged.right {
            let [low, high] = right.ci95.map(|share| 100.0 * share);
            let _ = writeln!(
                out,
                "won and lost told apart in {:.1} % [{low:.1}, {high:.1}] of {} positions of {} games ({which})",
                100.0 * right.share,
                right.n,
                right.games
            );
            let it = self.judged.confusion;
            let _ = writeln!(
                out,
                "won: {} right, {} said to be lost; lost: {} right, {} said to be won",
                it.won_won, it.won_lost, it.lost_lost, it.lost_won
            );
        }
        match self.out {
            Some(path) => {
                let _ = write!(out, "written: {}", one_line(&path.display().to_string()));
            }
            None => out.push_str("the model is not kept; --out FILE writes it"),
        }
        out
    }

    /// The page.
    pub fn page(&self) -> String {
        let facts = [
            ("data", format!("{}: {}", self.data.display(), self.positions())),
            ("model", self.size()),
            ("fitted by", self.method()),
            ("kept", self.end()),
        ];
        let title = format!("A fit: {}", self.game);
        fit_html(&FitPage {
            title: &title,
            facts: &facts,
            outcome: self.outcome,
            judged: self.judged,
            held_out: self.held_out,
        })
    }

    /// All of it for machines.
    pub fn json(&self) -> std::io::Result<()> {
        let step = |trace: &Trace| FitStep {
            iteration: trace.iteration,
            training: trace.training,
            validation: trace.validation,
        };
        let start = |fitted: &Fitted| FitStart {
            stop: fitted.stop.words().into(),
            best_iteration: fitted.best.iteration,
            training_loss: fitted.best.training,
            validation_loss: fitted.best.validation,
            trace: fitted.trace.iter().map(step).collect(),
        };
        let (plan, prepared) = (self.plan, self.prepared);
        outputs::print(&Fit {
            game: self.game.into(),
            data: self.data.display().to_string(),
            input: self.input.into(),
            features: prepared.names.len(),
            model: plan.form.name(),
            parameters: self.outcome.parameters.len(),
            optimiser: plan.method.text(),
            loss: plan.loss.name().into(),
            decay: plan.decay,
            seed: plan.seed,
            threads: self.threads,
            positions: prepared.training.len(),
            games: prepared.games(),
            validation_positions: prepared.validation.len(),
            not_selected: prepared.not_selected,
            dropped: prepared.dropped,
            without_move: prepared.without_move,
            best_start: self.outcome.best + 1,
            starts: self.outcome.starts.iter().map(start).collect(),
            held_out: self.held_out,
            judged: self.judged.clone(),
            complete: !self.outcome.broken_off(),
            out: self.out.map(|path| path.display().to_string()),
            seconds: self.seconds,
        })
    }
}
