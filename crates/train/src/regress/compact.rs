//! Positions as rows of small numbers, looked up once and kept as long as memory allows: what a regression reads in every pass.
//!
//! Only entries that are fitted have a slot of their own, tied ones the same; all others of a table share its first slot, which counts for
//! nothing. A phase sees a small part of the entries of large tables, and what it sees of them lies close together in the cache.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use games::othello::patterns::PatternSet;

use super::positions::{Example, Piece};

/// Memory that may still be taken.
#[derive(Debug)]
pub(super) struct Budget(AtomicUsize);

impl Budget {
    pub fn new(bytes: usize) -> Self {
        Self(AtomicUsize::new(bytes))
    }

    /// Takes so many bytes, if they are there.
    fn take(&self, bytes: usize) -> bool {
        let rest = |left: usize| left.checked_sub(bytes);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest).is_ok()
    }

    fn give_back(&self, bytes: usize) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// What is asked of a position beside its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    pub score: i8,
    pub discs: u8,
}

/// The entries that a board shows as a row: one number for each place of a pattern and each count, from the first entry of its table.
#[derive(Debug)]
pub(super) struct Rows<'a> {
    set: &'a PatternSet,
    /// The first entry of the table of each number.
    tables: Vec<u32>,
}

impl<'a> Rows<'a> {
    pub fn new(set: &'a PatternSet) -> Self {
        let mut tables = set.tables().to_vec();
        let sections = set.sections();
        let of_counts = &sections[sections.len() - set.counts().count()..];
        for (count, &(_, first, _)) in set.counts().zip(of_counts) {
            tables.extend(std::iter::repeat_n(first as u32, count.shown()));
        }
        Self { set, tables }
    }

    /// How many numbers a row has.
    pub fn width(&self) -> usize {
        self.tables.len()
    }

    /// Writes the row of a board.
    fn write(&self, one: &Example, row: &mut [u16]) {
        let places = self.set.tables().len();
        let indices = self.set.fresh(one.own, one.other);
        row[..places].copy_from_slice(&indices.numbers()[..places]);
        let mut next = places;
        self.set.each_count(one.own, one.other, |entry| {
            row[next] = (entry - self.tables[next] as usize) as u16;
            next += 1;
        });
    }

    /// The entry that each number of a row stands for.
    pub fn entries<'r>(&'r self, row: &'r [u16]) -> impl Iterator<Item = usize> + 'r {
        self.tables.iter().zip(row).map(|(&table, &number)| table as usize + usize::from(number))
    }
}

/// Where each entry is fitted.
#[derive(Debug)]
pub(super) struct Slots<'a> {
    rows: &'a Rows<'a>,
    /// For each entry its number among the slots of its table; 0 if it is not fitted.
    within: Vec<u16>,
    /// The first entry and the first slot of each table.
    firsts: Vec<(u32, u32)>,
    /// The first slot of the table of each number of a row.
    bases: Vec<u32>,
    /// The lowest entry of each slot; none of the first of a table.
    entries: Vec<Option<u32>>,
}

impl<'a> Slots<'a> {
    /// A slot for each entry that `is_fitted`, and for those that are tied to it.
    pub fn new(rows: &'a Rows<'a>, ties: &[u32], is_fitted: impl Fn(usize) -> bool) -> Self {
        let mut within = vec![0; ties.len()];
        let (mut entries, mut firsts) = (Vec::new(), Vec::new());
        for (_, first, count) in rows.set.sections() {
            let begin = entries.len();
            firsts.push((first as u32, begin as u32));
            entries.push(None);
            for entry in first..first + count {
                let lowest = ties[entry] as usize;
                if lowest < entry {
                    within[entry] = within[lowest];
                } else if is_fitted(entry) {
                    // A table has at most 3^10 entries.
                    within[entry] = (entries.len() - begin) as u16;
                    entries.push(Some(entry as u32));
                }
            }
        }
        let base = |table: &u32| firsts[firsts.partition_point(|(first, _)| first <= table) - 1].1;
        let bases = rows.tables.iter().map(base).collect();
        Self { rows, within, firsts, bases, entries }
    }

    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// The lowest entry of each slot; none where a slot is of all that are not fitted.
    pub fn entries(&self) -> &[Option<u32>] {
        &self.entries
    }

    /// The slot of each entry.
    pub fn of_entries(&self) -> Vec<usize> {
        let mut slots = vec![0; self.within.len()];
        for &(entry, slot) in &self.firsts {
            // What comes after the table is written by those after it.
            for (to, &number) in slots[entry as usize..].iter_mut().zip(&self.within[entry as usize..]) {
                *to = slot as usize + usize::from(number);
            }
        }
        slots
    }

    /// Turns numbers of entries into numbers of slots.
    fn turn(&self, row: &mut [u16]) {
        for (number, &table) in row.iter_mut().zip(&self.rows.tables) {
            *number = self.within[table as usize + usize::from(*number)];
        }
    }

    /// The slots of a row that has been turned.
    #[inline]
    pub fn shown(&self, row: &[u16], shown: &mut [u32]) {
        for ((shown, &number), &base) in shown.iter_mut().zip(row).zip(&self.bases) {
            *shown = base + u32::from(number);
        }
    }
}

/// The rows of a piece, kept or not.
#[derive(Debug)]
pub(super) struct Kept<'a> {
    piece: Piece<'a>,
    /// Empty if there was no room.
    heads: Vec<Head>,
    numbers: Vec<u16>,
    taken: usize,
    budget: &'a Budget,
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        self.budget.give_back(self.taken);
    }
}

impl<'a> Kept<'a> {
    /// Looks up the row of each position, shows it with the numbers of entries, and keeps it if there is room.
    pub fn new(
        piece: Piece<'a>,
        rows: &Rows<'_>,
        budget: &'a Budget,
        mut see: impl FnMut(Head, &[u16]),
    ) -> io::Result<Self> {
        let width = rows.width();
        let bytes = piece.count() * (size_of::<Head>() + width * size_of::<u16>());
        let taken = if budget.take(bytes) { bytes } else { 0 };
        let room = if taken > 0 { piece.count() } else { 0 };
        let mut kept = Self {
            piece,
            heads: Vec::with_capacity(room),
            numbers: Vec::with_capacity(room * width),
            taken,
            budget,
        };
        let mut row = vec![0; width];
        piece.each(|one| {
            rows.write(one, &mut row);
            let head = head(one);
            see(head, &row);
            if taken > 0 {
                kept.heads.push(head);
                kept.numbers.extend_from_slice(&row);
            }
        })?;
        Ok(kept)
    }

    /// How many positions there are.
    pub fn count(&self) -> usize {
        self.piece.count()
    }

    /// Turns numbers of entries into numbers of slots, once and before all passes.
    pub fn turn(&mut self, slots: &Slots<'_>) {
        self.numbers.chunks_exact_mut(slots.rows.width()).for_each(|row| slots.turn(row));
    }

    /// Shows each position with its row of numbers of slots.
    pub fn each(&self, slots: &Slots<'_>, mut see: impl FnMut(Head, &[u16])) -> io::Result<()> {
        let width = slots.rows.width();
        if self.taken > 0 {
            self.heads.iter().zip(self.numbers.chunks_exact(width)).for_each(|(&head, row)| see(head, row));
            return Ok(());
        }
        let mut row = vec![0; width];
        self.piece.each(|one| {
            slots.rows.write(one, &mut row);
            slots.turn(&mut row);
            see(head(one), &row);
        })
    }
}

fn head(one: &Example) -> Head {
    Head { score: one.score, discs: one.discs() as u8 }
}
