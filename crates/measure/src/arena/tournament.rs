//! Tournaments: who meets whom, the cross table, and the rating list.

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
}

impl Schedule {
    /// The meetings of so many players, by their places.
    pub fn meetings(self, players: usize) -> Vec<(usize, usize)> {
        let hosts = match self {
            Schedule::RoundRobin => players,
            Schedule::Gauntlet => players.min(1),
        };
        (0..hosts).flat_map(|first| (first + 1..players).map(move |second| (first, second))).collect()
    }
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
    pub fn of(players: usize, schedule: Schedule, results: &Results) -> Self {
        let empty = |(first, second)| Meeting { first, second, pairs: Pentanomial::default() };
        let mut meetings: Vec<Meeting> = schedule.meetings(players).into_iter().map(empty).collect();
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
