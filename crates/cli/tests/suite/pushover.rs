//! Push-over as its users meet it: the published experiment in small, and learning with no expert.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{begin, done, evalforge, folder, parameters};

fn muller(more: &[&str]) -> Value {
    let text =
        done(&[&["reproduce", "pushover-muller", "--quick", "--games", "12", "--json"], more].concat());
    let mut value: Value = serde_json::from_str(&text).unwrap();
    // What may differ from time to time.
    value["seconds"].take();
    value["threads"].take();
    value
}

/// The share that o wins in a cell.
fn cell(made: &Value, table: &str, o: &str, plus: &str) -> f64 {
    let tables = made["tables"].as_array().unwrap();
    let table = tables.iter().find(|one| one["table"] == table).expect("the table is there");
    let cells = table["cells"].as_array().unwrap();
    let cell = cells.iter().find(|cell| cell["o"] == o && cell["+"] == plus).expect("the cell is there");
    assert_eq!(cell["n"], 12);
    cell["won_by_o"].as_f64().unwrap()
}

#[test]
fn the_published_experiment_in_small() {
    let place = folder("pushover", "muller");
    let made = muller(&["--threads", "2", "--out", place.to_str().unwrap()]);
    assert_eq!(made["tables"].as_array().unwrap().len(), 6);
    // Two moves ahead the expert beats itself one move ahead on both sides, and so does the network.
    assert!(cell(&made, "4.1", "e2", "e1") > 0.7 && cell(&made, "4.1", "e1", "e2") < 0.4, "{made}");
    assert!(cell(&made, "4.2", "r*2", "e1") > 0.7 && cell(&made, "4.2", "e1", "r*2") < 0.4, "{made}");
    assert_eq!(made["database"]["games"], 600);
    assert_eq!(made, muller(&["--threads", "1"]), "the number of threads changes nothing");
    let other = muller(&["--seed", "5"]);
    assert!(other["seed"] == 5 && other["database"]["positions"] != made["database"]["positions"]);
    // What was kept can be learned from and played with.
    let lines = fs::read_to_string(place.join("database.txt")).unwrap().lines().count();
    assert_eq!(made["database"]["positions"], lines);
    for name in ["r", "r-balanced", "r-won-by-o", "r-won-by-plus", "r-features"] {
        let player = format!("alphabeta(depth=2, eval={})", place.join(format!("{name}.json")).display());
        done(&["duel", "pushover", &player, "random", "--games", "2"]);
    }
    for (arguments, said) in [
        (["reproduce", "tetris-scores", "--seed", "3"], "--seed is for pushover-muller"),
        (["reproduce", "avalam-table", "--games", "3"], "--games is for tetris-scores and pushover-muller"),
        (["reproduce", "pushover-muller", "--only", "5x5"], "--only is for tetris-scores"),
        (["reproduce", "pushover-muller", "--games", "1"], "games"),
    ] {
        let (code, _, error) = evalforge(&arguments);
        assert!(code == 2 && error.contains(said), "{error}");
    }
}

/// Figures with intervals are in docs/results/pushover.md; these games only show that the right files are shipped.
#[test]
fn the_shipped_functions_beat_the_expert() {
    for (size, name) in [("4", "pusher"), ("5", "pusher-5x5")] {
        let own = format!("alphabeta(depth=2, table=0, eval={name})");
        let out = done(&[
            "duel",
            "pushover",
            "--size",
            size,
            &own,
            "alphabeta(depth=2, table=0, eval=expert)",
            "--games",
            "60",
            "--openings",
            "4",
            "--json",
        ]);
        let value: Value = serde_json::from_str(&out).unwrap();
        let (score, wins) = (value["score"].as_f64().unwrap(), value["wins_as"].clone());
        assert!(score > 0.7, "{name}: {score}");
        let sum = wins["first"].as_u64().unwrap() + wins["second"].as_u64().unwrap();
        assert_eq!(Some(sum), value["wins"].as_u64());
    }
    let (code, _, error) = evalforge(&["duel", "pushover", "pusher-5x5", "random", "--games", "2"]);
    assert!(code == 2 && error.contains("pusher-5x5"), "{error}");
}

const SELF_PLAY: &str = r#"
generations = 12
task = { name = "pushover", size = 3 }
model = { features = "board", form = "mlp(6)" }
learner = { name = "td", games = 300 }
fitness = { openings = 2 }
curve = { games = 20, every = 3, search = "alphabeta(depth=2, table=0)", against = ["random", "perfect"] }
score = [{ games = 40, against = ["random"], rules = { size = 3 } }]
"#;

fn write(place: &Path, text: &str) -> String {
    let file = place.join("it.toml");
    fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_string()
}

#[test]
fn learning_with_no_expert_survives_being_killed() {
    let place = folder("pushover", "killed");
    for (name, learner) in [
        ("td", "name = \"td\", games = 300"),
        (
            "rounds",
            "name = \"rounds\", games = 60, window = 3, iterations = 10, label = \"return\", lambda = 0.5",
        ),
    ] {
        let file = write(&place, &SELF_PLAY.replace("name = \"td\", games = 300", learner));
        let [whole, broken] = ["whole", "broken"].map(|how| place.join(format!("{name}-{how}")));
        let out = done(&["learn", &file, "--out", whole.to_str().unwrap(), "--threads", "1"]);
        assert!(out.contains("pushover against random"), "{out}");
        let mut child = begin(&["learn", &file, "--out", broken.to_str().unwrap(), "--threads", "2"]);
        let (log, begun) = (broken.join("log.jsonl"), Instant::now());
        while fs::read_to_string(&log).map_or(0, |text| text.lines().count()) < 5 {
            assert!(begun.elapsed() < Duration::from_secs(60) && child.try_wait().unwrap().is_none());
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        done(&["learn", "--resume", broken.to_str().unwrap()]);
        assert_eq!(parameters(&whole), parameters(&broken), "{name}");
    }
    // The curve is that of each opponent by itself: chance loses, perfect play does not lose to what is not perfect.
    let log = fs::read_to_string(place.join("td-whole/log.jsonl")).unwrap();
    let last: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    let score = |i: usize| last["rivals"][i]["score"]["mean"].as_f64().unwrap();
    assert_eq!(
        (&last["rivals"][0]["against"], &last["rivals"][1]["against"]),
        (&"random".into(), &"perfect".into())
    );
    assert!(score(0) > 0.6 && score(1) <= 0.5, "{last}");
    let csv = place.join("it.csv");
    done(&["runs", place.join("td-whole").to_str().unwrap(), "--csv", csv.to_str().unwrap()]);
    let head = fs::read_to_string(&csv).unwrap().lines().next().unwrap().to_string();
    assert!(head.contains("against perfect,n of against perfect"), "{head}");
    let page = fs::read_to_string(place.join("td-whole/report.html")).unwrap();
    assert!(page.contains("Against each opponent") && page.contains("against perfect"));
}

#[test]
fn wrong_experiments_with_no_expert_are_refused() {
    let place = folder("pushover", "wrong");
    let file = write(&place, SELF_PLAY);
    for (key, said) in [
        ("learner.lamda=1", "did you mean 'lambda'"),
        ("learner.lambda=2", "learner: lambda = 2: must be from 0 to 1"),
        ("learner.name=tdd", "unknown learner 'tdd' (did you mean 'td'?)"),
        ("fitness.games=3", "td plays itself"),
        ("fitness.against=[\"random\"]", "td plays itself"),
        ("model.bounds=[-1, 1]", "bounds: td knows none"),
        ("model.search=mcts", "not by the clock"),
        ("curve.against=[]", "curve: against is missing"),
        ("curve.against=[\"nobody\"]", "unknown player 'nobody'"),
        ("curve.search=alphabeta(depth=0)", "depth cannot be '0'"),
        ("runs=2", "must be finalists"),
        ("task.size=7", "size"),
        ("task.name=tetris", "for games of two"),
    ] {
        let out = place.join("never");
        let (code, _, error) = evalforge(&["learn", &file, "--out", out.to_str().unwrap(), "--set", key]);
        assert!(code == 2 && error.contains(said) && error.trim_end().lines().count() == 1, "{key}: {error}");
    }
    // On 5x5 nobody is perfect, and that is known before anything starts.
    let (code, _, error) = evalforge(&["learn", &file, "--out", "never", "--set", "task.size=5"]);
    assert!(code == 2 && error.contains("3^25"), "{error}");
}
