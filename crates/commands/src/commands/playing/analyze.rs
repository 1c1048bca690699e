//! `evalforge analyze`: every move of a position with its value, how both sides would go on, and what each feature adds.

use std::io::{Write, stdout};

use clap::{Args, Command};
use games::draw::Pen;
use games::error::one_line;
use games::{InputError, Turn};
use play::PlayedGame;
use play::analyze::{Analysed, analyze};
use play::players::spec::Spec;
use serde_json::{Map, Value, json};

use crate::arguments::{For, Given, OnGame, Seed, position, whole_number, with_changed};
use crate::rooms::CliGame;
use crate::terminal::{StatusBar, at_once, colour, short};

/// Who looks unless somebody is named, or the game has something better.
const PLAYER: &str = "alphabeta(time=5)";

/// Tell what every move of a position is worth: its value, the expected line, the share of each feature
///
/// All moves are searched together, to one depth and then to the next, as far as the time or the nodes last, so that all values come
/// from the same depth; simulations are shared out equally. Where the end is seen the value is what the game is won or lost by; else it is in the unit of the evaluation. Shares of
/// features are those of the position right after the move, for the side that made it, if the evaluation is linear.
#[derive(Debug, Args)]
pub struct Analyze {
    /// Look at this position, in the game's text form, instead of the start
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,
    /// The search and its evaluation, as alphabeta(depth=8, eval=my/model.json)
    #[arg(long, default_value = PLAYER)]
    player: String,
    /// Show the shares of the N weightiest features; JSON has all
    #[arg(long, value_name = "N", default_value = "5", value_parser = whole_number(1..=1000usize))]
    top: usize,
    #[command(flatten)]
    seed: Seed,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl OnGame for Analyze {
    const FOR: For = For::Two;
    const USAGE: Option<&'static str> = Some("evalforge analyze <GAME> [OPTIONS]");

    fn describe<G: CliGame>(command: Command) -> Command {
        let player = G::BEST.map_or(PLAYER, |best| best.analyst);
        with_changed(Self::augment_args(command), "player", |arg| arg.default_value(player))
    }

    fn run<G: CliGame>(self, given: &Given) -> anyhow::Result<()> {
        let rules = given.rules::<G>()?;
        let position = position::<G>(self.position.as_deref(), &rules)?;
        if position.turn() == Turn::Over {
            return Err(InputError::position(&position.text(), "the game is over").into());
        }
        let spec = Spec::parse(&self.player).map_err(play::players::PlayerError::from)?;
        let progress = StatusBar::new("searching", position.count_moves() as u64);
        let mut watch = |done: usize, _all: usize| {
            progress.set(done as u64);
            true
        };
        let search = || analyze::<G>(&rules, &position, &spec, self.seed.seed, &mut watch);
        let analysed = at_once("; not all moves were looked at", search);
        progress.finish();
        let all = analysed?.expect("nobody breaks it off");
        if self.json {
            writeln!(stdout(), "{:#}", json(&position, &spec, &all))?;
        } else {
            text(&position, &spec, &all, self.top)?;
        }
        Ok(())
    }
}

/// What a move leads to.
fn verdict<G: PlayedGame>(one: &Analysed<G>) -> String {
    let margin = one.value.abs();
    let by = if margin >= 1.0 && !G::SCORE_UNIT.is_empty() { format!(" by {margin}") } else { String::new() };
    match one.value {
        value if !one.decided => format!("{value:+.3}"),
        value if value > 0.0 => format!("wins{by}"),
        value if value < 0.0 => format!("loses{by}"),
        _ => "draws".into(),
    }
}

/// The moves of a line as text.
fn line<G: PlayedGame>(position: &G, moves: &[G::Move]) -> Vec<String> {
    let mut at = position.clone();
    let mut text = |&mv: &G::Move| {
        let text = at.move_text(mv);
        at.play_unchecked(mv);
        text
    };
    moves.iter().map(&mut text).collect()
}

fn text<G: PlayedGame>(position: &G, spec: &Spec, all: &[Analysed<G>], top: usize) -> std::io::Result<()> {
    let mut out = stdout();
    let mut pen = Pen::new(colour());
    position.draw(&mut pen, None);
    writeln!(out, "{}", pen.finish().trim_end())?;
    writeln!(out, "{}\n", one_line(&spec.to_string()))?;
    writeln!(out, "{:>6} {:>14} {:>6} {:>9} {:>8}  line", "move", "value", "depth", "nodes", "seconds")?;
    for one in all {
        writeln!(
            out,
            "{:>6} {:>14} {:>6} {:>9} {:>8.3}  {}",
            position.move_text(one.mv),
            verdict(one),
            if one.exact { "end".to_string() } else { one.depth.to_string() },
            short(one.nodes as f64),
            one.seconds,
            line(position, &one.line).join(" ")
        )?;
    }
    for one in all.iter().filter(|one| !one.shares.is_empty()) {
        let mut shares: Vec<&(String, f64)> = one.shares.iter().filter(|(_, share)| *share != 0.0).collect();
        shares.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let shown: Vec<String> =
            shares.iter().take(top).map(|(name, share)| format!("{name} {share:+.3}")).collect();
        let rest: f64 = shares.iter().skip(top).map(|(_, share)| share).sum();
        let rest = if shares.len() > top {
            format!(", {} others {rest:+.3}", shares.len() - top)
        } else {
            String::new()
        };
        writeln!(out, "{:>6} {}{rest}", position.move_text(one.mv), shown.join(", "))?;
    }
    Ok(())
}

fn json<G: PlayedGame>(position: &G, spec: &Spec, all: &[Analysed<G>]) -> Value {
    let one = |one: &Analysed<G>| {
        let shares: Map<String, Value> =
            one.shares.iter().map(|(name, share)| (name.clone(), json!(share))).collect();
        json!({
            "move": position.move_text(one.mv), "value": one.value, "decided": one.decided, "exact": one.exact, "depth": one.depth,
            "nodes": one.nodes, "seconds": one.seconds, "line": line(position, &one.line), "shares": shares,
        })
    };
    let moves: Vec<Value> = all.iter().map(one).collect();
    json!({ "game": G::NAME, "position": position.text(), "player": spec.to_string(), "moves": moves })
}
