//! Tournaments: who meets whom, the cross table, and the rating list.
//!
//! A Swiss tournament is paired round by round, by what is played so far: the same results and the same seed give the same pairings, so
//! that one that was broken off goes on as if it had not been.

use std::cmp::Reverse;

use games::Dice;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stats::{Meeting, Pentanomial, Ratings, ratings};

use super::Results;

/// Who meets whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Schedule {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first meets everybody else.
    Gauntlet,
    /// So many rounds, in each of which players meet who stand alike and have not met.
    Swiss(usize),
}

impl Schedule {
    /// Rounds; all that is known beforehand is one.
    pub fn rounds(self) -> usize {
        if let Schedule::Swiss(rounds) = self { rounds } else { 1 }
    }

    /// The meetings of so many players, by their places; those of a Swiss tournament are not known beforehand.
    pub fn meetings(self, players: usize) -> Vec<(usize, usize)> {
        let hosts = match self {
            Schedule::Swiss(_) => 0,
            Schedule::RoundRobin => players,
            Schedule::Gauntlet => players.min(1),
        };
        (0..hosts).flat_map(|first| (first + 1..players).map(move |second| (first, second))).collect()
    }
}

/// How a player stands in a Swiss tournament, in half points. A bye counts as a meeting won with all its games.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// Half points.
    pub halves: u64,
    /// The half points of all whom it has met, once for each meeting.
    pub buchholz: u64,
    /// Rounds without an opponent.
    pub byes: usize,
}

/// The standings after some rounds: each a list of meetings with the half points of either player.
pub fn standings(players: usize, pairs: usize, rounds: &[Vec<(usize, usize, [u64; 2])>]) -> Vec<Standing> {
    let mut all = vec![Standing::default(); players];
    for round in rounds {
        let mut plays = vec![false; players];
        for &(first, second, halves) in round {
            for (player, halves) in [first, second].into_iter().zip(halves) {
                all[player].halves += halves;
                plays[player] = true;
            }
        }
        for player in (0..players).filter(|&player| !plays[player]) {
            all[player].halves += 4 * pairs as u64;
            all[player].byes += 1;
        }
    }
    let halves: Vec<u64> = all.iter().map(|standing| standing.halves).collect();
    for &(first, second, _) in rounds.iter().flatten() {
        all[first].buchholz += halves[second];
        all[second].buchholz += halves[first];
    }
    all
}

/// The next round: players by their points, then Buchholz, then a lot of the seed; each meets the next whom it has met least often, as long as
/// the others can be paired so too. Of an odd number the last has a bye of those who had fewest.
pub fn swiss_round(standings: &[Standing], met: &[(usize, usize)], seed: u64) -> Vec<(usize, usize)> {
    let lot = |player: usize| Dice::seeded(&[seed, SWISS, player as u64]).below(1 << 30);
    let mut order: Vec<usize> = (0..standings.len()).collect();
    order.sort_by_key(|&player| {
        let Standing { halves, buchholz, .. } = standings[player];
        (Reverse(halves), Reverse(buchholz), lot(player), player)
    });
    // Of an odd number, who may have the bye, the last first; of an even one the round is tried without.
    let fewest = order.iter().map(|&player| standings[player].byes).min();
    let byes: Vec<Option<usize>> = match order.len() % 2 {
        0 => vec![None],
        _ => order
            .iter()
            .rev()
            .filter(|&&player| Some(standings[player].byes) == fewest)
            .copied()
            .map(Some)
            .collect(),
    };
    let times = |a: usize, b: usize| met.iter().filter(|&&pair| pair == (a.min(b), a.max(b))).count();
    let mut tries = MOST_TRIES;
    for most in 0.. {
        for &bye in &byes {
            let seated: Vec<usize> = order.iter().copied().filter(|&player| Some(player) != bye).collect();
            let mut round = Vec::new();
            if pair_up(&seated, &|a, b| times(a, b) <= most, &mut round, &mut tries) {
                return round;
            }
        }
    }
    unreachable!("everybody may meet everybody often enough")
}

/// The stream of lots for places that are shared.
const SWISS: u64 = 0x0053_7769_7373;
/// Tries to avoid that players meet again, of which there are more than anybody can wait for where it cannot be avoided.
const MOST_TRIES: usize = 100_000;

/// Pairs the first with the next that it may meet such that all others can be paired too; false if there is no way.
fn pair_up(
    left: &[usize],
    may_meet: &dyn Fn(usize, usize) -> bool,
    round: &mut Vec<(usize, usize)>,
    tries: &mut usize,
) -> bool {
    let Some((&first, rest)) = left.split_first() else { return true };
    for (place, &other) in rest.iter().enumerate() {
        // Whoever has tried so often takes who comes next.
        if *tries > 0 && !may_meet(first, other) {
            continue;
        }
        *tries = tries.saturating_sub(1);
        let others = [&rest[..place], &rest[place + 1..]].concat();
        round.push((first.min(other), first.max(other)));
        if pair_up(&others, may_meet, round, tries) {
            return true;
        }
        round.pop();
    }
    false
}

/// All results of a tournament.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CrossTable {
    /// How many play.
    pub players: usize,
    /// One line a meeting.
    pub meetings: Vec<Meeting>,
}

impl CrossTable {
    /// Of the pairs that count.
    pub fn of(players: usize, results: &Results) -> Self {
        let empty = |(first, second)| Meeting { first, second, pairs: Pentanomial::default() };
        let mut meetings: Vec<Meeting> = results.meetings().into_iter().map(empty).collect();
        for pair in results.counted() {
            let meeting = meetings.iter_mut().find(|m| (m.first, m.second) == (pair.first, pair.second));
            meeting.expect("only what was asked for is counted").pairs.add(pair.halves());
        }
        Self { players, meetings }
    }

    /// Points and games of a player against another; None if they do not meet.
    pub fn points(&self, player: usize, other: usize) -> Option<(f64, u64)> {
        let of = |m: &Meeting| {
            let pairs = match (m.first, m.second) {
                pair if pair == (player, other) => m.pairs,
                pair if pair == (other, player) => m.pairs.reversed(),
                _ => return None,
            };
            // Whole halves, where a share times the games would be a little off.
            let halves: u64 = (0..).zip(pairs.0).map(|(halves, count)| halves * count).sum();
            Some((halves as f64 / 2.0, 2 * pairs.pairs()))
        };
        self.meetings.iter().find_map(of)
    }

    /// The rating list.
    pub fn ratings(&self) -> Ratings {
        ratings(self.players, &self.meetings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody_once() {
        assert_eq!(Schedule::RoundRobin.meetings(3), [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(Schedule::Gauntlet.meetings(4), [(0, 1), (0, 2), (0, 3)]);
        assert_eq!(Schedule::RoundRobin.meetings(7).len(), 21);
        assert!(Schedule::Gauntlet.meetings(0).is_empty());
    }

    /// The pairings of a tournament in which the stronger always wins, and how it ends.
    fn swiss(players: usize, rounds: usize, seed: u64) -> (Vec<Vec<(usize, usize)>>, Vec<Standing>) {
        let (mut played, mut met) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            let round = swiss_round(&standings(players, 1, &played), &met, seed);
            met.extend(&round);
            // A lower number is stronger.
            played.push(round.into_iter().map(|(a, b)| (a, b, [4, 0])).collect::<Vec<_>>());
        }
        let pairings = played.iter().map(|round| round.iter().map(|&(a, b, _)| (a, b)).collect());
        (pairings.collect(), standings(players, 1, &played))
    }

    #[test]
    fn a_swiss_round_pairs_everybody_once_and_nobody_again_while_avoidable() {
        for players in 2..=13 {
            // As many rounds as a round robin has.
            let all: usize = players - 1 + players % 2;
            for rounds in [all.div_ceil(2), all] {
                let (pairings, end) = swiss(players, rounds, 7);
                let mut met: Vec<(usize, usize)> = Vec::new();
                for round in &pairings {
                    let mut seated: Vec<usize> = round.iter().flat_map(|&(a, b)| [a, b]).collect();
                    seated.sort_unstable();
                    seated.dedup();
                    assert_eq!((seated.len(), round.len()), (players / 2 * 2, players / 2));
                    met.extend(round);
                }
                let (count, byes) = (met.len(), end.iter().map(|standing| standing.byes).max());
                met.sort_unstable();
                met.dedup();
                assert!(byes <= Some(usize::from(players % 2 == 1)), "{players} players, {rounds} rounds");
                assert!(
                    rounds == all || met.len() == count,
                    "{players} players, {rounds} rounds: {pairings:?}"
                );
            }
        }
        // Two have nobody else.
        assert_eq!(swiss(2, 3, 1).0, vec![vec![(0, 1)]; 3]);
    }

    #[test]
    fn a_swiss_tournament_sorts_a_field() {
        for seed in 0..20 {
            let (pairings, end) = swiss(16, 6, seed);
            assert_eq!(pairings, swiss(16, 6, seed).0);
            // The best has won all its games and the worst none, and the better half has more points.
            assert_eq!((end[0].halves, end[15].halves), (24, 0));
            let points = |players: &[Standing]| players.iter().map(|standing| standing.halves).sum::<u64>();
            assert!(points(&end[..4]) > points(&end[12..]) && points(&end[..8]) > points(&end[8..]));
        }
        assert_ne!(swiss(16, 1, 1).0, swiss(16, 1, 2).0, "the seed draws lots");
    }

    #[test]
    fn points_are_seen_from_both_sides() {
        let pairs = Pentanomial([1, 0, 2, 1, 2]);
        let table = CrossTable { players: 3, meetings: vec![Meeting { first: 0, second: 2, pairs }] };
        assert_eq!((table.points(0, 2), table.points(2, 0)), (Some((7.5, 12)), Some((4.5, 12))));
        assert_eq!(table.points(0, 1), None);
        for count in 0..300 {
            let pairs = Pentanomial([count, 1, 100, 7, 2]);
            let table = CrossTable { players: 2, meetings: vec![Meeting { first: 0, second: 1, pairs }] };
            assert_eq!(table.points(0, 1), Some((115.0, 2 * count + 220)));
        }
    }
}
