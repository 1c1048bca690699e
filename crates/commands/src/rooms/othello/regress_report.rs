//! What `evalforge fit tables` says.

use std::fmt::Write;
use std::path::Path;

use games::Game;
use games::othello::{Othello, Phases};
use play::patterns::Form;
use train::regress::metrics::{Judged, Mean};
use train::regress::patterns::{Fitted, Settings};
use train::regress::read::Split;

use crate::outputs::{FittedPhase, FittedTables, HeldOut, LearnedFrom, MeanOfPositions};
use crate::terminal::short;

pub struct Report<'a> {
    pub named: String,
    pub phases: &'a Phases,
    pub settings: &'a Settings,
    pub split: &'a Split,
    pub judged: &'a Judged,
    /// Of tables only.
    pub fitted: &'a [Fitted],
    pub seconds: f64,
    pub reading: f64,
    pub threads: usize,
    pub out: Option<&'a Path>,
}

impl Report<'_> {
    /// Positions that were looked at in all passes, a second.
    fn speed(&self) -> f64 {
        self.fitted.iter().map(|one| one.positions).sum::<usize>() as f64 / self.seconds
    }

    fn measure(&self) -> &'static str {
        match self.settings.form {
            Form::Linear => "mean absolute error of the final difference",
            Form::Logistic => "mean cross-entropy",
        }
    }

    pub fn text(&self) -> String {
        let Split { training, held_out, games: [learned, tested], without_score } = self.split;
        let mut text = String::new();
        let mut line = |said: String| writeln!(text, "{said}").expect("text can be written");
        line(format!(
            "{}, {}, {} phases, {}, l2 {}, {} threads",
            Othello::NAME,
            self.named,
            self.phases.count(),
            self.settings.form.name(),
            self.settings.l2,
            self.threads
        ));
        line(format!(
            "learned from {} positions of {learned} games, tested on {} positions of {tested} others; read in {:.1} s",
            training.count(),
            held_out.count(),
            self.reading
        ));
        if training.is_in_files() {
            line("the positions to learn from are in temporary files and read again in every pass".into());
        }
        if *without_score > 0 {
            line(format!("{without_score} games without a result are left out"));
        }
        if !self.fitted.is_empty() {
            let entries: usize = self.fitted.iter().map(|one| one.seen).sum();
            let passes = self.fitted.iter().map(|one| one.passes).max().unwrap_or(0);
            line(format!(
                "{entries} entries seen often enough, at most {passes} passes, {:.1} s, {} positions/s",
                self.seconds,
                short(self.speed())
            ));
        }
        line(String::new());
        line(format!("discs     positions     games   {}", self.measure()));
        for (phase, error) in self.judged.phases.iter().enumerate() {
            let (fewest, most) = self.phases.discs(phase);
            let error = error.as_ref().map_or("      -         -   -".to_string(), row);
            line(format!("{:<9} {error}", format!("{fewest}-{most}")));
        }
        line(format!("all       {}", row(&self.judged.all)));
        line(format!("saying 0  {}", row(&self.judged.constant)));
        if let Some(Mean { mean, half, positions, games }) = &self.judged.winner {
            let ([low, high], mean) =
                (within([mean - half, mean + half]).map(|end| 100.0 * end), 100.0 * mean);
            line(format!(
                "winner named in {mean:.2} % [{low:.2}, {high:.2}] of {positions} positions of {games} games not drawn"
            ));
        }
        if let Some(path) = self.out {
            line(format!("written to {}", path.display()));
        }
        text
    }

    pub fn output(&self) -> FittedTables {
        let Split { training, held_out, games: [learned, tested], without_score } = self.split;
        let phase = |phase: usize| {
            let (fewest, most) = self.phases.discs(phase);
            let fitted = self.fitted.get(phase);
            FittedPhase {
                discs: [fewest, most],
                error: self.judged.phases[phase].as_ref().map(mean),
                entries: fitted.map(|fitted| fitted.seen),
                passes: fitted.map(|fitted| fitted.passes),
            }
        };
        FittedTables {
            game: Othello::NAME.into(),
            input: self.named.clone(),
            phases: (0..self.phases.count()).map(phase).collect(),
            form: self.settings.form.name().into(),
            l2: self.settings.l2,
            measure: self.measure().into(),
            training: LearnedFrom {
                games: *learned,
                positions: training.count(),
                in_files: training.is_in_files(),
            },
            held_out: HeldOut { games: *tested, positions: held_out.count() },
            games_without_score: *without_score,
            error: mean(&self.judged.all),
            error_of_0: mean(&self.judged.constant),
            winner: self.judged.winner.as_ref().map(share),
            seconds: self.seconds,
            positions_per_second: self.speed(),
            threads: self.threads,
            file: self.out.map(|path| path.display().to_string()),
        }
    }
}

fn row(Mean { mean, half, positions, games }: &Mean) -> String {
    format!("{positions:>9} {games:>9}   {mean:.3} ± {half:.3}")
}

/// The interval of a share, which lies between 0 and 1.
fn within(ci95: [f64; 2]) -> [f64; 2] {
    ci95.map(|end| end.clamp(0.0, 1.0))
}

fn share(winner: &Mean) -> MeanOfPositions {
    let all = mean(winner);
    MeanOfPositions { ci95: within(all.ci95), ..all }
}

fn mean(&Mean { mean, half, positions, games }: &Mean) -> MeanOfPositions {
    MeanOfPositions { mean, ci95: [mean - half, mean + half], positions, games }
}
