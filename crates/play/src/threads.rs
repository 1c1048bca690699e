//! The threads that work is spread over. Results never depend on their number.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use thiserror::Error;

/// The threads asked for cannot be started.
#[derive(Debug, Error)]
#[error("{threads} threads cannot be started: {reason}")]
pub struct NoThreads {
    threads: usize,
    reason: String,
}

/// Runs `work`, whose parallel iterators then use this many threads.
///
/// # Errors
/// The threads cannot be started.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T, NoThreads> {
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => Ok(pool.install(work)),
        Err(error) => Err(NoThreads { threads, reason: error.to_string() }),
    }
}

/// What `work` makes of the numbers below `count`, in their order, on the threads of [`on_threads`].
///
/// Parallel iterators do the same, compiled anew for every closure and every game: they were an eighth of the code of `train` and
/// a sixteenth of that of the commands. Here the threads know nothing but numbers.
pub fn par_map<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let places: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::new(None)).collect();
    par_each(count, &|number| {
        let done = work(number);
        *places[number].lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
    });
    let made = |place: Mutex<Option<T>>| place.into_inner().unwrap_or_else(PoisonError::into_inner);
    places.into_iter().map(|place| made(place).expect("every number has been worked on")).collect()
}

/// The same with something that a thread makes once and uses again, as a player; no result may depend on what it was used for.
pub fn par_map_with<S: Send, T: Send>(
    count: usize,
    make: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> T + Sync,
) -> Vec<T> {
    let free: Mutex<Vec<S>> = Mutex::new(Vec::new());
    let free = || free.lock().unwrap_or_else(PoisonError::into_inner);
    par_map(count, |number| {
        let taken = free().pop();
        let mut own = taken.unwrap_or_else(&make);
        let done = work(&mut own, number);
        free().push(own);
        done
    })
}

/// One by one: a game may be a thousand times as long as the next.
fn par_each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().with_max_len(1).for_each(work);
}

/// The number of threads that this machine runs at once.
pub fn available() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
