//! Multi-ProbCut fitted to an evaluation: positions of games are searched to every depth, and a line from the values of each shallow
//! search to those of a deep one tells, for every part of the game, how certain the one is of the other.
//!
//! One position a game, of any step, so that positions are independent. Moves are the best of one ply or any at all: a search meets
//! bad positions too. Values that are those of an end take no part, and where they are many there is no row: nothing is to be
//! guessed where the end is in sight.

use games::Dice;
use measure::arena::MOST_MOVES;
use measure::pool::{self, Halt, Stop};
use play::PlayedGame;
use play::players::PlayerError;
use play::players::searching::{answers, searcher};
use play::players::spec::Spec;
use play::search::evaluation::is_decided;
use play::search::probcut::{Cut, ProbCutFile};
use play::search::{Limits, Searcher};
use play::solve::Progress;
use stats::Line;

/// Keeps the lots of these games apart from all other streams of the same seed.
const STREAM: u64 = 0x7072_6f62;
/// One move in so many is any at all.
const ANY_MOVE: usize = 4;
/// The fewest positions that make a row.
const LEAST: usize = 12;
/// The largest share of positions in which a deep search may have seen the end.
const MOST_ENDS: f64 = 0.05;

/// What is to be fitted.
#[derive(Debug, Clone, PartialEq)]
pub struct ProbCutSetup<G: PlayedGame> {
    /// The game.
    pub rules: G::Rules,
    /// The evaluation, as players are written.
    pub eval: String,
    /// Positions, one a game.
    pub positions: usize,
    /// The deepest search.
    pub depth: u32,
    /// Parts of the game, of as many steps each.
    pub phases: u32,
    /// The seed of the games.
    pub seed: u64,
}

/// A position: its step, and the value of each depth from 1 on as far as it is not that of an end.
struct Sample {
    step: u32,
    values: Vec<f64>,
}

/// What came of it: the file, and for each of its rows the 95 % interval of sigma.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// The file.
    pub file: ProbCutFile,
    /// An interval for each row.
    pub sigma_ci95: Vec<[f64; 2]>,
}

/// The shallow depths for a deep one: of the same parity, about half as deep, and one more.
fn shallow(deep: u32) -> impl Iterator<Item = u32> {
    let half = deep / 2;
    let first = if half % 2 == deep % 2 { half } else { half.saturating_sub(1) };
    let first = if first == 0 { 2 - deep % 2 } else { first };
    [first, first + 2].into_iter().filter(move |&shallow| shallow < deep)
}

/// The two searches of a thread: one that plays, one that is measured.
struct Searches<G: PlayedGame> {
    one_ply: Box<dyn Searcher<G>>,
    deep: Box<dyn Searcher<G>>,
}

impl<G: PlayedGame> ProbCutSetup<G> {
    fn searches(&self) -> Result<Searches<G>, PlayerError> {
        let make = |text: &str| {
            let spec = Spec { eval: self.eval.clone(), ..Spec::parse(text)? };
            searcher::<G>(&self.rules, &spec)
        };
        Ok(Searches { one_ply: make("best-move")?, deep: make("alphabeta(depth=1, table=16)")? })
    }

    /// Plays the game of this number and searches one of its positions to every depth, if there is one with a choice. `None` if
    /// the watch has broken it off.
    fn sample(&self, number: usize, searches: &mut Searches<G>, stop: &Stop) -> Option<Sample> {
        let mut dice = Dice::seeded(&[self.seed, STREAM, number as u64]);
        let (mut position, mut moves, mut met) = (G::start(&self.rules), Vec::new(), Vec::new());
        for _ in 0..MOST_MOVES {
            position.legal_moves(&mut moves);
            match moves.len() {
                0 => break,
                1 => {}
                _ => met.push(position.clone()),
            }
            let mv = match dice.below(ANY_MOVE) {
                0 => dice.pick(&moves),
                _ => searches.one_ply.search(&position, &Limits::depth(1), &mut dice).best,
            };
            position.play_unchecked(mv);
        }
        let position = match met.len() {
            0 => G::start(&self.rules),
            count => met.swap_remove(dice.below(count)),
        };
        let mut values = Vec::new();
        searches.deep.new_game();
        searches.deep.stop_by(stop.flag());
        for depth in 1..=self.depth {
            let found = searches.deep.search(&position, &Limits::depth(depth), &mut dice);
            if !stop.go_on() {
                return None;
            }
            if found.exact || is_decided(found.value) {
                break;
            }
            values.push(found.value);
        }
        Some(Sample { step: position.step(), values })
    }

    /// Searches the positions and fits the lines; `None` if the watch has broken it off.
    ///
    /// # Errors
    /// The evaluation is at fault.
    pub fn fit(&self, threads: usize, watch: Progress<'_>) -> Result<Option<Fitted>, PlayerError> {
        let check = answers::<G>(&self.rules, &self.eval)?;
        let job = |searches: &mut Searches<G>, number: usize, stop: &Stop| {
            self.sample(number, searches, stop).ok_or(Halt::Stopped)
        };
        let share = |done: usize| watch(done as f64 / self.positions as f64);
        let samples = pool::map(self.positions, threads, || self.searches(), job, share)?;
        Ok(samples.map(|samples| self.lines(&samples, check)))
    }

    /// The rows that enough positions tell.
    fn lines(&self, samples: &[Sample], check: Vec<f64>) -> Fitted {
        let mut file = ProbCutFile::new(G::NAME, &self.eval, check, self.positions, self.seed);
        let mut sigma_ci95 = Vec::new();
        let last = samples.iter().map(|sample| sample.step).max().unwrap_or(0);
        let width = (last / self.phases + 1).max(1);
        for deep in 2..=self.depth {
            for shallow in shallow(deep) {
                for from in (0..=last).step_by(width as usize) {
                    let to = from + width - 1;
                    let here: Vec<&Sample> =
                        samples.iter().filter(|sample| (from..=to).contains(&sample.step)).collect();
                    let value = |sample: &Sample, depth: u32| sample.values.get(depth as usize - 1).copied();
                    let points: Vec<(f64, f64)> = here
                        .iter()
                        .filter_map(|one| Some((value(one, shallow)?, value(one, deep)?)))
                        .collect();
                    let ends = (here.len() - points.len()) as f64;
                    if points.len() < LEAST || ends > MOST_ENDS * here.len() as f64 {
                        continue;
                    }
                    let Some(line) = Line::fit(&points).filter(|line| line.slope > 0.1) else { continue };
                    let (slope, offset, sigma) = (line.slope, line.intercept, line.spread);
                    file.cuts.push(Cut { shallow, deep, from, to, slope, offset, sigma, n: line.n });
                    sigma_ci95.push(line.spread_ci95);
                }
            }
        }
        Fitted { file, sigma_ci95 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::avalam::Avalam;
    use games::othello::Othello;
    use games::rules::Fixed;
    use std::ops::ControlFlow;

    fn go_on(_: f64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    #[test]
    fn shallow_depths_have_the_parity_of_the_deep_one() {
        let of = |deep| shallow(deep).collect::<Vec<u32>>();
        assert_eq!((of(2), of(3), of(4)), (vec![], vec![1], vec![2]));
        assert_eq!((of(5), of(6), of(8), of(9)), (vec![1, 3], vec![2, 4], vec![4, 6], vec![3, 5]));
    }

    #[test]
    fn any_game_is_fitted_on_any_number_of_threads() {
        fn all<G: PlayedGame>(rules: G::Rules, eval: &str) {
            let setup =
                ProbCutSetup::<G> { rules, eval: eval.into(), positions: 60, depth: 4, phases: 2, seed: 1 };
            let one = setup.fit(1, &go_on).unwrap().unwrap();
            assert_eq!(setup.fit(2, &go_on).unwrap().unwrap(), one);
            let read = ProbCutFile::parse("it", &one.file.text(), G::NAME).unwrap();
            assert_eq!(read, one.file);
            assert!(one.file.cuts.len() >= 2, "{:?}", one.file.cuts);
            for (cut, ci95) in one.file.cuts.iter().zip(&one.sigma_ci95) {
                assert!(cut.n >= LEAST && ci95[0] <= cut.sigma && cut.sigma <= ci95[1], "{cut:?}");
                assert!((0.3..2.0).contains(&cut.slope), "{cut:?}");
            }
        }
        all::<Othello>(Fixed, "patterns");
        all::<Avalam>(Fixed, "observer");
    }

    #[test]
    fn it_can_be_broken_off_and_faults_are_told_first() {
        let setup = |eval: &str| ProbCutSetup::<Othello> {
            rules: Fixed,
            eval: eval.into(),
            positions: 20,
            depth: 2,
            phases: 2,
            seed: 1,
        };
        assert_eq!(setup("score").fit(1, &|_| ControlFlow::Break(())).unwrap(), None);
        let error = setup("pattern").fit(1, &go_on).unwrap_err().to_string();
        assert!(error.contains("did you mean 'patterns'?"), "{error}");
    }
}
