//! The transposition table: what a search has found out about positions that it may meet again.
//!
//! An entry says what it knows: the value itself, or only that the value is at least or at most this. A cut-off proves a
//! bound and no more; to take it for the value is the classic mistake. Small at first, the table grows with what is put
//! in, so that shallow searches do not pay for clearing memory.

/// What the value of an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The entry is free.
    Nothing,
    /// The node failed high: the value is at least this.
    Lower,
    /// The node failed low: the value is at most this.
    Upper,
    /// The value is this.
    Exact,
}

/// The depth of what was searched to the end of the game: deeper than any.
pub const TO_THE_END: u8 = u8::MAX;

/// One position.
#[derive(Debug, Clone, Copy)]
pub struct Entry<M> {
    key: u64,
    /// For the side to move, plies counted from this position.
    pub value: f64,
    /// The best move known, or the one that made the cut-off.
    pub best: Option<M>,
    /// Plies searched below it.
    pub depth: u8,
    /// What the value is.
    pub bound: Bound,
    age: u8,
}

/// Positions of one key share a few neighbouring places.
const PLACES: usize = 4;
const FIRST_SIZE: usize = 1 << 12;

/// The table.
#[derive(Debug, Clone)]
pub struct Table<M> {
    entries: Vec<Entry<M>>,
    most: usize,
    filled: usize,
    age: u8,
}

impl<M: Copy> Table<M> {
    /// A table that takes at most so much memory.
    pub fn new(megabytes: usize) -> Self {
        let most = (megabytes << 20) / size_of::<Entry<M>>();
        let most = most.max(PLACES).checked_ilog2().map_or(PLACES, |bits| 1 << bits);
        let mut table = Self { entries: Vec::new(), most, filled: 0, age: 0 };
        table.entries = vec![Self::free(); FIRST_SIZE.min(most)];
        table
    }

    fn free() -> Entry<M> {
        Entry { key: 0, value: 0.0, best: None, depth: 0, bound: Bound::Nothing, age: 0 }
    }

    /// A new search begins: what older ones have left is replaced first.
    pub fn next_age(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(Self::free());
        self.filled = 0;
    }

    fn places(&self, key: u64) -> std::ops::Range<usize> {
        let start = key as usize & (self.entries.len() - 1) & !(PLACES - 1);
        start..start + PLACES
    }

    /// What is known about the position of this key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<&Entry<M>> {
        let places = &self.entries[self.places(key)];
        places.iter().find(|entry| entry.key == key && entry.bound != Bound::Nothing)
    }

    /// Keeps what was found out. It takes the place of the same position unless that is known deeper, else a free place,
    /// else that of the oldest and shallowest.
    pub fn put(&mut self, key: u64, value: f64, best: Option<M>, depth: u8, bound: Bound) {
        if 4 * self.filled > self.entries.len() && self.entries.len() < self.most {
            self.grow();
        }
        let age = self.age;
        let range = self.places(key);
        let places = &mut self.entries[range];
        let same = places.iter().position(|entry| entry.key == key && entry.bound != Bound::Nothing);
        let worth = |entry: &Entry<M>| match entry.bound {
            Bound::Nothing => i32::MIN,
            _ => i32::from(entry.depth) - 16 * i32::from(age.wrapping_sub(entry.age)),
        };
        let place = match same {
            Some(place) => place,
            None => (0..PLACES).min_by_key(|&place| worth(&places[place])).expect("there are places"),
        };
        let old = &mut places[place];
        if same.is_some() && old.depth > depth && bound != Bound::Exact {
            old.age = age;
            return;
        }
        self.filled += usize::from(old.bound == Bound::Nothing);
        let best = if same.is_some() { best.or(old.best) } else { best };
        *old = Entry { key, value, best, depth, bound, age };
    }

    fn grow(&mut self) {
        let larger = vec![Self::free(); (8 * self.entries.len()).min(self.most)];
        let old = std::mem::replace(&mut self.entries, larger);
        self.filled = 0;
        for entry in old.into_iter().filter(|entry| entry.bound != Bound::Nothing) {
            let range = self.places(entry.key);
            let place = self.entries[range].iter_mut().find(|place| place.bound == Bound::Nothing);
            *place.expect("places only become more") = entry;
            self.filled += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Dice;

    #[test]
    fn what_was_put_is_found_while_there_is_room() {
        let mut table: Table<u8> = Table::new(8);
        let keys: Vec<u64> = (0..20_000).map(|i| Dice::seeded(&[i]).bits()).collect();
        for (i, &key) in keys.iter().enumerate() {
            table.put(key, i as f64, Some((i % 100) as u8), 3, Bound::Lower);
        }
        let found = keys.iter().enumerate().filter(|&(i, &key)| {
            table.get(key).is_some_and(|entry| entry.value == i as f64 && entry.best == Some((i % 100) as u8))
        });
        let found = found.count();
        assert!(found > 19_500, "{found}");
        assert!(table.get(1).is_none());
        table.clear();
        assert!(table.get(keys[0]).is_none());
    }

    #[test]
    fn deep_and_young_entries_stay() {
        let mut table: Table<u8> = Table::new(0);
        for (key, depth) in [(4, 9), (8, 8), (12, 7), (16, 2)] {
            table.put(key, 0.0, None, depth, Bound::Exact);
        }
        table.put(20, 0.0, None, 1, Bound::Exact);
        assert!(table.get(16).is_none() && table.get(20).is_some(), "the shallowest goes");
        table.next_age();
        table.put(20, 0.0, Some(7), 1, Bound::Exact);
        table.put(24, 0.0, None, 1, Bound::Exact);
        assert!(table.get(12).is_none() && table.get(20).is_some(), "the older goes");
        table.put(4, 5.0, Some(1), 3, Bound::Lower);
        assert_eq!(table.get(4).unwrap().depth, 9, "what is known deeper stays");
        table.put(20, 0.0, None, 2, Bound::Upper);
        assert_eq!(table.get(20).unwrap().best, Some(7), "a move is better than none");
    }
}
