//! `evalforge score --method games`: what players of a game for one score, with intervals, and which of them is better.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Args;
use measure::score::{Games, ScoreProgress, ScoreSetup, open_journal, run as play};
use play::PlayedGame;
use play::files::new_file::NewFile;
use play::numbers::rough_duration as duration;
use stats::games_for_precision;

use super::kept::Kept;
use super::score_report;
use crate::arguments::{Common, whole_number};
use crate::failure::{Usage, unwritten};
use crate::terminal::{Status, interrupted, short};

/// Games that are played to their end, and counted.
#[derive(Debug, Args)]
pub struct Score {
    /// A player or model file; may be given several times
    #[arg(long = "player", value_name = "PLAYER")]
    players: Vec<String>,
    /// Features of a linear player, as dn or holes,wells
    #[arg(long, value_name = "NAMES", requires = "weights")]
    features: Option<String>,
    /// Its weights, in the order of the features
    #[arg(long, value_name = "W,W,...", allow_hyphen_values = true, requires = "features")]
    weights: Option<String>,
    /// Games for each player [default: 100]
    #[arg(long, value_name = "N", value_parser = whole_number(1..=100_000_000usize))]
    games: Option<usize>,
    /// Play until the interval of 2/sqrt(games) is this tight, as 5%
    #[arg(long, value_name = "P%", conflicts_with = "games", value_parser = percentage)]
    precision: Option<f64>,
    #[command(flatten)]
    common: Common,
    /// Write the raw scores to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Keep every game in this file, and go on from it if it exists
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
}

/// A share given in percent, as `5%` or `5`.
fn percentage(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim().parse::<f64>().ok();
    let within = number.filter(|percent| (0.01..=100.0).contains(percent));
    within.map(|percent| percent / 100.0).ok_or_else(|| "allowed: 0.01% to 100%".to_string())
}

impl Score {
    /// The players as named.
    pub fn players(self) -> Vec<String> {
        self.players
    }

    /// Plays, and says what came of it.
    pub fn measure<G: PlayedGame>(&self, rules: G::Rules) -> anyhow::Result<()> {
        let setup = self.setup::<G>(rules)?;
        setup.check()?;
        let threads = self.common.threads();
        let csv = self.csv.as_deref().map(Csv::create).transpose()?;

        let open = |path: &Path| open_journal(path, &setup);
        let nothing = || Games::new(setup.players.len(), setup.games);
        let (mut kept, mut games) = Kept::open(self.resume.as_ref(), ("score", "game"), open, nothing)?;
        let mut journal = kept.take_journal();
        let status = Status::new();
        let mut watch = |live: &ScoreProgress| {
            status.show(&progress(&setup, live));
            kept.tell(live.elapsed, &status);
            if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        play(&setup, threads, &mut games, journal.as_mut(), &mut watch)?;
        status.clear();

        if let Some(csv) = csv {
            csv.write(&setup, &games)?;
        }
        if self.common.json {
            score_report::json(&setup, threads, &games)?;
        } else {
            score_report::text(&setup, threads, &games)?;
        }
        if games.complete() {
            return kept.tidy_up();
        }
        Err(kept.broken_off().into())
    }

    fn setup<G: PlayedGame>(&self, rules: G::Rules) -> anyhow::Result<ScoreSetup<G>> {
        let mut players = self.players.clone();
        if let (Some(features), Some(weights)) = (&self.features, &self.weights) {
            players.push(format!("linear({features}; {weights})"));
        }
        if players.is_empty() {
            let message =
                "no player is given; --player NAME, --player FILE.json, or --features and --weights";
            return Err(Usage(message.into()).into());
        }
        let games = self.precision.map(games_for_precision).or(self.games).unwrap_or(100);
        Ok(ScoreSetup { rules, players, games, seed: self.common.seed() })
    }
}

/// One line: games over, the estimate so far, the speed, and the time left.
fn progress<G: PlayedGame>(setup: &ScoreSetup<G>, live: &ScoreProgress) -> String {
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

/// The raw scores, opened before anything is played so that an unwritable file is known at once.
struct Csv<'a> {
    path: &'a Path,
    file: NewFile,
}

impl<'a> Csv<'a> {
    fn create(path: &'a Path) -> anyhow::Result<Self> {
        let refused = |error| unwritten("--csv", path, &error);
        Ok(Self { path, file: NewFile::create(path).map_err(refused)? })
    }

    fn write<G: PlayedGame>(mut self, setup: &ScoreSetup<G>, games: &Games) -> anyhow::Result<()> {
        let mut text = format!("player,game,{},decisions\n", G::SCORE_UNIT);
        for (player, name) in setup.players.iter().enumerate() {
            for game in games.finished(player) {
                let name = name.replace('"', "\"\"");
                text.push_str(&format!("\"{name}\",{},{},{}\n", game.game, game.score, game.decisions));
            }
        }
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.finish());
        written.map_err(|error| unwritten("--csv", self.path, &error))
    }
}
