//! Positions with the final difference of discs, to learn from and to test on, sorted by the number of discs.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use games::othello::Othello;
use games::rules::Fixed;
use games::{Dice, Game, InputError, Side, Turn};
use rayon::prelude::*;
use thiserror::Error;

use crate::data::recorded::{Recorded, is_recorded, read_games};
use crate::data::{DataError, Label, read_for};
use crate::solve::Watch;

/// Keeps the lots of this file apart from all other streams of the same seed.
const STREAM: u64 = 0x7461_626c;

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

/// Positions sorted by the number of discs, those of a number in the order of their games.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Positions {
    examples: Vec<Example>,
    /// Where the positions of each number of discs begin.
    begins: Vec<usize>,
}

/// Which games are not learned from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HeldOut {
    /// Those of this year and later; games without a year are learned from.
    From(u16),
    /// A share of all, by lot.
    Share(f64, u64),
}

/// What comes of files of games.
#[derive(Debug, Clone, PartialEq, Default)]
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
    #[error("{}: its positions are labelled by {label}; 'evalforge label --label difference/64' writes what is needed", .path.display())]
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
    /// A folder holds nothing that is read.
    #[error("{}: no files of games (.wtb, .ggf) in this folder", .0.display())]
    NoFiles(PathBuf),
    /// There is nothing to learn from, or nothing to test on.
    #[error("{0}")]
    Empty(String),
    /// Asked to stop.
    #[error("broken off")]
    BrokenOff,
}

impl Positions {
    /// Sorts positions.
    pub fn new(mut examples: Vec<Example>) -> Self {
        let discs = |one: &Example| (one.own | one.other).count_ones();
        examples.sort_by_key(discs);
        let begins = (0..=65).map(|count| examples.partition_point(|one| discs(one) < count)).collect();
        Self { examples, begins }
    }

    /// All of them.
    pub fn all(&self) -> &[Example] {
        &self.examples
    }

    /// Those with so many discs, both ends included.
    pub fn with_discs(&self, (fewest, most): (u32, u32)) -> &[Example] {
        match self.begins.is_empty() {
            true => &[],
            false => &self.examples[self.begins[fewest as usize]..self.begins[most as usize + 1]],
        }
    }
}

/// The files that paths stand for: files as they are, the games of a folder by name.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, PositionsError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let failed = |cause| DataError::File { path: path.clone(), cause };
        let mut found = Vec::new();
        for entry in fs::read_dir(path).map_err(failed)? {
            let file = entry.map_err(failed)?.path();
            let ending =
                file.extension().and_then(|text| text.to_str()).unwrap_or_default().to_ascii_lowercase();
            if matches!(ending.as_str(), "wtb" | "ggf") {
                found.push(file);
            }
        }
        if found.is_empty() {
            return Err(PositionsError::NoFiles(path.clone()));
        }
        found.sort();
        files.extend(found);
    }
    Ok(files)
}

/// Reads the positions of files and folders of games, those with so many discs, both ends included.
///
/// # Errors
/// A file cannot be read or is damaged, or one of the two parts is empty.
pub fn read(
    paths: &[PathBuf],
    (fewest, most): (u32, u32),
    held_out: HeldOut,
    watch: Watch<'_>,
) -> Result<Split, PositionsError> {
    let files = files(paths)?;
    let (mut split, mut parts, mut number) = (Split::default(), [Vec::new(), Vec::new()], 0);
    // A few files at once, so that memory holds no more than their games.
    for (done, group) in files.chunks(8).enumerate() {
        if watch(8.0 * done as f64 / files.len() as f64) == ControlFlow::Break(()) {
            return Err(PositionsError::BrokenOff);
        }
        let games: Vec<_> = group.par_iter().map(|file| games_of(file)).collect();
        for games in games {
            for game in games? {
                let Some(mut positions) = game.positions else {
                    split.without_score += 1;
                    continue;
                };
                let part = usize::from(is_held_out(game.year, number, held_out));
                split.games[part] += 1;
                positions.retain(|one| (fewest..=most).contains(&(one.own | one.other).count_ones()));
                positions.iter_mut().for_each(|one| one.game = number);
                parts[part].extend(positions);
                number += 1;
            }
        }
    }
    let [training, held_out] = parts;
    if training.is_empty() || held_out.is_empty() {
        let [learned, tested] = split.games;
        return Err(PositionsError::Empty(format!(
            "{learned} games to learn from and {tested} to test on; both are needed"
        )));
    }
    let (training, held_out) = rayon::join(|| Positions::new(training), || Positions::new(held_out));
    Ok(Split { training, held_out, ..split })
}

/// A game, whatever file it comes from.
struct Played {
    year: Option<u16>,
    /// None if nobody knows how it ended. They have no number yet.
    positions: Option<Vec<Example>>,
}

fn games_of(path: &Path) -> Result<Vec<Played>, PositionsError> {
    if is_recorded(path) {
        let played = |game: &Recorded| Played { year: game.year, positions: recorded(game) };
        return Ok(read_games(path)?.iter().map(played).collect());
    }
    let data = read_for(Othello::NAME, path)?;
    let Label::Difference(most) = data.header.label else {
        return Err(PositionsError::Label { path: path.to_path_buf(), label: data.header.label.to_string() });
    };
    let all: Vec<(u64, Example)> = data
        .positions
        .par_iter()
        .enumerate()
        .map(|(number, one)| {
            let wrong =
                |error| PositionsError::Position { path: path.to_path_buf(), number: number + 1, error };
            let position = Othello::parse(&Fixed, &one.text).map_err(wrong)?;
            let score = (f64::from(one.label) * most).round().clamp(-64.0, 64.0) as i8;
            Ok((one.game, Example { own: position.own(), other: position.opponent(), game: 0, score }))
        })
        .collect::<Result<_, PositionsError>>()?;
    let game = |all: &[(u64, Example)]| Played {
        year: None,
        positions: Some(all.iter().map(|(_, one)| *one).collect()),
    };
    Ok(all.chunk_by(|a, b| a.0 == b.0).map(game).collect())
}

fn is_held_out(year: Option<u16>, number: u32, held_out: HeldOut) -> bool {
    match held_out {
        HeldOut::From(first) => year.is_some_and(|year| year >= first),
        HeldOut::Share(share, seed) => Dice::seeded(&[seed, STREAM, u64::from(number)]).unit() < share,
    }
}

/// The positions of a game in which somebody can play a disc.
fn recorded(game: &Recorded) -> Option<Vec<Example>> {
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
