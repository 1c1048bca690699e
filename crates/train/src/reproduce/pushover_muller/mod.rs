//! The experiment of Müller 1992: a network learns Push-over from games of an expert and plays better than its master.
//!
//! The expert plays 3,000 games against itself, the first six moves by lot; its positions become a database in the paper's
//! own format. 3,000 of those with |e| > 0.5 teach a 16-16-1 network won and lost, by BFGS. Then everybody plays
//! everybody, four moves by lot at the beginning.

mod engine;
mod learning;
mod published;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Mutex;

use games::pushover::Pushover;
use games::{Dice, Side};
use play::threads::par_map;

pub use engine::Network;
pub use learning::{Trained, model_file};
pub use published::{PAPER, PLAYERS, Published, Sample};

use engine::{Mind, Player, game};
use learning::train;
use play::recorded::muller::{Line, lines, write_game};
use stats::Share;

/// Keeps the streams of this experiment apart from each other.
const DATABASE_STREAM: u64 = 0x6d75_6c31;
const OPENING_STREAM: u64 = 0x6d75_6c32;
const CELL_STREAM: u64 = 0x6d75_6c33;

/// How much is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scale {
    /// Games of the expert.
    pub database: usize,
    /// Positions that a network learns from.
    pub positions: usize,
    /// Games of a cell with the first training.
    pub games: usize,
    /// Trainings whose spread is shown.
    pub trainings: usize,
    /// Games of a cell with each of the others.
    pub spread_games: usize,
    /// Iterations of BFGS. The paper does not say when it stopped: 50 was chosen after seeing how networks of 20 to 300
    /// iterations play, see `docs/results/networks.md`.
    pub iterations: usize,
    /// The seed.
    pub seed: u64,
}

impl Scale {
    /// The experiment as published, and one that takes seconds.
    pub fn new(quick: bool) -> Self {
        match quick {
            false => Self {
                database: PAPER.database.games,
                positions: 3000,
                games: PAPER.games,
                trainings: 20,
                spread_games: 200,
                iterations: 50,
                seed: 1992,
            },
            true => Self {
                database: 600,
                positions: 1500,
                games: 200,
                trainings: 3,
                spread_games: 100,
                iterations: 50,
                seed: 1992,
            },
        }
    }
}

/// The database, and what is known of it.
#[derive(Debug, Clone)]
pub struct Database {
    /// Its text.
    pub text: String,
    /// Its lines, read again.
    pub lines: Vec<Line>,
    /// Games.
    pub games: usize,
    /// Games that nobody won.
    pub drawn: usize,
    /// The share of the others that o won.
    pub won_by_o: Share,
}

/// Games of one against another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Games won by o.
    pub o: usize,
    /// Games won by +.
    pub plus: usize,
    /// Games.
    pub n: usize,
}

impl Tally {
    /// The share that o won.
    pub fn share(&self) -> Share {
        Share::of(self.o, self.n)
    }

    /// The share that + won.
    pub fn plus_share(&self) -> Share {
        Share::of(self.plus, self.n)
    }
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The games with the first training.
    pub tally: Tally,
    /// The share that o won with each training, the first one too; empty where no network plays.
    pub trainings: Vec<f64>,
}

/// A table, played.
#[derive(Debug, Clone)]
pub struct Played {
    /// The original.
    pub published: &'static Published,
    /// Rows play o, columns +, in the order of [`PLAYERS`].
    pub cells: [[Cell; 4]; 4],
}

/// What can be watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Games of the expert.
    Database,
    /// Trainings.
    Training,
    /// Cells of tables.
    Tables,
}

/// What came of it.
pub struct Experiment {
    /// The games of the expert.
    pub database: Database,
    /// The networks of each sample.
    pub trained: HashMap<Sample, Vec<Trained>>,
    /// The tables.
    pub tables: Vec<Played>,
}

/// Told how far a stage is: which, how many are done, of how many. May break off.
pub type Progress<'a> = dyn Fn(Stage, usize, usize) -> ControlFlow<()> + Sync + 'a;

/// Counts what is done over threads, and asks whether to go on.
struct Counter<'a> {
    watch: &'a Progress<'a>,
    stage: Stage,
    all: usize,
    done: Mutex<(usize, bool)>,
}

impl<'a> Counter<'a> {
    fn new(watch: &'a Progress<'a>, stage: Stage, all: usize) -> Self {
        Self { watch, stage, all, done: Mutex::new((0, true)) }
    }

    /// Does one thing more, unless told to stop.
    fn one<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        if !self.done.lock().expect("nobody panics here").1 {
            return None;
        }
        let made = work();
        let mut done = self.done.lock().expect("nobody panics here");
        done.0 += 1;
        if (self.watch)(self.stage, done.0, self.all).is_break() {
            done.1 = false;
        }
        Some(made)
    }
}

/// The games of the expert; `None` if broken off.
pub fn database(scale: &Scale, watch: &Progress) -> Option<Database> {
    let expert = Player { mind: Mind::Expert, depth: 2, knows_lines: true };
    let counter = Counter::new(watch, Stage::Database, scale.database);
    let play = |number: usize| {
        let dice = |stream: u64| Dice::seeded(&[scale.seed, DATABASE_STREAM, stream, number as u64]);
        counter.one(|| game([&expert; 2], 6, &mut dice(0), &mut dice(1)))
    };
    let games: Option<Vec<_>> = par_map(scale.database, play).into_iter().collect();
    let games = games?;
    let winner = |game: &Vec<Pushover>| game.last().and_then(Pushover::winner);
    let winners: Vec<Option<Side>> = games.iter().map(winner).collect();
    let drawn = winners.iter().filter(|winner| winner.is_none()).count();
    let o = winners.iter().filter(|winner| **winner == Some(Side::First)).count();
    let text: String = games.iter().map(|game| write_game(game)).collect();
    let lines = lines(&text).expect("what we write can be read");
    Some(Database { text, lines, games: games.len(), drawn, won_by_o: Share::of(o, games.len() - drawn) })
}

/// All of it; `None` if broken off.
pub fn run(scale: &Scale, watch: &Progress) -> Option<Experiment> {
    let database = database(scale, watch)?;
    let jobs: Vec<(Sample, usize)> =
        Sample::ALL.into_iter().flat_map(|sample| (0..scale.trainings).map(move |k| (sample, k))).collect();
    let counter = Counter::new(watch, Stage::Training, jobs.len());
    let made = par_map(jobs.len(), |job| {
        let (sample, number) = jobs[job];
        counter.one(|| train(&database.lines, sample, number, scale))
    });
    let made: Option<Vec<Trained>> = made.into_iter().collect();
    let mut trained: HashMap<Sample, Vec<Trained>> = HashMap::new();
    for ((sample, _), network) in jobs.iter().zip(made?) {
        trained.entry(*sample).or_default().push(network);
    }
    let tables = tables(scale, &trained, watch)?;
    Some(Experiment { database, trained, tables })
}

/// One series: a cell of a table with one training.
#[derive(Clone, Copy)]
struct Series {
    table: usize,
    row: usize,
    column: usize,
    training: usize,
    games: usize,
}

fn tables(scale: &Scale, trained: &HashMap<Sample, Vec<Trained>>, watch: &Progress) -> Option<Vec<Played>> {
    let mut all = Vec::new();
    for table in 0..PAPER.tables.len() {
        for (row, column) in (0..16).map(|cell| (cell / 4, cell % 4)) {
            let has_network = row < 2 || column < 2;
            // The experts among themselves are the same in every table: they play once.
            let trainings = match (has_network, table) {
                (true, _) => scale.trainings,
                (false, 0) => 1,
                (false, _) => 0,
            };
            for training in 0..trainings {
                let games = if training == 0 { scale.games } else { scale.spread_games };
                all.push(Series { table, row, column, training, games });
            }
        }
    }
    let counter = Counter::new(watch, Stage::Tables, all.iter().map(|series| series.games).sum());
    let tallies = par_map(all.len(), |number| play_series(scale, trained, all[number], &counter));
    let tallies: Option<Vec<Tally>> = tallies.into_iter().collect();
    let tallies = tallies?;
    let found = |table: usize, row: usize, column: usize| {
        let table = if row < 2 || column < 2 { table } else { 0 };
        let here = all.iter().zip(&tallies);
        let here: Vec<&Tally> = here
            .filter(|(one, _)| (one.table, one.row, one.column) == (table, row, column))
            .map(|(_, tally)| tally)
            .collect();
        let has_network = row < 2 || column < 2;
        let trainings = here.iter().filter(|_| has_network).map(|tally| tally.share().share).collect();
        Cell { tally: *here[0], trainings }
    };
    let played = |(number, published): (usize, &'static Published)| Played {
        published,
        cells: std::array::from_fn(|row| std::array::from_fn(|column| found(number, row, column))),
    };
    Some(PAPER.tables.iter().enumerate().map(played).collect())
}

fn play_series(
    scale: &Scale,
    trained: &HashMap<Sample, Vec<Trained>>,
    series: Series,
    counter: &Counter,
) -> Option<Tally> {
    let Series { table, row, column, training, games } = series;
    let published = &PAPER.tables[table];
    let network = &trained[&published.sample][training].network;
    let player = |index: usize| Player {
        mind: if index < 2 { Mind::Network(network) } else { Mind::Expert },
        depth: 1 + (index % 2) as u8,
        knows_lines: index >= 2 || published.helped,
    };
    let players = [player(row), player(column)];
    let name = [table, row, column, training].iter().fold(0, |name, part| 64 * name + *part as u64);
    let play = |number: usize| {
        // Every cell begins with the same openings.
        let mut opening = Dice::seeded(&[scale.seed, OPENING_STREAM, number as u64]);
        let mut dice = Dice::seeded(&[scale.seed, CELL_STREAM, name, number as u64]);
        counter.one(|| {
            game([&players[0], &players[1]], 4, &mut opening, &mut dice).last().and_then(Pushover::winner)
        })
    };
    let winners: Option<Vec<Option<Side>>> = par_map(games, play).into_iter().collect();
    let winners = winners?;
    let of = |side: Side| winners.iter().filter(|winner| **winner == Some(side)).count();
    Some(Tally { o: of(Side::First), plus: of(Side::Second), n: games })
}

#[cfg(test)]
mod tests {
    use super::*;
    use play::threads::on_threads;

    fn small() -> Scale {
        Scale {
            database: 60,
            positions: 200,
            games: 12,
            trainings: 2,
            spread_games: 6,
            iterations: 8,
            seed: 3,
        }
    }

    #[test]
    fn the_experiment_does_not_depend_on_threads() {
        let on = |threads| {
            let made =
                on_threads(threads, || run(&small(), &|_, _, _| ControlFlow::Continue(()))).unwrap().unwrap();
            let cells: Vec<_> = made.tables.iter().map(|table| table.cells.clone()).collect();
            let losses: Vec<f64> = Sample::ALL
                .iter()
                .flat_map(|sample| made.trained[sample].iter().map(|one| one.loss))
                .collect();
            (made.database.text, losses, cells)
        };
        let one = on(1);
        assert!(one == on(3));
        let (text, losses, cells) = one;
        assert_eq!((losses.len(), cells.len()), (10, 6));
        assert!(losses.iter().all(|loss| *loss < 0.125), "better than saying one half: {losses:?}");
        assert_eq!(cells[1][0][0].trainings.len(), 2);
        assert_eq!(cells[3][2][3], cells[0][2][3], "the experts play once");
        assert!(cells[0][2][3].trainings.is_empty());
        let words: Vec<&str> = text.lines().next().unwrap().split_whitespace().collect();
        assert_eq!((words.len(), words[0].len()), (2, 18));
    }

    #[test]
    fn breaking_off_ends_it() {
        assert!(run(&small(), &|_, _, _| ControlFlow::Break(())).is_none());
    }

    #[test]
    fn the_published_tables_agree_about_the_expert() {
        for table in PAPER.tables.iter().filter_map(|table| table.shares) {
            assert_eq!([&table[2][2..], &table[3][2..]], [[73.4, 7.8], [97.4, 61.8]]);
        }
    }
}
