//! Input of every kind to the commands for two players: an answer that makes sense, or one line and exit 2.

use serde_json::Value;

use crate::common::evalforge;

#[test]
fn wrong_input_is_one_line() {
    for (arguments, said) in [
        ("duel avalam alfabeta(depth=3) random", "unknown player 'alfabeta' (did you mean 'alphabeta'?)"),
        ("duel avalam alphabeta(depth=0) random", "depth cannot be '0'; allowed: a whole number from 1"),
        ("duel avalam alphabeta(time=x) random", "time cannot be 'x'; allowed: seconds"),
        ("duel avalam alphabeta(clock=no/such.json) random", "clock 'no/such.json': No such file"),
        ("duel avalam alphabeta(update=never) random", "update cannot be 'never'; allowed: on, off"),
        ("duel avalam alphabeta(eval=no/such.json) random", "no/such.json"),
        ("duel avalam mcts(simulations=0) random", "simulations cannot be '0'"),
        ("duel avalam hybrid(1:nobody) random", "unknown search 'nobody'"),
        ("duel avalam external(xmlrpc=http://127.0.0.1:1) random", "no server at http://127.0.0.1:1"),
        ("duel avalam external(xmlrpc=ftp://127.0.0.1:1) random", "no address"),
        ("duel othello external(xmlrpc=http://127.0.0.1:1) random", "unknown option 'xmlrpc'"),
        ("duel pushover external(xmlrpc=http://127.0.0.1:1) random", "unknown player 'external'"),
        ("duel avalam random greedy --game-time 0", "allowed: a number from 0.001"),
        ("duel avalam random greedy --game-time -1", "allowed: a number from 0.001"),
        ("duel avalam random greedy --credit nan", "allowed: a number from 0.001"),
        ("duel avalam alphabeta random --depth 0", "allowed: a whole number from 1 to 120"),
        ("duel avalam alphabeta random --depth -1", "allowed: a whole number from 1 to 120"),
        ("duel avalam alphabeta random --depth 121", "allowed: a whole number from 1 to 120"),
        ("duel avalam alphabeta random --nodes 0", "allowed: a whole number from 1"),
        ("duel avalam alphabeta random --nodes x", "'x' for '--nodes <N>'"),
        ("duel avalam alphabeta random --time 0", "allowed: a number from 0.001"),
        ("duel avalam alphabeta random --time -1", "allowed: a number from 0.001"),
        ("duel avalam alphabeta random --time nan", "allowed: a number from 0.001"),
        ("duel avalam alfabeta random --depth 3", "unknown player 'alfabeta'"),
        (
            "duel avalam alphabeta mcts --depth 3",
            "--depth = 3: player 'mcts': mcts has no such limit; known: nodes, simulations, time, game-time",
        ),
        (
            "duel avalam alphabeta(depth=2) mcts --time 0.1",
            "--time = 0.1: player 'alphabeta(depth=2)' has depth = 2 of its own",
        ),
        ("duel avalam random greedy --nodes 9", "--nodes = 9: no player of the match searches"),
        ("duel avalam random greedy --games 0", "allowed: an even number from 2"),
        (
            "duel avalam random greedy --openings 60",
            "--openings = 60: a random game of avalam is over before",
        ),
        ("duel avalam random nobody", "unknown player 'nobody'"),
        ("duel avalam random greedy random --games 0", "allowed: an even number"),
        ("duel avalam random greedy random --openings 60", "is over before"),
        ("duel avalam random greedy random --game-time 0", "allowed: a number from 0.001"),
        ("duel avalam random alphabeta random --time 0", "allowed: a number from 0.001"),
        ("duel avalam random minimax random --nodes 5", "player 'minimax': minimax has no"),
        ("play avalam --second nobody", "unknown player 'nobody'"),
        ("reproduce avalam-tabel", "unknown paper or table 'avalam-tabel' (did you mean 'avalam-table'?)"),
        ("reproduce avalam-table --out /dev/null/x", "--out '/dev/null/x'"),
        ("reproduce avalam-table --threads 0", "allowed: a whole number from 1"),
    ] {
        let words: Vec<&str> = arguments.split(' ').collect();
        let (code, out, error) = evalforge(&words);
        assert!(code == 2 && out.is_empty() && error.lines().count() == 1, "{arguments}: {code} {error}");
        assert!(error.contains(said), "{arguments}: {error}");
    }
}

#[test]
fn no_time_at_all_is_still_a_move() {
    for text in ["alphabeta(time=0)", "alphabeta(game-time=0)", "mcts(time=0)", "mcts(game-time=0)"] {
        let arguments = ["duel", "avalam", text, "random", "--games", "2", "--json"];
        let (code, out, error) = evalforge(&arguments);
        assert_eq!(code, 0, "{text}: {error}");
        let result: Value = serde_json::from_str(&out).unwrap();
        assert_eq!((&result["games"], &result["complete"]), (&2.into(), &true.into()), "{text}");
        assert!(result["forfeits"].to_string().len() < 10, "{text}: {out}");
    }
}

#[test]
fn who_needs_more_than_its_game_time_loses_with_the_reason_told() {
    let slow = "alphabeta(time=0.05)";
    let arguments =
        ["duel", "avalam", slow, "random", "--games", "2", "--game-time", "0.12", "--threads", "1"];
    let (code, out, error) = evalforge(&arguments);
    assert_eq!(code, 0, "{error}");
    assert!(out.contains(", 0.12 s a game each, seed 1") && out.contains("won 0"), "{out}");
    assert!(out.contains("time: the game time of 0.12 s is used up"), "{out}");
}

#[test]
fn openings_may_reach_to_the_last_moves() {
    let (code, out, error) = evalforge(&[
        "duel",
        "avalam",
        "alphabeta(depth=3)",
        "random",
        "--games",
        "4",
        "--openings",
        "30",
        "--json",
    ]);
    assert_eq!(code, 0, "{error}");
    let result: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(result["games"], 4, "{out}");
}
