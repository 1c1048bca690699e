//! Tetris as players know it: small boards are solved, so that a player may know the best placement; weighted sums play on a fast
//! board; and a game is lost level by level, as the pile grows.

use std::path::Path;
use std::sync::Arc;

use games::draw::Ink;
use games::tetris::Tetris;
use notation::name_and_inside;

use super::tetris_fast::{FastExpert, FastPlayer};
use super::{Dealt, PlayedGame, Words};
use crate::evaluator::Evaluator;
use crate::outlook::{self, Expert};
use crate::players::{OwnPlayer, PlayerError, PlayerInfo, PlayerSpec};
use crate::shipped::Shipped;
use crate::solo::{self, Measure, SoloPlayer};
use crate::solve::{Optimal, OptimalPlayer};
use crate::timed::{self, Timed};

impl PlayedGame for Tetris {
    const MODELS: &'static [Shipped] = &[
        Shipped::new("dellacherie", include_str!("../../../../models/tetris/dellacherie.json")),
        Shipped::new("dn", include_str!("../../../../models/tetris/dn.json")),
        Shipped::new("dt-10", include_str!("../../../../models/tetris/dt-10.json")),
        Shipped::new("dt-20", include_str!("../../../../models/tetris/dt-20.json")),
        Shipped::new("dt-learned", include_str!("../../../../models/tetris/dt-learned.json")),
        Shipped::new("record", include_str!("../../../../models/tetris/record.json")),
    ];
    const OWN_PLAYERS: &'static [PlayerInfo] = &[PlayerInfo {
        name: "optimal(TABLE)",
        summary: "the best play, from a table that 'evalforge solve' has written",
    }];

    /// The best play of a solved board, if the rules are those of the table.
    fn own_player(rules: &Self::Rules, text: &str) -> Result<Option<OwnPlayer<Self>>, PlayerError> {
        let Some(("optimal", path)) = name_and_inside(text) else { return Ok(None) };
        let table = Arc::new(Optimal::load(Path::new(path.trim()))?);
        let is_for = table.rules() == rules;
        Ok(is_for.then(|| OwnPlayer::new(move || Ok(Box::new(OptimalPlayer(table.clone()))))))
    }
    fn solo(
        rules: &Self::Rules,
        player: &PlayerSpec<Self>,
    ) -> Result<Box<dyn SoloPlayer<Self>>, PlayerError> {
        Ok(match FastPlayer::new(rules, player) {
            Some(fast) => Box::new(fast),
            None => Box::new(solo::General::new(rules, player)?),
        })
    }

    fn adviser() -> String {
        "dellacherie".to_string()
    }

    const WORDS: Words = Words { moves: "placements", unit: "pieces", played: "placed", dealt: "piece" };

    fn dealt(&self) -> Option<Dealt> {
        let piece = self.current()?;
        let (text, ink) = (piece.letter().to_string(), Ink::Piece(piece as u8));
        Some(Dealt { text, ink, colour: piece.colour(), picture: piece.picture() })
    }

    /// Every piece brings four cells, and a line takes as many as the board is wide.
    fn most_score(rules: &Self::Rules, moves: u64) -> f64 {
        (4 * u128::from(moves) / u128::from(rules.width)) as f64
    }

    fn highest_level(rules: &Self::Rules, measure: Measure) -> Option<u32> {
        Some(match measure {
            Measure::Height => rules.limit(),
            Measure::Pile => 2 * rules.limit(),
        })
    }

    fn level(&self, measure: Measure) -> u32 {
        climb(self.columns(), measure)
    }

    fn level_unit(measure: Measure) -> &'static str {
        match measure {
            Measure::Height => "rows of the pile",
            Measure::Pile => "rows of the highest column and of all on average",
        }
    }

    fn expert<'a>(rules: &Self::Rules, evaluator: &'a Evaluator<Self>) -> Box<dyn Expert<Self> + 'a> {
        match FastExpert::new(rules, evaluator) {
            Some(fast) => Box::new(fast),
            None => Box::new(outlook::General::new(evaluator)),
        }
    }

    fn timed() -> Vec<Timed> {
        timed::tetris::timed()
    }
}

/// The level of a pile.
pub(super) fn climb(columns: &[u32], measure: Measure) -> u32 {
    let height = |column: &u32| u32::BITS - column.leading_zeros();
    let highest = columns.iter().map(height).max().unwrap_or(0);
    match measure {
        Measure::Height => highest,
        Measure::Pile => highest + columns.iter().map(height).sum::<u32>() / columns.len() as u32,
    }
}
