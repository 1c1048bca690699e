//! The threads that work is spread over. Results never depend on their number.

/// Runs `work`, whose parallel iterators then use this many threads.
///
/// # Panics
/// If the threads cannot be started.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads can be started").install(work)
}

/// The number of threads that this machine runs at once.
pub fn available() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
