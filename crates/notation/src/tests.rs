//! Tests of the notation: what is read, what is refused, and that any text at all is one of the two.

use proptest::prelude::*;

use super::*;

fn call(name: &str, arguments: &[(&str, &str)]) -> Call {
    let own = |text: &str| text.to_string();
    let key = |key: &str| (!key.is_empty()).then(|| own(key));
    let arguments = arguments.iter().map(|(k, value)| Argument { key: key(k), value: own(value) });
    Call { name: own(name), arguments: arguments.collect() }
}

fn parse(text: &str) -> Result<Call, SyntaxError> {
    text.parse()
}

/// A call in a call in a call, with so many brackets.
fn nested(depth: usize) -> String {
    format!("{}x{}", "a(1: ".repeat(depth), ")".repeat(depth))
}

#[test]
fn names_arguments_brackets_and_quotes_are_read() {
    for (text, read) in [
        ("alphabeta", call("alphabeta", &[])),
        (" alphabeta ( ) ", call("alphabeta", &[])),
        ("alphabeta(depth=4,eval= a/b.json ,)", call("alphabeta", &[("depth", "4"), ("eval", "a/b.json")])),
        (
            "hybrid(1: best-move, 6: mcts(time=1, cut=3))",
            call("hybrid", &[("1", "best-move"), ("6", "mcts(time=1, cut=3)")]),
        ),
        ("m(eval={\"a\": [1, 2], \"b)\": 3})", call("m", &[("eval", "{\"a\": [1, 2], \"b)\": 3}")])),
        (r#"m(eval="a, \"b\" (\\", x=1)"#, call("m", &[("eval", r#"a, "b" (\"#), ("x", "1")])),
        ("mlp(16, 8, sigmoid, T=0.5)", call("mlp", &[("", "16"), ("", "8"), ("", "sigmoid"), ("T", "0.5")])),
        ("phases(20,40)", call("phases", &[("", "20"), ("", "40")])),
        ("a(,b=1)", call("a", &[("", ""), ("b", "1")])),
        // What has no key has none in print either, whatever it looks like.
        ("a({\"b\": 1}, \"c=2\", -=x=y)", call("a", &[("", "{\"b\": 1}"), ("", "c=2"), ("-", "x=y")])),
    ] {
        assert_eq!(parse(text).unwrap(), read, "{text}");
        assert_eq!(parse(&read.to_string()).unwrap(), read, "{read}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    for (text, wrong) in [
        ("", SyntaxError::NoName),
        ("(a=1)", SyntaxError::NoName),
        ("a(b=1", SyntaxError::NoEnd),
        ("a(b=(1)", SyntaxError::NotClosed),
        ("a(b=1))", SyntaxError::NotOpened),
        ("a(b=[1)])", SyntaxError::NotOpened),
        ("a(b=\"1)", SyntaxError::OpenQuote),
        ("a(b=\"1\"2)", SyntaxError::AfterQuote),
        ("a(\"b\"=2)", SyntaxError::AfterQuote),
    ] {
        assert_eq!(parse(text), Err(wrong), "{text}");
    }
}

#[test]
fn the_inside_of_brackets_may_be_anything() {
    assert_eq!(name_and_inside("optimal(a (1, b=.table)"), Some(("optimal", "a (1, b=.table")));
    for none in ["optimal", "optimal(", "optimal)", "a(b) "] {
        assert_eq!(name_and_inside(none), None, "{none}");
    }
    assert_eq!((name_of(" a (b"), name_of("a")), ("a", "a"));
}

#[test]
fn brackets_stand_only_so_deep() {
    assert_eq!(parse(&parse(&nested(MOST_DEPTH)).unwrap().to_string()), parse(&nested(MOST_DEPTH)));
    assert_eq!(parse(&nested(MOST_DEPTH + 1)), Err(SyntaxError::TooDeep));
    assert_eq!(check_depth(&"[".repeat(100_000)), Err(SyntaxError::TooDeep));
    assert_eq!(check_depth("a) ((\""), Ok(()));
    let json = |depth: usize| format!("a({}{})", "[".repeat(depth), "]".repeat(depth));
    assert!(parse(&json(MOST_DEPTH - 1)).is_ok());
    assert_eq!(parse(&json(MOST_DEPTH)), Err(SyntaxError::TooDeep));
    // A string of JSON is no call; a quoted value may be one.
    let brackets = "(".repeat(MOST_DEPTH);
    assert!(parse(&format!("a(eval={{\"about\": \"{brackets}\"}})")).is_ok());
    assert_eq!(parse(&format!("a(eval=\"{brackets}\")")), Err(SyntaxError::TooDeep));
}

/// Quotes hide nothing: what is read as a call in turn was counted.
#[test]
fn quotes_within_quotes_are_counted() {
    let mut text = "x".to_string();
    for depth in 1..=MOST_DEPTH + 1 {
        // Every eighth value stands in quotes: if all did, there would be more backslashes than memory.
        let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
        text = if depth % 8 == 0 { format!("a(b=\"{escaped}\")") } else { format!("a(b={text})") };
        assert_eq!(parse(&text).is_ok(), depth <= MOST_DEPTH, "{depth}");
    }
}

fn any_argument() -> impl Strategy<Value = Argument> {
    (proptest::option::of("[a-zA-Z0-9-]{1,3}"), any_text()).prop_map(|(key, value)| Argument { key, value })
}

/// Texts of the signs that mean something here, and a few that do not.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![r#"[ab1 ,()\[\]{}=:;"\\é.\n\x1b-]{0,24}"#, r#"[a(){}"\\=,]{0,60}"#, any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn any_text_is_read_or_refused_and_printed_as_the_same(text in any_text()) {
        let _ = check_depth(&text);
        for text in [text.clone(), format!("name({text})")] {
            if let Ok(read) = parse(&text) {
                prop_assert_eq!(parse(&read.to_string()), Ok(read));
            }
        }
    }

    #[test]
    fn whatever_the_values_what_is_printed_reads_the_same(
        arguments in proptest::collection::vec(any_argument(), 0..4)
    ) {
        let made = Call { name: "name".into(), arguments };
        // Only a value of too many brackets has no text.
        if made.arguments.iter().all(|argument| argument.value.matches(['(', '[', '{']).count() < MOST_DEPTH) {
            prop_assert_eq!(parse(&made.to_string()), Ok(made));
        }
    }

    #[test]
    fn foreign_text_is_never_shown_raw(text in "[\\x00-\\x20\\x7f-\\xa0a'\"\\\\]{0,20}") {
        prop_assert!(!shown(&text).contains(char::is_control));
        prop_assert!(!one_line(&text).contains(char::is_control));
    }
}
