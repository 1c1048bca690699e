//! What `evalforge explain` prints.

use std::io::{self, Write, stdout};

use games::Turn;
use games::draw::Pen;
use play::PlayedGame;
use play::analyze::explain::{Critic, Rated};
use report::picture::panel::short;

use crate::outputs::{FeatureShare, RatedMove, Why, print};
use crate::terminal::{beside, colour, screen_width};

/// A position as a player sees it.
pub struct Explained<'a, G: PlayedGame> {
    /// The position.
    pub position: G,
    /// The text of the player.
    pub player: &'a str,
    /// What tells how it sees.
    pub critic: Critic<G>,
    /// Every move, the one that is played first.
    pub ranking: Vec<Rated<G>>,
}

impl<G: PlayedGame> Explained<'_, G> {
    fn move_text(&self, rated: &Rated<G>) -> String {
        self.position.move_text(rated.mv)
    }

    /// The rank of a place in the list: those of one value share one, with a sign of equality.
    fn rank(&self, place: usize) -> String {
        let value = |place: usize| self.ranking[place].value;
        let same = |other: &usize| value(*other) == value(place);
        let first = (0..place).find(same).unwrap_or(place);
        let tie = first < place || (place + 1..self.ranking.len()).any(|other| same(&other));
        format!("{}{}", first + 1, if tie { "=" } else { "" })
    }

    /// What a move that ends the game brings.
    fn end(&self, rated: &Rated<G>) -> &'static str {
        let mut after = self.position.clone();
        after.play_unchecked(rated.mv);
        match (self.position.turn(), after.turn()) {
            (Turn::Player(side), Turn::Over) => match after.final_value(side) {
                won if won > 0.0 => " wins",
                lost if lost < 0.0 => " loses",
                _ => " draws",
            },
            _ => "",
        }
    }
}

/// The boards, all moves with their values, and the features of the best `top`.
pub fn text<G: PlayedGame>(explained: &Explained<G>, top: usize) -> io::Result<()> {
    let mut out = stdout().lock();
    let (position, best) = (&explained.position, &explained.ranking[0]);
    let mut after = position.clone();
    after.play_unchecked(best.mv);
    let draw = |board: &G, last| {
        let mut pen = Pen::new(colour());
        board.draw(&mut pen, last);
        pen.finish()
    };
    let (mv, count) = (explained.move_text(best), explained.ranking.len());
    let equal = explained.ranking.iter().filter(|rated| rated.value == best.value).count();
    let how = if equal > 1 { format!("first of {equal} best") } else { "best".to_string() };
    let (moves, of) =
        (G::WORDS.moves, position.dealt().map_or(String::new(), |dealt| format!(" of {}", dealt.text)));
    writeln!(out, "{} plays {mv}, the {how} of {count} {moves}{of}.\n", explained.player)?;
    write!(out, "{}", beside(&draw(position, None), &draw(&after, Some((position, best.mv)))))?;

    writeln!(out, "\n{moves} with their values, best first; = those of one value")?;
    let entry = |(place, rated): (usize, &Rated<G>)| {
        format!(
            "{:>4} {} {:>9}{}",
            explained.rank(place),
            explained.move_text(rated),
            amount(rated.value),
            explained.end(rated)
        )
    };
    let entries: Vec<String> = explained.ranking.iter().enumerate().map(entry).collect();
    write_columns(&mut out, &entries)?;

    let shown: Vec<usize> = (0..count.min(top)).collect();
    let linear = explained.critic.weights().is_some();
    let what = if linear { "value and share, which is weight times value" } else { "value" };
    writeln!(out, "\nfeatures of the best {}: {what}", shown.len())?;
    let across = (screen_width().saturating_sub(36) / if linear { 20 } else { 11 }).max(1);
    for places in shown.chunks(across) {
        write_table(&mut out, explained, places)?;
    }
    Ok(())
}

/// A value or share, its point below that of the others.
fn amount(number: f64) -> String {
    // Adding 0 takes the sign from nothing.
    if number.abs() < 1e6 { format!("{:.2}", number + 0.0) } else { short(number) }
}

/// Entries in columns, read from top to bottom.
fn write_columns(out: &mut dyn Write, entries: &[String]) -> io::Result<()> {
    let width = entries.iter().map(String::len).max().unwrap_or(0) + 3;
    let across = (screen_width() / width).max(1);
    let rows = entries.len().div_ceil(across);
    for row in 0..rows {
        let line: String =
            entries.iter().skip(row).step_by(rows).map(|entry| format!("{entry:width$}")).collect();
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Features downwards, moves across.
fn write_table<G: PlayedGame>(
    out: &mut dyn Write,
    explained: &Explained<G>,
    places: &[usize],
) -> io::Result<()> {
    let critic = &explained.critic;
    let weights = critic.weights();
    // A value and a share, or a value alone.
    let wide = if weights.is_some() { 20 } else { 11 };
    let is_shown = |i: &usize| {
        !critic.is_sparse() || places.iter().any(|&place| explained.ranking[place].features[*i] != 0.0)
    };
    let shown: Vec<usize> = (0..critic.names().len()).filter(is_shown).collect();
    // Entries of tables have long names.
    let longest = shown.iter().map(|&i| critic.names()[i].len() + 1).max().unwrap_or(0).max(26);
    let mut line = |name: &str, weight: &str, cells: &mut dyn Iterator<Item = String>| {
        let cells: String = cells.map(|cell| format!("{cell:>wide$}")).collect();
        writeln!(out, "{}", format!("{name:<longest$}{weight:>9}{cells}").trim_end())
    };
    let head = |&place: &usize| {
        format!("{} {}", explained.rank(place), explained.move_text(&explained.ranking[place]))
    };
    line("feature", if weights.is_some() { "weight" } else { "" }, &mut places.iter().map(head))?;
    for i in shown {
        let cell = |&place: &usize| {
            let value = explained.ranking[place].features[i];
            let share = weights.map(|weights| format!("{:>10}", amount(weights[i] * value)));
            format!("{}{}", short(value), share.unwrap_or_default())
        };
        line(
            &critic.names()[i],
            &weights.map_or(String::new(), |weights| short(weights[i])),
            &mut places.iter().map(cell),
        )?;
    }
    line("value", "", &mut places.iter().map(|&place| amount(explained.ranking[place].value)))?;
    writeln!(out)
}

/// The best `top` as JSON.
pub fn json<G: PlayedGame>(explained: &Explained<G>, top: usize) -> io::Result<()> {
    let critic = &explained.critic;
    let feature = |(i, value): (usize, f64)| {
        let weight = critic.weights().map(|weights| weights[i]);
        FeatureShare { value, weight, share: weight.map(|weight| weight * value) }
    };
    let one = |rated: &Rated<G>| {
        let all = rated.features.iter().copied().enumerate();
        let kept = all.filter(|(_, value)| !critic.is_sparse() || *value != 0.0);
        RatedMove {
            mv: explained.move_text(rated),
            value: rated.value,
            features: kept.map(|(i, value)| (critic.names()[i].clone(), feature((i, value)))).collect(),
            end: explained.end(rated).split_whitespace().next().map(Into::into),
        }
    };
    let dealt = explained.position.dealt();
    print(&Why {
        position: explained.position.text(),
        player: explained.player.into(),
        moves: explained.ranking.iter().take(top).map(one).collect(),
        dealt: dealt.map(|dealt| (G::WORDS.dealt.to_string(), dealt.text)).into_iter().collect(),
    })
}
