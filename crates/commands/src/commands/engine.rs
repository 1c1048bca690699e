//! `evalforge engine`: a player served to other programs, so that it can sit at their tables.

use std::io::{BufReader, stdin, stdout};

use clap::{Args, Command};
use games::GameInfo;
use play::names::UnknownName;
use play::protocol::{ProtocolInfo, ServeError, Table, protocols, serve};

use crate::arguments::{For, Given, OnGame, Seed, whole_number, with_changed};
use crate::failure::Usage;
use crate::rooms::CliGame;
use crate::terminal::{at_once, interrupted};

/// Serve a player to other programs: to a referee over the network, or to a board over pipes
///
/// Over the network it prints the address that it listens at, and serves one game after another until Ctrl-C. Whoever can reach the
/// address can ask for moves; there is no password. Over pipes it reads commands from standard input and answers on standard
/// output until it is told to quit. Every game for two speaks GTP.
#[derive(Debug, Args)]
pub struct Engine {
    /// What is spoken
    #[arg(long)]
    protocol: String,
    /// A player that 'evalforge list players' names, or a model file
    #[arg(long)]
    player: String,
    #[command(flatten)]
    seed: Seed,
}

/// What only a protocol over the network has.
#[derive(Debug, Args)]
struct Network {
    /// The address to listen at; 0.0.0.0 lets other machines in
    #[arg(short, long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: String,
    /// The port to listen at; 0 is any that is free
    #[arg(short, long, default_value = "8000", value_parser = whole_number(0..=u16::MAX))]
    port: u16,
}

impl OnGame for Engine {
    const FOR: For = For::Able("cannot be served: that takes a game for two without chance");

    fn is_able<G: CliGame>() -> bool {
        GameInfo::of::<G>().is_searchable()
    }

    fn describe<G: CliGame>(command: Command) -> Command {
        let protocols = protocols::<G>();
        let line = |ProtocolInfo { name, summary, .. }: &ProtocolInfo| format!("{name}: {summary}");
        let known: Vec<String> = protocols.iter().map(line).collect();
        let command = with_changed(Self::augment_args(command), "protocol", |arg| {
            let help = format!("What is spoken; {}", known.join("; "));
            arg.required(false).default_value(protocols[0].name).help(help)
        });
        let command = match G::BEST {
            Some(best) => {
                with_changed(command, "player", |arg| arg.required(false).default_value(best.engine))
            }
            None => command,
        };
        if protocols.iter().any(|one| one.is_network) { Network::augment_args(command) } else { command }
    }

    /// Over pipes standard output is the protocol's: nothing else is written there. Over the network Ctrl-C is how it is meant to end.
    fn run<G: CliGame>(self, given: &Given) -> anyhow::Result<()> {
        let known = protocols::<G>();
        if !known.iter().any(|one| one.name == self.protocol) {
            return Err(UnknownName::new("protocol", &self.protocol, known.iter().map(|one| one.name)).into());
        }
        let has_network = known.iter().any(|one| one.is_network);
        let network: Option<Network> = has_network.then(|| given.also()).transpose()?;
        let table = Table {
            player: &self.player,
            seed: self.seed.seed,
            input: Box::new(BufReader::new(stdin())),
            output: &mut stdout(),
            address: network.as_ref().map_or(("", 0), |network| (&network.bind, network.port)),
            stop: &interrupted,
        };
        let rules = given.rules::<G>()?;
        let is_network = known.iter().any(|one| one.name == self.protocol && one.is_network);
        let serve = || serve::<G>(&self.protocol, &rules, table);
        match if is_network { serve() } else { at_once("", serve) } {
            Err(error @ ServeError::Address { .. }) => Err(Usage(error.to_string()).into()),
            Err(ServeError::Player(error)) => Err(error.into()),
            Err(ServeError::Io(error)) => Err(error.into()),
            Ok(()) => Ok(()),
        }
    }
}
