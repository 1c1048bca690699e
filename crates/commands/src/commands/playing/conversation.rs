//! The game itself: boards shown, moves asked for, words understood.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use games::draw::Pen;
use games::{Side, Turn};
use measure::arena::{GameRecord, Thought, Winner};
use play::PlayedGame;
use play::files::new_file;
use play::players::Player;
use play::players::notation::Call;
use play::playout::GameDice;

use super::advice::{Advice, advise, hint, thought_text, why};
use super::play::{OVER, side_name};
use crate::failure::{Interrupted, unwritten};
use crate::keyboard::{Lines, Said, Words};
use crate::terminal::{self, quoted};

/// Who sits at a side of the board.
pub enum Seat<G: PlayedGame> {
    /// A person at the keyboard.
    Human,
    /// One of the listed players, by its name.
    Player(String, Box<dyn Player<G>>),
}

/// What an undo returns to.
#[derive(Clone)]
struct Moment<G: PlayedGame> {
    position: G,
    dice: GameDice,
    /// The last move, who made it, and where.
    last: Option<(Side, G, G::Move)>,
    moves: usize,
    /// The moves as a file keeps them.
    kept: Vec<(String, u64, Option<Thought>)>,
}

/// A game under way.
pub struct Conversation<G: PlayedGame> {
    now: Moment<G>,
    /// Every moment at which a person had to move, before now.
    asked: Vec<Moment<G>>,
    seats: Vec<Seat<G>>,
    delay: Duration,
    again: String,
    rules: G::Rules,
    save: Option<Save>,
    lines: Lines,
}

/// Where a game is kept as it goes on.
pub struct Save {
    pub path: PathBuf,
    /// All that is known before the first move.
    pub record: GameRecord,
}

/// What a person wants.
enum Answer<M> {
    Move(M),
    Undo,
    Quit,
}

impl<G: PlayedGame> Conversation<G> {
    pub fn new(rules: G::Rules, start: G, seats: Vec<Seat<G>>, seed: u64, delay: Duration) -> Self {
        let (dice, kept) = (GameDice::new(seed, 0), Vec::new());
        let now = Moment { position: start, dice, last: None, moves: 0, kept };
        Self {
            now,
            asked: Vec::new(),
            seats,
            delay,
            again: String::new(),
            rules,
            save: None,
            lines: Lines::new(),
        }
    }

    /// With the command that goes on from a position, and the file that the game is kept in.
    #[must_use]
    pub fn kept(self, again: String, save: Option<Save>) -> Self {
        Self { again, save, ..self }
    }

    /// Writes the game as far as it has come.
    fn write(&self) -> anyhow::Result<()> {
        let Some(Save { path, record }) = &self.save else { return Ok(()) };
        let mut record = record.clone();
        for (text, micros, thought) in &self.now.kept {
            record.moves.push(text.clone());
            record.micros.push(*micros);
            record.thoughts.push(*thought);
        }
        if record.thoughts.iter().all(Option::is_none) {
            record.thoughts.clear();
        }
        if self.now.position.turn() == Turn::Over {
            let value = self.now.position.final_value(Side::First);
            record.reason = OVER.to_string();
            record.winner = Some(match value {
                _ if value > 0.0 => Winner::First,
                _ if value < 0.0 => Winner::Second,
                _ => Winner::Draw,
            });
        }
        new_file::write(path, record.text().as_bytes()).map_err(|error| unwritten("--save", path, &error))
    }

    pub fn run(mut self) -> anyhow::Result<()> {
        writeln!(io::stdout(), "{}", self.introduction())?;
        loop {
            match self.now.position.turn() {
                Turn::Over => {
                    self.show()?;
                    writeln!(io::stdout(), "{}", result(&self.now.position, self.now.moves as u64))?;
                    return Ok(());
                }
                Turn::Chance => {
                    let Moment { position, dice, .. } = &mut self.now;
                    position.deal(&mut dice.deals);
                }
                Turn::Player(side) => {
                    terminal::on_interrupt_say(format!("\n{}", self.farewell()));
                    if !self.one_turn(side)? {
                        writeln!(io::stdout(), "{}", self.farewell())?;
                        return Ok(());
                    }
                }
            }
        }
    }

    /// False if the person wants to stop.
    fn one_turn(&mut self, side: Side) -> anyhow::Result<bool> {
        let mut waits = false;
        let begun = Instant::now();
        let mv = match &mut self.seats[side.index()] {
            Seat::Human => {
                self.show()?;
                match self.ask(side)? {
                    Answer::Quit => return Ok(false),
                    Answer::Undo => {
                        match self.asked.pop() {
                            Some(moment) => self.now = moment,
                            None => writeln!(io::stdout(), "There is nothing to undo.")?,
                        }
                        return Ok(true);
                    }
                    Answer::Move(mv) => {
                        self.asked.push(self.now.clone());
                        mv
                    }
                }
            }
            Seat::Player(_, player) => {
                waits = true;
                player.choose(&self.now.position, &mut self.now.dice.players[side.index()])?
            }
        };
        let before = self.now.position.clone();
        let thought = match &self.seats[side.index()] {
            Seat::Player(_, player) => player.thought().as_ref().and_then(Thought::of),
            Seat::Human => None,
        };
        let micros = begun.elapsed().as_micros() as u64;
        self.now.kept.push((before.move_text(mv), micros, thought));
        self.now.position.play(mv)?;
        self.now.last = Some((side, before, mv));
        self.now.moves += 1;
        self.write()?;
        if waits {
            terminal::on_interrupt_say(format!("\n{}", self.farewell()));
            if self.has_humans() {
                writeln!(io::stdout(), "{}", self.last_move())?;
            } else if self.now.position.turn() != Turn::Over {
                self.show()?;
            }
            std::thread::sleep(self.delay);
        }
        Ok(true)
    }

    fn has_humans(&self) -> bool {
        self.seats.iter().any(|seat| matches!(seat, Seat::Human))
    }

    /// Who has just played what.
    fn last_move(&self) -> String {
        let Some((side, before, mv)) = &self.now.last else { return String::new() };
        let name = match &self.seats[side.index()] {
            Seat::Human => "you",
            Seat::Player(name, _) => Call::name_of(name),
        };
        let remark = match &self.seats[side.index()] {
            Seat::Player(_, player) => player
                .remark(&self.now.position, *side)
                .or_else(|| player.thought().map(|thought| thought_text(before, &thought))),
            Seat::Human => None,
        };
        let remark = remark.map_or(String::new(), |remark| format!(": {remark}"));
        let (side, text) = (side_name::<G>(*side), before.move_text(*mv));
        format!("{}. {side} ({name}) plays {text}{remark}", self.now.moves)
    }

    /// What a player at the table knows about the moves of the person who is to move; empty if nobody knows anything.
    fn advice(&self) -> Vec<(G::Move, String)> {
        let players = self.seats.iter().filter_map(|seat| match seat {
            Seat::Player(_, player) => Some(player.advice(&self.now.position)),
            Seat::Human => None,
        });
        players.max_by_key(Vec::len).unwrap_or_default()
    }

    /// All moves as the game's adviser sees them, and who that is.
    fn analysis(&self) -> anyhow::Result<(Vec<Advice<G>>, String)> {
        let adviser = G::adviser();
        Ok((advise(&self.rules, &self.now.position, &adviser, &|| true)?, adviser))
    }

    /// What speaks for a move, or for the best.
    fn why(&self, text: &str) -> anyhow::Result<String> {
        let position = &self.now.position;
        let wanted = match text {
            "" => None,
            _ => match position.parse_move(text).and_then(|mv| position.check(mv).map(|()| mv)) {
                Ok(mv) => Some(mv),
                Err(error) => return Ok(error.to_string()),
            },
        };
        let (all, adviser) = self.analysis()?;
        let number = all.iter().position(|one| wanted.is_none_or(|mv| mv == one.mv));
        Ok(number.map_or("Nobody knows.".into(), |number| why(position, &all, number, &adviser)))
    }

    /// The moves by what they come to, the best first.
    fn hint(&self) -> anyhow::Result<String> {
        let mut groups: Vec<(String, Vec<String>)> = Vec::new();
        for (mv, worth) in self.advice() {
            let text = self.now.position.move_text(mv);
            match groups.last_mut().filter(|(last, _)| *last == worth) {
                Some((_, moves)) => moves.push(text),
                None => groups.push((worth, vec![text])),
            }
        }
        if groups.is_empty() {
            let (all, adviser) = self.analysis()?;
            return Ok(hint(&self.now.position, &all, &adviser));
        }
        let width = groups.iter().map(|(worth, _)| worth.len()).max().unwrap_or(0);
        let lines = groups.iter().map(|(worth, moves)| format!("  {worth:width$}   {}", moves.join(" ")));
        Ok(format!("Your moves, the best first:\n{}", lines.collect::<Vec<_>>().join("\n")))
    }

    /// What the players say before the first move.
    fn first_remarks(&self) -> String {
        let remark = |(seat, side): (&Seat<G>, Side)| match seat {
            Seat::Player(name, player) => {
                let remark = player.remark(&self.now.position, side)?;
                Some(format!("\n{} ({}): {remark}", side_name::<G>(side), Call::name_of(name)))
            }
            Seat::Human => None,
        };
        self.seats.iter().zip(Side::BOTH).filter_map(remark).collect()
    }

    fn introduction(&self) -> String {
        let seat = |(seat, side): (&Seat<G>, &&str)| match seat {
            Seat::Human => format!("{side}: you"),
            Seat::Player(name, _) => format!("{side}: {name}"),
        };
        let seats: Vec<String> = self.seats.iter().zip(G::SIDES).map(seat).collect();
        let mut text = format!("{}: {}\n{}", G::NAME, G::SUMMARY, seats.join(", "));
        text.push_str(&self.first_remarks());
        if self.has_humans() {
            text.push_str(&format!(
                "\nA move is {}.\n'help' tells more, 'hint' what your moves are worth, 'why' the reason.",
                G::MOVE_HELP
            ));
        }
        text
    }

    /// The board; where nobody types, with the move that led to it, and on a screen always in the same place.
    fn show(&self) -> io::Result<()> {
        let mut pen = Pen::new(terminal::colour());
        let last = self.now.last.as_ref().map(|(_, before, mv)| (before, *mv));
        self.now.position.draw(&mut pen, last);
        let mut heading = String::new();
        if !self.has_humans() {
            let clear = if terminal::is_screen() { "\x1b[H\x1b[2J" } else { "" };
            heading = format!("{clear}{}: {}\n", G::NAME, self.last_move());
        }
        writeln!(io::stdout(), "\n{heading}{}", pen.finish())
    }

    /// Asks until there is a legal move or a wish to undo or stop. The end of the input is a wish to stop.
    fn ask(&mut self, side: Side) -> anyhow::Result<Answer<G::Move>> {
        let mut out = io::stdout();
        loop {
            let position = &self.now.position;
            let words = || Words { first: WORDS.map(str::to_string).to_vec(), any: legal_texts(position) };
            let line = match self.lines.read(&format!("{}> ", side_name::<G>(side)), words)? {
                Said::Line(line) => line,
                Said::End => return Ok(Answer::Quit),
                Said::Interrupted => {
                    return Err(Interrupted(format!("\n{}", self.farewell())).into());
                }
            };
            let line = line.trim();
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match (word.to_ascii_lowercase().as_str(), rest.trim()) {
                ("", _) => {}
                ("quit" | "exit", "") => return Ok(Answer::Quit),
                ("undo", "") => return Ok(Answer::Undo),
                ("board", "") => self.show()?,
                ("position", "") => writeln!(out, "{}", position.text())?,
                ("moves", beginning) => writeln!(out, "{}", self.moves(beginning))?,
                ("hint", "") => writeln!(out, "{}", self.hint()?)?,
                ("why", mv) => writeln!(out, "{}", self.why(mv)?)?,
                ("help" | "?", "") => writeln!(out, "{}", help::<G>())?,
                _ => match position.parse_move(line).and_then(|mv| position.check(mv).map(|()| mv)) {
                    Ok(mv) => return Ok(Answer::Move(mv)),
                    Err(error) => writeln!(out, "{error} ('moves' lists the legal ones, 'help' tells more)")?,
                },
            }
        }
    }

    /// The legal moves whose text begins so.
    fn moves(&self, beginning: &str) -> String {
        let mut texts = legal_texts(&self.now.position);
        texts.retain(|text| text.starts_with(beginning));
        let width = texts.iter().map(String::len).max().unwrap_or(0) + 1;
        let lines = texts.chunks((78 / width).max(1));
        let lines = lines.map(|line| line.iter().map(|text| format!("{text:width$}")).collect::<String>());
        let lines: Vec<String> = lines.map(|line| line.trim_end().to_string()).collect();
        format!("{} legal moves:\n{}", texts.len(), lines.join("\n"))
    }

    fn farewell(&self) -> String {
        let mut text = format!("To go on: {} --position '{}'", self.again, self.now.position.text());
        if let Some(save) = self.save.as_ref().filter(|_| !self.now.kept.is_empty()) {
            let path = quoted(&save.path.display().to_string());
            text.push_str(&format!("\nThe game so far is kept: evalforge review {path}"));
        }
        text
    }
}

/// The words that are understood beside moves.
const WORDS: [&str; 8] = ["help", "moves", "hint", "why", "board", "position", "undo", "quit"];

/// The legal moves, by their texts.
fn legal_texts<G: PlayedGame>(position: &G) -> Vec<String> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut texts: Vec<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
    texts.sort();
    texts
}

/// How a game has ended.
pub fn result<G: PlayedGame>(position: &G, moves: u64) -> String {
    let score = position.score(Side::First);
    if G::SIDES.len() == 1 {
        return format!("The game is over after {moves} moves, with {score} {}.", G::SCORE_UNIT);
    }
    let value = position.final_value(Side::First);
    if value == 0.0 {
        return format!("A draw after {moves} moves.");
    }
    let winner = if value > 0.0 { Side::First } else { Side::Second };
    let score = position.score(winner);
    let how = match G::SCORE_UNIT {
        "" => String::new(),
        _ if score == 0.0 => " on the tie-break".to_string(),
        unit => format!(" by {score} {unit}"),
    };
    format!("{} wins{how} after {moves} moves.", side_name::<G>(winner))
}

fn help<G: PlayedGame>() -> String {
    format!(
        "{}\n  a move      {}\n  moves       list the legal moves; 'moves 2' those that begin so\n  \
         hint        tell what your moves are worth, the best first\n  \
         why         tell what speaks for the best move; 'why MOVE' for and against that one\n  \
         board       show the board again\n  position    print the position as text\n  \
         undo        take back your last move\n  quit        stop, and print how to go on",
        G::SUMMARY,
        G::MOVE_HELP
    )
}
