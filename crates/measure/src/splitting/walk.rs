//! Who walks through a game for one, move by move, and how near to its end a position is.

use games::tetris::{Tetris, TetrisRules};
use games::{Side, Turn};
use play::PlayedGame;
use play::players::{Player, PlayerFailure, PlayerSpec};
use play::playout::{GameDice, step};

use super::Measure;
use crate::score::{FastPlayer, PieceQueue};

/// The level of a game that is over: above all others.
pub const OVER: u32 = u32::MAX;

/// A game for one in which losing is a matter of climbing, level by level.
pub trait Levelled: PlayedGame {
    /// What levels count, as "rows of the highest column".
    fn level_unit(measure: Measure) -> &'static str;

    /// The level of a position in which the game is not over: the higher, the nearer to the end.
    fn level(&self, measure: Measure) -> u32;

    /// The highest level that such a position can have.
    fn highest_level(rules: &Self::Rules, measure: Measure) -> u32;

    /// Somebody who plays as the seat says, in the fastest way there is.
    fn walker<'a>(
        rules: &'a Self::Rules,
        seat: PlayerSpec<Self>,
        measure: Measure,
    ) -> Box<dyn Walker<Self> + 'a> {
        Box::new(General::new(rules, seat, measure))
    }
}

/// A player with a position of its own that it can be put into.
pub trait Walker<G: PlayedGame>: Send {
    /// Goes to a position after a move, or to the start; from there on these dice deal.
    fn set(&mut self, position: &G, dice: GameDice);

    /// One move, and what must be dealt for it.
    ///
    /// # Errors
    /// The player has no move to give.
    fn step(&mut self) -> Result<(), PlayerFailure>;

    /// The level of the position; [`OVER`] if the game is over.
    fn level(&self) -> u32;

    /// The score of the position.
    fn score(&self) -> f64;

    /// The position.
    fn position(&self) -> G;

    /// Moves between two looks at whether to go on.
    fn stride(&self) -> u64;
}

impl Levelled for Tetris {
    fn level_unit(measure: Measure) -> &'static str {
        match measure {
            Measure::Height => "rows of the pile",
            Measure::Pile => "rows of the highest column and of all on average",
        }
    }

    fn level(&self, measure: Measure) -> u32 {
        climb(self.columns(), measure)
    }

    fn highest_level(rules: &TetrisRules, measure: Measure) -> u32 {
        match measure {
            Measure::Height => rules.limit(),
            Measure::Pile => 2 * rules.limit(),
        }
    }

    fn walker<'a>(
        rules: &'a TetrisRules,
        seat: PlayerSpec<Tetris>,
        measure: Measure,
    ) -> Box<dyn Walker<Tetris> + 'a> {
        let fast = match &seat {
            PlayerSpec::Model(evaluator) => FastPlayer::new(rules, evaluator, false),
            PlayerSpec::Lookahead(evaluator) => FastPlayer::new(rules, evaluator, true),
            _ => None,
        };
        match fast {
            Some(player) => {
                Box::new(Fast { player, hand: PieceQueue::new(rules, GameDice::new(0, 0).deals), measure })
            }
            None => Box::new(General::new(rules, seat, measure)),
        }
    }
}

/// The level of a pile.
fn climb(columns: &[u32], measure: Measure) -> u32 {
    let height = |column: &u32| u32::BITS - column.leading_zeros();
    let highest = columns.iter().map(height).max().unwrap_or(0);
    match measure {
        Measure::Height => highest,
        Measure::Pile => highest + columns.iter().map(height).sum::<u32>() / columns.len() as u32,
    }
}

/// Any player of any game.
struct General<G: PlayedGame> {
    players: [Box<dyn Player<G>>; 1],
    position: G,
    dice: GameDice,
    measure: Measure,
}

impl<G: PlayedGame> General<G> {
    fn new(rules: &G::Rules, seat: PlayerSpec<G>, measure: Measure) -> Self {
        let player = seat.player().expect("no player of a game for one starts a program");
        Self { players: [player], position: G::start(rules), dice: GameDice::new(0, 0), measure }
    }
}

impl<G: Levelled> Walker<G> for General<G> {
    fn set(&mut self, position: &G, dice: GameDice) {
        (self.position, self.dice) = (position.clone(), dice);
        self.players[0].new_game();
    }

    fn step(&mut self) -> Result<(), PlayerFailure> {
        step(&mut self.position, &mut self.players, &mut self.dice).map(|_| ())
    }

    fn level(&self) -> u32 {
        if self.position.turn() == Turn::Over { OVER } else { self.position.level(self.measure) }
    }

    fn score(&self) -> f64 {
        self.position.score(Side::First)
    }

    fn position(&self) -> G {
        self.position.clone()
    }

    fn stride(&self) -> u64 {
        1 << 4
    }
}

/// A linear function of Tetris in vector lanes.
struct Fast<'a> {
    player: FastPlayer,
    hand: PieceQueue<'a>,
    measure: Measure,
}

impl Walker<Tetris> for Fast<'_> {
    fn set(&mut self, position: &Tetris, dice: GameDice) {
        self.player.player.set(position);
        self.hand.go_on_from(position, dice.deals);
    }

    fn step(&mut self) -> Result<(), PlayerFailure> {
        self.player.place(&mut self.hand);
        Ok(())
    }

    fn level(&self) -> u32 {
        let player = &self.player.player;
        if player.lost() { OVER } else { climb(player.columns(), self.measure) }
    }

    fn score(&self) -> f64 {
        self.player.player.lines() as f64
    }

    fn position(&self) -> Tetris {
        self.player.player.position_with(self.hand.deck(), self.hand.next())
    }

    fn stride(&self) -> u64 {
        self.player.stride() >> 3
    }
}

/// The player without vector lanes.
#[cfg(test)]
pub(super) fn plain<G: Levelled>(
    rules: &G::Rules,
    seat: PlayerSpec<G>,
    measure: Measure,
) -> Box<dyn Walker<G>> {
    Box::new(General::new(rules, seat, measure))
}
