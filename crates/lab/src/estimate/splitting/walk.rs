//! Who walks through a game for one, move by move, and how near to its end a position is.

use games::tetris::{Tetris, TetrisRules};
use games::{Game, Side, Turn};

use crate::players::{Player, Seat};
use crate::playout::GameDice;
use crate::score::{FastPlayer, Hand};

/// The level of a game that is over: above all others.
pub const OVER: u32 = u32::MAX;

/// A game for one in which losing is a matter of climbing, level by level.
pub trait Levelled: Game {
    /// What levels count, as "rows".
    const LEVEL_UNIT: &'static str;

    /// The level of a position in which the game is not over: the higher, the nearer to the end.
    fn level(&self) -> u32;

    /// The highest level that such a position can have.
    fn highest_level(rules: &Self::Rules) -> u32;

    /// Somebody who plays as the seat says, in the fastest way there is.
    fn walker<'a>(rules: &'a Self::Rules, seat: Seat<Self>) -> Box<dyn Walker<Self> + 'a> {
        Box::new(General::new(rules, seat))
    }
}

/// A player with a position of its own that it can be put into.
pub trait Walker<G: Game>: Send {
    /// Goes to a position after a move, or to the start; from there on these dice deal.
    fn set(&mut self, position: &G, dice: GameDice);

    /// One move, and what must be dealt for it.
    fn step(&mut self);

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
    const LEVEL_UNIT: &'static str = "rows";

    fn level(&self) -> u32 {
        self.height()
    }

    fn highest_level(rules: &TetrisRules) -> u32 {
        rules.limit()
    }

    fn walker<'a>(rules: &'a TetrisRules, seat: Seat<Tetris>) -> Box<dyn Walker<Tetris> + 'a> {
        let fast = match &seat {
            Seat::Model(evaluator) => FastPlayer::new(rules, evaluator, false),
            Seat::Lookahead(evaluator) => FastPlayer::new(rules, evaluator, true),
            _ => None,
        };
        match fast {
            Some(player) => Box::new(Fast { player, hand: Hand::new(rules, GameDice::new(0, 0).deals) }),
            None => Box::new(General::new(rules, seat)),
        }
    }
}

/// Any player of any game.
struct General<G: Game> {
    player: Box<dyn Player<G>>,
    position: G,
    dice: GameDice,
}

impl<G: Game> General<G> {
    fn new(rules: &G::Rules, seat: Seat<G>) -> Self {
        Self { player: seat.into_player(), position: G::start(rules), dice: GameDice::new(0, 0) }
    }
}

impl<G: Levelled> Walker<G> for General<G> {
    fn set(&mut self, position: &G, dice: GameDice) {
        (self.position, self.dice) = (position.clone(), dice);
        self.player.new_game();
    }

    fn step(&mut self) {
        loop {
            match self.position.turn() {
                Turn::Over => return,
                Turn::Chance => self.position.deal(&mut self.dice.deals),
                Turn::Player(_) => {
                    let mv = self.player.choose(&self.position, &mut self.dice.players[Side::First.index()]);
                    return self.position.play_unchecked(mv);
                }
            }
        }
    }

    fn level(&self) -> u32 {
        if self.position.turn() == Turn::Over { OVER } else { self.position.level() }
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
    hand: Hand<'a>,
}

impl Walker<Tetris> for Fast<'_> {
    fn set(&mut self, position: &Tetris, dice: GameDice) {
        self.player.player.set(position);
        self.hand.go_on_from(position, dice.deals);
    }

    fn step(&mut self) {
        self.player.place(&mut self.hand);
    }

    fn level(&self) -> u32 {
        let player = &self.player.player;
        if player.lost() { OVER } else { player.height() }
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
pub(super) fn plain<G: Levelled>(rules: &G::Rules, seat: Seat<G>) -> Box<dyn Walker<G>> {
    Box::new(General::new(rules, seat))
}
