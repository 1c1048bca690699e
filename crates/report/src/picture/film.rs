//! A whole game as a GIF: the beginning, then every placement; where rows go, they light up first.

use std::ops::Range;

use games::Game;
use games::Turn;
use play::analyze::explain::Critic;
use play::analyze::show::{Show, Step};
use play::players::PlayerFailure;

use super::animation::Animation;
use super::palette::{TRANSPARENT, palette};
use super::tetris::{Layout, Line, Panel, Scene};

/// How long the last picture stays, in hundredths of a second.
const LAST: u16 = 200;

/// At most `most` placements of a game, each shown for so many hundredths of a second. `go_on` is told after each how many
/// there have been; `None` if it says no.
///
/// # Errors
/// The player has no move to give.
pub fn film(
    show: &mut Show,
    player: &str,
    most: u64,
    hundredths: u16,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Option<Vec<u8>>, PlayerFailure> {
    let layout = Layout::new(show.now().rules(), player, &names(show.critic()));
    let (width, height) = layout.size();
    let mut animation = Animation::new(width, height, &palette(), TRANSPARENT);
    let mut scene = Scene::new(show.now());
    let start = Panel { lines: show.now().lines(), ..Panel::default() };
    let mut last = layout.draw(&scene, &start, false);
    for number in 1..=most {
        let Some(step) = show.next().transpose()? else { break };
        animation.push(&last, hundredths);
        let panel = panel(&step, show.critic());
        scene.place(step.placement);
        if step.after.lines() > step.before.lines() {
            animation.push(&layout.draw(&scene, &panel, true), hundredths);
            scene.remove_full();
        }
        last = layout.draw(&scene, &panel, false);
        if !go_on(number) {
            return Ok(None);
        }
    }
    animation.push(&last, LAST.max(hundredths));
    Ok(Some(animation.finish()))
}

/// What there is to say about a placement.
pub fn panel(step: &Step, critic: Option<&Critic>) -> Panel {
    let mut panel = Panel {
        lines: step.after.lines(),
        pieces: step.pieces,
        piece: Some(step.placement.piece),
        over: step.after.turn() == Turn::Over,
        ..Panel::default()
    };
    if let (Some(rated), Some(critic)) = (&step.rated, critic) {
        let shares = critic.shares(&rated.features);
        let line = |(name, places): (String, Range<usize>)| Line {
            name,
            value: rated.features[places.clone()].iter().sum(),
            share: shares.as_ref().map(|shares| shares[places].iter().sum()),
        };
        panel.value = Some(rated.value);
        panel.features = critic.lines().into_iter().map(line).collect();
    }
    panel
}

/// The names of the lines about features.
fn names(critic: Option<&Critic>) -> Vec<String> {
    critic.map_or(Vec::new(), |critic| critic.lines().into_iter().map(|(name, _)| name).collect())
}

#[cfg(test)]
mod tests {
    use super::super::animation::tests::decoded;
    use super::super::palette::{Block, FLASH, Shade, WELL, block};
    use super::*;
    use games::Rules;
    use games::tetris::{Piece, Tetris, TetrisRules};

    fn start(pairs: &[(&str, &str)], text: &str) -> Tetris {
        Tetris::parse(&TetrisRules::from_pairs(pairs.iter().copied()).unwrap(), text).unwrap()
    }

    #[test]
    fn a_frame_a_placement_and_one_for_rows_that_go() {
        let small = [("width", "6"), ("height", "10")];
        for (name, most) in [("dn", 60), ("random", 300)] {
            let start = start(&small, "#....# - 3");
            let steps = Show::new(start.clone(), name, 1).unwrap().take(most as usize);
            let steps: Vec<Step> = steps.collect::<Result<_, _>>().unwrap();
            let clearing = steps.iter().filter(|step| step.after.lines() > step.before.lines()).count();
            let mut show = Show::new(start.clone(), name, 1).unwrap();
            let bytes = film(&mut show, name, most, 5, &mut |_| true).unwrap().unwrap();
            let ((width, height), pictures) = decoded(&bytes);
            let layout = Layout::new(start.rules(), name, &names(show.critic()));
            assert_eq!((width, height), layout.size());
            assert_eq!(pictures.len(), 1 + steps.len() + clearing);
            // The board of the last picture is that of the last position.
            let end = &steps.last().unwrap().after;
            for (column, &cells) in end.columns().iter().enumerate() {
                for row in 0..10 {
                    let (x, y) = layout.corner(column, row);
                    let colour = pictures.last().unwrap()[(y + 8) * width + x + 8];
                    assert_eq!(colour != WELL, cells >> row & 1 != 0, "{name}: column {column}, row {row}");
                }
            }
        }
    }

    #[test]
    fn cells_keep_their_colours_while_rows_go() {
        let start = start(&[("width", "4"), ("height", "6"), ("pieces", "sequence:IT")], "###./#... O");
        let layout = Layout::new(start.rules(), "x", &[]);
        let mut scene = Scene::new(&start);
        let mut position = start.clone();
        let looks = |scene: &Scene, flash, column, row| {
            let (x, y) = layout.corner(column, row);
            layout.draw(scene, &Panel::default(), flash).pixel(x + 8, y + 8)
        };
        let put = |position: &mut Tetris, scene: &mut Scene, piece: Piece, text: &str| {
            if position.current().is_none() {
                position.deal_outcome(piece as u8);
            }
            let placement = position.parse_move(text).unwrap();
            position.play(placement).unwrap();
            scene.place(placement);
        };
        let face = |what, bright| block(what, bright, Shade::Face);
        let square = Block::Piece(Piece::O);
        put(&mut position, &mut scene, Piece::O, "0a");
        assert_eq!(looks(&scene, false, 0, 2), face(square, true));
        assert_eq!(looks(&scene, false, 0, 0), face(Block::Unknown, false));
        assert_eq!((looks(&scene, false, 3, 0), looks(&scene, false, 3, 1)), (WELL, WELL));
        // Upright at the right wall: it fills the row of three, and what is above sinks by one row.
        put(&mut position, &mut scene, Piece::I, "1d");
        assert_eq!(
            (looks(&scene, true, 0, 1), looks(&scene, true, 3, 0)),
            (FLASH, face(Block::Piece(Piece::I), true))
        );
        scene.remove_full();
        assert_eq!(position.lines(), 1);
        assert_eq!(looks(&scene, false, 0, 1), face(square, false));
        assert_eq!(looks(&scene, false, 3, 2), face(Block::Piece(Piece::I), true));
        assert_eq!(looks(&scene, false, 0, 3), WELL);
    }

    #[test]
    fn it_can_be_broken_off() {
        let mut show = Show::new(Tetris::start(&TetrisRules::default()), "dn", 1).unwrap();
        assert_eq!(film(&mut show, "dn", 100, 5, &mut |number| number < 7), Ok(None));
        assert_eq!(show.pieces(), 7);
    }
}
