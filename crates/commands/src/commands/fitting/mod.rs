//! Commands that fit functions to positions: labelled, recorded, searched.

pub mod export;
pub mod fit;
pub mod fit_probcut;
mod fit_report;
pub mod label;
pub mod regress;
