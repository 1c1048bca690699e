//! A game between two as a film (as figure B.1 of Branly & Guichard 2022): the board, and beside it the score over time and
//! the time of every move.

use games::picture::Picture;
use games::{Game, Side, Turn};

use super::chart::{Course, time};
use super::drawing::{FAINT, TEXT, readable};
use super::film::{Step, film};
use super::stage::{Row, Words};

/// What is said about a game.
#[derive(Debug, Clone, Copy)]
pub struct Caption<'a> {
    /// The players of both sides.
    pub players: [&'a str; 2],
    /// The time of each move in microseconds; none if nobody has measured them.
    pub micros: &'a [u64],
    /// What stands under the last position.
    pub end: &'a str,
}

/// A game as an animated GIF: every position with the move that led to it, each for so many hundredths of a second.
///
/// # Panics
/// If there is no position.
pub fn duel<G: Game>(caption: &Caption, positions: &[(G, Option<G::Move>)], hundredths: u16) -> Vec<u8> {
    let course = course(caption, positions);
    let words = |number: usize| {
        let said = match (number.checked_sub(1), positions[number].1) {
            (Some(before), Some(mv)) => format!("{number}. {}", positions[before].0.move_text(mv)),
            _ => "the opening".to_string(),
        };
        let is_last = number + 1 == positions.len();
        let said = if is_last { format!("{said}   {}", caption.end) } else { said };
        let mut head: Vec<Row> =
            Side::BOTH.into_iter().map(|side| player::<G>(caption, &course, side, number)).collect();
        head.push(Row::words(TEXT, &said));
        Words { head, beside: Vec::new(), course: Some((&course, number)) }
    };
    let steps = positions.windows(2).enumerate().filter_map(|(before, pair)| {
        let step = Step { before: pair[0].0.clone(), mv: pair[1].1?, after: pair[1].0.clone() };
        Some((step, words(before + 1)))
    });
    film(&positions[0].0, &words(0), steps, hundredths)
}

/// A player and the time it has used.
fn player<G: Game>(caption: &Caption, course: &Course, side: Side, number: usize) -> Row {
    let name = format!("{:6} ", G::SIDES[side.index()]);
    let used = course.used(side, number);
    Row {
        left: vec![(course.colours[side.index()], name), (TEXT, caption.players[side.index()].to_string())],
        right: (!course.seconds.is_empty()).then(|| (FAINT, time(used))),
        ..Row::default()
    }
}

fn course<G: Game>(caption: &Caption, positions: &[(G, Option<G::Move>)]) -> Course {
    let side = |(position, _): &(G, Option<G::Move>)| match position.turn() {
        Turn::Player(side) => side,
        _ => Side::First,
    };
    let sides = positions[0].0.picture(None).sides;
    // Where a game counts nothing, pieces on the board are counted.
    let pieces = |picture: &Picture| picture.count(sides[0]) as f64 - picture.count(sides[1]) as f64;
    let scored = !G::SCORE_UNIT.is_empty();
    let ahead = |(position, _): &(G, Option<G::Move>)| {
        if scored { position.score(Side::First) } else { pieces(&position.picture(None)) }
    };
    let moves = positions.len() - 1;
    let seconds = caption.micros.iter().map(|&micros| micros as f64 / 1e6);
    Course {
        sides: positions[..moves].iter().map(side).collect(),
        ahead: positions.iter().map(ahead).collect(),
        unit: if scored { G::SCORE_UNIT } else { "pieces" }.to_string(),
        seconds: if caption.micros.len() == moves { seconds.collect() } else { Vec::new() },
        colours: sides.map(readable),
    }
}

#[cfg(test)]
mod tests {
    use super::super::animation::tests::{decoded, delays};
    use super::super::drawing::MARK;
    use super::*;
    use games::avalam::Avalam;
    use games::picture::Colour;
    use games::{Dice, Visitor, visit_games};

    fn game<G: Game>(seed: u64) -> Vec<(G, Option<G::Move>)> {
        let mut position = G::start(&G::Rules::default());
        let (mut positions, mut dice) = (vec![(position.clone(), None)], Dice::seeded(&[seed]));
        while let Some(mv) = position.random_move(&mut dice, &mut Vec::new()) {
            position.play_unchecked(mv);
            positions.push((position.clone(), Some(mv)));
        }
        positions
    }

    fn count(picture: &[Colour], colour: Colour) -> usize {
        picture.iter().filter(|&&pixel| pixel == colour).count()
    }

    #[test]
    fn every_game_for_two_has_a_picture_of_each_position() {
        struct All;
        impl Visitor for All {
            fn game<G: Game>(&mut self) {
                if G::SIDES.len() != 2 || G::CHANCE {
                    return;
                }
                let mut positions = game::<G>(3);
                positions.truncate(8);
                let micros: Vec<u64> = (1..positions.len() as u64).collect();
                for micros in [&micros[..], &[]] {
                    let caption = Caption { players: ["a", "b"], micros, end: "the end" };
                    let ((width, height), pictures) = decoded(&duel(&caption, &positions, 10));
                    assert_eq!(pictures.len(), positions.len(), "{}", G::NAME);
                    assert!(pictures.iter().all(|picture| picture.len() == width * height));
                    assert!(pictures.windows(2).all(|two| two[0] != two[1]), "{}", G::NAME);
                }
            }
        }
        visit_games(&mut All);
    }

    #[test]
    fn charts_grow_with_the_game() {
        let positions = game::<Avalam>(5);
        let micros: Vec<u64> = (1..positions.len()).map(|i| if i % 2 == 1 { 10 } else { 90_000 }).collect();
        let caption = Caption { players: ["random", "slow"], micros: &micros, end: "" };
        let (_, pictures) = decoded(&duel(&caption, &positions, 10));
        let red = positions[0].0.picture(None).sides[1];
        let bars = |picture: &[Colour]| count(picture, red);
        // A slow move adds a bar, which is more than the discs that it may cover; half of the moves are slow.
        assert!(bars(&pictures[2]) > bars(&pictures[1]) + 500);
        assert!(bars(pictures.last().unwrap()) > bars(&pictures[2]) + 5_000);
    }

    #[test]
    fn the_cells_of_a_move_are_marked() {
        let positions = game::<Avalam>(5);
        let marked = |picture: &[Colour]| count(picture, MARK);
        let caption = Caption { players: ["a", "b"], micros: &[], end: "" };
        let bytes = duel(&caption, &positions[..2], 10);
        assert_eq!(delays(&bytes).0, [10, 300], "the last one stays");
        let (_, pictures) = decoded(&bytes);
        assert!(marked(&pictures[0]) == 0 && marked(&pictures[1]) > 92, "two rings");
    }
}
