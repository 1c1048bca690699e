//! How well positions of Othello in files are answered: one a line in OBF, with the scores of some moves after them: `<64 squares> X; E1:+16; B1:+2;`. They are
//! spread over threads; each is solved as if it were alone, so that nothing depends on their number.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use games::error::shown;
use games::othello::{Move, Othello};
use games::rules::Fixed;
use games::{Game, Turn};
use play::files;
use play::players::PlayerError;
use play::players::searching::SearchPlan;
use play::players::spec::Spec;
use play::search::evaluation::margin;
use play::search::limits::Budget;
use play::solve::othello::{Solver, expected_nodes};
use thiserror::Error;

use crate::pool::{self, Event, Halt, Stop};

/// A position, and what the file says about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// Somebody is to move.
    pub position: Othello,
    /// Moves with their scores for the side to move.
    pub scores: Vec<(Move, i32)>,
    /// The line of the file, the first being 1.
    pub line: usize,
}

impl Problem {
    /// The best score of the file, if it says any.
    pub fn best(&self) -> Option<i32> {
        self.scores.iter().map(|&(_, score)| score).max()
    }

    /// Whether the file has no better move than this one; `None` if it says nothing.
    pub fn is_best(&self, mv: Move) -> Option<bool> {
        let best = self.best()?;
        Some(self.scores.contains(&(mv, best)))
    }
}

/// What can be wrong with a file of problems.
#[derive(Debug, Error)]
#[error("problems {}{}: {reason}", shown(&.path.display().to_string()), .line.map_or(String::new(), |line| format!(", line {line}")))]
pub struct ProblemError {
    /// Which file.
    pub path: PathBuf,
    /// Which line, the first being 1.
    pub line: Option<usize>,
    /// What is wrong.
    pub reason: String,
}

/// Reads a file. Empty lines and those that begin with `#` or `%` are left out.
///
/// # Errors
/// It cannot be read, a line is no position with its scores, the game is over in one, or there is none.
pub fn read(path: &Path) -> Result<Vec<Problem>, ProblemError> {
    let wrong = |line, reason: String| ProblemError { path: path.to_path_buf(), line, reason };
    let text = files::read(path, files::MOST_TEXT).map_err(|error| wrong(None, error.to_string()))?;
    let text = String::from_utf8(text).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count();
        wrong(Some(line + 1), "it is no text".into())
    })?;
    let is_content = |line: &str| !line.is_empty() && !line.starts_with(['#', '%']);
    let lines = text.lines().map(str::trim).enumerate().filter(|(_, line)| is_content(line));
    let problems: Vec<Problem> = lines
        .map(|(index, line)| problem(line, index + 1).map_err(|reason| wrong(Some(index + 1), reason)))
        .collect::<Result<_, _>>()?;
    match problems.is_empty() {
        true => Err(wrong(None, "it holds no position; one a line is expected".into())),
        false => Ok(problems),
    }
}

fn problem(text: &str, line: usize) -> Result<Problem, String> {
    let position = Othello::parse(&Fixed, text).map_err(|error| error.to_string())?;
    if position.turn() == Turn::Over {
        return Err("the game is over".into());
    }
    let mut scores = Vec::new();
    for part in text.split(';').skip(1).map(str::trim).filter(|part| !part.is_empty()) {
        let form = || format!("{} is no move with its score, as E1:+16", shown(part));
        let (mv, score) = part.split_once(':').ok_or_else(form)?;
        // No move and the worst of scores: what programs write where they have nothing to say.
        if (mv.trim(), score.trim()) == ("--", "-127") {
            continue;
        }
        let mv = position.parse_move(mv).map_err(|error| error.to_string())?;
        position.check(mv).map_err(|error| error.to_string())?;
        let score = score.trim().parse().ok().filter(|score| (-64..=64).contains(score));
        scores.push((mv, score.ok_or_else(|| format!("{}; a score is from -64 to +64", form()))?));
    }
    Ok(Problem { position, scores, line })
}

/// What was found in a position.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The best move.
    pub best: Move,
    /// The exact score, or the value of a search to a depth.
    pub score: f64,
    /// Positions looked at.
    pub nodes: u64,
    /// Time.
    pub seconds: f64,
}

/// How positions are answered.
#[derive(Debug, Clone, PartialEq)]
pub enum Way {
    /// Exactly, with a table of so many megabytes for each thread.
    Exact(usize),
    /// By a search with its own limits.
    Search(Spec),
}

/// Answers all problems, each by a mind without memories of the others. `watch` is told the share of the work that is expected to be
/// done, and may break it off: what is not answered then is `None`.
///
/// # Errors
/// The search cannot be made.
pub fn answer(
    problems: &[Problem],
    way: &Way,
    threads: usize,
    watch: &dyn Fn(f64) -> ControlFlow<()>,
) -> Result<Vec<Option<Answer>>, PlayerError> {
    // Files are read once; a search that is made of the plan has no memories.
    let plan = match way {
        Way::Exact(_) => None,
        Way::Search(spec) => Some(SearchPlan::new(&Fixed, spec)?),
    };
    let mind = || -> Result<Mind<'_>, PlayerError> {
        Ok(match (&plan, way) {
            (Some(plan), _) => Mind::Search(plan),
            (None, Way::Exact(megabytes)) => Mind::Exact(Solver::new(*megabytes)),
            (None, Way::Search(_)) => unreachable!("a search has a plan"),
        })
    };
    let weight = |problem: &Problem| match way {
        Way::Exact(_) => expected_nodes(&problem.position),
        Way::Search(_) => 1.0,
    };
    let total: f64 = problems.iter().map(weight).sum();
    let mut answers = vec![None; problems.len()];
    let mut done = 0.0;
    let job = |mind: &mut Mind, number: usize, stop: &Stop| {
        mind.answer(&problems[number].position, stop).ok_or(Halt::Stopped)
    };
    pool::run(problems.len(), threads, mind, job, |event| match event {
        Event::Done(number, answer) => {
            done += weight(&problems[number]);
            answers[number] = Some(answer);
            Ok(ControlFlow::Continue(()))
        }
        Event::Tick(_) => Ok(watch(done / total)),
    })?;
    Ok(answers)
}

enum Mind<'a> {
    Exact(Solver),
    Search(&'a SearchPlan<Othello>),
}

impl Mind<'_> {
    fn answer(&mut self, position: &Othello, stop: &Stop) -> Option<Answer> {
        let begun = Instant::now();
        match self {
            Mind::Exact(solver) => {
                let mut nodes = 0;
                solver.forget();
                let mut watch = Budget::new(None, None).with_stop(Some(stop.flag()));
                let solved = solver.solve(position, &mut watch, &mut nodes)?;
                let (score, seconds) = (f64::from(solved.score), begun.elapsed().as_secs_f64());
                Some(Answer { best: solved.best, score, nodes, seconds })
            }
            Mind::Search(plan) => {
                let mut search = plan.searcher();
                search.stop_by(stop.flag());
                let found = search.search(position, &plan.limits(), &mut games::Dice::seeded(&[1]));
                let seconds = begun.elapsed().as_secs_f64();
                stop.go_on().then(|| Answer {
                    best: found.best,
                    score: margin(found.value),
                    nodes: found.nodes,
                    seconds,
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &[u8]) -> PathBuf {
        let path = std::env::temp_dir().join(format!("evalforge-problems-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        path
    }

    const ONE: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

    #[test]
    fn files_are_read_and_faults_named_with_file_and_line() {
        let path =
            file("good.obf", format!("# one\n\n{ONE}; G8:+18; H1:+12; --:-127;\r\n{ONE}\n").as_bytes());
        let problems = read(&path).unwrap();
        assert_eq!((problems.len(), problems[0].line, problems[1].line), (2, 3, 4));
        assert_eq!((problems[0].best(), problems[1].best()), (Some(18), None));
        let mv = |text| problems[0].position.parse_move(text).unwrap();
        assert_eq!((problems[0].is_best(mv("g8")), problems[0].is_best(mv("h1"))), (Some(true), Some(false)));
        for (name, text, said) in [
            ("short.obf", format!("{ONE}\n{}", &ONE[1..]), "line 2: position"),
            (
                "short2.obf",
                ONE[1..].to_string(),
                "63 squares and the colour to move, but OBF has 64 squares and then that colour",
            ),
            ("mover.obf", ONE[..64].to_string(), "64 squares and no colour to move after a space"),
            ("sign.obf", ONE.replace("XXXXX--", "XXYXX--"), "'Y' on e1; a square is X, O or -"),
            (
                "score.obf",
                format!("{ONE}; G8:+65"),
                "line 1: 'G8:+65' is no move with its score, as E1:+16; a score is from",
            ),
            ("pass.obf", format!("{ONE}; --:+12"), "line 1: "),
            ("move.obf", format!("{ONE}; I9:+1"), "line 1: move 'I9'"),
            ("illegal.obf", format!("{ONE}; C1:+1"), "line 1: illegal move c1: the square is taken"),
            ("over.obf", format!("{} X", "X".repeat(64)), "line 1: the game is over"),
            ("none.obf", "# nothing\n".to_string(), "it holds no position"),
        ] {
            let path = file(name, text.as_bytes());
            let error = read(&path).unwrap_err().to_string();
            assert!(error.contains(said) && error.contains(name), "{error}");
        }
        let error = read(&file("bytes.obf", b"#\n\xff")).unwrap_err().to_string();
        assert!(error.contains("line 2: it is no text"), "{error}");
        assert!(read(Path::new("no/such.obf")).unwrap_err().to_string().contains("no/such.obf"));
    }

    #[test]
    fn answers_do_not_depend_on_threads_and_can_be_broken_off() {
        let go_on = |_: f64| ControlFlow::Continue(());
        let path = file("two.obf", format!("{ONE}; G8:+18\n{ONE}\n").as_bytes());
        let problems = read(&path).unwrap();
        let plain = |answers: Vec<Option<Answer>>| -> Vec<_> {
            answers.into_iter().map(|one| one.map(|one| (one.best, one.score, one.nodes))).collect()
        };
        let solved = plain(answer(&problems, &Way::Exact(16), 1, &go_on).unwrap());
        assert_eq!(solved[0], solved[1]);
        let (best, score, nodes) = solved[0].unwrap();
        assert_eq!((problems[0].is_best(best), score), (Some(true), 18.0));
        assert!(nodes > 1000);
        assert_eq!(plain(answer(&problems, &Way::Exact(16), 2, &go_on).unwrap()), solved);
        let search = Way::Search(Spec::parse("alphabeta(depth=3)").unwrap());
        assert!(plain(answer(&problems, &search, 2, &go_on).unwrap())[1].unwrap().2 < nodes);
        // Each as if it were alone, whatever came before.
        let start = Problem { position: Othello::start(&Fixed), scores: Vec::new(), line: 1 };
        let three = [start.clone(), problems[0].clone(), start];
        let together = plain(answer(&three, &search, 1, &go_on).unwrap());
        assert_eq!(
            (&together[0], together[1]),
            (&together[2], plain(answer(&problems, &search, 1, &go_on).unwrap())[0])
        );
        // The file of the evaluation is read before the first position, and not again: it may be gone by then.
        let text = r#"{"format":"evalforge model 1","game":"othello","features":"material","model":"linear","parameters":{"material":1}}"#;
        let model = file("model.json", text.as_bytes());
        let spec = Spec::parse(&format!("alphabeta(depth=2, eval={})", model.display())).unwrap();
        let many = vec![problems[0].clone(); 20];
        let begin = |_: f64| {
            let _ = std::fs::remove_file(&model);
            ControlFlow::Continue(())
        };
        let answers = answer(&many, &Way::Search(spec.clone()), 2, &begin).unwrap();
        assert!(answers.iter().all(Option::is_some) && !model.exists());
        assert!(answer(&many, &Way::Search(spec), 2, &go_on).is_err(), "it was read");
        let hard = vec![Problem { position: Othello::start(&Fixed), scores: Vec::new(), line: 1 }];
        assert_eq!(answer(&hard, &Way::Exact(16), 1, &|_| ControlFlow::Break(())).unwrap(), [None]);
    }
}
