//! Pictures of every game: nothing is outside, every move is seen, and images of a position look like images.

use std::collections::BTreeSet;

use crate::common::{random_game, variants};
use games::picture::{Cell, Colour, Picture, Place};
use games::tetris::{Piece, Tetris, TetrisRules};
use games::{Game, Rules, Turn, Visitor, visit_games};

const LONGEST: usize = 200;

fn is_inside(picture: &Picture, (row, column): Place) -> bool {
    (-1..=picture.rows() as i32).contains(&row) && (-1..=picture.columns as i32).contains(&column)
}

#[test]
fn nothing_is_outside_and_every_move_is_seen() {
    struct All;
    impl Visitor for All {
        fn game<G: Game>(&mut self) {
            for rules in variants::<G>() {
                let game = random_game::<G>(&rules, 7, LONGEST);
                let mut seen = game[0].0.picture(None);
                for pair in game.windows(2) {
                    let ((before, mv), (after, _)) = (&pair[0], &pair[1]);
                    let Some(mv) = *mv else { continue };
                    let picture = after.picture(Some((before, mv)));
                    assert_ne!(picture, before.picture(None), "{}: {}", G::NAME, before.text());
                    sound(after, &picture);
                    let frames = after.frames(&seen, (before, mv));
                    frames.iter().for_each(|frame| sound(after, frame));
                    let pieces = |picture: &Picture| -> Vec<bool> {
                        let has =
                            |cell: &Option<Cell>| cell.as_ref().is_some_and(|cell| cell.piece.is_some());
                        picture.cells.iter().map(has).collect()
                    };
                    // The last one is of this position, whatever else it remembers.
                    seen = frames.last().unwrap().clone();
                    assert_eq!(pieces(&seen), pieces(&picture), "{}: {}", G::NAME, after.text());
                }
            }
        }
    }
    visit_games(&mut All);
}

fn sound<G: Game>(position: &G, picture: &Picture) {
    let name = position.text();
    assert!(!picture.title.is_empty() && !picture.title.contains('\n'), "{name}");
    assert_eq!(picture.rows() * picture.columns, picture.cells.len(), "{name}");
    assert!(picture.cells.iter().flatten().count() > 0 && picture.outside < picture.rows(), "{name}");
    assert!(
        picture.labels.iter().all(|label| is_inside(picture, label.place) && !label.text.is_empty()),
        "{name}"
    );
    for mv in &picture.moves {
        let legal = position.parse_move(&mv.text).is_ok_and(|mv| position.is_legal(mv));
        assert!(legal && is_inside(picture, mv.to), "{name}: {mv:?}");
        assert!(
            mv.from.is_none_or(|from| picture.cell(from).is_some_and(|cell| cell.piece.is_some())),
            "{name}"
        );
    }
}

/// The image of a place under one of the eight symmetries of a rectangle; those that exchange rows and columns take squares.
fn image((row, column): Place, symmetry: usize, (rows, columns): (i32, i32)) -> Option<Place> {
    let (row, column) = (
        if symmetry & 1 != 0 { rows - 1 - row } else { row },
        if symmetry & 2 != 0 { columns - 1 - column } else { column },
    );
    match symmetry & 4 {
        0 => Some((row, column)),
        _ => (rows == columns).then_some((column, row)),
    }
}

fn is_image(picture: &Picture, other: &Picture, symmetry: usize) -> bool {
    let size = (picture.rows() as i32, picture.columns as i32);
    let places = (0..size.0).flat_map(|row| (0..size.1).map(move |column| (row, column)));
    let goals = |picture: &Picture| picture.moves.iter().map(|mv| mv.to).collect::<BTreeSet<Place>>();
    let turned: Option<BTreeSet<Place>> =
        goals(picture).into_iter().map(|place| image(place, symmetry, size)).collect();
    turned == Some(goals(other))
        && places
            .map(|place| (place, image(place, symmetry, size)))
            .all(|(place, image)| image.is_some_and(|image| picture.cell(place) == other.cell(image)))
}

#[test]
fn images_of_positions_are_images_of_pictures() {
    struct All;
    impl Visitor for All {
        fn game<G: Game>(&mut self) {
            let game = random_game::<G>(&G::Rules::default(), 11, LONGEST);
            for symmetry in 0..G::SYMMETRIES {
                let fits = |as_seen: &usize| {
                    game.iter().all(|(position, _)| {
                        let image = position.mirrored(symmetry).picture(None);
                        is_image(&position.picture(None), &image, *as_seen)
                    })
                };
                let seen: Vec<usize> = (0..8).filter(fits).collect();
                assert_eq!(seen.len(), 1, "{}, symmetry {symmetry}: {seen:?}", G::NAME);
                assert_eq!(symmetry == 0, seen[0] == 0, "{}", G::NAME);
            }
        }
    }
    visit_games(&mut All);
}

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
