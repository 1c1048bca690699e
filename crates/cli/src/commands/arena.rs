//! What `duel` and `tournament` have in common: arguments, setup, the run with its status line, files.

use std::fs::File;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command};
use games::Rules;
use games::error::shown;
use measure::arena::{
    GameRecord, Live, MOST_MOVES, Openings, PlayedPair, Results, Schedule, Setup, open_journal, record,
    run as play,
};
use play::players::common_limits::with_common_limits;
use play::players::player;
use play::search::limits::{Limits, MAX_DEPTH};
use play::{Job, PlayedGame, game_list};
use serde_json::{Value, json};
use stats::Sprt;

use super::duel::quoted;
use super::kept::Kept;
use crate::arguments::{
    for_games, json_arg, number, rules, run_game, seed_arg, threads, threads_arg, whole_number,
};
use crate::failure::{Interrupted, Usage};
use crate::terminal::{Status, interrupted};

/// Plies of a random opening unless given.
const PLIES: usize = 6;
/// The most games that can be asked for.
pub const MOST_GAMES: usize = 10_000_000;

/// Adds a subcommand for each game for two without chance, with the arguments that both commands take.
pub fn arguments(command: Command, own: impl Fn(Command) -> Command) -> Command {
    let value = |name: &'static str, value_name: &'static str| {
        Arg::new(name).long(name).value_name(value_name).allow_negative_numbers(true)
    };
    let file = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("FILE").value_parser(clap::value_parser!(PathBuf)).help(help)
    };
    for_games(
        command,
        |game| game.sides.len() == 2,
        |command, _| {
            own(command)
                .arg(
                    value("openings", "K")
                        .value_parser(whole_number(0..=10_000usize))
                        .help(format!("Begin after this many random plies [default: {PLIES}]")),
                )
                .arg(
                    file("positions", "Begin from the positions in this file, one a line")
                        .conflicts_with("openings"),
                )
                .arg(
                    value("moves", "N")
                        .value_parser(whole_number(1..=1_000_000usize))
                        .help(format!("A game with this many moves is drawn [default: {MOST_MOVES}]")),
                )
                .arg(
                    value("game-time", "SECONDS")
                        .alias("credit")
                        .value_parser(number(0.001..=1e6))
                        .help(
                            "Time of each player for all its moves of a game; who needs more loses. Searches without a limit \
                             of their own share it out",
                        ),
                )
                .arg(
                    value("depth", "N")
                        .value_parser(whole_number(1..=MAX_DEPTH))
                        .help("Plies of every player that searches, as if its text said so"),
                )
                .arg(
                    value("nodes", "N")
                        .value_parser(whole_number(1..=u64::MAX))
                        .help("Positions for a move of every player that searches, as if its text said so"),
                )
                .arg(
                    value("time", "SECONDS")
                        .value_parser(number(0.001..=1e6))
                        .help("Time for a move of every player that searches, as if its text said so"),
                )
                .arg(seed_arg())
                .arg(threads_arg())
                .arg(json_arg())
                .arg(file("csv", "Write one line a game to this file"))
                .arg(file("save", "Write the games to this file, for 'evalforge replay'"))
                .arg(file("resume", "Keep every pair in this file, and go on from it if it exists"))
        },
    )
}

/// Runs the job with the game that is named, if two play it.
pub fn run_for_two<J: Job<Output = anyhow::Result<()>>>(
    matches: &ArgMatches,
    job: impl FnOnce(ArgMatches) -> J,
) -> anyhow::Result<()> {
    let (name, _) = matches.subcommand().expect("a game is required");
    let all = game_list::<games::Listed>();
    if all.iter().any(|game| game.name == name && game.sides.len() != 2) {
        let known: Vec<&str> =
            all.iter().filter(|game| game.sides.len() == 2).map(|game| game.name).collect();
        let hint = "'evalforge score' measures its players";
        let known = known.join(", ");
        return Err(Usage(format!("game '{name}' is for one player; allowed: {known}; {hint}")).into());
    }
    run_game(matches, job)
}

/// An even number of games.
pub fn even_number(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (2..=MOST_GAMES).contains(number) && number % 2 == 0);
    number.ok_or_else(|| {
        format!("allowed: an even number from 2 to {MOST_GAMES}, for each opening is played twice")
    })
}

/// The limits that all players have in common.
fn common_limits(matches: &ArgMatches) -> Limits {
    Limits {
        depth: matches.get_one("depth").copied(),
        nodes: matches.get_one("nodes").copied(),
        simulations: None,
        time: matches.get_one("time").copied(),
        game_time: matches.get_one("game-time").copied(),
    }
}

/// Those of a move, for machines.
pub fn limits_json(matches: &ArgMatches) -> Value {
    let Limits { depth, nodes, time, .. } = common_limits(matches);
    json!({ "depth": depth, "nodes": nodes, "time": time })
}

/// Everything that is to be played, checked, by players with the common limits in their texts.
pub fn setup<G: PlayedGame>(
    matches: &ArgMatches,
    given: &[String],
    schedule: Schedule,
    pairs: usize,
    sprt: Option<Sprt>,
) -> anyhow::Result<Setup<G>> {
    let rules = rules::<G>(matches)?;
    let common = common_limits(matches);
    let players = with_common_limits(given, &common);
    // What is wrong with a player by itself is said before what is wrong with limits for it.
    for text in players.as_deref().unwrap_or(given) {
        player::<G>(&rules, text)?;
    }
    let players = players.map_err(|error| Usage(format!("--{error}")))?;
    let seed = *matches.get_one("seed").expect("has a default");
    let openings = match matches.get_one::<PathBuf>("positions") {
        Some(path) => Openings::read(&rules, path),
        None => {
            let plies = matches.get_one("openings").copied().unwrap_or(PLIES);
            Openings::random(&rules, plies, pairs, seed)
        }
    };
    let openings = openings.map_err(|error| Usage(format!("--{error}")))?;
    let most_moves = matches.get_one("moves").copied().unwrap_or(MOST_MOVES);
    let game_time = common.game_time;
    Ok(Setup { rules, players, schedule, openings, pairs, seed, most_moves, sprt, game_time })
}

/// Plays with a status line, and writes the files that were asked for; every pair is kept as it ends.
pub fn run<G: PlayedGame>(
    matches: &ArgMatches,
    setup: &Setup<G>,
    progress: &dyn Fn(&Live, &Results) -> String,
) -> anyhow::Result<(Results, Kept)> {
    let mut files = Vec::new();
    if let Some(path) = matches.get_one::<PathBuf>("csv") {
        let mut file = create("csv", path)?;
        file.write_all(COLUMNS.as_bytes())?;
        files.push(Growing { file, pairs: 0, text: Box::new(|pair| lines(setup, pair)) });
    }
    if let Some(path) = matches.get_one::<PathBuf>("save") {
        let text = |pair: &PlayedPair| record::records(setup, pair).iter().map(GameRecord::text).collect();
        files.push(Growing { file: create("save", path)?, pairs: 0, text: Box::new(text) });
    }
    let open = |path: &Path| open_journal(path, setup);
    let named = matches.get_one::<PathBuf>("resume");
    let (mut kept, mut results) = Kept::open(named, ("arena", "pair"), open, || Results::new(setup))?;
    let mut journal = kept.take_journal();
    let status = Status::new();
    let maker = |number: usize| player::<G>(&setup.rules, &setup.players[number]);
    let mut write = |results: &Results| files.iter_mut().try_for_each(|file| file.write(results));
    let mut disk = Ok(());
    let mut watch = |live: &Live, results: &Results| {
        status.show(&progress(live, results));
        kept.tell(live.elapsed, &status);
        if disk.is_ok() {
            disk = write(results);
        }
        if interrupted() || disk.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    play(setup, &maker, threads(matches), &mut results, journal.as_mut(), &mut watch)?;
    status.clear();
    disk?;
    write(&results)?;
    Ok((results, kept))
}

/// Opens a file before anything is played, so that an unwritable one is known at once.
fn create(option: &str, path: &Path) -> anyhow::Result<File> {
    let refused = |error| Usage(format!("--{option} {}: {error}", shown(&path.display().to_string())));
    Ok(File::create(path).map_err(refused)?)
}

/// A file that grows with the pairs that count.
struct Growing<'a> {
    file: File,
    pairs: usize,
    text: Box<dyn Fn(&PlayedPair) -> String + 'a>,
}

impl Growing<'_> {
    fn write(&mut self, results: &Results) -> std::io::Result<()> {
        let text: String = results.counted().skip(self.pairs).map(&self.text).collect();
        self.pairs = results.counted().len();
        self.file.write_all(text.as_bytes())
    }
}

const COLUMNS: &str = "pair,game,first,second,opening,result,reason,moves,first_score,second_score,first_seconds,second_seconds\n";

/// One line a game.
fn lines<G: PlayedGame>(setup: &Setup<G>, pair: &PlayedPair) -> String {
    let mut text = String::new();
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let PlayedPair { first, second, opening, .. } = pair;
    for (number, game) in pair.games.iter().enumerate() {
        let seats = if number == 0 { [*first, *second] } else { [*second, *first] };
        let [first, second] = seats.map(|player| quoted(&setup.players[player]));
        let [a, b] = game.spent.map(|nanos| nanos as f64 / 1e9);
        text.push_str(&format!(
            "{},{number},{first},{second},{},{},{},{},{},{},{a},{b}\n",
            pair.pair,
            quoted(opening),
            game.winner.word(),
            quoted(&game.reason.to_string()),
            game.moves.len(),
            game.scores[0],
            game.scores[1],
        ));
    }
    text
}

/// What is said about an interruption: the command that goes on, with all that it was given. `command` names the players as given: were the
/// common limits in their texts, the same limits again would be refused.
pub fn broken_off<G: PlayedGame>(
    matches: &ArgMatches,
    setup: &Setup<G>,
    kept: &Kept,
    command: &str,
) -> Interrupted {
    let journal = match kept.path() {
        Ok(path) => path,
        Err(error) => return Interrupted(error),
    };
    let mut command = format!("; to go on: evalforge {command}");
    let mut add = |key: &str, value: &str| command.push_str(&format!(" --{key} {}", quoted(value)));
    for (key, value) in setup.rules.to_pairs() {
        add(key, &value);
    }
    if let Some(plies) = matches.get_one::<usize>("openings") {
        add("openings", &plies.to_string());
    }
    if setup.most_moves != MOST_MOVES {
        add("moves", &setup.most_moves.to_string());
    }
    let Limits { depth, nodes, simulations: _, time, game_time } = common_limits(matches);
    let limits = [
        ("depth", depth.map(|depth| depth.to_string())),
        ("nodes", nodes.map(|nodes| nodes.to_string())),
        ("time", time.map(|seconds| seconds.to_string())),
        ("game-time", game_time.map(|seconds| seconds.to_string())),
    ];
    for (key, value) in limits {
        if let Some(value) = value {
            add(key, &value);
        }
    }
    add("seed", &setup.seed.to_string());
    if let Some(threads) = matches.get_one::<usize>("threads") {
        add("threads", &threads.to_string());
    }
    for key in ["positions", "csv", "save"] {
        if let Some(path) = matches.get_one::<PathBuf>(key) {
            add(key, &path.display().to_string());
        }
    }
    add("resume", &journal.display().to_string());
    if matches.get_flag("json") {
        command.push_str(" --json");
    }
    Interrupted(command)
}

/// The first line of a report: the game, its options, and what was played.
pub fn heading<G: PlayedGame>(matches: &ArgMatches, setup: &Setup<G>, results: &Results) -> String {
    let options = setup.rules.to_pairs().into_iter().map(|(key, value)| format!(", {key} {value}"));
    let (games, seed) = (2 * results.counted().len(), setup.seed);
    let label = setup.openings.label();
    let options: String = options.collect();
    let Limits { depth, nodes, simulations: _, time, game_time } = common_limits(matches);
    let limits = [
        depth.map(|depth| format!(", depth {depth} each")),
        nodes.map(|nodes| format!(", {nodes} nodes a move each")),
        time.map(|seconds| format!(", {seconds} s a move each")),
        game_time.map(|seconds| format!(", {seconds} s a game each")),
    ];
    let limits: String = limits.into_iter().flatten().collect();
    format!(
        "{}{options}, {games} games after {label}{limits}, seed {seed}, {} threads",
        G::NAME,
        threads(matches)
    )
}

/// What is to be said about openings that come again.
pub fn repeated<G: PlayedGame>(setup: &Setup<G>, results: &Results) -> Option<String> {
    let (distinct, used) = (setup.openings.distinct(), results.counted().map(|pair| pair.pair + 1).max());
    (used? > distinct).then(|| {
        format!(
            "the openings ran out ({distinct} different): where players draw no lots, games repeat themselves and the \
             intervals are too short"
        )
    })
}
