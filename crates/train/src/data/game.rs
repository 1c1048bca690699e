//! One game, and the labels of its positions.

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use games::error::shown;
use games::{Rules, Side, Turn};
use measure::arena::{MOST_MOVES, OpeningError, Openings};
use play::PlayedGame;
use play::players::searching::searcher;
use play::players::{Player, PlayerError, player};
use play::playout::GameDice;
use play::protocol::failure::Failure;
use thiserror::Error;

use super::label::{Search, Seen, outcome};
use super::{Header, Label, Labelled};

/// Why there are no labels.
#[derive(Debug, Error)]
pub enum LabelError {
    /// A player is unknown.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// No game is as long as the opening.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// A player has broken a rule, or has panicked.
    #[error("player {} in game {game}: {reason}", shown(.player))]
    Broken {
        /// The player's text.
        player: String,
        /// The number of the game.
        game: u64,
        /// What it did.
        reason: String,
    },
    /// The positions cannot be written.
    #[error(transparent)]
    File(#[from] io::Error),
}

/// A game that has been played already.
#[derive(Debug, Clone, PartialEq)]
pub struct Record<G: PlayedGame> {
    /// Where it began.
    pub start: G,
    /// Its moves, which may stop before the end.
    pub moves: Vec<G::Move>,
    /// What it was won by, for the first side.
    pub margin: f64,
}

/// What is to be labelled.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup<G: PlayedGame> {
    /// The game.
    pub rules: G::Rules,
    /// Games to be labelled as they were played; if there are none, games are played.
    pub recorded: Vec<Record<G>>,
    /// One player for both sides, or two: then every opening is played twice, with sides exchanged. None for recorded games.
    pub players: Vec<String>,
    /// Games.
    pub games: usize,
    /// Random plies at the beginning of each, at least.
    pub opening_plies: usize,
    /// And so many more at most: games take all numbers between by turns.
    pub more_plies: usize,
    /// How positions are labelled.
    pub label: Label,
    /// Every so manieth position of a game is kept. Which one is the first depends on the game's number, so that both sides
    /// and all plies are met.
    pub every: usize,
    /// Whether a position is kept only where it comes first, up to the symmetries of the game.
    pub distinct: bool,
    /// The seed of everything that is left to chance.
    pub seed: u64,
}

impl<G: PlayedGame> Setup<G> {
    /// What a file says about itself.
    pub fn header(&self) -> Header {
        let pairs = self.rules.to_pairs().into_iter();
        Header {
            game: G::NAME.to_string(),
            rules: pairs.map(|(key, value)| (key.to_string(), value)).collect::<BTreeMap<_, _>>(),
            players: self.players.clone(),
            opening_plies: self.opening_plies,
            more_plies: self.more_plies,
            label: self.label.clone(),
            every: self.every,
            distinct: self.distinct,
            seed: self.seed,
        }
    }

    /// The search that labels, if one does.
    fn search(&self) -> Result<Option<Search<G>>, PlayerError> {
        self.label.search().map(|player| searcher::<G>(&self.rules, player)).transpose()
    }

    /// The players and openings, checked.
    pub(super) fn openings(&self) -> Result<Vec<Openings<G>>, LabelError> {
        for text in &self.players {
            player::<G>(&self.rules, text)?;
        }
        self.search()?;
        if !self.recorded.is_empty() {
            return Ok(Vec::new());
        }
        let lengths = self.opening_plies..=self.opening_plies + self.more_plies;
        let wanted = self.games.div_ceil(self.players.len() * (self.more_plies + 1));
        let openings = lengths.map(|plies| Openings::random(&self.rules, plies, wanted, self.seed));
        Ok(openings.collect::<Result<_, _>>()?)
    }
}

/// A position with its label, and what it is the same as.
pub(super) struct Found {
    pub labelled: Labelled,
    /// The least text among its images, if equals are to be found.
    pub canonical: Option<String>,
}

/// A game with the positions that are kept of it.
struct Whole<G> {
    /// The plies before each, and the position.
    kept: Vec<(usize, G)>,
    outcome: f64,
    margin: f64,
    /// Moves of the whole game.
    length: usize,
}

/// A game's positions; None if told to stop.
pub(super) type Played = Result<Option<Vec<Found>>, LabelError>;

/// The players of one thread.
pub(super) struct Table<'a, G: PlayedGame> {
    setup: &'a Setup<G>,
    /// Those of each length, the shortest first.
    openings: &'a [Openings<G>],
    players: Vec<Box<dyn Player<G>>>,
    search: Option<Search<G>>,
}

impl<'a, G: PlayedGame> Table<'a, G> {
    pub fn new(setup: &'a Setup<G>, openings: &'a [Openings<G>]) -> Result<Self, LabelError> {
        // A player that plays itself is made twice: each may remember things during a game.
        let texts = setup.players.first().into_iter().chain(setup.players.last());
        let players = texts.map(|text| player::<G>(&setup.rules, text));
        let players = players.collect::<Result<_, _>>()?;
        Ok(Self { setup, openings, players, search: setup.search()? })
    }

    /// Labels the positions of a game, one that was played or one that is played now.
    pub fn game(&mut self, number: usize, go_on: &dyn Fn() -> bool) -> Played {
        let setup = self.setup;
        let seen = match setup.recorded.get(number) {
            Some(record) => Some(self.retrace(record, number)),
            None => self.play(number, go_on)?,
        };
        let Some(Whole { kept, outcome, margin, length }) = seen else { return Ok(None) };
        let name = [setup.seed, number as u64];
        // What is remembered of other games would make a label depend on the number of threads.
        self.search.iter_mut().for_each(|search| search.new_game());
        let mut found = |(at, position): (usize, G)| {
            let seen = Seen { position: &position, ply: at, outcome, margin, length, name };
            let label = setup.label.of(&seen, self.search.as_mut(), go_on)?;
            let labelled = Labelled { text: position.text(), label, ply: at as u32, game: number as u64 };
            Some(Found { labelled, canonical: setup.distinct.then(|| canonical(&position)) })
        };
        Ok(kept.into_iter().map(&mut found).collect())
    }

    /// The positions of a recorded game, the last one too if the game was not over.
    fn retrace(&self, record: &Record<G>, number: usize) -> Whole<G> {
        let (mut position, mut kept) = (record.start.clone(), Vec::new());
        for (ply, mv) in record.moves.iter().map(Some).chain([None]).enumerate() {
            if !matches!(position.turn(), Turn::Player(_)) {
                break;
            }
            if (ply + number).is_multiple_of(self.setup.every) {
                kept.push((ply, position.clone()));
            }
            mv.into_iter().for_each(|&mv| position.play_unchecked(mv));
        }
        let outcome = if record.margin == 0.0 { 0.0 } else { record.margin.signum() };
        Whole { kept, outcome, margin: record.margin, length: record.moves.len().max(1) }
    }

    /// Plays a game; None if told to stop. A player that panics or answers an illegal move ends it all: half of a game tells nothing.
    fn play(&mut self, number: usize, go_on: &dyn Fn() -> bool) -> Result<Option<Whole<G>>, LabelError> {
        let setup = self.setup;
        let exchanged = setup.players.len() == 2 && number % 2 == 1;
        let seat = |side: Side| if exchanged { side.other().index() } else { side.index() };
        let (pair, lengths) = (number / setup.players.len(), self.openings.len());
        let opening = self.openings[pair % lengths].get(pair / lengths);
        let opening_plies = setup.opening_plies + pair % lengths;
        let way = self.openings[pair % lengths].way(pair / lengths).unwrap_or_default();
        self.players.iter_mut().for_each(|player| {
            player.new_game();
            player.opening(way);
        });
        let mut dice = GameDice::new(setup.seed, number as u64);
        let mut position = opening.clone();
        let mut ply = opening_plies;
        let mut kept = Vec::new();
        while let Turn::Player(side) = position.turn() {
            if ply - opening_plies >= MOST_MOVES {
                break;
            }
            if !go_on() {
                return Ok(None);
            }
            if (ply - opening_plies + number).is_multiple_of(setup.every) {
                kept.push((ply, position.clone()));
            }
            let player = &mut self.players[seat(side)];
            let lots = &mut dice.players[side.index()];
            let chosen = catch_unwind(AssertUnwindSafe(|| player.choose(&position, lots)));
            let broken = |reason: String| {
                let player = setup.players[seat(side).min(setup.players.len() - 1)].clone();
                LabelError::Broken { player, game: number as u64, reason }
            };
            let mv = chosen.map_err(|caught| {
                broken(Failure::of(&*caught).map_or("it panicked".into(), ToString::to_string))
            })?;
            position.play(mv).map_err(|error| broken(error.to_string()))?;
            ply += 1;
        }
        let outcome = outcome(&position, Side::First);
        let margin = if position.turn() == Turn::Over { position.final_value(Side::First) } else { 0.0 };
        Ok(Some(Whole { kept, outcome, margin, length: ply }))
    }
}

/// The same text for a position and all its images.
fn canonical<G: PlayedGame>(position: &G) -> String {
    let images = (0..G::SYMMETRIES).map(|symmetry| position.mirrored(symmetry).text());
    images.min().expect("the identity is a symmetry")
}
