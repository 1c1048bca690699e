//! `connect4 solve connect4 --position TEXT`: who wins, found by searching to the end of the game.

use evalforge_cli::anyhow;
use evalforge_cli::clap::{self, Args};
use evalforge_cli::{Given, OwnCommand, Solve};
use games::rules::Fixed;
use games::{Dice, Game, InputError, Turn};
use play::players::searching::searcher;
use play::players::spec::Spec;

use crate::Connect4;

/// What only this game has.
#[derive(Debug, Args)]
pub struct ToTheEnd {
    /// The position, in the game's text form; with sixteen discs on the board it takes some seconds
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: String,
}

impl OwnCommand for ToTheEnd {
    const LONG: &'static str = "by searching a position to the end of the game.";

    fn run(self, given: &Given) -> anyhow::Result<()> {
        let (position, all) = (Connect4::parse(&Fixed, &self.position)?, given.also::<Solve>()?);
        let Turn::Player(side) = position.turn() else {
            return Err(InputError::position(&self.position, "the game is over").into());
        };
        let (value, line) = solved(&position)?;
        let (side, line) = (Connect4::SIDES[side.index()], line.join(" "));
        if all.json {
            println!(
                "{{\"game\": \"connect4\", \"side\": \"{side}\", \"value\": {value}, \"line\": \"{line}\"}}"
            );
        } else {
            println!("{side} {}   {line}", ["loses", "draws", "wins"][(value + 1) as usize]);
        }
        Ok(())
    }
}

/// 1 if the side to move wins, 0 if it draws, -1 if it loses; and how both go on.
fn solved(position: &Connect4) -> anyhow::Result<(i32, Vec<String>)> {
    let spec = Spec::parse("alphabeta(depth=42)")?;
    let found = searcher::<Connect4>(&Fixed, &spec)?.search(position, &spec.limits, &mut Dice::seeded(&[1]));
    let value = if found.value == 0.0 { 0 } else { found.value.signum() as i32 };
    let mut at = position.clone();
    let play = |&mv: &u8| {
        let text = at.move_text(mv);
        at.play_unchecked(mv);
        text
    };
    Ok((value, found.line.iter().map(play).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_wins_is_found_for_either_side() {
        let value = |text: &str| solved(&Connect4::parse(&Fixed, text).unwrap()).unwrap().0;
        // x completes a row; o cannot stop both ends of one; the last cells of a board that nobody wins.
        assert_eq!(value("oxoxox./oxoxoxo/xoxoxox/xoxoxox/oxoxoxo/oxoxoxo"), 0);
        let won = "......./oooxxx./oooxxxo/xxxooox/oooxxxo/xxxooox";
        let mut position = Connect4::parse(&Fixed, won).unwrap();
        let (value, line) = solved(&position).unwrap();
        // Whoever plays the line ends as the value says.
        let Turn::Player(side) = position.turn() else { panic!("somebody is to move") };
        for text in line {
            let mv = position.parse_move(&text).unwrap();
            position.play(mv).unwrap();
        }
        assert_eq!(position.turn(), Turn::Over);
        assert_eq!(position.final_value(side), f64::from(value));
    }
}
