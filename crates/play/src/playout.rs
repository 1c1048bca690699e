//! Games from a position to the end. What chance deals and what players draw by lot come from streams of their own, so
//! that two players with the same seed meet the same pieces.

use std::ops::ControlFlow;

use games::{Dice, Game, Side, Turn};

use crate::players::{Player, PlayerFailure};

/// The streams of chance of one game, named by the seed of its run and its number in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameDice {
    /// For what is dealt.
    pub deals: Dice,
    /// For the lots of each side.
    pub players: [Dice; 2],
}

impl GameDice {
    /// The streams of game number `number` of a run.
    pub fn new(seed: u64, number: u64) -> Self {
        let stream = |stream| Dice::seeded(&[seed, number, stream]);
        Self { deals: stream(0), players: [stream(1), stream(2)] }
    }
}

/// A game that has been played.
#[derive(Debug, Clone, PartialEq)]
pub struct Record<G: Game> {
    /// Where it ended.
    pub end: G,
    /// How many moves the players made.
    pub moves: u64,
}

/// Plays from a position to the end, or until `most` moves are made. `players[side]` moves for a side.
///
/// # Errors
/// A player has no move to give.
pub fn play<G: Game>(
    start: &G,
    players: &mut [Box<dyn Player<G>>],
    dice: &mut GameDice,
    most: u64,
) -> Result<Record<G>, PlayerFailure> {
    play_observed(start, players, dice, most, &mut |_, _, _| ControlFlow::Continue(()))
}

/// Sees every move and the position after it, and may break the game off there.
pub type Observer<'a, G> = dyn FnMut(Side, <G as Game>::Move, &G) -> ControlFlow<()> + 'a;

/// The same before an observer.
///
/// # Errors
/// A player has no move to give.
pub fn play_observed<G: Game>(
    start: &G,
    players: &mut [Box<dyn Player<G>>],
    dice: &mut GameDice,
    most: u64,
    observe: &mut Observer<G>,
) -> Result<Record<G>, PlayerFailure> {
    let mut position = start.clone();
    let mut moves = 0;
    while moves < most {
        let Some((side, mv)) = step(&mut position, players, dice)? else { break };
        moves += 1;
        if observe(side, mv, &position).is_break() {
            break;
        }
    }
    Ok(Record { end: position, moves })
}

/// One move: deals what must be dealt, asks the player whose turn it is, and plays. None if the game is over. For games that are not
/// played from a start to an end in one go.
///
/// # Errors
/// The player has no move to give.
pub fn step<G: Game>(
    position: &mut G,
    players: &mut [Box<dyn Player<G>>],
    dice: &mut GameDice,
) -> Result<Option<(Side, G::Move)>, PlayerFailure> {
    let Some(side) = deal(position, &mut dice.deals) else { return Ok(None) };
    let mv = players[side.index()].choose(position, &mut dice.players[side.index()])?;
    debug_assert!(position.is_legal(mv), "{mv:?} in {}", position.text());
    position.play_unchecked(mv);
    Ok(Some((side, mv)))
}

/// Deals until a player is to move, and tells which; None if the game is over.
pub fn deal<G: Game>(position: &mut G, dice: &mut Dice) -> Option<Side> {
    loop {
        match position.turn() {
            Turn::Over => return None,
            Turn::Chance => position.deal(dice),
            Turn::Player(side) => return Some(side),
        }
    }
}

/// A game of random moves, with no calls through tables: what benchmarks and simulations repeat. The same game as
/// [`play`] gives two random players.
pub fn random_playout<G: Game>(start: &G, dice: &mut GameDice, moves: &mut Vec<G::Move>) -> Record<G> {
    let mut position = start.clone();
    let mut made = 0;
    while let Some(side) = deal(&mut position, &mut dice.deals) {
        let mv = position.random_move(&mut dice.players[side.index()], moves);
        position.play_unchecked(mv.expect("a player's turn has moves"));
        made += 1;
    }
    Record { end: position, moves: made }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::player;
    use crate::{Games as _, PlayedGame, Visitor};

    #[test]
    fn random_games_end_and_differ() {
        struct All;
        impl Visitor for All {
            fn game<G: PlayedGame>(&mut self) {
                let rules = G::Rules::default();
                let start = G::start(&rules);
                let game = |seed| random_playout(&start, &mut GameDice::new(seed, 0), &mut Vec::new());
                assert_eq!(game(1).end.turn(), Turn::Over);
                assert!((2..20).any(|seed| game(seed) != game(1)), "the seed changes nothing");
            }
        }
        games::Listed::visit(&mut All);
    }

    #[test]
    fn the_fast_random_game_is_the_plain_one() {
        struct All;
        impl Visitor for All {
            fn game<G: PlayedGame>(&mut self) {
                let rules = G::Rules::default();
                let start = G::start(&rules);
                for seed in 0..20 {
                    let mut players = [player(&rules, "random").unwrap(), player(&rules, "random").unwrap()];
                    let plain = play(&start, &mut players, &mut GameDice::new(seed, 0), 5000).unwrap();
                    let fast = random_playout(&start, &mut GameDice::new(seed, 0), &mut Vec::new());
                    assert_eq!(plain, fast);
                }
            }
        }
        games::Listed::visit(&mut All);
    }

    /// A player that fails at its third move.
    struct Failing(usize);

    impl<G: Game> Player<G> for Failing {
        fn choose(&mut self, position: &G, dice: &mut Dice) -> Result<G::Move, PlayerFailure> {
            self.0 += 1;
            match self.0 {
                3 => Err(PlayerFailure { who: "it".into(), why: "is lost".into() }),
                _ => Ok(position.random_move(dice, &mut Vec::new()).unwrap()),
            }
        }
    }

    #[test]
    fn a_game_ends_with_the_failure_of_a_player_or_where_the_observer_says() {
        struct All;
        impl Visitor for All {
            fn game<G: PlayedGame>(&mut self) {
                let rules = G::Rules::default();
                let start = G::start(&rules);
                let mut seen = 0;
                let mut game = |most: usize| {
                    seen = 0;
                    let mut players: Vec<Box<dyn Player<G>>> = vec![player(&rules, "random").unwrap()];
                    players.insert(0, Box::new(Failing(0)));
                    let mut observe = |_, _, _: &G| {
                        seen += 1;
                        if seen == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                    };
                    play_observed(&start, &mut players, &mut GameDice::new(1, 0), 100, &mut observe)
                };
                assert_eq!(game(usize::MAX).unwrap_err().to_string(), "external player 'it': is lost");
                assert_eq!(game(2).unwrap().moves, 2);
                // Two moves of its own, and two of the other side if there is one.
                game(usize::MAX).unwrap_err();
                assert_eq!(seen, 2 * G::SIDES.len(), "{}", G::NAME);
            }
        }
        games::Listed::visit(&mut All);
    }
}
