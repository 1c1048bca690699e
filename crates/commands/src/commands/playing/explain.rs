//! `evalforge analyze --why`: the moves of a position as a player sees them, best first.

use clap::Args;
use games::Turn;
use games::error::InputError;
use play::PlayedGame;
use play::analyze::explain::Critic;

use super::explain_report::{self, Explained};
use crate::arguments::{For, Given, OnGame, Position, whole_number};
use crate::failure::Usage;
use crate::rooms::{CliGame, Own};

/// Moves in the table unless given.
pub const SHOWN: usize = 5;

/// Explain a player's choice: every move with its value, and what each feature adds to it
#[derive(Debug, Args)]
pub struct Explain {
    /// A player of an evaluation function that 'evalforge list players' names, or a model file
    #[arg(long)]
    pub player: String,
    /// What to explain.
    #[command(flatten)]
    pub at: Position,
    #[arg(
        long,
        value_name = "N",
        value_parser = whole_number(1..=1000usize),
        help = format!("Show the features of the N best [default: {SHOWN}; all with --json]")
    )]
    pub top: Option<usize>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl OnGame for Explain {
    const FOR: For = For::All;
    const USAGE: Option<&'static str> = Some("evalforge analyze <GAME> --why --player <PLAYER> [OPTIONS]");

    fn own<G: CliGame>() -> Option<Own> {
        G::EXPLAIN
    }

    fn run<G: CliGame>(self, given: &Given) -> anyhow::Result<()> {
        if let Some(own) = G::EXPLAIN {
            return (own.run)(given);
        }
        let rules = given.rules::<G>()?;
        self.explain(self.at.of::<G>(&rules)?, &rules)
    }
}

impl Explain {
    /// Whoever can tell what the player sees.
    pub fn critic<G: PlayedGame>(&self, rules: &G::Rules) -> anyhow::Result<Critic<G>> {
        Ok(Critic::new(rules, &self.player)?.ok_or_else(|| {
            let reason =
                "plays without an evaluation function of its own, so that there is nothing to explain";
            Usage(format!("player '{}' {reason}; 'evalforge list players' names others", self.player))
        })?)
    }

    /// Explains a position.
    pub fn explain<G: PlayedGame>(&self, position: G, rules: &G::Rules) -> anyhow::Result<()> {
        let reason = match position.turn() {
            Turn::Player(_) => None,
            Turn::Over => Some("the game is over"),
            Turn::Chance => Some("chance is to deal"),
        };
        if let Some(reason) = reason {
            return Err(InputError::position(&position.text(), reason).into());
        }
        let critic = self.critic(rules)?;
        let explained =
            Explained { ranking: critic.ranking(&position), position, player: &self.player, critic };
        if self.json {
            explain_report::json(&explained, self.top.unwrap_or(usize::MAX))?;
        } else {
            explain_report::text(&explained, self.top.unwrap_or(SHOWN))?;
        }
        Ok(())
    }
}
