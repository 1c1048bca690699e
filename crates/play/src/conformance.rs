//! What every player must keep in every game, for the tests of a game or a player wherever it lives: it plays legally, and the same game again.
//! A game in a crate of its own tests so that all players that it gets for nothing can play it:
//!
//! ```no_run
//! # use games::rules::Fixed;
//! # type Mine = games::othello::Othello;
//! play::conformance::players::<Mine>(&Fixed);
//! ```

use games::{Side, Turn};

use crate::PlayedGame;
use crate::players::{PLAYERS, Player, PlayerError, player};
use crate::playout::{GameDice, deal};
use crate::search::is_searchable;

/// Searches of every kind, all soon done.
const SEARCHES: &[&str] = &[
    "best-move",
    "greedy(eval=score)",
    "minimax(depth=1)",
    "alphabeta(depth=2)",
    "alphabeta(nodes=500, table=0)",
    "mcts(simulations=30)",
    "mcts(simulations=10, rollout=greedy, epsilon=0.1, cut=4)",
    "hybrid(1: best-move, 6: mcts(simulations=5), 20: alphabeta(depth=1))",
];

/// Moves of a game that need not end.
const LONGEST: usize = 1000;

/// The players that every game has, and the searches if the game is one for them.
///
/// # Panics
/// If one of them is not sound in this game; the message says in what.
pub fn players<G: PlayedGame>(rules: &G::Rules) {
    let searches = SEARCHES.iter().filter(|_| is_searchable::<G>());
    for text in PLAYERS.iter().map(|info| info.name).chain(searches.copied()) {
        one_player(rules, text, || player::<G>(rules, text));
    }
}

/// One player, as `make` makes it, on either side against chance and against itself.
///
/// # Panics
/// If it plays illegally or fails, or has another game when it plays again.
pub fn one_player<G: PlayedGame>(
    rules: &G::Rules,
    name: &str,
    make: impl Fn() -> Result<Box<dyn Player<G>>, PlayerError>,
) {
    let made = || make().unwrap_or_else(|error| panic!("{}: no player {name}: {error}", G::NAME));
    let random = || player::<G>(rules, "random").expect("every game has it");
    for side in 0..2 {
        let mut players = [made(), random()];
        players.swap(0, side);
        let first = game(rules, name, &mut players);
        let again = game(rules, name, &mut players);
        assert!(
            first == again,
            "{}: {name} remembers its last game: it plays another one of the same seed",
            G::NAME
        );
    }
    let [fresh, other] = [(); 2].map(|()| game(rules, name, &mut [made(), made()]));
    assert!(fresh == other, "{}: {name} plays another game of the same seed when it is made anew", G::NAME);
}

/// All positions after the moves of a game.
fn game<G: PlayedGame>(rules: &G::Rules, name: &str, players: &mut [Box<dyn Player<G>>; 2]) -> Vec<G> {
    let (mut position, mut dice, mut met) = (G::start(rules), GameDice::new(7, 0), Vec::new());
    while met.len() < LONGEST
        && let Some(side) = deal(&mut position, &mut dice.deals)
    {
        let wrong = |what: &str| format!("{}: {name} {what} in {}", G::NAME, position.text());
        let chosen = players[side.index()].choose(&position, &mut dice.players[side.index()]);
        let mv = chosen.unwrap_or_else(|failure| panic!("{}: {failure}", wrong("fails")));
        let mut after = position.clone();
        after.play(mv).unwrap_or_else(|error| panic!("{}: {error}", wrong("plays illegally")));
        position = after;
        met.push(position.clone());
    }
    if position.turn() == Turn::Over {
        assert!(position.final_value(Side::First).is_finite(), "{}: no final value", G::NAME);
    }
    met
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::PlayerFailure;
    use crate::{Games as _, Visitor};
    use games::othello::Othello;
    use games::rules::Fixed;
    use games::{Dice, Game};
    use std::cell::Cell;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn every_player_plays_every_game_legally_and_the_same_again() {
        struct All;
        impl Visitor for All {
            fn game<G: PlayedGame>(&mut self) {
                players::<G>(&G::Rules::default());
            }
        }
        games::Listed::visit(&mut All);
    }

    /// A player of Othello that is asked with the legal moves, and what it remembers.
    struct Of<F>(F, usize);

    impl<F: FnMut(&[Square], &mut usize) -> Result<Square, PlayerFailure> + Send> Player<Othello> for Of<F> {
        fn choose(&mut self, position: &Othello, _: &mut Dice) -> Result<Square, PlayerFailure> {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            (self.0)(&moves, &mut self.1)
        }
    }

    type Square = <Othello as Game>::Move;
    type Choose = fn(&[Square], &mut usize) -> Result<Square, PlayerFailure>;

    fn said(choose: Choose, number: impl Fn() -> usize) -> String {
        let make = || Ok(Box::new(Of(choose, number())) as Box<dyn Player<Othello>>);
        match catch_unwind(AssertUnwindSafe(|| one_player(&Fixed, "mine", make))) {
            Ok(()) => "nothing".to_string(),
            Err(panic) => panic.downcast_ref::<String>().expect("a message").clone(),
        }
    }

    #[test]
    fn of_a_broken_player_it_is_said_what_is_wrong() {
        let numbered: Choose = |moves, number| Ok(moves[*number % moves.len()]);
        assert_eq!(said(numbered, || 2), "nothing");
        let made = Cell::new(0);
        let another = said(numbered, || made.replace(made.get() + 1));
        assert_eq!(another, "othello: mine plays another game of the same seed when it is made anew");
        let counting: Choose = |moves, number| {
            *number += 1;
            Ok(moves[*number % moves.len()])
        };
        assert_eq!(
            said(counting, || 0),
            "othello: mine remembers its last game: it plays another one of the same seed"
        );
        let illegal = said(|_, _| Ok(Othello::start(&Fixed).parse_move("e4").unwrap()), || 0);
        assert!(illegal.starts_with("othello: mine plays illegally in ---"), "{illegal}");
        assert!(illegal.contains("illegal move e4"), "{illegal}");
        let lost = said(|_, _| Err(PlayerFailure { who: "it".into(), why: "is lost".into() }), || 0);
        assert!(lost.starts_with("othello: mine fails in ---") && lost.ends_with("is lost"), "{lost}");
    }
}
