//! One game, and the labels of its positions.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;

use games::error::shown;
use games::{Rules, Side, Turn};
use measure::arena::{MOST_MOVES, OpeningError, Openings};
use measure::pool::{Halt, Stop};
use play::PlayedGame;
use play::players::searching::searcher;
use play::players::{Player, PlayerError, check, player};
use play::playout::{GameDice, Record as Finished, play_observed};
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
    /// A player has no move to give.
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
pub struct LabelSetup<G: PlayedGame> {
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

impl<G: PlayedGame> LabelSetup<G> {
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

    /// The players and openings, checked; none if `go_on` says no.
    pub(super) fn openings(
        &self,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Vec<Openings<G>>>, LabelError> {
        for text in &self.players {
            check::<G>(&self.rules, text)?;
        }
        self.search()?;
        if !self.recorded.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let lengths = self.opening_plies..=self.opening_plies + self.more_plies;
        let wanted = self.games.div_ceil(self.players.len() * (self.more_plies + 1));
        let openings =
            lengths.map(|plies| Openings::random_while(&self.rules, plies, wanted, self.seed, go_on));
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

/// A game's positions.
pub(super) type Played = Result<Vec<Found>, Halt<LabelError>>;

/// The players of one thread.
pub(super) struct Table<'a, G: PlayedGame> {
    setup: &'a LabelSetup<G>,
    /// Those of each length, the shortest first.
    openings: &'a [Openings<G>],
    players: Vec<Box<dyn Player<G>>>,
    search: Option<Search<G>>,
}

impl<'a, G: PlayedGame> Table<'a, G> {
    pub fn new(setup: &'a LabelSetup<G>, openings: &'a [Openings<G>]) -> Result<Self, LabelError> {
        // A player that plays itself is made twice: each may remember things during a game.
        let texts = setup.players.first().into_iter().chain(setup.players.last());
        let players = texts.map(|text| player::<G>(&setup.rules, text));
        let players = players.collect::<Result<_, _>>()?;
        Ok(Self { setup, openings, players, search: setup.search()? })
    }

    /// Labels the positions of a game, one that was played or one that is played now.
    pub fn game(&mut self, number: usize, stop: &Stop) -> Played {
        let (setup, go_on) = (self.setup, &|| stop.go_on());
        self.players.iter_mut().for_each(|player| player.stop_by(stop.flag()));
        self.search.iter_mut().for_each(|search| search.stop_by(stop.flag()));
        let seen = match setup.recorded.get(number) {
            Some(record) => self.retrace(record, number),
            None => self.play(number, go_on)?,
        };
        let Whole { kept, outcome, margin, length } = seen;
        let name = [setup.seed, number as u64];
        // What is remembered of other games would make a label depend on the number of threads.
        self.search.iter_mut().for_each(|search| search.new_game());
        let mut found = |(at, position): (usize, G)| {
            let seen = Seen { position: &position, ply: at, outcome, margin, length, name };
            let label = setup.label.of(&seen, self.search.as_mut(), go_on)?;
            let labelled = Labelled { text: position.text(), label, ply: at as u32, game: number as u64 };
            Some(Found { labelled, canonical: setup.distinct.then(|| canonical(&position)) })
        };
        kept.into_iter().map(&mut found).collect::<Option<_>>().ok_or(Halt::Stopped)
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

    /// Plays a game. A player that fails ends it all: half of a game tells nothing.
    fn play(&mut self, number: usize, go_on: &dyn Fn() -> bool) -> Result<Whole<G>, Halt<LabelError>> {
        let setup = self.setup;
        let exchanged = setup.players.len() == 2 && number % 2 == 1;
        let (pair, lengths) = (number / setup.players.len(), self.openings.len());
        let opening = self.openings[pair % lengths].get(pair / lengths);
        let opening_plies = setup.opening_plies + pair % lengths;
        let way = self.openings[pair % lengths].way(pair / lengths).unwrap_or_default();
        self.players.iter_mut().for_each(|player| {
            player.new_game();
            player.opening(way);
        });
        let mut dice = GameDice::new(setup.seed, number as u64);
        let mut kept = Vec::new();
        let mut to_move = None;
        let mut keep = |made: usize, position: &G| {
            if let Turn::Player(side) = position.turn() {
                to_move = Some(side);
                if made < MOST_MOVES && (made + number).is_multiple_of(setup.every) {
                    kept.push((opening_plies + made, position.clone()));
                }
            }
        };
        keep(0, opening);
        let mut made = 0;
        let mut observe = |_, _, position: &G| {
            made += 1;
            keep(made, position);
            if go_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        if exchanged {
            self.players.swap(0, 1);
        }
        let played = play_observed(opening, &mut self.players, &mut dice, MOST_MOVES as u64, &mut observe);
        if exchanged {
            self.players.swap(0, 1);
        }
        // A player that is told to stop may make any move, or none.
        if !go_on() {
            return Err(Halt::Stopped);
        }
        let Finished { end: position, moves } = played.map_err(|failure| {
            let seat = to_move.map_or(0, |side| if exchanged { side.other() } else { side }.index());
            let player = setup.players[seat.min(setup.players.len() - 1)].clone();
            LabelError::Broken { player, game: number as u64, reason: failure.to_string() }
        })?;
        let outcome = outcome(&position, Side::First);
        let margin = if position.turn() == Turn::Over { position.final_value(Side::First) } else { 0.0 };
        Ok(Whole { kept, outcome, margin, length: opening_plies + moves as usize })
    }
}

/// The same text for a position and all its images.
fn canonical<G: PlayedGame>(position: &G) -> String {
    let images = (0..G::SYMMETRIES).map(|symmetry| position.mirrored(symmetry).text());
    images.min().expect("the identity is a symmetry")
}
