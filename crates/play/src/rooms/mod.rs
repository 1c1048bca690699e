//! A room a game: what only one game has in the half that plays, one file a game, and the way to a game by its name.

mod avalam;
mod othello;
mod pushover;
mod tetris;

use games::{Game, GameInfo};

/// A game as players know it. Every method has a default: a new game writes `impl PlayedGame for Sticks {}`.
pub trait PlayedGame: Game {}

/// A list of games that can be played: [`games::Listed`], or a game of another crate before it, `(Mine, games::Listed)`.
pub trait Games: 'static {
    /// Visits every game, in the order of the list.
    fn visit(visitor: &mut impl Visitor);
}

impl Games for () {
    fn visit(_visitor: &mut impl Visitor) {}
}

impl<G: PlayedGame, Rest: Games> Games for (G, Rest) {
    fn visit(visitor: &mut impl Visitor) {
        visitor.game::<G>();
        Rest::visit(visitor);
    }
}

/// Something to do with every game.
pub trait Visitor {
    /// Called once for each game, in the order of the list.
    fn game<G: PlayedGame>(&mut self);
}

/// Something to do with one game, known by its name only at run time: the place where its type is erased.
pub trait Job {
    /// What comes out.
    type Output;
    /// Does it.
    fn run<G: PlayedGame>(self) -> Self::Output;
}

/// Runs the job with the game of this name; `None` if the list has no such game.
pub fn with_game<L: Games, J: Job>(name: &str, job: J) -> Option<J::Output> {
    struct ByName<'a, J: Job> {
        name: &'a str,
        job: Option<J>,
        output: Option<J::Output>,
    }
    impl<J: Job> Visitor for ByName<'_, J> {
        fn game<G: PlayedGame>(&mut self) {
            if G::NAME == self.name
                && let Some(job) = self.job.take()
            {
                self.output = Some(job.run::<G>());
            }
        }
    }
    let mut visitor = ByName { name, job: Some(job), output: None };
    L::visit(&mut visitor);
    visitor.output
}

/// What games a list holds.
pub fn game_list<L: Games>() -> Vec<GameInfo> {
    struct Collect(Vec<GameInfo>);
    impl Visitor for Collect {
        fn game<G: PlayedGame>(&mut self) {
            self.0.push(GameInfo::of::<G>());
        }
    }
    let mut visitor = Collect(Vec::new());
    L::visit(&mut visitor);
    visitor.0
}
