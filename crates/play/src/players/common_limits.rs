//! Limits that all players of a match have in common. They are put into the players' texts, so that every report, journal
//! and saved game names what really played.

use notation::{one_line, shown};
use thiserror::Error;

use super::notation::Call;
use super::spec::{self, LIMITS, Spec};
use crate::search::Limits;

/// A common limit that cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{key} = {value}: {reason}")]
pub struct CommonLimitError {
    key: &'static str,
    value: String,
    reason: String,
}

/// A limit as it is written: its key and its value.
type Written = (&'static str, String);

/// The texts of players with these limits in them. Players that do not search stay as they are. A game time is for searches that
/// nothing else limits: the arena counts it in any case, and tells other programs.
///
/// # Errors
/// A limit is unknown to a player that searches, goes ill with one in its text, or is none for any of them.
pub fn with_common_limits(players: &[String], common: &Limits) -> Result<Vec<String>, CommonLimitError> {
    let all = written(common);
    let equal: Vec<Written> = all.iter().filter(|(key, _)| *key != "game-time").cloned().collect();
    if equal.is_empty() {
        let with_game_time = |text: &String| match search(text).filter(|call| own_limit(call).is_none()) {
            Some(call) => Ok(limited(text, call, &all)?.0),
            None => Ok(text.clone()),
        };
        return players.iter().map(with_game_time).collect();
    }
    let (mut texts, mut used) = (Vec::new(), Vec::new());
    for text in players {
        let call = search(text).or_else(|| external(text));
        let Some(call) = call else {
            texts.push(text.clone());
            continue;
        };
        if let Some((own, value)) = own_limit(&call) {
            let (player, value) = (shown(text), one_line(&value));
            let reason = format!(
                "player {player} has {own} = {value} of its own; limits would not be equal: leave one out"
            );
            return Err(refused(&equal[0], reason));
        }
        let (text, keys) = limited(text, call, &equal)?;
        texts.push(text);
        used.extend(keys);
    }
    match equal.iter().find(|(key, _)| !used.contains(key)) {
        Some(limit) => {
            Err(refused(limit, "no player of the match searches, so that it limits nobody".into()))
        }
        None => Ok(texts),
    }
}

fn refused((key, value): &Written, reason: String) -> CommonLimitError {
    CommonLimitError { key, value: value.clone(), reason }
}

fn written(limits: &Limits) -> Vec<Written> {
    let Limits { depth, nodes, simulations, time, game_time } = limits;
    let all = [
        ("depth", depth.map(|depth| depth.to_string())),
        ("nodes", nodes.map(|nodes| nodes.to_string())),
        ("simulations", simulations.map(|games| games.to_string())),
        ("time", time.map(|seconds| seconds.to_string())),
        ("game-time", game_time.map(|seconds| seconds.to_string())),
    ];
    all.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
}

/// The options of a player that searches. What is wrong with a text, the player says itself.
fn search(text: &str) -> Option<Call> {
    spec::is_spec(text).then(|| Call::parse(text).ok()).flatten()
}

/// The options of a player that is another program, as far as they can be read: a server's address need not follow the notation.
fn external(text: &str) -> Option<Call> {
    let name = Call::name_of(text);
    let bare = || Call { name: name.to_string(), options: Vec::new() };
    (name == "external").then(|| Call::parse(text).unwrap_or_else(|_| bare()))
}

/// The first limit that stands in a player's own text, or in those of its parts.
fn own_limit(call: &Call) -> Option<(String, String)> {
    let own = call.options.iter().find(|(key, _)| LIMITS.contains(&key.as_str())).cloned();
    own.or_else(|| parts(call).find_map(|(_, part)| own_limit(&part)))
}

/// The parts of a hybrid, with their places among its options; others have none.
fn parts(call: &Call) -> impl Iterator<Item = (usize, Call)> {
    let is_part = |key: &str| call.name == "hybrid" && key.parse::<u32>().is_ok();
    let parts = call.options.iter().enumerate().filter(move |(_, (key, _))| is_part(key));
    parts.filter_map(|(place, (_, text))| Some((place, Call::parse(text).ok()?)))
}

/// The text of a player with limits in it, printed as searches are, and the keys of those that limit something in it.
fn limited(
    text: &str,
    mut call: Call,
    limits: &[Written],
) -> Result<(String, Vec<&'static str>), CommonLimitError> {
    let mut used = Vec::new();
    for limit in limits {
        let is_used = put(&mut call, limit)
            .map_err(|reason| refused(limit, format!("player {}: {reason}", shown(text))))?;
        used.extend(is_used.then_some(limit.0));
    }
    if used.is_empty() {
        return Ok((text.to_string(), used));
    }
    let text = call.to_string();
    Ok((Spec::parse(&text).map_or(text, |spec| spec.to_string()), used))
}

/// Puts a limit into a search, or into the parts of a hybrid; whether anything is limited by it. Else the reason why not.
fn put(call: &mut Call, (key, value): &Written) -> Result<bool, String> {
    let known = known(call);
    let has_own = known.contains(key);
    if call.name == "hybrid" {
        let mut is_used = false;
        for (place, mut part) in parts(call).collect::<Vec<_>>() {
            is_used |= put(&mut part, &(key, value.clone()))?;
            // What the whole is limited by need not be said again.
            if !has_own {
                call.options[place].1 = part.to_string();
            }
        }
        if is_used && has_own {
            call.options.push((key.to_string(), value.clone()));
        }
        return Ok(is_used);
    }
    if has_own {
        call.options.push((key.to_string(), value.clone()));
        return Ok(true);
    }
    // Who looks one move ahead has nothing to limit; who does not look at a clock may lose by it.
    if known.is_empty() || *key == "game-time" {
        return Ok(false);
    }
    let known = known.join(", ");
    Err(match call.name.as_str() {
        "external" => format!("it cannot be passed on to another program; known: {known}"),
        name => format!("{name} has no such limit; known: {known}"),
    })
}

/// The limits that a search knows, or that can be passed on to another program.
fn known(call: &Call) -> Vec<&'static str> {
    match call.name.as_str() {
        "external" if call.options.iter().any(|(key, _)| key == "nboard") => vec!["depth"],
        "external" => vec!["game-time"],
        name => spec::limits_of(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(players: &[&str], common: Limits) -> Result<Vec<String>, String> {
        let players: Vec<String> = players.iter().map(ToString::to_string).collect();
        with_common_limits(&players, &common).map_err(|error| error.to_string())
    }

    fn one(text: &str, common: Limits) -> String {
        texts(&[text], common).expect(text).remove(0)
    }

    #[test]
    fn limits_are_put_into_the_texts_of_searches() {
        let [depth, nodes, time] = [Limits::depth(6), Limits::nodes(500), Limits::time(0.1)];
        for (text, common, printed) in [
            ("alphabeta", depth, "alphabeta(depth=6)"),
            ("alphabeta()", nodes, "alphabeta(nodes=500)"),
            (" alphabeta( eval=a b.json,table=0 )", time, "alphabeta(time=0.1, table=0, eval=a b.json)"),
            ("minimax(eval=surveyor)", depth, "minimax(depth=6, eval=surveyor)"),
            ("mcts", nodes, "mcts(nodes=500)"),
            ("mcts(rollout=greedy)", time, "mcts(time=0.1, rollout=greedy)"),
            ("mcts", Limits::simulations(9), "mcts(simulations=9)"),
            ("alphabeta", depth.and(&time), "alphabeta(depth=6, time=0.1)"),
            ("hybrid(1: mcts, 20: alphabeta)", time, "hybrid(time=0.1, 1: mcts, 20: alphabeta)"),
            ("hybrid(1: mcts, 20: alphabeta)", nodes, "hybrid(1: mcts(nodes=500), 20: alphabeta(nodes=500))"),
            (
                "hybrid(1: greedy, 9: hybrid(1: alphabeta(eval=x)))",
                depth.and(&time),
                "hybrid(time=0.1, 1: best-move, 9: hybrid(1: alphabeta(depth=6, eval=x)))",
            ),
            (
                "external(nboard=\"edax -n\", seconds=9)",
                depth,
                "external(nboard=edax -n, seconds=9, depth=6)",
            ),
        ] {
            assert_eq!(one(text, common), printed);
            // What is printed is what would have been given: with no common limit it stays as it is.
            assert_eq!(one(printed, Limits::default()), printed);
        }
    }

    #[test]
    fn who_does_not_search_stays_as_it_is() {
        for text in
            ["random", "greedy", "greedy(eval=x)", "best-move", "patterns", "a/b.json", "perfect(table=t)"]
        {
            let players = texts(&[text, "alphabeta"], Limits::depth(3)).expect(text);
            assert_eq!(players, [text, "alphabeta(depth=3)"]);
            let error = texts(&[text, "random"], Limits::depth(3)).expect_err(text);
            assert_eq!(error, "depth = 3: no player of the match searches, so that it limits nobody");
        }
        for common in [Limits::time(1.0), Limits::depth(3)] {
            let error =
                texts(&["hybrid(1: best-move)", "random"], common).expect_err("nothing in it searches");
            assert!(error.contains("limits nobody"), "{error}");
        }
    }

    #[test]
    fn what_is_not_equal_or_not_known_is_refused_by_name() {
        for (text, common, said) in [
            (
                "mcts(eval=x)",
                Limits::depth(6),
                "depth = 6: player 'mcts(eval=x)': mcts has no such limit; known: nodes, simulations, time, game-time",
            ),
            (
                "minimax",
                Limits::time(0.5),
                "time = 0.5: player 'minimax': minimax has no such limit; known: depth",
            ),
            ("hybrid(1: mcts)", Limits::depth(6), "player 'hybrid(1: mcts)': mcts has no such limit"),
            ("hybrid(1: minimax, 9: mcts)", Limits::time(1.0), "minimax has no such limit; known: depth"),
            (
                "alphabeta(depth=4)",
                Limits::time(0.1),
                "time = 0.1: player 'alphabeta(depth=4)' has depth = 4 of its own",
            ),
            ("alphabeta(depth=4)", Limits::depth(4), "has depth = 4 of its own"),
            ("alphabeta(eval=x, nodes=7)", Limits::depth(4), "has nodes = 7 of its own"),
            ("alphabeta(game-time=5)", Limits::time(1.0), "has game-time = 5 of its own"),
            ("mcts(simulations=10)", Limits::nodes(4), "has simulations = 10 of its own"),
            ("hybrid(1: mcts, 9: alphabeta(time=2))", Limits::nodes(4), "has time = 2 of its own"),
            ("external(nboard=edax, depth=8)", Limits::depth(4), "has depth = 8 of its own"),
            (
                "external(gtp=rhino)",
                Limits::time(1.0),
                "time = 1: player 'external(gtp=rhino)': it cannot be passed on to another program; known: game-time",
            ),
            ("external(nboard=edax)", Limits::time(1.0), "another program; known: depth"),
            ("external(xmlrpc=\"http://h:1\")", Limits::depth(1), "another program; known: game-time"),
            (
                "external(xmlrpc=\"http://h:1/(\", seconds=1)",
                Limits::time(1.0),
                "another program; known: game-time",
            ),
        ] {
            let error = texts(&["alphabeta", text], common).expect_err(text);
            assert!(error.contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn a_game_time_is_for_searches_that_nothing_else_limits() {
        let game_time = Limits::game_time(5.0);
        for (text, printed) in [
            ("alphabeta(eval=surveyor)", "alphabeta(game-time=5, eval=surveyor)"),
            ("mcts", "mcts(game-time=5)"),
            ("hybrid(1: best-move, 9: alphabeta)", "hybrid(game-time=5, 1: best-move, 9: alphabeta)"),
            ("hybrid(1: minimax, 9: mcts)", "hybrid(game-time=5, 1: minimax(depth=2), 9: mcts)"),
        ] {
            assert_eq!(one(text, game_time), printed);
        }
        for text in [
            "random",
            "minimax",
            "alphabeta( game-time=5,eval=surveyor)",
            "alphabeta(game-time=60)",
            "alphabeta(depth=3)",
            "mcts(simulations=7)",
            "hybrid(1: best-move, 9: alphabeta(depth=3))",
            "hybrid(1: best-move)",
            "external(gtp=rhino)",
        ] {
            assert_eq!(one(text, game_time), text);
        }
        assert_eq!(one("alphabeta", game_time.and(&Limits::depth(3))), "alphabeta(depth=3)");
    }
}
