//! A saved game looked at again: what each position was worth, as a graph of text, the mistakes, and what was better.

use std::io::{Write, stdout};

use games::{Rules, Side, Turn};
use measure::arena::GameRecord;
use play::PlayedGame;

use super::advice::{Advice, advise, for_first, line};
use crate::failure::Interrupted;
use crate::terminal::{StatusBar, at_once, interrupted, label};

/// Columns of a bar to either side.
const HALF: usize = 16;
/// Mistakes that are told.
const MOST: usize = 5;

/// A move as it was seen before it was made.
struct Seen<G: PlayedGame> {
    number: usize,
    side: Side,
    before: G,
    played: Advice<G>,
    /// What was better in the order of values, if something was.
    best: Option<Advice<G>>,
}

impl<G: PlayedGame> Seen<G> {
    /// What was given away.
    fn loss(&self) -> f64 {
        self.best.as_ref().map_or(0.0, |best| (best.value - self.played.value).max(0.0))
    }

    fn mv(&self) -> String {
        self.before.move_text(self.played.mv)
    }
}

/// Looks at every move of a game and prints what came out.
pub fn review<G: PlayedGame>(
    game: &GameRecord,
    which: &str,
    positions: &[(G, Option<G::Move>)],
    reviewer: Option<&str>,
) -> anyhow::Result<()> {
    let rules = game.rules.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    let rules = G::Rules::from_pairs(rules)?;
    let reviewer = reviewer.map_or_else(G::adviser, str::to_string);
    let progress = StatusBar::new("reviewing", positions.len() as u64);
    let look = || -> anyhow::Result<Vec<Seen<G>>> {
        let mut all = Vec::new();
        for (number, pair) in positions.windows(2).enumerate() {
            progress.set(number as u64);
            let ((before, _), (_, Some(mv))) = (&pair[0], &pair[1]) else { continue };
            let Turn::Player(side) = before.turn() else { continue };
            let mut advice = advise(&rules, before, &reviewer, &|| !interrupted())?;
            let Some(place) = advice.iter().position(|one| one.mv == *mv) else {
                return Err(Interrupted("; not all moves were looked at".into()).into());
            };
            let played = advice.swap_remove(place);
            let best = if place == 0 { None } else { Some(advice.swap_remove(0)) };
            all.push(Seen { number: number + 1, side, before: before.clone(), played, best });
        }
        Ok(all)
    };
    let seen = at_once("; not all moves were looked at", look)?;
    progress.finish();
    print(game, which, &seen, &reviewer)
}

fn print<G: PlayedGame>(
    game: &GameRecord,
    which: &str,
    seen: &[Seen<G>],
    reviewer: &str,
) -> anyhow::Result<()> {
    let mut out = stdout();
    let [one, two] = [G::SIDES[0], G::SIDES[1]];
    let name = |text: &str| label(text, 30);
    writeln!(out, "{which}: {one} {} - {two} {}", name(&game.first), name(&game.second))?;
    writeln!(out, "values for {one}, by {reviewer}\n")?;
    let most = seen.iter().map(|seen| seen.played.value.abs()).fold(0.0, f64::max).max(1e-9);
    for seen in seen {
        let lead = for_first(seen.side, seen.played.value);
        let length = ((lead.abs() / most * HALF as f64).round() as usize).min(HALF);
        let (left, right) = if lead < 0.0 { (length, 0) } else { (0, length) };
        let bar = format!("{:>HALF$}|{:<HALF$}", "#".repeat(left), "#".repeat(right));
        let side = G::SIDES[seen.side.index()];
        let row = format!("{:>3} {side:<6} {:<6} {lead:>+9.2} {bar}", seen.number, seen.mv());
        writeln!(out, "{}", row.trim_end())?;
    }
    let mut mistakes: Vec<&Seen<G>> = seen.iter().filter(|seen| seen.loss() > 0.0).collect();
    mistakes.sort_by(|a, b| b.loss().total_cmp(&a.loss()));
    if mistakes.is_empty() {
        writeln!(out, "\nno move was worse than the best")?;
        return Ok(());
    }
    writeln!(out, "\nthe mistakes that cost most")?;
    for seen in mistakes.iter().take(MOST) {
        let side = G::SIDES[seen.side.index()];
        let Some(best) = &seen.best else { continue };
        let line = line(&seen.before, &best.line[..best.line.len().min(MOST)]).join(" ");
        writeln!(
            out,
            "{:>3} {side} {} {}: better was {} {}, as in {line}",
            seen.number,
            seen.mv(),
            seen.played.verdict,
            seen.before.move_text(best.mv),
            best.verdict
        )?;
    }
    for (side, word) in Side::BOTH.into_iter().zip([one, two]) {
        let own: Vec<f64> = seen.iter().filter(|seen| seen.side == side).map(Seen::loss).collect();
        if !own.is_empty() {
            let mean = own.iter().sum::<f64>() / own.len() as f64;
            writeln!(out, "{word} gave away {mean:.2} a move on average, {} moves", own.len())?;
        }
    }
    Ok(())
}
