//! How runs stand at this moment: written by those who learn, read by those who watch.

use std::sync::Mutex;
use std::sync::atomic::AtomicU64;

use measure::pool::Stop;

use super::record::Generation;

/// A look into an experiment that is under way.
#[derive(Default)]
pub struct RunProgress {
    /// Whether to end: the generations under way are broken off, and played anew by whoever goes on.
    pub stop: Stop,
    /// Games over, of all runs.
    pub games: AtomicU64,
    runs: Mutex<Vec<RunLive>>,
    doing: Mutex<String>,
    notes: Mutex<Vec<String>>,
}

/// How one run stands.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunLive {
    /// The last generation.
    pub last: Option<Generation>,
    /// What each generation was worth: the curve where there is one, else the mean fitness.
    pub curve: Vec<f64>,
    /// Why it has ended, if it has.
    pub ended: Option<String>,
}

impl RunProgress {
    /// Of so many runs.
    pub fn new(runs: usize) -> Self {
        Self { runs: Mutex::new(vec![RunLive::default(); runs]), ..Self::default() }
    }

    /// Whether somebody asked to end.
    pub fn stopping(&self) -> bool {
        !self.stop.go_on()
    }

    /// How all runs stand.
    pub fn runs(&self) -> Vec<RunLive> {
        self.runs.lock().expect("no holder panics").clone()
    }

    /// What is being done besides learning.
    pub fn doing(&self) -> String {
        self.doing.lock().expect("no holder panics").clone()
    }

    /// Says what is being done besides learning.
    pub fn set_doing(&self, what: impl Into<String>) {
        *self.doing.lock().expect("no holder panics") = what.into();
    }

    /// What there is to be said that was not taken yet, a line each.
    pub fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut self.notes.lock().expect("no holder panics"))
    }

    pub(super) fn note(&self, line: String) {
        self.notes.lock().expect("no holder panics").push(line);
    }

    pub(super) fn add(&self, run: usize, line: &Generation) {
        let mut runs = self.runs.lock().expect("no holder panics");
        let worth = line.curve.as_ref().map_or(line.mean, |curve| curve.mean);
        runs[run].curve.push(worth);
        runs[run].last = Some(line.clone());
    }

    pub(super) fn end(&self, run: usize, reason: &str) {
        self.runs.lock().expect("no holder panics")[run].ended = Some(reason.to_string());
    }
}
