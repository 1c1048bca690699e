//! What the generic tests share: the data of a game's folder.

use std::path::PathBuf;

use games::{Game, Rules};

/// A file of a game's folder `golden/`, which is found by the game's name.
pub fn golden_path<G: Game>(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src").join(G::NAME).join("golden").join(file)
}

/// A line of `perft.txt`: `options | position | depth:leaves ... | source`, with `-` for no options and `start`.
pub struct PerftLine<G: Game> {
    pub rules: G::Rules,
    pub position: G,
    pub counts: Vec<(u32, u64)>,
}

pub fn perft_lines<G: Game>() -> Vec<PerftLine<G>> {
    let path = golden_path::<G>("perft.txt");
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("every game needs {}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let parse =
        |line: &str| perft_line(line).unwrap_or_else(|why| panic!("{}: {line}: {why}", path.display()));
    let parsed: Vec<PerftLine<G>> = lines.map(parse).collect();
    assert!(!parsed.is_empty(), "{} holds no counts", path.display());
    parsed
}

fn perft_line<G: Game>(line: &str) -> Result<PerftLine<G>, String> {
    let fields: Vec<&str> = line.split(" | ").map(str::trim).collect();
    let [options, position, counts, source] = fields[..] else {
        return Err("four fields make a line".into());
    };
    if source.is_empty() {
        return Err("where do the numbers come from?".into());
    }
    let words = options.split_whitespace().filter(|&word| word != "-");
    let pairs: Option<Vec<(&str, &str)>> = words.map(|pair| pair.split_once('=')).collect();
    let pairs = pairs.ok_or("an option is key=value")?;
    let rules = <G::Rules as Rules>::from_pairs(pairs).map_err(|error| error.to_string())?;
    let position = match position {
        "start" => G::start(&rules),
        text => G::parse(&rules, text).map_err(|error| error.to_string())?,
    };
    let count = |word: &str| {
        let (depth, leaves) = word.split_once(':')?;
        Some((depth.parse().ok()?, leaves.parse().ok()?))
    };
    let counts: Option<Vec<(u32, u64)>> = counts.split_whitespace().map(count).collect();
    Ok(PerftLine { rules, position, counts: counts.ok_or("a count is depth:leaves")? })
}

/// The rules to test a game under: all that its counts name.
pub fn variants<G: Game>() -> Vec<G::Rules> {
    let mut all: Vec<G::Rules> = Vec::new();
    for line in perft_lines::<G>() {
        if !all.contains(&line.rules) {
            all.push(line.rules);
        }
    }
    all
}
