use std::io::Cursor;
use std::time::Instant;

use games::othello::ggf::Ggf;
use games::othello::{Move, Othello};
use games::rules::Fixed;
use games::{Dice, Game, Side, Turn};

use super::nboard::Nboard;
use crate::protocol::gtp::Gtp;
use crate::protocol::pipe::{read_line, serve_gtp, serve_nboard};
use crate::protocol::thinker::Thinker;
use crate::search::Limits;
use crate::search::limits::Budget;
use crate::solve::othello::Solver;

fn mind() -> Thinker<Othello> {
    Thinker::new(&Fixed, "alphabeta(depth=2)", 1).unwrap()
}

fn gtp(lines: &[&str]) -> Vec<String> {
    let mut engine = Gtp::<Othello>::new(&Fixed, mind());
    lines.iter().map(|line| engine.answer(line).unwrap_or_default()).collect()
}

fn nboard(lines: &[&str]) -> Vec<String> {
    let (mut engine, mut said) = (Nboard::new(mind()), Vec::new());
    lines.iter().for_each(|line| engine.obey(line, &mut |text| said.push(text.to_string())));
    said
}

#[test]
fn gtp_answers_as_the_protocol_says() {
    let said = gtp(&[
        "protocol_version",
        "7 name",
        "known_command genmove",
        "12 known_command foo",
        "  ",
        "# no",
        "set_game Othello",
    ]);
    assert_eq!(said, ["= 2\n\n", "=7 evalforge\n\n", "= true\n\n", "=12 false\n\n", "", "", "=\n\n"]);
    let said = gtp(&[
        "boardsize 8",
        "clear_board",
        "komi 0",
        "play black f5",
        "play w d6 # why not",
        "undo",
        "showboard",
    ]);
    assert!(said[..6].iter().all(|answer| answer == "=\n\n"), "{said:?}");
    assert!(
        said[6].contains("Next move: White\n    a b c d e f g h\n")
            && said[6].contains("  5 . . . X X X . .")
    );
    let said = gtp(&["list_commands", "list_games", "final_score", "gogui-rules_legal_moves"]);
    assert!(said[0].contains("\ntime_left\n"));
    assert_eq!(said[1..], ["= Othello\n\n", "= 0\n\n", "= D3 C4 F5 E6\n\n"]);
}

#[test]
fn gtp_names_faults_and_stays_at_the_board() {
    let faults = [
        ("foo", "unknown command"),
        ("3", "unknown command"),
        ("set_game Go", "game not supported"),
        ("boardsize 10", "unacceptable size"),
        ("boardsize x", "syntax error"),
        ("play black", "syntax error"),
        ("play red f5", "syntax error: a colour"),
        ("play black z9", "syntax error: a move"),
        ("play black a1", "illegal move"),
        ("play black pass", "illegal move"),
        ("play white d3", "illegal move: it is the other colour's turn"),
        ("genmove white", "illegal move: it is the other colour's turn"),
        ("genmove", "syntax error"),
        ("undo", "cannot undo"),
        ("time_settings 1 2", "syntax error"),
        ("time_settings nan 0 0", "syntax error"),
        ("time_left black -5 0", "syntax error"),
        ("time_left black 5 x", "syntax error"),
        ("play \u{0} \u{7f} \u{1f600}", "syntax error"),
    ];
    let mut engine = Gtp::<Othello>::new(&Fixed, mind());
    for (line, said) in faults {
        let answer = engine.answer(line).unwrap();
        assert!(
            answer.starts_with('?') && answer.contains(said) && answer.ends_with("\n\n"),
            "{line}: {answer}"
        );
    }
    assert_eq!(engine.answer("play black d3").unwrap(), "=\n\n");
    assert_eq!(engine.answer("quit").unwrap(), "=\n\n");
    assert!(engine.is_over);
}

#[test]
fn whole_games_by_gtp_are_legal_and_undo_takes_them_back() {
    let mut engine = Gtp::<Othello>::new(&Fixed, mind());
    let mut position = Othello::start(&Fixed);
    let mut made = 0;
    while let Turn::Player(side) = position.turn() {
        let colour = if side == Side::First { "b" } else { "WHITE" };
        let answer = engine.answer(&format!("genmove {colour}")).unwrap();
        let mv = position.parse_move(answer.trim_start_matches("= ").trim()).expect(&answer);
        position.play(mv).unwrap();
        made += 1;
    }
    assert!(engine.answer("genmove b").unwrap().starts_with("? illegal move: the game is over"));
    let score = position.score(Side::First);
    let said = engine.answer("final_score").unwrap();
    assert_eq!(said.starts_with("= B+"), score > 0.0, "{said} {score}");
    for _ in 0..made {
        assert_eq!(engine.answer("undo").unwrap(), "=\n\n");
    }
    assert_eq!(engine.answer("undo").unwrap(), "? cannot undo\n\n");
    assert!(engine.answer("showboard").unwrap().contains("  4 . . . O X . . ."));
}

#[test]
fn a_pass_may_be_said_or_left_out() {
    // Of some random games one has a pass before its end.
    let (mut dice, mut moves) = (Dice::seeded(&[3]), Vec::new());
    let line = (0..200).find_map(|_| {
        let (mut position, mut line) = (Othello::start(&Fixed), Vec::new());
        while let Some(mv) = position.random_move(&mut dice, &mut moves) {
            line.push((position.side(), mv));
            position.play_unchecked(mv);
        }
        let pass = line.iter().position(|&(_, mv)| mv == Move::PASS)?;
        line.truncate(pass + 2);
        Some(line)
    });
    let line = line.unwrap();
    for leave_out in [false, true] {
        let mut engine = Gtp::<Othello>::new(&Fixed, mind());
        for &(side, mv) in line.iter().filter(|(_, mv)| !leave_out || *mv != Move::PASS) {
            let text = Othello::start(&Fixed).move_text(mv);
            let command = format!("play {} {text}", if side == Side::First { "b" } else { "w" });
            assert_eq!(engine.answer(&command).unwrap(), "=\n\n", "{command}");
        }
    }
}

#[test]
fn gtp_keeps_to_its_time() {
    let mut engine =
        Gtp::<Othello>::new(&Fixed, Thinker::<Othello>::new(&Fixed, "alphabeta(time=60)", 1).unwrap());
    for (settings, most) in
        [("time_settings 4 0 0", 1.0), ("time_settings 0 2 10", 0.5), ("time_settings 0 1 5", 0.5)]
    {
        engine.answer("clear_board");
        assert_eq!(engine.answer(settings).unwrap(), "=\n\n");
        let begun = Instant::now();
        assert!(engine.answer("genmove black").unwrap().starts_with("= "));
        assert!(begun.elapsed().as_secs_f64() < most + 0.3, "{settings}");
    }
    engine.answer("time_left white 0 0");
    let begun = Instant::now();
    assert!(engine.answer("genmove white").unwrap().starts_with("= "));
    assert!(begun.elapsed().as_secs_f64() < 0.5, "there is no time left");
}

#[test]
fn nboard_answers_as_the_protocol_says() {
    let game = "(;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[F5//1.0]W[D6];)";
    let set = format!("set game {game}");
    let said = nboard(&[
        "nboard 2",
        "set depth 3",
        "set contempt 0",
        &set,
        "what is this",
        "",
        "ping 4",
        "go",
        "ping 5",
    ]);
    assert_eq!(said[..2], ["set myname evalforge", "pong 4"]);
    let position = Ggf::parse(game).unwrap().end();
    let answer = said.iter().find_map(|line| line.strip_prefix("=== ")).unwrap();
    position.check(position.parse_move(answer.split('/').next().unwrap()).unwrap()).unwrap();
    assert_eq!(answer.split('/').count(), 3);
    assert!(said.iter().any(|line| line.starts_with("nodestats ")));
    assert_eq!(said.last().unwrap(), "pong 5");

    // Nothing has changed the board but moves.
    let said = nboard(&[&set, "go", "move C3/0.5/2", "hint 3", "learn", "quit"]);
    let lines: Vec<&String> = said.iter().filter(|line| line.starts_with("search ")).collect();
    assert_eq!(lines.len(), 3);
    let values: Vec<f64> =
        lines.iter().map(|line| line.split(' ').nth(2).unwrap().parse().unwrap()).collect();
    assert!(values[1] >= values[2] && lines[0].split(' ').count() == 5, "{lines:?}");
    assert_eq!(said.last().unwrap(), "learned");
}

#[test]
fn nboard_ignores_what_it_does_not_understand_and_says_what_is_wrong() {
    let said = nboard(&[
        "set",
        "set depth x",
        "set game (;GM[Go];)",
        "set game",
        "move z9",
        "move a1/1/1",
        "move",
        "hint x",
        "ping",
    ]);
    for part in
        ["set depth", "a game of 'Go'", "there is no game", "move 'z9'", "illegal move a1", "search ", "pong"]
    {
        assert!(said.iter().any(|line| line.contains(part)), "{part}: {said:?}");
    }
    assert_eq!(nboard(&["ping 3\u{1a}\t4\u{1b}[2J"]), ["pong 3 4[2J"]);
    for depth in ["", "0", "-3", "abc", "99999999999999999999"] {
        let said = nboard(&[&format!("set depth {depth}")]);
        assert_eq!(said, ["status set depth: a whole number from 1 on is expected"], "{depth}");
    }
    let over = format!("set game (;GM[Othello]BO[8 {} *];)", "*".repeat(64));
    assert_eq!(nboard(&[&over, "go", "hint 2"]), ["status the game is over"; 2]);
    let pass = format!("set game (;GM[Othello]BO[8 O******-{} *];)", "*".repeat(56));
    assert!(nboard(&[&pass, "go"]).iter().any(|line| line.starts_with("=== PA/")));
}

#[test]
fn thinking_ends_before_pong() {
    // To this depth it would think for hours.
    let mind = Thinker::<Othello>::new(&Fixed, "alphabeta(depth=60)", 1).unwrap();
    let (begun, mut out) = (Instant::now(), Vec::new());
    serve_nboard(
        mind,
        Box::new(Cursor::new("nboard 2\nset depth 40\nhint 1\nping 1\ngo\nping 2\n")),
        &mut out,
    )
    .unwrap();
    let out = String::from_utf8(out).unwrap();
    let places = ["search ", "pong 1", "=== ", "pong 2"].map(|part| out.find(part).expect(part));
    assert!(places.is_sorted(), "{out}");
    assert!(begun.elapsed().as_secs_f64() < 10.0);
}

#[test]
fn any_bytes_are_lines() {
    let mut bytes = b"\xff\xfe genmove\r\nname\n".to_vec();
    bytes.extend(std::iter::repeat_n(b'x', 1 << 18));
    bytes.extend(b"\nversion\nquit\nname\n");
    let mut out = Vec::new();
    serve_gtp(&Fixed, mind(), &mut Cursor::new(&bytes), &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert_eq!(
        out,
        format!(
            "? unknown command\n\n= evalforge\n\n? unknown command\n\n= {}\n\n=\n\n",
            env!("CARGO_PKG_VERSION")
        )
    );
    let mut lines = Cursor::new("a\r\nb");
    assert_eq!(read_line(&mut lines).unwrap().as_deref(), Some("a"));
    assert_eq!(read_line(&mut lines).unwrap().as_deref(), Some("b"));
    assert_eq!(read_line(&mut lines).unwrap(), None);
}

#[test]
fn a_depth_to_the_end_is_exact() {
    let position = crate::solve::othello::tests::late(&mut Dice::seeded(&[51]), 12);
    let exact = Solver::new(1).solve(&position, &mut Budget::new(None, None), &mut 0).unwrap();
    let thought = mind().think(&position, &Limits::depth(12));
    assert_eq!((thought.value, thought.depth), (Some(f64::from(exact.score)), 12));
    let shallow = mind().think(&position, &Limits::depth(1));
    assert_eq!(shallow.depth, 1);
    // A player that does not search tells no value, but answers.
    assert_eq!(
        Thinker::<Othello>::new(&Fixed, "random", 1).unwrap().think(&position, &Limits::default()).value,
        None
    );
    assert!(Thinker::<Othello>::new(&Fixed, "no-such", 1).is_err());
}

/// A program that answers with blanks, as version 1 of the protocol does, and what is said of one that answers otherwise.
#[cfg(unix)]
#[test]
fn programs_of_nboard_answer_in_either_version() {
    use crate::players::{Player, Trouble, player};
    let ask = |answer: &str| {
        let name = format!("evalforge-nboard-{}-{}", std::process::id(), answer.len());
        let path = std::env::temp_dir().join(name);
        let script = "while read word rest; do case $word in ping) echo pong $rest;; go) echo '=== ANSWER';; esac; done";
        std::fs::write(&path, script.replace("ANSWER", answer)).unwrap();
        let text = format!("external(nboard=\"sh {}\", seconds=20)", path.display());
        let mut player: Box<dyn Player<Othello>> = player(&Fixed, &text).unwrap();
        let position = Othello::start(&Fixed);
        let answer = player.choose(&position, &mut Dice::seeded(&[1])).map(|mv| position.move_text(mv));
        std::fs::remove_file(path).unwrap();
        answer.map_err(|failure| failure.why)
    };
    for answer in ["d3 -27.00 0.0", "D3/-27.00/0.01", "d3", "D3 "] {
        assert_eq!(ask(answer), Ok("d3".to_string()), "{answer}");
    }
    assert!(matches!(ask("a1 +1.00 0.0"), Err(Trouble::Failed(why)) if why.contains("illegal move a1")));
    let unread = ask("zz9 \u{1b}[2J").unwrap_err();
    assert!(matches!(&unread, Trouble::Misunderstood(why) if why.contains("'zz9'")), "{unread}");
}
