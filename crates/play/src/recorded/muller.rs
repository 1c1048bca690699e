//! The database of Müller 1992 (section 3.1): one line a position of Push-over, `+ooo...+....o...Eo -0.400`: the 16 cells, the
//! letter of the last move, who made it, and e = j/t, with a minus if that side lost; j is the number of moves made and t
//! that of the whole game. Three digits, the rest cut off.

use games::error::shown;
use games::pushover::{Pushover, PushoverRules};
use games::{Game, Side, Turn};

use super::RecordedPosition;

/// One line: a position after a move, and its number.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The position; the game may be over in it.
    pub position: Pushover,
    /// e: for the side that has just moved.
    pub e: f64,
}

/// The lines of a game, given the positions after each of its moves. Of a drawn one they are all 0.
pub fn write_game(after: &[Pushover]) -> String {
    let winner = after.last().and_then(Pushover::winner);
    let mut text = String::new();
    for (j, position) in after.iter().enumerate() {
        let thousandths = 1000 * (j + 1) / after.len();
        let sign = match winner {
            None => " ",
            Some(winner) if winner == position.side().other() => " ",
            Some(_) => "-",
        };
        let thousandths = if winner.is_none() { 0 } else { thousandths };
        let first = position.text();
        let first = first.split(' ').next().expect("a text has a first word");
        text.push_str(&format!("{first} {sign}{}.{:03}\n", thousandths / 1000, thousandths % 1000));
    }
    text
}

/// Whether a file that begins so may be such a database.
pub fn may_begin(bytes: &[u8]) -> bool {
    bytes.len() >= 16 && bytes[..16].iter().all(|byte| b"o+.".contains(byte))
}

/// Reads the lines of a database.
///
/// # Errors
/// A line is none; the text names its number.
pub fn lines(text: &str) -> Result<Vec<Line>, String> {
    let rules = PushoverRules::default();
    let line = |(number, line): (usize, &str)| {
        let wrong = |reason: String| format!("line {}: {reason}", number + 1);
        let last = line.split_whitespace().nth(1);
        let e = last.and_then(|word| word.parse::<f64>().ok()).filter(|e| (-1.0..=1.0).contains(e));
        let e = e.ok_or_else(|| {
            wrong(format!(
                "cells, letter and mover, then a number from -1 to 1 are expected, not {}",
                shown(line)
            ))
        })?;
        let position = Pushover::parse(&rules, line).map_err(|error| wrong(error.to_string()))?;
        Ok(Line { position, e })
    };
    text.lines().enumerate().map(line).collect()
}

/// The positions of a database; those in which the game is over are left out. Games are told apart by their
/// numbers, which grow from move to move.
///
/// # Errors
/// A line is none; the text names its number.
pub fn positions(text: &str) -> Result<Vec<RecordedPosition<Pushover>>, String> {
    let (mut positions, mut game, mut before) = (Vec::new(), 0, None::<(Side, f64)>);
    for Line { position, e } in lines(text)? {
        let mover = position.side().other();
        if before.is_some_and(|(last, size)| last == mover || e.abs() < size || (e.abs() == size && e != 0.0))
        {
            game += 1;
        }
        before = Some((mover, e.abs()));
        if position.turn() != Turn::Over {
            // Adding 0 turns -0 into 0.
            let label = (-e + 0.0) as f32;
            let ply = u32::from(position.ply());
            positions.push(RecordedPosition { position, label, ply, game });
        }
    }
    Ok(positions)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &str) -> Vec<Pushover> {
        let mut position = Pushover::start(&PushoverRules::default());
        let play = |letter: char| {
            position.play(position.parse_move(&letter.to_string()).unwrap()).unwrap();
            position.clone()
        };
        moves.chars().map(play).collect()
    }

    #[test]
    fn a_game_is_written_as_the_paper_does_and_read_again() {
        // o fills its first row in seven moves.
        let text = write_game(&game("AMANAOA"));
        let written: Vec<&str> = text.lines().collect();
        assert_eq!(written[0], "o...............Ao  0.142");
        assert_eq!(written[1], "o...........+...M+ -0.285");
        assert_eq!(written[6], "oooo........+++.Ao  1.000");
        let read = lines(&text).unwrap();
        assert_eq!((read.len(), read[1].e), (7, -0.285));
        let twice = positions(&format!("{text}{text}")).unwrap();
        assert_eq!(twice.len(), 12, "the finished ones are left out");
        assert_eq!(twice[5].game, 0);
        assert_eq!((twice[6].game, twice[7].label, twice[7].ply), (1, 0.285, 2));
    }

    #[test]
    fn damaged_lines_are_named() {
        let good = "+ooo...+....o...Eo -0.400\n++oo...+....o...A+  0.466\n";
        assert_eq!(lines(good).unwrap()[1].e, 0.466);
        for (line, said) in [
            ("+ooo...+....o...Eo", "line 3: cells, letter and mover, then a number"),
            ("+ooo...+....o...Eo 1.5", "line 3: cells"),
            ("+ooo...+....x...Eo 0.5", "line 3: position"),
            ("+ooo...+....o...Zo 0.5", "line 3: position"),
            ("+ooo...+....o.Eo 0.5", "16 cells"),
            ("", "line 3"),
        ] {
            let error = lines(&format!("{good}{line}\n")).unwrap_err();
            assert!(error.contains(said), "{line}: {error}");
        }
    }
}
