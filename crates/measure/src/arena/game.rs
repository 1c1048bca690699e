//! One game between two players, with a referee: every answer is checked, every move timed, and whoever breaks a rule
//! loses with the reason on record.

use std::fmt;

use games::error::one_line;
use games::{Dice, Side, Turn};
use play::PlayedGame;
use serde::{Deserialize, Serialize};

use super::adjudication::Referee;
use super::supervised::SupervisedPlayer;
use super::{Thought, Verdict};

/// Who has won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Winner {
    /// The first side.
    First,
    /// The second side.
    Second,
    /// Nobody.
    Draw,
}

impl Winner {
    /// All, with the words of files.
    pub const WORDS: [(&'static str, Winner); 3] =
        [("first", Winner::First), ("second", Winner::Second), ("draw", Winner::Draw)];

    /// This side.
    pub fn side(side: Side) -> Self {
        [Winner::First, Winner::Second][side.index()]
    }

    /// Of a game that ends with such a lead of the first side.
    pub(super) fn of_lead(lead: f64) -> Self {
        match lead {
            _ if lead > 0.0 => Winner::First,
            _ if lead < 0.0 => Winner::Second,
            _ => Winner::Draw,
        }
    }

    /// The side that has won; the first if nobody has.
    pub(super) fn of_side(self) -> Side {
        if self == Winner::Second { Side::Second } else { Side::First }
    }

    /// The word of files.
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, winner)| *winner == self).expect("every winner has a word").0
    }

    /// Half points of a side: 2, 1 or 0.
    pub fn halves(self, side: Side) -> usize {
        match self {
            Winner::Draw => 1,
            winner if winner == Winner::side(side) => 2,
            _ => 0,
        }
    }
}

/// Why a game ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// By its rules.
    End,
    /// It grew too long, and is drawn.
    MoveLimit,
    /// The loser panicked, and said this.
    Panic(String),
    /// The loser did not answer within so many milliseconds; 0 if it was still busy with an earlier game.
    Stall(u64),
    /// The loser needed more than these milliseconds, its game time for the whole game.
    Time(u64),
    /// The loser answered a move that is not legal; the text says why.
    Illegal(String),
    /// The loser is a program of somebody else's, and failed in this way.
    Failed(String),
    /// The loser is one too, and said what cannot be read, or did not understand us; the text has its words.
    Misunderstood(String),
    /// The loser gave the game up.
    Resigned,
    /// It was clear how it would end.
    Adjudicated(Verdict),
}

impl Reason {
    /// A panic with this message.
    pub fn panic(message: &str) -> Self {
        Self::Panic(brief(message))
    }

    /// An illegal move.
    pub fn illegal(message: &str) -> Self {
        Self::Illegal(brief(message))
    }

    /// A program that failed, with these words.
    pub fn failed(message: &str) -> Self {
        Self::Failed(brief(message))
    }

    /// A program that said what cannot be read.
    pub fn misunderstood(message: &str) -> Self {
        Self::Misunderstood(brief(message))
    }

    /// A game time that is used up.
    fn time(game_time: Option<f64>) -> Self {
        Self::Time((game_time.unwrap_or(0.0) * 1e3).round() as u64)
    }

    /// Whether the game ended before its end by the loser's doing.
    pub fn is_forfeit(&self) -> bool {
        !matches!(self, Reason::End | Reason::MoveLimit | Reason::Adjudicated(_))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Reason::End => write!(f, "the game is over"),
            Reason::MoveLimit => write!(f, "the limit of moves"),
            // A journal may come from anywhere.
            Reason::Panic(message) => write!(f, "panic: {}", one_line(message)),
            Reason::Stall(0) => write!(f, "stall: still busy with an earlier game"),
            Reason::Stall(time) => write!(f, "stall: no move within {time} ms"),
            Reason::Time(game_time) => {
                write!(f, "time: the game time of {} s is used up", *game_time as f64 / 1e3)
            }
            Reason::Illegal(message) => write!(f, "illegal: {}", one_line(message)),
            Reason::Failed(message) | Reason::Misunderstood(message) => write!(f, "{}", one_line(message)),
            Reason::Resigned => write!(f, "resigned"),
            Reason::Adjudicated(verdict) => write!(f, "{verdict}"),
        }
    }
}

/// Foreign text for one line of a file, and not too long a one.
fn brief(text: &str) -> String {
    one_line(&text.replace(char::is_whitespace, " ")).chars().take(200).collect()
}

/// A game that has been played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    /// Who has won.
    pub winner: Winner,
    /// Why it ended.
    pub reason: Reason,
    /// The moves as text.
    pub moves: Vec<String>,
    /// The time of each, in microseconds.
    pub micros: Vec<u64>,
    /// What its player thought of each; left out where nobody thought in numbers, as in files from before anybody was asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<Option<Thought>>,
    /// The first side made these of them; the others are the second's.
    pub first_made: usize,
    /// Nanoseconds of each side.
    pub spent: [u64; 2],
    /// What each side scored in the end.
    pub scores: [f64; 2],
}

/// The terms of a game.
#[derive(Debug, Clone, Copy)]
pub struct Terms {
    /// A game with this many moves is drawn.
    pub most_moves: usize,
    /// Seconds of each side for all its moves, if there is a limit.
    pub game_time: Option<f64>,
    /// Seconds that each move gives back.
    pub increment: f64,
    /// Seconds by which a side may overrun its time.
    pub time_margin: f64,
}

impl Terms {
    /// What is left to a side that has made so many moves in so many nanoseconds.
    fn left(&self, made: usize, nanos: u64) -> Option<f64> {
        let given = self.game_time? + self.increment * made as f64;
        Some((given - nanos as f64 / 1e9).max(0.0))
    }
}

/// Plays a game from a position; `seats[side]` moves for a side. `go_on` is asked before every move: None if it says no, or if a player is told to stop.
///
/// A loop apart from that of `play::playout`: here a referee gives each side its time, measures it, checks every move and makes
/// a loss of whatever goes wrong.
pub fn play<G: PlayedGame>(
    opening: &G,
    seats: [&mut SupervisedPlayer<G>; 2],
    dice: &mut [Dice; 2],
    terms: &Terms,
    referee: &mut Referee<G>,
    go_on: &dyn Fn() -> bool,
) -> Option<Played> {
    let mut position = opening.clone();
    let (mut moves, mut micros, mut thoughts) = (Vec::new(), Vec::new(), Vec::new());
    let (mut made, mut spent, mut lead) = ([0; 2], [0; 2], None);
    let mut seats = seats;
    seats.iter_mut().for_each(|seat| seat.new_game());
    referee.new_game();
    let (winner, reason) = loop {
        let side = match position.turn() {
            Turn::Player(side) => side,
            Turn::Over => {
                break (Winner::of_lead(position.final_value(Side::First)), Reason::End);
            }
            Turn::Chance => unreachable!("the arena is for games without chance"),
        };
        if moves.len() >= terms.most_moves {
            break (Winner::Draw, Reason::MoveLimit);
        }
        if !go_on() {
            return None;
        }
        let left = terms.left(made[side.index()], spent[side.index()]);
        match seats[side.index()].step(&position, &mut dice[side.index()], left)? {
            Ok(step) if left.is_some_and(|left| step.time.as_secs_f64() > left + terms.time_margin) => {
                spent[side.index()] += step.time.as_nanos() as u64;
                break (Winner::side(side.other()), Reason::time(terms.game_time));
            }
            Err(Reason::Stall(1..)) if left.is_some() => {
                break (Winner::side(side.other()), Reason::time(terms.game_time));
            }
            Ok(step) => {
                moves.push(step.text);
                micros.push(step.time.as_micros() as u64);
                thoughts.push(step.thought);
                spent[side.index()] += step.time.as_nanos() as u64;
                made[side.index()] += 1;
                position = step.after;
                if position.turn() != Turn::Over
                    && let Some((winner, verdict, known)) = referee.look(side, step.thought, &position)
                {
                    lead = known;
                    break (winner, Reason::Adjudicated(verdict));
                }
            }
            Err(reason) => break (Winner::side(side.other()), reason),
        }
    };
    let scores = lead.map_or_else(|| Side::BOTH.map(|side| position.score(side)), |lead| [lead, 0.0 - lead]);
    let first_made = made[0];
    if thoughts.iter().all(Option::is_none) {
        thoughts.clear();
    }
    Some(Played { winner, reason, moves, micros, thoughts, first_made, spent, scores })
}
