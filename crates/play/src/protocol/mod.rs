//! Wire protocols: our players at other people's tables, and theirs at ours. One protocol a file.
//!
//! `xml_rpc` on `xml` and `http` is the protocol of a course framework for Avalam: each agent is a server, the referee
//! its client. `avalam` turns what goes over the wire into positions and moves, `server` serves a player, `external` is
//! a player that asks a server. All of it is written on `std::net`; whatever comes in is taken for hostile. `othello` speaks GTP and
//! the protocol of NBoard over pipes, `process` is a program at the other end.

pub mod avalam;
pub mod external;
pub mod http;
pub mod othello;
mod process;
pub mod server;
mod xml;
pub mod xml_rpc;

#[cfg(test)]
mod tests;

/// A protocol in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProtocolInfo {
    /// The name on the command line.
    pub name: &'static str,
    /// The game that is played over it.
    pub game: &'static str,
    /// What speaks it, in one line.
    pub summary: &'static str,
}

/// The one list of protocols that a player can be served by.
pub const PROTOCOLS: &[ProtocolInfo] = &[
    ProtocolInfo {
        name: "xml-rpc",
        game: "avalam",
        summary: "an agent for the course framework, method 'play' over HTTP",
    },
    ProtocolInfo {
        name: "gtp",
        game: "othello",
        summary: "version 2 over standard input and output, for Quarry, GoGui and other engines",
    },
    ProtocolInfo {
        name: "nboard",
        game: "othello",
        summary: "version 2 over standard input and output, for NBoard",
    },
];
