//! `evalforge engine` as a referee meets it: a process of its own, whole games over the network, requests of any kind.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use games::avalam::Avalam;
use games::rules::Fixed;
use games::{Dice, Game, Turn};
use play::players::player;
use play::playout::{GameDice, play_observed};
use serde_json::Value;

use crate::common::{evalforge, folder, program};

/// An engine in a process of its own, which ends with the test.
struct Engine {
    process: Child,
    url: String,
}

impl Engine {
    fn start(player: &str) -> Self {
        let mut command = program();
        command.args(["engine", "avalam", "--protocol", "xml-rpc", "-b", "127.0.0.1", "-p", "0"]);
        let mut process = command.args(["--player", player]).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.trim_end().split_once(" at ").expect(&line).1.to_string();
        assert!(line.starts_with(&format!("{player} plays avalam at http://127.0.0.1:")), "{line}");
        Self { process, url }
    }

    fn address(&self) -> &str {
        self.url.trim_start_matches("http://").trim_end_matches("/RPC2")
    }

    /// Sends bytes and reads all that comes back.
    fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(bytes).unwrap();
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn post(&self, body: &str) -> String {
        let head = format!(
            "POST /RPC2 HTTP/1.1\r\nHost: x\r\nContent-Type: text/xml\r\nContent-Length: {}\r\n",
            body.len()
        );
        self.raw(format!("{head}Connection: close\r\n\r\n{body}").as_bytes())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn whole_games_over_the_network_one_after_another() {
    let engine = Engine::start("best-move");
    let start = Avalam::start(&Fixed);
    for number in 0..2 {
        let mut players = [
            player::<Avalam>(&Fixed, &format!("external(xmlrpc=\"{}\")", engine.url)).unwrap(),
            player(&Fixed, "random").unwrap(),
        ];
        players.swap(0, number);
        let mut before = start;
        let mut legal = |_, mv, _: &Avalam| {
            before.play(mv).unwrap();
            ControlFlow::Continue(())
        };
        let mut dice = GameDice::new(3, number as u64);
        let record = play_observed(&start, &mut players, &mut dice, 100, &mut legal).unwrap();
        assert_eq!(record.end.turn(), Turn::Over);
        let own = games::Side::BOTH[number];
        assert!(record.end.score(own) > 0.0, "{}", record.end.text());
    }
}

#[test]
fn the_arena_tells_a_server_how_much_time_is_left() {
    // By its own game time it would think for minutes over the first move.
    let engine = Engine::start("alphabeta(game-time=900)");
    let external = format!("external(xmlrpc=\"{}\", game-time=900)", engine.url);
    let begun = Instant::now();
    let arguments = ["duel", "avalam", &external, "random", "--games", "2", "--openings", "12"];
    let (code, out, error) =
        evalforge(&[&arguments[..], &["--game-time", "2", "--json", "--threads", "1"]].concat());
    assert_eq!(code, 0, "{error}");
    let result: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&result["wins"], &result["credit"]), (&2.into(), &2.0.into()), "{out}");
    assert!(begun.elapsed() < Duration::from_secs(30));
}

#[test]
fn bad_requests_are_answered_by_a_fault_and_change_nothing() {
    let engine = Engine::start("random");
    let call = |method: &str, params: &str| {
        format!(
            "<?xml version='1.0'?><methodCall><methodName>{method}</methodName><params>{params}</params></methodCall>"
        )
    };
    let int = |value: i32| format!("<param><value><int>{value}</int></value></param>");
    let nil = "<param><value><nil/></value></param>";
    let percepts = |cells: &str| {
        let row = format!("<value><array><data>{}</data></array></value>", cells.repeat(9));
        let member = |name: &str, value: &str| format!("<member><name>{name}</name>{value}</member>");
        let number = |n: i32| format!("<value><int>{n}</int></value>");
        let matrix = member("m", &format!("<value><array><data>{}</data></array></value>", row.repeat(9)));
        let sizes = ["rows", "columns"].map(|name| member(name, &number(9))).concat();
        let all = format!("{matrix}{sizes}{}", member("max_height", &number(5)));
        format!("<param><value><struct>{all}</struct></value></param>")
    };
    let zero = "<value><int>0</int></value>";
    let bodies = [
        String::new(),
        "hello".to_string(),
        "<methodCall><methodName>play</methodName>".to_string(),
        "<methodCall>".repeat(2000),
        "<!DOCTYPE a [<!ENTITY b \"c\">]><methodCall/>".to_string(),
        call("stop", ""),
        call("play", ""),
        call("play", &int(1).repeat(4)),
        call("play", &[percepts("<value><int>77</int></value>"), int(1), int(1), nil.into()].concat()),
        call("play", &[percepts("<value><string>x</string></value>"), int(1), int(1), nil.into()].concat()),
        // Nothing is left to be moved.
        call("play", &[percepts(zero), int(1), int(40), nil.into()].concat()),
        call("play", &[percepts(zero), int(7), int(1), nil.into()].concat()),
    ];
    for body in &bodies {
        let answer = engine.post(body);
        let shown: String = body.chars().take(80).collect();
        assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("<fault>"), "{shown}: {answer}");
    }
    for (bytes, said) in [
        (&b"GET /RPC2 HTTP/1.1\r\nHost: x\r\n\r\n"[..], "HTTP/1.1 405"),
        (b"POST /elsewhere HTTP/1.1\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 404"),
        (b"POST /RPC2 HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", "HTTP/1.1 4"),
        (b"\x00\x01\x02\r\n\r\n", "HTTP/1.1 400"),
    ] {
        let answer = engine.raw(bytes);
        assert!(answer.starts_with(said), "{said}: {answer}");
    }
    // And it still plays.
    let mut external = player::<Avalam>(&Fixed, &format!("external(xmlrpc=\"{}\")", engine.url)).unwrap();
    let start = Avalam::start(&Fixed);
    assert!(start.is_legal(external.choose(&start, &mut Dice::seeded(&[1])).unwrap()));
}

#[test]
#[cfg(unix)]
fn ctrl_c_is_how_it_ends() {
    let mut engine = Engine::start("random");
    let pid = engine.process.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let begun = Instant::now();
    let status = loop {
        match engine.process.try_wait().unwrap() {
            Some(status) => break status,
            None if begun.elapsed() > Duration::from_secs(20) => panic!("it goes on"),
            None => thread::sleep(Duration::from_millis(20)),
        }
    };
    assert_eq!(status.code(), Some(0));
}

#[test]
fn nobody_wins_against_a_server_that_talks_nonsense() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            let _ = stream.read(&mut [0; 10_000]);
            let _ = stream.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 22\r\n\r\n<methodResponse><param");
        }
    });
    let external = format!("external(xmlrpc=\"{url}\", seconds=5)");
    let place = folder("engine", "nonsense");
    for games in ["2", "4", "400"] {
        let mut duel = program();
        duel.args(["duel", "avalam", &external, "random", "--games", games]).current_dir(&place);
        let output = duel.output().unwrap();
        let (out, error) = (output.stdout, String::from_utf8(output.stderr).unwrap());
        assert!(output.status.code() == Some(1) && out.is_empty() && error.lines().count() == 1, "{error}");
        assert!(error.contains(&url) && error.contains("in '<methodResponse><param'"), "{error}");
    }
    assert_eq!(fs::read_dir(place).unwrap().count(), 0, "nothing is left to go on from");
}

#[test]
fn wrong_input_is_one_line() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    for (arguments, said) in [
        ("avalam --player random --protocol jsonrpc", "unknown protocol 'jsonrpc'"),
        ("avalam --player alfabeta", "did you mean 'alphabeta'?"),
        ("avalam --player alphabeta(time=-1)", "time cannot be '-1'"),
        ("avalam --player random -p 70000", "allowed: a whole number from 0 to 65535"),
        ("avalam --player random -b 203.0.113.77 -p 0", "cannot listen at 203.0.113.77"),
        ("tetris --player random", "game 'tetris' cannot be served"),
        ("avalam --player random -p TAKEN", "cannot listen at 127.0.0.1, port"),
    ] {
        let words = arguments.split(' ').map(|word| if word == "TAKEN" { port.as_str() } else { word });
        let words: Vec<&str> = ["engine"].into_iter().chain(words).collect();
        let (code, out, error) = evalforge(&words);
        assert!(code == 2 && out.is_empty() && error.lines().count() == 1, "{arguments}: {code} {error}");
        assert!(error.contains(said), "{arguments}: {error}");
    }
}
