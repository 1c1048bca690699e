//! Players: who chooses a move. One player a file, and one line in the list. Beside them every model is a player: those
//! that are shipped by their names, and any model file by its path.
//!
//! A player is written as text, everywhere the same: `random`, `dn`, `my/model.json`, `linear(dt; -2.18, 2.42, ...)`, the
//! text of a model's file itself, `lookahead(dn)` for the same function one piece deeper, `optimal(FILE)` for the best
//! play of a solved board, `perfect` for that of Push-over, `external(xmlrpc="http://HOST:PORT")` for a player of Avalam that is a server,
//! `external(gtp="COMMAND")` or `external(nboard="COMMAND")` for one of Othello that is another program. Between two sides and
//! without chance there are searches as well, in the notation of [`notation`]: `alphabeta(depth=4, eval=my/model.json)`,
//! `mcts(simulations=1000)`, `hybrid(1: best-move, 20: alphabeta)`.

pub mod common_limits;
mod failure;
mod greedy;
pub mod lookahead;
pub mod model;
pub mod notation;
mod random;
pub mod searching;
pub mod spec;

use std::any::Any;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use games::avalam::Avalam;
use games::othello::Othello;
use games::pushover::{Pushover, PushoverRules};
use games::tetris::{Tetris, TetrisRules};
use games::{Dice, Game, Side};
use thiserror::Error;

pub use self::failure::{PlayError, PlayerFailure, Trouble};

use self::notation::{Call, NotationError};
use self::searching::{SearchPlayer, of_tables, searcher};
use self::spec::Spec;
use crate::PlayedGame;
use crate::evaluator::{Evaluator, ModelError, ModelFile};
use crate::files::TableError;
use crate::names::UnknownName;
use crate::patterns as tables;
use crate::patterns::TableModel;
use crate::protocol::external::{External, ExternalError};
use crate::protocol::othello::external::ExternalOthello;
use crate::search::Limits;
use crate::search::is_searchable;
use crate::search::probcut::ProbCutError;
use crate::search::ratios::RatiosError;
use crate::shipped::{SHIPPED, SHIPPED_TABLES};
use crate::solve::pushover::PerfectPlayer;
use crate::solve::pushover::seat;
use crate::solve::pushover::seat::PerfectError;
use crate::solve::{Optimal, OptimalPlayer, Progress};

/// Chooses moves in a game.
pub trait Player<G: Game>: Send {
    /// One of the legal moves of a position in which a player is to move. Lots are drawn from `dice` only.
    ///
    /// # Errors
    /// A program of somebody else's has no move to give: it has ended, is late, breaks a rule or gives up. Players of our own always have
    /// one.
    fn choose(&mut self, position: &G, dice: &mut Dice) -> Result<G::Move, PlayerFailure>;

    /// A new game begins. Whatever was remembered of the last one is forgotten: a player that has played before must play
    /// like one that has not.
    fn new_game(&mut self) {}

    /// The moves from the start to where the game begins, said after [`Player::new_game`] if they are known. A player that takes
    /// positions as they come does not mind.
    fn opening(&mut self, _moves: &[G::Move]) {}

    /// The time that the player allows itself for a move, if it looks at a clock. An arena takes longer silence for a
    /// stall.
    fn limit(&self) -> Option<Duration> {
        None
    }

    /// What is left of the time for the whole game, said before a move; none if there is no limit. A player that does not
    /// look at a clock does not mind.
    fn credit(&mut self, _seconds: Option<f64>) {}

    /// What the player knows for certain about a position, as `wins in 5`, said of `side`; most know nothing.
    fn remark(&self, _position: &G, _side: Side) -> Option<String> {
        None
    }

    /// What the player knows for certain about the moves of a position, the best first; most know nothing.
    fn advice(&self, _position: &G) -> Vec<(G::Move, String)> {
        Vec::new()
    }
}

/// A player in the list, without its game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayerInfo {
    /// The name on the command line.
    pub name: &'static str,
    /// How it chooses, in one line.
    pub summary: &'static str,
}

/// The one list of players; models are players too, see [`SHIPPED`].
pub const PLAYERS: &[PlayerInfo] = &[
    PlayerInfo { name: "random", summary: "any legal move, all equally likely" },
    PlayerInfo { name: "greedy", summary: "the move with the best score right after it; ties by lot" },
];

/// A text that is no player.
#[derive(Debug, Error)]
pub enum PlayerError {
    /// There is none of this name.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// Its model is at fault.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Its table of values is at fault.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Its options are at fault.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The ratios of its clock are at fault.
    #[error(transparent)]
    Clock(#[from] RatiosError),
    /// The fit of its cuts is at fault.
    #[error(transparent)]
    ProbCut(#[from] ProbCutError),
    /// It cannot play perfectly here.
    #[error(transparent)]
    Perfect(#[from] PerfectError),
    /// Its server is at fault.
    #[error(transparent)]
    External(#[from] ExternalError),
}

/// A player as its text says.
pub enum Seat<G: Game> {
    /// Any legal move.
    Random,
    /// The best score right after the move.
    Greedy,
    /// The move that a function values most.
    Model(Evaluator<G>),
    /// The move after which the next piece can be placed best.
    Lookahead(Evaluator<G>),
    /// The best play of a solved board.
    Optimal(Box<dyn Player<G>>),
    /// A search between two sides.
    Search(SearchPlayer<G>),
    /// The move into the position that tables value most; Othello only.
    Tables(Arc<TableModel>),
    /// Whatever a server answers.
    External(Box<dyn Player<G>>),
}

impl<G: PlayedGame> Seat<G> {
    /// Reads a player's text.
    ///
    /// # Errors
    /// There is no such player, or its model is at fault.
    pub fn parse(rules: &G::Rules, text: &str) -> Result<Self, PlayerError> {
        let text = text.trim();
        match text {
            "random" => return Ok(Seat::Random),
            "greedy" => return Ok(Seat::Greedy),
            _ => {}
        }
        if spec::is_spec(text) {
            let spec = Spec::parse(text)?;
            return Ok(Seat::Search(SearchPlayer::new(searcher(rules, &spec)?, spec.limits)));
        }
        if let Some(inner) = text.strip_prefix("lookahead(").and_then(|rest| rest.strip_suffix(')')) {
            return match Seat::parse(rules, inner)? {
                Seat::Model(evaluator) if G::CHANCE => Ok(Seat::Lookahead(evaluator)),
                _ => Err(unknown::<G>(text).into()),
            };
        }
        if let Some(inner) = text.strip_prefix("linear(").and_then(|rest| rest.strip_suffix(')')) {
            let (features, weights) = inner.split_once(';').ok_or_else(|| unknown::<G>(text))?;
            let weights: Option<Vec<f64>> =
                weights.split(',').map(|weight| weight.trim().parse().ok()).collect();
            let weights = weights.ok_or_else(|| unknown::<G>(text))?;
            return Ok(Seat::Model(Evaluator::linear(rules, features.trim(), weights)?));
        }
        if let Some(path) = text.strip_prefix("optimal(").and_then(|rest| rest.strip_suffix(')')) {
            let player = Optimal::load(Path::new(path.trim()))?;
            return optimal::<G>(rules, player).ok_or_else(|| unknown::<G>(text).into());
        }
        if Call::name_of(text) == seat::NAME {
            return perfect::<G>(rules, text)?.ok_or_else(|| unknown::<G>(text).into());
        }
        if let Some(options) = text.strip_prefix("external(").and_then(|rest| rest.strip_suffix(')')) {
            return external::<G>(text, options)?.ok_or_else(|| unknown::<G>(text).into());
        }
        let mut tables = SHIPPED_TABLES.iter().filter(|_| G::NAME == Othello::NAME);
        if let Some(shipped) = tables.find(|tables| tables.name == text) {
            return Ok(Seat::Tables(shipped.model()));
        }
        if let Some(shipped) = SHIPPED.iter().find(|model| model.name == text && model.game == G::NAME) {
            let file = ModelFile::parse(text, shipped.text)?;
            return Ok(Seat::Model(Evaluator::from_file(text, &file, rules)?));
        }
        if text.starts_with('{') {
            let file = ModelFile::parse("given as text", text)?;
            return Ok(Seat::Model(Evaluator::from_file("given as text", &file, rules)?));
        }
        if text.ends_with(tables::ENDING) && G::NAME == Othello::NAME {
            return Ok(Seat::Tables(Arc::new(TableModel::load(Path::new(text))?)));
        }
        if text.ends_with(".json") || text.contains(['/', '\\']) {
            return Ok(Seat::Model(Evaluator::from_file(text, &ModelFile::read(text)?, rules)?));
        }
        Err(unknown::<G>(text).into())
    }

    /// The player.
    pub fn into_player(self) -> Box<dyn Player<G>> {
        match self {
            Seat::Random => Box::new(random::Random::default()),
            Seat::Greedy => Box::new(greedy::Greedy::default()),
            Seat::Model(evaluator) => Box::new(model::ModelPlayer::new(evaluator)),
            Seat::Lookahead(evaluator) => Box::new(lookahead::Lookahead::new(evaluator)),
            Seat::Optimal(player) | Seat::External(player) => player,
            Seat::Search(player) => Box::new(player),
            Seat::Tables(model) => Box::new(SearchPlayer::new(of_tables(model), Limits::depth(1))),
        }
    }
}

/// The player of a solved board, if the game is Tetris and the rules are those of the table.
fn optimal<G: PlayedGame>(rules: &G::Rules, table: Optimal) -> Option<Seat<G>> {
    let same = (rules as &dyn Any).downcast_ref::<TetrisRules>() == Some(table.rules());
    let player: Box<dyn Player<Tetris>> = Box::new(OptimalPlayer(Arc::new(table)));
    let player: Box<dyn Any> = Box::new(player);
    let player = *player.downcast::<Box<dyn Player<G>>>().ok()?;
    same.then_some(Seat::Optimal(player))
}

/// The player that knows the value of every position, if the game is Push-over.
fn perfect<G: PlayedGame>(rules: &G::Rules, text: &str) -> Result<Option<Seat<G>>, PerfectError> {
    let Some(rules) = (rules as &dyn Any).downcast_ref::<PushoverRules>() else { return Ok(None) };
    let player: Box<dyn Player<Pushover>> = Box::new(PerfectPlayer(seat::parse(rules, text)?));
    let player: Box<dyn Any> = Box::new(player);
    Ok(player.downcast::<Box<dyn Player<G>>>().ok().map(|player| Seat::Optimal(*player)))
}

/// The player behind a server, if the game is Avalam, or the one that is another program, if it is Othello.
fn external<G: PlayedGame>(text: &str, options: &str) -> Result<Option<Seat<G>>, ExternalError> {
    let player: Box<dyn Any> = match G::NAME {
        Avalam::NAME => {
            let player: Box<dyn Player<Avalam>> = Box::new(External::new(options)?);
            Box::new(player)
        }
        Othello::NAME => {
            let player: Box<dyn Player<Othello>> = Box::new(ExternalOthello::new(text)?);
            Box::new(player)
        }
        _ => return Ok(None),
    };
    Ok(player.downcast::<Box<dyn Player<G>>>().ok().map(|player| Seat::External(*player)))
}

/// The player that a text names, under these rules.
///
/// # Errors
/// There is no such player, or its model is at fault.
pub fn player<G: PlayedGame>(rules: &G::Rules, text: &str) -> Result<Box<dyn Player<G>>, PlayerError> {
    Ok(Seat::parse(rules, text)?.into_player())
}

/// Says what is wrong with a player's text, without solving a game for it.
///
/// # Errors
/// There is no such player, or its model is at fault.
pub fn check<G: PlayedGame>(rules: &G::Rules, text: &str) -> Result<(), PlayerError> {
    match (rules as &dyn Any).downcast_ref::<PushoverRules>() {
        Some(rules) if text.trim() == seat::NAME => {
            crate::solve::pushover::check(rules).map_err(|error| PerfectError::Rules(error).into())
        }
        _ => player::<G>(rules, text).map(|_| ()),
    }
}

/// Does what takes long before a player can be made, which is solving the game for `perfect`; breaks if the watch does. What is
/// wrong with the text, [`player`] will say.
pub fn prepare<G: PlayedGame>(rules: &G::Rules, text: &str, watch: Progress<'_>) -> ControlFlow<()> {
    match (rules as &dyn Any).downcast_ref::<PushoverRules>() {
        Some(rules) if text.trim() == seat::NAME => match seat::solved(rules, watch) {
            Ok(None) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        },
        _ => ControlFlow::Continue(()),
    }
}

/// The functions that are shipped for a game.
fn function_names<G: PlayedGame>() -> impl Iterator<Item = &'static str> {
    let models = SHIPPED.iter().filter(|model| model.game == G::NAME).map(|model| model.name);
    models.chain(SHIPPED_TABLES.iter().filter(|_| G::NAME == Othello::NAME).map(|tables| tables.name))
}

/// The files that functions of a game come in.
fn file_forms<G: PlayedGame>() -> &'static [&'static str] {
    if G::NAME == Othello::NAME { &["FILE.json", "FILE.tables"] } else { &["FILE.json"] }
}

/// What a player of this game may be called.
pub fn player_names<G: PlayedGame>() -> Vec<&'static str> {
    let forms = match G::NAME {
        _ if G::CHANCE => &["lookahead(MODEL)", "optimal(TABLE)"][..],
        Avalam::NAME => &["external(xmlrpc=URL)"],
        Othello::NAME => &["external(gtp=COMMAND)", "external(nboard=COMMAND)"],
        Pushover::NAME => &[seat::NAME, "perfect(table=FILE)"],
        _ => &[],
    };
    let searches = is_searchable::<G>().then(spec::names).into_iter().flatten();
    PLAYERS
        .iter()
        .map(|player| player.name)
        .chain(function_names::<G>())
        .chain(searches)
        .chain(forms.iter().chain(file_forms::<G>()).copied())
        .collect()
}

/// With options it is the name that is unknown, and that is compared with the known ones.
fn unknown<G: PlayedGame>(text: &str) -> UnknownName {
    let name = if is_searchable::<G>() { Call::name_of(text) } else { text };
    UnknownName::new("player", name, player_names::<G>())
}
