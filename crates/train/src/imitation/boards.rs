//! Positions to learn from: of ordinary play of the policy, and of every level on the way to a loss, which ordinary play hardly
//! ever shows and where games are decided.

use games::{Dice, Turn};
use measure::splitting::{Effort, Levels, Sampling, SamplingLive, sample_specs};
use play::PlayedGame;
use play::numbers::{rough_duration, short};
use play::players::PlayerSpec;

use crate::selfplay::Say;

/// There are hardly fewer levels than this, that of ordinary play included.
const FEW_LEVELS: usize = 3;

/// Moves of ordinary play for each of its boards.
const BETWEEN: u64 = 20;

/// What a repeat plays at least, so that it meets higher levels.
const FEWEST_MOVES: u64 = 5_000;
const FEWEST_TRIALS: usize = 250;

/// About so many positions, those of all levels in equal shares, each with what chance has dealt next, so that a player is to
/// move. Fewer where a level is hardly ever reached; none if `say` breaks off.
pub fn sample<G: PlayedGame>(
    rules: &G::Rules,
    policy: &PlayerSpec<G>,
    levels: &Levels,
    count: usize,
    seed: u64,
    say: Say,
) -> Option<Vec<G>> {
    let mut watch = |live: &SamplingLive| say(progress(live));
    // A repeat need not play more than is wanted of it.
    let usual = Effort::default();
    let few = (count / FEW_LEVELS).max(1);
    let effort = Effort {
        moves: (BETWEEN * few as u64).clamp(FEWEST_MOVES, usual.moves),
        trials: few.clamp(FEWEST_TRIALS, usual.trials),
        ..usual
    };
    let sampling = Sampling { levels: levels.clone(), boards: count, effort, seed };
    let all = sample_specs(rules, policy, &sampling, rayon::current_num_threads(), &mut watch)
        .expect("the levels were checked")?;
    let mut boards: Vec<G> = all.into_iter().flat_map(|level| level.boards).collect();
    for (number, board) in boards.iter_mut().enumerate() {
        let mut dice = Dice::seeded(&[seed, number as u64]);
        while board.turn() == Turn::Chance {
            board.deal(&mut dice);
        }
    }
    Some(boards)
}

/// One line: repeats, moves and the time left.
fn progress(live: &SamplingLive) -> String {
    let moves = format!("{} moves so far", short(live.pieces as f64));
    match (live.repeats, live.ahead) {
        (None, _) => format!("levels are chosen, {moves}"),
        (Some(done), None) => {
            format!("boards are sampled, repeat {} shows how many there will be, {moves}", done + 1)
        }
        (Some(done), Some(ahead)) => {
            let left = rough_duration(ahead.time.as_secs_f64());
            format!(
                "boards are sampled, {done} of about {} repeats, {moves}, about {left} to go",
                ahead.repeats
            )
        }
    }
}
