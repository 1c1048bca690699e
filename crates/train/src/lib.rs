//! How a function is learned: labelled positions and fits, tasks, self-play, imitation, and runs that survive anything. Only
//! here are learners seen and run folders written.

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
