//! Pictures: nothing is outside, every move is seen, and images of a position look like images.

use std::collections::BTreeSet;

use super::{at, random_game};
use crate::game::Game;
use crate::picture::{Cell, Picture, Place};

const LONGEST: usize = 200;

/// The pictures of random games, and those that lead from one position to the next. A game without pictures has its drawings there.
///
/// # Panics
/// If one of them is not sound.
pub fn pictures<G: Game>(variants: &[G::Rules]) {
    for rules in variants {
        let game = random_game::<G>(rules, 7, LONGEST);
        let mut seen = game[0].0.picture(None);
        for pair in game.windows(2) {
            let ((before, mv), (after, _)) = (&pair[0], &pair[1]);
            let Some(mv) = *mv else { continue };
            let picture = after.picture(Some((before, mv)));
            assert_ne!(picture, before.picture(None), "the picture shows nothing of {mv:?}, {}", at(before));
            sound(after, &picture);
            let frames = after.frames(&seen, (before, mv));
            frames.iter().for_each(|frame| sound(after, frame));
            let pieces = |picture: &Picture| -> Vec<bool> {
                let has = |cell: &Option<Cell>| cell.as_ref().is_some_and(|cell| cell.piece.is_some());
                picture.cells.iter().map(has).collect()
            };
            // The last one is of this position, whatever else it remembers.
            let Some(last) = frames.last() else { panic!("frames() gives none, {}", at(after)) };
            assert_eq!(pieces(last), pieces(&picture), "the last of frames() is another, {}", at(after));
            seen = last.clone();
        }
    }
}

fn is_inside(picture: &Picture, (row, column): Place) -> bool {
    (-1..=picture.rows() as i32).contains(&row) && (-1..=picture.columns as i32).contains(&column)
}

fn sound<G: Game>(position: &G, picture: &Picture) {
    let wrong = |what: &str| format!("a picture's {what}, {}", at(position));
    let title = &picture.title;
    assert!(!title.is_empty() && !title.contains('\n'), "{}: {title:?}", wrong("title is one line"));
    let whole = picture.rows() * picture.columns == picture.cells.len();
    assert!(
        whole && (picture.cells.is_empty() || picture.outside < picture.rows()),
        "{}",
        wrong("rows are whole")
    );
    let shows = picture.cells.iter().flatten().count() > 0 || !picture.caption.is_empty();
    assert!(shows, "{}", wrong("cells and caption are empty"));
    for label in &picture.labels {
        let kept = is_inside(picture, label.place) && !label.text.is_empty();
        assert!(kept, "{}: {label:?}", wrong("labels have a text and a place"));
    }
    for mv in &picture.moves {
        let legal = position.parse_move(&mv.text).is_ok_and(|mv| position.is_legal(mv));
        assert!(legal && is_inside(picture, mv.to), "{}: {mv:?}", wrong("moves are legal and have a place"));
        let is_piece = |from| picture.cell(from).is_some_and(|cell| cell.piece.is_some());
        assert!(mv.from.is_none_or(is_piece), "{}: {mv:?}", wrong("moves begin at a piece"));
    }
}

/// The images of positions look like images: every symmetry of the game turns or mirrors its pictures, as a rectangle or a square can be.
/// A game whose symmetries are others calls the other functions one by one.
///
/// # Panics
/// If they do not.
pub fn mirrored_pictures<G: Game>(variants: &[G::Rules]) {
    if variants.iter().all(|rules| G::start(rules).picture(None).cells.is_empty()) {
        return;
    }
    for rules in variants {
        let positions: Vec<G> =
            random_game::<G>(rules, 11, LONGEST).into_iter().map(|(position, _)| position).collect();
        let mut all_seen = BTreeSet::new();
        for symmetry in 0..G::SYMMETRIES {
            // Some rules have fewer symmetries than the game: a piece that falls from its own side has no image.
            if symmetry > 0
                && positions.iter().all(|position| position.mirrored(symmetry).text() == position.text())
            {
                continue;
            }
            let fits = |as_seen: &usize| {
                positions.iter().all(|position| {
                    let image = position.mirrored(symmetry).picture(None);
                    is_image(&position.picture(None), &image, *as_seen)
                })
            };
            let seen: Vec<usize> = (0..8).filter(fits).collect();
            let what = format!("{}: the pictures after symmetry {symmetry}", G::NAME);
            assert!(!seen.is_empty(), "{what} are no images of those before it");
            assert_eq!(symmetry == 0, seen[0] == 0, "{what} are the same as before only for the identity");
            assert!(all_seen.insert(seen), "{what} are those after another symmetry");
        }
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
