//! One search up to a step of the game, another after it: best move, then simulations, then alpha-beta, as the Avalam
//! report tried it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use games::{Dice, Game};

use super::{Found, Limits, Searcher};

/// A search from a step on, with limits of its own.
pub struct Stage<G: Game> {
    /// The first step (moves of both sides, from 1).
    pub from: u32,
    /// The search.
    pub search: Box<dyn Searcher<G>>,
    /// Its own limits; the tighter of them and those of the whole hold.
    pub limits: Limits,
}

/// Searches by step.
pub struct Hybrid<G: Game>(Vec<Stage<G>>);

impl<G: Game> Hybrid<G> {
    /// The stages in any order. Before the first of them the first is used as well.
    ///
    /// # Panics
    /// If there is none.
    pub fn new(mut stages: Vec<Stage<G>>) -> Self {
        assert!(!stages.is_empty(), "a hybrid of no searches");
        stages.sort_by_key(|stage| stage.from);
        Self(stages)
    }

    fn stage(&mut self, position: &G) -> &mut Stage<G> {
        let reached = self.0.iter().rposition(|stage| stage.from <= position.step()).unwrap_or(0);
        &mut self.0[reached]
    }
}

impl<G: Game> Searcher<G> for Hybrid<G> {
    fn search(&mut self, position: &G, limits: &Limits, dice: &mut Dice) -> Found<G> {
        let stage = self.stage(position);
        stage.search.search(position, &stage.limits.and(limits), dice)
    }

    fn every_move(
        &mut self,
        position: &G,
        limits: &Limits,
        dice: &mut Dice,
        watch: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Option<Vec<Found<G>>> {
        let stage = self.stage(position);
        stage.search.every_move(position, &stage.limits.and(limits), dice, watch)
    }

    fn new_game(&mut self) {
        self.0.iter_mut().for_each(|stage| stage.search.new_game());
    }

    fn stop_by(&mut self, stop: Arc<AtomicBool>) {
        self.0.iter_mut().for_each(|stage| stage.search.stop_by(Arc::clone(&stop)));
    }
}
