//! Avalam over XML-RPC as the course framework speaks it: `play(percepts, player, step, time_left)` and
//! `initialize(percepts, players, time_left)`. Percepts are a struct with the 9x9 matrix `m`; a tower of height h is h for
//! player 1 and -h for player -1. The answer of `play` is row and column of a tower, then of its goal.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use games::avalam::{Avalam, CELLS, MAX_HEIGHT, Move, cell_at, place};
use games::rules::Fixed;
use games::{Dice, Game, Side, Turn};

use super::xml_rpc::{Call, Fault, Value, response_text};
use crate::players::{Player, PlayerError};

/// Rows of the matrix, and columns.
const SIZE: i32 = 9;

/// Makes the player that is served.
pub type Make = dyn Fn() -> Result<Box<dyn Player<Avalam>>, PlayerError> + Send;

/// A player behind the protocol: calls in, answers out.
pub struct Engine {
    make: Box<Make>,
    player: Option<Box<dyn Player<Avalam>>>,
    seed: u64,
    games: u64,
    dice: Dice,
    /// The position after our last move; the opponent's reply to it belongs to the same game.
    left_at: Option<Avalam>,
}

impl Engine {
    /// Serves this player; the lots of its games come from the seed.
    ///
    /// # Errors
    /// The player cannot be made.
    pub fn new(make: Box<Make>, seed: u64) -> Result<Self, PlayerError> {
        let player = Some(make()?);
        Ok(Self { make, player, seed, games: 0, dice: Dice::seeded(&[seed, 0]), left_at: None })
    }

    /// The answer to a message, whatever it is. When `stop` is set the player answers soon, with the best move so far.
    pub fn answer(&mut self, message: &[u8], stop: &Arc<AtomicBool>) -> String {
        let call = Call::parse(message).map_err(|error| Fault::new(Fault::MALFORMED, error.to_string()));
        response_text(&call.and_then(|call| self.call(&call, stop)))
    }

    fn call(&mut self, call: &Call, stop: &Arc<AtomicBool>) -> Result<Value, Fault> {
        match (call.method.as_str(), &call.params[..]) {
            ("play", [percepts, player, step, time_left]) => {
                let position = position(percepts, player)?;
                match number("step", step)? {
                    0.. => {}
                    step => return Err(wrong(format!("step: {step} given; moves are numbered from 1"))),
                }
                let game_time = seconds(time_left)?;
                self.play(&position, game_time, stop).map(move_value)
            }
            ("play", params) => Err(count("play(percepts, player, step, time_left)", params)),
            ("initialize", [percepts, players, time_left]) => {
                position(percepts, &Value::Int(1))?;
                sides(players)?;
                seconds(time_left)?;
                self.left_at = None;
                Ok(Value::Boolean(true))
            }
            ("initialize", params) => Err(count("initialize(percepts, players, time_left)", params)),
            (other, _) => {
                let message = format!("unknown method '{}'; known: initialize, play", super::xml::cut(other));
                Err(Fault::new(Fault::UNKNOWN_METHOD, message))
            }
        }
    }

    fn play(
        &mut self,
        position: &Avalam,
        game_time: Option<f64>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Move, Fault> {
        if position.turn() == Turn::Over {
            return Err(wrong("percepts: the game is over, there is no legal move"));
        }
        let goes_on = self.left_at.take().is_some_and(|before| follows(&before, position));
        let internal = |message: String| Fault::new(Fault::INTERNAL, message);
        let mut player = match self.player.take() {
            Some(player) => player,
            None => (self.make)().map_err(|error| internal(error.to_string()))?,
        };
        if !goes_on {
            self.dice = Dice::seeded(&[self.seed, self.games]);
            self.games += 1;
        }
        let dice = &mut self.dice;
        let asked = AssertUnwindSafe(|| {
            if !goes_on {
                player.new_game();
            }
            player.game_time(game_time);
            player.stop_by(Arc::clone(stop));
            (player.choose(position, dice), player)
        });
        // A player that panics is gone with what it remembers, as one that has failed; the next call gets a new one.
        let (mv, player) = catch_unwind(asked).map_err(|_| internal("the player has failed".into()))?;
        let mv = mv.map_err(|failure| internal(failure.to_string()))?;
        self.player = Some(player);
        position.check(mv).map_err(|error| internal(error.to_string()))?;
        let mut after = *position;
        after.play_unchecked(mv);
        self.left_at = Some(after);
        Ok(mv)
    }
}

/// Whether one move leads from a position to another.
fn follows(before: &Avalam, now: &Avalam) -> bool {
    let mut moves = Vec::new();
    before.legal_moves(&mut moves);
    moves.iter().any(|&mv| {
        let mut after = *before;
        after.play_unchecked(mv);
        after == *now
    })
}

fn wrong(message: impl Into<String>) -> Fault {
    Fault::new(Fault::WRONG_PARAMS, message)
}

fn count(form: &str, params: &[Value]) -> Fault {
    wrong(format!("{} parameters; the call is {form}", params.len()))
}

fn number(name: &str, value: &Value) -> Result<i32, Fault> {
    match value {
        Value::Int(number) => Ok(*number),
        other => Err(wrong(format!("{name}: {} given, int expected", other.kind()))),
    }
}

fn list<'a>(name: &str, value: &'a Value) -> Result<&'a [Value], Fault> {
    match value {
        Value::Array(values) => Ok(values),
        other => Err(wrong(format!("{name}: {} given, array expected", other.kind()))),
    }
}

fn side(value: &Value) -> Result<Side, Fault> {
    match number("player", value)? {
        1 => Ok(Side::First),
        -1 => Ok(Side::Second),
        other => Err(wrong(format!("player: {other} given; 1 or -1 is to move"))),
    }
}

/// The players that an agent is to play for; one without a list is understood too.
fn sides(value: &Value) -> Result<(), Fault> {
    match value {
        Value::Int(_) => side(value).map(drop),
        _ => list("players", value)?.iter().try_for_each(|player| side(player).map(drop)),
    }
}

fn seconds(value: &Value) -> Result<Option<f64>, Fault> {
    match value {
        Value::Nil => Ok(None),
        // A clock that has run out may be read a little late.
        Value::Double(seconds) => Ok(Some(seconds.max(0.0))),
        Value::Int(seconds) => Ok(Some(f64::from(*seconds).max(0.0))),
        other => Err(wrong(format!("time_left: {} given, double or nil expected", other.kind()))),
    }
}

/// The position that percepts describe, with this player to move.
///
/// # Errors
/// They describe none.
pub fn position(percepts: &Value, player: &Value) -> Result<Avalam, Fault> {
    let Some(matrix) = percepts.member("m") else {
        return Err(wrong("percepts: a struct with the matrix 'm' is expected"));
    };
    for (name, expected) in [("rows", SIZE), ("columns", SIZE), ("max_height", i32::from(MAX_HEIGHT))] {
        if let Some(value) = percepts.member(name)
            && number(name, value)? != expected
        {
            return Err(wrong(format!("{name}: {expected} expected")));
        }
    }
    let rows = list("m", matrix)?;
    let (mut lines, mut pieces) = (Vec::new(), 0_u32);
    for row in rows {
        let row = list("a row of m", row)?;
        if rows.len() != SIZE as usize || row.len() != SIZE as usize {
            return Err(wrong("m: 9 rows of 9 numbers are expected"));
        }
        let numbers = row.iter().map(|cell| number("m", cell)).collect::<Result<Vec<i32>, Fault>>()?;
        pieces = numbers.iter().fold(pieces, |sum, number| sum.saturating_add(number.unsigned_abs()));
        lines.push(numbers.iter().map(i32::to_string).collect::<Vec<_>>().join(" "));
    }
    let side = if side(player)? == Side::First { 1 } else { -1 };
    let text = format!("{}; {side}", lines.join("/"));
    let position = Avalam::parse(&Fixed, &text).map_err(|error| wrong(format!("m: {error}")))?;
    // Every cell begins with one piece, and none is ever added.
    if pieces > u32::from(CELLS) {
        return Err(wrong(format!("m: {pieces} pieces; a game has {CELLS}")));
    }
    Ok(position)
}

/// A position as percepts.
pub fn percepts(position: &Avalam) -> Value {
    let tower = |row: u8, column: u8| {
        let Some(cell) = cell_at(row, column) else { return 0 };
        let height = i32::from(position.height(cell));
        if position.owner(cell) == Some(Side::Second) { -height } else { height }
    };
    let row = |row: u8| Value::Array((0..9).map(|column| Value::Int(tower(row, column))).collect());
    let members = [
        ("m", Value::Array((0..9).map(row).collect())),
        ("rows", Value::Int(SIZE)),
        ("columns", Value::Int(SIZE)),
        ("max_height", Value::Int(i32::from(MAX_HEIGHT))),
    ];
    Value::Struct(members.map(|(name, value)| (name.to_string(), value)).to_vec())
}

/// The number of a side.
pub fn player_value(side: Side) -> Value {
    Value::Int(if side == Side::First { 1 } else { -1 })
}

/// The number of the next move, from 1: every move takes one tower away.
pub fn step(position: &Avalam) -> i32 {
    i32::from(CELLS) - position.towers().count_ones() as i32 + 1
}

/// A move as row and column of a tower, then of its goal.
pub fn move_value(mv: Move) -> Value {
    let ((i1, j1), (i2, j2)) = (place(mv.from), place(mv.to));
    Value::Array([i1, j1, i2, j2].map(|number| Value::Int(i32::from(number))).to_vec())
}

/// Reads a move; whether it is legal is another matter.
///
/// # Errors
/// It is none.
pub fn parse_move(value: &Value) -> Result<Move, String> {
    const FORM: &str = "an array of four ints is expected";
    let Value::Array(values) = value else { return Err(format!("{} given, {FORM}", value.kind())) };
    let numbers: Option<Vec<i32>> = values
        .iter()
        .map(|value| if let Value::Int(number) = value { Some(*number) } else { None })
        .collect();
    let Some(&[i1, j1, i2, j2]) = numbers.as_deref() else { return Err(FORM.into()) };
    let cell = |row: i32, column: i32| {
        let found = u8::try_from(row).ok().zip(u8::try_from(column).ok());
        let found = found.and_then(|(row, column)| cell_at(row, column));
        found.ok_or_else(|| format!("there is no cell in row {row}, column {column}"))
    };
    Ok(Move { from: cell(i1, j1)?, to: cell(i2, j2)? })
}
