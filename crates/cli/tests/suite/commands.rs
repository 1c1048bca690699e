//! The binary as its users meet it.

use serde_json::Value;

use crate::common::{converse, evalforge, refused};

fn json(arguments: &[&str]) -> Value {
    let (code, out, error) = evalforge(arguments);
    assert_eq!((code, error.as_str()), (0, ""), "{arguments:?}");
    serde_json::from_str(&out).unwrap()
}

#[test]
fn perft_counts_and_speaks_json() {
    let (code, out, _) = evalforge(&["bench", "perft", "othello", "9"]);
    assert_eq!(code, 0);
    let rows: Vec<Vec<&str>> = out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["depth", "leaves", "seconds", "leaves/s"]);
    assert_eq!((rows.len(), &rows[9][..2]), (10, &["9", "3005288"][..]));

    let result = json(&["bench", "perft", "pushover", "3", "--size", "5", "--json", "--threads", "2"]);
    assert_eq!((&result["game"], &result["options"]["size"]), (&Value::from("pushover"), &Value::from("5")));
    let leaves: Vec<u64> =
        result["rows"].as_array().unwrap().iter().map(|r| r["leaves"].as_u64().unwrap()).collect();
    assert_eq!(leaves, [20, 400, 8000]);
    assert!(result["rows"][2]["seconds"].is_number() && result["rows"][2]["depth"] == 3);

    let tetris = json(&[
        "bench", "perft", "tetris", "2", "--width", "4", "--height", "4", "--losing", "allowed", "--json",
    ]);
    assert_eq!(tetris["rows"][1]["leaves"], 2304);
    assert_eq!(json(&["bench", "perft", "avalam", "0", "--json"])["rows"][0]["leaves"], 1);
    // OBF may begin with a hyphen, as an option does.
    let obf = format!("{}X-O---{} X; E1:+16;", "-".repeat(24), "-".repeat(34));
    assert_eq!(
        json(&["bench", "perft", "othello", "2", "--position", &obf, "--json"])["rows"][1]["leaves"],
        1
    );
}

#[test]
fn wrong_input_is_one_line_and_exit_2() {
    refused(
        &["bench", "perft", "otello", "3"],
        &["unknown game 'otello'", "did you mean 'othello'?", "known: tetris, othello"],
    );
    refused(&["bnech"], &["unknown command", "'bench'", "known: play, review"]);
    refused(&[], &["COMMAND is missing; known: play, review", "bench"]);
    refused(&["bench", "perft"], &["bench perft: GAME is missing; known: ", "avalam"]);
    refused(&["bench", "perft", "othello"], &["<DEPTH>"]);
    refused(&["bench", "perft", "othello", "x"], &["'x'", "from 0 to 60"]);
    refused(&["bench", "perft", "othello", "-1"], &["'-1'", "from 0 to 60"]);
    refused(
        &["bench", "perft", "othello", "2", "--width", "5"],
        &["bench perft othello: ", "'--width'", "known: --position"],
    );
    refused(&["bench", "perft", "tetris", "2", "--heigth", "5"], &["did you mean '--height'?"]);
    refused(&["bench", "perft", "tetris", "2", "--height", "29"], &["'height'", "'29'", "from 4 to 28"]);
    refused(
        &["bench", "perft", "tetris", "2", "--pieces", "bags"],
        &["'pieces'", "'bags'", "uniform, harder"],
    );
    refused(&["bench", "perft", "pushover", "2", "--size", "6"], &["'size'", "'6'", "4, 5"]);
    refused(&["bench", "perft", "othello", "2", "--position", "a\nb"], &["position 'a\\nb'", "64 squares"]);
    refused(&["bench", "perft", "avalam", "2", "--position", "1 2"], &["2 numbers", "9 rows of 9"]);
    refused(&["list", "gamess"], &["did you mean 'games'?"]);
    refused(&["bench", "chess"], &["unknown game 'chess'", "known: tetris"]);
    refused(&["bench", "--seconds", "0"], &["'0'", "from 0.001 to 60"]);
    refused(&["play", "othello", "--second", "gready"], &["did you mean 'greedy'?", "human"]);
    refused(&["play", "tetris", "--second", "random"], &["'--second'"]);
    refused(&["play", "--tour", "--threads", "0"], &["from 1 to 1024"]);
}

#[test]
fn solve_tells_the_best_mean_and_refuses_what_it_cannot() {
    let small = ["solve", "tetris", "--width", "4", "--height", "4"];
    let with = |more: &[&'static str]| small.iter().chain(more).copied().collect::<Vec<&str>>();
    let result = json(&with(&["--json", "--games", "2000", "--threads", "2"]));
    assert!((result["value"].as_f64().unwrap() - 7.0669).abs() < 1e-3, "{result}");
    assert!(result["error"].as_f64().unwrap() < 1e-6 && result["seconds"].is_number());
    assert!((result["played"]["mean"].as_f64().unwrap() - 7.0669).abs() < 0.5, "{result}");
    assert_eq!((&result["boards"], &result["states"]), (&Value::from(2582), &Value::from(1295)));
    assert_eq!(json(&with(&["--json", "--threads", "1"]))["value"], result["value"]);
    assert!(evalforge(&small).1.starts_with("value       7.066942"));

    refused(&["solve", "avalam"], &["game 'avalam' has no solver", "allowed: tetris, othello, pushover"]);
    refused(&["solve", "tetris"], &["'width'", "'10'", "4 to 7"]);
    refused(&with(&["--pieces", "bag"]), &["'pieces'", "'bag'", "uniform, harder"]);
    refused(&with(&["--preview", "on"]), &["'preview'", "'on'", "off"]);
    refused(&with(&["--pieces", "weights:0,1,0,0,0,0,0"]), &["'pieces'", "for ever"]);
    refused(&with(&["--tolerance", "0"]), &["'0'", "from 0.000000001 to 1"]);
    refused(&with(&["--out", "/nowhere/at/all"]), &["--out '/nowhere/at/all': "]);
}

/// The values of the small board; the full one takes longer and has tests of its own.
#[test]
fn pushover_is_solved_and_what_cannot_be_is_refused() {
    let small = ["solve", "pushover", "--size", "3", "--json", "--threads", "2"];
    let ruled = json(&[&small[..], &["--verify"]].concat());
    assert_eq!((&ruled["value"], &ruled["distance"]), (&Value::from("win"), &Value::from(7)));
    assert_eq!(ruled["boards"], serde_json::json!({ "win": 9002, "loss": 2123, "draw": 0 }));
    assert_eq!(ruled["line"].as_array().unwrap().len(), 7);
    assert_eq!(
        (&ruled["longest_win"]["distance"], &ruled["verified"]["boards"]),
        (&Value::from(7), &Value::from(11_125))
    );
    let free = json(&[&small[..], &["--no-repetition"]].concat());
    assert_eq!((&free["value"], &free["distance"]), (&Value::from("draw"), &Value::Null));
    assert_eq!(free["boards"], serde_json::json!({ "win": 8439, "loss": 1749, "draw": 937 }));
    assert_eq!(free["by_distance"]["loss"][1], serde_json::json!({ "distance": 4, "boards": 131 }));
    let (code, out, _) = evalforge(&["solve", "pushover", "--size", "3"]);
    assert!(code == 0 && out.contains("o wins in 7 moves") && out.contains("longest win   7 moves"), "{out}");

    refused(&["solve", "pushover", "--size", "5"], &["'size'", "'5'", "3 and 4", "too many to solve"]);
    refused(&["solve", "pushover", "--limit", "20"], &["'limit'", "'20'", "auto"]);
    refused(&["solve", "pushover", "--no-repetition", "--repetition", "on"], &["contradict"]);
}

#[test]
fn grades_are_given_by_perfect_play() {
    let small = [
        "score",
        "pushover",
        "--size",
        "3",
        "--games-of",
        "random",
        "--games",
        "60",
        "--openings",
        "2",
        "--player",
    ];
    let with = |more: &[&'static str]| [&small[..], more].concat();
    let result = json(&with(&["perfect", "--player", "random", "--json"]));
    let [perfect, random] = [0, 1].map(|i| &result["grades"][i]);
    assert_eq!((&perfect["player"], &perfect["kept"]["mean"]), (&Value::from("perfect"), &Value::from(1.0)));
    assert_eq!((&perfect["kept"]["n"], &perfect["loss"]["mean"]), (&result["with_risk"], &Value::from(0.0)));
    assert!(random["loss"]["mean"].as_f64() > Some(0.05) && random["kept"]["ci95"][1].as_f64() < Some(1.0));
    let (code, out, _) = evalforge(&with(&["expert"]));
    assert!(code == 0 && out.contains("keeps the value") && out.contains("win in 1 "), "{out}");
    refused(&small[..small.len() - 1], &["no player is given"]);
    refused(&with(&["random", "--method", "games"]), &["unknown method 'games'", "known: grade"]);
    refused(&with(&["perfekt"]), &["unknown player 'perfekt'", "did you mean 'perfect'"]);
    refused(&with(&["random", "--table", "no/such"]), &["no/such"]);
    refused(&["score", "pushover", "--player", "random", "--size", "5"], &["'size'", "'5'"]);
    refused(
        &["score", "pushover", "--player", "random", "--size", "3", "--openings", "900"],
        &["--openings 900"],
    );
}

#[test]
fn perfect_says_how_it_stands_and_gives_hints() {
    let game = ["play", "pushover", "--size", "3", "--first", "perfect", "--second", "human"];
    let (code, out, error) = converse(&game, "hint\nQ\nhelp\n");
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(out.contains("o (perfect): wins in 7"), "{out}");
    assert!(out.contains("1. o (perfect) plays ") && out.contains(": wins in 6"), "{out}");
    assert!(out.contains("Your moves, the best first:\n  loses in 6 "), "{out}");
    assert!(out.contains("an entry is a letter from A to L") && out.contains("hint        tell"), "{out}");
    let (_, out, _) = converse(&["play", "pushover", "--size", "3"], "hint\nhelp\n");
    assert!(out.contains("the best first, by alphabeta(time=1, eval=score)"), "{out}");
    // `o` may not play E again in the figure of the paper.
    let figure = "++oo...+....o...A+ 8 +ooo...+....o...";
    let (_, out, _) = converse(&["play", "pushover", "--position", figure], "E\n");
    assert!(
        out.contains("illegal move E: it would make the board after your own previous move again"),
        "{out}"
    );

    refused(
        &["play", "pushover", "--size", "5", "--second", "perfect"],
        &["player perfect", "'size'", "too many to solve"],
    );
    refused(
        &["play", "pushover", "--second", "perfect(table=Cargo.toml)"],
        &["Cargo.toml", "does not begin with"],
    );
    refused(&["play", "othello", "--second", "perfect"], &["unknown player 'perfect'"]);
}

#[test]
fn help_is_complete() {
    let (code, help, _) = evalforge(&["--help"]);
    assert_eq!(code, 0);
    for command in ["play", "review", "list", "bench", "solve", "tune"] {
        assert!(help.contains(command));
        let (code, help, _) = evalforge(&[command, "--help"]);
        assert!(code == 0 && help.contains("Usage: "), "{command}");
    }
    let (_, help, _) = evalforge(&["bench", "perft", "tetris", "--help"]);
    for option in ["--position", "--json", "--threads", "--width", "--pieces", "--losing", "default: avoided"]
    {
        assert!(help.contains(option), "{option}");
    }
    assert!(evalforge(&["--version"]).1.starts_with("evalforge "));
}

#[test]
fn list_tells_all_kinds() {
    let all = json(&["list", "--json"]);
    for kind in ["games", "features", "models", "learners", "searches", "players", "experiments"] {
        assert!(all[kind].is_array(), "{kind}");
    }
    let names: Vec<&str> =
        all["games"].as_array().unwrap().iter().map(|g| g["name"].as_str().unwrap()).collect();
    assert!(["tetris", "othello", "pushover", "avalam"].iter().all(|game| names.contains(game)));
    let fast = |name: &str| {
        let items = all["features"].as_array().unwrap().iter();
        items.clone().find(|item| item["name"] == name).unwrap()["fast"].as_bool().unwrap()
    };
    assert!(fast("dn") && fast("xtris") && fast("frontier") && fast("cells-RxC"));
    assert!(!fast("mobility"));
    assert!(all["games"][0].get("fast").is_none());
    let (_, text, _) = evalforge(&["list", "features"]);
    assert!(text.contains("fast: linear functions") && text.contains("tetris fast set: Llima"), "{text}");
    assert!(text.contains("tetris fast set: tables of all patterns"), "{text}");
    let (_, text, _) = evalforge(&["list", "games"]);
    assert!(text.contains("--width 4..16 (10): columns"), "{text}");
}

#[test]
fn lists_are_short_and_tell_what_a_game_has() {
    let (_, all, _) = evalforge(&["list"]);
    assert!(all.lines().all(|line| line.chars().count() <= 100), "{all}");
    // An entry that begins in the second column has at most one line more.
    let deep = |line: &str| line.starts_with("   ") && !line.trim().is_empty();
    let lines: Vec<&str> = all.lines().collect();
    assert!(!lines.windows(2).any(|two| deep(two[0]) && deep(two[1])), "{all}");

    let (_, short, _) = evalforge(&["list", "players", "tetris"]);
    let (_, long, _) = evalforge(&["list", "players", "tetris", "--long"]);
    let long = long.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(short.contains("dellacherie") && !short.contains("alphabeta") && !short.contains("external"));
    assert!(short.contains('…') && !long.contains('…') && long.contains("n = 5,000 games."), "{long}");
    let (_, othello, _) = evalforge(&["list", "players", "othello"]);
    assert!(othello.contains("table=MB (64): megabytes for positions"), "{othello}");
    assert!(
        othello.contains("patterns") && !othello.contains("dellacherie") && !othello.contains("lookahead")
    );
    let (_, features, _) = evalforge(&["list", "features", "pushover"]);
    assert!(features.contains("muller") && !features.contains("tetris"), "{features}");
    let (_, experiments, _) = evalforge(&["list", "experiments", "avalam"]);
    assert!(experiments.contains("avalam-cma-es") && !experiments.contains("tetris-quick"), "{experiments}");
    refused(&["list", "learners", "tetris"], &["learners are the same for every game", "features, players"]);
    refused(&["list", "players", "otello"], &["did you mean 'othello'?"]);
}

#[test]
fn shells_and_manuals_know_the_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let (code, out, error) = evalforge(&["completions", shell]);
        assert!(code == 0 && out.contains("analyze") && out.contains("perft"), "{shell}: {error}");
        assert!(!out.contains("fit-probcut") && !out.contains("tournament"), "{shell} has an old name");
    }
    refused(&["completions", "bsh"], &["unknown shell 'bsh'", "did you mean 'bash'?", "man"]);
    refused(&["completions", "man"], &["--out DIR"]);
    refused(&["completions", "bash", "--out", "x"], &["--out is for man"]);
    let place = crate::common::folder("commands", "man");
    let out = place.to_str().unwrap();
    assert_eq!(evalforge(&["completions", "man", "--out", out]).0, 0);
    let page = std::fs::read_to_string(place.join("evalforge-play-othello.1")).unwrap();
    assert!(page.starts_with(".") && page.contains("position"), "{page}");
    assert!(place.join("evalforge-bench-perft.1").exists() && !place.join("evalforge-watch.1").exists());
}

#[test]
fn bench_gives_a_signature_that_does_not_depend_on_the_game_asked_for() {
    let one = json(&["bench", "pushover", "--seconds", "0.01", "--json"]);
    let other = json(&["bench", "avalam", "--seconds", "0.01", "--json"]);
    assert_eq!(one["signature"], other["signature"]);
    assert_eq!(one["signature"].as_str().unwrap().len(), 16);
    for row in one["rows"].as_array().unwrap() {
        assert_eq!(row["game"], "pushover");
        assert!(
            row["per_second"].as_f64().unwrap() > 0.0 && row["name"].is_string() && row["unit"].is_string()
        );
    }
}

#[test]
fn a_person_can_play_undo_and_go_on() {
    let input = "moves\nz9\na1\nd3\nundo\nundo\nposition\nf5\nquit\n";
    let (code, out, error) = converse(&["play", "othello", "--second", "greedy"], input);
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(out.contains("4 legal moves:\nc4 d3 e6 f5"));
    assert!(out.contains("a square is a1 to h8"));
    assert!(out.contains("illegal move a1: it flips no disc"));
    assert_eq!(out.matches("white (greedy) plays ").count(), 2);
    assert!(out.contains("There is nothing to undo."));
    assert!(out.contains("---------------------------OX------XO--------------------------- X;"));

    let farewell = farewell(&out);
    let (command, position) = farewell.split_once(" --position ").unwrap();
    assert_eq!(command, "To go on: evalforge play othello --first human --second greedy --seed 2");
    let (code, again, _) =
        converse(&["play", "othello", "--position", position.trim().trim_matches('\'')], "");
    assert!(code == 0 && again.contains(position.trim()));
}

/// The last line, which says how to go on.
fn farewell(out: &str) -> &str {
    &out[out.find("To go on: ").unwrap()..]
}

#[test]
fn undo_in_tetris_deals_the_same_piece_again() {
    let game = |input: &str| converse(&["play", "tetris", "--seed", "5"], input).1;
    let (plain, undone) = (game("0a\n0d\nquit\n"), game("0a\n0a\nundo\nundo\n0a\n0d\n"));
    assert_eq!(farewell(&plain), farewell(&undone));
}

#[test]
fn players_can_be_watched_to_the_end() {
    let two = ["--first", "greedy", "--second", "random"];
    for (game, seats) in [("avalam", &two[..]), ("tetris", &["--player", "greedy"])] {
        let arguments: Vec<&str> = ["play", game].iter().chain(seats).copied().collect();
        let (code, out, error) = evalforge(&arguments);
        assert_eq!((code, error.as_str()), (0, ""));
        assert!(out.contains(" after ") && out.trim_end().ends_with('.'), "{out}");
        assert_eq!(evalforge(&arguments).1, out);
    }
}

#[test]
fn the_tour_shows_every_game_with_intervals() {
    let strip = |text: String| -> Vec<String> {
        text.lines().skip(1).filter(|line| !line.starts_with("  rules: ")).map(str::to_string).collect()
    };
    let (code, out, _) = evalforge(&["play", "--tour", "--threads", "1"]);
    assert_eq!(code, 0);
    for heading in ["TETRIS: ", "OTHELLO: ", "PUSHOVER: ", "AVALAM: ", "n = 1000"] {
        assert!(out.contains(heading), "{heading}");
    }
    assert_eq!(strip(out), strip(evalforge(&["play", "--tour", "--threads", "2"]).1));
}

#[test]
fn estimates_speak_json_and_refuse_what_is_wrong() {
    let rules = ["--player", "dellacherie", "--height", "10", "--losing", "allowed", "--json"];
    let estimate = |more: &[&str]| json(&[&["score", "tetris"], &rules[..], more].concat());
    let heights = estimate(&["--method", "heights", "--budget", "100000"]);
    assert_eq!(
        (&heights["player"], &heights["method"]),
        (&Value::from("dellacherie"), &Value::from("heights"))
    );
    let value = heights["value"].as_f64().unwrap();
    assert!(heights["ci95"][0].as_f64().unwrap() < value && value < heights["ci95"][1].as_f64().unwrap());
    let table = heights["table"].as_array().unwrap();
    let sum: f64 = table.iter().map(|row| row["frequency"].as_f64().unwrap()).sum();
    assert!(table.len() == 12 && (sum - 1.0).abs() < 1e-9, "{table:?}");

    let growth = ["--method", "growth", "--budget", "100000", "--from", "5", "--to", "7"];
    let one = estimate(&[&growth[..], &["--threads", "1"]].concat());
    assert_eq!(one, estimate(&[&growth[..], &["--threads", "2"]].concat()));
    assert_eq!(one["points"].as_array().unwrap().len(), 3);
    assert!(one["value"].is_number() && one["factor"].as_f64().unwrap() > 1.0 && one["ci95"][1].is_number());

    let tetris = ["score", "tetris", "--player", "dn", "--method"];
    let with = |more: &[&'static str]| [&tetris[..], more].concat();
    refused(&["score", "othello"], &["whom 'evalforge duel' measures", "allowed: tetris, pushover"]);
    refused(&["score", "tetris", "--method", "growth"], &["--player: 0 given", "takes one"]);
    refused(&with(&["splitting", "--games", "9"]), &["--games is not for --method splitting"]);
    refused(&with(&["games", "--repeats", "9"]), &["--repeats is not for --method games"]);
    refused(&["score", "tetris", "--player", "nobody", "--method", "heights"], &["nobody"]);
    refused(&with(&["height"]), &["unknown method", "did you mean 'heights'?"]);
    refused(&with(&["heights", "--from", "8"]), &["--from is for --method growth"]);
    refused(&with(&["heights", "--trials", "80"]), &["--trials is not for --method heights"]);
    refused(&with(&["heights", "--budget", "9"]), &["--budget", "10000 to 1000000000000"]);
    refused(&with(&["growth", "--height", "10"]), &["at least 3 lower boards", "8 to 9 rows"]);
    refused(&with(&["growth", "--to", "20"]), &["at least 3 lower boards"]);
    refused(
        &with(&["growth", "--budget", "10000", "--from", "12"]),
        &["a budget of 10000 pieces is too small"],
    );
}

#[test]
fn splitting_speaks_json_and_refuses_what_is_wrong() {
    let small =
        ["--player", "dn", "--height", "8", "--method", "splitting", "--moves", "5000", "--trials", "200"];
    let estimate = |more: &[&str]| {
        json(&[&["score", "tetris"], &small[..], &["--repeats", "4", "--json"], more].concat())
    };
    let one = estimate(&["--threads", "1"]);
    assert_eq!(one, estimate(&["--threads", "2"]));
    let value = one["value"].as_f64().unwrap();
    assert!(one["ci95"][0].as_f64().unwrap() < value && value < one["ci95"][1].as_f64().unwrap());
    assert_eq!((&one["n"], &one["missing"]), (&Value::from(4), &Value::from(0)));
    let given = estimate(&["--levels", "6,7,8", "--base", "3"]);
    assert_eq!(given["course"]["levels"], serde_json::json!([6, 7, 8]));
    assert_eq!(given["levels"].as_array().unwrap().len(), 4);

    let (code, out, _) = evalforge(&[&["score", "tetris"], &small[..], &["--repeats", "2"]].concat());
    assert!(code == 0 && out.contains("2 repeats are few") && out.contains("mean lines"), "{out}");

    let with = |more: &[&'static str]| [&["score", "tetris"], &small[..], more].concat();
    refused(&with(&["--levels", "6,6"]), &["6 after 6: must be rising"]);
    refused(&with(&["--levels", "6,9"]), &["9: the highest that this game can have is 8"]);
    refused(&with(&["--levels", "6", "--base", "6"]), &["the first, 6, must be above the base, 6"]);
    refused(&with(&["--base", "3"]), &["--base is for --levels"]);
    refused(&with(&["--budget", "50000"]), &["--budget is not for --method splitting"]);
    refused(&with(&["--from", "8"]), &["--from is not for --method splitting"]);
    refused(&["reproduce", "tetris-splitting", "--out", "folder"], &["writes no files"]);
}

/// What each command was called before, with the least that it can be asked for, and what it is called now.
const RENAMED: [(&str, &str); 14] = [
    ("tour --threads 0", "play --tour"),
    ("watch tetris --player dn --moves 1", "play --watch"),
    ("replay nowhere.txt", "review"),
    ("explain tetris --player dn --piece T", "analyze --why"),
    ("resume nowhere", "learn --resume"),
    ("report nowhere", "runs"),
    ("estimate tetris --player dn --height 8 --method heights --budget 10000", "score --method"),
    ("grade pushover random --size 3 --games 5", "score --method grade"),
    ("tournament pushover --players greedy random --players best-move --games 2", "duel"),
    ("regress othello --data nowhere.wtb", "fit tables"),
    ("export --to edax nowhere.tables nowhere.dat", "fit export"),
    ("profile othello --player random", "tune clock"),
    ("fit-probcut othello --eval nothing", "tune probcut"),
    ("perft othello 2", "bench perft"),
];

#[test]
fn old_names_go_on_working_and_say_the_new_one() {
    let (_, help, _) = evalforge(&["--help"]);
    for (words, now) in RENAMED {
        let words: Vec<&str> = words.split(' ').collect();
        let (code, out, error) = evalforge(&words);
        let told =
            format!("evalforge: '{}' is now '{now}'; the old name goes with the next release\n", words[0]);
        match words[0] {
            // Words that clap refuses reach no command.
            "tour" => assert!(code == 2 && error.contains("from 1 to 1024"), "{error}"),
            _ if words.contains(&"nowhere") || code == 2 => {
                assert!(error.starts_with(&told) && error.lines().count() == 2, "{words:?}: {error}");
            }
            _ => assert_eq!((code, error, out.is_empty()), (0, told, false), "{words:?}"),
        }
        assert!(!help.contains(&format!("\n  {} ", words[0])), "{help}");
    }
    // Two players of a tournament have a table, as before.
    let (_, out, _) = evalforge(&["tournament", "pushover", "--player", "greedy", "random", "--games", "2"]);
    assert!(out.contains("points of a row against a column"), "{out}");
}

#[test]
fn the_command_line_holds_together() {
    commands::command_line().debug_assert();
}

/// Nobody names a game but the list.
#[test]
fn commands_know_the_games_of_their_list_and_no_others() {
    let program = commands::Program { version: "", commit: "", source: "" };
    for words in [
        "bench perft othello 1",
        "bench tetris",
        "engine othello",
        "duel tetris random random",
        "solve avalam",
    ] {
        let game = words
            .trim_start_matches("bench perft ")
            .split(' ')
            .nth(usize::from(!words.contains("perft")))
            .unwrap();
        let words = format!("evalforge {words}");
        let refused =
            commands::obey::<()>(&program, words.split(' ').map(Into::into)).unwrap_err().to_string();
        assert!(refused.starts_with(&format!("unknown game '{game}'")), "{words}: {refused}");
    }
}
