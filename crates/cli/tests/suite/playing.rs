//! A game with a person: hints and reasons, levels, the computer's values, games that are kept and looked at again.

use std::fs;

use crate::common::{converse, done, evalforge, folder, program, refused};

#[test]
fn hints_and_reasons_are_there_in_every_game() {
    for (game, mv) in [("othello", "f5"), ("avalam", "02-03"), ("pushover", "A")] {
        let (code, out, error) = converse(&["play", game, "--second", "random"], "hint\nwhy\nwhy nothing\n");
        assert_eq!(code, 0, "{error}");
        assert!(out.contains("Your moves, the best first, by alphabeta(time=1, eval="), "{out}");
        assert!(out.contains(" by alphabeta(time=1, eval=") && out.contains("move 'nothing'"), "{out}");
        let (_, out, _) = converse(&["play", game, "--second", "random"], &format!("why {mv}\n"));
        assert!(out.contains(&format!("> {mv} ")), "{game}: {out}");
    }
    let (code, out, error) = converse(&["play", "tetris", "--seed", "5"], "hint\nwhy\n");
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("the best first, by dellacherie") && out.contains("landing-height"), "{out}");
}

#[test]
fn a_level_is_a_player_and_tells_what_its_move_is_worth() {
    let (code, out, error) = converse(&["play", "othello", "--level", "3"], "f5\n");
    assert_eq!(code, 0, "{error}");
    assert!(out.starts_with("level 3: 3 plies, 502 Elo over level 1\n"), "{out}");
    assert!(out.contains("black: you, white: alphabeta(depth=3, eval=patterns)"), "{out}");
    assert!(out.contains("2. white (alphabeta) plays ") && out.contains(" at depth 3, expecting "), "{out}");
    let (_, out, _) = converse(&["play", "avalam", "--level", "1", "--second", "human"], "");
    assert!(out.contains("yellow: alphabeta(depth=1, eval=surveyor), red: you"), "{out}");
    refused(&["play", "othello", "--level", "11"], &["--level", "from 1 to 10"]);
    refused(&["play", "tetris", "--level", "3"], &["--level 3: nobody plays against you in a game for one"]);
    let both = ["play", "othello", "--level", "3", "--first", "human", "--second", "random"];
    refused(&both, &["--level 3: both players are named"]);
}

#[test]
fn a_game_is_kept_and_looked_at_again() {
    let place = folder("playing", "kept");
    let file = place.join("game.txt");
    let file = file.to_str().unwrap();
    let (code, _, error) = converse(&["play", "othello", "--level", "2", "--save", file], "f5\n");
    assert_eq!(code, 0, "{error}");
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains("moves: f5 ") && text.contains("thoughts: - "), "{text}");
    assert!(done(&["replay", file]).ends_with("the game was left before its end\n"));
    // From here to the end.
    let players = ["play", "othello", "--first", "greedy", "--second", "random", "--save", file];
    done(&players);
    let out = done(&["replay", file, "--review", "--player", "alphabeta(depth=2)"]);
    let moves = fs::read_to_string(file).unwrap();
    let moves = moves.lines().find_map(|line| line.strip_prefix("moves: ")).unwrap().split(' ').count();
    assert_eq!(out.lines().filter(|line| line.contains('|')).count(), moves, "{out}");
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    for part in ["values for black, by alphabeta(depth=2)", "better was ", "white gave away "] {
        assert!(out.contains(part), "{part}: {out}");
    }
    refused(&["replay", file, "--player", "alphabeta"], &["--review"]);
    refused(&["play", "tetris", "--save", file], &["--save: game 'tetris' cannot be replayed"]);
    refused(&["play", "othello", "--save", "no/such/file"], &["--save 'no/such/file'"]);
    let (code, _, _) = evalforge(&["replay", file, "--review", "--player", "greedy"]);
    assert_eq!(code, 2);
}

const LEFT: &str = "\x1b[D";
const DOWN: &str = "\x1b[B";

/// A game by keys ends where the same game by names does.
#[test]
fn pieces_moved_by_keys_go_where_their_names_say() {
    let last = |arguments: &[&str], input: &str| {
        let (code, out, error) = converse(&[&["play", "tetris"], arguments].concat(), input);
        assert_eq!((code, error.as_str()), (0, ""));
        (out.lines().last().unwrap().to_string(), out)
    };
    let wall = "..#...../..#...../..#...../..#..... O";
    let roof = "###...../......../........ O";
    let low = ["--game", "original", "--width", "8", "--height", "5", "--position", wall];
    let high = ["--game", "original", "--width", "8", "--height", "8", "--position", roof];
    for (rules, keys, names) in [
        // Dropped where it appears; three to the left and turned; beyond the wall is the wall.
        (
            &["--pieces", "sequence:TSZ"][..],
            format!(" {}x {} ", LEFT.repeat(3), LEFT.repeat(9)),
            "0d\n1a\n0a\n",
        ),
        // What is behind a wall is not reached.
        (&low, format!("{} ", LEFT.repeat(5)), "0d\n"),
        // Nor what is under a roof, however far down the piece is.
        (&high, format!("{}{} ", DOWN.repeat(6), LEFT.repeat(5)), "0d\n"),
        (&high, format!("{} ", LEFT.repeat(5)), "0a\n"),
        // On the ground, down places it.
        (&high, DOWN.repeat(7), "0d\n"),
        (&["--seed", "3"], "xu  uu ".into(), "e\n"),
    ] {
        let by_keys = last(&[rules, &["--by", "keys"]].concat(), &format!("{keys}q")).0;
        assert_eq!(by_keys, last(rules, names).0, "{names}");
    }
    let (_, out) = last(&["--by", "keys", "--seed", "3"], "hpxq");
    let frames: Vec<&str> = out.split("\n\n").collect();
    assert!(frames[0].contains("::") && !frames[0].contains("()"), "{out}");
    assert!(frames[1].matches("()").count() == 4 && frames[1].contains(" by dellacherie"), "{out}");
    assert!(frames[2].contains("paused") && !frames[3].contains("paused"), "{out}");
    for frame in &frames[..4] {
        assert!(
            frame.lines().count() <= 23 && frame.lines().all(|line| line.chars().count() <= 80),
            "{frame}"
        );
    }
    refused(&["play", "tetris", "--by", "keys", "--speed", "2"], &["--speed", "--game original"]);
    refused(&["play", "tetris", "--by", "keys", "--save", "game.txt"], &["--save: game 'tetris'"]);
    refused(&["play", "tetris", "--speed", "2"], &["--speed is for --by keys"]);
    refused(&["play", "tetris", "--player", "dn", "--by", "keys"], &["--by is for a person"]);
}

/// Whatever stands in the cache, the values are the right ones.
#[test]
fn a_cache_is_not_trusted() {
    let place = folder("playing", "cache");
    let duel = ["duel", "pushover", "perfect", "random", "--size", "3", "--games", "20", "--csv"];
    let table = |cache: &std::path::Path, csv: &str| {
        let csv = place.join(csv);
        let output = program().args(duel).arg(&csv).env("XDG_CACHE_HOME", cache).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        // Without the times.
        let line = |line: &str| line.rsplitn(3, ',').last().unwrap().to_string();
        fs::read_to_string(csv).unwrap().lines().map(line).collect::<Vec<_>>()
    };
    let right = table(&place.join("empty"), "right.csv");
    let folder = place.join("damaged/evalforge");
    fs::create_dir_all(&folder).unwrap();
    let kept = folder.join(format!("pushover-3-on-{}", env!("CARGO_PKG_VERSION")));
    for content in [&b"nonsense"[..], &[0; 5000]] {
        fs::write(&kept, content).unwrap();
        assert_eq!(table(&place.join("damaged"), "damaged.csv"), right);
    }
    // A sound table of other rules.
    fs::remove_file(&kept).unwrap();
    done(&["solve", "pushover", "--size", "3", "--repetition", "off", "--out", kept.to_str().unwrap()]);
    assert_eq!(table(&place.join("damaged"), "other.csv"), right);
    // A place that cannot be written to.
    fs::write(place.join("file"), "").unwrap();
    assert_eq!(table(&place.join("file"), "none.csv"), right);
}
