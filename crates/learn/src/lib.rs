//! Models and learners of evalforge: evaluation functions by their form, optimisers that ask and are told, fits by gradients, races.
//!
//! The wall: this crate knows nothing of games. Features, weights and scores cross it as plain numbers; it does no I/O, reads no clock and
//! starts no thread, and learners maximise.
//!
//! # The sphere by CMA-ES
//! ```
//! use learn::learners::{Space, learner};
//!
//! let cma_es = learner("cma-es").expect("in the list");
//! let settings = serde_json::json!({ "population": 12 }); // whatever is left out has its default
//! let mut learner = (cma_es.build)(&settings, &Space::real(5), 7)?;
//! for _ in 0..120 {
//!     let trials = learner.ask();
//!     let values: Vec<f64> = trials.iter().map(|trial| -trial.point.iter().map(|x| x * x).sum::<f64>()).collect();
//!     learner.tell(&values);
//! }
//! assert!(learner.centre().iter().all(|x| x.abs() < 1e-4));
//! # Ok::<(), learn::learners::SettingError>(())
//! ```

pub mod fitting;
pub mod learners;
pub mod models;
pub mod racing;
pub mod random;

/// An entry of one of the lists of this crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The name on the command line and in files.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
}
