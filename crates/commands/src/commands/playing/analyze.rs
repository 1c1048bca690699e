//! `evalforge analyze`: every move of a position with its value, how both sides would go on, and what each feature adds; or, without a
//! search, why a player of a function chooses what it chooses.

use std::io::{Write, stdout};

use clap::{Args, Command};
use games::draw::Pen;
use games::error::one_line;
use games::{InputError, Turn};
use play::PlayedGame;
use play::analyze::{Analysed, analyze};
use play::players::spec::Spec;

use super::advice::{line, verdict};
use super::explain::{Explain, SHOWN};
use crate::arguments::{For, Given, OnGame, Position, Seed, whole_number, with_changed};
use crate::failure::Usage;
use crate::outputs::{AnalysedMove, Analysis, print};
use crate::rooms::{CliGame, Own};
use crate::terminal::{StatusBar, at_once, colour, short};

/// Who looks unless somebody is named, or the game has something better.
const PLAYER: &str = "alphabeta(time=5)";

/// Tell what every move of a position is worth: its value, the expected line, the share of each feature
///
/// All moves are searched together, to one depth and then to the next, as far as the time or the nodes last, so that all values come
/// from the same depth; simulations are shared out equally. Where the end is seen the value is what the game is won or lost by; else it is in the unit of the evaluation. Shares of
/// features are those of the position right after the move, for the side that made it, if the evaluation is linear.
///
/// --why does not search: it shows every move as the evaluation function of a player sees it, and what each feature adds. In a game for one,
/// as Tetris, that is what is always shown.
#[derive(Debug, Args)]
pub struct Analyze {
    #[command(flatten)]
    at: Position,
    #[arg(long, help = player_help(PLAYER))]
    player: Option<String>,
    /// Explain a player's choice: every move with its value by the player's own function, and what each feature adds to it
    #[arg(long)]
    why: bool,
    #[arg(
        long,
        value_name = "N",
        value_parser = whole_number(1..=1000usize),
        help = format!("Show the N weightiest features, with --why those of the N best moves [default: {SHOWN}; JSON has all]")
    )]
    top: Option<usize>,
    #[command(flatten)]
    seed: Seed,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn player_help(usual: &str) -> String {
    format!(
        "The search and its evaluation, as alphabeta(depth=8, eval=my/model.json) [default: {usual}]; with --why a player of a function"
    )
}

impl OnGame for Analyze {
    const FOR: For = For::All;
    const USAGE: Option<&'static str> = Some("evalforge analyze <GAME> [OPTIONS]");

    fn describe<G: CliGame>(command: Command) -> Command {
        let help = match G::SIDES {
            [_] => "A player of an evaluation function that 'evalforge list players' names, or a model file"
                .into(),
            _ => player_help(usual::<G>()),
        };
        with_changed(Self::augment_args(command), "player", |arg| arg.help(&help))
    }

    fn own<G: CliGame>() -> Option<Own> {
        G::EXPLAIN
    }

    fn run<G: CliGame>(self, given: &Given) -> anyhow::Result<()> {
        if self.why || G::SIDES.len() == 1 {
            return self.explain::<G>(given);
        }
        if let Some(option) = G::EXPLAIN.and_then(|own| given.any_of(own.describe, &[])) {
            return Err(Usage(format!("--{option} is for --why")).into());
        }
        let rules = given.rules::<G>()?;
        let position = self.at.of::<G>(&rules)?;
        if position.turn() == Turn::Over {
            return Err(InputError::position(&position.text(), "the game is over").into());
        }
        let spec = Spec::parse(self.player.as_deref().unwrap_or(usual::<G>()))
            .map_err(play::players::PlayerError::from)?;
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
            print(&json(&position, &spec, &all))?;
        } else {
            text(&position, &spec, &all, self.top.unwrap_or(SHOWN))?;
        }
        Ok(())
    }
}

/// Who looks unless somebody is named.
fn usual<G: PlayedGame>() -> &'static str {
    G::BEST.map_or(PLAYER, |best| best.analyst)
}

impl Analyze {
    fn explain<G: CliGame>(self, given: &Given) -> anyhow::Result<()> {
        if given.any_of(Seed::augment_args, &[]).is_some() {
            return Err(Usage("--seed is for a search; nothing is left to chance here".into()).into());
        }
        let Some(player) = self.player else {
            let reason = "no player of an evaluation function is given; --player NAME, of those that 'evalforge list players' names";
            return Err(Usage(reason.into()).into());
        };
        Explain { player, at: self.at, top: self.top, json: self.json }.run::<G>(given)
    }
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
            verdict::<G>(one.value, one.decided, 3),
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

fn json<G: PlayedGame>(position: &G, spec: &Spec, all: &[Analysed<G>]) -> Analysis {
    let one = |one: &Analysed<G>| AnalysedMove {
        mv: position.move_text(one.mv),
        value: one.value,
        decided: one.decided,
        exact: one.exact,
        depth: one.depth,
        nodes: one.nodes,
        seconds: one.seconds,
        line: line(position, &one.line),
        shares: one.shares.iter().cloned().collect(),
    };
    Analysis {
        game: G::NAME.into(),
        position: position.text(),
        player: spec.to_string(),
        moves: all.iter().map(one).collect(),
    }
}
