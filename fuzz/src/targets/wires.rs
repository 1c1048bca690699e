//! What other programs say, to an engine of ours or in answer to us.

use std::io::BufReader;
use std::sync::Arc;

use games::avalam::Avalam;
use games::othello::Othello;
use games::rules::Fixed;
use games::{Game as _, Turn};
use play::PlayedGame;
use play::players::{PlayerSpec, Trouble};
use play::protocol::avalam::{Engine, parse_move};
use play::protocol::gtp::Gtp;
use play::protocol::http::{HttpError, read_request, read_response};
use play::protocol::othello::answers;
use play::protocol::othello::nboard::Nboard;
use play::protocol::pipe::read_line;
use play::protocol::thinker::Thinker;
use play::protocol::xml_rpc::{Call, parse_response, response_text};
use play::search::is_searchable;

use super::texts::{OfGame, with_head};
use super::{Answer, Room, Verdict, again, check_line, refused, same};

/// Whoever thinks is not what is fuzzed.
const PLAYER: &str = "greedy";
/// The paths at which calls are answered.
const PATHS: &[&str] = &["/RPC2", "/"];

fn lines(bytes: &[u8]) -> Result<Vec<String>, String> {
    let (mut input, mut lines) = (bytes, Vec::new());
    while let Some(line) = read_line(&mut input).map_err(|error| error.to_string())? {
        lines.push(line);
    }
    Ok(lines)
}

pub(super) fn gtp(bytes: &[u8], _: &Room) -> Verdict {
    struct Engines;
    impl OfGame for Engines {
        fn read<G: PlayedGame>(rules: &G::Rules, text: &str) -> Verdict {
            if !is_searchable::<G>() {
                return refused("no game for two");
            }
            let mind = Thinker::<G>::new(rules, PLAYER, 1).map_err(|error| error.to_string())?;
            let (mut engine, mut fault) = (Gtp::new(rules, mind), None);
            for line in lines(text.as_bytes())? {
                let Some(answer) = engine.answer(&line) else { continue };
                let body =
                    answer.strip_suffix("\n\n").ok_or_else(|| format!("no end of an answer: {answer:?}"))?;
                if !body.starts_with(['=', '?']) || body.contains("\n\n") {
                    return Err(format!("no answer of GTP: {answer:?}"));
                }
                body.lines().try_for_each(check_line)?;
                if body.starts_with('?') {
                    check_line(body)?;
                    fault = Some(body.to_string());
                }
                if engine.is_over {
                    break;
                }
            }
            fault.map_or(Ok(Answer::Accepted), refused)
        }
    }
    with_head::<Engines>(bytes)
}

pub(super) fn nboard(bytes: &[u8], _: &Room) -> Verdict {
    let mind = Thinker::<Othello>::new(&Fixed, PLAYER, 1).map_err(|error| error.to_string())?;
    let (mut engine, mut said) = (Nboard::new(mind), Vec::new());
    for line in lines(bytes)? {
        engine.obey(&line, &mut |text| said.push(text.to_string()));
        if engine.is_over {
            break;
        }
    }
    said.iter().try_for_each(|line| check_line(line))?;
    match said.into_iter().find(|line| line.starts_with("status set") || line.starts_with("status move")) {
        Some(fault) => refused(fault),
        None => Ok(Answer::Accepted),
    }
}

/// What an engine answers to one `genmove` after another, or to `ping` and `go`, its moves being played.
fn game(lines: Vec<String>, ask: fn(u32, &mut answers::Next) -> Result<String, Trouble>) -> Verdict {
    let mut lines = lines.into_iter();
    let (mut position, mut made) = (Othello::start(&Fixed), 0);
    while position.turn() != Turn::Over {
        let answer = ask(made + 1, &mut || lines.next().ok_or_else(|| "the program ended".into()));
        match answer.and_then(|text| answers::chosen(&position, &text)) {
            Ok(mv) => {
                let printed = position.move_text(mv);
                same("a move", &mv, &again("a move", &printed, answers::chosen(&position, &printed))?)?;
                again("a chosen move", &printed, position.play(mv))?;
                made += 1;
            }
            Err(Trouble::Failed(_)) if made > 0 && lines.len() == 0 => break,
            Err(trouble) => return refused(trouble),
        }
    }
    Ok(Answer::Accepted)
}

pub(super) fn gtp_answers(bytes: &[u8], _: &Room) -> Verdict {
    game(lines(bytes)?, |_, next| answers::gtp("genmove", next))
}

pub(super) fn nboard_answers(bytes: &[u8], _: &Room) -> Verdict {
    game(lines(bytes)?, |number, next| {
        answers::pong(number, next)?;
        Ok(answers::nboard(next)?.0)
    })
}

/// Requests as they come over a connection, each answered.
pub(super) fn xml_rpc_calls(bytes: &[u8], _: &Room) -> Verdict {
    let make = || PlayerSpec::<Avalam>::parse(&Fixed, PLAYER)?.player();
    let mut engine = Engine::new(Box::new(make), 1).map_err(|error| error.to_string())?;
    let mut reader = BufReader::with_capacity(64, bytes);
    let (mut fault, mut calls) = (None, 0);
    loop {
        let request = match read_request(&mut reader, PATHS, &mut || Ok(())) {
            Ok(Some(request)) => request,
            Ok(None) => break,
            Err(error) => {
                fault = Some(error.to_string());
                break;
            }
        };
        calls += 1;
        if let Ok(call) = Call::parse(&request.body) {
            let printed = call.text();
            same("a call", &call, &again("a call", &printed, Call::parse(printed.as_bytes()))?)?;
        }
        let answer = engine.answer(&request.body, &Arc::default());
        if let Err(error) = again("an answer", &answer, parse_response(answer.as_bytes()))? {
            fault = Some(error.message);
        }
        if !request.keep_alive {
            break;
        }
    }
    match fault {
        Some(fault) => refused(fault),
        None if calls == 0 => refused("nothing"),
        None => Ok(Answer::Accepted),
    }
}

/// A response to `play`.
pub(super) fn xml_rpc_answers(bytes: &[u8], _: &Room) -> Verdict {
    let body = match read_response(&mut BufReader::with_capacity(64, bytes)) {
        Ok(body) => body,
        Err(HttpError::Io(error)) => return refused(error),
        Err(HttpError::Refused(_, reason)) => return refused(reason),
    };
    let response = match parse_response(&body) {
        Ok(response) => response,
        Err(error) => return refused(error),
    };
    let printed = response_text(&response);
    same("a response", &response, &again("a response", &printed, parse_response(printed.as_bytes()))?)?;
    match response {
        // What a server says of itself is told as a foreign text.
        Err(_) => Ok(Answer::Accepted),
        Ok(value) => match parse_move(&value) {
            Ok(mv) => {
                if let Err(error) = Avalam::start(&Fixed).check(mv) {
                    check_line(&error.to_string())?;
                }
                Ok(Answer::Accepted)
            }
            Err(error) => refused(error),
        },
    }
}

/// Makes the length of each message right; one ends where the next call begins.
pub(super) fn seal_http(bytes: &[u8]) -> Vec<u8> {
    const LENGTH: &[u8] = b"Content-Length: ";
    let find = |from: usize, what: &[u8]| {
        let found = bytes.get(from..)?.windows(what.len()).position(|window| window == what);
        found.map(|place| from + place)
    };
    let (mut sealed, mut at) = (Vec::new(), 0);
    while let Some(length) = find(at, LENGTH).map(|place| place + LENGTH.len())
        && let Some(body) = find(length, b"\r\n\r\n").map(|place| place + 4)
    {
        let digits = bytes[length..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let end = find(body, b"POST /").unwrap_or(bytes.len());
        sealed.extend(&bytes[at..length]);
        sealed.extend((end - body).to_string().into_bytes());
        sealed.extend(&bytes[length + digits..end]);
        at = end;
    }
    sealed.extend(&bytes[at..]);
    sealed
}
