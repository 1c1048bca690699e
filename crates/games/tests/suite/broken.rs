//! A newcomer's game, sound or with one mistake: the suite passes the one, and says of the other what is wrong.

use std::cell::Cell as Counter;
use std::panic::catch_unwind;

use games::conformance;
use games::draw::{Ink, Pen};
use games::features::{Feature, FeatureTable};
use games::picture::{Cell, MoveMark, Picture, Piece, SIDES, Shape, move_marks, to_move};
use games::rules::OptionInfo;
use games::{Game, InputError, Rules, Side, Turn};

const NONE: u8 = 0;
const ACCEPTS_ILLEGAL: u8 = 1;
const PLAYS_ILLEGAL: u8 = 2;
const FORGETS_IN_TEXT: u8 = 3;
const REFUSES_ITS_TEXT: u8 = 4;
const PARSER_PANICS: u8 = 5;
const NOT_ANTISYMMETRIC: u8 = 6;
const ZERO_FEATURE: u8 = 7;
const INFINITE_FEATURE: u8 = 8;
const ORIENTED_FEATURE: u8 = 9;
const OTHER_ORDER: u8 = 10;
const ADDS_TO_MOVES: u8 = 11;
const HISTORY_ORDER: u8 = 12;
const CHANGES_RULES: u8 = 13;
const CHANGES_HIDDEN_RULES: u8 = 14;
const MISCOUNTS: u8 = 15;
const ONE_KEY: u8 = 16;
const CROOKED_MIRROR: u8 = 17;
const BOTH_WIN: u8 = 18;
const MOVE_TEXT: u8 = 19;
const STILL_PICTURE: u8 = 20;
const MARKS_ILLEGAL: u8 = 21;
const PICTURE_NOT_MIRRORED: u8 = 22;

/// Discs are put into a row of empty cells by turns; neighbours of one colour count, for their owner or, turned, for the other.
#[derive(Debug, Clone)]
struct Row<const MISTAKE: u8> {
    cells: Vec<Option<Side>>,
    rules: RowRules,
    last: usize,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct RowRules {
    turned: bool,
}

impl Rules for RowRules {
    const OPTIONS: &'static [OptionInfo] =
        &[OptionInfo { name: "turned", values: "on|off", help: "whether pairs count for the other side" }];

    fn set(&mut self, key: &str, value: &str) -> Result<(), InputError> {
        match value {
            "on" => self.turned = true,
            "off" => self.turned = false,
            _ => return Err(InputError::option(key, value, "on, off")),
        }
        Ok(())
    }

    fn get(&self, _key: &str) -> String {
        if self.turned { "on" } else { "off" }.to_string()
    }
}

thread_local! {
    /// State outside of positions, which no game should have.
    static CALLS: Counter<usize> = const { Counter::new(0) };
}

const WIDTH: usize = 6;

impl<const MISTAKE: u8> PartialEq for Row<MISTAKE> {
    fn eq(&self, other: &Self) -> bool {
        self.cells == other.cells && (MISTAKE == CHANGES_HIDDEN_RULES || self.rules == other.rules)
    }
}

impl<const MISTAKE: u8> Row<MISTAKE> {
    fn pairs(&self, side: Side) -> f64 {
        self.cells.windows(2).filter(|pair| pair == &[Some(side); 2]).count() as f64
    }

    fn lead(&self, side: Side) -> f64 {
        self.pairs(side) - self.pairs(side.other())
    }

    fn discs(&self) -> usize {
        self.cells.iter().flatten().count()
    }

    /// Declared antisymmetric.
    fn declared(&self, side: Side) -> f64 {
        match MISTAKE {
            NOT_ANTISYMMETRIC => self.pairs(side),
            ZERO_FEATURE => 0.0,
            INFINITE_FEATURE => self.lead(side) / 0.0,
            ORIENTED_FEATURE => {
                let sign = |owner: &Side| if *owner == side { 1.0 } else { -1.0 };
                self.cells[0].as_ref().map_or(0.0, sign)
            }
            _ => self.lead(side),
        }
    }
}

impl<const MISTAKE: u8> Game for Row<MISTAKE> {
    type Rules = RowRules;
    type Move = usize;

    const NAME: &'static str = "row";
    const SUMMARY: &'static str = "neighbours in a row of cells count";
    const SIDES: &'static [&'static str] = &["x", "o"];
    const MOVE_HELP: &'static str = "the number of a cell, 0 to 5";
    const SYMMETRIES: usize = 2;
    const FEATURES: FeatureTable<Self> = FeatureTable {
        features: &[
            Feature::of_position("lead", "pairs, less the other's", Self::declared).antisymmetric(),
            Feature::of_position("discs", "discs in the row", |row: &Self, _| row.discs() as f64).symmetric(),
        ],
        groups: &[],
    };

    fn start(rules: &RowRules) -> Self {
        Self { cells: vec![None; WIDTH], rules: rules.clone(), last: 0 }
    }

    fn turn(&self) -> Turn {
        match self.discs() {
            WIDTH => Turn::Over,
            discs => Turn::Player(Side::BOTH[discs % 2]),
        }
    }

    fn legal_moves(&self, moves: &mut Vec<usize>) {
        if MISTAKE != ADDS_TO_MOVES {
            moves.clear();
        }
        moves.extend((0..WIDTH).filter(|&cell| self.cells[cell].is_none()));
        let turned = match MISTAKE {
            OTHER_ORDER => CALLS.replace(CALLS.get() + 1),
            HISTORY_ORDER => self.last,
            _ => 0,
        };
        if !moves.is_empty() {
            let count = moves.len();
            moves.rotate_left(turned % count);
        }
    }

    fn count_moves(&self) -> usize {
        WIDTH - self.discs() + usize::from(MISTAKE == MISCOUNTS)
    }

    fn check(&self, cell: usize) -> Result<(), InputError> {
        match self.cells[cell] {
            Some(_) if MISTAKE != ACCEPTS_ILLEGAL => {
                Err(InputError::illegal(cell.to_string(), "the cell is taken"))
            }
            _ => Ok(()),
        }
    }

    fn play(&mut self, cell: usize) -> Result<(), InputError> {
        if MISTAKE != PLAYS_ILLEGAL {
            self.check(cell)?;
        }
        self.play_unchecked(cell);
        Ok(())
    }

    fn play_unchecked(&mut self, cell: usize) {
        let Turn::Player(side) = self.turn() else { return };
        self.cells[cell] = Some(side);
        self.last = cell;
        if MISTAKE == CHANGES_RULES || MISTAKE == CHANGES_HIDDEN_RULES {
            self.rules.turned ^= true;
        }
    }

    fn score(&self, side: Side) -> f64 {
        let lead = self.lead(side);
        if self.rules.turned { 0.0 - lead } else { lead }
    }

    fn final_value(&self, side: Side) -> f64 {
        if MISTAKE == BOTH_WIN { 1.0 } else { self.score(side) }
    }

    fn key(&self) -> u64 {
        match MISTAKE {
            ONE_KEY => self.discs() as u64,
            _ => self.cells.iter().fold(0, |key, cell| 3 * key + cell.map_or(0, |side| 1 + side as u64)),
        }
    }

    fn text(&self) -> String {
        let sign = |cell: &Option<Side>| cell.map_or('.', |side| ['x', 'o'][side.index()]);
        let text: String = self.cells.iter().map(sign).collect();
        if MISTAKE == FORGETS_IN_TEXT { text.replacen('o', "x", 1) } else { text }
    }

    fn parse(rules: &RowRules, text: &str) -> Result<Self, InputError> {
        let refused = |reason: &str| Err(InputError::position(text, reason));
        let text = text.trim();
        if MISTAKE == REFUSES_ITS_TEXT && text.ends_with("xo") {
            return refused("six cells are expected");
        }
        if text.chars().count() != WIDTH && MISTAKE != PARSER_PANICS {
            return refused("six cells are expected");
        }
        let mut row = Self::start(rules);
        for (place, sign) in text.chars().enumerate() {
            row.cells[place] = match sign {
                '.' => None,
                'x' => Some(Side::First),
                'o' => Some(Side::Second),
                _ => return refused("cells are x, o or ."),
            };
        }
        let own = |side| row.cells.iter().filter(|cell| **cell == Some(side)).count();
        let balanced = own(Side::First) == own(Side::Second) || own(Side::First) == own(Side::Second) + 1;
        if balanced || MISTAKE == FORGETS_IN_TEXT { Ok(row) } else { refused("x and o move by turns") }
    }

    fn move_text(&self, cell: usize) -> String {
        if MISTAKE == MOVE_TEXT { (cell / 2).to_string() } else { cell.to_string() }
    }

    fn parse_move(&self, text: &str) -> Result<usize, InputError> {
        let cell = text.parse().ok().filter(|cell| *cell < WIDTH);
        cell.ok_or_else(|| InputError::move_text(text, "a number from 0 to 5"))
    }

    fn draw(&self, pen: &mut Pen, _last: Option<(&Self, usize)>) {
        pen.ink(Ink::First, &self.text());
        pen.line();
    }

    fn picture(&self, _last: Option<(&Self, usize)>) -> Picture {
        let disc =
            |side: Side| Piece { shape: Shape::Discs(1), colour: SIDES[side.index()], text: String::new() };
        let mut cells: Vec<Option<Cell>> =
            self.cells.iter().map(|cell| Some(Cell { piece: cell.map(disc), marked: false })).collect();
        let mut moves = move_marks(self, |cell| Some((None, (0, cell as i32))));
        match MISTAKE {
            STILL_PICTURE => {
                cells.fill(Some(Cell::default()));
                moves.clear();
            }
            MARKS_ILLEGAL => moves.push(MoveMark { text: "9".into(), from: None, to: (0, 0), value: None }),
            PICTURE_NOT_MIRRORED => cells[0] = None,
            _ => {}
        }
        let title = if MISTAKE == STILL_PICTURE { "row".into() } else { to_move(self) };
        Picture { moves, ..Picture::new(title, WIDTH, cells) }
    }

    fn mirrored(&self, symmetry: usize) -> Self {
        let mut image = self.clone();
        if symmetry == 1 {
            image.cells.reverse();
        }
        image
    }

    fn mirrored_move(&self, cell: usize, symmetry: usize) -> usize {
        if symmetry == 0 || MISTAKE == CROOKED_MIRROR { cell } else { WIDTH - 1 - cell }
    }
}

type Check = fn(&[RowRules]);

#[test]
fn a_sound_game_passes_and_of_a_mistake_it_is_said_what_is_wrong() {
    let variants = [RowRules { turned: false }, RowRules { turned: true }];
    conformance::all::<Row<NONE>>(&variants);
    let mistakes: [(Check, &str); _] = [
        (conformance::all::<Row<ACCEPTS_ILLEGAL>>, "which is not listed, row in position"),
        (conformance::all::<Row<PLAYS_ILLEGAL>>, "which is illegal, row in position"),
        (conformance::all::<Row<FORGETS_IN_TEXT>>, "read back from its text it is another position"),
        (conformance::all::<Row<REFUSES_ITS_TEXT>>, "the text of a position is refused: position '"),
        (conformance::all::<Row<PARSER_PANICS>>, "row: parse() panics at the text \""),
        (
            conformance::all::<Row<NOT_ANTISYMMETRIC>>,
            "row: feature lead is declared Antisymmetric and is not",
        ),
        (
            conformance::all::<Row<ZERO_FEATURE>>,
            "feature lead could be declared otherwise, or is 0 everywhere",
        ),
        (conformance::all::<Row<INFINITE_FEATURE>>, "feature lead: values are not finite of"),
        (conformance::all::<Row<ORIENTED_FEATURE>>, "after symmetry 1 and is not declared oriented"),
        (conformance::all::<Row<OTHER_ORDER>>, "legal_moves() of one position in another order"),
        (conformance::all::<Row<ADDS_TO_MOVES>>, "legal_moves() does not overwrite"),
        (conformance::all::<Row<HISTORY_ORDER>>, "read back from its text it goes on in another way"),
        (conformance::all::<Row<CHANGES_RULES>>, "or playing has changed the rules: Row"),
        (conformance::all::<Row<CHANGES_HIDDEN_RULES>>, "or playing has changed the rules, row in position"),
        (conformance::all::<Row<MISCOUNTS>>, "count_moves() is not what is listed"),
        (conformance::all::<Row<ONE_KEY>>, "one key() for other futures"),
        (conformance::all::<Row<CROOKED_MIRROR>>, "symmetry 1: the image after a move is not what"),
        (conformance::all::<Row<BOTH_WIN>>, "final_value(): what one side has the other lacks"),
        (conformance::all::<Row<MOVE_TEXT>>, "the move read back from \""),
        (conformance::all::<Row<STILL_PICTURE>>, "the picture shows nothing of"),
        (conformance::all::<Row<MARKS_ILLEGAL>>, "moves are legal and have a place"),
        (conformance::all::<Row<PICTURE_NOT_MIRRORED>>, "the pictures after symmetry 1 are no images"),
    ];
    for (check, expected) in mistakes {
        let panic = catch_unwind(|| check(&variants)).expect_err(expected);
        let said = panic.downcast_ref::<String>().expect("a message");
        assert!(said.contains(expected), "{expected}: {said}");
    }
}
