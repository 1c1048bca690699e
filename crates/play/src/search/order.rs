//! Move ordering: alpha-beta has the most cut-offs when the best move comes first.
//!
//! Beside the table's move and the evaluation of what a move leads to, two memories: killer moves, which made a cut-off in a
//! sibling, and the history heuristic, how often a move made a cut-off anywhere.

use std::hash::{Hash, Hasher};

/// A power of two; two moves that share a slot share their history score, which does no harm.
const SLOTS: usize = 1 << 12;

/// The history heuristic: how often each move made a cut-off, deeper ones counting more.
#[derive(Debug, Clone)]
pub struct History(Vec<u32>);

impl Default for History {
    fn default() -> Self {
        Self(vec![0; SLOTS])
    }
}

impl History {
    /// The history score of a move.
    #[inline]
    pub fn get<M: Hash>(&self, mv: &M) -> u32 {
        self.0[slot(mv)]
    }

    /// A move made a cut-off with so many plies below.
    pub fn reward<M: Hash>(&mut self, mv: &M, depth: u32) {
        let history_score = &mut self.0[slot(mv)];
        *history_score = history_score.saturating_add(depth * depth);
    }

    /// A new search begins: the old counts less.
    pub fn fade(&mut self) {
        self.0.iter_mut().for_each(|history_score| *history_score /= 8);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }
}

#[inline]
fn slot<M: Hash>(mv: &M) -> usize {
    let mut hasher = Multiply(0);
    mv.hash(&mut hasher);
    (hasher.0 >> 52) as usize % SLOTS
}

/// Moves are a byte or two: one multiplication each, where the hashers of the standard library take a hundred steps.
struct Multiply(u64);

impl Hasher for Multiply {
    fn finish(&self) -> u64 {
        self.0
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u8(byte));
    }

    #[inline]
    fn write_u8(&mut self, byte: u8) {
        self.0 = (self.0.rotate_left(8) ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// Killer moves: the last two that made a cut-off at a ply.
#[derive(Debug, Clone, Copy)]
pub struct Killers<M>([Option<M>; 2]);

impl<M> Default for Killers<M> {
    fn default() -> Self {
        Self([None, None])
    }
}

impl<M: Copy + Eq> Killers<M> {
    /// A move made a cut-off.
    pub fn push(&mut self, mv: M) {
        if self.0[0] != Some(mv) {
            self.0 = [Some(mv), self.0[0]];
        }
    }

    /// Puts those of them that are among the moves from `from` on first; the number of the first move after them.
    pub fn to_front(&self, moves: &mut [M], mut from: usize) -> usize {
        for killer in self.0.iter().flatten() {
            if let Some(place) = moves[from..].iter().position(|mv| mv == killer) {
                moves.swap(from, from + place);
                from += 1;
            }
        }
        from
    }
}

/// A move to be tried: the child of this number, the value of what it leads to for the side that moves, its history score.
#[derive(Debug, Clone, Copy)]
pub struct Ranked {
    /// Which child.
    pub child: u32,
    /// Its history score.
    pub history_score: u32,
    /// Its value before it is searched.
    pub value: f64,
}

/// The most promising first. Equal ones stay in the order of the rules: the same search tries the same moves.
pub fn sort(ranked: &mut [Ranked]) {
    let key = |a: &Ranked, b: &Ranked| {
        b.value.total_cmp(&a.value).then(b.history_score.cmp(&a.history_score)).then(a.child.cmp(&b.child))
    };
    ranked.sort_unstable_by(key);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fame_grows_and_fades() {
        let mut history = History::default();
        history.reward(&7u8, 4);
        history.reward(&7u8, 4);
        assert_eq!((history.get(&7u8), history.get(&8u8)), (32, 0));
        history.fade();
        assert_eq!(history.get(&7u8), 4);
        let slots: std::collections::HashSet<usize> =
            (0..48u8).flat_map(|a| (0..48u8).map(move |b| slot(&(a, b)))).collect();
        assert!(slots.len() > 1500, "{} slots for 2304 moves", slots.len());
    }

    #[test]
    fn killers_come_first_and_the_best_value_next() {
        let mut killers = Killers::default();
        for mv in [3, 5, 5, 9] {
            killers.push(mv);
        }
        let mut moves = [1, 5, 2, 9, 3];
        assert_eq!(killers.to_front(&mut moves, 1), 3);
        assert_eq!(moves, [1, 9, 5, 2, 3][..5].try_into().map(|m: [i32; 5]| m).unwrap());
        let ranked = |child, value, history_score| Ranked { child, value, history_score };
        let mut all = [ranked(0, 1.0, 0), ranked(1, 2.0, 0), ranked(2, 2.0, 5), ranked(3, 2.0, 0)];
        sort(&mut all);
        assert_eq!(all.map(|one| one.child), [2, 1, 3, 0]);
    }
}
