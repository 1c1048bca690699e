//! The protocol of NBoard, version 2: lines in, lines out, unknown ones ignored. `go` answers a move and leaves the board as it is; `ping` is
//! answered when all thinking has ended.

use games::othello::ggf::Ggf;
use games::othello::{Move, Othello};
use games::rules::Fixed;
use games::{Game, Turn};

use crate::protocol::thinker::{Thinker, Thought};
use crate::search::Limits;
use crate::search::limits::MAX_DEPTH;

/// An engine at work.
pub struct Nboard {
    mind: Thinker<Othello>,
    position: Othello,
    depth: Option<u32>,
    /// Whether it has been told to go.
    pub is_over: bool,
}

impl Nboard {
    /// At the start of a game.
    pub fn new(mind: Thinker<Othello>) -> Self {
        Self { mind, position: Othello::start(&Fixed), depth: None, is_over: false }
    }

    /// Obeys a line; whatever there is to say goes to `say`, line by line.
    pub fn obey(&mut self, line: &str, say: &mut dyn FnMut(&str)) {
        // What a terminal obeys is said by nobody, and so not said again.
        let line = line.replace(char::is_whitespace, " ").replace(char::is_control, "");
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "nboard" => say("set myname evalforge"),
            "set" => self.set(rest, say),
            "move" => self.play(rest, say),
            "hint" => self.hint(rest.parse().unwrap_or(1), say),
            "go" => self.go(say),
            "ping" => say(format!("pong {rest}").trim_end()),
            // There is no book to learn for.
            "learn" => say("learned"),
            "analyze" => self.hint(usize::MAX, say),
            "quit" => self.is_over = true,
            _ => {}
        }
    }

    fn set(&mut self, rest: &str, say: &mut dyn FnMut(&str)) {
        let (what, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        match what {
            "depth" => match value.trim().parse() {
                Ok(depth @ 1..) => self.depth = Some(u32::min(depth, MAX_DEPTH)),
                _ => say("status set depth: a whole number from 1 on is expected"),
            },
            "game" => match Ggf::parse(value) {
                Ok(game) => {
                    self.position = game.end();
                    self.mind.new_game();
                }
                Err(error) => say(&format!("status set game: {error}")),
            },
            // Contempt is for draws out of the book, of which there is none.
            _ => {}
        }
    }

    fn play(&mut self, rest: &str, say: &mut dyn FnMut(&str)) {
        let text = rest.split('/').next().unwrap_or_default();
        let played = self.position.parse_move(text).and_then(|mv| {
            // A pass that was left out.
            if mv != Move::PASS && self.position.is_legal(Move::PASS) {
                self.position.play_unchecked(Move::PASS);
            }
            self.position.play(mv)
        });
        if let Err(error) = played {
            say(&format!("status move: {error}"));
        }
    }

    fn limits(&self) -> Limits {
        Limits { depth: self.depth, ..Limits::default() }
    }

    fn go(&mut self, say: &mut dyn FnMut(&str)) {
        if self.position.turn() == Turn::Over {
            return say("status the game is over");
        }
        say("status evalforge is thinking");
        let thought = self.mind.think(&self.position, &self.limits());
        let value = thought.value.map_or(String::new(), |value| format!("/{value:.2}"));
        let value = if value.is_empty() { "/".to_string() } else { value };
        say(&format!("=== {}{value}/{:.2}", name(thought.best), thought.seconds));
        say("status");
        say(&format!("nodestats {} {:.2}", thought.nodes, thought.seconds));
    }

    /// The best moves, each with its line.
    fn hint(&mut self, wanted: usize, say: &mut dyn FnMut(&str)) {
        if self.position.turn() == Turn::Over {
            return say("status the game is over");
        }
        say("status evalforge is analysing");
        let best = self.mind.think(&self.position, &self.limits());
        say(&search_line(&best));
        let (mut nodes, mut seconds) = (best.nodes, best.seconds);
        if wanted > 1 {
            let mut others = self.others(&best);
            others.sort_by(|a, b| b.value.unwrap_or(0.0).total_cmp(&a.value.unwrap_or(0.0)));
            for other in others.iter().take(wanted - 1) {
                say(&search_line(other));
                (nodes, seconds) = (nodes + other.nodes, seconds + other.seconds);
            }
        }
        say("status");
        say(&format!("nodestats {nodes} {seconds:.2}"));
    }

    /// All other moves, each thought about by itself.
    fn others(&mut self, best: &Thought<Othello>) -> Vec<Thought<Othello>> {
        let (position, mut moves) = (self.position, Vec::new());
        position.legal_moves(&mut moves);
        moves.retain(|&mv| mv != best.best);
        let limits = Limits { depth: self.depth.map(|depth| depth.max(2) - 1), ..Limits::default() };
        let mut one = |mv: Move| {
            let mut after = position;
            after.play_unchecked(mv);
            if after.turn() == Turn::Over {
                let value = Some(after.final_value(position.side()));
                return Thought { best: mv, value, line: vec![mv], depth: 1, nodes: 1, seconds: 0.0 };
            }
            let mut thought = self.mind.think(&after, &limits);
            thought.value = thought.value.map(|value| -value);
            thought.line.insert(0, mv);
            Thought { best: mv, depth: thought.depth + 1, ..thought }
        };
        moves.into_iter().map(&mut one).collect()
    }
}

fn name(mv: Move) -> String {
    match mv.index() {
        Some(_) => Othello::start(&Fixed).move_text(mv).to_uppercase(),
        None => "PA".into(),
    }
}

fn search_line(thought: &Thought<Othello>) -> String {
    let line: String = thought.line.iter().map(|&mv| name(mv)).collect();
    format!("search {line} {:.2} 0 {}", thought.value.unwrap_or(0.0), thought.depth)
}
