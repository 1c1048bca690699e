//! `evalforge label`: positions from games of any player, labelled, in a file to learn from.

use std::any::Any;
use std::io::{BufWriter, Write, stdout};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command};
use games::error::shown;
use games::othello::Othello;
use games::{Game, Rules};
use measure::arena::OpeningError;
use play::files::new_file::NewFile;
use play::numbers::rough_duration as duration;
use play::{Job, PlayedGame};
use serde_json::{Map, json};
use train::data::recorded::{Chosen, choose};
use train::data::{Format, Label as Labels, LabelError, Labelled, Live, Made, Record, Setup, Writer, make};

use crate::arguments::{for_games, json_arg, rules, seed_arg, threads, threads_arg, whole_number};
use crate::commands::measuring::arena::run_for_two;
use crate::failure::{Interrupted, Usage};
use crate::terminal::{Status, interrupted, short};

/// The most games that can be asked for.
const MOST_GAMES: usize = 1_000_000;

pub fn arguments(command: Command) -> Command {
    let about = "Write positions of games into a file, each with a number that says how good it is";
    let long = "Plays games after random openings and writes down their positions, each with a label from -1 to 1 for the side to \
        move: 1 is won, 0 drawn, -1 lost. Finished games and the plies of the opening are left out.\n\n\
        Labels: 'outcome' is how the game ended; 'difference/N', as 'difference/64', is what it was won by over N; 'fraction' is the outcome times the share of the game that is over, so that \
        positions near the end weigh more; 'simulations:N' is the mean outcome of N random games from the position; \
        'search:PLAYER', as 'search:alphabeta(depth=4)', is what a search finds: 1, 0 or -1 where it sees the end, else its \
        value v as 2/(1 + exp(-v)) - 1, with 'search/SCALE:PLAYER' of v/SCALE, or of mcts the share of wins; \
        'value/N:PLAYER', as 'value/64:alphabeta(nodes=100000, eval=patterns)', is what a search finds over N: what the game is won by where \
        the end is seen, else its value, which should be in the same unit. With a limit of time no two runs are the same.\n\n\
        Of Othello --data labels recorded games in place of new ones: all their positions from the first move.\n\n\
        Formats: 'text' has a header, then a line a position: text, label, ply and game with tabs between them; \
        'packed' holds the same in few bytes, with a checksum.\n\n\
        Ctrl-C keeps the games that are whole.";
    let value = |name: &'static str, value_name: &'static str, default: &'static str| {
        Arg::new(name).long(name).value_name(value_name).allow_negative_numbers(true).default_value(default)
    };
    let flag = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
    };
    let command = command
        .about(about)
        .long_about(format!("{about}\n\n{long}"))
        .override_usage("evalforge label <GAME> --out <FILE> [OPTIONS]")
        .after_help("'evalforge label GAME --help' shows all options, those of the game's rules too.");
    for_games(
        command,
        |game| game.sides.len() == 2,
        |command, game| {
            let command = if game.name == Othello::NAME { command.args(recorded()) } else { command };
            command
                .arg(
                    Arg::new("out")
                        .long("out")
                        .value_name("FILE")
                        .required(true)
                        .value_parser(clap::value_parser!(PathBuf))
                        .help("The file to write"),
                )
                .arg(flag("force", "Replace the file if it exists"))
                .arg(
                    Arg::new("player").long("player").value_name("PLAYER").action(ArgAction::Append).help(
                        "Who plays both sides [default: random]; given twice, two play every opening from both sides",
                    ),
                )
                .arg(
                    value("games", "N", "1000")
                        .value_parser(whole_number(1..=MOST_GAMES))
                        .help("Games to play"),
                )
                .arg(
                    value("opening-plies", "K", "6")
                        .value_parser(plies)
                        .help("Begin after this many random plies, or by turns after K to L of them, as 8-50"),
                )
                .arg(
                    value("label", "LABEL", "outcome")
                        .value_parser(str::parse::<Labels>)
                        .help("outcome, fraction, difference/N, simulations:N, search:PLAYER or value/N:PLAYER"),
                )
                .arg(
                    value("format", "FORMAT", "text")
                        .value_parser(str::parse::<Format>)
                        .help("text or packed"),
                )
                .arg(
                    value("every", "N", "1")
                        .value_parser(whole_number(1..=10_000usize))
                        .help("Keep every N-th position of a game, not all beginning with the same one"),
                )
                .arg(flag(
                    "distinct",
                    "Keep a position only where it comes first, up to the symmetries of the game",
                ))
                .arg(seed_arg())
                .arg(threads_arg())
                .arg(json_arg())
        },
    )
}

/// Where there are files of games.
fn recorded() -> [Arg; 2] {
    [
        Arg::new("data")
            .long("data")
            .value_name("PATH")
            .action(ArgAction::Append)
            .value_parser(clap::value_parser!(PathBuf))
            .conflicts_with_all(["player", "games", "opening-plies"])
            .help("Label the games of this file (.wtb, .ggf) or folder of them instead of playing; may be given again"),
        Arg::new("years")
            .long("years")
            .value_name("A-B")
            .requires("data")
            .value_parser(years)
            .help("Only recorded games of these years, or of one; games without a year are left out"),
    ]
}

pub fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    run_for_two(matches, Label)
}

struct Label(ArgMatches);

impl Job for Label {
    type Output = anyhow::Result<()>;

    fn run<G: PlayedGame>(self) -> anyhow::Result<()> {
        let matches = &self.0;
        let (setup, left_out) = setup::<G>(matches)?;
        let path = matches.get_one::<PathBuf>("out").expect("is required");
        let format: Format = *matches.get_one("format").expect("has a default");
        let (made, counts, bytes) = write(matches, &setup, path, format)?;
        let report =
            Report { setup: &setup, threads: threads(matches), path, format, made, counts, bytes, left_out };
        if made.games > 0 {
            if matches.get_flag("json") { report.json()? } else { report.text()? }
        }
        if made.games == setup.games {
            return Ok(());
        }
        let (done, all) = (made.games, setup.games);
        let kept = format!("; {} holds the first {done} of {all} games", shown(&path.display().to_string()));
        Err(Interrupted(if done > 0 { kept } else { "; nothing is written".into() }).into())
    }
}

/// Recorded games that are left out: of other years, and those that nobody knows the end of.
type LeftOut = Option<[usize; 2]>;

fn setup<G: PlayedGame>(matches: &ArgMatches) -> anyhow::Result<(Setup<G>, LeftOut)> {
    let setup = to_be_played(matches)?;
    let Ok(Some(paths)) = matches.try_get_many::<PathBuf>("data") else { return Ok((setup, None)) };
    let paths: Vec<PathBuf> = paths.cloned().collect();
    let chosen = choose(&paths, matches.get_one("years"), &setup.label);
    let Chosen { games, other_years, without_score } =
        chosen.map_err(|error| Usage(format!("--data: {error}")))?;
    if games.is_empty() {
        let reason =
            format!("{other_years} games of other years, {without_score} without a result, and no other");
        return Err(Usage(format!("--data: nothing to label: {reason}")).into());
    }
    // The option is there for one game only, and it is this one.
    let any: Box<dyn Any> = Box::new(games);
    let recorded = *any.downcast::<Vec<Record<G>>>().expect("games of Othello, asked for in Othello");
    let (players, games) = (Vec::new(), recorded.len());
    let setup = Setup { recorded, players, games, opening_plies: 0, more_plies: 0, ..setup };
    Ok((setup, Some([other_years, without_score])))
}

fn to_be_played<G: PlayedGame>(matches: &ArgMatches) -> anyhow::Result<Setup<G>> {
    let mut players: Vec<String> =
        matches.get_many("player").map_or(vec!["random".into()], |all| all.cloned().collect());
    if players.len() > 2 {
        return Err(Usage(format!("--player: {} given; allowed: one or two", players.len())).into());
    }
    // Given twice, one and the same player needs no exchange of sides, which would play each game twice.
    players.dedup();
    let (least, most) = *matches.get_one::<(usize, usize)>("opening-plies").expect("has a default");
    let number = |name: &str| *matches.get_one::<usize>(name).expect("has a default");
    Ok(Setup {
        rules: rules::<G>(matches)?,
        recorded: Vec::new(),
        players,
        games: number("games"),
        opening_plies: least,
        more_plies: most - least,
        label: matches.get_one::<Labels>("label").expect("has a default").clone(),
        every: number("every"),
        distinct: matches.get_flag("distinct"),
        seed: *matches.get_one("seed").expect("has a default"),
    })
}

/// A number of plies, or the least and the most of them.
fn plies(text: &str) -> Result<(usize, usize), String> {
    let number = |text: &str| text.trim().parse().ok().filter(|plies| *plies <= 10_000);
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let both = number(least).zip(number(most)).filter(|(least, most)| least <= most);
    both.ok_or_else(|| "allowed: a whole number from 0 to 10000, or two of them as 8-50".to_string())
}

/// A year, or the first and the last of some.
fn years(text: &str) -> Result<RangeInclusive<u16>, String> {
    let year = |text: &str| text.trim().parse().ok().filter(|year| (1..=9999).contains(year));
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let both = year(first).zip(year(last)).filter(|(first, last)| first <= last);
    both.map(|(first, last)| first..=last)
        .ok_or_else(|| "allowed: a year from 1 to 9999, or two of them as 2001-2010".to_string())
}

/// How many labels are above, at and below 0, and their sum.
#[derive(Default)]
struct Counts {
    signs: [u64; 3],
    sum: f64,
}

impl Counts {
    fn add(&mut self, label: f32) {
        let sign = if label > 0.0 { 0 } else { 1 + usize::from(label < 0.0) };
        self.signs[sign] += 1;
        self.sum += f64::from(label);
    }
}

/// Plays with a status line and writes the file; gives also its length. No file comes of no games.
fn write<G: PlayedGame>(
    matches: &ArgMatches,
    setup: &Setup<G>,
    path: &Path,
    format: Format,
) -> anyhow::Result<(Made, Counts, u64)> {
    let refused = |reason: &dyn std::fmt::Display| {
        Usage(format!("--out {}: {reason}", shown(&path.display().to_string())))
    };
    if path.is_file() && !matches.get_flag("force") {
        return Err(refused(&"it exists; --force replaces it").into());
    }
    let file = NewFile::create(path).map_err(|error| refused(&error))?;
    let mut writer = Writer::new(BufWriter::new(file), format, &setup.header())?;
    let mut counts = Counts::default();
    let mut sink = |position: &Labelled| {
        counts.add(position.label);
        writer.push(position)
    };
    let status = Status::new();
    let mut watch = |live: &Live| {
        status.show(&progress(setup.games, live));
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let made = make(setup, threads(matches), &mut sink, &mut watch);
    status.clear();
    let made = made.map_err(named)?;
    if made.games == 0 {
        return Ok((made, counts, 0));
    }
    let (file, bytes) = writer.finish()?;
    file.into_inner().map_err(std::io::IntoInnerError::into_error)?.finish()?;
    Ok((made, counts, bytes))
}

/// Errors that name the option they come from.
fn named(error: LabelError) -> anyhow::Error {
    match error {
        LabelError::Player(error) => error.into(),
        LabelError::Opening(OpeningError::TooLong { plies, game, longest }) => Usage(format!(
            "--opening-plies {plies}: random games of {game} are over before, the longest that was seen after {longest} \
             plies; allowed: fewer"
        ))
        .into(),
        error => error.into(),
    }
}

/// One line: games, positions, the speed and the time left.
fn progress(games: usize, live: &Live) -> String {
    let Made { games: done, positions, .. } = live.made;
    let speed = done as f64 / live.elapsed.as_secs_f64();
    let mut text = format!("{done}/{games} games, {} positions", short(positions as f64));
    if done > 0 {
        let left = (games - done) as f64 / speed;
        text.push_str(&format!(", {} games/s, about {} to go", short(speed), duration(left)));
    }
    text
}

struct Report<'a, G: PlayedGame> {
    setup: &'a Setup<G>,
    threads: usize,
    path: &'a Path,
    format: Format,
    made: Made,
    counts: Counts,
    bytes: u64,
    left_out: LeftOut,
}

impl<G: PlayedGame> Report<'_, G> {
    /// The mean label; none if there is no position.
    fn mean(&self) -> Option<f64> {
        (self.made.positions > 0).then(|| self.counts.sum / self.made.positions as f64)
    }

    fn text(&self) -> anyhow::Result<()> {
        let Setup { players, opening_plies, more_plies, seed, label, .. } = self.setup;
        let plies = match more_plies {
            0 => opening_plies.to_string(),
            more => format!("{opening_plies} to {}", opening_plies + more),
        };
        let Made { games, positions, duplicates, openings } = self.made;
        let options = self.setup.rules.to_pairs().into_iter().map(|(key, value)| format!(", {key} {value}"));
        let (options, players): (String, String) = (options.collect(), players.join(" and "));
        let mut out = stdout();
        let games_of = match self.left_out {
            Some(_) => format!("{games} recorded games"),
            None => format!("{games} games of {players} after {plies} random plies"),
        };
        writeln!(out, "{}{options}, {games_of}, seed {seed}, {} threads", G::NAME, self.threads)?;
        if let Some([other_years, without_score]) = self.left_out.filter(|counts| *counts != [0, 0]) {
            writeln!(out, "left out: {other_years} games of other years, {without_score} without a result")?;
        }
        let size = format!("{} bytes, {}", self.bytes, self.format.word());
        writeln!(out, "{positions} positions labelled by {label} in {} ({size})", self.path.display())?;
        if self.setup.distinct {
            writeln!(out, "{duplicates} more were equal to one of them")?;
        }
        if self.left_out.is_none() && games > openings * self.setup.players.len() {
            let note = "games of players that draw no lots repeat themselves";
            writeln!(out, "the openings ran out ({openings} different): {note}")?;
        }
        if let Some(mean) = self.mean() {
            let [won, drawn, lost] = self.counts.signs.map(|count| 100.0 * count as f64 / positions as f64);
            writeln!(
                out,
                "for the side to move: above 0 {won:.1} %, 0 {drawn:.1} %, below 0 {lost:.1} %; mean {mean:.4}"
            )?;
        }
        Ok(())
    }

    fn json(&self) -> anyhow::Result<()> {
        let setup = self.setup;
        let options: Map<_, _> =
            setup.rules.to_pairs().into_iter().map(|(key, value)| (key.to_string(), json!(value))).collect();
        let [above, zero, below] = self.counts.signs;
        let mut result = json!({
            "game": G::NAME, "options": options, "players": setup.players, "games": self.made.games,
            "opening_plies": setup.opening_plies, "more_opening_plies": setup.more_plies, "label": setup.label, "every": setup.every,
            "distinct": setup.distinct, "seed": setup.seed, "threads": self.threads,
            "complete": self.made.games == setup.games, "positions": self.made.positions,
            "duplicates": self.made.duplicates, "above": above, "zero": zero, "below": below,
            "mean_label": self.mean(), "file": self.path.display().to_string(), "format": self.format.word(),
            "bytes": self.bytes, "openings": self.made.openings,
        });
        if let Some([other_years, without_score]) = self.left_out {
            result["recorded"] = json!({ "other_years": other_years, "without_score": without_score });
        }
        writeln!(stdout(), "{result:#}")?;
        Ok(())
    }
}
