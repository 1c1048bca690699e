//! A server as a player: whole games, and every way in which a server can fail.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use games::avalam::Avalam;
use games::othello::Othello;
use games::pushover::Pushover;
use games::rules::Fixed;
use games::{Dice, Game};
use measure::arena::{
    ArenaError, DuelProgress, DuelSetup, Openings, Reason, Results, Schedule, open_journal, run,
};
use play::players::{Player, PlayerFailure, Trouble, player};
use play::protocol::avalam::Engine;
use play::protocol::server::Server;

/// Pairs of games between two players.
fn setup(first: &str, second: &str, pairs: usize) -> DuelSetup<Avalam> {
    DuelSetup::<Avalam> {
        rules: Fixed,
        players: vec![first.into(), second.into()],
        schedule: Schedule::RoundRobin,
        openings: Openings::random(&Fixed, 4, 4, 7).unwrap(),
        pairs,
        seed: 7,
        most_moves: 1000,
        sprt: None,
        game_time: None,
        increment: 0.0,
        time_margin: 0.0,
        adjudication: Default::default(),
    }
}

fn duel(first: &str, second: &str, pairs: usize) -> Result<Results, ArenaError> {
    let setup = setup(first, second, pairs);
    let mut results = Results::new(&setup);
    let maker = |number: usize| player::<Avalam>(&Fixed, &setup.players[number]);
    run(&setup, &maker, 1, &mut results, None, &mut |_, _| ControlFlow::Continue(()))?;
    Ok(results)
}

/// The port of a server that sends this to whoever calls, after a while.
fn answers(answer: &str, after: Duration) -> u16 {
    let body = format!("<methodResponse><params><param>{answer}</param></params></methodResponse>");
    let whole = format!("HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            let _ = stream.read(&mut [0; 10_000]);
            thread::sleep(after);
            let _ = stream.write_all(whole.as_bytes());
        }
    });
    port
}

#[test]
fn a_served_player_plays_whole_games() {
    let make = || player::<Avalam>(&Fixed, "linear(score; 1)");
    let engine = Engine::new(Box::new(make), 1).unwrap();
    let server = Server::bind("127.0.0.1", 0).unwrap();
    let port = server.address().unwrap().port();
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let serving = thread::spawn(move || server.serve(engine, &|| flag.load(Ordering::Relaxed)));
    let served =
        duel(&format!("external(xmlrpc=\"http://127.0.0.1:{port}\", game-time=60)"), "random", 2).unwrap();
    for pair in served.counted() {
        assert!(pair.games.iter().all(|game| game.reason == Reason::End), "{pair:?}");
    }
    assert_eq!(served.counted().len(), 2);
    stop.store(true, Ordering::Relaxed);
    serving.join().unwrap().unwrap();
}

#[test]
fn a_server_that_fails_loses_and_the_match_goes_on() {
    let move_of = |numbers: [i32; 4]| {
        let values: String =
            numbers.iter().map(|number| format!("<value><int>{number}</int></value>")).collect();
        format!("<value><array><data>{values}</data></array></value>")
    };
    let now = Duration::ZERO;
    for (answer, after, part) in [
        (move_of([4, 0, 8, 6]), now, "illegal move 40-86"),
        (move_of([0, 2, 0, 3]), Duration::from_millis(600), "no answer within 0.2 s"),
    ] {
        let port = answers(&answer, after);
        let text = format!("external(xmlrpc=http://localhost:{port}/RPC2, seconds=0.2)");
        for pair in duel("random", &text, 2).unwrap().counted() {
            for game in &pair.games {
                let reason = game.reason.to_string();
                assert!(game.reason.is_forfeit() && reason.contains(part), "{part}: {reason}");
            }
        }
    }
    // Nobody wins against somebody who is not understood.
    for (answer, part) in [
        (move_of([4, 4, -1, 1000]), "no cell in row 4, column 4"),
        ("<value>later</value>".into(), "array of four ints"),
        ("<value><array><data/></array></value>".into(), "array of four ints"),
        ("<oops>".into(), "<value> expected"),
        ("<value>\u{9b}2J</value></param></params><x>\u{9b}2J".into(), "</methodResponse> expected"),
    ] {
        let port = answers(&answer, now);
        let text = format!("external(xmlrpc=http://localhost:{port}/RPC2)");
        for (pairs, games) in [(4, "3 games in a row"), (1, "2 games in a row")] {
            let error = duel("random", &text, pairs).unwrap_err().to_string();
            assert!(
                error.contains(part) && error.contains(games) && error.contains(&text),
                "{part}: {error}"
            );
            assert!(!error.contains(char::is_control), "{error:?}");
        }
    }
}

/// Answers like a random player, but says nonsense in some of its games.
struct Mumbling {
    games: Vec<bool>,
    game: usize,
}

impl Player<Avalam> for Mumbling {
    fn choose(&mut self, position: &Avalam, dice: &mut Dice) -> Result<games::avalam::Move, PlayerFailure> {
        match self.games[(self.game - 1) % self.games.len()] {
            true => Ok(position.random_move(dice, &mut Vec::new()).unwrap()),
            false => Err(PlayerFailure { who: "it".into(), why: Trouble::Misunderstood("hm\x1b[2J".into()) }),
        }
    }

    fn new_game(&mut self) {
        self.game += 1;
    }
}

#[test]
fn a_slip_is_a_loss_and_what_follows_from_nonsense_is_not_kept() {
    let path = std::env::temp_dir().join(format!("evalforge-mumbling-{}.jsonl", std::process::id()));
    let setup = setup("mumbling", "random", 4);
    let play = |games: &[bool]| {
        let _ = std::fs::remove_file(&path);
        let (mut journal, mut results) = open_journal(&path, &setup).unwrap();
        let games = games.to_vec();
        let maker = |number: usize| -> Result<Box<dyn Player<Avalam>>, _> {
            match number {
                0 => Ok(Box::new(Mumbling { games: games.clone(), game: 0 })),
                _ => player::<Avalam>(&Fixed, "random"),
            }
        };
        let watch = &mut |_: &DuelProgress, _: &Results| ControlFlow::Continue(());
        let ended = run(&setup, &maker, 1, &mut results, Some(&mut journal), watch);
        drop(journal);
        let (_, kept) = open_journal(&path, &setup).unwrap();
        let kept: usize = kept.all().count();
        std::fs::remove_file(&path).unwrap();
        (ended.map_err(|error| error.to_string()), kept, results)
    };
    // A player that fails is made anew for its next game: the first of its games is what counts.
    let (ended, kept, results) = play(&[true, false, true]);
    assert_eq!((ended, kept), (Ok(()), 4));
    let forfeits = results.counted().flat_map(|pair| &pair.games).filter(|game| game.reason.is_forfeit());
    let said: Vec<String> = forfeits.map(|game| game.reason.to_string()).collect();
    assert!(said.len() > 1 && said.iter().all(|said| said == "hm\\u{1b}[2J"), "{said:?}");
    let (ended, kept, _) = play(&[false]);
    assert_eq!(kept, 0);
    assert_eq!(
        ended.unwrap_err(),
        "player 'mumbling' is not understood, 3 games in a row: hm\\u{1b}[2J; the match is given up"
    );
}

#[test]
fn game_time_runs_out() {
    let port = answers("<value><nil/></value>", Duration::from_millis(100));
    let mut player =
        player::<Avalam>(&Fixed, &format!("external(xmlrpc=http://127.0.0.1:{port}, game-time=5)")).unwrap();
    player.new_game();
    player.game_time(Some(0.01));
    let failure = player.choose(&Avalam::start(&Fixed), &mut Dice::seeded(&[1])).unwrap_err();
    let message = failure.to_string();
    assert!(message.contains("no answer within 0.01 s"), "{message}");
}

/// Agents divide by the time they are told: nobody is told none.
#[test]
fn without_a_game_time_a_usual_one_is_told() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let heard = thread::spawn(move || {
        // The first connection only looks whether somebody is there; the second asks.
        drop(listener.accept().unwrap());
        let (mut stream, _) = listener.accept().unwrap();
        let mut text = String::new();
        while !text.contains("</methodCall>") {
            let mut bytes = [0; 10_000];
            let count = stream.read(&mut bytes).unwrap();
            assert!(count > 0, "{text}");
            text.push_str(std::str::from_utf8(&bytes[..count]).unwrap());
        }
        text
    });
    let text = format!("external(xmlrpc=http://127.0.0.1:{port}, seconds=20)");
    let mut player = player::<Avalam>(&Fixed, &text).unwrap();
    player.new_game();
    player.choose(&Avalam::start(&Fixed), &mut Dice::seeded(&[1])).unwrap_err();
    let heard = heard.join().unwrap();
    assert!(heard.contains("<double>900</double>") && !heard.contains("nil"), "{heard}");
}

#[test]
fn what_is_no_server_is_refused_at_once() {
    let reason = |text: &str| player::<Avalam>(&Fixed, text).err().unwrap().to_string();
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert!(reason(&format!("external(xmlrpc=\"http://{free}\")")).contains("no server at http://127.0.0.1"));
    for (text, part) in [
        ("external()", "no address"),
        ("external", "no address"),
        ("external(http://a:1)", "unknown option 'http'"),
        ("external(xmlrpc=http://a:1, xmlrpc=http://b:1)", "two addresses"),
        ("external(xmlrpc=http://a:1/(, seconds=1)", "bracket"),
        ("external(xmlrpc=\"http://127.0.0.1:1/(\", credit=3)", "no server at http://127.0.0.1:1/("),
        ("external(seconds=5)", "no address"),
        ("external(xmlrpc=\"https://a:1\")", "no address"),
        ("external(xmlrpc=\"http://a b:1\")", "no address"),
        ("external(xmlrpc=http://a:1, seconds=0)", "0.01 to 86400"),
        ("external(xmlrpc=http://a:1, game-time=nan)", "0.01 to 86400"),
        ("external(port=1)", "unknown option 'port'"),
        ("external(xmlrpc=http://)", "no server at"),
    ] {
        assert!(reason(text).contains(part), "{text}: {}", reason(text));
    }
    let othello = player::<Othello>(&Default::default(), "external(xmlrpc=http://127.0.0.1:1)");
    let said = othello.err().unwrap().to_string();
    assert!(said.contains("xmlrpc") && said.contains("gtp"), "{said}");
    let other = player::<Pushover>(&Default::default(), "external(xmlrpc=http://127.0.0.1:1)");
    assert!(other.err().unwrap().to_string().contains("unknown player"));
}
