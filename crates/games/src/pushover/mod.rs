//! Push-over (Müller 1992): pieces are pushed in from the edge of a 4x4 or 5x5 board (or 3x3, to be
//! checked by hand); a full line of one's own wins.
//!
//! A board is two bit sets, cell `size * row + column`. An entry knows its line of cells in the order in which a
//! piece travels, so that a push is a shift of the block next to the edge. What the paper leaves open is settled
//! so: the first gap absorbs a push, moves are counted singly, and the forbidden repetition compares whole boards:
//! comparing entries is wrong in corners and in lines whose pieces alternate.

mod entries;
pub mod expert;
mod features;
mod picture;
mod rules;
mod text;
#[cfg(test)]
mod twin;

use math::mix;

use crate::draw::Pen;
use crate::error::InputError;
use crate::features::{FeatureInfo, FeatureSet};
use crate::game::{Game, Side, Turn};
use crate::picture::Picture;

pub use entries::Entry;
use entries::Table;
pub use rules::PushoverRules;

/// The pieces of both sides.
pub type Board = [u32; 2];

/// A position of Push-over.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pushover {
    board: Board,
    /// The board before the last move, which is the board after the previous move of the side to move: the one it
    /// may not make again. `None` if there is none, or the rule is off.
    forbidden: Option<Board>,
    last: Option<Entry>,
    /// Single moves made so far; `o` moves when it is even.
    ply: u16,
    rules: PushoverRules,
}

impl Pushover {
    /// A position of any board with `side` to move, early in its game. `forbidden`: the board that it may not make.
    ///
    /// # Panics
    /// If both sides have a piece in the same cell, or one has a piece off the board.
    pub fn with_board(rules: &PushoverRules, board: Board, forbidden: Option<Board>, side: Side) -> Self {
        let cells = rules.size * rules.size;
        for [o, plus] in [Some(board), forbidden].into_iter().flatten() {
            assert!(
                o & plus == 0 && (o | plus) >> cells == 0,
                "{o:b} and {plus:b} are no board of {cells} cells"
            );
        }
        let forbidden = forbidden.filter(|_| rules.repetition);
        Self { board, forbidden, last: None, ply: side.index() as u16, rules: rules.clone() }
    }

    /// The rules.
    pub fn rules(&self) -> &PushoverRules {
        &self.rules
    }

    /// The board that the side to move may not make again.
    pub fn forbidden(&self) -> Option<Board> {
        self.forbidden
    }

    /// The pieces of both sides.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Cells along an edge.
    pub fn size(&self) -> u8 {
        self.rules.size
    }

    /// Single moves made so far.
    pub fn ply(&self) -> u16 {
        self.ply
    }

    /// The side to move, or that would move were the game not over.
    pub fn side(&self) -> Side {
        if self.ply.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    /// Who has a line; if both do, the last to move.
    pub fn winner(&self) -> Option<Side> {
        let mover = self.side().other();
        let table = self.table();
        [mover, mover.other()].into_iter().find(|side| table.has_line(self.board[side.index()]))
    }

    fn table(&self) -> &'static Table {
        entries::table(self.rules.size)
    }

    fn repeats(&self, entry: Entry) -> bool {
        self.forbidden == Some(self.table().push(self.board, entry, self.side()))
    }
}

impl Game for Pushover {
    type Rules = PushoverRules;
    type Move = Entry;

    const NAME: &'static str = "pushover";
    const SUMMARY: &'static str = "push pieces in from the edge of 4x4 or 5x5; a full line wins";
    const SIDES: &'static [&'static str] = &["o", "+"];
    const MOVE_HELP: &'static str = "the letter of an entry, as E";
    const SYMMETRIES: usize = 8;

    fn start(rules: &PushoverRules) -> Self {
        Self { board: [0; 2], forbidden: None, last: None, ply: 0, rules: rules.clone() }
    }

    fn turn(&self) -> Turn {
        if self.ply >= self.rules.limit() || self.winner().is_some() {
            return Turn::Over;
        }
        Turn::Player(self.side())
    }

    fn legal_moves(&self, moves: &mut Vec<Entry>) {
        moves.clear();
        if self.turn() == Turn::Over {
            return;
        }
        let table = self.table();
        match self.forbidden {
            None => moves.extend(table.entries()),
            Some(forbidden) => {
                let changed = changed(self.board, forbidden);
                moves.extend(table.entries().filter(|&e| !table.may_change(e, changed) || !self.repeats(e)));
            }
        }
    }

    fn count_moves(&self) -> usize {
        if self.turn() == Turn::Over {
            return 0;
        }
        let table = self.table();
        let all = table.entries();
        match self.forbidden {
            None => all.len(),
            Some(forbidden) => {
                let changed = changed(self.board, forbidden);
                let repeating = all.clone().filter(|&e| table.may_change(e, changed) && self.repeats(e));
                all.len() - repeating.count()
            }
        }
    }

    fn perft(&self, depth: u32) -> u64 {
        crate::perft(self, depth)
    }

    fn check(&self, entry: Entry) -> Result<(), InputError> {
        let refused = |reason: &str| Err(InputError::illegal(self.move_text(entry), reason));
        if self.turn() == Turn::Over {
            return refused("the game is over");
        }
        if usize::from(entry.index()) >= self.table().entries().len() {
            return refused("there is no such entry on this board");
        }
        if self.repeats(entry) {
            return refused("it would make the board after your own previous move again");
        }
        Ok(())
    }

    fn play_unchecked(&mut self, entry: Entry) {
        let pushed = self.table().push(self.board, entry, self.side());
        self.forbidden = self.rules.repetition.then_some(self.board);
        self.board = pushed;
        self.last = Some(entry);
        self.ply += 1;
    }

    /// 1 for a line, -1 for a line of the opponent, else 0.
    fn score(&self, side: Side) -> f64 {
        match self.winner() {
            Some(winner) if winner == side => 1.0,
            Some(_) => -1.0,
            None => 0.0,
        }
    }

    fn final_value(&self, side: Side) -> f64 {
        self.score(side)
    }

    fn step(&self) -> u32 {
        u32::from(self.ply) + 1
    }

    /// The forbidden board counts only where a move could make it again, which is seldom: otherwise no position would
    /// ever be met on two ways. What was played last does not matter.
    fn key(&self) -> u64 {
        let word = |[o, plus]: Board| u64::from(o) << 32 | u64::from(plus);
        let forbidden = self.forbidden.filter(|&forbidden| {
            let (table, changed) = (self.table(), changed(self.board, forbidden));
            table.entries().any(|entry| table.may_change(entry, changed) && self.repeats(entry))
        });
        let rules = u64::from(self.rules.limit()) << 16
            | u64::from(self.rules.size) << 8
            | u64::from(self.rules.repetition);
        let counted = u64::from(self.ply) << 32 | rules;
        // Two boards never have all cells taken by both sides: this stands for no board.
        mix(word(self.board) ^ mix(forbidden.map_or(u64::MAX, word) ^ mix(counted)))
    }

    fn text(&self) -> String {
        text::to_text(self)
    }

    fn parse(rules: &PushoverRules, text: &str) -> Result<Self, InputError> {
        text::from_text(rules, text)
    }

    fn move_text(&self, entry: Entry) -> String {
        entry.letter().to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Entry, InputError> {
        text::parse_move(self.size(), text)
    }

    fn draw(&self, pen: &mut Pen, _last: Option<(&Self, Entry)>) {
        text::draw(self, pen);
    }

    fn picture(&self, last: Option<(&Self, Entry)>) -> Picture {
        picture::picture(self, last)
    }

    fn feature_list() -> Vec<FeatureInfo> {
        features::feature_list()
    }

    fn features(rules: &PushoverRules, names: &str) -> Result<Box<dyn FeatureSet<Self>>, InputError> {
        Ok(Box::new(features::PushoverFeatures::new(rules, names)?))
    }

    fn mirrored(&self, symmetry: usize) -> Self {
        let table = self.table();
        let image = |board: Board| board.map(|cells| table.mirrored(cells, symmetry));
        Self {
            board: image(self.board),
            forbidden: self.forbidden.map(image),
            last: self.last.map(|entry| table.mirrored_entry(entry, symmetry)),
            ..self.clone()
        }
    }

    fn mirrored_move(&self, entry: Entry, symmetry: usize) -> Entry {
        self.table().mirrored_entry(entry, symmetry)
    }
}

/// The cells in which two boards differ.
fn changed(a: Board, b: Board) -> u32 {
    (a[0] ^ b[0]) | (a[1] ^ b[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    fn played(moves: &str) -> Pushover {
        let mut position = Pushover::start(&PushoverRules::default());
        for letter in moves.chars() {
            let entry = position.parse_move(&letter.to_string()).unwrap();
            position.play(entry).unwrap();
        }
        position
    }

    #[test]
    fn keys_tell_apart_what_matters_and_nothing_else() {
        let other = |change: fn(&mut Pushover)| {
            let mut position = played("AEB");
            change(&mut position);
            position.key() == played("AEB").key()
        };
        assert!(other(|position| position.last = None));
        assert!(!other(|position| position.ply += 2));
        assert!(!other(|position| position.rules.limit = Some(7)));
        assert!(!other(|position| position.board.swap(0, 1)));
        // Nothing that can be pushed in makes an empty board.
        assert!(other(|position| position.forbidden = Some([0, 0])));
        let position = Pushover::parse(&PushoverRules::default(), "+ooo...+....o...Eo -0.400").unwrap();
        let mut after = position.clone();
        after.play(after.parse_move("A").unwrap()).unwrap();
        let mut free = after.clone();
        free.forbidden = None;
        assert_ne!(after.key(), free.key(), "E may not be played in one of them");
    }

    #[test]
    fn the_two_lines_of_the_papers_database_follow_each_other() {
        // Figure 2.3 of the paper, right to left: `+` plays A and `o` has lost the initiative.
        let mut position = Pushover::parse(&PushoverRules::default(), "+ooo...+....o...Eo -0.400").unwrap();
        position.play(position.parse_move("A").unwrap()).unwrap();
        assert!(position.text().starts_with("++oo...+....o...A+ "));
        // "o may not play E, for the position on the left would come again."
        let refusal = position.check(position.parse_move("E").unwrap()).unwrap_err().to_string();
        assert_eq!(refusal, "illegal move E: it would make the board after your own previous move again");
        assert_eq!(position.count_moves(), 15);
    }

    #[test]
    fn a_gap_absorbs_the_push_and_a_full_line_loses_its_far_piece() {
        assert!(played("AMA").text().starts_with("oo..........+..."));
        assert!(played("AEA").text().starts_with("oo.+............"));
        assert!(played("AEAEA").text().starts_with("ooo+............"), "{}", played("AEAEA").text());
    }

    #[test]
    fn the_last_to_move_wins_when_both_have_a_line() {
        // Column of o and column of + both full after the next push: the top row moves one to the right.
        let rules = PushoverRules::default();
        let position = Pushover::parse(&rules, "o+...o+..o+..o+.-+ 20").unwrap();
        let mut both = position.clone();
        both.play(both.parse_move("A").unwrap()).unwrap();
        assert!(both.text().starts_with("oo+."), "{}", both.text());
        assert_eq!((both.turn(), both.winner()), (Turn::Over, Some(Side::First)));
        // The line of the opponent alone loses for the mover.
        let mut gift = Pushover::parse(&rules, ".+....+...+...+.-+ 20").unwrap();
        gift.play(gift.parse_move("A").unwrap()).unwrap();
        assert_eq!(gift.winner(), None);
        gift = Pushover::parse(&rules, "o+....+...+...+.-+ 20").unwrap();
        gift.play(gift.parse_move("A").unwrap()).unwrap();
        assert_eq!((gift.winner(), gift.final_value(Side::First)), (Some(Side::Second), -1.0));
    }

    #[test]
    fn what_a_text_leaves_out_is_filled_in() {
        // Three pieces and + to have moved last: four moves were made; o has moved last: three.
        let ply = |text: &str| Pushover::parse(&PushoverRules::default(), text).unwrap().ply();
        assert_eq!(ply("oo+.............E+"), 4);
        assert_eq!(ply("oo+.............Eo"), 3);
        for wrong in ["oo+.............Eo 4", "oo+.............Eo 51", "oo+.............Eo 3 ...", "oo+...Eo"]
        {
            assert!(Pushover::parse(&PushoverRules::default(), wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_last_entry_is_marked() {
        let mut pen = Pen::new(false);
        played("AE").draw(&mut pen, None);
        assert!(pen.finish().contains("[E]"));
    }

    #[test]
    fn the_limits_are_50_and_100_single_moves() {
        assert_eq!(PushoverRules::default().limit(), 50);
        assert_eq!(PushoverRules::from_pairs([("size", "5")]).unwrap().limit(), 100);
    }

    #[test]
    fn the_limit_is_a_draw() {
        let mut rules = PushoverRules::default();
        rules.set("limit", "2").unwrap();
        let mut position = Pushover::start(&rules);
        position.play(Entry::new(0)).unwrap();
        position.play(Entry::new(0)).unwrap();
        assert_eq!((position.turn(), position.final_value(Side::First)), (Turn::Over, 0.0));
    }
}
