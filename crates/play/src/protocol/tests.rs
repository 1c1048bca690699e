//! What every reader must bear: random bytes, mutated messages, limits; and a client and a server in conversation.

use std::io::{BufReader, Cursor, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use games::avalam::Avalam;
use games::rules::Fixed;
use games::{Dice, Game, Side};

use super::avalam::{Engine, percepts, position};
use super::http::{HttpError, read_request, read_response, request};
use super::server::{Patience, Server};
use super::xml_rpc::{Call, Fault, MOST_BYTES, MOST_DEPTH, Value, XmlError, parse_response, response_text};
use crate::players::{Player, PlayerFailure, player};

/// An engine of this player.
fn engine(text: &'static str) -> Engine {
    Engine::new(Box::new(move || player::<Avalam>(&Fixed, text)), 1).unwrap()
}

/// A flag that nobody sets.
fn free() -> Arc<AtomicBool> {
    Arc::default()
}

/// A server on a thread of its own, ended when it is dropped.
struct Running {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    fn new(engine: Engine) -> Self {
        Self::with(engine, Patience::default())
    }

    fn with(engine: Engine, patience: Patience) -> Self {
        let server = Server::bind("127.0.0.1", 0).unwrap().with_patience(patience);
        let (address, stop) = (server.address().unwrap(), Arc::new(AtomicBool::new(false)));
        let flag = Arc::clone(&stop);
        let serve = move || server.serve(engine, &|| flag.load(Ordering::Relaxed)).unwrap();
        Self { address, stop, thread: Some(thread::spawn(serve)) }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream
    }

    /// What comes back for these bytes, until the server closes.
    fn say(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // The server may hang up before it has heard all.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(thread::panicking() || ended.is_some_and(|ended| ended.is_ok()));
    }
}

fn play_call(percepts: Value, player: i32) -> Call {
    Call { method: "play".into(), params: vec![percepts, Value::Int(player), Value::Int(1), Value::Nil] }
}

fn start_call() -> Call {
    play_call(percepts(&Avalam::start(&Fixed)), 1)
}

fn fault(engine: &mut Engine, message: &[u8]) -> Fault {
    parse_response(engine.answer(message, &free()).as_bytes()).unwrap().unwrap_err()
}

/// Every game for two can be played over GTP, from its start to its end.
#[test]
fn every_game_for_two_speaks_gtp() {
    use crate::protocol::gtp::Gtp;
    use crate::protocol::thinker::Thinker;
    use crate::{Games as _, PlayedGame, Visitor};
    struct All;
    impl Visitor for All {
        fn game<G: PlayedGame>(&mut self) {
            if !crate::search::is_searchable::<G>() {
                return;
            }
            let rules = G::Rules::default();
            let mut engine = Gtp::<G>::new(&rules, Thinker::new(&rules, "random", 7).unwrap());
            let mut position = G::start(&rules);
            while let games::Turn::Player(side) = position.turn() {
                let colour = ["black", "white"][side.index()];
                let answer = engine.answer(&format!("genmove {colour}")).unwrap();
                let text = answer.trim_start_matches("= ").trim_end().to_string();
                let mv = position.parse_move(&text).or_else(|_| position.parse_move(&text.to_lowercase()));
                position.play(mv.unwrap_or_else(|_| panic!("{} says {answer}", G::NAME))).unwrap();
            }
            assert!(engine.answer("genmove black").unwrap().starts_with("? "));
            assert!(engine.answer("showboard").unwrap().contains("Next move"));
        }
    }
    games::Listed::visit(&mut All);
}

#[test]
fn values_come_back_as_they_went() {
    let nested = Value::Struct(vec![
        ("a<b>&\"c\"".into(), Value::Array(vec![Value::Nil, Value::Boolean(true), Value::Array(vec![])])),
        ("d".into(), Value::Struct(vec![])),
    ]);
    let string = Value::String(" é <&> ]]> \r\n\t ".into());
    let numbers = [Value::Int(i32::MIN), Value::Double(-1.5e-7), Value::Double(899.987_654_321)];
    let params: Vec<Value> = numbers.into_iter().chain([nested, string]).collect();
    let call = Call { method: "a.b_c".into(), params: params.clone() };
    assert_eq!(Call::parse(call.text().as_bytes()).unwrap(), call);
    for value in params {
        let response = Ok(value);
        assert_eq!(parse_response(response_text(&response).as_bytes()).unwrap(), response);
    }
    let fault = Err(Fault::new(-5, "no <move>"));
    assert_eq!(parse_response(response_text(&fault).as_bytes()).unwrap(), fault);
}

#[test]
fn the_dialects_of_others_are_read() {
    let text = "\u{feff}<?xml version='1.0' encoding='utf-8'?>\n<!-- hello -->\n<methodCall>\r\n\
        <methodName>play</methodName>\n<params>\n <param>\n<value><i4>+7</i4></value></param>\
        <param><value> plain &amp; &#x41;&#66;<![CDATA[<c>]]></value></param><param><value/></param>\
        <param><value><string/></value></param><param><value><nil></nil></value></param>\
        <param><value><array><data>\n</data></array></value></param></params></methodCall>\n";
    let params = Call::parse(text.as_bytes()).unwrap().params;
    let string = |text: &str| Value::String(text.into());
    let expected =
        [Value::Int(7), string(" plain & AB<c>"), string(""), string(""), Value::Nil, Value::Array(vec![])];
    assert_eq!(params, expected);
    assert!(Call::parse(b"<methodCall><methodName>m</methodName></methodCall>").unwrap().params.is_empty());
}

#[test]
fn what_is_no_call_is_refused() {
    let value = |inner: &str| {
        format!(
            "<methodCall><methodName>m</methodName><params><param><value>{inner}</value></param></params></methodCall>"
        )
    };
    let reason = |text: &str| Call::parse(text.as_bytes()).unwrap_err().to_string();
    for (inner, part) in [
        ("<int>1.5</int>", "is no int"),
        ("<int>99999999999</int>", "is no int"),
        ("<int></int>", "is no int"),
        ("a\u{1}b", "a character that XML has not"),
        ("<![CDATA[\u{1b}]]>", "a character that XML has not"),
        ("\u{ffff}", "a character that XML has not"),
        ("&#xffff;", "is unknown"),
        ("<double>nan</double>", "is no double"),
        ("<double>1e999</double>", "is no double"),
        ("<boolean>true</boolean>", "is no boolean"),
        ("<base64>AA==</base64>", "not read"),
        ("<int>1</double>", "</int> expected, </double> found"),
        ("x<int>1</int>", "not both"),
        ("<int>1</int>x", "text found"),
        ("<int a='1'>1</int>", "no plain tag"),
        ("&unknown;", "unknown"),
        ("&#0;", "unknown"),
        ("&#xd800;", "unknown"),
        ("<array></array>", "<data> expected"),
        ("<nil>1</nil>", "</nil> expected"),
        ("<struct><member><name>a</name></member></struct>", "<value> expected"),
    ] {
        assert!(reason(&value(inner)).contains(part), "{inner}: {}", reason(&value(inner)));
    }
    let member = "<member><name>a</name><value>1</value></member>";
    assert!(reason(&value(&format!("<struct>{member}{member}</struct>"))).contains("twice"));
    assert!(reason("<!DOCTYPE a [<!ENTITY b 'c'>]><methodCall/>").contains("no plain tag"));
    assert!(reason(&(value("1") + "<again/>")).contains("the end expected"));
    assert!(reason("").contains("<methodCall> expected, the end found"));
    assert!(Call::parse(b"\xff\xfe").unwrap_err().to_string().contains("UTF-8"));
    assert_eq!(reason(&" ".repeat(MOST_BYTES + 1)), format!("longer than {MOST_BYTES} bytes"));
    let deep = |depth: usize| {
        let (open, close) = ("<array><data><value>", "</value></data></array>");
        value(&(open.repeat(depth - 1) + "1" + &close.repeat(depth - 1)))
    };
    assert!(Call::parse(deep(MOST_DEPTH).as_bytes()).is_ok());
    assert!(reason(&deep(MOST_DEPTH + 1)).contains("nested"));
    // Far beyond what a stack would bear.
    assert!(
        reason(
            &"<methodCall><methodName>m</methodName><params><param>"
                .to_string()
                .chars()
                .chain("<value><array><data>".repeat(10_000).chars())
                .collect::<String>()
        )
        .contains("nested")
    );
}

/// Changes some bytes, takes some away, doubles some.
fn mutated(message: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = message.to_vec();
    for _ in 0..=dice.below(6) {
        if bytes.is_empty() {
            break;
        }
        let (from, length) = (dice.below(bytes.len()), dice.below(40));
        let to = (from + length).min(bytes.len());
        match dice.below(5) {
            0 => bytes[from] = dice.bits() as u8,
            1 => bytes[from] = dice.pick(b"<>/&;\r\n 059-\0\xff"),
            2 => drop(bytes.drain(from..to)),
            3 => {
                let copy = bytes[from..to].to_vec();
                let place = dice.below(bytes.len());
                drop(bytes.splice(place..place, copy));
            }
            _ => bytes.truncate(from),
        }
    }
    bytes
}

#[test]
fn no_bytes_make_a_reader_panic() {
    let mut dice = Dice::seeded(&[8]);
    let mut engine = engine("random");
    let call = start_call().text();
    let whole = request("localhost", "/RPC2", &call);
    let answer = response_text(&Ok(Value::Array(vec![Value::Int(1); 4])));
    for number in 0..4000 {
        let random: Vec<u8> = (0..dice.below(300)).map(|_| dice.bits() as u8).collect();
        let tags = [
            "<value>", "</value>", "<array>", "<data>", "<int>", "1", "</int>", "<nil/>", "&lt;", "<struct>",
            "<", "<!--",
        ];
        let tagged: String = (0..dice.below(60)).map(|_| dice.pick(&tags)).collect();
        let messages = [random, tagged.into_bytes(), mutated(call.as_bytes(), &mut dice)];
        for message in &messages {
            let _ = Call::parse(message);
            // Whatever was asked, the answer is one.
            if number % 4 == 0 {
                parse_response(engine.answer(message, &free()).as_bytes()).unwrap().ok();
            }
        }
        let _: Result<_, XmlError> = parse_response(&mutated(answer.as_bytes(), &mut dice));
        for message in messages.iter().chain([&mutated(&whole, &mut dice)]) {
            let _ = read_request(&mut Cursor::new(message), &["/RPC2"], &mut || Ok(()));
            let _ = read_response(&mut Cursor::new(message));
        }
    }
    assert!(engine.answer(call.as_bytes(), &free()).contains("<params>"));
}

#[test]
fn positions_come_back_from_percepts() {
    let mut dice = Dice::seeded(&[2]);
    let mut board = Avalam::start(&Fixed);
    while let Some(mv) = board.random_move(&mut dice, &mut Vec::new()) {
        let player = Value::Int(if board.side() == Side::First { 1 } else { -1 });
        assert_eq!(position(&percepts(&board), &player).unwrap(), board);
        board.play(mv).unwrap();
    }
}

#[test]
fn wrong_calls_are_answered_by_faults() {
    let mut engine = engine("random");
    let board = |change: &dyn Fn(&mut Vec<Vec<i32>>)| {
        let mut rows = vec![vec![0; 9]; 9];
        (rows[0][2], rows[0][3]) = (1, -1);
        change(&mut rows);
        let row = |row: Vec<i32>| Value::Array(row.into_iter().map(Value::Int).collect());
        Value::Struct(vec![("m".into(), Value::Array(rows.into_iter().map(row).collect()))])
    };
    let with = |member: &str, value: Value| {
        let Value::Struct(mut members) = board(&|_| ()) else { unreachable!() };
        members.push((member.into(), value));
        Value::Struct(members)
    };
    // As many towers as there are cells, all of this height.
    let full = |height: i32| {
        board(&|rows| {
            for (row, column) in (0..48).map(games::avalam::place) {
                rows[usize::from(row)][usize::from(column)] = height;
            }
        })
    };
    let mut reason = |percepts: Value, player: i32| {
        let fault = fault(&mut engine, play_call(percepts, player).text().as_bytes());
        assert_eq!(fault.code, Fault::WRONG_PARAMS);
        fault.message
    };
    for (percepts, part) in [
        (board(&|rows| rows[0][2] = 6), "a tower is -5 to 5"),
        (board(&|rows| rows[0][2] = i32::MIN), "a tower is -5 to 5"),
        (board(&|rows| rows[4][4] = 1), "no cell in row 4, column 4"),
        (board(&|rows| drop(rows.pop())), "9 rows of 9"),
        (board(&|rows| rows[3].push(0)), "9 rows of 9"),
        (board(&|rows| rows.clear()), "9 rows of 9"),
        (board(&|rows| rows[0][2] = 5), "no legal move"),
        (full(5), "m: 240 pieces; a game has 48"),
        (full(2), "m: 96 pieces; a game has 48"),
        (with("rows", Value::Int(8)), "rows: 9 expected"),
        (with("max_height", Value::Double(5.0)), "max_height: double given"),
        (Value::Nil, "the matrix 'm'"),
        (Value::Struct(vec![("m".into(), Value::String("1".into()))]), "m: string given"),
    ] {
        let message = reason(percepts, 1);
        assert!(message.contains(part), "{message}");
    }
    assert!(reason(board(&|_| ()), 0).contains("1 or -1"));
    let call = |method: &str, params: Vec<Value>| Call { method: method.into(), params }.text();
    assert!(fault(&mut engine, call("play", vec![Value::Nil]).as_bytes()).message.contains("1 parameters"));
    assert_eq!(fault(&mut engine, call("stop", vec![]).as_bytes()).code, Fault::UNKNOWN_METHOD);
    assert_eq!(fault(&mut engine, b"<methodCall>").code, Fault::MALFORMED);
    let mut back = start_call();
    back.params[2] = Value::Int(-1);
    assert_eq!(
        fault(&mut engine, back.text().as_bytes()).message,
        "step: -1 given; moves are numbered from 1"
    );
    let late = vec![board(&|_| ()), Value::Int(1), Value::Int(1), Value::String("soon".into())];
    assert!(fault(&mut engine, call("play", late).as_bytes()).message.contains("time_left: string"));
}

/// Panics in its first game and notes what it is told.
struct Moody(Arc<std::sync::Mutex<Vec<Option<f64>>>>, bool);

impl Player<Avalam> for Moody {
    fn choose(&mut self, position: &Avalam, dice: &mut Dice) -> Result<games::avalam::Move, PlayerFailure> {
        assert!(!self.1, "not today");
        Ok(position.random_move(dice, &mut Vec::new()).unwrap())
    }

    fn game_time(&mut self, seconds: Option<f64>) {
        self.0.lock().unwrap().push(seconds);
    }
}

#[test]
fn a_player_that_panics_is_replaced_and_game_time_is_passed_on() {
    let told = Arc::new(std::sync::Mutex::new(Vec::new()));
    let (noted, first) = (Arc::clone(&told), AtomicBool::new(true));
    let make = move || -> Result<Box<dyn Player<Avalam>>, _> {
        Ok(Box::new(Moody(Arc::clone(&noted), first.swap(false, Ordering::Relaxed))))
    };
    let mut engine = Engine::new(Box::new(make), 1).unwrap();
    let mut call = start_call();
    assert_eq!(fault(&mut engine, call.text().as_bytes()).code, Fault::INTERNAL);
    call.params[3] = Value::Double(899.5);
    assert!(engine.answer(call.text().as_bytes(), &free()).contains("<params>"));
    assert_eq!(*told.lock().unwrap(), [None, Some(899.5)]);
}

#[test]
fn connections_are_kept_or_closed_as_asked() {
    let server = Running::new(engine("greedy"));
    let body = start_call().text();
    // An idle connection keeps nobody out.
    let idle = server.connect();
    let mut kept = server.connect();
    let mut reader = BufReader::new(kept.try_clone().unwrap());
    for _ in 0..3 {
        let text = format!(
            "POST /RPC2 HTTP/1.1\r\nExpect: 100-continue\r\nContent-Type: text/xml\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        kept.write_all(text.as_bytes()).unwrap();
        let mut leave = [0; 25];
        reader.read_exact(&mut leave).unwrap();
        assert_eq!(&leave, b"HTTP/1.1 100 Continue\r\n\r\n");
        kept.write_all(body.as_bytes()).unwrap();
        let answer = parse_response(&read_response(&mut reader).unwrap()).unwrap().unwrap();
        assert!(matches!(answer, Value::Array(numbers) if numbers.len() == 4));
        let closed = server.say(&request("localhost", "/", &body));
        assert!(
            closed.starts_with("HTTP/1.1 200 OK\r\n") && closed.contains("Connection: close"),
            "{closed}"
        );
    }
    drop(idle);
}

#[test]
fn bad_requests_get_their_status() {
    let server = Running::new(engine("random"));
    let long = format!("POST /RPC2 HTTP/1.1\r\nContent-Type: text/xml\r\nA: {}\r\n\r\n", "b".repeat(9000));
    let big = format!(
        "POST /RPC2 HTTP/1.1\r\nContent-Type: text/xml\r\nContent-Length: 999999\r\n\r\n{}",
        "c".repeat(999_999)
    );
    for (bytes, status) in [
        ("hello\r\n\r\n", 400),
        ("GET /RPC2 HTTP/1.1\r\n\r\n", 405),
        ("GET / HTTP/1.0\r\n\r\n", 405),
        ("POST /other HTTP/1.1\r\nContent-Length: 1\r\n\r\na", 404),
        ("POST /RPC2 HTTP/1.1\r\nContent-Type: text/xml\r\n\r\n", 411),
        ("POST /RPC2 HTTP/1.1\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
        ("POST /RPC2 HTTP/1.1\r\nContent-Type: text/xml\r\nContent-Length: -1\r\n\r\n", 400),
        (
            "POST /RPC2 HTTP/1.1\r\nContent-Type: text/xml\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\naa",
            400,
        ),
        (
            "POST /RPC2 HTTP/1.1\r\nContent-Type: text/xml\r\nContent-Length: 99999999999999999999999\r\n\r\n",
            413,
        ),
        // As a page in a browser would send it.
        ("POST /RPC2 HTTP/1.1\r\nContent-Length: 1\r\n\r\na", 415),
        ("POST /RPC2 HTTP/1.1\r\nContent-Type: \r\nContent-Length: 1\r\n\r\na", 415),
        (
            "POST /RPC2 HTTP/1.1\r\nOrigin: http://a.b\r\nContent-Type: text/xml\r\nContent-Length: 1\r\n\r\na",
            403,
        ),
        (
            "POST / HTTP/1.1\r\nSec-Fetch-Site: cross-site\r\nContent-Type: text/xml\r\nContent-Length: 1\r\n\r\na",
            403,
        ),
        ("OPTIONS /RPC2 HTTP/1.1\r\nOrigin: http://a.b\r\nAccess-Control-Request-Method: POST\r\n\r\n", 405),
        ("POST /RPC2 HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\na", 415),
        (
            "POST /RPC2 HTTP/1.1\r\nContent-Type: text/xml\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\na",
            415,
        ),
        ("POST /RPC2 HTTP/2\r\nContent-Length: 1\r\n\r\na", 505),
        (&long, 431),
        (&big, 413),
    ] {
        let answer = server.say(bytes.as_bytes());
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{}: {answer}",
            &bytes[..bytes.len().min(80)]
        );
    }
    // A message that ends too early has no answer, and a wrong one has a fault.
    assert_eq!(
        server.say(b"POST /RPC2 HTTP/1.1\r\nContent-Type: text/xml\r\nContent-Length: 10\r\n\r\nabc"),
        ""
    );
    assert!(server.say(&request("localhost", "/RPC2", "<a/>")).contains("faultCode"));
    let refused = read_request(&mut Cursor::new(b"GET /RPC2 HTTP/1.1\r\n\r\n"), &["/RPC2"], &mut || Ok(()));
    assert!(matches!(refused, Err(HttpError::Refused(405, _))));
}

/// Whoever says nothing, or too little, holds its place for a message's time and no longer; the same holds for all while no place is free.
#[test]
fn silent_connections_lose_their_places() {
    let patience = Patience { idle: Duration::from_secs(3600), message: Duration::from_millis(400) };
    let server = Running::with(engine("random"), patience);
    let whole = request("localhost", "/RPC2", &start_call().text());
    let closes = |stream: &mut TcpStream| {
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).is_ok() || !rest.is_empty()
    };
    // Byte by byte, of the head or of the body, faster than any single read would give up.
    for from in [0, whole.len() - 50] {
        let mut slow = server.connect();
        slow.write_all(&whole[..from]).unwrap();
        let begun = std::time::Instant::now();
        let sent = whole[from..].iter().take(40).take_while(|&&byte| {
            thread::sleep(Duration::from_millis(50));
            slow.write_all(&[byte]).is_ok()
        });
        assert!(sent.count() < 40, "after {:?}", begun.elapsed());
    }
    let mut silent: Vec<TcpStream> = (0..64).map(|_| server.connect()).collect();
    assert!(silent.iter_mut().all(closes));
    assert!(server.say(&whole).starts_with("HTTP/1.1 200 OK"));
    // One call does not buy a place for an hour, if others want it.
    let asking = String::from_utf8(whole.clone()).unwrap().replace("close", "keep-alive");
    let mut quiet: Vec<TcpStream> = (0..64).map(|_| server.connect()).collect();
    for stream in &mut quiet {
        stream.write_all(asking.as_bytes()).unwrap();
    }
    assert!(quiet.iter_mut().any(closes));
    assert!(server.say(&whole).starts_with("HTTP/1.1 200 OK"));
}

/// Thinks until it is told to stop, and counts its moves.
struct Slow(Arc<AtomicUsize>, Arc<AtomicBool>);

impl Player<Avalam> for Slow {
    fn choose(&mut self, position: &Avalam, dice: &mut Dice) -> Result<games::avalam::Move, PlayerFailure> {
        self.0.fetch_add(1, Ordering::Relaxed);
        let begun = std::time::Instant::now();
        while !self.1.load(Ordering::Relaxed) && begun.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(1));
        }
        Ok(position.random_move(dice, &mut Vec::new()).unwrap())
    }

    fn stop_by(&mut self, stop: Arc<AtomicBool>) {
        self.1 = stop;
    }
}

#[test]
fn nobody_thinks_for_a_caller_that_has_left() {
    let asked = Arc::new(AtomicUsize::new(0));
    let noted = Arc::clone(&asked);
    let make = move || -> Result<Box<dyn Player<Avalam>>, _> {
        Ok(Box::new(Slow(Arc::clone(&noted), Arc::default())))
    };
    let server = Running::new(Engine::new(Box::new(make), 1).unwrap());
    let mut call = start_call();
    call.params[3] = Value::Double(1e9);
    let bytes = request("localhost", "/RPC2", &call.text());
    let begun = std::time::Instant::now();
    let mut leaving: Vec<TcpStream> = (0..5).map(|_| server.connect()).collect();
    leaving.iter_mut().for_each(|stream| stream.write_all(&bytes).unwrap());
    while asked.load(Ordering::Relaxed) == 0 {
        thread::sleep(Duration::from_millis(1));
    }
    // Whoever waits for an answer has the player's time, and those that leave, before their turn or in it, none.
    thread::sleep(Duration::from_millis(300));
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    leaving.iter().for_each(|stream| stream.shutdown(Shutdown::Both).unwrap());
    assert!(server.say(&bytes).starts_with("HTTP/1.1 200 OK"));
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    assert_eq!(asked.load(Ordering::Relaxed), 6);
}

#[test]
fn what_a_server_says_does_nothing_to_a_terminal() {
    for head in ["HTTP/1.0 20\u{7f}0 OK", "HTTP/1.0 404 \u{85}\u{9b}31m", "HTTP/1.1 500\ta"] {
        let said = read_response(&mut Cursor::new(format!("{head}\r\n\r\n"))).unwrap_err().to_string();
        assert!(!said.contains(char::is_control), "{said:?}");
    }
}
