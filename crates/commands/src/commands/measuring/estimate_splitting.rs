//! `evalforge score --method splitting`: the mean score of games that are lost too rarely to be played.

use std::io::{Write, stdout};
use std::ops::ControlFlow;

use clap::Args;
use measure::splitting::{
    Effort, Level, Levels, Measure, Run, SplittingError, SplittingProgress, SplittingSetup, run as estimate,
};
use play::PlayedGame;
use play::numbers::{interval, number, rough_duration as duration};

use super::estimate::heading;
use super::methods::SPLITTING;
use crate::arguments::{Common, whole_number};
use crate::failure::{Interrupted, Usage};
use crate::outputs::{EstimateBase, Estimated, SplittingEstimate, SplittingRepeat, options, print};
use crate::terminal::{Status, interrupted, short};

/// Where excursions end unless given.
const BASE: u32 = 5;

/// The options that only this method has.
#[derive(Debug, Args)]
pub struct Splitting {
    /// splitting: repeats, each of which could stand alone [default: 20]
    #[arg(long, value_name = "N", value_parser = whole_number(1..=100_000usize))]
    repeats: Option<usize>,
    #[arg(
        long,
        value_name = "N",
        value_parser = whole_number(10..=100_000_000usize),
        help = format!("splitting: trials from each level, or more [default: {}]", Effort::default().trials)
    )]
    trials: Option<usize>,
    #[arg(
        long,
        value_name = "N",
        value_parser = whole_number(1_000..=1_000_000_000_000u64),
        help = format!("splitting: moves of ordinary play in each repeat [default: {}]", Effort::default().moves)
    )]
    moves: Option<u64>,
    /// splitting: what a level is: the height of the highest column, or that and the mean height of all [default: height]
    #[arg(long, value_name = "MEASURE", value_parser = Measure::ALL.map(|(name, _)| name))]
    level: Option<String>,
    /// splitting: the levels, as 8,10,12,14,16,18,19,20 [default: chosen by a short run]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = whole_number(1..=1000u32))]
    levels: Option<Vec<u32>>,
    #[arg(
        long,
        value_name = "N",
        value_parser = whole_number(0..=1000u32),
        help = format!("splitting: with --levels, where excursions end [default: {BASE}]")
    )]
    base: Option<u32>,
}

impl Splitting {
    /// Estimates, and says what came of it.
    pub fn run<G: PlayedGame>(self, rules: G::Rules, player: String, common: &Common) -> anyhow::Result<()> {
        let standard = Effort::default();
        let levels = match (self.levels, self.base) {
            (Some(levels), base) => Levels::Given { base: base.unwrap_or(BASE), levels },
            (None, Some(_)) => {
                return Err(Usage("--base is for --levels; without them both are chosen".into()).into());
            }
            (None, None) => Levels::Automatic,
        };
        let level = |name: String| {
            Measure::ALL.into_iter().find(|(known, _)| *known == name).expect("clap checks the name").1
        };
        let setup = SplittingSetup::<G> {
            rules,
            player,
            levels,
            effort: Effort {
                moves: self.moves.unwrap_or(standard.moves),
                trials: self.trials.unwrap_or(standard.trials),
                level: self.level.map_or(standard.level, level),
            },
            repeats: self.repeats.unwrap_or(20),
            seed: common.seed(),
        };
        let run = watched(&setup, common.threads())?;
        let Some(run) = run else { return Err(Interrupted(String::new()).into()) };
        if common.json {
            json(&setup, &run)?;
        } else {
            text(&setup, &run)?;
        }
        if !run.complete() {
            return Err(Interrupted(String::new()).into());
        }
        anyhow::ensure!(
            run.estimate().is_some(),
            "every repeat has an empty stage: give more --trials and --moves, or other --levels"
        );
        Ok(())
    }
}

/// Estimates with a line that tells how far it is; Ctrl-C breaks off.
pub fn watched<G: PlayedGame>(setup: &SplittingSetup<G>, threads: usize) -> anyhow::Result<Option<Run>> {
    let (status, unit) = (Status::new(), G::WORDS.unit);
    let mut watch = |live: &SplittingProgress| {
        let seconds = live.elapsed.as_secs_f64();
        let speed = short(live.pieces as f64 / seconds);
        status.show(&match live.repeats {
            None => format!("{}: levels are being chosen, {speed} {unit}/s", setup.player),
            Some(done) => {
                let all = setup.repeats;
                let left = seconds * (all - done) as f64 / done as f64;
                let left = if done > 0 { format!(", about {} left", duration(left)) } else { String::new() };
                format!("{}: {done}/{all} repeats, {speed} {unit}/s{left}", setup.player)
            }
        });
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let run = estimate(setup, threads, &mut watch);
    status.clear();
    run.map_err(|error| match error {
        SplittingError::Player(error) => error.into(),
        SplittingError::Failure(failure) => failure.into(),
        wrong @ (SplittingError::NoLevels(_) | SplittingError::Levels(_)) => Usage(wrong.to_string()).into(),
    })
}

fn text<G: PlayedGame>(setup: &SplittingSetup<G>, run: &Run) -> anyhow::Result<()> {
    let mut out = stdout();
    writeln!(out, "{}", heading::<G>(&setup.rules, &setup.player, setup.seed, SPLITTING))?;
    let (n, moves) = (run.repeats.len(), short(run.pieces() as f64));
    let (score, unit) = (G::SCORE_UNIT, G::WORDS.unit);
    let one = unit.trim_end_matches('s');
    writeln!(out, "{n} repeats, {moves} {unit}; levels are {}\n", G::level_unit(setup.effort.level))?;
    let length = format!("{unit} a trial");
    writeln!(out, "from   to      trials   successes      rate   {length:>14}   empty in")?;
    for (stage, level) in run.levels().into_iter().enumerate() {
        let Level { from, to, trials, successes, rate, pieces, empty } = level;
        let to = to.map_or("over".to_string(), |to| to.to_string());
        let empty = if empty > 0 { format!("{empty} repeats") } else { String::new() };
        // A trial of ordinary play is a piece.
        let length = match (stage, trials) {
            (0, _) => String::new(),
            (_, 0) => "-".to_string(),
            _ => format!("{:.1}", pieces as f64 / trials as f64),
        };
        let line =
            format!("{from:>4}{to:>5}{trials:>12}{successes:>12}{rate:>10.5}   {length:>14}   {empty}");
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out)?;
    match run.estimate() {
        Some(estimate) => {
            let ci95 = estimate.ci95.map_or("none".to_string(), interval);
            let value = number(estimate.value);
            writeln!(out, "mean {score}   {value}   95 % {ci95} from {} repeats", estimate.n)?;
            let (rate, lost) = (estimate.score_rate, number(1.0 / estimate.loss_rate));
            writeln!(out, "{score} a {one}   {rate:.4}; one {one} in {lost} ends a game")?;
        }
        None if n == 0 => writeln!(out, "no estimate: no repeat was over yet")?,
        None => writeln!(out, "no estimate: every repeat has an empty stage")?,
    }
    for warning in run.warnings() {
        writeln!(out, "warning: {warning}")?;
    }
    Ok(())
}

fn json<G: PlayedGame>(setup: &SplittingSetup<G>, run: &Run) -> anyhow::Result<()> {
    let estimate = run.estimate();
    let repeats = run.repeats.iter().map(|repeat| SplittingRepeat {
        loss_rate: repeat.loss_rate(),
        score_rate: repeat.score_rate(),
        empty_stage: repeat.empty_stage(),
    });
    let base = EstimateBase {
        game: G::NAME.into(),
        player: setup.player.clone(),
        method: SPLITTING.into(),
        value: estimate.map(|e| e.value),
        ci95: estimate.and_then(|e| e.ci95),
        options: options(&setup.rules),
        seed: setup.seed,
    };
    Ok(print(&Estimated::Splitting(SplittingEstimate {
        base,
        n: estimate.map(|e| e.n),
        missing: run.missing(),
        loss_rate: estimate.map(|e| e.loss_rate),
        score_rate: estimate.map(|e| e.score_rate),
        level: setup.effort.level.name().into(),
        course: run.course.clone(),
        levels: run.levels(),
        repeats: repeats.collect(),
        warnings: run.warnings(),
        moves: [(G::WORDS.unit.to_string(), run.pieces())].into(),
    }))?)
}
