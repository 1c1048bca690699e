//! `evalforge score tetris` by two shortcuts that carry a line on.

use std::ops::ControlFlow;

use clap::Args;
use games::tetris::{MAX_HEIGHT, Tetris};
use measure::estimate::growth;
use measure::estimate::growth::{FEWEST_HEIGHTS, GrowthError};
use measure::estimate::{EstimateProgress, EstimateSetup, heights};

use super::shortcuts_report as report;
use crate::arguments::{Common, Given, whole_number};
use crate::commands::score::{Asked, Methods};
use crate::failure::{Interrupted, Usage};
use crate::rooms::OwnCommand;
use crate::terminal::{Status, interrupted, short};

const LONG: &str = "two more methods carry a straight line of logarithms further than it was measured:\n\
    - heights: how often the wall is how high; Fahey's conjecture is that the frequencies fall by the same factor for \
    every row, down to that of the end of a game\n\
    - growth: the means on lower boards, which grow by about the same factor for every row\n\n\
    Their intervals hold the chance of what was played, not the error of the line: docs/results/tetris-estimates.md has \
    measured how far off both are, and docs/results/tetris-splitting.md holds splitting against plain games.";

const HEIGHTS: &str = "heights";
const GROWTH: &str = "growth";

/// What only Tetris has.
#[derive(Debug, Args)]
pub struct Shortcuts {
    /// heights and growth: about how many pieces to place [default: 5000000]
    #[arg(long, value_name = "PIECES", value_parser = whole_number(10_000..=1_000_000_000_000u64))]
    budget: Option<u64>,
    /// The lowest board that growth plays on [default: 8]
    #[arg(long, value_name = "ROWS", value_parser = whole_number(4..=MAX_HEIGHT as u8))]
    from: Option<u8>,
    /// The highest one, if the budget allows [default: 14, but lower than the board]
    #[arg(long, value_name = "ROWS", value_parser = whole_number(4..=MAX_HEIGHT as u8))]
    to: Option<u8>,
}

impl OwnCommand for Shortcuts {
    const LONG: &'static str = LONG;
    const NAMES: &'static [&'static str] = &[HEIGHTS, GROWTH];

    fn run(self, given: &Given) -> anyhow::Result<()> {
        let method = given.also::<Methods>()?.method.unwrap_or_default();
        let Asked { player, common } = Asked::of(given, &method)?;
        let budget = self.budget.unwrap_or(5_000_000);
        let setup = EstimateSetup { rules: given.rules::<Tetris>()?, player, budget, seed: common.seed() };
        match method.as_str() {
            HEIGHTS => self.by_heights(&setup, &common),
            _ => self.by_growth(&setup, &common),
        }
    }
}

impl Shortcuts {
    fn by_heights(&self, setup: &EstimateSetup, common: &Common) -> anyhow::Result<()> {
        let other = if self.from.is_some() { Some("from") } else { self.to.map(|_| "to") };
        if let Some(option) = other {
            return Err(Usage(format!("--{option} is for --method growth")).into());
        }
        let table = watched(setup, |watch| heights::play(setup, common.threads(), watch))?;
        let estimate = table.estimate();
        if common.json {
            report::heights_json(setup, &table, estimate.as_ref())?;
        } else {
            report::heights_text(setup, &table, estimate.as_ref())?;
        }
        finish(table.segments() == heights::segments_of(setup.budget), estimate.is_some())
    }

    fn by_growth(&self, setup: &EstimateSetup, common: &Common) -> anyhow::Result<()> {
        let rows = setup.rules.height;
        let from = self.from.unwrap_or(*growth::HEIGHTS.start());
        let to = self.to.unwrap_or_else(|| (*growth::HEIGHTS.end()).min(rows - 1));
        if to >= rows || usize::from(to) + 1 < usize::from(from) + FEWEST_HEIGHTS {
            let message = format!(
                "growth to {rows} rows takes at least {FEWEST_HEIGHTS} lower boards, not {from} to {to} rows; \
                 give --from and --to, or play the board with 'evalforge score'"
            );
            return Err(Usage(message).into());
        }
        let played = watched(setup, |watch| growth::play(setup, from..=to, common.threads(), watch));
        let (heights, flow) = played.map_err(|error| match error {
            GrowthError::Player(error) => anyhow::Error::from(error),
            error @ GrowthError::Budget { .. } => Usage(error.to_string()).into(),
        })?;
        let estimate = growth::estimate(&setup.rules, &heights);
        if common.json {
            report::growth_json(setup, &heights, estimate.as_ref())?;
        } else {
            report::growth_text(setup, &heights, estimate.as_ref())?;
        }
        finish(flow.is_continue(), estimate.is_some())
    }
}

/// Works with a line that tells how far it is; Ctrl-C breaks off.
fn watched<T>(
    setup: &EstimateSetup,
    work: impl FnOnce(&mut dyn FnMut(&EstimateProgress) -> ControlFlow<()>) -> T,
) -> T {
    let status = Status::new();
    let mut watch = |live: &EstimateProgress| {
        let (pieces, seconds) = (live.pieces as f64, live.elapsed.as_secs_f64());
        status.show(&format!(
            "{} rows, {} of about {} pieces, {} pieces/s",
            live.height,
            short(pieces),
            short(setup.budget as f64),
            short(pieces / seconds)
        ));
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let result = work(&mut watch);
    status.clear();
    result
}

fn finish(complete: bool, estimated: bool) -> anyhow::Result<()> {
    if !complete {
        return Err(Interrupted(String::new()).into());
    }
    anyhow::ensure!(estimated, "what was played is too little for an estimate; give a greater --budget");
    Ok(())
}
