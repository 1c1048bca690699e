//! What a match of two came to, for people and for machines.

use std::collections::HashSet;
use std::io::{Write, stdout};

use measure::arena::{DuelSetup, Results, Tally};
use play::PlayedGame;
use play::numbers::{moment, percent};
use stats::{Decision, Elo, Mean, Scale, Share, Sprt};

use super::arena::{Arena, repeated};
use crate::outputs::{Adjudicated, Duelled, Forfeit, SideCounts, Test, WinsAs, options, print};
use crate::terminal::label;

/// Fewer games than this tell nothing about how many more it would take.
const FEW: u64 = 20;

/// More games than this are not worth hoping for.
const HOPELESS: f64 = 1e9;

pub struct Report<'a, G: PlayedGame> {
    setup: &'a DuelSetup<G>,
    results: &'a Results,
    tally: Tally,
    elo: Elo,
}

impl<'a, G: PlayedGame> Report<'a, G> {
    pub fn new(setup: &'a DuelSetup<G>, results: &'a Results) -> Self {
        let tally = Tally::of(results.counted(), 0, 1);
        let elo = Elo::of_pairs(&tally.pentanomial);
        Self { setup, results, tally, elo }
    }

    pub fn text(&self, heading: &str) -> anyhow::Result<()> {
        let mut out = stdout();
        let (tally, elo) = (&self.tally, &self.elo);
        let names = [0, 1].map(|player| label(&self.setup.players[player], 60));
        writeln!(out, "{heading}")?;
        writeln!(out, "\n{} against {}", names[0], names[1])?;
        if tally.games() == 0 {
            writeln!(out, "  no pair is over")?;
            return Ok(());
        }
        writeln!(out, "  won {}   drawn {}   lost {}", tally.wins, tally.draws, tally.losses)?;
        let [low, high] = elo.score_ci95.map(|score| 100.0 * score);
        writeln!(out, "  score   {:.1} %   95 % [{low:.1}, {high:.1}]", 100.0 * elo.score)?;
        let normalised = elo_text(elo.normalised);
        let range = interval(elo.ci95);
        writeln!(out, "  Elo     {}   95 % {range}   normalised {normalised}", elo_text(elo.elo))?;
        writeln!(out, "  LOS     {:.2} %", 100.0 * elo.los)?;
        let [ll, ld, level, wd, ww] = tally.pentanomial.0;
        let pairs = tally.pentanomial.pairs();
        writeln!(out, "  pairs   LL {ll}   LD {ld}   WL+DD {level}   WD {wd}   WW {ww}   of {pairs}")?;
        let [first, draws, second] = tally.sides;
        let [one, two] = [G::SIDES[0], G::SIDES[1]];
        writeln!(out, "  sides   {one} won {first}   drawn {draws}   {two} won {second}")?;
        let won = tally.wins_as.map(|wins| Share::of(wins as usize, pairs as usize));
        let [as_one, as_two] = won.map(|share| percent(share.share, share.ci95));
        writeln!(out, "  {} wins {as_one} as {one} and {as_two} as {two}, n {pairs} each", names[0])?;
        if !G::SCORE_UNIT.is_empty() {
            let Mean { n, mean, ci95: [low, high], .. } = tally.margin;
            let played = match tally.games() - n as u64 {
                0 => String::new(),
                early => format!(", without {early} games that were ended early"),
            };
            if n > 0 {
                let unit = G::SCORE_UNIT;
                writeln!(out, "  margin  {mean:+.1} {unit}   95 % [{low:+.1}, {high:+.1}]{played}")?;
            }
        }
        let [a, b] = tally.seconds_per_move.map(moment);
        writeln!(
            out,
            "  length  {:.1} moves a game; a move takes {} {a}, {} {b}",
            tally.moves.mean, names[0], names[1]
        )?;
        for (name, forfeits) in names.iter().zip(&tally.forfeits) {
            for (reason, count) in forfeits.iter().take(5) {
                writeln!(out, "  {name} lost {count}: {reason}")?;
            }
            if forfeits.len() > 5 {
                writeln!(out, "  {name} lost more games for {} other reasons", forfeits.len() - 5)?;
            }
        }
        if tally.too_long > 0 {
            writeln!(
                out,
                "  {} games reached {} moves and are drawn",
                tally.too_long, self.setup.most_moves
            )?;
        }
        let [resigned, level, solved] = tally.adjudicated;
        if resigned + level + solved > 0 {
            writeln!(
                out,
                "  ended early: {solved} solved, {resigned} given up, {level} drawn by the players' values"
            )?;
        }
        if let Some(tested) = self.results.sprt() {
            writeln!(out, "  SPRT    {}", test_text(tested))?;
            if tested.2 != Decision::Open {
                writeln!(
                    out,
                    "  a test that stops early leans outward: Elo and interval are those of a fixed number of games"
                )?;
            }
        }
        if let Some(warning) = repeated(self.setup, self.results) {
            writeln!(out, "  {warning}")?;
        }
        writeln!(out, "  {}", self.verdict(&names))?;
        Ok(())
    }

    fn verdict(&self, names: &[String; 2]) -> String {
        match (self.elo.ci95, self.more_games()) {
            ([low, _], _) if low > 0.0 => format!("{} is better", names[0]),
            ([_, high], _) if high < 0.0 => format!("{} is better", names[1]),
            // Score and spread of a few games say nothing about more.
            _ if self.elo.games < FEW => {
                "open; these are too few games to tell how many would settle it".to_string()
            }
            (_, Some(more)) => format!("open; about {more} more games would settle it"),
            (_, None) => "open; no number of games in sight would settle it".to_string(),
        }
    }

    /// About how many more games would settle it, if score and spread stayed what they are.
    fn more_games(&self) -> Option<u64> {
        let [low, high] = self.elo.score_ci95;
        let advantage = (self.elo.score - 0.5).abs();
        let wanted = self.elo.games as f64 * math::powi((high - low) / 2.0 / advantage, 2);
        // In whole pairs.
        let more = ((wanted - self.elo.games as f64) / 2.0).ceil() * 2.0;
        (low <= 0.5 && high >= 0.5 && more < HOPELESS).then_some(more.max(2.0) as u64)
    }

    pub fn json(&self, arena: &Arena) -> anyhow::Result<()> {
        let (tally, elo, setup) = (&self.tally, &self.elo, self.setup);
        let forfeits = tally.forfeits.each_ref().map(|reasons| {
            let forfeit = |(reason, games): &(String, u64)| Forfeit { reason: reason.clone(), games: *games };
            reasons.iter().map(forfeit).collect()
        });
        let verdict = match elo.ci95 {
            [low, _] if low > 0.0 => "first",
            [_, high] if high < 0.0 => "second",
            _ => "open",
        };
        let [first, draws, second] = tally.sides;
        let [resign, draw, solved] = tally.adjudicated;
        Ok(print(&Duelled {
            game: G::NAME.into(),
            options: options(&setup.rules),
            players: setup.players.clone(),
            seed: setup.seed,
            threads: arena.common.threads(),
            openings: setup.openings.label().into(),
            distinct_openings: openings_played(self.results),
            credit: setup.game_time,
            limits: arena.move_limits(),
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            score: elo.score,
            score_ci95: elo.score_ci95,
            elo: elo.elo,
            ci95: elo.ci95,
            normalised_elo: elo.normalised,
            los: elo.los,
            pentanomial: tally.pentanomial,
            sides: SideCounts { first, draws, second },
            wins_as: WinsAs { first: tally.wins_as[0], second: tally.wins_as[1] },
            moves: tally.moves,
            margin: tally.margin,
            seconds_per_move: tally.seconds_per_move,
            forfeits,
            too_long: tally.too_long,
            adjudicated: Adjudicated { resign, draw, solved },
            llr: self.results.sprt().map(|(_, llr, _)| llr),
            sprt: self.results.sprt().map(test),
            verdict: verdict.into(),
            more_games: self.more_games(),
            complete: self.results.complete(),
        })?)
    }
}

/// A test, how it stands, and what it says.
pub fn test_text((test, llr, decision): (Sprt, f64, Decision)) -> String {
    let [lower, upper] = test.bounds();
    let (elo0, elo1) = (test.elo0, test.elo1);
    let says = match decision {
        Decision::AcceptH1 => format!("H1 is accepted: rather {elo1} than {elo0} Elo"),
        Decision::AcceptH0 => format!("H0 is accepted: rather {elo0} than {elo1} Elo"),
        Decision::Open => "open".to_string(),
    };
    let scale = if test.scale == Scale::Normalised { "normalised " } else { "" };
    let [alpha, beta] = [test.alpha, test.beta].map(|share| (share * 1e6).round() / 1e4);
    format!(
        "{scale}Elo {elo0} or {elo1}, errors {alpha} % and {beta} %: LLR {llr:.2} in [{lower:.2}, {upper:.2}]: {says}"
    )
}

/// The same for machines.
pub fn test((test, llr, decision): (Sprt, f64, Decision)) -> Test {
    let Sprt { elo0, elo1, scale, alpha, beta, .. } = test;
    Test { elo0, elo1, scale, alpha, beta, llr, bounds: test.bounds(), decision }
}

/// A difference in Elo.
pub fn elo_text(elo: f64) -> String {
    match elo {
        _ if elo.is_nan() => "unknown".to_string(),
        f64::INFINITY => "+inf".to_string(),
        f64::NEG_INFINITY => "-inf".to_string(),
        _ => format!("{elo:+.1}"),
    }
}

/// How many different openings were played.
pub fn openings_played(results: &Results) -> usize {
    results.counted().map(|pair| &pair.opening).collect::<HashSet<_>>().len()
}

pub fn interval([low, high]: [f64; 2]) -> String {
    format!("[{}, {}]", elo_text(low), elo_text(high))
}
