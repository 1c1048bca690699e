//! `evalforge score`: what players are worth by themselves. Which methods there are depends on what the game has: played games, estimates of
//! games too long to play, grades by perfect play.

use clap::{Args, Command};
use play::names::UnknownName;
use play::solo::Measure;

use super::estimate_splitting::Splitting;
use super::grade::Grade;
use super::score::Score;
use crate::arguments::{Common, For, Given, OnGame, with_changed};
use crate::failure::Usage;
use crate::rooms::{CliGame, Own};

/// Games are played to their end.
const GAMES: &str = "games";
/// The method that every game has which is lost level by level.
pub const SPLITTING: &str = "splitting";
/// Moves are judged by perfect play.
const GRADE: &str = "grade";

/// What every method takes.
const SHARED: [&str; 4] = ["players", "seed", "threads", "json"];

/// Measure players by themselves: their scores with 95 % intervals, or how well they play by perfect play
///
/// Methods:
/// - games plays a game for one from the start and prints for each player the mean score, as lines of Tetris, with its interval. Several
///   players are dealt the same, so that two of them are compared game by game.
/// - splitting estimates the mean score of games too long to play: how often a game rises to a first level, as the height of a pile, what share
///   of those excursions reach the next one, and so on to the end of the game.
/// - grade is for games that are solved, as small boards can be: how often the moves of a player keep the value of the game.
///
/// A player is one of those that 'evalforge list players' names, or a model file. Players of other games for two are measured against each
/// other by 'evalforge duel'.
#[derive(Debug, Args)]
pub struct Methods {
    /// How to measure
    #[arg(long)]
    pub method: Option<String>,
    /// Players without their option, as `grade` had them.
    #[arg(value_name = "PLAYER", hide = true)]
    names: Vec<String>,
}

impl OnGame for Methods {
    const FOR: For = For::Able("is for two players, whom 'evalforge duel' measures");
    const USAGE: Option<&'static str> = Some("evalforge score <GAME> --player <PLAYER>... [OPTIONS]");

    fn own<G: CliGame>() -> Option<Own> {
        G::ESTIMATE
    }

    fn is_able<G: CliGame>() -> bool {
        !methods::<G>().is_empty()
    }

    fn describe<G: CliGame>(command: Command) -> Command {
        let all = methods::<G>();
        let help = format!("How to measure: {} [default: {}]", all.join(", "), all[0]);
        let mut command = Self::augment_args(command);
        for (_, describe) in parts::<G>() {
            command = describe(command);
        }
        with_changed(command, "method", |arg| arg.help(&help))
    }

    fn run<G: CliGame>(self, given: &Given) -> anyhow::Result<()> {
        let all = methods::<G>();
        let method = self.method.as_deref().unwrap_or(all[0]);
        if !all.contains(&method) {
            return Err(UnknownName::new("method", method, all).into());
        }
        let own = G::ESTIMATE.map(|own| (own.names, own.describe));
        for (names, describe) in parts::<G>().into_iter().chain(own) {
            if let (false, Some(option)) = (names.contains(&method), given.any_of(describe, &SHARED)) {
                return Err(Usage(format!("--{option} is not for --method {method}")).into());
            }
        }
        match method {
            GAMES => given.also::<Score>()?.measure::<G>(given.rules::<G>()?),
            GRADE => given.also::<Grade>()?.grade::<G>(self.names, given),
            SPLITTING => {
                let Asked { player, common } = Asked::of(given, method)?;
                given.also::<Splitting>()?.run::<G>(given.rules::<G>()?, player, &common)
            }
            _ => given.run_own(G::ESTIMATE),
        }
    }
}

/// A method by its name, and how its options are described.
type Part = (&'static [&'static str], fn(Command) -> Command);

/// The methods that a game has by what it is, beside its own.
fn parts<G: CliGame>() -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    if G::SIDES.len() == 1 {
        parts.push((&[GAMES], Score::augment_args));
        if G::highest_level(&G::Rules::default(), Measure::Height).is_some() {
            parts.push((&[SPLITTING], Splitting::augment_args));
        }
    } else if G::ORACLE.is_some() {
        parts.push((&[GRADE], Grade::describe::<G>));
    }
    parts
}

/// The names of all methods; the first is the usual one.
fn methods<G: CliGame>() -> Vec<&'static str> {
    let own = G::ESTIMATE.map_or(&[][..], |own| own.names);
    parts::<G>().iter().flat_map(|(names, _)| *names).chain(own).copied().collect()
}

/// What is asked of an estimate, which is of one player.
pub struct Asked {
    /// The player.
    pub player: String,
    /// Seed, threads, JSON.
    pub common: Common,
}

impl Asked {
    /// As given.
    pub fn of(given: &Given, method: &str) -> anyhow::Result<Self> {
        let players = given.also::<Score>()?.players();
        match &players[..] {
            [player] => Ok(Self { player: player.clone(), common: given.also()? }),
            _ => Err(Usage(format!("--player: {} given; --method {method} takes one", players.len())).into()),
        }
    }
}
