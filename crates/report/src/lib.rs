//! What people see of it: pages with curves, tables as text, Markdown and CSV, pictures. Of learning runs only their folders are read; what
//! is in them is never trusted, and text from them is escaped wherever it goes.
//!
//! The wall: strings and bytes from results; this crate starts no game.
//!
//! # A picture of what a player likes
//! ```
//! use games::tetris::{Tetris, TetrisRules};
//! use play::analyze::explain::Critic;
//!
//! let rules = TetrisRules::default();
//! let critic = Critic::<Tetris>::new(&rules, "record")?.expect("it plays by a function");
//! let svg = report::surfaces::svg("record", &critic.surfaces(&rules)?, 8); // the eight best and worst surfaces of the pile
//! assert!(svg.starts_with("<svg ") && svg.contains("that record likes and dislikes"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod axis;
pub mod catalog;
mod csv;
mod curves;
mod direction;
mod figure;
mod files;
mod fit;
#[cfg(test)]
mod fixture;
mod markup;
mod page;
pub mod paper;
mod pdf;
pub mod picture;
mod plot;
mod pool;
mod profile;
mod read;
pub mod surfaces;
mod svg;
mod tables;
pub mod terminal;
#[cfg(test)]
mod tests;
mod text;
mod trace;
mod weights_plot;

pub use self::text::{markdown, text};
pub use csv::csv;
pub use curves::Look;
pub use files::{FigureFile, figures, plain};
pub use fit::{FitPage, fit_html};
pub use page::html;
pub use pool::pool;
pub use profile::{profile_html, profile_text, spending_text};
pub use read::{Experiment, ReportError, Run};
pub use svg::svg;
pub use trace::Against;

/// What stands above a quick variant in place of what is expected of the experiment.
const QUICK_NOTE: &str = "Quick variant: fewer generations or games than the experiment asks for, so that nothing is said of what it expects.";

/// What is expected of an experiment, in words; nothing of its quick variant.
fn expected(experiment: &Experiment) -> Option<&str> {
    let text = experiment.config.expect.trim();
    (experiment.config.variant.is_empty() && !text.is_empty()).then_some(text)
}

/// What the experiments are called: by their names, and where these are the same by their folders too.
fn labels(experiments: &[Experiment]) -> Vec<String> {
    let name = |experiment: &Experiment| match experiment.config.variant.as_str() {
        "" => experiment.manifest.experiment.clone(),
        variant => format!("{} ({variant} variant)", experiment.manifest.experiment),
    };
    let mut labels: Vec<String> = Vec::new();
    for experiment in experiments {
        let mut label = name(experiment);
        if experiments.iter().filter(|other| name(other) == label).count() > 1 {
            let folder = &experiment.folders[0];
            let folder = folder.file_name().unwrap_or(folder.as_os_str());
            label = format!("{label} ({})", folder.to_string_lossy());
        }
        let mut distinct = label.clone();
        for number in 2.. {
            if !labels.contains(&distinct) {
                break;
            }
            distinct = format!("{label} #{number}");
        }
        labels.push(distinct);
    }
    labels
}
