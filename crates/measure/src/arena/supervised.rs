//! A player at the board, watched: whatever it does, the game gets an answer, unless it is broken off. A player with a clock, its own or the
//! game's, sits on a thread of its own, for nothing else can end a wait for it; the others are called in place.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use games::{Dice, Game};
use play::PlayedGame;
use play::players::{Player, PlayerError, PlayerFailure, Trouble};

use super::Thought;
use super::game::Reason;

/// How often a wait looks whether the game is broken off.
const GLANCE: Duration = Duration::from_millis(20);

/// A move that was made: its text, the position after it, the time it took, and what its player thought of it.
pub struct Step<G> {
    pub text: String,
    pub after: G,
    pub time: Duration,
    pub thought: Option<Thought>,
}

type Answer<G> = (Result<Step<G>, Reason>, Dice);

/// What a player is asked: the position, its lots, whether a game begins and after which moves, and what is left of its game time.
struct Question<G: PlayedGame> {
    position: G,
    dice: Dice,
    fresh: Option<Opening<G>>,
    left: Option<f64>,
}

/// The moves to where a game begins, if they are known.
type Opening<G> = Option<Vec<<G as Game>::Move>>;

enum Hands<G: PlayedGame> {
    Here(Box<dyn Player<G>>),
    Apart {
        questions: Sender<Question<G>>,
        answers: Receiver<Answer<G>>,
        thread: JoinHandle<()>,
        limit: Option<Duration>,
    },
    /// It has not answered in time, and nobody knows when it will.
    Stalled(JoinHandle<()>),
    /// It has panicked, or has not come yet.
    Gone,
}

/// Makes a player anew.
pub type Make<'a, G> = dyn Fn() -> Result<Box<dyn Player<G>>, PlayerError> + 'a;

/// A player, and how to get it back after it has fallen over.
pub struct SupervisedPlayer<'a, G: PlayedGame> {
    make: Box<Make<'a, G>>,
    hands: Hands<G>,
    grace: Duration,
    fresh: bool,
    opening: Opening<G>,
    stop: Arc<AtomicBool>,
}

impl<'a, G: PlayedGame> SupervisedPlayer<'a, G> {
    /// A player that is made when it is first needed. It stalls when it takes `grace` longer than twice its own limit.
    pub fn new(make: Box<Make<'a, G>>, grace: Duration) -> Self {
        Self { make, hands: Hands::Gone, grace, fresh: true, opening: None, stop: Arc::default() }
    }

    /// The flag that breaks games off: one and the same in the player's life.
    pub fn stop_by(&mut self, stop: &Arc<AtomicBool>) {
        self.stop = Arc::clone(stop);
    }

    /// How the games that follow come to where they begin, if that is known.
    pub fn opening(&mut self, moves: Option<&[G::Move]>) {
        self.opening = moves.map(<[G::Move]>::to_vec);
    }

    /// A new game begins.
    pub fn new_game(&mut self) {
        self.fresh = true;
    }

    /// The player's move, made; or why it loses. `left` is what is left of its game time, if the game has one. None if the game is broken
    /// off: what a player says that was told to stop is not its move.
    pub fn step(
        &mut self,
        position: &G,
        dice: &mut Dice,
        left: Option<f64>,
    ) -> Option<Result<Step<G>, Reason>> {
        let answer = self.ask(position, dice, left);
        (!self.is_stopped()).then_some(answer)
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn ask(&mut self, position: &G, dice: &mut Dice, left: Option<f64>) -> Result<Step<G>, Reason> {
        self.sit_down(left.is_some())?;
        let fresh = std::mem::replace(&mut self.fresh, false).then(|| self.opening.clone());
        let answer = match &mut self.hands {
            Hands::Here(player) => answer(player.as_mut(), position, dice, fresh.as_ref(), left),
            Hands::Apart { questions, answers, limit, .. } => {
                let game_time = left.map(Duration::from_secs_f64);
                let limits = [limit.map(|limit| limit * 2), game_time].into_iter().flatten();
                let patience = limits.min().unwrap_or_default() + self.grace;
                // A thread that is gone does not answer either.
                let _ =
                    questions.send(Question { position: position.clone(), dice: dice.clone(), fresh, left });
                let end = Instant::now() + patience;
                loop {
                    let left = end.saturating_duration_since(Instant::now());
                    match answers.recv_timeout(left.min(GLANCE)) {
                        Ok((answer, rolled)) => {
                            *dice = rolled;
                            break answer;
                        }
                        Err(RecvTimeoutError::Timeout)
                            if left > GLANCE && !self.stop.load(Ordering::Relaxed) => {}
                        Err(RecvTimeoutError::Timeout) => {
                            break Err(Reason::Stall(patience.as_millis() as u64));
                        }
                        Err(RecvTimeoutError::Disconnected) => break Err(Reason::panic("its thread ended")),
                    }
                }
            }
            Hands::Stalled(_) | Hands::Gone => unreachable!("it has just sat down"),
        };
        match answer {
            Err(Reason::Stall(_)) => {
                if let Hands::Apart { thread, .. } = std::mem::replace(&mut self.hands, Hands::Gone) {
                    self.hands = Hands::Stalled(thread);
                }
            }
            // What a panic has left behind is not to be trusted.
            Err(Reason::Panic(_) | Reason::Failed(_) | Reason::Misunderstood(_)) => self.hands = Hands::Gone,
            _ => {}
        }
        answer
    }

    fn sit_down(&mut self, is_timed: bool) -> Result<(), Reason> {
        match &self.hands {
            Hands::Here(_) | Hands::Apart { .. } => return Ok(()),
            // Threads cannot be ended from outside: one that never comes back costs a core, and more would cost all.
            Hands::Stalled(thread) if !thread.is_finished() => return Err(Reason::Stall(0)),
            Hands::Stalled(_) | Hands::Gone => {}
        }
        let made = catch_unwind(AssertUnwindSafe(|| (self.make)()));
        let player = made.map_err(|caught| reason(&*caught))?;
        let mut player = player.map_err(|error| Reason::failed(&error.to_string()))?;
        player.stop_by(Arc::clone(&self.stop));
        self.hands = match player.limit() {
            None if !is_timed => Hands::Here(player),
            limit => apart(player, limit),
        };
        Ok(())
    }
}

fn apart<G: PlayedGame>(mut player: Box<dyn Player<G>>, limit: Option<Duration>) -> Hands<G> {
    let (questions, asked) = channel::<Question<G>>();
    let (answering, answers) = channel();
    let thread = thread::spawn(move || {
        for Question { position, mut dice, fresh, left } in asked {
            let answer = answer(player.as_mut(), &position, &mut dice, fresh.as_ref(), left);
            if answering.send((answer, dice)).is_err() {
                return;
            }
        }
    });
    Hands::Apart { questions, answers, thread, limit }
}

/// Asks for a move and makes it if it is legal; all of it where a panic does no harm.
fn answer<G: PlayedGame>(
    player: &mut dyn Player<G>,
    position: &G,
    dice: &mut Dice,
    fresh: Option<&Opening<G>>,
    left: Option<f64>,
) -> Result<Step<G>, Reason> {
    let begun = Instant::now();
    let asked = AssertUnwindSafe(|| {
        if let Some(opening) = fresh {
            player.new_game();
            if let Some(moves) = opening {
                player.opening(moves);
            }
        }
        // A player with a game time of its own keeps it where the game has none.
        if left.is_some() {
            player.game_time(left);
        }
        let chosen = player.choose(position, dice);
        let time = begun.elapsed();
        let mv = chosen.map_err(|PlayerFailure { why, .. }| match why {
            Trouble::Resigned => Reason::Resigned,
            Trouble::Failed(why) => Reason::failed(&why),
            Trouble::Misunderstood(why) => Reason::misunderstood(&why),
        })?;
        match position.check(mv) {
            Ok(()) => {
                let mut after = position.clone();
                after.play_unchecked(mv);
                let thought = player.thought().as_ref().and_then(Thought::of);
                Ok(Step { text: position.move_text(mv), after, time, thought })
            }
            Err(error) => Err(Reason::illegal(&error.to_string())),
        }
    });
    catch_unwind(asked).unwrap_or_else(|caught| Err(reason(&*caught)))
}

/// Why a player loses that has panicked, which is a mistake of our own and no reason to end a match.
fn reason(caught: &(dyn Any + Send)) -> Reason {
    let text = caught.downcast_ref::<String>().map(String::as_str);
    Reason::panic(text.or_else(|| caught.downcast_ref::<&str>().copied()).unwrap_or("no message"))
}
