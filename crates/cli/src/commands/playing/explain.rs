//! `evalforge explain`: the placements of a position as a player sees them, best first.

use std::path::PathBuf;

use clap::Args;
use games::error::InputError;
use games::tetris::{Piece, Tetris, TetrisRules};
use games::{Game, Turn};
use play::PlayedGame;
use play::analyze::explain::Critic;

use super::explain_report::{self, Explained};
use super::explain_surfaces::{self, Surfaces};
use crate::arguments::{For, Given, OnGame, position, whole_number};
use crate::failure::Usage;

/// Placements in the table unless given.
const SHOWN: usize = 5;

/// Explain a player's choice: every placement with its value, and what each feature adds to it
#[derive(Debug, Args)]
pub struct Explain {
    /// A player that 'evalforge list players' names, or a model file
    #[arg(long)]
    player: String,
    /// Explain this position, in the game's text form, instead of the start
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,
    /// The piece to place, instead of the position's
    #[arg(long, value_name = "LETTER", value_parser = piece)]
    piece: Option<Piece>,
    #[arg(
        long,
        value_name = "N",
        value_parser = whole_number(1..=1000usize),
        help = format!(
            "Show the features of the N best [default: {SHOWN}; all with --json], or N patterns of each kind with --surfaces \
             [default: {}; all with --json]",
            explain_surfaces::SHOWN
        )
    )]
    top: Option<usize>,
    /// Draw the patterns of the surface that the player likes and dislikes most, instead of a position
    #[arg(long, conflicts_with_all = ["position", "piece"])]
    surfaces: bool,
    /// With --surfaces, write a picture to this file instead
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    svg: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn piece(text: &str) -> Result<Piece, String> {
    let mut letters = text.chars();
    let piece = letters.next().and_then(Piece::from_letter).filter(|_| letters.next().is_none());
    piece.ok_or_else(|| "allowed: I, O, T, S, Z, J, L".to_string())
}

impl OnGame for Explain {
    const FOR: For = For::These("game to explain", |game| game.name == Tetris::NAME);
    const USAGE: Option<&'static str> = Some("evalforge explain <GAME> --player <PLAYER> [OPTIONS]");

    fn run<G: PlayedGame>(self, given: &Given) -> anyhow::Result<()> {
        self.explain(&given.rules::<Tetris>()?)
    }
}

impl Explain {
    fn explain(&self, rules: &TetrisRules) -> anyhow::Result<()> {
        let player = &self.player;
        // An argument that --surfaces excludes would make clap forget that --svg needs it.
        if self.svg.is_some() && !self.surfaces {
            return Err(Usage("--svg: a picture is drawn of --surfaces only".into()).into());
        }
        let position = if self.surfaces { None } else { Some(self.to_explain(rules)?) };
        let Some(critic) = Critic::new(rules, player)? else {
            let reason = "plays without an evaluation function, so that there is nothing to explain";
            return Err(
                Usage(format!("player '{player}' {reason}; 'evalforge list players' names others")).into()
            );
        };
        let Some(position) = position else { return self.draw_surfaces(rules, &critic) };
        let explained = Explained { ranking: critic.ranking(&position), position, player, critic };
        if self.json {
            explain_report::json(&explained, self.top.unwrap_or(usize::MAX))?;
        } else {
            explain_report::text(&explained, self.top.unwrap_or(SHOWN))?;
        }
        Ok(())
    }

    fn draw_surfaces(&self, rules: &TetrisRules, critic: &Critic) -> anyhow::Result<()> {
        let player = &self.player;
        let tables = critic.surfaces(rules).map_err(|reason| {
            Usage(format!("--surfaces: player '{player}' has nothing to draw: {reason}"))
        })?;
        let surfaces = Surfaces { player, tables, top: self.top };
        match &self.svg {
            Some(path) => surfaces.write_svg(path)?,
            None if self.json => surfaces.json()?,
            None => surfaces.text()?,
        }
        Ok(())
    }

    /// The position with the piece to place.
    fn to_explain(&self, rules: &TetrisRules) -> anyhow::Result<Tetris> {
        let mut position = position::<Tetris>(self.position.as_deref(), rules)?;
        if let Some(piece) = self.piece {
            let text = self.position.as_deref().unwrap_or("-");
            position = Tetris::parse(rules, &with_piece(text, piece))?;
        }
        match position.turn() {
            Turn::Player(_) => Ok(position),
            Turn::Over => Err(InputError::position(&position.text(), "the game is over").into()),
            Turn::Chance if position.current().is_none() => Err(Usage(
                "there is no piece to place; --piece T gives one, or a position as '##.. T'".into(),
            )
            .into()),
            Turn::Chance => {
                let reason = "with --preview on two pieces must be known, as in '##.. TS'";
                Err(InputError::position(&position.text(), reason).into())
            }
        }
    }
}

/// A position's text, which is known to be one, with this piece in place of the one to be placed.
fn with_piece(text: &str, piece: Piece) -> String {
    let mut words: Vec<String> = text.split_whitespace().map(str::to_string).collect();
    let next: String = words.get(1).map_or(String::new(), |known| known.chars().skip(1).collect());
    words.resize(words.len().max(2), String::new());
    words[1] = format!("{}{next}", piece.letter());
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_takes_the_place_of_the_one_that_is_there() {
        for (text, with) in [
            ("##..", "##.. T"),
            ("-", "- T"),
            ("##.. -", "##.. T"),
            ("##.. S", "##.. T"),
            ("##.. SZ 4", "##.. TZ 4"),
            (" ##..  - 4 IOT ", "##.. T 4 IOT"),
        ] {
            assert_eq!(with_piece(text, Piece::T), with);
        }
    }
}
