//! What `duel` and `tournament` have in common: arguments, setup, the run with its status line.

use std::io::{Write, stderr};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Args;
use games::Rules;
use measure::arena::{
    Adjudication, BookOrder, DuelProgress, DuelSetup, MOST_MOVES, Openings, Patience, PlayedPair, Results,
    Schedule, open_journal, run as play,
};
use play::PlayedGame;
use play::players::common_limits::with_common_limits;
use play::players::{PlayerSpec, player};
use play::protocol::log::WireLog;
use play::search::limits::{Limits, MAX_DEPTH};
use play::solve::Judge;
use play::threads::available;
use stats::Sprt;

use super::arena_files::{Files, create};
use super::kept::Kept;
use crate::arguments::{Common, Given, number, whole_number};
use crate::failure::{Interrupted, Usage};
use crate::outputs::MoveLimits;
use crate::terminal::{Status, at_once, interrupted, watched};

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
    /// Begin as this file says: a position or the moves to it in each line, or the games of a file of recorded ones
    #[arg(long, value_name = "FILE", conflicts_with = "openings")]
    positions: Option<PathBuf>,
    /// Take the openings of the file one after the other, or in an order drawn by the seed
    #[arg(long, requires = "positions", default_value = "sequential", value_parser = ["sequential", "random"])]
    order: String,
    /// Begin with this opening of the file; those before it come last
    #[arg(long, value_name = "N", requires = "positions", default_value = "1", value_parser = whole_number(1..=usize::MAX))]
    start: usize,
    /// Play this many moves of each line or recorded game of the file [default: all of a line, 8 of a game]
    #[arg(long, value_name = "K", requires = "positions", value_parser = whole_number(0..=10_000usize))]
    plies: Option<usize>,
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
    /// Give a player this much of its game time back for every move; it is told what it has left
    #[arg(long, value_name = "SECONDS", requires = "game_time", default_value = "0", value_parser = number(0.0..=1e6))]
    increment: f64,
    /// Let a player overrun its game time by this much before it loses
    #[arg(long, value_name = "SECONDS", requires = "game_time", default_value = "0", value_parser = number(0.0..=3600.0))]
    time_margin: f64,
    /// A player loses that says for MOVES of its moves in a row that it is behind by VALUE or more, as 3,10. Values are in the unit of
    /// its evaluation, which may be another one for every player
    #[arg(long, value_name = "MOVES,VALUE", value_parser = patience)]
    resign: Option<Patience>,
    /// A game is drawn in which both say for MOVES of their moves in a row that neither is ahead by more than VALUE
    #[arg(long, value_name = "MOVES,VALUE", value_parser = patience)]
    draw: Option<Patience>,
    /// End a game as soon as it is solved, where the game has a table of all its positions or a solver of its endings
    #[arg(long)]
    adjudicate: bool,
    /// Write what is said to other programs and by them to this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
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
    /// Write the games to this file, for 'evalforge review': moves with value, plies, positions and time; a name that ends in
    /// .ggf is written for other programs, if the game has that form
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Keep every pair in this file, and go on from it if it exists
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
}

/// Moves and a value.
fn patience(text: &str) -> Result<Patience, String> {
    let read = || {
        let (moves, value) = text.split_once(',')?;
        let moves = moves.trim().parse().ok().filter(|moves| (1..=10_000).contains(moves))?;
        let value = value.trim().parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0)?;
        Some(Patience { moves, value })
    };
    read().ok_or_else(|| {
        "allowed: a whole number of moves from 1 to 10000 and a value of 0 or more, as 3,10".to_string()
    })
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
    pub fn move_limits(&self) -> MoveLimits {
        let Limits { depth, nodes, time, .. } = self.common_limits();
        MoveLimits { depth, nodes, time }
    }

    /// Everything that is to be played, checked, by players with the common limits in their texts.
    pub fn setup<G: PlayedGame>(
        &self,
        given: &Given,
        texts: &[String],
        schedule: Schedule,
        pairs: usize,
        sprt: Option<Sprt>,
    ) -> anyhow::Result<DuelSetup<G>> {
        at_once("; nothing is played yet", || self.checked(given, texts, schedule, pairs, sprt))
    }

    fn checked<G: PlayedGame>(
        &self,
        given: &Given,
        texts: &[String],
        schedule: Schedule,
        pairs: usize,
        sprt: Option<Sprt>,
    ) -> anyhow::Result<DuelSetup<G>> {
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
            Some(path) => {
                let shuffled = (self.order == "random").then_some(seed);
                let order = BookOrder { plies: self.plies, shuffled, start: self.start };
                Openings::read(&rules, path, &order)
            }
            None => Openings::random(&rules, self.openings.unwrap_or(PLIES), pairs * schedule.rounds(), seed),
        };
        let openings = openings.map_err(|error| Usage(format!("--{error}")))?;
        let most_moves = self.moves.unwrap_or(MOST_MOVES);
        let game_time = common.game_time;
        if self.adjudicate && !Judge::<G>::is_there() {
            let refusal = format!(
                "--adjudicate: game '{}' has neither a table of its positions nor a solver that tells by how much they are won",
                G::NAME
            );
            return Err(Usage(refusal).into());
        }
        let Self { increment, time_margin, resign, draw, adjudicate: solved, .. } = *self;
        let adjudication = Adjudication { resign, draw, solved };
        Ok(DuelSetup {
            rules,
            players,
            schedule,
            openings,
            pairs,
            seed,
            most_moves,
            sprt,
            game_time,
            increment,
            time_margin,
            adjudication,
        })
    }

    /// Plays with a status line, and writes the files that were asked for; every pair is kept as it ends.
    pub fn run<G: PlayedGame>(
        &self,
        setup: &DuelSetup<G>,
        progress: &dyn Fn(&DuelProgress, &Results) -> String,
    ) -> anyhow::Result<(Results, Kept)> {
        let mut files = Files::create(setup, self.csv.as_deref(), self.save.as_deref())?;
        let log = self.log.as_deref().map(|path| create("--log", path).map(WireLog::new)).transpose()?;
        if self.adjudicate && watched("solving", |watch| Judge::<G>::new(&setup.rules, watch))?.is_none() {
            return Err(Interrupted("; nothing is played yet".into()).into());
        }
        self.warn_if_busy(setup)?;
        let open = |path: &Path| open_journal(path, setup);
        let named = self.resume.as_ref();
        let (mut kept, mut results) = Kept::open(named, ("arena", "pair"), open, || Results::new(setup))?;
        let mut journal = kept.take_journal();
        let status = Status::new();
        let maker = |number: usize| {
            let mut player = player::<G>(&setup.rules, &setup.players[number])?;
            if let Some(log) = &log {
                player.log_to(log);
            }
            Ok(player)
        };
        let mut disk = Ok(());
        let mut watch = |live: &DuelProgress, results: &Results| {
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

    /// Says that clocks will not be fair, if players look at one and there are not enough processors for all of them.
    fn warn_if_busy<G: PlayedGame>(&self, setup: &DuelSetup<G>) -> anyhow::Result<()> {
        let mut is_timed = setup.game_time.is_some();
        for text in &setup.players {
            if let PlayerSpec::Search(plan) = PlayerSpec::<G>::parse(&setup.rules, text)? {
                is_timed |= plan.limits().is_timed();
            }
        }
        let (threads, cores) = (self.common.threads(), available());
        let others = busy_processors().unwrap_or(0.0);
        if is_timed && threads as f64 + others > cores as f64 + 0.5 {
            // Nothing is lost if nobody hears it.
            let _ = writeln!(
                stderr(),
                "evalforge: warning: {threads} games at once, and others keep {others:.1} of {cores} processors busy: players will have less \
                 time than their clocks say; --threads {} leaves room",
                (cores as f64 - others).floor().max(1.0)
            );
        }
        Ok(())
    }

    /// The first line of a report: the game, its options, and what was played.
    pub fn heading<G: PlayedGame>(&self, setup: &DuelSetup<G>, results: &Results) -> String {
        let options = setup.rules.to_pairs().into_iter().map(|(key, value)| format!(", {key} {value}"));
        let (games, seed) = (2 * results.counted().len(), setup.seed);
        let label = setup.openings.label();
        let options: String = options.collect();
        let Limits { depth, nodes, simulations: _, time, game_time } = self.common_limits();
        let limits = [
            depth.map(|depth| format!(", depth {depth} each")),
            nodes.map(|nodes| format!(", {nodes} nodes a move each")),
            time.map(|seconds| format!(", {seconds} s a move each")),
            game_time.map(|seconds| match self.increment {
                0.0 => format!(", {seconds} s a game each"),
                increment => format!(", {seconds} s a game and {increment} s a move each"),
            }),
        ];
        let limits: String = limits.into_iter().flatten().collect();
        format!(
            "{}{options}, {games} games after {label}{limits}, seed {seed}, {} threads",
            G::NAME,
            self.common.threads()
        )
    }
}

/// How many processors were busy on average in the last minute, where the system tells.
fn busy_processors() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// What is to be said about openings that come again.
pub fn repeated<G: PlayedGame>(setup: &DuelSetup<G>, results: &Results) -> Option<String> {
    let (distinct, used) = (setup.openings.distinct(), results.counted().map(|pair| pair.pair + 1).max());
    (used? > distinct).then(|| {
        format!(
            "the openings ran out ({distinct} different): where players draw no lots, games repeat themselves and the \
             intervals are too short"
        )
    })
}
