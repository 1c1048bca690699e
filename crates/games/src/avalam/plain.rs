//! The observation functions one by one, as they are defined: each looks at every cell, and where links matter at the
//! places around it. Slow, and what the fast ways are held to.

use super::observations::{ISOLATED, KINDS, LINKS, TOWERS};
use super::{Avalam, CELLS, MAX_HEIGHT, cell_at, place};
use crate::game::Side;

/// The count of one observation function for a side, by its number in the list of names.
pub fn observe(position: &Avalam, side: Side, index: usize) -> i16 {
    let seen = Seen { position, side };
    match index {
        0 => seen.score(),
        TOWERS..ISOLATED => {
            let (sign, height) = owner_and_height(index - TOWERS);
            seen.count(|cell| seen.tower(cell) == sign * height)
        }
        ISOLATED..LINKS => {
            let (sign, height) = owner_and_height(index - ISOLATED);
            seen.count(|cell| seen.tower(cell) == sign * height && seen.is_isolated(cell))
        }
        _ => {
            let (low, high) = KINDS[(index - LINKS) / 3];
            let signs = [2, -2, 0][(index - LINKS) % 3];
            seen.links(low as i8, high as i8, signs)
        }
    }
}

fn owner_and_height(index: usize) -> (i8, i8) {
    (if index < 5 { 1 } else { -1 }, index as i8 % 5 + 1)
}

struct Seen<'a> {
    position: &'a Avalam,
    side: Side,
}

impl Seen<'_> {
    /// The height of a tower, below 0 if it is the enemy's.
    fn tower(&self, cell: u8) -> i8 {
        let height = self.position.height(cell) as i8;
        if self.position.owner(cell) == Some(self.side) { height } else { -height }
    }

    fn count(&self, is_counted: impl Fn(u8) -> bool) -> i16 {
        (0..CELLS).filter(|&cell| is_counted(cell)).count() as i16
    }

    fn score(&self) -> i16 {
        self.count(|cell| self.tower(cell) > 0) - self.count(|cell| self.tower(cell) < 0)
    }

    /// The neighbours that the tower of a cell may be merged with.
    fn linked(&self, cell: u8) -> impl Iterator<Item = u8> {
        let (row, column) = place(cell);
        let height = self.tower(cell).abs();
        let around = (0..9).filter_map(move |step| {
            let (row, column) = ((row + step / 3).checked_sub(1)?, (column + step % 3).checked_sub(1)?);
            cell_at(row, column)
        });
        around.filter(move |&other| {
            let other_height = self.tower(other).abs();
            other != cell && height > 0 && other_height > 0 && height + other_height <= MAX_HEIGHT as i8
        })
    }

    fn is_isolated(&self, cell: u8) -> bool {
        self.linked(cell).next().is_none()
    }

    fn links(&self, low: i8, high: i8, signs: i8) -> i16 {
        let is_kind = |a: i8, b: i8| {
            a.abs().min(b.abs()) == low && a.abs().max(b.abs()) == high && a.signum() + b.signum() == signs
        };
        let counted = |a: u8| {
            let each_once = self.linked(a).filter(move |&b| a < b);
            each_once.filter(|&b| is_kind(self.tower(a), self.tower(b))).count() as i16
        };
        (0..CELLS).map(counted).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avalam::observations::{NAMES, OBSERVATIONS, Observations, Weights};
    use crate::avalam::{Move, START_FIRST};
    use crate::rules::Fixed;
    use crate::{Dice, Game};

    fn one_by_one(position: &Avalam, side: Side) -> [i16; OBSERVATIONS] {
        std::array::from_fn(|index| observe(position, side, index))
    }

    /// Every position of some random games with the move that is made in it.
    fn random_games(games: u64, mut look: impl FnMut(&Avalam, Option<Move>)) {
        let mut moves = Vec::new();
        for seed in 0..games {
            let (mut dice, mut position) = (Dice::seeded(&[seed]), Avalam::start(&Fixed));
            loop {
                position.legal_moves(&mut moves);
                let mv = (!moves.is_empty()).then(|| dice.pick(&moves));
                look(&position, mv);
                let Some(mv) = mv else { break };
                position.play_unchecked(mv);
            }
        }
    }

    #[test]
    fn three_ways_to_count_agree() {
        let mut updated = Observations::of(&Avalam::start(&Fixed));
        random_games(100, |position, mv| {
            let whole = Observations::of(position);
            assert_eq!(whole, updated, "{}", position.text());
            for side in Side::BOTH {
                assert_eq!(whole.counts(side), one_by_one(position, side), "{}", position.text());
            }
            updated = match mv {
                Some(mv) => updated.after(position, mv),
                None => Observations::of(&Avalam::start(&Fixed)),
            };
        });
    }

    #[test]
    fn every_move_updates_rightly() {
        random_games(30, |position, _| {
            let (whole, mut moves) = (Observations::of(position), Vec::new());
            position.legal_moves(&mut moves);
            for mv in moves {
                let mut after = *position;
                after.play_unchecked(mv);
                assert_eq!(whole.after(position, mv), Observations::of(&after), "{mv:?} {}", position.text());
            }
        });
    }

    #[test]
    fn a_half_turn_changes_nothing_and_exchanged_owners_exchange_the_counts() {
        random_games(20, |position, _| {
            let whole = Observations::of(position);
            assert_eq!(whole, Observations::of(&position.mirrored(1)));
            let exchanged = Avalam { first: position.towers() & !position.first, ..*position };
            let swapped = Observations::of(&exchanged);
            assert_eq!(swapped.counts(Side::First), whole.counts(Side::Second));
            assert_eq!(swapped.counts(Side::Second), whole.counts(Side::First));
        });
    }

    #[test]
    fn names_say_what_is_counted() {
        for (index, name) in NAMES.iter().enumerate().skip(1) {
            let numbers: Vec<usize> = name.split('-').filter_map(|part| part.parse().ok()).collect();
            match numbers[..] {
                [height] => assert_eq!(height, (index - TOWERS) % 5 + 1, "{name}"),
                [low, high] => assert_eq!((low, high), KINDS[(index - LINKS) / 3], "{name}"),
                _ => panic!("{name}"),
            }
            assert_eq!(name.contains("isolated"), (ISOLATED..LINKS).contains(&index), "{name}");
            let owner = if index < LINKS { (index - TOWERS) / 5 % 2 } else { (index - LINKS) % 3 };
            assert!(name.contains(["own", "enemy", "mixed"][owner]), "{name}");
        }
    }

    #[test]
    fn the_weighted_sum_is_that_of_the_counts() {
        let mut dice = Dice::seeded(&[5]);
        // Whole weights: their sums are exact in any order.
        let weights: [f64; OBSERVATIONS] = std::array::from_fn(|_| dice.below(200) as f64 - 100.0);
        let fast = Weights::new(&weights, 7.0);
        random_games(10, |position, _| {
            let whole = Observations::of(position);
            for side in Side::BOTH {
                let counts = whole.counts(side);
                let sum: f64 =
                    counts.iter().zip(weights).map(|(&count, weight)| f64::from(count) * weight).sum();
                assert_eq!(whole.value(side, &fast), sum + 7.0);
            }
        });
    }

    #[test]
    fn the_start_counted_by_hand() {
        // The colours are those of a chess board: neighbours in a row or column differ, on a diagonal they are alike.
        // Rows of 2, 4, 6, 8, 4+4, 8, 6, 4, 2 towers have 38 neighbours side by side, and the columns, which are the same
        // rows turned, as many. The rest of the 146 links of the 292 moves are diagonals.
        let start = Observations::of(&Avalam::start(&Fixed)).counts(Side::First);
        assert_eq!(START_FIRST.count_ones(), 24);
        for (name, count) in NAMES.iter().zip(start) {
            let expected = match *name {
                "own-towers-1" | "enemy-towers-1" => 24,
                "links-1-1-own" => 34,
                "links-1-1-enemy" => 36,
                "links-1-1-mixed" => 76,
                _ => 0,
            };
            assert_eq!(count, expected, "{name}");
        }
    }
}
