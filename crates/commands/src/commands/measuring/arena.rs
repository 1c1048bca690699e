//! What `duel` and `tournament` have in common: arguments, setup, the run with its status line.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Args;
use games::Rules;
use measure::arena::{
    Live, MOST_MOVES, Openings, PlayedPair, Results, Schedule, Setup, open_journal, run as play,
};
use play::PlayedGame;
use play::players::common_limits::with_common_limits;
use play::players::player;
use play::search::limits::{Limits, MAX_DEPTH};
use serde_json::{Value, json};
use stats::Sprt;

use super::arena_files::Files;
use super::kept::Kept;
use crate::arguments::{Common, Given, number, whole_number};
use crate::failure::Usage;
use crate::terminal::{Status, at_once, interrupted};

/// Plies of a random opening unless given.
const PLIES: usize = 6;
/// The most games that can be asked for.
pub const MOST_GAMES: usize = 10_000_000;

/// The arguments that both commands take.
#[derive(Debug, Args)]
pub struct Arena {
    #[arg(
        long,
        value_name = "K",
        value_parser = whole_number(0..=10_000usize),
        help = format!("Begin after this many random plies [default: {PLIES}]")
    )]
    openings: Option<usize>,
    /// Begin from the positions in this file, one a line
    #[arg(long, value_name = "FILE", conflicts_with = "openings")]
    positions: Option<PathBuf>,
    #[arg(
        long,
        value_name = "N",
        value_parser = whole_number(1..=1_000_000usize),
        help = format!("A game with this many moves is drawn [default: {MOST_MOVES}]")
    )]
    moves: Option<usize>,
    /// Time of each player for all its moves of a game; who needs more loses. Searches without a limit of their own share it out
    #[arg(long, alias = "credit", value_name = "SECONDS", value_parser = number(0.001..=1e6))]
    game_time: Option<f64>,
    /// Plies of every player that searches, as if its text said so
    #[arg(long, value_name = "N", value_parser = whole_number(1..=MAX_DEPTH))]
    depth: Option<u32>,
    /// Positions for a move of every player that searches, as if its text said so
    #[arg(long, value_name = "N", value_parser = whole_number(1..=u64::MAX))]
    nodes: Option<u64>,
    /// Time for a move of every player that searches, as if its text said so
    #[arg(long, value_name = "SECONDS", value_parser = number(0.001..=1e6))]
    time: Option<f64>,
    /// Seed, threads, JSON.
    #[command(flatten)]
    pub common: Common,
    /// Write one line a game to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the games to this file, for 'evalforge replay'
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Keep every pair in this file, and go on from it if it exists
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
}

/// An even number of games.
pub fn even_number(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (2..=MOST_GAMES).contains(number) && number % 2 == 0);
    number.ok_or_else(|| {
        format!("allowed: an even number from 2 to {MOST_GAMES}, for each opening is played twice")
    })
}

impl Arena {
    /// The limits that all players have in common.
    fn common_limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            simulations: None,
            time: self.time,
            game_time: self.game_time,
        }
    }

    /// Those of a move, for machines.
    pub fn limits_json(&self) -> Value {
        let Limits { depth, nodes, time, .. } = self.common_limits();
        json!({ "depth": depth, "nodes": nodes, "time": time })
    }

    /// Everything that is to be played, checked, by players with the common limits in their texts.
    pub fn setup<G: PlayedGame>(
        &self,
        given: &Given,
        texts: &[String],
        schedule: Schedule,
        pairs: usize,
        sprt: Option<Sprt>,
    ) -> anyhow::Result<Setup<G>> {
        at_once("; nothing is played yet", || self.checked(given, texts, schedule, pairs, sprt))
    }

    fn checked<G: PlayedGame>(
        &self,
        given: &Given,
        texts: &[String],
        schedule: Schedule,
        pairs: usize,
        sprt: Option<Sprt>,
    ) -> anyhow::Result<Setup<G>> {
        let rules = given.rules::<G>()?;
        let common = self.common_limits();
        let players = with_common_limits(texts, &common);
        // What is wrong with a player by itself is said before what is wrong with limits for it.
        for text in players.as_deref().unwrap_or(texts) {
            player::<G>(&rules, text)?;
        }
        let players = players.map_err(|error| Usage(format!("--{error}")))?;
        let seed = self.common.seed();
        let openings = match &self.positions {
            Some(path) => Openings::read(&rules, path),
            None => Openings::random(&rules, self.openings.unwrap_or(PLIES), pairs, seed),
        };
        let openings = openings.map_err(|error| Usage(format!("--{error}")))?;
        let most_moves = self.moves.unwrap_or(MOST_MOVES);
        let game_time = common.game_time;
        Ok(Setup { rules, players, schedule, openings, pairs, seed, most_moves, sprt, game_time })
    }

    /// Plays with a status line, and writes the files that were asked for; every pair is kept as it ends.
    pub fn run<G: PlayedGame>(
        &self,
        setup: &Setup<G>,
        progress: &dyn Fn(&Live, &Results) -> String,
    ) -> anyhow::Result<(Results, Kept)> {
        let mut files = Files::create(setup, self.csv.as_deref(), self.save.as_deref())?;
        let open = |path: &Path| open_journal(path, setup);
        let named = self.resume.as_ref();
        let (mut kept, mut results) = Kept::open(named, ("arena", "pair"), open, || Results::new(setup))?;
        let mut journal = kept.take_journal();
        let status = Status::new();
        let maker = |number: usize| player::<G>(&setup.rules, &setup.players[number]);
        let mut disk = Ok(());
        let mut watch = |live: &Live, results: &Results| {
            status.show(&progress(live, results));
            kept.tell(live.elapsed, &status);
            if disk.is_ok() {
                disk = files.write(results);
            }
            if interrupted() || disk.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let played = play(setup, &maker, self.common.threads(), &mut results, journal.as_mut(), &mut watch);
        status.clear();
        if let Err(error) = played {
            drop(journal);
            // Pairs that say nothing are not kept, and a file without any is no use to anybody.
            if results.all().all(PlayedPair::is_misunderstood) {
                kept.tidy_up()?;
            }
            return Err(error.into());
        }
        disk?;
        files.write(&results)?;
        Ok((results, kept))
    }

    /// The first line of a report: the game, its options, and what was played.
    pub fn heading<G: PlayedGame>(&self, setup: &Setup<G>, results: &Results) -> String {
        let options = setup.rules.to_pairs().into_iter().map(|(key, value)| format!(", {key} {value}"));
        let (games, seed) = (2 * results.counted().len(), setup.seed);
        let label = setup.openings.label();
        let options: String = options.collect();
        let Limits { depth, nodes, simulations: _, time, game_time } = self.common_limits();
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
            self.common.threads()
        )
    }
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
