//! What a game is: turns, moves, chance, an end, a text form and a drawing.

use std::fmt::Debug;
use std::hash::Hash;

use math::{Dice, mix};

use crate::draw::Pen;
use crate::error::InputError;
use crate::features::{FeatureInfo, FeatureSet, FeatureTable};
use crate::picture::Picture;
use crate::rules::Rules;

/// Who plays. A game for one knows only `First`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side that begins.
    First,
    /// The other side.
    Second,
}

impl Side {
    /// Both, the beginner first.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for `First`, 1 for `Second`.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// Whose turn it is. Chance has turns of its own, which lets Tetris live beside games without chance: [`Game::deal`] draws by lot,
/// [`Game::outcomes`] and [`Game::deal_outcome`] enumerate. A leaf count tries every outcome and counts no ply for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// A player is to move.
    Player(Side),
    /// Chance is to deal.
    Chance,
    /// The game is over.
    Over,
}

/// One thing that chance may deal, and how often among the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Which one; its meaning is the game's own.
    pub index: u8,
    /// Its probability is this over the sum of all weights. Never 0.
    pub weight: u32,
}

/// A position of a game, which knows its rules.
///
/// Positions are small values: search plays on a copy. A value or score is always for a named side, and higher is
/// better.
pub trait Game: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// The options of the game.
    type Rules: Rules;
    /// A move of a player.
    type Move: Copy + Eq + Hash + Debug + Send + Sync;

    /// The name on the command line and in files; also the name of the game's folder.
    const NAME: &'static str;
    /// The game in one line.
    const SUMMARY: &'static str;
    /// What the sides are called, the beginner first. One name: a game for one player.
    const SIDES: &'static [&'static str];
    /// How a person types a move, in one line.
    const MOVE_HELP: &'static str;
    /// What a score counts, as "discs"; empty if a game is only won or lost.
    const SCORE_UNIT: &'static str = "";
    /// Whether chance ever has a turn.
    const CHANCE: bool = false;
    /// The number of symmetries of the rules, the identity being number 0.
    const SYMMETRIES: usize = 1;
    /// The features of the game and its named sets. A game that reads them off in its own way has [`Game::feature_list`] and
    /// [`Game::features`] instead.
    const FEATURES: FeatureTable<Self> = FeatureTable::NONE;

    /// The beginning of a game.
    fn start(rules: &Self::Rules) -> Self;

    /// Whose turn it is.
    fn turn(&self) -> Turn;

    /// Overwrites `moves` with the legal moves of the player to move: none on a turn of chance or after the end,
    /// at least one otherwise.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// The number of legal moves; faster than making them where a game can.
    fn count_moves(&self) -> usize {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.len()
    }

    /// The leaves `depth` plies below: see [`crate::perft`]. A game of ours says it again, so that it is compiled beside its rules, once and
    /// for speed.
    fn perft(&self, depth: u32) -> u64 {
        crate::perft(self, depth)
    }

    /// A legal move by lot, all equally likely: the one that [`Dice::pick`] takes from [`Game::legal_moves`], which a game
    /// may find without listing them. `None`, and nothing is drawn, if there is no move. `moves` is room to work in.
    fn random_move(&self, dice: &mut Dice, moves: &mut Vec<Self::Move>) -> Option<Self::Move> {
        self.legal_moves(moves);
        (!moves.is_empty()).then(|| dice.pick(moves))
    }

    /// Says why a move is not legal here, if it is not.
    ///
    /// # Errors
    /// The move is illegal; the error names the rule.
    fn check(&self, mv: Self::Move) -> Result<(), InputError>;

    /// Whether the move is legal here.
    fn is_legal(&self, mv: Self::Move) -> bool {
        self.check(mv).is_ok()
    }

    /// Plays a move that is known to be legal; anything may become of the position if it is not.
    fn play_unchecked(&mut self, mv: Self::Move);

    /// Plays a move if it is legal.
    ///
    /// # Errors
    /// The move is illegal; the position is as before.
    fn play(&mut self, mv: Self::Move) -> Result<(), InputError> {
        self.check(mv)?;
        self.play_unchecked(mv);
        Ok(())
    }

    /// Overwrites `outcomes` with what chance may deal now: none unless it is its turn.
    fn outcomes(&self, outcomes: &mut Vec<Outcome>) {
        outcomes.clear();
    }

    /// Whether the next move can depend on what chance deals now; not where a piece is only shown ahead of its turn. A
    /// search then need not look at every outcome.
    fn deal_matters(&self) -> bool {
        true
    }

    /// Deals one of [`Game::outcomes`], by its index.
    fn deal_outcome(&mut self, index: u8) {
        unreachable!("{} has no chance turn to deal {index} on", Self::NAME);
    }

    /// Deals by lot, on a turn of chance. One number is drawn from `dice` whatever the position, so that what is
    /// dealt depends on the seed and on what was dealt before, not on how the players played.
    fn deal(&mut self, dice: &mut Dice) {
        let mut outcomes = Vec::new();
        self.outcomes(&mut outcomes);
        let total: usize = outcomes.iter().map(|outcome| outcome.weight as usize).sum();
        let mut ticket = dice.below(total);
        for outcome in outcomes {
            match ticket.checked_sub(outcome.weight as usize) {
                Some(rest) => ticket = rest,
                None => return self.deal_outcome(outcome.index),
            }
        }
    }

    /// What an arena counts for this side: discs, towers, lines; between two sides its lead over the other. Defined in every position.
    fn score(&self, side: Side) -> f64;

    /// What search sees of a finished game: above 0 won, 0 drawn, below 0 lost, further out the better or worse. What one
    /// side wins the other loses; a game for one that ends only by losing gives something below any evaluation.
    fn final_value(&self, side: Side) -> f64;

    /// The number of the next move in its game, from 1, as far as the position tells; 1 if it does not tell.
    fn step(&self) -> u32 {
        1
    }

    /// A hash of all that matters for the rest of the game, by which a search knows a position again. Equal positions have
    /// equal keys, and so may positions whose futures are the same. The default reads the whole text: a game that is searched
    /// has something faster.
    fn key(&self) -> u64 {
        self.text().bytes().fold(0, |key, byte| mix(key ^ u64::from(byte)))
    }

    /// The position as one line of text, which [`Game::parse`] reads back to an equal position.
    fn text(&self) -> String;

    /// Reads a position.
    ///
    /// # Errors
    /// The text is no position under these rules.
    fn parse(rules: &Self::Rules, text: &str) -> Result<Self, InputError>;

    /// The move as text without spaces, which [`Game::parse_move`] reads back.
    fn move_text(&self, mv: Self::Move) -> String;

    /// Reads a move; it need not be legal here.
    ///
    /// # Errors
    /// The text is no move of the game.
    fn parse_move(&self, text: &str) -> Result<Self::Move, InputError>;

    /// Draws the position for a terminal; the last move, given with the position it was made in, is marked.
    fn draw(&self, pen: &mut Pen, last: Option<(&Self, Self::Move)>);

    /// The position as a picture; the last move, given with the position it was made in, is marked. By default the drawing
    /// for a terminal.
    fn picture(&self, last: Option<(&Self, Self::Move)>) -> Picture {
        Picture::of_drawing(self, last)
    }

    /// The pictures that lead to this position from the one seen before the last move, the last of them being of this
    /// position: a game may show what happens in between, and what a position does not remember.
    fn frames(&self, _seen: &Picture, last: (&Self, Self::Move)) -> Vec<Picture> {
        vec![self.picture(Some(last))]
    }

    /// The features of the game: its named sets first, then the single ones.
    fn feature_list() -> Vec<FeatureInfo> {
        Self::FEATURES.list()
    }

    /// Whether a feature or set of the list is fast: the game values it for several moves at once.
    fn is_fast(feature: &str) -> bool {
        let _ = feature;
        false
    }

    /// The features named by a list as `dn` or `holes,landing-height`, of sets and single ones.
    ///
    /// # Errors
    /// A name is unknown.
    fn features(rules: &Self::Rules, names: &str) -> Result<Box<dyn FeatureSet<Self>>, InputError> {
        let _ = rules;
        Self::FEATURES.choose(names)
    }

    /// The image of the position under symmetry number `symmetry`.
    #[must_use]
    fn mirrored(&self, symmetry: usize) -> Self {
        assert_eq!(symmetry, 0, "{} knows no symmetry but the identity", Self::NAME);
        self.clone()
    }

    /// The image of a move of this position under symmetry number `symmetry`.
    fn mirrored_move(&self, mv: Self::Move, symmetry: usize) -> Self::Move {
        assert_eq!(symmetry, 0, "{} knows no symmetry but the identity", Self::NAME);
        mv
    }
}
