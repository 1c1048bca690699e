//! `evalforge play --watch`: a player's game, moving in the terminal or as a GIF.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Command};
use games::Turn;
use games::draw::{Ink, Pen};
use games::error::InputError;
use play::PlayedGame;
use play::analyze::show::{Show, Step};
use play::files::new_file;
use report::picture::panel::{names, panel, score, short, watched};

use super::conversation::result;
use crate::arguments::{For, Given, OnGame, Position, Seed, number, whole_number};
use crate::failure::{Interrupted, Usage, unwritten};
use crate::rooms::CliGame;
use crate::terminal::{Screen, StatusBar, beside, colour, interrupted, is_canvas, pause};

/// Moves in a GIF unless given.
const FILMED: u64 = 200;
/// Moves of a game for one that are printed where nobody can press Ctrl-C.
const PRINTED: u64 = 50;
/// The longest GIF.
const MOST_FILMED: u64 = 10_000;

/// Watch a player's game in the terminal, or make a GIF of it; between two sides it plays itself
#[derive(Debug, Args)]
pub struct Watch {
    /// A player that 'evalforge list players' names, or a model file
    #[arg(long)]
    player: String,
    #[command(flatten)]
    at: Position,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    how: Watching,
    /// Pause after each move, from 0 to 60 [default: 0.2; 0 if the output is no terminal]
    #[arg(long, value_name = "SECONDS", value_parser = number(0.0..=60.0))]
    delay: Option<f64>,
}

/// How a game is watched.
#[derive(Debug, Args)]
pub struct Watching {
    #[arg(
        long,
        value_name = "N",
        value_parser = whole_number(1..=u64::MAX),
        help = format!("With --watch: end after this many moves [default: none; {FILMED} in a GIF; of a game for one {PRINTED} if the output is no terminal]")
    )]
    moves: Option<u64>,
    /// Watch, and write an animated GIF to this file instead
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,
}

impl OnGame for Watch {
    const FOR: For = For::All;
    const USAGE: Option<&'static str> = Some("evalforge play <GAME> --watch --player <PLAYER> [OPTIONS]");

    fn describe<G: CliGame>(command: Command) -> Command {
        Self::augment_args(command).after_help("Ctrl-C ends it.")
    }

    fn run<G: CliGame>(self, given: &Given) -> anyhow::Result<()> {
        let rules = given.rules::<G>()?;
        let start = self.at.of::<G>(&rules)?;
        self.how.show(&rules, start, &[&self.player], self.seed.seed, self.delay)
    }
}

impl Watching {
    /// Whether something is asked for that only watching has.
    pub fn is_asked(&self) -> bool {
        self.moves.is_some() || self.gif.is_some()
    }

    /// Shows the game of a player, or of one a side.
    pub fn show<G: PlayedGame>(
        self,
        rules: &G::Rules,
        start: G,
        players: &[&str],
        seed: u64,
        delay: Option<f64>,
    ) -> anyhow::Result<()> {
        if start.turn() == Turn::Over {
            return Err(InputError::position(&start.text(), "the game is over").into());
        }
        let show = Show::new(rules, start, players, seed)?;
        let player = &players.join(" - ");
        let moves = self.moves;
        // Between two sides every game ends by itself.
        let printed = if G::SIDES.len() == 1 { PRINTED } else { u64::MAX };
        match self.gif {
            Some(path) => write_gif(show, player, &path, moves.unwrap_or(FILMED), delay.unwrap_or(0.2)),
            None if is_canvas() => animate(show, player, moves.unwrap_or(u64::MAX), delay.unwrap_or(0.2)),
            None => print(show, player, moves.unwrap_or(printed), delay.unwrap_or(0.0)),
        }
    }
}

fn write_gif<G: PlayedGame>(
    mut show: Show<G>,
    player: &str,
    path: &Path,
    moves: u64,
    delay: f64,
) -> anyhow::Result<()> {
    if moves > MOST_FILMED {
        let refusal = format!("--moves {moves}: a GIF has at most {MOST_FILMED} {}", G::WORDS.moves);
        return Err(Usage(refusal).into());
    }
    let refused = |error| unwritten("--gif", path, &error);
    new_file::check(path).map_err(refused)?;
    let progress = StatusBar::new("drawing", moves);
    let (start, names) = (show.now().clone(), names(show.critic()));
    let mut failed = None;
    let steps = std::iter::from_fn(|| {
        let step = show.next().filter(|_| !interrupted())?.map_err(|error| failed = Some(error)).ok()?;
        progress.set(step.moves);
        let panel = panel(&step, show.critic());
        Some((step, panel))
    });
    let hundredths = (delay * 100.0).round() as u16;
    let bytes = watched(&start, player, &names, steps.take(moves as usize), hundredths);
    progress.finish();
    if let Some(failure) = failed {
        return Err(failure.into());
    }
    if interrupted() {
        return Err(Interrupted("; no picture is written".into()).into());
    }
    new_file::write(path, &bytes).map_err(refused)?;
    writeln!(stdout(), "{}: {}, {} kB", path.display(), length(&show, ""), bytes.len().div_ceil(1000))?;
    Ok(())
}

fn animate<G: PlayedGame>(mut show: Show<G>, player: &str, moves: u64, delay: f64) -> anyhow::Result<()> {
    let screen = Screen::new()?;
    for _ in 0..moves {
        let Some(step) = show.next().transpose()? else { break };
        screen.draw(&picture(&show, player, &step))?;
        pause(Duration::from_secs_f64(delay));
        if interrupted() {
            drop(screen);
            writeln!(stdout())?;
            return Err(Interrupted(format!(" after {}", length(&show, ""))).into());
        }
    }
    drop(screen);
    farewell(&show)
}

fn print<G: PlayedGame>(mut show: Show<G>, player: &str, moves: u64, delay: f64) -> anyhow::Result<()> {
    for _ in 0..moves {
        let Some(step) = show.next().transpose()? else { break };
        writeln!(stdout(), "{}", picture(&show, player, &step))?;
        pause(Duration::from_secs_f64(delay));
        if interrupted() {
            return Err(Interrupted(String::new()).into());
        }
    }
    farewell(&show)
}

fn farewell<G: PlayedGame>(show: &Show<G>) -> anyhow::Result<()> {
    let is_over = show.now().turn() == Turn::Over;
    if is_over && G::SIDES.len() == 2 {
        writeln!(stdout(), "{}", result(show.now(), show.moves()))?;
        return Ok(());
    }
    let how = if is_over { "The game is over" } else { "Left" };
    writeln!(stdout(), "{how} after {}.", length(show, "with "))?;
    Ok(())
}

/// How long the game is so far and what it has come to, as "50 pieces, 19 lines".
fn length<G: PlayedGame>(show: &Show<G>, with: &str) -> String {
    let score = score(show.now()).map_or(String::new(), |(unit, score)| format!(", {with}{score} {unit}"));
    format!("{} {}{score}", show.moves(), G::WORDS.unit)
}

/// The board with the move just made, and what there is to say about it beside.
fn picture<G: PlayedGame>(show: &Show<G>, player: &str, step: &Step<G>) -> String {
    let mut board = Pen::new(colour());
    step.after.draw(&mut board, Some((&step.before, step.mv)));
    let panel = panel(step, show.critic());
    let mut text = Pen::new(colour());
    let mut row = |ink: Option<Ink>, name: &str, value: &str| {
        text.ink(Ink::Faint, &format!("{name:<26}"));
        match ink {
            Some(ink) => text.ink(ink, &format!("{value:>10}")),
            None => text.plain(&format!("{value:>10}")),
        }
        text.line();
    };
    row(None, "player", player);
    if let Some((unit, score)) = &panel.score {
        row(None, unit, score);
    }
    row(None, &format!("{} {}", G::WORDS.unit, G::WORDS.played), &panel.moves.to_string());
    // One decision a move.
    row(None, "decisions", &panel.moves.to_string());
    let ink = step.before.dealt().map(|dealt| dealt.ink);
    row(ink, G::WORDS.played, &step.before.move_text(step.mv));
    if let Some(value) = panel.value {
        row(None, "value", &short(value));
    }
    for feature in &panel.features {
        row(None, &feature.name, &short(feature.value));
    }
    beside(&board.finish(), &text.finish())
}
