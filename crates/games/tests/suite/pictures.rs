//! Pictures of single games: what one of Tetris remembers that a position does not, and pieces by their colours.

use games::othello::Othello;
use games::picture::{Colour, Picture};
use games::tetris::{Piece, Tetris, TetrisRules};
use games::{Game, Rules, Turn};

#[test]
fn cells_of_tetris_keep_their_colours_while_rows_go() {
    let rules = [("width", "4"), ("height", "6"), ("pieces", "sequence:IT")];
    let rules = TetrisRules::from_pairs(rules).unwrap();
    let mut position = Tetris::parse(&rules, "###./#... O").unwrap();
    let mut seen = position.picture(None);
    let mut put = |position: &mut Tetris, piece: Piece, text: &str| {
        if position.turn() == Turn::Chance {
            position.deal_outcome(piece as u8);
        }
        let (before, placement) = (position.clone(), position.parse_move(text).unwrap());
        position.play(placement).unwrap();
        let frames = position.frames(&seen, (&before, placement));
        seen = frames.last().unwrap().clone();
        frames
    };
    // Rows from the floor; the board is six high, with one row above it.
    let looks = |picture: &Picture, column: i32, row: i32| {
        let cell = picture.cell((6 - row, column)).unwrap();
        cell.piece.as_ref().map(|piece| (piece.colour, cell.marked))
    };
    let frames = put(&mut position, Piece::O, "0a");
    assert_eq!(frames.len(), 1);
    assert_eq!(looks(&frames[0], 0, 2), Some((Piece::O.colour(), true)));
    let unknown = looks(&frames[0], 0, 0).unwrap();
    assert!(!unknown.1 && Piece::ALL.iter().all(|piece| piece.colour() != unknown.0));
    assert_eq!((looks(&frames[0], 3, 0), looks(&frames[0], 3, 1)), (None, None));
    // Upright at the right wall: it fills the row of three, and what is above sinks by one row.
    let frames = put(&mut position, Piece::I, "1d");
    assert_eq!((frames.len(), position.lines()), (2, 1));
    assert_eq!(looks(&frames[0], 0, 1), Some((Colour::WHITE, true)));
    assert_eq!(looks(&frames[0], 3, 0), Some((Piece::I.colour(), true)));
    assert_eq!(looks(&frames[1], 0, 1), Some((Piece::O.colour(), false)));
    assert_eq!(looks(&frames[1], 3, 2), Some((Piece::I.colour(), true)));
    assert_eq!(looks(&frames[1], 0, 3), None);
}

#[test]
fn pieces_are_counted_by_their_colours() {
    let mut position = Othello::start(&Default::default());
    position.play(position.parse_move("d3").unwrap()).unwrap();
    let picture = position.picture(None);
    assert_eq!(picture.sides.map(|colour| picture.count(colour)), [4, 1]);
    assert_eq!(picture.count(picture.plate), 0);
}
