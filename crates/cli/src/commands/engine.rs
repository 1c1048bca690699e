//! `evalforge engine`: a player served to other programs, so that it can sit at their tables.

use std::io::{Write, stdout};

use clap::{Arg, ArgMatches, Command};
use games::Game;
use games::avalam::Avalam;
use lab::names::UnknownName;
use lab::players::player;
use lab::protocol::avalam::Engine;
use lab::protocol::server::Server;
use lab::protocol::{PROTOCOLS, ProtocolInfo};

use crate::arguments::{for_games, player_arg, rules, seed_arg, whole_number};
use crate::failure::Usage;
use crate::terminal::interrupted;

pub fn arguments(command: Command) -> Command {
    let about = "Serve a player to other programs, as a referee that plays over the network";
    let protocols: Vec<String> =
        PROTOCOLS.iter().map(|ProtocolInfo { name, summary }| format!("  {name}  {summary}")).collect();
    let long = format!(
        "Prints the address that it listens at, and serves one game after another until Ctrl-C. Whoever can reach the \
         address can ask for moves; there is no password.\n\nProtocols:\n{}",
        protocols.join("\n")
    );
    let command = command.about(about).long_about(format!("{about}\n\n{long}"));
    for_games(
        command,
        |game| game.name == Avalam::NAME,
        |command, _| {
            command
                .arg(
                    Arg::new("protocol")
                        .long("protocol")
                        .value_name("PROTOCOL")
                        .default_value("xml-rpc")
                        .help("What is spoken"),
                )
                .arg(
                    Arg::new("bind")
                        .short('b')
                        .long("bind")
                        .value_name("ADDRESS")
                        .default_value("127.0.0.1")
                        .help("The address to listen at; 0.0.0.0 lets other machines in"),
                )
                .arg(
                    Arg::new("port")
                        .short('p')
                        .long("port")
                        .value_name("PORT")
                        .default_value("8000")
                        .allow_negative_numbers(true)
                        .value_parser(whole_number(0..=u16::MAX))
                        .help("The port to listen at; 0 is any that is free"),
                )
                .arg(player_arg())
                .arg(seed_arg())
        },
    )
}

pub fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    let (name, matches) = matches.subcommand().expect("a game is required");
    if name != Avalam::NAME {
        return Err(UnknownName::new("game to serve", name, [Avalam::NAME]).into());
    }
    let text = |name: &str| matches.get_one::<String>(name).expect("is required or has a default").clone();
    let protocol = text("protocol");
    if !PROTOCOLS.iter().any(|one| one.name == protocol) {
        return Err(UnknownName::new("protocol", &protocol, PROTOCOLS.iter().map(|one| one.name)).into());
    }
    let (rules, player_text) = (rules::<Avalam>(matches)?, text("player"));
    let make = move || player::<Avalam>(&rules, &player_text);
    let engine = Engine::new(Box::new(make), *matches.get_one("seed").expect("has a default"))?;

    let (bind, port) = (text("bind"), *matches.get_one("port").expect("has a default"));
    let refused = |error| Usage(format!("cannot listen at {bind}, port {port}: {error}"));
    let server = Server::bind(&bind, port).map_err(refused)?;
    writeln!(stdout(), "{} plays {name} at http://{}/RPC2", text("player"), server.address()?)?;
    stdout().flush()?;
    // Ctrl-C is how it is meant to end.
    server.serve(engine, &interrupted)?;
    Ok(())
}
