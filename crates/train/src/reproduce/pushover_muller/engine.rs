//! The players of the paper: one or two moves ahead, ties by lot. The network of table 4.1 does not know a line of four
//! when it sees one: even a finished game is only what the network says it is, which no other search here allows.

use games::pushover::Pushover;
use games::pushover::expert::worth;
use games::{Dice, FeatureSet, Game, Side, Turn};
use learn::models::Model;

/// More than any evaluation.
const WON: f64 = 1e9;
/// What the lines of the other side count: the paper does not say; with a half the expert plays closest to its tables.
const ENEMY: f64 = 0.5;

/// A network and what it looks at.
pub struct Network {
    /// The features.
    pub features: Box<dyn FeatureSet<Pushover>>,
    /// Their number.
    pub inputs: usize,
    /// The model.
    pub model: Box<dyn Model>,
}

/// What a player thinks of positions.
#[derive(Clone, Copy)]
pub enum Mind<'a> {
    /// The classical program.
    Expert,
    /// A network.
    Network(&'a Network),
}

/// A player.
#[derive(Clone, Copy)]
pub struct Player<'a> {
    /// What it thinks of positions.
    pub mind: Mind<'a>,
    /// Moves ahead: 1 or 2.
    pub depth: u8,
    /// Whether it knows the end of a game when it sees it.
    pub knows_lines: bool,
}

impl Player<'_> {
    /// A move; ties by lot.
    pub fn choose(&self, position: &Pushover, dice: &mut Dice) -> <Pushover as Game>::Move {
        let side = position.side();
        let (mut moves, mut replies, mut row) = (Vec::with_capacity(16), Vec::with_capacity(16), Vec::new());
        position.legal_moves(&mut moves);
        let (mut best, mut highest) = (Vec::with_capacity(16), f64::NEG_INFINITY);
        for &mv in &moves {
            let mut after = position.clone();
            after.play_unchecked(mv);
            let over = after.turn() == Turn::Over;
            let value = if over || self.depth == 1 {
                self.rate(&after, side, over, &mut row)
            } else {
                after.legal_moves(&mut replies);
                let mut lowest = f64::INFINITY;
                for &reply in &replies {
                    let mut end = after.clone();
                    end.play_unchecked(reply);
                    let over = end.turn() == Turn::Over;
                    lowest = lowest.min(-self.rate(&end, side.other(), over, &mut row));
                    // Below the best there is nothing to learn; at the same value there is a tie.
                    if lowest < highest {
                        break;
                    }
                }
                lowest
            };
            if value > highest {
                highest = value;
                best.clear();
            }
            if value == highest {
                best.push(mv);
            }
        }
        dice.pick(&best)
    }

    /// The value of a position for the side that has just moved.
    fn rate(&self, position: &Pushover, mover: Side, over: bool, row: &mut Vec<f64>) -> f64 {
        if over && self.knows_lines {
            return WON * position.final_value(mover);
        }
        match self.mind {
            Mind::Expert => {
                let [own, enemy] =
                    [mover, mover.other()].map(|side| worth(position.size(), position.board(), side).0);
                f64::from(own) - ENEMY * f64::from(enemy)
            }
            Mind::Network(network) => {
                row.resize(network.inputs, 0.0);
                network.features.extract_position(position, mover, row);
                network.model.value(row)
            }
        }
    }
}

/// A game after so many random moves, as the positions after each of its moves.
pub fn game(
    players: [&Player; 2],
    random_moves: usize,
    opening: &mut Dice,
    dice: &mut Dice,
) -> Vec<Pushover> {
    let mut position = Pushover::start(&Default::default());
    let (mut moves, mut after) = (Vec::new(), Vec::new());
    while position.turn() != Turn::Over {
        let mv = if after.len() < random_moves {
            position.random_move(opening, &mut moves).expect("the game goes on")
        } else {
            players[position.side().index()].choose(&position, dice)
        };
        position.play_unchecked(mv);
        after.push(position.clone());
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::pushover::PushoverRules;

    fn chosen(player: &Player, text: &str) -> String {
        let position = Pushover::parse(&PushoverRules::default(), text).unwrap();
        let letters = (0..20).map(|seed| player.choose(&position, &mut Dice::seeded(&[seed])).letter());
        let mut letters: Vec<char> = letters.collect();
        letters.sort_unstable();
        letters.dedup();
        letters.into_iter().collect()
    }

    /// The lone weight of a network that likes own pieces in the last cell.
    fn network(weight: f64) -> Network {
        let features = Pushover::features(&PushoverRules::default(), "cell-16").unwrap();
        let model = learn::models::Form::Logistic.build(1, vec![weight, 0.0]);
        Network { features, inputs: 1, model }
    }

    #[test]
    fn a_line_is_taken_or_not_seen() {
        let expert = Player { mind: Mind::Expert, depth: 1, knows_lines: true };
        // o completes its row from the left, from the right or from above.
        assert_eq!(chosen(&expert, "ooo.+++.........-+ 20"), "AEL");
        let net = network(1.0);
        let blind = Player { mind: Mind::Network(&net), depth: 1, knows_lines: false };
        assert_eq!(chosen(&blind, "ooo.+++.........-+ 20"), "HP");
        assert_eq!(chosen(&Player { knows_lines: true, ..blind }, "ooo.+++.........-+ 20"), "AEL");
        // Two ahead it breaks the diagonal of +, if it knows what that is.
        let two = Player { depth: 2, knows_lines: true, ..blind };
        let diagonal = "+....+....+.....-+ 20";
        let position = Pushover::parse(&PushoverRules::default(), diagonal).unwrap();
        let (mut moves, mut replies) = (Vec::new(), Vec::new());
        position.legal_moves(&mut moves);
        let safe = moves.iter().filter(|&&mv| {
            let mut after = position.clone();
            after.play_unchecked(mv);
            after.legal_moves(&mut replies);
            !replies.iter().any(|&reply| {
                let mut end = after.clone();
                end.play_unchecked(reply);
                end.winner() == Some(Side::Second)
            })
        });
        let safe: String = safe.map(|mv| mv.letter()).collect();
        assert!(!safe.is_empty() && safe.len() < moves.len(), "{safe}");
        assert!(chosen(&two, diagonal).chars().all(|letter| safe.contains(letter)), "{safe}");
    }

    #[test]
    fn games_begin_with_random_moves_and_end() {
        let expert = Player { mind: Mind::Expert, depth: 1, knows_lines: true };
        let play = |seed| game([&expert; 2], 6, &mut Dice::seeded(&[seed]), &mut Dice::seeded(&[seed, 1]));
        let (one, two) = (play(1), play(2));
        assert_eq!(one, play(1));
        assert_ne!(one[5], two[5]);
        assert!(one.iter().rev().skip(1).all(|position| position.turn() != Turn::Over));
        assert_eq!(one.last().unwrap().turn(), Turn::Over);
    }
}
