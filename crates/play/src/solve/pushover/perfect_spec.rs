//! The player `perfect` as its text says: with a table from a file, or solved on the spot.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use games::pushover::PushoverRules;
use games::{InputError, Rules as _};
use thiserror::Error;

use super::{Perfect, check, solve};
use crate::files::{TableError, cache};
use crate::names::UnknownName;
use crate::players::PlayerError;
use crate::players::notation::{Call, NotationError};
use crate::solve::Progress;
use crate::threads::{available, on_threads};

/// The name of the player.
pub const NAME: &str = "perfect";

/// Why there is no such player.
#[derive(Debug, Error)]
pub enum PerfectError {
    /// Its options are at fault.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// Its table is at fault.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The game cannot be solved.
    #[error("player {NAME}: {0}")]
    Rules(#[from] InputError),
}

impl From<PerfectError> for PlayerError {
    fn from(error: PerfectError) -> Self {
        Self::Own(Box::new(error))
    }
}

/// The tables that were solved on the spot. Every thread of a match makes its own player of a text: without this each
/// would solve the game again, to the same end.
static SOLVED: Mutex<Vec<Arc<Perfect>>> = Mutex::new(Vec::new());

/// What is solved sooner is not worth a file.
const WORTH_KEEPING: Duration = Duration::from_millis(300);

/// Where the values come from.
#[derive(Clone)]
pub enum PerfectSpec {
    /// Solved on the spot.
    Solve(PushoverRules),
    /// Read from a table.
    Table(Arc<Perfect>),
}

impl PerfectSpec {
    /// Reads `perfect` or `perfect(table=FILE)`.
    ///
    /// # Errors
    /// The text is wrong, the table is, or the game is too large to be solved.
    pub fn parse(rules: &PushoverRules, text: &str) -> Result<Self, PerfectError> {
        let call = Call::parse(text)?;
        if let Some((unknown, _)) = call.options.iter().find(|(key, _)| key != "table") {
            let error = UnknownName::new("option", unknown, ["table"]);
            return Err(NotationError::Key { player: NAME.into(), error }.into());
        }
        check(rules)?;
        match &call.options[..] {
            [] => Ok(Self::Solve(rules.clone())),
            [(_, path)] => Ok(Self::Table(Arc::new(Perfect::load_for(Path::new(path), rules)?))),
            _ => {
                let reason = "table is given twice".into();
                Err(NotationError::Options { player: NAME.into(), reason }.into())
            }
        }
    }

    /// The values.
    ///
    /// # Errors
    /// The game is too large to be solved.
    ///
    /// # Panics
    /// Never: nobody breaks the solver off.
    pub fn values(&self) -> Result<Arc<Perfect>, PerfectError> {
        match self {
            Self::Solve(rules) => {
                Ok(solved(rules, &|_| std::ops::ControlFlow::Continue(()))?.expect("nobody breaks it off"))
            }
            Self::Table(values) => Ok(values.clone()),
        }
    }
}

/// The game of these rules, solved now or before; `None` if the watch has broken it off.
///
/// # Errors
/// The game is too large to be solved.
pub fn solved(rules: &PushoverRules, watch: Progress<'_>) -> Result<Option<Arc<Perfect>>, InputError> {
    // A solution is added whole or not at all: a panic elsewhere leaves nothing wrong behind.
    let mut all = SOLVED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = all.iter().find(|known| known.is_for(rules)) {
        return Ok(Some(known.clone()));
    }
    // A table of an earlier run; whatever is wrong with it, the game is solved again.
    let cached = cache::path(&format!("pushover-{}-{}", rules.size, rules.get("repetition")));
    if let Some(known) = cached.as_ref().and_then(|path| Perfect::load_for(path, rules).ok()) {
        let perfect = Arc::new(known);
        all.push(perfect.clone());
        return Ok(Some(perfect));
    }
    let begun = Instant::now();
    // On a thread that is no worker of any pool: such a one might take up another job while it waits, and wait for us.
    let solution = std::thread::scope(|scope| {
        let work = || on_threads(available(), || solve(rules, watch)).unwrap_or_else(|_| solve(rules, watch));
        scope.spawn(work).join().expect("the solver does not panic")
    })?;
    Ok(solution.map(|solution| {
        let perfect = Arc::new(solution.perfect);
        all.push(perfect.clone());
        if let Some(path) = cached.filter(|_| begun.elapsed() > WORTH_KEEPING) {
            cache::keep(&path, &perfect.to_bytes());
        }
        perfect
    }))
}
