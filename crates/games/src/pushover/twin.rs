//! A second Push-over, written differently: lists of signs that are taken apart and put together again, and a
//! history of whole boards for the repetition rule.

use super::{Entry, Pushover, PushoverRules};
use crate::game::{Game, Side, Turn};
use crate::rules::Rules;

#[derive(Clone)]
struct Twin {
    size: usize,
    repetition: bool,
    limit: usize,
    /// The boards after every move so far; row by row, `None` for an empty cell.
    history: Vec<Vec<Option<char>>>,
}

impl Twin {
    fn new(rules: &PushoverRules) -> Self {
        let size = usize::from(rules.size);
        let (repetition, limit) = (rules.repetition, usize::from(rules.limit()));
        Self { size, repetition, limit, history: vec![vec![None; size * size]] }
    }

    fn now(&self) -> &Vec<Option<char>> {
        self.history.last().unwrap()
    }

    fn mover(&self) -> char {
        if self.history.len() % 2 == 1 { 'o' } else { '+' }
    }

    fn pushed(&self, entry: usize) -> Vec<Option<char>> {
        let n = self.size;
        let place = entry % n;
        let mut cells: Vec<usize> = match entry / n {
            0 | 1 => (0..n).map(|column| place * n + column).collect(),
            _ => (0..n).map(|row| row * n + place).collect(),
        };
        if entry / n % 2 == 1 {
            cells.reverse();
        }
        let mut line: Vec<Option<char>> = cells.iter().map(|&cell| self.now()[cell]).collect();
        let gap = line.iter().position(Option::is_none).unwrap_or(n - 1);
        line.remove(gap);
        line.insert(0, Some(self.mover()));
        let mut board = self.now().clone();
        cells.iter().zip(line).for_each(|(&cell, piece)| board[cell] = piece);
        board
    }

    fn has_line(&self, who: char) -> bool {
        let n = self.size;
        let mut lines: Vec<Vec<usize>> =
            vec![(0..n).map(|i| i * (n + 1)).collect(), (1..=n).map(|i| i * (n - 1)).collect()];
        for i in 0..n {
            lines.push((i * n..i * n + n).collect());
            lines.push((0..n).map(|j| j * n + i).collect());
        }
        lines.iter().any(|line| line.iter().all(|&cell| self.now()[cell] == Some(who)))
    }

    /// `Some(' ')` is a draw.
    fn result(&self) -> Option<char> {
        let last = if self.mover() == 'o' { '+' } else { 'o' };
        if self.has_line(last) {
            Some(last)
        } else if self.has_line(self.mover()) {
            Some(self.mover())
        } else {
            (self.history.len() > self.limit).then_some(' ')
        }
    }

    fn moves(&self) -> Vec<usize> {
        if self.result().is_some() {
            return vec![];
        }
        let own_previous = self.history.len().checked_sub(2).map(|i| &self.history[i]);
        let all = 0..4 * self.size;
        all.filter(|&e| !self.repetition || own_previous != Some(&self.pushed(e))).collect()
    }

    fn perft(&mut self, depth: u32) -> u64 {
        let moves = self.moves();
        if depth == 0 || moves.is_empty() {
            return 1;
        }
        let mut leaves = 0;
        for entry in moves {
            let board = self.pushed(entry);
            self.history.push(board);
            leaves += self.perft(depth - 1);
            self.history.pop();
        }
        leaves
    }

    fn cells(&self) -> String {
        self.now().iter().map(|cell| cell.unwrap_or('.')).collect()
    }
}

fn variants() -> Vec<PushoverRules> {
    let all = [
        &[][..],
        &[("size", "3")],
        &[("size", "5")],
        &[("repetition", "off")],
        &[("size", "5"), ("limit", "30")],
    ];
    all.iter().map(|pairs| PushoverRules::from_pairs(pairs.iter().copied()).unwrap()).collect()
}

#[test]
fn counts_agree_from_the_start_and_from_the_middle() {
    for rules in variants() {
        let mut twin = Twin::new(&rules);
        for depth in 0..=4 {
            assert_eq!(crate::perft(&Pushover::start(&rules), depth), twin.perft(depth));
        }
        let mut dice = crate::Dice::seeded(&[3]);
        for _ in 0..60 {
            let mut twin = Twin::new(&rules);
            let mut fast = Pushover::start(&rules);
            for _ in 0..7 + dice.below(20) {
                let moves = twin.moves();
                if moves.is_empty() {
                    break;
                }
                let entry = dice.pick(&moves);
                twin.history.push(twin.pushed(entry));
                fast.play(Entry::new(entry as u8)).unwrap();
            }
            assert_eq!(crate::perft(&fast, 2), twin.perft(2), "{}", fast.text());
        }
    }
}

#[test]
fn whole_games_agree_move_by_move() {
    let mut forbidden = 0;
    for rules in variants() {
        for seed in 0..300 {
            let mut dice = crate::Dice::seeded(&[seed]);
            let (mut twin, mut fast) = (Twin::new(&rules), Pushover::start(&rules));
            loop {
                assert!(fast.text().starts_with(&twin.cells()));
                let mut moves = Vec::new();
                fast.legal_moves(&mut moves);
                let indices: Vec<usize> = moves.iter().map(|entry| usize::from(entry.index())).collect();
                assert_eq!(indices, twin.moves(), "{}", fast.text());
                if moves.is_empty() {
                    break;
                }
                forbidden += usize::from(moves.len() < 4 * usize::from(rules.size));
                let entry = dice.pick(&moves);
                twin.history.push(twin.pushed(usize::from(entry.index())));
                fast.play(entry).unwrap();
            }
            assert_eq!(fast.turn(), Turn::Over);
            let winner = match twin.result() {
                Some('o') => Some(Side::First),
                Some('+') => Some(Side::Second),
                _ => None,
            };
            assert_eq!(fast.winner(), winner);
        }
    }
    assert!(forbidden > 100, "the repetition rule was met only {forbidden} times");
}
