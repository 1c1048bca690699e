//! What moves are worth and why, said to a person in a few lines: by a search between two sides, by a function in a game for one.

use games::Side;
use play::PlayedGame;
use play::analyze::explain::Critic;
use play::analyze::{Analysed, analyze};
use play::players::spec::{Spec, is_spec};
use play::players::{PlayerError, Thought, unknown_evaluation};

use crate::terminal::StatusBar;

/// Moves of a hint, and features of a reason.
const MOST: usize = 5;
/// Digits of a value that people are told in passing.
const DIGITS: usize = 2;

/// A move with its value as people read it, the line that is expected, and what each feature has to do with it.
pub struct Advice<G: PlayedGame> {
    pub mv: G::Move,
    pub value: f64,
    pub verdict: String,
    pub line: Vec<G::Move>,
    shares: Vec<(String, f64)>,
}

/// All moves of a position, the best first, as the adviser of this text sees them.
pub fn advise<G: PlayedGame>(
    rules: &G::Rules,
    position: &G,
    adviser: &str,
    go_on: &dyn Fn() -> bool,
) -> Result<Vec<Advice<G>>, PlayerError> {
    if is_spec(adviser) {
        let spec = Spec::parse(adviser)?;
        let progress = StatusBar::new("searching", position.count_moves() as u64);
        let mut watch = |done: usize, _all: usize| {
            progress.set(done as u64);
            go_on()
        };
        let all = analyze::<G>(rules, position, &spec, 1, &mut watch);
        progress.finish();
        let advice = |one: Analysed<G>| Advice {
            mv: one.mv,
            value: one.value,
            verdict: verdict::<G>(one.value, one.decided, DIGITS),
            line: one.line,
            shares: one.shares,
        };
        return Ok(all?.unwrap_or_default().into_iter().map(advice).collect());
    }
    let critic = Critic::<G>::new(rules, adviser)?.ok_or_else(|| unknown_evaluation::<G>(adviser))?;
    let advice = |rated: play::analyze::explain::Rated<G>| {
        let shares = critic.shares(&rated.features).unwrap_or_default();
        let names = critic.names().iter().cloned();
        let (value, line) = (rated.value, vec![rated.mv]);
        let verdict = verdict::<G>(value, false, DIGITS);
        Advice { mv: rated.mv, value, verdict, line, shares: names.zip(shares).collect() }
    };
    Ok(critic.ranking(position).into_iter().map(advice).collect())
}

/// A value in words, where the end is not seen with so many digits.
pub fn verdict<G: PlayedGame>(value: f64, decided: bool, digits: usize) -> String {
    let margin = value.abs();
    let by = if margin >= 1.0 && !G::SCORE_UNIT.is_empty() { format!(" by {margin}") } else { String::new() };
    match value {
        value if !decided => format!("{value:+.digits$}"),
        value if value > 0.0 => format!("wins{by}"),
        value if value < 0.0 => format!("loses{by}"),
        _ => "draws".into(),
    }
}

/// The moves of a line as text.
pub fn line<G: PlayedGame>(position: &G, moves: &[G::Move]) -> Vec<String> {
    let mut at = position.clone();
    let mut text = |&mv: &G::Move| {
        let text = at.move_text(mv);
        at.play_unchecked(mv);
        text
    };
    moves.iter().map(&mut text).collect()
}

/// What a player thought of a move that it made in this position, as "+1.25 at depth 8, expecting f5 d6".
pub fn thought_text<G: PlayedGame>(before: &G, thought: &Thought<G::Move>) -> String {
    let mut text = verdict::<G>(thought.value, thought.decided, DIGITS);
    if thought.depth > 0 && !thought.decided {
        text.push_str(&format!(" at depth {}", thought.depth));
    }
    text + &expected(before, &thought.line[..thought.line.len().min(MOST)])
}

/// What comes after the first move of a line.
fn expected<G: PlayedGame>(position: &G, line: &[G::Move]) -> String {
    match &self::line(position, line)[..] {
        [] | [_] => String::new(),
        [_, rest @ ..] => format!(", expecting {}", rest.join(" ")),
    }
}

/// The best moves, one a line.
pub fn hint<G: PlayedGame>(position: &G, all: &[Advice<G>], adviser: &str) -> String {
    let shown = &all[..all.len().min(MOST)];
    let rows = shown.iter().map(|one| (position.move_text(one.mv), &one.verdict, one));
    let rows: Vec<_> = rows.collect();
    let width = rows.iter().map(|(text, _, _)| text.len()).max().unwrap_or(0);
    let lines = rows.iter().map(|(text, verdict, one)| {
        let line = if one.line.len() > 1 {
            format!("   {}", line(position, &one.line[..one.line.len().min(MOST + 1)]).join(" "))
        } else {
            String::new()
        };
        format!("  {text:width$}  {verdict:>12}{line}")
    });
    let rest = all.len() - shown.len();
    let rest = if rest > 0 { format!("\n  and {rest} more") } else { String::new() };
    format!("Your moves, the best first, by {adviser}:\n{}{rest}", lines.collect::<Vec<_>>().join("\n"))
}

/// What speaks for a move, and against it where it is not the best.
pub fn why<G: PlayedGame>(position: &G, all: &[Advice<G>], number: usize, adviser: &str) -> String {
    let (one, best) = (&all[number], &all[0]);
    let mut text = format!("{} {} by {adviser}", position.move_text(one.mv), one.verdict);
    text.push_str(&expected(position, &one.line));
    if number > 0 {
        let better = format!("\n  better is {}: {}", position.move_text(best.mv), best.verdict);
        text.push_str(&if best.value > one.value { better } else { "\n  as good as any".to_string() });
    }
    let mut shares: Vec<&(String, f64)> = one.shares.iter().filter(|(_, share)| *share != 0.0).collect();
    shares.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    for (name, share) in shares.iter().take(MOST) {
        text.push_str(&format!("\n  {share:>+9.2}  {name}"));
    }
    let rest: f64 = shares.iter().skip(MOST).map(|(_, share)| share).sum();
    if shares.len() > MOST {
        text.push_str(&format!("\n  {rest:>+9.2}  {} others", shares.len() - MOST));
    }
    text
}

/// The lead of the first side, of a value for `side`.
pub fn for_first(side: Side, value: f64) -> f64 {
    if side == Side::First { value } else { 0.0 - value }
}
