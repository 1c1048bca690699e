//! `evalforge solve othello FILE`: the best move and the exact score of every position of a file, or what a search finds.

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use games::Game;
use games::othello::Othello;
use measure::problems::{Answer, Problem, Way, answer, read};
use play::PlayedGame as _;
use play::players::notation::Call;
use play::players::spec::{SCORE, Spec};
use play::search::limits::MAX_DEPTH;
use play::solve::othello::{DEFAULT_TABLE, empties};

use crate::arguments::{Given, whole_number};
use crate::commands::solve::Solve;
use crate::failure::{Interrupted, Usage};
use crate::outputs::{self, DiscScore, EndgameFile, Solved, SolvedEndgame, SolvedOthello};
use crate::rooms::OwnCommand;
use crate::terminal::{short, watched};

const LONG: &str = "by searching positions of a file to the end, one a line in OBF: 64 squares from a1 to h8 (X, O, -), the colour to \
    move, and scores of moves if they are known, which are compared. Scores are discs for the side to move, empty squares going \
    to the winner. Up to 20 empty squares take a second or less, 24 some minutes.";

/// What only Othello has.
#[derive(Debug, Args)]
pub struct Endgames {
    /// The positions, one a line in OBF
    file: PathBuf,
    /// The move and value of a search of so many plies instead of the exact ones
    #[arg(long, value_name = "N", value_parser = whole_number(1..=MAX_DEPTH))]
    depth: Option<u32>,
    #[arg(
        long,
        value_name = "MODEL",
        requires = "depth",
        help = format!("The evaluation of the search: a file, linear(...), or score [default: {}]", evaluation())
    )]
    eval: Option<String>,
    #[arg(
        long,
        value_name = "MB",
        value_parser = whole_number(1..=65_536usize),
        conflicts_with = "depth",
        help = format!("Megabytes that each thread may use for its table [default: {DEFAULT_TABLE}]")
    )]
    table: Option<usize>,
}

impl OwnCommand for Endgames {
    const LONG: &'static str = LONG;

    fn run(self, given: &Given) -> anyhow::Result<()> {
        let all = given.also::<Solve>()?;
        let way = self.way()?;
        let problems = read(&self.file).map_err(|error| Usage(error.to_string()))?;
        let threads = all.threads.count();
        let begun = Instant::now();
        let answers = watched("solving", |watch| answer(&problems, &way, threads, watch))?;
        let seconds = begun.elapsed().as_secs_f64();
        let report = Report { problems: &problems, answers: &answers, way: &way, seconds, threads };
        if all.json {
            outputs::print(&report.output())?;
        } else {
            report.text()?;
        }
        if answers.contains(&None) {
            let left = answers.iter().filter(|answer| answer.is_none()).count();
            let kept = format!("; {left} of {} positions are not answered", answers.len());
            return Err(Interrupted(kept).into());
        }
        match report.wrong() {
            0 => Ok(()),
            wrong => Err(anyhow::anyhow!("{wrong} exact scores are not those of the file")),
        }
    }
}

impl Endgames {
    fn way(&self) -> anyhow::Result<Way> {
        let Some(depth) = self.depth else { return Ok(Way::Exact(self.table.unwrap_or(DEFAULT_TABLE))) };
        let eval = self.eval.as_deref().unwrap_or(evaluation());
        let options = vec![("depth".to_string(), depth.to_string()), ("eval".to_string(), eval.to_string())];
        let text = Call { name: "alphabeta".into(), options }.to_string();
        Ok(Way::Search(Spec::parse(&text).map_err(|error| Usage(error.to_string()))?))
    }
}

/// The evaluation unless one is named.
fn evaluation() -> &'static str {
    Othello::BEST.map_or(SCORE, |best| best.evaluation)
}

struct Report<'a> {
    problems: &'a [Problem],
    answers: &'a [Option<Answer>],
    way: &'a Way,
    seconds: f64,
    threads: usize,
}

impl Report<'_> {
    fn pairs(&self) -> impl Iterator<Item = (&Problem, &Answer)> {
        self.problems
            .iter()
            .zip(self.answers)
            .filter_map(|(problem, answer)| Some((problem, answer.as_ref()?)))
    }

    fn is_exact(&self) -> bool {
        matches!(self.way, Way::Exact(_))
    }

    /// Exact scores that are not those of the file.
    fn wrong(&self) -> usize {
        let differs = |(problem, answer): &(&Problem, &Answer)| {
            problem.best().is_some_and(|best| f64::from(best) != answer.score)
        };
        if self.is_exact() { self.pairs().filter(differs).count() } else { 0 }
    }

    fn text(&self) -> std::io::Result<()> {
        let mut out = stdout();
        writeln!(
            out,
            "{:>5} {:>7} {:>5} {:>8} {:>10} {:>9}  file",
            "line", "empties", "move", "score", "nodes", "seconds"
        )?;
        for (problem, answer) in self.pairs() {
            let mv = problem.position.move_text(answer.best);
            let score =
                if self.is_exact() { format!("{:+}", answer.score) } else { format!("{:+.2}", answer.score) };
            writeln!(
                out,
                "{:>5} {:>7} {mv:>5} {score:>8} {:>10} {:>9.3}  {}",
                problem.line,
                empties(&problem.position),
                short(answer.nodes as f64),
                answer.seconds,
                self.remark(problem, answer)
            )?;
        }
        let nodes: u64 = self.pairs().map(|(_, answer)| answer.nodes).sum();
        let work: f64 = self.pairs().map(|(_, answer)| answer.seconds).sum();
        writeln!(
            out,
            "{} of {} positions, {} nodes, {work:.2} s of work in {:.2} s on {} threads, {} nodes/s",
            self.pairs().count(),
            self.problems.len(),
            short(nodes as f64),
            self.seconds,
            self.threads,
            short(nodes as f64 / work)
        )?;
        let known = self.pairs().filter(|(problem, _)| problem.best().is_some()).count();
        if known > 0 {
            let moves =
                self.pairs().filter(|(problem, answer)| problem.is_best(answer.best) == Some(true)).count();
            if self.is_exact() {
                writeln!(out, "scores as in the file: {} of {known}", known - self.wrong())?;
            }
            writeln!(out, "best moves as in the file: {moves} of {known}")?;
        }
        Ok(())
    }

    /// What the file says.
    fn remark(&self, problem: &Problem, answer: &Answer) -> String {
        let Some(best) = problem.best() else { return "says nothing".into() };
        let moves: Vec<String> = problem
            .scores
            .iter()
            .filter(|&&(_, score)| score == best)
            .map(|&(mv, _)| problem.position.move_text(mv))
            .collect();
        let file = format!("{} {best:+}", moves.join(" "));
        match problem.is_best(answer.best) == Some(true)
            && (!self.is_exact() || f64::from(best) == answer.score)
        {
            true => "agrees".into(),
            false if self.is_exact() && f64::from(best) == answer.score => {
                format!("agrees ({file})")
            }
            false => format!("differs: {file}"),
        }
    }

    fn output(&self) -> Solved {
        let one = |(problem, answer): (&Problem, &Option<Answer>)| {
            let answer = answer.as_ref()?;
            let score = match self.is_exact() {
                true => DiscScore::Exact(answer.score as i64),
                false => DiscScore::Searched(answer.score),
            };
            let file =
                problem.best().map(|score| EndgameFile { score, best_move: problem.is_best(answer.best) });
            Some(SolvedEndgame {
                mv: problem.position.move_text(answer.best),
                score,
                nodes: answer.nodes,
                seconds: answer.seconds,
                line: problem.line,
                empties: empties(&problem.position),
                file,
            })
        };
        Solved::Othello(SolvedOthello {
            game: Othello::NAME.into(),
            exact: self.is_exact(),
            threads: self.threads,
            seconds: self.seconds,
            positions: self.problems.iter().zip(self.answers).map(one).collect(),
        })
    }
}
