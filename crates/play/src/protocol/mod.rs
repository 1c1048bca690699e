//! Wire protocols: our players at other people's tables, and theirs at ours. One protocol a file.
//!
//! `gtp` serves a player of any game for two over pipes; `thinker` is that player, `pipe` what goes in and out. Othello also speaks the
//! protocol of NBoard. `xml_rpc` on `xml` and `http` is the protocol of a course framework for Avalam: each agent is a server, the referee
//! its client; `avalam` turns what goes over the wire into positions and moves, `server` serves a player, `external` is
//! a player that asks a server. All of it is written on `std::net`; whatever comes in is taken for hostile. `process` is a program at the
//! other end of a pipe.

pub mod avalam;
pub mod external;
pub mod gtp;
pub mod http;
pub mod log;
pub mod othello;
pub mod pipe;
mod process;
pub mod server;
pub mod thinker;
mod xml;
pub mod xml_rpc;

#[cfg(test)]
mod tests;

use std::io::{self, BufRead, Write};

use thiserror::Error;

use crate::PlayedGame;
use crate::players::PlayerError;

use self::thinker::Thinker;

/// A protocol in the list of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProtocolInfo {
    /// The name on the command line.
    pub name: &'static str,
    /// What speaks it, in one line.
    pub summary: &'static str,
    /// Whether it is spoken over the network and not over pipes.
    pub is_network: bool,
}

/// What every game for two speaks.
pub const GTP: ProtocolInfo = ProtocolInfo {
    name: "gtp",
    summary: "version 2 over standard input and output, for Quarry, GoGui and other engines",
    is_network: false,
};

/// The protocols of a game: its own first, of which the first is the usual one.
pub fn protocols<G: PlayedGame>() -> Vec<ProtocolInfo> {
    let common = crate::search::is_searchable::<G>().then_some(GTP);
    let own = G::PROTOCOLS.iter().copied();
    if G::PROTOCOLS.iter().any(|one| one.is_network) {
        own.chain(common).collect()
    } else {
        common.into_iter().chain(own).collect()
    }
}

/// Where a player is served, and who is served.
pub struct Table<'a> {
    /// The text of the player.
    pub player: &'a str,
    /// The seed of its lots.
    pub seed: u64,
    /// Where lines come from.
    pub input: Box<dyn BufRead + Send>,
    /// Where answers go.
    pub output: &'a mut dyn Write,
    /// The address and the port to listen at, of a protocol over the network.
    pub address: (&'a str, u16),
    /// Whether it is time to stop.
    pub stop: &'a dyn Fn() -> bool,
}

/// Why nobody is served.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The player is at fault.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// Nobody can listen there.
    #[error("cannot listen at {address}, port {port}: {cause}")]
    Address {
        /// The address.
        address: String,
        /// The port.
        port: u16,
        /// What the system says.
        cause: io::Error,
    },
    /// The wire is cut.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Serves a player by a protocol of [`protocols`], until told to stop.
///
/// # Errors
/// There is no such player, or the wire is cut.
pub fn serve<G: PlayedGame>(
    protocol: &str,
    rules: &G::Rules,
    mut table: Table<'_>,
) -> Result<(), ServeError> {
    if protocol != GTP.name {
        return G::serve(protocol, rules, table);
    }
    let thinker = Thinker::<G>::new(rules, table.player, table.seed)?;
    Ok(pipe::serve_gtp(rules, thinker, &mut table.input, table.output)?)
}
