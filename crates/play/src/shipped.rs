//! The models that come with the program: the files of `models/`, which it carries inside it. Each game names its own in its room
//! ([`PlayedGame::MODELS`], [`PlayedGame::BEST`]).

use std::sync::{Arc, OnceLock};

use crate::patterns::TableModel;
use crate::{Games, PlayedGame, Visitor};

/// A model that comes with the program.
#[derive(Debug, Clone, Copy)]
pub struct Shipped {
    /// Its name as a player.
    pub name: &'static str,
    /// The text of its file.
    pub text: &'static str,
    /// The options of the rules that it is for, where they are not the usual ones.
    pub rules: &'static [(&'static str, &'static str)],
}

impl Shipped {
    /// A model for the usual rules.
    pub const fn new(name: &'static str, text: &'static str) -> Self {
        Self::under(name, text, &[])
    }

    /// A model for other rules.
    pub const fn under(
        name: &'static str,
        text: &'static str,
        rules: &'static [(&'static str, &'static str)],
    ) -> Self {
        Self { name, text, rules }
    }
}

/// What is used in a game where nothing is named: the best that is shipped for it.
#[derive(Debug, Clone, Copy)]
pub struct Best {
    /// The evaluation of a search.
    pub evaluation: &'static str,
    /// Who plays against people.
    pub player: &'static str,
    /// Who plays as an engine, with the time that the other program gives it.
    pub engine: &'static str,
    /// Who looks at positions; the time is for all moves together.
    pub analyst: &'static str,
}

/// All models that are shipped for the games of a list, each with the name of its game.
pub fn shipped<L: Games>() -> Vec<(&'static str, Shipped)> {
    struct Collect(Vec<(&'static str, Shipped)>);
    impl Visitor for Collect {
        fn game<G: PlayedGame>(&mut self) {
            self.0.extend(G::MODELS.iter().map(|model| (G::NAME, *model)));
        }
    }
    let mut collect = Collect(Vec::new());
    L::visit(&mut collect);
    collect.0
}

/// A function of tables of Othello that comes with the program.
pub struct ShippedTables {
    /// Its name as a player.
    pub name: &'static str,
    bytes: &'static [u8],
    model: OnceLock<Arc<TableModel>>,
}

/// The one that there is.
pub static PATTERNS: ShippedTables = ShippedTables {
    name: "patterns",
    bytes: include_bytes!("../../../models/othello/patterns.tables"),
    model: OnceLock::new(),
};

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
    use games::othello::Othello;
    use games::rules::Fixed;
    use games::{Dice, Game, Listed};

    #[test]
    fn what_is_best_can_be_played() {
        struct Playable;
        impl Visitor for Playable {
            fn game<G: PlayedGame>(&mut self) {
                let Some(Best { evaluation, player, engine, analyst }) = G::BEST else { return };
                for text in [player, engine, analyst] {
                    let spec = Spec::parse(text).unwrap();
                    assert_eq!((spec.to_string().as_str(), spec.eval.as_str()), (text, evaluation));
                    searcher::<G>(&G::Rules::default(), &spec).unwrap();
                }
            }
        }
        Listed::visit(&mut Playable);
        assert!(Othello::BEST.is_some());
    }

    #[test]
    fn shipped_tables_are_sound_and_small_and_like_corners() {
        let model = PATTERNS.model();
        assert!(!model.about().is_empty() && PATTERNS.bytes.len() < 20 << 20);
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
        assert!(corner > 0.0, "{corner}");
    }
}
