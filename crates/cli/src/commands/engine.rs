//! `evalforge engine`: a player served to other programs, so that it can sit at their tables.

use std::io::{BufReader, Write, stdin, stdout};

use clap::{Arg, ArgMatches, Command};
use games::Game;
use games::avalam::Avalam;
use games::othello::Othello;
use play::names::UnknownName;
use play::players::player;
use play::protocol::avalam::Engine;
use play::protocol::othello::Mind;
use play::protocol::othello::pipe::{serve_gtp, serve_nboard};
use play::protocol::server::Server;
use play::protocol::{PROTOCOLS, ProtocolInfo};
use play::shipped::best;

use crate::arguments::{for_games, player_arg, rules, seed_arg, whole_number};
use crate::failure::Usage;
use crate::terminal::interrupted;

/// The games that have a protocol, each once.
const GAMES: [&str; 2] = [Othello::NAME, Avalam::NAME];

pub fn arguments(command: Command) -> Command {
    let about = "Serve a player to other programs: to a referee over the network, or to a board over pipes";
    let line = |ProtocolInfo { name, game, summary }: &ProtocolInfo| format!("  {name}  {game}: {summary}");
    let protocols: Vec<String> = PROTOCOLS.iter().map(line).collect();
    let long = format!(
        "Over the network it prints the address that it listens at, and serves one game after another until Ctrl-C. Whoever can reach \
         the address can ask for moves; there is no password. Over pipes it reads commands from standard input and answers on standard \
         output until it is told to quit.\n\nProtocols:\n{}",
        protocols.join("\n")
    );
    let command = command.about(about).long_about(format!("{about}\n\n{long}"));
    for_games(
        command,
        |game| GAMES.contains(&game.name),
        |command, game| {
            let protocol = if game.name == Othello::NAME { "gtp" } else { "xml-rpc" };
            let player = match best::<games::Listed>(game.name) {
                Some(best) => player_arg().required(false).default_value(best.engine),
                None => player_arg(),
            };
            let command = command
                .arg(
                    Arg::new("protocol")
                        .long("protocol")
                        .value_name("PROTOCOL")
                        .default_value(protocol)
                        .help("What is spoken"),
                )
                .arg(player)
                .arg(seed_arg());
            if game.name == Avalam::NAME { network_arguments(command) } else { command }
        },
    )
}

fn network_arguments(command: Command) -> Command {
    command
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
}

pub fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    let (name, matches) = matches.subcommand().expect("a game is required");
    if !GAMES.contains(&name) {
        return Err(UnknownName::new("game to serve", name, GAMES).into());
    }
    let protocol = matches.get_one::<String>("protocol").expect("has a default");
    let of_game = || PROTOCOLS.iter().filter(|one| one.game == name).map(|one| one.name);
    if !of_game().any(|known| known == protocol) {
        return Err(UnknownName::new("protocol", protocol, of_game()).into());
    }
    match name {
        Othello::NAME => serve_pipe(matches, protocol),
        _ => serve_network(matches),
    }
}

/// Standard output is the protocol's: nothing else is written there.
fn serve_pipe(matches: &ArgMatches, protocol: &str) -> anyhow::Result<()> {
    let text = matches.get_one::<String>("player").expect("has a default");
    let mind = Mind::new(text, *matches.get_one("seed").expect("has a default"))?;
    match protocol {
        "nboard" => serve_nboard(mind, Box::new(BufReader::new(stdin())), &mut stdout())?,
        _ => serve_gtp(mind, &mut stdin().lock(), &mut stdout())?,
    }
    Ok(())
}

fn serve_network(matches: &ArgMatches) -> anyhow::Result<()> {
    let text = |name: &str| matches.get_one::<String>(name).expect("is required or has a default").clone();
    let (rules, player_text) = (rules::<Avalam>(matches)?, text("player"));
    let make = move || player::<Avalam>(&rules, &player_text);
    let engine = Engine::new(Box::new(make), *matches.get_one("seed").expect("has a default"))?;

    let (bind, port) = (text("bind"), *matches.get_one("port").expect("has a default"));
    let refused = |error| Usage(format!("cannot listen at {bind}, port {port}: {error}"));
    let server = Server::bind(&bind, port).map_err(refused)?;
    writeln!(stdout(), "{} plays {} at http://{}/RPC2", text("player"), Avalam::NAME, server.address()?)?;
    stdout().flush()?;
    // Ctrl-C is how it is meant to end.
    server.serve(engine, &interrupted)?;
    Ok(())
}
