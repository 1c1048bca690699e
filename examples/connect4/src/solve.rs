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

    /// Every line to its end.
    fn plain(position: &Connect4) -> i32 {
        let Turn::Player(side) = position.turn() else { panic!("the game is over") };
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let value = |&mv: &u8| {
            let mut after = position.clone();
            after.play_unchecked(mv);
            if after.turn() == Turn::Over { after.final_value(side) as i32 } else { -plain(&after) }
        };
        moves.iter().map(value).max().expect("there is a move")
    }

    #[test]
    fn late_positions_are_worth_what_every_line_says() {
        let (mut dice, mut moves, mut seen) = (Dice::seeded(&[3]), Vec::new(), [0; 3]);
        while seen.iter().sum::<usize>() < 40 {
            let mut position = Connect4::start(&Fixed);
            while position.step() < 33
                && let Some(mv) = position.random_move(&mut dice, &mut moves)
            {
                position.play_unchecked(mv);
            }
            if position.turn() == Turn::Over {
                continue;
            }
            let (value, line) = solved(&position).unwrap();
            assert_eq!(value, plain(&position), "{}", position.text());
            position.play(position.parse_move(&line[0]).unwrap()).unwrap();
            seen[(value + 1) as usize] += 1;
        }
        assert!(seen.iter().all(|&seen| seen > 0), "{seen:?}");
    }
}
