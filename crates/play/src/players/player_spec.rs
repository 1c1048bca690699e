//! A player as its text says, read once: its files are read and its options checked, and any number of players can be made of it.

use std::fmt::Debug;
use std::ops::ControlFlow;
use std::sync::Arc;

use games::Game;
use notation::{check_depth, name_and_inside};

use super::lookahead::Lookahead;
use super::model::ModelPlayer;
use super::notation::{Call, NotationError};
use super::searching::{SearchMaker, SearchPlan, SearchPlayer};
use super::spec::{self, SCORE, Spec};
use super::{PLAYERS, Player, PlayerError, greedy, random};
use crate::PlayedGame;
use crate::evaluator::{Evaluator, ModelFile};
use crate::names::UnknownName;
use crate::search::{Limits, Searcher, is_searchable};
use crate::solve::Progress;

/// An evaluation function that is no model over features.
pub trait OwnFunction<G: Game>: Send + Sync {
    /// A search with it.
    fn search(self: Arc<Self>, make: SearchMaker<'_>) -> Box<dyn Searcher<G>>;

    /// Where it comes from.
    fn about(&self) -> &str;

    /// What each of its parts adds to the value of a position, for the side to move.
    fn shares(&self, position: &G) -> Vec<(String, f64)>;
}

/// A player, or why there is none.
type Made<G> = Result<Box<dyn Player<G>>, PlayerError>;

/// A player that only one game has: how it is made, which may take long or start a program.
#[derive(Clone)]
pub struct OwnPlayer<G: Game> {
    make: Arc<dyn Fn() -> Made<G> + Send + Sync>,
    program: Option<Arc<str>>,
}

impl<G: Game> OwnPlayer<G> {
    /// Made so.
    pub fn new(make: impl Fn() -> Made<G> + Send + Sync + 'static) -> Self {
        Self { make: Arc::new(make), program: None }
    }

    /// Made by starting this program, or by calling the one at this address.
    pub fn of_program(program: &str, make: impl Fn() -> Made<G> + Send + Sync + 'static) -> Self {
        Self { program: Some(program.into()), ..Self::new(make) }
    }
}

/// A player that has been read and checked.
#[derive(Clone)]
pub enum PlayerSpec<G: Game> {
    /// Any legal move.
    Random,
    /// The best score right after the move.
    Greedy,
    /// The move that a function values most.
    Model(Arc<Evaluator<G>>),
    /// The move after which the next piece can be placed best.
    Lookahead(Arc<Evaluator<G>>),
    /// A search between two sides.
    Search(Box<SearchPlan<G>>),
    /// The move into the position that a function of the game's own kind values most.
    Function(Arc<dyn OwnFunction<G>>),
    /// One that only this game has.
    Own(OwnPlayer<G>),
}

impl<G: PlayedGame> PlayerSpec<G> {
    /// Reads a player's text.
    ///
    /// # Errors
    /// There is no such player, or its model is at fault.
    pub fn parse(rules: &G::Rules, text: &str) -> Result<Self, PlayerError> {
        let text = text.trim();
        // A text may hold others, which are read in turn: how deep is settled before the first of them is.
        check_depth(text).map_err(|error| NotationError::syntax(text, &error))?;
        let unknown = || PlayerError::from(unknown::<G>(text));
        let inside =
            |name: &str| name_and_inside(text).filter(|(own, _)| *own == name).map(|(_, inside)| inside);
        match text {
            "random" => return Ok(PlayerSpec::Random),
            "greedy" => return Ok(PlayerSpec::Greedy),
            _ => {}
        }
        if spec::is_spec(text) {
            return Ok(PlayerSpec::Search(Box::new(SearchPlan::new(rules, &Spec::parse(text)?)?)));
        }
        if let Some(inner) = inside("lookahead") {
            return match PlayerSpec::parse(rules, inner)? {
                PlayerSpec::Model(evaluator) if G::CHANCE => Ok(PlayerSpec::Lookahead(evaluator)),
                _ => Err(unknown()),
            };
        }
        if let Some(own) = G::own_player(rules, text)? {
            return Ok(PlayerSpec::Own(own));
        }
        if let Some(function) = G::own_function(text)? {
            return Ok(PlayerSpec::Function(function));
        }
        let evaluator = if let Some(inner) = inside("linear") {
            let (features, weights) = inner.split_once(';').ok_or_else(unknown)?;
            let weights = weights.split(',').map(|weight| weight.trim().parse().ok());
            let weights: Vec<f64> = weights.collect::<Option<_>>().ok_or_else(unknown)?;
            Evaluator::linear(rules, features.trim(), weights)?
        } else if let Some(shipped) = G::MODELS.iter().find(|model| model.name == text) {
            Evaluator::from_file(text, &ModelFile::parse(text, shipped.text)?, rules)?
        } else if text.starts_with('{') {
            Evaluator::from_file("given as text", &ModelFile::parse("given as text", text)?, rules)?
        } else if is_call(text) {
            return Err(unknown());
        } else if text.ends_with(".json") || text.contains(['/', '\\']) {
            Evaluator::from_file(text, &ModelFile::read(text)?, rules)?
        } else {
            return Err(unknown());
        };
        Ok(PlayerSpec::Model(Arc::new(evaluator)))
    }

    /// The player of a function: the best move by itself (`greedy`), one deal deeper (`lookahead`), or by a search, whose own
    /// evaluation does not count.
    ///
    /// # Errors
    /// There is no such search, or it cannot be had in this game.
    pub fn with_evaluator(search: &str, evaluator: Arc<Evaluator<G>>) -> Result<Self, PlayerError> {
        match search {
            "greedy" => Ok(PlayerSpec::Model(evaluator)),
            "lookahead" if G::CHANCE => Ok(PlayerSpec::Lookahead(evaluator)),
            _ if spec::is_spec(search) => {
                let plan = SearchPlan::with_evaluator(&Spec::parse(search)?, &evaluator)?;
                Ok(PlayerSpec::Search(Box::new(plan)))
            }
            _ => Err(unknown::<G>(search).into()),
        }
    }

    /// The program that it starts or calls, if it is no player of ours.
    pub fn program(&self) -> Option<&str> {
        match self {
            PlayerSpec::Own(own) => own.program.as_deref(),
            _ => None,
        }
    }

    /// Makes a player.
    ///
    /// # Errors
    /// A program or a server is not there, or a game cannot be solved.
    pub fn player(&self) -> Result<Box<dyn Player<G>>, PlayerError> {
        Ok(match self {
            PlayerSpec::Random => Box::new(random::Random::default()),
            PlayerSpec::Greedy => Box::new(greedy::Greedy::default()),
            PlayerSpec::Model(evaluator) => Box::new(ModelPlayer::new(evaluator.clone())),
            PlayerSpec::Lookahead(evaluator) => Box::new(Lookahead::new(evaluator.clone())),
            PlayerSpec::Search(plan) => Box::new(plan.player()),
            PlayerSpec::Function(function) => {
                let search = function.clone().search(SearchMaker::one_ply());
                Box::new(SearchPlayer::new(search, Limits::depth(1)))
            }
            PlayerSpec::Own(own) => (own.make)()?,
        })
    }
}

impl<G: Game> Debug for PlayerSpec<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            PlayerSpec::Random => "Random",
            PlayerSpec::Greedy => "Greedy",
            PlayerSpec::Model(_) => "Model",
            PlayerSpec::Lookahead(_) => "Lookahead",
            PlayerSpec::Search(_) => "Search",
            PlayerSpec::Function(_) => "Function",
            PlayerSpec::Own(_) => "Own",
        })
    }
}

/// The player that a text names, under these rules.
///
/// # Errors
/// There is no such player, or its model is at fault.
pub fn player<G: PlayedGame>(rules: &G::Rules, text: &str) -> Result<Box<dyn Player<G>>, PlayerError> {
    PlayerSpec::parse(rules, text)?.player()
}

/// Says what is wrong with a player's text. Nothing is solved for it and no program started.
///
/// # Errors
/// There is no such player, or its model is at fault.
pub fn check<G: PlayedGame>(rules: &G::Rules, text: &str) -> Result<(), PlayerError> {
    PlayerSpec::<G>::parse(rules, text).map(|_| ())
}

/// Does what takes long before a player can be made, as solving the game; breaks if `progress` does. What is wrong with the
/// text, [`player`] will say.
pub fn prepare<G: PlayedGame>(rules: &G::Rules, text: &str, progress: Progress<'_>) -> ControlFlow<()> {
    G::prepare(rules, text, progress)
}

/// The functions that are shipped for a game.
fn function_names<G: PlayedGame>() -> impl Iterator<Item = &'static str> {
    G::MODELS.iter().map(|model| model.name).chain(G::OWN_FUNCTIONS.iter().copied())
}

/// The files that functions of a game come in.
fn file_forms<G: PlayedGame>() -> impl Iterator<Item = &'static str> {
    ["FILE.json"].into_iter().chain(G::FUNCTION_FILES.iter().map(|file| file.name))
}

/// What a player of this game may be called.
pub fn player_names<G: PlayedGame>() -> Vec<&'static str> {
    let searches = is_searchable::<G>().then(spec::names).into_iter().flatten();
    let ahead = G::CHANCE.then_some("lookahead(MODEL)");
    let named = PLAYERS.iter().map(|player| player.name).chain(function_names::<G>()).chain(searches);
    named
        .chain(ahead)
        .chain(G::OWN_PLAYERS.iter().map(|player| player.name))
        .chain(file_forms::<G>())
        .collect()
}

/// Whether a text has the form of a name with options, and not that of a file.
fn is_call(text: &str) -> bool {
    let is_name = |name: &str| name.bytes().all(|sign| sign.is_ascii_lowercase() || sign == b'-');
    name_and_inside(text).is_some_and(|(name, _)| is_name(name))
}

/// With options it is the name that is unknown, and that is compared with the known ones.
fn unknown<G: PlayedGame>(text: &str) -> UnknownName {
    let name = if is_searchable::<G>() { Call::name_of(text) } else { text };
    UnknownName::new("player", name, player_names::<G>())
}

/// The error about a text that is no evaluation of a game: players that are none are not among the known ones.
pub fn unknown_evaluation<G: PlayedGame>(text: &str) -> UnknownName {
    let known = [SCORE].into_iter().chain(function_names::<G>()).chain(file_forms::<G>());
    UnknownName::new("evaluation", text, known.chain(["linear(FEATURES; W,W,...)"]))
}
