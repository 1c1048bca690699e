//! `evalforge solve pushover`: the value of the empty board and of all others, checked on request.

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use games::pushover::{Entry, Pushover, PushoverRules};
use games::{Game, InputError, Rules, Side};
use play::solve::Value;
use play::solve::pushover::verify;
use play::solve::pushover::verify::{Checked, Replayed};
use play::solve::pushover::{Perfect, Solution, solve};
use play::threads::on_threads;

use crate::arguments::{Force, Given};
use crate::commands::solve::Solve;
use crate::failure::{Interrupted, Usage};
use crate::outputs::{
    self, BoardCounts, DistanceCount, DistanceCounts, LongestWin, ReplayedSide, SolutionChecked, Solved,
    SolvedPushover,
};
use crate::rooms::OwnCommand;
use crate::terminal::watched;

const LONG: &str = "by retrograde analysis of all boards of 4x4 or 3x3, play that never ends being a draw; the limit of moves \
    is left out. Values are for the side to move, and distances are single moves of both sides.";

/// What only Push-over has.
#[derive(Debug, Args)]
pub struct Boards {
    /// Without the rule against repetition: the same as --repetition off
    #[arg(long)]
    no_repetition: bool,
    /// Check every value by the rules alone, and play the strategy against every defence: some minutes on 4x4
    #[arg(long)]
    verify: bool,
    /// Write the values of all boards to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

impl OwnCommand for Boards {
    const LONG: &'static str = LONG;

    fn run(self, given: &Given) -> anyhow::Result<()> {
        let all = given.also::<Solve>()?;
        let (rules, threads) = (self.rules(given)?, all.threads.count());
        self.out.as_deref().map_or(Ok(()), |path| self.force.check(path))?;
        let begun = Instant::now();
        let solved = watched("solving", |watch| on_threads(threads, || solve(&rules, watch)))??;
        let solution = solved.ok_or_else(|| Interrupted("; nothing is solved yet".into()))?;
        let seconds = begun.elapsed().as_secs_f64();
        // What has been found is printed even if the file cannot be written.
        let saved = self.out.as_ref().map_or(Ok(()), |path| solution.perfect.save(path));
        let verified = self.verify.then(|| verified(&solution.perfect, threads)).transpose()?;
        let report =
            Report { rules: &rules, solution: &solution, seconds, threads, verified: verified.as_ref() };
        if all.json {
            report.json()?;
        } else {
            report.text()?;
        }
        Ok(saved?)
    }
}

impl Boards {
    /// The rules as given; a limit of moves is none of the solver's.
    fn rules(&self, given: &Given) -> anyhow::Result<PushoverRules> {
        let mut rules = given.rules::<Pushover>()?;
        if self.no_repetition {
            if given.text("repetition") == Some("on") {
                return Err(Usage("--no-repetition and --repetition on contradict each other".into()).into());
            }
            rules.repetition = false;
        }
        if rules.get("limit") != "auto" {
            let allowed = "auto: boards are solved without a limit, and what takes longer than a game lasts is a draw there";
            return Err(InputError::option("limit", &rules.get("limit"), allowed).into());
        }
        Ok(rules)
    }
}

/// What the check by the rules has found.
struct Verified {
    checked: Checked,
    replayed: Vec<Replayed>,
    seconds: f64,
}

fn verified(perfect: &Perfect, threads: usize) -> anyhow::Result<Verified> {
    let begun = Instant::now();
    let stopped = || Interrupted("; the game is solved, but not verified".into());
    let wrong = |fault: String| anyhow::anyhow!("the solution is wrong: {fault}");
    let checked =
        watched("checking every value", |watch| on_threads(threads, || verify::values(perfect, watch)))?;
    let checked = checked.ok_or_else(stopped)?.map_err(wrong)?;
    let start = Pushover::start(&perfect.rules());
    // In a draw both sides have a strategy, else only one.
    let sides = if perfect.endless_value(&start) == Value::Draw { &Side::BOTH[..] } else { &Side::BOTH[..1] };
    let mut replayed = Vec::new();
    for &side in sides {
        let games = watched("playing against every defence", |watch| verify::replay(perfect, side, watch));
        replayed.push(games.ok_or_else(stopped)?.map_err(wrong)?);
    }
    Ok(Verified { checked, replayed, seconds: begun.elapsed().as_secs_f64() })
}

struct Report<'a> {
    rules: &'a PushoverRules,
    solution: &'a Solution,
    seconds: f64,
    threads: usize,
    verified: Option<&'a Verified>,
}

impl Report<'_> {
    fn start(&self) -> Pushover {
        Pushover::start(&self.solution.perfect.rules())
    }

    fn line(&self) -> Vec<Entry> {
        self.solution.perfect.line(&self.start(), 50)
    }

    /// A board with the longest win, `o` to move, and its distance.
    fn longest(&self) -> Option<(u8, String)> {
        let board = self.solution.longest?;
        let position = Pushover::with_board(&self.solution.perfect.rules(), board, None, Side::First);
        let text = position.text();
        let cells = text.chars().take(usize::from(self.rules.size).pow(2)).collect();
        Some((self.solution.perfect.endless_value(&position).distance()?, cells))
    }

    fn text(&self) -> std::io::Result<()> {
        let mut out = stdout();
        let Solution { value, census, listed, exceptions, rounds, .. } = self.solution;
        let size = self.rules.size;
        let rule = if self.rules.repetition { "with" } else { "without" };
        writeln!(
            out,
            "pushover {size}x{size} {rule} the rule against repetition; play that never ends is a draw"
        )?;
        let said = match value {
            Value::Win(distance) => format!("o wins in {distance} moves"),
            Value::Draw => "a draw".to_string(),
            Value::Loss(distance) => format!("+ wins in {distance} moves"),
        };
        writeln!(out, "empty board   {said}")?;
        let letters: String = self.line().iter().map(|entry| entry.letter()).collect();
        match value {
            Value::Draw => writeln!(out, "a line        {letters} and so on")?,
            _ => writeln!(out, "a line        {letters}")?,
        }
        let [wins, losses, draws] = census.totals();
        let all = (wins + losses + draws) as f64 / 100.0;
        let share = |count: u64| count as f64 / all;
        writeln!(out, "boards without a line, for the side to move, every push allowed:")?;
        for (word, count) in [("won", wins), ("lost", losses), ("drawn", draws)] {
            writeln!(out, "  {word:<6} {count:>10}   {:5.2} %", share(count))?;
        }
        writeln!(
            out,
            "by distance, in single moves:\n  {:>3} {:>10}   {:>3} {:>10}",
            "win", "boards", "loss", "boards"
        )?;
        let rows = census.wins.len().max(census.losses.len());
        let cell = |entry: Option<(&u8, &u64)>| {
            entry.map_or(format!("{:14}", ""), |(d, n)| format!("{d:>3} {n:>10}"))
        };
        for row in 0..rows {
            let line =
                format!("  {}   {}", cell(census.wins.iter().nth(row)), cell(census.losses.iter().nth(row)));
            writeln!(out, "{}", line.trim_end())?;
        }
        if let Some((distance, cells)) = self.longest() {
            writeln!(out, "longest win   {distance} moves, as on {cells} with o to move")?;
        }
        let note = match exceptions {
            0 => String::new(),
            count => format!("; {count} of them are worth less when the best push is forbidden"),
        };
        writeln!(out, "computed      {listed} boards, one of each eight images{note}")?;
        writeln!(out, "seconds       {:.2} on {} threads, {rounds} rounds", self.seconds, self.threads)?;
        if let Some(Verified { checked, replayed, seconds }) = self.verified {
            let Checked { boards, forbidding } = checked;
            writeln!(
                out,
                "checked       {boards} boards and {forbidding} with a forbidden push follow from the rules"
            )?;
            for games in replayed {
                let side = Pushover::SIDES[games.side.index()];
                let end = match games.longest {
                    Some(most) => format!("wins in at most {most} moves"),
                    None => "never loses".to_string(),
                };
                writeln!(
                    out,
                    "played        {side} {end} against every defence, {} positions",
                    games.positions
                )?;
            }
            writeln!(out, "              {seconds:.1} seconds")?;
        }
        Ok(())
    }

    fn json(&self) -> std::io::Result<()> {
        let Solution { value, census, listed, exceptions, rounds, .. } = self.solution;
        let [win, loss, draw] = census.totals();
        let counted = |(&distance, &boards): (&u8, &u64)| DistanceCount { distance, boards };
        let games = |games: &Replayed| ReplayedSide {
            side: Pushover::SIDES[games.side.index()].into(),
            positions: games.positions,
            longest: games.longest,
        };
        outputs::print(&Solved::Pushover(SolvedPushover {
            game: Pushover::NAME.into(),
            size: self.rules.size,
            repetition: self.rules.repetition,
            value: value.word().into(),
            distance: value.distance(),
            line: self.line().iter().map(|entry| entry.letter().to_string()).collect(),
            boards: BoardCounts { win, loss, draw },
            by_distance: DistanceCounts {
                win: census.wins.iter().map(counted).collect(),
                loss: census.losses.iter().map(counted).collect(),
            },
            longest_win: self.longest().map(|(distance, board)| LongestWin {
                distance,
                board,
                to_move: "o".into(),
            }),
            computed: *listed,
            exceptions: *exceptions,
            rounds: *rounds,
            seconds: self.seconds,
            threads: self.threads,
            verified: self.verified.as_ref().map(|verified| SolutionChecked {
                boards: verified.checked.boards,
                forbidding: verified.checked.forbidding,
                replayed: verified.replayed.iter().map(games).collect(),
                seconds: verified.seconds,
            }),
        }))
    }
}
