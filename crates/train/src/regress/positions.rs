//! Positions with the final difference of discs, by the number of discs: in memory, or in files where they would take too much of it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A position as it is learned from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// Discs of the side to move.
    pub own: u64,
    /// Those of the other.
    pub other: u64,
    /// The number of its game.
    pub game: u32,
    /// How the game ended for the side to move: own discs less the other's, empty squares being the winner's.
    pub score: i8,
}

/// Bytes of a position in a file.
const RECORD: usize = 21;

/// Positions that are read from a file at once.
const READ: usize = 4096;

/// Numbers of discs.
const BUCKETS: usize = 65;

impl Example {
    /// The discs on its board.
    #[inline]
    pub fn discs(&self) -> u32 {
        (self.own | self.other).count_ones()
    }

    fn record(&self) -> [u8; RECORD] {
        let mut record = [0; RECORD];
        record[..8].copy_from_slice(&self.own.to_le_bytes());
        record[8..16].copy_from_slice(&self.other.to_le_bytes());
        record[16..20].copy_from_slice(&self.game.to_le_bytes());
        record[20] = self.score as u8;
        record
    }

    fn from_record(record: &[u8; RECORD]) -> Self {
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| record[at + i]));
        let game = u32::from_le_bytes(std::array::from_fn(|i| record[16 + i]));
        Self { own: word(0), other: word(8), game, score: record[20] as i8 }
    }
}

/// A folder that is removed with all that is in it.
#[derive(Debug)]
struct Folder(PathBuf);

impl Folder {
    fn new() -> io::Result<Self> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("evalforge-positions-{}-{number}", std::process::id()));
        fs::create_dir(&path)?;
        Ok(Self(path))
    }

    /// The file of the positions with so many discs.
    fn file(&self, discs: usize) -> PathBuf {
        self.0.join(discs.to_string())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed lies in the folder for what may be removed at any time.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Takes positions one by one and keeps them.
#[derive(Debug)]
pub struct Gatherer {
    room: usize,
    in_memory: usize,
    buckets: Vec<Vec<Example>>,
    counts: [usize; BUCKETS],
    folder: Option<Folder>,
}

impl Gatherer {
    /// Memory may hold so many; if there are more, all go into files in the system's folder for temporary ones.
    pub fn new(room: usize) -> Self {
        Self { room, in_memory: 0, buckets: vec![Vec::new(); BUCKETS], counts: [0; BUCKETS], folder: None }
    }

    /// Takes a position.
    ///
    /// # Errors
    /// It has to go into a file, and cannot.
    pub fn push(&mut self, one: Example) -> io::Result<()> {
        let discs = one.discs() as usize;
        self.buckets[discs].push(one);
        self.counts[discs] += 1;
        self.in_memory += 1;
        if self.in_memory > self.room { self.spill() } else { Ok(()) }
    }

    /// Empties memory into the files.
    fn spill(&mut self) -> io::Result<()> {
        let folder = match self.folder.take() {
            Some(folder) => folder,
            None => Folder::new()?,
        };
        for (discs, bucket) in self.buckets.iter_mut().enumerate().filter(|(_, bucket)| !bucket.is_empty()) {
            let file = OpenOptions::new().create(true).append(true).open(folder.file(discs))?;
            let mut file = BufWriter::with_capacity(READ * RECORD, file);
            for one in bucket.drain(..) {
                file.write_all(&one.record())?;
            }
            file.flush()?;
        }
        self.in_memory = 0;
        self.folder = Some(folder);
        Ok(())
    }

    /// All that were taken.
    ///
    /// # Errors
    /// Some have to go into a file, and cannot.
    pub fn finish(mut self) -> io::Result<Positions> {
        if self.folder.is_some() {
            self.spill()?;
            self.buckets = Vec::new();
        }
        Ok(Positions { buckets: self.buckets, counts: self.counts, folder: self.folder })
    }
}

/// Positions by the number of discs, those of a number in the order of their games.
#[derive(Debug)]
pub struct Positions {
    /// None if they are in files.
    buckets: Vec<Vec<Example>>,
    counts: [usize; BUCKETS],
    folder: Option<Folder>,
}

impl Default for Positions {
    fn default() -> Self {
        Self { buckets: vec![Vec::new(); BUCKETS], counts: [0; BUCKETS], folder: None }
    }
}

impl Positions {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.counts.iter().sum()
    }

    /// How many there are with so many discs, both ends included.
    pub fn with_discs(&self, (fewest, most): (u32, u32)) -> usize {
        self.counts[fewest as usize..=most as usize].iter().sum()
    }

    /// Whether they are in files.
    pub fn is_in_files(&self) -> bool {
        self.folder.is_some()
    }

    /// The memory that they take.
    pub fn bytes(&self) -> usize {
        self.buckets.iter().map(|bucket| bucket.capacity() * size_of::<Example>()).sum()
    }

    /// Those with so many discs, both ends included, in pieces of this size, the last being smaller.
    pub fn pieces(&self, discs: (u32, u32), size: usize) -> Vec<Piece<'_>> {
        let count = self.with_discs(discs);
        let piece = |from: usize| Piece { positions: self, discs, from, to: (from + size).min(count) };
        (0..count).step_by(size).map(piece).collect()
    }
}

/// A row of positions with certain numbers of discs.
#[derive(Debug, Clone, Copy)]
pub struct Piece<'a> {
    positions: &'a Positions,
    discs: (u32, u32),
    from: usize,
    to: usize,
}

impl Piece<'_> {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.to - self.from
    }

    /// Shows each position in order.
    ///
    /// # Errors
    /// A file cannot be read any more.
    pub fn each(&self, mut see: impl FnMut(&Example)) -> io::Result<()> {
        let Positions { buckets, counts, folder } = self.positions;
        // Where the positions of a number begin among those of all.
        let mut begin = 0;
        for discs in self.discs.0 as usize..=self.discs.1 as usize {
            let end = begin + counts[discs];
            let (from, to) = (self.from.max(begin), self.to.min(end));
            if from < to {
                match folder {
                    None => buckets[discs][from - begin..to - begin].iter().for_each(&mut see),
                    Some(folder) => {
                        let mut file = File::open(folder.file(discs))?;
                        file.seek(SeekFrom::Start(((from - begin) * RECORD) as u64))?;
                        let mut file = BufReader::with_capacity(READ * RECORD, file);
                        let mut record = [0; RECORD];
                        for _ in from..to {
                            file.read_exact(&mut record)?;
                            see(&Example::from_record(&record));
                        }
                    }
                }
            }
            begin = end;
        }
        Ok(())
    }
}
