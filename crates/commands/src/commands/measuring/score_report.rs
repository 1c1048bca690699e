//! What a measurement of scores came to, for people and for machines.

use std::io::{Write, stdout};

use games::error::one_line;
use measure::score::{Games, ScoreSetup};
use play::numbers::{interval, number};
use play::{PlayedGame, title};
use stats::{Ratio, Summary, Verdict, exponential_test, histogram, paired_ratio};

use crate::outputs::{PlayerScore, ScoreRatio, Scores, options, print};
use crate::terminal::short;

/// Rows and width of a histogram.
const HISTOGRAM: (usize, usize) = (10, 40);
/// Fewer scores than this say nothing about their law.
const FEWEST: usize = 10;
/// So few games need an interval that is no approximation: by 2/sqrt(n) the mean of four games may be anything from 0 on.
const FEW: usize = 30;

pub fn text<G: PlayedGame>(setup: &ScoreSetup<G>, threads: usize, games: &Games) -> anyhow::Result<()> {
    let mut out = stdout();
    let (title, options) = title::<G>(&setup.rules);
    let options: Vec<String> = options.into_iter().map(|(key, value)| format!(", {key} {value}")).collect();
    let (n, seed, unit) = (setup.games, setup.seed, G::SCORE_UNIT);
    writeln!(out, "{title}{}, {n} games, seed {seed}, {threads} threads", options.concat())?;
    for (player, name) in setup.players.iter().enumerate() {
        let lines = games.scores(player);
        let Summary { n, mean, sd, median, min, max, exponential_ci95, bootstrap_ci95 } = Summary::of(&lines);
        writeln!(out, "\n{}", one_line(name))?;
        if n == 0 {
            writeln!(out, "  no game is over")?;
            continue;
        }
        writeln!(out, "  mean {unit}   {}   95 % {} by 2/sqrt(n)", number(mean), interval(exponential_ci95))?;
        let below_mean = " ".repeat(number(mean).len());
        writeln!(out, "  {:<13}{below_mean}   95 % {} by bootstrap", "", interval(bootstrap_ci95))?;
        let broken = games.broken_off(player).count();
        if n < FEW && broken == 0 {
            let exact = interval(games.exact_ci95(player));
            writeln!(out, "  {:<13}{below_mean}   95 % {exact} by the exponential law, for few games", "")?;
        }
        writeln!(out, "  median {}   sd {}   min {min}   max {max}   n {n}", number(median), number(sd))?;
        if broken > 0 {
            let (better, exact) = (number(games.censored_mean(player)), interval(games.exact_ci95(player)));
            let were = if broken == 1 { "game was" } else { "games were" };
            writeln!(
                out,
                "  {broken} {were} broken off: with their {unit} the mean is about {better}, 95 % {exact} by the exponential law; \
                 the one above is too low"
            )?;
        }
        writeln!(out, "  {} decisions/s on one thread", short(games.speed(player)))?;
        if n >= FEWEST {
            let test = exponential_test(&lines);
            let says = if test.p_value < 0.05 { "not exponential" } else { "fits the exponential law" };
            writeln!(out, "  Kolmogorov-Smirnov D = {:.4}, p = {:.3}: {says}", test.statistic, test.p_value)?;
            for line in histogram(&lines, HISTOGRAM.0, HISTOGRAM.1).lines() {
                writeln!(out, "  {line}")?;
            }
        }
    }
    if setup.players.len() > 1 {
        writeln!(out, "\npaired, on the same deals")?;
        for (first, second, ratio) in ratios(setup, games) {
            writeln!(out, "  {}", one_line(&verdict(first, second, &ratio)))?;
        }
    }
    Ok(())
}

/// Every two players, and the ratio of their means.
fn ratios<'a, G: PlayedGame>(setup: &'a ScoreSetup<G>, games: &Games) -> Vec<(&'a str, &'a str, Ratio)> {
    let mut all = Vec::new();
    for (i, first) in setup.players.iter().enumerate() {
        for (j, second) in setup.players.iter().enumerate().skip(i + 1) {
            let (a, b) = games.paired(i, j);
            if a.len() > 1 {
                all.push((first.as_str(), second.as_str(), paired_ratio(&a, &b)));
            }
        }
    }
    all
}

fn verdict(first: &str, second: &str, ratio: &Ratio) -> String {
    let [low, high] = ratio.ci95;
    let says = match (ratio.verdict, ratio.more_games) {
        (Verdict::FirstBetter, _) => format!("{first} is better"),
        (Verdict::SecondBetter, _) => format!("{second} is better"),
        (Verdict::Open, Some(more)) => format!("open; about {more} more games would settle it"),
        (Verdict::Open, None) => "open; no number of games would settle it".to_string(),
    };
    format!("{first} / {second} = {:.3} [{low:.3}, {high:.3}], n {}: {says}", ratio.ratio, ratio.n)
}

pub fn json<G: PlayedGame>(setup: &ScoreSetup<G>, threads: usize, games: &Games) -> anyhow::Result<()> {
    let player = |(player, name): (usize, &String)| {
        let lines = games.scores(player);
        let summary = Summary::of(&lines);
        let broken_off = games.broken_off(player).count();
        PlayerScore {
            player: name.clone(),
            n: summary.n,
            mean: summary.mean,
            ci95: summary.exponential_ci95,
            bootstrap_ci95: summary.bootstrap_ci95,
            median: summary.median,
            sd: summary.sd,
            min: summary.min,
            max: summary.max,
            decisions_per_second: games.speed(player),
            exact_ci95: games.exact_ci95(player),
            broken_off,
            exponential_test: (summary.n >= FEWEST).then(|| exponential_test(&lines)),
            censored_mean: (broken_off > 0).then(|| games.censored_mean(player)),
        }
    };
    let ratio = |(first, second, ratio): (&str, &str, Ratio)| ScoreRatio {
        first: first.into(),
        second: second.into(),
        n: ratio.n,
        ratio: ratio.ratio,
        ci95: ratio.ci95,
        verdict: match ratio.verdict {
            Verdict::FirstBetter => "first",
            Verdict::SecondBetter => "second",
            Verdict::Open => "open",
        }
        .into(),
        more_games: ratio.more_games,
    };
    Ok(print(&Scores {
        game: G::NAME.into(),
        options: options(&setup.rules),
        games: setup.games,
        seed: setup.seed,
        threads,
        players: setup.players.iter().enumerate().map(player).collect(),
        pairs: ratios(setup, games).into_iter().map(ratio).collect(),
    })?)
}
