//! `evalforge score`: what players of a game for one score, with intervals, and which of them is better.

use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command};
use games::{GameInfo, Rules};
use measure::score::{Games, Live, Setup, open_journal, run as play};
use play::names::UnknownName;
use play::numbers::rough_duration as duration;
use play::{Job, PlayedGame, game_list, with_game};
use stats::games_for_precision;

use super::duel::quoted;
use super::kept::Kept;
use super::score_report;
use crate::arguments::{for_games, json_arg, rules, seed_arg, threads, threads_arg, whole_number};
use crate::failure::{Interrupted, Usage};
use crate::terminal::{Status, interrupted, short};

pub fn arguments(command: Command) -> Command {
    let about = "Measure the scores of players of a game for one, all on the same streams of chance, with 95 % intervals";
    let long = "Plays games from the start and prints for each player the mean score, as lines of Tetris, with its interval. \
        Several players are dealt the same, so that two of them are compared game by game.\n\n\
        A player is one of those that 'evalforge list players' names, or a model file.";
    let value = |name: &'static str, value_name: &'static str| {
        Arg::new(name).long(name).value_name(value_name).allow_negative_numbers(true)
    };
    let file = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("FILE").value_parser(clap::value_parser!(PathBuf)).help(help)
    };
    let command = command
        .about(about)
        .long_about(format!("{about}\n\n{long}"))
        .override_usage("evalforge score <GAME> --player <PLAYER>... [OPTIONS]")
        .after_help("'evalforge score GAME --help' shows all options, those of the game's rules too.");
    for_games(command, is_for_one, |command, _| {
        command
            .arg(
                Arg::new("player")
                    .long("player")
                    .value_name("PLAYER")
                    .action(ArgAction::Append)
                    .help("A player or model file; may be given several times"),
            )
            .arg(
                value("features", "NAMES")
                    .requires("weights")
                    .help("Features of a linear player, as dn or holes,wells"),
            )
            .arg(
                value("weights", "W,W,...")
                    .allow_hyphen_values(true)
                    .requires("features")
                    .help("Its weights, in the order of the features"),
            )
            .arg(
                value("games", "N")
                    .value_parser(whole_number(1..=100_000_000usize))
                    .help("Games for each player [default: 100]"),
            )
            .arg(
                value("precision", "P%")
                    .conflicts_with("games")
                    .value_parser(percentage)
                    .help("Play until the interval of 2/sqrt(games) is this tight, as 5%"),
            )
            .arg(seed_arg())
            .arg(threads_arg())
            .arg(json_arg())
            .arg(file("csv", "Write the raw scores to this file"))
            .arg(file("resume", "Keep every game in this file, and go on from it if it exists"))
    })
}

/// A share given in percent, as `5%` or `5`.
fn percentage(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim().parse::<f64>().ok();
    let within = number.filter(|percent| (0.01..=100.0).contains(percent));
    within.map(|percent| percent / 100.0).ok_or_else(|| "allowed: 0.01% to 100%".to_string())
}

pub fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    let (name, matches) = matches.subcommand().expect("a game is required");
    struct Score<'a>(&'a ArgMatches);
    impl Job for Score<'_> {
        type Output = anyhow::Result<()>;
        fn run<G: PlayedGame>(self) -> Self::Output {
            score::<G>(self.0)
        }
    }
    let games = game_list::<games::Listed>();
    let for_one = || games.iter().filter(|game| is_for_one(game)).map(|game| game.name);
    if !for_one().any(|game| game == name) {
        return Err(UnknownName::new("game to score", name, for_one()).into());
    }
    with_game::<games::Listed, _>(name, Score(matches)).expect("it is in the list")
}

/// Whether the game has scores of its own, not those of one side against the other.
fn is_for_one(game: &GameInfo) -> bool {
    game.sides.len() == 1
}

fn score<G: PlayedGame>(matches: &ArgMatches) -> anyhow::Result<()> {
    let setup = setup::<G>(matches)?;
    setup.check()?;
    let threads = threads(matches);
    let csv = matches.get_one::<PathBuf>("csv").map(|path| Csv::create(path)).transpose()?;

    let open = |path: &Path| open_journal(path, &setup);
    let nothing = || Games::new(setup.players.len(), setup.games);
    let named = matches.get_one::<PathBuf>("resume");
    let (mut kept, mut games) = Kept::open(named, ("score", "game"), open, nothing)?;
    let mut journal = kept.take_journal();
    let status = Status::new();
    let mut watch = |live: &Live| {
        status.show(&progress(&setup, live));
        kept.tell(live.elapsed, &status);
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    play(&setup, threads, &mut games, journal.as_mut(), &mut watch)?;
    status.clear();

    if let Some(csv) = csv {
        csv.write(&setup, &games)?;
    }
    if matches.get_flag("json") {
        score_report::json(&setup, threads, &games)?;
    } else {
        score_report::text(&setup, threads, &games)?;
    }
    if games.complete() {
        return kept.tidy_up();
    }
    Err(broken_off(matches, &setup, &kept).into())
}

fn setup<G: PlayedGame>(matches: &ArgMatches) -> anyhow::Result<Setup<G>> {
    let rules = rules::<G>(matches)?;
    let given = matches.get_many::<String>("player").into_iter().flatten().cloned();
    let text = |name: &str| matches.get_one::<String>(name);
    let written = text("features").zip(text("weights"));
    let players: Vec<String> =
        given.chain(written.map(|(features, weights)| format!("linear({features}; {weights})"))).collect();
    if players.is_empty() {
        let message = "no player is given; --player NAME, --player FILE.json, or --features and --weights";
        return Err(Usage(message.into()).into());
    }
    let games = match matches.get_one::<f64>("precision") {
        Some(&precision) => games_for_precision(precision),
        None => matches.get_one("games").copied().unwrap_or(100),
    };
    Ok(Setup { rules, players, games, seed: *matches.get_one("seed").expect("has a default") })
}

/// One line: games over, the estimate so far, the speed, and the time left.
fn progress<G: PlayedGame>(setup: &Setup<G>, live: &Live) -> String {
    let (over, sum) = live.players.iter().fold((0, 0.0), |(over, sum), &(o, s)| (over + o, sum + s));
    let all = setup.games * setup.players.len();
    let seconds = live.elapsed.as_secs_f64();
    let speed = live.decisions as f64 / seconds;
    let mut text = format!("{over}/{all} games, {} decisions/s", short(speed));
    if over > 0 {
        // Unfinished games count with the score they have: a mean of the finished ones would be too low.
        text.push_str(&format!(", about {} {} a game", short(sum / over as f64), G::SCORE_UNIT));
        let moves = live.all_decisions as f64 / over as f64;
        let left = ((all - over) as f64 * moves / speed).max(0.0);
        text.push_str(&format!(", about {} to go", duration(left)));
    }
    text
}

/// What is said about an interruption: the command that goes on, with all that it was given.
fn broken_off<G: PlayedGame>(matches: &ArgMatches, setup: &Setup<G>, kept: &Kept) -> Interrupted {
    let journal = match kept.path() {
        Ok(path) => path,
        Err(error) => return Interrupted(error),
    };
    let mut command = format!("; to go on: evalforge score {}", G::NAME);
    let mut add = |key: &str, value: &str| command.push_str(&format!(" --{key} {}", quoted(value)));
    for (key, value) in setup.rules.to_pairs() {
        add(key, &value);
    }
    for player in &setup.players {
        add("player", player);
    }
    add("games", &setup.games.to_string());
    add("seed", &setup.seed.to_string());
    if let Some(threads) = matches.get_one::<usize>("threads") {
        add("threads", &threads.to_string());
    }
    if let Some(path) = matches.get_one::<PathBuf>("csv") {
        add("csv", &path.display().to_string());
    }
    add("resume", &journal.display().to_string());
    if matches.get_flag("json") {
        command.push_str(" --json");
    }
    Interrupted(command)
}

/// The raw scores, opened before anything is played so that an unwritable file is known at once.
struct Csv {
    file: std::fs::File,
}

impl Csv {
    fn create(path: &Path) -> anyhow::Result<Self> {
        let refused = |error| Usage(format!("--csv {}: {error}", path.display()));
        Ok(Self { file: std::fs::File::create(path).map_err(refused)? })
    }

    fn write<G: PlayedGame>(mut self, setup: &Setup<G>, games: &Games) -> anyhow::Result<()> {
        let mut text = format!("player,game,{},decisions\n", G::SCORE_UNIT);
        for (player, name) in setup.players.iter().enumerate() {
            for game in games.finished(player) {
                let name = name.replace('"', "\"\"");
                text.push_str(&format!("\"{name}\",{},{},{}\n", game.game, game.score, game.decisions));
            }
        }
        self.file.write_all(text.as_bytes())?;
        stdout().flush()?;
        Ok(())
    }
}
