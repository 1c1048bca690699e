//! Texts of players come from outside: whatever they say, they are read or refused, soon, in one line, without a deep stack.

use std::time::{Duration, Instant};

use play::players::PlayerSpec;
use play::players::common_limits::with_common_limits;
use play::players::spec::Spec;
use play::search::Limits;
use play::{Games as _, PlayedGame, Visitor};
use proptest::prelude::*;

/// What each game says about a text: its error, or nothing if there is such a player.
struct Asked<'a>(&'a str, Vec<Option<String>>);

impl Visitor for Asked<'_> {
    fn game<G: PlayedGame>(&mut self) {
        let read = PlayerSpec::<G>::parse(&G::Rules::default(), self.0);
        self.1.push(read.err().map(|error| error.to_string()));
    }
}

/// The answers of all games; each is a line without anything that a terminal obeys.
fn asked(text: &str) -> Vec<Option<String>> {
    let mut asked = Asked(text, Vec::new());
    games::Listed::visit(&mut asked);
    if let Some(raw) = asked.1.iter().flatten().find(|error| error.contains(char::is_control)) {
        panic!("{text:?} is answered by {raw:?}");
    }
    asked.1
}

fn nested(before: &str, innermost: &str, depth: usize) -> String {
    format!("{}{innermost}{}", before.repeat(depth), ")".repeat(depth))
}

#[test]
fn texts_that_are_too_deep_are_refused_before_anything_recurses() {
    for before in
        ["hybrid(1: ", "lookahead(", "alphabeta(eval=", "mcts(eval=[", "linear(", "lookahead({\"a\": "]
    {
        for depth in [33, 3000, 300_000] {
            for text in [nested(before, "best-move", depth), before.repeat(depth)] {
                for error in asked(&text) {
                    let error = error.expect("there is no such player");
                    assert!(error.contains("too deep in one another; allowed: 32 levels"), "{error}");
                }
                let players = [text.clone(), "alphabeta".into()];
                assert_eq!(with_common_limits(&players, &Limits::depth(3)).unwrap()[0], text);
            }
        }
    }
    // On a small stack too.
    let deepest = nested("hybrid(1: ", "best-move", 31);
    let read = std::thread::Builder::new().stack_size(256 << 10).spawn(move || Spec::parse(&deepest));
    let deepest = read.unwrap().join().expect("the stack suffices").unwrap();
    assert_eq!(Spec::parse(&deepest.to_string()).unwrap(), deepest);
}

#[test]
fn a_search_that_is_printed_with_brackets_is_not_too_deep_then() {
    let deepest = Spec::parse(&nested("hybrid(1: ", "mcts", 31)).unwrap();
    assert_eq!(Spec::parse(&deepest.to_string()).unwrap(), deepest);
    let error = Spec::parse(&nested("hybrid(1: ", "mcts", 32)).unwrap_err().to_string();
    assert!(error.contains("player 'mcts': brackets stand too deep in one another"), "{error}");
}

#[test]
fn texts_of_a_megabyte_are_answered_soon() {
    const MEGABYTE: usize = 1 << 20;
    let long = |part: &str| part.repeat(MEGABYTE / part.len());
    let steps: String = (1..MEGABYTE / 10).map(|step| format!("{step}:mcts,")).collect();
    for text in [
        nested("hybrid(1: ", &long("x"), 31),
        nested("hybrid(1: ", &format!("mcts({})", long("a=1,")), 31),
        nested("hybrid(1: ", &format!("mcts(eval=\"{}\")", long("\\\"")), 31),
        nested("lookahead(", &long("{"), 31),
        format!("hybrid({steps})"),
        format!("hybrid({})", long("1:mcts,")),
        format!("alphabeta({})", long("depth=1,")),
        format!("alphabeta(eval={})", long("x")),
        format!("linear({}; 1)", long("holes,")),
        format!("linear({}; 1)", long("heights,")),
        format!("linear({}; 1)", long("+squares")),
        format!("linear(holes; {})", long("1,")),
        format!("external({})", long("gtp=x,")),
        format!("perfect({})", long("table=x,")),
        long("hybrid(1: "),
        long("alphabeta("),
        long("\"("),
        long("a/"),
        long("{\"a\":"),
        long("\\"),
        long("é"),
    ] {
        let begun = Instant::now();
        asked(&text);
        let _ = with_common_limits(&[text.clone(), "mcts".into()], &Limits::time(1.0));
        // A tenth of it alone; what takes the square of the length takes minutes.
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?} {:?}", &text[..40], begun.elapsed());
    }
}

#[test]
fn nothing_of_a_text_is_printed_raw() {
    let raw = "\u{1b}[31m\n\r\u{7}\u{202e}";
    for text in [
        raw.to_string(),
        format!("a/{raw}.json"),
        format!("{raw}(a=1)"),
        format!("{raw}(a=1"),
        format!("alphabeta({raw})"),
        format!("alphabeta({raw}=1)"),
        format!("alphabeta(depth={raw}1)"),
        format!("alphabeta(clock=\"{raw}\")"),
        format!("alphabeta(probcut=\"{raw}\")"),
        format!("alphabeta(eval=\"{raw}\")"),
        format!("alphabeta(eval=\"linear({raw}; 1)\")"),
        format!("alphabeta(update=a{raw}b)"),
        format!("mcts(rollout=a{raw}b)"),
        format!("hybrid(1: a{raw}b)"),
        format!("hybrid(1: a{raw}b(a=1))"),
        format!("greedy({raw}b)"),
        format!("perfect(table=a{raw}b)"),
        format!("perfect(a{raw}b=1)"),
        format!("optimal(a{raw}b)"),
        format!("lookahead(a{raw}b)"),
        format!("linear(a{raw}b; 1)"),
        format!("linear(phases(a{raw}b); 1)"),
        format!("linear(mobility,phases(a{raw}b),phases(a{raw}b); 1)"),
        format!("a{raw}.tables"),
        "{\"\\u001b[31m\": 1}".to_string(),
        "{\"format\": \"\\u001b[31m\", \"game\": \"\", \"features\": \"\", \"model\": \"\", \"parameters\": {}}".to_string(),
        "{\"format\": \"evalforge model 1\", \"game\": \"\\u001b\", \"features\": \"\", \"model\": \"\", \"parameters\": {}}".to_string(),
    ] {
        assert!(asked(&text).iter().all(Option::is_some), "{text:?}");
        for own in [text.clone(), format!("alphabeta(depth={text})")] {
            let limited = with_common_limits(&[own, "alphabeta".into()], &Limits::depth(1));
            let said = limited.map_or_else(|error| error.to_string(), |_| String::new());
            assert!(!said.contains(char::is_control), "{text:?} {said:?}");
        }
    }
}

/// Texts that have something of players.
fn any_player() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        proptest::sample::select(vec![
            "alphabeta",
            "mcts",
            "hybrid",
            "minimax",
            "best-move",
            "greedy",
            "random",
            "lookahead",
            "linear",
            "external",
            "perfect",
            "optimal",
            "score",
            "depth",
            "nodes",
            "time",
            "game-time",
            "credit",
            "swindle",
            "hope",
            "rollout",
            "epsilon",
            "confidence",
            "probcut",
            "update",
            "eval",
            "clock",
            "table",
            "cut",
            "on",
            "off",
            "patterns",
            "phases",
            "mobility",
        ])
        .prop_map(str::to_string),
        proptest::sample::select(vec![
            "(", ")", "(", ")", "=", "=", ",", ", ", ": ", ";", "\"", "\\", "{", "}", "[", "]"
        ])
        .prop_map(str::to_string),
        "[0-9.e+-]{1,4}",
        any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(word, 0..16).prop_map(|words| words.concat())
}

/// Searches of which most are read.
fn any_search() -> impl Strategy<Value = String> {
    let value =
        prop_oneof!["[0-9]{1,3}", "0?\\.[0-9]{1,3}", "-?0", Just("on".to_string()), "[a-z\"(),\\\\ é]{0,5}"];
    let key = proptest::sample::select(vec![
        "depth",
        "nodes",
        "time",
        "table",
        "eval",
        "cut",
        "scale",
        "rollout",
        "clock",
        "exploration",
        "simulations",
    ]);
    let option = (key, value, any::<bool>()).prop_map(|(key, value, is_quoted)| match is_quoted {
        true => format!("{key}=\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"")),
        false => format!("{key}={value}"),
    });
    let name = proptest::sample::select(vec!["best-move", "greedy", "minimax", "alphabeta", "mcts"]);
    let leaf = (name, proptest::collection::vec(option, 0..3));
    let leaf = leaf.prop_map(|(name, options)| format!("{name}({})", options.join(",")));
    leaf.prop_recursive(3, 8, 3, |inner| {
        let step = (0u32..4, "0?", inner).prop_map(|(step, zero, inner)| format!("{zero}{step}: {inner}"));
        let steps = proptest::collection::vec(step, 1..3);
        (steps, proptest::sample::select(vec!["", ",time=1", ",game-time=2"]))
            .prop_map(|(steps, limit)| format!("hybrid({}{limit})", steps.join(", ")))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn any_text_is_a_player_or_none(text in any_player()) {
        asked(&text);
        let _ = with_common_limits(&[text, "mcts".into()], &Limits::time(1.0));
    }

    #[test]
    fn what_is_read_is_printed_as_the_same(text in prop_oneof![any_search(), any_player()]) {
        if let Ok(spec) = Spec::parse(&text) {
            let printed = spec.to_string();
            let again = Spec::parse(&printed).expect(&printed);
            prop_assert_eq!(again.to_string(), printed);
            prop_assert_eq!(again, spec);
        }
    }
}
