//! Othello as other programs meet it: our engine at the end of a pipe, their engines as our players, problems from files.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::common::{evalforge, folder, program, refused};

const ENGINE: &str = env!("CARGO_BIN_EXE_evalforge");

/// What an engine says to these lines.
fn talk(protocol: &str, player: &str, lines: &str) -> String {
    let mut command = program();
    command.args(["engine", "othello", "--protocol", protocol, "--player", player]);
    let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    process.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

fn external(protocol: &str, player: &str, more: &str) -> String {
    format!(
        "external({protocol}=\"'{ENGINE}' engine othello --protocol {protocol} --player {player}\"{more})"
    )
}

#[test]
fn an_engine_speaks_both_protocols_over_pipes() {
    let said = talk("gtp", "best-move", "1 name\n2 play black f5\n3 genmove white\nnonsense\nquit\n");
    assert!(said.starts_with("=1 evalforge\n\n=2\n\n=3 "), "{said}");
    assert!(said.ends_with("\n\n? unknown command\n\n=\n\n"), "{said}");
    let said = talk("nboard", "best-move", "nboard 2\nset depth 2\ngo\nping 3\n");
    assert!(
        said.starts_with("set myname evalforge\n") && said.contains("\n=== ") && said.contains("\npong 3\n"),
        "{said}"
    );
}

#[test]
fn what_cannot_be_served_is_refused() {
    for (arguments, said) in [
        (
            &["engine", "othello", "--protocol", "xml-rpc"][..],
            "unknown protocol 'xml-rpc'; known: gtp, nboard",
        ),
        (&["engine", "othello", "--player", "nobody"], "unknown player 'nobody'"),
        (&["engine", "avalam", "--protocol", "nboard", "--player", "random"], "unknown protocol 'nboard'"),
        (&["engine", "tetris"], "game 'tetris' cannot be served"),
        (
            &["duel", "othello", "external(gtp=\"no-such-engine\")", "random"],
            "'no-such-engine' cannot be started",
        ),
        (&["duel", "othello", "external(gtp=\"x\", depth=3)", "random"], "depth is for nboard"),
        (&["duel", "othello", "external(seconds=3)", "random"], "no program; the form is external(gtp="),
        (&["duel", "othello", "external(gtp=\"x\", seconds=0)", "random"], "0.01 to 86400 seconds"),
        (&["duel", "avalam", "external(gtp=\"x\")", "random"], "unknown option 'gtp'"),
    ] {
        let (code, _, stderr) = evalforge(arguments);
        assert!(code == 2 && stderr.contains(said), "{arguments:?}: {code} {stderr}");
    }
}

/// A duel of two games; its JSON.
fn duel(first: &str, second: &str, openings: &str) -> Value {
    let arguments = [
        "duel",
        "othello",
        first,
        second,
        "--games",
        "2",
        "--openings",
        openings,
        "--threads",
        "1",
        "--json",
    ];
    let (code, stdout, stderr) = evalforge(&arguments);
    assert_eq!(code, 0, "{stderr}");
    serde_json::from_str(&stdout).expect(&stdout)
}

#[test]
fn engines_play_at_our_table_over_either_protocol() {
    for protocol in ["gtp", "nboard"] {
        let more = if protocol == "nboard" { ", depth=1" } else { "" };
        // GTP is told the moves of an opening, however many there are.
        for openings in ["6", "40"] {
            let result = duel(&external(protocol, "best-move", more), "random", openings);
            let text = result.to_string();
            assert!(
                !text.contains("panic") && !text.contains("illegal") && !text.contains("stall"),
                "{text}"
            );
        }
    }
}

#[test]
fn engines_that_fail_lose_with_a_reason() {
    let folder = folder("othello", "fail");
    let script = |name: &str, body: &str| {
        let path = folder.join(name);
        fs::write(&path, body).unwrap();
        format!("external(gtp=\"sh '{}'\", seconds=0.5)", path.display())
    };
    // Each answers what is asked before a game, and fails at its first move.
    let greet = |at_genmove: &str| {
        format!(
            "while read line; do case \"$line\" in genmove*) {at_genmove};; *) printf '= 2\\n\\n';; esac; done\n"
        )
    };
    for (name, body, said) in [
        ("crash.sh", greet("exit 3"), "lost 2: the program ended: exit status: 3"),
        ("stall.sh", greet("sleep 20"), "lost 2: no answer within 0.5 s"),
        ("illegal.sh", greet("printf '= A1\\n\\n'"), "lost 2: illegal move a1"),
        ("resign.sh", greet("printf '= resign\\n\\n'"), "lost 2: resigned"),
    ] {
        let player = script(name, &body);
        let arguments =
            ["duel", "othello", &player, "random", "--games", "2", "--threads", "1", "--openings", "2"];
        let (code, stdout, stderr) = evalforge(&arguments);
        assert_eq!(code, 0, "{name}: {stdout} {stderr}");
        assert!(stdout.contains(said) && stderr.is_empty(), "{name}: {stdout} {stderr}");
    }
    // Of one that is not understood nobody can tell how well it plays.
    let player = script("nonsense.sh", &greet("printf 'hello\\n\\n'"));
    for games in ["2", "100"] {
        let (code, stdout, stderr) = evalforge(&["duel", "othello", &player, "random", "--games", games]);
        assert!(code == 1 && stdout.is_empty() && stderr.lines().count() == 1, "{stdout} {stderr}");
        assert!(stderr.contains("'hello' is no answer of GTP"), "{stderr}");
    }
    // Where there is no referee, the command ends with one line.
    let player = script("alone.sh", &greet("exit 3"));
    let (code, _, stderr) = evalforge(&["play", "othello", "--first", &player, "--second", "random"]);
    assert!(code == 1 && stderr.lines().count() == 1 && stderr.contains("the program ended"), "{stderr}");
}

#[test]
fn a_file_starts_no_program_unless_it_may() {
    let folder = folder("othello", "programs");
    let (script, sign, file) = (folder.join("engine.sh"), folder.join("started"), folder.join("theirs.toml"));
    let body = format!("touch '{}'; exec '{ENGINE}' engine othello --player random\n", sign.display());
    fs::write(&script, body).unwrap();
    let text = format!(
        "generations = 1\n[task]\nname = \"othello\"\n[model]\nfeatures = \"mobility\"\n\
         [learner]\nname = \"cma-es\"\npopulation = 4\n[fitness]\ngames = 1\nopenings = 0\nagainst = [\"random\"]\n\
         [[score]]\ngames = 2\nagainst = ['external(gtp=\"sh {}\")']\n",
        script.display()
    );
    fs::write(&file, text).unwrap();
    let (file, out) = (file.to_str().unwrap(), folder.join("run"));
    let out = out.to_str().unwrap();
    let learn = ["learn", file, "--out", out];
    refused(&learn, &["theirs.toml", "starts other programs: 'sh ", "engine.sh'; --allow-programs lets it"]);
    assert!(!sign.exists() && !Path::new(out).exists());
    let (code, _, error) = evalforge(&[&learn[..], &["--allow-programs"]].concat());
    assert!(code == 0 && error.contains("starts other programs: 'sh ") && sign.exists(), "{error}");
    // A folder of somebody else is a file too.
    fs::remove_file(&sign).unwrap();
    refused(&["learn", "--resume", out], &["config.toml", "starts other programs: 'sh "]);
    assert!(!sign.exists());
}

/// An engine of GTP is told positions by moves alone, those of an opening too; one that cannot be started any more ends the run with a line.
#[test]
fn a_program_is_an_opponent_after_openings() {
    let folder = folder("othello", "openings");
    let (script, file) = (folder.join("engine.sh"), folder.join("it.toml"));
    fs::write(&script, format!("exec '{ENGINE}' engine othello --player random\n")).unwrap();
    let text = format!(
        "generations = 1\n[task]\nname = \"othello\"\n[model]\nfeatures = \"mobility\"\n\
         [learner]\nname = \"cma-es\"\npopulation = 4\n[fitness]\ngames = 1\nopenings = 30\n\
         against = ['external(gtp=\"sh {}\")']\n",
        script.display()
    );
    fs::write(&file, text).unwrap();
    let out = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let learn = |name: &str| {
        evalforge(&[
            "learn",
            file.to_str().unwrap(),
            "--out",
            &out(name),
            "--allow-programs",
            "--threads",
            "1",
        ])
    };
    let (code, _, error) = learn("run");
    assert_eq!(code, 0, "{error}");
    fs::remove_file(&script).unwrap();
    let (code, _, error) = learn("gone");
    let last = error.lines().last().unwrap_or_default();
    assert!(code == 1 && last.contains("engine.sh': ") && !error.contains("panicked"), "{error}");
}

#[test]
fn the_game_time_of_a_match_is_told_before_its_first_move() {
    let folder = folder("othello", "told");
    let (script, log) = (folder.join("engine.sh"), folder.join("log"));
    let body = "while read line; do echo \"$line\" >> LOG; case \"$line\" in genmove*) printf '= resign\\n\\n';; *) printf '= 2\\n\\n';; esac; done\n";
    fs::write(&script, body.replace("LOG", &format!("'{}'", log.display()))).unwrap();
    let player = format!("external(gtp=\"sh '{}'\")", script.display());
    let (code, stdout, stderr) = evalforge(&[
        "duel",
        "othello",
        &player,
        "random",
        "--games",
        "2",
        "--threads",
        "1",
        "--game-time",
        "30",
    ]);
    assert_eq!(code, 0, "{stdout} {stderr}");
    let log = fs::read_to_string(&log).unwrap();
    let lines: Vec<&str> = log.lines().collect();
    let place = |start: &str| lines.iter().position(|line| line.starts_with(start)).expect(start);
    assert!(lines.contains(&"time_settings 30 0 0"), "{log}");
    assert!(
        place("clear_board") < place("time_settings") && place("time_settings") < place("time_left"),
        "{log}"
    );
}

#[test]
fn problems_are_solved_and_compared() {
    let folder = folder("othello", "solve");
    let file = folder.join("two.obf");
    let one = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    fs::write(&file, format!("{one}; G8:+18; H1:+12;\n{one}\n")).unwrap();
    let path = file.to_str().unwrap();
    let (code, stdout, stderr) = evalforge(&["solve", "othello", path, "--threads", "2", "--json"]);
    assert_eq!(code, 0, "{stderr}");
    let result: Value = serde_json::from_str(&stdout).unwrap();
    let first = &result["positions"][0];
    assert_eq!((&first["move"], &first["score"]), (&Value::from("g8"), &Value::from(18)));
    assert!(first["nodes"].as_u64().unwrap() > 0 && first["seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(first["nodes"], result["positions"][1]["nodes"]);
    let (code, stdout, _) = evalforge(&["solve", "othello", path]);
    assert!(
        code == 0 && stdout.contains("scores as in the file: 1 of 1") && stdout.contains("says nothing"),
        "{stdout}"
    );
    let (code, stdout, _) = evalforge(&["solve", "othello", path, "--depth", "3", "--json"]);
    let result: Value = serde_json::from_str(&stdout).unwrap();
    assert!(
        code == 0 && result["exact"] == Value::Bool(false) && result["positions"][1]["score"].is_number(),
        "{stdout}"
    );

    // A wrong score is a failure, a wrong file or option a mistake.
    fs::write(&file, format!("{one}; G8:+20;\n")).unwrap();
    let (code, stdout, stderr) = evalforge(&["solve", "othello", path]);
    assert!(
        code == 1 && stdout.contains("differs: g8 +20") && stderr.contains("1 exact scores"),
        "{stdout} {stderr}"
    );
    fs::write(&file, format!("{one}\n{}\n", &one[1..])).unwrap();
    let (code, _, stderr) = evalforge(&["solve", "othello", path]);
    assert!(code == 2 && stderr.contains("two.obf', line 2: position"), "{stderr}");
    for (arguments, said) in [
        (&["solve", "othello", path, "--eval", "score"][..], "--depth"),
        (&["solve", "othello", path, "--depth", "0"], "allowed: a whole number from 1 to 120"),
        (&["solve", "othello", "no/such.obf"], "no/such.obf"),
    ] {
        let (code, _, stderr) = evalforge(arguments);
        assert!(code == 2 && stderr.contains(said), "{arguments:?}: {stderr}");
    }
}

#[test]
fn a_real_engine_plays_whole_games() {
    let rhino = "/usr/games/gtp-rhino";
    if !Path::new(rhino).exists() {
        // Past the harness, which shows nothing of a test that passes.
        let reason = "gtp-rhino is not installed (Debian's package grhino): no game against it was played";
        let _ = writeln!(std::io::stderr(), "SKIPPED: {reason}");
        return;
    }
    let player = format!("external(gtp=\"{rhino} -b 0 -m 1 -e 4 -w 4\", seconds=10)");
    for openings in ["0", "8"] {
        let text = duel(&player, "alphabeta(depth=1)", openings).to_string();
        assert!(!text.contains("panic") && !text.contains("illegal") && !text.contains("stall"), "{text}");
    }
}

#[test]
fn every_move_of_a_position_is_told() {
    let late = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    let player = "alphabeta(nodes=40000000)";
    let (code, stdout, stderr) = evalforge(&["analyze", "othello", "--position", late, "--player", player]);
    assert!(code == 0 && stdout.contains("g8     wins by 18    end"), "{stdout} {stderr}");
    let arguments = ["analyze", "othello", "--player", "alphabeta(depth=3, eval=linear(d3,c3; 1, 2))"];
    let (code, stdout, stderr) = evalforge(&arguments);
    assert!(code == 0 && stdout.contains("    d3 d3 +1.000\n"), "{stdout} {stderr}");
    let (code, stdout, _) = evalforge(&[&arguments[..], &["--json"]].concat());
    let result: Value = serde_json::from_str(&stdout).unwrap();
    let moves = result["moves"].as_array().unwrap();
    assert!(code == 0 && moves.len() == 4 && moves[0]["line"].as_array().unwrap().len() == 3, "{stdout}");
    // Any game between two.
    for game in ["avalam", "pushover"] {
        let (code, stdout, stderr) =
            evalforge(&["analyze", game, "--player", "alphabeta(depth=2)", "--json"]);
        assert!(code == 0 && stdout.contains("\"moves\""), "{game}: {stderr}");
    }
    for (arguments, said) in [
        (&["analyze", "othello", "--player", "random"][..], "unknown search 'random'"),
        (&["analyze", "othello", "--position", "XO"], "position 'XO'"),
        (&["analyze", "tetris"], "no player of an evaluation function is given"),
    ] {
        let (code, _, stderr) = evalforge(arguments);
        assert!(code == 2 && stderr.contains(said), "{arguments:?}: {stderr}");
    }
}

#[test]
fn a_fit_of_nothing_is_no_fit() {
    let folder = folder("othello", "probcut");
    let path = folder.join("pc.json");
    let arguments = ["tune", "probcut", "othello", "--games", "20", "--depth", "4", "--force", "--out"];
    let (code, _, stderr) = evalforge(&[&arguments[..], &[path.to_str().unwrap()]].concat());
    assert!(code == 1 && stderr.contains("no row") && !path.exists(), "{code} {stderr}");
}

#[test]
fn programs_of_others_are_listed_among_the_players() {
    let (code, stdout, _) = evalforge(&["list", "players"]);
    assert!(code == 0 && stdout.contains("external(gtp=") && stdout.contains("external(nboard="), "{stdout}");
}
