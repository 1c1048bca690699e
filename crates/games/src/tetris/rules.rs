//! The switches of the game, each of which changes the scores that are published, and the ways of dealing.

use std::sync::Arc;

use math::Dice;

use super::pieces::Piece;
use super::{MAX_HEIGHT, MAX_WIDTH};
use crate::error::InputError;
use crate::rules::{OptionInfo, Rules, SWITCH, choice, number, word};

/// The game as chosen; the default is the simplified game of the papers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TetrisRules {
    /// Where pieces come from.
    pub game: Kind,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Whether placements that lose may be chosen while others do not.
    pub losing: Losing,
    /// What ends the game.
    pub over: GameOver,
    /// Whether full rows go before or after the overflow is judged.
    pub clearing: Clearing,
    /// Whether the next piece is known too.
    pub preview: bool,
    /// How pieces are dealt.
    pub pieces: Pieces,
}

/// Where pieces come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// They come from above the board: any orientation in any column.
    Simplified,
    /// They appear inside the board, at the top, where they are moved and turned step by step; where there is no room for
    /// the next one, the game is lost. A piece that has landed never sticks out, so that a placement can lose by touching
    /// the top row only ([`GameOver::TopRow`]).
    Original,
}

/// Whether losing placements are legal while others do not lose. It is a matter of `legal_moves`, so that every player obeys it, random
/// ones too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Losing {
    /// They are left out: a losing placement is chosen only when all placements lose.
    Avoided,
    /// They are as legal as any. A player of a function sees lost boards and values them like any other: that is what the switch of the
    /// published experiments means. Everywhere else an evaluation never sees a finished game.
    Allowed,
}

/// What ends the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameOver {
    /// A piece that sticks out above the top row.
    Overflow,
    /// A piece that touches the top row: a board of one row less.
    TopRow,
}

/// When full rows are removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clearing {
    /// After the overflow is judged: a piece that sticks out loses even if it completes a row.
    After,
    /// Before: rows that it completes may save the game.
    Before,
}

/// How pieces are dealt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pieces {
    /// Independently, with these weights in the order of [`Piece::ALL`].
    Weighted([u32; 7]),
    /// Seven in random order, then seven again.
    Bag,
    /// Always the same ones, over and over.
    Sequence(Arc<[Piece]>),
}

/// What the dealing must remember: the pieces left in a bag (one bit each), or the place in a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deck(pub(super) u32);

const FULL_BAG: u32 = 0b111_1111;
const UNIFORM: [u32; 7] = [1; 7];
/// S and Z with probability 3/11 each, the others 1/11: the "harder game" of Boumaza.
const HARDER: [u32; 7] = [1, 1, 1, 3, 3, 1, 1];
const S_AND_Z: [u32; 7] = [0, 0, 0, 1, 1, 0, 0];
const NAMED: &[(&str, [u32; 7])] = &[("uniform", UNIFORM), ("harder", HARDER), ("sz", S_AND_Z)];
const MOST_WEIGHT: u32 = 1_000_000;
const LONGEST_SEQUENCE: usize = 1_000_000;

impl Pieces {
    /// The deck at the beginning of a game.
    pub fn fresh_deck(&self) -> Deck {
        Deck(if *self == Pieces::Bag { FULL_BAG } else { 0 })
    }

    /// The deck after these pieces, where nothing else is known of it.
    pub fn deck_after(&self, pieces: impl Iterator<Item = Piece>) -> Deck {
        pieces.fold(self.fresh_deck(), |deck, piece| self.after(deck, piece))
    }

    /// The weight of each piece for the next deal.
    #[inline]
    pub fn weights(&self, deck: Deck) -> [u32; 7] {
        match self {
            Pieces::Weighted(weights) => *weights,
            Pieces::Bag => std::array::from_fn(|i| deck.0 >> i & 1),
            Pieces::Sequence(pieces) => {
                let now = pieces[deck.0 as usize] as usize;
                std::array::from_fn(|i| u32::from(i == now))
            }
        }
    }

    /// Deals by lot, with exactly one number from the dice.
    #[inline]
    pub fn draw(&self, deck: Deck, dice: &mut Dice) -> Piece {
        let weights = self.weights(deck);
        let ticket = dice.below(weights.iter().sum::<u32>() as usize) as u32;
        // Without a branch that nobody can foretell: the pieces whose tickets all lie below this one.
        let (mut sum, mut place) = (0, 0);
        for weight in &weights[..Piece::ALL.len() - 1] {
            sum += weight;
            place += usize::from(ticket >= sum);
        }
        Piece::ALL[place]
    }

    /// The deck after a piece has been dealt.
    #[inline]
    pub fn after(&self, deck: Deck, piece: Piece) -> Deck {
        match self {
            Pieces::Weighted(_) => deck,
            Pieces::Bag => {
                let left = deck.0 & !(1 << piece as u32);
                Deck(if left == 0 { FULL_BAG } else { left })
            }
            Pieces::Sequence(pieces) => Deck((deck.0 + 1) % pieces.len() as u32),
        }
    }

    pub(super) fn mirrored(&self) -> Self {
        match self {
            Pieces::Weighted(weights) => {
                Pieces::Weighted(Piece::ALL.map(|piece| weights[piece.mirrored() as usize]))
            }
            Pieces::Bag => Pieces::Bag,
            Pieces::Sequence(pieces) => {
                Pieces::Sequence(pieces.iter().map(|piece| piece.mirrored()).collect())
            }
        }
    }

    pub(super) fn mirrored_deck(&self, deck: Deck) -> Deck {
        match self {
            Pieces::Bag => {
                let left = Piece::ALL.into_iter().filter(|&piece| deck.0 >> piece as u32 & 1 != 0);
                Deck(left.map(|piece| 1 << piece.mirrored() as u32).sum())
            }
            _ => deck,
        }
    }

    fn parse(key: &str, value: &str) -> Result<Self, InputError> {
        const ALLOWED: &str =
            "uniform, harder, sz, bag, weights:1,1,1,3,3,1,1 (I,O,T,S,Z,J,L), sequence:SZT...";
        let refused = || InputError::option(key, value, ALLOWED);
        if let Some(&(_, weights)) = NAMED.iter().find(|(name, _)| *name == value) {
            return Ok(Pieces::Weighted(weights));
        }
        if let Some(list) = value.strip_prefix("weights:") {
            let weights: Option<Vec<u32>> = list.split(',').map(|w| w.trim().parse().ok()).collect();
            let weights: [u32; 7] = weights.and_then(|w| w.try_into().ok()).ok_or_else(refused)?;
            let sum: u64 = weights.iter().map(|&w| u64::from(w)).sum();
            if sum == 0 || weights.iter().any(|&weight| weight > MOST_WEIGHT) {
                let allowed = format!("seven weights from 0 to {MOST_WEIGHT}, not all of them 0");
                return Err(InputError::option(key, value, allowed));
            }
            return Ok(Pieces::Weighted(weights));
        }
        if let Some(letters) = value.strip_prefix("sequence:") {
            let pieces: Option<Arc<[Piece]>> = letters.chars().map(Piece::from_letter).collect();
            let pieces = pieces.filter(|pieces| !pieces.is_empty() && pieces.len() <= LONGEST_SEQUENCE);
            return pieces.map(Pieces::Sequence).ok_or_else(refused);
        }
        if value == "bag" { Ok(Pieces::Bag) } else { Err(refused()) }
    }

    fn text(&self) -> String {
        match self {
            Pieces::Weighted(weights) => match NAMED.iter().find(|(_, named)| named == weights) {
                Some((name, _)) => (*name).to_string(),
                None => format!("weights:{}", weights.map(|weight| weight.to_string()).join(",")),
            },
            Pieces::Bag => "bag".to_string(),
            Pieces::Sequence(pieces) => {
                format!("sequence:{}", pieces.iter().map(|piece| piece.letter()).collect::<String>())
            }
        }
    }
}

impl TetrisRules {
    /// The rows that a pile may fill without losing.
    #[inline]
    pub fn limit(&self) -> u32 {
        u32::from(self.height) - u32::from(self.over == GameOver::TopRow)
    }
}

impl Default for TetrisRules {
    fn default() -> Self {
        Self {
            game: Kind::Simplified,
            width: 10,
            height: 20,
            losing: Losing::Avoided,
            over: GameOver::Overflow,
            clearing: Clearing::After,
            preview: false,
            pieces: Pieces::Weighted(UNIFORM),
        }
    }
}

const GAME: &[(&str, Kind)] = &[("simplified", Kind::Simplified), ("original", Kind::Original)];
const LOSING: &[(&str, Losing)] = &[("avoided", Losing::Avoided), ("allowed", Losing::Allowed)];
const OVER: &[(&str, GameOver)] = &[("overflow", GameOver::Overflow), ("top-row", GameOver::TopRow)];
const CLEARING: &[(&str, Clearing)] = &[("after", Clearing::After), ("before", Clearing::Before)];

impl Rules for TetrisRules {
    const OPTIONS: &'static [OptionInfo] = &[
        OptionInfo {
            name: "game",
            values: "simplified|original",
            help: "original: the piece appears inside the board, at the top, and is moved and turned there before it \
                   drops; without room for it the game is lost",
        },
        OptionInfo { name: "width", values: "4..16", help: "columns" },
        OptionInfo { name: "height", values: "4..28", help: "rows" },
        OptionInfo {
            name: "pieces",
            values: "uniform|harder|sz|bag|weights:W,W,W,W,W,W,W|sequence:LETTERS",
            help: "how pieces are dealt; harder: S and Z 3/11 each; weights in the order I,O,T,S,Z,J,L; \
                   a sequence starts again at its end",
        },
        OptionInfo {
            name: "losing",
            values: "avoided|allowed",
            help: "whether losing placements may be chosen while others do not lose; in the original game only \
                   over=top-row makes placements lose",
        },
        OptionInfo {
            name: "over",
            values: "overflow|top-row",
            help: "the game ends when a landed piece sticks out above the top row, or when it touches it",
        },
        OptionInfo {
            name: "clearing",
            values: "after|before",
            help: "full rows are removed after or before the landed piece is judged; in the original game only with \
                   over=top-row",
        },
        OptionInfo { name: "preview", values: "on|off", help: "whether the next piece is known too" },
    ];

    fn set(&mut self, key: &str, value: &str) -> Result<(), InputError> {
        match key {
            "game" => self.game = choice(key, value, GAME)?,
            "width" => self.width = number(key, value, 4..=MAX_WIDTH as u8)?,
            "height" => self.height = number(key, value, 4..=MAX_HEIGHT as u8)?,
            "pieces" => self.pieces = Pieces::parse(key, value)?,
            "losing" => self.losing = choice(key, value, LOSING)?,
            "over" => self.over = choice(key, value, OVER)?,
            "clearing" => self.clearing = choice(key, value, CLEARING)?,
            "preview" => self.preview = choice(key, value, SWITCH)?,
            _ => unreachable!("option {key}"),
        }
        Ok(())
    }

    fn get(&self, key: &str) -> String {
        match key {
            "game" => word(self.game, GAME),
            "width" => self.width.to_string(),
            "height" => self.height.to_string(),
            "pieces" => self.pieces.text(),
            "losing" => word(self.losing, LOSING),
            "over" => word(self.over, OVER),
            "clearing" => word(self.clearing, CLEARING),
            "preview" => word(self.preview, SWITCH),
            _ => unreachable!("option {key}"),
        }
    }

    /// Where no placement loses, a switch about losing placements would be accepted and ignored.
    fn check(&self) -> Result<(), InputError> {
        if self.game == Kind::Simplified || self.over == GameOver::TopRow {
            return Ok(());
        }
        let idle = |key: &str, allowed: &str| {
            let allowed =
                format!("{allowed} in the original game, where no placement loses unless over=top-row");
            Err(InputError::option(key, &self.get(key), allowed))
        };
        match (self.losing, self.clearing) {
            (Losing::Allowed, _) => idle("losing", "avoided"),
            (_, Clearing::Before) => idle("clearing", "after"),
            _ => Ok(()),
        }
    }
}
