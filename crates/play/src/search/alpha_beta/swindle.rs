//! Swindles: moves that gain nothing against perfect play, chosen because the other side is likely to err after them.
//!
//! The value of minimax is that against somebody who sees as far as the search does. Most see less, and a side that is behind has less to
//! lose. With a swindle of h a move is worth 1 - h of its value and h of what comes of the answers that look best to the static evaluation
//! alone, each searched as deep as all others.
//!
//! Where the game is decided that says nothing; there traps are set. Once the endgame says that all moves lose, they are equal only against
//! perfect play. The evaluation guesses the answers that the other side would like; for each the endgame says what it would come to. What
//! counts is how many of the likeliest answers are mistakes. A draw is held, and traps are set among the moves that hold it.

use games::{Game, Side, Turn};

use super::{AlphaBeta, Node};
use crate::PlayedGame;
use crate::search::endgame::Outcome;
use crate::search::evaluation::{Evaluation, is_decided, rate};

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
    /// Whether a search that has come to this depth with this value goes on to a swindle.
    pub(super) fn swindles(&self, depth: u32, value: f64) -> bool {
        self.swindle > 0.0 && depth >= LEAST_DEPTH && value < 0.0 && !is_decided(value)
    }

    /// The move to play, where a search of `depth` plies has found `best`. If the watch stops it, the best of those looked at.
    pub(super) fn swindled(&mut self, position: &G, side: Side, best: G::Move, depth: u32) -> G::Move {
        let swindle = self.swindle;
        let (mut chosen, mut most) = (best, f64::NEG_INFINITY);
        for Candidate { mv, after, sums, .. } in self.candidates(position, side, best) {
            let likely = self.likely(&after, &sums, side, depth);
            // What its value must be above to make it the best so far: most moves need not be known better than that.
            let enough = (most - swindle * likely) / (1.0 - swindle);
            let value = -self.valued(&after, &sums, side.other(), depth - 1, 1, -enough);
            if self.watch.stopped {
                break;
            }
            if value > enough && !is_decided(value) {
                (chosen, most) = (mv, (1.0 - swindle) * value + swindle * likely);
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

/// How likely each answer is in comparison with the one that looks next better.
const TRAP_NEXT: f64 = 0.6;
/// Answers that are looked at.
const TRAP_ANSWERS: usize = 10;

/// A move, the positions after the answers to it, the best looking first, and what mistakes among them bring.
struct Trap<G: Game> {
    mv: G::Move,
    answered: Vec<G>,
    gain: f64,
}

impl<G: PlayedGame, E: Evaluation<G>> AlphaBeta<G, E> {
    /// The move to play where perfect play comes to `sure`: 0 lost, 0.5 drawn. `preferred` gets there, and is played if no trap is found
    /// before the watch ends the search.
    pub(super) fn trap(&mut self, position: &G, side: Side, preferred: G::Move, sure: f64) -> G::Move {
        let mut traps = self.openings_of_traps(position, side, preferred, sure);
        for rank in 0..TRAP_ANSWERS {
            for trap in &mut traps {
                let Some(answered) = trap.answered.get(rank) else { continue };
                let Some(worth) = self.worth(answered, side) else { break };
                trap.gain += math::powi(TRAP_NEXT, rank as i32) * (worth - sure).max(0.0);
            }
            if self.watch.look(self.nodes) {
                break;
            }
        }
        let best = traps.iter().map(|trap| trap.gain).fold(0.0, f64::max);
        // The preferred one stands first.
        traps.iter().find(|trap| trap.gain >= best).map_or(preferred, |trap| trap.mv)
    }

    /// The moves that come to `sure`, the preferred one first and then those that look best.
    fn openings_of_traps(&mut self, position: &G, side: Side, preferred: G::Move, sure: f64) -> Vec<Trap<G>> {
        let sums = self.evaluation.fresh(position);
        let mut ranked = self.looks(position, &sums, side);
        if let Some(at) = ranked.iter().position(|(_, mv, _)| *mv == preferred) {
            ranked[..=at].rotate_right(1);
        }
        let mut traps = Vec::new();
        for (_, mv, child) in ranked {
            if mv != preferred && sure > 0.0 {
                match self.worth(&child, side) {
                    Some(worth) if worth >= sure => {}
                    Some(_) => continue,
                    None => break,
                }
            }
            if child.turn() == Turn::Over {
                traps.push(Trap { mv, answered: Vec::new(), gain: 0.0 });
                continue;
            }
            let sums = self.evaluation.fresh(&child);
            let answers = self.looks(&child, &sums, side.other());
            let answered = answers.into_iter().take(TRAP_ANSWERS).map(|(_, _, after)| after).collect();
            traps.push(Trap { mv, answered, gain: 0.0 });
        }
        traps
    }

    /// The moves of a side, those that look best first, and where they lead.
    pub(super) fn looks(&mut self, position: &G, sums: &E::Sums, side: Side) -> Vec<(f64, G::Move, G)> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let look = |mv: G::Move| {
            let (after, sums) = self.child(position, sums, mv);
            (rate(&self.evaluation, &after, &sums, side, 1), mv, after)
        };
        let mut ranked: Vec<_> = moves.into_iter().map(look).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        ranked
    }

    /// What perfect play from a position comes to for a side: 1 won, 0.5 drawn, 0 lost. None if the watch stopped it.
    fn worth(&mut self, position: &G, side: Side) -> Option<f64> {
        let Turn::Player(mover) = position.turn() else {
            let value = position.final_value(side);
            return Some(if value == 0.0 { 0.5 } else { f64::from(u8::from(value > 0.0)) });
        };
        let endgame = self.endgame.as_mut()?;
        let outcome = endgame.solve(position, mover != side, &mut self.watch, &mut self.nodes)?;
        let worth = match outcome {
            Outcome::Won(_) => 1.0,
            Outcome::Drawn(_) => 0.5,
            Outcome::Lost => 0.0,
            Outcome::Exact(_, 0.0) => 0.5,
            Outcome::Exact(_, margin) => f64::from(u8::from(margin > 0.0)),
        };
        Some(if mover == side { worth } else { 1.0 - worth })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::evaluation::RandomHash;
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
        Minimax::new(EVALUATION).search(position, &Limits::depth(depth), &mut Dice::seeded(&[1])).value
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
    fn worth(after: &Avalam, swindle: f64, depth: u32) -> f64 {
        let answers = by_looks(after).into_iter().take(ANSWERS).map(|(_, one)| minimax(&one, depth - 2));
        let (sum, weights) = answers.zip(0..).fold((0.0, 0.0), |(sum, weights), (value, rank)| {
            (sum + math::powi(NEXT, rank) * value, weights + math::powi(NEXT, rank))
        });
        (1.0 - swindle) * -minimax(after, depth - 1) + swindle * sum / weights
    }

    #[test]
    fn the_chosen_move_is_worth_most_of_those_looked_at() {
        let mut dice = Dice::seeded(&[82]);
        let mut others = 0;
        for _ in 0..12 {
            let position = middle(&mut dice);
            let best = Minimax::new(EVALUATION).search(&position, &Limits::depth(3), &mut dice).best;
            let mut search = AlphaBeta::new(EVALUATION, 1);
            search.swindle = 0.5;
            search.watch = Budget::new(None, None);
            let chosen = search.swindled(&position, position.side(), best, 3);
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
    fn a_swindle_is_for_who_is_behind_and_keeps_to_the_limits() {
        let mut dice = Dice::seeded(&[83]);
        let (mut ahead, mut behind) = (0, 0);
        for _ in 0..16 {
            let position = middle(&mut dice);
            let mut search = |swindle: f64| {
                let mut search = AlphaBeta::new(Uneven, 1);
                search.swindle = swindle;
                search.search(&position, &Limits::nodes(200_000), &mut dice)
            };
            let (plain, swindling) = (search(0.0), search(0.9));
            assert!(
                swindling.nodes <= 201_000 && swindling.depth >= LEAST_DEPTH,
                "{} {}",
                swindling.nodes,
                swindling.depth
            );
            if swindling.value < 0.0 {
                behind += u32::from(swindling.best != plain.best);
            } else {
                ahead += 1;
                assert_eq!(swindling.best, plain.best, "{}", position.text());
            }
        }
        assert!(ahead > 2 && behind > 2, "{ahead} {behind}");
    }
}

#[cfg(test)]
mod trap_tests {
    use super::*;
    use crate::search::endgame::avalam::tests::{late, plain};
    use crate::search::evaluation::Score;
    use crate::search::{Limits, Searcher};
    use games::Dice;
    use games::avalam::Avalam;

    /// What all lines say a position comes to for a side.
    fn comes_to(position: &Avalam, side: Side) -> f64 {
        let value = if position.side() == side { plain(position) } else { -plain(position) };
        if value == 0 { 0.5 } else { f64::from(u8::from(value > 0)) }
    }

    fn after(position: &Avalam) -> Vec<Avalam> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let play = |mv| {
            let mut after = *position;
            after.play_unchecked(mv);
            after
        };
        moves.into_iter().map(play).collect()
    }

    /// What mistakes after a move bring by definition, for the score as the evaluation.
    fn gain(child: &Avalam, side: Side, sure: f64) -> f64 {
        let mut answered = after(child);
        let look = |one: &Avalam| rate(&Score, one, &(), side.other(), 1);
        answered.sort_by(|a, b| look(b).total_cmp(&look(a)));
        let mistakes = answered.iter().take(TRAP_ANSWERS).map(|one| (comes_to(one, side) - sure).max(0.0));
        mistakes.zip(0..).map(|(one, rank)| one * math::powi(TRAP_NEXT, rank)).sum()
    }

    #[test]
    fn nothing_is_given_away_and_the_likeliest_mistake_is_played_for() {
        let mut dice = Dice::seeded(&[81]);
        let (mut lost, mut drawn, mut better) = (0, 0, 0);
        while lost < 30 || drawn < 5 {
            let position = late(&mut dice, 14);
            let side = position.side();
            let sure = comes_to(&position, side);
            if sure == 1.0 || position.count_moves() < 2 {
                continue;
            }
            *(if sure == 0.0 { &mut lost } else { &mut drawn }) += 1;
            let mut search = AlphaBeta::new(Score, 1).with_endgame(Avalam::endgame(1));
            let found = search.search(&position, &Limits::nodes(1_000_000), &mut dice);
            let mut played = position;
            played.play(found.best).unwrap();
            assert!(comes_to(&played, side) >= sure, "{}", position.text());
            let gains = after(&position).into_iter().filter(|child| comes_to(child, side) >= sure);
            let gains: Vec<f64> = gains.map(|child| gain(&child, side, sure)).collect();
            let most = gains.iter().copied().fold(0.0, f64::max);
            assert!((gain(&played, side, sure) - most).abs() < 1e-12, "{gains:?} in {}", position.text());
            better += u32::from(gains.iter().any(|gain| *gain < most));
        }
        assert!(better > 10, "{better}");
    }
}
