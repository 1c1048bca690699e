//! Games for one: a player with a position of its own, which it is put into and plays on from, any number of moves at a time.
//!
//! Whatever measures or learns such a game asks [`PlayedGame::solo`] for one; a game with a faster way of playing than one move after
//! the other answers with its own.

use games::{Side, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::PlayedGame;
use crate::players::{Player, PlayerError, PlayerFailure, PlayerSpec};
use crate::playout::{GameDice, step};

/// The level of a game that is over: above all others.
pub const OVER: u32 = u32::MAX;

/// What counts as climbing. Any will do for an estimate; the better it tells how near a position is to the end, the less noise has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// The highest part: of falling pieces the height of the highest column.
    #[default]
    Height,
    /// The highest part and the whole: the height of the highest column and the mean height of all.
    Pile,
}

impl Measure {
    /// All of them, by name.
    pub const ALL: [(&'static str, Measure); 2] = [("height", Measure::Height), ("pile", Measure::Pile)];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, measure)| *measure == self).expect("all are listed").0
    }
}

/// A player of a game for one, with a position of its own.
pub trait SoloPlayer<G: PlayedGame>: Send {
    /// Goes to a position after a move, or to the start; from there on these dice deal. A new game for the player.
    fn set(&mut self, position: &G, dice: GameDice);

    /// Makes so many moves, with what must be dealt for them; fewer if the game ends before. How many were made.
    ///
    /// # Errors
    /// The player has no move to give.
    fn run(&mut self, most: u64) -> Result<u64, PlayerFailure>;

    /// Whether the game is over.
    fn is_over(&self) -> bool;

    /// The score of the position.
    fn score(&self) -> f64;

    /// The level of the position, see [`PlayedGame::level`]; [`OVER`] if the game is over.
    fn level(&self, measure: Measure) -> u32;

    /// The position.
    fn position(&self) -> G;

    /// The dice as they are now, for a game that goes on with them.
    fn dice(&self) -> GameDice;

    /// Moves between two looks at whether to go on.
    fn stride(&self) -> u64 {
        1 << 4
    }

    /// Whether a game that was broken off can be taken up from its position and the number of its moves: by [`SoloPlayer::set`] with
    /// the dice of its beginning, and [`SoloPlayer::skip`]. Not by a player that may have drawn lots of its own.
    fn can_take_up(&self) -> bool {
        false
    }

    /// Passes over what was dealt for the first so many moves.
    ///
    /// # Panics
    /// If the game cannot be taken up.
    fn skip(&mut self, moves: u64) {
        panic!("{moves} moves of {} cannot be passed over", G::NAME)
    }
}

/// Any player of any game for one, move by move.
pub struct General<G: PlayedGame> {
    players: [Box<dyn Player<G>>; 1],
    position: G,
    dice: GameDice,
}

impl<G: PlayedGame> General<G> {
    /// At the start of a game.
    ///
    /// # Errors
    /// The game is not for one, or the player cannot be made.
    pub fn new(rules: &G::Rules, player: &PlayerSpec<G>) -> Result<Self, PlayerError> {
        if G::SIDES.len() != 1 {
            return Err(PlayerError::Own(format!("{} is no game for one", G::NAME).into()));
        }
        Ok(Self { players: [player.player()?], position: G::start(rules), dice: GameDice::new(0, 0) })
    }
}

impl<G: PlayedGame> SoloPlayer<G> for General<G> {
    fn set(&mut self, position: &G, dice: GameDice) {
        (self.position, self.dice) = (position.clone(), dice);
        self.players[0].new_game();
    }

    fn run(&mut self, most: u64) -> Result<u64, PlayerFailure> {
        let mut made = 0;
        while made < most && step(&mut self.position, &mut self.players, &mut self.dice)?.is_some() {
            made += 1;
        }
        Ok(made)
    }

    fn is_over(&self) -> bool {
        self.position.turn() == Turn::Over
    }

    fn score(&self) -> f64 {
        self.position.score(Side::First)
    }

    fn level(&self, measure: Measure) -> u32 {
        if self.is_over() { OVER } else { self.position.level(measure) }
    }

    fn position(&self) -> G {
        self.position.clone()
    }

    fn dice(&self) -> GameDice {
        self.dice.clone()
    }
}

/// A whole game from a position: its score; none if it is not to go on.
///
/// # Errors
/// The player has no move to give.
pub fn play_out<G: PlayedGame>(
    player: &mut dyn SoloPlayer<G>,
    start: &G,
    dice: GameDice,
    go_on: impl Fn() -> bool,
) -> Result<Option<f64>, PlayerFailure> {
    player.set(start, dice);
    while !player.is_over() {
        if !go_on() {
            return Ok(None);
        }
        player.run(player.stride())?;
    }
    Ok(Some(player.score()))
}
