//! `evalforge tune clock`: how long each depth of a search takes at each step of a game, and how many moves there are.

use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use games::Rules;
use games::error::shown;
use measure::profile::{
    Profile as Measured, ProfileError, ProfileProgress, ProfileSetup, Spending, run as play,
};
use play::PlayedGame;
use play::files::new_file;
use play::numbers::rough_duration as duration;
use play::players::spec::Spec;
use play::search::Limits;
use play::search::limits::MAX_DEPTH;
use report::{profile_html, profile_text, spending_text};

use crate::arguments::{Common, For, Force, Given, OnGame, number, whole_number};
use crate::failure::{Interrupted, Usage, unwritten};
use crate::outputs::{self, Clock};
use crate::rooms::CliGame;
use crate::terminal::{Status, interrupted};

/// Measure how long each depth of a search takes at each step of a game
///
/// Alpha-beta plays games against itself. Prints, for every step, the legal moves, the time of each depth, and how many times as long
/// a depth takes as the one before. --out writes these ratios to a file for the clock of a player, as
/// alphabeta(game-time=60, clock=FILE), which begins no depth that would not finish in time; --html draws both.
///
/// Every search begins without memories. Depths that run out of time are counted as longer than they were. Measure on a machine that
/// has nothing else to do. Where a game has a solver of endgames it may end a search early; a depth, as alphabeta(depth=8), leaves it
/// out.
///
/// A player with a game time for the whole game, as alphabeta(game-time=60), plays as it would in a match: what is printed is how it spends
/// its time, and from which step on it knows who wins.
#[derive(Debug, Args)]
pub struct Profile {
    /// Who plays both sides; an alphabeta(...)
    #[arg(long, default_value = "alphabeta(time=0.1)")]
    player: String,
    /// Games to play
    #[arg(long, value_name = "N", default_value = "20", value_parser = whole_number(1..=100_000usize))]
    games: usize,
    /// Games begin after 0 to K random plies in turn, so that they differ
    #[arg(long, value_name = "K", default_value = "6", value_parser = whole_number(0..=10_000usize))]
    openings: usize,
    /// Seconds for a move, in place of the player's own limits
    #[arg(long, value_name = "SECONDS", value_parser = number(0.001..=3600.0))]
    time: Option<f64>,
    /// The deepest search, in place of the player's own limits
    #[arg(long, value_name = "PLIES", value_parser = whole_number(1..=MAX_DEPTH))]
    depth: Option<u32>,
    /// Write the ratios to this file, for clock=FILE of a player
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Write a page with both figures to this file
    #[arg(long, alias = "plot", value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

impl OnGame for Profile {
    const FOR: For = For::Two;
    const USAGE: Option<&'static str> = Some("evalforge tune clock <GAME> [OPTIONS]");

    fn run<G: CliGame>(self, given: &Given) -> anyhow::Result<()> {
        let setup = self.setup::<G>(given)?;
        let files = [("out", &self.out), ("html", &self.html)];
        let files = files.map(|(name, path)| path.as_ref().map(|path| (name, path)));
        let refused =
            |name: &str, path: &PathBuf, error: &std::io::Error| unwritten(&format!("--{name}"), path, error);
        for (name, path) in files.into_iter().flatten() {
            match name {
                "out" => self.force.check(path)?,
                _ => new_file::check(path).map_err(|error| refused(name, path, &error))?,
            }
        }
        let is_spending = setup.player.limits.game_time.is_some();
        if let (true, Some((name, path))) = (is_spending, files.iter().flatten().next()) {
            let reason =
                "a game time leaves out depths, so that there are no ratios; allowed: depth, nodes, time";
            return Err(Usage(format!("--{name} {}: {reason}", shown(&path.display().to_string()))).into());
        }
        let threads = self.common.threads();
        let status = Status::new();
        let mut watch = |live: &ProfileProgress| {
            status.show(&progress(setup.games, live));
            if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let played = play(&setup, threads, &mut watch);
        status.clear();
        let played = played.map_err(named)?;
        let (games, player) = (played.len(), setup.player.to_string());
        let broken_off = |kept: &str| Interrupted(format!(" after {games} of {} games{kept}", setup.games));
        if games == 0 {
            return Err(broken_off("; nothing is measured").into());
        }
        let profile = Measured::of(&played);
        let spending = is_spending.then(|| Spending::of(&played));
        let options = setup.rules.to_pairs().into_iter().map(|(key, value)| format!(", {key} {value}"));
        let options: String = options.collect();
        let said = format!(
            "{}{options}, {games} games of {player} after 0 to {} random plies, seed {}, {threads} threads",
            G::NAME,
            setup.opening_plies,
            setup.seed
        );
        let ratios = profile.ratios(G::NAME, &player, games, setup.seed);
        for (name, path) in files.into_iter().flatten() {
            let title = format!("Times of a search: {}", G::NAME);
            let text = if name == "out" { ratios.text() } else { profile_html(&title, &said, &profile) };
            new_file::write(path, text.as_bytes()).map_err(|error| refused(name, path, &error))?;
        }
        if self.common.json {
            let steps = spending.is_none().then_some(profile);
            outputs::print(&Clock {
                game: G::NAME.into(),
                options: outputs::options(&setup.rules),
                player,
                games,
                opening_plies: setup.opening_plies,
                seed: setup.seed,
                threads,
                complete: games == setup.games,
                steps,
                spending,
            })?;
        } else {
            let text = spending.as_ref().map_or_else(|| profile_text(&profile), spending_text);
            writeln!(stdout(), "{said}\n{}", text.trim_end())?;
        }
        if games < setup.games {
            return Err(broken_off("").into());
        }
        Ok(())
    }
}

impl Profile {
    fn setup<G: PlayedGame>(&self, given: &Given) -> anyhow::Result<ProfileSetup<G>> {
        let text = &self.player;
        let rules = given.rules::<G>()?;
        // An unknown name is told with all known ones.
        play::players::player::<G>(&rules, text)?;
        let not_searching = || Usage(format!("--player {text}: it does not search; allowed: alphabeta(...)"));
        let mut player = Spec::parse(text).map_err(|_| not_searching())?;
        let Self { time, depth, games, openings, .. } = *self;
        if time.is_some() || depth.is_some() {
            player.limits = Limits { time, depth, ..Limits::default() };
        }
        Ok(ProfileSetup { rules, player, games, opening_plies: openings, seed: self.common.seed() })
    }
}

/// Errors of the input, named by their options.
fn named(error: ProfileError) -> anyhow::Error {
    match error {
        ProfileError::Player(error) => error.into(),
        ProfileError::Opening(error) => Usage(format!("--{error}")).into(),
        error @ ProfileError::Search(..) => Usage(format!("--{error}")).into(),
    }
}

/// One line: games, and the time left.
fn progress(games: usize, live: &ProfileProgress) -> String {
    let mut text = format!("{}/{games} games", live.games);
    if live.games > 0 {
        let left = (games - live.games) as f64 * live.elapsed.as_secs_f64() / live.games as f64;
        text.push_str(&format!(", about {} to go", duration(left)));
    }
    text
}
