//! Games from a position to the end. What chance deals and what players draw by lot come from streams of their own, so
//! that two players with the same seed meet the same pieces.

use games::{Dice, Game, Side, Turn};

use crate::players::Player;

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

/// Plays from a position to the end, or until `most` moves are made. `players[side]` moves for a side. `watch` sees
/// every move and the position after it.
pub fn play<G: Game>(
    start: &G,
    players: &mut [Box<dyn Player<G>>],
    dice: &mut GameDice,
    most: u64,
    watch: &mut dyn FnMut(Side, G::Move, &G),
) -> Record<G> {
    let mut position = start.clone();
    let mut moves = 0;
    while moves < most {
        match position.turn() {
            Turn::Over => break,
            Turn::Chance => position.deal(&mut dice.deals),
            Turn::Player(side) => {
                let mv = players[side.index()].choose(&position, &mut dice.players[side.index()]);
                debug_assert!(position.is_legal(mv), "{mv:?} in {}", position.text());
                position.play_unchecked(mv);
                moves += 1;
                watch(side, mv, &position);
            }
        }
    }
    Record { end: position, moves }
}

/// A game of random moves, with no calls through tables: what benchmarks and simulations repeat. The same game as
/// [`play`] gives two random players.
pub fn random_playout<G: Game>(start: &G, dice: &mut GameDice, moves: &mut Vec<G::Move>) -> Record<G> {
    let mut position = start.clone();
    let mut made = 0;
    loop {
        match position.turn() {
            Turn::Over => return Record { end: position, moves: made },
            Turn::Chance => position.deal(&mut dice.deals),
            Turn::Player(side) => {
                let mv = position.random_move(&mut dice.players[side.index()], moves);
                position.play_unchecked(mv.expect("a player's turn has moves"));
                made += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::{PLAYERS, player};
    use crate::{Games as _, PlayedGame, Visitor};

    #[test]
    fn every_player_plays_every_game_legally_and_the_same_again() {
        struct All;
        impl Visitor for All {
            fn game<G: PlayedGame>(&mut self) {
                let rules = G::Rules::default();
                let start = G::start(&rules);
                for info in PLAYERS {
                    let game = |seed| {
                        let mut players =
                            [player(&rules, info.name).unwrap(), player(&rules, info.name).unwrap()];
                        let mut before = start.clone();
                        let mut watch = |_, mv, after: &G| {
                            // Before a turn of chance nothing tells what was dealt.
                            if before.turn() != Turn::Chance {
                                before.play(mv).unwrap();
                                assert_eq!(&before, after);
                            }
                            before = after.clone();
                        };
                        play(&start, &mut players, &mut GameDice::new(seed, 0), 200, &mut watch)
                    };
                    assert_eq!(game(1), game(1));
                    assert!(game(1).end.turn() == Turn::Over || game(1).moves == 200);
                }
            }
        }
        games::Listed::visit(&mut All);
    }

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
                    let plain =
                        play(&start, &mut players, &mut GameDice::new(seed, 0), 5000, &mut |_, _, _| {});
                    let fast = random_playout(&start, &mut GameDice::new(seed, 0), &mut Vec::new());
                    assert_eq!(plain, fast);
                }
            }
        }
        games::Listed::visit(&mut All);
    }
}
