//! What a match of two came to, for people and for machines.

use std::collections::HashSet;
use std::io::{Write, stdout};

use games::Rules;
use measure::arena::{DuelSetup, Results, Tally};
use play::PlayedGame;
use play::numbers::{moment, percent};
use serde_json::{Map, Value, json};
use stats::{Decision, Elo, Mean, Scale, Share, Sprt};

use super::arena::{Arena, repeated};
use crate::schemas::with_schema;
use crate::terminal::label;

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
            let Mean { mean, ci95: [low, high], .. } = tally.margin;
            writeln!(out, "  margin  {mean:+.1} {}   95 % [{low:+.1}, {high:+.1}]", G::SCORE_UNIT)?;
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
        let options: Map<_, _> =
            setup.rules.to_pairs().into_iter().map(|(key, value)| (key.into(), json!(value))).collect();
        let forfeits = tally.forfeits.each_ref().map(|reasons| {
            let reason = |(reason, games): &(String, u64)| json!({ "reason": reason, "games": games });
            reasons.iter().map(reason).collect::<Vec<_>>()
        });
        let sprt = self.results.sprt().map(test_json);
        let verdict = match elo.ci95 {
            [low, _] if low > 0.0 => "first",
            [_, high] if high < 0.0 => "second",
            _ => "open",
        };
        let sides = json!({ "first": tally.sides[0], "draws": tally.sides[1], "second": tally.sides[2] });
        // What is not finite becomes null.
        let result = json!({
            "game": G::NAME, "options": options, "players": setup.players, "seed": setup.seed, "threads": arena.common.threads(),
            "openings": setup.openings.label(), "distinct_openings": openings_played(self.results), "credit": setup.game_time,
            "limits": arena.limits_json(),
            "games": tally.games(), "wins": tally.wins, "draws": tally.draws, "losses": tally.losses,
            "score": elo.score, "score_ci95": elo.score_ci95, "elo": elo.elo, "ci95": elo.ci95,
            "normalised_elo": elo.normalised, "los": elo.los, "pentanomial": tally.pentanomial, "sides": sides,
            "wins_as": { "first": tally.wins_as[0], "second": tally.wins_as[1] },
            "moves": tally.moves, "margin": tally.margin, "seconds_per_move": tally.seconds_per_move,
            "forfeits": forfeits, "too_long": tally.too_long,
            "adjudicated": { "resign": tally.adjudicated[0], "draw": tally.adjudicated[1], "solved": tally.adjudicated[2] },
            "llr": self.results.sprt().map(|(_, llr, _)| llr),
            "sprt": sprt, "verdict": verdict, "more_games": self.more_games(), "complete": self.results.complete(),
        });
        writeln!(stdout(), "{:#}", with_schema("duel", result))?;
        Ok(())
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
pub fn test_json((test, llr, decision): (Sprt, f64, Decision)) -> Value {
    json!({
        "elo0": test.elo0, "elo1": test.elo1, "scale": test.scale, "alpha": test.alpha, "beta": test.beta,
        "llr": llr, "bounds": test.bounds(), "decision": decision,
    })
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
