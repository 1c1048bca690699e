//! `evalforge duel`, `tournament` and `replay` as their users meet them: played, killed, gone on with, refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::common::{begin, evalforge, folder, program, words_to_go_on};

/// An empty place of a test's own.
fn place(name: &str) -> PathBuf {
    folder("arena", name)
}

fn json(arguments: &[&str]) -> Value {
    let (code, out, error) = evalforge(&[arguments, &["--json"]].concat());
    assert_eq!(code, 0, "{error}");
    serde_json::from_str(&out).unwrap()
}

/// Without what clocks and threads have to do with it.
fn timeless(mut value: Value) -> Value {
    let object = value.as_object_mut().unwrap();
    object.remove("seconds_per_move");
    object.remove("threads");
    for meeting in object.get_mut("meetings").and_then(Value::as_array_mut).into_iter().flatten() {
        meeting.as_object_mut().unwrap().remove("seconds_per_move");
    }
    value
}

#[test]
fn a_duel_tells_who_is_better() {
    let duel = ["duel", "othello", "greedy", "random", "--games", "60", "--seed", "3"];
    let (code, out, error) = evalforge(&duel);
    assert_eq!(code, 0, "{error}");
    for part in [
        "othello, 60 games after 6 random plies, seed 3",
        "greedy against random",
        "won ",
        "95 % [",
        "LOS ",
        "WL+DD ",
        "of 30",
        "black won ",
        "moves a game; a move takes greedy ",
    ] {
        assert!(out.contains(part), "no '{part}' in\n{out}");
    }
    let one = json(&[&duel[..], &["--threads", "1"]].concat());
    let count = |key: &str| one[key].as_u64().unwrap();
    assert_eq!((count("games"), count("wins") + count("draws") + count("losses")), (60, 60));
    let (elo, ci95) = (one["elo"].as_f64().unwrap(), &one["ci95"]);
    assert!(ci95[0].as_f64().unwrap() < elo && elo < ci95[1].as_f64().unwrap());
    assert_eq!(one["pentanomial"].as_array().unwrap().len(), 5);
    assert!(one["sprt"].is_null() && one["llr"].is_null());
    // Threads change nothing.
    assert_eq!(timeless(one), timeless(json(&[&duel[..], &["--threads", "3"]].concat())));
}

#[test]
fn what_is_not_finite_is_null() {
    // Avalam is full of captures: greed wins every game of a few.
    let all = json(&["duel", "avalam", "greedy", "random", "--games", "6"]);
    if all["score"] == 1.0 {
        assert!(all["elo"].is_null() && all["ci95"][1].is_null() && all["ci95"][0].is_number(), "{all}");
    }
    assert!(all["los"].as_f64().unwrap() > 0.9);
}

#[test]
fn a_test_stops_by_itself() {
    let test = ["duel", "avalam", "greedy", "random", "--sprt", "0,200", "--openings", "4"];
    let one = json(&[&test[..], &["--threads", "1"]].concat());
    assert_eq!((&one["sprt"]["decision"], &one["complete"]), (&"accept_h1".into(), &true.into()));
    let games = one["games"].as_u64().unwrap();
    assert!(games < 400 && one["distinct_openings"].as_u64().unwrap() <= games / 2, "{one}");
    assert_eq!(timeless(one), timeless(json(&[&test[..], &["--threads", "2"]].concat())));
    let (code, out, _) = evalforge(&[&test[..], &["--scale", "normalised"]].concat());
    assert!(code == 0 && out.contains("H1 is accepted: rather 200 than 0 Elo"), "{out}");
    // Who allows fewer wrong answers plays longer.
    let strict = json(&[&test[..], &["--alpha", "0.001", "--beta", "0.01"]].concat());
    assert_eq!((&strict["sprt"]["alpha"], &strict["sprt"]["beta"]), (&0.001.into(), &0.01.into()));
    assert!(strict["games"].as_u64().unwrap() > games, "{strict}");
    // Too few games for an answer.
    let (code, out, _) =
        evalforge(&["duel", "othello", "random", "random", "--sprt", "-5,5", "--games", "8"]);
    assert!(code == 0 && out.contains(": open"), "{out}");
    // In a tournament every two players have a test of their own.
    let players = ["duel", "avalam", "greedy", "random", "random"];
    let test = [&players[..], &["--sprt", "0,200", "--openings", "4", "--games", "80"]].concat();
    let all = json(&test);
    let meetings = all["meetings"].as_array().unwrap();
    assert_eq!((meetings.len(), &all["complete"]), (3, &true.into()), "{all}");
    for meeting in &meetings[..2] {
        assert_eq!(meeting["sprt"]["decision"], "accept_h1", "{meeting}");
        assert!(meeting["games"].as_u64().unwrap() < 80, "{meeting}");
    }
    let (code, out, _) = evalforge(&test);
    assert!(
        code == 0 && out.contains("  greedy against random: Elo 0 or 200, errors 5 % and 5 %: LLR "),
        "{out}"
    );
}

#[test]
fn a_tournament_has_a_table_and_a_list() {
    let place = place("tournament");
    let csv = place.join("games.csv");
    let players = ["duel", "othello", "greedy", "random", "random"];
    let (code, out, error) =
        evalforge(&[&players[..], &["--games", "10", "--csv", csv.to_str().unwrap()]].concat());
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("Elo") && out.contains("points of a row against a column"), "{out}");
    assert_eq!(fs::read_to_string(csv).unwrap().lines().count(), 31);
    let all = json(&[&players[..], &["--games", "10"]].concat());
    assert_eq!((all["ratings"].as_array().unwrap().len(), all["meetings"].as_array().unwrap().len()), (3, 3));
    let sum: f64 = all["ratings"].as_array().unwrap().iter().map(|line| line["elo"].as_f64().unwrap()).sum();
    assert!(sum.abs() < 1e-6, "{all}");
    let gauntlet = json(&[&players[..], &["--games", "4", "--gauntlet"]].concat());
    assert_eq!(gauntlet["meetings"].as_array().unwrap().len(), 2);
}

#[test]
fn saved_games_are_shown_again() {
    let place = place("replay");
    let (games, gif) = (place.join("games.txt"), place.join("game.gif"));
    let (games, gif) = (games.to_str().unwrap(), gif.to_str().unwrap());
    for game in ["othello", "pushover", "avalam"] {
        let (code, _, error) = evalforge(&[
            "duel",
            game,
            "greedy",
            "random",
            "--games",
            "4",
            "--openings",
            "3",
            "--save",
            games,
        ]);
        assert_eq!(code, 0, "{error}");
        let (code, out, error) = evalforge(&["review", games, "--game", "4"]);
        assert_eq!(code, 0, "{error}");
        assert!(out.starts_with("game 4 of 4: ") && out.contains("the opening\n"), "{out}");
        assert!(out.trim_end().ends_with(": the game is over"), "{out}");
        let (code, out, error) = evalforge(&["review", games, "--gif", gif]);
        assert!(code == 0 && out.contains(" moves, "), "{error}");
        assert!(fs::read(gif).unwrap().starts_with(b"GIF89a"));
    }
    let text = fs::read_to_string(games).unwrap();
    let wrong = place.join("wrong.txt");
    let wrong = wrong.to_str().unwrap();
    for (content, more, said) in [
        (text.as_str(), &["--game", "9"][..], "--game 9: '"),
        ("", &[], "holds 0 games"),
        ("hello", &[], "line 1: 'hello' is no beginning"),
        (&text.replace("game: avalam", "game: avalan"), &[], "did you mean 'avalam'"),
        (
            &text.replacen("moves: ", "moves: nowhere ", 1).replacen("times: ", "times: 1 ", 1),
            &[],
            "'nowhere'",
        ),
    ] {
        fs::write(wrong, content).unwrap();
        let (code, out, error) = evalforge(&[&["review", wrong], more].concat());
        assert!(code == 2 && out.is_empty() && error.lines().count() == 1, "{code} {error}");
        assert!(error.contains(said), "{error}");
    }
}

/// What the players thought is in the file, and a program that reads GGF finds it there too.
#[test]
fn saved_games_have_values_and_ggf_has_them_too() {
    let place = place("thoughts");
    let [text, ggf] = ["games.txt", "games.ggf"].map(|name| place.join(name).to_str().unwrap().to_string());
    let duel = ["duel", "othello", "alphabeta(depth=2)", "random", "--games", "2", "--seed", "4", "--save"];
    for path in [&text, &ggf] {
        let (code, _, error) = evalforge(&[&duel[..], &[path.as_str()]].concat());
        assert_eq!(code, 0, "{error}");
    }
    let text = fs::read_to_string(text).unwrap();
    let field = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key)).unwrap();
        line.split_whitespace().map(str::to_string).collect::<Vec<_>>()
    };
    let (moves, thoughts) = (field("moves:"), field("thoughts:"));
    assert!(moves.len() == thoughts.len() && thoughts[1] == "-", "{text}");
    let parts: Vec<&str> = thoughts[0].split('/').collect();
    assert!(parts[0].parse::<f64>().is_ok() && parts[1] == "2" && parts[2] != "0", "{text}");
    let ggf_text = fs::read_to_string(&ggf).unwrap();
    assert!(ggf_text.starts_with("(;GM[Othello]PB[alphabeta(depth=2)]PW[random]RE["), "{ggf_text}");
    let value: f64 = parts[0].parse().unwrap();
    let first = format!("B[{}/{value:.2}/", moves[0].to_uppercase());
    assert!(ggf_text.contains(&first), "{first} {ggf_text}");
    // It is read again where games of others are.
    let table = place.join("label.efd");
    let (code, _, error) = evalforge(&["label", "othello", "--data", &ggf, "--out", table.to_str().unwrap()]);
    assert_eq!(code, 0, "{error}");
}

#[test]
fn common_limits_are_as_if_written_in_every_text() {
    let place = place("limits");
    let (journal, games) = (place.join("journal.jsonl"), place.join("games.txt"));
    let [kept, saved] = [&journal, &games].map(|path| path.to_str().unwrap());
    let few = ["--games", "4", "--openings", "20"];
    let files = [&few[..], &["--save", saved, "--resume", kept]].concat();
    let common = json(&[&["duel", "avalam", "alphabeta", "mcts", "--nodes", "50"], &files[..]].concat());
    let texts = ["alphabeta(nodes=50)", "mcts(nodes=50)"];
    let mut given = json(&[&["duel", "avalam", texts[0], texts[1]], &few[..]].concat());
    assert_eq!(common["players"], Value::from(texts.to_vec()));
    assert_eq!(common["limits"].to_string(), r#"{"depth":null,"nodes":50,"time":null}"#);
    given["limits"] = common["limits"].clone();
    assert_eq!(timeless(given), timeless(common));
    // Files name what has played, so that nobody goes on with other limits.
    for text in texts {
        assert!(fs::read_to_string(&journal).unwrap().contains(text));
        assert!(fs::read_to_string(&games).unwrap().contains(text));
    }
    let (code, _, error) = evalforge(&[&["duel", "avalam", "alphabeta", "mcts"], &files[..]].concat());
    assert!(code == 2 && error.contains("it is of another list of players"), "{error}");

    let (code, out, error) =
        evalforge(&[&["duel", "avalam", "mcts", "random", "--time", "0.001"], &few[..]].concat());
    assert!(code == 0 && out.contains(", 0.001 s a move each, seed 1"), "{out}{error}");
    assert!(out.contains("\nmcts(time=0.001) against random\n"), "{out}");

    let players = ["alphabeta", "minimax", "random", "--depth", "1"];
    let all = json(&[&["duel", "avalam"], &players[..], &few].concat());
    assert_eq!((&all["limits"]["depth"], all["meetings"].as_array().unwrap().len()), (&1.into(), 3));
    let meeting = &all["meetings"][0];
    assert_eq!(
        (&meeting["first"], &meeting["second"]),
        (&"alphabeta(depth=1)".into(), &"minimax(depth=1)".into())
    );
    assert_eq!(all["meetings"][1]["second"], "random");
}

#[test]
fn a_game_time_goes_to_searches_without_a_limit_of_their_own() {
    let duel = |player: &str| {
        json(&["duel", "avalam", player, "random", "--game-time", "0.5", "--games", "2", "--openings", "20"])
    };
    for (player, text) in [
        ("alphabeta", "alphabeta(game-time=0.5)"),
        ("alphabeta(game-time=0.4)", "alphabeta(game-time=0.4)"),
        ("alphabeta(depth=1)", "alphabeta(depth=1)"),
    ] {
        let result = duel(player);
        assert_eq!(result["players"], Value::from(vec![text, "random"]));
        assert_eq!((&result["credit"], &result["limits"]["time"]), (&0.5.into(), &Value::Null));
    }
}

/// Waits until each of these files has so many lines, but not for ever.
fn wait_for(files: &[&Path], count: usize) -> bool {
    let has = |path: &&Path| fs::read_to_string(path).is_ok_and(|text| text.lines().count() >= count);
    (0..1200).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        files.iter().all(has)
    })
}

fn killed_and_resumed(name: &str, arguments: &[&str]) {
    let place = place(name);
    let whole = timeless(json(arguments));
    let path = place.join("journal.jsonl");
    let resumed = [arguments, &["--resume", path.to_str().unwrap()]].concat();
    // Waits of all lengths, none of them chosen by hand.
    let mut wait = 7u64;
    for _ in 0..12 {
        let mut child = begin(&resumed);
        wait = wait * 37 % 101;
        std::thread::sleep(Duration::from_millis(10 + wait));
        child.kill().unwrap();
        child.wait().unwrap();
        // Now and then the last line is torn as well.
        if wait.is_multiple_of(3)
            && let Ok(bytes) = fs::read(&path)
            && bytes.len() > 2000
        {
            fs::write(&path, &bytes[..bytes.len() - 7]).unwrap();
        }
    }
    assert_eq!(timeless(json(&resumed)), whole);
    let lines = fs::read_to_string(&path).unwrap().lines().count();
    assert_eq!(timeless(json(&resumed)), whole);
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), lines, "nothing was left to be played");
}

#[test]
fn killed_again_and_again_a_duel_ends_with_the_same_table() {
    killed_and_resumed("killed-duel", &["duel", "avalam", "greedy", "random", "--games", "8000"]);
}

#[test]
fn killed_again_and_again_a_tournament_ends_with_the_same_table() {
    let players = ["duel", "othello", "greedy", "random", "random", "--games", "2000"];
    killed_and_resumed("killed-tournament", &players);
}

#[test]
#[cfg(unix)]
fn ctrl_c_prints_the_result_so_far_and_how_to_go_on() {
    let place = place("interrupted");
    let mut command = program();
    // Slow enough not to be over, quick enough to have something to tell.
    let words = ["duel", "avalam", "alphabeta", "linear(score; -1)", "--games", "20000", "--threads", "2"];
    let limits = ["--depth", "2", "--game-time", "50", "--openings", "8", "--moves", "500"];
    let files = ["--csv", "a b.csv", "--save", "it's.txt", "--json"];
    command.args(words).args(limits).args(files);
    command.current_dir(&place).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    wait_for(&[&place.join("arena-1.jsonl"), &place.join("a b.csv")], 20);
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    let output = child.wait_with_output().unwrap();
    let (out, error) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(out.contains("\"verdict\": \"first\""), "{out}");
    // The players as given: with the limits in their texts, the same limits again would be refused.
    let given = [&words[..], &limits, &files, &["--resume", "arena-1.jsonl"]].concat();
    assert_eq!(words_to_go_on(&error), given);
    assert!(place.join("arena-1.jsonl").exists(), "{error}");
}

#[test]
fn without_a_name_pairs_are_kept_until_the_end_all_the_same() {
    let place = place("kept");
    let arguments = ["duel", "avalam", "greedy", "random", "--csv", "games.csv", "--games"];
    let mut command = program();
    command.args(arguments).arg("40000").current_dir(&place);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let is_kept = wait_for(&[&place.join("arena-1.jsonl"), &place.join("games.csv")], 10);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(is_kept, "nothing is kept");
    // What was kept is gone on from; a match that comes to its end leaves nothing of its own.
    let run = |more: &[&str]| program().args(arguments).args(more).current_dir(&place).output().unwrap();
    let files = || fs::read_dir(&place).unwrap().count();
    let before = files();
    let output = run(&["2"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert_eq!(files(), before);
    let output = run(&["2", "--resume", "arena-1.jsonl"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("it holds more than the 2 games"), "{output:?}");
    assert_eq!(files(), before);
}

#[test]
fn wrong_input_is_one_line() {
    let place = place("wrong");
    let file = |name: &str, text: &str| {
        fs::write(place.join(name), text).unwrap();
        place.join(name).to_str().unwrap().to_string()
    };
    let bad = file("bad.txt", "# one\nnonsense\n");
    let empty = file("empty.txt", "\n");
    let foreign = file("foreign.jsonl", "mine\n");
    let duel = |more: &[&str]| [&["duel", "othello", "greedy", "random"], more].concat().join(" ");
    for (arguments, said) in [
        (duel(&["--games", "0"]), "allowed: an even number from 2"),
        (duel(&["--games", "7"]), "allowed: an even number from 2"),
        (duel(&["--games", "x"]), "'x'"),
        (duel(&["--sprt", "5,0"]), "the lower one first"),
        (duel(&["--sprt", "5"]), "allowed: two numbers"),
        (duel(&["--sprt", "0,5", "--alpha", "0.5"]), "allowed: a number from 0.0001 to 0.49"),
        (duel(&["--beta", "0.1"]), "--sprt"),
        (duel(&["--scale", "bayes", "--sprt", "0,5"]), "logistic"),
        (duel(&["--openings", "200"]), "--openings = 200: a random game of othello is over before"),
        (duel(&["--openings", "-1"]), "allowed: a whole number from 0"),
        (duel(&["--openings", "2", "--positions", &bad]), "cannot be used with"),
        (duel(&["--positions", &bad]), "line 2: position 'nonsense'"),
        (duel(&["--positions", &empty]), "it holds no position"),
        (duel(&["--positions", "no/such/file"]), "no/such/file"),
        (duel(&["--resume", &foreign]), "not a journal of an arena"),
        (duel(&["--save", "no/such/file"]), "--save 'no/such/file'"),
        (duel(&["--csv", "no/such/file"]), "--csv 'no/such/file'"),
        (duel(&["--threads", "0"]), "allowed: a whole number from 1"),
        ("duel othello greedy randm".into(), "unknown player 'randm' (did you mean 'random'?)"),
        ("duel othelo greedy random".into(), "did you mean 'othello'?"),
        ("duel tetris dn random".into(), "game 'tetris' is for one player; allowed: othello"),
        ("duel tetris dn random random".into(), "game 'tetris' is for one player"),
        ("duel othello greedy".into(), "players: 1 given; allowed: two or more"),
        ("duel othello".into(), "players: 0 given"),
        ("duel othello greedy gready".into(), "did you mean 'greedy'"),
        ("duel pushover greedy random --size 9".into(), "size"),
        ("review no/such/file".into(), "no/such/file"),
    ] {
        let words: Vec<&str> = arguments.split(' ').collect();
        let (code, out, error) = evalforge(&words);
        assert!(code == 2 && out.is_empty() && error.lines().count() == 1, "{arguments}: {code} {error}");
        assert!(error.contains(said), "{arguments}: {error}");
    }
    assert_eq!(fs::read_to_string(Path::new(&foreign)).unwrap(), "mine\n");
}

#[test]
fn the_margin_is_the_mean_lead_of_the_first_player() {
    let folder = folder("arena", "margin");
    let csv = folder.join("games.csv");
    let (code, stdout, stderr) = evalforge(&[
        "duel",
        "othello",
        "greedy",
        "random",
        "--games",
        "6",
        "--json",
        "--csv",
        csv.to_str().unwrap(),
    ]);
    assert_eq!(code, 0, "{stderr}");
    let result: Value = serde_json::from_str(&stdout).unwrap();
    let table = fs::read_to_string(&csv).unwrap();
    let mut leads = Vec::new();
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let scores: Vec<f64> = cells[8..10].iter().map(|cell| cell.parse().unwrap()).collect();
        assert_eq!(scores[0], -scores[1], "{line}");
        leads.push(scores[usize::from(!cells[2].contains("greedy"))]);
    }
    let mean = leads.iter().sum::<f64>() / 6.0;
    assert!(leads.len() == 6 && mean != 0.0 && mean.abs() <= 64.0, "{leads:?}");
    assert!((result["margin"]["mean"].as_f64().unwrap() - mean).abs() < 1e-9, "{leads:?} {stdout}");
}
