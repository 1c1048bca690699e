//! `evalforge engine`: a player served to other programs, so that it can sit at their tables.

use std::io::{BufReader, Write, stdin, stdout};

use clap::{Args, Command};
use games::avalam::Avalam;
use games::rules::Fixed;
use games::{Game, GameInfo};
use play::PlayedGame;
use play::names::UnknownName;
use play::players::player;
use play::protocol::avalam;
use play::protocol::othello::Mind;
use play::protocol::othello::pipe::{serve_gtp, serve_nboard};
use play::protocol::server::Server;
use play::protocol::{PROTOCOLS, ProtocolInfo};
use play::shipped::best;

use crate::arguments::{For, Given, OnGame, Seed, whole_number, with_changed};
use crate::failure::Usage;
use crate::terminal::interrupted;

/// Serve a player to other programs: to a referee over the network, or to a board over pipes
#[derive(Debug, Args)]
#[command(long_about = long_about())]
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

fn long_about() -> String {
    let line = |ProtocolInfo { name, game, summary }: &ProtocolInfo| format!("  {name}  {game}: {summary}");
    let protocols: Vec<String> = PROTOCOLS.iter().map(line).collect();
    format!(
        "Serve a player to other programs: to a referee over the network, or to a board over pipes\n\n\
         Over the network it prints the address that it listens at, and serves one game after another until Ctrl-C. Whoever can reach \
         the address can ask for moves; there is no password. Over pipes it reads commands from standard input and answers on standard \
         output until it is told to quit.\n\nProtocols:\n{}",
        protocols.join("\n")
    )
}

/// The protocols that a game is played over, the usual one first.
fn protocols(game: &str) -> impl Iterator<Item = &'static str> {
    PROTOCOLS.iter().filter(move |one| one.game == game).map(|one| one.name)
}

impl OnGame for Engine {
    const FOR: For = For::These("game to serve", |game| protocols(game.name).next().is_some());
    const AFTER: &'static str = "";

    fn describe(command: Command, game: &GameInfo) -> Command {
        let usual = protocols(game.name).next().unwrap_or_default();
        let with_default = |command, id, default: &'static str| {
            with_changed(command, id, |arg| arg.required(false).default_value(default))
        };
        let command = with_default(Self::augment_args(command), "protocol", usual);
        let command = match best(game.name) {
            Some(best) => with_default(command, "player", best.engine),
            None => command,
        };
        if game.name == Avalam::NAME { Network::augment_args(command) } else { command }
    }

    fn run<G: PlayedGame>(self, given: &Given) -> anyhow::Result<()> {
        if !protocols(G::NAME).any(|known| known == self.protocol) {
            return Err(UnknownName::new("protocol", &self.protocol, protocols(G::NAME)).into());
        }
        match G::NAME {
            Avalam::NAME => self.serve_network(given.rules::<Avalam>()?, &given.also()?),
            _ => self.serve_pipe(),
        }
    }
}

impl Engine {
    /// Standard output is the protocol's: nothing else is written there.
    fn serve_pipe(&self) -> anyhow::Result<()> {
        let mind = Mind::new(&self.player, self.seed.seed)?;
        match self.protocol.as_str() {
            "nboard" => serve_nboard(mind, Box::new(BufReader::new(stdin())), &mut stdout())?,
            _ => serve_gtp(mind, &mut stdin().lock(), &mut stdout())?,
        }
        Ok(())
    }

    fn serve_network(self, rules: Fixed, Network { bind, port }: &Network) -> anyhow::Result<()> {
        let text = self.player.clone();
        let make = move || player::<Avalam>(&rules, &text);
        let engine = avalam::Engine::new(Box::new(make), self.seed.seed)?;

        let refused = |error| Usage(format!("cannot listen at {bind}, port {port}: {error}"));
        let server = Server::bind(bind, *port).map_err(refused)?;
        let address = server.address()?;
        writeln!(stdout(), "{} plays {} at http://{address}/RPC2", self.player, Avalam::NAME)?;
        stdout().flush()?;
        // Ctrl-C is how it is meant to end.
        server.serve(engine, &interrupted)?;
        Ok(())
    }
}
