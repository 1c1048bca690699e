//! What an estimate by a shortcut came to, for people and for machines.

use std::io::{Write, stdout};

use games::Game as _;
use games::tetris::Tetris;
use measure::estimate::heights::{Row, Table};
use measure::estimate::{EstimateSetup, growth, heights};
use play::numbers::{interval, number};
use stats::{Z95, relative_precision};

use crate::commands::estimate::heading;
use crate::outputs::{EstimateBase, Estimated, GrowthEstimate, HeightsEstimate, options, print};

const WARNING: &str =
    "the interval is of chance alone, not of the line: see docs/results/tetris-estimates.md";

fn base(setup: &EstimateSetup, method: &str, estimate: Option<(f64, [f64; 2])>) -> EstimateBase {
    EstimateBase {
        game: Tetris::NAME.into(),
        player: setup.player.clone(),
        method: method.into(),
        value: estimate.map(|(value, _)| value),
        ci95: estimate.map(|(_, ci95)| ci95),
        options: options(&setup.rules),
        seed: setup.seed,
    }
}

pub fn heights_text(
    setup: &EstimateSetup,
    table: &Table,
    estimate: Option<&heights::Estimate>,
) -> anyhow::Result<()> {
    let mut out = stdout();
    let (pieces, segments) = (table.pieces(), table.segments());
    writeln!(out, "{}", heading::<Tetris>(&setup.rules, &setup.player, setup.seed, "heights"))?;
    writeln!(out, "{pieces} pieces in {segments} segments\n")?;
    let end = setup.rules.limit() as usize + 1;
    writeln!(out, "height       count   frequency    95 %         fit")?;
    for row in table.rows() {
        let Row { height, count, frequency, relative_error } = row;
        let name = if height == end { "over".to_string() } else { height.to_string() };
        let error = relative_error.map_or(String::new(), |error| format!("± {:.1} %", 100.0 * Z95 * error));
        let fit = estimate.filter(|fit| height >= fit.fitted[0]).map(|fit| {
            let value = fit.line.predict(height as f64).value;
            let used = if height <= fit.fitted[1] { "" } else { "  carried on" };
            format!("{value:9.3e}{used}")
        });
        let line =
            format!("{name:>6}{count:>12}   {frequency:9.3e}   {error:<10}{}", fit.unwrap_or_default());
        writeln!(out, "{}", line.trim_end())?;
    }
    let (games, played) = table.ended();
    writeln!(out)?;
    match estimate {
        Some(fit) => {
            let [first, last] = fit.fitted;
            let (factor, chi2) = (math::exp(fit.line.slope), fit.line.chi2_per_dof);
            writeln!(
                out,
                "heights {first} to {last}: times {factor:.3} a row, chi2 {chi2:.1} per degree of freedom"
            )?;
            writeln!(
                out,
                "mean lines   {}   95 % {} by bootstrap over segments",
                number(fit.value),
                interval(fit.ci95)
            )?;
            let others =
                fit.by_start.iter().map(|&(start, value)| format!("from {start}: {}", number(value)));
            writeln!(out, "by the first height of the fit   {}", others.collect::<Vec<_>>().join(", "))?;
            writeln!(out, "{WARNING}")?;
        }
        None => writeln!(out, "no estimate: the tail has fewer than three heights")?,
    }
    if games > 0 {
        let relative = relative_precision(games as usize);
        let ci95 = [played * (1.0 - relative).max(0.0), played * (1.0 + relative)];
        writeln!(
            out,
            "{games} games ended, which alone tell {} lines   95 % {}",
            number(played),
            interval(ci95)
        )?;
    }
    Ok(())
}

pub fn heights_json(
    setup: &EstimateSetup,
    table: &Table,
    estimate: Option<&heights::Estimate>,
) -> anyhow::Result<()> {
    let (games, played) = table.ended();
    Ok(print(&Estimated::Heights(HeightsEstimate {
        base: base(setup, "heights", estimate.map(|fit| (fit.value, fit.ci95))),
        budget: setup.budget,
        pieces: table.pieces(),
        segments: table.segments(),
        games_ended: games,
        played_value: (games > 0).then_some(played),
        table: table.rows(),
        fit: estimate.cloned(),
    }))?)
}

pub fn growth_text(
    setup: &EstimateSetup,
    heights: &[growth::Height],
    estimate: Option<&growth::Estimate>,
) -> anyhow::Result<()> {
    let mut out = stdout();
    writeln!(out, "{}\n", heading::<Tetris>(&setup.rules, &setup.player, setup.seed, "growth"))?;
    writeln!(out, "rows    games   mean lines   95 %                     fit")?;
    for point in heights {
        let fit = estimate.map(|fit| number(fit.line.predict(f64::from(point.height)).value));
        let (mean, ci95) = (number(point.mean), interval(point.ci95));
        let line = format!(
            "{:>4}{:>9}   {mean:>10}   {ci95:<24} {}",
            point.height,
            point.n,
            fit.unwrap_or_default()
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out)?;
    match estimate {
        Some(fit) => {
            let ([low, high], chi2) = (fit.factor_ci95, fit.line.chi2_per_dof);
            writeln!(
                out,
                "times {:.3} a row [{low:.3}, {high:.3}], chi2 {chi2:.1} per degree of freedom",
                fit.factor
            )?;
            let (value, ci95) = (number(fit.prediction.value), interval(fit.prediction.ci95));
            writeln!(out, "mean lines on {} rows   {value}   95 % {ci95}", setup.rules.height)?;
            writeln!(out, "{WARNING}")?;
        }
        None => writeln!(out, "no estimate: it takes three heights with lines")?,
    }
    Ok(())
}

pub fn growth_json(
    setup: &EstimateSetup,
    heights: &[growth::Height],
    estimate: Option<&growth::Estimate>,
) -> anyhow::Result<()> {
    Ok(print(&Estimated::Growth(GrowthEstimate {
        base: base(setup, "growth", estimate.map(|fit| (fit.prediction.value, fit.prediction.ci95))),
        budget: setup.budget,
        points: heights.to_vec(),
        factor: estimate.map(|fit| fit.factor),
        factor_ci95: estimate.map(|fit| fit.factor_ci95),
        chi2_per_dof: estimate.map(|fit| fit.line.chi2_per_dof),
    }))?)
}
