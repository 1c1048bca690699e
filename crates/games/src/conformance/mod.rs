//! What every game must keep, for the tests of a game wherever it lives. Ours are all tested by being listed; a game in a crate of its own has
//! one test of one line, and whatever it gets wrong is said in the panic, with the position:
//!
//! ```no_run
//! # use games::rules::Fixed;
//! # type Mine = games::othello::Othello;
//! games::conformance::all::<Mine>(&[Fixed]); // the rules to try: one of every kind that the options make
//! ```
//!
//! It says nothing of whether these are the rules that were meant: counts of leaves that others have published do ([`crate::perft()`]), or the
//! rules written a second time, naively and differently.

mod features;
mod pictures;
mod rules;
mod text;

use crate::game::{Game, Turn};
use math::Dice;

pub use features::features;
pub use pictures::{mirrored_pictures, pictures};
pub use rules::rules;
pub use text::text;

/// All that is below.
///
/// # Panics
/// If the game is not sound; the message says in what.
pub fn all<G: Game>(variants: &[G::Rules]) {
    rules::<G>(variants);
    text::<G>(variants);
    features::<G>(variants);
    pictures::<G>(variants);
    mirrored_pictures::<G>(variants);
}

/// A position of a game and the move made in it, if one was.
pub type Met<G> = (G, Option<<G as Game>::Move>);

/// The positions of a random game, chance turns and the last one included.
///
/// # Panics
/// If a player is to move and cannot.
pub fn random_game<G: Game>(rules: &G::Rules, seed: u64, most: usize) -> Vec<Met<G>> {
    let (mut deals, mut choices) = (Dice::seeded(&[seed, 0]), Dice::seeded(&[seed, 1]));
    let mut position = G::start(rules);
    let (mut game, mut moves) = (Vec::new(), Vec::new());
    while game.len() < most {
        match position.turn() {
            Turn::Over => break,
            Turn::Chance => {
                game.push((position.clone(), None));
                position.deal(&mut deals);
            }
            Turn::Player(_) => {
                position.legal_moves(&mut moves);
                assert!(!moves.is_empty(), "a player is to move and has no legal move, {}", at(&position));
                let mv = choices.pick(&moves);
                game.push((position.clone(), Some(mv)));
                position.play_unchecked(mv);
            }
        }
    }
    game.push((position, None));
    game
}

fn legal_moves<G: Game>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

fn after<G: Game>(position: &G, mv: G::Move) -> G {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
}

/// Where something is wrong, for messages.
fn at<G: Game>(position: &G) -> String {
    format!("{} in position {}", G::NAME, position.text())
}
