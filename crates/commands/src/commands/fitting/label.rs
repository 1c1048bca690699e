//! `evalforge label`: positions from games of any player, labelled, in a file to learn from.

use std::io::{BufWriter, Write, stdout};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use games::Rules;
use games::error::{one_line, shown};
use measure::arena::OpeningError;
use play::PlayedGame;
use play::files::new_file::NewFile;
use play::numbers::rough_duration as duration;
use train::data::recorded::{Chosen, choose};
use train::data::{
    Format, Label as Labels, LabelError, LabelProgress, LabelSetup, Labelled, Made, Record, Writer, make,
};

use crate::arguments::{Common, For, Force, Given, OnGame, whole_number};
use crate::failure::{Interrupted, Usage, unwritten};
use crate::outputs;
use crate::rooms::CliGame;
use crate::terminal::{Status, interrupted, short};

/// The most games that can be asked for.
const MOST_GAMES: usize = 1_000_000;

/// Write positions of games into a file, each with a number that says how good it is
///
/// Plays games after random openings and writes down their positions, each with a label from -1 to 1 for the side to move: 1 is won,
/// 0 drawn, -1 lost. Finished games and the plies of the opening are left out.
///
/// Labels: 'outcome' is how the game ended; 'difference/N', as 'difference/64', is what it was won by over N; 'fraction' is the
/// outcome times the share of the game that is over, so that positions near the end weigh more; 'simulations:N' is the mean outcome of
/// N random games from the position; 'search:PLAYER', as 'search:alphabeta(depth=4)', is what a search finds: 1, 0 or -1 where it sees
/// the end, else its value v as 2/(1 + exp(-v)) - 1, with 'search/SCALE:PLAYER' of v/SCALE, or of mcts the share of wins;
/// 'value/N:PLAYER', as 'value/64:alphabeta(nodes=100000, eval=patterns)', is what a search finds over N: what the game is won by where
/// the end is seen, else its value, which should be in the same unit. With a limit of time no two runs are the same.
///
/// Of Othello --data labels recorded games in place of new ones: all their positions from the first move.
///
/// Formats: 'text' has a header, then a line a position: text, label, ply and game with tabs between them; 'packed' holds the same in
/// few bytes, with a checksum.
///
/// Ctrl-C keeps the games that are whole.
#[derive(Debug, Args)]
pub struct Label {
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    force: Force,
    /// Who plays both sides [default: random]; given twice, two play every opening from both sides
    #[arg(long, value_name = "PLAYER")]
    player: Option<Vec<String>>,
    /// Games to play
    #[arg(long, value_name = "N", default_value = "1000", value_parser = whole_number(1..=MOST_GAMES))]
    games: usize,
    /// Begin after this many random plies, or by turns after K to L of them, as 8-50
    #[arg(long = "openings", alias = "opening-plies", value_name = "K", default_value = "6", value_parser = plies)]
    opening_plies: (usize, usize),
    /// outcome, fraction, difference/N, simulations:N, search:PLAYER or value/N:PLAYER
    #[arg(long, default_value = "outcome", value_parser = str::parse::<Labels>)]
    label: Labels,
    /// text or packed
    #[arg(long, default_value = "text", value_parser = str::parse::<Format>)]
    format: Format,
    /// Keep every N-th position of a game, not all beginning with the same one
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number(1..=10_000usize))]
    every: usize,
    /// Keep a position only where it comes first, up to the symmetries of the game
    #[arg(long)]
    distinct: bool,
    #[command(flatten)]
    common: Common,
}

/// Where there are files of games.
#[derive(Debug, Args)]
struct Recorded {
    /// Label the games of this file (.wtb, .ggf) or folder of them instead of playing; may be given again
    #[arg(long, value_name = "PATH", conflicts_with_all = ["player", "games", "opening_plies"])]
    data: Vec<PathBuf>,
    /// Only recorded games of these years, or of one; games without a year are left out
    #[arg(long, value_name = "A-B", requires = "data", value_parser = years)]
    years: Option<RangeInclusive<u16>>,
}

impl OnGame for Label {
    const FOR: For = For::Two;
    const USAGE: Option<&'static str> = Some("evalforge label <GAME> --out <FILE> [OPTIONS]");

    fn describe<G: CliGame>(command: Command) -> Command {
        Self::augment_args(if !G::RECORDED.is_empty() { Recorded::augment_args(command) } else { command })
    }

    fn run<G: CliGame>(self, given: &Given) -> anyhow::Result<()> {
        let (setup, left_out) = self.setup::<G>(given)?;
        let (made, counts, bytes) = self.write(&setup)?;
        let (threads, path, format) = (self.common.threads(), &self.out, self.format);
        let report = Report { setup: &setup, threads, path, format, made, counts, bytes, left_out };
        if made.games > 0 {
            if self.common.json { report.json()? } else { report.text()? }
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

impl Label {
    fn setup<G: PlayedGame>(&self, given: &Given) -> anyhow::Result<(LabelSetup<G>, LeftOut)> {
        let setup = self.to_be_played(given.rules::<G>()?)?;
        if G::RECORDED.is_empty() {
            return Ok((setup, None));
        }
        let Recorded { data, years } = given.also()?;
        if data.is_empty() {
            return Ok((setup, None));
        }
        let chosen = choose::<G>(&data, years.as_ref(), &setup.label);
        let Chosen { games, other_years, without_score } =
            chosen.map_err(|error| Usage(format!("--data: {error}")))?;
        if games.is_empty() {
            let reason =
                format!("{other_years} games of other years, {without_score} without a result, and no other");
            return Err(Usage(format!("--data: nothing to label: {reason}")).into());
        }
        let recorded: Vec<Record<G>> = games;
        let (players, games) = (Vec::new(), recorded.len());
        let setup = LabelSetup { recorded, players, games, opening_plies: 0, more_plies: 0, ..setup };
        Ok((setup, Some([other_years, without_score])))
    }

    fn to_be_played<G: PlayedGame>(&self, rules: G::Rules) -> anyhow::Result<LabelSetup<G>> {
        let mut players = self.player.clone().unwrap_or_else(|| vec!["random".into()]);
        if players.len() > 2 {
            return Err(Usage(format!("--player: {} given; allowed: one or two", players.len())).into());
        }
        // Given twice, one and the same player needs no exchange of sides, which would play each game twice.
        players.dedup();
        let (least, most) = self.opening_plies;
        Ok(LabelSetup {
            rules,
            recorded: Vec::new(),
            players,
            games: self.games,
            opening_plies: least,
            more_plies: most - least,
            label: self.label.clone(),
            every: self.every,
            distinct: self.distinct,
            seed: self.common.seed(),
        })
    }

    /// Plays with a status line and writes the file; gives also its length. No file comes of no games.
    fn write<G: PlayedGame>(&self, setup: &LabelSetup<G>) -> anyhow::Result<(Made, Counts, u64)> {
        let path = &self.out;
        self.force.check(path)?;
        let disk = |error| unwritten("--out", path, &error);
        let file = NewFile::create(path).map_err(disk)?;
        let mut writer = Writer::new(BufWriter::new(file), self.format, &setup.header()).map_err(disk)?;
        let mut counts = Counts::default();
        let mut sink = |position: &Labelled| {
            counts.add(position.label);
            writer.push(position)
        };
        let status = Status::new();
        let mut watch = |live: &LabelProgress| {
            status.show(&progress(setup.games, live));
            if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let made = make(setup, self.common.threads(), &mut sink, &mut watch);
        status.clear();
        let made = made.map_err(|error| match error {
            LabelError::File(error) => disk(error),
            error => named(error),
        })?;
        if made.games == 0 {
            return Ok((made, counts, 0));
        }
        let (file, bytes) = writer.finish().map_err(disk)?;
        let file = file.into_inner().map_err(std::io::IntoInnerError::into_error).map_err(disk)?;
        file.finish().map_err(disk)?;
        Ok((made, counts, bytes))
    }
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

/// Errors that name the option they come from.
fn named(error: LabelError) -> anyhow::Error {
    match error {
        LabelError::Player(error) => error.into(),
        LabelError::Opening(OpeningError::TooLong { plies, game, longest }) => Usage(format!(
            "--openings {plies}: random games of {game} are over before, the longest that was seen after {longest} \
             plies; allowed: fewer"
        ))
        .into(),
        error => error.into(),
    }
}

/// One line: games, positions, the speed and the time left.
fn progress(games: usize, live: &LabelProgress) -> String {
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
    setup: &'a LabelSetup<G>,
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
        let LabelSetup { players, opening_plies, more_plies, seed, label, .. } = self.setup;
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
        let games_of = one_line(&games_of);
        writeln!(out, "{}{options}, {games_of}, seed {seed}, {} threads", G::NAME, self.threads)?;
        if let Some([other_years, without_score]) = self.left_out.filter(|counts| *counts != [0, 0]) {
            writeln!(out, "left out: {other_years} games of other years, {without_score} without a result")?;
        }
        let size = format!("{} bytes, {}", self.bytes, self.format.word());
        let [label, path] = [label.to_string(), self.path.display().to_string()].map(|text| one_line(&text));
        writeln!(out, "{positions} positions labelled by {label} in {path} ({size})")?;
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
        let [above, zero, below] = self.counts.signs;
        Ok(outputs::print(&outputs::Labelled {
            game: G::NAME.into(),
            options: outputs::options(&setup.rules),
            players: setup.players.clone(),
            games: self.made.games,
            opening_plies: setup.opening_plies,
            more_opening_plies: setup.more_plies,
            label: setup.label.clone().into(),
            every: setup.every,
            distinct: setup.distinct,
            seed: setup.seed,
            threads: self.threads,
            complete: self.made.games == setup.games,
            positions: self.made.positions,
            duplicates: self.made.duplicates,
            above,
            zero,
            below,
            mean_label: self.mean(),
            file: self.path.display().to_string(),
            format: self.format.word().into(),
            bytes: self.bytes,
            openings: self.made.openings,
            recorded: self
                .left_out
                .map(|[other_years, without_score]| outputs::LeftOut { other_years, without_score }),
        })?)
    }
}
