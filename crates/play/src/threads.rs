//! The threads that work is spread over. Results never depend on their number.

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

/// The number of threads that this machine runs at once.
pub fn available() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
