//! How long a search may take, and the budget that ends it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The deepest search: no game here is longer by much, and the buffers of every ply are there from the start.
pub const MAX_DEPTH: u32 = 120;

/// What a search may use for one move. What is not said is not limited.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Limits {
    /// Plies.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Games simulated.
    pub simulations: Option<u64>,
    /// Seconds for this move.
    pub time: Option<f64>,
    /// Seconds left for the rest of the game; the search chooses how much of it this move is worth.
    pub game_time: Option<f64>,
}

impl Limits {
    /// Only this many plies.
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// Only this many positions.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Only this many simulated games.
    pub fn simulations(simulations: u64) -> Self {
        Self { simulations: Some(simulations), ..Self::default() }
    }

    /// Only this many seconds.
    pub fn time(seconds: f64) -> Self {
        Self { time: Some(seconds), ..Self::default() }
    }

    /// Only what is left of the game's time.
    pub fn game_time(seconds: f64) -> Self {
        Self { game_time: Some(seconds), ..Self::default() }
    }

    /// The tighter of two, limit by limit.
    #[must_use]
    pub fn and(&self, other: &Limits) -> Limits {
        fn least<T: PartialOrd>(a: Option<T>, b: Option<T>) -> Option<T> {
            match (a, b) {
                (Some(a), Some(b)) => Some(if b < a { b } else { a }),
                (a, b) => a.or(b),
            }
        }
        Limits {
            depth: least(self.depth, other.depth),
            nodes: least(self.nodes, other.nodes),
            simulations: least(self.simulations, other.simulations),
            time: least(self.time, other.time),
            game_time: least(self.game_time, other.game_time),
        }
    }

    /// Whether the clock has a say.
    pub fn is_timed(&self) -> bool {
        self.time.is_some() || self.game_time.is_some()
    }
}

/// Work between two looks at the clock. A look costs some 30 ns; an evaluation that takes 20 us comes to 3 ms.
const BETWEEN_LOOKS: u32 = 128;

/// Ends a search by its nodes or its time.
#[derive(Debug)]
pub struct Budget {
    begun: Instant,
    deadline: Option<Instant>,
    most_nodes: u64,
    until_look: u32,
    /// Set from elsewhere: nobody waits for the answer any more.
    stop: Option<Arc<AtomicBool>>,
    /// Whether it may end the search yet.
    pub is_armed: bool,
    /// Whether the search has to end.
    pub stopped: bool,
}

impl Budget {
    /// Begins now.
    pub fn new(nodes: Option<u64>, seconds: Option<f64>) -> Self {
        let begun = Instant::now();
        let deadline = seconds.and_then(|seconds| deadline(begun, seconds));
        let most_nodes = nodes.unwrap_or(u64::MAX);
        Self {
            begun,
            deadline,
            most_nodes,
            until_look: BETWEEN_LOOKS,
            stop: None,
            is_armed: true,
            stopped: false,
        }
    }

    /// Ends too when this flag is set.
    #[must_use]
    pub fn with_stop(mut self, stop: Option<Arc<AtomicBool>>) -> Self {
        self.stop = stop;
        self
    }

    /// Ends at another time: so many seconds after the beginning.
    pub fn until(&mut self, seconds: f64) {
        self.deadline = deadline(self.begun, seconds);
    }

    /// Goes on, stopped or not, until these limits are reached.
    pub fn go_on(&mut self, nodes: Option<u64>, seconds: Option<f64>) {
        self.deadline = seconds.and_then(|seconds| deadline(self.begun, seconds));
        self.most_nodes = nodes.unwrap_or(u64::MAX);
        (self.stopped, self.is_armed) = (false, true);
    }

    /// Seconds since the beginning.
    pub fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// Counts work and looks at the clock now and then; whether the search has to end.
    #[inline]
    pub fn stops(&mut self, nodes: u64, work: u32) -> bool {
        match self.until_look.checked_sub(work) {
            Some(left) if nodes < self.most_nodes => {
                self.until_look = left;
                self.stopped
            }
            _ => self.look(nodes),
        }
    }

    /// Looks at the clock now; whether the search has to end.
    pub fn look(&mut self, nodes: u64) -> bool {
        self.until_look = BETWEEN_LOOKS;
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let unwanted = self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        self.stopped |= self.is_armed && (late || unwanted || nodes >= self.most_nodes);
        self.stopped
    }
}

/// What is no number of seconds is none; what no clock can hold is no limit.
fn deadline(begun: Instant, seconds: f64) -> Option<Instant> {
    begun.checked_add(Duration::try_from_secs_f64(seconds.max(0.0)).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tighter_limit_holds() {
        let both = Limits { depth: Some(3), time: Some(2.0), ..Limits::default() }.and(&Limits {
            depth: Some(5),
            time: Some(1.0),
            nodes: Some(9),
            ..Limits::default()
        });
        let expected = Limits { depth: Some(3), time: Some(1.0), nodes: Some(9), ..Limits::default() };
        assert_eq!(both, expected);
        assert!(both.is_timed() && !Limits::depth(3).is_timed());
    }

    #[test]
    fn a_watch_takes_any_number() {
        for seconds in [f64::NAN, f64::INFINITY, 1e300] {
            assert!(!Budget::new(None, Some(seconds)).look(0) || seconds.is_nan());
        }
        assert!(Budget::new(None, Some(-1.0)).look(0));
        assert!(Budget::new(Some(10), None).stops(10, 1) && !Budget::new(Some(10), None).stops(9, 1));
    }
}
