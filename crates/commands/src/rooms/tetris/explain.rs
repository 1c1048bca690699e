//! `evalforge analyze tetris`: a piece to place, or the surfaces that a player likes.

use std::path::PathBuf;

use clap::Args;
use games::tetris::{Piece, Tetris, TetrisRules};
use games::{Game, InputError, Turn};

use super::surfaces::{self, Surfaces};
use crate::arguments::Given;
use crate::commands::explain::Explain;
use crate::failure::Usage;
use crate::rooms::OwnCommand;

/// What only Tetris has.
#[derive(Debug, Args)]
pub struct Placements {
    /// The piece to place, instead of the position's
    #[arg(long, value_name = "LETTER", value_parser = piece)]
    piece: Option<Piece>,
    #[arg(
        long,
        conflicts_with_all = ["position", "piece"],
        help = format!(
            "Draw the patterns of the surface that the player likes and dislikes most, instead of a position; --top of each kind \
             [default: {}; all with --json]",
            surfaces::SHOWN
        )
    )]
    surfaces: bool,
    /// With --surfaces, write a picture to this file instead
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    svg: Option<PathBuf>,
}

fn piece(text: &str) -> Result<Piece, String> {
    let mut letters = text.chars();
    let piece = letters.next().and_then(Piece::from_letter).filter(|_| letters.next().is_none());
    piece.ok_or_else(|| "allowed: I, O, T, S, Z, J, L".to_string())
}

impl OwnCommand for Placements {
    fn run(self, given: &Given) -> anyhow::Result<()> {
        // An argument that --surfaces excludes would make clap forget that --svg needs it.
        if self.svg.is_some() && !self.surfaces {
            return Err(Usage("--svg: a picture is drawn of --surfaces only".into()).into());
        }
        let (all, rules) = (given.also::<Explain>()?, given.rules::<Tetris>()?);
        if self.surfaces {
            self.draw_surfaces(&all, &rules)
        } else {
            all.explain(self.position(&all, &rules)?, &rules)
        }
    }
}

impl Placements {
    fn draw_surfaces(&self, all: &Explain, rules: &TetrisRules) -> anyhow::Result<()> {
        let player = &all.player;
        let tables = all.critic::<Tetris>(rules)?.surfaces(rules).map_err(|reason| {
            Usage(format!("--surfaces: player '{player}' has nothing to draw: {reason}"))
        })?;
        let surfaces = Surfaces { player, tables, top: all.top };
        match &self.svg {
            Some(path) => surfaces.write_svg(path)?,
            None if all.json => surfaces.json()?,
            None => surfaces.text()?,
        }
        Ok(())
    }

    /// The position with the piece to place.
    fn position(&self, all: &Explain, rules: &TetrisRules) -> anyhow::Result<Tetris> {
        let mut position = all.at.of::<Tetris>(rules)?;
        if let Some(piece) = self.piece {
            // By way of its text: the piece may have no room to appear.
            position = Tetris::parse(rules, &position.with_current(Some(piece)).text())?;
        }
        match position.turn() {
            Turn::Chance if position.current().is_none() => Err(Usage(
                "there is no piece to place; --piece T gives one, or a position as '##.. T'".into(),
            )
            .into()),
            Turn::Chance => {
                let reason = "with --preview on two pieces must be known, as in '##.. TS'";
                Err(InputError::position(&position.text(), reason).into())
            }
            _ => Ok(position),
        }
    }
}
