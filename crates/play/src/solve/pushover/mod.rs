//! Push-over solved on 4x4 and 3x3: the value of every position with and without the rule against repetition, and the
//! player that nobody beats.
//!
//! Play that never ends is a draw. The limit of moves is left out of the tables, see [`Perfect`].

mod code;
mod perfect;
pub mod perfect_spec;
mod retrograde;
mod table;
pub mod verify;

use std::collections::BTreeMap;

use games::InputError;
use games::pushover::{Entry, Pushover, PushoverRules};
use games::{Game, Turn};

use self::code::{Code, MOST_ROWS};
use self::retrograde::Known;
use self::table::{MORE, Table};
use super::{Progress, Value};
pub use perfect::{Perfect, PerfectPlayer};

/// How many boards without a line have which value for the side to move.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Census {
    /// Won, by distance.
    pub wins: BTreeMap<u8, u64>,
    /// Lost, by distance.
    pub losses: BTreeMap<u8, u64>,
    /// Drawn.
    pub draws: u64,
}

impl Census {
    fn add(&mut self, value: Value, boards: u64) {
        match value {
            Value::Win(distance) => *self.wins.entry(distance).or_default() += boards,
            Value::Draw => self.draws += boards,
            Value::Loss(distance) => *self.losses.entry(distance).or_default() += boards,
        }
    }

    /// How many are won, lost and drawn.
    pub fn totals(&self) -> [u64; 3] {
        [self.wins.values().sum(), self.losses.values().sum(), self.draws]
    }
}

/// A solved game.
#[derive(Debug, Clone)]
pub struct Solution {
    /// The value of the empty board for the side that begins.
    pub value: Value,
    /// The boards without a line and with no forbidden push.
    pub census: Census,
    /// A board with the longest win: pieces of the side to move, pieces of the other.
    pub longest: Option<[u32; 2]>,
    /// Boards whose values were computed: one of each eight images.
    pub listed: usize,
    /// Listed boards that are worth less when their best push is forbidden.
    pub exceptions: usize,
    /// Rounds of the analysis.
    pub rounds: u32,
    /// The values, to play by.
    pub perfect: Perfect,
}

/// Says why these rules cannot be solved, if they cannot.
///
/// # Errors
/// The board is too large, or the game has a limit of moves of its own.
pub fn check(rules: &PushoverRules) -> Result<(), InputError> {
    if usize::from(rules.size) > MOST_ROWS {
        let allowed = "3 and 4; 5x5 has 3^25 boards, some 847 thousand million, too many to solve";
        return Err(InputError::option("size", &rules.size.to_string(), allowed));
    }
    Ok(())
}

/// Solves the game of these rules but for the limit of moves, on the threads of the pool at hand; `None` if the watch has
/// broken it off.
///
/// # Errors
/// The rules cannot be solved.
pub fn solve(rules: &PushoverRules, watch: Progress<'_>) -> Result<Option<Solution>, InputError> {
    check(rules)?;
    let code = Code::new(rules.size.into());
    let Some(boards) = retrograde::list(&code, watch) else { return Ok(None) };
    let Some((known, rounds)) = retrograde::solve(&code, &boards, rules.repetition, watch) else {
        return Ok(None);
    };
    let (mut census, mut longest) = (Census::default(), None);
    let mut exceptions = Vec::new();
    for (place, (number, known)) in boards.iter().zip(&known).enumerate() {
        let value = Value::from_byte(known.first).expect("a value was put there");
        let images = code.images(number);
        let same = images.iter().filter(|&&image| image == number).count();
        census.add(value, (images.len() / same) as u64);
        if let Value::Win(distance) = value
            && longest.is_none_or(|(most, _)| distance > most)
        {
            longest = Some((distance, number));
        }
        if known.second != known.first {
            exceptions.push((place as u32, known.best, known.second));
        }
    }
    let longest = longest.map(|(_, number)| code.pieces(number));
    let (listed, exceptional) = (boards.len(), exceptions.len());
    let more = |known: &Known| if known.second != known.first { MORE } else { 0 };
    let values = known.iter().map(|known| known.first | more(known)).collect();
    let perfect = Perfect::new(Table { code, repetition: rules.repetition, boards, values, exceptions });
    let value = perfect.endless_value(&Pushover::start(&perfect.rules()));
    Ok(Some(Solution { value, census, longest, listed, exceptions: exceptional, rounds, perfect }))
}

impl Perfect {
    /// The moves of a game that both sides play perfectly, the first of equally good moves each time. A drawn game is
    /// followed until a position comes again, or for `most` moves.
    pub fn line(&self, from: &Pushover, most: usize) -> Vec<Entry> {
        let (mut position, mut line, mut seen) = (from.clone(), Vec::new(), Vec::new());
        while position.turn() != Turn::Over && line.len() < most {
            let state = (position.board(), position.side(), position.forbidden());
            if seen.contains(&state) {
                break;
            }
            seen.push(state);
            let best = self.best(&position)[0];
            position.play_unchecked(best);
            line.push(best);
        }
        line
    }
}
