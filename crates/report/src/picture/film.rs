//! Any game as a GIF: its opening, then every move. Who plays and what is said about it comes from the caller.

use games::Game;

use super::animation::Animation;
use super::stage::{Stage, Words};

/// How long the last picture stays, in hundredths of a second.
const STAY: u16 = 300;

/// A move that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Step<G: Game> {
    /// The position it was made in.
    pub before: G,
    /// The move.
    pub mv: G::Move,
    /// What it led to.
    pub after: G,
}

/// A game as an animated GIF: the opening and what is said of it, then the moves, each picture for so many hundredths of a
/// second. All pictures are as large as the first one.
pub fn film<'a, G: Game>(
    start: &G,
    opening: &Words,
    steps: impl IntoIterator<Item = (Step<G>, Words<'a>)>,
    hundredths: u16,
) -> Vec<u8> {
    let mut seen = start.picture(None);
    let stage = Stage::new(&seen, opening);
    let (width, height) = stage.size();
    let mut animation = Animation::new(width, height);
    let mut last = stage.draw(&seen, opening);
    for (step, words) in steps {
        for picture in step.after.frames(&seen, (&step.before, step.mv)) {
            animation.push(&last, hundredths);
            last = stage.draw(&picture, &words);
            seen = picture;
        }
    }
    animation.push(&last, STAY.max(hundredths));
    animation.finish()
}
