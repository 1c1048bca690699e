//! The models that come with the program: the files of `models/`, which it carries inside it.

use std::sync::{Arc, OnceLock};

use crate::patterns::TableModel;

/// A model that comes with the program.
#[derive(Debug, Clone, Copy)]
pub struct Shipped {
    /// Its name as a player.
    pub name: &'static str,
    /// The game it is for.
    pub game: &'static str,
    /// The text of its file.
    pub text: &'static str,
}

/// Models for other rules than the usual ones, with the options of these.
const OTHER_RULES: &[(&str, &[(&str, &str)])] = &[("pusher-5x5", &[("size", "5")])];

impl Shipped {
    /// The options of the rules that it is for, where they are not the usual ones.
    pub fn rules(&self) -> &'static [(&'static str, &'static str)] {
        OTHER_RULES.iter().find(|(name, _)| *name == self.name).map_or(&[], |(_, options)| options)
    }
}

/// The one list of shipped models.
pub const SHIPPED: &[Shipped] = &[
    Shipped {
        name: "dellacherie",
        game: "tetris",
        text: include_str!("../../../models/tetris/dellacherie.json"),
    },
    Shipped { name: "dn", game: "tetris", text: include_str!("../../../models/tetris/dn.json") },
    Shipped { name: "dt-10", game: "tetris", text: include_str!("../../../models/tetris/dt-10.json") },
    Shipped { name: "dt-20", game: "tetris", text: include_str!("../../../models/tetris/dt-20.json") },
    Shipped {
        name: "dt-learned",
        game: "tetris",
        text: include_str!("../../../models/tetris/dt-learned.json"),
    },
    Shipped { name: "record", game: "tetris", text: include_str!("../../../models/tetris/record.json") },
    Shipped { name: "observer", game: "avalam", text: include_str!("../../../models/avalam/observer.json") },
    Shipped { name: "surveyor", game: "avalam", text: include_str!("../../../models/avalam/surveyor.json") },
    Shipped { name: "expert", game: "pushover", text: include_str!("../../../models/pushover/expert.json") },
    Shipped { name: "pusher", game: "pushover", text: include_str!("../../../models/pushover/pusher.json") },
    Shipped {
        name: "pusher-5x5",
        game: "pushover",
        text: include_str!("../../../models/pushover/pusher-5x5.json"),
    },
];

/// What is used in a game where nothing is named: the best that is shipped for it.
#[derive(Debug, Clone, Copy)]
pub struct Best {
    /// The game.
    pub game: &'static str,
    /// The evaluation of a search.
    pub evaluation: &'static str,
    /// Who plays against people.
    pub player: &'static str,
    /// Who plays as an engine, with the time that the other program gives it.
    pub engine: &'static str,
    /// Who looks at positions; the time is for all moves together.
    pub analyst: &'static str,
}

/// The one list of these; other games have nothing better than their score.
pub const BEST: &[Best] = &[
    Best {
        game: "othello",
        evaluation: "patterns",
        player: "alphabeta(time=1, probcut=patterns, eval=patterns)",
        engine: "alphabeta(time=1, probcut=patterns, eval=patterns)",
        analyst: "alphabeta(time=5, probcut=patterns, eval=patterns)",
    },
    Best {
        game: "avalam",
        evaluation: "surveyor",
        player: "alphabeta(time=1, eval=surveyor)",
        engine: "alphabeta(credit=900, eval=surveyor)",
        analyst: "alphabeta(time=5, eval=surveyor)",
    },
];

/// What is best in a game, if anything is shipped for it.
pub fn best(game: &str) -> Option<&'static Best> {
    BEST.iter().find(|best| best.game == game)
}

/// A function of tables of Othello that comes with the program.
pub struct ShippedTables {
    /// Its name as a player.
    pub name: &'static str,
    bytes: &'static [u8],
    model: OnceLock<Arc<TableModel>>,
}

/// The one list of such functions.
pub static SHIPPED_TABLES: [ShippedTables; 1] = [ShippedTables {
    name: "patterns",
    bytes: include_bytes!("../../../models/othello/patterns.tables"),
    model: OnceLock::new(),
}];

impl ShippedTables {
    /// The function, unpacked at the first call.
    ///
    /// # Panics
    /// If the file is damaged, which a test excludes.
    pub fn model(&self) -> Arc<TableModel> {
        let unpack = || Arc::new(TableModel::parse(self.bytes).expect("what is shipped is sound"));
        self.model.get_or_init(unpack).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::searching::searcher;
    use crate::players::spec::Spec;
    use crate::{Job, PlayedGame, with_game};
    use games::othello::Othello;
    use games::rules::Fixed;
    use games::{Dice, Game};

    #[test]
    fn what_is_best_can_be_played() {
        struct Playable(&'static Best);
        impl Job for Playable {
            type Output = ();
            fn run<G: PlayedGame>(self) {
                let Best { evaluation, player, engine, analyst, .. } = self.0;
                for text in [player, engine, analyst] {
                    let spec = Spec::parse(text).unwrap();
                    assert_eq!((spec.to_string().as_str(), spec.eval.as_str()), (*text, *evaluation));
                    searcher::<G>(&G::Rules::default(), &spec).unwrap();
                }
            }
        }
        BEST.iter().for_each(|best| {
            with_game::<games::Listed, _>(best.game, Playable(best)).expect("a listed game")
        });
    }

    #[test]
    fn shipped_tables_are_sound_and_small_and_like_corners() {
        for shipped in &SHIPPED_TABLES {
            let model = shipped.model();
            assert!(!model.about().is_empty() && shipped.bytes.len() < 20 << 20, "{}", shipped.name);
            let (mut dice, mut moves, mut corner) = (Dice::seeded(&[1]), Vec::new(), 0.0);
            for _ in 0..50 {
                let mut board = Othello::start(&Fixed);
                for _ in 0..30 {
                    let Some(mv) = board.random_move(&mut dice, &mut moves) else { break };
                    board.play_unchecked(mv);
                }
                let (own, other) = (board.own() & !1, board.opponent() & !1);
                corner += model.fresh_value(own | 1, other) - model.fresh_value(own, other | 1);
            }
            assert!(corner > 0.0, "{}: {corner}", shipped.name);
        }
    }
}
