//! `evalforge tune probcut`: how certain a shallow search is of a deep one, for the cuts of alpha-beta.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::{Args, Command};
use play::PlayedGame;
use play::files::new_file;
use train::fit_probcut::{Fitted, ProbCutSetup};

use crate::arguments::{Common, For, Force, Given, OnGame, whole_number, with_changed};
use crate::failure::{Interrupted, unwritten};
use crate::outputs::{self, ProbCut};
use crate::rooms::CliGame;
use crate::terminal::watched;

/// Fit Multi-ProbCut to an evaluation: how certain a shallow search is of a deep one
///
/// Plays games in which one move in four is any at all and the others are the best of one ply, takes one position of each, searches it
/// to every depth, and fits, for pairs of depths and parts of the game, value of the deep search = slope * value of the shallow one +
/// offset. Sigma is the standard deviation around that line. --out writes the rows to a file for a player, as
/// alphabeta(time=1, eval=MODEL, probcut=FILE, confidence=1), which leaves out lines that a shallow search puts so many sigmas beyond
/// what matters. There is no row where more than 5 % of the deep searches saw the end of the game.
#[derive(Debug, Args)]
pub struct FitProbCut {
    /// The evaluation, as in alphabeta(eval=MODEL)
    #[arg(long, value_name = "MODEL")]
    eval: String,
    /// Games to play; one position of each is searched
    #[arg(long = "games", alias = "positions", value_name = "N", default_value = "400", value_parser = whole_number(20..=1_000_000usize))]
    positions: usize,
    /// The deepest search
    #[arg(long, value_name = "D", default_value = "8", value_parser = whole_number(3..=30u32))]
    depth: u32,
    /// Parts of the game, of as many steps each, that are fitted by themselves
    #[arg(long, value_name = "K", default_value = "6", value_parser = whole_number(1..=100u32))]
    phases: u32,
    /// Write the rows to this file, for probcut=FILE of a player
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    common: Common,
}

impl OnGame for FitProbCut {
    const FOR: For = For::Two;
    const USAGE: Option<&'static str> = Some("evalforge tune probcut <GAME> [OPTIONS]");

    fn describe<G: CliGame>(command: Command) -> Command {
        let command = Self::augment_args(command);
        let Some(best) = G::BEST else { return command };
        with_changed(command, "eval", |arg| arg.required(false).default_value(best.evaluation))
    }

    fn run<G: CliGame>(self, given: &Given) -> anyhow::Result<()> {
        let Self { eval, positions, depth, phases, out, force, common } = self;
        let setup = ProbCutSetup::<G> {
            rules: given.rules::<G>()?,
            eval,
            positions,
            depth,
            phases,
            seed: common.seed(),
        };
        let refused = |path: &PathBuf, error: &std::io::Error| unwritten("--out", path, error);
        if let Some(path) = &out {
            force.check(path)?;
        }
        let threads = common.threads();
        let fitted = watched("searching", |watch| setup.fit(threads, watch))?;
        let fitted = fitted.ok_or_else(|| Interrupted("; nothing is fitted yet".into()))?;
        if let Some(path) = out.as_ref().filter(|_| !fitted.file.cuts.is_empty()) {
            new_file::write(path, fitted.file.text().as_bytes()).map_err(|error| refused(path, &error))?;
        }
        if common.json {
            outputs::print(&ProbCut { file: fitted.file.clone(), sigma_ci95: fitted.sigma_ci95.clone() })?;
        } else {
            text(&setup, &fitted)?;
        }
        anyhow::ensure!(
            !fitted.file.cuts.is_empty(),
            "no row: too few positions in each part of the game, or all of them near its end; nothing is written"
        );
        Ok(())
    }
}

fn text<G: PlayedGame>(setup: &ProbCutSetup<G>, fitted: &Fitted) -> std::io::Result<()> {
    let mut out = stdout();
    writeln!(
        out,
        "{}, {}: {} positions searched to depth {}, seed {}",
        G::NAME,
        setup.eval,
        setup.positions,
        setup.depth,
        setup.seed
    )?;
    writeln!(
        out,
        "{:>7} {:>5} {:>8} {:>6} {:>7} {:>9} {:>9}  95 % interval",
        "shallow", "deep", "steps", "n", "slope", "offset", "sigma"
    )?;
    for (cut, ci95) in fitted.file.cuts.iter().zip(&fitted.sigma_ci95) {
        let steps = format!("{}-{}", cut.from, cut.to);
        writeln!(
            out,
            "{:>7} {:>5} {steps:>8} {:>6} {:>7.3} {:>+9.3} {:>9.3}  [{:.3}, {:.3}]",
            cut.shallow, cut.deep, cut.n, cut.slope, cut.offset, cut.sigma, ci95[0], ci95[1]
        )?;
    }
    Ok(())
}
