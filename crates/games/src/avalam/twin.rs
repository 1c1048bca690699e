//! A second Avalam, written differently: the signed 9x9 matrix and four nested loops, as in the course framework.

use super::{Avalam, Move, cell_at};
use crate::game::{Game, Side, Turn};
use crate::rules::Fixed;

#[derive(Clone)]
struct Twin {
    matrix: [[i32; 9]; 9],
    player: i32,
}

impl Twin {
    fn moves(&self) -> Vec<(usize, usize, usize, usize)> {
        let mut moves = Vec::new();
        for i1 in 0..9 {
            for j1 in 0..9 {
                for i2 in 0..9usize {
                    for j2 in 0..9usize {
                        let (a, b) = (self.matrix[i1][j1].abs(), self.matrix[i2][j2].abs());
                        let near = i1.abs_diff(i2).max(j1.abs_diff(j2)) == 1;
                        if near && a > 0 && b > 0 && a + b <= 5 {
                            moves.push((i1, j1, i2, j2));
                        }
                    }
                }
            }
        }
        moves
    }

    fn play(&mut self, (i1, j1, i2, j2): (usize, usize, usize, usize)) {
        let (from, to) = (self.matrix[i1][j1], self.matrix[i2][j2]);
        self.matrix[i2][j2] = from.signum() * (from.abs() + to.abs());
        self.matrix[i1][j1] = 0;
        self.player = -self.player;
    }

    fn perft(&self, depth: u32) -> u64 {
        let moves = self.moves();
        if depth == 0 || moves.is_empty() {
            return 1;
        }
        let child = |mv| {
            let mut after = self.clone();
            after.play(mv);
            after.perft(depth - 1)
        };
        moves.into_iter().map(child).sum()
    }

    /// Towers, then towers of five, of player 1 less those of player -1.
    fn result(&self) -> (i32, i32) {
        let towers = || self.matrix.iter().flatten();
        let fives: i32 = towers().filter(|value| value.abs() == 5).map(|value| value.signum()).sum();
        (towers().map(|value| value.signum()).sum(), fives)
    }

    fn text(&self) -> String {
        format!("{:?}; {}", self.matrix, self.player)
    }
}

fn start() -> Twin {
    let text = Avalam::start(&Fixed).text();
    let mut values = text.split([' ', '/', ';']).filter(|w| !w.is_empty()).map(|w| w.parse().unwrap());
    let matrix = std::array::from_fn(|_| std::array::from_fn(|_| values.next().unwrap()));
    Twin { matrix, player: 1 }
}

#[test]
fn whole_games_agree_move_by_move() {
    for seed in 0..100 {
        let mut dice = crate::Dice::seeded(&[seed]);
        let (mut twin, mut fast) = (start(), Avalam::start(&Fixed));
        loop {
            assert_eq!(Avalam::parse(&Fixed, &twin.text()).unwrap(), fast);
            let mut expected: Vec<Move> = Vec::new();
            for (i1, j1, i2, j2) in twin.moves() {
                let cell = |i, j| cell_at(i as u8, j as u8).unwrap();
                expected.push(Move { from: cell(i1, j1), to: cell(i2, j2) });
            }
            let mut moves = Vec::new();
            fast.legal_moves(&mut moves);
            moves.sort();
            expected.sort();
            assert_eq!(moves, expected);
            assert_eq!(fast.turn() == Turn::Over, moves.is_empty());
            if moves.is_empty() {
                break;
            }
            let mv = dice.pick(&twin.moves());
            twin.play(mv);
            let cell = |i, j| cell_at(i as u8, j as u8).unwrap();
            fast.play(Move { from: cell(mv.0, mv.1), to: cell(mv.2, mv.3) }).unwrap();
        }
        let (towers, fives) = twin.result();
        assert_eq!(fast.score(Side::First), f64::from(towers));
        let decided = if towers == 0 { fives } else { towers };
        assert_eq!(fast.final_value(Side::First).partial_cmp(&0.0), decided.partial_cmp(&0));
        assert_eq!(fast.final_value(Side::Second).partial_cmp(&0.0), 0.partial_cmp(&decided));
    }
}

#[test]
fn counts_agree_near_the_end_and_at_the_start() {
    assert_eq!(crate::perft(&Avalam::start(&Fixed), 2), start().perft(2));
    for seed in 0..20 {
        let mut dice = crate::Dice::seeded(&[seed]);
        let mut twin = start();
        for _ in 0..28 {
            if !twin.moves().is_empty() {
                twin.play(dice.pick(&twin.moves()));
            }
        }
        let fast = Avalam::parse(&Fixed, &twin.text()).unwrap();
        assert_eq!(crate::perft(&fast, 3), twin.perft(3), "{}", fast.text());
    }
}
