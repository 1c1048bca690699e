//! How a function is learned: labelled positions and fits, tasks, self-play, imitation, and runs that survive anything.
//!
//! The wall: only here are learners seen and run folders written.
//!
//! # An experiment from its text
//! ```
//! use train::run::{config::Config, learn::learn, live::Live, plan::Plan, runner::LocalRunner};
//!
//! let text = r#"
//!     generations = 80
//!     [task]
//!     name = "sphere"
//!     dimension = 4
//!     [learner]
//!     name = "cma-es"
//! "#;
//! let plan = Plan::new::<games::Listed>("sphere", Config::parse("sphere.toml", text, false, &[])?)?; // checked: nothing later fails because of it
//! let folder = std::env::temp_dir().join(format!("evalforge-train-doc-{}", std::process::id()));
//! let run = learn(&plan, 0, &folder, &LocalRunner::new(&plan), &Live::new(1))?; // the log and the checkpoint are there at any moment
//! assert!(run.centre.iter().all(|x| x.abs() < 0.01), "{:?}", run.centre);
//! std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bench;
pub mod data;
pub mod experiments;
pub mod fit;
pub mod fit_probcut;
pub mod grade;
pub mod imitation;
pub mod regress;
pub mod reproduce;
pub mod run;
pub mod selfplay;
pub mod tasks;
