//! What the observation functions of the report do not see: which towers may be covered, which hang on one link, and who
//! will run out of moves. Our own additions, counted in one loop over the towers.

use super::Avalam;
use super::board::NEIGHBOURS;
use crate::game::Side;

/// The number of counts.
pub const THREATS: usize = 10;

/// The first of those that are the same for both sides.
pub const PARITIES: usize = 8;

/// Name and definition of each count, in order.
pub const NAMES: [(&str, &str); THREATS] = [
    ("own-coverable", "own towers that a neighbour of the enemy may land on"),
    ("enemy-coverable", "towers of the enemy that an own neighbour may land on"),
    ("own-last-link", "own towers with exactly one neighbour to merge with: one move away from isolation"),
    ("enemy-last-link", "the same for towers of the enemy"),
    ("own-fours-own-single", "own towers of height 4 next to an own single one"),
    ("own-fours-enemy-single", "own towers of height 4 next to a single one of the enemy"),
    ("enemy-fours-own-single", "towers of height 4 of the enemy next to an own single one"),
    ("enemy-fours-enemy-single", "towers of height 4 of the enemy next to a single one of the enemy"),
    ("movable-parity", "1 if an odd number of towers can take part in a move, else 0"),
    ("links-parity", "1 if the number of links is odd, else 0"),
];

/// The counts for a side, in the order of [`NAMES`].
pub fn threats(position: &Avalam, side: Side) -> [i16; THREATS] {
    let (sets, at_most) = (position.by_height(), position.at_most());
    let owned = [position.towers_of(side), position.towers_of(side.other())];
    let mut counts = [0; THREATS];
    let (mut movable, mut ends) = (0, 0);
    for h in 1..=4 {
        for (o, mine) in owned.into_iter().enumerate() {
            let mut towers = sets[h] & mine;
            while towers != 0 {
                let near = NEIGHBOURS[towers.trailing_zeros() as usize];
                let goals = near & at_most[5 - h];
                let links = goals.count_ones();
                counts[o] += i16::from(goals & owned[1 - o] != 0);
                counts[2 + o] += i16::from(links == 1);
                if h == 4 {
                    // The goals of a tower of height 4 are the single ones.
                    counts[4 + 2 * o] += i16::from(goals & owned[0] != 0);
                    counts[5 + 2 * o] += i16::from(goals & owned[1] != 0);
                }
                movable += i16::from(links > 0);
                ends += links;
                towers &= towers - 1;
            }
        }
    }
    counts[PARITIES] = movable & 1;
    // Every link has two ends.
    counts[PARITIES + 1] = (ends / 2) as i16 & 1;
    counts
}
