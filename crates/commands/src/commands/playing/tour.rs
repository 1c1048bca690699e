//! `evalforge play` without a game: every game shown, played and counted, with honest numbers.

use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::time::Duration;

use clap::Args;
use games::draw::Pen;
use games::{Side, Turn};
use measure::bench::{Counted, count_for};
use measure::sample_games::{Survey, survey};
use play::numbers::percent;
use play::players::player;
use play::playout::{GameDice, play_observed};
use play::threads::on_threads;
use play::{Games, PlayedGame, Visitor};
use stats::{Mean, Share};

use crate::arguments::{Seed, Threads};
use crate::commands::{Plain, Program};
use crate::failure::Interrupted;
use crate::terminal::{colour, interrupted, screen_width, short};

/// Games in each survey.
const GAMES: usize = 1000;
/// A game that two weak players do not end sooner is cut here.
const LONGEST: u64 = 10_000;

/// See every game: a game played and drawn, the players compared with intervals, the rules counted
#[derive(Debug, Args)]
pub struct Tour {
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    threads: Threads,
}

impl Plain for Tour {
    fn run<L: Games>(self, _: &Program) -> anyhow::Result<()> {
        let (seed, threads) = (self.seed.seed, self.threads.count());
        let mut out = stdout();
        writeln!(out, "evalforge {}   seed {seed}, {threads} threads", env!("CARGO_PKG_VERSION"))?;
        let mut guide = Guide { seed, threads, result: Ok(()) };
        L::visit(&mut guide);
        guide.result?;
        if interrupted() {
            return Err(Interrupted("; 'evalforge play --tour' shows it all again".into()).into());
        }
        Ok(farewell()?)
    }
}

fn farewell() -> std::io::Result<()> {
    let mut out = stdout();
    writeln!(out, "Go on:")?;
    for (command, what) in [
        ("evalforge play othello", "play against the computer; 'evalforge play tetris' to place pieces"),
        ("evalforge play tetris --watch --player dn", "watch a player"),
        ("evalforge bench perft othello 9", "count positions: 3005288 leaves prove the rules"),
        ("evalforge bench", "speeds, and the behaviour signature"),
        ("evalforge list", "everything there is"),
    ] {
        writeln!(out, "  {command:<41} {what}")?;
    }
    Ok(())
}

/// Shows one game after the other.
struct Guide {
    seed: u64,
    threads: usize,
    result: anyhow::Result<()>,
}

impl Visitor for Guide {
    fn game<G: PlayedGame>(&mut self) {
        if self.result.is_ok() && !interrupted() {
            self.result = self.show::<G>();
        }
    }
}

impl Guide {
    fn show<G: PlayedGame>(&self) -> anyhow::Result<()> {
        let mut out = stdout();
        let rules = G::Rules::default();
        let start = G::start(&rules);
        writeln!(out, "\n{}: {}\n", G::NAME.to_uppercase(), G::SUMMARY)?;

        let mut shots: Vec<(G, G::Move, G)> = Vec::new();
        let mut before = start.clone();
        let mut players = [player(&rules, "greedy")?, player(&rules, "random")?];
        let mut dice = GameDice::new(self.seed, 0);
        let mut shoot = |_, mv, position: &G| {
            shots.push((before.clone(), mv, position.clone()));
            before = position.clone();
            ControlFlow::Continue(())
        };
        let record = play_observed(&start, &mut players, &mut dice, LONGEST, &mut shoot)?;
        let (half, last) = (&shots[(shots.len() - 1) / 2], &shots[shots.len() - 1]);
        let caption = |moves: usize| format!("after move {moves}");
        let left = drawing(&caption(shots.len().div_ceil(2)), half);
        let right = drawing(&format!("{}: {}", caption(shots.len()), outcome(&record.end)), last);
        writeln!(out, "{}", side_by_side(&left, &right))?;

        let games = |names: [&str; 2]| -> anyhow::Result<Survey> {
            Ok(on_threads(self.threads, || survey(&rules, &start, names, GAMES, self.seed, LONGEST))??)
        };
        if let [_] = G::SIDES {
            writeln!(out, "  {:<18}{:<23}{:<23}n = {GAMES}", "player", G::SCORE_UNIT, "moves")?;
            for name in ["greedy", "random"] {
                let survey = games([name, name])?;
                writeln!(out, "  {name:<18}{:<23}{}", mean(&survey.score), mean(&survey.moves))?;
            }
        } else {
            let (seats, wins) = (G::SIDES.join(" - "), format!("{} wins", G::SIDES[0]));
            writeln!(out, "  {seats:<18}{wins:<23}{:<19}{:<21}n = {GAMES}", "draws", "moves")?;
            for names in [["greedy", "random"], ["random", "greedy"], ["random", "random"]] {
                let survey = games(names)?;
                let (won, draws) = (share(survey.first), share(survey.draws));
                let moves = mean(&survey.moves);
                writeln!(out, "  {:<18}{won:<23}{draws:<19}{moves}", names.join(" - "))?;
            }
        }
        writeln!(out, "  {}", counted(&start))?;
        Ok(())
    }
}

fn share(share: Share) -> String {
    percent(share.share, share.ci95)
}

fn mean(mean: &Mean) -> String {
    format!("{:.2} [{:.2}, {:.2}]", mean.mean, mean.ci95[0], mean.ci95[1])
}

fn outcome<G: PlayedGame>(end: &G) -> String {
    let value = end.final_value(Side::First);
    match G::SIDES {
        _ if end.turn() != Turn::Over => "cut".to_string(),
        [_] => format!("over, {} {}", end.score(Side::First), G::SCORE_UNIT),
        _ if value == 0.0 => "a draw".to_string(),
        sides => format!("{} wins", sides[usize::from(value < 0.0)]),
    }
}

/// The first count that takes long enough to be timed.
fn counted<G: PlayedGame>(start: &G) -> String {
    let Counted { depth, leaves, seconds } = count_for(start, Duration::from_millis(6));
    let speed = short(leaves as f64 / seconds);
    format!("rules: {leaves} leaves at depth {depth} in {seconds:.3} s, {speed}/s on one thread")
}

fn drawing<G: PlayedGame>(caption: &str, (before, mv, after): &(G, G::Move, G)) -> Vec<String> {
    let mut pen = Pen::new(colour());
    after.draw(&mut pen, Some((before, *mv)));
    [caption.to_string()].into_iter().chain(pen.finish().lines().map(str::to_string)).collect()
}

/// Two drawings beside each other, or below if there is no room.
fn side_by_side(left: &[String], right: &[String]) -> String {
    let widest = |lines: &[String]| lines.iter().map(|line| seen_width(line)).max().unwrap_or(0);
    let width = widest(left);
    if width + widest(right) + 5 > screen_width() {
        let lines = left.iter().map(String::as_str).chain([""]).chain(right.iter().map(String::as_str));
        return lines.map(|line| format!("  {line}").trim_end().to_string() + "\n").collect();
    }
    let line = |i: usize| {
        let left = left.get(i).map_or("", String::as_str);
        let right = right.get(i).map_or("", String::as_str);
        format!("  {left}{}   {right}", " ".repeat(width - seen_width(left))).trim_end().to_string() + "\n"
    };
    (0..left.len().max(right.len())).map(line).collect()
}

/// The width on the screen: colour codes take no room.
fn seen_width(line: &str) -> usize {
    let codes: usize = line.split("\x1b[").skip(1).map(|part| part.find('m').map_or(0, |end| end + 3)).sum();
    line.chars().count() - codes
}
