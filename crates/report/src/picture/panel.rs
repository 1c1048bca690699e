//! A player's game of Tetris as a film: what it counts and how it sees each placement stands beside the board.

use std::ops::Range;

use games::tetris::{Piece, Tetris};
use games::{Game, Turn};
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
    /// What it adds to the value of the placement, if it adds something.
    pub share: Option<f64>,
}

/// What is written beside the board.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Panel {
    /// Rows removed.
    pub lines: u64,
    /// Pieces placed.
    pub pieces: u64,
    /// The piece placed last.
    pub piece: Option<Piece>,
    /// Its value for the player.
    pub value: Option<f64>,
    /// The features of the placement.
    pub features: Vec<Line>,
    /// Whether the game is over.
    pub over: bool,
}

/// What there is to say about a placement.
pub fn panel(step: &Step, critic: Option<&Critic>) -> Panel {
    let mut panel = Panel {
        lines: step.after.lines(),
        pieces: step.pieces,
        piece: Some(step.placement.piece),
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
pub fn names(critic: Option<&Critic>) -> Vec<String> {
    critic.map_or(Vec::new(), |critic| critic.lines().into_iter().map(|(name, _)| name).collect())
}

/// The panel as lines. Before the first placement there are only the names of the features.
fn rows(player: &str, names: &[String], panel: &Panel) -> Vec<Row> {
    // Letters at the end of a path tell more than those at its beginning.
    let skipped = player.chars().count().saturating_sub(NAME);
    let mut piece = Row::new("piece", "");
    if let Some(placed) = panel.piece {
        piece.right = Some((placed.colour(), placed.letter().to_string()));
        piece.icon = Some(placed.picture());
    }
    let over = if panel.over { "game over" } else { "value" };
    let value = panel.value.filter(|_| !panel.over).map_or(String::new(), short);
    let mut rows = vec![
        Row::words(TEXT, &player.chars().skip(skipped).collect::<String>()),
        Row { rule: true, ..Row::new("lines", &panel.lines.to_string()) },
        Row::new("pieces", &panel.pieces.to_string()),
        piece,
        Row { rule: true, ..Row::new(over, &value) },
    ];
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

/// A game as an animated GIF: the placements and what is said about them, each shown for so many hundredths of a second.
/// `names` are those of the features.
pub fn watched(
    start: &Tetris,
    player: &str,
    names: &[String],
    steps: impl Iterator<Item = (Step, Panel)>,
    hundredths: u16,
) -> Vec<u8> {
    let words = |panel: &Panel| Words { beside: rows(player, names, panel), ..Words::default() };
    let opening = words(&Panel { lines: start.lines(), ..Panel::default() });
    let steps = steps.map(|(step, panel)| {
        let step = film::Step { before: step.before, mv: step.placement, after: step.after };
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
    use games::Rules;
    use games::tetris::TetrisRules;
    use play::analyze::show::Show;

    #[test]
    fn a_frame_a_placement_and_one_for_rows_that_go() {
        let rules = TetrisRules::from_pairs([("width", "6"), ("height", "10")]).unwrap();
        let start = Tetris::parse(&rules, "#....# - 3").unwrap();
        for (name, most) in [("dn", 40), ("random", 300)] {
            let mut show = Show::new(start.clone(), name, 1).unwrap();
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
            let words = Words { beside: rows(name, &names, &Panel::default()), ..Words::default() };
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
