//! Positions from files of games: those to learn from and those to test on.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use games::othello::Othello;
use games::rules::Fixed;
use games::{Dice, Game, InputError, Side, Turn};
use play::PlayedGame as _;
use play::recorded::RecordedGame;
use play::solve::Progress;
use play::threads::par_map;
use thiserror::Error;

use super::positions::{Example, Gatherer, Positions};
use crate::data::recorded::{files, is_recorded};
use crate::data::{DataError, Label, Labelled, open};

/// Keeps the lots of this file apart from all other streams of the same seed.
const STREAM: u64 = 0x7461_626c;

/// Positions that are read before they are looked at on all threads.
const BATCH: usize = 1 << 16;

/// Files of games that are read at once.
const FILES: usize = 8;

/// Which games are not learned from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HeldOut {
    /// Those of this year and later; games without a year are learned from.
    From(u16),
    /// A share of all, by lot.
    Share(f64, u64),
}

/// What comes of files of games.
#[derive(Debug, Default)]
pub struct Split {
    /// What is learned from.
    pub training: Positions,
    /// What is not.
    pub held_out: Positions,
    /// Games of each.
    pub games: [usize; 2],
    /// Games left out because nobody wrote down how they ended.
    pub without_score: usize,
}

/// Why there are no positions.
#[derive(Debug, Error)]
pub enum PositionsError {
    /// A file is at fault.
    #[error(transparent)]
    File(#[from] DataError),
    /// Positions are labelled by something else than the final difference.
    #[error("{}: its positions are labelled by {label}; 'evalforge label --label difference/64' and value/64:PLAYER write what is needed", .path.display())]
    Label {
        /// The file.
        path: PathBuf,
        /// Its label.
        label: String,
    },
    /// A position of a file is none.
    #[error("{}: position {number}: {error}", .path.display())]
    Position {
        /// The file.
        path: PathBuf,
        /// Which one, from 1.
        number: usize,
        /// What is wrong.
        error: InputError,
    },
    /// There is nothing to learn from, or nothing to test on.
    #[error("{0}")]
    Empty(String),
    /// Memory is full and so is the disk.
    #[error("positions beyond the memory that they may take: {0}")]
    Kept(#[from] io::Error),
    /// Asked to stop.
    #[error("broken off")]
    BrokenOff,
}

/// What is read, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wanted {
    /// The fewest and the most discs of a position.
    pub discs: (u32, u32),
    /// What is not learned from.
    pub held_out: HeldOut,
    /// Positions that memory may hold; if there are more, they are kept in files.
    pub room: usize,
}

/// Reads the positions of files and folders of games.
///
/// # Errors
/// A file cannot be read or is damaged, or one of the two parts is empty.
pub fn read(paths: &[PathBuf], wanted: Wanted, watch: Progress<'_>) -> Result<Split, PositionsError> {
    let files = files::<Othello>(paths)?;
    let sizes: Vec<u64> =
        files.iter().map(|file| fs::metadata(file).map_or(0, |found| found.len())).collect();
    let all = sizes.iter().sum::<u64>().max(1) as f64;
    // Each part may take half of the room.
    let gather = || Gatherer::new(wanted.room / 2);
    let mut reading =
        Reading { wanted, parts: [gather(), gather()], number: 0, split: Split::default(), watch, done: 0.0 };
    let mut rest = &files[..];
    while let Some(file) = rest.first() {
        let before: u64 = sizes[..files.len() - rest.len()].iter().sum();
        reading.done = before as f64 / all;
        reading.go_on(0.0)?;
        let many = rest.iter().take_while(|file| is_recorded::<Othello>(file)).take(FILES).count();
        // A few files at once, so that memory holds no more than their games.
        for games in par_map(many, |number| Othello::read_games(&rest[number])) {
            let games = games.map_err(DataError::from)?;
            let positions = par_map(games.len(), |number| recorded(&games[number]));
            for (game, positions) in games.iter().zip(positions) {
                match positions {
                    Some(positions) => reading.game(game.year, positions)?,
                    None => reading.split.without_score += 1,
                }
            }
        }
        if many == 0 {
            labelled(file, &mut reading, all)?;
        }
        rest = &rest[many.max(1)..];
    }
    let Reading { parts: [training, held_out], split, .. } = reading;
    let (training, held_out) = (training.finish()?, held_out.finish()?);
    if training.count() == 0 || held_out.count() == 0 {
        let [learned, tested] = split.games;
        return Err(PositionsError::Empty(format!(
            "{learned} games to learn from and {tested} to test on; both are needed"
        )));
    }
    Ok(Split { training, held_out, ..split })
}

/// What has come of the files so far.
struct Reading<'a> {
    wanted: Wanted,
    parts: [Gatherer; 2],
    /// The number of the next game.
    number: u32,
    split: Split,
    watch: Progress<'a>,
    /// The share of the files before this one.
    done: f64,
}

impl Reading<'_> {
    fn go_on(&self, more: f64) -> Result<(), PositionsError> {
        match (self.watch)(self.done + more) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(PositionsError::BrokenOff),
        }
    }

    fn game(&mut self, year: Option<u16>, positions: Vec<Example>) -> Result<(), PositionsError> {
        let part = usize::from(is_held_out(year, self.number, self.wanted.held_out));
        self.split.games[part] += 1;
        let (fewest, most) = self.wanted.discs;
        for mut one in positions {
            if (fewest..=most).contains(&one.discs()) {
                one.game = self.number;
                self.parts[part].push(one)?;
            }
        }
        self.number += 1;
        Ok(())
    }
}

/// The positions of a file of ours, read and looked at by turns; `all` is the size of all files.
fn labelled(path: &Path, reading: &mut Reading<'_>, all: f64) -> Result<(), PositionsError> {
    let mut file = open(path)?;
    let header = file.header.clone();
    if header.game != Othello::NAME {
        return Err(DataError::Game { found: header.game, wanted: Othello::NAME }.into());
    }
    let most = match header.label {
        Label::Difference(most) | Label::Value { most, .. } => most,
        label => return Err(PositionsError::Label { path: path.to_path_buf(), label: label.to_string() }),
    };
    let (mut number, mut game): (usize, Option<(u64, Vec<Example>)>) = (0, None);
    loop {
        reading.go_on(file.bytes() as f64 / all)?;
        let wrong = |reason| DataError::Content { path: path.to_path_buf(), reason };
        let batch: Vec<Labelled> = file.by_ref().take(BATCH).collect::<Result<_, _>>().map_err(wrong)?;
        if batch.is_empty() {
            break;
        }
        let parsed = |at: usize| {
            let one = &batch[at];
            let wrong =
                |error| PositionsError::Position { path: path.to_path_buf(), number: number + at + 1, error };
            let position = Othello::parse(&Fixed, &one.text).map_err(wrong)?;
            let score = (f64::from(one.label) * most).round().clamp(-64.0, 64.0) as i8;
            Ok((one.game, Example { own: position.own(), other: position.opponent(), game: 0, score }))
        };
        let found: Vec<(u64, Example)> =
            par_map(batch.len(), parsed).into_iter().collect::<Result<_, PositionsError>>()?;
        number += batch.len();
        for (of, one) in found {
            match &mut game {
                Some((now, positions)) if *now == of => positions.push(one),
                _ => {
                    let before = game.replace((of, vec![one]));
                    before.map_or(Ok(()), |(_, positions)| reading.game(None, positions))?;
                }
            }
        }
    }
    game.map_or(Ok(()), |(_, positions)| reading.game(None, positions))
}

fn is_held_out(year: Option<u16>, number: u32, held_out: HeldOut) -> bool {
    match held_out {
        HeldOut::From(first) => year.is_some_and(|year| year >= first),
        HeldOut::Share(share, seed) => Dice::seeded(&[seed, STREAM, u64::from(number)]).unit() < share,
    }
}

/// The positions of a game in which somebody can play a disc.
fn recorded(game: &RecordedGame<Othello>) -> Option<Vec<Example>> {
    let score = game.score?;
    let (mut position, mut examples) = (game.start, Vec::new());
    for mv in game.moves.iter().map(Some).chain([None]) {
        let Turn::Player(side) = position.turn() else { break };
        if mv.is_none_or(|mv| mv.index().is_some()) {
            let for_side = if side == Side::First { score } else { -score };
            let (own, other) = (position.own(), position.opponent());
            examples.push(Example { own, other, game: 0, score: for_side as i8 });
        }
        match mv {
            Some(&mv) => position.play_unchecked(mv),
            None => break,
        }
    }
    Some(examples)
}
