//! `evalforge play tetris` by keys: on a terminal as they are pressed, and by the clock where pieces fall; elsewhere as they come, with a
//! drawing after each.

use std::io::{Write, stdout};
use std::time::{Duration, Instant};

use clap::Args;
use games::tetris::Tetris;
use games::{Game, Rules};
use play::PlayedGame;

use super::falling::{Falling, Wish};
use crate::arguments::{Given, Position, Seed, number};
use crate::commands::playing::advice::advise;
use crate::commands::playing::conversation::result;
use crate::commands::playing::play::{HUMAN, resume_command};
use crate::failure::Usage;
use crate::keyboard::Keys;
use crate::rooms::OwnCommand;
use crate::terminal::{Screen, colour, on_interrupt_say};

/// Rows a second unless given.
const SPEED: f64 = 1.0;

/// How a person moves pieces.
#[derive(Debug, Args)]
pub struct ByKeys {
    /// Move pieces by keys, or type the names of placements [default: keys on a terminal, else names]
    #[arg(long, value_parser = ["keys", "names"], value_name = "HOW")]
    by: Option<String>,
    #[arg(
        long,
        value_name = "ROWS",
        value_parser = number(0.0..=20.0),
        help = format!("Rows that a piece of the original game falls in a second, from 0 to 20 [default: {SPEED}]")
    )]
    speed: Option<f64>,
}

impl OwnCommand for ByKeys {
    fn run(self, given: &Given) -> anyhow::Result<()> {
        let rules = given.rules::<Tetris>()?;
        let position = given.also::<Position>()?.of::<Tetris>(&rules)?;
        let seed = given.also::<Seed>()?.seed;
        let mut game = Falling::new(position, seed);
        let again = resume_command(Tetris::NAME, &rules.to_pairs(), &[HUMAN.into()], seed.wrapping_add(1));
        if self.speed.is_some() && !game.falls() {
            return Err(Usage("--speed: pieces fall by themselves in --game original only".into()).into());
        }
        let mut keys = Keys::new()?;
        if self.speed.is_some() && !keys.is_terminal() {
            return Err(Usage("--speed: nothing falls by itself but on a terminal".into()).into());
        }
        let farewell = |game: &Falling| format!("To go on: {again} --position '{}'", game.position().text());
        if keys.is_terminal() {
            let speed = self.speed.unwrap_or(SPEED);
            let row = (game.falls() && speed > 0.0).then(|| Duration::from_secs_f64(1.0 / speed));
            on_terminal(&mut game, &mut keys, row, &farewell)?;
        } else {
            as_they_come(&mut game, &mut keys)?;
        }
        drop(keys);
        let last = match game.is_over() {
            true => result(game.position(), game.pieces()),
            false => farewell(&game),
        };
        writeln!(stdout(), "{last}")?;
        Ok(())
    }
}

/// Does what a key asks for; false to stop.
fn answer(game: &mut Falling, wish: &Wish) -> anyhow::Result<bool> {
    if *wish == Wish::Hint {
        let (position, adviser) = (game.position(), Tetris::adviser());
        let best = advise(position.rules(), position, &adviser, &|| true)?.into_iter().next();
        if let Some(best) = best {
            let reason = format!("{} by {adviser}", position.move_text(best.mv));
            game.advise(best.mv, reason);
        }
    }
    Ok(*wish != Wish::Quit)
}

fn on_terminal(
    game: &mut Falling,
    keys: &mut Keys,
    row: Option<Duration>,
    farewell: &dyn Fn(&Falling) -> String,
) -> anyhow::Result<()> {
    let mut screen = Screen::new()?;
    let mut due = row.map(|row| Instant::now() + row);
    while !game.is_over() {
        on_interrupt_say(format!("\n{}", farewell(game)));
        screen.draw(&game.draw(colour()))?;
        let key = keys.read()?;
        if keys.was_suspended() {
            drop(screen);
            screen = Screen::new()?;
        }
        if let Some(key) = key {
            let wish = game.press(key);
            if !answer(game, &wish)? {
                break;
            }
        }
        let now = Instant::now();
        if let (Some(row), Some(due)) = (row, &mut due) {
            if game.is_paused {
                *due = now + row;
            }
            while *due <= now && !game.is_over() {
                game.down();
                *due += row;
            }
        }
    }
    screen.draw(&game.draw(colour()))?;
    Ok(())
}

fn as_they_come(game: &mut Falling, keys: &mut Keys) -> anyhow::Result<()> {
    writeln!(stdout(), "{}", game.draw(colour()))?;
    while !game.is_over()
        && let Some(key) = keys.read()?
    {
        let wish = game.press(key);
        if !answer(game, &wish)? {
            break;
        }
        writeln!(stdout(), "{}", game.draw(colour()))?;
    }
    Ok(())
}
