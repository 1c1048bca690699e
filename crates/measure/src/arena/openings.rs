//! Where the games of an arena begin: after a few random plies, or as a file says: positions, lines of moves, or games. Two deterministic players
//! would play one and the same pair for ever without them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use games::error::shown;
use games::{Dice, Game, InputError, Turn};
use play::PlayedGame;
use play::files::{self, checksum};
use play::recorded::RecordedGame;
use thiserror::Error;

/// Draws after which no further opening is hoped for.
const TRIES: usize = 200;
/// Openings between two questions whether to go on.
const BETWEEN_LOOKS: usize = 1000;
/// Keeps openings apart from all other streams of the same seed.
const STREAM: u64 = 0x6f70_656e;

/// What can be wrong with openings.
#[derive(Debug, Error)]
pub enum OpeningError {
    /// Every game is over before.
    #[error(
        "openings = {plies}: a random game of {game} is over before, the longest of {TRIES} after {longest} plies; \
         allowed: fewer"
    )]
    TooLong {
        /// Plies asked for.
        plies: usize,
        /// The game.
        game: &'static str,
        /// The longest game that was seen.
        longest: usize,
    },
    /// The file cannot be read.
    #[error("positions {}: {reason}", shown(&.path.display().to_string()))]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A line is no position.
    #[error("positions {}, line {line}: {error}", shown(&.path.display().to_string()))]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, the first being 1.
        line: usize,
        /// What is wrong.
        error: InputError,
    },
}

/// How a file of openings is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookOrder {
    /// Moves of a line or game that are played before players take over; all of a line unless given.
    pub plies: Option<usize>,
    /// In an order drawn by this seed, instead of that of the file.
    pub shuffled: Option<u64>,
    /// The first that is used, 1 being the first of all; those before it come last.
    pub start: usize,
}

impl Default for BookOrder {
    fn default() -> Self {
        Self { plies: None, shuffled: None, start: 1 }
    }
}

/// Moves of a recorded game that are an opening unless given: players are to play the rest.
const GAME_PLIES: usize = 8;

/// Positions to begin from, all different. Pair number n begins from number n, and from the beginning when they run out.
#[derive(Debug, Clone, PartialEq)]
pub struct Openings<G: PlayedGame> {
    positions: Vec<G>,
    /// The moves to each from the start of the game, if they are known.
    ways: Vec<Option<Vec<G::Move>>>,
    label: String,
}

impl<G: PlayedGame> Openings<G> {
    /// `wanted` positions after so many random plies, or as many as are found. Asking for more gives the same ones and
    /// others after them.
    ///
    /// # Errors
    /// No game is that long.
    pub fn random(rules: &G::Rules, plies: usize, wanted: usize, seed: u64) -> Result<Self, OpeningError> {
        Ok(Self::random_while(rules, plies, wanted, seed, &mut || true)?.expect("nobody breaks it off"))
    }

    /// The same while `go_on` says so, which is asked now and then; none if it says no.
    ///
    /// # Errors
    /// No game is that long.
    pub fn random_while(
        rules: &G::Rules,
        plies: usize,
        wanted: usize,
        seed: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Self>, OpeningError> {
        let start = G::start(rules);
        let (mut positions, mut ways, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
        let (mut moves, mut longest) = (Vec::new(), 0);
        for number in 0..wanted.max(1) {
            if number % BETWEEN_LOOKS == 0 && !go_on() {
                return Ok(None);
            }
            let mut dice = Dice::seeded(&[seed, STREAM, plies as u64, number as u64]);
            let mut draw = || {
                let (mut position, mut way) = (start.clone(), Vec::new());
                for ply in 0..plies {
                    position.legal_moves(&mut moves);
                    longest = longest.max(ply);
                    if moves.is_empty() {
                        return None;
                    }
                    way.push(dice.pick(&moves));
                    position.play_unchecked(way[ply]);
                }
                (position.turn() != Turn::Over).then_some((position, way))
            };
            let new = (0..TRIES).find_map(|_| draw().filter(|(position, _)| seen.insert(position.text())));
            let Some((position, way)) = new else { break };
            positions.push(position);
            ways.push(Some(way));
        }
        if positions.is_empty() {
            return Err(OpeningError::TooLong { plies, game: G::NAME, longest });
        }
        Ok(Some(Self { positions, ways, label: format!("{plies} random plies") }))
    }

    /// The openings of a file: of each recorded game of a format that the game has, or of each line, which is a position or the moves from the
    /// start. Empty lines and those that begin with `#` are left out, and so is a position that was there before.
    ///
    /// # Errors
    /// The file cannot be read, or a line is neither, or the game is over in it, or there are fewer than the one to begin with.
    pub fn read(rules: &G::Rules, path: &Path, order: &BookOrder) -> Result<Self, OpeningError> {
        let refused = |reason: String| OpeningError::File { path: path.to_path_buf(), reason };
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let mut all = match G::RECORDED.iter().any(|known| ending.eq_ignore_ascii_case(known)) {
            true => Self::of_games(rules, path, order)?,
            false => Self::of_lines(rules, path, order)?,
        };
        let mut seen = HashSet::new();
        all.retain(|(position, _)| seen.insert(position.text()));
        if all.is_empty() {
            return Err(refused("it holds no position; one a line is expected".into()));
        }
        if order.start > all.len() {
            return Err(refused(format!(
                "it holds {} openings; the one to start with, {}, is not among them",
                all.len(),
                order.start
            )));
        }
        if let Some(seed) = order.shuffled {
            let mut dice = Dice::seeded(&[seed, STREAM]);
            (1..all.len()).rev().for_each(|last| all.swap(last, dice.below(last + 1)));
        }
        all.rotate_left(order.start.max(1) - 1);
        let (positions, ways): (Vec<G>, Vec<_>) = all.into_iter().unzip();
        // Names the content, not the place: a moved file is still the same.
        let text = positions.iter().map(Game::text).collect::<Vec<_>>().join("\n");
        let label = format!("{} positions {:016x}", positions.len(), checksum(text.as_bytes()));
        Ok(Self { positions, ways, label })
    }

    /// The positions after the first moves of recorded games; games that are over by then are left out.
    fn of_games(rules: &G::Rules, path: &Path, order: &BookOrder) -> Result<Vec<Opening<G>>, OpeningError> {
        let refused = |reason: String| OpeningError::File { path: path.to_path_buf(), reason };
        let games = G::read_games(path).map_err(|error| refused(error.to_string()))?;
        let start = G::start(rules);
        let opening = |game: RecordedGame<G>| {
            let mut position = game.start.clone();
            let way = &game.moves[..game.moves.len().min(order.plies.unwrap_or(GAME_PLIES))];
            way.iter().try_for_each(|&mv| position.play(mv)).ok()?;
            let way = (game.start == start).then(|| way.to_vec());
            (position.turn() != Turn::Over).then_some((position, way))
        };
        Ok(games.into_iter().filter_map(opening).collect())
    }

    fn of_lines(rules: &G::Rules, path: &Path, order: &BookOrder) -> Result<Vec<Opening<G>>, OpeningError> {
        let refused = |reason: String| OpeningError::File { path: path.to_path_buf(), reason };
        let text = files::read_text(path, files::MOST_TEXT).map_err(|error| refused(error.to_string()))?;
        let mut all = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = |error| OpeningError::Line { path: path.to_path_buf(), line: number + 1, error };
            let (position, way) = match G::parse(rules, line) {
                Ok(position) => (position, None),
                Err(error) => match moves(&G::start(rules), line, order.plies.unwrap_or(usize::MAX)) {
                    None => return Err(wrong(error)),
                    Some(played) => played.map(|(position, way)| (position, Some(way))).map_err(wrong)?,
                },
            };
            if position.turn() == Turn::Over {
                return Err(wrong(InputError::position(line, "the game is over")));
            }
            all.push((position, way));
        }
        Ok(all)
    }

    /// Where a pair begins.
    pub fn get(&self, pair: usize) -> &G {
        &self.positions[pair % self.positions.len()]
    }

    /// The moves that lead there from the start of the game; none if nobody knows them.
    pub fn way(&self, pair: usize) -> Option<&[G::Move]> {
        self.ways[pair % self.positions.len()].as_deref()
    }

    /// How many different ones there are.
    pub fn distinct(&self) -> usize {
        self.positions.len()
    }

    /// What they are, for people and for the headers of files.
    pub fn label(&self) -> &str {
        &self.label
    }
}

/// A position, and the moves to it from the start of the game, if they are known.
type Opening<G> = (G, Option<Vec<<G as Game>::Move>>);

/// Where the first of these moves lead; `None` if the line does not even begin with a move.
#[allow(clippy::type_complexity)]
fn moves<G: PlayedGame>(start: &G, line: &str, most: usize) -> Option<Result<(G, Vec<G::Move>), InputError>> {
    let words = G::book_moves(line);
    start.parse_move(words.first()?).and_then(|mv| start.check(mv)).ok()?;
    let (mut position, mut way) = (start.clone(), Vec::new());
    let mut play = |word: &String| {
        let mv = position.parse_move(word)?;
        way.push(mv);
        position.play(mv)
    };
    let played = words.iter().take(most).try_for_each(&mut play);
    Some(played.map(|()| (position, way)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::othello::Othello;
    use games::rules::Fixed;

    fn random(plies: usize, wanted: usize, seed: u64) -> Openings<Othello> {
        Openings::random(&Fixed, plies, wanted, seed).unwrap()
    }

    #[test]
    fn random_openings_differ_and_are_named_by_their_seed() {
        let some = random(8, 300, 1);
        assert_eq!(some.distinct(), 300);
        assert_eq!(some, random(8, 300, 1));
        assert_ne!(some.get(0), random(8, 1, 2).get(0));
        assert!((0..200).all(|pair| some.get(pair) == random(8, 200, 1).get(pair)));
        // Othello has four first moves; when they run out, they come again.
        assert_eq!((random(0, 9, 1).distinct(), random(1, 9, 1).distinct()), (1, 4));
        for pair in 0..3 {
            let mut position = Othello::start(&Fixed);
            some.way(pair).unwrap().iter().for_each(|&mv| position.play(mv).unwrap());
            assert_eq!(&position, some.get(pair));
        }
        let few = random(1, 9, 1);
        assert_eq!(few.get(1), few.get(5));
    }

    #[test]
    fn no_game_is_that_long() {
        let error = Openings::<Othello>::random(&Fixed, 200, 5, 1).unwrap_err().to_string();
        assert!(error.starts_with("openings = 200: a random game of othello is over before"), "{error}");
        // What is found near the end of the game is not over yet.
        assert!(random(58, 3, 1).positions.iter().all(|position| position.turn() != Turn::Over));
    }

    #[test]
    fn positions_from_a_file() {
        let path = std::env::temp_dir().join(format!("evalforge-openings-{}", std::process::id()));
        let lines: Vec<String> = (0..3).map(|pair| random(4, 3, 1).get(pair).text()).collect();
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let read = Openings::<Othello>::read(&Fixed, &path, &BookOrder::default())
                .map_err(|error| error.to_string());
            std::fs::remove_file(&path).unwrap();
            read
        };
        let found = read(&format!("# three\n\n{}\n{}\n", lines.join("\n"), lines[0])).unwrap();
        assert!(found.distinct() == 3 && found.get(4).text() == lines[1]);
        assert!(found.label().starts_with("3 positions ") && found.way(0).is_none());
        for (text, said) in [
            (format!("{}\nnonsense\n", lines[0]), "line 2: position 'nonsense'"),
            (format!("{} X", "X".repeat(64)), "line 1: position"),
            ("# none\n".to_string(), "it holds no position"),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
        assert!(Openings::<Othello>::read(&Fixed, Path::new("no/such"), &BookOrder::default()).is_err());
    }

    #[test]
    fn books_have_moves_an_order_and_a_start() {
        let path = std::env::temp_dir().join(format!("evalforge-book-{}.txt", std::process::id()));
        let ggf = path.with_extension("ggf");
        std::fs::write(&path, "# a book\nf5d6c3\nf5f6\nF5 d6\nc4\n").unwrap();
        std::fs::write(&ggf, "(;B[f5]W[d6]B[c3];) (;B[d3]W[c3];)").unwrap();
        let read = |path: &Path, order: BookOrder| Openings::<Othello>::read(&Fixed, path, &order);
        let order = BookOrder::default();
        let all = read(&path, order).unwrap();
        let lengths: Vec<usize> = (0..4).map(|pair| all.way(pair).unwrap().len()).collect();
        assert_eq!((all.distinct(), lengths), (4, vec![3, 2, 2, 1]));
        let later = read(&path, BookOrder { start: 3, ..order }).unwrap();
        assert!(later.get(0) == all.get(2) && later.get(3) == all.get(1) && later.label() != all.label());
        let mixed = |seed| read(&path, BookOrder { shuffled: Some(seed), ..order }).unwrap();
        assert_eq!(mixed(1), mixed(1));
        assert!((0..9).any(|seed| mixed(seed).get(0) != all.get(0)));
        // After one move the first three are the same.
        assert_eq!(read(&path, BookOrder { plies: Some(1), ..order }).unwrap().distinct(), 2);
        let games = read(&ggf, BookOrder { plies: Some(2), ..order }).unwrap();
        assert_eq!((games.distinct(), games.get(0)), (2, all.get(2)));
        let error = read(&path, BookOrder { start: 5, ..order }).unwrap_err().to_string();
        assert!(error.contains("it holds 4 openings; the one to start with, 5,"), "{error}");
        std::fs::write(&path, "f5d6c3\nf5a1\n").unwrap();
        let error = read(&path, order).unwrap_err().to_string();
        assert!(error.contains("line 2: illegal move a1"), "{error}");
        std::fs::remove_file(&path).unwrap();
        std::fs::remove_file(&ggf).unwrap();
    }
}
