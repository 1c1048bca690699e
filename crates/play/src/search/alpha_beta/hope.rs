//! Hope, a swindle: who is behind plays the move after which the answers that look best to the static evaluation are mistakes.
//!
//! The value of minimax is that against somebody who sees as far as the search does. Most see less, and a side that is behind has less to
//! lose. With a hope h a move is worth 1 - h of its value and h of what comes of the answers that look best to the evaluation alone, each
//! searched as deep as all others. Where the game is decided nothing is hoped for: there the endgame and the traps have their say.

use games::{Game, Side, Turn};

use super::{AlphaBeta, Node};
use crate::PlayedGame;
use crate::search::evaluation::{Evaluation, is_decided};

/// Whoever sees less than this knows too little to give something away.
pub(super) const LEAST_DEPTH: u32 = 3;
/// The share of a move's limits that is kept for it.
pub(super) const SHARE: f64 = 0.25;
/// Moves that are looked at.
const MOVES: usize = 12;
/// Answers to each.
const ANSWERS: usize = 3;
/// How likely each answer is in comparison with the one that looks next better.
const NEXT: f64 = 0.5;

/// A move and what it leads to.
struct Candidate<G: Game, S> {
    mv: G::Move,
    after: G,
    sums: S,
    /// What it comes to if it is answered well, two plies deep.
    value: f64,
}

impl<G: PlayedGame, E: Evaluation<G>> AlphaBeta<G, E> {
    /// Whether a search that has come to this depth with this value goes on to hope.
    pub(super) fn hopes(&self, depth: u32, value: f64) -> bool {
        self.hope > 0.0 && depth >= LEAST_DEPTH && value < 0.0 && !is_decided(value)
    }

    /// The move to play, where a search of `depth` plies has found `best`. If the watch stops it, the best of those looked at.
    pub(super) fn hoped(&mut self, position: &G, side: Side, best: G::Move, depth: u32) -> G::Move {
        let hope = self.hope;
        let (mut chosen, mut most) = (best, f64::NEG_INFINITY);
        for Candidate { mv, after, sums, .. } in self.candidates(position, side, best) {
            let likely = self.likely(&after, &sums, side, depth);
            // What its value must be above to make it the best so far: most moves need not be known better than that.
            let enough = (most - hope * likely) / (1.0 - hope);
            let value = -self.valued(&after, &sums, side.other(), depth - 1, 1, -enough);
            if self.watch.stopped {
                break;
            }
            if value > enough && !is_decided(value) {
                (chosen, most) = (mv, (1.0 - hope) * value + hope * likely);
            }
        }
        chosen
    }

    /// The moves that are worth a look: `best`, then the others by their values two plies deep.
    fn candidates(&mut self, position: &G, side: Side, best: G::Move) -> Vec<Candidate<G, E::Sums>> {
        let sums = self.evaluation.fresh(position);
        let mut found: Vec<Candidate<G, E::Sums>> = Vec::new();
        for (_, mv, after) in self.looks(position, &sums, side) {
            let sums = self.evaluation.after(&sums, position, mv, &after);
            let least = if found.len() < MOVES { f64::NEG_INFINITY } else { found[MOVES - 1].value };
            let value = match mv == best {
                true => f64::INFINITY,
                false if after.turn() == Turn::Over => continue,
                false => -self.valued(&after, &sums, side.other(), 1, 1, -least),
            };
            if value > least {
                let place = found.partition_point(|other| other.value >= value);
                found.insert(place, Candidate { mv, after, sums, value });
                found.truncate(MOVES);
            }
        }
        found
    }

    /// What comes of the answers that look best, the first of them counting most.
    fn likely(&mut self, after: &G, sums: &E::Sums, side: Side, depth: u32) -> f64 {
        let (mut sum, mut weights, mut weight) = (0.0, 0.0, 1.0);
        for (_, answer, answered) in self.looks(after, sums, side.other()).into_iter().take(ANSWERS) {
            let sums = self.evaluation.after(sums, after, answer, &answered);
            let value = self.valued(&answered, &sums, side, depth - 2, 2, f64::INFINITY);
            sum += weight * value;
            weights += weight;
            weight *= NEXT;
        }
        sum / weights
    }

    /// The value of a position for the side to move. If it fails high, only that it is at least `beta` is known.
    fn valued(&mut self, position: &G, sums: &E::Sums, side: Side, depth: u32, ply: usize, beta: f64) -> f64 {
        self.visit(position, sums, Node { side, depth, ply, alpha: f64::NEG_INFINITY, beta })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::evaluation::{RandomHash, rate};
    use crate::search::limits::Budget;
    use crate::search::minimax::Minimax;
    use crate::search::{Limits, Searcher};
    use games::Dice;
    use games::avalam::Avalam;

    const EVALUATION: RandomHash = RandomHash { seed: 5, values: 1 << 26 };

    /// The score, with differences between equals.
    struct Uneven;

    impl Evaluation<Avalam> for Uneven {
        type Sums = ();

        fn fresh(&self, _position: &Avalam) {}

        fn value(&self, position: &Avalam, sums: &(), side: Side) -> f64 {
            1e8 * position.score(side) / 48.0 + Evaluation::value(&EVALUATION, position, sums, side) / 100.0
        }
    }

    fn middle(dice: &mut Dice) -> Avalam {
        let mut position = Avalam::start(&Default::default());
        let mut moves = Vec::new();
        for _ in 0..19 {
            let mv = position.random_move(dice, &mut moves).unwrap();
            position.play_unchecked(mv);
        }
        position
    }

    fn minimax(position: &Avalam, depth: u32) -> f64 {
        Minimax(EVALUATION).search(position, &Limits::depth(depth), &mut Dice::seeded(&[1])).value
    }

    /// The moves, those that look best at first sight first.
    fn by_looks(position: &Avalam) -> Vec<(games::avalam::Move, Avalam)> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let play = |mv| {
            let mut after = *position;
            after.play_unchecked(mv);
            (mv, after)
        };
        let mut all: Vec<_> = moves.into_iter().map(play).collect();
        let look = |after: &Avalam| rate(&EVALUATION, after, &(), position.side(), 1);
        all.sort_by(|a, b| look(&b.1).total_cmp(&look(&a.1)));
        all
    }

    /// What a move is worth, by its definition.
    fn worth(after: &Avalam, hope: f64, depth: u32) -> f64 {
        let answers = by_looks(after).into_iter().take(ANSWERS).map(|(_, one)| minimax(&one, depth - 2));
        let (sum, weights) = answers.zip(0..).fold((0.0, 0.0), |(sum, weights), (value, rank)| {
            (sum + math::powi(NEXT, rank) * value, weights + math::powi(NEXT, rank))
        });
        (1.0 - hope) * -minimax(after, depth - 1) + hope * sum / weights
    }

    #[test]
    fn the_chosen_move_is_worth_most_of_those_looked_at() {
        let mut dice = Dice::seeded(&[82]);
        let mut others = 0;
        for _ in 0..12 {
            let position = middle(&mut dice);
            let best = Minimax(EVALUATION).search(&position, &Limits::depth(3), &mut dice).best;
            let mut search = AlphaBeta::new(EVALUATION, 1);
            search.hope = 0.5;
            search.watch = Budget::new(None, None);
            let chosen = search.hoped(&position, position.side(), best, 3);
            let mut candidates = by_looks(&position);
            let key = |(mv, after): &(_, Avalam)| {
                if *mv == best { f64::INFINITY } else { -minimax(after, 1) }
            };
            candidates.sort_by(|a, b| key(b).total_cmp(&key(a)));
            let worths = candidates.iter().take(MOVES).map(|(mv, after)| (worth(after, 0.5, 3), *mv));
            let (_, most) = worths.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
            assert_eq!(chosen, most, "{}", position.text());
            others += u32::from(chosen != best);
        }
        assert!(others > 2, "{others}");
    }

    #[test]
    fn hope_is_for_who_is_behind_and_keeps_to_the_limits() {
        let mut dice = Dice::seeded(&[83]);
        let (mut ahead, mut behind) = (0, 0);
        for _ in 0..16 {
            let position = middle(&mut dice);
            let mut search = |hope: f64| {
                let mut search = AlphaBeta::new(Uneven, 1);
                search.hope = hope;
                search.search(&position, &Limits::nodes(200_000), &mut dice)
            };
            let (plain, hoping) = (search(0.0), search(0.9));
            assert!(
                hoping.nodes <= 201_000 && hoping.depth >= LEAST_DEPTH,
                "{} {}",
                hoping.nodes,
                hoping.depth
            );
            if hoping.value < 0.0 {
                behind += u32::from(hoping.best != plain.best);
            } else {
                ahead += 1;
                assert_eq!(hoping.best, plain.best, "{}", position.text());
            }
        }
        assert!(ahead > 2 && behind > 2, "{ahead} {behind}");
    }
}
