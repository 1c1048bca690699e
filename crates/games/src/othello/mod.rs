//! Othello, 8x8. A board is {discs of the player to move, discs of the opponent}, so that no rule asks for a colour
//! (the habit of the fast engines). Bit `8 * row + column`: a1 is bit 0, b1 bit 1, h8 bit 63.

mod bits;
mod criteria;
mod features;
pub mod ggf;
pub mod patterns;
mod phases;
mod picture;
mod stability;
mod text;
#[cfg(test)]
mod twin;

use math::mix;

use crate::draw::Pen;
use crate::error::InputError;
use crate::features::{FeatureInfo, FeatureSet};
use crate::game::{Game, Side, Turn};
use crate::picture::Picture;
use crate::rules::Fixed;

pub use bits::{CORNERS, FILE_A, FILE_H, flips, mobility, spread};
pub use phases::Phases;
pub use stability::safe_discs;

/// A position of Othello.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Othello {
    own: u64,
    opponent: u64,
    side: Side,
}

/// A square to play on, or a pass, which is legal only when there is no square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u8);

impl Move {
    /// The forced pass.
    pub const PASS: Move = Move(64);

    /// The move on a square, from 0 (a1) by rows to 63 (h8).
    ///
    /// # Panics
    /// If there is no such square.
    pub fn square(index: u8) -> Move {
        assert!(index < 64, "square {index} of 64");
        Move(index)
    }

    /// The square, unless it is a pass.
    pub fn index(self) -> Option<u8> {
        (self.0 < 64).then_some(self.0)
    }
}

impl Othello {
    /// The position with these discs.
    ///
    /// # Panics
    /// If a square holds two discs.
    pub fn new(own: u64, opponent: u64, side: Side) -> Self {
        assert_eq!(own & opponent, 0, "two discs on one square");
        Self { own, opponent, side }
    }

    /// Discs of the player to move.
    pub fn own(&self) -> u64 {
        self.own
    }

    /// Discs of the opponent of the player to move.
    pub fn opponent(&self) -> u64 {
        self.opponent
    }

    /// Who is to move, or would be were the game not over.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The discs of a side.
    pub fn discs(&self, side: Side) -> u64 {
        if side == self.side { self.own } else { self.opponent }
    }

    fn must_pass(&self) -> bool {
        mobility(self.own, self.opponent) == 0 && mobility(self.opponent, self.own) != 0
    }
}

impl Game for Othello {
    type Rules = Fixed;
    type Move = Move;

    const NAME: &'static str = "othello";
    const SUMMARY: &'static str = "outflank the other's discs on 8x8; most discs win";
    const SIDES: &'static [&'static str] = &["black", "white"];
    const MOVE_HELP: &'static str = "a square, as d3; 'pass' when there is none";
    const SCORE_UNIT: &'static str = "discs";
    const SYMMETRIES: usize = 8;

    fn start(_rules: &Fixed) -> Self {
        Self { own: 0x0000_0008_1000_0000, opponent: 0x0000_0010_0800_0000, side: Side::First }
    }

    fn turn(&self) -> Turn {
        let over = mobility(self.own, self.opponent) == 0 && mobility(self.opponent, self.own) == 0;
        if over { Turn::Over } else { Turn::Player(self.side) }
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        let mut squares = mobility(self.own, self.opponent);
        if squares == 0 && self.must_pass() {
            moves.push(Move::PASS);
        }
        while squares != 0 {
            moves.push(Move(squares.trailing_zeros() as u8));
            squares &= squares - 1;
        }
    }

    fn count_moves(&self) -> usize {
        match mobility(self.own, self.opponent) {
            0 => usize::from(self.must_pass()),
            squares => squares.count_ones() as usize,
        }
    }

    fn perft(&self, depth: u32) -> u64 {
        crate::perft(self, depth)
    }

    fn check(&self, mv: Move) -> Result<(), InputError> {
        let refused = |reason: &str| Err(InputError::illegal(self.move_text(mv), reason));
        let squares = mobility(self.own, self.opponent);
        match mv.index() {
            _ if self.turn() == Turn::Over => refused("the game is over"),
            None if squares != 0 => refused("a player who can move may not pass"),
            None => Ok(()),
            Some(_) if squares == 0 => refused("there is no square to play on, only 'pass'"),
            Some(index) if (self.own | self.opponent) >> index & 1 != 0 => refused("the square is taken"),
            Some(index) if squares >> index & 1 == 0 => refused("it flips no disc"),
            Some(_) => Ok(()),
        }
    }

    #[inline]
    fn play_unchecked(&mut self, mv: Move) {
        if let Some(index) = mv.index() {
            let flipped = flips(index, self.own, self.opponent);
            self.own |= flipped | 1 << index;
            self.opponent &= !flipped;
        }
        std::mem::swap(&mut self.own, &mut self.opponent);
        self.side = self.side.other();
    }

    /// Own discs minus the opponent's; after the end the empty squares go to the winner.
    fn score(&self, side: Side) -> f64 {
        let own = f64::from(self.discs(side).count_ones());
        let other = f64::from(self.discs(side.other()).count_ones());
        let empties = if self.turn() == Turn::Over { 64.0 - own - other } else { 0.0 };
        let difference = own - other;
        if difference == 0.0 { 0.0 } else { difference + empties.copysign(difference) }
    }

    fn final_value(&self, side: Side) -> f64 {
        self.score(side)
    }

    /// Four discs are there at the start; passes are not counted, for the board does not show them.
    fn step(&self) -> u32 {
        (self.own | self.opponent).count_ones().saturating_sub(3)
    }

    fn key(&self) -> u64 {
        mix(self.own ^ mix(self.opponent ^ mix(self.side as u64)))
    }

    fn text(&self) -> String {
        text::to_obf(self)
    }

    fn parse(_rules: &Fixed, text: &str) -> Result<Self, InputError> {
        text::from_obf(text)
    }

    fn move_text(&self, mv: Move) -> String {
        match mv.index() {
            Some(index) => text::square_name(index),
            None => "pass".to_string(),
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, InputError> {
        text::parse_move(text)
    }

    fn draw(&self, pen: &mut Pen, last: Option<(&Self, Move)>) {
        text::draw(self, pen, last.map(|(_, mv)| mv));
    }

    fn picture(&self, last: Option<(&Self, Move)>) -> Picture {
        picture::picture(self, last.map(|(_, mv)| mv))
    }

    fn feature_list() -> Vec<FeatureInfo> {
        features::feature_list()
    }

    fn features(_rules: &Fixed, names: &str) -> Result<Box<dyn FeatureSet<Self>>, InputError> {
        Ok(Box::new(features::OthelloFeatures::new(names)?))
    }

    fn mirrored(&self, symmetry: usize) -> Self {
        let image = |discs| bits::mirrored(discs, symmetry);
        Self { own: image(self.own), opponent: image(self.opponent), side: self.side }
    }

    fn mirrored_move(&self, mv: Move, symmetry: usize) -> Move {
        match mv.index() {
            Some(index) => Move(bits::mirrored(1 << index, symmetry).trailing_zeros() as u8),
            None => mv,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Othello {
        Othello::parse(&Fixed, text).expect(text)
    }

    #[test]
    fn empties_go_to_the_winner() {
        // Black has wiped white out with 13 discs: 64 to 0.
        let wiped = position("-------------------X------XXX----XXXXX----XXX------X------------ O;");
        assert_eq!(wiped.turn(), Turn::Over);
        assert_eq!((wiped.score(Side::First), wiped.final_value(Side::Second)), (64.0, -64.0));
        let level = position(&format!("XX{}OO X", "-".repeat(60)));
        assert_eq!((level.turn(), level.score(Side::First)), (Turn::Over, 0.0));
    }

    #[test]
    fn a_pass_is_forced_or_forbidden() {
        let mut pass = position("XXXXXXXOXXXXXXX-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX O;");
        assert_eq!(pass.turn(), Turn::Over);
        pass = position("OXXXXXX-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX X;");
        let mut moves = Vec::new();
        pass.legal_moves(&mut moves);
        assert_eq!((pass.count_moves(), moves), (1, vec![Move::PASS]));
        assert!(pass.check(Move(7)).unwrap_err().to_string().contains("only 'pass'"));
        pass.play(Move::PASS).unwrap();
        pass.play(Move(7)).unwrap();
        assert_eq!((pass.turn(), pass.score(Side::Second)), (Turn::Over, 8.0 - 56.0));
        let start = Othello::start(&Fixed);
        assert!(start.check(Move::PASS).unwrap_err().to_string().contains("may not pass"));
    }
}
