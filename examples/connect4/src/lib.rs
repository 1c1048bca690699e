//! Connect four, as an example of a game that evalforge does not know: its rules in `game.rs`, what an evaluation function may
//! look at in `features.rs`, and how it looks in `picture.rs`. Nothing else is needed.

mod features;
mod game;
mod picture;

pub use game::Connect4;

/// All defaults: the searches, a clock with equal shares, the players that every game has.
impl play::PlayedGame for Connect4 {}

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
