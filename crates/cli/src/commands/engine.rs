//! `evalforge engine`: a player served to other programs, so that it can sit at their tables.

use std::io::{BufReader, stdin, stdout};

use clap::{Arg, ArgMatches, Command};
use games::GameInfo;
use play::names::UnknownName;
use play::protocol::{ProtocolInfo, ServeError, Table, protocols, serve};
use play::shipped::best;
use play::{Job, PlayedGame, game_list, with_game};

use crate::arguments::{for_games, player_arg, rules, run_game, seed_arg, whole_number};
use crate::failure::Usage;
use crate::terminal::interrupted;

/// The protocols of a game, by its name.
fn protocols_of(game: &GameInfo) -> Vec<ProtocolInfo> {
    struct Find;
    impl Job for Find {
        type Output = Vec<ProtocolInfo>;
        fn run<G: PlayedGame>(self) -> Vec<ProtocolInfo> {
            protocols::<G>()
        }
    }
    with_game::<games::Listed, _>(game.name, Find).unwrap_or_default()
}

pub fn arguments(command: Command) -> Command {
    let about = "Serve a player to other programs: to a referee over the network, or to a board over pipes";
    let long = "Over the network it prints the address that it listens at, and serves one game after another until Ctrl-C. Whoever can reach \
         the address can ask for moves; there is no password. Over pipes it reads commands from standard input and answers on standard \
         output until it is told to quit.";
    let command = command.about(about).long_about(format!("{about}\n\n{long}"));
    for_games(
        command,
        |game| !protocols_of(game).is_empty(),
        |command, game| {
            let protocols = protocols_of(game);
            let line = |ProtocolInfo { name, summary, .. }: &ProtocolInfo| format!("{name}: {summary}");
            let known: Vec<String> = protocols.iter().map(line).collect();
            let player = match best::<games::Listed>(game.name) {
                Some(best) => player_arg().required(false).default_value(best.engine),
                None => player_arg(),
            };
            let command = command
                .arg(
                    Arg::new("protocol")
                        .long("protocol")
                        .value_name("PROTOCOL")
                        .default_value(protocols[0].name)
                        .help(format!("What is spoken; {}", known.join("; "))),
                )
                .arg(player)
                .arg(seed_arg());
            if protocols.iter().any(|one| one.is_network) { network_arguments(command) } else { command }
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
    let (name, _) = matches.subcommand().expect("a game is required");
    let served: Vec<&str> = game_list::<games::Listed>()
        .iter()
        .filter(|game| !protocols_of(game).is_empty())
        .map(|game| game.name)
        .collect();
    if !served.contains(&name) {
        return Err(UnknownName::new("game to serve", name, served).into());
    }
    run_game(matches, Serve)
}

struct Serve(ArgMatches);

impl Job for Serve {
    type Output = anyhow::Result<()>;

    /// Over pipes standard output is the protocol's: nothing else is written there. Over the network Ctrl-C is how it is meant to end.
    fn run<G: PlayedGame>(self) -> anyhow::Result<()> {
        let matches = &self.0;
        let protocol = matches.get_one::<String>("protocol").expect("has a default");
        let known = protocols::<G>();
        if !known.iter().any(|one| one.name == protocol) {
            return Err(UnknownName::new("protocol", protocol, known.iter().map(|one| one.name)).into());
        }
        let text = |name: &str| matches.try_get_one::<String>(name).ok().flatten().map(String::as_str);
        let port = matches.try_get_one::<u16>("port").ok().flatten().copied();
        let table = Table {
            player: text("player").expect("is required or has a default"),
            seed: *matches.get_one("seed").expect("has a default"),
            input: Box::new(BufReader::new(stdin())),
            output: &mut stdout(),
            address: (text("bind").unwrap_or_default(), port.unwrap_or_default()),
            stop: &interrupted,
        };
        match serve::<G>(protocol, &rules::<G>(matches)?, table) {
            Err(error @ ServeError::Address { .. }) => Err(Usage(error.to_string()).into()),
            Err(ServeError::Player(error)) => Err(error.into()),
            Err(ServeError::Io(error)) => Err(error.into()),
            Ok(()) => Ok(()),
        }
    }
}
