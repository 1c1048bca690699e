//! A rating list of several players: Bradley and Terry (1952), draws as half a win, by maximum likelihood. The expected
//! score of two players depends on the difference of their ratings alone, and the mean of the list is 0.
//!
//! Intervals come from the information of the games with the spread of whole pairs in the middle (the "sandwich" of Huber
//! 1967): two games from one opening are not independent, and drawn games vary less than the model thinks. As in
//! [`super::Elo`], half a pair lost twice and half a pair won twice are added to the spread of each meeting.

use serde::Serialize;

use super::{PAIR_SCORES, Pentanomial, Z95};

/// Two players and how their pairs came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Meeting {
    /// The first player's place in the list.
    pub first: usize,
    /// The second player's.
    pub second: usize,
    /// Pairs by the score of the first.
    pub pairs: Pentanomial,
}

/// A line of the list.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rating {
    /// The player's place in the list of players.
    pub player: usize,
    /// Games played.
    pub games: u64,
    /// Points over games; not a number without games.
    pub score: f64,
    /// The rating; the mean of all is 0.
    pub elo: f64,
    /// Its 95 % interval.
    pub ci95: [f64; 2],
}

/// A rating list, the best first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ratings {
    /// One line a player.
    pub list: Vec<Rating>,
    /// Some players only won or only lost against the rest, so that no finite list is the likeliest: a drawn game between
    /// every two players was added.
    pub held_together: bool,
}

/// Elo per unit of the natural logistic scale.
const UNIT: f64 = 400.0 / std::f64::consts::LN_10;

/// The ratings of `players` players.
#[must_use]
pub fn ratings(players: usize, meetings: &[Meeting]) -> Ratings {
    // points[i][j] of i against j, both ways.
    let mut points = vec![vec![0.0; players]; players];
    for meeting in meetings {
        let (i, j, games) = (meeting.first, meeting.second, 2.0 * meeting.pairs.pairs() as f64);
        let won = if games > 0.0 { meeting.pairs.score() * games } else { 0.0 };
        points[i][j] += won;
        points[j][i] += games - won;
    }
    let played = |i: usize| (0..players).map(|j| points[i][j] + points[j][i]).sum::<f64>();
    let won = |i: usize| points[i].iter().sum::<f64>();
    let lines: Vec<(u64, f64)> = (0..players).map(|i| (played(i) as u64, won(i) / played(i))).collect();
    let held_together = !has_a_likeliest(&points);
    if held_together {
        for i in 0..players {
            (0..players).filter(|&j| j != i).for_each(|j| points[i][j] += 0.5);
        }
    }
    let strength = likeliest(&points);
    let errors = standard_errors(&points, &strength, meetings);
    let line = |player: usize| {
        let (elo, half) = (strength[player] * UNIT, Z95 * errors[player] * UNIT);
        let (games, score) = lines[player];
        Rating { player, games, score, elo, ci95: [elo - half, elo + half] }
    };
    let mut list: Vec<Rating> = (0..players).map(line).collect();
    list.sort_by(|a, b| b.elo.total_cmp(&a.elo).then(a.player.cmp(&b.player)));
    Ratings { list, held_together }
}

/// Whether from every player a chain of points leads to every other (Ford 1957).
fn has_a_likeliest(points: &[Vec<f64>]) -> bool {
    let n = points.len();
    let reaches_all = |edge: &dyn Fn(usize, usize) -> bool| {
        let mut seen = vec![false; n];
        let mut open = vec![0];
        while let Some(i) = open.pop() {
            if !std::mem::replace(&mut seen[i], true) {
                open.extend((0..n).filter(|&j| edge(i, j)));
            }
        }
        seen.into_iter().all(|seen| seen)
    };
    n == 0 || reaches_all(&|i, j| points[i][j] > 0.0) && reaches_all(&|i, j| points[j][i] > 0.0)
}

fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + math::exp(-difference))
}

/// The likeliest strengths on the natural scale, by Newton's method with short steps; the logarithm of the likelihood is
/// concave.
fn likeliest(points: &[Vec<f64>]) -> Vec<f64> {
    let n = points.len();
    let mut strength = vec![0.0; n];
    for _ in 0..500 {
        let mut slope = vec![0.0; n];
        for i in 0..n {
            for j in 0..n {
                let games = points[i][j] + points[j][i];
                slope[i] += points[i][j] - games * expected(strength[i] - strength[j]);
            }
        }
        let step = solved(information(points, &strength), vec![slope]).remove(0);
        let longest = step.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        // A step of more than one could leap over the hill.
        let share = if longest > 1.0 { 1.0 / longest } else { 1.0 };
        strength.iter_mut().zip(&step).for_each(|(s, x)| *s += share * x);
        if longest < 1e-12 {
            break;
        }
    }
    let mean = strength.iter().sum::<f64>() / n.max(1) as f64;
    strength.iter().map(|s| s - mean).collect()
}

/// The information of the games, made regular by fixing the mean.
fn information(points: &[Vec<f64>], strength: &[f64]) -> Vec<Vec<f64>> {
    let n = points.len();
    let mut matrix = vec![vec![1.0 / n as f64; n]; n];
    for i in 0..n {
        for j in (0..n).filter(|&j| j != i) {
            let p = expected(strength[i] - strength[j]);
            let weight = (points[i][j] + points[j][i]) * p * (1.0 - p);
            matrix[i][i] += weight;
            matrix[i][j] -= weight;
        }
    }
    matrix
}

fn standard_errors(points: &[Vec<f64>], strength: &[f64], meetings: &[Meeting]) -> Vec<f64> {
    let n = points.len();
    let identity: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    let mut inverse = solved(information(points, strength), identity);
    // The mean is fixed: what only shifts all ratings is no error.
    for row in &mut inverse {
        let mean = row.iter().sum::<f64>() / n as f64;
        row.iter_mut().for_each(|x| *x -= mean);
    }
    let error = |player: usize| {
        let row = &inverse[player];
        let part = |meeting: &Meeting| {
            let p = expected(strength[meeting.first] - strength[meeting.second]);
            let counts = meeting.pairs.0.iter().zip(PAIR_SCORES);
            let seen: f64 = counts.map(|(&count, x)| count as f64 * math::powi(x - p, 2)).sum();
            // A pair's points are twice its score.
            let spread = 4.0 * (seen + 0.5 * (p * p + math::powi(1.0 - p, 2)));
            spread * math::powi(row[meeting.first] - row[meeting.second], 2)
        };
        meetings.iter().map(part).sum::<f64>().sqrt()
    };
    (0..n).map(error).collect()
}

/// Solves `matrix` x = b for every b, by elimination; the matrix is symmetric and positive definite.
fn solved(mut matrix: Vec<Vec<f64>>, mut sides: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    for k in 0..n {
        for i in (0..n).filter(|&i| i != k) {
            let factor = matrix[i][k] / matrix[k][k];
            if factor != 0.0 {
                for j in k..n {
                    matrix[i][j] -= factor * matrix[k][j];
                }
                sides.iter_mut().for_each(|b| b[i] -= factor * b[k]);
            }
        }
    }
    sides.iter_mut().for_each(|b| (0..n).for_each(|i| b[i] /= matrix[i][i]));
    sides
}

#[cfg(test)]
mod tests {
    use math::Dice;

    use super::super::draws::uniform;
    use super::super::{Elo, score_of_elo};
    use super::*;

    fn meeting(first: usize, second: usize, pairs: [u64; 5]) -> Meeting {
        Meeting { first, second, pairs: Pentanomial(pairs) }
    }

    #[test]
    fn two_players_are_as_far_apart_as_their_score_says() {
        let pairs = [50, 100, 200, 150, 100];
        let list = ratings(2, &[meeting(0, 1, pairs)]);
        let elo = Elo::of_pairs(&Pentanomial(pairs));
        let difference = list.list[0].elo - list.list[1].elo;
        assert!(!list.held_together && (difference - elo.elo).abs() < 1e-9, "{difference} {elo:?}");
        // Each is half the difference away from the mean, and so is the error.
        let half = (list.list[0].ci95[1] - list.list[0].ci95[0]) / 2.0;
        assert!((half - elo.half_width() / 2.0).abs() < 0.02 * half, "{half} {}", elo.half_width());
        assert_eq!((list.list[0].player, list.list[0].games), (0, 1200));
        assert!((list.list[0].score + list.list[1].score - 1.0).abs() < 1e-12);
    }

    #[test]
    fn three_players_by_hand() {
        // Scores of 10/11 and 1/2 are 400 and 0 apart: with 10/11 against both, the first is 400 above either.
        let ten = |first, second| meeting(first, second, [1, 0, 0, 0, 10]);
        let list = ratings(3, &[ten(0, 1), ten(0, 2), meeting(1, 2, [5, 0, 0, 0, 5])]).list;
        assert!((list[0].elo - 800.0 / 3.0).abs() < 1e-6, "{list:?}");
        assert!((list[1].elo + 400.0 / 3.0).abs() < 1e-6 && (list[2].elo + 400.0 / 3.0).abs() < 1e-6);
    }

    #[test]
    fn whoever_won_everything_stays_on_the_list() {
        let list = ratings(3, &[meeting(0, 1, [0, 0, 0, 0, 9]), meeting(1, 2, [0, 0, 0, 0, 9])]);
        assert!(list.held_together);
        assert_eq!(list.list.iter().map(|line| line.player).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(list.list.iter().all(|line| line.elo.is_finite() && line.ci95[1].is_finite()));
        // Nobody has played, and nobody is there.
        let none = ratings(3, &[]);
        assert!(none.held_together && none.list.iter().all(|line| line.elo == 0.0 && line.games == 0));
        assert!(ratings(0, &[]).list.is_empty());
    }

    #[test]
    fn intervals_cover_the_ratings() {
        let truth = [60.0, 10.0, -20.0, -50.0];
        let (mut covered, trials) = (0, 400);
        for trial in 0..trials {
            let mut dice = Dice::seeded(&[41, trial]);
            let mut meetings = Vec::new();
            for first in 0..4 {
                for second in first + 1..4 {
                    let mut pairs = Pentanomial::default();
                    for _ in 0..60 {
                        // An opening that helps one side by 150: the games of a pair are bound together.
                        let mut game = |side: f64| {
                            let p = score_of_elo(truth[first] - truth[second] + side);
                            2 * usize::from(uniform(&mut dice) < p)
                        };
                        let halves = game(150.0) + game(-150.0);
                        pairs.add(halves);
                    }
                    meetings.push(Meeting { first, second, pairs });
                }
            }
            let list = ratings(4, &meetings).list;
            covered +=
                list.iter().filter(|l| l.ci95[0] <= truth[l.player] && truth[l.player] <= l.ci95[1]).count();
        }
        let share = covered as f64 / (4 * trials) as f64;
        assert!((0.925..0.975).contains(&share), "{share}");
    }
}
