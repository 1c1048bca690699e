//! The game itself: boards shown, moves asked for, words understood.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use games::draw::Pen;
use games::{Game, Side, Turn};
use lab::players::Player;
use lab::playout::GameDice;

use super::side_name;
use crate::terminal;

/// Who sits at a side of the board.
pub enum Seat<G: Game> {
    /// A person at the keyboard.
    Human,
    /// One of the listed players, by its name.
    Player(String, Box<dyn Player<G>>),
}

/// What an undo returns to.
#[derive(Clone)]
struct Moment<G: Game> {
    position: G,
    dice: GameDice,
    last: Option<G::Move>,
    moves: usize,
}

/// A game under way.
pub struct Conversation<G: Game> {
    now: Moment<G>,
    /// Every moment at which a person had to move, before now.
    asked: Vec<Moment<G>>,
    seats: Vec<Seat<G>>,
    delay: Duration,
    again: String,
}

/// What a person wants.
enum Answer<M> {
    Move(M),
    Undo,
    Quit,
}

impl<G: Game> Conversation<G> {
    pub fn new(start: G, seats: Vec<Seat<G>>, seed: u64, delay: Duration, again: String) -> Self {
        let now = Moment { position: start, dice: GameDice::new(seed, 0), last: None, moves: 0 };
        Self { now, asked: Vec::new(), seats, delay, again }
    }

    pub fn run(mut self) -> anyhow::Result<()> {
        let humans = self.seats.iter().any(|seat| matches!(seat, Seat::Human));
        writeln!(io::stdout(), "{}", self.introduction(humans))?;
        loop {
            match self.now.position.turn() {
                Turn::Over => {
                    self.show()?;
                    writeln!(io::stdout(), "{}", self.result())?;
                    return Ok(());
                }
                Turn::Chance => {
                    let Moment { position, dice, .. } = &mut self.now;
                    position.deal(&mut dice.deals);
                }
                Turn::Player(side) => {
                    terminal::on_interrupt_say(self.farewell());
                    if !self.one_turn(side, humans)? {
                        writeln!(io::stdout(), "{}", self.farewell())?;
                        return Ok(());
                    }
                }
            }
        }
    }

    /// False if the person wants to stop.
    fn one_turn(&mut self, side: Side, humans: bool) -> anyhow::Result<bool> {
        let mut waits = false;
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
            Seat::Player(name, player) => {
                let mv = player.choose(&self.now.position, &mut self.now.dice.players[side.index()]);
                if humans {
                    let text = self.now.position.move_text(mv);
                    writeln!(io::stdout(), "{} ({name}) plays {text}", side_name::<G>(side))?;
                }
                waits = true;
                mv
            }
        };
        self.now.position.play(mv)?;
        self.now.last = Some(mv);
        self.now.moves += 1;
        if !humans && self.now.position.turn() != Turn::Over {
            self.show()?;
        }
        if waits {
            std::thread::sleep(self.delay);
        }
        Ok(true)
    }

    fn introduction(&self, humans: bool) -> String {
        let seat = |(seat, side): (&Seat<G>, &&str)| match seat {
            Seat::Human => format!("{side}: you"),
            Seat::Player(name, _) => format!("{side}: {name}"),
        };
        let seats: Vec<String> = self.seats.iter().zip(G::SIDES).map(seat).collect();
        let mut text = format!("{}: {}\n{}", G::NAME, G::SUMMARY, seats.join(", "));
        if humans {
            text.push_str(&format!("\nA move is {}; 'help' tells more.", G::MOVE_HELP));
        }
        text
    }

    /// The board; on a screen that nobody types on, always in the same place.
    fn show(&self) -> io::Result<()> {
        let mut pen = Pen::new(terminal::colour());
        self.now.position.draw(&mut pen, self.now.last);
        let watched = !self.seats.iter().any(|seat| matches!(seat, Seat::Human)) && terminal::is_screen();
        let clear = if watched { "\x1b[H\x1b[2J" } else { "" };
        writeln!(io::stdout(), "{clear}\n{}", pen.finish())
    }

    /// Asks until there is a legal move or a wish to undo or stop. The end of the input is a wish to stop.
    fn ask(&self, side: Side) -> anyhow::Result<Answer<G::Move>> {
        let position = &self.now.position;
        let mut out = io::stdout();
        loop {
            write!(out, "{}> ", side_name::<G>(side))?;
            out.flush()?;
            let mut bytes = Vec::new();
            if io::stdin().lock().read_until(b'\n', &mut bytes)? == 0 {
                writeln!(out)?;
                return Ok(Answer::Quit);
            }
            let line = String::from_utf8_lossy(&bytes);
            match line.trim() {
                "" => {}
                "quit" | "exit" => return Ok(Answer::Quit),
                "undo" => return Ok(Answer::Undo),
                "board" => self.show()?,
                "position" => writeln!(out, "{}", position.text())?,
                "moves" => writeln!(out, "{}", self.moves())?,
                "help" | "?" => writeln!(out, "{}", help::<G>())?,
                word => match position.parse_move(word).and_then(|mv| position.check(mv).map(|()| mv)) {
                    Ok(mv) => return Ok(Answer::Move(mv)),
                    Err(error) => writeln!(out, "{error} ('moves' lists the legal ones, 'help' tells more)")?,
                },
            }
        }
    }

    fn moves(&self) -> String {
        let position = &self.now.position;
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let texts: Vec<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
        let width = texts.iter().map(String::len).max().unwrap_or(0) + 1;
        let lines = texts.chunks((78 / width).max(1));
        let lines = lines.map(|line| line.iter().map(|text| format!("{text:width$}")).collect::<String>());
        let lines: Vec<String> = lines.map(|line| line.trim_end().to_string()).collect();
        format!("{} legal moves:\n{}", moves.len(), lines.join("\n"))
    }

    fn result(&self) -> String {
        let position = &self.now.position;
        let moves = self.now.moves;
        let score = position.score(Side::First);
        if G::SIDES.len() == 1 {
            return format!("The game is over after {moves} moves; score {score}.");
        }
        let value = position.final_value(Side::First);
        if value == 0.0 {
            return format!("A draw after {moves} moves.");
        }
        let winner = if value > 0.0 { Side::First } else { Side::Second };
        let score = position.score(winner);
        let score = if score == 0.0 { "on the tie-break".to_string() } else { format!("by {score}") };
        format!("{} wins {score} after {moves} moves.", side_name::<G>(winner))
    }

    fn farewell(&self) -> String {
        format!("To go on: {} --position '{}'", self.again, self.now.position.text())
    }
}

fn help<G: Game>() -> String {
    format!(
        "{}\n  a move      {}\n  moves       list the legal moves\n  board       show the board again\n  \
         position    print the position as text\n  undo        take back your last move\n  \
         quit        stop, and print how to go on",
        G::SUMMARY,
        G::MOVE_HELP
    )
}
