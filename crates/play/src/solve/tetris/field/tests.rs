//! Packed boards against the rules of the game, at every width that can be solved.

use std::collections::BTreeSet;

use games::tetris::{Tetris, TetrisRules};
use games::{Dice, Game, Outcome, Rules, Turn};

use super::{Field, Landing};

/// What every placement of every piece leads to, by the rules of the game.
fn played(field: &Field, board: &Tetris) -> BTreeSet<(usize, Option<u32>, u32)> {
    let mut outcomes: Vec<Outcome> = Vec::new();
    board.outcomes(&mut outcomes);
    let mut all = BTreeSet::new();
    for (piece, outcome) in outcomes.iter().enumerate() {
        let mut position = board.clone();
        position.deal_outcome(outcome.index);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        for mv in moves {
            let mut after = position.clone();
            after.play_unchecked(mv);
            let number = (after.turn() != Turn::Over).then(|| field.number(after.columns()));
            all.insert((piece, number, (after.lines() - board.lines()) as u32));
        }
    }
    all
}

#[test]
fn landings_are_those_of_the_game() {
    let sizes = [(4, 7), (5, 5), (6, 4), (7, 4)].map(|size| (size, "overflow"));
    let flat = [(8, 4), (9, 4)].map(|size| (size, "top-row"));
    for ((width, height), over) in sizes.into_iter().chain(flat) {
        let mut lines = 0;
        for (number, clearing) in ["after", "before"].into_iter().enumerate() {
            for pieces in ["uniform", "weights:1,0,2,3,4,5,6"] {
                let losing = if pieces == "uniform" { "avoided" } else { "allowed" };
                let (width, height) = (width.to_string(), height.to_string());
                let options = [("width", width.as_str()), ("height", height.as_str()), ("over", over)];
                let switches = [("clearing", clearing), ("pieces", pieces), ("losing", losing)];
                let rules = TetrisRules::from_pairs(options.into_iter().chain(switches)).unwrap();
                lines += compare(&rules, &mut Dice::seeded(&[number as u64]));
            }
        }
        assert!(lines > 10, "rows must be removed to prove anything: {lines} at width {width}");
    }
}

/// Along random games; the rows that they removed.
fn compare(rules: &TetrisRules, dice: &mut Dice) -> u64 {
    let field = Field::new(rules).unwrap();
    let mut lines = 0;
    for _ in 0..60 {
        let mut board = Tetris::start(rules);
        while board.turn() != Turn::Over {
            let mut landings = BTreeSet::new();
            // Where boards are kept under the number of their mirror image, pieces change with it.
            let number = field.number(board.columns());
            let kept = [board.clone(), board.mirrored(1)].into_iter().find(|b| plain(b) == number).unwrap();
            field.landings(number, |piece, Landing { board, lines }| {
                landings.insert((piece, board, lines));
            });
            assert_eq!(landings, played(&field, &kept), "{}", board.text());
            board.deal(dice);
            let mut moves = Vec::new();
            board.legal_moves(&mut moves);
            board.play_unchecked(dice.pick(&moves));
        }
        lines += board.lines();
    }
    lines
}

/// The number of the board itself, cell by cell.
fn plain(board: &Tetris) -> u32 {
    let limit = board.rules().limit();
    let cells = (0..limit).flat_map(|row| board.columns().iter().rev().map(move |column| column >> row & 1));
    cells.fold(0, |number, cell| number << 1 | cell)
}

#[test]
fn probabilities_are_those_of_the_weights() {
    let rules = TetrisRules::from_pairs([("width", "4"), ("height", "4"), ("pieces", "sz")]).unwrap();
    let field = Field::new(&rules).unwrap();
    assert_eq!(field.probabilities().collect::<Vec<f64>>(), [0.5, 0.5]);
    assert_eq!(field.pieces(), 2);
    assert_eq!(field.images(field.number(&[0b1, 0, 0, 0])), 2);
    assert_eq!(field.images(field.number(&[0b1, 0, 0, 0b1])), 1);
}
