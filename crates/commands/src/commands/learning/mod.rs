//! Commands about learning: experiments, what came of them, published tables played again.

pub mod learn;
mod learn_view;
mod report;
pub mod reproduce;
mod reproduce_avalam;
pub mod reproduce_output;
mod reproduce_paper;
mod reproduce_pushover;
mod reproduce_splitting;
pub mod runs;
