//! `evalforge solve`: the best play of a game, computed.

use clap::Args;

use crate::arguments::{For, Given, OnGame, Threads};
use crate::rooms::{CliGame, Own};

/// Compute the best play of a game that can be solved, on a small board or near the end
///
/// The solution is exact, not learned.
#[derive(Debug, Args)]
pub struct Solve {
    /// On how many threads.
    #[command(flatten)]
    pub threads: Threads,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl OnGame for Solve {
    const FOR: For = For::Able("has no solver");

    fn own<G: CliGame>() -> Option<Own> {
        G::SOLVE
    }

    fn run<G: CliGame>(self, given: &Given) -> anyhow::Result<()> {
        given.run_own(G::SOLVE)
    }
}
