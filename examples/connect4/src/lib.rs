//! Connect four, as an example of a game that evalforge does not know: its rules in `game.rs`, what an evaluation function may
//! look at in `features.rs`, how it looks in `picture.rs`, and a solver in `solve.rs`. The last two are not needed.

mod features;
mod game;
mod picture;
mod solve;

use std::hint::black_box;

use evalforge_cli::{CliGame, Own};
use games::Game;
use games::rules::Fixed;
use play::PlayedGame;
use play::timed::Timed;

pub use game::Connect4;

/// Defaults: the searches, a clock with equal shares, the players that every game has. What only this game has stands here.
impl PlayedGame for Connect4 {
    /// For `bench`, beside what is measured of every game.
    fn timed() -> Vec<Timed> {
        let work = || {
            let (start, set) =
                (Self::start(&Fixed), Self::features(&Fixed, "lines").expect("it is in the table"));
            let (mut moves, mut rows) = (Vec::new(), Vec::new());
            start.legal_moves(&mut moves);
            move || {
                set.extract_all(black_box(&start), &moves, &mut rows);
                moves.len() as u64
            }
        };
        vec![Timed::new("lines", &["positions"], work)]
    }
}

/// At the command line: how the game is solved.
impl CliGame for Connect4 {
    const SOLVE: Option<Own> = Some(Own::of::<solve::ToTheEnd>());
}

#[cfg(test)]
mod tests {
    use games::rules::Fixed;

    use super::Connect4;

    #[test]
    fn it_is_a_game_that_can_be_played() {
        games::conformance::all::<Connect4>(&[Fixed]);
        play::conformance::players::<Connect4>(&Fixed);
    }
}
