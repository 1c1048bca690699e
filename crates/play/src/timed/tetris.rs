//! How fast Tetris players decide, for each set of features.

use games::tetris::{Piece, Tetris, TetrisFeatures, TetrisRules};
use games::{Dice, Game};
use lanes::LinearPlayer;

use super::{Timed, Work};
use crate::PlayedGame;
use crate::evaluator::ModelFile;
use crate::players::player;
use crate::playout::{GameDice, deal, step};

/// The sets of the papers, and those of the record.
const SETS: [&str; 14] = [
    "dellacherie",
    "dn",
    "dt",
    "thiery",
    "bertsekas",
    "bd",
    "bdn",
    "pile",
    "dt,pile,surface-pairs,surface-set",
    "dt,pile,surface-pairs,surface-set,surface-4x3,hole-rows-3",
    "lagoudakis",
    "fahey",
    "xtris",
    "boehm",
];

/// Decisions on 10x20, and the placements that are valued for them.
pub fn timed() -> Vec<Timed> {
    let one = |set: &'static str| Timed {
        name: format!("{set} 10x20"),
        units: &["decisions", "afterstates"],
        prepare: Box::new(|| {
            let rules = TetrisRules::default();
            match fast(&rules, set) {
                Some(player) => decide_fast(rules, player),
                None => decide_plainly(rules, set),
            }
        }),
    };
    SETS.map(one).into()
}

/// Weights for a set: those of the first shipped controller of the set, else of the shipped controllers where they have the
/// feature, and a small penalty elsewhere, so that the games look like real ones.
fn weights(rules: &TetrisRules, set: &str) -> Vec<f64> {
    let known: Vec<ModelFile> =
        Tetris::MODELS.iter().filter_map(|model| ModelFile::parse(model.name, model.text).ok()).collect();
    let features = Tetris::features(rules, set).expect("a listed set");
    // All weights of one controller if it has this very set: mixed ones play games of another kind.
    let whole = known.iter().find(|model| model.features == set);
    let mixed = |name: &str| known.iter().rev().find_map(|model| model.parameters.get(name)).copied();
    let weight = |name: &str| whole.map_or_else(|| mixed(name), |model| model.parameters.get(name).copied());
    features.names().iter().map(|name| weight(name).unwrap_or(-0.01)).collect()
}

fn fast(rules: &TetrisRules, set: &str) -> Option<LinearPlayer> {
    let features = TetrisFeatures::new(rules, set).expect("a listed set");
    LinearPlayer::new(rules, &features, &weights(rules, set))
}

/// How many placements a piece has on an open board.
fn placements(rules: &TetrisRules, piece: Piece) -> u64 {
    piece.shapes().iter().map(|shape| u64::from(rules.width) + 1 - shape.columns().len() as u64).sum()
}

fn decide_fast(rules: TetrisRules, mut player: LinearPlayer) -> Work {
    let mut dice = Dice::seeded(&[0]);
    let deck = rules.pieces.fresh_deck();
    Box::new(move |done| {
        for _ in 0..1000 {
            if player.lost() {
                player.set(&Tetris::start(&rules));
            }
            let piece = rules.pieces.draw(deck, &mut dice);
            player.play(player.choose(piece));
            done[1] += placements(&rules, piece);
        }
        done[0] += 1000;
    })
}

fn decide_plainly(rules: TetrisRules, set: &str) -> Work {
    let weights: Vec<String> = weights(&rules, set).iter().map(ToString::to_string).collect();
    let text = format!("linear({set}; {})", weights.join(","));
    let mut players = [player::<Tetris>(&rules, &text).expect("a listed set")];
    let mut dice = GameDice::new(0, 0);
    let mut position = Tetris::start(&rules);
    Box::new(move |done| {
        if deal(&mut position, &mut dice.deals).is_none() {
            position = Tetris::start(&rules);
            deal(&mut position, &mut dice.deals);
        }
        done[0] += 1;
        done[1] += position.count_moves() as u64;
        step(&mut position, &mut players, &mut dice).expect("a player of our own");
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_of_the_game_is_measured() {
        // Tables are measured beside other features, if at all.
        let is_table =
            |name: &str| ["cells-", "surface-", "hole-rows-"].iter().any(|table| name.starts_with(table));
        let sets = Tetris::feature_list().into_iter().filter(|info| info.is_set && !is_table(info.name));
        let sets: Vec<&str> = sets.map(|info| info.name).collect();
        assert!(sets.iter().all(|set| SETS.contains(set)), "{sets:?}");
    }
}
