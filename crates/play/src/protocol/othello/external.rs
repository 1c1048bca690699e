//! Players of Othello that are other programs: `external(gtp="gtp-rhino -b 0")`, `external(nboard="edax -nboard", depth=12)`. Options that
//! follow: `seconds` for a move, `game-time` for a whole game, of which an engine of GTP is told what is left, `depth` for one of NBoard.
//!
//! A program that ends, does not answer in time or answers an illegal move has failed, which an arena counts as a loss. One that says what is no
//! answer at all is not understood, and that says nothing about its play.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use games::error::shown;
use games::othello::ggf::Ggf;
use games::othello::{Move, Othello};
use games::rules::Fixed;
use games::{Dice, Game, Side};

use super::{answers, opening_moves};
use crate::players::notation::Call;
use crate::players::{Player, PlayerFailure, Thought, Trouble};
use crate::protocol::external::ExternalError;
use crate::protocol::log::WireLog;
use crate::protocol::process::{Process, ProcessError};

/// The time for a move unless given.
const SECONDS: f64 = 60.0;
/// How long a program may take to be there, and to answer what needs no thought.
const READY: f64 = 10.0;
/// The depth of an engine of NBoard unless given.
const DEPTH: u32 = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Protocol {
    Gtp,
    Nboard { depth: u32 },
}

/// A program that plays.
#[derive(Debug)]
pub struct ExternalOthello {
    command: String,
    protocol: Protocol,
    seconds: f64,
    game_time: Option<f64>,
    left: Option<f64>,
    process: Option<Process>,
    /// What the program has on its board.
    known: Option<Othello>,
    /// The moves to where the game begins, as far as they are told.
    opening: Vec<Move>,
    pings: u32,
    stop: Arc<AtomicBool>,
    /// What it says its last move is worth.
    value: Option<f64>,
}

impl ExternalOthello {
    /// The player of a text, if its program can be started and answers.
    ///
    /// # Errors
    /// The text is not of the right form, or there is no such program.
    pub fn new(text: &str) -> Result<Self, ExternalError> {
        let mut player = Self::parse(text)?;
        match player.sit_down() {
            Ok(()) => Ok(player),
            Err(trouble) => {
                Err(ExternalError::Program { command: player.command.clone(), reason: trouble.to_string() })
            }
        }
    }

    /// The same before the program is started.
    ///
    /// # Errors
    /// The text is not of the right form.
    pub fn parse(text: &str) -> Result<Self, ExternalError> {
        let form = ExternalError::OthelloForm;
        let call = Call::parse(text).map_err(|error| form(error.to_string()))?;
        let (mut command, mut depth, mut seconds, mut game_time) = (None, None, None, None);
        for (key, value) in &call.options {
            let time = || {
                let time = value.parse().ok().filter(|time| (0.01..=86_400.0).contains(time));
                time.ok_or_else(|| form(format!("{} given; 0.01 to 86400 seconds are allowed", shown(value))))
            };
            match key.as_str() {
                "gtp" | "nboard" if command.is_some() => return Err(form("two programs".into())),
                "gtp" => command = Some((Protocol::Gtp, value.clone())),
                "nboard" => command = Some((Protocol::Nboard { depth: DEPTH }, value.clone())),
                "seconds" => seconds = Some(time()?),
                "game-time" => game_time = Some(time()?),
                "depth" => {
                    let given = value.parse().ok().filter(|depth| (1..=60).contains(depth));
                    depth = Some(
                        given.ok_or_else(|| form(format!("depth {}; 1 to 60 is allowed", shown(value))))?,
                    );
                }
                other => return Err(form(format!("unknown option {}", shown(other)))),
            }
        }
        let (mut protocol, command) = command.ok_or_else(|| form("no program".into()))?;
        match (&mut protocol, depth) {
            (Protocol::Nboard { depth }, Some(given)) => *depth = given,
            (Protocol::Gtp, Some(_)) => {
                return Err(form("depth is for nboard; GTP has no word for it".into()));
            }
            (_, None) => {}
        }
        let seconds = seconds.or(game_time).unwrap_or(SECONDS);
        Ok(Self {
            command,
            protocol,
            seconds,
            game_time,
            left: game_time,
            process: None,
            known: None,
            opening: Vec::new(),
            pings: 0,
            stop: Arc::default(),
            value: None,
        })
    }

    /// How the program is started.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// Starts the program, unless it runs.
    fn sit_down(&mut self) -> Result<(), Trouble> {
        if self.process.is_some() {
            return Ok(());
        }
        let said = |error: ProcessError| error.to_string();
        self.process = Some(Process::start(&self.command).map_err(said)?);
        self.known = None;
        match self.protocol {
            Protocol::Gtp => {
                self.gtp("protocol_version", READY)?;
                // An engine that plays nothing else need not know this.
                let _ = self.gtp("set_game Othello", READY);
                self.gtp("boardsize 8", READY).map(|_| ())
            }
            Protocol::Nboard { depth } => {
                self.send("nboard 2")?;
                self.send(&format!("set depth {depth}"))?;
                Ok(self.ping()?)
            }
        }
    }

    fn send(&mut self, line: &str) -> Result<(), String> {
        let process = self.process.as_mut().ok_or("it is not running")?;
        process.send(line).map_err(|error| error.to_string())
    }

    /// The answer to a command of GTP.
    fn gtp(&mut self, command: &str, seconds: f64) -> Result<String, Trouble> {
        self.send(command)?;
        self.wait(seconds, |next| answers::gtp(command, next))
    }

    /// Waits until an engine of NBoard has nothing more to say.
    fn ping(&mut self) -> Result<(), String> {
        self.pings += 1;
        self.send(&format!("ping {}", self.pings))?;
        let number = self.pings;
        self.wait(READY, |next| answers::pong(number, next))
    }

    /// What is read from the lines that come within a time.
    fn wait<T, E: From<String>>(
        &mut self,
        seconds: f64,
        read: impl Fn(&mut answers::Next) -> Result<T, E>,
    ) -> Result<T, E> {
        let deadline = Instant::now() + Duration::from_secs_f64(seconds);
        let process = self.process.as_mut().ok_or_else(|| E::from("it is not running".into()))?;
        read(&mut || process.line(deadline, seconds, &self.stop).map_err(|error| error.to_string()))
    }

    /// Puts a position on the board of an engine of GTP, by moves.
    fn show(&mut self, position: &Othello) -> Result<(), Trouble> {
        if self.known.as_ref() == Some(position) {
            return Ok(());
        }
        if let Some(moves) = self.known.and_then(|known| between(&known, position)) {
            return moves.into_iter().try_for_each(|(side, mv)| self.tell(side, mv));
        }
        self.gtp("clear_board", READY)?;
        if let Some(game_time) = self.game_time {
            self.gtp(&format!("time_settings {} 0 0", game_time.ceil()), READY)?;
        } else if let Some(left) = self.left {
            // The game time of a match; not every engine has a clock.
            let _ = self.gtp(&format!("time_settings {} 0 0", left.ceil()), READY);
        }
        self.known = Some(Othello::start(&Fixed));
        let way = after_opening(&self.opening, position)
            .or_else(|| opening_moves::to(position))
            .ok_or("no moves are known that lead to this position, and GTP has no other word for it")?;
        for mv in way {
            let side = self.known.map_or(Side::First, |known| known.side());
            self.tell(side, mv)?;
        }
        Ok(())
    }

    fn tell(&mut self, side: Side, mv: Move) -> Result<(), Trouble> {
        let Some(mut known) = self.known else { return Err("nothing is on its board".into()) };
        let command = format!("play {} {}", colour(side), known.move_text(mv));
        let told = self.gtp(&command, READY);
        // Engines differ in whether a forced pass is a move: one that leaves it out refuses it.
        if mv != Move::PASS {
            told?;
        }
        known.play_unchecked(mv);
        self.known = Some(known);
        Ok(())
    }

    fn ask(&mut self, position: &Othello) -> Result<Move, Trouble> {
        self.sit_down()?;
        let seconds = self.left.map_or(self.seconds, |left| left.min(self.seconds)).max(0.001);
        let text = match self.protocol {
            Protocol::Gtp => {
                self.show(position)?;
                if let Some(left) = self.left {
                    // Not every engine has a clock.
                    let _ =
                        self.gtp(&format!("time_left {} {} 0", colour(position.side()), left.floor()), READY);
                }
                let begun = Instant::now();
                let answer = self.gtp(&format!("genmove {}", colour(position.side())), seconds)?;
                self.take(begun.elapsed(), seconds)?;
                answer
            }
            Protocol::Nboard { .. } => {
                let game =
                    Ggf { players: Default::default(), start: *position, moves: Vec::new(), result: None };
                self.send(&format!("set game {}", game.text()))?;
                self.ping()?;
                let begun = Instant::now();
                self.send("go")?;
                let answer = self.wait(seconds, answers::nboard)?;
                self.take(begun.elapsed(), seconds)?;
                let (text, value) = answer;
                self.value = value;
                text
            }
        };
        let mv = answers::chosen(position, &text)?;
        let mut after = *position;
        after.play_unchecked(mv);
        self.known = Some(after);
        Ok(mv)
    }

    fn take(&mut self, used: Duration, seconds: f64) -> Result<(), String> {
        let Some(left) = &mut self.left else { return Ok(()) };
        *left -= used.as_secs_f64();
        if *left < 0.0 { Err(ProcessError::Late(seconds.to_string()).to_string()) } else { Ok(()) }
    }
}

fn colour(side: Side) -> &'static str {
    if side == Side::First { "black" } else { "white" }
}

/// The moves of an opening and those that follow it up to a position, if it is near.
fn after_opening(opening: &[Move], position: &Othello) -> Option<Vec<Move>> {
    let mut begun = Othello::start(&Fixed);
    opening.iter().try_for_each(|&mv| begun.play(mv).ok())?;
    let rest = between(&begun, position)?;
    Some(opening.iter().copied().chain(rest.into_iter().map(|(_, mv)| mv)).collect())
}

/// At most three moves from one position to another, of which passes are some.
fn between(from: &Othello, to: &Othello) -> Option<Vec<(Side, Move)>> {
    fn search(from: &Othello, to: &Othello, plies: usize, line: &mut Vec<(Side, Move)>) -> bool {
        if from == to {
            return true;
        }
        let (mut moves, wanted) = (Vec::new(), to.own() | to.opponent());
        if plies > 0 {
            from.legal_moves(&mut moves);
        }
        moves.retain(|mv| mv.index().is_none_or(|square| wanted >> square & 1 != 0));
        moves.into_iter().any(|mv| {
            let mut after = *from;
            after.play_unchecked(mv);
            line.push((from.side(), mv));
            let found = search(&after, to, plies - 1, line);
            if !found {
                line.pop();
            }
            found
        })
    }
    let mut line = Vec::new();
    search(from, to, 3, &mut line).then_some(line)
}

impl Player<Othello> for ExternalOthello {
    fn choose(&mut self, position: &Othello, _dice: &mut Dice) -> Result<Move, PlayerFailure> {
        self.ask(position).map_err(|why| {
            if why != Trouble::Resigned {
                // Whatever state it is in, the next game begins with a fresh one.
                self.process = None;
            }
            PlayerFailure { who: self.command.clone(), why }
        })
    }

    fn log_to(&mut self, log: &WireLog) {
        if let Some(process) = &mut self.process {
            process.wire.log_to(log, &self.command);
        }
    }

    fn thought(&self) -> Option<Thought<Move>> {
        self.value.map(Thought::value)
    }

    fn new_game(&mut self) {
        self.value = None;
        self.known = None;
        self.opening.clear();
        self.left = self.game_time;
    }

    fn opening(&mut self, moves: &[Move]) {
        self.opening = moves.to_vec();
    }

    fn limit(&self) -> Option<Duration> {
        Some(Duration::from_secs_f64(self.seconds))
    }

    fn game_time(&mut self, seconds: Option<f64>) {
        self.left = seconds;
    }

    fn stop_by(&mut self, stop: Arc<AtomicBool>) {
        self.stop = stop;
    }
}
