//! A player of Avalam that is a server somewhere else: `external(xmlrpc="http://HOST:PORT")`. Two more options there are:
//! `seconds` for a move, and `game-time` for a whole game, of which the server is told what is left.
//!
//! A server that does not answer, answers late or answers an illegal move has failed, which an arena counts as a loss. One that says what is no
//! answer at all, or that it cannot answer, is not understood, and that says nothing about its play.

use std::cell::RefCell;
use std::io::{self, BufReader, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use games::avalam::{Avalam, Move};
use games::error::shown;
use games::{Dice, Game};
use thiserror::Error;

use super::avalam::{move_value, parse_move, percepts, player_value, step};
use super::http::{HttpError, Timed, is_timeout, read_response, request};
use super::log::{Wire, WireLog};
use super::xml_rpc::{Call, Fault, Value, parse_response};
use crate::players::{Player, PlayerFailure, Trouble, notation};

/// The time for a move unless given.
const SECONDS: f64 = 60.0;
/// The time for a game unless given: that of the course's matches. Agents divide by what they are told, and cannot divide nothing.
const GAME_TIME: f64 = 900.0;
/// How long a server may take to be there.
const CONNECT: Duration = Duration::from_secs(5);

/// Why there is no such player.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExternalError {
    /// The text is not of the right form.
    #[error(
        "external player: {0}; the form is external(xmlrpc=\"http://HOST:PORT\", seconds=60, game-time=900)"
    )]
    Form(String),
    /// The text is not of the right form, for Othello.
    #[error(
        "external player: {0}; the form is external(gtp=\"PROGRAM ARGUMENTS\", seconds=60, game-time=900) or \
         external(nboard=\"PROGRAM ARGUMENTS\", depth=8, seconds=60)"
    )]
    OthelloForm(String),
    /// The program does not run, or does not speak the protocol.
    #[error("external player '{command}': {reason}")]
    Program {
        /// The program as given.
        command: String,
        /// What is wrong.
        reason: String,
    },
    /// Nobody answers there.
    #[error("external player: no server at {url}: {reason}")]
    Unreachable {
        /// The address as given.
        url: String,
        /// What the system says.
        reason: String,
    },
}

/// Why a call has no answer.
#[derive(Debug, Error)]
enum CallError {
    #[error("the connection failed: {0}")]
    Io(io::Error),
    #[error("no answer within {0} s")]
    Late(f64),
    #[error("{0}")]
    Illegal(String),
    #[error("{0}")]
    Nonsense(String),
    #[error("it answers with fault {}: {}", .0.code, shown(&.0.message))]
    Fault(#[from] Fault),
}

impl From<CallError> for Trouble {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Nonsense(_) | CallError::Fault(_) => Trouble::Misunderstood(error.to_string()),
            CallError::Io(_) | CallError::Late(_) | CallError::Illegal(_) => {
                Trouble::Failed(error.to_string())
            }
        }
    }
}

/// A player behind a server.
#[derive(Debug)]
pub struct External {
    url: String,
    host: String,
    path: String,
    addresses: Vec<SocketAddr>,
    /// The time for a move.
    seconds: f64,
    /// The time for a game.
    game_time: f64,
    /// What is left of it.
    left: f64,
    fresh: bool,
    /// What is said, for whoever wants to know.
    wire: RefCell<Wire>,
}

impl External {
    /// The player of a text, if its server can be reached.
    ///
    /// # Errors
    /// The text is not of the right form, or no server is there.
    pub fn new(text: &str) -> Result<Self, ExternalError> {
        let mut player = Self::parse(text)?;
        let unreachable = |reason: String| ExternalError::Unreachable { url: player.url.clone(), reason };
        let place = player.place();
        player.addresses = place.to_socket_addrs().map_err(|error| unreachable(error.to_string()))?.collect();
        player.connect(CONNECT).map_err(|error| unreachable(error.to_string()))?;
        Ok(player)
    }

    /// The same before anybody has asked for the server.
    ///
    /// # Errors
    /// The text is not of the right form.
    pub fn parse(text: &str) -> Result<Self, ExternalError> {
        let form = |message: String| ExternalError::Form(message);
        let call = notation::Call::parse(text).map_err(|error| form(error.to_string()))?;
        let (mut url, mut seconds, mut game_time) = (None, None, None);
        for (key, value) in &call.options {
            let time = || {
                let time = value.parse().ok().filter(|time| (0.01..=86_400.0).contains(time));
                time.ok_or_else(|| form(format!("{} given; 0.01 to 86400 seconds are allowed", shown(value))))
            };
            match key.as_str() {
                "xmlrpc" if url.is_some() => return Err(form("two addresses".into())),
                "xmlrpc" => url = Some(value.clone()),
                "seconds" => seconds = Some(time()?),
                "game-time" => game_time = Some(time()?),
                other => return Err(form(format!("unknown option {}", shown(other)))),
            }
        }
        let url = url.ok_or_else(|| form("no address".into()))?;
        // Anything else could carry headers of its own into the request.
        let plain = url.bytes().all(|byte| byte.is_ascii_graphic()) && !url.contains('@');
        let rest = url.strip_prefix("http://").filter(|_| plain);
        let rest = rest.ok_or_else(|| form(format!("{} is no address", shown(&url))))?;
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let path = if path.len() > 1 { path } else { "/RPC2" }.to_string();
        let seconds = seconds.or(game_time).unwrap_or(SECONDS);
        let game_time = game_time.unwrap_or(GAME_TIME);
        let (host, addresses) = (host.to_string(), Vec::new());
        Ok(Self {
            url: url.clone(),
            host,
            path,
            addresses,
            seconds,
            game_time,
            left: game_time,
            fresh: true,
            wire: RefCell::default(),
        })
    }

    /// The host with its port.
    fn place(&self) -> String {
        let has_port = self.host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        if has_port { self.host.clone() } else { format!("{}:80", self.host) }
    }

    fn connect(&self, time: Duration) -> io::Result<TcpStream> {
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for address in &self.addresses {
            match TcpStream::connect_timeout(address, time) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn call(&self, method: &str, params: Vec<Value>, seconds: f64) -> Result<Value, CallError> {
        let call = Call { method: method.to_string(), params };
        self.wire.borrow_mut().note('>', &call.text());
        let answer = self.answer(&call, seconds);
        match &answer {
            Ok(value) => self.wire.borrow_mut().note('<', &format!("{value:?}")),
            Err(error) => self.wire.borrow_mut().note('!', &error.to_string()),
        }
        answer
    }

    fn answer(&self, call: &Call, seconds: f64) -> Result<Value, CallError> {
        let time = Duration::from_secs_f64(seconds);
        let begun = Instant::now();
        let failed = |error: io::Error| {
            if is_timeout(&error) { CallError::Late(seconds) } else { CallError::Io(error) }
        };
        let mut stream = self.connect(time.min(CONNECT)).map_err(failed)?;
        stream.set_nodelay(true).map_err(failed)?;
        stream.set_write_timeout(Some(time)).map_err(failed)?;
        stream.write_all(&request(&self.host, &self.path, &call.text())).map_err(failed)?;
        let left = time.saturating_sub(begun.elapsed());
        let body =
            read_response(&mut BufReader::new(Timed::new(stream, left))).map_err(|error| match error {
                HttpError::Io(error) => failed(error),
                HttpError::Refused(_, message) => CallError::Nonsense(message),
            })?;
        let said = || shown(&String::from_utf8_lossy(&body));
        Ok(parse_response(&body).map_err(|error| CallError::Nonsense(format!("{error} in {}", said())))??)
    }

    fn ask(&mut self, position: &Avalam) -> Result<Move, CallError> {
        let player = player_value(position.side());
        if std::mem::replace(&mut self.fresh, false) {
            let params =
                vec![percepts(position), Value::Array(vec![player.clone()]), Value::Double(self.left)];
            match self.call("initialize", params, self.seconds) {
                // An agent need not have this method.
                Ok(_) | Err(CallError::Fault(_)) => {}
                Err(error) => return Err(error),
            }
        }
        let params = vec![percepts(position), player, Value::Int(step(position)), Value::Double(self.left)];
        // A clock that has run out before the question still leaves time to say so.
        let time = self.left.min(self.seconds).max(0.001);
        let begun = Instant::now();
        let answer = self.call("play", params, time)?;
        self.left -= begun.elapsed().as_secs_f64();
        if self.left < 0.0 {
            return Err(CallError::Late(time));
        }
        let unread =
            |error: String| CallError::Nonsense(format!("{error}: {}", shown(&format!("{answer:?}"))));
        let mv = parse_move(&answer).map_err(unread)?;
        debug_assert_eq!(move_value(mv), answer);
        position.check(mv).map_err(|error| CallError::Illegal(error.to_string()))?;
        Ok(mv)
    }
}

impl Player<Avalam> for External {
    fn choose(&mut self, position: &Avalam, _dice: &mut Dice) -> Result<Move, PlayerFailure> {
        self.ask(position).map_err(|error| PlayerFailure { who: self.url.clone(), why: error.into() })
    }

    fn log_to(&mut self, log: &WireLog) {
        self.wire.get_mut().log_to(log, &self.url);
    }

    fn new_game(&mut self) {
        self.fresh = true;
        self.left = self.game_time;
    }

    fn limit(&self) -> Option<Duration> {
        Some(Duration::from_secs_f64(self.seconds))
    }

    fn game_time(&mut self, seconds: Option<f64>) {
        self.left = seconds.unwrap_or(self.left);
    }
}
