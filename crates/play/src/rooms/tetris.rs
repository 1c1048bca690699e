//! Tetris as players know it: small boards are solved, so that a player may know the best placement.

use std::path::Path;
use std::sync::Arc;

use games::tetris::Tetris;

use super::PlayedGame;
use crate::players::{OwnPlayer, PlayerError, PlayerInfo};
use crate::shipped::Shipped;
use crate::solve::{Optimal, OptimalPlayer};

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
        let Some(path) = text.strip_prefix("optimal(").and_then(|rest| rest.strip_suffix(')')) else {
            return Ok(None);
        };
        let table = Arc::new(Optimal::load(Path::new(path.trim()))?);
        let is_for = table.rules() == rules;
        Ok(is_for.then(|| OwnPlayer::new(move || Ok(Box::new(OptimalPlayer(table.clone()))))))
    }
}
