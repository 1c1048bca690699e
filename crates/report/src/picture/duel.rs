//! A game between two as a GIF (as figure B.1 of Branly & Guichard 2022): the board, and beside it the score over time and
//! the time of every move.

use games::{Side, Turn};
use play::PlayedGame;

use super::animation::Animation;
use super::board::{Board, FAINT, GRID, GROUND, Shade, TEXT, TRANSPARENT, of_side, palette};
use super::canvas::{Area, Canvas};
use super::font::{ADVANCE, HEIGHT};

const SCALE: usize = 2;
const LETTER: usize = ADVANCE * SCALE;
const MARGIN: usize = 20;
const GAP: usize = 28;
/// From one line of text to the next.
const LINE: usize = 26;
/// Pixels of the charts from left to right, their marks left out.
const CHART: usize = 400;
/// Room for the marks of a chart.
const MARKS: usize = 6 * LETTER;
/// How long the last picture stays, in hundredths of a second.
const STAY: u16 = 400;

/// What is said about a game.
#[derive(Debug, Clone, Copy)]
pub struct Caption<'a> {
    /// The players of both sides.
    pub players: [&'a str; 2],
    /// The time of each move in microseconds; none if nobody has measured them.
    pub micros: &'a [u64],
    /// What stands under the last position.
    pub end: &'a str,
}

/// A game by its moves, in numbers.
struct Course {
    /// Who moved.
    sides: Vec<Side>,
    /// How far the first side is ahead, from the opening on.
    ahead: Vec<f64>,
    /// What that counts.
    unit: String,
    /// Seconds of each move; empty if unknown.
    seconds: Vec<f64>,
}

/// A game as an animated GIF: every position with the move that led to it, each for so many hundredths of a second; `None`
/// if there is no picture of its board.
pub fn film<G: PlayedGame>(
    caption: &Caption,
    positions: &[(G, Option<G::Move>)],
    hundredths: u16,
) -> Option<Vec<u8>> {
    let boards: Vec<Board> =
        positions.iter().map(|(position, _)| Board::of(position)).collect::<Option<_>>()?;
    let course = Course::of(caption, positions, &boards);
    let (board_width, board_height) = boards.first()?.size();
    let head = 3 * LINE + 10;
    let body = board_height.max(330);
    let (width, height) =
        (MARGIN + board_width + GAP + MARKS + CHART + MARGIN, MARGIN + head + body + MARGIN);
    let mut animation = Animation::new(width, height, &palette(G::NAME), TRANSPARENT);
    let right = MARGIN + board_width + GAP + MARKS;
    let chart = (body - 2 * LINE - GAP) / 2;
    let upper = Area { left: right, top: MARGIN + head + LINE, width: CHART, height: chart };
    let lower = Area { top: upper.top + chart + GAP + LINE, ..upper };
    for number in 0..positions.len() {
        let mut canvas = Canvas::new(width, height, GROUND);
        heading::<G>(&mut canvas, caption, &course, number);
        let is_last = number + 1 == positions.len();
        let said = match (number.checked_sub(1), positions[number].1) {
            (Some(before), Some(mv)) => format!("{number}. {}", positions[before].0.move_text(mv)),
            _ => "the opening".to_string(),
        };
        let said = if is_last { format!("{said}   {}", caption.end) } else { said };
        let letters = (width - 2 * MARGIN) / LETTER;
        canvas.text(MARGIN, MARGIN + 2 * LINE, SCALE, TEXT, &cut(&said, letters));
        let top = MARGIN + head + (body - board_height) / 2;
        boards[number].draw(&mut canvas, (MARGIN, top), number.checked_sub(1).map(|before| &boards[before]));
        course.draw_score(&mut canvas, upper, number);
        course.draw_times(&mut canvas, lower, number);
        animation.push(&canvas, if is_last { STAY.max(hundredths) } else { hundredths });
    }
    Some(animation.finish())
}

fn cut(text: &str, letters: usize) -> String {
    if text.chars().count() <= letters {
        return text.to_string();
    }
    text.chars().take(letters - 3).chain("...".chars()).collect()
}

/// Seconds with as many digits as tell something.
fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 9.95 => format!("{s:.0} s"),
        s if s >= 0.0995 => format!("{s:.1} s"),
        s if s >= 0.000_995 => format!("{:.0} ms", s * 1e3),
        s if s > 0.0 => format!("{:.0} us", s * 1e6),
        _ => "0".to_string(),
    }
}

/// The players and the time they have used.
fn heading<G: PlayedGame>(canvas: &mut Canvas, caption: &Caption, course: &Course, number: usize) {
    let letters = (canvas.width() - 2 * MARGIN) / LETTER;
    for side in Side::BOTH {
        let top = MARGIN + side.index() * LINE;
        let used: f64 = course
            .seconds
            .iter()
            .zip(&course.sides)
            .take(number)
            .filter(|it| *it.1 == side)
            .map(|it| it.0)
            .sum();
        let used = if course.seconds.is_empty() { String::new() } else { time(used) };
        let name = format!("{:6} ", G::SIDES[side.index()]);
        let room = letters - name.chars().count() - 10;
        canvas.text(MARGIN, top, SCALE, of_side(side, Shade::Line), &name);
        let player = cut(caption.players[side.index()], room);
        canvas.text(MARGIN + name.chars().count() * LETTER, top, SCALE, TEXT, &player);
        let end = canvas.width() - MARGIN - used.chars().count() * LETTER;
        canvas.text(end, top, SCALE, FAINT, &used);
    }
}

impl Course {
    fn of<G: PlayedGame>(caption: &Caption, positions: &[(G, Option<G::Move>)], boards: &[Board]) -> Self {
        let side = |(position, _): &(G, Option<G::Move>)| match position.turn() {
            Turn::Player(side) => side,
            _ => Side::First,
        };
        let moves = positions.len() - 1;
        let scored = !G::SCORE_UNIT.is_empty();
        let ahead = positions
            .iter()
            .zip(boards)
            .map(|((position, _), board)| if scored { position.score(Side::First) } else { board.ahead() });
        let seconds = caption.micros.iter().map(|&micros| micros as f64 / 1e6);
        Self {
            sides: positions[..moves].iter().map(side).collect(),
            ahead: ahead.collect(),
            unit: if scored { G::SCORE_UNIT } else { "pieces" }.to_string(),
            seconds: if caption.micros.len() == moves { seconds.collect() } else { Vec::new() },
        }
    }

    fn moves(&self) -> usize {
        self.sides.len().max(1)
    }

    /// How far the first side is ahead, up to a move.
    fn draw_score(&self, canvas: &mut Canvas, area: Area, number: usize) {
        let most = self.ahead.iter().fold(3.0, |most: f64, value| most.max(value.abs()));
        let middle = area.top + area.height / 2;
        let pixels = |value: f64| (value.abs() / most * (area.height / 2 - 2) as f64).round() as usize;
        frame(canvas, area, &format!("{} ahead", self.unit));
        let half = if most >= 4.0 { vec![(most / 2.0).floor()] } else { Vec::new() };
        for value in half.into_iter().chain([most]) {
            for (place, text) in
                [(middle - pixels(value), format!("+{value}")), (middle + pixels(value), format!("-{value}"))]
            {
                mark(canvas, area, place, &text);
            }
        }
        let mut last = None;
        for x in 0..=area.width * number / self.moves() {
            // Between two moves the line goes straight.
            let at = (x as f64 * self.moves() as f64 / area.width as f64).min(number as f64);
            let (from, to) = (at.floor() as usize, at.ceil() as usize);
            let value = self.ahead[from] + (self.ahead[to] - self.ahead[from]) * at.fract();
            let side = if value >= 0.0 { Side::First } else { Side::Second };
            let length = pixels(value);
            let top = if value >= 0.0 { middle - length } else { middle };
            canvas.fill(area.left + x, top, 1, length, of_side(side, Shade::Area));
            let line = if value >= 0.0 { middle - length } else { middle + length };
            // Where it is steep, it still has no gaps.
            let from = last.replace(line).unwrap_or(line);
            let (high, low) = (line.min(from), line.max(from));
            canvas.fill(area.left + x, high - 1, 1, low - high + 3, of_side(side, Shade::Line));
        }
        canvas.fill(area.left, middle, area.width, 1, FAINT);
        mark(canvas, area, middle, "0");
    }

    /// A bar for each move, up to a move.
    fn draw_times(&self, canvas: &mut Canvas, area: Area, number: usize) {
        frame(canvas, area, "time of a move");
        let bottom = area.top + area.height;
        let most = self.seconds.iter().fold(0.0, |most: f64, &seconds| most.max(seconds));
        canvas.fill(area.left, bottom, area.width, 1, FAINT);
        if most == 0.0 {
            canvas.text(area.left + LETTER, area.top + LINE, SCALE, FAINT, "not on record");
            return;
        }
        for share in [0.5, 1.0] {
            let place = bottom - ((area.height - 4) as f64 * share) as usize;
            mark(canvas, area, place, &time(most * share));
        }
        for (i, (&seconds, &side)) in self.seconds.iter().zip(&self.sides).enumerate().take(number) {
            let (from, to) = (area.width * i / self.moves(), area.width * (i + 1) / self.moves());
            // A move takes some time, however little: it is seen that there was one.
            let length = ((seconds / most * (area.height - 4) as f64).round() as usize).max(1);
            let width = (to - from).saturating_sub(1 + usize::from(to - from > 6)).max(1);
            canvas.fill(area.left + from + 1, bottom - length, width, length, of_side(side, Shade::Line));
        }
    }
}

/// The title of a chart and its left edge.
fn frame(canvas: &mut Canvas, area: Area, title: &str) {
    canvas.text(area.left, area.top - LINE, SCALE, FAINT, title);
    canvas.fill(area.left - 1, area.top, 1, area.height + 1, GRID);
}

/// A line across a chart, with what it stands for.
fn mark(canvas: &mut Canvas, area: Area, place: usize, text: &str) {
    if text != "0" {
        canvas.fill(area.left, place, area.width, 1, GRID);
    }
    let end = area.left - 8 - text.chars().count() * LETTER;
    canvas.text(end, place.saturating_sub(HEIGHT), SCALE, FAINT, text);
}

#[cfg(test)]
mod tests {
    use super::super::animation::tests::decoded;
    use super::super::board::CELL;
    use super::*;
    use games::Dice;
    use games::avalam::Avalam;
    use play::Games as _;
    use play::Visitor;

    fn game<G: PlayedGame>(seed: u64) -> Vec<(G, Option<G::Move>)> {
        let mut position = G::start(&G::Rules::default());
        let (mut positions, mut dice) = (vec![(position.clone(), None)], Dice::seeded(&[seed]));
        while let Some(mv) = position.random_move(&mut dice, &mut Vec::new()) {
            position.play_unchecked(mv);
            positions.push((position.clone(), Some(mv)));
        }
        positions
    }

    fn count(picture: &[u8], colour: u8) -> usize {
        picture.iter().filter(|&&pixel| pixel == colour).count()
    }

    #[test]
    fn every_game_for_two_has_a_picture_of_each_position() {
        struct All;
        impl Visitor for All {
            fn game<G: PlayedGame>(&mut self) {
                if G::SIDES.len() != 2 || G::CHANCE {
                    return;
                }
                let positions = game::<G>(3);
                let micros: Vec<u64> = (1..positions.len() as u64).collect();
                for micros in [&micros[..], &[]] {
                    let caption = Caption { players: ["a", "b"], micros, end: "the end" };
                    let ((width, height), pictures) = decoded(&film(&caption, &positions, 10).unwrap());
                    assert_eq!(pictures.len(), positions.len(), "{}", G::NAME);
                    assert!(pictures.iter().all(|picture| picture.len() == width * height));
                    assert!(pictures.windows(2).all(|two| two[0] != two[1]), "{}", G::NAME);
                }
            }
        }
        games::Listed::visit(&mut All);
    }

    #[test]
    fn charts_grow_with_the_game() {
        let positions = game::<Avalam>(5);
        let micros: Vec<u64> = (1..positions.len()).map(|i| if i % 2 == 1 { 10 } else { 90_000 }).collect();
        let caption = Caption { players: ["random", "slow"], micros: &micros, end: "" };
        let (_, pictures) = decoded(&film(&caption, &positions, 10).unwrap());
        let bars = |picture: &[u8]| count(picture, of_side(Side::Second, Shade::Line));
        // The name of the side is always there; each of its slow moves adds a bar.
        assert!(bars(&pictures[3]) > bars(&pictures[1]) + 500);
        assert!(bars(pictures.last().unwrap()) > 10 * (bars(&pictures[3]) - bars(&pictures[1])));
    }

    #[test]
    fn the_cells_of_a_move_are_marked() {
        let positions = game::<Avalam>(5);
        let marked = |picture: &[u8]| count(picture, 6);
        let caption = Caption { players: ["a", "b"], micros: &[], end: "" };
        let (_, pictures) = decoded(&film(&caption, &positions[..2], 10).unwrap());
        assert!(marked(&pictures[0]) == 0 && marked(&pictures[1]) > 2 * CELL, "two rings");
    }
}
