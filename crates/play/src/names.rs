//! Names given by people: an unknown one is answered with those there are, and the nearest.

use games::error::shown;
use thiserror::Error;

/// The longest name that is compared with the known ones, in bytes: none of those is as long.
const LONGEST_SLIP: usize = 500;

/// A name that is on no list.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown {kind} {}{}; known: {}", shown(.name), hint(.nearest.as_deref()), .known.join(", "))]
pub struct UnknownName {
    /// What was asked for, as "game".
    pub kind: &'static str,
    /// The name as given.
    pub name: String,
    /// The known name that is most like it, if one is.
    pub nearest: Option<String>,
    /// Every known name.
    pub known: Vec<String>,
}

impl UnknownName {
    /// The error about this name.
    pub fn new<'a>(kind: &'static str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let known: Vec<String> = known.into_iter().map(str::to_string).collect();
        let nearest = nearest(name, known.iter().map(String::as_str)).map(str::to_string);
        Self { kind, name: name.to_string(), nearest, known }
    }
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map_or(String::new(), |name| format!(" (did you mean '{name}'?)"))
}

/// The known name that is most like the given one, if it is like it at all.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A whole text is no slip, and comparing takes time and memory by its length.
    if name.len() > LONGEST_SLIP {
        return None;
    }
    let rated = known.into_iter().map(|other| (likeness(name, other), other));
    rated.filter(|(like, _)| *like > 0.6).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, other)| other)
}

/// How much a name is like a known one, from 0 to 1: by the letters that differ. What all options begin with says nothing.
pub fn likeness(name: &str, known: &str) -> f64 {
    let lower = name.trim_start_matches('-').to_lowercase();
    let known = known.trim_start_matches('-');
    match known.starts_with(&lower) && lower.len() >= 2 {
        true => 1.0,
        false => strsim::normalized_damerau_levenshtein(&lower, known),
    }
}

/// Whether a name is like a pattern, in which `*` stands for anything, nothing too.
pub fn is_like(name: &str, pattern: &str) -> bool {
    let Some((begin, rest)) = pattern.split_once('*') else { return name == pattern };
    let Some(name) = name.strip_prefix(begin) else { return false };
    let mut ends = name.char_indices().map(|(i, _)| i).chain([name.len()]);
    ends.any(|end| is_like(&name[end..], rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: [&str; 4] = ["tetris", "othello", "pushover", "avalam"];

    #[test]
    fn slips_are_recognised_and_nonsense_is_not() {
        for (slip, meant) in
            [("otello", "othello"), ("push-over", "pushover"), ("Tetrs", "tetris"), ("av", "avalam")]
        {
            assert_eq!(nearest(slip, GAMES), Some(meant), "{slip}");
        }
        assert_eq!(nearest("chess", GAMES), None);
        assert_eq!(nearest("", GAMES), None);
        assert_eq!(nearest("--heigth", ["--help", "--height"]), Some("--height"));
        // Words that only look alike from afar are no help.
        assert_eq!(nearest("--level", ["--help", "--delay", "--seed", "--resume"]), None);
        assert_eq!(nearest("--alpha", ["--help", "--nodes", "--depth", "--scale"]), None);
        assert_eq!(nearest("budget", ["about", "runs", "task", "deploy", "generations", "target"]), None);
    }

    #[test]
    fn a_star_stands_for_anything() {
        for (name, pattern, like) in [
            ("holes", "holes", true),
            ("holes", "hole", false),
            ("holes", "hole*", true),
            ("holes", "holes*", true),
            ("pairs:0,1", "pairs:*", true),
            ("pairs:0,1", "*,1", true),
            ("pairs:0,1", "p*:*0", false),
            ("", "*", true),
            ("größe", "*ö*e", true),
        ] {
            assert_eq!(is_like(name, pattern), like, "{name} {pattern}");
        }
    }

    #[test]
    fn the_message_lists_what_there_is() {
        let message = UnknownName::new("game", "otelo", GAMES).to_string();
        let expected =
            "unknown game 'otelo' (did you mean 'othello'?); known: tetris, othello, pushover, avalam";
        assert_eq!(message, expected);
    }
}
