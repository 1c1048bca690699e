//! How far a function is from the end of games that it has not learned from, phase by phase.

use std::collections::HashMap;
use std::io;

use games::othello::Phases;
use learn::fitting::Loss;
use play::patterns::Form;
use play::threads::par_map;
use stats::t95;

use super::positions::{Example, Piece, Positions};

/// The most that a game can be won by.
const MOST: f64 = 64.0;

/// Positions of a piece, and pieces that are looked at before they are counted.
const PIECE: usize = 20_000;
const GROUP: usize = 64;

/// A mean over positions, with an interval that knows that the positions of one game are no independent trials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Half the width of its 95 % interval; infinite for fewer than two games.
    pub half: f64,
    /// Positions.
    pub positions: usize,
    /// Games that they are of.
    pub games: usize,
}

/// The sum and the number of the values of each game.
#[derive(Debug, Default, Clone)]
struct Tally(HashMap<u32, (f64, usize)>);

impl Tally {
    fn add(&mut self, game: u32, value: f64) {
        let (sum, count) = self.0.entry(game).or_default();
        *sum += value;
        *count += 1;
    }

    /// The mean of all values.
    fn mean(self) -> Option<Mean> {
        if self.0.is_empty() {
            return None;
        }
        // In the order of the games: the last bit of a sum depends on it.
        let mut games: Vec<(u32, (f64, usize))> = self.0.into_iter().collect();
        games.sort_by_key(|(game, _)| *game);
        let positions: usize = games.iter().map(|(_, (_, count))| count).sum();
        let mean = games.iter().map(|(_, (sum, _))| sum).sum::<f64>() / positions as f64;
        // The variance of a ratio of sums over games (Cochran 1977, section 2.11).
        let off = |(sum, count): (f64, usize)| sum - mean * count as f64;
        let squares: f64 = games.iter().map(|(_, game)| math::powi(off(*game), 2)).sum();
        let games = games.len();
        let half = match games {
            0 | 1 => f64::INFINITY,
            _ => t95(games - 1) * (squares * games as f64 / (games - 1) as f64).sqrt() / positions as f64,
        };
        Some(Mean { mean, half, positions, games })
    }
}

/// The errors of a function.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// Over all positions.
    pub all: Mean,
    /// Of each phase; none where there are no positions.
    pub phases: Vec<Option<Mean>>,
    /// What saying 0 everywhere comes to.
    pub constant: Mean,
    /// The share of positions of games not drawn whose winner it names.
    pub winner: Option<Mean>,
}

/// What is wrong with a value for the side to move: of a linear function the absolute error of the final difference, cut off at
/// 64, of a logistic one the cross-entropy.
fn error(form: Form, value: f64, score: i8) -> f64 {
    match form {
        Form::Linear => (value.clamp(-MOST, MOST) - f64::from(score)).abs(),
        Form::Logistic => Loss::CrossEntropy.of(value, f64::from(score.signum())).0,
    }
}

/// Compares what a function says, for the side to move, with how games ended. None if there are no positions.
///
/// # Errors
/// The positions are in files that cannot be read any more.
pub fn judge(
    positions: &Positions,
    phases: &Phases,
    form: Form,
    value: &(dyn Fn(&Example) -> f64 + Sync),
) -> io::Result<Option<Judged>> {
    let (mut all, mut constant, mut winner) = (Tally::default(), Tally::default(), Tally::default());
    let mut of_phases = vec![Tally::default(); phases.count()];
    let pieces = positions.pieces((0, 64), PIECE);
    for group in pieces.chunks(GROUP) {
        let said = |piece: &Piece| {
            let mut said = Vec::with_capacity(PIECE);
            piece.each(|one| said.push((*one, value(one))))?;
            io::Result::Ok(said)
        };
        for said in par_map(group.len(), |number| said(&group[number])) {
            for (one, said) in said? {
                let wrong = error(form, said, one.score);
                all.add(one.game, wrong);
                of_phases[phases.of(one.discs())].add(one.game, wrong);
                constant.add(one.game, error(form, 0.0, one.score));
                if one.score != 0 {
                    winner.add(one.game, f64::from(u8::from((said > 0.0) == (one.score > 0))));
                }
            }
        }
    }
    let Some((all, constant)) = all.mean().zip(constant.mean()) else { return Ok(None) };
    let phases = of_phases.into_iter().map(Tally::mean).collect();
    Ok(Some(Judged { all, phases, constant, winner: winner.mean() }))
}
