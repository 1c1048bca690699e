//! Games as text that people can read and `replay` reads back: headers, one a line, then the moves and their times in
//! microseconds, and what the players thought of them; an empty line between games. Nothing in such a file is trusted: every move is checked when it is replayed.

use games::error::shown;
use games::{InputError, Rules};
use play::PlayedGame;
use play::recorded::{GameEnd, WrittenGame};
use thiserror::Error;

use super::{DuelSetup, PlayedPair, Reason, Thought, Verdict, Winner};

const FORMAT: &str = "evalforge game 1";
/// Games longer than this are no games.
const MOST_MOVES: usize = 1_000_000;

/// The result of a game that was left before its end.
const UNFINISHED: &str = "unfinished";

/// A game of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct GameRecord {
    /// The game's name.
    pub game: String,
    /// Its options, where they are not the usual ones.
    pub rules: Vec<(String, String)>,
    /// Who had the first side.
    pub first: String,
    /// Who had the second side.
    pub second: String,
    /// Where it began.
    pub opening: String,
    /// Who has won; none if it was left before its end.
    pub winner: Option<Winner>,
    /// Why it ended.
    pub reason: String,
    /// The moves.
    pub moves: Vec<String>,
    /// The time of each in microseconds; empty if nobody has measured it.
    pub micros: Vec<u64>,
    /// What its player thought of each; empty if nobody thought in numbers.
    pub thoughts: Vec<Option<Thought>>,
}

/// A text that is no list of games.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct RecordError {
    /// The line, the first being 1.
    pub line: usize,
    /// What is wrong, and what is expected.
    pub reason: String,
}

/// The two games of a pair.
pub fn records<G: PlayedGame>(setup: &DuelSetup<G>, pair: &PlayedPair) -> [GameRecord; 2] {
    // A model may be given as a text of several lines.
    let name = |player: usize| setup.players[player].split_whitespace().collect::<Vec<_>>().join(" ");
    let pairs = || setup.rules.to_pairs().into_iter().map(|(key, value)| (key.to_string(), value)).collect();
    [[0, 1], [1, 0]].map(|[number, other]| {
        let game = &pair.games[number];
        let players = [pair.first, pair.second];
        GameRecord {
            game: G::NAME.to_string(),
            rules: pairs(),
            first: name(players[number]),
            second: name(players[other]),
            opening: pair.opening.clone(),
            winner: Some(game.winner),
            reason: game.reason.to_string(),
            moves: game.moves.clone(),
            micros: game.micros.clone(),
            thoughts: game.thoughts.clone(),
        }
    })
}

/// The two games of a pair as other programs read them.
///
/// # Panics
/// If a move is illegal, which those of a pair that was played never are.
pub fn written<G: PlayedGame>(setup: &DuelSetup<G>, pair: &PlayedPair) -> [WrittenGame<G>; 2] {
    let records = records(setup, pair);
    [0, 1].map(|number| {
        let (record, game) = (&records[number], &pair.games[number]);
        let positions = record.replay::<G>().expect("the moves were played");
        let made = positions.iter().filter_map(|(_, mv)| *mv).enumerate();
        let moves = made.map(|(place, mv)| {
            let value = record.thoughts.get(place).copied().flatten().map(|thought| thought.value);
            (mv, value, record.micros.get(place).map(|&micros| micros as f64 / 1e6))
        });
        let end = match (&game.reason, game.winner) {
            (Reason::End | Reason::Adjudicated(Verdict::Solved), _) => GameEnd::Score(game.scores[0]),
            (_, Winner::Draw) => GameEnd::Open,
            (Reason::Time(_) | Reason::Stall(_), winner) => GameEnd::Time(winner.of_side()),
            (_, winner) => GameEnd::Forfeit(winner.of_side()),
        };
        let players = [record.first.clone(), record.second.clone()];
        WrittenGame { players, start: positions[0].0.clone(), moves: moves.collect(), end }
    })
}

impl GameRecord {
    /// The text of the game, an empty line at its end.
    pub fn text(&self) -> String {
        let rules: Vec<String> = self.rules.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let times: Vec<String> = self.micros.iter().map(u64::to_string).collect();
        let lines = [
            ("game", self.game.clone()),
            ("rules", rules.join(" ")),
            ("first", self.first.clone()),
            ("second", self.second.clone()),
            ("opening", self.opening.clone()),
            ("result", self.winner.map_or(UNFINISHED, Winner::word).to_string()),
            ("reason", self.reason.clone()),
            ("moves", self.moves.join(" ")),
            ("times", times.join(" ")),
        ];
        let lines = lines.map(|(key, value)| format!("{key}: {value}").trim_end().to_string());
        let said = |one: &Option<Thought>| one.map_or("-".to_string(), |thought| thought.to_string());
        let thoughts: Vec<String> = self.thoughts.iter().map(said).collect();
        let thoughts =
            if thoughts.is_empty() { String::new() } else { format!("thoughts: {}\n", thoughts.join(" ")) };
        format!("{FORMAT}\n{}\n{thoughts}\n", lines.join("\n"))
    }

    /// Every position of the game, the opening first, each with the move that led to it.
    ///
    /// # Errors
    /// The rules, the opening or a move do not fit the game.
    #[allow(clippy::type_complexity)]
    pub fn replay<G: PlayedGame>(&self) -> Result<Vec<(G, Option<G::Move>)>, InputError> {
        let rules = self.rules.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        let rules = G::Rules::from_pairs(rules)?;
        let mut position = G::parse(&rules, &self.opening)?;
        let mut all = vec![(position.clone(), None)];
        for text in &self.moves {
            let mv = position.parse_move(text)?;
            position.play(mv)?;
            all.push((position.clone(), Some(mv)));
        }
        Ok(all)
    }
}

/// Reads the games of a text.
///
/// # Errors
/// It is no list of games; the error says where.
pub fn parse(text: &str) -> Result<Vec<GameRecord>, RecordError> {
    let mut games = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((number, line)) = lines.next() {
        if line.trim().is_empty() {
            continue;
        }
        let wrong = |number: usize, reason: String| RecordError { line: number + 1, reason };
        if line.trim_end() != FORMAT {
            return Err(wrong(
                number,
                format!("{} is no beginning of a game, which is '{FORMAT}'", shown(line)),
            ));
        }
        let mut field = |key: &str| {
            let (number, line) = lines.next().unwrap_or((number, ""));
            let value = line.strip_prefix(key).and_then(|rest| rest.strip_prefix(':'));
            let value =
                value.ok_or_else(|| wrong(number, format!("'{key}: ...' is expected, not {}", shown(line))));
            value.map(|value| (number, value.trim().to_string()))
        };
        let game = field("game")?.1;
        let (at, rules) = field("rules")?;
        let pair = |word: &str| {
            let pair = word.split_once('=').map(|(key, value)| (key.to_string(), value.to_string()));
            pair.ok_or_else(|| wrong(at, format!("rules are key=value, not {}", shown(word))))
        };
        let rules = rules.split_whitespace().map(pair).collect::<Result<_, _>>()?;
        let (first, second, opening) = (field("first")?.1, field("second")?.1, field("opening")?.1);
        let (at, word) = field("result")?;
        let winner = Winner::WORDS.iter().find(|(known, _)| *known == word).map(|&(_, winner)| winner);
        if winner.is_none() && word != UNFINISHED {
            let reason = format!("result is first, second, draw or {UNFINISHED}, not {}", shown(&word));
            return Err(wrong(at, reason));
        }
        let reason = field("reason")?.1;
        let (at, moves) = field("moves")?;
        let moves: Vec<String> = moves.split_whitespace().map(str::to_string).collect();
        if moves.len() > MOST_MOVES {
            return Err(wrong(at, format!("{} moves; at most {MOST_MOVES} are allowed", moves.len())));
        }
        let (at, times) = field("times")?;
        let micros: Option<Vec<u64>> = times.split_whitespace().map(|word| word.parse().ok()).collect();
        let micros = micros.filter(|micros| micros.is_empty() || micros.len() == moves.len());
        let micros = micros.ok_or_else(|| {
            wrong(
                at,
                format!("times are whole numbers of microseconds, one for each of {} moves", moves.len()),
            )
        })?;
        // Files from before anybody was asked have no such line.
        let thoughts = match lines.next_if(|(_, line)| line.starts_with("thoughts:")) {
            None => Vec::new(),
            Some((at, line)) => {
                let one = |word: &str| if word == "-" { Ok(None) } else { word.parse().map(Some) };
                let words = line.split_whitespace().skip(1);
                let thoughts: Vec<_> =
                    words.map(one).collect::<Result<_, _>>().map_err(|reason| wrong(at, reason))?;
                if thoughts.len() != moves.len() {
                    return Err(wrong(
                        at,
                        format!("a thought for each of {} moves is expected", moves.len()),
                    ));
                }
                thoughts
            }
        };
        games.push(GameRecord {
            game,
            rules,
            first,
            second,
            opening,
            winner,
            reason,
            moves,
            micros,
            thoughts,
        });
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Game as _;
    use games::othello::Othello;
    use games::rules::Fixed;

    fn game() -> GameRecord {
        let words = |text: &str| text.split(' ').map(str::to_string).collect::<Vec<_>>();
        GameRecord {
            game: "othello".into(),
            rules: Vec::new(),
            first: "random".into(),
            second: "linear(a; 1, 2)".into(),
            opening: Othello::start(&Fixed).text(),
            winner: Some(Winner::Second),
            reason: "panic: oh: no".into(),
            moves: words("f5 d6 c3"),
            micros: vec![1, 20, 300],
            thoughts: Vec::new(),
        }
    }

    #[test]
    fn games_come_back_as_they_were() {
        let other = GameRecord { moves: Vec::new(), micros: Vec::new(), ..game() };
        let ruled = GameRecord { rules: vec![("size".into(), "5".into())], ..game() };
        let thought = "-0.5/8/1200".parse().unwrap();
        let thoughtful = GameRecord { thoughts: vec![Some(thought), None, Some(thought)], ..game() };
        let all = vec![game(), other, ruled, thoughtful];
        let text: String = all.iter().map(GameRecord::text).collect();
        assert_eq!(parse(&text).unwrap(), all);
        assert!(parse("\n\n").unwrap().is_empty());
        let positions = game().replay::<Othello>().unwrap();
        assert!(positions.len() == 4 && positions[0].1.is_none() && positions[3].1.is_some());
    }

    #[test]
    fn nothing_is_trusted() {
        let text = game().text();
        let swapped = |from: &str, to: &str| parse(&text.replace(from, to)).unwrap_err().to_string();
        for (from, to, said) in [
            (FORMAT, "hello", "line 1: 'hello' is no beginning of a game"),
            (
                "result: second",
                "result: third",
                "line 7: result is first, second, draw or unfinished, not 'third'",
            ),
            ("times: 1 20 300", "times: 1 20", "line 10: times are whole numbers"),
            ("times: 1 20 300", "times: 1 x 300", "line 10: times are"),
            ("times: 1 20 300", "times: 1 20 300\nthoughts: - -", "line 11: a thought for each of 3 moves"),
            ("times: 1 20 300", "times: 1 20 300\nthoughts: - 1 -", "line 11: a thought is VALUE/PLIES"),
            ("rules:", "rules: size", "line 3: rules are key=value"),
            ("moves: f5", "f5", "line 9: 'moves: ...' is expected"),
        ] {
            let error = swapped(from, to);
            assert!(error.contains(said), "{error}");
        }
        // Cut anywhere it is refused or a game, and never a panic.
        for end in 0..text.len() {
            let _ = parse(&text[..end]);
        }
        for (moves, said) in [("a1", "illegal move"), ("zz", "move 'zz'"), ("f5 f5", "illegal move")] {
            let moves = moves.split(' ').map(str::to_string).collect();
            let error = GameRecord { moves, ..game() }.replay::<Othello>().unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        let strange = GameRecord { rules: vec![("size".into(), "5".into())], ..game() };
        assert!(strange.replay::<Othello>().is_err());
    }
}
