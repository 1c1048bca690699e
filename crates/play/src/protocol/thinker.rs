//! A player of ours behind a protocol: it tells what it thinks, can be told to stop, and always answers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use games::{Dice, Game};

use crate::PlayedGame;
use crate::players::{Player, PlayerError, PlayerFailure, PlayerSpec};
use crate::search::endgame::{Endgame, Outcome};
use crate::search::evaluation::{is_decided, margin};
use crate::search::limits::Budget;
use crate::search::{Limits, Searcher};

/// With a depth that reaches the end, games of up to so many plies more are left to the endgame.
const MOST_SOLVED: u32 = 24;
const ENDGAME_TABLE: usize = 64;

/// What came of thinking.
#[derive(Debug, Clone, PartialEq)]
pub struct Thought<G: Game> {
    /// The move.
    pub best: G::Move,
    /// Its value for the side to move, in the unit of its evaluation, discs if it is exact; none if the player does not tell.
    pub value: Option<f64>,
    /// The expected moves, the best one first.
    pub line: Vec<G::Move>,
    /// Plies searched in full.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// Time.
    pub seconds: f64,
}

enum Kind<G: Game> {
    Search(Box<dyn Searcher<G>>, Limits),
    Player(Box<dyn Player<G>>),
}

/// A player of ours, asked by a protocol: it tells what it thinks, can be told to stop, and always answers.
pub struct Thinker<G: Game> {
    spec: PlayerSpec<G>,
    kind: Kind<G>,
    endgame: Option<Box<dyn Endgame<G>>>,
    dice: Dice,
    stop: Arc<AtomicBool>,
}

impl<G: PlayedGame> Thinker<G> {
    /// The player that a text names.
    ///
    /// # Errors
    /// There is no such player.
    pub fn new(rules: &G::Rules, text: &str, seed: u64) -> Result<Self, PlayerError> {
        let stop = Arc::new(AtomicBool::new(false));
        let spec = PlayerSpec::parse(rules, text)?;
        let kind = kind(&spec, &stop)?;
        Ok(Self { spec, kind, endgame: G::endgame(ENDGAME_TABLE), dice: Dice::seeded(&[seed]), stop })
    }

    /// The flag that ends its thinking early.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Another game begins.
    pub fn new_game(&mut self) {
        self.endgame.iter_mut().for_each(|endgame| endgame.new_game());
        match &mut self.kind {
            Kind::Search(search, _) => search.new_game(),
            Kind::Player(player) => player.new_game(),
        }
    }

    /// Thinks about a position in which somebody is to move. A depth, a time or a game time that is given takes the place of the player's own.
    ///
    /// # Panics
    /// If the game is over.
    pub fn think(&mut self, position: &G, given: &Limits) -> Thought<G> {
        self.stop.store(false, Ordering::Relaxed);
        let begun = Instant::now();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let asked = catch_unwind(AssertUnwindSafe(|| self.ask(position, given)));
        let legal = asked.ok().and_then(Result::ok).filter(|thought| moves.contains(&thought.best));
        let mut thought = legal.unwrap_or_else(|| {
            // Our own mistake must not end somebody else's program: a fresh player, and any move for now.
            if let Ok(fresh) = kind(&self.spec, &self.stop) {
                self.kind = fresh;
            }
            let best = moves[0];
            Thought { best, value: None, line: vec![best], depth: 0, nodes: 0, seconds: 0.0 }
        });
        thought.seconds = begun.elapsed().as_secs_f64();
        thought
    }

    fn ask(&mut self, position: &G, given: &Limits) -> Result<Thought<G>, PlayerFailure> {
        let Kind::Search(search, own) = &mut self.kind else {
            let Kind::Player(player) = &mut self.kind else { unreachable!("there are two kinds") };
            player.game_time(given.game_time);
            let best = player.choose(position, &mut self.dice)?;
            return Ok(Thought { best, value: None, line: vec![best], depth: 1, nodes: 1, seconds: 0.0 });
        };
        let mut limits = *own;
        if given.depth.is_some() {
            limits = Limits { depth: given.depth, time: given.time, ..Limits::default() };
        } else if given.is_timed() {
            (limits.time, limits.game_time) = (given.time, given.game_time);
        }
        if let Some(endgame) = &mut self.endgame
            && let Some(left) = endgame.plies_left(position)
            && given.depth.is_some_and(|depth| depth >= left)
            && left <= MOST_SOLVED
        {
            let mut nodes = 0;
            let mut budget = Budget::new(None, limits.time).with_stop(Some(Arc::clone(&self.stop)));
            if let Some(Outcome::Exact(best, margin)) = endgame.solve(position, true, &mut budget, &mut nodes)
            {
                let value = Some(margin);
                return Ok(Thought { best, value, line: vec![best], depth: left, nodes, seconds: 0.0 });
            }
        }
        let found = search.search(position, &limits, &mut self.dice);
        let value = if is_decided(found.value) { margin(found.value) } else { found.value };
        let line = if found.line.is_empty() { vec![found.best] } else { found.line };
        Ok(Thought {
            best: found.best,
            value: Some(value),
            line,
            depth: found.depth,
            nodes: found.nodes,
            seconds: 0.0,
        })
    }
}

fn kind<G: PlayedGame>(spec: &PlayerSpec<G>, stop: &Arc<AtomicBool>) -> Result<Kind<G>, PlayerError> {
    let PlayerSpec::Search(plan) = spec else { return Ok(Kind::Player(spec.player()?)) };
    let mut search = plan.searcher();
    search.stop_by(Arc::clone(stop));
    Ok(Kind::Search(search, plan.limits()))
}
