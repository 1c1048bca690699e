//! What the positions of a game are worth, once it is over.

use super::game::{Played, Reached, sign};
use super::settings::{FittedSettings, LabelWord};

/// The label of every position that a move led to, for the side that made it; none for the end itself.
pub fn labels(played: &Played, settings: &FittedSettings) -> Vec<Option<f64>> {
    let count = played.plies.len();
    let length = (played.opening + count) as f64;
    let mut labels = vec![None; count];
    // What the position after each move is worth to the side that began, from the last move back.
    let mut after = played.outcome;
    let lambda = settings.lambda.unwrap_or(0.0);
    for (number, ply) in played.plies.iter().enumerate().rev() {
        let first = match settings.label {
            LabelWord::Outcome => played.outcome,
            LabelWord::Fraction => played.outcome * (played.opening + number + 1) as f64 / length,
            LabelWord::Return => after,
        };
        if matches!(ply.chosen, Reached::Row(_)) {
            labels[number] = Some(sign(ply.mover) * first);
        }
        // How the game went on says nothing about a position in which another move was best, and nothing new about one that is
        // decided.
        let kept = if ply.instead.is_some() || ply.certain { 0.0 } else { lambda };
        after = (1.0 - kept) * ply.found + kept * after;
    }
    labels
}
