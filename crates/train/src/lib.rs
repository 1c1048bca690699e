//! How a function is learned: labelled positions and fits, tasks, self-play, imitation, and runs that survive anything.
//!
//! The wall: only here are learners seen and run folders written.
//!
//! # An experiment from its text
//! ```
//! use train::run::{experiment::Experiment, folder::Origin, live::RunProgress, runner::LocalRunner};
//!
//! let text = r#"
//!     generations = 80
//!     [task]
//!     name = "sphere"
//!     dimension = 4
//!     [learner]
//!     name = "cma-es"
//! "#;
//! // Checked: nothing later fails because of it.
//! let experiment = Experiment::parse::<games::Listed>("sphere", "sphere.toml", text, false, &[])?;
//! let folder = std::env::temp_dir().join(format!("evalforge-train-doc-{}", std::process::id()));
//! let run = experiment.begin(&folder, Origin::default())?;
//! // The log and the checkpoint are there at any moment.
//! let (_, finish) = run.run(|stage| stage.run(&LocalRunner::new(&stage.plan), 1, &RunProgress::new(1)))?;
//! assert!(finish.whole && folder.join("model.json").is_file());
//! std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bench;
pub mod costs;
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
