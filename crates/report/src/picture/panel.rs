//! A player's game as a film: what it counts and how it sees each move stands beside the board.

use std::ops::Range;

use games::picture::{Colour, Picture};
use games::{Side, Turn};
use play::PlayedGame;
use play::analyze::explain::Critic;
use play::analyze::show::Step;

use super::drawing::TEXT;
use super::film::{self, film};
use super::stage::{Row, Words};

/// Letters of a value.
const VALUE: usize = 8;
/// Letters of the name of the player.
const NAME: usize = 30;

/// One line about a feature.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The feature.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// What it adds to the value of the move, if it adds something.
    pub share: Option<f64>,
}

/// What is written beside the board.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Panel {
    /// What the score counts, and the score.
    pub score: Option<(String, String)>,
    /// Moves made.
    pub moves: u64,
    /// What chance had dealt for the last move, else the move.
    pub last: Option<Last>,
    /// Its value for the player.
    pub value: Option<f64>,
    /// The features of the move.
    pub features: Vec<Line>,
    /// Whether the game is over.
    pub over: bool,
}

/// The last move, or what chance had dealt for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Last {
    text: String,
    colour: Colour,
    icon: Option<Picture>,
}

/// What the score counts, and the score: between two sides the lead of the first. `None` where a game is only won or lost.
pub fn score<G: PlayedGame>(position: &G) -> Option<(String, String)> {
    let score = position.score(Side::First);
    match G::SIDES {
        _ if G::SCORE_UNIT.is_empty() => None,
        [_] => Some((G::SCORE_UNIT.to_string(), score.to_string())),
        sides => Some((format!("{} for {}", G::SCORE_UNIT, sides[0]), format!("{score:+}"))),
    }
}

/// What there is to say about a move.
pub fn panel<G: PlayedGame>(step: &Step<G>, critic: Option<&Critic<G>>) -> Panel {
    let last = match step.before.dealt() {
        Some(dealt) => Last { text: dealt.text, colour: dealt.colour, icon: Some(dealt.picture) },
        None => Last { text: step.before.move_text(step.mv), colour: TEXT, icon: None },
    };
    let mut panel = Panel {
        score: score(&step.after),
        moves: step.moves,
        last: Some(last),
        over: step.after.turn() == Turn::Over,
        ..Panel::default()
    };
    if let (Some(rated), Some(critic)) = (&step.rated, critic) {
        let shares = critic.shares(&rated.features);
        let line = |(name, places): (String, Range<usize>)| Line {
            name,
            value: rated.features[places.clone()].iter().sum(),
            share: shares.as_ref().map(|shares| shares[places].iter().sum()),
        };
        panel.value = Some(rated.value);
        panel.features = critic.lines().into_iter().map(line).collect();
    }
    panel
}

/// The names of the lines about features.
pub fn names<G: PlayedGame>(critic: Option<&Critic<G>>) -> Vec<String> {
    critic.map_or(Vec::new(), |critic| critic.lines().into_iter().map(|(name, _)| name).collect())
}

/// The panel as lines. Before the first move there are only the names of the features.
fn rows<G: PlayedGame>(player: &str, names: &[String], panel: &Panel) -> Vec<Row> {
    // Letters at the end of a path tell more than those at its beginning.
    let skipped = player.chars().count().saturating_sub(NAME);
    let mut last = Row::new(if G::WORDS.dealt.is_empty() { "move" } else { G::WORDS.dealt }, "");
    if let Some(Last { text, colour, icon }) = &panel.last {
        last.right = Some((*colour, text.clone()));
        last.icon.clone_from(icon);
    }
    let over = if panel.over { "game over" } else { "value" };
    let value = panel.value.filter(|_| !panel.over).map_or(String::new(), short);
    let mut counts = vec![Row::new(G::WORDS.unit, &panel.moves.to_string())];
    counts.splice(0..0, panel.score.iter().map(|(unit, score)| Row::new(unit, score)));
    counts[0].rule = true;
    let mut rows = vec![Row::words(TEXT, &player.chars().skip(skipped).collect::<String>())];
    rows.extend(counts);
    rows.extend([last, Row { rule: true, ..Row::new(over, &value) }]);
    rows.extend(names.iter().enumerate().map(|(i, name)| {
        let line = panel.features.get(i);
        let value = line.map_or(String::new(), |line| short(line.value));
        let right = Some((TEXT, value));
        Row {
            left: vec![(TEXT, name.clone())],
            right,
            bar: line.and_then(|line| line.share),
            ..Row::default()
        }
    }));
    rows
}

/// A game as an animated GIF: the moves and what is said about them, each shown for so many hundredths of a second.
/// `names` are those of the features.
pub fn watched<G: PlayedGame>(
    start: &G,
    player: &str,
    names: &[String],
    steps: impl Iterator<Item = (Step<G>, Panel)>,
    hundredths: u16,
) -> Vec<u8> {
    let words = |panel: &Panel| Words { beside: rows::<G>(player, names, panel), ..Words::default() };
    let opening = words(&Panel { score: score(start), ..Panel::default() });
    let steps = steps.map(|(step, panel)| {
        let step = film::Step { before: step.before, mv: step.mv, after: step.after };
        (step, words(&panel))
    });
    film(start, &opening, steps, hundredths)
}

/// A number in at most eight letters, where it can be.
pub fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "-0" => "0".to_string(),
        text if text.len() <= VALUE || !number.is_finite() => text.to_string(),
        _ if number.abs() < 1e7 => format!("{number:.0}"),
        _ => format!("{number:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::animation::tests::decoded;
    use super::super::drawing::WALL_WIDTH;
    use super::super::stage::Stage;
    use super::*;
    use games::tetris::{Tetris, TetrisRules};
    use games::{Game as _, Rules};
    use play::analyze::show::Show;

    #[test]
    fn a_frame_a_placement_and_one_for_rows_that_go() {
        let rules = TetrisRules::from_pairs([("width", "6"), ("height", "10")]).unwrap();
        let start = Tetris::parse(&rules, "#....# - 3").unwrap();
        for (name, most) in [("dn", 40), ("random", 300)] {
            let mut show = Show::new(&rules, start.clone(), &[name], 1).unwrap();
            let names = names(show.critic());
            let mut steps = Vec::new();
            while let Some(step) = show.next().filter(|_| steps.len() < most) {
                let step = step.unwrap();
                let panel = panel(&step, show.critic());
                steps.push((step, panel));
            }
            let clearing = steps.iter().filter(|(step, _)| step.after.lines() > step.before.lines()).count();
            let count = steps.len();
            let end = steps[count - 1].0.after.clone();
            let bytes = watched(&start, name, &names, steps.into_iter(), 5);
            let ((width, height), pictures) = decoded(&bytes);
            let words = Words {
                beside: rows::<Tetris>(name, &names, &Panel { score: score(&start), ..Panel::default() }),
                ..Words::default()
            };
            let stage = Stage::new(&start.picture(None), &words);
            assert_eq!((width, height), stage.size());
            assert_eq!(pictures.len(), 1 + count + clearing);
            // The board of the last picture is that of the last position.
            let hole = start.picture(None).hole;
            for (column, &cells) in end.columns().iter().enumerate() {
                for row in 0..10 {
                    let along = |corner: usize, cells: f64| corner + (cells * stage.cell) as usize;
                    let x = along(stage.board.left, WALL_WIDTH + column as f64 + 0.5);
                    let y = along(stage.board.top, 10.5 - f64::from(row));
                    let is_full = pictures[pictures.len() - 1][y * width + x] != hole;
                    assert_eq!(is_full, cells >> row & 1 != 0, "{name}: column {column}, row {row}");
                }
            }
        }
    }

    #[test]
    fn numbers_are_short() {
        let found = [0.5, -0.001, 12.0, -563.5, 123_456.78, 1_234_567.8, 2e12].map(short);
        assert_eq!(found, ["0.5", "0", "12", "-563.5", "123457", "1234568", "2.0e12"]);
    }
}
