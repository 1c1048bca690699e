//! A way to a position from the start of the game: an engine that is told moves cannot be told positions, and games of an arena
//! begin after an opening.

use std::collections::HashSet;

use games::Game;
use games::othello::{Move, Othello};
use games::rules::Fixed;

/// Positions to look at before giving up: openings of some 14 plies are found well within.
const MOST: usize = 2_000_000;

/// Moves that lead from the start to a position; `None` if none are found.
pub fn to(target: &Othello) -> Option<Vec<Move>> {
    let mut search = Search { target, dead: HashSet::new(), line: Vec::new(), left: MOST };
    search.reaches(Othello::start(&Fixed)).then_some(search.line)
}

struct Search<'a> {
    target: &'a Othello,
    dead: HashSet<Othello>,
    line: Vec<Move>,
    left: usize,
}

impl Search<'_> {
    fn reaches(&mut self, position: Othello) -> bool {
        if position == *self.target {
            return true;
        }
        let wanted = self.target.own() | self.target.opponent();
        let there = position.own() | position.opponent();
        // Passes add no disc, so that the target may still be a pass away.
        if there == wanted && !position.is_legal(Move::PASS)
            || self.left == 0
            || self.dead.contains(&position)
        {
            return false;
        }
        self.left -= 1;
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        for mv in moves {
            if mv.index().is_some_and(|square| wanted >> square & 1 == 0) {
                continue;
            }
            let mut after = position;
            after.play_unchecked(mv);
            self.line.push(mv);
            if self.reaches(after) {
                return true;
            }
            self.line.pop();
        }
        self.dead.insert(position);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Dice;

    #[test]
    fn openings_are_reached() {
        for seed in 0..20 {
            let (mut dice, mut moves) = (Dice::seeded(&[seed, 7]), Vec::new());
            let mut target = Othello::start(&Fixed);
            for _ in 0..seed % 13 {
                target.legal_moves(&mut moves);
                target.play_unchecked(dice.pick(&moves));
            }
            let mut position = Othello::start(&Fixed);
            for mv in to(&target).unwrap() {
                position.play(mv).unwrap();
            }
            assert_eq!(position, target);
        }
        let never = Othello::parse(&Fixed, &format!("XO{} X", "-".repeat(62))).unwrap();
        assert_eq!(to(&never), None);
    }
}
