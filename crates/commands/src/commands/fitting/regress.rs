//! `evalforge fit tables`: an evaluation fitted to the results of recorded games.

use clap::Args;

use crate::arguments::{Common, For, Given, OnGame};
use crate::rooms::{CliGame, Own};

/// Fit tables of patterns, or sums of criteria, to the results of recorded games
#[derive(Debug, Args)]
pub struct Regress {
    /// Seed, threads, JSON.
    #[command(flatten)]
    pub common: Common,
}

impl OnGame for Regress {
    const FOR: For = For::Able("has no tables to fit to recorded games");
    const USAGE: Option<&'static str> = Some("evalforge fit tables <GAME> --data <PATH>... [OPTIONS]");

    fn own<G: CliGame>() -> Option<Own> {
        G::REGRESS
    }

    fn run<G: CliGame>(self, given: &Given) -> anyhow::Result<()> {
        given.run_own(G::REGRESS)
    }
}
