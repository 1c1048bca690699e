//! GTP version 2 for any game of two sides: commands in, `= answer` or `? fault` out, an empty line after each. Moves are written as the
//! game writes them, in capitals where it shows a board of squares (in Othello A1, top left, to H8); a pass is `pass`.

use games::draw::Pen;
use games::{Side, Turn};

use super::thinker::Thinker;
use crate::PlayedGame;
use crate::search::Limits;

/// What every engine of this protocol knows, and what GoGui asks of games other than Go.
const COMMANDS: &[&str] = &[
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "gogui-rules_board",
    "gogui-rules_board_size",
    "gogui-rules_final_result",
    "gogui-rules_game_id",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "known_command",
    "komi",
    "list_commands",
    "list_games",
    "name",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "set_game",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// The move of who cannot move.
const PASS: &str = "pass";

/// Of a move's share of the overtime, this is used.
const USED: f64 = 0.9;

/// The clock of one side, as the other program tells it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Clock {
    /// No limit.
    Free,
    /// Seconds for the rest of the game, and then overtime: seconds for so many moves, if any.
    Main(f64, Option<(f64, u32)>),
    /// Seconds for so many moves.
    Overtime(f64, u32),
}

/// An engine at work.
pub struct Gtp<G: PlayedGame> {
    rules: G::Rules,
    mind: Thinker<G>,
    position: G,
    before: Vec<G>,
    clocks: [Clock; 2],
    settings: Clock,
    /// Whether it has been told to go.
    pub is_over: bool,
}

impl<G: PlayedGame> Gtp<G> {
    /// At the start of a game.
    pub fn new(rules: &G::Rules, mind: Thinker<G>) -> Self {
        let position = G::start(rules);
        Self {
            rules: rules.clone(),
            mind,
            position,
            before: Vec::new(),
            clocks: [Clock::Free; 2],
            settings: Clock::Free,
            is_over: false,
        }
    }

    /// The whole answer to a line; none to a line that holds no command.
    pub fn answer(&mut self, line: &str) -> Option<String> {
        let line = line.split('#').next().unwrap_or_default();
        let line: String = line.chars().map(|sign| if sign.is_whitespace() { ' ' } else { sign }).collect();
        let line: String = line.chars().filter(|sign| !sign.is_control()).collect();
        let mut words = line.split_whitespace().peekable();
        let id = words.next_if(|word| word.bytes().all(|byte| byte.is_ascii_digit())).unwrap_or_default();
        let command = match words.next() {
            Some(command) => command.to_string(),
            None if id.is_empty() => return None,
            None => String::new(),
        };
        let words: Vec<&str> = words.collect();
        Some(match self.obey(&command, &words) {
            Ok(answer) if answer.is_empty() => format!("={id}\n\n"),
            Ok(answer) => format!("={id} {answer}\n\n"),
            Err(fault) => format!("?{id} {fault}\n\n"),
        })
    }

    fn obey(&mut self, command: &str, words: &[&str]) -> Result<String, String> {
        let text = |text: &str| Ok(text.to_string());
        match command {
            "protocol_version" => text("2"),
            "name" => text("evalforge"),
            "version" => text(env!("CARGO_PKG_VERSION")),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "known_command" => Ok(words.first().is_some_and(|word| COMMANDS.contains(word)).to_string()),
            "list_games" | "gogui-rules_game_id" => text(G::TITLE),
            "set_game" => match words {
                [game] if G::is_called(game) => {
                    self.clear();
                    text("")
                }
                _ => Err(format!("game not supported; {} is", G::TITLE)),
            },
            "boardsize" => match (number::<usize>(words.first(), "boardsize")?, self.position.rows().len()) {
                (given, size) if size == given || size == 0 => {
                    self.clear();
                    text("")
                }
                (_, size) => Err(format!("unacceptable size; {size} is played")),
            },
            "clear_board" => {
                self.clear();
                text("")
            }
            // Only Go has it, and every program sends it.
            "komi" => number::<f64>(words.first(), "komi").map(|_| String::new()),
            "play" => self.play(words),
            "genmove" => self.genmove(words, true),
            "reg_genmove" => self.genmove(words, false),
            "undo" => {
                self.position = self.before.pop().ok_or("cannot undo")?;
                text("")
            }
            "time_settings" => self.time_settings(words),
            "time_left" => self.time_left(words),
            "showboard" => Ok(self.drawing()),
            "final_score" | "gogui-rules_final_result" => Ok(self.final_score()),
            "gogui-rules_board_size" => Ok(self.position.rows().len().to_string()),
            "gogui-rules_side_to_move" => match self.position.turn() {
                Turn::Player(Side::Second) => text("white"),
                _ => text("black"),
            },
            "gogui-rules_board" => Ok(self.position.rows().join("\n")),
            "gogui-rules_legal_moves" => {
                let mut moves = Vec::new();
                self.position.legal_moves(&mut moves);
                Ok(moves.iter().map(|&mv| self.name(mv)).collect::<Vec<_>>().join(" "))
            }
            "quit" => {
                self.is_over = true;
                text("")
            }
            _ => Err("unknown command".into()),
        }
    }

    fn clear(&mut self) {
        self.position = G::start(&self.rules);
        self.before.clear();
        self.clocks = [self.settings; 2];
        self.mind.new_game();
    }

    fn name(&self, mv: G::Move) -> String {
        let name = self.position.move_text(mv);
        if name == PASS || self.position.rows().is_empty() { name } else { name.to_uppercase() }
    }

    /// The pass, where it is the only move.
    fn pass(&self) -> Option<G::Move> {
        let pass = self.position.parse_move(PASS).ok()?;
        self.position.is_legal(pass).then_some(pass)
    }

    /// Makes it this side's turn, by the pass that the other side must make: programs leave it out.
    fn turn_of(&self, side: Side) -> Result<G, String> {
        let mut position = self.position.clone();
        match (position.turn(), self.pass()) {
            (Turn::Player(turn), _) if turn == side => Ok(position),
            (Turn::Player(_), Some(pass)) => {
                position.play_unchecked(pass);
                Ok(position)
            }
            (Turn::Player(_), None) => Err("illegal move: it is the other colour's turn".into()),
            _ => Err("illegal move: the game is over".into()),
        }
    }

    fn play(&mut self, words: &[&str]) -> Result<String, String> {
        let [colour, vertex] = words else { return Err("syntax error: play COLOUR MOVE".into()) };
        let side = side::<G>(colour)?;
        let mv =
            self.position.parse_move(vertex).or_else(|_| self.position.parse_move(&vertex.to_lowercase()));
        let mv = mv.map_err(|_| format!("syntax error: a move is {}", G::MOVE_HELP))?;
        let mut position = self.turn_of(side)?;
        position.play(mv).map_err(|error| error.to_string())?;
        self.before.push(self.position.clone());
        self.position = position;
        Ok(String::new())
    }

    fn genmove(&mut self, words: &[&str], play: bool) -> Result<String, String> {
        let [colour] = words else { return Err("syntax error: genmove COLOUR".into()) };
        let side = side::<G>(colour)?;
        let mut position = self.turn_of(side)?;
        let thought = self.mind.think(&position, &self.clocks[side.index()].limits());
        self.clocks[side.index()].take(thought.seconds);
        let name = self.name(thought.best);
        if play {
            position.play_unchecked(thought.best);
            self.before.push(self.position.clone());
            self.position = position;
        }
        Ok(name)
    }

    fn time_settings(&mut self, words: &[&str]) -> Result<String, String> {
        let [main, overtime, moves] = words else {
            return Err("syntax error: time_settings MAIN BYO STONES".into());
        };
        let (main, overtime) = (seconds(main)?, seconds(overtime)?);
        let moves: u32 = number(Some(moves), "stones")?;
        self.settings = match (main > 0.0, overtime > 0.0, moves) {
            // As the protocol says: overtime without moves is no limit.
            (_, true, 0) => Clock::Free,
            (true, true, moves) => Clock::Main(main, Some((overtime, moves))),
            (false, true, moves) => Clock::Overtime(overtime, moves),
            _ => Clock::Main(main, None),
        };
        self.clocks = [self.settings; 2];
        Ok(String::new())
    }

    fn time_left(&mut self, words: &[&str]) -> Result<String, String> {
        let [colour, time, moves] = words else {
            return Err("syntax error: time_left COLOUR TIME STONES".into());
        };
        let (side, time, moves) = (side::<G>(colour)?, seconds(time)?, number(Some(moves), "stones")?);
        let overtime = match self.settings {
            Clock::Main(_, overtime) => overtime,
            Clock::Overtime(seconds, moves) => Some((seconds, moves)),
            Clock::Free => None,
        };
        self.clocks[side.index()] =
            if moves == 0 { Clock::Main(time, overtime) } else { Clock::Overtime(time, moves) };
        Ok(String::new())
    }

    fn drawing(&self) -> String {
        let side = match self.position.turn() {
            Turn::Player(Side::Second) => "White",
            _ => "Black",
        };
        let rows = self.position.rows();
        if !rows.is_empty() {
            let letters: Vec<String> = ('a'..='z').take(rows.len()).map(String::from).collect();
            let rows = rows.into_iter().zip(1..).map(|(row, number)| format!("\n  {number} {row}"));
            return format!("Next move: {side}\n    {}{}", letters.join(" "), rows.collect::<String>());
        }
        let mut pen = Pen::new(false);
        self.position.draw(&mut pen, None);
        format!("Next move: {side}\n{}", pen.finish().trim_end())
    }

    fn final_score(&self) -> String {
        match self.position.score(Side::First) {
            score if score > 0.0 => format!("B+{score}"),
            score if score < 0.0 => format!("W+{}", -score),
            _ => "0".into(),
        }
    }
}

impl Clock {
    fn limits(self) -> Limits {
        match self {
            Clock::Free => Limits::default(),
            Clock::Main(left, Some((seconds, moves))) if left <= 0.0 => {
                Clock::Overtime(seconds, moves).limits()
            }
            Clock::Main(left, _) => Limits::game_time(left.max(0.0)),
            Clock::Overtime(left, moves) => Limits::time((USED * left / f64::from(moves.max(1))).max(0.0)),
        }
    }

    /// So many seconds have been used for a move. What the other program tells next time counts more.
    fn take(&mut self, used: f64) {
        *self = match *self {
            Clock::Main(left, overtime) => Clock::Main(left - used, overtime),
            Clock::Overtime(left, moves) if moves > 1 => Clock::Overtime((left - used).max(0.0), moves - 1),
            same => same,
        };
    }
}

/// By the names of the protocol, or by those of the game.
fn side<G: PlayedGame>(colour: &str) -> Result<Side, String> {
    let own = Side::BOTH.into_iter().find(|side| colour.eq_ignore_ascii_case(G::SIDES[side.index()]));
    if let Some(side) = own {
        return Ok(side);
    }
    match colour.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Side::First),
        "w" | "white" => Ok(Side::Second),
        _ => Err("syntax error: a colour is black or white".into()),
    }
}

fn number<N: std::str::FromStr>(word: Option<&&str>, what: &str) -> Result<N, String> {
    word.and_then(|word| word.parse().ok()).ok_or_else(|| format!("syntax error: {what} not a number"))
}

fn seconds(word: &&str) -> Result<f64, String> {
    let seconds: f64 = number(Some(word), "time")?;
    if (0.0..=1e9).contains(&seconds) {
        Ok(seconds)
    } else {
        Err("syntax error: time not a number of seconds".into())
    }
}
