//! What `duel` and `tournament` have in common: arguments, setup, the run with its status line, files.

use std::fs::File;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command};
use games::error::shown;
use games::{Game, Job, Rules, game_list};
use lab::arena::{
    ArenaJournal, ArenaJournalError, Live, MOST_MOVES, Openings, PlayedPair, Results, Schedule, Setup,
    record, run as play,
};
use lab::players::player;
use lab::statistics::Sprt;

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
                    value("credit", "SECONDS")
                        .value_parser(number(0.001..=1e6))
                        .help("Time of each player for all its moves of a game; who needs more loses"),
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
    let all = game_list();
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

/// Everything that is to be played, checked.
pub fn setup<G: Game>(
    matches: &ArgMatches,
    players: Vec<String>,
    schedule: Schedule,
    pairs: usize,
    sprt: Option<Sprt>,
) -> anyhow::Result<Setup<G>> {
    let rules = rules::<G>(matches)?;
    for text in &players {
        player::<G>(&rules, text)?;
    }
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
    let credit = matches.get_one("credit").copied();
    Ok(Setup { rules, players, schedule, openings, pairs, seed, most_moves, sprt, credit })
}

/// Plays with a status line, and writes the files that were asked for.
pub fn run<G: Game>(
    matches: &ArgMatches,
    setup: &Setup<G>,
    progress: &dyn Fn(&Live, &Results) -> String,
) -> anyhow::Result<Results> {
    let csv = matches.get_one::<PathBuf>("csv").map(|path| create("csv", path)).transpose()?;
    let mut saved = matches.get_one::<PathBuf>("save").map(|path| Saved::new(path)).transpose()?;
    let (mut results, mut journal) = match matches.get_one::<PathBuf>("resume") {
        Some(path) => {
            let (journal, results) = ArenaJournal::open(path, setup).map_err(named)?;
            (results, Some(journal))
        }
        None => (Results::new(setup), None),
    };
    let status = Status::new();
    let maker = |number: usize| player::<G>(&setup.rules, &setup.players[number]);
    let mut disk = Ok(());
    let mut watch = |live: &Live, results: &Results| {
        status.show(&progress(live, results));
        if let (Some(saved), Ok(())) = (&mut saved, &disk) {
            disk = saved.write(setup, results);
        }
        if interrupted() || disk.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    play(setup, &maker, threads(matches), &mut results, journal.as_mut(), &mut watch)?;
    status.clear();
    disk?;
    if let Some(mut saved) = saved {
        saved.write(setup, &results)?;
    }
    if let Some(mut csv) = csv {
        csv.write_all(table(setup, &results).as_bytes())?;
    }
    Ok(results)
}

fn named(error: ArenaJournalError) -> anyhow::Error {
    if error.wrong_input { Usage(format!("--resume {error}")).into() } else { error.into() }
}

/// Opens a file before anything is played, so that an unwritable one is known at once.
fn create(option: &str, path: &Path) -> anyhow::Result<File> {
    let refused = |error| Usage(format!("--{option} {}: {error}", shown(&path.display().to_string())));
    Ok(File::create(path).map_err(refused)?)
}

/// The file of games, written as far as the pairs count.
struct Saved {
    file: File,
    pairs: usize,
}

impl Saved {
    fn new(path: &Path) -> anyhow::Result<Self> {
        Ok(Self { file: create("save", path)?, pairs: 0 })
    }

    fn write<G: Game>(&mut self, setup: &Setup<G>, results: &Results) -> anyhow::Result<()> {
        let mut text = String::new();
        for pair in results.counted().skip(self.pairs) {
            record::records(setup, pair).iter().for_each(|game| text.push_str(&game.text()));
        }
        self.pairs = results.counted().len();
        self.file.write_all(text.as_bytes())?;
        Ok(())
    }
}

/// One line a game.
fn table<G: Game>(setup: &Setup<G>, results: &Results) -> String {
    let mut text = String::from(
        "pair,game,first,second,opening,result,reason,moves,first_score,second_score,first_seconds,second_seconds\n",
    );
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    for pair in results.counted() {
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
    }
    text
}

/// What is said about an interruption: the command that goes on. The pairs are in a journal, which is made now if there
/// was none.
pub fn broken_off<G: Game>(
    matches: &ArgMatches,
    setup: &Setup<G>,
    results: &Results,
    command: &str,
) -> anyhow::Result<Interrupted> {
    let path = match matches.get_one::<PathBuf>("resume") {
        Some(path) => path.clone(),
        None => {
            let names = (1..).map(|number| PathBuf::from(format!("arena-{number}.jsonl")));
            let path = names.into_iter().find(|path| !path.exists()).expect("some number is free");
            let (mut journal, _) = ArenaJournal::open(&path, setup)?;
            results.all().try_for_each(|pair| journal.append(pair))?;
            path
        }
    };
    let mut command = format!("; to go on: evalforge {command}");
    for (key, value) in setup.rules.to_pairs() {
        command.push_str(&format!(" --{key} {value}"));
    }
    match (matches.get_one::<PathBuf>("positions"), matches.get_one::<usize>("openings")) {
        (Some(file), _) => command.push_str(&format!(" --positions '{}'", file.display())),
        (None, Some(plies)) => command.push_str(&format!(" --openings {plies}")),
        (None, None) => {}
    }
    if setup.most_moves != MOST_MOVES {
        command.push_str(&format!(" --moves {}", setup.most_moves));
    }
    if let Some(credit) = setup.credit {
        command.push_str(&format!(" --credit {credit}"));
    }
    command.push_str(&format!(" --seed {} --resume '{}'", setup.seed, path.display()));
    Ok(Interrupted(command))
}

/// The first line of a report: the game, its options, and what was played.
pub fn heading<G: Game>(matches: &ArgMatches, setup: &Setup<G>, results: &Results) -> String {
    let options = setup.rules.to_pairs().into_iter().map(|(key, value)| format!(", {key} {value}"));
    let (games, seed) = (2 * results.counted().len(), setup.seed);
    let label = setup.openings.label();
    let options: String = options.collect();
    let credit = setup.credit.map_or(String::new(), |seconds| format!(", {seconds} s a game each"));
    format!(
        "{}{options}, {games} games after {label}{credit}, seed {seed}, {} threads",
        G::NAME,
        threads(matches)
    )
}

/// What is to be said about openings that come again.
pub fn repeated<G: Game>(setup: &Setup<G>, results: &Results) -> Option<String> {
    let (distinct, used) = (setup.openings.distinct(), results.counted().map(|pair| pair.pair + 1).max());
    (used? > distinct).then(|| {
        format!(
            "the openings ran out ({distinct} different): where players draw no lots, games repeat themselves and the \
             intervals are too short"
        )
    })
}
