//! `evalforge review`: a saved game, move by move in the terminal or as a GIF.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use games::draw::Pen;
use games::error::{one_line, shown};
use measure::arena::{GameRecord, Winner, record};
use play::files::{new_file, read_text};
use play::names::UnknownName;
use play::{Games, Job, PlayedGame, game_list, with_game};
use report::picture::duel::{Caption, duel};

use super::play::LEFT;
use super::review::review;
use crate::arguments::{number, whole_number};
use crate::commands::{Plain, Program};
use crate::failure::{Interrupted, Usage, unwritten};
use crate::terminal::{Screen, colour, interrupted, is_canvas, label, pause};

/// The longest GIF.
const MOST_FILMED: usize = 2_000;

/// Show or review a game that 'play --save' or 'duel --save' has written, or make a GIF of it
#[derive(Debug, Args)]
#[command(after_help = "Ctrl-C ends it.")]
pub struct Replay {
    /// The file of games
    file: PathBuf,
    /// Which game of the file
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number(1..=usize::MAX))]
    game: usize,
    /// Pause after each move, from 0 to 60 [default: 0.5; 0 if the output is no terminal]
    #[arg(long, value_name = "SECONDS", value_parser = number(0.0..=60.0))]
    delay: Option<f64>,
    /// Write an animated GIF to this file instead
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,
    /// Tell what every position was worth, the mistakes and what was better, instead
    #[arg(long, conflicts_with_all = ["gif", "delay"])]
    review: bool,
    /// Who looks at the game; a search and its evaluation, as alphabeta(depth=8) [default: about a second a move]
    #[arg(long, value_name = "PLAYER", requires = "review")]
    player: Option<String>,
}

impl Plain for Replay {
    fn run<L: Games>(self, _: &Program) -> anyhow::Result<()> {
        let (game, which) = self.chosen()?;
        let unknown = || {
            let known = game_list::<L>();
            UnknownName::new("game", &game.game, known.iter().map(|game| game.name)).into()
        };
        let review = self.review.then_some(self.player.as_deref());
        let replayed = Replayed { game: &game, which, delay: self.delay, gif: self.gif.as_deref(), review };
        with_game::<L, _>(&game.game, replayed).unwrap_or_else(|| Err(unknown()))
    }
}

/// The largest file of games, in bytes.
const MOST_GAMES: u64 = 1 << 30;

impl Replay {
    /// The game that is asked for, and which of how many it is.
    fn chosen(&self) -> anyhow::Result<(GameRecord, String)> {
        let named = shown(&self.file.display().to_string());
        let text = read_text(&self.file, MOST_GAMES).map_err(|error| Usage(format!("{named}: {error}")))?;
        let mut games = record::parse(&text).map_err(|error| Usage(format!("{named}, {error}")))?;
        let (number, all) = (self.game, games.len());
        if number > all {
            let message = format!("--game {number}: {named} holds {all} games; allowed: 1 to that");
            return Err(Usage(message).into());
        }
        Ok((games.swap_remove(number - 1), format!("game {number} of {all}")))
    }
}

/// A game that is shown again.
struct Replayed<'a> {
    game: &'a GameRecord,
    which: String,
    delay: Option<f64>,
    gif: Option<&'a Path>,
    /// Whether it is reviewed, and by whom.
    review: Option<Option<&'a str>>,
}

impl Job for Replayed<'_> {
    type Output = anyhow::Result<()>;

    fn run<G: PlayedGame>(self) -> anyhow::Result<()> {
        if G::SIDES.len() != 2 || G::CHANCE {
            return Err(
                Usage(format!("game '{}' cannot be replayed: chance is not on record", G::NAME)).into()
            );
        }
        let positions = self.game.replay::<G>()?;
        if let Some(reviewer) = self.review {
            return review(self.game, &self.which, &positions, reviewer);
        }
        match self.gif {
            Some(path) => self.write_gif(path, &positions),
            None => self.show(&positions),
        }
    }
}

impl Replayed<'_> {
    fn players<G: PlayedGame>(&self) -> String {
        let name = |text: &str| label(text, 40);
        format!("{} {} - {} {}", G::SIDES[0], name(&self.game.first), G::SIDES[1], name(&self.game.second))
    }

    /// How it ended, in a few words.
    fn end<G: PlayedGame>(&self) -> String {
        let result = match self.game.winner {
            Some(Winner::First) => format!("{} has won", G::SIDES[0]),
            Some(Winner::Second) => format!("{} has won", G::SIDES[1]),
            Some(Winner::Draw) => "drawn".to_string(),
            None => "unfinished".to_string(),
        };
        let is_usual = self.game.reason == "the game is over";
        if is_usual { result } else { format!("{result}: {}", one_line(&self.game.reason)) }
    }

    fn write_gif<G: PlayedGame>(
        &self,
        path: &Path,
        positions: &[(G, Option<G::Move>)],
    ) -> anyhow::Result<()> {
        if positions.len() > MOST_FILMED {
            let message =
                format!("a GIF has at most {MOST_FILMED} positions, this game has {}", positions.len());
            return Err(Usage(message).into());
        }
        let refused = |error| unwritten("--gif", path, &error);
        new_file::check(path).map_err(refused)?;
        let hundredths = (self.delay.unwrap_or(0.5) * 100.0).round() as u16;
        let players = [label(&self.game.first, 200), label(&self.game.second, 200)];
        let end = self.end::<G>();
        let caption = Caption { players: [&players[0], &players[1]], micros: &self.game.micros, end: &end };
        let bytes = duel(&caption, positions, hundredths);
        new_file::write(path, &bytes).map_err(refused)?;
        let (moves, size) = (positions.len() - 1, bytes.len().div_ceil(1000));
        writeln!(stdout(), "{}: {moves} moves, {size} kB", one_line(&path.display().to_string()))?;
        Ok(())
    }

    fn show<G: PlayedGame>(&self, positions: &[(G, Option<G::Move>)]) -> anyhow::Result<()> {
        let screen = is_canvas().then(Screen::new).transpose()?;
        let delay = Duration::from_secs_f64(self.delay.unwrap_or(if screen.is_some() { 0.5 } else { 0.0 }));
        for (number, (position, mv)) in positions.iter().enumerate() {
            let mut pen = Pen::new(colour());
            pen.plain(&format!("{}: {}\n", self.which, self.players::<G>()));
            let last = mv.filter(|_| number > 0).map(|mv| (&positions[number - 1].0, mv));
            match last {
                Some((before, mv)) => {
                    let time = self.game.micros.get(number - 1);
                    let time = time.map_or(String::new(), |&micros| format!("   {} ms", micros as f64 / 1e3));
                    pen.plain(&format!(
                        "move {number} of {}: {}{time}\n",
                        positions.len() - 1,
                        before.move_text(mv)
                    ));
                }
                None => pen.plain("the opening\n"),
            }
            position.draw(&mut pen, last);
            match &screen {
                Some(screen) => screen.draw(&pen.finish())?,
                None => writeln!(stdout(), "{}", pen.finish())?,
            }
            pause(delay);
            if interrupted() {
                drop(screen);
                return Err(Interrupted(format!(" at move {number}")).into());
            }
        }
        drop(screen);
        let side = |name: &str, player: &str| format!("{name} ({}) has won", label(player, 40));
        let says = match self.game.winner {
            Some(Winner::First) => side(G::SIDES[0], &self.game.first),
            Some(Winner::Second) => side(G::SIDES[1], &self.game.second),
            Some(Winner::Draw) => "drawn".to_string(),
            None => "unfinished".to_string(),
        };
        let reason = one_line(&self.game.reason);
        if reason == LEFT {
            writeln!(stdout(), "{reason}")?;
        } else {
            writeln!(stdout(), "{says}: {reason}")?;
        }
        Ok(())
    }
}
