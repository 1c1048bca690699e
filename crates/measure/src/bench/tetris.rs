//! How fast Tetris players decide, for each set of features.

use std::time::Duration;

use games::tetris::fast::LinearPlayer;
use games::tetris::{Piece, Tetris, TetrisFeatures, TetrisRules};
use games::{Dice, Game};
use play::PlayedGame as _;
use play::evaluator::ModelFile;
use play::players::player;
use play::playout::{GameDice, deal, step};

use crate::bench::{Row, per_second};

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

/// The rows that [`measure`] makes.
pub const MEASURES: usize = 2 * SETS.len();

/// Measures one thread on 10x20: decisions a second, and the placements that are valued for them.
pub fn measure(time: Duration, stop: &dyn Fn() -> bool, row: &mut dyn FnMut(Row)) {
    let rules = TetrisRules::default();
    for set in SETS {
        let mut afterstates = 0;
        let mut decisions = 0;
        let Some(speed) = (match fast(&rules, set) {
            Some(player) => decide_fast(&rules, player, time, stop, &mut decisions, &mut afterstates),
            None => decide_plainly(&rules, set, time, stop, &mut decisions, &mut afterstates),
        }) else {
            return;
        };
        let mut report =
            |name: String, unit, per_second| row(Row { game: Tetris::NAME, name, unit, per_second });
        report(format!("{set} 10x20"), "decisions", speed);
        report(format!("{set} 10x20"), "afterstates", speed * afterstates as f64 / decisions as f64);
    }
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

fn decide_fast(
    rules: &TetrisRules,
    mut player: LinearPlayer,
    time: Duration,
    stop: &dyn Fn() -> bool,
    decisions: &mut u64,
    afterstates: &mut u64,
) -> Option<f64> {
    let mut dice = Dice::seeded(&[0]);
    let deck = rules.pieces.fresh_deck();
    per_second(time, stop, &mut || {
        for _ in 0..1000 {
            if player.lost() {
                player.set(&Tetris::start(rules));
            }
            let piece = rules.pieces.draw(deck, &mut dice);
            player.play(player.choose(piece));
            *afterstates += placements(rules, piece);
        }
        *decisions += 1000;
        1000
    })
}

fn decide_plainly(
    rules: &TetrisRules,
    set: &str,
    time: Duration,
    stop: &dyn Fn() -> bool,
    decisions: &mut u64,
    afterstates: &mut u64,
) -> Option<f64> {
    let weights: Vec<String> = weights(rules, set).iter().map(ToString::to_string).collect();
    let text = format!("linear({set}; {})", weights.join(","));
    let mut players = [player::<Tetris>(rules, &text).expect("a listed set")];
    let mut dice = GameDice::new(0, 0);
    let mut position = Tetris::start(rules);
    per_second(time, stop, &mut || {
        if deal(&mut position, &mut dice.deals).is_none() {
            position = Tetris::start(rules);
            deal(&mut position, &mut dice.deals);
        }
        *afterstates += position.count_moves() as u64;
        *decisions += 1;
        step(&mut position, &mut players, &mut dice).expect("a player of our own");
        1
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
        let mut rows = Vec::new();
        measure(Duration::from_millis(1), &|| false, &mut |row| rows.push(row));
        assert_eq!(rows.len(), MEASURES);
        assert!(rows.iter().all(|row| row.per_second > 0.0));
    }
}
