//! Avalam: towers are stacked on their neighbours up to height 5; who tops more towers at the end wins.
//!
//! The 48 cells are numbered by rows, so that a set of cells is one word. Heights are kept in three bit planes (the
//! binary digits of the height), owners in one more: 40 bytes a position, no array to copy. The
//! neighbours of a cell are one word too, from a table.

mod board;
mod features;
pub mod observations;
mod picture;
mod plain;
mod text;
pub mod threats;
pub mod towers;
#[cfg(test)]
mod twin;

use math::{Dice, mix};

use crate::draw::Pen;
use crate::error::InputError;
use crate::features::{FeatureInfo, FeatureSet};
use crate::game::{Game, Side, Turn};
use crate::picture::Picture;
use crate::rules::Fixed;

pub use board::{CELLS, cell_at, neighbours, place};
use board::{NEIGHBOURS, START_FIRST};
pub use features::{AvalamFeatures, Feature, feature_name, parse_features};
pub use observations::{Observations, Weights};
pub use plain::observe;
pub use towers::{TowerSums, TowerWeights};

/// The greatest height of a tower.
pub const MAX_HEIGHT: u8 = 5;

/// A position of Avalam.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Avalam {
    /// Binary digits of the heights, the lowest first.
    planes: [u64; 3],
    /// The towers topped by the first side.
    first: u64,
    side: Side,
}

/// A whole tower moved onto a neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The cell that becomes empty, from 0 to 47.
    pub from: u8,
    /// The cell of the tower that it lands on.
    pub to: u8,
}

impl Avalam {
    /// The height of the tower in a cell, 0 if there is none.
    #[inline]
    pub fn height(&self, cell: u8) -> u8 {
        let digit = |plane: usize| (self.planes[plane] >> cell & 1) as u8;
        digit(0) + 2 * digit(1) + 4 * digit(2)
    }

    /// Who tops the tower in a cell.
    pub fn owner(&self, cell: u8) -> Option<Side> {
        match (self.height(cell), self.first >> cell & 1) {
            (0, _) => None,
            (_, 0) => Some(Side::Second),
            _ => Some(Side::First),
        }
    }

    /// Who is to move, or would be were the game not over.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The cells that hold a tower.
    #[inline]
    pub fn towers(&self) -> u64 {
        self.planes[0] | self.planes[1] | self.planes[2]
    }

    /// The towers of a side.
    pub fn towers_of(&self, side: Side) -> u64 {
        if side == Side::First { self.first } else { self.towers() & !self.first }
    }

    /// The towers of height h, at index h; index 0 holds none.
    #[inline]
    pub fn by_height(&self) -> [u64; 6] {
        let [one, two, four] = self.planes;
        [0, one & !two & !four, two & !one, one & two, four & !one, one & four]
    }

    /// The towers of height at most h, at index h: what a tower of height 5 - h may land on.
    #[inline]
    fn at_most(&self) -> [u64; 6] {
        let mut sets = self.by_height();
        for h in 1..6 {
            sets[h] |= sets[h - 1];
        }
        sets
    }

    /// The towers that can move or be moved onto.
    fn active(&self) -> u64 {
        let (by_height, at_most) = (self.by_height(), self.at_most());
        let mut active = 0;
        for height in 1..=4 {
            let mut towers = by_height[height];
            while towers != 0 {
                let cell = towers.trailing_zeros();
                active |= u64::from(NEIGHBOURS[cell as usize] & at_most[5 - height] != 0) << cell;
                towers &= towers - 1;
            }
        }
        active
    }

    /// Puts a tower into a cell, or with height 0 takes it away.
    #[inline]
    fn set(&mut self, cell: u8, height: u8, first: bool) {
        let keep = !(1 << cell);
        for (digit, plane) in self.planes.iter_mut().enumerate() {
            *plane = *plane & keep | u64::from(height >> digit & 1) << cell;
        }
        self.first = self.first & keep | u64::from(first && height > 0) << cell;
    }

    fn difference(&self, side: Side, among: u64) -> f64 {
        let count = |side| f64::from((self.towers_of(side) & among).count_ones());
        count(side) - count(side.other())
    }
}

impl Game for Avalam {
    type Rules = Fixed;
    type Move = Move;

    const NAME: &'static str = "avalam";
    const SUMMARY: &'static str = "stack 48 towers up to height 5; who tops more of them wins";
    const SIDES: &'static [&'static str] = &["yellow", "red"];
    const MOVE_HELP: &'static str = "row and column of the tower, row and column of its goal, as 21-32";
    const SCORE_UNIT: &'static str = "towers";
    const SYMMETRIES: usize = 2;

    fn start(_rules: &Fixed) -> Self {
        Self { planes: [(1 << CELLS) - 1, 0, 0], first: START_FIRST, side: Side::First }
    }

    fn turn(&self) -> Turn {
        let at_most = self.at_most();
        // A tower that can move at all can move onto one that is no higher, or the other way round.
        let movable = (1..=2).any(|low| {
            let mut towers = self.by_height()[low];
            let goals = at_most[5 - low];
            while towers != 0 {
                if NEIGHBOURS[towers.trailing_zeros() as usize] & goals != 0 {
                    return true;
                }
                towers &= towers - 1;
            }
            false
        });
        if movable { Turn::Player(self.side) } else { Turn::Over }
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        let (by_height, at_most) = (self.by_height(), self.at_most());
        for height in 1..=4 {
            let mut towers = by_height[height];
            while towers != 0 {
                let from = towers.trailing_zeros() as u8;
                let mut goals = NEIGHBOURS[usize::from(from)] & at_most[5 - height];
                while goals != 0 {
                    moves.push(Move { from, to: goals.trailing_zeros() as u8 });
                    goals &= goals - 1;
                }
                towers &= towers - 1;
            }
        }
    }

    fn count_moves(&self) -> usize {
        let (by_height, at_most) = (self.by_height(), self.at_most());
        let mut count = 0;
        for height in 1..=4 {
            let mut towers = by_height[height];
            while towers != 0 {
                let goals = NEIGHBOURS[towers.trailing_zeros() as usize] & at_most[5 - height];
                count += goals.count_ones();
                towers &= towers - 1;
            }
        }
        count as usize
    }

    /// Counts the moves by the height of the tower and walks to the one that is drawn, in the order of `legal_moves`: random
    /// games at 250 k a second, and at 80 k when the moves are listed.
    fn random_move(&self, dice: &mut Dice, _moves: &mut Vec<Move>) -> Option<Move> {
        let (by_height, at_most) = (self.by_height(), self.at_most());
        let goals = |from: u8, height: usize| NEIGHBOURS[usize::from(from)] & at_most[5 - height];
        let mut counts = [0; 5];
        for height in 1..=4 {
            let mut towers = by_height[height];
            while towers != 0 {
                counts[height] += goals(towers.trailing_zeros() as u8, height).count_ones();
                towers &= towers - 1;
            }
        }
        let total: u32 = counts.iter().sum();
        if total == 0 {
            return None;
        }
        let mut ticket = dice.below(total as usize) as u32;
        let mut height = 1;
        while ticket >= counts[height] {
            ticket -= counts[height];
            height += 1;
        }
        let mut towers = by_height[height];
        loop {
            let from = towers.trailing_zeros() as u8;
            let mut goals = goals(from, height);
            let count = goals.count_ones();
            if ticket < count {
                (0..ticket).for_each(|_| goals &= goals - 1);
                return Some(Move { from, to: goals.trailing_zeros() as u8 });
            }
            ticket -= count;
            towers &= towers - 1;
        }
    }

    fn perft(&self, depth: u32) -> u64 {
        crate::perft(self, depth)
    }

    fn check(&self, mv: Move) -> Result<(), InputError> {
        if mv.from.max(mv.to) >= CELLS {
            return Err(InputError::illegal(
                format!("{mv:?}"),
                format!("cells are numbered 0 to {}", CELLS - 1),
            ));
        }
        let refused = |reason: String| Err(InputError::illegal(self.move_text(mv), reason));
        let (from, to) = (self.height(mv.from), self.height(mv.to));
        if from == 0 || to == 0 {
            return refused("there must be a tower in both cells".into());
        }
        if NEIGHBOURS[usize::from(mv.from)] >> mv.to & 1 == 0 {
            return refused("the cells are not neighbours".into());
        }
        if from + to > MAX_HEIGHT {
            return refused(format!("heights {from} and {to} make more than {MAX_HEIGHT}"));
        }
        Ok(())
    }

    #[inline]
    fn play_unchecked(&mut self, mv: Move) {
        let height = self.height(mv.from) + self.height(mv.to);
        let first = self.first >> mv.from & 1 != 0;
        self.set(mv.from, 0, false);
        self.set(mv.to, height, first);
        self.side = self.side.other();
    }

    /// Own towers minus the opponent's.
    fn score(&self, side: Side) -> f64 {
        self.difference(side, self.towers())
    }

    /// The score; if it is level, the difference of towers of height 5, in hundredths.
    fn final_value(&self, side: Side) -> f64 {
        match self.score(side) {
            0.0 => self.difference(side, self.by_height()[5]) / 100.0,
            score => score,
        }
    }

    /// Every move leaves one tower less.
    fn step(&self) -> u32 {
        u32::from(CELLS) + 1 - self.towers().count_ones()
    }

    /// Where a tower stands that can take no part in any move does not matter for the rest of the game: of those only
    /// the numbers count, by height and owner.
    fn key(&self) -> u64 {
        let active = self.active();
        let alone = self.towers() & !active;
        let by_height = self.by_height();
        let mut counts = 0;
        for height in 1..6 {
            for owned in [self.first, !self.first] {
                counts = counts << 6 | u64::from((alone & by_height[height] & owned).count_ones());
            }
        }
        let [one, two, four] = self.planes.map(|plane| plane & active);
        // 48 bits of a word are cells: the side fits above them.
        let owners = self.first & active | (self.side as u64) << CELLS;
        mix(one ^ mix(two ^ mix(four ^ mix(owners ^ mix(counts)))))
    }

    fn text(&self) -> String {
        text::to_text(self)
    }

    fn parse(_rules: &Fixed, text: &str) -> Result<Self, InputError> {
        text::from_text(text)
    }

    fn move_text(&self, mv: Move) -> String {
        let ((i1, j1), (i2, j2)) = (place(mv.from), place(mv.to));
        format!("{i1}{j1}-{i2}{j2}")
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
        Ok(Box::new(AvalamFeatures::new(names)?))
    }

    /// The half turn, which takes cell c to cell 47 - c.
    fn mirrored(&self, symmetry: usize) -> Self {
        let turned = |cells: u64| cells.reverse_bits() >> (64 - CELLS);
        match symmetry {
            0 => *self,
            _ => Self { planes: self.planes.map(turned), first: turned(self.first), side: self.side },
        }
    }

    fn mirrored_move(&self, mv: Move, symmetry: usize) -> Move {
        match symmetry {
            0 => mv,
            _ => Move { from: CELLS - 1 - mv.from, to: CELLS - 1 - mv.to },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_invariant_under_a_half_turn() {
        let start = Avalam::start(&Fixed);
        assert_eq!(start.mirrored(1), start);
        assert_eq!((start.score(Side::First), start.towers_of(Side::Second).count_ones()), (0.0, 24));
    }

    /// Two lone towers and nothing else, by their values.
    fn lone(a: &str, b: &str) -> Avalam {
        let mut cells = vec!["0"; 81];
        (cells[2], cells[75 - 1 + 3]) = (a, b);
        Avalam::parse(&Fixed, &format!("{}; 1", cells.join(" "))).unwrap()
    }

    #[test]
    fn keys_forget_where_a_lonely_tower_stands_but_not_what_it_is() {
        let key = |a: &str, b: &str| lone(a, b).key();
        assert_eq!(key("5", "-4"), key("-4", "5"));
        assert_ne!(key("5", "-4"), key("5", "-5"));
        assert_ne!(key("5", "-4"), key("-5", "4"));
        let mut other = lone("5", "-4");
        other.side = Side::Second;
        assert_ne!(other.key(), key("5", "-4"));
    }

    #[test]
    fn without_a_player_the_number_of_towers_tells_whose_turn_it_is() {
        let mut position = Avalam::start(&Fixed);
        for _ in 0..3 {
            let matrix = position.text().split(';').next().unwrap().to_string();
            assert_eq!(Avalam::parse(&Fixed, &matrix).unwrap(), position);
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            position.play(moves[7]).unwrap();
        }
    }

    #[test]
    fn the_last_move_is_marked() {
        let before = Avalam::start(&Fixed);
        let (mut after, mv) = (before, before.parse_move("02-03").unwrap());
        after.play(mv).unwrap();
        let mut pen = Pen::new(false);
        after.draw(&mut pen, Some((&before, mv)));
        let drawing = pen.finish();
        assert!(drawing.contains("( .)[+2]"), "{drawing}");
    }

    #[test]
    fn the_tie_break_counts_towers_of_five() {
        assert_eq!(lone("5", "-4").turn(), Turn::Over);
        assert_eq!(lone("5", "-4").final_value(Side::First), 0.01);
        assert_eq!(lone("5", "-4").final_value(Side::Second), -0.01);
        assert_eq!(lone("5", "-5").final_value(Side::First), 0.0);
        assert_eq!(lone("5", "4").final_value(Side::Second), -2.0);
    }

    #[test]
    fn refusals_name_the_rule() {
        let mut position = Avalam::start(&Fixed);
        let refusal = |position: &Avalam, text: &str| {
            position.check(position.parse_move(text).unwrap()).unwrap_err().to_string()
        };
        assert!(refusal(&position, "02-22").contains("not neighbours"));
        position.play(position.parse_move("02-03").unwrap()).unwrap();
        assert_eq!(position.owner(cell_at(0, 3).unwrap()), Some(Side::First));
        assert!(refusal(&position, "02-03").contains("a tower in both"));
        let mut cells = vec!["0"; 81];
        (cells[2], cells[3]) = ("3", "-4");
        let high = Avalam::parse(&Fixed, &cells.join(" ")).unwrap();
        assert!(refusal(&high, "02-03").contains("heights 3 and 4 make more than 5"));
        assert!(!position.is_legal(Move { from: 60, to: 0 }));
    }
}
